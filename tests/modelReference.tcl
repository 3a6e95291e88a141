# modelReference.tcl -- models (state machines with constraints) judged in plain Tcl, slowly, from the text of a trace:
# what generic/judge is compared with (model.test).
#
#   ::modelReference::judgeAll TEXT STATEMENTS ?UNIT?     TEXT: a flat trace, as for reference.tcl. STATEMENTS: a list
#                             of {place words}, the commands of models one after the other: {model NAME ...} {state ...}
#                             {on ...} {start v} {end} ... {end}. UNIT: of the trace's times (ns us ms s), if it is
#                             known. The findings: dicts verdict time end objects line sentence, model after model, each
#                             in the order in which they arise
#   ::modelReference::ended                       a variable: the instances of the last judgeAll, dicts with object,
#                             end, path and judged
#   ::modelReference::parse STATEMENTS            the models, as dicts; a mistake is an error {TACTUS USAGE}
#   ::modelReference::number RATIONAL DIGITS      a decimal, rounded down
#
# The trace is played once a model by reference.tcl, which calls back after each row. Nothing is summed up on the way: a
# time since a moment is counted anew from the logs of the jobs, each time that it is asked for. Numbers are rationals
# {numerator denominator} of big integers, in time units. Where the description leaves a question open, "Chosen:" says
# which answer is taken here.

package require tactus

namespace eval ::modelReference {
    variable unit {}            ;# of the trace's times
    variable jobStates {waiting running preempted blocked completed between unknown none}
    variable times {elapsed running ready waiting preempted blocked between unknown}
    variable counters {preemptions migrations starts releases completions}
    variable units {ns 1000000000 us 1000000 ms 1000 s 1}
}

proc ::modelReference::mistake {message} {
    return -code error -errorcode {TACTUS USAGE} $message
}

# ---- rationals: {numerator denominator}, the latter >= 0, in lowest terms; {1 0} and {-1 0} are without bound --------

proc ::modelReference::rational {n {d 1}} {
    if {$d < 0} {
        set n [expr {-$n}]
        set d [expr {-$d}]
    }
    lassign [list [expr {abs($n)}] $d] a b
    while {$b != 0} {lassign [list $b [expr {$a % $b}]] a b}
    if {$a == 0} {return {0 1}}
    list [expr {$n / $a}] [expr {$d / $a}]
}

# The rational of a decimal such as 12, -.5, 1e-3.
proc ::modelReference::decimal {text} {
    regexp {^(-?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$} $text -> minus whole fraction exponent
    scan ${minus}0$whole$fraction %lld n
    set power [expr {($exponent eq {} ? 0 : [scan $exponent %d]) - [string length $fraction]}]
    if {$power >= 0} {return [rational [expr {$n * 10 ** $power}]]}
    rational $n [expr {10 ** -$power}]
}

# One operation. At most one of the two is without bound; where it is multiplied by 0 the product is 0.
proc ::modelReference::compute {op x y} {
    lassign $x a b
    lassign $y c d
    switch $op {
        + {
            if {$b == 0} {return $x}
            if {$d == 0} {return $y}
            rational [expr {$a * $d + $c * $b}] [expr {$b * $d}]
        }
        - {compute + $x [list [expr {-$c}] $d]}
        * {
            if {$a == 0 || $c == 0} {return {0 1}}
            rational [expr {$a * $c}] [expr {$b * $d}]
        }
        / {
            if {$c == 0} {uncertain "division by 0"}
            if {$d == 0} {return {0 1}}
            compute * $x [expr {$c < 0 ? [list [expr {-$d}] [expr {-$c}]] : [list $d $c]}]
        }
        min {expr {[sign $x $y] <= 0 ? $x : $y}}
        max {expr {[sign $x $y] >= 0 ? $x : $y}}
    }
}

# Sign of x - y: -1, 0, 1.
proc ::modelReference::sign {x y} {
    lassign $x a b
    lassign $y c d
    set left [expr {$a * $d}]
    set right [expr {$c * $b}]
    expr {$left < $right ? -1 : $left > $right}
}

proc ::modelReference::holds {x op y} {
    set sign [sign $x $y]
    switch $op {
        < {expr {$sign < 0}}
        <= {expr {$sign <= 0}}
        == {expr {$sign == 0}}
        != {expr {$sign != 0}}
        >= {expr {$sign >= 0}}
        > {expr {$sign > 0}}
    }
}

# Chosen: rounded down means to the next smaller number, below 0 as well.
proc ::modelReference::number {x digits} {
    lassign $x n d
    set scaled [expr {$n * 10 ** $digits / $d}]
    set text [format %0*lld [expr {$digits + 1}] [expr {abs($scaled)}]]
    set whole [string range $text 0 end-$digits]
    set fraction [string trimright [string range $text [string length $whole] end] 0]
    if {$fraction ne {}} {append whole . $fraction}
    return [expr {$scaled < 0 ? "-" : ""}]$whole
}

# ---- expressions -----------------------------------------------------------------------------------------------------

# An expression is one of {number RATIONAL} {percent RATIONAL} {now} {variable x} {call FUNCTION v} {negate E} and, for
# an operator or min or max, {compute OP E E}.

# Splits a text into numbers with their units, names, operators and parentheses.
proc ::modelReference::tokens {text} {
    set number {(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:\s*(?:ns|us|ms|s)\M|\s*%)?}
    set tokens {}
    while {[set text [string trimleft $text]] ne {}} {
        if {![regexp "^(?:$number|\[A-Za-z_\]\\w*|\[-+*/(),\])" $text token]} {mistake "bad expression \"$text\""}
        lappend tokens $token
        set text [string range $text [string length $token] end]
    }
    return $tokens
}

proc ::modelReference::expression {text} {
    set tokens [tokens $text]
    set tree [parseSum]
    if {[llength $tokens]} {mistake "bad expression \"$text\""}
    return $tree
}

# Each parse... takes its tokens from the front of the caller's list.
proc ::modelReference::parseSum {} {
    upvar 1 tokens tokens
    set tree [parseProduct]
    while {[lindex $tokens 0] in {+ -}} {
        set op [take]
        set tree [list compute $op $tree [parseProduct]]
    }
    return $tree
}

proc ::modelReference::parseProduct {} {
    upvar 1 tokens tokens
    set tree [parseOperand]
    while {[lindex $tokens 0] in {* /}} {
        set op [take]
        set tree [list compute $op $tree [parseOperand]]
    }
    return $tree
}

# A number, variable or function, or an expression in parentheses.
proc ::modelReference::parseOperand {} {
    upvar 1 tokens tokens
    variable times
    variable counters
    set token [take]
    if {$token eq "-"} {return [list negate [parseOperand]]}
    if {$token eq "("} {
        set tree [parseSum]
        take )
        return $tree
    }
    if {[regexp {^[\d.]} $token]} {return [constant $token]}
    if {![regexp {^\w+$} $token]} {mistake "\"$token\" where a value is expected"}
    if {[lindex $tokens 0] ne "("} {return [expr {$token eq "now" ? "now" : [list variable $token]}]}
    take (
    if {$token in {min max}} {
        set left [parseSum]
        take ,
        set tree [list compute $token $left [parseSum]]
    } elseif {$token in [concat $times $counters]} {
        set tree [list call $token [take]]
    } else {
        mistake "unknown function \"$token\""
    }
    take )
    return $tree
}

proc ::modelReference::take {{wanted {}}} {
    upvar 1 tokens tokens
    set tokens [lassign $tokens token]
    if {$wanted ne {} && $token ne $wanted} {mistake "\"$token\" where \"$wanted\" is expected"}
    return $token
}

# A number with its unit. In a unit, it is brought to that of the trace.
proc ::modelReference::constant {token} {
    variable unit
    variable units
    regexp {^(.*?)\s*(ns|us|ms|s|%)?$} $token -> number mark
    set value [decimal $number]
    if {$mark eq "%"} {return [list percent [compute / $value {100 1}]]}
    if {$mark eq {}} {return [list number $value]}
    if {$unit eq {}} {mistake "\"$token\": the time unit of the trace is not known"}
    list number [compute * $value [rational [dict get $units $unit] [dict get $units $mark]]]
}

# {left op right said limit share}: the sides as expressions, and as written; share: shares are compared. A share: the
# side that is a time since a moment is divided by the time that has gone by, when the other side is a percentage and
# nothing else.
proc ::modelReference::comparison {text} {
    variable times
    if {![regexp {^([^<=>!]*)(<=|>=|==|!=|<|>)([^<=>!]*)$} $text -> said op limit]} {mistake "bad condition \"$text\""}
    set said [string trim $said]
    set limit [string trim $limit]
    set left [expression $said]
    set right [expression $limit]
    set share 0
    foreach {side other} {left right right left} {
        if {[lindex [set $other] 0] ne "percent"} continue
        lassign [set $side] kind function v
        if {$kind ne "call" || $function ni $times} continue
        set $side [list compute / [set $side] [list call elapsed $v]]
        set share 1
    }
    list $left $op $right $said $limit $share
}

# The calls in an expression, from left to right; and those and its variables.
proc ::modelReference::calls {tree} {
    lmap use [uses $tree] {
        if {[lindex $use 0] ne "call"} continue
        set use
    }
}

proc ::modelReference::uses {tree} {
    switch [lindex $tree 0] {
        call - variable {list $tree}
        negate {uses [lindex $tree 1]}
        compute {concat [uses [lindex $tree 2]] [uses [lindex $tree 3]]}
    }
}

# ---- models ----------------------------------------------------------------------------------------------------------

# A model is a dict of name place each of strict, states (a dict of name to 1 when it is final), initial, and ons: a
# list of dicts of place state pattern guard ({} or a comparison) said (the pattern and -if, as written) target actions;
# an action is {place word value ...}.

# Reads the flat commands of models.
proc ::modelReference::parse {statements} {
    set models {}
    while {[llength $statements]} {
        set statements [lassign $statements statement]
        lassign $statement place words
        if {[lindex $words 0] ne "model"} {mistake "$place: \"[lindex $words 0]\" outside of a model"}
        set model [header $place {*}[lrange $words 1 end]]
        while 1 {
            if {![llength $statements]} {mistake "$place: the model has no end"}
            set statements [lassign $statements statement]
            lassign $statement at words
            if {$words eq "end"} break
            set arguments [lassign $words word]
            switch $word {
                state {addState}
                on {addTransition}
                default {mistake "$at: \"$word\" where state or on is expected"}
            }
        }
        lappend models [finish $model]
    }
    return $models
}

proc ::modelReference::header {place name args} {
    set model [dict create name $name place $place each trace of {} strict 0 states {} initial {} ons {}]
    while {[llength $args]} {
        set args [lassign $args option]
        switch $option {
            -strict {dict set model strict 1}
            -each - -of {
                set args [lassign $args value]
                dict set model [string range $option 1 end] $value
            }
            default {mistake "$place: bad option \"$option\""}
        }
    }
    if {[dict get $model each] ni {trace processor task job}} {mistake "$place: bad -each \"[dict get $model each]\""}
    # Chosen: a trace has no id that could fit a pattern.
    if {[dict get $model each] eq "trace" && [dict get $model of] ne {}} {mistake "$place: -of without -each"}
    return $model
}

proc ::modelReference::addState {} {
    foreach name {model at arguments} {upvar 1 $name $name}
    set flags [lassign $arguments name]
    if {[dict exists $model states $name]} {mistake "$at: the state \"$name\" is defined already"}
    foreach flag $flags {
        if {$flag ni {-initial -final}} {mistake "$at: bad option \"$flag\""}
    }
    dict set model states $name [expr {"-final" in $flags}]
    if {"-initial" ni $flags} return
    if {[dict get $model initial] ne {}} {mistake "$at: there is another initial state"}
    dict set model initial $name
}

# on STATE EVENT ?-if CONDITION? STATE, its actions, and an end.

proc ::modelReference::addTransition {} {
    foreach name {model at arguments statements} {upvar 1 $name $name}
    set rest [lassign $arguments state event]
    set if {}
    if {[lindex $rest 0] eq "-if"} {set rest [lassign $rest _ if]}
    if {[llength $rest] != 1} {mistake "$at: wrong number of words"}
    set actions {}
    while 1 {
        if {![llength $statements]} {mistake "$at: the model has no end"}
        set statements [lassign $statements statement]
        lassign $statement place words
        if {$words eq "end"} break
        lappend actions [action $place {*}$words]
    }
    dict lappend model ons [dict create place $at state $state pattern [pattern $event] \
        guard [expr {$if eq {} ? {} : [comparison $if]}] said [list $event $if] target [lindex $rest 0] \
        actions $actions]
}

proc ::modelReference::action {place word args} {
    switch $word {
        start {
            if {[llength $args] != 1} {mistake "$place: wrong number of words"}
            list $place start [lindex $args 0]
        }
        let {list $place let [lindex $args 0] [expression [join [lrange $args 1 end]]]}
        require {list $place require [comparison [join $args]]}
        default {mistake "$place: \"$word\" where start, let or require is expected"}
    }
}

# What can only be said of a model as a whole.
proc ::modelReference::finish {model} {
    variable times
    variable counters
    dict with model {}
    if {$initial eq {}} {mistake "$place: no state is initial"}
    foreach on $ons {
        foreach role {state target} {
            set state [dict get $on $role]
            if {![dict exists $states $state]} {mistake "[dict get $on place]: no state \"$state\""}
        }
        set key [list [dict get $on state] [dict get $on said]]
        if {[info exists seen($key)]} {mistake "[dict get $on place]: as on $seen($key)"}
        set seen($key) [dict get $on place]
        # Chosen: of the trace and of processors there is only elapsed; another function is a mistake.
        if {$each in {task job}} continue
        foreach call [callsOf $on] {
            if {[lindex $call 1] ne "elapsed"} {mistake "[dict get $on place]: [lindex $call 1] of -each $each"}
        }
    }
    # Without final states, all are.
    if {1 ni [dict values $states]} {dict set model states [dict map {name final} $states {expr 1}]}
    return $model
}

# All calls in the guard and the actions of a transition.
proc ::modelReference::callsOf {on} {
    set trees [lmap place {0 2} {lindex [dict get $on guard] $place}]
    foreach action [dict get $on actions] {
        lassign $action - word first second
        if {$word eq "let"} {lappend trees $second}
        if {$word eq "require"} {lappend trees [lindex $first 0] [lindex $first 2]}
    }
    concat {*}[lmap tree $trees {calls $tree}]
}

# ---- events ----------------------------------------------------------------------------------------------------------

# An event as a model sees it is a dict: kind (row, enters or leaves), what (the name of a row's event, or a state),
# words (a row's arguments), and whose it is: job (an index), task, processor; {} where there is none.

# A pattern is {kind what words}; kind and what as of events.
proc ::modelReference::pattern {event} {
    variable jobStates
    set words [lassign $event name]
    if {$name in {enters leaves}} {
        if {[lindex $words 0] ni $jobStates || [llength $words] > 2} {mistake "bad event \"$event\""}
        return [list $name [lindex $words 0] [lrange $words 1 end]]
    }
    if {[llength $words] > 2} {mistake "event \"$event\" has too many words"}
    set name [string map {write push read pop} $name]
    set vocabulary [::tactus::vocabulary]
    if {[dict exists $vocabulary events $name]} {return [list row $name $words]}
    if {[dict exists $vocabulary bufferEvents $name]} {return [list row buffer:$name $words]}
    mistake "unknown event \"$name\""
}

# The events of a row that was just played: its own, then for each change of a state what was left, and what was
# entered.
proc ::modelReference::eventsOf {r row} {
    upvar #0 $r R
    lassign [lindex $R(rows) $row] t name words
    set own [rowEvent $r $name $words]
    set events [list $own]
    foreach change [::reference::changes $r $row] {
        lassign $change k old new
        # Chosen: -processor of a row holds for the changes of the row's own job; a change of another job is where that
        # one runs or ran last.
        set where [ranOn $k]
        if {$k eq [dict get $own job]} {set where [dict get $own processor]}
        foreach {kind what} [list leaves $old enters $new] {
            lappend events [dict create kind $kind what $what words {} job $k task $R(task,$k) processor $where]
        }
    }
    return $events
}

# The event of the row itself, with the job, task and processor that it is about.
proc ::modelReference::rowEvent {r name words} {
    upvar #0 $r R
    set name [string map {buffer:write buffer:push buffer:read buffer:pop} $name]
    set event [dict create kind row what $name words $words job {} task {} processor {}]
    lassign $words first second
    switch -glob $name {
        job* {
            # Chosen: the row's job is the latest of its id after the row. One that was announced only has none.
            if {[info exists R(last,$first)]} {
                set k $R(last,$first)
                dict set event job $k
                dict set event task $R(task,$k)
                dict set event processor [ranOn $k]
            } else {
                dict set event task [::reference::taskOf $first]
            }
        }
        task* {dict set event task $first}
        processor* - syncSent {
            # Chosen: what is said of a processor is that processor's own event; sent by the source, received by the
            # target.
            dict set event processor $first
        }
        syncReceived {dict set event processor $second}
    }
    set at [lsearch -exact -start 1 $words -processor]
    if {$at >= 0} {dict set event processor [lindex $words $at+1]}
    return $event
}

# The processor on which a job runs, or ran last. Work between jobs alone is no run of the job.
proc ::modelReference::ranOn {k} {
    upvar 1 R R
    if {$R(state,$k) ne "between" && "running" ni [lmap entry $R(log,$k) {lindex $entry 1}]} return
    return $R(ranOn,$k)
}

# Is it the instance's own event? An event without a task is that of every task and job, one without a processor that of
# every processor. Chosen: an event of a task that names no job (taskArrived) is no job's own event.
proc ::modelReference::own? {instance event} {
    dict with event {}
    lassign [dict get $instance object] each id
    switch $each {
        trace {expr 1}
        task {expr {$task in [list {} $id]}}
        job {expr {$task eq {} || $job eq [dict get $instance job]}}
        processor {expr {$processor in [list {} $id]}}
    }
}

# Does an event fit a pattern? Without words it must be the instance's own.
proc ::modelReference::fits? {r pattern instance event} {
    upvar #0 $r R
    lassign $pattern kind what wanted
    if {[dict get $event kind] ne $kind || [dict get $event what] ne $what} {return 0}
    if {$wanted eq {}} {return [own? $instance $event]}
    lassign $wanted first second
    if {$kind ne "row"} {return [who? $r $first $event]}
    set words [dict get $event words]
    if {[string match job* $what]} {
        if {![who? $r $first $event]} {return 0}
        if {[llength $wanted] < 2} {return 1}
        # The second word is the target of an event that has one.
        if {$what in {jobPreempted jobBlocked jobCompleted}} {
            set at [lsearch -exact -start 1 $words -target]
            return [expr {$at >= 0 && [lindex $words $at+1] eq $second}]
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
proc ::modelReference::who? {r who event} {
    upvar #0 $r R
    dict with event {}
    if {$who in $R(jobIds)} {return [expr {$who eq ($kind eq "row" ? [lindex $words 0] : $R(id,$job))}]}
    expr {$who eq $task}
}

# ---- values ----------------------------------------------------------------------------------------------------------

# Ends the evaluation of an expression or a constraint: its value is not known.
proc ::modelReference::uncertain {reason} {
    return -code error -errorcode {MODEL UNCERTAIN} $reason
}

# The value of an expression for an instance at the caller's replay and moment (`r`, `t`). most: the largest value of
# the functions that may have been more than what was seen.
proc ::modelReference::value {r t instance tree {most 0}} {
    upvar #0 $r R
    lassign $tree kind first second third
    switch $kind {
        number - percent {return $first}
        now {rational $t [expr {10 ** $R(digits)}]}
        variable {
            if {![dict exists $instance values $first]} {uncertain "$first was not set"}
            dict get $instance values $first
        }
        negate {compute - {0 1} [value $r $t $instance $first $most]}
        compute {
            set left [value $r $t $instance $second $most]
            compute $first $left [value $r $t $instance $third $most]
        }
        call {callValue $r $t $instance $first $second $most}
    }
}

proc ::modelReference::callValue {r t instance function v most} {
    variable counters
    upvar #0 $r R
    if {![dict exists $instance started $v]} {uncertain "$v was not started"}
    if {$function in $counters} {
        if {$most && [unknown $r $t $instance $v] > 0} {return {1 0}}
        return [rational [counted $r $instance $function $v]]
    }
    set ticks [spent $r $t $instance $function $v]
    if {$most && $function ni {elapsed unknown}} {incr ticks [unknown $r $t $instance $v]}
    rational $ticks [expr {10 ** $R(digits)}]
}

# The indices of the jobs that an instance is about.
proc ::modelReference::jobsOf {r instance} {
    upvar #0 $r R
    lassign [dict get $instance object] each id
    if {$each eq "job"} {return [list [dict get $instance job]]}
    set jobs {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        if {$each eq "task" && $R(task,$k) eq $id} {lappend jobs $k}
    }
    return $jobs
}

# Ticks that the jobs of an instance spent in a state since the moment v.
proc ::modelReference::spent {r t instance function v} {
    upvar #0 $r R
    lassign [dict get $instance started $v] since
    if {$function eq "elapsed"} {return [expr {$t - $since}]}
    set states [expr {$function eq "ready" ? {waiting preempted} : $function}]
    set sum 0
    foreach k [jobsOf $r $instance] {
        foreach entry $R(log,$k) next [lrange $R(log,$k) 1 end] {
            lassign $entry begin state
            set end [expr {$next eq {} ? $t : [lindex $next 0]}]
            if {$state in $states && $end > $since} {incr sum [expr {$end - max($begin, $since)}]}
        }
    }
    return $sum
}

proc ::modelReference::unknown {r t instance v} {
    spent $r $t $instance unknown $v
}

# Changes of the jobs of an instance in the rows after that of the moment v.
proc ::modelReference::counted {r instance function v} {
    upvar #0 $r R
    lassign [dict get $instance started $v] - since
    set jobs [jobsOf $r $instance]
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
        }]
    }
    return $count
}

# ---- constraints -----------------------------------------------------------------------------------------------------

# {verdict detail}: valid; invalid and the value of the left side; uncertain and the reason.
#
# Chosen: what was seen is evaluated first, so that a variable that was not started, or a division by 0, is the reason
# if both are so. Functions that may have been more are counted as often as they are written. Where one is without bound
# (a counter), so is what is computed of it.
proc ::modelReference::judge {r t instance comparison} {
    variable counters
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
    upvar #0 $r R
    set reason "so much of it is unknown: [::reference::decimal [doubt $r $t $instance [lindex $open 0]] $R(digits)]"
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
        if {[doubt $r $t $instance $use] == 0} continue
        set use
    }
}

# Ticks that are unknown in a use.
proc ::modelReference::doubt {r t instance use} {
    lassign $use kind first second
    if {$kind eq "variable"} {
        return [expr {[dict exists $instance doubts $first] ? [dict get $instance doubts $first] : 0}]
    }
    if {$first in {elapsed unknown} || ![dict exists $instance started $second]} {return 0}
    unknown $r $t $instance $second
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

# ---- the pass --------------------------------------------------------------------------------------------------------

# Judges one model after the other; see the head of this file.
proc ::modelReference::judgeAll {text statements {timeUnit {}}} {
    variable unit $timeUnit
    variable model
    variable found {}
    variable ended {}               ;# instances that are over, in that order: those below, with their ends
    set usesDefault [usesDefault? $text]
    foreach model [parse $statements] {
        # Those that live: dicts of object state values started invalid, job or {}, path (states) and judged (lists of
        # place verdict value; value: a rational, or {}).
        variable instances {}
        variable begun 0            ;# have instances been made that begin with the recording?
        variable nJobs 0            ;# jobs that have begun
        set r [::reference::play $text [list ::modelReference::onRow $usesDefault]]
        begin $r $usesDefault
        upvar #0 $r R
        set line 0
        foreach row [lreverse $R(rows)] {
            # Chosen: as for other findings without a row, the line is that of the first event of that time.
            if {[lindex $row 0] == $R(end)} {set line [lindex $row 3]}
        }
        foreach instance $instances {finishInstance $r $instance $R(end) $line "the recording"}
        ::reference::close $r
    }
    return $found
}

# Does a job of the trace run on the processor "default"?
proc ::modelReference::usesDefault? {text} {
    set r [::reference::play $text]
    upvar #0 $r R
    set uses 0
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        foreach entry $R(log,$k) {
            if {[lindex $entry 2] eq "default"} {set uses 1}
        }
    }
    ::reference::close $r
    return $uses
}

# Makes the instances that begin with the recording.
proc ::modelReference::begin {r usesDefault} {
    variable model
    variable begun
    upvar #0 $r R
    if {$begun} return
    set begun 1
    switch [dict get $model each] {
        trace {newInstance {} {}}
        task {foreach id $R(tasks) {newInstance [list task $id] $id}}
        processor {
            foreach id [concat $R(processors) [lrepeat $usesDefault default]] {newInstance [list processor $id] $id}
        }
    }
    set R(jobIds) [array names R taskOf,*]
    foreach row $R(rows) {
        lassign $row - name words
        if {[string match job* $name]} {lappend R(jobIds) taskOf,[lindex $words 0]}
        set at [lsearch -exact -start 1 $words -target]
        if {$at >= 0} {lappend R(jobIds) taskOf,[lindex $words $at+1]}
    }
    set R(jobIds) [lmap name $R(jobIds) {string range $name 7 end}]
}

# fitting: the id that -of is about. Order of the instances: that of the definitions, of jobs that in which they begin.
proc ::modelReference::newInstance {object fitting {job {}}} {
    variable model
    variable instances
    if {[dict get $model of] ne {} && ![string match [dict get $model of] $fitting]} return
    if {$object eq {}} {set object {trace {}}}
    lappend instances [dict create object $object job $job state [dict get $model initial] values {} doubts {} \
        started {} invalid 0 path [list [dict get $model initial]] judged {}]
}

# Called after each row: the instances see its events; those of jobs that are over end.
proc ::modelReference::onRow {usesDefault r row} {
    variable model
    variable instances
    variable nJobs
    upvar #0 $r R
    begin $r $usesDefault
    for {} {$nJobs < $R(nJobs)} {incr nJobs} {
        if {[dict get $model each] eq "job"} {newInstance [list job $R(id,$nJobs)] $R(task,$nJobs) $nJobs}
    }
    foreach event [eventsOf $r $row] {
        set instances [lmap instance $instances {step $r $row $instance $event}]
    }
    set instances [lmap instance $instances {
        set k [dict get $instance job]
        if {$k ne {} && ($R(completion,$k) ne {} || $R(state,$k) eq "none")} {
            lassign [lindex $R(rows) $row] t - - line
            finishInstance $r $instance $t $line "the job"
            continue
        }
        set instance
    }]
}

# The instance after an event: the first transition whose pattern fits and whose -if holds is taken. Chosen: an -if that
# is uncertain does not hold; an event with no -if that holds is not expected, like one that no pattern fits.
proc ::modelReference::step {r row instance event} {
    variable model
    upvar #0 $r R
    set t [lindex $R(rows) $row 0]
    set known {}
    foreach on [dict get $model ons] {
        if {![fits? $r [dict get $on pattern] $instance $event]} continue
        lappend known [lindex [dict get $on said] 0]
        if {[dict get $on state] ne [dict get $instance state]} continue
        if {[dict get $on guard] ne {} && [lindex [judge $r $t $instance [dict get $on guard]] 0] ne "valid"} continue
        dict set instance state [dict get $on target]
        dict lappend instance path [dict get $on target]
        foreach action [dict get $on actions] {set instance [act $r $row $instance {*}$action]}
        return $instance
    }
    if {[dict get $model strict] && [llength $known]} {
        dict set instance invalid 1
        # Chosen: the event is told as the first pattern in the file that fits it is written.
        tell $r $instance invalid $t [lindex $R(rows) $row 3] [dict get $model place] \
            "{[lindex $known 0]} in state [dict get $instance state], where it is not expected"
    }
    return $instance
}

# The instance after one action of a transition.
proc ::modelReference::act {r row instance place word args} {
    upvar #0 $r R
    lassign [lindex $R(rows) $row] t - - line
    switch $word {
        start {dict set instance started [lindex $args 0] [list $t $row]}
        let {
            # Chosen: a value that cannot be computed leaves the variable without one. One of which a part is unknown makes
            # every constraint with it uncertain.
            lassign $args v tree
            set open [open $r $t $instance [uses $tree]]
            try {
                dict set instance values $v [value $r $t $instance $tree]
                dict set instance doubts $v [expr {[llength $open] ? [doubt $r $t $instance [lindex $open 0]] : 0}]
            } trap {MODEL UNCERTAIN} {} {
                dict unset instance values $v
                dict unset instance doubts $v
            }
        }
        require {
            lassign [lindex $args 0] - op - said limit share
            lassign [judge $r $t $instance [lindex $args 0]] verdict detail
            dict lappend instance judged [list $place $verdict [expr {$verdict eq "uncertain" ? {} : $detail}]]
            if {$verdict eq "valid"} {return $instance}
            if {$verdict eq "invalid"} {
                dict set instance invalid 1
                if {$share} {set detail [compute * $detail {100 1}]}
                set what "was [number $detail [expr {$R(digits) + 3}]][expr {$share ? "%" : ""}]"
            } else {
                set what "is not known ($detail)"
            }
            tell $r $instance $verdict $t $line $place "$said $what, required $op $limit"
        }
    }
    return $instance
}

# Tells that an instance ends in a state that is not final, unless it is invalid anyway.
proc ::modelReference::finishInstance {r instance t line what} {
    variable model
    variable ended
    upvar #0 $r R
    lappend ended [dict merge $instance [list end [::reference::decimal $t $R(digits)]]]
    set state [dict get $instance state]
    if {[dict get $model states $state] || [dict get $instance invalid]} return
    tell $r $instance uncertain $t $line [dict get $model place] "$what ends in state $state"
}

proc ::modelReference::tell {r instance verdict t line place sentence} {
    variable model
    variable found
    upvar #0 $r R
    lassign [dict get $instance object] each id
    set subject "model [dict get $model name]"
    if {$each ne "trace"} {append subject ", $each [::tactus::check::quoted $id]"}
    lappend found [dict create verdict $verdict time [::reference::decimal $t $R(digits)] end {} \
        objects [expr {$each eq "trace" ? {} : [list [list $each $id]]}] line $line \
        sentence "$subject: $sentence ($place)"]
}
