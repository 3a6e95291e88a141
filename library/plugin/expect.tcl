# plugin/expect.tcl -- expectations: conditions on the trace of one scenario, stated in a few lines (tactus_expect(n)).
#
#   FILE of expectations, or a plugin --expect ...--> statements --run--> findings of the check of that name
#
# A file is data: it is read as a trace is, without access to files, programs or the network (tactus_sandbox(5)). Each
# `expect` in it adds a statement to the check that is named like the file. Nothing is judged before the check runs; all
# statements of a check are judged at once, in the core (generic/judge).

namespace eval ::tactus::expect {
    variable statements         ;# check -> list of {place words}
    variable loaded {}          ;# files that were read, normalized
    variable files              ;# check that was read from a file -> the file, in the order of reading
    if {![info exists statements]} {set statements {}}
    if {![info exists files]} {set files {}}
}

# The word of plugins. It only calls `add`, since `list`, `switch` and others mean something else in this namespace.
proc ::tactus::plugin::expect args {tailcall ::tactus::expect::add {*}$args}

# Reads a file of expectations; the name of its check. A mistake in it is an error with file and line. settings: {name
# value ...} that the file finds; limits: options of its script code, -timelimit, -commandlimit, -memorylimit.
proc ::tactus::expect::loadFile {file {settings {}} {limits {}}} {
    variable statements
    variable loaded
    variable files
    set file [file normalize $file]
    set name [file tail $file]
    set read [::tactus::expectation read $file $settings {*}$limits]
    dict set files $name $file
    dict unset statements $name
    dict set loaded $file 1
    foreach statement $read {
        lassign $statement line words
        state ::tactus::plugins::expect $name $name:$line $words
    }
    return $name
}

proc ::tactus::expect::isLoaded {file} {
    variable loaded
    dict exists $loaded [file normalize $file]
}

# Adds a statement to the check of this name, which a plugin's namespace defines with the first one.
proc ::tactus::expect::state {namespace name place words} {
    variable statements
    if {![dict exists $statements $name]} {
        namespace eval $namespace [list ::tactus::check::define $name -title "Expectations of $name" \
            -help "what $name states of a scenario" -start [list ::tactus::expect::judgeAll $name]]
    }
    dict lappend statements $name [list $place $words]
}

# expect WHAT ...: a statement of a plugin, which belongs to the check that is named like the plugin's file.
proc ::tactus::expect::add {args} {
    lassign [place] name file line
    try {
        ::tactus::expectation check $args
    } trap {TACTUS USAGE} message {
        return -code error -errorcode {TACTUS EXPECT USAGE} "$file:$line: $message"
    }
    state [uplevel 1 {namespace current}] $name $name:$line $args
    return
}

# The place of a plugin's word: {name-of-check file line}.
proc ::tactus::expect::place {} {
    for {set level [info frame]} {$level > 0} {incr level -1} {
        set frame [info frame $level]
        if {![dict exists $frame file]} continue
        set file [dict get $frame file]
        if {[file dirname $file] eq [file join $::tactus::library plugin]} continue
        return [list [file tail $file] $file [dict get $frame line]]
    }
    return {expect {} 0}
}

# The statements of these checks, a list for each that has some: what is judged while a trace is opened. "all": all.
proc ::tactus::expect::stated {names} {
    variable statements
    if {"all" in $names} {return [dict values $statements]}
    lmap name $names {
        if {![dict exists $statements $name]} continue
        dict get $statements $name
    }
}

proc ::tactus::expect::judgeAll {name trace} {
    variable statements
    # A file that was read anew may have no statements any more.
    if {[dict exists $statements $name]} {::tactus::check::judge $name [dict get $statements $name]}
}
