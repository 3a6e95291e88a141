# player/checks.tcl -- running the checks (plugin/check.tcl) over the trace of a view, while its window lives on.
#
#   checks::run VIEW ?NAMES?    runs all, or those of these names; the findings are in the trace, and ChecksRun and
#                               FindingsChanged are told. All: the panel of findings is shown afterwards

namespace eval ::tactus::player::checks {}

# Runs checks and shows the verdicts. While they run, a second call does nothing.
proc ::tactus::player::checks::run {view {names {}}} {
    ::tactus::need plugin/check
    if {[info commands ::tactus::check::run] eq {}} {
        $view message "This installation has no checks"
        return
    }
    if {[$view option checked] eq "running"} return
    set trace [$view trace]
    set before [$view option checked]
    $view message "Checking \u2026"
    tellState $view running
    try {
        set verdicts [::tactus::check::run $trace -with $names \
            -progress [list ::tactus::player::checks::progress $view $trace]]
    } on error {message options} {
        # The view was closed meanwhile.
        if {![::tactus::player::alive $view] || [$view trace] ne $trace} return
        tellState $view {}
        return -options $options $message
    }
    if {![::tactus::player::alive $view] || [$view trace] ne $trace} return
    lassign {} earlier more
    if {[llength $names] && [dict exists $before verdicts]} {
        set earlier [dict get $before verdicts]
        set more [dict remove [dict get $before totals] {*}$names]
    }
    tellState $view [dict create time [clock format [clock seconds] -format %H:%M:%S] \
        verdicts [dict merge $earlier [dict map {name value} $verdicts {lindex $value 0}]] \
        totals [dict merge $more [::tactus::check::totals]]]
    ::tactus::player::tell FindingsChanged $view
    $view message [verdictText $verdicts]
    if {![llength $names]} {$view showPanel findings}
}

# Sets the state of the checks, for the findings panel: {}, running, or a dict of time, verdicts and totals.
proc ::tactus::player::checks::tellState {view what} {
    $view option checked $what
    ::tactus::player::tell ChecksRun $view
}

# Handles the window's events while checks run; one of them may close the trace.
proc ::tactus::player::checks::progress {view trace progress} {
    update
    if {![::tactus::player::alive $view] || [$view trace] ne $trace} {return -code break}
    return
}

proc ::tactus::player::checks::verdictText {verdicts} {
    set texts {}
    foreach verdict {invalid uncertain valid} {
        set names {}
        dict for {name value} $verdicts {if {[lindex $value 0] eq $verdict} {lappend names $name}}
        if {[llength $names]} {lappend texts "$verdict: [join $names {, }]"}
    }
    expr {[llength $texts] ? [join $texts {; }] : "No check applies to this trace"}
}
