# plugin/expect.tcl -- expectations: what a trace of one scenario is to show, stated in a few lines of Tcl (tactus_expect(n)).
#
#       FILE of expectations, or a plugin --expect ...--> list of expectations --run--> findings of the check of that name
#
# A file is plain Tcl in a namespace of its own, as a plugin is; each `expect` in it adds an expectation to the check that is
# named like the file. Nothing is judged before the check runs: an expectation is its words and its place.
#
# Times are exact: they are compared as integers of 10^-`digits` (ticks), never as floating-point numbers. Conditions are
# sorted lists {begin end begin end ...} of such integers: stretches that do not touch.

namespace eval ::tactus::expect {
    variable expectations       ;# check -> list of dicts words place
    variable nFiles 0           ;# files read: each has a namespace
    variable trace {}           ;# the trace that is judged
    variable digits 24          ;# decimals of the integers: more than a trace can have
    if {![info exists expectations]} {set expectations {}}
}

# In a namespace where `list`, `switch` and others mean something else.
proc ::tactus::plugin::expect args {tailcall ::tactus::expect::add {*}$args}

# ---- stating -------------------------------------------------------------------------------------------------------------

# Reads a file of expectations; the name of its check. A mistake in it is an error with file and line.
proc ::tactus::expect::loadFile {file} {
    variable expectations
    variable nFiles
    set file [file normalize $file]
    set name [file tail $file]
    dict unset expectations $name
    # Part of the plugin "expect": its namespace may be named after anything but the file.
    set namespace ::tactus::plugins::expect::file[incr nFiles]
    namespace eval $namespace {}
    ::tactus::plugin::core::furnish $namespace
    try {
        namespace eval $namespace [list source -encoding utf-8 $file]
    } trap {TACTUS EXPECT} {message options} {
        return -options $options $message
    } on error {message options} {
        set line [expr {[regexp {\(file "[^"]*" line (\d+)\)} [dict get $options -errorinfo] -> line] ? ":$line" : {}}]
        return -code error -errorcode {TACTUS EXPECT FILE} "$file$line: $message"
    }
    if {![dict exists $expectations $name]} {
        return -code error -errorcode {TACTUS EXPECT EMPTY} "$file: there is no expectation in it"
    }
    return $name
}

# Where a plugin's word stands: {name-of-check file line}.
proc ::tactus::expect::place {} {
    for {set level [info frame]} {$level > 0} {incr level -1} {
        set frame [info frame $level]
        if {![dict exists $frame file]} continue
        set file [dict get $frame file]
        if {[file dirname $file] eq [file join $::tactus::library plugin]} continue
        return [list [file tail $file] $file [dict get $frame line]]
    }
    return {expect {} 0}
}

# expect WHAT ...: the words of one expectation.
proc ::tactus::expect::add {args} {
    variable expectations
    lassign [place] name file line
    if {[catch {checkWords $args} message]} {
        return -code error -errorcode {TACTUS EXPECT USAGE} "$file:$line: $message"
    }
    if {![dict exists $expectations $name]} {
        uplevel 1 [list ::tactus::check::define $name -title "Expectations of $name" -help "what $name states of a scenario" \
            -needs {} -start [list ::tactus::expect::judgeAll $name]]
    }
    dict lappend expectations $name [dict create words $args place "$name:$line"]
    return
}

# ---- the language --------------------------------------------------------------------------------------------------------

# First word -> how the others are to be written.
proc ::tactus::expect::forms {} {
    set forms {}
    foreach measure {response execution preempted blocked lateness release start completion deadline preemptions migrations} {
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

# A mistake in the words is an error now, not when the check runs.
proc ::tactus::expect::checkWords {words} {
    set first [lindex $words 0]
    set forms [forms]
    if {![dict exists $forms $first]} {error "bad expectation \"$first\": must be [join [lsort [dict keys $forms]] {, }]"}
    set kind [expr {[info procs ::tactus::expect::parse[string totitle $first]] eq {} ? "Measure" : [string totitle $first]}]
    if {[catch {parse$kind {*}$words} why]} {
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
    set arities {running 1 ready 1 waiting 1 preempted 1 blocked 1 between 1 unknown 1 active 1 holds 2 consuming 1 depleted 1}
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
    if {$state ni {none waiting running preempted ready blocked completed between unknown}} {error "bad state \"$state\""}
    dict create what $what state $state time $time
}

proc ::tactus::expect::parseBudget {_ server op value at time} {
    isOp $op
    isTime $value
    isWord $at at
    isTime $time
    dict create server $server op $op value $value time $time
}

proc ::tactus::expect::parseNever {_ condition {while while} {during {}}} {
    isCondition $condition
    isWord $while while
    if {$during ne {}} {isCondition $during}
    dict create condition $condition during $during
}

proc ::tactus::expect::parseAlways {args} {tailcall parseNever {*}$args}

proc ::tactus::expect::parseBetween {_ from to condition} {
    isTime $from
    isTime $to
    isCondition $condition
    dict create from $from to $to condition $condition
}

# ---- exact times ---------------------------------------------------------------------------------------------------------

# A decimal as an integer of 10^-digits.
proc ::tactus::expect::exact {text} {
    variable digits
    if {![regexp {^([-+]?)0*(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$} $text -> sign whole fraction exponent]} {
        return -code error -errorcode {TACTUS EXPECT TIME} "bad time \"$text\""
    }
    set shift [expr {$digits - [string length $fraction] + ([scan $exponent %d power] == 1 ? $power : 0)}]
    set number [string trimleft $whole$fraction 0]
    if {$number eq {}} {return 0}
    if {$shift < 0} {set number [string trimleft [string range $number 0 end+$shift] 0]; set shift 0}
    if {$number eq {}} {return 0}
    set integer $sign$number[string repeat 0 $shift]
    expr {$integer + 0}
}

# The decimal of such an integer.
proc ::tactus::expect::decimal {integer} {
    variable digits
    set sign [expr {$integer < 0 ? "-" : {}}]
    set text [format %0*s [expr {$digits + 1}] [string trimleft $integer -]]
    set text [string map {{ } 0} $text]
    set whole [string range $text 0 end-$digits]
    set fraction [string trimright [string range $text end-[expr {$digits - 1}] end] 0]
    if {$fraction eq {}} {return $sign$whole}
    return $sign$whole.$fraction
}

# For lsort, whose own integers have 64 bits only.
proc ::tactus::expect::byNumber {left right} {
    expr {$left < $right ? -1 : $left > $right}
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

# ---- judging -------------------------------------------------------------------------------------------------------------

proc ::tactus::expect::judgeAll {name traceName} {
    variable expectations
    variable trace $traceName
    variable place {}           ;# of the expectation that is judged: file:line
    foreach expectation [dict get $expectations $name] {
        set words [dict get $expectation words]
        set place [dict get $expectation place]
        set kind [string totitle [lindex $words 0]]
        if {[info procs parse$kind] eq {}} {set kind Measure}
        if {$kind eq "Always"} {set kind Never}
        try {
            judge$kind {*}[parse$kind {*}$words]
        } trap {TACTUS LOOKUP} message {
            tell uncertain {} {} "expected [said $words], but there is $message"
        }
    }
}

# The expectation as it was written.
proc ::tactus::expect::said {words} {
    set text [join [lmap word $words {string map {{ {}} {}} [list [concat $word]]}]]
    if {[string length $text] > 200} {return "[string range $text 0 196]..."}
    return $text
}

# sentence: what happened instead. Without -line the first event of that time shows where to look in the file.
proc ::tactus::expect::tell {verdict time objects sentence args} {
    variable place
    variable trace
    if {$time ne {} && ![dict exists $args -line]} {
        set first [lindex [$trace events -from $time -to $time -limit 1] 0]
        if {$first ne {}} {dict set args -line [dict get $first line]}
    }
    ::tactus::check::report $verdict $time $objects "$sentence ($place)" {*}$args
}

# ---- measures of jobs ----------------------------------------------------------------------------------------------------

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

# Of jobs that are not complete, only what has happened is known for good. (Times never pass through expr, which makes
# floating-point numbers of them.)
proc ::tactus::expect::isKnown {row measure} {
    expr {[dict get $row $measure] ne {} && ([dict get $row completion] ne {} || $measure in {release start deadline})}
}

# A job whose value is not known yet may have passed the limit already.
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
        tell invalid $end [list [list job $job]] "the $measure of $name was $until at the end of the recording already, expected $op $value"
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
        return [tell uncertain {} [list [list task $what]] "no $measure of task [::tactus::check::quoted $what] is known, expected $statistic $op $value"]
    }
    set known [lsort -command ::tactus::expect::byNumber -index 0 $known]
    lassign [lindex $known [expr {$statistic eq "max" ? "end" : 0}]] got job time
    set objects [list [list task $what]]
    if {$statistic eq "average"} {
        judgeAverage $what [lmap row $known {lindex $row 0}] $measure $op $value
    } elseif {![compare [decimal $got] $op $value]} {
        tell invalid $time [list [list job $job] {*}$objects] "the $statistic $measure of task [::tactus::check::quoted $what] was [decimal $got],\
            of job [::tactus::check::quoted $job], expected $op $value"
    }
    unfinished $what $rows $measure $op $value
}

# Compared without dividing.
proc ::tactus::expect::judgeAverage {what values measure op value} {
    set sum [tcl::mathop::+ {*}$values]
    set n [llength $values]
    if {[compare [decimal $sum] $op [decimal [expr {$n * [exact $value]}]]]} return
    tell invalid {} [list [list task $what]] "the average $measure of task [::tactus::check::quoted $what] was [decimal [expr {$sum / $n}]], expected $op $value"
}

# Jobs that are not complete may still be longer.
proc ::tactus::expect::unfinished {what rows measure op value} {
    if {$op ni {< <=} || $measure ni {response execution preempted blocked lateness}} return
    foreach row $rows {
        if {[dict get $row completion] eq {}} {judgeJob $row $measure $op $value}
    }
}

# ---- events --------------------------------------------------------------------------------------------------------------

# {time line} of the events that are meant, in order: name and leading arguments; a task stands for its jobs.
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
    if {![llength $all]} {return [tell invalid {} [objectsOf $event] "expected {$event} [span $from $to], but it never happened"]}
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

# Each event is sought after the one before, in the order of the file where times are equal.
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
    if {![llength $all]} {return [tell invalid {} [objectsOf $event] "expected {$event} after {$before}, but it never happened"]}
    lassign [lindex $all end] time line
    tell invalid $time [objectsOf $event] "expected {$event} after {$before} at [lindex $last 0], but it happened at $time last" -line $line
}

proc ::tactus::expect::judgeCount {args} {
    dict with args {}
    set found [within [occurrences $event] $from $to]
    set n [llength $found]
    if {[compare $n $op $number]} return
    set window [expr {$from eq {} ? {} : " [span $from $to]"}]
    lassign [lindex $found end] time line
    if {$line eq {}} {set line 0}
    tell invalid $time [objectsOf $event] "{$event} happened [::tactus::check::counted $n time]$window, expected $op $number" -line $line
}

# ---- states --------------------------------------------------------------------------------------------------------------

proc ::tactus::expect::judgeState {args} {
    variable trace
    dict with args {}
    set kind [expr {[isTask $what] ? "task" : "job"}]
    set moment [$trace state $time $kind $what]
    set got [expr {[dict exists $moment $what state] ? [dict get $moment $what state] : "none"}]
    if {$got eq $state || ($state eq "ready" && $got in {waiting preempted})} return
    tell invalid $time [list [list $kind $what]] "$kind [::tactus::check::quoted $what] was $got at $time, expected $state"
}

proc ::tactus::expect::judgeBudget {args} {
    variable trace
    dict with args {}
    set got [dict get [$trace state $time server $server] $server budget]
    if {[compare $got $op $value]} return
    tell invalid $time [list [list server $server]] "the budget of server [::tactus::check::quoted $server] was $got at $time, expected $op $value"
}

# ---- conditions ----------------------------------------------------------------------------------------------------------

# Stretches of a condition, sorted, without length 0, none touching another.
proc ::tactus::expect::stretches {condition} {
    variable trace
    set arguments [lassign $condition word]
    switch $word {
        not {return [complement [stretches [lindex $arguments 0]]]}
        and {return [fold intersect $arguments]}
        or {return [fold union $arguments]}
        ready {return [union [stretches [list waiting {*}$arguments]] [stretches [list preempted {*}$arguments]]]}
        active {return [fold union [lmap state {waiting running preempted blocked unknown} {list $state {*}$arguments}]]}
    }
    normal [lmap pair [$trace stretches $word {*}$arguments] {lmap time $pair {exact $time}}]
}

proc ::tactus::expect::fold {operation conditions} {
    set conditions [lassign $conditions first]
    set result [stretches $first]
    foreach condition $conditions {set result [$operation $result [stretches $condition]]}
    return $result
}

# Pairs in any order to a flat list.
proc ::tactus::expect::normal {pairs} {
    set result {}
    set last {}
    foreach pair [lsort -command ::tactus::expect::byNumber -index 0 $pairs] {
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

proc ::tactus::expect::union {left right} {
    normal [lmap {begin end} [concat $left $right] {list $begin $end}]
}

# Within the recording.
proc ::tactus::expect::complement {stretches} {
    variable trace
    set info [$trace info]
    set edges [list [exact [dict get $info begin]] {*}$stretches [exact [dict get $info end]]]
    normal [lmap {begin end} $edges {list $begin $end}]
}

proc ::tactus::expect::intersect {left right} {
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

# never C while D: no stretch in both. always C while D: none in D that is not in C.
proc ::tactus::expect::judgeNever {args} {
    dict with args {}
    upvar 1 words words
    set always [expr {[lindex $words 0] eq "always"}]
    set bad [stretches $condition]
    if {$always} {set bad [complement $bad]}
    set while {}
    if {$during ne {}} {
        set bad [intersect $bad [stretches $during]]
        set while " while {$during}"
    }
    tellStretches $bad "expected [expr {$always ? "always" : "never"}] {$condition}$while, but it was [expr {$always ? "not so" : "so"}]" [objectsOf $condition]
}

proc ::tactus::expect::judgeBetween {args} {
    dict with args {}
    set missing [intersect [complement [stretches $condition]] [list [exact $from] [exact $to]]]
    tellStretches $missing "expected {$condition} from $from to $to, but it was not so" [objectsOf $condition]
    outside $from $to $condition
}

# Nothing is known of times before and after the recording.
proc ::tactus::expect::outside {from to condition} {
    variable trace
    set info [$trace info]
    if {[compare $from >= [dict get $info begin]] && [compare $to <= [dict get $info end]]} return
    tell uncertain $from [objectsOf $condition] "expected {$condition} from $from to $to, but the recording is from [dict get $info begin]\
        to [dict get $info end]" -end $to
}

proc ::tactus::expect::tellStretches {stretches sentence objects} {
    foreach {begin end} $stretches {
        set from [decimal $begin]
        set to [decimal $end]
        tell invalid $from $objects "$sentence from $from to $to" -end $to
    }
}
