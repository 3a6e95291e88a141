# cli/learnTask.tcl -- tactus learn TRACE ... --task TASK: a model of a task as it was in recordings.
#
#   marks of the task --forms--> symbols (marks; or states of its jobs) --complete automaton, $trace models--> how often
#   which symbol follows which --rare ones left out, states with equal futures merged--> automaton with `?` for limits
#   --$trace limits--> numbers --> text of a file
#
# The automaton has a state for each symbol, in which it is behind it: the smallest one that knows what may follow on
# what (2-testable languages: P. Garcia and E. Vidal, "Inference of k-testable languages in the strict sense", 1990).
# Of marks, states behind which the same follows are one (as k-tails does: A. Biermann and J. Feldman, "On the synthesis
# of finite-state machines from samples of their behavior", 1972). How often is counted by the models' own machine, so
# what is learned is what a check will see.

::tactus::need cli/learnFile

namespace eval ::tactus::cli::learn {
    variable mostMarks 24       ;# forms of marks that become symbols
    variable jobStates {waiting running preempted blocked between unknown completed none}
}

# tactus learn TRACE ... --task TASK ...: all traces are open at once, since each step asks all of them.
proc ::tactus::cli::learn::tasks {operands options} {
    lassign [margin $options] margin marginText
    set share [percent frequency [option $options -frequency 1%]]
    set traces {}
    try {
        foreach file $operands {lappend traces [openWhole $file $options]}
        set texts [lmap task [dict get $options -task] {
            set made [structure $task $traces [option $options -each {}] $share]
            set draft [draft $made]
            modelText $made $draft [ask $draft $traces $operands] $margin $marginText
        }]
    } finally {
        foreach trace $traces {$trace close}
    }
    return [join $texts \n]
}

proc ::tactus::cli::learn::nothing {message} {
    return -code error -errorcode {TACTUS LEARN NONE} "$message: nothing can be learned"
}

# ---- symbols ---------------------------------------------------------------------------------------------------------

# The pattern for a task that a user names: an id or name, or a pattern already. Characters that have a meaning in a
# pattern stand for any character where it is a name.
proc ::tactus::cli::learn::taskPattern {task traces} {
    if {![regexp {[*?\[\]\\]} $task]} {return $task}
    set literal [regsub -all {[*?\[\]\\]} $task {\\&}]
    foreach trace $traces {
        if {[dict get [$trace marks $literal] tasks]} {return [regsub -all {[*?\[\]\\]} $task ?]}
    }
    return $task
}

# Marks of the task in all traces: dict tasks jobs others marks (form -> dict count texts).
proc ::tactus::cli::learn::marksOf {pattern traces} {
    set all {tasks 0 jobs 0 others 0 marks {}}
    foreach trace $traces {
        set one [$trace marks $pattern]
        foreach key {tasks jobs others} {dict incr all $key [dict get $one $key]}
        foreach row [dict get $one marks] {
            set form [dict get $row mark]
            set before [expr {[dict exists $all marks $form] ? [dict get $all marks $form] : {count 0 texts {}}}]
            dict set all marks $form [joined $before $row]
        }
    }
    return $all
}

# A form of marks in two traces: its texts are empty where they are many.
proc ::tactus::cli::learn::joined {a b} {
    set texts [dict get $b texts]
    if {[dict get $a count]} {
        set many [expr {$texts eq {} || [dict get $a texts] eq {}}]
        dict for {text n} [dict get $a texts] {dict incr texts $text $n}
        if {$many || [dict size $texts] > 8} {set texts {}}
    }
    dict create count [expr {[dict get $a count] + [dict get $b count]}] texts $texts
}

# Patterns of marks that become symbols, the ones with most letters first, since the first that fits is taken; and what
# is left out: {patterns sentences}. A form with few texts that come again and again is not one of changing numbers: its
# texts are symbols of their own.
proc ::tactus::cli::learn::symbols {marks share} {
    variable mostMarks
    set counts {}
    dict for {form row} [dict get $marks marks] {
        set texts [dict get $row texts]
        set n [dict size $texts]
        if {$n && ($n == 1 || [dict get $row count] >= 3 * $n)} {
            set counts [dict merge $counts $texts]
        } else {
            dict set counts $form [dict get $row count]
        }
    }
    set sorted [lsort -stride 2 -index 1 -integer -decreasing [lsort -stride 2 -index 0 $counts]]
    set patterns {}
    set left {}
    foreach {pattern count} $sorted {
        if {[llength $patterns] < $mostMarks && ![isRare $count [lindex $sorted 1] $share]} {
            lappend patterns $pattern
        } else {
            lappend left $pattern $count
        }
    }
    set letters [lmap pattern $patterns {list [string length [string map {* {}} $pattern]] $pattern}]
    set patterns [lmap pair [lsort -index 0 -integer -decreasing [lsort -index 1 $letters]] {lindex $pair 1}]
    list $patterns [leftMarks $left [dict get $marks others]]
}

# Is it less than this share (a fraction) of all?
proc ::tactus::cli::learn::isRare {count all share} {
    expr {$count * [lindex $share 1] < $all * [lindex $share 0]}
}

proc ::tactus::cli::learn::leftMarks {left others} {
    set told {}
    foreach {pattern count} [lrange $left 0 19] {lappend told "the mark $pattern, [count $count time]"}
    set more [expr {[llength $left] / 2 - [llength $told]}]
    if {$more > 0} {lappend told "[count $more {other kind}] of marks"}
    if {$others} {lappend told "[count $others mark] of still other kinds"}
    return $told
}

# ---- structure -------------------------------------------------------------------------------------------------------

# Learns the automaton of a task: a dict of
#   task pattern each hasJobs instances traces
#   symbols    their events; symbol 0 is the beginning, the first event symbol 1 ...
#   marks      how many of them are marks
#   edges      dict {from to} -> how often, from and to symbols
#   classes    symbol -> the symbol whose state it shares
#   left       sentences about what is left out; parted: whether edges are among it
proc ::tactus::cli::learn::structure {task traces each share} {
    set pattern [taskPattern $task $traces]
    set marks [marksOf $pattern $traces]
    set hasJobs [dict get $marks jobs]
    lassign [symbols $marks $share] patterns left
    if {![dict get $marks tasks]} {nothing "there is no task \"$task\" in [count [llength $traces] trace]"}
    if {!$hasJobs && ![llength $patterns]} {nothing "task \"$task\" has neither jobs nor marks"}
    if {$each eq "task" && ![llength $patterns]} {nothing "task \"$task\" has no marks for --each task"}
    if {$each eq "job" && !$hasJobs} {nothing "task \"$task\" has no jobs for --each job"}
    set made [dict create task $task pattern $pattern hasJobs [expr {$hasJobs > 0}] traces [llength $traces] \
        marks [llength $patterns] left $left]
    if {$hasJobs && $each ne "task"} {
        set result [counted $made job $patterns $traces]
        if {$each eq "job" || ![llength $patterns] || [isRegular $result]} {return [reduced $result $share]}
    }
    reduced [counted $made task $patterns $traces] $share
}

# The events that are symbols: of jobs with marks these, the release and the end; of those without, all states.
proc ::tactus::cli::learn::alphabet {each patterns} {
    variable jobStates
    set marks [lmap pattern $patterns {list mark $pattern}]
    if {$each eq "task"} {return $marks}
    set states [expr {[llength $marks] ? "waiting completed none" : $jobStates}]
    list {*}$marks {*}[lmap state $states {list enters $state}]
}

# Lets the complete automaton follow the traces, and counts.
proc ::tactus::cli::learn::counted {made each patterns traces} {
    set symbols [alphabet $each $patterns]
    set n [llength $symbols]
    set statements [list [list x [list model m -each $each -of [dict get $made pattern]]] {x {state 0 -initial}}]
    for {set to 1} {$to <= $n} {incr to} {lappend statements [list x [list state $to]]}
    for {set from 0} {$from <= $n} {incr from} {
        for {set to 1} {$to <= $n} {incr to} {
            lappend statements [list x [list on $from [lindex $symbols $to-1] $to]] {x end}
        }
    }
    lappend statements {x end}
    set edges {}
    set instances 0
    foreach trace $traces {
        set model [lindex [dict get [$trace models $statements] models] 0]
        incr instances [::tcl::mathop::+ {*}[dict values [dict get $model instances]]]
        foreach transition [dict get $model transitions] {
            set taken [dict get $transition taken]
            set edge [list [dict get $transition from] [dict get $transition to]]
            if {$taken} {dict incr edges $edge $taken}
        }
    }
    dict merge $made [dict create each $each symbols $symbols edges $edges instances $instances]
}

# Has at least every other job a mark? The first one of a job comes behind its beginning or its release.
proc ::tactus::cli::learn::isRegular {made} {
    set n 0
    dict for {edge count} [dict get $made edges] {
        lassign $edge from to
        if {$to <= [dict get $made marks] && ($from == 0 || [isEvent $made $from waiting])} {incr n $count}
    }
    expr {2 * $n >= [dict get $made instances]}
}

# Is it the symbol that a job's state is entered?
proc ::tactus::cli::learn::isEvent {made symbol state} {
    expr {[lindex [dict get $made symbols] $symbol-1] eq [list enters $state]}
}

# Leaves out edges that are rarer than a share of those from the same state, and what cannot be reached then; finds the
# symbols that share a state.
proc ::tactus::cli::learn::reduced {made share} {
    set edges [dict get $made edges]
    set sums {}
    dict for {edge count} $edges {dict incr sums [lindex $edge 0] $count}
    set parted 0
    dict for {edge count} $edges {
        lassign $edge from to
        if {![isRare $count [dict get $sums $from] $share]} continue
        dict unset edges $edge
        incr parted
        if {$parted <= 20} {
            dict lappend made left \
                "[label $made $from] -> [label $made $to], [count $count time] of [dict get $sums $from]"
        }
    }
    if {$parted > 20} {dict lappend made left "[count [expr {$parted - 20}] {other step}]"}
    set reached [reached $edges]
    dict for {edge count} $edges {
        if {[lindex $edge 0] ni $reached} {dict unset edges $edge}
    }
    dict merge $made [dict create edges $edges parted [expr {$parted > 0}] \
        classes [classes $edges $reached [dict get $made marks]]]
}

proc ::tactus::cli::learn::reached {edges} {
    set reached 0
    for {set i 0} {$i < [llength $reached]} {incr i} {
        foreach edge [dict keys $edges [list [lindex $reached $i] *]] {
            if {[lindex $edge 1] ni $reached} {lappend reached [lindex $edge 1]}
        }
    }
    return $reached
}

# The partition of states by equal futures, refined until it is stable (E. Moore, 1956); only marks share states.
proc ::tactus::cli::learn::classes {edges reached marks} {
    set after {}
    foreach edge [dict keys $edges] {dict lappend after [lindex $edge 0] [lindex $edge 1]}
    set classes {}
    foreach symbol $reached {dict set classes $symbol [expr {$symbol >= 1 && $symbol <= $marks ? -1 : $symbol}]}
    while 1 {
        set known {}
        set refined {}
        foreach symbol [lsort -integer $reached] {
            set next [expr {[dict exists $after $symbol] ? [lsort -integer [dict get $after $symbol]] : {}}]
            set key [list [dict get $classes $symbol] [lmap to $next {list $to [dict get $classes $to]}]]
            if {![dict exists $known $key]} {dict set known $key $symbol}
            dict set refined $symbol [dict get $known $key]
        }
        if {$refined eq $classes} {return $classes}
        set classes $refined
    }
}

# ---- names -----------------------------------------------------------------------------------------------------------

# A symbol for people.
proc ::tactus::cli::learn::label {made symbol} {
    if {!$symbol} {return "the beginning"}
    return \{[lindex [dict get $made symbols] $symbol-1]\}
}

# The classes in the order in which an instance mostly goes through them: from the beginning on, what follows more often
# first.
proc ::tactus::cli::learn::order {made} {
    set classes [dict get $made classes]
    set order 0
    for {set i 0} {$i < [llength $order]} {incr i} {
        set after {}
        dict for {edge count} [dict get $made edges] {
            lassign $edge from to
            if {[dict get $classes $from] == [lindex $order $i]} {dict incr after [dict get $classes $to] $count}
        }
        foreach {class count} [lsort -stride 2 -index 1 -integer -decreasing [lsort -stride 2 -integer $after]] {
            if {$class ni $order} {lappend order $class}
        }
    }
    return $order
}

# Names of the states, in that order: class -> a word that may also be a variable.
proc ::tactus::cli::learn::names {made} {
    set members {}
    dict for {symbol class} [dict get $made classes] {dict lappend members $class $symbol}
    set names {}
    set used {release start now}
    foreach class [order $made] {
        set symbols [lsort -integer [dict get $members $class]]
        set name [join [lmap symbol [lrange $symbols 0 1] {word $made $symbol}] _or_]
        if {[llength $symbols] > 2} {append name _or_others}
        if {!$class} {set name start}
        set word $name
        for {set i 2} {$class && $word in $used} {incr i} {set word $name$i}
        lappend used $word
        dict set names $class $word
    }
    return $names
}

proc ::tactus::cli::learn::word {made symbol} {
    lassign [lindex [dict get $made symbols] $symbol-1] kind text
    set marks [dict get $made marks]
    # Between marks, a job is in many states behind its release.
    if {$kind eq "enters"} {return [string map "none abandoned[expr {$marks ? { waiting released} : {}}]" $text]}
    set word [string trim [regsub -all {[^A-Za-z0-9]+} $text _] _]
    set word [string trim [string range $word 0 29] _]
    if {![regexp {^[A-Za-z]} $word]} {set word mark_$word}
    if {$word in "$::tactus::cli::learn::jobStates abandoned released"} {append word _mark}
    return $word
}

# ---- the model -------------------------------------------------------------------------------------------------------

# The statements of the model, with `?` for limits: a list of {words comment}. Comments of `on` say how often.
proc ::tactus::cli::learn::draft {made} {
    dict with made {}
    set names [names $made]
    set head [list model [modelName $task] -each $each -of $pattern]
    if {!$parted} {lappend head -strict}
    set result [list [list $head {}]]
    set final [expr {!$parted && $each eq "job" && [endings $made] == $instances}]
    dict for {class name} $names {
        set words [list state $name]
        if {!$class} {lappend words -initial}
        if {$final && ([isEvent $made $class completed] || [isEvent $made $class none])} {lappend words -final}
        lappend result [list $words {}]
    }
    dict for {class name} $names {
        set steps {}
        dict for {edge n} $edges {
            if {[dict get $classes [lindex $edge 0]] == $class} {dict incr steps [lindex $edge 1] $n}
        }
        # In the order of symbols, since the first mark that fits is taken.
        foreach to [lsort -integer [dict keys $steps]] {
            lappend result {*}[step $made $names $class $to [dict get $steps $to]]
        }
    }
    lappend result {end {}}
}

proc ::tactus::cli::learn::modelName {task} {
    set name [string trim [regsub -all {[^\w.:/+-]+} $task -] -]
    if {$name eq {}} {return task}
    return $name ;# not by expr, which takes 0x10 for 16
}

# How many jobs ended.
proc ::tactus::cli::learn::endings {made} {
    set n 0
    dict for {edge count} [dict get $made edges] {
        if {[isEvent $made [lindex $edge 1] completed] || [isEvent $made [lindex $edge 1] none]} {incr n $count}
    }
    return $n
}

# A transition with its constraints.
proc ::tactus::cli::learn::step {made names class symbol taken} {
    set from [dict get $names $class]
    set target [dict get $made classes $symbol]
    set to [dict get $names $target]
    set result [list [list [list on $from [lindex [dict get $made symbols] $symbol-1] $to] [count $taken time]]]
    foreach constraint [segment $made $class $from] {lappend result [list [list require {*}$constraint] {}]}
    if {$class && [isEvent $made $symbol completed]} {
        foreach constraint [wholeJob $made] {lappend result [list [list require {*}$constraint] {}]}
    }
    if {!$class && [dict get $made each] eq "job"} {lappend result {{start release} {}}}
    if {[segment $made $target $to] ne {}} {lappend result [list [list start $to] {}]}
    lappend result {end {}}
}

# Constraints for the time in a state, when it is left. Running, a job is behind no event of its own but its start; how
# long it may is said of all of it.
proc ::tactus::cli::learn::segment {made class name} {
    if {!$class} return
    set elapsed [list elapsed($name) <= ?]
    if {$class <= [dict get $made marks]} {
        if {![dict get $made hasJobs]} {return [list $elapsed]}
        return [list $elapsed [list running($name) >= ?%] [list preemptions($name) <= ?] [list blocked($name) <= ?] \
            [list syscalls($name) <= ?]]
    }
    foreach state {waiting preempted blocked} {
        if {[isEvent $made $class $state]} {return [list $elapsed]}
    }
}

# Constraints for a whole job, when it is complete.
proc ::tactus::cli::learn::wholeJob {made} {
    set result {{elapsed(release) <= ?} {running(release) <= ?}}
    if {[dict get $made marks]} {
        lappend result {waiting(release) <= ?}
    } else {
        lappend result {running(release) >= ?%} {blocked(release) <= ?}
    }
    # Where the traces record no system calls, they have no value, and are left out.
    lappend result {preemptions(release) <= ?} {syscalls(release) <= ?} {insyscall(release) <= ?}
}

# ---- the text --------------------------------------------------------------------------------------------------------

# What the traces say of the limits: index of the statement -> sum.
proc ::tactus::cli::learn::ask {draft traces operands} {
    set statements [lmap row $draft {list x [lindex $row 0]}]
    set sums {}
    set units {}
    foreach trace $traces operand $operands {addLimits [$trace limits $statements] $operand sums units}
    return $sums
}

# The statements as lines, with comments behind transitions and limits.
proc ::tactus::cli::learn::modelText {made draft sums margin marginText} {
    set lines [head $made $marginText]
    set zero 0
    set indent {}
    for {set i 0} {$i < [llength $draft]} {incr i} {
        lassign [lindex $draft $i] words comment
        switch [lindex $words 0] {
            end {
                set indent [string range $indent 4 end]
                lappend lines $indent\}
            }
            require {
                set sum [expr {[dict exists $sums $i] ? [dict get $sums $i] : {values 0}}]
                lassign [required $words $sum $margin zero] text comment
                if {$text ne {}} {lappend lines "$indent$text ;# $comment"}
            }
            on {
                set body [expr {[lindex $draft $i+1 0] ne "end"}]
                lappend lines "$indent[list {*}$words][expr {$body ? " \{" : {}}] ;# $comment"
                if {$body} {append indent "    "} else {incr i}
            }
            model {
                lappend lines "[list {*}$words] \{"
                append indent "    "
            }
            default {lappend lines $indent$words}
        }
    }
    return [join $lines \n]\n
}

# The line of a constraint and its comment; empty where it has no limit. zero: did the state last no time at all for
# some instance? Then it has no share of it.
proc ::tactus::cli::learn::required {words sum margin zeroName} {
    upvar 1 $zeroName zero
    if {![dict get $sum values]} return
    if {[string match elapsed(* [lindex $words 1]]} {set zero [expr {[lindex [dict get $sum least] 0] == 0}]}
    if {$zero && [lindex $words 3] eq "?%"} return
    lassign [limit $sum $margin] text
    if {$text eq {}} return
    set far [expr {[dict get $sum far] ? "; [dict get $sum far] far from the others" : {}}]
    list [lreplace $words 3 3 $text] "[count [dict get $sum values] value], [range $sum]$far"
}

# Comments above the model.
proc ::tactus::cli::learn::head {made marginText} {
    dict with made {}
    set of [expr {$each eq "job" ? "[count $instances job] in " : {}}]
    set lines [list "# [visibleLine $task], as it was for $of[count $traces trace] (tactus learn); limits have a margin\
        of $marginText."]
    foreach sentence $left {lappend lines "# left out: [visibleLine $sentence]"}
    return $lines
}
