# panel/jobs.tcl -- class JobsPanel: the table of jobs, a virtual list: sort, filter, choice of columns; a line with the
# statistics of one column over the jobs that are shown; click goes there; the jobs that are selected are emphasized in
# the timeline.

::tactus::need list/list player/jobs

oo::class create ::tactus::player::JobsPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace List Column Line Timer Taken

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set List $Frame.list
        set Taken {}    ;# selection that another part made, and already told
        set Timer {}
        my listIn $List -name jobs -noun job -told {task_name task} -command [namespace code {my goTo}] \
            -paintcolumns {lateness} -paint ::tactus::player::panels::latenessColor
        ttk::frame $Frame.statistics
        ttk::combobox $Frame.statistics.column -state readonly -width 12 -textvariable [my varname Column] -takefocus 0
        ttk::label $Frame.statistics.line -textvariable [my varname Line] -anchor w
        bind $Frame.statistics.column <<ComboboxSelected>> [namespace code {my columnChosen}]
        look::wrap $Frame.statistics.line
        pack $Frame.statistics.column -side left -padx [look::points 1.5] -pady 1
        pack $Frame.statistics.line -side left -fill x -expand 1 -padx [look::points 3]
        pack $Frame.statistics -side bottom -fill x
        pack $List -fill both -expand 1
        tip::add $Frame.statistics.line [namespace code {my lineTip}]
        bind $List <<ListFiltered>> [namespace code {my whenSeen measure}]
        bind $List <<ListboxSelect>> [namespace code {my whenSeen emphasize}]
        my hear Shown shown
        my hear JobsSelected jobsSelected
    }

    destructor {
        after cancel $Timer
        next
    }

    method traceChanged {} {
        if {$Trace eq {}} {
            set Line {}
            return [$List configure -relation {} -placeholder "no trace"]
        }
        $List configure -placeholder "no jobs in this trace" -relation [$Trace relation jobs]
        set names [lmap column [$List columns] {
            if {[dict get $column type] eq "text"} continue
            dict get $column name
        }]
        $Frame.statistics.column configure -values $names
        set Column [pref get jobs.statistics response]
        if {$Column ni $names} {set Column [lindex $names 0]}
        my whenSeen measure
    }

    method traceReloaded {} {
        $List replace [$Trace relation jobs]
        my whenSeen measure
    }

    method goTo {place} {
        set job [[$List relation] id $place]
        set end [$List value $place completion]
        my go -time [my firstKnown $place {release start completion}] {*}[expr {$end eq {} ? {} : [list -to $end]}] \
            -item [list kind job index $job id [$List value $place job]]
    }

    method firstKnown {place columns} {
        foreach column $columns {
            set value [$List value $place $column]
            if {$value ne {}} {return $value}
        }
        return {}
    }

    # Makes the job that was clicked in the timeline the current row.
    method shown {item} {
        if {$Trace eq {} || [$List busy] || [$List relation] eq {}} return
        set job [text::valueOf $item job]
        if {[text::valueOf $item kind] eq "job"} {set job [text::valueOf $item index]}
        if {![string is integer -strict $job]} return
        set place [[$List relation] place $job]
        if {$place >= 0 && $place != [$List current]} {$List current $place}
    }

    method emphasize {} {
        if {$Trace eq {} || [$List busy] || [$List relation] eq {}} return
        if {[$List selection get] eq $Taken} return
        set Taken {}
        jobs::select $View [my selectedJobs] [self]
    }

    method selectedJobs {} {
        set jobs {}
        foreach range [$List selection get] {
            lassign $range first last
            set room [expr {$::tactus::player::jobs::most - [llength $jobs]}]
            if {$room <= 0} break
            lappend jobs {*}[[$List relation] ids $first [expr {min($room, $last - $first + 1)}]]
        }
        return $jobs
    }

    # Selects the jobs that were selected by another part.
    method jobsSelected {jobs by} {
        if {$by eq [self] || $Trace eq {} || [$List busy] || [$List relation] eq {}} return
        set ranges {}
        set last -2
        foreach place [[$List relation] places $jobs] {
            if {$place == $last + 1} {lset ranges end 1 $place} else {lappend ranges [list $place $place]}
            set last $place
        }
        $List selection clear
        set Taken $ranges
        $List selection set $ranges
        if {[llength $ranges]} {$List see [lindex $ranges 0 0]}
    }

    # ---- statistics of a column --------------------------------------------------------------------------------------

    method columnChosen {} {
        $Frame.statistics.column selection clear
        pref set jobs.statistics $Column
        my whenSeen measure
    }

    # Computes the statistics, as work of the list: a sort or filter that is wanted meanwhile ends it, and so does
    # `Cancel`. While the list is at work already this waits, by a timer: an idle call would be repeated within one
    # `update`.
    method measure {} {
        after cancel $Timer
        if {$Trace eq {} || [$List relation] eq {} || $Column eq {}} return
        if {[$List busy]} {
            set Timer [after 100 [namespace code {my whenSeen measure}]]
            return
        }
        set me [self]
        set Line [set waiting "measuring \u2026"]
        $List work [list statistics $Column] [namespace code [list my measured $Column]]
        if {![info object isa object $me] || $Line ne $waiting} return
        if {[$List busy]} {set Timer [after 100 [namespace code {my whenSeen measure}]]} else {set Line "not measured"}
    }

    method measured {column} {
        set Line [text::glued [my lineOf [$List answer]]]
        if {$column ne $Column} {my whenSeen measure}
    }

    # Where some of the jobs that are shown have no value, it is said of how many they are.
    method lineOf {statistics} {
        set count [dict get $statistics count]
        set shown [[$List relation] count]
        if {!$count} {return "no job that is shown has a value"}
        set of [expr {$count < $shown ? "[text::group $count] of " : {}}]
        set parts [list $of[text::counted [expr {max($count, $shown)}] job]]
        foreach {key word} {minimum min average mean p50 p50 p90 p90 p95 p95 p99 p99 maximum max} {
            lappend parts "$word [my valueText [dict get $statistics $key]]"
        }
        join $parts "   "
    }

    # A value of the column, with its unit where it is a time.
    method valueText {value} {
        foreach column [$List columns] {
            if {[dict get $column name] ne $Column || [dict get $column type] ne "time"} continue
            return [if {$Column in $::tactus::player::units::points} {units::time $View $value} else {
                units::length $View $value 6
            }]
        }
        text::number $value
    }

    method lineTip {x y} {
        if {$Line eq {}} {return {}}
        return "$Column of the jobs that are shown: $Line\nJobs without one do not count. Percentiles are by\
            nearest rank."
    }
}

proc ::tactus::player::panels::latenessColor {column value row} {
    expr {$value ne {} && ![string match -* $value] && $value != 0 ? "error" : {}}
}
