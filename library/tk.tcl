# tk.tcl -- the package tactus::tk: Tk, and the widget tactus::timeline (tactus_timeline(n)) with its bindings. The
# window is another file, window.tcl.

package require Tk 8.6-
::tactus::useTk
::tactus::need timelineBindings
::tactus::need timelineSync
