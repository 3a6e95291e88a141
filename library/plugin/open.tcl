# plugin/open.tcl -- opening a trace with the formats, preprocessors and handlers of plugins:
#
#   file -> a format's -convert, if one knows it -> preprocessors -> tactus::open -> <TraceOpened> -> handlers
#        -> <TraceFinished>
#
# The program and the window call tactus::plugin::open in place of tactus::open. Without plugins it is tactus::open. The
# core has the file's name and asks for its conversion (-through), also when it is read again: following and reloading
# work as for any other file.

namespace eval ::tactus::plugin::core {
    variable strange    ;# trace -> 1: it is a stranger's
}

# tactus::plugin::open FILE ?-view VIEW? ?-option value ...?: the trace's command. -view: passed to handlers of
# <TraceOpened>; the other options are those of tactus::open.
proc ::tactus::plugin::core::openTrace {file args} {
    lassign [withoutView $args] view options
    # Plugins' code has nothing to do with files of strangers.
    if {[dict exists $options -untrusted] && [dict get $options -untrusted]} {
        set trace [::tactus::open $file {*}$options]
        variable strange
        set strange($trace) 1
        return $trace
    }
    set trace [::tactus::open $file {*}[withVocabulary [withConversion $file $options]]]
    try {
        handle $trace $view $options
    } on error {message options} {
        catch {$trace close}
        return -options $options $message
    }
    return $trace
}

# tactus::plugin::reload TRACE ?-view VIEW? ?-option value ...?: as $trace reload, and the handlers see the trace anew;
# 1 when the file had changed.
proc ::tactus::plugin::core::reloadTrace {trace args} {
    lassign [withoutView $args] view options
    set news [$trace reload {*}$options]
    variable strange
    if {$news && ![info exists strange($trace)]} {handle $trace $view $options}
    return $news
}

proc ::tactus::plugin::core::withoutView {options} {
    if {![dict exists $options -view]} {return [list {} $options]}
    list [dict get $options -view] [dict remove $options -view]
}

proc ::tactus::plugin::core::handle {trace view options} {
    fire <TraceOpened> $trace $view
    $trace replay {*}[dict filter $options key -progress]
    fire <TraceFinished> $trace
}

# ---- converting ------------------------------------------------------------------------------------------------------

# Options of tactus::open by which the file is read through the plugins' conversion, also when it is read again.
proc ::tactus::plugin::core::withConversion {file options} {
    set named [expr {[dict exists $options -format] ? [dict get $options -format] : {}}]
    set own [expr {$named in [lmap row [formatRows] {dict get $row name}]}]
    if {$own} {dict unset options -format}
    if {$named ne {} && !$own} {return $options}
    if {!$own && ![llength [preprocessorRows]] && ![mayConvert $file]} {return $options}
    dict set options -through [list ::tactus::plugin::core::makeText $named \
        [dict filter $options key -memorylimit]]
}

# Whether a format of a plugin knows the file. Of standard input that is not known before it is read (makeText).
proc ::tactus::plugin::core::mayConvert {file} {
    expr {$file eq "-" ? [llength [formatRows]] > 0 : [formatOf $file] ne {}}
}

proc ::tactus::plugin::core::preprocessorRows {} {
    variable preprocessors
    rowsOn $preprocessors
}

# Events and commands that plugins have given to traces.
proc ::tactus::plugin::core::withVocabulary {options} {
    set events [eventNames]
    set commands [commandNames]
    if {[llength $events]} {dict set options -events $events}
    if {[dict size $commands]} {dict set options -commands $commands}
    return $options
}

# The format of this name; without one, the first format that has the file's extension (or no extensions) and recognizes
# the file (or has no -recognize); {}: none. `nameless`: the file is a copy of standard input, which a format with
# extensions has to recognize.
proc ::tactus::plugin::core::formatOf {file {named {}} {nameless 0}} {
    set rows [formatRows]
    foreach row $rows {
        if {$named ne {} && [dict get $row name] eq $named} {return $row}
    }
    if {![llength $rows] || ![file isfile $file]} return
    set extension [string tolower [file extension [withoutPacking $file]]]
    set head {}
    foreach row $rows {
        dict with row {}
        if {[llength $extensions] && $extension ni $extensions && !($nameless && $recognize ne {})} continue
        if {$recognize eq {}} {return $row}
        if {$head eq {}} {set head [headOf $file]}
        if {[string is true -strict [guarded $plugin "recognizing $file" [list {*}$recognize $file $head]]]} {
            return $row
        }
    }
    return
}

# The first bytes of a file, unpacked; of one that is damaged there, as they are.
proc ::tactus::plugin::core::headOf {file} {
    try {bytesOf $file {} 4096} on error {} {::tactus::firstBytes $file 4096}
}

# The name without the ending of a packed file.
proc ::tactus::plugin::core::withoutPacking {file} {
    if {[string tolower [file extension $file]] in {.gz .xz .zst}} {file rootname $file} else {string cat $file}
}

# Makes a temporary file that is to be read as a trace: of standard input that no plugin changes, a copy as it is. An
# error here makes the opening fail. `limit`: the option of tactus::open that bounds what a packed file may hold, or {}.
proc ::tactus::plugin::core::makeText {named limit file} {
    if {$file ne "-"} {return [textOf $file [formatOf $file $named] $limit]}
    set copy [copyOfInput]
    set asItIs 0
    try {
        set format [formatOf $copy $named 1]
        set asItIs [expr {$format eq {} && ![llength [preprocessorRows]]}]
        if {$asItIs} {string cat $copy} else {textOf $copy $format $limit "standard input"}
    } finally {
        if {!$asItIs} {file delete $copy}
    }
}

proc ::tactus::plugin::core::copyOfInput {} {
    set channel [file tempfile path]
    try {
        chan configure stdin -translation binary
        chan configure $channel -translation binary
        chan copy stdin $channel
    } on error {message options} {
        file delete $path
        return -options $options $message
    } finally {
        close $channel
    }
    return $path
}

# Makes a temporary file with the text of a file as a format converts it ({}: as it is) and preprocessors change it.
proc ::tactus::plugin::core::textOf {file format limit {called {}}} {
    set preprocessors [preprocessorRows]
    set out [file tempfile path]
    fconfigure $out -encoding utf-8 -translation lf
    try {
        if {$format ne {}} {
            convert $format $file $limit $called $out
        } else {
            puts -nonewline $out [wholeText $file $limit]
        }
        if {[llength $preprocessors]} {
            seek $out 0
            set text [read $out]
            foreach row $preprocessors {set text [guardedText $row $text]}
            chan truncate $out 0
            seek $out 0
            puts -nonewline $out $text
        }
    } on error {message options} {
        close $out
        file delete $path
        return -options $options $message
    }
    close $out
    return $path
}

# Runs a converter, which writes to the channel, or returns the text, or both. `called`: what errors call the file; {}:
# by its name.
proc ::tactus::plugin::core::convert {format file limit called out} {
    dict with format {}
    set plain [plainFile $file $limit]
    set failed [catch {uplevel #0 [list {*}$convert $plain $out]} text options]
    if {$plain ne $file} {file delete $plain}
    if {$failed} {
        return -code error -errorcode {TACTUS PLUGIN CONVERT} \
            "[if {$called eq {}} {string cat "\"$file\""} else {string cat $called}] cannot be read as $name:\
                [failed $plugin $text $options "converting it"]"
    }
    puts -nonewline $out $text
}

# The file itself, or one with what a packed file holds, which the caller deletes. It has the name's ending.
proc ::tactus::plugin::core::plainFile {file limit} {
    if {![::tactus::isPacked $file]} {return $file}
    set in [::tactus::unpacked $file {*}$limit]
    set out [file tempfile path tactus[file extension [withoutPacking $file]]]
    chan configure $out -translation binary
    try {
        chan copy $in $out
    } on error {message options} {
        file delete $path
        return -options $options $message
    } finally {
        close $in
        close $out
    }
    return $path
}

# Runs a preprocessor over a text; one that fails leaves the text as it is.
proc ::tactus::plugin::core::guardedText {row text} {
    set plugin [dict get $row plugin]
    if {![catch {uplevel #0 [list {*}[dict get $row command] $text]} result options]} {return $result}
    tell "tactus: warning: [failed $plugin $result $options "its preprocessor"]"
    return $text
}

# The text of a trace, which may be packed.
proc ::tactus::plugin::core::wholeText {file limit} {
    encoding convertfrom utf-8 [bytesOf $file $limit]
}

# The bytes of a file, unpacked; `count`: so many at most.
proc ::tactus::plugin::core::bytesOf {file limit {count {}}} {
    set channel [::tactus::unpacked $file {*}$limit]
    try {read $channel {*}$count} finally {close $channel}
}

# ---- commands of traces ----------------------------------------------------------------------------------------------

# Runs a command that a plugin gave to traces: its words are data. The result is a list of commands of the trace
# language, each a list of words, that replace it.
proc ::tactus::plugin::core::traceCommand {name args} {
    variable commands
    if {![dict exists $commands $name]} return
    set plugin [dict get $commands $name plugin]
    if {![isOn $plugin]} return
    uplevel #0 [list {*}[dict get $commands $name prefix] {*}$args]
}
