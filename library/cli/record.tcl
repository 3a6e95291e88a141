# cli/record.tcl -- tactus record: runs a program and records its sensors, and the kernel beneath it, in one file.
#
#   options, command -> tactus::recorder -> the file; progress and a summary on stderr
#
# The recording ends with the command. It is asked to end by Ctrl+C and other signals, and by --for; where it does not,
# the recording ends without it. The exit status is the command's.

::tactus::need cli/terminal cli/duration cli/amount

namespace eval ::tactus::cli::record {
    namespace path ::tactus::cli
    variable failure 125        ;# exit status where there is no recording, as of other programs that run one
    variable notFound 127       ;# the command was not found
    variable notRun 126         ;# it cannot be run
    variable period 250         ;# milliseconds between two looks at how it goes
    variable patience 5000      ;# milliseconds that a command has to end when it is asked to
}

# The file is opened first, then the kernel, then the command is run: what goes wrong does so before it begins.
proc ::tactus::cli::runRecord {operands options} {
    set file [option $options -output [record::fileOf $operands]]
    if {![llength $operands] && [dict exists $options -user]} {usageError record "--user needs a command"}
    if {[llength $operands] && ![record::isThere [lindex $operands 0]]} {
        say "tactus: there is no command \"[visibleLine [lindex $operands 0]]\""
        return [setStatus $record::notFound]
    }
    set recorder [::tactus::recorder {*}[record::how $operands $options $file]]
    try {
        set until [record::endOf $options]
        if {[llength $operands]} {$recorder run $operands}
        set status [record::await $recorder [llength $operands] $until $options]
        $recorder stop
        set counts [record::counts $recorder [llength $operands]]
        record::remark $recorder
        record::summary $counts $file $options
    } trap {TACTUS FILE RUN} message {
        say "tactus: $message"
        if {[file isfile $file] && ![file size $file]} {file delete $file}
        return [setStatus $record::notRun]
    } finally {
        clearProgress
        $recorder close
    }
    if {[dict get $counts problem] ne {} && !$status} {set status $record::failure}
    if {[option $options -open 0]} {record::show $file}
    setStatus $status
}

# The name of a recording that is given none: that of the command.
proc ::tactus::cli::record::fileOf {operands} {
    if {![llength $operands]} {return record.tacs}
    return [file rootname [file tail [lindex $operands 0]]].tacs
}

# Is there a program of this name? It is looked for before an older recording is overwritten.
proc ::tactus::cli::record::isThere {name} {
    if {[string first / $name] >= 0} {return [file exists [file join [pwd] $name]]}
    foreach folder [split [expr {[info exists ::env(PATH)] ? $::env(PATH) : "/bin:/usr/bin"}] :] {
        if {[file exists [file join [pwd] $folder $name]]} {return 1}
    }
    return 0
}

# The options of tactus::recorder.
proc ::tactus::cli::record::how {operands options file} {
    set how [list -catch yes -output $file {*}[among $options {{name -user}}]]
    if {[dict exists $options -kernel]} {
        lappend how -kernel yes -events [dict get $options -kernel]
    } elseif {![option $options -sensors 1]} {
        usageError record "nothing is to be recorded: --sensors=no is for recordings with --kernel"
    }
    if {![option $options -sensors 1]} {return $how}
    if {[llength $operands]} {return [list {*}$how -own yes]}
    list {*}$how -new yes -running yes -folders [list [::tactus::recordFolder]]
}

# ---- while it records ------------------------------------------------------------------------------------------------

# When the recording is to end, in milliseconds of the clock; {}: not before the command does.
proc ::tactus::cli::record::endOf {options} {
    if {![dict exists $options -for]} return
    expr {[clock milliseconds] + [milliseconds record -for $options]}
}

# Waits for the end of the command, or for what ends the recording before: a signal, or the time `until` ({}: none). It
# then asks the command to end, and goes on without it when that takes too long, or at the next signal.
proc ::tactus::cli::record::await {recorder runs until options} {
    variable patience
    variable failure
    set asked {}    ;# why the command was asked to end: the name of a signal, or time
    set told 0
    set shown [expr {[isTerminal stderr] && ![option $options -quiet 0]}]
    set begin [clock milliseconds]
    while 1 {
        set event [$recorder wait [slice $until]]
        remark $recorder
        switch [lindex $event 0] {
            {} {
                if {$asked ne {} && !$told} {
                    say "tactus: waiting for the command to end; another signal ends the recording without it"
                    set told 1
                }
            }
            exited {return [lindex $event 1]}
            signaled {
                lassign $event kind number name
                if {$asked eq "time" && $name eq "SIGTERM"} {return 0}
                say "tactus: the command was ended by $name"
                return [expr {128 + $number}]
            }
            lost {
                tellLost $event
                return $failure
            }
            interrupted {
                lassign $event kind number name typed
                if {!$runs} {return 0}
                if {$asked ne {}} {return [leave [expr {128 + $number}]]}
                if {!$typed} {$recorder signal $name}
                set asked $name
                set until [expr {$name eq "SIGINT" ? {} : [clock milliseconds] + $patience}]
            }
        }
        if {$until ne {} && [clock milliseconds] >= $until} {
            if {!$runs} {return 0}
            if {$asked ne {}} {return [leave [expr {$asked eq "time" ? 0 : 143}]]}
            $recorder signal SIGTERM
            set asked time
            set until [expr {[clock milliseconds] + $patience}]
        }
        if {$shown} {progress [counts $recorder $runs] [expr {([clock milliseconds] - $begin) / 1000}]}
    }
}

proc ::tactus::cli::record::leave {status} {
    say "tactus: the command goes on, the recording has ended"
    return $status
}

# Milliseconds to wait for the next event.
proc ::tactus::cli::record::slice {until} {
    variable period
    if {$until eq {}} {return $period}
    expr {max(0, min($period, $until - [clock milliseconds]))}
}

proc ::tactus::cli::record::remark {recorder} {
    foreach text [$recorder remarks] {say "tactus: warning: [visibleLine $text]"}
}

# ---- what is told ----------------------------------------------------------------------------------------------------

# The recorder's counts. Of a command that it runs, what was overwritten before the first look is lost as well.
proc ::tactus::cli::record::counts {recorder runs} {
    set counts [$recorder counts]
    if {$runs} {dict incr counts lost [dict get $counts before]}
    return $counts
}

proc ::tactus::cli::record::amount {counts} {
    dict with counts {}
    set parts [list [counted $elements event] "[digits [expr {$lost + $kernelLost}]] lost" [size $bytes]]
    join $parts {, }
}

proc ::tactus::cli::record::progress {counts seconds} {
    set ::tactus::cli::progressShown 1
    puts -nonewline stderr "\r\x1b\[K$seconds s: [amount $counts]"
    flush stderr
}

# What was recorded; problems are told in any case.
proc ::tactus::cli::record::summary {counts file options} {
    dict with counts {}
    if {![option $options -quiet 0]} {
        say "tactus: [visibleLine $file]: [amount $counts]; [counted $sensors sensor] of [counted $sources source]"
        if {!$sensors && [option $options -sensors 1]} {
            say "tactus: note: no program has shown sensors, as by tacrec_openDefault (libtactusrec(3))"
        }
    }
    if {$lost} {
        say "tactus: warning: [counted $lost {event was} {events were}] overwritten before they could be read: larger\
            rings would keep them (TACTUS_RECORD_BYTES=[expr {256 << 20}], libtactusrec(3))"
    }
    warnKernelLost $counts
    if {$problem ne {}} {
        set amount [expr {$refused ? [counted $refused event] : "a part"}]
        say "tactus: error: $amount could not be written to [visibleLine $file]: $problem"
    }
}

# Opens the window.
proc ::tactus::cli::record::show {file} {
    ::tactus::need plugin/plugin plugin/check cli/compat
    ::tactus::cli::compat::run [list -- $file]
}
