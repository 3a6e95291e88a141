# expect.tcl -- expectations: conditions on the trace of one scenario, in files of a few lines (tactus_expect(n)).
#
# The language is in library/plugin/expect.tcl; this plugin makes a check of each file: `tactus check TRACE --expect
# FILE`, and a further check in the window, when that is started with --expect FILE.

plugin expect -title "Expectations" -help "checks what a file states about one scenario"
option expect -type file -argument FILE -help "expectations about the trace (tactus_expect(n)), run with the checks"

on <TraceOpened> readFile

# Reads the files of --expect, once, when the first trace was opened: all options are known then. `tactus check` has
# read them before.
proc readFile {trace view} {
    variable done
    if {[info exists done] || [option get expect] eq {}} return
    set done 1
    ::tactus::need plugin/expect
    foreach file [option get expect] {
        if {![::tactus::expect::isLoaded $file]} {::tactus::expect::loadFile $file}
    }
}
