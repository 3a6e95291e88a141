# panel/modelsCompare.tcl -- class ModelsCompare: an instance of a model beside the valid one that is most like it, and
# what makes the difference.
#
#   ModelsCompare new FRAME CALL       CALL is called with what is to be done: {go ID}, or words of View go
#   $compare show SUBJECT              a dict: trace, model (as of `$trace models`), relation (of all instances, which
#                                      it filters as it likes), strips (ModelsStrips),
#                                      id, columns, row, progress, job (prefix: row -> index of a job, {}: none)
#   $compare clear ?TEXT?
#
#   instance -> valid ones that went the same way through the states (else all valid ones)
#     -> the one whose other constraints have the nearest values -> values, time in states, `$trace why` of the two jobs
#
# "Other" constraints are those that were not invalid for this instance. Two values are as far from one another as their
# difference is to the sum of their magnitudes: that needs no scale. Of several that are equally near, it is the nearest
# in time.

::tactus::need panel/linkText why times player/text player/look

oo::class create ::tactus::player::ModelsCompare {
    variable Frame Call Page Canvas Subject Other Ids

    constructor {frame call} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $frame $call {} {} {}] Frame Call Subject Other Ids
        set Canvas $frame.strips
        canvas $Canvas -highlightthickness 0 -borderwidth 0 -height 1 -width 10 -takefocus 0
        ttk::frame $frame.page
        set Page [LinkText new $frame.page [namespace code {my Pressed}]]
        $frame.page.text configure -width 20 -height 4
        grid $Canvas -sticky ew
        grid $frame.page -sticky nsew
        grid rowconfigure $frame 1 -weight 1
        grid columnconfigure $frame 0 -weight 1
        bind $Canvas <Configure> [namespace code {my DrawStrips}]
        bind $frame <<ThemeChanged>> [namespace code {my themeChanged}]
        bind $Canvas <Destroy> [namespace code {my destroy}]
    }

    method themeChanged {} {
        if {![winfo exists $Canvas]} return
        $Page themeChanged
        my DrawStrips
    }

    method Pressed {words} {{*}$Call $words}
    method widget {} {return $Frame.page.text}

    method clear {{text {}}} {
        lassign {} Subject Other
        $Page begin
        $Page insert $text {fact muted}
        $Page end
        my DrawStrips
    }

    method Value {row name} {
        lindex $row [lsearch -exact [dict get $Subject columns] $name]
    }

    # ---- the other one -----------------------------------------------------------------------------------------------

    method show {subject} {
        set me [self]
        set Subject $subject
        set Other {}
        set found [my Find [dict get $subject relation] [dict get $subject progress]]
        if {![info object isa object $me]} return
        set Other $found
        set strips [dict get $subject strips]
        $strips want [list [dict get $subject id] {*}[if {$Other ne {}} {dict get $Other id}]]
        $strips fetch [dict get $subject progress]
        if {[info object isa object $me]} {my Draw}
    }

    # The valid instance that is most like this one: dict of id, row, same (does it go the same way?), count (of those
    # that were compared); {}: there is none.
    method Find {relation progress} {
        set row [dict get $Subject row]
        foreach same {1 0} {
            set way [expr {$same ? [list [list path = [my Value $row path]]] : {}}]
            $relation filter [concat {{verdict = valid}} $way] -progress $progress
            set count [$relation count]
            if {!$count || ($count == 1 && [$relation id 0] == [dict get $Subject id])} continue
            set place [my Nearest $relation $row $count $progress]
            if {$place < 0} continue
            return [dict create id [$relation id $place] row [lindex [$relation rows $place 1] 0] \
                same $same count $count]
        }
    }

    # The place of the nearest row of a relation, but for the instance itself.
    method Nearest {relation row count progress} {
        set block 2000
        set used {}
        set index -1
        foreach column [dict get $Subject columns] {
            incr index
            if {![regexp {^r\d+$} $column]} continue
            if {[lindex $row $index] eq {} || [lindex $row $index+1] eq "invalid"} continue
            lappend used $index [lindex $row $index]
        }
        lassign {-1 {} {}} best least nearest
        set begin [my Value $row begin]
        set at [lsearch -exact [dict get $Subject columns] begin]
        for {set first 0} {$first < $count} {incr first $block} {
            if {$first} {{*}$progress [dict create phase comparing done $first total $count]}
            set place $first
            foreach other [$relation rows $first $block] {
                set distance [my Distance $used $other]
                if {$least eq {} || $distance <= $least} {
                    set away [expr {abs([::tactus::times::subtract [lindex $other $at] $begin])}]
                    if {($least eq {} || $distance < $least || $away < $nearest)
                            && [$relation id $place] != [dict get $Subject id]} {
                        lassign [list $place $distance $away] best least nearest
                    }
                }
                incr place
            }
        }
        return $best
    }

    # used: columns and values of constraints; a value that the other does not have is as far as can be.
    method Distance {used other} {
        set sum 0.0
        foreach {index value} $used {
            set its [lindex $other $index]
            if {$its eq {}} {
                set sum [expr {$sum + 1}]
            } elseif {$its != $value} {
                set sum [expr {$sum + abs($its - $value) / double(abs($its) + abs($value))}]
            }
        }
        return $sum
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method Name {row} {
        set key [my Value $row key]
        # expr would make a number of an id, and 7.1 of 7.10.
        if {$key eq {}} {return "the trace"}
        text::visible $key 60
    }

    # Draws the strips of both, one below the other, in one scale.
    method DrawStrips {} {
        $Canvas delete all
        $Canvas configure -background [look::color field]
        if {$Subject eq {}} {return [$Canvas configure -height 1]}
        set strips [dict get $Subject strips]
        set ids [list [dict get $Subject id] {*}[if {$Other ne {}} {dict get $Other id}]]
        set rows [list [dict get $Subject row] {*}[if {$Other ne {}} {list [dict get $Other row]}]]
        set line [expr {[font metrics TactusSmall -linespace] + [look::points 4]}]
        $Canvas configure -height [expr {[llength $ids] * $line + [look::points 4]}]
        set longest [::tcl::mathfunc::max {*}[lmap id $ids {$strips length $id}]]
        set wide [::tcl::mathfunc::max {*}[lmap row $rows {font measure TactusSmall [my Title $row]}]]
        set wide [expr {min($wide, [winfo width $Canvas] / 2)}]
        set margin [look::points 4]
        set y $margin
        foreach id $ids row $rows {
            lassign [look::sign [my Value $row verdict]] - color
            $Canvas create text $margin [expr {$y + $line / 2}] -anchor w -font TactusSmall \
                -text [text::cut [my Title $row] TactusSmall $wide] -fill [look::color $color]
            $strips draw $Canvas $id [expr {$margin * 2 + $wide}] $y [expr {[winfo width $Canvas] - $margin}] \
                [expr {$y + $line - [look::points 3]}] $longest
            incr y $line
        }
    }

    method Title {row} {
        return "[lindex [look::sign [my Value $row verdict]] 0] [my Name $row]"
    }

    method Draw {} {
        my DrawStrips
        $Page begin
        my SetTabs
        set row [dict get $Subject row]
        $Page insert "[my Name $row]: [my Value $row verdict]" title
        $Page insert \n
        if {$Other eq {}} {
            $Page insert "No instance of this model is valid, to compare with." {fact muted}
        } else {
            $Page insert "Beside " fact
            $Page link [my Name [dict get $Other row]] [list go [dict get $Other id]]
            $Page insert ", [my Reason]" fact
        }
        my DrawValues
        my DrawStates
        my DrawWhy
        $Page end
    }

    # Why this one stands beside it.
    method Reason {} {
        dict with Other {}
        set text [expr {$same ? "valid, and the same way through the states"
            : "valid; none of those goes the same way"}]
        if {$count > 1} {
            append text "; of [text::group $count] such the one whose other constraints have the nearest values"
        }
        return $text.
    }

    method SetTabs {} {
        set text [my widget]
        set font [$text cget -font]
        set wide [font measure $font [string repeat 0 9]]
        $text configure -tabs [list $wide right [expr {2 * $wide}] right [expr {2 * $wide + [look::points 8]}] left]
        $text tag configure table -lmargin2 [expr {2 * $wide + [look::points 8]}]
        $text tag raise table fact
        $text tag raise sel
    }

    # A line of the table: of this one, of the other one, what it is.
    method Line {own its what {ownColor {}} {itsColor {}}} {
        set text [my widget]
        set first [$text index "end - 1 char"]
        $Page insert "\n\t[my Shown $own]" [list fact {*}$ownColor] "\t[my Shown $its]" [list fact {*}$itsColor] \
            \t fact
        $Page plain $what
        $text tag add table "$first + 1 char" "end - 1 char"
    }

    # A value without an exponent, as times of the trace are written.
    method Shown {value} {
        if {$value eq {}} {return "\u2013"}
        if {![regexp {[eE]|\.\d{10}} $value]} {return $value}
        if {abs($value) < 1e-9 || abs($value) >= 1e15} {return [text::number $value]}
        string trimright [string trimright [::tactus::format %.9f $value] 0] .
    }

    method Color {verdict} {
        expr {$verdict in {invalid uncertain} ? [lindex [look::sign $verdict] 1] : {}}
    }

    method DrawValues {} {
        set other [expr {$Other eq {} ? {} : [dict get $Other row]}]
        set lines {}
        foreach transition [dict get $Subject model transitions] {
            foreach constraint [dict get $transition constraints] {
                dict set lines [dict get $constraint number] [dict get $constraint text]
            }
        }
        if {![dict size $lines]} return
        $Page insert "\n\nConstraints" label
        foreach number [lsort -integer [dict keys $lines]] {
            set row [dict get $Subject row]
            my Line [my Value $row r$number] [my Value $other r$number] [dict get $lines $number] \
                [my Color [my Value $row r${number}verdict]] [my Color [my Value $other r${number}verdict]]
        }
    }

    method DrawStates {} {
        set strips [dict get $Subject strips]
        set id [dict get $Subject id]
        if {[$strips get $id] eq {}} return
        set own [$strips times $id]
        set its [expr {$Other eq {} || [$strips get [dict get $Other id]] eq {} ? {}
            : [$strips times [dict get $Other id]]}]
        $Page insert "\n\nTime in states" label
        foreach state [lsort -unique [concat [dict keys $own] [dict keys $its]]] {
            my Line [text::valueOf $own $state] [text::valueOf $its $state] \
                [if {$state eq {}} {string cat "several, too short to be told"} else {set state}]
        }
    }

    # ---- why ---------------------------------------------------------------------------------------------------------

    # Takes the jobs of both apart, where there are such.
    method DrawWhy {} {
        set trace [dict get $Subject trace]
        set job [{*}[dict get $Subject job] [dict get $Subject row] 1]
        if {$job eq {}} return
        set other [expr {$Other eq {} ? {} : [{*}[dict get $Subject job] [dict get $Other row] 0]}]
        set words [expr {$other in [list {} $job] ? {} : [list -with $other]}]
        try {
            set why [$trace why $job -as index -limit 400 {*}$words -progress [dict get $Subject progress]]
        } trap {TACTUS CANCELLED} {message options} {
            return -options $options $message
        } trap TACTUS {} - trap {TCL LOOKUP} {} {
            return
        }
        $Page insert "\n\nWhy the difference" label "\n" fact
        $Page insert [text::visible [dict get $why sentence] 2000] fact
        set lines {}
        foreach part [dict get $why parts] {
            if {[dict get $part depth]} continue
            set more [expr {abs([my Number $part time] - [my Number $part median_time])}]
            if {$more > 0} {lappend lines [list $more $part]}
        }
        foreach line [lrange [lsort -real -decreasing -index 0 $lines] 0 11] {
            set part [lindex $line 1]
            my Line [dict get $part time] [dict get $part median_time] [dict get $part phrase]
        }
        $Page insert "\n" fact
        $Page link "This job" [list -time [dict get $why begin] -item [list kind job index $job id [dict get $why job]]]
        if {[dict get $why median] ne {}} {
            set median [dict get $why median]
            $Page insert "  " fact
            $Page link "the other: [dict get $median job]" [list -time [dict get $median release] \
                -item [list kind job index [dict get $median index] id [dict get $median job]]]
        }
    }

    method Number {part key} {
        expr {[dict get $part $key] eq {} ? 0.0 : [dict get $part $key]}
    }

    # For tests: what stands beside the instance shown.
    method other {} {return $Other}
}
