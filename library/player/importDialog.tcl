# player/importDialog.tcl -- class ImportDialog: the mapping of a log (tactus_log(5)) tried and edited. The first lines
# of the log as a table, what its columns and words mean, the text of the mapping, and the trace that it makes of these
# lines.
#
#   ImportDialog for VIEW FILE ?MAPPING?   the dialog of a file, or shows it again; MAPPING: text to begin with, {}: a
#                                          file beside the log, or a guess
#
# The text of the mapping is the one truth. A menu changes the text (player/importText.tcl), and each change of the text
# goes the same way: `refresh` asks the core what the text makes of the sample (tactus::logTable, tactus::openText) and
# shows that in the table, the menus and the preview. The sample is 2000 lines or 256 KiB at most, whatever the size of
# the file, so a refresh takes some hundredths of a second; while keys come in, it waits for a pause. While the text has
# an error, the table shows what it last showed.

::tactus::need player/text player/importText player/importFrame player/later

namespace eval ::tactus::player::importText {
    # what a column can have, and what a word can mean: as in the mapping, with an explanation
    variable columns {
        time "when it happened, or a stretch began" end "when a stretch ended" duration "how long a stretch took"
        processor "where" task "who" job "number of the job among those of its task" event "what happened: a word"
        object "the mutex" text "of a mark" release "time of the job's release" deadline "time when the job is due"
        priority "of the task" period "of the task"
    }
    variable events {
        release "a new job" start "starts, or goes on" {release start} "starts, and is released if none is under way"
        preempted "stops, and stays ready" blocked "waits for a resource" ready "waits no longer"
        completed "the job is done" idle "the processor runs nothing" interrupt "handling of an interrupt begins"
        return "and ends" acquired "the job gets a mutex" released "and gives it back"
        deadline "the time is the job's deadline" mark "a text under the time axis" ignore "nothing, and no warning"
    }
}

oo::class create ::tactus::player::ImportDialog {
    superclass ::tactus::player::ImportFrame
    mixin ::tactus::player::Later
    variable View File Format           ;# Format: the file's format as it is recognized
    variable Confined                   ;# {-confined yes} where processes behind walls parse the file; else {}
    variable Top Grid Words Remarks     ;# as of ImportFrame
    variable Sample Table Trace         ;# of tactus::sample; of tactus::logTable; of the preview, {}: none
    variable Known                      ;# the names of columns that the log had last
    variable Begun Saved                ;# the text at first; {FILE TEXT} as saved last
    variable Value Loading              ;# array: the fields; is the dialog setting them itself?
    variable Fault                      ;# {LINE MESSAGE} of the text, {}: none
    variable Asked                      ;# what Discard will do; {}: nothing is asked
    variable Pending                    ;# id of the refresh that waits for a pause
    variable Changed                    ;# the text as a field has changed it
    variable Choice                     ;# the choice of the menu that is posted

    constructor {view file mapping} {
        namespace path [list {*}[namespace path] ::tactus::player]
        lassign [list $view $file] View File
        lassign {{} {} {} {} 0 {} {} {} {}} Trace Table Saved Fault Loading Asked Pending Format Known
        set Confined [::tactus::confinement $File [openOptions]]
        catch {set Format [::tactus::recognize $File {*}$Confined]}
        array set Value {separator auto header auto skip 0 unit {} jobs number relative 0}
        set Sample [::tactus::sample $File {*}$Confined]
        my build
        lassign [my beginning $mapping] text said
        my put $text
        [my editor] edit reset
        [my editor] edit modified 0
        set Begun [my text]
        trace add variable Value write [namespace code {my touched}]
        my refresh
        my say {*}$said
        my arrange
        focus [$Grid body]
    }

    destructor {
        after cancel $Pending
        if {$Trace ne {}} {catch {$Trace close}}
        if {[winfo exists $Top]} {destroy $Top}
        if {[self next] ne {}} next
    }

    # The text to begin with, and what is said about it: that which was given, a file beside the log, a guess.
    method beginning {mapping} {
        if {$mapping ne {}} {return [list $mapping {muted "This is the mapping with which the log is open."}]}
        set beside [my beside]
        if {$beside ne {} && ![catch {::tactus::player::mapping::readText $beside} text]} {
            set Saved [list $beside $text]
            set said "This is [file tail $beside], which lies beside the log. It is taken here only: the command line\
                below names it."
            return [list $text [list muted $said]]
        }
        list [my guess] {muted "The mapping is guessed from the first lines: look whether it is right."}
    }

    # The mapping that lies beside the log, as Save proposes it: log.map of log.csv and log.csv.gz. {}: there is none.
    method beside {} {
        set file [my proposal]
        if {[file isfile $file] && [file readable $file]} {string cat $file} else {}
    }

    method proposal {} {
        set name [file tail $File]
        if {[file extension $name] in {.gz .xz .zst}} {set name [file rootname $name]}
        file join [file dirname $File] [file rootname $name].map
    }

    method guess {} {
        set text {}
        catch {set text [::tactus::guessMap [dict get $Sample text] -text yes -format log {*}$Confined]}
        if {$text eq {}} {return "# Mapping of a log (tactus_log(5))\nlog -separator auto\n"}
        regsub -line {^(# Mapping of a log .*: )text$} $text "\\1[string map {& \\& \\ \\\\} [file tail $File]]"
    }

    method trace {} {return $Trace}
    method fault {} {return $Fault}
    method table {} {return $Table}

    # ---- the text ----------------------------------------------------------------------------------------------------

    method text {} {
        [my editor] get 1.0 end-1c
    }

    # Replaces what differs, so that the cursor stays where it was, and one Undo takes it back.
    method put {text} {
        set editor [my editor]
        set old [my text]
        if {$text eq $old} return
        set same 0
        set most [expr {min([string length $old], [string length $text])}]
        while {$same < $most && [string index $old $same] eq [string index $text $same]} {incr same}
        set tail 0
        while {$tail < $most - $same && [string index $old end-$tail] eq [string index $text end-$tail]} {incr tail}
        set from "1.0 + $same chars"
        $editor edit separator
        $editor replace $from "1.0 + [expr {[string length $old] - $tail}] chars" [string range $text $same end-$tail]
        $editor edit separator
        $editor see $from
    }

    # The user types: what it gives is shown when that pauses.
    method typed {} {
        if {![[my editor] edit modified]} return
        [my editor] edit modified 0
        after cancel $Pending
        set Pending [after 200 [namespace code {my refresh}]]
    }

    # A menu changes the text; what it gives is shown at once.
    method change {text} {
        my put $text
        my refresh
    }

    # ---- what the text gives -----------------------------------------------------------------------------------------

    method refresh {} {
        after cancel $Pending
        [my editor] edit modified 0
        set text [my text]
        set Fault {}
        my readTable $text
        my preview $text
        my showHead
        my showTable
        my showWords
        my showFault
        my showLine
        if {$Asked ne {}} {my keep}
    }

    # Asks how the text takes the lines apart. With an error in it the last table stays, or the lines as they are.
    method readTable {text} {
        try {
            set Table [::tactus::logTable [dict get $Sample text] -map $text {*}$Confined]
        } trap TACTUS message {
            my blame $message
            if {$Table eq {}} {set Table [::tactus::logTable [dict get $Sample text] {*}$Confined]}
        }
        if {[my names] ne {}} {set Known [my names]}
        my fields
    }

    # The fault of the text: mapping:3: ..., or the line that names a column which is not there.
    method blame {message} {
        set line 0
        if {[regexp {^mapping:(\d+): (.*)} $message -> line rest]} {
            set message $rest
        } elseif {[regexp {^the log has no column .* calls the (\w+)$} $message -> meaning]} {
            set line [importText::lineOf [my text] [list column $meaning]]
        }
        set Fault [list $line $message]
    }

    # The fields as the text has them.
    method fields {} {
        set Loading 1
        set log {}
        foreach command [importText::those [my text] log] {lappend log {*}[lrange [dict get $command words] 1 end]}
        if {[llength $log] % 2} {set log {}}
        set separator [string map {, comma \; semicolon \t tab | bar} [my optionOf $log -separator auto]]
        set Value(separator) $separator
        set Value(header) [string map {yes names no values} [my optionOf $log -header auto]]
        set Value(skip) [dict get $Table skip]
        set Value(unit) [if {[dict get $Table unit] eq {}} {string cat "not said"} else {dict get $Table unit}]
        set Value(jobs) [dict get $Table jobs]
        set Value(relative) [string is true [dict get $Table relative]]
        set Loading 0
        set frame $Top.all.panes.middle.left.settings
        $frame.jobs state [expr {[dict exists $Table columns job] ? "!disabled" : "disabled"}]
        if {[dict exists $Table columns deadline]} {
            pack $frame.relative -side left -padx [px 4]
        } else {
            pack forget $frame.relative
        }
    }

    method optionOf {options name default} {
        if {[dict exists $options $name]} {dict get $options $name} else {set default}
    }

    # A field was changed by the user.
    method touched {array key operation} {
        if {$Loading || ![winfo exists $Top]} return
        set value $Value($key)
        set text [my text]
        switch $key {
            separator {set text [importText::setLog $text -separator $value]}
            header {
                set names [my names]
                if {$names eq {}} {set names [if {$value eq "names"} {my firstFields} else {set Known}]}
                set text [if {$value eq "auto"} {importText::setLog $text -header auto} else {
                    importText::setHeader $text [expr {$value eq "names"}] $names
                }]
            }
            skip {
                if {![string is integer -strict $value] || $value < 0} return
                set text [importText::setLog $text -skip [expr {$value ? $value : {}}]]
            }
            unit {set text [importText::setUnit $text [expr {$value eq "not said" ? {} : $value}]]}
            jobs {set text [importText::setLog $text -jobs $value]}
            relative {set text [importText::setRelative $text $value]}
        }
        # When the widget has ended its own work.
        set Changed $text
        my later applyField
    }

    method applyField {} {
        my change $Changed
    }

    # Names of the columns; {}: they have none.
    method names {} {
        dict get $Table names
    }

    method firstFields {} {
        foreach line [dict get $Table lines] {
            if {[lindex $line 1] eq "row"} {return [lindex $line 2]}
        }
        return
    }

    # Opens the sample with the text as its mapping.
    method preview {text} {
        set old $Trace
        set Trace {}
        if {$Fault eq {}} {
            try {
                set Trace [::tactus::openText [dict get $Sample text] -format log -maptext $text -timelimit 1 \
                    -decimals 3 -name [file tail $File] {*}$Confined]
            } trap TACTUS message {
                my blame $message
            }
        }
        set timeline [my timeline]
        $timeline configure -trace $Trace
        if {$Trace ne {}} {
            catch {$timeline configure -axis-unit [dict get [$Trace info] unit]}
            $timeline view {*}[$timeline span]
        }
        if {$old ne {}} {$old close}
        my showCounts
    }

    # Says how much the mapping makes of the lines, and what it does not understand.
    method showCounts {} {
        set counts $Top.all.panes.preview.counts
        set columns [list {title Line below {} color muted anchor e fixed 0 tip "line of the log"} \
            {title "What is not understood" below {} color muted anchor w fixed 0 tip "Return, click: go to the line"}]
        if {$Trace eq {}} {
            $counts configure -style Muted.TLabel -text "No preview: the mapping has an error."
            return [$Remarks show $columns {}]
        }
        set remarks [lmap remark [$Trace diagnostics] {
            if {[dict get $remark severity] eq "note"} continue
            set remark
        }]
        lassign {0 {}} wrong rows
        foreach remark $remarks {
            dict with remark {
                set color [expr {$severity eq "error" ? "error" : "warning"}]
                if {$line} {incr wrong [expr {[regexp {has no meaning: (\d+) row} $text -> rowsOf] ? $rowsOf : $count}]}
                lappend rows [dict create cells [list [expr {$line ? $line : {}}] \
                    "$text[expr {$count > 1 ? " ($count times)" : {}}]"] color foreground colors [list 0 $color] \
                    across 1 tip $text line $line]
            }
        }
        $Remarks show $columns $rows
        set info [$Trace info]
        set text "Preview: [text::counted [dict get $info events] event],\
            [text::counted [dict get $info objects task] task], [text::counted [dict get $info objects job] job]"
        append text [expr {[dict get $Sample whole] ? "; " : " in the first [text::group [my lineCount]] lines; "}]
        append text [expr {!$wrong ? "all lines are understood"
            : "[text::counted $wrong line] not understood, the first: [my firstLine $remarks]"}]
        $counts configure -text $text -style [expr {$wrong ? "Warning.TLabel" : "Ok.TLabel"}]
    }

    # The first line that a remark is about.
    method firstLine {remarks} {
        lindex [lsort -integer [lmap remark $remarks {
            if {![dict get $remark line]} continue
            dict get $remark line
        }]] 0
    }

    # ---- showing -----------------------------------------------------------------------------------------------------

    method lineCount {} {
        set text [dict get $Sample text]
        expr {[llength [split $text \n]] - ([string index $text end] in {\n {}})}
    }

    # Which file it is, how much of it is seen, and what is strange about it.
    method showHead {} {
        set text [text::visible [file tail $File] 60]
        set lines [text::counted [my lineCount] line]
        set style Bold.TLabel
        if {[dict get $Sample text] eq {}} {
            append text ": the file is empty"
        } elseif {[dict get $Sample binary]} {
            append text ": this is no text"
            set style Error.TLabel
        } elseif {[dict get $Sample damage] ne {}} {
            append text ": [dict get $Sample damage]"
            set style Error.TLabel
        } elseif {![dict get $Sample whole] && [string index [dict get $Sample text] end] ne "\n"} {
            append text ": its first line is longer than 256 KiB"
            set style Error.TLabel
        } else {
            append text [expr {[dict get $Sample whole] ? ", $lines" : ", its first $lines"}]
        }
        $Top.all.head.file configure -text $text -style $style
    }

    # The table: a column for each field, its meaning below its name.
    method showTable {} {
        set names [my names]
        set means [my meanings]
        set lines [dict get $Table lines]
        set count [llength $names]
        foreach line $lines {
            if {[lindex $line 1] eq "row"} {set count [expr {max($count, [llength [lindex $line 2]])}]}
        }
        set columns [list {title Line below {} color muted anchor e fixed 1 tip "line of the file"}]
        for {set n 0} {$n < $count} {incr n} {lappend columns [my heading $n [lindex $names $n] $means]}
        set more [expr {[dict get $Table fields] - $count}]
        if {$more > 0} {
            lappend columns [dict create title "\u2026" below "and $more more" color muted anchor w fixed 1 \
                tip "$more more fields, which a mapping calls by their numbers or names"]
        }
        $Grid show $columns [lmap line $lines {my row $line}]
    }

    method heading {n name means} {
        set meaning [expr {[dict exists $means $n] ? [join [dict get $means $n] {, }] : {}}]
        set title [if {$name eq {}} {expr {$n + 1}} else {string cat $name}]
        dict create title $title below "[expr {$meaning eq {} ? "not used" : $meaning}] \u25be" \
            color [expr {$meaning eq {} ? "muted" : "accent"}] anchor w fixed 0 \
            tip "$title: [expr {$meaning eq {} ? "not used" : $meaning}]\nclick: what this column is"
    }

    # column -> its meanings
    method meanings {} {
        set means {}
        dict for {meaning place} [dict get $Table columns] {
            if {[lindex $place 1] ne {}} {dict lappend means [lindex $place 1] $meaning}
        }
        return $means
    }

    method row {line} {
        lassign $line number part fields why
        set color [dict get {row foreground passed muted wrong error} $part]
        dict create cells [list $number {*}$fields] color $color colors {0 muted} across [expr {$part ne "row"}] \
            tip [expr {$part eq "passed" ? "passed over" : $why}]
    }

    method showWords {} {
        set columns [list {title Word below {} color muted anchor w fixed 0 tip "of the column of events"} \
            {title Times below {} color muted anchor e fixed 0 tip "in these lines"} \
            {title Meaning below {} color muted anchor w fixed 0 tip "click: what this word means"}]
        set rows [lmap word [dict get $Table words] {
            lassign $word text count meanings
            dict create cells [list $text [text::group $count] \
                "[expr {$meanings eq {} ? "no meaning" : [join $meanings {, }]}] \u25be"] \
                color foreground colors [list 2 [expr {$meanings eq {} ? "warning" : "accent"}]] across 0 tip {}
        }]
        if {![llength $rows]} {
            set text [expr {[dict exists $Table columns end] || [dict exists $Table columns duration]
                ? "Each line is a stretch in which its task ran." : "No column is the event: its words have meanings."}]
            set rows [list [dict create cells [list $text] color muted colors {} across 1 tip {}]]
        }
        $Words show $columns $rows
    }

    # The error at its line, and remarks in another colour.
    method showFault {} {
        set editor [my editor]
        foreach tag {fault remark} {$editor tag remove $tag 1.0 end}
        set line 0
        foreach text [split [my text] \n] {
            incr line
            if {[regexp {^\s*#} $text]} {$editor tag add remark $line.0 $line.end}
        }
        lassign $Fault at message
        set label $Top.all.panes.middle.right.fault
        if {$Fault eq {}} {
            $label configure -style Muted.TLabel -text "The mapping is well formed."
        } else {
            if {$at > 0} {$editor tag add fault $at.0 "$at.end + 1 chars"}
            $label configure -style Error.TLabel \
                -text [text::visible "[expr {$at > 0 ? "line $at: " : {}}]$message" 300]
        }
        $Top.all.foot.buttons.open state [expr {$Fault eq {} ? "!disabled" : "disabled"}]
    }

    # The command line that opens the log with this mapping, once it is saved.
    method showLine {} {
        set entry $Top.all.foot.line
        $entry configure -state normal
        $entry delete 0 end
        if {[my isSaved]} {
            $entry insert 0 [my commandLine [lindex $Saved 0]]
        } else {
            $entry insert 0 "(save the mapping: tactus --map FILE opens the log with it)"
        }
        $entry configure -state readonly
        $Top.all.foot.copy state [expr {[my isSaved] ? "!disabled" : "disabled"}]
    }

    method isSaved {} {
        expr {$Saved ne {} && [lindex $Saved 1] eq [my text]}
    }

    method commandLine {map} {
        set words [list tactus {*}[expr {$Format eq "log" ? {} : {--format log}}] --map [my place $map] \
            [my place $File]]
        join [lmap word $words {
            if {[regexp {^[\w./:+=,@%-]+$} $word]} {set word} else {string cat ' [string map {' '\\''} $word] '}
        }]
    }

    # A file as a shell in the current directory calls it.
    method place {file} {
        set here [file normalize [pwd]]/
        if {[string first $here $file] == 0} {set file [string range $file [string length $here] end]}
        if {[string index $file 0] eq "-"} {string cat "./$file"} else {string cat $file}
    }

    # ---- menus -------------------------------------------------------------------------------------------------------

    method menu {} {
        destroy $Top.menu
        menu $Top.menu -tearoff 0
        theme adopt $Top.menu
        return $Top.menu
    }

    # The menu of a column of the table, whose first column has the numbers of lines. A meaning that another column has
    # moves from there.
    method columnMenu {column} {
        set menu [my menu]
        set number [expr {$column - 1}]
        set means [my meanings]
        set now [expr {[dict exists $means $number] ? [lindex [dict get $means $number] 0] : {}}]
        set Choice [if {$now eq {}} {string cat none} else {set now}]
        dict for {meaning help} $::tactus::player::importText::columns {
            set other [expr {[dict exists $Table columns $meaning] && $meaning ne $now
                ? "now [text::visible [lindex [dict get $Table columns $meaning] 0] 24]" : {}}]
            $menu add radiobutton -label "$meaning: $help" -accelerator $other -value $meaning \
                -variable [my varname Choice] -command [namespace code [list my setColumn $number $meaning]]
        }
        $menu add separator
        $menu add radiobutton -label "not used" -value none -variable [my varname Choice] \
            -command [namespace code [list my setColumn $number {}]]
        return $menu
    }

    method wordMenu {row} {
        set menu [my menu]
        lassign [lindex [dict get $Table words] $row] word count meanings
        set Choice [if {$meanings eq {}} {string cat none} else {set meanings}]
        dict for {meaning help} $::tactus::player::importText::events {
            $menu add radiobutton -label "[join $meaning {, }]: $help" -value $meaning \
                -variable [my varname Choice] -command [namespace code [list my setWord $word $meaning]]
        }
        $menu add separator
        $menu add radiobutton -label "no meaning: told in a warning" -value none -variable [my varname Choice] \
            -command [namespace code [list my setWord $word {}]]
        return $menu
    }

    method postColumn {column x y} {
        my post [my columnMenu $column] $x $y
    }

    method postWord {row x y} {
        if {$row < [llength [dict get $Table words]]} {my post [my wordMenu $row] $x $y}
    }

    # The keys begin at the present choice.
    method post {menu x y} {
        tk_popup $menu $x $y
        for {set n 0} {$n <= [$menu index end]} {incr n} {
            if {[$menu type $n] eq "radiobutton" && [$menu entrycget $n -value] eq $Choice} {$menu activate $n}
        }
    }

    method setColumn {number meaning} {
        my change [importText::setColumn [my text] $number [my names] $meaning]
        set means [my meanings]
        set now [expr {[dict exists $means $number] ? [dict get $means $number] : {}}]
        if {$Fault eq {} && ($meaning ne {} ? $meaning ni $now : $now ne {})} {my tellComputed}
    }

    method setWord {word meanings} {
        my change [importText::setWord [my text] $word $meanings]
        set now [lindex [lsearch -inline -exact -index 0 [dict get $Table words] $word] 2]
        if {$Fault eq {} && [lsort $now] ne [lsort $meanings]} {my tellComputed}
    }

    method tellComputed {} {
        my say warning "Another command of the mapping says otherwise, a pattern or one that computes: change its text."
    }

    # Goes to the line of a remark.
    method goTo {row args} {
        set remark [lindex [$Trace diagnostics] 0]
        set line [lindex [lmap remark [$Trace diagnostics] {
            if {[dict get $remark severity] eq "note"} continue
            dict get $remark line
        }] $row]
        set n [lsearch -exact -integer -index 0 [dict get $Table lines] $line]
        if {$n >= 0} {$Grid see $n}
    }

    # ---- files -------------------------------------------------------------------------------------------------------

    method guessAgain {} {
        my change [my guess]
        my say muted "The mapping is guessed from the first lines. Undo (Ctrl+Z in the text) takes it back."
    }

    method load {} {
        set file [tk_getOpenFile -parent $Top -title "Open a Mapping" -initialdir [file dirname $File] \
            -filetypes {{Mappings {.map .tcl}} {{All files} *}}]
        if {$file ne {} && [winfo exists $Top]} {my loadFrom $file}
    }

    method loadFrom {file} {
        try {
            set text [::tactus::player::mapping::readText $file]
        } trap TACTUS message {
            return [my say error $message]
        }
        set Saved [list [file normalize $file] $text]
        my change $text
        my say muted "The mapping is that of [file tail $file]."
    }

    method save {} {
        set file [my proposal]
        set file [tk_getSaveFile -parent $Top -title "Save the Mapping" -initialdir [file dirname $file] \
            -initialfile [file tail $file] -filetypes {{Mappings {.map .tcl}} {{All files} *}}]
        if {$file ne {} && [winfo exists $Top]} {my saveTo $file}
    }

    method saveTo {file} {
        set file [file normalize $file]
        set text [my text]
        try {
            ::tactus::save $file channel {
                fconfigure $channel -encoding utf-8
                puts -nonewline $channel $text
            }
        } on error message {
            return [my say error "The mapping cannot be written: $message"]
        }
        set Saved [list $file $text]
        my showLine
        my say ok "Written: [file tail $file]. The command line opens the log with it."
    }

    method copy {} {
        clipboard clear -displayof $Top
        clipboard append -displayof $Top [my line]
        my say ok "The command line is in the clipboard."
    }

    # ---- the end -----------------------------------------------------------------------------------------------------

    # Opens the log with the mapping: that of the file where it is saved as it is, else its text.
    method open {} {
        my refresh
        if {$Fault ne {}} {
            focus [my editor]
            return [my say error "The mapping has an error, so the log cannot be opened with it."]
        }
        set mapping [expr {[my isSaved] ? [list file [lindex $Saved 0] log] : [list text [my text] log]}]
        lassign [list $View $File] view file
        my destroy
        ::tactus::player::mapping::openWith $mapping $file $view
    }

    # Closes; asks first where work would be lost.
    method close {} {
        if {$Asked ne {}} {return [my keep]}
        if {[my text] in [list $Begun [lindex $Saved 1]]} {return [my destroy]}
        my refresh
        set Asked close
        my say warning "The changes of the mapping are not saved."
        my answerWith {keep discard}
        focus $Top.all.foot.buttons.keep
    }

    method keep {} {
        set Asked {}
        my say muted {}
        my answerWith {guess load save cancel open}
    }

    method discard {} {
        my destroy
    }

    self method for {view file {mapping {}}} {
        variable dialogs
        if {![info exists dialogs]} {set dialogs {}}
        set file [file normalize $file]
        if {[dict exists $dialogs $file] && [info object isa object [dict get $dialogs $file]]} {
            set dialog [dict get $dialogs $file]
            raise [$dialog top]
            focus [$dialog top]
            return $dialog
        }
        set dialog [my new $view $file $mapping]
        dict set dialogs $file $dialog
        return $dialog
    }
}
