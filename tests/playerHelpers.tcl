# playerHelpers.tcl -- for the tests of the window (player*.test): a real window on a real display, with directories of
# its own.
#
#   startWindow ?file ...? ?-option value ...?   the window with these traces opened; sets ::window, ::view, ::w (the
#                                                timeline)
#   endWindow                                    closes all windows
#   lendWindow begin script ?again?              runs a script, globally, in the window that the script `begin` makes,
#                                                which stays for the next one that begins so. That one finds it as
#                                                new: what can be put back is, and where anything else is left, it gets
#                                                a new window.
#                                                `again` runs each time before, and fails where it needs a new one
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
    if {[llength $::lent]} endWindow
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
    set ::lent {}
}

proc lendWindow {begin script {again {}}} {
    if {[lindex $::lent 0] ne $begin || [catch {putBack; uplevel #0 $again; windowState} state]
            || $state ne [lindex $::lent 1]} {
        if {[llength $::lent]} endWindow
        uplevel #0 $begin
        putBack
        uplevel #0 $again
        set ::lent [list $begin [windowState] [$::view panelState]]
    }
    uplevel #0 $script
}

# Undoes what tests do most: dialogs, the panels in front, range, cursor, selection, markers, rows, what is lit, steps
# back, places gone to, texts kept for the next search.
proc putBack {} {
    set inside [info object namespace $::view]
    set top [$::view window]
    foreach child [winfo children $top] {
        if {[winfo toplevel $child] eq $top || [string match *#* $child] || [winfo class $child] eq "Menu"} continue
        destroy $child
    }
    destroy [$::view top].card
    if {[llength $::lent]} {
        foreach panel [dict values [dict get [lindex $::lent 2] front]] {
            if {![$::view panelShown $panel]} {$::view showPanel $panel}
        }
    }
    foreach name {hits paletteText} {dict unset ${inside}::Options $name}
    $::view pointerLeft
    ${inside}::here clear
    $::view show {}
    lassign {} ${inside}::Gone ${inside}::Layers
    $::w highlight {}
    foreach name [$::w marker names] {$::view marker $name}
    $::w selection clear
    $::w cursor {}
    $::w row reset
    $::w yview moveto 0
    $::w view {*}[$::w span]
    # No click of the next test is the second one of a double click.
    foreach event {<ButtonPress-2> <ButtonRelease-2>} {event generate [$::view top].status $event}
    focus -force $::w
    idle
    ::tactus::player::history::clear $::w
    unset -nocomplain ::tactus::timeline::fitted($::w)
}

# All that is seen of the window and of its trace.
proc windowState {} {
    set inside [info object namespace $::view]
    set options [set ${inside}::Options]
    catch {dict unset options checked time}
    list [::tactus::player::Window all] [$::window views] [$::window view] \
        [$::view trace] [$::view state] [$::view bars] \
        [wm geometry [$::view window]] [wm attributes [$::view window]] [grab current] [focus] \
        [winfo children .] [lsearch -all -inline -not [winfo children [$::view window]] *#*] \
        [winfo children [$::view top]] [$::view panelState] [$::view side bottom] [$::view side right] \
        $options [[$::view trace] finding list] [$::w configure] [$::w view] [$::w yview] [$::w cursor] \
        [$::w selection get] [$::w marker names] [$::w rows] [$::w row groups] [$::w strip names] \
        [::tactus::player::theme name] $::tactus::player::pref::values $::tactus::player::pref::bound
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

set lent {} ;# by lendWindow: what made the window, and how it was then
if {[testConstraint tk]} startPlayer
