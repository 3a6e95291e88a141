# cli/junit.tcl -- JUnit XML: suites of cases that passed, failed, could not be judged (errors) or do not apply.

::tactus::need cli/json

namespace eval ::tactus::cli::junit {
    namespace path ::tactus::cli
}

proc ::tactus::cli::junit::xml {text} {
    visibleLine [string map {& &amp; < &lt; > &gt; \" &quot;} [wholeText $text]]
}

# Prints suites.
proc ::tactus::cli::junit::print {name suites} {
    puts "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"[xml $name]\">"
    foreach suite $suites {puts $suite}
    puts "</testsuites>"
}

# A suite of cases, which are lists: element (failure, error, skipped or {}), and the text that `case` makes.
proc ::tactus::cli::junit::suite {name cases} {
    set counts {}
    foreach element {failure error skipped} {
        lappend counts [llength [lsearch -all -exact -index 0 $cases $element]]
    }
    lassign $counts failures errors skipped
    set lines [list "  <testsuite name=\"[xml $name]\" tests=\"[llength $cases]\" failures=\"$failures\"\
        errors=\"$errors\" skipped=\"$skipped\">"]
    foreach case $cases {lappend lines [lindex $case 1]}
    join [lappend lines "  </testsuite>"] \n
}

# A case: {element text}. element: {}, it passed; skipped; failure or error, which has a type, a message and lines.
proc ::tactus::cli::junit::case {name class element {type {}} {message {}} {lines {}}} {
    set head "    <testcase name=\"[xml $name]\" classname=\"[xml $class]\""
    switch $element {
        {} {return [list {} "$head/>"]}
        skipped {return [list skipped "$head>\n      <skipped/>\n    </testcase>"]}
    }
    set begin "      <$element type=\"$type\" message=\"[xml $message]\""
    set inside [expr {[llength $lines] ? ">\n[join [lmap line $lines {xml $line}] \n]\n      </$element>" : "/>"}]
    list $element "$head>\n$begin$inside\n    </testcase>"
}
