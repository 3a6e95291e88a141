# figureKinds.tcl -- the figures that are looked at: of which demos, and in which kinds. For the gallery
# (tests/screenshots/gallery.tcl), which draws them for people, and for tests (tests/figureTexts.test).

package require tactus
::tactus::need plugin/plugin

namespace eval ::figureKinds {
    variable root [file dirname [file dirname [file normalize [info script]]]]
    ::tactus::plugin::loadAll -only [lmap name {distribution stacked} {file join $root plugins $name.tcl}] \
        -directories {}
}

# Paths of the demos with one of these names, and of those of models.
proc ::figureKinds::demos {{patterns *}} {
    variable root
    set found {}
    foreach pattern $patterns {
        foreach file {*.tactus *.ftrace models/*.ftrace.gz} {
            lappend found {*}[glob -nocomplain [file join $root demos [string map [list * $pattern] $file]]]
        }
    }
    lsort -unique $found
}

# Opens a trace with the mapping beside it; those of models have one for each, device.map for device-bad.ftrace.gz.
proc ::figureKinds::open {path} {
    set name [file rootname $path]
    if {[string match *.ftrace.gz $path]} {set name [regsub -- {-[^-/]*$} $path {}]}
    tactus::open $path {*}[expr {[file exists $name.map] ? [list -map $name.map] : {}}]
}

# Draws a file: of the timeline, or of the view of a plugin that the first option names.
proc ::figureKinds::draw {trace file args} {
    if {[lindex $args 0] ne "-view"} {return [$trace export $file {*}$args]}
    set args [lassign $args - view]
    ::tactus::plugin::figure $trace $view $file {*}$args
}

# Kinds with one of these names: name, options, over and over; those of plugins' views begin with -view.
proc ::figureKinds::named {{patterns *}} {
    set kinds {}
    foreach {name options} [all] {
        foreach pattern $patterns {
            if {![string match $pattern $name]} continue
            lappend kinds $name $options
            break
        }
    }
    return $kinds
}

# All of them.
proc ::figureKinds::all {} {
    foreach preset [tactus::describe presets] {
        set name [dict get $preset name]
        set options [list -preset $name {*}[expr {[dict get $preset height] > 0 ? {-pages 1} : {}}]]
        foreach convention {grasp rtsched} {
            lappend kinds $name-$convention [list {*}$options -convention $convention]
            lappend kinds $name-$convention-gray [list {*}$options -convention $convention -grayscale 1]
        }
    }
    foreach convention {grasp rtsched} {
        foreach {name options} {
            dark            {-preset screen -dark 1 -legend right}
            dark-all        {-preset article -dark 1 -color-by task -deadlines all -buffers 1 -mark-servers 1}
            by-task         {-preset article -color-by task}
            by-task-gray    {-preset article -color-by task -grayscale 1}
            by-state        {-preset article -color-by state}
            by-processor    {-preset article -color-by processor}
            by-processor-gray {-preset article -color-by processor -grayscale 1}
            by-priority     {-preset article -color-by priority}
            by-priority-gray {-preset article -color-by priority -grayscale 1}
            by-outcome      {-preset article -color-by outcome -deadlines all}
            by-outcome-gray {-preset article -color-by outcome -deadlines all -grayscale 1}
            expanded        {-preset ieee-column -processors expanded -pages 1}
            collapsed       {-preset ieee-column -processors collapsed}
            collapsed-gray  {-preset ieee-column -processors collapsed -grayscale 1}
            none            {-preset ieee-column -processors none}
            all-layers      {-preset ieee-page -deadlines all -mark-servers 1 -buffers 1
                -layers {arrows deadlines misses preemptions mutexes annotations calls messages migrations findings}}
            no-layers       {-preset ieee-column -layers {}}
            bar-job         {-preset ieee-page -bar-text job}
            bar-duration    {-preset ieee-page -bar-text duration -processors collapsed}
            right           {-preset article-column -legend right}
            bare            {-preset ieee-column -legend none -breaks 1}
            tree            {-preset ieee-column -group-by auto -pages 1}
            tree-kinds      {-preset acm -group-by kind -fold * -pages 1 -color-by task}
            tree-processor  {-preset ieee-column -group-by processor -fold {} -pages 1 -grayscale 1}
            pages           {-preset ieee-column -height 140 -pages 1}
            low             {-preset ieee-page -height 100 -legend right}
            natural         {-legend right}
        } {
            lappend kinds $name-$convention [list {*}$options -convention $convention]
        }
    }
    foreach view {stacked histogram cdf overtime} {
        foreach {name options} {
            column  {-preset ieee-column}
            gray    {-preset article -grayscale 1}
            beamer  {-preset beamer}
            dark    {-preset article -dark 1}
        } {
            lappend kinds $view-$name [list -view $view {*}$options]
        }
    }
    foreach {name options} {
        all     {-preset ieee-page -task *}
        groups  {-preset ieee-column -group outcome -base completion}
        together {-preset article -task * -together 1 -legend none}
    } {
        lappend kinds stacked-$name [list -view stacked {*}$options]
    }
    return $kinds
}
