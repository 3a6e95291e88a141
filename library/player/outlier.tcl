# player/outlier.tcl -- a trace with a wild time: a few events so far from all others that these would be one pixel.
#
#   outlier::say VIEW     at opening: a bar with a button that shows the others
#   outlier::find TRACE FROM TO   {from to count}: the range of the others, and how many events are not in it; {}: no
#                                 event lies far away
#
# The range of the others is the option `extent` of the view, which the overview shows while what is seen lies in there.

::tactus::need times player/units

namespace eval ::tactus::player::outlier {
    namespace path ::tactus::player
    variable parts 1000     ;# the whole in so many parts ...
    variable gap 990        ;# ... has so many without events between those far away and the others
    variable few 0.01       ;# of all events: at most so many are far away, or one
}

proc ::tactus::player::outlier::say {view} {
    set w [$view timeline]
    $view option extent {}
    set found [find [$view trace] {*}[$w span]]
    if {$found eq {}} {return [$view closeBar outlier]}
    lassign $found from to count
    lassign [$w view] left right
    # So the trace was left.
    if {[::tactus::times::compare $left $from] >= 0 && [::tactus::times::compare $right $to] <= 0} {
        return [$view option extent [list $from $to]]
    }
    set what [expr {$count ? "[text::counted $count event] [expr {$count == 1 ? {lies} : {lie}}]" : "A time lies"}]
    $view bar note "$what far from the other events, which take\
        [units::length $view [::tactus::times::subtract $to $from] 4] of\
        [units::length $view [::tactus::times::subtract {*}[lreverse [$w span]]] 4]." -name outlier \
        -buttons [list "Show the Others" [list ::tactus::player::outlier::show $view $from $to]]
}

proc ::tactus::player::outlier::show {view from to} {
    $view option extent [list $from $to]
    ::tactus::timeline::range [$view timeline] $from $to
}

# Cuts off what lies far away, as often as there is something.
proc ::tactus::player::outlier::find {trace from to} {
    set all [dict get [$trace info] events]
    if {$all < 4} return
    set before [list $from $to]
    for {set n 0} {$n < 20} {incr n} {
        set rest [cut $trace $from $to $all]
        if {$rest eq {}} break
        lassign $rest from to
    }
    if {[list $from $to] eq $before} return
    set left [::tcl::mathop::+ {*}[$trace density 1 -from $from -to $to]]
    list $from $to [expr {$all - $left}]
}

# The range on the fuller side of a gap that takes almost all of the time; {}: there is none. all: number of all events.
proc ::tactus::player::outlier::cut {trace from to all} {
    variable parts
    variable gap
    variable few
    set length [::tactus::times::subtract $to $from]
    if {$length <= 0} return
    set counts [$trace density $parts -from $from -to $to]
    lassign [emptiest $counts] first size
    if {$size < $gap} return
    set left [::tcl::mathop::+ {*}[lrange $counts 0 $first-1]]
    set right [::tcl::mathop::+ {*}[lrange $counts $first+$size end]]
    if {min($left, $right) > max(1, $few * $all)} return
    set middle [::tactus::times::add $from [expr {($first + $size / 2.0) / $parts * $length}]]
    if {$left >= $right} {
        set to [dict get [$trace previous $middle] time]
    } else {
        set from [dict get [$trace next $middle] time]
    }
    if {[::tactus::times::compare $from $to] < 0} {list $from $to}
}

# The longest stretch of zeros in a list: {index of the first, how many}.
proc ::tactus::player::outlier::emptiest {counts} {
    lassign {0 0 0} best first most
    set i 0
    foreach count $counts {
        if {$count} {
            set first [expr {$i + 1}]
        } elseif {$i - $first + 1 > $most} {
            set most [expr {$i - $first + 1}]
            set best $first
        }
        incr i
    }
    list $best $most
}
