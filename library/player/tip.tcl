# player/tip.tcl -- tooltips: a small window with a text beside the pointer, one in a program at a time.
#
#   tip::add WIDGET PREFIX    a tooltip with the text that `PREFIX x y` returns; {}: none

::tactus::need player/look

namespace eval ::tactus::player::tip {
    namespace path ::tactus::player
    variable timer {}   ;# id of the timer that will show a tooltip
    variable shown {}   ;# text of the tooltip that is shown
}

# Adds a tooltip. The prefix is called with the pointer's coordinates in the widget; {} shows nothing.
proc ::tactus::player::tip::add {widget prefix} {
    bind $widget <Motion> +[list ::tactus::player::tip::motion $widget $prefix %x %y %X %Y]
    foreach event {<Leave> <ButtonPress> <MouseWheel> <KeyPress> <Destroy>} {
        bind $widget $event +[list ::tactus::player::tip::hide]
    }
}

proc ::tactus::player::tip::motion {widget prefix x y rootX rootY} {
    variable timer
    variable shown
    set text [{*}$prefix $x $y]
    if {$text eq $shown && $text ne {} && [winfo exists .tactusTip]} return
    hide
    if {$text eq {}} return
    set timer [after 450 [list ::tactus::player::tip::show $widget $text $rootX $rootY]]
}

proc ::tactus::player::tip::hide {} {
    variable timer
    variable shown {}
    after cancel $timer
    if {[winfo exists .tactusTip]} {destroy .tactusTip}
}

proc ::tactus::player::tip::show {widget text rootX rootY} {
    variable shown
    if {![winfo exists $widget]} return
    set shown $text
    set tip [toplevel .tactusTip -class Tooltip -background [look::color line] -padx 1 -pady 1]
    wm overrideredirect $tip 1
    wm withdraw $tip
    catch {wm attributes $tip -type tooltip}
    pack [label $tip.text -justify left -anchor w -text $text -font TkTooltipFont -wraplength [look::points 320] \
        -background [look::color field] -foreground [look::color foreground] -borderwidth 0 -padx [look::points 3] \
            -pady [look::points 2]]
    set width [winfo reqwidth $tip.text]
    set height [winfo reqheight $tip.text]
    set x [expr {max(0, min($rootX + [look::points 6], [winfo screenwidth $tip] - $width - 4))}]
    set y [expr {$rootY + [look::points 14]}]
    if {$y + $height > [winfo screenheight $tip]} {set y [expr {max(0, $rootY - $height - [look::points 6])}]}
    wm geometry $tip +$x+$y
    wm deiconify $tip
    raise $tip
}
