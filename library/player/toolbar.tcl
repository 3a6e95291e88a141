# player/toolbar.tcl -- the bar of buttons under the menu: the actions that are used most, as pictures.
#
#   toolbar::make PATH WINDOW     the bar of a window; a button runs its action on the view in front
#
# All buttons are one drawing (tactus::drawing), in the colours of the theme and sharp at any scale. A tooltip names the
# action and its keys.

::tactus::need player/actions player/tip player/theme

namespace eval ::tactus::player::toolbar {
    namespace path ::tactus::player
    variable wide 22        ;# points of a button, and of the bar's height
    variable gap 7          ;# points between groups of buttons
    variable buttons {
        open reload | zoomIn zoomOut fit everything | undo redo | search runChecks nextFinding | exportFigure
    }
    # Strokes of the pictures on a grid of 16 by 16 from the upper left corner, each a list of places; o: a circle of x,
    # y and diameter.
    variable pictures {
        open        {{1.5 13 1.5 3.5 6 3.5 7.5 5.5 13 5.5 13 7.5} {1.5 13 4 7.5 15 7.5 12.5 13 1.5 13}}
        reload      {{12.9 4.6 11.2 3 8 2.5 4.8 3.7 3 6.5 3 9.5 4.8 12.3 8 13.5 11.2 12.3 13 9.5}
            {13.5 1.5 13.2 5 9.8 4.9}}
        zoomIn      {{o 6.5 6.5 10} {10.2 10.2 14.5 14.5} {4 6.5 9 6.5} {6.5 4 6.5 9}}
        zoomOut     {{o 6.5 6.5 10} {10.2 10.2 14.5 14.5} {4 6.5 9 6.5}}
        fit         {{1.5 3 1.5 13} {14.5 3 14.5 13} {3.5 8 12.5 8} {6 5.5 3.5 8 6 10.5} {10 5.5 12.5 8 10 10.5}}
        everything  {{1.5 5.5 1.5 1.5 5.5 1.5} {10.5 1.5 14.5 1.5 14.5 5.5} {14.5 10.5 14.5 14.5 10.5 14.5}
            {5.5 14.5 1.5 14.5 1.5 10.5} {5 8 11 8} {8 5 8 11}}
        undo        {{6 3 2.5 6.5 6 10} {2.5 6.5 10 6.5 12.6 7.6 13.7 10 12.6 12.4 10 13.5 6.5 13.5}}
        redo        {{10 3 13.5 6.5 10 10} {13.5 6.5 6 6.5 3.4 7.6 2.3 10 3.4 12.4 6 13.5 9.5 13.5}}
        search      {{o 6.5 6.5 10} {10.2 10.2 14.5 14.5}}
        runChecks   {{1.5 1.5 14.5 1.5 14.5 14.5 1.5 14.5 1.5 1.5} {4 8.2 7 11.2 12 4.8}}
        nextFinding {{3 14.5 3 1.5 11 4.5 3 7.5} {8 12 14 12} {11.5 9.5 14 12 11.5 14.5}}
        exportFigure {{4.5 6.5 2.5 6.5 2.5 14.5 13.5 14.5 13.5 6.5 11.5 6.5} {8 10.5 8 1.5} {5 4.5 8 1.5 11 4.5}}
    }
    variable hot {}         ;# bar -> the button under the pointer
}

proc ::tactus::player::toolbar::make {path window} {
    variable wide
    set drawing [::tactus::drawing -height $wide]
    ::tactus::picture $path -drawing $drawing -width 1 -height ${wide}p -takefocus 0
    bind $path <Destroy> [list $drawing destroy]
    bind $path <Configure> [list ::tactus::player::toolbar::draw $path $window]
    bind $path <Motion> +[list ::tactus::player::toolbar::point $path $window %x]
    bind $path <Leave> +[list ::tactus::player::toolbar::point $path $window -1]
    bind $path <ButtonRelease-1> +[list ::tactus::player::toolbar::press $path $window %x]
    tip::add $path [list ::tactus::player::toolbar::explain $path]
    foreach event {TraceOpened TraceClosed ThemeChanged TabChanged FindingsChanged} {
        ::tactus::player::listen $event [list ::tactus::player::toolbar::changed $path $window] $path
    }
    return $path
}

# Draws at idle time, when what has changed can be seen.
proc ::tactus::player::toolbar::changed {path window args} {
    after cancel [list ::tactus::player::toolbar::draw $path $window]
    after idle [list ::tactus::player::toolbar::draw $path $window]
}

# Buttons from left to right: name and left edge, points.
proc ::tactus::player::toolbar::places {} {
    variable buttons
    variable wide
    variable gap
    set x 3
    set places {}
    foreach name $buttons {
        if {$name eq "|"} {
            set x [expr {$x + $gap}]
        } elseif {$name in [actions::names]} {
            lappend places $name $x
            set x [expr {$x + $wide}]
        }
    }
    return $places
}

# The button at a pixel; {}: none.
proc ::tactus::player::toolbar::at {path x} {
    variable wide
    set point [lindex [$path points $x 1] 0]
    foreach {name left} [places] {
        if {$x >= 0 && $point >= $left && $point < $left + $wide} {return $name}
    }
    return
}

proc ::tactus::player::toolbar::point {path window x} {
    variable hot
    set name [at $path $x]
    if {[dict exists $hot $path] && [dict get $hot $path] eq $name} return
    dict set hot $path $name
    draw $path $window
}

proc ::tactus::player::toolbar::explain {path x y} {
    set name [at $path $x]
    if {$name eq {}} return
    set keys [actions::accelerator $name]
    string cat [actions::get $name label] [expr {$keys eq {} ? {} : " ($keys)"}] \n [actions::get $name help]
}

proc ::tactus::player::toolbar::press {path window x} {
    set name [at $path $x]
    if {$name ne {} && [alive [$window view]]} {actions::run $name [$window view]}
}

proc ::tactus::player::toolbar::draw {path window} {
    variable hot
    variable wide
    variable pictures
    if {![winfo exists $path] || ![info object isa object $window]} return
    set drawing [$path cget -drawing]
    $drawing clear
    $drawing configure -background [theme color background] -width [expr {max(1, [lindex [$path size] 0])}]
    foreach {name left} [places] {
        set enabled [actions::isEnabled $name [$window view]]
        if {$enabled && [dict exists $hot $path] && [dict get $hot $path] eq $name} {
            $drawing rectangles [list [expr {$left + 1}] 1 [expr {$wide - 2}] [expr {$wide - 2}]] \
                -fill [theme color hover] -layer back
        }
        strokes $drawing [dict get $pictures $name] [expr {$left + ($wide - 13) / 2.0}] [expr {($wide - 13) / 2.0}] \
            [theme color [expr {$enabled ? "foreground" : "disabled"}]]
    }
}

# Draws the strokes of a picture of 13 points from a corner on.
proc ::tactus::player::toolbar::strokes {drawing strokes left top ink} {
    set unit [expr {13 / 16.0}]
    foreach stroke $strokes {
        if {[lindex $stroke 0] eq "o"} {
            lassign $stroke - x y size
            $drawing marks [list [expr {$left + $x * $unit}] [expr {$top + $y * $unit}]] -shape circle \
                -size [expr {$size * $unit}] -ink $ink -outline $ink -width 1
            continue
        }
        set points {}
        foreach {x y} $stroke {lappend points [expr {$left + $x * $unit}] [expr {$top + $y * $unit}]}
        $drawing line $points -ink $ink -width 1
    }
}
