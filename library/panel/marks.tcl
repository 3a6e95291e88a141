# panel/marks.tcl -- class MarksPanel: a list of the marks and notes of the trace (player/notes.tcl), changed in the
# line below it; click goes there. They are drawn as markers in the timeline (notes::draw), whether this panel is shown
# or not.

::tactus::need list/list player/notes

oo::class create ::tactus::player::MarksPanel {
    superclass ::tactus::player::Panel
    variable Frame View Trace List Text Id Color Loading

    method build {} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign {{} {} {} 0} Id Text Color Loading
        set List $Frame.list
        my listIn $List -name marks -noun note -command [namespace code {my goTo}] \
            -placeholder "no marks and notes yet: Shift+M in the timeline makes one"
        ttk::button $List.bar.new -text "New Note" -command [namespace code {my newNote}]
        $List addTool $List.bar.new
        my buildEditor [ttk::frame $Frame.editor]
        ttk::label $Frame.problem -anchor w -justify left
        bind $Frame.problem <Configure> {%W configure -wraplength [expr {max(50, %w - 8)}]}
        pack $Frame.editor -side bottom -fill x
        pack $List -fill both -expand 1
        bind $List <<ListboxSelect>> [namespace code {my chosen}]
        foreach key {<Delete> <BackSpace>} {bind [$List body] $key [namespace code {my removeChosen}]}
        my hear NotesChanged notesChanged
        my hear Shown shown
        bind $Frame <Map> +[namespace code {my lookAgain}]
        my themeChanged
    }

    method buildEditor {editor} {
        set pad [look::points 3]
        ttk::label $editor.label -text "Text"
        ttk::entry $editor.text -textvariable [my varname Text]
        ttk::combobox $editor.color -state readonly -width 8 -textvariable [my varname Color] \
            -values {default red orange green blue purple grey}
        ttk::button $editor.remove -text Delete -command [namespace code {my removeChosen}]
        grid $editor.label $editor.text $editor.color $editor.remove -padx $pad -pady $pad -sticky ew
        grid columnconfigure $editor 1 -weight 1
        bind $editor.text <Return> [namespace code {my commit}]
        bind $editor.text <FocusOut> [namespace code {my commit}]
        bind $editor.text <Escape> [namespace code {my chosen}]
        bind $editor.color <<ComboboxSelected>> [namespace code {my commit}]
    }

    method themeChanged {} {
        catch {$Frame.problem configure -foreground [look::color warning]}
    }

    # ---- what is there -----------------------------------------------------------------------------------------------

    method notes {} {notes::of $View}

    method traceChanged {} {
        if {$Trace eq {}} {
            $List configure -relation {}
            return [my chosen]
        }
        my notesChanged
    }

    # Reads the file again, which another program may have written.
    method lookAgain {} {
        if {$Trace ne {}} {[my notes] look}
    }

    method columns {} {
        set columns {}
        foreach {name type help} {
            time time "when"
            end time "end of the range; empty: an instant"
            kind text "mark or note"
            text text "text of the mark or note"
            row text "the row of the timeline that it is about" color text "its colour in the timeline"
        } {lappend columns [dict create name $name type $type help $help]}
        return $columns
    }

    method notesChanged {args} {
        if {$Trace eq {}} return
        set all [[my notes] all]
        set rows [lmap note [dict values $all] {
            lmap key {time end kind text row color} {text::valueOf $note $key}
        }]
        set keep $Id
        $List replace [::tactus::relation [my columns] $rows -ids [dict keys $all]]
        set place [expr {$keep eq {} ? -1 : [[$List relation] place $keep]}]
        if {$place != [$List current]} {$List current $place}
        my chosen
        my showProblem [[my notes] problem]
    }

    method showProblem {text} {
        $Frame.problem configure -text [text::visible $text 600]
        if {$text eq {}} {
            pack forget $Frame.problem
        } else {
            pack $Frame.problem -side bottom -fill x -before $Frame.editor
        }
    }

    # Makes the note whose flag was clicked in the timeline the current row.
    method shown {item} {
        if {$Trace eq {} || [$List relation] eq {} || [text::valueOf $item kind] ne "marker"} return
        if {![regexp {^note(\d+)$} [text::valueOf $item id] -> id]} return
        set place [[$List relation] place $id]
        if {$place >= 0 && $place != [$List current]} {
            $List current $place
            my chosen
        }
    }

    # ---- changing ----------------------------------------------------------------------------------------------------

    method chosen {} {
        set place [$List current]
        set Id [if {$place >= 0 && [$List relation] ne {}} {[$List relation] id $place}]
        set note [if {$Id ne {}} {[my notes] get $Id}]
        set Text [string map [list \n {\n} \t {\t}] [text::valueOf $note text]]
        set Color [expr {$note eq {} || [dict get $note color] eq {} ? "default" : [dict get $note color]}]
        set state [expr {$note eq {} ? "disabled" : "!disabled"}]
        foreach name {text color remove} {$Frame.editor.$name state $state}
    }

    method commit {} {
        if {$Id eq {} || $Trace eq {}} return
        if {[[my notes] get $Id] eq {}} return
        [my notes] change $Id [dict create text [string map [list {\n} \n {\t} \t] $Text] \
            color [expr {$Color eq "default" ? {} : $Color}]]
    }

    method removeChosen {} {
        if {$Trace eq {}} return
        set relation [$List relation]
        set ids [lmap place [$List selection places 10000] {$relation id $place}]
        set Id {}
        foreach id $ids {[my notes] remove $id}
    }

    # Adds a note at the cursor, or over the selection of the timeline.
    method newNote {} {
        if {$Trace eq {}} return
        lassign [$View selection] from to
        if {$from eq {}} {set from [$View cursor]}
        if {$from eq {}} {set from [lindex [[$View timeline] view] 0]}
        set Id [[my notes] add [dict create kind note time $from end $to text {}]]
        my notesChanged
        focus $Frame.editor.text
    }

    method goTo {place} {
        set note [[my notes] get [[$List relation] id $place]]
        if {$note eq {}} return
        set words [list -time [dict get $note time]]
        foreach {option key} {-to end -row row} {
            if {[dict get $note $key] ne {}} {lappend words $option [dict get $note $key]}
        }
        my go {*}$words
    }
}
