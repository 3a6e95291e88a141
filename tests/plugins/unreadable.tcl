# unreadable.tcl -- an error when it is loaded.

addEventHandler message never
addCommandArg lost text "goes with it"
nonsense here
