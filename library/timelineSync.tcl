# timelineSync.tcl -- several timelines that show one range of time, one above the other.
#
#   tactus::timeline::sync WINDOW ...       from now on the left edges, ranges and cursors of these are the same
#   tactus::timeline::unsync WINDOW ...     each on its own again
#   tactus::timeline::shift WINDOW ?OFFSET? ?POWER?
#                                           its time t stands at t * 10^POWER + OFFSET, the time of the others (0 0)
#
# A bind tag tells of changes. The left edge follows from -labelwidth: the widest names of all. -reach lets each
# timeline go as far as any of the traces does. A range or a cursor that was set here comes back as an event, and is
# recognized by its value.

::tactus::need times

namespace eval ::tactus::timeline {
    variable partners   ;# window -> all windows that are together with it, itself too
    array set partners {}
    variable shown      ;# window -> range that it was given here
    array set shown {}
    variable pointed    ;# window -> cursor that it was given here
    array set pointed {}
    variable shifts     ;# window -> {offset power}: its times are not those of the others
    array set shifts {}
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
        lead $first
    }
}

proc ::tactus::timeline::unsync {args} {
    variable partners
    variable shown
    variable pointed
    variable shifts
    foreach window $args {
        if {![info exists partners($window)]} continue
        foreach other $partners($window) {
            set partners($other) [lsearch -all -inline -exact -not $partners($other) $window]
        }
        unset partners($window)
        unset -nocomplain shown($window) pointed($window) shifts($window)
        if {![winfo exists $window]} continue
        bindtags $window [lsearch -all -inline -exact -not [bindtags $window] TactusTogether]
        catch {$window configure -labelwidth 0 -reach {}}
    }
}

# The offset and power of a timeline's times; with arguments: sets them, and moves it to the range of its partners.
proc ::tactus::timeline::shift {window args} {
    variable partners
    variable shifts
    if {![info exists partners($window)]} {
        return -code error -errorcode [list TACTUS LOOKUP WINDOW $window] "\"$window\" is not together with others"
    }
    if {![llength $args]} {return [expr {[info exists shifts($window)] ? $shifts($window) : {0 0}}]}
    if {[llength $args] > 2} {
        return -code error -errorcode {TCL WRONGARGS} \
            "wrong # args: should be \"tactus::timeline::shift window ?offset? ?power?\""
    }
    lassign $args offset power
    ::tactus::times::decimal $offset
    if {$power eq {}} {set power 0}
    if {![string is integer -strict $power] || abs($power) > 18} {
        return -code error -errorcode {TACTUS USAGE VALUE} "bad power \"$power\": must be from -18 to 18"
    }
    set shifts($window) [list $offset $power]
    arrangeTogether $window
    foreach other $partners($window) {
        if {$other ne $window && [$other cget -trace] ne {}} {return [lead $other]}
    }
}

# Gives the range and the cursor of a timeline to its partners, though it has not changed.
proc ::tactus::timeline::lead {window} {
    variable shown
    variable pointed
    unset -nocomplain shown($window) pointed($window)
    followRange $window
    followCursor $window
}

# A time of a timeline as that of its group, and back.
proc ::tactus::timeline::toCommon {window time} {
    variable shifts
    if {![info exists shifts($window)]} {return $time}
    lassign $shifts($window) offset power
    ::tactus::times::add [::tactus::times::scale $time $power] $offset
}

proc ::tactus::timeline::fromCommon {window time} {
    variable shifts
    if {![info exists shifts($window)]} {return $time}
    lassign $shifts($window) offset power
    ::tactus::times::scale [::tactus::times::subtract $time $offset] [expr {-$power}]
}

# Gives the range of a timeline to its partners.
proc ::tactus::timeline::followRange {window} {
    variable partners
    variable shown
    if {![info exists partners($window)] || [$window cget -trace] eq {}} return
    set range [$window view]
    if {[info exists shown($window)] && $shown($window) eq $range} return
    set common [lmap time $range {toCommon $window $time}]
    foreach other $partners($window) {
        if {[$other cget -trace] eq {}} continue
        # A time that is too large for this one leaves it where it is.
        if {$other ne $window} {catch {$other view {*}[lmap time $common {fromCommon $other $time}]}}
        set shown($other) [$other view]
    }
}

# Gives the cursor of a timeline to its partners.
proc ::tactus::timeline::followCursor {window} {
    variable partners
    variable pointed
    if {![info exists partners($window)] || [$window cget -trace] eq {}} return
    set time [$window cursor]
    if {[info exists pointed($window)] && $pointed($window) eq $time} return
    set pointed($window) $time
    foreach other $partners($window) {
        if {$other eq $window || [$other cget -trace] eq {}} continue
        catch {$other cursor [if {$time ne {}} {fromCommon $other [toCommon $window $time]}]}
        set pointed($other) [$other cursor]
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
    set times [concat {*}[lmap other $windows {lmap time [$other span] {toCommon $other $time}}]]
    set first [tcl::mathfunc::min {*}$times]
    set last [tcl::mathfunc::max {*}$times]
    if {$first > 0 && $first <= 0.35 * $last} {set first 0}
    set margin [expr {$last > $first ? 0.06 * ($last - $first) : 1}]
    set reach [list [::tactus::format %.9f [expr {$first - $margin}]] [::tactus::format %.9f [expr {$last + $margin}]]]
    set most 0
    foreach other $windows {
        $other configure -labelwidth 0
        catch {$other configure -reach [lmap time $reach {::tactus::format %.9f [fromCommon $other $time]}]}
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
bind TactusTogether <<TimeChanged>> {::tactus::timeline::followCursor %W}
bind TactusTogether <<TraceChanged>> {::tactus::timeline::arrangeSoon %W}
bind TactusTogether <<RowsChanged>> {::tactus::timeline::arrangeSoon %W}
bind TactusTogether <Configure> {::tactus::timeline::arrangeSoon %W}
bind TactusTogether <Destroy> {::tactus::timeline::unsync %W}
