# panel/query.tcl -- class QueryPanel: a statement in SQL over the tables of the trace (tactus_sql(n)), and its answer,
# a virtual list whose rows lead to the timeline.
#
#   statement  -> $trace sql -format relation -> list     Ctrl+Enter or Run asks; Tables says what there is; the last
#                                                          statements are kept with the preferences
#
# A statement may run for ever, so while it runs Run is Stop, and Escape stops it, too (player/running.tcl); a new
# statement, another trace and the end of the panel do the same.
#
# A row leads to its first column that is a time of the recording (time, begin, release ...), and selects the job,
# task or processor of which it says the number or the id.

::tactus::need list/list player/text player/running

namespace eval ::tactus::player::query {
    variable kept 20    ;# statements that are remembered
    variable times {time begin release start at completion sent received deadline end}  ;# that lead somewhere
    variable first {SELECT task, count(*) AS jobs, max(response) AS worst FROM jobs GROUP BY task ORDER BY worst DESC}
}

oo::class create ::tactus::player::QueryPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace List Text Line Past Asked
    variable Working    ;# number of the statement that runs, or ran last
    variable Runs       ;# does it run?

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign {} Line Asked
        lassign {0 0} Working Runs
        set Past [my Remembered]
        my BuildQuestion [ttk::frame $Frame.question]
        set List $Frame.list
        my listIn $List -noun row -command [namespace code {my goTo}]
        grid $Frame.question -sticky nsew
        grid $List -sticky nsew
        grid rowconfigure $Frame 1 -weight 1
        grid columnconfigure $Frame 0 -weight 1
        grid propagate $Frame 0
        $Text insert 1.0 [if {[llength $Past]} {lindex $Past 0} else {set ::tactus::player::query::first}]
    }

    destructor {
        if {$Runs} {running::end $View}
        next
    }

    method BuildQuestion {frame} {
        set Text $frame.text
        text $Text -height 2 -wrap word -undo 1 -width 20 -font TkFixedFont -padx [look::points 2]
        ttk::button $frame.run -text Run -command [namespace code {my ask}]
        ttk::menubutton $frame.past -text Recent -menu $frame.past.menu
        menu $frame.past.menu -tearoff 0 -postcommand [namespace code {my ListPast}]
        ttk::menubutton $frame.tables -text Tables -menu $frame.tables.menu
        menu $frame.tables.menu -tearoff 0 -postcommand [namespace code {my ListTables}]
        ttk::label $frame.line -textvariable [my varname Line] -anchor w
        grid $Text $frame.run $frame.past $frame.tables -sticky new -padx [look::points 1] -pady [look::points 1]
        grid $frame.line -columnspan 4 -sticky ew -padx [look::points 3]
        grid columnconfigure $frame 0 -weight 1
        foreach key {<Control-Return> <Control-KP_Enter>} {bind $Text $key "[namespace code {my ask}]; break"}
        bind $Text <Control-a> {%W tag add sel 1.0 end-1c; break}
        bind $Text <Tab> {focus [tk_focusNext %W]; break}
        tip::add $frame.line [namespace code {my LineTip}]
        my themeChanged
    }

    method LineTip {x y} {return $Line}

    method themeChanged {} {
        $Text configure -background [look::color field] -foreground [look::color foreground] \
            -insertbackground [look::color foreground] -selectbackground [look::color select] \
            -selectforeground [look::color onselect] -inactiveselectbackground [look::color select] \
            -highlightthickness 1 -highlightbackground [look::color line] -highlightcolor [look::color accent] \
            -borderwidth 0
    }

    method traceChanged {} {
        my stop
        $List configure -relation {} -placeholder [expr {$Trace eq {} ? "no trace" : "Run (Ctrl+Enter) asks the trace"}]
        set Line {}
    }

    # The trace was read anew: what was asked last is asked again.
    method traceReloaded {} {
        if {$Asked ne {}} {my whenSeen askAgain}
    }

    method askAgain {} {my Run $Asked}

    # ---- asking ------------------------------------------------------------------------------------------------------

    method ask {} {
        set statement [string trim [$Text get 1.0 end-1c]]
        if {$statement eq {}} return
        my Run $statement
    }

    # Runs a statement. The window lives on meanwhile.
    method Run {statement} {
        if {$Trace eq {}} {return [set Line "no trace"]}
        set number [incr Working]
        set me [self]
        set begin [clock milliseconds]
        set Line "asking \u2026 (Escape stops it)"
        my Begin
        try {
            set relation [$Trace sql $statement -format relation -timelimit 0 \
                -progress [namespace code [list my GoOn $number]]]
        } on error message {
            if {![info object isa object $me] || $number != $Working} return
            my End [text::visible $message 500]
            return
        }
        if {![info object isa object $me] || $number != $Working} {return [$relation close]}
        set Asked $statement
        my Remember $statement
        my End "[text::counted [$relation count] row] in [expr {[clock milliseconds] - $begin}] ms"
        $List configure -relation $relation -placeholder "no rows"
    }

    method Begin {} {
        set Runs 1
        running::begin $View [namespace code {my stop}]
        $Frame.question.run configure -text Stop -command [namespace code {my stop}]
    }

    method End {line} {
        set Runs 0
        running::end $View
        $Frame.question.run configure -text Run -command [namespace code {my ask}]
        set Line $line
    }

    # Stops the statement that runs, if there is one; the answer before stays.
    method stop {} {
        if {!$Runs} return
        incr Working
        my End "stopped"
    }

    method GoOn {number progress} {
        update
        if {![winfo exists $Frame] || $number != $Working} {return -code break}
    }

    # ---- rows --------------------------------------------------------------------------------------------------------

    method Names {} {lmap column [$List columns] {dict get $column name}}

    # The value of the first of some columns that has one; {}: none.
    method FirstOf {place columns} {
        set names [my Names]
        foreach column $columns {
            if {$column in $names && [$List value $place $column] ne {}} {return [$List value $place $column]}
        }
        return {}
    }

    # The thing that a row is about: a job by its number, else a task or a processor by its id; {}: nothing.
    method ItemOf {place} {
        set index [my FirstOf $place job_number]
        set job [my FirstOf $place job]
        if {$index eq {} && $job ne {}} {
            set index [my NumberOf $job [my FirstOf $place $::tactus::player::query::times]]
        }
        if {[string is integer -strict $index] && $index >= 0} {return [list kind job index $index id $job]}
        foreach kind {task processor} {
            set id [my FirstOf $place $kind]
            if {$id ne {}} {return [list kind $kind id $id]}
        }
        return {}
    }

    # Number of the job with an id that is nearest to a time; {}: there is none.
    method NumberOf {id time} {
        if {![string is double -strict $time]} {set time 0}
        set rows [$Trace sql "SELECT number FROM jobs WHERE job = '[string map {' ''} $id]'\
            ORDER BY abs(coalesce(release, start, completion) - $time) LIMIT 1"]
        expr {[llength $rows] ? [dict get [lindex $rows 0] number] : {}}
    }

    method goTo {place} {
        set time [my FirstOf $place $::tactus::player::query::times]
        set end [my FirstOf $place {end completion}]
        set item [my ItemOf $place]
        if {![string is double -strict $time]} {
            return [my say "this row has no time: select one (time, begin, release ...), and its row leads there"]
        }
        if {![string is double -strict $end] || $end < $time} {set end {}}
        my go -time $time {*}[expr {$end eq {} ? {} : [list -to $end]}] \
            {*}[expr {$item eq {} ? {} : [list -item $item]}]
    }

    # ---- statements and tables ---------------------------------------------------------------------------------------

    method Remembered {} {
        set past [pref get query.past {}]
        if {[string is list $past]} {lrange $past 0 $::tactus::player::query::kept-1}
    }

    method Remember {statement} {
        set Past [linsert [lsearch -all -inline -exact -not $Past $statement] 0 $statement]
        set Past [lrange $Past 0 $::tactus::player::query::kept-1]
        pref set query.past $Past
    }

    method ListPast {} {
        set menu $Frame.question.past.menu
        $menu delete 0 end
        foreach statement $Past {
            $menu add command -label [text::source [regsub -all {\s+} $statement { }] 100] \
                -command [namespace code [list my Put $statement]]
        }
        if {![llength $Past]} {$menu add command -label "nothing was asked yet" -state disabled}
    }

    method Put {statement} {
        $Text replace 1.0 end $statement
        focus $Text
    }

    # Puts a name where the cursor is.
    method Insert {name} {
        $Text insert insert $name
        focus $Text
    }

    method ListTables {} {
        set menu $Frame.question.tables.menu
        if {[$menu index end] ni {none {}}} return
        foreach table [::tactus::describe sqlTables] {
            set name [dict get $table name]
            menu $menu.$name -tearoff 0
            $menu add cascade -label $name -menu $menu.$name
            $menu.$name add command -label "$name: [dict get $table help]" \
                -command [namespace code [list my Insert $name]]
            $menu.$name add separator
            set n 0
            foreach column [dict get $table columns] {
                $menu.$name add command -label [dict get $column name] -columnbreak [expr {$n && $n % 24 == 0}] \
                    -command [namespace code [list my Insert [dict get $column name]]]
                incr n
            }
        }
    }
}
