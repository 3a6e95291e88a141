# models.tcl -- measures how judging a model grows: tclsh models.tcl BUILD EVENTS. Prints a dict.
#
#   what -> {number seconds number seconds ...}
#
# What: `events` of the trace, 10^4 to EVENTS; and, on a tenth of EVENTS, `states` through which an instance goes,
# `constraints` at a transition, `kinds` and `words`: alternative transitions out of a state, for events of other kinds
# and for the same kind with other words, `tasks` that are followed; on a hundredth, `keys`: values of a field of which
# an instance lives at once.
#
# Seconds: CPU time of opening the trace with the model, less that of opening it with a model for which nothing happens;
# the least of several each.

package require Tcl 8.6

namespace eval ::models {
    variable file       ;# the trace that is measured
}

# Seconds of CPU time of this process.
proc ::models::cpu {} {
    set channel [open /proc/self/schedstat]
    set nanoseconds [lindex [read $channel] 0]
    close $channel
    expr {$nanoseconds / 1e9}
}

# The least time of opening the trace with these statements.
proc ::models::opened {statements} {
    variable file
    set list [list [lmap words $statements {list line:1 $words}]]
    set least inf
    foreach run {1 2 3 4 5} {
        set before [cpu]
        set trace [::tactus::open $file -expect $list]
        set least [expr {min($least, [cpu] - $before)}]
        $trace close
        if {$least > 5 && $run > 1} break
    }
    return $least
}

# What judging takes, by the number that the script puts into its statements.
proc ::models::measured {numbers script} {
    set idle [opened {{model idle} {state a -initial} {on a {resize nobody} a} end end}]
    set result {}
    foreach n $numbers {lappend result $n [format %.4f [expr {max([opened [{*}$script $n]] - $idle, 0.0001)}]]}
    return $result
}

# ---- models ----------------------------------------------------------------------------------------------------------

# A model of each task: from the release to the end of a job, with so many constraints.
proc ::models::constraints {n} {
    set kinds {{elapsed(v) <= 1000000000} {running(v) >= 0%} {preemptions(v) < 1000000} {blocked(v) < 1000000000}}
    for {set i 0} {$i < $n} {incr i} {lappend requires [list require [lindex $kinds [expr {$i % 4}]]]}
    concat {{model m -each task} {state wait -initial} {state work} {on wait jobArrived work} {start v} end
        {on work {enters completed} wait}} $requires {end end}
}

proc ::models::usual {n} {constraints 3}

# A ring of states, through which each task goes with its releases and completions.
proc ::models::states {n} {
    set statements {{model m -each task} {state s0 -initial}}
    for {set i 1} {$i < $n} {incr i} {lappend statements "state s$i"}
    for {set i 0} {$i < $n} {incr i} {
        set next s[expr {($i + 1) % $n}]
        lappend statements "on s$i jobArrived $next" {start v} end \
            "on s$i {enters completed} $next" {require elapsed(v) <= 1000000000} end
    }
    lappend statements end
}

# One transition that is taken, and others for events of other kinds.
proc ::models::kinds {n} {
    set statements {{model m -each task} {state a -initial} {on a jobCompleted a} {require now >= 0} end}
    set states {waiting running preempted blocked between unknown none}
    set others [concat [lmap state $states {list enters $state}] [lmap state $states {list leaves $state}] {jobPreempted
        jobBlocked jobReady jobUnknown taskArrived taskDeadline jobDeadline taskAnnotation processorUnknown push pop}]
    foreach event [lrange $others 0 [expr {$n - 2}]] {lappend statements [list on a $event -if {now < 0} a] end}
    lappend statements end
}

# The same, for events of the same kind with other words; one instance, since they are everybody's.
proc ::models::words {n} {
    set statements {{model m} {state a -initial}}
    for {set i 1} {$i < $n} {incr i} {lappend statements [list on a [list jobCompleted nobody$i] a] end}
    lappend statements {on a jobCompleted a} {require now >= 0} end end
}

proc ::models::keys {n} {
    return {{model m -key frame} {state a -initial} {state b} {on a {mark work*} b} {start v} end
        {on b {mark work*} b} {require elapsed(v) >= 0} {start v} end end}
}

# ---- all -------------------------------------------------------------------------------------------------------------

# A trace of so many marks, each with one of n values.
proc ::models::marks {path events n} {
    set channel [open $path w]
    puts $channel "newTask t"
    for {set i 0} {$i < $events} {incr i} {puts $channel "plot $i message {work frame=[expr {$i % $n}]} -task t"}
    close $channel
}

# Makes the traces, and measures each thing.
proc ::models::main {build events} {
    variable file [file join $build bench models.tactus]
    set dir $build
    source -encoding utf-8 [file join $build pkgIndex.tcl]
    package require tactus
    set generate [list exec [file join $build bench gentrace]]
    set some [expr {$events / 10}]
    for {set n 10000} {$n <= $events} {set n [expr {$n * 10}]} {
        {*}$generate $n -p 4 -t 60 >$file
        dict lappend result events {*}[measured $n ::models::usual]
    }
    {*}$generate $some -p 4 -t 60 >$file
    dict set result states [measured {2 4 8 16 32 64} ::models::states]
    dict set result constraints [measured {1 2 4 8 16 32 64} ::models::constraints]
    dict set result kinds [measured {1 2 4 8 16 25} ::models::kinds]
    dict set result words [measured {1 2 4 8 16 32 64 128} ::models::words]
    foreach n {12 25 50 100 200} {
        {*}$generate $some -p 4 -t $n >$file
        dict lappend result tasks {*}[measured $n ::models::usual]
    }
    foreach n {1 10 100 1000 10000} {
        marks $file [expr {$events / 100}] $n
        dict lappend result keys {*}[measured $n ::models::keys]
    }
    file delete $file
    puts $result
}

::models::main {*}$argv
