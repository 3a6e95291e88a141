# panel/modelsStrips.tcl -- class ModelsStrips: the states of a model's instances over time, of those that are looked
# at, and how they are drawn: an instance is a row that begins at its begin, coloured by states.
#
#   ModelsStrips new TRACE STATEMENTS COLORS      statements of one model; state -> colour
#   $strips want INDICES              those that are not known yet are asked for with the next `fetch`
#   $strips fetch PROGRESS            follows the trace once, for all that are wanted; 1: there was something to fetch
#   $strips get INDEX                 a strip as of `$trace strips`, {}: it is not known
#   $strips draw CANVAS INDEX LEFT TOP RIGHT BOTTOM LONGEST    with the tag "drawn"
#   $strips stateAt INDEX TIME        {}: it is not known, or not between begin and end
#
# At most `most` strips are kept, of at most `pieces` stretches each.

::tactus::need times player/look

oo::class create ::tactus::player::ModelsStrips {
    variable Trace Statements Colors Known Wanted Most Pieces

    constructor {trace statements colors} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $trace $statements $colors {} {} 2000 300] Trace Statements Colors Known Wanted Most Pieces
    }

    method want {indices} {
        foreach index $indices {
            if {![dict exists $Known $index]} {dict set Wanted $index 1}
        }
    }

    method fetch {progress} {
        if {![dict size $Wanted]} {return 0}
        set indices [lrange [dict keys $Wanted] 0 $Most-1]
        set Wanted {}
        set me [self]
        set strips [$Trace strips $Statements $indices -most $Pieces -progress $progress]
        if {![info object isa object $me]} {return 0}
        if {[dict size $Known] + [llength $strips] > $Most} {set Known {}}
        foreach index $indices {dict set Known $index {}}
        foreach strip $strips {dict set Known [dict get $strip index] $strip}
        return 1
    }

    # One strip with many stretches.
    method whole {index progress} {
        lindex [$Trace strips $Statements [list $index] -most 20000 -progress $progress] 0
    }

    method get {index} {
        expr {[dict exists $Known $index] ? [dict get $Known $index] : {}}
    }

    method color {state} {
        expr {$state eq {} || ![dict exists $Colors $state] ? [look::color muted] : [dict get $Colors $state]}
    }

    method length {index} {
        set strip [my get $index]
        expr {$strip eq {} ? 0.0 : double([::tactus::times::subtract [dict get $strip end] [dict get $strip begin]])}
    }

    method draw {canvas index left top right bottom longest} {
        set strip [my get $index]
        if {$strip eq {}} return
        set begin [dict get $strip begin]
        set scale [expr {$longest > 0 ? ($right - $left) / double($longest) : 0}]
        $canvas create line $left $top $left $bottom -fill [look::color muted] -tags drawn
        foreach {state from to} [dict get $strip stretches] {
            set x0 [expr {$left + $scale * [::tactus::times::subtract $from $begin]}]
            set x1 [expr {$left + $scale * [::tactus::times::subtract $to $begin]}]
            $canvas create rectangle $x0 $top [expr {max($x0 + 1, $x1)}] $bottom -fill [my color $state] -outline {} \
                -tags drawn
        }
    }

    method stateAt {index time} {
        set strip [my get $index]
        if {$strip eq {} || $time eq {}} return
        foreach {state from to} [dict get $strip stretches] {
            if {[::tactus::times::compare $from $time] <= 0 && [::tactus::times::compare $time $to] < 0} {return $state}
        }
        # What takes no time, or the moment of the end: the last state.
        if {$time eq [dict get $strip end]} {return [lindex [dict get $strip stretches] end-2]}
    }

    # Time in each state: dict, in the order in which they were entered first.
    method times {index} {
        set sums {}
        foreach {state from to} [dict get [my get $index] stretches] {
            set length [::tactus::times::subtract $to $from]
            if {[dict exists $sums $state]} {set length [::tactus::times::add [dict get $sums $state] $length]}
            dict set sums $state $length
        }
        return $sums
    }
}
