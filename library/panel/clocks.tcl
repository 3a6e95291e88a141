# panel/clocks.tcl -- class ClocksPanel: the synchronization of the processors' clocks: the fit of each pair of
# processors (offset, drift, residuals, lost messages), a plot of a pair's residuals over time, and the messages that
# still arrive before they were sent. A click on a violation or a point goes there.
#
# The axes of the plot are those of most points: one message with a wild time would make one point of all others. What
# lies outside is drawn hollow at the border, and counted below.

::tactus::need list/list outlier

oo::class create ::tactus::player::ClocksPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace Pairs Violations Plot Points Pair Limit Scale Sync Range

    # Two lists above one another, pairs and violations, and the plot beside them.
    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Limit 4000
        lassign {{} {} {} {} {}} Points Pair Scale Sync Range
        ttk::panedwindow $Frame.h -orient horizontal
        ttk::panedwindow $Frame.h.v -orient vertical
        set Pairs $Frame.h.v.pairs
        set Violations $Frame.h.v.violations
        set Plot $Frame.h.plot
        my listIn $Pairs -name clock-pairs -noun pair -filterbar 0 -rows 3 \
            -placeholder "no synchronization messages: all times are as written"
        my listIn $Violations -name clock-violations -noun violation -filterbar 0 -rows 3 \
            -command [namespace code {my goToViolation}] \
            -placeholder "no message arrives before it was sent"
        canvas $Plot -highlightthickness 0 -borderwidth 0 -width [look::points 220] -height 60
        $Frame.h.v add $Pairs -weight 1
        $Frame.h.v add $Violations -weight 1
        $Frame.h add $Frame.h.v -weight 3
        $Frame.h add $Plot -weight 2
        pack $Frame.h -fill both -expand 1
        bind $Pairs <<ListboxSelect>> [namespace code {my pairChosen}]
        bind $Plot <Configure> [namespace code {my whenSeen drawPlot}]
        bind $Plot <Button-1> [namespace code {my plotClick %x %y}]
        tip::add $Plot [namespace code {my plotTip}]
    }

    method themeChanged {} {
        my whenSeen drawPlot
    }

    method traceChanged {} {
        lassign {{} {} {} {}} Points Pair Sync Range
        foreach list [list $Pairs $Violations] {$list configure -relation {}}
        if {$Trace ne {}} {
            set Sync [$Trace sync]
            $Pairs configure -relation [$Trace relation pairs]
            $Violations configure -relation [$Trace relation messages]
            if {[$Pairs count]} {
                set Range [lrange [::tactus::outlier::find $Trace] 0 1]
                $Pairs current 0
            }
        }
        my whenSeen drawPlot
    }

    method pairChosen {} {
        set place [$Pairs current]
        if {$place < 0 || $Trace eq {}} return
        set pair [[$Pairs relation] id $place]
        if {$pair eq $Pair && $Points ne {}} return
        set Pair $pair
        set Points {}
        catch {set Points [$Trace residuals $pair -limit $Limit]}
        my whenSeen drawPlot
    }

    method goToViolation {place} {
        foreach column {received sent time} {
            if {![catch {$Violations value $place $column} time] && $time ne {}} {return [my go -time $time]}
        }
    }

    # ---- the plot ----------------------------------------------------------------------------------------------------

    method drawPlot {} {
        set color look::color
        set px look::points
        $Plot delete all
        $Plot configure -background [$color field]
        set Scale {}
        set width [winfo width $Plot]
        set height [winfo height $Plot]
        if {![llength $Points] || $width < [$px 90] || $height < [$px 60]} {
            if {![llength $Points] && $width > 20} {
                $Plot create text [expr {$width / 2}] [expr {$height / 2}] \
                    -text [expr {$Pair eq {} ? "" : "no residuals"}] \
                    -fill [$color muted] -width [expr {$width - 8}]
            }
            return
        }
        my makeScale $width $height
        my drawAxes
        my drawPoints
    }

    # Scale: left right top bottom, first last time, low high residual (doubles: for drawing only).
    method makeScale {width height} {
        set px look::points
        set near [my near]
        set times [lmap point $near {expr {double([lindex $point 0])}}]
        set values [lmap point $near {expr {double([lindex $point 1])}}]
        set first [tcl::mathfunc::min {*}$times]
        set last [tcl::mathfunc::max {*}$times]
        set most [tcl::mathfunc::max {*}[lmap value $values {expr {abs($value)}}]]
        if {$last <= $first} {set last [expr {$first + 1}]}
        if {$most <= 0} {set most 1}
        set most [expr {$most * 1.15}]
        set label [font measure TkDefaultFont [my tickText [my step [expr {2 * $most}] 4]]-0.]
        set Scale [dict create left [expr {$label + [$px 8]}] right [expr {$width - [$px 10]}] \
            top [expr {[font metrics TkDefaultFont -linespace] + [$px 6]}] \
            bottom [expr {$height - 2 * [font metrics TkDefaultFont -linespace] - [$px 7]}] \
            first $first last $last low [expr {-$most}] high $most]
    }

    # The points that the axes are for: those within the range of most events, with residuals of at most twenty times
    # what three quarters have, as where clocks are fitted.
    method near {} {
        set near [lmap point $Points {
            set time [lindex $point 0]
            if {$Range ne {} && ($time < [lindex $Range 0] || $time > [lindex $Range 1])} continue
            set point
        }]
        if {![llength $near]} {return $Points}
        set sizes [lsort -real [lmap point $near {expr {abs([lindex $point 1])}}]]
        set some [lsearch -all -inline -not -real $sizes 0]
        set usual [lindex $sizes [expr {3 * ([llength $sizes] - 1) / 4}]]
        set most [expr {20 * ($usual > 0 || ![llength $some] ? $usual : [lindex $some 0])}]
        lmap point $near {
            if {abs([lindex $point 1]) > $most} continue
            set point
        }
    }

    # Is a point beyond the axes?
    method isOutside {time value} {
        dict with Scale {expr {$time < $first || $time > $last || $value < $low || $value > $high}}
    }

    # A step of 1, 2 or 5 times a power of ten of which a range has about `count`.
    method step {range count} {
        set raw [expr {double($range) / max(1, $count)}]
        set power [expr {10.0 ** floor(log10($raw))}]
        foreach factor {1 2 5 10} {
            if {$factor * $power >= $raw * 0.999} {return [expr {$factor * $power}]}
        }
    }

    method tickText {value} {
        if {abs($value) < 1e-12} {return 0}
        regsub {^-} [::tactus::format %.10g $value] \u2212
    }

    method x {time} {
        dict with Scale {expr {$left + ($time - $first) * ($right - $left) / ($last - $first)}}
    }
    method y {value} {
        dict with Scale {expr {$bottom - ($value - $low) * ($bottom - $top) / ($high - $low)}}
    }

    # Draws grid lines with their labels: residuals at the left, times below, as many as have room.
    method drawAxes {} {
        set color look::color
        set px look::points
        dict with Scale {
            set fore [$color foreground]
            set step [my step [expr {$high - $low}] [expr {max(2, ($bottom - $top) / [$px 22])}]]
            for {set i [expr {ceil($low / $step)}]} {$i * $step <= $high} {set i [expr {$i + 1}]} {
                set y [my y [expr {$i * $step}]]
                $Plot create line $left $y $right $y \
                    -fill [look::mix [$color field] $fore [expr {$i == 0 ? 0.5 : 0.12}]]
                $Plot create text [expr {$left - [$px 3]}] $y -anchor e \
                    -text [my tickText [expr {$i * $step}]] -fill $fore
            }
            set step [my step [expr {$last - $first}] [expr {max(1, ($right - $left) / [$px 70])}]]
            for {set i [expr {ceil($first / $step)}]} {$i * $step <= $last} {set i [expr {$i + 1}]} {
                set x [my x [expr {$i * $step}]]
                $Plot create line $x $bottom $x [expr {$bottom + [$px 3]}] -fill $fore
                $Plot create text $x [expr {$bottom + [$px 3]}] -anchor n \
                    -text [my tickText [expr {$i * $step}]] -fill $fore
            }
            $Plot create line $left $top $left $bottom $right $bottom -fill $fore
            my drawTitles $left $right $bottom
            my drawOutside $left
        }
    }

    method drawTitles {left right bottom} {
        set color look::color
        set unit [my unit]
        lassign [my ends] a b
        set a [text::visible $a 30]
        set b [text::visible $b 30]
        set title "residual$unit   \u25b2 $a \u2192 $b   \u25cf $b \u2192 $a"
        $Plot create text 4 [look::points 2] -anchor nw -fill [$color foreground] \
            -text [text::cut $title TkDefaultFont [expr {[winfo width $Plot] - 8}]]
        $Plot create text $right [expr {[winfo height $Plot] - [look::points 1]}] -anchor se -fill [$color muted] \
            -text "time$unit"
    }

    # Says how many points are beyond the axes, and how far.
    method drawOutside {left} {
        set sizes [lmap point $Points {
            lassign $point time value
            if {![my isOutside $time $value]} continue
            expr {abs($value)}
        }]
        if {![llength $sizes]} return
        set text "[llength $sizes] of [llength $Points] outside, up to\
            [::tactus::format %.3g [tcl::mathfunc::max {*}$sizes]]"
        set room [expr {[winfo width $Plot] - $left - 2 * [font measure TkDefaultFont "time[my unit]"]}]
        $Plot create text $left [expr {[winfo height $Plot] - [look::points 1]}] -anchor sw -tags outside \
            -text [text::cut $text TkDefaultFont $room] -fill [look::color error]
    }

    method unit {} {
        set unit [expr {$Trace eq {} ? {} : [units::unit $View]}]
        expr {$unit eq {} ? {} : " ([text::visible $unit 12])"}
    }

    # The processors of the pair.
    method ends {} {
        set pair [lindex [dict get $Sync pairs] $Pair]
        list [dict get $pair a] [dict get $pair b]
    }

    # Draws the residuals: an upward triangle for messages from a to b, a circle for those from b to a.
    method drawPoints {} {
        set color look::color
        set size [expr {max(2.0, [tk scaling] * 1.8)}]
        set index 0
        foreach point $Points {
            lassign $point time value direction
            set outside [my isOutside $time $value]
            dict with Scale {
                set x [my x [expr {min(max($time, $first), $last)}]]
                set y [my y [expr {min(max($value, $low), $high)}]]
            }
            set paint [$color [expr {$direction eq "from_a" ? "accent" : "warning"}]]
            set paint [expr {$outside ? [list -fill {} -outline $paint] : [list -fill $paint -outline {}]}]
            if {$direction eq "from_a"} {
                $Plot create polygon $x [expr {$y - $size}] [expr {$x + $size}] [expr {$y + $size}] \
                    [expr {$x - $size}] [expr {$y + $size}] {*}$paint -tags [list point p$index]
            } else {
                $Plot create oval [expr {$x - $size}] [expr {$y - $size}] [expr {$x + $size}] [expr {$y + $size}] \
                    {*}$paint -tags [list point p$index]
            }
            incr index
        }
    }

    method pointAt {x y} {
        if {$Scale eq {}} {return {}}
        set best {}
        set near [look::points 6]
        foreach id [$Plot find overlapping [expr {$x - $near}] [expr {$y - $near}] [expr {$x + $near}] \
            [expr {$y + $near}]] {
            if {[regexp {p(\d+)} [$Plot gettags $id] -> index]} {set best [lindex $Points $index]}
        }
        return $best
    }

    method plotTip {x y} {
        lassign [my pointAt $x $y] time value direction
        if {$time eq {}} {return {}}
        set text "residual [units::length $View $value 6] at [units::time $View $time]"
        return $text[expr {$direction eq {} ? {} : "\n[text::visible $direction 80]"}]
    }

    method plotClick {x y} {
        set point [my pointAt $x $y]
        if {$point ne {}} {my go -time [lindex $point 0]}
    }
}
