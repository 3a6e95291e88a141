# plugin/expectWords.tcl -- the language of expectations: the syntax of each, and its words as a dict
# (tactus_expect(n)).
#
#   expect::checkWords WORDS        fails with the mistake in the words of an expectation, and with its syntax
#   expect::parsed WORDS            {kind dict}: the procedure judge... for it, and the arguments of that
#
# A kind of expectation is a row of `forms`, a procedure parse... here, and a procedure judge... in
# plugin/expectJudge.tcl.

namespace eval ::tactus::expect {}

# Syntax of each kind: first word -> the others.
proc ::tactus::expect::forms {} {
    set forms {}
    foreach measure {
        response execution preempted blocked lateness release start completion deadline preemptions migrations
    } {
        dict set forms $measure "$measure job|task ?min|average|max? op value"
    }
    dict set forms event "event {event id ...} at time | from time to time"
    dict set forms order "order {event id ...} {event id ...} ?...?"
    dict set forms count "count {event id ...} op number ?from time to time?"
    dict set forms state "state job|task state at time"
    dict set forms budget "budget server op value at time"
    dict set forms never "never condition ?while condition?"
    dict set forms always "always condition ?while condition?"
    dict set forms between "between time time condition"
    return $forms
}

# The kind of an expectation: all measures are of one kind, and `always` is judged as `never` is.
proc ::tactus::expect::kindOf {words} {
    set kind [string totitle [lindex $words 0]]
    expr {[info procs ::tactus::expect::parse$kind] eq {} ? "Measure" : $kind}
}

proc ::tactus::expect::parsed {words} {
    set kind [kindOf $words]
    list [expr {$kind eq "Always" ? "Never" : $kind}] [parse$kind {*}$words]
}

# Fails for a mistake in the words, when the file is read and not when the check runs.
proc ::tactus::expect::checkWords {words} {
    set first [lindex $words 0]
    set forms [forms]
    if {![dict exists $forms $first]} {
        error "bad expectation \"$first\": must be [join [lsort [dict keys $forms]] {, }]"
    }
    if {[catch {parse[kindOf $words] {*}$words} why]} {
        if {[string match {wrong # args*} $why]} {set why "wrong number of words"}
        error "$why: should be \"expect [dict get $forms $first]\""
    }
}

proc ::tactus::expect::isTime {value} {
    if {![regexp {^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,2})?$} $value]} {error "bad time \"$value\""}
}

proc ::tactus::expect::isOp {op} {
    if {$op ni {< <= == != >= >}} {error "bad comparison \"$op\""}
}

proc ::tactus::expect::isWord {word expected} {
    if {$word ne $expected} {error "\"$word\" where \"$expected\" is expected"}
}

proc ::tactus::expect::isEvent {event} {
    if {[catch {llength $event} n] || $n < 1} {error "bad event \"$event\""}
    if {[lindex $event 0] in [dict keys [dict get [::tactus::vocabulary] events]]} return
    if {[lindex $event 0] in [dict keys [dict get [::tactus::vocabulary] bufferEvents]]} return
    error "unknown event \"[lindex $event 0]\""
}

proc ::tactus::expect::isCondition {condition} {
    if {[catch {llength $condition} n]} {error "bad condition \"$condition\""}
    set arities {
        running 1 ready 1 waiting 1 preempted 1 blocked 1 between 1 unknown 1 active 1 holds 2 consuming 1 depleted 1
    }
    set word [lindex $condition 0]
    if {$word in {not and or}} {
        if {$word eq "not" ? $n != 2 : $n < 3} {error "bad condition \"$condition\""}
        foreach part [lrange $condition 1 end] {isCondition $part}
    } elseif {![dict exists $arities $word]} {
        error "unknown condition \"$word\" (must be [join [dict keys $arities] {, }], not, and, or)"
    } elseif {$n - 1 != [dict get $arities $word]} {
        error "bad condition \"$condition\""
    }
}

# Each parse... checks its words and says what they are, as a dict.
proc ::tactus::expect::parseMeasure {measure what args} {
    set statistic all
    if {[llength $args] == 3} {set args [lassign $args statistic]}
    if {$statistic ni {all min average max}} {error "bad statistic \"$statistic\""}
    if {[llength $args] != 2} {error "wrong number of words"}
    lassign $args op value
    isOp $op
    isTime $value
    dict create measure $measure what $what statistic $statistic op $op value $value
}

proc ::tactus::expect::parseWindow {args} {
    if {![llength $args]} {return {from {} to {}}}
    if {[llength $args] == 2} {
        lassign $args word from
        isWord $word at
        set to $from
    } elseif {[llength $args] == 4} {
        lassign $args word from second to
        isWord $word from
        isWord $second to
    } else {
        error "wrong number of words"
    }
    isTime $from
    isTime $to
    dict create from $from to $to
}

proc ::tactus::expect::parseEvent {_ event args} {
    isEvent $event
    if {![llength $args]} {error "wrong number of words"}
    dict create event $event {*}[parseWindow {*}$args]
}

proc ::tactus::expect::parseOrder {_ first second args} {
    set events [list $first $second {*}$args]
    foreach event $events {isEvent $event}
    dict create events $events
}

proc ::tactus::expect::parseCount {_ event op number args} {
    isEvent $event
    isOp $op
    if {![string is entier -strict $number]} {error "bad number \"$number\""}
    dict create event $event op $op number $number {*}[parseWindow {*}$args]
}

proc ::tactus::expect::parseState {_ what state at time} {
    isWord $at at
    isTime $time
    if {$state ni {none waiting running preempted ready blocked completed between unknown}} {
        error "bad state \"$state\""
    }
    dict create what $what state $state time $time
}

proc ::tactus::expect::parseBudget {_ server op value at time} {
    isOp $op
    isTime $value
    isWord $at at
    isTime $time
    dict create server $server op $op value $value time $time
}

proc ::tactus::expect::parseNever {first condition {while while} {during {}}} {
    isCondition $condition
    isWord $while while
    if {$during ne {}} {isCondition $during}
    dict create always [expr {$first eq "always"}] condition $condition during $during
}

proc ::tactus::expect::parseAlways {args} {tailcall parseNever {*}$args}

proc ::tactus::expect::parseBetween {_ from to condition} {
    isTime $from
    isTime $to
    isCondition $condition
    dict create from $from to $to condition $condition
}
