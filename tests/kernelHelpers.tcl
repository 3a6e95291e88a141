# kernelHelpers.tcl -- kernel traces for tests, written as short lines of words; sourced after helpers.tcl.
#
#   TIME CPU PID event word ...             time in microseconds, and who runs there, as the beginning of the line says
#
#   waking|wakeup|new PID ?CPU?     switch PID STATE PID            migrate PID CPU     fork PID PID        exit PID
#   setprio PID OLD NEW             mark TEXT                       enter NAME ARGS     leave NAME RESULT
#   irq N NAME, irqend N            softirq NAME, softirqend NAME   timer, timerend     hrtimer NAME, hrtimerend
#   lost CPU N (without a beginning)    raw TEXT

namespace eval kernelText {
    namespace export told remarks
    variable names {0 swapper}
    variable priorities {0 120}
}

# Names and priorities of the threads of a test: {pid name priority ...}
proc kernelText::threads {list} {
    variable names {0 swapper}
    variable priorities {0 120}
    foreach {pid name priority} $list {
        dict set names $pid $name
        dict set priorities $pid $priority
    }
}

proc kernelText::name {pid} {
    variable names
    expr {[dict exists $names $pid] ? [dict get $names $pid] : "t$pid"}
}

proc kernelText::priority {pid} {
    variable priorities
    expr {[dict exists $priorities $pid] ? [dict get $priorities $pid] : 120}
}

# An event as trace-cmd report writes it, from its name on.
proc kernelText::words {cpu event words} {
    lassign $words a b c
    switch $event {
        waking - wakeup - new {
            set target [expr {$b eq {} ? $cpu : $b}]
            set event [dict get {waking sched_waking wakeup sched_wakeup new sched_wakeup_new} $event]
            return "$event: comm=[name $a] pid=$a prio=[priority $a] target_cpu=[format %03d $target]"
        }
        switch {
            return "sched_switch: prev_comm=[name $a] prev_pid=$a prev_prio=[priority $a] prev_state=$b ==>\
                next_comm=[name $c] next_pid=$c next_prio=[priority $c]"
        }
        migrate {return "sched_migrate_task: comm=[name $a] pid=$a prio=[priority $a] orig_cpu=$cpu dest_cpu=$b"}
        fork {return "sched_process_fork: comm=[name $a] pid=$a child_comm=[name $b] child_pid=$b"}
        exit {return "sched_process_exit: comm=[name $a] pid=$a prio=[priority $a]"}
        exec {return "sched_process_exec: filename=$b pid=$a old_pid=$a"}
        setprio {
            variable priorities
            dict set priorities $a $c
            return "sched_pi_setprio: comm=[name $a] pid=$a oldprio=$b newprio=$c"
        }
        mark {return "tracing_mark_write: [join $words]"}
        enter {return "sys_$a\([join [lrange $words 1 end]])"}
        leave {return "sys_$a -> $b"}
        irq {return "irq_handler_entry: irq=$a name=$b"}
        irqend {return "irq_handler_exit: irq=$a ret=handled"}
        softirq - softirqend {return "softirq_[dict get {softirq entry softirqend exit} $event]: vec=1 \[action=$a\]"}
        timer - timerend {return "local_timer_[dict get {timer entry timerend exit} $event]: vector=236"}
        hrtimer {return "hrtimer_expire_entry: hrtimer=00000000efed1160 function=$a now=1"}
        hrtimerend {return "hrtimer_expire_exit: hrtimer=00000000efed1160"}
        raw {return [join $words]}
    }
    error "no event $event"
}

# The text in the form of ftrace's file.
proc kernelText::make {lines} {
    set text "# tracer: nop\n#\n"
    foreach line [split $lines \n] {
        set line [string trim $line]
        if {$line eq {} || [string index $line 0] eq "#"} continue
        if {[lindex $line 0] eq "lost"} {
            append text "CPU:[lindex $line 1] \[LOST [lindex $line 2] EVENTS\]\n"
            continue
        }
        set words [lassign $line time cpu pid event]
        append text [format "%16s-%-7d \[%03d\] d..2. %5d.%06d: %s\n" [expr {$pid ? [name $pid] : "<idle>"}] $pid $cpu \
            [expr {100 + $time / 1000000}] [expr {$time % 1000000}] [words $cpu $event $words]]
    }
    return $text
}

# Opens it; the command of the trace.
proc kernelText::open {lines args} {
    tactus::openText [make $lines] {*}$args
}

# What it says, as {time event word ...}, times in microseconds; definitions are left out.
proc kernelText::events {trace {pattern *}} {
    set result {}
    foreach line [split [string trim [$trace dump]] \n] {
        set words [lassign $line command time]
        if {$command ne "plot" || ![string match $pattern $words]} continue
        lappend result [list [micro $time] {*}$words]
    }
    return $result
}

proc kernelText::micro {time} {
    scan [string map {. {}} [format %.6f $time]] %lld number
    expr {$number - 100000000}
}

# The events of a text, and nothing left behind.
proc kernelText::told {lines {pattern *} args} {
    set trace [open $lines {*}$args]
    try {join [events $trace $pattern] \n} finally {$trace close}
}

# Remarks as {severity kind line text}.
proc kernelText::remarks {lines args} {
    set trace [open $lines {*}$args]
    try {
        lmap remark [$trace diagnostics] {dict with remark {list $severity $kind $line $text}}
    } finally {
        $trace close
    }
}
