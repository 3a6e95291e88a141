# panel/panel.tcl -- class Panel: one panel of one view. It has the view's trace, is told when that changes, and ends
# with its frame.
#
# A panel's class has these methods: `build` makes its widgets in $Frame; `traceChanged` is called when the view has
# another trace (or none: $Trace is {}), first after build; `traceReloaded` when it was read anew; `themeChanged` when
# colours or fonts have changed. `my hear EVENT METHOD` has the method called with the data of an event that the view
# tells, of this view only.
#
# Only a panel that can be seen works: `my whenSeen METHOD` calls the method at idle time, once, and not before the
# panel is mapped.
#
# A panel that hears `Shown` (what was clicked or gone to) by its method `shown` is told that, too, of what was chosen
# before the panel was made.

::tactus::need player/text times player/look player/tip player/units

oo::class create ::tactus::player::Panel {
    variable Frame View Trace Waiting
    variable Lists              ;# those made by listIn

    constructor {frame view} {
        set Frame $frame
        set View $view
        set Trace {}
        lassign {} Waiting Lists
        bind $frame <Destroy> +[namespace code {my frameDestroyed %W}]
        bind $frame <Map> +[namespace code {my seen}]
        bind $frame <<ThemeChanged>> +[namespace code {my themeChanged}]
        foreach event {TraceOpened TraceClosed} {my hear $event renewTrace}
        my hear TraceReloaded reloadTrace
        my hear TimesChanged timesChanged
        my build
        my renewTrace
        my whenSeen showPlace
    }

    destructor {
        foreach {method timer} $Waiting {after cancel $timer}
    }

    method frameDestroyed {window} {
        if {$window eq $Frame} {my destroy}
    }

    method hear {event method} {
        ::tactus::player::listen $event [namespace code [list my heard $method]] $Frame
    }

    # Calls the method for an event of this view.
    method heard {method view args} {
        if {$view ne $View || ![winfo exists $Frame]} return
        my $method {*}$args
    }

    method renewTrace {args} {
        set Trace [expr {[info object isa object $View] ? [$View trace] : {}}]
        # A trace that cannot be shown leaves the panel as it is, for the next one.
        try {
            my traceChanged
        } on error {message options} {
            after idle [list return -options [dict merge $options {-code error -level 0}] $message]
        }
    }

    # Handles the same trace read anew, as with a file that grows: position and selection stay where they can.
    method reloadTrace {args} {
        if {$Trace eq {} || $Trace ne [$View trace]} {return [my renewTrace]}
        try {
            my traceReloaded
        } on error {message options} {
            after idle [list return -options [dict merge $options {-code error -level 0}] $message]
        }
    }

    # Calls a method at idle time, once, and not before the panel can be seen.
    method whenSeen {method} {
        if {[dict exists $Waiting $method]} return
        dict set Waiting $method \
            [expr {[winfo ismapped $Frame] ? [after idle [namespace code [list my run $method]]] : {}}]
    }

    method seen {} {
        foreach {method timer} $Waiting {
            if {$timer eq {}} {dict set Waiting $method [after idle [namespace code [list my run $method]]]}
        }
    }

    method run {method} {
        dict unset Waiting $method
        if {[winfo exists $Frame]} {my $method}
    }

    # Shows what was chosen before there was this panel.
    method showPlace {} {
        if {$Trace eq {} || ![info object isa object $View]} return
        set item [::tactus::player::text::valueOf [$View place] item]
        if {$item ne {}} {my shown $item}
    }

    method build {} {}
    method shown {item} {}
    method traceChanged {} {}
    method traceReloaded {} {my traceChanged}
    method themeChanged {} {}

    # Times count from elsewhere (player/units.tcl).
    method timesChanged {} {
        foreach list $Lists {if {[winfo exists $list]} {$list redraw}}
    }

    # Makes a virtual list (list/list.tcl) in the panel.
    method listIn {path args} {
        ::tactus::need list/list
        if {$path ni $Lists} {lappend Lists $path}
        ::tactus::player::virtualList $path -valuetext [list ::tactus::player::units::cell $View] \
            -called [namespace code {my called}] {*}[my openOptions $args] {*}$args
    }

    # A row that is opened (Return, a double click) is gone to as one that is clicked, and zoomed to.
    method openOptions {options} {
        if {![dict exists $options -command]} return
        list -opencommand [namespace code [list my openPlace [dict get $options -command]]]
    }

    method openPlace {command place} {
        uplevel #0 $command [list $place]
        $View zoomGone
    }

    # What people call a thread, with its number, or a job of this id.
    method called {id} {
        set trace [$View trace]
        if {$trace eq {}} {string cat $id} else {::tactus::player::text::called $trace $id}
    }

    # Goes somewhere in the timeline; an error is shown in the status line.
    method go {args} {
        try {
            $View go {*}$args
        } on error message {
            my say $message
        }
    }

    method say {text} {
        catch {$View message [::tactus::player::text::visible $text 500]}
    }
}
