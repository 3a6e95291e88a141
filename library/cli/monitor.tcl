# cli/monitor.tcl -- tactus monitor: watches what running programs write, by rules and by expectations, and reacts.
#
#   rules (on, histogram, rate, machine)  -> tactus::monitor  -> reactions, results at the end
#   files of expectations, checks         -> what came last ($recorder write) is opened and judged, twice a second
#                                         -> findings that are new -> reactions
#
# Exit status: the largest that a reaction has asked for; 0 when nothing was seen. A rule, and a finding, ask for 1
# unless their reactions say something else.

::tactus::need reaction cli/terminal cli/duration cli/check cli/amount

namespace eval ::tactus::cli::monitor {
    namespace path ::tactus::cli
    variable slice 20       ;# milliseconds between two looks
    variable judgeEvery 500 ;# milliseconds between two judgements
    variable results {}     ;# rules that have results: words and id of each
    variable told {}        ;# findings that were told: dict of {check sentence without its numbers} -> times
    variable same 1e-5      ;# seconds: what is found so near again is the same, since clocks are known better later
    variable judged 0       ;# was judged before?
    # What a rule says that has no reactions.
    variable messages {
        on {%sensor of %program} histogram {%sensor of %program: %value} rate {%rule: %value in a window}
        machine {%rule: %state: %what}
    }
}

proc ::tactus::cli::runMonitor {operands options} {
    set folders [if {[llength $operands]} {set operands} else {list [::tactus::recordFolder]}]
    set names [expr {[dict exists $options -with] || [dict exists $options -expect] ? [check::chosen $options] : {}}]
    set rules [monitor::rules $options]
    if {![llength $names] && ![llength $rules]} {
        usageError monitor "what to look at is needed: --rule \"KIND SENSORS ...\", --rules FILE, or --expect FILE"
    }
    set for [expr {[dict exists $options -for] ? [milliseconds monitor -for $options] : {}}]
    lassign [monitor::begin $folders $rules $names $options] watched recorder
    set until [expr {$for eq {} ? {} : [clock milliseconds] + $for}]
    try {
        set lost [tellLost [monitor::watch $watched $recorder $until $names $options]]
        if {![option $options -quiet 0]} {monitor::printResults $watched}
    } finally {
        $watched close
        $recorder close
    }
    setStatus [expr {max($lost, [::tactus::reactionStatus])}]
}

# What watches sensors by rules, and what holds what came last, which also knows of signals.
proc ::tactus::cli::monitor::begin {folders rules names options} {
    set trusted [option $options -trusted 0]
    set held [expr {[llength $names] ? [list -memory 64M -keep [option $options -keep 10]] : {}}]
    # The kernel is captured for each of the two that looks at it.
    set events [expr {[dict exists $options -kernel] ? [dict get $options -kernel] : {}}]
    set kernel [expr {[dict exists $options -kernel] && [llength $rules] ? [list -kernel $events] : {}}]
    if {[dict exists $options -kernel] && [llength $names]} {lappend held -kernel yes -events $events}
    try {
        set watched [::tactus::monitor $folders -trusted $trusted {*}$kernel]
        foreach rule $rules {add $watched {*}$rule}
        set recorder [::tactus::recorder -catch yes -new yes -running yes {*}$held -trusted $trusted \
            -folders [if {[llength $names]} {set folders}]]
    } trap {TACTUS RECORD} {message how} {
        return -options $how $message
    } trap TACTUS message {
        usageError monitor $message
    }
    list $watched $recorder
}

# ---- rules -----------------------------------------------------------------------------------------------------------

# {words where} of each rule, of --rule and of the files of --rules.
proc ::tactus::cli::monitor::rules {options} {
    set rules [lmap text [option $options -rule {}] {list [words $text "--rule \"$text\""] "--rule \"$text\": "}]
    foreach file [option $options -rules {}] {
        if {![file exists $file]} {usageError monitor "there is no file \"$file\" of rules"}
        lappend rules {*}[fileRules $file [split [::tactus::contentText $file "file of rules"] \n]]
    }
    return $rules
}

# A rule is a line, or several where braces are open.
proc ::tactus::cli::monitor::fileRules {file lines} {
    set rules {}
    set number 0
    set text {}
    foreach line $lines {
        incr number
        if {$text eq {}} {
            if {[string trim $line] eq {} || [string match #* [string trim $line]]} continue
            set first $number
        }
        append text $line\n
        if {![info complete $text]} continue
        lappend rules [list [words $text $file:$first] "$file:$first: "]
        set text {}
    }
    if {$text ne {}} {usageError monitor "$file:$first: braces or quotes do not match"}
    return $rules
}

proc ::tactus::cli::monitor::words {text where} {
    if {![string is list $text]} {usageError monitor "$where: braces or quotes do not match"}
    list {*}$text
}

# Adds a rule: KIND SENSORS ?-option value ...?, with the options of the monitor's subcommand, -react and -says.
proc ::tactus::cli::monitor::add {watched words where} {
    variable messages
    variable results
    set arguments [lassign $words kind what]
    if {![dict exists $messages $kind] || $what eq {}} {
        usageError monitor "${where}must be on, histogram, rate or machine, and sensors or transitions"
    }
    if {[llength $arguments] % 2} {usageError monitor "${where}option \"[lindex $arguments end]\" needs a value"}
    set rule [string map {% %%} [if {$kind eq "machine"} {set kind} else {set what}]]
    set said [string map [list %rule $rule] [dict get $messages $kind]]
    set all [dict merge [list -react [list [list message $said] {status 1}] -says {long unexpected}] $arguments]
    set arguments [dict remove $arguments -react -says]
    try {
        set call [::tactus::reaction $watched [dict get $all -react]]
        if {$kind eq "machine"} {set call [list ::tactus::cli::monitor::onState [dict get $all -says] $call]}
        if {$kind eq "on"} {
            $watched on $what $call {*}$arguments
        } else {
            lappend results $words [$watched $kind $what {*}$arguments -call $call]
        }
    } trap TACTUS message {
        usageError monitor $where$message
    } trap TCL message {
        usageError monitor $where$message
    }
}

# Reacts to a machine where it says one of these words.
proc ::tactus::cli::monitor::onState {says call time what state args} {
    if {$what in $says} {{*}$call $time $what $state {*}$args}
}

# ---- watching --------------------------------------------------------------------------------------------------------

# Looks until the time is over, or a signal comes; returns what ended it.
proc ::tactus::cli::monitor::watch {watched recorder until names options} {
    variable slice
    variable judgeEvery
    set next [expr {[clock milliseconds] + $judgeEvery}]
    set over 0
    set refused 0
    while {!$over} {
        set now [clock milliseconds]
        set event [$recorder wait [expr {$until eq {} ? $slice : max(0, min($slice, $until - $now))}]]
        set over [expr {$event ne {} || ($until ne {} && [clock milliseconds] >= $until)}]
        if {$over} {$watched drain} else {$watched step}
        update
        set before $refused
        set refused [dict get [$watched count] refused]
        # Of expectations, the recorder tells it.
        if {$refused > $before && ![llength $names]} {
            say "tactus: warning: [counted $refused {program of another user, who could cut its file: it is} \
                {programs of other users, who could cut their files: they are}] not watched, but with --trusted"
        }
        foreach text [$recorder remarks] {say "tactus: warning: [visibleLine $text]"}
        if {![llength $names] || (!$over && [clock milliseconds] < $next)} continue
        judge $watched $recorder $names $options
        set next [expr {[clock milliseconds] + $judgeEvery}]
    }
    return $event
}

# Opens what came last, and reacts to what is found in it and was not before.
proc ::tactus::cli::monitor::judge {watched recorder names options} {
    variable judged
    if {![dict get [$recorder counts] held]} return
    set template [expr {[file writable /dev/shm] ? "/dev/shm/tactus-monitor.tacs" : "tactus-monitor.tacs"}]
    close [file tempfile path $template]
    try {
        $recorder write $path
        set trace [::tactus::open $path -expect [::tactus::expect::stated $names]]
        try {
            ::tactus::check::run $trace -with $names
            foreach finding [fresh $trace] {react $watched $finding $options}
            set judged 1
        } finally {
            $trace close
        }
    } finally {
        file delete -- $path
    }
}

# Violations that were not told. What lies at the beginning is cut, but for the first time: it was judged before.
proc ::tactus::cli::monitor::fresh {trace} {
    variable judged
    variable told
    set info [$trace info]
    lassign [list [dict get $info begin] [dict get $info end]] begin end
    set from [expr {$judged && $end ne {} ? $begin + 0.1 * ($end - $begin) : $begin}]
    set told [dict map {key times} $told {lmap time $times {if {$time < $begin} continue; set time}}]
    set told [dict filter $told script {key times} {llength $times}]
    lmap finding [$trace finding list] {
        dict with finding {}
        if {$verdict ne "invalid" || $severity eq "note" || $time eq {} || $time < $from} continue
        if {![isNew $check $sentence $time]} continue
        set finding
    }
}

proc ::tactus::cli::monitor::isNew {check sentence time} {
    variable told
    variable same
    set key [list $check [regsub -all {\d+\.\d+} $sentence {}]]
    if {[dict exists $told $key]} {
        foreach before [dict get $told $key] {if {abs($time - $before) < $same} {return 0}}
    }
    dict lappend told $key $time
    return 1
}

proc ::tactus::cli::monitor::react {watched finding options} {
    dict with finding {}
    set reactions [lmap text [option $options -react {}] {words $text "--react \"$text\""}]
    if {![llength $reactions]} {set reactions {{status 1}}}
    puts [visibleLine "$time: $severity: $sentence \[$check\]"]
    flush stdout
    {*}[::tactus::reaction $watched $reactions] $time $sentence
}

# ---- the end ---------------------------------------------------------------------------------------------------------

# A line for each rule with a result: its words, and the numbers.
proc ::tactus::cli::monitor::printResults {watched} {
    variable results
    foreach {words id} $results {
        if {[catch {$watched result $id} result]} continue
        set result [dict filter $result script {key value} {expr {$key ni {counts first width since}}}]
        puts [visibleLine "[lrange $words 0 1]: [join [lmap {key value} $result {set _ "$key $value"}] {, }]"]
    }
}
