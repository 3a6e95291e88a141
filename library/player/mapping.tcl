# player/mapping.tcl -- the mapping (tactus_map(5)) with which a view's trace is opened: the threads of a kernel trace
# that are tasks.
#
#   $view option mapping    {}: as the program was started (--map), or as the trace was left; none; auto; file PATH
#        -> options of tactus::open -> opened anew, with the view as it was
#
# Without a mapping each thread is a task, and no task has a deadline: the analysis of a Linux system begins with the
# choice of the threads that matter. So a bar explains that, once for a trace, and offers a guess, which can be saved
# and edited. A guess is made once an opening, and its text is kept: reading on does not change the set of tasks.

namespace eval ::tactus::player::mapping {}

# The mapping of the view's trace: none, auto or {file PATH}.
proc ::tactus::player::mapping::of {view} {
    set chosen [$view option mapping]
    if {$chosen ne {}} {return $chosen}
    set given [::tactus::player::option -map {}]
    switch -- $given {
        {} {return none}
        auto {return auto}
        default {return [list file [file normalize $given]]}
    }
}

# Options of tactus::open for the mapping: -map, as on the command line.
proc ::tactus::player::mapping::options {view} {
    set mapping [of $view]
    switch -- [lindex $mapping 0] {
        none {return}
        auto {return {-map auto}}
        file {return [list -map [lindex $mapping 1]]}
    }
}

# The same before the file is read, with a guess as a text. Where no mapping is given, that of the last session counts.
proc ::tactus::player::mapping::begin {view file} {
    if {[$view option mapping] eq {} && [::tactus::player::option -map {}] eq {}} {
        $view option mapping [remembered $view $file]
    }
    $view option guess {}
    if {[of $view] ne "auto" || $file eq "-"} {return [options $view]}
    set text [::tactus::guessMap $file {*}[formatOption] -progress [list ::tactus::player::opening::progress $view]]
    $view option guess $text
    if {$text eq {}} return
    list -maptext $text
}

proc ::tactus::player::mapping::formatOption {} {
    set format [::tactus::player::option -format {}]
    if {$format eq {}} return
    list -format $format
}

# The mapping of the last session; {} where its file no longer exists, so that the trace can be opened.
proc ::tactus::player::mapping::remembered {view file} {
    if {![::tactus::player::session::isWanted $view]} return
    set session [::tactus::player::session::load $file]
    if {![dict exists $session mapping]} return
    set mapping [dict get $session mapping]
    if {[catch {lindex $mapping 0} kind] || $kind ni {none auto file}} return
    if {$kind eq "file" && ![file readable [lindex $mapping 1]]} return
    return $mapping
}

proc ::tactus::player::mapping::isKernel {view} {
    expr {[$view trace] ne {} && [dict get [$view info] kernel]}
}

proc ::tactus::player::mapping::is {kind view} {
    expr {[isKernel $view] && [lindex [of $view] 0] eq $kind}
}

# Is it a log in rows and columns whose mapping was guessed (tactus_log(5))?
proc ::tactus::player::mapping::isGuessedLog {view} {
    if {[$view trace] eq {}} {return 0}
    foreach remark [[$view trace] diagnostics] {
        if {[string match "no mapping was given:*" [dict get $remark text]]} {return 1}
    }
    return 0
}

# ---- choosing --------------------------------------------------------------------------------------------------------

# Opens the trace again with another mapping. Hidden and moved rows, and the range seen, stay.
proc ::tactus::player::mapping::choose {mapping view} {
    $view option mapping $mapping
    ::tactus::player::opening::reload $view
}

proc ::tactus::player::mapping::fromFile {view} {
    set dir [file dirname [$view file]]
    set file [tk_getOpenFile -parent [$view window] -title "Open a Mapping" -initialdir $dir \
        -filetypes {{Mappings {.map .tcl}} {{All files} *}}]
    if {$file ne {}} {choose [list file [file normalize $file]] $view}
}

# The text of the guess; made now when the view is not opened with one.
proc ::tactus::player::mapping::guess {view} {
    set text [$view option guess]
    if {$text eq {}} {
        set text [::tactus::guessMap [$view file] {*}[formatOption] \
            -progress [list ::tactus::player::mapping::guessing $view [$view trace]]]
    }
    return $text
}

# Handles the window's events during a guess; one of them may close the trace.
proc ::tactus::player::mapping::guessing {view trace state} {
    if {[dict get $state total]} {
        $view message "guessing a mapping: [expr {100 * [dict get $state done] / [dict get $state total]}] %"
    }
    update
    if {![::tactus::player::alive $view] || [$view trace] ne $trace} {return -code break}
    return
}

proc ::tactus::player::mapping::saveGuess {view} {
    set name [file rootname [file tail [$view file]]].map
    set file [tk_getSaveFile -parent [$view window] -title "Save the Guessed Mapping" \
        -initialdir [file dirname [$view file]] \
        -initialfile $name -filetypes {{Mappings {.map .tcl}} {{All files} *}}]
    if {$file ne {}} {saveGuessTo $file $view}
}

# Saves the guess and makes the file the view's mapping: changes of the file count at the next Reload.
proc ::tactus::player::mapping::saveGuessTo {file view} {
    try {
        set text [guess $view]
        ::tactus::save [file normalize $file] channel {puts -nonewline $channel $text}
    } trap {TACTUS CANCELLED} {} {
        return
    } on error message {
        $view bar error "The mapping cannot be written: $message" -name mapping
        return
    }
    choose [list file [file normalize $file]] $view
    $view message "written: $file; edit it, then Reload (F5)"
}

# ---- saying ----------------------------------------------------------------------------------------------------------

# Shows the bar after the trace was opened. The second line of a guess has the number of threads that are tasks.
proc ::tactus::player::mapping::say {view} {
    $view closeBar mapping
    set here ::tactus::player::mapping
    if {[isGuessedLog $view] && [$view file] ne "-"} {
        $view bar note "A log in rows and columns: what its columns and words mean is guessed. A mapping says it." \
            -name mapping -buttons [list "Save the Guess to Edit\u2026" [list ${here}::saveGuess $view] \
                "Mapping File\u2026" [list ${here}::fromFile $view]]
    }
    if {![isKernel $view]} return
    if {[of $view] eq "auto"} {
        set text "The tasks are guessed."
        if {[regexp {\n# (\d+ of \d+ threads are tasks)} [$view option guess] -> found]} {
            set text "The tasks are guessed: $found."
        }
        $view bar note $text -name mapping -buttons [list "Save to Edit\u2026" [list ${here}::saveGuess $view] \
            "No Mapping" [list ${here}::choose none $view]]
    } elseif {[of $view] eq "none" && [$view option mapping] eq {} && [$view file] ne "-"} {
        $view bar note \
            "A kernel trace: each thread is a task, each wake-up releases a job. A mapping says which threads matter,\
            and their deadlines." \
            -name mapping -buttons [list "Guess It" [list ${here}::choose auto $view] "Mapping File\u2026" \
                [list ${here}::fromFile $view]]
    }
}
