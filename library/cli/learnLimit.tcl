# cli/learnLimit.tcl -- limits: of the values that constraints had in recordings, numbers that read well.
#
#   rows of $trace limits, of several traces --add--> sums --limit--> the limit as it is written; `range`: a comment
#
# A sum is a dict: said, op, kind, unit, values, unknown, far, least, largest, floor, ceiling, traces (with a value),
# without (traces). Values are fractions, {numerator denominator}, in time units of the traces; all is computed exactly.

namespace eval ::tactus::cli::learn {
    # powers of ten of the units, by which times are written
    variable powers {s 0 ms 3 us 6 ns 9 ps 12}
}

# ---- fractions -------------------------------------------------------------------------------------------------------

# The sign of a - b.
proc ::tactus::cli::learn::compare {a b} {
    lassign $a n d
    lassign $b m e
    set left [expr {$n * $e}]
    set right [expr {$m * $d}]
    expr {$left < $right ? -1 : $left > $right}
}

proc ::tactus::cli::learn::add {a b {sign 1}} {
    lassign $a n d
    lassign $b m e
    list [expr {$n * $e + $sign * $m * $d}] [expr {$d * $e}]
}

proc ::tactus::cli::learn::times {a b} {
    list [expr {[lindex $a 0] * [lindex $b 0]}] [expr {[lindex $a 1] * [lindex $b 1]}]
}

proc ::tactus::cli::learn::magnitude {a} {
    list [expr {abs([lindex $a 0])}] [lindex $a 1]
}

# The fraction of a decimal without a sign.
proc ::tactus::cli::learn::decimal {text} {
    lassign [split $text .] whole part
    list [scan $whole$part %lld] [expr {10 ** [string length $part]}]
}

# n * 10^exponent as a decimal.
proc ::tactus::cli::learn::written {n exponent} {
    if {$exponent >= 0} {return [expr {$n * 10 ** $exponent}]}
    set digits [format %0*lld [expr {1 - $exponent}] [expr {abs($n)}]]
    set part [string trimright [string range $digits end+[expr {$exponent + 1}] end] 0]
    set text [string range $digits 0 end+$exponent]
    if {$part ne {}} {append text . $part}
    string cat [expr {$n < 0 ? "-" : {}}] $text
}

# The fraction with so many digits, rounded up (side 1) or down (-1).
proc ::tactus::cli::learn::rounded {a digits side} {
    lassign $a n d
    if {$n == 0} {return 0}
    # of the first digit
    set exponent [expr {[string length [expr {abs($n)}]] - [string length $d]}]
    if {[compare [magnitude $a] [times {1 1} [power $exponent]]] < 0} {incr exponent -1}
    set step [power [set last [expr {$exponent - $digits + 1}]]]
    # n / d / step
    set over [expr {$n * [lindex $step 1]}]
    set under [expr {$d * [lindex $step 0]}]
    written [expr {$side > 0 ? -(-$over / $under) : $over / $under}] $last
}

proc ::tactus::cli::learn::power {exponent} {
    expr {$exponent >= 0 ? [list [expr {10 ** $exponent}] 1] : [list 1 [expr {10 ** -$exponent}]]}
}

# The decimal of a fraction; empty: it has none that ends.
proc ::tactus::cli::learn::exact {a} {
    lassign $a n d
    for {set digits 0} {$digits <= 40} {incr digits} {
        if {$n * 10 ** $digits % $d == 0} {return [written [expr {$n * 10 ** $digits / $d}] -$digits]}
    }
}

# Two digits, or three where the first is 1.
proc ::tactus::cli::learn::wellRounded {a side} {
    set text [rounded $a 2 $side]
    if {[string index [string trimleft $text -0.] 0] eq "1"} {return [rounded $a 3 $side]}
    return $text
}

# ---- sums ------------------------------------------------------------------------------------------------------------

# Adds what a trace says of a constraint.
proc ::tactus::cli::learn::sum {sum row} {
    if {$sum eq {}} {
        set sum [dict merge $row {values 0 unknown 0 far 0 least {} largest {} floor {} ceiling {} traces 0 without 0}]
        if {[dict get $sum kind] eq "number" && ![dict get $row values]} {dict set sum kind count}
    }
    dict incr sum unknown [dict get $row unknown]
    dict incr sum far [dict get $row far]
    foreach {key sign} {floor 1 ceiling -1} {
        set bound [dict get $row $key]
        if {$bound eq {}} continue
        if {[dict get $sum $key] eq {} || [compare $bound [dict get $sum $key]] == $sign} {dict set sum $key $bound}
    }
    if {![dict get $row values]} {
        dict incr sum without
        return $sum
    }
    if {![dict get $sum values]} {
        foreach key {least largest kind} {dict set sum $key [dict get $row $key]}
    }
    dict incr sum traces
    dict incr sum values [dict get $row values]
    if {[compare [dict get $row least] [dict get $sum least]] < 0} {dict set sum least [dict get $row least]}
    if {[compare [dict get $row largest] [dict get $sum largest]] > 0} {dict set sum largest [dict get $row largest]}
    # Some whole numbers, and some others.
    if {[dict get $row kind] eq "number"} {dict set sum kind number}
    return $sum
}

# Do two sums say the same kind of thing, so that one limit will do for both?
proc ::tactus::cli::learn::agree {a b} {
    foreach key {op unit} {
        if {[dict get $a $key] ne [dict get $b $key]} {return 0}
    }
    set kinds [lmap sum [list $a $b] {string map {count number} [dict get $sum kind]}]
    expr {[lindex $kinds 0] eq [lindex $kinds 1]}
}

proc ::tactus::cli::learn::both {a b} {
    set result [sum $a $b]
    dict set result traces [expr {max([dict get $a traces], [dict get $b traces])}]
}

# ---- limits ----------------------------------------------------------------------------------------------------------

# The unit in which a time is written, and the fraction in it: {unit fraction}.
proc ::tactus::cli::learn::inUnit {unit value} {
    variable powers
    if {![dict exists $powers $unit] || [lindex $value 0] == 0} {return [list $unit $value]}
    set best $unit
    dict for {name power} $powers {
        set shown [times $value [power [expr {$power - [dict get $powers $unit]}]]]
        if {[compare [magnitude $shown] {1 1}] >= 0} {return [list $name $shown]}
    }
    list $name $shown
}

# The limit of a sum, as it is written, with a margin (a fraction of the value): {text why}, the text empty where there
# is none.
proc ::tactus::cli::learn::limit {sum margin} {
    dict with sum {}
    if {!$values} {return [list {} "it has no value"]}
    if {$op eq "=="} {return [equal $sum]}
    set side [expr {$op in {< <=} ? 1 : -1}]
    set value [expr {$side > 0 ? $largest : $least}]
    # What is not known for certain may be this at least, or at most.
    set bound [expr {$side > 0 ? $floor : $ceiling}]
    if {$bound ne {} && [compare $bound $value] == $side} {set value $bound}
    set text [switch $kind {
        share {share $value $margin $side}
        count {whole $value $margin $side $op}
        default {amount $sum [add $value [times [magnitude $value] $margin] $side] $side [lindex $margin 0]}
    }]
    if {[holds $sum $value $text]} {return [list $text {}]}
    list {} "$op leaves out the value [about $sum $value]: it needs $op= or a margin"
}

# A time, or a number that is not whole; without a margin it is as exact as can be written.
proc ::tactus::cli::learn::amount {sum wide side margin} {
    lassign [expr {[dict get $sum kind] eq "time" ? [inUnit [dict get $sum unit] $wide] : [list {} $wide]}] unit wide
    # No expr returns the text: it would make another number of it, such as 4e-7.
    if {$margin} {set text [wellRounded $wide $side]} else {set text [exact $wide]}
    if {$text eq {}} {set text [rounded $wide 9 $side]}
    string cat $text [expr {$text eq "0" ? {} : $unit}]
}

# Does a value, in the unit of the sum, fulfil the limit?
proc ::tactus::cli::learn::holds {sum value text} {
    variable powers
    regexp {^(-?)([0-9.]+)(.*)$} $text -> minus digits unit
    set limit [times [decimal $digits] [list ${minus}1 [expr {$unit eq "%" ? 100 : 1}]]]
    if {$unit ni {{} %}} {
        set limit [times $limit [power [expr {[dict get $powers [dict get $sum unit]] - [dict get $powers $unit]}]]]
    }
    expr "[compare $value $limit] [dict get $sum op] 0"
}

# The value of ==, which all must have.
proc ::tactus::cli::learn::equal {sum} {
    dict with sum {}
    if {[compare $least $largest]} {
        return [list {} "its values are [range $sum]: not one for =="]
    }
    lassign [expr {$kind eq "time" ? [inUnit $unit $least] : [list {} $least]}] unit value
    if {$kind eq "share"} {
        set unit %
        set value [times $value {100 1}]
    }
    set text [exact $value]
    if {($floor ne {} && [compare $floor $least] > 0) || ($ceiling ne {} && [compare $ceiling $least] < 0)} {
        return [list {} "a value that is not known is not [range $sum]: not one for =="]
    }
    if {$text eq {}} {return [list {} "its value [range $sum] is no decimal for =="]}
    list [string cat $text [expr {$text eq "0" && $unit ne {%} ? {} : $unit}]] {}
}

# Of a count: with the margin, but no more than whole steps within it.
proc ::tactus::cli::learn::whole {value margin side op} {
    lassign [add $value [times [magnitude $value] $margin] $side] n d
    set limit [expr {$side > 0 ? $n / $d : -(-$n / $d)}]
    expr {$op in {< >} ? $limit + $side : $limit}
}

# Of a share: the margin is taken of it, or of what it lacks to 100 %, whichever is less. Those above 50 % are rounded
# by what they lack.
proc ::tactus::cli::learn::share {value margin side} {
    set lacks [add {1 1} $value -1]
    set few [expr {[compare $value $lacks] <= 0 || [lindex $lacks 0] < 0 ? $value : $lacks}]
    set wide [add $value [times [magnitude $few] $margin] $side]
    set percent [times $wide {100 1}]
    if {[compare $percent {50 1}] <= 0 || [compare $percent {100 1}] > 0} {return [wellRounded $percent $side]%}
    set left [wellRounded [add {100 1} $percent -1] [expr {-$side}]]
    set sign [expr {[string match -* $left] ? {-1 1} : {1 1}}]
    string cat [exact [add {100 1} [times $sign [decimal [string trimleft $left -]]] -1]] %
}

# ---- comments --------------------------------------------------------------------------------------------------------

# A value, in at most four digits.
proc ::tactus::cli::learn::about {sum value} {
    dict with sum {}
    set end {}
    if {$kind eq "share"} {
        set value [times $value {100 1}]
        set end %
    } elseif {$kind eq "time"} {
        lassign [inUnit $unit $value] end value
    }
    set text [exact $value]
    if {$text eq {} || [string length [string map {. {} - {}} [string trimleft $text -0.]]] > 4} {
        set text [rounded $value 4 -1]
    }
    string cat $text [expr {$text eq "0" && $end ne "%" ? {} : $end}]
}

proc ::tactus::cli::learn::range {sum} {
    set least [about $sum [dict get $sum least]]
    set largest [about $sum [dict get $sum largest]]
    if {$least eq $largest} {return $least}
    return "$least to $largest"
}

# What is said about a limit: "20 values in 1 trace, 5 to 30; margin 10%".
proc ::tactus::cli::learn::origin {sum marginText} {
    dict with sum {}
    set text "[count $values value] in [count $traces trace], [range $sum]"
    if {$far} {append text "; $far far from the others"}
    if {$op ne "=="} {append text "; margin $marginText"}
    if {$unknown} {append text "; $unknown more not known"}
    return $text
}
