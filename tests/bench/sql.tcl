# sql.tcl -- measures questions in SQL about a large trace from inside: tclsh sql.tcl BUILD TRACE. Prints a dict.
#
#   rows     events of the trace
#   FIGURE   milliseconds of CPU time, the least of several: count, sum, group, range (of time), number, text (the
#            index of texts is made), join, delays (of 1000 jobs)
#   memory   bytes an event by which the answer of `text` raises the most memory so far

lassign $argv dir trace
source [file join $dir pkgIndex.tcl]
package require tactus

set channel [open /proc/self/schedstat]

# CPU time of this process, milliseconds.
proc cpu {} {
    global channel
    seek $channel 0
    expr {[lindex [read $channel] 0] / 1e6}
}

# The most memory so far.
proc most {} {
    set status [open /proc/self/status]
    regexp {VmHWM:\s+(\d+) kB} [read $status] -> kilobytes
    close $status
    expr {1024 * $kilobytes}
}

# The least of several times that a statement takes; batch: asked so often each time, since the kernel counts in ticks.
proc least {times statement {batch 1}} {
    global t
    set best {}
    for {set i 0} {$i < $times} {incr i} {
        set from [cpu]
        for {set k 0} {$k < $batch} {incr k} {$t sql $statement}
        set took [expr {([cpu] - $from) / $batch}]
        if {$best eq {} || $took < $best} {set best $took}
    }
    format %.2f $best
}

set t [tactus::open $trace]
set n [dict get [$t info] events]
set middle [expr {[dict get [$t info] end] / 2}]
set result [dict create rows $n]
dict set result count [least 5 "SELECT count(*) FROM events"]
dict set result sum [least 5 "SELECT sum(time) FROM events"]
dict set result group [least 3 "SELECT task, count(*), max(response) FROM jobs GROUP BY task"]
dict set result range [least 3 "SELECT * FROM events WHERE time BETWEEN $middle AND $middle + 10" 500]
dict set result number [least 3 "SELECT * FROM events WHERE number BETWEEN $n / 2 AND $n / 2 + 10" 500]
set before [most]
dict set result text [least 1 "SELECT count(*) FROM events WHERE event = 'jobArrived'"]
dict set result memory [format %.1f [expr {double([most] - $before) / $n}]]
dict set result join [least 3 "SELECT count(*) FROM jobs j JOIN slices s ON s.job = j.job AND s.job_number = j.number"]
dict set result delays [least 3 "SELECT sum(time) FROM delays WHERE job_number < 1000 AND depth = 0" 20]
puts $result
