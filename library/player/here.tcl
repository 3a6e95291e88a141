# player/here.tcl -- class Here: the user's place in a view: the pointer over the timeline, and the place gone to or
# clicked last.
#
# Keys act at this place: at the time `time`, on the row `row`. The place is a dict of time, row and item; a place that
# was gone to stays until the pointer moves again.

::tactus::need player/later player/text

oo::class create ::tactus::player::Here {
    mixin ::tactus::player::Later
    variable View Timeline
    variable Pointer            ;# x y over the timeline, {}: it is elsewhere
    variable Place              ;# dict of time row item, each {} or missing where it is not known

    constructor {view timeline} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set View $view
        set Timeline $timeline
        set Pointer {}
        my clear
    }

    method clear {} {set Place {time {} row {}}}

    # ---- the pointer -------------------------------------------------------------------------------------------------

    # Follows the pointer with the cursor, the status line and tooltips.
    method pointer {x y state} {
        if {[$View trace] eq {}} return
        set Pointer [list $x $y]
        $Timeline cursor [$Timeline time $x]
        my later TellPointer
    }

    method TellPointer {} {
        if {$Pointer eq {} || [$View trace] eq {} || ![winfo exists $Timeline]} return
        set found [$Timeline identify {*}$Pointer]
        rows::pointer $View {*}$Pointer $found
        tell Pointed $View $found
    }

    method pointerLeft {} {
        set Pointer {}
        rows::pointerLeft $View
        tell Pointed $View {}
    }

    # The item under the pointer; {} when the pointer is elsewhere.
    method under {} {
        if {$Pointer eq {} || [$View trace] eq {}} return
        $Timeline identify {*}$Pointer
    }

    # ---- the place ---------------------------------------------------------------------------------------------------

    method place {} {return $Place}

    # Sets keys of the place: key value ...
    method put {args} {set Place [dict merge $Place $args]}

    # Puts the cursor at a time, until the pointer moves again.
    method putTime {time} {
        set Pointer {}
        $Timeline cursor $time
        dict set Place time $time
    }

    # The time for a mark or marker: of the event near the pointer, else the cursor's, else the middle of the view.
    method time {} {
        set cursor [$Timeline cursor]
        if {$Pointer ne {} && $cursor eq [$Timeline time [lindex $Pointer 0]]} {
            return [lindex [$Timeline snap {*}$Pointer] 0]
        }
        if {$cursor ne {}} {return $cursor}
        $Timeline time [expr {[winfo width $Timeline] / 2}]
    }

    # The row on which keys act: clicked or gone to last, else under the pointer.
    method row {} {
        set row [dict get $Place row]
        if {$row ne {}} {return $row}
        text::valueOf [my under] row
    }

    # Sets the row on which keys act.
    method keepRow {key} {dict set Place row $key}

    # Lets keys act on the next row in place of one that was hidden.
    method forgetRow {key next} {
        if {[dict get $Place row] eq $key} {dict set Place row $next}
    }
}
