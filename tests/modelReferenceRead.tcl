# modelReferenceRead.tcl -- the words of models, for modelReference.tcl: exact numbers, expressions, events, models.
#
#   ::modelReference::parse STATEMENTS            the models, as dicts; a mistake is an error {TACTUS USAGE}
#   ::modelReference::number RATIONAL DIGITS      a decimal, rounded down
#
# Where the description leaves a question open, "Chosen:" says which answer is taken here.

package require tactus

namespace eval ::modelReference {
    variable unit {}            ;# of the trace's times
    variable vocabulary [::tactus::vocabulary]
    variable jobStates {waiting running preempted blocked completed between unknown none}
    variable units {ps 1000000000000 ns 1000000000 us 1000000 ms 1000 s 1}
    # Functions f(v): of jobs (of the instance's task or job, or those of the task that is the second argument), and
    # others, which are told by their second argument; those that are times, and those that are counts.
    variable ofJobs {running ready waiting preempted blocked between unknown preemptions migrations starts releases
        completions switches}
    variable ofOthers {elapsed syscalls insyscall interrupts interrupted holding consuming busy idle}
    variable times {elapsed running ready waiting preempted blocked between unknown insyscall interrupted holding
        consuming busy idle}
    variable counters {preemptions migrations starts releases completions switches syscalls interrupts count}
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

# An expression is one of {number RATIONAL} {percent RATIONAL} {now} {time} {variable x} {field NAME} {negate E}, for an
# operator or min or max {compute OP E E}, and the functions {call FUNCTION v ARGUMENT}, where ARGUMENT is a text or {},
# and of `count` a trigger; {past FUNCTION TRIGGER ARGUMENT}, where ARGUMENT is a time, and of `since` a trigger.

# Each parse... takes what it reads from the front of the caller's `text`.

proc ::modelReference::expression {text} {
    set whole $text
    set tree [parseSum]
    if {[string trim $text] ne {}} {mistake "bad expression \"$whole\": \"$text\""}
    return $tree
}

# Takes what the regular expression fits from the front of the caller's text, behind blanks; 1, if it fits.
proc ::modelReference::accept {regexp {variable taken}} {
    upvar 1 text text $variable taken
    if {![regexp "^\\s*($regexp)" $text all taken]} {return 0}
    set text [string range $text [string length $all] end]
    return 1
}

proc ::modelReference::demand {regexp} {
    upvar 1 text text
    if {![accept $regexp]} {mistake "\"$text\" where \"$regexp\" is expected"}
    return $taken
}

proc ::modelReference::parseSum {} {
    upvar 1 text text
    set tree [parseProduct]
    while {[accept {[-+]} op]} {set tree [list compute $op $tree [parseProduct]]}
    return $tree
}

proc ::modelReference::parseProduct {} {
    upvar 1 text text
    set tree [parseOperand]
    while {[accept {[*/]} op]} {set tree [list compute $op $tree [parseOperand]]}
    return $tree
}

# A number, variable or function, or an expression in parentheses.
proc ::modelReference::parseOperand {} {
    upvar 1 text text
    if {[accept -]} {return [list negate [parseOperand]]}
    if {[accept {\(}]} {
        set tree [parseSum]
        demand {\)}
        return $tree
    }
    set number {(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:\s*(?:ps|ns|us|ms|s)\M|\s*%)?}
    if {[accept $number token]} {return [constant $token]}
    set name [demand {[A-Za-z_]\w*}]
    if {![accept {\(}]} {return [expr {$name in {now time} ? $name : [list variable $name]}]}
    set tree [parseFunction $name]
    demand {\)}
    return $tree
}

# Behind the name and the parenthesis: the words of a function of the past, or of what was since a moment.
proc ::modelReference::parseFunction {name} {
    upvar 1 text text
    variable ofJobs
    variable ofOthers
    if {$name in {min max}} {
        set left [parseSum]
        demand ,
        return [list compute $name $left [parseSum]]
    }
    if {$name eq "field"} {return [list field [parseArgument]]}
    if {[regexp {^\s*\{} $text]} {
        set trigger [trigger [parseArgument]]
        switch $name {
            count - once {
                demand ,
                set time [parseOperand]
                if {[lindex $time 0] ne "number"} {mistake "$name needs a time"}
                return [list past $name $trigger [lindex $time 1]]
            }
            last {return [list past last $trigger {}]}
            since {
                demand ,
                return [list past since $trigger [trigger [parseArgument]]]
            }
        }
    }
    set v [demand {[A-Za-z_]\w*}]
    set argument [expr {[accept ,] ? [list [parseArgument]] : {}}]
    if {$name eq "count"} {
        if {$argument eq {}} {mistake "count without an event"}
        return [list call count $v [trigger [lindex $argument 0]]]
    }
    if {$name ni [concat $ofJobs $ofOthers] || ($name eq "elapsed" && $argument ne {})} {
        mistake "bad function \"$name\""
    }
    if {$name eq "consuming" && $argument eq {}} {mistake "consuming without a server"}
    return [list call $name $v [lindex $argument 0]]
}

# A word, "in quotes" or {in braces}.
proc ::modelReference::parseArgument {} {
    upvar 1 text text
    if {[accept {"([^"]*)"} word]} {return [string range $word 1 end-1]}
    if {![regexp {^\s*\{} $text]} {return [string trim [demand {[^,()]+}]]}
    set text [string trimleft $text]
    set depth 0
    for {set i 0} {$i < [string length $text]} {incr i} {
        incr depth [string map {\{ 1 \} -1} [regsub {[^{}]} [string index $text $i] 0]]
        if {$depth} continue
        set word [string range $text 1 $i-1]
        set text [string range $text $i+1 end]
        return $word
    }
    mistake "a brace is not closed: \"$text\""
}

# A number with its unit. In a unit, it is brought to that of the trace.
proc ::modelReference::constant {token} {
    variable unit
    variable units
    regexp {^(.*?)\s*(ps|ns|us|ms|s|%)?$} $token -> number mark
    set value [decimal $number]
    if {$mark eq "%"} {return [list percent [compute / $value {100 1}]]}
    if {$mark eq {}} {return [list number $value]}
    if {$unit eq {}} {mistake "\"$token\": the time unit of the trace is not known"}
    list number [compute * $value [rational [dict get $units $unit] [dict get $units $mark]]]
}

# {left op right said limit share}: the sides as expressions, and as written; share: shares are compared. A share: the
# side that is a time since a moment is divided by the time that has gone by, when the other side is a percentage and
# nothing else. Without a comparison, the value must not be 0.
proc ::modelReference::comparison {text} {
    variable times
    set parts [split? $text]
    if {[llength $parts] == 1} {lappend parts != 0}
    if {[llength $parts] != 3} {mistake "bad condition \"$text\""}
    lassign [lmap part $parts {string trim $part}] said op limit
    set left [expression $said]
    set right [expression $limit]
    set share 0
    foreach {side other} {left right right left} {
        if {[lindex [set $other] 0] ne "percent"} continue
        lassign [set $side] kind function v
        if {$kind ne "call" || $function ni $times} continue
        set $side [list compute / [set $side] [list call elapsed $v {}]]
        set share 1
    }
    list $left $op $right $said $limit $share
}

# A text parted at its comparisons, those in braces and quotes left alone: {text op text ...}.
proc ::modelReference::split? {text} {
    set parts {{}}
    set depth 0
    while {$text ne {}} {
        if {!$depth && [regexp {^(<=|>=|==|!=|<|>)(.*)$} $text -> op text]} {
            lappend parts $op {}
            continue
        }
        regexp {^("[^"]*"|.)(.*)$} $text -> piece text
        if {$piece in [list \{ \}]} {incr depth [expr {$piece eq "\{" ? 1 : -1}]}
        lset parts end [lindex $parts end]$piece
    }
    return $parts
}

# The variables and functions in an expression, from left to right.
proc ::modelReference::uses {tree} {
    switch [lindex $tree 0] {
        call - past - variable {list $tree}
        negate {uses [lindex $tree 1]}
        compute {concat [uses [lindex $tree 2]] [uses [lindex $tree 3]]}
    }
}

# ---- events ----------------------------------------------------------------------------------------------------------

# A trigger is a dict: kind (row enters leaves mark event syscall sysreturn), what (the name of a row's event, a state,
# or a pattern), words (an event's first words), tests ({field op value} each), of (a pattern, or {} for the own), text
# (as written).
proc ::modelReference::trigger {text} {
    variable jobStates
    set words [lassign $text name]
    set trigger [dict create kind $name what {} words {} tests {} of {} text $text]
    if {[lindex $words end-1] eq "-of"} {
        dict set trigger of [lindex $words end]
        set words [lrange $words 0 end-2]
    }
    switch $name {
        mark - event {
            dict set trigger what [lindex $words 0]
            foreach word [lrange $words 1 end] {
                if {![regexp {^([^<=>!]+)(<=|>=|==|!=|<|>)(.*)$} $word -> field op value]} {
                    mistake "bad comparison \"$word\""
                }
                dict lappend trigger tests [list $field $op $value]
            }
            if {$words eq {}} {mistake "bad event \"$text\""}
            return $trigger
        }
        syscall - sysreturn {
            if {[llength $words] != 1} {mistake "bad event \"$text\""}
            dict set trigger what [lindex $words 0]
            return $trigger
        }
        enters - leaves {
            if {[lindex $words 0] ni $jobStates || [llength $words] > 2} {mistake "bad event \"$text\""}
            dict set trigger what [lindex $words 0]
            dict set trigger words [lrange $words 1 end]
            return $trigger
        }
    }
    if {[llength $words] > 2} {mistake "event \"$text\" has too many words"}
    dict set trigger words $words
    dict set trigger kind row
    set name [string map {write push read pop} $name]
    variable vocabulary
    if {[dict exists $vocabulary events $name]} {
        dict set trigger what $name
    } elseif {[dict exists $vocabulary bufferEvents $name]} {
        dict set trigger what buffer:$name
    } else {
        mistake "unknown event \"$name\""
    }
    return $trigger
}

# ---- models ----------------------------------------------------------------------------------------------------------

# A model is a dict of name place, each of priority key strict overlap, states (a dict of name to 1 when it is final),
# anyFinal, initial, shared (a dict of name to an expression, or {}), ons: a list of dicts of place state trigger guard
# ({} or a comparison) said (the trigger and -if, as written) target actions; an action is {place word value ...}; and
# durings: dicts of place state, and require (a comparison) or never (a job's state).

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
                during {addInvariant}
                shared {
                    set value [join [lrange $arguments 1 end]]
                    dict set model shared [lindex $arguments 0] [expr {$value eq {} ? {} : [expression $value]}]
                }
                default {mistake "$at: \"$word\" where state, on, during or shared is expected"}
            }
        }
        lappend models [finish $model]
    }
    return $models
}

# A model without a body yet.
proc ::modelReference::header {place name args} {
    set model [dict create name $name place $place each trace of {} priority {} key {} strict 0 overlap 0 states {} \
        initial {} shared {} ons {} durings {}]
    while {[llength $args]} {
        set args [lassign $args option]
        switch $option {
            -strict - -overlap {dict set model [string range $option 1 end] 1}
            -each - -of - -key - -priority {
                set args [lassign $args value]
                if {$option eq "-each" && $value eq "thread"} {set value task}
                dict set model [string range $option 1 end] $value
            }
            default {mistake "$place: bad option \"$option\""}
        }
    }
    dict with model {}
    if {$each ni {trace processor task job}} {mistake "$place: bad -each \"$each\""}
    # Chosen: a trace has no id that could fit a pattern.
    if {$each eq "trace" && $of ne {}} {mistake "$place: -of without -each"}
    if {$key ne {} && $each ne "trace"} {mistake "$place: -key with -each"}
    if {$overlap && $each eq "job"} {mistake "$place: -overlap of jobs"}
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
    dict lappend model ons [dict create place $at state $state trigger [trigger $event] \
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

# during STATE require CONDITION, during STATE never JOBSTATE
proc ::modelReference::addInvariant {} {
    foreach name {model at arguments} {upvar 1 $name $name}
    variable jobStates
    set rest [lassign $arguments state word]
    set invariant [dict create place $at state $state require {} never {}]
    switch $word {
        require {dict set invariant require [comparison [join $rest]]}
        never {
            if {[llength $rest] != 1 || [lindex $rest 0] ni $jobStates} {mistake "$at: bad state of a job"}
            dict set invariant never [lindex $rest 0]
        }
        default {mistake "$at: \"$word\" where require or never is expected"}
    }
    dict lappend model durings $invariant
}

# What can only be said of a model as a whole.
proc ::modelReference::finish {model} {
    dict with model {}
    if {$initial eq {}} {mistake "$place: no state is initial"}
    set trees {}
    foreach on $ons {
        foreach role {state target} {
            set state [dict get $on $role]
            if {![dict exists $states $state]} {mistake "[dict get $on place]: no state \"$state\""}
        }
        set same [list [dict get $on state] [dict get $on said]]
        if {[info exists seen($same)]} {mistake "[dict get $on place]: as on $seen($same)"}
        set seen($same) [dict get $on place]
        lappend trees {*}[treesOf $on]
    }
    foreach invariant $durings {
        set state [dict get $invariant state]
        if {![dict exists $states $state]} {mistake "[dict get $invariant place]: no state \"$state\""}
        foreach side {0 2} {lappend trees [lindex [dict get $invariant require] $side]}
    }
    foreach use [concat {*}[lmap tree $trees {uses $tree}]] {fitting? $each $use}
    set anyFinal [expr {1 in [dict values $states]}]
    if {$overlap && !$anyFinal} {mistake "$place: -overlap without a final state"}
    dict set model anyFinal $anyFinal
    # Without final states, all are.
    if {!$anyFinal} {dict set model states [dict map {name final} $states {expr 1}]}
    return $model
}

# A function without an argument that says whose is of the instance's own task or job, or processor.
proc ::modelReference::fitting? {each use} {
    variable ofJobs
    lassign $use kind function - argument
    if {$kind ne "call" || ($argument ne {} && $function in [concat $ofJobs busy idle])} return
    if {$function in {elapsed count consuming} || ($each eq "processor" && $function in {busy idle})} return
    if {$each in {task job} && $function ni {busy idle}} return
    mistake "$function of -each $each"
}

# The expressions in the guard and the actions of a transition.
proc ::modelReference::treesOf {on} {
    set trees [lmap side {0 2} {lindex [dict get $on guard] $side}]
    foreach action [dict get $on actions] {
        lassign $action - word first second
        if {$word eq "let"} {lappend trees $second}
        if {$word eq "require"} {lappend trees [lindex $first 0] [lindex $first 2]}
    }
    return $trees
}
