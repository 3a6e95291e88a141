# cli/many.tcl -- rows of one kind of table (stats --of, findings) of one trace or many, chosen, sorted, grouped.
#
#   a trace, open -> its relation, --where, --task -> rows, with a column `trace` before them
#        -> written as they come (csv, json), or kept: of --sort and --top as many as are wanted, of --group-by the
#           values of the columns that are measured, group by group
#        -> tactus::relation, which sorts and measures exactly -> columns, CSV or JSON
#
# A run is a dict in a variable of the caller: columns (name, type of each; empty before the first trace), several (is
# `trace` a column?), rows (kept), written (how many so far).

::tactus::need cli/columns

namespace eval ::tactus::cli::many {
    namespace path ::tactus::cli
    variable figures {count min mean p50 p90 p95 p99 p999 max sum}  ;# of a column, over the rows of a group
    variable usual {min mean p50 p90 p95 p99 p999 max}              ;# of a column that is named without a figure
    variable block 4096     ;# rows that are taken from a relation at a time
    variable groups         ;# of the run: cells of the columns of --group-by -> number of rows
    variable values         ;# of the run: {group index} -> what the column of this index has in its rows
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
    variable groups
    variable values
    array unset groups
    array unset values
    set run [dict create command $command kind $kind several $several columns {} rows {} written 0 \
        format [option $options -format table] task [::tactus::names [option $options -task {}]] \
        top [option $options -top {}] \
        window [among $options [list {*}[windowRows] [whereRow {}]]]]
    foreach {key name} {wanted -columns by -group-by sort -sort} {
        dict set run $key [::tactus::names [option $options $name {}]]
    }
    if {[dict get $run top] ne {} && ![string is digit -strict [dict get $run top]]} {
        usageError $command "bad value \"[dict get $run top]\" of --top: must be a whole number"
    }
    return $run
}

# ---- columns ---------------------------------------------------------------------------------------------------------

# Finds out from the first relation what the options mean: `all` (columns: name and type), `shown` (indices of the
# columns that are written), and of groups `by` (indices) and `measured` (list of name, figure, index).
proc ::tactus::cli::many::learn {variable relation} {
    upvar 1 $variable run
    set all [list [dict create name trace type text]]
    foreach column [$relation columns] {
        lappend all [dict create name [dict get $column name] type [dict get $column type]]
    }
    dict set run all $all
    if {[llength [dict get $run by]]} {
        dict set run by [lmap name [dict get $run by] {indexOf $run $name}]
        dict set run measured [measured $run]
        dict set run columns [groupColumns $run]
    } else {
        set names [dict get $run wanted]
        if {![llength $names]} {
            set names [lmap column [lrange $all [expr {![dict get $run several]}] end] {dict get $column name}]
        }
        dict set run shown [lmap name $names {indexOf $run $name}]
        dict set run columns [lmap index [dict get $run shown] {lindex $all $index}]
    }
    foreach word [dict get $run sort] {sortKey $run $word}
}

proc ::tactus::cli::many::namesOf {columns} {
    lmap column $columns {dict get $column name}
}

# Index of a column of the table by its name.
proc ::tactus::cli::many::indexOf {run name} {
    set names [namesOf [dict get $run all]]
    set index [lsearch -exact $names $name]
    if {$index >= 0} {return $index}
    usageError [dict get $run command] "there is no column \"$name\" of [dict get $run kind]: must be one of\
        [join $names {, }]"
}

# What is measured of groups, from words such as response, p99(response), count: list of {name figure index}.
proc ::tactus::cli::many::measured {run} {
    variable figures
    variable usual
    set wanted [dict get $run wanted]
    if {![llength $wanted]} {set wanted [expr {[dict get $run kind] eq "jobs" ? {count response} : "count"}]}
    set result {}
    foreach word $wanted {
        if {$word eq "count"} {
            lappend result {count rows {}}
        } elseif {[regexp {^(\w+)\((\w+)\)$} $word -> figure column]} {
            if {$figure ni $figures} {
                usageError [dict get $run command] "there is no figure \"$figure\": must be one of [join $figures {, }]"
            }
            lappend result [list $word $figure [numberOf $run $column]]
        } else {
            foreach figure $usual {lappend result [list ${figure}($word) $figure [numberOf $run $word]]}
        }
    }
    return $result
}

# Index of a column that is no text.
proc ::tactus::cli::many::numberOf {run name} {
    set index [indexOf $run $name]
    if {[dict get [lindex [dict get $run all] $index] type] ne "text"} {return $index}
    usageError [dict get $run command] "the column \"$name\" is a text, which has no figures but the count of rows"
}

proc ::tactus::cli::many::groupColumns {run} {
    set all [dict get $run all]
    set columns [lmap index [dict get $run by] {lindex $all $index}]
    foreach row [dict get $run measured] {
        lassign $row name figure index
        set type [expr {$index eq {} ? "count" : [dict get [lindex $all $index] type]}]
        switch $figure {mean {set type number} count {set type count}}
        lappend columns [dict create name $name type $type]
    }
    return $columns
}

# A word of --sort: index among the columns that are written (of rows: of all columns), and whether it is decreasing.
proc ::tactus::cli::many::sortKey {run word} {
    set decreasing [string match -* $word]
    set name [string range $word $decreasing end]
    if {![llength [dict get $run by]]} {return [list [indexOf $run $name] $decreasing]}
    set names [namesOf [dict get $run columns]]
    set index [lsearch -exact $names $name]
    if {$index < 0} {
        usageError [dict get $run command] "there is no column \"$name\" of the groups: must be one of\
            [join $names {, }]"
    }
    list $index $decreasing
}

# ---- rows of a trace -------------------------------------------------------------------------------------------------

# Takes the rows of a trace that is open.
proc ::tactus::cli::many::add {variable file trace} {
    upvar 1 $variable run
    set relation [$trace relation [dict get $run kind] {*}[dict get $run window]]
    try {
        if {![llength [dict get $run columns]]} {learn run $relation}
        if {[llength [dict get $run task]]} {$relation filter -where [whereOf $run $trace]}
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

# The expression for --where and --task.
proc ::tactus::cli::many::whereOf {run trace} {
    set where [ofTasks $run $trace]
    if {[dict exists $run window -where]} {set where "([dict get $run window -where]) && $where"}
    return $where
}

# An expression for the tasks of --task, by their ids and names. A pattern for all, *, leaves out hidden tasks, unless
# all are hidden (`$trace tasks` knows).
proc ::tactus::cli::many::ofTasks {run trace} {
    if {![llength [dict get $run task]]} {return {}}
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
    expr {[dict get $run top] ne {} && [llength [dict get $run columns]] && ![llength [dict get $run by]]
        && ![llength [dict get $run sort]]
        && [dict get $run written] + [llength [dict get $run rows]] >= [dict get $run top]}
}

# Takes the rows that a relation shows: as values of groups, or as rows.
proc ::tactus::cli::many::take {variable file relation} {
    upvar 1 $variable run
    variable block
    set count [$relation count]
    if {[llength [dict get $run by]]} {
        for {set first 0} {$first < $count} {incr first $block} {group $run $file [$relation rows $first $block]}
        return
    }
    if {[dict get $run top] ne {}} {
        # The first ones of a trace can only be among its own first ones.
        if {[llength [dict get $run sort]] == 1} {
            lassign [sortKey $run [lindex [dict get $run sort] 0]] index decreasing
            if {$index} {
                $relation sort [dict get [lindex [dict get $run all] $index] name] \
                    {*}[expr {$decreasing ? "-decreasing" : {}}]
            }
        }
        if {[llength [dict get $run sort]] < 2} {set count [expr {min($count, [dict get $run top])}]}
    }
    if {[dict get $run format] ne "table" && ![llength [dict get $run sort]] && ![llength [dict get $run wanted]]} {
        return [writeAll run $file $relation $count]
    }
    for {set first 0} {$first < $count} {incr first $block} {
        foreach row [$relation rows $first [expr {min($block, $count - $first)}]] {keep run [linsert $row 0 $file]}
    }
    if {[dict get $run top] ne {} && [llength [dict get $run rows]] > 2 * [dict get $run top] + 1000} {
        dict set run rows [sorted $run [dict get $run all] [dict get $run rows]]
    }
}

# Writes the rows of a relation as they are, behind those of other traces.
proc ::tactus::cli::many::writeAll {variable file relation count} {
    upvar 1 $variable run
    set written [dict get $run written]
    if {[dict get $run top] ne {}} {set count [expr {min($count, [dict get $run top] - $written)}]}
    if {$count < 1} return
    set words [list -channel stdout -most $count -rounded]
    if {[dict get $run several]} {lappend words -before [list trace $file]}
    if {$written} {lappend words -headless}
    if {[dict get $run format] eq "json"} {
        puts -nonewline [expr {$written ? ",\n" : "\[\n"}]
        $relation write -format rows {*}$words
    } else {
        $relation write -format csv {*}$words
    }
    dict incr run written $count
}

# Takes a row: it is kept where it may not be the next one, or its columns' widths are to be known, else written.
proc ::tactus::cli::many::keep {variable row} {
    upvar 1 $variable run
    if {[isFull $run]} return
    if {[dict get $run format] eq "table" || [llength [dict get $run sort]]} {return [dict lappend run rows $row]}
    write run [lmap index [dict get $run shown] {lindex $row $index}]
}

# Takes rows as values of their groups.
proc ::tactus::cli::many::group {run file rows} {
    variable groups
    variable values
    set by [dict get $run by]
    set measured [lsort -unique -integer [lmap row [dict get $run measured] {
        if {[lindex $row 2] eq {}} continue
        lindex $row 2
    }]]
    foreach row $rows {
        set row [linsert $row 0 $file]
        set key [lmap index $by {lindex $row $index}]
        incr groups($key)
        foreach index $measured {
            if {[lindex $row $index] ne {}} {lappend values([list $key $index]) [lindex $row $index]}
        }
    }
}

# ---- sorting and measuring -------------------------------------------------------------------------------------------

# Rows in the order of --sort, the first --top of them. columns: those of the rows.
proc ::tactus::cli::many::sorted {run columns rows} {
    foreach word [lreverse [dict get $run sort]] {
        lassign [sortKey $run $word] index decreasing
        set relation [::tactus::relation $columns $rows]
        $relation sort [dict get [lindex $columns $index] name] {*}[expr {$decreasing ? "-decreasing" : {}}]
        set rows [lmap id [$relation ids 0 [llength $rows]] {lindex $rows $id}]
        $relation close
    }
    if {[dict get $run top] eq {}} {return $rows}
    lrange $rows 0 [dict get $run top]-1
}

# The rows of the groups, in natural order of their cells.
proc ::tactus::cli::many::groupRows {run} {
    variable groups
    variable values
    set keys [array names groups]
    for {set i [expr {[llength [dict get $run by]] - 1}]} {$i >= 0} {incr i -1} {
        set keys [lsort -dictionary -index $i $keys]
    }
    lmap key $keys {
        set measures {}
        concat $key [lmap row [dict get $run measured] {
            lassign $row name figure index
            if {$figure eq "rows"} {
                set groups($key)
            } else {
                if {![dict exists $measures $index]} {
                    set place [list $key $index]
                    if {![info exists values($place)]} {set values($place) {}}
                    dict set measures $index \
                        [measure [dict get [lindex [dict get $run all] $index] type] $values($place)]
                }
                dict get $measures $index $figure
            }
        }]
    }
}

# All figures of values: exact, percentiles by nearest rank.
proc ::tactus::cli::many::measure {type values} {
    set relation [::tactus::relation [list [list name value type $type]] $values]
    try {
        set told [$relation statistics value]
        set count [dict get $told count]
        $relation sort value
        set p999 [lindex [$relation rows [expr {max(0, ($count * 999 + 999) / 1000 - 1)}] 1] 0 0]
        dict create count $count min [dict get $told minimum] mean [dict get $told average] p50 [dict get $told p50] \
            p90 [dict get $told p90] p95 [dict get $told p95] p99 [dict get $told p99] p999 $p999 \
            max [dict get $told maximum] sum [dict get $told sum]
    } finally {
        $relation close
    }
}

# ---- writing ---------------------------------------------------------------------------------------------------------

# Ends a run: writes what was kept. Without any trace nothing is written.
proc ::tactus::cli::many::end {variable} {
    upvar 1 $variable run
    if {![llength [dict get $run columns]]} return
    if {[llength [dict get $run by]]} {
        set rows [sorted $run [dict get $run columns] [groupRows $run]]
    } else {
        set rows [lmap row [sorted $run [dict get $run all] [dict get $run rows]] {
            lmap index [dict get $run shown] {lindex $row $index}
        }]
    }
    if {[dict get $run format] eq "table"} {
        set relation [::tactus::relation [dict get $run columns] $rows]
        $relation write -channel stdout
        $relation close
        return
    }
    foreach row $rows {write run $row}
    if {![dict get $run written]} {head $run}
    if {[dict get $run format] eq "json"} {puts [expr {[dict get $run written] ? "\n\]" : "\]"}]}
}

# Writes what stands before the first row.
proc ::tactus::cli::many::head {run} {
    if {[dict get $run format] eq "json"} {return [puts -nonewline "\[\n"]}
    puts [csvLine [namesOf [dict get $run columns]]]
}

# Writes a row as CSV or JSON.
proc ::tactus::cli::many::write {variable cells} {
    upvar 1 $variable run
    if {![dict get $run written]} {head $run}
    if {[dict get $run format] eq "json"} {
        set object {}
        foreach column [dict get $run columns] cell $cells {
            if {$cell ne {} && [dict get $column type] eq "text"} {set cell [jsonString $cell]}
            dict set object [dict get $column name] [jsonValue $cell]
        }
        puts -nonewline "[expr {[dict get $run written] ? ",\n" : {}}][jsonObject $object]"
    } else {
        puts [csvLine $cells]
    }
    dict incr run written
}
