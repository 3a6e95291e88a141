# csvFormat.tcl -- a converter of the published manner: lines "time,job,state" become a trace.

addTraceFormat csv csvToTrace

proc csvToTrace {file} {
    set channel [open $file]
    set lines [split [string trim [read $channel]] \n]
    close $channel
    set trace ""
    array set known {}
    foreach line [lrange $lines 1 end] {
        lassign [split $line ,] time job state
        set task [lindex [split $job .] 0]
        if {![info exists known($task)]} {
            set known($task) 1
            append trace "newTask $task\n"
        }
        switch $state {
            release {append trace "plot $time jobArrived $job $task\n"}
            run {append trace "plot $time jobResumed $job\n"}
            stop {append trace "plot $time jobPreempted $job\n"}
            done {append trace "plot $time jobCompleted $job\n"}
        }
    }
    return $trace
}
