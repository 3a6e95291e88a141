# tactus.tcl -- the package: loads the core, which makes the commands tactus::open, openText, describe, version and
# vocabulary (tactus(n)).
#
# Whoever sources this has set ::tactus::library, the directory of these files, and ::tactus::binary, the core's shared
# library. Nothing else is read here: the program starts within milliseconds because what it does not use is not there.
# Every other file is read through `need`, by whoever uses it.

namespace eval ::tactus {
    namespace export open openText describe version vocabulary
    variable library
    variable binary
    variable parts {}   ;# files that were read: a dict of name and 1
}

load $::tactus::binary Tactus

# Reads files of the library, once each: their paths below it without the extension, such as player/view.
proc ::tactus::need {args} {
    variable library
    variable parts
    foreach name $args {
        if {[dict exists $parts $name]} continue
        # Before it is read, since two files may need one another.
        dict set parts $name 1
        try {
            uplevel #0 [list source -encoding utf-8 [file join $library $name.tcl]]
        } on error {message options} {
            dict unset parts $name
            return -options $options $message
        }
    }
}

# Where the user has plugins: a list of one directory, or none when nobody knows where the user is at home.
proc ::tactus::userPlugins {} {
    if {[info exists ::env(XDG_DATA_HOME)] && [file pathtype $::env(XDG_DATA_HOME)] eq "absolute"} {
        return [list [file join $::env(XDG_DATA_HOME) tactus plugins]]
    }
    if {![info exists ::env(HOME)]} return
    list ~/.local/share/tactus/plugins
}
