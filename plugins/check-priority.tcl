# check-priority.tcl -- the check "priority": no job waits for a less urgent one, other than for a mutex.
#
#   inversion  invalid  a job was ready while a less urgent one ran on a processor that it could have used
#   unbounded  invalid  a job was blocked on a mutex while a less urgent job, which does not hold it, kept the holder
#                       from running
#   blocking   valid    a note for each task and mutex: how often and how long its jobs waited for the holders
#
# A stretch in which a task or processor is in an unknown state is uncertain.
#
# Both are warnings: -priority also orders the rows of a figure, and not every scheduler follows it. Lower values are
# more urgent; where there would be no inversion if higher ones were, the check reports that it cannot judge.
#
#   --priorityTolerance TIME   inversions up to this length are not reported, since switching takes time
#   --priorityOrder low|high   which values are more urgent

plugin check-priority -title "Check: priorities" \
    -help "no job waits while a less urgent one runs, other than by a held mutex"
option priorityTolerance -type time -default 0 \
    -help "priority inversions up to this long are not reported by the check priority"
option priorityOrder -words {low high} -default low \
    -help "values of -priority that are more urgent, for the check priority"
check priority -title "Priorities" -needs {jobs priorities} -start judge \
    -help "a ready job waits while a less urgent one runs: priority inversions"

proc judge {trace} {
    set found [facts priority -urgent [option get priorityOrder]]
    set inversions [lmap fact $found {
        if {[dict get $fact fact] eq "blocking" || [dict get $fact amount] <= [option get priorityTolerance]} continue
        set fact
    }]
    if {[llength $inversions] > 1 && [option get priorityOrder] eq "low" && [otherWay]} {
        report uncertain {} {} \
            "[llength $inversions] priority inversions, and none if greater values of -priority were the more urgent\
            ones (--priorityOrder high)"
        set inversions {}
    }
    foreach fact $inversions {tell $fact}
    foreach fact $found {if {[dict get $fact fact] eq "blocking"} {tellBlocking $fact}}
    reportUnknown "a job may have waited for a less urgent one in it"
}

proc otherWay {} {
    foreach row [facts priority -urgent high] {
        if {[dict get $row fact] ne "blocking" && [dict get $row amount] > [option get priorityTolerance]} {return 0}
    }
    return 1
}

proc tell {row} {
    dict with row {}
    set objects [list [list job $job] [list job $other]]
    if {$processor ne "default"} {lappend objects [list processor $processor]}
    set ran "the less urgent job [quoted $other] ran"
    set when "for $amount, from $time to $end"
    set text [expr {$fact eq "unbounded"
        ? "job [quoted $job] was blocked on mutex [quoted $mutex] $when, while $ran and did not hold it"
        : "job [quoted $job] was ready $when, while $ran on processor [quoted $processor]"}]
    if {$mutex ne {}} {lappend objects [list mutex $mutex]}
    report invalid $time $objects $text -end $end -line $line -severity warning
}

proc tellBlocking {row} {
    dict with row {}
    report valid $time [list [list task $task] [list mutex $mutex] [list job $job] [list job $other]] \
        "jobs of task [quoted $task] waited [counted $count time] while a less urgent job held mutex [quoted $mutex]:\
        [told $limit] in all, at most $amount (job [quoted $job] for job [quoted $other] from $time to\
        $end)" -end $end -line $line
}
