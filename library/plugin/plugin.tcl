# plugin/plugin.tcl -- plugins: Tcl files that add event handlers, checks, options, menus, views, formats
# (tactus_plugin(n)).
#
#       FILE -> ::tactus::plugins::NAME (a namespace of its own) -> rows that it registers, in tables here
#            -> the replay (tactus::hook), the window, the command line and the opening of traces read the tables
#
# Four namespaces, so that no word of the interface covers a Tcl command that the implementation uses:
#   ::tactus::plugin             the commands for the program: loadAll, load, unload, list, fire, open, options ...
#   ::tactus::plugin::core       the implementation and its tables
#   ::tactus::plugin::api        the words that a plugin may use as they are: on, option, menu ... (plugin/words.tcl)
#   ::tactus::plugin::published  those of the published player: addEventHandler ... (plugin/published.tcl)
#
# A plugin's namespace has the last two in its path, and takes an unknown command for an object of the trace ($job
# state). Plugins are trusted code, loaded only from the directories and files that the user names, never because a
# trace names one.
#
# P1  All that a plugin registers has its name, and is removed with it (core::drop).
# P2  An error in a plugin switches off that plugin and nothing else; it is reported once, with the plugin's file and
#     line.

namespace eval ::tactus::plugin {
    namespace eval core {
        variable bundledOnly 0          ;# 1: no plugins but those of the package (--untrusted)
        variable leftOut {}             ;# plugins of the package that are loaded only where they are named
        variable passed {}              ;# sentences about plugins that were passed over: dict of sentence -> 1
        variable plugins {}             ;# name -> dict name title help version file state message
        variable places                 ;# full name of a procedure -> {file line} of its definition
        array set places {}
        variable handlerLines {}        ;# {plugin event} -> line of the plugin where the handler was registered
        variable parts {}               ;# plugin -> dict of the names of its other files that were read
        variable loading {}             ;# the plugin whose file is being read
        variable registered {}          ;# its handlers so far: words for tactus::hook add
        variable listeners {}           ;# player event -> list of {plugin prefix}
        variable events {}              ;# name of an event that plugins define -> dict types plugin
        variable commands {}            ;# name of a command for traces -> dict prefix plugin
        variable options {}             ;# name -> dict name type argument words default help plugin published
        variable values {}              ;# option -> value given
        variable menus {}               ;# list of dicts path command key plugin
        variable views {}               ;# name -> dict name title create side figure options help plugin
        variable formats {}             ;# name -> dict name extensions recognize convert plugin
        variable preprocessors {}       ;# list of dicts command plugin
    }
    namespace eval api {}
    namespace eval published {}

    variable exit ::exit                ;# prefix that ends the program with a status: _exit
    variable say {}                     ;# prefix that is called with messages; {}: they go to standard error
    variable select {}                  ;# prefix that selects jobs in a view of the window; {}: there is no window
    # prefix that is called when a plugin was loaded, is unloaded or was switched; {}: none
    variable changed {}
}
namespace eval ::tactus::plugins {}

::tactus::need plugin/words plugin/open plugin/view plugin/published

# ---- doors -----------------------------------------------------------------------------------------------------------

# The commands tactus::plugin::X are procedures core::Y; the names on the left may be those of Tcl commands.
foreach {door proc} {
    load loadFile unload unload loadAll loadAll list described fire fire
    options optionRows option setOption prescan prescan
    views viewRows menus menuRows formats formatRows open openTrace reload reloadTrace
    events eventNames commands commandNames
    figure exportFigure drawFigure drawFigure figureRows figureRows figureViews figureViews
    switch switchPlugin handlerFailed handlerFailed directories directories
} {
    proc ::tactus::plugin::$door args "tailcall ::tactus::plugin::core::$proc {*}\$args"
}

# ---- which plugin, which line ----------------------------------------------------------------------------------------

# The plugin of a namespace; for one outside of the plugin's own, the plugin whose file is being read.
proc ::tactus::plugin::core::pluginOf {namespace} {
    variable loading
    if {[regexp {^::tactus::plugins::([^:]+)} $namespace -> name]} {return $name}
    return $loading
}

# The line of the plugin's file that is being evaluated, or 0.
proc ::tactus::plugin::core::sourceLine {file} {
    for {set level [info frame]} {$level > 0} {incr level -1} {
        set frame [info frame $level]
        if {[dict exists $frame file] && [dict get $frame file] eq $file} {return [dict get $frame line]}
    }
    return 0
}

# The place {file line} of an error by its errorInfo: the innermost one that is known; {}: none.
proc ::tactus::plugin::core::placeOf {plugin errorInfo} {
    variable places
    foreach text [split $errorInfo \n] {
        if {[regexp {^    \(procedure "([^"]*)" line (\d+)\)$} $text -> name line]} {
            if {![string match ::* $name]} {set name ::tactus::plugins::${plugin}::$name}
            if {[info exists places($name)]} {
                lassign $places($name) file first
                return [list $file [expr {$first + $line - 1}]]
            }
        } elseif {[regexp {^    \(file "([^"]*)" line (\d+)\)$} $text -> file line]} {
            return [list $file $line]
        }
    }
    return {}
}

# ---- errors ----------------------------------------------------------------------------------------------------------

proc ::tactus::plugin::core::tell {text} {
    variable ::tactus::plugin::say
    if {$say ne {} && ![catch {uplevel #0 [list {*}$say $text]}]} return
    catch {puts stderr [::tactus::visible::message $text]}
}

# Switches a plugin off because of an error; the result is the message.
proc ::tactus::plugin::core::failed {plugin message options {what {}} {line 0}} {
    variable plugins
    set info [expr {[dict exists $options -errorinfo] ? [dict get $options -errorinfo] : {}}]
    set place [placeOf $plugin $info]
    set file [expr {[dict exists $plugins $plugin file] ? [dict get $plugins $plugin file] : {}}]
    if {![llength $place] && $file ne {}} {set place [list $file $line]}
    set where [expr {[llength $place] ? [lindex $place 1] ? [join $place :] : [lindex $place 0] : "plugin $plugin"}]
    set text "$where: $message"
    if {$what ne {}} {append text " (in $what)"}
    if {[dict exists $plugins $plugin]} {
        dict set plugins $plugin state failed
        dict set plugins $plugin message $text
    }
    ::tactus::hook switch $plugin no
    return "$text; the plugin \"$plugin\" is switched off"
}

# Switches off a plugin whose handler failed; called by the replay. The result is the text of the remark.
proc ::tactus::plugin::core::handlerFailed {plugin event message options} {
    variable handlerLines
    set key [list $plugin $event]
    set line [expr {[dict exists $handlerLines $key] ? [dict get $handlerLines $key] : 0}]
    failed $plugin $message $options "its handler of $event" $line
}

# Calls `changed`, so that the window reads the tables again. A plugin that is unloaded still exists then, without its
# rows.
proc ::tactus::plugin::core::tellChanged {} {
    variable ::tactus::plugin::changed
    if {$changed ne {}} {uplevel #0 $changed}
}

proc ::tactus::plugin::core::isOn {plugin} {
    variable plugins
    expr {$plugin eq {} || ([dict exists $plugins $plugin] && [dict get $plugins $plugin state] eq "on")}
}

proc ::tactus::plugin::core::hasFailed {plugin} {
    variable plugins
    expr {[dict exists $plugins $plugin] && [dict get $plugins $plugin state] eq "failed"}
}

# The error for which a plugin was switched off.
proc ::tactus::plugin::core::messageOf {plugin} {
    variable plugins
    expr {[dict exists $plugins $plugin] ? [dict get $plugins $plugin message] : {}}
}

# Runs a command that a plugin has registered; an error is reported, and the result is {}.
proc ::tactus::plugin::core::guarded {plugin what command} {
    if {![isOn $plugin]} return
    if {![catch {uplevel #0 $command} result options]} {return $result}
    tell "tactus: warning: [failed $plugin $result $options $what]"
    return
}

# ---- loading ---------------------------------------------------------------------------------------------------------

# Directories of plugins. A plugin in a later one replaces one of the same name in an earlier one.
proc ::tactus::plugin::core::directories {} {
    # Plugins of the package are in the library where it is installed, beside it in the source tree.
    set dir [file join $::tactus::library plugins]
    if {![file isdirectory $dir]} {set dir [file join [file dirname $::tactus::library] plugins]}
    variable bundledOnly
    list $dir {*}[expr {$bundledOnly ? {} : [::tactus::userPlugins]}]
}

proc ::tactus::plugin::core::nameOf {file} {
    regsub -all {[^A-Za-z0-9_]} [file rootname [file tail $file]] _
}

# What `loadAll` looks at: the directories, when each was changed, and the plugins that there are. {}: a directory has
# just been changed, and may be again in the same second.
proc ::tactus::plugin::core::sight {directories} {
    variable plugins
    set sight [dict keys $plugins]
    foreach dir $directories {
        if {[catch {file mtime $dir} time]} {set time 0}
        if {$time + 1 >= [clock seconds]} return
        lappend sight $dir $time
    }
    return $sight
}

# name -> file of all plugins in the directories. What others could have written is passed over with a sentence; the
# package's own directory is as safe as the program itself.
proc ::tactus::plugin::core::found {directories} {
    variable passed
    set found {}
    set own [lindex [directories] 0]
    foreach dir $directories {
        set path [file normalize $dir]
        # A file about which the system says nothing is one that cannot be loaded, not one that is not there.
        set files [lmap file [lsort [glob -nocomplain -directory $dir *.tcl]] {
            if {[file isdirectory $file]} continue
            set file
        }]
        if {$dir eq $own && ![llength $files]} {
            return -code error -errorcode {TACTUS PLUGIN FOLDER} "cannot read the package's own plugins in \"$dir\""
        }
        foreach file $files {
            set why [expr {$dir eq $own ? {} : [::tactus::distrust $file]}]
            if {$why eq {}} {
                dict set found [nameOf $file] [file join $path [file tail $file]]
            } elseif {![dict exists $passed $why]} {
                dict set passed $why 1
                tell "tactus: warning: the plugin \"$file\" is not loaded: $why"
            }
        }
    }
    return $found
}

# The file of a word of --plugins: a path, or the name of a plugin in the directories.
proc ::tactus::plugin::core::fileOf {word found} {
    if {[dict exists $found $word]} {return [dict get $found $word]}
    if {[file isfile $word]} {return [file normalize $word]}
    return -code error -errorcode {TACTUS PLUGIN FILE} \
        "no plugin \"$word\": it is neither a file nor one of [join [dict keys $found] {, }]"
}

# Loads plugins that are not loaded yet. -only: names or paths, and no others; -also: these besides those of the
# directories; -again no: those that failed are not tried again. The result is the names of those that could not be
# loaded; their errors are in the list (tactus::plugin::list).
proc ::tactus::plugin::core::loadAll {args} {
    variable plugins
    variable leftOut
    set given [dict merge [dict create -only {} -also {} -again yes -directories [directories]] $args]
    set found [found [dict get $given -directories]]
    set wanted [expr {[dict exists $args -only] ? {} : $found}]
    set own [file normalize [lindex [directories] 0]]
    foreach name $leftOut {
        if {[dict exists $wanted $name] && [file dirname [dict get $wanted $name]] eq $own} {dict unset wanted $name}
    }
    foreach word [list {*}[dict get $given -only] {*}[dict get $given -also]] {
        set file [fileOf $word $found]
        dict set wanted [nameOf $file] $file
    }
    set bad {}
    dict for {name file} $wanted {
        if {[dict exists $plugins $name] && [dict get $plugins $name file] eq $file
                && !([dict get $given -again] && [hasFailed $name])} {
            continue
        }
        if {[catch {loadFile $file}]} {lappend bad $name}
    }
    return $bad
}

# Loads one file; a plugin of the same name is unloaded first.
proc ::tactus::plugin::core::loadFile {file} {
    variable plugins
    variable loading
    set file [file normalize $file]
    set name [nameOf $file]
    if {[dict exists $plugins $name]} {unload $name}
    dict set plugins $name [dict create name $name title $name help {} version {} file $file state on message {}]
    prepare $name
    set outer $loading
    set loading $name
    variable registered
    set others $registered
    set registered {}
    set failed [catch {namespace eval ::tactus::plugins::$name [list source -encoding utf-8 $file]} message options]
    set loading $outer
    if {!$failed} addRegistered
    set registered $others
    if {$failed} {
        set text [failed $name $message $options]
        drop $name
    }
    tellChanged
    if {!$failed} {return $name}
    return -code error -errorcode {TACTUS PLUGIN LOAD} $text
}

# Makes the namespace of a plugin: the interface in its path, and objects of the trace for unknown commands.
proc ::tactus::plugin::core::prepare {name} {
    if {[namespace exists ::tactus::plugins::$name]} {namespace delete ::tactus::plugins::$name}
    namespace eval ::tactus::plugins::$name {}
    furnish ::tactus::plugins::$name
}

proc ::tactus::plugin::core::furnish {namespace} {
    namespace eval $namespace {
        namespace path {::tactus::plugin::api ::tactus::plugin::published}
        namespace unknown ::tactus::asked
    }
}

# Removes what the plugin has registered from the tables (P1).
proc ::tactus::plugin::core::drop {plugin} {
    ::tactus::hook forget $plugin
    variable listeners
    dict for {event list} $listeners {
        dict set listeners $event [lmap row $list {if {[lindex $row 0] eq $plugin} continue; set row}]
    }
    foreach table {menus preprocessors} {
        variable $table
        set $table [lmap row [set $table] {if {[dict get $row plugin] eq $plugin} continue; set row}]
    }
    foreach table {events commands options views formats} {
        variable $table
        set $table [dict filter [set $table] script {key row} {expr {[dict get $row plugin] ne $plugin}}]
    }
    if {[info exists ::tactus::check::checks]} {
        set ::tactus::check::checks [dict filter $::tactus::check::checks script {key row} {
            expr {[dict get $row plugin] ne $plugin}
        }]
    }
}

proc ::tactus::plugin::core::unload {plugin} {
    variable plugins
    variable places
    variable parts
    if {![dict exists $plugins $plugin]} {
        return -code error -errorcode {TACTUS PLUGIN NAME} "no plugin \"$plugin\" is loaded"
    }
    dict unset parts $plugin
    drop $plugin
    dict unset plugins $plugin
    tellChanged
    array unset places ::tactus::plugins::${plugin}::*
    if {[namespace exists ::tactus::plugins::$plugin]} {namespace delete ::tactus::plugins::$plugin}
}

# Switches a plugin off, or on again (on: a boolean).
proc ::tactus::plugin::core::switchPlugin {plugin on} {
    variable plugins
    if {![dict exists $plugins $plugin]} {
        return -code error -errorcode {TACTUS PLUGIN NAME} "no plugin \"$plugin\" is loaded"
    }
    dict set plugins $plugin state [expr {$on ? "on" : "off"}]
    dict set plugins $plugin message {}
    ::tactus::hook switch $plugin $on
    tellChanged
}

# ---- what there is ---------------------------------------------------------------------------------------------------

proc ::tactus::plugin::core::described {} {
    variable plugins
    dict values $plugins
}

proc ::tactus::plugin::core::rowsOn {rows} {
    lmap row $rows {if {![isOn [dict get $row plugin]]} continue; set row}
}

proc ::tactus::plugin::core::viewRows {} {
    variable views
    rowsOn [dict values $views]
}

proc ::tactus::plugin::core::menuRows {} {
    variable menus
    rowsOn $menus
}

proc ::tactus::plugin::core::formatRows {} {
    variable formats
    rowsOn [dict values $formats]
}

# Rows as those of the command line: name with one dash, type, argument, words, default, help.
proc ::tactus::plugin::core::optionRows {} {
    variable options
    rowsOn [dict values $options]
}

proc ::tactus::plugin::core::eventNames {} {
    variable events
    dict keys [dict filter $events script {name row} {isOn [dict get $row plugin]}]
}

# name -> prefix of the commands that traces may call.
proc ::tactus::plugin::core::commandNames {} {
    variable commands
    set result {}
    dict for {name row} $commands {
        if {[isOn [dict get $row plugin]]} {dict set result $name [list ::tactus::plugin::core::traceCommand $name]}
    }
    return $result
}

# ---- player events ---------------------------------------------------------------------------------------------------

# Calls the plugins' handlers of an event of the player: <TimeChanged> view time ... The window and the opening of
# traces call this.
proc ::tactus::plugin::core::fire {event args} {
    variable listeners
    if {![dict exists $listeners $event]} return
    lookAt $event $args
    foreach row [dict get $listeners $event] {
        lassign $row plugin prefix
        guarded $plugin "its handler of $event" [list {*}$prefix {*}$args]
    }
}

# Sets the trace and time of objects ($job state) in handlers of player events: the view's trace, its cursor's time.
proc ::tactus::plugin::core::lookAt {event words} {
    lassign $words what time
    switch $event {
        <TraceOpened> - <TraceFinished> {catch {::tactus::moment focus $what}}
        <TimeChanged> {catch {::tactus::moment focus [$what trace] $time}}
        <SelectionChanged> - <Zoomed> - <PlotCreated> - <PlotUpdated> {catch {
            ::tactus::moment focus [$what trace] [$what cursor]
        }}
    }
}

# ---- options ---------------------------------------------------------------------------------------------------------

# Notes values for options that plugins will define when they are loaded: all words like --name value or --name=value.
proc ::tactus::plugin::core::prescan {words} {
    variable values
    for {set i 0} {$i < [llength $words]} {incr i} {
        set word [lindex $words $i]
        if {$word eq "--"} return
        if {[regexp {^--?([A-Za-z_]\w*)=(.*)$} $word -> name value]} {
            dict set values $name $value
        } elseif {[regexp {^--?([A-Za-z_]\w*)$} $word -> name] && $i + 1 < [llength $words]} {
            dict set values $name [lindex $words $i+1]
        }
    }
}

# option NAME: its value; option NAME VALUE: sets it.
proc ::tactus::plugin::core::setOption {name args} {
    variable options
    variable values
    set name [string trimleft $name -]
    if {![dict exists $options $name]} {
        return -code error -errorcode {TACTUS PLUGIN OPTION} "no plugin has an option \"$name\""
    }
    if {[llength $args]} {
        dict set values $name [checkedValue [dict get $options $name] [lindex $args 0]]
        if {[dict get $options $name published]} {set ::$name [lindex $args 0]}
    }
    optionValue $name
}

proc ::tactus::plugin::core::optionValue {name} {
    variable options
    variable values
    if {[dict exists $values $name]} {return [dict get $values $name]}
    dict get $options $name default
}

proc ::tactus::plugin::core::checkedValue {row value} {
    set words [dict get $row words]
    set fits [switch [dict get $row type] {
        word {expr {![llength $words] || $value in $words}}
        flag {string is boolean -strict $value}
        list {string is list $value}
        names {expr {![catch {::tactus::names $value}]}}
        time - number {string is double -strict $value}
        default {expr 1}
    }]
    if {$fits} {return $value}
    set expected [expr {[llength $words] ? [join $words {, }] : "a [dict get $row type]"}]
    return -code error -errorcode {TACTUS USAGE} "bad value \"$value\" of -[dict get $row name]: must be $expected"
}
