# randomChain.tcl -- random chains and synchronized events for random traces, each made from a seed, so that a failure
# can be repeated.
#
#   ::chainRandom::case SEED      {trace file statements}: the same chains as the text of a file of expectations, and as
#                                 the list {place words} that chainReference.tcl takes
#   ::chainRandom::core TRACE FILE    the findings of the package about them

namespace eval ::chainRandom {}
foreach name {roll one chance} {interp alias {} ::chainRandom::$name {} ::randomTrace::$name}

# ---- traces ----------------------------------------------------------------------------------------------------------

# Tasks that pass on what they read, messages with values, a buffer: what chains are about, with gaps and mistakes.
proc ::chainRandom::makeFlow {seed n} {
    ::randomTrace::seed $seed
    set tasks {s f a}
    set lines {{newProcessor cpu0} {newProcessor cpu1} {newBuffer q -capacity 9}}
    foreach task $tasks {
        set D [expr {[chance 70] ? " -D [expr {2 + [roll 8]}]" : {}}]
        lappend lines "newTask $task$D"
        set live($task) {}
    }
    set steps [one {{0 1 1 2 3} {1 2 4} {0 0 0 1 5}}]
    set t [roll 5]
    set number 0
    set frame 0
    while {[llength $lines] < $n} {
        incr t [one $steps]
        set task [one $tasks]
        set job [lindex $live($task) end]
        set event [one {release release release end end end end message message message push push pop pop unknown odd}]
        switch $event {
            release {
                if {[llength $live($task)] > [roll 3]} continue
                set job $task.[incr number]
                if {[chance 85]} {lappend lines "plot $t jobArrived $job $task"}
                lappend lines "plot [incr t [one {0 0 1}]] jobStarted $job -processor [one {cpu0 cpu1}]"
                lappend live($task) $job
                if {[chance 10]} {lappend lines "plot [expr {$t + 1 + [roll 6]}] jobDeadline $job"}
            }
            end {
                if {$job eq {}} continue
                lappend lines "plot $t [one {jobCompleted jobCompleted jobCompleted jobCompleted jobAbandoned}] $job"
                set live($task) [lrange $live($task) 0 end-1]
            }
            message {
                set k [expr {[chance 60] ? [incr frame] : $frame - [roll 4]}]
                lappend lines "plot $t message {[one {in mid out}] frame=$k [one {{} {} side=l side=r}]}"
            }
            push {lappend lines "bufferplot $t push q x"}
            pop {lappend lines "bufferplot $t pop q"}
            unknown {
                if {![chance 30]} continue
                if {$job ne {} && [chance 50]} {
                    lappend lines "plot $t jobUnknown $job"
                } else {
                    lappend lines "plot $t [one {processorUnknown processorIdle processorIdle}] [one {cpu0 cpu1}]"
                }
            }
            odd {
                lappend lines [one [list "bufferplot $t insert q x 0" "bufferplot $t drop q [roll 2]" "bufferplot $t reset" \
                    "plot $t jobPreempted $job" "plot $t jobBlocked $job" "plot $t jobResumed $job"]]
                if {$job eq {} && [string match plot* [lindex $lines end]]} {set lines [lrange $lines 0 end-1]}
            }
        }
    }
    join $lines \n
}

# ---- statements ------------------------------------------------------------------------------------------------------

# What a step may be, in a trace with these lines.
proc ::chainRandom::whats {trace} {
    set whats {}
    foreach {- task} [regexp -all -inline -line {^newTask (\w+)} $trace] {
        lappend whats "job $task" "jobStarted $task" "jobCompleted $task" "enters running $task" "leaves running $task"
    }
    foreach {- word rest} [regexp -all -inline -line {plot \S+ (\w+) ?(.*)$} $trace] {
        if {$word in {jobArrived jobStarted jobCompleted push pop}} {lappend whats $word}
    }
    if {[string match {*-from call*} $trace]} {lappend whats {syscall *} {sysreturn *} {sysreturn x}}
    lappend whats {enters running} {leaves running} {enters completed} "job *"
    return [lsort -unique $whats]
}

# A limit, near to what times are in such a trace.
proc ::chainRandom::limit {} {
    one [list [roll 30] [roll 30] [roll 30] [roll 100] [expr {[roll 100] / 4.0}] 0]
}

proc ::chainRandom::requires {steps} {
    set list {}
    for {set i [expr {1 + [roll 4]}]} {$i > 0} {incr i -1} {
        set measure [one {reaction reaction reducedReaction age age reducedAge latency separation order lossless}]
        if {$measure in {order lossless}} {
            if {$steps > 1} {lappend list [list require $measure]}
            continue
        }
        set step [expr {$measure eq "separation" && [chance 50] ? "s[roll $steps]" : {}}]
        lappend list [list require $measure {*}$step [one {<= <= <= < >= > == !=}] [limit]]
    }
    if {$list eq {}} {set list {{require age <= 5}}}
    return $list
}

proc ::chainRandom::step {i what {link {}}} {
    set let [expr {[lindex $what 0] eq "job" && [chance 20] ? "-let" : {}}]
    list step s$i $what {*}$let {*}[expr {$i && $link ne {} ? [list -by $link] : {}}]
}

# A chain, or synchronized events: its commands.
proc ::chainRandom::chain {name trace} {
    set n [expr {1 + [roll 4]}]
    set flow [string match "*newBuffer q*" $trace]
    set form [one {order together order}]
    if {$flow} {set form [one {order order order field field element element mixed together}]}
    if {$form eq "together"} {return [together $name $trace $flow]}
    set body {}
    for {set i 0} {$i < $n} {incr i} {
        set what [expr {$flow && $form eq "order" ? "job [lindex {s f a s} $i]" : [one [whats $trace]]}]
        set link {}
        switch $form {
            field {
                set what [list mark [lindex {in* mid* out* *} [expr {$n == 2 ? 2 * $i : $i}]]]
                set link {field frame}
            }
            element {
                set what "job [lindex {s f a s} $i]"
                if {[chance 15]} {set what [lindex {{push q} {pop q} {job f} {pop q}} $i]}
                set link {element q}
            }
            mixed {
                set link [one {order {element q}}]
                if {$i && [chance 20]} {set link order}
            }
        }
        lappend body [step $i $what $link]
    }
    list [list chain $name] {*}$body {*}[requires $n] end
}

proc ::chainRandom::together {name trace flow} {
    set events {}
    for {set i [expr {2 + [roll 2]}]} {$i > 0} {incr i -1} {
        set what [one [whats $trace]]
        if {$flow && [chance 50]} {set what [list mark [one {in* mid* out* *side=l* *side=r*}]]}
        if {[string match job* $what] && [llength $what] == 2} {set what {enters completed}}
        lappend events $what
    }
    set by [expr {$flow && [chance 40] ? {-by frame} : {}}]
    list [list synchronize $name -within [limit] {*}$by {*}[expr {[chance 30] ? "-several" : {}}] $events]
}

# The text of commands, one a line, and the statements with their places.
proc ::chainRandom::written {commands} {
    set text {}
    set flat {}
    set line 0
    foreach words $commands {
        incr line
        lappend flat [list x.expect:$line $words]
        set command [list {*}$words]
        switch [lindex $words 0] {
            chain {append command " \{"}
            end {set command "\}"}
        }
        append text $command \n
    }
    list $text $flat
}

proc ::chainRandom::case {seed} {
    set trace [switch [expr {$seed % 6}] {
        0 {::randomTrace::make $seed 60}
        1 {::randomTrace::makeValid $seed 60}
        2 {::randomTrace::makeInterrupted $seed 60}
        default {makeFlow $seed 50}
    }]
    set commands {}
    for {set i 0} {$i < 3} {incr i} {lappend commands {*}[chain c$i $trace]}
    list $trace {*}[written $commands]
}

proc ::chainRandom::core {trace file} {
    set statements [lmap statement [::tactus::expectation read [tempFile x.expect $file]] {
        lassign $statement line words
        list x.expect:$line $words
    }]
    set u [tactus::openText $trace]
    try {
        $u judge x $statements -limit 100000
        return [lmap finding [$u finding list x] {dict remove $finding check severity}]
    } finally {
        $u close
    }
}
