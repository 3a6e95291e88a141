# plugin/stretches.tcl -- stretches of time: sorted lists {begin end begin end ...} of integers, none of length 0, none
# that touch.
#
#   stretches::normal PAIRS         of pairs {begin end} in any order
#   stretches::union A B, stretches::intersect A B
#   stretches::without A BEGIN END  what is left of BEGIN to END

namespace eval ::tactus::stretches {}

# For lsort, whose own integers have 64 bits only.
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
