# panel/modelsChosen.tcl -- class ModelsChosen: the chosen instance of a model elsewhere in the window: its states under
# its row in the timeline, its state at the cursor, its job, its range of time. A part of the panel of models.
#
# The strip is that of `$trace strips`: of an instance with very many stretches, short ones are joined, and those of the
# range that is seen are asked for when that has changed.

oo::class create ::tactus::player::ModelsChosen {
    variable View Trace Graph File Models Number Own Strips
    variable Picked Whole Rows  ;# index of the instance, {}: none; its strip; keys of the rows that have it below them

    # ---- its job -----------------------------------------------------------------------------------------------------

    # Index of the job that an instance is of; of a task's instance, where `moment` is 1, the job of the first finding
    # about it. {}: there is none.
    method JobOf {row moment} {
        set key [my Value $row key]
        switch [dict get [lindex $Models $Number] each] {
            job {return [my JobAt $key [my Value $row begin]]}
            task {
                set time [expr {$moment ? [my MomentOf $key] : {}}]
                if {$time eq {}} return
                set jobs [$Trace relation jobs]
                try {
                    $jobs filter [list [list task = $key] [list release <= $time]]
                    $jobs sort release -decreasing
                    return [expr {[$jobs count] ? [$jobs id 0] : {}}]
                } finally {
                    $jobs close
                }
            }
        }
    }

    # The job of an id that began at a time, or the nearest one.
    method JobAt {id time} {
        set best {}
        set nearest {}
        foreach hit [$Trace search $id -kinds job -limit 1000] {
            if {[dict get $hit id] ne $id || [text::valueOf $hit index] eq {}} continue
            set away [expr {[text::valueOf $hit time] eq {} ? 0
                : abs([::tactus::times::subtract [dict get $hit time] $time])}]
            if {$nearest ne {} && $away >= $nearest} continue
            lassign [list [dict get $hit index] $away] best nearest
        }
        return $best
    }

    # Time of the first finding about an instance of the model that is shown.
    method MomentOf {key} {
        set name [dict get [lindex $Models $Number] name]
        foreach finding [$Trace finding list [file tail $File]] {
            if {[dict get $finding time] eq {}} continue
            if {![string match "model [my Literal $name]\[,:\] *" [dict get $finding sentence]]} continue
            if {$key eq {} || $key in [lmap object [dict get $finding objects] {lindex $object 1}]} {
                return [dict get $finding time]
            }
        }
    }

    method Literal {text} {string map {* \\* ? \\? [ \\[ ] \\] \\ \\\\} $text}

    # ---- its range ---------------------------------------------------------------------------------------------------

    # Shows the range of an instance in the timeline, and its job in the details.
    method GoToRow {row} {
        lassign [list [my Value $row begin] [my Value $row end]] begin end
        if {$begin eq {}} return
        set key [my Value $row key]
        set item {}
        set to {}
        switch [dict get [lindex $Models $Number] each] {
            job {
                set job [my JobAt $key $begin]
                if {$job ne {}} {
                    set look [$Trace look job $job]
                    set item [list kind job index $job id $key task [dict get $look task]]
                    set to [list -row [list task [dict get $look task]]]
                }
            }
            task {
                set item [list kind task id $key]
                set to [list -row [list task $key]]
            }
            processor {set to [list -row [list processor $key]]}
        }
        my Zoom $begin $end
        my go -time $begin {*}$to -item $item
    }

    # Zooms the timeline to a range, with a margin.
    method Zoom {begin end} {
        if {![winfo exists [$View timeline]]} return
        catch {history::record [$View timeline] go}
        set margin [expr {[::tactus::times::subtract $end $begin] * 0.1}]
        if {$margin <= 0} return
        set margin [::tactus::format %f $margin]
        catch {[$View timeline] view [::tactus::times::subtract $begin $margin] [::tactus::times::add $end $margin]}
    }

    # ---- its states --------------------------------------------------------------------------------------------------

    method timeChanged {time} {my lightState $time}

    # Lights the state in which the chosen instance was at a time.
    method lightState {time} {
        $Graph light [my StateAt $time]
    }

    method StateAt {time} {
        if {$Whole eq {} || $time eq {}} return
        set stretches [dict get $Whole stretches]
        lassign [list 0 [expr {[llength $stretches] / 3}]] low high
        # The last stretch that does not begin later.
        while {$low < $high} {
            set middle [expr {($low + $high) / 2}]
            if {[::tactus::times::compare [lindex $stretches [expr {3 * $middle + 1}]] $time] <= 0} {
                set low [expr {$middle + 1}]
            } else {
                set high $middle
            }
        }
        if {!$low} return
        lassign [lrange $stretches [expr {3 * $low - 3}] [expr {3 * $low - 1}]] state begin end
        if {[::tactus::times::compare $time $end] <= 0} {return $state}
    }

    method clearTimeline {} {
        if {[llength $Rows] && [winfo exists [$View timeline]]} {catch {[$View timeline] strip delete {*}$Rows}}
        set Rows {}
        $Graph light {}
    }

    # Shows the states of the chosen instance under the rows that it is about.
    method drawTimeline {args} {
        set timeline [$View timeline]
        if {![winfo exists $timeline]} return
        if {[llength $Rows]} {catch {$timeline strip delete {*}$Rows}}
        set Rows {}
        if {$Whole eq {} || $Trace eq {}} return
        set list {}
        foreach {state begin end} [dict get $Whole stretches] {
            lappend list $begin $end [$Strips color $state] [text::visible $state 60]
        }
        foreach key [my RowsOf $timeline] {
            if {![catch {$timeline strip set $key $list}]} {lappend Rows $key}
        }
    }

    # Keys of the timeline's rows that the chosen instance is about.
    method RowsOf {timeline} {
        set key [dict get $Whole key]
        set kind [dict get [lindex $Models $Number] each]
        if {$kind eq "job"} {
            set job [my JobAt $key [dict get $Whole begin]]
            if {$job eq {}} return
            lassign [list task [dict get [$Trace look job $job] task]] kind key
        }
        $timeline row keys $kind $key
    }

    # Of an instance with very many stretches, short ones were joined: those of the range that is seen are asked for.
    method zoomed {from to} {
        if {$Whole ne {} && [dict get $Whole grain] > 0} {my whenSeen Refine}
    }

    method Refine {} {
        if {$Whole ne {} && $Picked ne {}} {my Work Refining}
    }

    method Refining {} {
        set me [self]
        lassign [[$View timeline] view] from to
        set strip [lindex [$Trace strips $Own [list $Picked] -from $from -to $to -most 20000 -progress [my progress]] 0]
        if {![info object isa object $me] || $strip eq {}} return
        set Whole $strip
        # It stays refinable: other ranges have other stretches.
        if {[dict get $Whole grain] == 0} {dict set Whole grain 1}
        my drawTimeline
    }
}
