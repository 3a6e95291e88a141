# latency.tcl -- measures from a job's arrival to its first start and to its completion; the summary comes with
# TraceFinished.

set started {}
set results {}

proc latencyReset {args} {
    global started results
    set started [dict create]
    set results [list]
}

proc latencyStart {time job args} {
    global started
    if {![dict exists $started $job]} {dict set started $job [expr {$time - [$job release]}]}
}

proc latencyEnd {time job args} {
    global started results
    if {![dict exists $started $job]} return
    lappend results [list [[$job task] name] [dict get $started $job] [expr {$time - [$job release]}]]
    dict unset started $job
}

proc latencyReport {} {
    global results
    foreach result $results {
        lassign $result task start response
        puts [format "%-8s start %s response %s" $task $start $response]
    }
}

addHandler TraceOpened latencyReset
foreach event {jobStarted jobResumed} {addEventHandler $event latencyStart}
addEventHandler jobCompleted latencyEnd
addHandler TraceFinished latencyReport
