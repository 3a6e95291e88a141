# cli/json.tcl -- texts, numbers, objects and lists as JSON, safe for a terminal: control characters are escaped.

::tactus::need cli/terminal

namespace eval ::tactus::cli {}

# A text without what JSON and XML do not allow: lone surrogates, and U+FFFE and U+FFFF.
proc ::tactus::cli::wholeText {text} {
    if {![regexp {[\ud800-\udfff\ufffe\uffff]} $text]} {return $text}
    regsub -all {[\ud800-\udbff](?![\udc00-\udfff])|[\ufffe\uffff]} $text \ufffd text
    regsub -all {(^|[^\ud800-\udbff])[\udc00-\udfff]} $text "\\1\ufffd" text
    return $text
}

proc ::tactus::cli::jsonString {text} {
    return "\"[visibleLine [string map [list \\ {\\} \" {\"}] [wholeText $text]]]\""
}

# A number or another value that is JSON already; null when it is empty. (Not by expr, which would make a floating-point
# number of a time.)
proc ::tactus::cli::jsonValue {value} {
    if {$value eq {}} {return null}
    return $value
}

# A dict as an object; values are JSON already.
proc ::tactus::cli::jsonObject {dict} {
    set members {}
    dict for {key value} $dict {lappend members "[jsonString $key]: $value"}
    return "{[join $members {, }]}"
}

proc ::tactus::cli::jsonArray {values} {
    return "\[[join $values {, }]\]"
}
