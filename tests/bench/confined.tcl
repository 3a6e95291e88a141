# confined.tcl -- what confined reading costs: opens files in turns with and without -confined, each time in a new
# process, and prints medians of the processor time of all its processes, of the ratios within the turns, and of the
# time that passes in tactus::open.
#
#   tclsh8.6 confined.tcl BUILD TURNS FILE ...       (needs perf)

set opening {
    lappend auto_path [lindex $argv 0]
    package require tactus
    set began [clock microseconds]
    set trace [tactus::open [lindex $argv 1] -confined [lindex $argv 2]]
    puts "[expr {([clock microseconds] - $began) / 1000.0}] [dict get [$trace info] events]"
}

proc median {values} {lindex [lsort -real $values] [expr {[llength $values] / 2}]}

# {milliseconds of processor time, milliseconds that pass, events}
proc measure {script build file confined} {
    set said [exec perf stat -x, -e task-clock [info nameofexecutable] $script $build $file $confined 2>@1]
    if {![regexp -line {^([\d.]+) (\d+)$} $said -> passed events]} {error $said}
    if {![regexp -line {^([\d.]+),.*task-clock} $said -> ms]} {error $said}
    list $ms $passed $events
}

set channel [file tempfile script confined.tcl]
puts $channel $opening
close $channel
set files [lassign $argv build turns]
puts [format "%-24s %9s %8s %8s %7s %8s %8s" file events plain confined ratio passed confined]
foreach file $files {
    lassign {} plain confined ratios passed passedConfined
    for {set i 0} {$i < $turns} {incr i} {
        lassign [measure $script $build $file no] a passedA events
        lassign [measure $script $build $file yes] b passedB
        lappend plain $a
        lappend confined $b
        lappend ratios [expr {$b / $a}]
        lappend passed $passedA
        lappend passedConfined $passedB
    }
    puts [format "%-24s %9d %5.0f ms %5.0f ms %7.2f %5.0f ms %5.0f ms" [file tail $file] $events [median $plain] \
        [median $confined] [median $ratios] [median $passed] [median $passedConfined]]
}
file delete $script
