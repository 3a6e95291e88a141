# panel/statistics.tcl -- class StatisticsPanel: statistics of tasks, processors, servers, mutexes and buffers: in the
# selection of the timeline, or in the whole trace. While a selection is dragged the numbers follow, at idle time.
#
# A table of ten tasks over millions of jobs may take longer than a frame. The time for a selection is estimated from
# its length and from the time that the last one took: up to Quick ms it is computed with every motion, else when the
# selection has rested for a moment. Longer computations leave the window alive: the core calls `tick` meanwhile, and a
# change of the selection or the kind ends the computation and starts the next.

::tactus::need list/list

oo::class create ::tactus::player::StatisticsPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace List Kind Range Whole Timer Span Quick Shown Computing
    variable Parts      ;# are the parts of jobs in the selection shown, rather than jobs that were released in it?
    variable Counted    ;# list of a sentence about the jobs that are counted; {}: none is known

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign {tasks {} {} {} {} 20 {}} Kind Range Whole Timer Span Quick Computing
        set Shown {}
        set Parts [string is true -strict [pref get statistics.parts 0]]
        set Counted {}
        set kept [pref get statistics.kind tasks]
        if {$kept in [my kinds]} {set Kind $kept}
        my buildBar [ttk::frame $Frame.bar]
        pack $Frame.bar -side top -fill x
        my newList
        my hear SelectionChanged selectionChanged
    }

    destructor {
        after cancel $Timer
        next
    }

    method kinds {} {return {tasks processors servers mutexes buffers}}
    method buildBar {bar} {
        foreach kind [my kinds] {
            ttk::radiobutton $bar.$kind -style Toolbutton -text [string totitle $kind] -value $kind -takefocus 0 \
                -variable [my varname Kind] -command [namespace code {my kindChosen}]
            pack $bar.$kind -side left -pady 1
        }
        ttk::checkbutton $bar.parts -text "Parts of jobs" -variable [my varname Parts] -takefocus 0 \
            -command [namespace code {my partsChosen}]
        tip::add $bar.parts [list apply {{x y} {
            return "On: time in each state of all jobs that were under way, cut to the selection.\
                \nOff: figures of those of them that were released in it, measured whole; where the release was not\
                recorded, a job does not count."
        }}]
        ttk::label $bar.range -textvariable [my varname Range] -anchor e
        # In a narrow panel it is cut.
        tip::add $bar.range [namespace code {my rangeTip}]
        pack $bar.parts -side left -padx [look::points 6]
        pack $bar.range -side right -padx [look::points 4]
    }

    method rangeTip {x y} {return $Range}

    # Makes the list anew: each kind has columns of its own, kept under its own name.
    method newList {} {
        destroy $Frame.list
        set Shown {}
        set List $Frame.list
        set columns {}
        $Frame.bar.parts state [expr {$Kind eq "tasks" ? "!disabled" : "disabled"}]
        if {$Kind eq "tasks" && $Parts} {
            set columns {task name priority active_jobs time_running time_waiting time_preempted time_blocked unknown
                utilization}
        } elseif {$Kind eq "tasks"} {
            set columns {task name priority releases completions response_min response_mean response_max response_p95
                execution_max net_execution_max preemptions migrations misses utilization}
        }
        set name statistics-$Kind[expr {$Kind eq "tasks" && $Parts ? "-parts" : {}}]
        my listIn $List -name $name -columns $columns -told {name task} -filterbar 0 \
            -command [namespace code {my goTo}] -opencommand {} \
            -noun [my singular] -placeholder "this trace has no $Kind"
        pack $List -fill both -expand 1
    }

    method singular {} {
        dict get {tasks task processors processor servers server mutexes mutex buffers buffer} $Kind
    }

    method kindChosen {} {
        pref set statistics.kind $Kind
        my newList
        my whenSeen compute
    }

    method partsChosen {} {
        pref set statistics.parts $Parts
        my newList
        my whenSeen compute
    }

    method traceChanged {} {
        set Span {}
        set Whole {}
        $List configure -relation {}
        set Shown {}
        if {$Trace eq {}} return
        set Span [$View selection]
        my whenSeen compute
    }

    method traceReloaded {} {
        set Shown {}
        my whenSeen compute
    }

    # ---- computing ---------------------------------------------------------------------------------------------------

    method selectionChanged {from to} {
        set Span [expr {$from eq {} ? {} : [list $from $to]}]
        set Counted {}
        my label
        after cancel $Timer
        if {[my foretold] <= $Quick} {
            my whenSeen compute
        } else {
            set Timer [after 250 [namespace code {my whenSeen compute}]]
        }
    }

    # Estimated milliseconds of a computation. Whole: time of a table of the whole trace, by kind; before the first one
    # that of tasks is guessed from the number of jobs.
    method foretold {} {
        if {$Trace eq {}} {return 0}
        if {[dict exists $Whole $Kind]} {
            set whole [dict get $Whole $Kind]
        } else {
            set whole [expr {$Kind eq "tasks" ? [dict get [$Trace info] jobs] * 0.0003 : 0}]
        }
        expr {$whole * [my share]}
    }

    # The share of the selection in the recording.
    method share {} {
        if {$Span eq {}} {return 1.0}
        set length [dict get [$Trace info] length]
        expr {$length > 0 ? min(1.0, ([lindex $Span 1] - [lindex $Span 0]) / double($length)) : 1.0}
    }

    method label {} {
        if {$Trace eq {}} {return [set Range {}]}
        set Range "whole trace"
        if {$Span ne {}} {
            lassign $Span from to
            set Range "selection [units::range $View $from $to]"
        }
        # Which jobs count is said first: the ends of a range that finds no room stand in the status line, too.
        set Range [join [concat $Counted [list $Range]] " \u00b7 "]
    }

    # Computes the table. Computing: {kind span trace} of the computation under way, {} when there is none; a change
    # meanwhile is computed after it.
    method compute {} {
        if {$Trace eq {} || $Computing ne {}} return
        my label
        set wanted [my wanted]
        if {$wanted eq $Shown} return
        set Computing $wanted
        set me [self]
        set start [clock milliseconds]
        catch {my relationOf $wanted} relation options
        if {![info object isa object $me]} {
            if {![dict get $options -code]} {catch {$relation close}}
            return
        }
        set Computing {}
        my computed $wanted $relation $options [expr {[clock milliseconds] - $start}]
    }

    # Says which jobs the figures of tasks count, and of how many: those whose release lies in the range, or the parts
    # of all that were under way in it.
    method count {relation} {
        set Counted {}
        if {$Kind ne "tasks" || [$relation count] > 10000} return
        set names [lmap column [$relation columns] {dict get $column name}]
        lassign {0 0} released active
        foreach row [$relation rows 0 10000] {
            incr released [lindex $row [lsearch -exact $names releases]]
            incr active [lindex $row [lsearch -exact $names active_jobs]]
        }
        set all [text::counted $active job]
        set jobs [if {$released == $active} {set all} else {string cat "[text::group $released] of $all: "}]
        set Counted [list [if {$Parts} {
            expr {$Span eq {} ? $all : "the parts in it of $all"}
        } elseif {$Span eq {}} {
            expr {$released == $active ? $all : "${jobs}those with a release"}
        } else {
            string cat [string trimright $jobs] " released in it, measured whole"
        }]]
    }

    method timesChanged {} {
        next
        my label
    }

    method wanted {} {
        return [list $Kind $Span $Trace]
    }

    method relationOf {wanted} {
        lassign $wanted kind span trace
        set window {}
        if {$span ne {}} {set window [list -from [lindex $span 0] -to [lindex $span 1]]}
        $trace relation $kind {*}$window -progress [namespace code {my tick}]
    }

    method computed {wanted relation options took} {
        set failed [dict get $options -code]
        if {$wanted ne [my wanted]} {
            if {!$failed} {catch {$relation close}}
            return [my whenSeen compute]
        }
        my label
        if {$failed} {
            set Range [text::visible $relation 300]
            return
        }
        if {$took > 2} {dict set Whole $Kind [expr {$took / max(1e-6, [my share])}]}
        $List replace $relation
        set Shown $wanted
        my count $relation
        my label
    }

    # Called while the core computes: shows that, and handles the window's events.
    method tick {progress} {
        set me [self]
        set Range "computing \u2026"
        update
        if {![info object isa object $me] || $Computing ne [my wanted]} {return -code break}
    }

    # Goes to the row of the task, processor ... that was clicked.
    method goTo {place} {
        set kind [my singular]
        if {$kind ni [lmap column [$List columns] {dict get $column name}]} return
        set id [$List value $place $kind]
        set time [$View cursor]
        if {$time eq {}} {set time [lindex [[$View timeline] view] 0]}
        set row [expr {$kind in {task processor server} ? [list $kind $id] : {}}]
        my go -row $row -item [list kind $kind id $id time $time row $row]
    }
}
