# list/list.tcl -- a list widget over a relation: any number of rows, of which only those that can be seen exist in Tk.
#
#   ::tactus::player::virtualList PATH ?-option value ...?  -> PATH, a frame and the command of that name
#
# A relation is a command (`$trace relation KIND`) with columns, count, total, rows, id, place, filter, sort, find,
# statistics, close. The list asks it for the rows of one page whenever the page changes, writes them into a pool of
# canvas items that stay where they are, and lets the relation itself sort and filter. So the cost of a frame is that of
# a page, not of the relation; nothing is copied.
#
#   list/list.tcl       options, page, drawing, scrolling (this file)
#   list/head.tcl       headings: sorting, widths, order and choice of columns; what is kept of it
#   list/hands.tcl      selection, keys, mouse, copying, tooltips
#   list/filter.tcl     the filter's language and entry, work that takes long: progress, cancelling
#
# Options: -relation CMD (owned from then on: closed when replaced, and with the list), -name NAME (under which widths,
# order and choice of columns are kept as preferences), -columns LIST (shown at first; {}: all), -signs LIST (columns of
# severities or verdicts, drawn with sign and colour), -paint PREFIX (called with column, value and row; gives a
# colour's name or {}), -paintcolumns LIST, -placeholder TEXT, -filterbar BOOL, -rows N (height asked for), -command
# PREFIX (a row was clicked or entered: place), -noun WORD (of a row).
#
# Methods: cget, configure; relation, columns; count, total; see PLACE; current ?PLACE?; selection ...; filter ?TEXT?;
# sort ?COLUMN? ?DECREASING?; copy; row PLACE, value PLACE COLUMN; bisect COLUMN VALUE; refresh; redraw; busy; cancel.
# Events: <<ListboxSelect>>, <<ListFiltered>>, <<ListSorted>>, <<ListColumns>>.
#
# Invariants: 1. 0 <= First <= max(0, Count - whole rows of a page). 2. Current and every range of Selection are places
# below Count, or Current is -1. 3. Page holds the rows from PageFirst on as the relation gave them last. 4. While Busy
# the relation is only read (it is then as it was before the work), never changed.

::tactus::need player/text times player/look player/tip list/head list/hands list/filter

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
    mixin ::tactus::player::VirtualListHead ::tactus::player::VirtualListHands ::tactus::player::VirtualListFilter
    variable Path Body Head Options Relation Columns Shown Widths Count Total First Page PageFirst RowHeight Font \
        Items Cells Current Selection Anchor Busy Drawing Fractions Colors NumberFont

    constructor {path args} {
        set Path $path
        set Options {
            -relation {} -name {} -columns {} -signs {} -paint {} -paintcolumns {} -placeholder {} -filterbar 1
            -rows 8 -command {} -noun row
        }
        lassign {} Relation Columns Shown Widths Page Items Cells Selection Drawing Fractions
        lassign {0 0 0 0 -1 -1 0} Count Total First PageFirst Current Anchor Busy
        set Font TkDefaultFont
        my startHead
        my startHands
        my startFilter
        my checkOptions $args
        my makeWidgets
        my readTheme
        my configure {*}$args
    }

    destructor {
        after cancel $Drawing
        my endFilter
        if {$Relation ne {}} {catch {$Relation close}}
        if {[winfo exists $Path]} {destroy $Path}
    }

    method makeWidgets {} {
        set Head $Path.head
        set Body $Path.body
        canvas $Head -highlightthickness 0 -borderwidth 0 -takefocus 0
        canvas $Body -highlightthickness 0 -borderwidth 0 -takefocus 1 -xscrollincrement 1
        ttk::scrollbar $Path.y -orient vertical -command [list [self] yview]
        ttk::scrollbar $Path.x -orient horizontal -command [list [self] xview]
        my makeFilterBar $Path.bar
        grid $Head -row 1 -column 0 -sticky ew
        grid $Body -row 2 -column 0 -sticky nsew
        grid $Path.y -row 1 -rowspan 2 -column 1 -sticky ns
        grid columnconfigure $Path 0 -weight 1
        grid rowconfigure $Path 2 -weight 1
        bind $Body <Configure> [namespace code {my resized}]
        bind $Path <Destroy> [namespace code {my destroyed %W}]
        bind $Path <<ThemeChanged>> [namespace code {my readTheme}]
        my bindHead
        my bindHands
    }

    method destroyed {window} {
        if {$window eq $Path} {my destroy}
    }

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
        set relation $Relation
        foreach {name value} $args {dict set Options $name $value}
        if {[dict get $Options -filterbar]} {
            grid $Path.bar -row 0 -column 0 -columnspan 2 -sticky ew
        } else {
            grid remove $Path.bar
        }
        $Body configure -height [expr {[dict get $Options -rows] * $RowHeight}]
        if {[dict exists $args -relation]} {my relation [dict get $args -relation]}
        my redraw
    }

    method readTheme {} {
        foreach name {field stripe foreground select onselect muted error warning ok accent line heading background} {
            dict set Colors $name [::tactus::player::look::color $name]
        }
        set RowHeight [expr {[font metrics $Font -linespace] + [::tactus::player::look::points 3.5]}]
        $Body configure -background [dict get $Colors field] -height [expr {[dict get $Options -rows] * $RowHeight}]
        my themeHead
        my themeFilter
        $Body delete all
        set Items {}
        set Cells {}
        my placeColumns
        my redraw
    }

    # ---- the relation ------------------------------------------------------------------------------------------------

    # Another relation, or {}. Sorting starts anew, the filter's text is applied again.
    method relation {args} {
        if {![llength $args]} {return $Relation}
        set old $Relation
        set Relation [lindex $args 0]
        dict set Options -relation $Relation
        if {$old ne {} && $old ne $Relation} {catch {$old close}}
        set Columns [expr {$Relation eq {} ? {} : [$Relation columns]}]
        set Fractions {}
        lassign {0 -1 -1 0} First Current Anchor PageFirst
        set Selection {}
        set Page {}
        my chooseColumns
        my forgetSort
        my recount
        my placeColumns
        my refilter
    }

    # The same table asked for anew (another time range): what the user sees of it stays, sorted and filtered as it was.
    method replace {relation} {
        if {$Relation eq {} || $Busy || [$relation columns] ne $Columns} {return [my relation $relation]}
        if {[$relation total] > 200000 && [my isArranged]} {return [my replaceLarge $relation]}
        catch {$Relation close}
        set Relation $relation
        dict set Options -relation $relation
        set Page {}
        my reapply
        my recount
        my redraw
    }

    # Filtering and sorting take their time, in which anything may happen.
    method replaceLarge {relation} {
        set me [self]
        lassign [my sort] column decreasing
        my relation $relation
        if {[info object isa object $me] && $column ne {} && [my relation] eq $relation} {my sort $column $decreasing}
    }

    # Asks how many rows there are, after a filter or when the trace grew.
    method recount {} {
        if {$Relation eq {}} {
            lassign {0 0} Count Total
        } else {
            set Count [$Relation count]
            set Total [$Relation total]
        }
        set Selection [my clipRanges $Selection]
        if {$Current >= $Count} {set Current [expr {$Count - 1}]}
        my scrollTo $First
    }

    # The relation has other rows than before: asked anew.
    method refresh {} {
        if {$Busy} return
        my recount
        my redraw
    }

    method columns {} {return $Columns}
    method count {} {return $Count}
    method total {} {return $Total}
    method busy {} {return $Busy}
    method body {} {return $Body}

    method row {place} {
        if {$place < 0 || $place >= $Count} {return {}}
        if {$place >= $PageFirst && $place < $PageFirst + [llength $Page]} {
            return [lindex $Page [expr {$place - $PageFirst}]]
        }
        if {$Busy} {return {}}
        lindex [$Relation rows $place 1] 0
    }

    method value {place column} {
        lindex [my row $place] [my columnIndex $column]
    }

    # The first place whose value is not before the value given (after 1: is behind it), in a list that is sorted by
    # this column: a time's or number's place in log n steps.
    method bisect {column value {after 0}} {
        set index [my columnIndex $column]
        lassign [list 0 $Count] low high
        while {$low < $high} {
            set middle [expr {($low + $high) / 2}]
            set found [lindex [$Relation rows $middle 1] 0 $index]
            if {$found ne {} && [::tactus::times::compare $found $value] < $after} {
                set low [expr {$middle + 1}]
            } else {
                set high $middle
            }
        }
        return $low
    }

    # ---- scrolling ---------------------------------------------------------------------------------------------------

    # Rows that fit wholly.
    method pageRows {} {
        expr {max(1, [winfo height $Body] / $RowHeight)}
    }

    method first {} {return $First}

    method scrollTo {first} {
        set First [expr {max(0, min($first, $Count - [my pageRows]))}]
        my redraw
    }

    method yview {what args} {
        lassign $args amount unit
        switch -- $what {
            moveto {my scrollTo [expr {round($amount * $Count)}]}
            scroll {
                if {[string match p* $unit]} {set amount [expr {$amount * max(1, [my pageRows] - 1)}]}
                my scrollTo [expr {$First + int($amount)}]
            }
        }
    }

    method xview {args} {
        if {![llength $args]} {return [$Body xview]}
        if {[lindex $args 0] eq "scroll" && [string match u* [lindex $args 2]]} {
            lset args 1 [expr {40 * [lindex $args 1]}]
        }
        $Body xview {*}$args
        $Head xview {*}$args
        my redraw
    }

    method see {place} {
        set rows [my pageRows]
        if {$place < $First} {
            my scrollTo $place
        } elseif {$place >= $First + $rows} {
            my scrollTo [expr {$place - $rows + 1}]
        }
    }

    # In the middle, for places that were not looked at before.
    method center {place} {
        set rows [my pageRows]
        if {$place < $First || $place >= $First + $rows} {my scrollTo [expr {$place - $rows / 2}]}
    }

    method resized {} {
        my scrollTo $First
        my placeColumns
    }

    # ---- drawing -----------------------------------------------------------------------------------------------------

    # However many reasons there are, the next frame is drawn once.
    method redraw {} {
        if {$Drawing eq {}} {set Drawing [after idle [namespace code {my draw}]]}
    }

    method draw {} {
        after cancel $Drawing
        set Drawing {}
        if {![winfo exists $Body]} return
        my showScrollbars
        my fetch
        set rows [expr {$RowHeight ? ([winfo height $Body] + $RowHeight - 1) / $RowHeight : 0}]
        my needItems $rows
        my drawPlaceholder
        set columns [my visibleColumns]
        my measureFractions $columns
        for {set row 0} {$row < $rows} {incr row} {my drawRow $row $columns}
        my drawPosition
    }

    # While it works a relation can be read as it was; one that cannot, keeps the page that was there.
    method fetch {} {
        if {$Relation eq {}} return
        if {[catch {$Relation rows $First [expr {min([my pageRows] + 1, $Count - $First)}]} page options]} {
            if {$Busy} return
            return -options $options $page
        }
        set PageFirst $First
        set Page $page
        if {$Widths eq {} && $Page ne {}} {my fitFirst}
    }

    method showScrollbars {} {
        if {$Count > 0} {
            $Path.y set [expr {double($First) / $Count}] [expr {min(1.0, double($First + [my pageRows]) / $Count)}]
        } else {
            $Path.y set 0 1
        }
        set view [$Body xview]
        $Path.x set {*}$view
        if {$view eq {0.0 1.0}} {grid remove $Path.x} else {grid $Path.x -row 3 -column 0 -sticky ew}
    }

    # A row's items are its background, its frame and one text a column.
    method needItems {rows} {
        for {set row [llength $Items]} {$row < $rows} {incr row} {
            set y [expr {$row * $RowHeight}]
            lappend Items [$Body create rectangle -10 $y 100000 [expr {$y + $RowHeight}] -width 0 -outline {}]
            lappend Cells {}
        }
        for {set row 0} {$row < [llength $Items]} {incr row} {
            for {set column [llength [lindex $Cells $row]]} {$column < [llength $Shown]} {incr column} {
                set y [expr {$row * $RowHeight + $RowHeight / 2}]
                set id [$Body create text [my textX $column] $y -anchor [my textAnchor $column] -font $Font]
                lset Cells $row [linsert [lindex $Cells $row] end $id]
            }
        }
    }

    method drawPlaceholder {} {
        $Body delete placeholder
        if {$Count > 0 || $Busy} return
        set text [expr {$Total > 0
            ? "no [dict get $Options -noun] of [::tactus::player::text::group $Total] passes the filter"
            : [dict get $Options -placeholder]}]
        set left [$Body canvasx 0]
        $Body create text [expr {$left + [winfo width $Body] / 2}] [expr {max($RowHeight, [winfo height $Body] / 3)}] \
            -text $text -fill [dict get $Colors muted] -font $Font -tags placeholder -justify center \
            -width [expr {max(40, [winfo width $Body] - 20)}]
    }

    # Columns that can be seen at all: a list of {place among the shown, index in a row, column}.
    method visibleColumns {} {
        set left [$Body canvasx 0]
        set right [$Body canvasx [winfo width $Body]]
        set x 0
        set columns {}
        set place 0
        foreach name $Shown {
            set next [expr {$x + [my width $name]}]
            if {$next > $left && $x < $right} {lappend columns [list $place [my columnIndex $name] [my column $name]]}
            set x $next
            incr place
        }
        return $columns
    }

    # Numbers stand by their decimal points: how many decimals a column has had at most since its relation came.
    method measureFractions {columns} {
        foreach item $columns {
            lassign $item - index column
            if {[dict get $column type] eq "text"} continue
            set most [expr {[dict exists $Fractions $index] ? [dict get $Fractions $index] : 0}]
            foreach row $Page {
                set text [my shownValue $column [lindex $row $index]]
                set point [string first . $text]
                if {$point >= 0} {set most [expr {max($most, [string length $text] - $point - 1)}]}
            }
            dict set Fractions $index $most
        }
    }

    method shownValue {column value} {
        if {[dict get $column type] eq "number"} {return [::tactus::player::text::number $value]}
        return $value
    }

    method drawRow {row columns} {
        set place [expr {$First + $row}]
        set values [lindex $Page [expr {$place - $PageFirst}]]
        set there [expr {$place >= $PageFirst && $place - $PageFirst < [llength $Page]}]
        set selected [expr {$there && [my isSelected $place]}]
        set background [expr {$selected ? "select" : $place % 2 && $there ? "stripe" : "field"}]
        set frame [expr {$there && $place == $Current && [focus -displayof $Body] eq $Body
            ? [dict get $Colors accent] : {}}]
        $Body itemconfigure [lindex $Items $row] -fill [dict get $Colors $background] -outline $frame \
            -width [expr {$frame ne {}}]
        set cells [lindex $Cells $row]
        foreach item $columns {
            lassign $item place index column
            my drawCell [lindex $cells $place] $place $index $column $values $there $selected
        }
    }

    method drawCell {id place index column values there selected} {
        if {!$there} {return [$Body itemconfigure $id -text {}]}
        set value [lindex $values $index]
        set color [expr {$selected ? "onselect" : "foreground"}]
        set name [dict get $column name]
        if {$name in [dict get $Options -signs]} {
            lassign [::tactus::player::look::sign $value] sign signColor
            if {$sign ne {}} {set value "$sign $value"}
            if {!$selected} {set color $signColor}
        } elseif {$name in [dict get $Options -paintcolumns] && !$selected} {
            set painted [{*}[dict get $Options -paint] $name $value $values]
            if {$painted ne {}} {set color $painted}
        }
        set text [my cellText $place $index $column $value]
        $Body itemconfigure $id -text $text -fill [dict get $Colors $color]
    }

    # Numbers are padded to the column's decimals by figure spaces (as wide as digits).
    method cellText {place index column value} {
        if {$value eq {}} {return {}}
        set width [expr {[my width [dict get $column name]] - 2 * [my padding]}]
        if {[dict get $column type] eq "text"} {return [::tactus::player::text::cut $value $Font $width]}
        set text [my shownValue $column $value]
        set most [dict get $Fractions $index]
        set fits [::tactus::player::text::cut $text $Font $width]
        if {$fits ne $text || !$most} {return $fits}
        set point [string first . $text]
        set missing [expr {$point < 0 ? $most : $most - ([string length $text] - $point - 1)}]
        if {$missing <= 0} {return $text}
        set padded $text[expr {$point < 0 ? "\u2008" : {}}][string repeat \u2007 $missing]
        if {[font measure $Font $padded] > $width} {return $text}
        return $padded
    }
}
