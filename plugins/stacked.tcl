# stacked.tcl -- the job-stacked view: all jobs of a task, one thin row each, on a time base of their own.
#
# As in Rajotte & Dagenais, "Real-time Linux Analysis Using Low-Impact Tracer" (2014), figures 4 to 7: jobs that took
# long stand out, and the rows show the tasks that used their time. Time begins at the release of each job (or its
# start, deadline, completion, or a message in its life); a row shows the states in the timeline's colours, and the
# tasks that ran meanwhile in their own: low while the job waited for its start, half as high while it was preempted. A
# line marks the deadline, a stroke the completion.
#
#   $trace relation jobs -> a section for each task and group: filtered and sorted in C -> places that are seen
#        -> $trace phases (the states of these jobs) -> bars of a drawing -> a picture, or a file
#
# No data is kept for each job: rows are asked for when they are seen, so a million of them scroll like ten. Several
# tasks stand side by side as columns with one time scale and one scroll bar: with equal sorting, the k-th worst jobs
# are beside each other.
#
# The panel is in stacked/panel.tcl, the rows and the range of time that it shows in stacked/viewport.tcl.
#
# Groups are computed from columns of the jobs: outcome (missed, met, unfinished), processor, preempted or not, blocked
# or not, and quarters of the sorted statistic. Processor and outcome exist in all formats.

plugin stacked -title "Jobs, stacked" -help "all jobs of a task, one row each, with what they waited for"

view stacked -title Stacked -create openPanel -side bottom -figure drawFigure \
    -help "all jobs of tasks, one thin row each: states, who ran meanwhile, deadline, completion" -options {
    {-task names IDS {} "tasks (ids or names, glob patterns), side by side; default: the one with the most jobs"}
    {-together flag {} no "all these tasks in one column"}
    {-base word release|start|deadline|completion release
        "where the time of each job begins" {release start deadline completion}}
    {-mark text PATTERN {} "time begins at the first message or annotation of the task in the job's life that matches"}
    {-sort text STATISTIC release "a column of stats --of jobs: the largest on top, but release: the first on top"}
    {-filter text EXPRESSION {}
        "jobs to show: response > 10 && (blocked > 0 || preemptions >= 3); see FILTERS in tactus(1)"}
    {-group word none|outcome|processor|preempted|blocked|quarter none
        "rows in groups" {none outcome processor preempted blocked quarter}}
    {-limit number N 60 "rows of each task at most"}
    {-span text FROM,TO {} "relative time that is shown; default: all, or that of the others, where a few jobs are\
        so long that these would be points"}
    {-row-height number POINTS {} "height of a row; default: 5; more for few jobs, whose names then stand beside them,\
        and up to 14, or 42 together, where rows are lower than the legend"}
    {-legend word none|bottom bottom "place of the legend" {none bottom}}
}

variable sortable {
    release response latency execution preempted blocked wakeup lateness preemptions migrations interarrival stolen
    net_execution start completion deadline
}

# Titles and conditions of the groups; those of quarters are computed from the jobs. words: -progress of the work.
proc groupsOf {trace tasks group statistic conditions words} {
    switch $group {
        outcome {
            return {
                "missed" {{lateness > 0}} "met" {{lateness <= 0}}
                "without deadline" {{completion != {}} {lateness = {}}} "unfinished" {{completion = {}}}
            }
        }
        preempted {return {"preempted" {{preemptions > 0}} "never preempted" {{preemptions = 0}}}}
        blocked {
            return {"blocked" {{blocked > 0}} "never blocked" {{blocked <= 0}} "blocked: not known" {{blocked = {}}}}
        }
        processor {
            set groups {}
            foreach row [$trace stats processors] {
                lappend groups [dict get $row processor] [list [list processor = [dict get $row processor]]]
            }
            return [lappend groups "no processor" {{processor = {}}}]
        }
        quarter {return [quartersOf $trace $tasks $statistic $conditions $words]}
    }
    return {{} {}}
}

# The quarters of the sorted statistic: each is between two of its five values at the ends and quartiles.
proc quartersOf {trace tasks statistic conditions words} {
    set relation [figure jobs $trace $tasks $conditions $words]
    try {
        figure pause $words
        set values [dict get [$relation sample $statistic 5 {*}$words] values]
        figure pause $words
    } trap {TCL LOOKUP} {} - trap {TACTUS USAGE} {} {
        return {{} {}}  ;# the procedure that makes the rows reports the error
    } finally {
        $relation close
    }
    if {[llength $values] < 10} {return {{} {}}}
    foreach {low - q1 - q2 - q3 - high -} $values break
    set groups {}
    set unit [if {$statistic ni {preemptions migrations}} {lindex [$trace axis {} {}] 0}]
    foreach {title from to} [list "slowest quarter" $q3 {} "third quarter" $q2 $q3 "second quarter" $q1 $q2 \
        "fastest quarter" {} $q1] {
        set own [list]
        if {$from ne {}} {lappend own [list $statistic > $from]} else {lappend own [list $statistic <= $to]}
        if {$from ne {} && $to ne {}} {lappend own [list $statistic <= $to]}
        lappend groups "$title, [expr {$to eq {} ? "above [::tactus::length $from $unit 4]"
            : "up to [::tactus::length $to $unit 4]"}]" $own
    }
    return $groups
}

# ---- a model: sections of rows ---------------------------------------------------------------------------------------
#
# Class Rows: the contents of the view, without their look: a column for each task, or one for several together (`tasks`
# is a list of lists of names), each a list of sections {title relation first count head}, counted in rows; a title is a
# row of its own.

oo::class create Rows {
    variable Trace Columns Relations Longest

    # options: dict tasks sort down filter group, and words: -from and -to of the window, -progress of the work
    constructor {trace options} {
        ::namespace path [list {*}[::namespace path] ::tactus::plugins::stacked ::tactus::plugin::api]
        set Trace $trace
        lassign {} Columns Relations Longest
        set progress [figure given -progress [dict get $options words]]
        foreach tasks [dict get $options tasks] {lappend Columns [my Column $tasks $options $progress]}
        my Measure $progress
    }

    destructor {
        foreach relation $Relations {catch {$relation close}}
    }

    method Column {tasks options progress} {
        set sections {}
        set first 0
        set choice [figure choice $Trace $tasks]
        set wanted [dict get $choice words]
        foreach {title own} [groupsOf $Trace $wanted [dict get $options group] [dict get $options sort] \
            [dict get $options filter] $progress] {
            set relation [figure jobs $Trace $wanted [concat [dict get $options filter] $own] [dict get $options words]]
            lappend Relations $relation
            figure pause $progress
            figure need [dict get $options sort] [lmap column [$relation columns] {dict get $column name}]
            set count [$relation count]
            if {!$count} continue
            $relation sort [dict get $options sort] -decreasing [dict get $options down] {*}$progress
            figure pause $progress
            set head [expr {$title ne {}}]
            lappend sections [dict create title $title relation $relation first $first count $count head $head]
            incr first [expr {$count + $head}]
        }
        dict create tasks $choice sections $sections rows $first
    }

    # Finds the longest response of all, for the range of time.
    method Measure {progress} {
        set Longest 0
        foreach column $Columns {
            foreach section [dict get $column sections] {
                set most [dict get [[dict get $section relation] statistics response {*}$progress] maximum]
                figure pause $progress
                if {$most ne {} && $most > $Longest} {set Longest $most}
            }
        }
    }

    method columns {} {return $Columns}

    # The number of jobs, of all columns or of one.
    method count {{column {}}} {
        tcl::mathop::+ {*}[lmap own [expr {$column eq {} ? $Columns : [list [lindex $Columns $column]]}] {
            tcl::mathop::+ {*}[lmap section [dict get $own sections] {dict get $section count}]
        }]
    }

    method rows {} {tcl::mathfunc::max 0 {*}[lmap column $Columns {dict get $column rows}]}

    # The contents of rows from .. below to of a column: list of {row title} and {row {} job place relation}.
    method seen {column from to} {
        set seen {}
        foreach section [dict get [lindex $Columns $column] sections] {
            dict with section {
                if {$first + $count + $head <= $from || $first >= $to} continue
                if {$head && $first >= $from} {lappend seen [list $first "$title ([figure counted $count])"]}
                set at [expr {max($first + $head, $from)}]
                set end [expr {min($first + $head + $count, $to)}]
                for {} {$at < $end} {incr at} {
                    set place [expr {$at - $first - $head}]
                    lappend seen [list $at {} [$relation id $place] $place $relation]
                }
            }
        }
        return $seen
    }

    # Jobs in rows from .. to of a column, both included, at most so many.
    method jobs {column from to most} {
        set jobs {}
        foreach section [dict get [lindex $Columns $column] sections] {
            dict with section {
                set place [expr {max(0, $from - $first - $head)}]
                set wanted [expr {min($to - $first - $head + 1 - $place, $most - [llength $jobs])}]
                if {$wanted > 0} {lappend jobs {*}[$relation ids $place $wanted]}
            }
        }
        return $jobs
    }

    # The row of a job: {column row}; {}: it is not shown.
    method rowOf {job} {
        set number 0
        foreach column $Columns {
            foreach section [dict get $column sections] {
                set place [[dict get $section relation] place $job]
                if {$place >= 0} {
                    return [list $number [expr {[dict get $section first] + [dict get $section head] + $place}]]
                }
            }
            incr number
        }
        return
    }

    # A sample of jobs for the range of time: spread evenly over all rows, with the longest ones.
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

    method longest {} {return $Longest}
}

# The range of relative time over all jobs, or only over these, and what is to be said of it: {{from to} note}. Where a
# few jobs are so long that all others would be points, it is the range of the others.
proc spanOf {trace rows base mark {jobs {}}} {
    set all [expr {![llength $jobs]}]
    if {$all} {set jobs [lsort -unique -integer [$rows sample 200]]}
    set facts [$trace phases $jobs -base $base -mark $mark -most 0]
    set ends [endsOf $facts]
    set longest [expr {$all && $base eq "release" && $mark eq {} ? [$rows longest] : 0}]
    set values [lsort -real [concat 0 $longest {*}$ends]]
    lassign [mostOf $values $ends [expr {!$all || [llength $jobs] == [$rows count]}]] values note
    lassign [list [lindex $values 0] [lindex $values end]] low high
    set reach $high
    foreach job $facts {
        set deadline [dict get $job deadline]
        if {$deadline eq {} || [isFar $job $base $reach]} continue
        set low [expr {min($low, $deadline)}]
        set high [expr {max($high, $deadline)}]
    }
    if {!($high > $low)} {set high [expr {$low + 1}]}
    list [list $low [expr {$high + ($high - $low) * 0.02}]] $note
}

# The release, or else the start, and the end of each job that has them, the lower first.
proc endsOf {facts} {
    lmap job $facts {
        set from [dict get $job [expr {[dict get $job release] eq {} ? "start" : "release"}]]
        set ends [lsearch -all -inline -exact -not [list $from [dict get $job end]] {}]
        if {![llength $ends]} continue
        lsort -real $ends
    }
}

# Sorted values without those of the few jobs that are far away from all others, and what is to be said of these:
# {values {number first last}}. known: are these all jobs?
proc mostOf {values ends known} {
    if {[llength $ends] < 4} {return [list $values {}]}
    set range [figure most $values [expr {max(1, [llength $ends] / 10)}]]
    if {$range eq {}} {return [list $values {}]}
    set outside [llength [lmap job $ends {if {[llength [within $job $range]] == [llength $job]} continue; set job}]]
    list [within $values $range] [list [expr {$known ? $outside : "some"}] [lindex $values 0] [lindex $values end]]
}

proc within {values range} {
    lassign $range from to
    lmap value $values {if {$value < $from || $value > $to} continue; set value}
}

# Is a job's deadline so far behind its end, and that of all others, that it would leave the jobs no room?
proc isFar {job base high} {
    set end [dict get $job end]
    set deadline [dict get $job deadline]
    expr {$base ne "deadline" && $end ne {} && $deadline > 2 * abs($end) && $deadline > 2 * $high}
}

# ---- drawing ---------------------------------------------------------------------------------------------------------

# Draws the view, for a window and a file. p: dict with
#   trace rows base mark span {from to} note (on that range)
#   width height first (row on top, may have a fraction) pitch (points a row)
#   size (of text) colors styles (options of $trace style) chosen (dict of job -> 1) unit scale
#   legend (top, bottom, none)
#   most (rows that a file shows; {}: the window scrolls) told (colours of tasks that ran meanwhile, from before)
# Procedures add to it: columns, line (height of a line of text), axis, labels (their width), seen, facts (phases of the
# jobs seen), looks (of tasks), top and bottom of the plots. Result: dict of plots {left width} of each column, top,
# bottom (points), axis, told.
proc draw {drawing p} {
    dict set p columns [[dict get $p rows] columns]
    lassign [$drawing measure Xg -size [dict get $p size]] - ascent descent
    dict set p line [expr {$ascent + $descent}]
    set below [expr {4 + 2 * [dict get $p line] + 5}]
    dict set p labels [labelWidth $drawing $p]
    dict set p indent 0
    dict set p axis [axisOf $drawing $p]
    dict set p indent [indentOf $drawing $p]
    if {[dict get $p indent] > 0} {dict set p axis [axisOf $drawing $p]}
    dict set p top [expr {[dict get $p line] * 1.5}]
    set p [withSeen $p [expr {[dict get $p height] - [dict get $p top] - $below}]]
    dict set p bottom [expr {[dict get $p height] - $below}]
    set p [withLegend $drawing $p]
    set plots [placesOf $p]
    set column -1
    foreach plot $plots {drawColumn $drawing $p [incr column] {*}$plot}
    drawHeads $drawing $p
    # One title for all columns.
    dict with p {
        $drawing text [expr {$width / 2.0}] [expr {$bottom + 6 + 2 * $ascent + $descent}] [dict get $axis heading] \
            -anchor center -size $size \
            -ink [dict get $colors ink] -most [expr {$width - 10}]
        dict create plots $plots top $top bottom $bottom axis $axis told $told
    }
}

# The axis of each column; its title stands once under all of them.
proc axisOf {drawing p} {
    dict with p {}
    set axis [figure axis {*}$span [expr {max(20, [lindex [placesOf $p] 0 1])}] -drawing $drawing -size $size \
        -title [expr {$mark eq {} ? "time since $base" : "time since \"$mark\""}] -unit $unit -scale $scale]
    dict set axis heading [dict get $axis title][expr {
        $note eq {} ? {} : ", [figure outside {*}$note $unit $scale]"}]
    dict set axis title {}
}

# Points that the columns must be further to the right, so that the first label of the axis is seen as a whole, and does
# not touch the last one of the column before.
proc indentOf {drawing p} {
    dict with p {}
    lassign [placesOf $p] first second
    lassign $first left wide
    lassign $span from to
    lassign [dict get $axis ticks] value text
    if {$value eq {}} {return 0}
    set half [expr {[lindex [$drawing measure $text -size $size] 0] / 2}]
    set out [expr {$half - ($value - $from) / double($to - $from) * $wide}]
    set indent [expr {max(0, 2 + $out - $left)}]
    if {$second eq {}} {return $indent}
    set between [expr {[lindex $second 0] - $left - $wide}]
    expr {max($indent, $out + [figure overhang $drawing $axis $wide] + $size / 2.0 - $between)}
}

# The place {left width} of each column.
proc placesOf {p} {
    dict with p {}
    set own [expr {double($width - 4) / max(1, [llength $columns])}]
    set gap [expr {($labels ? $labels + 4 : 6) + $indent}]
    set plots {}
    for {set column 0} {$column < [llength $columns]} {incr column} {
        lappend plots [list [expr {2 + $column * $own + $gap}] [expr {$own - $gap - 8}]]
    }
    return $plots
}

# Adds the jobs that are seen in so many points, of all columns, and their phases, in one call of the core. A file has
# no others, so that its legend is that of its rows.
proc withSeen {p high} {
    dict with p {}
    set count [expr {int(ceil($high / double($pitch))) + 1}]
    set seen [seenOf $rows $first [expr {$most eq {} ? $count : min($count, $most)}]]
    set facts [$trace phases [jobsOf $seen] -base $base -mark $mark]
    lassign [looksOf $trace $columns $facts $styles $told] looks told
    if {$most ne {}} {set looks [withRest $looks [tasksOf $columns $facts] $facts [dict get $colors faint]]}
    dict merge $p [dict create seen $seen facts $facts looks $looks told $told]
}

# The rows that are seen: list of {column row title job place relation}.
proc seenOf {rows first count} {
    set seen {}
    set top [expr {int(floor($first))}]
    for {set column 0} {$column < [llength [$rows columns]]} {incr column} {
        foreach row [$rows seen $column $top [expr {$top + $count}]] {
            lappend seen [list $column [lindex $row 0] [lindex $row 1] {*}[lrange $row 2 4]]
        }
    }
    return $seen
}

proc jobsOf {seen} {
    lmap row $seen {if {[lindex $row 3] eq {}} continue; lindex $row 3}
}

# The width of the names of jobs left of their rows, where these are high enough; 0: none.
proc labelWidth {drawing p} {
    dict with p {}
    if {$pitch < $size * 0.85} {return 0}
    set widest 0
    foreach row [seenOf $rows $first [expr {int($height / double($pitch)) + 1}]] {
        lassign $row column - - job place relation
        if {$job eq {}} continue
        set label [labelOf $trace $relation $place [isTogether $columns $column]]
        set widest [expr {max($widest, [lindex [$drawing measure $label -size [expr {$size * 0.85}]] 0])}]
    }
    set room [expr {0.4 * $width / max(1, [llength $columns])}] ;# of a column; no names are better than narrow plots
    expr {$widest > 0 && min($widest + 1, 70) <= $room ? min($widest + 1, 70) : 0}
}

# The label of a job: its id; that of a thread's job with the thread's name. Its number tells threads of one name apart
# where several share a column; else the heading does.
proc labelOf {trace relation place together} {
    set called [$trace called [lindex [$relation rows $place 1] 0 0]]
    if {!$together} {regsub { \([\d/]+\)$} $called {} called}
    figure oneLine $called
}

proc isTogether {columns column} {
    expr {[dict get [lindex $columns $column] tasks count] > 1}
}

# The looks of all tasks that occur: those of the jobs, and those that ran meanwhile, in colours that differ in this
# picture: {looks told}. Tasks in `told` keep their colours, so that these do not change during scrolling. `shown` of a
# look is the task's name, with its id where others have the same.
proc looksOf {trace columns facts styles told} {
    set others {}
    set tasks [tasksOf $columns $facts]
    foreach job $facts {
        foreach {state who stretches} [dict get $job phases] {
            if {$who ne {}} {dict set others $who {}}
        }
    }
    set others [dict keys $others]
    set style [$trace style {*}$styles -tasks [lsort -unique [concat $tasks $others]]]
    set looks [dict get $style tasks]
    set told [figure apart $looks $tasks $others [dict get $style palette] $told]
    dict for {id color} $told {if {[dict exists $looks $id]} {dict set looks $id other $color}}
    dict for {id look} $looks {dict incr same [dict get $look name]}
    dict for {id look} $looks {
        set name [dict get $look name]
        set text [figure taskName $trace $id $name]
        if {$text eq $name && $name ne {} && [dict get $same $name] > 1} {append text " $id"}
        dict set looks $id shown [figure oneLine $text]
    }
    list $looks $told
}

# The looks, with one look for all that ran meanwhile but those that did so longest, where these are many: a legend of
# all would be larger than the plots, and nobody tells so many colours apart.
proc withRest {looks tasks facts color} {
    set most 8
    set lengths {}
    foreach job $facts {
        foreach {state who stretches} [dict get $job phases] {
            if {$who eq {} || $who in $tasks || ![dict exists $looks $who]} continue
            dict set lengths $who [expr {[lengthOf $stretches]
                + ([dict exists $lengths $who] ? [dict get $lengths $who] : 0)}]
        }
    }
    foreach {who -} [lrange [lsort -stride 2 -index 1 -real -decreasing $lengths] [expr {2 * $most}] end] {
        dict set looks $who other $color
        dict set looks $who shown "other tasks"
    }
    return $looks
}

# The tasks of the columns. One column of very many tasks: those whose jobs are seen.
proc tasksOf {columns facts} {
    set tasks {}
    foreach column $columns {
        set choice [dict get $column tasks]
        if {[dict get $choice count] > [llength [dict get $choice ids]]} {
            return [lsort -unique -dictionary [lmap job $facts {dict get $job task}]]
        }
        lappend tasks {*}[dict get $choice ids]
    }
    return $tasks
}

# ---- the legend ------------------------------------------------------------------------------------------------------

# Draws the legend above or below the plots, which become lower by its height.
proc withLegend {drawing p} {
    dict with p {}
    if {$legend eq "none"} {return $p}
    set items [legendItems $p]
    set high [expr {[figure legend $drawing 4 0 [expr {$width - 8}] $items $colors $size 0] + 3}]
    figure legend $drawing 4 [expr {$legend eq "bottom" ? $height - $high : 1}] [expr {$width - 8}] $items $colors $size
    if {$legend eq "bottom"} {dict set p bottom [expr {$bottom - $high}]} else {dict set p top [expr {$top + $high}]}
    return $p
}

# Items of the legend, for what occurs: tasks by their colours, states by their heights, holders of mutexes, times.
proc legendItems {p} {
    dict with p {}
    lassign [occurring $facts $looks [expr {0.3 * ([lindex $span 1] - [lindex $span 0])
        / max(1, [lindex [placesOf $p] 0 1])}]] states others holders
    set items [taskItems $columns $facts $looks $others]
    set plain [dict get $colors preempted]
    if {[llength $items] > 1 || [llength $others]} {lappend items [dict create text running fill $plain height 1]}
    foreach {state text fill pattern high} {
        blocked blocked blocked lines_down 0.35 unknown unknown unknown gray25 1 between "between jobs" between none 1
        waiting waiting preempted none 0.3 preempted preempted preempted none 0.55
    } {
        if {$state in $states} {
            lappend items [dict create text $text fill [dict get $colors $fill] pattern $pattern height $high]
        }
    }
    foreach who [lsort -dictionary $holders] {
        set look [dict get $looks $who]
        lappend items [dict create text "blocked by [dict get $look shown]" fill [dict get $look other] \
            pattern lines_down height 0.35 ink [hatchOn $colors 1]]
    }
    foreach job $facts {
        if {![dict get $job cut] || ![llength [restOf $job]]} continue
        lappend items [dict create text "too many phases" fill [dict get $colors paper] pattern lines_up height 1]
        break
    }
    foreach job $facts {
        set deadline [dict get $job deadline]
        if {$deadline eq {} || $deadline < [lindex $span 0] || $deadline > [lindex $span 1]} continue
        lappend items [dict create text deadline line [dict get $colors late] dash [deadlineDash $colors]]
        break
    }
    lappend items [dict create text completion line [dict get $colors ink]]
}

# States that occur in these jobs, tasks that ran meanwhile, and tasks that held a mutex: {states others holders}. The
# state blocked is one without a known holder. Tasks that ran in no job for longer than `least` cannot be seen.
proc occurring {facts looks least} {
    set states {}
    set others {}
    set holders {}
    foreach job $facts {
        foreach {state who stretches} [dict get $job phases] {
            set known [expr {$who ne {} && [dict exists $looks $who]}]
            if {$state eq "between" && ![hasLength $stretches]} continue
            if {$state eq "blocked" && $known} {dict set holders $who 1} else {dict set states $state 1}
            if {$state ne "blocked" && $known && [lengthOf $stretches] >= $least} {dict set others $who 1}
        }
    }
    list [dict keys $states] [dict keys $others] [dict keys $holders]
}

# Has one of these stretches of time a length?
proc hasLength {stretches} {
    foreach {from to} $stretches {
        if {$to > $from} {return yes}
    }
    return no
}

# The length of stretches {from to ...} together.
proc lengthOf {stretches} {
    set length 0
    foreach {from to} $stretches {set length [expr {$length + $to - $from}]}
    return $length
}

# Items of the legend for tasks: high those whose jobs run, low those that ran while jobs waited, in steps those that
# did both. Tasks of one look share an item. A task with two colours ran as another job, too, while its jobs waited.
proc taskItems {columns facts looks others} {
    set tasks {}
    foreach task [tasksOf $columns $facts] {
        dict set tasks [list [dict get $looks $task color] [dict get $looks $task shown]] 1
    }
    set own $tasks
    set names [lmap key [dict keys $own] {lindex $key 1}]
    foreach task $others {
        set key [list [dict get $looks $task other] [dict get $looks $task shown]]
        if {![dict exists $own $key] && [lindex $key 1] in $names} {lset key 1 "[lindex $key 1], another job"}
        dict set tasks $key [expr {[dict exists $own $key] ? "steps" : "0.55"}]
    }
    set names {}
    dict for {key high} $tasks {dict lappend names [list [lindex $key 0] $high] [lindex $key 1]}
    lmap {look shown} $names {
        dict create text [join [lsort -dictionary $shown] {, }] fill [lindex $look 0] height [lindex $look 1]
    }
}

# Names of tasks, equal ones once.
proc namesOf {looks tasks} {
    if {[dict get $tasks count] == 1} {return [dict get $looks [lindex [dict get $tasks ids] 0] shown]}
    figure choiceNames $tasks $looks 100
}

# ---- a column --------------------------------------------------------------------------------------------------------

# Draws a column of rows, from left over a width; p as in `draw`.
proc drawColumn {drawing p column left wide} {
    dict with p {}
    set right [expr {$left + $wide}]
    $drawing map x [list {*}$span $left $right]
    $drawing clip $left $top $wide [expr {$bottom - $top}]
    columnGrid $drawing $p
    set above [expr {$top - $first * $pitch}]
    set number -1
    set texts {}
    foreach row $seen {
        lassign $row own at title job place relation
        if {$job ne {}} {incr number}
        if {$own != $column} continue
        set y [expr {$above + $at * $pitch}]
        if {$job eq {}} {
            drawTitle $drawing $p $title $left $wide $y
            continue
        }
        if {[dict exists $chosen $job]} {
            $drawing rectangles [list $left $y $wide $pitch] -fill [dict get $colors mark] -layer back -tag job:$job
        }
        drawJob $drawing [lindex $facts $number] $y $pitch $job $looks $colors
        if {$labels} {
            lappend texts [labelOf $trace $relation $place [isTogether $columns $column]] [expr {$y + $pitch / 2}]
        }
    }
    $drawing clip
    drawLabels $drawing $p $texts [expr {$left - 3}]
    figure horizontal $drawing $axis $left $right $bottom $colors
}

# The headings that a column may have, the longest first: its tasks, and how many jobs are shown.
proc headsOf {p column} {
    dict with p {}
    set own [lindex $columns $column]
    set number [figure counted [$rows count $column]]
    if {$most ne {} && $most < [dict get $own rows]} {
        set drawn [lmap row $seen {
            if {[lindex $row 0] != $column || [lindex $row 1] >= $most || [lindex $row 3] eq {}} continue
            set row
        }]
        set number "[llength $drawn] of $number"
    }
    set names [namesOf $looks [dict get $own tasks]]
    set many [dict get $own tasks count]
    set short [lrange $number 0 end-1] ;# without "jobs"
    list "$names: $number" "$names: $short" \
        {*}[expr {$many > 1 ? [list "$many tasks: $number" "$many tasks: $short"] : {}}]
}

# The room for the heading of a column: up to the next one's, or the edge.
proc headRoom {p column} {
    dict with p {}
    set places [placesOf $p]
    set left [lindex $places $column 0]
    expr {$column + 1 < [llength $columns] ? [lindex $places $column+1 0] - $left - $size / 2 : $width - $left - 2}
}

# Draws the headings of all columns: in full where there is room for that in each column, else in short; of names that
# are still too long a part. The numbers stay.
proc drawHeads {drawing p} {
    dict with p {}
    set heads {}
    set rooms {}
    set full 1
    for {set column 0} {$column < [llength $columns]} {incr column} {
        lappend heads [headsOf $p $column]
        lappend rooms [headRoom $p $column]
        set full [expr {$full && [headWidth $drawing $size [lindex $heads end 0]] <= [lindex $rooms end]}]
    }
    lassign [$drawing measure Xg -size $size] - ascent descent
    foreach place [placesOf $p] own $heads room $rooms {
        lassign $place left
        if {!$full} {set own [lrange $own 1 end]}
        set title [lindex $own 0]
        foreach title $own {
            if {[headWidth $drawing $size $title] <= $room} break
        }
        regexp {^(.*)(: .*)$} $title -> names number
        while {[headWidth $drawing $size $title] > $room && $names ne {}} {
            set names [string range $names 0 end-1]
            set title "[string trimright $names]\u2026$number"
        }
        $drawing text $left [expr {$top - $descent - 2}] $title -size $size -bold 1 -ink [dict get $colors ink] \
            -most $room
    }
}

proc headWidth {drawing size text} {lindex [$drawing measure $text -size $size -bold 1] 0}

proc columnGrid {drawing p} {
    dict with p {}
    $drawing segments [concat {*}[lmap {value text} [dict get $axis ticks] {
        set x [$drawing map x place $value]
        list $x $top $x $bottom
    }]] -ink [dict get $colors grid] -width 0.4 -layer back
    set origin [$drawing map x place 0]
    $drawing line [list $origin $top $origin $bottom] -ink [dict get $colors faint] -width 0.5 -layer back
}

# Draws the title of a group.
proc drawTitle {drawing p title left wide y} {
    dict with p {}
    $drawing rectangles [list $left $y $wide $pitch] -fill [dict get $colors grid] -layer back
    $drawing text [expr {$left + 2}] [expr {$y + $pitch / 2}] $title -middle 1 \
        -size [expr {min($size, $pitch * 0.84)}] \
        -ink [dict get $colors ink] -most [expr {$wide - 4}]
}

proc drawLabels {drawing p texts right} {
    dict with p {}
    foreach {text y} $texts {
        if {$y < $top || $y > $bottom} continue
        $drawing text $right $y $text -anchor right -middle 1 -size [expr {$size * 0.85}] \
            -ink [dict get $colors ink] -most $labels
    }
}

# ---- a job -----------------------------------------------------------------------------------------------------------

# Draws the row of a job. Bars stand on the row's lower edge, as those of the timeline on their baseline.
proc drawJob {drawing job y pitch index looks colors} {
    set task [dict get $job task]
    set high [expr {$pitch > 3 ? $pitch - 1 : $pitch}]
    set outline [expr {$pitch >= 7 ? [list -outline [dict get $colors ink] -width 0.3] : {}}]
    set faint [list -ink [dict get $colors faint] -detail 0.3]
    foreach {state who stretches} [dict get $job phases] {
        switch $state {
            running {$drawing bars $y $high $stretches -fill [dict get $looks $task color] -tag job:$index \
                -detail 0.3 {*}$outline}
            waiting {drawOther $drawing $stretches waiting $who [expr {$y + $high}] \
                [expr {$high * 0.3}] $pitch $index $looks $colors}
            preempted {drawOther $drawing $stretches preempted $who [expr {$y + $high}] \
                [expr {$high * 0.55}] $pitch $index $looks $colors}
            blocked {
                set holder [expr {$who ne {} && [dict exists $looks $who]}]
                $drawing bars [expr {$y + $high * 0.65}] [expr {$high * 0.35}] $stretches \
                    -fill [expr {$holder ? [dict get $looks $who other] : [dict get $colors blocked]}] \
                    -pattern lines_down -tag [expr {$holder ? [list blocked $index $who] : "job:$index"}] \
                    -outline [dict get $colors faint] -width 0.2 -ink [hatchOn $colors $holder] -detail 0.3
            }
            unknown {$drawing bars $y $high $stretches -fill [dict get $colors unknown] -pattern gray25 \
                -tag job:$index {*}$faint}
            between {$drawing bars $y $high $stretches -fill [dict get $colors between] -tag job:$index -detail 0.3}
        }
    }
    if {[dict get $job cut]} {
        $drawing bars $y $high [restOf $job] -fill [dict get $colors paper] -pattern lines_up -tag job:$index {*}$faint
    }
    drawTimes $drawing $job $y $high $colors [dict get $looks $task color]
}

# The time {from to} of a job behind its last phase, where it has more than are told.
proc restOf {job} {
    set from 0
    foreach {state who stretches} [dict get $job phases] {set from [expr {max($from, [lindex $stretches end])}]}
    set end [dict get $job end]
    if {$end eq {} || $end <= $from} return
    list $from $end
}

# The ink of a pattern: on the colour of a task that can be told from it on dark paper, too.
proc hatchOn {colors task} {
    scan [dict get $colors paper] #%2x red
    dict get $colors [expr {$task && $red < 128 ? "paper" : "faint"}]
}

# Draws the tasks that ran meanwhile, on this base line.
proc drawOther {drawing stretches state who base part pitch index looks colors} {
    set known [expr {$who ne {} && [dict exists $looks $who]}]
    $drawing bars [expr {$base - $part}] $part $stretches \
        -fill [expr {$known ? [dict get $looks $who other] : [dict get $colors preempted]}] \
        -tag [list $state $index $who] \
        -detail 0.3 {*}[expr {$who eq {} || $pitch >= 7 || [isGray $colors]
            ? [list -outline [dict get $colors faint] -width 0.2] : {}}]
    if {$known && $part >= 6} {
        nameOther $drawing $stretches $base $part [dict get $looks $who shown] [inkOn [dict get $looks $who other]]
    }
}

# Draws the preempter's name, where it fits into its stretch, with its descenders.
proc nameOther {drawing stretches base part name ink} {
    set size [expr {min(7.0, $part * 0.84)}]
    set needed [expr {[lindex [$drawing measure $name -size $size] 0] + 3}]
    foreach {from to} $stretches {
        set x0 [$drawing map x place $from]
        set x1 [$drawing map x place $to]
        if {$x1 - $x0 < $needed} continue
        $drawing text [expr {($x0 + $x1) / 2}] [expr {$base - $part / 2}] $name -anchor center -middle 1 \
            -size $size -ink $ink
    }
}

# Black or white, as can be read on a colour.
proc inkOn {color} {
    expr {[lightness $color] >= 116 ? "#000000" : "#FFFFFF"}
}

# Can a stroke in one colour hardly be seen on another one?
proc isLike {a b} {
    expr {abs([lightness $a] - [lightness $b]) < 64}
}

# 0 black .. 255 white, by the weights of ITU-R BT.709.
proc lightness {color} {
    scan $color #%2x%2x%2x r g b
    expr {0.2126 * $r + 0.7152 * $g + 0.0722 * $b}
}

proc isGray {colors} {
    expr {[dict get $colors late] eq [dict get $colors ink]}
}

# Deadlines are dashed where their colour does not tell them from completions.
proc deadlineDash {colors} {
    expr {[isGray $colors] ? "dashed" : "solid"}
}

# Draws the deadline: a line across the row, so that equal ones form one line down the view; and the completion: a
# stroke in front of the bar's end, with a rim of paper where it is like the bar.
proc drawTimes {drawing job y high colors bar} {
    set end [expr {$y + $high + 1}]
    if {[dict get $job deadline] ne {}} {
        set x [$drawing map x place [dict get $job deadline]]
        $drawing line [list $x $y $x $end] -ink [dict get $colors late] \
            -width [expr {[dict get $job missed] ? 1.4 : 0.7}] -dash [deadlineDash $colors] -layer arrows
    }
    if {[dict get $job completion] ne {}} {
        set x [$drawing map x place [dict get $job completion]]
        if {[isLike $bar [dict get $colors ink]]} {
            $drawing line [list $x $y $x [expr {$y + $high}]] -ink [dict get $colors paper] -width 2 -layer arrows
        }
        $drawing line [list $x $y $x [expr {$y + $high}]] -ink [dict get $colors ink] -width 0.8 -layer arrows
    }
    if {[dict get $job release] ne {} && [dict get $job release] != 0} {
        set x [$drawing map x place [dict get $job release]]
        $drawing line [list $x $y $x [expr {$y + $high}]] -ink [dict get $colors faint] -width 0.5 \
            -dash dotted -layer arrows
    }
}

# ---- a figure --------------------------------------------------------------------------------------------------------

# Draws the view as a figure: as many rows as are asked for, and the drawing as high as they need.
proc drawFigure {trace drawing options} {
    set columns [columnsFor $trace $drawing $options]
    set sort [dict get $options -sort]
    set rows [Rows new $trace [dict create tasks $columns sort $sort down [expr {$sort ne "release"}] \
        filter [concat [figure conditions [dict get $options -filter]] [hasBase $options]] \
        group [dict get $options -group] \
            words [figure given {-from -to} $options]]]
    try {
        if {![$rows rows]} {
            figure fail {FIGURE EMPTY} \
                "no job is to be shown[expr {[dict get $options -filter] eq {}
                    ? {} : ": the filter lets none through"}]"
        }
        set shown [expr {int(min([$rows rows], [positive -limit $options]))}]
        set p [figureParameters $trace $drawing $rows $shown $options]
        if {[dict get $options -height] eq {}} {
            set p [fitHeight $drawing $p $shown [expr {[dict get $options -row-height] eq {}}]]
        }
        dict set p height [$drawing cget -height]
        set placed [draw $drawing $p]
        if {[dict get $placed bottom] - [dict get $placed top] < min([dict get $p pitch], 2)} {
            figure fail {FIGURE NARROW} \
                "there is no room for a job: give a larger -height or -width, or a smaller -fontsize"
        }
    } finally {
        $rows destroy
    }
}

# The condition that jobs have the time from which their rows count: rows of others would be empty.
proc hasBase {options} {
    set base [dict get $options -base]
    if {$base eq "release" || [dict get $options -mark] ne {}} return
    list [list $base != {}]
}

# The value of an option, which must be a number not below `least`.
proc positive {name options {least 1}} {
    set value [dict get $options $name]
    if {!($value >= $least && $value < 1e9)} {
        figure fail {USAGE VALUE} "bad value \"$value\" of $name: must be a number from $least on"
    }
    return $value
}

# Names of the tasks of each column: of one each, or all in one.
proc columnsFor {trace drawing options} {
    set tasks [dict get $options -task]
    set together [string is true -strict [dict get $options -together]]
    lassign [expr {$together ? {1} : [columnTasks $trace [::tactus::names $tasks]]}] count ids
    if {[$drawing cget -width] / double($count) < 60} {
        figure fail {FIGURE NARROW} \
            "the width is too small for $count column[expr {$count == 1 ? {} : "s"} \
            ] of jobs: give a larger -width, or choose tasks by -task, or put them -together"
    }
    if {$together} {return [list $tasks]}
    lmap id $ids {::tactus::nameList [list $id]}
}

# The tasks that have a column of their own, and before them how many these are: those that a pattern finds if they have
# jobs, named ones always. With none all are left, so that there is something of which to tell that it has no job; very
# many are only counted.
proc columnTasks {trace names} {
    set found [$trace tasks $names -most 1000]
    if {[dict get $found count] > 1000} {return [list [dict get $found count]]}
    set ids [lmap task [dict get $found tasks] {lindex $task 0}]
    set some [lmap task [dict get $found tasks] {
        lassign $task id name jobs
        if {!$jobs && $id ni $names && $name ni $names} continue
        set id
    }]
    if {[llength $some]} {set ids $some}
    list [llength $ids] $ids
}

# The parameters of `draw` for a figure, except for the height.
proc figureParameters {trace drawing rows shown options} {
    set base [dict get $options -base]
    set mark [dict get $options -mark]
    set styles [figure given {-dark -grayscale -settings} $options]
    set span [figure range [dict get $options -span]]
    set note {}
    if {$span eq {}} {
        lassign [spanOf $trace $rows $base $mark [jobsOf [seenOf $rows 0 [expr {min($shown, 5000)}]]]] span note
    }
    dict create trace $trace rows $rows base $base mark $mark span $span note $note \
        width [$drawing cget -width] first 0 \
        pitch [expr {[dict get $options -row-height] ne {} ? [positive -row-height $options 0.5]
            : [pitchFor $shown [$drawing cget -fontsize] [expr {[dict get $options -group] ne "none"}]]}] \
        size [$drawing cget -fontsize] \
        colors [dict merge [figure colors $trace {*}$styles] {mark #CADFFA}] styles $styles chosen {} \
        unit [dict get $options -axis-unit] \
        scale [expr {[dict get $options -axis-scale] eq {} ? 1 : [dict get $options -axis-scale]}] \
        legend [dict get $options -legend] most $shown told {}
}

# The height of rows that is free: of few ones that of names, and of titles of groups, which are rows, one to be read.
proc pitchFor {shown size grouped} {
    set named [expr {ceil(0.95 * $size)}]
    if {$shown * $named <= 130} {return $named}
    expr {$grouped ? max(5, 0.9 * $size) : 5}
}

# Makes the drawing as high as the rows need, with axis and legend; the legend's height is known after drawing once.
# Rows that are free to may become higher, to be no lower together than the legend. Result: p with their height.
proc fitHeight {drawing p shown free} {
    lassign [$drawing measure Xg -size [dict get $p size]] - ascent descent
    set high [expr {$shown * [dict get $p pitch] + 3.5 * ($ascent + $descent) + 9}]
    if {$high > 90000} {
        figure fail {FIGURE HIGH} \
            "$shown rows of [dict get $p pitch] points are too high for a figure: give a smaller -limit or -row-height"
    }
    dict set p height $high
    $drawing configure -height $high
    set placed [draw $drawing $p]
    $drawing clear
    set rows [expr {$shown * [dict get $p pitch]}]
    set missing [expr {$rows - ([dict get $placed bottom] - [dict get $placed top])}] ;# what the legend took
    if {$free && $missing > $rows} {
        dict set p pitch [expr {min(ceil(double($missing) / $shown), max(14, 42 / $shown))}]
        return [fitHeight $drawing $p $shown no]
    }
    $drawing configure -height [expr {$high + $missing}]
    return $p
}

# ---- a panel ---------------------------------------------------------------------------------------------------------

proc openPanel {frame view} {
    part viewport
    part panel
    Panel new $frame $view
}
