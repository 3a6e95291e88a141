# player/live.tcl -- views that follow programs while they run: which they are, and the actions for them. What such a
# view does is in player/liveView.tcl, which is read for the first one.

namespace eval ::tactus::player::live {
    variable every 50           ;# milliseconds from turn to turn, at least
    variable tellEvery 500      ;# milliseconds between two tellings of the panels and the status line
    variable checkEvery 1000    ;# milliseconds between two runs of the checks
    variable views {}           ;# dict of view -> its Live
    variable folder /dev/shm    ;# for what is opened
}

# ---- for others ------------------------------------------------------------------------------------------------------

# Follows what a tactus::recorder holds (-memory), in a view of the current window; the recorder goes with the view.
# title: of what is followed. args: -width SECONDS, -check NAMES.
proc ::tactus::player::live::open {recorder title args} {
    variable views
    ::tactus::need player/liveView
    set file [newFile]
    # What there is already is seen with the first turn, as far as it is to be seen.
    try {
        $recorder write $file -last 0
    } on error {message options} {
        $recorder close
        file delete -- $file
        return -options $options $message
    }
    set window [::tactus::player::Window current]
    if {![::tactus::player::alive $window]} {set window [::tactus::player::Window new {}]}
    set view [$window viewFor $file]
    $view option title $title
    dict set views $view [::tactus::player::Live new $view $recorder $file {*}$args]
    ::tactus::player::opening::queue $view $file 0
    return $view
}

# A file of this user, in memory where there is such a place with room. Those of processes that were killed are removed
# there.
proc ::tactus::player::live::newFile {} {
    variable folder
    foreach file [glob -nocomplain -types f -directory $folder tactus-live-*.tacs] {
        if {[regexp {tactus-live-(\d+)_} $file -> pid] && [file owned $file] && ![file exists /proc/$pid]} {
            catch {file delete -- $file}
        }
    }
    if {[catch {close [file tempfile path [file join $folder tactus-live-[pid].tacs]]}]} {
        close [file tempfile path tactus-live.tacs]
    }
    return $path
}

# The Live of a view; {}: it has none.
proc ::tactus::player::live::of {view} {
    variable views
    expr {[dict exists $views $view] ? [dict get $views $view] : {}}
}

proc ::tactus::player::live::is {view} {
    expr {[of $view] ne {}}
}

# How many views follow now.
proc ::tactus::player::live::following {} {
    variable views
    llength [lsearch -all -exact [lmap live [dict values $views] {$live paused}] 0]
}

proc ::tactus::player::live::isPaused {view} {
    set live [of $view]
    expr {$live ne {} && [$live paused]}
}

proc ::tactus::player::live::forget {view} {
    variable views
    dict unset views $view
}

# Called before the range of a timeline changes.
proc ::tactus::player::live::moves {w} {
    variable views
    dict for {view live} $views {
        if {[$view timeline] eq $w && [$live paused]} {after idle [list ::tactus::player::live::moved $view]}
    }
}

proc ::tactus::player::live::moved {view} {
    if {[is $view]} {[of $view] moved}
}

# Actions: each with the view.
proc ::tactus::player::live::toggle {view} {
    set live [of $view]
    if {$live eq {}} return
    if {[$live paused]} {$live goOn} else {$live pause}
}

proc ::tactus::player::live::keepDialog {view} {
    if {![is $view]} return
    set file [tk_getSaveFile -parent [$view window] -title "Keep the Recording" -defaultextension .tacs \
        -initialfile recording.tacs -filetypes {{{Recordings of Sensors} .tacs} {{All files} *}}]
    # The view may have gone while the dialog was there.
    if {$file ne {} && [is $view]} {[of $view] keep $file}
}
