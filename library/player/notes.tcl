# player/notes.tcl -- marks and notes on a trace, kept beside it in TRACE.tactus-notes; the trace itself is never
# written.
#
#   ::tactus::Notes new TRACEFILE ?CHANGED?     an object; CHANGED is a prefix that is called when its content changes
#   $notes all                      dict of id -> note, in order of time
#   $notes add NOTE                 -> id;   $notes change ID NOTE (merged into it);   $notes remove ID
#   $notes look                     reads the file again when another program changed it; 1: the content is new
#   $notes save                     writes now; otherwise that is done at idle time after a change
#   $notes problem                  {} or a sentence: the reason for which nothing is written
#   $notes file                     path of the file; {} for a trace that is no file
#   ::tactus::player::notes::of VIEW    the view's object, made when first asked for; it tells NotesChanged
#   ::tactus::player::notes::mark VIEW TIME ?TEXT?   adds a mark that is kept
#
# A note is a dict: kind (mark, note), time, end ({}: an instant), row (key of a timeline row, or {}), color, text.
#
# The file is one Tcl list of words and values, readable and editable by hand, never evaluated:
#
#   tactus-notes 1
#   note 1 {kind mark time 12.5 text {first miss}}
#   note 2 {kind note time 20 end 31 row {task t1} text {...}}
#
# Lines that begin with # between notes are comments; those at the top are kept. It is written to a new file that then
# takes the place of the old one, so that it is whole at every moment, a link to it stays a link, and permissions stay.
#
# Other programs may write it meanwhile. The content that this object read or wrote last is its base; before writing,
# the file is read again when it differs from that, and merged (player/notesText.tcl).
#
# A file that cannot be read (damaged, or of a later version) is left as it is: that is reported, and new notes stay in
# memory, in case it is mended meanwhile. At the end, when there are any, it is renamed to NAME.damaged, and they are
# written. They also stay in memory when the directory cannot be written.

::tactus::need player/notesText player/text

oo::class create ::tactus::Notes {
    variable File Changed Notes Base Stamp Comments Problem Timer Unsaved

    constructor {traceFile {changed {}}} {
        set File [expr {$traceFile in {{} -} ? {} : "[file normalize $traceFile].tactus-notes"}]
        set Changed $changed
        lassign {{} {} {} {} {} {} 0} Notes Base Stamp Comments Problem Timer Unsaved
        my look
    }

    destructor {
        after cancel $Timer
        if {$Unsaved} {catch {my saveLast}}
    }

    method all {} {return $Notes}
    method file {} {return $File}
    method problem {} {return $Problem}
    method get {id} {::tactus::notes::value $Notes $id}

    method tell {} {
        if {$Changed ne {}} {uplevel #0 $Changed}
    }

    # ---- changes -----------------------------------------------------------------------------------------------------

    method add {note} {
        ::tactus::notes::checkNote $note
        set note [dict merge $::tactus::notes::defaults $note]
        set id [::tactus::notes::fresh $Notes $Base]
        dict set Notes $id $note
        my changed
        return $id
    }

    method change {id note} {
        if {![dict exists $Notes $id]} {
            return -code error -errorcode [list TACTUS LOOKUP NOTE $id] "there is no note $id"
        }
        ::tactus::notes::checkNote [dict merge {time 0} $note]
        set note [dict merge [dict get $Notes $id] $note]
        if {$note eq [dict get $Notes $id]} return
        dict set Notes $id $note
        my changed
    }

    method remove {id} {
        if {![dict exists $Notes $id]} return
        dict unset Notes $id
        my changed
    }

    method changed {} {
        set Notes [::tactus::notes::sorted $Notes]
        set Unsaved 1
        after cancel $Timer
        set Timer [after idle [namespace code {my save}]]
        my tell
    }

    # ---- reading -----------------------------------------------------------------------------------------------------

    # A stamp of the file's state: {} when it does not exist. (A link to nowhere does; who has made it would choose
    # where a file is written.) Tcl has the time of change in seconds only, so the content
    # decides when stamps are equal within the second in which the file was written.
    method stampNow {} {
        if {$File eq {} || [catch {file lstat $File stat}]} {return {}}
        if {[catch {file stat $File stat}]} {return nowhere}
        list $stat(mtime) $stat(size) $stat(ino)
    }

    method content {} {
        variable ::tactus::notes::limit
        try {
            set text [encoding convertfrom utf-8 [::tactus::contents $File "file of notes" $limit]]
        } trap {TACTUS FILE LIMIT} {} {
            ::tactus::notes::damaged "it is too long"
        } trap {TACTUS FILE KIND} {} {
            ::tactus::notes::damaged "it is not a plain file"
        }
        if {[string first \0 $text] >= 0} {::tactus::notes::damaged "it is not a text"}
        string map {\r\n \n} $text
    }

    # Reads the file when it has changed, and merges the changes made here that are not written yet.
    method look {} {
        set stamp [my stampNow]
        if {$File eq {} || $stamp eq $Stamp} {return 0}
        set Stamp $stamp
        set theirs {}
        try {
            if {$stamp ne {}} {
                set text [my content]
                set theirs [::tactus::notes::parse $text]
                set Comments [my commentsOf $text]
            }
        } on error why {
            set Problem "the notes in [file tail $File] cannot be used, [string trimright $why .]; the file is left as\
                it is, and notes are kept in memory only"
            my tell
            return 0
        }
        set Problem {}
        set old $Notes
        set Notes [::tactus::notes::merge $Base $Notes $theirs]
        set Base [::tactus::notes::sorted $theirs]
        if {$Notes eq $old} {return 0}
        my tell
        return 1
    }

    method commentsOf {text} {
        set comments {}
        foreach line [split $text \n] {
            if {![string match #* $line]} break
            lappend comments $line
        }
        return $comments
    }

    # ---- writing -----------------------------------------------------------------------------------------------------

    # Writes the notes, merged with changes of the file, if there is anything to write.
    method save {} {
        after cancel $Timer
        set Timer {}
        my look
        if {$File eq {} || ([my isDamaged] && [my stampNow] ne {})} return
        if {$Notes eq $Base} {
            set Unsaved 0
            return
        }
        if {$Comments eq {}} {
            regsub -all {[\x00-\x1f\x7f-\x9f]} [file rootname [file tail $File]] ? name
            set Comments [list "# Marks and notes of $name, kept by Tactus."]
        }
        try {
            set text [::tactus::notes::format $Notes $Comments]
            ::tactus::save $File channel {puts -nonewline $channel $text}
        } on error why {
            set Problem "notes cannot be written beside the trace and are kept in memory only: $why"
            my tell
            return
        }
        set Problem {}
        set Base $Notes
        set Unsaved 0
        set Stamp [my stampNow]
    }

    # The last chance to keep the notes: a file that was not mended makes room for them.
    method saveLast {} {
        my save
        if {$Unsaved && [my isDamaged] && [dict size $Notes]} {
            for {set n 1} {$n < 10} {incr n} {
                set aside $File.damaged[expr {$n > 1 ? $n : {}}]
                if {[catch {file lstat $aside there}]} break
            }
            file rename -- $File $aside
            my save
        }
    }

    method isDamaged {} {
        expr {[string match "the notes in*" $Problem]}
    }
}

# ---- of a view -------------------------------------------------------------------------------------------------------

namespace eval ::tactus::player::notes {
    variable open {}    ;# dict of view -> {file object}
    variable said {}    ;# problems that were reported: dict of {object problem}
}

# Is it a file of a stranger, since the program was told so or by its place?
proc ::tactus::player::notes::isStranger {file} {
    # Views that stand in no window have no options.
    set known [expr {[info commands ::tactus::player::openOptions] ne {}}]
    ::tactus::isStrange $file [if {$known} {::tactus::player::openOptions}]
}

proc ::tactus::player::notes::of {view} {
    variable open
    set file [$view file]
    if {[dict exists $open $view]} {
        lassign [dict get $open $view] old object
        if {$old eq $file} {return $object}
        $object destroy
    }
    # Nothing is read that somebody has put beside a file of a stranger.
    set own [if {[isStranger $file]} {} else {string cat $file}]
    set object [::tactus::Notes new $own [list ::tactus::player::notes::changed $view]]
    dict set open $view [list $file $object]
    after idle [list ::tactus::player::notes::changed $view]
    return $object
}

# Adds a mark that is kept, and reports its time. (A problem with the file is shown by a bar.)
proc ::tactus::player::notes::mark {view time {text {}}} {
    set notes [of $view]
    set id [$notes add [dict create kind mark time $time text $text]]
    $notes save
    set kept [expr {[$notes file] ne {} && [$notes problem] eq {}}]
    catch {
        $view message \
            "Marked $time[expr {$kept
                ? " for good: kept in [::tactus::player::text::visible [file tail [$notes file]] 100]" : {}}]"
    }
    return $id
}

# Tells and draws the notes of a view after a change; a problem with the file is reported once.
proc ::tactus::player::notes::changed {view} {
    variable open
    variable said
    if {![dict exists $open $view] || ![info object isa object $view]} return
    set object [lindex [dict get $open $view] 1]
    set problem [$object problem]
    if {$problem ne {} && ![dict exists $said [list $object $problem]]} {
        dict set said [list $object $problem] 1
        catch {$view bar warning "[string toupper $problem 0 0]." -name notes}
    }
    draw $view $object
    ::tactus::player::tell NotesChanged $view
}

# Sets the timeline's markers note1, note2 ...; only those that changed are touched.
proc ::tactus::player::notes::draw {view object} {
    if {[catch {$view timeline} timeline] || ![winfo exists $timeline]} return
    set notes [$object all]
    foreach name [$timeline marker names] {
        if {[regexp {^note(\d+)$} $name -> id] && ![dict exists $notes $id]} {$timeline marker delete $name}
    }
    dict for {id note} $notes {
        set text [::tactus::player::text::visible [dict get $note text] 40]
        if {$text eq {}} {set text "[dict get $note kind] $id"}
        set words [list -label $text]
        if {[dict get $note color] ne {}} {lappend words -color [dict get $note color]}
        # A note with a wrong colour or a time out of range is listed all the same.
        if {[catch {$timeline marker set note$id [dict get $note time] {*}$words}]} {
            catch {$timeline marker set note$id [dict get $note time] {*}[lrange $words 0 1]}
        }
    }
}

# Writes the notes of all views that wait for idle time.
proc ::tactus::player::notes::keep {} {
    variable open
    foreach row [dict values $open] {catch {[lindex $row 1] save}}
}

proc ::tactus::player::notes::closed {view args} {
    variable open
    if {![dict exists $open $view]} return
    set object [lindex [dict get $open $view] 1]
    dict unset open $view
    $object destroy
}

if {[info commands ::tactus::player::listen] ne {}} {
    ::tactus::player::listen TraceClosed ::tactus::player::notes::closed
}
