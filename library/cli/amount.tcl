# cli/amount.tcl -- amounts in sentences: counts, bytes.

namespace eval ::tactus::cli {}

# A count with a blank before each three digits.
proc ::tactus::cli::digits {n} {
    while {[regsub {^(\d+)(\d{3})} $n {\1 \2} n]} {}
    return $n
}

proc ::tactus::cli::counted {n one {more {}}} {
    if {$more eq {}} {set more ${one}s}
    return "[digits $n] [expr {$n == 1 ? $one : $more}]"
}

# Warns of what the kernel has lost, as counts of a recorder or a relay say.
proc ::tactus::cli::warnKernelLost {counts} {
    dict with counts {}
    if {!$kernelLost && !$kernelUnknown} return
    say "tactus: warning: the kernel has lost [counted $kernelLost event][expr {
        $kernelUnknown ? ", and more in [counted $kernelUnknown place]" : {}}]"
}

proc ::tactus::cli::size {bytes} {
    foreach {unit factor} {GB 1e9 MB 1e6 kB 1e3} {
        if {$bytes >= $factor} {return "[::tactus::format %.1f [expr {$bytes / $factor}]] $unit"}
    }
    counted $bytes byte
}
