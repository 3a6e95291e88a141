# player/store.tcl -- the window's own files (preferences, sessions, recent files): readable, written whole or not at
# all.
#
# A file is a sequence of records; a record is a Tcl list, on one line or on several where braces or quotes are open; a
# line that begins with # is a comment. Nothing of it is ever evaluated: what looks like a Tcl command is data here. A
# damaged file is an error {TACTUS STORE ...} with its line; the records before the damage are not used either.
#
#   store::records path             the records; none when there is no such file
#   store::write path records ?comment?
#   store::edit path changes        replaces or adds records by their first words, keeps comments and the order

namespace eval ::tactus::player::store {
    variable limit 40000000     ;# bytes; a longer file is neither read nor written
}

proc ::tactus::player::store::fail {path line text} {
    return -code error -errorcode [list TACTUS STORE $path $line] "$path:$line: $text"
}

proc ::tactus::player::store::content {path} {
    variable limit
    if {![file exists $path]} return
    try {
        set bytes [::tactus::contents $path "file of the player" $limit]
    } trap TACTUS message {
        fail $path 0 $message
    }
    set text [encoding convertfrom utf-8 $bytes]
    if {[string first \0 $text] >= 0} {fail $path 0 "not a text"}
    return $text
}

# The pieces of a text: lists of {line text}; comments and empty lines are pieces too.
proc ::tactus::player::store::pieces {path text} {
    set pieces {}
    set piece {}
    set number 0
    set begin 1
    # Only where there is something to replace: of long texts that takes longer than all else.
    if {[string first \r $text] >= 0} {set text [string map {\r\n \n} $text]}
    foreach line [split $text \n] {
        incr number
        if {$piece eq {}} {set begin $number}
        append piece $line
        if {$begin == $number && [isComment $line] || [info complete $piece\n]} {
            lappend pieces [list $begin $piece]
            set piece {}
        } elseif {$number - $begin > 10000} {
            break
        } else {
            append piece \n
        }
    }
    if {$piece ne {}} {fail $path $begin "a brace, bracket or quote is not closed"}
    # No piece begins after the last newline.
    if {[lindex $pieces end 1] eq {}} {set pieces [lrange $pieces 0 end-1]}
    return $pieces
}

proc ::tactus::player::store::isComment {piece} {
    set text [string trimleft $piece]
    expr {$text eq {} || [string match #* $text]}
}

proc ::tactus::player::store::records {path} {
    lmap row [pieces $path [content $path]] {
        lassign $row line piece
        if {[isComment $piece]} continue
        if {![string is list $piece]} {fail $path $line "not a list"}
        list {*}$piece
    }
}

# The line of a record: one, whatever the record contains.
proc ::tactus::player::store::line {record} {
    set line [list {*}$record]
    if {[string first \n $line] >= 0} {
        set line [join [lmap word $record {string map {\n \\n} \
            [if {[string match *\n* $word]} {escaped $word} else {list $word}]}]]
    }
    # A first word that begins with # would be a comment.
    if {[string match #* $line]} {set line "\\$line"}
    return $line
}

# A word with newlines as a quoted string on one line.
proc ::tactus::player::store::escaped {word} {
    return \"[string map {\\ \\\\ \" \\\" \$ \\\$ \[ \\\[ \] \\\] \{ \\\{ \} \\\}} $word]\"
}

# Writes a file that only the user can read, since it has names and places of traces; none that would not be read again.
proc ::tactus::player::store::save {path lines} {
    variable limit
    set bytes 0
    foreach line $lines {incr bytes [expr {[string bytelength $line] + 1}]}
    if {$bytes > $limit} {fail $path 0 "longer than the $limit bytes that are read"}
    file mkdir [file dirname $path]
    ::tactus::save $path -private channel {
        foreach line $lines {puts $channel $line}
    }
}

# The lines of a comment.
proc ::tactus::player::store::heading {comment} {
    if {$comment eq {}} return
    lmap line [split $comment \n] {string cat "# " $line}
}

proc ::tactus::player::store::write {path records {comment {}}} {
    save $path [concat [heading $comment] [lmap record $records {line $record}]]
}

# Changes a file. changes: a list of {n record}: the record replaces the one whose first n words are the same, or is
# added at the end. A record of n words only removes that one.
proc ::tactus::player::store::edit {path changes {comment {}}} {
    set text [content $path]
    set lines [lmap row [pieces $path $text] {lindex $row 1}]
    if {$text eq {}} {set lines [heading $comment]}
    foreach change $changes {
        lassign $change n record
        set key [lrange $record 0 $n-1]
        set place [lsearch -exact [lmap line $lines {if {![isComment $line] && [string is list $line]} {
            lrange $line 0 $n-1
        } else {string cat #}}] $key]
        set new [expr {[llength $record] > $n ? [list [line $record]] : {}}]
        if {$place >= 0} {
            set lines [lreplace $lines $place $place {*}$new]
        } else {
            lappend lines {*}$new
        }
    }
    save $path $lines
}
