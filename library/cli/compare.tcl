# cli/compare.tcl -- tactus compare and tactus baseline.
#
#   words -> files of BASE and of OTHER, those of folders too -> traces, and texts of baselines -> tactus::compare: rows
#         of figures and of causes -> --fail-on judges the rows -> a table, CSV, JSON or JUnit, and the exit status
#
# A row is a dict by column (tactus::describe compareTables). A judgement of a condition is a dict: condition, verdict
# (fine, worse, open), and the rows worse, noise and open behind it.

::tactus::need cli/columns cli/folder cli/junit

namespace eval ::tactus::cli::compare {
    namespace path ::tactus::cli
    variable figures {min p50 p95 p99 p999 max count share}
    variable texts {task measure figure verdict shift base_task other_task cause}
    variable longest 200000000 ;# bytes of a baseline
}

# ---- sources ---------------------------------------------------------------------------------------------------------

# Opens the traces, and reads the baselines, that files name: a list of words for tactus::compare.
proc ::tactus::cli::compare::openAll {files options} {
    lmap file [tracesOf $files] {
        if {[file isdirectory $file]} {failEmpty $file}
        expr {[isBaseline $file] ? [readBaseline $file] : [openTrace $file $options]}
    }
}

proc ::tactus::cli::compare::isBaseline {file} {
    if {$file eq "-" || ![file isfile $file]} {return 0}
    set channel [open $file rb]
    try {string equal [read $channel 16] "tactus-baseline "} finally {close $channel}
}

proc ::tactus::cli::compare::readBaseline {file} {
    variable longest
    if {[file size $file] > $longest} {
        return -code error -errorcode {TACTUS LIMIT BASELINE} \
            "the baseline \"$file\" has more than [expr {$longest / 1000000}] MB"
    }
    set channel [open $file]
    chan configure $channel -encoding utf-8
    try {set text [read $channel]} finally {close $channel}
    # a mistake is told with the file's name
    try {
        ::tactus::baseline [list $text] -jobs 0 -task {}
    } trap {TACTUS BASELINE} {message errorOptions} {
        dict set errorOptions -code error
        return -options $errorOptions "$file, $message"
    }
    return $text
}

proc ::tactus::cli::compare::closeAll {words} {
    foreach word $words {
        if {![string match "tactus-baseline *" $word]} {$word close}
    }
}

# The options of both commands, as the core calls them.
proc ::tactus::cli::compare::common {options} {
    among $options {{name -where} {name -task} {name -measure}}
}

proc ::tactus::cli::compare::jobs {options} {
    expr {max(0, int([option $options -jobs 200]))}
}

# ---- tactus baseline -------------------------------------------------------------------------------------------------

proc ::tactus::cli::runBaseline {operands options} {
    if {![llength $operands]} {usageError baseline "a trace is needed, \"-\" for standard input"}
    set words [compare::openAll $operands $options]
    set text [::tactus::baseline $words {*}[compare::common $options] -jobs [compare::jobs $options]]
    compare::closeAll $words
    if {![dict exists $options -output]} {return [puts -nonewline $text]}
    ::tactus::save [dict get $options -output] channel {
        chan configure $channel -encoding utf-8 -translation lf
        puts -nonewline $channel $text
    }
}

# ---- tactus compare --------------------------------------------------------------------------------------------------

proc ::tactus::cli::runCompare {operands options} {
    set base [option $options -base {}]
    if {![llength $base]} {set operands [lassign $operands base]; set base [list $base]}
    if {![llength $operands]} {
        usageError compare "two sides are needed: BASE OTHER, or --base TRACE for each trace of BASE and those of OTHER"
    }
    if {[option $options -format table] eq "junit" && ![dict exists $options -fail-on]} {
        usageError compare "junit tells of conditions: --fail-on is needed"
    }
    set conditions [lmap text [option $options -fail-on {}] {compare::condition $text}]
    set result [compare::measure $base $operands $options]
    dict set result judged [lmap condition $conditions {
        compare::judge $condition $result [option $options -count-noise 0]
    }]
    compare::[option $options -format table] $result $options
    setStatus [compare::status $result]
}

# Opens and compares: a dict of base, other (files), unit, figures and causes (lists of rows).
proc ::tactus::cli::compare::measure {base other options} {
    variable unit {}
    set bases [openAll $base $options]
    set others [openAll $other $options]
    set common [common $options]
    set figures [::tactus::compare $bases $others {*}$common -confidence [option $options -confidence 99]]
    set causes {}
    if {[jobs $options]} {
        set causes [::tactus::compare $bases $others {*}$common -of causes -jobs [jobs $options]]
    }
    foreach word [list {*}$bases {*}$others] {
        if {$unit eq {}} {set unit [unitOf $word]}
    }
    closeAll $bases
    closeAll $others
    dict create base $base other $other unit $unit figures $figures causes $causes
}

# The unit of the times of a trace or baseline.
proc ::tactus::cli::compare::unitOf {word} {
    if {[string match "tactus-baseline *" $word]} {
        if {![regexp {^tactus-baseline 1\s+unit\s+(\S+)} $word -> unit]} {set unit {}}
        return $unit
    }
    dict get [$word info] unit
}

proc ::tactus::cli::compare::status {result} {
    set verdicts [lmap judgement [dict get $result judged] {dict get $judgement verdict}]
    if {"worse" in $verdicts} {return 1}
    expr {"open" in $verdicts || $::tactus::cli::hasErrors ? 2 : 0}
}

# ---- conditions ------------------------------------------------------------------------------------------------------

# A condition as two filters of the rows: a dict of text, holds, concerns (the rows that it is about), and relative
# (does it compare a difference?). `p99(response) > +5%` stands for the row of p99 of response, its change and 5.
proc ::tactus::cli::compare::condition {text} {
    variable figures
    set pattern [string cat {(?:(p99\.9|\w+)\s*\(\s*(\w+)\s*\)|\m(misses))\s*(>=|<=|>|<|==|!=)\s*([-+]?)\s*} \
        {(\d+(?:\.\d*)?|\.\d+)\s*(%|ms|us|ns|ps|s\M)?}]
    set holds {}
    set concerns {}
    set at 0
    set relative 0
    while {[regexp -indices -start $at $pattern $text all]} {
        lassign $all first last
        regexp -start $at $pattern $text -> figure measure misses operator sign number unit
        if {$misses ne {}} {lassign {count misses} figure measure}
        set figure [string map {. {}} $figure]
        if {$figure ni $figures} {
            usageError compare "bad figure \"$figure\" of \"$text\": must be [join $figures {, }]"
        }
        append holds [string range $text $at $first-1] \
            "(measure == $measure && figure == $figure && [test $text $figure $operator $sign $number $unit])"
        append concerns [string range $text $at $first-1] \
            "(measure == $measure && figure == $figure || verdict == missing)"
        if {$sign ne {}} {set relative 1}
        set at [expr {$last + 1}]
    }
    if {!$at} {
        usageError compare "bad condition \"$text\": must be such as 'p99(response) > +5%', 'max(execution) > +0.2',\
            'misses > +0', 'p50(latency) > 3', with && and tests of a filter behind it (tactus_compare(n))"
    }
    append holds [string range $text $at end]
    append concerns [string range $text $at end]
    foreach filter [list $holds $concerns] {
        try {
            [relation {} ms $filter] close
        } trap {TACTUS USAGE} message {
            usageError compare "bad condition \"$text\": $message"
        }
    }
    dict create text $text holds $holds concerns $concerns relative $relative
}

# The test of a value: with a sign of the difference, of its percentage, else of the value in OTHER. Where BASE has 0,
# any difference is more than each percentage.
proc ::tactus::cli::compare::test {text figure operator sign number unit} {
    set minus [expr {$sign eq "-" ? "-" : {}}]
    if {$unit eq "%" && $figure ne "share"} {
        if {$sign eq {}} {
            usageError compare "bad condition \"$text\": a percentage is of a difference, and needs + or -: +$number%"
        }
        set test "change $operator $minus$number"
        if {[string index $operator 0] ni {> <}} {return $test}
        return "($test || base == 0 && difference [string index $operator 0] 0)"
    }
    if {$unit eq "%"} {set unit {}}
    return "[expr {$sign eq {} ? "other" : "difference"}] $operator $minus$number$unit"
}

# A relation of rows that fit a filter.
proc ::tactus::cli::compare::relation {rows unit filter} {
    variable texts
    set columns [lmap column [dict get [::tactus::describe compareTables] figures] {
        set name [dict get $column name]
        if {$name in {base other difference low high}} {dict set column unit $unit}
        if {$name eq "change"} {dict set column unit %}
        set column
    }]
    ::tactus::relation $columns [lmap row $rows {dict values $row}] -where $filter -unit $unit
}

# The rows that fit a filter.
proc ::tactus::cli::compare::fitting {result filter} {
    set rows [dict get $result figures]
    set relation [relation $rows [dict get $result unit] $filter]
    set fitting [lmap id [$relation ids 0 [$relation count]] {lindex $rows $id}]
    $relation close
    return $fitting
}

# Judges a condition: worse, when a row fits it that is no noise; open, when something cannot be told; else fine.
proc ::tactus::cli::compare::judge {condition result countNoise} {
    set judgement [dict create condition [dict get $condition text] verdict fine worse {} noise {} open {}]
    foreach row [fitting $result [dict get $condition holds]] {
        set verdict [dict get $row verdict]
        if {$countNoise || ![dict get $condition relative] || $verdict in {higher lower same}} {
            dict lappend judgement worse $row
        } else {
            dict lappend judgement [expr {$verdict eq "noise" ? "noise" : "open"}] $row
        }
    }
    set concerned [fitting $result [dict get $condition concerns]]
    foreach row $concerned {
        if {[dict get $row verdict] eq "missing" || ([dict get $row difference] eq {}
            && [dict get $row verdict] eq "few")} {dict lappend judgement open $row}
    }
    if {[llength [dict get $judgement worse]]} {
        dict set judgement verdict worse
    } elseif {[llength [dict get $judgement open]] || ![llength $concerned]} {
        dict set judgement verdict open
    }
    return $judgement
}

# ---- words -----------------------------------------------------------------------------------------------------------

# A number to be read: six digits that count, with its sign if it is a difference.
proc ::tactus::cli::compare::short {number {sign {}}} {
    if {$number eq {}} return
    set text [format %${sign}.6g $number]
    if {$text in {+0 -0}} {return 0}
    return $text
}

# A number of the unit of times, or of misses.
proc ::tactus::cli::compare::withUnit {number row unit} {
    set figure [expr {[dict exists $row figure] ? [dict get $row figure] : {}}]
    switch $figure {count {set unit {}} share {return $number%}}
    string trimright "$number $unit"
}

proc ::tactus::cli::compare::changeText {row} {
    set change [dict get $row change]
    if {$change eq {}} return
    format %+.1f%% $change
}

proc ::tactus::cli::compare::intervalText {row} {
    dict with row {}
    if {$low eq {} && $high eq {}} return
    return "\[[expr {$low eq {} ? {?} : [short $low +]}], [expr {$high eq {} ? {?} : [short $high +]}]\]"
}

# A row in words: "p99(response) of control 1.2 -> 2.4 ms (+100.0%)".
proc ::tactus::cli::compare::rowText {row unit} {
    dict with row {}
    if {$measure eq {}} {return "$task is [expr {$verdict eq "missing" ? "not in OTHER" : "not in BASE"}]"}
    set text "${figure}($measure) of $task [expr {$base eq {} ? {?} : [short $base]}] ->\
        [withUnit [expr {$other eq {} ? {?} : [short $other]}] $row $unit]"
    set change [changeText $row]
    if {$change ne {}} {append text " ($change)"}
    if {$verdict eq "few"} {append text ", of $base_n and $other_n values: too few to tell"}
    return $text
}

# A judgement in words: the condition, what is to be said of it, and the rows.
proc ::tactus::cli::compare::judgementText {judgement unit} {
    dict with judgement {}
    set said {}
    foreach {rows what} [list $worse worse $open {not judged} $noise noise] {
        if {[llength $rows]} {lappend said "$what: [join [lmap row $rows {rowText $row $unit}] {; }]"}
    }
    if {![llength $said]} {lappend said [expr {$verdict eq "open" ? "not judged: no task has this" : "fine"}]}
    return "$condition: [join $said {; }]"
}

# Why the mean response time of a task differs: "control: mean response +1.2 ms (8 -> 9.2): +1 ms preemption by logger".
proc ::tactus::cli::compare::whyText {rows unit} {
    set whole [lindex $rows 0]
    set difference [dict get $whole difference]
    set text "[dict get $whole task]: mean response [withUnit [short $difference +] $whole $unit]\
        ([short [dict get $whole base]] -> [short [dict get $whole other]])"
    set parts {}
    set rest $difference
    foreach row [lrange $rows 1 end] {
        set part [dict get $row difference]
        if {abs($part) <= 0.05 * abs($difference) || [llength $parts] == 4} break
        lappend parts "[withUnit [short $part +] $row $unit] [dict get $row cause]"
        set rest [expr {$rest - $part}]
    }
    if {abs($rest) > 0.005 * abs($difference)} {lappend parts "[withUnit [short $rest +] $whole $unit] other things"}
    if {[llength $parts]} {append text ": [join $parts {, }]"}
    return $text
}

# The tasks whose mean response time differs, each with its causes; where no figure of response times is told to be
# higher or lower, and not for want of jobs, only if all are wanted.
proc ::tactus::cli::compare::whys {result all} {
    set told {}
    foreach row [dict get $result figures] {
        if {[dict get $row measure] ne "response"} continue
        if {[dict get $row verdict] in {higher lower} || [dict get $row shift] eq "few"} {
            dict set told [dict get $row task] 1
        }
    }
    set tasks {}
    foreach row [dict get $result causes] {dict lappend tasks [dict get $row task] $row}
    set whys {}
    dict for {task rows} $tasks {
        if {[dict get [lindex $rows 0] difference] == 0} continue
        if {!$all && ![dict exists $told $task]} continue
        lappend whys $rows
    }
    return $whys
}

# ---- output ----------------------------------------------------------------------------------------------------------

# The rows in the order and number that are wanted.
proc ::tactus::cli::compare::chosen {result options} {
    set rows [dict get $result figures]
    if {[dict exists $options -sort]} {
        set relation [relation $rows [dict get $result unit] {}]
        set name [dict get $options -sort]
        set names [lmap column [$relation columns] {dict get $column name}]
        if {$name ni $names} {usageError compare "there is no column \"$name\" to sort by: must be [join $names {, }]"}
        $relation sort $name -decreasing
        set rows [lmap id [$relation ids 0 [$relation count]] {lindex $rows $id}]
        $relation close
    }
    return $rows
}

proc ::tactus::cli::compare::top {rows options} {
    if {![dict exists $options -top]} {return $rows}
    lrange $rows 0 [expr {int([dict get $options -top]) - 1}]
}

# Prints the figures that differ, then what is to be said of tasks, causes and conditions.
proc ::tactus::cli::compare::table {result options} {
    set unit [dict get $result unit]
    printFigures $result $options
    foreach row [dict get $result figures] {
        if {[dict get $row measure] eq {}} {puts [visibleLine [rowText $row $unit]]}
    }
    foreach rows [whys $result [option $options -all 0]] {puts [visibleLine [whyText $rows $unit]]}
    foreach judgement [dict get $result judged] {puts [visibleLine [judgementText $judgement $unit]]}
}

proc ::tactus::cli::compare::printFigures {result options} {
    set wanted [option $options -figure {p50 p99 max}]
    set all [option $options -all 0]
    set same 0
    set rows {}
    foreach row [chosen $result $options] {
        dict with row {}
        if {$measure eq {} || $figure ni [list {*}$wanted count share]} continue
        if {!$all && $verdict eq "same"} {incr same; continue}
        lappend rows [list $task $measure $figure [short $base] [short $other] [short $difference +] [changeText $row] \
            [intervalText $row] $verdict "$base_n $other_n" $shift [pText $p] [deltaText $delta]]
    }
    if {[llength $rows]} {
        printColumns {task measure figure base other difference change interval verdict n shift p delta} \
            [top $rows $options] {task measure figure interval verdict shift}
    }
    if {$same} {puts "$same figure[expr {$same == 1 ? " is" : "s are"}] the same (--all lists them)"}
}

proc ::tactus::cli::compare::pText {p} {
    if {$p eq {}} return
    if {$p < 0.0001} {return <0.0001}
    format %.4f $p
}

proc ::tactus::cli::compare::deltaText {delta} {
    if {$delta eq {}} return
    format %+.2f $delta
}

proc ::tactus::cli::compare::csv {result options} {
    set rows [top [chosen $result $options] $options]
    printCsv [lmap column [dict get [::tactus::describe compareTables] figures] {dict get $column name}] \
        [lmap row $rows {dict values $row}]
}

proc ::tactus::cli::compare::rowJson {row} {
    variable texts
    set object {}
    dict for {name value} $row {
        dict set object $name [expr {$name in $texts && $value ne {} ? [jsonString $value] : [jsonValue $value]}]
    }
    jsonObject $object
}

proc ::tactus::cli::compare::whyJson {rows unit} {
    set whole [lindex $rows 0]
    dict unset whole cause
    set object {}
    dict for {name value} $whole {dict set object $name [expr {$name eq "task" ? [jsonString $value] : $value}]}
    dict set object text [jsonString [whyText $rows $unit]]
    dict set object causes [jsonArray [lmap row [lrange $rows 1 end] {
        rowJson [dict filter $row key cause base other difference]
    }]]
    jsonObject $object
}

proc ::tactus::cli::compare::json {result options} {
    set unit [dict get $result unit]
    set object [dict create status [status $result]]
    foreach side {base other} {
        dict set object $side [jsonArray [lmap file [dict get $result $side] {jsonString $file}]]
    }
    dict set object unit [expr {$unit eq {} ? "null" : [jsonString $unit]}]
    dict set object confidence [option $options -confidence 99]
    dict set object figures \[\n[join [lmap row [top [chosen $result $options] $options] {rowJson $row}] ,\n]\n\]
    dict set object why [jsonArray [lmap rows [whys $result 1] {whyJson $rows $unit}]]
    dict set object conditions [jsonArray [lmap judgement [dict get $result judged] {
        dict with judgement {}
        jsonObject [dict create condition [jsonString $condition] verdict [jsonString $verdict] \
            text [jsonString [judgementText $judgement $unit]] {*}[concat {*}[lmap name {worse noise open} {
                list $name [jsonArray [lmap row [dict get $judgement $name] {rowJson $row}]]
            }]]]
    }]]
    puts [jsonObject $object]
}

# A case for each condition: a failure is worse, an error could not be judged.
proc ::tactus::cli::compare::junit {result options} {
    set unit [dict get $result unit]
    set why [lmap rows [whys $result 0] {whyText $rows $unit}]
    set cases [lmap judgement [dict get $result judged] {
        dict with judgement {}
        set element [dict get {fine {} worse failure open error} $verdict]
        junit::case $condition compare $element $verdict [judgementText $judgement $unit] $why
    }]
    junit::print "tactus compare" [list [junit::suite "[dict get $result base] [dict get $result other]" $cases]]
}
