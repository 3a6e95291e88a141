# playerNavigate.tcl -- moving through a trace: zoom, pan, fit, events, arrows, findings, marks; what the mouse does; the way back.
#
# All of it works on a view's timeline through the widget's own commands; times go through as exact decimals. Before the
# range seen is changed, it is put on the history of that timeline: `history::record W KIND`. Changes of one kind that follow
# one another closely (a key held, a turning wheel) are one step back.

# ---- the way back ----------------------------------------------------------------------------------------------------------

namespace eval ::tactus::player::history {
    variable back		;# array: timeline -> list of {from to}, newest last
    variable forth		;# the same, of what was undone
    variable last		;# array: timeline -> {kind milliseconds}
    variable most 200		;# steps kept
    variable together 700	;# milliseconds within which changes of one kind are one step
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

# Goes a step; what is seen now can be gone to again. False: there is none.
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
    variable drag {}		;# what a gesture needs from press to release
    variable clickSlack 3	;# pixels (of an ordinary screen) within which a press and a release are a click
}

# ---- zoom and pan ------------------------------------------------------------------------------------------------------------

# about: a time, {}: the cursor when it is in sight, else the middle.
proc ::tactus::player::navigate::zoom {factor view} {
    set w [$view timeline]
    ::tactus::player::history::record $w zoom
    set about {}
    set cursor [$w cursor]
    if {$cursor ne {}} {
	set x [$w x $cursor]
	lassign [$w bbox time $cursor] left - width
	if {$left ne {} && $x >= 0 && $x <= [winfo width $w]} {set about [list $cursor]}
    }
    $w zoom $factor {*}$about
}

proc ::tactus::player::navigate::pan {fraction view} {
    ::tactus::player::history::record [$view timeline] pan
    [$view timeline] pan $fraction
}

proc ::tactus::player::navigate::scroll {units what view} {
    [$view timeline] yview scroll $units $what
}

proc ::tactus::player::navigate::range {w from to} {
    ::tactus::player::history::record $w range[clock microseconds]
    $w view $from $to
}

# The selection with a little room; when that is seen, or nothing is selected, everything.
proc ::tactus::player::navigate::fit {view} {
    set w [$view timeline]
    set selection [$w selection get]
    if {$selection eq {} || [$view option fitted] eq [list $selection [$w view]]} {
	everything $view
	return
    }
    range $w {*}$selection
    $view option fitted [list $selection [$w view]]
}

proc ::tactus::player::navigate::everything {view} {
    range [$view timeline] {*}[[$view timeline] span]
}

proc ::tactus::player::navigate::edge {which view} {
    set w [$view timeline]
    ::tactus::player::history::record $w edge
    lassign [$w view] from to
    lassign [$w span] first last
    set length [::tactus::player::panels::subtractTimes $to $from]
    if {$which eq "end"} {
	$w view [::tactus::player::panels::subtractTimes $last $length] $last
    } else {
	$w view $first [::tactus::player::panels::addTimes $first $length]
    }
}

proc ::tactus::player::navigate::back {view} {
    if {![::tactus::player::history::step [$view timeline] back forth]} {$view message "Nothing to go back to"}
}

proc ::tactus::player::navigate::forth {view} {
    if {![::tactus::player::history::step [$view timeline] forth back]} {$view message "Nothing to go forward to"}
}

# ---- events, arrows, findings --------------------------------------------------------------------------------------------------

# The time that "next" and "previous" start from: of what is shown, while the cursor stands on it, else the cursor.
proc ::tactus::player::navigate::fromTime {view} {
    set cursor [$view cursor]
    set time [dict get [$view place] time]
    if {$time ne {} && ($cursor eq {} || $cursor eq $time)} {return $time}
    if {$cursor ne {}} {return $cursor}
    lindex [[$view timeline] view] 0
}

# What restricts the search to a row: {-task ID} and such.
proc ::tactus::player::navigate::rowOption {row} {
    if {![string is list $row]} return
    lassign $row kind id
    expr {$kind in {task server processor} ? [list -$kind $id] : {}}
}

proc ::tactus::player::navigate::event {direction view} {
    set row [$view hereRow]
    set found [[$view trace] $direction [fromTime $view] {*}[rowOption $row]]
    if {$found eq {}} {
	$view message "No [expr {$direction eq {next} ? {later} : {earlier}}] event[expr {$row eq {} ? {} : " of this row"}]"
	return
    }
    set time [dict get $found time]
    $view go -time $time -row $row -item [dict create kind event event [dict get $found event] time $time row $row]
}

# The slice that an arrow is followed from: of what is shown, else what is under the pointer.
proc ::tactus::player::navigate::slice {view} {
    set place [$view place]
    set item [::tactus::player::panels::valueOf $place item]
    foreach item [list $item [$view under]] {
	if {[dict exists $item kind] && [dict get $item kind] eq "slice"} {return $item}
    }
    return
}

proc ::tactus::player::navigate::arrow {direction view} {
    set slice [slice $view]
    if {$slice eq {}} {
	$view message "Click a bar first: arrows are followed from bar to bar"
	return
    }
    set found [[$view trace] arrow [dict get $slice task] [dict get $slice index] $direction]
    if {$found eq {}} {
	$view message "No arrow leads [expr {$direction eq {forward} ? {on from} : {to}}] this bar"
	return
    }
    set item [dict create kind slice task [dict get $found task] index [dict get $found slice] time [dict get $found time]]
    foreach key {job} {if {[dict exists $found $key]} {dict set item $key [dict get $found $key]}}
    dict set item row [rowOfTask $view [dict get $found task] [dict get $found time]]
    $view go -time [dict get $found time] -item $item
    if {[dict exists $found kind]} {$view message "[string totitle [dict get $found kind]]: [::tactus::player::panels::visible [dict get $found task] 80]"}
}

# The row of a task that is shown: its own, or one in a processor's panel.
proc ::tactus::player::navigate::rowOfTask {view task time} {
    set candidates {}
    foreach row [[$view timeline] rows] {
	if {[dict get $row id] eq $task && [dict get $row kind] eq "task"} {lappend candidates [dict get $row key]}
    }
    return [lindex $candidates 0]
}

# Findings in the order of time, one after the other, also several of one time.
proc ::tactus::player::navigate::finding {step view} {
    set findings [lsort -real -index 0 [lmap finding [[$view trace] finding list] {list [dict get $finding time] $finding}]]
    if {![llength $findings]} {
	$view message "No findings; Tools, Run checks looks for them"
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
    $view message "Finding [expr {$index + 1}] of [llength $findings]: [::tactus::player::panels::visible [dict get $finding sentence] 300]"
}

# last: {index time} of the finding shown last: it counts while one has not gone elsewhere.
proc ::tactus::player::navigate::nextPlace {findings last time step} {
    if {$last ne {} && [lindex $last 1] eq $time} {return [expr {[lindex $last 0] + $step}]}
    set index [lsearch -bisect -real -index 0 $findings $time]
    if {$step > 0} {return [expr {$index + 1}]}
    # The last one before the time.
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

# ---- marks -------------------------------------------------------------------------------------------------------------------

# A mark for this session at the cursor; one that is there goes.
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
    ::tactus::player::need notes
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
    if {[::tactus::player::panels::compareTimes $a $b] > 0} {lassign [list $a $b] b a}
    $view select $a $b
}

# The next mark (of either sort) or marker.
proc ::tactus::player::navigate::nextMark {step view} {
    set times [lsort -command ::tactus::player::panels::compareTimes [dict values [$view markers]]]
    set from [fromTime $view]
    set after [lmap time $times {if {$step * [::tactus::player::panels::compareTimes $time $from] <= 0} continue; set time}]
    set time [lindex $after [expr {$step > 0 ? 0 : "end"}]]
    if {$time eq {}} {
	$view message "No mark [expr {$step > 0 ? {later} : {earlier}}]"
	return
    }
    $view go -time $time
}

# Escape: what goes on, what is open, what is emphasized, what is selected: one each time.
proc ::tactus::player::navigate::escape {view} {
    if {[::tactus::player::keys::endGesture]} return
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

# ---- the mouse -----------------------------------------------------------------------------------------------------------------

# The time a drag stands at: of the event near it, unless Alt is held.
proc ::tactus::player::navigate::timeAt {w x y state} {
    if {$state & 8} {return [$w time $x]}
    lindex [$w snap $x $y] 0
}

# A drag that stays where it began is a click.
proc ::tactus::player::navigate::begin {view x y args} {
    variable drag [dict create x $x y $y far 0 {*}$args]
}

proc ::tactus::player::navigate::moved {x y} {
    variable drag
    variable clickSlack
    if {![dict size $drag]} {return 0}
    set slack [::tactus::player::px $clickSlack]
    if {abs($x - [dict get $drag x]) > $slack || abs($y - [dict get $drag y]) > $slack} {dict set drag far 1}
    dict get $drag far
}

# Left button. In the plot: a click shows what is there, a drag selects. On labels: rows.tcl. A marker is moved.
proc ::tactus::player::navigate::left {view phase x y state} {
    variable drag
    set w [$view timeline]
    if {$phase eq "press"} {
	set found [$w identify $x $y]
	set what [pressed $w $found $x $y]
	begin $view $x $y what $what found $found from [timeAt $w $x $y $state] before [$w selection get]
	if {$what eq "marker"} {dict set drag name [dict get $found id]}
	if {$what eq "row"} {::tactus::player::rows::press $view $x $y $found}
	return
    }
    if {![dict exists $drag what]} return
    left[string totitle [dict get $drag what]] $view $phase $x $y $state
    if {$phase in {release cancel}} {set drag {}}
}

proc ::tactus::player::navigate::pressed {w found x y} {
    if {[dict get $found kind] eq "marker"} {return marker}
    if {[dict get $found region] eq "label"} {return row}
    return time
}

proc ::tactus::player::navigate::leftTime {view phase x y state} {
    variable drag
    set w [$view timeline]
    set far [moved $x $y]
    switch -- $phase {
	motion {if {$far} {dragSelection $view $x $y $state}}
	release {
	    $view pointer $x $y $state
	    if {!$far} {click $view [dict get $drag found]}
	}
	cancel {restoreSelection $w}
    }
}

proc ::tactus::player::navigate::dragSelection {view x y state} {
    variable drag
    set w [$view timeline]
    autoScroll $w $x
    set from [dict get $drag from]
    set to [timeAt $w $x $y $state]
    $w cursor $to
    if {[::tactus::player::panels::compareTimes $from $to] > 0} {lassign [list $from $to] to from}
    $w selection set $from $to
}

# At the edge the trace moves on.
proc ::tactus::player::navigate::autoScroll {w x} {
    set over [expr {$x < 0 ? $x : $x > [winfo width $w] ? $x - [winfo width $w] : 0}]
    if {$over} {$w pan [expr {max(-0.2, min(0.2, $over / 500.0))}]}
}

proc ::tactus::player::navigate::restoreSelection {w} {
    variable drag
    set before [dict get $drag before]
    if {$before eq {}} {$w selection clear} else {$w selection set {*}$before}
}

proc ::tactus::player::navigate::click {view found} {
    set w [$view timeline]
    if {[$w selection get] ne {}} {$w selection clear}
    set found [serverOf $found]
    $view show [if {[dict get $found kind] ni {none axis {}}} {set found}]
}

# Beside its curve there is nothing else in a server's row: the server is meant.
proc ::tactus::player::navigate::serverOf {found} {
    lassign [dict get $found row] kind id
    if {[dict get $found kind] ne "none" || $kind ne "server"} {return $found}
    dict merge $found [dict create kind server server $id id $id]
}

proc ::tactus::player::navigate::leftMarker {view phase x y state} {
    variable drag
    set name [dict get $drag name]
    if {![moved $x $y]} return
    # Marks that are kept are moved by their notes.
    if {$phase in {motion release} && ($name in {A B} || [regexp {^mark\d+$} $name])} {
	$view marker $name [timeAt [$view timeline] $x $y $state]
    }
}

proc ::tactus::player::navigate::leftRow {view phase x y state} {
    variable drag
    ::tactus::player::rows::drag $view $phase $x $y [moved $x $y]
    if {$phase eq "release" && ![dict get $drag far]} {click $view [dict get $drag found]}
}

# Double click: the job or bar that is there fills the view.
proc ::tactus::player::navigate::double {view phase x y state} {
    if {$phase ne "press"} return
    set w [$view timeline]
    set found [$w identify $x $y]
    if {[dict get $found region] eq "label" && [dict exists $found row]} {
	::tactus::player::rows::toggleFold $view $found
	return
    }
    if {![dict exists $found begin] || ![dict exists $found end] || [dict get $found begin] eq {} || [dict get $found end] eq {}} return
    dict with found {
	set room [expr {[::tactus::player::panels::subtractTimes $end $begin] * 0.15}]
	if {$room <= 0} return
	range $w [::tactus::player::panels::subtractTimes $begin $room] [::tactus::player::panels::addTimes $end $room]
    }
}

# The trace is pulled along. Panning goes by pixels, so that the time under the pointer stays there.
proc ::tactus::player::navigate::grab {view phase x y state} {
    variable drag
    set w [$view timeline]
    switch -- $phase {
	press {
	    ::tactus::player::history::record $w grab[clock microseconds]
	    begin $view $x $y last $x lastY $y cursor [$w cget -cursor]
	    $w configure -cursor fleur
	}
	motion {
	    if {![dict exists $drag last]} return
	    $w pan [expr {([dict get $drag last] - $x) / double([plotWidth $w])}]
	    scrollRows $w [expr {[dict get $drag lastY] - $y}]
	    dict set drag last $x
	    dict set drag lastY $y
	}
	default {
	    if {[dict exists $drag cursor]} {$w configure -cursor [dict get $drag cursor]}
	    set drag {}
	}
    }
}

# Pixels of the time range.
proc ::tactus::player::navigate::plotWidth {w} {
    lassign [$w view] from to
    set width [expr {[$w x $to] - [$w x $from]}]
    expr {max(1, $width)}
}

proc ::tactus::player::navigate::scrollRows {w pixels} {
    lassign [$w yview] top bottom
    if {$bottom - $top >= 1 || !$pixels} return
    $w yview moveto [expr {$top + $pixels * ($bottom - $top) / max(1.0, [winfo height $w])}]
}

# Right button: a drag zooms to the range, a click has the menu of what is there.
proc ::tactus::player::navigate::right {view phase x y state} {
    variable drag
    set w [$view timeline]
    switch -- $phase {
	press {begin $view $x $y from [timeAt $w $x $y $state] before [$w selection get]}
	motion {if {[moved $x $y]} {dragSelection $view $x $y $state}}
	release {
	    if {![dict exists $drag from]} return
	    set far [moved $x $y]
	    set from [dict get $drag from]
	    set to [timeAt $w $x $y $state]
	    restoreSelection $w
	    set drag {}
	    if {$far} {zoomTo $w $from $to} else {::tactus::player::rows::menu $view $x $y}
	}
	cancel {
	    if {[dict exists $drag before]} {restoreSelection $w}
	    set drag {}
	}
    }
}

proc ::tactus::player::navigate::zoomTo {w from to} {
    if {[::tactus::player::panels::compareTimes $from $to] > 0} {lassign [list $from $to] to from}
    if {$from ne $to} {range $w $from $to}
}

# The wheel; `role` is what it does unless the preference wheelZooms has the two of them change places.
proc ::tactus::player::navigate::wheel {role view phase x y direction} {
    set w [$view timeline]
    if {[::tactus::player::prefFlag wheelZooms]} {set role [dict get {zoom rows rows zoom pan pan} $role]}
    switch -- $role {
	zoom {
	    ::tactus::player::history::record $w wheel
	    $w zoom [expr {$direction > 0 ? 1.25 : 0.8}] [$w time $x]
	}
	rows {$w yview scroll [expr {-$direction}] units}
	pan {pan [expr {-0.1 * $direction}] $view}
    }
    $view pointer $x $y 0
}
