# cli/cli.tcl -- the program's subcommands (tactus(1)).
#
#   tactus SUBCOMMAND ... TRACE ...     each has a row of `files` here and one of `commands` (cli/options.tcl); the
#                                       procedure run..., in its file, runs it
#   tactus ... TRACE ...                the window, and the published player's manner: cli/compat.tcl
#
# Results go to stdout, everything else to stderr. Exit status: 0 clean, or notes and warnings only; 1 the trace has
# errors, and its readable part was used; 2 wrong usage, unreadable trace, unwritable output. `check` has its own.

namespace eval ::tactus::cli {
    variable hasErrors 0        ;# was an error of a trace seen?
    variable status {}          ;# the exit status, where a command has set one
    variable usageStatus 2      ;# exit status of wrong usage
    # files of the library that a subcommand needs
    variable files {
        info cli/info  stats cli/tables  sync cli/tables  dump cli/tables  convert cli/convert  map cli/map  why cli/why
        cut cli/convert  export cli/export  views cli/views  learn cli/learn  instances cli/instances
        models cli/models  plan cli/plan  record cli/record  sensors cli/sensors  tail cli/sensors
        relay cli/relay  sandbox-check cli/walls
        compare cli/compare  baseline cli/compare
        sql {plugin/plugin plugin/check plugin/expect cli/check cli/sql}
        monitor {plugin/plugin plugin/check plugin/expect cli/check cli/monitor}
        live {plugin/plugin plugin/check plugin/expect cli/compat cli/live}
        check {plugin/plugin plugin/check plugin/expect cli/check}
    }
}

::tactus::need outlier cli/options cli/plugins cli/map cli/terminal

# ---- opening and diagnostics -----------------------------------------------------------------------------------------

# The largest number of decimals that a time among the options has.
proc ::tactus::cli::decimals {options} {
    set most 0
    foreach name {-from -to -at -buffers-at} {
        if {![dict exists $options $name] || ![regexp {^[^.eE]*(?:\.(\d*))?(?:[eE]([-+]?\d+))?$} \
                [dict get $options $name] -> fraction exponent]} {
            continue
        }
        if {[scan $exponent %d exponent] != 1} {set exponent 0}
        set most [expr {max($most, [string length [string trimright $fraction 0]] - $exponent)}]
    }
    return [expr {min($most, 19)}]
}

# The options with which a recording keeps the events that the statements of models name.
proc ::tactus::cli::keeping {options statements} {
    set names [::tactus::expectation events $statements]
    if {[llength $names]} {dict append options -keep " [::tactus::nameList $names]"}
    return $options
}

# Opens a trace with the options of opening among those given, and prints its diagnostics. What is expected of it
# (-expect) says what its recording keeps.
proc ::tactus::cli::openTrace {file options args} {
    set options [keeping $options [concat {*}[option $args -expect {}]]]
    set arguments [list {*}[opening $options $file] -decimals [decimals $options] {*}$args]
    if {[isTerminal stderr]} {
        lappend arguments -progress [list ::tactus::cli::showProgress $file]
    } elseif {[mayWait $file]} {
        lappend arguments -progress [list ::tactus::cli::sayWaiting $file [clock milliseconds]]
    }
    set open [expr {[info commands ::tactus::plugin::open] eq {} ? "::tactus::open" : "::tactus::plugin::open"}]
    try {
        set trace [$open $file {*}$arguments]
    } finally {
        clearProgress
    }
    report $file [$trace diagnostics]
    sayDecimals $file $trace [decimals $options]
    return $trace
}

# Opens a trace of which all is measured.
proc ::tactus::cli::openWhole {file options args} {
    set trace [openTrace $file $options {*}$args]
    sayOutlier $file $trace $options
    return $trace
}

# Is it a pipe or a device, which may have nothing to read for long?
proc ::tactus::cli::mayWait {file} {
    expr {$file ne "-" && ![catch {file type [file normalize $file]} type] && ![file isfile $file]
        && ![file isdirectory $file]}
}

# Says once, after half a second, that nothing has come yet.
proc ::tactus::cli::sayWaiting {file begun how} {
    variable waitingFor
    if {[dict get $how done] || [clock milliseconds] - $begun < 500} return
    if {[info exists waitingFor] && $waitingFor eq $file} return
    set waitingFor $file
    say [waitingText $file]
}

proc ::tactus::cli::waitingText {file} {
    visibleLine "tactus: waiting for $file, a [expr {[file type $file] eq "fifo" ? "pipe" : "device"}] from which\
        nothing comes yet (Ctrl+C ends)"
}

# Opens one of several traces. One that cannot be read is told, and makes the exit status 2: {}.
proc ::tactus::cli::openOne {file options args} {
    try {
        if {[file isdirectory $file]} {failEmpty $file}
        return [openTrace $file $options {*}$args]
    } on error {message errorOptions} {
        if {[lindex [dict get $errorOptions -errorcode] 0] ni {TACTUS POSIX}} {return -options $errorOptions $message}
        say [visibleLine "tactus: $message"]
        setStatus 2
        return
    }
}

# What --expect-set sets: {name value ...}.
proc ::tactus::cli::expectSettings {command options} {
    set settings {}
    foreach word [option $options -expect-set {}] {
        if {![regexp {^([^=]+)=(.*)$} $word -> name value]} {
            usageError $command "bad value \"$word\" of --expect-set: must be NAME=VALUE"
        }
        lappend settings $name $value
    }
    return $settings
}

# Limits of script code in a file of expectations: those of the trace.
proc ::tactus::cli::scriptLimits {options} {
    among $options {{name -timelimit} {name -commandlimit} {name -memorylimit}}
}

# Says that times of the options are rounded, where 64 bits have no room for their decimals.
proc ::tactus::cli::sayDecimals {file trace wanted} {
    if {!$wanted} return
    set has [dict get [$trace info] decimals]
    if {$has >= $wanted} return
    say [visibleLine "$file: note: 64 bits have room for $has decimals beside the times of the trace: finer times of\
        options are moved to such ones"]
}

proc ::tactus::cli::report {file remarks} {
    variable hasErrors
    foreach remark $remarks {
        dict with remark {
            set place [if {$line} {string cat "$file:$line"} else {string cat $file}]
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

# Tells of events that lie far from all others, beside which these are a point, unless a range is given. way: options
# that show the others, with FROM and TO.
proc ::tactus::cli::sayOutlier {file trace options {way {}}} {
    if {[dict exists $options -from] || [dict exists $options -to]} return
    set found [::tactus::outlier::find $trace]
    if {$found eq {}} return
    set way [string map [list FROM [lindex $found 0] TO [lindex $found 1]] $way]
    say [visibleLine "$file: note: [::tactus::outlier::sentence $found]$way"]
}

proc ::tactus::cli::pair {name value} {
    format "%-12s  %s" $name $value
}

# ---- running ---------------------------------------------------------------------------------------------------------

proc ::tactus::cli::runCommand {command words} {
    variable files
    variable running $command
    variable usageStatus [expr {$command in {check compare} ? 3 : $command eq "record" ? 125 : 2}]
    ::tactus::need {*}[dict get $files $command]
    set ::tactus::keepsPlaces [expr {$command in {check stats why compare sql}}]
    variable views
    variable leftOut [expr {$command in {check sql monitor} ? $views : {}}]
    usePlugins $words [expr {$command in {check live monitor views}
        || ($command eq "sql" && [mayReadFindings $words])
        || ($command eq "export" && [namedView $words] ne {})}]
    if {$command eq "export"} {chooseView $words}
    lassign [parse $command [rowsOf $command] $words] options operands
    givePlugins $options
    if {[dict exists $options -help]} {return [helpOf $command]}
    ::tactus::csvSafe [option $options -csv-safe 0]
    run[string totitle $command] $operands $options
}

# tactus help, tactus help COMMAND, tactus help export --view NAME
proc ::tactus::cli::runHelp {words} {
    set command [lindex $words 0]
    if {[dict exists [commands] $command]} {return [runCommand $command [list {*}[lrange $words 1 end] --help]]}
    usePlugins $words 1
    help
}

proc ::tactus::cli::setStatus {value} {
    variable status $value
}

proc ::tactus::cli::run {words} {
    set first [lindex $words 0]
    if {[dict exists [commands] $first]} {return [runCommand $first [lrange $words 1 end]]}
    switch -- $first {
        -version - --version - version {return [puts "tactus [::tactus::version]"]}
        -h - -help - --help - help {return [runHelp [lrange $words 1 end]]}
    }
    ::tactus::need plugin/plugin plugin/check cli/compat
    usePlugins $words 1
    compat::run $words
}

# Has the reader of standard output ended (| head)? That is no error.
proc ::tactus::cli::isBrokenPipe {message options} {
    expr {[lrange [dict get $options -errorcode] 0 1] eq {POSIX EPIPE} || [string match "*Broken pipe*" $message]}
}

# How root reads the kernel's events, and the programs go on as their user: what is said behind the missing permission.
proc ::tactus::cli::asRoot {} {
    variable running
    if {$running eq "record"} {
        return "sudo tactus record --kernel --user \"\$USER\" ... -- COMMAND ...\
            runs the command as yourself all the same"
    }
    return "sudo tactus $running --kernel --trusted ... [::tactus::recordFolder] sees the programs of this user"
}

# Prints an error, and returns the exit status; an error of the program itself is printed with its stack trace.
proc ::tactus::cli::failed {message options} {
    variable usageStatus
    if {[dict get $options -errorcode] eq {TACTUS RECORD KERNEL PERMISSION}} {append message ": [asRoot]"}
    say "tactus: $message"
    lassign [dict get $options -errorcode] kind detail what
    if {$kind ni {TACTUS POSIX} && "$detail $what" ne "LOOKUP INDEX"} {say [dict get $options -errorinfo] 20000}
    expr {$usageStatus == 125 || "$kind $detail" in {{TACTUS USAGE} {TACTUS PLUGIN}} ? $usageStatus : 2}
}

proc ::tactus::cli::main {words} {
    variable hasErrors
    variable status
    setChannels
    try {
        run $words
        flush stdout
    } on error {message options} {
        if {![isBrokenPipe $message $options]} {return [failed $message $options]}
    }
    expr {$status eq {} ? $hasErrors : $status}
}

# The words of the command line as UTF-8, also in the C locale. Where one is no UTF-8, such as the name of a file from
# long ago, characters stand for bytes in all names of files, so that each means the file that was named.
proc ::tactus::cli::arguments {words} {
    if {![regexp {[^\x01-\x7f]} $words]} {
        encoding system utf-8
        return $words
    }
    set raw [rawArguments $words]
    set text [lmap word $raw {encoding convertfrom utf-8 $word}]
    if {[lmap word $text {encoding convertto utf-8 $word}] eq $raw} {
        encoding system utf-8
        return $text
    }
    namesAreBytes
    return $raw
}

# The bytes of the words.
proc ::tactus::cli::rawArguments {words} {
    try {
        set channel [open /proc/self/cmdline rb]
        try {set bytes [split [string range [read $channel] 0 end-1] \0]} finally {close $channel}
        return [lrange $bytes end-[expr {[llength $words] - 1}] end]
    } on error {} {
        return [lmap word $words {encoding convertto [encoding system] $word}]
    }
}

# What Tcl has read as text so far becomes bytes, too: the environment, the current directory and the library's.
proc ::tactus::cli::namesAreBytes {} {
    set system [encoding system]
    encoding system iso8859-1
    foreach variable [list {*}[lmap name [array names ::env] {string cat ::env( $name )}] ::tactus::library] {
        set value [set $variable]
        if {[regexp {[^\x01-\x7f]} $value]} {set $variable [encoding convertto $system $value]}
    }
    cd .
}
