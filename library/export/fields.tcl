# export/fields.tcl -- the fields of the export dialog, made from the exporter's own table of options (tactus::describe
# export). This file has the page and the label of an option; the widget follows from its type. An option that is not
# in this file appears on the page "More" under its own name, so that a new one needs no change here.
#
#   FigureFields new NOTEBOOK ARRAY ?-help PREFIX?     makes the pages; ARRAY(-option) are the values
#   $fields page NAME                                   the frame of a page
#
# PREFIX is called with the help text of the field under the pointer or with the focus, and with {} when there is none.

namespace eval ::tactus::player::figure {
    # page, then option and label; the order is that on the page
    variable pages {
        Paper {-preset Preset -width Width -height Height -labelwidth "Width of names"
            -unit "Unit of lengths" -font Font -fontsize "Font size"
            -format Format -resolution Resolution}
        Content {-buffers "Buffers, at the end" -buffers-at "Buffers at"}
        Style {-convention Convention -processors Processors -group-by "Groups of rows"
            -fold "Folded groups" -order "Order of rows" -deadlines Deadlines -legend Legend
            -legend-items "Legend's items" -axis-unit "Unit at the axis" -axis-scale "Scale of the axis"
            -origin "The axis is 0 at"
            -color-by "Colours by" -bar-text "Texts in bars"
            -layers "Only these layers" -hide-layers "Layers left out"
            -grayscale Grayscale -dark "Light on dark" -breaks "Cut idle gaps out"
            -mark-servers "Server events as marks"}
    }
    # options with fields of their own in the dialog
    variable elsewhere {-from -to -rows}
}

# page -> list of {row label}, in order
proc ::tactus::player::figure::layout {} {
    variable pages
    variable elsewhere
    set known $elsewhere
    set layout {}
    set byName {}
    foreach row [rows] {dict set byName [dict get $row name] $row}
    dict for {page labels} $pages {
        dict for {name label} $labels {
            if {[dict exists $byName $name]} {dict lappend layout $page [list [dict get $byName $name] $label]}
            lappend known $name
        }
    }
    dict for {name row} $byName {
        if {$name ni $known} {dict lappend layout More [list $row [labelOf $name]]}
    }
    return $layout
}

# -axis-unit -> Axis unit
proc ::tactus::player::figure::labelOf {name} {
    string totitle [string map {- { }} [string range $name 1 end]] 0 0
}

# The values that a field of this option offers; {}: anything can be typed.
proc ::tactus::player::figure::offers {row} {
    switch -- [dict get $row name] {
        -format {return [lmap format [formats] {dict get $format name}]}
        -preset {return [list {} {*}[lmap preset [::tactus::describe presets] {dict get $preset name}]]}
        -font {return [lsort -dictionary -unique [font families]]}
        -axis-unit {return [list {} s ms µs ns cycles]}
    }
    dict get $row words
}

# The help of a field: what the option does, its default, its name.
proc ::tactus::player::figure::helpOf {row} {
    dict with row {
        set text "[string toupper $help 0 0]."
        if {$default ne {} && $type ne "flag" && ![string match *default* $help]} {append text " Default: $default."}
        append text "  (-$name)"
    }
    return $text
}

oo::class create ::tactus::player::FigureFields {
    variable Book Array Help

    constructor {notebook array args} {
        set Book $notebook
        set Array $array
        set Help [::tactus::player::figure::option $args -help]
        dict for {page fields} [::tactus::player::figure::layout] {
            set frame [my page $page]
            foreach field $fields {my add $frame {*}$field}
        }
    }

    method page {name} {
        set frame $Book.[string tolower $name]
        if {![winfo exists $frame]} {
            ttk::frame $frame -padding [::tactus::player::px 8]
            grid columnconfigure $frame 1 -weight 1
            $Book add $frame -text $name
        }
        return $frame
    }

    # The label and the field in the next row of a page.
    method add {frame row label} {
        set name [dict get $row name]
        set path $frame.field[string map {- _} $name]
        set line [lindex [grid size $frame] 1]
        set space [list -pady [::tactus::player::px 2]]
        if {[dict get $row type] eq "flag"} {
            ttk::checkbutton $path -text $label -variable ${Array}($name)
            grid $path -row $line -column 1 -columnspan 2 -sticky w {*}$space
        } else {
            ttk::label $frame.label[string map {- _} $name] -text $label
            my makeField $path $row
            grid $frame.label[string map {- _} $name] -row $line -column 0 -sticky e \
                -padx [list 0 [::tactus::player::px 6]] {*}$space
            # Column 2 is for a button of the dialog beside a field.
            grid $path -row $line -column 1 -columnspan 2 -sticky ew {*}$space
        }
        my explain $path [::tactus::player::figure::helpOf $row]
        return $path
    }

    method makeField {path row} {
        set offers [::tactus::player::figure::offers $row]
        set variable ${Array}([dict get $row name])
        if {[llength $offers]} {
            set fixed [expr {[dict get $row type] eq "word" || [dict get $row name] in {-format -preset}}]
            ttk::combobox $path -textvariable $variable -values $offers -width 14 \
                -state [expr {$fixed ? "readonly" : "normal"}]
            # A chosen value is not selected, since that looks as if it were to be typed over.
            bind $path <<ComboboxSelected>> {%W selection clear}
            # The wheel scrolls the page and does not change the value under the pointer.
            foreach button {4 5} {bind $path <Button-$button> break}
        } else {
            ttk::entry $path -textvariable $variable -width 14
        }
    }

    method explain {path text} {
        if {$Help eq {}} return
        foreach event {<Enter> <FocusIn>} {bind $path $event +[list {*}$Help $text]}
        bind $path <Leave> +[list {*}$Help {}]
    }
}
