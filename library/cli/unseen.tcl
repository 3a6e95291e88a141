# cli/unseen.tcl -- names and patterns of --task that fit no task in any of the traces: most likely they are mistyped.
#
#   options -> begin -> see, for each trace; seeBaseline, for each baseline -> tell: what has fitted nothing

namespace eval ::tactus::cli::unseen {
    namespace path ::tactus::cli
    variable words {}       ;# those that have fitted nothing so far: dict of word -> 1
    variable isBlank 0      ;# does a blank stand between them?
}

proc ::tactus::cli::unseen::begin {options} {
    variable words
    variable isBlank
    set list [option $options -task {}]
    keep [::tactus::names $list]
    set isBlank [expr {[dict size $words] > 1 && [regexp {\s} $list]}]
}

proc ::tactus::cli::unseen::keep {missing} {
    variable words {}
    foreach word $missing {dict set words $word 1}
}

proc ::tactus::cli::unseen::see {trace} {
    variable words
    if {[dict size $words]} {keep [$trace tasks [dict keys $words] -missing]}
}

# A baseline has a line for each task: its id and name, with %20 and the like for what would be blanks. Names are looked
# up; only patterns are tried one by one.
proc ::tactus::cli::unseen::seeBaseline {text} {
    variable words
    set patterns [lsearch -all -inline -regexp [dict keys $words] {[]*?[\\]}]
    foreach {all id name} [regexp -all -inline -line {^task (\S+)(?: (\S+))?} $text] {
        if {![dict size $words]} return
        foreach text [lmap text [list $id $name] {plain $text}] {
            dict unset words $text
            set patterns [lmap pattern $patterns {
                if {[string match $pattern $text]} {
                    dict unset words $pattern
                    continue
                }
                set pattern
            }]
        }
    }
}

proc ::tactus::cli::unseen::plain {text} {
    while {[regexp -indices {%[0-9A-F]{2}} $text place]} {
        set code [scan [string range $text {*}$place] %%%x]
        set text [string replace $text {*}$place [expr {$code == 37 ? "\0" : [format %c $code]}]]
    }
    string map {\0 %} $text
}

# Says which names fit nothing; how many these are.
proc ::tactus::cli::unseen::tell {} {
    variable words
    variable isBlank
    foreach word [dict keys $words] {
        say [visibleLine "tactus: no task fits \"$word\"[expr {
            $isBlank ? " (a name with a blank stands in quotes: --task '\"a name\"')" : {}}]"]
    }
    dict size $words
}
