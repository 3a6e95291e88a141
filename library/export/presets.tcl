# export/presets.tcl -- class FigurePresets: choices of the export dialog that the user keeps by name, in the preference
# exportPresets.
#
#   FigurePresets new FRAME ?-option PREFIX ...?
#           prefixes: -explain is called with a widget and its help; -say with a kind (ok, warning) and a text; -choice
#           returns the choice to be saved; -use is called with a saved one

oo::class create ::tactus::player::FigurePresets {
    variable Names      ;# the box with the name
    variable Call       ;# array of the options

    constructor {frame args} {
        namespace path [list {*}[namespace path] ::tactus::player ::tactus::player::figure]
        array set Call $args
        set Names $frame.names
        ttk::label $frame.label -text "Own presets"
        ttk::combobox $Names -width 14 -postcommand [namespace code {my fill}]
        ttk::button $frame.save -text Save -width 5 -command [namespace code {my save}]
        ttk::button $frame.delete -text Delete -width 6 -command [namespace code {my delete}]
        bind $Names <<ComboboxSelected>> [namespace code {my use}]
        foreach key {<Return> <KP_Enter>} {bind $Names $key "[namespace code {my save}]; break"}
        pack $frame.label $Names -side left -padx [list 0 [px 6]]
        pack $frame.save $frame.delete -side left -padx [list 0 [px 3]]
        {*}$Call(-explain) $Names \
            "A name for what is chosen here. Save keeps it under this name for all traces; choosing a name brings it\
            back."
    }

    method All {} {
        set presets [pref get exportPresets]
        expr {[catch {dict size $presets}] ? {} : $presets}
    }

    method names {} {return $Names}

    method fill {} {$Names configure -values [lsort -dictionary [dict keys [my All]]]}

    method use {} {
        if {[dict exists [my All] [$Names get]]} {{*}$Call(-use) [dict get [my All] [$Names get]]}
    }

    method save {} {
        set name [string trim [$Names get]]
        if {$name eq {}} {return [{*}$Call(-say) warning "a preset needs a name: type one left of Save"]}
        pref set exportPresets [dict replace [my All] $name [remembered [{*}$Call(-choice)]]]
        {*}$Call(-say) ok "Saved as \"$name\"."
    }

    method delete {} {
        set name [$Names get]
        if {![dict exists [my All] $name]} {return [{*}$Call(-say) warning "there is no preset of this name"]}
        pref set exportPresets [dict remove [my All] $name]
        $Names set {}
        {*}$Call(-say) ok "Deleted \"$name\"."
    }
}
