# cli/sensors.tcl -- tactus sensors and tactus tail: which sensors the programs of this machine have, what they write.
#
#   folders -> tactus::recorder without a file -> a table of sensors; or their elements as they come

::tactus::need cli/terminal cli/duration cli/columns

namespace eval ::tactus::cli::sensors {
    namespace path ::tactus::cli
    variable heads {program pid sensor kind size rings written rate lost fields}
    variable texts {program sensor kind fields}
}

# Folders and files that are looked at: those that are named, or the default folder with those of recordings in it.
proc ::tactus::cli::sensors::folders {operands} {
    if {[llength $operands]} {return $operands}
    set folder [::tactus::recordFolder]
    list $folder {*}[lsort [glob -nocomplain -types d -directory $folder tactus-record-*]]
}

# Tells remarks, but not that the folder of a recorder is gone, which has ended meanwhile.
proc ::tactus::cli::sensors::remark {recorder} {
    foreach text [$recorder remarks] {
        if {[regexp {^(/.*/tactus-record-[^/:]+): } $text -> folder] && ![file exists $folder]} continue
        say "tactus: warning: [visibleLine $text]"
    }
}

# ---- sensors ---------------------------------------------------------------------------------------------------------

proc ::tactus::cli::runSensors {operands options} {
    set folders [sensors::folders $operands]
    set length [expr {[dict exists $options -for] ? [milliseconds sensors -for $options] : 1000}]
    set recorder [::tactus::recorder -catch yes -new yes -trusted [option $options -trusted 0] -folders $folders]
    try {
        set begin [clock microseconds]
        setStatus [tellLost [$recorder wait $length]]
        $recorder stop
        set seconds [expr {$length ? ([clock microseconds] - $begin) / 1e6 : 0}]
        sensors::remark $recorder
        set rows [sensors::rows [$recorder sensors] $seconds]
    } finally {
        $recorder close
    }
    sensors::print [option $options -format table] $rows
    if {![llength $rows]} {say "tactus: note: no program shows sensors in [visibleLine [join $folders {, }]]"}
}

# A row for each sensor; the rings of its threads together.
proc ::tactus::cli::sensors::rows {sensors seconds} {
    set sums {}
    foreach row $sensors {
        dict with row {}
        set key [list $program $pid $sensor]
        if {![dict exists $sums $key]} {dict set sums $key [list $kind $size $fields $lasting 0 0 0 0]}
        lassign [dict get $sums $key] kind size fields lasting rings written read missed
        dict set sums $key [list $kind $size $fields $lasting [incr rings] \
            [incr written [expr {$before + $elements + $lost}]] [incr read [expr {$elements + $lost}]] \
            [incr missed $lost]]
    }
    set rows {}
    dict for {key sum} $sums {
        lassign $sum kind size fields lasting rings written read missed
        set rate [expr {$seconds > 0 && !$lasting ? [::tactus::format %.0f [expr {$read / $seconds}]] : {}}]
        lappend rows [list {*}$key $kind $size $rings $written $rate $missed [join $fields]]
    }
    return $rows
}

proc ::tactus::cli::sensors::print {format rows} {
    variable heads
    variable texts
    switch $format {
        csv {printCsv $heads $rows}
        json {printJson $heads $rows $texts}
        table {
            if {[llength $rows]} {printColumns $heads $rows $texts}
        }
    }
}

# ---- tail ------------------------------------------------------------------------------------------------------------

proc ::tactus::cli::runTail {operands options} {
    set folders [sensors::folders $operands]
    set until [expr {[dict exists $options -for] ? [clock milliseconds] + [milliseconds tail -for $options] : {}}]
    set recorder [::tactus::recorder -catch yes -elements yes -pattern [option $options -sensor *] \
        -new [expr {![option $options -all 0]}] -trusted [option $options -trusted 0] -folders $folders]
    try {
        sensors::follow $recorder $until $options [sensors::areFiles $folders]
    } finally {
        $recorder close
    }
}

proc ::tactus::cli::sensors::areFiles {folders} {
    foreach path $folders {
        if {[file isdirectory $path]} {return 0}
    }
    return 1
}

# Prints elements until the time is over, there were enough, a signal came, or (of files) the programs have ended.
proc ::tactus::cli::sensors::follow {recorder until options ends} {
    set left [option $options -limit -1]
    set format [option $options -format text]
    set over 0
    while 1 {
        set event [$recorder wait [expr {$until eq {} ? 50 : max(0, min(50, $until - [clock milliseconds]))}]]
        if {$event ne {} || ($until ne {} && [clock milliseconds] >= $until)
                || ($ends && ![dict get [$recorder counts] running])} {
            $recorder stop
            set over 1
        }
        lassign [$recorder read] elements lost
        foreach element $elements {
            if {!$left} return
            puts [element $format $element]
            incr left -1
        }
        flush stdout
        remark $recorder
        if {$lost} {say "tactus: warning: $lost more elements came than can be printed"}
        if {$over || !$left} {return [setStatus [tellLost $event]]}
    }
}

proc ::tactus::cli::sensors::element {format element} {
    dict with element {}
    if {$format eq "text"} {
        lassign [split $time .] whole fraction
        set text "$whole.[string range ${fraction}000000000 0 8]  $source\[$pid\]  $sensor"
        foreach {name value} $values {append text "  $name=$value"}
        return [visibleLine $text]
    }
    set fields {}
    foreach {name value} $values {
        dict set fields $name [if {[string is double -strict $value] && [string is ascii $value]
                && [regexp {^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$} $value]} {set value} else {jsonString $value}]
    }
    jsonObject [dict create time $time program [jsonString $source] pid $pid sensor [jsonString $sensor] \
        number $number values [jsonObject $fields]]
}
