# bench.tcl -- measures the budgets on a large trace and writes the table of doc/performance.md (make bench).
#
# Environment: BENCH_EVENTS (10000000), TACTUS_BUILD (where tactus, bench/gentrace and bench/scanlimit are), BENCH_RUNS (3).
#
# Times are CPU times (user + system) of whole processes, medians of BENCH_RUNS. What decides between pass and fail, and so
# the exit status, are ratios within this run and sizes; bare times depend on the machine and are only shown next to
# their budget.

namespace eval ::bench {
    variable root [file dirname [file dirname [file dirname [file normalize [info script]]]]]
    variable build [file normalize $::env(TACTUS_BUILD)]
    variable events [expr {[info exists ::env(BENCH_EVENTS)] ? $::env(BENCH_EVENTS) : 10000000}]
    variable runs [expr {[info exists ::env(BENCH_RUNS)] ? $::env(BENCH_RUNS) : 3}]
    variable rows {}	;# lists: what, budget, figure, verdict
    variable failed 0
    variable begin "<!-- begin of make bench -->"
    variable end "<!-- end of make bench -->"
}

# ---- measuring ---------------------------------------------------------------------------------------------------------

# CPU seconds of a command, user and system, with all its children.
proc ::bench::cpu {args} {
    lassign [exec bash -c {TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1} bash {*}$args 2>@1] user system
    expr {$user + $system}
}

proc ::bench::wall {args} {
    set from [clock microseconds]
    exec {*}$args
    expr {([clock microseconds] - $from) / 1e6}
}

proc ::bench::median {values} {
    lindex [lsort -real $values] [expr {[llength $values] / 2}]
}

# Adds a row. decides: does this row's verdict count for the exit status?
proc ::bench::row {what budget figure good decides} {
    variable rows
    variable failed
    set verdict [expr {$good ? "within" : "OVER"}]
    if {!$good && $decides} {incr failed}
    lappend rows [list $what $budget $figure $verdict]
    puts [format "%-44s %-20s %-40s %s" $what $budget $figure $verdict]
}

# ---- the budgets -------------------------------------------------------------------------------------------------------

proc ::bench::opening {trace} {
    variable build
    variable runs
    for {set i 0} {$i < $runs} {incr i} {
	lappend floor [cpu [file join $build bench scanlimit] $trace]
	lappend open [cpu [file join $build tactus] info $trace]
    }
    set ratio [expr {[median $open] / [median $floor]}]
    row "open: \[tactus info\], CPU time" "≤ 2 × scanlimit" \
	[format "%.2f × (%.2f s to %.2f s)" $ratio [median $open] [median $floor]] [expr {$ratio <= 2}] 1
}

proc ::bench::opened {trace pdf} {
    variable root
    variable build
    variable events
    variable runs
    set samples {}
    for {set i 0} {$i < $runs} {incr i} {
	dict for {key value} [exec [info nameofexecutable] [file join $root tests bench opened.tcl] $build $trace $pdf] {
	    dict lappend samples $key $value
	}
    }
    dict for {key values} $samples {set $key [median $values]}
    set bytes [expr {double($rss) / $events}]
    row "memory after opening" "≤ 64 bytes an event" [format "%.1f bytes an event" $bytes] [expr {$bytes <= 64}] 1
    set most [expr {double($peak) / $events}]
    row "most memory while opening, file pages included" "–" [format "%.1f bytes an event" $most] 1 0
    row "PDF of the whole trace, after opening" "≤ 1 s" [format "%.2f s" $pdfSeconds] [expr {$pdfSeconds <= 1}] 0
    row "its size" "≤ 1 MB" [format "%.0f kB" [expr {$pdfSize / 1000.0}]] [expr {$pdfSize <= 1000000}] 1
}

proc ::bench::start {pdf} {
    variable root
    variable build
    set demo [file join $root demos preemption.tactus]
    for {set i 0} {$i < 7} {incr i} {lappend seconds [wall [file join $build tactus] export $demo $pdf]}
    row "start to the figure of a small trace" "≤ 0.3 s" [format "%.2f s" [median $seconds]] [expr {[median $seconds] <= 0.3}] 0
}

# ---- the report --------------------------------------------------------------------------------------------------------

proc ::bench::machine {} {
    set model unknown
    catch {
	set channel [open /proc/cpuinfo]
	regexp {model name\s*: ([^\n]+)} [read $channel] -> model
	close $channel
    }
    return "$model, [exec nproc] processors, Linux $::tcl_platform(machine), Tcl [info patchlevel]"
}

proc ::bench::report {} {
    variable events
    variable rows
    set text "`make bench BENCH_EVENTS=$events` on: [machine]\n\n| what | budget | measured | |\n| --- | --- | --- | --- |\n"
    foreach row $rows {append text "| [join $row { | }] |\n"}
    return $text
}

# Puts the report between the markers of doc/performance.md, or makes the file.
proc ::bench::write {} {
    variable root
    variable begin
    variable end
    set path [file join $root doc performance.md]
    set text "# Performance\n\n$begin\n$end\n"
    if {[file exists $path]} {
	set channel [open $path]
	fconfigure $channel -encoding utf-8
	set text [read $channel]
	close $channel
    }
    set first [string first $begin $text]
    set last [string first $end $text]
    if {$first < 0 || $last < $first} {error "$path has lost its markers $begin ... $end"}
    set text [string replace $text [expr {$first + [string length $begin]}] $last-1 "\n[report]"]
    set channel [open $path w]
    fconfigure $channel -encoding utf-8
    puts -nonewline $channel $text
    close $channel
}

proc ::bench::main {} {
    variable build
    variable events
    variable failed
    fconfigure stdout -encoding utf-8
    set trace [file join $build bench $events.tactus]
    set pdf [file join $build bench out.pdf]
    exec [file join $build bench gentrace] $events >$trace
    cpu cat $trace
    opening $trace
    opened $trace $pdf
    start $pdf
    file delete $trace $pdf
    write
    exit [expr {$failed > 0}]
}

::bench::main
