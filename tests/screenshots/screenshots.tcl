# screenshots.tcl -- pictures of README's tour into doc/pictures (make screenshots): runs the steps of tour.tcl in the
# real window on an Xvfb of its own and takes a picture where a step has a name for one.
#
# Environment: TACTUS_BUILD; TACTUS_PICTURES, another directory. Needs Xvfb and ImageMagick (import, convert). The
# pictures have at most 64 colours and no dates, so that they are small and the same as long as the window looks the
# same.

foreach tool {Xvfb import convert} {
    if {[auto_execok $tool] ne {}} continue
    puts stderr "screenshots: $tool is needed (apt-get install xvfb imagemagick)"
    exit 2
}
# Whatever display there is has other fonts, a window manager and a user.
unset -nocomplain ::env(DISPLAY)
set ::env(HOME) /tmp/tactus-screenshots-[pid]
file mkdir $::env(HOME)
set here [file dirname [file normalize [info script]]]
source -encoding utf-8 [file join $here .. helpers.tcl]
source -encoding utf-8 [file join $here .. playerHelpers.tcl]
source -encoding utf-8 [file join $here tour.tcl]

namespace eval ::screenshots {
    variable directory [file normalize \
        [expr {[info exists ::env(TACTUS_PICTURES)] ? $::env(TACTUS_PICTURES) : [file join [root] doc pictures]}]]
    variable failed 0
}

# The window, or the dialog that stands over it, cut out of the screen.
proc ::screenshots::picture {name} {
    variable directory
    set top [$::view window]
    foreach {object command} {dialog top console top} {
        if {[info exists ::$object] && [info object isa object [set ::$object]]} {set top [[set ::$object] $command]}
    }
    raise $top
    ::tour::settle
    set path [file join $directory $name.png]
    # With its menu bar, which Tk puts above the toplevel's own area.
    set frame 0
    foreach child [winfo children $top] {
        if {[winfo class $child] eq "Menu" && [winfo viewable $child] && [winfo rooty $child] < [winfo rooty $top]} {
            set frame [winfo height $child]
        }
    }
    set area [winfo width $top]x[expr {[winfo height $top] + $frame}]+[winfo rootx \
        $top]+[expr {[winfo rooty $top] - $frame}]
    exec import -silent -window root -crop $area +repage png:- | convert png:- -strip +dither -colors 64 \
        -define png:exclude-chunks=date,time -define png:compression-level=9 PNG8:$path
    puts "$path [file size $path]"
}

proc ::screenshots::main {} {
    variable directory
    variable failed
    if {![testConstraint tk]} {exit 2}
    file mkdir $directory
    set ::tour::events 1000000
    # A blinking cursor would be there or not.
    option add *insertOffTime 0
    foreach step [::tour::steps] {
        uplevel #0 [dict get $step do]
        if {![uplevel #0 [list expr [dict get $step holds]]]} {
            puts stderr "screenshots: not so: [dict get $step name]: [dict get $step says]"
            incr failed
        }
        if {[dict get $step picture] ne {}} {picture [dict get $step picture]}
    }
    endWindow
    file delete -force $::env(HOME)
    exit [expr {$failed > 0}]
}

::screenshots::main
