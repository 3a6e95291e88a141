# files.tcl -- reads the small files that people write, as fuzzFiles and fuzz.test do. The first line of an input says
# what the rest is (the procedures below); whatever it is, it is read, or refused by an error of Tactus.

namespace eval ::fuzz {
    namespace eval files {}
    variable limits {-inprocess yes -timelimit 0.05 -commandlimit 2000 -eventlimit 2000 -memorylimit 268435456}
    variable trace "newTask a\nplot 1 jobArrived a.1 a\nplot 1 jobStarted a.1\nplot 3 jobCompleted a.1\n"
    variable kernel "# tracer: nop\n#\n"
    foreach {task time event} {
        <idle>-0   1.000001 {sched_switch: prev_comm=swapper prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=loop next_pid=70 next_prio=9}
        loop-70    1.000400 {sched_waking: comm=other pid=71 prio=19 target_cpu=000}
        loop-70    1.000500 {tracing_mark_write: begin 1}
        loop-70    1.000900 {sched_switch: prev_comm=loop prev_pid=70 prev_prio=9 prev_state=S ==> next_comm=other next_pid=71 next_prio=19}
        other-71   1.002000 {sched_switch: prev_comm=other prev_pid=71 prev_prio=19 prev_state=R ==> next_comm=loop next_pid=70 next_prio=9}
        loop-70    1.002500 {tracing_mark_write: end 1}
        loop-70    1.002900 {sched_switch: prev_comm=loop prev_pid=70 prev_prio=9 prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120}
    } {append kernel [format "%16s \[000\] d..3. %s: %s\n" $task $time $event]}
    variable log "time,cpu,task,event\n1,0,a,release\n2,0,a,start\n4,0,a,done\n9,0,b,release\n"
    # In the fuzzer nothing but the core is there.
    if {![info exists ::tactus::library]} {
        set ::tactus::library [file join [file dirname [file dirname [file dirname [file normalize [info script]]]]] library]
        set ::tactus::binary {}
        rename ::load {}
        proc ::load args {}
        source -encoding utf-8 [file join $::tactus::library tactus.tcl]
    }
    foreach name {cli/cli cli/export cli/compare cli/plan player/store player/notesText} {::tactus::need $name}
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

proc ::fuzz::files::mapping {path folder} {open $::fuzz::kernel $path kernel}

proc ::fuzz::files::logMapping {path folder} {open $::fuzz::log $path log}

# Opens a text by a mapping, and asks a little of it.
proc ::fuzz::files::open {text path format} {
    set trace [tactus::openText $text -format $format -map $path {*}$::fuzz::limits]
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

# Reads the file at `path` as what its first line says; an error of Tactus is an answer, too.
proc ::fuzz::open {path folder} {
    set channel [::open $path rb]
    set bytes [read $channel]
    close $channel
    set end [string first \n $bytes]
    set kind [string range $bytes 0 $end-1]
    if {$end < 0 || $kind ni {state notes settings mapping logMapping baseline plan}} return
    set file [file join $folder input]
    set channel [::open $file wb]
    puts -nonewline $channel [string range $bytes $end+1 end]
    close $channel
    if {![catch {files::$kind $file $folder} result options]} {return read}
    if {[lindex [dict get $options -errorcode] 0] eq "TACTUS"} {return refused}
    error "$kind: [dict get $options -errorinfo]"
}
