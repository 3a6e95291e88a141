# buffers.tcl -- the buffer view: the contents of the buffers at the time of the cursor.
#
# A box of cells for each buffer, filled from the head, which is at the right, towards the reader. The order comes from
# the trace's chain (`bufferplot 0 structure {writer buffer reader ...}`); names and boxes are joined by arrows, and a
# chain wider than the window goes on in the next line. Without a chain every buffer stands alone. It is the same
# picture as in a figure with -buffers-at, except for large buffers: here cells shrink, and only elements that still do
# not fit are left out and counted in the name ("raw: 912 of 1000, the first 240 are shown").
#
# One panel for each view. Items are kept: when the time moves, only the cells whose content changed are touched.
#
#   time -> elements of each buffer ($trace state T buffers) -> boxes (places, made when the chain or the width changes)
#        -> cells (canvas items) -> changes of cells

plugin buffers -title "Buffers" -help "contents of the buffers at the time of the cursor"

view buffers -title Buffers -create openPanel -side bottom

on <TimeChanged> timeChanged
on <TraceFinished> <TraceClosed> renewAll

variable panels {}      ;# view -> its panel's object

proc openPanel {frame view} {
    variable panels
    dict set panels $view [Panel new $frame $view]
}

proc timeChanged {view time} {
    variable panels
    if {[dict exists $panels $view]} {[dict get $panels $view] at $time}
}

# Draws all panels anew after a trace was read again: those of all views, since the view of a trace is not known here.
proc renewAll {trace} {
    variable panels
    dict for {view panel} $panels {$panel soon renew}
}

proc forget {view} {
    variable panels
    dict unset panels $view
}

proc px {n} {
    ::tactus::player::px $n
}

# The name of an object, on one line and not too long.
proc nameOf {trace kind id} {
    if {[catch {at $trace 0 [list object $kind $id name]} name]} {set name $id}
    string map [list \n " " \t " "] [string range $name 0 100]
}

# ---- places ----------------------------------------------------------------------------------------------------------

# The chain at a time: list of {kind id}, kind task or buffer; {}: none.
proc chainAt {chains time} {
    set words {}
    foreach chain $chains {
        lassign $chain from list
        if {$from > $time} break
        set words $list
    }
    return $words
}

# The width of a cell of a box: as its texts need, within bounds and the room of the window.
proc cellWidth {font text cells room} {
    set width [expr {max([px 18], [font measure $font $text] + [px 8])}]
    expr {max([px 3], min($width, [px 90], $room / max($cells, 1)))}
}

# The longest text of each buffer among its first elements, so that cells keep their width when the time moves.
proc longestTexts {trace} {
    set longest {}
    foreach event {push write insert} {
        foreach row [$trace events -event $event -limit 1000] {
            set id [dict get $row subject]
            set text [onLine [dict get $row object]]
            if {![dict exists $longest $id] || [string length $text] > [string length [dict get $longest $id]]} {
                dict set longest $id $text
            }
        }
    }
    return $longest
}

proc onLine {text} {
    string map [list \n " " \t " "] [string range $text 0 40]
}

# ---- a panel ---------------------------------------------------------------------------------------------------------

oo::class create Panel {
    variable Frame View Canvas Trace Ids Names Longest Chains Time Chain Boxes Shown Waiting Chosen

    # Fills the panel's frame: the boxes on a canvas, and a line of text below.
    constructor {frame view} {
        ::namespace path [list {*}[::namespace path] ::tactus::plugins::buffers]
        lassign [list $frame $view] Frame View
        lassign {} Trace Ids Names Longest Chains Time Chain Boxes Shown Waiting Chosen
        set Canvas $frame.canvas
        canvas $Canvas -height [px 150] -highlightthickness 0 -yscrollcommand [list $frame.y set]
        ttk::scrollbar $frame.y -command [list $Canvas yview]
        ttk::label $frame.text -anchor w -padding [list [px 6] [px 2]]
        grid $Canvas $frame.y -sticky nsew
        grid $frame.text -columnspan 2 -sticky ew
        grid columnconfigure $frame 0 -weight 1
        grid rowconfigure $frame 0 -weight 1
        bind $Canvas <Configure> [::namespace code {my soon layout}]
        bind $Canvas <Map> [::namespace code {my soon layout}]
        bind $Canvas <Button-1> [::namespace code {my clicked %x %y}]
        bind $Canvas <Button-4> {%W yview scroll -2 units}
        bind $Canvas <Button-5> {%W yview scroll 2 units}
        bind $frame <<ThemeChanged>> +[::namespace code {my soon layout}]
        bind $Canvas <Destroy> +[::namespace code {my destroy}]
        foreach event {TraceOpened TraceReloaded TraceClosed} {
            ::tactus::player::listen $event [::namespace code {my soon renew}] $frame
        }
        my renew
    }

    destructor {
        foreach {method timer} $Waiting {after cancel $timer}
        forget $View
    }

    # Calls a method at idle time, once. Further arguments, of events, are ignored.
    method soon {method args} {
        if {[dict exists $Waiting $method]} return
        dict set Waiting $method [after idle [::namespace code [list my run $method]]]
    }

    method run {method} {
        dict unset Waiting $method
        if {[winfo exists $Canvas]} {my $method}
    }

    # ---- the trace ---------------------------------------------------------------------------------------------------

    method renew {} {
        set Trace [expr {[info object isa object $View] ? [$View trace] : {}}]
        lassign {} Ids Names Longest Chains Shown Chosen
        if {$Trace ne {}} {
            set Time [$View cursor]
            if {$Time eq {}} {set Time [dict get [$Trace info] begin]}
            set Ids [dict keys [$Trace state $Time buffers]]
            foreach id $Ids {dict set Names buffer $id [nameOf $Trace buffer $id]}
            if {[llength $Ids]} {
                set Longest [longestTexts $Trace]
                my readChains
            }
        }
        my layout
    }

    # Reads the chains of the trace, with the times from which they hold.
    method readChains {} {
        foreach event [$Trace events -event structure] {
            set chain {}
            set words [dict get $event subject]
            if {![string is list $words]} continue
            foreach word $words {
                if {$word in $Ids} {
                    lappend chain [list buffer $word]
                } elseif {![catch {$Trace state 0 tasks $word}]} {
                    lappend chain [list task $word]
                    dict set Names task $word [nameOf $Trace task $word]
                }
            }
            lappend Chains [list [dict get $event time] $chain]
        }
    }

    # ---- time --------------------------------------------------------------------------------------------------------

    method at {time} {
        if {$time eq {} || $time eq $Time} return
        set Time $time
        if {[winfo ismapped $Canvas]} {my soon update}
    }

    method update {} {
        if {$Trace eq {} || ![llength $Ids]} return
        set state [$Trace state $Time buffers]
        if {[chainAt $Chains $Time] ne $Chain || [my outgrown $state]} {return [my layout]}
        dict for {id box} $Boxes {my fill $id [dict get $state $id]}
        my tellTime
    }

    # Does a buffer need another number of cells than its box has?
    method outgrown {state} {
        dict for {id box} $Boxes {
            if {[my cellsOf [dict get $state $id]] != [dict get $box wanted]} {return 1}
        }
        return 0
    }

    method cellsOf {buffer} {
        expr {max(1, [dict get $buffer capacity], [llength [dict get $buffer contents]])}
    }

    # ---- layout ------------------------------------------------------------------------------------------------------

    # Draws all boxes anew: in the order of the chain, or one beside another where there is none.
    method layout {} {
        $Canvas delete all
        lassign {} Boxes Shown
        $Canvas configure -background [::tactus::player::theme color base]
        if {![llength $Ids]} {
            $Canvas create text [px 12] [px 16] -anchor nw -text "no buffers in this trace" \
                -fill [::tactus::player::theme color muted]
            $Frame.text configure -text {}
            return
        }
        set Chain [chainAt $Chains $Time]
        set state [$Trace state $Time buffers]
        set place [dict create x [px 12] y [px 44] joined 0]
        if {[llength $Chain]} {
            foreach part $Chain {
                lassign $part kind id
                if {$kind eq "task"} {my putName place $id} else {my putBox place $id [dict get $state $id]}
            }
        } else {
            foreach id $Ids {
                my putBox place $id [dict get $state $id]
                dict set place joined 0
                dict incr place x [px 24]
            }
        }
        $Canvas configure -scrollregion [list 0 0 [winfo width $Canvas] [expr {[dict get $place y] + [px 30]}]]
        my tellTime
    }

    # Moves the place to that of the next part, of this width: behind an arrow, or on a new line.
    method makeRoom {placeName width} {
        upvar 1 $placeName place
        set gap [px 6]
        set arrow [expr {[dict get $place joined] ? [px 34] : 0}]
        set right [expr {[winfo width $Canvas] - [px 12]}]
        if {[dict get $place x] > [px 12] && [dict get $place x] + $arrow + $width > $right} {
            dict set place x [px 12]
            dict incr place y [px 62]
        }
        set x [dict get $place x]
        if {$arrow} {
            $Canvas create line [expr {$x + $gap}] [dict get $place y] [expr {$x + $arrow - $gap}] [dict get $place y] \
                -arrow last -fill [::tactus::player::theme color foreground] -width [px 1]
            dict incr place x $arrow
        }
        dict set place joined 1
    }

    # The beginning of a text that fits into a width.
    method cut {text font width} {
        if {[font measure $font $text] <= $width} {return $text}
        while {$text ne {} && [font measure $font $text…] > $width} {set text [string range $text 0 end-1]}
        return [expr {$text eq {} ? {} : "$text…"}]
    }

    method putName {placeName id} {
        upvar 1 $placeName place
        set font [::tactus::player::theme font normal]
        set text [my cut [dict get $Names task $id] $font [px 200]]
        set width [font measure $font $text]
        my makeRoom place $width
        $Canvas create text [dict get $place x] [dict get $place y] -anchor w -text $text -font $font \
            -tags [list task=$id] \
            -fill [::tactus::player::theme color foreground]
        dict incr place x $width
    }

    method putBox {placeName id buffer} {
        upvar 1 $placeName place
        set font [::tactus::player::theme font small]
        set wanted [my cellsOf $buffer]
        set room [expr {[winfo width $Canvas] - [px 24]}]
        set cells [expr {min($wanted, max(1, $room / [px 3]), 240)}]
        set longest [expr {[dict exists $Longest $id] ? [dict get $Longest $id] : {}}]
        set cell [cellWidth $font $longest $cells $room]
        set title [my title $id $buffer $cells]
        set width [expr {max($cells * $cell, min([font measure $font $title], $room))}]
        my makeRoom place $width
        set x [expr {[dict get $place x] + ($width - $cells * $cell) / 2}]
        set item [$Canvas create text [expr {[dict get $place x] + $width / 2}] [expr {[dict get $place y] - [px 18]}] \
            -anchor s \
            -text [my cut $title $font $width] -font $font -fill [::tactus::player::theme color foreground]]
        dict set Boxes $id [my makeCells $id $x [dict get $place y] $cell $cells $font]
        dict set Boxes $id wanted $wanted
        dict set Boxes $id title $item
        dict set Shown $id [dict create contents {} capacity {}]
        my fill $id $buffer
        dict incr place x $width
    }

    method title {id buffer cells} {
        set name [dict get $Names buffer $id]
        set count [llength [dict get $buffer contents]]
        if {$cells >= [my cellsOf $buffer] && $cells <= 24} {return $name}
        set shown [expr {$cells < $count ? ", the first $cells are shown" : {}}]
        return "$name: $count of [dict get $buffer capacity]$shown"
    }

    # Makes the empty cells of a box; the first is the head's, at the right. Narrow ones have no text.
    method makeCells {id x y cell cells font} {
        set half [px 14]
        set rectangles {}
        set texts {}
        for {set i 0} {$i < $cells} {incr i} {
            set left [expr {$x + $cell * ($cells - 1 - $i)}]
            lappend rectangles [$Canvas create rectangle $left [expr {$y - $half}] [expr {$left + $cell}] \
                [expr {$y + $half}] \
                -outline [::tactus::player::theme color [expr {$cell > [px 5] ? "foreground" : "border"}]] \
                -fill [::tactus::player::theme color base]]
            if {$cell >= [px 12]} {
                lappend texts [$Canvas create text [expr {$left + $cell / 2}] $y -font $font \
                    -fill [::tactus::player::theme color foreground]]
            }
        }
        dict create x $x y $y half $half cell $cell cells $cells rectangles $rectangles texts $texts font $font
    }

    # Shows the content of a buffer; only cells that changed are touched.
    method fill {id buffer} {
        set box [dict get $Boxes $id]
        set cells [dict get $box cells]
        set new [lrange [dict get $buffer contents] 0 $cells-1]
        set old [dict get $Shown $id contents]
        set count [llength [dict get $buffer contents]]
        if {$new eq $old && [dict exists $Shown $id count] && [dict get $Shown $id count] == $count} return
        set most [expr {max([llength $new], [llength $old])}]
        for {set i 0} {$i < $most} {incr i} {
            set was [expr {$i < [llength $old]}]
            set is [expr {$i < [llength $new]}]
            if {$was != $is} {
                $Canvas itemconfigure [lindex [dict get $box rectangles] $i] -fill [my cellColor $id $i $is]
            }
            if {[lindex $old $i] ne [lindex $new $i]} {my fillText $box $i [lindex $new $i]}
        }
        $Canvas itemconfigure [dict get $box title] -text [my title $id $buffer $cells]
        dict set Shown $id [dict create contents $new count $count]
        if {$Chosen ne {} && [lindex $Chosen 0] eq $id} {my tellChosen}
    }

    method fillText {box i text} {
        set item [lindex [dict get $box texts] $i]
        if {$item eq {}} return
        $Canvas itemconfigure $item \
            -text [my cut [onLine $text] [dict get $box font] [expr {[dict get $box cell] - [px 4]}]]
    }

    method cellColor {id i full} {
        if {[list $id $i] eq $Chosen} {return [::tactus::player::theme color select]}
        ::tactus::player::theme color [expr {$full ? "density" : "base"}]
    }

    # ---- what is said ------------------------------------------------------------------------------------------------

    method tellTime {} {
        if {$Chosen eq {}} {$Frame.text configure -text "at $Time"} else {my tellChosen}
    }

    # The cell {id place} at a point of the window; {}: none.
    method cellAt {x y} {
        set x [$Canvas canvasx $x]
        set y [$Canvas canvasy $y]
        dict for {id box} $Boxes {
            set i [expr {[dict get $box cells] - 1 - int(floor(($x - [dict get $box x]) / [dict get $box cell]))}]
            if {abs($y - [dict get $box y]) <= [dict get $box half] && $i >= 0 && $i < [dict get $box cells]} {
                return [list $id $i]
            }
        }
        return
    }

    method clicked {x y} {
        set before $Chosen
        set Chosen [my cellAt $x $y]
        foreach chosen [list $before $Chosen] {
            lassign $chosen id i
            if {$chosen ne {} && [dict exists $Boxes $id]} {
                $Canvas itemconfigure [lindex [dict get $Boxes $id rectangles] $i] \
                    -fill [my cellColor $id $i [expr {$i < [llength [dict get $Shown $id contents]]}]]
            }
        }
        my tellTime
        if {$Chosen ne {}} {catch {$View show [my itemOf {*}$Chosen]}}
    }

    # The item for the details: the element, or where there is none, the buffer.
    method itemOf {id i} {
        if {$i < [llength [dict get $Shown $id contents]]} {
            return [dict create kind element buffer $id place $i time $Time]
        }
        dict create kind buffer id $id buffer $id time $Time
    }

    method tellChosen {} {
        lassign $Chosen id i
        set contents [dict get [$Trace state $Time buffers $id] $id contents]
        set name [dict get $Names buffer $id]
        if {$i >= [llength $contents]} {
            set text "nothing"
        } else {
            set text [string map [list \n " " \t " "] [string range [lindex $contents $i] 0 400]]
        }
        $Frame.text configure \
            -text "at $Time: element [expr {$i + 1}] of [llength $contents] in $name (1 is read next): $text"
    }
}
