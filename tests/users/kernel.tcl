# kernel.tcl -- a recording of a Linux kernel in which a more urgent thread keeps a real-time thread waiting.
#
# A processor is simulated in steps of 20 microseconds: `sampler` is woken every millisecond and runs for 140
# microseconds, the more urgent `audio` every 7 ms for 700 and, once, for 2300; `make` is a fair thread that always
# runs. An interrupt of 12 microseconds comes every 0.74 ms.

namespace eval ::users::kernel {
    # name -> pid, priority, period, work (in steps of 20 us)
    variable threads {audio {402 9 350 35} sampler {401 19 50 7} make {900 120 0 0}}
    variable steps 5000
}

proc ::users::kernel::prepare {} {
    ::users::write rt.ftrace [simulate]
}

# The recording as text: in each step threads are woken, the most urgent one is switched to, and an interrupt comes.
proc ::users::kernel::simulate {} {
    variable threads
    variable steps
    set lines {{# tracer: nop} #}
    set left {audio 0 sampler 0 make 1}
    set current make
    for {set step 0} {$step < $steps} {incr step} {
        set woken {}
        foreach thread {audio sampler} {
            lassign [dict get $threads $thread] pid priority period work
            if {$step % $period != 10} continue
            if {[dict get $left $thread] == 0} {lappend woken $thread}
            dict incr left $thread [expr {$thread eq "audio" && $step == 2110 ? 115 : $work}]
        }
        foreach {event at} {sched_waking 0 sched_wakeup 2} {
            foreach thread $woken {lappend lines [said $current $step $at $event [about $thread]]}
        }
        set next [expr {[dict get $left audio] > 0 ? "audio" : [dict get $left sampler] > 0 ? "sampler" : "make"}]
        if {$next ne $current} {
            lappend lines [said $current $step 4 sched_switch [switchTo $current $next [dict get $left $current]]]
            set current $next
        }
        if {$step % 37 == 5} {
            lappend lines [said $current $step 5 irq_handler_entry "irq=24 name=eth0"]
            lappend lines [said $current $step 17 irq_handler_exit "irq=24 ret=handled"]
        }
        if {$current ne "make"} {dict incr left $current -1}
    }
    join [lappend lines {}] \n
}

proc ::users::kernel::about {thread} {
    variable threads
    lassign [dict get $threads $thread] pid priority
    return "comm=$thread pid=$pid prio=$priority target_cpu=001"
}

proc ::users::kernel::switchTo {from to left} {
    variable threads
    lassign [dict get $threads $from] fromPid fromPriority
    lassign [dict get $threads $to] toPid toPriority
    return "prev_comm=$from prev_pid=$fromPid prev_prio=$fromPriority prev_state=[expr {$left > 0 ? "R" : "S"}]\
        ==> next_comm=$to next_pid=$toPid next_prio=$toPriority"
}

proc ::users::kernel::said {thread step at event text} {
    variable threads
    set micros [expr {$step * 20 + $at}]
    format "%16s-%-5s   \[001\] d..2. %d.%06d: %s: %s" $thread [lindex [dict get $threads $thread] 0] 1000 $micros \
        $event $text
}

# What the recording says of the thread: a list of dicts release, start, completion, by (who ran while it was ready ->
# seconds, interrupts aside), and interrupted; and the interrupts' time in all, in `interrupts`.
proc ::users::kernel::jobs {name interruptsName} {
    upvar 1 $interruptsName interrupts
    set interrupts 0
    set jobs {}
    set job {}
    set running {}
    set since 0
    set stolen 0        ;# of the stretch that is under way, by interrupts
    foreach line [::users::lines rt.ftrace] {
        if {![regexp {\] \S+ ([0-9.]+): (\w+): (.*)$} $line -> time event text]} continue
        if {$job ne {} && $event in {sched_waking sched_wakeup sched_switch}} {
            # A stretch is over: whoever ran had it.
            if {$running ne $name} {dict incr job $running [expr {round(($time - $since) * 1e6) - $stolen}]}
            set since $time
            set stolen 0
        }
        switch $event {
            sched_waking {
                if {[regexp "comm=$name " $text]} {
                    set job [dict create release $time start {} completion {}]
                    set since $time
                    set stolen 0
                }
            }
            sched_switch {
                regexp {prev_comm=(\S+) .*prev_state=(\S+) .*next_comm=(\S+) } $text -> previous state running
                if {$running eq $name && [dict get $job start] eq {}} {dict set job start $time}
                if {$previous eq $name && $state eq "S"} {
                    lappend jobs [dict replace $job completion $time]
                    set job {}
                }
            }
            irq_handler_entry {set entered $time}
            irq_handler_exit {
                set micros [expr {round(($time - $entered) * 1e6)}]
                incr interrupts $micros
                incr stolen $micros
            }
        }
        if {$running eq {}} {set running make}
    }
    return $jobs
}

# Recomputes the thread's jobs and the percentile of its latencies, then what delayed it.
proc ::users::kernel::judge {} {
    set jobs [jobs sampler interrupts]
    set stats [::users::table jobs.csv]
    set latencies {}
    set worst {}
    foreach job $jobs row $stats {
        if {$job eq {}} continue
        set what "job [dict get $row job]:"
        foreach column {release start completion} {
            ::users::agree "$what $column" [dict get $job $column] [dict get $row $column]
        }
        lappend latencies [expr {[dict get $job start] - [dict get $job release]}]
        ::users::agree "$what latency" [lindex $latencies end] [dict get $row latency]
        ::users::agree "$what response" [::users::response $job] [dict get $row response]
        if {$worst eq {} || [::users::response $job] > [::users::response $worst]} {set worst $job}
    }
    set row [::users::row [::users::table tasks.csv] name sampler]
    ::users::agree "p99 of wake-up latency" [::users::percentile $latencies 99] [dict get $row latency_p99]
    ::users::agree "completions" [llength $jobs] [dict get $row completions]
    judgeInterrupts $interrupts
    judgeDelays $jobs $worst
    ::users::agree "deadlines guessed" [expr {[::users::response $worst] > 0.001}] \
        [string trim [::users::read check.status]]
}

proc ::users::kernel::judgeInterrupts {interrupts} {
    set row [lindex [::users::table processors.csv] 0]
    ::users::agree "interrupts" [expr {$interrupts / 1e6}] [dict get $row isr]
    set times [lmap {- time} [regexp -all -inline { ([0-9.]+): } [::users::read rt.ftrace]] {set time}]
    ::users::agree "percent of interrupts" \
        [format %.3f [expr {$interrupts / 1e4 / ([lindex $times end] - [lindex $times 0])}]] \
        [dict get [lindex [::users::table share.csv] 0] percent]
}

# Who had the processor while the thread was ready, in all its jobs and in the worst one.
proc ::users::kernel::judgeDelays {jobs worst} {
    set sum 0
    foreach job $jobs {if {[dict exists $job audio]} {incr sum [dict get $job audio]}}
    set told 0
    foreach row [::users::table delays.csv] {
        if {[dict get $row task] eq "401" && [dict get $row by_task] eq "402"} {
            set told [expr {$told + [dict get $row time]}]
        }
    }
    ::users::agree "audio delays sampler by" [expr {$sum / 1e6}] $told
    set told 0
    foreach {- time} [regexp -all -inline -line {^ +(?:waiting behind|preempted by) audio \(402\) +([0-9.]+)} \
        [::users::read why.txt]] {set told [expr {$told + $time}]}
    ::users::agree "audio delays the worst job by" [expr {[dict get $worst audio] / 1e6}] $told
}
