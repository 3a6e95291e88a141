# player/bars.tcl -- class Bars: sentences above the timeline of a view, each until it is closed.
#
#   $bars add KIND TEXT ?-name N? ?-buttons {LABEL PREFIX ...}?     a new one; its name. KIND: error warning note ok
#   $bars change NAME TEXT           its text; 0: there is no such bar
#   $bars close NAME
#   $bars names                                                     names of all

::tactus::need player/text

oo::class create ::tactus::player::Bars {
    # Frame: their parent, in the grid of the view only while there are any
    variable Frame Names

    constructor {frame} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Frame $frame
        set Names {}
    }

    method names {} {return $Names}

    # Adds a bar; one of the same name is replaced. A button calls its prefix without arguments and closes the bar.
    method add {kind text args} {
        set args [dict merge [list -name bar[llength $Names] -buttons {}] $args]
        set name [string map {. _ { } _} [dict get $args -name]]
        my close $name
        lappend Names $name
        set style [string totitle $kind].Bar
        set bar [ttk::frame $Frame.b$name -style $style.TFrame -padding [list [px 8] [px 2] [px 3] [px 2]]]
        ttk::label $bar.text -style $style.TLabel -text [text::visible $text 2000] -anchor w -justify left
        ttk::button $bar.close -style $style.Toolbutton -takefocus 0 -text \u00d7 -width 2 \
            -command [namespace code [list my close $name]]
        pack $bar.close -side right
        set n 0
        foreach {label prefix} [dict get $args -buttons] {
            ttk::button $bar.b$n -style $style.TButton -text $label \
                -command [namespace code [list my Pressed $name $prefix]]
            pack $bar.b$n -side right -padx [px 3]
            incr n
        }
        pack $bar.text -side left -fill x -expand 1
        bind $bar.text <Configure> {%W configure -wraplength [expr {max(40, %w - 4)}]}
        pack $bar -fill x -pady [list 0 1]
        grid $Frame -row 0 -sticky ew
        return $name
    }

    # What the pointer is over stays: a press of a button is not lost.
    method change {name text} {
        if {$name ni $Names} {return 0}
        $Frame.b$name.text configure -text [text::visible $text 2000]
        return 1
    }

    method Pressed {name prefix} {
        my close $name
        uplevel #0 $prefix
    }

    # Closes a bar; parts do so at their ends, when the window may be gone.
    method close {name} {
        set Names [lsearch -all -inline -exact -not $Names $name]
        destroy $Frame.b$name
        if {![llength $Names] && [winfo exists $Frame]} {grid remove $Frame}
    }
}
