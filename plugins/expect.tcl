# expect.tcl -- expectations: what a trace of one scenario is to show, in files of a few lines (tactus_expect(n)).
#
# The language is the library's (library/plugin/expect.tcl); this makes a check of each file: `tactus check TRACE
# --expect FILE`, and in the window, started with --expect FILE, one more among the checks.

plugin expect -title "Expectations" -help "checks what a file states about one scenario"
option expect -type file -argument FILE -help "expectations about the trace (tactus_expect(n)), run with the checks"

on <TraceOpened> readFile

# Once: when the first trace is there, all options are.
proc readFile {trace view} {
    variable done
    if {[info exists done] || [option get expect] eq {}} return
    set done 1
    ::tactus::need plugin/expect
    foreach file [option get expect] {::tactus::expect::loadFile $file}
}
