# all.tcl -- runs the test files and counts.
#
#   tclsh all.tcl ?pattern ...? ?-option value ...?
#
# Patterns name test files (`decimal`, `read*`; all without one); the rest are tcltest's options (`-match`, `-verbose`
# ...).
#
# Each file runs in a tclsh of its own, one more at a time than there are processors, since tests of windows wait a good
# deal. So a crash costs that file's tests only and counts as a failure. The names of the tests come from tcltest's own
# report, which is how a name used twice is noticed (tcltest does not notice). A file that ends abnormally, prints no
# summary or takes too long is a failure by itself. An error of the runner, such as standard output that is closed
# (`| head`), ends the run, and kills the files that are running.
#
# A file that needs a display has DISPLAY's, or without one an Xvfb of its own (needTk in helpers.tcl), which ends with
# it.
#
# Environment: TACTUS_WRAPPER (valgrind ...) goes before tclsh, TACTUS_PRELOAD into its LD_PRELOAD, TACTUS_TEST_SECONDS
# is the time for one file, TACTUS_TEST_JOBS the number at a time; with TACTUS_TEST_STOP=1 the first file that fails
# ends the run.

package require Tcl 8.6

namespace eval ::tactus::runner {
    variable here [file dirname [file normalize [info script]]]
    variable counts {passed 0 failed 0 skipped 0}
    variable seen {}            ;# test name -> file
    variable skipped {}         ;# constraint -> names of tests
    variable failures {}        ;# the words of each failure, told again at the end, where a long report is read first
    variable waiting {}         ;# files still to run
    # The files that take 8 s or more, the longest first: begun last, one of them would run alone at the end.
    variable long {
        fault memoryLimit hostile untrusted playerOpening panelModels memory exportDialog stacked tour playerLive worker
        dialect recordProof recordCmd configure playerSession kill users expectHostile playerHostile band
        hostileFormats playerCompare playerImport playerParts distribution source
    }
    variable running 0
    variable done 0
    variable problem {}         ;# arguments of the return that raises an error of an event handler again
    variable outputs            ;# channel -> what it said so far
    variable timers             ;# channel -> after id
    variable late               ;# channel -> 1: was killed
    variable started            ;# channel -> clock milliseconds
    # What would help a constraint that kept tests away.
    variable helps {
        tk {set DISPLAY, or apt-get install xvfb}
        slow {run without TACTUS_QUICK=1}
        ctest {make libtactustest}
    }
}

proc ::tactus::runner::setting {name default} {
    expr {[info exists ::env($name)] && $::env($name) ne {} ? $::env($name) : $default}
}

proc ::tactus::runner::processors {} {
    if {[catch {exec getconf _NPROCESSORS_ONLN} n] || ![string is integer -strict $n]} {return 2}
    return $n
}

# Splits the arguments into file patterns (before the first option) and tcltest's options.
proc ::tactus::runner::main {arguments} {
    variable waiting
    variable options
    variable problem
    set at [lsearch -glob $arguments -*]
    if {$at < 0} {set at [llength $arguments]}
    set options [lrange $arguments $at end]
    set waiting [files [lrange $arguments 0 $at-1]]
    makeTemp
    interp bgerror {} ::tactus::runner::handlerFailed
    try {
        for {set i 0} {$i < [setting TACTUS_TEST_JOBS [expr {[processors] + 1}]]} {incr i} startNext
        while {!$::tactus::runner::done} {vwait ::tactus::runner::done}
        if {[llength $problem]} {return {*}$problem}
    } finally {
        killAll
        file delete -force $::env(TACTUS_TEST_TMP)
    }
    summary
}

# The files of these patterns, in the order in which they begin.
proc ::tactus::runner::files {patterns} {
    variable here
    variable long
    if {![llength $patterns]} {set patterns *}
    set result {}
    foreach pattern $patterns {
        if {[file extension $pattern] ne ".test"} {append pattern .test}
        set found [glob -nocomplain -directory $here -- [file tail $pattern]]
        if {![llength $found]} {fault $pattern "no such test file"}
        lappend result {*}$found
    }
    set result [lsort -unique $result]
    set first [lmap name $long {
        set file [file join $here $name.test]
        if {$file ni $result} continue
        set file
    }]
    concat $first [lmap file $result {if {$file in $first} continue; set file}]
}

# A directory for the tests, and an environment that is the same everywhere.
proc ::tactus::runner::makeTemp {} {
    set ::env(TACTUS_TEST_TMP) [file join [setting TMPDIR /tmp] tactus-tests-[pid]]
    file mkdir $::env(TACTUS_TEST_TMP)
    # Nothing of the user's settings reaches a test.
    set ::env(HOME) [file join $::env(TACTUS_TEST_TMP) home]
    file mkdir $::env(HOME)
    set ::env(LC_ALL) C.UTF-8
    # A make that a test starts is not part of the one that started the tests.
    unset -nocomplain ::env(MAKEFLAGS) ::env(MFLAGS) ::env(MAKELEVEL)
}

# ---- one file --------------------------------------------------------------------------------------------------------

proc ::tactus::runner::startNext {} {
    variable waiting
    variable running
    variable done
    variable outputs
    variable timers
    variable started
    if {![llength $waiting]} {
        if {!$running} {set done 1}
        return
    }
    set waiting [lassign $waiting file]
    set channel [open |[list {*}[command $file] </dev/null 2>@1]]
    fconfigure $channel -blocking 0 -encoding utf-8
    incr running
    set outputs($channel) {}
    set started($channel) [clock milliseconds]
    set timers($channel) [after [expr {1000 * [setting TACTUS_TEST_SECONDS 600]}] \
        [list ::tactus::runner::kill $channel]]
    fileevent $channel readable [list ::tactus::runner::collect $channel $file]
}

proc ::tactus::runner::command {file} {
    variable options
    set preload [setting TACTUS_PRELOAD {}]
    if {$preload ne {}} {set preload [list env LD_PRELOAD=$preload]}
    # The counts need tcltest's word for each test, whatever else is asked for.
    set verbose [list body pass skip error \
        {*}[expr {[dict exists $options -verbose] ? [dict get $options -verbose] : {}}]]
    list {*}[auto_execok setsid] {*}$preload {*}[setting TACTUS_WRAPPER {}] [info nameofexecutable] $file \
        {*}[dict merge $options [dict create -verbose $verbose]]
}

# The file's whole process group, since what it started may keep the channel open.
proc ::tactus::runner::kill {channel} {
    variable late
    set late($channel) 1
    foreach pid [pid $channel] {
        if {[catch {exec sh -c "kill -s KILL -- -$pid"}]} {catch {exec sh -c "kill -s KILL $pid"}}
    }
}

# Kills the files that are running, and waits until they have ended.
proc ::tactus::runner::killAll {} {
    variable timers
    foreach channel [array names timers] {
        kill $channel
        fconfigure $channel -blocking 1
        catch {close $channel}
    }
}

proc ::tactus::runner::handlerFailed {message options} {
    variable problem [list -options $options $message]
    variable done 1
}

# Takes what a file of tests says; at its end, counts and says how it went, and begins the next file.
proc ::tactus::runner::collect {channel file} {
    variable outputs
    variable timers
    variable late
    variable started
    variable running
    variable waiting
    variable done
    append outputs($channel) [read $channel]
    if {![eof $channel]} return
    after cancel $timers($channel)
    fconfigure $channel -blocking 1
    set ending {}
    if {[catch {close $channel} message options]} {
        set ending [lindex [split $message \n] 0]
        set code [dict get $options -errorcode]
        if {[lindex $code 0] in {CHILDKILLED CHILDSTATUS}} {set ending "ended by [lrange $code 2 end]"}
    }
    # Channel names come again, so nothing may stay under this one.
    if {[info exists late($channel)]} {set ending "took longer than [setting TACTUS_TEST_SECONDS 600] s"}
    set seconds [expr {([clock milliseconds] - $started($channel)) / 1000.0}]
    set output $outputs($channel)
    unset outputs($channel) timers($channel) started($channel)
    unset -nocomplain late($channel)
    incr running -1
    evaluate [file tail $file] $output $ending $seconds
    if {[setting TACTUS_TEST_STOP 0] && [isFailed]} {
        set waiting {}
        set done 1
    }
    startNext
}

# ---- counting --------------------------------------------------------------------------------------------------------

proc ::tactus::runner::count {what} {
    variable counts
    dict incr counts $what
}

proc ::tactus::runner::isFailed {} {
    variable counts
    expr {[dict get $counts failed] > 0}
}

proc ::tactus::runner::fault {file text} {
    variable failures
    set words "==== $file: $text FAILED"
    puts $words
    lappend failures $words
    count failed
}

# Takes one file's output apart: the names of its tests, and what is worth showing.
proc ::tactus::runner::evaluate {file output ending seconds} {
    variable counts
    variable failures
    set before $counts
    set rest {}
    set total -1
    foreach line [split $output \n] {
        if {[regexp {^\+\+\+\+ (\S+) PASSED$} $line -> name]} {
            noteName $file $name passed
        } elseif {[regexp {^\+\+\+\+ (\S+) SKIPPED: (.*)$} $line -> name constraint]} {
            noteName $file $name skipped
            noteSkip $file $name $constraint
        } elseif {[regexp {^==== (\S+) FAILED$} $line -> name]} {
            noteName $file $name failed
            append rest $line \n
            lappend failures "---- $file\n[lastFailure $rest $name]"
        } elseif {[regexp {\tTotal\t(\d+)\tPassed\t(\d+)\tSkipped\t(\d+)\tFailed\t(\d+)} $line -> total]} {
            continue
        } else {
            append rest $line \n
        }
    }
    if {[string trim $rest] ne {}} {puts "---- $file\n[string trim $rest]"}
    if {$ending ne {}} {
        fault $file $ending
    } elseif {$total < 0} {
        fault $file "no summary (cleanupTests was not reached)"
    }
    foreach key {passed failed skipped} {lappend line "[expr {[dict get $counts $key] - [dict get $before $key]}] $key"}
    puts [format "%-24s %s (%.1f s)" $file [join $line ", "] $seconds]
}

# The report of the failed test at the end of text: 40 lines of it at most.
proc ::tactus::runner::lastFailure {text name} {
    set lines [split [string trim [string range $text [string last "\n==== $name " "\n$text" \
        [expr {[string length $text] - [string length "==== $name FAILED\n"]}]] end]] \n]
    if {[llength $lines] > 40} {set lines [concat [lrange $lines 0 37] ... [lrange $lines end-1 end]]}
    join $lines \n
}

proc ::tactus::runner::noteName {file name what} {
    variable seen
    count $what
    if {[dict exists $seen $name]} {fault $file "test name $name is used twice (also in [dict get $seen $name])"}
    dict set seen $name $file
}

proc ::tactus::runner::noteSkip {file name constraint} {
    variable skipped
    dict lappend skipped $constraint $name
}

proc ::tactus::runner::summary {} {
    variable counts
    variable skipped
    variable helps
    variable failures
    if {[llength $failures]} {puts "\nThe failures again:\n[join $failures \n]\n"}
    dict for {constraint names} $skipped {
        set help [expr {[dict exists $helps $constraint] ? " ([dict get $helps $constraint])" : {}}]
        puts "skipped without $constraint$help: [join $names {, }]"
    }
    dict with counts {
        puts "$passed passed, $failed failed, $skipped skipped"
        exit [expr {$failed > 0}]
    }
}

::tactus::runner::main $::argv
