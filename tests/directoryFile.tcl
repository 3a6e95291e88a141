# directoryFile.tcl -- writes directories of sensors as files, by the structures of tactusrec.h, so that tests know each
# byte of them; nothing here is the program's own. Sourced after streamFile.tcl.
#
#   directoryFile sensors ?-option value ...?    a directory with these sensors, each made by directorySensor
#       -clock n (0: nanoseconds)  -pid n (10)  -program text (prog)  -pairs {{counter nanoseconds} ...}
#       -size n, -headSize n, -entries n, -entryCount n, -pairCount n: instead of the right ones
#   directorySensor name fields elements ?-option value ...?
#       fields as those of streamSensor, elements {time bytes} ...
#       -kind n (1: simple)  -size n (that of the fields)  -capacity n (one more than elements; concurrent: a power of
#       two)  -ring n (offset: its own place)  -written n (that of the elements)  -first n (0)  -lasting n (0)
#       -state n (1: ready)  -owners {{thread first} ...}

namespace eval ::directoryFile {
    namespace path ::streamFile
    namespace export directoryFile directorySensor
    variable headSize 1152
    variable entrySize 1088
    variable pairs 64
}

proc ::directoryFile::padded {bytes size} {
    string cat $bytes [string repeat \0 [expr {-[string length $bytes] % $size}]]
}

proc ::directoryFile::directorySensor {name fields elements args} {
    list $name $fields $elements $args
}

# Bytes of an element with its turn, which concurrent sensors have.
proc ::directoryFile::element {turn element} {
    lassign $element time bytes
    return [u8 $turn $time][padded $bytes 8]
}

# The ring: its counter, and elements at their places; in a concurrent one neighbours lie apart.
proc ::directoryFile::ring {kind capacity size elements options} {
    set count [llength $elements]
    set places [lrepeat $capacity [element 0 [list 0 [string repeat \0 $size]]]]
    for {set n 0} {$n < $count} {incr n} {
        set place [expr {($kind == 2 ? 13 * $n : $n) % $capacity}]
        lset places $place [element [expr {$kind == 2 ? 2 * $n + 2 : 0}] [lindex $elements $n]]
    }
    return [padded [u8 [option $options -written $count] 0 0] 64][join $places {}]
}

proc ::directoryFile::entry {sensor ring} {
    variable entrySize
    lassign $sensor name fields elements options
    dict with ring {}
    set types {u 1 i 2 f 3 text 4}
    set entry [u4 [option $options -state 1] $kind $size $stride $capacity [llength $fields] 0 0 \
        [option $options -lasting 0] 0]
    append entry [u8 [option $options -ring $at] [option $options -first 0] 0 0 0 0][text $name 48][text {} 48]
    for {set i 0} {$i < 16} {incr i} {
        lassign [lindex $fields $i] fieldName type offset bytes
        if {$i >= [llength $fields]} {lassign {{} u 0 0} fieldName type offset bytes}
        append entry [text $fieldName 40][u4 [dict get $types $type]][binary format ss $offset $bytes]
    }
    set owned [option $options -owners {}]
    append entry [u4 0 [llength $owned]]
    foreach owner $owned {
        lassign $owner thread first
        append entry [u4 $thread][u8 $first][u4 0]
    }
    return $entry[string repeat \0 [expr {$entrySize - [string length $entry]}]]
}

# Where the ring of a sensor is, and its bytes.
proc ::directoryFile::ringOf {sensor at} {
    lassign $sensor name fields elements options
    set size 0
    foreach field $fields {set size [expr {max($size, [lindex $field 2] + [lindex $field 3])}]}
    set size [option $options -size $size]
    set kind [option $options -kind 1]
    set capacity [expr {[llength $elements] + 1}]
    for {set power 2} {$power < $capacity} {incr power $power} {}
    set capacity [option $options -capacity [expr {$kind == 2 ? $power : max($capacity, 2)}]]
    dict create at $at kind $kind size $size capacity $capacity stride [expr {16 + ($size + 7) / 8 * 8}] \
        bytes [expr {[dict exists $options -ring] ? {} : [padded [ring $kind $capacity $size $elements $options] 64]}]
}

proc ::directoryFile::directoryFile {sensors args} {
    variable headSize
    variable entrySize
    variable pairs
    set at [expr {$headSize + ([llength $sensors] * $entrySize + 63) / 64 * 64}]
    set entries {}
    set rings {}
    foreach sensor $sensors {
        set ring [ringOf $sensor $at]
        append entries [entry $sensor $ring]
        append rings [dict get $ring bytes]
        incr at [string length [dict get $ring bytes]]
    }
    set count [llength $sensors]
    set known [option $args -pairs {}]
    set head "TACTREC\0[u4 1 [option $args -headSize $headSize]][u8 [option $args -size $at]]"
    append head [u4 [expr {$at / 64}] [option $args -clock 0] [option $args -pid 10] [option $args -entries $count] \
        [option $args -entryCount $count] [option $args -pairCount [llength $known]]]
    append head [text [option $args -program prog] 48] [u8 {*}[concat {*}$known]]
    append head [string repeat \0 [expr {16 * ($pairs - [llength $known])}]] [text boot 16]
    return [padded $head 64][padded $entries 64]$rings
}

namespace import -force ::directoryFile::*
