# expectReference.tcl -- expectations judged in plain Tcl, slowly and one after the other, from the tables of a trace:
# what generic/judge is compared with (expect.test).
#
#   ::expectReference::judgeAll TRACE STATEMENTS        statements: a list of {place words}
#
# Times are exact: they are compared as integers of 10^-`digits`, never as floating-point numbers, and never pass
# through expr, which would make such numbers of them.

package require tactus
::tactus::need times plugin/check

namespace eval ::expectReference {
    variable digits 24          ;# decimals of the integers: more than a trace can have
    variable trace {}
}

# Judges a list of {place words}; the findings, as dicts verdict time end objects line sentence, in the order in which
# they are found.
proc ::expectReference::judgeAll {traceName statements} {
    variable trace $traceName
    variable place {}           ;# of the expectation that is judged
    variable found {}
    foreach statement $statements {
        lassign $statement place words
        lassign [parsed $words] kind what
        try {
            judge$kind {*}$what
        } trap {TACTUS LOOKUP} message {
            tell uncertain {} {} "expected [said $words], but there is $message"
        }
    }
    return $found
}

# The expectation as it was written.
proc ::expectReference::said {words} {
    set text [join [lmap word $words {string map {{ {}} {}} [list [concat $word]]}]]
    if {[string length $text] > 200} {return "[string range $text 0 196]..."}
    return $text
}

# The line of the first event of that time that is about the job; else the first one; else the last one before.
proc ::expectReference::lineAt {time objects} {
    variable trace
    lassign [lindex $objects 0] kind id
    set events [$trace events -from $time -to $time]
    foreach event $events {
        if {$kind eq "job" && [dict get $event subject] eq $id && [isOfJobs [dict get $event event]]} {
            return [dict get $event line]
        }
    }
    if {![llength $events]} {set events [lrange [$trace events -to $time] end end]}
    if {![llength $events]} {return 0}
    dict get [lindex $events 0] line
}

# Is an event about a job?
proc ::expectReference::isOfJobs {event} {
    string match job* $event
}

# sentence: what happened instead. Without -line an event shows where to look in the file.
proc ::expectReference::tell {verdict time objects sentence args} {
    variable place
    variable trace
    variable found
    set options [dict merge {-end {} -line 0} $args]
    if {$time ne {} && ![dict exists $args -line]} {
        dict set options -line [lineAt $time $objects]
    }
    lappend found [dict create verdict $verdict time $time end [dict get $options -end] objects $objects \
        line [dict get $options -line] sentence "$sentence ($place)"]
}

# ---- words -----------------------------------------------------------------------------------------------------------

# All measures are of one kind, and `always` is judged as `never` is.
proc ::expectReference::kindOf {words} {
    set kind [string totitle [lindex $words 0]]
    expr {[info procs ::expectReference::parse$kind] eq {} ? "Measure" : $kind}
}

proc ::expectReference::parsed {words} {
    set kind [kindOf $words]
    list [expr {$kind eq "Always" ? "Never" : $kind}] [parse$kind {*}$words]
}

proc ::expectReference::isTime {value} {
    if {![regexp {^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,2})?$} $value]} {error "bad time \"$value\""}
}

proc ::expectReference::isOp {op} {
    if {$op ni {< <= == != >= >}} {error "bad comparison \"$op\""}
}

proc ::expectReference::isWord {word expected} {
    if {$word ne $expected} {error "\"$word\" where \"$expected\" is expected"}
}

proc ::expectReference::isEvent {event} {
    if {[catch {llength $event} n] || $n < 1} {error "bad event \"$event\""}
    if {[lindex $event 0] in [dict keys [dict get [::tactus::vocabulary] events]]} return
    if {[lindex $event 0] in [dict keys [dict get [::tactus::vocabulary] bufferEvents]]} return
    error "unknown event \"[lindex $event 0]\""
}

proc ::expectReference::isCondition {condition} {
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
proc ::expectReference::parseMeasure {measure what args} {
    set statistic all
    if {[llength $args] == 3} {set args [lassign $args statistic]}
    if {$statistic ni {all min mean average max p50 p90 p95 p99 p999}} {error "bad statistic \"$statistic\""}
    if {[llength $args] != 2} {error "wrong number of words"}
    lassign $args op value
    isOp $op
    isTime $value
    dict create measure $measure what $what statistic $statistic op $op value $value
}

proc ::expectReference::parseWindow {args} {
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

proc ::expectReference::parseEvent {_ event args} {
    isEvent $event
    if {![llength $args]} {error "wrong number of words"}
    dict create event $event {*}[parseWindow {*}$args]
}

proc ::expectReference::parseOrder {_ first second args} {
    set events [list $first $second {*}$args]
    foreach event $events {isEvent $event}
    dict create events $events
}

proc ::expectReference::parseCount {_ event op number args} {
    isEvent $event
    isOp $op
    if {![string is entier -strict $number]} {error "bad number \"$number\""}
    dict create event $event op $op number $number {*}[parseWindow {*}$args]
}

proc ::expectReference::parseState {_ what state at time} {
    isWord $at at
    isTime $time
    if {$state ni {none waiting running preempted ready blocked completed between unknown}} {
        error "bad state \"$state\""
    }
    dict create what $what state $state time $time
}

proc ::expectReference::parseBudget {_ server op value at time} {
    isOp $op
    isTime $value
    isWord $at at
    isTime $time
    dict create server $server op $op value $value time $time
}

proc ::expectReference::parseNever {first condition {while while} {during {}}} {
    isCondition $condition
    isWord $while while
    if {$during ne {}} {isCondition $during}
    dict create always [expr {$first eq "always"}] condition $condition during $during
}

proc ::expectReference::parseAlways {args} {tailcall parseNever {*}$args}

proc ::expectReference::parseBetween {_ from to condition} {
    isTime $from
    isTime $to
    isCondition $condition
    dict create from $from to $to condition $condition
}

# ---- judging ---------------------------------------------------------------------------------------------------------

proc ::expectReference::exact {text} {
    variable digits
    ::tactus::times::integer $text $digits
}

proc ::expectReference::decimal {integer} {
    variable digits
    ::tactus::times::text $integer $digits
}

proc ::expectReference::compare {left op right} {
    set left [exact $left]
    set right [exact $right]
    switch $op {
        < {expr {$left < $right}}
        <= {expr {$left <= $right}}
        == {expr {$left == $right}}
        != {expr {$left != $right}}
        >= {expr {$left >= $right}}
        > {expr {$left > $right}}
    }
}

# ---- measures of jobs ------------------------------------------------------------------------------------------------

# Rows of the jobs table, as dicts, of a job id or else of a task; {kind rows}.
proc ::expectReference::jobsOf {what} {
    variable trace
    set jobs [$trace relation jobs]
    try {
        set names [lmap column [$jobs columns] {dict get $column name}]
        foreach kind {job task} {
            $jobs filter [list [list $kind = $what]]
            if {![$jobs count]} continue
            return [list $kind [lmap row [$jobs rows 0 [$jobs count]] {
                set dict {}
                foreach name $names value $row {dict set dict $name $value}
                set dict
            }]]
        }
    } finally {
        $jobs close
    }
    foreach kind {job task} {
        if {![catch {$trace state 0 $kind $what}]} {return [list $kind {}]}
    }
    return -code error -errorcode {TACTUS LOOKUP OBJECT} "no job or task \"$what\" in the trace"
}

proc ::expectReference::judgeMeasure {args} {
    dict with args {}
    if {$statistic eq "average"} {set statistic mean}
    lassign [jobsOf $what] kind rows
    if {![llength $rows]} {
        set stated [expr {$statistic eq "all" ? $op : "$statistic $op"}]
        tell uncertain {} [list [list $kind $what]] \
            "no $measure of $kind [::tactus::check::quoted $what] is known, expected $stated $value"
    } elseif {$statistic eq "all"} {
        judgeEach $kind $what $rows $measure $op $value
    } else {
        judgeStatistic $kind $what $rows $measure $statistic $op $value
    }
}

# Is the value of a measure final? Of a job that is not complete, only what has happened is.
proc ::expectReference::isKnown {row measure} {
    expr {[dict get $row $measure] ne {} && ([dict get $row completion] ne {} || $measure in {release start deadline})}
}

# Was the job going on when the recording ended? Then it is the last of its id, and in a state that is known.
proc ::expectReference::isUnderWay {row} {
    variable trace
    if {[dict get $row completion] ne {}} {return 0}
    set last [lindex [lindex [jobsOf [dict get $row job]] 1] end]
    if {$last ne $row} {return 0}
    set id [dict get $row job]
    set states [$trace state [dict get [$trace info] end] job $id]
    expr {[dict exists $states $id] && [dict get $states $id state] ni {none unknown}}
}

# Has the job passed the limit, whatever becomes of it?
proc ::expectReference::isBeyond {row measure op value} {
    if {$op ni {< <=}} {return 0}
    set got [soFar $row $measure]
    expr {$got ne {} && ![compare $got $op $value]}
}

proc ::expectReference::soFar {row measure} {
    variable trace
    if {$measure ni {response lateness}} {return [dict get $row $measure]}
    set since [dict get $row [expr {$measure eq "response" ? "release" : "deadline"}]]
    if {$since eq {} || ![isUnderWay $row]} return
    decimal [expr {[exact [dict get [$trace info] end]] - [exact $since]}]
}

# Judges each job; of a task, those under way are passed over unless they are beyond the limit, or there are no others.
proc ::expectReference::judgeEach {kind what rows measure op value} {
    set judged [lmap row $rows {
        if {$kind eq "task" && ![isKnown $row $measure] && [isUnderWay $row] && ![isBeyond $row $measure $op $value]} {
            continue
        }
        set row
    }]
    foreach row $judged {judgeJob $row $measure $op $value}
    if {[llength $judged]} return
    tell uncertain {} [list [list $kind $what]] \
        "no $measure of $kind [::tactus::check::quoted $what] is known, expected $op $value"
}

# Judges one job. Where its value is not final yet, it may have passed the limit already.
proc ::expectReference::judgeJob {row measure op value} {
    variable trace
    set job [dict get $row job]
    set name "job [::tactus::check::quoted $job]"
    set got [dict get $row $measure]
    if {[isKnown $row $measure]} {
        if {[compare $got $op $value]} return
        set when [dict get $row [expr {$measure in {release start deadline} ? $measure : "completion"}]]
        tell invalid $when [list [list job $job]] "the $measure of $name was $got, expected $op $value"
        return
    }
    set end [dict get [$trace info] end]
    if {[isBeyond $row $measure $op $value]} {
        tell invalid $end [list [list job $job]] \
            "the $measure of $name was [soFar $row $measure] at the end of the recording already, expected $op $value"
    } else {
        tell uncertain $end [list [list job $job]] "the $measure of $name is not known, expected $op $value"
    }
}

# Judges a statistic of the values that are known, and then the jobs that may change it.
proc ::expectReference::judgeStatistic {kind what rows measure statistic op value} {
    set known [lmap row $rows {
        if {![isKnown $row $measure]} continue
        list [exact [dict get $row $measure]] [dict get $row job] [dict get $row completion]
    }]
    if {![llength $known]} {
        return [tell uncertain {} [list [list $kind $what]] \
            "no $measure of $kind [::tactus::check::quoted $what] is known, expected $statistic $op $value"]
    }
    set known [lsort -command ::expectReference::byNumber -index 0 $known]
    if {$statistic eq "mean"} {
        judgeMean $kind $what $rows [lmap row $known {lindex $row 0}] $measure $op $value
    } elseif {$statistic eq "max"} {
        lassign [lsearch -inline -exact -index 0 $known [lindex $known end 0]] got job time
        if {![compare [decimal $got] $op $value]} {
            tell invalid $time [list [list job $job] [list $kind $what]] \
                "the max $measure of $kind [::tactus::check::quoted $what] was [decimal $got], of job\
                [::tactus::check::quoted $job], expected $op $value"
        }
        unfinished $rows $measure $op $value
    } else {
        judgePercentile $kind $what $rows $known $measure $statistic $op $value
    }
}

# Judges a percentile, or the least value, by counting. Of the n values in ascending order the one at place ceil(n p) is
# below a limit if so many are below it, and above it if those at that place and behind are. Values that are not known
# may be anywhere from what the job has reached on.
proc ::expectReference::judgePercentile {kind what rows known measure statistic op value} {
    variable trace
    set open [lmap row $rows {if {![isOpen $row $measure]} continue; set row}]
    set n [expr {[llength $known] + [llength $open]}]
    set place 1
    set share [dict get {min 0 p50 500 p90 900 p95 950 p99 990 p999 999} $statistic]
    while {1000 * $place < $n * $share} {incr place}
    set reached [lmap row $open {
        set reached [soFar $row $measure]
        if {$reached eq {}} continue
        list [exact $reached] [dict get $row job] [dict get $row completion]
    }]
    set anywhere [expr {[llength $open] - [llength $reached]}]
    set can [counting $known $reached $anywhere $place $value]
    set holds [lmap order {< == >} {
        if {![dict get $can $order]} continue
        expr {$order eq $op || $op eq "!=" && $order ne "==" || [string length $op] == 2 && $op ne "!="
            && ($order eq "==" || $order eq [string index $op 0])}
    }]
    if {0 ni $holds} return
    set head "the $statistic $measure of $kind [::tactus::check::quoted $what]"
    lassign [bounds $known $reached $anywhere $place] least largest
    if {1 in $holds} {
        lassign [lmap bound [list $least $largest] {if {$bound ne {}} {decimal [lindex $bound 0]}}] from to
        set where [expr {$from ne {} && $to ne {} ? "is between $from and $to" : $from ne {} ? "is at least $from"
            : $to ne {} ? "is at most $to" : "is not known"}]
        return [tell uncertain [dict get [$trace info] end] \
            [list [list job [dict get [lindex $open 0] job]] [list $kind $what]] \
            "$head $where, since that of [llength $open] of $n jobs is not known, expected $op $value"]
    }
    set same [expr {$least ne {} && [lindex $least 0] eq [lindex $largest 0]}]
    lassign [expr {$same ? [list {} $least] : [dict get $can <] ? [list "at most " $largest]
        : [list "at least " $least]}] word bound
    lassign $bound got job time
    if {$time eq {}} {set time [dict get [$trace info] end]}
    tell invalid $time [list [list job $job] [list $kind $what]] \
        "$head was $word[decimal $got], of job [::tactus::check::quoted $job], expected $op $value"
}

# Can the value at the place be below, equal to, above the limit?
proc ::expectReference::counting {known reached anywhere place value} {
    foreach op {< <= > >=} {
        set count [llength [lmap row $known {if {![compare [decimal [lindex $row 0]] $op $value]} continue; set row}]]
        set open [expr {[llength $reached] + $anywhere}]
        if {$op in {< <=}} {
            set open [llength [lmap row $reached {
                if {![compare [decimal [lindex $row 0]] $op $value]} continue
                set row
            }]]
            incr open $anywhere
        }
        set most($op) [expr {$count + $open}]
    }
    set behind [expr {[llength $known] + [llength $reached] + $anywhere - $place + 1}]
    dict create < [expr {$most(<) >= $place}] > [expr {$most(>) >= $behind}] \
        == [expr {$most(<=) >= $place && $most(>=) >= $behind}]
}

# The least and the largest row {value job completion} that can be at the place; {}: there is no bound.
proc ::expectReference::bounds {known reached anywhere place} {
    set low [lsort -command ::expectReference::byNumber -index 0 [concat $known $reached]]
    set least [if {$place > $anywhere} {lindex $low [expr {$place - $anywhere - 1}]}]
    set largest [lindex $known $place-1]
    lmap {bound rows} [list $least $low $largest $known] {
        if {$bound eq {}} {list} else {lsearch -inline -exact -index 0 $rows [lindex $bound 0]}
    }
}

# Is a job over, or abandoned, and has no value?
proc ::expectReference::isOpen {row measure} {
    set used {execution net_execution preempted blocked}
    if {$measure ni [list response lateness {*}$used]} {return 0}
    if {[dict get $row completion] ne {}} {return [expr {$measure in $used && [dict get $row $measure] eq {}}]}
    expr {![isUnderWay $row]}
}

# Judges the mean: the sum is compared with a multiple, since a quotient may not be exact. What is not known is at least
# what the job has reached, or 0, but for a lateness, and may be anything above that.
proc ::expectReference::judgeMean {kind what rows values measure op value} {
    variable trace
    set open [lmap row $rows {if {![isOpen $row $measure]} continue; set row}]
    set bounded 1
    foreach row $open {
        set reached [soFar $row $measure]
        if {$reached eq {} && $measure eq "lateness"} {set bounded 0}
        lappend values [if {$reached eq {}} {expr 0} else {exact $reached}]
    }
    set sum [tcl::mathop::+ {*}$values]
    set n [llength $values]
    set limit [decimal [expr {$n * [exact $value]}]]
    set least [expr {!$bounded || [compare [decimal $sum] < $limit] ? 0 : [compare [decimal $sum] == $limit] ? 1 : 2}]
    set holds [lmap order [lrange {< == >} $least [expr {[llength $open] ? 2 : $least}]] {
        expr {$order in [dict get {< < <= {< ==} == == != {< >} >= {> ==} > >} $op]}
    }]
    if {0 ni $holds} return
    set head "the mean $measure of $kind [::tactus::check::quoted $what]"
    set mean [expr {$bounded ? [decimal [expr {$sum / $n}]] : "not known"}]
    if {[llength $open] && $bounded} {set mean "at least $mean"}
    if {1 ni $holds} {return [tell invalid {} [list [list $kind $what]] "$head was $mean, expected $op $value"]}
    tell uncertain [dict get [$trace info] end] [list [list job [dict get [lindex $open 0] job]] [list $kind $what]] \
        "$head is $mean, since that of [llength $open] of $n jobs is not known, expected $op $value"
}

# Judges the jobs that are not complete, which may be above the largest value. Those under way are judged if they have
# passed it.
proc ::expectReference::unfinished {rows measure op value} {
    if {$op ni {< <=}} return
    set used {execution net_execution preempted blocked}
    if {$measure ni [list response lateness {*}$used]} return
    foreach row $rows {
        if {[dict get $row completion] ne {} && !($measure in $used && [dict get $row $measure] eq {})} continue
        if {[isUnderWay $row] && ![isBeyond $row $measure $op $value]} continue
        judgeJob $row $measure $op $value
    }
}

# ---- events ----------------------------------------------------------------------------------------------------------

# {time line} of the events that are meant, in order: name and leading arguments; a task stands for its jobs.
proc ::expectReference::occurrences {event} {
    variable trace
    set arguments [lassign $event name first second]
    set filter {}
    if {[llength $event] > 1 && [isTask $first] && [string match job* $name]} {
        lappend filter -task [string map {\\ \\\\ * \\* ? \\? [ \\[ ] \\]} $first]
        set first {}
    }
    lmap row [$trace events -event $name {*}$filter] {
        if {$first ne {} && [dict get $row subject] ne $first} continue
        if {$second ne {} && [dict get $row object] ne $second} continue
        list [dict get $row time] [dict get $row line]
    }
}

proc ::expectReference::isTask {id} {
    variable trace
    foreach {kind is} {job 0 task 1} {
        if {![catch {$trace state 0 $kind $id}]} {return $is}
    }
    return 0
}

proc ::expectReference::within {occurrences from to} {
    if {$from eq {}} {return $occurrences}
    lmap row $occurrences {
        if {![compare [lindex $row 0] >= $from] || ![compare [lindex $row 0] <= $to]} continue
        set row
    }
}

proc ::expectReference::objectsOf {event} {
    variable trace
    set id [lindex $event 1]
    foreach kind {job task server mutex buffer} {
        if {$id ne {} && ![catch {$trace state 0 $kind $id}]} {return [list [list $kind $id]]}
    }
    return
}

proc ::expectReference::span {from to} {
    expr {$from eq $to ? "at $from" : "from $from to $to"}
}

proc ::expectReference::judgeEvent {args} {
    dict with args {}
    set all [occurrences $event]
    if {[llength [within $all $from $to]]} return
    if {![llength $all]} {
        return [tell invalid {} [objectsOf $event] "expected {$event} [span $from $to], but it never happened"]
    }
    lassign [nearest $all $from] time line
    tell invalid $time [objectsOf $event] "expected {$event} [span $from $to], but it happened at $time" -line $line
}

proc ::expectReference::nearest {occurrences time} {
    set target [exact $time]
    set best {}
    foreach row $occurrences {
        set away [expr {abs([exact [lindex $row 0]] - $target)}]
        if {$best eq {} || $away < $least} {
            set best $row
            set least $away
        }
    }
    return $best
}

# Looks for each event after the one before it; where times are equal, in the order of the file.
proc ::expectReference::judgeOrder {args} {
    set last {}
    set before {}
    foreach event [dict get $args events] {
        set all [ordered $event]
        set found {}
        foreach row $all {
            if {$last eq {} || [lindex $row 2] > [lindex $last 2]} {
                set found $row
                break
            }
        }
        if {$found eq {}} {return [tellOrder $event $all $before $last]}
        set last $found
        set before $event
    }
}

# Occurrences with their place among all events.
proc ::expectReference::ordered {event} {
    variable trace
    set events [$trace relation events]
    try {
        set occurrences [occurrences $event]
        $events filter [list [list event = [lindex $event 0]]]
        set names [lmap column [$events columns] {dict get $column name}]
        set time [lsearch -exact $names time]
        set line [lsearch -exact $names line]
        set result {}
        set wanted {}
        foreach row $occurrences {dict incr wanted $row}
        set place 0
        foreach row [$events rows 0 [$events count]] {
            set key [list [lindex $row $time] [lindex $row $line]]
            if {[dict exists $wanted $key]} {lappend result [list {*}$key [$events id $place]]}
            incr place
        }
        return $result
    } finally {
        $events close
    }
}

proc ::expectReference::tellOrder {event all before last} {
    if {![llength $all]} {
        set after [expr {$before eq {} ? {} : " after {$before}"}]
        return [tell invalid {} [objectsOf $event] "expected {$event}$after, but it never happened"]
    }
    lassign [lindex $all end] time line
    tell invalid $time [objectsOf $event] \
        "expected {$event} after {$before} at [lindex $last 0], but it happened at $time last" -line $line
}

proc ::expectReference::judgeCount {args} {
    dict with args {}
    set found [within [occurrences $event] $from $to]
    set n [llength $found]
    if {[compare $n $op $number]} return
    set window [expr {$from eq {} ? {} : " [span $from $to]"}]
    lassign [lindex $found end] time line
    if {$line eq {}} {set line 0}
    tell invalid $time [objectsOf $event] \
        "{$event} happened [::tactus::check::counted $n time]$window, expected $op $number" -line $line
}

# ---- states ----------------------------------------------------------------------------------------------------------

proc ::expectReference::judgeState {args} {
    variable trace
    dict with args {}
    if {[catch {$trace state 0 job $what}] && [catch {$trace state 0 task $what}]} {
        return -code error -errorcode {TACTUS LOOKUP OBJECT} "no job or task \"$what\" in the trace"
    }
    set kind [expr {[isTask $what] ? "task" : "job"}]
    set moment [$trace state $time $kind $what]
    set got [expr {[dict exists $moment $what state] ? [dict get $moment $what state] : "none"}]
    if {$got eq $state || ($state eq "ready" && $got in {waiting preempted})} return
    tell invalid $time [list [list $kind $what]] \
        "$kind [::tactus::check::quoted $what] was $got at $time, expected $state"
}

proc ::expectReference::judgeBudget {args} {
    variable trace
    dict with args {}
    set got [dict get [$trace state $time server $server] $server budget]
    if {[compare $got $op $value]} return
    tell invalid $time [list [list server $server]] \
        "the budget of server [::tactus::check::quoted $server] was $got at $time, expected $op $value"
}

# ---- conditions ------------------------------------------------------------------------------------------------------

proc ::expectReference::stretches {condition} {
    variable trace
    set arguments [lassign $condition word]
    switch $word {
        not {return [complement [stretches [lindex $arguments 0]]]}
        and {return [fold intersect $arguments]}
        or {return [fold union $arguments]}
        ready {return [::expectReference::union [stretches [list waiting {*}$arguments]] \
            [stretches [list preempted {*}$arguments]]]}
        active {return [fold union \
            [lmap state {waiting running preempted blocked unknown} {list $state {*}$arguments}]]}
    }
    ::expectReference::normal [lmap pair [$trace stretches $word {*}$arguments] {lmap time $pair {exact $time}}]
}

proc ::expectReference::fold {operation conditions} {
    set conditions [lassign $conditions first]
    set result [stretches $first]
    foreach condition $conditions {set result [::expectReference::$operation $result [stretches $condition]]}
    return $result
}

# The rest of the recording.
proc ::expectReference::complement {stretches} {
    variable trace
    set info [$trace info]
    ::expectReference::without $stretches [exact [dict get $info begin]] [exact [dict get $info end]]
}

# never C while D: no stretch in both. always C while D: none in D that is not in C.
proc ::expectReference::judgeNever {args} {
    dict with args {}
    set bad [stretches $condition]
    if {$always} {set bad [complement $bad]}
    set while {}
    if {$during ne {}} {
        set bad [::expectReference::intersect $bad [stretches $during]]
        set while " while {$during}"
    }
    tellStretches $bad "expected [expr {$always ? "always" : "never"}] {$condition}$while, but it was\
        [expr {$always ? "not so" : "so"}]" [objectsOf $condition]
}

proc ::expectReference::judgeBetween {args} {
    dict with args {}
    set missing [::expectReference::intersect [complement [stretches $condition]] [list [exact $from] [exact $to]]]
    tellStretches $missing "expected {$condition} from $from to $to, but it was not so" [objectsOf $condition]
    outside $from $to $condition
}

# Says what part of the window lies outside of the recording, where nothing is known.
proc ::expectReference::outside {from to condition} {
    variable trace
    set info [$trace info]
    if {[compare $from >= [dict get $info begin]] && [compare $to <= [dict get $info end]]} return
    tell uncertain $from [objectsOf $condition] \
        "expected {$condition} from $from to $to, but the recording is from [dict get $info begin] to\
        [dict get $info end]" -end $to
}

proc ::expectReference::tellStretches {stretches sentence objects} {
    foreach {begin end} $stretches {
        set from [decimal $begin]
        set to [decimal $end]
        tell invalid $from $objects "$sentence from $from to $to" -end $to
    }
}

# ---- stretches: sorted lists {begin end begin end ...} of integers, none of length 0, none that touch ----------------

# For lsort, whose own integers have 64 bits only.
proc ::expectReference::byNumber {left right} {
    expr {$left < $right ? -1 : $left > $right}
}

proc ::expectReference::normal {pairs} {
    set result {}
    set last {}
    foreach pair [lsort -command ::expectReference::byNumber -index 0 $pairs] {
        lassign $pair begin end
        if {$begin >= $end} continue
        if {$last ne {} && $begin <= $last} {
            if {$end > $last} {lset result end [set last $end]}
        } else {
            lappend result $begin [set last $end]
        }
    }
    return $result
}

proc ::expectReference::union {left right} {
    normal [lmap {begin end} [concat $left $right] {list $begin $end}]
}

proc ::expectReference::intersect {left right} {
    set result {}
    set i 0
    set j 0
    while {$i < [llength $left] && $j < [llength $right]} {
        set begin [expr {max([lindex $left $i], [lindex $right $j])}]
        set end [expr {min([lindex $left $i+1], [lindex $right $j+1])}]
        if {$begin < $end} {lappend result $begin $end}
        if {[lindex $left $i+1] < [lindex $right $j+1]} {incr i 2} else {incr j 2}
    }
    return $result
}

proc ::expectReference::without {stretches begin end} {
    normal [lmap {begin end} [list $begin {*}$stretches $end] {list $begin $end}]
}
