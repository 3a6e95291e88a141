# player/compareBeside.tcl -- class Beside: a second trace under the timeline of a view, on the same axis, and the
# comparison of the two.
#
#   file -> opened in the queue (player/opening.tcl) -> timeline and a bar under the view's -> tactus::compare, in the
#        background -> rows in the same order, by the tasks that compare has matched
#
#   $beside file, trace, timeline, at, offset, power
#   $beside figures, causes           rows of tactus::compare, {} until they are there; working: is it comparing?
#   $beside align AT                  aligns anew (compareAlign.tcl); an error leaves all as it was
#   $beside zoomJobs A B              shows one job of each, with their releases aligned
#
# Tells CompareChanged (begun, compared, or over) and CompareAligned. It ends with the view, and with another trace in
# the view; reading the view's trace anew leaves it. Times of the second trace are added to `offset`, in the unit of the
# view's (tactus::timeline::shift).

::tactus::need player/later player/text player/compareAlign times timelineSync

oo::class create ::tactus::player::Beside {
    mixin ::tactus::player::Later
    variable AxisAbove          ;# does the axis below tell times of the trace above?
    variable Owner              ;# a frame that is never seen: this object hears events as long as it is there
    variable Above              ;# the file of the view that it is compared with
    variable View File At Offset Trace Timeline Bar Figures Causes
    variable Partners           ;# dict: task of the view's trace -> that of the second one
    variable Run Working        ;# number of the comparison begun last; is it under way?
    variable Chosen Scrolled    ;# the job below that was clicked; the timeline that is scrolled by the other one

    constructor {view file at} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $view $file $at 0 [$view file] 0] View File At Offset Above AxisAbove
        lassign {{} {} {} {} {} {} 0 0 {} {}} Trace Timeline Bar Figures Causes Partners Run Working Chosen Scrolled
        set Owner [frame [$View top].beside[incr ::tactus::player::compare::besides]]
        foreach {event method} {
            TraceOpened Renewed TraceReloaded Renewed TraceClosed Closed RowsChanged Arrange ThemeChanged Arrange
        } {listen $event [namespace code [list my Heard $method]] $Owner}
        bind $Owner <Destroy> [namespace code {my destroy}]
        opening::queueOwner [self]
    }

    destructor {
        catch {opening::cancel [self]}
        if {[winfo exists $Owner]} {
            bind $Owner <Destroy> {}
            destroy $Owner
        }
        if {[alive $View] && [$View option comparePending] eq [self]} {
            $View option comparePending {}
            $View closeBar compare
        }
        my Hide
        if {$Trace ne {}} {catch {$Trace close}}
        if {[alive $View] && [$View option compare] eq [self]} {
            $View option compare {}
            tell CompareChanged $View
        }
    }

    method Heard {method view args} {
        if {$view eq {} || $view eq $View} {my $method}
    }

    foreach name {file at offset trace timeline figures causes} {
        method $name {} "return \$[string totitle $name]"
    }
    method working {} {return $Working}
    method power {} {compare::power [$View trace] $Trace}

    # ---- opening -----------------------------------------------------------------------------------------------------

    # Called by the queue: opens the trace; what is compared now stays if that fails.
    method openNow {} {
        lassign [list [self] $View $File] me view file
        try {
            opening::checkFile $file
            set options [openOptions $view]
            set trace [{*}[my Opener] -progress [namespace code {my Progress}] -decimals 3 \
                {*}[dict remove $options -decimals] {*}[::tactus::trustOf $file $options]]
        } on error {message options} {
            # The object may be gone, and what its namespace knows with it.
            if {[::tactus::player::alive $me]} {$me destroy}
            if {[lindex [dict get $options -errorcode] 1] eq "CANCELLED" || ![::tactus::player::alive $view]} return
            set name [::tactus::player::opening::nameText $file]
            $view bar error "$name cannot be opened: $message" -name compare
            return
        }
        if {![::tactus::player::alive $me]} {return [$trace close]}
        my Opened $trace
    }

    method Opener {} {
        if {[info commands ::tactus::plugin::open] eq {}} {return [list ::tactus::open $File]}
        list ::tactus::plugin::open $File
    }

    method Progress {state args} {
        set me [self]
        set state [dict merge {phase reading done 0 total 0} $state]
        set text "Opening [opening::nameText $File] to compare: [opening::phaseText {*}[dict values \
            [dict filter $state key phase done total]]]"
        if {![$View changeBar compare $text] && [clock milliseconds] - $::tactus::player::opening::begun > 120} {
            $View bar note $text -name compare -buttons [list Cancel [list $me destroy]]
        }
        if {![::tactus::player::opening::mayGoOn $me]} {return -code break}
        return
    }

    # Shows the trace, as soon as the view has its own.
    method Opened {trace} {
        set Trace $trace
        $View closeBar compare
        if {[$View trace] eq {}} return
        $View option comparePending {}
        set old [compare::of $View]
        $View option compare [self]
        if {$old ne {}} {$old destroy}
        my Show
        $View showPanel compare
        my begin
    }

    # ---- showing -----------------------------------------------------------------------------------------------------

    # Puts bar and timeline under the timeline of the view.
    method Show {} {
        set plot [winfo parent [$View timeline]]
        set Bar [ttk::frame $plot.beside -padding [list [px 4] [px 1] [px 2] [px 1]]]
        set Timeline $plot.second
        ::tactus::timeline $Timeline -theme [theme name] -width 200 -height 100 -highlightthickness 0 -takefocus 1 \
            -snap [px 8] -trace $Trace -axis-unit [lindex [$Trace axis {} {}] 0] \
            -yscrollcommand [namespace code {my Scroll second}]
        ttk::scrollbar $plot.y2 -orient vertical -command [list $Timeline yview]
        my BuildBar
        grid $Bar -row 3 -column 0 -columnspan 2 -sticky ew
        grid $Timeline -row 4 -column 0 -sticky nsew
        grid $plot.y2 -row 4 -column 1 -sticky ns
        grid $plot.x -row 5 -column 0 -sticky ew
        foreach row {1 4} {grid rowconfigure $plot $row -weight 1 -uniform timelines}
        [$View timeline] configure -yscrollcommand [namespace code {my Scroll first}]
        bind $Timeline <<BeforeZoom>> [list ::tactus::player::history::record [$View timeline] %d]
        bind $Timeline <<Clicked>> [namespace code {my Clicked %x %y}]
        foreach name {A B} {bind $Timeline <Key-$name> "[namespace code [list my Mark $name]]; break"}
        tip::add $Timeline [namespace code {my Tip}]
        ::tactus::timeline::sync [$View timeline] $Timeline
        my Arrange
        my Realign
    }

    # Gives all the room to the timeline of the view again.
    method Hide {} {
        set first [expr {[alive $View] ? [$View timeline] : {}}]
        if {$Timeline eq {} || ![winfo exists $Timeline]} return
        set plot [winfo parent $Timeline]
        ::tactus::timeline::unsync $first $Timeline
        foreach window [list $Timeline $Bar $plot.y2] {destroy $window}
        if {$first eq {} || ![winfo exists $first]} return
        $first configure -yscrollcommand [list $plot.y set]
        grid $plot.x -row 2 -column 0 -sticky ew
        grid rowconfigure $plot 1 -weight 1 -uniform {}
        grid rowconfigure $plot 4 -weight 0 -uniform {}
    }

    # The bar between the two: their names, how they are aligned, what is added to the times of the second.
    method BuildBar {} {
        foreach name {first second} sign {\u25b2 \u25bc} title [list [$View title] [file tail $File]] {
            ttk::label $Bar.$name -style Bold.TLabel -text "$sign [text::visible $title 24]" \
                -foreground [theme color $name]
            tip::add $Bar.$name [namespace code [list my FileOf $name]]
        }
        ttk::button $Bar.close -style Toolbutton -takefocus 0 -text \u00d7 -width 2 \
            -command [list ::tactus::player::compare::end $View]
        ttk::menubutton $Bar.align -style Toolbutton -menu $Bar.align.menu
        menu $Bar.align.menu -tearoff 0
        $Bar.align.menu configure -postcommand [namespace code {my FillMenu}]
        ttk::label $Bar.text -text "times below +"
        ttk::entry $Bar.offset -width 12
        foreach key {<Key-Return> <Key-KP_Enter>} {bind $Bar.offset $key "[namespace code {my OffsetTyped}]; break"}
        bind $Bar.offset <Key-Escape> "[namespace code {my Label}]; break"
        ttk::label $Bar.only -style Muted.TLabel -anchor w
        pack $Bar.close -side right
        pack $Bar.offset $Bar.text $Bar.align -side right -padx [px 2]
        pack $Bar.first $Bar.second -side left -padx [px 4]
        pack $Bar.only -side left -fill x -expand 1 -padx [px 6]
        tip::add $Bar.only [namespace code {my OnlyText}]
        tip::add $Bar.offset [namespace code {my OffsetTip}]
    }

    method FillMenu {} {
        $Bar.align.menu delete 0 end
        foreach name {alignBegin alignZero alignTimes alignMark alignMarkerA alignMarkerB alignJobs alignAxis} {
            actions::addEntry $Bar.align.menu $name $View
        }
    }

    # The whole path of the trace above or below.
    method FileOf {name args} {text::visible [if {$name eq "first"} {set Above} else {set File}] 500}

    method OffsetTip {args} {
        return "The axis below tells its own times. A time there plus this stands under the time of the axis above."
    }

    # What the timeline under the pointer shows there.
    method Tip {x y} {
        if {$Trace eq {} || ![prefFlag tips 1]} return
        text::visible [text::valueOf [$Timeline identify $x $y] text] 1000
    }

    # ---- rows --------------------------------------------------------------------------------------------------------

    # Gives the second timeline the rows of the first, task by task, and its settings.
    method Arrange {args} {
        if {$Timeline eq {} || ![winfo exists $Timeline] || [$View trace] eq {}} return
        set first [$View timeline]
        foreach option {
            -theme -convention -processors -deadlines -order -grayscale -filter -color-by -layers -bar-text -fit-rows
            -mark-servers -font -fontsize -axis-scale -group-by -hide-empty
        } {
            catch {$Timeline configure $option [$first cget $option]}
        }
        set arrangement [$first row arrangement]
        dict set arrangement order [$first row keys]
        set arrangement [my Translated $arrangement]
        # What is below only comes last.
        set known {}
        foreach key [dict get $arrangement order] {dict set known $key 1}
        foreach key [$Timeline row keys] {
            if {![dict exists $known $key]} {dict lappend arrangement order $key}
        }
        catch {$Timeline row arrangement $arrangement}
        foreach name {first second} {$Bar.$name configure -foreground [theme color $name]}
        my Label
    }

    # The arrangement with the keys of the second trace.
    method Translated {arrangement} {
        dict for {what value} $arrangement {
            switch -- $what {
                order - hidden - pinned {dict set arrangement $what [lmap key $value {my KeyOf $key}]}
                heights {
                    dict set arrangement heights [concat {*}[lmap {key factor} $value {list [my KeyOf $key] $factor}]]
                }
                groups {
                    dict set arrangement groups [dict map {name group} $value {
                        dict set group rows [lmap key [dict get $group rows] {my KeyOf $key}]
                    }]
                }
            }
        }
        return $arrangement
    }

    # The key of a row of the second trace for one of the first.
    method KeyOf {key} {
        if {[lindex $key 0] ne "task"} {return $key}
        lreplace $key 1 1 [my partner [lindex $key 1]]
    }

    # The task of the second trace that is matched with one of the first: that of the same id until they are compared.
    method partner {task} {
        if {[dict exists $Partners $task]} {return [dict get $Partners $task]}
        return $task
    }

    # Tasks that are in one trace only, as a sentence.
    method OnlyText {args} {
        set parts {}
        foreach {verdict where} {missing above new below} {
            set names [lmap row $Figures {
                if {[dict get $row verdict] ne $verdict} continue
                text::visible [dict get $row task] 40
            }]
            if {[llength $names]} {lappend parts "only $where: [join [lrange $names 0 9] {, }][expr {
                [llength $names] > 10 ? { ...} : {}}]"}
        }
        join $parts "; "
    }

    # Scrolls the other timeline to the same height; `from` moved.
    method Scroll {from low high} {
        set plot [winfo parent $Timeline]
        if {![winfo exists $plot.y2]} return
        $plot.[dict get {first y second y2} $from] set $low $high
        set w [$View timeline]
        set other [expr {$from eq "first" ? $Timeline : $w}]
        lassign [$other yview] otherLow otherHigh
        if {$high <= $low || $otherHigh <= $otherLow} return
        set place [expr {$low * ($otherHigh - $otherLow) / ($high - $low)}]
        if {$Scrolled ne $from && abs($place - $otherLow) > 0.002} {
            set Scrolled [expr {$from eq "first" ? "second" : "first"}]
            $other yview moveto $place
        }
        my later Rest 50
    }

    method Rest {} {set Scrolled {}}

    # ---- aligning ----------------------------------------------------------------------------------------------------

    method align {at} {
        set offset [compare::offset [$View trace] $Trace $at]
        lassign [list $at $offset] At Offset
        ::tactus::timeline::shift $Timeline $Offset [my power]
        my ShowAxis
        my Label
        tell CompareAligned $View
    }

    # Does the axis below tell the times of that above? With a value: has it do so, or tell its own.
    method axisAbove {args} {
        if {[llength $args]} {
            set AxisAbove [lindex $args 0]
            my ShowAxis
            my Label
        }
        return $AxisAbove
    }

    # The axis below has its 0 under that above, or as its trace has it.
    method ShowAxis {} {
        $Timeline configure -origin [if {$AxisAbove} {::tactus::timeline::fromCommon $Timeline 0}]
    }

    # After a trace was read anew, what it is aligned at may be gone: then the offset stays.
    method Realign {} {
        try {
            my align $At
        } trap TACTUS message {
            my align [list offset $Offset]
            $View message "The traces are no longer aligned as before: $message"
        } trap {TCL LOOKUP} {} {
            my align [list offset $Offset]
        }
    }

    # Aligns, or says in the status line what is missing.
    method Try {at} {
        try {
            my align $at
        } trap TACTUS message - trap {TCL LOOKUP} message {
            $View message [string toupper $message 0 0]
        }
    }

    method alignTimes {text} {
        if {[llength [split [string trim $text]]] != 2} {compare::misaligned "two times are needed: 10 12.5"}
        my align [list times {*}[split [string trim $text]]]
    }

    method alignMark {text} {my align [list mark $text]}

    method alignMarkers {name} {
        set times [list [[$View timeline] marker get $name] [$Timeline marker get $name]]
        if {{} in $times} {
            return [$View message "Set marker $name in both: Shift+$name with the pointer over each timeline"]
        }
        my Try [list times {*}$times]
    }

    # Aligns the releases of the job that is chosen above and the one chosen below, else the one of the same task with
    # the same number.
    method alignJobs {} {
        set item [text::valueOf [$View place] item]
        set job [text::valueOf $item [expr {[text::valueOf $item kind] eq "job" ? "index" : "job"}]]
        if {![string is integer -strict $job]} {return [$View message "Click a job of the trace above first"]}
        set other $Chosen
        if {$other eq {}} {
            set task [dict get [[$View trace] look job $job] task]
            set other [compare::jobLike [$View trace] $Trace $job [my partner $task]]
        }
        if {$other eq {}} {return [$View message "The other trace has no job with this number: click one there"]}
        my Try [list jobs $job $other]
    }

    method OffsetTyped {} {
        my Try [list offset [string trim [$Bar.offset get]]]
        my Label
        focus $Timeline
    }

    method Label {} {
        if {$Bar eq {} || ![winfo exists $Bar.offset]} return
        $Bar.text configure -text [expr {$AxisAbove ? "axis as above; times below +" : "times below +"}]
        $Bar.align configure -text "[my AlignedText] \u25be"
        $Bar.offset delete 0 end
        $Bar.offset insert end $Offset
        $Bar.only configure -text [my OnlyText]
    }

    method AlignedText {} {
        set rest [lassign $At kind]
        switch -- $kind {
            begin {return "aligned at the beginnings"}
            zero {return "times as they are"}
            times {return "aligned at [lindex $rest 0] and [lindex $rest 1]"}
            mark {return "aligned at [text::visible [lindex $rest 0] 20]"}
            jobs {return "aligned at two releases"}
            offset {return "shifted by hand"}
        }
    }

    # ---- going there -------------------------------------------------------------------------------------------------

    method Mark {name} {
        set time [$Timeline cursor]
        if {$time eq {}} return
        if {[$Timeline marker get $name] eq $time} {$Timeline marker delete $name} else {
            $Timeline marker set $name $time
        }
    }

    # Chooses the job below that was clicked.
    method Clicked {x y} {
        set found [$Timeline identify $x $y]
        set Chosen [text::valueOf $found job]
        $Timeline highlight [if {$Chosen ne {}} {list [list job $Chosen]}]
        set text [join [lmap key {id task state begin end} {
            set value [text::valueOf $found $key]
            if {$value eq {}} continue
            string cat "$key " [text::visible $value 60]
        }] {, }]
        if {$text ne {}} {$View message "[opening::nameText $File]: $text"}
    }

    method zoomJobs {a b} {
        set facts [list [[$View trace] look job $a] [$Trace look job $b]]
        my align [list jobs $a $b]
        lassign $facts first second
        set ends [list [my EndOf $first] [::tactus::times::add \
            [::tactus::times::scale [my EndOf $second] [my power]] $Offset]]
        set from [compare::releaseOf [$View trace] $a]
        set to [lindex [lsort -command ::tactus::times::compare $ends] end]
        set margin [::tactus::format %.9f [expr {0.1 * [::tactus::times::subtract $to $from]}]]
        set id [dict get $first job]
        $View go -time $from -item [list kind job index $a id $id job $a task [dict get $first task]]
        [$View timeline] view [::tactus::times::subtract $from $margin] [::tactus::times::add $to $margin]
        set Chosen $b
        $Timeline highlight [list [list job $b]]
        catch {$Timeline see -row [list task [dict get $second task]]}
    }

    method EndOf {facts} {
        foreach key {completion start release} {
            if {[text::valueOf $facts $key] ne {}} {return [dict get $facts $key]}
        }
    }

    # ---- comparing ---------------------------------------------------------------------------------------------------

    # The view's trace was read anew, or another one was opened there.
    method Renewed {} {
        if {[$View file] ne $Above} {return [my destroy]}
        if {$Trace eq {}} return
        if {$Timeline eq {}} {return [my Opened $Trace]}
        ::tactus::timeline::sync [$View timeline] $Timeline
        my Arrange
        my Realign
        my begin
    }

    method Closed {} {
        if {$Trace eq {}} return
        my cancel
    }

    # Compares the two at idle time.
    method begin {} {
        my cancel
        set Working 1
        my later Compare
    }

    # Compares the two; the window lives on meanwhile, and a trace that is read anew, or the end of this, ends it.
    method Compare {} {
        lassign [list [self] $Run $View] me run view
        if {[$view trace] eq {}} return
        foreach of {figures causes} {
            try {
                set rows [::tactus::compare [list [$view trace]] [list $Trace] -of $of \
                    -progress [namespace code [list my GoOn $run]]]
            } on error {message options} {
                if {![alive $me] || $run != $Run} return
                set Working 0
                if {[lindex [dict get $options -errorcode] 1] ne "CANCELLED"} {
                    $view message [text::visible $message 300]
                }
                tell CompareChanged $view
                return
            }
            if {![alive $me] || $run != $Run} return
            if {$of eq "causes"} {set Causes $rows; continue}
            set Figures $rows
            foreach row $rows {
                set other [dict get $row other_task]
                if {$other ne {}} {dict set Partners [dict get $row base_task] $other}
            }
            my Arrange
        }
        set Working 0
        tell CompareChanged $view
    }

    method GoOn {run args} {
        set me [self]
        update
        if {![alive $me] || $run != $Run} {return -code break}
    }

    # Ends the comparing that is under way, and forgets its result.
    method cancel {} {
        incr Run
        lassign {0 {} {} {}} Working Figures Causes Partners
        tell CompareChanged $View
    }
}
