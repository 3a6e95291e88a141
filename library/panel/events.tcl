# panel/events.tcl -- class EventsPanel: all events of the trace in order of time, a virtual list: click goes there,
# filter, sort; on request the list follows the time cursor of the timeline. An event that is clicked in the timeline
# becomes the current row.

::tactus::need list/list

oo::class create ::tactus::player::EventsPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace List Follow Time

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set List $Frame.list
        set Time {}
        set Follow [pref get events.follow 0]
        if {![string is boolean -strict $Follow]} {set Follow 0}
        my listIn $List -name events -noun event -command [namespace code {my goTo}]
        ttk::checkbutton $List.bar.follow -text "Follow cursor" -variable [my varname Follow] -takefocus 0 \
            -command [namespace code {my followChanged}]
        $List addTool $List.bar.follow
        pack $List -fill both -expand 1
        my hear TimeChanged timeChanged
        my hear Shown shown
    }

    method traceChanged {} {
        if {$Trace eq {}} {return [$List configure -relation {} -placeholder "no trace"]}
        $List configure -placeholder "no events in this trace" -relation [$Trace relation events]
    }

    method traceReloaded {} {
        $List replace [$Trace relation events]
    }

    method goTo {place} {
        set row [[$List relation] id $place]
        my go -time [$List value $place time] -item [list kind event event $row]
    }

    # ---- following ---------------------------------------------------------------------------------------------------

    method followChanged {} {
        pref set events.follow $Follow
        if {$Follow && $Time ne {}} {my whenSeen followTime}
    }

    method timeChanged {time} {
        set Time $time
        if {$Follow && $time ne {}} {my whenSeen followTime}
    }

    # Makes the last event not after the cursor the current row, in a list that is sorted by time.
    method followTime {} {
        if {$Trace eq {} || [$List busy] || $Time eq {}} return
        lassign [$List sort] column decreasing
        if {$column ni {{} time} || $decreasing} return
        set place [expr {[$List bisect time $Time 1] - 1}]
        if {$place >= 0} {$List current $place}
    }

    method shown {item} {
        if {$Trace eq {} || [$List busy] || [$List relation] eq {}} return
        if {![dict exists $item event] || ![string is integer -strict [dict get $item event]]} return
        set place [[$List relation] place [dict get $item event]]
        if {$place >= 0 && $place != [$List current]} {$List current $place}
    }
}
