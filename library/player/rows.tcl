# player/rows.tcl -- changing rows: their menu, moving and resizing them by their labels, tooltips.
#
# Dragging a label moves the row: a line shows its new place. Dragging the lower edge of a label makes the row higher.
# The line is a small frame on top of the timeline, so that nothing is drawn anew during the drag.
#
# Rows do not grow into free space by themselves: they are as high as in a figure, and stay so when panels are opened
# and closed. Alt++ makes all of them higher, Ctrl++ one.

namespace eval ::tactus::player::rows {
    variable drag {}    ;# the drag, from press to release: dict mode key start height factor
}

# ---- what rows there are ---------------------------------------------------------------------------------------------

# The row with a key; {}: none.
proc ::tactus::player::rows::find {view key} {
    try {
        return [[$view timeline] row info $key]
    } trap {TACTUS WIDGET} {} {
        return
    }
}

# The key of the row on which to act; {} with a message when no row is chosen.
proc ::tactus::player::rows::key {view} {
    set key [$view hereRow]
    if {$key eq {} || [find $view $key] eq {}} {
        $view message "Click a row first, or point at one"
        return
    }
    return $key
}

proc ::tactus::player::rows::nameOf {view key} {
    set row [find $view $key]
    if {$row eq {}} {return {}}
    set name [dict get $row name]
    if {$name eq {}} {set name [dict get $row id]}
    ::tactus::player::text::visible $name 40
}

# ---- arranging -------------------------------------------------------------------------------------------------------

# All of it changes the timeline, which tells RowsChanged when its rows are arranged: of very many not at once.

# How many rows there are, are shown, and are not, for which reason; {} without a trace.
proc ::tactus::player::rows::counts {view} {
    if {[$view trace] eq {} || [catch {[$view timeline] row counts} counts]} return
    return $counts
}

# The number of rows that are hidden, filtered out or empty: those of a folded group are seen in its band.
proc ::tactus::player::rows::missing {view} {
    set counts [counts $view]
    if {$counts eq {}} {return 0}
    dict with counts {expr {$hidden + $filtered + $empty}}
}

# Shows a bar while all rows are hidden, with a button that shows them.
proc ::tactus::player::rows::sayNone {view} {
    set counts [counts $view]
    if {$counts eq {} || [missing $view] < max(1, [dict get $counts rows])} {return [$view closeBar norows]}
    $view bar note "No row is shown: all are hidden, filtered out or have nothing in view." -name norows \
        -buttons [list "Show All Rows" [list ::tactus::player::rows::showAll $view]]
}

proc ::tactus::player::rows::hide {view {key {}}} {
    if {$key eq {}} {set key [key $view]}
    if {$key eq {}} return
    set name [nameOf $view $key]
    set next [neighbour $view $key 1]
    [$view timeline] row hide $key
    # The next row is chosen, so that H H H hides three rows.
    $view forgetRow $key $next
    $view message "\"$name\" is hidden; Shift+H shows all rows"
}

proc ::tactus::player::rows::showAll {view} {
    [$view timeline] row only
    [$view timeline] configure -filter {} -hide-empty 0
}

proc ::tactus::player::rows::hideOthers {view key} {
    [$view timeline] row only $key
}

proc ::tactus::player::rows::pin {view {key {}}} {
    if {$key eq {}} {set key [key $view]}
    if {$key eq {}} return
    [$view timeline] row [expr {[dict get [find $view $key] pinned] ? "unpin" : "pin"}] $key
}

# The row `step` places further on among those shown, {} at the ends.
proc ::tactus::player::rows::neighbour {view key step} {
    try {
        return [[$view timeline] row beside $key $step]
    } trap {TACTUS WIDGET} {} {
        return
    }
}

proc ::tactus::player::rows::move {step view {key {}}} {
    if {$key eq {}} {set key [key $view]}
    if {$key eq {}} return
    set other [neighbour $view $key $step]
    if {$other eq {}} return
    set before $other
    if {$step > 0} {
        set before [neighbour $view $other 1]
        if {$before eq {}} {set before end}
    }
    moveBefore $view $key $before
}

proc ::tactus::player::rows::moveBefore {view key before} {
    if {$key eq $before} return
    [$view timeline] row move $key $before
    $view keepRow $key
    catch {[$view timeline] see -row $key}
}

# Chooses the row above or below.
proc ::tactus::player::rows::step {step view} {
    set now [dict get [$view place] row]
    if {[find $view $now] eq {}} {set now {}}
    set key [neighbour $view $now $step]
    # At the end the same row stays chosen.
    if {$key eq {}} {set key $now}
    if {$key eq {}} return
    [$view timeline] see -row $key
    $view show [dict create kind [lindex $key 0] id [lindex $key 1] row $key time {}]
}

proc ::tactus::player::rows::height {view key factor} {
    [$view timeline] row height $key $factor
}

proc ::tactus::player::rows::heightBy {factor view} {
    set key [key $view]
    if {$key eq {}} return
    height $view $key [expr {max(0.25, min(8.0, [dict get [find $view $key] height] * $factor))}]
}

proc ::tactus::player::rows::heightAllBy {factor view} {
    [$view timeline] row scale $factor
}

proc ::tactus::player::rows::reset {view} {
    [$view timeline] row reset
    [$view timeline] configure -filter {}
}

proc ::tactus::player::rows::group {view key} {
    set row [find $view $key]
    ::tactus::player::commands::ask $view "Group" "Name of the group \"[nameOf $view $key]\" joins; empty: none" \
        [ownGroup $row] \
        [list ::tactus::player::rows::setGroup $view $key]
}

# The group that a row was put into; {}: none, or one that it is in by itself.
proc ::tactus::player::rows::ownGroup {row} {
    if {![dict exists $row by_itself]} {dict get $row group}
}

# Puts a row into a group; {}: takes it out. The timeline wants all rows of a group at once.
proc ::tactus::player::rows::setGroup {view key name} {
    set old [ownGroup [find $view $key]]
    if {$name eq $old} return
    set w [$view timeline]
    if {$old ne {}} {$w row group $old [lsearch -all -inline -exact -not [$w row group $old] $key]}
    if {$name ne {}} {$w row group $name [concat [$w row group $name] [list $key]]}
}

proc ::tactus::player::rows::fold {view} {
    set group [pointed $view]
    if {$group ne {}} {return [foldGroup $view $group]}
    set key [key $view]
    if {$key ne {}} {toggleFold $view [dict create row $key]}
}

# The group whose heading or band is under the pointer; {}: none.
proc ::tactus::player::rows::pointed {view} {
    set w [$view timeline]
    lassign [winfo pointerxy $w] x y
    if {[winfo containing $x $y] ne $w} return
    set found [$w identify [expr {$x - [winfo rootx $w]}] [expr {$y - [winfo rooty $w]}]]
    if {[dict get $found kind] eq "group"} {return [dict get $found id]}
    if {[dict get $found kind] eq "band"} {return [::tactus::player::text::valueOf $found group]}
}

proc ::tactus::player::rows::toggleFold {view found} {
    set row [find $view [dict get $found row]]
    if {$row eq {}} return
    if {[dict get $row group] ne {}} {foldGroup $view [dict get $row group]}
}

# Folds all groups that have no others in them; if all of these are folded, unfolds them.
proc ::tactus::player::rows::foldAll {view} {
    set w [$view timeline]
    set groups [$w row groups]
    foreach group $groups {dict set parents [dict get $group parent] 1}
    set leaves [lmap group $groups {if {[dict exists $parents [dict get $group name]]} continue; set group}]
    if {![llength $leaves]} {return [$view message "There are no groups of rows: View > Group Rows makes them"]}
    set fold [expr {0 in [lmap group $leaves {dict get $group folded}]}]
    foreach group $leaves {$w row fold [dict get $group name] $fold}
}

# Puts the rows of each group into an order by what they do in view.
proc ::tactus::player::rows::sort {order view} {
    [$view timeline] row sort $order
}

proc ::tactus::player::rows::toggleEmpty {view} {
    set w [$view timeline]
    $w configure -hide-empty [expr {![$w cget -hide-empty]}]
}

# Leaves out rows with nothing in view as soon as the view is at rest: nothing moves under a drag.
proc ::tactus::player::rows::settleSoon {view {ms 250}} {
    variable settling
    set w [$view timeline]
    if {[info exists settling($w)]} {after cancel $settling($w)}
    unset -nocomplain settling($w)
    if {![$w cget -hide-empty]} return
    set settling($w) [after $ms [list ::tactus::player::rows::settle $view $w]]
}

proc ::tactus::player::rows::settle {view w} {
    variable settling
    unset -nocomplain settling($w)
    if {![winfo exists $w]} return
    if {[::tactus::timeline::busy]} {return [settleSoon $view]}
    catch {$w row settle}
}

# Folds a group, or unfolds it.
proc ::tactus::player::rows::foldGroup {view group} {
    [$view timeline] row fold $group
}

proc ::tactus::player::rows::dissolveGroup {view group} {
    [$view timeline] row group $group {}
}

proc ::tactus::player::rows::filter {view} {
    ::tactus::player::commands::ask $view "Filter Rows" \
        "Show rows whose name has this in it (* and ? stand for anything); empty: all" \
        [[$view timeline] cget -filter] [list ::tactus::player::rows::setFilter $view]
}

proc ::tactus::player::rows::setFilter {view pattern} {
    [$view timeline] configure -filter $pattern
    $view message \
        "[dict get [counts $view] shown] of [dict get [counts $view] rows] rows are\
        shown[expr {$pattern eq {} ? {} : "; Shift+H shows all"}]"
}

# ---- the menu --------------------------------------------------------------------------------------------------------

# Shows the menu of the item at a place of the timeline.
proc ::tactus::player::rows::menu {view x y} {
    set w [$view timeline]
    set found [$w identify $x $y]
    set menu [$view top].context
    destroy $menu
    ::menu $menu -tearoff 0
    ::tactus::player::theme adopt $menu
    $view pointer $x $y 0
    set key [::tactus::player::text::valueOf $found row]
    if {[dict get $found kind] eq "group"} {
        groupEntries $menu $view $found
    } elseif {[dict get $found region] ne "label"} {
        timeEntries $menu $view $found
    }
    if {$key ne {} && [find $view $key] ne {}} {rowEntries $menu $view $key}
    foreach action {filterRows showRows resetRows} {::tactus::player::actions::addEntry $menu $action $view}
    tk_popup $menu [expr {[winfo rootx $w] + $x}] [expr {[winfo rooty $w] + $y}]
}

proc ::tactus::player::rows::timeEntries {menu view found} {
    if {[dict exists $found begin] && [dict exists $found end]
            && [dict get $found begin] ne {} && [dict get $found end] ne {}} {
        set span [list [dict get $found begin] [dict get $found end]]
        $menu add command -label "Select Its Span" -command [list $view select {*}$span]
        $menu add command -label "Zoom to Its Span" -command [list ::tactus::timeline::range [$view timeline] {*}$span]
    }
    $menu add command -label "Copy Time" -command [list ::tactus::player::commands::copy $view [dict get $found time]]
    foreach action {mark markForGood markerA markerB} {::tactus::player::actions::addEntry $menu $action $view}
    $menu add separator
}

proc ::tactus::player::rows::groupEntries {menu view found} {
    set name [::tactus::player::text::visible [dict get $found text] 40]
    $menu add command -label "[expr {[dict get $found folded] ? "Unfold" : "Fold"}] \"$name\"" \
        -command [list ::tactus::player::rows::foldGroup $view [dict get $found id]]
    if {![dict get $found by_itself]} {
        $menu add command -label "Dissolve \"$name\"" \
            -command [list ::tactus::player::rows::dissolveGroup $view [dict get $found id]]
    }
    $menu add separator
}

# Adds the menu's entries for one row.
proc ::tactus::player::rows::rowEntries {menu view key} {
    set row [find $view $key]
    set here ::tactus::player::rows
    # The entries act on this row, wherever the pointer is by then.
    set name [nameOf $view $key]
    $menu add command -label "Hide \"$name\"" -accelerator [::tactus::player::actions::accelerator hideRow] \
        -command [list ${here}::hide $view $key]
    $menu add command -label "Hide All Others" -command [list ${here}::hideOthers $view $key]
    $menu add command -label [expr {[dict get $row pinned] ? "Unpin" : "Pin at the Top"}] \
        -command [list ${here}::pin $view $key]
    $menu add command -label "Move Up" -accelerator [::tactus::player::actions::accelerator rowUp] \
        -command [list ${here}::move -1 $view $key]
    $menu add command -label "Move Down" -accelerator [::tactus::player::actions::accelerator rowDown] \
        -command [list ${here}::move 1 $view $key]
    ::menu $menu.height -tearoff 0
    ::tactus::player::theme adopt $menu.height
    variable heightNow [::tactus::format %g [dict get $row height]]
    foreach factor {0.5 1 1.5 2 3 5} {
        $menu.height add radiobutton -label "\u00d7 $factor" -value $factor -variable ${here}::heightNow \
            -command [list ${here}::height $view $key $factor]
    }
    $menu add cascade -label Height -menu $menu.height
    $menu add command -label "Group\u2026" -command [list ${here}::group $view $key]
    if {[dict get $row group] ne {}} {
        $menu add command -label [expr {[dict get $row folded] ? "Unfold" : "Fold"}] \
            -command [list ${here}::toggleFold $view [dict create row $key]]
    }
    $menu add separator
}

# ---- by hand ---------------------------------------------------------------------------------------------------------

# The key of the row whose label has its lower edge under the pointer; {}: none.
proc ::tactus::player::rows::edgeAt {view y found} {
    if {![dict exists $found region] || [dict get $found region] ne "label" || [dict get $found row] eq {}} return
    set w [$view timeline]
    set key [dict get $found row]
    lassign [$w bbox row $key] - top - height
    if {$top eq {}} return
    if {$y >= $top + $height - [::tactus::player::px 4]} {return $key}
    return
}

proc ::tactus::player::rows::press {view x y found} {
    variable drag
    set key [dict get $found row]
    if {$key eq {} || [find $view $key] eq {}} {
        set drag {}
        return
    }
    lassign [[$view timeline] bbox row $key] - top - height
    set drag [dict create mode [expr {[edgeAt $view $y $found] ne {} ? "resize" : "move"}] key $key start $y before {} \
        height [expr {$height eq {} ? 1 : max(1, $height)}] factor [dict get [find $view $key] height]]
}

proc ::tactus::player::rows::drag {view phase x y far} {
    variable drag
    if {![dict size $drag]} return
    set w [$view timeline]
    if {$phase eq "motion" && $far} {
        if {[dict get $drag mode] eq "resize"} {resizeTo $view $y} else {lineAt $view $y}
    } elseif {$phase in {release cancel}} {
        destroy $w.line
        $w configure -cursor {}
        if {$phase eq "release" && $far && [dict get $drag mode] eq "move" && [dict get $drag before] ne {}} {
            moveBefore $view [dict get $drag key] [dict get $drag before]
        }
        set drag {}
    }
}

proc ::tactus::player::rows::resizeTo {view y} {
    variable drag
    dict with drag {
        set wanted [expr {max(0.25, min(8.0, $factor * max(1.0, $height + $y - $start) / $height))}]
        [$view timeline] row height $key $wanted
    }
}

# Draws the line at the new place of the dragged row: before or after the one under the pointer, or at the end.
proc ::tactus::player::rows::lineAt {view y} {
    variable drag
    set w [$view timeline]
    set key [dict get [$w identify 1 $y] row]
    if {$key eq {}} {set key [$w row beside {} [expr {$y < [winfo height $w] / 3 ? 1 : -1}]]}
    lassign [$w bbox row $key] - top - height
    if {$top eq {}} return
    set place $key
    set at $top
    if {$y >= $top + $height / 2} {
        set place [$w row beside $key 1]
        if {$place eq {}} {set place end}
        incr at $height
    }
    dict set drag before $place
    if {![winfo exists $w.line]} {
        frame $w.line -background [::tactus::player::theme color accent] -height [::tactus::player::px 2]
    }
    place $w.line -x 0 -y [expr {$at - 1}] -relwidth 1
    $w configure -cursor sb_v_double_arrow
}

# ---- the pointer -----------------------------------------------------------------------------------------------------

# Sets the pointer's shape by the drag that can begin there.
proc ::tactus::player::rows::pointer {view x y found} {
    variable drag
    if {[dict size $drag] || [::tactus::timeline::busy]} return
    set cursor {}
    if {[::tactus::player::pointer::isFlag $found]} {
        set cursor sb_h_double_arrow
    } elseif {[edgeAt $view $y $found] ne {}} {
        set cursor sb_v_double_arrow
    }
    set w [$view timeline]
    if {[$w cget -cursor] ne $cursor} {$w configure -cursor $cursor}
}

proc ::tactus::player::rows::pointerLeft {view} {}
