# panel/modelsEditor.tcl -- class ModelsEditor: a file of models as a text that can be edited, with the numbers of its
# lines and the mistake in it.
#
#   ModelsEditor new FRAME CALL      CALL is called after the text was saved
#   $editor load FILE                reads a file; text that was changed here and not saved stays
#   $editor fault LINE MESSAGE       marks a line; {} {}: there is no mistake
#   $editor see LINE                 brings a line into view and marks it as the one that is spoken of
#   $editor changed                  is there anything that is not saved?
#
# Ctrl+S saves. A file that another program has changed meanwhile is read anew, unless it was changed here, too: that is
# said, and Ctrl+S writes over it.

::tactus::need player/look player/text

oo::class create ::tactus::player::ModelsEditor {
    variable Frame Text Numbers Call File Stamp Said Warned

    # Makes the text, the numbers beside it and the line that says what is wrong.
    constructor {frame call} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $frame $call {} {} {} 0] Frame Call File Stamp Said Warned
        set Text $frame.text
        set Numbers $frame.numbers
        text $Text -wrap none -undo 1 -font TkFixedFont -borderwidth 0 -highlightthickness 0 -width 20 -height 4 \
            -padx [look::points 3] -pady [look::points 2] -state disabled \
            -xscrollcommand [list $frame.x set] -yscrollcommand [namespace code {my Scrolled}]
        canvas $Numbers -width 10 -height 10 -highlightthickness 0 -borderwidth 0 -takefocus 0
        ttk::scrollbar $frame.x -orient horizontal -command [list $Text xview]
        ttk::scrollbar $frame.y -orient vertical -command [list $Text yview]
        ttk::label $frame.said -textvariable [my varname Said] -anchor w -style Error.TLabel -justify left
        grid $Numbers $Text $frame.y -sticky nsew
        grid $frame.x -row 1 -column 1 -sticky ew
        grid rowconfigure $frame 0 -weight 1
        grid columnconfigure $frame 1 -weight 1
        bind $frame.said <Configure> {%W configure -wraplength [expr {max(50, %w - 4)}]}
        bind $Text <Control-Key-s> "[namespace code {my save}]; break"
        bind $Text <<Modified>> [namespace code {my Modified}]
        bind $Text <Configure> [namespace code {my DrawNumbers}]
        bind $frame <<ThemeChanged>> [namespace code {my theme}]
        bind $Text <Destroy> [namespace code {my destroy}]
        my theme
    }

    method theme {} {
        if {![winfo exists $Text]} return
        $Text configure -background [look::color field] -foreground [look::color foreground] \
            -insertbackground [look::color foreground] -selectbackground [look::color select] \
            -selectforeground [look::color onselect] -inactiveselectbackground [look::color select] \
            -tabs [list [font measure TkFixedFont 00000000] left] -tabstyle wordprocessor
        $Text tag configure fault -background [theme color errorBack]
        $Text tag configure here -background [look::color stripe] -underline 0
        $Text tag raise sel
        $Numbers configure -background [look::color heading]
        my DrawNumbers
    }

    # ---- the file ----------------------------------------------------------------------------------------------------

    method file {} {return $File}
    method changed {} {$Text edit modified}

    method StampOf {file} {
        expr {[file exists $file] ? [list [file mtime $file] [file size $file]] : {}}
    }

    method load {file} {
        set stamp [my StampOf $file]
        if {$file eq $File && $stamp eq $Stamp} return
        if {$file eq $File && [my changed]} {
            set Warned 1
            return [my say "Another program has changed the file; Ctrl+S writes over it."]
        }
        if {[catch {my Read $file} content]} {return [my say [text::visible $content 300]]}
        lassign [list $file $stamp 0] File Stamp Warned
        set mark [$Text index insert]
        set top [lindex [$Text yview] 0]
        $Text configure -state normal
        $Text delete 1.0 end
        $Text insert end $content
        $Text edit reset
        $Text edit modified 0
        $Text mark set insert $mark
        $Text yview moveto $top
        if {$file eq {} || [file size $file] > 1000000} {$Text configure -state disabled}
        my say {}
        my DrawNumbers
    }

    # The text of a file; of one that is too large to be edited, its beginning.
    method Read {file} {
        if {$file eq {}} return
        string trimright [string range [::tactus::contentText $file "file of expectations"] 0 999999] \n
    }

    method save {} {
        if {$File eq {} || [$Text cget -state] eq "disabled"} return
        try {
            ::tactus::save $File channel {
                fconfigure $channel -encoding utf-8
                puts $channel [$Text get 1.0 "end - 1 char"]
            }
        } on error message {
            return [my say "It cannot be written: [text::visible $message 300]"]
        }
        lassign [list [my StampOf $File] 0] Stamp Warned
        $Text edit modified 0
        my say {}
        {*}$Call
    }

    method Modified {} {
        event generate $Frame <<ModelsModified>>
    }

    # ---- what is said ------------------------------------------------------------------------------------------------

    method say {message} {
        set Said $message
        if {$message eq {}} {grid remove $Frame.said} else {grid $Frame.said -row 2 -column 0 -columnspan 3 -sticky ew}
    }

    method said {} {return $Said}

    method fault {line message} {
        $Text tag remove fault 1.0 end
        if {$message eq {} && $Warned} return
        my say $message
        if {![string is integer -strict $line]} return
        $Text tag add fault $line.0 "$line.0 + 1 line"
        $Text see $line.0
    }

    method see {line} {
        $Text tag remove here 1.0 end
        if {![string is integer -strict $line]} return
        $Text tag add here $line.0 "$line.0 + 1 line"
        $Text see $line.0
        $Text mark set insert $line.0
        my DrawNumbers
    }

    # ---- numbers of lines --------------------------------------------------------------------------------------------

    method Scrolled {first last} {
        $Frame.y set $first $last
        my DrawNumbers
    }

    method DrawNumbers {} {
        if {![winfo exists $Numbers]} return
        $Numbers delete all
        set lines [lindex [split [$Text index "end - 1 char"] .] 0]
        set width [expr {[font measure TkFixedFont [string repeat 0 [string length $lines]]] + [look::points 6]}]
        if {[$Numbers cget -width] != $width} {$Numbers configure -width $width}
        for {set line [lindex [split [$Text index @0,0] .] 0]} {$line <= $lines} {incr line} {
            set box [$Text dlineinfo $line.0]
            if {$box eq {}} {
                if {[$Text compare $line.0 > @0,[winfo height $Text]]} break
                continue
            }
            $Numbers create text [expr {$width - [look::points 3]}] [lindex $box 1] -anchor ne -text $line \
                -font TkFixedFont -fill [look::color muted]
        }
    }

    method text {} {return $Text}
}
