# watch.tcl -- runs a file of tests, and notes which places each of its tests sees (switch.h).
#
#   tclsh watch.tcl DIRECTORY TCLSH FILE ?option value ...?
#
# In DIRECTORY it leaves NAME.seen of NAME.test, with a line for each test that has run: its name, its milliseconds, the
# numbers of the places. What is seen between tests, when the file makes what they need, stands under the name "-".

namespace eval ::tactus::watch {
    variable places 65536       ;# bytes of the map, as in switch.h
    variable map                ;# the file whose bytes the places set, in this process and in what it starts
    variable log
}

proc ::tactus::watch::begin {directory name} {
    variable map [file join $directory $name.map]
    variable log [open [file join $directory $name.seen] w]
    clear
    set ::env(GCOV_PREFIX) $map
}

proc ::tactus::watch::clear {} {
    variable map
    variable places
    set channel [open $map {WRONLY CREAT BINARY}]
    puts -nonewline $channel [string repeat \0 $places]
    close $channel
}

# Notes what was seen since the last time.
proc ::tactus::watch::note {name milliseconds} {
    variable map
    variable log
    set channel [open $map rb]
    set bytes [read $channel]
    close $channel
    set seen [lmap range [regexp -all -inline -indices {[^\0]} $bytes] {lindex $range 0}]
    if {[llength $seen]} clear
    if {[llength $seen] || $name ne "-"} {
        puts $log [list $name $milliseconds $seen]
        flush $log
    }
}

# Stands for tcltest's own.
proc ::tactus::watch::test {name args} {
    note - 0
    set begin [clock milliseconds]
    set code [catch {uplevel 1 [list ::tcltest::unwatched $name {*}$args]} result options]
    note $name [expr {[clock milliseconds] - $begin}]
    return -options $options $result
}

proc ::tactus::watch::run {arguments} {
    set ::argv [lassign $arguments directory - ::argv0]
    set ::argc [llength $::argv]
    # The program that a test runs goes without a wrapper: it would be watched as a file of tests of its own.
    unset -nocomplain ::env(TACTUS_WRAPPER)
    package require tcltest 2.5
    begin $directory [file rootname [file tail $::argv0]]
    rename ::tcltest::test ::tcltest::unwatched
    proc ::tcltest::test {args} {tailcall ::tactus::watch::test {*}$args}
    uplevel #0 [list source -encoding utf-8 $::argv0]
}

::tactus::watch::run $::argv
