# randomTrace.tcl -- random traces, each made from a seed, so that a failure can be repeated.
#
#   randomTrace::make SEED N              messy: any event at any time, several recorders, all kinds of objects
#   randomTrace::makeValid SEED N         a schedule as a real system has it
#   randomTrace::makeInterrupted SEED N   threads with interrupts on top, and stretches that are not known

namespace eval randomTrace {
    variable state 1
}

# ---- chance: the same on every machine -------------------------------------------------------------------------------

proc randomTrace::seed {seed} {
    variable state [expr {$seed * 2654435761 % 4294967296}]
    roll 2
}

proc randomTrace::roll {n} {
    variable state
    set state [expr {($state * 6364136223846793005 + 1442695040888963407) & 0xffffffffffffffff}]
    expr {($state >> 33) % $n}
}

proc randomTrace::one {list} {
    lindex $list [roll [llength $list]]
}

proc randomTrace::chance {percent} {
    expr {[roll 100] < $percent}
}

# ---- traces ----------------------------------------------------------------------------------------------------------

# Units of time, so that decimals of several lengths occur in one trace.
proc randomTrace::timeText {t} {
    upvar 1 unit unit
    switch $unit {
        1 {return $t}
        4 {return [string trimright [string trimright [format %.2f [expr {$t / 4.0}]] 0] .]}
        8 {return [format %.3f [expr {$t / 8.0}]]}
    }
}

# Lines that define random objects, whose ids the caller's variables get.
proc randomTrace::definitions {} {
    upvar 1 cpus cpus tasks tasks jobs jobs servers servers mutexes mutexes semaphores semaphores \
        buffers buffers unit unit
    set lines {}
    set cpus [lrange {cpu0 cpu1 cpu2} 0 [roll 4]-1]
    foreach cpu $cpus {lappend lines "newProcessor $cpu"}
    set tasks [lrange {t0 t1 t2 t3 t4} 0 [roll 5]]
    foreach task $tasks {
        set line "newTask $task"
        if {$cpus ne {} && [chance 60]} {append line " -processor [one $cpus]"}
        if {[chance 50]} {append line " -D [timeText [roll 200]]"}
        if {[chance 30]} {append line " -kind [one {isr softirq}]"}
        lappend lines $line
    }
    set jobs {}
    foreach task $tasks {for {set i 0} {$i < 1 + [roll 6]} {incr i} {lappend jobs [list $task.$i $task]}}
    for {set i 0} {$i < [roll 3]} {incr i} {
        set task [one $tasks]
        lappend jobs [list free$i $task]
        set line "newJob free$i $task"
        if {$cpus ne {} && [chance 50]} {append line " -processor [one $cpus]"}
        lappend lines $line
    }
    set servers [lrange {s0 s1 s2} 0 [roll 4]-1]
    foreach server $servers {lappend lines "newServer $server -capacity [roll 20] -budget [timeText [roll 100]]"}
    set mutexes [lrange {m0 m1 m2} 0 [roll 4]-1]
    foreach mutex $mutexes {lappend lines "newMutex $mutex"}
    set semaphores [lrange {sem0 sem1} 0 [roll 3]-1]
    foreach semaphore $semaphores {lappend lines "newSemaphore $semaphore"}
    set buffers [lrange {b0 b1} 0 [roll 3]-1]
    foreach buffer $buffers {lappend lines "newBuffer $buffer -capacity [roll 6]"}
    return $lines
}

# Kinds of events and how often they come.
proc randomTrace::kinds {} {
    upvar 1 cpus cpus servers servers mutexes mutexes semaphores semaphores buffers buffers
    set \
        kinds \
        {ready unknown abandoned arrived arrived started resumed resumed resumed resumed preempted preempted preempted blocked completed completed
        deadline taskArrived taskDeadline annotation message}
    if {$cpus ne {}} {lappend kinds processor}
    if {$servers ne {}} {lappend kinds server server server}
    if {$mutexes ne {}} {lappend kinds mutex mutex mutex mutex}
    if {$semaphores ne {}} {lappend kinds semaphore}
    if {$buffers ne {}} {lappend kinds buffer buffer buffer}
    return $kinds
}

# A line with a random event of a kind, at the caller's time t.
proc randomTrace::event {kind} {
    upvar 1 cpus cpus tasks tasks jobs jobs servers servers mutexes mutexes semaphores semaphores \
        buffers buffers unit unit t t
    lassign [one $jobs] job task
    set when [timeText $t]
    set where [expr {$cpus ne {} && [chance 25] ? " -processor [one $cpus]" : {}}]
    set state [expr {[chance 30] ? " -state [roll 5]" : {}}]
    switch $kind {
        arrived {return "plot $when jobArrived $job $task$where"}
        started {return "plot $when jobStarted $job$where"}
        resumed {return "plot $when jobResumed $job$where"}
        preempted {return "plot $when jobPreempted $job$where -target [lindex [one $jobs] 0]"}
        blocked {return "plot $when jobBlocked $job"}
        ready {return "plot $when jobReady $job$where"}
        unknown {return "plot $when jobUnknown $job$where"}
        abandoned {return "plot $when jobAbandoned $job"}
        processor {return "plot $when [one {processorUnknown processorUnknown processorIdle}] [one $cpus]"}
        completed {return "plot $when jobCompleted $job"}
        deadline {return "plot [timeText [expr {$t + [roll 60] - 5}]] jobDeadline $job"}
        taskArrived {return "plot $when taskArrived [one $tasks]"}
        taskDeadline {return "plot [timeText [expr {$t + [roll 300]}]] taskDeadline [one $tasks]"}
        annotation {return "plot $when taskAnnotation [one $tasks] [timeText [expr {$t + [roll 50]}]] -message x[one {
            {} {} { -from mark} { -from call} { -from entry -hidden}}]"}
        message {return "plot $when message text[one [list {} {} { -from event} { -shape none} " -task [one $tasks]" \
            " -shape none -from mark -task [one $tasks]"]]"}
        server {return "plot $when [one {{serverResumed %s} {serverResumed %s} {serverPreempted %s} {serverPreempted %s}
            {serverDepleted %s} {serverReplenished %s %b}}]"}
        mutex {return "plot $when [one {jobAcquiredMutex jobAcquiredMutex jobReleasedMutex}] $job [one $mutexes]"}
        semaphore {return "plot $when [one {jobAcquiredSemaphore jobReleasedSemaphore jobSuspendedOnSemaphore}] $job\
            [one $semaphores]$state"}
        buffer {return \
            "bufferplot $when [one \
                {{push %u %d} {push %u %d} {write %u %d} {pop %u} {read %u} {insert %u %d %i} {drop %u %i} {resize %u %i}}]"}
    }
}

# %s server, %b budget, %u buffer, %d datum, %i index
proc randomTrace::fill {line} {
    upvar 1 servers servers buffers buffers unit unit
    foreach {mark list} [list %s $servers %u $buffers] {
        if {[string match *$mark* $line]} {set line [string map [list $mark [one $list]] $line]}
    }
    string map [list %b [timeText [roll 120]] %d d[roll 100] %i [expr {[roll 8] - 1}]] $line
}

# A trace; half of them written by several recorders whose files were concatenated, so that time goes back.
proc randomTrace::make {seed nEvents} {
    seed $seed
    set unit [one {1 1 4 8}]
    set lines [definitions]
    set kinds [kinds]
    if {[chance 20]} {set kinds {arrived ready unknown resumed resumed resumed preempted preempted blocked completed}}
    set steps [one {{0 0 0 1 2 5} {1 2 3 7} {0 0 0 0 0 10} {4 8 40}}]
    set t [expr {[roll 40] - 20}]
    set files [lrepeat [one {1 1 2 3}] {}]
    for {set i 0} {$i < $nEvents} {incr i} {
        incr t [one $steps]
        set which [roll [llength $files]]
        lset files $which [linsert [lindex $files $which] end [fill [event [one $kinds]]]]
    }
    join [concat $lines {*}$files] \n
}

# A schedule as a real system has it: fixed priorities on each processor, jobs that run to completion, locks that nest.
proc randomTrace::makeValid {seed nEvents} {
    seed $seed
    set unit [one {1 4}]
    set lines [list "newProcessor cpu0" "newProcessor cpu1"]
    set tasks {t0 t1 t2 t3}
    foreach task $tasks {lappend lines "newTask $task -D [timeText [expr {20 + [roll 60]}]] -processor cpu[roll 2]"}
    lappend lines "newMutex m0" "newMutex m1"
    set t [roll 10]
    set n 0
    array set active {cpu0 {} cpu1 {}}
    while {[llength $lines] < $nEvents} {
        incr t [roll 6]
        set when [timeText $t]
        set cpu cpu[roll 2]
        set running $active($cpu)
        if {[chance 45]} {
            set task [one $tasks]
            set job $task.[incr n]
            lappend lines "plot $when jobArrived $job $task -processor $cpu"
            if {$running ne {}} {lappend lines "plot $when jobPreempted [lindex $running end] -target $job"}
            lappend lines "plot $when jobStarted $job -processor $cpu"
            lappend active($cpu) $job
            if {[chance 30]} {
                lappend lines "plot $when jobAcquiredMutex $job m0" "plot $when jobAcquiredMutex $job m1" \
                    "plot $when jobReleasedMutex $job m1" "plot $when jobReleasedMutex $job m0"
            }
        } elseif {$running ne {}} {
            lappend lines "plot $when jobCompleted [lindex $running end]"
            set active($cpu) [lrange $running 0 end-1]
            if {$active($cpu) ne {}} {lappend lines "plot $when jobResumed [lindex $active($cpu) end]"}
        } elseif {[chance 30]} {
            set other [expr {$cpu eq "cpu0" ? "cpu1" : "cpu0"}]
            if {$active($other) eq {}} continue
            set job [lindex $active($other) end]
            lappend lines "plot $when jobResumed $job -processor $cpu" "plot $when jobPreempted $job"
            set active($other) [lrange $active($other) 0 end-1]
            set active($cpu) [list $job]
        }
    }
    join $lines \n
}

# Threads that are scheduled, on whom interrupts and softirqs nest, and stretches that are not known.
proc randomTrace::makeInterrupted {seed nEvents} {
    seed $seed
    set unit [one {1 4}]
    set lines \
        {{newProcessor cpu0} {newProcessor cpu1} {newTask t0} {newTask t1} {newTask i0 -kind isr} {newTask i1 -kind isr} {newTask s0 -kind softirq}}
    array set thread {cpu0 {} cpu1 {}}
    array set stack {cpu0 {} cpu1 {}}
    set t [roll 10]
    set n 0
    while {[llength $lines] < $nEvents} {
        incr t [roll 4]
        set when [timeText $t]
        set cpu cpu[roll 2]
        switch [one {interrupt interrupt end end thread stop unknown known}] {
            interrupt {
                if {[llength $stack($cpu)] == 8} continue
                set task [one {i0 i1 s0}]
                lappend lines "plot $when jobArrived $task.[incr n] $task" \
                    "plot $when jobResumed $task.$n -processor $cpu"
                lappend stack($cpu) $task.$n
            }
            end {
                if {$stack($cpu) eq {}} continue
                lappend lines "plot $when jobCompleted [lindex $stack($cpu) end]"
                set stack($cpu) [lrange $stack($cpu) 0 end-1]
            }
            thread {
                if {$thread($cpu) ne {}} continue
                set task [one {t0 t1}]
                set thread($cpu) $task.[incr n]
                lappend lines "plot $when jobArrived $task.$n $task"
                if {[chance 50]} {lappend lines "plot [timeText [incr t [roll 3]]] jobReady $task.$n"}
                lappend lines "plot [timeText [incr t [roll 3]]] jobResumed $task.$n -processor $cpu"
            }
            stop {
                if {$thread($cpu) eq {}} continue
                lappend lines "plot $when job[one {Preempted Blocked Completed}] $thread($cpu)"
                set thread($cpu) {}
            }
            unknown {
                if {$thread($cpu) ne {}} {lappend lines "plot $when jobUnknown $thread($cpu)"}
                lappend lines "plot $when processorUnknown $cpu"
            }
            known {
                lappend lines [expr {$thread($cpu) eq {} ? "plot $when processorIdle $cpu"
                    : "plot $when jobResumed $thread($cpu) -processor $cpu"}]
            }
        }
    }
    join $lines \n
}
