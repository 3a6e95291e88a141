# playerKeys.tcl -- from keys and mouse to actions, by the table (playerActions.tcl).
#
# Keys are bound to each toplevel, which every widget in it has among its bindtags; so a key works wherever the focus is,
# unless the widget with the focus has a use for it itself (an entry takes letters, a list the arrows): that one goes first.
#
# The mouse is bound to the class TactusTimeline. A gesture is a row of the table with a mouse sequence; its command gets the
# view and a phase with the event: press, motion, release (buttons), or turn (wheel). What a gesture does is in
# playerNavigate.tcl.

namespace eval ::tactus::player::keys {
    variable timer {}		;# id of the idle call that binds anew
    variable spaceHeld 0	;# is the space bar down?
    variable gesture {}		;# the gesture that goes on: {action view button}
    variable windows {}		;# toplevels with our keys: dict of path -> sequences bound
    variable mouseBound {}	;# sequences bound to the class
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

# ---- keys ------------------------------------------------------------------------------------------------------------------

proc ::tactus::player::keys::bindKeys {top} {
    variable windows
    if {[dict exists $windows $top]} {
	foreach sequence [dict get $windows $top] {bind $top $sequence {}}
    }
    set done {}
    dict for {sequence action} [::tactus::player::actions::bound key] {
	# A sequence that Tk does not know comes from the preferences file.
	if {[catch {bind $top $sequence [list ::tactus::player::keys::pressed $action $sequence %W %s]} message]} {
	    badSequence $action $sequence $message
	    continue
	}
	lappend done $sequence
    }
    dict set windows $top $done
}

proc ::tactus::player::keys::badSequence {action sequence message} {
    ::tactus::player::session::noteDamage "key $action $sequence" \
	"the preferences bind \"$action\" to \"$sequence\", which is no key ($message)"
}

# state: modifiers that are held; Tk also takes <Key-w> for Ctrl+W when nothing else is bound there.
proc ::tactus::player::keys::pressed {action sequence widget state} {
    if {![modifiersFit $sequence $state]} return
    if {[takenBy $widget $sequence]} return
    set view [::tactus::player::viewOf $widget]
    ::tactus::player::actions::run $action $view
    return -code break
}

proc ::tactus::player::keys::modifiersFit {sequence state} {
    set parts [split [string trim $sequence <>] -]
    set key [lindex $parts end]
    foreach {name bit} {Control 4 Alt 8 Mod4 64} {
	if {($state & $bit) && $name ni $parts && !($name eq "Alt" && "Mod1" in $parts)} {return 0}
    }
    # Shift is part of a character, but not of an arrow.
    if {($state & 1) && "Shift" ni $parts && [string length $key] > 1 && [isNamed $key]} {return 0}
    return 1
}

proc ::tactus::player::keys::isNamed {key} {
    expr {$key in {Up Down Left Right Home End Prior Next Return space Tab Escape BackSpace Delete Insert} || [regexp {^F\d+$} $key]}
}

# Has a widget a use of its own for a key? The toplevel, `all` and the timeline do not count.
proc ::tactus::player::keys::takenBy {widget sequence} {
    if {![winfo exists $widget]} {return 0}
    set plain [expr {![regexp {Control|Alt|Mod\d|-F\d+>|Escape} $sequence]}]
    foreach tag [bindtags $widget] {
	if {$tag eq "all" || $tag eq [winfo toplevel $widget] || $tag eq "TactusTimeline"} continue
	# A class that takes all keys is one for text; a widget's own binding of all keys hides a tooltip, or the like.
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

# ---- mouse -----------------------------------------------------------------------------------------------------------------

proc ::tactus::player::keys::bindMouse {} {
    variable mouseBound
    foreach sequence $mouseBound {bind TactusTimeline $sequence {}}
    set mouseBound {}
    foreach {sequence script} {
	<Motion> {moved %W %x %y %s}
	<Enter> {moved %W %x %y %s}
	<Leave> {left %W}
	<KeyPress-space> {space 1}
	<KeyRelease-space> {space 0}
	<Destroy> {gone %W}
    } {bindOne $sequence $script}
    foreach button {1 2 3} {
	bindOne <B$button-Motion> "dragged $button %W %x %y %s"
	bindOne <ButtonRelease-$button> "released $button %W %x %y %s"
    }
    # With Space held it is another gesture, which Tk cannot tell.
    dict for {sequence action} [::tactus::player::actions::bound mouse] {bindGesture $sequence $action}
}

proc ::tactus::player::keys::bindOne {sequence script} {
    variable mouseBound
    lappend mouseBound $sequence
    bind TactusTimeline $sequence "::tactus::player::keys::$script"
}

proc ::tactus::player::keys::bindGesture {sequence action} {
    if {[string match <Space-* $sequence]} return
    if {[catch {
	if {[string match *Wheel> $sequence]} {
	    set modifiers [string range $sequence 1 end-6]
	    bindOne <${modifiers}Button-4> [list turned $action %W %x %y 1]
	    bindOne <${modifiers}Button-5> [list turned $action %W %x %y -1]
	    if {[tk windowingsystem] ne "x11"} {
		bindOne <${modifiers}MouseWheel> [list turned $action %W %x %y %D]
	    }
	} else {
	    bindOne $sequence [list begun $action %W %x %y %s]
	}
    } message]} {badSequence $action $sequence $message}
}

proc ::tactus::player::keys::space {held} {
    variable spaceHeld $held
}

proc ::tactus::player::keys::begun {action widget x y state} {
    variable gesture
    variable spaceHeld
    focus $widget
    set button [lindex [split [string trim [lindex [::tactus::player::actions::keys $action] 0] <>] -] end]
    if {$spaceHeld} {
	set held [::tactus::player::actions::bound mouse]
	if {[dict exists $held <Space-Button-$button>]} {set action [dict get $held <Space-Button-$button>]}
    }
    endGesture
    set view [::tactus::player::viewOf $widget]
    if {$view eq {} || [$view trace] eq {}} return
    set gesture [list $action $view $button]
    call press $x $y $state
}

proc ::tactus::player::keys::call {phase x y state} {
    variable gesture
    lassign $gesture action view
    if {![::tactus::player::alive $view]} {
	set gesture {}
	return
    }
    ::tactus::player::actions::run $action $view $phase $x $y $state
}

proc ::tactus::player::keys::dragged {button widget x y state} {
    variable gesture
    if {[lindex $gesture 2] ne $button} return
    call motion $x $y $state
}

proc ::tactus::player::keys::released {button widget x y state} {
    variable gesture
    if {[lindex $gesture 2] ne $button} return
    call release $x $y $state
    set gesture {}
}

# A second button, or Escape, ends what goes on without its effect.
proc ::tactus::player::keys::endGesture {} {
    variable gesture
    if {$gesture eq {}} {return 0}
    call cancel 0 0 0
    set gesture {}
    return 1
}

proc ::tactus::player::keys::turned {action widget x y direction} {
    set view [::tactus::player::viewOf $widget]
    if {$view eq {} || [$view trace] eq {}} return
    ::tactus::player::actions::run $action $view turn $x $y [expr {$direction > 0 ? 1 : -1}]
}

proc ::tactus::player::keys::moved {widget x y state} {
    set view [::tactus::player::viewOf $widget]
    if {$view ne {}} {$view pointer $x $y $state}
}

proc ::tactus::player::keys::left {widget} {
    set view [::tactus::player::viewOf $widget]
    if {$view ne {}} {$view pointerLeft}
}

proc ::tactus::player::keys::gone {widget} {
    variable gesture
    set gesture {}
}

# Keys given in the preferences hold at once.
proc ::tactus::player::keys::preferencesChanged {view name} {
    if {$name eq "keys"} bindLater
}

::tactus::player::listen PreferencesChanged ::tactus::player::keys::preferencesChanged
