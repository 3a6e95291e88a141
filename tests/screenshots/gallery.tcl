# gallery.tcl -- a contact sheet of figures (make gallery): every demo, and other traces that are named, in both
# conventions, all presets, coloured and gray, in all ways that options draw it, at the size at which it is printed.
#
#   tclsh tests/screenshots/gallery.tcl DIRECTORY ?TRACE ...?
#
# Environment: TACTUS_BUILD, the build (default: build); TACTUS_GALLERY, glob patterns of the kinds of figures that are
# drawn (default: *), TACTUS_GALLERY_DEMOS, of the demos. Writes PNG files of 200 dpi and an index.html, a heading for
# each trace, that shows each at its size, with the options that draw it. What cannot be drawn is told there, and makes
# the exit status 1 unless it is a refusal (TACTUS FIGURE, TACTUS EXPORT SIZE), as for a figure that is higher than a
# page.

set here [file dirname [file normalize [info script]]]
set root [file dirname [file dirname $here]]
lappend auto_path [expr {[info exists env(TACTUS_BUILD)] ? $env(TACTUS_BUILD) : [file join $root build]}]
package require tactus
source [file join $root tests figureKinds.tcl]

set resolution 200

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
        figureKinds::draw $trace [file join $directory $file] {*}$options -resolution $resolution
    } trap {TACTUS FIGURE} {message} - trap {TACTUS EXPORT SIZE} {message} {
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
set demos [figureKinds::demos [expr {[info exists env(TACTUS_GALLERY_DEMOS)] ? $env(TACTUS_GALLERY_DEMOS) : {*}}]]
set kinds [figureKinds::named $wanted]
foreach path [concat $demos $traces] {
    set stem [stemOf $path]
    puts $page "<h2>[escaped $stem]</h2>"
    set trace [figureKinds::open $path]
    foreach {kind options} $kinds {puts $page [figure $trace $directory $stem $kind $options]}
    $trace close
}
close $page
puts [file join $directory index.html]
exit [expr {$failed > 0}]
