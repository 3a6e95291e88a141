# panel/panels.tcl -- the table of the window's own panels, and their registration with it (::tactus::player::panel).
#
# Only this file is read at the start, so that the window comes up quickly. The file of a panel (panel/events.tcl ...)
# is read when the panel is shown for the first time.

namespace eval ::tactus::player::panels {}

# The panels: name, title, side, order, key, help.
proc ::tactus::player::panels::table {} {
    return {
        details     Details     right  10 {}          "the item that was clicked: its facts, times and neighbours"
        legend      Legend      right  20 {}          "what bars, patterns, arrows and marks mean that are seen"
        events      Events      bottom 10 <Alt-Key-1> "all events of the trace in order of time"
        jobs        Jobs        bottom 20 <Alt-Key-2> "all jobs with their times and measures"
        statistics  Statistics  bottom 30 <Alt-Key-3>
            "tasks, processors, servers, mutexes and buffers: of the selection, or of everything"
        diagnostics Diagnostics bottom 40 <Alt-Key-4> "errors, warnings and notes about the trace, by line"
        clocks      Clocks      bottom 50 <Alt-Key-5> "synchronization of the processors' clocks"
        marks       Marks       bottom 60 <Alt-Key-6> "marks and notes, kept beside the trace"
        findings    Findings    bottom 70 <Alt-Key-7> "findings of the checks"
        models      Models      bottom 80 <Alt-Key-8> "models of expected behaviour: automata, instances, their file"
        query       Query       bottom 90 <Alt-Key-9> "questions in SQL about the tables of the trace"
        compare     Compare     bottom 95 <Alt-Key-0>
            "what differs from a second trace: medians, tails, causes, pairs of jobs"
    }
}

# Adds all of them to the window, and the actions that show them.
proc ::tactus::player::panels::register {} {
    foreach {name title side order key help} [table] {
        ::tactus::player::panel $name -title $title -side $side -order $order -help $help \
            -create [list ::tactus::player::panels::create $name]
        if {$key ne {} && [info commands ::tactus::player::action] ne {}} {
            ::tactus::player::action panel-$name -label "$title Panel" -menu {View Panels} \
                -keys [list $key] -help $help \
                -command [list ::tactus::player::panels::show $name]
        }
    }
    foreach event {TraceOpened TraceReloaded} {::tactus::player::listen $event ::tactus::player::panels::lookForNotes}
}

proc ::tactus::player::panels::show {name view} {
    $view showPanel $name
}

# Draws the marks and notes that are kept beside the trace, whether their panel is shown or not.
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
    ::tactus::need panel/panel panel/$name
    ::tactus::player::[string totitle $name]Panel new $frame $view
}

::tactus::player::panels::register
