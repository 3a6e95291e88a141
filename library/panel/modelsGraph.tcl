# panel/modelsGraph.tcl -- class ModelsGraph: the automaton of a model, drawn on a canvas.
#
#   ModelsGraph new FRAME CALL     FRAME.canvas; CALL is called with the place of what was clicked or entered
#   $graph show MODEL COLORS       a model as `$trace models` tells it, {}: none; state -> colour
#   $graph light STATE             lights a state; {}: none
#
# States are boxes in their colours: the initial one has an arrow out of a dot, a final one a double border. Transitions
# between two states share a line with an arrow, beside it a text for each: its event, how often it was taken, how often
# a constraint at it was invalid or uncertain. Places are from panel/modelsLayout.tcl, and from the program dot, where
# that is there and answers soon: what is drawn first is replaced then.
#
# Keys: up and down choose a transition, Return goes to it, Shift with arrows scrolls.

::tactus::need panel/modelsLayout player/look player/text player/tip

namespace eval ::tactus::player::modelsGraph {
    variable program dot        ;# of Graphviz; {}: is not used
    variable patience 1500      ;# ms until it must have answered
    variable known {}           ;# description of a graph -> its layout by the program
    variable most 60            ;# of more transitions, those that were never taken are not drawn
}

oo::class create ::tactus::player::ModelsGraph {
    variable Frame Canvas Call Model Colors Pairs Lit Current
    variable Hidden             ;# number of transitions that are not drawn
    variable Down               ;# are the layers from top to bottom? They are where that fits better
    variable Layouts Size       ;# graph as of `Graph` -> its layout by ourselves; size of the drawing
    variable Channel Timer Answer   ;# of the program at work; {}: it is not

    # Makes the canvas with its bindings.
    constructor {frame call} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $frame $call -1 0 0] Frame Call Current Down Hidden
        lassign {} Model Colors Pairs Lit Layouts Size Channel Timer Answer
        set Canvas $frame.canvas
        canvas $Canvas -highlightthickness [look::points 1] -borderwidth 0 -takefocus 1 -width 10 -height 10 \
            -xscrollcommand [namespace code {my Scrolled x}] -yscrollcommand [namespace code {my Scrolled y}]
        ttk::scrollbar $frame.x -orient horizontal -command [list $Canvas xview]
        ttk::scrollbar $frame.y -orient vertical -command [list $Canvas yview]
        grid $Canvas -row 0 -column 0 -sticky nsew
        grid rowconfigure $frame 0 -weight 1
        grid columnconfigure $frame 0 -weight 1
        foreach {event script} {
            <Configure> {my Resized} <Button-1> {my Press %x %y} <<ThemeChanged>> {my draw} <Destroy> {my destroy}
            <Button-2> {%W scan mark %x %y} <B2-Motion> {%W scan dragto %x %y 1}
            <Button-4> {%W yview scroll -1 units} <Button-5> {%W yview scroll 1 units}
            <Shift-Button-4> {%W xview scroll -1 units} <Shift-Button-5> {%W xview scroll 1 units}
        } {
            bind $Canvas $event [namespace code $script]
        }
        foreach {key script} {
            Key-Up {my Step -1} Key-Down {my Step 1} Key-Return {my Enter}
            Shift-Key-Up {%W yview scroll -1 units} Shift-Key-Down {%W yview scroll 1 units}
            Shift-Key-Left {%W xview scroll -1 units} Shift-Key-Right {%W xview scroll 1 units}
        } {
            bind $Canvas <$key> "[namespace code $script]; break"
        }
        tip::add $Canvas [namespace code {my Tip}]
    }

    destructor {my Stop}

    method Scrolled {axis first last} {
        $Frame.$axis set $first $last
        if {$first <= 0 && $last >= 1} {
            grid remove $Frame.$axis
        } elseif {$axis eq "x"} {
            grid $Frame.x -row 1 -column 0 -sticky ew
        } else {
            grid $Frame.y -row 0 -column 1 -sticky ns
        }
    }

    # ---- what is shown -----------------------------------------------------------------------------------------------

    method show {model colors} {
        set same [expr {$model ne {} && $Model ne {}
            && [dict get $model place] eq [dict get $Model place] && [dict get $model name] eq [dict get $Model name]}]
        lassign [list $model $colors] Model Colors
        if {!$same} {lassign {-1 {}} Current Size}
        my PairUp
        my draw
    }

    # Joins the transitions of each two states: list of {from to {number ...}}. An automaton of the kernel becomes a
    # model with very many; then only what happened is drawn.
    method PairUp {} {
        variable ::tactus::player::modelsGraph::most
        lassign {} pairs Pairs
        set Hidden 0
        if {$Model eq {}} return
        set isMany [expr {[llength [dict get $Model transitions]] > $most}]
        set number -1
        foreach transition [dict get $Model transitions] {
            if {$isMany && ![dict get $transition taken]} {
                incr number
                incr Hidden
                continue
            }
            dict lappend pairs [list [dict get $transition from] [dict get $transition to]] [incr number]
        }
        set Pairs [lmap {ends numbers} $pairs {list {*}$ends $numbers}]
    }

    method light {state} {
        if {$state eq $Lit} return
        set Lit $state
        my Light
    }

    method Light {} {
        if {$Model eq {}} return
        set number -1
        foreach state [dict get $Model states] {
            lassign [my Judged $state] invalid
            $Canvas itemconfigure box&&state[incr number] -width [look::points [expr {$invalid ? 1.5 : 0.75}]] \
                -outline [look::color [expr {$invalid ? "error" : "foreground"}]]
        }
        if {$Lit eq {}} return
        set number [lsearch -exact [lmap state [dict get $Model states] {dict get $state name}] $Lit]
        foreach id [$Canvas find withtag box&&state$number] {
            $Canvas itemconfigure $id -width [look::points 2.5] -outline [look::color accent]
        }
    }

    # ---- texts -------------------------------------------------------------------------------------------------------

    method Transition {number} {lindex [dict get $Model transitions] $number}

    # How often constraints at a transition, or in a state, were invalid and uncertain.
    method Judged {thing} {
        set invalid 0
        set uncertain 0
        if {[dict exists $thing unexpected] && [dict get $thing unexpected]} {set invalid [dict get $thing taken]}
        foreach constraint [dict get $thing constraints] {
            incr invalid [dict get $constraint invalid]
            incr uncertain [dict get $constraint uncertain]
        }
        list $invalid $uncertain
    }

    # Name of the colour of a transition.
    method ColorOf {transition} {
        lassign [my Judged $transition] invalid uncertain
        if {$invalid} {return error}
        if {$uncertain} {return warning}
        expr {[dict get $transition taken] ? "foreground" : "muted"}
    }

    # The text beside a transition.
    method Label {transition} {
        set text [text::visible [string trim [dict get $transition event]] 32]
        if {[dict get $transition guard] ne {}} {append text " \[[text::visible [dict get $transition guard] 32]\]"}
        append text " \u00d7[text::group [dict get $transition taken]][my Signs $transition]"
    }

    # How often something was invalid and uncertain, as a text.
    method Signs {thing} {
        lassign [my Judged $thing] invalid uncertain
        set text {}
        if {$invalid} {append text " \u2716[text::group $invalid]"}
        if {$uncertain} {append text " \u25b2[text::group $uncertain]"}
        return $text
    }

    # Is a state drawn? Where transitions are not, neither are the states that nothing leads to or from.
    method isDrawn {state} {
        if {!$Hidden || [dict get $state initial]} {return 1}
        foreach pair $Pairs {if {[dict get $state name] in [lrange $pair 0 1]} {return 1}}
        return 0
    }

    # The text in the box of a state.
    method Name {state} {string cat [text::visible [dict get $state name] 40] [my Signs $state]}

    # All about a transition, for a tooltip.
    method Facts {transition} {
        dict with transition {
            set lines [list "$from \u2192 $to: [string trim $event][expr {$guard eq {} ? {} : " -if {$guard}"}]"]
            lappend lines "taken $taken times by $instances instance[expr {$instances == 1 ? {} : "s"}]"
            foreach constraint $constraints {
                dict with constraint {lappend lines "$text: valid $valid, invalid $invalid, uncertain $uncertain"}
            }
            lappend lines $place
        }
        join [lmap line $lines {text::visible $line 200}] \n
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method Line {} {expr {[font metrics TactusSmall -linespace]}}

    method NodeSize {state} {
        list [expr {[font measure TactusBold [my Name $state]] + [look::points 16]}] \
            [expr {[font metrics TactusBold -linespace] + [look::points 9]}]
    }

    # Room for a state with its loops, above or beside it, and the mark of the initial one.
    method CellSize {state} {
        lassign [my NodeSize $state] width height
        set loops [my LoopsOf [dict get $state name]]
        set more [expr {[dict get $state initial] ? 2 * [look::points 12] : 0}]
        if {$Down} {
            if {[llength $loops]} {
                lassign [my LabelSize $loops] wide high
                set more [expr {2 * ($wide + [my LoopHeight])}]
                set height [expr {max($height, $high)}]
            }
            return [list [expr {$width + $more}] $height]
        }
        if {[llength $loops]} {
            lassign [my LabelSize $loops] wide high
            set more [expr {2 * ($high + [my LoopHeight])}]
            set width [expr {max($width, $wide)}]
        }
        list $width [expr {$height + $more}]
    }

    method LoopHeight {} {look::points 12}

    method LoopsOf {name} {
        concat {*}[lmap pair $Pairs {
            lassign $pair from to numbers
            if {$from ne $name || $to ne $name} continue
            set numbers
        }]
    }

    method LabelSize {numbers} {
        set width 0
        foreach number $numbers {
            set width [expr {max($width, [font measure TactusSmall [my Label [my Transition $number]]])}]
        }
        list [expr {$width + [look::points 6]}] [expr {[llength $numbers] * [my Line] + [look::points 2]}]
    }

    # Nodes and edges for the layout, and its direction.
    method Graph {} {
        set nodes {}
        foreach state [dict get $Model states] {
            if {[my isDrawn $state]} {dict set nodes [dict get $state name] [my CellSize $state]}
        }
        set edges {}
        set key -1
        foreach pair $Pairs {
            incr key
            lassign $pair from to numbers
            if {$from ne $to} {lappend edges [list $key $from $to {*}[my LabelSize $numbers]]}
        }
        list $nodes $edges $Down
    }

    # The layout by ourselves, in either direction.
    method Place {down} {
        set Down $down
        set graph [my Graph]
        if {![dict exists $Layouts $graph]} {
            if {[dict size $Layouts] > 3} {set Layouts {}}
            lassign $graph nodes edges
            dict set Layouts $graph [modelLayout::place $nodes $edges [look::points 16] [look::points 8] $Down]
        }
        dict get $Layouts $graph
    }

    # How many times as large as the canvas a layout is.
    method Excess {layout} {
        lassign [dict get $layout size] width height
        expr {max(1.0, $width / double(max(50, [winfo width $Canvas] - [look::points 12])),
            $height / double(max(50, [winfo height $Canvas] - [look::points 12])))}
    }

    # The one of both that fits better.
    method Fitting {} {
        set across [my Place 0]
        if {[my Excess $across] <= 1} {return $across}
        set down [my Place 1]
        if {[my Excess $down] < 0.8 * [my Excess $across]} {return $down}
        set Down 0
        return $across
    }

    method draw {} {
        if {![winfo exists $Canvas]} return
        my Stop
        $Canvas delete all
        $Canvas configure -background [look::color field] -highlightbackground [look::color line] \
            -highlightcolor [look::color accent]
        if {$Model eq {} || ![llength [dict get $Model states]]} {return [my Center]}
        my DrawLayout [my Fitting]
        lassign [my Graph] nodes edges
        set text [modelLayout::describe $nodes $edges [look::points 16] [look::points 8] $Down]
        variable ::tactus::player::modelsGraph::known
        if {[dict exists $known $text]} {return [my DrawLayout [dict get $known $text]]}
        my Ask $text $nodes $edges
    }

    # The other direction may fit better now.
    method Resized {} {
        if {$Model ne {} && [llength [dict get $Model states]]} {
            set before $Down
            my Fitting
            if {$Down != $before} {return [my draw]}
        }
        my Center
    }

    method DrawLayout {layout} {
        $Canvas delete all
        foreach {key route} [dict get $layout routes] {my DrawEdge $key $route [dict get $layout places]}
        set number -1
        foreach state [dict get $Model states] {
            incr number
            if {[my isDrawn $state]} {my DrawState $number $state [dict get $layout places [dict get $state name]]}
        }
        foreach {key route} [dict get $layout routes] {
            my DrawLabel $key {*}[dict get $layout places [list label $key]] [lindex $Pairs $key 2]
        }
        if {$Hidden} {my DrawHidden [dict get $layout size]}
        my Center
        my Light
        my Mark
        # Another drawing is seen from its beginning.
        if {[dict get $layout size] ne $Size} {my ToInitial}
        set Size [dict get $layout size]
    }

    # Says that not all is drawn.
    method DrawHidden {size} {
        $Canvas create text 0 [expr {[lindex $size 1] + [look::points 8]}] -anchor nw -font TactusSmall \
            -fill [look::color muted] -text "[text::counted $Hidden transition] that nobody took: not drawn"
    }

    # Brings the initial state into view, at the left or upper edge.
    method ToInitial {} {
        set number [lsearch -exact [lmap state [dict get $Model states] {dict get $state initial}] 1]
        set box [$Canvas bbox state$number]
        lassign [$Canvas cget -scrollregion] left top right bottom
        $Canvas xview moveto 0
        $Canvas yview moveto 0
        if {$box eq {} || $left eq {}} return
        lassign $box x0 y0 x1 y1
        if {$x1 > [$Canvas canvasx [winfo width $Canvas]]} {
            $Canvas xview moveto [expr {(($x0 + $x1 - [winfo width $Canvas]) / 2.0 - $left) / max(1, $right - $left)}]
        }
        if {$y1 > [$Canvas canvasy [winfo height $Canvas]]} {
            $Canvas yview moveto [expr {(($y0 + $y1 - [winfo height $Canvas]) / 2.0 - $top) / max(1, $bottom - $top)}]
        }
    }

    # The drawing stands in the middle of a canvas that is larger.
    method Center {} {
        set box [$Canvas bbox all]
        if {$box eq {}} {return [$Canvas configure -scrollregion {}]}
        lassign $box x0 y0 x1 y1
        set margin [look::points 6]
        set wide [expr {max(0, [winfo width $Canvas] - 2 * [$Canvas cget -highlightthickness] - ($x1 - $x0)) / 2}]
        set high [expr {max(0, [winfo height $Canvas] - 2 * [$Canvas cget -highlightthickness] - ($y1 - $y0)) / 2}]
        set wide [expr {$wide > $margin ? $wide : $margin}]
        set high [expr {$high > $margin ? $high : $margin}]
        $Canvas configure -scrollregion \
            [list [expr {$x0 - $wide}] [expr {$y0 - $high}] [expr {$x1 + $wide}] [expr {$y1 + $high}]]
    }

    method DrawState {number state place} {
        lassign $place x y
        lassign [my NodeSize $state] width height
        lassign [list [expr {$x - $width / 2.0}] [expr {$y - $height / 2.0}]] left top
        lassign [list [expr {$x + $width / 2.0}] [expr {$y + $height / 2.0}]] right bottom
        set name [dict get $state name]
        set tags [list state$number state]
        set fill [dict get $Colors $name]
        my Box $left $top $right $bottom [look::points 6] -fill $fill -outline [look::color foreground] \
            -width [look::points 0.75] -tags [list {*}$tags box]
        if {[dict get $state final]} {
            set in [look::points 2.5]
            my Box [expr {$left + $in}] [expr {$top + $in}] [expr {$right - $in}] [expr {$bottom - $in}] \
                [look::points 4] -fill {} -outline black -width 1 -tags $tags
        }
        $Canvas create text $x $y -text [my Name $state] -font TactusBold -fill black -tags $tags
        if {[dict get $state initial]} {my DrawInitial $left $top $tags}
        set loops [my LoopsOf $name]
        if {[llength $loops]} {my DrawLoop $x $y $width $height $loops}
    }

    # A rectangle with round corners.
    method Box {left top right bottom radius args} {
        set r $radius
        set points [list [expr {$left + $r}] $top [expr {$left + $r}] $top [expr {$right - $r}] $top \
            [expr {$right - $r}] $top $right $top $right [expr {$top + $r}] $right [expr {$top + $r}] \
            $right [expr {$bottom - $r}] $right [expr {$bottom - $r}] $right $bottom [expr {$right - $r}] $bottom \
            [expr {$right - $r}] $bottom [expr {$left + $r}] $bottom [expr {$left + $r}] $bottom $left $bottom \
            $left [expr {$bottom - $r}] $left [expr {$bottom - $r}] $left [expr {$top + $r}] $left [expr {$top + $r}] \
            $left $top]
        $Canvas create polygon $points -smooth 1 {*}$args
    }

    method DrawInitial {left top tags} {
        set far [look::points 9]
        set dot [look::points 2.5]
        set x [expr {$left - $far + [look::points 4]}]
        set y [expr {$top - $far}]
        set color [look::color foreground]
        $Canvas create line $x $y [expr {$left + [look::points 3]}] [expr {$top + [look::points 1]}] -fill $color \
            -arrow last -arrowshape [my Arrow 0.8] -tags $tags
        $Canvas create oval [expr {$x - $dot}] [expr {$y - $dot}] [expr {$x + $dot}] [expr {$y + $dot}] -fill $color \
            -outline {} -tags $tags
    }

    method Arrow {factor} {
        lmap points {6 7 2.5} {look::points [expr {$points * $factor}]}
    }

    # Loops of a state, as one above it, or at its right side.
    method DrawLoop {x y width height numbers} {
        set key [lsearch -index 2 -exact $Pairs $numbers]
        set half [look::points 6]
        set far [my LoopHeight]
        lassign [my LabelSize $numbers] wide high
        # Along the side, and away from it.
        foreach {along away} [list -$half 0 [expr {-2 * $half}] [expr {$far * 1.3}] [expr {2 * $half}] \
            [expr {$far * 1.3}] $half 0] {
            lappend points {*}[expr {$Down ? [list [expr {$x + $width / 2.0 + $away}] [expr {$y + $along}]]
                : [list [expr {$x + $along}] [expr {$y - $height / 2.0 - $away}]]}]
        }
        $Canvas create line $points -smooth raw -fill [look::color [my PairColor $numbers]] \
            -width [my PairWidth $numbers] -arrow last -arrowshape [my Arrow 1] -tags [list pair$key line]
        if {$Down} {
            my DrawLabel $key [expr {$x + $width / 2.0 + $far + $wide / 2.0}] $y $numbers
        } else {
            my DrawLabel $key $x [expr {$y - $height / 2.0 - $far - $high / 2.0}] $numbers
        }
    }

    # The gravest colour of these transitions.
    method PairColor {numbers} {
        set colors [lmap number $numbers {my ColorOf [my Transition $number]}]
        foreach color {error warning foreground muted} {if {$color in $colors} {return $color}}
    }

    # Thick: taken often.
    method PairWidth {numbers} {
        set most 1
        foreach transition [dict get $Model transitions] {set most [expr {max($most, [dict get $transition taken])}]}
        set taken [::tcl::mathop::+ {*}[lmap number $numbers {dict get [my Transition $number] taken}]]
        look::points [expr {0.75 + 0.75 * min(1.0, double($taken) / $most)}]
    }

    # An edge from box to box. The layout knows cells, which are larger where there is a loop or the mark of the initial
    # state: ends beside the box are moved to it, and a line is added where they are apart from it.
    method DrawEdge {key route places} {
        lassign [lindex $Pairs $key] from to numbers
        lassign [lindex $route 0] smooth points
        lassign [my Ends $from $places [lrange $points 0 1]] end box
        lset route 0 [list $smooth [lreplace $points 0 1 {*}$end]]
        lassign [lindex $route end] smooth points
        lassign [my Ends $to $places [lrange $points end-1 end]] last lastBox
        lset route end [list $smooth [lreplace $points end-1 end {*}$last]]
        if {[my Apart $end $box]} {set route [linsert $route 0 [list 0 [list {*}$box {*}$end]]]}
        if {[my Apart $last $lastBox]} {lappend route [list 0 [list {*}$last {*}$lastBox]]}
        set options [list -fill [look::color [my PairColor $numbers]] -width [my PairWidth $numbers] \
            -tags [list pair$key line]]
        if {[my PairColor $numbers] eq "muted"} {lappend options -dash [list [look::points 3] [look::points 2]]}
        set last [lindex $route end]
        foreach part $route {
            lassign $part smooth points
            if {$part eq $last} {lappend options -arrow last -arrowshape [my Arrow 1]}
            $Canvas create line $points -smooth $smooth {*}$options
        }
    }

    # Where an edge meets the cell of a state, within the breadth of its box; and where it meets the box.
    method Ends {name places end} {
        lassign [dict get $places $name] x y
        foreach state [dict get $Model states] {
            if {[dict get $state name] eq $name} {lassign [my NodeSize $state] width height}
        }
        lassign $end endX endY
        if {$Down} {
            set endX [expr {max($x - $width * 0.4, min($x + $width * 0.4, $endX))}]
            return [list [list $endX $endY] [list $endX [expr {$y + ($endY < $y ? -1 : 1) * $height / 2.0}]]]
        }
        set endY [expr {max($y - $height * 0.35, min($y + $height * 0.35, $endY))}]
        list [list $endX $endY] [list [expr {$x + ($endX < $x ? -1 : 1) * $width / 2.0}] $endY]
    }

    method Apart {end box} {
        expr {hypot([lindex $end 0] - [lindex $box 0], [lindex $end 1] - [lindex $box 1]) >= 2}
    }

    # The texts of an edge, on the background, so that they hide its line.
    method DrawLabel {key x y numbers} {
        lassign [my LabelSize $numbers] width height
        $Canvas create rectangle [expr {$x - $width / 2.0}] [expr {$y - $height / 2.0}] \
            [expr {$x + $width / 2.0}] [expr {$y + $height / 2.0}] -fill [look::color field] -outline {} \
            -tags [list pair$key back]
        set at [expr {$y - $height / 2.0 + [look::points 1]}]
        foreach number $numbers {
            $Canvas create text $x $at -anchor n -font TactusSmall -text [my Label [my Transition $number]] \
                -fill [look::color [my ColorOf [my Transition $number]]] \
                -tags [list pair$key label transition$number]
            set at [expr {$at + [my Line]}]
        }
    }

    # ---- Graphviz ----------------------------------------------------------------------------------------------------

    method Ask {text nodes edges} {
        variable ::tactus::player::modelsGraph::program
        variable ::tactus::player::modelsGraph::patience
        if {$program eq {} || [auto_execok $program] eq {}} return
        if {[catch {::open |[list {*}[auto_execok $program] -Tplain 2>/dev/null] r+} channel]} return
        set Channel $channel
        set Answer {}
        fconfigure $channel -blocking 0
        fileevent $channel readable [namespace code [list my Answered $text $nodes $edges]]
        set Timer [after $patience [namespace code {my Stop}]]
        catch {puts $channel $text; flush $channel; chan close $channel write}
    }

    method Answered {text nodes edges} {
        append Answer [read $Channel]
        if {[string length $Answer] > 4000000} {return [my Stop]}
        if {![eof $Channel]} return
        set answer $Answer
        my Stop
        # What a program of that name says otherwise leaves the drawing as it is.
        if {[catch {modelLayout::parse $answer $nodes $edges} layout]} return
        variable ::tactus::player::modelsGraph::known
        if {[dict size $known] > 50} {set known {}}
        dict set known $text $layout
        my DrawLayout $layout
    }

    method Stop {} {
        after cancel $Timer
        set Timer {}
        if {$Channel eq {}} return
        set channel $Channel
        set Channel {}
        catch {exec kill {*}[pid $channel]}
        catch {close $channel}
    }

    # ---- keys and mouse ----------------------------------------------------------------------------------------------

    # The transition {number} or the state {name} under the pointer; {}: neither.
    method At {x y} {
        lassign [list [$Canvas canvasx $x] [$Canvas canvasy $y]] x y
        set reach [look::points 2]
        set ids [$Canvas find overlapping [expr {$x - $reach}] [expr {$y - $reach}] \
            [expr {$x + $reach}] [expr {$y + $reach}]]
        foreach id [lreverse $ids] {
            foreach tag [$Canvas gettags $id] {
                if {[regexp {^transition(\d+)$} $tag -> number]} {return [list transition $number]}
                if {[regexp {^state(\d+)$} $tag -> number]} {return [list state $number]}
            }
        }
        foreach id $ids {
            foreach tag [$Canvas gettags $id] {
                if {[regexp {^pair(\d+)$} $tag -> key]} {return [list transition [lindex $Pairs $key 2 0]]}
            }
        }
    }

    method Tip {x y} {
        if {$Model eq {}} return
        lassign [my At $x $y] kind number
        switch $kind {
            transition {return [my Facts [my Transition $number]]}
            state {
                set state [lindex [dict get $Model states] $number]
                set words [list [text::visible [dict get $state name] 200]]
                foreach key {initial final} {if {[dict get $state $key]} {lappend words $key}}
                return [join [list [join $words ", "] {*}[lmap constraint [dict get $state constraints] {
                    dict with constraint {text::visible "$text: invalid $invalid, uncertain $uncertain ($place)" 200}
                }]] \n]
            }
        }
    }

    method Press {x y} {
        focus $Canvas
        if {$Model eq {}} return
        lassign [my At $x $y] kind number
        if {$kind ne "transition"} return
        set Current $number
        my Mark
        my Enter
    }

    method Step {by} {
        set drawn [lsort -integer [concat {*}[lmap pair $Pairs {lindex $pair 2}]]]
        if {![llength $drawn]} return
        set place [lsearch -exact -integer $drawn $Current]
        set Current [lindex $drawn [expr {$place < 0 ? ($by > 0 ? 0 : [llength $drawn] - 1)
            : ($place + $by) % [llength $drawn]}]]
        my Mark
        my See
    }

    # Marks the chosen transition by a frame around its text.
    method Mark {} {
        $Canvas delete mark
        set box [$Canvas bbox transition$Current]
        if {$Current < 0 || $box eq {}} return
        lassign $box x0 y0 x1 y1
        $Canvas create rectangle [expr {$x0 - 1}] $y0 [expr {$x1 + 1}] $y1 -outline [look::color accent] \
            -width [look::points 0.75] -tags mark
    }

    method See {} {
        lassign [$Canvas bbox transition$Current] x0 y0 x1 y1
        lassign [$Canvas cget -scrollregion] left top right bottom
        if {$x0 eq {} || $left eq {}} return
        if {$x0 < [$Canvas canvasx 0] || $x1 > [$Canvas canvasx [winfo width $Canvas]]} {
            $Canvas xview moveto [expr {double($x0 - $left - [look::points 10]) / max(1, $right - $left)}]
        }
        if {$y0 < [$Canvas canvasy 0] || $y1 > [$Canvas canvasy [winfo height $Canvas]]} {
            $Canvas yview moveto [expr {double($y0 - $top - [look::points 10]) / max(1, $bottom - $top)}]
        }
    }

    method Enter {} {
        if {$Current >= 0 && $Model ne {}} {{*}$Call [dict get [my Transition $Current] place]}
    }

    # ---- for tests ---------------------------------------------------------------------------------------------------

    method canvas {} {return $Canvas}
    method current {} {return $Current}
}
