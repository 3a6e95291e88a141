# terminal.tcl -- the program's channels: bytes that are safe for a terminal, remarks, a line of progress.

namespace eval ::tactus::cli {
    variable progressShown 0	;# does a line of progress stand on stderr?
}

proc ::tactus::cli::isTerminal {channel} {
    dict exists [fconfigure $channel] -mode
}

# Control characters of a trace must not reach a terminal.
proc ::tactus::cli::controlMap {} {
    variable controlMap
    if {![info exists controlMap]} {
	for {set code 0} {$code < 160} {incr code} {
	    if {$code in {9 10} || ($code >= 32 && $code < 127)} continue
	    lappend controlMap [format %c $code] [format {\u%04x} $code]
	}
    }
    return $controlMap
}

proc ::tactus::cli::visible {text} {
    if {![regexp {[\x00-\x08\x0b-\x1f\x7f-\x9f]} $text]} {return $text}
    string map [controlMap] $text
}

proc ::tactus::cli::visibleLine {text} {
    string map [list \n {\n} \t {\t}] [visible $text]
}

# A channel transformation that does the same with all that is written.
namespace eval ::tactus::cli::filter {
    namespace export *
    namespace ensemble create
    proc initialize {handle mode} {return {initialize finalize write flush}}
    proc finalize {handle} {}
    proc flush {handle} {}
    proc write {handle bytes} {
	encoding convertto utf-8 [::tactus::cli::visible [encoding convertfrom utf-8 $bytes]]
    }
}

proc ::tactus::cli::setChannels {} {
    fconfigure stdout -encoding utf-8 -translation lf -buffersize 65536
    fconfigure stderr -encoding utf-8
    if {[isTerminal stdout]} {chan push stdout ::tactus::cli::filter}
}

proc ::tactus::cli::say {text} {
    clearProgress
    puts stderr [visible $text]
}

# how: the dict of tactus::open's -progress. What is not read from a pipe has a total.
proc ::tactus::cli::showProgress {name how} {
    variable progressShown
    dict with how {}
    set amount [expr {$total > 0 ? ": [expr {100 * min($done, $total) / $total}] %" : $done ? ": [expr {$done >> 20}] MB" : {}}]
    puts -nonewline stderr "\r\x1b\[K[visibleLine "$phase $name$amount"]"
    flush stderr
    set progressShown 1
}

proc ::tactus::cli::clearProgress {} {
    variable progressShown
    if {$progressShown} {puts -nonewline stderr "\r\x1b\[K"}
    set progressShown 0
}
