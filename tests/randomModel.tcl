# randomModel.tcl -- random models of expected behaviour, each made from a seed, for random traces; read after
# randomTrace.tcl.
#
#   ::checktest::randomCase SEED N        a trace and N models: {text lines lines ...}
#   ::checktest::fileOf LINES             the text of a model
#   ::checktest::statementsOf LINES       its statements, as $trace judge takes them

namespace eval ::checktest {}

# What the lines of a trace define, and name: dict of tasks jobs processors mutexes servers semaphores buffers
# events (those of jobs).
proc ::checktest::named {text} {
    set named [dict create jobs [lsort -unique [lmap {-> id} [regexp -all -line -inline { job[A-Z]\w+ (\S+)} $text] {
        set id
    }]]]
    foreach {kind command} {tasks newTask processors newProcessor mutexes newMutex servers newServer
            semaphores newSemaphore buffers newBuffer} {
        dict set named $kind [lmap {-> id} [regexp -all -line -inline "^$command (\\S+)" $text] {set id}]
    }
    # As often as they come.
    dict set named events [lmap {-> event} [regexp -all -line -inline {^plot \S+ (job\w+)} $text] {set event}]
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

# An event, as a model writes it; most are about jobs.
proc ::checktest::randomPattern {named} {
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

# An expression of constants, variables and functions that the caller's model (`each`) may use.
proc ::checktest::randomExpression {each {depth 0}} {
    switch [randomTrace::roll [expr {$depth > 1 ? 7 : 11}]] {
        0 {randomTrace::one {0 1 2 3 5 10 20 0.5 2.25 .125 1e1 7. 30%}}
        1 {randomTrace::one {now x y x}}
        2 - 3 - 4 - 5 - 6 {
            set functions {elapsed}
            if {$each in {task job}} {
                lappend functions running running ready waiting preempted blocked between unknown preemptions \
                    migrations starts releases completions
            }
            return "[randomTrace::one $functions]([randomTrace::one {v v w}])"
        }
        7 {return "[randomTrace::one {min max}]([randomExpression $each 2], [randomExpression $each 2])"}
        8 {return "([randomExpression $each [incr depth]])"}
        default {
            incr depth
            return "[randomExpression $each $depth] [randomTrace::one {+ - * /}] [randomExpression $each $depth]"
        }
    }
}

# A percentage is mostly compared with a time alone; so are most other limits.
proc ::checktest::randomComparison {each} {
    set op [randomTrace::one {< <= <= == != >= >}]
    switch [randomTrace::roll 5] {
        0 {
            set function [expr {$each in {task job} ? [randomTrace::one {running ready blocked elapsed}] : "elapsed"}]
            set sides [list "${function}(v)" [randomTrace::one {0% 10% 33.3% 50% 75% 100%}]]
            if {[randomTrace::chance 20]} {set sides [lreverse $sides]}
        }
        1 {set sides [list [randomExpression $each] [randomExpression $each]]}
        default {set sides [list [randomExpression $each 1] [randomTrace::one {0 1 2 3 5 8 13 20 40 2.5}]]}
    }
    join $sides " $op "
}

# Lines of a file with a random model of a trace: a list of {text words}, words those of the flat statement.
proc ::checktest::randomModel {named} {
    set each [randomTrace::one {trace processor task task task job job}]
    set options [expr {$each eq "trace" ? {} : [list -each $each]}]
    if {$each ne "trace" && [randomTrace::chance 30]} {
        lappend options -of [randomTrace::one [expr {$each eq "processor" ? {cpu* cpu0 *} : {t* t0 t1 [ts]0 ?1}}]]
    }
    if {[randomTrace::chance 15]} {lappend options -strict}
    set lines [list [list "model m $options \{" [list model m {*}$options]]]
    set states [lrange {S0 S1 S2 S3} 0 [expr {1 + [randomTrace::roll 3]}]]
    foreach state $states {
        set words [list state $state]
        if {$state eq "S0"} {lappend words -initial}
        if {[randomTrace::chance 25]} {lappend words -final}
        lappend lines [list "    $words" $words]
    }
    set seen {}
    foreach state $states {
        for {set i 0} {$i < 1 + [randomTrace::roll 4]} {incr i} {lappend lines {*}[randomTransition]}
    }
    lappend lines [list "\}" end]
}

# One more transition of the caller's model, unless it is there already.
proc ::checktest::randomTransition {} {
    foreach name {named each states state seen} {upvar 1 $name $name}
    # Of most models, the first transition is taken soon, and starts something, so that the rest has something to ask
    # for.
    set first [expr {$seen eq {} && [randomTrace::chance 80]}]
    set event [expr {$first ? [randomTrace::one [dict get $named events]] : [randomPattern $named]}]
    set if [expr {!$first && [randomTrace::chance 25] ? [list -if [randomComparison $each]] : {}}]
    if {[list $state $event $if] in $seen} return
    lappend seen [list $state $event $if]
    set words [list on $state $event {*}$if [randomTrace::one $states]]
    set text "    [list {*}$words]"
    if {!$first && [randomTrace::chance 15]} {return [list [list $text $words] {{} end}]}
    set lines [list [list "$text \{" $words]]
    set actions [expr {$first ? {{start v} {start w} {let x now} {let y 3}} : {}}]
    for {set i [randomTrace::roll 4]} {$i > 0} {incr i -1} {
        lappend actions [randomTrace::one {start let require require require require require require}]
    }
    foreach action $actions {
        set rest [switch [llength $action],[lindex $action 0] {
            1,start {randomTrace::one {v w w}}
            1,let {string cat [randomTrace::one {x y y}] " " [randomExpression $each]}
            1,require {randomComparison $each}
            default {join [lassign $action action]}
        }]
        lappend lines [list "        $action $rest" [list $action {*}[split $rest]]]
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
    set text [randomTrace::[lindex {make makeValid makeInterrupted} [expr {$seed % 3}]] $seed 80]
    set named [named $text]
    list $text {*}[lmap _ [lrepeat $n 0] {randomModel $named}]
}
