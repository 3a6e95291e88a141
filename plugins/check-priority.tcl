# check-priority.tcl -- the check "priority": no job waits for a less urgent one, other than for a mutex.
#
#   inversion  invalid  a job was ready while a less urgent one ran on a processor that it could have used
#   deadline   invalid  the same, by earliest deadlines: one with a later deadline ran
#   preempted  invalid  a job was preempted by one that its preemption threshold keeps away
#   order      invalid  of two jobs of the same priority under fifo, the one that was ready later ran
#   unbounded  invalid  a job was blocked on a mutex while a less urgent job, which does not hold it, kept the holder
#                       from running
#   blocking   valid    a note for each task and mutex: how often and how long its jobs waited for the holders
#   latency    valid    a note for recordings of running systems: for how long less urgent jobs went on until a switch
#   stated     valid    a note: the policy by which was judged, as the trace states it
#   supposed            the same where the trace states none; see below
#
# A stretch in which a task or processor is in an unknown state is uncertain. Inversions are warnings.
#
# Where a trace states no policy, a cluster of processors is judged by fixed priorities (-priority, lower values are
# more urgent). If that finds inversions, other policies are tried there: earliest deadlines, greater values more
# urgent, jobs that are not preempted, preemption thresholds. Earliest deadlines are taken for the policy if they leave
# no inversion and fixed priorities three or more, or none but more ties: times at which they do not say which of two
# jobs comes first. Otherwise, if another policy leaves no inversion and fixed priorities do, the check is uncertain and
# says what the trace should state; but a single inversion in a few decisions, in all clusters, counts as one.
#
#   --scheduler POLICY         the policy where the trace states none
#   --priorityTolerance TIME   inversions up to this length are not reported, since switching takes time
#   --switchTolerance TIME     in the recording of a running system, a less urgent job that ran already when another
#                              became ready may go on for so long
#   --priorityOrder low|high   which values are more urgent

plugin check-priority -title "Check: priorities" \
    -help "no job waits while a less urgent one runs, other than by a held mutex"
option scheduler -words {auto fp fifo rr edf fair} -default auto \
    -help "the policy by which the check priority judges where a trace states none; auto: it is found out"
option priorityTolerance -type time -default 0 \
    -help "priority inversions up to this long are not reported by the check priority"
option switchTolerance -type time -default 0.001 \
    -help "time for which a job may go on after a more urgent one became ready, in recordings of running systems"
option priorityOrder -words {low high} -default low \
    -help "values of -priority that are more urgent, for the check priority"
check priority -title "Priorities" -needs jobs -start judge -advice {
    invalid "See who ran instead. If that is right, state -scheduler of the processor, -priority, -cpus of the tasks."
    uncertain "Something was not recorded here: record without losses (larger buffers), or judge a time without gaps."
} -help "a ready job waits while a less urgent one runs: priority inversions"

# Policies that are tried where fixed priorities leave inversions: the options of the audit, and how to say it.
variable others {
    {{-scheduler edf} "earliest deadlines" "newProcessor -scheduler edf"}
    {{-scheduler fp -urgent high} "fixed priorities where greater values of -priority are the more urgent ones"
        "--priorityOrder high"}
    {{-scheduler fp -nonpreemptive 1} "fixed priorities without preemption" "newProcessor -nonpreemptive"}
    {{-scheduler edf -nonpreemptive 1} "earliest deadlines without preemption"
        "newProcessor -scheduler edf -nonpreemptive"}
    {{-scheduler fp -thresholds 1} "fixed priorities with preemption thresholds" "newTask -threshold"}
    {{-scheduler fp -urgent high -thresholds 1}
        "fixed priorities with preemption thresholds, where greater values are the more urgent ones"
        "--priorityOrder high, newTask -threshold"}
    {{-scheduler edf -thresholds 1} "earliest deadlines with preemption thresholds"
        "newProcessor -scheduler edf, newTask -threshold"}
}
# Policies in words.
variable policies {fp "fixed priorities" fifo "fixed priorities, in order of time (fifo)"
    rr "fixed priorities, by turns (rr)" edf "earliest deadlines" fair "no order (fair)"
    {} "the policies of the tasks"}

# The facts by a policy, as a relation that the caller closes.
proc ask {supposed args} {
    audit priority -format relation -tolerance [option get priorityTolerance] -latency [option get switchTolerance] \
        -urgent [option get priorityOrder] {*}$supposed {*}$args
}

# The clusters of a result: a dict by cluster of dicts fact (stated or supposed), scheduler, count (decisions),
# inversions, ties. These facts are about the trace as a whole, so they come first.
proc clusters {result} {
    set relation [dict get $result facts]
    set clusters {}
    for {set first 0} {$first < [$relation count]} {incr first 100} {
        foreach row [$relation dicts $first 100] {
            if {[dict get $row fact] ni {stated supposed}} {return $clusters}
            dict set clusters [dict get $row cluster] $row
        }
    }
    return $clusters
}

# Forgets the facts of a result.
proc done {result} {
    [dict get $result facts] close
}

proc judge {trace} {
    set auto [expr {[option get scheduler] eq "auto"}]
    set result [ask [list -scheduler [expr {$auto ? "fp" : [option get scheduler]}]]]
    if {$auto && ![dict get $result applicable]} {
        done $result
        set result [ask {-scheduler edf}]
        if {[inversions $result]} {dict set result applicable 0}
    }
    try {
        if {[dict get $result applicable]} {judgeBy $result $auto} else {report inapplicable}
    } finally {
        done $result
    }
}

# Judges by a policy: that of the facts, or others where the trace states none (auto).
proc judgeBy {result auto} {
    set clusters [clusters $result]
    set apart {}
    if {$auto} {set apart [reconsider [dict filter $clusters script {cluster row} {
        expr {[dict get $row fact] eq "supposed" && [dict get $row inversions] + [dict get $row ties]}
    }]]}
    eachFactOf $result [expr {[dict size $apart] ? [list tellUnless $apart] : "tell"}]
    tellPolicies [dict remove $clusters {*}[dict keys $apart]]
    reportUnknown "a job may have waited for a less urgent one in it"
}

# Has one of the clusters inversions? Where all priorities are the same, earliest deadlines have to explain everything.
proc inversions {result} {
    foreach row [dict values [clusters $result]] {
        if {[dict get $row inversions]} {return 1}
    }
    return 0
}

# Reports a fact that is about none of the clusters that were told of apart.
proc tellUnless {apart fact} {
    if {![dict exists $apart [dict get $fact cluster]]} {tell $fact}
}

# Reports what a policy leaves in a cluster besides inversions.
proc tellBlocking {cluster fact} {
    if {[dict get $fact cluster] eq $cluster && [dict get $fact fact] eq "blocking"} {tell $fact}
}

# The largest number of inversions in one of the clusters.
proc mostInversions {clusters} {
    tcl::mathfunc::max {*}[lmap row [dict values $clusters] {dict get $row inversions}]
}

# Is it more than one inversion, or one in 20 decisions or more, that a policy explains in these clusters? A single one
# in a few decisions says nothing: that a job is not preempted, or has a threshold, explains any of them.
proc isMany {open found} {
    set inversions 0
    set decisions 0
    dict for {cluster row} $found {
        incr decisions [dict get $row count]
        if {[dict exists $open $cluster] && [dict get $row inversions] == 0} {
            incr inversions [dict get $open $cluster inversions]
        }
    }
    expr {$inversions > 1 || $decisions >= 20}
}

# Tries other policies for clusters that have inversions by fixed priorities, and earliest deadlines for those that have
# ties alone. The result: those about which something else was reported.
proc reconsider {clusters} {
    variable others
    set apart {}
    foreach other $others {
        lassign $other supposed name statement
        set edf [expr {$name eq "earliest deadlines"}]
        set open [dict filter [dict remove $clusters {*}[dict keys $apart]] script {cluster row} {
            expr {$edf || [dict get $row inversions]}
        }]
        if {![dict size $open]} break
        set most [expr {$edf ? [mostInversions $open] / 10 : 0}]
        set result [ask $supposed -most $most]
        set found [dict merge [unjudged $open] [clusters $result]]
        set many [isMany $open $found]
        dict for {cluster row} $found {
            if {![dict exists $open $cluster]} continue
            set before [dict get $open $cluster inversions]
            set left [dict get $row inversions]
            set ties [expr {[dict get $open $cluster ties] - [dict get $row ties]}]
            if {$edf && $left == 0 && ($before >= 3 || !$before && $ties > 0)} {
                reportDeadlines $row $before $ties
                eachFactOf [dict replace $result more 0] [list tellBlocking $cluster]
            } elseif {$before && ($left == 0 && ($edf || $many) || $edf && 10 * $left <= $before)} {
                report uncertain {} [about $row] "[counted $before inversion] by fixed priorities, and\
                    [expr {$left ? $left : "none"}] by $name: the trace does not state the policy ($statement)"
            } else continue
            dict set apart $cluster {}
        }
        done $result
    }
    return $apart
}

# Clusters of which nothing is told where nothing is wrong: their own jobs are all of one urgency, and only jobs of
# other clusters wait for theirs (for mutexes).
proc unjudged {clusters} {
    dict map {cluster row} [dict filter $clusters script {cluster row} {expr {[dict get $row count] == 0}}] {
        dict replace $row inversions 0 ties 0
    }
}

# Reports that a cluster is judged by deadlines: fixed priorities leave inversions, or do not decide that many times.
proc reportDeadlines {row inversions ties} {
    set left [expr {$inversions ? "leave [counted $inversions inversion]" : "leave [counted $ties choice] open"}]
    report valid {} [about $row] "judged by earliest deadlines: the trace states no policy (-scheduler); the order of\
        absolute deadlines explains [counted [dict get $row count] decision], fixed priorities $left"
}

# The processor of a cluster as the object of a finding.
proc about {row} {
    set cluster [dict get $row cluster]
    expr {$cluster in {default {}} ? {} : [list [list processor $cluster]]}
}

# Says by which policies was judged, once for all clusters that have the same.
proc tellPolicies {clusters} {
    variable policies
    set sums {}
    dict for {cluster row} $clusters {
        dict incr sums [list [dict get $row fact] [dict get $row scheduler]] [dict get $row count]
    }
    dict for {key count} $sums {
        lassign $key fact scheduler
        set why [dict get {
            stated "the trace states it"
            supposed "the trace states no policy (-scheduler)"
        } $fact]
        report valid {} {} "judged by [dict get $policies $scheduler], [counted $count decision]: $why"
    }
}

# Reports a fact; each kind of inversion has its sentence.
proc tell {row} {
    if {[dict get $row fact] in {stated supposed}} return
    if {[unread] && [dict get $row fact] ni {blocking latency}} {
        report invalid [dict get $row time] {} {} -severity warning
        return
    }
    dict with row {}
    if {$fact in {blocking latency}} {
        tellSum $row
        return
    }
    set objects [list [list job $job] [list job $other]]
    if {$processor ne "default"} {lappend objects [list processor $processor]}
    set when "for [told $amount], from [moment $time] to [moment $end]"
    set ran "ran on processor [quoted $processor]"
    set text [switch $fact {
        unbounded {string cat "job [quoted $job] was blocked on mutex [quoted $mutex] $when, while the less urgent job\
            [quoted $other] ran and did not hold it"}
        deadline {string cat "deadline inversion: job [quoted $job] was ready $when, while job [quoted $other], which\
            has a later deadline, $ran"}
        preempted {string cat "job [quoted $job] was preempted $when, while job [quoted $other] $ran, whose priority is\
            not above its preemption threshold"}
        order {string cat "job [quoted $job] was ready $when, while job [quoted $other] $ran, which has the same\
            priority and was ready later"}
        default {string cat "job [quoted $job] was ready $when, while the less urgent job [quoted $other] $ran"}
    }]
    if {$mutex ne {}} {lappend objects [list mutex $mutex]}
    report invalid $time $objects $text -end $end -line $line -severity warning
}

# Reports what sums up several inversions that are none of a scheduler.
proc tellSum {row} {
    dict with row {}
    set objects [list [list job $job] [list job $other]]
    set longest "[told $limit] in all, at most [told $amount] (job [quoted $job] for job [quoted $other]\
        from [moment $time] to [moment $end])"
    if {$fact eq "latency"} {
        set text "a less urgent job went on [counted $count time] after another one became ready, until the switch:\
            $longest"
    } else {
        set objects [linsert $objects 0 [list task $task] [list mutex $mutex]]
        set text "jobs of task [quoted $task] waited [counted $count time] while a less urgent job held mutex\
            [quoted $mutex]: $longest"
    }
    report valid $time $objects $text -end $end -line $line
}
