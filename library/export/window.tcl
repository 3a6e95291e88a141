# export/window.tcl -- class ExportDialog: fields at the left, the figure as the exporter draws it at the right, below
# them the file, the command line that writes the same file, and messages of the exporter.
#
#   ExportDialog for VIEW      makes the view's dialog, or shows it again
#
# Each change of a field, of the view's range, selection or rows goes the same way: `changed` (once, when the event loop
# has time) takes the choice from the fields, makes the exporter's options of it (export/choice.tcl), writes the command
# line and lets the preview draw. Export runs the same options. A question (overwrite?) is asked in the dialog's own
# line of messages; the dialog is not modal, and goes with its view or trace.
#
# Preferences: exportLast (the choice used last), exportPresets (dict of name and choice).

::tactus::need export/choice export/fields export/rows export/presets export/preview

oo::class create ::tactus::player::ExportDialog {
    variable View Top
    variable Value                      ;# array: the choice (export/choice.tcl)
    variable Fields Rows Presets Preview        ;# parts of the dialog
    variable Timer                      ;# id of the idle call of `changed`, or {}
    variable FileTyped Loading          ;# did the user type the file's name? is the dialog setting fields itself?
    variable Question                   ;# the file that may be overwritten, or {}: nothing is asked

    constructor {view} {
        namespace path [list {*}[namespace path] ::tactus::player ::tactus::player::figure]
        set View $view
        lassign {{} 0 0 {}} Timer FileTyped Loading Question
        array set Value [restored [pref get exportLast]]
        set Value(file) [proposal [$View file] $Value(-format)]
        my build
        my listen
        trace add variable Value write [namespace code {my touched}]
        my changed
    }

    destructor {
        after cancel $Timer
        foreach part [list $Fields $Rows $Presets] {$part destroy}
        if {[winfo exists $Top]} {destroy $Top}
    }

    # ---- widgets -----------------------------------------------------------------------------------------------------

    # Makes the toplevel: the fields and the preview side by side, file, command line and buttons below.
    method build {} {
        set parent [$View window]
        set Top [toplevel [string trimright $parent .].export[string map {: _} [self]] -class TactusExport]
        wm withdraw $Top
        wm title $Top "Export Figure"
        wm transient $Top $parent
        wm protocol $Top WM_DELETE_WINDOW [namespace code {my close}]
        set all [ttk::frame $Top.all -padding [px 10]]
        pack $all -fill both -expand 1
        ttk::panedwindow $all.panes -orient horizontal
        $all.panes add [my buildLeft [ttk::frame $all.panes.left]] -weight 0
        $all.panes add [ttk::frame $all.panes.right -padding [list [px 8] 0 0 0]] -weight 1
        set Preview [FigurePreview new $all.panes.right -done [namespace code {my drawn}]]
        my buildBottom [ttk::frame $all.bottom]
        grid $all.panes -sticky nsew
        grid $all.bottom -sticky ew -pady [list [px 8] 0]
        grid columnconfigure $all 0 -weight 1
        grid rowconfigure $all 0 -weight 1
        bind $Top <Escape> [namespace code {my close}]
        bind $Top <Control-Return> [namespace code {my export}]
        foreach key {<Return> <KP_Enter>} {bind $Top $key [namespace code {my entered %W}]}
        bind $Top <Destroy> +[namespace code {my gone %W}]
        my colors
        my arrange
    }

    # Places the dialog over the middle of its window where possible, not larger than the screen.
    method arrange {} {
        update idletasks
        set width [expr {min([winfo reqwidth $Top], [winfo screenwidth $Top] - 40)}]
        set height [expr {min([winfo reqheight $Top], [winfo screenheight $Top] - 80)}]
        set parent [$View window]
        set x [expr {max(0, [winfo rootx $parent] + ([winfo width $parent] - $width) / 2)}]
        set y [expr {max(0, [winfo rooty $parent] + ([winfo height $parent] - $height) / 2)}]
        set x [expr {min($x, [winfo screenwidth $Top] - $width)}]
        set y [expr {min($y, [winfo screenheight $Top] - $height)}]
        wm geometry $Top ${width}x$height+$x+$y
        wm minsize $Top [expr {min([px 700], [winfo screenwidth $Top] / 2)}] \
            [expr {min([px 480], [winfo screenheight $Top] / 2)}]
        wm deiconify $Top
    }

    method buildLeft {left} {
        set Presets [FigurePresets new [ttk::frame $left.presets] -explain [namespace code {my explain}] \
            -say [namespace code {my say}] \
            -choice [namespace code {my choice}] -use [namespace code {my use}]]
        ttk::notebook $left.pages
        set Fields [FigureFields new $left.pages [my varname Value] -help [namespace code {my help}]]
        my buildRange [ttk::labelframe [$Fields page Content].range -text Range]
        set Rows [FigureRows new [ttk::labelframe [$Fields page Content].rows -text Rows] [$View timeline] \
            [my varname Value] \
            [namespace code {my explain}]]
        my buildCursorButton [$Fields page Content]
        # A frame of its own height, so that nothing moves when the text is longer.
        ttk::frame $left.foot -height [expr {3 * [font metrics TkDefaultFont -linespace]}]
        pack propagate $left.foot 0
        ttk::label $left.help -style Muted.TLabel -wraplength [px 320] -anchor nw -justify left
        pack $left.presets -fill x -pady [list 0 [px 6]]
        pack $left.foot -side bottom -fill x -pady [list [px 6] 0]
        pack $left.pages -fill both -expand 1
        pack $left.help -in $left.foot -fill both -expand 1
        return $left
    }

    method buildRange {frame} {
        set space [list -sticky w -padx [list 0 [px 8]]]
        foreach {name text row column} {
            view {What is seen} 0 0  all {Whole trace} 0 1  selection Selection 1 0  typed From 2 0
        } {
            ttk::radiobutton $frame.$name -text $text -value $name -variable [my varname Value](range)
            grid $frame.$name -row $row -column $column {*}$space
        }
        ttk::frame $frame.times
        ttk::entry $frame.times.from -width 10 -textvariable [my varname Value](-from)
        ttk::label $frame.times.to_ -text to
        ttk::entry $frame.times.to -width 10 -textvariable [my varname Value](-to)
        pack $frame.times.from $frame.times.to_ $frame.times.to -side left -padx [list 0 [px 4]]
        grid $frame.times -row 2 -column 1 -sticky w
        foreach entry {from to} {
            bind $frame.times.$entry <Key> [list set [my varname Value](range) typed]
        }
        grid $frame -row [lindex [grid size [winfo parent $frame]] 1] -columnspan 3 -sticky ew -pady [px 3]
    }

    # The button beside "Buffers at", which takes the time of the cursor.
    method buildCursorButton {page} {
        set field $page.field_buffers_at
        if {![winfo exists $field]} return
        ttk::button $page.cursor -text "At the Cursor" -command [namespace code {my takeCursor}]
        grid configure $field -columnspan 1
        grid $page.cursor -row [dict get [grid info $field] -row] -column 2 -padx [list [px 4] 0]
    }

    method buildBottom {bottom} {
        ttk::label $bottom.fileLabel -text File
        ttk::entry $bottom.file -textvariable [my varname Value](file)
        ttk::button $bottom.browse -text "Browse…" -command [namespace code {my browse}]
        ttk::label $bottom.lineLabel -text Command
        text $bottom.line -height 2 -wrap char -font [theme font mono] -relief flat -padx [px 4] \
            -pady [px 3] -takefocus 0
        ttk::button $bottom.copy -text Copy -command [namespace code {my copy}]
        ttk::label $bottom.message -anchor w
        my buildButtons [ttk::frame $bottom.buttons]
        set gap [list -padx [px 3] -pady [px 2]]
        grid $bottom.fileLabel $bottom.file $bottom.browse {*}$gap -sticky ew
        grid $bottom.lineLabel $bottom.line $bottom.copy {*}$gap -sticky ew
        grid $bottom.message - $bottom.buttons {*}$gap -sticky ew
        grid columnconfigure $bottom 1 -weight 1
        bind $bottom.file <Key> [namespace code {my fileTyped}]
        bind $bottom.line <Button-1> {focus %W}
        bind $bottom.line <Configure> [namespace code {my fitLine}]
        bind $bottom.message <Configure> {%W configure -wraplength %w}
        my explain $bottom.copy "Copies the line: in a shell it writes the same file, byte for byte."
    }

    method buildButtons {frame} {
        foreach {name text method} {
            overwrite Overwrite overwrite  keep {Keep It} keep  close Close close  export Export export
        } {
            ttk::button $frame.$name -text $text -command [namespace code [list my $method]]
        }
        $frame.export configure -default active
        my answerWith {close export}
    }

    # Shows these buttons and hides the others.
    method answerWith {names} {
        set frame $Top.all.bottom.buttons
        pack forget {*}[winfo children $frame]
        foreach name $names {pack $frame.$name -side left -padx [list [px 4] 0]}
    }

    method explain {path text} {
        bind $path <Enter> +[namespace code [list my help $text]]
        bind $path <Leave> +[namespace code {my help {}}]
    }

    method help {text} {
        $Top.all.panes.left.help configure -text $text
    }

    method colors {args} {
        if {![winfo exists $Top]} return
        $Top configure -background [theme color background]
        $Top.all.bottom.line configure -highlightthickness 0 -background [theme color raised] \
            -foreground [theme color foreground] -font [theme font mono]
    }

    # ---- what the view tells -----------------------------------------------------------------------------------------

    method listen {} {
        foreach {event method} {
            Zoomed rangeMoved SelectionChanged rangeMoved RowsChanged rowsMoved
            TraceReloaded reloaded TraceClosed destroy
        } {
            ::tactus::player::listen $event [namespace code [list my heard $method]] $Top
        }
        ::tactus::player::listen ThemeChanged [namespace code {my colors}] $Top
    }

    method heard {method view args} {
        if {$view eq $View} {my $method}
    }

    method rangeMoved {} {
        if {$Value(range) in {view selection}} {my changed}
    }

    method rowsMoved {} {
        $Rows fill
        if {$Value(rowsFrom) in {view chosen}} {my changed}
    }

    method reloaded {} {
        $Rows fill
        my changed
    }

    # Facts of the view for export/choice.tcl.
    method facts {} {
        set timeline [$View timeline]
        set trace [$View trace]
        dict create view [$timeline view] selection [$timeline selection get] viewRows [$Rows ids visible] \
            chosenRows [$Rows ids chosen] decimals [dict get [$trace info] decimals]
    }

    # ---- changes -----------------------------------------------------------------------------------------------------

    # Notes that a field was written to.
    method touched {array key operation} {
        if {$Loading} return
        if {$key eq "-format"} {
            my set file [withFormat $Value(file) $Value(-format)]
        } elseif {$key eq "file" && [formatOf $Value(file)] ne {}} {
            my set -format [formatOf $Value(file)]
        }
        my changed
    }

    method set {key value} {
        if {$Value($key) eq $value} return
        set Loading 1
        set Value($key) $value
        set Loading 0
    }

    method changed {} {
        if {$Timer eq {}} {set Timer [after idle [namespace code {my refresh}]]}
    }

    # Replaces the choice by a preset, except for the file.
    method use {preset} {
        set file $Value(file)
        set Loading 1
        array set Value [restored $preset]
        set Value(file) [withFormat $file $Value(-format)]
        set Loading 0
        my changed
    }

    method fileTyped {} {
        set FileTyped 1
        my keep
    }

    method refresh {} {
        set Timer {}
        if {[$View trace] eq {}} return
        if {[$Rows isEmpty]} {$Rows fill}
        if {$Question ne $Value(file)} {my keep}
        try {
            set options [my arguments]
            my showLine [commandLine [my choice] [my facts] [$View file] [::tactus::player::openOptions $View]]
            dict set options -format $Value(-format)
            $Preview show [$View trace] $options
        } trap TACTUS message {
            my showLine {}
            $Preview clear $message
            my say error $message
        }
    }

    method choice {} {
        array get Value
    }

    method arguments {} {
        ::tactus::player::figure::arguments [my choice] [my facts]
    }

    method drawn {message} {
        if {$message ne {}} {my say error $message} elseif {$Question eq {}} {my say muted {}}
    }

    method showLine {text} {
        set line $Top.all.bottom.line
        $line configure -state normal
        $line delete 1.0 end
        $line insert 1.0 $text
        $line configure -state disabled
        my fitLine
    }

    # Makes the field of the command line as high as its text, from two lines (so that little moves) to a limit.
    method fitLine {} {
        set line $Top.all.bottom.line
        if {[winfo width $line] <= 1} return
        set height [expr {max(2, min(5, [$line count -displaylines 1.0 end-1c] + 1))}]
        if {$height != [$line cget -height]} {$line configure -height $height}
    }

    method line {} {
        string trimright [$Top.all.bottom.line get 1.0 end] \n
    }

    method say {kind text} {
        set style [dict get {error Error.TLabel warning Warning.TLabel ok Ok.TLabel muted Muted.TLabel} $kind]
        $Top.all.bottom.message configure -style $style -text [string range $text 0 600]
    }

    method message {} {
        $Top.all.bottom.message cget -text
    }

    method takeCursor {} {
        set time [$View cursor]
        if {$time eq {}} {return [my say warning "there is no cursor: point at the timeline"]}
        set Value(-buffers-at) $time
    }

    method copy {} {
        clipboard clear -displayof $Top
        clipboard append -displayof $Top [my line]
        my say ok "The command line is in the clipboard."
    }

    # ---- writing -----------------------------------------------------------------------------------------------------

    method browse {} {
        set types [lmap format [formats] {list [dict get $format help] [dict get $format extensions]}]
        set file [tk_getSaveFile -parent $Top -title "Export Figure" -filetypes $types -confirmoverwrite 0 \
            -initialdir [file dirname [file normalize $Value(file)]] -initialfile [file tail $Value(file)]]
        if {$file eq {} || ![winfo exists $Top]} return
        set FileTyped 1
        set Value(file) $file
    }

    # Writes the file, or asks first.
    method export {} {
        if {[string trim $Value(file)] eq {}} {return [my say error "the file needs a name"]}
        if {[file isdirectory $Value(file)]} {return [my say error "$Value(file) is a directory"]}
        if {[file exists $Value(file)]} {
            set Question $Value(file)
            my say warning "$Value(file) exists."
            my answerWith {keep overwrite}
            focus $Top.all.bottom.buttons.keep
            return
        }
        my write
    }

    # Return presses the default button. Other buttons (player/keys.tcl), lists and texts use it themselves.
    method entered {widget} {
        if {[winfo class $widget] ni {Treeview Text Listbox}} {my export}
    }

    method overwrite {} {
        if {$Question ne $Value(file)} {return [my keep]}
        my keep
        my write
    }

    # Withdraws the question.
    method keep {} {
        if {$Question eq {}} return
        set Question {}
        my say muted {}
        my answerWith {close export}
    }

    method write {} {
        try {
            set remarks [[$View trace] export $Value(file) {*}[my arguments]]
        } on error message {
            return [my say error $message]
        }
        pref set exportLast [remembered [my choice]]
        set size [::tactus::format "%.1f kB" [expr {[file size $Value(file)] / 1000.0}]]
        set notes [join [lmap remark $remarks {dict get $remark text}] "; "]
        my say [expr {$notes eq {} ? "ok" : "warning"}] \
            "Wrote $Value(file), $size.[expr {$notes eq {} ? {} : "  $notes"}]"
        catch {$View message "wrote $Value(file)"}
    }

    method close {} {
        if {$Question ne {}} {return [my keep]}
        my destroy
    }

    method gone {window} {
        if {$window eq $Top} {my destroy}
    }

    method top {} {return $Top}
    method preview {} {return $Preview}
    method rows {} {return $Rows}
    method presets {} {return $Presets}

    # For scripts and tests: a field's value.
    method value {key args} {
        if {[llength $args]} {set Value($key) [lindex $args 0]}
        return $Value($key)
    }

    self method for {view} {
        variable dialogs
        if {![info exists dialogs]} {set dialogs {}}
        if {[dict exists $dialogs $view] && [info object isa object [dict get $dialogs $view]]} {
            set dialog [dict get $dialogs $view]
            raise [$dialog top]
            focus [$dialog top]
            return $dialog
        }
        set dialog [my new $view]
        dict set dialogs $view $dialog
        return $dialog
    }
}
