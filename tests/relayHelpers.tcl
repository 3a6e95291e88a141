# relayHelpers.tcl -- what tests of relays share: relays and programs that run, and what was stored, which is read by
# procedures here that know the form of a stream from its manual page alone (tactus_stream(5)).

namespace eval ::relaytest {
    variable number 0
    variable running {}    ;# channels of relays
    variable magic \x89TacS\r\n\x1a
    variable program [file join [buildDir] record testProgram]
    # Elements are at a relay's storages after some milliseconds.
    variable quick "collect -period 2ms -gather 4ms"
}

# ---- programs --------------------------------------------------------------------------------------------------------

proc ::relaytest::newPath {name} {
    variable number
    file join [tempDir] [incr number]-$name
}

proc ::relaytest::config {text} {
    tempFile [file tail [newPath relay.conf]] $text\n
}

# Begins a relay, in a channel. What it says is in `said` of its dict.
proc ::relaytest::begin {text {wrapper {}}} {
    set channel [open |[list {*}$wrapper {*}[::tactus::test::program] relay --config [config $text] 2>@1] r]
    while {[gets $channel line] >= 0} {
        append said $line\n
        if {[string match "*relaying*" $line]} {
            dict set ::relaytest::running $channel {}
            return $channel
        }
    }
    catch {close $channel}
    error "the relay does not run: $said"
}

# Waits for a line that it says, and returns it.
proc ::relaytest::hear {channel pattern} {
    while {[gets $channel line] >= 0} {
        if {[string match $pattern $line]} {return $line}
    }
    error "it did not say $pattern"
}

# Ends it with a signal: {status, what it said}.
proc ::relaytest::end {channel {signal INT}} {
    dict unset ::relaytest::running $channel
    exec kill -$signal [lindex [pid $channel] end]
    set said [read $channel]
    set status 0
    if {[catch {close $channel} message result]} {set status [lrange [dict get $result -errorcode] 0 2]}
    if {[lindex $status 0] eq "CHILDSTATUS"} {set status [lindex $status 2]}
    if {[lindex $status 0] eq "CHILDKILLED"} {set status [lindex $status 2]}
    list $status $said
}

# The port at which a relay waits, of what it has said. The line may come later.
proc ::relaytest::freePort {} {
    set socket [socket -server {} -myaddr 127.0.0.1 0]
    set port [lindex [fconfigure $socket -sockname] 2]
    close $socket
    return $port
}

# A program that writes as many elements as it is told. Only one runs: that of a test that has failed is ended.
proc ::relaytest::beginProgram {} {
    variable program
    variable writing
    catch {close $writing}
    set writing [open |[list $program obey] r+]
}

# Lets a program write so many elements.
proc ::relaytest::write {channel count} {
    puts $channel $count
    flush $channel
    gets $channel
}

# ---- what was stored -------------------------------------------------------------------------------------------------

# Packets of files: {first count} of each packet of elements by source and sensor, and sums of what was told as lost.
proc ::relaytest::packets {files} {
    variable magic
    set result {spans {} lost {} damaged 0 ends {}}
    foreach file $files {
        if {[catch {readBytes $file} bytes]} continue
        for {set at 0} {$at < [string length $bytes]} {incr at $size} {
            if {[string range $bytes $at $at+7] ne $magic} {
                dict incr result damaged
                break
            }
            binary scan $bytes @${at}x8iux4susuiuwuwuwuwuiuiu \
                size version kind sensor source sequence first last count priority
            if {$at + $size > [string length $bytes]} {
                dict incr result damaged
                break
            }
            binary scan $bytes @[expr {$at + 64}]wu number
            set key [list $source $sensor]
            switch $kind {
                3 {dict update result spans spans {dict lappend spans $key [list $number $count]}}
                5 {dict update result lost lost {dict incr lost $key $number}}
                6 {dict lappend result ends [expr {$number & 0xffffffff}]}
            }
        }
    }
    return $result
}

# Of each source and sensor: {distinct elements, lost ones}; and damage, if any.
proc ::relaytest::sums {files} {
    set read [packets $files]
    set result {}
    dict for {key spans} [dict get $read spans] {
        set sum 0
        set behind 0
        foreach span [lsort -integer -index 0 $spans] {
            lassign $span first count
            set end [expr {$first + $count}]
            if {$end > $behind} {incr sum [expr {$end - max($first, $behind)}]}
            set behind [expr {max($behind, $end)}]
        }
        set lost [dict get $read lost]
        lappend result [list $sum [expr {[dict exists $lost $key] ? [dict get $lost $key] : 0}]]
    }
    if {[dict get $read damaged]} {lappend result damaged}
    lsort $result
}

# Distinct elements of the only sensor of the only source.
proc ::relaytest::stored {args} {
    lindex [sums [lmap file $args {if {![file exists $file]} continue; set file}]] 0 0
}

proc ::relaytest::until {count args} {
    if {![waitUntil {[::relaytest::stored {*}$args] >= $count} 20000]} {
        error "only [stored {*}$args] of $count elements are there"
    }
}

# Number of the newest element in some files; -1: there is none.
proc ::relaytest::newestIn {args} {
    set newest -1
    dict for {- spans} [dict get [packets $args] spans] {
        foreach span $spans {set newest [expr {max($newest, [lindex $span 0] + [lindex $span 1] - 1)}]}
    }
    return $newest
}

proc ::relaytest::newest {folder} {newestIn {*}[glob -nocomplain -directory $folder *.tacs]}

# The same in the folder of a process with file systems of its own, which is copied into another one. (Tcl itself would
# follow the link to the root.)
proc ::relaytest::newestOf {process folder} {
    catch {exec sh -c {rm -f "$1"/*; cp /proc/$0/root/mnt/out/*.tacs "$1"} $process $folder 2>@1}
    newest $folder
}

# Sends a signal, waits for a new dump that is whole, and returns the number of its last element.
proc ::relaytest::dumped {relay dump} {
    variable dumps
    set pattern [string map {%n *} $dump]
    set count [llength [glob -nocomplain $pattern]]
    exec kill -USR1 [lindex [pid $relay] end]
    waitUntil {[llength [glob -nocomplain $pattern]] > $count} 1000
    newestIn {*}[glob -nocomplain $pattern]
}

# ---- sensors of this test alone --------------------------------------------------------------------------------------

# Everything has a folder for sensors of its own.
proc ::relaytest::beginTests {} {
    variable runtime [newPath runtime]
    variable before [array get ::env XDG_RUNTIME_DIR]
    file mkdir $runtime
    file attributes $runtime -permissions 0700
    set ::env(XDG_RUNTIME_DIR) $runtime
    unset -nocomplain ::env(TACTUS_RECORD)
}

# Ends the relays of tests that have failed.
proc ::relaytest::endTests {} {
    variable before
    variable running
    foreach channel [dict keys $running] {catch {end $channel TERM}}
    array unset ::env XDG_RUNTIME_DIR
    array set ::env $before
}
