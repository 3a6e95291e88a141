# plugin/published.tcl -- the names by which plugins of the published player register themselves, so that they run
# unchanged.
#
#   addEventHandler event script     the script gets the time and the event's words; ids are commands: $job state
#   addHandler PlayerEvent script    TraceOpened, TraceFinished, TimeChanged ...: one word gets the event's data, a
#                                    script runs as it is
#   addCommandArg name syntax help   an option --name; its value is in the global variable `name`
#   addTraceFormat extension proc    proc is given the file and returns trace text
#   addPreprocessor proc             proc is given the text of a trace and returns another
#   _exit code                       ends the player with that status
#
# Such a plugin was written to be sourced at global level. Here it is in a namespace of its own: `global name` means a
# variable of the plugin, unless the program has a variable of that name (as options are).

namespace eval ::tactus::plugin::published {}

# ---- handlers --------------------------------------------------------------------------------------------------------

proc ::tactus::plugin::published::addEventHandler {event script} {
    set plugin [::tactus::plugin::core::callingPlugin]
    set namespace [uplevel 1 {::namespace current}]
    ::tactus::plugin::core::register $plugin {} $event [::tactus::plugin::core::scriptPrefix $script] $namespace
    return
}

proc ::tactus::plugin::published::addHandler {event script} {
    set plugin [::tactus::plugin::core::callingPlugin]
    set event <[string toupper [string index [string trim $event <>] 0]][string range [string trim $event <>] 1 end]>
    set namespace [uplevel 1 {::namespace current}]
    ::tactus::plugin::core::register $plugin {} $event [list ::tactus::plugin::core::runPlayerScript $namespace $script]
    return
}

# Runs a script for a player event. One of a single word is called with the event's data, as many words of it as it
# takes; a longer one runs as it stands.
proc ::tactus::plugin::core::runPlayerScript {namespace script args} {
    if {[string is list $script] && [llength $script] == 1} {
        set command [namespace eval $namespace [list ::namespace which -command [lindex $script 0]]]
        if {$command ne {}} {
            if {[llength [info procs $command]] && [lindex [info args $command] end] ne "args"} {
                set args [lrange $args 0 [llength [info args $command]]-1]
            }
            return [$command {*}$args]
        }
    }
    namespace eval $namespace $script
}

# The prefix for a script to which words are appended: the script, unless it is more than one command.
proc ::tactus::plugin::core::scriptPrefix {script} {
    set namespace [uplevel 2 {namespace current}]
    if {[string is list $script] && [llength $script] && ![regexp {[\n;$\[]} $script]} {
        return [absolute $script $namespace]
    }
    list ::tactus::plugin::core::runScript $namespace $script
}

# Runs a script with words appended to its last command, also where a line end follows that.
proc ::tactus::plugin::core::runScript {namespace script args} {
    namespace eval $namespace "[string trimright $script] $args"
}

# ---- options ---------------------------------------------------------------------------------------------------------

# Defines an option. Its variable exists from here on: with the value given, else with its own value, else empty.
proc ::tactus::plugin::published::addCommandArg {name syntax help} {
    set plugin [::tactus::plugin::core::callingPlugin]
    set words [expr {[regexp {^[\w-]+(\|[\w-]+)+$} $syntax] ? [split $syntax |] : {}}]
    set default [::tactus::plugin::core::presetValue $plugin $name]
    ::tactus::plugin::core::defineOption $plugin $name \
        [dict create -type text -argument $syntax -words $words -default $default -help $help] 1
    set ::$name [::tactus::plugin::core::optionValue $name]
    return
}

proc ::tactus::plugin::core::presetValue {plugin name} {
    foreach variable [list ::tactus::plugins::${plugin}::$name ::$name] {
        if {[info exists $variable] && ![array exists $variable]} {
            set value [set $variable]
            # One of the plugin's own would hide the global one from its procedures.
            if {$variable ne "::$name"} {unset $variable}
            return $value
        }
    }
    return {}
}

proc ::tactus::plugin::published::global {args} {
    set namespace [uplevel 1 {::namespace current}]
    foreach name $args {
        set place [expr {![info exists ${namespace}::$name] && [info exists ::$name]
            ? "::$name" : "${namespace}::$name"}]
        # At global level of the plugin it is the same variable already.
        if {[catch {uplevel 1 [list ::upvar #0 $place $name]} message]
                && $message ne "can't upvar from variable to itself"} {
            return -code error $message
        }
    }
}

# ---- the rest --------------------------------------------------------------------------------------------------------

# Defines a format, whose name is the extension.
proc ::tactus::plugin::published::addTraceFormat {extension proc} {
    set plugin [::tactus::plugin::core::callingPlugin]
    set prefix [::tactus::plugin::core::scriptPrefix $proc]
    set name [string trimleft $extension *.]
    ::tactus::plugin::core::defineFormat $plugin $name [list $name] {} \
        [list ::tactus::plugin::core::convertByFile $prefix]
}

# Calls a converter of the published kind, which takes no channel.
proc ::tactus::plugin::core::convertByFile {prefix file channel} {
    uplevel #0 [list {*}$prefix $file]
}

proc ::tactus::plugin::published::addPreprocessor {proc} {
    set plugin [::tactus::plugin::core::callingPlugin]
    set prefix [::tactus::plugin::core::scriptPrefix $proc]
    lappend ::tactus::plugin::core::preprocessors [dict create command $prefix plugin $plugin]
    return
}

proc ::tactus::plugin::published::_exit {{code 0}} {
    catch {flush stdout}
    uplevel #0 [list {*}$::tactus::plugin::exit $code]
}
