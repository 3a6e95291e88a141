# cli/learn.tcl -- tactus learn: what recordings say of what is to be expected, as files of expectations.
#
#   --stream   traces, events -> tactus::expectation learn -> comments, from how much each parameter comes, and a line
#              `stream ...`
#   --expect   a file with limits that are to be found -> the same file with numbers: cli/learnFile.tcl
#   --task     a model of a task: cli/learnTask.tcl

::tactus::need cli/folder cli/learnFile cli/learnTask

namespace eval ::tactus::cli::learn {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runLearn {operands options} {
    if {![llength $operands]} {usageError learn "a trace is needed, \"-\" for standard input"}
    set ways [lmap name {-stream -expect -task} {if {![dict exists $options $name]} continue; set name}]
    if {[llength $ways] != 1} {
        usageError learn "what is to be learned? One of --task TASK, --expect FILE, --stream EVENT is needed"
    }
    set operands [tracesOf $operands $options]
    foreach file $operands {
        if {[file isdirectory $file]} {failEmpty $file}
    }
    if {$ways eq "-expect"} {return [learn::fillFile $operands $options]}
    set text [expr {$ways eq "-task" ? [learn::tasks $operands $options] : "[learn::streams $operands $options]\n"}]
    learn::put $options [encoding convertto utf-8 $text]
}

# Learns streams: all traces are open at once, since they have one period in common.
proc ::tactus::cli::learn::streams {operands options} {
    set traces {}
    try {
        foreach file $operands {lappend traces [openWhole $file $options]}
        set texts [lmap event [dict get $options -stream] {
            text $event [llength $traces] [::tactus::expectation learn $event {*}$traces]
        }]
    } finally {
        foreach trace $traces {$trace close}
    }
    join $texts \n\n
}

# The lines about an event.
proc ::tactus::cli::learn::text {event traces learned} {
    dict with learned {}
    set in "in [count $traces trace]"
    if {!$events} {
        return -code error -errorcode {TACTUS LEARN NONE} "there is no event {$event} $in: nothing can be learned"
    }
    set words {}
    set lines [list "# [count $events event] $in[expr {$without ? ", none in $without of them" : {}}]"]
    if {$distance ne {}} {
        lappend words -distance $distance
        lappend lines "# -distance: the least of [count $distances distance]"
    }
    lappend words -gap $gap
    lappend lines "# -gap: the largest of [count $distances distance], and of [count $ends time] from the begin or to\
        the end of a recording"
    if {$period ne {}} {
        lappend words -period $period -jitter $jitter
        lappend lines "# -period: the one with the least jitter, of [count $periodic event] in $series series"
    }
    if {$unknown} {
        lappend lines "# [count $unknown time] across an unknown state of a processor: events may be missing there"
    }
    join [lappend lines "stream [list $event] $words"] \n
}

proc ::tactus::cli::learn::count {n word} {
    return "$n $word[expr {$n == 1 ? {} : "s"}]"
}
