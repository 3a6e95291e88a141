# growth.tcl -- runs the program tactus, and says what it took: tclsh growth.tcl BUILD RESULT ARGUMENT ...
#
# RESULT is a file that gets a dict: cpu (seconds of CPU time), peak (bytes of memory, at most), status (of the
# program).

package require Tcl 8.6

namespace eval ::growth {
    variable result [lindex $::argv 1]
}

proc ::growth::peak {} {
    set channel [open /proc/self/status]
    regexp {VmHWM:\s+(\d+) kB} [read $channel] -> kilobytes
    close $channel
    expr {1024 * $kilobytes}
}

# Seconds of CPU time of this process, whose only thread this is.
proc ::growth::cpu {} {
    set channel [open /proc/self/schedstat]
    set nanoseconds [lindex [read $channel] 0]
    close $channel
    expr {$nanoseconds / 1e9}
}

rename exit ::growth::exit
proc exit {{status 0}} {
    set channel [open $::growth::result w]
    puts $channel [dict create cpu [::growth::cpu] peak [::growth::peak] status $status]
    close $channel
    ::growth::exit $status
}

apply {{program} {
    set ::argv [lrange $::argv 2 end]
    set ::argc [llength $::argv]
    set ::argv0 $program
    uplevel #0 [list source -encoding utf-8 $program]
    exit
}} [file join [file normalize [lindex $argv 0]] program.tcl]
