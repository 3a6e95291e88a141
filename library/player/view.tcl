# player/view.tcl -- class View: one trace in one tab: its timeline and all around it.
#
#   bars        messages (errors of the trace, a file that changed), searching
#   +----------------------------------------+---------+
#   | overview: all of the trace             | right   |
#   | timeline                             | | panels: |
#   |______________________________________|_| details |
#   | panels under the timeline: events, ... |         |
#   +----------------------------------------+---------+
#   status line
#
# A view outlives its traces: it exists while one is opened, when that failed, and when the file is read anew. So
# `trace` may be {}, and all parts that show the trace listen to TraceOpened, TraceReloaded, TraceClosed.
#
# Its parts are objects: bars (player/bars.tcl), sides with panels (player/sides.tcl), the user's place
# (player/here.tcl). The methods are for other parts of the window; those that plugins may use are in tactus_plugin(n).
# Times are exact decimals in time units.

::tactus::need player/later player/bars player/sides player/here player/units

oo::class create ::tactus::player::View {
    mixin ::tactus::player::Later
    variable Window Frame File Trace Info
    variable State              ;# empty, opening, open or failed
    variable Timeline Layers    ;# Layers: name of a part -> items that it has emphasized
    variable Options            ;# name -> value that a part or plugin keeps with the view
    variable Gone               ;# begin and end of what was gone to last, {} where there is no time

    constructor {window frame} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Window $window
        set Frame $frame
        lassign {} File Trace Info Layers Options Gone
        set State empty
        my Build
        listen FindingsChanged [namespace code {my FindingsChanged}] $Frame
        listen PreferencesChanged [namespace code {my PreferencesChanged}] $Frame
    }

    destructor {
        set trace [my Closing]
        if {$trace ne {}} {catch {$trace close}}
    }

    forward bar bars add
    forward changeBar bars change
    forward closeBar bars close
    forward bars bars names

    forward addPanels sides add
    forward frame sides frame
    forward showPanel sides show
    forward panelShown sides shown
    forward dropPanel sides drop
    forward side sides side
    forward sideSize sides size
    forward panelState sides state
    forward setPanelState sides setState

    forward pointer here pointer
    forward pointerLeft here pointerLeft
    forward under here under
    forward place here place
    forward hereTime here time
    forward hereRow here row
    forward keepRow here keepRow
    forward forgetRow here forgetRow

    # ---- what it is --------------------------------------------------------------------------------------------------

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
        if {[live::is [self]]} {return [my option title]}
        if {$File eq "-"} {return "standard input"}
        return [file tail $File]
    }

    # A value that a panel or plugin keeps with the view, by name; with a value: sets it.
    method option {name args} {
        if {[llength $args]} {dict set Options $name [lindex $args 0]}
        if {[dict exists $Options $name]} {return [dict get $Options $name]}
        return
    }

    # ---- building ----------------------------------------------------------------------------------------------------

    method Build {} {
        ttk::frame $Frame.bars
        ttk::panedwindow $Frame.h -orient horizontal
        ttk::panedwindow $Frame.h.v -orient vertical
        my BuildPlot [ttk::frame $Frame.h.v.plot]
        $Frame.h.v add $Frame.h.v.plot -weight 1
        $Frame.h add $Frame.h.v -weight 1
        Bars create bars $Frame.bars
        Sides create sides [self] $Frame.h
        Here create here [self] $Timeline
        Status new [ttk::frame $Frame.status] [self]
        grid $Frame.h -row 2 -sticky nsew
        grid $Frame.status -row 3 -sticky ew
        grid rowconfigure $Frame 2 -weight 1
        grid columnconfigure $Frame 0 -weight 1
    }

    # Makes the timeline with its scroll bars, and the overview above it.
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
        tip::add $Timeline [namespace code {here tip}] [namespace code {here tipBox}]
        keys::adopt $Timeline
        foreach event {TimeChanged SelectionChanged Zoomed RowsChanged} {
            bind $Timeline <<$event>> [namespace code [list my Told $event %d]]
        }
        bind $Timeline <<Clicked>> [list ::tactus::player::navigate::clicked [self] %x %y]
        bind $Timeline <<MenuWanted>> [list ::tactus::player::rows::menu [self] %x %y]
    }

    # ---- its trace ---------------------------------------------------------------------------------------------------

    # Shows a trace; the one before is closed. The timeline is drawn before anything else is made.
    method setTrace {trace} {
        set old [my Closing]
        set Trace $trace
        set Info [$trace info]
        set State open
        set Layers {}
        here clear
        my option checked {}
        history::clear $Timeline
        $Timeline configure -trace $trace -axis-unit auto -origin {}
        $Timeline configure -origin [units::origin [self]]
        my setLook [session::preferredLook]
        if {$old ne {}} {catch {$old close}}
        tell TraceOpened [self]
        $Window titleChanged [self]
        my later Opened
    }

    # Sets options of the timeline; values that it does not take (preferences and sessions are files) have no effect.
    method setLook {options} {
        dict for {option value} $options {catch {$Timeline configure $option $value}}
    }

    method Opened {} {
        if {$State ne "open" || ![winfo exists $Frame]} return
        sides fit
        sides later make 1
        tell FindingsChanged [self]
    }

    method reloaded {} {
        set Info [$Trace info]
        my option checked {}
        tell TraceReloaded [self]
        tell FindingsChanged [self]
    }

    # Detaches the trace from the view and tells TraceClosed, so that all parts stop using it. The result is the trace,
    # not closed yet; {}: there was none.
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
        sides later fit
    }

    # ---- what the timeline tells -------------------------------------------------------------------------------------

    method Told {event data} {
        switch -- $event {
            TimeChanged {tell TimeChanged [self] $data}
            SelectionChanged {tell SelectionChanged [self] {*}[my pair [$Timeline selection get]]}
            Zoomed {
                here moved
                my later TellZoomed
            }
            RowsChanged {
                here moved
                rows::sayNone [self]
                tell RowsChanged [self]
            }
        }
    }

    method TellZoomed {} {
        if {![winfo exists $Timeline]} return
        tell Zoomed [self] {*}[$Timeline view]
        rows::settleSoon [self]
    }

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
        if {$name eq "snap" && [string is integer -strict [pref get snap 8]]} {
            $Timeline configure -snap [px [pref get snap 8]]
        }
        if {$name eq "times"} {units::apply [self]}
    }

    # ---- going and showing -------------------------------------------------------------------------------------------

    # go ?-time T? ?-to T2? ?-row KEY? ?-item DICT?: scrolls there (U comes back), puts the cursor there, shows the
    # item.
    method go {args} {
        if {$Trace eq {}} return
        set args [dict merge {-time {} -to {} -row {} -item {}} $args]
        dict with args {
            history::record $Timeline go
            if {${-row} eq {} && ${-item} ne {}} {set -row [my RowOf ${-item}]}
            if {${-row} eq {} && ${-item} ne {}} {set -row [my RowOfTask ${-item} ${-time}]}
            if {${-row} ne {}} {catch {$Timeline see -row ${-row}}}
            set Gone [list ${-time} ${-to}]
            if {${-time} ne {}} {
                $Timeline see ${-time} {*}[if {${-to} ne {}} {list ${-to}}]
                here putTime ${-time}
            }
            if {${-item} ne {}} {my show ${-item}}
            if {${-row} ne {}} {here keepRow ${-row}}
        }
        tell Gone [self]
    }

    # Zooms to what was gone to last: the stretch fills the view with a little room; an instant stands in the middle of
    # the events next to it in its row. One step back (U) undoes both.
    method zoomGone {} {
        lassign $Gone from to
        if {$Trace eq {} || $from eq {}} return
        if {$to eq {} || [::tactus::times::compare $from $to] >= 0} {lassign [my Around $from] from to}
        $Timeline view $from $to
        $Timeline zoom [expr {1 / 1.3}]
    }

    # A range around an instant, as far to both sides as the farther one of the events next to it in its row.
    method Around {time} {
        lassign [dict get [here place] row] kind id
        set only [expr {$kind in {task server processor} ? [list -$kind $id] : {}}]
        set far 0
        foreach direction {previous next} {
            set event [$Trace $direction $time {*}$only]
            if {$event eq {}} continue
            set away [string trimleft [::tactus::times::subtract [dict get $event time] $time] -]
            if {[::tactus::times::compare $away $far] > 0} {set far $away}
        }
        if {$far == 0} {return [$Timeline view]}
        list [::tactus::times::subtract $time $far] [::tactus::times::add $time $far]
    }

    # The key of the row of an item, where that is known without asking the trace.
    method RowOf {item} {
        if {[dict exists $item row] && [dict get $item row] ne {}} {return [dict get $item row]}
        if {[dict exists $item task] && [dict get $item task] ne {}} {return [list task [dict get $item task]]}
        if {![dict exists $item kind] || ![dict exists $item id]} return
        if {[dict get $item kind] in {task server processor}} {return [list [dict get $item kind] [dict get $item id]]}
        return
    }

    # The key of the row of the task that a job, or an event, given by its number is about.
    method RowOfTask {item time} {
        set task {}
        switch [text::valueOf $item kind] {
            job {catch {set task [text::valueOf [$Trace look job [dict get $item index]] task]}}
            event {catch {set task [text::valueOf [$Trace look event [dict get $item event]] task]}}
        }
        if {$task ne {}} {navigate::rowOfTask [self] $task $time}
    }

    # Shows an item (a dict as `identify` returns, or {kind job index N}, {kind event event ROW} ...) in the details.
    method show {item} {
        if {$item eq {}} {
            my emphasize item {}
        } else {
            here put row [my RowOf $item] item $item
            set time [text::valueOf $item time]
            if {$time ne {}} {here put time $time}
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
            task - server - processor - finding {if {$row ne {}} {return [list [list row $row]]}}
        }
        if {$job ne {}} {return [list [list job $job]]}
        return
    }

    # Sets a layer of emphasis: each part has its own, by name; the timeline shows them all.
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

    # Times of the markers: dict of name -> time: A, B, marks.
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
        if {$name eq [units::mode]} {units::apply [self]}
        tell MarksChanged [self]
    }

    # ---- saying something --------------------------------------------------------------------------------------------

    # Shows a sentence in the status line, for some seconds.
    method message {text} {tell Message [self] $text}
}

# Adds tabs for new panels in all views.
oo::objdefine ::tactus::player::View method panelsChanged {} {
    foreach view [info class instances ::tactus::player::View] {$view addPanels}
}

# The view that a widget belongs to.
proc ::tactus::player::viewOf {widget} {
    if {![winfo exists $widget]} {return {}}
    foreach window [Window all] {
        if {[$window top] eq [winfo toplevel $widget]} {return [$window view]}
    }
    # A dialog's master is the window that it belongs to.
    set master [wm transient [winfo toplevel $widget]]
    expr {$master ne {} && $master ne $widget ? [viewOf $master] : [currentView]}
}
