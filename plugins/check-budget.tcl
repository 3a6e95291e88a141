# check-budget.tcl -- the check "budget": servers keep to their budgets.
#
# The core computes each server's budget: it falls at the rate of the number of consumers, and not below 0. Facts:
#
#   overrun          invalid    consumed although no budget was left
#   aboveCapacity    invalid    replenished above the -capacity; a server without one can have any budget
#   resumedDepleted  invalid    resumed with no budget, and not replenished at the same instant
#   unknownBudget    uncertain  consumed before its budget was known: neither -budget nor a replenishment

plugin check-budget -title "Check: budgets" \
    -help "servers consume no more than their budgets, which stay below their capacities"
check budget -title "Server budgets" -needs servers -start judge -advice {
    invalid "Look at the curve of the server: its capacity, its replenishments, or the events of the trace are wrong."
    uncertain "Something was not recorded here: record without losses (larger buffers), or judge a time without gaps."
} -help "a server consumes more than it has, is replenished above its capacity, or is resumed while depleted"

proc judge {trace} {eachFact budget tell}

# Reports a finding for a fact.
proc tell {row} {
    dict with row {}
    set objects [list [list server $server]]
    set name "server [quoted $server]"
    switch $fact {
        overrun {report invalid $time $objects \
            "$name consumed [told $amount far] more than its budget from [moment $time] to [moment $end]" \
            -end $end -line $line}
        unknownBudget {
            report uncertain $time $objects \
                "$name consumed [told $amount] from [moment $time] to [moment $end], and nothing was said of its\
                budget before" \
                -end $end -line $line
        }
        aboveCapacity {report invalid $time $objects \
            "$name was replenished to [told $amount] at [moment $time], above its capacity of [told $limit]" \
            -line $line}
        resumedDepleted {report invalid $time $objects \
            "$name was resumed at [moment $time] although its budget was 0" -line $line}
    }
}
