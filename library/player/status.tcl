# player/status.tcl -- class Status: the status line: time under the pointer (reference clock and the processor's own),
# what is there, selection, markers, diagnostics.
#
# It listens to the view's events and redraws once, at idle time, so that a moving pointer costs one redraw. The numbers
# of errors and warnings stand on the right, messages in the middle. Text that does not fit is cut on the right, with an
# ellipsis; of a number there is the ellipsis alone, since a part of one is another number.

# The walls around scripts of traces (tactus::walls), which are asked for once.
namespace eval ::tactus::player::walls {
    variable rows {}
}

# Rows of those that are not in force.
proc ::tactus::player::walls::missing {} {
    variable rows
    if {![llength $rows]} {set rows [::tactus::walls]}
    lmap row $rows {if {[dict get $row state] eq "in force"} continue; set row}
}

proc ::tactus::player::walls::haveFailed {rows} {
    expr {"failed" in [lmap row $rows {dict get $row state}]}
}

# What is to be said about missing ones.
proc ::tactus::player::walls::sentence {rows} {
    foreach row $rows {
        if {[dict get $row state] eq "failed"} {
            return "Scripts of traces are not evaluated: [dict get $row text]."
        }
    }
    set parts [lmap row $rows {string cat [dict get $row wall] " (" [dict get $row state] ")"}]
    return "Scripts of traces are evaluated without these walls: [join $parts {, }]. See tactus_sandbox(5)."
}

oo::class create ::tactus::player::Status {
    variable Frame View Timer Found Lines Local Eliding
    variable Long       ;# fields that are cut where they find no room
    variable Words      ;# those of them that are no numbers
    variable First      ;# item or message: which has room before the other, the one that came last

    constructor {frame view} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Frame $frame
        set View $view
        lassign {} Found Lines Timer Eliding
        set Words {item message}
        set Long [concat $Words {selection a b difference}]
        set Local {}
        set First message
        my Build
        foreach {event method} {
            TimeChanged Later SelectionChanged Later MarksChanged Later TimesChanged Later Pointed Pointed
            Message Message TraceOpened Opened TraceReloaded Opened TraceClosed Opened FindingsChanged Opened
            LiveChanged Live RowsChanged ShowRows
        } {listen $event [namespace code [list my Heard $method]] $frame}
        bind $frame <Destroy> [namespace code {my destroy}]
    }

    destructor {
        after cancel $Timer
        after cancel $Local
        after cancel $Eliding
    }

    # Makes the fields; the longest ones have an ellipsis that is shown where they are cut.
    method Build {} {
        ttk::separator $Frame.line
        pack $Frame.line -fill x
        ttk::button $Frame.wrong -style Status.Toolbutton -takefocus 0 \
            -command [list ::tactus::player::commands::showWrong $View]
        ttk::button $Frame.rows -style Status.Toolbutton -takefocus 0 \
            -command [list ::tactus::player::actions::run showRows $View]
        ttk::button $Frame.walls -style Status.Toolbutton -takefocus 0 -command [namespace code {my TellWalls}]
        ttk::label $Frame.message -style Status.TLabel -anchor e
        foreach {name width} {live 0 time 0 own 0 selection 0 a 0 b 0 difference 0 item 0} {
            ttk::label $Frame.$name -style Status.TLabel -padding 0
        }
        foreach name $Long {
            ttk::label $Frame.${name}More -style Status.TLabel -text \u2026 -padding {0 0 2 0}
            bind $Frame.$name <Configure> [namespace code [list my Elide $name]]
        }
        # What finds no room is left out, the last ones first: what is at the pointer goes before the markers.
        pack $Frame.wrong -side right
        pack $Frame.rows -side right
        pack $Frame.live $Frame.time $Frame.own -side left
        pack $Frame.message -side right
        pack $Frame.item -side left
        pack $Frame.difference $Frame.b $Frame.a $Frame.selection -side right
    }

    method Heard {method view args} {
        if {$view eq $View} {my $method {*}$args}
    }

    method Later {args} {
        if {$Timer eq {}} {set Timer [after idle [namespace code {my Show}]]}
    }

    method Pointed {found {lines {}}} {
        set Found $found
        set Lines $lines
        if {[llength $lines]} {my Prefer item message left}
        my Later
    }

    # Gives one field its room before the other one.
    method Prefer {field other side} {
        if {$First eq $field} return
        set First $field
        pack $Frame.$field -side $side -before $Frame.$other
    }

    # Says as long as scripts run without some of their walls that it is so: a click says which.
    method ShowWalls {} {
        set missing [walls::missing]
        if {[llength $missing] && ![winfo ismapped $Frame.walls]} {
            set failed [walls::haveFailed $missing]
            $Frame.walls configure -text [expr {$failed ? "scripts: off" : "sandbox: [llength $missing] missing"}]
            pack $Frame.walls -side right -after $Frame.wrong
        }
    }

    method TellWalls {} {
        $View bar warning [walls::sentence [walls::missing]] -name walls
    }

    method Opened {args} {
        my Later
        my ShowWalls
        my ShowWrong
    }

    # Says as long as rows are hidden how many: a click shows them.
    method ShowRows {args} {
        set n [rows::missing $View]
        if {$n} {
            $Frame.rows configure -text "[text::counted $n row] hidden: show"
            pack $Frame.rows -side right -after $Frame.wrong
        } else {
            pack forget $Frame.rows
        }
    }

    # Elides when the fields have their widths.
    method ElideLater {} {
        after cancel $Eliding
        set Eliding [after idle [namespace code {my ElideAll}]]
    }

    method ElideAll {} {
        set Eliding {}
        foreach name $Long {my Elide $name}
    }

    # Ends a field that is cut with an ellipsis, or covers it with that.
    method Elide {name} {
        if {![winfo exists $Frame.$name]} return
        if {[winfo ismapped $Frame.$name] && [winfo width $Frame.$name] < [winfo reqwidth $Frame.$name]} {
            place $Frame.${name}More -in $Frame.$name -relx 1 -rely 0.5 -anchor e \
                -relwidth [expr {$name in $Words ? {} : 1}]
            raise $Frame.${name}More
        } else {
            place forget $Frame.${name}More
        }
    }

    method Message {text} {
        $Frame.message configure -text [text::visible $text 300]
        my ElideLater
        my Prefer message item right
        after cancel $Local
        set Local [after 8000 [namespace code {my Clear}]]
    }

    # Says how far a view is that follows programs.
    method Live {text} {my Set live $text}

    method Clear {} {
        if {[winfo exists $Frame.message]} {
            $Frame.message configure -text {}
            my Elide message
        }
    }

    method Set {name text} {
        if {[$Frame.$name cget -text] eq $text} return
        # An empty field takes no room.
        $Frame.$name configure -text $text -padding [expr {$text eq {} ? 0 : [list [px 5] [px 2]]}]
        if {$name in $Long} {my ElideLater}
    }

    method Show {} {
        set Timer {}
        if {![winfo exists $Frame]} return
        if {[$View trace] eq {}} {
            foreach name {time own selection a b difference item} {my Set $name {}}
            return
        }
        set time [$View cursor]
        my Set time [expr {$time eq {} ? {} : "t = [units::time $View $time]"}]
        my Set item [join $Lines "  \u00b7  "]
        my Set own [my OwnTime $time]
        my ShowChosen
    }

    # Shows the selection and the markers.
    method ShowChosen {} {
        set selection [$View selection]
        lassign $selection from to
        my Set selection [expr {$from eq {} ? {}
            : "selected [units::length $View [::tactus::times::subtract $to $from]]\
                ([units::time $View $from] \u2026 [units::time $View $to])"}]
        set w [$View timeline]
        set a [$w marker get A]
        set b [$w marker get B]
        my Set a [expr {$a eq {} ? {} : "A = [my MarkerTime A $a]"}]
        my Set b [expr {$b eq {} ? {} : "B = [my MarkerTime B $b]"}]
        my Set difference [expr {$a eq {} || $b eq {} ? {}
            : "B \u2212 A = [units::length $View [::tactus::times::subtract $b $a]]"}]
    }

    # The time of a marker; of the one that times count from, its own.
    method MarkerTime {name time} {
        if {[units::mode] eq $name} {return [units::length $View $time]}
        units::time $View $time
    }

    # The time on the clock of the processor under the pointer, where that differs.
    method OwnTime {time} {
        if {$time eq {} || ![dict exists $Found processor] || [dict get $Found processor] eq {}} return
        set processor [dict get $Found processor]
        foreach row [dict get [$View info] processors] {
            if {[dict get $row id] ne $processor || ![dict get $row mapped]} continue
            if {[catch {[$View trace] localtime $processor $time} own]} return
            return "[text::visible $processor 40]: [units::length $View $own]"
        }
    }

    method ShowWrong {} {
        if {[$View trace] eq {}} {
            $Frame.wrong configure -text {}
            return
        }
        set parts {}
        set missed [[$View trace] density 1 -of misses]
        if {$missed} {lappend parts "[text::counted $missed deadline] missed"}
        foreach {key word} {errors error warnings warning notes note} {
            set n [dict get [$View info] $key]
            if {$n} {lappend parts [text::counted $n $word]}
        }
        set n [my Findings]
        if {$n} {lappend parts [text::counted $n finding]}
        $Frame.wrong configure -text [expr {[llength $parts] ? [join $parts {, }] : "no errors"}]
    }

    # Number of findings, also of those that are not listed. Their check has a note in their place.
    method Findings {} {
        set n 0
        catch {set n [[$View trace] finding count]}
        set checked [$View option checked]
        if {$checked eq "running"} {return $n}
        dict for {check numbers} [text::valueOf $checked totals] {
            incr n [expr {[lindex $numbers 2] - [lindex $numbers 0] - 1}]
        }
        return $n
    }
}
