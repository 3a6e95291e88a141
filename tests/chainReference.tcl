# chainReference.tcl -- chains and synchronized events judged in plain Tcl, definition by definition, from the text of a
# trace: what generic/judge/chain*.c and synchronize.c are compared with (chain.test).
#
#   ::chainReference::judgeAll TEXT STATEMENTS ?UNIT?     TEXT: a flat trace, as for reference.tcl. STATEMENTS: a list
#                             of {place words}: {chain NAME} {step ...} {link ...} {require ...} {end} {synchronize ...}
#                             UNIT: of the trace's times, if it is known. The findings: dicts verdict time end objects
#                             line sentence, statement after statement, each in the order in which they arise
#
# The trace is played once by reference.tcl; then all occurrences of all steps are listed, and each chain is found by a
# search through them. A *part* is an occurrence: a dict with step, id (of its job, or {}), time of its read, positions
# `in` of its read, `out` of its write and `gone` where it was abandoned ({}: never), key.
#
# A *position* is the place of something in the order of all: {time phase row sub step side}. Phase 0: deadlines
# of -let; 0.5: returns of system calls; 1: rows. sub, within a row: 0 elements that are popped, 1 the event, 2 elements
# that are pushed, then three of each change of a state. step: later steps come first. side: 0 read, 1 write.

namespace eval ::chainReference {
    variable names {reaction reducedReaction age reducedAge latency separation order lossless}
}

# ---- positions -------------------------------------------------------------------------------------------------------

proc ::chainReference::compare {a b} {
    foreach x $a y $b {
        if {$x != $y} {return [expr {$x < $y ? -1 : 1}]}
    }
    return 0
}

proc ::chainReference::before? {a b} {
    expr {[compare $a $b] < 0}
}

# ---- reading ---------------------------------------------------------------------------------------------------------

# The chains among the statements: dicts.
proc ::chainReference::parse {statements} {
    set all {}
    foreach statement $statements {
        lassign $statement place words
        switch [lindex $words 0] {
            chain {set chain [dict create kind chain name [lindex $words 1] place $place steps {} requires {} link order]}
            step {
                set by {}
                foreach {option value} [lsearch -all -inline -exact -not [lrange $words 3 end] -let] {set by $value}
                dict lappend chain steps [dict create name [lindex $words 1] what [lindex $words 2] by $by \
                    let [expr {"-let" in $words}]]
            }
            link {dict set chain link [lrange $words 1 end]}
            require {dict lappend chain requires [requirement $place [lrange $words 1 end]]}
            end {lappend all [linked $chain]}
            synchronize {
                set chain [dict create kind together name [lindex $words 1] place $place by {} several 0]
                for {set i 2} {$i < [llength $words] - 1} {incr i} {
                    switch [lindex $words $i] {
                        -within {dict set chain within [lindex $words [incr i]]}
                        -by {dict set chain by [lindex $words [incr i]]}
                        -several {dict set chain several 1}
                    }
                }
                lappend all [dict set chain events [lindex $words end]]
            }
        }
    }
    return $all
}

proc ::chainReference::requirement {place words} {
    regexp {^(\w+)(?: +(\w+))? *(<=|>=|==|!=|<|>)? *(.*)$} [join $words] -> measure step op limit
    dict create place $place measure $measure step $step op $op limit $limit
}

# Gives each step its link.
proc ::chainReference::linked {chain} {
    dict set chain steps [lmap step [dict get $chain steps] {
        if {[dict get $step by] eq {}} {dict set step by [dict get $chain link]}
        set step
    }]
}

# ---- the facts of a trace --------------------------------------------------------------------------------------------

proc ::chainReference::onRow {r row} {
    variable occurrences
    dict set occurrences $row [::modelReference::occurrencesOf $r $row]
}

proc ::chainReference::judgeAll {text statements {timeUnit {}}} {
    variable unit $timeUnit
    variable occurrences {}
    variable r
    variable chain
    variable found {}
    set ::modelReference::model {key {} each trace}
    set r [::reference::play $text ::chainReference::onRow]
    set ${r}(jobIds) {}             ;# the words of events name tasks here, and not jobs
    foreach chain [parse $statements] {
        variable told {}            ;# findings with the positions at which they arose
        if {[dict get $chain kind] eq "chain"} judgeChain else judgeTogether
        foreach finding [lsort -command ::chainReference::compareTold $told] {lappend found [lindex $finding 1]}
    }
    ::reference::close $r
    return $found
}

proc ::chainReference::compareTold {a b} {
    compare [lindex $a 0] [lindex $b 0]
}

# The occurrences of an event: {row number occurrence}; number: its place in the row, {}: a system call returns, before
# the rows of that time.
proc ::chainReference::events {event} {
    variable occurrences
    variable r
    upvar #0 $r R
    set trigger [::modelReference::trigger $event]
    set list {}
    dict for {row all} $occurrences {
        set own [lindex $all 0]
        if {[dict get $own t] > $R(end)} break
        if {[dict get $trigger kind] eq "sysreturn"} {
            set call [expr {[dict get $own from] eq "call" && [dict get $own what] eq "taskAnnotation"}]
            if {!$call || ![::modelReference::call? $own name]} continue
            set t [expr {max([::reference::ticks [lindex [dict get $own words] 1] $R(digits)], [dict get $own t])}]
            set all [list [dict merge $own [dict create kind sysreturn what $name words {} from {} t $t]]]
        }
        set n -1
        foreach o $all {
            incr n
            if {[dict get $o t] > $R(end)} continue
            if {![::modelReference::fits? $r $trigger {object trace job {}} $o]} continue
            lappend list [list $row [expr {[dict get $o kind] eq "sysreturn" ? {} : $n}] $o]
        }
    }
    return $list
}

# The position of an occurrence up to its place in the row: the event, then of each change what is left, the job, and
# what is entered.
proc ::chainReference::placeOf {row n o} {
    if {$n eq {}} {return [list [dict get $o t] 0.5 $row 1]}
    list [dict get $o t] 1 $row [sub $n]
}

proc ::chainReference::sub {n} {
    expr {$n == 0 ? 1 : 3 + 3 * (($n - 1) / 2) + 2 * (($n - 1) % 2)}
}

# ---- parts -----------------------------------------------------------------------------------------------------------

# All parts of a step, in the order of their reads.
proc ::chainReference::partsOf {i} {
    variable chain
    set step [lindex [dict get $chain steps] $i]
    set parts [[expr {[lindex [dict get $step what] 0] eq "job" ? "jobParts" : "eventParts"}] $i $step]
    set n 0
    lmap part [lsort -command {apply {{a b} {::chainReference::compare [dict get $a in] [dict get $b in]}}} $parts] {
        dict set part number [incr n]
    }
}

# Name of the field of a link, mine or their; {} for other links.
proc ::chainReference::field {step which} {
    variable chain
    if {$step >= [llength [dict get $chain steps]]} return
    set by [dict get [lindex [dict get $chain steps] $step] by]
    if {$step == 0 || [lindex $by 0] ne "field"} return
    lindex $by [expr {$which eq "mine" ? 1 : [llength $by] - 1}]
}

proc ::chainReference::eventParts {i step} {
    variable chain
    variable r
    set n [llength [dict get $chain steps]]
    set parts {}
    foreach event [events [dict get $step what]] {
        lassign $event row change o
        set fields [::modelReference::fieldsOf $r $o]
        set mine [field $i mine]
        set their [field [expr {$i + 1}] their]
        if {$mine ne {} && ![dict exists $fields $mine]} continue
        if {$their ne {} && ![dict exists $fields $their]} continue
        set place [concat [placeOf $row $change $o] [expr {$n - $i}]]
        set part [dict create step $i id {} job {} row $row time [dict get $o t] in [concat $place 0] \
            out [concat $place 1] gone {} key {} towards {}]
        if {$mine ne {}} {dict set part key [dict get $fields $mine]}
        if {$their ne {}} {dict set part towards [dict get $fields $their]}
        lappend parts $part
    }
    return $parts
}

# Changes of the state of job k: {row number from to}.
proc ::chainReference::changesOf {k} {
    variable r
    upvar #0 $r R
    set last -1
    set n 0
    set list {}
    foreach change $R(changes) {
        lassign $change row j from to
        set n [expr {$row == $last ? $n + 1 : 0}]
        set last $row
        if {$j == $k && [lindex $R(rows) $row 0] <= $R(end)} {lappend list [list $row $n $from $to]}
    }
    return $list
}

# The jobs of the tasks that fit.
proc ::chainReference::jobsOf {pattern} {
    variable r
    upvar #0 $r R
    set list {}
    for {set k 0} {$k < $R(nJobs)} {incr k} {
        if {[::modelReference::taskFits? $r $pattern $R(task,$k)]} {lappend list $k}
    }
    return $list
}

# The jobs of a step: where each reads and writes.
proc ::chainReference::jobParts {i step} {
    variable chain
    variable r
    upvar #0 $r R
    set n [llength [dict get $chain steps]]
    set parts {}
    foreach k [jobsOf [lindex [dict get $step what] 1]] {
        set in {}
        set out {}
        set gone {}
        foreach change [changesOf $k] {
            lassign $change row number from to
            if {$from in {between completed}} continue
            set place [list [lindex $R(rows) $row 0] 1 $row [expr {4 + 3 * $number}] [expr {$n - $i}]]
            set reads [expr {$to in {running completed} || ($to eq "unknown" && $from in {none waiting})}]
            if {$in eq {} && $reads} {set in [concat $place 0]}
            if {$to eq "completed"} {set out [concat $place 1]}
            if {$to eq "none"} {set gone [concat $place 1]}
        }
        if {[dict get $step let]} {
            set in [release $k $i]
            set out [letWrite $k $i $out]
        }
        if {$in eq {}} continue
        set row [lindex $in 2]
        lappend parts [dict create step $i id $R(id,$k) job $k row $row time [lindex $in 0] in $in out $out gone $gone \
            key {} towards {}]
    }
    return $parts
}

# The position of a job's release: of the change by which it begins, or behind a later arrival at the same time.
proc ::chainReference::release {k i} {
    variable chain
    variable r
    upvar #0 $r R
    set n [llength [dict get $chain steps]]
    if {$R(release,$k) eq {} || $R(release,$k) > $R(end)} return
    lassign [lindex [changesOf $k] 0] first number
    for {set row $first} {$row < [llength $R(rows)]} {incr row} {
        lassign [lindex $R(rows) $row] t name words
        if {$name ne "jobArrived" || [lindex $words 0] ne $R(id,$k)} continue
        return [list $t 1 $row [expr {$row == $first ? 4 + 3 * $number : 1000000}] [expr {$n - $i}] 0]
    }
}

# The position at which a job writes that was completed at `out`: its first deadline, or its completion if that is
# later.
proc ::chainReference::letWrite {k i out} {
    variable chain
    variable r
    upvar #0 $r R
    set n [llength [dict get $chain steps]]
    set deadlines {}
    if {$out eq {} || [release $k $i] eq {}} return
    # Of equal deadlines, those that follow from -D are known first.
    if {$R(D,$R(task,$k)) ne {}} {
        set place [release $k $i]
        lappend deadlines [list [expr {$R(release,$k) + $R(D,$R(task,$k))}] 0 [lindex $place 2] [lindex $place 3] \
            [expr {$n - $i}] 1]
    }
    set row -1
    foreach entry $R(rows) {
        incr row
        lassign $entry t name words
        if {$name ne "jobDeadline" || [lindex $words 0] ne $R(id,$k)} continue
        set owner {}
        foreach j $R(ofId,$R(id,$k)) {
            if {$R(begin,$j) < $t} {set owner $j}
        }
        if {$owner eq $k} {lappend deadlines [list $t 0 [expr {1000000 + $row}] 0 [expr {$n - $i}] 1]}
    }
    if {$deadlines eq {}} return
    set first [lindex [lsort -command ::chainReference::compare $deadlines] 0]
    if {[before? $first $out]} {return $out}
    if {[lindex $first 0] > $R(end)} return
    return $first
}

# ---- causes ----------------------------------------------------------------------------------------------------------

# Sets the cause of each part of step i, and where it got it.
proc ::chainReference::findCauses {i} {
    variable parts
    variable chain
    set by [dict get [lindex [dict get $chain steps] $i] by]
    switch [lindex $by 0] {
        order {findRegister $i}
        field {findMessages $i}
        element {findElements $i [lindex $by 1]}
    }
}

# A register: the part that was written last.
proc ::chainReference::findRegister {i} {
    variable parts
    set before [expr {$i - 1}]
    foreach x $parts($i) {
        set best {}
        foreach y $parts($before) {
            set out [dict get $y out]
            if {$out eq {} || ![before? $out [dict get $x in]]} continue
            if {$best eq {} || [before? [dict get $best out] $out]} {set best $y}
        }
        if {$best ne {}} {setCause $x $best [dict get $x in]}
    }
}

# Messages: the oldest part of the same value that has no effect yet.
proc ::chainReference::findMessages {i} {
    variable parts
    set before [expr {$i - 1}]
    set waiting [lsort -command {apply {{a b} {::chainReference::compare [dict get $a out] [dict get $b out]}}} \
        $parts($before)]
    foreach x $parts($i) {
        foreach y $waiting {
            if {[dict get $y towards] ne [dict get $x key] || ![before? [dict get $y out] [dict get $x in]]} continue
            setCause $x $y [dict get $x in]
            set waiting [lsearch -all -inline -exact -not $waiting $y]
            break
        }
    }
}

# The part of a step whose job runs at a row; of several the one that began to run last.
proc ::chainReference::runningPart {i row} {
    variable parts
    set best {}
    foreach x $parts($i) {
        set began {}
        foreach change [changesOf [dict get $x job]] {
            lassign $change at number from to
            if {$at >= $row} break
            set began [expr {$to eq "running" ? [list $at $number] : {}}]
        }
        if {$began eq {} || [lindex [dict get $x in] 2] >= $row} continue
        set in [lindex [dict get $x in] 2]
        if {[compare [list $in 0] $began] > 0} {set began [list $in 999]}
        if {$best eq {} || [compare [lindex $best 0] $began] < 0} {set best [list $began $x]}
    }
    lindex $best 1
}

# The part of a step that pushes or pops at a row: the event itself, or the job that runs.
proc ::chainReference::actor {i row} {
    variable parts
    variable chain
    if {[lindex [dict get [lindex [dict get $chain steps] $i] what] 0] eq "job"} {return [runningPart $i $row]}
    foreach x $parts($i) {
        if {[dict get $x row] == $row && [lindex [dict get $x in] 3] == 1} {return $x}
    }
}

# Elements: the part that pushed the first element that the part pops, unless what it pushed was popped before.
proc ::chainReference::findElements {i buffer} {
    variable parts
    variable used
    variable r
    variable chain
    upvar #0 $r R
    set before [expr {$i - 1}]
    set contents {}
    set row -1
    foreach entry $R(rows) {
        incr row
        lassign $entry t name words
        if {$t > $R(end)} break
        set place [list $t 1 $row 0 [expr {[llength [dict get $chain steps]] - $i}] 0]
        if {$name eq "buffer:reset"} {
            while {$contents ne {}} {
                set contents [lassign $contents y]
                noteDropped $y $contents $place
            }
        }
        if {![string match buffer:* $name] || [lindex $words 0] ne $buffer} continue
        switch [string range $name 7 end] {
            push - write {lappend contents [actor $before $row]}
            insert {set contents [linsert $contents [expr {max(0, [lindex $words 2])}] [actor $before $row]]}
            drop {
                set index [lindex $words 1]
                if {$index < 0 || $index >= [llength $contents]} continue
                set y [lindex $contents $index]
                set contents [lreplace $contents $index $index]
                noteDropped $y $contents $place
            }
            pop - read {
                set y [lindex $contents 0]
                set contents [lrange $contents 1 end]
                set x [actor $i $row]
                if {$x eq {} || $y eq {}} continue
                if {[dict get $x job] eq {}} {set place [dict get $x in]}
                set name [nameOf $x]
                set fixed [expr {[info exists used($name)] && ![before? $place $used($name)]}]
                if {$fixed || [dict exists $::chainReference::causes $name]} {
                    if {![info exists used([nameOf $y])]} {set used([nameOf $y]) $place}
                } else {
                    setCause $x $y $place
                }
            }
        }
    }
    variable left
    set left($before) $contents
}

# An element was dropped: it is lost if nothing of its part was popped, and nothing else is in the buffer.
proc ::chainReference::noteDropped {y contents place} {
    variable lost
    variable used
    if {$y ne {} && $y ni $contents && ![info exists used([nameOf $y])]} {lappend lost [list $y $place]}
}

proc ::chainReference::nameOf {part} {
    list [dict get $part step] [dict get $part number]
}

proc ::chainReference::setCause {x y place} {
    variable causes
    variable used
    dict set causes [nameOf $x] [list $y $place]
    if {![info exists used([nameOf $y])]} {set used([nameOf $y]) $place}
}

# The parts from the first step to this one, as far as causes are known.
proc ::chainReference::backward {part} {
    variable causes
    set path [list $part]
    while {[dict exists $causes [nameOf [lindex $path 0]]]} {
        set path [linsert $path 0 [lindex [dict get $causes [nameOf [lindex $path 0]]] 0]]
    }
    return $path
}

# ---- forward chains --------------------------------------------------------------------------------------------------

# The part that carries on what a part has written; {}: none does.
proc ::chainReference::next {part} {
    variable parts
    variable chain
    variable causes
    set i [expr {[dict get $part step] + 1}]
    set by [lindex [dict get [lindex [dict get $chain steps] $i] by] 0]
    if {$by eq "order"} {
        if {[dict get $part out] eq {}} return
        return [nextReader $i [dict get $part out]]
    }
    set best {}
    foreach x $parts($i) {
        if {![dict exists $causes [nameOf $x]]} continue
        lassign [dict get $causes [nameOf $x]] y place
        if {$y eq $part && ($best eq {} || [before? $place [lindex $best 0]])} {set best [list $place $x]}
    }
    lindex $best 1
}

# The first part of a step that reads behind a position; if it is abandoned, the first one behind that.
proc ::chainReference::nextReader {i place} {
    variable parts
    foreach x $parts($i) {
        if {![before? $place [dict get $x in]]} continue
        if {[dict get $x gone] ne {} && ![cause? $x]} {return [nextReader $i [dict get $x gone]]}
        return $x
    }
}

# Is the part the cause of some other one?
proc ::chainReference::cause? {part} {
    variable causes
    dict for {name cause} $causes {
        if {[lindex $cause 0] eq $part} {return 1}
    }
    return 0
}

# The immediate forward chain of a part of the first step: its parts, as far as it got.
proc ::chainReference::forward {part} {
    variable chain
    set path [list $part]
    while {[llength $path] < [llength [dict get $chain steps]]} {
        set x [next [lindex $path end]]
        if {$x eq {}} break
        lappend path $x
    }
    return $path
}

# The time of the read before a part of the first step, of those that were not abandoned before the part wrote.
proc ::chainReference::readBefore {part} {
    variable parts
    set time {}
    foreach x $parts(0) {
        if {[dict get $x number] >= [dict get $part number]} break
        set gone [dict get $x gone]
        if {$gone ne {} && ([dict get $part out] eq {} || [before? $gone [dict get $part out]])
            && ([dict get $part gone] eq {} || [before? $gone [dict get $part gone]])} continue
        set time [dict get $x time]
    }
    return $time
}

# ---- values ----------------------------------------------------------------------------------------------------------

# -1, 0, 1: the ticks against a limit.
proc ::chainReference::against {ticks limit} {
    variable r
    variable unit
    upvar #0 $r R
    regexp {^(\d*)\.?(\d*) *([a-z]*)$} $limit -> whole part suffix
    set powers {s 0 ms 3 us 6 ns 9 ps 12}
    set shift [expr {$suffix eq {} ? 0 : [dict get $powers $suffix] - [dict get $powers $unit]}]
    scan $whole$part %lld number
    # ticks / 10^digits against number / 10^(length of part + shift)
    set left [expr {$ticks * 10 ** ([string length $part] + max(0, $shift))}]
    set right [expr {$number * 10 ** ($R(digits) + max(0, -$shift))}]
    expr {$left < $right ? -1 : $left > $right}
}

proc ::chainReference::holds? {order op} {
    expr "$order $op 0"
}

# Stretches in which something may have happened that is not recorded; one that is not over ends behind the recording.
proc ::chainReference::unknownStretches {} {
    variable chain
    variable r
    upvar #0 $r R
    set list {}
    foreach name [array names R unknownLog,*] {
        set since {}
        foreach {t on} [concat $R($name) [expr {$R(end) + 1}] 0] {
            if {$on && $since eq {}} {set since $t}
            if {!$on && $since ne {}} {
                lappend list [list $since $t]
                set since {}
            }
        }
    }
    if {[dict get $chain kind] eq "together"} {return [merged $list]}
    foreach step [dict get $chain steps] {
        if {[lindex [dict get $step what] 0] ne "job"} continue
        foreach k [jobsOf [lindex [dict get $step what] 1]] {
            foreach entry $R(log,$k) next [lrange $R(log,$k) 1 end] {
                if {[lindex $entry 1] eq "unknown"} {
                    lappend list [list [lindex $entry 0] [expr {$next eq {} ? $R(end) : [lindex $next 0]}]]
                }
            }
            if {![dict get $step let] || $R(release,$k) ne {}} continue
            set over $R(end)
            foreach change [changesOf $k] {
                lassign $change row - from to
                if {$to in {completed none} && $from ni {between completed}} {set over [lindex $R(rows) $row 0]}
            }
            lappend list [list $R(begin,$k) $over]
        }
    }
    return $list
}

# Stretches that touch are one.
proc ::chainReference::merged {list} {
    set merged {}
    foreach stretch [lsort -integer -index 0 $list] {
        lassign $stretch a b
        if {$a == $b} continue
        if {$merged ne {} && [lindex $merged end 1] >= $a} {
            lset merged end 1 [expr {max($b, [lindex $merged end 1])}]
        } else {
            lappend merged $stretch
        }
    }
    return $merged
}

proc ::chainReference::unknown? {since until} {
    variable unknown
    foreach stretch $unknown {
        lassign $stretch a b
        if {$since < $until && $a < $b && $a < $until && $b > $since} {return 1}
    }
    return 0
}

proc ::chainReference::verdict {require value since until open} {
    dict with require {}
    set order [against $value $limit]
    set doubt [unknown? $since $until]
    if {$open} {
        set tooMuch [expr {$op eq "==" ? $order > 0 : $op in {< <=} && ![holds? $order $op]}]
        return [expr {!$tooMuch ? "valid" : $doubt ? "uncertain" : "invalid"}]
    }
    if {!$doubt} {return [expr {[holds? $order $op] ? "valid" : "invalid"}]}
    # Anything from 0 to the value: of all comparisons, the limit, 0 and the value are what matters.
    set verdicts {}
    set zero [against 0 $limit]
    if {$order >= 0 && $zero <= 0} {lappend verdicts [holds? 0 $op]}
    lappend verdicts [holds? $order $op] [holds? $zero $op]
    if {$order > 0 && $zero < 0} {lappend verdicts [holds? 1 $op] [holds? -1 $op]}
    set verdicts [lsort -unique $verdicts]
    return [expr {[llength $verdicts] > 1 ? "uncertain" : [lindex $verdicts 0] ? "valid" : "invalid"}]
}

# ---- sentences -------------------------------------------------------------------------------------------------------

proc ::chainReference::time {t} {
    variable r
    upvar #0 $r R
    ::reference::decimal $t $R(digits)
}

# A time in a sentence.
proc ::chainReference::said {t} {
    variable unit
    set text [time $t]
    if {$unit eq {}} {return $text}
    ::tactus::length $text $unit
}

proc ::chainReference::say {part} {
    variable chain
    if {[dict get $part id] ne {}} {return [dict get $part id]}
    return [dict get [lindex [dict get $chain steps] [dict get $part step]] name]@[said [dict get $part time]]
}

proc ::chainReference::head {part} {
    variable chain
    set text "chain [dict get $chain name]"
    if {$part ne {}} {
        set i [dict get $part step]
        set their [field [expr {$i + 1}] their]
        set mine [field $i mine]
        if {$their ne {}} {
            append text ", $their [dict get $part towards]"
        } elseif {$mine ne {}} {
            append text ", $mine [dict get $part key]"
        }
    }
    return "$text: "
}

# The line of a moment: of its row, or the first row of that time, if possible of the job; else the last one before.
proc ::chainReference::lineAt {place {job {}}} {
    variable r
    upvar #0 $r R
    lassign $place t phase row
    if {$phase in {0.5 1} && $row < [llength $R(rows)]} {return [lindex $R(rows) $row 3]}
    set last 0
    set first {}
    foreach entry $R(rows) {
        lassign $entry time name words line
        if {$time > $t} break
        set last $line
        if {$time < $t} continue
        if {$job ne {} && [string match job* $name] && [lindex $words 0] eq $job} {return $line}
        if {$first eq {}} {set first $line}
    }
    expr {$first eq {} ? $last : $first}
}

# place: position at which it arises; ranks: more of the order.
proc ::chainReference::tell {place ranks verdict parts sentence from} {
    variable told
    set objects {}
    foreach part [list [lindex $parts 0] [lindex $parts end]] {
        if {$part eq {} || [dict get $part id] eq {}} continue
        if {[list job [dict get $part id]] ni $objects} {lappend objects [list job [dict get $part id]]}
    }
    lappend told [list [concat $place $ranks] [dict create verdict $verdict time [time [lindex $place 0]] end {} \
        objects $objects line [lineAt $place [lindex $objects 0 1]] sentence "$sentence ($from)"]]
}

# ---- chains ----------------------------------------------------------------------------------------------------------

# Judges one requirement of a chain after the other.
proc ::chainReference::judgeChain {} {
    variable chain
    variable r
    variable parts
    variable causes {}
    variable unknown
    variable used
    variable lost {}
    variable left
    upvar #0 $r R
    array unset parts
    array unset used
    array unset left
    set n [llength [dict get $chain steps]]
    set unknown [unknownStretches]
    for {set i 0} {$i < $n} {incr i} {set parts($i) [partsOf $i]}
    for {set i [expr {$n - 1}]} {$i > 0} {incr i -1} {findCauses $i}
    set number -1
    foreach require [dict get $chain requires] {
        incr number
        switch [dict get $require measure] {
            reaction - reducedReaction {set judged [judgeForward $number $require]}
            age {set judged [judgeAge $number $require]}
            reducedAge - latency {set judged [judgeBackward $number $require]}
            separation {set judged [judgeSeparation $number $require]}
            order {set judged [judgeOrder $number $require]}
            lossless {set judged [judgeLossless $number $require]}
        }
        if {$judged} continue
        set measure [dict get $require measure]
        set why [expr {$measure eq "separation" ? "there are no two occurrences" : "no chain is complete"}]
        tell [list $R(end) 2 0 0 0 0] [list 1 $number 1000000] uncertain {} \
            "[head {}]$measure is not known ($why)[required $require]" [dict get $require place]
    }
}

proc ::chainReference::required {require} {
    dict with require {}
    return ", required [expr {$op eq {} ? $measure : "$op $limit"}]"
}

# Judges a time that was measured along a path, up to a position; returns whether there was something to judge.
proc ::chainReference::judge {number require since place ranks path {open 0} {separator " -> "}} {
    set until [lindex $place 0]
    set value [expr {$until - $since}]
    set verdict [verdict $require $value $since $until $open]
    if {$verdict eq "valid"} {return [expr {!$open}]}
    set doubt [unknown? $since $until]
    tell $place [list {*}$ranks $number] $verdict $path \
        "[head [lindex $path end]][dict get $require measure] was [expr {$doubt && !$open ? "up to " : {}}][said \
        $value] from [said $since] to [said $until][expr {$open ? ", the end of the recording" : {}}][expr {$doubt ?
        ", not all of which is known" : {}}][required $require]: [join [lmap part $path {say $part}] $separator]" \
        [dict get $require place]
    return 1
}

# Of all forward chains that meet in a part, the longest one.
proc ::chainReference::judgeForward {number require} {
    variable chain
    variable parts
    variable r
    variable left
    upvar #0 $r R
    set n [llength [dict get $chain steps]]
    set reduced [expr {[dict get $require measure] eq "reducedReaction"}]
    set judged 0
    set pending {}
    foreach first $parts(0) {
        set since [expr {$reduced ? [dict get $first time] : [readBefore $first]}]
        if {$since eq {}} continue
        set path [forward $first]
        set last [lindex $path end]
        if {[llength $path] == $n && [dict get $last out] ne {}} {
            if {[info exists met([nameOf $last])]} continue
            set met([nameOf $last]) 1
            judge $number $require $since [dict get $last out] 1 $path
            set judged 1
            continue
        }
        # Where does it go on? In a part that has not written; behind the last one of its step that wrote. What was not
        # pushed on, or is not in the buffer any more, does not go on.
        set i [dict get $last step]
        set link [expr {$i + 1 < $n ? [lindex [dict get [lindex [dict get $chain steps] $i+1] by] 0] : {}}]
        set where [expr {[dict get $last out] eq {} || $link ne "order" ? [nameOf $last] : [list waits $i]}]
        set over [expr {[dict get $last out] ne {} || [dict get $last gone] ne {}}]
        if {$link eq "element" && $over && $last ni $left($i)} continue
        if {$link ne "element" && [dict get $last gone] ne {}} continue
        if {[info exists met($where)]} continue
        set met($where) 1
        lappend pending [list $since $path]
    }
    set k 0
    foreach entry $pending {
        lassign $entry since path
        if {[judge $number $require $since [list $R(end) 2 0 0 0 0] [list 1 $number [incr k]] $path 1]} {set judged 1}
    }
    return $judged
}

# The parts of a step that wrote, in that order.
proc ::chainReference::written {i} {
    variable parts
    set list [lmap part $parts($i) {
        if {[dict get $part out] eq {}} continue
        set part
    }]
    lsort -command {apply {{a b} {::chainReference::compare [dict get $a out] [dict get $b out]}}} $list
}

proc ::chainReference::judgeBackward {number require} {
    variable chain
    set judged 0
    set n [llength [dict get $chain steps]]
    foreach last [written [expr {$n - 1}]] {
        set path [backward $last]
        set first [lindex $path 0]
        if {[llength $path] < $n} continue
        if {[dict get $require measure] eq "latency" && [info exists arrived([nameOf $first])]} continue
        set arrived([nameOf $first]) 1
        judge $number $require [dict get $first time] [dict get $last out] 1 $path
        set judged 1
    }
    return $judged
}

# From the read of the first step to the write of the next effect.
proc ::chainReference::judgeAge {number require} {
    variable chain
    variable r
    upvar #0 $r R
    set judged 0
    set n [llength [dict get $chain steps]]
    set all [written [expr {$n - 1}]]
    foreach last $all next [lrange $all 1 end] {
        set path [backward $last]
        if {[llength $path] < $n} continue
        set since [dict get [lindex $path 0] time]
        if {$next ne {}} {
            judge $number $require $since [dict get $next out] 1 $path
            set judged 1
        } elseif {[judge $number $require $since [list $R(end) 2 0 0 0 0] [list 1 $number 0] $path 1]} {
            set judged 1
        }
    }
    return $judged
}

proc ::chainReference::judgeSeparation {number require} {
    variable chain
    set steps [dict get $chain steps]
    set i [lsearch -exact [lmap step $steps {dict get $step name}] [dict get $require step]]
    if {[dict get $require step] eq {}} {set i [expr {[llength $steps] - 1}]}
    set all [written $i]
    foreach one [lrange $all 0 end-1] other [lrange $all 1 end] {
        judge $number $require [lindex [dict get $one out] 0] [dict get $other out] 1 [list $one $other] 0 ", "
    }
    expr {[llength $all] > 1}
}

# Was there, for each link, a part that went on?
proc ::chainReference::wentOn {} {
    variable chain
    variable causes
    set steps [lmap name [dict keys $causes] {lindex $name 0}]
    for {set i 1} {$i < [llength [dict get $chain steps]]} {incr i} {
        if {$i ni $steps} {return 0}
    }
    return 1
}

proc ::chainReference::tellLink {require number place ranks part since what step} {
    variable chain
    set doubt [unknown? $since [lindex $place 0]]
    tell $place [list {*}$ranks $number] [expr {$doubt ? "uncertain" : "invalid"}] [list $part] \
        "[head $part][say $part] [string map [list %s [dict get [lindex [dict get $chain steps] $step] name]] $what][expr {$doubt ?
        ", as far as is known since [said $since]" : {}}][required $require]" [dict get $require place]
}

# Each part has a cause of its own, and the causes come in their order.
proc ::chainReference::judgeOrder {number require} {
    variable chain
    variable parts
    variable causes
    for {set i 1} {$i < [llength [dict get $chain steps]]} {incr i} {
        set link [lindex [dict get [lindex [dict get $chain steps] $i] by] 0]
        set before [expr {$i - 1}]
        set most 0
        set list {}
        foreach x $parts($i) {
            if {[dict exists $causes [nameOf $x]]} {
                lassign [dict get $causes [nameOf $x]] y place
                lappend list [list $place $x $y]
            } else {
                lappend list [list [dict get $x in] $x {}]
            }
        }
        foreach entry [lsort -command ::chainReference::compareTold $list] {
            lassign $entry place x y
            if {$y eq {}} {
                if {$link ne "field" || !$most} continue
                set since [lindex $place 0]
                foreach other $parts($before) {
                    if {[before? [dict get $other out] $place]} {set since [lindex [dict get $other out] 0]}
                }
                tellLink $require $number $place 0 $x $since "has no cause in step %s" $before
                continue
            }
            set out [dict get $y out]
            set since [expr {$out eq {} || [before? $place $out] ? [dict get $y time] : [lindex $out 0]}]
            set k [dict get $y number]
            if {$k < $most} {
                tellLink $require $number $place 0 $x $since "comes behind the effect of a later %s" $before
            } elseif {$k == $most && $link ne "element"} {
                tellLink $require $number $place 0 $x $since "has no new cause in step %s" $before
            }
            set most [expr {max($most, $k)}]
        }
    }
    wentOn
}

# No part is overwritten, dropped or passed by before it had an effect.
proc ::chainReference::judgeLossless {number require} {
    variable chain
    variable parts
    variable used
    variable causes
    variable lost
    variable left
    variable r
    upvar #0 $r R
    for {set i 0} {$i + 1 < [llength [dict get $chain steps]]} {incr i} {
        set next [expr {$i + 1}]
        set link [lindex [dict get [lindex [dict get $chain steps] $next] by] 0]
        if {$link eq "order"} {
            set all [written $i]
            foreach one [lrange $all 0 end-1] other [lrange $all 1 end] {
                set place [dict get $other out]
                if {[info exists used([nameOf $one])] && [before? $used([nameOf $one]) $place]} continue
                set since [lindex [dict get $one out] 0]
                tellLink $require $number $place 2 $one $since "was overwritten before step %s read it" $next
            }
            continue
        }
        set k 0
        foreach entry $lost {
            lassign $entry y place
            if {[dict get $y step] != $i} continue
            set since [dict get $y time]
            tellLink $require $number $place [list 2 [incr k]] $y $since "was dropped before step %s had it" $next
        }
        set most 0
        dict for {name cause} $causes {
            if {[lindex $name 0] == $next} {set most [expr {max($most, [dict get [lindex $cause 0] number])}]}
        }
        foreach x $parts($i) {
            if {[info exists used([nameOf $x])] || [dict get $x number] > $most} continue
            if {$link eq "element" && $x ni $left($i)} continue
            set place [list $R(end) 2 0 0 0 0]
            set since [expr {[dict get $x out] eq {} ? [dict get $x time] : [lindex [dict get $x out] 0]}]
            set ranks [list 2 $i [dict get $x number]]
            tellLink $require $number $place $ranks $x $since "was passed by: step %s took a later one" $next
        }
    }
    wentOn
}

# ---- events that come together ---------------------------------------------------------------------------------------

# Goes through the occurrences of all events, and keeps the groups that are under way.
proc ::chainReference::judgeTogether {} {
    variable chain
    variable r
    variable unknown [unknownStretches]
    upvar #0 $r R
    set events [dict get $chain events]
    set all {}
    set k -1
    foreach event $events {
        incr k
        foreach one [events $event] {
            lassign $one row change o
            set key {}
            set fields [::modelReference::fieldsOf $r $o]
            if {[dict get $chain by] ne {}} {
                if {![dict exists $fields [dict get $chain by]]} continue
                set key [dict get $fields [dict get $chain by]]
            }
            lappend all [list [concat [placeOf $row $change $o] [expr {-$k}] 0] $k $key]
        }
    }
    set judged 0
    set groups {}                   ;# by key: {position members number}
    set n 0
    foreach entry [lsort -command ::chainReference::compareTold $all] {
        lassign $entry place k key
        foreach other [dict keys $groups] {
            set group [dict get $groups $other]
            if {[against [expr {[lindex $place 0] - [lindex $group 0 0]}] [dict get $chain within]] <= 0} continue
            incr judged [endGroup $other $group $place {}]
            dict unset groups $other
        }
        if {[dict exists $groups $key]} {
            lassign [dict get $groups $key] begin members number
            if {$k in $members && [dict get $chain several]} continue
            if {$k in $members} {
                incr judged [endGroup $key [dict get $groups $key] $place $k]
                dict unset groups $key
            } else {
                lappend members $k
                dict set groups $key [list $begin $members $number]
                if {[llength $members] == [llength $events]} {
                    set judged 1
                    if {![dict get $chain several]} {dict unset groups $key}
                }
                continue
            }
        }
        dict set groups $key [list $place [list $k] [incr n]]
    }
    set end [list $R(end) 2 0 0 0 0]
    dict for {key group} $groups {
        if {[against [expr {$R(end) - [lindex $group 0 0]}] [dict get $chain within]] > 0} {
            incr judged [endGroup $key $group $end {}]
        }
    }
    if {!$judged} {
        tell $end 9 uncertain {} "synchronize [dict get $chain name]: none of its groups is complete, required within\
            [dict get $chain within]" [dict get $chain place]
    }
}

# A group ends at a position, where event `again` comes anew, or since its time is over. Was it judged?
proc ::chainReference::endGroup {key group place again} {
    variable chain
    variable r
    upvar #0 $r R
    lassign $group begin members number
    set events [dict get $chain events]
    if {[llength $members] == [llength $events]} {return 1}
    set since [lindex $begin 0]
    if {[against [expr {$since - $R(begin)}] [dict get $chain within]] < 0} {return 0}
    # Something missing may have come from the first event on until the time was over, or the group had ended.
    variable unknown
    set doubt 0
    foreach stretch $unknown {
        lassign $stretch a b
        if {$a < $b && $b > $since && [against [expr {$a - $since}] [dict get $chain within]] < 0
            && $a < [lindex $place 0] && $since < [lindex $place 0]} {set doubt 1}
    }
    set by [expr {[dict get $chain by] eq {} ? {} : ", [dict get $chain by] $key"}]
    set missing {}
    for {set k 0} {$k < [llength $events]} {incr k} {
        if {$k ni $members} {lappend missing [lindex $events $k]}
    }
    set there [lmap k [lsort -integer $members] {lindex $events $k}]
    set sentence "synchronize [dict get $chain name]$by: [join $there ", "] came from [said $since] on without [join \
        $missing ", "]"
    if {$again ne {}} {append sentence " before [lindex $events $again] came anew at [said [lindex $place 0]]"}
    if {$doubt} {append sentence ", not all of which is known"}
    append sentence ", required within [dict get $chain within]"
    # It is told when it is noticed, with the time and line of its first event.
    variable told
    lappend told [list [concat $place [list 0 $number]] [dict create verdict [expr {$doubt ? "uncertain" : "invalid"}] \
        time [time $since] end {} objects {} line [lineAt $begin] sentence "$sentence ([dict get $chain place])"]]
    return 1
}
