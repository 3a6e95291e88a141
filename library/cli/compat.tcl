# cli/compat.tcl -- the program without a subcommand: the window, and the published player's command line, as its users'
# scripts and makefiles call it:
#
#   tactus TRACE ...                                                          the window
#   tactus --postscript FILE --legend bottom --legend_items LIST --settings FILE --ignore LIST --format NAME \
#       --plugins LIST --checkBudget exit --checkMutex exit --exit 1 TRACE    the figure that `tactus export` draws
#
# --checkBudget and --checkMutex run the checks of these names before anything is drawn or shown: `warning` prints their
# findings, `exit` ends the program when there are any, with status 100 for budgets, 200 for a mutex that is acquired
# while it is held, and 201 for any other misuse of a mutex. Options of the window and of plugins are taken as well.

::tactus::need cli/export

namespace eval ::tactus::cli::compat {
    namespace path ::tactus::cli
}

# ---- options ---------------------------------------------------------------------------------------------------------

# The published options: name, type, argument, words, help.
proc ::tactus::cli::compat::ownRows {} {
    set rows {}
    foreach {name type argument words help} {
        -postscript file FILE {} "the PostScript file to write, instead of opening the window"
        -legend word WHERE {none right bottom} "place of the legend (default none)"
        -legend_items names NAMES {} "which items it has"
        -settings file FILE {} "settings, one name and value a line"
        -ignore names NAMES {} "strings: objects (tasks, jobs ...) with one of them in their ids are hidden"
        -format text NAME {} "format of the trace"
        -plugins names NAMES {} "plugins to load besides those of the plugin directories: names or files"
        -exit flag 0|1 {} "0: the window opens after writing"
        -checkBudget word WHAT {no warning exit} "servers over their budgets: a warning, or the end with status 100"
        -checkMutex word WHAT {no warning exit} "misused mutexes: a warning, or the end with status 200 or 201"
    } {
        lappend rows [row $name [expr {$type eq "flag" ? "text" : $type}] $argument {} $help $words]
    }
    return $rows
}

# The options of the window. This reads its files, but does not load Tk.
proc ::tactus::cli::compat::windowRows {} {
    ::tactus::need window
    lmap row [::tactus::player::optionRows] {dict merge {words {} default {} argument {}} $row}
}

# Rows of all options, each name once.
proc ::tactus::cli::compat::rows {} {
    set rows {}
    foreach row [concat [ownRows] [windowRows] [openRows] [pluginRows] [helpRows]] {
        set name [dict get $row name]
        if {![dict exists $rows $name]} {dict set rows $name $row}
    }
    dict values $rows
}

# ---- running ---------------------------------------------------------------------------------------------------------

proc ::tactus::cli::compat::run {words} {
    set known [rows]
    lassign [parse {} $known $words] options files
    if {[dict exists $options -help]} {return [help]}
    checkFiles $words $files [dict exists $options -postscript]
    set format [option $options -format]
    if {$format ne {}} {
        warn "unknown format \"$format\": the file's content decides; known are [join [traceFormats] {, }]"
    }
    if {[llength $files] && [checked $files $options]} return
    if {[dict exists $options -postscript]} {
        set file [dict get $options -postscript]
        draw [lindex $files 0] $file [figure $options $file] [inherited $options]
        if {[option $options -exit 1]} return
    }
    window $files $options
}

proc ::tactus::cli::compat::checkFiles {words files draws} {
    if {$draws && [llength $files] != 1} {usageError {} "exactly one trace is needed"}
    foreach file $files {
        if {$file eq "-" || [file exists $file]} continue
        if {[llength $files] > 1 && $file eq [lindex $words 0]} {
            usageError {} "unknown subcommand \"$file\": must be [join [dict keys [commands]] {, }]"
        }
        usageError {} "\"$file\" is neither a subcommand nor a file"
    }
}

proc ::tactus::cli::compat::warn {text} {
    say "tactus: warning: $text"
}

# Options of opening among those given.
proc ::tactus::cli::compat::inherited {options} {
    dict create {*}[among $options [list {*}[openRows] {name -read}]]
}

# Options of the figure, from those of the published player.
proc ::tactus::cli::compat::figure {options file} {
    set figure [list -legend [option $options -legend none]]
    if {[dict exists $options -legend_items]} {lappend figure -legend-items [dict get $options -legend_items]}
    if {[dict exists $options -settings]} {
        lappend figure -settings [readSettings [dict get $options -settings]]
    }
    lappend figure -format [expr {[string tolower [file extension $file]] in {.eps .epsi .epsf} ? "eps" : "ps"}]
}

# ---- the window ------------------------------------------------------------------------------------------------------

# Opens the window, with the options that it or the opening of traces knows.
proc ::tactus::cli::compat::window {files options} {
    set given [list {*}[among $options [windowRows]] {*}[opening [kept $options]]]
    setStatus [::tactus::player::main $files {*}$given]
}

# The options with which recordings keep the events that files of expectations name. A mistake in a file is told when
# it is read to be judged.
proc ::tactus::cli::compat::kept {options} {
    foreach file [option $options -expect {}] {
        try {
            set options [keeping $options [::tactus::expectation read $file [expectSettings window $options] \
                {*}[scriptLimits $options]]]
        } on error {} {}
    }
    return $options
}

# ---- --checkBudget, --checkMutex -------------------------------------------------------------------------------------

# Runs the checks that are asked for; 1 when the program is to end, with its status set.
proc ::tactus::cli::compat::checked {files options} {
    set wanted {}
    foreach {option check} {-checkBudget budget -checkMutex mutex} {
        set what [option $options $option no]
        if {$what ne "no"} {dict set wanted $check $what}
    }
    if {![dict size $wanted]} {return 0}
    foreach file $files {
        set status [checkFile $file [inherited $options] $wanted]
        if {$status} {
            setStatus $status
            return 1
        }
    }
    return 0
}

# Runs the checks over a file: the status to end with; 0: the program goes on.
proc ::tactus::cli::compat::checkFile {file options wanted} {
    set trace [openTrace $file $options]
    ::tactus::check::run $trace -with [dict keys $wanted]
    set status 0
    foreach finding [$trace finding list] {
        dict with finding {}
        if {$verdict ne "invalid" || ![dict exists $wanted $check]} continue
        warn [visibleLine "$file:$line: $sentence"]
        if {$status || [dict get $wanted $check] ne "exit"} continue
        set status [expr {$check eq "budget" ? 100 : [string match "job * acquired mutex *" $sentence] ? 200 : 201}]
    }
    $trace close
    return $status
}
