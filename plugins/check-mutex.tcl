# check-mutex.tcl -- the check "mutex": mutexes are acquired by one job at a time, and given back by it, innermost
# first.
#
#   acquiredTwice, contended            invalid    acquired by the job that holds it; while another job holds it
#   foreignRelease, freeRelease         invalid    released by a job that does not hold it: another job does; none does
#   crossed                             invalid    not properly nested: released before one that was acquired later
#   heldAtCompletion, heldAtArrival     invalid    still held when the job completes; when a new job with its id arrives
#   neverReleased                       invalid    its job is completed, and it is still held at the end
#   deadlock                            invalid    blocked jobs that wait for one another, by -target, each with mutexes
#   contendedAtOnce,
#   heldAtCompletionAtOnce              uncertain  as above, but released at that instant, further down in the file
#   unseenRelease                       uncertain  released by a job that existed before the recording began
#   stillHeld                           a note     held when the recording ends: recordings end somewhere, so that alone
#                                                  leaves nothing in doubt
#   unknown                             uncertain  a task or processor is in an unknown state
#   stuck                               uncertain  jobs blocked to the end, all with mutexes: maybe a deadlock

plugin check-mutex -title "Check: mutexes" \
    -help "mutexes are acquired once, released by their holder, properly nested, and never for ever"
check mutex -title "Mutexes" -needs mutexes -start judge -advice {
    invalid "Look at the line of the trace: acquiring and releasing belong together, by one job."
    uncertain "Something was not recorded here: record without losses (larger buffers), or judge a time without gaps."
} -help "acquired twice, released by another, not properly nested, held at completion, never released, deadlock"

# The table of facts: fact -> verdict and sentence; %x is the fact's field x.
namespace eval table {
    variable rows {
        acquiredTwice   {invalid "job %job acquired mutex %mutex at %time although it held it already"}
        contended       {invalid "job %job acquired mutex %mutex at %time while job %other held it"}
        contendedAtOnce {
            uncertain "job %job acquired mutex %mutex at %time, and job %other released it at that instant:\
                which came first?"
        }
        foreignRelease  {invalid "job %job released mutex %mutex at %time, which job %other held"}
        freeRelease     {invalid "job %job released mutex %mutex at %time, which nobody held"}
        unseenRelease   {
            uncertain "job %job released mutex %mutex at %time, and was not seen to acquire it:\
                the recording began later"
        }
        crossed         {invalid "job %job released mutex %mutex at %time before %inner, which it acquired after it"}
        heldAtCompletion {invalid "job %job completed at %end while it held mutex %mutex, since %time"}
        heldAtCompletionAtOnce {
            uncertain "job %job completed at %end and released mutex %mutex at that instant: which came first?"
        }
        heldAtArrival   {invalid "job %job arrived anew at %end while it held mutex %mutex, since %time"}
        neverReleased   {invalid "mutex %mutex, which job %job acquired at %time, was never released"}
        stillHeld       {valid "job %job held mutex %mutex from %time to the end of the recording: not judged"}
        stuck           {
            uncertain "job %job held mutex %mutex and was blocked to the end of the recording, as %count jobs were:\
                maybe a deadlock"
        }
        deadlock        {
            invalid "job %job and job %other, %count jobs in all, waited for one another from %time on: a deadlock"
        }
    }
}

proc judge {trace} {
    eachFact mutex tell
    reportUnknown "mutexes may have been acquired and released in it"
}

proc tell {row} {
    lassign [dict get $table::rows [dict get $row fact]] verdict text
    set objects {}
    set map {}
    foreach {key kind} {job job other job mutex mutex inner mutex} {
        set id [dict get $row $key]
        lappend map %$key [quoted $id]
        if {$id ne {}} {lappend objects [list $kind $id]}
    }
    foreach key {time end} {lappend map %$key [moment [dict get $row $key] {}]}
    lappend map %count [dict get $row count]
    report $verdict [dict get $row time] $objects [string map $map $text] -end [dict get $row end] \
        -line [dict get $row line]
}
