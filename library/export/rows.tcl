# export/rows.tcl -- class FigureRows: the choice of a figure's rows in four ways, one of them a list of the view's rows
# to tick.
#
#   FigureRows new FRAME TIMELINE ARRAY EXPLAIN    ARRAY(rowsFrom): view, all, typed or chosen; ARRAY(-rows): patterns;
#                                                  EXPLAIN is called with a widget and its help
#   $rows fill            fills the list with the timeline's rows
#   $rows ids WHICH       ids in the order of the timeline: all, visible or chosen
#
# Ids come from the trace and may be any text, so the items of the list have names of their own.

oo::class create ::tactus::player::FigureRows {
    variable Frame Timeline From        ;# From: name of the variable with rowsFrom
    variable Chosen                     ;# ids that are ticked

    # Makes the widgets in the frame, a labelframe in the grid of a page.
    constructor {frame timeline array explain} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $frame $timeline ${array}(rowsFrom) {}] Frame Timeline From Chosen
        foreach {name text row column} {
            view {As in the window} 0 0  all {All that have something} 0 1  typed Patterns 1 0  chosen {These:} 2 0
        } {
            ttk::radiobutton $frame.$name -text $text -value $name -variable $From
            grid $frame.$name -row $row -column $column -sticky w -padx [list 0 [px 8]]
        }
        ttk::entry $frame.patterns -textvariable ${array}(-rows) -width 18
        bind $frame.patterns <Key> [list set $From typed]
        {*}$explain $frame.patterns "Ids or names of rows, in this order; * and ? stand for anything. (--rows)"
        grid $frame.patterns -row 1 -column 1 -sticky ew
        ttk::frame $frame.list
        ttk::treeview $frame.list.tree -show tree -height 4 -selectmode browse -yscrollcommand [list $frame.list.y set]
        $frame.list.tree column #0 -width [px 200]
        ttk::scrollbar $frame.list.y -command [list $frame.list.tree yview]
        pack $frame.list.y -side right -fill y
        pack $frame.list.tree -fill both -expand 1
        bind $frame.list.tree <Button-1> [namespace code {my toggle [%W identify row %x %y]}]
        bind $frame.list.tree <space> [namespace code {my toggle [%W focus]}]
        grid $frame.list -row 2 -column 1 -sticky nsew -pady [list [px 3] 0]
        grid configure $frame.chosen -sticky nw
        grid columnconfigure $frame 1 -weight 1
        grid rowconfigure $frame 2 -weight 1
        set page [winfo parent $frame]
        set line [lindex [grid size $page] 1]
        grid $frame -row $line -columnspan 3 -sticky nsew -pady [px 3]
        grid rowconfigure $page $line -weight 1
    }

    # Ids of rows, each once, since an expanded processor shows a task of several processors again.
    method ids {which} {
        set ids {}
        foreach row [$Timeline rows] {
            if {![dict exists $row id] || [dict get $row id] eq {} || [dict get $row kind] ni {task server processor}} {
                continue
            }
            if {$which eq "visible" && ([my Is $row hidden] || [my Is $row filtered] || [my Is $row folded])} continue
            if {$which eq "chosen" && [dict get $row id] ni $Chosen} continue
            dict set ids [dict get $row id] 1
        }
        dict keys $ids
    }

    method Is {row key} {
        expr {[dict exists $row $key] && [string is true -strict [dict get $row $key]]}
    }

    method isEmpty {} {expr {[$Frame.list.tree children {}] eq {}}}

    method fill {} {
        set tree $Frame.list.tree
        $tree delete [$tree children {}]
        set names {}
        foreach row [$Timeline rows] {
            if {[dict exists $row name]} {dict set names [dict get $row id] [dict get $row name]}
        }
        set number 0
        foreach id [my ids all] {
            $tree insert {} end -id row[incr number] -values [list $id [dict get $names $id]]
            my Mark row$number
        }
    }

    method Mark {item} {
        set tree $Frame.list.tree
        lassign [$tree item $item -values] id name
        set box [expr {$id in $Chosen ? "\u2611" : "\u2610"}]
        $tree item $item -text "$box  [string map {\n { }} [string range $name 0 80]]"
    }

    method toggle {item} {
        if {$item eq {}} return
        set id [lindex [$Frame.list.tree item $item -values] 0]
        set place [lsearch -exact $Chosen $id]
        if {$place >= 0} {set Chosen [lreplace $Chosen $place $place]} else {lappend Chosen $id}
        my Mark $item
        set $From chosen
    }
}
