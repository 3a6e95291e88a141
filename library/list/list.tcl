# list/list.tcl -- a list widget over a relation: any number of rows, of which only those that can be seen exist in Tk.
#
#   ::tactus::player::virtualList PATH ?-option value ...?  -> PATH, a frame and the command of that name
#
# A relation is a command (`$trace relation KIND`) with columns, count, total, rows, id, place, filter, sort, find,
# statistics, close. The list asks it for the rows of one page whenever the page changes, and lets the relation itself
# sort and filter. So the cost of a frame is that of a page, not of the relation; nothing is copied.
#
# The widget (class VirtualList, this file) has the options, passes its methods on to the objects that it is made of,
# and tells them what happened. Each of them has one job, a state of its own and its methods at the head of its file:
#
#   list/data.tcl        the relation, sorted and filtered; work that takes long: progress, cancelling
#   list/columns.tcl     the columns that are shown: choice, order, widths, kept as preferences
#   list/selection.tcl   the selected rows and the current one
#   list/rows.tcl        the rows on screen: scrolling, drawing
#   list/head.tcl        the headings: sorting, dragging, the menu of columns
#   list/bar.tcl         the filter's entry, position, errors, progress
#   list/hands.tcl       keys, mouse, the menu of a row, copying, tooltips
#
# An object uses those above it in this list, and the widget; only data, columns and selection have state that others
# show.
#
# Options: -relation CMD (owned from then on: closed when replaced, and with the list), -name NAME (under which widths,
# order and choice of columns are kept as preferences), -columns LIST (shown at first; {}: all), -signs LIST (columns of
# severities or verdicts, drawn with sign and colour), -paint PREFIX (called with column, value and row; gives a
# colour's name or {}), -paintcolumns LIST, -draw PREFIX (called with canvas, left, top, right, bottom, place and row in
# place of writing the value: makes items that have the tag "drawn"), -drawcolumns LIST, -placeholder TEXT, -filterbar
# BOOL, -rows N (height asked for), -command PREFIX (a row was clicked or chosen: place), -opencommand PREFIX (a row was
# entered or clicked twice: place; {}: as -command), -noun WORD (of a row), -called PREFIX (called with the number of a
# thread or its job: returns what people call it; {}: the number), -valuetext PREFIX (called with column and value of a
# time, number or finding's sentence: returns how it is written), -told {NAME OTHER} (the column NAME is not shown at
# first where OTHER tells its value, since -called does).
#
# Methods: cget, configure; relation, columns; count, total; see PLACE; current ?PLACE?; selection ...; filter ?TEXT?;
# sort ?COLUMN? ?DECREASING?; copy; row PLACE, value PLACE COLUMN; bisect COLUMN VALUE; refresh; redraw; busy; cancel.
# Events: <<ListboxSelect>>, <<ListFiltered>>, <<ListSorted>>, <<ListColumns>>.

::tactus::need player/text times player/look player/tip list/data list/columns list/selection list/rows list/head \
    list/bar list/hands

namespace eval ::tactus::player {}

proc ::tactus::player::virtualList {path args} {
    ttk::frame $path -takefocus 0
    rename ::$path ::tactus::player::panels::widget$path
    try {
        ::tactus::player::VirtualList create ::$path $path {*}$args
    } on error {message options} {
        destroy $path
        return -options $options $message
    }
    return $path
}

oo::class create ::tactus::player::VirtualList {
    variable Path Options Data Columns Selection Rows Head Bar Hands Drawing Remembered

    # The objects are commands in the namespace of this one, and end with it.
    constructor {path args} {
        set Path $path
        set Options {
            -relation {} -name {} -columns {} -signs {} -paint {} -paintcolumns {} -placeholder {} -filterbar 1
            -called {} -rows 8 -command {} -opencommand {} -noun row
            -draw {} -drawcolumns {} -valuetext {} -told {}
        }
        lassign {} Drawing Remembered
        my checkOptions $args
        set font TkDefaultFont
        set Data [::tactus::player::ListData create data [self]]
        set Columns [::tactus::player::ListColumns create columns [self] $Data $font]
        set Selection [::tactus::player::ListSelection create selection [self] $Data]
        set Head [::tactus::player::ListHead create head [self] $Path $Data $Columns $font]
        set Rows [::tactus::player::ListRows create rows [self] $Path $Data $Columns $Selection $font]
        set Bar [::tactus::player::ListBar create bar [self] $Path $Data $Selection]
        set Hands [::tactus::player::ListHands create hands [self] $Path $Data $Columns $Selection $Rows $Bar $font]
        grid columnconfigure $Path 0 -weight 1
        grid rowconfigure $Path 2 -weight 1
        bind $Path <Destroy> [namespace code {my destroyed %W}]
        bind $Path <<ThemeChanged>> [namespace code {my readTheme}]
        my readTheme
        my configure {*}$args
    }

    destructor {
        after cancel $Drawing
        if {[winfo exists $Path]} {destroy $Path}
    }

    method destroyed {window} {
        if {$window eq $Path} {my destroy}
    }

    # ---- methods of its parts ----------------------------------------------------------------------------------------

    forward columns data columns
    forward count data count
    forward total data total
    forward row data row
    forward value data value
    forward busy data busy
    forward cancel data cancel
    forward work data run
    forward answer data answer
    forward shown columns shown
    forward width columns width
    forward body rows body
    forward first rows first
    forward pageRows rows pageRows
    forward yview rows yview
    forward see rows see
    forward headTip head tip
    forward filter bar filter
    forward addCondition bar addCondition
    forward addTool bar addTool
    forward moveTo hands moveTo
    forward enter hands enter
    forward copy hands copy
    forward bodyTip hands tip
    forward bodyMenu hands menu

    # ---- options -----------------------------------------------------------------------------------------------------

    method checkOptions {options} {
        if {[llength $options] % 2} {
            return -code error -errorcode {TACTUS USAGE MISSING} "value for \"[lindex $options end]\" is missing"
        }
        foreach {name value} $options {
            if {![dict exists $Options $name]} {
                return -code error -errorcode [list TCL LOOKUP OPTION $name] \
                    "unknown option \"$name\": must be [join [dict keys $Options] {, }]"
            }
        }
    }

    method cget {name} {
        my checkOptions [list $name {}]
        dict get $Options $name
    }

    method configure {args} {
        if {![llength $args]} {return $Options}
        my checkOptions $args
        foreach {name value} $args {dict set Options $name $value}
        if {[dict get $Options -filterbar]} {
            grid $Path.bar -row 0 -column 0 -columnspan 2 -sticky ew
        } else {
            grid remove $Path.bar
        }
        $Rows setHeight [dict get $Options -rows]
        if {[dict exists $args -relation]} {my relation [dict get $args -relation]}
        my redraw
    }

    method readTheme {} {
        $Rows readTheme
        $Rows setHeight [dict get $Options -rows]
        $Head readTheme [$Rows rowHeight]
        $Bar readTheme
        my placeColumns
    }

    # ---- the relation ------------------------------------------------------------------------------------------------

    # Takes another relation, or {}. Sorting starts anew, the filter's text is applied again.
    method relation {args} {
        if {![llength $args]} {return [$Data relation]}
        dict set Options -relation [lindex $args 0]
        $Data take [lindex $args 0]
        $Selection forget
        $Rows forgetRelation
        $Columns choose
        my recount
        my placeColumns
        if {[string trim [my filter]] ne {}} {$Bar apply}
    }

    # Takes a relation of the same table (another time range): order, filter and position stay. Filtering and sorting a
    # large one takes a while, in which events are handled.
    method replace {relation} {
        if {[$Data relation] eq {} || [$Data busy] || [$relation columns] ne [$Data columns]} {
            return [my relation $relation]
        }
        if {[$relation total] > 200000 && [$Data isArranged]} {
            set me [self]
            lassign [my sort] column decreasing
            my relation $relation
            if {![info object isa object $me] || $column eq {} || [my relation] ne $relation} return
            return [my sort $column $decreasing]
        }
        dict set Options -relation $relation
        $Data replace $relation
        my recount
    }

    # Asks how many rows there are, after a filter or when the trace grew.
    method recount {} {
        $Data recount
        $Selection clip
        $Rows scrollTo [$Rows first]
    }

    # Shows the relation after its rows have changed.
    method refresh {} {
        if {![$Data busy]} {my recount}
    }

    # The first place whose value is not before the value given (after 1: is behind it), in a list that is sorted by
    # this column: a time's or number's place in log n steps.
    method bisect {column value {after 0}} {
        $Data bisect $column $value $after
    }

    # Sorts by a column, or {}: as the relation is by itself. Without words: {column decreasing}.
    method sort {args} {
        if {![llength $args]} {return [$Data sorting]}
        lassign [concat $args 0] column decreasing
        $Data sort $column $decreasing
    }

    method arranged {event} {
        $Head draw
        my tell $event
    }

    method workStarts {} {
        set Remembered [$Selection remember]
    }

    method workProgresses {done total} {
        $Bar showProgress $done $total
    }

    # Shows the result of work. code: ok, cancelled or failed.
    method workEnds {code message done} {
        if {![winfo exists $Path]} return
        $Bar hideProgress
        if {$code eq "failed"} {$Bar showError [::tactus::player::text::visible $message 500]}
        if {$code eq "ok"} {{*}$done}
        my recount
        if {$code ne "ok"} return
        $Selection recall $Remembered
        if {[$Selection current] >= 0} {$Rows center [$Selection current]} else {$Rows scrollTo 0}
    }

    # ---- columns -----------------------------------------------------------------------------------------------------

    # Shows another choice or order of columns.
    method show {names} {
        if {![$Columns show $names]} return
        $Rows forget
        my placeColumns
        my tell <<ListColumns>>
    }

    method resetColumns {} {
        $Columns reset
        $Rows forget
        my placeColumns
    }

    method setWidth {name pixels} {
        $Columns setWidth $name $pixels
        my placeColumns
    }

    # Makes a column as wide as the page needs; without a name all of them, by rows from all over the relation.
    method fit {args} {
        if {[llength $args]} {
            $Columns fit $args [$Data page] 900
            $Columns keepWidths
        } else {
            $Columns fit [$Columns shown] [$Data sample] 230
            $Columns fill [winfo width [$Rows body]]
        }
        my placeColumns
    }

    method placeColumns {} {
        $Rows place
        $Head draw
        my redraw
    }

    # ---- selection ---------------------------------------------------------------------------------------------------

    # The current row; with a place: makes it that, selects it and brings it into view. -1: none.
    method current {args} {
        if {![llength $args]} {return [$Selection current]}
        set place [lindex $args 0]
        if {$place eq "end"} {set place [expr {[$Data count] - 1}]}
        $Selection only $place
        if {[$Selection current] >= 0} {$Rows center $place}
    }

    # selection ?get?; selection set RANGES; selection clear; selection count; selection places ?LIMIT?
    method selection {{what get} args} {
        switch -- $what {
            get - count {return [$Selection $what]}
            set {$Selection set [lindex $args 0]}
            clear {$Selection clear}
            places {return [$Selection places [lindex [concat $args 1000000] 0]]}
            default {
                return -code error -errorcode [list TCL LOOKUP SUBCOMMAND $what] \
                    "bad subcommand \"$what\": must be clear, count, get, places, or set"
            }
        }
    }

    # ---- the screen --------------------------------------------------------------------------------------------------

    method xview {args} {
        if {![llength $args]} {return [$Rows xview]}
        if {[lindex $args 0] eq "scroll" && [string match u* [lindex $args 2]]} {
            lset args 1 [expr {40 * [lindex $args 1]}]
        }
        $Rows xview {*}$args
        $Head xview {*}$args
        my redraw
    }

    method resized {} {
        $Rows scrollTo [$Rows first]
        $Columns fill [winfo width [$Rows body]]
        my placeColumns
    }

    # Draws the next frame once, however often it is asked for.
    method redraw {} {
        if {$Drawing eq {}} {set Drawing [after idle [namespace code {my draw}]]}
    }

    method draw {} {
        after cancel $Drawing
        set Drawing {}
        if {![winfo exists $Path]} return
        $Rows draw
        $Bar drawPosition
    }

    method takeFocus {} {
        focus [$Rows body]
    }

    method tell {event} {
        event generate $Path $event
    }
}
