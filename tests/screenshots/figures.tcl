# figures.tcl -- figures of the views of jobs, as PDF and PNG: from the project's demos, and from kernel recordings if
# there are any.
#
#   tclsh tests/screenshots/figures.tcl DIRECTORY ?RECORDINGS?
#
# Environment: TACTUS, the program (default: build/tactus); FORMATS (default: pdf png). Each row of `figures` is one
# call of `tactus export`. RECORDINGS is a directory with recordings of cyclictest (FOLDER/trace.txt, folders named
# *cyclic*) and of a producer and a consumer (*prodcons*): then the figures of the paper that the job-stacked view is
# from are made of them (Rajotte & Dagenais 2014, figures 4, 6, 7: the latency of cyclictest, and what the late ones
# waited for; figure 10: producer and consumer, the slowest first).

set here [file dirname [file normalize [info script]]]
set root [file dirname [file dirname $here]]
set program [expr {[info exists env(TACTUS)] ? $env(TACTUS) : [file join $root build tactus]}]
lassign $argv directory recordings
if {$directory eq {}} {
    puts stderr "usage: figures.tcl directory ?recordings?"
    exit 2
}

# name, demo or pattern of a recording, options
set figures {
    stacked      scheduler          {--view stacked --task * --axis-unit ms --sort response --row-height 8 --width 7in}
    missed       interrupts         {--view stacked --task * --axis-unit ms --group outcome --row-height 10 --width 7in}
    histogram    scheduler          {--view histogram --task * --axis-unit ms}
    cdf          scheduler          {--view cdf --task * --axis-unit ms}
    overtime     scheduler          {--view overtime --task * --axis-unit ms}
    cyclictest   *cyclic*-short     {--view histogram --task cyclictest --statistic latency --axis-unit s}
    late         *cyclic*-short     {--view stacked --task cyclictest --together --sort latency --axis-unit s --limit 30 --width 7.16in --row-height 6}
    latencies    *cyclic*-short     {--view overtime --task cyclictest --statistic latency --axis-unit s}
    prodcons     *prodcons*         {--view stacked --task {producer consumer} --sort response --axis-unit s --limit 19 --width 7.16in --row-height 6}
}

proc traceOf {name} {
    global root recordings
    if {![string match {*\**} $name]} {return [file join $root demos $name.tactus]}
    if {$recordings eq {}} return
    lindex [lsort [glob -nocomplain [file join $recordings $name trace.txt]]] 0
}

file mkdir $directory
set failed 0
foreach {name source options} $figures {
    set trace [traceOf $source]
    if {$trace eq {}} continue
    foreach format [expr {[info exists env(FORMATS)] ? $env(FORMATS) : {pdf png}}] {
        set file [file join $directory view-$name.$format]
        if {[catch {exec $program export $trace $file {*}$options 2>@stderr} message]} {
            puts stderr "figures: $name: $message"
            incr failed
        } else {
            puts "$file [file size $file]"
        }
    }
}
exit [expr {$failed > 0}]
