# directorySeeds.tcl -- writes the fuzzer's first directories of sensors into a folder: tclsh directorySeeds.tcl FOLDER
# (make fuzz)

set folder [lindex $argv 0]
set tests [file dirname [file dirname [file normalize [info script]]]]
source [file join $tests streamFile.tcl]
source [file join $tests directoryFile.tcl]

proc values {args} {lmap {time value} $args {list $time [u4 $value]}}
set v {{v u 0 4}}

# A ring that has come round, one of many writers, one of threads; a counter with its pairs.
set kinds [directoryFile [list [directorySensor simple $v [values 104 5 101 2 102 3 103 4] -capacity 4 -written 5] \
        [directorySensor many $v [values 200 7 201 8] -kind 2] \
        [directorySensor thread $v [values 300 1 310 2] -kind 3 -owners {{101 0} {102 1}}]] \
    -clock 1 -pairs {{0 0} {100000 1000000}}]

# What is ready-made: a task with its thread, a job.
set job [expr {1 << 32 | 1}]
set ready [directoryFile [list \
    [directorySensor tactus.objects $::streamFile::objects [list [list 1 [streamObject 1 1 -name control]] \
        [list 1 [streamObject 0 8 -of 1 -thread 11]]] -kind 2 -lasting 1] \
    [directorySensor tactus.events $::streamFile::events [lmap {time code} {5 1 6 2 9 6} {
        list $time [streamEvent $code 0 0 $job 0]
    }] -kind 3 -owners {{11 0}}]]]

foreach {name bytes} [list kinds $kinds ready $ready cut [string range $kinds 0 end-100]] {
    set channel [open [file join $folder $name.tacrec] wb]
    puts -nonewline $channel $bytes
    close $channel
}
