# cli/terminal.tcl -- the program's channels: bytes that are safe for a terminal, remarks, a line of progress.

::tactus::need visible

namespace eval ::tactus::cli {
    variable progressShown 0    ;# does a line of progress stand on stderr?
}

proc ::tactus::cli::isTerminal {channel} {
    dict exists [fconfigure $channel] -mode
}

proc ::tactus::cli::visible {text} {
    ::tactus::visible::text $text
}

proc ::tactus::cli::visibleLine {text} {
    ::tactus::visible::line $text
}

# A channel transformation that makes visible what is written. Blocks may end within a character.
namespace eval ::tactus::cli::filter {
    variable held {}    ;# bytes of a character whose end is still to come
    namespace export *
    namespace ensemble create
    proc initialize {handle mode} {return {initialize finalize write flush}}
    proc finalize {handle} {}
    proc flush {handle} {}
    proc write {handle bytes} {
        variable held
        set bytes $held$bytes
        set held {}
        regexp {(?:[\xc0-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf7][\x80-\xbf]{0,2})$} $bytes held
        encoding convertto utf-8 \
            [::tactus::cli::visible [encoding convertfrom utf-8 [string range $bytes 0 end-[string length $held]]]]
    }
}

proc ::tactus::cli::setChannels {} {
    fconfigure stdout -encoding utf-8 -translation lf -buffersize 65536
    fconfigure stderr -encoding utf-8
    if {[isTerminal stdout]} {chan push stdout ::tactus::cli::filter}
}

proc ::tactus::cli::say {text {limit 2000}} {
    clearProgress
    puts stderr [::tactus::visible::message $text $limit]
}

# Shows a line of progress. how: the dict of tactus::open's -progress; all but pipes have a total.
proc ::tactus::cli::showProgress {name how} {
    variable progressShown
    dict with how {}
    set amount [expr {$total > 0 ? ": [expr {100 * min($done, $total) / $total}] %"
        : $done ? ": [expr {$done >> 20}] MB" : {}}]
    set text [expr {$phase eq "reading" && !$done && [mayWait $name] ? [waitingText $name] : "$phase $name$amount"}]
    puts -nonewline stderr "\r\x1b\[K[visibleLine $text]"
    flush stderr
    set progressShown 1
}

proc ::tactus::cli::clearProgress {} {
    variable progressShown
    if {$progressShown} {puts -nonewline stderr "\r\x1b\[K"}
    set progressShown 0
}

# Says it where an event of a recorder (lost) is that no further one can be seen, as of a signal; 1: it is.
proc ::tactus::cli::tellLost {event} {
    if {[lindex $event 0] ne "lost"} {return 0}
    say "tactus: error: signals and the end of a command cannot be waited for: [lindex $event 2]"
    return 1
}
