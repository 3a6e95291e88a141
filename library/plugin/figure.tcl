# plugin/figure.tcl -- the word `figure` of plugins, for views: colours, axes with their units, plots, legends.
#
#   figure colors TRACE ?-dark? ?-grayscale? ?-settings? ?-tasks?
#                                       the style of the timeline, and a few more colours
#   figure axis FROM TO LENGTH ?-option ...?
#                                       a dict: from to log title ticks {value label ...} minor {...}
#   figure plot DRAWING BOX XAXIS YAXIS COLORS
#                                       axes around a box {x y width height}; the maps are set
#   figure breadth DRAWING AXIS UPRIGHT, overhang DRAWING AXIS WIDTH
#                                       the room that an axis needs beside its plot, and at the plot's right
#   figure legend DRAWING X Y WIDTH ITEMS COLORS
#                                       boxes and lines with their names; the height it took
#   figure apart LOOKS TASKS IDS PALETTE KNOWN
#                                       a colour for each task, different from those of the others
#   figure tasks TRACE PATTERNS, ofTasks TRACE IDS, conditions TEXT, range TEXT
#                                       tasks, filters, ranges as users write them
#   figure choice TRACE PATTERNS, choiceNames CHOICE LOOKS MOST, taskName TRACE ID NAME
#                                       the same for very many tasks, of which only some are listed; their names
#   figure jobTasks TRACE ?MOST?, jobs TRACE TASKS CONDITIONS ?WORDS?, need NAME NAMES
#                                       tasks by their jobs, a relation of their jobs, the check of a statistic's name
#   figure most VALUES FEW              the range of most values, where a few are far away
#   figure outside COUNT FIRST LAST UNIT SCALE
#                                       what is said of those: how many there are, and the ends of all values
#   figure pause WORDS                  between two commands that may take long
#   figure given NAMES OPTIONS, counted N, oneLine TEXT, fail CODE MESSAGE
#                                       options that were given, words, errors
#
# The step of an axis is the finest one of 1, 2 or 5 times a power of ten at which no two labels come closer than a
# letter's width. Values far from one are written in a larger or smaller unit, which the title has: ms becomes µs, and
# where no unit is known, a power of ten. Lengths are in points, the same for a window and a file.

namespace eval ::tactus::figure {
    namespace export colors apart axis plot breadth overhang horizontal legend unitOf number ceiling tasks ofTasks \
        conditions range \
        choice choiceNames taskName jobTasks jobs most outside pause need given counted oneLine fail
    namespace ensemble create
    variable prefixes {9 G 6 M 3 k 0 {} -3 m -6 µ -9 n}
}

# ---- colours ---------------------------------------------------------------------------------------------------------

# Colours as of $trace style; besides: accent (chosen things), late, bar (of a histogram), soft (grid).
proc ::tactus::figure::colors {trace args} {
    set style [$trace style {*}$args]
    set dark [expr {[dict exists $args -dark] && [dict get $args -dark]}]
    set gray [expr {[dict exists $args -grayscale] && [dict get $args -grayscale]}]
    foreach {name light darker grey} {
        accent #1F5FBF #6AA5F7 #303030  late #C02018 #F28B82 #000000  bar #9DBAE0 #5F82B5 #BDBDBD
    } {
        dict set style $name [expr {$gray ? $grey : $dark ? $darker : $light}]
    }
    return $style
}

# The distance of two colours: 0 to 442.
proc ::tactus::figure::distance {a b} {
    scan $a #%2x%2x%2x r g b0
    scan $b #%2x%2x%2x r1 g1 b1
    expr {sqrt(($r - $r1) ** 2 + ($g - $g1) ** 2 + ($b0 - $b1) ** 2)}
}

# The palette, then the same colours darker, then lighter.
proc ::tactus::figure::shades {palette} {
    set shades $palette
    foreach {keep add} {0.65 0 0.5 127} {
        foreach color $palette {
            scan $color #%2x%2x%2x r g b
            lappend shades [format #%02X%02X%02X {*}[lmap part [list $r $g $b] {expr {int($part * $keep + $add)}}]]
        }
    }
    return $shades
}

# A dict of id -> colour: those in `known` keep theirs; the others get their own colour, or the first shade of the
# palette, that is not similar to the colour of another id, or to the bars of `tasks`; if all are, the least similar
# one. looks: as in [$trace style]. The first ids get the best colours.
proc ::tactus::figure::apart {looks tasks ids palette known} {
    set like 45
    set shades [shades $palette]
    set isBar {}
    set bars {}  ;# color -> how many of `tasks` have it
    foreach task $tasks {
        dict incr bars [dict get $looks $task color]
        dict set isBar $task 1
    }
    foreach id $ids {
        if {[dict exists $known $id] || ![dict exists $looks $id]} continue
        set others $bars
        if {[dict exists $isBar $id]} {
            set color [dict get $looks $id color]
            dict incr others $color -1
            if {![dict get $others $color]} {dict unset others $color}
        }
        set taken [lsort -unique [concat [dict keys $others] [dict values $known]]]
        set own [expr {[dict get $looks $id color] eq [dict get $looks $id other] ? [dict get $looks $id other] : {}}]
        # The bars of a task in `tasks` have this colour, too.
        if {$own ne {} && [dict exists $isBar $id]} {
            dict set known $id $own
            continue
        }
        set best {}
        set most -1
        foreach shade [concat $own $shades] {
            set nearest [tcl::mathfunc::min 1000 {*}[lmap color $taken {distance $shade $color}]]
            if {$nearest > $most} {lassign [list $shade $nearest] best most}
            if {$nearest >= $like} break
        }
        dict set known $id $best
    }
    return $known
}

# ---- what users write ------------------------------------------------------------------------------------------------

# Fails with the code {TACTUS KIND DETAIL}, for an error of the user.
proc ::tactus::figure::fail {code message} {
    return -code error -errorcode [list TACTUS {*}$code] $message
}

# The options with these names that are not empty, as words.
proc ::tactus::figure::given {names options} {
    concat {*}[lmap name $names {
        if {![dict exists $options $name] || [dict get $options $name] eq {}} continue
        list $name [dict get $options $name]
    }]
}

# Tasks with their names and numbers of jobs: list of {id name count}, the one with the most jobs first; interrupts, and
# tasks that have no row of their own, last. most: as many of them at most.
proc ::tactus::figure::jobTasks {trace {most {}}} {
    try {
        dict get [$trace tasks ?* {*}[expr {$most eq {} ? {} : [list -most $most]}]] tasks
    } trap {TACTUS LOOKUP TASK} {} {
        return
    }
}

# Ids of the tasks with these ids, names or glob patterns, in this order, each once; without any, the task with the most
# jobs. A pattern for all, *, leaves out tasks that have no row of their own.
proc ::tactus::figure::tasks {trace patterns} {
    lmap task [dict get [$trace tasks [::tactus::names $patterns]] tasks] {lindex $task 0}
}

# The same without a list of all, which may be many: a dict of count, ids (the first ones, `most` of them), and words,
# the list of patterns for `jobs`.
proc ::tactus::figure::choice {trace patterns {most 100}} {
    set words [::tactus::names $patterns]
    set choice [$trace tasks $words -most $most]
    dict create count [dict get $choice count] words $words \
        ids [lmap task [dict get $choice tasks] {lindex $task 0}]
}

# The name of a task, with its number behind it where several threads have this name; its id if it has none.
proc ::tactus::figure::taskName {trace id name} {
    if {$name eq {}} {return $id}
    if {[$trace called $id] eq "$name ($id)"} {append name " $id"}
    return $name
}

# Names of the tasks of a choice in a line of so many characters at most; how many there are, where these are too many.
proc ::tactus::figure::choiceNames {choice looks most} {
    if {[dict get $choice count] > [llength [dict get $choice ids]]} {return "[dict get $choice count] tasks"}
    oneLine [join [lsort -unique -dictionary [lmap id [dict get $choice ids] {
        set name [dict get $looks $id name]
        if {$name eq {}} {string cat $id} else {string cat $name}
    }]] {, }] $most
}

proc ::tactus::figure::allTasks {trace} {
    dict keys [$trace state 0 tasks]
}

# Conditions of a relation of jobs for these tasks; none where these are all.
proc ::tactus::figure::ofTasks {trace ids} {
    if {[llength $ids] == 1} {return [list [list task = [lindex $ids 0]]]}
    foreach id $ids {dict set wanted $id {}}
    set others [lmap id [allTasks $trace] {if {[dict exists $wanted $id]} continue; set id}]
    if {![llength $others]} return
    if {[llength $others] < [llength $ids]} {return [lmap id $others {list task != $id}]}
    list [list where [join [lmap id $ids {string cat "task == \"" [string map {\\ {\\} \" {\"}} $id] "\""}] " || "]]
}

# An expression of the filter language (tactus(1), FILTERS) as conditions of a relation; the relation reports its
# mistakes.
proc ::tactus::figure::conditions {text} {
    if {[string trim $text] eq {}} return
    list [list where $text]
}

# A relation of the jobs of these tasks (a list of ids, names and patterns) for which the conditions hold. words:
# -from, -to of the window, -progress of all of it.
proc ::tactus::figure::jobs {trace tasks conditions {words {}}} {
    set relation [$trace relation jobs -tasks $tasks {*}$words]
    try {
        if {[llength $conditions]} {$relation filter $conditions {*}[given -progress $words]}
    } on error {message options} {
        $relation close
        # A column that does not exist is the user's mistake, not the plugin's.
        if {[lindex [dict get $options -errorcode] 0] eq "TCL"} {fail {USAGE CONDITION} $message}
        return -options $options $message
    }
    return $relation
}

# The range {from to} in which most of some numbers lie, which are sorted and to be shown on one axis. It is wider than
# these by their distance from 0. {}: no number is so far away that the others would be one point: a hundred times as
# far as they are from 0, but for `few` at each end.
proc ::tactus::figure::most {values few} {
    if {[llength $values] < 4} return
    lassign [list [lindex $values 0] [lindex $values $few] [lindex $values end-$few] [lindex $values end]] \
        first least most last
    set air [expr {max(abs($least), abs($most))}]
    if {$air <= 0 || $last - $first <= 100.0 * $air} return
    list [expr {max($first, $least - $air)}] [expr {min($last, $most + $air)}]
}

# What a figure says of values that are not on its axis: their number, and the ends of all values, times the scale, in
# units of their own.
proc ::tactus::figure::outside {count first last unit scale} {
    set ends [lmap end [list $first $last] {
        set text [::tactus::format %.3g [expr {$end * $scale}]]
        if {[regexp {^[munµμ]?s$} $unit]} {::tactus::length $text $unit 3} else {string trimright "$text $unit"}
    }]
    return "$count outside (all: [join $ends { to }])"
}

# Calls -progress of these words as a command of a relation does, between two such commands; it may stop the work.
proc ::tactus::figure::pause {words} {
    if {![dict exists $words -progress]} return
    set command [list {*}[dict get $words -progress] {phase measuring done 0 total 0}]
    switch [catch {uplevel #0 $command} message options] {
        3 {fail CANCELLED cancelled}
        1 {return -options $options $message}
    }
}

# Fails for a name that is not among those of the statistics.
proc ::tactus::figure::need {name names} {
    if {$name ni $names} {fail [list LOOKUP COLUMN $name] "no statistic \"$name\": must be one of [join $names {, }]"}
}

proc ::tactus::figure::counted {count} {
    return "$count job[expr {$count == 1 ? {} : "s"}]"
}

# A name of the trace on one line.
proc ::tactus::figure::oneLine {text {most 40}} {
    string map {\n { } \t { }} [string range $text 0 $most-1]
}

# "FROM,TO" as a list; {} stays {}.
proc ::tactus::figure::range {text} {
    if {$text eq {}} return
    lassign [split $text ,] from to rest
    set from [string trim $from]
    set to [string trim $to]
    if {$rest ne {} || ![string is double -strict $from] || ![string is double -strict $to] || $from >= $to} {
        fail {USAGE VALUE} "bad range \"$text\": must be from,to"
    }
    list $from $to
}

# ---- numbers and units -----------------------------------------------------------------------------------------------

# The unit of an axis by its largest value: {factor title}: labels are values times the factor; the title has the unit.
proc ::tactus::figure::unitOf {title largest unit} {
    variable prefixes
    set exponent 0
    if {$largest > 0 && ($largest >= 1e5 || $largest < 0.01)} {
        set exponent [expr {3 * int(floor(log10($largest) / 3 + 1e-9))}]
        set exponent [expr {max(-18, min(18, $exponent))}]
    }
    if {$unit ne {} && [regexp {^([munµμ]?)s$} $unit -> prefix]} {
        set base [dict get {{} 0 m -3 µ -6 μ -6 u -6 n -9} $prefix]
        # Seconds are not counted in thousands.
        set far [expr {$largest > 0 && ($largest >= 1000 || $largest < 0.1)}]
        set steps [expr {$far ? int(floor(log10($largest) / 3 + 1e-9)) : 0}]
        set wanted [expr {max(-9, min(0, $base + 3 * $steps))}]
        return [list [expr {10.0 ** ($base - $wanted)}] "$title ([dict get $prefixes $wanted]s)"]
    }
    if {!$exponent} {return [list 1.0 [if {$unit eq {}} {string cat $title} else {string cat "$title ($unit)"}]]}
    list [expr {10.0 ** -$exponent}] "$title ([powerOfTen $exponent][expr {$unit eq {} ? {} : " $unit"}])"
}

proc ::tactus::figure::powerOfTen {exponent} {
    return "10[string map {- ⁻ 0 ⁰ 1 ¹ 2 ² 3 ³ 4 ⁴ 5 ⁵ 6 ⁶ 7 ⁷ 8 ⁸ 9 ⁹} $exponent]"
}

# A value with as many decimals as a step of this size needs.
proc ::tactus::figure::number {value step} {
    set decimals [expr {$step > 0 ? max(0, min(15, int(ceil(-log10($step) - 1e-9)))) : 0}]
    set text [::tactus::format %.${decimals}f $value]
    if {[regexp {^-0\.?0*$} $text]} {set text [string range $text 1 end]}
    string map {- −} $text
}

# The next of 1, 2, 5, 10 ... that is not below.
proc ::tactus::figure::ceiling {value} {
    if {!($value > 0)} {return 1.0}
    set power [expr {10.0 ** floor(log10($value))}]
    foreach factor {1 2 5 10} {
        if {$factor * $power >= $value * (1 - 1e-9)} {return [expr {$factor * $power}]}
    }
}

# ---- axes ------------------------------------------------------------------------------------------------------------

# An axis over a length. Options: -drawing D (measures), -title T, -unit U, -scale F (labels are values times this),
# -log B, -upright B (labels stand under each other), -whole B (no step below 1), -size N (of labels), -origin V (labels
# of an axis that is not logarithmic are differences from this value).
proc ::tactus::figure::axis {from to length args} {
    set given [dict merge {-drawing {} -title {} -unit {} -scale 1 -log 0 -upright 0 -whole 0 -size 8 -origin 0} $args]
    if {!($to > $from)} {set to [expr {$from + ($from == 0 ? 1.0 : abs($from) * 0.1)}]}
    set scale [dict get $given -scale]
    # With many powers of ten no unit fits all of them: the larger and smaller ones are written as powers.
    set largest [expr {[dict get $given -log] && [dict get $given -unit] eq {}
        ? 1 : max(abs($from - [dict get $given -origin]), abs($to - [dict get $given -origin])) * $scale}]
    lassign [unitOf [dict get $given -title] $largest [dict get $given -unit]] factor title
    set axis [dict create from $from to $to log [dict get $given -log] title $title factor [expr {$factor * $scale}] \
        size [dict get $given -size]]
    expr {[dict get $given -log] ? [logTicks $axis $length $given] : [linearTicks $axis $length $given]}
}

proc ::tactus::figure::room {given text} {
    lassign [[dict get $given -drawing] measure $text -size [dict get $given -size]] width ascent descent
    expr {[dict get $given -upright] ? ($ascent + $descent) * 1.4 : $width + [dict get $given -size]}
}

# Ticks of a linear axis: multiples of the finest step at which labels do not touch.
proc ::tactus::figure::linearTicks {axis length given} {
    dict with axis {}
    set origin [dict get $given -origin]
    set low [expr {($from - $origin) * $factor}]
    set high [expr {($to - $origin) * $factor}]
    set step [ceiling [expr {($high - $low) / max(2.0, $length / 14.0)}]]
    if {[dict get $given -whole] && $step < $factor} {set step [expr {double($factor)}]}
    while {1} {
        set needed 0
        set values {}
        for {set k [expr {ceil($low / $step - 1e-9)}]} {$k * $step <= $high + $step * 1e-6} {set k [expr {$k + 1}]} {
            lappend values [expr {$k * $step}]
        }
        foreach value [list {*}[lrange $values 0 3] {*}[lrange $values end-3 end]] {
            set needed [expr {max($needed, [room $given [number $value $step]])}]
        }
        if {[llength $values] < 2 || $needed <= $step / ($high - $low) * $length} break
        set step [ceiling [expr {$step * 1.5}]]
    }
    dict set axis ticks [concat {*}[lmap value $values {
        list [expr {$value / $factor + $origin}] [number $value $step]
    }]]
    set whole [expr {[dict get $given -whole] ? round($step / $factor) : 0}]
    dict set axis minor [lmap value [minorTicks $low $high $step $factor $length $whole] {expr {$value + $origin}}]
    dict set axis step [expr {$step / $factor}]
}

# Minor ticks: four or five parts of a step, where they are not too dense; of a step of `whole` things, if that is not
# 0, parts that are whole.
proc ::tactus::figure::minorTicks {low high step factor length whole} {
    set parts [expr {int(round($step / 10 ** floor(log10($step) + 1e-9))) == 2 ? 4 : 5}]
    if {$whole % $parts} {set parts $whole}
    if {$step / ($high - $low) * $length / $parts < 4} return
    set minor {}
    set part [expr {$step / $parts}]
    for {set k [expr {int(ceil($low / $part - 1e-6))}]} {$k * $part <= $high * (1 + 1e-9)} {incr k} {
        if {$k % $parts} {lappend minor [expr {$k * $part / $factor}]}
    }
    return $minor
}

# Ticks of a logarithmic axis: powers of ten, and 2 and 5 times of them where there is room.
proc ::tactus::figure::logTicks {axis length given} {
    dict with axis {}
    set perDecade [expr {$length / max(1e-9, log10(double($to) / $from))}]
    set first [expr {int(floor(log10($from * $factor)))}]
    set last [expr {int(ceil(log10($to * $factor)))}]
    set far [expr {$first < -3 || $last > 5}]
    foreach factors [expr {$far ? {{1}} : {{1 2 5} {1}}}] {
        set needed 0
        set ticks {}
        for {set power $first} {$power <= $last} {incr power} {
            foreach f $factors {
                set value [expr {$f * 10.0 ** $power}]
                if {$value < $from * $factor * (1 - 1e-9) || $value > $to * $factor * (1 + 1e-9)} continue
                set text [expr {$far ? [powerOfTen $power] : [number $value [expr {10.0 ** min(0, $power)}]]}]
                set needed [expr {max($needed, [room $given $text])}]
                lappend ticks [expr {$value / $factor}] $text
            }
        }
        if {$needed <= $perDecade * ([llength $factors] > 1 ? 0.3 : 1)} break
    }
    # Still too dense: every second decade, third ...
    set every [expr {max(1, int(ceil($needed / max(1e-9, $perDecade))))}]
    if {[llength $factors] == 1 && $every > 1} {
        set ticks [concat {*}[lmap {value text} $ticks {
            if {int(round(log10($value * $factor))) % $every} continue
            list $value $text
        }]]
    }
    set minor {}
    for {set power $first} {$power <= $last && $perDecade > 25} {incr power} {
        foreach f {2 3 4 5 6 7 8 9} {
            set value [expr {$f * 10.0 ** $power / $factor}]
            if {$value >= $from && $value <= $to} {lappend minor $value}
        }
    }
    dict set axis ticks $ticks
    dict set axis minor $minor
    dict set axis step 0
}

# ---- plots -----------------------------------------------------------------------------------------------------------

# The room that an axis needs beside its plot: the widest label of an upright one, else one line; and the title's line.
proc ::tactus::figure::breadth {drawing axis upright} {
    set size [dict get $axis size]
    lassign [$drawing measure 0 -size $size] - ascent descent
    set labels [expr {$ascent + $descent}]
    if {$upright} {
        set labels 0
        foreach {value text} [dict get $axis ticks] {
            set labels [expr {max($labels, [lindex [$drawing measure $text -size $size] 0])}]
        }
    }
    expr {4 + $labels + ([dict get $axis title] eq {} ? 0 : ($ascent + $descent) + 3)}
}

# Points by which the last label of an axis below a plot of this width is further to the right than the plot.
proc ::tactus::figure::overhang {drawing axis width} {
    dict with axis {}
    if {![llength $ticks]} {return 0}
    lassign [lrange $ticks end-1 end] value text
    set share [expr {$log ? log(double($to) / $value) / log(double($to) / $from)
        : ($to - $value) / double($to - $from)}]
    expr {max(0, [lindex [$drawing measure $text -size $size] 0] / 2.0 - $share * $width)}
}

# Sets the maps, and draws the axes left of and below the box {x y width height}. -grid B
proc ::tactus::figure::plot {drawing box x y colors {grid 1}} {
    lassign $box left top width height
    set right [expr {$left + $width}]
    set bottom [expr {$top + $height}]
    $drawing map x [list [dict get $x from] [dict get $x to] $left $right {*}[expr {[dict get $x log] ? "log" : {}}]]
    $drawing map y [list [dict get $y from] [dict get $y to] $bottom $top {*}[expr {[dict get $y log] ? "log" : {}}]]
    if {$grid} {
        set lines [concat {*}[lmap {value text} [dict get $y ticks] {
            set at [$drawing map y place $value]
            list $left $at $right $at
        }]]
        $drawing segments $lines -ink [dict get $colors grid] -width 0.4 -layer back
    }
    horizontal $drawing $x $left $right $bottom $colors
    vertical $drawing $y $left $top $bottom $colors
}

# Draws the axis below a plot.
proc ::tactus::figure::horizontal {drawing axis left right at colors} {
    set ink [dict get $colors ink]
    set size [dict get $axis size]
    lassign [$drawing measure 0 -size $size] - ascent descent
    set ticks [concat {*}[lmap {value text} [dict get $axis ticks] {
        set x [$drawing map x place $value]
        list $x $at $x [expr {$at + 3}]
    }] {*}[lmap value [dict get $axis minor] {
        set x [$drawing map x place $value]
        list $x $at $x [expr {$at + 1.6}]
    }]]
    $drawing segments $ticks -ink $ink -width 0.4
    $drawing line [list $left $at $right $at] -ink $ink
    foreach {value text} [dict get $axis ticks] {
        $drawing text [$drawing map x place $value] [expr {$at + 4 + $ascent}] $text -anchor center \
            -size $size -ink $ink
    }
    if {[dict get $axis title] eq {}} return
    $drawing text [expr {($left + $right) / 2.0}] [expr {$at + 6 + 2 * $ascent + $descent}] [dict get $axis title] \
        -anchor center \
        -size $size -ink $ink -most [expr {$right - $left + 20}]
}

# Draws the axis left of a plot.
proc ::tactus::figure::vertical {drawing axis at top bottom colors} {
    set ink [dict get $colors ink]
    set size [dict get $axis size]
    set ticks [concat {*}[lmap {value text} [dict get $axis ticks] {
        set y [$drawing map y place $value]
        list [expr {$at - 3}] $y $at $y
    }] {*}[lmap value [dict get $axis minor] {
        set y [$drawing map y place $value]
        list [expr {$at - 1.6}] $y $at $y
    }]]
    $drawing segments $ticks -ink $ink -width 0.4
    $drawing line [list $at $top $at $bottom] -ink $ink
    foreach {value text} [dict get $axis ticks] {
        $drawing text [expr {$at - 4}] [$drawing map y place $value] $text -anchor right -middle 1 -size $size -ink $ink
    }
    if {[dict get $axis title] eq {}} return
    set x [expr {$at - [breadth $drawing $axis 1] + $size * 0.5}]
    $drawing text $x [expr {($top + $bottom) / 2.0}] [dict get $axis title] -anchor center -middle 1 -upright 1 \
        -size $size -ink $ink \
        -most [expr {$bottom - $top + 10}]
}

# ---- legends ---------------------------------------------------------------------------------------------------------

# Draws a legend; the result is its height. items: dicts of text and look: fill, pattern, height (share of a box, or
# steps: half of it high, half of it low), or line (ink of an upright stroke, perhaps with width and dash), or mark
# (shape). They flow from left to right, line by line. draw 0: only measures.
proc ::tactus::figure::legend {drawing left top width items colors {size 8} {draw 1}} {
    lassign [$drawing measure Xg -size $size] - ascent descent
    set line [expr {($ascent + $descent) * 1.15}]
    set x $left
    set y $top
    foreach item $items {
        set text [dict get $item text]
        set needed [expr {min($width, 16 + [lindex [$drawing measure $text -size $size] 0])}]
        if {$x > $left && $x + $needed > $left + $width} {
            set x $left
            set y [expr {$y + $line}]
        }
        if {$draw} {legendItem $drawing $x $y $line $item $colors $size [expr {$needed - 15}]}
        set x [expr {$x + $needed + 9}]
    }
    expr {[llength $items] ? $y + $line - $top : 0}
}

# Draws an item from x on in a line of text that begins at y; most: width of its text.
proc ::tactus::figure::legendItem {drawing x y line item colors size most} {
    set ink [dict get $colors ink]
    set high [expr {$line * 0.62}]
    set middle [expr {$y + $line / 2}]
    if {[dict exists $item line]} {
        if {[dict exists $item dash] && [dict get $item dash] ne "solid"} {set high $line} ;# more than one dash
        $drawing line [list [expr {$x + 6}] [expr {$middle - $high / 2}] [expr {$x + 6}] [expr {$middle + $high / 2}]] \
            -ink [dict get $item line] -width [expr {[dict exists $item width] ? [dict get $item width] : 1}] \
            -dash [expr {[dict exists $item dash] ? [dict get $item dash] : "solid"}]
    } elseif {[dict exists $item mark]} {
        $drawing marks [list [expr {$x + 6}] $middle] -shape [dict get $item mark] -fill [dict get $item fill] \
            -outline $ink -size 4 -width 0.4
    } elseif {[dict exists $item height] && [dict get $item height] eq "steps"} {
        set bottom [expr {$middle + $high / 2}]
        set low [expr {$bottom - 0.55 * $high}]
        $drawing polygon [list $x [expr {$middle - $high / 2}] [expr {$x + 6}] [expr {$middle - $high / 2}] \
            [expr {$x + 6}] $low [expr {$x + 12}] $low [expr {$x + 12}] $bottom $x $bottom] \
            -fill [dict get $item fill] -outline $ink -width 0.4
    } else {
        set part [expr {$high * ([dict exists $item height] ? [dict get $item height] : 1.0)}]
        $drawing rectangles [list $x [expr {$middle + $high / 2 - $part}] 12 $part] -fill [dict get $item fill] \
            -outline $ink -width 0.4 \
            -pattern [expr {[dict exists $item pattern] ? [dict get $item pattern] : "none"}] \
            -ink [expr {[dict exists $item ink] ? [dict get $item ink] : [dict get $colors faint]}]
    }
    $drawing text [expr {$x + 15}] $middle [dict get $item text] -middle 1 -size $size -ink $ink \
        -most [expr {$most + 1}]
}
