# player/opening.tcl -- opening a file in a view: queue, progress, cancelling, failing, following a file that grows.
#
# tactus::open returns when the trace is there, and calls `progress` at least every 50 ms, which shows the progress and
# handles events, so that all windows live on. All that happens meanwhile (another file is opened, the tab, the window
# or the program is closed) happens inside that call. Therefore:
#
#   1. One trace is opened at a time; others wait in `queue`. An opening within an opening would have to end first.
#   2. After a callback no procedure uses a view without asking `alive` again.
#   3. To cancel is to set `cancelled`: the next callback breaks, tactus::open fails with CANCELLED, and cleans up.
#
# An owner in the queue that is no view opens by itself, when its turn comes: its method `openNow` is called, and
# calls `mayGoOn` in its progress (player/compareBeside.tcl).
#
# The progress is shown on a page over the view; it does not appear for traces that are opened at once.

namespace eval ::tactus::player::opening {
    variable queue {}           ;# list of {view file follow}, or {owner}
    variable current {}         ;# the view whose trace is being opened
    variable cancelled 0        ;# is that opening to be cancelled?
    variable timer {}
    variable begun 0            ;# its beginning in milliseconds
    variable pollEvery 500      ;# milliseconds between two looks at a file that is followed
    variable lookEvery 3000     ;# the same for other files
}

# ---- the queue -------------------------------------------------------------------------------------------------------

proc ::tactus::player::opening::queue {view file follow} {
    variable queue
    if {$file ne "-"} {set file [file normalize $file]}
    cancel $view
    $view closeTrace
    if {[$view file] ne $file} {$view option mapping {}}
    $view setFile $file
    $view state waiting
    removePage $view
    foreach bar [$view bars] {$view closeBar $bar}
    lappend queue [list $view $file $follow]
    $view option follow [string is true -strict $follow]
    schedule
}

# Has an owner that is no view open something when its turn comes.
proc ::tactus::player::opening::queueOwner {owner} {
    variable queue
    cancel $owner
    lappend queue [list $owner]
    schedule
}

# Is this owner of the queue a view?
proc ::tactus::player::opening::isView {owner} {
    info object isa typeof $owner ::tactus::player::View
}

# Begins with the next one at idle time.
proc ::tactus::player::opening::schedule {} {
    variable timer
    variable queue
    variable current
    if {$timer ne {} || $current ne {} || ![llength $queue]} return
    set timer [after 0 ::tactus::player::opening::next]
}

# Opens the first of the queue, then the next.
proc ::tactus::player::opening::next {} {
    variable timer {}
    variable queue
    variable current
    variable cancelled 0
    variable begun [clock milliseconds]
    set queue [lassign $queue first]
    lassign $first view file follow
    foreach row $queue {
        if {[llength $row] == 3} {waitPage {*}$row}
    }
    if {[::tactus::player::alive $view]} {
        set current $view
        try {
            if {[isView $view]} {openOne $view $file $follow} else {$view openNow}
        } finally {
            set current {}
            set cancelled 0
            schedule
        }
    } else {
        schedule
    }
}

proc ::tactus::player::opening::cancel {view} {
    variable queue
    variable current
    variable cancelled
    set queue [lsearch -all -inline -exact -not -index 0 $queue $view]
    if {$current eq $view} {set cancelled 1}
}

proc ::tactus::player::opening::cancelAll {} {
    variable queue {}
    variable cancelled 1
}

# Cancels an opening for the user: the view goes back to the page of an empty window.
proc ::tactus::player::opening::stop {view} {
    variable current
    cancel $view
    if {$current ne $view && [::tactus::player::alive $view]} {back $view}
}

proc ::tactus::player::opening::back {view} {
    $view setFile {}
    $view state empty
    welcome $view
}

# ---- opening one -----------------------------------------------------------------------------------------------------

# Opens a file in a view, which gets the trace, or a page with the error; a cancelled opening leaves the view as it was.
proc ::tactus::player::opening::openOne {view file follow} {
    $view state opening
    try {
        checkFile $file
        set session [::tactus::player::session::of $view]
        set trace [{*}[opener $view $file] -progress [list ::tactus::player::opening::progress $view] \
            {*}[coreOptions $view $file $follow $session]]
    } trap {TACTUS CANCELLED} {} {
        if {[::tactus::player::alive $view] && [$view file] eq $file} {back $view}
        return
    } on error {message options} {
        if {![::tactus::player::alive $view]} return
        if {[lindex [dict get $options -errorcode] 0] ni {TACTUS POSIX}} {
            catch {puts stderr [dict get $options -errorinfo]}
        }
        failed $view $file $message
        return
    }
    if {![::tactus::player::alive $view]} {
        $trace close
        return
    }
    finish $view $file $trace $session
}

# The command that opens the file: that of the plugins where they are loaded, for their formats and handlers.
proc ::tactus::player::opening::opener {view file} {
    if {[info commands ::tactus::plugin::open] eq {}} {return [list ::tactus::open $file]}
    list ::tactus::plugin::open $file -view $view
}

# Fails for files with errors that have a clearer message here than in the core.
proc ::tactus::player::opening::checkFile {file} {
    if {$file eq "-" || ![file isdirectory $file]} return
    return -code error -errorcode [list TACTUS FILE $file] "this is a directory; a trace is a file"
}

# Options of tactus::open: those that the program was started with, those that the window adds, and the mapping.
proc ::tactus::player::opening::coreOptions {view file follow session} {
    variable known
    if {![info exists known]} {set known [lmap row [::tactus::describe open] {dict get $row name}]}
    # The cursor can stand between two ticks of the trace, where these are coarse.
    set options [dict merge {-decimals 3} [dict remove [::tactus::player::openOptions] -map] \
        [::tactus::player::mapping::begin $view $file $session]]
    if {"-follow" in $known && $follow} {dict set options -follow yes}
    set options [dict merge $options [::tactus::trustOf $file $options]]
    # Events that models have asked for (panel/models.tcl).
    if {[llength [$view option keep]]} {dict lappend options -keep {*}[$view option keep]}
    return $options
}

proc ::tactus::player::opening::finish {view file trace session} {
    removePage $view
    $view setTrace $trace
    ::tactus::player::session::restore $view $session
    restoreComparison $view
    if {$file ne "-" && ![::tactus::player::live::is $view]} {::tactus::player::session::addRecent $file}
    sayErrors $view
    if {![::tactus::player::live::is $view]} {
        ::tactus::player::mapping::say $view
        ::tactus::player::outlier::say $view
    }
    if {[$view owner] ne {}} {[$view owner] focusOn $view}
    watch $view
}

# Opens the trace that the view is to be compared with, as the session or the program's options say.
proc ::tactus::player::opening::restoreComparison {view} {
    if {[$view option compareWith] eq {} && [::tactus::player::option -compare {}] eq {}} return
    ::tactus::need player/compare
    ::tactus::player::compare::restore $view
}

# Shows a bar when the trace has errors, with a button that leads to the diagnostics.
proc ::tactus::player::opening::sayErrors {view} {
    set errors [dict get [$view info] errors]
    if {!$errors} {
        $view closeBar errors
        # A picture without events would look like an error of the player; but programs that are followed may be silent.
        if {[dict get [$view info] events] || [::tactus::player::live::is $view]} {
            $view closeBar empty
        } else {
            $view bar note "This trace has no events." -name empty
        }
        return
    }
    set first {}
    foreach remark [[$view trace] diagnostics] {
        if {[dict get $remark severity] ne "error"} continue
        set first [dict get $remark text]
        if {[dict get $remark line]} {set first "line [dict get $remark line]: $first"}
        break
    }
    $view bar error "This trace has [::tactus::player::text::counted $errors error]; what could be read is shown.\
        $first" -name errors \
        -buttons [list "Show diagnostics" [list $view showPanel diagnostics] \
            {*}[expr {[::tactus::player::mapping::isUnknown $view]
                ? [list "Import as a Log\u2026" [list ::tactus::player::mapping::importThis $view]] : {}}]]
}

# ---- progress --------------------------------------------------------------------------------------------------------

# Called within tactus::open: shows the progress, handles events, and breaks when the opening was cancelled meanwhile.
proc ::tactus::player::opening::progress {view state args} {
    variable begun
    if {![llength $args] && [::tactus::player::alive $view] && [clock milliseconds] - $begun > 120} {
        showProgress $view $state
    }
    if {![mayGoOn $view]} {return -code break}
    return
}

# Handles events; 0 when the opening was cancelled meanwhile.
proc ::tactus::player::opening::mayGoOn {owner} {
    variable cancelled
    update
    expr {!$cancelled && [::tactus::player::alive $owner]}
}

proc ::tactus::player::opening::showProgress {view state} {
    set page [page $view opening]
    if {![winfo exists $page.bar]} {buildProgress $view $page}
    set state [dict merge {phase reading done 0 total 0 events 0 tasks 0 errors 0 lines 0} $state]
    dict with state {
        $page.bar configure -mode [expr {$total > 0 ? "determinate" : "indeterminate"}] -maximum [expr {max(1, $total)}]
        if {$total > 0} {$page.bar configure -value $done} else {$page.bar step 3}
        $page.phase configure -text [expr {$phase eq "reading" && !$done && [isSpecial [$view file]]
            ? "waiting: this is a pipe or a device from which nothing comes yet" : [phaseText $phase $done $total]}]
        $page.facts configure \
            -text [join [list [counted $events event] [counted $tasks task] [counted $errors error]] "   "]
    }
}

proc ::tactus::player::opening::isSpecial {file} {
    expr {$file ni {{} -} && [file exists $file] && ![file isfile $file]}
}

proc ::tactus::player::opening::counted {n word} {
    ::tactus::player::text::counted $n $word
}

proc ::tactus::player::opening::phaseText {phase done total} {
    if {$phase eq "reading"} {
        set text "reading: [megabytes $done]"
        if {$total > 0} {append text " of [megabytes $total]"}
        return $text
    }
    set text [dict get [dict merge [list $phase $phase] {
        guessing {guessing which threads are tasks} clocks {bringing the clocks together}
        sorting {sorting by time} states {following the states} summaries {summing up}
    }] $phase]
    if {$total > 0} {append text ": [expr {100 * $done / $total}] %"}
    return $text
}

proc ::tactus::player::opening::megabytes {bytes} {
    ::tactus::format "%.1f MB" [expr {$bytes / 1e6}]
}

# ---- pages -----------------------------------------------------------------------------------------------------------

# Makes an empty page of a kind over a view, in place of any other page. Its content is centred.
proc ::tactus::player::opening::page {view kind} {
    set cover [$view top].page
    if {[winfo exists $cover] && [$view option page] eq $kind} {return $cover.in}
    removePage $view
    $view option page $kind
    ttk::frame $cover
    ttk::frame $cover.in -padding [::tactus::player::px 16]
    place $cover.in -relx 0.5 -rely 0.42 -anchor center
    place $cover -in [$view top].h -relwidth 1 -relheight 1
    raise $cover
    return $cover.in
}

proc ::tactus::player::opening::removePage {view} {
    destroy [$view top].page
    $view option page {}
}

proc ::tactus::player::opening::nameText {file} {
    ::tactus::player::text::source [if {$file eq "-"} {string cat "standard input"} else {file tail $file}] 60
}

proc ::tactus::player::opening::buildProgress {view page} {
    set px [::tactus::player::px 8]
    ttk::label $page.title -style Title.TLabel -text "Opening [nameText [$view file]]"
    ttk::progressbar $page.bar -length [::tactus::player::px 320]
    ttk::label $page.phase
    ttk::label $page.facts -style Muted.TLabel
    ttk::button $page.cancel -text Cancel -command [list ::tactus::player::opening::stop $view]
    pack $page.title $page.bar $page.phase $page.facts $page.cancel -pady [list 0 $px]
}

# Presses the button Cancel, while there is one; 1 when there was.
proc ::tactus::player::opening::escape {view} {
    set button [$view top].page.in.cancel
    if {![winfo exists $button]} {return 0}
    $button invoke
    return 1
}

proc ::tactus::player::opening::waitPage {view file follow} {
    if {![::tactus::player::alive $view]} return
    set page [page $view waiting]
    if {[winfo exists $page.title]} return
    ttk::label $page.title -style Title.TLabel -text "Waiting to open [nameText $file]"
    ttk::label $page.why -style Muted.TLabel -text "Another trace is being opened; they are opened one after the other."
    ttk::button $page.cancel -text Cancel -command [list ::tactus::player::opening::stop $view]
    pack $page.title $page.why $page.cancel -pady [list 0 [::tactus::player::px 8]]
}

# Shows the page of a file that cannot be opened: the error, and buttons.
proc ::tactus::player::opening::failed {view file message} {
    $view state failed
    set page [page $view failed]
    set px [::tactus::player::px 8]
    ttk::label $page.title -style Title.TLabel -text "[nameText $file] cannot be opened"
    ttk::label $page.why -text [::tactus::player::text::visible $message 600] -wraplength [::tactus::player::px 460] \
        -justify center
    ttk::label $page.file -style Muted.TLabel -text [::tactus::player::text::source $file 300] \
        -wraplength [::tactus::player::px 460] -justify center
    ttk::frame $page.buttons
    ttk::button $page.buttons.again -text "Try Again" \
        -command [list ::tactus::player::opening::queue $view $file [$view option follow]]
    ttk::button $page.buttons.other -text "Open Another\u2026" -command [list ::tactus::player::actions::run open $view]
    ttk::button $page.buttons.close -text Close -command [list ::tactus::player::opening::leaveFailed $view]
    if {[::tactus::player::mapping::of $view] ne "none"} {
        ttk::button $page.buttons.unmapped -text "Without Mapping" \
            -command [list ::tactus::player::mapping::choose none $view]
        pack $page.buttons.unmapped -side left -padx [expr {$px / 2}]
    }
    if {[file isfile $file]} {
        ttk::button $page.buttons.import -text "Import as a Log\u2026" \
            -command [list ::tactus::player::mapping::importThis $view]
        pack $page.buttons.import -side left -padx [expr {$px / 2}]
    }
    pack $page.buttons.again $page.buttons.other $page.buttons.close -side left -padx [expr {$px / 2}]
    pack $page.title $page.why $page.file $page.buttons -pady [list 0 $px]
    focus $page.buttons.other
}

# Closes the tab of a file that could not be opened; the last tab stays, empty.
proc ::tactus::player::opening::leaveFailed {view} {
    set window [$view owner]
    if {[llength [$window views]] > 1} {$window closeView $view} else {back $view}
}

# Shows the page of an empty window.
proc ::tactus::player::opening::welcome {view} {
    set page [page $view welcome]
    if {[winfo exists $page.title]} return
    set px [::tactus::player::px 8]
    ttk::label $page.title -style Title.TLabel -text Tactus
    ttk::label $page.what -style Muted.TLabel -text "plays traces of real-time systems"
    ttk::button $page.open -text "Open a Trace\u2026" -command [list ::tactus::player::actions::run open $view]
    pack $page.title $page.what
    pack $page.open -pady [list [expr {2 * $px}] $px]
    set recent [lrange [::tactus::player::session::recent] 0 7]
    if {[llength $recent]} {
        ttk::label $page.recent -style Muted.TLabel -text "or one of the last:"
        pack $page.recent -pady [list $px 2]
    }
    set n 0
    foreach file $recent {
        set link [ttk::button $page.r[incr n] -style Toolbutton \
            -text [::tactus::player::text::source [recentText $file] 80] \
            -command [list ::tactus::player::open $file -in $view]]
        pack $link
    }
    ttk::label $page.hint -style Muted.TLabel -text "? shows all keys"
    pack $page.hint -pady [list [expr {2 * $px}] 0]
    after idle [list ::tactus::player::opening::focusPage $page.open]
}

proc ::tactus::player::opening::focusPage {button} {
    if {[winfo exists $button] && [winfo ismapped $button]} {focus $button}
}

# A short form of a path: its last parts, home as ~.
proc ::tactus::player::opening::recentText {file} {
    if {[info exists ::env(HOME)] && $::env(HOME) ne {} && [string match $::env(HOME)/* $file]} {
        set file ~[string range $file [string length $::env(HOME)] end]
    }
    if {[string length $file] > 70} {set file \u2026[string range $file end-68 end]}
    return $file
}

# ---- files that change -----------------------------------------------------------------------------------------------

# Looks at the file in intervals; one that grows is read on when it is followed.
proc ::tactus::player::opening::watch {view} {
    if {[$view file] eq "-" || [::tactus::player::live::is $view]} return
    after cancel [$view option watch]
    $view option watch [after [pause $view] [list ::tactus::player::opening::look $view]]
}

# Milliseconds until the file is looked at again. A followed one is read as a whole, which takes at most half of the
# time.
proc ::tactus::player::opening::pause {view} {
    variable pollEvery
    variable lookEvery
    if {[$view option follow] ne "1"} {return $lookEvery}
    set took [$view option readingTook]
    expr {$took eq {} ? $pollEvery : max($pollEvery, $took)}
}

proc ::tactus::player::opening::look {view} {
    variable current
    if {![::tactus::player::alive $view] || [$view trace] eq {}} return
    # Nothing is read while another trace is being opened.
    if {$current eq {}} {
        set what none
        if {[catch {[$view trace] changed} what]} return
        changed $view $what
    }
    if {[::tactus::player::alive $view] && [$view trace] ne {}} {watch $view}
}

# Reports or follows a change of the file: none, grown, replaced (another file, or a shorter one), gone.
proc ::tactus::player::opening::changed {view what} {
    if {$what in {none 0 no {}}} return
    if {$what eq "gone"} {
        if {[$view option saidGone] ne "1"} {$view message "The file of this trace is gone"}
        $view option saidGone 1
        return
    }
    if {[$view option follow] eq "1"} {
        readOn $view $what
        return
    }
    if {[$view option saidChanged] eq [stamp [$view file]]} return
    $view option saidChanged [stamp [$view file]]
    set text [dict get [dict merge [list $what "The file of this trace has changed."] {
        replaced {The file of this trace was replaced by another.} grown {The file of this trace has grown.}
    }] $what]
    set buttons [list Reload [list ::tactus::player::opening::reload $view]]
    if {$what eq "grown"} {lappend buttons Follow [list ::tactus::player::opening::follow $view 1]}
    $view bar note $text -name changed -buttons $buttons
}

proc ::tactus::player::opening::stamp {file} {
    if {[catch {list [file mtime $file] [file size $file]} stamp]} {return gone}
    return $stamp
}

# As `progress`, but the trace stays in sight: the progress is shown in the status line where it takes long.
proc ::tactus::player::opening::readingOn {view state args} {
    variable begun
    if {[::tactus::player::alive $view] && [clock milliseconds] - $begun > 500} {
        $view message "Reading on \u2026 [counted [::tactus::player::text::valueOf $state events] event]"
    }
    if {![mayGoOn $view]} {return -code break}
    return
}

# Reads the rest of a file that grew, or the file that has taken its place, as of a log that is rotated. A view that
# showed the end shows the new end.
proc ::tactus::player::opening::readOn {view what} {
    variable current
    variable cancelled 0
    variable begun [clock milliseconds]
    set w [$view timeline]
    lassign [$w view] from to
    lassign [$w span] first last
    set atEnd [expr {[::tactus::times::compare $to $last] >= 0}]
    set everything [expr {$atEnd && [::tactus::times::compare $from $first] <= 0}]
    set current $view
    try {
        set news [{*}[reader $view] -progress [list ::tactus::player::opening::readingOn $view]]
    } on error message {
        if {[::tactus::player::alive $view]} {$view bar error "Reading on failed: $message" -name changed}
        return
    } finally {
        set current {}
        set cancelled 0
        schedule
    }
    if {![::tactus::player::alive $view]} return
    $view option readingTook [expr {[clock milliseconds] - $begun}]
    if {!$news} return
    $view closeBar changed
    $view option saidGone 0
    if {$what eq "replaced"} {$view message "The file was replaced by another, which is followed"}
    $view reloaded
    if {$everything} {
        $w view {*}[$w span]
    } elseif {$atEnd} {
        set end [lindex [$w span] 1]
        $w view [::tactus::times::subtract $end [::tactus::times::subtract $to $from]] $end
    }
    sayErrors $view
}

# The command that reads the file again: that of the plugins where they are loaded, since their handlers must see the
# whole trace.
proc ::tactus::player::opening::reader {view} {
    if {[info commands ::tactus::plugin::reload] eq {}} {return [list [$view trace] reload]}
    list ::tactus::plugin::reload [$view trace] -view $view
}

proc ::tactus::player::opening::follow {view on} {
    $view option follow $on
    $view closeBar changed
    if {$on} {look $view}
}

# Reads the whole file anew, with the same range and rows. A trace whose file no longer exists stays in sight.
proc ::tactus::player::opening::reload {view} {
    if {[$view file] in {{} -} || [::tactus::player::live::is $view]} return
    if {[$view trace] ne {} && ![file readable [$view file]]} {
        $view bar error "The file of this trace [expr {[file exists [$view file]] ? {cannot be read} : {is gone}}]." \
            -name changed
        return
    }
    ::tactus::player::session::leave $view
    queue $view [$view file] [$view option follow]
}
