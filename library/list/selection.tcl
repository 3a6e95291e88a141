# list/selection.tcl -- class ListSelection: the selected rows of a list and the current one.
#
# The selection is a sorted list of ranges {first last} of places, so that ten million selected rows are one range. When
# the order of rows changes, the rows that were selected are found again by their ids (up to Kept of them).
#
#   get, set RANGES, clear, count, places LIMIT, contains PLACE
#   current, only PLACE                 the current row; makes a row the only one selected, and current (-1: none)
#   choose PLACE HOW                    as a click or key does: set, extend or toggle
#   anchor                              the row that an extension begins at
#   forget, clip                        of another relation; when there are fewer rows
#   remember, recall REMEMBERED         rows by their ids, before and after they are put into another order
#
# Invariant: Current and every range are places below the list's count, or Current is -1.

oo::class create ::tactus::player::ListSelection {
    variable List Data Ranges Current Anchor Kept

    constructor {list data} {
        lassign [list $list $data 2000] List Data Kept
        my forget
    }

    method forget {} {
        lassign {{} -1 -1} Ranges Current Anchor
    }

    method clip {} {
        set Ranges [my clipped $Ranges]
        if {$Current >= [$Data count]} {set Current [expr {[$Data count] - 1}]}
    }

    # Ranges in order, joined where they touch, within the rows; "end" is the last one.
    method clipped {ranges} {
        set end [expr {[$Data count] - 1}]
        set clean {}
        foreach range [lsort -integer -index 0 [string map [list end $end] $ranges]] {
            lassign $range first last
            set first [expr {max(0, $first)}]
            set last [expr {min($last, $end)}]
            if {$last < $first} continue
            if {[llength $clean] && $first <= [lindex $clean end 1] + 1} {
                lset clean end 1 [expr {max($last, [lindex $clean end 1])}]
            } else {
                lappend clean [list $first $last]
            }
        }
        return $clean
    }

    method get {} {return $Ranges}
    method current {} {return $Current}
    method anchor {} {return $Anchor}
    method clear {} {my set {}}

    method set {ranges} {
        set ranges [my clipped $ranges]
        set changes [expr {$ranges ne $Ranges}]
        set Ranges $ranges
        $List redraw
        if {$changes} {$List tell <<ListboxSelect>>}
    }

    method only {place} {
        if {$place < 0 || $place >= [$Data count]} {
            set Current -1
            return [my clear]
        }
        lassign [list $place $place] Current Anchor
        my set [list [list $place $place]]
    }

    method contains {place} {
        foreach range $Ranges {
            lassign $range first last
            if {$place < $first} {return 0}
            if {$place <= $last} {return 1}
        }
        return 0
    }

    method count {} {
        set count 0
        foreach range $Ranges {incr count [expr {[lindex $range 1] - [lindex $range 0] + 1}]}
        return $count
    }

    method places {limit} {
        set places {}
        foreach range $Ranges {
            lassign $range first last
            for {set place $first} {$place <= $last} {incr place} {
                if {[llength $places] >= $limit} {return $places}
                lappend places $place
            }
        }
        return $places
    }

    method choose {place how} {
        if {$how eq "extend"} {
            if {$Anchor < 0} {set Anchor [expr {max(0, $Current)}]}
        } else {
            set Anchor $place
        }
        set Current $place
        switch $how {
            set {my set [list [list $place $place]]}
            extend {my set [list [list [expr {min($place, $Anchor)}] [expr {max($place, $Anchor)}]]]}
            toggle {my toggle $place}
        }
    }

    method toggle {place} {
        if {![my contains $place]} {return [my set [concat $Ranges [list [list $place $place]]]]}
        set rest {}
        foreach range $Ranges {
            lassign $range first last
            if {$place < $first || $place > $last} {
                lappend rest $range
            } else {
                lappend rest [list $first [expr {$place - 1}]] [list [expr {$place + 1}] $last]
            }
        }
        my set $rest
    }

    # Ids of the selected rows (none where there are too many) and of the current one.
    method remember {} {
        set relation [$Data relation]
        if {$relation eq {} || [$Data count] == 0} {return {{} {}}}
        set ids {}
        if {[my count] <= $Kept} {
            set ids [lmap place [my places $Kept] {$relation id $place}]
        }
        list $ids [expr {$Current >= 0 ? [$relation id $Current] : {}}]
    }

    method recall {remembered} {
        lassign $remembered ids current
        set relation [$Data relation]
        set ranges [lmap id $ids {
            set place [$relation place $id]
            if {$place < 0} continue
            list $place $place
        }]
        set Current [expr {$current eq {} ? -1 : [$relation place $current]}]
        set Anchor $Current
        my set $ranges
    }
}
