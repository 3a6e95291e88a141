# player/importTable.tcl -- class ImportTable: a table on two canvases, of which only what can be seen is drawn. One of
# its columns, or one of its rows, is the current one; a click or Return on it calls a command, which posts a menu.
#
#   ImportTable create NAME PATH columns|rows PREFIX      the widget PATH; what is chosen in it
#   $table show COLUMNS ROWS      columns: dicts of title, below (a second line), color (of that), anchor, fixed (cannot
#                                 be chosen); rows: dicts of cells, color (a name), tip
#   $table current ?N?            the column or row that the keys choose; shown
#   $table see ROW                brings a row into view
#   $table body                   the widget with the focus
#   $table columnX N, rowY N      where it is, in pixels of the body
#
# PREFIX is called with the number of the column or row, and the pixel of the screen where its menu belongs.

::tactus::need player/text player/look player/tip player/later

oo::class create ::tactus::player::ImportTable {
    mixin ::tactus::player::Later
    variable Path Head Body Mode Command Columns Rows Widths Current First RowHeight

    constructor {path mode command} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $path $mode $command] Path Mode Command
        lassign {{} {} {} -1 0 20} Columns Rows Widths Current First RowHeight
        ttk::frame $path
        set Head [canvas $path.head -highlightthickness 0 -borderwidth 0 -takefocus 0]
        set Body [canvas $path.body -highlightthickness [px 1] -borderwidth 0 -takefocus 1 -xscrollincrement 1 \
            -width [px 100] -height [px 60]]
        ttk::scrollbar $path.y -orient vertical -command [namespace code {my yview}]
        ttk::scrollbar $path.x -orient horizontal -command [namespace code {my xview}]
        grid $Head -row 0 -column 0 -sticky ew -padx [px 1]
        grid $Body -row 1 -column 0 -sticky nsew
        grid columnconfigure $path 0 -weight 1
        grid rowconfigure $path 1 -weight 1
        my bindAll
        my colors
    }

    method bindAll {} {
        bind $Body <Configure> [namespace code {my later draw}]
        bind $Body <FocusIn> [namespace code {my later draw}]
        bind $Body <FocusOut> [namespace code {my later draw}]
        bind $Path <Destroy> [namespace code {my gone %W}]
        bind $Path <<ThemeChanged>> [namespace code {my colors}]
        bind $Head <Button-1> [namespace code {my pressHead %x}]
        bind $Body <Button-1> [namespace code {my pressBody %x %y}]
        foreach {event script} {
            <Button-4> {my yview scroll -3 units}  <Button-5> {my yview scroll 3 units}
            <Shift-Button-4> {my xview scroll -40 units}  <Shift-Button-5> {my xview scroll 40 units}
            <MouseWheel> {my yview scroll [expr {-(%D) / 40}] units}
            <Prior> {my page -1}  <Next> {my page 1}  <Home> {my edge 0}  <End> {my edge end}
            <Up> {my step rows -1}  <Down> {my step rows 1}  <Left> {my step columns -1}  <Right> {my step columns 1}
            <Return> {my post}  <KP_Enter> {my post}  <space> {my post}  <Alt-Down> {my post}
        } {
            bind $Body $event "[namespace code $script]; break"
        }
        tip::add $Head [namespace code {my headTip}]
        tip::add $Body [namespace code {my bodyTip}]
    }

    method gone {window} {
        if {$window eq $Path} {my destroy}
    }

    method colors {} {
        $Head configure -background [look::color heading]
        $Body configure -background [look::color field] -highlightbackground [look::color line] \
            -highlightcolor [look::color accent]
        my later draw
    }

    method body {} {return $Body}

    # ---- what is shown -----------------------------------------------------------------------------------------------

    method show {columns rows} {
        set Columns $columns
        set Rows $rows
        set last [expr {[my count] - 1}]
        if {$Current > $last} {set Current $last}
        if {$Current < 0} {set Current [my nextTo -1 1]}
        set Widths {}
        my measure
        my scrollTo $First
        my later draw
    }

    method count {} {
        llength [expr {$Mode eq "rows" ? $Rows : $Columns}]
    }

    # As wide as the headings and the first cells need, within bounds. The arrow of a heading needs room, too.
    method measure {} {
        set RowHeight [expr {[font metrics TkDefaultFont -linespace] + [px 4]}]
        set n 0
        foreach column $Columns {
            set widest [expr {max([my wide TactusBold [dict get $column title]], \
                [my wide TkDefaultFont [dict get $column below]])}]
            foreach row [lrange $Rows 0 59] {
                set widest [expr {max($widest, [my wide TkDefaultFont [lindex [dict get $row cells] $n]])}]
            }
            lappend Widths [expr {max([px 34], min([px 260], $widest)) + [px 14]}]
            incr n
        }
        set height [expr {[my hasBelow] ? 2 * [font metrics TkDefaultFont -linespace] + [px 7] : $RowHeight}]
        $Head configure -height $height
        foreach canvas [list $Head $Body] {
            $canvas configure -scrollregion [list 0 0 [expr {max(1, [::tcl::mathop::+ {*}$Widths])}] 1]
        }
    }

    method wide {font text} {
        font measure $font [text::visible $text 60]
    }

    method hasBelow {} {
        foreach column $Columns {if {[dict get $column below] ne {}} {return 1}}
        return 0
    }

    method left {column} {
        ::tcl::mathop::+ 0 {*}[lrange $Widths 0 $column-1]
    }

    method columnAt {x} {
        set edge 0
        set n 0
        foreach width $Widths {
            incr edge $width
            if {$x < $edge} {return $n}
            incr n
        }
        return -1
    }

    method rowAt {y} {
        set row [expr {$First + int($y) / $RowHeight}]
        expr {$row < [llength $Rows] ? $row : -1}
    }

    method columnX {column} {expr {round([my left $column] - [$Body canvasx 0]) + [px 4]}}
    method rowY {row} {expr {($row - $First) * $RowHeight + $RowHeight / 2}}

    # ---- drawing -----------------------------------------------------------------------------------------------------

    method draw {} {
        if {![winfo exists $Body]} return
        $Head delete all
        $Body delete all
        set from [$Body canvasx 0]
        set to [$Body canvasx [winfo width $Body]]
        set seen {}
        set x 0
        set n 0
        foreach width $Widths {
            if {$x + $width > $from && $x < $to} {lappend seen $n $x $width}
            incr x $width
            incr n
        }
        my drawCurrent $seen
        foreach {column x width} $seen {my drawHeading $column $x $width}
        $Head create line $from [$Head cget -height] $to [$Head cget -height] -fill [look::color line]
        set last [expr {min([llength $Rows], $First + [winfo height $Body] / $RowHeight + 1)}]
        for {set row $First} {$row < $last} {incr row} {my drawRow $row $seen}
        my showScrollbars
    }

    # The current column or row is marked; strongly where the keys go here.
    method drawCurrent {seen} {
        set color [expr {[focus -displayof $Body] eq $Body ? [look::color select]
            : [look::mix [look::color field] [look::color select] 0.45]}]
        if {$Mode eq "rows"} {
            if {$Current < 0} return
            set y [expr {($Current - $First) * $RowHeight}]
            $Body create rectangle -10 $y 100000 [expr {$y + $RowHeight}] -fill $color -width 0
            return
        }
        foreach {column x width} $seen {
            if {$column != $Current} continue
            $Head create rectangle $x 0 [expr {$x + $width}] 1000 -fill $color -width 0
            $Body create rectangle $x -10 [expr {$x + $width}] 100000 -width 0 \
                -fill [look::mix [look::color field] $color 0.5]
        }
    }

    method drawHeading {column x width} {
        set line [font metrics TkDefaultFont -linespace]
        set right [expr {$x + $width}]
        set room [expr {$width - [px 10]}]
        set spec [lindex $Columns $column]
        set title [text::cut [dict get $spec title] TactusBold $room]
        set anchor [dict get $spec anchor]
        set at [expr {$anchor eq "e" ? $right - [px 5] : $x + [px 5]}]
        $Head create text $at [px 2] -anchor n$anchor -font TactusBold -text $title -fill [look::color foreground]
        if {[dict get $spec below] ne {}} {
            $Head create text $at [expr {[px 3] + $line}] -anchor n$anchor -font TkDefaultFont \
                -text [text::cut [dict get $spec below] TkDefaultFont $room] -fill [look::color [dict get $spec color]]
        }
        $Head create line [expr {$right - 1}] [px 3] [expr {$right - 1}] 1000 -fill [look::color line]
    }

    method drawRow {row seen} {
        set spec [lindex $Rows $row]
        set y [my rowY $row]
        set n [llength [dict get $spec cells]]
        foreach {column x width} $seen {
            if {$column >= $n} continue
            set anchor [dict get [lindex $Columns $column] anchor]
            # A line that is not taken apart is one text, across the columns.
            set room [expr {[dict get $spec across] && $column == $n - 1 ? 100000 : $width - [px 10]}]
            set text [text::cut [lindex [dict get $spec cells] $column] TkDefaultFont $room]
            set color [expr {[dict exists $spec colors $column] ? [dict get $spec colors $column]
                : [dict get $spec color]}]
            $Body create text [expr {$anchor eq "e" ? $x + $width - [px 6] : $x + [px 5]}] $y -anchor $anchor \
                -font TkDefaultFont -text $text -fill [look::color $color]
        }
    }

    method showScrollbars {} {
        set page [my pageRows]
        set count [llength $Rows]
        $Path.y set [expr {double($First) / max(1, $count)}] [expr {min(1.0, double($First + $page) / max(1, $count))}]
        if {$count > $page} {grid $Path.y -row 0 -rowspan 2 -column 1 -sticky ns} else {grid remove $Path.y}
        $Path.x set {*}[$Body xview]
        if {[$Body xview] ne {0.0 1.0}} {grid $Path.x -row 2 -column 0 -sticky ew} else {grid remove $Path.x}
    }

    # ---- scrolling ---------------------------------------------------------------------------------------------------

    method pageRows {} {
        expr {max(1, [winfo height $Body] / $RowHeight)}
    }

    method scrollTo {first} {
        set First [expr {max(0, min($first, [llength $Rows] - [my pageRows]))}]
        my later draw
    }

    method yview {what amount {unit {}}} {
        if {$what eq "moveto"} {return [my scrollTo [expr {round($amount * [llength $Rows])}]]}
        if {[string match p* $unit]} {set amount [expr {$amount * max(1, [my pageRows] - 1)}]}
        my scrollTo [expr {$First + int($amount)}]
    }

    method xview {args} {
        if {[lindex $args 0] eq "scroll" && abs([lindex $args 1]) == 1 && [string match u* [lindex $args 2]]} {
            lset args 1 [expr {40 * [lindex $args 1]}]
        }
        $Body xview {*}$args
        $Head xview moveto [lindex [$Body xview] 0]
        my later draw
    }

    method see {row} {
        if {$row < $First} {my scrollTo $row}
        if {$row >= $First + [my pageRows]} {my scrollTo [expr {$row - [my pageRows] + 1}]}
    }

    method seeColumn {column} {
        set left [my left $column]
        set right [expr {$left + [lindex $Widths $column]}]
        set from [$Body canvasx 0]
        set width [winfo width $Body]
        set all [expr {double(max(1, [::tcl::mathop::+ {*}$Widths]))}]
        if {$left < $from} {my xview moveto [expr {$left / $all}]}
        if {$right > $from + $width} {my xview moveto [expr {max(0, $right - $width) / $all}]}
    }

    # ---- choosing ----------------------------------------------------------------------------------------------------

    method current {args} {
        if {![llength $args]} {return $Current}
        set Current [lindex $args 0]
        if {$Mode eq "rows"} {my see $Current} else {my seeColumn $Current}
        my later draw
    }

    method isFixed {n} {
        expr {$Mode eq "columns" && [dict get [lindex $Columns $n] fixed]}
    }

    # The next one that can be chosen, or N itself.
    method nextTo {n by} {
        for {set k [expr {$n + $by}]} {$k >= 0 && $k < [my count]} {incr k $by} {
            if {![my isFixed $k]} {return $k}
        }
        return $n
    }

    # A key along the rows or columns: chooses the next one, or scrolls.
    method step {along by} {
        if {$along eq $Mode} {
            my current [my nextTo $Current $by]
        } elseif {$along eq "rows"} {
            my yview scroll $by units
        } else {
            my xview scroll $by units
        }
    }

    method page {by} {
        if {$Mode eq "columns"} {return [my yview scroll $by pages]}
        my current [expr {max(0, min([llength $Rows] - 1, $Current + $by * [my pageRows]))}]
    }

    method edge {which} {
        set n [expr {$which eq "end" ? [my count] - 1 : [my nextTo -1 1]}]
        if {$n >= 0} {my current $n}
    }

    method pressHead {x} {
        focus $Body
        set column [my columnAt [$Head canvasx $x]]
        if {$Mode ne "columns" || $column < 0 || [my isFixed $column]} return
        my current $column
        my post
    }

    method pressBody {x y} {
        focus $Body
        set n [expr {$Mode eq "rows" ? [my rowAt $y] : [my columnAt [$Body canvasx $x]]}]
        if {$n < 0 || [my isFixed $n]} return
        my current $n
        if {$Mode eq "rows" && [my columnAt [$Body canvasx $x]] == [llength $Columns] - 1} {my post}
    }

    method post {} {
        if {$Current < 0} return
        if {$Mode eq "rows"} {
            set x [expr {[winfo rootx $Body] + max(0, [my columnX [expr {[llength $Columns] - 1}]])}]
            set y [expr {[winfo rooty $Body] + [my rowY $Current] + $RowHeight / 2}]
        } else {
            set x [expr {[winfo rootx $Body] + max(0, [my columnX $Current])}]
            set y [winfo rooty $Body]
        }
        {*}$Command $Current $x $y
    }

    # ---- tooltips ----------------------------------------------------------------------------------------------------

    method headTip {x y} {
        set column [my columnAt [$Head canvasx $x]]
        if {$column < 0} return
        text::visible [dict get [lindex $Columns $column] tip] 300
    }

    method bodyTip {x y} {
        set row [my rowAt $y]
        if {$row < 0} return
        set spec [lindex $Rows $row]
        if {[dict get $spec tip] ne {}} {return [text::visible [dict get $spec tip] 400]}
        set column [my columnAt [$Body canvasx $x]]
        set text [lindex [dict get $spec cells] $column]
        if {$column < 0 || [my wide TkDefaultFont $text] <= [lindex $Widths $column] - [px 10]} return
        text::visible $text 400
    }
}
