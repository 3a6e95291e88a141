# distribution.tcl -- how a statistic of jobs is spread: histogram, cumulative distribution, and over time.
#
#	$trace relation jobs, filtered to a task -> statistics (least, largest) -> an axis
#	     -> histogram: counts of bins      cdf: a sample of the sorted values      overtime: counts of a grid, or the jobs themselves
#	     -> a drawing
#
# All counting is done in C over all jobs (relation histogram, sample, grid), so a million of them take a moment, and what is
# drawn has as many things as there are places on the paper. The cumulative distribution shows order statistics: it is exact at
# every point that is drawn. Over time, single jobs are marks up to two thousand of them; beyond, places of the paper are filled
# that have jobs, the darker the more.
#
# Drag over a range of the statistic (over time: a range of time and statistic) and the jobs in it are selected, here, in the
# table of jobs, in the stacked view and in the timeline; jobs that are selected elsewhere are marked here. Statistics
# are the columns of `stats --of jobs`.

plugin distribution -title "Distribution" -help "histogram, cumulative distribution and course of a statistic of jobs"

variable common {
    {-task list IDS {} "tasks (ids or names, glob patterns) whose jobs count together; default: the one with the most jobs"}
    {-statistic text COLUMN response "what is measured: a column of stats --of jobs"}
    {-filter text CONDITIONS {} "jobs that count: column operator value, more of them joined by &&"}
    {-log flag {} no "logarithmic axis of the statistic"}
    {-range text FROM,TO {} "of the statistic; default: from the least to the largest"}
}

view histogram -title Distribution -create openPanel -side bottom -figure {drawFigure histogram} \
    -help "how many jobs had which value of a statistic" \
    -options [list {*}$common {-bins number N {} "how many bins; default: by the number of jobs (Freedman and Diaconis)"} \
	{-log-count flag {} no "logarithmic axis of the counts, which shows rare ones"}]
view cdf -title "Cumulative distribution" -figure {drawFigure cdf} -help "the share of jobs that had a value up to this one" \
    -options [list {*}$common {-tail flag {} no "the share that had more, logarithmic: for rare large values"}]
view overtime -title "Over time" -figure {drawFigure overtime} -help "a statistic against the release of the jobs" \
    -options [list {*}$common {-line flag {} no "joins the jobs"}]

on <JobsSelected> jobsSelected
on <TraceClosed> closed
on <TraceFinished> finished

variable panels {}	;# view -> its panel
variable MARKS 2000	;# jobs that are drawn one by one

proc fail {code message} {
    return -code error -errorcode [::list TACTUS {*}$code] $message
}

# ---- what is measured ------------------------------------------------------------------------------------------------

# Tasks with jobs, the one with the most first: list of {id name count}.
proc tasksOf {trace} {
    set rows [lmap row [$trace stats tasks] {::list [dict get $row task] [dict get $row name] [dict get $row releases]}]
    lsort -decreasing -integer -index 2 $rows
}

# Statistics there are: columns of jobs with numbers, without moments.
proc statistics {relation} {
    lmap column [$relation columns] {
	if {[dict get $column type] eq "text" || [dict get $column name] in {release start completion deadline}} continue
	dict get $column name
    }
}

# A relation of the jobs of tasks.
proc jobsOf {trace tasks conditions {window {}}} {
    set relation [$trace relation jobs {*}$window]
    try {
	$relation filter [concat [figure ofTasks $trace $tasks] $conditions]
    } on error {message options} {
	$relation close
	# A column that is not there is the user's mistake, and not the plugin's.
	if {[lindex [dict get $options -errorcode] 0] eq "TCL"} {fail {USAGE CONDITION} $message}
	return -options $options $message
    }
    return $relation
}

# {from to}: given, or from the least to the largest value; rounded so that the axis begins and ends well.
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
	return [::list [expr {$from - $half}] [expr {$from + $half}]]
    }
    ::list $from $to
}

# Freedman & Diaconis (1981): twice the distance of the quartiles, over the third root of the number. Whole numbers get bins of
# whole width.
proc binsFor {relation statistic figures range log} {
    set count [dict get $figures count]
    if {$count < 2} {return 1}
    set most [expr {int(min(200, max(10, 2 * sqrt($count))))}]
    if {$log} {return [expr {min($most, 40)}]}
    set values [dict get [$relation sample $statistic 5] values]
    if {[llength $values] < 10} {return [expr {min($most, 10)}]}
    foreach {- - q1 - - - q3 -} $values break
    set width [expr {2.0 * ($q3 - $q1) / $count ** (1.0 / 3)}]
    set bins [expr {$width > 0 ? int(ceil(([lindex $range 1] - [lindex $range 0]) / $width)) : $most}]
    expr {max(5, min($most, $bins))}
}

# What a plot is of: counted once, drawn as often as the window changes. A dict: kind statistic log figures range count, and counts,
# values or cells.
proc measure {trace relation kind options} {
    set statistic [dict get $options statistic]
    if {$statistic ni [statistics $relation]} {
	fail [::list LOOKUP COLUMN $statistic] "no statistic \"$statistic\": must be one of [join [statistics $relation] {, }]"
    }
    set figures [$relation statistics $statistic]
    if {![dict get $figures count]} {fail {FIGURE EMPTY} "no job that is to be shown has a value of $statistic"}
    set log [dict get $options log]
    if {$log && [dict get $figures maximum] <= 0} {fail {USAGE VALUE} "no $statistic is above 0: a logarithmic axis has no place for it"}
    set range [rangeOf $figures [dict get $options range] $log]
    set m [dict create kind $kind statistic $statistic log $log figures $figures range $range]
    measure_$kind $trace $relation $options $m
}

proc measure_histogram {trace relation options m} {
    dict with m {}
    set bins [dict get $options bins]
    if {$bins eq {}} {set bins [binsFor $relation $statistic $figures $range $log]}
    set bins [expr {int(max(1, min(10000, $bins)))}]
    dict set m bins $bins
    dict merge $m [$relation histogram $statistic [::list {*}$range $bins {*}[expr {$log ? "log" : {}}]]]
}

proc measure_cdf {trace relation options m} {
    dict merge $m [$relation sample [dict get $m statistic] 3000]
}

proc measure_overtime {trace relation options m} {
    variable MARKS
    dict with m {}
    set releases [$relation statistics release]
    if {![dict get $releases count]} {fail {FIGURE EMPTY} "no job that is to be shown has a release"}
    dict set m span [rangeOf $releases {} 0]
    if {[$relation count] <= $MARKS} {
	$relation sort release
	set names [lmap column [$relation columns] {dict get $column name}]
	set x [lsearch -exact $names release]
	set y [lsearch -exact $names $statistic]
	set place -1
	set jobs {}
	foreach row [$relation rows 0 $MARKS] {
	    incr place
	    if {[lindex $row $x] eq {} || [lindex $row $y] eq {}} continue
	    lappend jobs [$relation id $place] [lindex $row $x] [lindex $row $y]
	}
	if {[llength $jobs]} {
	    set times [lmap {job x y} $jobs {set x}]
	    dict set m span [rangeOf [dict create minimum [lindex $times 0] maximum [lindex $times end]] {} 0]
	}
	return [dict merge $m [dict create jobs $jobs]]
    }
    dict set m grid {360 120}
    dict merge $m [$relation grid release [::list {*}[dict get $m span] 360] $statistic [::list {*}$range 120 {*}[expr {$log ? "log" : {}}]]]
}

# ---- drawing ---------------------------------------------------------------------------------------------------------

# p: dict with box {x y width height} of the whole plot with its axes, size (of text), colors, unit, scale, title, logCount, tail, line,
# marked (values of selected jobs; over time: x y pairs). Result: the plot's inner box.
proc drawPlot {drawing m p} {
    lassign [dict get $p box] left top width height
    lassign [axesOf $drawing $m $p $width $height] x y
    set size [dict get $p size]
    set besides [::tactus::figure::breadth $drawing $y 1]
    set below [::tactus::figure::breadth $drawing $x 0]
    set head [expr {$size * 1.7}]
    set inner [::list [expr {$left + $besides + 2}] [expr {$top + $head}] [expr {$width - $besides - 14}] [expr {$height - $below - $head - 3}]]
    lassign [::list {*}$inner] ix iy iw ih
    if {$iw < 20 || $ih < 15} return
    figure plot $drawing $inner $x $y [dict get $p colors]
    $drawing text $ix [expr {$top + $size}] [captionOf $m $p] -size $size -bold 1 -ink [dict get $p colors ink] -most $iw
    $drawing clip {*}$inner
    draw_[dict get $m kind] $drawing $m $p $inner
    $drawing clip
    return $inner
}

proc captionOf {m p} {
    set count [dict get $m figures count]
    string cat [dict get $p title] ": $count job[expr {$count == 1 ? {} : "s"}]"
}

proc axesOf {drawing m p width height} {
    dict with m {}
    set size [dict get $p size]
    set own [::list -drawing $drawing -size $size]
    set statisticAxis [::list {*}$own -title $statistic -log $log]
    # Counts of preemptions have no unit; neither has what no time is.
    if {$statistic ni {preemptions migrations}} {lappend statisticAxis -unit [dict get $p unit] -scale [dict get $p scale]}
    switch $kind {
	histogram {
	    set largest [expr {max(1, [tcl::mathfunc::max {*}$counts])}]
	    set bottom [expr {[dict get $p logCount] ? 0.5 : 0}]
	    set y [figure axis $bottom [expr {[dict get $p logCount] ? $largest * 1.5 : $largest * 1.06}] [expr {$height - 3.5 * $size}] {*}$own -upright 1 \
		-title jobs -whole 1 -log [dict get $p logCount]]
	    return [::list [figure axis {*}$range [expr {$width - 6 * $size}] {*}$statisticAxis] $y]
	}
	cdf {
	    set lowest [expr {10.0 ** floor(log10(1.0 / max(2, [dict get $figures count])))}]
	    set y [expr {[dict get $p tail]
		? [figure axis $lowest 1 [expr {$height - 3.5 * $size}] {*}$own -upright 1 -title "share of jobs above" -log 1]
		: [figure axis 0 1 [expr {$height - 3.5 * $size}] {*}$own -upright 1 -title "share of jobs"]}]
	    return [::list [figure axis {*}$range [expr {$width - 6 * $size}] {*}$statisticAxis] $y]
	}
	overtime {
	    # Marks at the ends are whole.
	    lassign $span first last
	    set besides [expr {($last - $first) * 0.01}]
	    set x [figure axis [expr {$first - $besides}] [expr {$last + $besides}] [expr {$width - 6 * $size}] {*}$own -title release -unit [dict get $p unit] -scale [dict get $p scale]]
	    lassign $range from to
	    if {!$log} {
		set from [expr {$from >= 0 && $from < 0.5 * $to ? 0 : $from}]
		set to [expr {$to + ($to - $from) * 0.05}]
	    }
	    return [::list $x [figure axis $from $to [expr {$height - 3.5 * $size}] {*}$statisticAxis -upright 1]]
	}
    }
}

# Edges of bins, as the counting has them.
proc edges {range bins log} {
    lassign $range from to
    set edges {}
    for {set i 0} {$i <= $bins} {incr i} {
	lappend edges [expr {$log ? $from * (double($to) / $from) ** (double($i) / $bins) : $from + double($i) / $bins * ($to - $from)}]
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
	lappend tags [::list bin $from $to $count]
    }
    set wide [expr {double([lindex $inner 2]) / $bins > 4}]
    $drawing rectangles $rectangles -mapped 1 -fill [dict get $colors bar] -tags $tags {*}[expr {$wide ? [::list -outline [dict get $colors ink] -width 0.4] : {}}]
    drawMarked $drawing $m $p $edges $base
    drawRanks $drawing $m $p $inner
}

# How many of each bin are selected: over the bar, in the colour of what is chosen.
proc drawMarked {drawing m p edges base} {
    dict with m {}
    if {![llength [dict get $p marked]]} return
    lassign $range from to
    set counts {}
    foreach value [dict get $p marked] {
	if {$value eq {} || $value < $from || $value > $to} continue
	set share [expr {$log ? log($value / $from) / log(double($to) / $from) : double($value - $from) / ($to - $from)}]
	dict incr counts [expr {max(0, min($bins - 1, int($share * $bins)))}]
    }
    set rectangles {}
    dict for {i count} $counts {
	lappend rectangles [lindex $edges $i] $base [expr {[lindex $edges $i+1] - [lindex $edges $i]}] [expr {$count - $base}]
    }
    $drawing rectangles $rectangles -mapped 1 -fill [dict get $p colors accent] -layer patterns
}

# Median, 95 and 99 percent, and the largest: a line each, with a name where it has room, away from the curve.
proc drawRanks {drawing m p inner} {
    lassign $inner left top width height
    set colors [dict get $p colors]
    set free -1e9
    set size [expr {[dict get $p size] * 0.85}]
    set y [expr {[dict get $m kind] eq "cdf" && ![dict get $p tail] ? $top + $height - 3 : $top + $size}]
    foreach {rank name} {p50 median p95 95% p99 99% maximum max} {
	set x [$drawing map x place [dict get $m figures $rank]]
	if {$x < $left || $x > $left + $width} continue
	# The highest of equal ones gives its name.
	if {$rank ne "maximum" && [dict get $m figures $rank] == [dict get $m figures [dict get {p50 p95 p95 p99 p99 maximum} $rank]]} continue
	$drawing line [::list $x $top $x [expr {$top + $height}]] -ink [dict get $colors late] -width 0.6 -dash dashed -layer arrows
	set needed [expr {[lindex [$drawing measure $name -size $size] 0] + 3}]
	set before [expr {$x + 2 + $needed > $left + $width}]
	set from [expr {$before ? $x - 2 - $needed : $x + 2}]
	if {$from < $free} continue
	set free [expr {$from + $needed}]
	$drawing text [expr {$before ? $x - 2 : $x + 2}] $y $name -anchor [expr {$before ? "right" : "left"}] -size $size -ink [dict get $colors late]
    }
}

proc draw_cdf {drawing m p inner} {
    dict with m {}
    set colors [dict get $p colors]
    set tail [dict get $p tail]
    set points {}
    set before [expr {$tail ? 1.0 : 0.0}]
    lappend points [lindex $range 0] $before
    foreach {value rank} $values {
	set share [expr {double($rank) / $count}]
	if {$tail} {set share [expr {1 - $share}]}
	lappend points $value $before $value [expr {$tail && $share <= 0 ? 0.1 / $count : $share}]
	set before [lindex $points end]
    }
    lappend points [lindex $range 1] $before
    $drawing line $points -mapped 1 -ink [dict get $colors accent] -width 1.2 -tag curve
    set y [expr {[lindex $inner 1] + [lindex $inner 3]}]
    set strokes [concat {*}[lmap value [lrange [dict get $p marked] 0 1999] {
	if {$value eq {} || ($log && $value <= 0)} continue
	set x [$drawing map x place $value]
	::list $x [expr {$y - 6}] $x $y
    }]]
    $drawing segments $strokes -ink [dict get $colors late] -width 0.8 -layer arrows
    drawRanks $drawing $m $p $inner
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
	    lappend tags [::list job $job]
	}
	if {[dict get $p line]} {$drawing line $points -mapped 1 -ink [dict get $colors faint] -width 0.6}
	$drawing marks $points -mapped 1 -fill [dict get $colors accent] -size [expr {[llength $tags] > 500 ? 2 : 3.2}] -tags $tags
    } else {
	drawCells $drawing $m $colors
    }
    $drawing marks [dict get $p marked] -mapped 1 -shape circle -ink [dict get $colors late] -size 6 -width 1.2
}

# Three shades: some jobs, more than a tenth of the fullest place, more than half. In grey, too, they differ.
proc drawCells {drawing m colors} {
    dict with m {}
    lassign $grid columns rows
    lassign $span from to
    set wide [expr {($to - $from) / double($columns)}]
    set edges [edges $range $rows $log]
    set fullest 1
    foreach {x y count} $cells {if {$count > $fullest} {set fullest $count}}
    foreach shade {0 1 2} {set shades($shade) {}}
    foreach {x y count} $cells {
	set shade [expr {$count > 0.5 * $fullest ? 2 : $count > 0.1 * $fullest ? 1 : 0}]
	lappend shades($shade) [expr {$from + $x * $wide}] [lindex $edges $y] $wide [expr {[lindex $edges $y+1] - [lindex $edges $y]}]
    }
    foreach shade {0 1 2} key {bar accent ink} {$drawing rectangles $shades($shade) -mapped 1 -fill [dict get $colors $key]}
}

# ---- a figure --------------------------------------------------------------------------------------------------------

proc isOn {options name} {
    expr {[dict exists $options $name] && [string is true -strict [dict get $options $name]]}
}

proc drawFigure {kind trace drawing options} {
    set window {}
    set styles {}
    foreach name {-from -to} {if {[dict get $options $name] ne {}} {lappend window $name [dict get $options $name]}}
    foreach name {-dark -grayscale -settings} {if {[dict get $options $name] ne {}} {lappend styles $name [dict get $options $name]}}
    set tasks [figure tasks $trace [dict get $options -task]]
    set relation [jobsOf $trace $tasks [figure conditions [dict get $options -filter]] $window]
    try {
	set m [measure $trace $relation $kind [dict create statistic [dict get $options -statistic] log [isOn $options -log] \
	    range [figure range [dict get $options -range]] bins [expr {[dict exists $options -bins] ? [dict get $options -bins] : {}}]]]
    } finally {
	$relation close
    }
    set width [$drawing cget -width]
    if {[dict get $options -height] eq {}} {$drawing configure -height [expr {$width * 0.62}]}
    set scale [dict get $options -axis-scale]
    drawPlot $drawing $m [dict create box [::list 0 0 $width [$drawing cget -height]] size [$drawing cget -fontsize] colors [figure colors $trace {*}$styles] \
	unit [dict get $options -axis-unit] scale [expr {$scale eq {} ? 1 : $scale}] title [titleOf $trace $tasks] logCount [isOn $options -log-count] \
	tail [isOn $options -tail] line [isOn $options -line] marked {}]
}

proc titleOf {trace tasks} {
    set names {}
    foreach task [tasksOf $trace] {
	if {[lindex $task 0] in $tasks} {lappend names [expr {[lindex $task 1] eq {} ? [lindex $task 0] : [lindex $task 1]}]}
    }
    string map {\n { } \t { }} [string range [join [lsort -unique -dictionary $names] {, }] 0 200]
}

# ---- a panel ---------------------------------------------------------------------------------------------------------

proc openPanel {frame view} {
    variable panels
    dict set panels $view [Panel new $frame $view]
}

proc forget {view} {
    variable panels
    dict unset panels $view
}

proc jobsSelected {view jobs by} {
    variable panels
    if {[dict exists $panels $view]} {[dict get $panels $view] jobsSelected $jobs $by}
}

proc closed {trace} {
    variable panels
    dict for {view panel} $panels {$panel soon renew}
}

proc finished {trace} {
    variable panels
    dict for {view panel} $panels {$panel soon renew}
}

proc px {n} {::tactus::player::px $n}

oo::class create Panel {
    variable Frame View Trace Picture Drawing Relation Measured Inner Chosen Waiting Message Dragged
    variable Task Tasks Kind Statistic Filter Log	;# of the widgets; Tasks: shown name -> id, {} all

    constructor {frame view} {
	::namespace path [::list {*}[::namespace path] ::tactus::plugins::distribution ::tactus::plugin::api]
	lassign [::list $frame $view] Frame View
	lassign {} Trace Relation Measured Inner Chosen Waiting Message Dragged Task Tasks Filter
	lassign {histogram response 0} Kind Statistic Log
	set Drawing [::tactus::drawing]
	my Build
	bind $Picture <Destroy> +[::namespace code {my destroy}]
	foreach event {TraceOpened TraceReloaded TraceClosed} {
	    ::tactus::player::listen $event [::namespace code {my soon renew}] $frame
	}
	::tactus::player::listen ThemeChanged [::namespace code {my soon draw}] $frame
	my soon renew
    }

    destructor {
	foreach {method timer} $Waiting {after cancel $timer}
	my DropRelation
	catch {$Drawing destroy}
	forget $View
    }

    method DropRelation {} {
	if {$Relation ne {}} {catch {$Relation close}}
	set Relation {}
    }

    method var {name} {return [info object namespace [self]]::$name}

    method Build {} {
	set bar [ttk::frame $Frame.bar -padding [px 3]]
	foreach {name label width} {Task of 16 Statistic statistic 12 Kind as 10} {
	    ttk::label $bar.l$name -text $label
	    ttk::combobox $bar.c$name -state readonly -width $width -textvariable [my var $name] -takefocus 0
	    bind $bar.c$name <<ComboboxSelected>> [::namespace code {%W selection clear; my soon measure}]
	}
	$bar.cKind configure -values {histogram cdf overtime}
	ttk::checkbutton $bar.log -text log -variable [my var Log] -command [::namespace code {my soon measure}] -takefocus 0
	ttk::label $bar.lFilter -text filter
	ttk::entry $bar.filter -textvariable [my var Filter] -width 12
	bind $bar.filter <Return> [::namespace code {my soon measure}]
	bind $bar.filter <Escape> [::namespace code {set Filter {}; my soon measure}]
	ttk::button $bar.export -text "Figure\u2026" -command [::namespace code {my Export}] -takefocus 0
	pack $bar.export -side right -padx [px 3]
	pack $bar.lTask $bar.cTask $bar.lStatistic $bar.cStatistic $bar.lKind $bar.cKind $bar.log $bar.lFilter -side left -padx [px 2]
	pack $bar.filter -side left -fill x -expand 1 -padx [px 3]
	set Picture $Frame.picture
	::tactus::picture $Picture -drawing $Drawing -width 200 -height 100
	ttk::label $Frame.text -anchor w -padding [::list [px 6] [px 1]]
	grid $bar -sticky ew
	grid $Picture -sticky nsew
	grid $Frame.text -sticky ew
	grid columnconfigure $Frame 0 -weight 1
	grid rowconfigure $Frame 1 -weight 1
	foreach {event script} {
	    <Configure> {my soon draw} <Map> {my soon measure} <Motion> {my Motion %x %y} <Leave> {my Tell {}}
	    <ButtonPress-1> {my Press %x %y} <B1-Motion> {my Drag %x %y} <ButtonRelease-1> {my Release %x %y}
	} {
	    bind $Picture $event [::namespace code $script]
	}
    }

    # What a listener is told besides does not matter here.
    method soon {method args} {
	if {[dict exists $Waiting $method]} return
	dict set Waiting $method [after idle [::namespace code [::list my Run $method]]]
    }

    method Run {method} {
	dict unset Waiting $method
	if {[winfo exists $Picture]} {my $method}
    }

    # ---- the trace -----------------------------------------------------------------------------------------------------

    method renew {} {
	set Trace [expr {[info object isa object $View] ? [$View trace] : {}}]
	my DropRelation
	set Measured {}
	set Tasks {}
	if {$Trace ne {}} {
	    foreach task [lrange [tasksOf $Trace] 0 99] {
		lassign $task id name count
		dict set Tasks [string map {\n { } \t { }} [string range [expr {$name eq {} || $name eq $id ? $id : "$name ($id)"}] 0 60]] $id
	    }
	    $Frame.bar.cTask configure -values [::list "all tasks" {*}[dict keys $Tasks]]
	    if {$Task ne "all tasks" && ![dict exists $Tasks $Task]} {set Task [lindex [dict keys $Tasks] 0]}
	    set relation [$Trace relation jobs]
	    $Frame.bar.cStatistic configure -values [statistics $relation]
	    $relation close
	}
	my measure
    }

    # Counts anew; not before it is seen.
    method measure {} {
	if {![winfo ismapped $Picture]} return
	my DropRelation
	set Measured {}
	set Message [expr {$Trace eq {} ? "no trace" : {}}]
	if {$Trace ne {} && [dict size $Tasks]} {
	    try {
		set tasks [expr {$Task eq "all tasks" ? [lmap task [tasksOf $Trace] {lindex $task 0}] : [::list [dict get $Tasks $Task]]}]
		set Relation [jobsOf $Trace $tasks [figure conditions $Filter]]
		set Measured [measure $Trace $Relation $Kind [dict create statistic $Statistic log $Log range {} bins {}]]
	    } trap {TACTUS} message {
		set Message $message
	    } trap {TCL} message {
		set Message $message
	    }
	} elseif {$Message eq {}} {
	    set Message "no jobs in this trace"
	}
	my draw
    }

    # ---- drawing -------------------------------------------------------------------------------------------------------

    method draw {} {
	if {![winfo ismapped $Picture]} return
	lassign [$Picture size] width height
	set dark [expr {[::tactus::player::theme name] eq "dark"}]
	set paper [expr {$Trace eq {} ? {paper white ink black} : [$Trace style -dark $dark]}]
	$Drawing clear
	$Drawing configure -width $width -height $height -background [dict get $paper paper]
	set Inner {}
	if {$Measured eq {}} {
	    return [$Drawing text [expr {$width / 2}] [expr {$height / 2}] $Message -anchor center -ink [dict get $paper ink] -most [expr {$width - 20}]]
	}
	set Inner [drawPlot $Drawing $Measured [dict create box [::list 0 0 $width $height] size 8 colors [figure colors $Trace -dark $dark] \
	    unit [[$View timeline] cget -axisunit] scale [[$View timeline] cget -axisscale] title $Task logCount 0 tail 0 line 0 marked [my Marked]]]
	my DrawDrag
    }

    # Values of the jobs that are selected; over time: release and value of each.
    method Marked {} {
	if {$Relation eq {} || ![llength $Chosen]} return
	set marked {}
	foreach job [lrange $Chosen 0 1999] {
	    set look [$Trace look job $job]
	    if {$Task ne "all tasks" && [dict get $look task] ne [dict get $Tasks $Task]} continue
	    set value [dict get $look $Statistic]
	    if {$value eq {} || ($Log && $value <= 0)} continue
	    if {$Kind eq "overtime"} {
		if {[dict get $look release] ne {}} {lappend marked [dict get $look release] $value}
	    } else {
		lappend marked $value
	    }
	}
	return $marked
    }

    method DrawDrag {} {
	if {[llength $Dragged] != 4 || $Inner eq {}} return
	lassign $Dragged x0 y0 x1 y1
	lassign $Inner left top width height
	if {$Kind ne "overtime"} {lassign [::list $top [expr {$top + $height}]] y0 y1}
	$Drawing clip {*}$Inner
	$Drawing rectangles [::list [expr {min($x0, $x1)}] [expr {min($y0, $y1)}] [expr {abs($x1 - $x0)}] [expr {abs($y1 - $y0)}]] \
	    -fill [::tactus::player::theme color select] -layer back -outline [::tactus::player::theme color accent]
	$Drawing clip
    }

    # ---- selecting -----------------------------------------------------------------------------------------------------

    method Press {x y} {
	focus $Picture
	if {$Inner eq {}} return
	set Dragged [$Picture points $x $y]
    }

    method Drag {x y} {
	if {![llength $Dragged]} return
	set Dragged [::list {*}[lrange $Dragged 0 1] {*}[$Picture points $x $y]]
	my soon draw
    }

    # A click on a bar takes its range, on a mark its job.
    method Release {x y} {
	if {![llength $Dragged]} return
	set tag [$Picture identify $x $y]
	set points [::list {*}[lrange $Dragged 0 1] {*}[$Picture points $x $y]]
	set Dragged {}
	if {abs([lindex $points 0] - [lindex $points 2]) < 3} {
	    switch [lindex $tag 0] {
		bin {my selectRange [lindex $tag 1] [lindex $tag 2]}
		job {my Select [::list [lindex $tag 1]]}
		default {my Select {}}
	    }
	    return
	}
	lassign $points x0 y0 x1 y1
	set xs [lsort -real [::list [$Drawing map x value $x0] [$Drawing map x value $x1]]]
	if {$Kind eq "overtime"} {
	    set ys [lsort -real [::list [$Drawing map y value $y0] [$Drawing map y value $y1]]]
	    my SelectWhere [::list [::list release >= [lindex $xs 0]] [::list release <= [lindex $xs 1]] \
		[::list $Statistic >= [lindex $ys 0]] [::list $Statistic <= [lindex $ys 1]]]
	} else {
	    my selectRange {*}$xs
	}
    }

    method selectRange {from to} {
	my SelectWhere [::list [::list $Statistic >= [format %.15g $from]] [::list $Statistic <= [format %.15g $to]]]
    }

    # The jobs of this plot for which conditions hold.
    method SelectWhere {conditions} {
	set tasks [expr {$Task eq "all tasks" ? [lmap task [tasksOf $Trace] {lindex $task 0}] : [::list [dict get $Tasks $Task]]}]
	set relation [jobsOf $Trace $tasks [concat [figure conditions $Filter] $conditions]]
	set count [$relation count]
	set jobs {}
	for {set place 0} {$place < $count && $place < 20000} {incr place} {lappend jobs [$relation id $place]}
	$relation close
	my Select $jobs
	my Tell "$count job[expr {$count == 1 ? {} : "s"}] selected[expr {$count > 20000 ? ", of which the first 20000 are kept" : {}}]"
    }

    method Select {jobs} {
	set Chosen $jobs
	selectJobs $View $jobs [self]
	if {[llength $jobs] == 1} {
	    set look [$Trace look job [lindex $jobs 0]]
	    if {[dict get $look release] ne {}} {
		$View go -time [dict get $look release] {*}[expr {[dict get $look completion] eq {} ? {} : [::list -to [dict get $look completion]]}] \
		    -item [::list kind job index [lindex $jobs 0] id [dict get $look job] task [dict get $look task]]
	    }
	}
	my soon draw
    }

    method jobsSelected {jobs by} {
	if {$by eq [self]} return
	set Chosen $jobs
	my soon draw
    }

    # ---- telling -------------------------------------------------------------------------------------------------------

    method Motion {x y} {
	if {$Inner eq {}} return
	set tag [$Picture identify $x $y]
	switch [lindex $tag 0] {
	    bin {
		lassign $tag - from to count
		my Tell "$Statistic from [format %.6g $from] to [format %.6g $to]: $count job[expr {$count == 1 ? {} : "s"}]"
	    }
	    job {
		set look [$Trace look job [lindex $tag 1]]
		my Tell "[dict get $look job]: $Statistic [dict get $look $Statistic], released at [dict get $look release]"
	    }
	    default {my Tell [my Summary]}
	}
    }

    method Summary {} {
	set figures [dict get $Measured figures]
	set words {}
	foreach {name word} {count jobs minimum least p50 median average mean p95 95% p99 99% maximum largest} {lappend words "$word [dict get $figures $name]"}
	join $words "   "
    }

    method Tell {text} {
	set text [string map [::list \n { } \t { }] [string range $text 0 400]]
	if {[$Frame.text cget -text] ne $text} {$Frame.text configure -text $text}
    }

    # ---- a file --------------------------------------------------------------------------------------------------------

    method Export {} {
	if {$Measured eq {}} return
	set file [tk_getSaveFile -parent $Frame -defaultextension .pdf -initialfile $Kind.pdf \
	    -filetypes {{PDF .pdf} {SVG .svg} {EPS .eps} {PostScript .ps} {PNG .png} {TikZ .tex}}]
	if {$file ne {}} {my exportTo $file}
    }

    method exportTo {file args} {
	try {
	    ::tactus::plugin::figure $Trace $Kind $file -task [expr {$Task eq "all tasks" ? "*" : [::list [dict get $Tasks $Task]]}] -statistic $Statistic -filter $Filter -log $Log {*}$args
	    $View message "written: $file"
	} trap TACTUS message {
	    $View bar error $message -name distribution
	}
    }

    method picture {} {return $Picture}
    method chosen {} {return $Chosen}
    method measured {} {return $Measured}
    method inner {} {return $Inner}
    # set NAME VALUE ...: Task Kind Statistic Filter Log
    method set {args} {
	foreach {name value} $args {::set $name $value}
	my measure
    }
}
