# cli/columns.tcl -- rows of cells as text: in columns, as CSV, as JSON.

::tactus::need cli/json

namespace eval ::tactus::cli {}

# Prints rows below their heads, in columns: those of `texts` stand to the left, the others, numbers, to the right.
proc ::tactus::cli::printColumns {heads rows {texts {}}} {
    set rows [linsert $rows 0 $heads]
    set widths [lmap head $heads {expr 0}]
    set rows [lmap row $rows {lmap cell $row {visibleLine $cell}}]
    foreach row $rows {
        set widths [lmap width $widths cell $row {expr {max($width, [string length $cell])}}]
    }
    foreach row $rows {
        set cells [lmap head $heads width $widths cell $row {
            format [expr {$head in $texts ? "%-*s" : "%*s"}] $width $cell
        }]
        puts [string trimright [join $cells {  }]]
    }
}

# CSV as in RFC 4180, with a line of heads. A text that a spreadsheet would take for a formula stays as it is, unless
# --csv-safe is given.
proc ::tactus::cli::printCsv {heads rows} {
    foreach row [linsert $rows 0 $heads] {puts [csvLine $row]}
}

proc ::tactus::cli::csvLine {cells} {
    # Not by expr, which would make a floating-point number of a time.
    set quoted [expr {[::tactus::csvSafe] ? {^ | $|^'|[",;\t\r\n]} : {^ | $|[",\r\n]}}]
    join [lmap cell $cells {
        set cell [::tactus::csvCell $cell]
        if {[regexp $quoted $cell]} {string cat \" [string map {\" \"\"} $cell] \"} else {set cell}
    }] ,
}

# A list of objects; the cells of `texts` are strings, others numbers, and null where they are empty.
proc ::tactus::cli::printJson {heads rows {texts {}}} {
    puts [jsonArray [lmap row $rows {
        set object {}
        foreach head $heads cell $row {
            dict set object $head [if {$head in $texts} {jsonString $cell} else {jsonValue $cell}]
        }
        jsonObject $object
    }]]
}
