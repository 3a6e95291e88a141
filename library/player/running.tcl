# player/running.tcl -- work that may go on for ever while the window lives, and that Escape ends: one of each view.

namespace eval ::tactus::player::running {
    variable enders {}  ;# commands that end what runs, by view
}

# Notes what ends the work of a view that begins; `end` takes it away.
proc ::tactus::player::running::begin {view ender} {
    variable enders
    dict set enders $view $ender
}

proc ::tactus::player::running::end {view} {
    variable enders
    dict unset enders $view
}

# Ends what runs in a view. True: something did.
proc ::tactus::player::running::escape {view} {
    variable enders
    if {![dict exists $enders $view]} {return 0}
    set ender [dict get $enders $view]
    end $view
    uplevel #0 $ender
    return 1
}
