# gallery.tcl -- a contact sheet of figures (make gallery): every demo, and other traces that are named, in both
# conventions, in the widths of papers, coloured and gray, at the size at which they are printed.
#
#   tclsh tests/screenshots/gallery.tcl DIRECTORY ?TRACE ...?
#
# Environment: TACTUS_BUILD, the build (default: build). Writes PNG files of 200 dpi and an index.html, a heading for
# each trace, that shows each at its size, with the options that draw it. What cannot be drawn is told there, and makes
# the exit status 1 unless it is a refusal (TACTUS FIGURE), as for a figure that is higher than a page.

set here [file dirname [file normalize [info script]]]
set root [file dirname [file dirname $here]]
lappend auto_path [expr {[info exists env(TACTUS_BUILD)] ? $env(TACTUS_BUILD) : [file join $root build]}]
package require tactus

set resolution 200
# name, options
set kinds {
    page            {-preset ieee-page}
    column          {-preset ieee-column}
    page-rtsched    {-preset ieee-page -convention rtsched}
    column-rtsched  {-preset ieee-column -convention rtsched}
    gray            {-preset article -grayscale 1}
    gray-rtsched    {-preset article -grayscale 1 -convention rtsched}
    beamer-right    {-preset beamer -legend right}
    collapsed       {-preset ieee-page -processors collapsed}
    collapsed-gray  {-preset ieee-column -processors collapsed -grayscale 1}
    buffers         {-preset acm -buffers 1 -mark-servers 1 -deadlines all}
    narrow          {-preset article-column -convention rtsched -color-by task -legend right}
    outcome         {-preset article -color-by outcome -deadlines all -bar-text job -processors none}
    tree            {-preset ieee-page -group-by auto -pages 1}
    tree-rtsched    {-preset article -group-by auto -pages 1 -convention rtsched -grayscale 1}
    tree-kinds      {-preset acm -group-by kind -fold * -pages 1 -color-by task}
    screen-dark     {-preset screen -dark 1 -group-by auto}
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

# The HTML of one figure; counts those that failed.
proc figure {trace directory stem kind options} {
    global resolution failed
    set file $stem-$kind.png
    try {
        $trace export [file join $directory $file] {*}$options -resolution $resolution
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
set demos [lsort [glob [file join $root demos *.tactus] [file join $root demos *.ftrace]]]
foreach path [concat $demos $traces] {
    set stem [stemOf $path]
    puts $page "<h2>[escaped $stem]</h2>"
    set map [file rootname $path].map
    set trace [tactus::open $path {*}[expr {[file exists $map] ? [list -map $map] : {}}]]
    foreach {kind options} $kinds {puts $page [figure $trace $directory $stem $kind $options]}
    $trace close
}
close $page
puts [file join $directory index.html]
exit [expr {$failed > 0}]
