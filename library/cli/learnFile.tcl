# cli/learnFile.tcl -- a file of expectations with `?`, and what recordings say of them: the same file with numbers.
#
#   file -> statements -> traces -> sums of values (learnLimit.tcl) -> places of `?` in the text -> text
#
# A file is a script: one `?` in its text may be that of many statements, which loops and procedures make. They share
# one limit, the widest. All of the text but the `?` stays as it is, byte for byte; comments are added.

::tactus::need cli/learnLimit

# tactus learn TRACE ... --expect FILE
proc ::tactus::cli::learn::fillFile {operands options} {
    set files [dict get $options -expect]
    if {[llength $files] != 1} {usageError learn "one file is filled in at a time: --expect FILE"}
    set file [lindex $files 0]
    if {![file exists $file]} {usageError learn "there is no file \"$file\" of expectations"}
    set read [::tactus::expectation read $file {} {*}[scriptLimits $options]]
    set name [file tail $file]
    set statements [lmap statement $read {
        lassign $statement line words
        list $name:$line $words
    }]
    lassign [margin $options] margin marginText
    set sums [sums $operands $options $statements]
    if {![dict size $sums]} {
        return -code error -errorcode {TACTUS LEARN NONE} \
            "there is no ? in \"$file\", or none that these traces can be asked for: nothing can be learned"
    }
    set text [readText $file]
    lassign [places $text $read $sums] places lost
    foreach line [lsort -unique -integer [lmap index $lost {lindex $read $index 0}]] {
        warn $file $line "? stays, since it is not in the text of this line, or not the only one there that\
            it may be"
    }
    set limits [limits $file $places $margin]
    set filled [filled $text $limits $marginText]
    verify $file $read $filled $limits
    put $options $filled
}

# Fraction and text of --margin.
proc ::tactus::cli::learn::margin {options} {
    set text [option $options -margin 10%]
    list [percent margin $text] [string trimright $text %]%
}

# The fraction of an option that is a number of percent.
proc ::tactus::cli::learn::percent {name text} {
    if {[regexp {^([0-9]{1,6}(?:\.[0-9]{1,6})?)%?$} $text -> number]} {return [times [decimal $number] {1 100}]}
    usageError learn "bad value \"$text\" of --$name: must be a number of percent"
}

proc ::tactus::cli::learn::warn {file line text} {
    say [visibleLine "$file:$line: warning: $text"]
}

# Asks the traces, one after the other: dict of index of a statement -> sum.
proc ::tactus::cli::learn::sums {operands options statements} {
    set sums {}
    set units {}
    foreach operand $operands {
        set trace [openWhole $operand $options -expect [list $statements]]
        try {
            addLimits [$trace limits $statements] $operand sums units
        } finally {
            $trace close
        }
    }
    return $sums
}

# Adds what a trace says to the sums.
proc ::tactus::cli::learn::addLimits {rows operand sumsName unitsName} {
    upvar 1 $sumsName sums $unitsName units
    foreach row $rows {
        set index [dict get $row statement]
        dict set units [dict get $row unit] $operand
        if {[dict size $units] > 1} {unitError $units}
        dict set sums $index [sum [expr {[dict exists $sums $index] ? [dict get $sums $index] : {}}] $row]
    }
}

proc ::tactus::cli::learn::unitError {units} {
    lassign $units first one second other
    foreach name {first second} {if {[set $name] eq {}} {set $name "none that is known"}}
    return -code error -errorcode {TACTUS LEARN UNIT} \
        "the unit of the times of $one is $first, that of $other $second: they have no limits in common"
}

# ---- places ----------------------------------------------------------------------------------------------------------

# The text of a file; characters are bytes.
proc ::tactus::cli::learn::readText {file} {
    ::tactus::contents $file "file of expectations"
}

# Finds the `?` of statements: {places lost}. places: dict of position in the text -> dict line (of the statement),
# length, sums (index of a statement -> its sum); lost: indices of statements without one of their own.
proc ::tactus::cli::learn::places {text read sums} {
    set starts [lineStarts $text]
    set found {}
    set lost {}
    dict for {index sum} $sums {
        lassign [lindex $read $index] line words
        set fitting {}
        foreach candidate [candidates $text $starts $line] {
            lassign $candidate position length pattern
            if {[regexp "^(?:$pattern)\$" [squeezed $words]]} {lappend fitting $candidate}
        }
        if {[llength $fitting] != 1} {
            lappend lost $index
            continue
        }
        lassign [lindex $fitting 0] position length
        if {![dict exists $found $position]} {
            dict set found $position [dict create line $line length $length sums {}]
        }
        dict set found $position sums $index $sum
    }
    list $found $lost
}

proc ::tactus::cli::learn::lineStarts {text} {
    set starts 0
    foreach range [regexp -all -inline -indices {\n} $text] {lappend starts [expr {[lindex $range 0] + 1}]}
    return $starts
}

# The words without blanks and without the `?` at their end.
proc ::tactus::cli::learn::squeezed {words} {
    switch [lindex $words 0] {
        require {set words [lrange $words 1 end]}
        during {set words [lrange $words 3 end]}
    }
    regsub {\?%?$} [regsub -all {\s+} [join $words {}] {}] {}
}

# The `?` in the line of a command, and in lines that go on behind a backslash: a list of {position length pattern}, the
# pattern of the words between the command's name and it.
proc ::tactus::cli::learn::candidates {text starts line} {
    set begin [lindex $starts $line-1]
    set end [lineEnd $text $starts $line]
    set part [string range $text $begin $end]
    set result {}
    foreach range [regexp -all -inline -indices {[\s=<>\{\"](\?%?)(?=[\s;\}\]\"\\]|$)} $part] {
        # of the match and of its part in turn
        if {[incr turn] % 2} continue
        lassign $range first last
        set before [string range $part 0 $first-1]
        set names [regexp -all -inline -indices {\m(?:require|expect)\M} $before]
        if {![llength $names]} continue
        set words [string range $before [lindex $names end 1]+1 end]
        lappend result [list [expr {$begin + $first}] [expr {$last - $first + 1}] [pattern $words]]
    }
    return $result
}

# Index of the last character of a line, and of those that it goes on in.
proc ::tactus::cli::learn::lineEnd {text starts line} {
    while 1 {
        set next [lindex $starts $line]
        if {$next eq {}} {return [string length $text]}
        set own [string range $text [lindex $starts $line-1] $next-1]
        if {![regexp {(?:^|[^\\])(?:\\\\)*\\\r?\n$} $own]} {return $next}
        incr line
    }
}

# A regular expression of what the text of words may become: variables and commands anything.
proc ::tactus::cli::learn::pattern {words} {
    set words [encoding convertfrom utf-8 $words]
    regsub -all {\\\r?\n} $words { } words
    regsub -all {\$\{[^\}]*\}|\$[\w:]+(?:\([^\)]*\))?|\[[^\]]*\]} $words \x01 words
    regsub -all {[\s\{\}\"]} $words {} words
    regsub -all {[^\w\x01]} $words {\\&} words
    string map [list \x01 .*] $words
}

# ---- writing ---------------------------------------------------------------------------------------------------------

# The limits of places: dict of position -> dict line length text sum. A place without one is warned of.
proc ::tactus::cli::learn::limits {file places margin} {
    set limits {}
    dict for {position place} $places {
        dict with place {}
        set joined {}
        foreach sum [dict values $sums] {
            if {$joined ne {} && ![agree $joined $sum]} {
                set joined {}
                break
            }
            set joined [expr {$joined eq {} ? $sum : [both $joined $sum]}]
        }
        if {$joined eq {}} {
            warn $file $line "? stays, since it stands for limits of several kinds"
            continue
        }
        lassign [limit $joined $margin] text why
        if {$text eq {}} {
            warn $file $line "[dict get $joined said] [dict get $joined op] ? stays, since $why"
            continue
        }
        dict set limits $position [dict create line $line length $length text $text sum $joined sums $sums]
    }
    return $limits
}

# The text with the limits in their places, and a comment for each: above its line, where a command begins in that,
# else at the end.
proc ::tactus::cli::learn::filled {text limits marginText} {
    set starts [lineStarts $text]
    set above {}
    set behind {}
    foreach position [lsort -integer [dict keys $limits]] {
        set limit [dict get $limits $position]
        set line [dict get $limit line]
        set comment [encoding convertto utf-8 [commentOf $limit $marginText]]
        set indent [commandIndent $text $starts $line]
        if {$indent eq "no"} {
            lappend behind "# line $line: $comment"
        } else {
            dict lappend above $line "$indent# $comment"
        }
    }
    set edits {}
    dict for {position limit} $limits {lappend edits [list $position [dict get $limit length] [dict get $limit text]]}
    dict for {line comments} $above {
        set at [lindex $starts $line-1]
        set from [commentsFrom $text $starts $line]
        lappend edits [list $from [expr {$at - $from}] [join $comments \n]\n]
    }
    set text [edited $text $edits]
    if {![llength $behind]} {return $text}
    if {[string index $text end] ni [list \n {}]} {append text \n}
    string cat $text [join $behind \n] \n
}

# The text after edits, which are apart from each other: a list of {position length new}.
proc ::tactus::cli::learn::edited {text edits} {
    set done 0
    set parts {}
    foreach edit [lsort -integer -index 0 $edits] {
        lassign $edit at length new
        lappend parts [string range $text $done $at-1] $new
        set done [expr {$at + $length}]
    }
    join [lappend parts [string range $text $done end]] {}
}

proc ::tactus::cli::learn::commentOf {limit marginText} {
    set text "learned: [origin [dict get $limit sum] $marginText]"
    set n [dict size [dict get $limit sums]]
    if {$n > 1} {append text "; the widest of $n constraints"}
    return $text
}

# The blanks before the command of a line; "no" where none begins in it.
proc ::tactus::cli::learn::commandIndent {text starts line} {
    set begin [lindex $starts $line-1]
    set end [lindex $starts $line]
    set own [string range $text $begin [expr {$end eq {} ? "end" : $end - 1}]]
    if {$line > 1 && [regexp {\\\r?\n$} [string range $text [lindex $starts $line-2] $begin-1]]} {return no}
    if {![regexp {^([ \t]*)(?:require|during|expect|on|model|chain|if|foreach|for|while)\M} $own -> indent]} {return no}
    return $indent
}

# Where the comments of an earlier learning begin that stand above a line.
proc ::tactus::cli::learn::commentsFrom {text starts line} {
    while {$line > 1} {
        set before [string range $text [lindex $starts $line-2] [lindex $starts $line-1]-1]
        if {![regexp {^[ \t]*# learned: } $before]} break
        incr line -1
    }
    lindex $starts $line-1
}

# Reads the text as a file, and makes sure that nothing but the limits has changed.
proc ::tactus::cli::learn::verify {file read text limits} {
    close [file tempfile path tactus-learn.expect]
    try {
        ::tactus::save $path channel {
            fconfigure $channel -translation binary
            puts -nonewline $channel $text
        }
        set now [::tactus::expectation read $path]
    } finally {
        file delete $path
    }
    set values {}
    dict for {position limit} $limits {
        foreach index [dict keys [dict get $limit sums]] {dict set values $index [dict get $limit text]}
    }
    set i -1
    set fine [expr {[llength $now] == [llength $read]}]
    foreach before $read after $now {
        lassign [list [lindex $before 1] [lindex $after 1]] before after
        if {[dict exists $values [incr i]]} {
            set before [squeezed $before][dict get $values $i]
            set after [squeezed $after]
        }
        if {$before ne $after} {set fine 0}
    }
    if {$fine} return
    return -code error -errorcode {TACTUS LEARN FILE} \
        "the limits of \"$file\" cannot be written into it: what else it says would change. Write each constraint with\
        ? as a command in a line of its own"
}

# Writes the result to the file of -o, or to standard output.
proc ::tactus::cli::learn::put {options text} {
    set output [option $options -output -]
    if {$output eq "-"} {
        fconfigure stdout -translation binary
        puts -nonewline $text
        return
    }
    ::tactus::save $output channel {
        fconfigure $channel -translation binary
        puts -nonewline $channel $text
    }
}
