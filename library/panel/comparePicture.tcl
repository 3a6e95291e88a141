# panel/comparePicture.tcl -- class ComparePicture: two distributions over one axis, on a canvas: shares of the jobs,
# where both are, and where only one is; the medians; a legend.

::tactus::need panel/compareRows player/text player/look

oo::class create ::tactus::player::ComparePicture {
    variable Canvas First Second Names Axis Text

    constructor {canvas} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Canvas $canvas
        canvas $canvas -highlightthickness 0 -borderwidth 0 -width 10 -height 10 -takefocus 0
        my clear
        bind $canvas <Configure> [namespace code {my draw}]
        bind $canvas <Destroy> [namespace code {my destroy}]
    }

    # Shows a sentence.
    method clear {{text {}}} {
        lassign [list {} {} $text] First Second Text
        my draw
    }

    # first, second: {value count ...}; names of the traces; axis: what is told, with its unit.
    method show {first second names axis} {
        lassign [list $first $second $names $axis {}] First Second Names Axis Text
        my draw
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method draw {} {
        if {![winfo exists $Canvas]} return
        $Canvas delete all
        $Canvas configure -background [look::color field]
        lassign [list [winfo width $Canvas] [winfo height $Canvas]] width height
        if {$width < 40 || $height < 40} return
        if {![llength $First] && ![llength $Second]} {
            $Canvas create text [expr {$width / 2}] [expr {$height / 2}] -text $Text -width [expr {$width - 20}] \
                -justify center -font TkDefaultFont -fill [look::color muted]
            return
        }
        set line [font metrics TactusSmall -linespace]
        set left [expr {[font measure TactusSmall "100 %"] + [look::points 6]}]
        set area [list $left [expr {$line + [look::points 6]}] [expr {$width - [look::points 10]}] \
            [expr {$height - 2 * $line - [look::points 5]}]]
        my Legend $line $width
        if {[lindex $area 3] - [lindex $area 1] < 10} return
        my Bars $area
    }

    method Legend {line width} {
        set x [look::points 4]
        set y [expr {[look::points 3] + $line / 2}]
        foreach color {first second} values [list $First $Second] name $Names {
            set text "$name (n = [text::group [compared::total $values]])"
            set size [look::points 6]
            $Canvas create rectangle $x [expr {$y - $size / 2}] [expr {$x + $size}] [expr {$y + $size / 2}] \
                -fill [my Light $color] -outline [look::color $color]
            incr x [expr {$size + [look::points 3]}]
            set text [text::cut $text TactusSmall [expr {$width / 2 - $size - [look::points 8]}]]
            $Canvas create text $x $y -anchor w -font TactusSmall -text $text -fill [look::color foreground]
            incr x [expr {[font measure TactusSmall $text] + [look::points 9]}]
        }
    }

    method Light {color} {look::mix [look::color field] [look::color $color] 0.38}

    # The bars: what both have, and what one has more, below the outline of each.
    method Bars {area} {
        lassign $area left top right bottom
        set bins [compared::bins $First $Second [expr {max(8, min(60, ($right - $left) / [look::points 6]))}]]
        set count [llength [dict get $bins first]]
        set highest [tcl::mathfunc::max {*}[dict get $bins first] {*}[dict get $bins second]]
        set wide [expr {($right - $left) / double($count)}]
        set both [look::mix [my Light first] [my Light second] 0.5]
        foreach side {first second} {set line($side) [list $left $bottom]}
        set n 0
        foreach a [dict get $bins first] b [dict get $bins second] {
            set x [expr {$left + $n * $wide}]
            incr n
            set end [expr {$left + $n * $wide}]
            foreach share [list $a $b] name {ya yb} {
                set $name [expr {$share > 0 ? min($bottom - 1, $bottom - $share / $highest * ($bottom - $top))
                    : $bottom}]
            }
            set lower [expr {max($ya, $yb)}]
            if {$lower < $bottom} {my Box $x $lower $end $bottom $both}
            if {$ya < $lower} {my Box $x $ya $end $lower [my Light first]}
            if {$yb < $lower} {my Box $x $yb $end $lower [my Light second]}
            lappend line(first) $x $ya $end $ya
            lappend line(second) $x $yb $end $yb
        }
        foreach side {first second} {
            $Canvas create line {*}$line($side) $right $bottom -fill [look::color $side] -width [look::points 1]
        }
        set from [dict get $bins from]
        set to [expr {$from + $count * [dict get $bins step]}]
        my Medians $area $from $to
        my Axes $area $from $to $highest
    }

    method Box {left top right bottom color} {
        $Canvas create rectangle $left $top $right $bottom -fill $color -outline {}
    }

    method Medians {area from to} {
        lassign $area left top right bottom
        foreach side {first second} values [list $First $Second] dash {{4 3} {1 3}} {
            if {![llength $values]} continue
            set x [expr {$left + ([compared::percentile $values 50] - $from) / ($to - $from) * ($right - $left)}]
            $Canvas create line $x $top $x $bottom -fill [look::color $side] -dash $dash -width [look::points 1]
        }
    }

    method Axes {area from to highest} {
        lassign $area left top right bottom
        set color [look::color foreground]
        $Canvas create line $left $bottom $right $bottom -fill [look::color line]
        $Canvas create line $left $top $left $bottom -fill [look::color line]
        foreach {share y} [list $highest $top 0 $bottom] {
            $Canvas create text [expr {$left - [look::points 2]}] $y -anchor e -font TactusSmall -fill $color \
                -text "[::tactus::format %.3g [expr {100 * $share}]] %"
        }
        set step [compared::niceStep [expr {$to - $from}] [expr {max(2, ($right - $left) / [look::points 45])}]]
        for {set n [expr {ceil($from / $step - 1e-9)}]} {$n * $step <= $to + 1e-9 * $step} {set n [expr {$n + 1}]} {
            set x [expr {$left + ($n * $step - $from) / ($to - $from) * ($right - $left)}]
            $Canvas create line $x $bottom $x [expr {$bottom + [look::points 2]}] -fill [look::color line]
            $Canvas create text $x [expr {$bottom + [look::points 2]}] -anchor n -font TactusSmall -fill $color \
                -text [text::number [::tactus::format %.9g [expr {$n * $step + 0.0}]]]
        }
        $Canvas create text [expr {($left + $right) / 2}] [winfo height $Canvas] -anchor s -font TactusSmall \
            -fill [look::color muted] -text "$Axis; dashed: the medians"
    }
}
