# player/theme.tcl -- colours, fonts and distances of the window: two Ttk themes on top of clam, light and dark.
#
#   theme use light|dark, theme name     chooses a theme at any time, telling ThemeChanged (and Ttk's <<ThemeChanged>>)
#   theme color NAME                     one colour of the theme in use (names: `colors` below)
#   theme font NAME                      normal bold small mono heading: named fonts, in points
#   px N                                 N pixels of an ordinary screen (96 dpi) in pixels of this one
#   theme adopt WIDGET                   colours a plain Tk widget (menu, text, canvas, listbox) now and at each change
#
# Fonts are in points and follow `tk scaling`; every distance goes through px, so that a screen of twice the resolution
# shows the same window, not a smaller one.

namespace eval ::tactus::player::theme {
    namespace export use name names color font adopt start
    namespace ensemble create
    variable current {}         ;# name of the theme in use
    variable made {}            ;# themes made so far
    variable factor 1.0         ;# pixels of this screen per pixel of an ordinary one
    variable images {}          ;# dict of name -> image
    # name light dark
    variable colors {
        background #eceef1 #26292e
        base       #ffffff #1b1e22
        raised     #f7f8fa #30343a
        foreground #1b2027 #e3e6ea
        muted      #5f6873 #98a1ac
        disabled   #a4abb4 #626a74
        border     #b4bbc4 #454b54
        faint      #d6dae0 #363b42
        hover      #e1e5ea #393e46
        pressed    #d0d6de #434a54
        accent     #1f5fbf #6aa5f7
        accentText #ffffff #10151c
        select     #cadffa #2c4a75
        selectText #0d1b2e #f2f6fc
        error      #b3261e #f28b82
        errorBack  #fae3e1 #4a2725
        warning    #875a00 #f0c060
        warningBack #fcefcf #453818
        ok         #1a7a3c #7fd29a
        okBack     #def3e4 #203c2a
        noteBack   #e0ebfa #233448
        density    #7f9cc4 #5f82b5
        trough     #dde1e6 #202328
        markerA    #0a7d3c #57d48a
        markerB    #9a2fa8 #e08af0
        first      #0065a3 #56b4e9
        second     #b84c00 #f0a030
    }
}

proc ::tactus::player::px {n} {
    variable theme::factor
    expr {round($n * $factor)}
}

# ---- scale and fonts -------------------------------------------------------------------------------------------------

# Sets the scale, and makes the fonts and the theme. scale: the user's, or {}: the preference, else the desktop's, else
# the one that Tk measured.
proc ::tactus::player::theme::start {scale} {
    variable factor
    if {[catch {::font actual TkDefaultFont}]} {
        return -code error -errorcode {TACTUS FONT NONE} \
            "no font is installed; the window needs one (Debian package fonts-dejavu-core)"
    }
    if {![isScale $scale]} {set scale [::tactus::player::pref get scale {}]}
    if {![isScale $scale] && [info exists ::env(GDK_SCALE)]} {set scale $::env(GDK_SCALE)}
    if {![isScale $scale]} {set scale [desktopScale]}
    if {[isScale $scale]} {tk scaling [expr {$scale * 96 / 72.0}]}
    set factor [expr {[tk scaling] * 72 / 96.0}]
    # Some screens report a wrong size.
    if {$factor < 0.75 || $factor > 6} {
        set factor 1.0
        tk scaling [expr {96 / 72.0}]
    }
    makeFonts
    # Ctrl+A selects all in entries and texts, as the menus say; Tk on X11 goes to the begin of the line.
    event delete <<LineStart>> <Control-Key-a>
    event add <<SelectAll>> <Control-Key-a>
    set wanted [::tactus::player::pref get theme light]
    use [expr {$wanted in [names] ? $wanted : "light"}]
}

# The scale of the desktop's settings: the resource Xft.dpi, which Tk does not read; {}: none.
proc ::tactus::player::theme::desktopScale {} {
    if {[tk windowingsystem] ne "x11" || [auto_execok xrdb] eq {}} return
    if {[catch {exec xrdb -query 2>/dev/null} resources]} return
    if {![regexp -line {^Xft\.dpi:\s*(\d+)} $resources -> dpi]} return
    return [expr {$dpi / 96.0}]
}

proc ::tactus::player::theme::isScale {scale} {
    # NaN is a double, too, and is compared as a text
    expr {![catch {expr {$scale + 0.0}} number] && $number >= 0.75 && $number <= 6}
}

# Makes the named fonts. They keep their pixels when `tk scaling` changes, so they are set once more, in points.
proc ::tactus::player::theme::makeFonts {} {
    foreach font {TkDefaultFont TkTextFont TkMenuFont TkHeadingFont TkCaptionFont TkTooltipFont TkFixedFont} {
        ::font configure $font -size 9
    }
    ::font configure TkHeadingFont -weight normal
    set family [dict get [::font actual TkDefaultFont] -family]
    foreach {name size weight} {TactusBold 9 bold TactusSmall 8 normal TactusLarge 15 normal} {
        if {$name ni [::font names]} {::font create $name}
        ::font configure $name -family $family -size $size -weight $weight
    }
}

proc ::tactus::player::theme::font {name} {
    dict get {normal TkDefaultFont bold TactusBold small TactusSmall mono TkFixedFont heading TactusLarge} $name
}

# ---- colours ---------------------------------------------------------------------------------------------------------

proc ::tactus::player::theme::names {} {
    return {light dark}
}

proc ::tactus::player::theme::name {} {
    variable current
    return $current
}

proc ::tactus::player::theme::color {name} {
    variable colors
    variable current
    foreach {own light dark} $colors {
        if {$own eq $name} {return [expr {$current eq "dark" ? $dark : $light}]}
    }
    return -code error -errorcode [list TACTUS LOOKUP COLOR $name] "no colour \"$name\" in the theme"
}

proc ::tactus::player::theme::palette {} {
    variable colors
    set palette {}
    foreach {name light dark} $colors {dict set palette $name [color $name]}
    return $palette
}

proc ::tactus::player::theme::use {name} {
    variable current
    variable made
    if {$name ni [names]} {
        return -code error -errorcode [list TACTUS LOOKUP THEME $name] \
            "no theme \"$name\": must be [join [names] { or }]"
    }
    if {$name eq $current} return
    set current $name
    if {$name ni $made} {
        lappend made $name
        ttk::style theme create tactus-$name -parent clam
        ttk::style theme settings tactus-$name [namespace code {define [palette]}]
    }
    ttk::style theme use tactus-$name
    plainOptions
    foreach window [winfo children .] {repaint $window}
    ::tactus::player::tell ThemeChanged {} $name
}

# ---- Ttk styles ------------------------------------------------------------------------------------------------------

proc ::tactus::player::theme::define {palette} {
    dict with palette {
        ttk::style configure . -background $background -foreground $foreground -fieldbackground $base \
            -bordercolor $border \
            -darkcolor $background -lightcolor $background -troughcolor $trough -selectbackground $select \
            -selectforeground $selectText -insertcolor $foreground -focuscolor $accent -font TkDefaultFont \
            -selectborderwidth 0 -arrowcolor $foreground -relief flat -insertwidth [px 1]
        ttk::style map . -foreground [list disabled $disabled] -background [list disabled $background active $hover] \
            -selectbackground [list !focus $pressed] -selectforeground [list !focus $foreground]
    }
    defineButtons $palette
    defineFields $palette
    defineTabs $palette
    defineRest $palette
    defineOwn $palette
}

proc ::tactus::player::theme::px {n} {
    ::tactus::player::px $n
}

# Defines buttons, boxes to tick, menu buttons.
proc ::tactus::player::theme::defineButtons {palette} {
    dict with palette {
        ttk::style configure TButton -padding [list [px 10] [px 4]] -width -6 -anchor center -background $raised \
            -bordercolor $border -lightcolor $raised -darkcolor $raised -relief raised -borderwidth 1
        ttk::style map TButton -background [list disabled $background pressed $pressed active $hover] \
            -lightcolor [list pressed $pressed active $hover] -darkcolor [list pressed $pressed active $hover] \
            -bordercolor [list focus $accent]
        ttk::style configure Toolbutton -padding [px 3] -relief flat -background $background -bordercolor $background \
            -lightcolor $background -darkcolor $background
        ttk::style map Toolbutton -background [list pressed $pressed selected $pressed active $hover] \
            -lightcolor [list pressed $pressed selected $pressed active $hover] \
            -darkcolor [list pressed $pressed selected $pressed active $hover] -relief {}
        foreach style {TCheckbutton TRadiobutton} {
            ttk::style configure $style -padding [px 2] -indicatorsize [px 11] -indicatorbackground $base \
                -indicatorforeground $accentText -upperbordercolor $muted -lowerbordercolor $muted \
                -indicatormargin [list [px 1] [px 1] [px 5] [px 1]]
            ttk::style map $style -indicatorbackground [list disabled $background selected $accent pressed $pressed] \
                -background [list active $background]
        }
        # A dot in a ring.
        ttk::style configure TRadiobutton -indicatorforeground $accent
        ttk::style map TRadiobutton -indicatorbackground [list disabled $background pressed $pressed]
        ttk::style configure TMenubutton -padding [list [px 8] [px 3]] -background $raised -arrowsize [px 4] \
            -arrowpadding [px 3]
    }
}

proc ::tactus::player::theme::defineFields {palette} {
    dict with palette {
        foreach style {TEntry TCombobox TSpinbox} {
            ttk::style configure $style -padding [list [px 4] [px 3]] -foreground $foreground -fieldbackground $base \
                -bordercolor $border -lightcolor $base -darkcolor $base -arrowsize [px 11] -background $raised
            ttk::style map $style -bordercolor [list focus $accent] -lightcolor [list focus $accent] \
                -fieldbackground [list disabled $background readonly $raised] -foreground [list disabled $disabled] \
                -background [list active $hover pressed $pressed]
        }
        ttk::style configure Treeview -background $base -fieldbackground $base -foreground $foreground -borderwidth 0 \
            -rowheight [expr {[::font metrics TkDefaultFont -linespace] + [px 4]}] -lightcolor $border \
            -darkcolor $border
        ttk::style map Treeview -background [list selected $select] \
            -foreground [list selected $selectText disabled $disabled]
        ttk::style configure Heading -background $background -foreground $muted -padding [list [px 4] [px 2]] \
            -relief flat \
            -bordercolor $faint -lightcolor $background -darkcolor $background
        ttk::style map Heading -background [list active $hover]
        ttk::style configure Treeview -indicatorsize [px 10]
    }
}

# Defines tabs of notebooks: of traces, of panels, and of panels that have little room.
proc ::tactus::player::theme::defineTabs {palette} {
    dict with palette {
        ttk::style configure TNotebook -background $background -bordercolor $border -lightcolor $background \
            -darkcolor $background -tabmargins [list [px 2] [px 2] [px 2] 0] -padding 0 -borderwidth 0
        ttk::style configure TNotebook.Tab -padding [list [px 9] [px 3]] -background $background -foreground $muted \
            -bordercolor $faint -lightcolor $background -darkcolor $background
        ttk::style map TNotebook.Tab -background [list selected $raised active $hover] \
            -foreground [list selected $foreground] \
            -lightcolor [list selected $raised active $hover] -padding [list selected [list [px 9] [px 3]]] \
            -bordercolor [list selected $border] -expand [list selected 0]
        # Tabs with too little room side by side lose their margins and some of their size before their names are cut.
        ttk::style configure Narrow.TNotebook.Tab -padding [list [px 3] [px 3]] -font TactusSmall
        ttk::style map Narrow.TNotebook.Tab -padding [list selected [list [px 3] [px 3]]]
        makeCloseElement
        ttk::style configure Traces.TNotebook -tabmargins [list [px 4] [px 3] [px 4] 0]
        # In crowded tabs the names are cut and not the crosses.
        ttk::style layout Traces.TNotebook.Tab {
            Notebook.tab -sticky nswe -children {
                Notebook.padding -side top -sticky nswe -children {
                    Traces.close -side right -sticky {}
                    Notebook.label -side left -sticky {}
                }
            }
        }
        ttk::style configure Traces.TNotebook.Tab -padding [list [px 10] [px 3] [px 4] [px 3]]
        ttk::style map Traces.TNotebook.Tab -padding [list selected [list [px 10] [px 3] [px 4] [px 3]]]
        # A window with one trace shows no tabs.
        ttk::style layout Single.TNotebook.Tab {null}
        ttk::style configure Single.TNotebook -tabmargins 0 -padding 0 -borderwidth 0
        ttk::style layout Single.TNotebook {Notebook.client -sticky nswe}
    }
}

# Defines scroll bars, sashes, progress bars, scales, and the bars above the timeline.
proc ::tactus::player::theme::defineRest {palette} {
    dict with palette {
        foreach side {Vertical Horizontal} {
            ttk::style configure $side.TScrollbar -arrowsize [px 11] -gripcount 0 -background $raised \
                -troughcolor $trough \
                -bordercolor $faint -lightcolor $raised -darkcolor $raised -arrowcolor $muted
            ttk::style map $side.TScrollbar -background [list disabled $background active $hover pressed $pressed] \
                -arrowcolor [list disabled $disabled] -lightcolor [list disabled $background] \
                -darkcolor [list disabled $background]
        }
        ttk::style configure TPanedwindow -background $background
        ttk::style configure Sash -sashthickness [px 5] -gripcount 0 -background $background -lightcolor $background \
            -bordercolor $background
        ttk::style configure TLabelframe -bordercolor $faint -padding [px 6]
        ttk::style configure TLabelframe.Label -foreground $muted
        ttk::style configure TProgressbar -background $accent -bordercolor $border -lightcolor $accent \
            -darkcolor $accent \
            -troughcolor $trough -thickness [px 8]
        ttk::style configure TSeparator -background $faint
        ttk::style configure TScale -background $raised -bordercolor $border -lightcolor $raised -darkcolor $raised \
            -sliderlength [px 20]
    }
}

# Defines the window's own styles: bars, status line, headings, links.
proc ::tactus::player::theme::defineOwn {palette} {
    dict with palette {
        foreach {kind back fore} [list error $errorBack $error warning $warningBack $warning note $noteBack \
            $foreground ok $okBack $ok] {
            set style [string totitle $kind]
            ttk::style configure $style.Bar.TFrame -background $back
            ttk::style configure $style.Bar.TLabel -background $back -foreground $fore
            foreach button {TButton Toolbutton} {
                ttk::style configure $style.Bar.$button -background $back -lightcolor $back -darkcolor $back \
                    -bordercolor $fore \
                    -foreground $fore -padding [list [px 8] [px 1]]
                ttk::style map $style.Bar.$button -background [list pressed $pressed active $base] \
                    -lightcolor [list active $base] -darkcolor [list active $base]
            }
            ttk::style configure $style.Bar.Toolbutton -bordercolor $back -padding [px 2]
            ttk::style configure $style.TLabel -foreground $fore
        }
        ttk::style configure Muted.TLabel -foreground $muted
        ttk::style configure Small.TLabel -font TactusSmall
        ttk::style configure Bold.TLabel -font TactusBold
        ttk::style configure Title.TLabel -font TactusLarge
        ttk::style configure Status.TLabel -padding [list [px 5] [px 2]]
        ttk::style configure Status.Toolbutton -padding [list [px 5] [px 1]]
        ttk::style configure Link.TLabel -foreground $accent
        ttk::style configure Base.TFrame -background $base
        ttk::style configure Base.TLabel -background $base
        ttk::style configure Baselink.TLabel -background $base -foreground $accent
        ttk::style configure Card.TFrame -background $raised -bordercolor $border -relief solid -borderwidth 1
        ttk::style configure Card.TLabel -background $raised
        ttk::style configure Mutedcard.TLabel -background $raised -foreground $muted
    }
}

# The cross that closes a tab, as an element of the tab.
proc ::tactus::player::theme::makeCloseElement {} {
    set states {}
    foreach {state color} {normal muted active error pressed error} {
        lappend states [cross [name]-$state [px 7] [color $color] [expr {$state eq "normal" ? 1.0 : 1.6}]]
    }
    lassign $states normal active pressed
    ttk::style element create Traces.close image [list $normal {active pressed} $pressed active $active] \
        -border 0 -padding [list [px 6] 0 [px 2] 0] -sticky {}
}

# An image of a cross of so many pixels.
proc ::tactus::player::theme::cross {key size color weight} {
    variable images
    set margin [px 2]
    set image [image create photo -width [expr {$size + 2 * $margin}] -height [expr {$size + 2 * $margin}]]
    set half [expr {max(0, round($weight * [px 1]) - 1)}]
    for {set i 0} {$i < $size} {incr i} {
        set j [expr {$size - 1 - $i}]
        foreach x [list $i $j] {
            set x [expr {$x + $margin}]
            set y [expr {$i + $margin}]
            $image put $color -to $x $y [expr {$x + 1 + $half}] [expr {$y + 1}]
        }
    }
    dict set images $key $image
    return $image
}

# ---- plain Tk widgets ------------------------------------------------------------------------------------------------

# Sets the colours of widgets that are made from now on.
proc ::tactus::player::theme::plainOptions {} {
    foreach class {Menu Text Listbox Canvas Toplevel} {
        dict for {option value} [plain $class] {option add *$class.[databaseName $option] $value widgetDefault}
    }
    option add *TCombobox*Listbox.background [color base] widgetDefault
}

# The name of an option in the option database: selectBackground for -selectbackground.
proc ::tactus::player::theme::databaseName {option} {
    set name [string map {inactiveselect inactiveSelect activeborder activeBorder} [string range $option 1 end]]
    foreach ending {background foreground color thickness width} {
        if {[string match ?*$ending $name]} {
            return [string range $name 0 end-[string length $ending]][string totitle $ending]
        }
    }
    return $name
}

# The colours of a plain Tk widget of a class, as options; {}: none of them is coloured.
proc ::tactus::player::theme::plain {class} {
    switch -- $class {
        Toplevel {return [dict create -background [color background]]}
        Menu {
            return [dict create -background [color raised] -foreground [color foreground] \
                -activebackground [color select] \
                -activeforeground [color selectText] -disabledforeground [color disabled] -selectcolor [color accent] \
                -borderwidth 1 -activeborderwidth 0 -relief flat]
        }
        Text {
            return [dict create -background [color base] -foreground [color foreground] \
                -insertbackground [color foreground] \
                -selectbackground [color select] -selectforeground [color selectText] \
                -inactiveselectbackground [color pressed] \
                -highlightthickness 0 -borderwidth 0]
        }
        Listbox {
            return [dict create -background [color base] -foreground [color foreground] \
                -selectbackground [color select] \
                -selectforeground [color selectText] -highlightthickness 0 -borderwidth 0]
        }
        Canvas {return [dict create -background [color base] -highlightthickness 0 -borderwidth 0]}
    }
    return {}
}

# Gives a widget the colours; widths are its own, and all themes have the same.
proc ::tactus::player::theme::adopt {widget} {
    set colors [dict filter [plain [winfo class $widget]] script {option value} {
        regexp {(ground|color)$} $option
    }]
    if {[dict size $colors]} {catch {$widget configure {*}$colors}}
}

# Recolours all widgets after a change of theme. A widget with colours of its own sets them again at ThemeChanged; a
# timeline in print colours keeps them.
proc ::tactus::player::theme::repaint {widget} {
    if {[winfo class $widget] eq "TactusTimeline" && [$widget cget -theme] ne "print"} {$widget configure -theme [name]}
    adopt $widget
    foreach child [winfo children $widget] {repaint $child}
}
