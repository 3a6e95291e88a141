# list/bar.tcl -- class ListBar: the bar above a list: the filter's entry, the position, errors, the progress of work.
#
# The filter is an expression of the language of all filters (tactus(1), FILTERS), which the relation reads: `filter
# -where TEXT`. An error is shown under the entry, and the list stays as it was. While work goes on that takes long, the
# bar shows its progress and a button that cancels.
#
#   filter ?TEXT?                       the text; another one, applied
#   apply                               applies the text as it stands in the entry
#   addCondition NAME VALUE             the filter with a condition more
#   enter                               puts the focus into the entry
#   addTool WIDGET                      a widget of a panel at the right end
#   drawPosition, remark TEXT           "row 3 of 20 (of 400)", or something else in its place
#   showError TEXT                      {}: none
#   showProgress DONE TOTAL, hideProgress
#   readTheme                           other colours or fonts

# Quotes a value for a filter.
proc ::tactus::player::panels::filterQuote {value} {
    return "\"[string map {\\ {\\} \" {\"}} $value]\""
}

oo::class create ::tactus::player::ListBar {
    variable List Data Selection Bar FilterText FilterTimer

    # From left to right: the entry, a button that clears it, the position (or progress and a button that cancels).
    constructor {list path data selection} {
        lassign [list $list $data $selection $path.bar] List Data Selection Bar
        lassign {} FilterText FilterTimer
        ttk::frame $Bar
        ttk::entry $Bar.entry -width 12 -textvariable [my varname FilterText]
        label $Bar.entry.hint -text "filter: a text, or column > value" -borderwidth 0 -padx 0 -pady 0 -cursor xterm
        ttk::button $Bar.clear -text \u2715 -width 2 -style Toolbutton -takefocus 0 -command [list $List filter {}]
        ttk::label $Bar.position -anchor e
        ttk::progressbar $Bar.progress -mode determinate -maximum 1.0
        ttk::button $Bar.cancel -text Cancel -style Toolbutton -command [list $List cancel]
        ttk::label $Bar.error -anchor w -justify left
        grid $Bar.entry $Bar.clear $Bar.position -sticky ew -pady 1
        grid configure $Bar.position -padx [list [::tactus::player::look::points 6] [::tactus::player::look::points 2]]
        # Where there is no room the entry is narrower first, then the position is cut, and tools never.
        grid columnconfigure $Bar 0 -weight 1000 -minsize [::tactus::player::look::points 60]
        grid columnconfigure $Bar 2 -weight 1
        bind $Bar.entry <Return> [namespace code {my apply; $List takeFocus}]
        bind $Bar.entry <Escape> [namespace code {my leave}]
        bind $Bar.entry <Down> [list $List takeFocus]
        bind $Bar.entry <KeyRelease> [namespace code {my typed}]
        foreach event {<FocusIn> <FocusOut> <Configure>} {bind $Bar.entry $event [namespace code {my showHint}]}
        bind $Bar.entry.hint <Button-1> [list focus $Bar.entry]
        bind $Bar.error <Configure> {%W configure -wraplength [expr {max(50, %w)}]}
        ::tactus::player::tip::add $Bar.entry [namespace code {my tip}]
    }

    destructor {
        after cancel $FilterTimer
    }

    method addTool {widget} {
        grid $widget -row 0 -column [expr {4 + [llength [grid slaves $Bar -row 0]]}] \
            -padx [list [::tactus::player::look::points 3] 1]
    }

    method readTheme {} {
        $Bar.error configure -foreground [::tactus::player::look::color error]
        set field [ttk::style lookup TEntry -fieldbackground {} [::tactus::player::look::color field]]
        $Bar.entry.hint configure -background $field -foreground [::tactus::player::look::color muted] \
            -font [$Bar.entry cget -font]
        my showHint
    }

    # ---- the entry ---------------------------------------------------------------------------------------------------

    method showHint {} {
        if {$FilterText eq {} && [focus -displayof $Bar] ne "$Bar.entry"} {
            place $Bar.entry.hint -x [::tactus::player::look::points 4] -rely 0.5 -anchor w
        } else {
            place forget $Bar.entry.hint
        }
    }

    method tip {x y} {
        if {![llength [$Data names]]} {return {}}
        return "response > 10 && task ~ control*\n  column ==  !=  <  <=  >  >= value, column == empty \n  column ~\
            part or pattern with * and ?\n  any other text: some column contains it\n  && || ! ( ) \nColumns:\
            [join [$Data names] {, }]"
    }

    method enter {} {
        if {[$List cget -filterbar]} {
            focus $Bar.entry
            $Bar.entry selection range 0 end
        }
    }

    method leave {} {
        if {[$Data busy]} {return [$List cancel]}
        if {$FilterText ne {}} {my filter {}} else {$List takeFocus}
    }

    # Small relations are filtered while one types; large ones with Return.
    method typed {} {
        after cancel $FilterTimer
        if {[$Data total] > 200000 && $FilterText ne {}} return
        set FilterTimer [after 250 [namespace code {my apply}]]
    }

    method filter {args} {
        if {![llength $args]} {return $FilterText}
        set FilterText [lindex $args 0]
        my showHint
        my apply
    }

    method addCondition {name value} {
        if {![regexp {^\w+$} $name]} {set name [::tactus::player::panels::filterQuote $name]}
        set condition "$name == [expr {$value eq {} ? "empty" : [::tactus::player::panels::filterQuote $value]}]"
        set text [string trim $FilterText]
        if {[string first || $text] >= 0} {set text "($text)"}
        if {$text ne {}} {set condition "$text && $condition"}
        my filter $condition
    }

    method apply {} {
        after cancel $FilterTimer
        if {[$Data relation] eq {}} return
        my showError {}
        $Data filter [string trim $FilterText]
    }

    # ---- position, errors, progress ----------------------------------------------------------------------------------

    method drawPosition {} {
        set noun [$List cget -noun]
        set group ::tactus::player::text::group
        lassign [list [$Selection current] [$Data count] [$Data total]] current count total
        if {$current >= 0} {
            set text "$noun [$group [expr {$current + 1}]] of [$group $count]"
        } else {
            set text [::tactus::player::text::counted $count $noun]
        }
        if {$count != $total} {append text " (of [$group $total])"}
        if {[$Bar.position cget -text] ne $text} {$Bar.position configure -text $text}
        my showHint
    }

    method remark {text} {
        $Bar.position configure -text $text
    }

    method showError {text} {
        $Bar.error configure -text $text
        if {$text eq {}} {grid remove $Bar.error} else {grid $Bar.error -row 1 -column 0 -columnspan 10 -sticky ew}
    }

    method showProgress {done total} {
        if {![winfo ismapped $Bar.progress]} {
            grid remove $Bar.position
            grid $Bar.progress -row 0 -column 2 -sticky ew -padx 4
            grid $Bar.cancel -row 0 -column 3
        }
        $Bar.progress configure -value [expr {$total > 0 ? double($done) / $total : 0.0}]
    }

    method hideProgress {} {
        grid remove $Bar.progress $Bar.cancel
        grid $Bar.position -row 0 -column 2
    }
}
