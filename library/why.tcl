# why.tcl -- the parts of a response time in words, for the program and for the window.
#
#   $trace why JOB -> a dict with parts -> the words of each part as segments -> a text with links
#
# A segment is {text kind id}: kind {} is plain text, else a link to the task, mutex, server or processor with that id.
# Text of a trace is passed on as it is: the caller makes it visible (visible.tcl) before it is shown.

namespace eval ::tactus::why {
    # words for the state of a job, or of the job that holds its mutex; %task %mutex %server %processor %note: segments
    variable words {
        running     {"running" "which was running"}
        interrupt   {"interrupted by %task" "which was interrupted by %task"}
        softirq     {"interrupted by %task" "which was interrupted by %task"}
        preempted   {"preempted by %task" "which was preempted by %task"}
        waiting     {"waiting behind %task" "which was waiting behind %task"}
        wakeup      {"wake-up under way" "which was being woken up"}
        migration   {"migrating to %processor" "which was migrating to %processor"}
        idle        {"ready, nobody runs on %processor" "which was ready, with nobody running on %processor"}
        depleted    {"server %server has no budget" "whose server %server had no budget"}
        over        {"over" "which had completed, and still held it"}
        deadlock    {"deadlock with %task" "which was waiting for it in turn: deadlock"}
    }
}

# The words for a part. For the states blocked and unknown they depend on the fields that the part has.
proc ::tactus::why::pattern {part} {
    variable words
    dict with part {}
    set nested [expr {$depth > 0}]
    switch $kind {
        blocked {
            if {$mutex eq {}} {set text [expr {$note eq {} ? "blocked, by whom is not known"
                : "blocked (%note), by whom is not known"}]
            } elseif {$task eq {}} {set text "blocked on %mutex, which nobody holds"
            } else {set text "blocked on %mutex, held by %task"}
            return [if {$nested} {string cat "which was $text"} else {string cat $text}]
        }
        unknown {
            if {$processor ne {}} {
                return [expr {$nested ? "which was ready; who ran on %processor is not known"
                    : "ready, who runs on %processor is not known"}]
            }
            return [expr {$nested ? "which was in an unknown state" : "unknown"}]
        }
    }
    lindex [dict get $words $kind] $nested
}

# The segments of a part.
proc ::tactus::why::segments {part} {
    set segments {}
    set text [pattern $part]
    while {[regexp -indices {%(task|mutex|server|processor|note)} $text all name]} {
        set kind [string range $text {*}$name]
        if {[lindex $all 0] > 0} {lappend segments [list [string range $text 0 [lindex $all 0]-1] {} {}]}
        set id [dict get $part $kind]
        set shown $id
        if {$kind ne "note"} {set shown [nameText $id [dict get $part ${kind}_name]]}
        lappend segments [list $shown [expr {$kind eq "note" ? {} : $kind}] $id]
        set text [string range $text [lindex $all 1]+1 end]
    }
    if {$text ne {}} {lappend segments [list $text {} {}]}
    return $segments
}

proc ::tactus::why::label {part} {
    join [lmap segment [segments $part] {lindex $segment 0}] {}
}

# A name, and the id where it is another one (ids of interrupts have a slash for a blank).
proc ::tactus::why::nameText {id name} {
    if {[string map {/ { }} $id] eq [string map {/ { }} $name]} {return $name}
    return "$name ($id)"
}

# A line about the job: its name, its release and completion with their lines in the file, its deadline.
proc ::tactus::why::title {why} {
    dict with why {}
    set text "$job_name of task [nameText $task $task_name]"
    append text [expr {$released ? ": released at " : ": first mentioned at (its release is not known) "}] $begin
    append text [inLine $begin_line] [dict get {
        completed ", completed at " abandoned ", abandoned at " recording ", not completed when the recording ends at "
    } $ended] $end
    if {$ended ne "recording"} {append text [inLine $end_line]}
    if {$deadline ne {}} {
        append text ", deadline $deadline"
        if {$missed} {append text [expr {$ended eq "completed" ? " missed by " : " missed, by now by "}] $late}
    }
    return $text
}

proc ::tactus::why::inLine {line} {
    expr {$line ? " (line $line)" : {}}
}

# The share of a time in a whole as a double, for bars and percentages only.
proc ::tactus::why::share {time whole} {
    expr {double($whole) > 0 ? double($time) / double($whole) : 0.0}
}

# A time filled up to so many decimals, so that points stand under one another; nothing is rounded.
proc ::tactus::why::padded {time decimals} {
    if {$time eq {} || !$decimals} {return $time}
    if {[string first . $time] < 0} {append time .}
    set have [expr {[string length $time] - [string first . $time] - 1}]
    return $time[string repeat 0 [expr {max(0, $decimals - $have)}]]
}

proc ::tactus::why::decimals {times} {
    set most 0
    if {[string first . $times] < 0} {return 0}
    foreach time $times {
        set point [string first . $time]
        if {$point >= 0} {set most [expr {max($most, [string length $time] - $point - 1)}]}
    }
    return $most
}

# A bar in eighths of a character.
proc ::tactus::why::bar {share width} {
    set eighths [expr {round($share * $width * 8)}]
    if {$eighths == 0 && $share > 0} {set eighths 1}
    set bar [string repeat \u2588 [expr {$eighths / 8}]]
    if {$eighths % 8} {append bar [string index \u258f\u258e\u258d\u258c\u258b\u258a\u2589 [expr {$eighths % 8 - 1}]]}
    return $bar
}
