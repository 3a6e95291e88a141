# check-sanity.tcl -- the check "sanity": events that are impossible under any scheduler.
#
#   twoJobs, twoProcessors  invalid    two jobs run on one processor, one job runs on two, for longer than an instant
#   beforeRelease           invalid    a job was used before its (only) release
#   afterCompletion         invalid    a job ran after its completion; warning: some recorders mean work between jobs
#   completedTwice          invalid    warning: as above
#   jobBack                 invalid    the file goes back in time within a job on one processor; warning
#   clockBack               uncertain  the same on a processor with a synchronized clock, which may have been set back
#   noRelease               uncertain  jobs without a recorded release: they may have been used before it
#   afterCompletionAtOnce   uncertain  completed and resumed at one instant
#   unknown                 uncertain  a task or processor is in an unknown state
#   fileBack                valid      a note: the file is not in order of time; its order decides at equal times only
#
# Work between jobs does not count as running here, since recorders do not write its end. In a trace of several
# processors, jobs without one run on the processor "default", which may stand for several: two at once are uncertain.
# So are two at once by the word of programs that recorded themselves without the kernel: the system has preempted or
# moved one of them, of which the program does not know.

plugin check-sanity -title "Check: sanity" \
    -help "one job on a processor at a time, and none before its release or after its completion"
check sanity -title "Sanity" -needs jobs -start judge -advice {
    invalid "The trace contradicts itself here: look at its line (panel Source)."
    uncertain "Something was not recorded here: record without losses (larger buffers), or judge a time without gaps."
} -help "on two processors at once, two jobs on one processor, before the release, after the completion, back in time"

proc judge {trace} {
    set info [$trace info]
    set programs [dict get $info programs]
    set places [dict get $info objects processor]
    eachFact sanity [list tell $programs $places]
    reportUnknown "what happened in it cannot be judged"
}

proc tell {programs places row} {
    lassign [sentence $row $programs] text objects
    lassign [verdict $row $places $programs] verdict severity
    set options [expr {$severity eq {} ? {} : [list -severity $severity]}]
    report $verdict [dict get $row time] $objects $text -end [dict get $row end] \
        -line [dict get $row line] {*}$options
}

proc verdict {fact places programs} {
    set default [expr {$places > 1 && [dict get $fact processor] eq "default"}]
    switch [dict get $fact fact] {
        twoProcessors - beforeRelease {return invalid}
        twoJobs {return [expr {$default || $programs ? "uncertain" : "invalid"}]}
        afterCompletion - completedTwice - jobBack {return {invalid warning}}
        fileBack {return {valid note}}
        default {return uncertain}
    }
}

# The sentence of a fact, and its objects: {text objects}. programs: jobs are as these tell.
proc sentence {row programs} {
    dict with row {}
    set name "job [quoted $job]"
    set place "processor [quoted $processor]"
    set own [list [list job $job]]
    set there [expr {$processor in {{} default} ? {} : [list [list processor $processor]]}]
    switch $fact {
        twoJobs {
            set both "$name and job [quoted $other]"
            set end "[moment $end][expr {$programs ? ", as their programs tell" : {}}]"
            list [expr {$count > 1 ? "several jobs ran at once on $place from [moment $time] to $end, $both first"
                : "$both ran at once on $place from [moment $time] to $end"}] [list {*}$own [list job $other] {*}$there]
        }
        twoProcessors {
            list "$name was resumed on $place at [moment $time] while it ran on processor [quoted $elsewhere]" \
                [list {*}$own {*}$there [list processor $elsewhere]]
        }
        beforeRelease {list "$name was used at [moment $time], before its release at [moment $end]" $own}
        noRelease {
            list "the release of [counted $count job] of task [quoted $task] was not recorded,\
                $name at [moment $time] first" \
                [list [list task $task] {*}$own]
        }
        afterCompletion {
            list "$name ran from [moment $time] to [moment $end], after its completion at [moment $limit]" $own
        }
        afterCompletionAtOnce {list "$name was resumed at [moment $time], the instant at which it completed" $own}
        completedTwice {list "$name completed once more at [moment $time]" $own}
        jobBack {list "the file goes back from [moment $end] to [moment $time] among the events of $name" \
            [list {*}$own {*}$there]}
        clockBack {list "the clock of $place was set back: the file goes from [moment $end] to [moment $time]\
            ([counted $count time])" $there}
        fileBack {list "the file goes back from [moment $end] to [moment $time] on $place ([counted $count time]):\
            it is not in the order of time" $there}
    }
}
