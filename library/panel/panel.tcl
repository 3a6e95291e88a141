# panel/panel.tcl -- the window's own panels: the table of them, and what they have in common.
#
#       panels::register      adds all of them to the window (::tactus::player::panel), and the actions that show them
#       class Panel           one panel of one view: knows the view's trace, hears when that changes, dies with its frame
#
# Start-up counts: this file is all that is read at first. The file of a panel (panel/events.tcl ...) is read when the
# panel is shown for the first time.
#
# A panel's class has these methods: `build` makes its widgets in $Frame; `traceChanged` is called when the view has
# another trace (or none: $Trace is {}), first after build; `traceReloaded` when it was read anew; `themeChanged` when
# colours or fonts are others. Whatever the view tells is heard by `my hear EVENT METHOD`: the method is called with the
# event's data, of this view only.
#
# Only a panel that can be seen works: `my whenSeen METHOD` calls the method at idle time, once, and not before the
# panel is mapped.

namespace eval ::tactus::player::panels {}

# name, title, side, order, key, help
proc ::tactus::player::panels::table {} {
    return {
        details     Details     right  10 {}          "what was clicked: its facts, times and neighbours"
        events      Events      bottom 10 <Alt-Key-1> "all events of the trace in order of time"
        jobs        Jobs        bottom 20 <Alt-Key-2> "all jobs with what was measured of them"
        statistics  Statistics  bottom 30 <Alt-Key-3> "tasks, processors, servers, mutexes and buffers: of the selection, or of everything"
        diagnostics Diagnostics bottom 40 <Alt-Key-4> "what is wrong with the trace, by line"
        clocks      Clocks      bottom 50 <Alt-Key-5> "how the processors' clocks were brought together"
        marks       Marks       bottom 60 <Alt-Key-6> "marks and notes, kept beside the trace"
        findings    Findings    bottom 70 <Alt-Key-7> "what the checks found"
    }
}

proc ::tactus::player::panels::register {} {
    foreach {name title side order key help} [table] {
        ::tactus::player::panel $name -title $title -side $side -order $order -help $help \
            -create [list ::tactus::player::panels::create $name]
        if {$key ne {} && [info commands ::tactus::player::action] ne {}} {
            ::tactus::player::action panel-$name -label "$title Panel" -menu {View Panels} -keys [list $key] -help $help \
                -command [list ::tactus::player::panels::show $name]
        }
    }
    foreach event {TraceOpened TraceReloaded} {::tactus::player::listen $event ::tactus::player::panels::lookForNotes}
}

proc ::tactus::player::panels::show {name view} {
    $view showPanel $name
}

# Marks and notes that are kept beside the trace are drawn, whether their panel is shown or not.
proc ::tactus::player::panels::lookForNotes {view args} {
    if {![file exists [$view file].tactus-notes]} return
    after idle [list apply {{view} {
        if {![info object isa object $view] || [$view trace] eq {}} return
        ::tactus::need player/notes
        [::tactus::player::notes::of $view] look
    } ::tactus::player::panels} $view]
}

# The class of a panel is named after it: details -> ::tactus::player::DetailsPanel.
proc ::tactus::player::panels::create {name frame view} {
    ::tactus::need player/text panel/$name
    ::tactus::player::[string totitle $name]Panel new $frame $view
}

# ---- a panel ---------------------------------------------------------------------------------------------------------

oo::class create ::tactus::player::Panel {
    variable Frame View Trace Waiting

    constructor {frame view} {
        set Frame $frame
        set View $view
        set Trace {}
        set Waiting {}
        bind $frame <Destroy> +[namespace code {my frameDestroyed %W}]
        bind $frame <Map> +[namespace code {my seen}]
        bind $frame <<ThemeChanged>> +[namespace code {my themeChanged}]
        foreach event {TraceOpened TraceClosed} {my hear $event renewTrace}
        my hear TraceReloaded reloadTrace
        my build
        my renewTrace
    }

    destructor {
        foreach {method timer} $Waiting {after cancel $timer}
    }

    method frameDestroyed {window} {
        if {$window eq $Frame} {my destroy}
    }

    method hear {event method} {
        ::tactus::player::listen $event [namespace code [list my heard $method]] $Frame
    }

    # An event of another view is not for us. Data that a method does not take is left out.
    method heard {method view args} {
        if {$view ne $View || ![winfo exists $Frame]} return
        my $method {*}$args
    }

    method renewTrace {args} {
        set Trace [expr {[info object isa object $View] ? [$View trace] : {}}]
        # A trace that cannot be shown leaves the panel as it is, for the next one.
        try {
            my traceChanged
        } on error {message options} {
            after idle [list return -options [dict merge $options {-code error -level 0}] $message]
        }
    }

    # The same trace read anew, as with a file that grows: what the user sees of it stays where it can.
    method reloadTrace {args} {
        if {$Trace eq {} || $Trace ne [$View trace]} {return [my renewTrace]}
        try {
            my traceReloaded
        } on error {message options} {
            after idle [list return -options [dict merge $options {-code error -level 0}] $message]
        }
    }

    # Calls a method at idle time, once, and not before the panel can be seen.
    method whenSeen {method} {
        if {[dict exists $Waiting $method]} return
        dict set Waiting $method [expr {[winfo ismapped $Frame] ? [after idle [namespace code [list my run $method]]] : {}}]
    }

    method seen {} {
        foreach {method timer} $Waiting {
            if {$timer eq {}} {dict set Waiting $method [after idle [namespace code [list my run $method]]]}
        }
    }

    method run {method} {
        dict unset Waiting $method
        if {[winfo exists $Frame]} {my $method}
    }

    method build {} {}
    method traceChanged {} {}
    method traceReloaded {} {my traceChanged}
    method themeChanged {} {}

    # A list of the panel's own size: what it shows, it owns.
    method listIn {path args} {
        ::tactus::need list/list
        ::tactus::player::virtualList $path {*}$args
    }

    # Goes there in the timeline; what cannot be shown is said, not thrown.
    method go {args} {
        try {
            $View go {*}$args
        } on error message {
            my say $message
        }
    }

    method say {text} {
        catch {$View message [::tactus::player::panels::visible $text 500]}
    }
}
