# check-affinity.tcl -- the check "affinity": jobs run on the processor to which they are assigned.
#
# A job is assigned by -processor of newJob, else by that of its task. Tasks without one may run anywhere; so the check
# judges nothing under global scheduling, unless its tasks are defined as if they were partitioned. Unknown states are
# uncertain.

plugin check-affinity -title "Check: affinity" -help "jobs run where their tasks are assigned (partitioned scheduling)"
check affinity -title "Affinity" -needs {jobs processors} -start judge -advice {
    invalid "The panel of details says who else ran there; -cpus of the task, or of its mapping, says where it may run."
    uncertain "Something was not recorded here: record without losses (larger buffers), or judge a time without gaps."
} -help "a job runs where its task is not assigned"

proc judge {trace} {
    eachFact affinity tell
    reportUnknown "a job may have run elsewhere in it"
}

proc tell {row} {
    dict with row {}
    report invalid $time [list [list job $job] [list task $task] [list processor $processor]] \
        "job [quoted $job] ran on processor [quoted $processor] from [moment $time] to [moment $end]; it is assigned to\
        [quoted $elsewhere]" -end $end -line $line
}
