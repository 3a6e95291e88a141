# player/here.tcl -- class Here: the user's place in a view: the pointer over the timeline, and the place gone to or
# clicked last.
#
# Keys act at this place: at the time `time`, on the row `row`. The place is a dict of time, row and item; a place that
# was gone to stays until the pointer moves again.

::tactus::need player/later player/text player/pointer player/tip

oo::class create ::tactus::player::Here {
    mixin ::tactus::player::Later
    variable View Timeline
    variable Pointer            ;# x y over the timeline, {}: it is elsewhere
    variable Seen               ;# {x y found lines} of the place looked at last, until that is told
    variable Place              ;# dict of time row item, each {} or missing where it is not known

    constructor {view timeline} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set View $view
        set Timeline $timeline
        lassign {} Pointer Seen
        my clear
    }

    method clear {} {set Place {time {} row {}}}

    # ---- the pointer -------------------------------------------------------------------------------------------------

    # Follows the pointer with the cursor, the status line and tooltips. Beside the plot there is no time.
    method pointer {x y state} {
        if {[$View trace] eq {}} return
        set Pointer [list $x $y]
        if {[$Timeline row pending]} return
        $Timeline cursor [if {[::tactus::timeline::inPlot $Timeline $x]} {$Timeline time $x}]
        my later TellPointer
    }

    # Tells and lights what is at the pointer; nothing is lit while a button is held.
    method TellPointer {} {
        if {$Pointer eq {} || [$View trace] eq {} || ![winfo exists $Timeline] || [$Timeline row pending]} return
        lassign [my look {*}$Pointer] found lines
        set Seen {}
        if {[dict exists $found unfinished]} {my later TellPointer 1}
        rows::pointer $View {*}$Pointer $found
        tell Pointed $View $found $lines
    }

    # What is at a place: {found lines}, the dict of the timeline and the lines of player/pointer.tcl.
    method look {x y} {
        if {[$View trace] eq {}} {return {{} {}}}
        if {[lrange $Seen 0 1] ne [list $x $y]} {
            if {[::tactus::timeline::busy]} {
                $Timeline hover
                set found [$Timeline identify $x $y]
            } else {
                set found [$Timeline hover $x $y]
            }
            set Seen [list $x $y $found [pointer::lines $View $found]]
        }
        lrange $Seen 2 3
    }

    # The view moved under the pointer: another thing is there now.
    method moved {} {
        set Seen {}
        tip::hide
        if {$Pointer ne {}} {my later TellPointer}
    }

    # Text of the tooltip, and the box of what it names.
    method tip {x y} {
        if {![prefFlag tips 1]} return
        join [lindex [my look $x $y] 1] \n
    }
    method tipBox {x y} {
        text::valueOf [lindex [my look $x $y] 0] box
    }

    method pointerLeft {} {
        lassign {} Pointer Seen
        rows::pointerLeft $View
        if {[$View trace] ne {}} {$Timeline hover}
        tell Pointed $View {} {}
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
