# plugin.tcl -- plugin/plugin.tcl by the name under which scripts have sourced it so far.

::tactus::need plugin/plugin
