# plugin/stretches.tcl -- stretches of time: sorted lists {begin end begin end ...} of integers; no stretch has length 0
# or touches another one.
#
#   stretches::normal PAIRS         stretches of pairs {begin end} in any order
#   stretches::union A B, stretches::intersect A B
#   stretches::without A BEGIN END  the rest of BEGIN to END

namespace eval ::tactus::stretches {}

# Compares integers of any length for lsort, whose own integers have 64 bits.
proc ::tactus::stretches::byNumber {left right} {
    expr {$left < $right ? -1 : $left > $right}
}

proc ::tactus::stretches::normal {pairs} {
    set result {}
    set last {}
    foreach pair [lsort -command ::tactus::stretches::byNumber -index 0 $pairs] {
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

proc ::tactus::stretches::union {left right} {
    normal [lmap {begin end} [concat $left $right] {list $begin $end}]
}

proc ::tactus::stretches::intersect {left right} {
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

proc ::tactus::stretches::without {stretches begin end} {
    normal [lmap {begin end} [list $begin {*}$stretches $end] {list $begin $end}]
}
