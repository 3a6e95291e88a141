# panel/details.tcl -- what was clicked, or what a link led to: its facts with exact times, its neighbours as links, its
# line in the file. The way through the links is kept: back and forward.
#
# An item (what the timeline's `identify` tells of, or {kind job index N} from a list) is looked up in the trace
# (`$trace look ...`, by the table `looks`), whose facts are shown in the order of the table `facts`; facts that no
# table knows come after them, as they are. How a value is shown is its type's:
#
#       time      a link: the timeline goes there           job       a job's index: a link to its details
#       length    a duration, with the axis' unit           event     a row of the store: a link
#       task processor server mutex buffer                  an id: a link
#       line      a link that shows the line of the file    text      as it is, control characters visible
#
# What a trace says is only ever inserted as text; what a link does is kept in a table by its number.

::tactus::need panel/source panel/why

namespace eval ::tactus::player::details {
    # kind of item -> subcommand of look, and the item's keys that are its words ("time" has a default: the cursor)
    variable looks {
        event     {event {event}}
        job       {job {index}}
        slice     {slice {task index}}
        run       {run {processor index}}
        hold      {hold {task index}}
        task      {task {id time}}
        processor {processor {id time}}
        server    {server {id time}}
        mutex     {mutex {id time}}
        buffer    {buffer {id time}}
        message   {event {event}}
        arrow     {event {event}}
        element   {element {buffer place time}}
    }
    # label and type of a fact; the order is that of showing
    variable facts {
        kind {what word} state {state word} verdict {verdict sign} severity {severity sign} check {check text} sentence {finding text}
        time {time time} localtime {processor's clock length} name {name text} event {event word} message {text text} subject {subject text} object {object text}
        job {job jobid} task {task task} task_name {task's name text} processor {processor processor} server {server server}
        mutex {mutex mutex} mutexes {mutexes mutexes} semaphore {semaphore text} buffer {buffer buffer} priority {priority text} place {place place}
        begin {from time} end {to time} length {length length} open {cut by the end flag} depth {nested in text}
        release {release time} start {start time} completion {completion time} response {response length}
        latency {start latency length} wakeup {wake-up length} interarrival {since previous release length}
        execution {execution length} stolen {by interrupts length} preempted {preempted length} blocked {blocked length} unknown {not known length}
        deadline {deadline time}
        lateness {lateness length} slack {slack length} missed {deadline missed flag} abandoned {abandoned flag}
        preemptions {preemptions text} migrations {migrations text} slices {slices text}
        period {period length} wcet {worst case length} relative_deadline {relative deadline length}
        budget {budget length} capacity {capacity text} consumers {consumers text} replenishment {next replenishment time}
        consumed {consumed length} overrun {overrun length} depletions {depletions text} replenishments {replenishments text}
        holder {held by jobid} holders {held by jobs} waiting {waiting jobs} running {running jobs} busy {busy length}
        held {held length} longest_held {longest held length} data {data text} since {there since time} contents {contents list} elements {elements text}
        count {things merged here text} objects {objects objects}
        preempter {preempted by job} preempters {preempted by jobs} source {comes from job} target {goes to job}
        previous {previous job job} next {next job job} first_job {first job job}
        previous_slice {previous slice slice} next_slice {next slice slice} first_slice {first slice slice}
        previous_event {previous event event} next_event {next event event} row {event event}
        options {options text} line {line line}
    }
    # what says nothing to people: indices that stand beside what they are of
    variable silent {region index kindtext x y id text slice jobs_of_task cut edge full}
}

oo::class create ::tactus::player::DetailsPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace Text Item Facts Back Forward Links Source Limit Why

    method build {} {
        lassign {{} {} {} {} {} 200 {}} Item Facts Back Forward Links Limit Why
        my buildBar [ttk::frame $Frame.bar]
        set Text $Frame.facts.text
        ttk::frame $Frame.facts
        text $Text -wrap word -state disabled -font TkDefaultFont -borderwidth 0 -highlightthickness 0 -width 30 -height 10 \
            -padx [::tactus::player::look::points 5] -pady [::tactus::player::look::points 3] -cursor {} -takefocus 1 -exportselection 1
        ttk::scrollbar $Frame.facts.y -orient vertical -command [list $Text yview]
        $Text configure -yscrollcommand [namespace code {my scrolled}]
        grid $Text -row 0 -column 0 -sticky nsew
        grid columnconfigure $Frame.facts 0 -weight 1
        grid rowconfigure $Frame.facts 0 -weight 1
        set Source [::tactus::player::SourceView new [ttk::frame $Frame.source]]
        pack $Frame.bar -side top -fill x
        pack $Frame.facts -fill both -expand 1
        bind $Text <Button-1> +[list focus $Text]
        bind $Text <Configure> +[namespace code {my setTabs}]
        bind $Text <Alt-Left> "[namespace code {my back}]; break"
        bind $Text <Alt-Right> "[namespace code {my forward}]; break"
        my hear Shown shown
        my themeChanged
    }

    method buildBar {bar} {
        foreach {name text help} {
            back \u25c0 "Back (Alt+Left)" forward \u25b6 "Forward (Alt+Right)" copy Copy "Copies all facts" line Line "Shows the line of the file"
        } {
            ttk::button $bar.$name -style Toolbutton -text $text -takefocus 0 -command [namespace code [list my $name]]
            if {$name in {back forward}} {$bar.$name configure -width 2}
            pack $bar.$name -side [expr {$name in {copy line} ? "right" : "left"}]
            ::tactus::player::tip::add $bar.$name [list apply {{help x y} {return $help}} $help]
        }
    }

    # The scrollbar is there when it is of use.
    method scrolled {first last} {
        $Frame.facts.y set $first $last
        if {$first <= 0 && $last >= 1} {grid remove $Frame.facts.y} else {grid $Frame.facts.y -row 0 -column 1 -sticky ns}
    }

    method themeChanged {} {
        if {$Text eq {} || ![winfo exists $Text]} return
        set color ::tactus::player::look::color
        $Text configure -background [$color field] -foreground [$color foreground] -selectbackground [$color select] \
            -selectforeground [$color onselect] -inactiveselectbackground [$color select]
        set title [font actual TkDefaultFont]
        dict set title -weight bold
        $Text tag configure title -font $title -spacing3 [::tactus::player::look::points 3]
        $Text tag configure label -foreground [$color muted]
        $Text tag configure fact -spacing1 [::tactus::player::look::points 1]
        $Text tag configure link -foreground [$color link]
        $Text tag configure hover -underline 1
        foreach name {error warning ok accent muted} {$Text tag configure $name -foreground [$color $name]}
        $Text tag raise sel
        my setTabs
    }

    # Values stand in one column, as wide as the labels need, and wrapped lines of them too.
    method setTabs {} {
        set wide 0
        dict for {name fact} $::tactus::player::details::facts {
            if {[dict exists $Facts $name]} {set wide [expr {max($wide, [font measure TkDefaultFont [join [lrange $fact 0 end-1]]])}]}
        }
        set stop [expr {min(max($wide, [::tactus::player::look::points 36]), max(20, [winfo width $Text] / 2)) + [::tactus::player::look::points 6]}]
        $Text configure -tabs [list $stop left]
        $Text tag configure fact -lmargin2 $stop
    }

    method traceChanged {} {
        lassign {{} {} {} {} {}} Back Forward Item Facts Why
        pack forget $Frame.source
        my draw
    }

    # Numbers of rows and jobs of a trace that grew stay; what an item cannot be any more, is shown as it was.
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
        set Facts [my factsOf $item]
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

    # Shows an item of the way; the timeline goes there, which tells us so: then it is the one that is shown already.
    method follow {item} {
        my take $item
        set time [my timeOf $item $Facts]
        if {$time ne {}} {my go -time $time -item $item}
    }

    method timeOf {item facts} {
        foreach dict [list $item $facts] {
            foreach key {time begin start release} {
                if {[dict exists $dict $key] && [dict get $dict $key] ne {}} {return [dict get $dict $key]}
            }
        }
        return {}
    }

    # ---- facts -------------------------------------------------------------------------------------------------------

    # What the trace knows of it, else what the item says itself.
    method factsOf {item} {
        if {$Trace eq {} || ![dict exists $item kind]} {return $item}
        set kind [dict get $item kind]
        if {$kind eq "finding"} {return [my findingOf $item]}
        if {![dict exists $::tactus::player::details::looks $kind]} {return $item}
        lassign [dict get $::tactus::player::details::looks $kind] what keys
        set words {}
        foreach key $keys {
            set word [my keyOf $item $key]
            if {$word eq {}} {return $item}
            lappend words $word
        }
        try {
            set facts [dict merge [dict create kind $kind] [$Trace look $what {*}$words]]
            return [if {$what eq "event"} {my eventFacts $facts} else {set facts}]
        } trap TACTUS {} {
            return $item
        } trap {TCL LOOKUP} {} {
            return $item
        }
    }

    # The timeline knows a finding by its place in the list.
    method findingOf {item} {
        if {[dict exists $item sentence] || ![dict exists $item index]} {return $item}
        set finding {}
        catch {set finding [lindex [$Trace finding list] [dict get $item index]]}
        dict merge [list kind finding] $finding
    }

    # A slice may name its task in `task` or `id`; things that are looked at "at a time" are so at the cursor by default.
    method keyOf {item key} {
        foreach key [expr {$key in {task processor} ? [list $key id] : [list $key]}] {
            if {[dict exists $item $key] && [dict get $item $key] ne {}} {return [dict get $item $key]}
        }
        if {$key ne "time"} {return {}}
        set time [$View cursor]
        if {$time ne {}} {return $time}
        lindex [[$View timeline] view] 0
    }

    # What an event is about is among its facts already, or it is what it says.
    method eventFacts {facts} {
        set options [::tactus::player::text::valueOf $facts options]
        if {[string is list $options] && [llength $options] % 2 == 0 && [dict exists $options -message]} {
            dict set facts message [dict get $options -message]
        }
        set known [lmap key {job task server mutex buffer semaphore end} {::tactus::player::text::valueOf $facts $key}]
        foreach key {subject object} {
            if {[::tactus::player::text::valueOf $facts $key] in $known} {dict unset facts $key}
        }
        if {[::tactus::player::text::valueOf $facts event] eq "message"} {
            dict set facts message [::tactus::player::text::valueOf $facts subject]
            dict unset facts subject
        }
        return $facts
    }

    method title {} {
        set kind [::tactus::player::text::valueOf $Item kind]
        if {[dict exists $Facts event] && $Facts ne $Item} {return [my eventTitle]}
        # A thing has a name; what happens in the life of a job has the job's.
        set keys [expr {$kind in {task processor server mutex buffer} ? {name id} : {job data name id task subject check text}}]
        foreach key $keys {
            foreach dict [list $Facts $Item] {
                if {[dict exists $dict $key] && [dict get $dict $key] ne {}} {
                    set id [dict get $dict $key]
                    if {$key eq "job" && [string is integer -strict $id]} continue
                    if {$kind eq "event" && [dict exists $Facts event]} {set kind [dict get $Facts event]}
                    return "$kind [::tactus::player::text::visible $id 200]"
                }
            }
        }
        return $kind
    }

    method eventTitle {} {
        foreach key {job task server buffer processor message} {
            set about [::tactus::player::text::valueOf $Facts $key]
            if {$about ne {}} {return "[dict get $Facts event] [::tactus::player::text::visible $about 200]"}
        }
        dict get $Facts event
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method draw {} {
        foreach tag [$Text tag names] {
            if {[string match link* $tag] && $tag ne "link"} {$Text tag delete $tag}
        }
        set Links {}
        $Text configure -state normal
        $Text delete 1.0 end
        if {$Item eq {}} {
            $Text insert end "Click something in the timeline: its facts and neighbours are shown here." muted
        } else {
            $Text insert end [my title] title
            set isJob [expr {[::tactus::player::text::valueOf $Item kind] eq "job"}]
            if {$isJob} {my drawWhy}
            foreach {name fact} $::tactus::player::details::facts {my drawFact $name [join [lrange $fact 0 end-1]] [lindex $fact end]}
            foreach name [dict keys $Facts] {
                if {[dict exists $::tactus::player::details::facts $name] || $name in $::tactus::player::details::silent
                    || [string match *_index $name]} continue
                my drawFact $name [string map {_ { }} [::tactus::player::text::visible $name 40]] text
            }
            if {!$isJob} {my drawWhy}
        }
        $Text configure -state disabled
        my setTabs
        my setButtons
    }

    method setButtons {} {
        foreach {name on} [list back [llength $Back] forward [llength $Forward] copy [expr {$Item ne {}}] \
            line [expr {[my lineNumber] > 0}]] {
            $Frame.bar.$name state [expr {$on ? "!disabled" : "disabled"}]
        }
    }

    # Of a job it is what one wants to know; of its slices, it comes behind what is known of them.
    method drawWhy {} {
        ::tactus::player::why::draw [self] $Text $Trace $Facts $Item $Why
    }

    method drawFact {name label type} {
        if {![dict exists $Facts $name]} return
        set value [dict get $Facts $name]
        if {$value eq {} || ($type eq "flag" && !$value) || ($name eq "row" && ![string is integer -strict $value])} return
        # Names that are the ids say nothing new.
        if {$name eq "task_name" && $value eq [::tactus::player::text::valueOf $Facts task]
            || $name eq "name" && $value in [list [::tactus::player::text::valueOf $Facts job] [::tactus::player::text::valueOf $Item id]]} return
        # An event is not its own neighbour; what is 0 and could only be more, says nothing.
        if {$name eq "row" && [::tactus::player::text::valueOf $Item event] eq $value || $name eq "depth" && !$value} return
        $Text insert end "\n$label\t" {label fact}
        my value $name $type $value
    }

    method value {name type value} {
        switch $type {
            time {my link $value [list -time $value] [my unit]}
            length {my plain $value[my unit]}
            flag {my plain yes warning}
            sign - word {my signed $value}
            job {my jobLink $value}
            jobid {my jobIdLink $name $value}
            jobs {my listOf $value [list my jobIdLink $name]}
            list {my listOf $value [list my plain]}
            mutexes {my listOf $value [list my objectLink mutex]}
            objects {my listOf $value [list my pairLink]}
            place {my plain [my placeText $value]}
            event {my eventLink $value}
            slice {my sliceLink $value}
            task - processor - server - mutex - buffer {my objectLink $type $value}
            line {my link $value line {}}
            default {my plain $value}
        }
    }

    # Of a job among those of its task; of an element of a buffer from the head.
    method placeText {place} {
        if {![dict exists $Facts elements]} {return "$place of [::tactus::player::text::valueOf $Facts jobs_of_task] of its task"}
        return "[expr {$place + 1}] of [dict get $Facts elements] (1 is read next)"
    }

    method plain {value args} {
        $Text insert end [::tactus::player::text::visible $value 20000] [concat fact $args]
    }

    method signed {value} {
        lassign [::tactus::player::look::sign $value] sign color
        if {$sign ne {}} {my plain "$sign " $color}
        my plain $value
    }

    method listOf {values one} {
        set n 0
        if {![string is list $values]} {return [my plain $values]}
        foreach value [lrange $values 0 99] {
            if {$n} {my plain ", "}
            {*}$one $value
            incr n
        }
        if {[llength $values] > 100} {my plain ", \u2026 ([llength $values] in all)"}
    }

    # A job by its index. Its id is asked for; an index that is none is shown as it is.
    method jobLink {index} {
        if {![string is integer -strict $index] || [catch {$Trace look job $index} facts]} {return [my plain $index]}
        my link [dict get $facts job] [list -time [my timeOf {} $facts] -item [list kind job index $index id [dict get $facts job]]] {}
    }

    # A job's id: its index stands beside it. What was not looked up has the index in place of the id.
    method jobIdLink {name value} {
        if {$name in {holders waiting running jobs preempters} || $Facts eq $Item} {return [my jobLink $value]}
        set index [::tactus::player::text::valueOf $Facts ${name}_index]
        if {$index eq {}} {return [my plain $value]}
        my link $value [list -item [list kind job index $index id $value]] {}
    }

    method eventLink {row} {
        if {![string is integer -strict $row] || [catch {$Trace look event $row} facts]} {return [my plain $row]}
        set text "[::tactus::player::text::valueOf $facts event] at [::tactus::player::text::valueOf $facts time]"
        my link $text [list -time [::tactus::player::text::valueOf $facts time] -item [list kind event event $row]] {}
    }

    method sliceLink {index} {
        set task [::tactus::player::text::valueOf $Facts task]
        if {![string is integer -strict $index] || [catch {$Trace look slice $task $index} facts]} {return [my plain $index]}
        set begin [::tactus::player::text::valueOf $facts begin]
        set text "[::tactus::player::text::valueOf $facts state] from $begin"
        my link $text [list -time $begin -item [list kind slice task $task index $index]] {}
    }

    method objectLink {kind id} {
        my link $id [list -item [my itemOf $kind $id]] {}
    }

    # {kind id} of a finding.
    method pairLink {pair} {
        if {![string is list $pair] || [llength $pair] != 2} {return [my plain $pair]}
        lassign $pair kind id
        my plain "$kind "
        switch $kind {
            job {my link $id [list job $id] {}}
            task - processor - server - mutex - buffer {my objectLink $kind $id}
            default {my plain $id}
        }
    }

    # A job that is known by its id only is looked for when it is wanted: the last one of that id not after the item.
    method goJob {id} {
        set time [my timeOf $Item $Facts]
        set found {}
        set hits {}
        catch {set hits [$Trace search $id -kinds job -limit 500]}
        foreach hit $hits {
            if {[dict get $hit id] ne $id} continue
            if {$found eq {} || $time eq {} || [::tactus::player::times::compare [dict get $hit time] $time] <= 0} {set found $hit}
        }
        if {$found eq {}} {return [my say "there is no job $id"]}
        my go -time [dict get $found time] -item [list kind job index [dict get $found index] id $id]
    }

    method itemOf {kind id} {
        list kind $kind id $id time [my keyOf $Facts time] row [expr {$kind in {task processor server} ? [list $kind $id] : {}}]
    }

    method unit {} {
        set unit {}
        catch {set unit [[$View timeline] cget -axisunit]}
        expr {$unit eq {} ? {} : " [::tactus::player::text::visible $unit 12]"}
    }

    method link {text words after} {
        set tag link[dict size $Links]
        dict set Links $tag $words
        $Text insert end [::tactus::player::text::visible $text 2000] [list fact link $tag]
        if {$after ne {}} {my plain $after}
        $Text tag bind $tag <Button-1> [namespace code [list my pressed $tag]]
        $Text tag bind $tag <Enter> [namespace code [list my hover $tag 1]]
        $Text tag bind $tag <Leave> [namespace code [list my hover $tag 0]]
    }

    method hover {tag on} {
        $Text configure -cursor [expr {$on ? "hand2" : {}}]
        $Text tag remove hover 1.0 end
        if {$on} {$Text tag add hover {*}[$Text tag ranges $tag]}
    }

    method pressed {tag} {
        if {![dict exists $Links $tag]} return
        set words [dict get $Links $tag]
        if {$words eq "line"} {return [my showLine]}
        if {[lindex $words 0] eq "why"} {return [after idle [namespace code [list my why [lindex $words 1]]]]}
        if {[lindex $words 0] eq "job"} {
            after idle [namespace code [list my goJob [lindex $words 1]]]
        } else {
            after idle [namespace code [list my goLink $words]]
        }
    }

    # The links of panel/why.tcl.
    method why {wanted} {
        switch $wanted {
            all {
                set top [$Text index @0,0]
                dict set Why all 1
                my draw
                $Text yview $top
            }
            stop {my take $Item}
            default {my takeApart [::tactus::player::why::jobOf $Facts $Item]}
        }
    }

    # The window lives on meanwhile: whatever is shown next ends it (`take`), and so does the end of the panel.
    method takeApart {job} {
        set me [self]
        set Why {running 1}
        my draw
        set failed [catch {$Trace why $job -as index -limit $::tactus::player::why::all -progress [namespace code {my explaining}]} why]
        if {![info object isa object $me] || ![dict exists $Why running]} return
        set Why [expr {$failed ? {} : [list known $why]}]
        my draw
    }

    method explaining {progress} {
        set me [self]
        update
        if {![info object isa object $me] || ![dict exists $Why running]} {return -code break}
    }

    # Where no time is to go to, the details alone are shown.
    method goLink {words} {
        if {[dict exists $words -time] && [dict get $words -time] eq {}} {dict unset words -time}
        if {[dict exists $words -item] && [dict exists $words -item row] && [dict get $words -item row] ne {}} {
            dict set words -row [dict get $words -item row]
        }
        my go {*}$words
    }

    # ---- line and copy -----------------------------------------------------------------------------------------------

    method lineNumber {} {
        expr {[dict exists $Facts line] && [string is integer -strict [dict get $Facts line]] ? [dict get $Facts line] : 0}
    }

    # Shows the file's line below, or takes it away.
    method line {} {
        if {[winfo manager $Frame.source] ne {}} {return [pack forget $Frame.source]}
        my showLine
    }

    method showLine {} {
        set line [my lineNumber]
        if {$line < 1} {return [$Source clear]}
        if {[winfo manager $Frame.source] eq {}} {pack $Frame.source -side bottom -fill x -before $Frame.facts}
        $Source show [::tactus::player::panels::sourceFile $View] $line
    }

    method copy {} {
        if {$Item eq {}} return
        clipboard clear
        clipboard append -- "[$Text get 1.0 end-1c]\n"
    }
}
