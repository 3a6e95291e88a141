# cli/convert.tcl -- tactus convert: a trace in any format that is read, written in the trace language
# (tactus_trace(5)).
#
#   file -> trace -> the part that is wanted -> tactus::save: a file that replaces the old one when it is complete
#
# The part: whole jobs that have anything within --from .. --to, of the tasks that --threads names. Its jobs have the
# states and times that they have in the whole trace; the time of processors is that of the tasks in the part.

namespace eval ::tactus::cli::convert {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runConvert {operands options} {
    if {[llength $operands] != 2} {
        usageError convert "a trace and the file to write are needed; \"-\": standard output"
    }
    lassign $operands file output
    if {$output ne "-" && [convert::same $file $output]} {
        usageError convert "the trace and the file to write are the same"
    }
    set part [among $options [windowRows]]
    if {[dict exists $options -threads]} {lappend part -tasks [dict get $options -threads]}
    set trace [openTrace $file $options]
    try {
        convert::write $trace $output [list {*}$part -whole 1]
    } finally {
        $trace close
    }
}

proc ::tactus::cli::convert::same {file output} {
    if {$file eq "-" || ![file exists $output]} {return 0}
    if {[file normalize $file] eq [file normalize $output]} {return 1}
    file stat $file first
    file stat $output second
    expr {$first(dev) == $second(dev) && $first(ino) == $second(ino) && $first(ino) != 0}
}

proc ::tactus::cli::convert::write {trace output part} {
    if {$output eq "-"} {return [$trace dump {*}$part -channel stdout]}
    ::tactus::save $output channel {$trace dump {*}$part -channel $channel}
}
