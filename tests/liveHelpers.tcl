# liveHelpers.tcl -- for tests of what follows programs while they run.
#
#   watchNew ?-option value ...?     a tactus::recorder of a new folder, which holds what comes: ::live, ::folder
#   endWatch
#   beginWriter                      a program with sensors in that folder (tests/record/liveWriter.c)
#   tellWriter PROGRAM word ...      lets it write, and waits until it has
#   endWriter PROGRAM
#   heldJobs, heldEvents, heldRemarks ?-last SECONDS?     what is held, as a trace

proc watchNew {args} {
    variable folders
    set ::folder [file join [tempDir] watched[incr folders]]
    file mkdir $::folder
    set ::live [tactus::recorder -folders [list $::folder] -memory 64M {*}$args]
}

proc endWatch {} {
    $::live close
    file delete -force $::folder
}

proc beginWriter {} {
    set writer [open |[list [file join [buildDir] record liveWriter] $::folder] r+]
    fconfigure $writer -buffering line
    return $writer
}

proc tellWriter {writer args} {
    puts $writer $args
    if {[gets $writer answer] < 0 || $answer ne "done"} {error "the writer did not answer"}
}

proc endWriter {writer} {
    close $writer
}

# Runs a script with a trace of what is held.
proc withHeld {options script} {
    set file [file join [tempDir] held.tacs]
    $::live write $file {*}$options
    set trace [tactus::open $file]
    set result [eval $script]
    $trace close
    return $result
}

proc heldJobs {args} {withHeld $args {$trace jobs}}
proc heldEvents {args} {withHeld $args {dict get [$trace info] events}}
proc heldRemarks {args} {withHeld $args {lmap remark [$trace diagnostics] {dict get $remark text}}}
