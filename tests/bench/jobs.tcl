# jobs.tcl -- measures the window's views of many jobs of one task: tclsh jobs.tcl BUILD TRACE. Prints a dict.
#
#   jobs, rows   jobs of the task with the most of them, and how many rows of the stacked view are seen at once
#   frames       way of moving -> {median p99} of a frame in ms of wall time, and the same of this process' CPU time:
#                from the event until the X server has the pixels
#   work         what is wanted -> {seconds until it is shown, longest time (ms) in which the window handled no event}
#   megabytes    {with the trace open, at the end}
#
# It is the program's own window of 1920 x 1080 pixels. Without a DISPLAY an Xvfb is started, which ends with this
# process.

package require Tcl 8.6
source -encoding utf-8 [file join [file dirname [info script]] display.tcl]

namespace eval ::jobs {
    variable frames 200         ;# of each way
    variable schedule {}        ;# channel: nanoseconds of CPU time of this process, first
}

proc ::jobs::middleAndEnd {values} {
    lmap n {50 99} {format %.1f [::display::percentile $values $n]}
}

proc ::jobs::cpu {} {
    variable schedule
    seek $schedule 0
    expr {[lindex [read $schedule] 0] / 1e6}
}

proc ::jobs::megabytes {} {
    set channel [open /proc/self/status]
    regexp {VmRSS:\s*(\d+)} [read $channel] -> kilobytes
    close $channel
    expr {$kilobytes / 1000}
}

# ---- the window ------------------------------------------------------------------------------------------------------

# With nothing kept of other sessions; the view, when the trace is open.
proc ::jobs::openWindow {build trace} {
    foreach variable {XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME} {set ::env($variable) [file join $build bench home]}
    set dir $build
    source -encoding utf-8 [file join $build pkgIndex.tcl]
    package require tactus
    set ::argv {}
    package require tactus::tk
    ::tactus::need window
    ::tactus::player::prepare
    set view [[::tactus::player::start [list $trace] -geometry 1920x1080+0+0 -session no] view]
    while {[$view state] ni {open failed}} {update; after 1}
    update
    return $view
}

# The object of the panel of a plugin's view.
proc ::jobs::panel {view name class} {
    $view showPanel plugin:$name
    while {[catch {info class instances $class} found] || ![llength $found]} {update}
    lindex $found 0
}

# The panels below get what the plot leaves.
proc ::jobs::enlarge {picture} {
    set pane [winfo parent $picture]
    while {![string match *.h.v $pane]} {set pane [winfo parent $pane]}
    $pane sashpos 0 180
    update
    update
}

# ---- measuring -------------------------------------------------------------------------------------------------------

proc ::jobs::tick {} {
    variable last
    variable gap
    set now [clock microseconds]
    set gap [expr {max($gap, $now - $last)}]
    set last $now
    set ::jobs::timer [after 1 ::jobs::tick]
}

# Runs a script, and handles events until the condition holds and all is drawn.
proc ::jobs::work {script {condition 1}} {
    variable last [clock microseconds]
    variable gap 0
    set began $last
    tick
    uplevel #0 $script
    update
    while {![uplevel #0 [list expr $condition]]} {update}
    update
    after cancel $::jobs::timer
    set gap [expr {max($gap, [clock microseconds] - $last)}]
    list [format %.2f [expr {([clock microseconds] - $began) / 1e6}]] [expr {$gap / 1000}]
}

proc ::jobs::moving {picture script} {
    variable frames
    for {set i 0} {$i < $frames} {incr i} {
        set cpu [cpu]
        set began [clock microseconds]
        eval $script
        update
        $picture redraw
        lappend walls [expr {([clock microseconds] - $began) / 1000.0}]
        lappend cpus [expr {[cpu] - $cpu}]
    }
    list {*}[middleAndEnd $walls] {*}[middleAndEnd $cpus]
}

proc ::jobs::press {picture sequence} {
    event generate $picture $sequence -x [expr {[winfo width $picture] / 2}] -y [expr {[winfo height $picture] / 2}]
}

# ---- the views -------------------------------------------------------------------------------------------------------

proc ::jobs::ways {} {
    return {
        wheel           {press $picture <Button-5>}
        page            {press $picture <Key-Next>}
        {scroll bar}    {$::stacked yview moveto [expr {$i * 37 % 101 / 101.0}]}
        {home, end}     {press $picture [lindex {<Key-Home> <Key-End>} [expr {$i % 2}]]}
        zoom            {press $picture [lindex {<Control-Button-4> <Control-Button-5>} [expr {$i / 20 % 2}]]}
    }
}

# Chooses in the panel's bar; shown: its method that gives another value when that is done.
proc ::jobs::choose {panel shown args} {
    set ::before [$panel $shown]
    work [list apply {{panel args} {
        foreach {name value} $args {set [info object namespace $panel]::$name $value}
        $panel changed $name
    }} $panel {*}$args] "\[$panel $shown\] ni \[list {} \$::before\]"
}

proc ::jobs::measureStacked {view} {
    set opened [work {set ::stacked [::jobs::panel $::view stacked ::tactus::plugins::stacked::Panel]} \
        {[$::stacked rows] ne {}}]
    dict set result work {open the stacked view} $opened
    set picture [$::stacked picture]
    enlarge $picture
    focus -force $picture
    dict set result jobs [[$::stacked rows] rows]
    dict set result rows [expr {round([$::stacked rowsSeen])}]
    dict for {way script} [ways] {dict set result frames $way [moving $picture $script]}
    foreach sort {response latency execution blocked preempted lateness wakeup release} {
        dict set result work "sort by $sort" [choose $::stacked rows Sort $sort]
    }
    dict set result work {filter response > 60} [choose $::stacked rows Filter {response > 60}]
    dict set result work {no filter} [choose $::stacked rows Filter {}]
    foreach group {outcome preempted quarter none} {
        dict set result work "group by $group" [choose $::stacked rows Group $group]
    }
    dict set result work {click: to the job in the timeline} [work [list ::jobs::press $picture <Button-1>]]
    return $result
}

proc ::jobs::measureDistribution {view} {
    set opened [work {set ::distribution [::jobs::panel $::view histogram ::tactus::plugins::distribution::Panel]} \
        {[$::distribution measured] ne {}}]
    dict set result {open the distribution} $opened
    foreach {kind log} {histogram 1 histogram 0 cdf 0 overtime 0 overtime 1} {
        dict set result "$kind[expr {$log ? ", logarithmic" : {}}]" \
            [choose $::distribution measured Kind $kind Log $log Statistic response]
    }
    choose $::distribution measured Kind histogram Log 0
    lassign [dict get [$::distribution measured] range] from to
    dict set result {select a range} [work [list $::distribution selectRange [expr {$from + ($to - $from) * 0.1}] $to] \
        {[llength [$::distribution chosen]]}]
    return $result
}

proc ::jobs::main {build trace} {
    variable schedule [open /proc/self/schedstat]
    ::display::start
    set ::view [openWindow $build $trace]
    set before [megabytes]
    set result [measureStacked $::view]
    dict set result work [dict merge [dict get $result work] [measureDistribution $::view]]
    dict set result megabytes [list $before [megabytes]]
    puts $result
    file delete -force [file join $build bench home]
    exit
}

::jobs::main {*}$argv
