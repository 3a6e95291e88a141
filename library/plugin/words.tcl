# plugin/words.tcl -- the words of a plugin, with which it registers and asks (tactus_plugin(n)).
#
# They stand before Tcl's own commands in a plugin's namespace. Where a word is also a command of Tcl or Tk (trace,
# format, option, event, menu), the form of its arguments tells which is meant.

namespace eval ::tactus::plugin::api {}

# The plugin that uses a word, by the namespace of the word's caller.
proc ::tactus::plugin::core::callingPlugin {} {
    pluginOf [uplevel 2 {namespace current}]
}

# A prefix that can be called from any namespace: its command is the one that the plugin sees under this name.
proc ::tactus::plugin::core::absolute {prefix {namespace {}}} {
    if {![llength $prefix]} {
        return -code error -errorcode {TACTUS PLUGIN HANDLER} "the handler is empty: it must be a command prefix"
    }
    if {$namespace eq {}} {set namespace [uplevel 2 {namespace current}]}
    if {[string match ::* [lindex $prefix 0]]} {return $prefix}
    variable loading
    set command [resolve $namespace [lindex $prefix 0]]
    # The plugin may still define a command of its own with this name, further down in its file.
    if {$loading ne {} && ![string match [string trimright $namespace :]::* $command]} {
        return [list ::tactus::plugin::core::late $namespace {*}$prefix]
    }
    lreplace $prefix 0 0 $command
}

proc ::tactus::plugin::core::resolve {namespace name} {
    set command [namespace eval $namespace [list ::namespace which -command $name]]
    if {$command ne {}} {return $command}
    return [string trimright $namespace :]::$name
}

proc ::tactus::plugin::core::late {namespace name args} {
    tailcall [resolve $namespace $name] {*}$args
}

# The options of a word: pairs -name value merged into the dict of all defaults.
proc ::tactus::plugin::core::given {word defaults words} {
    if {[llength $words] % 2} {
        return -code error -errorcode {TACTUS USAGE} "$word: no value after \"[lindex $words end]\""
    }
    foreach {name value} $words {
        if {![dict exists $defaults $name]} {
            return -code error -errorcode {TACTUS USAGE} \
                "$word: unknown option \"$name\": must be [join [dict keys $defaults] {, }]"
        }
        dict set defaults $name $value
    }
    return $defaults
}

# ---- this plugin -----------------------------------------------------------------------------------------------------

proc ::tactus::plugin::api::plugin {name args} {
    set plugin [::tactus::plugin::core::callingPlugin]
    set given [::tactus::plugin::core::given plugin {-title {} -help {} -version {}} $args]
    upvar #0 ::tactus::plugin::core::plugins plugins
    if {![dict exists $plugins $plugin]} return
    dict for {option value} $given {dict set plugins $plugin [string range $option 1 end] $value}
    if {[dict get $given -title] eq {}} {dict set plugins $plugin title $name}
    return $plugin
}

# part NAME: reads the file NAME.tcl in the folder beside the plugin's file that has its name; once.
proc ::tactus::plugin::api::part {name} {
    ::tactus::plugin::core::readPart [::tactus::plugin::core::callingPlugin] $name
}

proc ::tactus::plugin::core::readPart {plugin name} {
    variable plugins
    variable parts
    if {[dict exists $parts $plugin $name]} return
    dict set parts $plugin $name 1
    namespace eval ::tactus::plugins::$plugin [list source \
        -encoding utf-8 [file join [file rootname [dict get $plugins $plugin file]] $name.tcl]]
    return
}

# Tcl's proc, which also notes the file and line of the procedure for messages.
proc ::tactus::plugin::api::proc {name arguments body} {
    set namespace [uplevel 1 {namespace current}]
    set result [uplevel 1 [list ::proc $name $arguments $body]]
    ::tactus::plugin::core::notePlace $namespace $name $arguments
    return $result
}

proc ::tactus::plugin::core::notePlace {namespace name arguments} {
    variable plugins
    variable places
    set plugin [pluginOf $namespace]
    if {![dict exists $plugins $plugin]} return
    set file [dict get $plugins $plugin file]
    set line [sourceLine $file]
    if {!$line} return
    if {![string match ::* $name]} {set name [string trimright $namespace :]::$name}
    set places($name) [list $file [expr {$line + [regexp -all \n $arguments]}]]
}

# Tcl's namespace; in one that the plugin makes the plugin's words can be used, too.
proc ::tactus::plugin::api::namespace {subcommand args} {
    if {$subcommand eq "eval" && [llength $args]} {
        set name [lindex $args 0]
        set full [uplevel 1 [list ::namespace eval $name {::namespace current}]]
        if {![llength [::namespace eval $full {::namespace path}]]} {::tactus::plugin::core::furnish $full}
    }
    tailcall ::namespace $subcommand {*}$args
}

# ---- events ----------------------------------------------------------------------------------------------------------

# on EVENT ... PREFIX
proc ::tactus::plugin::api::on {args} {
    if {[llength $args] < 2} {
        return -code error -errorcode {TCL WRONGARGS} "wrong # args: should be \"on event ?event ...? prefix\""
    }
    set plugin [::tactus::plugin::core::callingPlugin]
    set prefix [::tactus::plugin::core::absolute [lindex $args end]]
    foreach event [lrange $args 0 end-1] {::tactus::plugin::core::register $plugin {} $event $prefix}
}

# Adds the handlers of a file that has been read, in order.
proc ::tactus::plugin::core::addRegistered {} {
    variable registered
    foreach words [set registered][set registered {}] {
        set prefix [lindex $words 3]
        if {[lindex $prefix 0] eq "::tactus::plugin::core::late"} {
            lset words 3 [absolute [lrange $prefix 2 end] [lindex $prefix 1]]
        }
        ::tactus::hook add {*}$words
    }
}

# Registers a handler; player events are those in angle brackets. The result is the number that the replay has for it,
# or {}. namespace: that of a plugin that uses ids as commands.
proc ::tactus::plugin::core::register {plugin group event prefix {namespace {}}} {
    variable listeners
    variable handlerLines
    variable plugins
    if {[string match <*> $event]} {
        dict lappend listeners $event [list $plugin $prefix]
        return
    }
    if {[dict exists $plugins $plugin]} {
        dict set handlerLines [list $plugin $event] [sourceLine [dict get $plugins $plugin file]]
    }
    variable loading
    variable registered
    if {$loading ne {} && $group eq {}} {
        lappend registered [list $group $plugin $event $prefix {*}[expr {$namespace eq {} ? {} : [list $namespace]}]]
        return
    }
    ::tactus::hook add $group $plugin $event $prefix {*}[expr {$namespace eq {} ? {} : [list $namespace]}]
}

# event NAME ?TYPES?: an event that traces may have; Tk's event otherwise.
proc ::tactus::plugin::api::event {name args} {
    if {$name in {add delete generate info}} {tailcall ::event $name {*}$args}
    if {[llength $args] > 1} {
        return -code error -errorcode {TCL WRONGARGS} "wrong # args: should be \"event name ?types?\""
    }
    set plugin [::tactus::plugin::core::callingPlugin]
    dict set ::tactus::plugin::core::events $name [dict create types [lindex $args 0] plugin $plugin]
    return
}

# command NAME PREFIX: a command that traces may call.
proc ::tactus::plugin::api::command {name prefix} {
    set plugin [::tactus::plugin::core::callingPlugin]
    set prefix [::tactus::plugin::core::absolute $prefix]
    dict set ::tactus::plugin::core::commands $name [dict create prefix $prefix plugin $plugin]
    return
}

# ---- asking ----------------------------------------------------------------------------------------------------------

proc ::tactus::plugin::api::now {} {tailcall ::tactus::moment now}
proc ::tactus::plugin::api::line {} {tailcall ::tactus::moment line}
proc ::tactus::plugin::api::eventName {} {tailcall ::tactus::moment event}
proc ::tactus::plugin::api::at {trace time script} {tailcall ::tactus::moment at $trace $time $script}
proc ::tactus::plugin::api::object {args} {tailcall ::tactus::object {*}$args}

# The trace's command; with words Tcl's trace.
proc ::tactus::plugin::api::trace {args} {
    if {[llength $args]} {tailcall ::trace {*}$args}
    tailcall ::tactus::moment trace
}

# ---- the player ------------------------------------------------------------------------------------------------------

# option NAME -type T -default D -help H ...; option get NAME; Tk's option otherwise.
proc ::tactus::plugin::api::option {name args} {
    if {$name eq "get" && [llength $args] == 1} {tailcall ::tactus::plugin::core::setOption [lindex $args 0]}
    if {$name in {add clear get readfile}} {tailcall ::option $name {*}$args}
    set plugin [::tactus::plugin::core::callingPlugin]
    set given [::tactus::plugin::core::given option {-type text -default {} -help {} -words {} -argument {}} $args]
    ::tactus::plugin::core::defineOption $plugin $name $given 0
}

proc ::tactus::plugin::core::defineOption {plugin name given published} {
    variable options
    if {![regexp {^[A-Za-z_]\w*$} $name]} {
        return -code error -errorcode {TACTUS PLUGIN OPTION} \
            "bad name of an option \"$name\": must be a letter and letters, digits or underscores"
    }
    set row [dict create name -$name plugin $plugin published $published]
    foreach key {type argument words default help} {dict set row $key [dict get $given -$key]}
    if {[llength [dict get $row words]]} {dict set row type word}
    if {[dict get $row argument] eq {}} {
        dict set row argument [expr {[llength [dict get $row words]]
            ? [join [dict get $row words] |] : [string toupper [dict get $row type]]}]
    }
    dict set options $name $row
    return
}

# menu PATH PREFIX ?-key SEQUENCE?; Tk's menu for a window.
proc ::tactus::plugin::api::menu {path args} {
    if {[string match .* $path]} {tailcall ::menu $path {*}$args}
    set prefix [::tactus::plugin::core::absolute [lindex $args 0]]
    set given [::tactus::plugin::core::given menu {-key {}} [lrange $args 1 end]]
    set plugin [::tactus::plugin::core::callingPlugin]
    lappend ::tactus::plugin::core::menus [dict create path $path \
        command [list ::tactus::plugin::core::fromWindow $plugin "its menu entry $path" $prefix] key [dict get $given \
            -key] plugin $plugin]
    return
}

# A prefix that is called with words of the window.
proc ::tactus::plugin::core::fromWindow {plugin what prefix args} {
    if {[llength $args]} {catch {::tactus::moment focus [[lindex $args end] trace] [[lindex $args end] cursor]}}
    guarded $plugin $what [list {*}$prefix {*}$args]
}

# view NAME -title T ?-create PREFIX? ?-side bottom|right? ?-figure PREFIX? ?-options ROWS? ?-help H?: a panel of the
# window, a figure, or both. ROWS: {-name type argument default help ?words?} for each option of the figure.
proc ::tactus::plugin::api::view {name args} {
    set given [::tactus::plugin::core::given view \
        {-title {} -create {} -side bottom -figure {} -options {} -help {}} $args]
    set plugin [::tactus::plugin::core::callingPlugin]
    set figure [dict get $given -figure]
    if {$figure ne {}} {set figure [::tactus::plugin::core::absolute $figure]}
    set prefix [dict get $given -create]
    if {$prefix ne {} || $figure eq {}} {set prefix [::tactus::plugin::core::absolute $prefix]}
    if {[dict get $given -side] ni {bottom right}} {
        return -code error -errorcode {TACTUS USAGE} \
            "view: bad side \"[dict get $given -side]\": must be bottom or right"
    }
    dict set ::tactus::plugin::core::views $name [dict create name $name \
        title [if {[dict get $given -title] eq {}} {set name} else {dict get $given -title}] \
        create [expr {$prefix eq {} ? {} : [list ::tactus::plugin::core::createView $plugin $name $prefix]}] \
            side [dict get $given -side] plugin $plugin \
        figure $figure help [dict get $given -help] options [lmap row [dict get $given -options] {
            lassign $row option type argument default help words
            dict create name $option type $type argument $argument words $words default $default help $help
        }]]
    return
}

# figure ...: tools for drawing views (plugin/figure.tcl), read when first used.
proc ::tactus::plugin::api::figure {args} {
    ::tactus::need plugin/figure
    tailcall ::tactus::figure {*}$args
}

# selectJobs VIEW ?JOBS?: selects jobs in a view of the window, for all parts that show jobs: <JobsSelected>. Without
# jobs: the selected ones.
proc ::tactus::plugin::api::selectJobs {view args} {
    if {$::tactus::plugin::select eq {}} return
    tailcall {*}$::tactus::plugin::select $view {*}$args
}

# Makes a plugin's panel. When that fails, the frame is emptied, bindings first, since they may call missing commands,
# and the error is passed on to the window, which shows it in place of the panel.
proc ::tactus::plugin::core::createView {plugin name prefix frame view} {
    set drawn [expr {[llength [info commands ::winfo]] && [winfo exists $frame]}]
    set own [expr {$drawn ? [lmap sequence [bind $frame] {list $sequence [bind $frame $sequence]}] : {}}]
    set result [fromWindow $plugin "its view $name" $prefix $frame $view]
    if {[isOn $plugin]} {return $result}
    if {$drawn && [winfo exists $frame]} {
        foreach sequence [bind $frame] {bind $frame $sequence {}}
        foreach row $own {bind $frame {*}$row}
        clearFrame $frame
    }
    set message [messageOf $plugin]
    return -code error -errorcode {TACTUS PLUGIN OFF} \
        "the plugin \"$plugin\" is off[expr {$message eq {} ? {} : ": $message"}]"
}

proc ::tactus::plugin::core::clearFrame {frame} {
    foreach child [winfo children $frame] {
        clearFrame $child
        bindtags $child {{}}
        destroy $child
    }
}

# format NAME -extensions LIST -recognize PREFIX -convert PREFIX; Tcl's format otherwise.
proc ::tactus::plugin::api::format {args} {
    if {[lindex $args 1] ni {-extensions -recognize -convert}} {tailcall ::format {*}$args}
    set given [::tactus::plugin::core::given format {-extensions {} -recognize {} -convert {}} [lrange $args 1 end]]
    set plugin [::tactus::plugin::core::callingPlugin]
    set recognize [dict get $given -recognize]
    if {$recognize ne {}} {set recognize [::tactus::plugin::core::absolute $recognize]}
    ::tactus::plugin::core::defineFormat $plugin [lindex $args 0] [dict get $given -extensions] $recognize \
        [::tactus::plugin::core::absolute [dict get $given -convert]]
}

proc ::tactus::plugin::core::defineFormat {plugin name extensions recognize convert} {
    variable formats
    set extensions [lmap extension $extensions {string tolower .[string trimleft $extension .]}]
    if {![llength $extensions] && $recognize eq {}} {
        return -code error -errorcode {TACTUS PLUGIN FORMAT} \
            "format $name: -extensions or -recognize is needed"
    }
    dict set formats $name [dict create name $name extensions $extensions recognize $recognize convert $convert \
        plugin $plugin]
    return
}

# preprocessor PREFIX: called with the text of a trace; returns the text to be read in its place.
proc ::tactus::plugin::api::preprocessor {prefix} {
    set plugin [::tactus::plugin::core::callingPlugin]
    lappend ::tactus::plugin::core::preprocessors [dict create command [::tactus::plugin::core::absolute $prefix] \
        plugin $plugin]
    return
}

# ---- checks (plugin/check.tcl has them) ------------------------------------------------------------------------------

foreach word {check report expect} {
    proc ::tactus::plugin::api::$word args [string map [list %W $word] {
        ::tactus::need plugin/check plugin/expect
        tailcall ::tactus::plugin::%W {*}$args
    }]
}
unset word
