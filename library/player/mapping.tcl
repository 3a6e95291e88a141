# player/mapping.tcl -- the mapping (tactus_map(5)) with which a view's trace is opened: the threads of a kernel trace
# that are tasks.
#
#   $view option mapping    {}: as the program was started (--map), or as the trace was left; none; auto;
#                           file PATH ?FORMAT?; text TEXT ?FORMAT?, as of the import dialog (player/importDialog.tcl)
#        -> options of tactus::open -> opened anew, with the view as it was
#
# Without a mapping each thread is a task, and no task has a deadline: the analysis of a Linux system begins with the
# choice of the threads that matter. So a bar explains that, once for a trace, and offers a guess, which can be saved
# and edited. A guess is made once an opening, and its text is kept: reading on does not change the set of tasks.

namespace eval ::tactus::player::mapping {}

# The mapping of the view's trace: none, auto, {file PATH ?FORMAT?} or {text TEXT ?FORMAT?}.
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

# Options of tactus::open for the mapping: -map, as on the command line, or its text.
proc ::tactus::player::mapping::options {view} {
    lassign [of $view] kind what format
    set format [expr {$format eq {} ? {} : [list -format $format]}]
    switch -- $kind {
        none {return}
        auto {return {-map auto}}
        file {return [list -map $what {*}$format]}
        text {return [list -maptext $what {*}$format]}
    }
}

# The same before the file is read, with a guess as a text. Where no mapping is given, that of the last session counts.
proc ::tactus::player::mapping::begin {view file session} {
    if {[$view option mapping] eq {} && [::tactus::player::option -map {}] eq {}} {
        $view option mapping [remembered $session]
    }
    $view option guess {}
    if {[of $view] ne "auto" || $file eq "-"} {return [options $view]}
    set text [::tactus::guessMap $file {*}[guessOptions $file] \
        -progress [list ::tactus::player::opening::progress $view]]
    $view option guess $text
    if {$text eq {}} return
    list -maptext $text
}

# The options of a guess.
proc ::tactus::player::mapping::guessOptions {file} {
    set format [::tactus::player::option -format {}]
    list {*}[if {$format ne {}} {list -format $format}] \
        {*}[::tactus::confinement $file [::tactus::player::openOptions]]
}

# The mapping of the last session; {} where its file no longer exists, so that the trace can be opened.
proc ::tactus::player::mapping::remembered {session} {
    if {![dict exists $session mapping]} return
    set mapping [dict get $session mapping]
    if {[catch {lindex $mapping 0} kind] || $kind ni {none auto file text}} return
    if {[lindex $mapping 2] ni {{} log}} return
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

# Is it a text that was not recognized: perhaps a log?
proc ::tactus::player::mapping::isUnknown {view} {
    if {[$view trace] eq {}} {return 0}
    expr {"FORMAT UNKNOWN" in [lmap remark [[$view trace] diagnostics] {dict get $remark kind}]}
}

# Can the import dialog show what the view has: a log, or a text that may be one?
proc ::tactus::player::mapping::isLog {view} {
    if {[$view file] eq {} || [::tactus::player::live::is $view]} {return 0}
    expr {[lindex [of $view] 2] eq "log" || [isGuessedLog $view] || [isUnknown $view]
        || (![isKernel $view] && [lindex [of $view] 0] eq "file")}
}

# ---- importing -------------------------------------------------------------------------------------------------------

# Asks for a log, and shows it in the import dialog.
proc ::tactus::player::mapping::importLog {view} {
    set dir [pwd]
    if {[::tactus::player::alive $view] && [$view file] ni {{} -}} {set dir [file dirname [$view file]]}
    set file [tk_getOpenFile -parent [::tactus::player::commands::parent $view] -title "Import a Log" -initialdir $dir \
        -filetypes {{Logs {.csv .tsv .txt .log .json .jsonl .ndjson .gz .xz .zst}} {{All files} *}}]
    if {$file ne {}} {import $file $view}
}

# Shows the log of the view in the import dialog, with the mapping that it has.
proc ::tactus::player::mapping::importThis {view} {
    set file [$view file]
    if {$file eq "-"} {set file [inputFile]}
    if {$file eq {}} {
        $view bar note "Standard input can be read only once: write it into a file, and import that (tactus map - and\
            --map do without the window)." -name mapping
        return
    }
    lassign [of $view] kind what
    set text [expr {$kind eq "text" ? $what : {}}]
    if {$kind eq "file"} {catch {set text [readText $what]}}
    import $file $view $text
}

# The text of a mapping to be edited.
proc ::tactus::player::mapping::readText {file} {
    set sample [::tactus::sample $file {*}[::tactus::confinement $file [::tactus::player::openOptions]]]
    if {![dict get $sample whole]} {
        return -code error -errorcode {TACTUS LIMIT MAPPING} "[file tail $file] is longer than 2000 lines or 256 KiB"
    }
    dict get $sample text
}

# The file that standard input is read from; {}: it is none.
proc ::tactus::player::mapping::inputFile {} {
    # A link is followed where something is asked behind it.
    set file [file dirname [file normalize /dev/stdin/x]]
    if {[file isfile $file]} {string cat $file} else {}
}

# The import dialog of a file; {} where it cannot be read, which is told.
proc ::tactus::player::mapping::import {file view {mapping {}}} {
    ::tactus::need player/importDialog
    if {![file isfile $file]} {
        tell $view "[file tail $file] is no file that can be read twice: only files can be imported."
        return
    }
    try {
        ::tactus::player::ImportDialog for $view $file $mapping
    } trap TACTUS message {
        tell $view "[file tail $file] cannot be imported: $message"
        return
    }
}

proc ::tactus::player::mapping::tell {view message} {
    if {[::tactus::player::alive $view]} {$view bar error $message -name mapping}
}

# Opens a file with a mapping: in the view that has it already, else in another one.
proc ::tactus::player::mapping::openWith {mapping file view} {
    if {[::tactus::player::alive $view] && [$view file] eq $file} {
        choose $mapping $view
    } else {
        set window [expr {[::tactus::player::alive $view] ? [$view owner] : [::tactus::player::Window current]}]
        if {![::tactus::player::alive $window]} {set window [::tactus::player::Window new {}]}
        set view [$window viewFor $file]
        $view setFile $file
        $view option mapping $mapping
        ::tactus::player::opening::queue $view $file 0
    }
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
        set text [::tactus::guessMap [$view file] {*}[guessOptions [$view file]] \
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
    if {[isGuessedLog $view]} {
        $view bar note "A log in rows and columns: what its columns and words mean is guessed. A mapping says it." \
            -name mapping -buttons [list "Import\u2026" [list ${here}::importThis $view] \
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
