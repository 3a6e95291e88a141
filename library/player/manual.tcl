# player/manual.tcl -- the manual pages in a window of their own: Help, Manual. Pages are read where they are installed
# beside the library (doc), and set by the few requests of man(7) that they use.
#
#   manual::open VIEW ?PAGE?      PAGE: a name and section such as tactus_window(7)

namespace eval ::tactus::player::manual {
    namespace path ::tactus::player
    variable page {}        ;# the page that is shown
    variable before {}      ;# pages shown before it
    variable escapes [list {\-} - {\(aq} ' {\(dq} \" {\(bu} \u2022 {\(mu} \u00d7 {\e} \\ {\&} {} {\ } \u00a0 {\|} {}]
}

# The manual pages: a dict of name(section) -> path.
proc ::tactus::player::manual::pages {} {
    set pages {}
    foreach directory [list [file join $::tactus::library doc] [file join [file dirname $::tactus::library] doc]] {
        foreach path [lsort [glob -nocomplain -directory $directory *.\[13457n\]]] {
            set name [file tail $path]
            dict set pages "[file rootname $name]([string range [file extension $name] 1 end])" $path
        }
        if {[dict size $pages]} break
    }
    return $pages
}

# Opens the window of the manual, at a page.
proc ::tactus::player::manual::open {view {page tactus_window(7)}} {
    ::tactus::need player/palette
    variable before {}
    set pages [pages]
    if {![dict size $pages]} {
        $view message "The manual is not installed: see the program's folder doc, or its packages"
        return
    }
    set top [palette::dialog $view manual Manual]
    makePages $top.f $pages
    makeText $top.f
    makeBar $top.f
    grid $top.f.bar -columnspan 4 -sticky ew -pady [list 0 [px 4]]
    grid $top.f.pages $top.f.py $top.f.text $top.f.y -sticky nsew
    grid columnconfigure $top.f 2 -weight 1
    grid rowconfigure $top.f 1 -weight 1
    bind $top <Control-Key-f> [list focus $top.f.bar.find]
    show $top.f $page
    palette::showDialog $top
    focus $top.f.text
}

# Makes the list of pages.
proc ::tactus::player::manual::makePages {frame pages} {
    ttk::treeview $frame.pages -show tree -selectmode browse -yscrollcommand [list $frame.py set]
    $frame.pages column #0 -width [px 190]
    ttk::scrollbar $frame.py -orient vertical -command [list $frame.pages yview]
    foreach name [dict keys $pages] {$frame.pages insert {} end -id $name -text $name}
    bind $frame.pages <<TreeviewSelect>> [list ::tactus::player::manual::chosen $frame]
}

# Makes the bar above: back, and the entry that finds a text.
proc ::tactus::player::manual::makeBar {frame} {
    ttk::frame $frame.bar
    ttk::entry $frame.bar.find -width 24
    ttk::button $frame.bar.back -text Back -command [list ::tactus::player::manual::back $frame]
    ttk::label $frame.bar.label -text "Find:"
    pack $frame.bar.back -side left
    pack $frame.bar.find $frame.bar.label -side right -padx [px 3]
    foreach key {<Key-Return> <Key-KP_Enter>} {
        bind $frame.bar.find $key "[list ::tactus::player::manual::find $frame]; break"
    }
}

# Makes the text with its tags.
proc ::tactus::player::manual::makeText {frame} {
    set text [text $frame.text -width 88 -height 36 -wrap word -font TkDefaultFont -padx [px 12] -pady [px 8] \
        -cursor {} -yscrollcommand [list $frame.y set] -state disabled]
    ttk::scrollbar $frame.y -orient vertical -command [list $text yview]
    theme adopt $text
    foreach {tag options} [list \
        title [list -font TactusBold -foreground [theme color accent] -spacing1 [px 12] -spacing3 [px 3]] \
        section [list -font TactusBold -spacing1 [px 8]] bold {-font TactusBold} \
        code [list -font TkFixedFont -wrap none] \
        link [list -foreground [theme color accent] -underline 1] \
        found [list -background [theme color select] -foreground [theme color selectText]]] {
        $text tag configure $tag {*}$options
    }
    foreach {depth margin} {1 18 2 40 3 62 4 84} {
        $text tag configure in$depth -lmargin1 [px $margin] -lmargin2 [px $margin]
    }
    $text tag bind link <Enter> [list $text configure -cursor hand2]
    $text tag bind link <Leave> [list $text configure -cursor {}]
    return $text
}

# ---- going ----------------------------------------------------------------------------------------------------------

proc ::tactus::player::manual::chosen {frame} {
    set name [lindex [$frame.pages selection] 0]
    if {$name ne {}} {show $frame $name}
}

proc ::tactus::player::manual::back {frame} {
    variable before
    variable page
    if {![llength $before]} return
    set last [lindex $before end]
    set before [lrange $before 0 end-1]
    set page {}
    show $frame $last
}

proc ::tactus::player::manual::show {frame name} {
    variable page
    variable before
    set pages [pages]
    if {![dict exists $pages $name] || $name eq $page} return
    if {$page ne {} && [$frame.text compare end > 2.0]} {lappend before $page}
    set page $name
    set channel [::open [dict get $pages $name]]
    fconfigure $channel -encoding utf-8
    try {set source [read $channel]} finally {close $channel}
    $frame.text configure -state normal
    $frame.text delete 1.0 end
    setPage $frame.text [split $source \n] [dict keys $pages]
    $frame.text configure -state disabled
    if {[lindex [$frame.pages selection] 0] ne $name} {$frame.pages selection set [list $name]}
    $frame.pages see $name
}

# Goes to the next place of the text of the entry, from the top again behind the last one.
proc ::tactus::player::manual::find {frame} {
    set wanted [$frame.bar.find get]
    $frame.text tag remove found 1.0 end
    if {$wanted eq {}} return
    set place [$frame.text search -nocase -- $wanted "insert + 1 char"]
    if {$place eq {}} return
    $frame.text tag add found $place "$place + [string length $wanted] chars"
    $frame.text mark set insert $place
    $frame.text see $place
}

# ---- setting a page -------------------------------------------------------------------------------------------------

# Writes the lines of a page into the text. Requests: TH SH SS TP IP PP RS RE nf fi B I and comments; others are left
# out.
proc ::tactus::player::manual::setPage {text lines known} {
    set depth 0     ;# of RS
    set hang 0      ;# 1: behind the head of a TP or IP
    set head 0      ;# 1: the next line is the head of a TP
    set plain 0     ;# 1: between nf and fi
    foreach line $lines {
        if {![regexp {^[.'](\\"|[A-Za-z]+)\s*(.*)$} $line -> request rest]} {
            set tags [list in[expr {min(4, $depth + ($hang && !$head))}]]
            if {$plain} {
                putText $text $line [list code {*}$tags] $known
                $text insert end \n
            } elseif {$head} {
                putText $text $line $tags $known
                $text insert end \n
                set head 0
            } elseif {$line ne {}} {
                putText $text "$line " $tags $known
            }
            continue
        }
        switch -- $request {
            SH - SS {
                endLine $text
                lassign {0 0 0} depth hang head
                $text insert end "[string trim $rest {"}]\n" [expr {$request eq "SH" ? "title" : "section"}]
            }
            PP {endLine $text; $text insert end \n; set hang 0}
            TP {endLine $text; set hang 1; set head 1}
            IP {endLine $text; set hang 1}
            RS {endLine $text; incr depth; set hang 0}
            RE {endLine $text; set depth [expr {max(0, $depth - 1)}]; set hang 1}
            nf {endLine $text; set plain 1}
            fi {set plain 0}
            B - I {putText $text "\\fB$rest\\fR " [list in[expr {min(4, $depth + $hang)}]] $known}
        }
    }
}

# Ends the line that is being filled.
proc ::tactus::player::manual::endLine {text} {
    if {[$text compare "end - 1 char" != "end - 1 char linestart"]} {$text insert end \n}
}

# Writes a piece of running text: fonts, escapes, and names of pages as links.
proc ::tactus::player::manual::putText {text line tags known} {
    variable escapes
    set line [string map $escapes $line]
    set font R
    set rest $line
    while {$rest ne {}} {
        if {![regexp {^(.*?)\\f([BIRP])(.*)$} $rest -> piece next rest]} {
            set piece $rest
            set rest {}
            set next $font
        }
        set own [expr {$font in {B I} && "code" ni $tags ? [list bold {*}$tags] : $tags}]
        # The name of another page, whose section follows it.
        set page [expr {[regexp {^(?:\\fR)?(\(\w\))} $rest -> section] ? "$piece$section" : {}}]
        if {$page ne {} && $page in $known} {
            lappend own link page:$page
            $text tag bind page:$page <ButtonRelease-1> \
                [list ::tactus::player::manual::show [winfo parent $text] $page]
        }
        $text insert end $piece $own
        set font $next
    }
}
