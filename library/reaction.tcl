# reaction.tcl -- what a monitor does when something is seen: a list of reactions becomes a command prefix for a handler
# of tactus::monitor, or for its -call.
#
#       $monitor histogram load -field value -most 90 \
#           -call [tactus::reaction $monitor {{message "%sensor of %program is %value"} {mark "too much"} {status 1}}]
#
# A reaction is a list: message TEXT (a line on stderr), mark TEXT (in the recording), handler PREFIX (called with the
# words of the call), command WORD ... (a program, which is not waited for), status NUMBER (the exit status that
# tactus::reactionStatus tells: the largest one). In texts and words of programs %time, %value, %state, %sensor,
# %program and %NAME of a field stand for what was seen, %% for %.

::tactus::need visible

namespace eval ::tactus::reacting {
    variable status 0   ;# the largest that a reaction has asked for
    variable usage {message {text 1} mark {text 1} handler {prefix 1} command {{word ...} -1} status {number 1}}
}

# The command prefix; it is an error when a reaction is none.
proc ::tactus::reaction {monitor reactions} {
    foreach reaction $reactions {reacting::check $reaction}
    list ::tactus::reacting::react $monitor $reactions
}

# The exit status that reactions have asked for so far.
proc ::tactus::reactionStatus {} {
    return $reacting::status
}

proc ::tactus::reacting::check {reaction} {
    variable usage
    set words [lassign $reaction kind]
    if {![dict exists $usage $kind]} {
        return -code error -errorcode {TACTUS USAGE REACTION} \
            "bad reaction \"$kind\": must be message, mark, handler, command, or status"
    }
    lassign [dict get $usage $kind] names count
    if {$count > 0 ? [llength $words] != $count : ![llength $words]} {
        return -code error -errorcode {TACTUS USAGE REACTION} "wrong # words: must be \"$kind $names\""
    }
    if {$kind eq "status" && !([string is integer -strict [lindex $words 0]] && [lindex $words 0] in [numbers])} {
        return -code error -errorcode {TACTUS USAGE REACTION} "bad status \"[lindex $words 0]\": must be 0 to 255"
    }
}

proc ::tactus::reacting::numbers {} {
    for {set i 0} {$i < 256} {incr i} {lappend numbers $i}
    return $numbers
}

# Words of a call: time ?value | what state? ?sensor -field value ...?
proc ::tactus::reacting::react {monitor reactions time args} {
    variable status
    set map [seen $monitor $time $args]
    foreach reaction $reactions {
        set words [lassign $reaction kind]
        set filled [lmap word $words {string map $map $word}]
        switch $kind {
            message {puts stderr [::tactus::visible::line [lindex $filled 0]]}
            mark {$monitor mark [lindex $filled 0]}
            handler {uplevel #0 [list {*}[lindex $words 0] $time {*}$args]}
            command {run $filled}
            status {set status [expr {max($status, [lindex $words 0])}]}
        }
    }
}

# What stands for the %words of texts. The call's own words go before fields of the same name.
proc ::tactus::reacting::seen {monitor time words} {
    set element [$monitor element]
    set said [dict create value {} sensor {} program {} what {} state {}]
    if {[dict size $element]} {
        set at [lsearch -exact $words [dict get $element sensor]]
        foreach {name value} [lrange $words $at+1 end] {dict set said [string range $name 1 end] $value}
        set words [lrange $words 0 $at-1]
        foreach name {sensor program} {dict set said $name [dict get $element $name]}
    }
    dict set said time $time
    if {[llength $words] == 1} {dict set said value [lindex $words 0]}
    if {[llength $words] == 2} {lassign $words what state; dict set said what $what; dict set said state $state}
    # Longer names first, so that %values is not taken for %value.
    set names [lsort -integer -decreasing -index 1 [lmap name [dict keys $said] {list $name [string length $name]}]]
    list %% % {*}[concat {*}[lmap name $names {list %[lindex $name 0] [dict get $said [lindex $name 0]]}]]
}

# Starts a program, whose output is that of this one. Where that cannot be, it is told, and other reactions follow.
proc ::tactus::reacting::run {words} {
    try {
        exec -- {*}[lmap word $words {
            string cat [if {[regexp {^[<>|&]|^\d*>} $word]} {string cat " "}] $word
        }] >@stdout 2>@stderr &
    } on error message {
        puts stderr "tactus: warning: a reaction cannot be run: [::tactus::visible::line $message]"
    }
}
