# files.tcl -- reads the small files that people write, as fuzzFiles and fuzz.test do. The first line of an input says
# what the rest is (the procedures below); whatever it is, it is read, or refused by an error of Tactus.

namespace eval ::fuzz {
    namespace eval files {}
    variable limits {-inprocess yes -timelimit 0.05 -commandlimit 2000 -eventlimit 2000 -memorylimit 268435456}
    variable trace "newTask a\nplot 1 jobArrived a.1 a\nplot 1 jobStarted a.1\nplot 3 jobCompleted a.1\n"
    variable here [file dirname [file normalize [info script]]]
    # In the fuzzer nothing but the core is there.
    if {![info exists ::tactus::library]} {
        set ::tactus::library [file join [file dirname [file dirname $here]] library]
        set ::tactus::binary {}
        rename ::load {}
        proc ::load args {}
        source -encoding utf-8 [file join $::tactus::library tactus.tcl]
    }
    foreach name {cli/cli cli/export cli/compare cli/plan cli/monitor player/store player/notesText} {
        ::tactus::need $name
    }
}

# What a file is told to be wrong with goes to stderr.
proc ::tactus::cli::say {args} {}

proc ::fuzz::files::state {path folder} {
    set records [::tactus::player::store::records $path]
    set again [file join $folder again]
    ::tactus::player::store::write $again $records
    if {[::tactus::player::store::records $again] ne $records} {error "written, the records are others"}
}

proc ::fuzz::files::notes {path folder} {
    set text [::tactus::notes::format [::tactus::notes::parse [::tactus::contentText $path notes]] {}]
    if {[::tactus::notes::format [::tactus::notes::parse $text] {}] ne $text} {error "written, the notes are others"}
}

proc ::fuzz::files::settings {path folder} {
    set settings [::tactus::cli::readSettings $path]
    set trace [tactus::openText $::fuzz::trace]
    try {
        $trace export [file join $folder figure.svg] -width 120 -settings $settings
    } finally {$trace close}
}

proc ::fuzz::files::mapping {path folder} {open kernelSeeds/ftrace.txt $path kernel}

proc ::fuzz::files::logMapping {path folder} {open logSeeds/events.csv $path log}

# Opens a seed of another target by the mapping at `path`, and asks a little of it.
proc ::fuzz::files::open {seed path format} {
    set trace [tactus::open [file join $::fuzz::here $seed] -format $format -map $path {*}$::fuzz::limits]
    try {
        $trace stats jobs
        $trace diagnostics
        $trace audit deadline
    } finally {$trace close}
}

proc ::fuzz::files::baseline {path folder} {
    set text [::tactus::cli::compare::readBaseline $path]
    set trace [tactus::openText $::fuzz::trace]
    try {::tactus::compare [list $text] [list $trace]} finally {$trace close}
}

proc ::fuzz::files::plan {path folder} {
    lassign {} sensors monitor
    ::tactus::cli::plan::readFile $path
}

# A relay's configuration; a script in it needs a worker process, which is not there in the fuzzer.
proc ::fuzz::files::relay {path folder} {
    ::tactus::relay $path -check yes -timelimit 0.05
}

# Rules of a monitor, which has no programs.
proc ::fuzz::files::rules {path folder} {
    set watched [::tactus::monitor [list $folder]]
    try {
        foreach rule [::tactus::cli::monitor::rules [list -rules [list $path]]] {
            ::tactus::cli::monitor::add $watched {*}$rule
        }
    } finally {$watched close}
}

# Reads the file at `path` as what its first line says; an error of Tactus is an answer, too.
proc ::fuzz::open {path folder} {
    set channel [::open $path rb]
    set bytes [read $channel]
    close $channel
    set end [string first \n $bytes]
    set kind [string range $bytes 0 $end-1]
    if {$end < 0 || $kind ni {state notes settings mapping logMapping baseline plan relay rules}} return
    set file [file join $folder input]
    set channel [::open $file wb]
    puts -nonewline $channel [string range $bytes $end+1 end]
    close $channel
    if {![catch {files::$kind $file $folder} result options]} {return read}
    if {[lindex [dict get $options -errorcode] 0] eq "TACTUS"} {return refused}
    error "$kind: [dict get $options -errorinfo]"
}
