# player/outlier.tcl -- a trace with a wild time: a few events so far from all others that these would be one pixel.
#
#   outlier::say VIEW     at opening: a bar with a button that shows the others
#
# The range of the others (library/outlier.tcl) is the option `extent` of the view, which the overview shows while what
# is seen lies in there.

::tactus::need outlier times player/units

namespace eval ::tactus::player::outlier {
    namespace path ::tactus::player
}

proc ::tactus::player::outlier::say {view} {
    set w [$view timeline]
    $view option extent {}
    set found [::tactus::outlier::find [$view trace]]
    if {$found eq {}} {return [$view closeBar outlier]}
    lassign $found from to count
    lassign [$w view] left right
    # So the trace was left.
    if {[::tactus::times::compare $left $from] >= 0 && [::tactus::times::compare $right $to] <= 0} {
        return [$view option extent [list $from $to]]
    }
    set what [expr {$count ? "[text::counted $count event] [expr {$count == 1 ? {lies} : {lie}}]" : "A time lies"}]
    $view bar note "$what far from the other events, which take\
        [units::length $view [::tactus::times::subtract $to $from] 4] of\
        [units::length $view [::tactus::times::subtract {*}[lreverse [$w span]]] 4]." -name outlier \
        -buttons [list "Show the Others" [list ::tactus::player::outlier::show $view $from $to]]
}

proc ::tactus::player::outlier::show {view from to} {
    $view option extent [list $from $to]
    ::tactus::timeline::range [$view timeline] $from $to
}
