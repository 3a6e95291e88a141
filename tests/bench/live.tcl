# live.tcl -- measures tactus live: tclsh live.tcl BUILD ?RATE? ?WIDTH? ?SECONDS? ?MEMORY? ?VIEWS? (xvfb-run where there
# is no display).
#
# A program writes RATE (100000) events a second; a window that shows the last WIDTH (1) seconds follows it for SECONDS
# (10), and holds MEMORY (64M) of packets. With VIEWS (1) more views in tabs follow it, too. Prints a dict, of the last
# view but for the process:
#
#   processor   percent of one processor that the window takes
#   turns       openings a second
#   turn        milliseconds of one: median, 95 %
#   latest      milliseconds from the last event that is seen to the end of drawing: median, 95 %
#   oldest      the same from the first event that was not seen before: what an event waits at most
#   events      in the last opening
#   kilobytes   memory of the process at most
#   resident    kilobytes of memory, ten times on the way
#   lost        events

namespace eval ::benchLive {
    variable root [file dirname [file dirname [file dirname [file normalize [info script]]]]]
    variable folder {}
    variable turns {}   ;# lists: begin and end in seconds of CLOCK_MONOTONIC, time of the last event that is seen
    variable begun 0
    variable resident {}
}

lassign $argv build rate width seconds memory views
foreach {name value} {rate 100000 width 1 seconds 10 memory 64M views 1} {if {[set $name] eq {}} {set $name $value}}
set ::env(TCLLIBPATH) [file normalize $build]
lappend auto_path [file normalize $build]
package require tactus
source [file join $::benchLive::root library tactus.tcl]

# Microseconds of the processor that this process has used.
proc ::benchLive::used {} {
    set channel [open /proc/self/stat]
    set fields [split [lindex [split [read $channel] )] 1]]
    close $channel
    expr {10000 * ([lindex $fields 12] + [lindex $fields 13])}
}

# A number of /proc/self/status.
proc ::benchLive::status {name} {
    set channel [open /proc/self/status]
    regexp "$name:\\s+(\\d+)" [read $channel] -> number
    close $channel
    return $number
}

proc ::benchLive::now {} {dict get [$::live counts] now}

proc ::benchLive::share {values part} {
    lindex [lsort -real $values] [expr {min([llength $values] - 1, int($part * [llength $values]))}]
}

proc ::benchLive::spread {values} {
    list [format %.0f [share $values 0.5]] [format %.0f [share $values 0.95]]
}

# Notes each turn that has opened something, up to the end of drawing.
proc ::benchLive::watch {view} {
    set follower [::tactus::player::live::of $view]
    oo::objdefine $follower method Renew {args} {
        set ::benchLive::begun [::benchLive::now]
        next {*}$args
    }
    oo::objdefine $follower method Advance {count} {
        next $count
        update idletasks
        if {!$::benchLive::begun} return
        lappend ::benchLive::turns [list $::benchLive::begun [::benchLive::now] [lindex [$::timeline span] 1]]
        set ::benchLive::begun 0
    }
}

proc ::benchLive::result {used seconds} {
    variable turns
    lassign {} work latest oldest
    foreach before [lrange $turns 0 end-1] turn [lrange $turns 1 end] {
        lassign $turn begin end last
        lappend work [expr {1000 * ($end - $begin)}]
        lappend latest [expr {1000 * ($end - $last)}]
        lappend oldest [expr {1000 * ($end - [lindex $before 2])}]
    }
    dict create processor [format %.0f [expr {([used] - $used) / 1e4 / $seconds}]] \
        turns [format %.1f [expr {[llength $turns] / double($seconds)}]] turn [spread $work] \
        latest [spread $latest] oldest [spread $oldest] events [dict get [[$::view trace] info] events] \
        kilobytes [status VmHWM] resident $::benchLive::resident lost [dict get [$::live counts] lost]
}

close [file tempfile benchLive::folder]
file delete $benchLive::folder
file mkdir $benchLive::folder
foreach name {XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME} {set ::env($name) $benchLive::folder}
::tactus::need plugin/plugin plugin/check plugin/expect window
set writer [open |[list [file join $build record liveWriter] $benchLive::folder $rate [expr {$seconds + 4}]]]
::tactus::player::start {} -session no -geometry 1200x760+0+0
for {set n 1} {$n <= $views} {incr n} {
    set live [tactus::recorder -folders [list $benchLive::folder] -memory $memory]
    set view [::tactus::player::live::open $live "live $n" -width $width]
}
set timeline [$view timeline]
benchLive::watch $view
after 2000 {set go 1}
vwait go
set benchLive::turns {}
set used [benchLive::used]
for {set n 1} {$n <= 10} {incr n} {
    after [expr {100 * $seconds}] {set go 2}
    vwait go
    lappend benchLive::resident [benchLive::status VmRSS]
}
puts [benchLive::result $used $seconds]
::tactus::player::quit
catch {close $writer}
file delete -force $benchLive::folder
exit
