# kernelSimulator.tcl -- a small scheduler that does random things, what a kernel writes of them, and the truth beside
# it.
#
#   kernelSimulator::run SEED N             N steps; then
#   kernelSimulator::lines                  the events, as lines for kernelText::make
#   kernelSimulator::forget SEED            events that no switch or wake-up tells of any more, and nothing says so
#   kernelSimulator::lose SEED              blocks of events of a processor are gone, and a line says so
#   kernelSimulator::check TRACE ?exact?    what the trace claims and the truth denies: a list of sentences, empty when
#                                           all is well
#
# Processors choose at random whom they run: nothing here relies on priorities. Times are microseconds; several events
# may have the same.
#
# The truth: of a thread `sleeping`, `waking` (asked to wake up), `ready`, `running`, `blocked` (in state D), `gone`; of
# a processor the pid that runs. Every claim of a trace is compared with it: a thread that is shown as waiting or
# preempted must be ready (or waking, or blocked and waking), one that is shown running must run there, one that is
# shown blocked must be blocked, and a processor that is counted as idle must be idle. `unknown` is always true. With
# `exact` nothing may be unknown, and what is true must be shown.
#
# That a thread sleeps is claimed by showing no job. Events that are lost may have been whole jobs; so this is checked
# only where no loss is said.

namespace eval kernelSimulator {
    variable cpus
    variable now
    variable events     ;# {time cpu pid event word ...}; those of a loss: {lost cpu n}
    variable current    ;# by processor: pid
    variable state      ;# by pid
    variable queue      ;# by pid: processor where it is ready, or was last
    variable slept      ;# by pid: the state it is woken from
    variable truth      ;# by pid: {time state ...}
    variable ran        ;# by processor: {time pid ...}
    variable pending    ;# {pid target}: wake-ups that are not done yet
    variable forkable
    variable lossy 0
}

# One of a list; {} of an empty one.
proc kernelSimulator::any {list} {
    expr {[llength $list] ? [randomTrace::one $list] : {}}
}

# ---- the scheduler ---------------------------------------------------------------------------------------------------

proc kernelSimulator::becomes {pid new} {
    variable state
    variable truth
    variable now
    dict set state $pid $new
    dict lappend truth $pid $now $new
}

proc kernelSimulator::runs {cpu pid} {
    variable current
    variable ran
    variable now
    dict set current $cpu $pid
    dict lappend ran $cpu $now $pid
}

proc kernelSimulator::tell {cpu args} {
    variable events
    variable now
    variable current
    lappend events [list $now $cpu [dict get $current $cpu] {*}$args]
}

proc kernelSimulator::those {wanted {cpu {}}} {
    variable state
    variable queue
    set result {}
    dict for {pid is} $state {
        if {$is in $wanted && ($cpu eq {} || [dict get $queue $pid] == $cpu)} {lappend result $pid}
    }
    return $result
}

# Begins anew, and lets so many random steps happen.
proc kernelSimulator::run {seed n} {
    variable cpus
    variable now 0
    variable events {}
    variable current {}
    variable state {}
    variable queue {}
    variable slept {}
    variable truth {}
    variable ran {}
    variable pending {}
    variable forkable {}
    variable lossy 0
    randomTrace::seed $seed
    set cpus [lrange {0 1 2} 0 [randomTrace::roll 3]]
    foreach cpu $cpus {runs $cpu 0}
    foreach pid [lrange {11 12 13 14 15} 0 [expr {1 + [randomTrace::roll 4]}]] {
        dict set queue $pid [randomTrace::one $cpus]
        dict set slept $pid sleeping
        becomes $pid sleeping
    }
    foreach cpu $cpus {tell $cpu mark begin}
    for {set i 0} {$i < $n} {incr i} {
        incr now [randomTrace::one {0 1 1 1 2 5}]
        set cpu [randomTrace::one $cpus]
        [randomTrace::one \
            {wake wake spurious finish finish switch switch switch switch switch mark migrate interrupt fork}] $cpu
    }
    incr now
    foreach cpu $cpus {tell $cpu mark end}
}

proc kernelSimulator::mark {cpu} {tell $cpu mark here}

proc kernelSimulator::wake {cpu} {
    variable pending
    variable queue
    variable cpus
    set pid [any [those {sleeping blocked}]]
    if {$pid eq {}} {return}
    variable state
    variable slept
    dict set slept $pid [dict get $state $pid]
    tell $cpu waking $pid [dict get $queue $pid]
    becomes $pid waking
    lappend pending $pid [randomTrace::one $cpus]
    if {[randomTrace::chance 50]} {finish $cpu}
}

# A wake-up is done, by any processor.
proc kernelSimulator::finish {cpu} {
    variable pending
    variable queue
    if {![llength $pending]} {return}
    set pending [lassign $pending pid target]
    if {$target != [dict get $queue $pid] && [randomTrace::chance 50]} {tell $cpu migrate $pid $target}
    dict set queue $pid $target
    becomes $pid ready
    tell $cpu wakeup $pid $target
}

# A thread that was about to sleep, and still runs or was preempted then, is woken: nothing happens.
proc kernelSimulator::spurious {cpu} {
    variable queue
    set pid [any [those running]]
    if {$pid eq {}} {return}
    tell $cpu waking $pid [dict get $queue $pid]
    tell $cpu wakeup $pid [dict get $queue $pid]
}

proc kernelSimulator::switch {cpu} {
    variable current
    variable queue
    variable slept
    set before [dict get $current $cpu]
    set next [any [those ready $cpu]]
    if {$next eq {}} {set next 0}
    set letter R
    if {$before} {set letter [randomTrace::one {S S S S R R R D D I S S X}]}
    if {$next == 0 && $letter eq "R"} {return}
    if {$letter eq "X"} {tell $cpu exit $before}
    tell $cpu switch $before $letter $next
    if {$before} {
        set is [dict get {R ready S sleeping I sleeping D blocked X gone} $letter]
        becomes $before $is
    }
    if {$next} {becomes $next running}
    runs $cpu $next
}

proc kernelSimulator::migrate {cpu} {
    variable queue
    variable cpus
    set pid [any [those ready]]
    if {$pid eq {}} {return}
    set target [randomTrace::one $cpus]
    if {$target == [dict get $queue $pid]} {return}
    dict set queue $pid $target
    tell $cpu migrate $pid $target
}

proc kernelSimulator::interrupt {cpu} {
    variable now
    tell $cpu irq 36 eth0
    incr now [randomTrace::roll 2]
    wake $cpu
    tell $cpu irqend 36
}

# A new thread, perhaps with the pid of one that is gone.
proc kernelSimulator::fork {cpu} {
    variable current
    variable queue
    variable cpus
    variable slept
    set parent [dict get $current $cpu]
    set pid [any [concat 21 22 [those gone]]]
    if {!$parent || $pid in [those {sleeping waking ready running blocked}]} {return}
    set target [randomTrace::one $cpus]
    tell $cpu fork $parent $pid
    dict set queue $pid $target
    dict set slept $pid sleeping
    becomes $pid ready
    tell $cpu new $pid $target
}

# ---- what is left out ------------------------------------------------------------------------------------------------

# Switches, each of which the next event of its processor gives away, and wake-ups with both halves.
proc kernelSimulator::forget {seed} {
    variable events
    randomTrace::seed $seed
    set kept {}
    set gap {}          ;# processors of which nothing was kept since a switch went
    set quiet {}        ;# threads whose wake-up goes
    set woken 0         ;# without any, a trace has none
    foreach event $events {
        lassign $event time cpu pid what about
        if {$what eq "switch" && $cpu ni $gap && [randomTrace::chance 15]} {
            lappend gap $cpu
            continue
        }
        if {$what eq "waking" && $woken && [randomTrace::chance 10]} {lappend quiet $about}
        if {$what eq "wakeup"} {set woken 1}
        if {$what in {waking wakeup migrate} && $about in $quiet} {continue}
        if {$what eq "switch"} {set quiet [lsearch -all -inline -not -exact $quiet [lindex $event 5]]}
        set gap [lsearch -all -inline -not -exact $gap $cpu]
        lappend kept $event
    }
    set events $kept
}

proc kernelSimulator::lose {seed} {
    variable events
    variable cpus
    variable lossy 1
    randomTrace::seed $seed
    foreach cpu $cpus {set left($cpu) 0; set gone($cpu) 0}
    set kept {}
    foreach event $events {
        set cpu [lindex $event 1]
        if {$left($cpu) == 0 && [randomTrace::chance 4]} {set left($cpu) [expr {1 + [randomTrace::roll 12]}]}
        if {$left($cpu) > 0} {
            incr left($cpu) -1
            incr gone($cpu)
            continue
        }
        if {$gone($cpu)} {lappend kept [list lost $cpu $gone($cpu)]}
        set gone($cpu) 0
        lappend kept $event
    }
    foreach cpu $cpus {if {$gone($cpu)} {lappend kept [list lost $cpu $gone($cpu)]}}
    set events $kept
}

proc kernelSimulator::lines {} {
    variable events
    join $events \n
}

# ---- what is claimed -------------------------------------------------------------------------------------------------

# {begin end state ...} of a list of changes, from `begin` to `end`.
proc kernelSimulator::stretches {changes end {begin 0}} {
    set result {}
    foreach {time is} $changes {next -} [lrange [concat $changes [list $end {}]] 2 end] {
        set next [expr {min($next, $end)}]
        set time [expr {max($time, $begin)}]
        if {$next > $time} {lappend result $time $next $is}
    }
    return $result
}

proc kernelSimulator::micro {time} {
    expr {([scan [string map {. {}} [format %.9f $time]] %lld] - 100000000000) / 1000.0}
}

# Stretches of the state of all tasks with this pid.
proc kernelSimulator::claimed {trace state pid} {
    set result {}
    foreach row [$trace stats tasks] {
        set task [dict get $row task]
        if {[lindex [split $task /] 0] ne $pid} {continue}
        foreach stretch [$trace stretches $state $task] {lappend result [lmap time $stretch {micro $time}]}
    }
    return $result
}

proc kernelSimulator::check {trace {exact {}}} {
    variable truth
    variable ran
    variable now
    variable lossy
    set wrong {}
    dict for {pid changes} $truth {
        lappend wrong {*}[checkThread $trace $pid [stretches $changes [expr {$lossy ? $now : [lastMention $pid]}]]]
        if {$exact ne {}} {lappend wrong {*}[checkUnknown $trace $pid]}
    }
    dict for {cpu changes} $ran {lappend wrong {*}[checkIdle $trace $cpu [stretches $changes {*}[span]]]}
    return $wrong
}

proc kernelSimulator::checkThread {trace pid stretches} {
    variable lossy
    set allowed {running running waiting {ready waking} preempted {ready waking} blocked {blocked waking}}
    set wrong {}
    set shown [claimed $trace unknown $pid]
    dict for {state true} $allowed {
        foreach claim [claimed $trace $state $pid] {
            lassign $claim begin end
            lappend shown $claim
            foreach {from to is} $stretches {
                if {$from < $end && $to > $begin && $begin < $end && $is ni $true} {
                    lappend wrong "$pid is shown $state $begin-$end, was $is $from-$to"
                }
            }
        }
    }
    return [concat $wrong [expr {$lossy ? {} : [checkShown $pid $stretches $shown]}]]
}

# Of all events that are left: the recording's end, and its beginning.
proc kernelSimulator::span {} {
    variable events
    set times [lsort -integer [lmap event $events {if {[lindex $event 0] eq "lost"} {continue}; lindex $event 0}]]
    list [lindex $times end] [lindex $times 0]
}

# Times of events that name a thread.
proc kernelSimulator::mentions {pid} {
    variable events
    lmap event $events {
        if {[lindex $event 2] ne $pid && $pid ni [lrange $event 4 end]} {continue}
        lindex $event 0
    }
}

# Until then what is forgotten turns out.
proc kernelSimulator::lastMention {pid} {lindex [concat 0 [mentions $pid]] end}

# A thread that does not sleep has a job, from its first mention to its last one.
proc kernelSimulator::checkShown {pid stretches shown} {
    set first [lindex [mentions $pid] 0]
    if {$first eq {}} {return}
    set wrong {}
    foreach {from to is} $stretches {
        if {$is in {sleeping gone} || $from < $first} {continue}
        for {set at $from} {$at < $to} {incr at} {
            if {![covers $shown [expr {$at + 0.5}]]} {lappend wrong "$pid was $is at $at, and is not shown"; break}
        }
    }
    return $wrong
}

proc kernelSimulator::covers {stretches time} {
    foreach stretch $stretches {
        if {[lindex $stretch 0] <= $time && $time <= [lindex $stretch 1]} {return 1}
    }
    return 0
}

proc kernelSimulator::checkUnknown {trace pid} {
    lmap stretch [claimed $trace unknown $pid] {format "%s is unknown %s-%s, and nothing is missing" $pid {*}$stretch}
}

proc kernelSimulator::checkIdle {trace cpu stretches} {
    set wrong {}
    foreach {from to pid} $stretches {
        if {!$pid} {continue}
        foreach row [$trace stats processors -from [seconds $from] -to [seconds $to]] {
            if {[dict get $row processor] eq "cpu$cpu" && [dict get $row idle] != 0} {
                lappend wrong "cpu$cpu is counted as idle within $from-$to, $pid ran"
            }
        }
    }
    return $wrong
}

proc kernelSimulator::seconds {micro} {format 100.%06d $micro}
