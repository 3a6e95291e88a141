# plugin/view.tcl -- views of plugins as figures: views registered with `view NAME -figure PREFIX`, drawn for a file.
#
#   options -> width, font, size by the preset -> a drawing -> PREFIX trace drawing options -> exported, or handed out
#
# The same procedure of a plugin usually draws the view's panel: both pass it a drawing and a size. Options of figures
# that apply to any drawing (`common`) are added to those of the view.

namespace eval ::tactus::plugin::core {
    # options of tactus::describe export; the core uses those of the drawing, and -from -to -axis-* -grayscale -dark
    # -settings are passed to the view
    variable common {
        -format -preset -from -to -width -height -unit -font -fontsize -grayscale -dark -axis-unit -axis-scale -settings
        -resolution
    }
}

# Views that can be drawn into files: dicts name title help figure options plugin.
proc ::tactus::plugin::core::figureViews {} {
    lmap row [viewRows] {if {[dict get $row figure] eq {}} continue; set row}
}

proc ::tactus::plugin::core::figureView {name} {
    set names {}
    foreach row [figureViews] {
        if {[dict get $row name] eq $name} {return $row}
        lappend names [dict get $row name]
    }
    return -code error -errorcode [list TACTUS LOOKUP VIEW $name] \
        "no view \"$name\": [expr {[llength $names] ? "must be [join $names {, }]" : "no plugin has one"}]"
}

# Rows of the options of a view's figure, as those of the command line: common ones first.
proc ::tactus::plugin::core::figureRows {name} {
    variable common
    set rows [lmap row [::tactus::describe export] {if {[dict get $row name] ni $common} continue; set row}]
    list {*}$rows {*}[dict get [figureView $name] options]
}

# A length in the figure's unit, as the drawing takes it.
proc ::tactus::plugin::core::lengthOf {length unit} {
    expr {[string is double -strict $length] ? "$length$unit" : $length}
}

# The options with all defaults; fails for unknown ones.
proc ::tactus::plugin::core::figureOptions {name options} {
    set given {}
    foreach row [figureRows $name] {dict set given [dict get $row name] [dict get $row default]}
    foreach option {-width -height -fontsize -format -preset} {dict set given $option {}}
    dict set given -font {}
    foreach {option value} $options {
        if {![dict exists $given $option]} {
            return -code error -errorcode [list TACTUS USAGE OPTION $option] \
                "the view \"$name\" has no option \"$option\": must be [join [lsort [dict keys $given]] {, }]"
        }
        dict set given $option $value
    }
    return $given
}

# Makes the drawing of a view, which the caller destroys. An error of the user is passed on; an error of the plugin
# switches it off.
proc ::tactus::plugin::core::drawFigure {trace name options} {
    set view [figureView $name]
    set given [figureOptions $name $options]
    set unit [dict get $given -unit]
    lassign [presetOf [dict get $given -preset]] width size font
    foreach {option variable} {-width width -fontsize size -font font} {
        if {[dict get $given $option] ne {}} {set $variable [dict get $given $option]}
    }
    set drawing [::tactus::drawing -width [lengthOf $width $unit] \
        -fontsize $size {*}[expr {$font eq {} ? {} : [list -font $font]}]]
    if {[dict get $given -height] ne {}} {
        $drawing configure -height [lengthOf [dict get $given -height] $unit]
        dict set given -height [$drawing cget -height]
    }
    lassign [$trace axis [dict get $given -axis-unit] [dict get $given -axis-scale]] axisUnit axisScale
    dict set given -axis-unit $axisUnit
    dict set given -axis-scale $axisScale
    if {[string is true -strict [dict get $given -dark]]} {
        $drawing configure -background [dict get [$trace style -dark 1] paper]
    }
    set failed [catch {uplevel #0 [list {*}[dict get $view figure] $trace $drawing $given]} message errorOptions]
    if {!$failed} {return $drawing}
    $drawing destroy
    if {[lindex [dict get $errorOptions -errorcode] 0] eq "TACTUS"} {return -options $errorOptions $message}
    return -code error -errorcode [list TACTUS PLUGIN FIGURE $name] \
        [failed [dict get $view plugin] $message $errorOptions "its view $name"]
}

# Sizes of a preset: {width fontsize font}.
proc ::tactus::plugin::core::presetOf {name} {
    if {$name eq {}} {return {252pt 8 {}}}
    foreach preset [::tactus::describe presets] {
        if {[dict get $preset name] ne $name} continue
        set width [dict get $preset width]
        return [list [expr {$width > 0 ? "${width}pt" : "252pt"}] [dict get $preset fontsize] \
            [expr {[dict exists $preset font] ? [dict get $preset font] : {}}]]
    }
    return -code error -errorcode {TACTUS USAGE PRESET} \
        "unknown preset \"$name\": must be [join [lmap preset [::tactus::describe presets] {dict get $preset name}] \
            {, }]"
}

# Draws a view into a file: tactus::plugin::figure TRACE VIEW FILE ?-option value ...?
proc ::tactus::plugin::core::exportFigure {trace name file args} {
    set drawing [drawFigure $trace $name $args]
    set options {}
    foreach option {-format -resolution} {
        if {[dict exists $args $option] && [dict get $args $option] ne {}} {
            lappend options $option [dict get $args $option]
        }
    }
    try {$drawing export $file {*}$options} finally {$drawing destroy}
}
