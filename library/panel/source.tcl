# panel/source.tcl -- class SourceView: lines of the trace's file: the line of an event, a job or a diagnostic, with
# some before and after.
#
#   SourceView new FRAME    an object;  $source show FILE LINE;  $source clear
#
# A file may have hundreds of megabytes: it is read in blocks at idle time until the line is found, never as a whole;
# another request ends the search. The beginnings of blocks are remembered for later searches, but for packed files.

# The file in which the view's lines are counted: its own; or where plugins convert it, and do not tell its lines
# (sourceLine), the converted text, which is made anew when a line is first asked for, and deleted with the view.
proc ::tactus::player::panels::sourceFile {view} {
    set file [$view file]
    if {$file in {{} -} || [info commands ::tactus::plugin::core::withConversion] eq {}} {return $file}
    set options [::tactus::plugin::core::withConversion $file [::tactus::player::openOptions $view]]
    if {![dict exists $options -through] || [dict exists [[$view trace] info] source_lines]} {return $file}
    lassign [$view option converted] made path
    if {$made ne [list $file [file mtime $file]]} {
        forgetSource $view
        set path [{*}[dict get $options -through] $file]
        $view option converted [list [list $file [file mtime $file]] $path]
    }
    return $path
}

proc ::tactus::player::panels::forgetSource {view args} {
    set path [lindex [$view option converted] 1]
    if {$path ne {}} {catch {file delete -- $path}}
    $view option converted {}
}

::tactus::player::listen TraceClosed ::tactus::player::panels::forgetSource

oo::class create ::tactus::player::SourceView {
    variable Frame Text File Line Channel Number Timer Around Index Rest Lines Offset

    constructor {frame} {
        set Frame $frame
        lassign {{} 0 {} 0 {} 3 {} {} {} 0} File Line Channel Number Timer Around Index Rest Lines Offset
        set Text $frame.text
        text $Text -height 5 -wrap none -state disabled -font TkFixedFont -borderwidth 0 -highlightthickness 0 \
            -takefocus 0 \
            -padx [::tactus::player::look::points 3] -cursor {}
        ttk::scrollbar $frame.x -orient horizontal -command [list $Text xview]
        $Text configure -xscrollcommand [list $frame.x set]
        pack $frame.x -side bottom -fill x
        pack $Text -fill both -expand 1
        bind $frame <Destroy> +[namespace code {my gone %W}]
        bind $frame <<ThemeChanged>> +[namespace code {my theme}]
        my theme
    }

    destructor {
        my stop
    }

    method gone {window} {
        if {$window eq $Frame} {my destroy}
    }

    method theme {} {
        set color ::tactus::player::look::color
        $Text configure -background [$color field] -foreground [$color foreground]
        $Text tag configure number -foreground [$color muted]
        $Text tag configure here -background [$color select] -foreground [$color onselect]
    }

    method stop {} {
        after cancel $Timer
        if {$Channel ne {}} {catch {close $Channel}}
        set Channel {}
    }

    method clear {} {
        my stop
        my say {}
    }

    method say {text} {
        $Text configure -state normal
        $Text delete 1.0 end
        $Text insert end $text number
        $Text configure -state disabled
    }

    method show {file line} {
        my stop
        lassign [list $file $line 1 {} {}] File Line Number Rest Lines
        if {$file in {{} -}} {return [my say "the trace is not a file"]}
        try {
            if {[::tactus::isPacked $file]} {
                set Channel [::tactus::unpacked $file]
            } else {
                # normalized: a name with | before it would be a command
                set Channel [open [file normalize $file] rb]
                my seekNear
            }
            my step
        } on error message {
            my stop
            my say [::tactus::player::text::visible $message 300]
        }
    }

    # Goes to the last remembered beginning of a block before the line. Index: {offset line} of each, ascending.
    method seekNear {} {
        if {[lindex $Index 0] ne $File} {set Index [list $File 0 1]}
        set best {0 1}
        foreach {offset number} [lrange $Index 1 end] {
            if {$number <= $Line - $Around} {set best [list $offset $number]}
        }
        lassign $best Offset Number
        seek $Channel $Offset
    }

    method step {} {
        set until [expr {[clock milliseconds] + 25}]
        while {[clock milliseconds] < $until} {
            if {[catch {read $Channel 262144} block]} {
                my stop
                return [my say [::tactus::player::text::visible $block 300]]
            }
            if {$block eq {}} {return [my end]}
            if {[my take $block]} {return [my end]}
        }
        my say "looking for line $Line \u2026"
        set Timer [after 1 [namespace code {my step}]]
    }

    # Takes the next block; 1 when all lines wanted have been read. In blocks before them lines are only counted.
    method take {block} {
        set count [expr {[string length $block] - [string length [string map [list \n {}] $block]]}]
        if {$Number + $count < $Line - $Around} {
            incr Number $count
            # The rest of the block's last line need not be kept: the line wanted comes after it.
            set Rest [expr {[string index $block end] eq "\n" ? {} : "\u2026"}]
            incr Offset [string length $block]
            if {[lindex $Index 0] eq $File && $Rest eq {} && [lindex $Index end] < $Number} {
                lappend Index $Offset $Number
            }
            return 0
        }
        incr Offset [string length $block]
        set pieces [split $Rest[string range $block 0 end] \n]
        set Rest [string range [lindex $pieces end] 0 20000]
        foreach piece [lrange $pieces 0 end-1] {
            if {abs($Number - $Line) <= $Around} {lappend Lines $Number $piece}
            incr Number
            if {$Number > $Line + $Around} {return 1}
        }
        return 0
    }

    method end {} {
        if {abs($Number - $Line) <= $Around && $Rest ne {} && ![dict exists $Lines $Number]} {
            lappend Lines $Number $Rest
        }
        my stop
        $Text configure -state normal
        $Text delete 1.0 end
        set width [string length [expr {$Line + $Around}]]
        foreach {number bytes} $Lines {
            set tag [expr {$number == $Line ? "here" : {}}]
            set words [::tactus::player::text::source [encoding convertfrom utf-8 [string range $bytes 0 4000]]]
            $Text insert end [format "%${width}d  " $number] number $words $tag \n
        }
        if {![dict exists $Lines $Line]} {$Text insert end "the file has no line $Line" number}
        $Text delete end-1c end
        $Text configure -state disabled
        if {[dict exists $Lines $Line]} {$Text see [expr {[lsearch -exact [dict keys $Lines] $Line] + 1}].0}
    }
}
