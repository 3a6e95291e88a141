# player/session.tcl -- data kept from one run to the next: preferences, recent files, the state of each trace's view.
#
#   $XDG_CONFIG_HOME/tactus/preferences.tcl     set NAME VALUE           a preference
#                                               key ACTION SEQUENCE ...  the keys of an action instead of its own
#   $XDG_STATE_HOME/tactus/recent.tcl           file PATH                newest first
#   $XDG_STATE_HOME/tactus/window.tcl           geometry WxH; bottom PIXELS, right PIXELS
#   $XDG_STATE_HOME/tactus/sessions/*.tcl       one trace: range seen, rows, markers, panels, trace compared with
#
# The files are data (player/store.tcl), written as soon as something changes, and read again before they are written,
# since another tactus may run. A damaged one is set aside, renamed to NAME.damaged, and that is reported; the window
# opens with what it has without that file. Where it cannot be renamed it is left alone, and changes are kept for this
# run only. Users edit preferences, so each is checked where it is used; sessions are checked by the widget.

namespace eval ::tactus::player::session {
    variable damaged {}         ;# files that cannot be read, and so are not written either
    variable recent {}          ;# paths, newest first; read when first asked for
    variable recentRead 0
    variable most 20            ;# recent files kept
    variable sessionsMost 500   ;# sessions kept
    # what values in window.tcl look like
    variable forms {
        geometry {^\d{2,5}x\d{2,5}([-+]-?\d{1,5}){0,2}$}  bottom {^\d{1,5}(\.\d+)?$}  right {^\d{1,5}(\.\d+)?$}
    }
}
namespace eval ::tactus::player::pref {
    namespace export get set keys load table
    namespace ensemble create
    variable values {}          ;# dict of name -> value
    variable bound {}           ;# dict of action -> sequences
    variable loaded 0
    variable known {
        theme light {"light" or "dark"}
        scale {} {size of texts and distances; empty: as the screen says}
        wheelZooms 0 {1: the wheel zooms, Ctrl+wheel scrolls the rows}
        selectionStatistics 1 {1: a range selected by hand brings the statistics panel to the front}
        session 1 {1: a trace is shown as it was left}
        snap 8 {pixels within which a selection snaps to an event}
        convention {} {"grasp", "rtsched" or empty: what the trace's own kind is}
        colorBy task {what colours say: "convention", "task", "state", "processor", "priority" or "outcome"}
        hideLayers {} {layers that timelines do not show at first, as --hide-layers of tactus export}
        barText job {inside of bars: "none", "job" or "duration"}
        groupBy auto {groups of rows: "none", "auto", "processor", "server", "process" or "kind"}
        fitRows 1 {1: rows use the height of the window}
        tips 1 {1: tooltips}
        csvSafe 0 {1: rows are copied without cells that a spreadsheet would run}
        times absolute {where times count from: "absolute", "start", "A" or "B"}
    }
}

# ---- reading and writing, with damage said ---------------------------------------------------------------------------

proc ::tactus::player::session::path {kind args} {
    set dir [lindex [::tactus::userDirectory $kind] 0]
    if {$dir eq {}} return
    file join $dir {*}$args
}

proc ::tactus::player::session::read {path} {
    if {$path eq {}} return
    try {
        return [::tactus::player::store::records $path]
    } on error message {
        setAside $path $message
    }
    return
}

# Renames a damaged file, and reports that and what is wrong with it. Some that were set aside before are kept.
proc ::tactus::player::session::setAside {path message} {
    variable damaged
    if {$path in $damaged} return
    for {set n 1} {$n < 10} {incr n} {
        set aside $path.damaged[expr {$n > 1 ? $n : {}}]
        if {[catch {file lstat $aside there}]} break
    }
    if {[catch {file rename -force -- $path $aside}]} {
        return [noteDamage $path "$message. The file is ignored and left as it is."]
    }
    after idle [list ::tactus::player::session::sayDamage $path \
        "$message. The file is ignored, and kept as [file tail $aside]."]
}

proc ::tactus::player::session::noteDamage {path message} {
    variable damaged
    if {$path in $damaged} return
    lappend damaged $path
    after idle [list ::tactus::player::session::sayDamage $path $message]
}

proc ::tactus::player::session::sayDamage {path message {tries 0}} {
    set view [::tactus::player::currentView]
    if {$view eq {}} {
        if {$tries < 20} {after 100 [list ::tactus::player::session::sayDamage $path $message [incr tries]]}
        return
    }
    $view bar warning [string toupper $message 0 0]
}

# Runs a command that writes a file, unless that is damaged or has no directory. An error is reported once.
proc ::tactus::player::session::write {path command} {
    variable damaged
    if {$path in $damaged} return
    try {
        if {$path eq {}} {error [lindex [::tactus::userDirectory state] 1]}
        uplevel #0 $command
    } on error message {
        noteDamage $path "Preferences, and how traces were left, cannot be kept: $message"
    }
}

# ---- preferences -----------------------------------------------------------------------------------------------------

proc ::tactus::player::pref::load {} {
    variable loaded 1
    variable values {}
    variable bound {}
    foreach record [::tactus::player::session::read [::tactus::player::session::path config preferences.tcl]] {
        switch -- [lindex $record 0] {
            set {if {[llength $record] == 3} {dict set values [lindex $record 1] [lindex $record 2]}}
            key {if {[llength $record] >= 2} {dict set bound [lindex $record 1] [lrange $record 2 end]}}
        }
    }
}

proc ::tactus::player::pref::get {name {default {}}} {
    variable values
    variable known
    variable loaded
    if {!$loaded} load
    if {[dict exists $values $name]} {return [dict get $values $name]}
    foreach {own value help} $known {
        if {$own eq $name && $default eq {}} {return $value}
    }
    return $default
}

# A preference as a boolean; the default where it is none.
proc ::tactus::player::prefFlag {name {default 0}} {
    set value [pref get $name $default]
    expr {[string is boolean -strict $value] ? !!$value : $default}
}

proc ::tactus::player::pref::set {name value} {
    variable values
    variable loaded
    if {!$loaded} load
    if {[dict exists $values $name] && [dict get $values $name] eq $value} return
    dict set values $name $value
    change 2 [list set $name $value]
    ::tactus::player::tell PreferencesChanged {} $name
}

# The user's sequences for an action: {1 SEQUENCES}, or {0 {}} where the preferences do not have the action; with
# sequences: sets them. No sequences: the action has no keys.
proc ::tactus::player::pref::keys {action args} {
    variable bound
    variable loaded
    if {!$loaded} load
    if {![llength $args]} {
        return [expr {[dict exists $bound $action] ? [list 1 [dict get $bound $action]] : {0 {}}}]
    }
    dict set bound $action [lindex $args 0]
    change 2 [list key $action {*}[lindex $args 0]]
    ::tactus::player::tell PreferencesChanged {} keys
}

proc ::tactus::player::pref::change {n record} {
    ::set path [::tactus::player::session::path config preferences.tcl]
    ::tactus::player::session::write $path [list ::tactus::player::store::edit $path [list [list $n $record]] \
        "Preferences of tactus: set NAME VALUE, key ACTION SEQUENCE ...; see tactus_window(7)."]
}

proc ::tactus::player::pref::table {} {
    variable known
    return $known
}

# ---- recent files ----------------------------------------------------------------------------------------------------

proc ::tactus::player::session::recent {} {
    variable recent
    variable recentRead
    if {!$recentRead} {
        set recentRead 1
        set recent [lmap record [read [path state recent.tcl]] {
            if {[lindex $record 0] ne "file" || [llength $record] != 2} continue
            lindex $record 1
        }]
    }
    return $recent
}

proc ::tactus::player::session::addRecent {file} {
    variable recent
    variable recentRead
    variable most
    set recentRead 0
    set recent [lrange [linsert [lmap other [recent] {if {$other eq $file} continue; set other}] 0 $file] 0 $most-1]
    writeRecent
}

proc ::tactus::player::session::clearRecent {} {
    variable recent {}
    variable recentRead 1
    writeRecent
}

proc ::tactus::player::session::writeRecent {} {
    variable recent
    set path [path state recent.tcl]
    write $path [list ::tactus::player::store::write $path [lmap file $recent {list file $file}] \
        "Traces opened last by tactus."]
}

# ---- the window's state ----------------------------------------------------------------------------------------------

# A record of window.tcl: its words after the name; {} when there is none. A value that no window has written makes the
# file a damaged one.
proc ::tactus::player::session::windowState {name} {
    variable forms
    set path [path state window.tcl]
    set found {}
    foreach record [read $path] {
        lassign $record what value
        if {[dict exists $forms $what] && ![regexp [dict get $forms $what] $value]} {
            setAside $path "$path: \"[string range $record 0 60]\" is no state of a window"
            return
        }
        if {$what eq $name} {set found [lrange $record 1 end]}
    }
    return $found
}

proc ::tactus::player::session::setWindowState {args} {
    set path [path state window.tcl]
    write $path [list ::tactus::player::store::edit $path [lmap record $args {list 1 $record}] \
        "How the window of tactus was left."]
}

# ---- sessions --------------------------------------------------------------------------------------------------------

# The path of the session file of a trace: its name has that of the trace, and differs for each path of traces.
proc ::tactus::player::session::sessionPath {file} {
    set file [file normalize $file]
    regsub -all {[^A-Za-z0-9._-]} [string range [file tail $file] 0 59] _ tail
    set bytes [encoding convertto utf-8 $file]
    path state sessions [format %s-%08x%08x.tcl $tail [zlib crc32 $bytes] [zlib adler32 $bytes]]
}

# The session of a trace: a dict, {} when it was never opened.
proc ::tactus::player::session::load {file} {
    set session {}
    foreach record [read [sessionPath $file]] {
        if {[llength $record] == 2} {
            dict set session {*}$record
        } elseif {[lindex $record 0] eq "rows"} {
            dict set session rows [lrange $record 1 end]
        }
    }
    if {![dict exists $session file] || [dict get $session file] ne [file normalize $file]} return
    return $session
}

proc ::tactus::player::session::save {file session} {
    set path [sessionPath $file]
    if {$path eq {}} return
    set records [list [list file [file normalize $file]]]
    # The arrangement of very many rows takes less time to be quoted, and read, by one level less.
    dict for {name value} $session {
        lappend records [if {$name eq "rows"} {list rows {*}$value} else {list $name $value}]
    }
    write $path [list ::tactus::player::store::write $path $records "How tactus left this trace."]
    prune [file dirname $path]
}

# Deletes the oldest sessions when there are too many.
proc ::tactus::player::session::prune {dir} {
    variable sessionsMost
    set files [glob -nocomplain -directory $dir *.tcl]
    if {[llength $files] <= $sessionsMost} return
    set aged [lsort -integer -index 0 \
        [lmap file $files {if {[catch {file mtime $file} time]} continue; list $time $file}]]
    foreach row [lrange $aged 0 end-$sessionsMost] {catch {file delete -- [lindex $row 1]}}
}

# ---- between a view and its session ----------------------------------------------------------------------------------

proc ::tactus::player::session::isWanted {view} {
    expr {[$view file] ni {{} -} && ![::tactus::player::live::is $view] && [::tactus::player::prefFlag session 1]
        && [string is true [::tactus::player::option -session 1]]}
}

# Options of the timeline's look that preferences give.
proc ::tactus::player::session::preferredLook {} {
    set look [list -color-by [::tactus::player::pref get colorBy task] \
        -bar-text [::tactus::player::pref get barText job] \
        -group-by [::tactus::player::pref get groupBy auto] -hide-empty 0 \
        -fit-rows [::tactus::player::prefFlag fitRows 1]]
    set convention [::tactus::player::pref get convention {}]
    if {$convention in {grasp rtsched}} {lappend look -convention $convention}
    set hidden [::tactus::player::pref get hideLayers {}]
    if {![string is list $hidden]} {set hidden {}}
    lappend look -layers [lmap row [::tactus::describe layers] {
        set name [dict get $row name]
        if {$name in $hidden} continue
        set name
    }]
}

# The options of the look that differ from the preferences.
proc ::tactus::player::session::ownLook {w} {
    dict filter [dict map {option value} [preferredLook] {$w cget $option}] script {option value} {
        expr {$value ne [dict get [preferredLook] $option]}
    }
}

# Saves the state of a view: only what differs from the first view of a trace, so that a trace that grew is seen whole.
proc ::tactus::player::session::leave {view} {
    if {![::tactus::player::alive $view] || [$view trace] eq {} || ![isWanted $view]} return
    set w [$view timeline]
    set session [dict create panels [$view panelState] rows [$w row arrangement]]
    if {[$w view] ne [$w span]} {dict set session view [$w view]}
    if {[$w selection get] ne {}} {dict set session selection [$w selection get]}
    set markers [dict filter [$view markers] script {name time} {expr {$name in {A B} || [regexp {^mark\d+$} $name]}}]
    if {[dict size $markers]} {dict set session markers $markers}
    if {[dict size [ownLook $w]]} {dict set session look [ownLook $w]}
    if {[$view option mapping] ne {}} {dict set session mapping [$view option mapping]}
    if {[::tactus::player::commands::isComparing $view]} {
        dict set session compare [::tactus::player::compare::state $view]
    }
    save [$view file] $session
}

# The session in which a view is to be opened; {}: none. That of very many rows takes a while to be read, so it is asked
# for before the trace is opened.
proc ::tactus::player::session::of {view} {
    expr {[isWanted $view] ? [load [$view file]] : {}}
}

# Restores the state of a view. What does not fit the trace any more is left out: the file may have been edited, or be
# old.
proc ::tactus::player::session::restore {view session} {
    set w [$view timeline]
    catch {
        $view setLook [dict filter [dict get $session look] key \
            -color-by -bar-text -group-by -hide-empty -fit-rows -layers -convention]
    }
    catch {$w row arrangement [dict get $session rows]}
    catch {$w view {*}[lrange [dict get $session view] 0 1]}
    catch {$w selection set {*}[lrange [dict get $session selection] 0 1]}
    catch {restoreMarkers $view [dict get $session markers]}
    catch {$view setPanelState [dict get $session panels]}
    catch {$view option compareWith [dict get $session compare]}
    lassign [$w view] from to
    foreach {name variable} {-from from -to to} {
        set given [::tactus::player::option $name {}]
        if {$given ne {}} {set $variable $given}
    }
    catch {$w view $from $to}
}

proc ::tactus::player::session::restoreMarkers {view markers} {
    dict for {name time} $markers {
        if {$name in {A B}} {catch {$view marker $name $time}}
        if {[regexp {^mark(\d+)$} $name -> number]} {catch {$view marker $name $time -label $number}}
    }
}

proc ::tactus::player::session::leaveWindow {window} {
    if {![winfo exists [$window top]]} return
    set view [$window view]
    set records [list [list geometry [wm geometry [$window top]]]]
    foreach side {right bottom} {lappend records [list $side [::tactus::format %.0f [$view sideSize $side]]]}
    setWindowState {*}$records
}
