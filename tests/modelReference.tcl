# modelReference.tcl -- models (state machines with constraints) judged in plain Tcl, slowly, from the text of a trace:
# what generic/judge is compared with (model.test).
#
#   ::modelReference::judgeAll TEXT STATEMENTS ?UNIT?     TEXT: a flat trace, as for reference.tcl. STATEMENTS: a list
#                             of {place words}, the commands of models one after the other: {model NAME ...} {state ...}
#                             {on ...} {start v} {end} ... {end}. UNIT: of the trace's times (ns us ms s), if it is
#                             known. The findings: dicts verdict time end objects line sentence, model after model, each
#                             in the order in which they arise
#   ::modelReference::ended                       a variable: the instances of the last judgeAll, dicts with object,
#                             end, path and judged
#
# The trace is played once a model by reference.tcl, which calls back before and after each row. modelReferenceRead.tcl
# reads models, modelReferenceValue.tcl has the values of expressions. Numbers are rationals {numerator denominator} of
# big integers, in time units. Where the description leaves a question open, "Chosen:" says which answer is taken here.

source [file join [file dirname [info script]] modelReferenceRead.tcl]
source [file join [file dirname [info script]] modelReferenceValue.tcl]

# ---- the pass --------------------------------------------------------------------------------------------------------

# Judges one model after the other; see the head of this file.
proc ::modelReference::judgeAll {text statements {timeUnit {}}} {
    variable unit $timeUnit
    variable model
    variable found {}
    variable ended {}               ;# instances that are over, in that order: those below, with their ends
    variable facts [factsOf $text]
    foreach model [parse $statements] {
        # Those that live: dicts of object state entered (ticks) values doubts started invalid, job or {}, begun (0: it
        # waits for its first transition, and is none yet), stay (by number of an invariant: violated, or a reason),
        # checked (ticks), told (places), path (states) and judged (lists of place verdict value; value: a rational, or
        # {}).
        variable instances {}
        variable shared [dict create values {} doubts {} started {}]
        variable ready 0            ;# have instances been made that begin with the recording?
        variable nJobs 0            ;# jobs that have begun
        variable history {}         ;# all occurrences
        variable handled {}         ;# that which is offered
        variable interrupts {}      ;# {row job jobs}: an interrupt's job begins where these jobs run
        variable pending {}         ;# system calls that have not returned: {end row occurrence}
        set r [::reference::play $text ::modelReference::onRow ::modelReference::beforeRow]
        atEnd $r
        ::reference::close $r
    }
    return $found
}

# Ends the recording: what returns with it, the instances, and of the kinds that transitions wait for and the trace does
# not record, the first one.
proc ::modelReference::atEnd {r} {
    variable model
    variable instances
    upvar #0 $r R
    begin $r
    returnCalls $r $R(end)
    if {![llength $R(rows)] || [lindex $R(rows) end 0] < $R(end)} {checkAll $r $R(end) {}}
    foreach instance $instances {finishInstance $r $instance $R(end) {} "the recording"}
    if {[nobodyFits? $r]} {
        set each [dict get $model each]
        tellOfAll "no [expr {$each eq "processor" ? $each : "task"}] fits [dict get $model of]"
    }
    foreach on [dict get $model ons] {
        set missing [unrecorded [dict get $on trigger]]
        if {$missing eq {} || [dict get $on trigger kind] ni {mark event syscall sysreturn}} continue
        tellOfAll "the trace records no $missing"
        break
    }
}

# Has the trace no object that -of fits?
proc ::modelReference::nobodyFits? {r} {
    variable model
    variable facts
    upvar #0 $r R
    dict with model {}
    if {$of eq {}} {return 0}
    set ids [expr {$each eq "processor" ? [concat $R(processors) [lrepeat [dict get $facts usesDefault] default]]
        : $R(tasks)}]
    expr {1 ni [lmap id $ids {wanted? $r $id}]}
}

# Tells what leaves the model as a whole uncertain.
proc ::modelReference::tellOfAll {sentence} {
    variable model
    variable found
    lappend found [dict create verdict uncertain time {} end {} objects {} line 0 \
        sentence "model [dict get $model name]: $sentence ([dict get $model place])"]
}

# Makes the instances that begin with the recording, and shared variables.
proc ::modelReference::begin {r} {
    variable model
    variable ready
    variable facts
    variable shared
    upvar #0 $r R
    if {$ready} return
    set ready 1
    set R(jobIds) [array names R taskOf,*]
    foreach row $R(rows) {
        lassign $row - name words
        if {[string match job* $name]} {lappend R(jobIds) taskOf,[lindex $words 0]}
        if {"-target" in [lrange $words 1 end]} {lappend R(jobIds) taskOf,[option $words -target]}
    }
    set R(jobIds) [lmap name $R(jobIds) {string range $name 7 end}]
    dict for {name tree} [dict get $model shared] {
        if {$tree ne {}} {set shared [give $r $R(begin) [newInstance $r {trace {}} {}] $shared $name $tree]}
    }
    if {[dict get $model key] ne {}} return
    switch [dict get $model each] {
        trace {addInstance $r {trace {}} {}}
        task {foreach id $R(tasks) {addInstance $r [list task $id] $id}}
        processor {
            set extra [lrepeat [dict get $facts usesDefault] default]
            foreach id [concat $R(processors) $extra] {addInstance $r [list processor $id] $id}
        }
    }
}

# fitting: the id that -of is about. Order of the instances: that of the definitions, of jobs that in which they begin.
proc ::modelReference::addInstance {r object fitting {job {}}} {
    variable model
    variable instances
    upvar #0 $r R
    if {![wanted? $r $fitting]} return
    lappend instances [newInstance $r $object $job]
}

# Is an object of this id, or a job of the task, one that the model is about?
proc ::modelReference::wanted? {r id} {
    variable model
    upvar #0 $r R
    dict with model {}
    if {$each eq "processor"} {return [expr {$of eq {} || [string match $of $id]}]}
    if {$of eq {} ? $id ne {} && $R(several,$id) : ![taskFits? $r $of $id]} {return 0}
    expr {$priority eq {} || [holds [rational $R(priority,$id)] [lindex $priority 0] [decimal [lindex $priority 1]]]}
}

proc ::modelReference::newInstance {r object job} {
    variable model
    upvar #0 $r R
    set t [expr {$job eq {} ? $R(begin) : $R(begin,$job)}]
    dict create object $object job $job state [dict get $model initial] entered $t checked $t values {} doubts {} \
        started {} invalid 0 path [list [dict get $model initial]] judged {} told {} stay {} \
        begun [expr {![dict get $model overlap] && [dict get $model key] eq {}}]
}

# ---- rows ------------------------------------------------------------------------------------------------------------

# Called before each row: system calls that have returned until then, and invariants as they are just before it.
proc ::modelReference::beforeRow {r row} {
    upvar #0 $r R
    begin $r
    lassign [lindex $R(rows) $row] t - - line
    returnCalls $r $t
    checkAll $r $t $line
}

# Offers the returns of system calls up to t. Chosen: one that returns before it was entered does so at the moment of
# its entry.
proc ::modelReference::returnCalls {r t} {
    variable pending
    upvar #0 $r R
    foreach call [lsort -integer -index 0 [lsort -integer -index 1 $pending]] {
        lassign $call end - o
        if {$end > $t} break
        set pending [lsearch -all -inline -exact -not $pending $call]
        checkAll $r $end [dict get $o line]
        happen $r $o
        checkAll $r $end [dict get $o line]
    }
}

# Called after each row: the instances see what happened; those of jobs that are over end.
proc ::modelReference::onRow {r row} {
    variable model
    variable instances
    variable nJobs
    variable pending
    upvar #0 $r R
    noteInterrupts $r $row
    for {} {$nJobs < $R(nJobs)} {incr nJobs} {
        if {[dict get $model each] eq "job"} {addInstance $r [list job $R(id,$nJobs)] $R(task,$nJobs) $nJobs}
    }
    foreach o [occurrencesOf $r $row] {
        happen $r $o
        if {[call? $o name] && [dict get $o from] eq "call" && [dict get $o what] eq "taskAnnotation"} {
            set end [expr {max([::reference::ticks [lindex [dict get $o words] 1] $R(digits)], [dict get $o t])}]
            set return [dict create kind sysreturn what $name words {} from {} t $end]
            lappend pending [list $end $row [dict merge $o $return]]
        }
    }
    lassign [lindex $R(rows) $row] t - - line
    checkAll $r $t $line
    set instances [lmap instance $instances {
        set k [dict get $instance job]
        if {$k ne {} && ($R(completion,$k) ne {} || $R(state,$k) eq "none")} {
            finishInstance $r $instance $t $line "the job"
            continue
        }
        set instance
    }]
}

# Chosen: an interrupt begins when its job is seen to run for the first time; a job does not interrupt itself.
proc ::modelReference::noteInterrupts {r row} {
    variable interrupts
    upvar #0 $r R
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        if {$R(kind,$R(task,$k)) eq "task" || "running" ni [lmap entry $R(log,$k) {lindex $entry 1}]} continue
        if {$k in [lmap known $interrupts {lindex $known 1}]} continue
        set there {}
        for {set j 0} {$j < $R(nJobs)} {incr j} {
            if {$j != $k && $R(state,$j) eq "running" && $R(ranOn,$j) eq $R(ranOn,$k)} {lappend there $j}
        }
        lappend interrupts [list $row $k $there]
    }
}

# Something happens: all that may take it, do.
proc ::modelReference::happen {r o} {
    variable model
    variable instances
    variable history
    variable handled $o
    upvar #0 $r R
    # A system call returns after the row that was last.
    if {[dict get $o kind] eq "sysreturn"} {dict set o row [dict get [lindex $history end] row]}
    lappend history $o
    set instances [lmap instance $instances {checkNever $r $o $instance}]
    if {[dict get $model key] ne {}} {
        set fields [fieldsOf $r $o]
        if {[dict exists $fields [dict get $model key]]} {
            set object [list [dict get $model key] [dict get $fields [dict get $model key]]]
            if {[dict get $model overlap] || $object ni [lmap instance $instances {dict get $instance object}]} {
                lappend instances [newInstance $r $object {}]
            }
        }
    }
    if {[dict get $model overlap]} {offerInTurn $r $o} else {
        set instances [lmap instance $instances {lindex [step $r $o $instance] 0}]
    }
    # Those whose first transition did not come are none; at other times than with -key one waits always.
    set instances [lmap instance $instances {
        if {[dict get $model key] ne {} && ![dict get $instance begun]} continue
        if {[over? $instance]} {
            finishInstance $r $instance [dict get $o t] [dict get $o line] {}
            continue
        }
        set instance
    }]
    set handled {}
}

# Has an instance come to its end? Those that may be followed by another one end in a final state that they entered.
proc ::modelReference::over? {instance} {
    variable model
    if {![dict get $model overlap] && [dict get $model key] eq {}} {return 0}
    if {![dict get $model anyFinal] || [llength [dict get $instance path]] < 2} {return 0}
    dict get $model states [dict get $instance state]
}

# Offers what happens to the instances of each object from the oldest on, until one takes it. Chosen: if none does, and
# some transition waits for it, that is a violation of the oldest that has begun.
proc ::modelReference::offerInTurn {r o} {
    variable model
    variable instances
    set served {}
    set all {}
    foreach instance $instances {
        set object [dict get $instance object]
        if {$object in $served} {
            lappend all $instance
            continue
        }
        lassign [step $r $o $instance 0] next took
        lappend all $next
        if {!$took} continue
        lappend served $object
        # In its place, another one waits.
        if {[dict get $instance begun] || [dict get $model key] ne {}} continue
        set fresh [newInstance $r $object {}]
        lappend all $fresh
    }
    foreach object [lsort -unique [lmap instance $all {dict get $instance object}]] {
        if {$object in $served || ![dict get $model strict]} continue
        set i 0
        foreach instance $all {
            if {[dict get $instance object] eq $object && [dict get $instance begun]} {
                lset all $i [refuse $r $o $instance]
                break
            }
            incr i
        }
    }
    set instances $all
}

# {instance took}: the instance after an event; the first transition whose trigger fits and whose -if holds is taken.
# Chosen: an -if that is uncertain does not hold; an event with no -if that holds is not expected, like one that no
# trigger fits.
proc ::modelReference::step {r o instance {mayRefuse 1}} {
    variable model
    foreach on [dict get $model ons] {
        if {[dict get $on state] ne [dict get $instance state]} continue
        if {![fits? $r [dict get $on trigger] $instance $o]} continue
        set guard [dict get $on guard]
        if {$guard ne {} && [lindex [judge $r [dict get $o t] $instance $guard] 0] ne "valid"} continue
        if {![dict get $instance begun]} {
            dict set instance begun 1
            dict set instance entered [dict get $o t]
            dict set instance checked [dict get $o t]
        }
        dict lappend instance path [dict get $on target]
        foreach action [dict get $on actions] {set instance [act $r $o $instance {*}$action]}
        return [list [enter $r $o $instance [dict get $on target]] 1]
    }
    if {$mayRefuse && [dict get $model strict] && [dict get $instance begun]} {set instance [refuse $r $o $instance]}
    list $instance 0
}

# The instance after an event that it does not expect, though some transition waits for it.
proc ::modelReference::refuse {r o instance} {
    variable model
    foreach on [dict get $model ons] {
        if {![fits? $r [dict get $on trigger] $instance $o]} continue
        # Chosen: the event is told as the first trigger in the file that fits it is written.
        tell $r $instance invalid [dict get $o t] [dict get $o line] [dict get $model place] \
            "{[dict get $on trigger text]} in state [dict get $instance state], where it is not expected"
        dict set instance invalid 1
        break
    }
    return $instance
}

# The instance in another state, or the same one again.
proc ::modelReference::enter {r o instance state} {
    if {$state eq [dict get $instance state]} {return $instance}
    set t [dict get $o t]
    leave $r $t [dict get $o line] $instance
    dict set instance state $state
    dict set instance entered $t
    dict set instance checked $t
    dict set instance stay {}
    set instance [check $r $t [dict get $o line] $instance]
    upvar #0 $r R
    foreach {number invariant} [invariantsOf $instance] {
        set never [dict get $invariant never]
        if {$never eq {} || $never ni [lmap k [ownJobs $r $instance] {set R(state,$k)}]} continue
        set instance [violate $r $t [dict get $o line] $instance $number "$never in state $state"]
    }
    return $instance
}

# The instance after one action of a transition.
proc ::modelReference::act {r o instance place word args} {
    variable model
    variable shared
    variable history
    upvar #0 $r R
    set t [dict get $o t]
    switch $word {
        start {
            set v [lindex $args 0]
            set moment [list $t [dict get [lindex $history end] row] [llength $history]]
            if {[dict exists $model shared $v]} {
                dict set shared started $v $moment
            } else {
                dict set instance started $v $moment
            }
        }
        let {
            lassign $args v tree
            if {[dict exists $model shared $v]} {
                set shared [give $r $t $instance $shared $v $tree]
            } else {
                set instance [give $r $t $instance $instance $v $tree]
            }
        }
        require {
            lassign [lindex $args 0] - op - said limit share
            lassign [judge $r $t $instance [lindex $args 0]] verdict detail
            dict lappend instance judged [list $place $verdict [expr {$verdict eq "uncertain" ? {} : $detail}]]
            if {$verdict eq "valid"} {return $instance}
            if {$verdict eq "invalid"} {dict set instance invalid 1}
            if {![news? $verdict $detail $instance $place]} {return $instance}
            if {[string match "the trace *" $detail]} {dict set instance told $place 1}
            tell $r $instance $verdict $t [dict get $o line] $place \
                [constrained $r $verdict $detail [lindex $args 0]]
        }
    }
    return $instance
}

# Is it worth telling? A reason that is one of the whole recording is told once an instance and constraint.
proc ::modelReference::news? {verdict detail instance place} {
    expr {$verdict ne "uncertain" || ![string match "the trace *" $detail] || ![dict exists $instance told $place]}
}

# A constraint that does not hold, or of which that is not known.
proc ::modelReference::constrained {r verdict detail comparison} {
    upvar #0 $r R
    lassign $comparison - op - said limit share
    if {$verdict eq "uncertain"} {return "$said is not known ($detail), required $op $limit"}
    if {$share} {set detail [compute * $detail {100 1}]}
    set value [number $detail [expr {$share ? 3 : $R(digits) + 3}]][expr {$share ? "%" : ""}]
    if {!$share && [length? [lindex $comparison 0]] eq "length"} {set value [withUnit $value]}
    return "$said was $value, required $op $limit"
}

# Is an expression a length for certain? {}: it may be; "no": it is, or contains, something else.
proc ::modelReference::length? {tree} {
    set rest [lassign $tree node what]
    switch $node {
        number - percent - field {return}
        now - time {return length}
        negate {return [length? $what]}
        past {return [expr {$what eq "last" ? "length" : "no"}]}
        call {
            return [expr {$what in {elapsed running ready waiting preempted blocked between unknown holding consuming
                busy idle insyscall interrupted} ? "length" : "no"}]
        }
        compute {
            set sides [lmap side $rest {length? $side}]
            return [expr {$what in {* /} || "no" in $sides ? "no" : "length" in $sides ? "length" : {}}]
        }
    }
    return no
}

# A number of the trace's unit, which may be unknown.
proc ::modelReference::withUnit {value} {
    variable unit
    if {$unit eq {}} {return $value}
    ::tactus::length $value $unit
}

# A thread (its id is a number) and its jobs are called by its name, with the number where another one has the name.
proc ::modelReference::called {r each id} {
    upvar #0 $r R
    variable model
    if {$each ni {task job} || [dict get $model key] ne {}} {return [::tactus::check::quoted $id]}
    set task [expr {$each eq "job" ? [::reference::taskOf $id] : $id}]
    if {![regexp {^\d+(/\d+)?$} $task] || $R(name,$task) eq {}
            || ![regexp "^$task\(?:\\.|$)" $id]} {
        return [::tactus::check::quoted $id]
    }
    set namesakes [lmap other $R(tasks) {
        if {$R(name,$other) ne $R(name,$task) || ![regexp {^\d+(/\d+)?$} $other]} continue
        set other
    }]
    set number [expr {[llength $namesakes] > 1 ? " ($task)" : {}}]
    return [::tactus::check::quoted $R(name,$task)[string range $id [string length $task] end]]$number
}

# What remembers variables, the instance or what is shared, after one got the value of an expression. Chosen: a value
# that cannot be computed leaves the variable without one. One of which a part is unknown makes every constraint with it
# uncertain.
proc ::modelReference::give {r t instance memory v tree} {
    try {
        set value [value $r $t $instance $tree]
    } trap {MODEL UNCERTAIN} {} {
        dict unset memory values $v
        dict unset memory doubts $v
        return $memory
    }
    set open [open $r $t $instance [uses $tree]]
    dict set memory values $v $value
    dict unset memory doubts $v
    if {[llength $open]} {dict set memory doubts $v [doubt $r $t $instance [lindex $open 0]]}
    return $memory
}

# ---- invariants ------------------------------------------------------------------------------------------------------

# Those of the state that an instance is in: number invariant ...
proc ::modelReference::invariantsOf {instance} {
    variable model
    set list {}
    set number 0
    foreach invariant [dict get $model durings] {
        if {[dict get $invariant state] eq [dict get $instance state]} {lappend list $number $invariant}
        incr number
    }
    return $list
}

proc ::modelReference::checkAll {r t line} {
    variable instances
    set instances [lmap instance $instances {check $r $t $line $instance}]
}

# The instance after its invariants were judged with the values that are known now.
proc ::modelReference::check {r t line instance} {
    variable handled
    if {![dict get $instance begun]} {return $instance}
    set now $handled
    set handled {}
    foreach {number invariant} [invariantsOf $instance] {
        set require [dict get $invariant require]
        if {$require eq {}} continue
        if {[dict exists $instance stay $number] && [dict get $instance stay $number] eq "violated"} continue
        lassign [judge $r $t $instance $require] verdict detail
        if {$verdict eq "uncertain" && ![dict exists $instance stay $number]} {dict set instance stay $number $detail}
        if {$verdict ne "invalid"} continue
        set moment [reached $r $t $instance $require]
        if {$moment != $t} {set detail [value $r $moment $instance [lindex $require 0]]}
        set said [constrained $r invalid $detail $require]
        if {[lindex $require 1] eq "<=" && [sign $detail [value $r $moment $instance [lindex $require 2]]] == 0} {
            set said [string map {{ was } { was more than }} $said]
        }
        set instance [violate $r $moment $line $instance $number "in state [dict get $instance state], $said"]
    }
    set handled $now
    dict set instance checked $t
    return $instance
}

# The instance after one of its invariants is violated, once a stay in the state.
proc ::modelReference::violate {r t line instance number sentence} {
    variable model
    if {[dict exists $instance stay $number] && [dict get $instance stay $number] eq "violated"} {return $instance}
    tell $r $instance invalid $t $line [dict get [lindex [dict get $model durings] $number] place] $sentence
    dict set instance invalid 1
    dict set instance stay $number violated
    return $instance
}

# The moment at which a constraint that is violated at t became so: for a time that must stay below a number, the first
# tick since the last look at which it reached that.
proc ::modelReference::reached {r t instance comparison} {
    variable times
    lassign $comparison left op right
    if {$op in {> >=}} {
        lassign [list $left $right] right left
        set op [string map {> <} $op]
    }
    set isTime [expr {$left eq "time" || ([lindex $left 0] eq "call" && [lindex $left 1] in $times)}]
    if {$op ni {< <=} || !$isTime || [lindex $right 0] ne "number"} {return $t}
    # Between low and high, halved again and again.
    set low [dict get $instance checked]
    set high $t
    while {$low < $high} {
        set middle [expr {($low + $high) / 2}]
        if {[sign [value $r $middle $instance $left] [lindex $right 1]] >= 0} {
            set high $middle
        } else {
            set low [expr {$middle + 1}]
        }
    }
    return $high
}

proc ::modelReference::ownJobs {r instance} {
    variable model
    upvar #0 $r R
    if {[dict get $model each] in {task job}} {return [jobsOf $r $instance]}
    set jobs {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {lappend jobs $k}
    return $jobs
}

# Does a job of the instance enter a state that it must not enter now?
proc ::modelReference::checkNever {r o instance} {
    if {[dict get $o kind] ne "enters" || ![dict get $instance begun]} {return $instance}
    foreach {number invariant} [invariantsOf $instance] {
        if {[dict get $invariant never] ne [dict get $o what] || [dict get $o job] ni [ownJobs $r $instance]} continue
        set instance [violate $r [dict get $o t] [dict get $o line] $instance $number \
            "[dict get $o what] in state [dict get $instance state]"]
    }
    return $instance
}

# Tells what was not known of the invariants of a state that is left.
proc ::modelReference::leave {r t line instance} {
    foreach {number invariant} [invariantsOf $instance] {
        if {![dict exists $instance stay $number]} {
            leaveNever $r $t $line $instance $invariant
            continue
        }
        set reason [dict get $instance stay $number]
        if {$reason eq "violated"} continue
        tell $r $instance uncertain $t $line [dict get $invariant place] \
            "in state [dict get $instance state], [constrained $r uncertain $reason [dict get $invariant require]]"
    }
}

# Tells that jobs may have been in a state in which they must not be, since they were in an unknown one.
proc ::modelReference::leaveNever {r t line instance invariant} {
    upvar #0 $r R
    set never [dict get $invariant never]
    if {$never in {{} unknown}} return
    set ticks 0
    foreach k [ownJobs $r $instance] {
        foreach stretch [runs $r $t $k unknown] {
            lassign $stretch begin end
            incr ticks [expr {max(0, min($end, $t) - max($begin, [dict get $instance entered]))}]
        }
    }
    if {!$ticks} return
    set state [dict get $instance state]
    tell $r $instance uncertain $t $line [dict get $invariant place] \
        "in state $state, $never is not known (so much of it is unknown:\
        [withUnit [::reference::decimal $ticks $R(digits)]])"
}

# ---- ends ------------------------------------------------------------------------------------------------------------

# Tells that an instance ends in a state that is not final, unless it is invalid anyway.
proc ::modelReference::finishInstance {r instance t line what} {
    variable model
    variable ended
    upvar #0 $r R
    if {![dict get $instance begun]} return
    leave $r $t $line $instance
    lappend ended [dict merge $instance [list end [::reference::decimal $t $R(digits)]]]
    set state [dict get $instance state]
    if {[dict get $model states $state] || [dict get $instance invalid]} return
    set cut [expr {$what eq "the recording" && [dict get $model each] eq "job" && ![dict get $model overlap]
        && [dict get $model key] eq {}}]
    set verdict [expr {$cut ? "valid" : "uncertain"}]
    tell $r $instance $verdict $t $line [dict get $model place] "$what ends in state $state"
}

# The line of a finding without a row: of the first event at its time that is about the job, else the first one, else of
# the last one before.
proc ::modelReference::lineAt {r t job} {
    upvar #0 $r R
    set last 0
    set first {}
    foreach row $R(rows) {
        lassign $row time event words line
        if {$time > $t} break
        set last $line
        if {$time < $t} continue
        if {$job ne {} && [string match job* $event] && [lindex $words 0] eq $job} {return $line}
        if {$first eq {}} {set first $line}
    }
    expr {$first eq {} ? $last : $first}
}

proc ::modelReference::tell {r instance verdict t line place sentence} {
    variable model
    variable found
    upvar #0 $r R
    lassign [dict get $instance object] each id
    # An instance of -key job is of a value of that name, and of no job.
    if {$line eq {}} {set line [lineAt $r $t [if {[dict get $model each] eq "job"} {set id}]]}
    set subject "model [dict get $model name]"
    if {$each ne "trace"} {append subject ", $each [called $r $each $id]"}
    lappend found [dict create verdict $verdict time [::reference::decimal $t $R(digits)] end {} \
        objects [expr {[dict get $model each] eq "trace" ? {} : [list [list $each $id]]}] line $line \
        sentence "$subject: $sentence ($place)"]
}
