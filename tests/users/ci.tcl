# ci.tcl -- small traces of a test run, some of which break the limits: 300, a thousand with TACTUS_USERS_TRACES.
#
# Each has ten jobs of `poll` and five of `send` on a processor, in milliseconds with three decimals; the more urgent
# `poll` preempts. Times are from a generator of numbers with a seed, so every run has the same traces.

namespace eval ::users::ci {
    variable traces [expr {[info exists ::env(TACTUS_USERS_TRACES)] ? 1000 : 300}]
    variable state
    variable limits {# limits.expect
expect response * p99 <= 6.8
expect preempted send* max <= 2.5
}
}

# The next number of the series, from low to high.
proc ::users::ci::number {low high} {
    variable state
    set state [expr {($state * 1103515245 + 12345) % 2147483648}]
    expr {$low + ($state >> 8) % ($high - $low + 1)}
}

proc ::users::ci::prepare {} {
    variable traces
    variable limits
    variable state 2024
    ::users::write limits.expect $limits
    file mkdir traces good before after
    for {set i 0} {$i < $traces} {incr i} {
        # One of 25 has a send that takes long and may be late, one of 40 a poll for which a send has to wait.
        ::users::write traces/run$i.tactus [trace [expr {$i % 25 == 7}] [expr {$i % 40 == 11}]]
    }
    foreach i {0 1 2} {file copy traces/run$i.tactus good/run$i.tactus}
    # Of the next version each poll takes 0.4 ms more.
    for {set i 0} {$i < 30} {incr i} {
        ::users::write before/run$i.tactus [trace 0 0]
        ::users::write after/run$i.tactus [trace 0 0 400]
    }
}

# Times in microseconds as milliseconds.
proc ::users::ci::ms {micros} {
    format %d.%03d [expr {$micros / 1000}] [expr {$micros % 1000}]
}

# Polls come each 4 ms, sends each 8; both are done before the next one comes.
proc ::users::ci::trace {slowSend slowPoll {more 0}} {
    set lines {{newTask poll -priority 1 -D 4 -T 4} {newTask send -priority 2 -D 7 -T 8}}
    set left 0
    for {set i 0} {$i < 10} {incr i} {
        set now [expr {$i * 4000}]
        set poll [expr {$i == 5 && $slowPoll ? 3000 : $more + [number 300 1200]}]
        set send send.[expr {$i / 2 + 1}]
        lappend lines "plot [ms $now] jobArrived poll.[expr {$i + 1}] poll"
        if {$i % 2 == 0} {
            lappend lines "plot [ms $now] jobArrived $send send"
        } elseif {$left > 0} {
            lappend lines "plot [ms $now] jobPreempted $send"
        }
        lappend lines "plot [ms $now] jobStarted poll.[expr {$i + 1}]"
        set done [expr {$now + $poll}]
        lappend lines "plot [ms $done] jobCompleted poll.[expr {$i + 1}]"
        if {$i % 2 == 0} {
            set left [expr {$i == 4 && $slowSend ? 5500 : [number 1500 3600]}]
            lappend lines "plot [ms $done] jobStarted $send"
        } elseif {$left > 0} {
            lappend lines "plot [ms $done] jobResumed $send"
        } else {
            continue
        }
        set room [expr {$now + 4000 - $done}]
        if {$left <= $room || $i % 2} {
            lappend lines "plot [ms [expr {$done + $left}]] jobCompleted $send"
            set left 0
        } else {
            incr left -$room
        }
    }
    join [lappend lines {}] \n
}

# Recomputes what each trace breaks, which values are the worst, and the percentiles over all.
proc ::users::ci::judge {} {
    set broken {}
    set late {}
    set all {poll {} send {}}
    set worst {}
    foreach path [lsort -dictionary [glob traces/*]] {
        set jobs [::users::jobs $path]
        foreach task {poll send} {
            set responses [::users::values $jobs $task response]
            dict lappend all $task {*}$responses
            lappend worst [lindex [lsort -real $responses] end]
            if {[::users::percentile $responses 99] > 6.8 + 1e-9} {dict set broken $path 1}
        }
        dict for {id job} $jobs {
            if {[::users::lateness $job] > 1e-9} {
                dict incr late $path
                dict set broken $path 1
            }
            if {[dict get $job task] eq "send" && [preempted $job] > 2.5 + 1e-9} {dict set broken $path 1}
        }
    }
    judgeReport $broken
    judgeCompare
    foreach row [::users::table worst.csv] expected [lrange [lsort -real -decreasing $worst] 0 9] {
        ::users::agree "worst of [dict get $row trace]" $expected [dict get $row worst]
    }
    foreach row [::users::table tasks.csv] {
        set responses [dict get $all [dict get $row task]]
        ::users::agree "jobs" [llength $responses] [dict get $row jobs]
        ::users::agree "median" [::users::percentile $responses 50] [dict get $row p50]
        ::users::agree "p99" [::users::percentile $responses 99] [dict get $row p99]
    }
    foreach row [::users::table groups.csv] {
        set responses [dict get $all [dict get $row task]]
        ::users::agree "jobs of the group" [llength $responses] [dict get $row count]
        ::users::agree "p99 of the group" [::users::percentile $responses 99] [dict get $row p99(response)]
        ::users::agree "longest of the group" [::users::percentile $responses 100] [dict get $row max(response)]
    }
    ::users::agree "most late jobs" [lrange [lsort -integer -decreasing [dict values $late]] 0 4] \
        [lmap row [::users::table most.csv] {dict get $row count}]
    foreach row [::users::table late.csv] {
        set path [dict get $row trace]
        ::users::agree "late jobs of $path" [dict get $late $path] [dict get $row late]
        dict unset late $path
    }
    ::users::agree "traces with late jobs that are missing" {} [dict keys $late]
}

# The time from its first start to its completion in which a job does not run.
proc ::users::ci::preempted {job} {
    set begin [lindex [dict get $job runs] 0 1]
    expr {[dict get $job completion] - $begin - [::users::execution $job]}
}

# The suites with failures are the traces that break a limit, and one is enough for the exit status.
proc ::users::ci::judgeReport {broken} {
    variable traces
    ::users::agree "exit status" 1 [string trim [::users::read check.status]]
    set xml [::users::read check.xml]
    ::users::agree "suites" $traces [regexp -all {<testsuite name="} $xml]
    set failed {}
    foreach {- name failures} [regexp -all -inline {<testsuite name="([^"]*)"[^>]* failures="(\d+)"} $xml] {
        if {$failures} {lappend failed $name}
    }
    ::users::agree "suites with failures" [dict keys $broken] $failed
    ::users::agree "some are broken" 1 [expr {[dict size $broken] >= $traces / 50}]
    ::users::agree "good ones" {0 {3 traces: 3 valid}} \
        [list [string trim [::users::read good.status]] [lindex [::users::lines good.txt] end]]
}

# Percentiles of both sides and their differences; polls and sends are slower, and the condition is about that.
proc ::users::ci::judgeCompare {} {
    foreach folder {before after} {
        foreach path [glob $folder/*] {
            set jobs [::users::jobs $path]
            foreach task {poll send} {lappend responses($folder,$task) {*}[::users::values $jobs $task response]}
        }
    }
    foreach row [::users::table compare.csv] {
        set task [dict get $row task]
        set figure [dict get $row figure]
        if {[dict get $row measure] ne "response" || $figure ni {p50 p95}} continue
        foreach side {base other} folder {before after} {
            set $side [::users::percentile $responses($folder,$task) [string range $figure 1 end]]
            ::users::agree "$figure of $task $folder" [set $side] [dict get $row $side]
        }
        ::users::agree "$figure of $task, difference" [expr {$other - $base}] [dict get $row difference]
        ::users::agree "$figure of $task, verdict" higher [dict get $row verdict]
    }
    ::users::agree "exit status before a change" 0 [string trim [::users::read same.status]]
    ::users::agree "exit status after it" 1 [string trim [::users::read worse.status]]
    ::users::agree "failures" 1 [regexp -all {<failure} [::users::read worse.xml]]
}
