# player/text.tcl -- words from a trace on their way to the screen: made visible, cut to a width, numbers for the eye, exact
# times compared, colours and distances of the theme, tooltips.
#
# Text of a trace is hostile: it may have any character and any length. Here it becomes one line of characters that can
# be seen, before a widget gets it; nothing is ever evaluated. What shows text, shows it through these procedures.
#
#       visible text ?limit?          control, bidirectional and invisible characters as \n, \t, \u001b ...
#       cut text font width           what fits into so many pixels, with an ellipsis where something is missing
#       valueOf dict key              {} when it has none. (Not by expr: that would rewrite a time it finds, 1.50 as 1.5.)
#       number value                  rounded for the eye (exact values stay in tooltips and copies)
#       group count                   10000000 -> 10 000 000 (narrow no-break spaces)
#       compareTimes a b              -1, 0, 1; exact decimals of any length
#       addTimes a b, subtractTimes   exact decimals
#       color name                    the theme's, or Ttk's where there is no player
#       px points                     pixels, by tk scaling
#       tip widget prefix             a tooltip whose text `prefix x y` gives (one in a program at a time)

::tactus::need visible

namespace eval ::tactus::player::panels {
    variable tipState {}        ;# id of the timer that will show a tooltip
    variable tipText {}
}

# ---- text ------------------------------------------------------------------------------------------------------------

# limit: characters of the text that are looked at; the rest is dropped and said by an ellipsis.
proc ::tactus::player::panels::visible {text {limit 100000}} {
    if {[string length $text] > $limit} {set text [string range $text 0 $limit-1]\u2026}
    ::tactus::visible::line $text
}

# The longest beginning that fits, by estimates from what was measured: two or three measurements, however long the text.
proc ::tactus::player::panels::cut {text font width} {
    set text [visible $text [expr {max(1, $width)}]]
    set wide [font measure $font $text]
    if {$wide <= $width} {return $text}
    set room [expr {$width - [font measure $font \u2026]}]
    set n [string length $text]
    while {$n > 0 && $wide > $room} {
        set n [expr {min($n - 1, $n * $room / $wide)}]
        if {$n <= 0} break
        set text [string range $text 0 $n-1]
        set wide [font measure $font $text]
    }
    if {$n <= 0} {return [expr {$room >= 0 ? "\u2026" : {}}]}
    return $text\u2026
}

proc ::tactus::player::panels::valueOf {dict key} {
    if {[dict exists $dict $key]} {return [dict get $dict $key]}
    return
}

proc ::tactus::player::panels::number {value} {
    if {![string is double -strict $value] || [string is wideinteger -strict $value]} {return $value}
    if {$value == 0} {return 0}
    set text [format %.6g $value]
    if {[string match *e* $text] && abs($value) < 1e15 && abs($value) >= 1} {set text [format %.0f $value]}
    return $text
}

proc ::tactus::player::panels::group {count} {
    while {[regsub {^(-?\d+)(\d{3})} $count "\\1\u202f\\2" count]} {}
    return $count
}

# 1 row, 2 rows; plural only where it is not the singular with s.
proc ::tactus::player::panels::counted {count singular {plural {}}} {
    if {$plural eq {}} {set plural ${singular}s}
    return "[group $count] [expr {$count == 1 ? $singular : $plural}]"
}

# ---- exact times -----------------------------------------------------------------------------------------------------

# A decimal as {integer digits}: value = integer / 10^digits. Exponents are understood, doubles are not used.
proc ::tactus::player::panels::decimal {value} {
    if {![regexp {^\s*([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?\s*$} $value -> sign whole fraction exponent]
            || $whole eq {} && $fraction eq {}} {
        return -code error -errorcode {TACTUS USAGE VALUE} "\"[visible $value 100]\" is not a time"
    }
    set digits [string length $fraction]
    scan $whole$fraction %lld number
    if {$exponent ne {}} {
        scan $exponent %d exponent
        if {abs($exponent) > 40} {return -code error -errorcode {TACTUS USAGE VALUE} "\"[visible $value 100]\" is out of range"}
        incr digits [expr {-$exponent}]
        if {$digits < 0} {
            set number [expr {$number * 10 ** -$digits}]
            set digits 0
        }
    }
    list [expr {$sign eq "-" ? -$number : $number}] $digits
}

proc ::tactus::player::panels::aligned {a b} {
    lassign [decimal $a] x dx
    lassign [decimal $b] y dy
    set digits [expr {max($dx, $dy)}]
    list [expr {$x * 10 ** ($digits - $dx)}] [expr {$y * 10 ** ($digits - $dy)}] $digits
}

proc ::tactus::player::panels::decimalText {number digits} {
    set sign [expr {$number < 0 ? "-" : ""}]
    set text [string trimleft $number -]
    if {!$digits} {return $sign$text}
    set text [string repeat 0 [expr {max(0, $digits + 1 - [string length $text])}]]$text
    set fraction [string trimright [string range $text end-[expr {$digits - 1}] end] 0]
    set whole [string range $text 0 end-$digits]
    if {$fraction eq {}} {return $sign$whole}
    return $sign$whole.$fraction
}

proc ::tactus::player::panels::compareTimes {a b} {
    lassign [aligned $a $b] x y
    expr {$x < $y ? -1 : $x > $y}
}

proc ::tactus::player::panels::addTimes {a b} {
    lassign [aligned $a $b] x y digits
    decimalText [expr {$x + $y}] $digits
}

proc ::tactus::player::panels::subtractTimes {a b} {
    lassign [aligned $a $b] x y digits
    decimalText [expr {$x - $y}] $digits
}

# ---- colours and distances -------------------------------------------------------------------------------------------

# Mixes two colours: share 0 is the first.
proc ::tactus::player::panels::mix {first second share} {
    set text "#"
    foreach a [winfo rgb . $first] b [winfo rgb . $second] {
        append text [format %02x [expr {round($a + ($b - $a) * $share) >> 8}]]
    }
    return $text
}

proc ::tactus::player::panels::isDark {color} {
    lassign [winfo rgb . $color] r g b
    expr {0.3 * $r + 0.59 * $g + 0.11 * $b < 32768}
}

# The theme's names, and more made of them: field (behind lists), stripe, heading, line (hairlines), onselect, link.
proc ::tactus::player::panels::color {name} {
    set background [themeColor background]
    switch $name {
        field {
            set base [themeColor base]
            if {$base ne {}} {return $base}
            if {[isDark $background]} {return [mix $background black 0.25]}
            return white
        }
        stripe {return [mix [color field] [themeColor foreground] 0.035]}
        heading {return [mix $background [themeColor foreground] 0.06]}
        line {return [mix $background [themeColor foreground] 0.22]}
        onselect {return [expr {[isDark [themeColor select]] ? "#ffffff" : "#000000"}]}
        link {return [themeColor accent]}
        default {return [themeColor $name]}
    }
}

proc ::tactus::player::panels::themeColor {name} {
    if {![catch {::tactus::player::theme color $name} color] && $color ne {}} {return $color}
    set style {
        background {-background #d9d9d9} foreground {-foreground #000000}
    }
    if {[dict exists $style $name]} {
        lassign [dict get $style $name] option fallback
        set color [ttk::style lookup . $option]
        return [expr {$color eq {} ? $fallback : $color}]
    }
    dict get {base {} accent #1a5fb4 error #b3261e warning #8a5a00 ok #1b6e3c muted #6b6b6b select #c7dcf5} $name
}

# At 96 dots an inch, where a point is 4/3 pixels, 3 points are 4 pixels.
proc ::tactus::player::panels::px {points} {
    expr {max(1, round($points * [tk scaling]))}
}

# What a severity or a verdict looks like: a sign that differs by shape, and a colour's name.
proc ::tactus::player::panels::sign {word} {
    switch -- $word {
        error - invalid - failed {list \u2716 error}
        warning - uncertain {list \u25b2 warning}
        note - info {list \u25cf accent}
        valid - ok {list \u2714 ok}
        default {list {} foreground}
    }
}

# ---- tooltips --------------------------------------------------------------------------------------------------------

# The prefix is called with the pointer's window coordinates; {} shows nothing.
proc ::tactus::player::panels::tip {widget prefix} {
    bind $widget <Motion> +[list ::tactus::player::panels::tipMotion $widget $prefix %x %y %X %Y]
    foreach event {<Leave> <ButtonPress> <MouseWheel> <KeyPress> <Destroy>} {
        bind $widget $event +[list ::tactus::player::panels::tipHide]
    }
}

proc ::tactus::player::panels::tipMotion {widget prefix x y rootX rootY} {
    variable tipState
    variable tipText
    set text [{*}$prefix $x $y]
    if {$text eq $tipText && $text ne {} && [winfo exists .tactusTip]} return
    tipHide
    if {$text eq {}} return
    set tipState [after 450 [list ::tactus::player::panels::tipShow $widget $text $rootX $rootY]]
}

proc ::tactus::player::panels::tipHide {} {
    variable tipState
    variable tipText {}
    after cancel $tipState
    if {[winfo exists .tactusTip]} {destroy .tactusTip}
}

proc ::tactus::player::panels::tipShow {widget text rootX rootY} {
    variable tipText
    if {![winfo exists $widget]} return
    set tipText $text
    set tip [toplevel .tactusTip -class Tooltip -background [color line] -padx 1 -pady 1]
    wm overrideredirect $tip 1
    wm withdraw $tip
    catch {wm attributes $tip -type tooltip}
    pack [label $tip.text -justify left -anchor w -text $text -font TkTooltipFont -wraplength [px 320] \
        -background [color field] -foreground [color foreground] -borderwidth 0 -padx [px 3] -pady [px 2]]
    set width [winfo reqwidth $tip.text]
    set height [winfo reqheight $tip.text]
    set x [expr {max(0, min($rootX + [px 6], [winfo screenwidth $tip] - $width - 4))}]
    set y [expr {$rootY + [px 14]}]
    if {$y + $height > [winfo screenheight $tip]} {set y [expr {max(0, $rootY - $height - [px 6])}]}
    wm geometry $tip +$x+$y
    wm deiconify $tip
    raise $tip
}
