# tactus.tcl -- the package: loads the core, which makes the commands tactus::open, openText, describe, version and
# vocabulary (tactus(n)).
#
# The package index sets ::tactus::library, the directory of these files, and ::tactus::binary, the core's shared
# library. Nothing else is read here, so that the program starts within milliseconds. Every other file is read by
# `need`, called in the file that uses it.

namespace eval ::tactus {
    namespace export open openText describe version vocabulary
    variable library
    variable binary
    variable parts {}   ;# files that have been read: dict of name -> 1
}

load $::tactus::binary Tactus

# Reads files of the library, once each: their paths below it without the extension, such as player/view.
proc ::tactus::need {args} {
    variable library
    variable parts
    foreach name $args {
        if {[dict exists $parts $name]} continue
        # Noted before it is read, since two files may need one another.
        dict set parts $name 1
        try {
            uplevel #0 [list source -encoding utf-8 [file join $library $name.tcl]]
        } on error {message options} {
            dict unset parts $name
            return -options $options $message
        }
    }
}

# The text of a small plain file, with plain newlines; `noun` says in errors what it is. The name is taken as it is,
# while `open` takes one that begins with | for a command, and with ~ for a home.
proc ::tactus::contentText {path noun} {
    string map {\r\n \n} [encoding convertfrom utf-8 [contents $path $noun]]
}

# The user's directory for one kind of files: plugins (data), preferences (config), sessions (state). The result is
# {directory problem}; without a directory the problem says why. Only absolute paths count, since anybody may have
# written files into the current directory.
#
# Every use of such a directory asks this procedure (https://specifications.freedesktop.org/basedir-spec).
proc ::tactus::userDirectory {kind} {
    lassign [dict get {
        config {XDG_CONFIG_HOME .config} data {XDG_DATA_HOME .local/share} state {XDG_STATE_HOME .local/state}
    } $kind] variable place
    foreach {name below} [list $variable {} HOME $place] {
        set dir [expr {[info exists ::env($name)] ? $::env($name) : {}}]
        # To Tcl a name that begins with ~ is absolute, and means another one.
        if {[file pathtype $dir] eq "absolute" && [string index $dir 0] ne "~"} {
            return [list [file join $dir {*}[file split $below] tactus] {}]
        }
    }
    list {} [expr {[info exists ::env(HOME)] ? "HOME is \"$::env(HOME)\", which is no absolute path"
        : "HOME is not set"}]
}

# Does a file lie in a folder of files of strangers? $XDG_CONFIG_HOME/tactus/untrusted names such folders, one a line; #
# begins a comment.
proc ::tactus::isStrange {file} {
    set dir [lindex [userDirectory config] 0]
    set list [file join $dir untrusted]
    if {$dir eq {} || $file eq "-" || ![file isfile $list] || [file size $list] > 100000} {return 0}
    set channel [::open $list]
    fconfigure $channel -encoding utf-8
    set folders [split [read $channel] \n]
    close $channel
    set path [file normalize [file join $file .]]
    foreach folder $folders {
        set folder [string trim $folder]
        if {$folder eq {} || [string index $folder 0] eq "#"} continue
        if {[file pathtype $folder] ne "absolute" || [catch {file normalize [file join $folder .]} folder]} continue
        if {[string equal -length [string length $folder/] $folder/ $path/]} {return 1}
    }
    return 0
}

# Why code is not taken from a directory or file: others could have written it. {}: it is taken. It and the directories
# above it belong to the user or root, and nobody else can write to them (to those with the sticky bit, not to what
# others own in them). A group of the user's own name has nobody else in it.
proc ::tactus::distrust {path} {
    if {[file pathtype $path] ne "absolute"} {return "\"$path\" is no absolute path"}
    if {$::tcl_platform(platform) ne "unix"} return
    set path [file normalize $path]     ;# without links, but for the last part
    for {set i 0} {$i < 40 && ![catch {file readlink $path} target]} {incr i} {
        set why [distrust [file dirname $path]]
        if {$why ne {}} {return $why}
        set path [file normalize [file join [file dirname $path] $target]]
    }
    set me [list root $::tcl_platform(user)]
    for {set at $path} 1 {set at [file dirname $at]} {
        if {[catch {file attributes $at} attributes]} {return "\"$at\" cannot be looked at"}
        set mode [dict get $attributes -permissions]
        set owner [dict get $attributes -owner]
        if {$owner ni $me} {return "\"$at\" belongs to $owner"}
        set sticky [expr {($mode & 01000) && $at ne $path}]
        if {!$sticky && ($mode & 02)} {return "everybody can write to \"$at\""}
        if {!$sticky && ($mode & 020) && [dict get $attributes -group] ni $me} {
            return "the group [dict get $attributes -group] can write to \"$at\""
        }
        if {$at eq [file dirname $at]} return
    }
}

# The user's directory of plugins: a list of one directory, or none.
proc ::tactus::userPlugins {} {
    lmap dir [lrange [userDirectory data] 0 0] {if {$dir eq {}} continue; file join $dir plugins}
}

# A list as the text of a list of names, which tactus::names takes apart again: commas of a name are within braces or
# behind backslashes.
proc ::tactus::nameList {names} {
    join [lmap name $names {
        set word [list $name]
        if {[string first , $name] < 0 || [string index $word 0] eq "\{"} {set word} elseif {$word eq $name} {
            string cat \{ $name \}
        } else {
            string map {, \\,} $word
        }
    }]
}
