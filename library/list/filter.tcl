# list/filter.tcl -- what a virtual list shows of its relation: the filter's language, its entry, and work that
# takes long.
#
# The language: words with blanks between, all of which must hold.
#
#       column=value  column!=value  column<value  <=  >  >=     compared as the column's type; nothing after = is "unknown"
#       column~pattern                                          a part of the text, or a glob pattern when it has * or ?
#       any other words                                         a text that some column contains
#       "two words"  column="two words"                         quoted, with \" and \\ within
#
# Column names may be abbreviated while they are unique. `parseFilter` gives {conditions text} for the relation's filter
# command; an error says what is wrong, and the list shows it under the entry and stays as it was.
#
# Sorting and filtering of large relations report progress; the list then shows a bar and a button that cancels, keeps
# what was on screen, and lives on. What is asked meanwhile cancels the work and is done next (the last of it).

proc ::tactus::player::panels::parseFilter {text columns} {
    set conditions {}
    set free {}
    set at 0
    set name {[A-Za-z_][A-Za-z_0-9]*}
    set quoted {"(?:[^"\\]|\\.)*"}
    while {[regexp -start $at -indices {\A\s*(\S)} $text -> next]} {
        set at [lindex $next 0]
        if {[regexp -start $at "\\A($name)(!=|<=|>=|=|<|>|~)($quoted|\\S*)" $text all column operator value]} {
            lappend conditions [filterCondition $column $operator [filterWord $value] $columns]
        } elseif {[regexp -start $at "\\A$quoted" $text all]} {
            lappend free [filterWord $all]
        } else {
            regexp -start $at {\A\S+} $text all
            lappend free $all
        }
        incr at [string length $all]
    }
    list $conditions [join $free { }]
}

proc ::tactus::player::panels::filterWord {word} {
    if {![string match {"*"} $word] || [string length $word] < 2} {return $word}
    regsub -all {\\(.)} [string range $word 1 end-1] {\1}
}

proc ::tactus::player::panels::filterCondition {word operator value columns} {
    set column [filterColumn $word $columns]
    set type [dict get $column type]
    set name [dict get $column name]
    if {$operator eq "~"} {
        if {![string match {*[*?]*} $value]} {set value *$value*}
        return [list $name match $value]
    }
    if {$type ne "text" && ($value ne {} || $operator ni {= !=}) && [catch {::tactus::times::decimal $value}]} {
        return -code error -errorcode {TACTUS USAGE VALUE} "$name is a $type: \"[::tactus::player::text::visible $value 60]\" is no number"
    }
    list $name $operator $value
}

proc ::tactus::player::panels::filterColumn {word columns} {
    set found {}
    foreach column $columns {
        set name [dict get $column name]
        if {[string equal -nocase $name $word]} {return $column}
        if {[string equal -nocase -length [string length $word] $word $name]} {lappend found $column}
    }
    if {[llength $found] == 1} {return [lindex $found 0]}
    set names [lmap column [expr {[llength $found] ? $found : $columns}] {dict get $column name}]
    set what [expr {[llength $found] ? "more than one column begins with" : "there is no column"}]
    return -code error -errorcode [list TACTUS LOOKUP COLUMN $word] \
        "$what \"[::tactus::player::text::visible $word 60]\": [join $names {, }] (quote a text that is meant literally)"
}

# A value as a word of the language.
proc ::tactus::player::panels::filterQuote {value} {
    if {$value ne {} && [regexp {^[^\s"\\]+$} $value]} {return $value}
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
        label $bar.entry.hint -text "filter: a text, or column=value" -borderwidth 0 -padx 0 -pady 0 -cursor xterm
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
        grid $widget -row 0 -column [expr {4 + [llength [grid slaves $Path.bar -row 0]]}] -padx [list [::tactus::player::look::points 3] 1]
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
        return "Words that must all hold:\n  column=value  !=  <  <=  >  >=\n  column~part or pattern with * and ?\
            \n  any other text: some column contains it\nColumns: [join [lmap column $Columns {dict get $column name}] {, }]"
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

    method addCondition {column value} {
        my filter [string trim "$FilterText $column=[::tactus::player::panels::filterQuote $value]"]
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
        try {
            set wanted [::tactus::player::panels::parseFilter $FilterText $Columns]
        } trap TACTUS message {
            return [my showError $message]
        }
        my showError {}
        if {$wanted eq $Label || ($wanted eq {{} {}} && $Label eq {})} return
        my work "filtering" [my filterWords $wanted] [list my filtered $wanted]
    }

    method filterWords {wanted} {
        lassign $wanted conditions text
        set words [list filter $conditions]
        if {$text ne {}} {lappend words -any $text}
        return $words
    }

    method applyWanted {wanted} {
        $Relation {*}[my filterWords $wanted]
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

    # The core calls this at least every 50 ms: with a dict of done and total, or these two.
    method progress {args} {
        set me [self]
        lassign [expr {[llength $args] == 1 ? [my progressOf {*}$args] : $args}] done total
        if {[clock milliseconds] - $Started > 100} {my showProgress $done $total}
        update
        if {![info object isa object $me] || $Cancelled} {return -code break}
    }

    method progressOf {dict} {
        list [dict get $dict done] [dict get $dict total]
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
