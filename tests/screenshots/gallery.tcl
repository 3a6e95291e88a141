# gallery.tcl -- a contact sheet of figures (make gallery): every demo, and other traces that are named, in both
# conventions, all presets, coloured and gray, in all ways that options draw it, at the size at which it is printed.
#
#   tclsh tests/screenshots/gallery.tcl DIRECTORY ?TRACE ...?
#
# Environment: TACTUS_BUILD, the build (default: build); TACTUS_GALLERY, glob patterns of the kinds of figures that are
# drawn (default: *), TACTUS_GALLERY_DEMOS, of the demos. Writes PNG files of 200 dpi and an index.html, a heading for
# each trace, that shows each at its size, with the options that draw it. What cannot be drawn is told there, and makes
# the exit status 1 unless it is a refusal (TACTUS FIGURE), as for a figure that is higher than a page.

set here [file dirname [file normalize [info script]]]
set root [file dirname [file dirname $here]]
lappend auto_path [expr {[info exists env(TACTUS_BUILD)] ? $env(TACTUS_BUILD) : [file join $root build]}]
package require tactus
::tactus::need plugin/plugin
::tactus::plugin::loadAll -only [lmap name {distribution stacked} {file join $root plugins $name.tcl}] -directories {}

set resolution 200

# Kinds of figures: name, options, over and over; those of plugins' views begin with -view.
proc kinds {} {
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
            expanded        {-preset ieee-column -processors expanded}
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

# Does the name match one of the patterns?
proc matches {patterns name} {
    foreach pattern $patterns {
        if {[string match $pattern $name]} {return 1}
    }
    return 0
}

proc escaped {text} {string map {& &amp; < &lt; > &gt;} $text}

# Width of a PNG file in CSS pixels (96 an inch), so that it is shown at its size.
proc shownWidth {file} {
    global resolution
    set channel [open $file rb]
    try {binary scan [read $channel 24] @16I width} finally {close $channel}
    expr {round($width * 96.0 / $resolution)}
}

# The pictures of a figure as HTML: its file, or those of its pages.
proc pictures {directory file} {
    set files [lsort -dictionary [glob -nocomplain -directory $directory -tails [file rootname $file]-*.png]]
    if {[file exists [file join $directory $file]]} {set files [list $file]}
    join [lmap file $files {
        string cat "<img width=\"[shownWidth [file join $directory $file]]\" src=\"$file\" alt=\"\">"
    }]
}

# Draws a file: of the timeline, or of the view of a plugin that the first option names.
proc drawn {trace file args} {
    if {[lindex $args 0] ne "-view"} {return [$trace export $file {*}$args]}
    set args [lassign $args - view]
    ::tactus::plugin::figure $trace $view $file {*}$args
}

# The HTML of one figure; counts those that failed.
proc figure {trace directory stem kind options} {
    global resolution failed
    set file $stem-$kind.png
    try {
        drawn $trace [file join $directory $file] {*}$options -resolution $resolution
    } trap {TACTUS FIGURE} {message} {
        return "<figure><p>[escaped $message]</p><figcaption>[escaped "$kind: $options"]</figcaption></figure>"
    } on error {message} {
        incr failed
        puts stderr "gallery: $stem: $kind: $message"
        return "<figure><p><b>[escaped $message]</b></p><figcaption>[escaped "$kind: $options"]</figcaption></figure>"
    }
    return "<figure>[pictures $directory $file]<figcaption>[escaped "$kind: $options"]</figcaption></figure>"
}

# A name for the files of a trace: those of recordings are all called trace.dat, so their folders tell them apart.
proc stemOf {path} {
    variable stems
    set name [file rootname [file tail $path]]
    if {$name eq "trace"} {set name [file tail [file dirname $path]]}
    set name [regsub -all {[^A-Za-z0-9_-]} $name _]
    if {[incr stems($name)] > 1} {append name _ $stems($name)}
    return $name
}

set traces [lassign $argv directory]
if {$directory eq {}} {
    puts stderr "usage: gallery.tcl directory ?trace ...?"
    exit 2
}
file mkdir $directory
set failed 0
set page [open [file join $directory index.html] w]
fconfigure $page -encoding utf-8
puts $page {<!DOCTYPE html><meta charset="utf-8"><title>Figures</title>
<style>body {font-family: sans-serif} figure {display: inline-block; margin: 1em; vertical-align: top}
img {border: 1px solid #ddd} figcaption {color: #666; font-size: smaller}</style>}
set wanted [expr {[info exists env(TACTUS_GALLERY)] ? $env(TACTUS_GALLERY) : {*}}]
set demos {}
foreach pattern [expr {[info exists env(TACTUS_GALLERY_DEMOS)] ? $env(TACTUS_GALLERY_DEMOS) : {*}}] {
    lappend demos {*}[glob -nocomplain [file join $root demos $pattern.tactus] [file join $root demos $pattern.ftrace]]
}
set demos [lsort -unique $demos]
set kinds [kinds]
foreach path [concat $demos $traces] {
    set stem [stemOf $path]
    puts $page "<h2>[escaped $stem]</h2>"
    set map [file rootname $path].map
    set trace [tactus::open $path {*}[expr {[file exists $map] ? [list -map $map] : {}}]]
    foreach {kind options} $kinds {
        if {![matches $wanted $kind]} continue
        puts $page [figure $trace $directory $stem $kind $options]
    }
    $trace close
}
close $page
puts [file join $directory index.html]
exit [expr {$failed > 0}]
