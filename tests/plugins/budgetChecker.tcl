# budgetChecker.tcl -- in the manner of the published player's plugins: finds servers that go on consuming when their
# budget is gone. --checkBudget warning says so, --checkBudget exit ends the player with status 100.

addCommandArg checkBudget no|warning|exit "what to do when a server consumes more than its budget"

# consuming(server): it has consumers now
array set consuming {}
set overruns 0

proc budgetResumed {time server args} {
    global consuming
    set consuming($server) [$server consumers]
    if {[$server budget] <= 0} {
        budgetOverrun $time $server "is resumed without budget"
    }
}

proc budgetPreempted {time server args} {
    global consuming
    set consuming($server) [$server consumers]
}

proc budgetDepleted {time server args} {
    global consuming
    if {[info exists consuming($server)] && $consuming($server) > 0} {
        budgetOverrun $time $server "consumes beyond its budget of [$server capacity]"
    }
}

proc budgetOverrun {time server text} {
    global checkBudget overruns
    incr overruns
    if {$checkBudget eq "warning" || $checkBudget eq "exit"} {
        puts "$time: [$server name] $text"
    }
    if {$checkBudget eq "exit"} {_exit 100}
}

addEventHandler serverResumed budgetResumed
addEventHandler serverPreempted budgetPreempted
addEventHandler serverDepleted budgetDepleted
