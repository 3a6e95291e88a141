# cli/options.tcl -- the options of the program's subcommands: their rows, parsing, help.
#
# An option is a dict with the keys name, type, argument, words, default and help; those of opening and of figures come
# from the core (tactus::describe). Parsing, --help, `export --list` and the manual page all read these rows.

::tactus::need cli/many

namespace eval ::tactus::cli {
    variable view {}    ;# the view of a plugin that is exported (cli/views.tcl); {}: the timeline
}

# ---- options ---------------------------------------------------------------------------------------------------------

proc ::tactus::cli::row {name type argument default help {words {}}} {
    dict create name $name type $type argument $argument words $words default $default help $help
}

proc ::tactus::cli::windowRows {} {
    list [row -from time TIME {} "begin of the window, in time units; default: the recording's"] \
        [row -to time TIME {} "end of the window, itself included"]
}

proc ::tactus::cli::formatRow {formats} {
    row -format word [join $formats |] [lindex $formats 0] "form of the output" $formats
}

# Of a command that writes CSV.
proc ::tactus::cli::formatRows {formats} {
    list [formatRow $formats] [row -csv-safe flag {} no \
        "csv for spreadsheets: cells that they would run (=1+1, @SUM, -x) become text by an apostrophe before them"]
}

proc ::tactus::cli::whereRow {help} {
    row -where text EXPRESSION {} $help
}

# Names of the formats that can be read: the core's and those of plugins. The published player named two differently.
proc ::tactus::cli::traceFormats {} {
    set names [lmap row [::tactus::describe traceFormats] {dict get $row name}]
    if {[info commands ::tactus::plugin::formats] eq {}} {return $names}
    list {*}$names {*}[lmap row [::tactus::plugin::formats] {dict get $row name}]
}

proc ::tactus::cli::traceFormat {name} {
    if {[dict exists {grasp tactus ftrace kernel} $name]} {return [dict get {grasp tactus ftrace kernel} $name]}
    return $name
}

# Options of opening, without those that only scripts can use. In most subcommands -format also means that of the
# output: `parse` tells the two apart.
proc ::tactus::cli::openRows {} {
    variable openRows
    set scriptsOnly {
        -progress -name -decimals -expect -handlers -commands -events -follow -through -format -maptext
    }
    if {![info exists openRows]} {
        set openRows {}
        foreach row [::tactus::describe open] {
            if {[dict get $row name] in $scriptsOnly} continue
            lappend openRows $row
        }
    }
    return $openRows
}

# Options of figures; settings come from a file here.
proc ::tactus::cli::figureRows {} {
    variable figureRows
    if {![info exists figureRows]} {
        set figureRows {}
        foreach row [::tactus::describe export] {
            if {[dict get $row name] eq "-settings"} {
                set row [row -settings file FILE {} "settings that override the trace's own, one name and value a line"]
            }
            lappend figureRows $row
        }
    }
    return $figureRows
}

# Options of `export`: those of a figure, or of the view that --view named.
proc ::tactus::cli::exportRows {} {
    variable view
    if {$view eq {}} {return [figureRows]}
    set rows {}
    foreach row [::tactus::plugin::figureRows $view] {
        if {[dict get $row name] eq "-settings"} {
            set row [row -settings file FILE {} "settings that override the trace's own, one name and value a line"]
        }
        lappend rows $row
    }
    return $rows
}

# Options of a subcommand other than those of opening, of plugins and of help.
proc ::tactus::cli::ownRows {command} {
    switch $command {
        info {list [formatRow {table json}]}
        stats {
            list [row -of word jobs|tasks|servers|mutexes|processors|buffers jobs "what is measured" \
                {jobs tasks servers mutexes processors buffers}] {*}[formatRows {table csv json}] {*}[windowRows] \
                [whereRow "only rows that fit a filter: 'response > 10 && task ~ control*' (tactus(1), FILTERS)"] \
                {*}[many::rows]
        }
        sync {
            list {*}[formatRows {table csv json}] \
                [row -of word pairs|messages pairs \
                    "table written as csv: the pairs, or the messages that arrive before they were sent" \
                        {pairs messages}]
        }
        dump {windowRows}
        convert {list {*}[windowRows] \
            [row -threads names PATTERNS {} "only tasks whose id or name matches a pattern; default: all"]}
        cut {list {*}[windowRows] \
            [row -rows names PATTERNS {} "only tasks, servers and buffers whose id or name matches a pattern, and\
                tasks that ran on a processor, or used a mutex or semaphore, that does; default: all"]}
        check {
            list [row -with names NAMES {} \
                "checks to run: names, \"all\", files of plugins, files of expectations; default: all, or what --expect\
                    names"] \
                [row -expect files FILE {} "expectations to check (tactus_expect(n)); may be given several times"] \
                [expectSetRow] \
                {*}[formatRows {text json junit table csv}] \
                [row -fail-on word warning|error warning "lowest severity of findings that count" {warning error}] \
                [row -limit number N 20 "findings listed of each check, in text and JUnit"] \
                [whereRow "tells only findings that fit a filter: 'severity == error && time > 10' (tactus(1),\
                    FILTERS)"] \
                [row -task names PATTERNS {} \
                    "tells only findings about tasks whose id or name fits a pattern: 'control,io*'"] \
                {*}[lrange [many::rows] 1 end] \
                [row -list flag {} {} "lists all checks, and ends"]
        }
        instances {
            list [row -expect files FILE {} "the models (tactus_model(n)); may be given several times"] \
                [expectSetRow] \
                [row -model names NAMES {} "only models with these names, or that fit a pattern; default: all"] \
                [row -verdict word valid|uncertain|invalid {} "only instances with that verdict; default: all" \
                    {valid uncertain invalid}] \
                {*}[formatRows {table csv json}] \
                [whereRow "only rows that fit a filter: 'r1 > 10 && path ~ *late*' (tactus(1), FILTERS)"]
        }
        models {
            list [row -model names NAMES {} "only models with these names, or that fit a pattern; default: all"] \
                [row -format word expect|dot expect "form: a file of expectations, or graphs" {expect dot}] \
                [expectSetRow]
        }
        plan {
            list {*}[::tactus::describe plan] {*}[::tactus::describe sensor] \
                [row -name text NAME sensor "name of the sensor that --period and the options beside it describe"] \
                [row -sensor files TEXT {} \
                    "a sensor: its name and these options ('speed -period 3ms -late 1ms'); may be given several\
                        times"] \
                [formatRow {table json}]
        }
        record {
            list [row -kernel optional EVENTS {} "records the kernel, too: task switches, wake-ups, interrupts; and\
                    other events that fit patterns (--kernel=syscalls:*futex*,-irq:*)"] \
                [row -sensors flag {} yes "records the sensors of the command, or without a command those of all\
                    programs of the user that run; --sensors=no: the kernel alone"] \
                [row -for text TIME {} "ends after this time (10s, 500ms, 2min): the command is sent SIGTERM"] \
                [row -output file FILE {} "the recording that is written (-o); default: the name of the command with\
                    .tacs behind it. An older recording is overwritten, other files are not"] \
                [row -user text NAME {} "runs the command as this user, for root"] \
                [row -open flag {} {} "opens the recording in the window when it is over"] \
                [row -quiet flag {} {} "no progress and no summary"]
        }
        sensors {
            list [row -for text TIME 1s "how long rates and losses are measured; 0: not at all"] \
                [trustedRow] {*}[formatRows {table csv json}]
        }
        tail {
            list [row -sensor names PATTERNS * "only sensors whose names fit a pattern: 'speed,pos*'"] \
                [row -all flag {} {} "begins with what the programs' buffers still hold"] \
                [row -for text TIME {} "ends after this time; default: on Ctrl+C"] \
                [row -limit number N {} "ends after so many elements"] \
                [trustedRow] [formatRow {text json}]
        }
        monitor {
            list [row -rule files TEXT {} \
                    "a rule: 'histogram load -field busy -most 0.9' (see above); may be given several times"] \
                [row -rules files FILE {} "a file of rules, a line each; may be given several times"] \
                [row -with names NAMES {} \
                    "checks that judge what comes: names, \"all\", files of plugins or of expectations"] \
                [row -expect files FILE {} "expectations that judge what comes (tactus_expect(n), tactus_model(n)); may\
                    be given several times"] \
                [expectSetRow] \
                [row -kernel optional EVENTS {} "watches the kernel, too: task switches, wake-ups, interrupts; and\
                    other events that fit patterns, as record does"] \
                [row -keep number SECONDS 10 "so much of what came last is judged, twice a second"] \
                [row -react files REACTION {} "to a finding: 'mark %value' (tactus_monitor(n)); may be given several\
                    times; default: 'status 1'"] \
                [row -for text TIME {} "ends after this time; default: on Ctrl+C"] \
                [trustedRow] [row -quiet flag {} {} "no results of rules at the end"]
        }
        relay {
            list [row -config file FILE {} "what is collected and where it goes (tactus_relay(5))"] \
                [row -check flag {} {} "only reads the configuration, and says what is wrong with it"] \
                [row -for text TIME {} "ends after this time (10s, 500ms, 2min); default: on Ctrl+C"] \
                [row -timelimit number SECONDS 10 "processor time that scripts in the configuration may take; 0: no\
                    limit"] \
                [row -quiet flag {} {} "no progress and no summary"]
        }
        live {
            list [row -width number SECONDS 1 "what is seen at the beginning; zooming changes it"] \
                [row -memory text BYTES 64M "what came last is held in so much memory, at least 1M"] \
                [row -history number SECONDS 60 "and at most for so long"] \
                [row -output file FILE {} "a recording of all that comes (-o), as that of record"] \
                [row -kernel optional EVENTS {} "follows the kernel, too, as record does"] \
                [row -key file FILE {} "the key that a relay wants (tactus_relay(5))"] \
                [trustedRow] \
                [row -with names NAMES {} \
                    "checks that judge what comes, each second: names, \"all\", files of plugins or of expectations"] \
                [row -expect files FILE {} "expectations that judge what comes (tactus_expect(n), tactus_model(n)); may\
                    be given several times"] \
                [expectSetRow] {*}[lmap row [compat::windowRows] {
                    if {[dict get $row name] in {-follow -from -to -compare}} continue
                    set row
                }]
        }
        learn {
            list [row -stream files EVENT {} \
                "an event, of which is learned how it arrives: a list of its name and its first words, as many as\
                    matter ('jobArrived task1'); may be given several times"] \
                [row -expect files FILE {} \
                    "a file of expectations whose limits that are to be found (?) are learned (tactus_model(n))"] \
                [row -task files TASK {} \
                    "a task (id, name or a pattern), of which a model is made; may be given several times"] \
                [row -each word job|task {} "instances of the model of a task; default: jobs, or the task where its\
                    marks are not in its jobs" {job task}] \
                [row -frequency text PERCENT 1% "what follows on something more seldom than that is left out of the\
                    model of a task"] \
                [row -margin text PERCENT 10% "what limits leave to the values that were seen"] \
                [row -output text FILE {} "the file that is written (-o), which may be that of --expect; default:\
                    standard output"]
        }
        sql {
            list [row -file text FILE {} "the statement is in this file (-f); all operands are traces"] \
                {*}[formatRows {table csv json}] \
                [row -tables flag {} {} "lists the tables and their columns, and ends"] \
                [row -with names NAMES {} \
                    "checks that make the table of findings, if the statement reads it: names, \"all\", files of\
                        plugins or of expectations; default: all"] \
                [row -expect files FILE {} "expectations, of which the findings are, too; may be given several times"] \
                [expectSetRow] \
                [row -answer-memory text BYTES 1G \
                    "memory that the answer may take, and what is sorted or compared for it; 0: any"] \
                [row -answer-time number SECONDS 60 "time that the statement may run; 0: any"]
        }
        compare {
            list [row -base files TRACE {} "a trace or baseline of BASE, in place of the first operand; all operands\
                    are OTHER then; may be given several times"] \
                [row -task names PATTERNS {} "only tasks whose id or name matches a pattern"] \
                [row -measure names NAMES {} "only these measures: response, execution, net_execution, latency,\
                    blocked, preempted, jitter, interarrival, wakeup, lateness, misses"] \
                [whereRow "only jobs that fit a filter of the table of jobs: 'processor == cpu0' (tactus(1),\
                    FILTERS)"] \
                [row -fail-on files CONDITION {} "worse is what fits this: 'p99(response) > +5%' (tactus_compare(n));\
                    may be given several times"] \
                [row -count-noise flag {} {} "differences that may be chance count for --fail-on, too"] \
                [row -confidence number PERCENT 99 "of intervals and tests; of verdicts over all tasks"] \
                [row -figure names NAMES p50,p99,max "figures listed as a table: min, p50, p95, p99, p999, max; csv\
                    and json have all"] \
                [row -all flag {} {} "lists what is the same, too"] \
                [row -sort text COLUMN {} "sorts by a column, the greatest first: change, difference, p ..."] \
                [row -top number N {} "lists the first N rows"] \
                [row -jobs number N 200 "jobs of each task and trace that are taken apart, to say why; 0: none"] \
                {*}[formatRows {table csv json junit}]
        }
        map {list [row -guess flag {} {} "guesses; there is nothing else that map does, so it may be left out"]}
        baseline {
            list [row -output file FILE {} "the file that is written (-o); default: standard output"] \
                [row -task names PATTERNS {} "only tasks whose id or name matches a pattern"] \
                [whereRow "only jobs that fit a filter of the table of jobs (tactus(1), FILTERS)"] \
                [row -jobs number N 200 "jobs of each task and trace that are taken apart, to say why; 0: none"]
        }
        why {
            list [row -worst names PATTERNS {} "the job of this task, or these tasks, that took longest, instead of a\
                    named one; of all traces, and of those in folders"] \
                [row -task names PATTERNS {} "the same, as other subcommands spell it"] \
                [row -each flag {} {} "of each trace the job that took longest"] \
                [row -top number N 1 "so many jobs, those that took longest"] \
                [row -sort names COLUMNS -response "those that come first in this order, of columns of the table of\
                    jobs and trace; -COLUMN: the largest first: '-lateness'"] \
                [row -group-by names COLUMNS {} "so many of each group of jobs with equal cells: 'task,trace'"] \
                [whereRow "only jobs that fit a filter: 'release > 10 && lateness > 0' (tactus(1), FILTERS)"] \
                [row -at time TIME {} \
                    "of several jobs with one id, or of a task, the one of this time; default: the one that took\
                        longest"] \
                [row -limit number N 30 "parts listed in text; the others are added up"] \
                [formatRow {text json}]
        }
        export {list {*}[exportRows] \
            [row -view text NAME {} \
                "draws a view of a plugin instead of the timeline (tactus views); it has options of its own:\
                    tactus help export --view NAME"] \
            [row -list flag {} {} "lists all formats, presets, conventions and options, and ends"]}
    }
}

# The row of --format where it names the format of the trace: the core's option -format, called -read until then.
proc ::tactus::cli::readRow {} {
    row -format format NAME {} \
        "also the format of the trace: [join [lmap row [::tactus::describe traceFormats] {dict get $row name}] {, }],\
        or a plugin's; default: found out"
}

proc ::tactus::cli::expectSetRow {} {
    row -expect-set files NAME=VALUE {} \
        "sets a variable that files of expectations find, a limit or a name of a kernel automaton or rule"
}

proc ::tactus::cli::trustedRow {} {
    row -trusted flag {} {} "also programs of other users, who could end this one by cutting their files meanwhile"
}

proc ::tactus::cli::helpRows {} {
    list [row -help flag {} {} "describes the command and its options, and ends"]
}

proc ::tactus::cli::readsTraces {command} {
    expr {$command ni {plan record sensors tail relay sandbox-check}}
}

# Does it run a command, whose own options stand behind its name?
proc ::tactus::cli::runsCommand {command} {
    expr {$command eq "record"}
}

# Rows of all options of a subcommand. An option of a plugin never replaces one of the subcommand.
proc ::tactus::cli::rowsOf {command} {
    if {![readsTraces $command]} {return [list {*}[ownRows $command] {*}[helpRows]]}
    set rows [list {*}[ownRows $command] {*}[openRows] [pluginRow] {*}[helpRows]]
    if {"-format" ni [lmap row $rows {dict get $row name}]} {lappend rows [readRow]}
    set names [lmap row $rows {dict get $row name}]
    list {*}$rows {*}[lmap row [pluginRows] {if {[dict get $row name] in $names} continue; set row}]
}

# ---- parsing ---------------------------------------------------------------------------------------------------------

proc ::tactus::cli::usageError {command message} {
    return -code error -errorcode {TACTUS USAGE} \
        "$message\nTry \"tactus[expr {$command eq {} ? {} : " $command"}] --help\"."
}

# The row of an option that may be abbreviated and may have one or two dashes.
proc ::tactus::cli::findRow {command rows word} {
    set name -[string trimleft $word -]
    if {$word eq "-o"} {set name -output}
    set found {}
    foreach row $rows {
        if {[dict get $row name] eq $name} {return $row}
        if {![string match [string map {* \\* ? \\? [ \\[ \\ \\\\} $name]* [dict get $row name]]} continue
        # -format has two rows
        if {[dict get $row name] ni [lmap other $found {dict get $other name}]} {lappend found $row}
    }
    if {[llength $found] == 1} {return [lindex $found 0]}
    if {![llength $found]} {usageError $command "unknown option \"$word\""}
    usageError $command \
        "ambiguous option \"$word\": could be [join [lmap row $found {string cat - [dict get $row name]}] {, }]"
}

# Splits words into {options operands}: a dict of -name value, and the rest.
proc ::tactus::cli::parse {command rows words} {
    set options {}
    set operands {}
    while {[llength $words]} {
        set words [lassign $words word]
        if {$word eq "--"} {
            if {![runsCommand $command]} {set words [lmap word $words {asItIs $word}]}
            lappend operands {*}$words
            break
        }
        if {$word eq "-" || ![string match -* $word]} {
            if {![runsCommand $command]} {
                lappend operands [asItIs $word]
                continue
            }
            lappend operands $word
            lappend operands {*}$words
            break
        }
        set given [regexp {^(--?[^=]+)=(.*)$} $word -> word value]
        set row [findRow $command $rows $word]
        if {[dict get $row type] in {flag optional}} {
            if {!$given} {set value [expr {[dict get $row type] eq "flag" ? 1 : {}}]}
        } elseif {!$given} {
            if {![llength $words]} {usageError $command "option \"$word\" needs a value ([dict get $row argument])"}
            set words [lassign $words value]
        }
        if {[dict get $row name] eq "-format" && [readsTraces $command] && [traceFormat $value] in [traceFormats]} {
            dict set options -read [traceFormat $value]
            continue
        }
        set value [checked $command $row $value]
        if {[dict get $row type] in {file files}} {set value [asItIs $value]}
        if {[dict get $row type] eq "names" && [dict exists $options [dict get $row name]]} {
            dict append options [dict get $row name] ,$value
        } elseif {[dict get $row type] eq "files"} {
            dict lappend options [dict get $row name] $value
        } else {
            dict set options [dict get $row name] $value
        }
    }
    list $options $operands
}

# The name of a file, which Tcl takes for a home directory where it begins with ~, while the shell has left it as it is.
proc ::tactus::cli::asItIs {name} {
    if {[string match ~* $name]} {return ./$name}
    return $name
}

# Checks a value against its row. The core checks its own options; here a mistake is found before a trace is read.
proc ::tactus::cli::checked {command row value} {
    set name -[dict get $row name]
    set words [dict get $row words]
    switch [dict get $row type] {
        word {
            if {$value ni $words} {
                set formats [expr {$name eq "--format" && [readsTraces $command]
                    ? "; or, of the trace, [join [traceFormats] {, }]" : {}}]
                usageError $command "bad value \"$value\" of $name: must be [join $words {, }]$formats"
            }
        }
        format {usageError $command "there is no format \"$value\"; known are [join [traceFormats] {, }]"}
        flag {
            if {![string is boolean -strict $value]} {
                usageError $command "bad value \"$value\" of $name: must be yes or no"
            }
            set value [expr {bool($value)}]
        }
        list {
            if {![string is list $value]} {usageError $command "bad value \"$value\" of $name: must be a list"}
        }
        names {
            if {[catch {::tactus::names $value}]} {
                usageError $command "bad value \"$value\" of $name: must be names, with blanks or commas between them"
            }
        }
        time - number {
            if {![string is double -strict $value] || [string match -nocase *nan* $value]} {
                usageError $command "bad value \"$value\" of $name: must be a number"
            }
        }
    }
    return $value
}

# Options of opening among those given, as the core calls them.
proc ::tactus::cli::opening {options {file {}}} {
    set arguments [among [mapped $file $options] [list {*}[openRows] {name -maptext}]]
    if {[dict exists $options -read]} {lappend arguments -format [dict get $options -read]}
    list {*}$arguments {*}[::tactus::trustOf $file $options]
}

# Those of the options that have a row, as words.
proc ::tactus::cli::among {options rows} {
    set result {}
    foreach row $rows {
        set name [dict get $row name]
        if {[dict exists $options $name]} {lappend result $name [dict get $options $name]}
    }
    return $result
}

proc ::tactus::cli::option {options name {default {}}} {
    if {[dict exists $options $name]} {return [dict get $options $name]}
    return $default
}

# Does a text fit a list of names and patterns? {}: it does.
proc ::tactus::cli::fitsNames {list text} {
    foreach pattern [set names [::tactus::names $list]] {
        if {$pattern eq $text || [string match $pattern $text]} {return 1}
    }
    expr {![llength $names]}
}

# ---- help ------------------------------------------------------------------------------------------------------------

# The subcommands: operands, sentence.
proc ::tactus::cli::commands {} {
    set formats [join [lmap format [::tactus::describe formats] {dict get $format name}] {, }]
    return [string map [list %FORMATS $formats] {
        info {TRACE "what a trace contains: span, counts by kind, processors, clusters, diagnostics"}
        stats {"TRACE ..." "measures jobs, tasks, servers, mutexes, processors or buffers"}
        sync {TRACE "synchronization of the processors' clocks"}
        dump {TRACE "the trace as flat commands in order of time on one clock"}
        convert {"TRACE FILE" "writes a trace of any format in the trace language, or a part of it"}
        cut {"TRACE FILE" "writes a part of a trace, of some time and rows, that opens by itself"}
        map {TRACE "guesses a mapping of a kernel trace or a log, as a file to edit for --map"}
        export {"TRACE FILE" "draws the trace as a figure: %FORMATS"}
        why {"TRACE JOB | --worst TASK TRACE ..." "takes the response time of a job apart: why it is late"}
        views {"" "the views of plugins that export --view draws, with their options"}
        instances {TRACE "lists what models of expected behaviour followed: states, values of constraints, verdicts"}
        live {"?FOLDER|HOST:PORT?" "follows programs while they run, in the window: what their sensors write"}
        learn {"TRACE ..." "prints how events arrive, as expectations that check judges other traces by"}
        models {"FILE ..." "prints the models of files of expectations, kernel automata, rules and state charts"}
        record {"?--? COMMAND ..." "runs a command and records its sensors, and the kernel, in a file"}
        sensors {"?FOLDER ...?" "lists the sensors of programs, with rates and losses"}
        tail {"?FOLDER ...?" "prints what sensors write, as it comes"}
        monitor {"?FOLDER ...?" "watches what programs write, by rules and expectations, and reacts"}
        sql {"STATEMENT TRACE ..." "answers a question in SQL about the tables of traces: jobs, slices, events ..."}
        relay {"" "collects sensors of programs, and stores or sends them, as a configuration says"}
        compare {"BASE OTHER ..." "compares the jobs of two sides, before and after: what got worse, and why"}
        baseline {"TRACE ..." "writes what compare needs of traces, as a small file"}
        plan {"?FILE ...?" "plans what a monitor has to process in each period, so that all is processed in time"}
        check {"TRACE ..." "checks that traces are right; the exit status is for scripts"}
        sandbox-check {"" "says which walls stand around the scripts of traces, and which this system does not have"}
    }]
}

proc ::tactus::cli::optionHelp {rows} {
    set lines {}
    foreach row $rows {
        set head "  -[dict get $row name]"
        if {[dict get $row type] ne "flag"} {append head " [string toupper [dict get $row argument]]"}
        if {[dict get $row type] eq "optional"} {set head "  -[dict get $row name]?=[dict get $row argument]?"}
        if {[dict get $row type] eq "word"} {set head "  -[dict get $row name] [join [dict get $row words] |]"}
        set text [dict get $row help]
        if {[dict get $row default] ne {} && [dict get $row type] ne "flag"} {
            append text " (default [dict get $row default])"
        }
        if {[string length $head] > 25} {
            lappend lines $head [format "  %-25s %s" {} $text]
        } else {
            lappend lines [format "%-27s %s" $head $text]
        }
    }
    join $lines \n
}

# The exit status of a subcommand that reads no trace.
proc ::tactus::cli::statusHelp {command} {
    switch $command {
        relay {
            return "The exit status is 0, 1 when something was lost since no storage took it, 2 for wrong usage or a\
                configuration that is wrong."
        }
        sandbox-check {
            return "The exit status is 0 when all are in force, 1 when some are missing, 2 when one failed:\
                scripts are not evaluated then."
        }
        plan {return "The exit status is 0, 1 when what is demanded is impossible, 2 for wrong usage."}
        record {
            return "The exit status is the command's, 128 and the signal that ended it, 127 where it was not found, 126\
                where it cannot be run, 125 where nothing was recorded."
        }
    }
    return "The exit status is 0, 2 for wrong usage or folders that cannot be read."
}

proc ::tactus::cli::helpOf {command} {
    lassign [dict get [commands] $command] operands sentence
    puts "usage: tactus $command ?option ...? $operands\n\n$sentence\n"
    puts [optionHelp [ownRows $command]]
    if {![readsTraces $command]} {return [puts "\n[statusHelp $command]"]}
    puts "\nreading the trace (\"-\": standard input; plain, gz, xz or zst)"
    puts [optionHelp [list {*}[openRows] [readRow] [pluginRow]]]
    set rows [pluginRows]
    if {[llength $rows]} {puts "\noptions of plugins\n[optionHelp $rows]"}
    if {$command eq "compare"} {
        puts "\nThe exit status is 0 when nothing fits --fail-on, 1 when something does, 2 when something could not be\
            judged, 3 for wrong usage."
    } elseif {$command eq "check"} {
        puts "\nThe exit status is 0 when all is valid, 1 when something is violated, 2 when something could not be\
            judged, 3 for wrong usage."
    } else {
        puts "\nThe exit status is 0, 1 when the trace has errors, 2 for wrong usage or files that cannot be read or\
            written."
    }
}

proc ::tactus::cli::help {} {
    puts "usage: tactus ?option ...? ?TRACE ...?              the window"
    puts "       tactus subcommand ?option ...? TRACE ...\n"
    dict for {name row} [commands] {
        puts [format "  %-26s %s" "$name [lindex $row 0]" [lindex $row 1]]
    }
    puts "\n  tactus SUBCOMMAND --help   its options"
    puts "  tactus --version           the version"
    puts "  tactus --postscript FILE ?--legend none|right|bottom? ?--legend_items LIST? ?--settings FILE?"
    puts "         ?--ignore LIST? ?--format NAME? ?--plugins LIST? ?--exit 0|1? TRACE"
    puts "         ?--checkBudget no|warning|exit? ?--checkMutex no|warning|exit?"
    puts "                             the figure, in the manner of the published player"
    ::tactus::need cli/compat
    puts "\noptions of the window (and those of reading a trace, see tactus info --help)"
    puts [optionHelp [list [pluginRow] {*}[compat::windowRows]]]
    set rows [pluginRows]
    if {[llength $rows]} {puts "\noptions of plugins\n[optionHelp $rows]"}
}
