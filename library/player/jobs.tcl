# player/jobs.tcl -- the jobs that are selected in a view: one selection for the table of jobs, plugins' views and the
# timeline.
#
#   select VIEW                  the jobs (indices)
#   select VIEW JOBS ?BY?        selects these; BY is the object that selects, which ignores the event
#
# The timeline emphasizes the first of them; JobsSelected (jobs by) is told to parts and, as <JobsSelected>, to plugins.
# At most a hundred thousand are kept: of a larger range of a statistic the first ones.

namespace eval ::tactus::player::jobs {
    variable most 100000        ;# jobs that are kept
    variable emphasized 500     ;# jobs that the timeline emphasizes
    variable selected {}        ;# view -> jobs of its present trace
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

# Forgets the selection of a view: indices mean nothing in another trace, nor in one that was read anew.
proc ::tactus::player::jobs::forget {view args} {
    variable selected
    dict unset selected $view
}

if {[info commands ::tactus::player::listen] ne {}} {
    foreach event {TraceClosed TraceReloaded} {::tactus::player::listen $event ::tactus::player::jobs::forget}
    unset event
}
