# player/consoleWindow.tcl -- class Console: the Tcl console: the output above, the command being typed below.
#
#   Console for VIEW       the console, with $view and $trace set to this view and its trace
#
# Commands run at global level in the program's own interpreter: they are typed by the user, who is trusted; text of a
# trace is never evaluated. Before each command the variables trace and view are set to the view in front; `_` is the
# last result. Output to stdout and stderr appears above (player/consoleOutput.tcl).
#
# Return runs the command when it is complete, else it begins a new line; Shift+Return always does. Up in the first line
# and Down in the last one go through the history, which is kept in $XDG_STATE_HOME/tactus/console.tcl. Tab completes
# (player/consoleComplete.tcl); Ctrl+L empties the console, Escape closes it. A long text is cut, and the oldest lines
# are dropped, so that no result can stop the window.

oo::class create ::tactus::player::Console {
    variable View Top Out In History Place Draft Running

    constructor {view} {
        namespace path [list {*}[namespace path] ::tactus::player]
        set View $view
        set Running 0
        set Draft {}            ;# the command that was being typed when the history was entered
        set History [lmap record [session::read [my historyFile]] {lindex $record 1}]
        set Place [llength $History]
        my build
        my bindKeys
        console::capture [namespace code {my output}]
        my print note \
            "Tcl [info patchlevel]. \$trace is the trace's command, \$view the view; Tab completes, Escape closes.\n"
    }

    destructor {
        console::release
        if {[winfo exists $Top]} {destroy $Top}
    }

    # ---- widgets -----------------------------------------------------------------------------------------------------

    # Makes the toplevel: the output above, the command being typed below.
    method build {} {
        set Top [toplevel .tactusConsole -class TactusConsole]
        wm withdraw $Top
        wm title $Top "Tcl Console"
        set Out $Top.out.text
        set In $Top.in.text
        ttk::frame $Top.out
        ttk::frame $Top.in -style Base.TFrame
        # Not larger than the screen.
        set columns [expr {min(90, ([winfo screenwidth $Top] - [px 60]) / [font measure [theme font mono] 0])}]
        set lines [expr {min(22, ([winfo screenheight $Top] - [px 120]) / [font metrics [theme font mono] -linespace])}]
        text $Out -width $columns -height $lines -wrap char -state disabled -font [theme font mono] -padx [px 6] \
            -pady [px 4] \
            -yscrollcommand [list $Top.out.y set] -takefocus 0 -insertwidth 0
        ttk::scrollbar $Top.out.y -command [list $Out yview]
        pack $Top.out.y -side right -fill y
        pack $Out -fill both -expand 1
        pack [ttk::separator $Top.in.line] -side top -fill x
        ttk::label $Top.in.prompt -style Base.TLabel -text % -font [theme font mono] \
            -padding [list [px 6] [px 4] 0 [px 4]]
        text $In -width 20 -height 1 -wrap char -undo 1 -font [theme font mono] -padx [px 4] -pady [px 4]
        pack $Top.in.prompt -side left -anchor n
        pack $In -side left -fill both -expand 1
        pack $Top.in -side bottom -fill x
        pack $Top.out -fill both -expand 1
        my colors
        ::tactus::player::listen ThemeChanged [namespace code {my colors}] $Top
        bind $Top <Destroy> +[namespace code {my gone %W}]
        wm protocol $Top WM_DELETE_WINDOW [namespace code {my destroy}]
        wm minsize $Top [px 260] [px 120]
        wm deiconify $Top
    }

    method colors {args} {
        if {![winfo exists $Top]} return
        $Top configure -background [theme color background]
        foreach text [list $Out $In] {
            theme adopt $text
            $text configure -highlightthickness 0 -borderwidth 0 -font [theme font mono]
        }
        foreach {tag color} {command accent result foreground stdout foreground stderr error error error note muted} {
            $Out tag configure $tag -foreground [theme color $color]
        }
        $Out tag configure command -font [theme font mono] -spacing1 [px 3]
        $Out tag configure note -font [theme font small]
        $Out tag raise sel
    }

    method bindKeys {} {
        foreach {sequence method} {
            <Return> enter <KP_Enter> enter <Shift-Return> newLine <Tab> complete <Up> older <Down> newer
            <Control-p> older <Control-n> newer <Control-l> clear <Escape> close <Prior> pageUp <Next> pageDown
        } {
            bind $In $sequence [namespace code [list my key $method]]\;break
        }
        bind $In <<Modified>> [namespace code {my typed}]
        # A character typed in the output is added to the command.
        bind $Out <Key> [namespace code {my keyAbove %A %s}]
        bind $Out <Escape> [namespace code {my close}]
    }

    method key {method} {
        my $method
    }

    method keyAbove {character state} {
        if {$character eq {} || ![string is print -strict $character] || $state & 12} return
        focus $In
        $In insert insert $character
    }

    method gone {window} {
        if {$window eq $Top} {my destroy}
    }

    # Makes the entry as high as the command has lines, up to ten.
    method typed {} {
        if {![$In edit modified]} return
        $In edit modified 0
        $In configure -height [expr {max(1, min(10, [$In count -displaylines 1.0 end]))}]
    }

    method about {view} {
        set View $view
        my setVariables
    }

    method show {} {
        wm deiconify $Top
        raise $Top
        focus -force $In
    }

    method close {} {my destroy}
    method top {} {return $Top}
    method pageUp {} {$Out yview scroll -1 pages}
    method pageDown {} {$Out yview scroll 1 pages}

    # ---- what is said ------------------------------------------------------------------------------------------------

    # The beginning of a text that is too long.
    method shortened {text} {
        set most 20000
        set length [string length $text]
        if {$length <= $most} {return $text}
        return "[string range $text 0 $most-1]\n"
    }

    method print {tag text} {
        if {![winfo exists $Out]} return
        set atEnd [expr {[lindex [$Out yview] 1] >= 1.0}]
        set shown [my shortened [string map [list \0 \u2400 \r {}] $text]]
        $Out configure -state normal
        $Out insert end $shown $tag
        if {[string length $text] > [string length $shown]} {
            $Out insert end \
                "… [expr {[string length $text] - [string length $shown]}] more characters are not shown\n" note
        }
        # The oldest lines beyond the number of lines and characters with which the text widget is quick are dropped.
        set over [expr {[$Out count -lines 1.0 end] - 5000}]
        if {$over > 0} {$Out delete 1.0 [expr {$over + 1}].0}
        while {[$Out count -chars 1.0 end] > 1000000} {$Out delete 1.0 "1.0 + 100000 chars linestart + 1 lines"}
        $Out configure -state disabled
        if {$atEnd || $tag eq "command"} {$Out see end}
    }

    method output {channel text} {
        my print $channel $text
    }

    method clear {} {
        $Out configure -state normal
        $Out delete 1.0 end
        $Out configure -state disabled
    }

    # ---- commands ----------------------------------------------------------------------------------------------------

    method setVariables {} {
        if {![alive $View]} {set View [currentView]}
        set ::view $View
        set ::trace [expr {[alive $View] ? [$View trace] : {}}]
    }

    method command {} {
        $In get 1.0 end-1c
    }

    method setCommand {text} {
        $In delete 1.0 end
        $In insert 1.0 $text
        $In see insert
    }

    method enter {} {
        set command [my command]
        if {[string trim $command] eq {}} {return [my setCommand {}]}
        if {![info complete $command\n]} {return [my newLine]}
        my setCommand {}
        my remember $command
        my run $command
    }

    method newLine {} {
        $In insert insert \n
        $In see insert
    }

    method run {command} {
        my print command "% [string map [list \n "\n  "] $command]\n"
        my setVariables
        incr Running
        set code [catch {uplevel #0 $command} result options]
        # The command may have closed the console.
        if {![info object isa object [self]]} return
        incr Running -1
        console::flushAll
        if {$code ni {0 2}} {return [my printError $code $result $options]}
        set ::_ $result
        if {$result ne {}} {my print result $result\n}
    }

    method printError {code message options} {
        if {$code != 1} {return [my print error "the command ended with code $code\n"]}
        my print error $message\n
        set errorCode [dict get $options -errorcode]
        if {$errorCode ne "NONE"} {my print note "errorCode: $errorCode\n"}
    }

    # ---- history -----------------------------------------------------------------------------------------------------

    method historyFile {} {
        session::path state console.tcl
    }

    method remember {command} {
        set Draft {}
        if {$command ne [lindex $History end]} {
            lappend History $command
            set History [lrange $History end-499 end]
            if {[string length $command] < 10000} {my saveHistory}
        }
        set Place [llength $History]
    }

    method saveHistory {} {
        set records [lmap command $History {if {[string length $command] >= 10000} continue; list command $command}]
        session::write [my historyFile] \
            [list ::tactus::player::store::write [my historyFile] $records "commands of the Tcl console, newest last"]
    }

    # Goes back in the history: Up in the first line; elsewhere it moves the cursor.
    method older {} {
        if {[$In compare "insert display linestart" > 1.0]} {return [my moveLine -1]}
        my goTo [expr {$Place - 1}]
    }

    method newer {} {
        if {[$In compare "insert display lineend" < "end - 1 chars"]} {return [my moveLine 1]}
        my goTo [expr {$Place + 1}]
    }

    method moveLine {step} {
        $In mark set insert "insert [expr {$step < 0 ? "-" : "+"}] 1 display lines"
        $In see insert
    }

    method goTo {place} {
        if {$place < 0 || $place > [llength $History]} return
        if {$Place == [llength $History]} {set Draft [my command]}
        set Place $place
        my setCommand [if {$place == [llength $History]} {set Draft} else {lindex $History $place}]
    }

    # ---- completion --------------------------------------------------------------------------------------------------

    method complete {} {
        my setVariables
        set before [$In get 1.0 insert]
        lassign [console::complete $before] start words
        if {![llength $words]} {return [bell]}
        set word [string range $before $start end]
        set common [console::common $words]
        if {$common ne $word} {
            $In delete "1.0 + $start chars" insert
            $In insert insert $common
        }
        if {[llength $words] == 1} {
            if {![string match {*[/:]} $common]} {$In insert insert " "}
        } elseif {$common eq $word} {
            my print note [my columns $words]
            $Out see end
        }
    }

    # The words in columns, 200 of them at most.
    method columns {words} {
        set rest [expr {[llength $words] - 200}]
        set words [lrange $words 0 199]
        set width [expr {[tcl::mathfunc::max 0 {*}[lmap word $words {string length $word}]] + 2}]
        set perLine [expr {max(1, 88 / $width)}]
        set text {}
        foreach word $words {
            append text [format "%-${width}s" $word]
            if {[incr n] % $perLine == 0} {append text \n}
        }
        if {[string index $text end] ne "\n"} {append text \n}
        if {$rest > 0} {append text "… and $rest more\n"}
        return $text
    }

    # For tests: all output.
    method said {} {
        $Out get 1.0 end-1c
    }

    self method for {view} {
        variable console
        if {![info exists console] || ![info object isa object $console]} {set console [my new $view]}
        $console about $view
        $console show
        return $console
    }
}
