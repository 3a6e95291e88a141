# timelines.tcl -- the picture doc/pictures/timelines.png: what the example of tactus_timeline(n), TWO TRACES, draws,
# on an Xvfb of its own (make screenshots).
#
# Environment: TACTUS_BUILD; TACTUS_PICTURES, another directory. Needs Xvfb and ImageMagick (import, convert).

foreach tool {Xvfb import convert} {
    if {[auto_execok $tool] ne {}} continue
    puts stderr "timelines: $tool is needed (apt-get install xvfb imagemagick)"
    exit 2
}
unset -nocomplain ::env(DISPLAY)
source -encoding utf-8 [file join [file dirname [file normalize [info script]]] .. helpers.tcl]
needTk
if {![testConstraint tk]} {exit 2}

set directory [expr {[info exists ::env(TACTUS_PICTURES)] ? $::env(TACTUS_PICTURES) : [file join [root] doc pictures]}]
set path [file normalize [file join $directory timelines.png]]
regexp {\n\.SH "TWO TRACES"\n.*?\n\.nf\n(.*?)\n\.fi} [readFile [file join [root] doc tactus_timeline.n]] -> script
cd [root]
eval [string map [list {\-} - {\&} {} /tmp [tempDir]] $script]
raise .
update
exec import -silent -window root -crop [winfo width .]x[winfo height .]+[winfo rootx .]+[winfo rooty .] +repage png:- \
    | convert png:- -strip +dither -colors 64 -define png:exclude-chunks=date,time \
    -define png:compression-level=9 PNG8:$path
puts "$path [file size $path]"
exit
