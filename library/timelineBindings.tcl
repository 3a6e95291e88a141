# timelineBindings.tcl -- the timeline's own keys and mouse gestures (tactus_timeline(n), BINDINGS).
#
#   actions                 the one table: name, sequences, label, command, help. The class TactusTimeline is bound by
#                           it here; the window makes rows of its own table of it (player/commandTable.tcl), which its
#                           users can bind anew, and gives its timelines a bind tag of its own in place of the class
#   do NAME W               runs the command of a key
#   bindKey, bindMouse, bindPointer, unbind    for a bind tag: a sequence of the table and the prefix that it calls
#   fits SEQUENCE STATE     do the modifiers held fit this key?
#
# A sequence is one of Tk's, or <Space-Button-1> (with Space held, which Tk cannot tell), <Wheel>, <Control-Wheel>. The
# prefix of a key is called with the widget; that of a wheel with the widget, x, y, 1 (up) or -1; that of a button with
# the widget, a phase, x, y and the modifiers. Phases are press, motion, release, or cancel: another button, `cancel`,
# or the end of the widget end a gesture without its effect.
#
# Virtual events: <<BeforeZoom>> before the range of time changes, for undoing; <<Clicked>> for a click that was no
# drag, <<MenuWanted>> for one of the right button.

::tactus::need times

namespace eval ::tactus::timeline {
    variable gesture {}         ;# the gesture under way: {widget button prefix}; {}: none
    variable drag {}            ;# data of a gesture, from press to release
    variable spaceHeld 0        ;# is the space bar down?
    variable spaced {}          ;# dict of tag -> dict of button -> prefix that is called while the space bar is down
    variable bound {}           ;# dict of tag -> sequences bound here
    variable fitted             ;# array: widget -> {selection view} that F made
    variable slack 2.25         ;# points within which a press and a release are a click
    array set fitted {}
}

# The table: name, sequences, label, command of this namespace, help.
proc ::tactus::timeline::actions {} {
    return {
        zoomIn     {<Key-w> <Key-plus> <Key-equal>} "Zoom In" {zoom 1.25} {about the cursor}
        zoomOut    {<Key-s> <Key-minus>} "Zoom Out" {zoom 0.8} {about the cursor}
        panLeft    {<Key-a> <Key-Left>} "Pan Left" {pan -0.15} {to earlier times}
        panRight   {<Key-d> <Key-Right>} "Pan Right" {pan 0.15} {to later times}
        pageLeft   {<Shift-Key-Left>} "A Page Left" {pan -0.9} {to earlier times}
        pageRight  {<Shift-Key-Right>} "A Page Right" {pan 0.9} {to later times}
        goBegin    {<Key-Home>} "To the Beginning" {edge begin} {of the recording}
        goEnd      {<Key-End>} "To the End" {edge end} {of the recording}
        fit        {<Key-f>} Fit {fit} {the selection fills the view, then everything}
        everything {<Control-Key-0>} "Fit Everything" {everything} {the whole recording}
        lineUp     {<Key-Up>} "Scroll Up a Row" {scroll -1 units} {through the rows}
        lineDown   {<Key-Down>} "Scroll Down a Row" {scroll 1 units} {through the rows}
        rowsUp     {<Key-Prior>} "Scroll Up" {scroll -1 pages} {through the rows}
        rowsDown   {<Key-Next>} "Scroll Down" {scroll 1 pages} {through the rows}
        escape     {<Key-Escape>} "End What Goes On" {escape} {ends a drag, unselects}
        select     {<Button-1>} "Select, Show" {select}
            {drag: select a range, edges snap to events (Alt: no snap); click: show what is there}
        zoomItem   {<Double-Button-1>} "Zoom to It" {zoomItem} {the bar or job fills the view, a band is seen closer}
        grab       {<Button-2> <Space-Button-1>} Pan {grab} {drag: pull the trace along}
        zoomRange  {<Button-3>} "Zoom to Range, Menu" {zoomRange} {drag: zoom to the range; click: menu}
        wheelRows  {<Wheel>} "Scroll Rows" {wheel rows} {through the rows}
        wheelZoom  {<Control-Wheel>} Zoom {wheel zoom} {at the pointer}
        wheelPan   {<Shift-Wheel>} Pan {wheel pan} {to earlier and later times}
    }
}

# A column of an action's row: keys label command help.
proc ::tactus::timeline::action {name column} {
    foreach {own keys label command help} [actions] {
        if {$own eq $name} {return [set $column]}
    }
    return -code error -errorcode [list TACTUS LOOKUP ACTION $name] "a timeline has no action \"$name\""
}

proc ::tactus::timeline::full {command} {
    lreplace $command 0 0 [namespace current]::[lindex $command 0]
}

proc ::tactus::timeline::do {name w} {
    if {[ready $w]} {{*}[full [action $name command]] $w}
}

# Has the widget a trace, with all its rows, and is it not disabled? Only then can it be moved by hand.
proc ::tactus::timeline::ready {w} {
    expr {[winfo exists $w] && [$w cget -trace] ne {} && [$w cget -state] ne "disabled" && ![$w row pending]}
}

# ---- binding ---------------------------------------------------------------------------------------------------------

proc ::tactus::timeline::bindOne {tag sequence script} {
    variable bound
    ::bind $tag $sequence $script
    dict lappend bound $tag $sequence
}

# A prefix as the beginning of a binding's script: its % are doubled, so that Tk leaves them alone.
proc ::tactus::timeline::script {prefix args} {
    return "[string map {% %%} $prefix] [join $args]"
}

proc ::tactus::timeline::unbind {tag} {
    variable bound
    variable spaced
    if {[dict exists $bound $tag]} {
        foreach sequence [dict get $bound $tag] {::bind $tag $sequence {}}
    }
    dict unset bound $tag
    dict unset spaced $tag
}

proc ::tactus::timeline::bindKey {tag sequence prefix} {
    bindOne $tag $sequence [script [list [namespace current]::pressed $sequence $prefix] %W %s]
}

proc ::tactus::timeline::bindMouse {tag sequence prefix} {
    variable spaced
    if {[regexp {^<Space-Button-(\d)>$} $sequence -> button]} {
        dict set spaced $tag $button $prefix
    } elseif {[regexp {^<(.*)Wheel>$} $sequence -> modifiers]} {
        bindWheel $tag $modifiers $prefix
    } elseif {[regexp {Button-(\d)>$} $sequence -> button]} {
        bindOne $tag $sequence [script [list [namespace current]::begin $tag $button $prefix] %W %x %y %s]
    } else {
        return -code error -errorcode [list TACTUS USAGE SEQUENCE $sequence] \
            "\"$sequence\" is nothing that a mouse does"
    }
}

proc ::tactus::timeline::bindWheel {tag modifiers prefix} {
    set turned [namespace current]::turned
    bindOne $tag <${modifiers}Button-4> [script [list $turned $prefix] %W %x %y 1]
    bindOne $tag <${modifiers}Button-5> [script [list $turned $prefix] %W %x %y -1]
    if {[tk windowingsystem] ne "x11"} {
        bindOne $tag <${modifiers}MouseWheel> [script [list $turned $prefix] %W %x %y %D]
    }
}

# Binds the events that all gestures need. moved: called with the widget, x, y and modifiers when the pointer moves;
# left: called with the widget when the pointer leaves it. A timeline that appears under a pointer at rest gets no
# cursor until the pointer moves.
proc ::tactus::timeline::bindPointer {tag moved {left {}}} {
    set here [namespace current]
    bindOne $tag <Motion> [script $moved %W %x %y %s]
    if {$left ne {}} {
        bindOne $tag <Enter> [script $moved %W %x %y %s]
        bindOne $tag <Leave> [script $left %W]
    }
    foreach button {1 2 3} {
        bindOne $tag <B$button-Motion> [script [list ${here}::dragged $button] %W %x %y %s]
        bindOne $tag <ButtonRelease-$button> [script [list ${here}::released $button] %W %x %y %s]
    }
    bindOne $tag <KeyPress-space> [list set ${here}::spaceHeld 1]
    bindOne $tag <KeyRelease-space> [list set ${here}::spaceHeld 0]
    bindOne $tag <FocusOut> [list set ${here}::spaceHeld 0]
    bindOne $tag <Destroy> [script [list ${here}::gone] %W]
}

proc ::tactus::timeline::bindClass {} {
    set tag TactusTimeline
    unbind $tag
    foreach {name keys label command help} [actions] {
        foreach sequence $keys {
            if {[regexp {Button-\d>$|Wheel>$} $sequence]} {
                bindMouse $tag $sequence [full $command]
            } else {
                bindKey $tag $sequence [full $command]
            }
        }
    }
    bindPointer $tag [namespace current]::moved
}

# ---- keys ------------------------------------------------------------------------------------------------------------

# state: modifiers that are held; Tk also takes <Key-w> for Ctrl+W when nothing else is bound there.
proc ::tactus::timeline::fits {sequence state} {
    set parts [split [string trim $sequence <>] -]
    set key [lindex $parts end]
    foreach {name bit} {Control 4 Alt 8 Mod4 64} {
        if {($state & $bit) && $name ni $parts && !($name eq "Alt" && "Mod1" in $parts)} {return 0}
    }
    # Shift is part of a character, but not of an arrow.
    if {($state & 1) && "Shift" ni $parts && [string length $key] > 1 && [isNamed $key]} {return 0}
    return 1
}

proc ::tactus::timeline::isNamed {key} {
    expr {$key in {Up Down Left Right Home End Prior Next Return space Tab Escape BackSpace Delete Insert}
        || [regexp {^F\d+$} $key]}
}

proc ::tactus::timeline::pressed {sequence prefix w state} {
    if {[fits $sequence $state] && [ready $w]} {uplevel #0 [list {*}$prefix $w]}
}

# ---- gestures --------------------------------------------------------------------------------------------------------

proc ::tactus::timeline::begin {tag button prefix w x y state} {
    variable gesture
    variable spaceHeld
    variable spaced
    focus $w
    cancel
    if {![ready $w]} return
    if {$spaceHeld && [dict exists $spaced $tag $button]} {set prefix [dict get $spaced $tag $button]}
    set gesture [list $w $button $prefix]
    call press $x $y $state
}

proc ::tactus::timeline::call {phase x y state} {
    variable gesture
    variable drag
    lassign $gesture w - prefix
    if {$phase in {release cancel}} {set gesture {}}
    if {![ready $w]} {
        set gesture {}
        set drag {}
        return
    }
    uplevel #0 [list {*}$prefix $w $phase $x $y $state]
}

proc ::tactus::timeline::dragged {button w x y state} {
    variable gesture
    if {[lrange $gesture 0 1] eq [list $w $button]} {call motion $x $y $state}
}

proc ::tactus::timeline::released {button w x y state} {
    variable gesture
    if {[lrange $gesture 0 1] eq [list $w $button]} {call release $x $y $state}
}

# Ends the gesture under way; 0 when there is none.
proc ::tactus::timeline::cancel {} {
    variable gesture
    if {$gesture eq {}} {return 0}
    call cancel 0 0 0
    return 1
}

proc ::tactus::timeline::busy {} {
    variable gesture
    expr {$gesture ne {}}
}

proc ::tactus::timeline::gone {w} {
    variable gesture
    variable drag
    variable fitted
    unset -nocomplain fitted($w)
    if {[lindex $gesture 0] ne $w} return
    set gesture {}
    set drag {}
}

proc ::tactus::timeline::turned {prefix w x y direction} {
    if {[ready $w]} {uplevel #0 [list {*}$prefix $w $x $y [expr {$direction > 0 ? 1 : -1}]]}
}

# The cursor of the timeline follows the pointer; over the labels there is no time.
proc ::tactus::timeline::moved {w x y state} {
    if {[ready $w]} {$w cursor [if {[inPlot $w $x]} {$w time $x}]}
}

proc ::tactus::timeline::inPlot {w x} {
    expr {$x >= [$w x [lindex [$w view] 0]]}
}

# ---- the range of time -----------------------------------------------------------------------------------------------

# Tells <<BeforeZoom>>; changes of one kind that follow one another closely are one step back.
proc ::tactus::timeline::before {w kind} {
    event generate $w <<BeforeZoom>> -data $kind
}

# Sets the range of time, as a step of its own.
proc ::tactus::timeline::range {w from to} {
    before $w range[clock microseconds]
    $w view $from $to
}

# Zooms about the cursor when it is in sight, else about the middle.
proc ::tactus::timeline::zoom {factor w} {
    before $w zoom
    set about {}
    set cursor [$w cursor]
    if {$cursor ne {} && [$w bbox time $cursor] ne {}} {
        set x [$w x $cursor]
        if {$x >= 0 && $x <= [winfo width $w]} {set about [list $cursor]}
    }
    $w zoom $factor {*}$about
}

proc ::tactus::timeline::pan {fraction w} {
    before $w pan
    $w pan $fraction
}

proc ::tactus::timeline::scroll {units what w} {
    $w yview scroll $units $what
}

# Shows the selection; when that fills the view already, or nothing is selected, everything.
proc ::tactus::timeline::fit {w} {
    variable fitted
    set selection [$w selection get]
    if {$selection eq {} || [info exists fitted($w)] && $fitted($w) eq [list $selection [$w view]]} {
        everything $w
        return
    }
    range $w {*}$selection
    set fitted($w) [list $selection [$w view]]
}

proc ::tactus::timeline::everything {w} {
    range $w {*}[$w span]
}

# Goes to the first or the last time of the trace. end: begin or end.
proc ::tactus::timeline::edge {end w} {
    before $w $end
    $w view $end
}

proc ::tactus::timeline::escape {w} {
    if {![cancel]} {$w selection clear}
}

# ---- the mouse -------------------------------------------------------------------------------------------------------

# The time a drag stands at: of the event near it, unless Alt is held.
proc ::tactus::timeline::timeAt {w x y state} {
    if {$state & 8} {return [$w time $x]}
    lindex [$w snap $x $y] 0
}

# Begins a drag. A drag that stays where it began is a click.
proc ::tactus::timeline::startDrag {x y args} {
    variable drag [dict create x $x y $y far 0 {*}$args]
}

proc ::tactus::timeline::isFar {x y} {
    variable drag
    variable slack
    set pixels [expr {$slack * [tk scaling]}]
    if {abs($x - [dict get $drag x]) > $pixels || abs($y - [dict get $drag y]) > $pixels} {dict set drag far 1}
    dict get $drag far
}

# Left button: a drag selects, a click makes <<Clicked>>. A drag that begins in the labels is left to the window.
proc ::tactus::timeline::select {w phase x y state} {
    variable drag
    switch -- $phase {
        press {
            startDrag $x $y from [timeAt $w $x $y $state] before [$w selection get] \
                label [expr {[dict get [$w identify $x $y] region] eq "label"}]
        }
        motion {if {[isFar $x $y] && ![dict get $drag label]} {dragSelection $w $x $y $state}}
        release {if {![isFar $x $y]} {click $w [dict get $drag x] [dict get $drag y]}}
        cancel {restoreSelection $w}
    }
}

# A click on a column of a band selects its range.
proc ::tactus::timeline::click {w x y} {
    set found [$w identify $x $y]
    if {[dict get $found kind] eq "band"} {
        $w selection set [dict get $found begin] [dict get $found end]
    } elseif {[$w selection get] ne {}} {
        $w selection clear
    }
    event generate $w <<Clicked>> -x $x -y $y
}

proc ::tactus::timeline::dragSelection {w x y state} {
    variable drag
    # Scrolls while the drag is beyond the edge.
    set over [expr {$x < 0 ? $x : $x > [winfo width $w] ? $x - [winfo width $w] : 0}]
    if {$over} {$w pan [expr {max(-0.2, min(0.2, $over / 500.0))}]}
    set to [timeAt $w $x $y $state]
    $w cursor $to
    $w selection set [dict get $drag from] $to
}

proc ::tactus::timeline::restoreSelection {w} {
    variable drag
    if {![dict exists $drag before]} return
    set before [dict get $drag before]
    if {$before eq {}} {$w selection clear} else {$w selection set {*}$before}
}

# The range around a column of a band in which single jobs are seen: what runs is eight pixels wide or more in the mean,
# unless that would leave nearly all of it out of sight.
proc ::tactus::timeline::aroundColumn {w column} {
    set length [::tactus::times::subtract [dict get $column end] [dict get $column begin]]
    set states [dict filter $column key running preempted blocked between unknown]
    set time [expr {[dict exists $states running] ? [dict get $states running]
        : [::tcl::mathop::+ {*}[dict values $states]]}]
    set slices [expr {max(1, [dict get $column slices])}]
    set half [expr {max($time / 8.0 * [plotWidth $w], 2.0 * $length) / $slices / 2}]
    set middle [middleOf $w $column [::tactus::times::add [dict get $column begin] [expr {$length / 2.0}]]]
    list [::tactus::times::subtract $middle $half] [::tactus::times::add $middle $half]
}

# The event of a column's row that is nearest to its middle: most of a column may be empty. Of a folded group, and where
# there is none, the middle itself.
proc ::tactus::timeline::middleOf {w column middle} {
    if {[dict exists $column group]} {return $middle}
    set kind [expr {[dict exists $column task] ? "task" : "processor"}]
    lassign {} nearest least
    foreach way {next previous} {
        set event [[$w cget -trace] $way $middle -$kind [dict get $column $kind]]
        if {![dict exists $event time]} continue
        set away [expr {abs([::tactus::times::subtract [dict get $event time] $middle])}]
        if {$least eq {} || $away < $least} {
            set nearest [dict get $event time]
            set least $away
        }
    }
    if {$nearest eq {} || [::tactus::times::compare $nearest [dict get $column begin]] < 0
            || [::tactus::times::compare $nearest [dict get $column end]] > 0} {return $middle}
    return $nearest
}

# Double click: the item at the pointer fills the view, with a little room; a band is shown closer.
proc ::tactus::timeline::zoomItem {w phase x y state} {
    if {$phase ne "press"} return
    set found [$w identify $x $y]
    if {![dict exists $found begin] || ![dict exists $found end]} return
    if {[dict get $found kind] eq "band"} {
        range $w {*}[aroundColumn $w $found]
        return
    }
    dict with found {
        if {$begin eq {} || $end eq {} || $begin eq $end} return
        range $w $begin $end
    }
    $w zoom [expr {1 / 1.3}]
}

# Right button: a drag zooms to the range, a click asks for a menu.
proc ::tactus::timeline::zoomRange {w phase x y state} {
    variable drag
    switch -- $phase {
        press {startDrag $x $y from [timeAt $w $x $y $state] before [$w selection get]}
        motion {if {[isFar $x $y]} {dragSelection $w $x $y $state}}
        release {
            if {[isFar $x $y]} {
                zoomTo $w [dict get $drag from] [timeAt $w $x $y $state]
            } else {
                event generate $w <<MenuWanted>> -x $x -y $y
            }
        }
        cancel {restoreSelection $w}
    }
}

# Zooms to the range between two times in either order: the selection sorts them exactly, and is then restored.
proc ::tactus::timeline::zoomTo {w from to} {
    $w selection set $from $to
    set chosen [$w selection get]
    restoreSelection $w
    if {$from ne $to} {range $w {*}$chosen}
}

# Pulls the trace along. Panning goes by pixels, so that the time under the pointer stays there.
proc ::tactus::timeline::grab {w phase x y state} {
    variable drag
    switch -- $phase {
        press {
            before $w grab[clock microseconds]
            startDrag $x $y lastX $x lastY $y cursor [$w cget -cursor]
            $w configure -cursor fleur
        }
        motion {
            $w pan [expr {([dict get $drag lastX] - $x) / double([plotWidth $w])}]
            scrollRows $w [expr {[dict get $drag lastY] - $y}]
            dict set drag lastX $x
            dict set drag lastY $y
        }
        default {$w configure -cursor [dict get $drag cursor]}
    }
}

# Pixels of the time range.
proc ::tactus::timeline::plotWidth {w} {
    lassign [$w view] from to
    expr {max(1, [$w x $to] - [$w x $from])}
}

proc ::tactus::timeline::scrollRows {w pixels} {
    lassign [$w yview] top bottom
    if {$bottom - $top >= 1 || !$pixels} return
    $w yview moveto [expr {$top + $pixels * ($bottom - $top) / max(1.0, [winfo height $w])}]
}

# role: zoom, rows or pan.
proc ::tactus::timeline::wheel {role w x y direction} {
    switch -- $role {
        zoom {
            before $w wheel
            $w zoom [expr {$direction > 0 ? 1.25 : 0.8}] [$w time $x]
        }
        rows {$w yview scroll [expr {-$direction}] units}
        pan {pan [expr {-0.1 * $direction}] $w}
    }
    moved $w $x $y 0
}

::tactus::timeline::bindClass
