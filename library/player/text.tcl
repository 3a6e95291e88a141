# player/text.tcl -- text of a trace for the screen: made visible, cut to a width; counts and rounded numbers.
#
# Text of a trace is hostile: it may have any character and any length. Here it becomes one line of visible characters
# before a widget gets it; nothing is ever evaluated. All texts of a trace are shown through these procedures.
#
#   text::visible TEXT ?LIMIT?     control, bidirectional and invisible characters as \n, \t, \u001b ...; mathematics as
#                                  near as plain text can show it: \tau_1 as a letter with an index
#   text::source TEXT ?LIMIT?      the same, but mathematics as it was written: for copies, files, commands
#   text::cut TEXT FONT WIDTH      the part that fits into so many pixels, with an ellipsis where it is cut
#   text::valueOf DICT KEY         {} when it has none. (Not by expr: that would rewrite a time it finds, 1.50 as 1.5.)
#   text::number VALUE             rounded for reading (tooltips and copies have the exact value)
#   text::group COUNT              10000000 -> 10 000 000 (narrow no-break spaces)
#   text::counted COUNT SINGULAR   1 row, 2 000 rows
#   text::glued TEXT               numbers and units of time are not parted at the end of a line
#   text::called TRACE ID          what people call a thread, with its number, or a job: control (21277), control.17

::tactus::need visible

namespace eval ::tactus::player::text {}

proc ::tactus::player::text::visible {text {limit 100000}} {
    ::tactus::visible::line [::tactus::shownText $text] $limit
}

proc ::tactus::player::text::source {text {limit 100000}} {
    ::tactus::visible::line $text $limit
}

# The longest beginning that fits, estimated from what was measured: two or three measurements, however long the text.
proc ::tactus::player::text::cut {text font width} {
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

proc ::tactus::player::text::valueOf {dict key} {
    if {[dict exists $dict $key]} {return [dict get $dict $key]}
    return
}

proc ::tactus::player::text::number {value} {
    if {![string is double -strict $value] || [string is wideinteger -strict $value]} {return $value}
    if {$value == 0} {return 0}
    set text [::tactus::format %.6g $value]
    if {[string match *e* $text] && abs($value) < 1e15 && abs($value) >= 1} {set text [::tactus::format %.0f $value]}
    return $text
}

proc ::tactus::player::text::called {trace id} {
    set called [$trace called $id]
    set end [string range $called end-[expr {[string length $id] + 1}] end]
    if {[string match *.* $id] || $called eq $id || $end eq "($id)"} {return $called}
    return "$called ($id)"
}

proc ::tactus::player::text::glued {text} {
    regsub -all {(\d) (s|ms|\u00b5s|ns)\M} $text "\\1\u00a0\\2"
}

proc ::tactus::player::text::group {count} {
    while {[regsub {^(-?\d+)(\d{3})} $count "\\1\u202f\\2" count]} {}
    return $count
}

# 1 row, 2 rows; plural only where it is not the singular with s.
proc ::tactus::player::text::counted {count singular {plural {}}} {
    if {$plural eq {}} {set plural ${singular}s}
    return "[group $count] [expr {$count == 1 ? $singular : $plural}]"
}
