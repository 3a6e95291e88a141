# check-affinity.tcl -- the check "affinity": jobs run on the processors to which they are assigned.
#
# A job is assigned by -processor of newJob, else by -cpus of its task, else by -processor of that. Tasks without them
# may run anywhere; so the check judges nothing under global scheduling without affinities. Unknown states are
# uncertain.

plugin check-affinity -title "Check: affinity" -help "jobs run where their tasks are assigned (partitioned scheduling)"
check affinity -title "Affinity" -needs {jobs processors} -start judge -advice {
    invalid "The panel of details says who else ran there; -cpus of the task, or of its mapping, says where it may run."
    uncertain "Something was not recorded here: record without losses (larger buffers), or judge a time without gaps."
} -help "a job runs where its task is not assigned"

proc judge {trace} {
    eachFact affinity [list tell $trace]
    reportUnknown "a job may have run elsewhere in it"
}

proc tell {trace row} {
    if {[unread]} {
        report invalid [dict get $row time] {} {}
        return
    }
    dict with row {}
    set where [expr {$elsewhere ne {} ? "it is assigned to [quoted $elsewhere]"
        : "its task may run on [dict get [$trace look task $task $time] cpus]"}]
    report invalid $time [list [list job $job] [list task $task] [list processor $processor]] \
        "job [quoted $job] ran on processor [quoted $processor] from [told $time] to [told $end]; $where" \
        -end $end -line $line
}
