# researcher.tcl -- a researcher's own simulator of global EDF, and what its traces say.
#
# Two processors, three tasks: two light ones with early deadlines keep the heavy one waiting, which misses (the effect
# that Dhall and Liu describe). The simulator prints the language of tactus_trace(5).

namespace eval ::users::researcher {
    variable tasks {t1 {2 10 10} t2 {2.5 10 10} t3 {10 11 11}}      ;# C D T
    variable step 0.5
}

# A run of 66 time units; from `wrongFrom` on, for 3 units, the job with the latest deadline takes a processor first.
proc ::users::researcher::simulate {{wrongFrom {}}} {
    variable tasks
    variable step
    set lines {}
    foreach processor {p0 p1} {lappend lines "newProcessor $processor -cluster both -scheduler edf"}
    dict for {id parameters} $tasks {
        lassign $parameters C D T
        lappend lines "newTask $id -C $C -D $D -T $T"
    }
    set ready {}        ;# job -> dict left deadline started
    set on {p0 {} p1 {}}
    for {set now 0} {$now < 66} {set now [expr {$now + $step}]} {
        foreach {processor job} $on {
            if {$job eq {} || [dict get $ready $job left] > 0} continue
            lappend lines "plot $now jobCompleted $job -processor $processor"
            dict unset ready $job
            dict set on $processor {}
        }
        dict for {id parameters} $tasks {
            lassign $parameters C D T
            if {fmod($now, $T) != 0} continue
            set job $id.[expr {int($now / $T) + 1}]
            lappend lines "plot $now jobArrived $job $id"
            dict set ready $job [dict create left $C deadline [expr {$now + $D}] started 0]
        }
        set wrong [expr {$wrongFrom ne {} && $now >= $wrongFrom && $now < $wrongFrom + 3}]
        lappend lines {*}[dispatch $now ready on $wrong]
    }
    join [lappend lines {}] \n
}

# Gives the processors to the two most urgent jobs, each of which stays where it runs, and lets them run for a step.
proc ::users::researcher::dispatch {now readyName onName wrong} {
    upvar 1 $readyName ready $onName on
    variable step
    set order [lsort -real -index 0 -stride 2 [concat {*}[lmap {id job} $ready {list [dict get $job deadline] $id}]]]
    set chosen [lmap {- id} $order {set id}]
    if {$wrong} {set chosen [lreverse $chosen]}
    set chosen [lrange $chosen 0 1]
    set lines {}
    foreach {processor job} $on {
        if {$job in $chosen || $job eq {}} continue
        lappend lines "plot $now jobPreempted $job -processor $processor"
        dict set on $processor {}
    }
    foreach job $chosen {
        if {$job in [dict values $on]} continue
        set processor [expr {[dict get $on p0] eq {} ? "p0" : "p1"}]
        set event [expr {[dict get $ready $job started] ? "jobResumed" : "jobStarted"}]
        lappend lines "plot $now $event $job -processor $processor"
        dict set ready $job started 1
        dict set on $processor $job
    }
    foreach job $chosen {dict set ready $job left [expr {[dict get $ready $job left] - $step}]}
    return $lines
}

proc ::users::researcher::prepare {} {
    ::users::write edf.tactus [simulate]
    ::users::write wrong.tactus [simulate 40]
}

# Recomputes jobs, late jobs and the figures of tasks, then processors and verdicts.
proc ::users::researcher::judge {} {
    variable tasks
    set jobs [::users::jobs edf.tactus]
    set stats [::users::table jobs.csv]
    ::users::agree "jobs" [dict size $jobs] [llength $stats]
    set late {}
    dict for {id job} $jobs {
        set row [::users::row $stats job $id]
        foreach measure {response lateness} {
            ::users::agree "$measure of $id" [::users::$measure $job] [dict get $row $measure]
        }
        if {[dict get $job completion] ne {}} {
            ::users::agree "execution of $id" [::users::execution $job] [dict get $row execution]
        }
        if {[set lateness [::users::lateness $job]] ne {} && $lateness > 0} {lappend late $id}
    }
    ::users::agree "late jobs" $late [lmap row [::users::table late.csv] {dict get $row job}]
    set stats [::users::table tasks.csv]
    foreach task [dict keys $tasks] {
        set row [::users::row $stats task $task]
        set responses [::users::values $jobs $task response]
        ::users::agree "longest response of $task" [lindex [lsort -real $responses] end] [dict get $row response_max]
        ::users::agree "mean response of $task" [expr {[::users::sum $responses] / [llength $responses]}] \
            [dict get $row response_mean]
        ::users::agree "misses of $task" [misses $jobs $task] [dict get $row misses]
    }
    judgeProcessors $jobs
    judgeVerdicts $late
    judgeFigures
}

# Jobs that are complete after their deadlines, or are not complete and were due before the recording's end.
proc ::users::researcher::misses {jobs task} {
    set misses 0
    set end [lindex [split [lindex [::users::lines edf.tactus] end]] 1]
    dict for {id job} $jobs {
        if {[dict get $job task] ne $task} continue
        set over [expr {[dict get $job completion] eq {} ? $end : [dict get $job completion]}]
        if {$over > [dict get $job deadline]} {incr misses}
    }
    return $misses
}

proc ::users::researcher::judgeProcessors {jobs} {
    set busy {p0 0 p1 0}
    dict for {id job} $jobs {
        foreach run [dict get $job runs] {
            lassign $run processor begin end
            dict set busy $processor [expr {[dict get $busy $processor] + min($end, 55) - min($begin, 55)}]
        }
    }
    set stats [::users::table processors.csv]
    foreach processor {p0 p1} {
        ::users::agree "busy $processor" [dict get $busy $processor] \
            [dict get [::users::row $stats processor $processor] busy]
    }
}

# The schedule is a correct one of EDF, though jobs are late; the other run has an inversion at 40.
proc ::users::researcher::judgeVerdicts {late} {
    ::users::agree "the schedule" 0 [string trim [::users::read right.status]]
    ::users::agree "with deadlines" 1 [string trim [::users::read deadlines.status]]
    foreach id $late {
        ::users::agree "$id is told" 1 \
            [regexp "error: job [string map {. \\.} $id] was due" [::users::read deadlines.txt]]
    }
    ::users::agree "the wrong schedule" 1 [string trim [::users::read wrong.status]]
    ::users::agree "is wrong at 40" 1 [regexp {\m40\M.*\[priority\]} [::users::read wrong.txt]]
}

# The figure has the width of a column, and is the same file when it is drawn again.
proc ::users::researcher::judgeFigures {} {
    set channel [open edf.pdf rb]
    set pdf [::read $channel]
    close $channel
    set channel [open again.pdf rb]
    set again [::read $channel]
    close $channel
    ::users::agree "drawn again" 1 [string equal $pdf $again]
    regexp {/MediaBox \[ ?0 0 ([0-9.]+)} $pdf -> width
    ::users::agree "width" [expr {3.5 * 72}] $width
}
