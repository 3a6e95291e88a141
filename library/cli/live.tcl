# cli/live.tcl -- tactus live: the window follows programs while they run.
#
#   folder of directories, or one directory; the kernel; a relay -> tactus::recorder
#   -> a view that follows (player/live.tcl)

::tactus::need cli/check

namespace eval ::tactus::cli::live {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runLive {operands options} {
    if {[llength $operands] > 1} {usageError live "at most one folder or relay is followed"}
    set width [option $options -width 1]
    if {$width < 1e-9 || $width > 1e9} {
        usageError live "bad value \"$width\" of --width: must be seconds from 1e-9 to 1e9"
    }
    set judged [expr {[dict exists $options -with] || [dict exists $options -expect]}]
    set checks [expr {$judged ? [check::chosen $options] : {}}]
    set what [if {[llength $operands]} {lindex $operands 0} else ::tactus::recordFolder]
    set recorder [::tactus::recorder {*}[live::how $what $options]]
    set title "live: [expr {[llength $operands] ? $what : {programs}}]"
    after idle [list ::tactus::player::live::open $recorder $title -width $width -check $checks]
    compat::window {} $options
}

# The options of tactus::recorder. what: a folder, a directory, or the address of a relay.
proc ::tactus::cli::live::how {what options} {
    set how [list -memory 64M {*}[among $options {
        {name -memory} {name -output} {name -trusted} {name -key}
    }] -keep [option $options -history 60]]
    if {[dict exists $options -kernel]} {lappend how -kernel yes -events [dict get $options -kernel]}
    # A packet may have up to 1 MB, and is held as a whole.
    set memory [dict get $how -memory]
    if {[scan $memory {%lld%s} count unit] < 2} {set unit {}}
    if {[regexp {^\d+[kMG]?$} $memory] && $count * [dict get {{} 1 k 1e3 M 1e6 G 1e9} $unit] < 1e6} {
        usageError live "bad value \"$memory\" of --memory: must be at least 1M"
    }
    if {![isAddress $what]} {return [list {*}$how -folders [list $what]]}
    if {[dict exists $options -output]} {
        usageError live "--output is for programs of this machine; the relay can write a file itself (tactus_relay(5))"
    }
    list {*}$how -connect $what
}

proc ::tactus::cli::live::isAddress {what} {
    expr {![file exists $what] && [regexp {^[^/]*:\d+$} $what]}
}
