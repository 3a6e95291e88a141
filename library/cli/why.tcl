# cli/why.tcl -- tactus why: the response time of a job taken apart, as a table with bars or as JSON.
#
#   trace, job (or a task: its worst job) -> $trace why -> title, parts, their sum, the sentence
#   traces, tasks -> the jobs that took longest, or come first in another order, of all or of each group -> the same of
#         each, one trace open at a time, and each of several but twice
#
# The bars of holders (the rows under "blocked on M, held by T") are parts of the bar above them.

::tactus::need why cli/json cli/folder cli/many

namespace eval ::tactus::cli::why {
    namespace path ::tactus::cli
    variable barWidth 24
    variable labels {} ;# of parts, by what these are
}

# Runs tactus why TRACE JOB, or --worst TASK TRACE ...: prints the answer of `$trace why` as text or JSON.
proc ::tactus::cli::runWhy {operands options} {
    if {[dict exists $options -task]} {
        if {[dict exists $options -worst]} {usageError why "--task and --worst are the same: one of them is enough"}
        dict set options -worst [dict get $options -task]
    }
    if {[why::isMany $operands $options]} {return [why::many $operands $options]}
    set wanted [expr {[dict exists $options -worst] ? 1 : 2}]
    if {[llength $operands] != $wanted} {
        usageError why [expr {$wanted == 1 ? "with --worst, a trace is needed"
            : "a trace and a job (or a task) are needed"}]
    }
    lassign $operands file id
    set as auto
    if {$wanted == 1} {
        set id [lindex [::tactus::names [dict get $options -worst]] 0]
        set as task
        if {[dict exists $options -at]} {usageError why "--worst and --at exclude one another"}
    }
    set trace [openTrace $file $options]
    try {
        set words [list $id -as $as {*}[among $options [list {name -at}]]]
        if {[option $options -format text] eq "json"} {
            why::writeJson {puts -nonewline} $trace $file $words {}
            puts {}
        } else {
            set result [explain $trace $file {*}$words -limit [partLimit $options]]
            set ofId [expr {$as eq "task" || [dict exists $options -at] ? 0 : [dict get $result jobs_of_id]}]
            puts [why::text $result $ofId]
        }
    } finally {
        $trace close
    }
}

# The number of parts that are wanted as text. Very many tasks may have preempted a job.
proc ::tactus::cli::partLimit {options} {
    expr {int([option $options -limit 30])}
}

# The answer of `$trace why`, with a line of progress on a terminal while it takes long.
proc ::tactus::cli::explain {trace file args} {
    if {[isTerminal stderr]} {lappend args -progress [list ::tactus::cli::showProgress $file]}
    try {$trace why {*}$args} finally {clearProgress}
}

# ---- many traces -----------------------------------------------------------------------------------------------------

# Are there several traces, jobs or tasks, or a choice among them? Then the jobs are looked for in their table.
proc ::tactus::cli::why::isMany {operands options} {
    foreach name {-each -top -where -sort -group-by} {
        if {![dict exists $options $name]} continue
        if {![dict exists $options -worst]} {usageError why "-$name needs --worst TASK"}
        return [expr {[llength $operands] > 0}]
    }
    if {![dict exists $options -worst]} {return 0}
    set tasks [::tactus::names [dict get $options -worst]]
    expr {[llength $operands] > 1 || ([llength $operands] == 1 && [file isdirectory [lindex $operands 0]])
        || [llength $tasks] != 1 || [regexp {[*?]} [lindex $tasks 0]]}
}

# Takes apart the first jobs in an order, those that took longest: of all traces, or of each group.
proc ::tactus::cli::why::many {operands options} {
    if {[dict exists $options -at]} {usageError why "--worst and --at exclude one another"}
    set files [tracesOf $operands $options]
    if {[llength $files] == 1} {dict set options -each 1}
    set run [begin $options]
    set told 0
    foreach file $files {
        set trace [openOne $file $options]
        if {$trace eq {}} continue
        try {
            set jobs [firstJobs run $trace $file]
            # Of each trace by itself? Then these are told at once.
            if {"trace" in [dict get $run by]} {
                foreach index $jobs {print $trace $file $index $options told}
            }
        } finally {
            $trace close
        }
    }
    if {[dict get $run copies] ne {}} {
        printAll [firstOfAll run] $options told
        [dict get $run copies] close
    }
    if {!$told} {
        return -code error -errorcode {TACTUS LOOKUP JOB} \
            "no job of a task \"[dict get $options -worst]\" that is over"
    }
    if {[option $options -format text] eq "json"} {puts "\n\]"}
}

# What is wanted, as a run of many traces (cli/many.tcl), of whose rows only the first ones of each group are kept;
# jobs: {index file} of each copy.
proc ::tactus::cli::why::begin {options} {
    set by [::tactus::names [option $options -group-by {}]]
    if {[option $options -each 0] && "trace" ni $by} {set by [list trace {*}$by]}
    set run [many::begin why [dict merge {-top 1 -sort -response} $options [list -task [dict get $options -worst] \
        -group-by $by]] jobs 1]
    dict set run jobs {}
}

# The first jobs of each group of a trace: their indices. Unless each trace is a group by itself, copies of their rows
# are kept, of what is needed to put them in order with those of other traces.
proc ::tactus::cli::why::firstJobs {variable trace file} {
    upvar 1 $variable run
    set relation [$trace relation jobs]
    try {
        if {![dict exists $run all]} {dict set run all [many::allOf $relation]}
        lassign [checked $run] by sort
        $relation filter -where "([many::whereOf $run $trace]) && response != empty" \
            {*}[many::naming [option [dict get $run window] -where {}] $file]
        first $relation [dict get $run top] [lsearch -all -inline -not $by trace] \
            [lsearch -all -inline -not -regexp $sort {^-?trace$}]
        set jobs [$relation ids 0 [$relation count]]
        if {"trace" ni $by} {keep run $relation $file $jobs [concat $by [lmap word $sort {string trimleft $word -}]]}
        return $jobs
    } finally {
        $relation close
    }
}

# The columns to group and to sort by, which the table has.
proc ::tactus::cli::why::checked {run} {
    set by [dict get $run by]
    set sort [dict get $run sort]
    foreach name $by {many::indexOf $run $name}
    foreach word $sort {many::indexOf $run [string range $word [string match -* $word] end]}
    list $by $sort
}

# Shows the first rows of each group, group by group.
proc ::tactus::cli::why::first {relation top by sort} {
    $relation sort [concat $by $sort]
    $relation first $top $by
}

# Keeps copies of the rows shown; those that are not wanted any more go now and then.
proc ::tactus::cli::why::keep {variable relation file jobs columns} {
    upvar 1 $variable run
    set copies [dict get $run copies]
    set copies [$relation copy -columns [lsort -unique $columns] -before [list trace $file] \
        {*}[if {$copies ne {}} {list -to $copies}]]
    dict set run copies $copies
    foreach index $jobs {dict lappend run jobs [list $index $file]}
    if {[$copies total] <= [option $run most 1000]} return
    set rows [firstOfAll run]
    dict set run copies [$copies copy]
    dict set run jobs $rows
    dict set run most [expr {2 * [llength $rows] + 1000}]
    $copies close
}

# The first of the copies, in their order: {index file} of each.
proc ::tactus::cli::why::firstOfAll {variable} {
    upvar 1 $variable run
    set copies [dict get $run copies]
    $copies filter
    first $copies [dict get $run top] [dict get $run by] [dict get $run sort]
    set jobs [dict get $run jobs]
    lmap id [$copies ids 0 [$copies count]] {lindex $jobs $id}
}

# Prints the answers for jobs {index file}, in their order. Each trace is opened once; those of several traces
# wait as texts for the ones before them.
proc ::tactus::cli::why::printAll {rows options variable} {
    upvar 1 $variable told
    set files {}
    set place -1
    foreach row $rows {dict lappend files [lindex $row 1] [incr place] [lindex $row 0]}
    set waits [expr {[dict size $files] > 1}]
    set answers {}
    dict for {file jobs} $files {
        set trace [::tactus::open $file {*}[opening $options $file]]
        try {
            foreach {place index} $jobs {
                if {$waits} {
                    variable answer {}
                    writeAnswer [list append [namespace current]::answer] $trace $file $index $options
                    dict set answers $place $answer
                } else {
                    print $trace $file $index $options told
                }
            }
        } finally {
            $trace close
        }
    }
    for {set place 0} {$place < [dict size $answers]} {incr place} {
        separate $options told
        puts -nonewline [dict get $answers $place]
    }
}

# Prints the answer for a job.
proc ::tactus::cli::why::print {trace file index options variable} {
    upvar 1 $variable told
    separate $options told
    writeAnswer {puts -nonewline} $trace $file $index $options
}

# Prints what stands before an answer; JSON: answers are the elements of a list.
proc ::tactus::cli::why::separate {options variable} {
    upvar 1 $variable told
    if {[option $options -format text] eq "json"} {
        puts -nonewline [expr {$told ? ",\n" : "\[\n"}]
    } elseif {$told} {
        puts {}
    }
    incr told
}

# Hands the answer for a job of a trace to a command, below the trace's name; JSON: an object with `trace`.
proc ::tactus::cli::why::writeAnswer {write trace file index options} {
    set words [list $index -as index]
    if {[option $options -format text] eq "json"} {
        return [writeJson $write $trace $file $words "\"trace\": [jsonString $file], "]
    }
    set why [explain $trace $file {*}$words -limit [partLimit $options]]
    {*}$write "[visibleLine $file]:\n[text $why 0]\n"
}

# ---- text ------------------------------------------------------------------------------------------------------------

# The answer as text. ofId: number of jobs that have the id, of which one was chosen.
proc ::tactus::cli::why::text {why ofId} {
    set lines [list [visibleLine [::tactus::why::title $why]]]
    if {$ofId > 1} {lappend lines "(of $ofId jobs with this id, the one that took longest; --at TIME names another)"}
    lappend lines {} {*}[table $why] {} [visibleLine [dict get $why sentence]]
    join $lines \n
}

# Lines of cells: label, time, share, bar, times, line (of its longest stretch), median, best.
proc ::tactus::cli::why::table {why} {
    set compared [expr {[dict get $why median] ne {} && [dict get $why median index] ne [dict get $why index]
        || [dict get $why best] ne {} && [dict get $why best index] ne [dict get $why index]}]
    set decimals [::tactus::why::decimals [allTimes $why]]
    if {[dict get $why more]} {set decimals [expr {max($decimals, [dict get $why rest decimals])}]}
    set rows [list [list {} time share {} times line median best]]
    set parts [lmap part [dict get $why parts] {if {!$compared && ![dict get $part times]} continue; set part}]
    foreach part $parts {lappend rows [partRow $why $part $decimals]}
    if {[dict get $why more]} {
        set rest [dict create label "\u2026 [dict get $why more] more" depth 0 times {} line 0]
        lappend rows [partRow $why [dict merge $rest [dict get $why rest]] $decimals]
    }
    lappend rows [list "response time" [::tactus::why::padded [dict get $why response] $decimals] "100 %" {} {} {} \
        [otherCell $why median $decimals] [otherCell $why best $decimals]]
    if {!$compared} {set rows [lmap row $rows {lrange $row 0 5}]}
    rowLines $rows
}

proc ::tactus::cli::why::allTimes {why} {
    set times [list [dict get $why response]]
    foreach part [dict get $why parts] {
        lappend times [dict get $part time] [dict get $part median_time] [dict get $part best_time]
    }
    return $times
}

proc ::tactus::cli::why::otherCell {why which decimals} {
    if {[dict get $why $which] eq {}} return
    ::tactus::why::padded [dict get $why $which response] $decimals
}

proc ::tactus::cli::why::partRow {why part decimals} {
    variable barWidth
    set share [::tactus::why::share [dict get $part time] [dict get $why response]]
    set times [dict get $part times]
    set told [expr {$times ne "0"}]
    list [string repeat {  } [dict get $part depth]][label $part] \
        [cell [dict get $part time] $decimals] \
        [expr {$told ? [::tactus::format "%.1f %%" [expr {100 * $share}]] : {}}] \
        [expr {$told ? [::tactus::why::bar $share $barWidth] : {}}] [expr {$told ? $times : {}}] \
        [expr {$told && [dict get $part line] ? [dict get $part line] : {}}] \
        [cell [dict get $part median_time] $decimals] [cell [dict get $part best_time] $decimals]
}

# The words for a part. Many jobs have the same ones, so those of some are known.
proc ::tactus::cli::why::label {part} {
    variable labels
    if {[dict exists $part label]} {return [visibleLine [dict get $part label]]}
    set key [expr {[dict get $part depth] > 0}]
    foreach field {kind task task_name mutex mutex_name server server_name processor processor_name note} {
        lappend key [dict get $part $field]
    }
    if {[dict exists $labels $key]} {return [dict get $labels $key]}
    if {[dict size $labels] == 1000} {set labels {}}
    set label [visibleLine [::tactus::why::label $part]]
    dict set labels $key $label
    return $label
}

# A time as a cell; a dash for 0.
proc ::tactus::cli::why::cell {time decimals} {
    if {$time == 0} {return -}
    ::tactus::why::padded $time $decimals
}

# Labels and bars to the left, numbers to the right. A label that is very long does not move the rest.
proc ::tactus::cli::why::rowLines {rows} {
    variable barWidth
    set widths {}
    for {set column 0} {$column < [llength [lindex $rows 0]]} {incr column} {
        lappend widths [tcl::mathfunc::max {*}[lmap row $rows {string length [lindex $row $column]}]]
    }
    lset widths 0 [expr {min([lindex $widths 0], 72)}]
    lset widths 3 $barWidth
    set form {}
    set column 0
    foreach width $widths {
        append form "  %[expr {$column in {0 3} ? "-" : {}}]${width}s"
        incr column
    }
    lmap row $rows {string trimright [format $form {*}$row]}
}

# ---- JSON ------------------------------------------------------------------------------------------------------------

# Hands the answer as JSON to a command, piece by piece: there may be very many parts. words: of `$trace why`; members:
# what the object has before.
proc ::tactus::cli::why::writeJson {write trace file words members} {
    variable begun 0
    set why [explain $trace $file {*}$words -format json -each [list [namespace current]::writeParts $write $members]]
    lassign [frame $why] head tail
    if {!$begun} {{*}$write "\{$members$head"}
    {*}$write "$tail\}"
}

# Hands a piece of the parts' text to a command, behind what stands before all of them.
proc ::tactus::cli::why::writeParts {write members why text} {
    variable begun
    if {!$begun} {
        clearProgress
        {*}$write "\{$members[lindex [frame $why] 0]"
        set begun 1
    }
    {*}$write $text
}

# The members of the answer as JSON: those before its parts, and those behind them. Fields that are no text, object or
# list are numbers or booleans, null when empty.
proc ::tactus::cli::why::frame {why} {
    foreach key {job job_name task task_name ended sentence} {dict set why $key [jsonString [dict get $why $key]]}
    foreach key {released missed} {dict set why $key [expr {[dict get $why $key] ? "true" : "false"}]}
    foreach key {begin end begin_line end_line response deadline late} {
        dict set why $key [jsonValue [dict get $why $key]]
    }
    dict set why states [jsonObject [dict get $why states]]
    dict set why parts "\[\0\]"
    foreach which {median best} {
        set other [dict get $why $which]
        if {$other ne {}} {
            foreach key {job job_name} {dict set other $key [jsonString [dict get $other $key]]}
            set other [jsonObject $other]
        }
        dict set why $which [jsonValue $other]
    }
    split [string range [jsonObject $why] 1 end-1] \0
}
