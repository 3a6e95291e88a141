# viewport.tcl -- class Viewport: the rows and the range of time that the job-stacked view (stacked.tcl) shows, and the
# places of its columns in the picture.
#
#   Viewport new PICTURE
#   $viewport place ROWS, drawn PLOTS    before and after drawing: all rows; the result of `draw`
#   $viewport clear                      other rows: all of time, places not known yet
#   $viewport first, pitch, span, plots  row on top, points a row, {from to} of time ({}: all), the result of `draw`
#   $viewport note                       what is to be said of the range of time, until it is changed
#   $viewport shown                      number of rows that are seen
#   $viewport to ROW, scroll N, page N, yview ...    moves over the rows (ROW: end; yview: as a scroll bar calls it)
#   $viewport reveal ROW ?MIDDLE?        moves as far as needed to show a row, or brings it to the middle
#   $viewport thicker N                  changes the points a row
#   $viewport fit, zoom FACTOR X, pan SHARE, setSpan SPAN ?NOTE?    changes the range of time
#   $viewport rowAt X Y                  {column row} at a place of the window; {}: outside

oo::class create Viewport {
    variable Picture First Pitch Span Note Plots Total

    constructor {picture} {
        lassign [list $picture 0 9 0 {} {} {}] Picture First Pitch Total Span Note Plots
    }

    method first {} {return $First}
    method pitch {} {return $Pitch}
    method span {} {return $Span}
    method note {} {return $Note}
    method plots {} {return $Plots}

    method clear {} {
        lassign {} Span Plots
    }

    method place {rows} {
        set Total $rows
        set First [expr {max(0, min($First, $rows - [my shown]))}]
    }

    method drawn {plots} {
        set Plots $plots
    }

    method shown {} {
        if {$Plots eq {}} {return [expr {max(1, int([lindex [$Picture size] 1] / $Pitch) - 5)}]}
        expr {max(1, int(([dict get $Plots bottom] - [dict get $Plots top]) / $Pitch))}
    }

    # ---- rows --------------------------------------------------------------------------------------------------------

    method to {row} {
        set First [expr {$row eq "end" ? $Total : $row}]
    }

    method scroll {rows} {
        set First [expr {$First + $rows}]
    }

    method page {direction} {
        my scroll [expr {$direction * max(1, [my shown] - 1)}]
    }

    method yview {what amount {unit {}}} {
        switch $what {
            moveto {my to [expr {int(round($amount * $Total))}]}
            scroll {my scroll [expr {$amount * ([string match p* $unit] ? [my shown] : 1)}]}
        }
    }

    method reveal {row {middle 0}} {
        set shown [my shown]
        if {$row >= $First && $row < $First + $shown} return
        if {$middle} {
            set First [expr {$row - $shown / 2}]
        } else {
            set First [expr {$row < $First ? $row : $row - $shown + 1}]
        }
    }

    method thicker {by} {
        set Pitch [expr {max(2, min(30, $Pitch + $by))}]
    }

    # ---- time --------------------------------------------------------------------------------------------------------

    method setSpan {span {note {}}} {
        lassign [list $span $note] Span Note
    }

    method fit {} {
        set Span {}
    }

    # Zooms time around the pointer.
    method zoom {factor x} {
        if {$Plots eq {} || $Span eq {}} return
        set px [lindex [$Picture points $x 0] 0]
        lassign [my PlotAt $px] left width
        lassign $Span from to
        set share [expr {max(0, min(1, ($px - $left) / $width))}]
        set at [expr {$from + $share * ($to - $from)}]
        set long [expr {($to - $from) * $factor}]
        if {$long < 1e-12 || $long > 1e15} return
        my setSpan [list [expr {$at - $share * $long}] [expr {$at + (1 - $share) * $long}]]
    }

    method pan {share} {
        if {$Span eq {}} return
        lassign $Span from to
        set by [expr {($to - $from) * $share}]
        my setSpan [list [expr {$from + $by}] [expr {$to + $by}]]
    }

    # ---- places ------------------------------------------------------------------------------------------------------

    method PlotAt {x} {
        foreach plot [dict get $Plots plots] {
            if {$x < [lindex $plot 0] + [lindex $plot 1]} {return $plot}
        }
        return $plot
    }

    method rowAt {x y} {
        if {$Plots eq {}} return
        lassign [$Picture points $x $y] px py
        if {$py < [dict get $Plots top] || $py >= [dict get $Plots bottom]} return
        set column [lsearch -exact [dict get $Plots plots] [my PlotAt $px]]
        list $column [expr {int(floor(($py - [dict get $Plots top]) / $Pitch + $First))}]
    }
}
