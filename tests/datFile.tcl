# datFile.tcl -- writes a trace.dat by its documented format (trace-cmd.dat.v6(5), trace-cmd.dat.v7(5)), so that tests
# know what is in it.
#
#       datFile -version 7 -cpus {{{1000 11 sched_wakeup loop 12 49 0} ...} {...}}
#
# gives the bytes of the file. Options:
#   -version n        6 (default) or 7
#   -order o          little (default) or big
#   -long n           bytes of the kernel's long: 8 (default) or 4
#   -pack 1           version 7: sections and data packed by the program zstd
#   -packing text     version 7, not packed: the version of the packing, {} by default
#   -names list       pid name ...: what the file says of threads (saved_cmdlines)
#   -words list       place text ...: constant texts of the kernel, to which bprint and bputs point (printk_formats)
#   -cpus list        of each processor a list of entries
#   -buffers list     name cpus ...: further buffers
#   -events list      names of the events whose formats are in the file: all of ::datFile::formats by default
#   -clock text       content of trace_clock; {} leaves the option out
#
# An entry of a processor is
#   {time pid event value ...}   an event by that thread with the values of its fields
#   {page}                       the next one is on a page of its own
#   {lost n}                     the same, and n events were lost before it; {lost {}}: unknown how many
#   {raw bytes}                  bytes in place of an event
# Times ascend and are nanoseconds.

namespace eval ::datFile {
    namespace export datFile

    variable page 4096

    # Events: id, fields {type name size} - a size of "text" stands for a __data_loc, of "rest" for an array to the
    # record's end - and print format.
    variable formats {
        sched_switch {300 {
            {char prev_comm 16} {pid_t prev_pid 4} {int prev_prio 4} {long prev_state long}
            {char next_comm 16} {pid_t next_pid 4} {int next_prio 4}
        } {"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & 255) ? __print_flags(REC->prev_state & 255, "|", { 0x0001, "S" }, { 0x0002, "D" }, { 0x0004, "T" }, { 0x0008, "t" }, { 0x0010, "X" }, { 0x0020, "Z" }, { 0x0040, "P" }, { 0x0080, "I" }) : "R", REC->prev_state & 256 ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio}}
        sched_waking {301 {{char comm 16} {pid_t pid 4} {int prio 4} {int target_cpu 4}} {"comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu}}
        sched_wakeup {302 {{char comm 16} {pid_t pid 4} {int prio 4} {int target_cpu 4}} {"comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu}}
        sched_wakeup_new {303 {{char comm 16} {pid_t pid 4} {int prio 4} {int target_cpu 4}} {"comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu}}
        sched_migrate_task {304 {{char comm text} {pid_t pid 4} {int prio 4} {int orig_cpu 4} {int dest_cpu 4}} {"comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d", __get_str(comm), REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu}}
        sched_process_fork {305 {{char parent_comm text} {pid_t parent_pid 4} {char child_comm text} {pid_t child_pid 4}} {"comm=%s pid=%d child_comm=%s child_pid=%d", __get_str(parent_comm), REC->parent_pid, __get_str(child_comm), REC->child_pid}}
        sched_process_exec {306 {{char filename text} {pid_t pid 4} {pid_t old_pid 4}} {"filename=%s pid=%d old_pid=%d", __get_str(filename), REC->pid, REC->old_pid}}
        sched_process_exit {307 {{char comm 16} {pid_t pid 4} {int prio 4}} {"comm=%s pid=%d prio=%d", REC->comm, REC->pid, REC->prio}}
        sched_pi_setprio {308 {{char comm text} {pid_t pid 4} {int oldprio 4} {int newprio 4}} {"comm=%s pid=%d oldprio=%d newprio=%d", __get_str(comm), REC->pid, REC->oldprio, REC->newprio}}
        irq_handler_entry {309 {{int irq 4} {char name text}} {"irq=%d name=%s", REC->irq, __get_str(name)}}
        irq_handler_exit {310 {{int irq 4} {int ret 4}} {"irq=%d ret=%s", REC->irq, REC->ret ? "handled" : "unhandled"}}
        softirq_entry {311 {{unsigned vec 4}} {"vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 0, "HI" }, { 1, "TIMER" }, { 2, "NET_TX" }, { 3, "NET_RX" }, { 9, "RCU" })}}
        local_timer_entry {312 {{int vector 4}} {"vector=%d", REC->vector}}
        hrtimer_expire_entry {313 {{void* hrtimer long} {s64 now 8} {void* function long}} {"hrtimer=%p function=%ps now=%llu", REC->hrtimer, REC->function, REC->now}}
        sys_enter_futex {314 {{int __syscall_nr 4} {u32* uaddr long} {int op long}} {"uaddr: 0x%08lx, op: 0x%08lx", ((unsigned long)(REC->uaddr)), ((unsigned long)(REC->op))}}
        sys_exit_futex {315 {{int __syscall_nr 4} {long ret long}} {"0x%lx", REC->ret}}
        my_event {316 {{int value 4}} {"value=%d", REC->value}}
    }
    # Those of the system ftrace.
    variable own {
        print {5 {{{unsigned long} ip long} {char buf rest}} {"%ps: %s", (void *)REC->ip, REC->buf}}
        bprint {6 {{{unsigned long} ip long} {{const char *} fmt long} {u32 buf rest}} {"%ps: %s", (void *)REC->ip, REC->fmt}}
        bputs {14 {{{unsigned long} ip long} {{const char *} str long}} {"%ps: %s", (void *)REC->ip, REC->str}}
    }
}

# ---- numbers ---------------------------------------------------------------------------------------------------------

# A file being made: a dict of order (i or I, as binary format has it), long, version, pack, events.
proc ::datFile::number {file size value} {
    set big [expr {[dict get $file order] eq "big"}]
    switch $size {
        long {return [number $file [dict get $file long] $value]}
        1 {binary format c $value}
        2 {binary format [expr {$big ? "S" : "s"}] $value}
        4 {binary format [expr {$big ? "I" : "i"}] [expr {$value & 0xffffffff}]}
        8 {binary format [expr {$big ? "W" : "w"}] $value}
        default {error "no number has $size bytes"}
    }
}

# The text with its length before it, in so many bytes.
proc ::datFile::counted {file size text} {
    return [number $file $size [string length $text]]$text
}

# ---- formats ---------------------------------------------------------------------------------------------------------

proc ::datFile::bytesOf {file size} {
    switch $size {
        long {dict get $file long}
        text {expr 4}
        rest {expr 0}
        default {set size}
    }
}

# Where a field begins: at a multiple of its size, as a compiler has it.
proc ::datFile::aligned {type size offset} {
    if {$type eq "char" || $size == 0} {return $offset}
    expr {($offset + $size - 1) / $size * $size}
}

proc ::datFile::fieldText {file field offset} {
    lassign $field type name size
    set signed [expr {$type in {int pid_t long s64}}]
    switch $size {
        text {set what "__data_loc $type\[\] $name"}
        rest {set what "$type $name\[\]"}
        default {set what [expr {$type eq "char" ? "$type $name\[$size\]" : "$type $name"}]}
    }
    return "\tfield:$what;\toffset:$offset;\tsize:[bytesOf $file $size];\tsigned:$signed;\n"
}

proc ::datFile::formatText {file name format} {
    lassign $format id fields print
    set text "name: $name\nID: $id\nformat:\n"
    set offset 0
    foreach field {
        {{unsigned short} common_type 2} {{unsigned char} common_flags 1} {{unsigned char} common_preempt_count 1}
        {int common_pid 4}
    } {
        append text [fieldText $file $field $offset]
        incr offset [lindex $field 2]
    }
    append text \n
    foreach field $fields {
        set size [bytesOf $file [lindex $field 2]]
        set offset [expr {[lindex $field 2] eq "text" ? [aligned u32 4 $offset]
            : [aligned [lindex $field 0] $size $offset]}]
        append text [fieldText $file $field $offset]
        incr offset $size
    }
    return "$text\nprint fmt: $print\n"
}

proc ::datFile::headerText {file} {
    variable page
    set long [dict get $file long]
    set data [expr {8 + $long}]
    return "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t\
        commit;\toffset:8;\tsize:$long;\tsigned:1;\n\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield:\
        char data;\toffset:$data;\tsize:[expr {$page - $data}];\tsigned:1;\n"
}

# ---- pages -----------------------------------------------------------------------------------------------------------

proc ::datFile::formatOf {event} {
    variable formats
    variable own
    expr {[dict exists $own $event] ? [dict get $own $event] : [dict get $formats $event]}
}

# The bytes of an event: the common fields, those of its format, and behind them the texts they point to.
proc ::datFile::eventBytes {file pid event values} {
    lassign [formatOf $event] id fields
    set bytes [number $file 2 $id][number $file 1 0][number $file 1 0][number $file 4 $pid]
    set waiting {}
    foreach field $fields value $values {
        lassign $field type name size
        set width [bytesOf $file $size]
        set offset [string length $bytes]
        set begin [expr {$size eq "text" ? [aligned u32 4 $offset] : [aligned $type $width $offset]}]
        append bytes [string repeat \0 [expr {$begin - $offset}]]
        if {$type eq "char"} {set value [encoding convertto utf-8 $value]}
        if {$size eq "text"} {
            lappend waiting $begin $value
            append bytes [number $file 4 0]
        } elseif {$size eq "rest"} {
            append bytes $value\0
        } elseif {$type eq "char"} {
            append bytes [string range $value[string repeat \0 $width] 0 $width-1]
        } else {
            append bytes [number $file $width $value]
        }
    }
    foreach {place value} $waiting {
        set where [expr {[string length $bytes] | ([string length $value] + 1) << 16}]
        set bytes [string replace $bytes $place $place+3 [number $file 4 $where]]
        append bytes $value\0
    }
    return $bytes[string repeat \0 [expr {-[string length $bytes] & 3}]]
}

# An event in the ring buffer: its length in words and the time since the one before, in one word; or longer with an own
# word for it.
proc ::datFile::ringBytes {file delta bytes} {
    set result {}
    if {$delta >= 1 << 27} {
        append result [headWord $file 30 [expr {$delta & (1 << 27) - 1}]][number $file 4 [expr {$delta >> 27}]]
        set delta 0
    }
    set words [expr {[string length $bytes] / 4}]
    if {$words <= 28} {return $result[headWord $file $words $delta]$bytes}
    return $result[headWord $file 0 $delta][number $file 4 [expr {4 + [string length $bytes]}]]$bytes
}

proc ::datFile::headWord {file type delta} {
    number $file 4 [expr {[dict get $file order] eq "big" ? $type << 27 | $delta : $delta << 5 | $type}]
}

# flags 1 << 31: events are lost before this page; 1 << 30: their number is behind the data.
proc ::datFile::pageBytes {file start data lost} {
    variable page
    set size [string length $data]
    if {$lost ne "no"} {
        set size [expr {$size | 1 << 31}]
        if {$lost ne {}} {
            set size [expr {$size | 1 << 30}]
            append data [number $file long $lost]
        }
    }
    set bytes [number $file 8 $start][number $file long $size]$data
    if {[string length $bytes] > $page} {error "a page has more than $page bytes; use {page}"}
    return $bytes[string repeat \0 [expr {$page - [string length $bytes]}]]
}

# The pages of one processor. entries: {page}, {lost N} begin a new one; others are events {time pid name word ...}.
proc ::datFile::cpuBytes {file entries} {
    set pages {}
    set data {}
    set lost no
    set start {}
    foreach entry $entries {
        switch [lindex $entry 0] {
            page - lost {
                if {$data ne {}} {append pages [pageBytes $file $start $data $lost]}
                set data {}
                set start {}
                set lost [expr {[lindex $entry 0] eq "lost" ? [lindex $entry 1] : "no"}]
            }
            raw {append data [lindex $entry 1]}
            default {
                lassign $entry time pid event
                if {$start eq {}} {set start [set last $time]}
                append data [ringBytes $file [expr {$time - $last}] \
                    [eventBytes $file $pid $event [lrange $entry 3 end]]]
                set last $time
            }
        }
    }
    if {$data ne {}} {append pages [pageBytes $file [expr {$start eq {} ? 0 : $start}] $data $lost]}
    return $pages
}

# ---- parts of the header ---------------------------------------------------------------------------------------------

proc ::datFile::partHeader {file} {
    return header_page\0[counted $file 8 [headerText $file]]header_event\0[counted $file 8 \
        "# compressed entry header\n"]
}

proc ::datFile::partOwn {file} {
    variable own
    set bytes [number $file 4 [dict size $own]]
    dict for {name format} $own {append bytes [counted $file 8 [formatText $file $name $format]]}
    return $bytes
}

proc ::datFile::partEvents {file} {
    variable formats
    set names [dict get $file events]
    set bytes [number $file 4 1]all\0[number $file 4 [llength $names]]
    foreach name $names {append bytes [counted $file 8 [formatText $file $name [dict get $formats $name]]]}
    return $bytes
}

proc ::datFile::partSymbols {file} {
    counted $file 4 "0000000000001000 T tick\n0000000000002000 T tracing_mark_write\n0000000000003000 T after\n"
}

proc ::datFile::partWords {file} {
    set text {}
    foreach {place words} [dict get $file words] {append text [format "0x%x : \"%s\"\n" $place $words]}
    counted $file 4 $text
}

proc ::datFile::partNames {file} {
    set text {}
    foreach {pid name} [dict get $file names] {append text "$pid $name\n"}
    counted $file 8 [encoding convertto utf-8 $text]
}

# ---- version 6 -------------------------------------------------------------------------------------------------------

proc ::datFile::option {file id content} {
    return [number $file 2 $id][counted $file 4 $content]
}

# What stands before the data of one buffer; places: where its processors' data are, {offset size} each.
proc ::datFile::tail6 {file places options} {
    set bytes [expr {$options eq {} ? {} : "options  \0$options[number $file 2 0]"}]flyrecord\0
    foreach place $places {append bytes [number $file 8 [lindex $place 0]][number $file 8 [lindex $place 1]]}
    return $bytes
}

# The clock of version 6 stands behind the table of processors, once more.
proc ::datFile::version6 {file cpus buffers} {
    variable page
    set head [partHeader $file][partOwn $file][partEvents $file][partSymbols $file][partWords $file][partNames $file]
    set head [dict get $file magic]$head[number $file 4 [llength $cpus]]
    set clock [dict get $file clock]
    # Sizes are known before offsets are: laid out once with zeros, then again.
    set offsets [lrepeat [expr {1 + [llength $buffers] / 2}] 0]
    set begin 0
    foreach round {1 2} {
        set options {}
        if {$clock ne {}} {append options [option $file 4 $clock]}
        foreach {name content} $buffers offset [lrange $offsets 1 end] {
            if {$name ne {}} {append options [option $file 3 [number $file 8 $offset]$name\0]}
        }
        set at [expr {($begin + $page - 1) / $page * $page}]
        set data {}
        set tails {}
        set tailAt [string length $head]
        set offsets {}
        foreach content [concat [list $cpus] [lmap {name content} $buffers {set content}]] {
            set places {}
            foreach entries $content {
                set bytes [cpuBytes $file $entries]
                lappend places [list [expr {$at + [string length $data]}] [string length $bytes]]
                append data $bytes
            }
            lappend offsets $tailAt
            set tail [tail6 $file $places [expr {$tails eq {} ? $options : {}}]]
            if {$tails eq {} && $clock ne {}} {append tail [counted $file 8 $clock]}
            append tails $tail
            incr tailAt [string length $tail]
        }
        set begin $tailAt
    }
    set head $head$tails
    return $head[string repeat \0 [expr {$at - [string length $head]}]]$data
}

# ---- version 7 -------------------------------------------------------------------------------------------------------

proc ::datFile::packed {bytes} {
    set path [file join [::tactus::test::tempDir] unpacked]
    set channel [open $path wb]
    puts -nonewline $channel $bytes
    close $channel
    set pipe [open [list |zstd -q -c $path] rb]
    try {read $pipe} finally {close $pipe}
}

proc ::datFile::section {file id content} {
    set flags 0
    if {[dict get $file pack]} {
        set flags 1
        set small [packed $content]
        set content [number $file 4 [string length $small]][number $file 4 [string length $content]]$small
    }
    return [number $file 2 $id][number $file 2 $flags][number $file 4 0][counted $file 8 $content]
}

# The data of a processor in pieces of two pages, where they are packed.
proc ::datFile::pieces {file bytes} {
    variable page
    if {![dict get $file pack] || $bytes eq {}} {return $bytes}
    set result {}
    set count 0
    for {set at 0} {$at < [string length $bytes]} {incr at [expr {2 * $page}]} {
        set piece [string range $bytes $at [expr {$at + 2 * $page - 1}]]
        set small [packed $piece]
        append result [number $file 4 [string length $small]][number $file 4 [string length $piece]]$small
        incr count
    }
    return [number $file 4 $count]$result
}

# A section of data, which begins at `at`, and the option that says where it is. {bytes option}
proc ::datFile::data7 {file at name cpus} {
    variable page
    set begin [expr {($at + 16 + $page - 1) / $page * $page}]
    set content [string repeat \0 [expr {$begin - $at - 16}]]
    set clock [expr {[regexp {\[(\S+)\]} [dict get $file clock] -> word] ? $word : "local"}]
    set option [number $file 8 $at]$name\0$clock\0[number $file 4 $page][number $file 4 [llength $cpus]]
    set cpu -1
    foreach entries $cpus {
        set bytes [pieces $file [cpuBytes $file $entries]]
        append option [number $file 4 [incr cpu]][number $file 8 \
            [expr {$at + 16 + [string length $content]}]][number $file 8 [string length $bytes]]
        append content $bytes
        append content [string repeat \0 [expr {-($at + 16 + [string length $content]) & ($page - 1)}]]
    }
    list [number $file 2 3][number $file 2 [dict get $file pack]][number $file 4 0][counted $file 8 $content] \
        [option $file 3 $option]
}

proc ::datFile::version7 {file cpus buffers} {
    set packing [expr {[dict get $file pack] ? "zstd\0001.5.4" : "none\0[dict get $file packing]"}]
    set bytes [dict get $file magic]$packing\0
    set place [string length $bytes]
    append bytes [number $file 8 0]
    set options [option $file 8 [number $file 4 [llength $cpus]]]
    if {[dict get $file clock] ne {}} {append options [option $file 4 [dict get $file clock]\0]}
    foreach {id part} {16 partHeader 17 partOwn 18 partEvents 19 partSymbols 20 partWords 21 partNames} {
        append options [option $file $id [number $file 8 [string length $bytes]]]
        append bytes [section $file $id [$part $file]]
    }
    foreach {name content} [concat [list {} $cpus] $buffers] {
        lassign [data7 $file [string length $bytes] $name $content] data option
        append bytes $data
        append options $option
    }
    append options [option $file 0 [number $file 8 0]]
    set bytes [string replace $bytes $place $place+7 [number $file 8 [string length $bytes]]]
    return $bytes[section $file 0 $options]
}

# ---- the whole -------------------------------------------------------------------------------------------------------

proc ::datFile::datFile {args} {
    variable page
    variable formats
    set file [dict merge \
        {-version 6 -order little -long 8 -pack 0 -packing {} -names {} -words {} -cpus {} -buffers {}
            -clock "\[local\] global"} \
            [list -events [dict keys $formats]] $args]
    set file [dict map {key value} $file {set value}]
    set plain {}
    dict for {key value} $file {dict set plain [string range $key 1 end] $value}
    set magic "\x17\x08\x44tracing[dict get $plain version]\0"
    append magic [binary format cc [expr {[dict get $plain order] eq "big"}] 8][number $plain 4 $page]
    dict set plain magic $magic
    [expr {[dict get $plain version] == 6 ? "version6" : "version7"}] $plain [dict get $plain cpus] \
        [dict get $plain buffers]
}

namespace import -force ::datFile::datFile
