# panel/drawing.tcl -- class DrawingPanel: a panel that shows a drawing (tactus::drawing) of the jobs of a trace; the
# superclass of plugins' panels.
#
#   +--------------------------------------------+
#   | bar: choices, a filter, Figure...          |  buildBar
#   | picture: the drawing, as large as its window |  draw
#   | text: the item under the pointer           |  tell
#   +--------------------------------------------+
#
# A plugin's class names this one as its superclass in a file that is read when its first panel is made, since this
# class does not exist without a window. The methods that it can use and those that it can have are documented in
# tactus_plugin(n), PANELS WITH A DRAWING: keep that page in step with this file.
#
# Work that takes long with many jobs is run by `work METHOD ?ARG ...?`: the method gives the words of `progress` to all
# commands of relations. Meanwhile the window handles its events, and the picture stays; the method must leave it as it
# is until it has all that replaces it. The same work wanted again ends the one under way (its relation fails with
# {TACTUS CANCELLED}) and begins anew; other work waits for its turn. An error of the user (a filter that is wrong) is
# passed to `failed message`.
#
# All this is called by `whenSeen` (panel/panel.tcl): at idle time, once, and not before the panel is seen. A handler
# that changes its own cause while it runs would be called again.

::tactus::need panel/panel player/jobs

oo::class create ::tactus::player::DrawingPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace Picture Drawing Filter
    variable Running Wanted     ;# method of the work under way, {}: none; method -> arguments of work that is to follow
    # ms: start of the work, and the last time that the window handled events; does `tell` show its progress?
    variable Began Rested Said

    # The path of the object's namespace has the plugin's, so that methods find the words of the plugin.
    constructor {frame view} {
        set space [namespace qualifiers [info object class [self]]]
        namespace path [list {*}[namespace path] $space {*}[namespace eval $space {namespace path}]]
        next $frame $view
    }

    destructor {
        catch {$Drawing destroy}
        next
    }

    # ---- widgets -----------------------------------------------------------------------------------------------------

    method build {} {
        set Drawing [::tactus::drawing]
        lassign {{} {} {} 0 0 0} Filter Running Wanted Began Rested Said
        set bar [ttk::frame $Frame.bar -padding [::tactus::player::px 3]]
        if {[my figureName] ne {}} {
            ttk::button $bar.export -text "Figure\u2026" -command [namespace code {my Export}] -takefocus 0
            pack $bar.export -side right -padx [::tactus::player::px 3]
        }
        my buildBar $bar
        set Picture $Frame.picture
        ::tactus::picture $Picture -drawing $Drawing -width 200 -height 100 -takefocus 1
        ttk::label $Frame.text -anchor w -padding [list [::tactus::player::px 6] [::tactus::player::px 1]]
        grid $bar -columnspan 2 -sticky ew
        grid $Picture -sticky nsew
        grid $Frame.text -columnspan 2 -sticky ew
        grid columnconfigure $Frame 0 -weight 1
        grid rowconfigure $Frame 1 -weight 1
        bind $Picture <Configure> [namespace code {my whenSeen draw}]
        bind $Picture <Leave> [namespace code {my tell {}}]
        my bindPicture
        my hear JobsSelected jobsTold
    }

    # A box of choices over a variable of the object.
    method choice {bar name label values width} {
        ttk::label $bar.l$name -text $label
        ttk::combobox $bar.c$name -state readonly -values $values -width $width \
            -textvariable [my varname $name] -takefocus 0
        bind $bar.c$name <<ComboboxSelected>> [namespace code [list my Chosen %W $name]]
        pack $bar.l$name $bar.c$name -side left -padx [::tactus::player::px 2]
    }

    method Chosen {box name} {
        $box selection clear
        my changed $name
    }

    method check {bar name label} {
        ttk::checkbutton $bar.c$name -text $label -variable [my varname $name] \
            -command [namespace code [list my changed $name]] -takefocus 0
        pack $bar.c$name -side left -padx [::tactus::player::px 2]
    }

    # An entry for the variable Filter, in the rest of the bar.
    method filterEntry {bar} {
        ttk::label $bar.lFilter -text filter
        ttk::entry $bar.filter -textvariable [my varname Filter] -width 10
        bind $bar.filter <Return> [namespace code {my changed Filter}]
        bind $bar.filter <Escape> [namespace code {set Filter {}; my changed Filter}]
        lower [ttk::frame $bar.room]
        pack $bar.room -side left -fill x -expand 1
        pack $bar.lFilter -in $bar.room -side left -padx [::tactus::player::px 2]
        pack $bar.filter -in $bar.room -side left -fill x -expand 1 -padx [::tactus::player::px 3]
        bind $bar <Configure> [namespace code [list my FitFilter $bar]]
    }

    # Gives the filter a line of its own where the choices leave no room for it.
    method FitFilter {bar} {
        set needed [::tactus::player::px 120]
        foreach slave [pack slaves $bar] {if {$slave ne "$bar.room"} {incr needed [winfo reqwidth $slave]}}
        set side [expr {$needed > [winfo width $bar] ? "bottom" : "left"}]
        if {$side eq [dict get [pack info $bar.room] -side]} return
        if {$side eq "bottom"} {
            pack $bar.room -side bottom -before [lindex [pack slaves $bar] 0]
        } else {
            pack $bar.room -side left -after [lindex [pack slaves $bar] end]
        }
    }

    # The jobs that are chosen in the view already: those that are selected, else the one that was clicked or gone to
    # last.
    method chosenBefore {} {
        set jobs [::tactus::player::jobs::select $View]
        if {[llength $jobs] || [catch {$View place} place]} {return $jobs}
        my jobOf [::tactus::player::text::valueOf $place item]
    }

    # Methods that a class can replace.
    method buildBar {bar} {}
    method bindPicture {} {}
    method changed {name} {my whenSeen draw}
    method renew {} {my draw}
    method jobsSelected {jobs} {}
    method failed {message} {my drawMessage $message}
    method figureName {} {}

    # ---- the trace ---------------------------------------------------------------------------------------------------

    method traceChanged {} {my whenSeen renew}
    method themeChanged {} {my whenSeen draw}

    # Does the trace still exist? It is closed before the panel hears of it.
    method hasTrace {} {
        expr {$Trace ne {} && [info commands $Trace] ne {}}
    }

    # ---- work that may take long -------------------------------------------------------------------------------------

    method work {method args} {
        dict set Wanted $method $args
        if {$Running ne {}} return
        set me [self]
        try {
            while {[info object isa object $me] && [dict size $Wanted]} {my WorkNext}
        } finally {
            if {[info object isa object $me]} {
                lassign {} Running Wanted
                if {$Said} {my tell {}}
            }
        }
    }

    method WorkNext {} {
        set me [self]
        set Running [lindex [dict keys $Wanted] 0]
        set words [dict get $Wanted $Running]
        dict unset Wanted $Running
        set Began [set Rested [clock milliseconds]]
        try {
            my $Running {*}$words
        } trap {TACTUS CANCELLED} {} {
            # the work that is wanted instead follows
        } trap TACTUS message - trap TCL message {
            if {[info object isa object $me]} {my failed $message}
        }
    }

    # Words for commands of relations.
    method progress {} {list -progress [namespace code {my step}]}

    # Handles events; called every 20 ms of work, and between its commands. Events may destroy the panel, close the
    # trace, or change a choice.
    method step {state} {
        set me [self]
        set now [clock milliseconds]
        if {$now - $Rested < 15} return
        if {$now - $Began > 100} {
            dict with state {my tell "$phase \u2026 [expr {$total > 0 ? 100 * $done / $total : 0}] %"}
            set Said 1
        }
        update
        if {![info object isa object $me] || [dict exists $Wanted $Running]} {return -code break}
        set Rested [clock milliseconds]
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method dark {} {
        expr {[::tactus::player::theme name] eq "dark"}
    }

    # What colours of tasks say where the timeline shows it in colours of tasks; else the convention's.
    method colorBy {} {
        expr {[[$View timeline] cget -color-by] eq "task" ? "task" : "convention"}
    }

    # Empties the drawing and makes it as large as its window: {width height} in points.
    method begin {} {
        lassign [$Picture size] width height
        $Drawing clear
        $Drawing configure -width $width -height $height \
            -background [expr {[my hasTrace] ? [dict get [$Trace style -dark [my dark]] paper]
                : [::tactus::player::theme color base]}]
        list $width $height
    }

    # Draws a text in the middle, where there is nothing else to draw.
    method drawMessage {text} {
        lassign [my begin] width height
        $Drawing text [expr {$width / 2}] [expr {$height / 2}] $text -anchor center \
            -ink [::tactus::player::theme color foreground] \
            -most [expr {$width - 20}]
    }

    # Unit and scale of times, and where they count from, as the timeline has them.
    method axisOptions {} {
        lassign [$Trace axis {} {}] unit scale
        set origin [::tactus::player::units::origin $View]
        if {$origin eq {}} {set origin 0}
        dict create unit $unit scale $scale origin $origin
    }

    # ---- telling -----------------------------------------------------------------------------------------------------

    # A point in time and a length with their units, as the window writes them.
    method timeText {time} {::tactus::player::units::time $View $time}
    method lengthText {length {digits 0}} {::tactus::player::units::length $View $length $digits}

    # Shows a line under the picture.
    method tell {text} {
        set Said 0
        set text [::tactus::player::text::visible $text 400]
        if {[$Frame.text cget -text] ne $text} {$Frame.text configure -text $text}
    }

    # ---- jobs --------------------------------------------------------------------------------------------------------

    method jobsTold {jobs by} {
        if {$by ne [self]} {my jobsSelected $jobs}
    }

    # Number of jobs that can be selected at once.
    method mostJobs {} {return $::tactus::player::jobs::most}

    # The job to which an item of the timeline or of the details belongs; {}: none.
    method jobOf {item} {
        set kind [expr {[dict exists $item kind] ? [dict get $item kind] : {}}]
        set key [expr {$kind eq "job" ? "index" : "job"}]
        expr {[dict exists $item $key] && [string is integer -strict [dict get $item $key]]
            ? [dict get $item $key] : {}}
    }

    method selectJobs {jobs} {
        ::tactus::player::jobs::select $View $jobs [self]
    }

    # Shows the job in the timeline, from its first known time.
    method goToJob {job} {
        set look [$Trace look job $job]
        set to [expr {[dict get $look completion] eq {} ? {} : [list -to [dict get $look completion]]}]
        foreach key {release start completion} {
            set time [dict get $look $key]
            if {$time eq {}} continue
            return [my go -time $time {*}$to \
                -item [list kind job index $job id [dict get $look job] task [dict get $look task]]]
        }
    }

    # ---- a file ------------------------------------------------------------------------------------------------------

    method Export {} {
        if {![my hasTrace]} return
        set types [lmap format [::tactus::describe formats] {
            list [dict get $format help] [dict get $format extensions]
        }]
        set file [tk_getSaveFile -parent $Frame -defaultextension .pdf -initialfile [my figureName].pdf \
            -filetypes $types]
        if {$file ne {}} {my exportTo $file}
    }

    # Draws the figure of a view into a file, and reports that.
    method export {file options} {
        try {
            ::tactus::plugin::figure $Trace [my figureName] $file {*}$options
            $View message "written: $file"
        } trap TACTUS message {
            $View bar error $message -name figure
        }
    }

    method picture {} {return $Picture}
}
