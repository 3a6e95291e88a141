# player/console.tcl -- the action that opens the Tcl console. The console itself (player/consoleWindow.tcl,
# player/consoleComplete.tcl) is read when it is wanted.

namespace eval ::tactus::player::console {}

# Opens the console, or shows it again; its object. There is one, and it is about the view looked at last.
proc ::tactus::player::console::open {view} {
    ::tactus::need player/consoleComplete player/consoleOutput player/consoleWindow
    ::tactus::player::Console for $view
}

::tactus::player::action console -label "Tcl Console" -menu Tools -keys {<Key-colon>} \
    -help "Tcl commands: \$trace is the trace, \$view the view" -command ::tactus::player::console::open
