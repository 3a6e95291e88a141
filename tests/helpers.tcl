# helpers.tcl -- what every test file begins with:
#
#       source [file join [file dirname [info script]] helpers.tcl]
#       ...
#       cleanupTests
#
# It takes the package tactus from the build (environment variable TACTUS_BUILD, else build/ beside tests/, else the
# tree itself), and brings these commands into the global namespace:
#
#   test, cleanupTests, testConstraint ...   from tcltest
#   tempDir                       a directory of this test file's own, removed at the end
#   tempFile name content         writes a file there (UTF-8, newlines as they are); returns its path
#   withTrace text ?name?         the same for a trace, under a new name unless one is given
#   readFile path, readBytes path the content of a file, as UTF-8 text or as bytes
#   golden name actual            compares a text with tests/golden/<name>; "" when equal, else where they differ.
#                                 TACTUS_UPDATE_GOLDEN=1 writes the file instead: look at it before you commit it.
#   tactusRun ?arg ...?           runs the program; a dict of status (number, or a signal's name), stdout, stderr
#   tactusPipe input ?arg ...?    the same with `input` (bytes) on standard input
#   tactusHere ?arg ...?          the same as tactusRun without a process: the program's script runs in a fresh
#                                 interpreter of this process, in a third of the time. For commands that read traces
#                                 and end; processes, signals, channels, locales and limits of memory need tactusRun
#   failure script                runs a script that must fail; {message errorCode}, or {no error: result}
#   toolRun command ...           runs another program; dict as from tactusRun
#   injecting call:what           words before a command of which, by strace, each such call of the system fails: what
#                                 is as strace has it (error=EPERM). It stops for these calls only
#   root                          the source tree
#   buildDir                      the build tree
#   needTk                        loads Tk and the widget into this process and sets the constraint tk. Without a
#                                 DISPLAY it starts an Xvfb of this file's own, which ends with this process: files that
#                                 run side by side do not fight about the pointer and the focus. Says why when there can
#                                 be no Tk.
#   waitUntil condition ?ms?      handles events until the expression is true (1), but no longer than ms (0): 5000
#   hurry script                  runs a script with a clock that goes so fast that long work on a trace of
#                                 testCommandOpen or testCommandText (constraint ctest) calls -progress each time that
#                                 it looks at the clock: some thousand rows are enough then, on every machine
#   timelineOf text ?option value ...?   a timeline .t of a trace with this text, drawn, 640 by 320 pixels without
#                                 highlight; the one before it goes, with its trace. Returns .t
#
# Constraints: ctest (libtactustest is loaded), slow (false with TACTUS_QUICK=1), latex (pdflatex with TikZ), tk (after
# needTk), one for each tool named below, notSanitized, notValgrind (address space limits and such work), root and
# notRoot.

package require tcltest 2.5
namespace import -force ::tcltest::*

namespace eval ::tactus::test {
    namespace export preload tempDir tempFile withTrace readFile readBytes golden tactusRun tactusPipe tactusHere \
        toolRun failure root buildDir needTk waitUntil hurry timelineOf injecting
    variable root [file dirname [file dirname [file normalize [info script]]]]
    variable temp {}
    variable nTraces 0
    variable shownTrace {}
    variable said               ;# stdout or stderr -> the bytes that tactusHere has kept
}

# ---- the build under test --------------------------------------------------------------------------------------------

proc ::tactus::test::root {} {
    variable root
    return $root
}

proc ::tactus::test::buildDir {} {
    if {[info exists ::env(TACTUS_BUILD)]} {return [file normalize $::env(TACTUS_BUILD)]}
    foreach dir [list [file join [root] build] [root]] {
        if {[file exists [file join $dir pkgIndex.tcl]]} {return $dir}
    }
    error "nothing is built: run make, or set TACTUS_BUILD to the build directory"
}

# A library that cannot be loaded makes its tests fail, not skip: the package's tests use its commands unconditionally.
proc ::tactus::test::loadPackage {} {
    set dir [buildDir]
    source -encoding utf-8 [file join $dir pkgIndex.tcl]
    if {[catch {package require tactus} message]} {
        puts stderr "helpers.tcl: package tactus cannot be loaded: $message"
    }
}

proc ::tactus::test::loadCtest {} {
    set library [file join [buildDir] libtactustest[info sharedlibextension]]
    testConstraint ctest [file exists $library]
    if {[file exists $library]} {load $library Tactustest}
}

# ---- files -----------------------------------------------------------------------------------------------------------

proc ::tactus::test::tempDir {} {
    variable temp
    if {$temp eq {}} {
        set base [expr {[info exists ::env(TACTUS_TEST_TMP)] ? $::env(TACTUS_TEST_TMP)
            : [info exists ::env(TMPDIR)] ? $::env(TMPDIR) : "/tmp"}]
        set temp [file join $base tactus-[file rootname [file tail [info script]]]-[pid]]
        file mkdir $temp
    }
    return $temp
}

# tcltest calls this at the end of cleanupTests.
proc ::tcltest::cleanupTestsHook {} {
    if {$::tactus::test::temp ne {}} {file delete -force $::tactus::test::temp}
    set ::tactus::test::temp {}
}

proc ::tactus::test::tempFile {name content} {
    set path [file join [tempDir] $name]
    set channel [open $path w]
    fconfigure $channel -encoding utf-8 -translation lf
    puts -nonewline $channel $content
    close $channel
    return $path
}

proc ::tactus::test::withTrace {text {name {}}} {
    variable nTraces
    if {$name eq {}} {set name trace[incr nTraces].tactus}
    tempFile $name $text
}

proc ::tactus::test::readFile {path} {
    set channel [open $path]
    fconfigure $channel -encoding utf-8 -translation lf
    try {read $channel} finally {close $channel}
}

proc ::tactus::test::readBytes {path} {
    set channel [open $path rb]
    try {read $channel} finally {close $channel}
}

# ---- golden texts ----------------------------------------------------------------------------------------------------

proc ::tactus::test::golden {name actual} {
    set path [file join [root] tests golden $name]
    if {[info exists ::env(TACTUS_UPDATE_GOLDEN)] && $::env(TACTUS_UPDATE_GOLDEN)} {
        file mkdir [file dirname $path]
        set channel [open $path w]
        fconfigure $channel -encoding utf-8 -translation lf
        puts -nonewline $channel $actual
        close $channel
        return {}
    }
    if {![file exists $path]} {return "there is no tests/golden/$name; make it with TACTUS_UPDATE_GOLDEN=1"}
    firstDifference $name [split [readFile $path] \n] [split $actual \n]
}

proc ::tactus::test::firstDifference {name expected actual} {
    set number 0
    foreach old $expected new $actual {
        incr number
        if {$number > [llength $expected]} {return "$name:$number: expected the end, got: $new"}
        if {$number > [llength $actual]} {return "$name:$number: expected: $old\ngot the end"}
        if {$old ne $new} {return "$name:$number: expected: $old\ngot: $new"}
    }
    return {}
}

# ---- running programs ------------------------------------------------------------------------------------------------

proc ::tactus::test::tactusRun {args} {
    toolRun {*}[program] {*}$args
}

proc ::tactus::test::tactusPipe {input args} {
    set path [file join [tempDir] stdin]
    set channel [open $path wb]
    puts -nonewline $channel $input
    close $channel
    runWith $path [list {*}[program] {*}$args]
}

# The words of other characters are read from the process (cli/cli.tcl), so they need one.
proc ::tactus::test::tactusHere {args} {
    if {[regexp {[^\x01-\x7f]} $args]} {return [tactusRun {*}$args]}
    variable said
    set interp [interp create]
    # As one text, so that words come without numbers that they may have been.
    interp eval $interp "set argv [list $args]"
    interp alias $interp exit {} return -code 17
    set channels [lmap channel {stdout stderr} {keepWritten $channel}]
    try {
        interp eval $interp [list source [file join [buildDir] program.tcl]]
    } on 17 {status} {
        # The program has ended.
    } finally {
        foreach channel {stdout stderr} settings $channels {giveBack $channel $settings}
        interp delete $interp
    }
    dict create status $status stdout [encoding convertfrom utf-8 $said(stdout)] \
        stderr [encoding convertfrom utf-8 $said(stderr)]
}

# What is written to the channel is kept from now on; its settings, for giveBack.
proc ::tactus::test::keepWritten {channel} {
    variable said
    flush $channel
    set settings [fconfigure $channel]
    set said($channel) {}
    chan push $channel [list ::tactus::test::kept $channel]
    return $settings
}

proc ::tactus::test::giveBack {channel settings} {
    flush $channel
    chan pop $channel
    foreach option {-buffering -buffersize -encoding -translation} {
        fconfigure $channel $option [dict get $settings $option]
    }
}

# The transformation that keeps what is written.
namespace eval ::tactus::test::kept {
    namespace export initialize finalize write flush
    namespace ensemble create -parameters channel
    proc initialize {channel handle mode} {return {initialize finalize write flush}}
    proc finalize {channel handle} {}
    proc flush {channel handle} {}
    proc write {channel handle bytes} {
        append ::tactus::test::said($channel) $bytes
        return {}
    }
}

proc ::tactus::test::toolRun {args} {
    runWith /dev/null $args
}

proc ::tactus::test::injecting {inject} {
    list strace -f --seccomp-bpf -qq -o /dev/null -e trace=[lindex [split $inject :] 0] -e inject=$inject
}

# Under a wrapper such as valgrind the program runs without the one that starts it otherwise.
proc ::tactus::test::program {} {
    if {[info exists ::env(TACTUS_WRAPPER)] && $::env(TACTUS_WRAPPER) ne {}} {
        return [list {*}$::env(TACTUS_WRAPPER) [info nameofexecutable] [file join [buildDir] program.tcl]]
    }
    list [file join [buildDir] tactus]
}

proc ::tactus::test::runWith {stdin command} {
    set out [file join [tempDir] stdout]
    set err [file join [tempDir] stderr]
    set status 0
    if {[catch {exec -ignorestderr -- {*}[quoted $command] <$stdin >$out 2>$err} message options]} {
        set code [dict get $options -errorcode]
        switch [lindex $code 0] {
            CHILDSTATUS {set status [lindex $code 2]}
            CHILDKILLED {set status [lindex $code 2]}
            default {return -options $options $message}
        }
    }
    dict create status $status stdout [readFile $out] stderr [readFile $err]
}

# exec takes words such as <x or | for its own; when there are any, a shell with the words as its arguments runs them.
proc ::tactus::test::quoted {command} {
    foreach word $command {
        if {[regexp {^([<>|&]|2>)} $word]} {
            set text exec
            foreach word $command {append text " '[string map {' '\\''} $word]'"}
            return [list sh -c $text]
        }
    }
    return $command
}

proc ::tactus::test::failure {script} {
    if {[catch {uplevel 1 $script} message options]} {
        return [list $message [dict get $options -errorcode]]
    }
    return [list "no error: $message"]
}

proc ::tactus::test::hurry {script} {
    testCommandHurry 1000
    try {uplevel 1 $script} finally {testCommandHurry 0}
}

# ---- Tk --------------------------------------------------------------------------------------------------------------

proc ::tactus::test::needTk {} {
    if {[testConstraint tk]} return
    set own [expr {![info exists ::env(DISPLAY)] || $::env(DISPLAY) eq {}}]
    if {[catch {
        startDisplay
        # Tk would take words of tcltest's for its own.
        set ::argv {}
        package require tactus::tk
    } message]} {
        puts "no Tk: $message"
        return
    }
    if {$own} parkPointer
    # Tk would put up a dialog and wait for someone to answer it.
    interp bgerror {} ::tactus::test::backgroundError
    testConstraint tk 1
}

# A server's pointer stands in the middle of the screen, where windows come up under it and get motions that no test has
# made.
proc ::tactus::test::parkPointer {} {
    update
    event generate . <Motion> -warp 1 -x [winfo screenwidth .] -y [winfo screenheight .]
    update
}

proc ::tactus::test::backgroundError {message options} {
    puts "background error: [dict get $options -errorinfo]"
}

# -terminate: the server ends when its last client has gone, however that came about. Its number comes through the pipe.
proc ::tactus::test::startDisplay {} {
    if {[info exists ::env(DISPLAY)] && $::env(DISPLAY) ne {}} return
    if {[auto_execok Xvfb] eq {}} {error "there is no DISPLAY and no Xvfb to make one (apt-get install xvfb)"}
    set pipe [open |[list Xvfb -displayfd 1 -screen 0 1920x1080x24 -dpi 96 -nolisten tcp -terminate 2>/dev/null]]
    set number [gets $pipe]
    # Closed in this mode, the pipe does not wait for the server's end.
    fconfigure $pipe -blocking 0
    close $pipe
    if {![string is digit -strict $number]} {error "there is no DISPLAY and Xvfb does not start"}
    set ::env(DISPLAY) :$number
}

proc ::tactus::test::waitUntil {condition {milliseconds 5000}} {
    variable late 0
    set timer [after $milliseconds {set ::tactus::test::late 1}]
    # Something to wake up for, when nothing else happens.
    after 10 ::tactus::test::tick
    while {![set reached [uplevel 1 [list expr $condition]]] && !$late} {
        vwait ::tactus::test::awake
    }
    after cancel $timer
    after cancel ::tactus::test::tick
    return [expr {!!$reached}]
}

proc ::tactus::test::tick {} {
    set ::tactus::test::awake 1
    after 10 ::tactus::test::tick
}

proc ::tactus::test::timelineOf {text args} {
    variable shownTrace
    destroy .t
    if {[info commands $shownTrace] ne {}} {$shownTrace close}
    set shownTrace [tactus::openText $text]
    wm deiconify . ;# the program's window may have been here before
    wm geometry . 640x320+0+0
    tactus::timeline .t -trace $shownTrace -highlightthickness 0 {*}$args
    pack .t -fill both -expand 1
    waitUntil {[winfo viewable .t] && [winfo width .t] == 640 && [winfo height .t] == 320}
    update
    return .t
}

# ---- constraints -----------------------------------------------------------------------------------------------------

proc ::tactus::test::setConstraints {} {
    foreach tool {pdftotext pdffonts pdfinfo pdftocairo gs xmllint valgrind zstd xz gzip man groff clang} {
        testConstraint $tool [expr {[auto_execok $tool] ne {}}]
    }
    testConstraint latex [expr {[auto_execok pdflatex] ne {} && ![catch {exec kpsewhich tikz.sty}]}]
    testConstraint slow [expr {![info exists ::env(TACTUS_QUICK)] || !$::env(TACTUS_QUICK)}]
    testConstraint notSanitized [expr {![info exists ::env(TACTUS_SANITIZED)]}]
    testConstraint notValgrind [expr {![info exists ::env(TACTUS_VALGRIND)]}]
    testConstraint notRoot [expr {[exec id -u] != 0}]
    testConstraint root [expr {[exec id -u] == 0}]
    # A window's heap lies in large pages where the system has them and no memory is limited (base/mem.h).
    testConstraint largePages [expr {[file readable /sys/kernel/mm/transparent_hugepage/enabled]
        && [regexp -all -line {^Max (?:data size|address space) +unlimited} [readFile /proc/self/limits]] == 2}]
}

# Words before the command of a program that loads what is tested: they bring it the sanitizers' library, if any.
proc ::tactus::test::preload {} {
    if {![info exists ::env(TACTUS_PRELOAD)] || $::env(TACTUS_PRELOAD) eq {}} return
    list env LD_PRELOAD=$::env(TACTUS_PRELOAD)
}

# The sanitizer's library is for this process; other programs would only report their own leaks.
unset -nocomplain ::env(LD_PRELOAD)
configure {*}$::argv
::tactus::test::loadPackage
::tactus::test::loadCtest
::tactus::test::setConstraints
namespace import -force ::tactus::test::*
