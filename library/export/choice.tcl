# export/choice.tcl -- the choice made in the export dialog, as data: the exporter's options for it, and the command
# line that writes the same file. Nothing here needs Tk.
#
# A choice is a dict:
#   -OPTION VALUE       options of figures (tactus::describe export) as texts; an empty text is "not given"
#   range               all | view | selection | typed: range of time of the figure (typed: -from and -to)
#   rowsFrom            all | view | chosen | typed: its rows (typed: -rows)
#   file                its path
# The view gives the ranges and rows that these words stand for when the options are made (`facts`): a dict with the
# keys view {from to}, selection {from to} or {}, viewRows and chosenRows (lists of ids), decimals (of the trace).
#
#   figure::arguments choice facts                  the options for `$trace export FILE`
#   figure::commandLine choice facts trace open     the same as a line for a shell; open: options that the trace was
#                                                   opened with
#   figure::proposal trace format                   a name for the file
#
# The exporter checks the values: a bad one is passed to it and comes back as its message.

namespace eval ::tactus::player::figure {}

# A value of a dict, {} when it is not there.
proc ::tactus::player::figure::option {dict name} {
    if {[dict exists $dict $name]} {return [dict get $dict $name]}
    return
}

# ---- the options there are -------------------------------------------------------------------------------------------

proc ::tactus::player::figure::rows {} {
    variable rows
    if {![info exists rows]} {set rows [::tactus::describe export]}
    return $rows
}

proc ::tactus::player::figure::formats {} {
    variable formats
    if {![info exists formats]} {set formats [::tactus::describe formats]}
    return $formats
}

# The choice before the user has made one.
proc ::tactus::player::figure::defaults {} {
    set choice [dict create range view rowsFrom view file {} -format pdf]
    foreach row [rows] {
        dict with row {
            if {[dict exists $choice $name]} continue
            dict set choice $name [expr {$type eq "flag" ? 0 : $type eq "word" ? $default : {}}]
        }
    }
    return $choice
}

# A choice from a remembered one: options that are no longer there are dropped, new ones have their defaults. A typed
# range and typed rows are left out, since they belong to the trace for which they were typed.
proc ::tactus::player::figure::restored {remembered} {
    set choice [defaults]
    if {[catch {dict size $remembered}]} {return $choice}
    foreach row [rows] {
        dict with row {
            if {$name in {-from -to -rows -buffers-at} || ![dict exists $remembered $name]} continue
            set value [dict get $remembered $name]
            if {$type eq "flag" && ![string is boolean -strict $value]} continue
            if {$type eq "word" && $value ni $words} continue
            dict set choice $name $value
        }
    }
    foreach {key words} {range {all view selection} rowsFrom {all view}} {
        if {[dict exists $remembered $key] && [dict get $remembered $key] in $words} {
            dict set choice $key [dict get $remembered $key]
        }
    }
    if {[dict get $choice -format] ni [lmap format [formats] {dict get $format name}]} {dict set choice -format pdf}
    return $choice
}

# The part of a choice to be remembered: values other than the defaults.
proc ::tactus::player::figure::remembered {choice} {
    set defaults [defaults]
    dict filter $choice script {key value} {
        expr {$key ni {file -from -to -rows -buffers-at}
            && (![dict exists $defaults $key] || [dict get $defaults $key] ne $value)}
    }
}

# ---- formats and file names ------------------------------------------------------------------------------------------

# The format that belongs to the ending of a file's name; {}: none.
proc ::tactus::player::figure::formatOf {file} {
    set extension [string tolower [file extension $file]]
    foreach format [formats] {
        if {$extension in [dict get $format extensions]} {return [dict get $format name]}
    }
    return
}

proc ::tactus::player::figure::extensionOf {name} {
    foreach format [formats] {
        if {[dict get $format name] eq $name} {return [lindex [dict get $format extensions] 0]}
    }
    return
}

# The file's name for another format; an ending of no known format stays.
proc ::tactus::player::figure::withFormat {file format} {
    if {$file eq {} || [formatOf $file] eq $format} {return $file}
    if {[formatOf $file] ne {}} {set file [file rootname $file]}
    return $file[extensionOf $format]
}

# A path for the figure: beside the trace, where that directory can be written.
proc ::tactus::player::figure::proposal {trace format} {
    if {$trace in {{} -}} {return [file join [pwd] figure[extensionOf $format]]}
    set trace [file normalize $trace]
    set name [file tail $trace]
    if {[file extension $name] in {.gz .xz .zst}} {set name [file rootname $name]}
    set directory [file dirname $trace]
    if {![file writable $directory]} {set directory [pwd]}
    file join $directory [file rootname $name][extensionOf $format]
}

# ---- options ---------------------------------------------------------------------------------------------------------

# A time rounded to the decimals of the trace, ties to even, as the core does it. The program that runs the command line
# opens the trace anew, and with more decimals if a time had more.
proc ::tactus::player::figure::rounded {time decimals} {
    if {![regexp {^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d{1,3}))?$} $time -> sign whole fraction exponent]
            || "$whole$fraction" eq {}} {
        return $time
    }
    if {$exponent eq {}} {set exponent 0}
    scan $exponent %d exponent
    set cut [expr {[string length $fraction] - $exponent - $decimals}]
    if {$cut <= 0} {return $time}
    scan $whole$fraction %lld mantissa
    set unit [expr {10 ** min($cut, 60)}]
    set rest [expr {$mantissa % $unit * 2}]
    set mantissa [expr {$mantissa / $unit}]
    if {$rest > $unit || $rest == $unit && $mantissa % 2} {incr mantissa}
    set digits [string repeat 0 [expr {max(0, $decimals + 1 - [string length $mantissa])}]]$mantissa
    set text [string range $digits 0 end-$decimals]
    if {$decimals} {append text . [string range $digits end-[expr {$decimals - 1}] end]}
    if {$sign eq "-" && $mantissa != 0} {return -$text}
    return $text
}

# The range of time {from to} of a choice; {} stands for the trace's own ends.
proc ::tactus::player::figure::range {choice facts} {
    switch -- [dict get $choice range] {
        view - selection {
            set range [dict get $facts [dict get $choice range]]
            if {[llength $range] != 2} {
                return -code error -errorcode {TACTUS USAGE SELECTION} \
                    "nothing is selected: drag in the timeline, or choose another range"
            }
            return $range
        }
        typed {return [list [dict get $choice -from] [dict get $choice -to]]}
    }
    return {{} {}}
}

# An id as a pattern that only it matches.
proc ::tactus::player::figure::literal {id} {
    string map {\\ \\\\ * \\* ? \\? [ \\[ ] \\]} $id
}

proc ::tactus::player::figure::rowPatterns {choice facts} {
    switch -- [dict get $choice rowsFrom] {
        view {set ids [dict get $facts viewRows]}
        chosen {
            set ids [dict get $facts chosenRows]
            if {![llength $ids]} {return -code error -errorcode {TACTUS USAGE ROWS} "no row is chosen"}
        }
        typed {return [dict get $choice -rows]}
        default return
    }
    ::tactus::nameList [lmap id $ids {literal $id}]
}

proc ::tactus::player::figure::value {name choice facts} {
    switch -- $name {
        -from {return [rounded [lindex [range $choice $facts] 0] [dict get $facts decimals]]}
        -to {return [rounded [lindex [range $choice $facts] 1] [dict get $facts decimals]]}
        -buffers-at {return [rounded [dict get $choice -buffers-at] [dict get $facts decimals]]}
        -rows {return [rowPatterns $choice $facts]}
        -format {if {[formatOf [dict get $choice file]] eq [dict get $choice -format]} return}
        -resolution {if {[dict get $choice -format] ni {png ppm}} return}
    }
    option $choice $name
}

# The exporter's options for a choice, as words: those with values other than the exporter's defaults.
proc ::tactus::player::figure::arguments {choice facts} {
    set arguments {}
    foreach row [rows] {
        dict with row {
            set value [value $name $choice $facts]
            if {$type eq "flag"} {
                if {[string is true -strict $value]} {lappend arguments $name 1}
            } elseif {$value ne {} && $value ne $default} {
                lappend arguments $name $value
            }
        }
    }
    return $arguments
}

# ---- the command line ------------------------------------------------------------------------------------------------

# A word for a POSIX shell.
proc ::tactus::player::figure::quoted {word} {
    if {[regexp {^[[:alnum:]_./:=,+@%-]+$} $word]} {return $word}
    return '[string map {' '\\''} $word]'
}

# A path for a shell in the current directory: relative for a file below it, else absolute.
proc ::tactus::player::figure::place {file} {
    set file [file normalize $file]
    set here [string trimright [file normalize [pwd]] /]/
    if {[string equal -length [string length $here] $here $file]} {
        set file [string range $file [string length $here] end]
        if {[string index $file 0] eq "-"} {set file ./$file}
    }
    return $file
}

proc ::tactus::player::figure::isFlag {name} {
    foreach row [concat [rows] [::tactus::describe open]] {
        if {[dict get $row name] eq $name} {return [expr {[dict get $row type] eq "flag"}]}
    }
    return 0
}

proc ::tactus::player::figure::words {options} {
    set words {}
    dict for {name value} $options {
        if {![isFlag $name]} {
            lappend words -$name $value
        } elseif {[string is true -strict $value]} {
            lappend words -$name
        } else {
            lappend words -$name=no
        }
    }
    return $words
}

# The beginning of a command line that pipes the settings to the program, which reads them from -settings /dev/stdin.
proc ::tactus::player::figure::settingsPipe {settings} {
    set lines [lmap {name value} $settings {string cat $name " " [list $value]}]
    return "printf '%s\\n' [join [lmap line $lines {quoted $line}]] | "
}

proc ::tactus::player::figure::commandLine {choice facts trace openOptions} {
    set options [arguments $choice $facts]
    set line {}
    if {[dict exists $options -settings]} {
        set line [settingsPipe [dict get $options -settings]]
        dict set options -settings /dev/stdin
    }
    set opening [dict filter $openOptions script {name value} {
        expr {$name ni {-progress -name -decimals -handlers -follow}}
    }]
    # The mapping of a log as the import dialog opened it is in no file yet: the line names that which it proposes.
    set remark {}
    if {[dict exists $opening -maptext]} {
        set opening [dict replace [dict remove $opening -maptext] -map [place [file rootname $trace].map]]
        set remark "  # the mapping is to be saved first: File, Mapping, Of a Log"
    }
    set words [list tactus export {*}[words $opening] {*}[words $options] [place $trace] \
        [place [dict get $choice file]]]
    append line [join [lmap word $words {quoted $word}]] $remark
}
