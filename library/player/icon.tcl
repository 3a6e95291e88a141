# player/icon.tcl -- the program's icon: three rows of bars, drawn here, since an image file would have to be found and
# read.

namespace eval ::tactus::player::icon {
    variable made {}    ;# the image
}

# The image, made when it is first asked for.
proc ::tactus::player::icon::picture {} {
    variable made
    if {$made ne {}} {return $made}
    set made [image create photo -width 32 -height 32]
    $made put #20304a -to 0 0 32 32
    foreach {color x1 y1 x2 y2} {
        #7fb2f0 3 4 12 10  #7fb2f0 22 4 29 10
        #f0b45a 9 13 22 19  #e8eef6 22 13 27 19
        #86d19a 3 22 9 28  #86d19a 14 22 26 28
    } {$made put $color -to $x1 $y1 $x2 $y2}
    return $made
}
