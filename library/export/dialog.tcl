# export/dialog.tcl -- the action that opens the export dialog. The dialog itself (export/window.tcl) is read when it is
# first opened.

namespace eval ::tactus::player::figure {}

# Opens the dialog of a view, or shows it again; the result is its object.
proc ::tactus::player::figure::dialog {view} {
    ::tactus::need export/window
    ::tactus::player::ExportDialog for $view
}

::tactus::player::action exportFigure -label "Export Figure\u2026" -menu File -keys {<Control-Key-e>} -needs trace \
    -order 40 -separator 1 \
    -help "writes a figure for a paper: PDF, SVG, TikZ ... with a preview" -command ::tactus::player::figure::dialog
