# player/tip.tcl -- tooltips: a small window with a text beside the thing at the pointer, one in a program at a time.
#
#   tip::add WIDGET PREFIX ?BOX?   a tooltip with the text that `PREFIX x y` returns; {}: none. `BOX x y` returns x, y,
#                                  width and height of what is named, in the widget, which the tooltip leaves free
#   tip::hide                      no tooltip any more; the next motion may bring one
#
# It comes when the pointer has rested for `delay`, and goes when the pointer leaves or presses a button, when a wheel
# turns, a key is pressed anywhere in the program, or the focus goes. While a button is held there is none.

::tactus::need player/look player/text

namespace eval ::tactus::player::tip {
    namespace path ::tactus::player
    variable delay 200  ;# milliseconds: of the 300 within which it is to be seen
    variable timer {}   ;# id of the timer that will show a tooltip
    variable shown {}   ;# text of the tooltip that is shown
    variable focus {}   ;# widget with the focus while a tooltip is shown
    bind TactusTip <KeyPress> ::tactus::player::tip::hide
    bind TactusTip <FocusOut> ::tactus::player::tip::hide
}

proc ::tactus::player::tip::add {widget prefix {box {}}} {
    bind $widget <Motion> +[list ::tactus::player::tip::motion $widget $prefix $box %x %y %X %Y %s]
    foreach event {<Leave> <ButtonPress> <MouseWheel> <KeyPress> <Unmap> <Destroy>} {
        bind $widget $event +[list ::tactus::player::tip::hide]
    }
}

proc ::tactus::player::tip::motion {widget prefix box x y rootX rootY state} {
    variable timer
    variable delay
    variable shown
    # Buttons 1 to 5 are bits 8 to 12.
    if {$state & 0x1f00} {return [hide]}
    set text [{*}$prefix $x $y]
    if {$text eq $shown && $text ne {} && [winfo exists .tactusTip]} return
    hide
    if {$text eq {}} return
    set area {}
    if {$box ne {}} {set area [{*}$box $x $y]}
    if {[llength $area] == 4} {
        lset area 0 [expr {[lindex $area 0] + $rootX - $x}]
        lset area 1 [expr {[lindex $area 1] + $rootY - $y}]
    }
    set timer [after $delay [list ::tactus::player::tip::show $widget $text $rootX $rootY $area]]
}

proc ::tactus::player::tip::hide {} {
    variable timer
    variable focus
    variable shown {}
    after cancel $timer
    if {[winfo exists .tactusTip]} {destroy .tactusTip}
    if {$focus ne {} && [winfo exists $focus]} {
        bindtags $focus [lsearch -all -inline -exact -not [bindtags $focus] TactusTip]
    }
    set focus {}
}

# Shows a text near a place of the screen, clear of the area {x y width height}.
proc ::tactus::player::tip::show {widget text rootX rootY {area {}}} {
    variable shown
    variable focus
    if {![winfo exists $widget]} return
    set shown $text
    set tip [toplevel .tactusTip -class Tooltip -background [look::color line] -padx 1 -pady 1]
    wm overrideredirect $tip 1
    wm withdraw $tip
    catch {wm attributes $tip -type tooltip}
    pack [label $tip.text -justify left -anchor w -text [text::glued $text] -font TkTooltipFont \
        -wraplength [look::points 380] -background [look::color field] -foreground [look::color foreground] \
        -borderwidth 0 -padx [look::points 4] -pady [look::points 2.5]]
    set width [expr {[winfo reqwidth $tip.text] + 2}]
    set height [expr {[winfo reqheight $tip.text] + 2}]
    lassign [place $rootX $rootY $area $width $height [winfo screenwidth $tip] [winfo screenheight $tip]] x y
    wm geometry $tip +$x+$y
    wm deiconify $tip
    raise $tip
    set focus [::focus]
    if {$focus ne {} && "TactusTip" ni [bindtags $focus]} {bindtags $focus [linsert [bindtags $focus] 0 TactusTip]}
}

# The place {x y} of a tooltip of this size: below the area, else above it, else beside it; always on the screen.
proc ::tactus::player::tip::place {rootX rootY area width height screenWidth screenHeight} {
    set gap [look::points 4]
    if {[llength $area] != 4} {set area [list $rootX $rootY 1 [look::points 10]]}
    lassign $area left top wide high
    # The pointer itself is left free, too.
    set above [expr {min($top, $rootY - $gap) - $gap - $height}]
    set below [expr {max($top + $high, $rootY + [look::points 10]) + $gap}]
    set x [expr {max(0, min($rootX + [look::points 6], $screenWidth - $width))}]
    if {$below + $height <= $screenHeight} {return [list $x $below]}
    if {$above >= 0} {return [list $x $above]}
    set y [expr {max(0, min($rootY, $screenHeight - $height))}]
    if {$left + $wide + $gap + $width <= $screenWidth} {return [list [expr {$left + $wide + $gap}] $y]}
    list [expr {max(0, $left - $gap - $width)}] $y
}
