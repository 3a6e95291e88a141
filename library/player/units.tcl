# player/units.tcl -- how times are written in a window: with their unit, counted from where the user chose.
#
#   units::mode ?MODE?              absolute, start (of the trace), A or B (that marker); sets it, for all windows
#   units::origin VIEW              the time that is 0; {}: times are as in the trace
#   units::time VIEW TIME           a point in time
#   units::length VIEW LENGTH ?N?   a length, with N significant digits at most
#   units::range VIEW FROM TO       both ends and the length
#   units::said VIEW SENTENCE       a sentence of a finding
#   units::cell VIEW COLUMN VALUE   a value of a list's column
#   units::apply VIEW               counts the axis from there, too, and tells TimesChanged
#
# Texts are exact unless N is given: tactus::length only moves the point, as far as a unit of time (s, ms ...) asks. A
# trace that does not say what its times are in has numbers without a unit. What is copied, and what the user types in
# filters and questions, are the trace's own numbers.

::tactus::need times

namespace eval ::tactus::player::units {
    namespace path ::tactus::player
    variable modes {absolute start A B}
    # columns of lists that are points in time; all others of type time are lengths
    variable points {
        time begin end release start completion deadline sent received at since replenishment last_event first last
    }
}

proc ::tactus::player::units::mode {args} {
    variable modes
    if {[llength $args]} {
        pref set times [lindex $args 0]
        return [lindex $args 0]
    }
    set mode [pref get times absolute]
    expr {$mode in $modes ? $mode : "absolute"}
}

proc ::tactus::player::units::origin {view} {
    set w [$view timeline]
    switch [set mode [mode]] {
        start {lindex [$w span] 0}
        A - B {$w marker get $mode}
    }
}

proc ::tactus::player::units::unit {view} {
    lindex [[$view trace] axis {} {}] 0
}

proc ::tactus::player::units::length {view length {digits 0}} {
    ::tactus::length $length [unit $view] $digits
}

# A time before or behind a marker is written as that: A + 3 ms.
proc ::tactus::player::units::time {view time} {
    set origin [origin $view]
    if {$origin eq {} || $time eq {} || [catch {::tactus::times::subtract $time $origin} since]} {
        return [length $view $time]
    }
    set mode [mode]
    if {$mode eq "start"} {return [length $view $since]}
    set sign [expr {[string match -* $since] ? "\u2212" : "+"}]
    return "$mode $sign [length $view [string trimleft $since -]]"
}

proc ::tactus::player::units::range {view from to} {
    return "[time $view $from] \u2026 [time $view $to] ([length $view [::tactus::times::subtract $to $from]])"
}

# The sentence of a finding, with the points in time in it.
proc ::tactus::player::units::said {view sentence} {
    set trace [$view trace]
    if {$trace eq {} || [origin $view] eq {}} {return $sentence}
    set said {}
    foreach {words time} [$trace finding parts $sentence] {
        append said $words
        if {$time ne {}} {append said [time $view $time]}
    }
    return $said
}

# The text of a value in a list: column is a dict of name, type and maybe unit.
proc ::tactus::player::units::cell {view column value} {
    variable points
    if {$value eq {} || [$view trace] eq {}} {return $value}
    set type [dict get $column type]
    if {$type eq "time"} {
        return [if {[dict get $column name] in $points} {time $view $value} else {length $view $value}]
    }
    if {[dict get $column name] eq "sentence"} {return [said $view $value]}
    if {[string match *_mean [dict get $column name]]} {return [length $view $value 6]}
    text::number $value
}

proc ::tactus::player::units::apply {view} {
    if {[$view trace] eq {}} return
    [$view timeline] configure -origin [origin $view]
    tell TimesChanged $view
}

# The action of View > Times, and its check mark.
proc ::tactus::player::units::choose {wanted view} {
    mode $wanted
    if {$wanted in {A B} && [origin $view] eq {}} {
        $view message "Times count from marker $wanted as soon as it is set: Shift+$wanted"
    }
}

proc ::tactus::player::units::is {wanted view} {
    expr {[mode] eq $wanted}
}
