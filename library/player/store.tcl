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

# The pieces of a file, comments and empty lines too: the line where one begins, the piece, and so on; none when there
# is no such file.
proc ::tactus::player::store::pieces {path} {
    variable limit
    if {![file exists $path]} return
    try {
        set pieces [::tactus::pieces $path "file of the player" $limit]
    } trap TACTUS message {
        fail $path 0 $message
    }
    if {[llength $pieces] % 2} {fail $path [lindex $pieces end] "a brace, bracket or quote is not closed"}
    return $pieces
}

proc ::tactus::player::store::isComment {piece} {
    set text [string trimleft $piece]
    expr {$text eq {} || [string match #* $text]}
}

proc ::tactus::player::store::records {path} {
    lmap {line piece} [pieces $path] {
        if {[isComment $piece]} continue
        if {![string is list $piece]} {fail $path $line "not a list"}
        list {*}$piece
    }
}

# The line of a record: one, whatever the record contains.
proc ::tactus::player::store::line {record} {
    set line [list {*}$record]
    # "string first" would make an array of the characters of a very long line.
    if {[llength [split $line \n]] > 1} {
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
    set lines [lmap {line piece} [pieces $path] {set piece}]
    if {![llength $lines]} {set lines [heading $comment]}
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
