# datSeeds.tcl -- writes the fuzzer's first inputs for trace.dat into a folder: tclsh datSeeds.tcl FOLDER (make fuzz)

set folder [lindex $argv 0]
namespace eval ::tactus::test {proc tempDir {} {return $::folder}}
source [file join [file dirname [file dirname [file normalize [info script]]]] datFile.tcl]

set cpus {
    {
        {1000 0 sched_waking loop 11 49 0} {1500 0 sched_wakeup loop 11 49 0} {2000 0 sched_switch swapper/0 0 120 0 loop 11 49}
        {2500 11 sched_process_fork loop 11 child 13} {2600 11 sched_wakeup_new child 13 49 1} {2700 11 sched_pi_setprio child 13 120 49}
        {3000 11 print 0x2000 "begin 1\n"} {3100 11 sched_migrate_task child 13 120 0 1} {lost 3}
        {3200 11 sys_enter_futex 202 0x7f00 0} {3300 11 sys_exit_futex 202 0} {3400 11 hrtimer_expire_entry 1 2 0x1000}
        {200000000 11 sched_switch {a ==> b} 11 49 2 swapper/0 0 120}
    } {
        {1200 12 irq_handler_entry 5 eth0} {1300 12 irq_handler_exit 5 1} {1400 12 softirq_entry 9} {lost {}}
        {5000 12 sched_process_exec /bin/x 12 12} {6000 12 sched_process_exit x 12 120} {7000 12 my_event 5}
    }
}
set few {sched_switch sched_wakeup}
set small \
    {{{1000 0 sched_wakeup loop 11 49 0} {2000 0 sched_switch swapper/0 0 120 0 loop 11 49} {3000 11 print 0x2000 mark}}}
set number 0
foreach {options content events} [list {} $cpus {} {-order big} $small $few {-long 4} $small $few {-version 7} $small \
    $few {-version 7 -order big} $cpus {} \
        {-buffers {other {{{2500 11 print 0x2000 x}}}}} $small $few {-version 7 -pack 1} $small $few] {
    if {"-pack" in $options && [auto_execok zstd] eq {}} continue
    if {$events ne {}} {lappend options -events $events}
    set channel [open [file join $folder [incr number].dat] wb]
    puts -nonewline $channel [datFile -names {11 loop 12 other} -cpus $content {*}$options]
    close $channel
}
file delete [file join $folder unpacked]
