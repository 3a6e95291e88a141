# player/importText.tcl -- changes of a log's mapping (tactus_log(5)) as a text: what a choice in the import dialog
# writes. All that the user wrote besides stays as it is: comments, order, commands of other kinds.
#
#   commands TEXT                        its commands: dicts of begin, end (places in the text) and words
#   setColumn TEXT NUMBER NAMES MEANING  what a column (from 0) has; {}: nothing. NAMES: of all columns, {}: none
#   setUnit TEXT UNIT                    of the times; {}: not said
#   setRelative TEXT FLAG                are deadlines counted from the release?
#   setLog TEXT OPTION VALUE             an option of the command log; {}: as by default
#   setHeader TEXT YES NAMES             whether the first line has names, by which columns are called then, or numbers
#   setWord TEXT WORD MEANINGS           what a word of the column of events means; {}: nothing
#   lineOf TEXT WORDS                    the line of the last command that begins with these words; 0: none
#
# Commands with substitutions are left alone: what they say is known to the core only, which the dialog asks after each
# change.

namespace eval ::tactus::player::importText {}

# ---- commands --------------------------------------------------------------------------------------------------------

proc ::tactus::player::importText::commands {text} {
    set found {}
    set begin 0
    set length [string length $text]
    while {$begin < $length} {
        set end [endOf $text $begin]
        set command [string range $text $begin $end-1]
        set plain [string trim $command]
        if {$plain ne {} && [string index $plain 0] ne "#"} {
            set from [expr {$begin + [string length $command] - [string length [string trimleft $command]]}]
            lappend found [dict create begin $from end [expr {$from + [string length $plain]}] words [wordsOf $plain]]
        }
        set begin [expr {$end + 1}]
    }
    return $found
}

# The place of the newline or semicolon that ends a command, or the end of the text. A comment ends with its line.
proc ::tactus::player::importText::endOf {text begin} {
    set comment [regexp -start $begin {\A\s*#} $text]
    if {$comment} {
        set begin [lindex [regexp -start $begin -inline -indices # $text] 0 0]
        set pattern \n
    } else {
        set pattern {[\n;]}
    }
    set at $begin
    while {[regexp -start $at -indices $pattern $text found]} {
        set at [lindex $found 0]
        # A brace that is not closed is looked for no further: each line of the rest would be looked at again and again.
        if {$at - $begin > 20000} break
        if {$comment || [info complete [string range $text $begin $at-1]\n]} {return $at}
        incr at
    }
    return [string length $text]
}

# The words of a command; {} where it has substitutions or cannot be read.
proc ::tactus::player::importText::wordsOf {command} {
    if {[regexp {(^|[^\\])[\[$]} $command] || ![string is list $command]} return
    return $command
}

# The commands whose first words are these.
proc ::tactus::player::importText::those {text args} {
    set last [expr {[llength $args] - 1}]
    lmap command [commands $text] {
        if {[lrange [dict get $command words] 0 $last] ne $args} continue
        set command
    }
}

proc ::tactus::player::importText::lineOf {text words} {
    set found [those $text {*}$words]
    if {![llength $found]} {return 0}
    llength [split [string range $text 0 [dict get [lindex $found end] begin]] \n]
}

# ---- changing --------------------------------------------------------------------------------------------------------

# A word as it is written in a mapping.
proc ::tactus::player::importText::written {word} {
    if {[regexp {^[^\s;\"\\$\[\]{}#]+$} $word]} {return $word}
    string cat \" [string map {\" \\\" \\ \\\\ \$ \\\$ \[ \\\[ \] \\\] \{ \\\{ \} \\\} \n \\n} $word] \"
}

# The pattern that fits a word and nothing else.
proc ::tactus::player::importText::literal {word} {
    string map {* \\* ? \\? \[ \\\[ \] \\\] \\ \\\\} $word
}

# Writes other words in the place of a command. Without words it goes, with its line if nothing else stands there.
proc ::tactus::player::importText::rewrite {text command words} {
    set begin [dict get $command begin]
    set end [dict get $command end]
    if {[llength $words]} {
        return [string replace $text $begin $end-1 [join [lmap word $words {written $word}]]]
    }
    set before [string range $text 0 $begin-1]
    set after [string range $text $end end]
    if {[regexp {^[ \t]*;[ \t]*} $after gone]} {
        set after [string range $after [string length $gone] end]
    } elseif {[regexp {(^|\n)[ \t]*$} $before]} {
        set before [string trimright $before " \t"]
        regsub {^[ \t]*\n} $after {} after
    } else {
        regsub {;[ \t]*$} $before {} before
    }
    return $before$after
}

# Adds a line behind the last command whose first word is one of these, or at the end.
proc ::tactus::player::importText::add {text after words} {
    set place -1
    foreach command [commands $text] {
        if {[lindex [dict get $command words] 0] in $after} {set place [dict get $command end]}
    }
    set line [join [lmap word $words {written $word}]]
    if {$place < 0} {
        if {$text ne {} && [string index $text end] ne "\n"} {append text \n}
        return $text$line\n
    }
    set end [string first \n $text $place]
    if {$end < 0} {return $text\n$line\n}
    return [string range $text 0 $end]$line\n[string range $text $end+1 end]
}

# Sets the option of the last of these commands; {}: takes it away.
proc ::tactus::player::importText::setOption {text command option value} {
    set words [dict get $command words]
    set at [lsearch -exact $words $option]
    if {$at >= 0} {set words [lreplace $words $at $at+1]}
    if {$value ne {}} {lappend words $option $value}
    rewrite $text $command $words
}

# ---- columns ---------------------------------------------------------------------------------------------------------

proc ::tactus::player::importText::setColumn {text number names meaning} {
    set calls [lindex $names $number]
    set name [expr {$calls eq {} || [lsearch -exact $names $calls] != $number ? $number + 1 : $calls}]
    foreach command [lreverse [those $text column]] {
        lassign [dict get $command words] - means column
        if {$means ne $meaning && $column in [list $name [expr {$number + 1}] {*}$calls]} {
            set text [rewrite $text $command {}]
        }
    }
    if {$meaning eq {}} {return $text}
    set command [lindex [those $text column $meaning] end]
    if {$command eq {}} {return [add $text {log column} [list column $meaning $name]]}
    rewrite $text $command [lreplace [dict get $command words] 2 2 $name]
}

# The remark with which a guess asks for the unit goes with the answer.
proc ::tactus::player::importText::setUnit {text unit} {
    set command [lindex [those $text column time] end]
    if {$command eq {}} {return $text}
    set text [setOption $text $command -unit $unit]
    if {$unit ne {}} {regsub -line {^# add -unit s, ms, us or ns to the time.*\n?} $text {} text}
    return $text
}

proc ::tactus::player::importText::setRelative {text flag} {
    set command [lindex [those $text column deadline] end]
    if {$command eq {}} {return $text}
    setOption $text $command -relative [expr {$flag ? "yes" : {}}]
}

# ---- lines -----------------------------------------------------------------------------------------------------------

# The command log comes first, behind the remarks at the beginning.
proc ::tactus::player::importText::setLog {text option value} {
    set command [lindex [those $text log] end]
    if {$command ne {}} {
        set words [dict get $command words]
        if {$value eq {} && [llength $words] == 3 && [lindex $words 1] eq $option} {return [rewrite $text $command {}]}
        return [setOption $text $command $option $value]
    }
    if {$value eq {}} {return $text}
    set line "log $option [written $value]\n"
    regexp {^(?:[ \t]*#[^\n]*(?:\n|$))*} $text remarks
    if {$remarks ne {} && [string index $remarks end] ne "\n"} {append remarks \n}
    return $remarks$line[string range $text [string length $remarks] end]
}

proc ::tactus::player::importText::setHeader {text yes names} {
    foreach command [lreverse [those $text column]] {
        set words [dict get $command words]
        set column [lindex $words 2]
        set at [lsearch -exact $names $column]
        if {!$yes && $at >= 0} {
            set text [rewrite $text $command [lreplace $words 2 2 [expr {$at + 1}]]]
        } elseif {$yes && [string is integer -strict $column] && [lindex $names $column-1] ne {}} {
            set text [rewrite $text $command [lreplace $words 2 2 [lindex $names $column-1]]]
        }
    }
    setLog $text -header [expr {$yes ? "yes" : "no"}]
}

# ---- words -----------------------------------------------------------------------------------------------------------

# The word goes from where it stands by itself; a pattern that fits it as well comes after it from then on. Where a
# guess has left a remark in its place, it comes there.
proc ::tactus::player::importText::setWord {text word meanings} {
    set pattern [literal $word]
    foreach command [lreverse [those $text event]] {
        set words [dict get $command words]
        set left [list {*}[lrange $words 0 1] {*}[lmap other [lrange $words 2 end] {
            if {[string equal -nocase $other $pattern]} continue
            set other
        }]]
        if {$left eq $words} continue
        set text [rewrite $text $command [expr {[llength $left] > 2 ? $left : {}}]]
    }
    foreach meaning $meanings {set text [addWord $text $word $meaning]}
    return $text
}

proc ::tactus::player::importText::addWord {text word meaning} {
    set pattern [literal $word]
    set line [join [list event $meaning [written $pattern]]]
    lassign [withoutRemark $text $pattern] text place
    foreach command [those $text event] {
        foreach other [lrange [dict get $command words] 2 end] {
            if {![string match -nocase $other $word] || [string equal -nocase $other $pattern]} continue
            set begin [dict get $command begin]
            return [string range $text 0 $begin-1]$line\n[string range $text $begin end]
        }
    }
    if {$place >= 0} {return [string range $text 0 $place-1]$line\n[string range $text $place end]}
    set command [lindex [those $text event $meaning] end]
    if {$command ne {}} {return [rewrite $text $command [list {*}[dict get $command words] $pattern]]}
    add $text {log column event} [list event $meaning $pattern]
}

# The text without the remark in which a guess asks what a word means, and where that was; -1: nowhere.
proc ::tactus::player::importText::withoutRemark {text pattern} {
    set place 0
    foreach line [split $text \n] {
        set end [expr {$place + [string length $line] + 1}]
        if {[regexp {^# event \? (.*)$} $line -> asked] && [string is list $asked] && [lindex $asked 0] eq $pattern} {
            return [list [string range $text 0 $place-1][string range $text $end end] $place]
        }
        set place $end
    }
    list $text -1
}
