# main.tcl -- the program tactus: runs the command line and ends with its status.

::tactus::need cli/cli
exit [::tactus::cli::main [::tactus::cli::arguments $::argv]]
