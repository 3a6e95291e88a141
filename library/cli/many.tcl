# cli/many.tcl -- rows of one kind of table (stats --of, findings) of one trace or many, chosen, sorted, grouped.
#
#   a trace, open -> its relation, --where, --task -> rows, with a column `trace` before them
#        -> written as they come (csv, json), or sorted and grouped at once; of several traces copied, as far as columns
#           are wanted (of --sort with --top as many rows as are wanted), and sorted and grouped at the end
#
# All of that is done by relations of the core. A run is a dict in a variable of the caller: columns (name, type of
# each; empty before the first trace), several (is `trace` a column?), copies (a relation; empty: none yet), begun (is
# what stands before the rows written?), written (how many rows so far).

namespace eval ::tactus::cli::many {
    namespace path ::tactus::cli
    variable figures {count min mean p50 p90 p95 p99 p999 max sum}  ;# of a column, over the rows of a group
    variable usual {min mean p50 p90 p95 p99 p999 max}              ;# of a column that is named without a figure
    variable alike {average mean}                                   ;# other words for figures
}

# Options of subcommands that list rows.
proc ::tactus::cli::many::rows {} {
    list [row -task names PATTERNS {} "only tasks whose id or name fits a pattern: 'control,io*'"] \
        [row -columns names NAMES {} "columns that are written; of groups, what is measured: 'p99(response),count'"] \
        [row -group-by names COLUMNS {} "a row for each group of rows with equal cells: 'task,trace'"] \
        [row -sort names COLUMNS {} "order of rows; -COLUMN: the largest first: '-response'"] \
        [row -top number N {} "only the first N rows"]
}

proc ::tactus::cli::many::isAsked {options} {
    foreach name {-task -columns -group-by -sort -top} {
        if {[dict exists $options $name]} {return 1}
    }
    return 0
}

# Is nothing asked but tasks? Then the core can write the rows of a trace.
proc ::tactus::cli::many::isPlain {options} {
    foreach name {-columns -group-by -sort -top} {
        if {[dict exists $options $name]} {return 0}
    }
    return 1
}

# A run for these options. several: is `trace` a column?
proc ::tactus::cli::many::begin {command options kind several} {
    set run [dict create command $command kind $kind several $several columns {} copies {} begun 0 written 0 \
        format [option $options -format table] task [::tactus::names [option $options -task {}]] \
        top [option $options -top {}] \
        window [among $options [list {*}[windowRows] [whereRow {}]]]]
    foreach {key name} {wanted -columns by -group-by sort -sort} {
        dict set run $key [lmap word [::tactus::names [option $options $name {}]] {standard $word}]
    }
    if {[dict get $run top] ne {} && ![string is digit -strict [dict get $run top]]} {
        usageError $command "bad value \"[dict get $run top]\" of --top: must be a whole number"
    }
    return $run
}

# The word for a figure of a column, by its standard name: mean(response) for average(response).
proc ::tactus::cli::many::standard {word} {
    variable alike
    if {![regexp {^(-?)(\w+)(\(.*)$} $word -> minus figure rest] || ![dict exists $alike $figure]} {return $word}
    return $minus[dict get $alike $figure]$rest
}

# ---- columns ---------------------------------------------------------------------------------------------------------

# The columns of a relation, behind `trace`: name and type of each.
proc ::tactus::cli::many::allOf {relation} {
    list [dict create name trace type text] {*}[lmap column [$relation columns] {
        dict create name [dict get $column name] type [dict get $column type]
    }]
}

# Finds out from the first relation what the options mean: `all` (columns: name and type), `columns` (those that are
# written), `figures` (of groups, as relations measure them) and `needed` (names of columns that rows are asked for).
proc ::tactus::cli::many::learn {variable relation} {
    upvar 1 $variable run
    dict set run all [set all [allOf $relation]]
    set needed [dict get $run by]
    foreach name $needed {indexOf $run $name}
    if {[llength $needed]} {
        dict set run figures [figuresOf $run]
        dict set run columns [groupColumns $run]
        foreach word [dict get $run figures] {if {[regexp {\((.*)\)} $word -> name]} {lappend needed $name}}
    } else {
        set names [dict get $run wanted]
        if {![llength $names]} {
            set names [lmap column [lrange $all [expr {![dict get $run several]}] end] {dict get $column name}]
        }
        dict set run columns [lmap name $names {lindex $all [indexOf $run $name]}]
        lappend needed {*}$names {*}[lmap word [dict get $run sort] {string trimleft $word -}]
    }
    foreach word [dict get $run sort] {checkSort $run $word}
    dict set run needed [lsort -unique $needed]
}

proc ::tactus::cli::many::namesOf {columns} {
    lmap column $columns {dict get $column name}
}

# Index of a column of the table by its name.
proc ::tactus::cli::many::indexOf {run name} {
    set names [namesOf [dict get $run all]]
    set index [lsearch -exact $names $name]
    if {$index >= 0} {return $index}
    if {$name eq "count" || [regexp {^\w+\(\w+\)$} $name]} {
        usageError [dict get $run command] "\"$name\" is a figure of groups: of which? (--group-by trace)"
    }
    usageError [dict get $run command] "there is no column \"$name\" of [dict get $run kind]: must be one of\
        [join $names {, }]"
}

# What is measured of groups, from words such as response, p99(response), count: a list of `count` and p99(response).
proc ::tactus::cli::many::figuresOf {run} {
    variable figures
    variable usual
    set wanted [dict get $run wanted]
    if {![llength $wanted]} {set wanted [expr {[dict get $run kind] eq "jobs" ? {count response} : "count"}]}
    set result {}
    foreach word $wanted {
        if {$word eq "count"} {
            lappend result count
        } elseif {[regexp {^(\w+)\((\w+)\)$} $word -> figure column]} {
            if {$figure ni $figures} {
                usageError [dict get $run command] "there is no figure \"$figure\": must be one of [join $figures {, }]"
            }
            checkNumber $run $column
            lappend result $word
        } else {
            checkNumber $run $word
            foreach figure $usual {lappend result ${figure}($word)}
        }
    }
    return $result
}

# A column of which there are figures is no text.
proc ::tactus::cli::many::checkNumber {run name} {
    if {[dict get [lindex [dict get $run all] [indexOf $run $name]] type] ne "text"} return
    usageError [dict get $run command] "the column \"$name\" is a text, which has no figures but the count of rows"
}

# Columns of groups: name of each.
proc ::tactus::cli::many::groupColumns {run} {
    lmap name [concat [dict get $run by] [dict get $run figures]] {dict create name $name}
}

# A word of --sort is a column of the groups, or of the rows, perhaps behind a minus.
proc ::tactus::cli::many::checkSort {run word} {
    set name [string range $word [string match -* $word] end]
    if {![llength [dict get $run by]]} {return [indexOf $run $name]}
    set names [namesOf [dict get $run columns]]
    if {$name in $names} return
    usageError [dict get $run command] "there is no column \"$name\" of the groups: must be one of [join $names {, }]"
}

# ---- rows of a trace -------------------------------------------------------------------------------------------------

# Takes the rows of a trace that is open.
proc ::tactus::cli::many::add {variable file trace} {
    upvar 1 $variable run
    set relation [$trace relation [dict get $run kind] {*}[dict remove [dict get $run window] -where]]
    try {
        if {![llength [dict get $run columns]]} {learn run $relation}
        choose $run $file $trace $relation
        take run $file $relation
    } finally {
        $relation close
    }
}

# The rows of a trace as the core writes them, in a run that asks for nothing but tasks.
proc ::tactus::cli::many::plain {variable trace} {
    upvar 1 $variable run
    if {[dict get $run kind] eq "tasks"} {
        dict set run all [list [dict create name task] [dict create name name]]  ;# a relation would measure all of them
    } else {
        set relation [$trace relation [dict get $run kind]]
        learn run $relation
        $relation close
    }
    $trace stats [dict get $run kind] {*}[dict merge [dict get $run window] [list -where [whereOf $run $trace]]] \
        -format [dict get $run format] -channel stdout
}

# Shows the rows that fit --where, which may name the trace, and --task.
proc ::tactus::cli::many::choose {run file trace relation} {
    set where [whereOf $run $trace]
    if {$where ne {}} {$relation filter -where $where {*}[naming $where $file]}
}

# The column `trace` for an expression that names it. It is not there for others, whose texts would fit it, too.
proc ::tactus::cli::many::naming {where file} {
    if {[regexp -nocase {\mtrace\M} $where]} {return [list -before [list trace $file]]}
}

# The expression for --where and --task; {}: all rows.
proc ::tactus::cli::many::whereOf {run trace} {
    set tests [lsearch -all -inline -regexp [list [option [dict get $run window] -where {}] [ofTasks $run $trace]] {\S}]
    if {[llength $tests] > 1} {set tests [lmap test $tests {string cat ($test)}]}
    join $tests { && }
}

# An expression for the tasks of --task, by their ids and names. A pattern for all, *, leaves out hidden tasks, unless
# all are hidden (`$trace tasks` knows).
proc ::tactus::cli::many::ofTasks {run trace} {
    if {![llength [dict get $run task]]} {return {}}
    if {[dict get $run kind] eq "findings"} {return [findingsOf [dict get $run task] $trace]}
    set columns [lmap name [namesOf [dict get $run all]] {
        if {$name ni [expr {[dict get $run kind] eq "tasks" ? {task name} : {task task_name}}]} continue
        set name
    }]
    if {![llength $columns]} {
        usageError [dict get $run command] \
            "there are no tasks in the table of [dict get $run kind], which --task chooses"
    }
    set tests {}
    foreach pattern [dict get $run task] {
        set quoted "\"[string map {\\ {\\} \" {\"}} $pattern]\""
        # a pattern fits itself, too: names have brackets and backslashes
        set fitting [lmap operator [expr {[regexp {[][*?\\]} $pattern] ? {match ==} : "=="}] {
            join [lmap column $columns {string cat "$column $operator $quoted"}] { || }
        }]
        if {[regexp {^\*+$} $pattern]} {set fitting [list "([join $fitting { || }])[butHidden $trace]"]}
        lappend tests {*}$fitting
    }
    return "([join $tests { || }])"
}

# An expression for the findings about tasks whose ids or names fit: it names the subjects that there are.
proc ::tactus::cli::many::findingsOf {patterns trace} {
    set all [lsearch -all -inline -regexp $patterns {^\*+$}]
    set others [lsearch -all -inline -not -regexp $patterns {^\*+$}]
    foreach row [concat [if {[llength $all]} {tasksOf $trace *}] [if {[llength $others]} {
        lmap row [tasksOf $trace ?*] {
            if {![fitsOne $others [lrange $row 0 1]]} continue
            set row
        }
    }]] {dict set fitting [lindex $row 1] {}}
    set relation [$trace relation findings]
    set column [lsearch -exact [namesOf [$relation columns]] subject]
    foreach row [$relation rows 0 [$relation count]] {
        if {[info exists fitting] && [dict exists $fitting [lindex $row $column]]} {
            dict set tests "subject == \"[string map {\\ {\\} \" {\"}} [lindex $row $column]]\"" {}
        }
    }
    $relation close
    expr {[info exists tests] ? "([join [dict keys $tests] { || }])" : "line < 0"}
}

# The tasks that fit a pattern: lists of id, name and more; none, where none does.
proc ::tactus::cli::many::tasksOf {trace pattern} {
    try {
        dict get [$trace tasks $pattern] tasks
    } trap {TACTUS LOOKUP} {} {
        list
    }
}

proc ::tactus::cli::many::fitsOne {patterns texts} {
    foreach text $texts {
        foreach pattern $patterns {
            if {$pattern eq $text || [string match $pattern $text]} {return 1}
        }
    }
    return 0
}

# A condition that leaves out hidden tasks, behind others.
proc ::tactus::cli::many::butHidden {trace} {
    if {[catch {list [$trace tasks ?*] [$trace tasks *]} both options]} {
        if {[lrange [dict get $options -errorcode] 0 1] eq {TACTUS LOOKUP}} return
        return -options $options $both
    }
    lassign [lmap tasks $both {lmap task [dict get $tasks tasks] {lindex $task 0}}] all shown
    if {[llength $all] == [llength $shown]} return
    lassign [expr {2 * [llength $shown] < [llength $all] ? [list $shown == " || "] : [list {} != " && "]}] ids same join
    if {$same eq "!="} {
        foreach id $shown {dict set seen $id {}}
        set ids [lmap id $all {if {[dict exists $seen $id]} continue; set id}]
    }
    return " && ([join [lmap id $ids {string cat "task $same \"" [string map {\\ {\\} \" {\"}} $id] "\""}] $join])"
}

# Are all rows there that are wanted?
proc ::tactus::cli::many::isFull {run} {
    if {[dict get $run top] eq {} || ![llength [dict get $run columns]]} {return 0}
    if {[llength [dict get $run by]] || [llength [dict get $run sort]]} {return 0}
    set copies [dict get $run copies]
    expr {[dict get $run written] + ($copies eq {} ? 0 : [$copies total]) >= [dict get $run top]}
}

# Takes the rows that a relation shows: writes them, or keeps copies until all of them can be sorted or grouped, or the
# columns' widths are known.
proc ::tactus::cli::many::take {variable file relation} {
    upvar 1 $variable run
    set comes [expr {[dict get $run format] ne "table" && ![llength [dict get $run sort]]
        && ![llength [dict get $run by]]}]
    if {$comes} {
        writeRows run $relation [list -before [list trace $file]]
    } elseif {![dict get $run several] && "trace" ni [dict get $run needed]} {
        finish run $relation
    } else {
        keep run $file $relation
    }
}

# Keeps copies of the rows that a relation shows; with --top of those that can be among the wanted ones.
proc ::tactus::cli::many::keep {variable file relation} {
    upvar 1 $variable run
    set top [expr {[llength [dict get $run by]] ? {} : [dict get $run top]}]
    set words [list -columns [dict get $run needed] -before [list trace $file]]
    if {$top ne {}} {
        # Within one trace the column trace orders nothing.
        $relation sort [lsearch -all -inline -not -regexp [dict get $run sort] {^-?trace$}]
        lappend words -most $top
    }
    set copies [dict get $run copies]
    if {$copies ne {}} {lappend words -to $copies}
    set copies [$relation copy {*}$words]
    if {$top ne {} && [$copies total] > 2 * $top + 1000} {
        $copies sort [dict get $run sort]
        set first [$copies copy -most $top]
        $copies close
        set copies $first
    }
    dict set run copies $copies
}

# ---- sorting, grouping, writing --------------------------------------------------------------------------------------

# Sorts the rows that a relation shows, or groups them, and writes them.
proc ::tactus::cli::many::finish {variable relation} {
    upvar 1 $variable run
    set by [dict get $run by]
    if {![llength $by]} {
        $relation sort [dict get $run sort]
        return [writeRows run $relation]
    }
    set groups [$relation group $by [dict get $run figures]]
    try {
        $groups sort [concat [dict get $run sort] $by]
        writeRows run $groups
    } finally {
        $groups close
    }
}

# Writes the rows of a relation, behind those that are written. words: more options of its `write`.
proc ::tactus::cli::many::writeRows {variable relation {words {}}} {
    upvar 1 $variable run
    set count [$relation count]
    set written [dict get $run written]
    if {[dict get $run top] ne {}} {set count [expr {min($count, [dict get $run top] - $written)}]}
    lappend words -channel stdout -columns [namesOf [dict get $run columns]] -most $count -rounded
    if {[dict get $run begun]} {lappend words -headless}
    if {[dict get $run format] eq "json"} {
        puts -nonewline [expr {![dict get $run begun] ? "\[\n" : $written && $count ? ",\n" : {}}]
        $relation write -format rows {*}$words
    } else {
        $relation write -format [dict get $run format] {*}$words
    }
    dict set run begun 1
    dict incr run written $count
}

# Ends a run: writes what was kept. Without any trace nothing is written.
proc ::tactus::cli::many::end {variable} {
    upvar 1 $variable run
    if {![llength [dict get $run columns]]} return
    set copies [dict get $run copies]
    if {$copies ne {}} {try {finish run $copies} finally {$copies close}}
    if {[dict get $run format] eq "json"} {puts [expr {[dict get $run written] ? "\n\]" : "\]"}]}
}
