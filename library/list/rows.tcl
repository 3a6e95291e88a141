# list/rows.tcl -- class ListRows: the rows of a list on screen: scrolling and drawing.
#
# The rows of one page are written into a pool of canvas items that stay where they are: per row a background, which is
# its frame, too, and one text a column.
#
#   draw                                reads the page and writes it (the list calls this once a frame)
#   readTheme, forget, place            other colours or fonts; other columns; other widths
#   forgetRelation                      another relation: from its first row, with its own decimals
#   setHeight ROWS, rowHeight, body     the height asked for; pixels of a row; the canvas
#   first, scrollTo PLACE, pageRows     the first row; makes it that; rows that fit wholly
#   see PLACE, center PLACE             scrolls as far as needed; brings a place to the middle if it is out of view
#   yview, xview                        as scrollbars call them
#   placeAt Y, identify X Y             the place, and the place and column, under a pixel
#
# Invariant: 0 <= First <= max(0, count - whole rows of a page).

oo::class create ::tactus::player::ListRows {
    variable List Data Columns Selection Path Body Font RowHeight Colors First Items Cells Fractions \
        Signs Painter Painted Drawer Drawn

    constructor {list path data columns selection font} {
        lassign [list $list $path $data $columns $selection $font] List Path Data Columns Selection Font
        lassign {0 0 {} {} {}} RowHeight First Items Cells Fractions
        set Body $Path.body
        canvas $Body -highlightthickness 0 -borderwidth 0 -takefocus 1 -xscrollincrement 1
        ttk::scrollbar $Path.y -orient vertical -command [list $List yview]
        ttk::scrollbar $Path.x -orient horizontal -command [list $List xview]
        grid $Body -row 2 -column 0 -sticky nsew
        grid $Path.y -row 1 -rowspan 2 -column 1 -sticky ns
        bind $Body <Configure> [list $List resized]
    }

    method body {} {return $Body}
    method rowHeight {} {return $RowHeight}

    method readTheme {} {
        set Colors {}
        foreach name {field stripe foreground select onselect muted error warning ok accent line heading background} {
            dict set Colors $name [::tactus::player::look::color $name]
        }
        set RowHeight [expr {[font metrics $Font -linespace] + [::tactus::player::look::points 3.5]}]
        $Body configure -background [dict get $Colors field]
        my forget
    }

    method setHeight {rows} {
        $Body configure -height [expr {$rows * $RowHeight}]
    }

    method forget {} {
        $Body delete all
        lassign {} Items Cells
    }

    method forgetRelation {} {
        lassign {0 {}} First Fractions
    }

    # ---- scrolling ---------------------------------------------------------------------------------------------------

    method pageRows {} {
        expr {max(1, [winfo height $Body] / $RowHeight)}
    }

    method first {} {return $First}

    method scrollTo {first} {
        set First [expr {max(0, min($first, [$Data count] - [my pageRows]))}]
        $List redraw
    }

    method yview {what args} {
        lassign $args amount unit
        switch -- $what {
            moveto {my scrollTo [expr {round($amount * [$Data count])}]}
            scroll {
                if {[string match p* $unit]} {set amount [expr {$amount * max(1, [my pageRows] - 1)}]}
                my scrollTo [expr {$First + int($amount)}]
            }
        }
    }

    method xview {args} {
        $Body xview {*}$args
    }

    method see {place} {
        set rows [my pageRows]
        if {$place < $First} {
            my scrollTo $place
        } elseif {$place >= $First + $rows} {
            my scrollTo [expr {$place - $rows + 1}]
        }
    }

    method center {place} {
        set rows [my pageRows]
        if {$place < $First || $place >= $First + $rows} {my scrollTo [expr {$place - $rows / 2}]}
    }

    # ---- what is where -----------------------------------------------------------------------------------------------

    # The place at a window pixel, or -1 below the last row.
    method placeAt {y} {
        set place [expr {$First + $y / $RowHeight}]
        expr {$y >= 0 && $place < [$Data count] ? $place : -1}
    }

    # The place and the column's name (or {}) at a window pixel.
    method identify {x y} {
        list [my placeAt $y] [$Columns at [$Body canvasx $x]]
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method draw {} {
        lassign [list [$List cget -signs] [$List cget -paint] [$List cget -paintcolumns]] Signs Painter Painted
        lassign [list [$List cget -draw] [$List cget -drawcolumns]] Drawer Drawn
        $Body delete drawn
        my showScrollbars
        $Data fetch $First [expr {min([my pageRows] + 1, [$Data count] - $First)}]
        if {[llength [$Data page]] && ![$Columns hasWidths]} {$List fit}
        set rows [expr {$RowHeight ? ([winfo height $Body] + $RowHeight - 1) / $RowHeight : 0}]
        my needItems $rows
        my drawPlaceholder
        set columns [$Columns between [$Body canvasx 0] [$Body canvasx [winfo width $Body]]]
        my measureFractions $columns
        for {set row 0} {$row < $rows} {incr row} {my drawRow $row $columns}
        if {[$Columns fill [winfo width $Body]]} {$List placeColumns}
    }

    method showScrollbars {} {
        set count [$Data count]
        if {$count > 0} {
            $Path.y set [expr {double($First) / $count}] [expr {min(1.0, double($First + [my pageRows]) / $count)}]
        } else {
            $Path.y set 0 1
        }
        set view [$Body xview]
        $Path.x set {*}$view
        if {$view eq {0.0 1.0}} {grid remove $Path.x} else {grid $Path.x -row 3 -column 0 -sticky ew}
    }

    method needItems {rows} {
        for {set row [llength $Items]} {$row < $rows} {incr row} {
            set y [expr {$row * $RowHeight}]
            lappend Items [$Body create rectangle -10 $y 100000 [expr {$y + $RowHeight}] -width 0 -outline {}]
            lappend Cells {}
        }
        set shown [llength [$Columns shown]]
        for {set row 0} {$row < [llength $Items]} {incr row} {
            set y [expr {$row * $RowHeight + $RowHeight / 2}]
            for {set column [llength [lindex $Cells $row]]} {$column < $shown} {incr column} {
                set id [$Body create text [$Columns textX $column] $y -anchor [$Columns textAnchor $column] -font $Font]
                lset Cells $row [linsert [lindex $Cells $row] end $id]
            }
        }
    }

    # Puts the texts where the widths of their columns say.
    method place {} {
        for {set place 0} {$place < [llength [$Columns shown]]} {incr place} {
            set x [$Columns textX $place]
            set row 0
            foreach cells $Cells {
                set id [lindex $cells $place]
                if {$id ne {}} {$Body coords $id $x [expr {$row * $RowHeight + $RowHeight / 2}]}
                incr row
            }
        }
        $Body configure -scrollregion [list 0 0 [expr {max([$Columns totalWidth], 1)}] 1]
    }

    method drawPlaceholder {} {
        $Body delete placeholder
        if {[$Data count] > 0 || [$Data busy]} return
        set total [$Data total]
        set text [expr {$total > 0
            ? "no [$List cget -noun] of [::tactus::player::text::group $total] passes the filter"
            : [$List cget -placeholder]}]
        set left [$Body canvasx 0]
        $Body create text [expr {$left + [winfo width $Body] / 2}] [expr {max($RowHeight, [winfo height $Body] / 3)}] \
            -text $text -fill [dict get $Colors muted] -font $Font -tags placeholder -justify center \
            -width [expr {max(40, [winfo width $Body] - 20)}]
    }

    # Numbers stand by their decimal points: how many decimals a column has had at most since its relation came. Those
    # with a unit, which differs from row to row, stand at the right.
    method measureFractions {columns} {
        foreach item $columns {
            lassign $item - index column
            if {[dict get $column type] eq "text"} continue
            set most [expr {[dict exists $Fractions $index] ? [dict get $Fractions $index] : 0}]
            foreach row [$Data page] {
                set text [$Columns valueText $column [lindex $row $index]]
                set point [string first . $text]
                if {[string first " " $text] >= 0} continue
                if {$point >= 0} {set most [expr {max($most, [string length $text] - $point - 1)}]}
            }
            dict set Fractions $index $most
        }
    }

    method drawRow {row columns} {
        set place [expr {$First + $row}]
        set index [expr {$place - [$Data pageFirst]}]
        set there [expr {$index >= 0 && $index < [llength [$Data page]]}]
        set values [lindex [$Data page] $index]
        set selected [expr {$there && [$Selection contains $place]}]
        set background [expr {$selected ? "select" : $place % 2 && $there ? "stripe" : "field"}]
        set frame [expr {$there && $place == [$Selection current] && [focus -displayof $Body] eq $Body
            ? [dict get $Colors accent] : {}}]
        $Body itemconfigure [lindex $Items $row] -fill [dict get $Colors $background] -outline $frame \
            -width [expr {$frame ne {}}]
        set cells [lindex $Cells $row]
        foreach item $columns {
            lassign $item place index column
            set id [lindex $cells $place]
            if {$there && [dict get $column name] in $Drawn} {
                my drawPicture $id $row [$Columns left $place] [$Columns width [dict get $column name]] $values
                continue
            }
            if {$there} {my drawCell $id $index $column $values $selected} else {$Body itemconfigure $id -text {}}
        }
    }

    # Lets a panel draw a cell in place of its text.
    method drawPicture {id row left width values} {
        $Body itemconfigure $id -text {}
        {*}$Drawer $Body $left [expr {$row * $RowHeight}] [expr {$left + $width}] [expr {($row + 1) * $RowHeight}] \
            [expr {$First + $row}] $values
    }

    method drawCell {id index column values selected} {
        set value [lindex $values $index]
        set color [expr {$selected ? "onselect" : "foreground"}]
        set name [dict get $column name]
        if {$name in $Signs} {
            lassign [::tactus::player::look::sign $value] sign signColor
            if {$sign ne {}} {set value "$sign $value"}
            if {!$selected} {set color $signColor}
        } elseif {$name in $Painted && !$selected} {
            set painted [{*}$Painter $name $value $values]
            if {$painted ne {}} {set color $painted}
        }
        $Body itemconfigure $id -text [my cellText $index $column $value] -fill [dict get $Colors $color]
    }

    # Numbers are padded to the column's decimals by figure spaces (as wide as digits).
    method cellText {index column value} {
        if {$value eq {}} {return {}}
        set width [expr {[$Columns width [dict get $column name]] - 2 * [$Columns padding]}]
        set text [$Columns valueText $column $value]
        set fits [::tactus::player::text::cut $text $Font $width]
        if {[string index $fits end] eq "\u2026"} {
            $Columns need [dict get $column name] [::tactus::player::text::visible $text 400]
        }
        if {[dict get $column type] eq "text"} {return $fits}
        set most [dict get $Fractions $index]
        if {$fits ne $text || !$most || [string first " " $text] >= 0} {return $fits}
        set point [string first . $text]
        set missing [expr {$point < 0 ? $most : $most - ([string length $text] - $point - 1)}]
        if {$missing <= 0} {return $text}
        set padded $text[expr {$point < 0 ? "\u2008" : {}}][string repeat \u2007 $missing]
        if {[font measure $Font $padded] > $width} {return $text}
        return $padded
    }
}
