# player/overview.tcl -- class Overview: the strip over the timeline: the density of the whole trace, and the range
# seen, which can be dragged.
#
#   mouse: in the range it is moved, on its edges resized, elsewhere it is brought there; double click: everything
#   ticks: findings at the top, marks and hits of the search at the bottom
#
# The density comes from the trace (one count a pixel), and is asked for again when the trace or the width changes. The
# range follows the timeline, at idle time.

oo::class create ::tactus::player::Overview {
    variable Canvas View Timer Stale Drag Width
    variable First Last Length Far      ;# first and last time; their difference; are they too large for doubles?

    constructor {canvas view} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Canvas $canvas
        set View $view
        lassign {} Timer Drag First Last
        lassign {0 0} Length Far
        set Stale {}
        set Width 0
        foreach {event what} {
            TraceOpened all TraceReloaded all TraceClosed all ThemeChanged all Zoomed range
            FindingsChanged ticks NotesChanged ticks MarksChanged ticks HitsChanged ticks SelectionChanged selection
        } {listen $event [namespace code [list my Heard $what]] $canvas}
        bind $canvas <Configure> [namespace code {my Resized %w}]
        foreach {sequence call} {
            <Button-1> {Press %x} <B1-Motion> {Move %x} <ButtonRelease-1> {Release} <Motion> {Hover %x}
            <Double-Button-1> {Everything} <Button-4> {Wheel 1 %x} <Button-5> {Wheel -1 %x}
        } {bind $canvas $sequence [namespace code "my $call"]}
        bind $canvas <Destroy> [namespace code {my destroy}]
    }

    destructor {after cancel $Timer}

    method Heard {what view args} {
        if {$view eq $View || $view eq {}} {my Later $what}
    }

    method Later {what} {
        if {$what ni $Stale} {lappend Stale $what}
        if {$Timer eq {}} {set Timer [after idle [namespace code {my Draw}]]}
    }

    method Resized {width} {
        if {$width == $Width} return
        set Width $width
        my Later all
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method Draw {} {
        set Timer {}
        if {![winfo exists $Canvas]} return
        set stale $Stale
        set Stale {}
        if {"all" in $stale} {
            set stale {density range ticks selection}
            $Canvas delete all
        }
        if {[$View trace] eq {}} return
        lassign [[$View timeline] span] First Last
        set Length [::tactus::times::subtract $Last $First]
        # Doubles have no room for seconds since 1970 with nanoseconds: then differences are made of digits, which takes
        # longer.
        set Far [expr {abs($First) > 1e6 * $Length}]
        foreach what {density selection range ticks} {
            if {$what in $stale} {my Draw[string totitle $what]}
        }
    }

    method Height {} {winfo height $Canvas}

    method X {time} {
        if {$Length == 0} {return 0}
        set offset [expr {$Far ? [::tactus::times::subtract $time $First] : $time - $First}]
        expr {max(-10, min($Width + 10, double($offset) / $Length * $Width))}
    }

    method Time {x} {
        ::tactus::times::add $First [expr {double($x) / max(1, $Width) * $Length}]
    }

    # Draws the density as the roots of counts, so that a single event is seen beside a burst.
    method DrawDensity {} {
        $Canvas delete density
        $Canvas configure -background [theme color base]
        if {$Width < 2 || [catch {[$View trace] density $Width -from $First -to $Last} counts]} return
        set most 1
        foreach count $counts {if {$count > $most} {set most $count}}
        set height [my Height]
        set scale [expr {($height - [px 5]) / sqrt($most)}]
        set points [list 0 $height]
        set x 0
        foreach count $counts {
            set y [expr {$height - ($count ? max(1, round(sqrt($count) * $scale)) : 0)}]
            lappend points $x $y [incr x] $y
        }
        lappend points $x $height
        $Canvas create polygon $points -fill [theme color density] -outline {} -tags density
        $Canvas lower density
    }

    # Shades all but the range seen, which has edges that can be dragged. Of a trace without length all is seen.
    method DrawRange {} {
        $Canvas delete range
        if {$Length == 0} return
        lassign [[$View timeline] view] from to
        set left [my X $from]
        set right [expr {max([my X $to], $left + 2)}]
        set height [my Height]
        set shade [list -fill [theme color background] -outline {} -stipple gray50 -tags range]
        $Canvas create rectangle -1 -1 $left $height {*}$shade
        $Canvas create rectangle $right -1 [expr {$Width + 1}] $height {*}$shade
        set color [theme color accent]
        $Canvas create rectangle $left 0 $right [expr {$height - 1}] -outline $color -width [px 1] -tags range
        foreach x [list $left $right] {
            $Canvas create rectangle [expr {$x - [px 1.5]}] [expr {$height * 0.3}] [expr {$x + [px 1.5]}] \
                [expr {$height * 0.7}] \
                -fill $color -outline {} -tags range
        }
        $Canvas raise tick
    }

    method DrawSelection {} {
        $Canvas delete selection
        set selection [$View selection]
        if {$selection eq {}} return
        set left [my X [lindex $selection 0]]
        set right [expr {max([my X [lindex $selection 1]], $left + 1)}]
        $Canvas create rectangle $left [expr {[my Height] - [px 4]}] $right [my Height] -fill [theme color accent] \
            -outline {} -tags selection
    }

    method DrawTicks {} {
        $Canvas delete tick
        set height [my Height]
        set findings {}
        catch {set findings [[$View trace] finding list]}
        my Ticks [lmap finding $findings {dict get $finding time}] 0 [px 6] error
        my Ticks [dict values [$View markers]] [expr {$height - [px 9]}] $height accent
        my Ticks [$View option hits] [expr {$height - [px 6]}] $height warning
    }

    # Draws ticks at times, at most one a pixel.
    method Ticks {times top bottom color} {
        set seen {}
        foreach time $times {
            if {$time eq {}} continue
            set x [expr {round([my X $time])}]
            if {[dict exists $seen $x]} continue
            dict set seen $x 1
            $Canvas create line $x $top $x $bottom -fill [theme color $color] -width [px 2] -tags tick
        }
    }

    # ---- the mouse ---------------------------------------------------------------------------------------------------

    # The part of the range at a pixel: left or right (an edge), inside, outside.
    method At {x} {
        lassign [[$View timeline] view] from to
        set left [my X $from]
        set right [my X $to]
        set slack [px 4]
        if {abs($x - $right) <= $slack && $x >= ($left + $right) / 2} {return right}
        if {abs($x - $left) <= $slack} {return left}
        expr {$x > $left && $x < $right ? "inside" : "outside"}
    }

    method Hover {x} {
        if {[$View trace] eq {}} return
        $Canvas configure \
            -cursor [dict get {left sb_h_double_arrow right sb_h_double_arrow inside fleur outside hand2} [my At $x]]
    }

    method Press {x} {
        if {[$View trace] eq {} || $Last eq {}} return
        set w [$View timeline]
        history::record $w overview[clock microseconds]
        set part [my At $x]
        lassign [$w view] from to
        if {$part eq "outside"} {
            set half [expr {[::tactus::times::subtract $to $from] / 2.0}]
            $w view [::tactus::times::subtract [my Time $x] $half] [::tactus::times::add [my Time $x] $half]
            lassign [$w view] from to
            set part inside
        }
        set Drag [list $part $x $from $to]
    }

    method Move {x} {
        if {$Drag eq {} || [$View trace] eq {}} return
        lassign $Drag part start from to
        set by [::tactus::times::subtract [my Time $x] [my Time $start]]
        set w [$View timeline]
        set left [::tactus::times::add $from $by]
        set right [::tactus::times::add $to $by]
        switch -- $part {
            inside {$w view {*}[my Inside $left $right]}
            left {if {[::tactus::times::compare $left $to] < 0} {$w view $left $to}}
            right {if {[::tactus::times::compare $right $from] > 0} {$w view $from $right}}
        }
    }

    # A range moved into the trace: at the ends it stops and does not shrink.
    method Inside {from to} {
        set length [::tactus::times::subtract $to $from]
        if {[::tactus::times::compare $from $First] < 0} {return [list $First [::tactus::times::add $First $length]]}
        if {[::tactus::times::compare $to $Last] > 0} {return [list [::tactus::times::subtract $Last $length] $Last]}
        list $from $to
    }

    method Release {} {set Drag {}}

    method Everything {} {
        set Drag {}
        if {[$View trace] ne {}} {::tactus::timeline::everything [$View timeline]}
    }

    method Wheel {direction x} {
        if {[$View trace] eq {} || $Last eq {}} return
        history::record [$View timeline] wheel
        [$View timeline] zoom [expr {$direction > 0 ? 1.25 : 0.8}] [my Time $x]
    }
}
