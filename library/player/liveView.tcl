# player/liveView.tcl -- class Live: a view that follows programs while they run.
#
#   what sensors wrote last ($recorder write FILE) -> $trace reload -> the view's end goes to the new end
#
# What is opened at each turn is what the view shows and a margin, so a turn costs what is seen, and the memory is that
# of what the recorder holds (tactus::recorder) and of what is seen; nothing is kept between two turns but the range,
# the rows and the settings of the view. Turns are `every` milliseconds apart, further where one costs much: those of
# all such views take at most 60 % of a processor, and what is seen is later then.
#
#   following   turns are made
#   paused      nothing changes; what was held at that moment is in the file, and is opened when the user goes back
#               further than what was opened before
#
# The view is paused by the user's key, by going somewhere else, and by showing a bar or an event: numbers of jobs and
# events are those of one opening. Zooming only changes how much is seen.
#
# An opening handles events (opening.tcl), and so does a check. Therefore:
#
#   1. After each of them it is asked whether the Live is still there, and still follows.
#   2. The file is written only while nothing is being opened: what pauses during an opening lets the turn write it.
#
# Checks (-check) judge what was opened, each second; a finding is told once. Those in front of what the check before
# has seen already are its own.

::tactus::need times visible player/text player/units player/checks

oo::class create ::tactus::player::Live {
    variable View Recorder File
    variable Width              ;# seconds that are seen while it follows
    variable Paused             ;# is it paused?
    variable Held               ;# paused: is all that was held in the file?
    variable Whole              ;# paused: is all that was held opened?
    variable Shown              ;# the range that was set last
    variable Taken              ;# elements that had come when it was opened last
    variable Timer
    variable Told Counted       ;# when the panels were told last, in milliseconds; elements that had come by then
    variable Problem            ;# why the recording of -output cannot be written, as it was told; {}: it can
    variable Checks             ;# names
    variable Findings           ;# told ones, but for those long ago: dict of {check objects sentence} -> findings
    variable Checked            ;# when they ran last, in milliseconds
    variable Found              ;# findings that were told
    variable Unlisted           ;# has a check found more than it lists?

    constructor {view recorder file args} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set args [dict merge {-width 1 -check {}} $args]
        lassign [list $view $recorder $file] View Recorder File
        set Width [dict get $args -width]
        set Checks [dict get $args -check]
        lassign {0 0 0 -1 0 0 0 0 0} Paused Held Whole Taken Told Counted Checked Found Unlisted
        lassign {} Shown Timer Findings Problem
        bind [$View top] <Destroy> +[list ::tactus::player::live::heard destroy $View]
        my Later 200
    }

    destructor {
        after cancel $Timer
        live::forget $View
        catch {$Recorder close}
        catch {file delete -- $File}
    }

    method paused {} {return $Paused}
    method recorder {} {return $Recorder}

    # The first opening; all others are made by `Reload`.
    method hearTraceOpened {} {
        if {[$View file] ne $File} {return [my destroy]}
        my Later 0
    }

    method hearTraceClosed {args} {my destroy}

    # ---- following ---------------------------------------------------------------------------------------------------

    method Later {milliseconds} {
        after cancel $Timer
        set Timer [after [expr {int($milliseconds)}] [namespace code {my Turn}]]
    }

    # Opens what has come, unless there is nothing, or the user is in the middle of something.
    method Turn {} {
        set Timer {}
        if {$Paused} return
        if {[$View trace] eq {}} {
            # The first opening: goes on, has failed (and may be tried again), or was cancelled.
            if {[$View state] eq "empty"} {my destroy} else {my Later 200}
            return
        }
        if {[my IsBusy]} {return [my Later 20]}
        my FollowUser
        if {$Paused} return
        set begun [clock milliseconds]
        set count [$Recorder counts]
        set me [self]
        set span [my Span]
        if {[dict get $count taken] != $Taken} {
            set done [my Renew $span]
            if {![alive $me]} return
            # What the user did meanwhile: stopped the picture, which then shows what was opened; or went elsewhere.
            if {$Paused && $done && [[$View timeline] view] eq $Shown} {
                my Advance $count
            } elseif {!$Paused} {
                my FollowUser
            }
            if {$Paused} {return [my Hold]}
            if {!$done} {return [my Later 20]}
            set Taken [dict get $count taken]
        }
        my Advance $count
        my Say $count $begun
        update idletasks
        if {![alive $me] || $Paused} return
        my Judge [expr {[dict get $count now] - $span}] $span
        if {![alive $me] || $Paused} return
        set work [expr {[clock milliseconds] - $begun}]
        my Later [expr {max($::tactus::player::live::every - $work, $work * [live::following] * 2 / 3, 1)}]
    }

    # Is something in the middle of reading a trace, or of a gesture?
    method IsBusy {} {
        expr {$::tactus::player::opening::current ne {} || [::tactus::timeline::busy]
            || [$View option checked] eq "running"}
    }

    # Seconds that are opened: what is seen, and what the checks have not seen yet.
    method Span {} {
        set span [expr {1.05 * $Width + 0.1}]
        if {[llength $Checks]} {
            set span [expr {max($span, 0.5 + ([clock milliseconds] - $Checked) / 1000. * ($Checked > 0))}]
        }
        return $span
    }

    # What the user has done since the last turn: zoomed, which changes what is seen; or gone elsewhere.
    method FollowUser {} {
        set w [$View timeline]
        set now [$w view]
        if {$Shown eq {} || $now eq $Shown} return
        lassign $now from to
        if {[history::kind $w] in {zoom wheel} || [::tactus::times::compare $to [lindex $Shown 1]] >= 0} {
            set Width [::tactus::times::subtract $to $from]
        } else {
            my pause
        }
    }

    # Opens the last seconds in the place of what there was. 1: done.
    method Renew {seconds} {
        try {
            $Recorder write $File -last $seconds
        } on error message {
            my Fail "What programs wrote cannot be read: $message"
            return 0
        }
        my Reload
    }

    # Stops following for a reason, which is told.
    method Fail {text} {
        $View bar error $text -name live
        set Paused 1
    }

    # Brings the end of the view to now.
    method Advance {count} {
        set w [$View timeline]
        set now [dict get $count now]
        $w configure -reach [list [expr {$now - max($Width, [dict get $count heldSeconds])}] $now]
        $w view [::tactus::times::subtract $now $Width] $now
        set Shown [$w view]
    }

    # Reads the file again, while the window lives on. 1: done; 0: the view is gone, or it was stopped.
    method Reload {} {
        set me [self]
        set ::tactus::player::opening::cancelled 0
        set ::tactus::player::opening::begun [clock milliseconds]
        set ::tactus::player::opening::current $View
        try {
            {*}[opening::reader $View] -always 1 -progress [list ::tactus::player::opening::readingOn $View]
        } trap {TACTUS CANCELLED} {} {
            return 0
        } trap {TACTUS TRACE BUSY} {} {
            return 0
        } on error message {
            if {[alive $me]} {my Fail "What programs wrote cannot be opened: $message"}
            return 0
        } finally {
            set ::tactus::player::opening::current {}
            set ::tactus::player::opening::cancelled 0
            opening::schedule
        }
        alive $me
    }

    # Tells the panels and the status line, now and then.
    method Say {count now {always 0}} {
        if {!$always && $now - $Told < $::tactus::player::live::tellEvery} return
        set taken [dict get $count taken]
        set rate [expr {$Told && $now > $Told ? round(1000. * ($taken - $Counted) / ($now - $Told)) : 0}]
        lassign [list $now $taken] Told Counted
        set text [expr {$Paused ? "paused" : "live: $rate events/s"}]
        set lost [expr {[dict get $count lost] + [dict get $count kernelLost]}]
        if {$lost} {append text ", $lost lost"}
        if {!$Paused} {my Reloaded}
        tell LiveChanged $View $text
        foreach remark [$Recorder remarks] {$View message $remark}
        if {[dict get $count problem] eq $Problem} return
        set Problem [dict get $count problem]
        $View bar error "The recording cannot be written: $Problem. What comes is seen all the same." -name output
    }

    # Lets all parts of the view know; the findings that were told go into what was opened.
    method Reloaded {} {
        set first [lindex [[$View timeline] span] 0]
        foreach finding [concat {*}[dict values $Findings]] {
            if {[dict get $finding time] < $first} continue
            catch {[$View trace] finding add $finding}
        }
        $View reloaded
    }

    # ---- paused ------------------------------------------------------------------------------------------------------

    # Stops following. An opening that goes on is let go, and the turn that made it ends with `Hold`.
    method pause {} {
        if {$Paused} return
        after cancel $Timer
        lassign {1 0 0} Paused Held Whole
        if {$::tactus::player::opening::current eq $View} return
        my Hold
    }

    # Keeps what is held at this moment in the file.
    method Hold {} {
        if {!$Paused || $Held} return
        try {
            $Recorder write $File
            set Held 1
        } on error message {
            $View bar error "What is held cannot be kept: $message" -name live
        }
        my Reloaded
        my Say [$Recorder counts] [clock milliseconds] 1
    }

    method goOn {} {
        if {!$Paused} return
        # An opening of all that is held is not wanted any more.
        if {$::tactus::player::opening::current eq $View} {set ::tactus::player::opening::cancelled 1}
        lassign {0 0 0 -1} Paused Held Whole Taken
        set Shown {}
        $View closeBar live
        $View show {}
        my Later 0
    }

    # The user has gone somewhere: to the end by the key for that, or back further than what is opened.
    method moved {} {
        if {!$Paused || [$View trace] eq {}} return
        set w [$View timeline]
        if {[history::kind $w] eq "end"} {return [my goOn]}
        if {$Whole || !$Held || [::tactus::times::compare [lindex [$w view] 0] [lindex [$w span] 0]] > 0} return
        my OpenWhole
        if {[history::kind $w] eq "begin"} {$w view begin}
    }

    # Opens all that was held when it was paused.
    method OpenWhole {} {
        if {$::tactus::player::opening::current ne {}} return
        set Whole 1
        set me [self]
        $View show {}
        if {![my Reload]} {
            if {[alive $me]} {set Whole 0}
            return
        }
        my Reloaded
    }

    # A bar or an event is looked at: it is one of this opening.
    method hearShown {item} {
        if {$item ne {}} {my pause}
    }

    # ---- keeping -----------------------------------------------------------------------------------------------------

    # Writes what is held, or was when it was paused, into a file. While it follows, the view's own may be being read.
    method keep {path} {
        set held $File
        try {
            if {!$Held} {$Recorder write [set held [live::newFile]]}
            my Copy $held $path
        } on error message {
            return [$View bar error "The recording cannot be kept: $message" -name keep]
        } finally {
            if {$held ne $File} {catch {file delete -- $held}}
        }
        $View closeBar keep
        $View message "Kept: $path"
    }

    method Copy {from path} {
        set channel [::open $from rb]
        try {
            ::tactus::save $path to {
                fconfigure $to -translation binary
                chan copy $channel $to
            }
        } finally {
            close $channel
        }
    }

    # ---- checks ------------------------------------------------------------------------------------------------------

    # Runs the checks over what is opened, `span` seconds from `begin` on, and tells what is new.
    method Judge {begin span} {
        set now [clock milliseconds]
        if {![llength $Checks] || $now - $Checked < $::tactus::player::live::checkEvery} return
        set me [self]
        set trace [$View trace]
        $View option checked running
        try {
            ::tactus::check::run $trace -with $Checks -progress [list ::tactus::player::checks::progress $View $trace]
        } on error message {
            if {![alive $me]} return
            set Checked $now
            return [$View bar error "The checks have failed: $message" -name live]
        } finally {
            if {[alive $me]} {$View option checked {}}
        }
        if {![alive $me]} return
        # What lies at the beginning may be cut; but for the first time it was seen whole before (`Span`).
        set from [expr {$Checked ? $begin + min(0.1 * $span, 0.4) : $begin}]
        set Checked $now
        set new [lmap finding [$trace finding list] {if {![my IsNew $finding $from]} continue; set finding}]
        my ForgetBefore $begin
        incr Found [llength $new]
        set Unlisted [expr {$Unlisted || [::tactus::check::unlisted]}]
        my Print $new
        if {[llength $new]} {my TellFindings [lindex $new end]}
        tell FindingsChanged $View
    }

    # Is it a violation that was not told, at this time or later? Remembers it. Its time may differ by some nanoseconds
    # in the next opening, when more is known of the clocks, and so may values in the sentence.
    method IsNew {finding from} {
        dict with finding {}
        if {$verdict ne "invalid" || $severity eq "note" || $time eq {} || $time < $from} {return 0}
        regsub -all {\.\d+} $sentence {} about
        set key [list $check $objects $about]
        if {[dict exists $Findings $key]} {
            foreach told [dict get $Findings $key] {
                if {abs([dict get $told time] - $time) < 1e-5} {return 0}
            }
        }
        dict lappend Findings $key $finding
        return 1
    }

    method ForgetBefore {time} {
        dict for {key told} $Findings {
            set told [lmap finding $told {if {[dict get $finding time] < $time} continue; set finding}]
            if {[llength $told]} {dict set Findings $key $told} else {dict unset Findings $key}
        }
    }

    # Prints findings, as long as there is somebody who reads.
    method Print {findings} {
        foreach finding $findings {
            set text "[dict get $finding time]: [dict get $finding severity]: [dict get $finding sentence]"
            if {[catch {puts [::tactus::visible::line $text]}]} return
        }
        if {[llength $findings]} {catch {flush stdout}}
    }

    method TellFindings {last} {
        set more [expr {$Unlisted ? ", and more: $::tactus::check::most of a check are listed each second" : ""}]
        set text "[text::counted $Found finding] so far$more; the last one:\
            [units::said $View [dict get $last sentence]]"
        if {[$View changeBar findings $text]} return
        $View bar error $text -name findings -buttons [list "Pause and Show" [namespace code {my ShowFindings}]]
    }

    method ShowFindings {} {
        my pause
        $View showPanel findings
    }
}

# Tells the Live of a view what the view tells.
proc ::tactus::player::live::heard {method view args} {
    set live [of $view]
    if {$live ne {}} {$live $method {*}$args}
}

foreach event {TraceOpened TraceClosed Shown} {
    ::tactus::player::listen $event [list ::tactus::player::live::heard hear$event]
}
