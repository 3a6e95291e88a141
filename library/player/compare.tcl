# player/compare.tcl -- comparing the trace of a view with a second one: the commands of the menu, and the session.
#
#   compare::of VIEW                   the Beside of the view (player/compareBeside.tcl); {}: nothing is compared
#   compare::begin VIEW FILE ?AT?      opens a second trace; AT as of compareAlign.tcl
#   compare::end VIEW, reload VIEW
#   compare::align KIND VIEW           what the menu offers: begin zero times mark markerA markerB jobs

::tactus::need player/compareAlign player/compareBeside

proc ::tactus::player::compare::of {view} {
    if {![::tactus::player::alive $view]} return
    set beside [$view option compare]
    if {[::tactus::player::alive $beside]} {return $beside}
    return
}

proc ::tactus::player::compare::openDialog {view} {
    set dir [expr {[$view file] in {{} -} ? [pwd] : [file dirname [$view file]]}]
    set file [tk_getOpenFile -parent [$view window] -title "Compare With" -initialdir $dir -filetypes {
        {Traces {.tactus .grasp .log .trace .ftrace .dat .txt .csv .gz .xz .zst}} {{All files} *}
    }]
    if {$file ne {}} {begin $view $file}
}

# Opens a trace beside the view's; what is compared now stays until that has worked.
proc ::tactus::player::compare::begin {view file {at begin}} {
    set pending [$view option comparePending]
    if {[::tactus::player::alive $pending]} {$pending destroy}
    $view option comparePending [::tactus::player::Beside new $view [file normalize $file] $at]
}

proc ::tactus::player::compare::end {view} {
    foreach beside [list [of $view] [$view option comparePending]] {
        if {[::tactus::player::alive $beside]} {$beside destroy}
    }
}

proc ::tactus::player::compare::reload {view} {
    set beside [of $view]
    if {$beside ne {}} {begin $view [$beside file] [$beside at]}
}

# ---- aligning --------------------------------------------------------------------------------------------------------

proc ::tactus::player::compare::align {kind view} {
    set beside [of $view]
    if {$beside eq {}} return
    switch -- $kind {
        begin - zero {$beside align $kind}
        times {
            ::tactus::player::commands::ask $view "Align Two Times" \
                "A time of this trace and one of the other: 10 12.5" {} [list $beside alignTimes]
        }
        mark {
            ::tactus::player::commands::ask $view "Align at a Mark or Event" \
                "Text of a message, name of an event, or id of a job: the first one in each trace" {} \
                [list $beside alignMark]
        }
        markerA - markerB {$beside alignMarkers [string index $kind end]}
        jobs {$beside alignJobs}
    }
}

# ---- the session -----------------------------------------------------------------------------------------------------

# What the session keeps: {file at}; {}: nothing is compared.
proc ::tactus::player::compare::state {view} {
    set beside [of $view]
    if {$beside ne {}} {return [list [$beside file] [$beside at]]}
    return
}

# Opens what the session or the program's option says; a file of the session that is gone is left out.
proc ::tactus::player::compare::restore {view} {
    variable given
    lassign [$view option compareWith] file at
    $view option compareWith {}
    if {![info exists given]} {
        set given [::tactus::player::option -compare {}]
        if {$given ne {}} {return [begin $view $given]}
    }
    if {$file eq {} || ![file readable $file] || [of $view] ne {}} return
    begin $view $file [expr {[lindex $at 0] in {zero begin times mark jobs offset} ? $at : "begin"}]
}
