# panel/findings.tcl -- class FindingsPanel: the findings of the checks. At the left what was found, a row for each
# check and thing with the number of findings, the gravest first, what is only uncertain behind; at the right the
# findings of the row that is chosen, with a line of what to do. A click goes there.
#
# The button is the window's action "Run Checks" (player/checks.tcl), which tells ChecksRun when it begins and when it
# has ended, and keeps the verdicts in the view; the findings are then drawn over the timeline's axis, and N and P go
# through them here, too.

::tactus::need list/list

oo::class create ::tactus::player::FindingsPanel {
    superclass ::tactus::player::Panel
    # Sorts: dicts of check, verdict, severity and subject, a row of Groups each; Chosen: the one that is listed
    variable Frame View Trace List Groups Sorts Chosen Advice Summary
    variable More   ;# says which findings are not listed

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign {} Summary Advice Sorts Chosen More
        set List $Frame.list
        set Groups $Frame.groups
        ttk::panedwindow $Frame.pane -orient horizontal
        my BuildLists
        ttk::label $Frame.advice -anchor w -textvariable [my varname Advice]
        ttk::label $Frame.summary -anchor w -textvariable [my varname Summary]
        ttk::label $Frame.more -anchor w -textvariable [my varname More]
        foreach label {advice summary more} {look::wrap $Frame.$label}
        pack $Frame.summary $Frame.advice -side bottom -fill x -padx [look::points 3] -pady 1
        pack $Frame.pane -fill both -expand 1
        bind $Frame.pane <Configure> [namespace code {my firstWidth %w}]
        my hear FindingsChanged findingsChanged
        my hear Shown shown
        my hear ChecksRun checksRun
    }

    # The sentences need the larger part of the width.
    method firstWidth {width} {
        if {$width < 2} return
        bind $Frame.pane <Configure> {}
        $Frame.pane sashpos 0 [expr {round(0.4 * $width)}]
    }

    # Makes the list of groups, and that of the findings of one.
    method BuildLists {} {
        my listIn $Groups -name findingGroups -noun row -command [namespace code {my choose}] \
            -signs {severity verdict} -columns {severity count check subject verdict} -filterbar 0 -opencommand {} \
            -paintcolumns {count check subject} -paint [list apply {{column value row} {
                # What is only uncertain is told apart where there is no room for the column of verdicts, too.
                expr {[lindex $row 1] eq "uncertain" ? "muted" : {}}
            }}]
        my listIn $List -name findings -noun finding -command [namespace code {my goTo}] -signs {severity verdict} \
            -columns {time sentence end objects line}
        ttk::button $List.bar.run -text "Run Checks" -command [namespace code {my runChecks}]
        $List addTool $List.bar.run
        $Frame.pane add $Groups -weight 2
        $Frame.pane add $List -weight 5
        raise $Groups
        raise $List
        bind $Groups <<ListboxSelect>> [namespace code {my chosen}]
    }

    method traceChanged {} {
        my findingsChanged
        my checksRun
    }

    # Lists the groups anew, and the findings of the one that was chosen, or of the first.
    method findingsChanged {args} {
        set before [expr {$Chosen eq {} ? {} : [lindex $Sorts $Chosen]}]
        set Sorts {}
        set rows {}
        foreach group [expr {$Trace eq {} ? {} : [$Trace finding groups]}] {
            lappend Sorts [my sortOf $group]
            lappend rows [lmap key {severity verdict count check subject} {dict get $group $key}]
        }
        if {![llength $rows]} {
            set Chosen {}
            set Advice {}
            $Groups configure -relation {}
            return [$List configure -relation {}]
        }
        $Groups replace [::tactus::relation {
            {name severity words {note warning error}} {name verdict words {valid uncertain invalid}}
            {name count type count} {name check} {name subject}
        } $rows]
        set Chosen {}
        my choose [expr {max(0, [lsearch -exact $Sorts $before])}]
    }

    # What findings of a group have in common.
    method sortOf {finding} {
        set sort {}
        foreach key {check verdict severity subject} {lappend sort $key [dict get $finding $key]}
        return $sort
    }

    method chosen {} {
        set place [$Groups current]
        if {$place ne {} && $place >= 0} {my choose $place}
    }

    # Lists the findings of the group at a place of the list of groups.
    method choose {place} {
        set group [[$Groups relation] id $place]
        if {$group eq $Chosen} return
        set Chosen $group
        $Groups current $place
        set sort [lindex $Sorts $group]
        set Advice [my adviceOn $sort]
        $List replace [$Trace relation findings -where [join [lmap {key value} $sort {
            string cat "$key == " [my Quoted $value]
        }] { && }]]
    }

    # A value in a filter (tactus(1), FILTERS).
    method Quoted {value} {
        if {$value eq {}} {return empty}
        return "\"[string map {\" \\\" \\ \\\\} $value]\""
    }

    # What to do about findings of this sort: what their check says.
    method adviceOn {sort} {
        if {[info commands ::tactus::check::advice] eq {}} return
        ::tactus::check::advice [dict get $sort check] [dict get $sort verdict]
    }

    # The finding that the window shows, by N and P or a click in the overview, becomes the current one, in its group.
    method shown {item} {
        if {$Trace eq {} || ![dict exists $item index] || [dict get $item kind] ne "finding"} return
        set index [dict get $item index]
        set group [lsearch -exact $Sorts [my sortAt $index]]
        if {$group < 0} return
        my choose [[$Groups relation] place $group]
        set place [[$List relation] place $index]
        if {$place >= 0 && $place != [$List current]} {
            $List current $place
            $List see $place
        }
    }

    # What the finding with an index has in common with those of its group.
    method sortAt {index} {
        set relation [$Trace relation findings]
        try {
            set sort {}
            foreach column [$relation columns] value [lindex [$relation rows $index 1] 0] {
                dict set sort [dict get $column name] $value
            }
            return [my sortOf $sort]
        } finally {
            $relation close
        }
    }

    # Shows the state of the checks: that they run, which ones ran and when, or nothing.
    method checksRun {args} {
        set checked [$View option checked]
        set running [expr {$checked eq "running"}]
        set More [expr {$running || $checked eq {} ? {} : [my moreText [text::valueOf $checked totals]]}]
        if {$More eq {}} {pack forget $Frame.more} else {
            pack $Frame.more -side bottom -fill x -padx [look::points 3] -pady 1 -after $Frame.advice
        }
        $List.bar.run state [expr {$running || $Trace eq {} ? "disabled" : "!disabled"}]
        set Summary [expr {$running ? "checking \u2026" : [my verdictsText $checked]}]
        $List configure -placeholder [my nothingText $checked]
    }

    # Says of which checks there are more findings than are listed.
    method moreText {totals} {
        if {$Trace eq {} || ![dict size $totals]} return
        set all 1
        set parts {}
        dict for {check numbers} $totals {
            lassign $numbers listed counted total
            lappend parts "$check: [text::group $listed] of [text::counted $total finding] are listed"
            if {$counted < $total} {set all 0}
        }
        string cat [join $parts ", "] [expr {$all ? "; axis and strip above the timeline mark all of them" : {}}]
    }

    # The checks by their verdicts, the gravest first.
    method verdictsText {checked} {
        if {$checked eq {}} return
        dict for {check verdict} [dict get $checked verdicts] {dict lappend by $verdict [text::visible $check 60]}
        join [lmap verdict {invalid uncertain valid inapplicable} {
            if {![info exists by] || ![dict exists $by $verdict]} continue
            set sign [lindex [look::sign $verdict] 0]
            string trimleft "$sign $verdict: [join [dict get $by $verdict] {, }]"
        }] "     "
    }

    # The text in place of an empty list.
    method nothingText {checked} {
        if {$checked eq "running"} {return "checking \u2026"}
        if {$checked eq {}} {return "no findings: Run Checks looks for them"}
        set ran {}
        set others {}
        dict for {check verdict} [dict get $checked verdicts] {
            lappend [expr {$verdict eq "inapplicable" ? "others" : "ran"}] $check
        }
        set text "Checked at [dict get $checked time]: nothing found"
        if {[llength $ran]} {append text "\nby [text::visible [join $ran {, }] 400]"}
        if {[llength $others]} {append text "\nnothing to judge here for [text::visible [join $others {, }] 400]"}
        return $text
    }

    method runChecks {} {
        if {$Trace ne {}} {actions::run runChecks $View}
    }

    # Goes to the finding. The window (player/navigate.tcl) finds the row of the first of its objects that has one.
    method goTo {place} {
        set index [[$List relation] id $place]
        set finding [lindex [$Trace finding list] $index]
        if {$finding eq {}} return
        if {[info commands ::tactus::player::navigate::showFinding] ne {}} {
            return [navigate::showFinding $View [dict merge $finding [list index $index]]]
        }
        set words {}
        foreach {option key} {-time time -to end} {
            if {[dict get $finding $key] ne {}} {lappend words $option [dict get $finding $key]}
        }
        my go {*}$words -item [dict merge $finding [list kind finding index $index]]
    }
}
