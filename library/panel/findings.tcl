# panel/findings.tcl -- class FindingsPanel: the findings of the checks: verdict, severity, time, objects, sentence;
# click goes there. The button is the window's action "Run Checks" (player/checks.tcl), which tells ChecksRun when it
# begins and when it has ended, and keeps the verdicts in the view; the findings are then drawn over the timeline's
# axis, and N and P go through them.

::tactus::need list/list

oo::class create ::tactus::player::FindingsPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace List Summary

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Summary {}
        set List $Frame.list
        my listIn $List -name findings -noun finding -command [namespace code {my goTo}] -signs {severity verdict} \
            -columns {severity verdict check time end sentence objects line}
        ttk::button $List.bar.run -text "Run Checks" -command [namespace code {my runChecks}]
        $List addTool $List.bar.run
        ttk::label $Frame.summary -anchor w -textvariable [my varname Summary]
        pack $Frame.summary -side bottom -fill x -padx [look::points 3] -pady 1
        pack $List -fill both -expand 1
        tip::add $Frame.summary [namespace code {my summaryTip}]
        my hear FindingsChanged findingsChanged
        my hear ChecksRun checksRun
    }

    method traceChanged {} {
        my findingsChanged
        my checksRun
    }

    method findingsChanged {args} {
        if {$Trace eq {}} {return [$List configure -relation {}]}
        $List replace [$Trace relation findings]
    }

    method summaryTip {x y} {return $Summary}

    # Shows the state of the checks: that they run, which ones ran and when, or nothing.
    method checksRun {args} {
        set checked [$View option checked]
        set running [expr {$checked eq "running"}]
        $List.bar.run state [expr {$running || $Trace eq {} ? "disabled" : "!disabled"}]
        set Summary [expr {$running ? "checking \u2026" : [my verdictsText $checked]}]
        $List configure -placeholder [my nothingText $checked]
    }

    method verdictsText {checked} {
        if {$checked eq {}} return
        join [lmap {check verdict} [dict get $checked verdicts] {
            set sign [lindex [look::sign $verdict] 0]
            string trimleft "$sign [text::visible $check 60]: $verdict"
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
            return [navigate::showFinding $View $finding]
        }
        set words {}
        foreach {option key} {-time time -to end} {
            if {[dict get $finding $key] ne {}} {lappend words $option [dict get $finding $key]}
        }
        my go {*}$words -item [dict merge $finding [list kind finding index $index]]
    }
}
