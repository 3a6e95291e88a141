# bench.tcl -- measures the budgets on a large trace and writes the table of doc/performance.md (make bench).
#
# Environment: BENCH_EVENTS (10000000), TACTUS_BUILD (where tactus, bench/gentrace and bench/scanlimit are), BENCH_RUNS
# (3), BENCH_PARTS (trace kernel): of what. trace: trace language, figures, window; kernel: kernel traces; recordings:
# those of trace-cmd in BENCH_RECORDINGS, a directory with FOLDER/trace.dat, against trace-cmd report; jobs: the views
# of many jobs of one task, of which BENCH_EVENTS events make a tenth; judge: expectations and models;
# models: how judging a model grows; sql: questions in SQL; growth: how questions grow with the events
# (BENCH_QUESTIONS: a pattern of those that are asked, which changes no document).
#
# Times are CPU times (user + system) of whole processes, medians of BENCH_RUNS; of frames, the run with the median p99.
# What decides between pass and fail, and so the exit status, are ratios within this run and sizes; bare times depend on
# the machine and are only shown next to their budget.

namespace eval ::bench {
    variable root [file dirname [file dirname [file dirname [file normalize [info script]]]]]
    variable build [file normalize $::env(TACTUS_BUILD)]
    variable events [expr {[info exists ::env(BENCH_EVENTS)] ? $::env(BENCH_EVENTS) : 10000000}]
    variable runs [expr {[info exists ::env(BENCH_RUNS)] ? $::env(BENCH_RUNS) : 3}]
    variable parts [expr {[info exists ::env(BENCH_PARTS)] ? $::env(BENCH_PARTS) : {trace kernel}}]
    variable rows {}    ;# lists: what, budget, figure, verdict
    variable kernelRows {}      ;# the same of kernel traces
    variable recordingRows {}   ;# of recordings
    variable jobRows {} ;# of views of jobs
    variable judgeRows {} ;# of judging
    variable sqlRows {} ;# of questions in SQL
    variable growthRows {} ;# of questions: what, events, seconds, exponent, times opening, bytes, verdict
    variable growthBegin "<!-- begin of make bench, growth -->"
    variable growthEnd "<!-- end of make bench, growth -->"
    variable modelRows {} ;# of how it grows: what, numbers, seconds, exponent
    # lists of one way to move in one trace: events, way, then median and p99 of total, layout, paint, put
    variable frames {}
    variable failed 0
    variable begin "<!-- begin of make bench -->"
    variable end "<!-- end of make bench -->"
    variable kernelBegin "<!-- begin of make bench, kernel traces -->"
    variable kernelEnd "<!-- end of make bench, kernel traces -->"
    variable recordingsBegin "<!-- begin of make bench, recordings -->"
    variable recordingsEnd "<!-- end of make bench, recordings -->"
    variable judgeBegin "<!-- begin of make bench, judging -->"
    variable judgeEnd "<!-- end of make bench, judging -->"
    variable sqlBegin "<!-- begin of make bench, sql -->"
    variable sqlEnd "<!-- end of make bench, sql -->"
    variable modelsBegin "<!-- begin of make bench, models -->"
    variable modelsEnd "<!-- end of make bench, models -->"
    variable jobsBegin "<!-- begin of make bench, jobs -->"
    variable jobsEnd "<!-- end of make bench, jobs -->"
    variable frameRows {} ;# of frames of traces that are hard to draw
    variable framesBegin "<!-- begin of make bench, frames -->"
    variable framesEnd "<!-- end of make bench, frames -->"
}

# ---- measuring -------------------------------------------------------------------------------------------------------

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
proc ::bench::row {what budget figure good decides {table rows}} {
    variable $table
    variable failed
    set verdict [expr {$good ? "within" : "OVER"}]
    if {!$good && $decides} {incr failed}
    lappend $table [list $what $budget $figure $verdict]
    puts [format "%-44s %-20s %-40s %s" $what $budget $figure $verdict]
}

# ---- the budgets -----------------------------------------------------------------------------------------------------

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
        dict for {key value} [exec [info nameofexecutable] [file join $root tests bench opened.tcl] $build \
            $trace $pdf] {
            dict lappend samples $key $value
        }
    }
    dict for {key values} $samples {set $key [median $values]}
    set bytes [expr {double($rss) / $events}]
    row "memory after opening" "≤ 62 bytes an event" [format "%.1f bytes an event" $bytes] [expr {$bytes <= 62}] 1
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
    row "start to the figure of a small trace" "≤ 0.3 s" [format "%.2f s" [median $seconds]] \
        [expr {[median $seconds] <= 0.3}] 0
}

# ---- kernel traces ---------------------------------------------------------------------------------------------------

# Writes a kernel trace of so many events; its path.
proc ::bench::kernelTrace {count shape} {
    variable build
    set path [file join $build bench kernel.$shape]
    exec [file join $build bench genkernel] $count -f $shape >$path
    cpu cat $path
    return $path
}

proc ::bench::cpuMedian {args} {
    variable runs
    for {set i 0} {$i < $runs} {incr i} {lappend seconds [cpu {*}$args]}
    median $seconds
}

# Text of all events: against the floor, and its memory.
proc ::bench::kernelText {} {
    variable root
    variable build
    variable events
    set trace [kernelTrace $events ftrace]
    set floor [cpuMedian [file join $build bench scankernel] $trace]
    set open [cpuMedian [file join $build tactus] info $trace]
    set ratio [expr {$open / $floor}]
    row "open: text of ftrace, CPU time" "≤ 4 × scankernel" [format "%.2f × (%.2f s to %.2f s)" $ratio $open $floor] \
        [expr {$ratio <= 4}] 1 kernelRows
    set sizes [exec [info nameofexecutable] [file join $root tests bench opened.tcl] $build $trace \
        [file join $build bench out.pdf]]
    set bytes [expr {double([dict get $sizes rss]) / $events}]
    row "memory after opening" "–" [format "%.1f bytes an event, the text has %.1f" $bytes \
        [expr {double([file size $trace]) / $events}]] 1 0 kernelRows
    set most [dict get $sizes peak]
    row "most memory while opening, file pages included" "≤ 1 GB for 10^7 events" \
        [format "%.0f MB" [expr {$most / 1e6}]] [expr {$most <= 100.0 * $events + 5e7}] 1 kernelRows
    file delete $trace
}

# CPU time against trace-cmd report, on a part of the events: so many that the start of the programs hardly counts.
proc ::bench::kernelReport {} {
    variable build
    variable events
    if {[auto_execok trace-cmd] eq {}} {
        puts "no trace-cmd: kernel traces are not compared with trace-cmd report"
        return
    }
    set count [expr {min($events, 3000000)}]
    set dat [kernelTrace $count dat]
    foreach {shape what budget} {ftrace "text of ftrace" 5 report "text of trace-cmd report" 5 dat trace.dat 3} {
        set trace [expr {$shape eq "dat" ? $dat : [kernelTrace $count $shape]}]
        if {[catch {exec [file join $build tactus] info $trace 2>@1} message]} {
            puts "$what is not measured: $message"
        } else {
            againstReport "$what, $count events, CPU time" $budget $dat $trace kernelRows
        }
        if {$shape ne "dat"} {file delete $trace}
    }
    set recording [file join $build bench sensors.tacs]
    exec [file join $build bench genstream] $count >$recording
    againstReport "recording of sensors, $count elements, CPU time" 3 $dat $recording kernelRows
    file delete $dat $recording
}

# Opening a trace against trace-cmd report of the same events, in turn: what else the machine does takes from both.
proc ::bench::againstReport {what budget dat trace table} {
    variable build
    variable runs
    for {set i 0} {$i < $runs} {incr i} {
        lappend reports [cpu trace-cmd report $dat]
        lappend opens [cpu [file join $build tactus] info $trace]
        lappend ratios [expr {[lindex $reports end] / [lindex $opens end]}]
    }
    row $what "≥ $budget × less than trace-cmd report" \
        [format "%.1f × less (%.2f s, %.2f s)" [median $ratios] [median $opens] [median $reports]] \
        [expr {[median $ratios] >= $budget}] 0 $table
}

# Recordings that trace-cmd takes a second for at least, with others it is the start of programs that is measured: the
# file itself, and the text that trace-cmd report makes of it.
proc ::bench::recordings {} {
    variable build
    variable recordingsBegin
    variable recordingsEnd
    set text [file join $build bench recording.txt]
    foreach folder [lsort [glob -directory $::env(BENCH_RECORDINGS) -types d *]] {
        set dat [file join $folder trace.dat]
        if {![file exists $dat]} continue
        if {[cpu trace-cmd report $dat] < 1} continue
        exec trace-cmd report -t $dat >$text 2>/dev/null
        set what "[file tail $folder], [lindex [exec wc -l $text] 0] lines"
        againstReport "$what, text" 5 $dat $text recordingRows
        againstReport "$what, trace.dat" 3 $dat $dat recordingRows
    }
    file delete $text
    write $recordingsBegin $recordingsEnd [tableText "BENCH_PARTS=recordings BENCH_RECORDINGS=DIRECTORY" recordingRows]
}

# ---- the window ------------------------------------------------------------------------------------------------------

# Runs frames.tcl; its dict.
proc ::bench::widget {what trace} {
    variable root
    variable build
    exec [info nameofexecutable] [file join $root tests bench frames.tcl] $build $what $trace
}

# Of several runs the one whose time is the median: a p99 of 200 frames is that of two, and a step of milliseconds is
# made once, which anything else on the machine disturbs. Each run of the command returns its time and its result.
proc ::bench::medianRun {args} {
    variable runs
    set results {}
    for {set i 0} {$i < $runs} {incr i} {lappend results [{*}$args]}
    lindex [lsort -real -index 0 $results] [expr {$runs / 2}] 1
}

proc ::bench::runWidgetFrames {trace} {
    set result [widget frames $trace]
    list [lindex [dict get $result worst] 1] $result
}

# Frames of the widget for a trace of so many events and 64 rows.
proc ::bench::widgetFrames {count} {
    variable build
    variable frames
    set trace [file join $build bench rows.tactus]
    exec [file join $build bench gentrace] $count -p 4 -t 60 >$trace
    set result [medianRun runWidgetFrames $trace]
    file delete $trace
    dict for {way parts} [dict get $result ways] {
        set row [list $count $way]
        foreach part {total layout paint put} {lappend row [format "%.1f / %.1f" {*}[dict get $parts $part]]}
        lappend frames $row
    }
    lassign [dict get $result worst] median most
    row "frame 1920×1080, [dict get $result rows] rows, $count events" "≤ 6 ms, p99 ≤ 12 ms" \
        [format "%.1f ms, p99 %.1f ms (slowest way)" $median $most] [expr {$median <= 6 && $most <= 12}] 0
    lassign [dict get $result cursor] median most
    row "cursor move, $count events" "≤ 2 ms" [format "%.2f ms, p99 %.2f ms" $median $most] [expr {$median <= 2}] 0
}

proc ::bench::window {trace} {
    variable build
    variable events
    if {[auto_execok Xvfb] eq {} && (![info exists ::env(DISPLAY)] || $::env(DISPLAY) eq {})} {
        puts "no display and no Xvfb: the window is not measured"
        return
    }
    set result [widget open $trace]
    row "longest pause of the window while opening" "≤ 50 ms" \
        [format "%d ms, at most %.0f ms of CPU time" [dict get $result gap] [dict get $result gapCpu]] \
        [expr {[dict get $result gap] <= 50}] 0
    foreach count [lsort -integer -unique [list [expr {min(100000, $events)}] $events]] {widgetFrames $count}
    set small [file join $build bench handlers.tactus]
    exec [file join $build bench gentrace] 1000000 >$small
    set result [widget handlers $small]
    file delete $small
    row "10^6 events handled by a plugin" "≤ 3 s" [format "%.2f s" [dict get $result million]] \
        [expr {[dict get $result million] <= 3}] 0
}

# Traces that are hard to draw.
namespace eval ::bench::hard {}

# Jobs of some tasks that are all open at once: 100 000 together.
proc ::bench::hard::open {tasks jobs} {
    for {set k 0} {$k < $tasks} {incr k} {append text "newTask t$k\n"}
    for {set i 0} {$i < $jobs} {incr i} {
        for {set k 0} {$k < $tasks} {incr k} {
            append text "plot $i jobArrived t$k.$i t$k\nplot $i jobResumed t$k.$i\n"
        }
    }
    for {set i 0} {$i < $jobs} {incr i} {
        for {set k 0} {$k < $tasks} {incr k} {
            append text "plot [expr {$jobs + $i + 1}] jobCompleted t$k.[expr {$i * 37 % $jobs}]\n"
        }
    }
    return $text
}

# A job on each of 64 processors, which change places a million times.
proc ::bench::hard::migrations {} {
    for {set k 0} {$k < 64} {incr k} {append text "newProcessor p$k\nnewTask t$k\n"}
    for {set k 0} {$k < 64} {incr k} {append text "plot 0 jobArrived j$k t$k\nplot 0 jobResumed j$k -processor p$k\n"}
    for {set i 1} {$i < 1000000} {incr i} {
        set k [expr {$i * 7 % 64}]
        append text "plot [expr {3 * $i}] jobPreempted j$k\n"
        append text "plot [expr {3 * $i + 1}] jobResumed j$k -processor p[expr {$i * 13 % 64}]\n"
    }
    return $text
}

# A job for each of 100 000 tasks, which are defined by a script with their number in i.
proc ::bench::hard::rows {{definition {string cat "task$i -name \"Task number $i\""}}} {
    for {set i 0} {$i < 100000} {incr i} {
        set words [eval $definition]
        append text "newTask $words\n"
        append jobs "plot $i jobArrived j$i [lindex $words 0]\nplot $i jobResumed j$i\n" \
            "plot [expr {$i + 1}] jobCompleted j$i\n"
    }
    return $text$jobs
}

# The same with names in no order; of threads, a hundred in each process.
proc ::bench::hard::names {} {rows {format {task%d -name "Task number %06d"} $i [expr {$i * 7919 % 100003}]}}
proc ::bench::hard::threads {} {
    rows {string cat "[expr {$i + 1000}] -name thread$i -process [expr {$i / 100 * 100 + 1000}]"}
}

# The same with ten jobs each.
proc ::bench::hard::deep {} {
    for {set i 0} {$i < 100000} {incr i} {
        append text "newTask [expr {$i + 1000}] -name thread$i -process [expr {$i / 100 * 100 + 1000}]\n"
    }
    for {set k 0} {$k < 1000000} {incr k} {
        set time [expr {6 * $k}]
        append text "plot $time jobArrived j$k [expr {$k % 100000 + 1000}]\nplot $time jobResumed j$k\n" \
            "plot [expr {$time + 1 + $k * 7 % 5}] jobCompleted j$k\n"
    }
    return $text
}

# 10^6 tasks, of which fewer rows can be shown, by priorities in no order.
proc ::bench::hard::tasks {} {
    for {set i 0} {$i < 1000000} {incr i} {
        append text "newTask t$i -priority [expr {$i * 7919 % 1000003}]\nplot $i taskArrived t$i\n"
    }
    return $text
}

# Jobs of four tasks, each of which is preempted, and goes on behind the second one after it in its task.
proc ::bench::hard::lanes {} {
    for {set k 0} {$k < 4} {incr k} {append text "newTask t$k\n"}
    for {set i 0} {$i < 1000000} {incr i} {
        set time [expr {10 * $i}]
        append text "plot $time jobArrived j$i t[expr {$i % 4}]\nplot [expr {$time + 1}] jobResumed j$i\n" \
            "plot [expr {$time + 9}] jobPreempted j$i\n"
        if {$i < 8} continue
        set older j[expr {$i - 8}]
        append text "plot [expr {$time + 9}] jobResumed $older\nplot [expr {$time + 10}] jobCompleted $older\n"
    }
    return $text
}

proc ::bench::writeTrace {trace script} {
    set channel [open $trace w]
    puts $channel [eval $script]
    close $channel
}

# The longest time between two events that the window handles while it opens a trace. CPU time decides.
proc ::bench::pauses {what trace} {
    if {[auto_execok Xvfb] eq {} && (![info exists ::env(DISPLAY)] || $::env(DISPLAY) eq {})} return
    set result [widget open $trace]
    row $what "≤ 50 ms" [format "%.0f ms of CPU time (%d ms)" [dict get $result gapCpu] [dict get $result gap]] \
        [expr {[dict get $result gapCpu] <= 50}] 0 frameRows
}

# What is done with all rows in the program's window: the longest step of each. CPU time.
proc ::bench::steps {trace} {
    if {[auto_execok Xvfb] eq {} && (![info exists ::env(DISPLAY)] || $::env(DISPLAY) eq {})} return
    set result [widget steps $trace]
    foreach {key what} {
        rows "moving, grouping, resetting rows" save "saving the session, of rows in another order"
        read "reading it" restore "setting it" legend "the legend" close "closing the trace"
    } {
        set step [dict get $result $key]
        row "100000 rows: $what" "≤ 16 ms" [format "%.1f ms" $step] [expr {$step <= 16}] 0 frameRows
    }
}

# Listing, arranging and placing the rows of a trace by bench/frames, which are steps of their own. CPU time.
proc ::bench::listing {what trace args} {
    lassign [medianRun runListing $trace $args] listing arranging placing
    row $what "each ≤ 16 ms" "$listing ms, $arranging ms, $placing ms" \
        [expr {max($listing, $arranging, $placing) <= 16}] 0 frameRows
}

proc ::bench::runListing {trace options} {
    variable build
    set line [lindex [split [exec [file join $build bench frames] $trace {*}$options -r 60 -n 1 -o none] \n] 0]
    regexp {listing ([\d.]+) ms, arranging ([\d.]+) ms, placing ([\d.]+) ms} $line -> listing arranging placing
    list [expr {max($listing, $arranging, $placing)}] [list $listing $arranging $placing]
}

# Frames of a trace by bench/frames, in ways whose names fit a regular expression, as the window draws them: with 1.5
# ms for summing up. The largest median and 99th of a hundred of layout and painting together: CPU time, ms.
proc ::bench::framesOf {what medianMost most trace ways args} {
    lassign [medianRun runFrames $trace $ways $args] median p99
    set good [expr {$median <= $medianMost && $p99 <= $most}]
    row $what "≤ $medianMost ms, p99 ≤ $most ms" "$median ms, p99 $p99 ms" $good 0 frameRows
}

proc ::bench::runFrames {trace ways options} {
    variable build
    set median 0
    set p99 0
    foreach line [split [exec [file join $build bench frames] $trace {*}$options -b 1.5] \n] {
        if {![regexp {^(.*?) +layout .* both +([\d.]+) +([\d.]+) +[\d.]+ +items} $line -> way m p]} continue
        if {![regexp $ways $way]} continue
        set median [expr {max($median, $m)}]
        set p99 [expr {max($p99, $p)}]
    }
    list $p99 [list $median $p99]
}

# Moves of the pointer over the widget. CPU time decides.
proc ::bench::hovers {trace count} {
    if {[auto_execok Xvfb] eq {} && (![info exists ::env(DISPLAY)] || $::env(DISPLAY) eq {})} {
        puts "no display and no Xvfb: the pointer is not measured"
        return
    }
    foreach {way moves} [widget hover $trace] {
        lassign $moves median p99 cpu lit
        row "pointer over $way, $count events, CPU time" "≤ 2 ms" \
            [format "%.2f ms (wall time: median %.2f ms, p99 %.2f ms)" $cpu $median $p99] [expr {$cpu <= 2}] 0 frameRows
    }
}

# Frames that find nothing summed up, those of large screens, and those of traces that are hard to draw. CPU time.
proc ::bench::frames {} {
    variable build
    variable events
    variable framesBegin
    variable framesEnd
    set trace [file join $build bench hard.tactus]
    exec [file join $build bench gentrace] $events -p 4 -t 60 >$trace
    framesOf "cold, $events events, 64 rows" 12 16 $trace {cold$} -o cold
    set way "pan by 1 pixel"
    framesOf "3840×2160, $events events, 64 rows: $way" 16 24 $trace "$way\$" 3840 2160 -o $way
    framesOf "the first frame in other colours, $events events, 64 rows" 12 16 $trace {colours$} -o colours
    hovers $trace $events
    exec [file join $build bench gentrace] 100000 -p 4 -t 60 >$trace
    hovers $trace 100000
    foreach {what script options} {
        "listing 100000 rows, arranging, placing them" hard::rows {}
        "listing 100000 rows by name" hard::names {-s name}
        "listing 100000 rows by kind" hard::rows {-g kind}
        "listing 100000 threads of 1000 processes" hard::threads {-g process}
        "listing 100000 of 1000000 tasks" hard::tasks {}
        "listing tasks with 1000000 jobs that overlap" hard::lanes {}
    } {
        writeTrace $trace $script
        listing $what $trace {*}$options
    }
    foreach {what script ways options} {
        "100000 jobs of a task open at once" {hard::open 1 100000} {(again|pixel|tenth|scroll|jumps|out|zoom)$} {-n 20}
        "1000 jobs of each of 64 tasks open at once" {hard::open 64 1000} {(again|pixel|tenth|scroll|jumps|out|zoom)$}
            {-n 20}
        "10^6 migrations between 64 processors, collapsed" {hard::migrations}
            {(again|pixel|tenth|scroll|jumps|out|zoom)$} {-p collapsed -n 20}
        "100000 rows: the first frame" {hard::rows} {^first} {-r 60 -n 1 -o "100 %"}
        "100000 rows: others" {hard::rows} {^100.*(again|pixel|tenth|scroll|jumps)$} {-r 60 -n 20 -o "100 %"}
    } {
        writeTrace $trace $script
        framesOf $what 6 12 $trace $ways {*}$options
    }
    writeTrace $trace hard::rows
    foreach {what median p99 ways options} {
        "100000 tasks in a processor's row: the first frame" 12 16 {^first} {-p collapsed -n 1 -o none}
        "100000 tasks in a processor's row: others" 12 16 {^100.*(again|pixel|tenth|jumps|cold|colours)$}
            {-p collapsed -n 20 -o "100 %"}
        "100000 rows in a folded group: the first frame" 12 16 {^first} {-g kind -f -n 1 -o none}
        "100000 rows in a folded group: others" 12 16 {^100.*(again|pixel|tenth|jumps|cold|colours)$}
            {-g kind -f -n 20 -o "100 %"}
        "100000 rows in a folded group: a move of the pointer over its band" 2 2 {pointer$} {-g kind -f -n 200 -o pointer}
    } {
        framesOf $what $median $p99 $trace $ways {*}$options -r 60
    }
    pauses "opening 100000 tasks: longest pause of the window" $trace
    steps $trace
    writeTrace $trace hard::deep
    listing "listing 100000 threads with ten jobs each, arranging, placing them" $trace -g process
    foreach {what ways only} {
        "sorting them: the longest step" {^sort} sort
        "leaving out those with nothing in view, folding, grouping anew: the longest step" {^(leave|fold|group)} {}
        "listing them anew in the order that the user gave them: the longest step" {^list} list
    } {
        framesOf $what 16 16 $trace $ways -g process -n 9 -r 60 {*}[expr {$only eq {} ? {} : [list -o $only]}]
    }
    framesOf "1000 folded groups of them: frames" 6 12 $trace {(again|pixel|tenth|scroll|jumps|out|zoom|cold)$} \
        -g process -f -n 20 -r 60
    file delete $trace
    write $framesBegin $framesEnd [tableText "BENCH_EVENTS=$events BENCH_PARTS=frames" frameRows]
}

# Views of jobs in the program's window.
proc ::bench::jobs {} {
    variable root
    variable build
    variable events
    variable jobsBegin
    variable jobsEnd
    set trace [file join $build bench jobs.tactus]
    exec [file join $build bench gentrace] $events -p 1 -t 3 -i >$trace
    set result [exec [info nameofexecutable] [file join $root tests bench jobs.tcl] $build $trace]
    file delete $trace
    set what "stacked, [dict get $result jobs] jobs, [dict get $result rows] rows"
    dict for {way times} [dict get $result frames] {
        lassign $times median most cpu mostCpu
        row "$what: $way" "≤ 8 ms, p99 ≤ 16 ms" "$median ms, p99 $most ms (CPU time $cpu ms, $mostCpu ms)" \
            [expr {$median <= 8 && $most <= 16}] 0 jobRows
    }
    dict for {work figures} [dict get $result work] {
        lassign $figures seconds gap
        row $work "pause ≤ 50 ms" "$seconds s, longest pause $gap ms" [expr {$gap <= 50}] 0 jobRows
    }
    lassign [dict get $result megabytes] before after
    row "memory: the trace is open, all views were seen" "–" "$before MB, $after MB" 1 0 jobRows
    write $jobsBegin $jobsEnd [tableText "BENCH_EVENTS=$events BENCH_PARTS=jobs" jobRows]
}

# Judging expectations and models, against opening the trace.
proc ::bench::judge {} {
    variable root
    variable build
    variable events
    variable judgeBegin
    variable judgeEnd
    set trace [file join $build bench judge.tactus]
    exec [file join $build bench gentrace] $events -p 4 -t 60 >$trace
    set result [exec [info nameofexecutable] [file join $root tests bench judge.tcl] $build $trace]
    file delete $trace
    set open [dict get $result open]
    dict for {what figures} [dict get $result judged] {
        lassign [concat $figures $open] seconds bytes opening
        set budget [dict get {1 0 10 1 100 1} [lindex $what 0]]
        if {$what eq "1 model of all tasks"} {set budget 0.15}
        if {[string match "*, afterwards" $what]} {set budget 0}
        set ratio [expr {$seconds / $opening}]
        set perEvent [expr {double($bytes) / $events}]
        row "judge $what, CPU time" [expr {$budget ? "≤ $budget × opening, ≤ 8 bytes an event" : "–"}] \
            [format "%.2f × (%.2f s to %.2f s), %.1f bytes an event" $ratio $seconds $opening $perEvent] \
            [expr {!$budget || ($ratio <= $budget && $perEvent <= 8)}] 0 judgeRows
    }
    write $judgeBegin $judgeEnd [tableText "BENCH_EVENTS=$events BENCH_PARTS=judge" judgeRows]
}

# Questions in SQL. Budgets are of 10^7 events, and grow with them; ranges do not.
proc ::bench::sql {} {
    variable root
    variable build
    variable events
    variable sqlBegin
    variable sqlEnd
    set trace [file join $build bench sql.tactus]
    exec [file join $build bench gentrace] $events >$trace
    set result [exec [info nameofexecutable] [file join $root tests bench sql.tcl] $build $trace]
    file delete $trace
    foreach {name what budget grows} {
        count "count of events" 100 1
        sum "sum of the events' times" 250 1
        range "range of time" 1 0
        number "range of numbers" 1 0
        group "jobs by task" {} 0
        text "events of one kind, with their index" {} 0
        join "all jobs with their slices, by id and number" {} 0
        delays "delays of 1000 jobs" {} 0
    } {
        set took [dict get $result $name]
        set most [expr {$budget eq {} ? {} : $grows ? $budget * $events / 1e7 : $budget}]
        row "SQL: $what" [expr {$budget eq {} ? "–" : "≤ [format %g $most] ms"}] "$took ms" \
            [expr {$budget eq {} || $took <= $most}] 0 sqlRows
    }
    row "SQL: memory of the index of texts" "≤ 16 bytes an event" "[dict get $result memory] bytes an event" \
        [expr {[dict get $result memory] <= 16}] 0 sqlRows
    write $sqlBegin $sqlEnd [tableText "BENCH_EVENTS=$events BENCH_PARTS=sql" sqlRows]
}

# How the time for one model grows.
proc ::bench::models {} {
    variable root
    variable build
    variable events
    variable modelsBegin
    variable modelsEnd
    set result [exec [info nameofexecutable] [file join $root tests bench models.tcl] $build $events]
    set lines [list "`make bench BENCH_EVENTS=$events BENCH_PARTS=models` on: [machine]" "" \
        "| over the number of | numbers | CPU time | exponent |" "| --- | --- | --- | --- |"]
    foreach {what name} {events "events (10^4 to all)" states "states" constraints "constraints at a transition"
            kinds "alternative transitions, of other kinds" words "alternative transitions, of the same kind"
            tasks "instances, one a task" keys "instances, by a field"} {
        set figures [dict get $result $what]
        lappend lines "| $name | [join [dict keys $figures] {, }] | [
            join [lmap seconds [dict values $figures] {format %.3f $seconds}] {, }] s | [
            format %.2f [exponent $figures]] |"
    }
    write $modelsBegin $modelsEnd [join $lines \n]\n
}

# ---- growth ----------------------------------------------------------------------------------------------------------

# Questions: what, shape of the trace (of gengrowth; gentrace: its own), the least number of events (the others are 10
# and 100 times as many), arguments of tactus, then what is allowed on top of opening the trace: times opening of CPU
# time, bytes an event of memory; {}: not limited. PLUGIN: a handler of each event; ASKER: one that asks. NAMES: every
# other one of the tasks of the shape `tasks`, a list that takes memory by itself. Of two traces opening and
# events are those of both; OTHER: of the shape `slower`, `others` or `delayedOthers`.
proc ::bench::questions {} {
    return {
        "open, shuffled lines" shuffled 100000 {info TRACE} {} {}
        "open, insertions at the head of a buffer" buffer 100000 {info TRACE} {} {}
        "open --map auto, a thread for two events" threads 10000 {info --map auto TRACE} 1 16
        "check, all" gentrace 100000 {check TRACE} 1 16
        "check priority, 4096 processors" processors 10000 {check --with priority TRACE} 1 16
        "check priority, 4096 processors for all" global 10000 {check --with priority TRACE} 1 16
        "check priority, a chain of blocked jobs" blocked 10000 {check --with priority TRACE} 1 16
        "check priority, jobs that are ready at once" ready 10000 {check --with priority TRACE} 1 16
        "check priority, changes at the end of a chain" toggle 40000 {check --with priority TRACE} 1 16
        "check, jobs that hold 64 mutexes" nested 10000 {check TRACE} 1 16
        "check, a server for ten events" servers 10000 {check TRACE} 1 16
        "check priority, servers that serve nobody" idle 10000 {check --with priority TRACE} 1 16
        "why, a cause for three events" preempted 10000 {why TRACE low} 1 16
        "why as JSON, a cause for three events" preempted 10000 {why --format json TRACE low} 1 16
        "why, the 1000 jobs that took longest" gentrace 10000 {why --worst * --top 1000 TRACE} 1 16
        "a plugin's handler of each event" gentrace 10000 {info --plugins PLUGIN TRACE} {} 16
        "a plugin's handler, jobs that are never over" blocked 10000 {info --plugins PLUGIN TRACE} {} 16
        "a plugin's handler asks a task's state, jobs that are never over" blocked 10000
            {info --plugins ASKER TRACE} {} 16
        "histogram of all tasks, a task for three events" tasks 10000
            {export --view histogram --task * TRACE OUT} 1 16
        "jobs of all tasks stacked, a task for three events" tasks 10000
            {export --view stacked --together --task * TRACE OUT} 1 16
        "jobs of half of the tasks stacked, by a pattern" tasks 10000
            {export --view stacked --together --task t*\[02468\] TRACE OUT} 1 16
        "compare, a task for three events" tasks 10000 {compare TRACE TRACE} 1 16
        "compare, every second of these tasks differs, all is told" tasks 10000 {compare TRACE OTHER} 1 16
        "compare, tasks of 30 jobs a side, many of which take the same time" samples 10000 {compare TRACE OTHER} 1 16
        "compare, three measures of such tasks" delayed 10000 {compare TRACE OTHER} 1 16
        "statistics of half of the tasks, by a pattern" tasks 10000 {stats --task t*\[02468\] TRACE} 1 16
        "statistics of half of the tasks, by a list" tasks 1000 {stats --task NAMES TRACE} 1 {}
        "rows of half of the tasks, by a list" tasks 1000 {export --rows NAMES TRACE OUT} 1 {}
        "part of half of the tasks, by a list" tasks 1000 {cut --rows NAMES TRACE OUT} 1 {}
        "count of tasks in SQL, a task for three events" tasks 10000 {sql {select count(*) from tasks} TRACE} 1 16
        "join by the id of a task in SQL, a task for three events" tasks 10000
            {sql {select count(*) from jobs join tasks using (task)} TRACE} 1 16
        "statistics, tasks of 49 jobs" long 100000 {stats --of tasks TRACE} 1 16
        "statistics by groups, tasks of 49 jobs" long 100000
            {stats --group-by task --columns "count p99(response) max(blocked)" TRACE} 1 16
        "jobs in order of their response, as a table" long 100000 {stats --sort -response TRACE} 1 16
        "jobs in order of two columns, the first ten" long 100000 {stats --sort task,-response --top 10 TRACE} 1 16
        "jobs of two traces, as a table" long 100000 {stats --columns "trace job response" TRACE TRACE} 1 16
        "figure of all, a task for three events" tasks 10000 {export TRACE OUT} 1 16
        "part of a trace, jobs that hold 64 mutexes" nested 10000 {cut --to 100000000 TRACE OUT} 1 16
        "conversion, jobs that hold 64 mutexes" nested 10000 {convert TRACE OUT} 1 16
        "table of tasks, a task for three events" tasks 10000 {stats --of tasks TRACE} {} {}
    }
}

# Runs tactus: a dict of cpu, peak and status, the run with the least CPU time. Short runs, of which other work on the
# machine disturbs a larger part, are repeated until they took 0.3 s together, 20 times at most.
proc ::bench::took {runs arguments} {
    variable root
    variable build
    set result [file join $build bench growth.result]
    set least {}
    set sum 0
    for {set i 0} {$i < $runs || ([dict get $least cpu] < 0.05 && $sum < 0.3 && $i < 20)} {incr i} {
        catch {
            exec [info nameofexecutable] [file join $root tests bench growth.tcl] $build $result {*}$arguments \
                >/dev/null 2>/dev/null
        }
        set channel [open $result]
        set took [read $channel]
        close $channel
        file delete $result
        # A comparison of the task `none` opens two traces, and says that there is no such task.
        set worst [expr {[lindex $arguments 0] eq "check" || "none" in $arguments ? 2 : 1}]
        if {[dict get $took status] > $worst} {error "tactus $arguments: status [dict get $took status]"}
        set sum [expr {$sum + [dict get $took cpu]}]
        if {$least eq {} || [dict get $took cpu] < [dict get $least cpu]} {set least $took}
    }
    return $least
}

# Measures a question for one number of events: {seconds of the command, of opening, bytes on top of opening}.
proc ::bench::asked {shape events words} {
    variable build
    set trace [file join $build bench growth.trace]
    set plugin [file join $build bench growthPlugin.tcl]
    set figure [file join $build bench growth.svg]
    set other [file join $build bench growthOther.trace]
    set generator [expr {$shape eq "gentrace" ? "gentrace" : [list gengrowth $shape]}]
    exec [file join $build bench [lindex $generator 0]] {*}[lrange $generator 1 end] $events >$trace
    set channel [open $plugin w]
    puts $channel "proc handler args {[expr {"ASKER" in $words ? "t0 state" : ""}]}\non * handler"
    close $channel
    set names {}
    for {set i 0} {"NAMES" in $words && 3 * $i < $events} {incr i 2} {lappend names t$i}
    if {"OTHER" in $words} {
        set slower [dict get {tasks slower samples others delayed delayedOthers} $shape]
        exec [file join $build bench gengrowth] $slower $events >$other
    }
    set places [list TRACE $trace OTHER $other PLUGIN $plugin ASKER $plugin OUT $figure NAMES [join $names ,]]
    set two [expr {[lindex $words 0] eq "compare" || [llength [lsearch -all -exact $words TRACE]] > 1}]
    set words [string map $places $words]
    set runs [expr {$events > 1000000 ? 1 : 3}]
    set both [expr {[lindex $words 0] eq "compare"}]
    set open [took $runs [expr {$both ? [list compare --task none --jobs 0 $trace $trace] : [list info $trace]}]]
    if {$two && !$both} {dict set open cpu [expr {2 * [dict get $open cpu]}]}  ;# one after the other
    set ask [took $runs $words]
    file delete $trace $other $plugin $figure
    list [dict get $ask cpu] [dict get $open cpu] [expr {([dict get $ask peak] - [dict get $open peak]) / (1 + $two)}]
}

# The exponent of the least work that reading shuffled lines can be, for these numbers of events.
proc ::bench::leastShuffled {numbers} {
    variable build
    exponent [concat {*}[lmap events $numbers {list $events [exec [file join $build bench leastShuffled] $events]}]]
}

# How questions grow: the exponent is that of the time of the whole command, without what an empty trace takes.
proc ::bench::growth {} {
    variable build
    variable growthRows
    variable growthBegin
    variable growthEnd
    variable failed
    set empty [file join $build bench empty.tactus]
    close [open $empty w]
    set start [dict get [took 5 [list info $empty]] cpu]
    file delete $empty
    set only [expr {[info exists ::env(BENCH_QUESTIONS)] ? $::env(BENCH_QUESTIONS) : "*"}]
    foreach {what shape least words times bytes} [questions] {
        if {![string match $only $what]} continue
        set figures {}
        set few {}
        foreach events [list $least [expr {10 * $least}] [expr {100 * $least}]] {
            lassign [asked $shape $events $words] ask open more
            lappend figures $events [expr {max(0.001, $ask - $start)}]
            if {$few eq {}} {set few $more}
        }
        set exponent [exponent $figures]
        set ratio [expr {max(0, $ask - $open) / max(0.001, $open - $start)}]
        set perEvent [expr {max(0.0, double($more - $few) / ($events - $least))}]
        set most 1.15
        if {$shape eq "shuffled"} {
            set most [expr {max($most, [leastShuffled [dict keys $figures]])}]
            puts [format "the least work for shuffled lines has the exponent %.2f" $most]
        }
        set good [expr {$exponent <= $most && ($times eq {} || $ratio <= $times)
            && ($bytes eq {} || $perEvent <= $bytes)}]
        incr failed [expr {!$good}]
        set row [list $what [join [dict keys $figures] {, }] \
            "[join [lmap seconds [dict values $figures] {format %.3f $seconds}] {, }] s" [format %.2f $exponent] \
            [expr {$bytes eq {} ? "–" : [format "%.2f × opening" $ratio]}] \
            [expr {$bytes eq {} ? "–" : [format "%.1f bytes an event" $perEvent]}] [expr {$good ? "within" : "OVER"}]]
        lappend growthRows $row
        puts [join $row " | "]
        flush stdout
    }
    if {$only ne "*"} return
    set text "`make bench BENCH_PARTS=growth` on: [machine]\n\n| what | events | CPU time | exponent | on top |\
        memory on top | |\n| --- | --- | --- | --- | --- | --- | --- |\n"
    foreach row $growthRows {append text "| [join $row { | }] |\n"}
    write $growthBegin $growthEnd $text
}

# The e of seconds = c * number^e that fits best, of numbers and seconds in turn.
proc ::bench::exponent {figures} {
    set n 0
    foreach sum {x y xx xy} {set $sum 0.0}
    foreach {number seconds} $figures {
        set a [expr {log($number)}]
        set b [expr {log($seconds)}]
        incr n
        foreach {sum term} [list x $a y $b xx [expr {$a * $a}] xy [expr {$a * $b}]] {
            set $sum [expr {[set $sum] + $term}]
        }
    }
    expr {($n * $xy - $x * $y) / ($n * $xx - $x * $x)}
}

# ---- the report ------------------------------------------------------------------------------------------------------

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
    set text "`make bench BENCH_EVENTS=$events` on: [machine]\n\n| what | budget | measured | |\n| --- | --- | --- |\
        --- |\n"
    foreach row $rows {append text "| [join $row { | }] |\n"}
    return $text[framesTable]
}

proc ::bench::framesTable {} {
    variable frames
    if {![llength $frames]} return
    set text "\nFrames of the widget by the way one moves, in ms of wall time: median / p99.\n\n"
    append text "| events | way | total | layout | paint | put |\n| --- | --- | --- | --- | --- | --- |\n"
    foreach row $frames {append text "| [join $row { | }] |\n"}
    return $text
}

proc ::bench::tableText {variables table} {
    variable $table
    set text "`make bench $variables` on: [machine]\n\n| what | budget | measured | |\n| --- | --- | --- | --- |\n"
    foreach row [set $table] {append text "| [join $row { | }] |\n"}
    return $text
}

# Puts a report between its markers of doc/performance.md, or makes the file.
proc ::bench::write {begin end report} {
    variable root
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
    set text [string replace $text [expr {$first + [string length $begin]}] $last-1 "\n$report"]
    set channel [open $path w]
    fconfigure $channel -encoding utf-8
    puts -nonewline $channel $text
    close $channel
}

# The trace language, figures and the window.
proc ::bench::traces {} {
    variable build
    variable events
    variable begin
    variable end
    set trace [file join $build bench $events.tactus]
    set pdf [file join $build bench out.pdf]
    exec [file join $build bench gentrace] $events >$trace
    cpu cat $trace
    opening $trace
    opened $trace $pdf
    start $pdf
    window $trace
    file delete $trace $pdf
    write $begin $end [report]
}

proc ::bench::kernel {} {
    variable events
    variable kernelBegin
    variable kernelEnd
    kernelText
    kernelReport
    write $kernelBegin $kernelEnd [tableText "BENCH_EVENTS=$events BENCH_PARTS=kernel" kernelRows]
}

proc ::bench::main {} {
    variable parts
    variable failed
    fconfigure stdout -encoding utf-8
    if {"trace" in $parts} traces
    if {"kernel" in $parts} kernel
    if {"recordings" in $parts} recordings
    if {"frames" in $parts} frames
    if {"jobs" in $parts} jobs
    if {"judge" in $parts} judge
    if {"models" in $parts} models
    if {"growth" in $parts} growth
    if {"sql" in $parts} sql
    exit [expr {$failed > 0}]
}

::bench::main
