# player/look.tcl -- the look of lists and panels: colours made from those of the theme, distances in points, signs of
# severities.
#
#   look::color NAME      a colour of the theme (player/theme.tcl), or of Ttk where no theme is in use
#   look::mix A B SHARE   a colour between two
#   look::points N        pixels of so many points, by tk scaling
#   look::sign WORD       a sign and the name of its colour, for a severity or a verdict
#   look::wrap LABEL      lets the text of a label take as many lines as its width asks for

namespace eval ::tactus::player::look {}

# Mixes two colours: share 0 is the first.
proc ::tactus::player::look::mix {first second share} {
    set text "#"
    foreach a [winfo rgb . $first] b [winfo rgb . $second] {
        append text [format %02x [expr {round($a + ($b - $a) * $share) >> 8}]]
    }
    return $text
}

proc ::tactus::player::look::isDark {color} {
    lassign [winfo rgb . $color] r g b
    expr {0.3 * $r + 0.59 * $g + 0.11 * $b < 32768}
}

# A colour by its name: the theme's names, and more made of them: field (behind lists), stripe, heading, line
# (hairlines), onselect, link.
proc ::tactus::player::look::color {name} {
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

proc ::tactus::player::look::themeColor {name} {
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

# Pixels for a length in points: at 96 dots an inch, 3 points are 4 pixels.
proc ::tactus::player::look::points {points} {
    expr {max(1, round($points * [tk scaling]))}
}

# The width comes from those that pack the label, so that another number of lines does not change it.
proc ::tactus::player::look::wrap {label} {
    bind $label <Configure> {if {%w > 1 && [%W cget -wraplength] != %w} {%W configure -wraplength %w}}
}

# The sign of a severity or a verdict, which differs by shape, and a colour's name.
proc ::tactus::player::look::sign {word} {
    switch -- $word {
        error - invalid - failed {list \u2716 error}
        warning - uncertain {list \u25b2 warning}
        note - info {list \u25cf accent}
        valid - ok {list \u2714 ok}
        default {list {} foreground}
    }
}
