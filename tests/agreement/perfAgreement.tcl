# perfAgreement.tcl -- does Tactus measure what perf measures? Thread by thread, to the last printed digit.
#
#       tclsh perfAgreement.tcl ?-threads? TRACE.perf.script.ns.txt TIMEHIST_SUMMARY LATENCY
#
#       perf script --ns        -> Tactus -> events ----> own figures:  runs and delays as Tactus has them ---+
#                       \-> records (a reader of its own) -> perf's rules applied to them ----------------+--> compared
#       perf sched timehist --summary, perf sched latency -p  -> perf's printed figures -------------------+
#
# Three things are shown of each thread. The rules, applied to the records without Tactus, give perf's printed digits:
# so they are perf's. Tactus's own figures are the same digits, or they differ. Where they differ, each run and each
# delay in which they do is found, and the rule that makes the difference is named; what no rule explains is
# unexplained, and the program fails. -threads lists every thread that differs; without it there are totals only.
#
# perf's rules (doc/kernel-agreement.md has them in full):
#
#   timehist   a run ends by a switch away and begins with the last switch of that processor, whichever it was; the
#              first switch of a processor ends a run of no length
#   latency    a delay begins by the switch away of a thread that stays runnable (R, not R+), or else by the first
#              sched_wakeup or sched_wakeup_new after it, and ends by the switch to it; a thread that is never heard of
#              before a switch to it has one of no length, and one of which a sched_stat_runtime tells first is taken
#              for ready since then
#
# Reasons why Tactus has something else:
#
#   missing    a switch is not in the recording: perf counts what was before it (mostly idle) as a run, or loses a wait;
#              Tactus knows from when on the thread is there, and what is not known is unknown. Or a wake-up is not:
#              perf has no delay, Tactus one from the waking on
#   first      the first switch of a processor: Tactus counts from the first event on which the thread is there
#   last       the thread runs at the end: perf counts a run when it ends
#   exited     the last switch away of a thread that has exited stands in perf's record as one of thread -1: its line
#              has that run
#   twice      perf has written the record of a switch twice: either counts a run of no length for the second one, and
#              Tactus also one of the thread that had just come and seems to have been away for that moment
#   preempted  prev_state R+: perf takes the thread for a sleeping one, Tactus for a ready one
#   unheard    the delay of no length of a thread that perf meets for the first time

package require Tcl 8.6

namespace eval ::perfAgreement {
    variable moments {jobArrived jobReady jobResumed jobPreempted jobBlocked jobUnknown jobCompleted jobAbandoned}
}

# ---- numbers ---------------------------------------------------------------------------------------------------------

# Seconds with at most nine decimals, in nanoseconds.
proc ::perfAgreement::nanoseconds {seconds} {
    lassign [split $seconds .] whole fraction
    scan [string range ${fraction}000000000 0 8] %d below
    expr {$whole * 1000000000 + $below}
}

# As timehist writes them: milliseconds, cut to three decimals.
proc ::perfAgreement::cut {ns} {
    format %d.%03d [expr {$ns / 1000000}] [expr {$ns % 1000000 / 1000}]
}

# As latency writes them: milliseconds, rounded; and moments in seconds, cut to six decimals.
proc ::perfAgreement::rounded {ns} {
    format %.3f [expr {$ns / 1e6}]
}
proc ::perfAgreement::moment {ns} {
    format %d.%06d [expr {$ns / 1000000000}] [expr {$ns % 1000000000 / 1000}]
}

# ---- perf's printed figures: dicts of pid -> list --------------------------------------------------------------------

# sched-in count, run time, longest run. `comm[tid]` or `comm[tid/pid]`; a comm may contain anything.
proc ::perfAgreement::readSummary {text} {
    set printed {}
    foreach line [split $text \n] {
        if {[regexp {\[(-?\d+)(?:/\d+)?\] +-?\d+ +(\d+) +([\d.]+) +[\d.]+ +[\d.]+ +([\d.]+) +[-\d.na]+ +\d+$} $line -> \
                pid count run longest]} {
            dict set printed $pid [list $count $run $longest]
        }
    }
    return $printed
}

# count, mean, longest, its begin, its end.
proc ::perfAgreement::readLatency {text} {
    set printed {}
    foreach line [split $text \n] {
        if {[regexp \
                {:(\d+) *\| *[\d.]+ ms \| *(\d+) \| avg: *([\d.]+) ms \| max: *([\d.]+) ms \| max start: *([\d.]+) s \| max end: *([\d.]+) s$} \
                $line -> pid count mean longest begin end]} {
            dict set printed $pid [list $count $mean $longest $begin $end]
        }
    }
    return $printed
}

# ---- the records -----------------------------------------------------------------------------------------------------

# Switches, wake-ups and run times: {line ns cpu pid event ...}; switch: prev state next; wakeup, runtime: pid. Other
# lines are left out.
proc ::perfAgreement::readRecords {text} {
    set records {}
    set number 0
    foreach line [split $text \n] {
        incr number
        if {![regexp \
                {^.*? +(-?\d+) \[(\d+)\] +(\d+\.\d{9}): +(?:sched:)?(sched_switch|sched_wakeup|sched_wakeup_new|sched_stat_runtime): (.*)$} $line -> pid cpu time event rest]} {
            continue
        }
        set record [list $number [nanoseconds $time] [scan $cpu %d] $pid]
        if {$event eq "sched_stat_runtime"} {
            if {[regexp { pid=(\d+) runtime=\d+ \[ns\]} $rest -> told]} {
                lappend records [list {*}$record runtime $told]
            }
        } elseif {$event ne "sched_switch"} {
            regexp { pid=(\d+) prio=-?\d+ target_cpu=\d+$} $rest -> woken
            lappend records [list {*}$record wakeup $woken]
        } elseif \
            {[regexp \
                { prev_pid=(\d+) prev_prio=-?\d+ prev_state=(\S+) ==> next_comm=.* next_pid=(\d+) next_prio=-?\d+$} \
                    $rest -> prev state next]} {
            lappend records [list {*}$record switch $prev $state $next]
        }
    }
    return $records
}

# The lines of migrations and of wake-ups that are done: a dict of line -> sched_migrate_task, sched_wakeup or
# sched_wakeup_new.
proc ::perfAgreement::readQueued {text} {
    set queued {}
    set number 0
    foreach line [split $text \n] {
        incr number
        if {[regexp { \[\d+\] +\d+\.\d{9}: +(?:sched:)?(sched_migrate_task|sched_wakeup|sched_wakeup_new): } \
                $line -> event]} {
            dict set queued $number $event
        }
    }
    return $queued
}

# Switches that stand in the recording twice: a list of cpuN,ns. perf writes a piece of a buffer twice now and then when
# it has much to do.
proc ::perfAgreement::doubled {records} {
    set seen {}
    set doubled {}
    foreach record $records {
        lassign $record line time cpu pid event
        if {$event ne "switch"} continue
        if {[dict exists $seen $cpu] && [lrange $record 1 end] eq [dict get $seen $cpu]} {lappend doubled cpu$cpu,$time}
        dict set seen $cpu [lrange $record 1 end]
    }
    return $doubled
}

# ---- perf's rules: dicts of pid -> list of runs {cpu begin end}, of delays {begin end why} ---------------------------

# why: "first": of the processor, else "".
proc ::perfAgreement::runsByRule {records} {
    set runs {}
    set last {}
    foreach record $records {
        lassign $record line time cpu pid event prev
        if {$event ne "switch"} continue
        set first [expr {![dict exists $last $cpu]}]
        if {$prev != 0} {
            dict lappend runs $pid [list $cpu [expr {$first ? $time : [dict get $last $cpu]}] $time \
                [expr {$first ? "first" : ""}]]
        }
        dict set last $cpu $time
    }
    return $runs
}

# Delays, and for switches to a thread that count for none {{} end why}: "preempted" (it is taken for a sleeping one
# because of R+), "asleep" (no wake-up was seen), "running" (no switch away was seen). Of delays why is "preempted" when
# a wake-up after R+ begins them, "unheard", or "".
proc ::perfAgreement::delaysByRule {records} {
    set delays {}
    array set state {}
    foreach record $records {
        lassign $record line time cpu pid event prev how next
        if {$event eq "runtime"} {
            if {![info exists state($prev)]} {set state($prev) [list ready $time unheard]}
            continue
        }
        if {$event eq "wakeup"} {
            if {![info exists state($prev)]} {set state($prev) [list asleep $time {}]}
            lassign $state($prev) now since why
            if {$now eq "asleep" && $since <= $time} {set state($prev) [list ready $time $why]}
            continue
        }
        set state($prev) [list [expr {$how eq "R" ? "ready" : "asleep"}] $time [expr {$how eq "R+" ? "preempted" : ""}]]
        if {![info exists state($next)]} {set state($next) [list ready $time unheard]}
        lassign $state($next) now since why
        if {$now eq "ready"} {
            dict lappend delays $next [list $since $time $why]
            set state($next) [list running $time {}]
        } else {                ;# one that is taken for asleep stays so
            dict lappend delays $next [list {} $time [expr {$why ne {} ? $why : $now}]]
        }
    }
    return $delays
}

# ---- Tactus: the same from its events --------------------------------------------------------------------------------

# A dict: runs pid -> {cpu begin end how before}, how: left, lost (no switch away was seen), last (runs at the end),
# before: what it was before, unknown where no switch to it was seen; delays pid -> {begin end how}, how: ready, or
# woken where no end of the waking was seen (no jobReady, or one that another line than a wake-up's tells); doubts pid
# -> {ns ...}: from when on it was not known what the thread did, or that it must have done what was not seen. A delay
# begins where the thread came into the queue: at a migration it goes on in another one. queued: as of readQueued.
# Events that change nothing of where a job stands, as those of mutexes, are left out.
proc ::perfAgreement::measure {trace queued} {
    variable moments
    set runs {}
    set delays {}
    set doubts {}
    foreach event [$trace events] {
        set name [dict get $event event]
        if {$name ni $moments} continue
        set job [dict get $event subject]
        set pid [pidOf $job]
        set time [nanoseconds [dict get $event time]]
        if {$name in {jobUnknown jobAbandoned}} {dict lappend doubts $pid $time}
        if {$name eq "jobReady"} {
            set line [dict get $event line]
            set told [expr {[dict exists $queued $line] ? [dict get $queued $line] : {}}]
            if {$told eq "sched_migrate_task"} continue
        }
        lassign [expr {[info exists state($job)] ? $state($job) : {none {} {} {}}}] now since cpu before
        if {$now eq "running"} {
            set how [expr {$name eq "jobUnknown" ? "lost" : "left"}]
            dict lappend runs $pid [list $cpu $since $time $how $before]
        }
        switch $name {
            jobArrived {set state($job) [list woken $time {}]}
            jobReady {if {$now in {woken blocked unknown}} {
                set state($job) [list [expr {$told eq {} ? "woken" : "ready"}] $time {}]
            }}
            jobPreempted {set state($job) [list ready $time {}]}
            jobResumed {
                if {$now in {woken ready}} {dict lappend delays $pid [list $since $time $now]}
                set state($job) [list running $time [dict get $event processor] $now]
            }
            jobBlocked {set state($job) [list blocked $time {}]}
            jobUnknown {set state($job) [list unknown $time {}]}
            default {unset -nocomplain state($job)}
        }
    }
    set end [nanoseconds [dict get [$trace info] end]]
    foreach job [array names state] {
        lassign $state($job) now since cpu before
        if {$now eq "running"} {dict lappend runs [pidOf $job] [list $cpu $since $end last $before]}
    }
    dict create runs $runs delays $delays doubts $doubts
}

proc ::perfAgreement::pidOf {job} {
    lindex [split [string range $job 0 [string last . $job]-1] /] 0
}

proc ::perfAgreement::listOf {dict key} {
    expr {[dict exists $dict $key] ? [dict get $dict $key] : {}}
}

# ---- figures as perf prints them -------------------------------------------------------------------------------------

proc ::perfAgreement::summaryOf {runs} {
    set sum 0
    set longest 0
    foreach run $runs {
        lassign $run cpu begin end
        incr sum [expr {$end - $begin}]
        set longest [expr {max($longest, $end - $begin)}]
    }
    list [llength $runs] [cut $sum] [cut $longest]
}

# The first one of the longest counts.
proc ::perfAgreement::latencyOf {delays} {
    set sum 0
    set count 0
    lassign {0 0 0} longest from to
    foreach delay $delays {
        lassign $delay begin end
        if {$begin eq {}} continue
        incr count
        incr sum [expr {$end - $begin}]
        if {$end - $begin > $longest} {lassign [list [expr {$end - $begin}] $begin $end] longest from to}
    }
    if {$count == 0} return
    list $count [rounded [expr {$sum / $count}]] [rounded $longest] [moment $from] [moment $to]
}

# ---- comparing -------------------------------------------------------------------------------------------------------

# What is different in the runs of a thread: {reason ns} each; ns: perf's minus Tactus's. Reason ?: no rule explains it.
# exited: the runs of thread -1; twice: as of doubled. Two runs of a thread may end at one moment then: they are
# compared in their order.
proc ::perfAgreement::compareRuns {pid perf tactus exited {twice {}}} {
    set found {}
    if {$pid == -1} {return [lmap run $perf {list exited [expr {[lindex $run 2] - [lindex $run 1]}]}]}
    foreach run $tactus {
        lassign $run cpu begin end how before
        if {$how eq "left"} {
            lappend own($cpu,$end) [list $begin $before]
        } else {
            set reason [expr {$how eq "last" ? "last" : $begin == $end && "$cpu,$end" in $twice ? "twice" : "missing"}]
            lappend found [list $reason [expr {$begin - $end}]]
        }
    }
    foreach run $perf {
        lassign $run cpu begin end why
        if {![info exists own(cpu$cpu,$end)] || ![llength $own(cpu$cpu,$end)]} {
            lappend found [list ? [expr {$end - $begin}]]
            continue
        }
        set own(cpu$cpu,$end) [lassign $own(cpu$cpu,$end) run]
        lassign $run known before
        if {$known == $begin} continue
        set reason [expr {$why eq "first" ? "first" : $known > $begin && $before eq "unknown" ? "missing" : "?"}]
        lappend found [list $reason [expr {$known - $begin}]]
    }
    set ends [lmap run $exited {string cat cpu [lindex $run 0] , [lindex $run 2]}]
    foreach {key runs} [array get own] {
        foreach run $runs {
            lappend found [list [expr {$key in $ends ? "exited" : "?"}] \
                [expr {[lindex $run 0] - [lindex [split $key ,] 1]}]]
        }
    }
    return $found
}

# The same for delays: {reason perf tactus end}, a delay's begin or {}.
proc ::perfAgreement::compareDelays {perf tactus doubts} {
    set found {}
    set before 0
    foreach delay $tactus {lassign $delay begin end how; set own($end) [list $begin $how]}
    foreach delay $perf {
        lassign $delay begin end why
        lassign [expr {[info exists own($end)] ? $own($end) : {{} {}}}] known how
        unset -nocomplain own($end)
        if {$known ne $begin} {
            lappend found [list [reasonOf $begin $known $why $how [doubtful $doubts $before $end]] $begin $known $end]
        }
        set before $end
    }
    foreach end [array names own] {lappend found [list ? {} [lindex $own($end) 0] $end]}
    return $found
}

# The doubts in a stretch of time, ends included.
proc ::perfAgreement::doubtful {doubts begin end} {
    lmap doubt $doubts {if {$doubt < $begin || $doubt > $end} continue; set doubt}
}

# Why a delay of perf's begins elsewhere, or is one of them only. For a missing switch there is a doubt since the switch
# to the thread before this one; where both have a delay, between the two beginnings. For a missing wake-up perf takes
# the thread for asleep, and Tactus has it woken only.
proc ::perfAgreement::reasonOf {perf tactus why how doubts} {
    if {$why in {preempted unheard}} {return $why}
    if {$perf eq {} && $why eq "asleep" && $how eq "woken"} {return missing}
    if {$perf ne {} && $tactus ne {}} {set doubts [doubtful $doubts $perf $tactus]}
    return [expr {$doubts eq {} ? "?" : "missing"}]
}

# Threads as dicts: pid kind (run, delay) perf rule tactus differences.
proc ::perfAgreement::compare {trace text summary latency} {
    set records [readRecords $text]
    set twice [doubled $records]
    set ruleRuns [runsByRule $records]
    set ruleDelays [delaysByRule $records]
    set own [measure $trace [readQueued $text]]
    set threads {}
    dict for {pid printed} [readSummary $summary] {
        set mine [listOf [dict get $own runs] $pid]
        set closed [lmap run $mine {if {[lindex $run 3] ne "left"} continue; set run}]
        set shown [lreplace [summaryOf $mine] 0 0 [llength $closed]]
        lappend threads [dict create kind run pid $pid perf $printed rule [summaryOf [listOf $ruleRuns $pid]] \
            tactus $shown \
            differences [compareRuns $pid [listOf $ruleRuns $pid] $mine [listOf $ruleRuns -1] $twice]]
    }
    dict for {pid printed} [readLatency $latency] {
        lappend threads [dict create kind delay pid $pid perf $printed rule [latencyOf [listOf $ruleDelays $pid]] \
            tactus [latencyOf [listOf [dict get $own delays] $pid]] \
            differences [compareDelays [listOf $ruleDelays $pid] [listOf [dict get $own delays] $pid] \
                [listOf [dict get $own doubts] $pid]]]
    }
    return $threads
}

# ---- telling ---------------------------------------------------------------------------------------------------------

# Of a thread: equal, the reasons of what differs, or ?: also when the rules do not give perf's digits, or when the
# digits differ but nothing that would explain it.
proc ::perfAgreement::verdict {thread} {
    set reasons [lsort -unique [lmap difference [dict get $thread differences] {lindex $difference 0}]]
    if {[dict get $thread rule] ne [dict get $thread perf] || "?" in $reasons} {return ?}
    if {[dict get $thread tactus] eq [dict get $thread perf]} {return equal}
    return [expr {$reasons eq {} ? "?" : $reasons}]
}

proc ::perfAgreement::report {threads {each 0}} {
    set lines {}
    foreach kind {run delay} {
        set rule [set equal [set total 0]]
        set counts {}
        foreach thread $threads {
            if {[dict get $thread kind] ne $kind} continue
            incr total
            incr rule [expr {[dict get $thread rule] eq [dict get $thread perf]}]
            dict incr counts [verdict $thread]
            if {$each && [verdict $thread] ne "equal"} {lappend lines [line $thread]}
        }
        set all {}
        foreach reason [lsort [dict keys $counts]] {lappend all "[join $reason +] [dict get $counts $reason]"}
        lappend lines "$kind: $total threads, by perf's rules $rule as printed; Tactus's own: [join $all {, }]"
    }
    join $lines \n
}

proc ::perfAgreement::line {thread} {
    set sums {}
    foreach difference [dict get $thread differences] {
        if {[dict get $thread kind] eq "run"} {
            dict incr sums [lindex $difference 0] [lindex $difference 1]
        } else {
            dict incr sums [lindex $difference 0]
        }
    }
    set unit [expr {[dict get $thread kind] eq "run" ? " ns" : " delays"}]
    format "%s %s: perf %s, Tactus %s: %s" [dict get $thread kind] [dict get $thread pid] [dict get $thread perf] \
        [dict get $thread tactus] \
        [join [lmap {reason sum} $sums {set reason "$reason $sum$unit"}] {, }]
}

proc ::perfAgreement::slurp {path} {
    set channel [open $path]
    chan configure $channel -encoding utf-8
    try {read $channel} finally {close $channel}
}

proc ::perfAgreement::main {arguments} {
    set each [expr {[lindex $arguments 0] eq "-threads"}]
    if {$each} {set arguments [lrange $arguments 1 end]}
    if {[llength $arguments] != 3} {
        puts stderr "usage: tclsh perfAgreement.tcl ?-threads? SCRIPT SUMMARY LATENCY"
        exit 2
    }
    lassign $arguments script summary latency
    package require tactus
    set trace [tactus::open $script]
    set threads [compare $trace [slurp $script] [slurp $summary] [slurp $latency]]
    puts [report $threads $each]
    exit [expr {"?" in [lmap thread $threads {verdict $thread}]}]
}

if {[info exists ::argv0] && [file normalize $::argv0] eq [file normalize [info script]]} {
    ::perfAgreement::main $::argv
}
