# list/filter.tcl -- what a virtual list shows of its relation: the entry of the filter, and work that takes long.
#
# The filter is an expression of the language of all filters (tactus(1), FILTERS), which the relation reads: `filter
# -where TEXT`. What is wrong with it is shown under the entry, and the list stays as it was.
#
# Sorting and filtering of large relations report progress; the list then shows a bar and a button that cancels, keeps
# what was on screen, and lives on. What is asked meanwhile cancels the work and is done next (the last of it).

# A value in quotes, for a filter.
proc ::tactus::player::panels::filterQuote {value} {
    return "\"[string map {\\ {\\} \" {\"}} $value]\""
}

oo::class create ::tactus::player::VirtualListFilter {
    variable Path Body Options Relation Columns Colors Count Total Current Busy First \
        FilterText FilterTimer Pending Cancelled Started Label Answer

    method startFilter {} {
        lassign {{} {} {} 0 0 {} {}} FilterText FilterTimer Pending Cancelled Started Label Answer
    }

    method endFilter {} {
        after cancel $FilterTimer
    }

    # ---- the bar -----------------------------------------------------------------------------------------------------

    method makeFilterBar {bar} {
        ttk::frame $bar
        ttk::entry $bar.entry -width 12 -textvariable [my varname FilterText]
        label $bar.entry.hint -text "filter: a text, or column > value" -borderwidth 0 -padx 0 -pady 0 -cursor xterm
        ttk::button $bar.clear -text \u2715 -width 2 -style Toolbutton -takefocus 0 -command [list [self] filter {}]
        ttk::label $bar.position -anchor e
        ttk::progressbar $bar.progress -mode determinate -maximum 1.0
        ttk::button $bar.cancel -text Cancel -style Toolbutton -command [list [self] cancel]
        ttk::label $bar.error -anchor w -justify left
        grid $bar.entry $bar.clear $bar.position -sticky ew -pady 1
        grid configure $bar.position -padx [list [::tactus::player::look::points 6] [::tactus::player::look::points 2]]
        grid columnconfigure $bar 0 -weight 1 -minsize [::tactus::player::look::points 60]
        bind $bar.entry <Return> [namespace code {my applyFilter; my focusBody}]
        bind $bar.entry <Escape> [namespace code {my leaveFilter}]
        bind $bar.entry <Down> [namespace code {my focusBody}]
        bind $bar.entry <KeyRelease> [namespace code {my filterTyped}]
        foreach event {<FocusIn> <FocusOut> <Configure>} {bind $bar.entry $event [namespace code {my showHint}]}
        bind $bar.entry.hint <Button-1> [list focus $bar.entry]
        bind $bar.error <Configure> {%W configure -wraplength [expr {max(50, %w)}]}
        ::tactus::player::tip::add $bar.entry [namespace code {my filterTip}]
    }

    # A widget of a panel at the right end of the bar.
    method addTool {widget} {
        grid $widget -row 0 -column [expr {4 + [llength [grid slaves $Path.bar -row 0]]}] \
            -padx [list [::tactus::player::look::points 3] 1]
    }

    method themeFilter {} {
        set bar $Path.bar
        $bar.error configure -foreground [dict get $Colors error]
        set field [ttk::style lookup TEntry -fieldbackground {} [dict get $Colors field]]
        $bar.entry.hint configure -background $field -foreground [dict get $Colors muted] -font [$bar.entry cget -font]
        my showHint
    }

    method showHint {} {
        set hint $Path.bar.entry.hint
        if {$FilterText eq {} && [focus -displayof $Body] ne "$Path.bar.entry"} {
            place $hint -x [::tactus::player::look::points 4] -rely 0.5 -anchor w
        } else {
            place forget $hint
        }
    }

    method filterTip {x y} {
        if {![llength $Columns]} {return {}}
        return "response > 10 && task ~ control*\n  column ==  !=  <  <=  >  >= value, column == empty \n  column ~\
            part or pattern with * and ?\n  any other text: some column contains it\n  && || ! ( ) \nColumns:\
            [join [lmap column $Columns {dict get $column name}] {, }]"
    }

    method focusFilter {} {
        if {[dict get $Options -filterbar]} {
            focus $Path.bar.entry
            $Path.bar.entry selection range 0 end
        }
    }

    method focusBody {} {
        focus $Body
    }

    method leaveFilter {} {
        if {$Busy} {return [my cancel]}
        if {$FilterText ne {}} {my filter {}} else {my focusBody}
    }

    # "row 3 of 20 (of 400)"
    method drawPosition {} {
        set noun [dict get $Options -noun]
        set group ::tactus::player::text::group
        if {$Current >= 0} {
            set text "$noun [$group [expr {$Current + 1}]] of [$group $Count]"
        } else {
            set text [::tactus::player::text::counted $Count $noun]
        }
        if {$Count != $Total} {append text " (of [$group $Total])"}
        if {[$Path.bar.position cget -text] ne $text} {$Path.bar.position configure -text $text}
        my showHint
    }

    method remark {text} {
        $Path.bar.position configure -text $text
    }

    method showError {text} {
        set bar $Path.bar
        $bar.error configure -text $text
        if {$text eq {}} {grid remove $bar.error} else {grid $bar.error -row 1 -column 0 -columnspan 10 -sticky ew}
    }

    # ---- filtering ---------------------------------------------------------------------------------------------------

    # Small relations are filtered while one types; large ones with Return.
    method filterTyped {} {
        after cancel $FilterTimer
        if {$Total > 200000 && $FilterText ne {}} return
        set FilterTimer [after 250 [namespace code {my applyFilter}]]
    }

    # filter: the text; filter TEXT: another one, applied.
    method filter {args} {
        if {![llength $args]} {return $FilterText}
        set FilterText [lindex $args 0]
        my showHint
        my applyFilter
    }

    # Besides what the filter wants, this value of a column.
    method addCondition {column value} {
        if {![regexp {^\w+$} $column]} {set column [::tactus::player::panels::filterQuote $column]}
        set condition "$column == [expr {$value eq {} ? "empty" : [::tactus::player::panels::filterQuote $value]}]"
        set text [string trim $FilterText]
        if {$text ne {}} {set condition "[expr {[string first || $text] >= 0 ? "($text)" : $text}] && $condition"}
        my filter $condition
    }

    # The relation is a new one: what the entry says holds for it too.
    method refilter {} {
        set Label {}
        if {[string trim $FilterText] ne {}} {my applyFilter}
        my redraw
    }

    method applyFilter {} {
        after cancel $FilterTimer
        if {$Relation eq {}} return
        set wanted [string trim $FilterText]
        my showError {}
        if {$wanted ne $Label} {my work "filtering" [list filter -where $wanted] [list my filtered $wanted]}
    }

    method filtered {wanted} {
        set Label $wanted
        event generate $Path <<ListFiltered>>
    }

    # ---- work that may take long -------------------------------------------------------------------------------------

    # Runs a command of the relation; then `done`, when it was neither cancelled nor failed.
    method work {label words done} {
        if {$Busy} {
            set Pending [list $label $words $done]
            set Cancelled 1
            return
        }
        lassign [list 1 0 [clock milliseconds]] Busy Cancelled Started
        set me [self]
        set path $Path
        set rows [my rememberRows]
        set message {}
        try {
            set answer [$Relation {*}$words -progress [namespace code [list my progress]]]
            set code ok
        } trap {TACTUS CANCELLED} {} {
            set code cancelled
        } on error message {
            set code failed
        }
        if {![info object isa object $me] || ![winfo exists $path]} return
        if {$code eq "ok"} {set Answer $answer}
        my endWork $code $message $rows $done
    }

    method endWork {code message rows done} {
        set Busy 0
        my hideProgress
        if {$code eq "failed"} {my showError [::tactus::player::text::visible $message 500]}
        if {$code eq "ok"} {{*}$done}
        my recount
        if {$code eq "ok"} {my recallRows $rows}
        my redraw
        if {$Pending ne {}} {
            set next $Pending
            set Pending {}
            after idle [namespace code [list my work {*}$next]]
        }
    }

    # The core calls this at least every 50 ms, with a dict of done and total (or these two).
    method progress {args} {
        set me [self]
        lassign $args done total
        if {[llength $args] == 1} {lassign [list [dict get $done done] [dict get $done total]] done total}
        if {[clock milliseconds] - $Started > 100} {my showProgress $done $total}
        update
        if {![info object isa object $me] || $Cancelled} {return -code break}
    }

    method showProgress {done total} {
        set bar $Path.bar
        if {![winfo ismapped $bar.progress]} {
            grid remove $bar.position
            grid $bar.progress -row 0 -column 2 -sticky ew -padx 4
            grid $bar.cancel -row 0 -column 3
        }
        $bar.progress configure -value [expr {$total > 0 ? double($done) / $total : 0.0}]
    }

    method hideProgress {} {
        set bar $Path.bar
        grid remove $bar.progress $bar.cancel
        grid $bar.position -row 0 -column 2
    }

    # What the relation answered to the work that was done last.
    method answer {} {
        return $Answer
    }

    # Ends the work that goes on; the list stays as it was.
    method cancel {} {
        set Pending {}
        set Cancelled 1
    }

    method varname {name} {
        return [info object namespace [self]]::$name
    }
}
