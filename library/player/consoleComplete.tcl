# player/consoleComplete.tcl -- completion of the word before the cursor: commands, subcommands, variables, options,
# files.
#
#   console::complete TEXT      TEXT up to the cursor -> {start words}: where the word begins, and its completions
#
# The word belongs to the last command in the text that is not ended (`[`, `;`, a newline begin another).
# Only commands that are known to have subcommands are asked for them: traces and their relations, timelines, ensembles,
# objects.

namespace eval ::tactus::player::console {
    # subcommand of a trace -> the core's table of its options
    variable tables {export export open open}
}

proc ::tactus::player::console::complete {text} {
    set command [lastCommand $text]
    set words [split [string trimleft $command]]
    set word [lindex $words end]
    set start [expr {[string length $text] - [string length $word]}]
    # A quote or brace before the word is kept.
    if {[regexp {^[\{"(]+} $word lead]} {
        incr start [string length $lead]
        set word [string range $word [string length $lead] end]
    }
    list $start [lsort -dictionary -unique [candidates [lrange $words 0 end-1] $word]]
}

proc ::tactus::player::console::lastCommand {text} {
    set begin 0
    foreach {mark} {\[ \; \n} {
        set at [string last $mark $text]
        if {$at >= $begin && ($mark ne "\[" || [string first \] $text $at] < 0)} {set begin [expr {$at + 1}]}
    }
    string range $text $begin end
}

proc ::tactus::player::console::candidates {before word} {
    if {[string index $word 0] eq "\$"} {return [variables [string range $word 1 end]]}
    set before [lmap other $before {if {$other eq {}} continue; set other}]
    if {![llength $before]} {return [commands $word]}
    if {[string match {*[/~]*} $word]} {return [files $word]}
    set known {}
    if {[llength $before] == 1} {set known [subcommands [meant [lindex $before 0]]]}
    if {[string index $word 0] eq "-"} {set known [options [lindex $before 0] [lindex $before 1]]}
    set found [starting $known $word]
    if {![llength $found] && [string match *open [lindex $before 0]]} {return [files $word]}
    return $found
}

# Those of the words that begin with this one, in which glob characters mean themselves.
proc ::tactus::player::console::starting {words word} {
    set length [string length $word]
    lmap other $words {if {![string equal -length $length $word $other] && $length} continue; set other}
}

proc ::tactus::player::console::literal {text} {
    string map {\\ \\\\ * \\* ? \\? [ \\[ ] \\]} $text
}

proc ::tactus::player::console::commands {word} {
    set pattern [literal $word]*
    set found [info commands ::$pattern]
    # A name given without leading colons is completed without them.
    if {![string match ::* $word]} {set found [lmap name $found {string range $name 2 end}]}
    set below [expr {[string match *::* $word] ? [string range $word 0 [string last :: $word]-1] : {}}]
    foreach child [namespace children ::[string trimleft $below :]] {
        set name $child
        if {![string match ::* $word]} {set name [string range $name 2 end]}
        if {[string match $pattern $name]} {lappend found ${name}::}
    }
    return $found
}

proc ::tactus::player::console::variables {word} {
    set found {}
    foreach name [info vars ::[literal $word]*] {
        if {![string match ::* $word]} {set name [string range $name 2 end]}
        lappend found "\$$name"
    }
    return $found
}

proc ::tactus::player::console::files {word} {
    set found [glob -nocomplain -- [literal $word]*]
    lmap name $found {string cat $name [expr {[file isdirectory $name] ? "/" : {}}]}
}

# The command that a word stands for: $trace is the command in that variable.
proc ::tactus::player::console::meant {word} {
    if {![regexp {^\$([\w:]+)$} $word -> name] || ![info exists ::$name] || [array exists ::$name]} {return $word}
    set ::$name
}

proc ::tactus::player::console::subcommands {command} {
    if {$command eq {} || [llength [info commands $command]] != 1} return
    set full [namespace which $command]
    if {[info object isa object $full]} {return [info object methods $full -all]}
    if {[namespace ensemble exists $full]} {return [ensembleWords $full]}
    if {[regexp {^::tactus::(trace|relation)\d+$} $full] || [winfo exists $command]} {return [asked $full]}
    return
}

proc ::tactus::player::console::ensembleWords {command} {
    set words [namespace ensemble configure $command -subcommands]
    if {[llength $words]} {return $words}
    set map [namespace ensemble configure $command -map]
    if {[dict size $map]} {return [dict keys $map]}
    lmap name [namespace eval [namespace ensemble configure $command -namespace] {namespace export}] {set name}
}

# The subcommands of a command, from its message about a subcommand that does not exist.
proc ::tactus::player::console::asked {command} {
    catch {$command ?} message
    if {![regexp {must be (.*)$} $message -> list]} return
    lmap word [split [string map {{, or } , { or } , {, } ,} $list] ,] {string trim $word}
}

proc ::tactus::player::console::options {command subcommand} {
    variable tables
    if {[string match *open $command]} {set subcommand open}
    if {[dict exists $tables $subcommand]} {
        return [lmap row [::tactus::describe [dict get $tables $subcommand]] {dict get $row name}]
    }
    set window [meant $command]
    if {[winfo exists $window] && ![catch {$window configure} rows]} {return [lmap row $rows {lindex $row 0}]}
    return
}

# The longest beginning that all words have in common.
proc ::tactus::player::console::common {words} {
    set common [lindex $words 0]
    foreach word $words {
        while {![string equal -length [string length $common] $common $word]} {
            set common [string range $common 0 end-1]
        }
    }
    return $common
}
