# player/commands.tcl -- commands of the window's own actions (player/commandTable.tcl) that need no file of their own.
#
# Each is called with the view in front, or {} when there is none.

namespace eval ::tactus::player::commands {}

# ---- File ------------------------------------------------------------------------------------------------------------

proc ::tactus::player::commands::parent {view} {
    expr {[::tactus::player::alive $view] ? [$view window] : "."}
}

proc ::tactus::player::commands::openDialog {view} {
    set dir [pwd]
    if {[::tactus::player::alive $view] && [$view file] ni {{} -}} {set dir [file dirname [$view file]]}
    # The dialog is plain Tk, so its lists get the theme's colours from the option database.
    set files [tk_getOpenFile -parent [parent $view] -title "Open a Trace" -initialdir $dir -multiple 1 -filetypes {
        {Traces {.tactus .grasp .log .trace .ftrace .dat .txt .gz .xz .zst}} {{All files} *}
    }]
    foreach file $files {::tactus::player::open $file}
}

proc ::tactus::player::commands::newWindow {view} {
    ::tactus::player::Window new {}
}

proc ::tactus::player::commands::fillRecent {menu window} {
    $menu delete 0 end
    set view [expr {[::tactus::player::alive $window] ? [$window view] : {}}]
    foreach file [::tactus::player::session::recent] {
        $menu add command -label [::tactus::player::text::source [::tactus::player::opening::recentText $file] 100] \
            -command [list ::tactus::player::open $file -window $window]
    }
    if {[$menu index end] eq "none"} {
        $menu add command -label "None yet" -state disabled
        return
    }
    $menu add separator
    ::tactus::player::actions::addEntry $menu clearRecent $view
}

proc ::tactus::player::commands::clearRecent {view} {
    ::tactus::player::session::clearRecent
}

proc ::tactus::player::commands::toggleFollow {view} {
    ::tactus::player::opening::follow $view [expr {![isFollowed $view]}]
}

proc ::tactus::player::commands::isFollowed {view} {
    expr {[$view option follow] eq "1"}
}

proc ::tactus::player::commands::closeTab {view} {
    if {![::tactus::player::alive $view]} return
    set window [$view owner]
    if {[llength [$window views]] == 1 && [$view state] eq "empty"} {$window close} else {$window closeView $view}
}

proc ::tactus::player::commands::quit {view} {
    ::tactus::player::quit
}

# ---- Edit ------------------------------------------------------------------------------------------------------------

proc ::tactus::player::commands::copy {view text} {
    clipboard clear -displayof [parent $view]
    clipboard append -displayof [parent $view] -- $text
    $view message "Copied: [::tactus::player::text::source $text 80]"
}

proc ::tactus::player::commands::copyTime {view} {
    set selection [$view selection]
    copy $view [if {$selection ne {}} {join $selection} else {$view hereTime}]
}

proc ::tactus::player::commands::selectAll {view} {
    set info [$view info]
    if {[dict get $info begin] ne {}} {$view select [dict get $info begin] [dict get $info end]}
}

proc ::tactus::player::commands::selectSeen {view} {
    $view select {*}[[$view timeline] view]
}

proc ::tactus::player::commands::selectNone {view} {
    $view select {} {}
}

# ---- View ------------------------------------------------------------------------------------------------------------

# Sets an option of the timeline. When it changes which rows there are, the timeline tells that itself.
proc ::tactus::player::commands::setTimeline {option value view} {
    [$view timeline] configure $option $value
    if {$option ni {-processors -group-by -order}} {::tactus::player::tell RowsChanged $view}
}

proc ::tactus::player::commands::hasTimeline {option value view} {
    expr {[[$view timeline] cget $option] eq $value}
}

proc ::tactus::player::commands::isTimeline {option view} {
    string is true -strict [[$view timeline] cget $option]
}

proc ::tactus::player::commands::toggleTimeline {option view} {
    setTimeline $option [expr {![isTimeline $option $view]}] $view
}

proc ::tactus::player::commands::hasLayer {name view} {
    expr {$name in [[$view timeline] cget -layers]}
}

proc ::tactus::player::commands::toggleLayer {name view} {
    set shown [[$view timeline] cget -layers]
    set others [lsearch -all -inline -exact -not $shown $name]
    setTimeline -layers [expr {$name in $shown ? $others : [linsert $shown end $name]}] $view
}

proc ::tactus::player::commands::showLayers {view} {
    setTimeline -layers [lindex [[$view timeline] configure -layers] 3] $view
}

proc ::tactus::player::commands::togglePrint {view} {
    setTimeline -theme [expr {[hasTimeline -theme print $view] ? [::tactus::player::theme name] : "print"}] $view
}

proc ::tactus::player::commands::toggleSide {side view} {
    if {[::tactus::player::alive $view]} {$view side $side [expr {![$view side $side]}]}
}

proc ::tactus::player::commands::isSide {side view} {
    $view side $side
}

proc ::tactus::player::commands::toggleDark {view} {
    useTheme [expr {[isDark $view] ? "light" : "dark"}]
}

proc ::tactus::player::commands::isDark {view} {
    expr {[::tactus::player::theme name] eq "dark"}
}

proc ::tactus::player::commands::useTheme {name} {
    ::tactus::player::theme use $name
    ::tactus::player::pref set theme $name
}

proc ::tactus::player::commands::fullscreen {view} {
    if {[::tactus::player::alive $view]} {wm attributes [$view window] -fullscreen [expr {![isFullscreen $view]}]}
}

proc ::tactus::player::commands::isFullscreen {view} {
    wm attributes [$view window] -fullscreen
}

# ---- Go --------------------------------------------------------------------------------------------------------------

proc ::tactus::player::commands::search {view} {
    ::tactus::need player/search
    ::tactus::player::search::open $view
}

proc ::tactus::player::commands::hit {step view} {
    ::tactus::need player/search
    ::tactus::player::search::step $step $view
}

proc ::tactus::player::commands::goTo {view} {
    ask $view "Go to Time" "A time; +5 or -5 from here; A or B; or the name of a task or job" {} \
        [list ::tactus::player::commands::goToText $view]
}

# Goes to the time, task or job that the user typed. Numbers are passed on as text, so that they stay exact.
proc ::tactus::player::commands::goToText {view text} {
    set text [string trim $text]
    set number {(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})?}
    if {$text eq {}} return
    if {[regexp "^\[+-\]\\s*$number\$" $text]} {
        set begin [lindex [[$view timeline] span] 0]
        set step [string map {{ } {}} $text]
        set time [::tactus::times::add [::tactus::player::navigate::fromTime $view] [string trimleft $step +]]
        $view go -time $time
    } elseif {[regexp "^=?\\s*(-?$number)\$" $text -> time]} {
        $view go -time $time
    } elseif {[string toupper $text] in {A B} && [[$view timeline] marker get [string toupper $text]] ne {}} {
        $view go -time [[$view timeline] marker get [string toupper $text]]
    } else {
        ::tactus::need player/search
        ::tactus::player::search::goToFirst $view $text
    }
}

proc ::tactus::player::commands::tab {step view} {
    if {[::tactus::player::alive $view]} {[$view owner] nextTab $step}
}

proc ::tactus::player::commands::hasToolbar {view} {
    [$view owner] toolbar
}

proc ::tactus::player::commands::toggleToolbar {view} {
    set shown [expr {![hasToolbar $view]}]
    ::tactus::player::pref set toolbar $shown
    [$view owner] toolbar $shown
}

proc ::tactus::player::commands::manual {view} {
    ::tactus::need player/manual
    ::tactus::player::manual::open $view
}

# ---- Tools, Help -----------------------------------------------------------------------------------------------------

proc ::tactus::player::commands::runChecks {view} {
    ::tactus::need player/checks
    ::tactus::player::checks::run $view
}

proc ::tactus::player::commands::compareWith {view} {
    ::tactus::need player/compare
    ::tactus::player::compare::openDialog $view
}

# Programs that are followed have another trace every moment.
proc ::tactus::player::commands::canCompare {view} {
    expr {![::tactus::player::live::is $view]}
}

proc ::tactus::player::commands::isComparing {view} {
    expr {[info commands ::tactus::player::compare::of] ne {} && [::tactus::player::compare::of $view] ne {}}
}

proc ::tactus::player::commands::align {kind view} {
    ::tactus::player::compare::align $kind $view
}

proc ::tactus::player::commands::alignAxis {view} {
    [::tactus::player::compare::of $view] axisAbove [expr {![isAxisAbove $view]}]
}

proc ::tactus::player::commands::isAxisAbove {view} {
    expr {[isComparing $view] && [[::tactus::player::compare::of $view] axisAbove]}
}

proc ::tactus::player::commands::compareReload {view} {
    ::tactus::player::compare::reload $view
}

proc ::tactus::player::commands::compareEnd {view} {
    ::tactus::player::compare::end $view
}

# Shows the panel of models, and calls a method of it; a panel that is shown for the first time is made at idle time.
proc ::tactus::player::commands::models {method view {attempts 20}} {
    if {![::tactus::player::alive $view] || [$view trace] eq {}} return
    $view showPanel models
    set panel [$view option modelsPanel]
    if {$panel ne {} && [info object isa object $panel]} {return [$panel $method]}
    if {$attempts} {after 20 [list ::tactus::player::commands::models $method $view [incr attempts -1]]}
}

proc ::tactus::player::commands::showPanel {name view} {
    if {[::tactus::player::alive $view]} {$view showPanel $name}
}

proc ::tactus::player::commands::palette {view} {
    ::tactus::need player/palette
    ::tactus::player::palette::open $view
}

proc ::tactus::player::commands::keySheet {view} {
    ::tactus::need player/palette
    ::tactus::player::palette::keySheet $view
}

proc ::tactus::player::commands::preferences {view} {
    ::tactus::need player/palette
    ::tactus::player::palette::preferences $view
}

proc ::tactus::player::commands::ask {view title text initial prefix} {
    ::tactus::need player/palette
    ::tactus::player::palette::ask $view $title $text $initial $prefix
}

proc ::tactus::player::commands::about {view} {
    ::tactus::need player/palette
    ::tactus::player::palette::about $view
}

# Shows the panel with the entries that the status line counts: findings of missed deadlines, diagnostics, or findings
# when there are none.
proc ::tactus::player::commands::showWrong {view} {
    if {[$view trace] eq {}} return
    set info [$view info]
    set wrong [expr {[dict get $info errors] + [dict get $info warnings] + [dict get $info notes]}]
    set n 0
    catch {set n [llength [[$view trace] finding list]]}
    set missed [[$view trace] density 1 -of misses]
    $view showPanel [expr {$missed || (!$wrong && $n) ? "findings" : "diagnostics"}]
}
