# stacked.tcl -- the job-stacked view: all jobs of a task, one thin row each, on a time base of their own.
#
# As in Rajotte & Dagenais, "Real-time Linux Analysis Using Low-Impact Tracer" (2014), figures 4 to 7: jobs that took long stand
# out, and one sees what of their time went to whom. Time begins at the release of each job (or its start, deadline, completion,
# or a message in its life); a row shows the states in the timeline's colours, and who ran meanwhile in that task's colour: low
# while the job waited for its start, half as high while it was preempted. A line says where the deadline is, a mark where the
# job completed.
#
#	$trace relation jobs -> a section for each task and group: filtered and sorted in C -> places that are seen
#	     -> $trace phases (what these jobs went through) -> bars of a drawing -> a picture, or a file
#
# Nothing is kept a job: rows are asked for when they are seen, so a million of them scroll like ten. Several tasks stand side by
# side as columns with one time scale and one scroll bar: with equal sorting, the k-th worst jobs are beside each other.
#
# Groups are computed from what jobs have: outcome (missed, met, unfinished), processor, preempted or not, blocked or not, and
# quarters of the sorted statistic; values of the trace that say a job's mode are its processor and its outcome in all formats.

plugin stacked -title "Jobs, stacked" -help "all jobs of a task, one row each, with what they waited for"

view stacked -title Stacked -create openPanel -side bottom -figure drawFigure \
    -help "all jobs of tasks, one thin row each: states, who ran meanwhile, deadline, completion" -options {
    {-task list IDS {} "tasks (ids or names, glob patterns), side by side; default: the one with the most jobs"}
    {-together flag {} no "all these tasks in one column"}
    {-base word release|start|deadline|completion release "where the time of each job begins" {release start deadline completion}}
    {-mark text PATTERN {} "time begins at the first message in the job's life that matches"}
    {-sort text STATISTIC release "a column of stats --of jobs: the largest on top, but release: the first on top"}
    {-filter text CONDITIONS {} "jobs to show: column operator value, more of them joined by && (response > 10 && blocked > 0)"}
    {-group word none|outcome|processor|preempted|blocked|quarter none "rows in groups" {none outcome processor preempted blocked quarter}}
    {-limit number N 60 "rows of each task at most"}
    {-span text FROM,TO {} "relative time that is shown; default: all"}
    {-row-height number POINTS 5 "height of a row"}
    {-legend word none|bottom bottom "where the legend stands" {none bottom}}
}

on <JobsSelected> jobsSelected
on <TraceClosed> closed
on <TraceFinished> finished

variable panels {}		;# view -> its panel
variable sortable {release response latency execution preempted blocked wakeup lateness preemptions migrations interarrival stolen start completion deadline}

proc fail {code message} {
    return -code error -errorcode [::list TACTUS {*}$code] $message
}

# ---- which jobs ------------------------------------------------------------------------------------------------------

# Tasks with jobs: id -> dict name count; by count, the largest first.
proc tasksOf {trace} {
    set rows [$trace stats tasks]
    set tasks {}
    foreach row [lsort -decreasing -integer -command {apply {{a b} {expr {[dict get $a releases] - [dict get $b releases]}}}} $rows] {
	dict set tasks [dict get $row task] [dict create name [dict get $row name] count [dict get $row releases]]
    }
    return $tasks
}

proc columnNames {relation} {
    lmap column [$relation columns] {dict get $column name}
}

# title and conditions of the groups; those of quarters come from the jobs themselves.
proc groupsOf {trace group statistic conditions} {
    switch $group {
	outcome {return {"missed" {{lateness > 0}} "met" {{lateness <= 0}} "without deadline" {{completion != {}} {lateness = {}}} "unfinished" {{completion = {}}}}}
	preempted {return {"preempted" {{preemptions > 0}} "never preempted" {{preemptions = 0}}}}
	blocked {return {"blocked" {{blocked > 0}} "never blocked" {{blocked <= 0}} "blocked: not known" {{blocked = {}}}}}
	processor {
	    set groups {}
	    foreach row [$trace stats processors] {lappend groups [dict get $row processor] [::list [::list processor = [dict get $row processor]]]}
	    return [lappend groups "no processor" {{processor = {}}}]
	}
	quarter {return [quartersOf $trace $statistic $conditions]}
    }
    return {{} {}}
}

proc quartersOf {trace statistic conditions} {
    set relation [$trace relation jobs]
    $relation filter $conditions
    if {[catch {dict get [$relation sample $statistic 5] values} values] || [llength $values] < 10} {
	$relation close
	return {{} {}}
    }
    $relation close
    foreach {low - q1 - q2 - q3 - high -} $values break
    set groups {}
    foreach {title from to} [::list "slowest quarter" $q3 {} "third quarter" $q2 $q3 "second quarter" $q1 $q2 "fastest quarter" {} $q1] {
	set own [::list]
	if {$from ne {}} {lappend own [::list $statistic > $from]} else {lappend own [::list $statistic <= $to]}
	if {$from ne {} && $to ne {}} {lappend own [::list $statistic <= $to]}
	lappend groups "$title of $statistic[expr {$to eq {} ? ", above $from" : ", up to $to"}]" $own
    }
    return $groups
}

# ---- a model: sections of rows ---------------------------------------------------------------------------------------
#
# What is shown, without how: a column for each task, or one for several together (`tasks` is a list of lists), each a list of sections {title relation first count}, counted in rows; a title is a
# row of its own.

oo::class create Rows {
    variable Trace Columns

    # options: dict tasks sort down filter group, and window {from to}
    constructor {trace options} {
	::namespace path [::list {*}[::namespace path] ::tactus::plugins::stacked ::tactus::plugin::api]
	set Trace $trace
	set Columns {}
	foreach tasks [dict get $options tasks] {lappend Columns [my Column $tasks $options]}
    }

    destructor {
	foreach column $Columns {
	    foreach section [dict get $column sections] {catch {[dict get $section relation] close}}
	}
    }

    method Column {tasks options} {
	set sections {}
	set first 0
	set conditions [concat [figure ofTasks $Trace $tasks] [dict get $options filter]]
	foreach {title own} [groupsOf $Trace [dict get $options group] [dict get $options sort] $conditions] {
	    set relation [$Trace relation jobs {*}[dict get $options window]]
	    lappend sections [dict create relation $relation]	;# closed when something fails from here on
	    try {
		if {[dict get $options sort] ni [columnNames $relation]} {
		    fail [::list LOOKUP COLUMN [dict get $options sort]] "no statistic \"[dict get $options sort]\": must be one of [join [columnNames $relation] {, }]"
		}
		set count [$relation filter [concat $conditions $own]]
	    } on error {message errorOptions} {
		foreach section $sections {[dict get $section relation] close}
		# A column that is not there is the user's mistake, and not the plugin's.
		if {[lindex [dict get $errorOptions -errorcode] 0] eq "TCL"} {fail {USAGE CONDITION} $message}
		return -options $errorOptions $message
	    }
	    if {!$count} {
		$relation close
		set sections [lrange $sections 0 end-1]
		continue
	    }
	    $relation sort [dict get $options sort] -decreasing [dict get $options down]
	    set head [expr {$title ne {}}]
	    lset sections end [dict create title $title relation $relation first $first count $count head $head]
	    incr first [expr {$count + $head}]
	}
	dict create tasks $tasks sections $sections rows $first
    }

    method columns {} {return $Columns}
    method rows {} {tcl::mathfunc::max 0 {*}[lmap column $Columns {dict get $column rows}]}

    # What stands in rows from .. below to of a column: list of {row title} and {row {} job place relation}.
    method seen {column from to} {
	set seen {}
	foreach section [dict get [lindex $Columns $column] sections] {
	    dict with section {
		if {$first + $count + $head <= $from || $first >= $to} continue
		if {$head && $first >= $from} {lappend seen [::list $first "$title ([counted $count])"]}
		set at [expr {max($first + $head, $from)}]
		set end [expr {min($first + $head + $count, $to)}]
		for {} {$at < $end} {incr at} {
		    set place [expr {$at - $first - $head}]
		    lappend seen [::list $at {} [$relation id $place] $place $relation]
		}
	    }
	}
	return $seen
    }

    # The row of a job in some column: {column row}; {}: it is not shown.
    method rowOf {job} {
	set number 0
	foreach column $Columns {
	    foreach section [dict get $column sections] {
		set place [[dict get $section relation] place $job]
		if {$place >= 0} {return [::list $number [expr {[dict get $section first] + [dict get $section head] + $place}]]}
	    }
	    incr number
	}
	return
    }

    # Jobs that tell how far time goes: spread evenly over all rows, with the longest ones.
    method sample {most} {
	set jobs {}
	foreach column $Columns {
	    foreach section [dict get $column sections] {
		dict with section {
		    set step [expr {max(1, $count / max(1, $most))}]
		    for {set place 0} {$place < $count} {incr place $step} {lappend jobs [$relation id $place]}
		    lappend jobs [$relation id [expr {$count - 1}]]
		}
	    }
	}
	return $jobs
    }

    method longest {} {
	set longest 0
	foreach column $Columns {
	    foreach section [dict get $column sections] {
		set most [dict get [[dict get $section relation] statistics response] maximum]
		if {$most ne {} && $most > $longest} {set longest $most}
	    }
	}
	return $longest
    }
}

proc counted {count} {
    return "$count job[expr {$count == 1 ? {} : "s"}]"
}

# {from to} of relative time over the jobs; jobs: only over these.
proc spanOf {trace rows base mark {jobs {}}} {
    set low 0
    set high 0
    set all [expr {![llength $jobs]}]
    foreach job [$trace phases [expr {$all ? [$rows sample 200] : $jobs}] -base $base -mark $mark -most 0] {
	foreach key {release end deadline} {
	    set value [dict get $job $key]
	    if {$value eq {} || ($key eq "deadline" && $base ne "deadline" && [dict get $job end] ne {} && $value > 2 * abs([dict get $job end]) && $value > 2 * $high)} continue
	    if {$value < $low} {set low $value}
	    if {$value > $high} {set high $value}
	}
    }
    if {$all && $base eq "release" && $mark eq {}} {
	set longest [$rows longest]
	if {$longest > $high} {set high $longest}
    }
    if {!($high > $low)} {set high [expr {$low + 1}]}
    ::list $low [expr {$high + ($high - $low) * 0.02}]
}

# ---- drawing ---------------------------------------------------------------------------------------------------------

# Everything that is drawn, for a window and a file. p: dict with
#	trace rows base mark span {from to} width height first (row on top, may have a fraction) pitch (points a row) size (of text)
#	colors style-options chosen (dict of job -> 1) names (task -> shown name) unit scale legend (top, bottom, none) current
# Result: dict of plots {left width} of each column, top, bottom (points), others (tasks that ran meanwhile).
proc draw {drawing p} {
    dict with p {}
    set columns [$rows columns]
    set n [llength $columns]
    lassign [$drawing measure Xg -size $size] - ascent descent
    set line [expr {$ascent + $descent}]
    set axis [figure axis [lindex $span 0] [lindex $span 1] [expr {max(20, $width / max(1, $n) - 60)}] -drawing $drawing -size $size \
	-title [axisTitle $base $mark] -unit $unit -scale $scale]
    # One title for all columns.
    set title [dict get $axis title]
    dict set axis title {}
    set below [expr {4 + 2 * $line + 5}]
    set labels [expr {$pitch >= $size * 0.85 ? [labelWidth $drawing $trace $rows $first $height $pitch $size] : 0}]
    set gap [expr {$labels ? $labels + 4 : 6}]
    set top [expr {$line * 1.5}]
    set own [expr {double($width - 4) / max(1, $n)}]
    # The jobs that are seen, of all columns in one question.
    set seen [seenOf $rows $n $first [expr {int(ceil(($height - $top - $below) / double($pitch))) + 1}]]
    set jobs [lmap row $seen {if {[lindex $row 2] ne {}} continue; lindex $row 3}]
    set facts [$trace phases $jobs -base $base -mark $mark]
    set looks [looksOf $trace $columns $facts $styles]
    set items [legendItems $facts $looks $colors $columns]
    set legendHeight [expr {$legend eq "none" ? 0 : [figure legend $drawing 4 0 [expr {$width - 8}] $items $colors $size 0] + 3}]
    set bottom [expr {$height - $below - ($legend eq "bottom" ? $legendHeight : 0)}]
    if {$legend ne "none"} {
	figure legend $drawing 4 [expr {$legend eq "bottom" ? $height - $legendHeight : 1}] [expr {$width - 8}] $items $colors $size
    }
    if {$legend eq "top"} {set top [expr {$top + $legendHeight}]}
    set plots {}
    for {set column 0} {$column < $n} {incr column} {
	set left [expr {2 + $column * $own + $gap}]
	set right [expr {2 + ($column + 1) * $own - 8}]
	lappend plots [::list $left [expr {$right - $left}]]
	drawColumn $drawing $p $column $left $right $top $bottom $axis $seen $facts $looks $labels
    }
    $drawing text [expr {$width / 2.0}] [expr {$bottom + 6 + 2 * $ascent + $descent}] $title -anchor center -size $size -ink [dict get $colors ink] -most [expr {$width - 10}]
    dict create plots $plots top $top bottom $bottom axis $axis
}

proc axisTitle {base mark} {
    if {$mark ne {}} {return "time since \"$mark\""}
    return "time since [dict get {release release start start deadline deadline completion completion} $base]"
}

# {column row title job place relation} of what is seen; the job stands at index 3.
proc seenOf {rows n first count} {
    set seen {}
    for {set column 0} {$column < $n} {incr column} {
	foreach row [$rows seen $column [expr {int(floor($first))}] [expr {int(floor($first)) + $count}]] {
	    lappend seen [::list $column [lindex $row 0] [lindex $row 1] {*}[lrange $row 2 4]]
	}
    }
    return $seen
}

proc jobName {relation place} {
    string map {\n { } \t { }} [string range [lindex $relation 0] 0 60]
}

proc labelWidth {drawing trace rows first height pitch size} {
    set widest 0
    foreach row [seenOf $rows [llength [$rows columns]] $first [expr {int($height / double($pitch)) + 1}]] {
	if {[lindex $row 3] eq {}} continue
	set text [labelOf [lindex $row 5] [lindex $row 4]]
	set widest [expr {max($widest, [lindex [$drawing measure $text -size [expr {$size * 0.85}]] 0])}]
    }
    expr {$widest > 0 ? min($widest + 1, 70) : 0}
}

proc labelOf {relation place} {
    string map {\n { } \t { }} [string range [lindex [$relation rows $place 1] 0 0] 0 40]
}

# The looks of all tasks that occur: those whose jobs these are, and those that ran meanwhile.
proc looksOf {trace columns facts styles} {
    set tasks [concat {*}[lmap column $columns {dict get $column tasks}]]
    foreach job $facts {
	foreach {state who stretches} [dict get $job phases] {
	    if {$who ne {} && $who ni $tasks} {lappend tasks $who}
	}
    }
    dict get [$trace style {*}$styles -tasks $tasks] tasks
}

proc legendItems {facts looks colors columns} {
    set states {}
    set others {}
    foreach job $facts {
	foreach {state who stretches} [dict get $job phases] {
	    dict set states $state 1
	    if {$who ne {} && [dict exists $looks $who]} {dict set others $who 1}
	}
    }
    set items {}
    # Tasks without colours of their own all look alike.
    foreach task [concat {*}[lmap column $columns {dict get $column tasks}]] {
	dict lappend runs [dict get $looks $task color] [shown $looks $task]
    }
    dict for {color names} $runs {
	lappend items [dict create text [expr {[dict size $runs] == 1 ? "running" : "[join $names {, }] running"}] fill $color]
    }
    foreach {state text pattern height} {blocked blocked lines_down 0.35 unknown unknown gray25 1 between "between jobs" none 1} {
	if {[dict exists $states $state]} {
	    lappend items [dict create text $text fill [dict get $colors $state] pattern $pattern height $height]
	}
    }
    if {[dict exists $states waiting]} {lappend items [dict create text waiting fill [dict get $colors preempted] height 0.3]}
    if {[dict exists $states preempted]} {lappend items [dict create text preempted fill [dict get $colors preempted] height 0.55]}
    foreach who [lsort -dictionary [dict keys $others]] {
	lappend items [dict create text "while [shown $looks $who] ran" fill [dict get $looks $who other] height 0.55]
    }
    if {[llength [lmap job $facts {if {[dict get $job deadline] eq {}} continue; set job}]]} {
	lappend items [dict create text deadline line [dict get $colors late]]
    }
    lappend items [dict create text completion line [dict get $colors ink]]
    return $items
}

# A task's name, with its id where others have the same.
proc shown {looks task} {
    set name [dict get $looks $task name]
    set same 0
    dict for {id look} $looks {incr same [expr {[dict get $look name] eq $name}]}
    string map {\n { } \t { }} [string range [expr {$name eq {} ? $task : $same > 1 ? "$name $task" : $name}] 0 40]
}

# One name for tasks that have the same.
proc namesOf {looks tasks} {
    if {[llength $tasks] == 1} {return [shown $looks [lindex $tasks 0]]}
    set names [lsort -unique -dictionary [lmap task $tasks {dict get $looks $task name}]]
    string map {\n { } \t { }} [string range [join $names ", "] 0 100]
}

proc drawColumn {drawing p column left right top bottom axis seen facts looks labels} {
    dict with p {}
    set ink [dict get $colors ink]
    set names [namesOf $looks [dict get [lindex [$rows columns] $column] tasks]]
    set count [tcl::mathop::+ 0 {*}[lmap section [dict get [lindex [$rows columns] $column] sections] {dict get $section count}]]
    lassign [$drawing measure Xg -size $size] - ascent descent
    $drawing text $left [expr {$top - $descent - 2}] "$names: [counted $count]" -size $size -bold 1 -ink $ink -most [expr {$right - $left}]
    $drawing map x [::list {*}$span $left $right]
    $drawing clip $left $top [expr {$right - $left}] [expr {$bottom - $top}]
    $drawing segments [concat {*}[lmap {value text} [dict get $axis ticks] {
	set x [$drawing map x place $value]
	::list $x $top $x $bottom
    }]] -ink [dict get $colors grid] -width 0.4 -layer back
    set origin [$drawing map x place 0]
    $drawing line [::list $origin $top $origin $bottom] -ink [dict get $colors faint] -width 0.5 -layer back
    set place [expr {$top - ($first - floor($first)) * $pitch}]
    set topRow [expr {int(floor($first))}]
    set number -1
    set texts {}
    foreach row $seen {
	lassign $row own at title job rowPlace relation
	if {$job ne {}} {incr number}
	if {$own != $column} continue
	set y [expr {$place + ($at - $topRow) * $pitch}]
	if {$job eq {}} {
	    $drawing rectangles [::list $left $y [expr {$right - $left}] $pitch] -fill [dict get $colors grid] -layer back
	    $drawing text [expr {$left + 2}] [expr {$y + $pitch / 2}] $title -middle 1 -size [expr {min($size, $pitch * 0.95)}] -ink $ink -most [expr {$right - $left - 4}]
	    continue
	}
	if {[dict exists $chosen $job]} {
	    $drawing rectangles [::list $left $y [expr {$right - $left}] $pitch] -fill [dict get $colors mark] -layer back -tag job:$job
	}
	drawJob $drawing [lindex $facts $number] $y $pitch $job $looks $colors
	if {$labels} {lappend texts [labelOf $relation $rowPlace] [expr {$y + $pitch / 2}]}
    }
    $drawing clip
    foreach {text y} $texts {
	if {$y < $top || $y > $bottom} continue
	$drawing text [expr {$left - 3}] $y $text -anchor right -middle 1 -size [expr {$size * 0.85}] -ink $ink -most $labels
    }
    ::tactus::figure::horizontal $drawing $axis $left $right $bottom $colors
}

# One row. Bars stand on the row's lower edge, as those of the timeline on their baseline.
proc drawJob {drawing job y pitch index looks colors} {
    set task [dict get $job task]
    set high [expr {$pitch > 3 ? $pitch - 1 : $pitch}]
    set base [expr {$y + $high}]
    set outline [expr {$pitch >= 7 ? [::list -outline [dict get $colors ink] -width 0.3] : {}}]
    foreach {state who stretches} [dict get $job phases] {
	set other [expr {$who ne {} && [dict exists $looks $who] ? [dict get $looks $who other] : [dict get $colors preempted]}]
	switch $state {
	    running {$drawing bars $y $high $stretches -fill [dict get $looks $task color] -tag job:$index -detail 0.3 {*}$outline}
	    waiting - preempted {
		set part [expr {$high * ($state eq "waiting" ? 0.3 : 0.55)}]
		$drawing bars [expr {$base - $part}] $part $stretches -fill $other -tag [::list $state $index $who] -detail 0.3 \
		    {*}[expr {$who eq {} || $pitch >= 7 ? [::list -outline [dict get $colors faint] -width 0.2] : {}}]
		if {$who ne {} && $part >= 5} {nameOther $drawing $stretches $base $part [shown $looks $who] $colors $part}
	    }
	    blocked {
		$drawing bars [expr {$base - $high * 0.35}] [expr {$high * 0.35}] $stretches -fill [dict get $colors blocked] -pattern lines_down \
		    -ink [dict get $colors faint] -outline [dict get $colors faint] -width 0.2 -tag job:$index -detail 0.3
	    }
	    unknown {$drawing bars $y $high $stretches -fill [dict get $colors unknown] -pattern gray25 -ink [dict get $colors faint] -tag job:$index -detail 0.3}
	    between {$drawing bars $y $high $stretches -fill [dict get $colors between] -tag job:$index -detail 0.3}
	}
    }
    drawTimes $drawing $job $y $high $colors
}

# Deadline: a line across the row, so that equal ones become one line down the view. Completion: a stroke in front of the bar's end.
proc drawTimes {drawing job y high colors} {
    set end [expr {$y + $high + 1}]
    if {[dict get $job deadline] ne {}} {
	set x [$drawing map x place [dict get $job deadline]]
	$drawing line [::list $x $y $x $end] -ink [dict get $colors late] -width [expr {[dict get $job missed] ? 1.4 : 0.7}] -layer arrows
    }
    if {[dict get $job completion] ne {}} {
	set x [$drawing map x place [dict get $job completion]]
	$drawing line [::list $x $y $x [expr {$y + $high}]] -ink [dict get $colors ink] -width 0.8 -layer arrows
    }
    if {[dict get $job release] ne {} && [dict get $job release] != 0} {
	set x [$drawing map x place [dict get $job release]]
	$drawing line [::list $x $y $x [expr {$y + $high}]] -ink [dict get $colors faint] -width 0.5 -dash dotted -layer arrows
    }
}

# The preempter's name, where it fits into its stretch.
proc nameOther {drawing stretches base part name colors high} {
    set size [expr {min(7.0, $high * 0.95)}]
    set needed [expr {[lindex [$drawing measure $name -size $size] 0] + 3}]
    foreach {from to} $stretches {
	set x0 [$drawing map x place $from]
	set x1 [$drawing map x place $to]
	if {$x1 - $x0 < $needed} continue
	$drawing text [expr {($x0 + $x1) / 2}] [expr {$base - $part / 2}] $name -anchor center -middle 1 -size $size -ink #000000
    }
}

# ---- a figure --------------------------------------------------------------------------------------------------------

proc windowOf {options} {
    set window {}
    foreach name {-from -to} {
	if {[dict exists $options $name] && [dict get $options $name] ne {}} {lappend window $name [dict get $options $name]}
    }
    return $window
}

proc stylesOf {options} {
    set styles {}
    foreach name {-dark -grayscale -settings} {
	if {[dict exists $options $name] && [dict get $options $name] ne {}} {lappend styles $name [dict get $options $name]}
    }
    return $styles
}

proc drawFigure {trace drawing options} {
    set sort [dict get $options -sort]
    set tasks [figure tasks $trace [dict get $options -task]]
    set together [string is true -strict [dict get $options -together]]
    set columns [expr {$together ? [::list $tasks] : [lmap task $tasks {::list $task}]}]
    if {[$drawing cget -width] / double([llength $columns]) < 60} {
	fail {FIGURE NARROW} "[llength $columns] tasks do not fit side by side into this width: choose some by -task, put them -together, or give another -width"
    }
    set rows [Rows new $trace [dict create tasks $columns sort $sort down [expr {$sort ne "release"}] \
	filter [figure conditions [dict get $options -filter]] group [dict get $options -group] window [windowOf $options]]]
    try {
	if {![$rows rows]} {fail {FIGURE EMPTY} "no job is to be shown[expr {[dict get $options -filter] eq {} ? {} : ": the filter lets none through"}]"}
	set styles [stylesOf $options]
	set size [$drawing cget -fontsize]
	set pitch [expr {max(0.5, [dict get $options -row-height])}]
	set shownRows [expr {int(min([$rows rows], max(1, [dict get $options -limit])))}]
	set jobs [lmap row [seenOf $rows [llength $columns] 0 [expr {min($shownRows, 5000)}]] {if {[lindex $row 3] eq {}} continue; lindex $row 3}]
	set span [expr {[dict get $options -span] eq {} ? [spanOf $trace $rows [dict get $options -base] [dict get $options -mark] $jobs]
	    : [figure range [dict get $options -span]]}]
	set p [dict create trace $trace rows $rows base [dict get $options -base] mark [dict get $options -mark] span $span width [$drawing cget -width] \
	    first 0 pitch $pitch size $size colors [dict merge [figure colors $trace {*}$styles] {mark #CADFFA}] styles $styles chosen {} \
	    unit [dict get $options -axis-unit] scale [expr {[dict get $options -axis-scale] eq {} ? 1 : [dict get $options -axis-scale]}] \
	    legend [dict get $options -legend]]
	if {[dict get $options -height] eq {}} {fitHeight $drawing $p $shownRows}
	dict set p height [$drawing cget -height]
	draw $drawing $p
    } finally {
	$rows destroy
    }
}

# As high as the rows need, with axis and legend; the legend of what is seen is known when it has been drawn once.
proc fitHeight {drawing p shownRows} {
    lassign [$drawing measure Xg -size [dict get $p size]] - ascent descent
    set high [expr {$shownRows * [dict get $p pitch] + 3.5 * ($ascent + $descent) + 9}]
    dict set p height $high
    $drawing configure -height $high
    set placed [draw $drawing $p]
    $drawing clear
    set needed [expr {[dict get $placed top] + $shownRows * [dict get $p pitch]}]
    $drawing configure -height [expr {$high + $needed - [dict get $placed bottom]}]
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

proc tellPanel {view method args} {
    variable panels
    if {[dict exists $panels $view]} {[dict get $panels $view] {*}[::list $method {*}$args]}
}

proc jobsSelected {view jobs by} {tellPanel $view jobsSelected $jobs $by}

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
    variable Frame View Trace Picture Drawing Rows Plots Chosen Waiting First Pitch Span Options Message Anchor Current
    variable Base Sort Group Filter Down	;# of the widgets

    constructor {frame view} {
	::namespace path [::list {*}[::namespace path] ::tactus::plugins::stacked ::tactus::plugin::api]
	lassign [::list $frame $view] Frame View
	lassign {} Trace Rows Plots Chosen Waiting Span Anchor Current
	set First 0
	set Pitch 9
	set Options [dict create tasks {} base release mark {} sort release down 0 filter {} group none]
	set Message {}
	set Drawing [::tactus::drawing]
	my Build
	bind $Picture <Destroy> +[::namespace code {my destroy}]
	foreach event {TraceOpened TraceReloaded TraceClosed} {
	    ::tactus::player::listen $event [::namespace code {my soon renew}] $frame
	}
	::tactus::player::listen ThemeChanged [::namespace code {my soon draw}] $frame
	::tactus::player::listen Shown [::namespace code {my shown}] $frame
	my soon renew
    }

    destructor {
	foreach {method timer} $Waiting {after cancel $timer}
	my DropRows
	catch {$Drawing destroy}
	forget $View
    }

    method DropRows {} {
	if {$Rows ne {} && [info object isa object $Rows]} {$Rows destroy}
	set Rows {}
    }

    method var {name} {return [info object namespace [self]]::$name}

    # ---- widgets -------------------------------------------------------------------------------------------------------

    method Build {} {
	set bar [ttk::frame $Frame.bar -padding [px 3]]
	ttk::menubutton $bar.task -text Task -menu $bar.task.menu -takefocus 0
	::menu $bar.task.menu -tearoff 0 -postcommand [::namespace code {my FillTasks}]
	::tactus::player::theme adopt $bar.task.menu
	lassign {release release none {} 0} Base Sort Group Filter Down
	foreach {name label values width} [::list Base from {release start deadline completion} 9 \
	    Sort sort $::tactus::plugins::stacked::sortable 10 Group group {none outcome processor preempted blocked quarter} 9] {
	    ttk::label $bar.l$name -text $label
	    ttk::combobox $bar.c$name -state readonly -values $values -width $width -textvariable [my var $name] -takefocus 0
	    bind $bar.c$name <<ComboboxSelected>> [::namespace code {my Chose %W}]
	}
	ttk::checkbutton $bar.down -text "down" -variable [my var Down] -command [::namespace code {my Changed}] -takefocus 0
	ttk::label $bar.lFilter -text "filter"
	ttk::entry $bar.filter -textvariable [my var Filter] -width 10
	bind $bar.filter <Return> [::namespace code {my Changed}]
	bind $bar.filter <Escape> [::namespace code {set Filter {}; my Changed}]
	ttk::button $bar.export -text "Figure\u2026" -command [::namespace code {my Export}] -takefocus 0
	pack $bar.export -side right -padx [px 3]
	pack $bar.task $bar.lBase $bar.cBase $bar.lSort $bar.cSort $bar.down $bar.lGroup $bar.cGroup $bar.lFilter -side left -padx [px 2]
	pack $bar.filter -side left -fill x -expand 1 -padx [px 3]
	set Picture $Frame.picture
	::tactus::picture $Picture -drawing $Drawing -width 200 -height 100 -takefocus 1
	ttk::scrollbar $Frame.y -command [::namespace code {my yview}]
	ttk::label $Frame.text -anchor w -padding [::list [px 6] [px 1]]
	grid $bar - -sticky ew
	grid $Picture $Frame.y -sticky nsew
	grid $Frame.text - -sticky ew
	grid columnconfigure $Frame 0 -weight 1
	grid rowconfigure $Frame 1 -weight 1
	my Bind
    }

    method Bind {} {
	foreach {event script} {
	    <Configure> {my soon draw} <Map> {my soon draw} <Button-1> {my Press %x %y one} <Control-Button-1> {my Press %x %y add}
	    <Shift-Button-1> {my Press %x %y to} <Motion> {my Motion %x %y} <Leave> {my Tell {}}
	    <Button-4> {my Scroll -3} <Button-5> {my Scroll 3} <MouseWheel> {my Scroll [expr {%D > 0 ? -3 : 3}]}
	    <Control-Button-4> {my Zoom 0.8 %x} <Control-Button-5> {my Zoom 1.25 %x}
	    <Shift-Button-4> {my Pan -0.1} <Shift-Button-5> {my Pan 0.1}
	    <Alt-Button-4> {my Thicker 1} <Alt-Button-5> {my Thicker -1} <Key-plus> {my Thicker 1} <Key-minus> {my Thicker -1}
	    <Key-Prior> {my Page -1} <Key-Next> {my Page 1} <Key-Up> {my Step -1} <Key-Down> {my Step 1}
	    <Key-Home> {my To 0} <Key-End> {my To 1e12} <Key-f> {my Fit}
	} {
	    bind $Picture $event "[::namespace code $script]; [expr {[string match <Key* $event] ? "break" : {}}]"
	}
    }

    # A handler that changes what it is called for while it runs would be called again: all goes through `soon`. What a
    # listener is told besides does not matter here.
    method soon {method args} {
	if {[dict exists $Waiting $method]} return
	dict set Waiting $method [after idle [::namespace code [::list my Run $method]]]
    }

    method Run {method} {
	dict unset Waiting $method
	if {[winfo exists $Picture]} {my $method}
    }

    method FillTasks {} {
	set menu $Frame.bar.task.menu
	$menu delete 0 end
	if {$Trace eq {}} return
	set number 0
	dict for {id task} [tasksOf $Trace] {
	    if {[incr number] > 60} break
	    set [my var on($id)] [expr {$id in [dict get $Options tasks]}]
	    $menu add checkbutton -label "[string range [dict get $task name] 0 50] ([counted [dict get $task count]])" -variable [my var on($id)] \
		-command [::namespace code [::list my ToggleTask $id]]
	}
    }

    # The first one that is taken away from several is gone; the last one stays, there is always one.
    method ToggleTask {id} {
	set tasks [dict get $Options tasks]
	if {$id in $tasks && [llength $tasks] > 1} {
	    set tasks [lsearch -all -inline -exact -not $tasks $id]
	} elseif {$id ni $tasks} {
	    lappend tasks $id
	}
	dict set Options tasks [lrange $tasks end-5 end]
	my soon rebuild
    }

    method Chose {box} {
	$box selection clear
	if {[string match *cSort $box]} {set Down [expr {$Sort ni {release start completion deadline}}]}
	my Changed
    }

    method Changed {} {
	dict set Options base $Base
	dict set Options sort $Sort
	dict set Options group $Group
	dict set Options down $Down
	dict set Options filter $Filter
	set First 0
	my soon rebuild
    }

    # ---- the trace -----------------------------------------------------------------------------------------------------

    method renew {} {
	set Trace [expr {[info object isa object $View] ? [$View trace] : {}}]
	my DropRows
	set Plots {}
	if {$Trace ne {}} {
	    set known [dict keys [tasksOf $Trace]]
	    set tasks [lmap task [dict get $Options tasks] {if {$task ni $known} continue; set task}]
	    if {![llength $tasks]} {set tasks [lrange $known 0 0]}
	    dict set Options tasks $tasks
	}
	my rebuild
    }

    # Rows anew: another task, order, filter or group.
    method rebuild {} {
	my DropRows
	set Span {}
	set Message {}
	if {$Trace eq {} || ![llength [dict get $Options tasks]]} {
	    set Message [expr {$Trace eq {} ? "no trace" : "no jobs in this trace"}]
	    return [my draw]
	}
	try {
	    set Rows [Rows new $Trace [dict merge $Options [dict create window {} tasks [lmap task [dict get $Options tasks] {::list $task}] filter [figure conditions [dict get $Options filter]]]]]
	} trap {TACTUS} message {
	    set Message $message
	} trap {TCL} message {
	    set Message $message
	}
	set tasks [dict get $Options tasks]
	$Frame.bar.task configure -text [string range [join $tasks ", "] 0 30]
	my draw
    }

    # ---- drawing -------------------------------------------------------------------------------------------------------

    method draw {} {
	if {![winfo ismapped $Picture]} return
	lassign [$Picture size] width height
	set dark [expr {[::tactus::player::theme name] eq "dark"}]
	$Drawing clear
	if {$Trace eq {}} {set style {paper white ink black}} else {set style [$Trace style -dark $dark]}
	$Drawing configure -width $width -height $height -background [dict get $style paper]
	if {$Message ne {} || $Rows eq {} || ![$Rows rows]} {
	    $Drawing text [expr {$width / 2}] [expr {$height / 2}] [expr {$Message ne {} ? $Message : "no jobs to show"}] \
		-anchor center -ink [dict get $style ink] -most [expr {$width - 20}]
	    return [$Frame.y set 0 1]
	}
	if {$Span eq {}} {set Span [spanOf $Trace $Rows [dict get $Options base] [dict get $Options mark]]}
	set styles [::list -dark $dark]
	set colors [figure colors $Trace {*}$styles]
	dict set colors mark [::tactus::player::theme color select]
	my Clamp
	set Plots [draw $Drawing [dict create trace $Trace rows $Rows base [dict get $Options base] mark [dict get $Options mark] span $Span \
	    width $width height $height first $First pitch $Pitch size 8 colors $colors styles $styles chosen $Chosen \
	    unit [[$View timeline] cget -axisunit] scale [[$View timeline] cget -axisscale] legend top]]
	set all [$Rows rows]
	$Frame.y set [expr {double($First) / $all}] [expr {min(1.0, double($First + [my Shown]) / $all)}]
    }

    # Rows that are seen.
    method Shown {} {
	if {$Plots eq {}} {return [expr {max(1, int([lindex [$Picture size] 1] / $Pitch) - 5)}]}
	expr {max(1, int(([dict get $Plots bottom] - [dict get $Plots top]) / $Pitch))}
    }

    method Clamp {} {set First [expr {max(0, min($First, [$Rows rows] - [my Shown]))}]}

    # ---- moving --------------------------------------------------------------------------------------------------------

    method Scroll {rows} {
	set First [expr {$First + $rows}]
	my soon draw
    }
    method Page {direction} {my Scroll [expr {$direction * max(1, [my Shown] - 1)}]}
    method To {row} {
	set First [expr {$row > 1e9 ? ($Rows eq {} ? 0 : [$Rows rows]) : $row}]
	my soon draw
    }

    method yview {what args} {
	if {$Rows eq {}} return
	switch $what {
	    moveto {set First [expr {int(round([lindex $args 0] * [$Rows rows]))}]}
	    scroll {set First [expr {$First + [lindex $args 0] * ([string match p* [lindex $args 1]] ? [my Shown] : 1)}]}
	}
	my soon draw
    }

    method Thicker {by} {
	set Pitch [expr {max(2, min(30, $Pitch + $by))}]
	my soon draw
    }

    method Fit {} {
	set Span {}
	my soon draw
    }

    # Zooms time around the pointer.
    method Zoom {factor x} {
	if {$Plots eq {} || $Span eq {}} return
	lassign [my PlotAt [lindex [$Picture points $x 0] 0]] left width
	lassign $Span from to
	set share [expr {max(0, min(1, ([lindex [$Picture points $x 0] 0] - $left) / $width))}]
	set at [expr {$from + $share * ($to - $from)}]
	set long [expr {($to - $from) * $factor}]
	if {$long < 1e-12 || $long > 1e15} return
	set Span [::list [expr {$at - $share * $long}] [expr {$at + (1 - $share) * $long}]]
	my soon draw
    }

    method Pan {share} {
	if {$Span eq {}} return
	lassign $Span from to
	set by [expr {($to - $from) * $share}]
	set Span [::list [expr {$from + $by}] [expr {$to + $by}]]
	my soon draw
    }

    method PlotAt {x} {
	foreach plot [dict get $Plots plots] {
	    if {$x < [lindex $plot 0] + [lindex $plot 1]} {return $plot}
	}
	return $plot
    }

    # ---- jobs ----------------------------------------------------------------------------------------------------------

    # {column row} at a place of the window, {} outside.
    method RowAt {x y} {
	if {$Plots eq {} || $Rows eq {}} return
	lassign [$Picture points $x $y] px py
	if {$py < [dict get $Plots top] || $py >= [dict get $Plots bottom]} return
	set column [lsearch -exact [dict get $Plots plots] [my PlotAt $px]]
	::list $column [expr {int(floor($First)) + int(floor(($py - [dict get $Plots top]) / $Pitch + ($First - floor($First))))}]
    }

    method JobAt {x y} {
	lassign [my RowAt $x $y] column row
	if {$column eq {}} return
	set seen [lindex [$Rows seen $column $row [expr {$row + 1}]] 0]
	lindex $seen 2
    }

    method Press {x y how} {
	focus $Picture
	set job [my JobAt $x $y]
	if {$job eq {}} return
	set at [my RowAt $x $y]
	switch $how {
	    one {
		set Chosen [dict create $job 1]
		set Anchor $at
	    }
	    add {
		if {[dict exists $Chosen $job]} {dict unset Chosen $job} else {dict set Chosen $job 1}
		set Anchor $at
	    }
	    to {
		if {$Anchor eq {} || [lindex $Anchor 0] != [lindex $at 0]} {set Anchor $at}
		set Chosen {}
		lassign [lsort -integer [::list [lindex $Anchor 1] [lindex $at 1]]] first last
		foreach row [$Rows seen [lindex $at 0] $first [expr {min($last, $first + 20000) + 1}]] {
		    if {[lindex $row 2] ne {}} {dict set Chosen [lindex $row 2] 1}
		}
	    }
	}
	set Current $at
	selectJobs $View [dict keys $Chosen] [self]
	if {[dict exists $Chosen $job]} {my GoTo $job}
	my soon draw
    }

    method Step {by} {
	if {$Rows eq {}} return
	if {$Current eq {}} {set Current [::list 0 [expr {int($First) - 1}]]}
	lassign $Current column row
	set row [expr {max(0, min([dict get [lindex [$Rows columns] $column] rows] - 1, $row + $by))}]
	set Current [::list $column $row]
	set job [lindex [lindex [$Rows seen $column $row [expr {$row + 1}]] 0] 2]
	if {$row < $First} {set First $row}
	if {$row >= $First + [my Shown]} {set First [expr {$row - [my Shown] + 1}]}
	if {$job ne {}} {
	    set Chosen [dict create $job 1]
	    selectJobs $View $job [self]
	    my GoTo $job
	}
	my soon draw
    }

    # The job in the timeline.
    method GoTo {job} {
	set facts [lindex [$Trace phases [::list $job] -most 0] 0]
	set base [dict get $facts base]
	set look [$Trace look job $job]
	set end [dict get $look completion]
	$View go -time $base {*}[expr {$end eq {} ? {} : [::list -to $end]}] \
	    -item [::list kind job index $job id [dict get $look job] task [dict get $look task]]
    }

    # A job that was clicked in the timeline, or in the details.
    method shown {view args} {
	if {$view ne $View || $Rows eq {}} return
	set item [lindex $args 0]
	set job [expr {[dict exists $item kind] && [dict get $item kind] eq "job" && [dict exists $item index] ? [dict get $item index]
	    : [dict exists $item job] ? [dict get $item job] : {}}]
	if {![string is integer -strict $job] || [dict exists $Chosen $job]} return
	set Chosen [dict create $job 1]
	my See $job
    }

    method See {job} {
	if {![winfo ismapped $Picture]} return
	set at [$Rows rowOf $job]
	if {$at ne {}} {
	    set Current $at
	    set row [lindex $at 1]
	    if {$row < $First || $row >= $First + [my Shown]} {set First [expr {$row - [my Shown] / 2}]}
	}
	my soon draw
    }

    method jobsSelected {jobs by} {
	if {$by eq [self]} return
	set Chosen {}
	foreach job $jobs {dict set Chosen $job 1}
	if {[llength $jobs] && $Rows ne {}} {my See [lindex $jobs 0]} else {my soon draw}
    }

    # ---- telling -------------------------------------------------------------------------------------------------------

    method Motion {x y} {
	if {$Rows eq {} || $Plots eq {}} return
	set job [my JobAt $x $y]
	if {$job eq {}} {return [my Tell {}]}
	set look [$Trace look job $job]
	set text "[dict get $look job]: response [my Word $look response], execution [my Word $look execution], preempted [my Word $look preempted], blocked [my Word $look blocked]"
	if {[dict get $look lateness] ne {}} {append text ", lateness [dict get $look lateness]"}
	set tag [$Picture identify $x $y]
	if {[llength $tag] == 3} {
	    lassign $tag state - who
	    append text [expr {$who eq {} ? "; $state" : "; $state while $who ran"}]
	}
	my Tell $text
    }

    method Word {look key} {
	expr {[dict get $look $key] eq {} ? "unknown" : [dict get $look $key]}
    }

    method Tell {text} {
	set text [string map [::list \n { } \t { }] [string range $text 0 400]]
	if {[$Frame.text cget -text] ne $text} {$Frame.text configure -text $text}
    }

    # ---- a file --------------------------------------------------------------------------------------------------------

    method Export {} {
	if {$Trace eq {}} return
	set file [tk_getSaveFile -parent $Frame -defaultextension .pdf -initialfile stacked.pdf \
	    -filetypes {{PDF .pdf} {SVG .svg} {EPS .eps} {PostScript .ps} {PNG .png} {TikZ .tex}}]
	if {$file ne {}} {my exportTo $file}
    }

    # As it is seen: the same jobs, order, time and number of rows.
    method exportTo {file args} {
	try {
	    ::tactus::plugin::figure $Trace stacked $file -task [dict get $Options tasks] -base [dict get $Options base] -sort [dict get $Options sort] \
		-filter [dict get $Options filter] -group [dict get $Options group] -span [join $Span ,] -limit [my Shown] {*}$args
	    $View message "written: $file"
	} trap TACTUS message {
	    $View bar error $message -name stacked
	}
    }

    method picture {} {return $Picture}
    method rows {} {return $Rows}
    method options {args} {
	set Options [dict merge $Options $args]
	dict with Options {lassign [::list $base $sort $group $filter $down] Base Sort Group Filter Down}
	if {[llength $args]} {my rebuild}
	return $Options
    }
    method first {args} {
	if {[llength $args]} {
	    set First [lindex $args 0]
	    my draw
	}
	return $First
    }
    method chosen {} {dict keys $Chosen}
}
