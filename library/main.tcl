# main.tcl -- the program tactus: the command line for batch work (tactus(1)).
#
#	tactus info|stats|sync|dump|export ... TRACE     one subcommand a table row in `commands`
#	tactus --postscript FILE ... TRACE               the published player's manner: compat.tcl
#
# An option is a dict with the keys name, type, argument, words, default and help; those of opening and of figures come
# from the core (tactus::describe). Parsing, --help, `export --list` and the manual page all read these rows.
#
# Results go to stdout, everything else to stderr. Exit status: 0 clean, or notes and warnings only; 1 the trace has
# errors, what could be read was used; 2 wrong usage, unreadable trace, unwritable output.

namespace eval ::tactus::cli {
    # Whether an error of the trace was seen, and what stands on the progress line.
    variable hasErrors 0
    variable progressShown 0
}

# ---- options -----------------------------------------------------------------------------------------------------------

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

# Options of opening, without what only scripts can use.
proc ::tactus::cli::openRows {} {
    variable openRows
    if {![info exists openRows]} {
	set openRows {}
	foreach row [::tactus::describe open] {
	    if {[dict get $row name] ni {-progress -name}} {lappend openRows $row}
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

proc ::tactus::cli::ownRows {command} {
    switch $command {
	info {list [formatRow {table json}]}
	stats {
	    list [row -of word jobs|tasks|servers|mutexes|processors|buffers jobs "what is measured" \
		{jobs tasks servers mutexes processors buffers}] [formatRow {table csv json}] {*}[windowRows]
	}
	sync {
	    list [formatRow {table csv json}] \
		[row -of word pairs|messages pairs "which table csv gives: the pairs, or the messages that arrive before they were sent" {pairs messages}]
	}
	dump {windowRows}
	export {list {*}[figureRows] [row -list flag {} {} "tells all formats, presets, conventions and options, and ends"]}
    }
}

proc ::tactus::cli::rowsOf {command} {
    list {*}[ownRows $command] {*}[openRows] [row -help flag {} {} "tells how the command is used, and ends"]
}

# ---- parsing -----------------------------------------------------------------------------------------------------------

proc ::tactus::cli::usageError {command message} {
    return -code error -errorcode {TACTUS USAGE} \
	"$message\nTry \"tactus[expr {$command eq {} ? {} : " $command"}] --help\"."
}

# The row of an option that may be abbreviated and may have one or two dashes.
proc ::tactus::cli::findRow {command rows word} {
    set name -[string trimleft $word -]
    set found {}
    foreach row $rows {
	if {[dict get $row name] eq $name} {return $row}
	if {[string match [string map {* \\* ? \\? [ \\[ \\ \\\\} $name]* [dict get $row name]]} {lappend found $row}
    }
    if {[llength $found] == 1} {return [lindex $found 0]}
    if {![llength $found]} {usageError $command "unknown option \"$word\""}
    usageError $command "ambiguous option \"$word\": could be [join [lmap row $found {string cat - [dict get $row name]}] {, }]"
}

# Splits words into {options operands}: a dict of -name value, and the rest.
proc ::tactus::cli::parse {command rows words} {
    set options {}
    set operands {}
    while {[llength $words]} {
	set words [lassign $words word]
	if {$word eq "--"} {
	    lappend operands {*}$words
	    break
	}
	if {$word eq "-" || ![string match -* $word]} {
	    lappend operands $word
	    continue
	}
	set given [regexp {^(--?[^=]+)=(.*)$} $word -> word value]
	set row [findRow $command $rows $word]
	if {[dict get $row type] eq "flag"} {
	    if {!$given} {set value 1}
	} elseif {!$given} {
	    if {![llength $words]} {usageError $command "option \"$word\" needs a value ([dict get $row argument])"}
	    set words [lassign $words value]
	}
	dict set options [dict get $row name] [checked $command $row $value]
    }
    list $options $operands
}

# The core checks the values of its own options; words are checked here, so that a mistake is found before a long reading.
proc ::tactus::cli::checked {command row value} {
    set name -[dict get $row name]
    set words [dict get $row words]
    switch [dict get $row type] {
	word {
	    if {$value ni $words} {usageError $command "bad value \"$value\" of $name: must be [join $words {, }]"}
	}
	flag {
	    if {![string is boolean -strict $value]} {usageError $command "bad value \"$value\" of $name: must be yes or no"}
	    set value [expr {bool($value)}]
	}
	list {
	    if {![string is list $value]} {usageError $command "bad value \"$value\" of $name: must be a list"}
	}
	time - number {
	    if {![string is double -strict $value]} {usageError $command "bad value \"$value\" of $name: must be a number"}
	}
    }
    return $value
}

# Those of the options that belong to the rows.
proc ::tactus::cli::among {options rows} {
    set result {}
    foreach row $rows {
	set name [dict get $row name]
	if {[dict exists $options $name]} {lappend result $name [dict get $options $name]}
    }
    return $result
}

proc ::tactus::cli::option {options name default} {
    expr {[dict exists $options $name] ? [dict get $options $name] : $default}
}

# ---- the terminal ------------------------------------------------------------------------------------------------------

proc ::tactus::cli::isTerminal {channel} {
    dict exists [fconfigure $channel] -mode
}

# Control characters of a trace must not reach a terminal.
proc ::tactus::cli::controlMap {} {
    variable controlMap
    if {![info exists controlMap]} {
	for {set code 0} {$code < 160} {incr code} {
	    if {$code in {9 10} || ($code >= 32 && $code < 127)} continue
	    lappend controlMap [format %c $code] [format {\u%04x} $code]
	}
    }
    return $controlMap
}

proc ::tactus::cli::visible {text} {
    if {![regexp {[\x00-\x08\x0b-\x1f\x7f-\x9f]} $text]} {return $text}
    string map [controlMap] $text
}

proc ::tactus::cli::visibleLine {text} {
    string map [list \n {\n} \t {\t}] [visible $text]
}

# A channel transformation that does the same with all that is written.
namespace eval ::tactus::cli::filter {
    namespace export *
    namespace ensemble create
    proc initialize {handle mode} {return {initialize finalize write flush}}
    proc finalize {handle} {}
    proc flush {handle} {}
    proc write {handle bytes} {
	encoding convertto utf-8 [::tactus::cli::visible [encoding convertfrom utf-8 $bytes]]
    }
}

proc ::tactus::cli::setChannels {} {
    fconfigure stdout -encoding utf-8 -translation lf -buffersize 65536
    fconfigure stderr -encoding utf-8
    if {[isTerminal stdout]} {chan push stdout ::tactus::cli::filter}
}

proc ::tactus::cli::say {text} {
    clearProgress
    puts stderr [visible $text]
}

proc ::tactus::cli::showProgress {name bytes total} {
    variable progressShown
    set amount [expr {$total > 0 ? "[expr {100 * $bytes / $total}] %" : "[expr {$bytes >> 20}] MB"}]
    puts -nonewline stderr "\r\x1b\[K[visibleLine "reading $name: $amount"]"
    flush stderr
    set progressShown 1
}

proc ::tactus::cli::clearProgress {} {
    variable progressShown
    if {$progressShown} {puts -nonewline stderr "\r\x1b\[K"}
    set progressShown 0
}

# ---- opening and diagnostics -------------------------------------------------------------------------------------------

# Opens a trace with the options among those given, and says what is wrong with it.
proc ::tactus::cli::openTrace {file options} {
    set arguments [among $options [openRows]]
    if {[isTerminal stderr]} {lappend arguments -progress [list ::tactus::cli::showProgress $file]}
    try {
	set trace [::tactus::open $file {*}$arguments]
    } finally {
	clearProgress
    }
    report $file [$trace diagnostics]
    return $trace
}

proc ::tactus::cli::report {file remarks} {
    variable hasErrors
    foreach remark $remarks {
	dict with remark {
	    set place [expr {$line ? "$file:$line" : $file}]
	    set times [expr {$count > 1 ? " ($count times)" : {}}]
	    say [visibleLine "$place: $severity: $text$times"]
	    if {$severity eq "error"} {set hasErrors 1}
	}
    }
}

# Runs a script with the trace of the only operand in a variable.
proc ::tactus::cli::withTrace {command operands options variable script} {
    upvar 1 $variable trace
    if {[llength $operands] != 1} {usageError $command "exactly one trace is needed, \"-\" for standard input"}
    set trace [openTrace [lindex $operands 0] $options]
    uplevel 1 $script
    $trace close
}

# ---- JSON --------------------------------------------------------------------------------------------------------------

proc ::tactus::cli::jsonString {text} {
    return "\"[visibleLine [string map [list \\ {\\} \" {\"}] $text]]\""
}

# A dict as an object; values are JSON already.
proc ::tactus::cli::jsonObject {dict} {
    set members {}
    dict for {key value} $dict {lappend members "[jsonString $key]: $value"}
    return "{[join $members {, }]}"
}

proc ::tactus::cli::jsonArray {values} {
    return "\[[join $values {, }]\]"
}

# ---- info --------------------------------------------------------------------------------------------------------------

proc ::tactus::cli::runInfo {operands options} {
    withTrace info $operands $options trace {
	if {[option $options -format table] eq "json"} {
	    puts [infoJson [$trace info] [$trace diagnostics]]
	} else {
	    infoTable [$trace info]
	}
    }
}

proc ::tactus::cli::infoTable {info} {
    dict with info {
	set span [list begin $begin end $end length $length]
	set found [list errors $errors warnings $warnings notes $notes]
    }
    puts [pair file [visibleLine $file]]
    foreach {name value} $span {puts [pair $name $value]}
    puts [pair events [dict get $info events]]
    puts [pair jobs [dict get $info jobs]]
    puts [pair clusters [dict get $info clusters]]
    if {[dict get $info messages] || [dict get $info lost]} {
	puts [pair reference [visibleLine [dict get $info reference]]]
	puts [pair messages "[dict get $info messages], [dict get $info lost] lost"]
    }
    puts [pair diagnostics [join [lmap {name value} $found {string cat "$value $name"}] {, }]]
    section defined [dict get $info objects]
    section events [dict get $info eventCounts]
    puts "\nprocessors"
    foreach processor [dict get $info processors] {
	puts "  [visibleLine [processorText $processor]]"
    }
}

proc ::tactus::cli::pair {name value} {
    format "%-12s  %s" $name $value
}

proc ::tactus::cli::section {title counts} {
    puts "\n$title"
    dict for {name count} $counts {
	if {$count} {puts [format "  %-26s %12d" $name $count]}
    }
}

proc ::tactus::cli::processorText {processor} {
    dict with processor {
	set text $id
	if {$name ne $id} {append text " \"$name\""}
	if {$cluster ne {}} {append text ", cluster $cluster"}
	if {$mapped} {append text ", clock mapped"}
    }
    return $text
}

proc ::tactus::cli::infoJson {info remarks} {
    foreach key {file reference} {dict set info $key [jsonString [dict get $info $key]]}
    foreach key {objects eventCounts} {dict set info $key [jsonObject [dict get $info $key]]}
    dict set info processors [jsonArray [lmap processor [dict get $info processors] {
	dict with processor {
	    jsonObject [dict create id [jsonString $id] name [jsonString $name] \
		cluster [expr {$cluster eq {} ? "null" : $cluster}] mapped [expr {$mapped ? "true" : "false"}]]
	}
    }]]
    dict set info diagnostics [jsonArray [lmap remark $remarks {
	foreach key {severity kind text} {dict set remark $key [jsonString [dict get $remark $key]]}
	jsonObject $remark
    }]]
    jsonObject $info
}

# ---- stats, sync, dump -------------------------------------------------------------------------------------------------

proc ::tactus::cli::runStats {operands options} {
    withTrace stats $operands $options trace {
	$trace stats [option $options -of jobs] {*}[among $options [windowRows]] \
	    -format [option $options -format table] -channel stdout
    }
}

proc ::tactus::cli::runSync {operands options} {
    withTrace sync $operands $options trace {
	switch [option $options -format table] {
	    csv {$trace sync -of [option $options -of pairs] -format csv -channel stdout}
	    json {
		puts "{\"pairs\": [string trimright [$trace sync -of pairs -format json] \n],"
		puts "\"violations\": [string trimright [$trace sync -of messages -format json] \n]}"
	    }
	    table {syncTable $trace}
	}
    }
}

proc ::tactus::cli::syncTable {trace} {
    set sync [$trace sync]
    if {![llength [dict get $sync pairs]]} {
	puts "no synchronization messages: all times are as written"
	return
    }
    puts [pair reference [visibleLine [dict get $sync reference]]]
    set number 0
    foreach cluster [dict get $sync clusters] {
	puts [pair "cluster $number" [visibleLine [join $cluster {, }]]]
	incr number
    }
    puts {}
    $trace sync -format table -channel stdout
    if {![llength [dict get $sync violations]]} return
    puts "\nmessages that arrive before they were sent; no time was altered to hide it"
    $trace sync -of messages -format table -channel stdout
}

proc ::tactus::cli::runDump {operands options} {
    withTrace dump $operands $options trace {
	$trace dump {*}[among $options [windowRows]] -channel stdout
    }
}

# ---- export ------------------------------------------------------------------------------------------------------------

proc ::tactus::cli::runExport {operands options} {
    if {[dict exists $options -list]} {return [listFigures]}
    if {[llength $operands] != 2} {usageError export "a trace and the file to write are needed"}
    lassign $operands trace file
    set figure [among $options [figureRows]]
    if {[dict exists $figure -settings]} {
	dict set figure -settings [readSettings [dict get $figure -settings]]
    }
    draw $trace $file $figure $options
}

# figure: options of the core; options: those that belong to opening are used.
proc ::tactus::cli::draw {file output figure options} {
    set trace [openTrace $file $options]
    report $file [$trace export $output {*}$figure]
    $trace close
}

# One `name value` a line, # begins a comment; values may be quoted as in Tcl.
proc ::tactus::cli::readSettings {path} {
    set known [dict get [::tactus::vocabulary] settings]
    set channel [::open $path]
    try {
	fconfigure $channel -encoding utf-8
	set lines [split [read $channel] \n]
    } finally {
	close $channel
    }
    set settings {}
    set number 0
    foreach line $lines {
	incr number
	set line [string trim $line]
	if {$line eq {} || [string index $line 0] eq "#"} continue
	if {![regexp {^(\S+)\s+(.*)$} $line -> name value]} {
	    say "$path:$number: warning: a setting needs a name and a value"
	} elseif {![dict exists $known $name]} {
	    say [visibleLine "$path:$number: warning: unknown setting \"$name\""]
	} else {
	    if {[string is list $value] && [llength $value] == 1} {set value [lindex $value 0]}
	    lappend settings $name $value
	}
    }
    return $settings
}

proc ::tactus::cli::listFigures {} {
    puts formats
    foreach format [::tactus::describe formats] {
	puts [format "  %-12s  %s (%s)" [dict get $format name] [dict get $format help] [dict get $format extensions]]
    }
    puts "\npresets"
    foreach preset [::tactus::describe presets] {
	puts [format "  %-12s  %s; width %g pt, font %g pt" [dict get $preset name] [dict get $preset help] \
	    [dict get $preset width] [dict get $preset fontsize]]
    }
    foreach row [figureRows] {
	if {[dict get $row type] ne "word"} continue
	puts "\n[string trimleft [dict get $row name] -]: [dict get $row help]"
	puts "  [join [dict get $row words] { }] (default [dict get $row default])"
    }
    puts "\noptions"
    puts [optionHelp [figureRows]]
}

# ---- help --------------------------------------------------------------------------------------------------------------

# The subcommands: operands, sentence.
proc ::tactus::cli::commands {} {
    return {
	info {TRACE "what a trace contains: span, counts by kind, processors, clusters, diagnostics"}
	stats {TRACE "measures jobs, tasks, servers, mutexes, processors or buffers"}
	sync {TRACE "how the processors' clocks were brought together"}
	dump {TRACE "the trace as flat commands in order of time on one clock"}
	export {"TRACE FILE" "draws the trace as a figure: pdf, ps, eps, svg, png, tex"}
    }
}

proc ::tactus::cli::optionHelp {rows} {
    set lines {}
    foreach row $rows {
	set head "  -[dict get $row name]"
	if {[dict get $row type] ne "flag"} {append head " [string toupper [dict get $row argument]]"}
	if {[dict get $row type] eq "word"} {set head "  -[dict get $row name] [join [dict get $row words] |]"}
	set text [dict get $row help]
	if {[dict get $row default] ne {} && [dict get $row type] ne "flag"} {append text " (default [dict get $row default])"}
	if {[string length $head] > 25} {
	    lappend lines $head [format "  %-25s %s" {} $text]
	} else {
	    lappend lines [format "%-27s %s" $head $text]
	}
    }
    join $lines \n
}

proc ::tactus::cli::helpOf {command} {
    lassign [dict get [commands] $command] operands sentence
    puts "usage: tactus $command ?option ...? $operands\n\n$sentence\n"
    puts [optionHelp [ownRows $command]]
    puts "\nreading the trace (\"-\": standard input; plain, gz, xz or zst)"
    puts [optionHelp [openRows]]
    puts "\nThe exit status is 0, 1 when the trace has errors, 2 for wrong usage or files that cannot be read or written."
}

proc ::tactus::cli::help {} {
    puts "usage: tactus subcommand ?option ...? TRACE ...\n"
    dict for {name row} [commands] {
	puts [format "  %-26s %s" "$name [lindex $row 0]" [lindex $row 1]]
    }
    puts "\n  tactus SUBCOMMAND --help   its options"
    puts "  tactus --version           the version"
    puts "  tactus --postscript FILE ?--legend none|right|bottom? ?--legend_items LIST? ?--settings FILE?"
    puts "         ?--ignore LIST? ?--format NAME? ?--plugins LIST? ?--exit 0|1? TRACE"
    puts "                             the figure, in the manner of the published player"
}

# ---- running -----------------------------------------------------------------------------------------------------------

proc ::tactus::cli::runCommand {command words} {
    lassign [parse $command [rowsOf $command] $words] options operands
    if {[dict exists $options -help]} {return [helpOf $command]}
    run[string totitle $command] $operands $options
}

proc ::tactus::cli::run {words} {
    set first [lindex $words 0]
    if {[dict exists [commands] $first]} {return [runCommand $first [lrange $words 1 end]]}
    switch -- [string trimleft $first -] {
	version {if {$first ne "version"} {return [puts "tactus [::tactus::version]"]}}
	help - h {return [help]}
    }
    if {![llength $words]} {usageError {} "a subcommand and a trace are needed"}
    source -encoding utf-8 [file join $::tactus::library compat.tcl]
    compat::run $words
}

# A reader that went away (| head) is no error.
proc ::tactus::cli::isBrokenPipe {message options} {
    expr {[lrange [dict get $options -errorcode] 0 1] eq {POSIX EPIPE} || [string match "*Broken pipe*" $message]}
}

# Says what went wrong; errors that are no one's fault but the program's come with their trace.
proc ::tactus::cli::failed {message options} {
    say "tactus: $message"
    lassign [dict get $options -errorcode] kind detail what
    if {$kind ni {TACTUS POSIX} && "$detail $what" ne "LOOKUP INDEX"} {say [dict get $options -errorinfo]}
    return 2
}

proc ::tactus::cli::main {words} {
    variable hasErrors
    setChannels
    try {
	run $words
	flush stdout
	return $hasErrors
    } on error {message options} {
	if {[isBrokenPipe $message $options]} {return $hasErrors}
	return [failed $message $options]
    }
}

# In the C locale words and names are UTF-8 all the same.
proc ::tactus::cli::arguments {words} {
    if {[encoding system] eq "utf-8"} {return $words}
    set system [encoding system]
    encoding system utf-8
    lmap word $words {encoding convertfrom utf-8 [encoding convertto $system $word]}
}

exit [::tactus::cli::main [::tactus::cli::arguments $::argv]]
