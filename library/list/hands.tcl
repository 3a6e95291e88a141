# list/hands.tcl -- class ListHands: keys and mouse of a list: selecting, entering, copying, the menu, tooltips.
#
# Keys: Up Down Prior Next Home End move (Shift: extend), Control with them scrolls without moving, Left Right scroll,
# Return and a double click open (-opencommand), a click enters (-command), Control-a selects all, Control-c copies,
# Control-f goes to the filter, Escape clears the selection.
#
#   moveTo PLACE HOW     to a row ("end": the last one); HOW: set, extend, toggle
#   enter, open          calls -command or -opencommand with the current row
#   copy                 copies the selected rows; the text
#   tip X Y              the tooltip's text
#   menu X Y ROOTX ROOTY posts the menu of the row and cell under a pixel

oo::class create ::tactus::player::ListHands {
    variable List Data Columns Selection Rows Bar Body Path Font CopyLimit

    # Binds mouse and keys; a key that the list has no use for goes on to the window.
    constructor {list path data columns selection rows bar font} {
        lassign [list $list $path $data $columns $selection $rows $bar] List Path Data Columns Selection Rows Bar
        lassign [list [$Rows body] $font 200000] Body Font CopyLimit
        foreach {event script} {
            <Button-1> {my press %x %y set}
            <Shift-Button-1> {my press %x %y extend}
            <Control-Button-1> {my press %x %y toggle}
            <B1-Motion> {my drag %y}
            <Shift-B1-Motion> {my drag %y}
            <Control-B1-Motion> {}
            <ButtonRelease-1> {my release %y}
            <Shift-ButtonRelease-1> {}
            <Control-ButtonRelease-1> {}
            <Double-Button-1> {my press %x %y set; my open}
            <Button-4> {$List yview scroll -3 units}
            <Button-5> {$List yview scroll 3 units}
            <Shift-Button-4> {$List xview scroll -1 units}
            <Shift-Button-5> {$List xview scroll 1 units}
            <MouseWheel> {$List yview scroll [expr {-(%D) / 40}] units}
            <Shift-MouseWheel> {$List xview scroll [expr {-(%D) / 120}] units}
            <Up> {my move -1 set}
            <Down> {my move 1 set}
            <Prior> {my move [expr {-max(1, [$Rows pageRows] - 1)}] set}
            <Next> {my move [expr {max(1, [$Rows pageRows] - 1)}] set}
            <Home> {my moveTo 0 set}
            <End> {my moveTo end set}
            <Shift-Up> {my move -1 extend}
            <Shift-Down> {my move 1 extend}
            <Shift-Prior> {my move [expr {-max(1, [$Rows pageRows] - 1)}] extend}
            <Shift-Next> {my move [expr {max(1, [$Rows pageRows] - 1)}] extend}
            <Shift-Home> {my moveTo 0 extend}
            <Shift-End> {my moveTo end extend}
            <Control-Up> {$List yview scroll -1 units}
            <Control-Down> {$List yview scroll 1 units}
            <Control-Home> {my moveTo 0 set}
            <Control-End> {my moveTo end set}
            <Left> {$List xview scroll -1 units}
            <Right> {$List xview scroll 1 units}
            <Return> {my open}
            <KP_Enter> {my open}
            <Control-a> {$Selection set {{0 end}}}
            <Control-c> {my copy}
            <Control-f> {$Bar enter}
            <Escape> {my escape}
            <FocusIn> {$List redraw}
            <FocusOut> {$List redraw}
        } {
            if {$script eq {}} {set script {list}}
            set break [expr {[string match "<*Focus*>" $event] ? {} : "; break"}]
            bind $Body $event "[list {*}[namespace code $script]]$break"
        }
        bind $Body <<Copy>> "[list {*}[namespace code {my copy}]]; break"
        bind $Body <Button-3> [namespace code {my menu %x %y %X %Y}]
        ::tactus::player::tip::add $Body [namespace code {my tip}]
    }

    # The text of a cell that is cut or shortened; of a number, the exact value.
    method tip {x y} {
        if {[$Data busy]} {return {}}
        lassign [$Rows identify $x $y] place name
        if {$place < 0 || $name eq {}} {return {}}
        set value [$Data value $place $name]
        set text [::tactus::player::text::visible [$Columns valueText [$Data column $name] $value] 3000]
        set room [expr {[$Columns width $name] - 2 * [$Columns padding]}]
        if {$name in [$List cget -signs]} {set room [expr {$room - [font measure $Font "\u2716 "]}]}
        if {$text eq $value && [string length $text] < $room && [font measure $Font $text] <= $room} {return {}}
        if {[string length $value] <= 3000 && ![string match "*\u2026" $text] && [string is double -strict $value]} {
            return $value
        }
        ::tactus::player::text::source [$Columns valueText [$Data column $name] $value] 3000
    }

    # ---- moves -------------------------------------------------------------------------------------------------------

    method choose {place how} {
        $Selection choose $place $how
        $Rows see $place
    }

    method move {rows how} {
        set current [$Selection current]
        my moveTo [expr {$current < 0 ? [$Rows first] : $current + $rows}] $how
    }

    method moveTo {place how} {
        set count [$Data count]
        if {$count == 0 || [$Data busy]} return
        if {$place eq "end"} {set place [expr {$count - 1}]}
        my choose [expr {max(0, min($place, $count - 1))}] $how
        if {$how eq "set"} {my enterLater}
    }

    method press {x y how} {
        $List takeFocus
        set place [$Rows placeAt $y]
        if {$place < 0 || [$Data busy]} return
        my choose $place $how
    }

    method drag {y} {
        set count [$Data count]
        if {[$Selection anchor] < 0 || $count == 0 || [$Data busy]} return
        set height [$Rows rowHeight]
        set place [expr {[$Rows first] + ($y - ($y < 0 ? $height : 0)) / $height}]
        my choose [expr {max(0, min($place, $count - 1))}] extend
    }

    # A click that selected one row enters it.
    method release {y} {
        set current [$Selection current]
        if {$current >= 0 && [$Rows placeAt $y] == $current && [$Selection count] == 1} {my enter}
    }

    method enter {} {
        set command [$List cget -command]
        if {[$Selection current] < 0 || [$Data busy] || $command eq {}} return
        uplevel #0 $command [list [$Selection current]]
    }

    # Opens the current row; a list that does not tell this from entering it enters it.
    method open {} {
        set command [$List cget -opencommand]
        if {$command eq {}} {return [my enter]}
        if {[$Selection current] < 0 || [$Data busy]} return
        uplevel #0 $command [list [$Selection current]]
    }

    # Enters the row that keys have chosen, at idle time and once, in a list whose rows can be opened: what is selected
    # there is shown elsewhere.
    method enterLater {} {
        if {[$List cget -opencommand] eq {}} return
        after cancel [namespace code {my enterChosen}]
        after idle [namespace code {my enterChosen}]
    }

    method enterChosen {} {
        if {[winfo exists $Body] && [$Selection count] == 1} {my enter}
    }

    method escape {} {
        if {[$Data busy]} {return [$List cancel]}
        $Selection clear
    }

    method menu {x y rootX rootY} {
        lassign [$Rows identify $x $y] place name
        if {$place >= 0 && ![$Selection contains $place] && ![$Data busy]} {my choose $place set}
        set menu $Path.rows
        destroy $menu
        menu $menu -tearoff 0
        $menu add command -label "Go There" -accelerator Return -command [namespace code {my enter}] \
            -state [expr {$place >= 0 ? "normal" : "disabled"}]
        if {$place >= 0 && $name ne {} && ![$Data busy]} {
            set value [$Data value $place $name]
            set shown [::tactus::player::text::visible $value 40]
            $menu add command -label "Only $name = $shown" -command [list $List addCondition $name $value]
            $menu add command -label "Copy \"$shown\"" \
                -command [namespace code [list my clip [::tactus::player::text::source $value]]]
        }
        $menu add command -label "Copy Rows" -accelerator Ctrl+C -command [namespace code {my copy}]
        $menu add command -label "Select All" -accelerator Ctrl+A -command [list $List selection set {{0 end}}]
        catch {::tactus::player::theme adopt $menu}
        tk_popup $menu $rootX $rootY
    }

    # ---- copying -----------------------------------------------------------------------------------------------------

    method clip {text} {
        clipboard clear -displayof $Body
        clipboard append -displayof $Body -- $text
    }

    # The selected rows as tab-separated values with the headings (one row: without); exact values, all columns shown.
    method copy {} {
        set count [$Selection count]
        if {!$count || [$Data busy] || [$Data relation] eq {}} return
        set text {}
        if {[info commands ::tactus::player::prefFlag] ne {}} {::tactus::csvSafe [::tactus::player::prefFlag csvSafe]}
        if {$count > 1} {append text [join [$Columns shown] \t] \n}
        set left $CopyLimit
        foreach range [$Selection get] {
            lassign $range first last
            set last [expr {min($last, $first + $left - 1)}]
            for {set from $first} {$from <= $last} {incr from 1000} {
                append text [my tsv $from [expr {min(1000, $last - $from + 1)}]]
            }
            incr left [expr {$first - $last - 1}]
            if {$left <= 0} break
        }
        my clip $text
        if {$count > $CopyLimit} {
            $Bar remark "copied the first [::tactus::player::text::group $CopyLimit] of\
                [::tactus::player::text::counted $count row]"
        }
        return $text
    }

    method tsv {first count} {
        set indices [lmap name [$Columns shown] {$Data index $name}]
        set text {}
        foreach row [[$Data relation] rows $first $count] {
            append text [join [lmap index $indices {
                ::tactus::csvCell [::tactus::player::text::source [lindex $row $index]]
            }] \t] \n
        }
        return $text
    }
}
