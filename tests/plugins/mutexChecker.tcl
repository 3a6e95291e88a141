# mutexChecker.tcl -- in the manner of the published player's plugins: a mutex is acquired while another job has it
# (status 200), or is released by a job that does not have it (status 201).

addCommandArg checkMutex no|warning|exit "what to do when a mutex is used wrongly"

# All of its own in a namespace; the option is global.
namespace eval mutexChecker {
    variable owner
    array set owner {}

    proc say {time text code} {
        global checkMutex
        if {$checkMutex == "" || $checkMutex == "no"} return
        puts "$time: $text"
        if {$checkMutex == "exit"} {_exit $code}
    }

    proc acquired {time job mutex args} {
        variable owner
        if {[info exists owner($mutex)]} {
            say $time "[$job name] acquires [$mutex name], which [$owner($mutex) name] has" 200
        }
        set owner($mutex) $job
    }

    proc released {time job mutex args} {
        variable owner
        if {![info exists owner($mutex)] || $owner($mutex) ne $job} {
            say $time "[$job name] releases [$mutex name], which it does not have" 201
        } else {
            unset owner($mutex)
        }
    }
}

addEventHandler jobAcquiredMutex mutexChecker::acquired
addEventHandler jobReleasedMutex mutexChecker::released
