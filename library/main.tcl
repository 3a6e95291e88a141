# main.tcl -- the program tactus: runs the command line and ends with its status.

source -encoding utf-8 [file join $::tactus::library cli.tcl]
exit [::tactus::cli::main [::tactus::cli::arguments $::argv]]
