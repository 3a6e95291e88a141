# makeManual.tcl -- the manual pages, from what is written by hand and from the program's own tables.
#
#   tclsh doc/makeManual.tcl BUILD
#
# BUILD is the directory of the built package. Every doc/PAGE.in is written out as doc/PAGE. A line
#
#   .\" @fragment ?argument ...?
#
# of the former is replaced by what ::tactus::manual::fragment::<name> makes from the tables (tactus::vocabulary,
# tactus::describe, the rows of the program's options), so that a page cannot say something else than the program does.
# tests/manual.test fails when a page is not up to date, and runs the examples.

package require Tcl 8.6

namespace eval ::tactus::manual {
    variable here [file dirname [file normalize [info script]]]
    namespace eval fragment {}
}

# ---- roff ------------------------------------------------------------------------------------------------------------

# Text as troff shows it: no escapes, no requests, real minus signs.
proc ::tactus::manual::escape {text} {
    set text [string map [list \\ {\e} - {\-}] $text]
    regsub -all -line {^([.'])} $text {\\\&\1}
}

proc ::tactus::manual::bold {text} {
    return "\\fB[escape $text]\\fR"
}

proc ::tactus::manual::italic {text} {
    return "\\fI[escape $text]\\fR"
}

# An entry of a list: its head, and what is said about it.
proc ::tactus::manual::entry {head text} {
    return ".TP\n$head\n$text\n"
}

proc ::tactus::manual::sentence {text} {
    if {$text eq {}} {return {}}
    set text [string toupper $text 0 0]
    if {[string index $text end] ni {. ) :}} {append text .}
    if {[string index $text end] eq ")"} {append text .}
    escape $text
}

# ---- options of the program and of the Tcl commands ------------------------------------------------------------------

# dashes: "-" or "--".
proc ::tactus::manual::optionEntry {dashes row} {
    set name [string trimleft [dict get $row name] -]
    set head [bold $dashes$name]
    if {[llength [dict get $row words]]} {
        append head " " [join [lmap word [dict get $row words] {bold $word}] |]
    } elseif {[dict get $row type] eq "optional"} {
        append head "?" [bold =] [italic [string tolower [dict get $row argument]]] "?"
    } elseif {[dict get $row type] ne "flag"} {
        append head " " [italic [string tolower [dict get $row argument]]]
    } elseif {$dashes eq "-"} {
        append head " " [italic boolean]
    }
    set text [sentence [dict get $row help]]
    set default [dict get $row default]
    if {$default ne {} && ([dict get $row type] ne "flag" || $dashes eq "-")} {
        append text " Default: [escape $default]."
    }
    entry $head $text
}

proc ::tactus::manual::fragment::programOptions {command} {
    set text {}
    foreach row [::tactus::cli::ownRows $command] {append text [::tactus::manual::optionEntry -- $row]}
    return $text
}

# The rows of the window and of plugins are in files of their own.
proc ::tactus::manual::needRows {} {
    ::tactus::need cli/plugins cli/compat
}

proc ::tactus::manual::fragment::windowOptions {} {
    ::tactus::manual::needRows
    join [lmap row [::tactus::cli::compat::windowRows] {::tactus::manual::optionEntry -- $row}] {}
}

proc ::tactus::manual::fragment::pluginsOption {} {
    ::tactus::manual::needRows
    ::tactus::manual::optionEntry -- [::tactus::cli::pluginRow]
}

proc ::tactus::manual::fragment::openOptions {dashes} {
    set rows [expr {$dashes eq "--" ? [::tactus::cli::openRows] : [::tactus::describe open]}]
    join [lmap row $rows {::tactus::manual::optionEntry $dashes $row}] {}
}

proc ::tactus::manual::fragment::figureOptions {} {
    join [lmap row [::tactus::describe export] {::tactus::manual::optionEntry - $row}] {}
}

proc ::tactus::manual::fragment::recorderOptions {} {
    join [lmap row [::tactus::describe recorder] {::tactus::manual::optionEntry - $row}] {}
}

proc ::tactus::manual::fragment::relayOptions {} {
    join [lmap row [::tactus::describe relay] {::tactus::manual::optionEntry - $row}] {}
}

proc ::tactus::manual::fragment::formats {} {
    join [lmap row [::tactus::describe formats] {
        ::tactus::manual::entry [::tactus::manual::bold [dict get $row name]] \
            [::tactus::manual::sentence "[dict get $row help]; names ending in [dict get $row extensions]"]
    }] {}
}

proc ::tactus::manual::fragment::presets {} {
    join [lmap row [::tactus::describe presets] {
        ::tactus::manual::entry [::tactus::manual::bold [dict get $row name]] \
            [::tactus::manual::sentence "[dict get $row help]; text of [format %g [dict get $row fontsize]] pt"]
    }] {}
}

# ---- tables ----------------------------------------------------------------------------------------------------------

proc ::tactus::manual::fragment::columns {table} {
    join [lmap column [dict get [::tactus::describe tables] $table] {
        ::tactus::manual::entry "[::tactus::manual::bold [dict get $column name]] ([dict get $column type])" \
            [::tactus::manual::sentence [dict get $column help]]
    }] {}
}

# The tables of comparisons with their columns.
proc ::tactus::manual::fragment::compareTables {table} {
    join [lmap column [dict get [::tactus::describe compareTables] $table] {
        ::tactus::manual::entry "[::tactus::manual::bold [dict get $column name]] ([dict get $column type])" \
            [::tactus::manual::sentence [dict get $column help]]
    }] {}
}

proc ::tactus::manual::fragment::compareOptions {command} {
    join [lmap row [::tactus::describe $command] {::tactus::manual::optionEntry - $row}] {}
}

# The tables of SQL with their columns: those of a table that another page lists are named there, too.
proc ::tactus::manual::fragment::sqlTables {} {
    join [lmap table [::tactus::describe sqlTables] {
        set columns [lmap column [dict get $table columns] {::tactus::manual::italic [dict get $column name]}]
        ::tactus::manual::entry [::tactus::manual::bold [dict get $table name]] \
            "[::tactus::manual::sentence [dict get $table help]] [join $columns {, }]"
    }] {}
}

proc ::tactus::manual::fragment::sqlOptions {} {
    join [lmap row [::tactus::describe sql] {::tactus::manual::optionEntry - $row}] {}
}

proc ::tactus::manual::fragment::relations {} {
    join [lmap row [::tactus::describe relations] {
        set text "[dict get $row help][expr {[dict get $row windowed] ? "; -from and -to may be given" : {}}]"
        ::tactus::manual::entry [::tactus::manual::bold [dict get $row name]] [::tactus::manual::sentence $text]
    }] {}
}

# ---- the trace language ----------------------------------------------------------------------------------------------

# "?-name string?" of a usage line, with names in bold and places for values in italics.
proc ::tactus::manual::usage {text} {
    set words {}
    foreach word [split $text] {
        set bare [string trim $word ?]
        set mark [expr {[string index $bare 0] eq "-" || ![llength $words]
            || [lindex $words 0] in {\\fBplot\\fR \\fBbufferplot\\fR} && [llength $words] == 2
            ? [bold $bare] : [italic $bare]}]
        lappend words [string map [list $bare $mark] $word]
    }
    join $words
}

# The options that a definition or an event takes; what they mean stands in one place (fragment options).
proc ::tactus::manual::optionNames {options} {
    if {![dict size $options]} {return {}}
    return " Options: [join [lmap name [dict keys $options] {bold $name}] {, }]."
}

proc ::tactus::manual::fragment::definitions {} {
    set text {}
    dict for {name definition} [dict get [::tactus::vocabulary] definitions] {
        set usage "$name id[expr {$name eq "newJob" ? " task" : {}}] ?-option value ...?"
        set help [::tactus::manual::sentence [dict get $definition help]]
        append text [::tactus::manual::entry [::tactus::manual::usage $usage] \
            "$help[::tactus::manual::optionNames [dict get $definition options]]
.br
Old form: [::tactus::manual::bold [oldForm $definition]]"]
    }
    return $text
}

proc ::tactus::manual::fragment::oldForm {definition} {
    set name [dict get $definition oldName]
    return "\[$name id\] [expr {$name eq "Job" ? "initWithTask task" : "initWith"}] ?-option value ...?"
}

# Events of plot (events) or bufferplot (bufferEvents).
proc ::tactus::manual::fragment::events {set} {
    set text {}
    dict for {name event} [dict get [::tactus::vocabulary] $set] {
        set arguments {}
        set number 0
        foreach {argument type} [dict get $event arguments] {
            if {$type eq "rest"} {set argument "$argument ..."}
            lappend arguments [expr {[incr number] > [dict get $event required] ? "?$argument?" : $argument}]
        }
        set usage [string trim "[dict get $event command] time $name [join $arguments]"]
        set help [::tactus::manual::sentence [dict get $event help]]
        append text [::tactus::manual::entry [::tactus::manual::usage $usage] \
            "$help[::tactus::manual::optionNames [dict get $event options]]"]
    }
    return $text
}

# Every option once; one name that means two things has two entries, with the kinds they belong to.
proc ::tactus::manual::fragment::options {} {
    set seen {}
    foreach set {definitions events bufferEvents} {
        dict for {owner row} [dict get [::tactus::vocabulary] $set] {
            dict for {name option} [dict get $row options] {dict lappend seen [list $name $option] $owner}
        }
    }
    set names [lmap key [dict keys $seen] {lindex $key 0}]
    set text {}
    foreach key [lsort -dictionary [dict keys $seen]] {
        lassign $key name option
        set words [dict get $option words]
        set type [dict get $option type]
        set value [expr {$type eq "flag" ? {} : [llength $words]
            ? [join [lmap word $words {::tactus::manual::bold $word}] |] : [::tactus::manual::italic $type]}]
        set head [string trim "[::tactus::manual::bold $name] $value"]
        if {[llength [lsearch -all -exact $names $name]] > 1} {append head " (of [join [dict get $seen $key] {, }])"}
        append text [::tactus::manual::entry $head [::tactus::manual::sentence [dict get $option help]]]
    }
    return $text
}

proc ::tactus::manual::fragment::settings {} {
    set text {}
    dict for {name setting} [dict get [::tactus::vocabulary] settings] {
        set head [::tactus::manual::bold $name]
        if {[dict get $setting default] ne {}} {append head " [::tactus::manual::escape [dict get $setting default]]"}
        append text [::tactus::manual::entry $head [::tactus::manual::sentence [dict get $setting help]]]
    }
    return $text
}

# ---- pages -----------------------------------------------------------------------------------------------------------

# A page from its source.
proc ::tactus::manual::page {source} {
    set lines {}
    foreach line [split $source \n] {
        if {[regexp {^\.\\" @(\w+)(.*)$} $line -> name arguments]} {
            set line [string trimright [fragment::$name {*}$arguments] \n]
        }
        lappend lines $line
    }
    join $lines \n
}

proc ::tactus::manual::readSource {path} {
    set channel [open $path]
    fconfigure $channel -encoding utf-8 -translation lf
    try {read $channel} finally {close $channel}
}

# The pages that are made: names without directory.
proc ::tactus::manual::pages {} {
    variable here
    lmap source [lsort [glob -tails -directory $here *.in]] {file rootname $source}
}

# What a page must contain.
proc ::tactus::manual::make {name} {
    variable here
    page [readSource [file join $here $name.in]]
}

proc ::tactus::manual::writeAll {} {
    variable here
    foreach name [pages] {
        # Made before the old one is gone.
        set text [make $name]
        set channel [open [file join $here $name] w]
        fconfigure $channel -encoding utf-8 -translation lf
        puts -nonewline $channel $text
        close $channel
    }
}

# The package and the rows of the program's options.
proc ::tactus::manual::useBuild {build} {
    set dir $build
    source -encoding utf-8 [file join $dir pkgIndex.tcl]
    package require tactus
    ::tactus::need cli/options
}

if {[info exists ::argv0] && [file normalize $::argv0] eq [file normalize [info script]]} {
    ::tactus::manual::useBuild [lindex $::argv 0]
    ::tactus::manual::writeAll
}
