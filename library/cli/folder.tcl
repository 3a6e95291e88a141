# cli/folder.tcl -- the traces in folders that the command line names.
#
#   words -> a folder: its files, those of its folders too, in natural order -> what looks like a trace
#
# A file looks like a trace by its beginning (tactus::recognize, or a plugin's format), and, in the trace language, of
# which other files have examples, by its name as well. One that is called as traces are is one, though nothing stands
# in it: its recorder may have failed. With --map, so is one that the mapping reads as a log. What is passed over is
# said, but for files that are called as notes and programs are. Hidden files are left out, links to folders are not
# followed.

namespace eval ::tactus::cli {
    # endings of files that may quote or make traces, and are none
    variable traceEndings {.tactus .grasp .ftrace .tacs .btf}
    variable packedEndings {.gz .xz .zst}
    variable mostPassed 10      ;# files that are passed over are named up to so many
    variable noTraces {.tcl .expect .map .md .c .h .cpp .py .sh .html .xml .json .dot .ltl .scxml .svg .pdf .orig}
}

# The traces that the words name, with the options of opening; a folder without any stands for itself.
proc ::tactus::cli::tracesOf {words options} {
    set files {}
    foreach word $words {
        if {$word eq "-" || ![file isdirectory $word]} {
            lappend files $word
            continue
        }
        set found {}
        set passed {}
        foreach file [filesIn $word] {
            set why [whyNoTrace $file $options]
            if {$why eq {}} {lappend found $file} elseif {![isCalledOther $file]} {lappend passed $file $why}
        }
        sayPassed $passed
        lappend files {*}[if {[llength $found]} {set found} else {list $word}]
    }
    return $files
}

# Says which files of a folder are taken for no traces: {file why ...}.
proc ::tactus::cli::sayPassed {passed} {
    variable mostPassed
    foreach {file why} [lrange $passed 0 [expr {2 * $mostPassed - 1}]] {
        say [visibleLine "tactus: $file: passed over, $why"]
    }
    set more [expr {[llength $passed] / 2 - $mostPassed}]
    if {$more > 0} {say "tactus: $more more [expr {$more == 1 ? "file is" : "files are"}] passed over"}
}

# All files in a folder and its folders, in natural order.
proc ::tactus::cli::filesIn {folder} {
    set files {}
    foreach name [lsort -dictionary [glob -nocomplain -tails -directory $folder *]] {
        # ./: a name with ~ before it would be a home
        set path [file join $folder [asItIs $name]]
        if {[string match .* $name]} continue
        if {[catch {file type $path} type]} {
            say [visibleLine "tactus: $path: passed over, its name is no UTF-8 or it is gone (name it by itself)"]
            continue
        }
        if {$type eq "directory"} {
            lappend files {*}[filesIn $path]
        } elseif {[file isfile $path]} {
            lappend files $path
        }
    }
    return $files
}

# Why the file does not look like a trace; {}: it does. One that cannot be read may be one: that is told when it is
# opened.
proc ::tactus::cli::whyNoTrace {file options} {
    if {[isCalledTrace $file]} return
    if {[info commands ::tactus::plugin::core::formatOf] ne {} && ![::tactus::isStrange $file $options]
            && [::tactus::plugin::core::formatOf $file] ne {}} return
    if {[catch {::tactus::recognize $file {*}[::tactus::confinement $file $options]} format]} return
    if {$format eq "tactus" && [isCalledOther $file]} {return "it is called as notes and programs are"}
    if {$format ne {}} return
    if {[option $options -map auto] eq "auto"} {return "no format of traces is recognized"}
    whyNotMapped $file $options
}

# Why the mapping of the options does not read the beginning of a file as a log, which may have no line but that of the
# columns' names; {}: it does. A mistake of the mapping is an error; another one is told when the file is opened.
proc ::tactus::cli::whyNotMapped {file options} {
    set confined [::tactus::confinement $file $options]
    try {
        set sample [::tactus::sample $file {*}$confined]
        if {[dict get $sample binary]} {return "it is neither a trace nor a text"}
        set trace [::tactus::openText [dict get $sample text] {*}[opening $options $file] -format log]
        set events [dict get [$trace info] events]
        $trace close
        if {$events || [llength [dict get [::tactus::logTable [dict get $sample text] -map [mappingText $options] \
            {*}$confined] names]]} return
    } trap {TACTUS MAP COLUMN} message {
        return "no format of traces is recognized, and $message"
    } trap {TACTUS MAP} {message errorOptions} {
        return -options $errorOptions $message
    } trap TACTUS {} {
        return
    }
    return "no format of traces is recognized, and the mapping finds nothing"
}

# Is the file called as notes and programs are, which may have examples of traces?
proc ::tactus::cli::isCalledOther {file} {
    variable noTraces
    expr {[string tolower [file extension $file]] in $noTraces}
}

# Does the name of the file say that it is a trace?
proc ::tactus::cli::isCalledTrace {file} {
    variable traceEndings
    variable packedEndings
    set file [string tolower $file]
    if {[file extension $file] in $packedEndings} {set file [file rootname $file]}
    expr {[file extension $file] in $traceEndings}
}

proc ::tactus::cli::failEmpty {folder} {
    return -code error -errorcode {TACTUS FILE EMPTY} "there is no trace in the folder \"$folder\""
}
