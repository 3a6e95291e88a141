# cli/plugins.tcl -- the program's plugins: loading them for a subcommand, and their options.
#
# The window loads all of them, `check` all but those of the package that have views only. The other subcommands start
# within milliseconds, so they load those that can matter to them: the user's own, and those named by --plugins.

namespace eval ::tactus::cli {
    # plugins that could not be loaded: list of {name message named}; named: is it one of --plugins?
    variable notLoaded {}
    variable untrusted 0    ;# does the command line say --untrusted?
    variable views {buffers distribution stacked}   ;# plugins of the package that have views and nothing else
    variable leftOut {}     ;# those of them that the subcommand does without
}

# Do the words, which are not parsed yet, say --untrusted? 1, or 0 by --untrusted=no; {}: nothing of it. Any beginning
# of the option counts, as it may be abbreviated, and wherever it stands: where it is another option, or a word of
# another one, no more than the user's plugins are missing.
proc ::tactus::cli::saysUntrusted {words} {
    set says {}
    foreach word $words {
        if {$word eq "--"} break
        if {![regexp {^--?(u\w*)(?:=(.*))?$} $word -> name value] || ![string match $name* untrusted]} continue
        if {![string is false -strict $value]} {return 1}
        set says 0
    }
    return $says
}

# Is one of the words, or what stands behind the = of one, a file of a stranger, or a folder above one of such files?
proc ::tactus::cli::nameStranger {words} {
    lassign [::tactus::trustSettings] folders elsewhere
    if {$elsewhere eq "untrusted"} {lappend folders {*}[::tactus::downloadFolders]}
    if {![llength $folders] && $elsewhere ne "untrusted"} {return 0}
    foreach word $words {
        foreach file [list $word [regsub {^--?[^=]+=} $word {}]] {
            if {![file exists [set file [asItIs $file]]]} continue
            if {[::tactus::isStrange $file]} {return 1}
            if {![file isdirectory $file]} continue
            foreach folder $folders {
                if {[::tactus::liesBelow $folder [list [::tactus::resolved $file]]]} {return 1}
            }
        }
    }
    return 0
}

proc ::tactus::cli::pluginRow {} {
    row -plugins names NAMES {} "plugins to load besides those of the plugin directories: names or files"
}

# The names given by --plugins among the words, which are not parsed yet, since plugins define options.
proc ::tactus::cli::namedPlugins {words} {
    set named {}
    for {set i 0} {$i < [llength $words]} {incr i} {
        set word [lindex $words $i]
        if {$word eq "--"} break
        if {[regexp {^--?pl(?:u(?:g(?:i(?:ns?)?)?)?)?=(.*)$} $word -> value]} {
            lappend named $value
        } elseif {[regexp {^--?pl(?:u(?:g(?:i(?:ns?)?)?)?)?$} $word]} {
            lappend named [lindex $words [incr i]]
        }
    }
    set row [pluginRow]
    concat {*}[lmap value $named {::tactus::names [checked {} $row $value]}]
}

# Files of the user's plugins, but for those that others could have written.
proc ::tactus::cli::userPlugins {} {
    set files {}
    foreach dir [::tactus::userPlugins] {
        foreach file [glob -nocomplain -types f -directory $dir *.tcl] {
            set why [::tactus::distrust $file]
            if {$why eq {}} {lappend files $file; continue}
            say [visibleLine "tactus: warning: the plugin \"$file\" is not loaded: $why"]
        }
    }
    return $files
}

# Loads the plugins for these words. all: also those of the directories.
proc ::tactus::cli::usePlugins {words all} {
    variable notLoaded
    set says [saysUntrusted $words]
    variable untrusted [expr {$says eq {} ? [nameStranger $words] : $says}]
    set named [namedPlugins $words]
    if {$untrusted} {
        if {[llength $named]} {usageError {} "--plugins is not for files of strangers (--untrusted)"}
        if {!$all} return
        ::tactus::need plugin/plugin
        set ::tactus::plugin::core::bundledOnly 1
    }
    # A service has no HOME and so no plugins; a HOME that is no absolute path is a mistake and is reported.
    lassign [::tactus::userDirectory data] dir problem
    if {$dir eq {} && [info exists ::env(HOME)]} {
        say [visibleLine "tactus: warning: $problem: the plugins below it are not loaded"]
    }
    set own [expr {$all || $untrusted ? {} : [userPlugins]}]
    if {!$all && ![llength $named] && ![llength $own]} return
    ::tactus::need plugin/plugin
    variable leftOut
    set ::tactus::plugin::core::leftOut $leftOut
    ::tactus::plugin::prescan $words
    set ::tactus::plugin::say ::tactus::cli::say
    set chosen [expr {$all ? [list -also $named] : [list -only [concat $own $named]]}]
    set bad [::tactus::plugin::loadAll {*}$chosen]
    set namedNames [lmap word $named {::tactus::plugin::core::nameOf $word}]
    foreach plugin [::tactus::plugin::list] {
        set name [dict get $plugin name]
        if {$name ni $bad} continue
        say "tactus: warning: [visibleLine [dict get $plugin message]]"
        lappend notLoaded [list $name [dict get $plugin message] [expr {$name in $namedNames}]]
    }
}

# Rows of the options that plugins have defined.
proc ::tactus::cli::pluginRows {} {
    if {[info commands ::tactus::plugin::options] eq {}} return
    lmap row [::tactus::plugin::options] {dict merge {type text words {} default {} argument VALUE help {}} $row}
}

# Sets the options of plugins from the parsed words. The values that plugins got when they were loaded were unchecked,
# and their names perhaps abbreviated.
proc ::tactus::cli::givePlugins {options} {
    foreach row [pluginRows] {
        set name [dict get $row name]
        if {[dict exists $options $name]} {::tactus::plugin::option $name [dict get $options $name]}
    }
}
