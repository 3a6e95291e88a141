# cli/instances.tcl -- tactus instances: the instances of models (tactus_model(n)) and how they were judged, as a table.
#
#   files of expectations -> statements with their places -> $trace instances -> a table

namespace eval ::tactus::cli::instances {
    namespace path ::tactus::cli
}

proc ::tactus::cli::runInstances {operands options} {
    if {![dict exists $options -expect]} {usageError instances "a file with models is needed: --expect FILE"}
    set statements [concat {*}[lmap file [dict get $options -expect] {
        instances::statements $file [expectSettings instances $options] [scriptLimits $options]
    }]]
    withTrace instances $operands [keeping $options $statements] trace {
        $trace instances $statements {*}[among $options [list {name -model} {name -verdict} {name -where}]] \
            -format [option $options -format table] -channel stdout
        if {[option $options -format table] eq "table"} {
            puts -nonewline [instances::legend $statements [option $options -model {}]]
        }
    }
}

# The text of each constraint below its column's name, a line each, of the models that are wanted ({}: of all).
proc ::tactus::cli::instances::legend {statements only} {
    set lines {}
    foreach statement $statements {
        lassign $statement place words
        switch [lindex $words 0] {
            model {
                set model [lindex $words 1]
                set number 0
            }
            require {
                incr number
                if {![[namespace parent]::fitsNames $only $model]} continue
                append lines "\n$model r$number: [join [lrange $words 1 end]] ($place)"
            }
        }
    }
    if {$lines eq {}} return
    return "$lines\n"
}

# The statements of a file: {place words}.
proc ::tactus::cli::instances::statements {file settings limits} {
    if {![file exists $file]} {usageError instances "there is no file \"$file\" of expectations"}
    try {
        set read [::tactus::expectation read $file $settings {*}$limits]
    } trap TACTUS message {
        usageError instances $message
    }
    lmap statement $read {
        lassign $statement line words
        list [file tail $file]:$line $words
    }
}
