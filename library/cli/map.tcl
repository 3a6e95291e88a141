# cli/map.tcl -- tactus map TRACE: a mapping guessed from a kernel trace, to be edited (tactus_map(5)); and --map auto
# of all subcommands, which uses the same guess and describes it on stderr.

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
        return -code error -errorcode {TACTUS FORMAT KERNEL} \
            [visibleLine "[lindex $operands 0]: this is neither a kernel trace nor a log in columns: there is nothing\
                to guess"]
    }
    puts -nonewline $text
}

# Options of opening with the text of a guessed mapping in place of `--map auto`.
proc ::tactus::cli::guessed {file options} {
    if {$file eq {} || [option $options -map {}] ne "auto"} {return $options}
    set text [guess $file $options]
    foreach line [split [string trimright $text] \n] {say $line}
    dict set options -maptext $text
    dict remove $options -map
}
