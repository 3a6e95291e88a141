# player/later.tcl -- class Later, mixed into others: `my later METHOD ?MS?` calls a method at idle time or after so
# many milliseconds, once however often it is asked for, and never after the object is destroyed.

oo::class create ::tactus::player::Later {
    variable Timers        ;# method -> id of the timer that will call it

    destructor {
        if {[info exists Timers]} {
            foreach timer [dict values $Timers] {after cancel $timer}
        }
        if {[self next] ne {}} next
    }

    method later {method {ms idle}} {
        if {[info exists Timers] && [dict exists $Timers $method]} return
        dict set Timers $method [after $ms [namespace code [list my RunLater $method]]]
    }

    method RunLater {method} {
        dict unset Timers $method
        my $method
    }
}
