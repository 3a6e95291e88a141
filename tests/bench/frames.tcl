# frames.tcl -- measures the real widget on a display: tclsh frames.tcl BUILD WHAT TRACE. Prints a dict.
#
#   frames TRACE     frames of a timeline of 1920 x 1080 pixels with up to 64 rows, in the ways a user moves about: each
#                    way -> median and p99 of a frame's layout, paint, put and total (milliseconds of the widget's own
#                    `frame`), `worst` is the largest median and p99 of all; cursor -> the time of a move of the cursor
#   hover TRACE      bands, bars, jobs -> what the pointer costs where slices make bands, where single ones are seen,
#                    and where jobs are wide: {median, p99 of wall time, CPU time, lit} of a move in ms, drawing too;
#                    CPU time: of this process, the slowest of 20 batches of 50 moves; lit: moves that lit something
#   open TRACE       gap: the longest time (ms) between two ticks of a timer while the trace is opened and the progress
#                    handles events, as the window does; gapCpu: the most CPU time (ms) of this process between two;
#                    seconds: how long opening took
#   steps TRACE      what is done with all rows in the program's own window -> the most CPU time (ms) of this process
#                    between two events that it handles, the least of five times: rows and their session, which differ
#                    from how the trace has them; the legend; closing
#   handlers TRACE   handled: events given to a plugin's handler; seconds: what that took more than opening without;
#                    million: the same for 10^6 handled events
#
# Without a DISPLAY an Xvfb is started, which ends with this process.

package require Tcl 8.6
source -encoding utf-8 [file join [file dirname [info script]] display.tcl]

namespace eval ::frames {
    variable frames 200         ;# of each way
    variable keys {layout paint put total}
}

# ---- ways to move ----------------------------------------------------------------------------------------------------

# Each is a script that is run before a frame, with the number of the frame in i.
proc ::frames::ways {} {
    return {
        {zoom in}       {if {$i % 60 == 0} {.t view {*}[.t span]}; .t zoom 1.15}
        {zoom out}      {if {$i % 60 == 0} {.t view {*}[.t span]; .t zoom 4000}; .t zoom 0.87}
        {pan, all}      {if {$i == 0} {.t view {*}[.t span]; .t zoom 2}; .t pan [expr {$i % 40 < 20 ? 0.02 : -0.02}]}
        {pan, 1/100}    {if {$i == 0} {.t view {*}[.t span]; .t zoom 100}; .t pan 0.07}
        {pan, jobs}     {if {$i == 0} {::frames::near}; .t pan 0.05}
        {scroll rows}   {if {$i == 0} {::frames::rowHeights 0.8; .t view {*}[.t span]; .t zoom 1000}; .t yview scroll [expr {$i % 20 < 10 ? 1 : -1}] units}
        {jump}          {if {$i == 0} {::frames::rowHeights 0.35}; ::frames::jump $i}
    }
}

# A view in which some hundred jobs are seen.
proc ::frames::near {} {
    lassign [.t span] first last
    .t view $first [expr {$first + ($last - $first) / 20000 + 1000}]
}

# Anywhere, at any zoom: the same places in every run.
proc ::frames::jump {i} {
    lassign [.t span] first last
    set length [expr {($last - $first) / (1 << ($i * 7 % 16))}]
    set from [expr {$first + ($last - $first - $length) * ($i * 37 % 101) / 101}]
    .t view $from [expr {$from + max(10, $length)}]
}

proc ::frames::measure {script} {
    variable frames
    variable keys
    set samples {}
    for {set i 0} {$i < $frames} {incr i} {
        eval $script
        .t redraw
        set frame [.t frame]
        foreach key $keys {dict lappend samples $key [expr {[dict get $frame $key] / 1000.0}]}
    }
    dict map {key values} $samples {list [::display::percentile $values 50] [::display::percentile $values 99]}
}

proc ::frames::cursor {} {
    set times {}
    lassign [.t view] from to
    for {set i 0} {$i < 500} {incr i} {
        set time [expr {$from + ($to - $from) * ($i * 37 % 501) / 501}]
        set began [clock microseconds]
        .t cursor $time
        update idletasks
        lappend times [expr {([clock microseconds] - $began) / 1000.0}]
    }
    list [::display::percentile $times 50] [::display::percentile $times 99]
}

# 0.35: all 64 rows are seen; 0.8: there is something to scroll.
proc ::frames::rowHeights {factor} {
    foreach row [.t rows] {.t row height [dict get $row key] $factor}
    update
}

# A timeline of the trace in which all its rows are seen.
proc ::frames::show {trace} {
    set t [::tactus::open $trace]
    wm geometry . 1920x1080+0+0
    pack [::tactus::timeline .t -width 1920 -height 1080 -processors none -trace $t -highlightthickness 0] \
        -fill both -expand 1
    update
    rowHeights 0.35
}

proc ::frames::measureFrames {trace} {
    show $trace
    set result [dict create rows [llength [.t rows]] size [winfo width .t]x[winfo height .t]]
    set medians 0
    set most 0
    foreach {way script} [ways] {
        set measured [measure $script]
        dict set result ways $way $measured
        set medians [expr {max($medians, [lindex [dict get $measured total] 0])}]
        set most [expr {max($most, [lindex [dict get $measured total] 1])}]
    }
    dict set result worst [list $medians $most]
    dict set result cursor [cursor]
    return $result
}

# ---- the pointer -----------------------------------------------------------------------------------------------------

# Milliseconds of CPU time of this process. The system counts them in steps of up to 4 ms.
proc ::frames::cpu {} {
    set channel [open /proc/self/task/[pid]/schedstat]
    set nanoseconds [lindex [read $channel] 0]
    close $channel
    expr {$nanoseconds / 1e6}
}

# Moves the pointer 1000 times: {median p99 cpu lit}.
proc ::frames::moves {} {
    set walls {}
    set slowest 0
    set lit 0
    for {set i 0} {$i < 1000} {incr i} {
        if {$i % 50 == 0} {set cpu [cpu]}
        set began [clock microseconds]
        set hovered [.t hover [expr {$i * 377 % 1920}] [expr {$i * 101 % 1080}]]
        update idletasks
        lappend walls [expr {([clock microseconds] - $began) / 1000.0}]
        incr lit [dict exists $hovered box]
        if {$i % 50 == 49} {set slowest [expr {max($slowest, ([cpu] - $cpu) / 50)}]}
    }
    list [::display::percentile $walls 50] [::display::percentile $walls 99] $slowest $lit
}

proc ::frames::measureHover {trace} {
    show $trace
    lassign [.t span] first last
    set time [expr {$first + ($last - $first) / 3}]
    foreach {way length} [list bands [expr {$last - $first}] bars 20000 jobs 2000] {
        .t view [expr {$length > $last - $time ? $first : $time}] [expr {min($last, $time + $length)}]
        .t redraw
        dict set result $way [moves]
    }
    return $result
}

# ---- opening and handlers --------------------------------------------------------------------------------------------

proc ::frames::tick {} {
    variable last
    variable gap
    variable lastCpu
    variable gapCpu
    set now [clock milliseconds]
    set cpu [cpu]
    set gap [expr {max($gap, $now - $last)}]
    set gapCpu [expr {max($gapCpu, $cpu - $lastCpu)}]
    set last $now
    set lastCpu $cpu
    after 2 ::frames::tick
}

proc ::frames::measureOpen {trace} {
    variable last [clock milliseconds]
    variable gap 0
    variable lastCpu [cpu]
    variable gapCpu 0
    set began $last
    tick
    ::tactus::open $trace -progress {apply {args {update}}}
    update
    dict create gap $gap gapCpu $gapCpu seconds [expr {([clock milliseconds] - $began) / 1000.0}]
}

# The most CPU time between two events while a script runs, and for half a second afterwards.
proc ::frames::step {script} {
    variable lastCpu [cpu]
    variable gapCpu 0
    variable last [clock milliseconds]
    variable gap 0
    uplevel #0 $script
    tick
    after 500 {set ::frames::rested 1}
    vwait ::frames::rested
    return $gapCpu
}

# The view of the program's window that has the trace, when that is open and its rows are listed.
proc ::frames::openedView {trace {window {}}} {
    if {$window eq {}} {
        set view [[::tactus::player::start [list $trace] -geometry 1920x1080+0+0] view]
    } else {
        set view [::tactus::player::open $trace -window $window]
    }
    while {[$view state] ni {open failed} || ![::tactus::timeline::ready [$view timeline]]} {update; after 1}
    update
    return $view
}

# Opens the trace with what was kept of it, and again after each round.
proc ::frames::measureSteps {trace} {
    foreach variable {XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME} {set ::env($variable) $trace.home}
    ::tactus::need window
    ::tactus::player::prepare
    set view [openedView $trace]
    set w [$view timeline]
    set keys [$w row keys]
    set n [expr {[llength $keys] / 2}]
    for {set round 0} {$round < 5} {incr round} {
        set own [list [list $w row group g [lrange $keys 10 20]] [list $w row reset] \
            [list $w row move [lindex $keys $n] [lindex $keys 3]]]
        foreach script $own {lappend times(rows) [step $script]}
        lappend times(save) [step [list ::tactus::player::session::leave $view]]
        lappend times(read) [step "set ::session \[::tactus::player::session::of $view\]"]
        lappend times(restore) [step [list ::tactus::player::session::restore $view $::session]]
        $view showPanel legend
        lappend times(legend) [step [list [lindex [info class instances ::tactus::player::LegendPanel] 0] draw]]
        $view showPanel details
        lappend times(close) [step [list $view closeTrace]]
        set view [openedView $trace [$view owner]]
    }
    file delete -force $trace.home
    dict create rows [lindex [lsort -real $times(rows)] 0] {*}[concat {*}[lmap what {save read restore legend close} {
        list $what [lindex [lsort -real $times($what)] 0]
    }]]
}

proc ::frames::seconds {script} {
    set began [clock microseconds]
    uplevel 1 $script
    expr {([clock microseconds] - $began) / 1e6}
}

proc ::frames::measureHandlers {trace} {
    set file [file join [file dirname $trace] counting.tcl]
    set channel [open $file w]
    puts $channel "variable n 0\nproc count {args} {variable n; incr n}\non jobArrived jobStarted jobResumed\
        jobPreempted jobCompleted count"
    close $channel
    ::tactus::need plugin/plugin
    set without [seconds {[::tactus::open $trace] close}]
    ::tactus::plugin::load $file
    set with [seconds {[::tactus::open $trace -handlers yes] close}]
    set handled $::tactus::plugins::counting::n
    file delete $file
    set more [expr {$with - $without}]
    dict create handled $handled seconds $more million [expr {$more * 1e6 / $handled}]
}

proc ::frames::main {build what trace} {
    set dir $build
    source -encoding utf-8 [file join $build pkgIndex.tcl]
    package require tactus
    if {$what ne "handlers"} {
        ::display::start
        set ::argv {}
        package require tactus::tk
    }
    puts [measure[string totitle $what] $trace]
    exit
}

::frames::main {*}$argv
