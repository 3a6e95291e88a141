# player/palette.tcl -- small windows over the view: the palette of commands, a question, the sheet of keys,
# preferences, about.
#
# Palette and question are cards placed over the view, not toplevels: they need no window manager, and close when they
# lose the focus. All that they list comes from the table of actions.

namespace eval ::tactus::player::palette {
    variable found {}           ;# names of the actions that the palette lists
    variable choice             ;# array: values of the preferences dialog
    array set choice {}
    # pattern of an action's name, words
    variable meanings {
        open        {load import file}
        export*     {save print picture image pdf svg png tikz latex paper}
        everything  {reset whole all full}
        zoom*       {magnify scale larger smaller}
        proc*       {cpu core processors rows panels collapse expand}
        order*      {sort rows tasks}
        grasp       {convention arrows look style}
        rtsched     {convention arrows look style latex rtsched.sty}
        color*      {colours palette highlight}
        layer*      {hide show toggle visible}
        grayscale   {grey black white monochrome}
        dark        {night theme light bright appearance}
        search      {find look}
        goTo        {jump time}
        undo        {history previous}
        redo        {history next}
        hide*       {invisible remove row}
        show*       {visible unhide rows}
        filter*     {only matching names}
        runChecks   {verify validate errors violations missed deadlines}
        *Finding    {error violation problem}
        marker*     {measure distance difference}
        mark*       {bookmark annotate note}
        keys        {shortcuts help keyboard}
        manual      {help documentation man pages}
        mapFile     {threads tasks names csv log}
        toolbar     {buttons icons}
        compare*    {diff second trace before after}
        fullscreen  {maximize}
    }
}

# ---- cards -----------------------------------------------------------------------------------------------------------

# Makes an empty card over a view, with a title; Escape, or a click elsewhere, closes it.
proc ::tactus::player::palette::card {view title} {
    set path [$view top].card
    destroy $path
    set px [::tactus::player::px 8]
    ttk::frame $path -style Card.TFrame -padding $px
    ttk::label $path.title -style Mutedcard.TLabel -text $title
    pack $path.title -anchor w -pady [list 0 [expr {$px / 2}]]
    place $path -relx 0.5 -y [::tactus::player::px 28] -anchor n
    bind $path <Configure> [list ::tactus::player::palette::fitCard $view]
    raise $path
    return $path
}

# Makes the card no larger than the view.
proc ::tactus::player::palette::fitCard {view} {
    if {![::tactus::player::alive $view]} return
    set path [$view top].card
    if {![winfo exists $path]} return
    set wide [expr {max(1, [winfo width [$view top]] - [::tactus::player::px 8])}]
    set high [expr {max(1, [winfo height [$view top]] - [::tactus::player::px 32])}]
    place configure $path -width [if {[winfo reqwidth $path] > $wide} {set wide}] \
        -height [if {[winfo reqheight $path] > $high} {set high}]
}

proc ::tactus::player::palette::closeCard {view} {
    if {![::tactus::player::alive $view]} return
    set path [$view top].card
    if {![winfo exists $path]} return
    destroy $path
    if {[$view trace] ne {}} {focus [$view timeline]} else {focus [$view window]}
}

# Closes the card when the focus went elsewhere within the program.
proc ::tactus::player::palette::left {view} {
    set path [$view top].card
    if {![winfo exists $path]} return
    set focus [focus]
    if {$focus ne {} && ![string match $path.* $focus]} {destroy $path}
}

proc ::tactus::player::palette::watchFocus {view widget} {
    bind $widget <FocusOut> +[list after idle [list ::tactus::player::palette::leftLater $view]]
    bind $widget <Key-Escape> "[list ::tactus::player::palette::closeCard $view]; break"
}

proc ::tactus::player::palette::leftLater {view} {
    if {[::tactus::player::alive $view]} {left $view}
}

# ---- a question ------------------------------------------------------------------------------------------------------

# Asks for a line of text; Enter calls prefix with it. An error of that is shown on the card, which stays.
proc ::tactus::player::palette::ask {view title text initial prefix} {
    set path [card $view $title]
    ttk::entry $path.entry -width 46
    $path.entry insert end $initial
    $path.entry selection range 0 end
    ttk::label $path.text -style Mutedcard.TLabel -text $text -wraplength [::tactus::player::px 380]
    pack $path.entry -fill x
    pack $path.text -anchor w -pady [list [::tactus::player::px 4] 0]
    # The prefix may contain a name of the trace: its % are doubled, so that the binding leaves them alone.
    set answer [string map {% %%} [list ::tactus::player::palette::answer $view $prefix]]
    foreach key {<Key-Return> <Key-KP_Enter>} {bind $path.entry $key "$answer; break"}
    watchFocus $view $path.entry
    focus $path.entry
}

proc ::tactus::player::palette::answer {view prefix} {
    set path [$view top].card
    set text [$path.entry get]
    try {
        uplevel #0 [list {*}$prefix $text]
    } on error message {
        if {[winfo exists $path.text]} {
            $path.text configure -text [::tactus::player::text::visible $message 200] \
                -foreground [::tactus::player::theme color error]
        }
        return
    }
    closeCard $view
}

# ---- commands by name ------------------------------------------------------------------------------------------------

proc ::tactus::player::palette::open {view} {
    if {![::tactus::player::alive $view]} return
    set path [card $view "Commands"]
    ttk::entry $path.entry -width 52
    set tree [ttk::treeview $path.tree -columns {label keys} -show {} -height 12 -selectmode browse]
    $tree column label -width [::tactus::player::px 330] -stretch 1
    $tree column keys -width [::tactus::player::px 130] -stretch 0 -anchor e
    $tree tag configure off -foreground [::tactus::player::theme color disabled]
    pack $path.entry -fill x -pady [list 0 [::tactus::player::px 4]]
    pack $tree -fill both -expand 1
    bind $path.entry <KeyRelease> [list ::tactus::player::palette::typed $view]
    foreach {key script} [list <Key-Return> [list choose $view] <Key-KP_Enter> [list choose $view] <Key-Down> \
        [list step $view 1] \
        <Key-Up> [list step $view -1] <Key-Next> [list step $view 10] <Key-Prior> [list step $view -10]] {
        bind $path.entry $key "::tactus::player::palette::$script; break"
    }
    bind $tree <ButtonRelease-1> [list ::tactus::player::palette::choose $view]
    watchFocus $view $path.entry
    $view option paletteText -
    typed $view
    focus $path.entry
}

# Actions that have all words in their label, menu, help or name, or that they mean; those with them in the label come
# first.
proc ::tactus::player::palette::matching {text} {
    set words [string tolower $text]
    set first {}
    set rest {}
    foreach name [::tactus::player::actions::names] {
        if {[::tactus::player::actions::get $name kind] ne "key" || $name in {palette escape}} continue
        set label [string tolower [::tactus::player::actions::get $name label]]
        set all "$label [string tolower [::tactus::player::actions::get $name menu]]\
            [string tolower [::tactus::player::actions::get $name help]] [string tolower $name] [meant $name]"
        if {[hasAll $words $label]} {lappend first $name} elseif {[hasAll $words $all]} {lappend rest $name}
    }
    concat $first $rest
}

# Other words for an action: those that other programs and papers use.
proc ::tactus::player::palette::meant {name} {
    variable meanings
    foreach {pattern words} $meanings {
        if {[string match $pattern $name]} {return $words}
    }
    return
}

proc ::tactus::player::palette::hasAll {words text} {
    foreach word [split $words] {
        if {$word ne {} && [string first $word $text] < 0} {return 0}
    }
    return 1
}

proc ::tactus::player::palette::typed {view} {
    variable found
    set path [$view top].card
    if {![winfo exists $path.tree]} return
    set text [$path.entry get]
    if {$text eq [$view option paletteText]} return
    $view option paletteText $text
    set found [matching $text]
    set tree $path.tree
    $tree delete [$tree children {}]
    foreach name $found {
        set path [join [list {*}[::tactus::player::actions::get $name menu] \
            [::tactus::player::actions::get $name label]] " \u203a "]
        $tree insert {} end -id $name -values [list $path \
            [::tactus::player::actions::accelerator $name]] \
            -tags [expr {[::tactus::player::actions::isEnabled $name $view] ? {} : "off"}]
    }
    if {[llength $found]} {$tree selection set [list [lindex $found 0]]}
}

proc ::tactus::player::palette::step {view by} {
    variable found
    set tree [$view top].card.tree
    set place [lsearch -exact $found [lindex [$tree selection] 0]]
    set name [lindex $found [expr {max(0, min([llength $found] - 1, $place + $by))}]]
    if {$name eq {}} return
    $tree selection set [list $name]
    $tree see $name
}

proc ::tactus::player::palette::choose {view} {
    set name [lindex [[$view top].card.tree selection] 0]
    if {$name eq {}} return
    closeCard $view
    ::tactus::player::actions::run $name $view
}

# ---- dialogs ---------------------------------------------------------------------------------------------------------

# Makes a toplevel of a window, of which there is one of each name.
proc ::tactus::player::palette::dialog {view name title} {
    set parent [::tactus::player::commands::parent $view]
    set top [expr {$parent eq "." ? {} : $parent}].$name
    destroy $top
    toplevel $top -class TactusDialog -background [::tactus::player::theme color background]
    wm withdraw $top
    wm title $top $title
    if {$parent ne "."} {wm transient $top $parent}
    bind $top <Key-Escape> [list destroy $top]
    ttk::frame $top.f -padding [::tactus::player::px 12]
    pack $top.f -fill both -expand 1
    return $top
}

# Shows a dialog over the middle of its window, within the screen.
proc ::tactus::player::palette::showDialog {top} {
    update idletasks
    if {![winfo exists $top]} return
    set parent [winfo toplevel [winfo parent $top]]
    set width [expr {min([winfo reqwidth $top], [winfo screenwidth $top] - 40)}]
    set height [expr {min([winfo reqheight $top], [winfo screenheight $top] - 80)}]
    set x [expr {[winfo rootx $parent] + max(0, ([winfo width $parent] - $width) / 2)}]
    set y [expr {[winfo rooty $parent] + max(0, ([winfo height $parent] - $height) / 3)}]
    set x [expr {max(0, min($x, [winfo screenwidth $top] - $width))}]
    set y [expr {max(0, min($y, [winfo screenheight $top] - $height))}]
    wm geometry $top ${width}x$height+$x+$y
    wm deiconify $top
    focus $top
}

# ---- the sheet of keys -----------------------------------------------------------------------------------------------

# Groups of the sheet {group {name ...} ...}: actions that have keys, by menu; gestures of the mouse.
proc ::tactus::player::palette::groups {} {
    set groups {}
    foreach name [::tactus::player::actions::names] {
        if {![llength [::tactus::player::actions::keys $name]]} continue
        set group [lindex [::tactus::player::actions::get $name menu] 0]
        if {[::tactus::player::actions::get $name kind] eq "mouse"} {set group "Mouse in the timeline"}
        dict lappend groups [if {$group eq {}} {string cat Everywhere} else {set group}] $name
    }
    return $groups
}

# Shows the sheet of all keys and gestures, by menu, as they are bound now.
proc ::tactus::player::palette::keySheet {view} {
    set top [dialog $view keys "Keys and Mouse"]
    set text [text $top.f.text -width 96 -height 36 -wrap word -font TkDefaultFont -padx [::tactus::player::px 10] \
        -pady [::tactus::player::px 8] \
        -tabs [list [::tactus::player::px 190] [::tactus::player::px 370]] -cursor {} \
            -yscrollcommand [list $top.f.y set] -spacing1 [::tactus::player::px 2]]
    ttk::scrollbar $top.f.y -orient vertical -command [list $text yview]
    pack $top.f.y -side right -fill y
    pack $text -fill both -expand 1
    ::tactus::player::theme adopt $text
    $text tag configure group -font TactusBold -spacing1 [::tactus::player::px 10] \
        -foreground [::tactus::player::theme color accent]
    $text tag configure key -font TactusBold
    $text tag configure row -lmargin2 [::tactus::player::px 370]
    $text tag configure help -foreground [::tactus::player::theme color muted]
    dict for {group names} [groups] {
        $text insert end $group\n group
        foreach name $names {
            $text insert end [::tactus::player::actions::keysText $name] {key row} \t row \
                [::tactus::player::actions::get $name label] row \
                \t row [::tactus::player::text::visible [::tactus::player::actions::get $name help] 200]\n {help row}
        }
    }
    $text insert end \
        "\nOther keys: \"key ACTION SEQUENCE ...\" in [::tactus::player::session::path config preferences.tcl];\
        tactus_window(7) names the actions." help
    $text configure -state disabled
    foreach key {<Key-q> <Key-question> <Key-Escape>} {bind $text $key "[list destroy $top]; break"}
    showDialog $top
    focus $text
}

# ---- preferences -----------------------------------------------------------------------------------------------------

# Shows the dialog of preferences: each is kept as soon as it is chosen.
proc ::tactus::player::palette::preferences {view} {
    variable choice
    set top [dialog $view preferences Preferences]
    set f $top.f
    set px [::tactus::player::px 4]
    themeChosen
    ::tactus::player::listen ThemeChanged ::tactus::player::palette::themeChosen $top
    ttk::label $f.theme -text Colours
    ttk::frame $f.themes
    foreach {name label} {light Light dark Dark} {
        ttk::radiobutton $f.themes.$name -text $label -value $name -variable ::tactus::player::palette::choice(theme) \
            -command [list ::tactus::player::commands::useTheme $name]
        pack $f.themes.$name -side left -padx [list 0 [expr {2 * $px}]]
    }
    grid $f.theme $f.themes -sticky w -pady $px -padx $px
    foreach {name default label} {
        wheelZooms 0 "The wheel zooms (and Ctrl+wheel scrolls the rows)"
        selectionStatistics 1 "Selecting a range shows its statistics"
        session 1 "Show a trace as it was left"
        tips 1 "Tooltips in the timeline"
    } {
        set choice($name) [::tactus::player::prefFlag $name $default]
        ttk::checkbutton $f.$name -text $label -variable ::tactus::player::palette::choice($name) \
            -command [list ::tactus::player::palette::chosen $name]
        grid $f.$name - -sticky w -pady $px -padx $px
    }
    ttk::label $f.where -style Muted.TLabel -wraplength [::tactus::player::px 380] \
        -text "More, and other keys, in [::tactus::player::session::path config preferences.tcl]; see tactus_window(7)."
    ttk::button $f.close -text Close -command [list destroy $top]
    grid $f.where - -sticky w -pady [list [expr {3 * $px}] $px] -padx $px
    grid $f.close - -sticky e -pady [list [expr {2 * $px}] 0]
    showDialog $top
    focus $f.close
}

proc ::tactus::player::palette::themeChosen {args} {
    variable choice
    set choice(theme) [::tactus::player::theme name]
}

proc ::tactus::player::palette::chosen {name} {
    variable choice
    ::tactus::player::pref set $name $choice($name)
}

# ---- about -----------------------------------------------------------------------------------------------------------

proc ::tactus::player::palette::about {view} {
    set top [dialog $view about "About Tactus"]
    set px [::tactus::player::px 6]
    ttk::label $top.f.icon -image [::tactus::player::icon::picture]
    ttk::label $top.f.title -style Title.TLabel -text "Tactus [::tactus::version]"
    ttk::label $top.f.text -justify center -wraplength [::tactus::player::px 360] \
        -text "A player for traces of real-time systems.\n Tcl [info patchlevel], Tk [package provide Tk],\
        [tk windowingsystem], scaling [::tactus::format %.2f [tk scaling]]"
    ttk::button $top.f.close -text Close -command [list destroy $top]
    pack $top.f.icon $top.f.title $top.f.text $top.f.close -pady $px
    showDialog $top
    focus $top.f.close
}
