# panel/compare.tcl -- class ComparePanel: what differs between the trace of the view and the one below it
# (player/compareBeside.tcl).
#
#   left     a row for each task and measure: medians, tails, the figure that differs most, its verdict
#   right    of the row that is chosen: both distributions; the parts of the mean delay; the pairs of jobs that differ
#            most, of which one leads both timelines to its jobs
#
# Where there is room, the three on the right stand side by side, else one of them. All of it is computed while the
# window lives on; another row, another trace or another range ends what is under way.

::tactus::need list/list panel/compareRows panel/comparePicture player/compareAlign player/text

oo::class create ::tactus::player::ComparePanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace
    variable List Picture Delay Pairs   ;# widgets; Picture is a ComparePicture
    variable Part By Line               ;# which part is shown where there is little room; number or release; the status
    variable Longest                    ;# the longest part of the mean delay
    variable Subject Job Run            ;# {task measure} that is chosen; number of what is computed

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign {{} 0 {} {}} Subject Run Line Job
        set Part [pref get compare.part distribution]
        if {$Part ni {distribution delay pairs}} {set Part distribution}
        set By number
        my BuildBar [ttk::frame $Frame.bar]
        ttk::panedwindow $Frame.h -orient horizontal
        set List $Frame.h.list
        my listIn $List -name compare -noun row -filterbar 0 -opencommand {} -command [namespace code {my chosen}] \
            -columns {task measure verdict figure change difference base_p50 other_p50 base_p99 other_p99 interval} \
            -paint ::tactus::player::panels::verdictColor -paintcolumns {verdict}
        my BuildParts [ttk::frame $Frame.h.parts]
        $Frame.h add $List -weight 1
        $Frame.h add $Frame.h.parts -weight 1
        pack $Frame.bar -side top -fill x
        pack $Frame.h -fill both -expand 1
        pack propagate $Frame 0
        bind $List <<ListboxSelect>> [namespace code {my later}]
        my hear CompareChanged changed
        my hear CompareAligned aligned
    }

    method BuildBar {bar} {
        ttk::button $bar.with -text "Compare With\u2026" -command [namespace code {my CompareWith}]
        ttk::button $bar.cancel -text Cancel -command [namespace code {my Cancel}]
        ttk::label $bar.line -textvariable [my varname Line] -anchor w
        pack $bar.line -side left -fill x -expand 1 -padx [look::points 3] -pady 1
        foreach part {pairs delay distribution} {
            ttk::radiobutton $bar.$part -style Toolbutton -text [string totitle $part] -value $part -takefocus 0 \
                -variable [my varname Part] -command [namespace code {my PartChosen}]
            pack $bar.$part -side right -pady 1
        }
    }

    # The three parts on the right.
    method BuildParts {parts} {
        set Picture [ComparePicture new $parts.distribution]
        set Delay $parts.delay
        my listIn $Delay -name compare-delay -noun part -filterbar 0 -columns {cause bars difference base other} \
            -draw [namespace code {my DrawParts}] -drawcolumns {bars}
        ttk::frame $parts.pairs
        ttk::frame $parts.pairs.by
        foreach {by text} {number "by number" release "nearest releases"} {
            ttk::radiobutton $parts.pairs.by.$by -text $text -value $by -takefocus 0 \
                -variable [my varname By] -command [namespace code {my whenSeen pair}]
            pack $parts.pairs.by.$by -side left -padx [look::points 2]
        }
        set Pairs $parts.pairs.list
        my listIn $Pairs -name compare-pairs -noun pair -filterbar 0 \
            -opencommand {} -command [namespace code {my goTo}] -columns {job other_job difference base other}
        pack $parts.pairs.by -side top -fill x
        pack $Pairs -fill both -expand 1
        grid rowconfigure $parts 0 -weight 1
        grid propagate $parts 0
        bind $parts <Configure> [namespace code {my Arrange}]
        bind $Frame.h <Configure> [namespace code {my Sash %w}]
        my Arrange
    }

    # At first half of the room, at most what the list wants, is the list's.
    method Sash {width} {
        if {$width < 50} return
        bind $Frame.h <Configure> {}
        after idle [list catch [list $Frame.h sashpos 0 [expr {min($width / 2, [look::points 560])}]]]
    }

    method Arrange {} {
        set parts $Frame.h.parts
        if {![winfo exists $parts.pairs]} return
        set width [winfo width $parts]
        set all [expr {$width >= [look::points 560]}]
        set n -1
        foreach part {distribution delay pairs} {
            incr n
            set shown [expr {$all || $part eq $Part}]
            if {$shown} {
                grid $parts.$part -row 0 -column $n -sticky nsew
            } else {
                grid forget $parts.$part
            }
            grid columnconfigure $parts $n -weight $shown -uniform [expr {$shown ? "parts" : {}}]
            if {$all} {pack forget $Frame.bar.$part} else {pack $Frame.bar.$part -side right -pady 1}
        }
    }

    method PartChosen {} {
        pref set compare.part $Part
        my Arrange
    }

    method themeChanged {} {
        if {[info object isa object $Picture]} {$Picture draw}
    }

    # ---- the comparison ----------------------------------------------------------------------------------------------

    method Beside {} {
        if {[info commands ::tactus::player::compare::of] eq {}} return
        ::tactus::player::compare::of $View
    }

    method CompareWith {} {commands::compareWith $View}
    # Ends the comparing that is under way, or begins again.
    method Cancel {} {
        set beside [my Beside]
        if {$beside ne {}} {$beside [expr {[$beside working] ? "cancel" : "begin"}]}
    }

    method traceChanged {} {my changed}

    # Another comparison, or what it has found meanwhile.
    method changed {args} {
        incr Run
        set beside [my Beside]
        pack forget $Frame.bar.with $Frame.bar.cancel
        if {$beside eq {} || $Trace eq {}} {
            my Empty [expr {$Trace eq {} ? "no trace" : "A second trace is shown below this one, on the same axis."}]
            if {$Trace ne {}} {pack $Frame.bar.with -side left -before $Frame.bar.line}
            return
        }
        if {![llength [$beside figures]]} {
            my Empty [expr {[$beside working] ? "comparing \u2026" : "nothing is compared"}]
            $Frame.bar.cancel configure -text [expr {[$beside working] ? "Cancel" : "Compare"}]
            pack $Frame.bar.cancel -side left -before $Frame.bar.line
            return
        }
        my whenSeen fill
    }

    method Empty {text} {
        set Line $text
        $Picture clear
        $List configure -relation {} -placeholder {}
        foreach list [list $Delay $Pairs] {$list configure -relation {} -placeholder {}}
    }

    method unit {} {dict get [$Trace info] unit}

    # Fills the list; the row that was chosen stays so.
    method fill {} {
        set beside [my Beside]
        if {$beside eq {} || ![llength [$beside figures]]} return
        set figures [$beside figures]
        set rows [compared::rows $figures]
        set Line [my Said $rows]
        $List configure -placeholder "no task is in both" \
            -relation [::tactus::relation [compared::columnRows [my unit]] $rows -unit [my unit]]
        set place [lsearch -exact [lmap row $rows {lrange $row 0 1}] $Subject]
        if {[llength $rows]} {
            $List current [expr {max(0, $place)}]
            my chosen [expr {max(0, $place)}]
        }
    }

    method Said {rows} {
        set counts {}
        foreach row $rows {dict incr counts [lindex $row 2]}
        set parts [lmap {verdict n} $counts {string cat "$n $verdict"}]
        return "[text::counted [llength $rows] row]: [join $parts {, }]"
    }

    # ---- the row that is chosen --------------------------------------------------------------------------------------

    method later {} {
        set place [$List current]
        if {$place ne {} && $place >= 0} {my chosen $place}
    }

    method chosen {place} {
        if {[$List relation] eq {} || $place >= [[$List relation] count]} return
        set subject [list [$List value $place task] [$List value $place measure]]
        if {$subject eq $Subject && $Run == [lindex $Job 0]} return
        set Subject $subject
        incr Run
        set Job [list $Run {*}[my IdsOf $subject]]
        foreach method {distribute part pair} {my whenSeen $method}
    }

    # The ids of the task in both traces; {}: it is in one of them only.
    method IdsOf {subject} {
        foreach row [[my Beside] figures] {
            if {[dict get $row task] eq [lindex $subject 0]} {
                return [list [dict get $row base_task] [dict get $row other_task]]
            }
        }
    }

    # Called within long work: handles events; breaks when something else was chosen.
    method goOn {run args} {
        set me [self]
        update
        if {![info object isa object $me] || $run != $Run} {
            return -code error -errorcode {TACTUS CANCELLED} cancelled
        }
    }

    # Runs a method that takes long; 0 when that was cancelled, or this is over.
    method Long {method} {
        lassign [list [self] $Run] me run
        try {
            my $method $run
        } trap {TACTUS CANCELLED} {} {
            return 0
        } on error {message options} {
            if {![info object isa object $me] || $run != $Run} {return 0}
            set Line [text::visible $message 300]
            return 0
        }
        return 1
    }

    method distribute {} {my Long Distribute}

    method Distribute {run} {
        set beside [my Beside]
        if {$beside eq {}} return
        lassign $Subject task measure
        lassign $Job - base other
        if {$measure in {{} misses}} {
            return [$Picture clear [expr {$measure eq {} ? "This task is in one of the traces only."
                : "A deadline is missed or not: there is no distribution."}]]
        }
        set power [$beside power]
        set names [list [text::visible [$View title] 40] [text::visible [file tail [$beside file]] 40]]
        set goOn [namespace code [list my goOn $run]]
        set first [compared::values $Trace $base $measure $goOn]
        set second [compared::scaled [compared::values [$beside trace] $other $measure $goOn] $power]
        if {$run != $Run} return
        if {![llength $first] && ![llength $second]} {return [$Picture clear "No job has this measure."]}
        set unit [my unit]
        $Picture show $first $second $names \
            "$measure of [text::visible $task 40][expr {$unit eq {} ? {} : " ($unit)"}]"
    }

    # ---- the parts of the mean delay ---------------------------------------------------------------------------------

    method part {} {
        set beside [my Beside]
        if {$beside eq {}} return
        set rows {}
        set Longest 1e-300
        foreach row [$beside causes] {
            if {[dict get $row task] ne [lindex $Subject 0]} continue
            set cause [dict get $row cause]
            set Longest [tcl::mathfunc::max $Longest {*}[lmap key {base other} {expr {0.0 + [dict get $row $key]}}]]
            lappend rows [list [expr {$cause eq {} ? "mean response" : $cause}] \
                {*}[lmap key {base other difference} {compared::decimal [dict get $row $key]}] {}]
        }
        set columns [lmap name {cause base other difference bars} {
            dict create name $name type [expr {$name in {cause bars} ? "text" : "time"}] \
                unit [expr {$name in {cause bars} ? {} : [my unit]}] help [dict get {
                    cause "part of the response time" base "in the mean job above" other "in the mean job below"
                    difference "what it adds to the difference" bars "above and below, in one scale"
                } $name]
        }]
        $Delay configure -relation [::tactus::relation $columns $rows -unit [my unit]] \
            -placeholder [expr {[$beside working] ? "comparing \u2026" : "no completed jobs in both"}]
    }

    # Draws two bars for a part, in the scale of the longest.
    method DrawParts {canvas left top right bottom place row} {
        set thick [expr {max(2, ($bottom - $top) / 3)}]
        set y [expr {($top + $bottom) / 2 - $thick}]
        foreach value [lrange $row 1 2] color {first second} {
            if {$value ne {} && $value > 0} {
                $canvas create rectangle $left $y [expr {$left + max(1, ($right - $left) * $value / $Longest)}] \
                    [expr {$y + $thick}] -fill [look::color $color] -outline {} -tags drawn
            }
            set y [expr {$y + $thick}]
        }
    }

    # ---- pairs of jobs -----------------------------------------------------------------------------------------------

    method pair {} {my Long Pair}

    method Pair {run} {
        set beside [my Beside]
        if {$beside eq {}} return
        lassign $Subject task measure
        lassign $Job - base other
        if {$measure eq {}} {return [$Pairs configure -relation {} -placeholder {}]}
        set by $By
        $Pairs configure -placeholder "looking \u2026"
        set goOn [namespace code [list my goOn $run]]
        set first [compared::jobs $Trace $base $measure $goOn]
        set second [compared::jobs [$beside trace] $other $measure $goOn [$beside power] [$beside offset]]
        set rows [compared::pairs $first $second $by $goOn]
        if {$run != $Run} return
        if {$by ne $By} {return [my whenSeen pair]}
        my ShowPairs $rows [compared::columnOf $measure]
    }

    method ShowPairs {rows measure} {
        set columns {}
        foreach {name type help} [list job text "of the trace above" other_job text "of the trace below" \
            difference time "below less above, of $measure" base time "$measure above" other time "$measure below" \
            number count "number of the job above" other_number count "number of the job below"] {
            lappend columns [dict create name $name type $type help $help \
                unit [expr {$type eq "time" ? [my unit] : {}}]]
        }
        $Pairs configure -relation [::tactus::relation $columns $rows -unit [my unit]] \
            -placeholder "no job has a partner"
    }

    # Pairs by the nearest release depend on how the traces are aligned.
    method aligned {args} {
        if {$By eq "release" && $Subject ne {}} {my whenSeen pair}
    }

    # Leads both timelines to the jobs of a pair.
    method goTo {place} {
        set beside [my Beside]
        if {$beside eq {}} return
        try {
            $beside zoomJobs [$Pairs value $place number] [$Pairs value $place other_number]
        } trap TACTUS message {
            my say $message
        }
    }
}

proc ::tactus::player::panels::verdictColor {column value row} {
    switch -- $value {worse {return error} better {return ok} higher - lower {return warning}}
    return
}
