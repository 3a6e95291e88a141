# contrast.tcl -- how well colours #rrggbb are seen on one another, worked out from the sources:
#
#   linear COLOR      linear light of its channels, 0 .. 1 (IEC 61966-2-1)
#   luminance COLOR   its relative luminance (WCAG 2.1)
#   contrast A B      1 none .. 21 black and white (WCAG 2.1)

proc linear {color} {
    scan $color #%2x%2x%2x r g b
    lmap channel [list $r $g $b] {
        set c [expr {$channel / 255.0}]
        expr {$c <= 0.04045 ? $c / 12.92 : (($c + 0.055) / 1.055) ** 2.4}
    }
}

proc luminance {color} {
    lassign [linear $color] r g b
    expr {0.2126 * $r + 0.7152 * $g + 0.0722 * $b}
}

proc contrast {a b} {
    lassign [lsort -real [list [luminance $a] [luminance $b]]] dark light
    expr {($light + 0.05) / ($dark + 0.05)}
}
