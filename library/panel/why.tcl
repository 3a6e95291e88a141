# panel/why.tcl -- why a job took as long as it did, in the details: above the facts of a job, below those of a slice or a run.
#
#       facts of a job, a slice or a run -> $trace why (by index) -> sentence, parts with bars, links
#
# A row is: time, bar, words. The time leads to the longest stretch of the part, a task to the job that ran or held then.
# `panel` is the panel of details, whose methods link and plain insert text as such (its words are made visible there).
#
# A job of millions of pieces is not taken apart in a moment. What does not come in `patience` is left to a link; the window lives
# on meanwhile, and another link stops it. `how` is what the panel knows: {} at first; all 1: all parts are wanted; running 1: being
# taken apart; known DICT: the result of that.

::tactus::need why

namespace eval ::tactus::player::why {
    variable barWidth 8 ;# characters
    variable most 10    ;# parts that are shown at first
    variable all 400    ;# and at most
    variable patience 150       ;# milliseconds
}

# Which job the facts are of; {} when they are of none.
proc ::tactus::player::why::jobOf {facts item} {
    set kind [::tactus::player::text::valueOf $item kind]
    if {$kind eq "job"} {return [::tactus::player::text::valueOf $facts index]}
    if {$kind in {slice run}} {return [::tactus::player::text::valueOf $facts job_index]}
    return
}

proc ::tactus::player::why::draw {panel text trace facts item how} {
    set job [jobOf $facts $item]
    if {$trace eq {} || ![string is integer -strict $job]} return
    if {[dict exists $how running]} {return [later $panel $text "Taking this job apart \u2026 " stop]}
    try {
        set why [if {[dict exists $how known]} {dict get $how known} else {quickly $trace $job}]
    } trap {TACTUS CANCELLED} {} {
        return [later $panel $text "This job has very many pieces. " "take it apart"]
    } trap TACTUS {} - trap {TCL LOOKUP} {} {
        return
    }
    if {[llength [dict get $why parts]]} {show $panel $text $why [dict exists $how all]}
}

proc ::tactus::player::why::quickly {trace job} {
    variable patience
    variable all
    $trace why $job -as index -limit $all -progress [list ::tactus::player::why::tick [expr {[clock milliseconds] + $patience}]]
}

proc ::tactus::player::why::tick {until progress} {
    if {[clock milliseconds] >= $until} {return -code break}
    return
}

# A word instead of an answer, and what can be done.
proc ::tactus::player::why::later {panel text sentence link} {
    $text insert end "\n\nWhy?" title "\n$sentence" fact
    $panel link $link [list why $link] {}
    $text insert end \n
}

proc ::tactus::player::why::show {panel text why isWhole} {
    variable most
    variable all
    set parts [lmap part [dict get $why parts] {if {![dict get $part times]} continue; set part}]
    setStops $text $why [set decimals [::tactus::why::decimals [lmap part $parts {dict get $part time}]]]
    $text insert end "\n\n[heading $why]" title
    $text insert end \n[::tactus::player::text::visible [dict get $why sentence] 2000] {fact prose}
    set shown [lrange $parts 0 [expr {$isWhole ? $all : $most}]-1]
    foreach part $shown {row $panel $text $why $part $decimals}
    set left [expr {[llength $parts] - [llength $shown] + [dict get $why more]}]
    if {$left > 0} {
        $text insert end \n fact
        if {$isWhole} {$text insert end "\u2026 ($left parts more: tactus why)" {fact muted}} else {$panel link "\u2026 $left parts more" {why all} {}}
    }
    others $panel $text $why
    $text insert end \n
}

proc ::tactus::player::why::heading {why} {
    string cat "Why [dict get $why response]" [expr {[dict get $why missed] ? "? [dict get $why late] late" : "?"}]
}

# The columns: times to the right, bars, words, of which wrapped lines stand under one another.
proc ::tactus::player::why::setStops {text why decimals} {
    variable barWidth
    set font [$text cget -font]
    set widest [font measure $font [::tactus::why::padded [dict get $why response] $decimals]]
    set gap [::tactus::player::look::points 4]
    set bar [expr {$widest + $gap}]
    set words [expr {$bar + [font measure $font [string repeat \u2588 $barWidth]] + $gap}]
    $text tag configure why -tabs [list $widest right $bar left $words left] -lmargin2 $words
    $text tag configure prose -lmargin2 0
    $text tag configure bar -foreground [::tactus::player::look::color accent]
    foreach tag {why prose} {$text tag raise $tag fact}
    $text tag raise sel
}

proc ::tactus::player::why::row {panel text why part decimals} {
    variable barWidth
    set first [$text index "end - 1 char"]
    set at [dict get $part at]
    $text insert end "\n\t" fact
    $panel link [::tactus::why::padded [dict get $part time] $decimals] [list -time $at {*}[itemAt $part]] {}
    set share [::tactus::why::share [dict get $part time] [dict get $why response]]
    $text insert end \t fact [::tactus::why::bar $share $barWidth] {fact bar} "\t[string repeat "\u2007\u2007" [dict get $part depth]]" fact
    foreach segment [::tactus::why::segments $part] {word $panel $part {*}$segment}
    if {[dict get $part times] > 1} {$panel plain " ([dict get $part times] times)"}
    $text tag add why "$first + 1 char" "end - 1 char"
}

# The other job of the part's longest stretch, to be looked at there.
proc ::tactus::player::why::itemAt {part} {
    if {[dict get $part job_index] eq {}} return
    list -item [list kind job index [dict get $part job_index] id [dict get $part job]]
}

proc ::tactus::player::why::word {panel part text kind id} {
    if {$kind eq {}} {return [$panel plain $text]}
    if {$kind eq "task" && [dict get $part job_index] ne {}} {
        return [$panel link $text [list -time [dict get $part at] {*}[itemAt $part]] {}]
    }
    $panel link $text [list -item [$panel itemOf $kind $id]] {}
}

# The median and the best job as links.
proc ::tactus::player::why::others {panel text why} {
    foreach which {median best} {
        set other [dict get $why $which]
        if {$other eq {} || [dict get $other index] eq [dict get $why index]} continue
        $text insert end "\n$which job: " fact
        $panel link [dict get $other job] [list -time [dict get $other release] \
            -item [list kind job index [dict get $other index] id [dict get $other job]]] " took [dict get $other response]"
    }
}
