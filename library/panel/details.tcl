# panel/details.tcl -- class DetailsPanel: the item that was clicked or that a link led to: its facts with exact times,
# its neighbours as links, its line in the file. The items shown before are kept: back and forward.
#
#   item -> facts (panel/facts.tcl) -> text with links (panel/factText.tcl), the parts of a job's response time
#   (panel/why.tcl), the line of the file (panel/source.tcl)

::tactus::need panel/facts panel/factText panel/source panel/why

oo::class create ::tactus::player::DetailsPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace
    variable Page Source        ;# FactText; SourceView
    variable Item Facts         ;# the item shown and its facts
    variable Why                ;# `how` of panel/why.tcl: the analysis of its response time
    variable Back Forward Limit ;# items shown before and after this one; number of them that are kept

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign {{} {} {} {} 200 {}} Item Facts Back Forward Limit Why
        my buildBar [ttk::frame $Frame.bar]
        set Page [FactText new [ttk::frame $Frame.facts] $View [namespace code {my pressed}]]
        set Source [SourceView new [ttk::frame $Frame.source]]
        pack $Frame.bar -side top -fill x
        pack $Frame.facts -fill both -expand 1
        bind [$Page widget] <Alt-Left> "[namespace code {my back}]; break"
        bind [$Page widget] <Alt-Right> "[namespace code {my forward}]; break"
        my hear Shown shown
    }

    method buildBar {bar} {
        foreach {name text help} {
            back \u25c0 "Back (Alt+Left)"
            forward \u25b6 "Forward (Alt+Right)"
            copy Copy "Copies all facts"
            line Line "Shows the line of the file"
        } {
            ttk::button $bar.$name -style Toolbutton -text $text -takefocus 0 -command [namespace code [list my $name]]
            if {$name in {back forward}} {$bar.$name configure -width 2}
            pack $bar.$name -side [expr {$name in {copy line} ? "right" : "left"}]
            tip::add $bar.$name [list apply {{help x y} {return $help}} $help]
        }
    }

    method themeChanged {} {$Page themeChanged}
    method timesChanged {} {my draw}

    method traceChanged {} {
        lassign {{} {} {} {} {}} Back Forward Item Facts Why
        pack forget $Frame.source
        my draw
    }

    # Looks the item up again: its numbers of rows and jobs stay valid when the trace grows. An item that the trace no
    # longer has is shown as it was.
    method traceReloaded {} {
        if {$Item ne {}} {my take $Item}
    }

    # ---- the way -----------------------------------------------------------------------------------------------------

    method shown {item} {
        if {$item eq {}} return
        if {$Item ne {} && $item ne $Item} {
            set Back [lrange [linsert $Back end $Item] end-$Limit end]
            set Forward {}
        }
        my take $item
    }

    method take {item} {
        set Item $item
        set Facts [details::factsOf $View $item]
        set Why {}
        my draw
        if {[winfo manager $Frame.source] ne {}} {my showLine}
    }

    method back {} {
        if {![llength $Back]} return
        set item [lindex $Back end]
        set Back [lrange $Back 0 end-1]
        set Forward [linsert $Forward 0 $Item]
        my follow $item
    }

    method forward {} {
        if {![llength $Forward]} return
        set Forward [lassign $Forward item]
        lappend Back $Item
        my follow $item
    }

    # Shows an item of Back or Forward, and goes there in the timeline. (The view then tells Shown of the item, which is
    # shown already.)
    method follow {item} {
        my take $item
        set time [details::timeOf $item $Facts]
        if {$time ne {}} {my go -time $time -item $item}
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method draw {} {
        $Page begin
        $Page about $Trace $Item $Facts
        if {$Item eq {}} {
            $Page insert "Click something in the timeline: its facts and neighbours are shown here." muted
        } else {
            $Page insert [details::titleOf $View $Item $Facts] title
            # A job's response time comes first, above its facts; that of a slice's job below the facts of the slice.
            set isJob [expr {[text::valueOf $Item kind] eq "job"}]
            if {$isJob} {why::draw $Page $Trace $Facts $Item $Why}
            $Page facts
            if {!$isJob} {why::draw $Page $Trace $Facts $Item $Why}
        }
        $Page end
        my setButtons
    }

    method setButtons {} {
        foreach {name on} [list back [llength $Back] forward [llength $Forward] copy [expr {$Item ne {}}] \
            line [expr {[my lineNumber] > 0}]] {
            $Frame.bar.$name state [expr {$on ? "!disabled" : "disabled"}]
        }
    }

    # ---- links -------------------------------------------------------------------------------------------------------

    method pressed {words} {
        lassign $words what which
        switch -- $what {
            line {my showLine}
            why {after idle [namespace code [list my why $which]]}
            job {after idle [namespace code [list my goJob $which]]}
            default {after idle [namespace code [list my goLink $words]]}
        }
    }

    # Runs a link of panel/why.tcl.
    method why {wanted} {
        switch $wanted {
            all {
                set top [[$Page widget] index @0,0]
                dict set Why all 1
                my draw
                [$Page widget] yview $top
            }
            stop {my take $Item}
            default {my takeApart [why::jobOf $Facts $Item]}
        }
    }

    # Analyses the response time of a job while the window lives on; showing another item (`take`) or the end of the
    # panel stops it.
    method takeApart {job} {
        set me [self]
        set Why {running 1}
        my draw
        set failed [catch {$Trace why $job -as index -limit $::tactus::player::why::all \
            -progress [namespace code {my explaining}]} why]
        if {![info object isa object $me] || ![dict exists $Why running]} return
        set Why [expr {$failed ? {} : [list known $why]}]
        my draw
    }

    method explaining {progress} {
        set me [self]
        update
        if {![info object isa object $me] || ![dict exists $Why running]} {return -code break}
    }

    # Follows a link: the timeline goes to its time; without one, only the details change.
    method goLink {words} {
        if {[dict exists $words -time] && [dict get $words -time] eq {}} {dict unset words -time}
        if {[dict exists $words -item] && [dict exists $words -item row] && [dict get $words -item row] ne {}} {
            dict set words -row [dict get $words -item row]
        }
        my go {*}$words
    }

    # Follows a link to a job of which only the id is known: the last one of that id not after the item.
    method goJob {id} {
        set time [details::timeOf $Item $Facts]
        set found {}
        set hits {}
        catch {set hits [$Trace search $id -kinds job -limit 500]}
        foreach hit $hits {
            if {[dict get $hit id] ne $id} continue
            if {$found eq {} || $time eq {} || [::tactus::times::compare [dict get $hit time] $time] <= 0} {
                set found $hit
            }
        }
        if {$found eq {}} {return [my say "there is no job $id"]}
        my go -time [dict get $found time] -item [list kind job index [dict get $found index] id $id]
    }

    # ---- line and copy -----------------------------------------------------------------------------------------------

    method lineNumber {} {
        expr {[dict exists $Facts line] && [string is integer -strict [dict get $Facts line]]
            ? [dict get $Facts line] : 0}
    }

    # Shows the file's line below the facts, or hides it.
    method line {} {
        if {[winfo manager $Frame.source] ne {}} {return [pack forget $Frame.source]}
        my showLine
    }

    method showLine {} {
        set line [my lineNumber]
        if {$line < 1} {return [$Source clear]}
        if {[winfo manager $Frame.source] eq {}} {pack $Frame.source -side bottom -fill x -before $Frame.facts}
        $Source show [panels::sourceFile $View] $line
    }

    method copy {} {
        if {$Item eq {}} return
        clipboard clear
        clipboard append -- "[$Page text]\n"
    }
}
