# recordSeeds.tcl -- writes the fuzzer's first recordings of sensors into a folder: tclsh recordSeeds.tcl FOLDER (make
# fuzz)

set folder [lindex $argv 0]
source [file join [file dirname [file dirname [file normalize [info script]]]] streamFile.tcl]

set fields {{a u 0 1} {b i 1 2} {c f 8 8} {d text 16 8} {e f 24 4}}
set element [binary format cs 1 -2]xxxxx[f8 2.5]abc\0[u4 0 0x40400000]
set wide [streamSource][streamSensor all $fields -size 28]
append wide [streamElements 0 0 [list [list 5 $element] [list 9 $element]]]

# two threads, two losses, an element twice, times that go back
set ring [streamSource -clock 1][streamPairs {{1000 5000} {2000 6000}}]
foreach sensor {1 2} {append ring [streamSensor ring {{v u 0 4}} -sensor $sensor -kind 3 -thread 10$sensor]}
append ring [streamElements 1 0 [list [list 1500 [u4 1]] [list 1400 [u4 2]]] -sequence 0] \
    [streamElements 2 3 [list [list 1450 [u4 3]]] -sequence 1] [streamElements 1 1 [list [list 1400 [u4 2]]]] \
    [streamLost 1 1 2 7] [streamPairs {{3000 7000} {3001 1}}] [streamEnd 3 9]

# another machine, a lasting sensor, the kernel, a kind and a version that nobody knows
set two [streamSource -realtime 100 -monotonic 50]
append two [streamSource -source 2 -boot other -machine far -realtime 200 -monotonic 20]
append two [streamSensor names {{id u 0 4} {name text 4 12}} -flags 1 -kind 2] [streamSensor x {} -source 2 -size 3] \
    [streamElements 0 0 [list [list 7 [u4 1]control\0[u4 0]]] -sequence 0xffffffffffffffff] \
    [streamElements 0 0 {{30 abc} {40 def}} -source 2] [streamPacket 77 12345678] [streamPacket 1 {} -version 2] \
    [streamSource -source 3 -kind 2] \
    [streamSensor kernel:sched_switch {{number u 0 4} {pid i 4 4} {cpu u 8 2}} -source 3 -size 12] \
    [streamElements 0 0 [list [list 60 [u4 0 101 1]]] -source 3]

# the ready-made sensors
set meant [streamSource]
foreach {number name flags} {0 tactus.objects 1 1 tactus.events 0 2 tactus.texts 0} {
    append meant [streamSensor $name {{a u 0 8} {b u 8 8} {c u 16 8}} -sensor $number -flags $flags] \
        [streamElements $number 0 [list [list 10 [u8 1 2 3]] [list 20 [u8 4 5 6]]]]
}

# a program's task with a thread, and the kernel beneath it
set head {{number u 0 4} {pid i 4 4} {cpu u 8 2}}
set both [streamSource][streamSource -source 2 -kind 2]
append both [streamVocabulary]
append both [streamSensor kernel:sched_switch [list {*}$head {prev_comm text 10 16} {prev_pid i 28 4} \
    {prev_prio i 32 4} {prev_state text 36 4} {next_comm text 40 16} {next_pid i 56 4} {next_prio i 60 4}] -source 2]
append both [streamSensor kernel:print [list {*}$head {at u 10 2} {length u 12 2} {text text 14 50}] \
    -source 2 -sensor 1]
append both [streamSensor kernel:sys_enter_futex [list {*}$head {uaddr u 16 8} {op i 24 8}] -source 2 -sensor 2]
append both [streamSensor kernel:lost [list {*}$head {count u 12 4}] -source 2 -sensor 3]
append both [streamSensor kernel:thread {{pid i 0 4} {process i 4 4} {name text 8 16}} -source 2 -sensor 4]

proc object {id kind of thread name} {
    binary format iiiix8wwx16a64x56 $id $kind $of $thread 10000000 4000000 $name
}
append both [streamElements 0 0 [list [list 1 [object 1 1 0 0 control]] [list 1 [object 7 3 0 0 state]] \
    [list 1 [object 0 8 1 11 {}]]]]
set said {}
foreach {time code object value} {100 1 0 50 100 2 0 0 110 14 7 0 120 5 0 0 130 15 7 0 140 6 0 0} {
    lappend said [list $time [streamEvent $code 0 $object [expr {1 << 32 | 1}] $value]]
}
append both [streamElements 1 0 $said]
proc switched {number from state to} {
    binary format iisa16x2iia4a16ii $number $from 0 x $from 120 $state x $to 120
}
append both [streamElements 0 0 [list [list 90 [switched 0 0 R 11]] [list 125 [switched 3 11 S 0]] \
    [list 150 [switched 9 0 R 11]]] -source 2]
append both [streamElements 1 0 [list [list 105 [binary format iisssa50 1 11 0 0 5 begin]]] -source 2]
append both [streamElements 2 0 [list [list 106 [binary format iisx6ww 2 11 0 4096 128]]] -source 2]
append both [streamElements 3 0 [list [list 140 [binary format iisx2i 4 -1 0 5]]] -source 2]
append both [streamElements 4 0 [list [list 90 [binary format iia16 11 10 plant]]] -source 2]

# annotations, a profile, chains of buffers and other texts
set marks [streamSource][streamVocabulary][streamElements 0 0 [list [list 1 [streamObject 1 1 -name a]] \
    [list 1 [streamObject 2 5 -name {b c}]] [list 1 [streamObject 3 6 -name work]]]]
append marks [streamElements 1 0 [list [list 5 [streamEvent 39 0 3 [expr {1 << 32 | 3}] 50]] \
    [list 6 [streamEvent 40 0 3 100 20]] [list 7 [streamEvent 26 0 3 [expr {1 << 32}] 0]]]]
append marks [streamSensor tactus.texts {{code u 0 2} {processor u 2 2} {task u 4 4} {text text 8 120}} -sensor 2]
set number 0
foreach {code text} {41 {1 2 1} 42 {expired 2 n} 37 half 38 begin} {
    append marks [streamElements 2 $number [list [list [incr number] [binary format ssia120 $code 0 1 $text]]]]
}

foreach {name bytes} [list wide $wide ring $ring two $two meant $meant both $both \
    marks $marks cut [string range $ring 0 end-20] \
    damaged [string replace $two 300 310 xxxxx]] {
    set channel [open [file join $folder $name.tacs] wb]
    puts -nonewline $channel $bytes
    close $channel
}
