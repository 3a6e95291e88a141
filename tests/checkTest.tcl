# checkTest.tcl -- what the tests of checks have in common; read after helpers.tcl.
#
#   findingsOf check text ?option value ...?   opens the text as a trace, runs the check, and gives its verdict and
#                             then, a line each, what it found: "verdict severity time..end line: sentence"; options of
#                             plugins are set for it
#   findingsIn check file ?option value ...?   the same of a file

::tactus::need plugin/plugin plugin/check plugin/expect
# The plugins of the source tree, whatever the user has.
set ::env(XDG_DATA_HOME) [tempDir]
::tactus::plugin::loadAll

namespace eval ::checktest {}

proc ::checktest::line {finding} {
    dict with finding {}
    set span $time
    if {$end ne {}} {append span ..$end}
    return "$verdict $severity $span $line: $sentence"
}

proc findingsOf {check text args} {
    findingsIn $check [withTrace $text] {*}$args
}

proc findingsIn {check path args} {
    set trace [tactus::open $path]
    foreach {name value} $args {::tactus::plugin::option $name $value}
    try {
        set verdicts [::tactus::check::run $trace -with [list $check]]
        set lines [list [dict get $verdicts $check]]
        foreach finding [$trace finding list $check] {lappend lines [::checktest::line $finding]}
    } finally {
        $trace close
    }
    join $lines \n
}
