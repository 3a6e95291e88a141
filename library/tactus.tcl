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
    variable keepsPlaces 0  ;# are the places of strangers' files asked for once, since the process ends soon?
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

# So many bytes of a file as they are. The name is normalized, since `open` takes one that begins with | for a command.
proc ::tactus::firstBytes {path count} {
    set channel [::open [file normalize $path] rb]
    try {read $channel $count} finally {close $channel}
}

# Is a file packed? tactus::unpacked reads it behind the walls, then; nothing else unpacks.
proc ::tactus::isPacked {path} {
    set head [firstBytes $path 6]
    foreach magic {"\x1f\x8b" "\xfd7zXZ" "\x28\xb5\x2f\xfd"} {
        if {[string match $magic* $head]} {return 1}
    }
    return 0
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
        set dir {}
        if {[info exists ::env($name)]} {set dir $::env($name)}
        # To Tcl a name that begins with ~ is absolute, and means another one.
        if {[file pathtype $dir] eq "absolute" && [string index $dir 0] ne "~"} {
            return [list [file join $dir {*}[file split $below] tactus] {}]
        }
    }
    list {} [expr {[info exists ::env(HOME)] ? "HOME is \"$::env(HOME)\", which is no absolute path"
        : "HOME is not set"}]
}

# What $XDG_CONFIG_HOME/tactus/untrusted says: {folders of files of strangers} {how files from elsewhere are opened}. A
# line is an absolute path, or "elsewhere confined|untrusted|plain"; # begins a comment. Any other line is an error: a
# folder passed over would not be watched.
proc ::tactus::trustSettings {} {
    lassign {{} confined} folders elsewhere
    set dir [lindex [userDirectory config] 0]
    set list [file join $dir untrusted]
    if {$dir eq {} || ![file exists $list]} {return [list $folders $elsewhere]}
    set number 0
    foreach line [split [contentText $list "list of folders"] \n] {
        set line [string trim $line]
        incr number
        if {$line eq {} || [string index $line 0] eq "#"} continue
        if {[regexp {^elsewhere\s+(confined|untrusted|plain)$} $line -> elsewhere]} continue
        if {[file pathtype $line] ne "absolute" || [string index $line 0] eq "~"} {
            return -code error -errorcode {TACTUS UNTRUSTED LINE} "$list:$number: \"$line\" is neither an absolute path\
                nor one of \"elsewhere confined\", \"elsewhere untrusted\", \"elsewhere plain\""
        }
        lappend folders $line
    }
    list $folders $elsewhere
}

# A path without links: Tcl leaves that of the last part, so there is one more.
proc ::tactus::resolved {path} {
    file dirname [file normalize [file join $path x]]
}

# Does a file lie below one of the folders? Links are followed, that of the file or of a folder itself, too.
proc ::tactus::liesBelow {file folders} {
    isBelow [resolved $file] [resolvedFolders $folders]
}

# The folders without links; those of which that is not known are left out.
proc ::tactus::resolvedFolders {folders} {
    lmap folder $folders {if {[catch {resolved $folder} folder]} continue; set folder}
}

# Does a path lie below one of the folders, all without links?
proc ::tactus::isBelow {path folders} {
    foreach folder $folders {
        if {[string equal -length [string length $folder/] $folder/ $path/]} {return 1}
    }
    return 0
}

# The desktop's folder of downloads (user-dirs.dirs(5)), in a list; empty: there is none.
proc ::tactus::downloadFolders {} {
    set home [expr {[info exists ::env(HOME)] ? [string trimright $::env(HOME) /] : {}}]
    set dir [lindex [userDirectory config] 0]
    set list [file join [file dirname $dir] user-dirs.dirs]
    set pattern {^\s*XDG_DOWNLOAD_DIR="(\$HOME)?(/[^"]*)"}
    if {$dir ne {} && [file isfile $list] && [file size $list] <= 100000
            && [regexp -line $pattern [contentText $list "list of folders"] -> own below]} {
        set folder [string trimright [expr {$own eq {} ? $below : "$home$below"}] /]
        return [if {$folder eq $home} {} else {list $folder}]   ;# the home itself stands for none
    }
    if {$home eq {}} {} else {list $home/Downloads}
}

# Where files of strangers are, and downloads, without links: {folders elsewhere downloads}, as of trustSettings.
proc ::tactus::strangePlaces {} {
    variable keepsPlaces
    variable places
    if {$keepsPlaces && [info exists places]} {return $places}
    lassign [trustSettings] folders elsewhere
    set places [list [resolvedFolders $folders] $elsewhere [if {$elsewhere ne "plain"} {
        resolvedFolders [downloadFolders]
    }]]
}

# The options of tactus::open that a file gets because of its place, with those that are given: {-untrusted yes} of a
# stranger, {-confined yes} from elsewhere, or none.
proc ::tactus::trustOf {file {given {}}} {
    if {$file eq "-" || [dict exists $given -untrusted] || [dict exists $given -confined]} return
    lassign [strangePlaces] folders elsewhere downloads
    set path [resolved $file]
    if {[isBelow $path $folders]} {return {-untrusted yes}}
    # Has a program brought the file here: a browser or downloader that marked it, or saved it where downloads are?
    if {$elsewhere eq "plain" || !([isMarked $file] || [isBelow $path $downloads])} return
    expr {$elsewhere eq "untrusted" ? {-untrusted yes} : {-confined yes}}
}

# Is it a file of a stranger?
proc ::tactus::isStrange {file {given {}}} {
    set all [dict merge $given [trustOf $file $given]]
    expr {[dict exists $all -untrusted] && [dict get $all -untrusted]}
}

# The option of commands that look at a file before it is opened, such as tactus::recognize.
proc ::tactus::confinement {file {given {}}} {
    set all [dict merge $given [trustOf $file $given]]
    foreach name {-untrusted -confined} {
        if {[dict exists $all $name] && [dict get $all $name]} {return {-confined yes}}
    }
}

# Why code is not taken from a directory or file: others could have written it. {}: it is taken. It and the directories
# that lead to it, those of links on the way too, belong to the user or root, and nobody else can write to them (to
# those with the sticky bit, not to what others own in them, nor by a link in them). A group of the user's own name has
# nobody else in it.
proc ::tactus::distrust {path} {
    if {[file pathtype $path] ne "absolute"} {return "\"$path\" is no absolute path"}
    if {$::tcl_platform(platform) ne "unix"} return
    set at /
    set parts [lrange [file split $path] 1 end]
    for {set links 0} 1 {} {
        set why [distrustPart $at [llength $parts]]
        if {$why ne {} || ![llength $parts]} {return $why}
        set parts [lassign $parts part]
        if {$part eq ".."} {set at [file dirname $at]; continue}
        if {[catch {file readlink [file join $at $part]} target]} {set at [file join $at $part]; continue}
        set why [distrustPart $at 0]
        if {$why ne {}} {return "$why, where \"[file join $at $part]\" is a link"}
        if {[incr links] > 40} {return "\"$path\" has too many links"}
        if {[file pathtype $target] eq "absolute"} {set at /}
        set parts [list {*}[lsearch -all -inline -not -exact [file split $target] /] {*}$parts]
    }
}

# The same of a file or directory that is no link, below which are so many others.
proc ::tactus::distrustPart {at below} {
    if {[catch {file attributes $at} attributes]} {return "\"$at\" cannot be looked at"}
    set me [list root $::tcl_platform(user)]
    set mode [dict get $attributes -permissions]
    set owner [dict get $attributes -owner]
    if {$owner ni $me} {return "\"$at\" belongs to $owner"}
    set sticky [expr {($mode & 01000) && $below}]
    if {!$sticky && ($mode & 02)} {return "everybody can write to \"$at\""}
    if {$sticky || !($mode & 020)} return
    if {[dict get $attributes -group] ni $me} {return "the group [dict get $attributes -group] can write to \"$at\""}
    if {[hasAccessList $at]} {return "others can write to \"$at\" by its access control list"}
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
