# list/columns.tcl -- class ListColumns: the columns of a list that are shown: choice, order, widths.
#
# Knows no widget: x and widths are pixels of a row from its left end.
#
#   choose, reset                         the columns of another relation: as they were kept, or as at first
#   shown, show NAMES                     names of the columns shown, from left to right
#   toggled NAME, moved NAME PLACE        names for `show`: with a column more or less, or with one moved
#   width NAME, setWidth NAME PIXELS, keepWidths, hasWidths
#   fit NAMES ROWS MOST, fill ROOM        as wide as headings and values need; and as there is room
#   need NAME TEXT                        a text that was cut: `fill` gives its column what is left
#   isText NAME, valueText COLUMN VALUE   is it a text (at the left), how a value of a column (a dict) is written
#   left PLACE, textX PLACE, textAnchor PLACE, totalWidth, padding    where it is, and its texts stand
#   at X, edgeAt X, dropTarget X          column under x; column whose right edge is near; edge between columns
#   between LEFT RIGHT                    columns that can be seen
#
# Widths (points), order and choice are kept as preferences list.NAME.widths and list.NAME.columns where the list has a
# name and there is a player; a kept name that the relation no longer has is passed over.

oo::class create ::tactus::player::ListColumns {
    variable List Data Font Shown Widths
    variable Lacking    ;# columns with values that are cut -> pixels that they have at least, and that they need
    variable Fixed      ;# columns that the user has made as wide as they are: a dict with these keys

    constructor {list data font} {
        lassign [list $list $data $font] List Data Font
        lassign {} Shown Widths Lacking Fixed
    }

    # ---- choice and order --------------------------------------------------------------------------------------------

    method choose {} {
        set Shown [my known [my kept columns]]
        if {![llength $Shown]} {
            set Shown [my known [$List cget -columns]]
            if {![llength $Shown]} {set Shown [$Data names]}
            set Shown [lsearch -all -inline -exact -not $Shown [my repeated]]
        }
        lassign {} Widths Lacking Fixed
        foreach {name points} [my kept widths] {
            # not NaN, which is a double, too
            if {$name in [$Data names] && ![catch {expr {round($points)}} whole]} {
                dict set Widths $name [::tactus::player::look::points [expr {max(8, min($whole, 4000))}]]
                dict set Fixed $name 1
            }
        }
    }

    method reset {} {
        my keep columns {}
        my keep widths {}
        my choose
    }

    # The column whose value another one tells already, as that of a thread does, which is called by its name; {}: none.
    method repeated {} {
        lassign [$List cget -told] name other
        if {$name ni [$Data names] || $other ni [$Data names]} return
        set column [$Data column $other]
        foreach row [[$Data relation] rows 0 100] {
            lassign [list [lindex $row [$Data index $name]] [lindex $row [$Data index $other]]] value id
            set text [my valueText $column $id]
            if {$text ne $id && $value ne {} && [string first $value $text] == 0} {return $name}
        }
    }

    method known {names} {
        set all [$Data names]
        lmap name $names {
            if {$name ni $all} continue
            set name
        }
    }

    method kept {what} {
        set name [$List cget -name]
        if {$name eq {} || [info commands ::tactus::player::pref] eq {}} return
        set value [::tactus::player::pref get list.$name.$what {}]
        if {[string is list $value]} {set value}
    }

    method keep {what value} {
        set name [$List cget -name]
        if {$name ne {} && [info commands ::tactus::player::pref] ne {}} {
            catch {::tactus::player::pref set list.$name.$what $value}
        }
    }

    method shown {} {return $Shown}

    # Another choice or order; without any column that the relation has it stays as it is, and the result is 0.
    method show {names} {
        set names [my known $names]
        if {![llength $names]} {return 0}
        set Shown $names
        my keep columns $Shown
        return 1
    }

    # A column that comes stands behind the one that is nearest before it in the relation.
    method toggled {name} {
        if {$name in $Shown} {return [lsearch -all -inline -exact -not $Shown $name]}
        set place 0
        foreach other [$Data names] {
            if {$other eq $name} break
            set found [lsearch -exact $Shown $other]
            if {$found >= 0} {set place [expr {$found + 1}]}
        }
        linsert $Shown $place $name
    }

    method moved {name place} {
        set old [lsearch -exact $Shown $name]
        if {$place > $old} {incr place -1}
        linsert [lreplace $Shown $old $old] $place $name
    }

    # ---- widths ------------------------------------------------------------------------------------------------------

    method hasWidths {} {expr {$Widths ne {}}}

    method width {name} {
        if {[dict exists $Widths $name]} {return [dict get $Widths $name]}
        ::tactus::player::look::points [expr {[my isText $name] ? 90 : 66}]
    }

    method setWidth {name pixels} {
        dict unset Lacking $name
        dict set Fixed $name 1
        dict set Widths $name [expr {max([::tactus::player::look::points 12], min($pixels, 8000))}]
    }

    method keepWidths {} {
        set scaling [tk scaling]
        my keep widths [dict map {name pixels} $Widths {expr {round($pixels / $scaling * 10) / 10.0}}]
    }

    # As wide as the heading and the values of these rows need, at most so many points.
    method fit {names rows most} {
        set least [::tactus::player::look::points 30]
        set most [::tactus::player::look::points $most]
        set Lacking {}
        foreach name $names {
            set column [$Data column $name]
            set index [$Data index $name]
            set wide [expr {[font measure $Font $name] + [::tactus::player::look::points 12]}]
            foreach row $rows {
                set text [::tactus::player::text::visible [my valueText $column [lindex $row $index]] 400]
                set wide [expr {max($wide, [font measure $Font $text])}]
            }
            if {$name in [$List cget -signs]} {incr wide [font measure $Font "\u2716 "]}
            # Room for longer values on the next pages: another digit or two.
            if {![my isText $name]} {incr wide [font measure $Font 00]}
            incr wide [expr {2 * [my padding]}]
            dict set Widths $name [expr {max($least, min($most, $wide))}]
            if {$wide > $most} {dict set Lacking $name [list $most $wide]}
        }
    }

    # Notes that a text does not fit into its column, unless the user has chosen its width. A word's length it gets
    # in any case: lists scroll.
    method need {name text} {
        if {[dict exists $Fixed $name]} return
        set wide [expr {[font measure $Font [string range $text 0 400]] + 2 * [my padding]}]
        lassign [expr {[dict exists $Lacking $name] ? [dict get $Lacking $name] : [list [my width $name] 0]}] least most
        set least [expr {max($least, min($wide, [::tactus::player::look::points 230]))}]
        if {$wide > $most} {dict set Lacking $name [list $least $wide]}
    }

    # Gives what is left of so many pixels to the columns with values that are cut. Has any width changed?
    method fill {room} {
        set before $Widths
        dict for {name widths} $Lacking {dict set Widths $name [lindex $widths 0]}
        dict for {name widths} $Lacking {
            lassign $widths least most
            dict set Widths $name [expr {max($least, min($most, $least + $room - [my totalWidth]))}]
        }
        expr {$Widths ne $before}
    }

    # ---- texts -------------------------------------------------------------------------------------------------------

    method isText {name} {
        expr {[dict get [$Data column $name] type] eq "text"}
    }

    method valueText {column value} {
        set prefix [$List cget -valuetext]
        if {$prefix ne {} && ([dict get $column type] in {time number} || [dict get $column name] eq "sentence")} {
            return [{*}$prefix $column $value]
        }
        if {[dict get $column type] eq "number"} {return [::tactus::player::text::number $value]}
        # Ids of threads and of their jobs are numbers; one may be the target among an event's options.
        set called [$List cget -called]
        if {$called ne {} && [dict get $column type] eq "text"
                && [regexp {^(-target )?(\d+(?:/\d+)?(?:\.\d+)?)( .*)?$} $value -> before id rest]
                && ($before ne {} || $rest eq {})} {
            return $before[{*}$called $id]$rest
        }
        if {$called ne {} && [dict get $column name] eq "objects"} {return [my objectsText $called $value]}
        return $value
    }

    # Objects of a finding: "job 17.3, task 17".
    method objectsText {called value} {
        join [lmap object [split [string map {", " \n} $value] \n] {
            if {[regexp {^(job|task) (\d+(?:/\d+)?(?:\.\d+)?)$} $object -> kind id]} {
                set object "$kind [{*}$called $id]"
            }
            set object
        }] ", "
    }

    # ---- where -------------------------------------------------------------------------------------------------------

    method padding {} {::tactus::player::look::points 4}

    # The left edge of a column by its place among the shown.
    method left {place} {
        set x 0
        foreach name [lrange $Shown 0 $place-1] {incr x [my width $name]}
        return $x
    }

    method textX {place} {
        set x [my left $place]
        set name [lindex $Shown $place]
        expr {[my isText $name] ? $x + [my padding] : $x + [my width $name] - [my padding]}
    }

    method textAnchor {place} {
        expr {[my isText [lindex $Shown $place]] ? "w" : "e"}
    }

    method totalWidth {} {
        set total 0
        foreach name $Shown {incr total [my width $name]}
        return $total
    }

    method at {x} {
        set right 0
        foreach name $Shown {
            set left $right
            incr right [my width $name]
            if {$x >= $left && $x < $right} {return $name}
        }
    }

    method edgeAt {x} {
        set near [::tactus::player::look::points 3]
        set right 0
        set edge {}
        foreach name $Shown {
            incr right [my width $name]
            if {abs($x - $right) <= $near} {set edge $name}
        }
        return $edge
    }

    # The edge between columns that is nearest, and the place among the columns shown that follows it.
    method dropTarget {x} {
        set edge 0
        set place 0
        foreach name $Shown {
            set width [my width $name]
            if {$x < $edge + $width / 2} break
            incr edge $width
            incr place
        }
        list $edge $place
    }

    # A list of {place among the shown, index in a row, column}.
    method between {left right} {
        set x 0
        set columns {}
        set place 0
        foreach name $Shown {
            set next [expr {$x + [my width $name]}]
            if {$next > $left && $x < $right} {lappend columns [list $place [$Data index $name] [$Data column $name]]}
            set x $next
            incr place
        }
        return $columns
    }
}
