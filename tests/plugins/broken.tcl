# broken.tcl -- an error in a procedure that is called when an event comes.

proc worse {time} {
    error "cannot say more at $time"
}

proc bad {time args} {
    if {$time > 1} {
        worse $time
    }
}

addEventHandler message bad
