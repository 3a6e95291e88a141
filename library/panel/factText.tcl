# panel/factText.tcl -- class FactText: the facts of an item as a text with links.
#
#   $text about TRACE ITEM FACTS    sets the item that the other methods write about
#   $text facts                     writes all facts in the order of the table `facts` (panel/facts.tcl), then those
#                                   that are not in the table
#
# A link's words are arguments of the view's `go` (-time, -item), `line`, or {job ID}: a job of which only the id is
# known.

::tactus::need panel/linkText panel/facts player/look

oo::class create ::tactus::player::FactText {
    superclass ::tactus::player::LinkText
    variable Text View
    variable Trace Item Facts   ;# as set by `about`

    constructor {frame view call} {
        set View $view
        lassign {} Trace Item Facts
        next $frame $call
        bind $Text <Configure> +[namespace code {my FitTabs}]
    }

    method themeChanged {} {
        next
        if {[winfo exists $Text]} {my FitTabs}
    }

    method about {trace item facts} {
        lassign [list $trace $item $facts] Trace Item Facts
    }

    # Sets the column of values behind the longest label.
    method FitTabs {} {
        set wide 0
        dict for {name fact} $::tactus::player::details::facts {
            if {[dict exists $Facts $name]} {
                set wide [expr {max($wide, [font measure TkDefaultFont [join [lrange $fact 0 end-1]]])}]
            }
        }
        my setTabs $wide
    }

    method end {} {
        next
        my FitTabs
    }

    method facts {} {
        set known $::tactus::player::details::facts
        foreach {name fact} $known {my Fact $name [join [lrange $fact 0 end-1]] [lindex $fact end]}
        foreach name [dict keys $Facts] {
            if {[dict exists $known $name] || $name in $::tactus::player::details::silent
                    || [string match *_index $name]} {
                continue
            }
            my Fact $name [string map {_ { }} [text::visible $name 40]] text
        }
    }

    method Fact {name label type} {
        if {![dict exists $Facts $name]} return
        set value [dict get $Facts $name]
        if {$value eq {} || ($type eq "flag" && !$value) || ($name eq "row" && ![string is integer -strict $value])} {
            return
        }
        # A name equal to the id, or told with it, is left out.
        if {$name eq "task_name" && [my isCalled [text::valueOf $Facts task] $value]
            || $name eq "name" && $value in [list [text::valueOf $Facts job] [text::valueOf $Item id]]} return
        # An event is not its own neighbour; a depth of 0 is left out.
        if {$name eq "row" && [text::valueOf $Item event] eq $value || $name eq "depth" && !$value} return
        $Text insert end "\n$label\t" {label fact}
        my Value $name $type $value
    }

    method Value {name type value} {
        switch $type {
            time {my link [units::time $View $value] [list -time $value]}
            length {my plain [units::length $View $value]}
            sentence {my plain [units::said $View $value]}
            flag {my plain yes warning}
            sign - word {my Signed $value}
            job {my JobLink $value}
            jobid {my JobIdLink $name $value}
            jobs {my ListOf $value [list my JobIdLink $name]}
            list {my ListOf $value [list my plain]}
            mutexes {my ListOf $value [list my ObjectLink mutex]}
            objects {my ListOf $value [list my PairLink]}
            place {my plain [my PlaceText $value]}
            event {my EventLink $value}
            slice {my SliceLink $value}
            task - processor - server - mutex - buffer {my ObjectLink $type $value}
            line {my link $value line}
            default {my plain $value}
        }
    }

    # Writes the place of a job among those of its task, or of an element in its buffer.
    method PlaceText {place} {
        if {![dict exists $Facts elements]} {return "$place of [text::valueOf $Facts jobs_of_task] of its task"}
        return "[expr {$place + 1}] of [dict get $Facts elements] (1 is read next)"
    }

    method Signed {value} {
        lassign [look::sign $value] sign color
        if {$sign ne {}} {my plain "$sign " $color}
        my plain $value
    }

    method ListOf {values one} {
        set n 0
        if {![string is list $values]} {return [my plain $values]}
        foreach value [lrange $values 0 99] {
            if {$n} {my plain ", "}
            {*}$one $value
            incr n
        }
        if {[llength $values] > 100} {my plain ", \u2026 ([llength $values] in all)"}
    }

    # Writes a job, given by its index, as a link with its id; an invalid index is shown as it is.
    method JobLink {index} {
        if {![string is integer -strict $index] || [catch {$Trace look job $index} facts]} {return [my plain $index]}
        my link [$Trace called [dict get $facts job]] [list -time [details::timeOf {} $facts] \
            -item [list kind job index $index id [dict get $facts job]]]
    }

    # Writes a job's id; its index is another fact. An item that was not looked up has the index in place of the id.
    method JobIdLink {name value} {
        if {$name in {holders waiting running jobs preempters} || $Facts eq $Item} {return [my JobLink $value]}
        set index [text::valueOf $Facts ${name}_index]
        if {$index eq {}} {return [my plain [$Trace called $value]]}
        my link [$Trace called $value] [list -item [list kind job index $index id $value]]
    }

    method EventLink {row} {
        if {![string is integer -strict $row] || [catch {$Trace look event $row} facts]} {return [my plain $row]}
        set text "[text::valueOf $facts event] at [units::time $View [text::valueOf $facts time]]"
        my link $text [list -time [text::valueOf $facts time] -item [list kind event event $row]]
    }

    method SliceLink {index} {
        set task [text::valueOf $Facts task]
        if {![string is integer -strict $index] || [catch {$Trace look slice $task $index} facts]} {
            return [my plain $index]
        }
        set begin [text::valueOf $facts begin]
        set text "[text::valueOf $facts state] from [units::time $View $begin]"
        my link $text [list -time $begin -item [list kind slice task $task index $index]]
    }

    # Is a task called by this name in sentences, with its id or without?
    method isCalled {id name} {
        expr {$name eq $id || [$Trace called $id] in [list $name "$name ($id)"]}
    }

    # Writes an object as a link. A task that is called by its name alone, a thread, has its id behind it.
    method ObjectLink {kind id} {
        set called [if {$kind eq "task"} {$Trace called $id} else {string cat $id}]
        my link $called [list -item [my itemOf $kind $id]]
        if {$kind eq "task"} {my plain [string range [text::called $Trace $id] [string length $called] end]}
    }

    # Writes {kind id} of a finding as a link.
    method PairLink {pair} {
        if {![string is list $pair] || [llength $pair] != 2} {return [my plain $pair]}
        lassign $pair kind id
        my plain "$kind "
        switch $kind {
            job {my link [$Trace called $id] [list job $id]}
            task - processor - server - mutex - buffer {my ObjectLink $kind $id}
            default {my plain $id}
        }
    }

    method itemOf {kind id} {
        list kind $kind id $id time [details::keyOf $View $Facts time] row \
            [expr {$kind in {task processor server} ? [list $kind $id] : {}}]
    }
}
