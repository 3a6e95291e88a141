# panel/linkText.tcl -- class LinkText: a read-only text with links in it. Text of a trace is only ever inserted as
# text, made visible; the words of a link are kept in a table by its number.
#
#   LinkText new FRAME CALL         FRAME.text with a scrollbar that is shown when it is of use; CALL is called with the
#                                   words of a link that was pressed
#   $text begin, end                between them it is written anew:
#   $text insert TEXT TAG ...       the player's own words
#   $text plain VALUE ?TAG ...?     text of a trace
#   $text link TEXT WORDS ?AFTER?   a link, and plain words behind it
#
# Tags: title, label, fact, muted, error, warning, ok, accent.

::tactus::need player/text player/look

oo::class create ::tactus::player::LinkText {
    variable Frame Text Links Call      ;# Links: tag -> words

    constructor {frame call} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $frame $frame.text $call {}] Frame Text Call Links
        text $Text -wrap word -state disabled -font TkDefaultFont -borderwidth 0 -highlightthickness 0 \
            -width 30 -height 10 \
            -padx [look::points 5] -pady [look::points 3] -cursor {} -takefocus 1 -exportselection 1 \
            -yscrollcommand [namespace code {my Scrolled}]
        ttk::scrollbar $Frame.y -orient vertical -command [list $Text yview]
        grid $Text -row 0 -column 0 -sticky nsew
        grid columnconfigure $Frame 0 -weight 1
        grid rowconfigure $Frame 0 -weight 1
        bind $Text <Button-1> +[list focus $Text]
        bind $Text <Destroy> [namespace code {my destroy}]
        my themeChanged
    }

    method widget {} {return $Text}

    # All of it, as it is copied: with ordinary blanks.
    method text {} {string map {\u00a0 { }} [$Text get 1.0 end-1c]}

    method Scrolled {first last} {
        $Frame.y set $first $last
        if {$first <= 0 && $last >= 1} {grid remove $Frame.y} else {grid $Frame.y -row 0 -column 1 -sticky ns}
    }

    method themeChanged {} {
        if {![winfo exists $Text]} return
        $Text configure -background [look::color field] -foreground [look::color foreground] \
            -selectbackground [look::color select] -selectforeground [look::color onselect] \
            -inactiveselectbackground [look::color select]
        $Text tag configure title -font [dict replace [font actual TkDefaultFont] -weight bold] \
            -spacing3 [look::points 3]
        $Text tag configure label -foreground [look::color muted]
        $Text tag configure fact -spacing1 [look::points 1]
        $Text tag configure link -foreground [look::color link]
        $Text tag configure hover -underline 1
        foreach name {error warning ok accent muted} {$Text tag configure $name -foreground [look::color $name]}
        $Text tag raise sel
    }

    # Sets the column of values, and of their wrapped lines, behind labels of so many pixels.
    method setTabs {wide} {
        set stop [expr {min(max($wide, [look::points 36]), max(20, [winfo width $Text] / 2)) + [look::points 6]}]
        $Text configure -tabs [list $stop left]
        $Text tag configure fact -lmargin2 $stop
    }

    method begin {} {
        foreach tag [dict keys $Links] {$Text tag delete $tag}
        set Links {}
        $Text configure -state normal
        $Text delete 1.0 end
    }

    method end {} {$Text configure -state disabled}

    method insert {args} {
        foreach {text tags} $args {$Text insert end [text::glued $text] $tags}
    }

    method plain {value args} {
        $Text insert end [text::glued [text::visible $value 20000]] [concat fact $args]
    }

    method link {text words {after {}}} {
        set tag link[dict size $Links]
        dict set Links $tag $words
        $Text insert end [text::glued [text::visible $text 2000]] [list fact link $tag]
        if {$after ne {}} {my plain $after}
        $Text tag bind $tag <Button-1> [namespace code [list my Pressed $tag]]
        $Text tag bind $tag <Enter> [namespace code [list my Hover $tag 1]]
        $Text tag bind $tag <Leave> [namespace code [list my Hover $tag 0]]
    }

    method Hover {tag on} {
        $Text configure -cursor [expr {$on ? "hand2" : {}}]
        $Text tag remove hover 1.0 end
        if {$on} {$Text tag add hover {*}[$Text tag ranges $tag]}
    }

    method Pressed {tag} {
        if {[dict exists $Links $tag]} {{*}$Call [dict get $Links $tag]}
    }
}
