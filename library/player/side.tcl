# player/side.tcl -- class Side: one side of a view, a notebook of panels with a button that closes it.
#
# A panel is made when it is first shown. Where the tabs are too wide for their room, they lose their margins; then the
# last ones are left out, and a menu has them.

::tactus::need player/later player/text player/tip

oo::class create ::tactus::player::Side {
    mixin ::tactus::player::Later
    variable View Path Side     ;# Side: bottom or right
    variable Names Made         ;# frame -> name of its panel; names of the panels that were made

    # hide: the command of the button.
    constructor {view side path hide} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $view $side $path {} {}] View Side Path Names Made
        ttk::notebook $path
        bind $path <<NotebookTabChanged>> [namespace code {my later FitTabs}]
        bind $path <Configure> [namespace code {my later FitTabs}]
        tip::add $path [namespace code {my TabTip}]
        ttk::button $path.hide -style Toolbutton -takefocus 0 -text \u00d7 -command $hide
        place $path.hide -relx 1.0 -x -[px 2] -y [px 1] -anchor ne -height [px 20] -width [px 22]
        ttk::button $path.more -style Toolbutton -takefocus 0 -text \u25be -command [namespace code {my ChoosePanel}]
        my add
    }

    method path {} {return $Path}

    # ---- panels ------------------------------------------------------------------------------------------------------

    # Adds tabs for all panels that are registered; those of plugins come later.
    method add {} {
        foreach row [panelRows $Side] {
            lassign $row name panel
            set frame [my FrameOf $name]
            if {[winfo exists $frame]} continue
            dict set Names $frame $name
            ttk::frame $frame -padding 0
            $Path add $frame -text [text::visible [dict get $panel title] 60] -sticky nsew
        }
        raise $Path.hide
        my later FitTabs
    }

    # The path of a panel's frame, with the name's characters that a path may not have replaced.
    method FrameOf {name} {
        return $Path.p[regsub -all {[^A-Za-z0-9_]} $name _]
    }

    # The frame of a panel; {}: it is not on this side.
    method frame {name} {
        set frame [my FrameOf $name]
        expr {[winfo exists $frame] ? $frame : {}}
    }

    # Removes a panel's tab with the panel.
    method drop {name} {
        set Made [lsearch -all -inline -exact -not $Made $name]
        dict unset Names [my FrameOf $name]
        destroy [my FrameOf $name]
        my later FitTabs
    }

    method bring {name} {$Path select [my FrameOf $name]}

    # Name and frame of the panel in front; {}: there is none.
    method front {} {
        set frame [$Path select]
        if {$frame ne {}} {list [dict get $Names $frame] $frame}
    }

    # Makes the panel in front, if it has not been made yet.
    method make {} {
        lassign [my front] name frame
        if {$name in [list {} {*}$Made]} return
        lappend Made $name
        variable ::tactus::player::panels
        set row [dict get $panels $name]
        try {
            uplevel #0 [list {*}[dict get $row create] $frame $View]
        } on error {message options} {
            if {![winfo exists $frame]} return
            backgroundError "the panel \"[dict get $row title]\" cannot be shown: $message" $options
            forget $frame
            foreach child [winfo children $frame] {destroy $child}
            pack [ttk::label $frame.failed -style Error.TLabel -padding [px 8] -anchor nw -wraplength [px 400] \
                -text [text::visible $message 500]] -fill both -expand 1
        }
    }

    # Pixels of the panel in front: the size of a notebook is set as that of a panel, without tabs and borders.
    method size {} {
        set frame [$Path select]
        expr {$frame eq {} ? 0 : [winfo [expr {$Side eq "right" ? "width" : "height"}] $frame]}
    }

    # ---- tabs --------------------------------------------------------------------------------------------------------

    method FitTabs {} {
        if {![winfo exists $Path] || ![winfo ismapped $Path]} return
        set room [expr {[winfo width $Path] - [px 30]}]
        set wide [my TabWidths TkDefaultFont 22]
        set narrow [my TabWidths TactusSmall 14]
        set style [expr {[tcl::mathop::+ {*}[dict values $wide]] > $room ? "Narrow.TNotebook" : "TNotebook"}]
        if {[$Path cget -style] ne $style} {$Path configure -style $style}
        if {[tcl::mathop::+ {*}[dict values $narrow]] > $room} {
            place $Path.more -relx 1.0 -x -[px 25] -y [px 1] -anchor ne -height [px 20] -width [px 22]
            raise $Path.more
            my ShowTabs $narrow [expr {$room - [px 26]}]
        } else {
            place forget $Path.more
            my ShowTabs $narrow [expr {1 << 30}]
        }
    }

    method TabWidths {font margin} {
        set widths {}
        foreach tab [$Path tabs] {
            dict set widths $tab [expr {[font measure $font [$Path tab $tab -text]] + [px $margin]}]
        }
        return $widths
    }

    # Shows the chosen tab, and the others in their order while there is room.
    method ShowTabs {widths room} {
        set chosen [$Path select]
        if {$chosen ne {}} {incr room -[dict get $widths $chosen]}
        dict for {tab width} $widths {
            if {$tab eq $chosen} continue
            incr room -$width
            set state [expr {$room >= 0 ? "normal" : "hidden"}]
            if {[$Path tab $tab -state] ne $state} {$Path tab $tab -state $state}
        }
    }

    # Posts a menu of all panels, also of those without a tab.
    method ChoosePanel {} {
        set menu $Path.menu
        destroy $menu
        ::menu $menu -tearoff 0
        theme adopt $menu
        foreach tab [$Path tabs] {
            $menu add command -label [$Path tab $tab -text] -command [list $View showPanel [dict get $Names $tab]]
        }
        tk_popup $menu [winfo rootx $Path.more] [expr {[winfo rooty $Path.more] + [winfo height $Path.more]}]
    }

    # The full name of the tab under the pointer, where names are cut.
    method TabTip {x y} {
        if {[$Path cget -style] ne "Narrow.TNotebook" || [catch {$Path index @$x,$y} index] || $index eq {}} return
        $Path tab $index -text
    }
}
