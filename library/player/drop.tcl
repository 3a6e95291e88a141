# player/drop.tcl -- opens files that are dropped on a window, where the package tkdnd is installed.
#
#   drop::take TOP          lets a toplevel take files

namespace eval ::tactus::player::drop {}

proc ::tactus::player::drop::take {top} {
    if {![winfo exists $top] || [catch {package require tkdnd}]} return
    catch {
        tkdnd::drop_target register $top DND_Files
        bind $top <<Drop:DND_Files>> [list ::tactus::player::drop::dropped $top %D]
    }
}

# Opens the files in the window on which they were dropped, whether it has the focus or not.
proc ::tactus::player::drop::dropped {top files} {
    set window [lsearch -inline -exact -index 0 \
        [lmap window [::tactus::player::Window all] {list [$window top] $window}] $top]
    foreach file $files {
        if {[string match file://* $file]} {set file [unescape [string range $file 7 end]]}
        ::tactus::player::open $file -window [lindex $window 1]
    }
    return copy
}

proc ::tactus::player::drop::unescape {text} {
    set bytes [encoding convertto utf-8 $text]
    set out {}
    while {[regexp -indices {%[0-9A-Fa-f]{2}} $bytes at]} {
        lassign $at from to
        append out [string range $bytes 0 $from-1] [binary format H2 [string range $bytes $from+1 $to]]
        set bytes [string range $bytes $to+1 end]
    }
    encoding convertfrom utf-8 $out$bytes
}
