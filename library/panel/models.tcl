# panel/models.tcl -- class ModelsPanel: models of expected behaviour (tactus_model(n)): their automata, their
# instances, their file.
#
#   +-----------------------------------------------------------------+
#   | Open...  file                          model [v]   Judge  counts |
#   | automaton       | instances, a row each    | Compare | File      |
#   | (ModelsGraph)   | (list/list.tcl, with     | (Models-  (Models-  |
#   |                 |  ModelsStrips), legend   |  Compare)  Editor)  |
#   +-----------------------------------------------------------------+
#
#   file -> plugin/expect (a check of that name) -> player/checks: findings, for N and P
#        -> $trace models: counts of all models; of the one that is shown, the relation of its instances, too
#
# Judging and what follows report progress, in which the window lives on; what has become out of date meanwhile (another
# file, trace, model or instance) ends it by `break`. Strips are asked for when their rows are seen, all of a page with
# one pass over the trace.

::tactus::need plugin/plugin plugin/check plugin/expect player/checks list/list panel/modelsGraph panel/modelsStrips \
    panel/modelsCompare panel/modelsEditor panel/modelsChosen

oo::class create ::tactus::player::ModelsPanel {
    superclass ::tactus::player::Panel
    mixin ::tactus::player::ModelsChosen
    variable Frame View Trace List Graph Compare Editor Legend
    variable File Entry Summary Chosen      ;# Entry, Chosen: of the widgets
    variable Statements Models Number Own   ;# of the file; dicts; the model shown, and its statements
    variable Colors Strips Columns          ;# state -> colour; ModelsStrips or {}; names of the list's columns
    variable Timer              ;# of looking for a file
    variable Second             ;# another relation of the instances, for comparisons; {}: not made yet
    variable Longest            ;# length of the longest row
    variable Job Again          ;# the work that goes on; work that is wanted instead
    variable Picked Whole Rows  ;# the chosen instance (panel/modelsChosen.tcl)

    constructor {frame view} {
        lassign {} File Entry Summary Chosen Statements Models Own Colors Strips Second Columns Job Again
        lassign {} Picked Whole Rows Timer
        lassign {-1 0} Number Longest
        next $frame $view
    }

    destructor {
        after cancel $Timer
        my DropStrips
        next
    }

    # Shown again, it looks whether there is a file by now.
    method seen {} {
        next
        if {$File eq {} && $Trace ne {}} {my whenSeen begin}
    }

    # ---- widgets -----------------------------------------------------------------------------------------------------

    # Makes the bar, and the three parts beside one another.
    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        my BuildBar [ttk::frame $Frame.bar -padding [px 2]]
        ttk::panedwindow $Frame.h -orient horizontal
        foreach {name weight width} {graph 3 290 list 4 330 side 3 270} {
            ttk::frame $Frame.h.$name -width [px $width] -height [px 100]
            $Frame.h add $Frame.h.$name -weight $weight
        }
        set Graph [ModelsGraph new $Frame.h.graph [namespace code {my GoToPlace}]]
        grid propagate $Frame.h.graph 0
        my BuildList $Frame.h.list
        my BuildSide $Frame.h.side
        grid $Frame.bar -sticky ew
        grid $Frame.h -sticky nsew
        grid rowconfigure $Frame 1 -weight 1
        grid columnconfigure $Frame 0 -weight 1
        grid propagate $Frame 0
        $View option modelsPanel [self]
        my hear TimeChanged timeChanged
        my hear Shown shown
        my hear Zoomed zoomed
        my hear RowsChanged drawTimeline
    }

    method BuildBar {bar} {
        ttk::button $bar.open -text "Open\u2026" -command [namespace code {my openDialog}]
        ttk::entry $bar.file -textvariable [my varname Entry] -width 16
        ttk::button $bar.judge -text Judge -command [namespace code {my judge}]
        ttk::combobox $bar.model -state readonly -textvariable [my varname Chosen] -width 24
        ttk::label $bar.summary -textvariable [my varname Summary] -anchor w
        bind $bar.file <Return> [namespace code {my openEntry}]
        bind $bar.model <<ComboboxSelected>> [namespace code {my modelChosen}]
        grid $bar.open $bar.file $bar.judge $bar.model $bar.summary -sticky ew -padx [px 2]
        grid columnconfigure $bar {1 4} -weight 1 -uniform rest
        tip::add $bar.summary [namespace code {my SummaryTip}]
        tip::add $bar.file [namespace code {my FileTip}]
    }

    method SummaryTip {x y} {return $Summary}
    method FileTip {x y} {text::source $Entry 500}

    method BuildList {frame} {
        set List $frame.list
        set Legend $frame.legend
        my listIn $List -noun row -command [namespace code {my goTo}] \
            -placeholder "no models: Open\u2026 chooses a file" -draw [namespace code {my DrawStrip}] \
            -drawcolumns path -paint [namespace code {my PaintCell}]
        canvas $Legend -highlightthickness 0 -borderwidth 0 -height 1 -width 10 -takefocus 0
        grid $List -sticky nsew
        grid $Legend -sticky ew
        grid rowconfigure $frame 0 -weight 1
        grid columnconfigure $frame 0 -weight 1
        grid propagate $frame 0
        bind $List <<ListboxSelect>> [namespace code {my Pick}]
        bind $Legend <Configure> [namespace code {my DrawLegend}]
        $List.bar.entry configure -width 6
    }

    method BuildSide {frame} {
        ttk::notebook $frame.book
        foreach {name title} {compare Compare file File} {
            ttk::frame $frame.book.$name
            $frame.book add $frame.book.$name -text $title -sticky nsew
        }
        set Compare [ModelsCompare new $frame.book.compare [namespace code {my Follow}]]
        set Editor [ModelsEditor new $frame.book.file [namespace code {my judge}]]
        bind $frame.book.file <<ModelsModified>> [namespace code {my NameFile}]
        pack $frame.book -fill both -expand 1
        pack propagate $frame 0
        ttk::notebook::enableTraversal $frame.book
    }

    method NameFile {} {
        $Frame.h.side.book tab 1 -text [expr {[$Editor changed] ? "File *" : "File"}]
    }

    method themeChanged {} {
        my MakeColors
        my show
    }

    # ---- the file ----------------------------------------------------------------------------------------------------

    method openDialog {} {
        set beside [if {$File ne {}} {set File} else {$View file}]
        set dir [expr {$beside in {{} -} ? [pwd] : [file dirname $beside]}]
        set file [tk_getOpenFile -parent $Frame -title "Open Models" -initialdir $dir \
            -filetypes {{Expectations {.expect .dot .tcl}} {{All files} *}}]
        if {$file ne {}} {my open $file}
    }

    method openEntry {} {
        set file [string trim $Entry]
        if {$file ne {}} {my open $file}
    }

    # Opens a file of models, and judges the trace by it.
    method open {file} {
        set file [file normalize $file]
        if {$file ne $File && [$Editor changed]} {
            set Entry $File
            $Frame.h.side.book select 1
            return [$Editor say "This file has changes: Ctrl+S saves them; undo them (Ctrl+Z) to open another one."]
        }
        if {![file isfile $file] || ![file readable $file]} {
            return [my sayWrong "there is no file \"$file\" that can be read"]
        }
        set File $file
        my ShowName
        $View option models $file
        if {$Number >= 0} {set Number 0}
        my judge
    }

    # The file that was chosen for this view; else the last one of --expect.
    method FileOf {} {
        set chosen [$View option models]
        if {$chosen ne {}} {return $chosen}
        variable ::tactus::expect::files
        lindex [dict values $files] end
    }

    method sayWrong {message} {
        set Summary "\u2716 [text::visible $message 400]"
        $Frame.bar.summary configure -style Error.TLabel
    }

    # ---- the trace ---------------------------------------------------------------------------------------------------

    method traceChanged {} {
        if {$Job ne {}} {set Again 1}
        my Forget
        after cancel $Timer
        if {$Trace ne {}} {my whenSeen begin}
    }

    # Judges by the file that is known; --expect is read by a plugin, after the window has come up.
    method begin {{attempts 8}} {
        after cancel $Timer
        if {$Trace eq {} || ![winfo exists $Frame]} return
        set file [my FileOf]
        if {$file eq {}} {
            if {$attempts} {set Timer [after 250 [namespace code [list my begin [incr attempts -1]]]]}
            return
        }
        set File $file
        my ShowName
        my judge
    }

    # Shows the name in the entry, of a long one the end.
    method ShowName {} {
        set Entry $File
        $Frame.bar.file icursor end
        $Frame.bar.file xview end
    }

    # Forgets what is known of the trace.
    method Forget {} {
        set Models {}
        set Summary {}
        my ForgetModel
    }

    # Shows no model.
    method ForgetModel {} {
        my DropStrips
        lassign {} Own Picked Whole Columns Colors
        $List configure -relation {}
        $Compare clear
        $Graph show {} {}
        $Frame.bar.model configure -values [if {![llength $Models]} {list} else {$Frame.bar.model cget -values}]
        set Chosen {}
        my clearTimeline
        my DrawLegend
    }

    method DropStrips {} {
        if {$Strips ne {} && [info object isa object $Strips]} {$Strips destroy}
        if {$Second ne {}} {catch {$Second close}}
        lassign {} Strips Second
    }

    # ---- work --------------------------------------------------------------------------------------------------------

    # Runs a method that takes long; wanted again meanwhile, it is ended and begins anew.
    method Work {method args} {
        if {$Job ne {}} {
            if {$method ne "Judge" && [lindex $Job 0] eq "Judge"} return
            set Again [list $method {*}$args]
            return
        }
        set me [self]
        set Job [list $method {*}$args]
        set Again {}
        try {
            my $method {*}$args
        } trap {TACTUS CANCELLED} {} {
            # what is wanted instead follows
        } trap {TACTUS CHECK BUSY} {} {
            after 100 [namespace code [list my Retry $method {*}$args]]
        } trap TACTUS message {
            if {[info object isa object $me]} {my sayWrong $message}
        } finally {
            if {[info object isa object $me]} {
                set Job {}
                set next $Again
                set Again {}
                if {[llength $next] && $next ne "1"} {after idle [namespace code [list my Retry {*}$next]]}
            }
        }
    }

    method Retry {method args} {
        if {[winfo exists $Frame] && $Trace ne {}} {my Work $method {*}$args}
    }

    method progress {} {list [namespace which my] Step [self] $Trace}

    # Handles events while work goes on.
    method Step {me trace progress} {
        update
        if {![info object isa object $me] || $Again ne {} || $Trace ne $trace} {return -code break}
        return
    }

    # ---- judging -----------------------------------------------------------------------------------------------------

    method judge {} {
        if {$Trace eq {} || $File eq {}} return
        $Editor load $File
        my Work Judge
    }

    method Judge {} {
        set me [self]
        set check [my Read]
        if {$check eq {}} return
        if {[$View option checked] eq "running"} {
            return -code error -errorcode {TACTUS CHECK BUSY} "checks are running already"
        }
        set Summary "judging \u2026"
        checks::run $View [list $check]
        if {![info object isa object $me] || $Trace eq {} || $Again ne {}} return
        set Statements [dict get $::tactus::expect::statements $check]
        my OfferEvents
        # A single model is shown by the same pass over the trace.
        set single [expr {[llength [lsearch -all -exact -index {1 0} $Statements model]] == 1}]
        set result [$Trace models $Statements -instances $single -progress [my progress]]
        if {![info object isa object $me] || $Trace eq {}} {return [my Drop $result]}
        set Models [dict get $result models]
        my FillModels
        set Number [expr {[llength $Models] ? max(0, min($Number, [llength $Models] - 1)) : -1}]
        my ShowModel [expr {$single ? $result : {}}]
    }

    # A kernel's recording is opened without most of its events: offers to read those that the models name.
    method OfferEvents {} {
        $View closeBar models
        if {![mapping::isKernel $View]} return
        set given [dict create -keep {} {*}[::tactus::player::openOptions]]
        set kept [concat [dict get $given -keep] [$View option keep]]
        set missing [lmap name [::tactus::expectation events $Statements] {if {$name in $kept} continue; set name}]
        if {![llength $missing]} return
        set names [text::visible [join $missing {, }] 200]
        $View bar note "The models name events that were not read: $names." -name models \
            -buttons [list "Read Them" [namespace code [list my readEvents $missing]]]
    }

    method readEvents {names} {
        $View option keep [concat [$View option keep] $names]
        opening::reload $View
    }

    # Closes the relation that came with models, if one did.
    method Drop {result} {
        if {[dict exists $result instances]} {catch {[dict get $result instances] close}}
    }

    # Reads the file; the name of its check, or {} where there is a mistake in it, which is shown.
    method Read {} {
        try {
            set check [::tactus::expect::loadFile $File]
            $Editor fault {} {}
            $Frame.bar.summary configure -style TLabel
            return $check
        } trap TACTUS message - trap POSIX message {
            set line {}
            regexp {:(\d+): (.*)$} $message -> line text
            $Editor fault $line [expr {$line eq {} ? $message : "line $line: $text"}]
            my sayWrong [string map [list $File [file tail $File]] $message]
            $Frame.h.side.book select 1
        }
        return
    }

    method FillModels {} {
        set names [lmap model $Models {
            dict with model {
                string cat [text::visible $name 60] " (" \
                    [expr {$missing eq {} ? [my Counts $instances] : "\u25b2 cannot be judged"}] ")"
            }
        }]
        $Frame.bar.model configure -values $names
        set all {valid 0 uncertain 0 invalid 0}
        foreach model $Models {
            dict for {verdict count} [dict get $model instances] {dict incr all $verdict $count}
        }
        set Summary [expr {[llength $Models] ? "[text::counted [llength $Models] model]: [my Counts $all]"
            : "[file tail $File] has no models; its other expectations are in the findings"}]
    }

    method Counts {instances} {
        set words [lmap verdict {invalid uncertain valid} {
            if {![dict get $instances $verdict]} continue
            string cat [lindex [look::sign $verdict] 0] " " [text::group [dict get $instances $verdict]]
        }]
        expr {[llength $words] ? [join $words] : "no instances"}
    }

    method modelChosen {} {
        $Frame.bar.model selection clear
        set Number [$Frame.bar.model current]
        my Work ShowModel
    }

    # Shows the chosen model, with its instances. result: what `models` has told of it alone, {}: it is to be asked.
    method ShowModel {{result {}}} {
        set me [self]
        if {$Number < 0 || $Number >= [llength $Models]} {return [my ForgetModel]}
        lassign [dict get [lindex $Models $Number] statements] first count
        set own [lrange $Statements $first [expr {$first + $count - 1}]]
        if {$result eq {}} {set result [$Trace models $own -instances yes -progress [my progress]]}
        if {![info object isa object $me] || $Trace eq {}} {return [my Drop $result]}
        set Own $own
        lset Models $Number [dict replace [lindex [dict get $result models] 0] statements [list $first $count]]
        $Frame.bar.model current $Number
        my MakeColors
        my DropStrips
        set Strips [ModelsStrips new $Trace $Own $Colors]
        lassign {} Picked Whole
        my clearTimeline
        $Compare clear [my Hint]
        my FillList [dict get $result instances]
        my show
    }

    method Hint {} {
        set model [lindex $Models $Number]
        foreach key {missing unjudged} {
            if {[dict get $model $key] eq {}} continue
            return "This model is uncertain: [text::visible [dict get $model $key] 500]"
        }
        return "Choose an instance: it stands beside the valid one that is most like it."
    }

    method FillList {relation} {
        set Columns [lmap column [$relation columns] {dict get $column name}]
        set values [lmap name $Columns {if {![regexp {^r\d+$} $name]} continue; set name}]
        set signs [concat verdict [lsearch -all -inline -glob $Columns r*verdict]]
        set Longest 0
        set model [lindex $Models $Number]
        set key [expr {[dict get $model each] eq "trace" && [dict get $model key] eq {} ? {} : "key"}]
        $List configure -signs $signs -paintcolumns $values -columns [concat verdict $key path $values begin]
        $List relation $relation
        my Sample $relation
        $List sort verdict 1
        $List fit
        $List setWidth path [px 130]
    }

    # Looks for the longest of some instances from all over the list; rows that are seen later can be longer.
    method Sample {relation} {
        set count [$relation count]
        set step [expr {max(1, $count / 200)}]
        for {set place 0} {$place < $count} {incr place $step} {my Lengthen [lindex [$relation rows $place 1] 0]}
    }

    method Lengthen {row} {
        set begin [my Value $row begin]
        if {$begin eq {} || [my Value $row end] eq {}} {return 0}
        set length [::tactus::times::subtract [my Value $row end] $begin]
        if {$length <= $Longest} {return 0}
        set Longest $length
        return 1
    }

    method Value {row name} {
        lindex $row [lsearch -exact $Columns $name]
    }

    # Colours of states: bright ones, in both themes, none of them red as what is invalid.
    method MakeColors {} {
        set palette {#8dd3c7 #fdc478 #80b1d3 #b3de69 #bebada #ffed6f #fccde5 #9fd8f0 #d9bf9a #c8c8c8}
        set Colors {}
        if {$Number < 0 || $Number >= [llength $Models]} return
        set at 0
        foreach state [dict get [lindex $Models $Number] states] {
            set color [lindex $palette [expr {$at % [llength $palette]}]]
            set round [expr {$at / [llength $palette]}]
            dict set Colors [dict get $state name] [look::mix $color black [expr {min(0.45, 0.15 * $round)}]]
            incr at
        }
    }

    method show {} {
        if {$Number < 0 || $Number >= [llength $Models]} return
        $Graph show [lindex $Models $Number] $Colors
        my DrawLegend
        $List redraw
        my drawTimeline
    }

    # ---- the list ----------------------------------------------------------------------------------------------------

    # Draws an instance in its row; one that is not known yet is asked for.
    method DrawStrip {canvas left top right bottom place row} {
        set margin [look::points 2.5]
        if {[my Lengthen $row]} {
            my DrawLegend
            $List redraw
        }
        if {$Strips eq {} || [my Value $row begin] eq {}} return
        set relation [$List relation]
        if {$relation eq {} || [$List busy]} return
        set id [$relation id $place]
        if {[$Strips get $id] eq {}} {
            $Strips want [list $id]
            return [my whenSeen FetchStrips]
        }
        $Strips draw $canvas $id [expr {$left + $margin}] [expr {$top + $margin}] [expr {$right - $margin}] \
            [expr {$bottom - $margin}] $Longest
    }

    method FetchStrips {} {
        if {$Strips ne {}} {my Work Fetch}
    }

    # Fetches those of the rows that are seen, and of some before and behind them.
    method Fetch {} {
        set relation [$List relation]
        if {$relation eq {} || $Strips eq {} || [$List busy]} return
        set page [$List pageRows]
        $Strips want [$relation ids [expr {max(0, [$List first] - $page)}] [expr {3 * $page + 1}]]
        set me [self]
        set got [$Strips fetch [my progress]]
        if {$got && [info object isa object $me]} {$List redraw}
    }

    # The colour of a constraint's value: that of its verdict.
    method PaintCell {name value row} {
        set verdict [my Value $row ${name}verdict]
        expr {$verdict in {invalid uncertain} ? [lindex [look::sign $verdict] 1] : {}}
    }

    # The states with their colours, and how long a row is.
    method DrawLegend {} {
        $Legend delete all
        $Legend configure -background [look::color background]
        set margin [look::points 4]
        set box [look::points 7]
        set line [expr {[font metrics TactusSmall -linespace] + [look::points 2]}]
        set width [winfo width $Legend]
        lassign [list $margin 1] x y
        set items [lmap {state color} $Colors {list [text::visible $state 40] $color}]
        if {$Longest > 0} {lappend items [list "whole width: [text::number $Longest]" {}]}
        foreach item $items {
            lassign $item text color
            set text [text::cut $text TactusSmall [expr {max(20, $width - 3 * $margin - $box)}]]
            set needed [expr {$box + [font measure TactusSmall $text] + 3 * $margin}]
            if {$x > $margin && $x + $needed > $width} {lassign [list $margin [expr {$y + $line}]] x y}
            if {$color ne {}} {
                set top [expr {$y + ($line - $box) / 2}]
                $Legend create rectangle $x $top [expr {$x + $box}] [expr {$top + $box}] -fill $color -outline {}
            }
            $Legend create text [expr {$color eq {} ? $x : $x + $box + $margin / 2}] [expr {$y + $line / 2}] -anchor w \
                -text $text -font TactusSmall \
                -fill [look::color [expr {$color eq {} ? "muted" : "foreground"}]]
            incr x $needed
        }
        $Legend configure -height [expr {[llength $items] ? $y + $line + 1 : 1}]
    }

    # ---- an instance -------------------------------------------------------------------------------------------------

    # The chosen row has changed.
    method Pick {} {
        set place [$List current]
        set relation [$List relation]
        if {$place < 0 || $relation eq {} || $place >= [$List count]} return
        my pick [$relation id $place]
    }

    # Chooses an instance by its index.
    method pick {id} {
        if {$id eq $Picked} return
        set Picked $id
        set Whole {}
        if {[my RowOf $id] eq {}} return
        my Work Picking
    }

    # The row of an instance in the list; {}: the list's filter hides it.
    method RowOf {id} {
        set relation [$List relation]
        if {$relation eq {}} return
        set place [$relation place $id]
        if {$place >= 0} {lindex [$relation rows $place 1] 0}
    }

    method Picking {} {
        set me [self]
        set id $Picked
        set row [my RowOf $id]
        if {$row eq {} || [my Value $row begin] eq {} || $Strips eq {}} return
        set whole [$Strips whole $id [my progress]]
        if {![info object isa object $me] || $Picked ne $id} return
        set Whole $whole
        my drawTimeline
        my lightState [$View cursor]
        if {[my Value $row verdict] eq "valid" && ![my HasWorse]} {
            return [$Compare clear "All instances are valid: there is nothing to compare."]
        }
        my Beside $id $row
    }

    method HasWorse {} {
        set instances [dict get [lindex $Models $Number] instances]
        expr {[dict get $instances invalid] + [dict get $instances uncertain] > 0}
    }

    # Shows it beside the valid one that is most like it, which is looked for in a relation of its own.
    method Beside {id row} {
        set me [self]
        if {$Second eq {}} {
            set result [$Trace models $Own -instances yes -progress [my progress]]
            if {![info object isa object $me] || $Trace eq {} || $Second ne {}} {return [my Drop $result]}
            set Second [dict get $result instances]
        }
        $Compare show [dict create trace $Trace model [lindex $Models $Number] relation $Second strips $Strips id $id \
            columns $Columns row $row progress [my progress] job [namespace code {my JobOf}]]
    }

    # A row of the list was clicked, or entered: to the timeline.
    method goTo {place} {
        set relation [$List relation]
        if {$relation eq {} || $Trace eq {}} return
        my pick [$relation id $place]
        my GoToRow [lindex [$relation rows $place 1] 0]
    }

    # Follows a link of the comparison: {go INDEX}, or words of the view's go.
    method Follow {words} {
        if {[lindex $words 0] ne "go"} {return [my go {*}$words]}
        set row [my RowOf [lindex $words 1]]
        if {$row eq {}} {
            $List filter {}
            set row [my RowOf [lindex $words 1]]
        }
        if {$row eq {}} return
        $List current [[$List relation] place [lindex $words 1]]
        my GoToRow $row
    }

    # Shows a line of the file, by its place "NAME:LINE".
    method GoToPlace {place} {
        $Frame.h.side.book select 1
        if {[regexp {:(\d+)$} $place -> line]} {$Editor see $line}
    }

    # ---- what is gone to elsewhere -----------------------------------------------------------------------------------

    # A finding of a model, or a job, was gone to: its instance is chosen.
    method shown {item} {
        if {$Job ne {} || $Number < 0 || ![winfo ismapped $Frame]} return
        set kind [text::valueOf $item kind]
        if {$kind eq "finding" && [text::valueOf $item check] eq [file tail $File]} {return [my FindingShown $item]}
        if {$kind eq "job" && [dict get [lindex $Models $Number] each] eq "job"} {
            set id [text::valueOf $item id]
            set index [text::valueOf $item index]
            if {$id eq {} || ![string is integer -strict $index]} return
            my Choose $id [dict get [$Trace look job $index] release]
        }
    }

    method FindingShown {finding} {
        set number -1
        foreach model $Models {
            incr number
            set name [my Literal [dict get $model name]]
            set sentence [dict get $finding sentence]
            if {![string match "model $name, *" $sentence] && ![string match "model $name: *" $sentence]} continue
            set key [lindex [dict get $finding objects] 0 1]
            if {[dict get $model key] ne {}} {set key [my KeyIn $sentence $model]}
            if {$number == $Number} {return [my Choose $key [dict get $finding time]]}
            set Number $number
            return [my Work ShowAnd $key [dict get $finding time]]
        }
    }

    # The value of the field that the instances of a model are of, in a sentence about one: "model M, frame 17: ...". A
    # long one is not told in full: then it is the moment that tells which it is.
    method KeyIn {sentence model} {
        set before "model [dict get $model name], [dict get $model key] "
        set rest [string range $sentence [string length $before] end]
        if {![regexp {^"([^"]*[^".])": } $rest -> key] && ![regexp {^([^"]\S*): } $rest -> key]} return
        return $key
    }

    method ShowAnd {key time} {
        my ShowModel
        after idle [namespace code [list my Choose $key $time]]
    }

    # Chooses the instance of a key that was there at a time, in the list.
    method Choose {key time} {
        if {![winfo exists $Frame]} return
        set relation [$List relation]
        if {$relation eq {} || [$List busy]} return
        set conditions [expr {$time eq {} ? {} : [list [list begin <= $time] [list end >= $time]]}]
        if {$key ne {}} {lappend conditions [list key = $key]}
        set place [$relation find $conditions]
        if {$place < 0 || [$relation id $place] eq $Picked} return
        $List current $place
    }

    # ---- for tests ---------------------------------------------------------------------------------------------------

    method list {} {return $List}
    method graph {} {return $Graph}
    method editor {} {return $Editor}
    method compare {} {return $Compare}
    method summary {} {return $Summary}
    method models {} {return $Models}
    method file {} {return $File}
    # Is there work that goes on, or is to begin soon?
    method working {} {
        set waiting [lsearch -inline [lmap id [after info] {after info $id}] "* [self namespace] *"]
        expr {$Job ne {} || $Again ne {} || $waiting ne {}}
    }
    method picked {} {return $Picked}
}
