# modelHelpers.tcl -- what tests of models share: reading, and the comparison of the core with modelReference.tcl.
#
#   ::checktest::flat TEXT                    the flat statements of a file of models, read without the sandbox
#   ::checktest::seeds COUNT COMMAND          runs a command with each seed; what it returned, up to three of them
#   ::checktest::compare OPEN TEXT LINES ?UNIT?   what the core and the reference find differently of one model. OPEN:
#                             a script that opens the trace, to which options are appended; TEXT: its flat text; LINES:
#                             those of the model (randomModel.tcl)
#   ::checktest::shrink TEXT LINES            the smallest pair of a flat trace and a model of which that is so

# ---- the flat statements of a file, without the sandbox --------------------------------------------------------------

# The commands of a file of models note what was said. Their places are x.expect:1, :2 ..., counted by commands.
namespace eval ::checktest::language {
    variable flat {}
}

proc ::checktest::language::note {words} {
    variable flat
    lappend flat [list x.expect:[expr {[llength $flat] + 1}] $words]
}

foreach word {state start let require during shared} {
    proc ::checktest::language::$word args [string map [list WORD $word] {note [list WORD {*}$args]}]
}

proc ::checktest::language::model {args} {
    note [list model {*}[lrange $args 0 end-1]]
    uplevel 1 [lindex $args end]
    note end
}

# The words before the actions are three, or five with -if.
proc ::checktest::language::on {args} {
    set n [expr {[lindex $args 2] eq "-if" ? 5 : 3}]
    note [list on {*}[lrange $args 0 $n-1]]
    if {[llength $args] > $n} {uplevel 1 [lindex $args $n]}
    note end
}

proc ::checktest::flat {text} {
    set language::flat {}
    namespace eval language $text
    return $language::flat
}

# ---- random series ---------------------------------------------------------------------------------------------------

# A failure can be repeated: TACTUS_RANDOM_FIRST=<seed> TACTUS_RANDOM_COUNT=1.
proc ::checktest::seeds {count command} {
    set first [expr {[info exists ::env(TACTUS_RANDOM_FIRST)] ? $::env(TACTUS_RANDOM_FIRST) : 1}]
    if {[info exists ::env(TACTUS_RANDOM_COUNT)]} {set count $::env(TACTUS_RANDOM_COUNT)}
    set all {}
    for {set seed $first} {$seed < $first + $count && [llength $all] < 3} {incr seed} {
        set found [{*}$command $seed]
        if {$found ne {}} {lappend all $found}
    }
    join $all \n
}

# In no order: how findings of one time are sorted does not matter. Lines: that of a recording's flat text is another.
proc ::checktest::comparable {findings {lines 1}} {
    lsort [lmap finding $findings {
        dict with finding {}
        list $verdict $time $end $objects [expr {$lines ? $line : ""}] $sentence
    }]
}

# A list of states with repetitions shortened.
proc ::checktest::shortened {states} {
    set parts {}
    foreach state $states {
        if {$parts ne {} && [lindex $parts end 0] eq $state} {
            lset parts end 1 [expr {[lindex $parts end 1] + 1}]
        } else {
            lappend parts [list $state 1]
        }
    }
    set path [join [lmap part $parts {
        lassign $part state n
        string cat $state [expr {$n > 1 ? " x$n" : {}}]
    }]]
    expr {[string length $path] > 200 ? "[string range $path 0 196]..." : $path}
}

# The value and verdict of a constraint from all its judgements, {verdict value}: the last one if all are valid, else
# the first of the worst.
proc ::checktest::worst {judgements} {
    set result {}
    foreach rank {invalid uncertain valid} {
        foreach judgement $judgements {
            if {[lindex $judgement 0] ne $rank || ($result ne {} && $rank ne "valid")} continue
            set result $judgement
        }
        if {$result ne {}} {return $result}
    }
}

# Is the number in a column that of the reference, a rational? A share is in percent.
proc ::checktest::same? {number value} {
    if {$value eq {} || [lindex $value 1] == 0} {return [expr {$number eq {}}]}
    set expected [expr {double([lindex $value 0]) / [lindex $value 1]}]
    expr {$number ne {} && (abs($number - $expected) <= 1e-12 * abs($expected)
        || abs($number - 100 * $expected) <= 1e-10 * abs($expected))}
}

# The instances of a model: lists of key end path constraints, each constraint {verdict value}.
proc ::checktest::instancesOf-core {trace statements} {
    lmap row [$trace instances $statements] {
        set constraints [lmap {name value} $row {
            if {![regexp {^r\d+verdict$} $name]} continue
            set column [string range $name 0 end-7]
            expr {$value eq {} ? {} : [list $value [dict get $row $column]]}
        }]
        list [dict get $row key] [dict get $row end] [dict get $row path] $constraints
    }
}

proc ::checktest::instancesOf-reference {statements} {
    set places [lmap statement $statements {
        if {[lindex $statement 1 0] ne "require"} continue
        lindex $statement 0
    }]
    lmap instance $::modelReference::ended {
        list [lindex [dict get $instance object] 1] [dict get $instance end] \
            [shortened [dict get $instance path]] [lmap place $places {
                worst [lmap judged [dict get $instance judged] {
                    if {[lindex $judged 0] ne $place} continue
                    lrange $judged 1 end
                }]
            }]
    }
}

# What is different in the two lists of instances.
proc ::checktest::compareInstances {core reference} {
    if {[llength $core] != [llength $reference]} {return "[llength $core], not [llength $reference] instances"}
    foreach row $core {
        set i 0
        foreach other $reference {
            if {[sameInstance? $row $other]} break
            incr i
        }
        if {$i == [llength $reference]} {return "instance $row\n  is none of the reference: $reference"}
        set reference [lreplace $reference $i $i]
    }
}

proc ::checktest::sameInstance? {row other} {
    if {[lrange $row 0 2] ne [lrange $other 0 2]} {return 0}
    foreach result [lindex $row 3] judged [lindex $other 3] {
        if {[lindex $result 0] ne [lindex $judged 0]} {return 0}
        if {$judged ne {} && ![same? [lindex $result 1] [lindex $judged 1]]} {return 0}
    }
    return 1
}

# Judges a model three times: while the trace is opened, afterwards, and by the reference. What differs.
proc ::checktest::compare {open text lines {unit {}}} {
    set statements [statementsOf $lines]
    set exact [expr {$unit eq {}}]
    set u [{*}$open -expect [list $statements]]
    try {
        $u judge early $statements -limit 100000
        set early [comparable [$u finding list early] $exact]
        # Another list with the same statements is judged by a replay of its own.
        $u judge late "$statements " -limit 100000
        set late [comparable [$u finding list late] $exact]
        set instances [instancesOf-core $u $statements]
    } finally {
        $u close
    }
    set reference [comparable [::modelReference::judgeAll $text $statements $unit] $exact]
    set differences {}
    foreach {name found} [list "while it is opened" $early "afterwards" $late] {
        if {$found eq $reference} continue
        set left [lmap finding $found {expr {$finding in $reference ? [continue] : $finding}}]
        set right [lmap finding $reference {expr {$finding in $found ? [continue] : $finding}}]
        lappend differences "$name only:\n    [join [lrange $left 0 4] "\n    "]\nin the reference only:\n    [
            join [lrange $right 0 4] "\n    "]"
    }
    set wrong [compareInstances $instances [instancesOf-reference $statements]]
    join [concat $differences [expr {$wrong eq {} ? {} : [list $wrong]}]] \n
}

# ---- small pairs -----------------------------------------------------------------------------------------------------

proc ::checktest::differs? {text lines} {
    expr {![catch {compare [list tactus::openText $text] $text $lines} said] && $said ne {}}
}

# Statements that can be left out: {first last} of their lines.
proc ::checktest::parts {lines} {
    set parts {}
    for {set i 1} {$i < [llength $lines] - 1} {incr i} {
        set word [lindex $lines $i 1 0]
        for {set j $i} {$word eq "on" && [lindex $lines $j 1] ne "end"} {incr j} {}
        if {$word ne "end"} {lappend parts [list $i $j]}
    }
    return $parts
}

# {text lines}: lines of the trace and of the model are left out, as long as the two find different things.
proc ::checktest::shrink {text lines} {
    set rows [split $text \n]
    set again 1
    while {$again} {
        set again 0
        foreach part [lreverse [parts $lines]] {
            set less [lreplace $lines {*}$part]
            if {![differs? [join $rows \n] $less]} continue
            set lines $less
            set again 1
        }
        foreach size {16 4 1} {
            for {set i [expr {[llength $rows] - $size}]} {$i >= 0} {incr i -$size} {
                set less [lreplace $rows $i [expr {$i + $size - 1}]]
                if {[regexp {\mnew[A-Z]} [lrange $rows $i [expr {$i + $size - 1}]]]} continue
                if {![differs? [join $less \n] $lines]} continue
                set rows $less
                set again 1
            }
        }
    }
    list [join $rows \n] $lines
}
