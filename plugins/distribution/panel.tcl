# panel.tcl -- the panel of the distribution (distribution.tcl): one plot, in which the mouse can choose a range.
#
#   choices of the bar -> a relation of jobs -> Measured (`measure` of distribution.tcl) -> draw
#
# It counts anew when the trace or a choice changes, and shows the plot before until that is done; a new size of the
# window, a selection of jobs and a drag only draw.

::tactus::need panel/drawing

oo::class create Panel {
    superclass ::tactus::player::DrawingPanel
    variable Frame View Trace Picture Drawing Filter    ;# of the superclasses
    variable Task Kind Statistic Log    ;# of the widgets
    variable Tasks      ;# name in the box of choices -> id
    # result of `measure`, with tasks (ids) and title; {}: there is nothing to draw, which Message explains
    variable Measured Message
    variable Inner Chosen Dragged       ;# the plot's box; selected jobs; x0 y0 x1 y1 of a drag, {}: none
    # the selected jobs in this plot: dict of values, and number of jobs that each stands for; {}: to be looked up
    variable Marked

    constructor {frame view} {
        lassign {} Measured Message Inner Chosen Dragged Marked Task Tasks
        lassign {histogram response 0} Kind Statistic Log
        next $frame $view
    }

    method buildBar {bar} {
        my choice $bar Task of {} 16
        my choice $bar Statistic statistic {} 12
        my choice $bar Kind as {histogram cdf overtime} 9
        my check $bar Log log
        my filterEntry $bar
    }

    method bindPicture {} {
        foreach {event script} {
            <Motion> {my Motion %x %y} <ButtonPress-1> {my Press %x %y}
            <B1-Motion> {my Drag %x %y} <ButtonRelease-1> {my Release %x %y}
        } {
            bind $Picture $event [::namespace code $script]
        }
    }

    method changed {name} {my whenSeen measure}

    # ---- the trace ---------------------------------------------------------------------------------------------------

    method traceChanged {} {
        lassign {} Measured Inner Chosen Dragged Marked
        next
    }

    # The plot stays until it is counted anew.
    method traceReloaded {} {my whenSeen renew}

    method renew {} {
        set Tasks {}
        if {[my hasTrace]} {
            foreach task [figure jobTasks $Trace 100] {
                lassign $task id name
                set called [if {$name in [list {} $id]} {string cat $id} else {string cat "$name ($id)"}]
                dict set Tasks [figure oneLine $called 60] $id
            }
            $Frame.bar.cTask configure -values [list "all tasks" {*}[dict keys $Tasks]]
            if {$Task ne "all tasks" && ![dict exists $Tasks $Task]} {set Task [my FirstTask]}
            set relation [$Trace relation jobs]
            $Frame.bar.cStatistic configure -values [statistics $relation]
            $relation close
        }
        my measure
    }

    # The task of the job that was chosen before, else the one with the most jobs.
    method FirstTask {} {
        set chosen [my chosenBefore]
        if {[llength $chosen]} {
            set id [dict get [$Trace look job [lindex $chosen 0]] task]
            dict for {label other} $Tasks {
                if {$other ne $id} continue
                my SetChosen $chosen
                return $label
            }
        }
        lindex [dict keys $Tasks] 0
    }

    # A relation of the jobs of these tasks that pass the filter and further conditions.
    method Relation {tasks {conditions {}}} {
        figure jobs $Trace $tasks [concat [figure conditions $Filter] $conditions] [my progress]
    }

    method TaskIds {} {
        if {$Task ne "all tasks"} {return [::tactus::nameList [list [dict get $Tasks $Task]]]}
        lmap task [figure jobTasks $Trace] {lindex $task 0}
    }

    method measure {} {
        if {![my hasTrace]} {return [my failed "no trace"]}
        if {![dict size $Tasks]} {return [my failed "no jobs in this trace"]}
        my work Count
    }

    method Count {} {
        set what [dict create tasks [my TaskIds] title $Task]
        set options [dict create statistic $Statistic log $Log range {} bins {} words [my progress]]
        set kind $Kind
        set relation [my Relation [dict get $what tasks]]
        try {
            set measured [measure $Trace $relation $kind $options]
        } finally {
            $relation close
        }
        set Measured [dict merge $measured $what]
        set Marked {}
        set Message {}
        my draw
    }

    method failed {message} {
        set Measured {}
        set Message $message
        my draw
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method timesChanged {} {
        next
        my draw
    }

    method draw {} {
        if {![winfo ismapped $Picture]} return
        set Inner {}
        if {$Measured eq {}} {return [my drawMessage $Message]}
        lassign [my begin] width height
        set Inner [drawPlot $Drawing $Measured \
            [dict merge [my axisOptions] [dict create box [list 0 0 $width $height] size 8 \
            colors [figure colors $Trace -dark [my dark]] title [my Shows title] window {} logCount 0 tail 0 line 0 \
                marked [my Marked] each [dict get $Marked each]]]]
        my DrawDrag
    }

    # Values of the selected jobs, or of a thousand spread evenly over them; over time: release and value of each. They
    # are looked up once for a selection.
    method Marked {} {
        if {[dict exists $Marked values]} {return [dict get $Marked values]}
        set marked {}
        foreach name {tasks statistic log kind} {set $name [my Shows $name]}
        set every [expr {max(1.0, [llength $Chosen] / 1000.0)}]
        for {set i 0} {$i < [llength $Chosen]} {set i [expr {$i + $every}]} {
            set look [$Trace look job [lindex $Chosen [expr {int($i)}]]]
            if {[dict get $look task] ni $tasks} continue
            set value [dict get $look $statistic]
            if {$value eq {} || ($log && $value <= 0)} continue
            if {$kind ne "overtime"} {
                lappend marked $value
            } elseif {[dict get $look release] ne {}} {
                lappend marked [dict get $look release] $value
            }
        }
        set Marked [dict create values $marked each $every]
        return $marked
    }

    # A property of the plot that is drawn; the choices of the bar may have changed since.
    method Shows {name} {dict get $Measured $name}

    method DrawDrag {} {
        if {[llength $Dragged] != 4 || $Inner eq {}} return
        lassign $Dragged x0 y0 x1 y1
        lassign $Inner left top width height
        if {[my Shows kind] ne "overtime"} {lassign [list $top [expr {$top + $height}]] y0 y1}
        $Drawing clip {*}$Inner
        $Drawing rectangles [list [expr {min($x0, $x1)}] [expr {min($y0, $y1)}] [expr {abs($x1 - $x0)}] \
            [expr {abs($y1 - $y0)}]] \
            -fill [::tactus::player::theme color select] -layer back -outline [::tactus::player::theme color accent]
        $Drawing clip
    }

    # ---- selecting ---------------------------------------------------------------------------------------------------

    method Press {x y} {
        focus $Picture
        if {$Inner ne {}} {set Dragged [$Picture points $x $y]}
    }

    method Drag {x y} {
        if {![llength $Dragged]} return
        set Dragged [list {*}[lrange $Dragged 0 1] {*}[$Picture points $x $y]]
        my whenSeen draw
    }

    method Release {x y} {
        if {![llength $Dragged] || $Inner eq {}} return
        lassign [list {*}[lrange $Dragged 0 1] {*}[$Picture points $x $y]] x0 y0 x1 y1
        set Dragged {}
        if {abs($x0 - $x1) < 3} {return [my Clicked [$Picture identify $x $y]]}
        set xs [my Values x $x0 $x1]
        if {[my Shows kind] eq "overtime"} {
            my work SelectWhere [concat [my Within release $xs] [my Within [my Shows statistic] [my Values y $y0 $y1]]]
        } else {
            my selectRange {*}$xs
        }
    }

    # Selects the range of a bar that was clicked, or the job of a mark.
    method Clicked {tag} {
        switch [lindex $tag 0] {
            bin {my selectRange [lindex $tag 1] [lindex $tag 2]}
            job {my Select [list [lindex $tag 1]]}
            default {my Select {}}
        }
    }

    method Values {axis a b} {
        lsort -real [list [$Drawing map $axis value $a] [$Drawing map $axis value $b]]
    }

    method Within {column range} {
        lassign $range from to
        list [list $column >= [::tactus::format %.15g $from]] [list $column <= [::tactus::format %.15g $to]]
    }

    method selectRange {from to} {
        my work SelectWhere [my Within [my Shows statistic] [list $from $to]]
    }

    # Selects the jobs of this plot for which conditions hold.
    method SelectWhere {conditions} {
        set most [my mostJobs]
        set relation [my Relation [my Shows tasks] $conditions]
        set count [$relation count]
        set jobs [$relation ids 0 $most]
        $relation close
        my Select $jobs
        my tell "[figure counted $count] selected[expr {$count > $most ? ", of which the first $most are kept" : {}}]"
    }

    method Select {jobs} {
        my SetChosen $jobs
        my selectJobs $jobs
        if {[llength $jobs] == 1} {my goToJob [lindex $jobs 0]}
        my whenSeen draw
    }

    method SetChosen {jobs} {
        set Chosen $jobs
        set Marked {}
    }

    method jobsSelected {jobs} {
        my SetChosen $jobs
        my whenSeen draw
    }

    # ---- telling -----------------------------------------------------------------------------------------------------

    method Motion {x y} {
        if {$Inner eq {} || ![my hasTrace]} return
        set tag [$Picture identify $x $y]
        switch [lindex $tag 0] {
            bin {
                lassign $tag - from to count
                my tell \
                    "[my Shows statistic] from [my Value $from] to [my Value $to]: [figure counted $count]"
            }
            job {
                set look [$Trace look job [lindex $tag 1]]
                set statistic [my Shows statistic]
                my tell "[my called [dict get $look job]]: $statistic [my Value [dict get $look $statistic]], released\
                    at [my timeText [dict get $look release]]"
            }
            default {my tell [my Summary]}
        }
    }

    method Summary {} {
        set figures [my Shows figures]
        join [list [countOf $Measured] {*}[lmap {name word} {
            minimum least p50 median average mean p95 95% p99 99% maximum largest
        } {string cat "$word " [my Value [dict get $figures $name]]}]] "   "
    }

    # A value of the statistic, with its unit where it is a length.
    method Value {value} {
        if {[my Shows statistic] in {preemptions migrations}} {return [::tactus::format %.6g $value]}
        my lengthText $value 6
    }

    # ---- a file ------------------------------------------------------------------------------------------------------

    method figureName {} {return $Kind}

    method exportTo {file args} {
        if {$Measured eq {}} return
        set task [expr {$Task eq "all tasks" ? "*" : [::tactus::nameList [list [dict get $Tasks $Task]]]}]
        my export $file [list -task $task \
            -statistic $Statistic -filter $Filter \
            -log $Log {*}$args]
    }

    # ---- for scripts and tests ---------------------------------------------------------------------------------------

    method chosen {} {return $Chosen}
    method measured {} {return $Measured}
    method inner {} {return $Inner}

    # Sets choices: set NAME VALUE ...: Task Kind Statistic Filter Log.
    method set {args} {
        foreach {name value} $args {::set $name $value}
        my measure
    }
}
