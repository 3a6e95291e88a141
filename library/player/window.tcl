# player/window.tcl -- class Window: a toplevel with its menu bar, and a tab for each trace.
#
#   Window new GEOMETRY      a new one, with an empty view
#   Window all, current      all there are; the one that had the focus last
#   $window view, views      the view in front; all
#   $window viewFor FILE     a view to open a file in: the empty one, else a new tab
#   $window closeView V      closes a tab; the last one leaves the window empty, and then `close` ends it
#
# With one trace the tabs are not shown. The last window ends the program.

::tactus::need player/actions player/icon player/drop player/toolbar

oo::class create ::tactus::player::Window {
    variable Top Tabs Views NextView Closing

    # Makes the toplevel with an empty view; the geometry is the user's, or {}.
    constructor {geometry} {
        namespace path [list {*}[namespace path] ::tactus::player]
        variable ::tactus::player::nWindows
        set Top .w[incr nWindows]
        set Views {}
        set NextView 0
        set Closing 0
        toplevel $Top -class Tactus -background [theme color background]
        wm withdraw $Top
        wm title $Top Tactus
        wm iconname $Top Tactus
        wm protocol $Top WM_DELETE_WINDOW [namespace code {my close}]
        wm minsize $Top 1 1
        actions::menuBar $Top.menu [self]
        $Top configure -menu $Top.menu
        my toolbar [prefFlag toolbar 1]
        set Tabs [ttk::notebook $Top.tabs -style Single.TNotebook -takefocus 0]
        pack $Tabs -fill both -expand 1
        my BindAll
        my SetGeometry $geometry
        ::tactus::player::Window remember [self]
        my NewView
        wm deiconify $Top
        wm iconphoto $Top [icon::picture]
        # Looking for a package takes time, so it is done after the window is shown.
        after 1500 [list ::tactus::player::drop::take $Top]
    }

    destructor {
        set Closing 1
        foreach view $Views {my DropView $view}
        ::tactus::player::Window drop [self]
        # The binding of <Destroy> would call this again.
        if {[winfo exists $Top]} {
            bind $Top <Destroy> {}
            destroy $Top
        }
    }

    # Shows the bar of buttons, or takes it away; without an argument: is it shown?
    method toolbar {{shown {}}} {
        if {$shown eq {}} {return [winfo exists $Top.toolbar]}
        destroy $Top.toolbar
        if {!$shown} return
        toolbar::make $Top.toolbar [self]
        pack $Top.toolbar -side top -fill x {*}[expr {[winfo exists $Top.tabs] ? [list -before $Top.tabs] : {}}]
    }

    method top {} {return $Top}
    method views {} {return $Views}

    method view {} {
        if {![winfo exists $Tabs]} return
        set frame [$Tabs select]
        foreach view $Views {
            if {[$view top] eq $frame} {return $view}
        }
        return [lindex $Views end]
    }

    method BindAll {} {
        keys::bindKeys $Top
        keys::bindMouse
        keys::bindButtons
        bind $Tabs <<NotebookTabChanged>> [namespace code {my TabChanged}]
        bind $Tabs <Button-1> [namespace code {my TabPressed %x %y}]
        bind $Tabs <ButtonRelease-1> [namespace code {my TabReleased %x %y}]
        bind $Tabs <Button-2> [namespace code {my TabClosed %x %y}]
        tip::add $Tabs [namespace code {my TabTip}]
        bind $Top <FocusIn> +[list ::tactus::player::Window focus [self]]
        bind $Top <Destroy> [namespace code {my ToplevelGone %W}]
    }

    method ToplevelGone {widget} {
        if {$widget eq $Top && !$Closing} {my destroy}
    }

    # Sets the geometry: the given one, or as the window was left, but not larger than the screen or out of sight.
    method SetGeometry {geometry} {
        if {$geometry eq {}} {set geometry [lindex [session::windowState geometry] 0]}
        if {![regexp {^(\d{2,5})x(\d{2,5})(.*)$} $geometry -> width height place]} {
            set width [expr {min([px 1180], [winfo screenwidth .] * 9 / 10)}]
            set height [expr {min([px 760], [winfo screenheight .] * 8 / 10)}]
            set place {}
        }
        set width [expr {min($width, [winfo screenwidth .])}]
        set height [expr {min($height, [winfo screenheight .])}]
        if {![regexp {^([-+]-?\d{1,5}){2}$} $place]} {set place {}}
        wm geometry $Top ${width}x$height$place
    }

    # ---- tabs --------------------------------------------------------------------------------------------------------

    method NewView {} {
        set frame [ttk::frame $Tabs.v[incr NextView]]
        set view [View new [self] $frame]
        lappend Views $view
        $Tabs add $frame -text Tactus -sticky nsew
        $Tabs select $frame
        my ShowTabs
        opening::welcome $view
        return $view
    }

    method viewFor {file} {
        set view [my view]
        if {![alive $view] || [$view state] ne "empty"} {set view [my NewView]}
        return $view
    }

    method ShowTabs {} {
        $Tabs configure -style [expr {[llength $Views] > 1 ? "Traces.TNotebook" : "Single.TNotebook"}]
    }

    method select {view} {
        if {$view in $Views} {$Tabs select [$view top]}
    }

    method closeView {view} {
        if {$view ni $Views} return
        session::leave $view
        if {[llength $Views] == 1 && [$view state] ne "empty"} {my NewView}
        my DropView $view
        if {![llength $Views]} {
            my destroy
            return
        }
        my ShowTabs
    }

    method DropView {view} {
        set Views [lsearch -all -inline -exact -not $Views $view]
        if {![alive $view]} return
        set frame [$view top]
        opening::cancel $view
        $view destroy
        if {[winfo exists $frame]} {destroy $frame}
    }

    # Closes the window with its views, and saves their sessions.
    method close {} {
        if {$Closing} return
        my keep
        my destroy
    }

    # Saves the sessions of the traces, and the state of the window.
    method keep {} {
        foreach view $Views {session::leave $view}
        session::leaveWindow [self]
    }

    method titleChanged {view} {
        if {![winfo exists $Top]} return
        set title [text::visible [$view title] 60]
        $Tabs tab [$view top] -text "$title  "
        if {$view eq [my view]} {
            # A plain hyphen: some window managers read titles as Latin-1.
            wm title $Top [expr {[$view file] eq {} ? "Tactus" : "$title - Tactus"}]
        }
    }

    method TabChanged {} {
        set view [my view]
        if {$view eq {} || $Closing} return
        my titleChanged $view
        if {[$view trace] ne {}} {my focusOn $view}
        tell TabChanged $view
    }

    # Gives the focus to the timeline in front, unless a dialog has it.
    method focusOn {view} {
        set focus [focus]
        if {$view eq [my view] && ($focus eq {} || [winfo toplevel $focus] eq $Top)} {focus [$view timeline]}
    }

    method ViewAt {x y} {
        if {[catch {$Tabs index @$x,$y} index] || $index eq {}} return
        lindex $Views [lsearch -exact [lmap view $Views {$view top}] [lindex [$Tabs tabs] $index]]
    }

    # The tooltip of a tab: the whole name and path of the file.
    method TabTip {x y} {
        if {[llength $Views] < 2 || ![string match *label [$Tabs identify element $x $y]]} return
        set view [my ViewAt $x $y]
        if {$view ne {}} {text::source [$view file] 500}
    }

    method OnCross {x y} {
        expr {[llength $Views] > 1 && [string match *close [$Tabs identify element $x $y]]}
    }

    # A press on the cross of a tab, which is closed when the button is released there.
    method TabPressed {x y} {
        if {![my OnCross $x $y]} return
        $Tabs state pressed
        return -code break
    }

    method TabReleased {x y} {
        if {![$Tabs instate pressed]} return
        $Tabs state !pressed
        if {[my OnCross $x $y]} {my TabClosed $x $y}
        return -code break
    }

    method TabClosed {x y} {
        set view [my ViewAt $x $y]
        if {$view ne {} && [llength $Views] > 1} {my closeView $view}
    }

    method nextTab {step} {
        set tabs [$Tabs tabs]
        $Tabs select [lindex $tabs [expr {([$Tabs index current] + $step) % [llength $tabs]}]]
    }
}

namespace eval ::tactus::player {
    variable nWindows 0
    variable windows {}         ;# all, that with the focus last at the end
}

oo::objdefine ::tactus::player::Window {
    method all {} {
        return $::tactus::player::windows
    }
    method current {} {
        return [lindex $::tactus::player::windows end]
    }
    method remember {window} {
        lappend ::tactus::player::windows $window
    }
    method focus {window} {
        if {$window eq [lindex $::tactus::player::windows end] || $window ni $::tactus::player::windows} return
        my drop $window 0
        lappend ::tactus::player::windows $window
    }
    method drop {window {gone 1}} {
        set ::tactus::player::windows [lsearch -all -inline -exact -not $::tactus::player::windows $window]
        if {$gone && ![llength $::tactus::player::windows]} {::tactus::player::leave}
    }
}
