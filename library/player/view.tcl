# player/view.tcl -- a View: one trace in one tab, and what stands around its timeline.
#
#       bars        what is to be said (errors of the trace, a file that changed), searching
#       +----------------------------------------+---------+
#       | overview: all of the trace             | right   |
#       | timeline                             | | panels: |
#       |______________________________________|_| details |
#       | panels under the timeline: events, ... |         |
#       +----------------------------------------+---------+
#       status line
#
# A view outlives its traces: it is there while one is opened, when that failed, and when the file is read anew. So `trace`
# may be {}, and all that shows it hears TraceOpened, TraceReloaded, TraceClosed. A panel is made when it is first shown,
# and the first ones not before the timeline has been drawn. What is too much for a small window goes and comes back by itself.
#
# Methods for other parts: see contract at each; times are exact decimals in time units.

namespace eval ::tactus::player {
    variable nViews 0
}

oo::class create ::tactus::player::View {
    variable Window Frame File Trace State Info
    variable Timeline Place Layers Pointer      ;# Place: time and row gone to or clicked last; Pointer: x y over the timeline
    variable Bars Made PanelNames Wanted Seen   ;# panels made; frame -> panel; sides wanted open; sides that are there
    variable Sizes Shares Before        ;# of the sides: pixels that the user wants; share of the window they may have; pixels before a sash is drawn
    variable Options Timers

    constructor {window frame} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Window $window
        set Frame $frame
        lassign {} File Trace Info Layers Made PanelNames Bars Options Timers Seen Sizes Shares Before
        set State empty
        set Place {time {} row {}}
        set Pointer {}
        set Wanted [dict create bottom 1 right 1]
        my Build
        my Hear
    }

    destructor {
        foreach timer [dict values $Timers] {after cancel $timer}
        set trace [my Closing]
        if {$trace ne {}} {catch {$trace close}}
    }

    # ---- what it is ------------------------------------------------------------------------------------------------------

    method trace {} {return $Trace}
    method timeline {} {return $Timeline}
    method file {} {return $File}
    method window {} {return [$Window top]}
    method owner {} {return $Window}
    method top {} {return $Frame}
    method info {} {return $Info}
    method state {args} {
        if {[llength $args]} {set State [lindex $args 0]}
        return $State
    }
    method setFile {file} {
        set File $file
        $Window titleChanged [self]
    }
    method title {} {
        if {$File eq {}} {return Tactus}
        if {$File eq "-"} {return "standard input"}
        return [file tail $File]
    }

    # Any value that belongs to the view, by name: of a panel, of a plugin.
    method option {name args} {
        if {[llength $args]} {dict set Options $name [lindex $args 0]}
        if {[dict exists $Options $name]} {return [dict get $Options $name]}
        return
    }

    # Calls a method at idle time (or after ms), once however often it is asked for.
    method later {method {ms idle}} {
        if {[dict exists $Timers $method]} return
        dict set Timers $method [after $ms [namespace code [list my RunLater $method]]]
    }
    method RunLater {method} {
        dict unset Timers $method
        if {[winfo exists $Frame]} {my $method}
    }

    # ---- building --------------------------------------------------------------------------------------------------------

    method Build {} {
        ttk::frame $Frame.bars
        ttk::panedwindow $Frame.h -orient horizontal
        ttk::panedwindow $Frame.h.v -orient vertical
        my BuildPlot [ttk::frame $Frame.h.v.plot]
        $Frame.h.v add $Frame.h.v.plot -weight 1
        $Frame.h add $Frame.h.v -weight 1
        foreach {side path} [list bottom $Frame.h.v.bottom right $Frame.h.right] {
            my BuildSide $side $path
            bind [winfo parent $path] <ButtonPress-1> [namespace code "set Before \[my Size $side\]"]
            bind [winfo parent $path] <ButtonRelease-1> [namespace code [list my Drawn $side]]
        }
        Status new [ttk::frame $Frame.status] [self]
        grid $Frame.h -row 2 -sticky nsew
        grid $Frame.status -row 3 -sticky ew
        grid rowconfigure $Frame 2 -weight 1
        grid columnconfigure $Frame 0 -weight 1
        bind $Frame.h <Configure> [namespace code {my later Fit}]
    }

    method BuildPlot {plot} {
        set Timeline $plot.t
        set snap [pref get snap 8]
        ::tactus::timeline $Timeline -theme [theme name] -width 200 -height 100 -highlightthickness 0 -takefocus 1 \
            -snap [expr {[string is integer -strict $snap] && $snap >= 0 ? [px $snap] : [px 8]}] \
            -xscrollcommand [list $plot.x set] -yscrollcommand [list $plot.y set]
        ttk::scrollbar $plot.x -orient horizontal -command [namespace code {my Scrolled xview}]
        ttk::scrollbar $plot.y -orient vertical -command [namespace code {my Scrolled yview}]
        Overview new [canvas $plot.overview -height [px 34] -width 100 -takefocus 0] [self]
        grid $plot.overview -row 0 -column 0 -columnspan 2 -sticky ew
        grid $Timeline -row 1 -column 0 -sticky nsew
        grid $plot.y -row 1 -column 1 -sticky ns
        grid $plot.x -row 2 -column 0 -sticky ew
        grid rowconfigure $plot 1 -weight 1
        grid columnconfigure $plot 0 -weight 1
        tip::add $Timeline [list ::tactus::player::rows::tipText [self]]
        keys::adopt $Timeline
        foreach event {TimeChanged SelectionChanged Zoomed RowsChanged} {
            bind $Timeline <<$event>> [namespace code [list my Told $event %d]]
        }
        bind $Timeline <<Clicked>> [list ::tactus::player::navigate::clicked [self] %x %y]
        bind $Timeline <<MenuWanted>> [list ::tactus::player::rows::menu [self] %x %y]
    }

    # A notebook of panels, with a button that puts it away.
    method BuildSide {side path} {
        set size [session::windowState $side]
        set size [expr {[string is double -strict [lindex $size 0]] ? max(60, min(4000, [lindex $size 0])) : $side eq "right" ? 300 : 210}]
        dict set Sizes $side [px $size]
        dict set Shares $side 0.4
        ttk::notebook $path
        bind $path <<NotebookTabChanged>> [namespace code {my later MakePanels; my later FitTabs}]
        bind $path <Map> [namespace code {my later MakePanels}]
        bind $path <Configure> [namespace code {my later FitTabs}]
        tip::add $path [namespace code [list my TabTip $path]]
        ttk::button $path.hide -style Toolbutton -takefocus 0 -text \u00d7 -command [namespace code [list my side $side 0]]
        place $path.hide -relx 1.0 -x -[px 2] -y [px 1] -anchor ne -height [px 20] -width [px 22]
        ttk::button $path.more -style Toolbutton -takefocus 0 -text \u25be -command [namespace code [list my ChoosePanel $path]]
        my AddPanels $side
    }

    method SidePath {side} {
        return $Frame.h.[dict get {bottom v.bottom right right} $side]
    }

    # Tabs of all panels that are registered; those of plugins come later.
    method AddPanels {side} {
        set path [my SidePath $side]
        foreach row [panelRows $side] {
            lassign $row name panel
            set frame $path.[my PanelPath $name]
            if {[winfo exists $frame]} continue
            dict set PanelNames $frame $name
            ttk::frame $frame -padding 0
            $path add $frame -text [text::visible [dict get $panel title] 60] -sticky nsew
        }
        raise $path.hide
        my later FitTabs
    }

    # Where the names of the tabs are too long for the room there is, their margins go; then those that find no room are in a menu.
    method FitTabs {} {
        foreach side {bottom right} {
            set path [my SidePath $side]
            if {[winfo ismapped $path]} {my FitTabsOf $path [expr {[winfo width $path] - [px 30]}]}
        }
    }

    method FitTabsOf {path room} {
        set wide [my TabWidths $path TkDefaultFont 22]
        set narrow [my TabWidths $path TactusSmall 14]
        set style [expr {[my Sum $wide] > $room ? "Narrow.TNotebook" : "TNotebook"}]
        if {[$path cget -style] ne $style} {$path configure -style $style}
        set crowded [expr {[my Sum $narrow] > $room}]
        if {$crowded} {
            place $path.more -relx 1.0 -x -[px 25] -y [px 1] -anchor ne -height [px 20] -width [px 22]
            raise $path.more
            incr room -[px 26]
        } else {
            place forget $path.more
        }
        my ShowTabs $path $narrow [expr {$crowded ? $room : 1 << 30}]
    }

    method TabWidths {path font margin} {
        set widths {}
        foreach tab [$path tabs] {dict set widths $tab [expr {[font measure $font [$path tab $tab -text]] + [px $margin]}]}
        return $widths
    }

    method Sum {widths} {
        tcl::mathop::+ {*}[dict values $widths]
    }

    # The chosen one is always there; the others come in their order while there is room.
    method ShowTabs {path widths room} {
        set chosen [$path select]
        if {$chosen ne {}} {incr room -[dict get $widths $chosen]}
        dict for {tab width} $widths {
            if {$tab eq $chosen} continue
            incr room -$width
            set state [expr {$room >= 0 ? "normal" : "hidden"}]
            if {[$path tab $tab -state] ne $state} {$path tab $tab -state $state}
        }
    }

    # All panels of a side, those whose tabs found no room too.
    method ChoosePanel {path} {
        set menu $path.menu
        destroy $menu
        ::menu $menu -tearoff 0
        theme adopt $menu
        foreach tab [$path tabs] {
            $menu add command -label [$path tab $tab -text] -command [namespace code [list my showPanel [dict get $PanelNames $tab]]]
        }
        tk_popup $menu [winfo rootx $path.more] [expr {[winfo rooty $path.more] + [winfo height $path.more]}]
    }

    # A very long name may be cut all the same.
    method TabTip {path x y} {
        if {[$path cget -style] ne "Narrow.TNotebook" || [catch {$path index @$x,$y} index] || $index eq {}} return
        $path tab $index -text
    }

    method addPanels {} {
        foreach side {bottom right} {my AddPanels $side}
        my later Fit
    }

    method Hear {} {
        listen FindingsChanged [namespace code {my FindingsChanged}] $Frame
        listen PreferencesChanged [namespace code {my PreferencesChanged}] $Frame
    }

    # ---- panels ----------------------------------------------------------------------------------------------------------

    # A name of a panel may have any characters; a window's may not.
    method PanelPath {name} {
        return p[regsub -all {[^A-Za-z0-9_]} $name _]
    }

    # The frame of a panel, {} when there is no such panel.
    method frame {name} {
        foreach side {bottom right} {
            set path [my SidePath $side].[my PanelPath $name]
            if {[winfo exists $path]} {return $path}
        }
        return
    }

    # Its tab goes, and what was made in it.
    method dropPanel {name} {
        set path [my frame $name]
        if {$path eq {}} return
        set Made [lsearch -all -inline -exact -not $Made $name]
        dict unset PanelNames $path
        destroy $path
        foreach method {MakePanels FitTabs Fit} {my later $method}
    }

    method showPanel {name} {
        set path [my frame $name]
        if {$path eq {}} return
        set side [expr {[winfo parent $path] eq [my SidePath right] ? "right" : "bottom"}]
        my side $side 1
        [winfo parent $path] select $path
        my MakePanels
    }

    method panelShown {name} {
        set path [my frame $name]
        expr {$path ne {} && [winfo ismapped $path]}
    }

    # Is the side there, or is it to be? force: also where the window is small.
    method side {side args} {
        if {[llength $args]} {
            dict set Wanted $side [expr {!![lindex $args 0]}]
            my Fit [expr {[lindex $args 0] ? $side : {}}]
        }
        expr {$side in $Seen}
    }

    # Shows the sides that are wanted and that there is room for.
    method Fit {{forced {}}} {
        if {![winfo ismapped $Frame.h]} return
        foreach {side size needed orient} [list \
            right [winfo width $Frame.h] [px 640] h \
            bottom [winfo height $Frame.h] [px 330] h.v] {
            set path [my SidePath $side]
            set fits [expr {$size >= $needed || $side eq $forced}]
            # The first panels wait for the first picture; a place for nothing is none.
            set wanted [expr {[dict get $Wanted $side] && $fits && [llength [$path tabs]] && $State eq "open"}]
            if {$wanted && $side ni $Seen} {
                $path configure [expr {$side eq "right" ? "-width" : "-height"}] [my Room $side $size]
                $Frame.$orient add $path -weight 0
                lappend Seen $side
            } elseif {$wanted} {
                my Adjust $side $orient [my Room $side $size]
            } elseif {$side in $Seen && !($forced eq {} && [my KeepsForced $side])} {
                $Frame.$orient forget $path
                set Seen [lsearch -all -inline -exact -not $Seen $side]
            }
        }
        if {$forced ne {}} {my option forced$forced [list [winfo width $Frame.h] [winfo height $Frame.h]]}
    }

    # A side that was asked for in a small window stays until the window's size changes.
    method KeepsForced {side} {
        expr {[dict get $Wanted $side] && $State eq "open" && [my option forced$side] eq [list [winfo width $Frame.h] [winfo height $Frame.h]]}
    }

    # The size a side is given: the timeline is what the window is for, unless the user has drawn it smaller.
    method Room {side total} {
        expr {min([dict get $Sizes $side], round($total * [dict get $Shares $side]))}
    }

    # In a window that becomes smaller a side does, too; with the room for it it gets again what is wanted. (By itself a pane that
    # came to nothing would not grow.)
    method Adjust {side orient room} {
        set more [expr {$room - [my Size $side]}]
        if {$more && [winfo ismapped [my SidePath $side]]} {$Frame.$orient sashpos 0 [expr {[$Frame.$orient sashpos 0] - $more}]}
    }

    # Of what is in front in a side: what is asked of a notebook is the size of a panel, without tabs and borders.
    method Size {side} {
        set panel [[my SidePath $side] select]
        expr {$panel eq {} ? 0 : [winfo [expr {$side eq "right" ? "width" : "height"}] $panel]}
    }

    # The sash was let go.
    method Drawn {side} {
        set size [expr {max(20, [my Size $side])}]
        if {$size == $Before} return
        dict set Sizes $side $size
        dict set Shares $side [expr {max(0.4, $size / double([winfo [expr {$side eq "right" ? "width" : "height"}] $Frame.h]))}]
    }

    method sideSize {side} {
        expr {[dict get $Sizes $side] / double([px 100]) * 100}
    }

    method MakePanels {} {
        foreach side {bottom right} {
            set path [my SidePath $side]
            if {$side ni $Seen || [$path select] eq {}} continue
            set name [dict get $PanelNames [$path select]]
            if {$name in $Made} continue
            lappend Made $name
            my MakePanel $name [$path select]
        }
    }

    method MakePanel {name frame} {
        variable ::tactus::player::panels
        set row [dict get $panels $name]
        try {
            uplevel #0 [list {*}[dict get $row create] $frame [self]]
        } on error {message options} {
            if {![winfo exists $frame]} return
            backgroundError "the panel \"[dict get $row title]\" cannot be shown: $message" $options
            forget $frame
            foreach child [winfo children $frame] {destroy $child}
            pack [ttk::label $frame.failed -style Error.TLabel -padding [px 8] -anchor nw -wraplength [px 400] \
                -text [text::visible $message 500]] -fill both -expand 1
        }
    }

    # Which panels stand in front, what is open: for the session.
    method panelState {} {
        set front {}
        foreach side {bottom right} {
            set path [my SidePath $side]
            if {[$path select] ne {}} {dict set front $side [dict get $PanelNames [$path select]]}
        }
        dict create wanted $Wanted front $front
    }

    method setPanelState {state} {
        foreach side {bottom right} {
            if {[dict exists $state wanted $side] && [string is boolean -strict [dict get $state wanted $side]]} {
                dict set Wanted $side [dict get $state wanted $side]
            }
            if {![dict exists $state front $side]} continue
            set path [my frame [dict get $state front $side]]
            if {$path ne {} && [winfo parent $path] eq [my SidePath $side]} {[my SidePath $side] select $path}
        }
        my later Fit
    }

    # ---- its trace -------------------------------------------------------------------------------------------------------

    # Takes a trace; the one it had is closed. The timeline is drawn before anything else is made.
    method setTrace {trace} {
        set old [my Closing]
        set Trace $trace
        set Info [$trace info]
        set State open
        set Layers {}
        set Place {time {} row {}}
        my option checked {}
        history::clear $Timeline
        $Timeline configure -trace $trace {*}[my TimelineOptions]
        if {$old ne {}} {catch {$old close}}
        tell TraceOpened [self]
        $Window titleChanged [self]
        my later Opened
    }

    method TimelineOptions {} {
        set convention [pref get convention {}]
        # A kernel's times are seconds; what others mean is not known.
        list -axisunit [expr {[dict get $Info kernel] ? "s" : {}}] {*}[expr {$convention in {grasp rtsched} ? [list -convention $convention] : {}}]
    }

    method Opened {} {
        if {$State ne "open"} return
        my Fit
        my later MakePanels 1
        tell FindingsChanged [self]
    }

    method reloaded {} {
        set Info [$Trace info]
        my option checked {}
        tell TraceReloaded [self]
        tell FindingsChanged [self]
    }

    # Takes leave of the trace, which is still there: whoever has something of it lets it go when TraceClosed is told. The
    # trace is the result; {}: there was none.
    method Closing {} {
        if {$Trace eq {}} return
        set trace $Trace
        if {[winfo exists $Timeline]} {$Timeline configure -trace {}}
        set Trace {}
        tell TraceClosed [self] $trace
        return $trace
    }

    method closeTrace {} {
        set trace [my Closing]
        if {$trace eq {}} return
        set State empty
        catch {$trace close}
        my later Fit
    }

    # ---- what the timeline tells -------------------------------------------------------------------------------------------

    method Told {event data} {
        switch -- $event {
            TimeChanged {tell TimeChanged [self] $data}
            SelectionChanged {tell SelectionChanged [self] {*}[my pair [$Timeline selection get]]}
            Zoomed {my later TellZoomed}
            RowsChanged {tell RowsChanged [self]}
        }
    }

    method TellZoomed {} {tell Zoomed [self] {*}[$Timeline view]}

    method pair {range} {
        expr {[llength $range] == 2 ? $range : {{} {}}}
    }

    method Scrolled {axis args} {
        if {$axis eq "xview"} {history::record $Timeline scroll}
        $Timeline $axis {*}$args
    }

    method FindingsChanged {view args} {
        if {$view ne [self] || $Trace eq {}} return
        set findings {}
        catch {set findings [$Trace finding list]}
        catch {$Timeline configure -findings $findings}
    }

    method PreferencesChanged {view name} {
        if {$name eq "snap" && [string is integer -strict [pref get snap 8]]} {$Timeline configure -snap [px [pref get snap 8]]}
    }

    # ---- the pointer -------------------------------------------------------------------------------------------------------

    # Where the pointer is over the timeline: the cursor follows, the status line and tooltips tell.
    method pointer {x y state} {
        if {$Trace eq {}} return
        set Pointer [list $x $y]
        $Timeline cursor [$Timeline time $x]
        my later TellPointer
    }

    method TellPointer {} {
        if {$Pointer eq {} || $Trace eq {}} return
        set found [$Timeline identify {*}$Pointer]
        rows::pointer [self] {*}$Pointer $found
        tell Pointed [self] $found
    }

    method pointerLeft {} {
        set Pointer {}
        rows::pointerLeft [self]
        tell Pointed [self] {}
    }

    # What is under the pointer; {} when it is elsewhere.
    method under {} {
        if {$Pointer eq {} || $Trace eq {}} return
        $Timeline identify {*}$Pointer
    }

    # The time for a mark or marker: of the event near the pointer, else the cursor's, else the middle of the view.
    method hereTime {} {
        if {$Pointer ne {} && [$Timeline cursor] eq [$Timeline time [lindex $Pointer 0]]} {return [lindex [$Timeline snap {*}$Pointer] 0]}
        if {[$Timeline cursor] ne {}} {return [$Timeline cursor]}
        $Timeline time [expr {[winfo width $Timeline] / 2}]
    }

    # The row that keys work on: clicked or gone to last, else under the pointer.
    method hereRow {} {
        set row [dict get $Place row]
        if {$row ne {}} {return $row}
        set under [my under]
        text::valueOf $under row
    }

    method place {} {return $Place}

    # The row that keys work on from now; that of a row that is gone.
    method keepRow {key} {dict set Place row $key}
    method forgetRow {key next} {
        if {[dict get $Place row] eq $key} {dict set Place row $next}
    }

    # ---- going and showing -------------------------------------------------------------------------------------------------

    # go ?-time T? ?-to T2? ?-row KEY? ?-item DICT?: scrolls there (U comes back), puts the cursor there, shows the item.
    method go {args} {
        if {$Trace eq {}} return
        set args [dict merge {-time {} -to {} -row {} -item {}} $args]
        dict with args {
            history::record $Timeline go
            if {${-row} eq {} && ${-item} ne {}} {set -row [my RowOf ${-item}]}
            if {${-row} ne {}} {catch {$Timeline see -row ${-row}}}
            if {${-time} ne {}} {
                $Timeline see ${-time} {*}[if {${-to} ne {}} {list ${-to}}]
                # The cursor stays there until the pointer moves again.
                set Pointer {}
                $Timeline cursor ${-time}
                dict set Place time ${-time}
            }
            if {${-item} ne {}} {my show ${-item}}
            if {${-row} ne {}} {dict set Place row ${-row}}
        }
        tell Gone [self]
    }

    # The key of the row that an item is in, where that can be told without asking the trace.
    method RowOf {item} {
        if {[dict exists $item row] && [dict get $item row] ne {}} {return [dict get $item row]}
        if {[dict exists $item task] && [dict get $item task] ne {}} {return [list task [dict get $item task]]}
        if {![dict exists $item kind] || ![dict exists $item id]} return
        if {[dict get $item kind] in {task server processor}} {return [list [dict get $item kind] [dict get $item id]]}
        return
    }

    # Shows an item (as `identify` tells of it, or {kind job index N}, {kind event event ROW} ...) in the details.
    method show {item} {
        if {$item eq {}} {
            my emphasize item {}
        } else {
            dict set Place row [my RowOf $item]
            if {[dict exists $item time] && [dict get $item time] ne {}} {dict set Place time [dict get $item time]}
            dict set Place item $item
            my emphasize item [my HighlightOf $item]
        }
        tell Shown [self] $item
    }

    method HighlightOf {item} {
        foreach key {kind index job id task event row} {set $key [text::valueOf $item $key]}
        switch -- $kind {
            job {if {$index ne {}} {return [list [list job $index]]}}
            slice {if {$index ne {} && $task ne {}} {return [list [list slice $task $index]]}}
            event {if {$event ne {}} {return [list [list event $event]]}}
            task - server - processor {if {$row ne {}} {return [list [list row $row]]}}
        }
        if {$job ne {}} {return [list [list job $job]]}
        return
    }

    # Layers of emphasis: each part has its own, by name; the timeline gets them all.
    method emphasize {layer items} {
        dict set Layers $layer $items
        set all [concat {*}[dict values $Layers]]
        if {[catch {$Timeline highlight [lrange $all 0 1999]}]} {catch {$Timeline highlight {}}}
    }

    method select {from to} {
        if {$from eq {}} {$Timeline selection clear} else {$Timeline selection set $from $to}
    }
    method selection {} {$Timeline selection get}
    method cursor {} {$Timeline cursor}

    # dict of name and time: A, B, marks
    method markers {} {
        set markers {}
        foreach name [$Timeline marker names] {dict set markers $name [$Timeline marker get $name]}
        return $markers
    }

    method marker {name args} {
        if {![llength $args] || [lindex $args 0] eq {}} {
            $Timeline marker delete $name
        } else {
            $Timeline marker set $name {*}$args
        }
        tell MarksChanged [self]
    }

    # ---- saying something --------------------------------------------------------------------------------------------------

    # A sentence in the status line, for some seconds.
    method message {text} {tell Message [self] $text}

    # bar KIND TEXT ?-name N? ?-buttons {LABEL PREFIX ...}?: a bar above the timeline until it is closed. KIND: error warning
    # note ok. One of the same name is replaced; the name is the result. A button's prefix is called as it is; the bar then goes.
    method bar {kind text args} {
        set args [dict merge [list -name bar[llength $Bars] -buttons {}] $args]
        set name [string map {. _ { } _} [dict get $args -name]]
        my closeBar $name
        lappend Bars $name
        set style [string totitle $kind].Bar
        set bar [ttk::frame $Frame.bars.b$name -style $style.TFrame -padding [list [px 8] [px 2] [px 3] [px 2]]]
        ttk::label $bar.text -style $style.TLabel -text [text::visible $text 2000] -anchor w -justify left
        ttk::button $bar.close -style $style.Toolbutton -takefocus 0 -text \u00d7 -width 2 -command [namespace code [list my closeBar $name]]
        pack $bar.close -side right
        set n 0
        foreach {label prefix} [dict get $args -buttons] {
            ttk::button $bar.b$n -style $style.TButton -text $label -command [namespace code [list my BarButton $name $prefix]]
            pack $bar.b$n -side right -padx [px 3]
            incr n
        }
        pack $bar.text -side left -fill x -expand 1
        bind $bar.text <Configure> {%W configure -wraplength [expr {max(40, %w - 4)}]}
        pack $bar -fill x -pady [list 0 1]
        grid $Frame.bars -row 0 -sticky ew
        return $name
    }

    method BarButton {name prefix} {
        my closeBar $name
        uplevel #0 $prefix
    }

    method closeBar {name} {
        set Bars [lsearch -all -inline -exact -not $Bars $name]
        destroy $Frame.bars.b$name
        if {![llength $Bars]} {grid remove $Frame.bars}
    }

    method bars {} {return $Bars}
}

# New panels for all views there are.
oo::objdefine ::tactus::player::View method panelsChanged {} {
    foreach view [info class instances ::tactus::player::View] {$view later addPanels}
}

# The view that a widget belongs to.
proc ::tactus::player::viewOf {widget} {
    if {![winfo exists $widget]} {return {}}
    foreach window [Window all] {
        if {[$window top] eq [winfo toplevel $widget]} {return [$window view]}
    }
    # A dialog of a window: the window that it belongs to.
    set master [wm transient [winfo toplevel $widget]]
    expr {$master ne {} && $master ne $widget ? [viewOf $master] : [currentView]}
}
