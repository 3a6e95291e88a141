# cli/info.tcl -- tactus info: the contents of a trace, as a table or as JSON.

::tactus::need cli/json

namespace eval ::tactus::cli {}

proc ::tactus::cli::runInfo {operands options} {
    withTrace info $operands $options trace {
        if {[option $options -format table] eq "json"} {
            puts [infoJson [$trace info] [$trace diagnostics]]
        } else {
            infoTable [$trace info]
        }
        sayOutlier [lindex $operands 0] $trace $options
    }
}

# Prints `$trace info` for people: span, counts by kind, processors.
proc ::tactus::cli::infoTable {info} {
    dict with info {
        set span [list begin $begin end $end length $length]
        set found [list error $errors warning $warnings note $notes]
    }
    puts [pair file [visibleLine $file]]
    foreach {name value} $span {puts [pair $name $value]}
    puts [pair events [dict get $info events]]
    puts [pair jobs [dict get $info jobs]]
    puts [pair clusters [dict get $info clusters]]
    if {[dict get $info messages] || [dict get $info lost]} {
        puts [pair reference [visibleLine [dict get $info reference]]]
        puts [pair messages "[dict get $info messages], [dict get $info lost] lost"]
    }
    puts [pair diagnostics \
        [join [lmap {name value} $found {string cat "$value $name" [expr {$value == 1 ? {} : "s"}]}] {, }]]
    section defined [dict get $info objects]
    section events [dict get $info eventCounts]
    puts "\nprocessors"
    foreach processor [dict get $info processors] {
        puts "  [visibleLine [processorText $processor]]"
    }
}

proc ::tactus::cli::section {title counts} {
    puts "\n$title"
    dict for {name count} $counts {
        if {$count} {puts [format "  %-26s %12d" $name $count]}
    }
}

proc ::tactus::cli::processorText {processor} {
    dict with processor {
        set text $id
        if {$name ne $id} {append text " \"$name\""}
        if {$cluster ne {}} {append text ", cluster $cluster"}
        if {$mapped} {append text ", clock mapped"}
        if {$scheduler ne {}} {append text ", scheduler $scheduler"}
    }
    return $text
}

proc ::tactus::cli::infoJson {info remarks} {
    foreach key {file reference unit} {dict set info $key [jsonString [dict get $info $key]]}
    foreach key {objects eventCounts} {dict set info $key [jsonObject [dict get $info $key]]}
    dict set info processors [jsonArray [lmap processor [dict get $info processors] {
        dict with processor {
            jsonObject [dict create id [jsonString $id] name [jsonString $name] \
                cluster [expr {$cluster eq {} ? "null" : $cluster}] mapped [expr {$mapped ? "true" : "false"}] \
                scheduler [expr {$scheduler eq {} ? "null" : [jsonString $scheduler]}]]
        }
    }]]
    dict set info diagnostics [jsonArray [lmap remark $remarks {
        foreach key {severity kind text} {dict set remark $key [jsonString [dict get $remark $key]]}
        jsonObject $remark
    }]]
    jsonObject $info
}
