# panel/facts.tcl -- facts of an item, and their labels: what the panel of details shows.
#
#   details::factsOf VIEW ITEM          the trace's facts of it (`$trace look`), else the keys of the item itself
#   details::titleOf VIEW ITEM FACTS    its kind and name
#   details::timeOf ITEM FACTS          a time to go to, {}: none is known
#   details::keyOf VIEW ITEM KEY        a word by which it is looked up
#
# An item is a dict as the timeline's `identify` returns it, or {kind job index N} from a list.

::tactus::need player/text player/units player/pointer times

namespace eval ::tactus::player::details {
    namespace path ::tactus::player
    # kind of item -> subcommand of look, and the item's keys that are its words ("time" has a default: the cursor)
    variable looks {
        event     {event {event}}
        job       {job {index}}
        slice     {slice {task index}}
        run       {run {processor index}}
        hold      {hold {task index}}
        task      {task {id time}}
        processor {processor {id time}}
        server    {server {id time}}
        mutex     {mutex {id time}}
        buffer    {buffer {id time}}
        message   {event {event}}
        arrow     {event {event}}
        element   {element {buffer place time}}
    }
    # label and type of a fact, in the order in which facts are shown
    variable facts {
        kind {what word}  state {state word}  verdict {verdict sign}
        severity {severity sign}  check {check text}  sentence {finding sentence}
        time {time time}  localtime {processor's clock length}  name {name text}  event {event word}
        message {text text}  sender {from processor}  receiver {to processor}
        unreceived {never received flag}  unsent {never sent flag}  subject {subject text}  object {object text}
        job {job jobid}  task {task task}  task_name {task's name text}
        processor {processor processor}  server {server server}
        mutex {mutex mutex}  mutexes {mutexes mutexes}  semaphore {semaphore text}
        buffer {buffer buffer}  priority {priority text}
        scheduler {scheduler text}
        threshold {threshold text}  nonpreemptive {not preempted flag}
        cpus {affinity text}  cluster {cluster text}  place {place place}
        begin {from time}  end {to time}  length {length length}  open {cut by the end flag}  depth {nested in text}
        rows {rows text}  jobs_here {jobs in it text}  released_here {released in it text}
        missed_here {deadlines missed text}  worst {worst response length}
        share_running {running text}  share_late {running late text}  share_waiting {waiting text}
        share_preempted {preempted text}  share_blocked {blocked text}  share_unknown {not known text}
        busiest {mostly task}
        release {release time}  start {start time}  completion {completion time}  response {response length}
        latency {start latency length}  wakeup {wake-up length}  interarrival {since previous release length}
        execution {execution length}  stolen {by interrupts length}
        net_execution {without interrupts length}  preempted {preempted length}
        blocked {blocked length}  unknown {not known length}
        deadline {deadline time}
        lateness {lateness length}  slack {slack length}  missed {deadline missed flag}  abandoned {abandoned flag}
        preemptions {preemptions text}  migrations {migrations text}  slices {slices text}
        period {period length}  wcet {worst case length}  relative_deadline {relative deadline length}
        budget {budget length}  capacity {capacity text}
        consumers {consumers text}  replenishment {next replenishment time}
        consumed {consumed length}  overrun {overrun length}
        depletions {depletions text}  replenishments {replenishments text}
        holder {held by jobid}  holders {held by jobs}  waiting {waiting jobs}
        running {running jobs}  busy {busy length}
        held {held length}  longest_held {longest held length}  data {data text}
        since {there since time}  contents {contents list}  elements {elements text}
        count {things merged here text}  objects {objects objects}
        preempter {preempted by job}  preempters {preempted by jobs}  source {comes from job}  target {goes to job}
        previous {previous job job}  next {next job job}  first_job {first job job}
        previous_slice {previous slice slice}  next_slice {next slice slice}  first_slice {first slice slice}
        other_end {other end event}  transit {under way length}
        previous_event {previous event event}  next_event {next event event}  row {event event}
        options {options text}  line {line line}
    }
    # facts that are not shown: indices of things that are shown by name
    variable silent {region index kindtext x y id text slice jobs_of_task cut edge full}
}

proc ::tactus::player::details::factsOf {view item} {
    variable looks
    set trace [$view trace]
    if {$trace eq {} || ![dict exists $item kind]} {return $item}
    set kind [dict get $item kind]
    if {$kind eq "finding"} {return [findingOf $trace $item]}
    if {$kind eq "band"} {return [bandFacts $view $item]}
    if {![dict exists $looks $kind]} {return $item}
    lassign [dict get $looks $kind] what keys
    set words {}
    foreach key $keys {
        set word [keyOf $view $item $key]
        if {$word eq {}} {return $item}
        lappend words $word
    }
    try {
        set facts [dict merge [dict create kind $kind] [$trace look $what {*}$words]]
        return [if {$what eq "event"} {eventFacts $facts} else {set facts}]
    } trap TACTUS {} - trap {TCL LOOKUP} {} {
        return $item
    }
}

# The facts of a column of a density band: shares of its time, with the times.
proc ::tactus::player::details::bandFacts {view item} {
    set length [::tactus::times::subtract [dict get $item end] [dict get $item begin]]
    set facts [dict create kind band length $length]
    foreach {key name} {
        task task processor processor text name rows rows begin begin end end count jobs_here released released_here
        missed missed_here response worst busiest busiest
    } {
        if {[dict exists $item $key]} {dict set facts $name [dict get $item $key]}
    }
    if {[text::valueOf $facts missed_here] eq "0"} {dict unset facts missed_here}
    foreach state {running late waiting preempted blocked unknown} {
        if {[text::valueOf $item $state] in {{} 0}} continue
        set time [dict get $item $state]
        dict set facts share_$state "[pointer::percent $time $length], [units::length $view $time]"
    }
    return $facts
}

# The facts of a finding, with the index of the job that it is about; the timeline gives its place in the list.
proc ::tactus::player::details::findingOf {trace item} {
    set facts $item
    if {![dict exists $item index] && ![dict exists $item sentence]} {
        return [dict merge [dict remove $item end] [list sentence "not listed: its check has more like it"]]
    }
    if {![dict exists $item sentence]} {
        set finding {}
        catch {set finding [lindex [$trace finding list] [dict get $item index]]}
        set facts [dict merge [list kind finding] $finding]
    }
    foreach object [text::valueOf $facts objects] {
        if {[lindex $object 0] eq "job"} {
            return [dict merge $facts [list job_index [jobAt $trace [lindex $object 1] [text::valueOf $facts time]]]]
        }
    }
    return $facts
}

# Index of the last job with an id that was released by a time, else of the first one; {}: there is none.
proc ::tactus::player::details::jobAt {trace id time} {
    set relation [$trace relation jobs]
    try {
        $relation filter [list [list job = $id]]
        set found {}
        foreach index [$relation ids 0 [$relation count]] {
            set release [dict get [$trace look job $index] release]
            if {$found eq {} || $time eq {} || $release eq {} || [::tactus::times::compare $release $time] <= 0} {
                set found $index
            }
        }
        return $found
    } finally {
        $relation close
    }
}

# A word of `$trace look` for a key of the item. A slice may name its task in `task` or `id`; the default of a time is
# the cursor.
proc ::tactus::player::details::keyOf {view item key} {
    foreach key [expr {$key in {task processor} ? [list $key id] : [list $key]}] {
        if {[dict exists $item $key] && [dict get $item $key] ne {}} {return [dict get $item $key]}
    }
    if {$key ne "time"} {return {}}
    set time [$view cursor]
    if {$time ne {}} {return $time}
    lindex [[$view timeline] view] 0
}

# The facts of an event, without subject and object where another fact has the same value.
proc ::tactus::player::details::eventFacts {facts} {
    set options [text::valueOf $facts options]
    if {[string is list $options] && [llength $options] % 2 == 0 && [dict exists $options -message]} {
        dict set facts message [dict get $options -message]
    }
    set known [lmap key {job task server mutex buffer semaphore end} {text::valueOf $facts $key}]
    foreach key {subject object} {
        if {[text::valueOf $facts $key] in $known} {dict unset facts $key}
    }
    if {[text::valueOf $facts event] in {syncSent syncReceived}} {
        set facts [dict merge $facts [list message $options sender [text::valueOf $facts subject] \
            receiver [text::valueOf $facts object]]]
        if {[text::valueOf $facts other_end] eq {}} {
            dict set facts [dict get {syncSent unreceived syncReceived unsent} [dict get $facts event]] 1
        }
        return [dict remove $facts subject object options]
    }
    if {[text::valueOf $facts event] eq "message"} {
        dict set facts message [text::valueOf $facts subject]
        dict unset facts subject
    }
    return $facts
}

proc ::tactus::player::details::timeOf {item facts} {
    foreach dict [list $item $facts] {
        foreach key {time begin start release} {
            set time [text::valueOf $dict $key]
            if {$time ne {}} {return $time}
        }
    }
    return
}

# What the thing is and what it is called. The name of a mark for many things is what kind of event it stands for.
proc ::tactus::player::details::titleOf {view item facts} {
    set kind [text::valueOf $item kind]
    if {$kind eq "merged"} {return $kind}
    if {[dict exists $facts event] && $facts ne $item} {
        foreach key {job task server buffer processor message} {
            set about [text::valueOf $facts $key]
            if {$about ne {}} {return "[dict get $facts event] [nameOf $view $key $about]"}
        }
        return [dict get $facts event]
    }
    # A task, processor ... has a name of its own; an item in the life of a job has that of the job.
    set keys [expr {$kind in {task processor server mutex buffer}
        ? {name id} : {job data name id task subject check text}}]
    foreach key $keys {
        foreach dict [list $facts $item] {
            set id [text::valueOf $dict $key]
            if {$id eq {} || $key eq "job" && [string is integer -strict $id]} continue
            if {$kind eq "event" && [dict exists $facts event]} {set kind [dict get $facts event]}
            return "$kind [nameOf $view $key $id]"
        }
    }
    return $kind
}

# What people call the thing that a fact names: threads and their jobs by name.
proc ::tactus::player::details::nameOf {view key id} {
    set trace [$view trace]
    text::visible [if {$trace ne {} && $key in {job task id}} {$trace called $id} else {string cat $id}] 200
}
