# display.tcl -- what measurements of windows have in common: a display, and percentiles. Sourced by them.

namespace eval ::display {}

# Without a DISPLAY an Xvfb of 1920 x 1080 is started, which ends with this process.
proc ::display::start {} {
    if {[info exists ::env(DISPLAY)] && $::env(DISPLAY) ne {}} return
    set pipe [open |[list Xvfb -displayfd 1 -screen 0 1920x1080x24 -dpi 96 -nolisten tcp -terminate 2>/dev/null]]
    set ::env(DISPLAY) :[gets $pipe]
    fconfigure $pipe -blocking 0
    close $pipe
}

# The nth of a hundred, of real numbers.
proc ::display::percentile {values n} {
    lindex [lsort -real $values] [expr {min([llength $values] - 1, [llength $values] * $n / 100)}]
}
