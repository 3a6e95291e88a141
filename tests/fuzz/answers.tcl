# answers.tcl -- asks everything of a file, as fuzzAnswers and fuzz.test do: opens it in whatever format it is, and asks
# for each table, check, reason and figure. An answer may be an error of Tactus, but no other one.

namespace eval ::fuzz {
    variable limits {
        -inprocess yes -timelimit 0.05 -commandlimit 2000 -eventlimit 2000 -memorylimit 268435456
    }
    variable answered 0
}

# The result of a command, {} if it is an error of Tactus; any other error is one of this program.
proc ::fuzz::answer {args} {
    variable answered
    if {![catch $args result options]} {
        incr answered
        return $result
    }
    set code [dict get $options -errorcode]
    if {[lindex $code 0] ne "TACTUS"} {error "[lrange $args 0 2]: $result ($code)"}
}

# Asks everything of an open trace. Figures are written as `folder/figure.FORMAT`.
proc ::fuzz::ask {trace folder} {
    set info [answer $trace info]
    foreach what {changed diagnostics dump replay sync events {finding list} {finding groups}} {
        answer $trace {*}$what
    }
    foreach table {jobs tasks servers mutexes processors buffers} {answer $trace stats $table}
    foreach rule {affinity budget deadline execution mutex priority sanity unknown} {answer $trace audit $rule}
    foreach kind {
        events jobs tasks servers mutexes processors buffers slices holds marks pairs messages diagnostics findings
    } {
        set relation [answer $trace relation $kind]
        if {$relation eq {}} continue
        foreach column [answer $relation columns] {
            answer $relation sort [dict get $column name]
            answer $relation statistics [dict get $column name]
            answer $relation histogram [dict get $column name] {0 100 7}
        }
        answer $relation rows 0 20
        $relation close
    }
    foreach job [lrange [answer $trace jobs] 0 5] {answer $trace why [dict get $job job]}
    answer $trace sql {select count(*), min(release), max(completion), sum(response) from jobs}
    answer $trace sql {select state, count(*), sum(length) from slices group by state}
    answer $trace density 50
    foreach {option value} {-convention grasp -convention rtsched -group-by processor -color-by state} {
        answer $trace export [file join $folder figure.svg] -width 200 $option $value
    }
    foreach format {tex pdf png ps} {answer $trace export [file join $folder figure.$format] -width 120 -empty-rows yes}
    if {[dict exists $info begin]} {
        # Its first third, and more than all of it.
        set begin [dict get $info begin]
        set end [dict get $info end]
        answer $trace export [file join $folder figure.svg] -from $begin -to [expr {(2.0 * $begin + $end) / 3}]
        answer $trace stats tasks -from $begin -to [expr {(2.0 * $begin + $end) / 3}]
        answer $trace state [expr {($begin + $end) / 2.0}]
    }
}

proc ::fuzz::open {path folder} {
    variable limits
    set trace [answer tactus::open $path {*}$limits]
    if {$trace eq {}} return
    try {ask $trace $folder} finally {$trace close}
}
