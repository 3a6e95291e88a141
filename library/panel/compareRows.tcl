# panel/compareRows.tcl -- what the panel Compare shows, made of the rows of tactus::compare, of baselines and of the
# tables of jobs: no widgets.
#
#   compared::rows FIGURES             a row for each task and measure, what differs most first
#   compared::values TRACE TASK MEASURE ?GOON?      the distribution: {value count ...}, ascending
#   compared::bins VALUES1 VALUES2 MOST             both as shares of one row of bins: dict from step first second
#   compared::pairs JOBS1 JOBS2 BY ?GOON?           pairs of jobs that differ most; jobs TRACE TASK MEASURE ?GOON?
#
# GOON is a prefix that is called now and then; it cancels by an error or a break.

::tactus::need times

namespace eval ::tactus::player::compared {
    variable columns {task measure verdict figure change difference base_p50 other_p50 base_p99 other_p99 interval base
        other}
    variable most 200   ;# pairs that are listed
}

# ---- figures ---------------------------------------------------------------------------------------------------------

# Columns of the list, as tactus::relation wants them.
proc ::tactus::player::compared::columnRows {unit} {
    variable columns
    lmap name $columns {
        set type [expr {$name in {task measure verdict figure interval} ? "text" : $name eq "change" ? "number"
            : "time"}]
        set own [dict get [list text {} number % time [expr {$name in {base other difference} ? {} : $unit}]] $type]
        dict create name $name type $type unit $own help [dict get {
            task "task, or its id where it was matched by that" measure "of its jobs"
            verdict "worse, better, noise, few (jobs), same; missing: only above; new: only below"
            figure "the one that differs most" base "of the trace above" other "of the trace below"
            difference "other less base" change "in percent of base"
            interval "in which the difference is, with 99 percent confidence"
            base_p50 "median above" other_p50 "median below" base_p99 "99th percentile above"
            other_p99 "99th percentile below"
        } $name]
    }
}

# Rows in the order of columns: of each task and measure the figure that differs most, but for the minimum.
proc ::tactus::player::compared::rows {figures} {
    set groups {}
    foreach row $figures {
        if {[dict get $row figure] ne "min"} {
            dict lappend groups [list [dict get $row task] [dict get $row measure]] $row
        }
    }
    set rows {}
    dict for {key group} $groups {
        lassign {9 0 {}} class change told
        foreach row $group {
            lassign [weight $row] ownClass ownChange
            if {$ownClass < $class || $ownClass == $class && $ownChange > $change} {
                lassign [list $ownClass $ownChange $row] class change told
            }
        }
        lappend rows [list $class $change [listed $told $group]]
    }
    lmap row [lsort -integer -index 0 [lsort -real -decreasing -index 1 $rows]] {lindex $row 2}
}

# What is told first: that of which it is known that it differs, by its change; then noise, few, same. {class change}.
proc ::tactus::player::compared::weight {row} {
    set class [lsearch -exact {higher lower noise few same missing new} [dict get $row verdict]]
    set change [dict get $row change]
    if {$change eq {}} {
        set change [expr {[dict get $row difference] ni {{} 0 0.0} ? Inf : 0}]
    }
    list [expr {max(1, $class)}] [expr {abs($change)}]
}

proc ::tactus::player::compared::listed {told group} {
    set known {}
    foreach row $group {dict set known [dict get $row figure] $row}
    set quantiles {}
    foreach figure {p50 p99} {
        foreach side {base other} {
            lappend quantiles [if {[dict exists $known $figure]} {decimal [dict get $known $figure $side]}]
        }
    }
    dict with told {}
    foreach name {base other difference} {set $name [decimal [set $name]]}
    list $task $measure [verdict $measure $verdict] $figure \
        [expr {$change eq {} ? {} : [::tactus::format %.2f $change]}] $difference {*}$quantiles \
        [interval $low $high] $base $other
}

# A number as times of a trace are written: without an exponent, and without the noise of its last digits.
proc ::tactus::player::compared::decimal {value} {
    if {$value eq {} || ![regexp {[eE]|\.\d{12}} $value]} {return $value}
    set text [string trimright [string trimright [::tactus::format %.12f $value] 0] .]
    # (Not by expr: that would write an exponent again.)
    if {$text eq "-0"} {return 0}
    return $text
}

# More is worse, but for the time between two releases.
proc ::tactus::player::compared::verdict {measure verdict} {
    if {$measure eq "interarrival" || $verdict ni {higher lower}} {return $verdict}
    dict get {higher worse lower better} $verdict
}

proc ::tactus::player::compared::interval {low high} {
    if {$low eq {} && $high eq {}} return
    lassign [lmap end [list $low $high] {expr {$end eq {} ? {?} : [::tactus::format %+.6g $end]}}] low high
    return "$low \u2026 $high"
}

# ---- distributions ---------------------------------------------------------------------------------------------------

# A baseline has all values, or blocks of neighbours where they are very many.
proc ::tactus::player::compared::values {trace task measure {goOn {}}} {
    set pattern [::tactus::nameList [list [regsub -all {[][*?\\]} $task {\\&}]]]
    set text [::tactus::baseline [list $trace] -task $pattern -jobs 0 {*}[if {$goOn ne {}} {list -progress $goOn}]]
    set found 0
    set values {}
    foreach line [split $text \n] {
        switch -glob -- $line {
            "task *" {
                set words [split $line]
                set own [expr {[unescaped [lindex $words 1]] eq $task}]
            }
            "measure *" {set found [expr {$own && [lindex [split $line] 1] eq $measure}]}
            "causes *" - "end" {set found 0}
            default {
                if {!$found} continue
                foreach word [split $line] {
                    if {$word eq {}} continue
                    lassign [split $word *] value count
                    lappend values $value [expr {$count eq {} ? 1 : $count}]
                }
            }
        }
    }
    return $values
}

# A word of a baseline as text.
proc ::tactus::player::compared::unescaped {word} {
    if {$word eq "%"} return
    set bytes [encoding convertto utf-8 $word]
    set text {}
    while {[regexp {^(.*?)%([0-9A-Fa-f]{2})(.*)$} $bytes -> before code bytes]} {
        append text $before [format %c [scan $code %x]]
    }
    encoding convertfrom utf-8 $text$bytes
}

# Values times a power of ten: in the unit of the other trace.
proc ::tactus::player::compared::scaled {values power} {
    if {!$power} {return $values}
    concat {*}[lmap {value count} $values {list [::tactus::times::scale $value $power] $count}]
}

proc ::tactus::player::compared::total {values} {
    set n 0
    foreach {value count} $values {incr n $count}
    return $n
}

# The percentile by nearest rank.
proc ::tactus::player::compared::percentile {values percent} {
    set rank [expr {max(1, int(ceil([total $values] * $percent / 100.0)))}]
    foreach {value count} $values {
        if {[incr rank -$count] <= 0} {return $value}
    }
    return
}

# A step of 1, 2 or 5 times a power of ten, so that at most so many cover the length.
proc ::tactus::player::compared::niceStep {length most} {
    set least [expr {$length / double($most)}]
    set power [expr {10.0 ** floor(log10($least))}]
    foreach factor {1 2 5 10} {
        if {$factor * $power >= $least * (1 - 1e-9)} {return [expr {$factor * $power}]}
    }
}

# Bins over the range of both: shares of the jobs of each. One bin where all values are equal.
proc ::tactus::player::compared::bins {first second most} {
    set ends [concat [lindex $first 0] [lindex $first end-1] [lindex $second 0] [lindex $second end-1]]
    if {![llength $ends]} return
    set low [tcl::mathfunc::min {*}$ends]
    set high [tcl::mathfunc::max {*}$ends]
    set step [expr {$high > $low ? [niceStep [expr {$high - $low}] $most] : ($low != 0 ? abs($low) / 10.0 : 1.0)}]
    set from [expr {floor($low / $step + 1e-9) * $step}]
    set count [expr {int(floor(($high - $from) / $step + 1e-9)) + 1}]
    set result [dict create from $from step $step]
    foreach side {first second} {
        set bins [lrepeat $count 0.0]
        set total [total [set $side]]
        foreach {value n} [set $side] {
            set place [expr {min($count - 1, max(0, int(floor(($value - $from) / $step + 1e-9))))}]
            lset bins $place [expr {[lindex $bins $place] + $n / double($total)}]
        }
        dict set result $side $bins
    }
    return $result
}

# ---- pairs -----------------------------------------------------------------------------------------------------------

# The column of jobs in which pairs are compared: measures that jobs do not have by themselves stand for another.
proc ::tactus::player::compared::columnOf {measure} {
    switch -- $measure {
        jitter {return interarrival}
        misses {return lateness}
        default {return $measure}
    }
}

# The jobs of a task that have the measure, in the order of release: a list of {number job release value}. power,
# offset: what brings times to those of the other trace.
proc ::tactus::player::compared::jobs {trace task measure {goOn {}} {power 0} {offset 0}} {
    set column [columnOf $measure]
    set whole [expr {$column in {execution blocked preempted net_execution}
        ? "AND completion IS NOT NULL AND coalesce(unknown, 0) = 0" : {}}]
    set relation [$trace sql "SELECT number, job, release_ticks, ${column}_ticks FROM jobs\
        WHERE task = '[string map {' ''} $task]' AND release IS NOT NULL AND $column IS NOT NULL $whole\
        ORDER BY release_ticks, number" -format relation {*}[if {$goOn ne {}} {list -progress $goOn}]]
    set unit [expr {10.0 ** ($power - [dict get [$trace info] decimals])}]
    set digits [expr {[dict get [$trace info] decimals] - $power}]
    try {
        set jobs {}
        for {set first 0} {$first < [$relation count]} {incr first 2000} {
            goOn $goOn
            foreach row [$relation rows $first 2000] {
                lassign $row number job release value
                lappend jobs [list $number $job [expr {$release * $unit + $offset}] [expr {$value * $unit}] \
                    $release $value $digits]
            }
        }
        return $jobs
    } finally {
        $relation close
    }
}

proc ::tactus::player::compared::goOn {prefix} {
    if {$prefix eq {}} return
    if {[catch {{*}$prefix {}}]} {return -code error -errorcode {TACTUS CANCELLED} cancelled}
}

# The pairs that differ most: a list of {job other_job difference base other number other_number}. by: number (the
# first with the first ...) or release (each the nearest of the other).
proc ::tactus::player::compared::pairs {first second by {goOn {}}} {
    variable most
    set found {}
    set partner [expr {$by eq "release" ? [mutual $first $second $goOn] : {}}]
    set i -1
    foreach a $first {
        if {[incr i] % 2000 == 0} {goOn $goOn}
        set j [expr {$by eq "release" ? [lindex $partner $i] : $i}]
        if {$j < 0 || $j >= [llength $second]} continue
        lappend found [list [expr {abs([lindex $second $j 3] - [lindex $a 3])}] $i $j]
    }
    lmap row [lrange [lsort -real -decreasing -index 0 $found] 0 $most-1] {
        pairRow [lindex $first [lindex $row 1]] [lindex $second [lindex $row 2]]
    }
}

proc ::tactus::player::compared::pairRow {a b} {
    set values [lmap job [list $a $b] {
        lassign [lrange $job 5 6] value digits
        ::tactus::times::scale $value [expr {-$digits}]
    }]
    list [lindex $a 1] [lindex $b 1] [::tactus::times::subtract {*}[lreverse $values]] {*}$values \
        [lindex $a 0] [lindex $b 0]
}

# Of each job of the first the place of its partner: the nearest release, if that is so the other way round; else -1.
proc ::tactus::player::compared::mutual {first second goOn} {
    set there [nearest $first $second $goOn]
    set back [nearest $second $first $goOn]
    set i -1
    lmap j $there {
        incr i
        expr {$j >= 0 && [lindex $back $j] == $i ? $j : -1}
    }
}

# Of each job the place of the nearest release of the others; both are in order.
proc ::tactus::player::compared::nearest {jobs others goOn} {
    set j 0
    set n 0
    set last [expr {[llength $others] - 1}]
    lmap job $jobs {
        if {$n % 2000 == 0} {goOn $goOn}
        incr n
        set time [lindex $job 2]
        while {$j < $last && abs([lindex $others $j+1 2] - $time) < abs([lindex $others $j 2] - $time)} {incr j}
        expr {$last < 0 ? -1 : $j}
    }
}
