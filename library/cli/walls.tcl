# cli/walls.tcl -- tactus sandbox-check: whether the walls around scripts of traces stand (tactus_sandbox(5)).
#
#   tactus::walls -> a line for each wall: its name, its state, what it means

::tactus::need cli/columns

namespace eval ::tactus::cli::walls {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runSandbox-check {operands options} {
    if {[llength $operands]} {usageError sandbox-check "no words are needed"}
    set rows [::tactus::walls]
    foreach row $rows {
        dict with row {puts [format "%-13s %-14s %s" $wall $state $text]}
    }
    puts [walls::sentence $rows]
    setStatus [walls::status $rows]
}

# 0: all walls stand; 1: some are missing, and scripts are evaluated without them; 2: scripts are not evaluated.
proc ::tactus::cli::walls::status {rows} {
    set states [lmap row $rows {dict get $row state}]
    if {"failed" in $states} {return 2}
    expr {[llength [lsearch -all -not -exact $states "in force"]] > 0}
}

proc ::tactus::cli::walls::sentence {rows} {
    lindex {
        "All walls stand around scripts of traces."
        "Scripts of traces are evaluated without the walls that are not in force."
        "Scripts of traces are not evaluated, since a wall cannot be raised."
    } [status $rows]
}
