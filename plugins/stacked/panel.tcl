# panel.tcl -- the panel of the job-stacked view (stacked.tcl): scrolling of rows, zooming of time, selecting of jobs.
#
#   choices of the bar -> Options -> Rows (sorted, filtered, grouped) -> those that are seen (Viewport) -> draw
#
# Rows are made anew when the trace or a choice changes (`rebuild`); moving only draws. The rows before stay in sight
# until the new ones are made. The selection is shared with all parts that show jobs.

::tactus::need panel/drawing

oo::class create Panel {
    superclass ::tactus::player::DrawingPanel
    variable Frame View Trace Picture Drawing Filter    ;# of the superclasses
    variable Base Sort Group Down Ticked        ;# of the widgets; Ticked: task -> is it shown?
    variable Options Rows Message       ;# options and rows shown; Rows: {} none, which Message explains
    variable Viewport   ;# the rows and the range of time that are seen (stacked/viewport.tcl)
    variable Told       ;# task -> its colour as one that ran while others waited
    variable Chosen Anchor Current      ;# dict of job -> 1; {column row} of the last press and step
    variable Sought     ;# job that stays among the rows that are seen until the user moves them; {}: none
    variable Colors     ;# what colours of tasks said when it was drawn last

    constructor {frame view} {
        lassign {release release none 0} Base Sort Group Down
        lassign {} Rows Message Viewport Chosen Anchor Current Told Sought Colors
        set Options [dict create tasks {} base release mark {} sort release down 0 filter {} group none]
        next $frame $view
        my hear Shown shown
        my hear RowsChanged recolored
    }

    destructor {
        my DropRows
        if {$Viewport ne {}} {$Viewport destroy}
        next
    }

    method DropRows {} {
        if {$Rows ne {} && [info object isa object $Rows]} {$Rows destroy}
        set Rows {}
        if {$Viewport ne {}} {$Viewport clear}
    }

    # ---- widgets -----------------------------------------------------------------------------------------------------

    method buildBar {bar} {
        ttk::menubutton $bar.task -text Task -menu $bar.task.menu -takefocus 0
        ::menu $bar.task.menu -tearoff 0 -postcommand [::namespace code {my FillTasks}]
        ::tactus::player::theme adopt $bar.task.menu
        pack $bar.task -side left -padx [::tactus::player::px 2]
        my choice $bar Base from {release start deadline completion} 9
        my choice $bar Sort sort $::tactus::plugins::stacked::sortable 10
        my check $bar Down down
        my choice $bar Group group {none outcome processor preempted blocked quarter} 9
        my filterEntry $bar
        ttk::scrollbar $Frame.y -command [::namespace code {my Move yview}]
    }

    method bindPicture {} {
        set Viewport [Viewport new $Picture]
        grid $Frame.y -row 1 -column 1 -sticky ns
        foreach {event script} {
            <Button-1> {my Press %x %y one} <Control-Button-1> {my Press %x %y add}
            <Shift-Button-1> {my Press %x %y to} <Motion> {my Motion %x %y}
            <Button-4> {my Move scroll -3} <Button-5> {my Move scroll 3}
            <MouseWheel> {my Move scroll [expr {%D > 0 ? -3 : 3}]}
            <Control-Button-4> {my Move zoom 0.8 %x} <Control-Button-5> {my Move zoom 1.25 %x}
            <Shift-Button-4> {my Move pan -0.1} <Shift-Button-5> {my Move pan 0.1}
            <Alt-Button-4> {my Move thicker 1} <Alt-Button-5> {my Move thicker -1}
            <Key-plus> {my Move thicker 1} <Key-minus> {my Move thicker -1}
            <Key-Prior> {my Move page -1} <Key-Next> {my Move page 1} <Key-Up> {my Step -1} <Key-Down> {my Step 1}
            <Key-Home> {my Move to 0} <Key-End> {my Move to end} <Key-f> {my Move fit}
        } {
            bind $Picture $event "[::namespace code $script]; [expr {[string match <Key* $event] ? "break" : {}}]"
        }
    }

    method FillTasks {} {
        set menu $Frame.bar.task.menu
        $menu delete 0 end
        if {![my hasTrace]} return
        foreach task [figure jobTasks $Trace 60] {
            lassign $task id name count
            set Ticked($id) [expr {$id in [dict get $Options tasks]}]
            $menu add checkbutton \
                -label "[my NameOf $id $name][expr {$name in [list {} $id] ? {} : " $id"}] ([figure counted $count])" \
                -variable [my varname Ticked]($id) \
                -command [::namespace code [list my ToggleTask $id]]
        }
    }

    method NameOf {id name} {
        ::tactus::visible::line [if {$name eq {}} {string cat $id} else {string cat $name}] 50
    }

    # Shows or hides a task: at least one and at most six are shown.
    method ToggleTask {id} {
        set tasks [dict get $Options tasks]
        if {$id in $tasks && [llength $tasks] > 1} {
            set tasks [lsearch -all -inline -exact -not $tasks $id]
        } elseif {$id ni $tasks} {
            lappend tasks $id
        }
        dict set Options tasks [lrange $tasks end-5 end]
        my whenSeen rebuild
    }

    # Adapts the order to the sorted column: the first time on top, the longest length on top.
    method changed {name} {
        if {$name eq "Sort"} {set Down [expr {$Sort ni {release start completion deadline}}]}
        set Options [dict merge $Options [dict create base $Base sort $Sort group $Group down $Down filter $Filter]]
        set Sought {}
        if {$Viewport ne {}} {$Viewport to 0}
        my whenSeen rebuild
    }

    # ---- the trace ---------------------------------------------------------------------------------------------------

    method traceChanged {} {
        my DropRows
        set Chosen {}
        set Told {}
        next
    }

    # The rows are made anew, since relations do not grow with the trace.
    method traceReloaded {} {my whenSeen renew}

    method renew {} {
        if {[my hasTrace]} {
            set known [lmap task [figure jobTasks $Trace] {lindex $task 0}]
            set tasks [lmap task [dict get $Options tasks] {if {$task ni $known} continue; set task}]
            if {![llength $tasks] && [llength [set chosen [my chosenBefore]]]} {
                set Sought [lindex $chosen 0]
                my SetChosen $chosen
                set tasks [list [dict get [$Trace look job $Sought] task]]
            }
            if {![llength $tasks]} {set tasks [lrange $known 0 0]}
            dict set Options tasks $tasks
        }
        my rebuild
    }

    # Makes the rows anew: another task, order, filter or group.
    method rebuild {} {
        set tasks [dict get $Options tasks]
        if {![my hasTrace]} {return [my failed "no trace"]}
        if {![llength $tasks]} {return [my failed "no jobs in this trace"]}
        my work MakeRows
    }

    method MakeRows {} {
        set tasks [dict get $Options tasks]
        set rows [Rows new $Trace [dict merge $Options \
            [dict create words [my progress] tasks [lmap task $tasks {::tactus::nameList [list $task]}] \
            filter [figure conditions [dict get $Options filter]]]]]
        my DropRows
        set Rows $rows
        set Message {}
        set looks [dict get [$Trace style -tasks $tasks] tasks]
        $Frame.bar.task configure \
            -text [::tactus::visible::line [join [lmap task $tasks {my NameOf $task [dict get $looks $task name]}] \
                ", "] 30]
        if {$Sought ne {}} {my See $Sought}
        my draw
    }

    # Shows a message in place of the rows.
    method failed {message} {
        my DropRows
        set Message $message
        set Sought {}
        my draw
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    # Draws the rows that are seen, or a message in their place.
    method draw {} {
        if {![winfo ismapped $Picture]} return
        if {$Rows eq {} || ![$Rows rows]} {
            my drawMessage [if {$Message ne {}} {set Message} else {string cat "no jobs to show"}]
            return [$Frame.y set 0 1]
        }
        lassign [my begin] width height
        if {[$Viewport span] eq {}} {
            $Viewport setSpan {*}[spanOf $Trace $Rows [dict get $Options base] [dict get $Options mark]]
        }
        set Colors [my colorBy]
        set styles [list -dark [my dark] -color-by $Colors]
        set colors [dict replace [figure colors $Trace {*}$styles] mark [::tactus::player::theme color select]]
        set all [$Rows rows]
        $Viewport place $all
        set first [$Viewport first]
        set plots [draw $Drawing [dict merge [my axisOptions] \
            [dict create trace $Trace rows $Rows base [dict get $Options base] mark [dict get $Options mark] \
            span [$Viewport span] note [$Viewport note] width $width height $height first $first \
            pitch [$Viewport pitch] size 8 colors $colors styles $styles chosen $Chosen legend top most {} told $Told]]]
        $Viewport drawn $plots
        set Told [dict get $plots told]
        $Frame.y set [expr {double($first) / $all}] [expr {min(1.0, double($first + [$Viewport shown]) / $all)}]
        my KeepSought
    }

    # How many rows are seen is known when they have been drawn, and changes with the window.
    method KeepSought {} {
        set at [expr {$Sought eq {} ? {} : [$Rows rowOf $Sought]}]
        if {$at eq {}} return
        set first [$Viewport first]
        $Viewport reveal [lindex $at 1] 1
        if {[$Viewport first] != $first} {my whenSeen draw}
    }

    # The timeline may have been given other colours.
    method recolored {args} {
        if {$Colors eq [my colorBy]} return
        set Told {}
        my whenSeen draw
    }

    # Moves the viewport by one of its methods.
    method Move {args} {
        if {$Rows eq {}} return
        set Sought {}
        $Viewport {*}$args
        my whenSeen draw
    }

    # ---- choosing jobs -----------------------------------------------------------------------------------------------

    # The job of {column row}; {}: there is none.
    method JobOf {at} {
        if {$at eq {} || $Rows eq {}} return
        lassign $at column row
        lindex [$Rows seen $column $row [expr {$row + 1}]] 0 2
    }

    method Press {x y how} {
        focus $Picture
        set at [$Viewport rowAt $x $y]
        set job [my JobOf $at]
        if {$job eq {}} return
        set Sought {}
        my Choose $how $at $job
        set Current $at
        my selectJobs [dict keys $Chosen]
        if {[dict exists $Chosen $job]} {my goToJob $job}
        my whenSeen draw
    }

    # Chooses a job. how: one alone, add (or take away), all from the anchor to this one.
    method Choose {how at job} {
        if {$how eq "to" && [lindex $Anchor 0] eq [lindex $at 0]} {
            lassign [lsort -integer [list [lindex $Anchor 1] [lindex $at 1]]] first last
            return [my SetChosen [$Rows jobs [lindex $at 0] $first $last [my mostJobs]]]
        }
        set Anchor $at
        if {$how ne "add"} {return [my SetChosen [list $job]]}
        if {[dict exists $Chosen $job]} {dict unset Chosen $job} else {dict set Chosen $job 1}
    }

    method SetChosen {jobs} {
        set Chosen {}
        foreach job $jobs {dict set Chosen $job 1}
    }

    method Step {by} {
        if {$Rows eq {}} return
        if {$Current eq {}} {set Current [list 0 [expr {int([$Viewport first]) - 1}]]}
        lassign $Current column row
        set row [expr {max(0, min([dict get [lindex [$Rows columns] $column] rows] - 1, $row + $by))}]
        set Current [list $column $row]
        set Sought {}
        $Viewport reveal $row
        set job [my JobOf $Current]
        if {$job ne {}} {
            my SetChosen [list $job]
            my selectJobs [list $job]
            my goToJob $job
        }
        my whenSeen draw
    }

    # Shows a job that was clicked in the timeline, or in the details.
    method shown {item} {
        if {$Rows eq {}} return
        set job [my jobOf $item]
        if {$job eq {} || [dict exists $Chosen $job]} return
        my SetChosen [list $job]
        my See $job
    }

    method jobsSelected {jobs} {
        my SetChosen $jobs
        if {[llength $jobs] && $Rows ne {}} {my See [lindex $jobs 0]} else {my whenSeen draw}
    }

    # Scrolls to the job's row, if it has one, in its task's column. A task that is not shown replaces those that are.
    method See {job} {
        set Sought $job
        if {![winfo ismapped $Picture]} return
        set at [$Rows rowOf $job]
        set task [dict get [$Trace look job $job] task]
        if {$at eq {} && $task ni [dict get $Options tasks]} {
            dict set Options tasks [list $task]
            $Viewport to 0
            return [my whenSeen rebuild]
        }
        if {$at ne {}} {
            set Current $at
            $Viewport reveal [lindex $at 1] 1
        }
        my whenSeen draw
    }

    # ---- telling -----------------------------------------------------------------------------------------------------

    method Motion {x y} {
        if {$Rows eq {} || ![my hasTrace]} return
        set job [my JobOf [$Viewport rowAt $x $y]]
        if {$job eq {}} {return [my tell {}]}
        set look [$Trace look job $job]
        set words [lmap key {response execution preempted blocked} {string cat "$key " [my Known $look $key]}]
        if {[dict get $look lateness] ne {}} {lappend words "lateness [my Known $look lateness]"}
        set called [my called [dict get $look job]]
        # The task's name, unless the job is called by it.
        set name [dict get $look task_name]
        set isNamed [expr {$name in [list {} [dict get $look task]] || [string first $name. $called] == 0}]
        my tell "[expr {$isNamed ? {} : "$name, "}]$called: [join $words {, }][my StateAt $x $y]"
    }

    method StateAt {x y} {
        set tag [$Picture identify $x $y]
        if {[llength $tag] != 3} return
        lassign $tag state - who
        if {$who eq {}} {return "; $state"}
        set who [my called $who]
        expr {$state eq "blocked" ? "; blocked by $who" : "; $state while $who ran"}
    }

    method Known {look key} {
        expr {[dict get $look $key] eq {} ? "unknown" : [my lengthText [dict get $look $key]]}
    }

    # ---- a file ------------------------------------------------------------------------------------------------------

    method figureName {} {return stacked}

    # Writes the view into a file as it is seen: the same jobs, order, time and number of rows.
    method exportTo {file args} {
        set options [list -task [::tactus::nameList [dict get $Options tasks]]]
        foreach key {base sort filter group} {lappend options -$key [dict get $Options $key]}
        my export $file [list {*}$options -span [join [$Viewport span] ,] -limit [$Viewport shown] {*}$args]
    }

    # ---- for scripts and tests ---------------------------------------------------------------------------------------

    method rows {} {return $Rows}
    method rowsSeen {} {$Viewport shown}
    method chosen {} {dict keys $Chosen}

    method options {args} {
        set Options [dict merge $Options $args]
        dict with Options {lassign [list $base $sort $group $filter $down] Base Sort Group Filter Down}
        if {[llength $args]} {my rebuild}
        return $Options
    }

    method first {args} {
        if {[llength $args]} {
            $Viewport to [lindex $args 0]
            my draw
        }
        $Viewport first
    }
}
