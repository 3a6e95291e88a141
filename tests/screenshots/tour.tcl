# tour.tcl -- README's tour of the window as steps: each does with keys and mouse what README says, and tells whether
# what is promised there is so. tests/tour.test runs the steps; screenshots.tcl takes a picture where a step has a name
# for one.
#
#   tour::steps      list of dicts: name, says (README's words, abridged), picture ({} none), do, holds (an expression)
#   tour::open DEMO ?-option value ...?  a window with that demo; the variables window, view and w as in
#                                        playerHelpers.tcl
#   tour::events     events of the trace that is made for the first step: 10^6 in its picture
#   tour::settle     until nothing is to be drawn any more
#
# Sourced after helpers.tcl and playerHelpers.tcl. Steps run in order, in one window each demo.

namespace eval ::tour {
    variable steps {}
    variable events 20000
}

proc ::tour::step {name says picture do holds} {
    variable steps
    lappend steps [dict create name $name says $says picture $picture do $do holds $holds]
}

proc ::tour::steps {} {
    variable steps
    return $steps
}

proc ::tour::open {demo args} {
    endWindow
    # What is shown of files is short, and the same everywhere.
    cd [root]
    if {[file extension $demo] eq {}} {append demo .tactus}
    startWindow [file join demos $demo] -session no -geometry 1000x640+0+0 {*}$args
    settle
}

# Panels are filled and pictures drawn when there is time for it.
proc ::tour::settle {{milliseconds 150}} {
    set ::tour::settled 0
    after $milliseconds {set ::tour::settled 1}
    waitUntil {$::tour::settled}
    idle
}

# A place on the bars of a job, in pixels of the timeline: they stand at the bottom of its row.
proc ::tour::slice {job} {
    lassign [$::w bbox job [indexOf $job]] x y width height
    list [expr {int($x + $width / 2)}] [expr {int($y + $height - 9)}]
}

proc ::tour::indexOf {id} {
    set index 0
    foreach job [[$::view trace] jobs] {
        if {[dict get $job job] eq $id} {return $index}
        incr index
    }
    error "no job $id"
}

proc ::tour::click {x y} {
    mouse <Motion> $x $y
    mouse <ButtonPress-1> $x $y
    mouse <ButtonRelease-1> $x $y -state 256
    settle
}

# Text of all labels and texts below a widget.
proc ::tour::textsOf {widget} {
    set text {}
    if {![winfo viewable $widget]} return
    switch -- [winfo class $widget] {
        TLabel - Label {append text [$widget cget -text] \n}
        Text {append text [$widget get 1.0 end]}
        Canvas {foreach item [$widget find all] {
            if {[$widget type $item] eq "text"} {append text [$widget itemcget $item -text] \n}
        }}
    }
    foreach child [winfo children $widget] {append text [textsOf $child]}
    return $text
}

proc ::tour::says {pattern} {
    string match *$pattern* [textsOf [$::view window]]
}

# ---- the steps -------------------------------------------------------------------------------------------------------

tour::step large "a trace of 10^6 events, whole" window {
    endWindow
    source -encoding utf-8 [file join [root] tests screenshots largeTrace.tcl]
    cd [tempDir]
    largeTrace::write large.tactus $::tour::events
    startWindow large.tactus -session no -geometry 1200x800+0+0
    key <Control-Key-r> $::w
    waitUntil {[$::view option checked] ni {{} running}} 60000
    tour::settle 300
} {[dict get [$::view info] events] > 0.98 * $::tour::events && [[$::view trace] finding count] > 0}

tour::step open "the schedule, the overview above it, panels below" {} {
    tour::open preemption
} {[$::w span] eq {0 50} || [lindex [$::w span] 0] == 0}

tour::step click "click a job: its facts, the times of its life, and its neighbours as links" details {
    tour::click [expr {int([$::w x 16])}] [lindex [tour::slice logger.1] 1]
} {[string match "*logger.1*" [tour::textsOf [$::view frame details]]]}

tour::step zoom "W and S zoom, A and D pan, F shows everything again" {} {
    set ::before [$::w view]
    key <Key-w>
    tour::settle 400
    set ::near [$::w view]
    key <Key-f>
    tour::settle 400
} {[lindex $::near 1] - [lindex $::near 0] < [lindex $::before 1] - [lindex $::before 0] && [$::w view] eq $::before}

tour::step select "drag: a range, snapped to events, and its statistics" selection {
    key <Alt-Key-3>
    tour::settle
    set y [lindex [tour::slice control.1] 1]
    dragMouse 1 [expr {int([$::w x 5])}] $y [expr {int([$::w x 30])}] $y
    tour::settle 400
} {[$::w selection get] eq {5 30}}

tour::step markers "Shift+A and Shift+B set two markers" {} {
    key <Key-Escape>
    lassign [tour::slice logger.1] x y
    mouse <Motion> [expr {int([$::w x 10])}] $y
    key <Key-A>
    mouse <Motion> [expr {int([$::w x 25])}] $y
    key <Key-B>
    tour::settle
} {[$::w marker get A] ne {} && [$::w marker get B] ne {}}

tour::step search "/ searches names and messages" {} {
    key <Key-slash>
    tour::settle
    set entry [focus]
    $entry insert end control
    event generate $entry <KeyRelease-l>
    key <Return> $entry
    tour::settle 300
} {[winfo class $entry] in {TEntry Entry}}

tour::step jobs "the jobs panel: sort, filter, click goes there" jobs {
    key <Key-Escape>
    key <Alt-Key-2> $::w
    tour::settle 400
} {[$::view panelShown jobs]}

tour::step buffers "a trace with buffers: what they hold at the time of the pointer" buffers {
    tour::open buffers
    waitUntil {[$::view frame plugin:buffers] ne {}}
    $::view showPanel plugin:buffers
    tour::settle
    lassign [tour::slice filter.1] - y
    mouse <Motion> [expr {int([$::w x 17]) + 2}] $y
    tour::settle 300
} {[tour::says {frame 6}] && [tour::says Display]}

tour::step checks "Ctrl+R runs the checks; N goes from finding to finding" findings {
    tour::open interrupts
    waitUntil {[$::view frame plugin:buffers] ne {}}
    key <Control-Key-r> $::w
    tour::settle 500
    key <Key-n> $::w
    tour::settle 300
    key <Alt-Key-7> $::w
    tour::settle 300
} {[tour::says deadline]}

tour::step kernel "a Linux trace: a bar offers to guess which threads are tasks" {} {
    tour::open late.ftrace
    [$::view top].bars.bmapping.b0 invoke
    waitUntil {[$::view state] ne "open"} 100
    waitUntil {[$::view state] eq "open"}
    tour::settle
} {[::tactus::player::mapping::of $::view] eq "auto"}

tour::step stacked "panel Stacked: all jobs of a task, the slowest on top; a click or Down goes to the job" stacked {
    tour::open late.ftrace -map [file join demos late.map]
    $::view showPanel plugin:stacked
    tour::settle
    set ::stacked [lindex [info class instances ::tactus::plugins::stacked::Panel] 0]
    $::stacked options tasks 21277 sort response down 1
    tour::settle
    key <Key-Down> [$::stacked picture]
    tour::settle 300
} {[$::stacked chosen] eq [tour::indexOf 21277.17]}

tour::step why "the details begin with its response time taken apart" why {
    set ::text [$::view frame details].facts.text
    $::w view 25379.439 25379.451
    tour::settle 300
} {[string match "*being blocked on state by logger*preemption by vision*" [string map {\n { }} [$::text get 1.0 end]]]}

tour::step compare "Ctrl+K: a second trace below, on the same axis; panel Compare: what differs" compare {
    tour::open good
    ::tactus::need player/compare
    ::tactus::player::compare::begin $view [file join demos bad.tactus]
    waitUntil {[::tactus::player::commands::isComparing $view]
        && [llength [[::tactus::player::compare::of $view] causes]]}
    $::view side right 0
    tour::settle 300
    set list [$::view frame compare].h.list
    set pairs [$::view frame compare].h.parts.pairs.list
    for {set i 0} {$i < [$list count]} {incr i} {
        if {[$list value $i task] eq "Control" && [$list value $i measure] eq "response"} {$list current $i}
    }
    event generate $list <<ListboxSelect>>
    tour::settle 300
    $pairs current 0
    $pairs enter
    tour::settle 300
} {[lrange [$pairs row 0] 2 4] eq {2 4.75 6.75}}

tour::step distribution "panel Distribution: a statistic of all jobs; drag: the jobs of a range" {} {
    $::view showPanel plugin:histogram
    tour::settle
} {[llength [info class instances ::tactus::plugins::distribution::Panel]] == 1}

tour::step import "File > Import Log: what the columns and words of a log mean, and what that gives" import {
    regexp {```csv\n(.*?)```} [readFile [file join [root] doc your-trace.md]] -> log
    ::tactus::player::mapping::import [tempFile log.csv $log] $::view
    set ::dialog [lindex [info class instances ::tactus::player::ImportDialog] 0]
    # What the guess did not know.
    $::dialog setWord TASK_RUN start
    tour::settle 300
} {[string match "Preview: 14 events, 3 tasks, 4 jobs; all lines are understood" [$::dialog counts]]}

tour::step export "Ctrl+E: the figure as it will be, and the command that makes it" export {
    $::dialog destroy
    tour::open mutexes
    key <Control-Key-e>
    set ::dialog [::tactus::player::figure::dialog $::view]
    $::dialog value -preset ieee-column
    $::dialog value file figure.pdf
    waitUntil {![dict get [[$::dialog preview] state] waiting]}
    tour::settle 300
} {[string match "tactus export --preset ieee-column*" [$::dialog line]] && [$::dialog message] eq {}}

tour::step console ": is a Tcl console" console {
    $::dialog destroy
    set ::console [::tactus::player::console::open $::view]
    tour::settle
    set in [$::console top].in.text
    $in insert end {foreach job [$trace jobs -task high] {puts "[dict get $job job]: [dict get $job response]"}}
    key <Return> $in
    tour::settle
} {[string match "*high.1: *" [$::console said]]}

tour::step keys "? shows all keys" {} {
    $::console destroy
    focus -force $::w
    key <Key-question> $::w
    tour::settle
} \
    {[llength [lmap top [winfo children [$::view window]] {if {[winfo class $top] in {Menu TNotebook}} continue; set top}]] > 0}

tour::step dark "dark, if you like" dark {
    tour::open global
    ::tactus::player::theme use dark
    tour::settle 300
} {[$::w cget -theme] eq "dark"}
