# tactus.tcl -- the package: loads the core, which makes the commands tactus::open, openText, describe, version and
# vocabulary (tactus(n)).
#
# Whoever sources this has set ::tactus::library, the directory of these files, and ::tactus::binary, the core's shared
# library. Nothing else is read here: the program starts within milliseconds because what it does not use is not there.

namespace eval ::tactus {
    namespace export open openText describe version vocabulary
    variable library
    variable binary
}

load $::tactus::binary Tactus

# Where the user has plugins: a list of one directory, or none when nobody knows where the user is at home.
proc ::tactus::userPlugins {} {
    if {[info exists ::env(XDG_DATA_HOME)] && [file pathtype $::env(XDG_DATA_HOME)] eq "absolute"} {
	return [list [file join $::env(XDG_DATA_HOME) tactus plugins]]
    }
    if {![info exists ::env(HOME)]} return
    list ~/.local/share/tactus/plugins
}
