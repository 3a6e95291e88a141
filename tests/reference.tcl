# reference.tcl -- a second, slow and simple replay to compare the core with. Plain Tcl, written from the language's
# description and not from the C code: no shared helper, other data structures, everything looked up in logs.
#
#   set r [reference::play TEXT ?WATCH? ?BEFORE?]   TEXT: a flat trace, one command a line, numbers without exponents;
#                                     reference::close $r. WATCH: a command prefix that is called after each row with
#                                     the replay as it is then, and the number of the row; BEFORE: the same before it
#   reference::changes $r ROW         the changes of states in a row: a list of {index-of-job old new}, as they happened
#   reference::jobs $r                list of {id task processor release start completion response execution preempted
#                                     blocked preemptions migrations deadline lateness}, in order of release
#   reference::state $r ID T          {state processor} of what the job id stands for at T (processor: where it runs or
#                                     ran last before its completion)
#   reference::taskJob $r TASK T      index of the most telling job of the task at T, or ""
#   reference::running $r CPU T       indices of the jobs that run on the processor at T, in the order in which they
#                                     began
#   reference::holders $r MUTEX T     the same for holders of a mutex
#   reference::holds $r TASK          list of {begin end mutex job depth open}
#   reference::budget $r SERVER T     {budget consumers}
#   reference::semaphore $r ID T      count
#   reference::buffer $r ID T         {capacity element ...}
#   reference::event $r next|previous TASK T    line of that event, which is one that is drawn, or ""
#   reference::span $r                {begin end}
#   reference::measures $r            for each job, in that order: a dict of unknown stolen wakeup interarrival latency
#   reference::classes $r CPU FROM TO dict of busy idle isr softirq unknown: how long what of it is true in the window
#   reference::unknown $r TASK FROM TO    how long what some job of the task did is not known, of each such job
#   reference::times $r               all times of events, ascending, each once
#
# Times are decimals outside and whole ticks inside. A replay is a global array.

namespace eval reference {
    variable events definitions line
    variable count 0
    variable least 0                ;# decimals that times have at least
    namespace eval language {}
}

# ---- reading: the commands of the trace are procs that note what was said --------------------------------------------

foreach kind {Processor Task Server Mutex Semaphore Buffer} {
    proc reference::language::new$kind {id args} [string map [list KIND $kind] {
        lappend ::reference::definitions KIND $id $args
    }]
}

proc reference::language::newJob {id task args} {
    lappend ::reference::definitions Job $id [list -task $task {*}$args]
}

# What is set for the whole trace is of no importance here.
proc reference::language::unknown {args} {}
namespace eval reference::language {namespace unknown ::reference::language::unknown}

proc reference::language::plot {time event args} {
    lappend ::reference::events [list $time $event $args $::reference::line]
}

proc reference::language::bufferplot {time event args} {
    lappend ::reference::events [list $time buffer:$event $args $::reference::line]
}

proc reference::read {text} {
    variable events {}
    variable definitions {}
    variable line 0
    foreach command [split $text \n] {
        incr line
        namespace eval language $command
    }
}

# ---- numbers ---------------------------------------------------------------------------------------------------------

proc reference::decimals {number} {
    if {![regexp {\.(\d*?)0*$} $number -> digits]} {return 0}
    string length $digits
}

proc reference::ticks {number digits} {
    regexp {^(-?)(\d*)\.?(\d*)$} $number -> sign whole fraction
    set fraction [string range $fraction[string repeat 0 $digits] 0 $digits-1]
    set value [string trimleft $whole$fraction 0]
    if {$value eq {}} {return 0}
    return $sign$value
}

proc reference::decimal {ticks digits} {
    if {$ticks eq {}} {return {}}
    set sign [expr {$ticks < 0 ? "-" : ""}]
    set text [format %0*lld [expr {$digits + 1}] [expr {abs($ticks)}]]
    set whole [string range $text 0 end-$digits]
    set fraction [string trimright [string range $text end-[expr {$digits - 1}] end] 0]
    if {$digits == 0 || $fraction eq {}} {return $sign$whole}
    return $sign$whole.$fraction
}

# All numbers that are times or amounts of budget.
proc reference::allNumbers {} {
    variable events
    variable definitions
    set numbers {}
    foreach event $events {
        lappend numbers [lindex $event 0]
        if {[lindex $event 1] in {serverReplenished taskAnnotation}} {lappend numbers [lindex $event 2 1]}
    }
    foreach {kind id options} $definitions {
        foreach {option value} $options {
            if {$option in {-D -C -T} || ($kind eq "Server" && $option in {-capacity -budget})} {lappend numbers $value}
        }
    }
    return $numbers
}

# ---- what is defined -------------------------------------------------------------------------------------------------

# Replay state R, an array: see each part below. R(row) is the number of the row that is played, R(changes) a list of
# {row job old new}, R(moves) of {row job}: the job migrates.
proc reference::define {} {
    upvar 1 R R
    variable definitions
    array set R {processors {} tasks {}}
    foreach {kind id options} $definitions {
        set given [dict create {*}$options]
        switch $kind {
            Processor {lappend R(processors) $id}
            Task {
                lappend R(tasks) $id
                set R(cpu,$id) [get $given -processor]
                set R(name,$id) [get $given -name]
                set R(priority,$id) [expr {[dict exists $given -priority] ? [dict get $given -priority] : 0}]
                set kind [expr {[dict exists $given -kind] ? [dict get $given -kind] : "task"}]
                set R(several,$id) [expr {$kind eq "several"}]
                set R(kind,$id) [expr {$R(several,$id) ? "task" : $kind}]
                set R(D,$id) [expr {[dict exists $given -D] ? [ticks [dict get $given -D] $R(digits)] : {}}]
            }
            Job {
                set R(taskOf,$id) [dict get $given -task]
                set R(jobCpu,$id) [get $given -processor]
            }
            Server {
                set R(initial,$id) [ticks [expr {[dict exists $given -budget] ? [dict get $given -budget] : 0}] \
                    $R(digits)]
            }
            Buffer {set R(capacity,$id) [expr {[dict exists $given -capacity] ? [dict get $given -capacity] : 1}]}
        }
    }
}

proc reference::get {options name} {
    if {[dict exists $options $name]} {return [dict get $options $name]}
    return {}
}

proc reference::taskOf {id} {
    upvar 1 R R
    if {[info exists R(taskOf,$id)]} {return $R(taskOf,$id)}
    string range $id 0 [string last . $id]-1
}

# ---- jobs: each a number k; R(last,id) is the latest of an id; R(log,k) is a list of {time state processor} ----------

proc reference::newJob {id task t release announced} {
    upvar 1 R R
    set k $R(nJobs)
    incr R(nJobs)
    array set R [list id,$k $id task,$k $task begin,$k $t release,$k $release start,$k {} completion,$k {} \
        deadline,$k {} \
        preemptions,$k 0 migrations,$k 0 log,$k {} readies,$k {} mayHaveStarted,$k 0 ranOn,$k {} goes,$k $announced \
            absorb,$k {} last,$id $k]
    lappend R(ofId,$id) $k
    if {$announced eq {}} {set R(goes,$k) [home $id $task]}
    enter $k $t waiting
    return $k
}

# Where a job runs if nothing else is said.
proc reference::home {id task} {
    upvar 1 R R
    if {[info exists R(jobCpu,$id)] && $R(jobCpu,$id) ne {}} {return $R(jobCpu,$id)}
    if {$R(cpu,$task) ne {}} {return $R(cpu,$task)}
    if {[llength $R(processors)] == 1} {return [lindex $R(processors) 0]}
}

proc reference::enter {k t state} {
    upvar 1 R R
    set before [expr {[info exists R(state,$k)] ? $R(state,$k) : "none"}]
    if {$state ne $before} {lappend R(changes) [list $R(row) $k $before $state]}
    set R(state,$k) $state
    lappend R(log,$k) [list $t $state $R(ranOn,$k)]
}

# The job that an event about id is about: its latest, or one that begins now without an arrival: also when the latest
# was abandoned.
proc reference::job {id t} {
    upvar 1 R R
    if {[info exists R(last,$id)] && $R(state,$R(last,$id)) ne "none"} {return $R(last,$id)}
    newJob $id [taskOf $id] $t {} {}
}

# Was the latest job of the id abandoned? Then what stops a job means nothing.
proc reference::abandoned? {id} {
    upvar 1 R R
    expr {[info exists R(last,$id)] && $R(state,$R(last,$id)) eq "none"}
}

proc reference::started? {k} {
    upvar 1 R R
    expr {$R(start,$k) ne {} || $R(mayHaveStarted,$k)}
}

proc reference::complete? {k} {
    upvar 1 R R
    expr {$R(completion,$k) ne {}}
}

proc reference::on:jobArrived {t args} {
    upvar 1 R R
    set options [lassign $args id task]
    set cpu [get $options -processor]
    set R(taskOf,$id) $task
    if {[info exists R(last,$id)]} {
        set k $R(last,$id)
        if {$R(release,$k) eq {} && ![complete? $k] && ![abandoned? $id] && $R(begin,$k) == $t} {
            set R(release,$k) $t
            if {$cpu ne {} && $R(state,$k) ne "running"} {set R(goes,$k) $cpu}
            return
        }
        if {![complete? $k]} {enter $k $t none}
        if {$R(state,$k) eq "between"} {enter $k $t completed}
    }
    newJob $id $task $t $t $cpu
}

# A job that is started where it runs already is left alone; elsewhere it begins a new slice.
proc reference::on:jobStarted {t id args} {
    upvar 1 R R
    set k [job $id $t]
    set cpu [get $args -processor]
    foreach other [list $R(goes,$k) $R(ranOn,$k) default] {
        if {$cpu eq {}} {set cpu $other}
    }
    set runs [expr {$R(state,$k) in {running between}}]
    if {$runs && $cpu eq $R(ranOn,$k)} return
    set R(absorb,$k) [expr {$runs ? $t : {}}]
    if {![complete? $k]} {
        if {$R(ranOn,$k) ni [list {} default $cpu] && $cpu ne "default"} {
            incr R(migrations,$k)
            lappend R(moves) [list $R(row) $k]
        }
        if {![started? $k]} {set R(start,$k) $t}
    }
    # Work between jobs of a task lasts until one of its jobs runs.
    set task $R(task,$k)
    if {[info exists R(between,$task)] && $R(between,$task) ne $k && $R(state,$R(between,$task)) eq "between"} {
        enter $R(between,$task) $t completed
    }
    if {[complete? $k]} {set R(between,$task) $k}
    set R(ranOn,$k) $cpu
    set R(goes,$k) {}
    enter $k $t [expr {[complete? $k] ? "between" : "running"}]
    if {$R(kind,$task) eq "task"} {lappend R(unknownLog,$cpu) $t 0}
}

proc reference::on:jobResumed {args} {
    upvar 1 R R
    on:jobStarted {*}$args
}

proc reference::on:jobPreempted {t id args} {
    upvar 1 R R
    if {[abandoned? $id]} return
    set k [job $id $t]
    set cpu [get $args -processor]
    if {$R(state,$k) in {running between} && $R(absorb,$k) eq $t} {
        set R(absorb,$k) {}
        return
    }
    if {$R(state,$k) eq "between"} {enter $k $t completed}
    if {[complete? $k]} return
    if {$cpu ne {}} {set R(goes,$k) $cpu}
    switch $R(state,$k) {
        running {
            incr R(preemptions,$k)
            enter $k $t preempted
        }
        blocked - unknown {enter $k $t [expr {[started? $k] ? "preempted" : "waiting"}]}
    }
}

proc reference::on:jobReady {t id args} {
    upvar 1 R R
    if {![abandoned? $id]} {job $id $t}
    set k $R(last,$id)
    lappend R(readies,$k) $t
    if {[complete? $k] || [abandoned? $id]} return
    set cpu [get $args -processor]
    if {$cpu ne {}} {set R(goes,$k) $cpu}
    if {$R(state,$k) in {blocked unknown}} {enter $k $t [expr {[started? $k] ? "preempted" : "waiting"}]}
}

proc reference::on:jobUnknown {t id args} {
    upvar 1 R R
    if {[abandoned? $id]} return
    set k [job $id $t]
    if {$R(state,$k) eq "between"} {enter $k $t completed}
    if {[complete? $k] || $R(state,$k) eq "unknown"} return
    set cpu [get $args -processor]
    if {$cpu ne {}} {set R(goes,$k) $cpu}
    if {$R(start,$k) eq {}} {set R(mayHaveStarted,$k) 1}
    enter $k $t unknown
}

proc reference::on:jobAbandoned {t id args} {
    upvar 1 R R
    if {[abandoned? $id]} return
    on:jobUnknown $t $id {*}$args
    if {$R(state,$R(last,$id)) eq "unknown"} {enter $R(last,$id) $t none}
}

proc reference::on:processorUnknown {t cpu} {
    upvar 1 R R
    lappend R(unknownLog,$cpu) $t 1
}

proc reference::on:processorIdle {t cpu} {
    upvar 1 R R
    lappend R(unknownLog,$cpu) $t 0
}

proc reference::on:jobBlocked {t id args} {
    upvar 1 R R
    if {[abandoned? $id]} return
    set k [job $id $t]
    if {$R(state,$k) eq "between"} {enter $k $t completed}
    if {![complete? $k] && $R(state,$k) ne "blocked"} {enter $k $t blocked}
}

proc reference::on:jobCompleted {t id args} {
    upvar 1 R R
    if {[abandoned? $id]} return
    set k [job $id $t]
    if {$R(state,$k) eq "between"} {enter $k $t completed}
    if {[complete? $k]} return
    set R(completion,$k) $t
    if {$R(ranOn,$k) ne {}} {set R(goes,$k) {}}
    enter $k $t completed
}

proc reference::on:jobDeadline {t id args} {
    upvar 1 R R
    lappend R(deadlines) [list $t $id]
}

# ---- mutexes: R(hold,n) is {begin end mutex job depth open}; R(holding,id) is a list of such numbers -----------------

proc reference::on:jobAcquiredMutex {t id mutex args} {
    upvar 1 R R
    set k [job $id $t]
    if {![info exists R(holding,$id)]} {set R(holding,$id) {}}
    foreach n $R(holding,$id) {
        if {[lindex $R(hold,$n) 2] ne $mutex} continue
        if {[lindex $R(hold,$n) 3] == $k} return
        endHold $id $n $t
    }
    set n $R(nHolds)
    incr R(nHolds)
    set R(hold,$n) [list $t {} $mutex $k [llength $R(holding,$id)] 1]
    lappend R(holding,$id) $n
}

proc reference::endHold {id n t} {
    upvar 1 R R
    lset R(hold,$n) 1 $t
    lset R(hold,$n) 5 0
    set at [lsearch -exact $R(holding,$id) $n]
    set R(holding,$id) [lreplace $R(holding,$id) $at $at]
}

proc reference::on:jobReleasedMutex {t id mutex args} {
    upvar 1 R R
    job $id $t
    if {![info exists R(holding,$id)]} return
    foreach n $R(holding,$id) {
        if {[lindex $R(hold,$n) 2] eq $mutex} {endHold $id $n $t}
    }
}

# ---- servers, semaphores, buffers: logs ------------------------------------------------------------------------------

proc reference::serverEvent {t server change} {
    upvar 1 R R
    lassign [budgetAt $R(points,$server) $t] budget consumers
    eval $change
    lappend R(points,$server) [list $t $budget $consumers]
}

proc reference::on:serverReplenished {t server amount args} {
    upvar 1 R R
    serverEvent $t $server [list set budget [expr {max(0, [ticks $amount $R(digits)])}]]
}
proc reference::on:serverDepleted {t server args} {
    upvar 1 R R
    serverEvent $t $server {set budget 0}
}
proc reference::on:serverResumed {t server args} {
    upvar 1 R R
    serverEvent $t $server {incr consumers}
}
proc reference::on:serverPreempted {t server args} {
    upvar 1 R R
    serverEvent $t $server {if {$consumers > 0} {incr consumers -1}}
}

proc reference::budgetAt {points t} {
    lassign [lindex $points 0] since budget consumers
    foreach point $points {
        if {[lindex $point 0] > $t} break
        lassign $point since budget consumers
    }
    if {$t < $since} {return [list $budget 0]}
    list [expr {$budget - $consumers * ($t - $since)}] $consumers
}

proc reference::semaphoreEvent {t id semaphore change options} {
    upvar 1 R R
    job $id $t
    set count [expr {[info exists R(counts,$semaphore)] ? [lindex $R(counts,$semaphore) end 1] : 0}]
    incr count $change
    if {[dict exists $options -state]} {set count [dict get $options -state]}
    lappend R(counts,$semaphore) [list $t $count]
}

proc reference::on:jobAcquiredSemaphore {t id semaphore args} {
    upvar 1 R R
    semaphoreEvent $t $id $semaphore -1 $args
}
proc reference::on:jobReleasedSemaphore {t id semaphore args} {
    upvar 1 R R
    semaphoreEvent $t $id $semaphore 1 $args
}
proc reference::on:jobSuspendedOnSemaphore {t id semaphore args} {
    upvar 1 R R
    semaphoreEvent $t $id $semaphore 0 $args
}

proc reference::bufferEvent {t buffer op args} {
    upvar 1 R R
    lappend R(buffer,$buffer) [list $t $op {*}$args]
}

# ---- the pass --------------------------------------------------------------------------------------------------------

# Reads a trace and plays it to the end; the name of what came of it.
proc reference::play {text {watch {}} {before {}}} {
    variable events
    variable count
    variable least
    set replay ::reference::replay[incr count]
    upvar #0 $replay R
    read $text
    array set R [list nJobs 0 nHolds 0 deadlines {} digits $least row -1 changes {} moves {}]
    foreach number [allNumbers] {set R(digits) [expr {max($R(digits), [decimals $number])}]}
    define
    set rows {}
    foreach event $events {
        lassign $event time name words line
        lappend rows [list [ticks $time $R(digits)] $name $words $line]
    }
    # lsort is stable: equal times keep the order of the file.
    set R(rows) [lsort -integer -index 0 $rows]
    findSpan
    foreach name [array names R initial,*] {
        set R(points,[string range $name 8 end]) [list [list $R(begin) $R($name) 0]]
    }
    foreach row $R(rows) {
        lassign $row t name words
        incr R(row)
        if {$before ne {}} {{*}$before $replay $R(row)}
        if {[string match buffer:* $name]} {
            bufferEvent $t [lindex $words 0] [string range $name 7 end] {*}[lrange $words 1 end]
        } elseif {[info procs on:$name] ne {}} {
            on:$name $t {*}$words
        }
        if {$watch ne {}} {{*}$watch $replay $R(row)}
    }
    settleDeadlines
    return $replay
}

proc reference::close {r} {
    unset $r
}

proc reference::findSpan {} {
    upvar 1 R R
    set times {}
    foreach row $R(rows) {
        if {[lindex $row 1] ni {jobDeadline taskDeadline taskAnnotation}} {lappend times [lindex $row 0]}
    }
    if {$times eq {}} {set times [expr {[llength $R(rows)] ? [lindex $R(rows) 0 0] : 0}]}
    set R(begin) [lindex $times 0]
    set R(end) [lindex $times end]
}

proc reference::settleDeadlines {} {
    upvar 1 R R
    foreach pair $R(deadlines) {
        lassign $pair d id
        if {![info exists R(ofId,$id)]} continue
        set owner [lindex $R(ofId,$id) 0]
        foreach k $R(ofId,$id) {
            if {$R(begin,$k) < $d} {set owner $k}
        }
        set R(deadline,$owner) $d
    }
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        if {$R(deadline,$k) eq {} && $R(release,$k) ne {} && $R(D,$R(task,$k)) ne {}} {
            set R(deadline,$k) [expr {$R(release,$k) + $R(D,$R(task,$k))}]
        }
    }
}

# ---- answers ---------------------------------------------------------------------------------------------------------

proc reference::span {r} {
    upvar #0 $r R
    list [decimal $R(begin) $R(digits)] [decimal $R(end) $R(digits)]
}

proc reference::times {r} {
    upvar #0 $r R
    set times {}
    foreach row $R(rows) {
        if {[lindex $row 0] ne [lindex $times end]} {lappend times [lindex $row 0]}
    }
    lmap t $times {decimal $t $R(digits)}
}

# Time that job k spends in a state, up to the end of the recording.
proc reference::spent {k state} {
    upvar 1 R R
    set sum 0
    foreach entry $R(log,$k) next [lrange $R(log,$k) 1 end] {
        if {[lindex $entry 1] ne $state} continue
        set until [expr {$next eq {} ? $R(end) : [lindex $next 0]}]
        incr sum [expr {$until - [lindex $entry 0]}]
    }
    return $sum
}

proc reference::minus {a b} {
    expr {$a eq {} || $b eq {} ? {} : $a - $b}
}

proc reference::jobs {r} {
    upvar #0 $r R
    set list {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        set row [list $R(id,$k) $R(task,$k) [expr {$R(ranOn,$k) ne {} ? $R(ranOn,$k) : $R(goes,$k)}]]
        foreach value [list $R(release,$k) $R(start,$k) $R(completion,$k) [minus $R(completion,$k) $R(release,$k)] \
            [spent $k running] [spent $k preempted] [spent $k blocked]] {
            lappend row [decimal $value $R(digits)]
        }
        lappend row $R(preemptions,$k) $R(migrations,$k) [decimal $R(deadline,$k) $R(digits)] \
            [decimal [minus $R(completion,$k) $R(deadline,$k)] $R(digits)]
        lappend list $row
    }
    return $list
}

proc reference::changes {r row} {
    upvar #0 $r R
    lmap change $R(changes) {
        if {[lindex $change 0] != $row} continue
        lrange $change 1 end
    }
}

# ---- statistics: everything is asked anew for each stretch between two events, in which nothing changes --------------

# Stretches of the recording within [from, to] (ticks; {}: its own ends), each {begin end}.
proc reference::stretches {from to} {
    upvar 1 R R
    if {$from eq {} || $from < $R(begin)} {set from $R(begin)}
    if {$to eq {} || $to > $R(end)} {set to $R(end)}
    set times [list $from $to]
    foreach row $R(rows) {
        if {[lindex $row 0] > $from && [lindex $row 0] < $to} {lappend times [lindex $row 0]}
    }
    set times [lsort -integer -unique $times]
    lmap begin [lrange $times 0 end-1] end [lrange $times 1 end] {list $begin $end}
}

# What each job does in these stretches: a list of {state cpu} for each job.
proc reference::doings {stretches} {
    upvar 1 R R
    set all {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        set list {}
        set now {none {}}
        set next 0
        foreach stretch $stretches {
            while {$next < [llength $R(log,$k)] && [lindex $R(log,$k) $next 0] <= [lindex $stretch 0]} {
                set now [lrange [lindex $R(log,$k) $next] 1 end]
                incr next
            }
            lappend list $now
        }
        lappend all $list
    }
    return $all
}

# The kinds of tasks of which a job runs on the processor in stretch i.
proc reference::kindsOn {cpu i doings} {
    upvar 1 R R
    set kinds {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        lassign [lindex $doings $k $i] state where
        if {$state in {running between} && $where eq $cpu} {lappend kinds $R(kind,$R(task,$k))}
    }
    return $kinds
}

proc reference::isUnknown {cpu t} {
    upvar 1 R R
    set unknown 0
    if {![info exists R(unknownLog,$cpu)]} {return 0}
    foreach {when value} $R(unknownLog,$cpu) {
        if {$when <= $t} {set unknown $value}
    }
    return $unknown
}

proc reference::classes {r cpu from to} {
    upvar #0 $r R
    array set sums {busy 0 idle 0 isr 0 softirq 0 unknown 0}
    set stretches [stretches [ticks $from $R(digits)] [ticks $to $R(digits)]]
    set doings [doings $stretches]
    set i 0
    foreach stretch $stretches {
        lassign $stretch begin end
        set kinds [kindsOn $cpu $i $doings]
        incr i
        set classes [expr {$kinds ne {} ? "busy" : [isUnknown $cpu $begin] ? "unknown" : "idle"}]
        if {"isr" in $kinds} {lappend classes isr} elseif {"softirq" in $kinds} {lappend classes softirq}
        foreach class $classes {incr sums($class) [expr {$end - $begin}]}
    }
    lmap {class sum} [array get sums] {set sums($class) [decimal $sum $R(digits)]}
    array get sums
}

proc reference::unknown {r task from to} {
    upvar #0 $r R
    set stretches [stretches [ticks $from $R(digits)] [ticks $to $R(digits)]]
    set sum 0
    set k 0
    foreach doing [doings $stretches] {
        if {$R(task,$k) eq $task} {
            foreach now $doing stretch $stretches {
                if {[lindex $now 0] eq "unknown"} {incr sum [expr {[lindex $stretch 1] - [lindex $stretch 0]}]}
            }
        }
        incr k
    }
    decimal $sum $R(digits)
}

# From the release to the first jobReady, when that comes while the job waits for its start.
proc reference::wakeup {k} {
    upvar 1 R R
    if {$R(release,$k) eq {}} return
    set until $R(start,$k)
    foreach entry $R(log,$k) {
        if {$until eq {} && [lindex $entry 1] in {unknown completed}} {set until [lindex $entry 0]}
    }
    foreach t $R(readies,$k) {
        if {$t >= $R(release,$k) && ($until eq {} || $t <= $until)} {return [expr {$t - $R(release,$k)}]}
    }
}

# What is measured of each job: dicts, in the order of the jobs.
proc reference::measures {r} {
    upvar #0 $r R
    set list {}
    set stretches [stretches {} {}]
    set doings [doings $stretches]
    for {set i 0} {$i < [llength $stretches]} {incr i} {
        foreach cpu [concat $R(processors) default] {
            set kinds [kindsOn $cpu $i $doings]
            set stolen($cpu,$i) [expr {"isr" in $kinds || "softirq" in $kinds}]
        }
    }
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        set task $R(task,$k)
        set sum 0
        set i 0
        foreach now [lindex $doings $k] stretch $stretches {
            lassign $now state where
            if {$R(kind,$task) eq "task" && $state eq "running" && $stolen($where,$i)} {
                incr sum [expr {[lindex $stretch 1] - [lindex $stretch 0]}]
            }
            incr i
        }
        set between [expr {[info exists last($task)] ? [minus $R(release,$k) $last($task)] : {}}]
        set last($task) $R(release,$k)
        set row [dict create unknown [spent $k unknown] stolen $sum wakeup [wakeup $k] interarrival $between \
            latency [minus $R(start,$k) $R(release,$k)]]
        lappend list [dict map {name value} $row {decimal $value $R(digits)}]
    }
    return $list
}

# {state processor} of job k at tick t.
proc reference::stateOf {k t} {
    upvar 1 R R
    set found {none {}}
    foreach entry $R(log,$k) {
        if {[lindex $entry 0] > $t} break
        set found [lrange $entry 1 end]
    }
    if {[lindex $found 0] eq "none"} {return {none {}}}
    return $found
}

proc reference::state {r id t} {
    upvar #0 $r R
    set t [ticks $t $R(digits)]
    set found none
    if {[info exists R(ofId,$id)]} {
        foreach k $R(ofId,$id) {
            if {$R(begin,$k) <= $t} {set found $k}
        }
    }
    if {$found eq "none"} {return {none {}}}
    stateOf $found $t
}

proc reference::taskJob {r task t} {
    upvar #0 $r R
    set t [ticks $t $R(digits)]
    foreach wanted {running between preempted blocked unknown waiting} {
        for {set k 0} {$k < $R(nJobs)} {incr k} {
            if {$R(task,$k) eq $task && [lindex [stateOf $k $t] 0] eq $wanted} {return $k}
        }
    }
}

proc reference::running {r cpu t} {
    upvar #0 $r R
    set t [ticks $t $R(digits)]
    set found {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        lassign [stateOf $k $t] state where
        if {$state in {running between} && $where eq $cpu} {lappend found $k}
    }
    lsort -integer $found
}

proc reference::holders {r mutex t} {
    upvar #0 $r R
    set t [ticks $t $R(digits)]
    set found {}
    for {set n 0} {$n < $R(nHolds)} {incr n} {
        lassign $R(hold,$n) begin end name k
        if {$name eq $mutex && $begin <= $t && ($end eq {} || $t < $end)} {lappend found $k}
    }
    return $found
}

proc reference::holds {r task} {
    upvar #0 $r R
    set list {}
    for {set n 0} {$n < $R(nHolds)} {incr n} {
        lassign $R(hold,$n) begin end mutex k depth open
        if {$R(task,$k) ne $task} continue
        if {$end eq {}} {set end $R(end)}
        lappend list [list [decimal $begin $R(digits)] [decimal $end $R(digits)] $mutex $k $depth $open]
    }
    return $list
}

proc reference::budget {r server t} {
    upvar #0 $r R
    lassign [budgetAt $R(points,$server) [ticks $t $R(digits)]] budget consumers
    list [decimal $budget $R(digits)] $consumers
}

proc reference::semaphore {r id t} {
    upvar #0 $r R
    set t [ticks $t $R(digits)]
    set count 0
    if {![info exists R(counts,$id)]} {return 0}
    foreach entry $R(counts,$id) {
        if {[lindex $entry 0] <= $t} {set count [lindex $entry 1]}
    }
    return $count
}

proc reference::buffer {r id t} {
    upvar #0 $r R
    set t [ticks $t $R(digits)]
    set capacity $R(capacity,$id)
    set data {}
    if {![info exists R(buffer,$id)]} {return $capacity}
    foreach entry $R(buffer,$id) {
        lassign $entry when op a b
        if {$when > $t} break
        switch $op {
            push - write {lappend data $a}
            pop - read {set data [lrange $data 1 end]}
            insert {set data [linsert $data [expr {min(max($b, 0), [llength $data])}] $a]}
            drop {if {$a >= 0 && $a < [llength $data]} {set data [lreplace $data $a $a]}}
            resize {set capacity $a}
        }
    }
    list $capacity {*}$data
}

proc reference::event {r direction task t} {
    upvar #0 $r R
    set t [ticks $t $R(digits)]
    set found {}
    foreach row $R(rows) {
        lassign $row when name words line
        if {$name eq "jobArrived"} {
            set owner [lindex $words 1]
        } elseif {[string match job* $name]} {
            set owner [taskOf [lindex $words 0]]
        } elseif {[string match task* $name]} {
            set owner [lindex $words 0]
        } elseif {$name eq "message"} {
            set owner [get [lrange $words 1 end] -task]
        } else continue
        if {$owner ne $task || "-hidden" in $words || "none" in $words} continue
        if {$direction eq "next" && $when > $t} {return $line}
        if {$direction eq "previous" && $when < $t} {set found $line}
    }
    return $found
}
