# player/consoleOutput.tcl -- the output of the console's commands: while the console is open, a channel transformation
# on stdout and stderr passes all output (from puts as well as from C, `$trace dump -channel stdout`) to the console.
#
#   console::capture PREFIX     begins; PREFIX is called with the channel's name (stdout, stderr) and a text
#   console::release            ends; the channels write as before

namespace eval ::tactus::player::console {
    variable sink {}            ;# PREFIX
    variable captured {}        ;# channels with the transformation
}

proc ::tactus::player::console::capture {prefix} {
    variable sink $prefix
    variable captured
    foreach channel {stdout stderr} {
        if {$channel in $captured} continue
        # A channel that was closed is left out.
        if {[catch {flush $channel; chan push $channel [list ::tactus::player::console::through $channel]}]} continue
        lappend captured $channel
    }
}

proc ::tactus::player::console::release {} {
    variable sink {}
    variable captured
    foreach channel $captured {catch {flush $channel; chan pop $channel}}
    set captured {}
}

# Flushes the captured channels, so that nothing waits in their buffers.
proc ::tactus::player::console::flushAll {} {
    variable captured
    foreach channel $captured {catch {flush $channel}}
}

# The transformation (see transchan(n)): bytes come in, none go on.
proc ::tactus::player::console::through {channel method handle args} {
    variable sink
    switch -- $method {
        initialize {return {initialize finalize write flush}}
        write {
            set encoding [string map {binary iso8859-1} [fconfigure $channel -encoding]]
            set text [encoding convertfrom $encoding [lindex $args 0]]
            if {$sink ne {}} {uplevel #0 [list {*}$sink $channel $text]}
            return {}
        }
    }
    return {}
}
