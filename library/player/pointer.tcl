# player/pointer.tcl -- what is at the pointer, in words: the tooltip's lines, which the status line writes as one.
#
#   pointer::lines VIEW FOUND   the lines about a dict that the timeline's `identify` or `hover` has returned; {}: none
#
# The first line names the thing, the others say since when, for how long, and what is to be known about it. A procedure
# for each kind of thing takes what the trace says (`$trace look`); player/units.tcl writes all lengths and times.

::tactus::need player/text player/units

namespace eval ::tactus::player::pointer {
    namespace path ::tactus::player
    # what an event is called, with %s for its job or task, %o for its object
    variable names {
        jobArrived "release of %s"  jobStarted "start of %s"  jobResumed "%s goes on"  jobPreempted "%s is preempted"
        jobBlocked "%s blocks"  jobReady "%s is ready"  jobCompleted "completion of %s"  jobDeadline "deadline of %s"
        jobAbandoned "%s is abandoned"  jobUnknown "%s: state not known from here"  jobAcquiredMutex "%s acquires %o"
        jobReleasedMutex "%s releases %o"  taskDeadline "deadline of %s"
        jobAcquiredSemaphore "%s acquires %o"  jobSuspendedOnSemaphore "%s waits for %o"
        jobReleasedSemaphore "%s releases %o"
        taskArrived "release of %s"  taskArrivedAndIgnored "release of %s, ignored"
    }
    # what a mark for many things stands for: one, several
    variable many {
        hold {"critical section" "critical sections"}  miss {"missed deadline" "missed deadlines"}
        jobArrived {arrow arrows}  jobDeadline {arrow arrows}  taskArrived {arrow arrows}
        taskArrivedAndIgnored {arrow arrows}  taskDeadline {arrow arrows}
        taskAnnotation {annotation annotations}  message {message messages}
        syncSent {"message between processors" "messages between processors"}
        syncReceived {"message between processors" "messages between processors"}
        interval {"begin of an interval" "begins of intervals"}
        jobPreempted {switch switches}  jobBlocked {switch switches}  jobCompleted {switch switches}
        jobStarted {migration migrations}  jobResumed {migration migrations}
    }
    # what happens to a server's budget
    variable points {
        serverReplenished replenished  serverDepleted depleted  serverResumed "begins to be consumed"
        serverPreempted "ceases to be consumed"
    }
}

proc ::tactus::player::pointer::lines {view found} {
    if {$found eq {} || [$view trace] eq {}} return
    set kind [dict get $found kind]
    if {[info procs [namespace current]::of_$kind] eq {}} return
    try {
        lmap line [of_$kind $view $found] {
            if {$line eq {}} continue
            text::visible $line 400
        }
    } trap TACTUS {} - trap {TCL LOOKUP} {} {
        # The trace was read anew since.
        return
    }
}

# ---- parts of lines --------------------------------------------------------------------------------------------------

proc ::tactus::player::pointer::fact {facts key} {text::valueOf $facts $key}

# A line of a dict's values, label by label, without those that are not known.
proc ::tactus::player::pointer::known {args} {
    join [lmap {label value} $args {
        if {$value eq {}} continue
        string trim "$label $value"
    }] ", "
}

proc ::tactus::player::pointer::when {view value} {
    if {$value ne {}} {units::time $view $value}
}

proc ::tactus::player::pointer::long {view value} {
    if {$value ne {}} {units::length $view $value}
}

# Do a name and an id say the same?
proc ::tactus::player::pointer::isSame {name id} {
    string equal -nocase [regsub -all {[^[:alnum:]]} $name {}] [regsub -all {[^[:alnum:]]} $id {}]
}

# A task's name, with its id where that says more: control (21277).
proc ::tactus::player::pointer::taskName {facts} {
    lassign [list [fact $facts task_name] [fact $facts task]] name id
    if {$name eq {}} {return $id}
    if {[isSame $name $id]} {string cat $name} else {string cat "$name ($id)"}
}

# A job's id; for one of a thread, whose task is called by a number, with the name: control.4 (21277).
proc ::tactus::player::pointer::jobName {facts} {
    lassign [list [fact $facts job] [fact $facts task] [fact $facts task_name]] job task name
    if {$name eq {} || [isSame $name $task]} {return $job}
    if {[string is digit -strict $task] && [string match $task.* $job]} {
        return "$name[string range $job [string length $task] end] ($task)"
    }
    return "$job of $name"
}

# The same of a task that is known by its id.
proc ::tactus::player::pointer::taskCalled {trace id time} {
    if {$id eq {}} return
    taskName [list task $id task_name [fact [$trace look task $id $time] name]]
}

proc ::tactus::player::pointer::mutexName {trace id time} {
    set name [fact [$trace look mutex $id $time] name]
    if {$name eq {}} {return $id} else {return $name}
}

proc ::tactus::player::pointer::nameOfJob {trace index} {
    if {![string is integer -strict $index]} {return $index}
    jobName [$trace look job $index]
}

# Release, deadline, and how near or far over it the job is.
proc ::tactus::player::pointer::deadlineLine {view job {release 1}} {
    set slack [fact $job slack]
    set late {}
    if {[string match -* $slack]} {
        set late "late by [long $view [string trimleft $slack -]]"
        set slack {}
    }
    known released [if {$release} {when $view [fact $job release]}] \
        deadline [when $view [fact $job deadline]] slack [long $view $slack] {} $late
}

# ---- jobs ------------------------------------------------------------------------------------------------------------

proc ::tactus::player::pointer::of_slice {view found} {
    bar $view $found [dict get $found index]
}

proc ::tactus::player::pointer::of_run {view found} {
    bar $view $found [dict get $found slice]
}

# A bar: a stretch of one state of a job.
proc ::tactus::player::pointer::bar {view found index} {
    set trace [$view trace]
    set slice [$trace look slice [dict get $found task] $index]
    set job [$trace look job [dict get $found job]]
    set state [fact $slice state]
    set end [expr {[fact $slice open] eq "1" ? "to the end of the recording" : "until [when $view [fact $slice end]]"}]
    list "[jobName $job]: $state [known for [long $view [fact $slice length]]]" \
        [known since [when $view [fact $slice begin]] {} $end on \
            [if {[fact $slice processor] ne "default"} {fact $slice processor}]] \
        [causeLine $trace $slice $job] \
        [deadlineLine $view $job] \
        [known response [long $view [fact $job response]] executed [long $view [fact $job execution]]]
}

# Who took the processor from the job, or what it waits for.
proc ::tactus::player::pointer::causeLine {trace slice job} {
    switch [fact $slice state] {
        preempted {
            set by [fact $slice preempter]
            if {$by ne {}} {return "preempted by [nameOfJob $trace $by]"}
        }
        blocked {
            set mutex [fact $slice mutex]
            if {$mutex eq {}} {return [unknownBlocker $trace $slice]}
            return [known "waits for" [mutexName $trace $mutex [fact $slice begin]] \
                "held by" [nameOfJob $trace [fact $slice holder_index]]]
        }
    }
    return
}

# What is known of a wait of which nothing says for whom: the semaphore, or what the trace says of the event.
proc ::tactus::player::pointer::unknownBlocker {trace slice} {
    set row [fact $slice row]
    if {$row eq {}} {return "by whom is not known"}
    set event [$trace look event $row]
    if {[fact $event semaphore] ne {}} {return "waits for [objectName $trace $event]"}
    known {} [optionOf $event -message] {} "by whom is not known"
}

proc ::tactus::player::pointer::of_hold {view found} {
    set trace [$view trace]
    set hold [$trace look hold [dict get $found task] [dict get $found index]]
    set job [$trace look job [dict get $found job]]
    set mutex [$trace look mutex [dict get $found mutex] [dict get $found begin]]
    set waiting [lrange [if {[string is list [fact $hold waiting]]} {fact $hold waiting}] 0 5]
    list "mutex [fact $mutex name]: held by [jobName $job] for [long $view [fact $hold length]]" \
        [known since [when $view [fact $hold begin]] \
            {} [expr {[fact $hold open] eq "1" ? "never released" : "until [when $view [fact $hold end]]"}]] \
        [expr {[llength $waiting] ? "waiting for it: [join [lmap one $waiting {nameOfJob $trace $one}] {, }]" : {}}]
}

# ---- events ----------------------------------------------------------------------------------------------------------

proc ::tactus::player::pointer::of_event {view found} {
    set trace [$view trace]
    set event [$trace look event [dict get $found event]]
    set name [dict get $found name]
    set job [fact $found job]
    set facts [expr {$job eq {} ? {} : [$trace look job $job]}]
    set who [if {$job eq {}} {taskCalled $trace [fact $event task] [fact $event time]} else {jobName $facts}]
    set time [fact $event time]
    set end [fact $event end]
    if {$name in {syncSent syncReceived}} {return [syncLines $view $event $name]}
    if {$name eq "jobDeadline" && [fact $facts deadline] ne {}} {set time [fact $facts deadline]}
    # What it is, when, and what belongs to it.
    list {*}[eventTitle $trace $name $event $who [fact $found text]] \
        [expr {$end in [list {} $time] ? "at [when $view $time]" : [units::range $view $time $end]}] \
        [targetLine $trace $name $event] \
        [expr {$facts eq {} ? {} : [deadlineLine $view $facts [expr {$name ne "jobArrived"}]]}]
}

# A message from one processor to another: when it was sent and received, and how long it was under way.
proc ::tactus::player::pointer::syncLines {view event name} {
    set ends [list syncSent {} syncReceived {}]
    dict set ends $name [when $view [fact $event time]]
    set other [fact $event other_end]
    if {$other ne {}} {
        dict set ends [expr {$name eq "syncSent" ? "syncReceived" : "syncSent"}] \
            [when $view [fact [[$view trace] look event $other] time]]
    }
    list "message [fact $event options] from [fact $event subject] to [fact $event object]" \
        [known sent [dict get $ends syncSent] received [dict get $ends syncReceived] \
            "under way" [long $view [fact $event transit]]] \
        [expr {$other eq {} ? [dict get {syncSent "never received" syncReceived "never sent"} $name] : {}}]
}

# The title of an event, and a line about it: its message, or what kind of text the title is.
proc ::tactus::player::pointer::eventTitle {trace name event who text} {
    variable names
    if {$name in {message taskAnnotation}} {
        set processor [if {[fact $event processor] ne "default"} {fact $event processor}]
        set kind [expr {$name eq "message" ? "message" : "annotation"}]
        return [list $text [known {} [expr {$who eq {} ? $kind : "$kind of $who"}] \
            from [optionOf $event -from] on $processor]]
    }
    set message [optionOf $event -message]
    # Others are called by their words: those of a program's own, relteq events.
    if {![dict exists $names $name]} {
        set about [if {[fact $event subject] ne $name} {string cat "[fact $event subject] [fact $event object]"}]
        return [list [string trim "$name [expr {$who eq {} ? $about : $who}]"] $message]
    }
    # Names may have a % of their own.
    list [string map [list %s $who %o [objectName $trace $event]] [dict get $names $name]] $message
}

# The name of the mutex that an event is about, else its object's id.
proc ::tactus::player::pointer::objectName {trace event} {
    set mutex [fact $event mutex]
    if {$mutex eq {}} {fact $event object} else {mutexName $trace $mutex [fact $event time]}
}

# The job that gets the processor.
proc ::tactus::player::pointer::targetLine {trace name event} {
    set target [fact $event target]
    if {$target eq {}} return
    return "[expr {$name eq {jobPreempted} ? {by} : {then runs}}] [nameOfJob $trace $target]"
}

proc ::tactus::player::pointer::optionOf {event option} {
    set options [fact $event options]
    if {[string is list $options] && [llength $options] % 2 == 0 && [dict exists $options $option]} {
        dict get $options $option
    }
}

# A mark for many things: what they are, and of which row, where they are not lines between rows.
proc ::tactus::player::pointer::of_merged {view found} {
    variable many
    set name [fact $found name]
    lassign {event events} one several
    if {[dict exists $many $name]} {lassign [dict get $many $name] one several}
    set count [dict get $found count]
    set row [fact $found row]
    set of [if {[lindex $row 0] eq "task" && $one ne "switch"} {
        taskCalled [$view trace] [lindex $row 1] [dict get $found time]
    }]
    list [string cat [text::counted $count $one $several] [expr {$of eq {} ? {} : " of $of"}] \
            [expr {$count == 1 ? {} : ", too close to be told apart"}]] \
        "zoom in to see [expr {$count == 1 ? {it} : {them}}]"
}

proc ::tactus::player::pointer::percent {part length} {
    return "[::tactus::format %.3g [expr {$length > 0 ? 100.0 * $part / $length : 0}]] %"
}

# A column of a density band: shares of the time of each state.
proc ::tactus::player::pointer::of_band {view found} {
    set length [::tactus::times::subtract [dict get $found end] [dict get $found begin]]
    set shares [lmap state {running waiting preempted blocked unknown} {
        set part [fact $found $state]
        if {$part eq {} || $part == 0} continue
        set late [expr {$state eq "running" ? [fact $found late] : {}}]
        string cat "$state [percent $part $length]" \
            [expr {$late in {{} 0} ? {} : " (late jobs [percent $late $length])"}]
    }]
    set jobs [fact $found count]
    set missed [fact $found missed]
    set misses [expr {$missed in {{} 0} ? {} : "[text::counted $missed deadline] missed"}]
    if {[fact $found group] ne {}} {
        return [list "group [dict get $found text], [text::counted [dict get $found rows] row]" \
            [units::range $view [dict get $found begin] [dict get $found end]] [join $shares ", "] \
            [known {} [expr {$jobs eq {} ? {} : "[text::counted $jobs job] in it"}] \
                {} $misses mostly [if {[fact $found busiest] ne {}} {[$view trace] called [fact $found busiest]}]]]
    }
    set kind [expr {[dict exists $found task] ? "task" : "processor"}]
    set id [dict get $found $kind]
    set name [fact [[$view trace] look $kind $id [dict get $found begin]] name]
    set what [if {$kind eq "task"} {taskName [list task $id task_name $name]} elseif {$name eq {}} {
        set id
    } else {set name}]
    list [known {} $what {} [expr {$jobs eq {} ? {} : "[text::counted $jobs job] in it"}]] \
        [units::range $view [dict get $found begin] [dict get $found end]] [join $shares ", "] \
        [known "worst response" [long $view [fact $found response]] \
            {} $misses]
}

# ---- objects ---------------------------------------------------------------------------------------------------------

proc ::tactus::player::pointer::of_task {view found} {
    set task [[$view trace] look task [dict get $found id] [timeOf $view $found]]
    list [taskName [list task [dict get $found id] task_name [fact $task name]]] \
        [known priority [fact $task priority] period [long $view [fact $task period]] \
            "relative deadline" [long $view [fact $task relative_deadline]] \
            "worst case" [long $view [fact $task wcet]]] \
        [known {} [text::counted [fact $task jobs_of_task] job] on [fact $task cpus]]
}

proc ::tactus::player::pointer::of_processor {view found} {
    set trace [$view trace]
    set processor [$trace look processor [dict get $found id] [timeOf $view $found]]
    set running [lmap job [fact $processor running] {nameOfJob $trace $job}]
    list "processor [fact $processor name]" \
        [expr {[dict get $found region] ne "plot" ? {} : [llength $running] ? "[join $running {, }] runs" : "idle"}] \
        [known busy [long $view [fact $processor busy]] {} "[text::counted [fact $processor switches] switch switches]"]
}

proc ::tactus::player::pointer::of_server {view found} {
    set server [[$view trace] look server [dict get $found id] [timeOf $view $found]]
    set inPlot [expr {[dict get $found region] eq "plot"}]
    list "server [if {[fact $server name] eq {}} {dict get $found id} else {fact $server name}]" \
        [expr {$inPlot ? "budget [long $view [fact $server budget]] at [when $view [dict get $found time]]" : {}}] \
        [expr {$inPlot ? [curvePoint $view $found] : {}}] \
        [known capacity [long $view [fact $server capacity]] period [long $view [fact $server period]]]
}

# Nothing is drawn there: in the row of a server, its budget is told all the same.
proc ::tactus::player::pointer::of_none {view found} {
    set key [dict get $found row]
    if {[dict get $found region] ne "plot" || [llength $key] != 2 || [lindex $key 0] ne "server"} return
    of_server $view [dict replace $found id [lindex $key 1]]
}

# The point of a server's curve that is nearest to the pointer, if it is within some pixels: what happened there, when,
# and the budget from then on.
proc ::tactus::player::pointer::curvePoint {view found} {
    variable points
    lassign [list [$view trace] [$view timeline] [dict get $found id]] trace timeline id
    set x [$timeline x [dict get $found time]]
    set reach [px 8]
    set time [::tactus::times::subtract [$timeline time [expr {round($x) - $reach}]] 1e-9]
    set nearest {}
    # Events follow one another by time; more than some within a few pixels cannot be told apart.
    for {set i 0} {$i < 16} {incr i} {
        set next [fact [$trace look server $id $time] next_event]
        if {$next eq {}} break
        set event [$trace look event $next]
        set time [dict get $event time]
        set away [expr {abs([$timeline x $time] - $x)}]
        if {[$timeline x $time] > $x + $reach} break
        if {$away <= $reach && ($nearest eq {} || $away < [lindex $nearest 0])} {set nearest [list $away $event]}
    }
    if {$nearest eq {}} return
    set event [lindex $nearest 1]
    set time [dict get $event time]
    set name [fact $event event]
    set what [if {[dict exists $points $name]} {dict get $points $name} else {string cat $name}]
    return "$what at [when $view $time], budget then [long $view [fact [$trace look server $id $time] budget]]"
}

proc ::tactus::player::pointer::of_buffer {view found} {
    list "buffer [dict get $found text]"
}

proc ::tactus::player::pointer::of_group {view found} {
    list "group [dict get $found text], [text::counted [dict get $found rows] row]" \
        [expr {[dict get $found folded] ? "folded: click shows its rows" : {}}]
}

# A time at which an object is asked about: that of the pointer in the plot; beside it there is none.
proc ::tactus::player::pointer::timeOf {view found} {
    if {[dict get $found region] eq "plot"} {return [dict get $found time]}
    lindex [[$view timeline] view] 0
}

# ---- over the picture ------------------------------------------------------------------------------------------------

# The flag of a marker, by which it is moved? At its line a drag selects, as elsewhere.
proc ::tactus::player::pointer::isFlag {found} {
    expr {[dict get $found kind] eq "marker" && ![dict exists $found line]}
}

proc ::tactus::player::pointer::of_marker {view found} {
    set name [dict get $found id]
    set time [[$view timeline] marker get $name]
    list [if {$name in {A B}} {string cat "marker $name"} else {dict get $found text}] "at [when $view $time]"
}

proc ::tactus::player::pointer::of_finding {view found} {
    if {![dict exists $found index]} {
        return [list "[fact $found severity]: a finding that is not listed" [known check [fact $found check]] \
            "at [when $view [fact $found begin]]"]
    }
    set finding [lindex [[$view trace] finding list] [dict get $found index]]
    set end [fact $finding end]
    list "[fact $finding severity]: [units::said $view [fact $finding sentence]]" "check [fact $finding check]" \
        [expr {$end in [list {} [fact $finding time]] ? "at [when $view [fact $finding time]]"
            : [units::range $view [fact $finding time] $end]}]
}

proc ::tactus::player::pointer::of_strip {view found} {
    list [dict get $found text] [units::range $view [dict get $found begin] [dict get $found end]]
}
