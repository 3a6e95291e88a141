# timelineSync.tcl -- several timelines that show one range of time, one above the other.
#
#   tactus::timeline::sync WINDOW ...       from now on the left edges and ranges of these are the same
#   tactus::timeline::unsync WINDOW ...     each on its own again
#
# A bind tag tells of changes. The left edge follows from -labelwidth: the widest names of all. -reach lets each
# timeline go as far as any of the traces does. A range that was set here comes back as an event, and is recognized by
# its value.

namespace eval ::tactus::timeline {
    variable partners   ;# window -> all windows that are together with it, itself too
    array set partners {}
    variable shown      ;# window -> range that it was given here
    array set shown {}
    variable waiting    ;# window -> 1: its group is arranged at idle time
    array set waiting {}
}

proc ::tactus::timeline::sync {args} {
    variable partners
    foreach window $args {
        if {![winfo exists $window] || [winfo class $window] ne "TactusTimeline"} {
            return -code error -errorcode [list TACTUS LOOKUP WINDOW $window] "no timeline \"$window\""
        }
    }
    set windows [lsort -unique $args]
    unsync {*}$windows
    foreach window $windows {
        set partners($window) $windows
        bindtags $window [linsert [bindtags $window] end TactusTogether]
    }
    set first [lindex $args 0]
    if {[llength $args]} {
        arrangeTogether $first
        followRange $first
    }
}

proc ::tactus::timeline::unsync {args} {
    variable partners
    variable shown
    foreach window $args {
        if {![info exists partners($window)]} continue
        foreach other $partners($window) {
            set partners($other) [lsearch -all -inline -exact -not $partners($other) $window]
        }
        unset partners($window)
        unset -nocomplain shown($window)
        if {![winfo exists $window]} continue
        bindtags $window [lsearch -all -inline -exact -not [bindtags $window] TactusTogether]
        catch {$window configure -labelwidth 0 -reach {}}
    }
}

# Gives the range of a timeline to its partners.
proc ::tactus::timeline::followRange {window} {
    variable partners
    variable shown
    if {![info exists partners($window)] || [$window cget -trace] eq {}} return
    set range [$window view]
    if {[info exists shown($window)] && $shown($window) eq $range} return
    foreach other $partners($window) {
        if {[$other cget -trace] eq {}} continue
        if {$other ne $window} {$other view {*}$range}
        set shown($other) [$other view]
    }
}

# Lets all timelines together with this one reach as far as any, and makes their names equally wide.
proc ::tactus::timeline::arrangeTogether {window} {
    variable partners
    variable waiting
    unset -nocomplain waiting($window)
    if {![info exists partners($window)]} return
    set windows [lmap other $partners($window) {if {[$other cget -trace] eq {}} continue; set other}]
    if {![llength $windows]} return
    set times [concat {*}[lmap other $windows {$other span}]]
    set first [tcl::mathfunc::min {*}$times]
    set last [tcl::mathfunc::max {*}$times]
    if {$first > 0 && $first <= 0.35 * $last} {set first 0}
    set margin [expr {0.06 * ($last - $first) + 1}]
    set reach [list [format %.9f [expr {$first - $margin}]] [format %.9f [expr {$last + $margin}]]]
    set most 0
    foreach other $windows {
        $other configure -labelwidth 0 -reach $reach
        catch {set most [expr {max($most, [$other labels])}]}
    }
    foreach other $windows {$other configure -labelwidth $most}
}

proc ::tactus::timeline::arrangeSoon {window} {
    variable waiting
    if {[info exists waiting($window)]} return
    set waiting($window) 1
    after idle [list ::tactus::timeline::arrangeTogether $window]
}

bind TactusTogether <<Zoomed>> {::tactus::timeline::followRange %W}
bind TactusTogether <<TraceChanged>> {::tactus::timeline::arrangeSoon %W}
bind TactusTogether <<RowsChanged>> {::tactus::timeline::arrangeSoon %W}
bind TactusTogether <Configure> {::tactus::timeline::arrangeSoon %W}
bind TactusTogether <Destroy> {::tactus::timeline::unsync %W}
