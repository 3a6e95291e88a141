# plugin/expectJudge.tcl -- judging expectations: a procedure for each kind, which is called with the words as parsed by
# plugin/expectWords.tcl, and reports differences (`tell`).
#
# Times are exact: they are compared as integers of 10^-`digits`, never as floating-point numbers, and never pass
# through expr, which would make floating-point numbers of them.

::tactus::need times plugin/stretches

namespace eval ::tactus::expect {
    variable digits 24          ;# decimals of the integers: more than a trace can have
}

proc ::tactus::expect::exact {text} {
    variable digits
    ::tactus::times::integer $text $digits
}

proc ::tactus::expect::decimal {integer} {
    variable digits
    ::tactus::times::text $integer $digits
}

proc ::tactus::expect::compare {left op right} {
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
proc ::tactus::expect::jobsOf {what} {
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
    return -code error -errorcode {TACTUS LOOKUP OBJECT} "no job or task \"$what\" in the trace"
}

proc ::tactus::expect::judgeMeasure {args} {
    dict with args {}
    lassign [jobsOf $what] kind rows
    if {$statistic eq "all"} {
        foreach row $rows {judgeJob $row $measure $op $value}
    } else {
        judgeStatistic $what $rows $measure $statistic $op $value
    }
}

# Is the value of a measure final? Of a job that is not complete, only measures of events that have happened are.
proc ::tactus::expect::isKnown {row measure} {
    expr {[dict get $row $measure] ne {} && ([dict get $row completion] ne {} || $measure in {release start deadline})}
}

# Judges one job. A value that is not final yet may have passed the limit already.
proc ::tactus::expect::judgeJob {row measure op value} {
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
    set until $got
    set since [dict get $row release]
    if {$measure eq "response" && $since ne {}} {set until [decimal [expr {[exact $end] - [exact $since]}]]}
    if {$until ne {} && $op in {< <=} && ![compare $until $op $value]} {
        tell invalid $end [list [list job $job]] \
            "the $measure of $name was $until at the end of the recording already, expected $op $value"
    } else {
        tell uncertain $end [list [list job $job]] "the $measure of $name is not known, expected $op $value"
    }
}

proc ::tactus::expect::judgeStatistic {what rows measure statistic op value} {
    set known [lmap row $rows {
        if {![isKnown $row $measure]} continue
        list [exact [dict get $row $measure]] [dict get $row job] [dict get $row completion]
    }]
    if {![llength $known]} {
        return [tell uncertain {} [list [list task $what]] \
            "no $measure of task [::tactus::check::quoted $what] is known, expected $statistic $op $value"]
    }
    set known [lsort -command ::tactus::stretches::byNumber -index 0 $known]
    lassign [lindex $known [expr {$statistic eq "max" ? "end" : 0}]] got job time
    set objects [list [list task $what]]
    if {$statistic eq "average"} {
        judgeAverage $what [lmap row $known {lindex $row 0}] $measure $op $value
    } elseif {![compare [decimal $got] $op $value]} {
        tell invalid $time [list [list job $job] {*}$objects] \
            "the $statistic $measure of task [::tactus::check::quoted $what] was [decimal $got], of job\
            [::tactus::check::quoted $job], expected $op $value"
    }
    unfinished $what $rows $measure $op $value
}

# Judges the average: the sum is compared with a multiple, since a quotient may not be exact.
proc ::tactus::expect::judgeAverage {what values measure op value} {
    set sum [tcl::mathop::+ {*}$values]
    set n [llength $values]
    if {[compare [decimal $sum] $op [decimal [expr {$n * [exact $value]}]]]} return
    tell invalid {} [list [list task $what]] \
        "the average $measure of task [::tactus::check::quoted $what] was [decimal [expr {$sum / $n}]], expected $op\
        $value"
}

# Judges the jobs that are not complete, whose value may still grow.
proc ::tactus::expect::unfinished {what rows measure op value} {
    if {$op ni {< <=} || $measure ni {response execution preempted blocked lateness}} return
    foreach row $rows {
        if {[dict get $row completion] eq {}} {judgeJob $row $measure $op $value}
    }
}

# ---- events ----------------------------------------------------------------------------------------------------------

# The occurrences {time line} of an event, in order: by its name and leading arguments; a task stands for its jobs.
proc ::tactus::expect::occurrences {event} {
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

proc ::tactus::expect::isTask {id} {
    variable trace
    foreach {kind is} {job 0 task 1} {
        if {![catch {$trace state 0 $kind $id}]} {return $is}
    }
    return 0
}

proc ::tactus::expect::within {occurrences from to} {
    if {$from eq {}} {return $occurrences}
    lmap row $occurrences {
        if {![compare [lindex $row 0] >= $from] || ![compare [lindex $row 0] <= $to]} continue
        set row
    }
}

proc ::tactus::expect::objectsOf {event} {
    variable trace
    set id [lindex $event 1]
    foreach kind {job task server mutex buffer} {
        if {$id ne {} && ![catch {$trace state 0 $kind $id}]} {return [list [list $kind $id]]}
    }
    return
}

proc ::tactus::expect::span {from to} {
    expr {$from eq $to ? "at $from" : "from $from to $to"}
}

proc ::tactus::expect::judgeEvent {args} {
    dict with args {}
    set all [occurrences $event]
    if {[llength [within $all $from $to]]} return
    if {![llength $all]} {
        return [tell invalid {} [objectsOf $event] "expected {$event} [span $from $to], but it never happened"]
    }
    lassign [nearest $all $from] time line
    tell invalid $time [objectsOf $event] "expected {$event} [span $from $to], but it happened at $time" -line $line
}

proc ::tactus::expect::nearest {occurrences time} {
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

# Judges an order of events: looks for each one after the one before it; at equal times, in the order of the file.
proc ::tactus::expect::judgeOrder {args} {
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
proc ::tactus::expect::ordered {event} {
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

proc ::tactus::expect::tellOrder {event all before last} {
    if {![llength $all]} {
        return [tell invalid {} [objectsOf $event] "expected {$event} after {$before}, but it never happened"]
    }
    lassign [lindex $all end] time line
    tell invalid $time [objectsOf $event] \
        "expected {$event} after {$before} at [lindex $last 0], but it happened at $time last" -line $line
}

proc ::tactus::expect::judgeCount {args} {
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

proc ::tactus::expect::judgeState {args} {
    variable trace
    dict with args {}
    set kind [expr {[isTask $what] ? "task" : "job"}]
    set moment [$trace state $time $kind $what]
    set got [expr {[dict exists $moment $what state] ? [dict get $moment $what state] : "none"}]
    if {$got eq $state || ($state eq "ready" && $got in {waiting preempted})} return
    tell invalid $time [list [list $kind $what]] \
        "$kind [::tactus::check::quoted $what] was $got at $time, expected $state"
}

proc ::tactus::expect::judgeBudget {args} {
    variable trace
    dict with args {}
    set got [dict get [$trace state $time server $server] $server budget]
    if {[compare $got $op $value]} return
    tell invalid $time [list [list server $server]] \
        "the budget of server [::tactus::check::quoted $server] was $got at $time, expected $op $value"
}

# ---- conditions ------------------------------------------------------------------------------------------------------

# Stretches of a condition (plugin/stretches.tcl).
proc ::tactus::expect::stretches {condition} {
    variable trace
    set arguments [lassign $condition word]
    switch $word {
        not {return [complement [stretches [lindex $arguments 0]]]}
        and {return [fold intersect $arguments]}
        or {return [fold union $arguments]}
        ready {return [::tactus::stretches::union [stretches [list waiting {*}$arguments]] \
            [stretches [list preempted {*}$arguments]]]}
        active {return [fold union \
            [lmap state {waiting running preempted blocked unknown} {list $state {*}$arguments}]]}
    }
    ::tactus::stretches::normal [lmap pair [$trace stretches $word {*}$arguments] {lmap time $pair {exact $time}}]
}

proc ::tactus::expect::fold {operation conditions} {
    set conditions [lassign $conditions first]
    set result [stretches $first]
    foreach condition $conditions {set result [::tactus::stretches::$operation $result [stretches $condition]]}
    return $result
}

# The stretches of the recording outside of these.
proc ::tactus::expect::complement {stretches} {
    variable trace
    set info [$trace info]
    ::tactus::stretches::without $stretches [exact [dict get $info begin]] [exact [dict get $info end]]
}

# Judges `never C while D`: no stretch is in both. `always C while D`: no stretch of D is outside of C.
proc ::tactus::expect::judgeNever {args} {
    dict with args {}
    set bad [stretches $condition]
    if {$always} {set bad [complement $bad]}
    set while {}
    if {$during ne {}} {
        set bad [::tactus::stretches::intersect $bad [stretches $during]]
        set while " while {$during}"
    }
    tellStretches $bad "expected [expr {$always ? "always" : "never"}] {$condition}$while, but it was\
        [expr {$always ? "not so" : "so"}]" [objectsOf $condition]
}

proc ::tactus::expect::judgeBetween {args} {
    dict with args {}
    set missing [::tactus::stretches::intersect [complement [stretches $condition]] [list [exact $from] [exact $to]]]
    tellStretches $missing "expected {$condition} from $from to $to, but it was not so" [objectsOf $condition]
    outside $from $to $condition
}

# Reports the part of the window that lies outside of the recording.
proc ::tactus::expect::outside {from to condition} {
    variable trace
    set info [$trace info]
    if {[compare $from >= [dict get $info begin]] && [compare $to <= [dict get $info end]]} return
    tell uncertain $from [objectsOf $condition] \
        "expected {$condition} from $from to $to, but the recording is from [dict get $info begin] to\
        [dict get $info end]" -end $to
}

proc ::tactus::expect::tellStretches {stretches sentence objects} {
    foreach {begin end} $stretches {
        set from [decimal $begin]
        set to [decimal $end]
        tell invalid $from $objects "$sentence from $from to $to" -end $to
    }
}
