# panel/modelsLayout.tcl -- places for the states of a model and for the labels of its transitions.
#
#   nodes (name -> {width height}), edges {key from to width height} --> modelLayout::place --> dict:
#       size {width height}, places (name, or {label KEY} -> {x y} of the middle), routes (KEY -> {smooth points} ...)
#
# Layers from left to right, or downwards: a state stands behind those that lead to it, where that is no way back.
# Labels are laid out as the states are, in layers of their own between those of states, so that no label hides another
# one or a state. An edge over several layers passes through empty places in each. Loops (from = to) are the caller's:
# they need a place at the state only.
#
# Where Graphviz is there, its program dot does the same better (`describe`, `parse`); it is given labels as nodes too.
#
# Source: Sugiyama, Tagawa, Toda, "Methods for Visual Understanding of Hierarchical System Structures" (1981). Uses no
# widget.

namespace eval ::tactus::player::modelLayout {
    variable sweeps 8           ;# times that the order, and the heights, are improved
    variable many 2000          ;# of more items, they are improved twice only
}

proc ::tactus::player::modelLayout::sweeps {levels} {
    variable sweeps
    variable many
    expr {[::tcl::mathop::+ {*}[lmap level $levels {llength $level}]] > $many ? min(2, $sweeps) : $sweeps}
}

proc ::tactus::player::modelLayout::place {nodes edges gapX gapY {downwards 0}} {
    if {$downwards} {return [turned [place [turnedSizes $nodes] [lmap edge $edges {
        lassign $edge key from to width height
        list $key $from $to $height $width
    }] $gapX $gapY]]}
    set ranks [ranksOf [dict keys $nodes] $edges]
    lassign [levelsOf $nodes $edges $ranks $gapY] levels sizes chains
    set near [neighbours $chains]
    set levels [ordered $levels $near]
    set middles [heights $levels $near $sizes $gapY]
    lassign [columns $levels $sizes $gapX] lefts width
    placed $levels $sizes $chains $middles $lefts $width $edges
}

# Sizes with width and height exchanged, and so with a layout: layers from top to bottom are layers from left to right,
# seen in a mirror.
proc ::tactus::player::modelLayout::turnedSizes {sizes} {
    dict map {name size} $sizes {lreverse $size}
}

proc ::tactus::player::modelLayout::turned {layout} {
    dict create size [lreverse [dict get $layout size]] places [turnedSizes [dict get $layout places]] \
        routes [dict map {key parts} [dict get $layout routes] {
            lmap part $parts {
                list [lindex $part 0] [concat {*}[lmap {x y} [lindex $part 1] {list $y $x}]]
            }
        }]
}

# ---- layers ----------------------------------------------------------------------------------------------------------

# The layer of each node: one more than that of the last node that leads to it, not counting ways back, which are found
# in the order of the nodes.
proc ::tactus::player::modelLayout::ranksOf {names edges} {
    set next {}
    foreach name $names {dict set next $name {}}
    foreach edge $edges {dict lappend next [lindex $edge 1] [lindex $edge 2]}
    set marks {}
    set after {}
    foreach name $names {visit $name $next marks after}
    set ranks {}
    foreach name $names {dict set ranks $name 0}
    # In this order every node stands before those it leads to.
    set place 0
    foreach name [lreverse $after] {dict set places $name [incr place]}
    foreach name [lreverse $after] {
        foreach to [dict get $next $name] {
            if {[dict get $places $to] <= [dict get $places $name]} continue
            dict set ranks $to [expr {max([dict get $ranks $to], [dict get $ranks $name] + 1)}]
        }
    }
    return $ranks
}

# Walks the graph depth first; `after` gets the nodes in the order in which they were left.
proc ::tactus::player::modelLayout::visit {name next marksName afterName} {
    upvar 1 $marksName marks $afterName after
    if {[dict exists $marks $name]} return
    dict set marks $name 1
    # The last transitions first, so that those of the file's beginning come first in the reversed order.
    foreach to [lreverse [dict get $next $name]] {visit $to $next marks after}
    lappend after $name
}

# Items by level: nodes {node NAME} in even ones, labels {label KEY} in odd ones, empty places {pass KEY LEVEL}; their
# sizes; and the items along each edge, from left to right: {KEY items isReversed}.
proc ::tactus::player::modelLayout::levelsOf {nodes edges ranks gapY} {
    lassign {} levels sizes chains
    dict for {name size} $nodes {
        dict lappend levels [expr {2 * [dict get $ranks $name]}] [list node $name]
        dict set sizes [list node $name] $size
    }
    foreach edge $edges {
        lassign $edge key from to width height
        set back [expr {[dict get $ranks $from] > [dict get $ranks $to]}]
        if {$back} {lassign [list $to $from] from to}
        set first [expr {2 * [dict get $ranks $from]}]
        set last [expr {2 * [dict get $ranks $to]}]
        set items [list [list node $from] [list label $key]]
        dict set sizes [list label $key] [list $width $height]
        dict lappend levels [expr {$first + 1}] [list label $key]
        for {set level [expr {$first + 2}]} {$level < $last} {incr level} {
            set pass [list pass $key $level]
            lappend items $pass
            dict set sizes $pass [list 0 $gapY]
            dict lappend levels $level $pass
        }
        lappend chains [list $key [lappend items [list node $to]] $back]
    }
    list [lmap level [lsort -integer [dict keys $levels]] {dict get $levels $level}] $sizes $chains
}

# Items that are beside an item along an edge: dict of item -> {left ones} {right ones}.
proc ::tactus::player::modelLayout::neighbours {chains} {
    set near {}
    foreach chain $chains {
        set items [lindex $chain 1]
        foreach one [lrange $items 0 end-1] other [lrange $items 1 end] {
            dict lappend near [list $one right] $other
            dict lappend near [list $other left] $one
        }
    }
    return $near
}

proc ::tactus::player::modelLayout::of {near item side} {
    expr {[dict exists $near [list $item $side]] ? [dict get $near [list $item $side]] : {}}
}

# ---- order and heights -----------------------------------------------------------------------------------------------

# Orders the items of each level by the mean place of their neighbours, to and fro.
proc ::tactus::player::modelLayout::ordered {levels near} {
    set sweeps [sweeps $levels]
    for {set sweep 0} {$sweep < $sweeps} {incr sweep} {
        set side [expr {$sweep % 2 ? "right" : "left"}]
        set numbers [range [llength $levels]]
        if {$side eq "right"} {set numbers [lreverse $numbers]}
        set places [placesIn $levels]
        foreach number $numbers {
            set keyed {}
            foreach item [lindex $levels $number] {
                set beside [lmap other [of $near $item $side] {dict get $places $other}]
                lappend keyed [list $item [expr {[llength $beside] ? [mean $beside] : [dict get $places $item]}]]
            }
            lset levels $number [lmap pair [lsort -real -index 1 $keyed] {lindex $pair 0}]
            dict for {item place} [placesIn [list [lindex $levels $number]]] {dict set places $item $place}
        }
    }
    return $levels
}

# Place of each item in its level: from 0 to 1.
proc ::tactus::player::modelLayout::placesIn {levels} {
    set places {}
    foreach level $levels {
        set count [llength $level]
        set at 0
        foreach item $level {dict set places $item [expr {([incr at] - 0.5) / $count}]}
    }
    return $places
}

proc ::tactus::player::modelLayout::mean {values} {
    expr {[::tcl::mathop::+ {*}$values] / double([llength $values])}
}

proc ::tactus::player::modelLayout::range {count} {
    set list {}
    for {set i 0} {$i < $count} {incr i} {lappend list $i}
    return $list
}

# The middle of each item: near the mean of its neighbours, in the order of its level, with gaps.
proc ::tactus::player::modelLayout::heights {levels near sizes gap} {
    set sweeps [sweeps $levels]
    set middles {}
    foreach level $levels {
        set middles [dict merge $middles [spread $level [lmap item $level {expr {0.0}}] $sizes $gap]]
    }
    for {set sweep 0} {$sweep < $sweeps} {incr sweep} {
        set side [expr {$sweep % 2 ? "right" : "left"}]
        foreach level [expr {$sweep % 2 ? [lreverse $levels] : $levels}] {
            set wanted [lmap item $level {
                set sides [expr {$sweep < $sweeps - 2 ? $side : "left right"}]
                set beside [lmap other [concat {*}[lmap one $sides {of $near $item $one}]] {dict get $middles $other}]
                expr {[llength $beside] ? [mean $beside] : [dict get $middles $item]}
            }]
            set middles [dict merge $middles [spread $level $wanted $sizes $gap]]
        }
    }
    return $middles
}

# Places the items of a level as near as possible (least squares) to what is wanted, in their order: blocks of items
# that would overlap are moved together (Ayer et al. 1955: pool adjacent violators).
proc ::tactus::player::modelLayout::spread {level wanted sizes gap} {
    set offset 0.0
    set last {}
    set offsets {}
    set blocks {}
    foreach item $level want $wanted {
        set height [lindex [dict get $sizes $item] 1]
        if {$last ne {}} {set offset [expr {$offset + ($last + $height) / 2.0 + $gap}]}
        set last $height
        lappend offsets $offset
        set block [list [expr {$want - $offset}] 1]
        while {[llength $blocks] && [lindex $blocks end 0] > [lindex $block 0]} {
            lassign [lindex $blocks end] value count
            set all [expr {$count + [lindex $block 1]}]
            set block [list [expr {($value * $count + [lindex $block 0] * [lindex $block 1]) / $all}] $all]
            set blocks [lrange $blocks 0 end-1]
        }
        lappend blocks $block
    }
    set values [concat {*}[lmap block $blocks {lrepeat [lindex $block 1] [lindex $block 0]}]]
    set middles {}
    foreach item $level value $values offset $offsets {dict set middles $item [expr {$value + $offset}]}
    return $middles
}

# ---- places ----------------------------------------------------------------------------------------------------------

# The left edge and the width of each level, and the width of all.
proc ::tactus::player::modelLayout::columns {levels sizes gap} {
    set x 0.0
    set lefts {}
    foreach level $levels {
        set width [::tcl::mathfunc::max 0 {*}[lmap item $level {lindex [dict get $sizes $item] 0}]]
        lappend lefts [list $x $width]
        set x [expr {$x + $width + $gap}]
    }
    list $lefts [expr {max(0, $x - $gap)}]
}

# The result: places and routes, from the middles and the columns.
proc ::tactus::player::modelLayout::placed {levels sizes chains middles lefts width edges} {
    set top [::tcl::mathfunc::min {*}[dict values [dict map {item y} $middles {
        expr {$y - [lindex [dict get $sizes $item] 1] / 2.0}
    }]]]
    set bottom $top
    set at {}
    foreach level $levels column $lefts {
        lassign $column left wide
        foreach item $level {
            set y [dict get $middles $item]
            set bottom [expr {max($bottom, $y + [lindex [dict get $sizes $item] 1] / 2.0)}]
            dict set at $item [list [expr {$left + $wide / 2.0}] [expr {$y - $top}]]
        }
    }
    set ports [portsOf $chains $at $sizes]
    set routes {}
    foreach chain $chains {
        lassign $chain key items back
        dict set routes $key [list [list 1 [route $key $items $back $at $sizes $ports]]]
    }
    set places {}
    dict for {item place} $at {
        if {[lindex $item 0] eq "node"} {dict set places [lindex $item 1] $place}
        if {[lindex $item 0] eq "label"} {dict set places $item $place}
    }
    dict create size [list $width [expr {$bottom - $top}]] places $places routes $routes
}

# How far from the middle of a node's side each edge meets it: those of one side are spread in the order of where they
# come from.
proc ::tactus::player::modelLayout::portsOf {chains at sizes} {
    set sides {}
    foreach chain $chains {
        lassign $chain key items
        dict lappend sides [list [lindex $items 0] right] [list $key [lindex [dict get $at [lindex $items 1]] 1]]
        dict lappend sides [list [lindex $items end] left] [list $key [lindex [dict get $at [lindex $items end-1]] 1]]
    }
    set ports {}
    dict for {place edges} $sides {
        set count [llength $edges]
        set step [expr {0.7 * [lindex [dict get $sizes [lindex $place 0]] 1] / $count}]
        set at [expr {-($count - 1) / 2.0}]
        foreach edge [lsort -real -index 1 $edges] {
            dict set ports [list {*}$place [lindex $edge 0]] [expr {$at * $step}]
            set at [expr {$at + 1}]
        }
    }
    return $ports
}

# The points of an edge, in its direction.
proc ::tactus::player::modelLayout::route {key items back at sizes ports} {
    set points {}
    foreach item $items {
        lassign [dict get $at $item] x y
        set half [expr {[lindex [dict get $sizes $item] 0] / 2.0}]
        if {$item eq [lindex $items 0]} {
            lappend points [list [expr {$x + $half}] [expr {$y + [dict get $ports [list $item right $key]]}]]
        } elseif {$item eq [lindex $items end]} {
            lappend points [list [expr {$x - $half}] [expr {$y + [dict get $ports [list $item left $key]]}]]
        } elseif {[lindex $item 0] eq "label"} {
            lappend points [list [expr {$x - $half}] $y] [list [expr {$x + $half}] $y]
        } else {
            lappend points [list $x $y]
        }
    }
    concat {*}[expr {$back ? [lreverse $points] : $points}]
}

# ---- Graphviz --------------------------------------------------------------------------------------------------------

# The graph in the language of dot, with labels as nodes. Names are numbers, so that nothing of a model is in it. Ways
# back are turned round, so that their labels stand between the states, too.
proc ::tactus::player::modelLayout::describe {nodes edges gapX gapY {downwards 0}} {
    set direction [expr {$downwards ? "TB" : "LR"}]
    set lines [list "digraph {" "rankdir=$direction; nodesep=[inches $gapY]; ranksep=[inches $gapX];" \
        "node \[shape=box, fixedsize=true, label=\"\"\];"]
    set number 0
    dict for {name size} $nodes {
        dict set numbers $name n[incr number]
        lappend lines "n$number \[[dotSize {*}$size]\];"
    }
    set number 0
    set ranks [ranksOf [dict keys $nodes] $edges]
    foreach edge $edges {
        lassign $edge - from to width height
        if {[dict get $ranks $from] > [dict get $ranks $to]} {lassign [list $to $from] from to}
        set label e[incr number]
        lappend lines "$label \[[dotSize $width $height]\];" "[dict get $numbers $from] -> $label \[dir=none\];" \
            "$label -> [dict get $numbers $to] \[dir=none\];"
    }
    join [lappend lines "}"] \n
}

proc ::tactus::player::modelLayout::inches {pixels} {::tactus::format %.3f [expr {$pixels / 72.0}]}
proc ::tactus::player::modelLayout::dotSize {width height} {
    return "width=[inches $width], height=[inches $height]"
}

# Reads what `dot -Tplain` has made of that: the same dict as `place`; an error where it is something else.
proc ::tactus::player::modelLayout::parse {text nodes edges} {
    set names [dict keys $nodes]
    set high 0
    set places {}
    set parts {}
    foreach line [split $text \n] {
        set words [regexp -all -inline {\S+} $line]
        switch [lindex $words 0] {
            graph {lassign [lmap inch [lrange $words 2 3] {expr {$inch * 72.0}}] wide high}
            node {
                lassign $words - id x y
                set index [expr {[string range $id 1 end] - 1}]
                set name [if {[string match n* $id]} {lindex $names $index} else {list label [lindex $edges $index 0]}]
                dict set places $name [list [expr {$x * 72.0}] [expr {$high - $y * 72.0}]]
            }
            edge {
                lassign $words - from to count
                set points {}
                foreach {x y} [lrange $words 4 [expr {3 + 2 * $count}]] {
                    lappend points [expr {$x * 72.0}] [expr {$high - $y * 72.0}]
                }
                dict set parts [list $from $to] $points
            }
        }
    }
    set routes {}
    set number 0
    foreach edge $edges {
        lassign $edge key from to
        set label e[incr number]
        set ends [lmap name [list $from $to] {string cat n [expr {[lsearch -exact $names $name] + 1}]}]
        dict set routes $key [list [list raw [part $parts [lindex $ends 0] $label]] \
            [list raw [part $parts $label [lindex $ends 1]]]]
    }
    foreach name [concat $names [lmap edge $edges {list label [lindex $edge 0]}]] {dict get $places $name}
    dict create size [list $wide $high] places $places routes $routes
}

# The points of an edge from one node to another, which may have been turned round.
proc ::tactus::player::modelLayout::part {parts from to} {
    if {[dict exists $parts [list $from $to]]} {return [dict get $parts [list $from $to]]}
    set points {}
    foreach {y x} [lreverse [dict get $parts [list $to $from]]] {lappend points $x $y}
    return $points
}
