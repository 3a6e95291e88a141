# program.tcl -- what the program tactus (unix/program/tactus.c) has Tcl run; lies beside pkgIndex.tcl. Only this index
# is read: a search through all packages of the machine would take longer than a small figure.

set dir [file dirname [file normalize [info script]]]
source -encoding utf-8 [file join $dir pkgIndex.tcl]
package require tactus
::tactus::need main
