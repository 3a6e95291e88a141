# cli/why.tcl -- tactus why: the response time of a job taken apart, as a table with bars or as JSON.
#
#   trace, job (or a task: its worst job) -> $trace why -> title, parts, their sum, the sentence
#   traces, tasks -> the jobs that took longest -> the same of each, one trace open at a time, and each of several but
#         twice
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
    if {![dict exists $options -worst]} {
        foreach name {-each -top -where} {
            if {[dict exists $options $name]} {usageError why "-$name needs --worst TASK"}
        }
        return 0
    }
    foreach name {-each -top -where} {
        if {[dict exists $options $name]} {return [expr {[llength $operands] > 0}]}
    }
    set tasks [::tactus::names [dict get $options -worst]]
    expr {[llength $operands] > 1 || ([llength $operands] == 1 && [file isdirectory [lindex $operands 0]])
        || [llength $tasks] != 1 || [regexp {[*?]} [lindex $tasks 0]]}
}

# Takes apart the jobs that took longest, of all traces or (--each) of each.
proc ::tactus::cli::why::many {operands options} {
    if {[dict exists $options -at]} {usageError why "--worst and --at exclude one another"}
    set top [option $options -top 1]
    if {![string is digit -strict $top]} {usageError why "bad value \"$top\" of --top: must be a whole number"}
    set told 0
    set worst {}
    set files [tracesOf $operands $options]
    foreach file $files {
        set trace [openOne $file $options]
        if {$trace eq {}} continue
        try {
            set jobs [longest $trace $options $top]
            if {[option $options -each 0] || [llength $files] == 1} {
                foreach row $jobs {print $trace $file [lindex $row 1] $options told}
            } else {
                set worst [firstOf [concat $worst [lmap row $jobs {linsert $row end $file}]] $top]
            }
        } finally {
            $trace close
        }
    }
    printAll $worst $options told
    if {!$told} {
        return -code error -errorcode {TACTUS LOOKUP JOB} \
            "no job of a task \"[dict get $options -worst]\" that is over"
    }
    if {[option $options -format text] eq "json"} {puts "\n\]"}
}

# The jobs of the tasks that took longest: a list of {response index}.
proc ::tactus::cli::why::longest {trace options top} {
    set relation [$trace relation jobs]
    try {
        set run [dict create command why kind jobs task [::tactus::names [dict get $options -worst]] \
            all [list {*}[$relation columns]]]
        set where "[[namespace parent]::many::ofTasks $run $trace] && response != empty"
        if {[dict exists $options -where]} {append where " && ([dict get $options -where])"}
        $relation filter -where $where
        $relation sort response -decreasing
        set column [lsearch -exact [lmap column [$relation columns] {dict get $column name}] response]
        lmap row [$relation rows 0 $top] index [$relation ids 0 $top] {list [lindex $row $column] $index}
    } finally {
        $relation close
    }
}

# The rows {response index file} of the largest responses.
proc ::tactus::cli::why::firstOf {rows top} {
    set relation [::tactus::relation {{name response type time}} [lmap row $rows {lindex $row 0}]]
    $relation sort response -decreasing
    set rows [lmap id [$relation ids 0 $top] {lindex $rows $id}]
    $relation close
    return $rows
}

# Prints the answers for rows {response index file}, in their order. Each trace is opened once; those of several traces
# wait as texts for the ones before them.
proc ::tactus::cli::why::printAll {rows options variable} {
    upvar 1 $variable told
    set files {}
    set place -1
    foreach row $rows {dict lappend files [lindex $row 2] [incr place] [lindex $row 1]}
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
