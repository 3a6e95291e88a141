# player/keys.tcl -- binds keys and mouse to actions, by the table (player/actions.tcl).
#
# Keys are bound to each toplevel, which every widget in it has among its bindtags; so a key works wherever the focus
# is, unless the widget with the focus uses it itself (an entry takes letters, a list the arrows).
#
# The mouse is bound to a tag that the window's timelines have in place of their class, by the procedures of the
# widget's own bindings (timelineBindings.tcl). A gesture is a row of the table with a mouse sequence; its command is
# called with the view and a phase with the event: press, motion, release, cancel (buttons), or turn (wheel). The
# commands are in player/navigate.tcl.

namespace eval ::tactus::player::keys {
    variable timer {}           ;# id of the idle call that binds anew
    variable windows {}         ;# toplevels with the keys: dict of path -> sequences bound
    variable tagOfTimelines TactusWindowTimeline        ;# bind tag of timelines, in place of the class
}

proc ::tactus::player::keys::bindLater {} {
    variable timer
    variable windows
    if {$timer eq {} && [dict size $windows]} {set timer [after idle ::tactus::player::keys::bindAll]}
}

proc ::tactus::player::keys::bindAll {} {
    variable timer {}
    variable windows
    foreach top [dict keys $windows] {
        if {[winfo exists $top]} {bindKeys $top} else {dict unset windows $top}
    }
    bindMouse
}

# ---- keys ------------------------------------------------------------------------------------------------------------

proc ::tactus::player::keys::bindKeys {top} {
    variable windows
    if {[dict exists $windows $top]} {
        foreach sequence [dict get $windows $top] {bind $top $sequence {}}
    }
    set done {}
    dict for {sequence action} [::tactus::player::actions::bound key] {
        # A sequence from the preferences file may be one that Tk does not know.
        if {[catch {bind $top $sequence [list ::tactus::player::keys::pressed $action $sequence %W %s]} message]} {
            badSequence $action $sequence $message
            continue
        }
        lappend done $sequence
    }
    dict set windows $top $done
}

# Binds Return to press a button; in Ttk only space does.
proc ::tactus::player::keys::bindButtons {} {
    foreach key {<Key-Return> <Key-KP_Enter>} {bind TButton $key {%W invoke; break}}
}

proc ::tactus::player::keys::badSequence {action sequence message} {
    ::tactus::player::session::noteDamage "key $action $sequence" \
        "the preferences bind \"$action\" to \"$sequence\", which is no key ($message)"
}

proc ::tactus::player::keys::pressed {action sequence widget state} {
    if {![::tactus::timeline::fits $sequence $state]} return
    if {[takenBy $widget $sequence]} return
    set view [::tactus::player::viewOf $widget]
    ::tactus::player::actions::run $action $view
    return -code break
}

# Does a widget use a key itself? Bindings of the toplevel, of `all` and of the timeline do not count.
proc ::tactus::player::keys::takenBy {widget sequence} {
    variable tagOfTimelines
    if {![winfo exists $widget]} {return 0}
    set plain [expr {![regexp {Control|Alt|Mod\d|-F\d+>|Escape} $sequence]}]
    foreach tag [bindtags $widget] {
        if {$tag eq "all" || $tag eq [winfo toplevel $widget] || $tag eq $tagOfTimelines} continue
        # A class with a binding of all keys is one for text; a widget's own binding of all keys hides a tooltip.
        if {$plain && ![string match .* $tag] && [bind $tag <Key>] ne {}} {return 1}
        if {[bind $tag $sequence] ne {}} {return 1}
        foreach virtual [virtualOf $sequence] {
            if {[bind $tag $virtual] ne {}} {return 1}
        }
    }
    return 0
}

# The virtual events that a sequence stands for (<<PrevLine>> for <Key-Up>).
proc ::tactus::player::keys::virtualOf {sequence} {
    variable virtuals
    if {![info exists virtuals]} {
        set virtuals {}
        foreach virtual [event info] {
            foreach other [event info $virtual] {dict lappend virtuals [normal $other] $virtual}
        }
    }
    set sequence [normal $sequence]
    expr {[dict exists $virtuals $sequence] ? [dict get $virtuals $sequence] : {}}
}

# A sequence as Tk writes it.
proc ::tactus::player::keys::normal {sequence} {
    bind TactusProbe $sequence #
    set normal [lindex [bind TactusProbe] 0]
    bind TactusProbe $sequence {}
    return $normal
}

# ---- mouse -----------------------------------------------------------------------------------------------------------

# Gives a timeline the window's keys and mouse bindings, which can be bound anew, in place of the class's.
proc ::tactus::player::keys::adopt {timeline} {
    variable tagOfTimelines
    bindtags $timeline [lmap tag [bindtags $timeline] {expr {$tag eq [winfo class $timeline] ? $tagOfTimelines : $tag}}]
    bind $timeline <<BeforeZoom>> {::tactus::player::history::record %W %d}
}

proc ::tactus::player::keys::bindMouse {} {
    variable tagOfTimelines
    ::tactus::timeline::unbind $tagOfTimelines
    ::tactus::timeline::bindPointer $tagOfTimelines ::tactus::player::keys::moved ::tactus::player::keys::left
    dict for {sequence action} [::tactus::player::actions::bound mouse] {
        if {[catch {::tactus::timeline::bindMouse $tagOfTimelines $sequence \
                [list ::tactus::player::keys::gesture $action]} message]} {
            badSequence $action $sequence $message
        }
    }
}

# Runs the command of a gesture. args: of a button, phase x y modifiers; of a wheel, x y direction, to which the phase
# turn is added.
proc ::tactus::player::keys::gesture {action timeline args} {
    set view [::tactus::player::viewOf $timeline]
    if {![::tactus::player::alive $view] || [$view trace] eq {}} return
    if {[llength $args] == 3} {set args [linsert $args 0 turn]}
    ::tactus::player::actions::run $action $view {*}$args
}

proc ::tactus::player::keys::moved {widget x y state} {
    set view [::tactus::player::viewOf $widget]
    if {$view ne {}} {$view pointer $x $y $state}
}

proc ::tactus::player::keys::left {widget} {
    set view [::tactus::player::viewOf $widget]
    if {$view ne {}} {$view pointerLeft}
}

# Binds anew when the keys in the preferences have changed.
proc ::tactus::player::keys::preferencesChanged {view name} {
    if {$name eq "keys"} bindLater
}

::tactus::player::listen PreferencesChanged ::tactus::player::keys::preferencesChanged
