# player/console.tcl -- the action that opens the Tcl console. The console itself (player/consoleWindow.tcl,
# player/consoleComplete.tcl) is read when it is first opened.

namespace eval ::tactus::player::console {}

# Opens the console, or shows it again; the result is its object. There is one for all views.
proc ::tactus::player::console::open {view} {
    ::tactus::need player/consoleComplete player/consoleOutput player/consoleWindow
    ::tactus::player::Console for $view
}

::tactus::player::action console -label "Tcl Console" -menu Tools -keys {<Key-colon>} \
    -help "Tcl commands: \$trace is the trace, \$view the view" -command ::tactus::player::console::open
