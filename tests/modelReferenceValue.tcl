# modelReferenceValue.tcl -- what happens in a trace as models see it, and the values of their expressions, for
# modelReference.tcl.
#
# Nothing is summed up on the way: a time since a moment is counted anew from the logs of the jobs, each time that it is
# asked for, and events are counted in the list of all that has happened. `r` is the replay as it is now, `t` the
# present moment in ticks. Where the description leaves a question open, "Chosen:" says which answer is taken here.

# ---- what the trace has ----------------------------------------------------------------------------------------------

# Facts about the trace as a whole, however far the replay is: usesDefault (a job runs on the processor "default"),
# tasks (those that have jobs), interrupts (a job of an interrupt), marks, calls, events (their names), rows (names).
# Those of the last trace are kept.
proc ::modelReference::factsOf {text} {
    variable factsOf
    if {[info exists factsOf] && [lindex $factsOf 0] eq $text} {return [lindex $factsOf 1]}
    set r [::reference::play $text]
    upvar #0 $r R
    set facts [dict create usesDefault 0 tasks {} interrupts 0 marks 0 calls 0 events {} rows {}]
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        dict lappend facts tasks $R(task,$k)
        if {$R(kind,$R(task,$k)) ne "task"} {dict set facts interrupts 1}
        foreach entry $R(log,$k) {
            if {[lindex $entry 2] eq "default"} {dict set facts usesDefault 1}
        }
    }
    foreach row $R(rows) {
        lassign $row - name words
        dict lappend facts rows [string map {buffer:write buffer:push buffer:read buffer:pop} $name]
        set from [option $words -from]
        if {$name eq "message" && $from in {{} mark}} {dict set facts marks 1}
        if {$name in {message taskAnnotation} && $from in {call entry}} {dict set facts calls 1}
        if {$name eq "message" && $from eq "event"} {dict lappend facts events [eventName [lindex $words 0]]}
    }
    ::reference::close $r
    set factsOf [list $text $facts]
    return $facts
}

proc ::modelReference::option {words name} {
    set at [lsearch -exact -start 1 $words $name]
    if {$at >= 0} {lindex $words $at+1}
}

# Name of an event of the recording that was kept.
proc ::modelReference::eventName {text} {
    set at [string first ": " $text]
    expr {$at < 0 ? $text : [string range $text 0 $at-1]}
}

# What a trigger waits for, if the trace has nothing of the kind; else {}.
proc ::modelReference::unrecorded {trigger} {
    variable facts
    dict with trigger {}
    switch $kind {
        mark {expr {[dict get $facts marks] ? "" : "marks"}}
        syscall - sysreturn {expr {[dict get $facts calls] ? "" : "system calls"}}
        event {expr {[lsearch -glob [dict get $facts events] $what] >= 0 ? "" : "event $what"}}
        row {expr {$what in [dict get $facts rows] ? "" : [lindex $text 0]}}
    }
}

# ---- occurrences -----------------------------------------------------------------------------------------------------

# An occurrence is a dict: kind (row, enters, leaves or sysreturn), what (the name of a row's event, a state or a call),
# words (a row's arguments), from; whose it is: job (an index), task, processor, {} where there is none; t
# (ticks), line, and row (the last one that was played).

# The occurrences of a row that was just played: its own, then for each change of a state what was left, and what was
# entered.
proc ::modelReference::occurrencesOf {r row} {
    upvar #0 $r R
    set own [rowOccurrence $r $row]
    set all [list $own]
    foreach change [::reference::changes $r $row] {
        lassign $change k old new
        # Chosen: -processor of a row holds for the changes of the row's own job; a change of another job is where that
        # one runs or ran last.
        set where [ranOn $k]
        if {$k eq [dict get $own job]} {set where [dict get $own processor]}
        foreach {kind what} [list leaves $old enters $new] {
            lappend all [dict merge $own [dict create kind $kind what $what words {} from {} job $k task $R(task,$k) \
                processor $where]]
        }
    }
    return $all
}

# The row itself, with the job, task and processor that it is about.
proc ::modelReference::rowOccurrence {r row} {
    upvar #0 $r R
    lassign [lindex $R(rows) $row] t name words line
    set name [string map {buffer:write buffer:push buffer:read buffer:pop} $name]
    set o [dict create kind row what $name words $words from [option $words -from] job {} task {} processor {} \
        t $t line $line row $row]
    lassign $words first second
    switch -glob $name {
        job* {
            # Chosen: the row's job is the latest of its id after the row. One that was announced only has none.
            if {[info exists R(last,$first)]} {
                set k $R(last,$first)
                dict set o job $k
                dict set o task $R(task,$k)
                dict set o processor [ranOn $k]
            } else {
                dict set o task [::reference::taskOf $first]
            }
        }
        task* {dict set o task $first}
        message {dict set o task [option $words -task]}
        processor* - syncSent {
            # Chosen: what is said of a processor is that processor's own event; sent by the source, received by the
            # target.
            dict set o processor $first
        }
        syncReceived {dict set o processor $second}
    }
    if {"-processor" in [lrange $words 1 end]} {dict set o processor [option $words -processor]}
    return $o
}

# The processor on which a job runs, or ran last. Work between jobs alone is no run of the job.
proc ::modelReference::ranOn {k} {
    upvar 1 R R
    if {$R(state,$k) ne "between" && "running" ni [lmap entry $R(log,$k) {lindex $entry 1}]} return
    return $R(ranOn,$k)
}

# Fields of an occurrence by name, as texts.
proc ::modelReference::fieldsOf {r o} {
    variable vocabulary
    upvar #0 $r R
    dict with o {}
    set fields {}
    if {$kind eq "row" && $what eq "message"} {
        set text [lindex $words 0]
        if {$from eq "event" && [string first ": " $text] >= 0} {
            set text [string range $text [string first ": " $text]+2 end]
        }
        set fields [textFields $text]
    } elseif {$kind eq "row"} {
        set group [expr {[string match buffer:* $what] ? "bufferEvents" : "events"}]
        set event [dict get $vocabulary $group [string map {buffer: {}} $what]]
        foreach {name type} [dict get $event arguments] value [lrange $words 0 [dict get $event required]-1] {
            if {$value ne {}} {dict set fields $name $value}
        }
    }
    if {$job ne {}} {set job $R(id,$job)}
    foreach name {job task processor} {
        if {![dict exists $fields $name] && [set $name] ne {}} {dict set fields $name [set $name]}
    }
    return $fields
}

# Fields of a text: name=value, name:value, or name: and the value as the next word; the first of a name counts. Chosen:
# what follows name: is no value if it is a field itself. Commas and semicolons at the end of a value are no part of it.
proc ::modelReference::textFields {text} {
    set fields {}
    set words [lmap {all word} [regexp -all -inline {((?:[^\s"]|"[^"]*(?:"|$))+)} $text] {set word}]
    set field {^([^=:"]+)([=:])(.+)$}
    foreach word $words next [lrange $words 1 end] {
        if {[regexp $field $word -> name - value]} {
        } elseif {[regexp {^([^=:"]+):$} $word -> name] && $next ne {} && ![regexp {^[^=:"]+[=:]} $next]} {
            set value $next
        } else continue
        if {[regexp {^"([^"]*)"?} $value -> inner]} {set value $inner} else {set value [string trimright $value ,\;]}
        if {![dict exists $fields $name]} {dict set fields $name $value}
    }
    return $fields
}

# A rational of a text that is a number of at most 18 digits, decimal or hexadecimal; else {}.
proc ::modelReference::numeric {text} {
    if {[regexp {^(-?)0[xX]([[:xdigit:]]{1,18})$} $text -> minus digits]} {return [rational $minus[expr 0x$digits]]}
    if {[regexp {^-?(\d+\.?\d*|\.\d+)$} $text] && [regexp -all {\d} $text] <= 18} {return [decimal $text]}
}

# ---- whether an occurrence fits a trigger ----------------------------------------------------------------------------

# Is it the instance's own? What has no task is of every task and job, what has no processor of every processor. Chosen:
# an event of a task that names no job (taskArrived) is no job's own event; but a mark, an event of the recording or a
# call of a task is that of each of its jobs that live.
proc ::modelReference::own? {r trigger instance o} {
    upvar #0 $r R
    variable model
    dict with o {}
    set id [lindex [dict get $instance object] 1]
    set k [dict get $instance job]
    switch [dict get $model each] {
        trace {expr 1}
        task {expr {$task in [list {} $id]}}
        job {
            set loose [expr {$what eq "message" || [dict get $trigger kind] in {syscall sysreturn}}]
            expr {$task eq {} || ($loose ? $task eq $R(task,$k) : $job eq $k)}
        }
        processor {expr {$processor in [list {} $id]}}
    }
}

# counted: it is counted by a function. Chosen: where instances are told by a field, what is counted for one of them
# must have its value, unless it is said which it is by words or -of.
proc ::modelReference::fits? {r trigger instance o {counted 0}} {
    upvar #0 $r R
    variable model
    set key [dict get $model key]
    if {$key ne {} && (!$counted || ([dict get $trigger of] eq {} && [dict get $trigger words] eq {}))} {
        set fields [fieldsOf $r $o]
        if {![dict exists $fields $key] || [dict get $fields $key] ne [lindex [dict get $instance object] 1]} {return 0}
    }
    if {![sort? $r $trigger $o]} {return 0}
    set of [dict get $trigger of]
    set words [dict get $trigger words]
    if {$of ne {} && ![taskFits? $r $of [dict get $o task]]} {return 0}
    if {$words ne {}} {return [words? $r $trigger $o]}
    expr {$of ne {} || [own? $r $trigger $instance $o]}
}

# Is the occurrence of the kind that the trigger waits for, and has it the fields?
proc ::modelReference::sort? {r trigger o} {
    foreach name {kind what words from} {set $name [dict get $o $name]}
    set wanted [dict get $trigger what]
    set text [lindex $words 0]
    switch [dict get $trigger kind] {
        row - enters - leaves {return [expr {$kind eq [dict get $trigger kind] && $what eq $wanted}]}
        sysreturn {return [expr {$kind eq "sysreturn" && [string match $wanted $what]}]}
        syscall {return [expr {[call? $o name] && [string match $wanted $name]}]}
        mark {
            if {$kind ne "row" || $what ne "message" || $from ni {{} mark}} {return 0}
            if {![string match $wanted $text]} {return 0}
        }
        event {
            if {$kind ne "row" || $what ne "message" || $from ne "event"} {return 0}
            if {![string match $wanted [eventName $text]]} {return 0}
        }
    }
    set fields [fieldsOf $r $o]
    foreach test [dict get $trigger tests] {
        lassign $test name op value
        if {![dict exists $fields $name]} {return 0}
        set has [dict get $fields $name]
        if {$op in {== !=}} {
            if {[string match $value $has] != ($op eq "==")} {return 0}
            continue
        }
        if {[numeric $has] eq {} || ![holds [numeric $has] $op [numeric $value]]} {return 0}
    }
    return 1
}

# Is a system call entered? Its name.
proc ::modelReference::call? {o {variable name}} {
    upvar 1 $variable name
    dict with o {}
    if {$kind ne "row" || $from ni {call entry} || $what ni {message taskAnnotation}} {return 0}
    set name [expr {$what eq "message" ? [lindex $words 0] : [option $words -message]}]
    return 1
}

# Chosen: what has no task fits * only.
proc ::modelReference::taskFits? {r pattern task} {
    upvar #0 $r R
    if {$pattern eq "*"} {return 1}
    if {$task eq {}} {return 0}
    expr {[string match $pattern $task] || ([info exists R(name,$task)] && [string match $pattern $R(name,$task)])}
}

# Do the first words of an event fit?
proc ::modelReference::words? {r trigger o} {
    set wanted [dict get $trigger words]
    dict with o {}
    lassign $wanted first second
    if {$kind ne "row"} {return [who? $r $first $o]}
    if {[string match job* $what]} {
        if {![who? $r $first $o]} {return 0}
        if {[llength $wanted] < 2} {return 1}
        # The second word is the target of an event that has one.
        if {$what in {jobPreempted jobBlocked jobCompleted}} {
            return [expr {"-target" in [lrange $words 1 end] && [option $words -target] eq $second}]
        }
        return [expr {[lindex $words 1] eq $second}]
    }
    if {$first ne [lindex $words 0]} {return 0}
    if {[llength $wanted] < 2} {return 1}
    set other [lindex $words 1]
    # Budgets and ends of annotations, and places in buffers, are numbers.
    if {$what in {serverReplenished taskAnnotation buffer:drop buffer:resize}} {
        return [expr {[regexp {^-?[\d.eE]+$} $second] && [sign [decimal $second] [decimal $other]] == 0}]
    }
    expr {$second eq $other}
}

# Is it an event of the job of this id, or else of the task?
proc ::modelReference::who? {r who o} {
    upvar #0 $r R
    dict with o {}
    if {$who in $R(jobIds)} {return [expr {$who eq ($kind eq "row" ? [lindex $words 0] : $R(id,$job))}]}
    expr {$who eq $task}
}

# ---- values ----------------------------------------------------------------------------------------------------------

# Ends the evaluation of an expression or a constraint: its value is not known.
proc ::modelReference::uncertain {reason} {
    return -code error -errorcode {MODEL UNCERTAIN} $reason
}

# What an instance, or all of them for a shared name, remembers of a variable: what is values, doubts or started.
# Returns 1, and the caller's variable is set, if there is something.
proc ::modelReference::recall {instance what name {variable {}}} {
    variable model
    variable shared
    set from [expr {[dict exists $model shared $name] ? $shared : $instance}]
    if {![dict exists $from $what $name]} {return 0}
    if {$variable ne {}} {uplevel 1 [list set $variable [dict get $from $what $name]]}
    return 1
}

# The value of an expression for an instance. most: the largest value of the functions that may have been more than what
# was seen.
proc ::modelReference::value {r t instance tree {most 0}} {
    upvar #0 $r R
    lassign $tree kind first second third
    switch $kind {
        number - percent {return $first}
        now {rational $t [expr {10 ** $R(digits)}]}
        time {rational [expr {$t - [dict get $instance entered]}] [expr {10 ** $R(digits)}]}
        field {
            variable handled
            set fields [expr {$handled eq {} ? {} : [fieldsOf $r $handled]}]
            if {![dict exists $fields $first] || [numeric [dict get $fields $first]] eq {}} {
                uncertain "the event has no number $first"
            }
            numeric [dict get $fields $first]
        }
        variable {
            if {![recall $instance values $first x]} {uncertain "$first was not set"}
            return $x
        }
        negate {compute - {0 1} [value $r $t $instance $first $most]}
        compute {
            set left [value $r $t $instance $second $most]
            compute $first $left [value $r $t $instance $third $most]
        }
        past {pastValue $r $t $instance $first $second $third $most}
        call {callValue $r $t $instance $first $second $third $most}
    }
}

# What happened up to now, as far as it fits a trigger.
proc ::modelReference::those {r trigger instance {from 0}} {
    variable history
    lmap o [lrange $history $from end] {
        if {![fits? $r $trigger $instance $o 1]} continue
        set o
    }
}

proc ::modelReference::needRecorded {trigger} {
    set missing [unrecorded $trigger]
    if {$missing ne {}} {uncertain "the trace records no $missing"}
}

# count({A}, TIME), once({A}, TIME), last({A}), since({A}, {B})
proc ::modelReference::pastValue {r t instance function trigger argument most} {
    upvar #0 $r R
    variable history
    needRecorded $trigger
    set ticks [expr {10 ** $R(digits)}]
    switch $function {
        count - once {
            set n 0
            foreach o [those $r $trigger $instance] {
                if {[sign [rational [dict get $o t] $ticks] [compute - [rational $t $ticks] $argument]] >= 0} {incr n}
            }
            if {$most && [short? $r $t $argument]} {return [expr {$function eq "once" ? {1 1} : {1 0}}]}
            rational [expr {$function eq "once" ? $n > 0 : $n}]
        }
        last {
            set found [those $r $trigger $instance]
            if {$found eq {}} {uncertain "no [dict get $trigger text] before"}
            rational [expr {$t - [dict get [lindex $found end] t]}] $ticks
        }
        since {
            needRecorded $argument
            for {set i [expr {[llength $history] - 1}]} {$i >= 0} {incr i -1} {
                if {[fits? $r $argument $instance [lindex $history $i] 1]} break
            }
            if {$i < 0} {uncertain "no [dict get $argument text] before"}
            rational [llength [those $r $trigger $instance [expr {$i + 1}]]]
        }
    }
}

# Does the recording not reach back that far?
proc ::modelReference::short? {r t time} {
    upvar #0 $r R
    set ticks [expr {10 ** $R(digits)}]
    expr {[sign [compute - [rational $t $ticks] $time] [rational $R(begin) $ticks]] < 0}
}

# The value of a function of what was since v.
proc ::modelReference::callValue {r t instance function v argument most} {
    variable counters
    variable facts
    upvar #0 $r R
    if {![recall $instance started $v]} {uncertain "$v was not started"}
    needFacts $r $instance $function $argument
    set doubt [unknownTicks $r $t $instance [list call $function $v $argument]]
    if {$function in $counters} {
        if {$most && $doubt > 0} {return {1 0}}
        return [rational [counted $r $instance $function $v $argument]]
    }
    set ticks [spent $r $t $instance $function $v $argument]
    if {$most} {incr ticks $doubt}
    rational $ticks [expr {10 ** $R(digits)}]
}

# What a function counts must be recorded, and its task must have jobs.
proc ::modelReference::needFacts {r instance function argument} {
    variable facts
    variable ofJobs
    if {$function in [concat $ofJobs {interrupts interrupted holding}]} {
        set task [taskOf $r $instance [expr {$function in $ofJobs ? $argument : ""}]]
        if {$task ne {} && $task ni [dict get $facts tasks]} {uncertain "the trace has no jobs of $task"}
    }
    if {$function in {syscalls insyscall} && ![dict get $facts calls]} {uncertain "the trace records no system calls"}
    if {$function in {interrupts interrupted} && ![dict get $facts interrupts]} {
        uncertain "the trace records no interrupts"
    }
    if {$function eq "count"} {needRecorded $argument}
}

# The task whose id or else name is who, or that of an instance.
proc ::modelReference::taskOf {r instance who} {
    upvar #0 $r R
    if {$who ne {}} {
        if {$who in $R(tasks)} {return $who}
        foreach task $R(tasks) {
            if {$R(name,$task) eq $who} {return $task}
        }
        mistake "no task $who"
    }
    variable model
    switch [dict get $model each] {
        task {return [lindex [dict get $instance object] 1]}
        job {return $R(task,[dict get $instance job])}
    }
}

# The indices of the jobs that a function is about: those of the task `who`, or of the instance.
proc ::modelReference::jobsOf {r instance {who {}}} {
    upvar #0 $r R
    if {$who eq {} && [dict get $instance job] ne {}} {return [list [dict get $instance job]]}
    set task [taskOf $r $instance $who]
    set jobs {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        if {$R(task,$k) eq $task} {lappend jobs $k}
    }
    return $jobs
}

# All jobs of interrupts and softirqs whose task fits a pattern ({}: any).
proc ::modelReference::interruptJobs {r pattern} {
    upvar #0 $r R
    set jobs {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        if {$R(kind,$R(task,$k)) eq "task"} continue
        if {$pattern eq {} || [taskFits? $r $pattern $R(task,$k)]} {lappend jobs $k}
    }
    return $jobs
}

# ---- times -----------------------------------------------------------------------------------------------------------

# Ticks of a kind since the moment v. Of its jobs, the time in their states is summed up; all others are stretches, in
# which something is the case: what is so twice counts once, but for the consumers of a server.
proc ::modelReference::spent {r t instance function v argument} {
    upvar #0 $r R
    recall $instance started $v since
    set since [lindex $since 0]
    set task [taskOf $r $instance {}]
    switch $function {
        elapsed {return [expr {$t - $since}]}
        insyscall {
            set stretches [lmap call [callsOf $r $task $argument] {
                lassign $call - begin end
                list $begin [expr {$end eq {} ? $begin : $end}]
            }]
        }
        interrupted {
            set stretches {}
            foreach k [interruptJobs $r $argument] {
                foreach j [jobsOf $r $instance] {
                    if {$j ne $k} {lappend stretches {*}[together [runs $r $t $j running] [runs $r $t $k running]]}
                }
            }
        }
        holding {
            set stretches {}
            for {set n 0} {$n < $R(nHolds)} {incr n} {
                lassign $R(hold,$n) begin end mutex k
                if {$k ni [jobsOf $r $instance] || $argument ni [list {} $mutex]} continue
                lappend stretches [list $begin [expr {$end eq {} ? $t : $end}]]
            }
        }
        consuming {
            set sum 0
            foreach point $R(points,$argument) next [lrange $R(points,$argument) 1 end] {
                set end [expr {$next eq {} ? $t : [lindex $next 0]}]
                incr sum [expr {[lindex $point 2] * max(0, $end - max([lindex $point 0], $since))}]
            }
            return $sum
        }
        busy {return [length [busy $r $t [processorOf $instance $argument]] $since $t]}
        idle {
            set cpu [processorOf $instance $argument]
            return [expr {$t - $since - [length [concat [busy $r $t $cpu] [unknownOn $r $t $cpu]] $since $t]}]
        }
        default {
            set states [expr {$function eq "ready" ? {waiting preempted} : $function}]
            set sum 0
            foreach k [jobsOf $r $instance $argument] {incr sum [length [runs $r $t $k $states] $since $t]}
            return $sum
        }
    }
    length $stretches $since $t
}

# How much of [from, to] lies in one of the stretches at least.
proc ::modelReference::length {stretches from to} {
    set sum 0
    foreach stretch [lsort -integer -index 0 $stretches] {
        lassign $stretch begin end
        set begin [expr {max($begin, $from)}]
        set end [expr {min($end, $to)}]
        if {$end <= $begin} continue
        incr sum [expr {$end - $begin}]
        set from $end
    }
    return $sum
}

# Stretches in which job k was in one of the states: {begin end processor}.
proc ::modelReference::runs {r t k states} {
    upvar #0 $r R
    set stretches {}
    foreach entry $R(log,$k) next [lrange $R(log,$k) 1 end] {
        lassign $entry begin state cpu
        if {$state in $states} {lappend stretches [list $begin [expr {$next eq {} ? $t : [lindex $next 0]}] $cpu]}
    }
    return $stretches
}

# What lies in both, on the same processor.
proc ::modelReference::together {some others} {
    set both {}
    foreach one $some {
        lassign $one begin end cpu
        foreach other $others {
            if {[lindex $other 2] eq $cpu} {
                lappend both [list [expr {max($begin, [lindex $other 0])}] [expr {min($end, [lindex $other 1])}]]
            }
        }
    }
    return $both
}

proc ::modelReference::processorOf {instance argument} {
    expr {$argument ne {} ? $argument : [lindex [dict get $instance object] 1]}
}

# Stretches in which a job runs on the processor, also between jobs; and in which it is unknown what runs there.
proc ::modelReference::busy {r t cpu} {
    upvar #0 $r R
    set stretches {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        foreach stretch [runs $r $t $k {running between}] {
            if {[lindex $stretch 2] eq $cpu} {lappend stretches $stretch}
        }
    }
    return $stretches
}

proc ::modelReference::unknownOn {r t cpu} {
    upvar #0 $r R
    if {![info exists R(unknownLog,$cpu)]} return
    set stretches {}
    foreach {begin value} $R(unknownLog,$cpu) {next -} [lrange $R(unknownLog,$cpu) 2 end] {
        if {$value eq "1"} {lappend stretches [list $begin [expr {$next eq {} ? $t : $next}]]}
    }
    return $stretches
}

# ---- counts ----------------------------------------------------------------------------------------------------------

# How often something happened after the moment v: changes of states and calls in the rows after it, and other
# occurrences after that which started it.
proc ::modelReference::counted {r instance function v argument} {
    upvar #0 $r R
    recall $instance started $v moment
    lassign $moment - since seen
    switch $function {
        count {return [llength [those $r $argument $instance $seen]]}
        syscalls {
            return [llength [lmap call [callsOf $r [taskOf $r $instance {}] $argument] {
                if {[lindex $call 0] <= $since} continue
                set call
            }]]
        }
        interrupts {
            variable interrupts
            set jobs [jobsOf $r $instance]
            set wanted [interruptJobs $r $argument]
            return [llength [lmap interrupt $interrupts {
                lassign $interrupt row k victims
                set own [lmap j $victims {expr {$j in $jobs ? $j : [continue]}}]
                if {$row <= $since || $k ni $wanted || $own eq {}} continue
                set k
            }]]
        }
    }
    set jobs [jobsOf $r $instance $argument]
    set count 0
    if {$function eq "migrations"} {
        foreach move $R(moves) {
            lassign $move row k
            if {$row > $since && $k in $jobs} {incr count}
        }
        return $count
    }
    foreach change $R(changes) {
        lassign $change row k old new
        if {$row <= $since || $k ni $jobs} continue
        incr count [switch $function {
            preemptions {expr {$old eq "running" && $new eq "preempted"}}
            starts {expr {$old eq "waiting" && $new eq "running"}}
            releases {expr {$old eq "none" && $new eq "waiting"}}
            completions {expr {$new eq "completed" && $old ni {between none}}}
            switches {expr {$old eq "running"}}
        }]
    }
    return $count
}

# System calls that a task has entered, whose names fit a pattern ({}: any): {row begin end}; end {}: its return is
# missing. Chosen: such a one is counted, but takes no time.
proc ::modelReference::callsOf {r task pattern} {
    variable history
    upvar #0 $r R
    lmap o $history {
        if {![call? $o name] || [dict get $o task] ne $task} continue
        if {$pattern ne {} && ![string match $pattern $name]} continue
        set end {}
        if {[dict get $o what] eq "taskAnnotation"} {
            set end [::reference::ticks [lindex [dict get $o words] 1] $R(digits)]
        }
        list [dict get $o row] [dict get $o t] $end
    }
}

# ---- constraints -----------------------------------------------------------------------------------------------------

# {verdict detail}: valid; invalid and the value of the left side; uncertain and the reason.
#
# Chosen: what was seen is evaluated first, so that a variable that was not started, or a division by 0, is the reason
# if both are so. Functions that may have been more are counted as often as they are written. Where one is without bound
# (a counter), so is what is computed of it.
proc ::modelReference::judge {r t instance comparison} {
    lassign $comparison left op right
    try {
        set x [value $r $t $instance $left]
        set y [value $r $t $instance $right]
    } trap {MODEL UNCERTAIN} reason {
        return [list uncertain $reason]
    }
    set seen [expr {[holds $x $op $y] ? "valid" : "invalid"}]
    set open [open $r $t $instance [concat [uses $left] [uses $right]]]
    if {![llength $open]} {return [list $seen $x]}
    set reason [doubt $r $t $instance [lindex $open 0]]
    if {[llength $open] > 1 || [lindex $open 0 0] eq "variable"} {return [list uncertain $reason]}
    if {[lindex $open 0] in [concat [divisors $left] [divisors $right]]} {return [list uncertain $reason]}
    try {
        set most [value $r $t $instance $left 1]
        set limit [value $r $t $instance $right 1]
    } trap {MODEL UNCERTAIN} {} {
        return [list uncertain $reason]
    }
    if {$op in {== !=}} {
        set same [passed? $x $y $most $limit]
    } else {
        set same [expr {[holds $x $op $y] == [holds $most $op $limit]}]
    }
    if {$same} {list $seen $x} else {list uncertain $reason}
}

# Those of the uses of an expression of which a part is unknown.
proc ::modelReference::open {r t instance uses} {
    lmap use $uses {
        if {[doubt $r $t $instance $use] eq {}} continue
        set use
    }
}

# Why a use may have been more than what was seen; {}: it is not.
proc ::modelReference::doubt {r t instance use} {
    upvar #0 $r R
    lassign $use kind first second third
    switch $kind {
        variable {
            if {[recall $instance doubts $first reason]} {return $reason}
        }
        call {
            if {![recall $instance started $second]} return
            set ticks [unknownTicks $r $t $instance $use]
            if {$ticks} {return "so much of it is unknown: [withUnit [::reference::decimal $ticks $R(digits)]]"}
        }
        past {
            if {$first ni {count once} || ![short? $r $t $third]} return
            if {$first eq "once" && [lindex [pastValue $r $t $instance once $second $third 0] 0]} return
            return "the recording does not reach back so far"
        }
    }
}

# Ticks since a moment in which it is unknown what the jobs did that a function is about, or what ran on a processor.
proc ::modelReference::unknownTicks {r t instance use} {
    variable ofJobs
    lassign $use - function v argument
    recall $instance started $v since
    set since [lindex $since 0]
    if {$function in {busy idle}} {
        set cpu [processorOf $instance $argument]
        set busy [busy $r $t $cpu]
        return [expr {[length [concat $busy [unknownOn $r $t $cpu]] $since $t] - [length $busy $since $t]}]
    }
    if {$function in {elapsed unknown consuming}} {return 0}
    set who [expr {$function in $ofJobs ? $argument : ""}]
    set sum 0
    foreach k [jobsOf $r $instance $who] {incr sum [length [runs $r $t $k unknown] $since $t]}
    return $sum
}

# What an expression divides by: between two values of it the quotient may be anything.
proc ::modelReference::divisors {tree} {
    switch [lindex $tree 0] {
        negate {divisors [lindex $tree 1]}
        compute {
            lassign $tree - op left right
            concat [divisors $left] [expr {$op eq "/" ? [uses $right] : [divisors $right]}]
        }
    }
}

# Are two sides different, and get no nearer to one another when the function is the most that it can be? Chosen for
# "the seen value already exceeds", so that it also holds for a function on the right, or one that is subtracted.
proc ::modelReference::passed? {x y most limit} {
    set sign [sign $x $y]
    if {$sign == 0 || [sign $most $limit] != $sign} {return 0}
    set now [compute - $x $y]
    set then [compute - $most $limit]
    expr {[sign $now $then] * $sign <= 0}
}
