# panel/legend.tcl -- class LegendPanel: what bars, patterns, arrows and marks mean, of those that are seen. It is the
# legend that a figure of what is seen would have ($trace legend), drawn anew when the range or the rows change.

oo::class create ::tactus::player::LegendPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace Drawing Picture

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set Drawing [::tactus::drawing -background [theme color base]]
        set Picture $Frame.picture
        ::tactus::picture $Picture -drawing $Drawing -width [px 160] -height [px 120] -takefocus 0 \
            -yscrollcommand [namespace code [list my scrolled y]] -xscrollcommand [namespace code [list my scrolled x]]
        ttk::scrollbar $Frame.y -orient vertical -command [list $Picture yview]
        ttk::scrollbar $Frame.x -orient horizontal -command [list $Picture xview]
        grid $Picture $Frame.y -sticky nsew
        grid $Frame.x -sticky ew
        grid columnconfigure $Frame 0 -weight 1
        grid rowconfigure $Frame 0 -weight 1
        foreach event {Zoomed RowsChanged} {my hear $event changed}
    }

    destructor {
        catch {$Drawing destroy}
        next
    }

    # A scroll bar is there when it is of use.
    method scrolled {which first last} {
        if {![winfo exists $Frame.$which]} return
        $Frame.$which set $first $last
        if {$first <= 0 && $last >= 1} {grid remove $Frame.$which} else {grid $Frame.$which}
    }

    method traceChanged {} {my whenSeen draw}
    method changed {args} {my whenSeen draw}

    method themeChanged {} {
        $Drawing configure -background [theme color base]
        my whenSeen draw
    }

    method draw {} {
        if {$Trace eq {}} {return [$Drawing clear]}
        try {
            $Trace legend $Drawing {*}[my Options]
        } trap TACTUS {message} {
            $Drawing clear
            $Drawing text 4 14 $message -ink [theme color muted] -most 150
        }
    }

    # Options of the figure that the timeline shows. Thousands of rows are not named, but all taken; and what room their
    # names want is not measured.
    method Options {} {
        set timeline [$View timeline]
        lassign [$timeline view] from to
        set words [list -from $from -to $to -width 900 -labelwidth 120 -fontsize 9 \
            -dark [expr {[theme name] eq "dark"}]]
        foreach name {-convention -processors -deadlines -color-by -layers -grayscale} {
            lappend words $name [$timeline cget $name]
        }
        # A folded group is a band: it has states, and no arrows. Looking for groups again takes as long as all else.
        set groups [$timeline row groups]
        lappend words -group-by [expr {[llength $groups] ? [$timeline cget -group-by] : "none"}]
        lappend words -fold [::tactus::nameList [lmap group $groups {
            if {![dict get $group folded]} continue
            dict get $group text
        }]]
        if {[dict get [$timeline row counts] rows] > 1000} {return $words}
        lappend words -rows [::tactus::nameList [lmap row [$timeline rows] {
            if {[dict get $row hidden] || [dict get $row filtered]} continue
            dict get $row id
        }]]
    }
}
