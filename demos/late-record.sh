# late-record.sh -- records late.c without trace-cmd, by the kernel's files, in a buffer of its own: as root, where ./late is, sh demos/late-record.sh.
T=/sys/kernel/tracing/instances/late
mkdir -p $T
echo mono > $T/trace_clock
echo 1 > $T/tracing_cpumask
echo 4096 > $T/buffer_size_kb
for event in sched/sched_switch sched/sched_waking sched/sched_wakeup sched/sched_wakeup_new sched/sched_migrate_task irq; do
    echo 1 > $T/events/$event/enable
done
for call in enter_futex exit_futex enter_clock_nanosleep exit_clock_nanosleep; do
    echo 'COMM == "control" || COMM == "vision" || COMM == "logger"' > $T/events/syscalls/sys_$call/filter
    echo 1 > $T/events/syscalls/sys_$call/enable
done
echo 1 > $T/tracing_on
./late $T/trace_marker
echo 0 > $T/tracing_on
cat $T/trace > late.ftrace
rmdir $T
