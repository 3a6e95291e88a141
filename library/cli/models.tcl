# cli/models.tcl -- tactus models: prints models of expected behaviour, in the language of their files or as graphs.
#
#   files of expectations, .dot, .ltl, .scxml -> statements -> the text of a file of expectations, or graphs in the form
#   of the kernel's runtime verification, which Graphviz draws
#
# A statement is a list of words; the actions of a transition stand behind it up to `end`, as do those of a model.

namespace eval ::tactus::cli::models {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runModels {operands options} {
    if {![llength $operands]} {usageError models "a file with models is needed"}
    set settings [expectSettings models $options]
    set texts {}
    foreach file $operands {
        foreach model [models::ofFile $file $settings [scriptLimits $options]] {
            set name [lindex $model 0 1]
            if {![fitsNames [option $options -model {}] $name]} continue
            lappend texts [models::[option $options -format expect] $model]
        }
    }
    if {![llength $texts]} {
        set named [expr {[dict exists $options -model] ? " \"[dict get $options -model]\"" : {}}]
        usageError models "there is no model$named in [join $operands {, }]"
    }
    puts [join $texts \n\n]
}

# The models of a file: lists of their statements, without the last `end`.
proc ::tactus::cli::models::ofFile {file settings limits} {
    if {![file exists $file]} {usageError models "there is no file \"$file\" of expectations"}
    try {
        set read [::tactus::expectation read $file $settings {*}$limits]
    } trap TACTUS message {
        usageError models $message
    }
    set models {}
    set depth 0
    foreach statement $read {
        set words [lindex $statement 1]
        set first [lindex $words 0]
        if {$first eq "model"} {set model {}}
        if {!$depth && $first ne "model"} continue
        incr depth [expr {$first in {model on} ? 1 : $first eq "end" ? -1 : 0}]
        if {$depth} {lappend model $words} else {lappend models $model}
    }
    return $models
}

# ---- as a file of expectations ---------------------------------------------------------------------------------------

proc ::tactus::cli::models::expect {model} {
    set lines [list "[lindex $model 0] {"]
    set on {}
    set inside {}
    foreach words [lrange $model 1 end] {
        switch [lindex $words 0] {
            on {set on $words}
            end {
                lappend lines "    $on[braced $inside]"
                set on {}
                set inside {}
            }
            default {if {$on eq {}} {lappend lines "    $words"} else {lappend inside $words}}
        }
    }
    join [lappend lines "}"] \n
}

# Actions of a transition: one stands in its line.
proc ::tactus::cli::models::braced {actions} {
    switch [llength $actions] {
        0 {return {}}
        1 {return " {[lindex $actions 0]}"}
    }
    return " {\n        [join $actions "\n        "]\n    }"
}

# ---- as a graph ------------------------------------------------------------------------------------------------------

# The graph of a model: the initial state is that of the node __init_STATE, final ones are double circles. The label of
# an edge is EVENT;TEST;reset(VARIABLE), tests of one transition joined by &&. What no edge has is unexpected.
proc ::tactus::cli::models::dot {model} {
    set states {}
    set edges {}
    set invariants {}
    foreach words [lrange $model 1 end] {
        lassign $words first name
        switch $first {
            state {lappend states $words}
            during {
                set from [expr {[lindex $words 2] eq "require" ? 3 : 2}]
                dict lappend invariants $name [test [join [lrange $words $from end] { }]]
            }
            on {
                set edge [list $name [lindex $words end]]
                set event [lindex $words 2]
                set tests {}
                set resets {}
                if {[lindex $words 3] eq "-if"} {lappend tests [test [lindex $words 4]]}
            }
            require {lappend tests [test [join [lrange $words 1 end] { }]]}
            start {lappend resets "reset($name)"}
            unexpected {set edge {}}
            end {
                if {$edge eq {}} continue
                set test [expr {[llength $tests] ? [list [join $tests " && "]] : {}}]
                dict lappend edges $edge [join [list $event {*}$test {*}$resets] {;}]
            }
        }
    }
    join [list "digraph [text [lindex $model 0 1]] \{" {*}[nodes $states $invariants] {*}[arrows $edges] "\}"] \n
}

proc ::tactus::cli::models::nodes {states invariants} {
    set lines [list "    center = true;"]
    set initial {}
    foreach words $states {
        set options [lassign $words - name]
        if {"-initial" in $options} {set initial $name}
        set shape [expr {"-final" in $options ? "doublecircle" : "circle"}]
        lappend lines "    {node \[shape = $shape\] [text $name]};"
        if {[dict exists $invariants $name]} {
            lappend lines "    [text $name] \[label = [text $name {*}[dict get $invariants $name]]\];"
        }
    }
    lappend lines "    {node \[shape = plaintext, style=invis, label=\"\"\] [text __init_$initial]};" \
        "    [text __init_$initial] -> [text $initial];"
}

proc ::tactus::cli::models::arrows {edges} {
    set lines {}
    dict for {edge labels} $edges {
        lassign $edge from to
        lappend lines "    [text $from] -> [text $to] \[ label = [text {*}$labels] \];"
    }
    return $lines
}

# A test of a clock as the kernel's automata have it: `begin <= 45ms` for `elapsed(begin) <= 45ms`.
proc ::tactus::cli::models::test {test} {
    regsub {^elapsed\((\w+)\) } $test {\1 }
}

# Lines of a label, or a name, in quotes.
proc ::tactus::cli::models::text {args} {
    return "\"[join [lmap line $args {string map {\" \\\" \\ \\\\} $line}] \\n]\""
}
