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
