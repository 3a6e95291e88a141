# outlier.tcl -- a trace with a wild time: a few events so far from all others that these would be one pixel.
#
#   outlier::find TRACE       {from to count}: the range of the others, and how many events are not in it; {}: no event
#                             lies far away
#   outlier::sentence FOUND   that in words

::tactus::need times

namespace eval ::tactus::outlier {
    variable parts 1000     ;# the whole in so many parts ...
    variable empty 990      ;# ... has so many without events at least
    variable fewer 100      ;# of so many parts, each ten of the others, no more have events than of the others
    variable few 0.01       ;# of all events: at most so many are far away, or one before and one after the others,
    variable short 0.01     ;# of all time: at most so much is that of the others
}

# Cuts off what lies far away, as often as there is something.
proc ::tactus::outlier::find {trace} {
    set info [$trace info]
    lassign [lmap key {events begin end} {dict get $info $key}] all from to
    if {$all < 4} return
    set before [list $from $to]
    for {set n 0} {$n < 20} {incr n} {
        set rest [cut $trace $from $to $all]
        if {$rest eq {}} break
        lassign $rest from to
    }
    if {[list $from $to] eq $before} return
    set count [expr {$all - [lindex [$trace density 1 -from $from -to $to] 0]}]
    variable few
    variable short
    set whole [::tactus::times::subtract {*}[lreverse $before]]
    if {$count > max(2, $few * $all) || [::tactus::times::subtract $to $from] > $short * $whole} return
    list $from $to $count
}

# The range on the fuller side of the longest gap, where almost all of the time is empty; {}: there is none. all: number
# of all events.
proc ::tactus::outlier::cut {trace from to all} {
    variable parts
    variable empty
    variable fewer
    variable few
    if {[llength [filled [$trace density $fewer -from $from -to $to]]] > $parts - $empty} return
    set length [::tactus::times::subtract $to $from]
    if {$length <= 0} return
    set counts [$trace density $parts -from $from -to $to]
    set filled [filled $counts]
    if {$parts - [llength $filled] < $empty} return
    lassign [emptiest $filled $parts] first size
    set left [::tcl::mathop::+ {*}[lrange $counts 0 $first-1]]
    set right [::tcl::mathop::+ {*}[lrange $counts $first+$size end]]
    if {min($left, $right) > max(1, $few * $all)} return
    set middle [::tactus::times::add $from [expr {($first + $size / 2.0) / $parts * $length}]]
    set row [$trace [expr {$left >= $right ? "previous" : "next"}] $middle]
    if {$row eq {}} return
    set [expr {$left >= $right ? "to" : "from"}] [dict get $row time]
    if {[::tactus::times::compare $from $to] < 0} {list $from $to}
}

# The indices of counts that are not 0.
proc ::tactus::outlier::filled {counts} {
    lsearch -all -integer -not $counts 0
}

# The longest stretch of so many parts between those that are filled: {index of the first, how many}.
proc ::tactus::outlier::emptiest {filled count} {
    lassign {0 0 0} best first most
    foreach index [concat $filled $count] {
        if {$index - $first > $most} {
            set most [expr {$index - $first}]
            set best $first
        }
        set first [expr {$index + 1}]
    }
    list $best $most
}

# What is to be said of it: "1 event lies far from all others, which are from 0 to 45"; {}: nothing.
proc ::tactus::outlier::sentence {found} {
    lassign $found from to count
    if {$found eq {}} return
    set what [lindex {{a time lies} {1 event lies}} [expr {$count == 1}]]
    if {$count > 1} {set what "$count events lie"}
    return "$what far from all others, which are from $from to $to"
}
