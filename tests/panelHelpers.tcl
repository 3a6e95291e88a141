# panelHelpers.tcl -- for the tests of panels: what a panel sees of the window, without the window.
#
#   panelOf NAME TRACETEXT ?-file FILE?     a panel over a trace, in .p; its view is in ::panelView
#   panelEnd                                destroys it, closes the trace
#   drawn, settle                           one round of idle work; idle work until there is none, bounded
#   class PanelTestView                     what panels ask of a view; `calls` is what they did
#   class CountingRelation                  n synthetic rows, none of them stored; counts what it is asked for

source [file join [file dirname [info script]] helpers.tcl]
needTk

# No dialogs: what fails in the background is a line that makes one look.
interp bgerror {} {apply {{message options} {puts stderr "background error: [dict get $options -errorinfo]"}}}

namespace eval ::tactus::player {
    variable testListeners {}
    variable testPrefs {}
}

proc ::tactus::player::panel {args} {}
proc ::tactus::player::listen {event prefix {owner {}}} {
    variable testListeners
    lappend testListeners [list $event $prefix $owner]
}
proc ::tactus::player::tell {event view args} {
    variable testListeners
    foreach row $testListeners {
        lassign $row wanted prefix owner
        if {$wanted eq $event && ($owner eq {} || [winfo exists $owner])} {uplevel #0 [list {*}$prefix $view {*}$args]}
    }
}
proc ::tactus::player::pref {what name value} {
    variable testPrefs
    if {$what eq "set"} {return [dict set testPrefs $name $value]}
    expr {[dict exists $testPrefs $name] ? [dict get $testPrefs $name] : $value}
}

if {[testConstraint tk]} {
    ::tactus::need panel/panels panel/panel
    wm geometry . 700x400+0+0
}

oo::class create PanelTestView {
    variable Trace File Timeline Calls Options
    constructor {trace file timeline} {
        set Options {}
        lassign [list $trace $file $timeline] Trace File Timeline
        set Calls {}
    }
    method trace {} {return $Trace}
    method setTrace {trace} {set Trace $trace}
    method file {} {return $File}
    method timeline {} {return $Timeline}
    method selection {} {$Timeline selection get}
    method cursor {} {$Timeline cursor}
    method option {name args} {
        if {[llength $args]} {dict set Options $name [lindex $args 0]}
        expr {[dict exists $Options $name] ? [dict get $Options $name] : {}}
    }
    method go {args} {lappend Calls [list go {*}$args]}
    method zoomGone {} {lappend Calls zoomGone}
    method place {} {list time {} row {}}
    method message {text} {lappend Calls [list message $text]}
    method bar {args} {lappend Calls [list bar {*}$args]}
    method emphasize {args} {lappend Calls [list emphasize {*}$args]}
    method calls {} {
        set calls $Calls
        set Calls {}
        return $calls
    }
}

# value: row i is {i, text i % 3, i / 2}
oo::class create CountingRelation {
    variable N Asked Down Step Work
    constructor {n {work 0}} {lassign [list $n 0 0 1 $work] N Asked Down Step Work}
    method columns {} {
        return {{name time type time help {when}} {name word type text help {a word}} {name half type number help {}}}
    }
    method asked {} {return $Asked}
    method count {} {expr {$N / $Step}}
    method total {} {return $N}
    method At {place} {expr {$Down ? $N - 1 - $place * $Step : $place * $Step}}
    method id {place} {my At $place}
    method place {id} {
        if {$Down} {set id [expr {$N - 1 - $id}]}
        expr {$id % $Step ? -1 : $id / $Step}
    }
    method rows {first count} {
        incr Asked $count
        set rows {}
        for {set place $first} {$place < $first + $count} {incr place} {
            set i [my At $place]
            lappend rows [list $i [lindex {zero one two} [expr {$i % 3}]] [expr {$i / 2.0}]]
        }
        return $rows
    }
    # What takes long: Work reports, as the core does.
    method Progress {options} {
        for {set i 0} {$i < $Work && [dict exists $options -progress]} {incr i} {
            set code [catch {uplevel #0 [list {*}[dict get $options -progress] $i $Work]} message]
            if {$code == 3} {return -code error -errorcode {TACTUS CANCELLED} cancelled}
            if {$code} {error $message}
        }
    }
    method sort {column args} {
        set down [expr {[lindex $args 0] eq "-decreasing"}]
        my Progress [lrange $args $down end]
        set Down $down
    }
    method filter {option where args} {
        if {[string match nix* $where]} {
            return -code error -errorcode {TACTUS USAGE FILTER 1} "there is no column \"nix\""
        }
        my Progress $args
        set Step [expr {$where eq {} ? 1 : 10}]
    }
    method close {} {my destroy}
}

proc drawn {} {
    update
}

proc settle {} {
    for {set i 0} {$i < 20} {incr i} {update}
}

proc panelOf {name text args} {
    set file [withTrace $text]
    set trace [tactus::open $file]
    tactus::timeline .timeline -trace $trace -width 300 -height 100
    ttk::frame .p
    pack .timeline .p -fill both -expand 1
    set ::panelView [PanelTestView new $trace $file .timeline]
    set panel [::tactus::player::panels::create $name .p $::panelView]
    settle
    return $panel
}

proc panelEnd {} {
    destroy .p .timeline
    # The window forgets listeners with the widget that owns them.
    set ::tactus::player::testListeners [lsearch -all -inline -exact -index 2 $::tactus::player::testListeners {}]
    set trace [$::panelView trace]
    ::tactus::player::tell TraceClosed $::panelView
    if {$trace ne {}} {$trace close}
    $::panelView destroy
    unset ::panelView
}
