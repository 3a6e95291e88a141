# randomModel.tcl -- random models of expected behaviour, each made from a seed, for random traces; read after
# randomTrace.tcl.
#
#   ::checktest::randomCase SEED N        a trace and N models: {text lines lines ...}
#   ::checktest::kernelText SEED          a recording of a kernel (kernelSimulator.tcl)
#   ::checktest::fileOf LINES             the text of a model
#   ::checktest::statementsOf LINES       its statements, as $trace judge takes them

namespace eval ::checktest {
    # What the model that is being made is about: its -each, and what its trace defines and names.
    variable each trace
    variable named {}
    # Words of models that are used besides the first ones: any of mark field key overlap shared quantity call interrupt
    # past during priority.
    variable features {}
    # Unit of times; {}: that of the trace.
    variable unit {}
    # Are the instances of the model told by a field?
    variable keyed 0
}

proc ::checktest::has {feature {percent 100}} {
    variable features
    expr {$feature in $features && [randomTrace::chance $percent]}
}

# A trace in which programs write marks, system calls are recorded and events kept: lines between those of a trace.
proc ::checktest::told {text} {
    set lines [split $text \n]
    set named [named $text]
    set tasks [dict get $named tasks]
    set cpus [dict get $named processors]
    set times [lmap {-> time} [regexp -all -line -inline {^plot (\S+)} $text] {set time}]
    if {$times eq {} || [randomTrace::chance 10]} {return $text}
    set kinds [lrange {mark call event mark call mark} 0 [randomTrace::roll 6]]
    # One more task, which has no jobs.
    set all {}
    if {[randomTrace::chance 30]} {
        lappend tasks idle
        lappend all "newTask idle"
    }
    foreach line $lines {
        if {[string match newTask* $line] && [randomTrace::chance 40]} {
            append line " -name [randomTrace::one {alpha beta t0}] -priority [randomTrace::roll 4]"
        }
        if {[string match newTask* $line] && ![string match "* -kind *" $line] && [randomTrace::chance 8]} {
            append line " -kind several"
        }
        lappend all $line
        if {![regexp {^(?:buffer)?plot (\S+)} $line -> time]} continue
        while {[randomTrace::chance 30]} {
            set kind [randomTrace::one $kinds]
            lappend all [told-$kind]
        }
    }
    join $all \n
}

proc ::checktest::told-mark {} {
    upvar 1 time time tasks tasks cpus cpus
    set text [randomTrace::one {begin end frame {begin work}}]
    if {[randomTrace::chance 70]} {append text " [randomFields]"}
    set line [list plot $time message $text]
    if {[randomTrace::chance 75]} {lappend line -task [randomTrace::one $tasks]}
    if {[randomTrace::chance 60]} {lappend line -from mark}
    if {$cpus ne {} && [randomTrace::chance 20]} {lappend line -processor [randomTrace::one $cpus]}
    if {[randomTrace::chance 10]} {lappend line -shape none}
    return $line
}

proc ::checktest::told-event {} {
    upvar 1 time time tasks tasks cpus cpus
    set text [randomTrace::one {wakeup irq:raise queue}]
    if {[randomTrace::chance 70]} {append text ": [randomFields]"}
    set line [list plot $time message $text -from event]
    if {[randomTrace::chance 75]} {lappend line -task [randomTrace::one $tasks]}
    return $line
}

# Most calls return.
proc ::checktest::told-call {} {
    upvar 1 time time tasks tasks times times
    set name [randomTrace::one {read write futex}]
    set end [randomTrace::one $times]
    for {set i 0} {$i < 3 && $end <= $time} {incr i} {set end [randomTrace::one $times]}
    switch [randomTrace::roll 8] {
        0 {list plot $time message $name -task [randomTrace::one $tasks] -from call}
        1 {list plot $time taskAnnotation [randomTrace::one $tasks] $end -message $name -from [expr {[has entry] ? "entry" : "call"}]}
        default {list plot $time taskAnnotation [randomTrace::one $tasks] $end -message $name -from call}
    }
}

proc ::checktest::randomFields {} {
    set fields {}
    for {set i 0} {$i <= [randomTrace::roll 3]} {incr i} {
        set value [randomTrace::one {0 1 2 3 1 2 3 2.5 -1 0x1f abc {"a b"} 1,}]
        append fields " [randomTrace::one {frame frame id}][randomTrace::one {= = : {: }}]$value"
    }
    string trimleft $fields
}

# What the lines of a trace define, and name: dict of tasks jobs processors mutexes servers semaphores buffers
# events (those of jobs).
proc ::checktest::named {text} {
    set named {tasks {} processors {} mutexes {} servers {} semaphores {} buffers {} jobs {} events {}}
    set kinds {newTask tasks newProcessor processors newMutex mutexes newServer servers newSemaphore semaphores
        newBuffer buffers newJob jobs}
    foreach line [split $text \n] {
        lassign $line command first event id
        if {[dict exists $kinds $command]} {dict lappend named [dict get $kinds $command] $first}
        if {$command ne "plot" || ![string match {job[A-Z]*} $event]} continue
        dict lappend named jobs $id
        # As often as they come.
        dict lappend named events $event
    }
    dict set named jobs [lsort -unique [dict get $named jobs]]
    if {[dict get $named events] eq {}} {dict set named events jobCompleted}
    return $named
}

# One of a kind; nobody, where the trace has none, or seldom.
proc ::checktest::anyOf {kind} {
    upvar 1 named named
    set list [dict get $named $kind]
    if {$list eq {} || [randomTrace::chance 3]} {return nobody}
    randomTrace::one $list
}

proc ::checktest::randomWho {} {
    upvar 1 named named
    anyOf [randomTrace::one {tasks tasks jobs}]
}

# An event, as a model writes it; most are about jobs, or of the new kinds.
proc ::checktest::randomPattern {} {
    variable named
    if {[has mark 35]} {return [randomTold]}
    set event [randomOfTrace]
    if {[has mark 10]} {lappend event -of [randomTrace::one {* t* alpha t0 ?1 {[ab]*}}]}
    return $event
}

# An event that programs or the kernel tell.
proc ::checktest::randomTold {} {
    set event [randomTrace::one {{mark begin*} {mark frame*} {mark *} {mark end} {event wakeup} {event *} {syscall *}
        {syscall read} {syscall [rw]*} {sysreturn *} {sysreturn futex}}]
    if {[lindex $event 0] in {mark event}} {
        while {[has field 30]} {
            set test [randomTrace::one {frame id}][randomTrace::one {== == != < <= > >=}]
            lappend event $test[randomTrace::one {1 2 2 3}]
        }
        if {[has field 5]} {lappend event [randomTrace::one {frame==a* frame!=[0-2] id==* frame<2.5 task==t0}]}
    }
    if {[randomTrace::chance 25]} {lappend event -of [randomTrace::one {* t* alpha t0 ?1}]}
    return $event
}

# An event of the trace language.
proc ::checktest::randomOfTrace {} {
    variable named
    set states {waiting running running preempted preempted blocked completed between unknown none}
    switch [randomTrace::roll 12] {
        0 - 1 {set event [list enters [randomTrace::one $states]]}
        2 - 3 {set event [list leaves [randomTrace::one $states]]}
        4 {
            set event [randomTrace::one [list [list taskArrived [anyOf tasks]] [list taskDeadline [anyOf tasks]] \
                [list processorUnknown [anyOf processors]] [list processorIdle [anyOf processors]] {message text} \
                taskAnnotation jobDeadline]]
            return [expr {[randomTrace::chance 50] ? [lindex $event 0] : $event}]
        }
        5 {
            set event [randomTrace::one {serverResumed serverPreempted serverDepleted serverReplenished push write pop
                read insert drop resize}]
            if {[randomTrace::chance 50]} {return $event}
            return [list $event [anyOf [expr {[string match server* $event] ? "servers" : "buffers"}]]]
        }
        6 {
            set event [randomTrace::one {jobAcquiredMutex jobReleasedMutex}]
            if {[randomTrace::chance 50]} {return $event}
            return [list $event [randomWho] {*}[expr {[randomTrace::chance 50] ? [list [anyOf mutexes]] : {}}]]
        }
        7 {
            set event [randomTrace::one {jobAcquiredSemaphore jobReleasedSemaphore jobSuspendedOnSemaphore}]
            if {[randomTrace::chance 50]} {return $event}
            return [list $event [randomWho] {*}[expr {[randomTrace::chance 50] ? [list [anyOf semaphores]] : {}}]]
        }
        default {
            set event [randomTrace::one [dict get $named events]]
            if {[randomTrace::chance 5]} {
                if {$event eq "jobArrived"} {return [list $event [randomWho] [anyOf tasks]]}
                if {$event in {jobPreempted jobBlocked jobCompleted}} {return [list $event [randomWho] [anyOf jobs]]}
            }
        }
    }
    if {[randomTrace::chance 35]} {lappend event [randomWho]}
    return $event
}

# An expression of constants, variables and functions that the model may use.
proc ::checktest::randomExpression {{depth 0}} {
    variable each
    switch [randomTrace::roll [expr {$depth > 1 ? 7 : 11}]] {
        0 {
            if {[randomTrace::chance 50]} {return [randomTime]}
            randomTrace::one {0 1 2 3 5 10 20 0.5 2.25 .125 1e1 7. 30%}
        }
        1 {
            if {[has field 40]} {return field([randomTrace::one {frame frame id task budget}])}
            randomTrace::one {now x y x}
        }
        2 - 3 - 4 - 5 - 6 {
            if {[has quantity 40]} {return [randomQuantity]}
            if {[has past 25]} {return [randomPast]}
            set functions {elapsed}
            if {$each in {task job}} {
                lappend functions running running ready waiting preempted blocked between unknown preemptions \
                    migrations starts releases completions
            }
            set function [randomTrace::one $functions]
            return "$function\([randomTrace::one [expr {$function eq "elapsed" ? {v w g} : {v v w}}]])"
        }
        7 {return "[randomTrace::one {min max}]([randomExpression 2], [randomExpression 2])"}
        8 {return "([randomExpression [incr depth]])"}
        default {
            incr depth
            return "[randomExpression $depth] [randomTrace::one {+ - * /}] [randomExpression $depth]"
        }
    }
}

# How much of something since a moment.
proc ::checktest::randomQuantity {} {
    variable each
    variable named
    set task [randomTrace::one [dict get $named tasks]]
    if {![regexp {^\w+$} $task]} {set task "{$task}"}
    set v [randomTrace::one {v v w}]
    set all [list \
        "[randomTrace::one {running blocked ready unknown preemptions starts completions switches}]\($v, $task)"]
    if {[has call]} {lappend all "count($v, {[randomCounted]})"}
    if {$each in {task job}} {
        lappend all switches($v) holding($v)
        foreach mutex [dict get $named mutexes] {lappend all "holding($v, $mutex)"}
    }
    if {$each in {task job} && [has call]} {
        lappend all syscalls($v) "syscalls($v, [randomTrace::one {read "r*" {{*}} futex}])" insyscall($v) \
            "insyscall($v, {[randomTrace::one {read * [rw]*}]})"
    }
    if {$each in {task job} && [has interrupt]} {
        lappend all interrupts($v) interrupted($v) \
            "[randomTrace::one {interrupts interrupted}]($v, {[randomTrace::one {i* i0 s0 *}]})"
    }
    foreach server [dict get $named servers] {lappend all "consuming($v, $server)"}
    foreach processor [dict get $named processors] {lappend all "[randomTrace::one {busy idle}]($v, $processor)"}
    if {$each eq "processor"} {lappend all busy($v) busy($v) idle($v) idle($v)}
    randomTrace::one $all
}

# An event that is counted: where instances are told by a field, often anybody's.
proc ::checktest::randomCounted {} {
    variable keyed
    set event [randomPattern]
    if {$keyed && "-of" ni $event && [randomTrace::chance 30]} {lappend event -of *}
    return $event
}

# Something about what was before.
proc ::checktest::randomPast {} {
    set event [randomCounted]
    set time [randomTime]
    randomTrace::one [list "count({$event}, $time)" "once({$event}, $time)" "last({$event})" \
        "since({$event}, {[randomCounted]})"]
}

# A percentage is mostly compared with a time alone; so are most other limits.
proc ::checktest::randomComparison {} {
    variable each
    set op [randomTrace::one {< <= <= == != >= >}]
    switch [randomTrace::roll 6] {
        0 {
            set function [expr {$each in {task job} ? [randomTrace::one {running ready blocked elapsed}] : "elapsed"}]
            set sides [list "${function}(v)" [randomTrace::one {0% 10% 33.3% 50% 75% 100%}]]
            if {[randomTrace::chance 20]} {set sides [lreverse $sides]}
        }
        1 {set sides [list [randomExpression] [randomExpression]]}
        2 {
            if {[has past 70]} {return [randomPast]}
            set sides [list [randomExpression] [randomExpression]]
        }
        default {set sides [list [randomExpression 1] [randomTime]]}
    }
    join $sides " $op "
}

proc ::checktest::randomTime {} {
    variable unit
    set number [randomTrace::one {0 1 2 3 5 8 13 20 40 2.5}]
    expr {$unit ne {} && [randomTrace::chance 70] ? "$number$unit" : $number}
}

# An invariant of a state: the words behind it.
proc ::checktest::randomInvariant {} {
    variable each
    if {[randomTrace::chance 25]} {
        set states {running preempted preempted blocked waiting unknown between completed none}
        return [list never [randomTrace::one $states]]
    }
    set timers {time time elapsed(v)}
    if {$each in {task job}} {lappend timers running(v) ready(v) blocked(w) unknown(v) running(w)}
    if {[has quantity]} {lappend timers [randomQuantity] [randomQuantity]}
    set test "[randomTrace::one $timers] [randomTrace::one {< <= < <= < <= > == !=}] [randomTime]"
    if {[randomTrace::chance 10]} {set test "[randomTime] [randomTrace::one {> >=}] [randomTrace::one $timers]"}
    if {[randomTrace::chance 25]} {set test [regsub -all {field\(\w+\)} [randomComparison] time]}
    list require $test
}

# Lines of a file with a random model of a trace: a list of {text words}, words those of the flat statement.
proc ::checktest::randomModel {trace} {
    variable named $trace
    variable each [randomTrace::one {trace processor task task task job job}]
    set options {}
    variable keyed [has key 20]
    if {$keyed} {
        set each trace
        lappend options -key [randomTrace::one {frame frame id task job}]
    } elseif {$each ne "trace"} {
        lappend options -each [expr {$each eq "task" && [has thread 20] ? "thread" : $each}]
    }
    if {$each ne "trace" && [randomTrace::chance 30]} {
        lappend options -of [randomTrace::one [expr {$each eq "processor" ? {cpu* cpu0 *} : {t* t0 t1 [ts]0 ?1 a* *}}]]
    }
    if {$each in {task job} && [has priority 10]} {
        lappend options -priority [randomTrace::one {{< 2} {!= 1} {>= 1}}]
    }
    if {[randomTrace::chance 15]} {lappend options -strict}
    set overlap [expr {$each ne "job" && [has overlap 15]}]
    if {$overlap} {lappend options -overlap}
    set lines [list [list "model m $options \{" [list model m {*}$options]]]
    set states [lrange {S0 S1 S2 S3} 0 [expr {1 + [randomTrace::roll 3]}]]
    foreach state $states {
        set words [list state $state]
        if {$state eq "S0"} {lappend words -initial}
        if {[randomTrace::chance 25] || ($overlap && $state eq [lindex $states end])} {lappend words -final}
        lappend lines [list "    $words" $words]
    }
    if {[has shared 30]} {
        foreach name {g x} {
            set words [list shared $name {*}[expr {$name eq "x" && [randomTrace::chance 60] ? {2 * now} : {}}]]
            if {[randomTrace::chance 70]} {lappend lines [list "    $words" $words]}
        }
    }
    set seen {}
    foreach state $states {
        for {set i 0} {$i < 1 + [randomTrace::roll 4]} {incr i} {lappend lines {*}[randomTransition]}
        if {[has during 40]} {
            set words [list during $state {*}[randomInvariant]]
            lappend lines [list "    $words" $words]
        }
    }
    lappend lines [list "\}" end]
}

# One more transition of the caller's model, unless it is there already.
proc ::checktest::randomTransition {} {
    foreach name {states state seen} {upvar 1 $name $name}
    variable named
    variable keyed
    # Of most models, the first transition is taken soon, and starts something, so that the rest has something to ask
    # for.
    set first [expr {$seen eq {} && [randomTrace::chance 80]}]
    set event [expr {$first && ![has mark 30] ? [randomTrace::one [dict get $named events]] : [randomPattern]}]
    if {$keyed && [randomTrace::chance 60]} {set event [randomTrace::one {{mark *} {mark frame*} {event *}}]}
    set if [expr {!$first && [randomTrace::chance 25] ? [list -if [randomComparison]] : {}}]
    if {[list $state $event $if] in $seen} return
    lappend seen [list $state $event $if]
    set words [list on $state $event {*}$if [randomTrace::one $states]]
    set text "    [list {*}$words]"
    if {!$first && [randomTrace::chance 15]} {return [list [list $text $words] {{} end}]}
    set lines [list [list "$text \{" $words]]
    set actions [expr {$first ? {{start v} {start w} {start g} {let x now} {let y 3}} : {}}]
    for {set i [randomTrace::roll 4]} {$i > 0} {incr i -1} {
        lappend actions [randomTrace::one {start let require require require require require require}]
    }
    foreach action $actions {
        set words [switch [llength $action],[lindex $action 0] {
            1,start {list start [randomTrace::one {v w w g}]}
            1,let {list let [randomTrace::one {x y y}] [randomExpression]}
            1,require {list require [randomComparison]}
            default {set action}
        }]
        # In braces or, where there is none, as words.
        set last [lindex $words end]
        if {[string match {* *} $last] && ![regexp {[\{"]} $last] && [randomTrace::chance 50]} {
            set words [concat [lrange $words 0 end-1] $last]
        }
        lappend lines [list "        $words" $words]
    }
    linsert $lines end [list "    \}" end]
}

proc ::checktest::fileOf {lines} {
    return [join [lmap line $lines {lindex $line 0}] \n]\n
}

proc ::checktest::statementsOf {lines} {
    set number 0
    lmap line $lines {list x.expect:[incr number] [lindex $line 1]}
}

# The trace and n models of a seed: {text lines lines ...}.
proc ::checktest::randomCase {seed n} {
    set text [randomTrace::[lindex {make makeValid makeInterrupted} [expr {$seed % 3}]] $seed 60]
    if {[has mark]} {set text [told $text]}
    set named [named $text]
    list $text {*}[lmap _ [lrepeat $n 0] {randomModel $named}]
}

# A random recording of a kernel (kernelSimulator.tcl), in which threads write marks and call the system.
proc ::checktest::kernelText {seed} {
    kernelSimulator::run $seed [expr {30 + $seed % 40}]
    if {$seed % 4 == 1} {kernelSimulator::forget $seed}
    if {$seed % 4 == 2} {kernelSimulator::lose $seed}
    set lines {}
    foreach line [split [kernelSimulator::lines] \n] {
        lappend lines $line
        lassign $line time cpu pid event
        if {$time eq "lost"} continue
        if {[randomTrace::chance 20]} {
            lappend lines "$time $cpu $pid mark [randomTrace::one {begin end frame {begin work}}] [randomFields]"
        }
        if {!$pid || $event in {switch exit} || [randomTrace::chance 60]} continue
        if {[info exists open($pid)]} {
            lappend lines "$time $cpu $pid leave $open($pid) 0x0"
            unset open($pid)
        } else {
            set open($pid) [randomTrace::one {read write futex}]
            lappend lines "$time $cpu $pid enter $open($pid) fd:"
        }
    }
    kernelText::make [join $lines \n]
}
