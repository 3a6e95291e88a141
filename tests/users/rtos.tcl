# rtos.tcl -- the log of a board with an RTOS: a control loop that is late because of a mutex, as CSV and lines of JSON.

namespace eval ::users::rtos {
    # microseconds, task, what happened, the object; each line says what the board's hooks say, not more
    variable log {
        {0 control activate -} {0 control run -} {600 control take i2c} {900 control give i2c} {1200 control done -}
        {1200 logger activate -} {1200 logger run -} {4800 logger take i2c}
        {5000 control activate -} {5000 control run -} {5200 control wait i2c} {5200 logger run -}
        {5600 comm activate -} {5600 comm run -} {6000 tick irq_in -} {6050 tick irq_out -} {8600 comm done -}
        {8600 logger run -} {9100 logger give i2c} {9100 control ready -} {9100 control run -}
        {9100 control take i2c} {9400 control give i2c} {9700 control done -} {9700 logger run -} {9900 logger done -}
        {10000 control activate -} {10000 control run -} {10600 control take i2c} {10900 control give i2c}
        {11200 control done -} {12000 comm activate -} {12000 comm run -} {13000 comm done -}
    }
    # The words are the same in both logs; only the columns have other names.
    variable mapping {
event release activate
event start run
event blocked wait
event ready ready
event completed done
event interrupt irq_in
event return irq_out
event acquired take
event released give
task control -priority 1 -period 5ms -deadline 4ms
task comm -priority 2
task logger -priority 3
}
}

# The log as CSV and as lines of JSON, with a mapping for each.
proc ::users::rtos::prepare {} {
    variable log
    variable mapping
    set csv "t_us,task,event,object\n"
    set json {}
    foreach entry $log {
        lassign $entry time task event object
        append csv "$time,$task,$event,[string map {- {}} $object]\n"
        append json "{\"t\": $time, \"who\": {\"task\": \"$task\"}, \"ev\": \"$event\""
        if {$object ne "-"} {append json ", \"obj\": \"$object\""}
        append json "}\n"
    }
    ::users::write board.csv $csv
    ::users::write board.jsonl $json
    set columns {log -separator comma -header yes
column time t_us -unit us
column task task
column event event
column object object}
    ::users::write board.map $columns$mapping
    set columns {log -separator json
column time t -unit us
column task who.task
column event ev
column object obj}
    ::users::write json.map $columns$mapping
}

# The jobs of the log: list of dicts task release start completion running blocked, in order of release; the
# processor is one, so whoever is told to run takes it from the one that did.
proc ::users::rtos::jobs {} {
    set jobs {}
    set current {}          ;# task -> number in jobs
    set running {}
    set blocked {}          ;# task -> since
    foreach line [lrange [::users::lines board.csv] 1 end] {
        lassign [split $line ,] time task event
        if {$event in {run wait done} && $running ne {}} {
            lassign $running who since
            set n [dict get $current $who]
            lset jobs $n [dict replace [lindex $jobs $n] running \
                [expr {[dict get [lindex $jobs $n] running] + $time - $since}]]
            set running {}
        }
        switch $event {
            activate {
                dict set current $task [llength $jobs]
                lappend jobs [dict create task $task release $time start {} completion {} running 0 blocked 0]
            }
            run {
                set running [list $task $time]
                set n [dict get $current $task]
                if {[dict get [lindex $jobs $n] start] eq {}} {
                    lset jobs $n [dict replace [lindex $jobs $n] start $time]
                }
            }
            wait {dict set blocked $task $time}
            ready {
                set n [dict get $current $task]
                lset jobs $n [dict replace [lindex $jobs $n] blocked [expr {$time - [dict get $blocked $task]}]]
            }
            done {
                set n [dict get $current $task]
                lset jobs $n [dict replace [lindex $jobs $n] completion $time]
            }
        }
    }
    return $jobs
}

# Recomputes the jobs, on which all three ways of reading the log agree, then who held the bus, and why one was late.
proc ::users::rtos::judge {} {
    set jobs [jobs]
    foreach file {jobs.csv json.csv guessed.csv} {
        set stats [lmap row [::users::table $file] {
            if {[dict get $row task_name] eq "tick"} continue
            set row
        }]
        ::users::agree "jobs in $file" [llength $jobs] [llength $stats]
        foreach job $jobs row $stats {
            set what "job [dict get $row job] in $file:"
            ::users::agree "$what task" [dict get $job task] [dict get $row task_name]
            foreach column {release start completion blocked} {
                ::users::agree "$what $column" [dict get $job $column] [dict get $row $column]
            }
            ::users::agree "$what execution" [dict get $job running] [dict get $row execution]
            ::users::agree "$what response" [::users::response $job] [dict get $row response]
            if {$file eq "guessed.csv"} continue
            if {[dict get $job task] eq "control"} {
                ::users::agree "$what lateness" [expr {[::users::response $job] - 4000}] [dict get $row lateness]
            }
        }
    }
    judgeHolds
    judgeWhy $jobs
}

# Who has the bus, how often, and how long at most.
proc ::users::rtos::judgeHolds {} {
    set since {}
    set holds {}
    foreach line [lrange [::users::lines board.csv] 1 end] {
        lassign [split $line ,] time task event
        if {$event eq "take"} {dict set since $task $time}
        if {$event eq "give"} {dict lappend holds $task [expr {$time - [dict get $since $task]}]}
    }
    set stats [::users::table holds.csv]
    ::users::agree "holders" [lsort [dict keys $holds]] [lsort [lmap row $stats {dict get $row task}]]
    foreach row $stats {
        set lengths [dict get $holds [dict get $row task]]
        ::users::agree "holds of [dict get $row task]" [llength $lengths] [dict get $row holds]
        ::users::agree "longest of [dict get $row task]" [lindex [lsort -real $lengths] end] [dict get $row longest]
    }
}

# The late one is the second: the line of the log with its end is told, the parts of its time add up, and what it was
# blocked by is the one who had the bus when it began to wait.
proc ::users::rtos::judgeWhy {jobs} {
    set late {}
    foreach job $jobs {
        if {[dict get $job task] eq "control" && [::users::response $job] > 4000} {lappend late $job}
    }
    ::users::agree "late jobs" 1 [llength $late]
    set late [lindex $late 0]
    set line 0
    foreach entry [::users::lines board.csv] {
        incr line
        if {[lindex [split $entry ,] 0] eq "5200" && [string match *wait* $entry]} break
        if {[string match *,take,* $entry]} {set holder [lindex [split $entry ,] 1]}
    }
    ::users::agree "exit status" 1 [string trim [::users::read check.status]]
    set end [lsearch -exact [::users::lines board.csv] "9700,control,done,"]
    ::users::agree "line of the finding" 1 [regexp "board.csv:[incr end]: error: " [::users::read check.txt]]
    set why [::users::read why.txt]
    ::users::agree "blocked by" 1 [regexp "blocked on i2c, held by $holder +(\\d+) " $why -> blocked]
    ::users::agree "blocked for" [dict get $late blocked] $blocked
    # What the holder did meanwhile: 5200 to 5600 and 8600 to 9100 it ran; in between comm had the processor, but for
    # the interrupt's 50.
    foreach {what time} {{which was running} 900 {which was preempted by comm} 2950} {
        ::users::agree $what 1 [regexp "$what +(\\d+) " $why -> told]
        ::users::agree "$what for" $time $told
    }
    set json [::users::read why.json]
    ::users::agree "in JSON" 1 [regexp {"response": ([0-9.]+)} $json -> response]
    ::users::agree "response in JSON" [::users::response $late] $response
}
