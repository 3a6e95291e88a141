# judge.tcl -- measures judging what is expected: tclsh judge.tcl BUILD TRACE. Prints a dict.
#
#   open                seconds of CPU time that opening the trace took
#   judged              what -> {seconds, bytes that the process had besides, at most}
#
# What: a number of statements of one kind, each about another one of the tasks; `model` has a constraint of time, of
# share and of count.

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
        model {
            {model m -each task} {state wait -initial} {state work -final} {on wait jobArrived work} {start begin} end
            {on work {enters completed} wait} {require elapsed(begin) <= 1000000000} {require running(begin) >= 0%}
            {require preemptions(begin) < 1000000} end end
        }
    }
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

# Opens the trace, and judges each kind of statement.
proc ::judge::main {build file} {
    variable kinds
    set dir $build
    source -encoding utf-8 [file join $build pkgIndex.tcl]
    package require tactus
    set before [cpu]
    set trace [::tactus::open $file]
    dict set result open [expr {[cpu] - $before}]
    set relation [$trace relation tasks]
    set tasks [lmap row [$relation rows 0 [$relation count]] {lindex $row 0}]
    $relation close
    foreach {what form} $kinds {
        foreach n [expr {$what eq "model" ? {1 10 100} : {1 100}}] {
            set statements [statements $tasks $form $n]
            forget
            set bytes [most]
            set before [cpu]
            $trace judge bench $statements -limit 0
            dict set result judged "$n $what" [list [expr {[cpu] - $before}] [expr {[most] - $bytes}]]
        }
    }
    puts $result
}

::judge::main {*}$argv
