# player/plugins.tcl -- the connection of plugins with the window: their menus, views and the events of the player.
#
# plugin/plugin.tcl does not depend on the window; it has tables, and a procedure that fires events. Here the rows of
# the tables become actions and panels, events of the views become events of the player (<TimeChanged> view time ...),
# and remarks of plugins become bars. <TraceOpened> and <TraceFinished> are fired by tactus::plugin::open, where the
# handlers run.
#
# Without plugins this costs nothing: `heard` looks into a table first.

namespace eval ::tactus::player::plugins {
    variable loaded 0
    variable taken {}   ;# actions and panels made from plugins' rows: name -> plugin
}

# Loads the plugins, unless the command line has loaded its own choice of them.
proc ::tactus::player::plugins::start {} {
    variable loaded
    if {$loaded} return
    set loaded 1
    set ::tactus::plugin::say ::tactus::player::plugins::say
    set ::tactus::plugin::select ::tactus::player::jobs::select
    set ::tactus::plugin::changed ::tactus::player::plugins::refresh
    if {![llength [::tactus::plugin::list]]} {::tactus::plugin::loadAll}
    take
    # Plugins that failed are reported when there is a window.
    after idle ::tactus::player::plugins::sayFailed
}

proc ::tactus::player::plugins::sayFailed {} {
    foreach plugin [::tactus::plugin::list] {
        if {[dict get $plugin state] eq "failed"} {
            say "The plugin \"[dict get $plugin name]\" is off: [dict get $plugin message]"
        }
    }
}

# Shows a remark of a plugin as a bar; it replaces the one before.
proc ::tactus::player::plugins::say {text} {
    set view [::tactus::player::currentView]
    if {![::tactus::player::alive $view]} {return -code error "no window"}
    $view bar warning [string trim [regsub {^tactus: warning: } $text {}]] -name plugin
}

# Adapts actions and panels after plugins came, went or were switched.
proc ::tactus::player::plugins::refresh {} {
    putAway
    take
}

# Removes actions and panels of plugins that are off or unloaded. A plugin that failed keeps its panels, which show the
# error.
proc ::tactus::player::plugins::putAway {} {
    variable taken
    set there [concat [lmap row [::tactus::plugin::menus] {actionName $row}] \
        [lmap row [::tactus::plugin::views] {panelName $row}]]
    dict for {name plugin} $taken {
        if {$name in $there || [::tactus::plugin::core::hasFailed $plugin]} continue
        dict unset taken $name
        ::tactus::player::dropPanel $name
        ::tactus::player::actions::forget $name
    }
}

proc ::tactus::player::plugins::actionName {row} {
    return plugin:[dict get $row plugin]:[join [dict get $row path] /]
}

proc ::tactus::player::plugins::panelName {row} {
    return plugin:[dict get $row name]
}

# Makes actions and panels of the rows that are new.
proc ::tactus::player::plugins::take {} {
    variable taken
    foreach row [::tactus::plugin::menus] {
        set path [dict get $row path]
        set name [actionName $row]
        if {[dict exists $taken $name]} continue
        dict set taken $name [dict get $row plugin]
        ::tactus::player::action $name -menu [list Plugins {*}[lrange $path 0 end-1]] -label [lindex $path end] \
            -keys [expr {[dict get $row key] eq {} ? {} : [list [dict get $row key]]}] \
            -help "of the plugin [dict get $row plugin]" \
            -command [list ::tactus::player::plugins::call [dict get $row plugin] [dict get $row command]]
    }
    foreach row [::tactus::plugin::views] {
        set name [panelName $row]
        if {[dict exists $taken $name] || [dict get $row create] eq {}} continue
        dict set taken $name [dict get $row plugin]
        ::tactus::player::panel $name -title [dict get $row title] -side [dict get $row side] -order 200 \
            -create [dict get $row create]
        ::tactus::player::action $name -menu {View Panels} -label [dict get $row title] \
            -help "panel of the plugin [dict get $row plugin]" \
            -command [list ::tactus::player::commands::showPanel $name]
    }
}

# Calls a plugin's command from the window; an error switches that plugin off (P2 of plugin/plugin.tcl).
proc ::tactus::player::plugins::call {plugin prefix args} {
    ::tactus::plugin::core::guarded $plugin "its part of the window" [list {*}$prefix {*}$args]
}

# ---- events ----------------------------------------------------------------------------------------------------------

proc ::tactus::player::plugins::heard {event view args} {
    if {![dict size $::tactus::plugin::core::listeners] || ![::tactus::player::alive $view]} return
    switch -- $event {
        TraceOpened {::tactus::plugin::fire <PlotCreated> $view}
        TraceReloaded - RowsChanged {::tactus::plugin::fire <PlotUpdated> $view}
        Zoomed {
            ::tactus::plugin::fire <Zoomed> $view {*}$args
            ::tactus::plugin::fire <PlotUpdated> $view
        }
        TraceClosed {::tactus::plugin::fire <TraceClosed> [lindex $args 0]}
        TimeChanged - SelectionChanged - JobsSelected {::tactus::plugin::fire <$event> $view {*}$args}
        Shown {::tactus::plugin::fire <Shown> $view {*}$args}
        FindingsChanged {if {[$view trace] ne {}} {::tactus::plugin::fire <FindingsChanged> [$view trace]}}
    }
}

# ---- the list of plugins ---------------------------------------------------------------------------------------------

proc ::tactus::player::plugins::dialog {view} {
    ::tactus::need player/palette
    set top [::tactus::player::palette::dialog $view plugins Plugins]
    set tree [ttk::treeview $top.f.tree -columns {state title where} -height 10 -selectmode browse]
    foreach {column title width} {#0 Plugin 120 state State 60 title What 260 where File 300} {
        $tree heading $column -text $title -anchor w
        $tree column $column -width [::tactus::player::px $width]
    }
    $tree tag configure failed -foreground [::tactus::player::theme color error]
    ttk::label $top.f.text -wraplength [::tactus::player::px 640] \
        -text "Plugins are Tcl files in [join [::tactus::plugin::directories] { and }]; see tactus_plugin(n)."
    ttk::frame $top.f.buttons
    ttk::button $top.f.buttons.switch -text "On or Off" -command [list ::tactus::player::plugins::switchChosen $top]
    ttk::button $top.f.buttons.close -text Close -command [list destroy $top]
    pack $top.f.buttons.close $top.f.buttons.switch -side right -padx [::tactus::player::px 3]
    pack $tree -fill both -expand 1
    pack $top.f.text -anchor w -pady [::tactus::player::px 6]
    pack $top.f.buttons -fill x
    bind $tree <<TreeviewSelect>> [list ::tactus::player::plugins::chosen $top]
    fill $tree
    ::tactus::player::palette::showDialog $top
}

proc ::tactus::player::plugins::fill {tree} {
    $tree delete [$tree children {}]
    foreach plugin [::tactus::plugin::list] {
        dict with plugin {
            $tree insert {} end -id $name -text $name -values [list $state $title $file] -tags $state
        }
    }
}

proc ::tactus::player::plugins::plugin {name} {
    foreach plugin [::tactus::plugin::list] {
        if {[dict get $plugin name] eq $name} {return $plugin}
    }
    return
}

proc ::tactus::player::plugins::chosen {top} {
    set plugin [plugin [lindex [$top.f.tree selection] 0]]
    if {$plugin eq {}} return
    set text [expr {[dict get $plugin message] ne {} ? [dict get $plugin message] : [dict get $plugin help]}]
    $top.f.text configure -text [::tactus::player::text::visible $text 600]
}

proc ::tactus::player::plugins::switchChosen {top} {
    set name [lindex [$top.f.tree selection] 0]
    set plugin [plugin $name]
    if {$plugin eq {}} return
    ::tactus::plugin::switch $name [expr {[dict get $plugin state] ne "on"}]
    fill $top.f.tree
    $top.f.tree selection set [list $name]
}

::tactus::player::action plugins -menu Plugins -label "Plugins\u2026" -order 900 -separator 1 \
    -help "lists the plugins and their errors, turns them on and off" \
    -command ::tactus::player::plugins::dialog
