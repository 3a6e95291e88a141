# panel/diagnostics.tcl -- class DiagnosticsPanel: the diagnostics of the trace: severity, line, kind, text, number; a
# click shows the line of the file below, a double click (or Return twice) goes to the first event of that line.

::tactus::need list/list panel/source

oo::class create ::tactus::player::DiagnosticsPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace List Source Counts

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set List $Frame.list
        set Counts {}
        my listIn $List -name diagnostics -noun remark -signs severity \
            -opencommand {} -command [namespace code {my showLine}] \
            -placeholder "nothing is wrong with this trace"
        ttk::label $List.bar.counts -textvariable [my varname Counts]
        $List addTool $List.bar.counts
        set Source [::tactus::player::SourceView new [ttk::frame $Frame.source]]
        pack $List -fill both -expand 1
        bind [$List body] <Double-Button-1> +[namespace code {my goToLine}]
    }

    method traceChanged {} {
        pack forget $Frame.source
        $Source clear
        set Counts {}
        if {$Trace eq {}} {return [$List configure -relation {} -placeholder "no trace"]}
        $List configure -placeholder "nothing is wrong with this trace" -relation [$Trace relation diagnostics]
        set info [$Trace info]
        set parts {}
        foreach {key word} {errors error warnings warning notes note} {
            set n [dict get $info $key]
            if {$n} {lappend parts "[lindex [look::sign $word] 0] [text::counted $n $word]"}
        }
        set Counts [join $parts "  "]
    }

    method showLine {place} {
        set line [$List value $place line]
        if {![string is integer -strict $line] || $line < 1} {return [pack forget $Frame.source]}
        if {![winfo ismapped $Frame.source]} {pack $Frame.source -side bottom -fill x -before $List}
        $Source show [panels::sourceFile $View] $line
    }

    method goToLine {} {
        set place [$List current]
        if {$place < 0} return
        set line [$List value $place line]
        if {![string is integer -strict $line] || $line < 1} return
        set events [$Trace relation events]
        try {
            set found [$events find -from 0 [list [list line = $line]]]
            if {$found < 0} {return [my say "line $line has no event"]}
            set names [lmap column [$events columns] {dict get $column name}]
            set time [lindex [$events rows $found 1] 0 [lsearch -exact $names time]]
            my go -time $time -item [list kind event event [$events id $found]]
        } finally {
            $events close
        }
    }
}
