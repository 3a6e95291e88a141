# cli/duration.tcl -- lengths of time among the options of subcommands that record: 10s, 500ms, 2min.

namespace eval ::tactus::cli {}

# The whole milliseconds of an option. Without a unit these are seconds.
proc ::tactus::cli::milliseconds {command name options} {
    set value [dict get $options $name]
    if {[regexp {^\s*(\d+\.?\d*|\.\d+)\s*(ms|s|min|h|)\s*$} $value -> number unit]} {
        scan $number %lf number
        set result [expr {$number * [dict get {ms 1 s 1000 {} 1000 min 60000 h 3600000} $unit]}]
        if {$result < 2e12} {return [expr {int(ceil($result))}]}
    }
    usageError $command "bad value \"$value\" of -$name: must be a time like 10s, 500ms or 2min"
}
