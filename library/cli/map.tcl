# cli/map.tcl -- tactus map TRACE: a mapping guessed from a kernel trace, to be edited (tactus_map(5)); and --map of all
# subcommands: auto, which uses the same guess and describes it on stderr, and mappings from a pipe.

namespace eval ::tactus::cli {}

proc ::tactus::cli::guess {file options} {
    set format [option $options -read {}]
    set words [expr {$format eq {} ? {} : [list -format $format]}]
    if {[isTerminal stderr]} {lappend words -progress [list ::tactus::cli::showProgress $file]}
    lappend words {*}[::tactus::confinement $file $options]
    try {::tactus::guessMap $file {*}$words} finally {clearProgress}
}

proc ::tactus::cli::runMap {operands options} {
    if {[llength $operands] != 1} {usageError map "exactly one trace is needed"}
    set text [guess [lindex $operands 0] $options]
    if {$text eq {}} {
        set hint [expr {[option $options -read {}] eq {} ? " (a log that is not recognized: --format log)" : {}}]
        return -code error -errorcode {TACTUS FORMAT KERNEL} \
            [visibleLine "[lindex $operands 0]: this is neither a kernel trace nor a log in columns: there is nothing\
                to guess$hint"]
    }
    puts -nonewline $text
}

# Options of opening with the text of a mapping in place of `--map auto`, which is guessed, and of a pipe, which can be
# read only once, and may be the mapping of many traces.
proc ::tactus::cli::mapped {file options} {
    if {$file eq {} || ![dict exists $options -map]} {return $options}
    if {[dict get $options -map] eq "-"} {dict set options -map /dev/stdin}
    set map [dict get $options -map]
    if {$map eq "auto"} {
        set text [guess $file $options]
        foreach line [split [string trimright $text] \n] {say $line}
    } elseif {[isPipe $map]} {
        set text [piped $map]
    } else {
        return $options
    }
    dict set options -maptext $text
    dict remove $options -map
}

# The text of the mapping that --map names, a file or a pipe.
proc ::tactus::cli::mappingText {options} {
    set map [dict get $options -map]
    if {$map eq "-"} {set map /dev/stdin}
    expr {[isPipe $map] ? [piped $map] : [::tactus::contentText $map mapping]}
}

proc ::tactus::cli::isPipe {file} {
    expr {![catch {file stat $file state}] && $state(type) eq "fifo"}
}

# The text that a pipe has given.
proc ::tactus::cli::piped {file} {
    variable pipes
    if {![info exists pipes($file)]} {set pipes($file) [::tactus::contentText $file mapping]}
    return $pipes($file)
}
