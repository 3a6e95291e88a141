# budgetRemainder.tcl -- in the manner of the published player's plugins: a server that stops and has less than nothing
# left has exceeded its budget. --checkBudget warning says so, --checkBudget exit ends the player with status 100.

addCommandArg checkBudget no|warning|exit "what to do when a server exceeds its budget"

proc remainderPreempted {time server args} {
    global checkBudget
    if {$checkBudget eq "no" || $checkBudget eq ""} {return}
    if {[$server budget] < 0} {
        puts "server '[$server name]' exceeded its budget at time $time"
        if {$checkBudget eq "exit"} {_exit 100}
    }
}

addEventHandler serverPreempted remainderPreempted
