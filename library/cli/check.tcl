# cli/check.tcl -- tactus check: runs checks over traces, prints the verdicts, and ends with a status for a CI.
#
#   words -> checks (names, plugin files, files of expectations) -> traces, those of folders too (cli/folder.tcl), one
#         by one -> reports -> text, JSON or JUnit
#
# Text is printed as the traces are judged, so that of thousands of traces nothing is kept but their verdicts.
#
# Exit status: 0 all is valid (or does not apply), 1 something is violated, 2 nothing is, but something could not be
# judged: a trace that cannot be read or has errors, information that is missing, a plugin that failed; 3 wrong usage.
# --fail-on error: only findings that are errors count.
#
# A report is a dict: file, problem (why it cannot be read, or {}), verdicts (check -> verdict), findings, left (number
# of findings that --task and --where leave out: they count in the verdicts all the same), leftOutBy (these options).

::tactus::need cli/json cli/folder cli/junit cli/many cli/unseen

namespace eval ::tactus::cli::check {
    namespace path ::tactus::cli
}

# Runs tactus check TRACE ...: judges the traces, and sets the exit status.
proc ::tactus::cli::runCheck {operands options} {
    if {[dict exists $options -list]} {
        foreach row [lsort -dictionary -index 1 [::tactus::check::described]] {
            puts [format "  %-12s  %s" [dict get $row name] [dict get $row help]]
        }
        return
    }
    if {![llength $operands]} {usageError check "a trace is needed, \"-\" for standard input"}
    set names [check::chosen $options]
    set format [check::formatOf $options]
    set limit [option $options -limit 20]
    set verdicts {}
    set written {}
    if {$format in {table csv}} {set run [many::begin check [dict replace $options -format $format] findings 1]}
    set files [tracesOf $operands $options]
    unseen::begin $options
    foreach file $files {
        set report [check::judge $file $names $options run]
        lappend verdicts [check::verdict $report]
        check::soFar $verdicts [llength $files]
        if {[info exists run]} continue
        if {$format eq "text"} {
            check::textOf $report $limit
        } else {
            lappend written [check::${format}Of $report $limit]
        }
    }
    if {[info exists run]} {many::end run} else {check::$format $written $verdicts}
    unseen::tell
}

# The form of the output: options that sort or group findings make it a table.
proc ::tactus::cli::check::formatOf {options} {
    set asked [expr {![many::isPlain $options]}]
    set format [option $options -format [expr {$asked ? "table" : "text"}]]
    if {$asked && $format ni {table csv}} {
        usageError check "--columns, --group-by, --sort and --top need --format table or csv"
    }
    return $format
}

# ---- which checks ----------------------------------------------------------------------------------------------------

# Names of the checks to run. A word of --with is one, "all", a plugin's file with checks, or a file of expectations.
proc ::tactus::cli::check::chosen {options} {
    set names {}
    foreach word [::tactus::names [option $options -with {}]] {lappend names {*}[namesOf $word $options]}
    set settings [expectSettings check $options]
    foreach file [option $options -expect {}] {lappend names [expectations $file $options $settings]}
    if {![llength $names]} {return all}
    return $names
}

proc ::tactus::cli::check::namesOf {word options} {
    set known [::tactus::check::names]
    if {$word eq "all"} {return all}
    if {$word in $known} {return [list $word]}
    if {![file isfile $word]} {
        usageError check \
            "no check \"$word\": must be all, a file, or one of [join [lsort -dictionary $known] {, }]"
    }
    variable ::tactus::cli::untrusted
    if {$untrusted && [file extension $word] eq ".tcl"} {
        usageError check "\"$word\" is a plugin, which is code: it is not loaded with --untrusted"
    }
    if {[file extension $word] ne ".tcl"} {return [list [expectations $word $options]]}
    set plugin [::tactus::plugin::load $word]
    set names [lmap row [::tactus::check::described] {
        if {[dict get $row plugin] ne $plugin} continue
        dict get $row name
    }]
    if {![llength $names]} {usageError check "the plugin \"$word\" has no checks"}
    return $names
}

proc ::tactus::cli::check::expectations {file options {settings {}}} {
    if {![file exists $file]} {usageError check "there is no file \"$file\" of expectations"}
    try {
        ::tactus::expect::loadFile $file $settings [scriptLimits $options]
    } on error {message options} {
        if {[lindex [dict get $options -errorcode] 0] ne "TACTUS"} {return -options $options $message}
        usageError check $message
    }
}

# ---- judging ---------------------------------------------------------------------------------------------------------

# Judges a trace: its report. One that cannot be read does not keep the others from being judged; a folder stands here
# only if it has none. A variable of the caller that has a run takes its findings (cli/many.tcl).
proc ::tactus::cli::check::judge {file names options {variable {}}} {
    upvar 1 $variable run
    try {
        if {[file isdirectory $file]} {failEmpty $file}
        set trace [openTrace $file $options -expect [::tactus::expect::stated $names]]
    } on error {message errorOptions} {
        if {[lindex [dict get $errorOptions -errorcode] 0] ni {TACTUS POSIX}} {return -options $errorOptions $message}
        say [visibleLine "tactus: $message"]
        return [dict create file $file problem $message verdicts {} findings {} left 0]
    }
    try {
        sayOutlier $file $trace $options
        set verdicts [::tactus::check::run $trace -with $names \
            -failon [option $options -fail-on warning]]
        if {[info exists run]} {many::add run $file $trace}
        unseen::see $trace
        lassign [wanted $file $trace $options] findings left
        return [withPlugins $names [dict create file $file problem {} verdicts $verdicts findings $findings left $left \
            leftOutBy [lmap name {-task -where} {
                if {![dict exists $options $name]} continue
                string cat - $name
            }]]]
    } finally {
        $trace close
    }
}

# The findings that fit the filter and the tasks, and the number of those that do not: {findings left}.
proc ::tactus::cli::check::wanted {file trace options} {
    set findings [$trace finding list]
    set run [dict create kind findings task [::tactus::names [option $options -task {}]] \
        window [among $options [list [whereRow {}]]]]
    if {[many::whereOf $run $trace] eq {}} {return [list $findings 0]}
    set relation [$trace relation findings]
    many::choose $run $file $trace $relation
    set told [lmap index [$relation ids 0 [$relation count]] {lindex $findings $index}]
    $relation close
    list $told [expr {[llength $findings] - [llength $told]}]
}

# Adds the verdict of "plugins", uncertain, where a plugin could not be loaded: its checks are not known, so not all of
# them can be valid. A plugin that was not asked for by name matters only where all checks are wanted.
proc ::tactus::cli::check::withPlugins {names report} {
    foreach row $::tactus::cli::notLoaded {
        lassign $row plugin message named
        if {!$named && "all" ni $names} continue
        dict set report verdicts [dict merge [dict get $report verdicts] {plugins uncertain}]
        dict lappend report findings [dict create check plugins verdict uncertain severity error time {} end {} \
            objects {} line 0 \
            sentence "the plugin \"$plugin\" could not be loaded, its checks were not run: $message"]
    }
    return $report
}

# The gravest verdict of a report.
proc ::tactus::cli::check::verdict {report} {
    if {[dict get $report problem] ne {}} {return unreadable}
    set values [dict values [dict get $report verdicts]]
    foreach verdict {invalid uncertain valid} {
        if {$verdict in $values} {return $verdict}
    }
    return inapplicable
}

proc ::tactus::cli::check::status {verdicts} {
    if {"invalid" in $verdicts} {return 1}
    expr {"uncertain" in $verdicts || "unreadable" in $verdicts ? 2 : 0}
}

# Sets the exit status by the traces that were judged. Where the reader of the output ends before there are n, the
# others are not judged.
proc ::tactus::cli::check::soFar {verdicts n} {
    if {[llength $verdicts] < $n} {lappend verdicts uncertain}
    setStatus [status $verdicts]
}

# ---- text ------------------------------------------------------------------------------------------------------------

# Prints a report as text: FILE:LINE: error|warning|note|uncertain: SENTENCE [CHECK], as compilers write it; then the
# verdicts in one line.
proc ::tactus::cli::check::textOf {report limit} {
    dict with report {}
    lassign [limited $findings $limit] told rest
    foreach finding $told {puts [findingLine $file $finding]}
    dict for {check n} $rest {
        puts [visibleLine "$file: [::tactus::check::counted $n finding] more \[$check\]"]
    }
    if {$left} {
        puts [visibleLine "$file: [::tactus::check::counted $left finding] left out by [join $leftOutBy { and }]"]
    }
    puts [visibleLine "$file: [verdict $report][verdictList $verdicts]"]
}

# Prints how many traces have which verdict, where there are several: "30 traces: 1 invalid, 29 valid".
proc ::tactus::cli::check::text {written verdicts} {
    if {[llength $verdicts] < 2} return
    puts "[llength $verdicts] traces: [join [lmap {verdict n} [counts $verdicts] {string cat "$n $verdict"}] {, }]"
}

# The verdicts that there are, the gravest first, each with its number.
proc ::tactus::cli::check::counts {verdicts} {
    set counts {}
    foreach verdict {unreadable invalid uncertain valid inapplicable} {
        set n [llength [lsearch -all -exact $verdicts $verdict]]
        if {$n} {lappend counts $verdict $n}
    }
    return $counts
}

# At most `limit` findings of each check, and the numbers of the others: {findings {check number ...}}.
proc ::tactus::cli::check::limited {findings limit} {
    set told {}
    set counts {}
    set rest {}
    foreach finding $findings {
        set check [dict get $finding check]
        dict incr counts $check
        if {[dict get $counts $check] <= $limit} {lappend told $finding} else {dict incr rest $check}
    }
    list $told $rest
}

proc ::tactus::cli::check::findingLine {file finding} {
    dict with finding {}
    set place $file
    if {$line} {append place :$line}
    set word [expr {$verdict eq "uncertain" ? "uncertain" : $severity}]
    visibleLine "$place: $word: $sentence \[$check\]"
}

proc ::tactus::cli::check::verdictList {verdicts} {
    set parts {}
    foreach verdict {invalid uncertain valid inapplicable} {
        set names [dict keys [dict filter $verdicts value $verdict]]
        if {[llength $names]} {lappend parts "$verdict: [join $names {, }]"}
    }
    if {![llength $parts]} return
    return " ([join $parts {; }])"
}

# ---- JSON ------------------------------------------------------------------------------------------------------------

proc ::tactus::cli::check::json {traces verdicts} {
    puts [jsonObject [dict create status [status $verdicts] summary [jsonObject [counts $verdicts]] \
        traces [jsonArray $traces]]]
}

proc ::tactus::cli::check::jsonOf {report limit} {
    dict with report {}
    set checks {}
    dict for {check verdict} $verdicts {
        lappend checks [jsonObject [dict create check [jsonString $check] verdict [jsonString $verdict]]]
    }
    jsonObject [dict create file [jsonString $file] verdict [jsonString [verdict $report]] \
        problem [expr {$problem eq {} ? {null} : [jsonString $problem]}] \
        checks [jsonArray $checks] \
            findings [jsonArray [lmap finding $findings {findingJson $finding}]]]
}

proc ::tactus::cli::check::findingJson {finding} {
    foreach key {check verdict severity sentence} {dict set finding $key [jsonString [dict get $finding $key]]}
    foreach key {time end} {dict set finding $key [jsonValue [dict get $finding $key]]}
    dict set finding line [expr {[dict get $finding line] ? [dict get $finding line] : "null"}]
    dict set finding objects [jsonArray [lmap object [dict get $finding objects] {
        jsonObject [dict create kind [jsonString [lindex $object 0]] id [jsonString [lindex $object 1]]]
    }]]
    jsonObject $finding
}

# ---- JUnit -----------------------------------------------------------------------------------------------------------

# Prints the reports as JUnit XML: a suite a trace, a case a check; a failure is invalid, an error uncertain, skipped
# is inapplicable.
proc ::tactus::cli::check::junit {suites verdicts} {
    junit::print "tactus check" $suites
}

proc ::tactus::cli::check::junitOf {report limit} {
    dict with report {}
    if {$problem ne {}} {return [junit::suite $file [list [junit::case open $file error unreadable $problem]]]}
    set cases {}
    dict for {check verdict} $verdicts {lappend cases [caseOf $file $check $verdict $findings $limit]}
    junit::suite $file $cases
}

proc ::tactus::cli::check::caseOf {file check verdict findings limit} {
    set element [dict get {valid {} inapplicable skipped invalid failure uncertain error} $verdict]
    if {$element in {{} skipped}} {return [junit::case $check $file $element]}
    set own [lmap finding $findings {if {[dict get $finding check] ne $check} continue; set finding}]
    set reasons [lmap finding $own {if {[dict get $finding verdict] ne $verdict} continue; dict get $finding sentence}]
    if {![llength $reasons]} {set reasons [list "$verdict; --where leaves out why"]}
    set lines [lmap finding [lindex [limited $own $limit] 0] {findingText $finding}]
    if {![llength $lines]} {set lines [list {}]}
    junit::case $check $file $element $verdict [lindex $reasons 0] $lines
}

proc ::tactus::cli::check::findingText {finding} {
    dict with finding {}
    string cat [expr {$line ? "line $line: " : {}}] \
        [expr {$verdict eq "uncertain" ? "uncertain" : $severity}] ": $sentence"
}
