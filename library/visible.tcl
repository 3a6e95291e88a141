# visible.tcl -- text of a trace as characters that can be seen: characters that act on a terminal or hide from a reader
# (tactus::describe hidden) are written as \u001b.
#
#   visible::line TEXT ?LIMIT?      the text in one line: a newline as \n, a tab as \t; at most LIMIT characters, then
#                                   an ellipsis
#   visible::text TEXT              newlines and tabs stay
#   visible::message TEXT ?LIMIT?   the same for what is told to a user: it may repeat words of any length that came
#                                   from outside, so that beyond LIMIT characters (2000) its middle is an ellipsis; what
#                                   is wrong stands at its begin, and what to do at its end

namespace eval ::tactus::visible {
    variable hidden {}          ;# regular expression; {}: not made yet
    variable map {}             ;# for string map: all hidden characters but newline and tab
}

# The character of a code, which Tcl 8 has in two parts above FFFF.
proc ::tactus::visible::character {code} {
    if {$code < 0x10000} {return [format %c $code]}
    encoding convertfrom utf-8 [binary format c4 [list [expr {0xf0 | $code >> 18}] \
        [expr {0x80 | $code >> 12 & 0x3f}] [expr {0x80 | $code >> 6 & 0x3f}] [expr {0x80 | $code & 0x3f}]]]
}

proc ::tactus::visible::escape {code} {
    if {$code < 0x10000} {return [format {\u%04x} $code]}
    format {\u%04x\u%04x} [expr {0xd800 | ($code - 0x10000) >> 10}] [expr {0xdc00 | ($code - 0x10000) & 0x3ff}]
}

proc ::tactus::visible::make {} {
    variable hidden
    variable map {}
    set narrow {}
    set wide {}
    foreach {first last} [::tactus::describe hidden] {
        if {$last < 0x10000} {
            append narrow [format {\u%04x-\u%04x} $first $last]
        } else {
            lappend wide [character $first] [character $last]
        }
        for {set code $first} {$code <= $last} {incr code} {
            if {$code != 9 && $code != 10} {lappend map [character $code] [escape $code]}
        }
    }
    set hidden "\[$narrow\]"
    foreach {first last} $wide {
        append hidden "|[string range $first 0 end-1]\[[string index $first end]-[string index $last end]\]"
    }
}

proc ::tactus::visible::hides {text} {
    variable hidden
    if {$hidden eq {}} make
    regexp $hidden $text
}

proc ::tactus::visible::text {text} {
    variable map
    if {[hides $text]} {set text [string map $map $text]}
    return $text
}

proc ::tactus::visible::message {text {limit 2000}} {
    if {[string length $text] > $limit} {
        set end [expr {$limit / 4}]
        set text "[string range $text 0 [expr {$limit - $end - 2}]]\u2026[string range $text end-[expr {$end - 1}] end]"
    }
    text $text
}

proc ::tactus::visible::line {text {limit 0}} {
    if {$limit && [string length $text] > $limit} {set text [string range $text 0 $limit-1]\u2026}
    if {[hides $text]} {set text [string map [list \n {\n} \t {\t}] [text $text]]}
    return $text
}
