# reader.tcl -- a slow reader of traces, and what its figures are compared with.
#
# It knows nothing of Tactus but the pages of its manual: it takes the lines of a trace one by one as they were
# written, and counts with the plain numbers of Tcl. It reads only what the users of these tests write: flat lines with
# `newTask` and `plot`, each job id once.

namespace eval ::users {
    variable differences {}     ;# what did not agree, a line each
    variable compared 0         ;# how many values were compared
}

proc ::users::begin {} {
    variable differences {}
    variable compared 0
}

# Numbers agree when they differ by less than what a double is off by; texts when they are equal.
proc ::users::agree {what expected actual} {
    variable differences
    variable compared
    incr compared
    if {$expected eq $actual} return
    if {[string is double -strict $expected] && [string is double -strict $actual]} {
        if {abs($expected - $actual) <= 1e-9 * (1 + abs($expected))} return
    }
    lappend differences "$what: expected $expected, got $actual"
}

proc ::users::write {path text} {
    set channel [open $path w]
    fconfigure $channel -encoding utf-8 -translation lf
    puts -nonewline $channel $text
    close $channel
}

proc ::users::read {path} {
    set channel [open $path]
    fconfigure $channel -encoding utf-8
    try {::read $channel} finally {close $channel}
}

proc ::users::lines {path} {
    split [string trimright [read $path] \n] \n
}

# A file of comma-separated values without quotes: a list of dicts, column -> cell.
proc ::users::table {path} {
    set rows [lines $path]
    set names [split [lindex $rows 0] ,]
    lmap row [lrange $rows 1 end] {
        set cells {}
        foreach name $names cell [split $row ,] {dict set cells $name $cell}
        set cells
    }
}

# The row of a table that has the value in the column.
proc ::users::row {table column value} {
    foreach row $table {
        if {[dict get $row $column] eq $value} {return $row}
    }
    return {}
}

# The p-th percentile by nearest rank.
proc ::users::percentile {values p} {
    lindex [lsort -real $values] [expr {int(ceil([llength $values] * $p / 100.0)) - 1}]
}

# What a trace says: job -> dict task release completion deadline runs {{processor begin end} ...}.
proc ::users::jobs {path} {
    set jobs {}
    set due {}
    set since {}
    foreach line [lines $path] {
        set words [split $line]
        if {[lindex $words 0] eq "newTask"} {
            set at [lsearch $words -D]
            dict set due [lindex $words 1] [expr {$at < 0 ? {} : [lindex $words $at+1]}]
        }
        if {[lindex $words 0] ne "plot"} continue
        lassign $words - time event job task
        set at [lsearch $words -processor]
        set processor [expr {$at < 0 ? {} : [lindex $words $at+1]}]
        switch $event {
            jobArrived {
                dict set jobs $job [dict create task $task release $time completion {} deadline {} runs {}]
                if {[dict get $due $task] ne {}} {dict set jobs $job deadline [expr {$time + [dict get $due $task]}]}
            }
            jobStarted - jobResumed {dict set since $job [list $processor $time]}
            jobPreempted - jobBlocked - jobCompleted {
                if {[dict exists $since $job]} {
                    dict set jobs $job runs [list {*}[dict get $jobs $job runs] [list {*}[dict get $since $job] $time]]
                    dict unset since $job
                }
                if {$event eq "jobCompleted"} {dict set jobs $job completion $time}
            }
        }
    }
    return $jobs
}

proc ::users::response {job} {
    if {[dict get $job completion] eq {}} {return {}}
    expr {[dict get $job completion] - [dict get $job release]}
}

proc ::users::lateness {job} {
    if {[dict get $job completion] eq {} || [dict get $job deadline] eq {}} {return {}}
    expr {[dict get $job completion] - [dict get $job deadline]}
}

proc ::users::execution {job} {
    set sum 0
    foreach run [dict get $job runs] {set sum [expr {$sum + [lindex $run 2] - [lindex $run 1]}]}
    return $sum
}

# The values of a measure over the complete jobs of a task.
proc ::users::values {jobs task measure} {
    set values {}
    dict for {id job} $jobs {
        if {[dict get $job task] eq $task && [dict get $job completion] ne {}} {lappend values [$measure $job]}
    }
    return $values
}

proc ::users::sum {values} {
    ::tcl::mathop::+ {*}$values
}
