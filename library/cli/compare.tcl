# cli/compare.tcl -- tactus compare and tactus baseline.
#
#   words -> files of BASE and of OTHER, those of folders too -> traces, and texts of baselines -> tactus::compare:
#         relations of figures and of causes -> --fail-on judges the rows -> a table, CSV, JSON or JUnit, and the exit
#         status
#
# A row is a dict by column (tactus::describe compareTables). There may be millions of them: they are values only while
# they are looked at, some at a time. A judgement of a condition is a dict: condition, verdict (fine, worse, open), and
# the rows worse, noise and open behind it.

::tactus::need cli/columns cli/folder cli/junit cli/unseen

namespace eval ::tactus::cli::compare {
    namespace path ::tactus::cli
    variable figures {min p50 p95 p99 p999 max count share}
    variable texts {task measure figure verdict shift base_task other_task cause text}
    variable longest 200000000 ;# bytes of a baseline
    variable atOnce 1000 ;# rows that are values
}

# ---- sources ---------------------------------------------------------------------------------------------------------

# Opens the traces, and reads the baselines, that files name: a list of words for tactus::compare.
proc ::tactus::cli::compare::openAll {files options} {
    lmap file [tracesOf $files $options] {
        if {[file isdirectory $file]} {failEmpty $file}
        expr {[isBaseline $file] ? [readBaseline $file] : [openWhole $file $options]}
    }
}

proc ::tactus::cli::compare::isBaseline {file} {
    if {$file eq "-" || ![file isfile $file]} {return 0}
    set channel [open [file normalize $file] rb]
    try {string equal [read $channel 16] "tactus-baseline "} finally {close $channel}
}

proc ::tactus::cli::compare::readBaseline {file} {
    variable longest
    set text [encoding convertfrom utf-8 [::tactus::contents $file baseline $longest]]
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

# Says which names of --task no trace or baseline has; how many these are.
proc ::tactus::cli::compare::tellUnseen {words options} {
    unseen::begin $options
    foreach word $words {
        if {[string match "tactus-baseline *" $word]} {unseen::seeBaseline $word} else {unseen::see $word}
    }
    unseen::tell
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
    if {[compare::tellUnseen $words $options]} {setStatus 2}
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
    compare::listed $options
    set conditions [lmap text [option $options -fail-on {}] {compare::condition $text}]
    set result [compare::measure $base $operands $options]
    dict set result judged [lmap condition $conditions {
        compare::judge $condition $result [option $options -count-noise 0]
    }]
    set unseen [compare::tellUnseen [dict get $result words] $options]
    set status [compare::status $result]
    setStatus [expr {$status == 0 && $unseen ? 2 : $status}]
    compare::[option $options -format table] $result $options
    compare::closeFigures $result
    compare::closeAll [dict get $result words]
}

proc ::tactus::cli::compare::closeFigures {result} {
    set figures [dict get $result figures]
    if {[llength [info commands $figures]]} {$figures close}
}

# Opens and compares: a dict of base, other (files), words (as tactus::compare takes them), unit, figures (a relation),
# and causes, the command that makes the relation of causes ({}: none are wanted).
proc ::tactus::cli::compare::measure {base other options} {
    variable unit {}
    set bases [openAll $base $options]
    set others [openAll $other $options]
    set common [list {*}[common $options] -format relation]
    set figures [::tactus::compare $bases $others {*}$common -confidence [option $options -confidence 99]]
    set causes {}
    if {[jobs $options]} {
        set causes [list ::tactus::compare $bases $others {*}$common -confidence [option $options -confidence 99] \
            -of causes -only [expr {[wantsAll $options] ? "different" : "told"}] -jobs [jobs $options]]
    }
    set words [list {*}$bases {*}$others]
    foreach word $words {
        if {$unit eq {}} {set unit [unitOf $word]}
    }
    dict create base $base other $other words $words unit $unit figures $figures causes $causes
}

# Are the causes of all tasks wanted whose mean response time differs? Else only where figures of response times are
# told to be higher or lower, or there are too few jobs to tell.
proc ::tactus::cli::compare::wantsAll {options} {
    switch [option $options -format table] {
        json {return 1}
        table {option $options -all 0}
        default {return 0}
    }
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
            [::tactus::relation [figureColumns ms] {} -where $filter -unit ms] close
        } trap {TACTUS USAGE} message {
            usageError compare "bad condition \"$text\": $message"
        }
    }
    dict create text $text holds $holds concerns $concerns relative $relative
}

# The columns of figures, for a relation of no rows whose times have this unit.
proc ::tactus::cli::compare::figureColumns {unit} {
    lmap column [dict get [::tactus::describe compareTables] figures] {
        set name [dict get $column name]
        if {$name in {base other difference low high}} {dict set column unit $unit}
        if {$name eq "change"} {dict set column unit %}
        set column
    }
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

# Runs a script for the rows of a relation that fit a filter ({}: all), at most so many, with each in a variable.
proc ::tactus::cli::compare::eachRow {variable relation filter most script} {
    variable atOnce
    upvar 1 $variable row
    if {$filter ne {}} {$relation filter -where $filter}
    try {
        set end [expr {min($most, [$relation count])}]
        for {set place 0} {$place < $end} {incr place $atOnce} {
            foreach row [$relation dicts $place [expr {min($atOnce, $end - $place)}]] {uplevel 1 $script}
        }
    } finally {
        if {$filter ne {}} {$relation filter}
    }
}

# Judges a condition: worse, when a row fits it that is no noise; open, when something cannot be told; else fine.
proc ::tactus::cli::compare::judge {condition result countNoise} {
    set judgement [dict create condition [dict get $condition text] verdict fine worse {} noise {} open {}]
    eachRow row [dict get $result figures] [dict get $condition holds] Inf {
        set verdict [dict get $row verdict]
        if {$countNoise || ![dict get $condition relative] || $verdict in {higher lower same}} {
            dict lappend judgement worse $row
        } else {
            dict lappend judgement [expr {$verdict eq "noise" ? "noise" : "open"}] $row
        }
    }
    set concerned 0
    eachRow row [dict get $result figures] [dict get $condition concerns] Inf {
        incr concerned
        if {[dict get $row verdict] eq "missing" || ([dict get $row difference] eq {}
            && [dict get $row verdict] eq "few")} {dict lappend judgement open $row}
    }
    if {[llength [dict get $judgement worse]]} {
        dict set judgement verdict worse
    } elseif {[llength [dict get $judgement open]] || !$concerned} {
        dict set judgement verdict open
    }
    return $judgement
}

# ---- words -----------------------------------------------------------------------------------------------------------

# A number to be read: six digits that count, with its sign if it is a difference.
proc ::tactus::cli::compare::short {number {sign {}}} {
    if {$number eq {}} return
    set text [::tactus::format %${sign}.6g $number]
    if {$text in {+0 -0}} {return 0}
    return $text
}

# A value of a row to be read: a time in the unit that suits it, a number of misses or their share.
proc ::tactus::cli::compare::amount {number row unit {sign {}}} {
    if {$number eq {}} return
    set figure [expr {[dict exists $row figure] ? [dict get $row figure] : {}}]
    if {$figure eq "share"} {return [short $number $sign]%}
    if {$figure eq "count" || $unit eq {} || $number == 0} {return [short $number $sign]}
    if {$unit ni {s ms us ns ps}} {return "[short $number $sign] $unit"}
    set text [::tactus::length [::tactus::format %.18f $number] $unit 4]
    expr {$sign ne {} && $number > 0 ? "+$text" : $text}
}

proc ::tactus::cli::compare::changeText {row} {
    set change [dict get $row change]
    if {$change eq {}} return
    ::tactus::format %+.1f%% $change
}

# A row in words: "p99(response) of control 1.2 -> 2.4 ms (+100.0%)".
proc ::tactus::cli::compare::rowText {row unit} {
    dict with row {}
    if {$measure eq {}} {return "$task is [expr {$verdict eq "missing" ? "not in OTHER" : "not in BASE"}]"}
    set text "${figure}($measure) of $task [expr {$base eq {} ? {?} : [amount $base $row $unit]}] ->\
        [expr {$other eq {} ? {?} : [amount $other $row $unit]}]"
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

# Makes the causes: a relation; {}: none are wanted. The figures are not needed any more then, and their memory may be.
proc ::tactus::cli::compare::makeCauses {result} {
    if {[dict get $result causes] eq {}} return
    closeFigures $result
    {*}[dict get $result causes]
}

# ---- output ----------------------------------------------------------------------------------------------------------

# Writes the rows that fit a filter, in the order that is wanted and at most so many, in a format of relations.
proc ::tactus::cli::compare::writeChosen {relation filter options format} {
    if {[dict exists $options -sort]} {
        set name [dict get $options -sort]
        set names [lmap column [$relation columns] {dict get $column name}]
        if {$name ni $names} {usageError compare "there is no column \"$name\" to sort by: must be [join $names {, }]"}
    }
    if {$filter ne {}} {$relation filter -where $filter}
    if {[dict exists $options -sort]} {$relation sort $name -decreasing}
    set count [$relation count]
    set most [expr {[dict exists $options -top] ? min(int([dict get $options -top]), $count) : $count}]
    if {$most || $format ne "table"} {$relation write -channel stdout -format $format -most $most}
    if {[dict exists $options -sort]} {$relation sort {}}
    if {$filter ne {}} {$relation filter}
}

# Prints the figures that differ, then what is to be said of tasks, causes and conditions.
proc ::tactus::cli::compare::table {result options} {
    set unit [dict get $result unit]
    printFigures $result $options
    eachRow row [dict get $result figures] {verdict == missing || verdict == new} Inf {
        puts [visibleLine [rowText $row $unit]]
    }
    set causes [makeCauses $result]
    if {$causes ne {}} {
        $causes write -channel stdout -format lines
        $causes close
    }
    foreach judgement [dict get $result judged] {puts [visibleLine [judgementText $judgement $unit]]}
}

# The figures that the table lists; those of misses always.
proc ::tactus::cli::compare::listed {options} {
    variable figures
    set listed [::tactus::names [option $options -figure {p50 p99 max}]]
    foreach figure $listed {
        if {$figure ni $figures} {
            usageError compare "bad figure \"$figure\" of --figure: must be one of [join $figures {, }]"
        }
    }
    list {*}$listed count share
}

# Prints the figures that are wanted, and the number of those that are the same.
proc ::tactus::cli::compare::printFigures {result options} {
    set shown "([join [lmap figure [listed $options] {string cat "figure == " $figure}] { || }])"
    set same 0
    if {![option $options -all 0]} {
        set same [[dict get $result figures] count -where "verdict == same && $shown"]
        set shown "verdict != same && $shown"
    }
    writeChosen [dict get $result figures] $shown $options table
    if {$same} {puts "$same figure[expr {$same == 1 ? " is" : "s are"}] the same (--all lists them)"}
}

proc ::tactus::cli::compare::csv {result options} {
    writeChosen [dict get $result figures] {} $options csv
}

proc ::tactus::cli::compare::rowJson {row} {
    variable texts
    set object {}
    dict for {name value} $row {
        dict set object $name [if {$name in $texts && $value ne {}} {jsonString $value} else {jsonValue $value}]
    }
    jsonObject $object
}

# The mean response time of a task, a row, and its parts, as JSON.
proc ::tactus::cli::compare::whyJson {whole parts} {
    dict unset whole cause
    string cat [string range [rowJson $whole] 0 end-1] ", \"causes\": " [jsonArray [lmap part $parts {
        rowJson [dict filter $part key cause base other difference]
    }]] \}
}

# Writes what differs, and of which parts that is made, as objects with commas between them.
proc ::tactus::cli::compare::whysJson {result} {
    set causes [makeCauses $result]
    if {$causes eq {}} return
    set between {}
    set parts {}
    eachRow row $causes {} Inf {
        if {[dict get $row cause] ne {}} {
            lappend parts $row
            continue
        }
        if {[info exists whole]} {
            puts -nonewline $between[whyJson $whole $parts]
            set between ", "
        }
        set whole $row
        set parts {}
    }
    if {[info exists whole]} {puts -nonewline $between[whyJson $whole $parts]}
    $causes close
}

# Writes an object. Its lists of figures and of causes may be very long, and are written piece by piece.
proc ::tactus::cli::compare::json {result options} {
    set unit [dict get $result unit]
    set object [dict create status [status $result]]
    foreach side {base other} {
        dict set object $side [jsonArray [lmap file [dict get $result $side] {jsonString $file}]]
    }
    dict set object unit [expr {$unit eq {} ? "null" : [jsonString $unit]}]
    dict set object confidence [option $options -confidence 99]
    puts -nonewline "[string range [jsonObject $object] 0 end-1], \"figures\": \[\n"
    writeChosen [dict get $result figures] {} $options rows
    puts -nonewline "\n\], \"why\": \["
    whysJson $result
    set conditions [jsonArray [lmap judgement [dict get $result judged] {
        dict with judgement {}
        jsonObject [dict create condition [jsonString $condition] verdict [jsonString $verdict] \
            text [jsonString [judgementText $judgement $unit]] {*}[concat {*}[lmap name {worse noise open} {
                list $name [jsonArray [lmap row [dict get $judgement $name] {rowJson $row}]]
            }]]]
    }]]
    puts "\], [string range [jsonObject [dict create conditions $conditions]] 1 end]"
}

# A case for each condition: a failure is worse, an error could not be judged.
proc ::tactus::cli::compare::junit {result options} {
    set unit [dict get $result unit]
    set why {}
    set causes [makeCauses $result]
    if {$causes ne {}} {
        eachRow row $causes {cause == empty} Inf {lappend why [dict get $row text]}
        $causes close
    }
    set cases [lmap judgement [dict get $result judged] {
        dict with judgement {}
        set element [dict get {fine {} worse failure open error} $verdict]
        junit::case $condition compare $element $verdict [judgementText $judgement $unit] $why
    }]
    junit::print "tactus compare" [list [junit::suite "[dict get $result base] [dict get $result other]" $cases]]
}
