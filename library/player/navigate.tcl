# player/navigate.tcl -- moving through a trace: events, arrows, findings, marks; gestures of the mouse; the history of
# ranges seen.
#
# Zoom, pan, fit and selecting are the timeline's own (timelineBindings.tcl); actions here need the trace or the
# window. Times are passed as exact decimals. Before the range seen is changed, it is put on the history of that
# timeline: `history::record W KIND`, also by <<BeforeZoom>>. Changes of one kind that follow one another closely (a key
# held, a turning wheel) are one step back.

# ---- the way back ----------------------------------------------------------------------------------------------------

namespace eval ::tactus::player::history {
    variable back               ;# array: timeline -> list of {from to}, newest last
    variable forth              ;# the same, of the steps that were undone
    variable last               ;# array: timeline -> {kind milliseconds}
    variable most 200           ;# steps kept
    variable together 700       ;# milliseconds within which changes of one kind are one step
    array set back {}
    array set forth {}
    array set last {}
}

proc ::tactus::player::history::clear {w} {
    variable back
    variable forth
    variable last
    foreach array {back forth last} {unset -nocomplain ${array}($w)}
}

proc ::tactus::player::history::record {w kind} {
    variable back
    variable forth
    variable last
    variable most
    variable together
    ::tactus::player::live::moves $w
    set now [clock milliseconds]
    set same [expr {[info exists last($w)] && [lindex $last($w) 0] eq $kind && $now - [lindex $last($w) 1] < $together}]
    set last($w) [list $kind $now]
    unset -nocomplain forth($w)
    if {$same && [info exists back($w)]} return
    set view [$w view]
    if {[info exists back($w)] && [lindex $back($w) end] eq $view} return
    lappend back($w) $view
    set back($w) [lrange $back($w) end-[expr {$most - 1}] end]
}

# The kind of the last change, {} when there was none.
proc ::tactus::player::history::kind {w} {
    variable last
    expr {[info exists last($w)] ? [lindex $last($w) 0] : {}}
}

# Goes a step back or forth; 0 when there is none. The range seen now goes on the other list.
proc ::tactus::player::history::step {w fromName toName} {
    variable $fromName
    variable $toName
    variable last
    upvar 0 ${fromName}($w) from ${toName}($w) to
    set now [$w view]
    while {[info exists from] && [llength $from]} {
        set view [lindex $from end]
        set from [lrange $from 0 end-1]
        if {$view eq $now} continue
        lappend to $now
        unset -nocomplain last($w)
        $w view {*}$view
        return 1
    }
    return 0
}

namespace eval ::tactus::player::navigate {
    variable drag {}            ;# data of a drag of labels and markers, from press to release
}

proc ::tactus::player::navigate::back {view} {
    if {![::tactus::player::history::step [$view timeline] back forth]} {$view message "Nothing to go back to"}
}

proc ::tactus::player::navigate::forth {view} {
    if {![::tactus::player::history::step [$view timeline] forth back]} {$view message "Nothing to go forward to"}
}

# ---- events, arrows, findings ----------------------------------------------------------------------------------------

# The time that "next" and "previous" start from: that of the item shown, while the cursor is on it, else the cursor's.
proc ::tactus::player::navigate::fromTime {view} {
    set cursor [$view cursor]
    set time [dict get [$view place] time]
    if {$time ne {} && ($cursor eq {} || $cursor eq $time)} {return $time}
    if {$cursor ne {}} {return $cursor}
    lindex [[$view timeline] view] 0
}

proc ::tactus::player::navigate::event {direction view} {
    set row [$view hereRow]
    # Events of the row only: {-task ID} and the like.
    set only {}
    if {[string is list $row]} {
        lassign $row kind id
        if {$kind in {task server processor}} {set only [list -$kind $id]}
    }
    set found [[$view trace] $direction [fromTime $view] {*}$only]
    if {$found eq {}} {
        $view message \
            "No [expr {$direction eq {next} ? {later} : {earlier}}] event[expr {$row eq {} ? {} : " of this row"}]"
        return
    }
    set time [dict get $found time]
    $view go -time $time -row $row -item [dict create kind event event [dict get $found event] time $time row $row]
}

# The slice {task index} from which an arrow is followed: of the item shown, else of the one under the pointer.
proc ::tactus::player::navigate::slice {direction view} {
    foreach item [list [::tactus::player::text::valueOf [$view place] item] [$view under]] {
        set slice [sliceOf $direction $view $item]
        if {$slice ne {}} {return $slice}
    }
    return
}

# The slice of an item: itself, or the one that contains it; of an event, going forward, the one that it ended, going
# back the one that it began.
proc ::tactus::player::navigate::sliceOf {direction view item} {
    foreach key {kind task index slice event} {set $key [::tactus::player::text::valueOf $item $key]}
    set trace [$view trace]
    try {
        switch -- $kind {
            slice {return [list $task $index]}
            run {return [list $task $slice]}
            job {return [sliceFrom [$trace look job $index] first_slice]}
            hold {set event [::tactus::player::text::valueOf [$trace look hold $task $index] row]}
        }
        if {$kind ni {event message hold} || $event eq {}} return
        set around [expr {$direction eq "forward" ? {previous_slice next_slice} : {next_slice previous_slice}}]
        return [sliceFrom [$trace look event $event] {*}$around]
    } trap TACTUS {} {
        # The item that is shown does not exist any more: the trace was read anew.
        return
    }
}

proc ::tactus::player::navigate::sliceFrom {facts args} {
    foreach key $args {
        if {[::tactus::player::text::valueOf $facts $key] ne {}} {
            return [list [dict get $facts task] [dict get $facts $key]]
        }
    }
    return
}

proc ::tactus::player::navigate::arrow {direction view} {
    set slice [slice $direction $view]
    if {$slice eq {}} {
        $view message "Click a bar or an event of a job first: arrows are followed from bar to bar"
        return
    }
    set found [[$view trace] arrow {*}$slice $direction]
    if {$found eq {}} {
        $view message "No arrow leads [expr {$direction eq {forward} ? {on from} : {to}}] this bar"
        return
    }
    set item [dict create kind slice task [dict get $found task] index [dict get $found slice] \
        time [dict get $found time]]
    foreach key {job} {if {[dict exists $found $key]} {dict set item $key [dict get $found $key]}}
    dict set item row [rowOfTask $view [dict get $found task] [dict get $found time]]
    $view go -time [dict get $found time] -item $item
    if {[dict exists $found kind]} {
        $view message \
            "[string totitle [dict get $found kind]]: [::tactus::player::text::visible [dict get $found task] 80]"
    }
}

# The row of a task that is shown: its own, or one in a processor's panel.
proc ::tactus::player::navigate::rowOfTask {view task time} {
    if {[::tactus::player::rows::find $view [list task $task]] ne {}} {return [list task $task]}
    lindex [[$view timeline] row keys task $task] 0
}

# Goes to the next or previous finding in the order of time, also among several of one time. Findings of the trace as a
# whole have no time and are left out.
proc ::tactus::player::navigate::finding {step view} {
    set findings {}
    set number -1
    foreach finding [set all [[$view trace] finding list]] {
        dict set finding index [incr number]
        if {[dict get $finding time] ne {}} {lappend findings [list [dict get $finding time] $finding]}
    }
    set findings [lsort -real -index 0 $findings]
    if {![llength $findings]} {
        $view message [expr {[llength $all] ? "No finding has a time: the panel of findings lists them"
            : "No findings; Tools, Run Checks looks for them"}]
        return
    }
    set index [nextPlace $findings [$view option finding] [fromTime $view] $step]
    if {$index < 0 || $index >= [llength $findings]} {
        $view message [expr {$step > 0 ? "That was the last finding" : "That was the first finding"}]
        return
    }
    set finding [lindex $findings $index 1]
    $view option finding [list $index [dict get $finding time]]
    showFinding $view $finding
    $view message \
        "Finding [expr {$index + 1}] of [llength $findings]:\
        [::tactus::player::text::visible \
            [::tactus::player::units::said $view [dict get $finding sentence]] 300]"
}

# The place of the next finding. last: {index time} of the finding shown last, which counts while the time is still the
# same.
proc ::tactus::player::navigate::nextPlace {findings last time step} {
    if {$last ne {} && [lindex $last 1] eq $time} {return [expr {[lindex $last 0] + $step}]}
    set index [lsearch -bisect -real -index 0 $findings $time]
    if {$step > 0} {return [expr {$index + 1}]}
    # Find the last one before the time.
    while {$index >= 0 && [lindex $findings $index 0] >= $time} {incr index -1}
    return $index
}

proc ::tactus::player::navigate::showFinding {view finding} {
    set row {}
    foreach object [dict get $finding objects] {
        lassign $object kind id
        if {$kind eq "job"} {set kind task; set id [taskOfJob $view $id]}
        if {$kind in {task server processor} && $id ne {}} {
            set row [list $kind $id]
            break
        }
    }
    set time [dict get $finding time]
    set end [dict get $finding end]
    $view go -time $time -to $end -row $row -item [dict merge [dict create kind finding] $finding [list row $row]]
}

proc ::tactus::player::navigate::taskOfJob {view job} {
    foreach hit [[$view trace] search $job -limit 200 -kinds job] {
        if {[dict get $hit id] ne $job || ![dict exists $hit index]} continue
        set facts [[$view trace] look job [dict get $hit index]]
        if {[dict exists $facts task]} {return [dict get $facts task]}
    }
    return
}

# ---- marks -----------------------------------------------------------------------------------------------------------

# Sets a mark for this session at the cursor, or removes the one that is there.
proc ::tactus::player::navigate::mark {view} {
    set time [$view hereTime]
    set n 0
    dict for {name other} [$view markers] {
        if {$other eq $time && [string match mark* $name]} {
            $view marker $name
            return
        }
        if {[regexp {^mark(\d+)$} $name -> number] && $number > $n} {set n $number}
    }
    $view marker mark[incr n] $time -label $n
    $view message "Marked $time; M again takes the mark away, Shift+M keeps it in the notes"
}

proc ::tactus::player::navigate::markForGood {view} {
    ::tactus::need player/notes
    ::tactus::player::notes::mark $view [$view hereTime]
}

proc ::tactus::player::navigate::unmark {view} {
    dict for {name time} [$view markers] {
        if {[regexp {^mark\d+$} $name]} {$view marker $name}
    }
}

proc ::tactus::player::navigate::setMarker {name view} {
    set time [$view hereTime]
    if {[[$view timeline] marker get $name] eq $time} {set time {}}
    $view marker $name $time
}

proc ::tactus::player::navigate::clearMarkers {view} {
    foreach name {A B} {$view marker $name}
}

proc ::tactus::player::navigate::selectMarkers {view} {
    set a [[$view timeline] marker get A]
    set b [[$view timeline] marker get B]
    if {$a eq {} || $b eq {}} {
        $view message "Set both markers first: Shift+A and Shift+B"
        return
    }
    if {[::tactus::times::compare $a $b] > 0} {lassign [list $a $b] b a}
    $view select $a $b
}

# Goes to the next mark (of either sort) or marker.
proc ::tactus::player::navigate::nextMark {step view} {
    set times [lsort -command ::tactus::times::compare [dict values [$view markers]]]
    set from [fromTime $view]
    set after [lmap time $times {if {$step * [::tactus::times::compare $time $from] <= 0} continue; set time}]
    set time [lindex $after [expr {$step > 0 ? 0 : "end"}]]
    if {$time eq {}} {
        $view message "No mark [expr {$step > 0 ? {later} : {earlier}}]"
        return
    }
    $view go -time $time
}

# Escape ends one thing each time: a drag, an opening, a statement that runs, the search bar, the selection, the item
# shown.
proc ::tactus::player::navigate::escape {view} {
    if {[::tactus::timeline::cancel] || [::tactus::player::opening::escape $view]
            || [::tactus::player::running::escape $view]} return
    if {[info commands ::tactus::player::search::isOpen] ne {} && [::tactus::player::search::isOpen $view]} {
        ::tactus::player::search::close $view
        return
    }
    if {[$view trace] eq {}} return
    if {[$view selection] ne {}} {
        $view select {} {}
    } else {
        $view show {}
    }
}

# ---- the mouse -------------------------------------------------------------------------------------------------------

# Left button: moves labels (player/rows.tcl) and markers; elsewhere the gesture of the widget.
proc ::tactus::player::navigate::left {view phase x y state} {
    variable drag
    set w [$view timeline]
    if {$phase eq "press"} {
        set found [$w identify $x $y]
        set drag [dict create what [pressed $found] found $found]
        if {[dict get $drag what] ne "Time"} {::tactus::timeline::startDrag $x $y}
        if {[dict get $drag what] eq "Row"} {::tactus::player::rows::press $view $x $y $found}
    }
    if {![dict exists $drag what]} return
    left[dict get $drag what] $view $phase $x $y $state
    if {$phase in {release cancel}} {set drag {}}
}

proc ::tactus::player::navigate::pressed {found} {
    if {[::tactus::player::pointer::isFlag $found]} {return Marker}
    if {[dict get $found kind] eq "group"} {return Group}
    if {[dict get $found region] eq "label"} {return Row}
    return Time
}

# Selects a range of time, and shows its statistics where the bottom panels are open.
proc ::tactus::player::navigate::leftTime {view phase x y state} {
    if {$phase eq "release"} {$view pointer $x $y $state}
    ::tactus::timeline::select [$view timeline] $phase $x $y $state
    if {$phase eq "release" && [$view selection] ne {} && [$view side bottom]
            && [::tactus::player::prefFlag selectionStatistics 1]} {
        $view showPanel statistics
    }
}

# Moves a marker. A mark that is kept is moved by changing its note.
proc ::tactus::player::navigate::leftMarker {view phase x y state} {
    variable drag
    set name [dict get $drag found id]
    if {$phase ni {motion release}} return
    if {![::tactus::timeline::isFar $x $y]} {
        if {$phase eq "release"} {$view show [dict get $drag found]}
        return
    }
    if {$name in {A B} || [regexp {^mark\d+$} $name]} {
        $view marker $name [::tactus::timeline::timeAt [$view timeline] $x $y $state]
    }
}

# A click on the heading of a group folds or unfolds it; on the name of a processor, right of the triangle, it shows the
# processor.
proc ::tactus::player::navigate::leftGroup {view phase x y state} {
    variable drag
    if {$phase ne "release" || [::tactus::timeline::isFar $x $y]} return
    set processor [dict get $drag found processor]
    if {$processor ne {} && $x > [::tactus::player::px 16]} {
        $view show [dict merge [dict get $drag found] [dict create kind processor id $processor]]
    } else {
        ::tactus::player::rows::foldGroup $view [dict get $drag found id]
    }
}

proc ::tactus::player::navigate::leftRow {view phase x y state} {
    if {$phase eq "press"} return
    set far [expr {$phase ne "cancel" && [::tactus::timeline::isFar $x $y]}]
    ::tactus::player::rows::drag $view $phase $x $y $far
    if {$phase eq "release" && !$far} {::tactus::timeline::click [$view timeline] $x $y}
}

# Shows the clicked item in the details.
proc ::tactus::player::navigate::clicked {view x y} {
    if {![::tactus::player::alive $view] || [$view trace] eq {}} return
    set found [serverOf [[$view timeline] identify $x $y]]
    $view show [if {[dict get $found kind] ni {none axis {}}} {set found}]
}

# The item of the server, for a click beside its curve: there is nothing else in its row.
proc ::tactus::player::navigate::serverOf {found} {
    lassign [dict get $found row] kind id
    if {[dict get $found kind] ne "none" || $kind ne "server"} {return $found}
    dict merge $found [dict create kind server server $id id $id]
}

# Double click: folds the group of a label; elsewhere the gesture of the widget.
proc ::tactus::player::navigate::double {view phase x y state} {
    set w [$view timeline]
    set found [$w identify $x $y]
    if {[dict get $found kind] eq "group"} {
        # The second click of a double click is a click as well.
        if {$phase eq "release"} {::tactus::player::rows::foldGroup $view [dict get $found id]}
    } elseif {[dict get $found region] ne "label"} {
        ::tactus::timeline::zoomItem $w $phase $x $y $state
    } elseif {$phase eq "press"} {
        ::tactus::player::rows::toggleFold $view $found
    }
}

# Runs a gesture of the widget.
proc ::tactus::player::navigate::byTimeline {name view phase x y state} {
    {*}[::tactus::timeline::full [::tactus::timeline::action $name command]] [$view timeline] $phase $x $y $state
}

# Turns the wheel. role: zoom or rows, which the preference wheelZooms exchanges.
proc ::tactus::player::navigate::wheel {role view phase x y direction} {
    if {[::tactus::player::prefFlag wheelZooms]} {set role [dict get {zoom rows rows zoom pan pan} $role]}
    ::tactus::timeline::wheel $role [$view timeline] $x $y $direction
    $view pointer $x $y 0
}
