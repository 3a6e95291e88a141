# list/hands.tcl -- the hands on a virtual list: selection, keys, mouse, copying, tooltips.
#
# The selection is a sorted list of ranges {first last} of places, so that ten million selected rows are one range. When
# the order of rows changes, the rows that were selected are found again by their ids (up to SelectionKept of them).
#
# Keys: Up Down Prior Next Home End move (Shift: extend), Control with them scrolls without moving, Left Right scroll,
# Return enters (-command), Control-a selects all, Control-c copies, Control-f goes to the filter, Escape takes the
# selection back.

oo::class create ::tactus::player::VirtualListHands {
    variable Path Body Head Options Relation Shown First Page PageFirst RowHeight Font Count Current \
        Selection Anchor Busy \
        CopyLimit SelectionKept

    method startHands {} {
        set CopyLimit 200000
        set SelectionKept 2000
    }

    # Binds mouse and keys of the list; a key that the list has no use for goes on to the window.
    method bindHands {} {
        foreach {event script} {
            <Button-1> {my press %x %y set}
            <Shift-Button-1> {my press %x %y extend}
            <Control-Button-1> {my press %x %y toggle}
            <B1-Motion> {my drag %y}
            <Shift-B1-Motion> {my drag %y}
            <Control-B1-Motion> {}
            <ButtonRelease-1> {my release %x %y set}
            <Shift-ButtonRelease-1> {}
            <Control-ButtonRelease-1> {}
            <Double-Button-1> {my press %x %y set}
            <Button-4> {my yview scroll -3 units}
            <Button-5> {my yview scroll 3 units}
            <Shift-Button-4> {my xview scroll -1 units}
            <Shift-Button-5> {my xview scroll 1 units}
            <MouseWheel> {my yview scroll [expr {-(%D) / 40}] units}
            <Shift-MouseWheel> {my xview scroll [expr {-(%D) / 120}] units}
            <Up> {my move -1 set}
            <Down> {my move 1 set}
            <Prior> {my move [expr {-max(1, [my pageRows] - 1)}] set}
            <Next> {my move [expr {max(1, [my pageRows] - 1)}] set}
            <Home> {my moveTo 0 set}
            <End> {my moveTo end set}
            <Shift-Up> {my move -1 extend}
            <Shift-Down> {my move 1 extend}
            <Shift-Prior> {my move [expr {-max(1, [my pageRows] - 1)}] extend}
            <Shift-Next> {my move [expr {max(1, [my pageRows] - 1)}] extend}
            <Shift-Home> {my moveTo 0 extend}
            <Shift-End> {my moveTo end extend}
            <Control-Up> {my yview scroll -1 units}
            <Control-Down> {my yview scroll 1 units}
            <Control-Home> {my moveTo 0 set}
            <Control-End> {my moveTo end set}
            <Left> {my xview scroll -1 units}
            <Right> {my xview scroll 1 units}
            <Return> {my enter}
            <KP_Enter> {my enter}
            <Control-a> {my selection set {{0 end}}}
            <Control-c> {my copy}
            <Control-f> {my focusFilter}
            <Escape> {my escape}
            <FocusIn> {my redraw}
            <FocusOut> {my redraw}
        } {
            if {$script eq {}} {set script {list}}
            set break [expr {[string match "<*Focus*>" $event] ? {} : "; break"}]
            bind $Body $event "[list {*}[namespace code $script]]$break"
        }
        bind $Body <<Copy>> "[list {*}[namespace code {my copy}]]; break"
        bind $Body <Button-3> [namespace code {my bodyMenu %x %y %X %Y}]
        ::tactus::player::tip::add $Body [namespace code {my bodyTip}]
    }

    # ---- where -------------------------------------------------------------------------------------------------------

    # The place at a window pixel, or -1 below the last row.
    method placeAt {y} {
        set place [expr {$First + $y / $RowHeight}]
        expr {$y >= 0 && $place < $Count ? $place : -1}
    }

    # What is under a pixel of the body: a dict of place, column (name or {}), cut (is its text cut?).
    method identify {x y} {
        set place [my placeAt $y]
        set x [$Body canvasx $x]
        set right 0
        foreach name $Shown {
            incr right [my width $name]
            if {$x < $right} {return [dict create place $place column $name]}
        }
        dict create place $place column {}
    }

    method bodyTip {x y} {
        if {$Busy} {return {}}
        lassign [dict values [my identify $x $y]] place name
        if {$place < 0 || $name eq {}} {return {}}
        set value [my value $place $name]
        set text [::tactus::player::text::visible [my shownValue [my column $name] $value] 3000]
        set room [expr {[my width $name] - 2 * [my padding]}]
        if {$name in [dict get $Options -signs]} {set room [expr {$room - [font measure $Font "\u2716 "]}]}
        if {$text eq $value && [string length $text] < $room && [font measure $Font $text] <= $room} {return {}}
        if {[string length $value] <= 3000 && ![string match "*\u2026" $text] && [string is double -strict $value]} {
            return $value
        }
        return $text
    }

    # ---- selection ---------------------------------------------------------------------------------------------------

    method isSelected {place} {
        foreach range $Selection {
            lassign $range first last
            if {$place < $first} {return 0}
            if {$place <= $last} {return 1}
        }
        return 0
    }

    # Sorted, joined where they touch, within the rows; "end" is the last one.
    method clipRanges {ranges} {
        set clean {}
        foreach range [lsort -integer -index 0 [string map [list end [expr {$Count - 1}]] $ranges]] {
            lassign $range first last
            set first [expr {max(0, $first)}]
            set last [expr {min($last, $Count - 1)}]
            if {$last < $first} continue
            if {[llength $clean] && $first <= [lindex $clean end 1] + 1} {
                lset clean end 1 [expr {max($last, [lindex $clean end 1])}]
            } else {
                lappend clean [list $first $last]
            }
        }
        return $clean
    }

    # selection ?get?; selection set RANGES; selection clear; selection count; selection places ?LIMIT?
    method selection {{what get} args} {
        switch -- $what {
            get {return $Selection}
            set {my setSelection [lindex $args 0]}
            clear {my setSelection {}}
            count {
                set count 0
                foreach range $Selection {incr count [expr {[lindex $range 1] - [lindex $range 0] + 1}]}
                return $count
            }
            places {return [my selectedPlaces [lindex [concat $args 1000000] 0]]}
            default {
                return -code error -errorcode [list TCL LOOKUP SUBCOMMAND $what] \
                    "bad subcommand \"$what\": must be clear, count, get, places, or set"
            }
        }
    }

    method setSelection {ranges} {
        set ranges [my clipRanges $ranges]
        if {$ranges eq $Selection} {return [my redraw]}
        set Selection $ranges
        my redraw
        event generate $Path <<ListboxSelect>>
    }

    method selectedPlaces {limit} {
        set places {}
        foreach range $Selection {
            lassign $range first last
            for {set place $first} {$place <= $last} {incr place} {
                if {[llength $places] >= $limit} {return $places}
                lappend places $place
            }
        }
        return $places
    }

    method toggle {place} {
        if {![my isSelected $place]} {return [my setSelection [concat $Selection [list [list $place $place]]]]}
        set rest {}
        foreach range $Selection {
            lassign $range first last
            if {$place < $first || $place > $last} {
                lappend rest $range
            } else {
                lappend rest [list $first [expr {$place - 1}]] [list [expr {$place + 1}] $last]
            }
        }
        my setSelection $rest
    }

    # Ids of what is selected and current, to be found again in another order.
    method rememberRows {} {
        if {$Relation eq {} || $Count == 0} {return {{} {}}}
        set ids {}
        if {[my selection count] <= $SelectionKept} {
            set ids [lmap place [my selectedPlaces $SelectionKept] {$Relation id $place}]
        }
        list $ids [expr {$Current >= 0 ? [$Relation id $Current] : {}}]
    }

    method recallRows {remembered} {
        lassign $remembered ids current
        set ranges [lmap id $ids {
            set place [$Relation place $id]
            if {$place < 0} continue
            list $place $place
        }]
        set Current [expr {$current eq {} ? -1 : [$Relation place $current]}]
        set Anchor $Current
        my setSelection $ranges
        if {$Current >= 0} {my center $Current} else {my scrollTo 0}
    }

    # The current row; with a place: makes it that, selects it and brings it into view. -1: none.
    method current {args} {
        if {![llength $args]} {return $Current}
        set place [lindex $args 0]
        if {$place eq "end"} {set place [expr {$Count - 1}]}
        if {$place < 0 || $place >= $Count} {
            set Current -1
            return [my setSelection {}]
        }
        lassign [list $place $place] Current Anchor
        my setSelection [list [list $place $place]]
        my center $place
    }

    # ---- moves -------------------------------------------------------------------------------------------------------

    method choose {place how} {
        switch $how {
            set {
                set Anchor $place
                set Current $place
                my setSelection [list [list $place $place]]
            }
            extend {
                if {$Anchor < 0} {set Anchor [expr {max(0, $Current)}]}
                set Current $place
                my setSelection [list [list [expr {min($place, $Anchor)}] [expr {max($place, $Anchor)}]]]
            }
            toggle {
                set Anchor $place
                set Current $place
                my toggle $place
            }
        }
        my see $place
    }

    method move {rows how} {
        if {$Current < 0} {return [my moveTo $First $how]}
        my moveTo [expr {$Current + $rows}] $how
    }

    method moveTo {place how} {
        if {$Count == 0 || $Busy} return
        if {$place eq "end"} {set place [expr {$Count - 1}]}
        my choose [expr {max(0, min($place, $Count - 1))}] $how
    }

    method press {x y how} {
        focus $Body
        set place [my placeAt $y]
        if {$place < 0 || $Busy} return
        my choose $place $how
    }

    method drag {y} {
        if {$Anchor < 0 || $Count == 0 || $Busy} return
        set place [expr {$First + ($y - ($y < 0 ? $RowHeight : 0)) / $RowHeight}]
        my choose [expr {max(0, min($place, $Count - 1))}] extend
    }

    # A click that selected one row enters it.
    method release {x y how} {
        if {$Current >= 0 && [my placeAt $y] == $Current && [my selection count] == 1} {my enter}
    }

    method enter {} {
        if {$Current < 0 || $Busy} return
        set command [dict get $Options -command]
        if {$command ne {}} {uplevel #0 $command [list $Current]}
    }

    method escape {} {
        if {$Busy} {return [my cancel]}
        my setSelection {}
    }

    method bodyMenu {x y rootX rootY} {
        set place [my placeAt $y]
        if {$place >= 0 && ![my isSelected $place] && !$Busy} {my choose $place set}
        set menu $Path.rows
        destroy $menu
        menu $menu -tearoff 0
        $menu add command -label "Go There" -accelerator Return -command [namespace code {my enter}] \
            -state [expr {$place >= 0 ? "normal" : "disabled"}]
        set cell [dict get [my identify $x $y] column]
        if {$place >= 0 && $cell ne {} && !$Busy} {
            set value [my value $place $cell]
            set shown [::tactus::player::text::visible $value 40]
            $menu add command -label "Only $cell = $shown" -command [namespace code [list my addCondition $cell $value]]
            $menu add command -label "Copy \"$shown\"" \
                -command [namespace code [list my clip [::tactus::player::text::visible $value]]]
        }
        $menu add command -label "Copy Rows" -accelerator Ctrl+C -command [namespace code {my copy}]
        $menu add command -label "Select All" -accelerator Ctrl+A -command [namespace code {my selection set {{0 end}}}]
        catch {::tactus::player::theme adopt $menu}
        tk_popup $menu $rootX $rootY
    }

    # ---- copying -----------------------------------------------------------------------------------------------------

    method clip {text} {
        clipboard clear -displayof $Body
        clipboard append -displayof $Body -- $text
    }

    # The selected rows as tab-separated values with the headings (one row: without); exact values, all columns shown.
    method copy {} {
        set count [my selection count]
        if {!$count || $Busy || $Relation eq {}} return
        set text {}
        if {$count > 1} {append text [join $Shown \t] \n}
        set left $CopyLimit
        foreach range $Selection {
            lassign $range first last
            set last [expr {min($last, $first + $left - 1)}]
            for {set from $first} {$from <= $last} {incr from 1000} {
                append text [my tsv $from [expr {min(1000, $last - $from + 1)}]]
            }
            incr left [expr {$first - $last - 1}]
            if {$left <= 0} break
        }
        my clip $text
        if {$count > $CopyLimit} {
            my remark "copied the first [::tactus::player::text::group $CopyLimit] of\
                [::tactus::player::text::counted $count row]"
        }
        return $text
    }

    method tsv {first count} {
        set indices [lmap name $Shown {my columnIndex $name}]
        set text {}
        foreach row [$Relation rows $first $count] {
            append text [join [lmap index $indices {::tactus::player::text::visible [lindex $row $index]}] \t] \n
        }
        return $text
    }
}
