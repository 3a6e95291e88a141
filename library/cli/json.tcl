# cli/json.tcl -- texts, objects and lists as JSON, for a terminal: what acts on one is escaped.

::tactus::need cli/terminal

namespace eval ::tactus::cli {}

proc ::tactus::cli::jsonString {text} {
    return "\"[visibleLine [string map [list \\ {\\} \" {\"}] $text]]\""
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
