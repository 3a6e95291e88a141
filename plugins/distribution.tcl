# distribution.tcl -- the distribution of a statistic of jobs: histogram, cumulative distribution, and over time.
#
#   $trace relation jobs, filtered to a task -> statistics (least, largest) -> an axis
#        -> histogram: counts of bins   cdf: a sample of the sorted values   overtime: counts of a grid, or the jobs
#        -> a drawing
#
# All counting is done in C over all jobs (relation histogram, sample, grid), so a million of them take a moment, and
# the number of drawn items is bounded by the size of the picture. The cumulative distribution shows order statistics:
# it is exact at every point that is drawn. Over time, up to two thousand jobs are single marks; more jobs are drawn as
# the cells of a grid, the darker the more jobs they have.
#
# A drag over a range of the statistic (over time: of time and statistic) selects the jobs in it, here, in the table of
# jobs, in the stacked view and in the timeline; jobs that are selected elsewhere are marked here. Statistics are the
# columns of `stats --of jobs`. The panel is in distribution/panel.tcl.

plugin distribution -title "Distribution" -help "histogram, cumulative distribution and course of a statistic of jobs"

variable common {
    {-task names IDS {}
        "tasks (ids or names, glob patterns) whose jobs count together; default: the one with the most jobs"}
    {-statistic text COLUMN response "the statistic: a column of stats --of jobs"}
    {-filter text EXPRESSION {}
        "jobs that count: response > 10 && (blocked > 0 || preemptions >= 3); see FILTERS in tactus(1)"}
    {-log flag {} no "logarithmic axis of the statistic"}
    {-range text FROM,TO {} "of the statistic; default: from the least to the largest"}
}

view histogram -title Distribution -create openPanel -side bottom -figure {drawFigure histogram} \
    -help "number of jobs with each value of a statistic" \
    -options [list {*}$common \
        {-bins number N {} "number of bins; default: by the number of jobs (Freedman and Diaconis)"} \
        {-log-count flag {} no "logarithmic axis of the counts, which shows rare ones"}]
view cdf -title "Cumulative distribution" -figure {drawFigure cdf} \
    -help "the share of jobs that had a value up to this one" \
    -options [list {*}$common {-tail flag {} no "the share that had more, logarithmic: for rare large values"}]
view overtime -title "Over time" -figure {drawFigure overtime} -help "a statistic against the release of the jobs" \
    -options [list {*}$common {-line flag {} no "joins the jobs"}]

variable MARKS 2000     ;# jobs that are drawn one by one

# ---- what is measured ------------------------------------------------------------------------------------------------

# Names of the statistics: columns of jobs with numbers that are lengths or counts, not times.
proc statistics {relation} {
    lmap column [$relation columns] {
        if {[dict get $column type] eq "text" || [dict get $column name] in {release start completion deadline}} {
            continue
        }
        dict get $column name
    }
}

# The range {from to} of an axis: as given, or from the least to the largest value; never empty, and above 0 where it is
# logarithmic.
proc rangeOf {figures given log} {
    if {$given ne {}} {
        lassign $given from to
    } else {
        set from [dict get $figures minimum]
        set to [dict get $figures maximum]
    }
    if {$log && $from <= 0} {set from [expr {$to > 0 ? $to / 1e4 : 1e-9}]}
    if {$log && $to <= $from} {set to [expr {$from * 10}]}
    if {$to <= $from} {
        set half [expr {$from == 0 ? 0.5 : abs($from) * 0.1}]
        return [list [expr {$from - $half}] [expr {$from + $half}]]
    }
    list $from $to
}

# The range of most values {from to}, and how many are not in it, where a few are so far away that it would be one bar.
# {}: none is.
proc mostOf {relation statistic figures words} {
    if {[dict get $figures count] < 4} return
    set values [lmap {value rank} [dict get [$relation sample $statistic 101 {*}$words] values] {set value}]
    figure pause $words
    set range [figure most $values 1]
    if {$range eq {}} return
    # In bins, of which the outermost that are not empty are the ends.
    lassign $range from to
    set counts [dict get [$relation histogram $statistic [list $from $to 1000] {*}$words] counts]
    figure pause $words
    set filled [lsearch -all -integer -not $counts 0]
    set step [expr {($to - $from) / 1000.0}]
    list [expr {$from + $step * [lindex $filled 0]}] [expr {$from + $step * ([lindex $filled end] + 1)}] \
        [expr {[dict get $figures count] - [::tcl::mathop::+ {*}$counts]}]
}

# The number of bins after Freedman & Diaconis (1981): their width is twice the distance of the quartiles, over the
# third root of the number of values.
proc binsFor {relation statistic figures range log words} {
    set count [dict get $figures count]
    if {$count < 2} {return 1}
    set most [expr {int(min(200, max(10, 2 * sqrt($count))))}]
    if {$log} {return [expr {min($most, 40)}]}
    set values [dict get [$relation sample $statistic 5 {*}$words] values]
    figure pause $words
    if {[llength $values] < 10} {return [expr {min($most, 10)}]}
    foreach {- - q1 - - - q3 -} $values break
    set width [expr {2.0 * ($q3 - $q1) / $count ** (1.0 / 3)}]
    set bins [expr {$width > 0 ? int(ceil(([lindex $range 1] - [lindex $range 0]) / $width)) : $most}]
    expr {max(5, min($most, $bins))}
}

# Bins whose width is a multiple of the resolution of the values: {range bins}, with at most `most` bins. The resolution
# is taken from sampled values (whole microseconds, say). With bins of another width some would cover a value more than
# others, which would look like a feature of the trace.
proc wholeBins {relation statistic range most words} {
    lassign $range from to
    set decimals 0
    foreach {value rank} [dict get [$relation sample $statistic 101 {*}$words] values] {
        set decimals [expr {max($decimals, [string length [lindex [split $value .] 1]])}]
    }
    figure pause $words
    set step [expr {10.0 ** -$decimals}]
    set count [expr {round(($to - $from) / $step) + 1}]
    if {$count > 20.0 * $most} {return [list $range $most]}
    set each [expr {ceil(double($count) / $most)}]
    set bins [expr {int(ceil($count / $each))}]
    list [list $from [expr {$from + $bins * $each * $step}]] $bins
}

# The data of a plot: counted once, drawn as often as the window changes. A dict: kind statistic log figures range
# count all (jobs with or without a value), and counts, values or cells. options: dict statistic log range bins, and
# words for the commands of the relation: -progress.
proc measure {trace relation kind options} {
    set statistic [dict get $options statistic]
    figure need $statistic [statistics $relation]
    figure pause [dict get $options words]
    set figures [$relation statistics $statistic {*}[dict get $options words]]
    figure pause [dict get $options words]
    if {![dict get $figures count]} {figure fail {FIGURE EMPTY} "no job that is to be shown has a value of $statistic"}
    set log [dict get $options log]
    if {$log && [dict get $figures maximum] <= 0} {
        figure fail {USAGE VALUE} "no $statistic is above 0: a logarithmic axis has no place for it"
    }
    lassign [expr {$log || [dict get $options range] ne {} ? {} :
        [mostOf $relation $statistic $figures [dict get $options words]]}] from to outside
    set range [rangeOf $figures [expr {$outside in {{} 0} ? [dict get $options range] : [list $from $to]}] $log]
    set m [dict create kind $kind statistic $statistic log $log figures $figures range $range outside $outside \
        all [$relation count]]
    measure_$kind $trace $relation $options $m
}

proc measure_histogram {trace relation options m} {
    dict with m {}
    set words [dict get $options words]
    set bins [dict get $options bins]
    set free [expr {!$log && [dict get $options range] eq {}}]
    if {$bins eq {} && $free && [dict get $figures minimum] == [dict get $figures maximum]} {
        set bins 11  ;# odd: the bar of the only value stands in the middle
    } elseif {$bins eq {}} {
        set bins [binsFor $relation $statistic $figures $range $log $words]
        if {$free} {lassign [wholeBins $relation $statistic $range $bins $words] range bins}
    }
    if {!($bins >= 1 && $bins <= 10000) || $bins != int($bins)} {
        figure fail {USAGE VALUE} "bad number of bins \"$bins\": must be 1 to 10000"
    }
    set bins [expr {int($bins)}]
    dict set m bins $bins
    dict set m range $range
    dict merge $m [$relation histogram $statistic [list {*}$range $bins {*}[expr {$log ? "log" : {}}]] {*}$words]
}

# Some air on both sides keeps the steps at the least and the largest value apart from the plot's edges.
proc measure_cdf {trace relation options m} {
    lassign [dict get $m range] from to
    if {![dict get $m log] && [dict get $options range] eq {}} {
        set air [expr {($to - $from) * 0.03}]
        dict set m range [list [expr {$from >= 0 ? max(0, $from - $air) : $from - $air}] [expr {$to + $air}]]
    }
    dict merge $m [$relation sample [dict get $m statistic] 3000 {*}[dict get $options words]]
}

# Measures over time: the jobs one by one, or the cells of a grid that have some.
proc measure_overtime {trace relation options m} {
    variable MARKS
    dict with m {}
    set words [dict get $options words]
    set releases [$relation statistics release {*}$words]
    figure pause $words
    if {![dict get $releases count]} {figure fail {FIGURE EMPTY} "no job that is to be shown has a release"}
    dict set m span [rangeOf $releases {} 0]
    if {[$relation count] <= $MARKS} {return [dict merge $m [jobsOverTime $relation $statistic]]}
    set rows 120
    if {!$log && [dict get $options range] eq {}} {
        lassign [wholeBins $relation $statistic $range $rows $words] range rows
    }
    set counted [$relation grid release [list {*}[dict get $m span] 360] $statistic \
        [list {*}$range $rows {*}[expr {$log ? "log" : {}}]] {*}$words]
    figure pause $words
    dict set m range $range
    dict merge $m $counted [dict create shades [shadesOf [dict get $counted cells] [edges [dict get $m span] 360 0] \
        [edges $range $rows $log]]]
}

# Rectangles {x y w h ...} of three shades, which also differ in grey: cells with some jobs, with more than a tenth of
# those of the fullest cell, with more than half. Cells of one shade above each other are one rectangle. The cells come
# column by column, from below.
proc shadesOf {cells xs ys} {
    set fullest [tcl::mathfunc::max 1 {*}[lmap {x y count} $cells {set count}]]
    array set shades {0 {} 1 {} 2 {}}
    lassign {-1 -1 -1 0} column bottom top shade
    # A last cell of its own column ends the rectangle before it.
    foreach {x y count} [list {*}$cells -1 -1 0] {
        set own [expr {$count > 0.5 * $fullest ? 2 : $count > 0.1 * $fullest ? 1 : 0}]
        if {$x == $column && $y == $top && $own == $shade} {
            incr top
            continue
        }
        if {$column >= 0} {
            set left [lindex $xs $column]
            set low [lindex $ys $bottom]
            lappend shades($shade) $left $low [expr {[lindex $xs $column+1] - $left}] [expr {[lindex $ys $top] - $low}]
        }
        lassign [list $x $y [expr {$y + 1}] $own] column bottom top shade
    }
    list $shades(0) $shades(1) $shades(2)
}

# The jobs over time, a dict: jobs, a flat list of job, release and value; span, from the first release to the last, if
# there are any.
proc jobsOverTime {relation statistic} {
    $relation sort release
    set names [lmap column [$relation columns] {dict get $column name}]
    set x [lsearch -exact $names release]
    set y [lsearch -exact $names $statistic]
    set jobs {}
    foreach id [$relation ids 0 [$relation count]] row [$relation rows 0 [$relation count]] {
        if {[lindex $row $x] ne {} && [lindex $row $y] ne {}} {lappend jobs $id [lindex $row $x] [lindex $row $y]}
    }
    if {![llength $jobs]} {return {jobs {}}}
    dict create jobs $jobs span [rangeOf [dict create minimum [lindex $jobs 1] maximum [lindex $jobs end-1]] {} 0]
}

# ---- drawing ---------------------------------------------------------------------------------------------------------

# Draws a plot. p: dict with box {x y width height} of the whole plot with its axes, size (of text), colors, unit,
# scale, origin (of times), title, logCount, tail, line, marked (values of selected jobs; over time: x y pairs), each
# (number of jobs that each of these stands for). Result: the plot's inner box.
proc drawPlot {drawing m p} {
    lassign [dict get $p box] left top width height
    set size [dict get $p size]
    lassign [axes_[dict get $m kind] $m $p [expr {$width - 6 * $size}] [expr {$height - 3.5 * $size}] \
        [list -drawing $drawing -size $size]] x y
    set besides [figure breadth $drawing $y 1]
    set below [figure breadth $drawing $x 0]
    # The caption, and the names of ranks below it, where there is room for them.
    set ranks [expr {[dict get $m kind] ne "overtime" && $height - $below > 6 * $size}]
    set iw [expr {$width - $besides - 14}]
    set iw [expr {$iw - max(0, [figure overhang $drawing $x $iw] - 11)}]
    set captions [captionsOf $drawing $m $p $iw]
    set head [expr {$size * (($ranks ? 2.8 : 1.7) + 1.2 * ([llength $captions] - 1))}]
    set inner [list [expr {$left + $besides + 2}] [expr {$top + $head}] $iw [expr {$height - $below - $head - 3}]]
    lassign $inner ix iy iw ih
    if {$iw < 20 || $ih < 15} return
    figure plot $drawing $inner $x $y [dict get $p colors]
    set base [expr {$top + $size}]
    foreach caption $captions bold {1 0} {
        if {$caption eq {}} continue
        $drawing text $ix $base $caption -size $size -bold $bold -ink [dict get $p colors ink] -most $iw
        set base [expr {$base + 1.2 * $size}]
    }
    $drawing clip {*}$inner
    draw_[dict get $m kind] $drawing $m $p $inner
    $drawing clip
    if {$ranks} {drawRanks $drawing $m $p $inner}
    return $inner
}

# The lines over a plot of this width: what is shown, which jobs count, and how many are not on the axis; on one line
# where that has room.
proc captionsOf {drawing m p width} {
    set caption "[dict get $p title]: [countOf $m]"
    set notes {}
    if {[dict get $m figures count] < [dict get $m all]} {lappend notes "those with a [dict get $m statistic]"}
    if {[dict get $p window] ne {}} {lappend notes [dict get $p window]}
    if {[dict get $m outside] ni {{} 0}} {
        set figures [dict get $m figures]
        lassign [expr {[isCount [dict get $m statistic]] ? {{} 1}
            : [list [dict get $p unit] [dict get $p scale]]}] unit scale
        lappend notes \
            [figure outside [dict get $m outside] [dict get $figures minimum] [dict get $figures maximum] $unit $scale]
    }
    if {![llength $notes]} {return [list $caption]}
    set note [join $notes ", "]
    set both "$caption, $note"
    expr {[lindex [$drawing measure $both -size [dict get $p size] -bold 1] 0] <= $width
        ? [list $both] : [list $caption $note]}
}

# What a figure says of a window from `from` to `to`, either of which may be missing: its jobs are released in it.
proc windowOf {options unit scale} {
    set words {}
    foreach {name word} {-from from -to to} {
        set time [dict get [dict merge [list $name {}] $options] $name]
        if {$time eq {}} continue
        set time [::tactus::format %.15g [expr {$time * $scale}]]
        lappend words $word [expr {[regexp {^[munµμ]?s$} $unit] ? [::tactus::length $time $unit 15]
            : [string trimright "$time $unit"]}]
    }
    if {![llength $words]} return
    if {[lindex $words 0] eq "to"} {lset words 0 "until"}
    return "released [join $words]"
}

# How many jobs a plot counts: those with a value of the statistic; and of how many, where others have none.
proc countOf {m} {
    set count [dict get $m figures count]
    set all [dict get $m all]
    expr {$count < $all ? "$count of [figure counted $all]" : [figure counted $count]}
}

# Is the statistic a count, which has no unit?
proc isCount {statistic} {expr {$statistic in {preemptions migrations}}}

# Options of the axis of the statistic. Counts, as of preemptions, have no unit.
proc statisticAxis {m p own} {
    set statistic [dict get $m statistic]
    list {*}$own -title $statistic -log [dict get $m log] \
        {*}[expr {[isCount $statistic] ? {} : [timeAxis $p]}]
}

proc timeAxis {p} {
    list -unit [dict get $p unit] -scale [dict get $p scale]
}

proc axes_histogram {m p wide high own} {
    dict with m {}
    set largest [tcl::mathfunc::max 1 {*}$counts]
    set logCount [dict get $p logCount]
    set y [figure axis [expr {$logCount ? 0.5 : 0}] [expr {$largest * ($logCount ? 1.5 : 1.06)}] $high \
        {*}$own -upright 1 \
        -title jobs -whole 1 -log $logCount]
    list [figure axis {*}$range $wide {*}[statisticAxis $m $p $own]] $y
}

proc axes_cdf {m p wide high own} {
    dict with m {}
    if {[dict get $p tail]} {
        set lowest [expr {10.0 ** floor(log10(1.0 / max(2, [dict get $figures count])))}]
        set y [figure axis $lowest 1 $high {*}$own -upright 1 -title "share of jobs above" -log 1]
    } else {
        set y [figure axis 0 1 $high {*}$own -upright 1 -title "share of jobs"]
    }
    list [figure axis {*}$range $wide {*}[statisticAxis $m $p $own]] $y
}

# The axes over time, a little longer than the range, so that marks at its ends are whole.
proc axes_overtime {m p wide high own} {
    dict with m {}
    lassign $span first last
    set besides [expr {($last - $first) * 0.01}]
    set x [figure axis [expr {$first - $besides}] [expr {$last + $besides}] $wide {*}$own \
        -title release -origin [dict get $p origin] {*}[timeAxis $p]]
    lassign $range from to
    if {!$log} {
        set air [expr {($to - $from) * 0.05}]
        set from [expr {$from >= 0 && $from < 0.5 * $to ? 0 : $from - $air}]
        set to [expr {$to + $air}]
    }
    list $x [figure axis $from $to $high {*}[statisticAxis $m $p $own] -upright 1]
}

# Edges of the bins, as the core counts them.
proc edges {range bins log} {
    lassign $range from to
    set edges {}
    for {set i 0} {$i <= $bins} {incr i} {
        lappend edges [expr {$log ? $from * (double($to) / $from) ** (double($i) / $bins)
            : $from + double($i) / $bins * ($to - $from)}]
    }
    return $edges
}

proc draw_histogram {drawing m p inner} {
    dict with m {}
    set colors [dict get $p colors]
    set edges [edges $range $bins $log]
    set base [expr {[dict get $p logCount] ? 0.5 : 0}]
    set rectangles {}
    set tags {}
    set i 0
    foreach count $counts {
        set from [lindex $edges $i]
        set to [lindex $edges [incr i]]
        if {!$count} continue
        lappend rectangles $from $base [expr {$to - $from}] [expr {$count - $base}]
        lappend tags [list bin $from $to $count]
    }
    set wide [expr {double([lindex $inner 2]) / $bins > 4}]
    $drawing rectangles $rectangles -mapped 1 -fill [dict get $colors bar] \
        -tags $tags {*}[expr {$wide ? [list -outline [dict get $colors ink] -width 0.4] : {}}]
    drawMarked $drawing $m $p $edges $base
}

# Draws the number of selected jobs of each bin, over the bar, in the colour of the selection.
proc drawMarked {drawing m p edges base} {
    dict with m {}
    if {![llength [dict get $p marked]]} return
    lassign $range from to
    set found {}
    foreach value [dict get $p marked] {
        if {$value eq {} || $value < $from || $value > $to} continue
        set share [expr {$log ? log($value / $from) / log(double($to) / $from)
            : double($value - $from) / ($to - $from)}]
        dict incr found [expr {max(0, min($bins - 1, int($share * $bins)))}]
    }
    set rectangles {}
    dict for {i count} $found {
        set count [expr {min([lindex $counts $i], $count * [dict get $p each])}]
        lappend rectangles [lindex $edges $i] $base [expr {[lindex $edges $i+1] - [lindex $edges $i]}] \
            [expr {$count - $base}]
    }
    $drawing rectangles $rectangles -mapped 1 -fill [dict get $p colors accent] -layer patterns
}

# Draws the median, 95 and 99 percent, and the largest value: a line each, with its name above the plot. Lines that
# cannot be told apart share a name; those whose names would touch lead to names that stand side by side.
proc drawRanks {drawing m p inner} {
    lassign $inner left top width height
    set look [list -ink [dict get $p colors late]]
    set size [expr {[dict get $p size] * 0.85}]
    set lines {}  ;# {name x}
    foreach {rank name} {p50 median p95 95% p99 99% maximum max} {
        set x [$drawing map x place [dict get $m figures $rank]]
        if {$x < $left || $x > $left + $width} continue
        if {![llength $lines] || $x > [lindex $lines end 1]} {
            $drawing line [list $x $top $x [expr {$top + $height}]] {*}$look -width 0.6 -dash dashed -layer arrows
        }
        if {[llength $lines] && $x - [lindex $lines end 1] < 1} {
            set name "[lindex $lines end 0], $name"
            set lines [lrange $lines 0 end-1]
        }
        lappend lines [list $name $x]
    }
    set above [expr {$top - 0.5 * $size}]
    foreach name [placeNames $drawing $lines $size $left [expr {$left + $width + 4}]] {
        lassign $name text x from to
        set at [expr {max($from, min($to, $x))}]
        $drawing line [list $x $top $at $above] {*}$look -width 0.6 -layer arrows
        $drawing text $from [expr {$above - 2}] $text -size $size {*}$look -most [expr {$width + 4}]
    }
}

# Places the names of lines side by side between left and right, each as near to its line as others leave room: {name x
# from to ...}. Where there is no room for all, the first ones have none.
proc placeNames {drawing lines size left right} {
    set gap [expr {0.5 * $size}]
    set placed {}
    set right [expr {$right + $gap}]  ;# behind the last name
    set wide 0
    foreach line [lreverse $lines] {
        set needed [expr {[lindex [$drawing measure [lindex $line 0] -size $size] 0] + $gap}]
        if {[llength $placed] && $wide + $needed > $right - $left} break
        set wide [expr {$wide + $needed}]
        set placed [linsert $placed 0 [list {*}$line $needed]]
    }
    # Names that touch are a row, which stands where its names would be nearest to their lines: {from width wishes}.
    set rows {}
    foreach name $placed {
        lassign $name - x width
        set wishes [list [expr {$x - ($width - $gap) / 2}]]  ;# where the row would begin for each of its names
        set from [rowFrom $wishes $width $left $right]
        while {[llength $rows] && [lindex $rows end 0] + [lindex $rows end 1] > $from} {
            lassign [lindex $rows end] - before wished
            set rows [lrange $rows 0 end-1]
            set wishes [concat $wished [lmap wish $wishes {expr {$wish - $before}}]]
            set width [expr {$before + $width}]
            set from [rowFrom $wishes $width $left $right]
        }
        lappend rows [list $from $width $wishes]
    }
    set starts [concat {*}[lmap row $rows {lrepeat [llength [lindex $row 2]] [lindex $row 0]}]]
    set end $left
    lmap name $placed start $starts {
        lassign $name text x width
        set from [expr {max($start, $end)}]
        set end [expr {$from + $width}]
        list $text $x $from [expr {$end - $gap}]
    }
}

# The begin of a row of names between left and right.
proc rowFrom {wishes width left right} {
    expr {max($left, min($right - $width, [::tcl::mathop::+ {*}$wishes] / [llength $wishes]))}
}

proc draw_cdf {drawing m p inner} {
    set colors [dict get $p colors]
    $drawing line [curveOf $m [dict get $p tail]] -mapped 1 -ink [dict get $colors accent] -width 1.2 -tag curve
    set y [expr {[lindex $inner 1] + [lindex $inner 3]}]
    set strokes [concat {*}[lmap value [lrange [dict get $p marked] 0 1999] {
        if {$value eq {} || ([dict get $m log] && $value <= 0)} continue
        set x [$drawing map x place $value]
        list $x [expr {$y - 6}] $x $y
    }]]
    $drawing segments $strokes -ink [dict get $colors late] -width 0.8 -layer arrows
}

# Points of the steps of the curve. The last step of a tail goes to a tenth of a job, since a logarithmic axis has no 0.
proc curveOf {m tail} {
    dict with m {}
    set before [expr {$tail ? 1.0 : 0.0}]
    set points [list [lindex $range 0] $before]
    foreach {value rank} $values {
        set share [expr {$tail ? 1 - double($rank) / $count : double($rank) / $count}]
        if {$tail && $share <= 0} {set share [expr {0.1 / $count}]}
        lappend points $value $before $value $share
        set before $share
    }
    lappend points [lindex $range 1] $before
}

proc draw_overtime {drawing m p inner} {
    dict with m {}
    set colors [dict get $p colors]
    if {[dict exists $m jobs]} {
        set points {}
        set tags {}
        foreach {job x y} $jobs {
            if {$log && $y <= 0} continue
            lappend points $x $y
            lappend tags [list job $job]
        }
        if {[dict get $p line]} {$drawing line $points -mapped 1 -ink [dict get $colors faint] -width 0.6}
        $drawing marks $points -mapped 1 -fill [dict get $colors accent] \
            -size [expr {[llength $tags] > 500 ? 2 : 3.2}] -tags $tags
    } else {
        drawCells $drawing $m $colors
    }
    $drawing marks [dict get $p marked] -mapped 1 -shape circle -ink [dict get $colors late] \
        {*}[expr {[llength [dict get $p marked]] > 400 ? {-size 2.5 -width 0.6} : {-size 6 -width 1.2}}]
}

proc drawCells {drawing m colors} {
    foreach rectangles [dict get $m shades] key {bar accent ink} {
        $drawing rectangles $rectangles -mapped 1 -fill [dict get $colors $key]
    }
}

# ---- a figure --------------------------------------------------------------------------------------------------------

proc isOn {options name} {
    expr {[dict exists $options $name] && [string is true -strict [dict get $options $name]]}
}

# Draws the view as a figure of a kind: histogram, cdf or overtime.
proc drawFigure {kind trace drawing options} {
    set choice [figure choice $trace [dict get $options -task]]
    set relation [figure jobs $trace [dict get $choice words] [figure conditions [dict get $options -filter]] \
        [figure given {-from -to} $options]]
    try {
        set m [measure $trace $relation $kind \
            [dict create statistic [dict get $options -statistic] log [isOn $options -log] \
            range [figure range [dict get $options -range]] \
                bins [expr {[dict exists $options -bins] ? [dict get $options -bins] : {}}] words {}]]
    } finally {
        $relation close
    }
    set width [$drawing cget -width]
    if {[dict get $options -height] eq {}} {
        $drawing configure -height [expr {max($width * 0.62, 9 * [$drawing cget -fontsize])}]
    }
    set scale [dict get $options -axis-scale]
    set inner [drawPlot $drawing $m [dict create box [list 0 0 $width [$drawing cget -height]] \
        size [$drawing cget -fontsize] \
        colors [figure colors $trace {*}[figure given {-dark -grayscale -settings} $options]] \
        unit [dict get $options -axis-unit] scale [expr {$scale eq {} ? 1 : $scale}] origin 0 \
        window [windowOf $options [dict get $options -axis-unit] [expr {$scale eq {} ? 1 : $scale}]] \
        title [titleOf $trace $choice] logCount [isOn $options -log-count] \
        tail [isOn $options -tail] line [isOn $options -line] marked {} each 1]]
    if {$inner eq {}} {
        figure fail {FIGURE NARROW} \
            "there is no room for a plot: give a larger -width or -height, or a smaller -fontsize"
    }
}

proc titleOf {trace choice} {
    set ids [dict get $choice ids]
    set looks [dict get [$trace style -tasks $ids] tasks]
    if {[dict get $choice count] != 1} {return [figure choiceNames $choice $looks 200]}
    figure oneLine [figure taskName $trace [lindex $ids 0] [dict get $looks [lindex $ids 0] name]] 200
}

# ---- a panel ---------------------------------------------------------------------------------------------------------

proc openPanel {frame view} {
    part panel
    Panel new $frame $view
}
