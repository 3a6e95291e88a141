# player/actions.tcl -- the one table of the window's actions: menus, keys, palette and the sheet of keys are made from
# it.
#
#   action NAME -label L ?-menu {View Zoom}? ?-keys {<Key-w> ...}? ?-help H? -command PREFIX ?-check VARIABLE?
#           ?-checked PREFIX? ?-enabled PREFIX? ?-needs trace? ?-separator 1? ?-order N?
#   gesture NAME -label L -keys {<Control-Wheel>} -help H -command PREFIX     the same for the mouse in the timeline
#
# PREFIX is called with the view; the prefixes -checked and -enabled return a boolean. -needs trace: disabled while the
# view has none. -separator: a line before the entry. Within a menu the order is that of registration, unless -order (a
# number, 100) says otherwise.
#
# Keys are Tk's sequences: <Key-w>, <Shift-Key-Up>, <Control-Key-P> (a capital is with Shift). Mouse sequences are
# <Button-1>, <Control-Button-1>, <Space-Button-1> (Space held), <Wheel>, <Shift-Wheel>, <Double-Button-1>. The
# preferences file may give an action other keys (player/session.tcl), in place of its own. A sequence runs one action:
# the last one that was registered with it.
#
# Binding: player/keys.tcl. Commands of the actions: player/navigate.tcl, player/commands.tcl, panels, plugins.

namespace eval ::tactus::player::actions {
    variable rows {}    ;# dict of name -> dict, in order of registration
    variable menus {File Edit View Go Rows Marks Tools Plugins Help}
    variable words {
        question ? slash / comma , period . bracketleft \[ bracketright \] colon : plus + minus - equal = semicolon ;
        greater > less <
        Prior PageUp Next PageDown Return Enter Escape Esc space Space BackSpace Backspace
        Control Ctrl Button-1 {left button} Button-2 {middle button} Button-3 {right button} Wheel wheel Double double
    }
}

proc ::tactus::player::action {name args} {
    set row [dict merge {
        kind key label {} menu {} keys {} help {} command {} check {} checked {} enabled {} needs {} separator 0
        order 100
    } \
        [stripped $args]]
    if {[dict get $row label] eq {}} {dict set row label $name}
    dict set actions::rows $name $row
    if {[info commands keys::bindLater] ne {}} keys::bindLater
}

proc ::tactus::player::actions::forget {name} {
    variable rows
    dict unset rows $name
    if {[info commands ::tactus::player::keys::bindLater] ne {}} ::tactus::player::keys::bindLater
}

proc ::tactus::player::gesture {name args} {
    action $name -kind mouse {*}$args
}

# ---- asking the table ------------------------------------------------------------------------------------------------

proc ::tactus::player::actions::names {} {
    variable rows
    dict keys $rows
}

proc ::tactus::player::actions::get {name key} {
    variable rows
    if {![dict exists $rows $name]} {
        return -code error -errorcode [list TACTUS LOOKUP ACTION $name] "no action \"$name\""
    }
    dict get $rows $name $key
}

# The key sequences of an action: the user's, else its own.
proc ::tactus::player::actions::keys {name} {
    lassign [::tactus::player::pref keys $name] given keys
    lmap sequence [if {$given} {set keys} else {get $name keys}] {
        if {$sequence eq {}} continue
        set sequence
    }
}

# A dict of sequence -> action, of the kind key or mouse. The user's keys win over the actions' own ones.
proc ::tactus::player::actions::bound {kind} {
    variable rows
    set own {}
    set users {}
    dict for {name row} $rows {
        if {[dict get $row kind] ne $kind} continue
        set target [expr {[lindex [::tactus::player::pref keys $name] 0] ? "users" : "own"}]
        foreach sequence [keys $name] {dict set $target $sequence $name}
    }
    dict merge $own $users
}

proc ::tactus::player::actions::isEnabled {name view} {
    if {[get $name needs] eq "trace" && (![::tactus::player::alive $view] || [$view trace] eq {})} {return 0}
    set enabled [get $name enabled]
    if {$enabled eq {}} {return 1}
    expr {[::tactus::player::alive $view] && [uplevel #0 [list {*}$enabled $view]]}
}

proc ::tactus::player::actions::isChecked {name view} {
    set variable [get $name check]
    if {$variable ne {}} {
        upvar #0 $variable value
        return [expr {[info exists value] && [string is true -strict $value]}]
    }
    set checked [get $name checked]
    expr {$checked ne {} && [::tactus::player::alive $view] && [uplevel #0 [list {*}$checked $view]]}
}

# Runs an action. With -check, its variable is toggled first.
proc ::tactus::player::actions::run {name view args} {
    if {![isEnabled $name $view]} {
        if {[::tactus::player::alive $view]} {$view message "[get $name label]: not now"}
        return
    }
    set variable [get $name check]
    if {$variable ne {}} {
        upvar #0 $variable value
        set value [expr {!([info exists value] && [string is true -strict $value])}]
    }
    uplevel #0 [list {*}[get $name command] $view {*}$args]
}

# ---- how keys are written for people ---------------------------------------------------------------------------------

# <Control-Key-P> -> Ctrl+Shift+P
proc ::tactus::player::actions::keyText {sequence} {
    variable words
    set parts [string trim $sequence <>]
    regsub {Button-(\d)} $parts {Button_\1} parts
    set last {}
    set text {}
    foreach part [split $parts -] {
        set part [string map {_ -} $part]
        if {$part in {Key KeyPress}} continue
        if {[string length $part] == 1 && [string is upper $part] && "Shift" ni $text} {lappend text Shift}
        if {[string length $part] == 1} {set part [string toupper $part]}
        lappend text [expr {[dict exists $words $part] ? [dict get $words $part] : $part}]
    }
    join $text +
}

proc ::tactus::player::actions::accelerator {name} {
    set sequence [lindex [keys $name] 0]
    if {$sequence eq {}} return
    keyText $sequence
}

# All keys of an action, for the sheet.
proc ::tactus::player::actions::keysText {name} {
    join [lmap sequence [keys $name] {keyText $sequence}] ", "
}

# ---- menus -----------------------------------------------------------------------------------------------------------

# Makes the menu bar of a window: each menu is filled when it is posted, so that it always shows the present state. A
# window shows a clone of the type menubar; this menu is not of that type, or Tk would find it, too, by Alt and a
# letter, and by F10.
proc ::tactus::player::actions::menuBar {path window} {
    variable menus
    # Tk's room between the names is a number of pixels; this one follows the scale.
    menu $path -tearoff 0 -borderwidth 0 -activeborderwidth [expr {[::tactus::player::px 4] - 3}]
    foreach name $menus {
        set sub [menu $path.[string tolower $name] -tearoff 0]
        $sub configure -postcommand [list ::tactus::player::actions::fill $sub [list $name] $window]
        $path add cascade -label $name -underline 0 -menu $sub
    }
    return $path
}

# The actions and submenus of a menu: list of {order kind name}, kind action or menu.
proc ::tactus::player::actions::entries {menuPath} {
    variable rows
    set depth [llength $menuPath]
    set entries {}
    set seen {}
    dict for {name row} $rows {
        set place [dict get $row menu]
        if {[lrange $place 0 $depth-1] ne $menuPath || [dict get $row kind] ne "key"} continue
        if {[llength $place] == $depth} {
            lappend entries [list [dict get $row order] action $name]
        } elseif {[lindex $place $depth] ni $seen} {
            lappend seen [lindex $place $depth]
            lappend entries [list [dict get $row order] menu [lindex $place $depth]]
        }
    }
    lsort -integer -index 0 $entries
}

proc ::tactus::player::actions::fill {menu menuPath window} {
    $menu delete 0 end
    foreach child [winfo children $menu] {destroy $child}
    ::tactus::player::theme adopt $menu
    set view [expr {[::tactus::player::alive $window] ? [$window view] : {}}]
    foreach entry [entries $menuPath] {
        lassign $entry - kind name
        if {$kind eq "menu"} {
            addSubmenu $menu [list {*}$menuPath $name] $window
        } else {
            addEntry $menu $name $view
        }
    }
    if {$menuPath eq {Plugins} && [$menu index end] eq "none"} {
        $menu add command -label "No plugin has a menu" -state disabled
    }
}

proc ::tactus::player::actions::addSubmenu {menu menuPath window} {
    set name [lindex $menuPath end]
    if {$menuPath eq {File Recent}} {$menu add separator}
    set sub [menu $menu.sub[llength [winfo children $menu]] -tearoff 0]
    ::tactus::player::theme adopt $sub
    if {$menuPath eq {File Recent}} {
        $sub configure -postcommand [list ::tactus::player::commands::fillRecent $sub $window]
    } else {
        $sub configure -postcommand [list ::tactus::player::actions::fill $sub $menuPath $window]
    }
    $menu add cascade -label $name -menu $sub
}

proc ::tactus::player::actions::addEntry {menu name view} {
    if {[get $name separator] && [$menu index end] ne "none" && [$menu type end] ne "separator"} {$menu add separator}
    set state [expr {[isEnabled $name $view] ? "normal" : "disabled"}]
    set options [list -label [get $name label] -accelerator [accelerator $name] -state $state \
        -command [list ::tactus::player::actions::run $name $view]]
    if {[get $name check] eq {} && [get $name checked] eq {}} {
        $menu add command {*}$options
        return
    }
    # Shows the tick as it is now; the action toggles it.
    set variable ::tactus::player::actions::ticks($menu,$name)
    set $variable [isChecked $name $view]
    $menu add checkbutton {*}$options -variable $variable
}
