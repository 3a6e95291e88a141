# cli/export.tcl -- tactus export: the trace, or a view of a plugin (cli/views.tcl), as a figure.

::tactus::need cli/views

namespace eval ::tactus::cli {}

proc ::tactus::cli::runExport {operands options} {
    if {[dict exists $options -list]} {return [listFigures]}
    if {[llength $operands] != 2} {usageError export "a trace and the file to write are needed"}
    lassign $operands trace file
    set figure [among $options [exportRows]]
    if {[dict exists $figure -settings]} {
        dict set figure -settings [readSettings [dict get $figure -settings]]
    }
    if {[dict exists $options -view]} {return [drawView $trace $file $figure $options]}
    draw $trace $file $figure $options
}

# Draws the trace into a file. figure: options of the core's export; options: all that were given, of which those of
# opening are used.
proc ::tactus::cli::draw {file output figure options} {
    set trace [openTrace $file $options]
    sayOutlier $file $trace $figure "; --from FROM --to TO shows them alone"
    report $file [$trace export $output {*}$figure]
    $trace close
}

# Reads a file of settings: one `name value` a line, # begins a comment; values may be quoted as in Tcl.
proc ::tactus::cli::readSettings {path} {
    set known [dict get [::tactus::vocabulary] settings]
    set lines [split [::tactus::contentText $path "file of settings"] \n]
    set settings {}
    set number 0
    foreach line $lines {
        incr number
        set line [string trim $line]
        if {$line eq {} || [string index $line 0] eq "#"} continue
        if {![regexp {^(\S+)\s+(.*)$} $line -> name value]} {
            say "$path:$number: warning: a setting needs a name and a value"
        } elseif {![dict exists $known $name]} {
            say [visibleLine "$path:$number: warning: unknown setting \"$name\""]
        } else {
            if {[string is list $value] && [llength $value] == 1} {set value [lindex $value 0]}
            lappend settings $name $value
        }
    }
    return $settings
}

proc ::tactus::cli::listFigures {} {
    puts formats
    foreach format [::tactus::describe formats] {
        puts [format "  %-12s  %s (%s)" [dict get $format name] [dict get $format help] [dict get $format extensions]]
    }
    puts "\npresets"
    foreach preset [::tactus::describe presets] {
        set height [dict get $preset height]
        puts [::tactus::format "  %-14s  %s; width %g pt, %sfont %g pt" \
            [dict get $preset name] [dict get $preset help] [dict get $preset width] \
            [expr {$height ? "at most $height pt high, " : {}}] [dict get $preset fontsize]]
    }
    foreach row [figureRows] {
        if {[dict get $row type] ne "word"} continue
        puts "\n[string trimleft [dict get $row name] -]: [dict get $row help]"
        puts "  [join [dict get $row words] { }] (default [dict get $row default])"
    }
    puts "\noptions"
    puts [optionHelp [figureRows]]
}
