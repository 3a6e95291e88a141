# player/overview.tcl -- class Overview: the strip over the timeline: how busy each processor was over the whole trace,
# and the range seen.
#
#   +-------------------------------------+
#   |   '    '' '                         |  findings, errors over warnings over notes, and misses; a click goes there
#   | ........####################....A...|  a band for each processor, or their mean where there are many; what is
#   | ........####################........|  seen is bright; markers A and B
#   |      ----        '  '               |  the selection, marks, hits of the search
#   +-------------------------------------+
#
#   mouse: a drag chooses a range; the range seen is moved by a drag in it, and its edges are dragged; the right button
#   or Shift chooses anywhere; a click elsewhere brings the range there; double click: everything; wheel: zoom
#
# Utilization comes from the trace (a share for each pixel), and is asked for again when the trace, the width or the
# extent changes: processor by processor, at idle time, so that no trace blocks the window. A trace in which nothing
# runs shows the number of its events. The extent is the whole trace, or, while what is seen lies in there, the range
# that the option `extent` of the view has: the trace without times that lie far from all others (player/outlier.tcl).

::tactus::need player/later player/look player/tip player/units

oo::class create ::tactus::player::Overview {
    mixin ::tactus::player::Later
    variable Canvas View Stale Width Height
    variable First Last Length Far      ;# first and last time; their difference; are they too large for doubles?
    variable Queue                      ;# processors that are to be asked for
    variable Shares                     ;# shares by pixel: a list for each that was, one of all where they are many
    variable Bands                      ;# list of {bottom xs ys corners}: pixels, from which on it has this height
    variable Drag                       ;# {part x from to}, the range seen at the press; {}: no drag
    variable Counts                     ;# dict of severity -> findings by pixel, and of misses -> missed deadlines
    # dict of pixel -> the gravest listed finding there; {unknown}: it is made when one is asked for
    variable Findings

    constructor {canvas view} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Canvas $canvas
        set View $view
        lassign {} Drag First Last Stale Queue Shares Bands Findings Counts
        lassign {0 0 0 0} Length Far Width Height
        foreach {event what} {
            TraceOpened all TraceReloaded all TraceClosed all ThemeChanged all Zoomed range
            FindingsChanged ticks NotesChanged ticks MarksChanged ticks HitsChanged ticks SelectionChanged selection
        } {listen $event [namespace code [list my Heard $what]] $canvas}
        bind $canvas <Configure> [namespace code {my Resized %w %h}]
        tip::add $canvas [namespace code {my Tip}]
        foreach {sequence call} {
            <Button-1> {Press %x %y} <Shift-Button-1> {Choose %x} <Button-3> {Choose %x}
            <B1-Motion> {Move %x} <B3-Motion> {Move %x} <ButtonRelease-1> {Release %x} <ButtonRelease-3> {Release %x}
            <Motion> {Hover %x %y} <Double-Button-1> {Everything} <Button-4> {Wheel 1 %x} <Button-5> {Wheel -1 %x}
        } {bind $canvas $sequence +[namespace code "my $call"]}
        bind $canvas <Destroy> +[namespace code {my destroy}]
    }

    method Heard {what view args} {
        if {$view ne $View && $view ne {}} return
        if {$what eq "all" && [$View trace] ne {}} {
            # Before the timeline is drawn, which would be laid out twice otherwise.
            set height [my HeightFor [my Processors]]
            if {[$Canvas cget -height] != $height} {$Canvas configure -height $height}
        }
        my Later $what
    }

    method Later {what} {
        if {$what ni $Stale} {lappend Stale $what}
        my later Draw
    }

    method Resized {width height} {
        if {$width == $Width && $height == $Height} return
        lassign [list $width $height] Width Height
        my Later all
    }

    # ---- places ------------------------------------------------------------------------------------------------------

    # At most so many processors have bands of their own.
    method BandsMost {} {return 6}

    method HeightFor {processors} {
        if {$processors < 2 || $processors > [my BandsMost]} {return [px 36]}
        expr {[px 12] + $processors * [px [expr {$processors < 4 ? 16 : 12}]]}
    }

    method Top {} {px 7}
    method Bottom {} {expr {$Height - [px 5]}}

    method X {time} {
        if {$Length == 0} {return 0}
        set offset [expr {$Far ? [::tactus::times::subtract $time $First] : $time - $First}]
        expr {max(-10, min($Width + 10, double($offset) / $Length * $Width))}
    }

    method Time {x} {
        ::tactus::times::add $First [expr {max(0.0, min(1.0, double($x) / max(1, $Width))) * $Length}]
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    # Draws what is stale; all of it when another part of the trace is to be shown.
    method Draw {} {
        if {![winfo exists $Canvas]} return
        set stale $Stale
        set Stale {}
        if {[$View trace] eq {}} {
            $Canvas delete all
            lassign {} First Last Drag Shares Bands Queue
            return
        }
        if {"all" in $stale || [my Extent] ne [list $First $Last]} {
            set stale {range selection ticks}
            lassign [my Extent] First Last
            set Length [::tactus::times::subtract $Last $First]
            # Doubles have no room for seconds since 1970 with nanoseconds: then differences are made of digits, which
            # takes longer.
            set Far [expr {abs($First) > 1e6 * $Length}]
            $Canvas delete all
            $Canvas configure -background [theme color trough]
            my Ask
        }
        foreach what {range selection ticks} {
            if {$what in $stale} {my Draw[string totitle $what]}
        }
    }

    # First and last time that are shown.
    method Extent {} {
        set w [$View timeline]
        set extent [$View option extent]
        if {[llength $extent] == 2} {
            lassign $extent from to
            lassign [$w view] left right
            if {[::tactus::times::compare $left $from] >= 0 && [::tactus::times::compare $right $to] <= 0} {
                return $extent
            }
        }
        return [$w span]
    }

    # Begins to ask for the utilization of all processors.
    method Ask {} {
        set Shares {}
        set Queue [lmap processor [dict get [$View info] processors] {dict get $processor id}]
        if {$Width < 2} {set Queue {}}
        my AskNext
    }

    # Asks for some milliseconds; draws when all is known.
    method AskNext {} {
        # What is stale will be asked for from the beginning.
        if {[$View trace] eq {} || ![winfo exists $Canvas] || "all" in $Stale} return
        set until [expr {[clock microseconds] + 4000}]
        while {[llength $Queue] && [clock microseconds] < $until} {
            set Queue [lassign $Queue processor]
            if {[catch {[$View trace] utilization $processor $Width -from $First -to $Last} shares]} continue
            if {[my Processors] <= [my BandsMost]} {
                lappend Shares $shares
            } else {
                set part [expr {1.0 / [my Processors]}]
                set Shares [list [lmap sum [expr {[llength $Shares] ? [lindex $Shares 0] : [lrepeat $Width 0.0]}] \
                    share $shares {expr {$sum + $share * $part}}]]
            }
        }
        if {[llength $Queue]} {
            my later AskNext
        } elseif {$Width >= 2} {
            my MakeBands
            my DrawRange
            $Canvas raise tick
        }
    }

    method Processors {} {llength [dict get [$View info] processors]}

    # Makes bands of the shares; of a trace in which nothing runs, of the number of events.
    method MakeBands {} {
        set all $Shares
        set most 0
        foreach shares $all {set most [::tcl::mathfunc::max $most {*}$shares]}
        if {$most == 0} {set all [list [my EventShares]]}
        set room [expr {double([my Bottom] - [my Top]) / [llength $all]}]
        set bottom [my Top]
        set Bands [lmap shares $all {
            set bottom [expr {$bottom + $room}]
            my Outline $shares [expr {round($bottom)}] [expr {$room - [px 1]}]
        }]
    }

    # The band of these shares: where its height changes, to what, and the corners of these places.
    method Outline {shares bottom high} {
        set x 0
        set last {}
        lassign {} xs ys corners
        foreach share $shares {
            # Whatever runs is seen.
            set y [expr {$share > 0 ? min($bottom - 1, round($bottom - min(1, $share) * $high)) : $bottom}]
            if {$y != $last} {
                lappend xs $x
                lappend ys $y
                lappend corners $x $last $x $y
                set last $y
            }
            incr x
        }
        list $bottom $xs $ys $corners
    }

    # The roots of the numbers of events, so that a single one is seen beside a burst.
    method EventShares {} {
        set counts [[$View trace] density $Width -from $First -to $Last]
        set most [::tcl::mathfunc::max 1 {*}$counts]
        lmap count $counts {expr {sqrt(double($count) / $most)}}
    }

    # Draws the bands dimmed, and over them bright what is seen, which has edges that can be dragged. Of a trace without
    # length all is seen.
    method DrawRange {} {
        $Canvas delete range density dim
        lassign [[$View timeline] view] from to
        set left [expr {$Length == 0 ? 0 : [my X $from]}]
        set right [expr {$Length == 0 ? $Width : max([my X $to], $left + 2)}]
        $Canvas create rectangle $left 0 $right $Height -fill [theme color base] -outline {} -tags range
        set dim [look::mix [theme color density] [theme color trough] 0.55]
        foreach band $Bands {
            my DrawBand $band 0 [expr {int($left)}] $dim dim
            my DrawBand $band [expr {int($left)}] [expr {int(ceil($right))}] [theme color density] density
            my DrawBand $band [expr {int(ceil($right))}] $Width $dim dim
        }
        if {$Length != 0} {my DrawFrame $left $right}
        foreach tag {selection tick choice} {$Canvas raise $tag}
    }

    # Draws a band from one pixel to another.
    method DrawBand {band from to color tag} {
        lassign $band bottom xs ys corners
        set from [expr {max(0, $from)}]
        set to [expr {min($Width, $to)}]
        if {$from >= $to} return
        set first [lsearch -bisect -integer $xs $from]
        set last [lsearch -bisect -integer $xs [expr {$to - 1}]]
        $Canvas create polygon $from $bottom $from [lindex $ys $first] \
            {*}[lrange $corners [expr {4 * ($first + 1)}] [expr {4 * $last + 3}]] \
            $to [lindex $ys $last] $to $bottom -fill $color -outline {} -tags $tag
        if {[llength $Bands] > 1} {
            $Canvas create line $from $bottom $to $bottom -fill [theme color border] -tags $tag
        }
    }

    method DrawFrame {left right} {
        set color [theme color accent]
        $Canvas create rectangle $left 0 [expr {min($right, $Width - 1)}] [expr {$Height - 1}] -outline $color \
            -width [px 1] -tags range
        # At the ends of the strip the handles stay in sight.
        set half [px 1.5]
        foreach x [list [expr {max($left, $half)}] [expr {min($right, $Width - $half)}]] {
            $Canvas create rectangle [expr {$x - $half}] [expr {$Height * 0.3}] [expr {$x + $half}] \
                [expr {$Height * 0.7}] -fill $color -outline {} -tags range
        }
    }

    method DrawSelection {} {
        $Canvas delete selection
        set selection [$View selection]
        if {$selection eq {}} return
        set left [my X [lindex $selection 0]]
        set right [expr {max([my X [lindex $selection 1]], $left + 1)}]
        $Canvas create rectangle $left [expr {$Height - [px 3]}] $right $Height -fill [theme color accent] \
            -outline {} -tags selection
    }

    method DrawTicks {} {
        $Canvas delete tick
        my DrawFindings
        my Ticks [$View option hits] [expr {$Height - [px 5]}] $Height second
        set marks [$View markers]
        my Ticks [dict values [dict remove $marks A B]] [expr {$Height - [px 9]}] $Height accent
        foreach name {A B} {
            if {[dict exists $marks $name]} {my DrawMarker $name [dict get $marks $name]}
        }
    }

    # A marker: a line with its name beside it.
    method DrawMarker {name time} {
        set x [expr {round([my X $time])}]
        if {$x < 0 || $x > $Width} return
        set color [theme color marker$name]
        set tags [list tick marker$name]
        $Canvas create line $x 0 $x $Height -fill $color -width [px 1] -tags $tags
        set right [expr {$x > $Width - [px 12]}]
        set text [$Canvas create text [expr {$right ? $x - [px 2] : $x + [px 3]}] [expr {$Height / 2.0}] \
            -anchor [expr {$right ? "e" : "w"}] -text $name -font [theme font small] -fill $color -tags $tags]
        $Canvas lower [$Canvas create rectangle [$Canvas bbox $text] -fill [theme color base] -outline {} -tags $tags] \
            $text
    }

    # Draws the findings, the gravest ones last and longest, and the deadlines that were missed, which need no check.
    # They are counted in the core, since there may be more of them than are listed.
    method DrawFindings {} {
        set Findings unknown
        set Counts {}
        if {$Width < 2} return
        foreach {of color length} {notes muted 4 warnings warning 5 errors error 7 misses error 7} {
            if {[catch {[$View trace] density $Width -of $of -from $First -to $Last} counts]} return
            dict set Counts $of $counts
            my TicksAt [lmap x [lsearch -all -not -integer $counts 0] {
                if {$of eq "misses" && [lindex [dict get $Counts errors] $x]} continue
                set x
            }] 0 [px $length] $color
        }
    }

    # The gravest of the listed findings at each pixel, of these the last one.
    method MakeFindings {} {
        set Findings {}
        set index -1
        foreach finding [[$View trace] finding list] {
            dict set finding index [incr index]
            if {[dict get $finding time] eq {}} continue
            set x [expr {max(0, min($Width - 1, int([my X [dict get $finding time]])))}]
            set rank [lsearch -exact {note warning error} [dict get $finding severity]]
            if {![dict exists $Findings $x] || $rank >= [lindex [dict get $Findings $x] 0]} {
                dict set Findings $x [list $rank $finding]
            }
        }
    }

    # Draws ticks at times, at most one a pixel.
    method Ticks {times top bottom color} {
        set seen {}
        foreach time $times {
            if {$time ne {}} {dict set seen [expr {round([my X $time])}] 1}
        }
        my TicksAt [dict keys $seen] $top $bottom $color
    }

    method TicksAt {pixels top bottom color} {
        foreach x $pixels {
            $Canvas create line $x $top $x $bottom -fill [theme color $color] -width [px 2] -tags [list tick $color]
        }
    }

    # ---- what is at the pointer --------------------------------------------------------------------------------------

    method IsUsable {} {
        expr {[$View trace] ne {} && $Last ne {}}
    }

    # The part of the strip at a pixel: left or right (an edge), inside, outside; all: everything is seen.
    method At {x} {
        lassign [[$View timeline] view] from to
        set left [my X $from]
        set right [my X $to]
        set slack [px 4]
        if {abs($x - $right) <= $slack && $x >= ($left + $right) / 2} {return right}
        if {abs($x - $left) <= $slack} {return left}
        if {$left < 1 && $right > $Width - 1} {return all} ;# X is rounded
        expr {$x > $left && $x < $right ? "inside" : "outside"}
    }

    # What is found at a place: {pixel findings misses finding}; finding: a listed one, if any is. {}: nothing.
    method FindingAt {x y} {
        if {$y > [my Top] || ![dict exists $Counts misses]} return
        for {set away 0} {$away <= [px 3]} {incr away} {
            foreach near [list [expr {$x - $away}] [expr {$x + $away}]] {
                set count 0
                foreach of {notes warnings errors misses} {
                    set here [lindex [dict get $Counts $of] $near]
                    if {$of ne "misses" && $here ne {}} {incr count $here}
                }
                if {$count || $here ni {{} 0}} {return [list $near $count $here [my ListedAt $near]]}
            }
        }
        return
    }

    # The listed finding at a pixel, or, where numbers were rounded, beside it.
    method ListedAt {x} {
        if {$Findings eq "unknown"} {my MakeFindings}
        foreach near [list $x [expr {$x - 1}] [expr {$x + 1}]] {
            if {[dict exists $Findings $near]} {return [lindex [dict get $Findings $near] 1]}
        }
    }

    method Hover {x y} {
        if {![my IsUsable]} return
        set part [expr {[llength [my FindingAt $x $y]] ? "finding" : [my At $x]}]
        $Canvas configure -cursor [dict get {
            left sb_h_double_arrow right sb_h_double_arrow inside fleur outside crosshair all crosshair finding hand2
        } $part]
    }

    # The time at the pointer and how busy the processors were there; a finding's sentence.
    method Tip {x y} {
        if {![my IsUsable]} return
        set found [my FindingAt $x $y]
        if {[llength $found]} {return [my FoundText {*}$found]}
        set lines [list "t = [units::time $View [my Rounded $x]]"]
        set shares [lmap shares $Shares {lindex $shares $x}]
        if {{} in $shares || ![llength $shares]} {return [lindex $lines 0]}
        set names [lmap processor [dict get [$View info] processors] {
            text::visible [dict get $processor name] 40
        }]
        if {[llength $names] == 1} {set names utilization}
        if {[llength $names] > [my BandsMost]} {set names [list "[my Processors] processors"]}
        foreach name $names share $shares {
            if {$share ne {}} {lappend lines "$name: [my Percent $share]"}
        }
        join $lines \n
    }

    method FoundText {x count misses finding} {
        if {!$count} {return "[text::counted $misses deadline] missed near t = [units::time $View [my Rounded $x]]"}
        if {$finding eq {}} {
            return "[text::counted $count finding] near t = [units::time $View [my Rounded $x]], not listed"
        }
        string cat [text::visible [units::said $View [dict get $finding sentence]] 300] \
            [expr {$count > 1 ? "\n[text::counted [expr {$count - 1}] {more finding}] here" : {}}]
    }

    method Percent {share} {
        string cat [::tactus::format %.3g [expr {100.0 * $share}]] " %"
    }

    # The time of a pixel with no more digits than tell it from its neighbours.
    method Rounded {x} {
        set time [my Time $x]
        if {$Length == 0} {return $time}
        set digits [expr {int(max(0, ceil(-log10(double($Length) / $Width)) + 1))}]
        if {$Far} {return $time}
        if {$digits > 15} {return $time}
        expr {$digits ? [::tactus::format %.*f $digits $time] : [::tactus::format %.0f $time]}
    }

    # ---- the mouse ---------------------------------------------------------------------------------------------------

    method Press {x y} {
        if {![my IsUsable]} return
        set found [my FindingAt $x $y]
        if {[llength $found]} {
            lassign $found at - - finding
            if {$finding ne {}} {return [navigate::showFinding $View $finding]}
            return [$View go -time [my Rounded $at]]
        }
        set part [my At $x]
        if {$part in {left right inside}} {history::record [$View timeline] overview[clock microseconds]}
        set Drag [list $part $x {*}[[$View timeline] view]]
    }

    # A range is chosen, whatever is at the pointer.
    method Choose {x} {
        if {[my IsUsable]} {set Drag [list choose $x {*}[[$View timeline] view]]}
    }

    method Move {x} {
        if {$Drag eq {} || ![my IsUsable]} return
        lassign $Drag part start from to
        if {$part in {outside all choose}} {return [my DrawChoice $start $x]}
        set by [::tactus::times::subtract [my TimeBeyond $x] [my TimeBeyond $start]]
        set w [$View timeline]
        set left [::tactus::times::add $from $by]
        set right [::tactus::times::add $to $by]
        switch -- $part {
            inside {$w view {*}[my Inside $left $right]}
            left {if {[::tactus::times::compare $left $to] < 0} {$w view $left $to}}
            right {if {[::tactus::times::compare $right $from] > 0} {$w view $from $right}}
        }
    }

    # The time of a pixel, also of one beside the strip.
    method TimeBeyond {x} {
        ::tactus::times::add $First [expr {double($x) / max(1, $Width) * $Length}]
    }

    # Frames the range that is being chosen, and says how long it is.
    method DrawChoice {start x} {
        $Canvas delete choice
        if {abs($x - $start) < [px 3]} return
        set from [expr {max(0, min($start, $x))}]
        set to [expr {min($Width - 1, max($start, $x))}]
        set color [theme color accent]
        $Canvas create rectangle $from 0 $to [expr {$Height - 1}] -fill $color -stipple gray25 -outline $color \
            -tags choice
        $View message [units::range $View [my Rounded $from] [my Rounded $to]]
    }

    # A range moved into what is shown: at the ends it stops and does not shrink.
    method Inside {from to} {
        set length [::tactus::times::subtract $to $from]
        if {[::tactus::times::compare $from $First] < 0} {return [list $First [::tactus::times::add $First $length]]}
        if {[::tactus::times::compare $to $Last] > 0} {return [list [::tactus::times::subtract $Last $length] $Last]}
        list $from $to
    }

    # Ends a drag: the chosen range is seen; a click beside the range seen brings that there.
    method Release {x} {
        set drag $Drag
        set Drag {}
        $Canvas delete choice
        if {$drag eq {} || ![my IsUsable]} return
        lassign $drag part start from to
        if {$part ni {outside all choose}} return
        if {abs($x - $start) >= [px 3]} {
            ::tactus::timeline::range [$View timeline] [my Time [expr {min($start, $x)}]] \
                [my Time [expr {max($start, $x)}]]
        } elseif {$part eq "outside"} {
            set half [expr {[::tactus::times::subtract $to $from] / 2.0}]
            ::tactus::timeline::range [$View timeline] \
                {*}[my Inside [::tactus::times::subtract [my Time $x] $half] [::tactus::times::add [my Time $x] $half]]
        }
    }

    # Shows all of the extent; when that is seen already, all of the trace.
    method Everything {} {
        set Drag {}
        if {![my IsUsable]} return
        set w [$View timeline]
        if {[$w view] eq [list $First $Last]} {return [::tactus::timeline::everything $w]}
        ::tactus::timeline::range $w $First $Last
    }

    method Wheel {direction x} {
        if {![my IsUsable]} return
        history::record [$View timeline] wheel
        [$View timeline] zoom [expr {$direction > 0 ? 1.25 : 0.8}] [my Time $x]
    }
}
