# cli/sql.tcl -- tactus sql: a statement in SQL over the tables of traces.

::tactus::need cli/check cli/folder

namespace eval ::tactus::cli {}

# The words of the program (`runCommand`) do not say whether a statement reads the findings of checks, which plugins
# make; a statement in a file may.
proc ::tactus::cli::mayReadFindings {words} {
    expr {[regexp -nocase {\mfindings\M} $words] || [regexp {(^|\s)--?f} $words]}
}

proc ::tactus::cli::runSql {operands options} {
    if {[dict exists $options -tables]} {return [puts [sqlTables]]}
    set statement [sqlStatement operands $options]
    if {![llength $operands]} {usageError sql "a trace is needed, \"-\" for standard input"}
    set names [check::chosen $options]
    set files [tracesOf $operands $options]
    set traces [lmap file $files {
        if {[file isdirectory $file]} {failEmpty $file}
        openTrace $file $options
    }]
    sayUnits $traces
    ::tactus::sql $traces $statement -names $files -format [option $options -format table] -channel stdout \
        -memory [option $options -answer-memory 1G] -timelimit [option $options -answer-time 60] \
        -findings [list ::tactus::cli::findFor $names]
    foreach trace $traces {$trace close}
}

# The statement: the file of --file, or the first operand, which is taken away.
proc ::tactus::cli::sqlStatement {variable options} {
    upvar 1 $variable operands
    if {![dict exists $options -file]} {
        if {![llength $operands]} {usageError sql "a statement is needed: \"SELECT ...\", or --file"}
        set operands [lassign $operands statement]
        return $statement
    }
    ::tactus::contentText [dict get $options -file] "file of a statement"
}

# Runs the checks over a trace, whose findings the statement reads.
proc ::tactus::cli::findFor {names trace} {
    ::tactus::check::run $trace -with $names
}

# Says that times cannot be compared, where traces count them in different units.
proc ::tactus::cli::sayUnits {traces} {
    set units [lsort -unique [lmap trace $traces {dict get [$trace info] unit}]]
    if {[llength $units] < 2} return
    say "tactus: note: the times of these traces are in different units\
        ([join [lmap unit $units {expr {$unit eq {} ? "not said" : $unit}}] {, }]): the table of a trace has its own"
}

# The tables and their columns, as text.
proc ::tactus::cli::sqlTables {} {
    set lines {}
    foreach table [::tactus::describe sqlTables] {
        lappend lines "[dict get $table name]: [dict get $table help]"
        foreach column [dict get $table columns] {
            lappend lines [format "  %-18s %-7s %s" [dict get $column name] [dict get $column type] \
                [dict get $column help]]
        }
        lappend lines {}
    }
    lappend lines "Each table also has the columns trace, number (of the event, the job ...), and for each time T the\
        column T_ticks."
    join $lines \n
}
