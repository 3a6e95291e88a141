# times.tcl -- exact times: decimals of any length are compared, added and subtracted as integers, never as doubles.
#
#   times::compare A B                      -1, 0 or 1
#   times::add A B, times::subtract A B
#   times::scale A POWER                    A * 10^POWER
#   times::decimal A                        {integer digits}: A = integer / 10^digits; else {TACTUS USAGE VALUE}
#   times::text INTEGER DIGITS              INTEGER / 10^DIGITS as a decimal
#   times::integer A DIGITS                 A * 10^DIGITS, the rest of a fraction cut off

::tactus::need visible

namespace eval ::tactus::times {}

# A decimal as {integer digits}. Exponents are limited, since the integer has as many digits.
proc ::tactus::times::decimal {value {largest 40}} {
    if {![regexp {^\s*([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?\s*$} $value -> sign whole fraction exponent]
            || $whole eq {} && $fraction eq {}} {
        return -code error -errorcode {TACTUS USAGE VALUE} "\"[::tactus::visible::line $value 100]\" is not a time"
    }
    set digits [string length $fraction]
    scan $whole$fraction %lld number
    if {$exponent ne {}} {
        scan $exponent %d exponent
        if {abs($exponent) > $largest} {
            return -code error -errorcode {TACTUS USAGE VALUE} \
                "\"[::tactus::visible::line $value 100]\" is out of range"
        }
        incr digits [expr {-$exponent}]
        if {$digits < 0} {
            set number [expr {$number * 10 ** -$digits}]
            set digits 0
        }
    }
    list [expr {$sign eq "-" ? -$number : $number}] $digits
}

proc ::tactus::times::text {number digits} {
    set sign [expr {$number < 0 ? "-" : ""}]
    set text [string trimleft $number -]
    if {!$digits} {return $sign$text}
    set text [string repeat 0 [expr {max(0, $digits + 1 - [string length $text])}]]$text
    set fraction [string trimright [string range $text end-[expr {$digits - 1}] end] 0]
    set whole [string range $text 0 end-$digits]
    if {$fraction eq {}} {return $sign$whole}
    return $sign$whole.$fraction
}

proc ::tactus::times::integer {value digits} {
    lassign [decimal $value 99] number own
    if {$own <= $digits} {return [expr {$number * 10 ** ($digits - $own)}]}
    expr {($number < 0 ? -1 : 1) * (abs($number) / 10 ** ($own - $digits))}
}

# Two times as integers with as many digits as the finer one has: {a b digits}.
proc ::tactus::times::aligned {a b} {
    lassign [decimal $a] x dx
    lassign [decimal $b] y dy
    set digits [expr {max($dx, $dy)}]
    list [expr {$x * 10 ** ($digits - $dx)}] [expr {$y * 10 ** ($digits - $dy)}] $digits
}

proc ::tactus::times::compare {a b} {
    lassign [aligned $a $b] x y
    expr {$x < $y ? -1 : $x > $y}
}

proc ::tactus::times::add {a b} {
    lassign [aligned $a $b] x y digits
    text [expr {$x + $y}] $digits
}

proc ::tactus::times::subtract {a b} {
    lassign [aligned $a $b] x y digits
    text [expr {$x - $y}] $digits
}

proc ::tactus::times::scale {a power} {
    lassign [decimal $a] number digits
    incr digits [expr {-$power}]
    if {$digits < 0} {return [text [expr {$number * 10 ** -$digits}] 0]}
    text $number $digits
}
