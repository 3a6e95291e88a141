# player/jobs.tcl -- the jobs that are selected in a view: one selection for the table of jobs, plugins' views and the
# timeline.
#
#   select VIEW                  the jobs (indices)
#   select VIEW JOBS ?BY?        selects these; BY is who did, and need not hear of it
#
# The timeline emphasizes them, as many as it can show; JobsSelected (jobs by) is told to parts and, as <JobsSelected>,
# to plugins. A hundred thousand are the most that are kept: who selects a range of a statistic gets the first of them.

namespace eval ::tactus::player::jobs {
    variable most 100000        ;# jobs that are kept
    variable emphasized 500     ;# of which the timeline shows
    variable selected {}        ;# view -> jobs, as long as its trace is there
}

proc ::tactus::player::jobs::select {view args} {
    variable most
    variable emphasized
    variable selected
    if {![llength $args]} {return [expr {[dict exists $selected $view] ? [dict get $selected $view] : {}}]}
    lassign $args jobs by
    set jobs [lrange $jobs 0 [expr {$most - 1}]]
    dict set selected $view $jobs
    catch {$view emphasize jobs [lmap job [lrange $jobs 0 [expr {$emphasized - 1}]] {list job $job}]}
    ::tactus::player::tell JobsSelected $view $jobs $by
    return $jobs
}

# Indices mean nothing in another trace, nor in one that was read anew.
proc ::tactus::player::jobs::forget {view args} {
    variable selected
    dict unset selected $view
}

if {[info commands ::tactus::player::listen] ne {}} {
    foreach event {TraceClosed TraceReloaded} {::tactus::player::listen $event ::tactus::player::jobs::forget}
    unset event
}
