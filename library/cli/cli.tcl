# cli/cli.tcl -- the program's subcommands (tactus(1)).
#
#       tactus info|stats|sync|dump|export ... TRACE     one subcommand a row of `commands`
#       tactus check ... TRACE ...                       cli/check.tcl
#       tactus why ... TRACE JOB                         cli/why.tcl
#       tactus convert ... TRACE FILE                    cli/convert.tcl
#       tactus map ... TRACE                             cli/map.tcl
#       tactus ... TRACE ...                             the window, and the published player's manner: cli/compat.tcl
#
# Results go to stdout, everything else to stderr. Exit status: 0 clean, or notes and warnings only; 1 the trace has
# errors, what could be read was used; 2 wrong usage, unreadable trace, unwritable output. `check` has its own.

namespace eval ::tactus::cli {
    variable hasErrors 0        ;# was an error of a trace seen?
    variable status {}          ;# the exit status, where a command has set one
    variable usageStatus 2      ;# that of wrong usage
}

::tactus::need cli/options cli/plugins cli/views cli/map cli/terminal

# ---- opening and diagnostics -----------------------------------------------------------------------------------------

# How many decimals the times among the options have at most.
proc ::tactus::cli::decimals {options} {
    set most 0
    foreach name {-from -to -at -buffers-at} {
        if {![regexp {^[^.eE]*(?:\.(\d*))?(?:[eE]([-+]?\d+))?$} [option $options $name 0] -> fraction exponent]} continue
        if {[scan $exponent %d exponent] != 1} {set exponent 0}
        set most [expr {max($most, [string length $fraction] - $exponent)}]
    }
    return [expr {min($most, 19)}]
}

# Opens a trace with the options among those given, and says what is wrong with it.
proc ::tactus::cli::openTrace {file options} {
    set arguments [list {*}[opening $options $file] -decimals [decimals $options]]
    if {[isTerminal stderr]} {lappend arguments -progress [list ::tactus::cli::showProgress $file]}
    set open [expr {[info commands ::tactus::plugin::open] eq {} ? "::tactus::open" : "::tactus::plugin::open"}]
    try {
        set trace [$open $file {*}$arguments]
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

# ---- JSON ------------------------------------------------------------------------------------------------------------

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

# ---- info ------------------------------------------------------------------------------------------------------------

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
        set found [list error $errors warning $warnings note $notes]
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
    puts [pair diagnostics [join [lmap {name value} $found {string cat "$value $name" [expr {$value == 1 ? {} : "s"}]}] {, }]]
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

# ---- stats, sync, dump -----------------------------------------------------------------------------------------------

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

# ---- export ----------------------------------------------------------------------------------------------------------

proc ::tactus::cli::runExport {operands options} {
    if {[dict exists $options -list]} {return [listFigures]}
    if {[llength $operands] != 2} {usageError export "a trace and the file to write are needed"}
    lassign $operands trace file
    set figure [among $options [exportRows]]
    if {[dict exists $figure -settings]} {
        dict set figure -settings [readSettings [dict get $figure -settings]]
    }
    if {[dict exists $options -view]} {return [drawView $trace $file $figure $options]}
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
    set channel [::open [file normalize $path]] ;# "|name" is a file here
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

# ---- running ---------------------------------------------------------------------------------------------------------

proc ::tactus::cli::runCommand {command words} {
    if {$command eq "check"} {readCheck}
    if {$command eq "why"} {::tactus::need cli/why}
    if {$command eq "convert"} {::tactus::need cli/convert}
    usePlugins $words [expr {$command in {check views} || ($command eq "export" && [namedView $words] ne {})}]
    if {$command eq "export"} {chooseView $words}
    lassign [parse $command [rowsOf $command] $words] options operands
    givePlugins $options
    if {[dict exists $options -help]} {return [helpOf $command]}
    run[string totitle $command] $operands $options
}

# Verification is read when it is wanted.
proc ::tactus::cli::readCheck {} {
    variable usageStatus 3
    ::tactus::need plugin/plugin plugin/check plugin/expect cli/check
}

proc ::tactus::cli::setStatus {value} {
    variable status $value
}

proc ::tactus::cli::run {words} {
    set first [lindex $words 0]
    if {[dict exists [commands] $first]} {return [runCommand $first [lrange $words 1 end]]}
    switch -- [string trimleft $first -] {
        version {if {$first ne "version"} {return [puts "tactus [::tactus::version]"]}}
        help - h {
            if {$first ne "help"} {
                usePlugins [lrange $words 1 end] 1
                return [help]
            }
        }
    }
    ::tactus::need plugin/plugin plugin/check cli/compat
    usePlugins $words 1
    compat::run $words
}

# A reader that went away (| head) is no error.
proc ::tactus::cli::isBrokenPipe {message options} {
    expr {[lrange [dict get $options -errorcode] 0 1] eq {POSIX EPIPE} || [string match "*Broken pipe*" $message]}
}

# Says what went wrong; errors that are no one's fault but the program's come with their trace.
proc ::tactus::cli::failed {message options} {
    variable usageStatus
    say "tactus: $message"
    lassign [dict get $options -errorcode] kind detail what
    if {$kind ni {TACTUS POSIX} && "$detail $what" ne "LOOKUP INDEX"} {say [dict get $options -errorinfo]}
    expr {"$kind $detail" in {{TACTUS USAGE} {TACTUS PLUGIN}} ? $usageStatus : 2}
}

proc ::tactus::cli::main {words} {
    variable hasErrors
    variable status
    setChannels
    try {
        run $words
        flush stdout
        return [expr {$status eq {} ? $hasErrors : $status}]
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
