# playerHelpers.tcl -- for the tests of the window (player*.test): a real window on a real display, with directories of
# its own.
#
#   startWindow ?file ...? ?-option value ...?   the window with these traces opened; sets ::window, ::view, ::w (the
#                                                timeline)
#   endWindow                                    closes all windows
#   opened view                                  waits until a view has its trace, or has failed
#   key SEQUENCE ?widget?                        presses a key as a user does: on the widget with the focus
#   mouse EVENT x y ?option value ...?           in the timeline
#   idle                                         handles what is pending
#
# Preferences, sessions and recent files go to directories of the test file: XDG_CONFIG_HOME, XDG_STATE_HOME.

needTk

proc startPlayer {} {
    foreach {variable name} {XDG_CONFIG_HOME config XDG_STATE_HOME state XDG_DATA_HOME data} {
        set ::env($variable) [file join [tempDir] $name]
    }
    ::tactus::need window
    ::tactus::player::prepare
}

proc startWindow {args} {
    set files {}
    while {[llength $args] && ![string match -* [lindex $args 0]]} {set args [lassign $args file]; lappend files $file}
    set ::window [::tactus::player::start $files -geometry 1000x700+0+0 {*}$args]
    set ::view [$::window view]
    set ::w [$::view timeline]
    if {[llength $files]} {opened $::view}
    # A window manager may not be there to give the focus.
    focus -force $::w
    idle
}

proc opened {view} {
    waitUntil {![::tactus::player::alive $view] || [$view state] in {open failed}} 10000
    idle
}

proc endWindow {} {
    ::tactus::player::quit
    ::tactus::player::theme use light
    idle
}

proc idle {} {
    for {set n 0} {$n < 3} {incr n} {update}
}

proc key {sequence {widget {}}} {
    if {$widget eq {}} {set widget [focus]}
    if {$widget eq {}} {set widget $::w}
    # Tk gives keys to the widget with the focus.
    focus -force $widget
    event generate $widget $sequence
    idle
}

proc mouse {event x y args} {
    event generate $::w $event -x $x -y $y {*}$args
    idle
}

# A press, a way, a release with a button; state: modifiers held.
proc dragMouse {button fromX fromY toX toY {state 0}} {
    mouse <ButtonPress-$button> $fromX $fromY -state $state
    set bit [expr {128 << $button}]
    mouse <Motion> [expr {($fromX + $toX) / 2}] $toY -state [expr {$state | $bit}]
    mouse <Motion> $toX $toY -state [expr {$state | $bit}]
    mouse <ButtonRelease-$button> $toX $toY -state [expr {$state | $bit}]
}

# Is a decimal close to another?
proc near {a b {slack 0.01}} {
    expr {abs($a - $b) <= $slack}
}

# The trace of most tests: times from 0 to 20, three tasks, two jobs of a.
proc scheduleTrace {{name {}}} {
    withTrace {
newTask a -priority 1 -name Alpha
newTask b -priority 2 -name Beta
newTask c -priority 3 -name Gamma
plot 0 jobArrived c.1 c
plot 0 jobResumed c.1
plot 2 jobArrived a.1 a
plot 2 jobPreempted c.1 -target a.1
plot 2 jobResumed a.1
plot 5 jobCompleted a.1
plot 5 jobResumed c.1
plot 8 jobArrived b.1 b
plot 8 jobPreempted c.1 -target b.1
plot 8 jobResumed b.1
plot 10 jobArrived a.2 a
plot 10 jobPreempted b.1 -target a.2
plot 10 jobResumed a.2
plot 14 jobCompleted a.2
plot 14 jobResumed b.1
plot 16 jobCompleted b.1
plot 16 jobResumed c.1
plot 20 jobCompleted c.1
} $name
}

if {[testConstraint tk]} startPlayer
