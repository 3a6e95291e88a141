# largeTrace.tcl -- a trace of any size for pictures: two processors under fixed priorities with preemption, whose load
# changes over time: a mode without camera, bursts of packets, an overload in which deadlines are missed.
#
#   largeTrace::write FILE EVENTS    the same arguments give the same bytes

namespace eval ::largeTrace {
    variable number 1       ;# last random number
    # processor task period cost(us); in order of priority
    variable tasks {
        core0 control 5000 1200
        core0 sensor 10000 1700
        core0 vision 40000 11000
        core0 logger 100000 9000
        core1 network 8000 1500
        core1 display 33000 6000
        core1 planner 50000 11000
        core1 diagnosis 200000 25000
    }
}

# A number from 0 to 1 (Park and Miller's generator).
proc ::largeTrace::random {} {
    variable number
    set number [expr {$number * 16807 % 2147483647}]
    expr {$number / 2147483647.0}
}

# What a job costs, in microseconds. at: where in the trace it is released, from 0 to 1.
proc ::largeTrace::cost {task cost at} {
    set factor [expr {0.7 + 0.5 * [random]}]
    switch $task {
        vision {
            if {$at > 0.28 && $at < 0.37} {set factor 0.02}
            if {$at > 0.66 && $at < 0.685} {set factor [expr {$factor * 2.3}]}
        }
        sensor {set factor [expr {$factor * (1 + 0.5 * sin($at * 19))}]}
        network {set factor [expr {$factor * (0.4 + 2.2 * max(0, sin($at * 47)) ** 4)}]}
        planner {set factor [expr {$at > 0.5 ? $factor * 1.6 : $factor}]}
    }
    expr {max(20, round($cost * $factor))}
}

# Runs the tasks of a processor until `end`. The result is a list of {time words}.
proc ::largeTrace::run {processor end} {
    variable tasks
    set names {}
    foreach {own task period cost} $tasks {
        if {$own ne $processor} continue
        lappend names $task
        set periods($task) $period
        set costs($task) $cost
        # Next release, jobs so far; the numbers of those not completed, and what is left of the first ({}: all of it).
        lassign {0 0 {} {}} next($task) count($task) jobs($task) left($task)
    }
    set events {}
    set now 0
    set running {}
    while {$now < $end} {
        # To the next release, or to the end of the job that runs.
        set release [::tcl::mathfunc::min {*}[lmap task $names {set next($task)}]]
        if {$running ne {} && $now + $left($running) <= $release} {
            incr now $left($running)
            lappend events [list $now "jobCompleted $running.[lindex $jobs($running) 0]"]
            set jobs($running) [lrange $jobs($running) 1 end]
            set left($running) {}
            set running {}
        } else {
            if {$running ne {}} {incr left($running) [expr {$now - $release}]}
            set now $release
        }
        # What is released, and the most urgent task that has a job.
        set urgent {}
        foreach task $names {
            if {$next($task) == $now} {
                lappend jobs($task) [incr count($task)]
                lappend events [list $now "jobArrived $task.$count($task) $task"]
                incr next($task) $periods($task)
            }
            if {$urgent eq {} && [llength $jobs($task)]} {set urgent $task}
        }
        if {$urgent eq $running} continue
        # It runs.
        set job $urgent.[lindex $jobs($urgent) 0]
        if {$running ne {}} {
            lappend events [list $now "jobPreempted $running.[lindex $jobs($running) 0] -target $job"]
        }
        lappend events [list $now "[expr {$left($urgent) eq {} ? {jobStarted} : {jobResumed}}] $job"]
        if {$left($urgent) eq {}} {set left($urgent) [cost $urgent $costs($urgent) [expr {double($now) / $end}]]}
        set running $urgent
    }
    return $events
}

# Writes about so many events, of 513 microseconds each on average; times are written in seconds.
proc ::largeTrace::write {file events} {
    variable tasks
    variable number 1
    set out [open $file w]
    puts $out "newProcessor core0\nnewProcessor core1"
    set priority 0
    foreach {processor task period cost} $tasks {
        set seconds [expr {$period / 1e6}]
        puts $out "newTask $task -name [string totitle $task] -priority [incr priority] -processor $processor\
            -T $seconds -D $seconds"
    }
    set all [concat {*}[lmap processor {core0 core1} {run $processor [expr {$events * 513}]}]]
    foreach event [lsort -integer -index 0 $all] {
        lassign $event time words
        puts $out "plot [format %d.%06d [expr {$time / 1000000}] [expr {$time % 1000000}]] $words"
    }
    close $out
}
