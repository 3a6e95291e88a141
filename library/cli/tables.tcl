# cli/tables.tcl -- tactus stats, sync and dump: tables that the core writes.

namespace eval ::tactus::cli {}

proc ::tactus::cli::runStats {operands options} {
    withTrace stats $operands $options trace {
        $trace stats [option $options -of jobs] {*}[among $options [list {*}[windowRows] [whereRow {}]]] \
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
