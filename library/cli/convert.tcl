# cli/convert.tcl -- tactus convert and cut: a trace in any format that is read, or a part of it, written in the trace
# language (tactus_trace(5)).
#
#   file -> trace -> the part that is wanted -> tactus::save: a file that replaces the old one when it is complete
#
# The part: whole jobs that have anything within --from .. --to, of the tasks that --threads or --rows name, and what
# makes the budgets and contents at its begin. Its jobs have the states and times that they have in the whole trace; the
# time of processors is that of the tasks in the part.

namespace eval ::tactus::cli::convert {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runConvert {operands options} {
    set part [among $options [windowRows]]
    if {[dict exists $options -threads]} {lappend part -tasks [dict get $options -threads]}
    convert::run convert $operands $options $part
}

# A part of a trace: the same, with rows of any kind.
proc ::tactus::cli::runCut {operands options} {
    set part [among $options [windowRows]]
    if {[dict exists $options -rows]} {lappend part -rows [dict get $options -rows]}
    if {[option $options -from -Inf] > [option $options -to Inf]} {usageError cut "--from is after --to"}
    if {![llength $part]} {usageError cut "a part is needed: --from, --to or --rows"}
    convert::run cut $operands $options $part
}

# Writes a part of the trace that the first operand names to the second.
proc ::tactus::cli::convert::run {command operands options part} {
    if {[llength $operands] != 2} {
        usageError $command "a trace and the file to write are needed; \"-\": standard output"
    }
    lassign $operands file output
    if {$output ne "-" && [same $file $output]} {
        usageError $command "the trace and the file to write are the same"
    }
    set trace [openTrace $file $options]
    try {
        write $trace $output [list {*}$part -whole 1]
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
