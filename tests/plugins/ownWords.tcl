# ownWords.tcl -- the new interface: an event and a command for traces, an option, a format known by its content, a menu
# entry and a view.

plugin ownWords -title "Temperatures" -help "events of the sensors, and runs in one line" -version 1.2

option limit -type number -default 50 -help "from here on it is too hot"
event temperature {sensor degrees}
command ran ran
on temperature measured
on <TraceOpened> reset
on <TimeChanged> looked
menu {Sensors Hottest} hottest -key <Key-H>
view thermometer -title Thermometer -create build -side right
format runs -recognize isRuns -convert fromRuns

variable hot {}

proc reset {trace view} {
    variable hot {}
}

proc measured {time sensor degrees args} {
    variable hot
    if {$degrees > [option get limit]} {lappend hot [list $time $sensor [line]]}
}

# ran JOB FROM TO: two events in one line.
proc ran {job from to} {
    list [list plot $from jobResumed $job] [list plot $to jobPreempted $job]
}

proc looked {view time} {
    variable seen [list $time [now]]
}

proc hottest {view} {
    variable hot
    return [lindex $hot 0]
}

proc build {frame view} {
    return "$frame $view"
}

proc isRuns {file head} {
    string match "#runs\n*" $head
}

proc fromRuns {file out} {
    set in [open $file]
    gets $in
    puts $out "newTask t"
    set n 0
    while {[gets $in line] >= 0} {
        lassign $line from to
        incr n
        puts $out "plot $from jobArrived t.$n t\nran t.$n $from $to\nplot $to jobCompleted t.$n"
    }
    close $in
}
