# check.tcl -- plugin/check.tcl by the name under which scripts have sourced it so far.

::tactus::need plugin/check
