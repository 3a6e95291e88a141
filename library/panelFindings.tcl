# panelFindings.tcl -- what the checks found: verdict, severity, time, objects, sentence; click goes there. The button
# runs the checks (tactus::check::run); the findings are then drawn over the timeline's axis and N and P go through them.

::tactus::player::panels::need virtualList

oo::class create ::tactus::player::FindingsPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace List Summary Running

    method build {} {
	set Running 0
	set Summary {}
	set List $Frame.list
	my listIn $List -name findings -noun finding -command [namespace code {my goTo}] -signs {severity verdict} \
	    -columns {severity verdict check time end sentence objects line} \
	    -placeholder "no findings: Run checks looks for them"
	ttk::button $List.bar.run -text "Run checks" -command [namespace code {my runChecks}]
	$List addTool $List.bar.run
	ttk::label $Frame.summary -anchor w -textvariable [my varname Summary]
	pack $Frame.summary -side bottom -fill x -padx [::tactus::player::panels::px 3] -pady 1
	pack $List -fill both -expand 1
	::tactus::player::panels::tip $Frame.summary [namespace code {my summaryTip}]
	my hear FindingsChanged findingsChanged
    }

    method varname {name} {return [info object namespace [self]]::$name}

    method traceChanged {} {
	set Summary {}
	my findingsChanged
    }

    method findingsChanged {args} {
	if {$Trace eq {}} {return [$List configure -relation {}]}
	$List replace [$Trace relation findings]
    }

    method summaryTip {x y} {return $Summary}

    # The window's action when there is one: its menu entry and key then do the same.
    method runChecks {} {
	if {$Trace eq {} || $Running} return
	set Running 1
	$List.bar.run state disabled
	set me [self]
	set Summary "checking \u2026"
	update idletasks
	try {
	    # The window reads the checks when they are first wanted.
	    if {[info commands ::tactus::check::run] eq {}} {::tactus::player::panels::need check}
	    set verdicts [::tactus::check::run $Trace]
	} on error {message options} {
	    if {[info object isa object $me]} {set Summary [::tactus::player::panels::visible $message 400]}
	    set verdicts {}
	}
	if {![info object isa object $me]} return
	set Running 0
	$List.bar.run state !disabled
	if {$verdicts ne {}} {
	    set Summary [join [lmap {check verdict} $verdicts {
		set sign [lindex [::tactus::player::panels::sign $verdict] 0]
		string trimleft "$sign [::tactus::player::panels::visible $check 60]: $verdict"
	    }] "     "]
	}
	::tactus::player::tell FindingsChanged $View
    }

    # The finding itself, whose objects are a list; the window knows the row of the first one that has one.
    method goTo {place} {
	set index [[$List relation] id $place]
	set finding [lindex [$Trace finding list] $index]
	if {$finding eq {}} return
	if {[info commands ::tactus::player::navigate::showFinding] ne {}} {
	    return [::tactus::player::navigate::showFinding $View $finding]
	}
	set words {}
	foreach {option key} {-time time -to end} {
	    if {[dict get $finding $key] ne {}} {lappend words $option [dict get $finding $key]}
	}
	my go {*}$words -item [dict merge $finding [list kind finding index $index]]
    }
}
