# check-deadline.tcl -- the check "deadline": jobs complete in time.
#
# A job's deadline is that of jobDeadline, else its release plus its task's -D; without both, that of taskDeadline. A
# completion at the deadline is in time.
#
#   late        invalid    completed after its deadline
#   unfinished  invalid    not completed at its deadline, nor later in the recording
#   due         uncertain  not completed when the recording ended, and due at that very moment
#   open        a note     jobs not completed when the recording ended, and due later: recordings end somewhere, so they
#                          are not judged; a trace without other jobs that have deadlines is inapplicable
#   abandoned   uncertain  a new job with its id arrived, and no completion was recorded
#   unknown     uncertain  not seen to complete, and in an unknown state for some time
#   noRelease   uncertain  the release was not recorded, so its deadline is not known

plugin check-deadline -title "Check: deadlines" -help "jobs complete by their deadlines"
check deadline -title "Deadlines" -needs jobs -start judge -advice {
    invalid "Click it: the details take its response time apart, by who was in the way."
    uncertain "The recording lacks releases or completions: record longer, or without losses."
} -help "a job missed its deadline, or was still running when due"

proc judge {trace} {eachFact deadline tell}

# Reports a finding for a fact: late jobs are invalid, unknown facts uncertain.
proc tell {row} {
    dict with row {}
    set objects [list [list job $job] [list task $task]]
    set name "job [quoted $job]"
    switch $fact {
        late {report invalid $time $objects \
            "$name was due at [moment $limit] and completed at [moment $end], [told $amount] too late" \
            -end $end -line $line}
        unfinished {report invalid $time $objects \
            "$name was due at [moment $limit] and was not completed by [moment $end]" \
            -end $end -line $line}
        due {
            report uncertain $time $objects \
                "$name was not completed at the end of the recording at [moment $end], when it was due" \
                -end $end -line $line
        }
        open {
            report valid $time $objects "[counted $count job] not completed at the end of the recording at\
                [moment $end], due later, not judged: $name, due at\
                [moment $limit][expr {$count > 1 ? ", is the first" : {}}]" \
                -end $end -line $line
        }
        abandoned {
            report uncertain $time $objects \
                "$name was not seen to complete before its id arrived anew at [moment $end];\
                it was due at [moment $limit]" \
                -end $end -line $line
        }
        unknown {
            report uncertain $time $objects \
                "$name was due at [moment $limit]; it was completed by [moment $end] or not at all,\
                the trace does not tell when" \
                -end $end -line $line
        }
        noRelease {
            report uncertain $time $objects \
                "the release of [counted $count job] of task [quoted $task] was not recorded, $name at\
                [moment $time] first: who was due when is not known" -line $line
        }
    }
}
