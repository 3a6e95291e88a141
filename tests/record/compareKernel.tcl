# compareKernel.tcl -- does `tactus record --kernel` tell of the same switches as trace-cmd? Both record the same
# program at the same time, in two instances of the kernel's tracing.
#
#       tclsh compareKernel.tcl TACTUS ?COMMAND ARGUMENT ...?
#
# What trace-cmd has recorded is read by trace-cmd itself. Each switch of a processor that one recording has, from its
# first common one on, must be the next one of the other: the same threads, the same state. Times of a switch differ by
# what lies between the two instances' looks at the clock. The exit status is 1 where a switch differs, 2 where the
# kernel cannot be recorded.

package require Tcl 8.6

namespace eval ::compare {
    # Most that the times of a switch may differ at the first common one, in nanoseconds.
    variable near 100000
}

# A dict of processors: list of switches {time-in-ns thread state next} of lines that a pattern finds.
proc ::compare::switches {text pattern} {
    set result {}
    foreach line [split $text \n] {
        if {![regexp $pattern $line -> processor s ns previous state next]} continue
        set ns [string range ${ns}000000000 0 8]
        dict lappend result [scan $processor %d] [list [expr {$s * 1000000000 + [scan $ns %d]}] $previous $state $next]
    }
    return $result
}

# The switches of trace-cmd's recording, as trace-cmd report prints them by the kernel's own format.
proc ::compare::theirs {path} {
    set text [exec -ignorestderr trace-cmd report -N -t $path 2>/dev/null]
    switches $text \
        {\[(\d+)\] +(?:\S+ +)?(\d+)\.(\d+): +sched_switch: .* prev_pid=(\d+) .*prev_state=(\S+) .*next_pid=(\d+) }
}

# The switches of ours, from the events that were kept. A processor is named behind the message.
proc ::compare::ours {tactus path} {
    set text [exec -ignorestderr $tactus dump --keep sched_switch $path 2>/dev/null]
    set found {}
    foreach line [split $text \n] {
        if {![regexp {message \{sched_switch: .*-processor cpu(\d+)} $line -> processor]} continue
        append found "\[$processor\] $line\n"
    }
    switches $found {^\[(\d+)\] plot (\d+)\.(\d+) .* prev_pid=(\d+) .*prev_state=(\S+) .*next_pid=(\d+) }
}

proc ::compare::indexOf {switches time} {
    variable near
    set low 0
    while {$low < [llength $switches] && [lindex $switches $low 0] < $time - $near} {incr low}
    return $low
}

# Compares the switches of a processor. Returns how many were compared and which differ, and the times' differences.
proc ::compare::processor {ours theirs} {
    set first [lindex $ours 0]
    set at [indexOf $theirs [lindex $first 0]]
    while {$at < [llength $theirs] && [lrange [lindex $theirs $at] 1 3] ne [lrange $first 1 3]} {incr at}
    set compared 0
    set differing {}
    set differences {}
    foreach one $ours other [lrange $theirs $at [expr {$at + [llength $ours] - 1}]] {
        if {$other eq {}} break
        incr compared
        if {[lrange $one 1 3] ne [lrange $other 1 3]} {
            lappend differing [list $one $other]
            if {[llength $differing] == 3} break
        }
        lappend differences [expr {abs([lindex $one 0] - [lindex $other 0])}]
    }
    list $compared $differing [lsort -integer $differences] [expr {[llength $ours] - $compared}]
}

proc ::compare::report {ours theirs} {
    set bad 0
    foreach number [lsort -integer [dict keys $ours]] {
        if {![dict exists $theirs $number]} {puts "cpu$number: trace-cmd has no switch"; set bad 1; continue}
        lassign [processor [dict get $ours $number] [dict get $theirs $number]] compared differing differences behind
        set median [lindex $differences [expr {[llength $differences] / 2}]]
        puts "cpu$number: $compared switches compared, [llength $differing] differ, $behind behind trace-cmd's last;\
            times differ by $median ns (median), [lindex $differences end] ns (most)"
        foreach pair $differing {puts "    ours [lindex $pair 0], trace-cmd's [lindex $pair 1]"}
        if {$differing ne {} || $compared < 2 || $behind > 2} {set bad 1}
    }
    return $bad
}

proc ::compare::main {tactus command} {
    if {$command eq {}} {set command {sh -c {for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.02; ls / >/dev/null; done}}}
    set folder [exec mktemp -d]
    set recording [file join $folder ours.tacs]
    set trace [file join $folder trace.dat]
    set failed [catch {
        exec -ignorestderr trace-cmd record -q -B tactusCompare -d -k -b 20000 -C mono -e sched:sched_switch -o $trace \
            $tactus record --quiet --kernel --sensors=no -o $recording -- {*}$command >/dev/null 2>@1
    } message]
    catch {file delete /sys/kernel/tracing/instances/tactusCompare}
    set status 2
    if {![file exists $recording] || ![file exists $trace]} {
        puts "the kernel cannot be recorded by both: $message"
    } else {
        set status [report [ours $tactus $recording] [theirs $trace]]
    }
    file delete -force $folder
    return $status
}

exit [::compare::main [lindex $argv 0] [lrange $argv 1 end]]
