# player/player.tcl -- the program's window: its start, and the procedures with which its parts and plugins register.
#
#   main FILES ?-option value ...?    runs the window until its last toplevel is closed; the exit status
#   open FILE ?-in view? ?...?        opens a trace in a tab; its view
#   listen, tell                      events between the parts (below)
#   panel                             panels under the timeline or right of it (player/view.tcl)
#   action                            menus, keys, palette, help: the one table (player/actions.tcl)
#   pref, theme                       preferences (player/session.tcl), colours and fonts (player/theme.tcl)
#
# A window (player/window.tcl) is a toplevel with a menu bar and a tab per trace; a tab's content is a View
# (player/view.tcl): overview, timeline, panels, details, status line. Parts do not call one another: a part tells an
# event, and other parts listen:
#
#   TraceOpened, TraceReloaded                the view has a trace; its trace has read its file again
#   TraceClosed trace                         the view has no trace any more; this one is closed afterwards
#   TimeChanged time                          the cursor moved
#   SelectionChanged from to                  {} {}: nothing is selected
#   Zoomed from to, RowsChanged               the range of time or the rows that are seen have changed
#   Shown dict                                an item was clicked or gone to (a dict as `identify` returns)
#   CompareChanged, CompareAligned            a second trace is compared with the view's (player/compare.tcl)
#   FindingsChanged, NotesChanged, MarksChanged, HitsChanged
#   ChecksRun                                 checks have begun, or are done ([view option checked])
#   LiveChanged text                          how far a view is that follows programs
#   TabChanged                                another view is in front
#   ThemeChanged, PreferencesChanged          view is {}
#
# The start must be quick (a small trace is to be seen within 0.3 s): files for other things are read later.

namespace eval ::tactus::player {
    variable listeners {}       ;# dict of event -> list of {prefix owner}
    variable parts {}           ;# files that are read before the window opens (window.tcl)
    variable panels {}          ;# dict of name -> dict title create side order help
    variable ended 0            ;# is the program to end?
    variable status 0           ;# the exit status
    variable started 0          ;# are Tk and all parts loaded?
    variable options {}         ;# options of the program: dict of -name -> value
}

# ---- options of the program ------------------------------------------------------------------------------------------

# Rows of the window's options, in the form of tactus::describe: help and manual are made from them.
proc ::tactus::player::optionRows {} {
    set rows {}
    foreach {name type argument words default help} {
        -follow flag {} {} no {the trace grows: read on and show what comes}
        -from time time {} {} {beginning of the view; default: as the trace was left, or its beginning}
        -to time time {} {} {end of the view}
        -compare file file {} {} {a second trace, shown below the first one and compared with it}
        -theme word {} {light dark} {} {colours of the window; default: the preference, or light}
        -scale number factor {} {}
            {size of texts and distances, 2 for a screen of twice the usual resolution; default: as the screen says}
        -geometry text WxH+X+Y {} {} {size and place of the window}
        -session word {} {yes no} yes {show the trace as it was left, and remember how it is left now}
    } {
        lappend rows [dict create name $name type $type argument $argument words $words default $default help $help]
    }
    return $rows
}

proc ::tactus::player::checkOptions {given} {
    set known [lmap row [concat [optionRows] [::tactus::describe open]] {dict get $row name}]
    dict for {name value} $given {
        if {$name ni $known} {
            return -code error -errorcode [list TACTUS USAGE OPTION $name] \
                "unknown option \"$name\": must be [join [lsort $known] {, }]"
        }
    }
}

proc ::tactus::player::option {name default} {
    variable options
    if {[dict exists $options $name] && [dict get $options $name] ne {}} {return [dict get $options $name]}
    return $default
}

# The options for tactus::open among those of the program; with a view, with the mapping that was chosen there.
proc ::tactus::player::openOptions {{view {}}} {
    variable options
    set names [lmap row [::tactus::describe open] {dict get $row name}]
    set given [dict filter $options script {name value} {expr {$name in $names && $name ne "-progress"}}]
    if {$view eq {}} {return $given}
    dict merge [dict remove $given -map] [mapping::options $view]
}

# ---- start and end ---------------------------------------------------------------------------------------------------

# Loads Tk without the words of the command line, which are not for Tk.
proc ::tactus::player::loadTk {} {
    if {[info commands ::tactus::timeline] ne {}} return
    set words [list [expr {[info exists ::argv] ? $::argv : {}}] [expr {[info exists ::argc] ? $::argc : 0}]]
    set ::argv {}
    set ::argc 0
    try {
        ::tactus::need tk
    } on error message {
        return -code error -errorcode {TACTUS DISPLAY} [displayMessage $message]
    } finally {
        lassign $words ::argv ::argc
    }
    # Other programs must not send scripts.
    catch {rename ::send {}}
}

proc ::tactus::player::displayMessage {message} {
    if {[string match "*can't find package Tk*" $message]} {
        return "the window needs Tk, which is not installed (Debian: apt install tk8.6); the subcommands work without\
            it (tactus --help)"
    }
    if {![regexp -nocase {display} $message]} {return $message}
    set why "no display is named in DISPLAY"
    if {[info exists ::env(DISPLAY)] && $::env(DISPLAY) ne {}} {
        set why "the display \"$::env(DISPLAY)\" cannot be reached"
    }
    return "the window needs an X display, and $why: export DISPLAY=:0 on the desktop itself, log in with ssh -X, or\
        run xvfb-run tactus ...; the subcommands work without one (tactus --help)"
}

# Loads Tk and reads all parts; makes no window.
proc ::tactus::player::prepare {} {
    variable parts
    loadTk
    ::tactus::need {*}$parts
}

# Makes the first window and begins to open the files, which goes on in the event loop; the result is the window.
proc ::tactus::player::start {files args} {
    variable options
    variable started
    variable ended 0
    checkOptions $args
    set options $args
    prepare
    if {!$started} {
        set started 1
        wm withdraw .
        interp bgerror {} ::tactus::player::backgroundError
        theme start [option -scale {}]
    }
    if {[option -theme {}] ne {}} {theme use [option -theme {}]}
    set window [Window new [option -geometry {}]]
    startPlugins
    foreach file $files {open $file -window $window -follow [option -follow 0]}
    return $window
}

proc ::tactus::player::main {files args} {
    variable status 0
    variable ended
    try {
        start $files {*}$args
    } trap TACTUS message {
        puts stderr "tactus: [::tactus::visible::message $message]"
        return 2
    }
    ::tactus::atEnd ::tactus::player::endFromOutside
    if {!$ended} {vwait ::tactus::player::ended}
    return $status
}

# Ends the program after a signal as Ctrl+Q does, with the status that shells give it. When the connection to the
# display is lost no window can be closed any more; sessions and notes are saved, and the program ends after this.
proc ::tactus::player::endFromOutside {how} {
    variable status
    if {$how ne "DISPLAY"} {
        set status [expr {128 + [dict get {HUP 1 INT 2 TERM 15} $how]}]
        quit
        return [leave]
    }
    catch {puts stderr "tactus: the connection to the display is lost; the sessions are saved"}
    foreach window [Window all] {catch {$window keep}}
    if {[info commands notes::keep] ne {}} notes::keep
}

# Ends the program; the opening of a trace is cancelled first.
proc ::tactus::player::quit {} {
    foreach window [Window all] {$window close}
}

# Ends the event loop when the last window has been closed.
proc ::tactus::player::leave {} {
    variable ended
    opening::cancelAll
    set ended 1
}

# ---- plugins ---------------------------------------------------------------------------------------------------------

# Loads the plugins and connects them with the window (player/plugins.tcl), before the first trace is opened, since that
# runs their handlers.
proc ::tactus::player::startPlugins {} {
    ::tactus::need plugin/plugin
    if {[info commands ::tactus::plugin::loadAll] eq {}} return
    ::tactus::need player/plugins
    plugins::start
}

# ---- events between the parts ----------------------------------------------------------------------------------------

# Calls the prefix with the view and the event's data at each such event; with an owner, until that widget is destroyed.
proc ::tactus::player::listen {event prefix {owner {}}} {
    variable listeners
    dict lappend listeners $event [list $prefix $owner]
    if {$owner ne {} && "TactusOwner" ni [bindtags $owner]} {
        bindtags $owner [linsert [bindtags $owner] 0 TactusOwner]
        bind TactusOwner <Destroy> {::tactus::player::forget %W}
    }
}

proc ::tactus::player::forget {owner} {
    variable listeners
    set listeners [dict map {event list} $listeners {lmap row $list {if {[lindex $row 1] eq $owner} continue; set row}}]
}

# Tells an event to all listeners; an error of one does not keep the others from hearing it.
proc ::tactus::player::tell {event view args} {
    variable listeners
    if {[dict exists $listeners $event]} {
        foreach row [dict get $listeners $event] {
            lassign $row prefix owner
            if {$owner ne {} && ![winfo exists $owner]} continue
            try {
                uplevel #0 [list {*}$prefix $view {*}$args]
            } on error {message errorOptions} {
                backgroundError $message $errorOptions
            }
        }
    }
    if {[info commands plugins::heard] ne {}} {plugins::heard $event $view {*}$args}
}

# ---- errors ----------------------------------------------------------------------------------------------------------

# Reports an error of the event loop: a bar in the view in front, the stack trace on stderr.
proc ::tactus::player::backgroundError {message errorOptions} {
    set known [expr {[lindex [dict get $errorOptions -errorcode] 0] in {TACTUS POSIX}}]
    if {!$known} {catch {puts stderr "tactus: [::tactus::visible::message [dict get $errorOptions -errorinfo] 20000]"}}
    set view [currentView]
    if {$view eq {}} {
        catch {puts stderr "tactus: [::tactus::visible::message $message]"}
        return
    }
    $view bar error [expr {$known ? $message : "Internal error: $message"}] -name trouble
}

# ---- panels ----------------------------------------------------------------------------------------------------------

# Registers a panel. -create is a prefix that is called with frame and view when the panel is first shown.
proc ::tactus::player::panel {name args} {
    variable panels
    set row [dict merge [dict create title $name create {} side bottom order 100 help {}] \
        [dict map {key value} [stripped $args] {set value}]]
    dict set panels $name $row
    if {[info commands View] ne {}} {View panelsChanged}
}

# Removes a panel from all views.
proc ::tactus::player::dropPanel {name} {
    variable panels
    dict unset panels $name
    if {[info commands View] eq {}} return
    foreach view [info class instances View] {$view dropPanel $name}
}

proc ::tactus::player::panelRows {side} {
    variable panels
    set rows {}
    dict for {name row} $panels {
        if {[dict get $row side] eq $side} {lappend rows [list [dict get $row order] $name $row]}
    }
    lmap row [lsort -integer -index 0 $rows] {lrange $row 1 2}
}

# -name value ... as a dict without dashes.
proc ::tactus::player::stripped {words} {
    set dict {}
    foreach {name value} $words {dict set dict [string range $name 1 end] $value}
    return $dict
}

# ---- what is there ---------------------------------------------------------------------------------------------------

proc ::tactus::player::alive {object} {
    expr {$object ne {} && [info object isa object $object]}
}

# The view in front, in the window that had the focus last.
proc ::tactus::player::currentView {} {
    if {[info commands Window] eq {}} {return {}}
    set window [Window current]
    if {![alive $window]} {return {}}
    return [$window view]
}

proc ::tactus::player::views {} {
    concat {*}[lmap window [Window all] {$window views}]
}

# Opens a file; the result is its view. -in view: in that tab; -window W: in a new tab there; -follow 1: the file grows.
proc ::tactus::player::open {file args} {
    set args [dict merge {-in {} -window {} -follow 0} $args]
    set view [dict get $args -in]
    if {$view eq {}} {
        set window [dict get $args -window]
        if {![alive $window]} {set window [Window current]}
        if {![alive $window]} {set window [Window new {}]}
        set view [$window viewFor $file]
    }
    opening::queue $view $file [dict get $args -follow]
    return $view
}
