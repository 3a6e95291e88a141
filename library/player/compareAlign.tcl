# player/compareAlign.tcl -- which time of one trace stands over which time of another: exact arithmetic, no window.
#
#   compare::power A B          the power of ten that brings times of B to the unit of A; 0 where a unit is not known
#   compare::offset A B AT      what is added to the times of B (in the unit of A), so that what AT says coincides
#
# AT is a list: {zero}, {begin}, {times TA TB}, {mark TEXT} (the first one with this text), {jobs IA IB} (releases of
# these), {offset NUMBER}. An error {TACTUS COMPARE ALIGN} is a sentence that says what one of the traces does not have.

::tactus::need times

namespace eval ::tactus::player::compare {
    variable besides 0          ;# how many there were (compareBeside.tcl)
    variable exponents {s 0 ms -3 us -6 ns -9 ps -12}
}

proc ::tactus::player::compare::power {a b} {
    variable exponents
    set powers [lmap trace [list $a $b] {
        set unit [dict get [$trace info] unit]
        if {![dict exists $exponents $unit]} {return 0}
        dict get $exponents $unit
    }]
    expr {[lindex $powers 1] - [lindex $powers 0]}
}

proc ::tactus::player::compare::offset {a b at} {
    set rest [lassign $at kind]
    switch -- $kind {
        zero {return 0}
        offset {
            ::tactus::times::decimal [lindex $rest 0]
            return [lindex $rest 0]
        }
        times {lassign $rest first second}
        begin {lassign [list [dict get [$a info] begin] [dict get [$b info] begin]] first second}
        mark {lassign [list [markTime $a [lindex $rest 0]] [markTime $b [lindex $rest 0]]] first second}
        jobs {lassign [list [releaseOf $a [lindex $rest 0]] [releaseOf $b [lindex $rest 1]]] first second}
    }
    foreach time [list $first $second] which {above below} {
        if {$time eq {}} {misaligned "the trace $which has no such time"}
    }
    ::tactus::times::subtract $first [::tactus::times::scale $second [power $a $b]]
}

proc ::tactus::player::compare::misaligned {sentence} {
    return -code error -errorcode {TACTUS COMPARE ALIGN} $sentence
}

# The time of the first message with a text, else of the first event of this name or about a thing with this id; {}:
# there is none.
proc ::tactus::player::compare::markTime {trace text} {
    if {[string trim $text] eq {}} return
    set times [lmap hit [$trace search $text -kinds message -limit 1000] {dict get $hit time}]
    if {[llength $times]} {return [lindex [lsort -command ::tactus::times::compare $times] 0]}
    set word [quoted $text]
    set rows [$trace sql "SELECT time_ticks FROM events WHERE event = $word OR subject = $word\
        ORDER BY time_ticks LIMIT 1"]
    if {![llength $rows]} return
    ::tactus::times::text [dict get [lindex $rows 0] time_ticks] [decimals $trace]
}

proc ::tactus::player::compare::quoted {text} {
    return '[string map {' '' \0 {}} $text]'
}

# The decimals of the trace's ticks.
proc ::tactus::player::compare::decimals {trace} {
    dict get [$trace info] decimals
}

proc ::tactus::player::compare::releaseOf {trace job} {
    set facts [$trace look job $job]
    foreach key {release start} {
        if {[dict exists $facts $key] && [dict get $facts $key] ne {}} {return [dict get $facts $key]}
    }
    return
}

# The job of a task of B with the number (in the order of release) of a job of A: an index; {}: there is none.
proc ::tactus::player::compare::jobLike {a b job partner} {
    set place [dict get [$a look job $job] place]
    set relation [$b relation jobs]
    try {
        $relation filter [list [list task = $partner]]
        if {$place <= [$relation count]} {return [$relation id [expr {$place - 1}]]}
    } finally {
        $relation close
    }
    return
}
