# player/sides.tcl -- class Sides: the two sides of a view, bottom and right, and the room that they take from the
# timeline.
#
#   $sides frame NAME, show NAME, shown NAME, drop NAME     a panel: its frame; brings it to the front; is it seen?
#                                                           removes it
#   $sides add                                              adds tabs for panels that were registered meanwhile
#   $sides side SIDE ?WANTED?                               is that side shown? shows or hides it
#   $sides size SIDE                                        its size as the user wants it, pixels of an ordinary screen
#   $sides state, setState STATE                            open sides and panels in front, for the session
#
# Sides that are too large for a small window are hidden, and shown again when it grows. The first panels are made after
# the timeline has been drawn: the view calls `fit` and `later make` then.

::tactus::need player/later player/side

oo::class create ::tactus::player::Sides {
    mixin ::tactus::player::Later
    variable View Panes         ;# Panes: the panes for the right; the first of them are those for the bottom
    variable Side               ;# array: bottom, right -> the Side
    variable Wanted Seen        ;# side -> is it wanted open? sides that are shown
    variable Sizes Shares       ;# side -> pixels that the user wants, share of the window that it may have
    variable Before Forced      ;# pixels before a sash is drawn; side -> size of the window in which it was asked for

    constructor {view panes} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set View $view
        set Panes $panes
        lassign {} Seen Sizes Shares Before Forced
        set Wanted [dict create bottom 1 right 1]
        foreach {side path} [list bottom $panes.v.bottom right $panes.right] {
            set size [lindex [session::windowState $side] 0]
            set usual [expr {$side eq "right" ? 300 : 210}]
            dict set Sizes $side [px [expr {$size ne {} ? max(60, min(4000, $size)) : $usual}]]
            dict set Shares $side 0.4
            set Side($side) [Side new $view $side $path [namespace code [list my side $side 0]]]
            bind $path <<NotebookTabChanged>> +[namespace code {my later make}]
            bind $path <Map> [namespace code {my later make}]
            bind [winfo parent $path] <ButtonPress-1> [namespace code "set Before \[my SizeOf $side\]"]
            bind [winfo parent $path] <ButtonRelease-1> [namespace code [list my SashDrawn $side]]
        }
        bind $panes <Configure> [namespace code {my later fit}]
    }

    destructor {
        foreach side {bottom right} {catch {$Side($side) destroy}}
    }

    # ---- panels ------------------------------------------------------------------------------------------------------

    method add {} {
        foreach side {bottom right} {$Side($side) add}
        my later fit
    }

    # The side that has a panel; {}: there is no such panel.
    method SideOf {name} {
        foreach side {bottom right} {
            if {[$Side($side) frame $name] ne {}} {return $side}
        }
        return
    }

    # The frame of a panel; {}: there is no such panel.
    method frame {name} {
        set side [my SideOf $name]
        if {$side ne {}} {$Side($side) frame $name}
    }

    method drop {name} {
        set side [my SideOf $name]
        if {$side eq {}} return
        $Side($side) drop $name
        foreach method {make fit} {my later $method}
    }

    method show {name} {
        set side [my SideOf $name]
        if {$side eq {}} return
        my side $side 1
        $Side($side) bring $name
        my make
    }

    method shown {name} {
        set frame [my frame $name]
        expr {$frame ne {} && [winfo ismapped $frame]}
    }

    # Makes the panels in front of the sides that are shown.
    method make {} {
        if {![winfo exists $Panes]} return
        foreach side {bottom right} {
            if {$side in $Seen} {$Side($side) make}
        }
    }

    # ---- room --------------------------------------------------------------------------------------------------------

    # Is a side shown? With a value: shows or hides it, also in a small window.
    method side {side args} {
        if {[llength $args]} {
            dict set Wanted $side [expr {!![lindex $args 0]}]
            my fit [expr {[lindex $args 0] ? $side : {}}]
        }
        expr {$side in $Seen}
    }

    # Shows the sides that are wanted and have room. forced: a side that is shown even where it has too little room.
    method fit {{forced {}}} {
        if {![winfo exists $Panes] || ![winfo ismapped $Panes]} return
        set window [list [winfo width $Panes] [winfo height $Panes]]
        foreach {side size needed panes} [list \
            right [winfo width $Panes] [px 640] $Panes \
            bottom [winfo height $Panes] [px 330] $Panes.v] {
            set path [$Side($side) path]
            set room [expr {$size >= $needed || $side eq $forced}]
            set wanted [expr {[dict get $Wanted $side] && [$View state] eq "open"}]
            # Most of the window is the timeline's, unless the user has made it smaller.
            set pixels [expr {min([dict get $Sizes $side], round($size * [dict get $Shares $side]))}]
            # A side without panels is not shown.
            if {$wanted && $room && [llength [$path tabs]]} {
                if {$side ni $Seen} {
                    $path configure [expr {$side eq "right" ? "-width" : "-height"}] $pixels
                    $panes add $path -weight 0
                    lappend Seen $side
                } else {
                    my Adjust $side $panes $pixels
                }
            } elseif {$side in $Seen && !($forced eq {} && $wanted && [dict exists $Forced $side]
                    && [dict get $Forced $side] eq $window)} {
                # One that was asked for in a small window stays until the window's size changes.
                $panes forget $path
                set Seen [lsearch -all -inline -exact -not $Seen $side]
            }
        }
        if {$forced ne {}} {dict set Forced $forced $window}
    }

    # Adapts the size of a side to the window: smaller in a small one, as wanted where there is room. (A pane that had
    # shrunk to nothing would not grow by itself.)
    method Adjust {side panes pixels} {
        set more [expr {$pixels - [my SizeOf $side]}]
        if {$more && [winfo ismapped [$Side($side) path]]} {$panes sashpos 0 [expr {[$panes sashpos 0] - $more}]}
    }

    method SizeOf {side} {$Side($side) size}

    method SashDrawn {side} {
        set size [expr {max(20, [my SizeOf $side])}]
        if {$size == $Before} return
        dict set Sizes $side $size
        set whole [winfo [expr {$side eq "right" ? "width" : "height"}] $Panes]
        dict set Shares $side [expr {max(0.4, $size / double($whole))}]
    }

    method size {side} {
        expr {[dict get $Sizes $side] / double([px 100]) * 100}
    }

    # ---- the session -------------------------------------------------------------------------------------------------

    method state {} {
        set front {}
        foreach side {bottom right} {
            set panel [lindex [$Side($side) front] 0]
            if {$panel ne {}} {dict set front $side $panel}
        }
        dict create wanted $Wanted front $front
    }

    method setState {state} {
        foreach side {bottom right} {
            if {[dict exists $state wanted $side] && [string is boolean -strict [dict get $state wanted $side]]} {
                dict set Wanted $side [dict get $state wanted $side]
            }
            if {![dict exists $state front $side]} continue
            set panel [dict get $state front $side]
            if {[$Side($side) frame $panel] ne {}} {$Side($side) bring $panel}
        }
        my later fit
    }
}
