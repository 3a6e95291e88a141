# check-execution.tcl -- the check "execution": jobs execute no longer than the worst case of their task, -C.
#
# What counts is the net execution: time running without the interrupts that ran on top, which are not the task's code.
#
#   over      invalid    executed for longer; also of a job that is not complete yet
#   unknown   uncertain  jobs in an unknown state for some time, and not seen to execute for longer

plugin check-execution -title "Check: execution times" -help "jobs execute no longer than their task's -C"
check execution -title "Worst-case execution times" -needs jobs -start judge -advice {
    invalid "Compare with -C of the task: the estimate is too low, or the job did more than was estimated."
    uncertain "Something was not recorded here: record without losses (larger buffers), or judge a time without gaps."
} -help "a job executes for longer than its task's -C"

proc judge {trace} {eachFact execution tell}

# Reports a finding for a fact.
proc tell {row} {
    dict with row {}
    set objects [list [list job $job] [list task $task]]
    switch $fact {
        over {
            report invalid $time $objects "job [quoted $job] executed for [told $amount] by [moment $end], and its\
                task's worst case is [told $limit]" -end $end -line $line
        }
        unknown {
            report uncertain $time $objects "[counted $count job] of task [quoted $task], with a worst case of\
                [told $limit], may have executed in a stretch of which nothing is known, job [quoted $job] first" \
                -line $line
        }
    }
}
