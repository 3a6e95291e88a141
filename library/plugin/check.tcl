# plugin/check.tcl -- checks: their table, running them over a trace, their findings (tactus_check(n)).
#
#   plugins/check-*.tcl --check--> table of checks --run--> start, handlers in one replay, finish --report--> findings
#
# A check is registered by a plugin (the word `check`), and judges: its findings go into the trace, where the window,
# the command line and scripts read them ($trace finding list). The verdict of a check is that of its gravest findings:
#
#   invalid       a finding is invalid: a witness against the trace
#   uncertain     else, a finding is uncertain: information is missing
#   inapplicable  else, the trace has nothing that the check judges
#   valid         else
#
# A check whose plugin has failed, while the trace was opened or checked, is uncertain too: it has not seen everything.
#
# Findings of the severity note never count. A check can use handlers of events (-events), the trace's tables, or the
# facts that the core finds (the word `facts`; $trace audit).

namespace eval ::tactus::check {
    variable checks             ;# name -> dict name title help needs start finish numbers plugin
    variable trace {}           ;# the trace that is checked
    variable current {}         ;# the check that works now
    variable states {}          ;# check -> dict counts (verdict severity -> n), listed, inapplicable
    variable progress {}        ;# prefix that is called with a dict of the progress (tactus(n)), or {}
    variable most 1000          ;# findings of one check that are listed
    variable allKnown 0         ;# has the core been asked for what is not known, and found nothing?
    variable full 0             ;# the check that works now has so many: nobody reads the sentences of others
    if {![info exists checks]} {set checks {}}
}

# ---- the words of plugins --------------------------------------------------------------------------------------------

# The words of plugins: those of the same names in ::tactus::plugin::api only call these procedures, since `list`,
# `switch` and others mean something else in that namespace.
proc ::tactus::plugin::check args {tailcall ::tactus::check::define {*}$args}
proc ::tactus::plugin::report args {tailcall ::tactus::check::report {*}$args}

# check NAME ?-title T? ?-help H? ?-advice {VERDICT SENTENCE ...}? ?-needs LIST? ?-start PREFIX? ?-finish PREFIX?
#   ?-events {EVENT PREFIX ...}?
proc ::tactus::check::define {name args} {
    variable checks
    set namespace [uplevel 1 {namespace current}]
    set plugin [::tactus::plugin::core::pluginOf $namespace]
    set given [::tactus::plugin::core::given check \
        {-title {} -help {} -advice {} -needs {} -start {} -finish {} -events {}} $args]
    set row [dict create name $name plugin $plugin numbers {}]
    foreach key {title help advice needs} {dict set row $key [dict get $given -$key]}
    if {[dict get $row title] eq {}} {dict set row title $name}
    foreach word [dict get $row needs] {needProc $word}
    foreach key {start finish} {
        set prefix [dict get $given -$key]
        dict set row $key [expr {$prefix eq {} ? {} : [::tactus::plugin::core::absolute $prefix $namespace]}]
    }
    foreach {event prefix} [dict get $given -events] {
        dict lappend row numbers [::tactus::plugin::core::register $plugin check/$name $event \
            [list ::tactus::check::within $name [::tactus::plugin::core::absolute $prefix $namespace]]]
    }
    dict set checks $name $row
    return
}

# What to do about findings of a check that have this verdict; {}: it does not say.
proc ::tactus::check::advice {name verdict} {
    variable checks
    if {![dict exists $checks $name advice $verdict]} return
    dict get $checks $name advice $verdict
}

# Adds a finding: report VERDICT TIME OBJECTS SENTENCE ?-end T? ?-line N? ?-severity S?; report inapplicable SENTENCE.
proc ::tactus::check::report {verdict args} {
    if {$verdict eq "inapplicable"} {return [noteInapplicable [lindex $args 0]]}
    if {[llength $args] < 3 || [llength $args] % 2 == 0} {
        return -code error -errorcode {TCL WRONGARGS} \
            "wrong # args: should be \"report verdict time objects sentence ?-end time? ?-line n? ?-severity s?\""
    }
    if {$verdict ni {invalid uncertain valid}} {
        return -code error -errorcode {TACTUS CHECK VERDICT} \
            "bad verdict \"$verdict\": must be invalid, uncertain, valid or inapplicable"
    }
    set options [lassign $args time objects sentence]
    note $verdict $time $objects $sentence \
        [::tactus::plugin::core::given report {-end {} -line 0 -severity {}} $options]
}

# facts RULE ?-option value ...?: the facts that the core finds by a rule, as dicts; the check is inapplicable where the
# rule is.
proc ::tactus::plugin::api::facts {rule args} {tailcall ::tactus::check::facts $rule {*}$args}
# eachFact RULE PREFIX ?-option value ...?: calls the prefix with each of these facts, which are made a few at a time:
# a list of ten thousand takes 40 MB.
proc ::tactus::plugin::api::eachFact {rule prefix args} {
    uplevel 1 [list ::tactus::check::eachFact $rule $prefix {*}$args]
}
# audit RULE ?-option value ...?: the same as a dict applicable facts more; nothing is concluded from it.
proc ::tactus::plugin::api::audit {rule args} {tailcall ::tactus::check::audit $rule {*}$args}
# factsOf RESULT: the facts of what audit gave; the check is uncertain if there are more.
proc ::tactus::plugin::api::factsOf {result} {tailcall ::tactus::check::factsOf $result}
# eachFactOf RESULT PREFIX: the same of what audit gave with -format relation.
proc ::tactus::plugin::api::eachFactOf {result prefix} {
    uplevel 1 [list ::tactus::check::eachFactOf $result $prefix]
}
# quoted ID: an id for a sentence; a thread of a kernel trace and its jobs by name.
proc ::tactus::plugin::api::quoted {id} {
    if {$::tactus::check::full} {return $id}
    tailcall ::tactus::check::quoted $id
}
# reportUnknown WHAT, after facts: a finding, uncertain, for each task and each processor that has a stretch in an
# unknown state. WHAT says what may have happened in it.
proc ::tactus::plugin::api::reportUnknown {what} {tailcall ::tactus::check::reportUnknown $what}
# told TIME ?WORDS?: a time or length for a sentence, with its unit where the trace has one; the words where it is
# empty, since it does not fit into 64 bits.
proc ::tactus::plugin::api::told {time args} {
    if {$::tactus::check::full} {return $time}
    tailcall ::tactus::check::told $time {*}$args
}
# moment TIME ?WORDS?: the same for a point in time, which a window counts from where its user chose.
proc ::tactus::plugin::api::moment {time args} {
    if {$::tactus::check::full} {return $time}
    tailcall ::tactus::check::moment $time {*}$args
}
# unread: does nobody read the sentences of further findings of this check, since so many are listed? They count.
proc ::tactus::plugin::api::unread {} {return $::tactus::check::full}
# counted COUNT WORD: "1 job", "2 jobs".
proc ::tactus::plugin::api::counted {count word} {tailcall ::tactus::check::counted $count $word}

proc ::tactus::check::quoted {id} {
    variable trace
    if {$trace ne {} && [string is digit -strict [string index $id 0]]} {
        set called [$trace called $id]
        # A name and the number of the thread behind it are quoted apart.
        if {[regexp {^(.*)( \([\d/]+\))$} $called -> called number]} {return [quotedText $called]$number}
        set id $called
    }
    quotedText $id
}

proc ::tactus::check::quotedText {id} {
    if {[string length $id] > 60} {return "\"[string range $id 0 56]...\""}
    if {[regexp {^[[:alnum:]_.:#/+-]+$} $id]} {return $id}
    return "\"$id\""
}

proc ::tactus::check::told {time {words "more than 64 bits hold"}} {
    variable trace
    if {$time eq {}} {return $words}
    if {$trace eq {}} {return $time}
    set unit [lindex [$trace axis {} {}] 0]
    if {$unit eq {}} {return $time}
    ::tactus::length $time $unit
}

# Marks a point in time (generic/trace/times.h), as it is written in the trace.
proc ::tactus::check::moment {time {words "more than 64 bits hold"}} {
    if {$time eq {}} {return $words}
    return "\x02$time\x03"
}

proc ::tactus::check::counted {count word} {
    if {$count == 1} {return "1 $word"}
    regsub {(x|s|ch)$} $word {\1e} word
    return "$count ${word}s"
}

# ---- reporting -------------------------------------------------------------------------------------------------------

proc ::tactus::check::working {} {
    variable current
    if {$current eq {}} {
        return -code error -errorcode {TACTUS CHECK NONE} "no check is running: report is for a check that is"
    }
    return $current
}

proc ::tactus::check::noteInapplicable {sentence} {
    variable states
    while {[regexp {\x02([^\x03]*)\x03} $sentence moment time]} {
        set sentence [string map [list $moment [told $time]] $sentence]
    }
    dict set states [working] inapplicable $sentence
    return
}

proc ::tactus::check::note {verdict time objects sentence options} {
    variable states
    variable trace
    variable most
    set check [working]
    set severity [dict get $options -severity]
    if {$severity eq {}} {set severity [dict get {invalid error uncertain warning valid note} $verdict]}
    set listed [dict get $states $check listed]
    set finding [dict create check $check verdict $verdict severity $severity time $time objects $objects]
    if {$listed >= $most} {
        variable full 1
        dict set finding listed 0
    } else {
        dict set finding end [dict get $options -end]
        dict set finding line [dict get $options -line]
        dict set finding sentence $sentence
    }
    $trace finding add $finding
    # Only now: the finding may have been refused, and a check that fails is not invalid by that.
    dict set states $check listed [incr listed]
    countFindings $check $verdict $severity 1
}

proc ::tactus::check::countFindings {check verdict severity n} {
    variable states
    set key [list $verdict $severity]
    if {[dict exists $states $check counts $key]} {incr n [dict get $states $check counts $key]}
    dict set states $check counts $key $n
}

# Judges statements (generic/judge) as part of a check: what is found is added in the core, and counted here.
proc ::tactus::check::judge {check statements} {
    variable states
    variable trace
    variable most
    variable progress
    set words [expr {$progress eq {} ? {} : [list -progress $progress]}]
    set listed [dict get $states $check listed]
    set counts [$trace judge $check $statements -limit [expr {max(0, $most - $listed)}] {*}$words]
    foreach {verdict severity} {invalid error uncertain warning} {
        set n [dict get $counts $verdict]
        if {!$n} continue
        countFindings $check $verdict $severity $n
        incr listed $n
    }
    # What is expected of something that the trace does not have is an error, and says so in its finding.
    if {[dict get $counts uncertain]} {
        foreach finding [$trace finding list $check] {
            if {[dict get $finding verdict] ne "uncertain" || [dict get $finding severity] ne "error"} continue
            countFindings $check uncertain error 1
            break
        }
    }
    dict set states $check listed $listed
}

# Adds a finding with the number of those that are not listed.
proc ::tactus::check::noteRest {check} {
    variable states
    variable trace
    variable most
    set rest [expr {[dict get $states $check listed] - $most}]
    if {$rest <= 0} return
    $trace finding add [dict create check $check verdict valid severity note \
        sentence "[counted $rest finding] more of this check: not listed"]
}

# Findings that the checks that ran last had besides those that are listed.
proc ::tactus::check::unlisted {} {
    variable states
    variable most
    set count 0
    dict for {check state} $states {incr count [expr {max(0, [dict get $state listed] - $most)}]}
    return $count
}

# Checks whose findings are not all listed: dict of check -> how many are listed, how many the trace counts (`density`),
# and how many there are with those that the check did not look at.
proc ::tactus::check::totals {} {
    variable states
    variable most
    set totals {}
    dict for {check state} $states {
        set counted [dict get $state listed]
        if {$counted <= $most} continue
        set beyond [expr {[dict exists $state beyond] ? [dict get $state beyond] : 0}]
        dict set totals $check [list $most $counted [expr {$counted + $beyond}]]
    }
    return $totals
}

proc ::tactus::check::audit {rule args} {
    variable trace
    variable progress
    if {$progress ne {}} {lappend args -progress $progress}
    $trace audit $rule {*}$args
}

proc ::tactus::check::facts {rule args} {
    set result [audit $rule {*}$args]
    if {![dict get $result applicable]} {noteInapplicable {}}
    factsOf $result
}

proc ::tactus::check::factsOf {result} {
    noteMore $result [llength [dict get $result facts]]
    dict get $result facts
}

# Reports that there are more facts than those that are judged.
proc ::tactus::check::noteMore {result judged} {
    variable states
    set more [dict get $result more]
    if {!$more} return
    # The finding that says so is one as well.
    dict set states [working] beyond [expr {$more - 1}]
    note uncertain {} {} "$more facts beyond the first $judged were not judged" {-end {} -line 0 -severity {}}
}

proc ::tactus::check::eachFact {rule prefix args} {
    set result [audit $rule {*}$args -format relation]
    try {
        if {![dict get $result applicable]} {noteInapplicable {}}
        uplevel 1 [list ::tactus::check::eachFactOf $result $prefix]
    } finally {
        [dict get $result facts] close
    }
}

proc ::tactus::check::eachFactOf {result prefix} {
    set relation [dict get $result facts]
    set count [$relation count]
    noteMore $result $count
    for {set first 0} {$first < $count} {incr first 100} {
        foreach row [$relation dicts $first 100] {uplevel 1 [list {*}$prefix $row]}
    }
}

proc ::tactus::check::reportUnknown {what} {
    variable states
    variable allKnown
    if {$allKnown || [dict exists $states [working] inapplicable]} return
    # Of nothing unknown the core is asked once, whatever number of checks report it.
    set allKnown 1
    eachFact unknown [list ::tactus::check::tellUnknown $what]
}

proc ::tactus::check::tellUnknown {what row} {
    variable allKnown 0
    set kind [dict get $row fact]
    set id [dict get $row $kind]
    report uncertain [dict get $row time] [list [list $kind $id]] \
        "[told [dict get $row amount] "More than 64 bits hold"] of $kind [quoted $id],\
        [counted [dict get $row count] stretch] from [moment [dict get $row time]] to\
        [moment [dict get $row end]], is not known: $what" -end [dict get $row end] -line [dict get $row line]
}

# Makes a check, or {}, the one that works now.
proc ::tactus::check::begin {check} {
    variable current $check
    variable states
    variable most
    variable full [expr {[dict exists $states $check listed] && [dict get $states $check listed] >= $most}]
}

# Runs a handler as part of its check.
proc ::tactus::check::within {check prefix args} {
    variable current
    if {$current ne $check} {begin $check}
    uplevel #0 [list {*}$prefix {*}$args]
}

# ---- what a check needs ----------------------------------------------------------------------------------------------

# The test for a word of -needs: kinds of objects (servers, mutexes ...: some are defined), jobs, priorities (several
# different ones), deadlines.
proc ::tactus::check::needProc {word} {
    if {$word in {processors tasks jobs servers mutexes semaphores buffers priorities deadlines events}} return
    return -code error -errorcode {TACTUS CHECK NEEDS} \
        "a check cannot need \"$word\": must be processors, tasks, jobs, servers, mutexes, semaphores, buffers,\
        priorities, deadlines or events"
}

proc ::tactus::check::has {trace word info} {
    switch $word {
        events - jobs {return [expr {[dict get $info $word] > 0}]}
        priorities {return [dict get [$trace audit priority -limit 0] applicable]}
        deadlines {return [dict get [$trace audit deadline -limit 0] applicable]}
    }
    foreach name [list [string range $word 0 end-1] [string range $word 0 end-2] $word] {
        if {[dict exists $info objects $name]} {return [expr {[dict get $info objects $name] > 0}]}
    }
    return 0
}

# ---- running ---------------------------------------------------------------------------------------------------------

# The checks of plugins that are on: a list of dicts name title help plugin.
proc ::tactus::check::described {} {
    variable checks
    lmap row [dict values $checks] {
        if {![::tactus::plugin::core::isOn [dict get $row plugin]]} continue
        set row
    }
}

proc ::tactus::check::names {} {
    lmap row [described] {dict get $row name}
}

# Loads the plugins, which register the checks. A plugin that failed is not loaded again, since it has missed events of
# the trace. Of many traces that are checked one after the other, only the first one looks for plugins.
proc ::tactus::check::prepare {} {
    variable prepared
    ::tactus::need plugin/plugin
    set directories [::tactus::plugin::directories]
    set sight [::tactus::plugin::core::sight $directories]
    if {[info exists prepared] && $sight ne {} && $sight eq $prepared} return
    ::tactus::plugin::loadAll -again no -directories $directories
    set prepared [::tactus::plugin::core::sight $directories]
}

# Names of the checks that can be run: all but those of plugins that the user has switched off.
proc ::tactus::check::known {} {
    variable checks
    set names {}
    dict for {name row} $checks {
        set plugin [dict get $row plugin]
        if {[::tactus::plugin::core::isOn $plugin] || [::tactus::plugin::core::hasFailed $plugin]} {lappend names $name}
    }
    return $names
}

# Names of checks as given; all when none is.
proc ::tactus::check::chosen {names} {
    set known [known]
    if {![llength $names]} {return $known}
    set chosen {}
    foreach name $names {
        if {$name eq "all"} {
            lappend chosen {*}$known
        } elseif {$name in $known} {
            lappend chosen $name
        } else {
            return -code error -errorcode [list TACTUS CHECK NAME $name] \
                "no check \"$name\": must be all or one of [join [lsort -dictionary $known] {, }]"
        }
    }
    lsort -dictionary -unique $chosen
}

# run TRACE ?-with NAMES? ?-failon warning|error? ?-progress PREFIX?: runs checks (default: all) over a trace; the
# result is a dict of check -> verdict. -failon error: findings of lower severity do not count. Problems of the trace as
# a whole give the verdict of "trace", which is missing otherwise. PREFIX is called repeatedly with a dict of phase,
# done and total; break cancels.
proc ::tactus::check::run {traceName args} {
    variable trace
    variable progress
    variable states
    set given [dict merge {-with {} -failon warning -progress {}} $args]
    if {[dict size $given] > 3} {
        return -code error -errorcode {TACTUS USAGE} "unknown option of check::run: must be -with, -failon or -progress"
    }
    if {$trace ne {}} {return -code error -errorcode {TACTUS CHECK BUSY} "checks are running already"}
    prepare
    set names [chosen [dict get $given -with]]
    set trace $traceName
    set progress [dict get $given -progress]
    set states {}
    variable allKnown 0
    try {
        set inapplicable [startAll $names]
        replay $names $inapplicable
        foreach name $names {
            if {$name ni $inapplicable} {finish $name}
            noteRest $name
        }
        set verdicts [verdicts $names [dict get $given -failon]]
    } finally {
        set trace {}
        set progress {}
        begin {}
    }
    ::tactus::plugin::fire <FindingsChanged> $traceName
    return $verdicts
}

# Deletes the earlier findings and starts the checks; the result is those that do not apply.
proc ::tactus::check::startAll {names} {
    variable trace
    variable states
    set inapplicable {}
    # The list of processors, of which there may be thousands, would stay while the checks run.
    set info [dict filter [$trace info] key errors events jobs objects]
    lookAtTrace $info
    foreach name $names {
        $trace finding clear $name
        dict set states $name {counts {} listed 0}
        set missing [lmap word [attribute $name needs] {if {[has $trace $word $info]} continue; set word}]
        if {[llength $missing]} {
            dict set states $name inapplicable "no [join $missing {, no }]"
            lappend inapplicable $name
        } else {
            guarded $name start
        }
    }
    return $inapplicable
}

proc ::tactus::check::attribute {name key} {
    variable checks
    dict get $checks $name $key
}

# Replays the trace once for the handlers of all checks.
proc ::tactus::check::replay {names inapplicable} {
    variable trace
    variable progress
    set groups [lmap name $names {
        if {$name in $inapplicable || ![llength [attribute $name numbers]]} continue
        string cat check/ $name
    }]
    if {![llength $groups]} return
    set words [expr {$progress eq {} ? {} : [list -progress $progress]}]
    $trace replay -groups $groups {*}$words
}

# Ends a check. One whose plugin failed, before or in a handler, is uncertain: it has not seen everything.
proc ::tactus::check::finish {name} {
    variable states
    set plugin [attribute $name plugin]
    if {[::tactus::plugin::core::isOn $plugin]} {return [guarded $name finish]}
    begin $name
    if {![dict exists $states $name failed]} {noteFailed $name [::tactus::plugin::core::messageOf $plugin]}
}

proc ::tactus::check::noteFailed {name text} {
    variable states
    dict set states $name failed 1
    begin $name
    note uncertain {} {} "the check failed: $text" {-end {} -line 0 -severity error}
}

# Runs a part of a check. A check that fails is uncertain, and its plugin is switched off.
proc ::tactus::check::guarded {name key} {
    variable trace
    set prefix [attribute $name $key]
    if {$prefix eq {} || ![::tactus::plugin::core::isOn [attribute $name plugin]]} return
    begin $name
    try {
        uplevel #0 [list {*}$prefix $trace]
    } trap {TACTUS CANCELLED} {message options} {
        return -options $options $message
    } on error {message options} {
        noteFailed $name [::tactus::plugin::core::failed [attribute $name plugin] $message $options "the check $name"]
    }
    return
}

# ---- the trace as a whole --------------------------------------------------------------------------------------------

# Reports as findings of "trace" the reasons for which every check is uncertain: tasks of a mapping that the recording
# does not have; errors, which hide events; clocks that do not fit; a recording that failed.
proc ::tactus::check::lookAtTrace {info} {
    variable trace
    variable states
    begin trace
    $trace finding clear trace
    set errors [dict get $info errors]
    set violations [llength [dict get [$trace sync] violations]]
    set events [dict get $info events]
    set missing [remarksOf "MAP TASK"]
    set cut [remarksOf CUT]
    if {!$errors && !$violations && $events && ![llength $missing] && ![llength $cut]} return
    dict set states trace {counts {} listed 0}
    foreach text $missing {
        note uncertain {} {} "$text: a task of the mapping is not in the trace, so nothing was checked of it" \
            {-end {} -line 0 -severity error}
    }
    if {$errors} {
        set first [lsearch -inline -index 1 [$trace diagnostics] error]
        set line [expr {$first eq {} ? 0 : [dict get $first line]}]
        note uncertain {} {} "[counted $errors error] in the trace: what they hide was not checked" \
            [dict create -end {} -line $line -severity error]
    }
    # A cut that is an error is told with the errors; of a recording that was broken off only the end is missing.
    foreach text [expr {$errors ? {} : $cut}] {
        note uncertain {} {} "$text: the recording is cut off, and its end was not checked" \
            {-end {} -line 0 -severity warning}
    }
    if {$violations} {
        note uncertain {} {} \
            "[counted $violations message] arrive before they were sent: the clocks are not what they were taken for" \
            {-end {} -line 0 -severity warning}
    }
    if {!$events} {
        note uncertain {} {} "the trace has no events: there is nothing to judge" {-end {} -line 0 -severity error}
    }
}

# The texts of the remarks of a kind.
proc ::tactus::check::remarksOf {kind} {
    variable trace
    lmap remark [$trace diagnostics] {
        if {[dict get $remark kind] ne $kind} continue
        dict get $remark text
    }
}

# ---- verdicts --------------------------------------------------------------------------------------------------------

proc ::tactus::check::verdicts {names failOn} {
    variable states
    set result {}
    if {[dict exists $states trace]} {dict set result trace [verdict [dict get $states trace] $failOn]}
    foreach name $names {dict set result $name [verdict [dict get $states $name] $failOn]}
    return $result
}

# A check that failed has not seen everything, and what it found may be wrong.
proc ::tactus::check::verdict {state failOn} {
    if {[dict exists $state failed]} {return uncertain}
    set severities [expr {$failOn eq "error" ? "error" : "error warning"}]
    foreach verdict {invalid uncertain} {
        foreach severity $severities {
            if {[dict exists $state counts [list $verdict $severity]]} {return $verdict}
        }
    }
    expr {[dict exists $state inapplicable] ? "inapplicable" : "valid"}
}
