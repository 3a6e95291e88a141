# panel/why.tcl -- the parts of a job's response time, in the details: above the facts of a job, below those of a slice,
# a run or a finding.
#
#   facts of one of these -> $trace why (by index) -> sentence, parts with bars, links
#
# A row is: time, bar, words. The time links to the longest stretch of the part, a task to the job that ran or held the
# mutex then. `page` is the text of the panel of details (panel/factText.tcl).
#
# The analysis of a job of millions of pieces takes a while. Where it is not done within `patience`, a link starts it;
# the window lives on meanwhile, and another link stops it. `how` is its state: {} at first; all 1: all parts are to be
# shown; running 1: under way; known DICT: its result.

::tactus::need why player/text player/look player/units

namespace eval ::tactus::player::why {
    namespace path ::tactus::player
    variable barWidth 8         ;# characters
    variable most 10            ;# parts that are shown at first
    variable all 400            ;# parts that are shown at most
    variable patience 150       ;# milliseconds
}

# The index of the job that the facts are of; {}: none.
proc ::tactus::player::why::jobOf {facts item} {
    set kind [text::valueOf $item kind]
    if {$kind eq "job"} {return [text::valueOf $facts index]}
    if {$kind in {slice run finding}} {return [text::valueOf $facts job_index]}
    return
}

proc ::tactus::player::why::draw {page trace facts item how} {
    set job [jobOf $facts $item]
    if {$trace eq {} || ![string is integer -strict $job]} return
    if {[dict exists $how running]} {return [later $page "Taking this job apart \u2026 " stop]}
    try {
        set why [if {[dict exists $how known]} {dict get $how known} else {quickly $trace $job}]
    } trap {TACTUS CANCELLED} {} {
        return [later $page "This job has very many pieces. " "take it apart"]
    } trap TACTUS {} - trap {TCL LOOKUP} {} {
        return
    }
    dict set why unit [lindex [$trace axis {} {}] 0]
    if {[llength [dict get $why parts]]} {show $page $why [dict exists $how all]}
}

proc ::tactus::player::why::quickly {trace job} {
    variable patience
    variable all
    $trace why $job -as index -limit $all \
        -progress [list ::tactus::player::why::tick [expr {[clock milliseconds] + $patience}]]
}

proc ::tactus::player::why::tick {until progress} {
    if {[clock milliseconds] >= $until} {return -code break}
    return
}

# Writes a sentence and a link in place of the answer.
proc ::tactus::player::why::later {page sentence link} {
    $page insert "\n\nWhy?" title "\n$sentence" fact
    $page link $link [list why $link]
    $page insert \n
}

proc ::tactus::player::why::show {page why isWhole} {
    variable most
    variable all
    set parts [lmap part [dict get $why parts] {if {![dict get $part times]} continue; set part}]
    setStops [$page widget] $why $parts
    $page insert "\n\n[heading $why]" title
    $page insert \n[text::visible [dict get $why sentence] 2000] {fact prose}
    set shown [lrange $parts 0 [expr {$isWhole ? $all : $most}]-1]
    foreach part $shown {row $page $why $part}
    set left [expr {[llength $parts] - [llength $shown] + [dict get $why more]}]
    if {$left > 0} {
        $page insert \n fact
        if {$isWhole} {
            $page insert "\u2026 ($left parts more: tactus why)" {fact muted}
        } else {
            $page link "\u2026 $left parts more" {why all}
        }
    }
    others $page $why
    $page insert \n
}

proc ::tactus::player::why::heading {why} {
    string cat "Why [long $why response]" [expr {[dict get $why missed] ? "? [long $why late] late" : "?"}]
}

# A length of an answer, or of a part of it, with its unit.
proc ::tactus::player::why::long {why key} {
    ::tactus::length [dict get $why $key] [dict get $why unit]
}

# Sets the tab stops of the columns: times to the right, bars, words with their wrapped lines.
proc ::tactus::player::why::setStops {text why parts} {
    variable barWidth
    set font [$text cget -font]
    set widest 0
    foreach part $parts {
        set time [::tactus::length [dict get $part time] [dict get $why unit]]
        set widest [expr {max($widest, [font measure $font $time])}]
    }
    set gap [look::points 4]
    set bar [expr {$widest + $gap}]
    set words [expr {$bar + [font measure $font [string repeat \u2588 $barWidth]] + $gap}]
    $text tag configure why -tabs [list $widest right $bar left $words left] -lmargin2 $words
    $text tag configure prose -lmargin2 0
    $text tag configure bar -foreground [look::color accent]
    foreach tag {why prose} {$text tag raise $tag fact}
    $text tag raise sel
}

proc ::tactus::player::why::row {page why part} {
    variable barWidth
    set text [$page widget]
    set first [$text index "end - 1 char"]
    set at [dict get $part at]
    $page insert "\n\t" fact
    $page link [::tactus::length [dict get $part time] [dict get $why unit]] [list -time $at {*}[itemAt $part]]
    set share [::tactus::why::share [dict get $part time] [dict get $why response]]
    $page insert \t fact [::tactus::why::bar $share $barWidth] {fact bar} \
        "\t[string repeat "\u2007\u2007" [dict get $part depth]]" fact
    foreach segment [::tactus::why::segments $part] {word $page $part {*}$segment}
    if {[dict get $part times] > 1} {$page plain " ([dict get $part times] times)"}
    $text tag add why "$first + 1 char" "end - 1 char"
}

# The other job of the part's longest stretch as an item, at the time of that stretch.
proc ::tactus::player::why::itemAt {part} {
    if {[dict get $part job_index] eq {}} return
    list -item [list kind job index [dict get $part job_index] id [dict get $part job]]
}

proc ::tactus::player::why::word {page part text kind id} {
    if {$kind eq {}} {return [$page plain $text]}
    if {$kind eq "task" && [dict get $part job_index] ne {}} {
        return [$page link $text [list -time [dict get $part at] {*}[itemAt $part]]]
    }
    $page link $text [list -item [$page itemOf $kind $id]]
}

# Writes the median and the best job as links.
proc ::tactus::player::why::others {page why} {
    foreach which {median best} {
        set other [dict get $why $which]
        if {$other eq {} || [dict get $other index] eq [dict get $why index]} continue
        $page insert "\n$which job: " fact
        $page link [dict get $other job_name] [list -time [dict get $other release] \
            -item [list kind job index [dict get $other index] id [dict get $other job]]] \
            " took [::tactus::length [dict get $other response] [dict get $why unit]]"
    }
}
