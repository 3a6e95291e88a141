# list/head.tcl -- the headings of a virtual list: a click sorts (ascending, descending, as it was), edges are
# dragged for widths (twice clicked: as wide as the page needs), headings are dragged for another order, and a menu
# chooses the columns.
#
# Widths (points), order and choice are kept as preferences list.NAME.widths and list.NAME.columns where the list has a
# name and there is a player; a kept name that the relation no longer has is passed over.

oo::class create ::tactus::player::VirtualListHead {
    variable Path Body Head Options Relation Columns Shown Widths Page Items Cells Colors Font RowHeight Count Busy \
        SortColumn Decreasing Drag ByName Selection Current Label

    method startHead {} {
        lassign {{} 0 {} {}} SortColumn Decreasing Drag ByName
    }

    # ---- columns -----------------------------------------------------------------------------------------------------

    method chooseColumns {} {
        set ByName {}
        set index 0
        foreach column $Columns {
            dict set ByName [dict get $column name] [list $index $column]
            incr index
        }
        set Shown [my known [my kept columns {}]]
        if {![llength $Shown]} {set Shown [my known [dict get $Options -columns]]}
        if {![llength $Shown]} {set Shown [dict keys $ByName]}
        set Widths {}
        foreach {name points} [my kept widths {}] {
            if {[dict exists $ByName $name] && [string is double -strict $points]} {
                dict set Widths $name [::tactus::player::look::points [expr {max(8, min($points, 4000))}]]
            }
        }
    }

    method known {names} {
        lmap name $names {
            if {![dict exists $ByName $name]} continue
            set name
        }
    }

    method kept {what default} {
        set name [dict get $Options -name]
        if {$name eq {} || [info commands ::tactus::player::pref] eq {}} {return $default}
        set value [::tactus::player::pref get list.$name.$what $default]
        return [expr {[string is list $value] ? $value : $default}]
    }

    method keep {what value} {
        set name [dict get $Options -name]
        if {$name ne {} && [info commands ::tactus::player::pref] ne {}} {
            catch {::tactus::player::pref set list.$name.$what $value}
        }
    }

    method keepWidths {} {
        set scaling [tk scaling]
        my keep widths [dict map {name pixels} $Widths {expr {round($pixels / $scaling * 10) / 10.0}}]
    }

    method column {name} {lindex [dict get $ByName $name] 1}

    method columnIndex {name} {
        if {![dict exists $ByName $name]} {
            return -code error -errorcode [list TACTUS LOOKUP COLUMN $name] \
                "no column \"$name\": there are [join [dict keys $ByName] {, }]"
        }
        lindex [dict get $ByName $name] 0
    }

    method columnNames {} {dict keys $ByName}
    method shown {} {return $Shown}

    # Another choice or order.
    method show {names} {
        set names [my known $names]
        if {![llength $names]} return
        set Shown $names
        my keep columns $Shown
        my forgetItems
        event generate $Path <<ListColumns>>
    }

    method forgetItems {} {
        $Body delete all
        set Items {}
        set Cells {}
        my placeColumns
        my redraw
    }

    # ---- widths ------------------------------------------------------------------------------------------------------

    method padding {} {::tactus::player::look::points 4}

    method width {name} {
        if {[dict exists $Widths $name]} {return [dict get $Widths $name]}
        set type [dict get [my column $name] type]
        ::tactus::player::look::points [expr {$type eq "text" ? 90 : 66}]
    }

    method setWidth {name pixels} {
        dict set Widths $name [expr {max([::tactus::player::look::points 12], min($pixels, 8000))}]
        my placeColumns
        my redraw
    }

    # Widths for a relation that has none yet, by rows from all over it.
    method fitFirst {} {
        set page $Page
        foreach place [list [expr {$Count / 3}] [expr {$Count * 2 / 3}] [expr {max(0, $Count - 10)}]] {
            set Page [concat $Page [$Relation rows $place [expr {min(10, $Count - $place)}]]]
        }
        my fitColumns
        set Page $page
    }

    # As wide as the heading and the page need, within reason; all columns, or one.
    method fitColumns {args} {
        set least [::tactus::player::look::points 30]
        set most [::tactus::player::look::points [expr {[llength $args] ? 900 : 230}]]
        foreach name [expr {[llength $args] ? $args : $Shown}] {
            lassign [dict get $ByName $name] index column
            set wide [expr {[font measure $Font $name] + [::tactus::player::look::points 12]}]
            foreach row $Page {
                set text [::tactus::player::text::visible [my shownValue $column [lindex $row $index]] 400]
                set wide [expr {max($wide, [font measure $Font $text])}]
            }
            if {$name in [dict get $Options -signs]} {incr wide [font measure $Font "\u2716 "]}
            # Room for what the next pages have: another digit or two.
            if {[dict get $column type] ne "text"} {incr wide [font measure $Font 00]}
            dict set Widths $name [expr {max($least, min($most, $wide + 2 * [my padding]))}]
        }
        my placeColumns
        if {[llength $args]} {my keepWidths}
    }

    method textX {place} {
        set x 0
        foreach name [lrange $Shown 0 $place-1] {incr x [my width $name]}
        set name [lindex $Shown $place]
        expr {[my isText $name] ? $x + [my padding] : $x + [my width $name] - [my padding]}
    }

    method isText {name} {
        expr {[dict get [my column $name] type] eq "text"}
    }

    method textAnchor {place} {
        expr {[my isText [lindex $Shown $place]] ? "w" : "e"}
    }

    # Puts the items of the body and the headings where the widths say.
    method placeColumns {} {
        set total 0
        set place 0
        foreach name $Shown {
            set x [my textX $place]
            set row 0
            foreach cells $Cells {
                set id [lindex $cells $place]
                if {$id ne {}} {$Body coords $id $x [expr {$row * $RowHeight + $RowHeight / 2}]}
                incr row
            }
            incr total [my width $name]
            incr place
        }
        set width [expr {max($total, 1)}]
        $Body configure -scrollregion [list 0 0 $width 1]
        $Head configure -scrollregion [list 0 0 $width 1]
        my drawHead
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method themeHead {} {
        $Head configure -background [dict get $Colors heading] \
            -height [expr {$RowHeight + [::tactus::player::look::points 1.5]}]
    }

    method drawHead {} {
        $Head delete all
        set height [$Head cget -height]
        set x 0
        foreach name $Shown {
            my drawHeading $name $x $height
            incr x [my width $name]
            $Head create line [expr {$x - 1}] 3 [expr {$x - 1}] [expr {$height - 3}] -fill [dict get $Colors line]
        }
        $Head create line -10 [expr {$height - 1}] 100000 [expr {$height - 1}] -fill [dict get $Colors line]
    }

    method drawHeading {name x height} {
        set arrow [expr {$name eq $SortColumn ? [expr {$Decreasing ? "\u25be" : "\u25b4"}] : {}}]
        set arrowWidth [expr {$arrow eq {} ? 0 : [font measure $Font "$arrow "]}]
        set width [expr {[my width $name] - 2 * [my padding] - $arrowWidth}]
        set text [::tactus::player::text::cut $name $Font $width]
        set y [expr {$height / 2}]
        set left [expr {$x + [my padding]}]
        set right [expr {$x + [my width $name] - [my padding]}]
        set fill [dict get $Colors foreground]
        if {[my isText $name]} {
            $Head create text $left $y -anchor w -font $Font -text $text -fill $fill
            $Head create text $right $y -anchor e -font $Font -text $arrow -fill [dict get $Colors accent]
        } else {
            $Head create text $right $y -anchor e -font $Font -text $text -fill $fill
            $Head create text $left $y -anchor w -font $Font -text $arrow -fill [dict get $Colors accent]
        }
    }

    # ---- mouse -------------------------------------------------------------------------------------------------------

    method bindHead {} {
        bind $Head <Motion> [namespace code {my headMotion %x}]
        bind $Head <Button-1> [namespace code {my headPress %x}]
        bind $Head <B1-Motion> [namespace code {my headDrag %x}]
        bind $Head <ButtonRelease-1> [namespace code {my headRelease %x}]
        bind $Head <Double-Button-1> [namespace code {my headDouble %x}]
        bind $Head <Button-3> [namespace code {my headMenu %X %Y}]
        ::tactus::player::tip::add $Head [namespace code {my headTip}]
    }

    # The column whose right edge is near, and the one that is under the pointer: {edge column}.
    method headAt {x} {
        set x [$Head canvasx $x]
        set near [::tactus::player::look::points 3]
        set right 0
        lassign {} edge under
        foreach name $Shown {
            set left $right
            incr right [my width $name]
            if {abs($x - $right) <= $near} {set edge $name}
            if {$x >= $left && $x < $right} {set under $name}
        }
        list $edge $under
    }

    method headMotion {x} {
        if {$Drag ne {}} return
        $Head configure -cursor [expr {[lindex [my headAt $x] 0] eq {} ? {} : "sb_h_double_arrow"}]
    }

    method headTip {x y} {
        lassign [my headAt $x] edge under
        if {$under eq {}} {return {}}
        set help [dict get [my column $under] help]
        return "$under[expr {$help eq {} ? {} : ": $help"}]\nclick sorts, right click chooses columns"
    }

    # Drag: {kind column pixel width}; kind is width, press (not moved yet), move.
    method headPress {x} {
        lassign [my headAt $x] edge under
        if {$edge ne {}} {
            set Drag [list width $edge $x [my width $edge]]
        } elseif {$under ne {}} {
            set Drag [list press $under $x 0]
        }
    }

    method headDrag {x} {
        if {$Drag eq {}} return
        lassign $Drag kind name from width
        if {$kind eq "width"} {return [my setWidth $name [expr {$width + $x - $from}]]}
        if {$kind eq "press" && abs($x - $from) < [::tactus::player::look::points 6]} return
        lset Drag 0 move
        $Head configure -cursor fleur
        $Head delete target
        set edge [my dropEdge $x]
        $Head create line $edge 0 $edge 1000 -width 2 -fill [dict get $Colors accent] -tags target
    }

    # The edge between columns that is nearest, in canvas pixels.
    method dropEdge {x} {
        lindex [my dropTarget $x] 0
    }

    method dropTarget {x} {
        set x [$Head canvasx $x]
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

    method headRelease {x} {
        if {$Drag eq {}} return
        lassign $Drag kind name
        set Drag {}
        $Head delete target
        $Head configure -cursor {}
        switch $kind {
            width {my keepWidths}
            press {my sortClick $name}
            move {my moveColumn $name [lindex [my dropTarget $x] 1]}
        }
    }

    method moveColumn {name place} {
        set old [lsearch -exact $Shown $name]
        if {$place > $old} {incr place -1}
        my show [linsert [lreplace $Shown $old $old] $place $name]
    }

    method headDouble {x} {
        lassign [my headAt $x] edge
        if {$edge eq {}} {return [my headPress $x]}
        my fitColumns $edge
        my redraw
    }

    method headMenu {x y} {
        set menu $Path.columns
        destroy $menu
        menu $menu -tearoff 0
        foreach name [dict keys $ByName] {
            $menu add command -label "[expr {$name in $Shown ? "\u2713" : "\u2007\u2007"}] $name" \
                -command [namespace code [list my toggleColumn $name]]
        }
        $menu add separator
        $menu add command -label "All Columns" -command [namespace code {my show [my columnNames]}]
        $menu add command -label "As at First" -command [namespace code {my resetColumns}]
        catch {::tactus::player::theme adopt $menu}
        tk_popup $menu $x $y
    }

    method toggleColumn {name} {
        if {$name in $Shown} {
            my show [lsearch -all -inline -exact -not $Shown $name]
        } else {
            my show [linsert $Shown [my naturalPlace $name] $name]
        }
    }

    # Behind the shown column that stands nearest before it in the relation.
    method naturalPlace {name} {
        set place 0
        foreach other [dict keys $ByName] {
            if {$other eq $name} break
            set found [lsearch -exact $Shown $other]
            if {$found >= 0} {set place [expr {$found + 1}]}
        }
        return $place
    }

    method resetColumns {} {
        my keep columns {}
        my keep widths {}
        my chooseColumns
        my forgetItems
    }

    # ---- sorting -----------------------------------------------------------------------------------------------------

    method forgetSort {} {
        lassign {{} 0} SortColumn Decreasing
    }

    method sortClick {name} {
        if {$name ne $SortColumn} {
            my sort $name 0
        } elseif {!$Decreasing} {
            my sort $name 1
        } else {
            my sort {} 0
        }
    }

    # By a column, or {}: as the relation is by itself. Without words: what it is sorted by.
    method sort {args} {
        if {![llength $args]} {return [list $SortColumn $Decreasing]}
        lassign [concat $args 0] column decreasing
        if {$column ne {}} {my columnIndex $column}
        if {$Relation eq {}} return
        set words [list sort $column]
        if {$decreasing && $column ne {}} {lappend words -decreasing}
        my work "sorting by $column" $words [list my sorted $column $decreasing]
    }

    method isArranged {} {
        expr {$Label ne {} || $SortColumn ne {}}
    }

    # What the user chose holds for a relation that replaces another one, which is small enough to do it at once.
    method reapply {} {
        if {$Label ne {}} {$Relation filter -where $Label}
        if {$SortColumn ne {}} {$Relation sort $SortColumn {*}[expr {$Decreasing ? "-decreasing" : {}}]}
    }

    method sorted {column decreasing} {
        lassign [list $column [expr {$decreasing && $column ne {}}]] SortColumn Decreasing
        my drawHead
        event generate $Path <<ListSorted>>
    }
}
