# cli/relay.tcl -- tactus relay: collects sensors of programs, and stores or sends them, as a configuration says.
#
#   configuration -> tactus::relay -> storages; what is told, progress and a summary on stderr

::tactus::need cli/terminal cli/duration cli/columns cli/amount

namespace eval ::tactus::cli::relay {
    namespace path ::tactus::cli
    variable heads {storage kind packets bytes elements lost}
}

proc ::tactus::cli::runRelay {operands options} {
    if {[llength $operands]} {usageError relay "unknown operand \"[lindex $operands 0]\": give --config FILE"}
    if {![dict exists $options -config]} {usageError relay "a configuration is needed: --config FILE"}
    set how [list -check [option $options -check 0] -said ::tactus::cli::relay::told \
        {*}[among $options {{name -timelimit}}]]
    if {[dict exists $options -for]} {lappend how -for [expr {[milliseconds relay -for $options] / 1000.0}]}
    if {[isTerminal stderr] && ![option $options -quiet 0]} {lappend how -look ::tactus::cli::relay::progress}
    try {
        set counts [::tactus::relay [dict get $options -config] {*}$how]
    } finally {
        clearProgress
    }
    if {$counts eq {}} return
    if {![option $options -quiet 0]} {relay::summary $counts}
    setStatus [relay::problems $counts]
}

proc ::tactus::cli::relay::told {text} {
    say "tactus: [visibleLine $text]"
}

# What has come from programs and from the network.
proc ::tactus::cli::relay::amount {counts} {
    dict with counts {}
    set text "[counted $elements element] of [counted $sources source]"
    if {$received} {append text ", [counted $received packet] received"}
    return $text
}

proc ::tactus::cli::relay::progress {counts} {
    set ::tactus::cli::progressShown 1
    set bytes [::tcl::mathop::+ {*}[lmap storage [dict get $counts storages] {dict get $storage bytes}]]
    puts -nonewline stderr "\r\x1b\[K[amount $counts], [digits [dict get $counts lost]] lost, [size $bytes]"
    flush stderr
}

# A row for each storage, below what has come.
proc ::tactus::cli::relay::summary {counts} {
    variable heads
    say "tactus: [amount $counts]"
    printColumns $heads [lmap storage [dict get $counts storages] {dict values $storage}] {storage kind}
}

# Says what was lost before it was stored. 1: no storage took it.
proc ::tactus::cli::relay::problems {counts} {
    dict with counts {}
    if {$overwritten} {
        say "tactus: warning: [counted $overwritten "element was" "elements were"] overwritten before they could be\
            read: rings for more elements, or a shorter period, would keep them"
    }
    warnKernelLost $counts
    if {$damaged} {say "tactus: warning: [counted $damaged byte] received belong to no packet"}
    if {$lost} {
        say "tactus: warning: [counted $lost "element was" "elements were"] lost: no storage took them,\
            or memory lacked"
    }
    expr {$lost > 0}
}
