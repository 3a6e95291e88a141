# microseconds.tcl -- a preprocessor: recorders that write times as 12us, for this player 12.

addPreprocessor stripUnits

proc stripUnits {text} {
    regsub -all -line {^(plot\s+\d+)us\M} $text {\1} text
    return $text
}
