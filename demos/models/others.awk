# others.awk -- keeps of a recording what a demo's own threads did, and of all others only when they had a processor.
#
#	awk -f others.awk -v names="preempt|control|filter" RECORDING RECORDING
#
# The recording is text of trace-cmd report or perf script; it is read twice. A thread that has one of the names at any time is the demo's own.
# All others of a processor, also that which idles, become one thread that is always ready, rest, whose pid is the processor's number + 1.
# Switches between them, their wake-ups, marks and system calls are left out.
# -v since=TEXT begins with the first line of the demo's own threads that has the text, -v until=TEXT ends with such a line;
# -v cpus=0 leaves out the other processors.

# The thread of "NAME:PID [", "prev_pid=PID" and so on at the end of a text.
function pidOf(text) {
    sub(/ \[$/, "", text)
    match(text, /[0-9]+$/)
    return substr(text, RSTART)
}

# Notes the threads with one of the names in a line that switches or wakes.
function learn(line) {
    gsub(/ (prev_|next_)?pid=/, ":", line)
    while (match(line, "(^|[ =])(" names "):[0-9]+")) {
	own[pidOf(substr(line, RSTART, RLENGTH))] = 1
	line = substr(line, RSTART + RLENGTH)
    }
}

FNR == NR {
    if (/ sched_(switch|waking|wakeup)|:sched_(switch|waking|wakeup)/) learn($0)
    next
}
/^cpus=/ || /^#/ {print; next}
{
    sub(/^[a-z]+: +/, "")
    # Who: trace-cmd NAME-PID [CPU] TIME:, perf NAME PID [CPU] TIME:
    if (!match($0, /[- ][0-9]+ +\[[0-9]+\] +[0-9]+\.[0-9]+: +/)) next
    head = substr($0, RSTART, RLENGTH)
    rest = substr($0, RSTART + RLENGTH)
    name = substr($0, 1, RSTART - 1)
    gsub(/^ +| +$/, "", name)
    match(head, /[0-9]+/)
    pid = substr(head, RSTART, RLENGTH)
    separator = substr(head, 1, 1)
    match(head, /\[[0-9]+\]/)
    cpu = substr(head, RSTART + 1, RLENGTH - 2) + 0
    if (cpus != "" && cpu != cpus) next
    if (since != "" && !(pid in own && index(rest, since))) next
    since = ""
    head = substr(head, RSTART)
    sub(/ +$/, " ", head)
    sub(/: +/, ": ", rest)

    if (rest ~ /sched_switch:/) {
	arrow = index(rest, " ==> ")
	left = substr(rest, 1, arrow - 1)
	right = substr(rest, arrow + 5)
	if (left ~ /prev_pid=/) {
	    match(left, /prev_pid=[0-9]+/); from = substr(left, RSTART + 9, RLENGTH - 9)
	    match(right, /next_pid=[0-9]+/); to = substr(right, RSTART + 9, RLENGTH - 9)
	    if (!(from in own)) left = substr(left, 1, index(left, "prev_comm=") - 1) "prev_comm=rest prev_pid=" cpu + 1 " prev_prio=120 prev_state=R"
	    if (!(to in own)) right = "next_comm=rest next_pid=" cpu + 1 " next_prio=120"
	} else {
	    match(left, /:[0-9]+ \[/); from = pidOf(substr(left, RSTART + 1, RLENGTH - 1))
	    match(right, /:[0-9]+ \[/); to = pidOf(substr(right, RSTART + 1, RLENGTH - 1))
	    if (!(from in own)) left = "sched_switch: rest:" cpu + 1 " [120] R"
	    if (!(to in own)) right = "rest:" cpu + 1 " [120]"
	}
	if (!(from in own) && !(to in own)) next
	rest = left " ==> " right
    } else if (rest ~ /sched_(waking|wakeup)/) {
	if (match(rest, / pid=[0-9]+/)) who = substr(rest, RSTART + 5, RLENGTH - 5)
	else {match(rest, /:[0-9]+ \[/); who = pidOf(substr(rest, RSTART + 1, RLENGTH - 1))}
	if (!(who in own)) next
    } else if (rest !~ /(irq|timer)_(handler_)?(entry|exit|raise)/ && !(pid in own)) next
    last = until != "" && pid in own && index(rest, until)
    if (!(pid in own)) {name = "rest"; pid = cpu + 1}
    print name separator pid " " head rest
    if (last) exit
}
