# teacher.tcl -- a lesson about priority inversion, and the traces of thirty students for an exercise.
#
# The exercise: a rate-monotonic schedule of A (1 of each 4 units) and B (4 of each 6) from 0 to 12. Of six students
# three are right, one does not preempt B, one forgets the last job of A, and one lets B run for 3 units only.

namespace eval ::users::teacher {
    variable lesson {
newTask high -priority 1
newTask mid -priority 2
newTask low -priority 3
newMutex lock -name "Lock"
plot 0 jobArrived low.1 low
plot 0 jobStarted low.1
plot 1 jobAcquiredMutex low.1 lock
plot 2 jobArrived high.1 high
plot 2 jobPreempted low.1 -target high.1
plot 2 jobStarted high.1
plot 3 jobBlocked high.1 -target low.1
plot 3 jobResumed low.1
plot 4 jobArrived mid.1 mid
plot 4 jobPreempted low.1 -target mid.1
plot 4 jobStarted mid.1
plot 9 jobCompleted mid.1
plot 9 jobResumed low.1
plot 11 jobReleasedMutex low.1 lock
plot 11 jobPreempted low.1 -target high.1
plot 11 jobResumed high.1
plot 11 jobAcquiredMutex high.1 lock
plot 13 jobReleasedMutex high.1 lock
plot 14 jobCompleted high.1
plot 14 jobResumed low.1
plot 15 jobCompleted low.1
}
    variable exercise {# exercise.expect
expect response A max <= 1
expect response B max <= 6
expect execution B == 4
expect count {jobCompleted} == 5
expect never {ready A} while {running B}
}
    # job, and the stretches in which it runs
    variable right {A.1 {0 1} B.1 {1 4 5 6} A.2 {4 5} B.2 {6 8 9 11} A.3 {8 9}}
}

proc ::users::teacher::prepare {} {
    variable lesson
    variable exercise
    variable right
    ::users::write lesson.tactus [string trimleft $lesson]
    ::users::write exercise.expect $exercise
    file mkdir students
    for {set student 1} {$student <= 30} {incr student} {
        set runs $right
        switch [expr {$student % 6}] {
            4 {set runs [dict replace $runs B.1 {1 5} A.2 {5 6}]}
            5 {set runs [dict replace $runs A.3 {}]}
            0 {set runs [dict replace $runs B.1 {1 4}]}
        }
        ::users::write students/[format %02d $student].tactus [answer $runs]
    }
}

# A student's trace: events in order of time; at one time what ends comes first, then what arrives, then what begins.
proc ::users::teacher::answer {runs} {
    set events {}
    foreach {job release} {A.1 0 A.2 4 A.3 8 B.1 0 B.2 6} {
        lappend events [list $release 1 "jobArrived $job [string index $job 0]"]
        set stretches [dict get $runs $job]
        set first 1
        foreach {begin end} $stretches {
            set last [expr {$end == [lindex $stretches end]}]
            lappend events [list $begin 2 "[expr {$first ? "jobStarted" : "jobResumed"}] $job"]
            lappend events [list $end 0 "[expr {$last ? "jobCompleted" : "jobPreempted"}] $job"]
            set first 0
        }
    }
    set lines {{newTask A -priority 1 -D 4 -T 4} {newTask B -priority 2 -D 6 -T 6}}
    foreach event [lsort -integer -index 0 [lsort -integer -index 1 $events]] {
        lappend lines "plot [lindex $event 0] [lindex $event 2]"
    }
    join [lappend lines {plot 12 nop} {}] \n
}

proc ::users::teacher::judge {} {
    judgeLesson
    set wrong {}
    foreach path [lsort [glob students/*.tactus]] {
        set ok [keeps [::users::jobs $path]]
        if {!$ok} {lappend wrong $path}
        ::users::agree "$path" [expr {$ok ? "valid" : "invalid"}] \
            [lindex [regexp -inline -line "^$path: (\\w+) \\(" [::users::read marks.txt]] 1]
    }
    set n [llength $wrong]
    ::users::agree "the summary" "30 traces: $n invalid, [expr {30 - $n}] valid" \
        [lindex [::users::lines marks.txt] end]
    ::users::agree "exit status" 1 [string trim [::users::read marks.status]]
    ::users::agree "exit status of a right one" 0 [string trim [::users::read first.status]]
    set suites [regexp -all -inline {<testsuite name="([^"]*)"[^>]* failures="(\d+)"} [::users::read marks.xml]]
    ::users::agree "suites" 30 [expr {[llength $suites] / 3}]
    ::users::agree "suites with failures" $wrong \
        [concat {*}[lmap {- name failures} $suites {expr {$failures ? [list $name] : {}}}]]
}

# Does a student's trace keep what the exercise states?
proc ::users::teacher::keeps {jobs} {
    set complete 0
    dict for {id job} $jobs {
        set task [dict get $job task]
        if {[dict get $job completion] eq {}} continue
        incr complete
        if {[::users::response $job] > ($task eq "A" ? 1 : 6)} {return 0}
        if {$task eq "B" && [::users::execution $job] != 4} {return 0}
    }
    if {$complete != 5} {return 0}
    # Half a unit before each full one: does B run while A is ready?
    for {set time 0.5} {$time < 12} {set time [expr {$time + 1}]} {
        set ready 0
        set running {}
        dict for {id job} $jobs {
            set runs [lmap run [dict get $job runs] {
                if {$time < [lindex $run 1] || $time > [lindex $run 2]} continue
                set run
            }]
            set task [dict get $job task]
            if {[llength $runs]} {lappend running $task}
            if {$task eq "A" && ![llength $runs] && $time > [dict get $job release]
                    && ([dict get $job completion] eq {} || $time < [dict get $job completion])} {set ready 1}
        }
        if {$ready && "B" in $running} {return 0}
    }
    return 1
}

# What stands in the lesson: high is blocked from 3 to 11, in which low runs 3 and mid 5.
proc ::users::teacher::judgeLesson {} {
    set jobs [::users::jobs lesson.tactus]
    dict for {id job} $jobs {
        set row [::users::row [::users::table jobs.csv] job $id]
        ::users::agree "response of $id" [::users::response $job] [dict get $row response]
        ::users::agree "execution of $id" [::users::execution $job] [dict get $row execution]
    }
    set times {}
    foreach line [::users::lines lesson.tactus] {
        lassign $line - time event job
        if {$event in {jobBlocked jobAcquiredMutex jobReleasedMutex}} {dict set times $event,$job $time}
    }
    set blocked [expr {[dict get $times jobAcquiredMutex,high.1] - [dict get $times jobBlocked,high.1]}]
    ::users::agree "blocked" $blocked [dict get [::users::row [::users::table jobs.csv] job high.1] blocked]
    set held [expr {[dict get $times jobReleasedMutex,low.1] - [dict get $times jobAcquiredMutex,low.1]}]
    ::users::agree "held" $held [dict get [lindex [::users::table mutexes.csv] 0] held_max]
    set inside [dict create low 0 mid 0]
    dict for {id job} $jobs {
        foreach run [dict get $job runs] {
            set begin [expr {max([lindex $run 1], 3)}]
            set end [expr {min([lindex $run 2], 11)}]
            if {$begin < $end} {dict incr inside [dict get $job task] [expr {$end - $begin}]}
        }
    }
    set why [::users::read why.txt]
    foreach {sentence time} [list {blocked on Lock \(lock\), held by low} $blocked "which was running" \
        [dict get $inside low] "which was preempted by mid" [dict get $inside mid]] {
        ::users::agree $sentence $time [lindex [regexp -inline "$sentence +(\[0-9.\]+)" $why] 1]
    }
    ::users::agree "an inversion" 1 \
        [regexp {high\.1 was blocked on mutex lock for 5, from 4 to 9, .* mid\.1 ran} [::users::read lesson.txt]]
    ::users::agree "exit status of the lesson" 1 [string trim [::users::read lesson.status]]
}
