# scheduleSimulator.tcl -- small schedulers that write traces: what a correct one does, and the same with wrong
# decisions in it. Written from the definitions of the policies, tick by tick, without a look at the check.
#
#   schedule::simulate ?-policy fp|fifo|edf? ?-processors n? ?-clusters n? ?-tasks n? ?-horizon n? ?-load x?
#                      ?-preemption full|none|threshold? ?-resources 0|1? ?-stated 0|1? ?-wrong n? ?-pinned 0|1?
#                      ?-sleeps none|told|untold? ?-inorder 0|1?
#       gives a dict: trace (the text), wrong (how many decisions were swapped)
#
# Processors are split into clusters, each with a queue of its own: one for all is global scheduling, one for each
# processor is partitioned. In each tick the most urgent jobs of a cluster run; a job stays where it runs, and ties go
# to the one that runs, then to the one that was released first. A wrong decision lets the least urgent of those run
# that should wait, in the place of one that is more urgent, until a job is released or completed.
#
#   threshold  a job that has started has the urgency of its task's threshold until it is done (Wang and Saksena 1999)
#   none       a job that has started runs until it is done
#   resources  uniprocessor fp: jobs have a critical section and meanwhile the ceiling's priority (immediate ceiling)
#   sleeps     jobs may be blocked for some ticks, once; jobReady tells of their wake-ups, or only that they run
#   inorder    a job of a task is not ready before the one before is done
#   pinned     tasks of a global cluster have an affinity of one or two processors, and the schedule is such that no job
#              waits for a less urgent one on a processor that it may use

namespace eval ::schedule {
    variable defaults {-policy fp -processors 1 -clusters 1 -tasks 6 -horizon 120 -load 0.9 -preemption full
        -resources 0 -stated 1 -wrong 0 -pinned 0 -sleeps none -inorder 0}
}

proc ::schedule::random {low high} {
    expr {$low + int(rand() * ($high - $low + 1))}
}

# Makes tasks: a list of dicts id cluster priority threshold C D T offset, and for resources from to (of the section).
proc ::schedule::makeTasks {o} {
    dict with o {}
    set tasks {}
    for {set i 0} {$i < ${-tasks}} {incr i} {
        set T [random 8 40]
        set share [expr {${-load} * ${-processors} / double(${-tasks})}]
        set C [expr {max(1, min($T, int(round($T * $share * (0.5 + rand())))))}]
        set priority [random 1 [expr {${-tasks} + 2}]]
        set task [dict create id t$i cluster [expr {$i % ${-clusters}}] C $C T $T offset [random 0 10] \
            D [random [expr {max(1, $T / 2)}] $T] priority $priority threshold [random 1 $priority] mutex {} cpus {} \
            sleep 0 nap 0]
        if {${-sleeps} ne "none" && $C > 1} {
            dict set task sleep [random 1 [expr {$C - 1}]]
            dict set task nap [random 0 9]
        }
        if {${-resources} && $C > 2 && rand() < 0.7} {
            set from [random 0 [expr {$C - 2}]]
            dict set task mutex m[random 0 1]
            dict set task from $from
            dict set task to [random [expr {$from + 1}] [expr {$C - 1}]]
        }
        if {${-pinned}} {
            set first [random 0 [expr {${-processors} - 1}]]
            dict set task cpus [lsort -unique -integer [list $first [random 0 [expr {${-processors} - 1}]]]]
        }
        lappend tasks $task
    }
    return $tasks
}

# ---- the state of a run ----------------------------------------------------------------------------------------------

# jobs: id -> dict task (its dict) number release deadline left done started processor ({}: none) holds slept wakes
# (when it does; {}: it is awake); those that are released and not done.

# What a job is compared by: smaller is more urgent.
proc ::schedule::urgency {o job} {
    variable ceilings
    set task [dict get $job task]
    if {[dict get $job started] && [dict get $o -preemption] eq "none"} {return -1000000}
    if {[dict get $o -policy] eq "edf"} {return [dict get $job deadline]}
    set urgency [dict get $task priority]
    if {[dict get $job started] && [dict get $o -preemption] eq "threshold"} {
        set urgency [dict get $task threshold]
    }
    if {[dict get $job holds]} {set urgency [expr {min($urgency, $ceilings([dict get $task mutex]))}]}
    if {[dict get $o -policy] eq "fifo"} {return [expr {$urgency * 100000 + [dict get $job release]}]}
    return $urgency
}

# The ids of jobs in the order in which they get processors: by urgency, then those that run, then by release.
proc ::schedule::inOrder {o jobs ids} {
    set keyed [lmap id $ids {
        set job [dict get $jobs $id]
        list [urgency $o $job] [expr {[dict get $job processor] eq {}}] [dict get $job release] $id
    }]
    lmap entry [lsort -integer -index 0 [lsort -integer -index 1 [lsort -integer -index 2 $keyed]]] {lindex $entry 3}
}

# The jobs that are to run on n processors; where `swap` is set, one of them has changed places with one that waits, if
# that is possible: the least urgent of those that wait, and the most urgent of those that run and are more urgent.
proc ::schedule::choose {o jobs ids n swap} {
    variable swapped 0
    set order [inOrder $o $jobs $ids]
    set chosen [lrange $order 0 $n-1]
    if {!$swap || [llength $order] <= $n} {return $chosen}
    set last [lindex $order end]
    # A job that must not be preempted stays, and so does one with a mutex, which would explain the inversion.
    foreach id $chosen {
        set job [dict get $jobs $id]
        if {[dict get $job holds] || [dict get [dict get $jobs $last] holds]} continue
        if {[urgency $o $job] < [base $o [dict get $jobs $last]] && [urgency $o $job] > -1000000} {
            set swapped 1
            return [lreplace $chosen [lsearch -exact $chosen $id] [lsearch -exact $chosen $id] $last]
        }
    }
    return $chosen
}

# The same as urgency, of a job that begins to run.
proc ::schedule::base {o job} {
    dict set job started [expr {[dict get $o -preemption] eq "threshold" && [dict get $job started]}]
    urgency $o $job
}

# A placement of jobs with affinities: from the most urgent job on, each gets a processor of its own ones: a free one
# (its last one first), or that of the least urgent job there that is less urgent, which is placed anew.
proc ::schedule::place {o jobs ids} {
    set at {}
    set queue [inOrder $o $jobs $ids]
    foreach id $queue {
        set job [dict get $jobs $id]
        set cpus [dict get $job task cpus]
        if {[dict get $job processor] in $cpus} {set cpus [linsert $cpus 0 [dict get $job processor]]}
        foreach cpu $cpus {
            if {[dict exists $at $cpu]} continue
            dict set at $cpu $id
            break
        }
    }
    return $at
}

# The same with a wrong decision, if one is possible: a job that waits runs for a tick in the place of one that is more
# urgent.
proc ::schedule::misplace {o jobs ids at} {
    variable swapped 0
    foreach id $ids {
        if {$id in [dict values $at]} continue
        foreach cpu [dict get $jobs $id task cpus] {
            if {![dict exists $at $cpu]} continue
            if {[urgency $o [dict get $jobs [dict get $at $cpu]]] < [urgency $o [dict get $jobs $id]]} {
                set swapped 1
                dict set at $cpu $id
                return $at
            }
        }
    }
    return $at
}

# ---- a run -----------------------------------------------------------------------------------------------------------

# Goes from tick to tick: completions, releases, decisions in each cluster, execution.
proc ::schedule::simulate {args} {
    variable defaults
    variable ceilings
    variable swapped
    set o [dict merge $defaults $args]
    dict with o {}
    set tasks [makeTasks $o]
    foreach mutex {m0 m1} {set ceilings($mutex) 1000}
    foreach task $tasks {
        set mutex [dict get $task mutex]
        if {$mutex ne {}} {set ceilings($mutex) [expr {min($ceilings($mutex), [dict get $task priority])}]}
    }
    set text [define $o $tasks]
    set jobs {}
    set done {}
    set wrong 0
    set swapping {} ;# cluster whose wrong decision still holds
    # Wrong decisions are made from here on, as soon as one is possible.
    set places [lsort -integer [lmap i [lrepeat ${-wrong} {}] {random 1 [expr {${-horizon} * 3 / 4}]}]]
    for {set t 0} {$t <= ${-horizon}} {incr t} {
        set happens 0
        dict for {id job} $jobs {
            if {[dict get $job left] > 0} continue
            append text "plot $t jobCompleted $id\n"
            dict unset jobs $id
            set happens 1
        }
        # Releases come before decisions.
        foreach task $tasks {
            set age [expr {$t - [dict get $task offset]}]
            if {$age < 0 || $age % [dict get $task T]} continue
            set id [dict get $task id].[expr {$age / [dict get $task T] + 1}]
            append text "plot $t jobArrived $id [dict get $task id]\n"
            dict set jobs $id [dict create task $task release $t deadline [expr {$t + [dict get $task D]}] \
                left [dict get $task C] started 0 processor {} holds 0 slept 0 wakes {}]
            set happens 1
        }
        append text [wakeUp $o $t jobs happens]
        set text $text[releaseSections $t jobs]
        append text [fallAsleep $t jobs happens]
        for {set cluster 0} {$cluster < ${-clusters}} {incr cluster} {
            set ids [candidates $o $jobs $cluster]
            set own [lmap p [processorsOf $o $cluster] {set p}]
            # A wrong decision holds until something happens.
            if {$happens} {set swapping [lsearch -all -inline -not -exact $swapping $cluster]}
            if {${-pinned}} {
                set at [place $o $jobs $ids]
                if {[llength $places] && [lindex $places 0] <= $t && $t < ${-horizon}} {
                    set at [misplace $o $jobs $ids $at]
                    if {$swapped} {
                        incr wrong
                        set places [lrange $places 1 end]
                    }
                }
            } else {
                set now [expr {[llength $places] && [lindex $places 0] <= $t && $cluster ni $swapping
                    && $t < ${-horizon}}]
                if {$cluster in $swapping} {
                    set chosen [lmap id $ids {if {[dict get $jobs $id processor] eq {}} continue; set id}]
                } else {
                    set chosen [choose $o $jobs $ids [llength $own] $now]
                    if {$now && $swapped} {
                        incr wrong
                        lappend swapping $cluster
                        set places [lrange $places 1 end]
                    }
                }
                set at [assign $jobs $chosen $own]
            }
            append text [switchTo $t jobs $ids $at]
        }
        # Time goes by.
        append text [acquireSections $t jobs]
        dict for {id job} $jobs {
            if {[dict get $job processor] ne {}} {dict set jobs $id left [expr {[dict get $job left] - 1}]}
        }
    }
    dict create trace $text wrong $wrong
}

# The ids of jobs of a cluster that may run, in the order of their release.
proc ::schedule::candidates {o jobs cluster} {
    set ids {}
    set tasks {}
    dict for {id job} $jobs {
        if {[dict get $job task cluster] != $cluster || [dict get $job left] <= 0} continue
        set task [dict get $job task id]
        if {[dict get $o -inorder] && [dict exists $tasks $task]} continue
        dict set tasks $task {}
        if {[dict get $job wakes] eq {}} {lappend ids $id}
    }
    return $ids
}

# ---- sleeping --------------------------------------------------------------------------------------------------------

# Wakes the jobs whose time it is; they are the last ones that are ready.
proc ::schedule::wakeUp {o t jobsVar happensVar} {
    upvar 1 $jobsVar jobs $happensVar happens
    set text {}
    dict for {id job} $jobs {
        if {[dict get $job wakes] ne $t} continue
        if {[dict get $o -sleeps] eq "told"} {append text "plot $t jobReady $id\n"}
        dict set jobs $id [dict replace $job wakes {} release $t]
        set happens 1
    }
    return $text
}

# Lets those sleep that have executed for as long as they do before that.
proc ::schedule::fallAsleep {t jobsVar happensVar} {
    upvar 1 $jobsVar jobs $happensVar happens
    set text {}
    dict for {id job} $jobs {
        set task [dict get $job task]
        if {[dict get $job processor] eq {} || ![dict get $task nap] || [dict get $job slept]} continue
        if {[executed $job] != [dict get $task sleep] || [dict get $job holds]} continue
        append text "plot $t jobBlocked $id\n"
        dict set jobs $id [dict replace $job slept 1 processor {} started 0 wakes [expr {$t + [dict get $task nap]}]]
        set happens 1
    }
    return $text
}

proc ::schedule::processorsOf {o cluster} {
    set n [expr {[dict get $o -processors] / [dict get $o -clusters]}]
    set own {}
    for {set i 0} {$i < $n} {incr i} {lappend own [expr {$cluster * $n + $i}]}
    return $own
}

# Gives processors to the chosen jobs: dict processor -> job. Those that run stay.
proc ::schedule::assign {jobs chosen own} {
    set at {}
    foreach id $chosen {
        set processor [dict get $jobs $id processor]
        if {$processor ne {}} {dict set at $processor $id}
    }
    set free [lmap p $own {if {[dict exists $at $p]} continue; set p}]
    foreach id $chosen {
        if {[dict get $jobs $id processor] ne {}} continue
        set free [lassign $free processor]
        dict set at $processor $id
    }
    return $at
}

# Writes the events of a cluster that goes over to a new assignment, preemptions first.
proc ::schedule::switchTo {t jobsVar ids at} {
    upvar 1 $jobsVar jobs
    set text {}
    set where {}
    dict for {processor id} $at {dict set where $id $processor}
    foreach id $ids {
        set processor [dict get $jobs $id processor]
        set next [expr {[dict exists $where $id] ? [dict get $where $id] : {}}]
        if {$processor eq {} || $processor eq $next} continue
        append text "plot $t jobPreempted $id\n"
        dict set jobs $id processor {}
    }
    dict for {id processor} $where {
        if {[dict get $jobs $id processor] ne {}} continue
        set begun [expr {[dict get $jobs $id started] || [dict get $jobs $id slept]}]
        set event [expr {$begun ? "jobResumed" : "jobStarted"}]
        append text "plot $t $event $id -processor p$processor\n"
        dict set jobs $id started 1
        dict set jobs $id processor $processor
    }
    return $text
}

# ---- critical sections -----------------------------------------------------------------------------------------------

# The ticks that a job has executed.
proc ::schedule::executed {job} {
    expr {[dict get $job task C] - [dict get $job left]}
}

proc ::schedule::acquireSections {t jobsVar} {
    upvar 1 $jobsVar jobs
    set text {}
    dict for {id job} $jobs {
        if {[dict get $job task mutex] eq {} || [dict get $job processor] eq {}} continue
        if {[executed $job] != [dict get $job task from] || [dict get $job holds]} continue
        append text "plot $t jobAcquiredMutex $id [dict get $job task mutex]\n"
        dict set jobs $id holds 1
    }
    return $text
}

proc ::schedule::releaseSections {t jobsVar} {
    upvar 1 $jobsVar jobs
    set text {}
    dict for {id job} $jobs {
        if {![dict get $job holds] || [executed $job] != [dict get $job task to]} continue
        append text "plot $t jobReleasedMutex $id [dict get $job task mutex]\n"
        dict set jobs $id holds 0
    }
    return $text
}

# ---- definitions -----------------------------------------------------------------------------------------------------

proc ::schedule::define {o tasks} {
    dict with o {}
    set text {}
    for {set p 0} {$p < ${-processors}} {incr p} {
        append text "newProcessor p$p"
        if {${-stated}} {
            append text " -scheduler ${-policy} -cluster c[expr {$p / (${-processors} / ${-clusters})}]"
            if {${-preemption} eq "none"} {append text " -nonpreemptive"}
        }
        append text \n
    }
    foreach task $tasks {
        append text "newTask [dict get $task id] -D [dict get $task D] -T [dict get $task T]\
            -priority [dict get $task priority]"
        if {${-preemption} eq "threshold" && ${-stated}} {append text " -threshold [dict get $task threshold]"}
        if {${-pinned}} {append text " -cpus [join [dict get $task cpus] ,]"}
        append text \n
    }
    append text "newMutex m0\nnewMutex m1\n"
}
