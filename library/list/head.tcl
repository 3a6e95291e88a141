# list/head.tcl -- class ListHead: the headings of a list. A click sorts (ascending, descending, as it was), edges are
# dragged for widths (twice clicked: as wide as the page needs), headings are dragged for another order, and a menu
# chooses the columns.
#
#   draw              headings as the columns and the sorting are now
#   readTheme HEIGHT  other colours or fonts: height of a row
#   xview             scrolls with the rows
#   tip X Y           the tooltip's text

oo::class create ::tactus::player::ListHead {
    variable List Data Columns Path Head Font Drag

    constructor {list path data columns font} {
        lassign [list $list $path $data $columns $font] List Path Data Columns Font
        set Drag {}    ;# {kind column pixel width}; kind: width, press (not moved yet), move
        set Head $Path.head
        canvas $Head -highlightthickness 0 -borderwidth 0 -takefocus 0
        grid $Head -row 1 -column 0 -sticky ew
        bind $Head <Motion> [namespace code {my motion %x}]
        bind $Head <Button-1> [namespace code {my press %x}]
        bind $Head <B1-Motion> [namespace code {my drag %x}]
        bind $Head <ButtonRelease-1> [namespace code {my release %x}]
        bind $Head <Double-Button-1> [namespace code {my double %x}]
        bind $Head <Button-3> [namespace code {my menu %X %Y}]
        ::tactus::player::tip::add $Head [namespace code {my tip}]
    }

    method xview {args} {
        $Head xview {*}$args
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method readTheme {rowHeight} {
        $Head configure -background [::tactus::player::look::color heading] \
            -height [expr {$rowHeight + [::tactus::player::look::points 1.5]}]
    }

    method draw {} {
        $Head delete all
        $Head configure -scrollregion [list 0 0 [expr {max([$Columns totalWidth], 1)}] 1]
        set line [::tactus::player::look::color line]
        set height [$Head cget -height]
        set x 0
        foreach name [$Columns shown] {
            my drawHeading $name $x $height
            incr x [$Columns width $name]
            $Head create line [expr {$x - 1}] 3 [expr {$x - 1}] [expr {$height - 3}] -fill $line
        }
        $Head create line -10 [expr {$height - 1}] 100000 [expr {$height - 1}] -fill $line
    }

    # The name stands where the column's values do, the arrow of the sorting at the other side.
    method drawHeading {name x height} {
        lassign [$Data sorting] sorted decreasing
        set arrow [expr {$name eq $sorted ? [expr {$decreasing ? "\u25be" : "\u25b4"}] : {}}]
        set arrowWidth [expr {$arrow eq {} ? 0 : [font measure $Font "$arrow "]}]
        set left [expr {$x + [$Columns padding]}]
        set right [expr {$x + [$Columns width $name] - [$Columns padding]}]
        set text [::tactus::player::text::cut $name $Font [expr {$right - $left - $arrowWidth}]]
        set y [expr {$height / 2}]
        set foreground [::tactus::player::look::color foreground]
        set accent [::tactus::player::look::color accent]
        if {[$Columns isText $name]} {
            $Head create text $left $y -anchor w -font $Font -text $text -fill $foreground
            $Head create text $right $y -anchor e -font $Font -text $arrow -fill $accent
        } else {
            $Head create text $right $y -anchor e -font $Font -text $text -fill $foreground
            $Head create text $left $y -anchor w -font $Font -text $arrow -fill $accent
        }
    }

    # ---- mouse -------------------------------------------------------------------------------------------------------

    method motion {x} {
        if {$Drag ne {}} return
        set edge [$Columns edgeAt [$Head canvasx $x]]
        $Head configure -cursor [expr {$edge eq {} ? {} : "sb_h_double_arrow"}]
    }

    method tip {x y} {
        set name [$Columns at [$Head canvasx $x]]
        if {$name eq {}} {return {}}
        set help [dict get [$Data column $name] help]
        return "$name[expr {$help eq {} ? {} : ": $help"}]\nclick sorts, right click chooses columns"
    }

    method press {x} {
        set edge [$Columns edgeAt [$Head canvasx $x]]
        set under [$Columns at [$Head canvasx $x]]
        if {$edge ne {}} {
            set Drag [list width $edge $x [$Columns width $edge]]
        } elseif {$under ne {}} {
            set Drag [list press $under $x 0]
        }
    }

    method drag {x} {
        if {$Drag eq {}} return
        lassign $Drag kind name from width
        if {$kind eq "width"} {return [$List setWidth $name [expr {$width + $x - $from}]]}
        if {$kind eq "press" && abs($x - $from) < [::tactus::player::look::points 6]} return
        lset Drag 0 move
        $Head configure -cursor fleur
        $Head delete target
        lassign [$Columns dropTarget [$Head canvasx $x]] edge
        $Head create line $edge 0 $edge 1000 -width 2 -fill [::tactus::player::look::color accent] -tags target
    }

    method release {x} {
        if {$Drag eq {}} return
        lassign $Drag kind name
        set Drag {}
        $Head delete target
        $Head configure -cursor {}
        switch $kind {
            width {$Columns keepWidths}
            press {my sort $name}
            move {$List show [$Columns moved $name [lindex [$Columns dropTarget [$Head canvasx $x]] 1]]}
        }
    }

    method sort {name} {
        lassign [$Data sorting] sorted decreasing
        if {$name ne $sorted} {
            $List sort $name
        } elseif {!$decreasing} {
            $List sort $name 1
        } else {
            $List sort {}
        }
    }

    method double {x} {
        set edge [$Columns edgeAt [$Head canvasx $x]]
        if {$edge eq {}} {return [my press $x]}
        $List fit $edge
    }

    method menu {x y} {
        set menu $Path.columns
        destroy $menu
        menu $menu -tearoff 0
        foreach name [$Data names] {
            $menu add command -label "[expr {$name in [$Columns shown] ? "\u2713" : "\u2007\u2007"}] $name" \
                -command [namespace code [list my toggle $name]]
        }
        $menu add separator
        $menu add command -label "All Columns" -command [namespace code {$List show [$Data names]}]
        $menu add command -label "As at First" -command [list $List resetColumns]
        catch {::tactus::player::theme adopt $menu}
        tk_popup $menu $x $y
    }

    method toggle {name} {
        $List show [$Columns toggled $name]
    }
}
