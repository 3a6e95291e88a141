# player/search.tcl -- the search bar of a view: hits in a list, in the timeline and in the overview, Enter and
# Shift+Enter through them.
#
# The trace searches (names and texts, with the wildcards * and ?); here a pause in typing starts the search, the hits
# are listed in the order of time, and the one gone to is shown in the details. Texts of hits come from the trace: they
# are made visible before they are shown, and are never used as patterns or paths.

namespace eval ::tactus::player::search {
    variable pause 150          ;# milliseconds after the last key
    variable limit 1000         ;# hits listed
    variable state              ;# array: view,NAME -> value; NAME: hits place pattern timer
    array set state {}
}

proc ::tactus::player::search::path {view} {
    return [$view top].search
}

proc ::tactus::player::search::isOpen {view} {
    winfo exists [path $view]
}

proc ::tactus::player::search::get {view what} {
    variable state
    if {[info exists state($view,$what)]} {return $state($view,$what)}
    return
}

proc ::tactus::player::search::open {view} {
    if {![isOpen $view]} {build $view}
    focus [path $view].row.entry
    [path $view].row.entry selection range 0 end
}

proc ::tactus::player::search::close {view} {
    variable state
    after cancel [get $view timer]
    array unset state $view,*
    destroy [path $view]
    if {![::tactus::player::alive $view]} return
    setHits $view {}
    focus [$view timeline]
}

proc ::tactus::player::search::gone {view widget} {
    variable state
    if {$widget ne [lindex [split $widget { }] 0]} return
    after cancel [get $view timer]
    array unset state $view,*
}

# ---- building --------------------------------------------------------------------------------------------------------

proc ::tactus::player::search::build {view} {
    set px [::tactus::player::px 4]
    set path [ttk::frame [path $view] -padding [list $px $px $px 0]]
    buildRow $view [ttk::frame $path.row]
    buildList $view [ttk::frame $path.list]
    pack $path.row -fill x
    grid $path -row 1 -sticky ew
    foreach event {TraceClosed TraceOpened TraceReloaded} {
        ::tactus::player::listen $event [list ::tactus::player::search::renew $view] $path
    }
    bind $path.row <Destroy> [list ::tactus::player::search::gone $view $path]
}

proc ::tactus::player::search::buildRow {view row} {
    set call [list ::tactus::player::search::typed $view]
    ttk::label $row.label -text Search -style Muted.TLabel
    ttk::entry $row.entry -width 30
    ttk::label $row.count -style Muted.TLabel -width 22
    ttk::button $row.previous -style Toolbutton -text \u25b2 -takefocus 0 \
        -command [list ::tactus::player::search::step -1 $view]
    ttk::button $row.next -style Toolbutton -text \u25bc -takefocus 0 \
        -command [list ::tactus::player::search::step 1 $view]
    ttk::button $row.close -style Toolbutton -text \u00d7 -width 2 -takefocus 0 \
        -command [list ::tactus::player::search::close $view]
    pack $row.label -side left -padx [::tactus::player::px 4]
    pack $row.close -side right
    pack $row.entry $row.previous $row.next $row.count -side left -padx [::tactus::player::px 2]
    bind $row.entry <KeyRelease> $call
    foreach {key step} {<Key-Return> 1 <Key-KP_Enter> 1 <Shift-Key-Return> -1 <Key-Down> 1 <Key-Up> -1} {
        bind $row.entry $key "[list ::tactus::player::search::entered $step $view]; break"
    }
    bind $row.entry <Key-Escape> "[list ::tactus::player::search::close $view]; break"
}

proc ::tactus::player::search::buildList {view frame} {
    set tree [ttk::treeview $frame.tree -columns {kind what time} -show {} -height 5 -selectmode browse \
        -yscrollcommand [list $frame.y set]]
    ttk::scrollbar $frame.y -orient vertical -command [list $tree yview]
    foreach {column width stretch anchor} {kind 80 0 w what 300 1 w time 140 0 e} {
        $tree column $column -width [::tactus::player::px $width] -stretch $stretch -anchor $anchor
    }
    pack $frame.y -side right -fill y
    pack $tree -side left -fill x -expand 1
    bind $tree <<TreeviewSelect>> [list ::tactus::player::search::chosen $view]
}

# ---- searching -------------------------------------------------------------------------------------------------------

proc ::tactus::player::search::typed {view} {
    variable state
    variable pause
    if {![isOpen $view] || [[path $view].row.entry get] eq [get $view pattern]} return
    after cancel [get $view timer]
    set state($view,timer) [after $pause [list ::tactus::player::search::run $view]]
}

proc ::tactus::player::search::run {view} {
    variable state
    variable limit
    if {![::tactus::player::alive $view] || ![isOpen $view]} return
    after cancel [get $view timer]
    set pattern [[path $view].row.entry get]
    set state($view,pattern) $pattern
    set state($view,place) -1
    set hits {}
    if {[string trim $pattern] ne {} && [$view trace] ne {}} {
        set hits [[$view trace] search $pattern -limit $limit]
    }
    # In order of time; hits without a time (a task that never ran) come first.
    set rows [lmap hit $hits {
        set time [dict get $hit time]
        list [expr {$time eq {} ? "-inf" : $time}] $hit
    }]
    setHits $view [lmap row [lsort -real -index 0 $rows] {lindex $row 1}]
}

proc ::tactus::player::search::renew {view other args} {
    if {$other eq $view && [isOpen $view] && [get $view pattern] ne {}} {run $view}
}

proc ::tactus::player::search::setHits {view hits} {
    variable state
    set state($view,hits) $hits
    $view option hits [lmap hit $hits {dict get $hit time}]
    $view emphasize hits [lmap hit [lrange $hits 0 499] {
        set mark [highlight $hit]
        if {$mark eq {}} continue
        set mark
    }]
    ::tactus::player::tell HitsChanged $view
    if {[isOpen $view]} {
        list_ $view $hits
        sayCount $view
    } else {
        array unset state $view,*
    }
}

proc ::tactus::player::search::highlight {hit} {
    set kind [dict get $hit kind]
    if {$kind eq "job" && [dict exists $hit index]} {return [list job [dict get $hit index]]}
    if {$kind eq "message" && [dict exists $hit row]} {return [list event [dict get $hit row]]}
    if {$kind in {task server processor}} {return [list row [list $kind [dict get $hit id]]]}
    return
}

proc ::tactus::player::search::list_ {view hits} {
    set frame [path $view].list
    set tree $frame.tree
    $tree delete [$tree children {}]
    set n 0
    foreach hit $hits {
        set text [dict get $hit id]
        if {[dict get $hit text] ni [list {} $text]} {
            set text [join [list {*}[if {$text ne {}} {list $text}] [dict get $hit text]] {: }]
        }
        $tree insert {} end -id $n \
            -values [list [dict get $hit kind] [::tactus::player::text::visible $text 300] [dict get $hit time]]
        incr n
    }
    $tree configure -height [expr {max(1, min(5, $n))}]
    if {$n} {pack $frame -fill x -pady [list [::tactus::player::px 3] 0]} else {pack forget $frame}
}

proc ::tactus::player::search::sayCount {view} {
    variable limit
    set n [llength [get $view hits]]
    set place [get $view place]
    set text [expr {[string trim [get $view pattern]] eq {} ? {}
        : $n == 0 ? "nothing found" : $n == 1 ? "1 hit" : $n >= $limit ? "the first $n hits" : "$n hits"}]
    if {$n && $place ne {} && $place >= 0} {set text "[expr {$place + 1}] of $text"}
    [path $view].row.count configure -text $text -style [expr {$n || $text eq {} ? "Muted.TLabel" : "Error.TLabel"}]
}

# ---- through the hits ------------------------------------------------------------------------------------------------

# Enter: goes to the next or previous hit, after a search for the text typed last.
proc ::tactus::player::search::entered {step view} {
    if {[[path $view].row.entry get] ne [get $view pattern]} {run $view}
    step $step $view
}

proc ::tactus::player::search::step {step view} {
    variable state
    set n [llength [get $view hits]]
    if {!$n} {
        if {![isOpen $view]} {open $view}
        return
    }
    set place [get $view place]
    if {$place < 0} {set place [expr {$step > 0 ? -1 : 0}]}
    goTo $view [expr {($place + $step) % $n}]
}

proc ::tactus::player::search::chosen {view} {
    set chosen [lindex [[path $view].list.tree selection] 0]
    if {$chosen ne {} && $chosen ne [get $view place]} {goTo $view $chosen}
}

proc ::tactus::player::search::goTo {view place} {
    variable state
    set state($view,place) $place
    set tree [path $view].list.tree
    $tree selection set $place
    $tree see $place
    sayCount $view
    goToHit $view [lindex [get $view hits] $place]
}

proc ::tactus::player::search::goToHit {view hit} {
    set kind [dict get $hit kind]
    set item [dict create kind $kind id [dict get $hit id] time [dict get $hit time]]
    set row {}
    switch -- $kind {
        job {dict set item index [dict get $hit index]}
        message {
            dict set item kind event
            dict set item event [dict get $hit row]
        }
        task - server - processor {set row [list $kind [dict get $hit id]]}
    }
    if {$kind eq "job" && ![catch {[$view trace] look job [dict get $hit index]} facts] && [dict exists $facts task]} {
        set row [list task [dict get $facts task]]
    }
    $view go -time [dict get $hit time] -row $row -item $item
}

# The best hit of a name, without the bar: the whole name before a part of it.
proc ::tactus::player::search::goToFirst {view text} {
    set hits [[$view trace] search $text -limit 200]
    if {![llength $hits]} {
        $view message "Nothing is called \"[::tactus::player::text::visible $text 60]\""
        return
    }
    foreach hit $hits {
        if {[dict get $hit id] eq $text} {return [goToHit $view $hit]}
    }
    goToHit $view [lindex $hits 0]
}
