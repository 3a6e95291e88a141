# cli/plan.tcl -- tactus plan: what a monitor has to process in each period so that all elements of its sensors are
# processed in time.
#
#   options, files -> {NAME -period T ...} of each sensor, and the monitor -> tactus::plan -> a table or JSON
#
# Where something that is demanded is impossible, the nearest plan is printed, and a sentence says so.

::tactus::need cli/json cli/columns

namespace eval ::tactus::cli::plan {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runPlan {operands options} {
    set sensors {}
    set monitor {}
    foreach file $operands {plan::readFile $file}
    lappend sensors {*}[plan::optionSensors $options]
    set monitor [dict merge $monitor [among $options [::tactus::describe plan]]]
    if {![llength $sensors]} {usageError plan "a sensor is needed: --period T, --sensor \"NAME -period T\", or a FILE"}
    if {![dict exists $monitor -monitor]} {usageError plan "the monitor's period is needed: --monitor T"}
    set plan [plan::compute $sensors $monitor]
    set problems [plan::problems $plan]
    plan::print[string totitle [option $options -format table]] $plan $problems
    setStatus [expr {[llength $problems] > 0}]
}

# ---- what is given ---------------------------------------------------------------------------------------------------

# The sensors among the options: those of --sensor, and the one that --period is of.
proc ::tactus::cli::plan::optionSensors {options} {
    set sensors {}
    foreach text [option $options -sensor] {
        set words [words $text "--sensor \"$text\""]
        if {![llength $words]} {usageError plan "--sensor needs a name and options: \"speed -period 3ms\""}
        lappend sensors $words
    }
    set given [among $options [::tactus::describe sensor]]
    if {[llength $given]} {
        if {![dict exists $options -period]} {usageError plan "--period is needed beside -[lindex $given 0]"}
        lappend sensors [list [option $options -name sensor] {*}$given]
    }
    return $sensors
}

# The plan; a mistake is that of the words at `where`, as in "file:7: ".
proc ::tactus::cli::plan::compute {sensors monitor {where {}}} {
    try {
        return [::tactus::plan $sensors {*}$monitor]
    } trap TACTUS message {
    } trap {TCL LOOKUP} message {
    }
    usageError plan $where$message
}

proc ::tactus::cli::plan::words {text where} {
    if {![string is list $text]} {usageError plan "$where: braces or quotes do not match"}
    list {*}$text
}

# Reads `sensor NAME ?-option value ...?` and `monitor T ?-option value ...?` into the caller's sensors and monitor.
proc ::tactus::cli::plan::readFile {file} {
    upvar 1 sensors sensors monitor monitor
    if {![file exists $file]} {usageError plan "there is no file \"$file\" of sensors"}
    set lines [split [::tactus::contentText $file "file of sensors"] \n]
    set number 0
    foreach line $lines {
        set where "$file:[incr number]"
        set line [string trim $line]
        if {$line eq {} || [string match #* $line]} continue
        set arguments [lassign [words $line $where] first name]
        if {$first ni {sensor monitor} || $name eq {}} {
            usageError plan "$where: must be `sensor NAME -period T ...` or `monitor T ...`"
        }
        if {$first eq "sensor"} {
            set sensor [list $name {*}$arguments]
            compute [list $sensor] {-monitor 1} "$where: "
            lappend sensors $sensor
            continue
        }
        if {[llength $monitor]} {usageError plan "$where: another monitor: one is planned at a time"}
        if {[llength $arguments] % 2} {usageError plan "$where: option \"[lindex $arguments end]\" needs a value"}
        set monitor [list -monitor $name {*}$arguments]
        compute {} $monitor "$where: "
    }
}

# ---- what is impossible ----------------------------------------------------------------------------------------------

# A sentence about each demand that cannot be met, with the nearest that can.
proc ::tactus::cli::plan::problems {plan} {
    set problems {}
    foreach sensor [dict get $plan sensors] {
        dict with sensor {}
        switch $problem {
            latency {
                lappend problems "sensor $name: its latency cannot be so short: the shortest is [time $shortest], with\
                    [elements $most] in each period. It is the sum of the monitor's period and deadline; only a\
                    shorter sum makes it shorter"
            }
            elements {
                lappend problems "sensor $name: with so few elements in each period they pile up for ever: at least\
                    $least must be processed, with a latency of [time $longest]; or give the monitor a shorter period"
            }
        }
    }
    if {![dict get $plan fits]} {lappend problems [tooMuch $plan]}
    return $problems
}

proc ::tactus::cli::plan::tooMuch {plan} {
    dict with plan {}
    set text "the elements need [time $work] in each period, [time [expr {$work - $budget}]] more than the budget\
        of [time $budget]"
    if {$leastWork > $budget} {
        return "$text; [time $leastWork] are the least, with the longest latencies: the budget must be at least this,\
            or the costs lower"
    }
    return "$text: allow longer latencies (with the longest ones they need [time $leastWork]), or give the monitor more"
}

# ---- what is printed -------------------------------------------------------------------------------------------------

# Nanoseconds in the largest unit of which there is at least one, exactly.
proc ::tactus::cli::plan::time {ns} {
    foreach {unit digits} {s 9 ms 6 us 3} {
        if {$ns < 10 ** $digits} continue
        set fraction [string trimright [format %0${digits}lld [expr {$ns % 10 ** $digits}]] 0]
        return [string trimright [expr {$ns / 10 ** $digits}].$fraction .]$unit
    }
    return ${ns}ns
}

proc ::tactus::cli::plan::elements {n} {
    return "$n element[expr {$n == 1 ? {} : "s"}]"
}

# A row for each sensor, and below them what they need together.
proc ::tactus::cli::plan::printTable {plan problems} {
    set columns {sensor burst elements least most latency shortest longest buffer backlog work}
    set rows {}
    foreach sensor [dict get $plan sensors] {
        dict with sensor {}
        lappend rows [list $name [expr {$burst eq {} ? "-" : $burst}] $elements $least $most \
            [time $latency] [time $shortest] [time $longest] $buffer $backlog [expr {$work ? [time $work] : "-"}]]
    }
    printColumns $columns $rows sensor
    dict with plan {}
    puts {}
    puts [pair monitor "period [time $monitor], deadline [time $deadline], budget [time $budget]"]
    set range "at least [time $leastWork], at most [time $mostWork]"
    puts [pair "each period" "[elements $elements][expr {$mostWork ? " in [time $work], $range" : {}}]"]
    foreach problem $problems {say "tactus: [visibleLine $problem]"}
}

proc ::tactus::cli::plan::printJson {plan problems} {
    set sensors [lmap sensor [dict get $plan sensors] {
        dict set sensor burst [jsonValue [dict get $sensor burst]]
        dict set sensor name [jsonString [dict get $sensor name]]
        set problem [dict get $sensor problem]
        dict set sensor problem [expr {$problem eq {} ? "null" : [jsonString $problem]}]
        jsonObject $sensor
    }]
    dict set plan fits [expr {[dict get $plan fits] ? "true" : "false"}]
    dict set plan sensors [jsonArray $sensors]
    dict set plan problems [jsonArray [lmap problem $problems {jsonString $problem}]]
    puts [jsonObject $plan]
}
