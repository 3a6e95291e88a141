# judge.tcl -- measures judging what is expected: tclsh judge.tcl BUILD TRACE. Prints a dict.
#
#   open                seconds of CPU time that opening the trace took
#   judged              what -> {seconds, bytes that the process had besides, at most}
#
# What: a number of statements of one kind, each about another one of the tasks. A model has a constraint of time, of
# share and of count; `model of all tasks` has instances of each. What is judged while the trace is opened, as `tactus
# check` does, takes the difference of two openings, the least of several each; `afterwards`: of the open trace.

package require Tcl 8.6

namespace eval ::judge {
    variable kinds {
        response {{response $task <= 1000000000}}
        max {{response $task max <= 1000000000}}
        event {{event {jobStarted $task} from 0 to 1000000}}
        count {{count {jobArrived $task} > 0}}
        order {{order {jobArrived $task} {jobStarted $other} {jobCompleted $task}}}
        state {{state $task running at 5000}}
        never {{never {running $task} while {running $other}}}
        stream {{stream {jobArrived $task} -distance 1 -gap 1000000000}}
    }
    variable body {
        {state wait -initial} {state work -final} {on wait jobArrived work} {start begin} end
        {on work {enters completed} wait} {require elapsed(begin) <= 1000000000} {require running(begin) >= 0%}
        {require preemptions(begin) < 1000000} end end
    }
    variable opening [dict create "model of all tasks" [linsert $body 0 {model m -each task}] \
        model [linsert $body 0 {model m -each task -of $task}] \
        chain {{chain c} {step one {job $task}} {step two {job $other}} {require latency <= 1000000000} end} \
        synchronize {{synchronize s -within 1000000000 {{jobArrived $task} {jobArrived $other}}}}]
    variable numbers {"model of all tasks" {1 10} model {1 100} chain {1 100} synchronize {1 100}}
}

# Seconds of CPU time of this process.
proc ::judge::cpu {} {
    set channel [open /proc/self/schedstat]
    set nanoseconds [lindex [read $channel] 0]
    close $channel
    expr {$nanoseconds / 1e9}
}

# The largest memory of the process since the last `forget`, in bytes.
proc ::judge::most {} {
    set channel [open /proc/self/status]
    regexp {VmHWM:\s*(\d+)} [read $channel] -> kilobytes
    close $channel
    expr {$kilobytes * 1024}
}

proc ::judge::forget {} {
    set channel [open /proc/self/clear_refs w]
    puts $channel 5
    close $channel
}

# n statements, each about another task and the one seven tasks after it.
proc ::judge::statements {tasks form n} {
    set result {}
    for {set i 0} {$i < $n} {incr i} {
        set task [lindex $tasks [expr {$i % [llength $tasks]}]]
        set other [lindex $tasks [expr {($i + 7) % [llength $tasks]}]]
        foreach words $form {lappend result [list line:$i [string map [list \$task $task \$other $other] $words]]}
    }
    return $result
}

# Opens the trace with these options, and judges these statements of it: {trace seconds bytes}. The caller closes it.
proc ::judge::opened {file statements args} {
    forget
    set before [cpu]
    set trace [::tactus::open $file {*}$args]
    if {$statements ne {}} {$trace judge bench $statements -limit 0}
    list $trace [expr {[cpu] - $before}] [most]
}

# What judging statements adds to opening the trace, in turn without and with them, as the speed of a machine changes:
# {seconds bytes opening}, differences of the least of all runs, and the least seconds of opening.
proc ::judge::added {file statements} {
    foreach run {1 2 3 4 5 6 7} {
        foreach {what options} [list without {{}} with [list $statements -expect [list $statements]]] {
            lassign [opened $file {*}$options] trace cpu most
            $trace close
            lappend seconds($what) $cpu
            lappend bytes($what) $most
        }
    }
    foreach values {seconds bytes} {
        lappend result [expr {max(0, [::tcl::mathfunc::min {*}[set ${values}(with)]]
            - [::tcl::mathfunc::min {*}[set ${values}(without)]])}]
    }
    lappend result [::tcl::mathfunc::min {*}$seconds(without)]
}

# Judges statements of a trace that is open: {seconds bytes}.
proc ::judge::judged {trace statements} {
    forget
    set bytes [most]
    set before [cpu]
    $trace judge bench $statements -limit 0
    list [expr {[cpu] - $before}] [expr {[most] - $bytes}]
}

# Opens the trace, and judges each kind of statement.
proc ::judge::main {build file} {
    variable kinds
    variable opening
    variable numbers
    set dir $build
    source -encoding utf-8 [file join $build pkgIndex.tcl]
    package require tactus
    foreach run {1 2 3 4 5} {
        if {$run > 1} {$trace close}
        lassign [opened $file {}] trace cpu
        lappend open $cpu
    }
    dict set result open [::tcl::mathfunc::min {*}$open]
    set relation [$trace relation tasks]
    set tasks [lmap row [$relation rows 0 [$relation count]] {lindex $row 0}]
    $relation close
    foreach {what form} $kinds {
        foreach n {1 100} {dict set result judged "$n $what" [judged $trace [statements $tasks $form $n]]}
    }
    foreach n {1 10} {
        set statements [statements $tasks [dict get $opening "model of all tasks"] $n]
        dict set result judged "$n model of all tasks, afterwards" [judged $trace $statements]
    }
    $trace close
    dict for {what form} $opening {
        foreach n [dict get $numbers $what] {
            dict set result judged "$n $what" [added $file [statements $tasks $form $n]]
        }
    }
    puts $result
}

::judge::main {*}$argv
