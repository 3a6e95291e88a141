# player/importFrame.tcl -- class ImportFrame: the widgets of the import dialog (player/importDialog.tcl), which is one.
#
# From above: how lines are taken apart; the first lines as a table; what words mean, beside the text of the mapping; a
# preview beside what is not understood; the command line and the buttons.

::tactus::need player/importTable

oo::class create ::tactus::player::ImportFrame {
    variable View File
    variable Top Grid Words Remarks     ;# toplevel; tables of the lines, the words, the remarks
    variable Value                      ;# array: the fields

    # Makes the toplevel, which `arrange` shows.
    method build {} {
        set parent [expr {[alive $View] ? [$View window] : "."}]
        set Top [toplevel [string trimright $parent .].import[string map {: _} [self]] -class TactusImport]
        wm withdraw $Top
        wm title $Top "Import Log: [text::visible [file tail $File] 80]"
        wm protocol $Top WM_DELETE_WINDOW [namespace code {my close}]
        set all [ttk::frame $Top.all -padding [px 8]]
        pack $all -fill both -expand 1
        my buildHead [ttk::frame $all.head]
        ttk::panedwindow $all.panes -orient vertical
        set Grid [ImportTable new $all.panes.table columns [namespace code {my postColumn}]]
        $all.panes add $all.panes.table -weight 3
        ttk::panedwindow $all.panes.middle -orient horizontal
        $all.panes add $all.panes.middle -weight 3
        my buildMeanings [ttk::frame $all.panes.middle.left -padding [list 0 0 [px 6] 0]]
        my buildText [ttk::frame $all.panes.middle.right -padding [list [px 6] 0 0 0]]
        $all.panes.middle add $all.panes.middle.left -weight 1
        $all.panes.middle add $all.panes.middle.right -weight 1
        my buildPreview [ttk::frame $all.panes.preview]
        $all.panes add $all.panes.preview -weight 3
        my buildFoot [ttk::frame $all.foot]
        grid $all.head -sticky ew -pady [list 0 [px 4]]
        grid $all.panes -sticky nsew
        grid $all.foot -sticky ew -pady [list [px 6] 0]
        grid columnconfigure $all 0 -weight 1
        grid rowconfigure $all 1 -weight 1
        bind $Top <Escape> [namespace code {my close}]
        bind $Top <Control-Return> "[namespace code {my open}]; break"
        bind $Top <Control-s> "[namespace code {my save}]; break"
        bind $Top <Destroy> +[namespace code {my gone %W}]
        bind $Top <<ThemeChanged>> +[namespace code {my colors}]
        my colors
    }

    # How the lines are taken apart.
    method buildHead {head} {
        ttk::label $head.file -style Bold.TLabel -anchor w
        pack $head.file -side left -fill x -expand 1
        ttk::spinbox $head.skip -from 0 -to 1000000 -width 4 -textvariable [my varname Value](skip)
        set widgets {}
        foreach {name label values width} {
            separator "Fields are parted by" {auto comma semicolon tab bar blanks json} 9
            header "The first line has" {auto names values} 7
        } {
            ttk::label $head.l$name -text $label
            my combobox $head.$name $name $values $width
            lappend widgets $head.l$name $head.$name
        }
        ttk::label $head.lskip -text "after lines:"
        raise $head.skip
        pack {*}[lreverse [list {*}$widgets $head.lskip $head.skip]] -side right -padx [list [px 6] 0]
    }

    method combobox {path name values width} {
        ttk::combobox $path -state readonly -values $values -width $width -textvariable [my varname Value]($name)
        bind $path <<ComboboxSelected>> {%W selection clear}
        # The wheel would change the value that is under the pointer by chance.
        foreach button {4 5} {bind $path <Button-$button> break}
        return $path
    }

    # What words mean, and what holds for all lines.
    method buildMeanings {left} {
        ttk::frame $left.settings
        ttk::label $left.settings.lunit -text "A time of 1 is"
        my combobox $left.settings.unit unit {{not said} s ms us ns} 8
        ttk::label $left.settings.ljobs -text "Jobs by"
        my combobox $left.settings.jobs jobs {number order} 8
        ttk::checkbutton $left.settings.relative -text "Deadlines from the release" \
            -variable [my varname Value](relative)
        pack $left.settings.lunit $left.settings.unit $left.settings.ljobs $left.settings.jobs -side left \
            -padx [list 0 [px 4]]
        set Words [ImportTable new $left.words rows [namespace code {my postWord}]]
        grid $left.settings -sticky ew -pady [list [px 2] [px 4]]
        grid $left.words -sticky nsew
        grid columnconfigure $left 0 -weight 1
        grid rowconfigure $left 1 -weight 1
    }

    method buildText {right} {
        ttk::label $right.title -text "Mapping" -style Muted.TLabel
        text $right.text -undo 1 -wrap none -width 44 -height 8 -font [theme font mono] -padx [px 4] -pady [px 3] \
            -yscrollcommand [namespace code [list my needs $right.y]] \
            -xscrollcommand [namespace code [list my needs $right.x]]
        ttk::scrollbar $right.y -orient vertical -command [list $right.text yview]
        ttk::scrollbar $right.x -orient horizontal -command [list $right.text xview]
        ttk::label $right.fault -anchor nw -style Muted.TLabel
        grid $right.title -sticky w -pady [list 0 [px 2]]
        grid $right.text $right.y -sticky nsew
        grid $right.x -sticky ew
        grid $right.fault - -sticky ew -pady [list [px 3] 0]
        grid columnconfigure $right 0 -weight 1
        grid rowconfigure $right 1 -weight 1
        bind $right.fault <Configure> {%W configure -wraplength [expr {max(40, %w - 4)}]}
        bind $right.text <<Modified>> [namespace code {my typed}]
        foreach {key next} {<Tab> tk_focusNext <<PrevWindow>> tk_focusPrev} {
            bind $right.text $key "tk::TabToWindow \[$next %W\]; break"
        }
    }

    # A scroll bar is there while there is something to scroll.
    method needs {bar from to} {
        $bar set $from $to
        if {$from <= 0 && $to >= 1} {grid remove $bar} else {grid $bar}
    }

    method buildPreview {frame} {
        ttk::label $frame.counts -anchor w
        ttk::panedwindow $frame.panes -orient horizontal
        set plot [ttk::frame $frame.panes.plot]
        ::tactus::timeline $plot.timeline -theme [theme name] -fit-rows 1 -width [px 500] -height [px 110] \
            -highlightthickness 0 -takefocus 1 -emptytext "no trace yet" \
            -yscrollcommand [namespace code [list my needs $plot.y]]
        ttk::scrollbar $plot.y -orient vertical -command [list $plot.timeline yview]
        grid $plot.timeline $plot.y -sticky nsew
        grid columnconfigure $plot 0 -weight 1
        grid rowconfigure $plot 0 -weight 1
        set Remarks [ImportTable new $frame.panes.remarks rows [namespace code {my goTo}]]
        $frame.panes add $plot -weight 3
        $frame.panes add $frame.panes.remarks -weight 2
        grid $frame.counts -sticky ew -pady [px 3]
        grid $frame.panes -sticky nsew
        grid columnconfigure $frame 0 -weight 1
        grid rowconfigure $frame 1 -weight 1
    }

    # The command line, what is said, and the buttons; those of a question take their place (answerWith).
    method buildFoot {foot} {
        ttk::label $foot.lline -text Command
        ttk::entry $foot.line -state readonly -font [theme font mono]
        ttk::button $foot.copy -text Copy -command [namespace code {my copy}]
        ttk::label $foot.message -anchor w
        ttk::frame $foot.buttons
        foreach {name text method} {
            guess "Guess Again" guessAgain  load "Mapping File\u2026" load  save "Save Mapping As\u2026" save
            keep "Keep It" keep  discard Discard discard  cancel Cancel close  open Open open
        } {
            ttk::button $foot.buttons.$name -text $text -command [namespace code [list my $method]]
        }
        $foot.buttons.open configure -default active
        set gap [list -padx [list 0 [px 4]] -pady [px 2]]
        grid $foot.lline $foot.line $foot.copy {*}$gap -sticky ew
        ttk::frame $foot.last
        grid $foot.last - - -sticky ew
        raise $foot.buttons
        pack $foot.buttons -in $foot.last -side right
        pack $foot.message -in $foot.last -side left -fill x -expand 1 -padx [list 0 [px 6]]
        raise $foot.message
        grid columnconfigure $foot 1 -weight 1
        bind $foot.message <Configure> {%W configure -wraplength [expr {max(40, %w - 4)}]}
        my answerWith {guess load save cancel open}
    }

    method answerWith {names} {
        set frame $Top.all.foot.buttons
        pack forget {*}[winfo children $frame]
        foreach name $names {pack $frame.$name -side left -padx [list [px 4] 0]}
    }

    # Places the dialog over the middle of its window, not larger than the screen.
    method arrange {} {
        update idletasks
        set width [expr {min([px 1000], [winfo screenwidth $Top] - 24)}]
        set height [expr {min([px 690], [winfo screenheight $Top] - 10)}]
        set parent [winfo toplevel [winfo parent $Top]]
        set x [expr {max(0, [winfo rootx $parent] + ([winfo width $parent] - $width) / 2)}]
        set y [expr {max(0, [winfo rooty $parent] + ([winfo height $parent] - $height) / 2)}]
        set x [expr {min($x, [winfo screenwidth $Top] - $width)}]
        set y [expr {min($y, [winfo screenheight $Top] - $height)}]
        wm geometry $Top ${width}x$height+$x+$y
        # A third for each part, as soon as there is a height to share.
        bind $Top.all.panes <Configure> [namespace code {my share %W %h}]
        wm minsize $Top [expr {min([px 760], $width)}] [expr {min([px 560], $height)}]
        wm deiconify $Top
    }

    method share {panes height} {
        if {$height < [px 100]} return
        bind $panes <Configure> {}
        $panes sashpos 0 [expr {$height * 34 / 100}]
        $panes sashpos 1 [expr {$height * 69 / 100}]
    }

    method colors {} {
        if {![winfo exists $Top]} return
        $Top configure -background [theme color background]
        set editor [my editor]
        theme adopt $editor
        $editor configure -highlightthickness [px 1] -highlightbackground [theme color border] \
            -highlightcolor [theme color accent] -font [theme font mono]
        $editor tag configure remark -foreground [theme color muted]
        $editor tag configure fault -background [theme color errorBack]
    }

    method gone {window} {
        if {$window eq $Top} {my destroy}
    }

    method top {} {return $Top}
    method editor {} {return $Top.all.panes.middle.right.text}
    method timeline {} {return $Top.all.panes.preview.panes.plot.timeline}
    method message {} {$Top.all.foot.message cget -text}
    method counts {} {$Top.all.panes.preview.counts cget -text}
    method line {} {$Top.all.foot.line get}

    method say {kind text} {
        set style [dict get {error Error.TLabel warning Warning.TLabel ok Ok.TLabel muted Muted.TLabel} $kind]
        $Top.all.foot.message configure -style $style -text [text::visible $text 400]
    }
}
