# cli/tables.tcl -- tactus stats, sync and dump: tables that the core writes, and statistics of many traces
# (cli/many.tcl).

::tactus::need cli/folder cli/many cli/unseen

namespace eval ::tactus::cli {}

proc ::tactus::cli::runStats {operands options} {
    if {![llength $operands]} {usageError stats "a trace is needed, \"-\" for standard input"}
    set several [expr {[llength $operands] > 1 || [file isdirectory [lindex $operands 0]]}]
    set named [many::naming [option $options -where {}] {}]
    if {$several || [llength $named] || ([many::isAsked $options] && ![many::isPlain $options])} {
        return [manyStats $operands $options $several]
    }
    if {[many::isAsked $options]} {return [tasksStats $operands $options]}
    withTrace stats $operands $options trace {
        sayFar [lindex $operands 0] $trace $options
        $trace stats [option $options -of jobs] {*}[among $options [list {*}[windowRows] [whereRow {}]]] \
            -format [option $options -format table] -channel stdout
    }
}

# Statistics of a trace, of the tasks of --task.
proc ::tactus::cli::tasksStats {operands options} {
    set run [many::begin stats $options [option $options -of jobs] 0]
    unseen::begin $options
    withTrace stats $operands $options trace {
        sayFar [lindex $operands 0] $trace $options
        many::plain run $trace
        unseen::see $trace
    }
    if {[unseen::tell]} {setStatus 2}
}

# One event far away changes shares and means of the whole. A range that is given holds for all traces.
proc ::tactus::cli::sayFar {file trace options {several 0}} {
    sayOutlier $file $trace $options [expr {$several ? {} : "; --from FROM --to TO measures these"}]
}

# Statistics of the traces, those of folders too. One that cannot be read is told, and the others are measured.
proc ::tactus::cli::manyStats {operands options several} {
    set run [many::begin stats $options [option $options -of jobs] $several]
    unseen::begin $options
    foreach file [tracesOf $operands $options] {
        if {[many::isFull $run]} {
            unseen::begin {}
            break
        }
        set trace [openOne $file $options]
        if {$trace eq {}} continue
        sayFar $file $trace $options $several
        try {
            many::add run $file $trace
            unseen::see $trace
        } finally {
            $trace close
        }
    }
    many::end run
    if {[unseen::tell]} {setStatus 2}
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
