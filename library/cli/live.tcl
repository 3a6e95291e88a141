# cli/live.tcl -- tactus live: the window follows programs while they run.
#
#   folder of directories, or one directory; the kernel -> tactus::recorder -> a view that follows (player/live.tcl)

::tactus::need cli/check

namespace eval ::tactus::cli::live {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runLive {operands options} {
    if {[llength $operands] > 1} {usageError live "at most one folder is followed"}
    set judged [expr {[dict exists $options -with] || [dict exists $options -expect]}]
    set checks [expr {$judged ? [check::chosen $options] : {}}]
    set folder [expr {[llength $operands] ? [lindex $operands 0] : [::tactus::recordFolder]}]
    set recorder [::tactus::recorder {*}[live::how $folder $options]]
    set title "live: [expr {[llength $operands] ? $folder : {programs}}]"
    after idle [list ::tactus::player::live::open $recorder $title -width [option $options -width 1] -check $checks]
    compat::window {} $options
}

# The options of tactus::recorder.
proc ::tactus::cli::live::how {folder options} {
    set how [list -folders [list $folder] -memory 64M {*}[among $options {
        {name -memory} {name -keep} {name -output} {name -trusted}
    }]]
    if {[dict exists $options -kernel]} {lappend how -kernel yes -events [dict get $options -kernel]}
    return $how
}
