#!/bin/sh
# record.sh -- records the demos of doc/model-cases.md anew, each as it is and repaired: as root, with trace-cmd and perf, sh demos/models/record.sh ?CASE ...?
#
# Each recording becomes text, in which all other threads of a processor are one, rest (others.awk), and is compressed. Process numbers and times
# differ from one recording to the next, so the numbers in the page do, too. Where tactus info warns of switches that are missing, record again.
set -e
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
T=/sys/kernel/tracing
MARKER=$T/instances/models/trace_marker
SCHED="-e sched_switch -e sched_waking -e sched_wakeup"
both() {
    for call in "$@"; do echo "-e syscalls:sys_enter_$call -e syscalls:sys_exit_$call"; done
}

# own NAMES FILE ?OPTION ...?: what the threads with these names (NAME|NAME ...) did becomes a file; options are those of awk for others.awk.
own() {
    names=$1 file=$2
    shift 2
    awk -f "$here/others.awk" -v "names=$names" "$@" text text | gzip -9n >"$here/$file.ftrace.gz"
}

# tracecmd PROGRAM EVENT...: the recording of the program becomes text.
tracecmd() {
    program=$1
    shift
    trace-cmd record -q -B models -d -k -b 20000 -C mono -o trace.dat "$@" $program >/dev/null
    rmdir $T/instances/models
    trace-cmd report -i trace.dat >text
}

preempt() {
    tracecmd "./preempt $2 $MARKER" $SCHED
    own "preempt|control|filter" $1 -v cpus=0
    zcat "$here/preempt-bad.ftrace.gz" | grep -e cpus= -e print: | gzip -9n >"$here/preempt-marks.ftrace.gz"
}
nosyscall() {
    echo "p:models/turn $PWD/nosyscall:0x$(nm nosyscall | sed -n 's/^0*\([0-9a-f]*\) T turn$/\1/p') number=%di:s32" >>$T/uprobe_events
    tracecmd "./nosyscall $2" $SCHED -e models:turn -e signal:signal_deliver -e syscalls \
	-e irq_vectors:local_timer_entry -e irq_vectors:local_timer_exit -e irq
    echo "-:models/turn" >>$T/uprobe_events
    own "nosyscall|spin" $1 -v cpus=0 -v since=sys_enter_prctl -v until=number=0
}
sleepwait() {
    tracecmd "./sleepwait $2 $MARKER" $SCHED $(both clock_nanosleep futex)
    own "sleepwait|client|worker" $1
}
mmap() {
    tracecmd "./mmap $2 $MARKER" $SCHED $(both mmap munmap)
    own "mmap|left|right" $1
}
device() {
    perf record -q -a -k CLOCK_MONOTONIC -c 1 -o perf.data $(echo "$SCHED" | sed 's/sched_/sched:&/g') \
	$(both read write poll clock_nanosleep) ./device $2
    perf script -i perf.data >text
    own "device|reader" $1 -v "since=flags: 0x00000001"
}

for case in ${*:-preempt nosyscall sleepwait mmap device}; do
    cc -O2 -pthread -o $case "$here/$case.c"
    $case $case-bad ""
    $case $case-repaired --repaired
done
ls -l "$here"/*.gz
