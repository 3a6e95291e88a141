# streamFile.tcl -- writes recordings of sensors by tactus_stream(5), so that tests know each byte of them; nothing here
# is the program's own. Sourced after helpers.tcl.
#
#   streamPacket kind body ?-option value ...?   a packet: magic, head and CRC before the body
#       -source n (identity: 1)  -sensor n (0)  -sequence n (0)  -first n -last n (0)  -count n (0)  -priority n (0)
#       -version n (1)  -size n, -check n: instead of the right ones
#   streamSource ?-option value ...?             SOURCE; options as above, and:
#       -kind n (1: program)  -clock n (0: nanoseconds)  -pid n (10)  -processors n (2)  -realtime n  -monotonic n (0)
#       -boot text (boot)  -name text (prog)  -machine text (box)
#   streamSensor name fields ?-option value ...? SENSOR; fields: {name type offset size} ..., types: u, i, f, text
#       -sensor n  -kind n (1: simple)  -size n (that of the fields)  -thread n (0)  -flags n (0: 1 is lasting)  -rank n
#       (0: its priority; -priority is the packet's)
#   streamElements sensor first elements ?...?   ELEMENTS: number of the first one; elements {time bytes} ...
#   streamPairs pairs ?...?                      PAIRS: {counter nanoseconds} ...
#   streamLost sensor sequence packets elements ?-bytes n (1000) ...?
#   streamEnd how status ?...?
#   streamSealed bytes                           packets, whose checks are made right as far as their sizes are
#   streamVocabulary ?...?                       SENSOR of tactus.objects (0) and tactus.events (1)
#   streamObject id kind ?-of n -thread n -name text?, streamEvent code processor object subject value
#                                                bytes of their elements
#   u4 n ..., u8 n ..., f8 x ...                 bytes of numbers

namespace eval ::streamFile {
    namespace export streamSealed streamPacket streamSource streamSensor streamElements streamPairs streamLost \
        streamEnd streamVocabulary streamObject streamEvent u4 u8 f8
    variable magic "\x89TacS\r\n\x1a"
    variable kinds {source 1 sensor 2 elements 3 pairs 4 lost 5 end 6}
    variable types {u 1 i 2 f 3 text 4}
    # tactusrec_trace(3), ELEMENTS
    variable objects {{id u 0 4} {kind u 4 4} {of u 8 4} {thread u 12 4} {priority i 16 4} {processor u 20 2}
        {flags u 22 2} {period u 24 8} {deadline u 32 8} {budget u 40 8} {capacity u 48 8} {name text 56 64}
        {group text 120 32} {color text 152 24}}
    variable events {{code u 0 2} {processor u 2 2} {object u 4 4} {subject u 8 8} {value i 16 8}}
}

proc ::streamFile::u4 {args} {binary format i* $args}
proc ::streamFile::u8 {args} {
    # 64 bits, also of numbers from 2^63 on
    binary format w* [lmap n $args {expr {$n > 0x7fffffffffffffff ? $n - (1 << 64) : $n}}]
}
proc ::streamFile::f8 {args} {binary format q* $args}

# A text of so many bytes with zeros behind it.
proc ::streamFile::text {string bytes} {
    binary format a$bytes [encoding convertto utf-8 $string]
}

proc ::streamFile::option {options name default} {
    if {[dict exists $options $name]} {return [dict get $options $name]}
    return $default
}

proc ::streamFile::streamPacket {kind body args} {
    variable magic
    variable kinds
    if {[dict exists $kinds $kind]} {set kind [dict get $kinds $kind]}
    append body [string repeat \0 [expr {-[string length $body] % 8}]]
    set first [option $args -first 0]
    set head [binary format ss [option $args -version 1] $kind][u4 [option $args -sensor 0]]
    append head [u8 [option $args -source 1] [option $args -sequence 0] $first [option $args -last $first]]
    append head [u4 [option $args -count 0] [option $args -priority 0]]
    set check [option $args -check [zlib crc32 $head$body]]
    set size [option $args -size [expr {16 + [string length $head$body]}]]
    return $magic[u4 $size $check]$head$body
}

proc ::streamFile::streamSource {args} {
    set body [u4 [option $args -kind 1] [option $args -clock 0] [option $args -pid 10] [option $args -processors 2]]
    append body [u8 [option $args -realtime 0] [option $args -monotonic 0]]
    append body [text [option $args -boot boot] 16] [text [option $args -name prog] 64]
    append body [text [option $args -machine box] 64]
    streamPacket source $body {*}$args
}

proc ::streamFile::streamSensor {name fields args} {
    variable types
    set size 0
    set said {}
    foreach field $fields {
        lassign $field fieldName type offset bytes
        if {$offset + $bytes > $size} {set size [expr {$offset + $bytes}]}
        if {[dict exists $types $type]} {set type [dict get $types $type]}
        append said [text $fieldName 40] [u4 $type] [binary format ss $offset $bytes]
    }
    set body [u4 [option $args -kind 1] [option $args -size $size] [llength $fields] \
        [option $args -rank 0] [option $args -thread 0] [option $args -flags 0]]
    append body [u8 0 0 0 0] [text $name 64] [text {} 64] $said
    # -kind is the sensor's, the packet's is in its name
    streamPacket sensor $body {*}[dict remove $args -kind -size]
}

proc ::streamFile::streamElements {sensor first elements args} {
    set begin [tcl::mathfunc::min {*}[lmap element $elements {lindex $element 0}]]
    set last [tcl::mathfunc::max {*}[lmap element $elements {lindex $element 0}]]
    set body [u8 $first]
    foreach element $elements {append body [u4 [expr {[lindex $element 0] - $begin}]] [lindex $element 1]}
    streamPacket elements $body -sensor $sensor -first $begin -last $last -count [llength $elements] {*}$args
}

proc ::streamFile::streamPairs {pairs args} {
    streamPacket pairs [u8 {*}[concat {*}$pairs]] -count [llength $pairs] {*}$args
}

proc ::streamFile::streamLost {sensor sequence packets elements args} {
    streamPacket lost [u8 $elements [option $args -bytes 1000]] -sensor $sensor -sequence $sequence \
        -count $packets {*}$args
}

proc ::streamFile::streamEnd {how status args} {
    streamPacket end [u4 $how $status][text {} 64] {*}$args
}

proc ::streamFile::streamVocabulary {args} {
    variable objects
    variable events
    append both [streamSensor tactus.objects $objects -flags 1 -kind 2 {*}$args]
    append both [streamSensor tactus.events $events -sensor 1 {*}$args]
}

proc ::streamFile::streamObject {id kind args} {
    set numbers [u4 $id $kind [option $args -of 0] [option $args -thread 0]]
    return $numbers[string repeat \0 40][text [option $args -name {}] 64][string repeat \0 56]
}

proc ::streamFile::streamEvent {code processor object subject value} {
    return [binary format ss $code $processor][u4 $object][u8 $subject $value]
}

proc ::streamFile::streamSealed {bytes} {
    variable magic
    for {set at 0} {[string range $bytes $at $at+7] eq $magic} {incr at $size} {
        binary scan $bytes @[expr {$at + 8}]iu size
        if {$size < 64 || $at + $size > [string length $bytes]} break
        set check [zlib crc32 [string range $bytes $at+16 [expr {$at + $size - 1}]]]
        set bytes [string replace $bytes $at+12 $at+15 [u4 $check]]
    }
    return $bytes
}

namespace import -force ::streamFile::*
