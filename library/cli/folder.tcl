# cli/folder.tcl -- the traces in folders that the command line names.
#
#   words -> a folder: its files, those of its folders too, in natural order -> what looks like a trace
#
# A file looks like a trace by its beginning (tactus::recognize, or a plugin's format), and, in the trace language, of
# which other files have examples, by its name as well. One that is called as traces are is one, though nothing stands
# in it: its recorder may have failed. Hidden files are left out, links to folders are not followed.

namespace eval ::tactus::cli {
    # endings of files that may quote or make traces, and are none
    variable traceEndings {.tactus .grasp .ftrace .tacs .btf}
    variable packedEndings {.gz .xz .zst}
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
        set found [lmap file [filesIn $word] {if {![isTrace $file $options]} continue; set file}]
        lappend files {*}[if {[llength $found]} {set found} else {list $word}]
    }
    return $files
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

# Does the file look like a trace? One that cannot be read may be one: that is told when it is opened.
proc ::tactus::cli::isTrace {file options} {
    variable noTraces
    if {[isCalledTrace $file]} {return 1}
    if {[info commands ::tactus::plugin::core::formatOf] ne {} && ![::tactus::isStrange $file $options]
            && [::tactus::plugin::core::formatOf $file] ne {}} {
        return 1
    }
    if {[catch {::tactus::recognize $file {*}[::tactus::confinement $file $options]} format]} {return 1}
    expr {$format eq "tactus" ? [string tolower [file extension $file]] ni $noTraces : $format ne {}}
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
