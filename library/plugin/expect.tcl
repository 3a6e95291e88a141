# plugin/expect.tcl -- expectations: conditions on the trace of one scenario, stated in a few lines of Tcl
# (tactus_expect(n)).
#
#   FILE of expectations, or a plugin --expect ...--> list of expectations --run--> findings of the check of that name
#
# A file is plain Tcl in a namespace of its own, as a plugin is; each `expect` in it adds an expectation to the check
# that is named like the file. Until the check runs, an expectation is only its words and its place.
#
# The language: plugin/expectWords.tcl. Judging: plugin/expectJudge.tcl.

::tactus::need plugin/expectWords plugin/expectJudge

namespace eval ::tactus::expect {
    variable expectations       ;# check -> list of dicts words place
    variable nFiles 0           ;# files read: each has a namespace
    variable trace {}           ;# the trace that is judged
    if {![info exists expectations]} {set expectations {}}
}

# The word of plugins. It only calls `add`, since `list`, `switch` and others mean something else in this namespace.
proc ::tactus::plugin::expect args {tailcall ::tactus::expect::add {*}$args}

# ---- stating ---------------------------------------------------------------------------------------------------------

# Reads a file of expectations; the name of its check. A mistake in it is an error with file and line.
proc ::tactus::expect::loadFile {file} {
    variable expectations
    variable nFiles
    set file [file normalize $file]
    set name [file tail $file]
    dict unset expectations $name
    # Part of the plugin "expect": its namespace may be named after anything but the file.
    set namespace ::tactus::plugins::expect::file[incr nFiles]
    namespace eval $namespace {}
    ::tactus::plugin::core::furnish $namespace
    try {
        namespace eval $namespace [list source -encoding utf-8 $file]
    } trap {TACTUS EXPECT} {message options} {
        return -options $options $message
    } on error {message options} {
        set line [expr {[regexp {\(file "[^"]*" line (\d+)\)} [dict get $options -errorinfo] -> line] ? ":$line" : {}}]
        return -code error -errorcode {TACTUS EXPECT FILE} "$file$line: $message"
    }
    if {![dict exists $expectations $name]} {
        return -code error -errorcode {TACTUS EXPECT EMPTY} "$file: there is no expectation in it"
    }
    return $name
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

# expect WHAT ...: the words of one expectation.
proc ::tactus::expect::add {args} {
    variable expectations
    lassign [place] name file line
    if {[catch {checkWords $args} message]} {
        return -code error -errorcode {TACTUS EXPECT USAGE} "$file:$line: $message"
    }
    if {![dict exists $expectations $name]} {
        uplevel 1 [list ::tactus::check::define $name -title "Expectations of $name" \
            -help "the expectations of $name" \
            -needs {} -start [list ::tactus::expect::judgeAll $name]]
    }
    dict lappend expectations $name [dict create words $args place "$name:$line"]
    return
}

# ---- judging ---------------------------------------------------------------------------------------------------------

proc ::tactus::expect::judgeAll {name traceName} {
    variable expectations
    variable trace $traceName
    variable place {}           ;# of the expectation that is judged: file:line
    foreach expectation [dict get $expectations $name] {
        set words [dict get $expectation words]
        set place [dict get $expectation place]
        lassign [parsed $words] kind what
        try {
            judge$kind {*}$what
        } trap {TACTUS LOOKUP} message {
            tell uncertain {} {} "expected [said $words], but there is $message"
        }
    }
}

# The expectation as it was written.
proc ::tactus::expect::said {words} {
    set text [join [lmap word $words {string map {{ {}} {}} [list [concat $word]]}]]
    if {[string length $text] > 200} {return "[string range $text 0 196]..."}
    return $text
}

# Reports that an expectation is not met. sentence: what happened instead. Without -line the line is that of the first
# event of that time.
proc ::tactus::expect::tell {verdict time objects sentence args} {
    variable place
    variable trace
    if {$time ne {} && ![dict exists $args -line]} {
        set first [lindex [$trace events -from $time -to $time -limit 1] 0]
        if {$first ne {}} {dict set args -line [dict get $first line]}
    }
    ::tactus::check::report $verdict $time $objects "$sentence ($place)" {*}$args
}
