# player/notesText.tcl -- the text of a file of notes (player/notes.tcl): reading, writing, merging.
#
#   notes::parse TEXT               dict of id -> note; errors {TACTUS NOTES DAMAGED} or {TACTUS NOTES VERSION}
#   notes::format NOTES COMMENTS    the text
#   notes::sorted NOTES             in order of time, then id
#   notes::merge BASE OURS THEIRS   three-way, by id
#
# A note that only one side changed is taken from it; one that both added or changed differently is kept twice (ours
# under a new id); one that a side removed and the other changed is kept.

::tactus::need times

namespace eval ::tactus::notes {
    variable version 1
    variable limit 16000000     ;# bytes; a longer file is not read
    variable most 10000         ;# notes in a file: they are sorted and drawn while the user waits
    variable keys {kind time end row color text}        ;# in the order of writing
    variable defaults {kind note end {} row {} color {} text {}}
}

# ---- the text --------------------------------------------------------------------------------------------------------

# The notes of a file, in the order of the file; every value is checked.
proc ::tactus::notes::parse {text} {
    variable version
    variable defaults
    variable most
    set text [withoutComments $text]
    if {![string is list $text]} {damaged "it is not a list"}
    set words [lassign $text magic number]
    if {$magic ne "tactus-notes" || ![string is integer -strict $number]} {
        damaged "it does not begin with \"tactus-notes 1\""
    }
    if {$number > $version} {
        return -code error -errorcode {TACTUS NOTES VERSION} "it is of a later version ($number)"
    }
    if {[llength $words] % 3} {damaged "something is missing at its end"}
    if {[llength $words] / 3 > $most} {damaged "it has more than $most notes"}
    set notes {}
    foreach {word id note} $words {
        if {$word ne "note" || ![regexp {^[1-9]\d{0,8}$} $id] || [dict exists $notes $id]} {
            damaged "a note has no number of its own"
        }
        checkNote $note
        dict set notes $id [dict merge $defaults $note]
    }
    return $notes
}

# The text without its comments: lines that begin with #, but not within a note's text. Open braces are looked for only
# before such lines, and only so many times, since a file may be made to take long.
proc ::tactus::notes::withoutComments {text} {
    set kept {}
    set open {}
    set looked 0
    foreach line [split $text \n] {
        if {[string match #* $line]} {
            if {[incr looked [string length $open]] > 50000000} {damaged "its braces are not closed"}
            if {[info complete $open]} {
                append kept $open
                set open {}
                continue
            }
        }
        append open $line \n
    }
    return $kept$open
}

proc ::tactus::notes::damaged {why} {
    return -code error -errorcode {TACTUS NOTES DAMAGED} $why
}

proc ::tactus::notes::checkNote {note} {
    if {![string is list $note] || [llength $note] % 2} {damaged "a note is not a list of words and values"}
    if {![dict exists $note time] || ![isTime [dict get $note time]]} {damaged "a note has no time"}
    if {[dict exists $note end] && [dict get $note end] ne {} && ![isTime [dict get $note end]]} {
        damaged "the end of a note is not a time"
    }
    if {[dict exists $note row] && ![string is list [dict get $note row]]} {damaged "the row of a note is not a list"}
}

proc ::tactus::notes::isTime {text} {
    regexp {^[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})$} $text
}

# The text of the file. Keys with empty values are left out; unknown ones, of a later version, are kept.
proc ::tactus::notes::format {notes comments} {
    variable version
    set text [join $comments \n][expr {[llength $comments] ? "\n" : {}}]
    append text "tactus-notes $version\n"
    dict for {id note} $notes {append text [list note $id [written $note]] \n}
    return $text
}

proc ::tactus::notes::written {note} {
    variable keys
    set written {}
    foreach key $keys {
        if {[dict exists $note $key] && ([dict get $note $key] ne {} || $key in {kind time})} {
            dict set written $key [dict get $note $key]
        }
    }
    dict merge $written [dict remove $note {*}$keys]
}

# By time, then id.
proc ::tactus::notes::sorted {notes} {
    set ids [lsort -integer [dict keys $notes]]
    set ids [lsort -command [list ::tactus::notes::compare $notes] $ids]
    set sorted {}
    foreach id $ids {dict set sorted $id [dict get $notes $id]}
    return $sorted
}

proc ::tactus::notes::compare {notes a b} {
    set a [dict get $notes $a time]
    set b [dict get $notes $b time]
    expr {$a eq $b ? 0 : [::tactus::times::compare $a $b]}
}

# ---- merging ---------------------------------------------------------------------------------------------------------

# Merges the changes base -> ours and base -> theirs.
proc ::tactus::notes::merge {base ours theirs} {
    set merged $theirs
    set next [fresh $base $ours $theirs]
    dict for {id note} $ours {
        set before [value $base $id]
        set other [value $theirs $id]
        if {$note eq $before || $note eq $other} continue
        if {$other eq $before} {
            dict set merged $id $note
        } elseif {$other eq {}} {
            dict set merged $id $note
        } else {
            # Both changed it, or both took this id for something new.
            dict set merged $next $note
            set next [fresh $base $ours $theirs $merged]
        }
    }
    dict for {id note} $base {
        # We removed it, and they left it as it was.
        if {![dict exists $ours $id] && [value $theirs $id] eq $note} {dict unset merged $id}
    }
    return [sorted $merged]
}

# An id that none of them has: after the largest, or the first free one where the file has the largest possible id.
proc ::tactus::notes::fresh {args} {
    set id [expr {[tcl::mathfunc::max 0 {*}[concat {*}[lmap notes $args {dict keys $notes}]]] + 1}]
    if {$id <= 999999999} {return $id}
    for {set id 1} {[lsearch -exact [lmap notes $args {dict exists $notes $id}] 1] >= 0} {incr id} {}
    return $id
}

proc ::tactus::notes::value {notes id} {
    if {[dict exists $notes $id]} {return [dict get $notes $id]}
    return
}
