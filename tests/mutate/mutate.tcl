# mutate.tcl -- changes one operator of the C code at a time, and sees whether a test notices.
#
#   tclsh mutate.tcl DIRECTORY ?-seed N? ?-count N? ?-first N? ?-files PATTERN? ?-numbers LIST? ?-part K/N?
#       ?-seconds SECONDS? ?-whole SECONDS? ?-sanitized SECONDS?
#
# A change that no test notices (a survivor) is code that no test holds to its purpose: it asks for a test, or can be
# taken away, or cannot matter. Those of the last kind stand in harmless.txt, each with its reason; where the compiler
# makes the same of the changed code, it cannot matter, either.
#
# The work is done in DIRECTORY, on a copy of the tree, built once: its code has a switch at each of the places, by
# which all changes are there, one at a time (switch.tcl). The quick suite runs once to see in which tests a change
# would make a difference. Only these run with the change, those of a file without its others, the quickest first, more
# and more until one fails, for so many seconds (-seconds). One that fails counts when it fails once more, and does not
# without the change. Where a file of tests makes a difference before its tests, the whole file runs, and so do, of what
# passes, whole files for so many seconds (-whole), since a test may need what another one leaves. What then passes is
# tried under the sanitizers, which see a place beside an array, with so many seconds of tests (-sanitized, 0: not).
# Places that can have no switch, such as those of a constant table, are changed in a build of their own, and tried with
# the tests that see others of the file.
#
# -numbers tries these places only. -part 1/2 tries every second one: the others in a second process, with -part 2/2,
# when the first one has begun to try.

source [file join [file dirname [file normalize [info script]]] switch.tcl]

namespace eval ::tactus::mutate {
    variable top [file dirname [file dirname [file dirname [file normalize [info script]]]]]
    variable here [file dirname [file normalize [info script]]]
    variable directory {}
    variable excuses [file join $here harmless.txt]
    variable options {-seed 1 -count 25 -first 1 -files * -numbers {} -part 1/1 -seconds 240 -whole 60 -sanitized 8}
    # Test files that look at the sources only, or build them anew.
    variable apart {
        bootstrap clean configure contributing dialect install layers layersLibrary mutate portable runner tclStyle
        writing
    }
    variable commands {}        ;# object file -> command of the compiler that makes it
    variable seconds {}         ;# name of a test file -> seconds that it takes without a change
    variable skipped {}         ;# name of a test file -> tests that it skips then
    variable seen {}            ;# number of a place -> name of a test file -> name of a test -> its milliseconds
    variable sites {}           ;# the places, of which the first has number 1: file, place, operator, line, key
    variable unswitched {}      ;# numbers of places without a switch
    variable sound              ;# files and tests -> do they pass without a change?
    variable start 0.5          ;# seconds that a test file takes for itself
    variable batch 2            ;# seconds of tests that the first run of them takes; each later one twice as many
}

# ---- what can be changed ---------------------------------------------------------------------------------------------

proc ::tactus::mutate::contents {file} {
    set channel [open $file]
    fconfigure $channel -encoding utf-8
    try {read $channel} finally {close $channel}
}

proc ::tactus::mutate::put {file text} {
    set channel [open $file w]
    fconfigure $channel -encoding utf-8
    try {puts -nonewline $channel $text} finally {close $channel}
}

# The key of a place: its file, operator and line of code, which stay when others change.
proc ::tactus::mutate::keyOf {file code operator line} {
    return "$file $operator [string trim [lindex [split $code \n] $line-1]]"
}

# All places of the code in this folder: a list of file, place, operator, number of the line, key.
proc ::tactus::mutate::places {source} {
    variable options
    set result {}
    foreach file [lsort [glob -directory $source -tails generic/*/*.c generic/*/*/*.c unix/*.c]] {
        if {![string match [dict get $options -files] $file]} continue
        set code [contents [file join $source $file]]
        foreach site [sites $code] {
            lassign $site - operator line
            lappend result [list $file {*}$site [keyOf $file $code $operator $line]]
        }
    }
    return $result
}

# The places in an order that the seed decides, each by itself: by a hash of its key, and of how many with this key
# stand above it. So those of a run are the same ones after other code has changed.
proc ::tactus::mutate::shuffled {places seed} {
    set seen {}
    set ranked {}
    foreach place $places {
        set key [lindex $place 4]
        dict incr seen $key
        set sum [zlib crc32 [encoding convertto utf-8 "$key [dict get $seen $key]"]]
        lappend ranked [list [mixed [expr {$sum ^ [mixed $seed]}]] $place]
    }
    lmap entry [lsort -integer -index 0 $ranked] {lindex $entry 1}
}

# 32 bits of which each decides half of the result's (the end of MurmurHash3): a sum alone has likes beside likes.
proc ::tactus::mutate::mixed {bits} {
    foreach {shift factor} {16 0x85ebca6b 13 0xc2b2ae35 16 1} {
        set bits [expr {(($bits ^ ($bits >> $shift)) * $factor) & 0xffffffff}]
    }
    return $bits
}

# The changes that cannot matter: file, operator and line of code -> why.
proc ::tactus::mutate::harmless {} {
    variable excuses
    set result {}
    set key {}
    foreach line [split [contents $excuses] \n] {
        if {[string match #* $line] || [string trim $line] eq {}} continue
        if {[string index $line 0] ne { }} {
            set key $line
        } else {
            dict append result $key " [string trim $line]"
        }
    }
    return $result
}

# ---- builds ----------------------------------------------------------------------------------------------------------

# Copies the tree, puts switches into it and builds it; runs all tests to see which places they reach.
proc ::tactus::mutate::prepare {} {
    variable top
    variable directory
    variable options
    variable sites
    variable commands
    variable unswitched
    set source [file join $directory source]
    set made [lmap name {source original plain sanitized seen prepared} {file join $directory $name}]
    file delete -force {*}$made {*}[glob -nocomplain -directory $directory alone*]
    file mkdir $source [file join $directory plain] [file join $directory seen]
    foreach name {
        .clang-format CONTRIBUTING.md LICENSE Makefile.in README.md SECURITY.md bootstrap build-aux configure
        configure.ac demos doc generic library plugins tests unix
    } {file copy [file join $top $name] $source}
    configure $source plain
    set commands [commandsOf plain]
    set sites [lrange [shuffled [places $source] [dict get $options -seed]] 0 [dict get $options -count]-1]
    say "building [llength $sites] changes"
    set unswitched [build $sites]
    say "running the tests for the places that they see"
    watch
}

proc ::tactus::mutate::configure {source build} {
    variable directory
    cd [file join $directory $build]
    exec [file join $source configure] --quiet >/dev/null 2>@ stderr
}

# The compiler's command for each object file of the core, without the output and the source.
proc ::tactus::mutate::commandsOf {build} {
    variable directory
    set result {}
    set text [exec make -n -B -C [file join $directory $build] all 2>/dev/null]
    foreach {- command object} [regexp -all -inline -line {^(.* -c) -o obj/(\S+)\.o \S+$} $text] {
        dict set result $object [string map {\\" \" { -MMD -MP} {} {ccache } {}} $command]
    }
    return $result
}

# Compiles code as this file's; options are the compiler's. An error when it does not compile.
proc ::tactus::mutate::compile {file code args} {
    variable directory
    variable commands
    set object [regsub {^generic/} [file rootname $file] {}]
    set folder [file join $directory source [file dirname $file]]
    cd [file join $directory plain]
    exec {*}[dict get $commands $object] -w -g0 -iquote $folder {*}$args -x c - << [encoding convertto utf-8 $code] 2>@1
}

# The places by file: file -> list of number, place, operator. The first place has number 1.
proc ::tactus::mutate::byFile {sites} {
    set result {}
    set number 0
    foreach site $sites {
        lassign $site file place operator
        dict lappend result $file [list [incr number] $place $operator]
    }
    return $result
}

# Builds all with switches at the places; what does not compile so, such as constants, gets none: their numbers. The
# code as it was goes to the folder "original".
proc ::tactus::mutate::build {sites} {
    variable directory
    set files [byFile $sites]
    dict for {file places} $files {
        set original [file join $directory original $file]
        file mkdir [file dirname $original]
        file copy [file join $directory source $file] $original
        put [file join $directory source $file] [switched [contents $original] $places]
    }
    set make [list make -s -j2 -C [file join $directory plain] all recordTests]
    if {![catch {exec {*}$make -k 2>@1} output]} return
    set unswitched {}
    foreach file [lsort -unique [regexp -all -inline {(?:generic|unix)/[\w/]+\.c(?=:\d+:\d+: error)} $output]] {
        set code [contents [file join $directory original $file]]
        lassign [switchable $file $code [dict get $files $file]] places others
        put [file join $directory source $file] [switched $code $places]
        lappend unswitched {*}$others
    }
    exec {*}$make >/dev/null 2>@ stderr
    return $unswitched
}

# Those of these places of a file that can have a switch, and the numbers of the others.
proc ::tactus::mutate::switchable {file code places} {
    set good {}
    set others {}
    foreach place $places {
        if {[canSwitch $file $code [list $place]]} {lappend good $place} else {lappend others [lindex $place 0]}
    }
    list $good $others
}

proc ::tactus::mutate::canSwitch {file code places} {
    expr {![catch {compile $file [switched $code $places] -fsyntax-only}]}
}

# Does the compiler make the same of the changed code? Or -1: it does not compile.
proc ::tactus::mutate::isSameCode {file place operator} {
    variable directory
    set code [contents [file join $directory original $file]]
    set objects [lmap name {before after} {file join $directory same-[pid]-$name.o}]
    try {
        compile $file $code -o [lindex $objects 0]
        if {[catch {compile $file [changed $code $place $operator] -o [lindex $objects 1]}]} {return -1}
        expr {![catch {exec cmp -s {*}$objects}]}
    } finally {
        file delete {*}$objects
    }
}

# ---- tests -----------------------------------------------------------------------------------------------------------

# Runs test files; `words` are their names and options for the runner. Returns what it says.
proc ::tactus::mutate::tests {build words environment} {
    variable directory
    # A changed condition may ask for memory, or go round, without end.
    set source [file join $directory [file dirname $build] source]
    set command [list [info nameofexecutable] [file join $source tests all.tcl] {*}$words]
    set environment [list TACTUS_QUICK=1 {*}$environment TACTUS_BUILD=[file join $directory $build]]
    catch {exec sh -c {ulimit -v 8000000; exec env "$@"} sh {*}$environment {*}$command </dev/null 2>@1} output
    return $output
}

# Runs all tests, and notes what they see.
proc ::tactus::mutate::watch {} {
    variable directory
    variable here
    variable apart
    set names [lmap file [lsort [glob -directory [file join $directory source tests] -tails *.test]] {
        set name [file rootname $file]
        if {$name in $apart} continue
        set name
    }]
    set watch [list [info nameofexecutable] [file join $here watch.tcl] [file join $directory seen]]
    put [file join $directory watched] [tests plain $names [list TACTUS_WRAPPER=$watch TACTUS_TEST_SECONDS=1200]]
}

# What the runner says of each file at its end: its name, how many tests passed, failed and were skipped, its seconds.
proc ::tactus::mutate::ended {output} {
    set line {^(\S+)\.test +(\d+) passed, (\d+) failed, (\d+) skipped \(([\d.]+) s\)$}
    set result {}
    foreach {- name passed failed left s} [regexp -all -inline -line $line $output] {
        lappend result $name $passed $failed $left $s
    }
    return $result
}

# Takes times and what was seen from what a run of all tests left. Tests that failed in it are left out.
proc ::tactus::mutate::take {output folder} {
    variable seconds {}
    variable skipped {}
    variable seen {}
    foreach {name passed failed left s} [ended $output] {
        dict set seconds $name $s
        dict set skipped $name $left
        if {$failed} {say "$name.test fails without a change: its tests that do are left out"}
    }
    set bad [failures $output]
    foreach file [lsort [glob -nocomplain -directory $folder *.seen]] {
        set test [file rootname [file tail $file]]
        if {![dict exists $seconds $test]} continue
        foreach line [split [string trim [contents $file]] \n] {
            lassign $line name milliseconds numbers
            if {$name in $bad} continue
            foreach number $numbers {dict set seen $number $test $name $milliseconds}
        }
    }
}

# Does the name of a source file begin like that of a test file, or the other way round, with a word at least?
proc ::tactus::mutate::isSpokenOf {test file} {
    set stem [string tolower [file rootname [file tail $file]]]
    set test [string tolower $test]
    set few [expr {min([string length $stem], [string length $test])}]
    expr {$few >= 4 && [string equal -length $few $stem $test] || $stem eq $test}
}

# What to run for a change of this file, by the tests that see it (test file -> test -> milliseconds): a list of
# seconds, test file, tests. First of each test file what takes a second, then four, and so on.
proc ::tactus::mutate::order {file reached} {
    variable start
    set ranked {}
    dict for {name tests} $reached {
        set round [expr {-[isSpokenOf $name $file]}]
        set limit 1.0
        set sum $start
        set some {}
        foreach {test milliseconds} [lsort -stride 2 -index 1 -integer [dict remove $tests -]] {
            if {[llength $some] && $sum + $milliseconds / 1000.0 > $limit} {
                lappend ranked [list $round $sum $name $some]
                incr round
                set limit [expr {4 * $limit}]
                set sum $start
                set some {}
            }
            set sum [expr {$sum + $milliseconds / 1000.0}]
            lappend some $test
        }
        if {[llength $some]} {lappend ranked [list $round $sum $name $some]}
    }
    lmap entry [lsort -integer -index 0 [lsort -real -index 1 $ranked]] {lrange $entry 1 end}
}

# The same for whole files.
proc ::tactus::mutate::wholes {names} {
    variable seconds
    lsort -real -index 0 [lmap name $names {list [dict get $seconds $name] $name {}}]
}

# The seconds of what is to run.
proc ::tactus::mutate::cost {items} {
    tcl::mathop::+ {*}[lmap item $items {lindex $item 0}]
}

# Runs these, with the change of this number, or without any (0); returns the names of what fails.
proc ::tactus::mutate::fails {build number items} {
    set words [lsort -unique [lmap item $items {lindex $item 1}]]
    set tests [concat {*}[lmap item $items {lindex $item 2}]]
    if {[llength $tests]} {lappend words -match $tests}
    # A change that makes a test wait for ever, or go round, need not be waited for.
    set patience [expr {20 + round(6 * [lindex [lsort -real -index 0 $items] end 0])}]
    set output [tests $build $words \
        [list GCOV_PREFIX=$number TACTUS_TEST_STOP=1 TACTUS_TEST_JOBS=2 TACTUS_TEST_SECONDS=$patience]]
    differences $output $items
}

# The names of the tests that a run says have failed; what it says of a file that has by itself.
proc ::tactus::mutate::failures {output} {
    set line {^==== (\S+\.test: .*|\S+)(?: .*)? FAILED$}
    set failed [lmap {- name} [regexp -all -inline -line $line $output] {set name}]
    if {[llength $failed]} {return [lsort -unique $failed]}
    # The last word may come from the shell, of the exit status.
    if {![regexp -line { 0 failed, \d+ skipped$} $output]} {return [list "the runner: $output"]}
}

# The same, or the files of which fewer tests ran than without a change: it made them see no ground for these.
proc ::tactus::mutate::differences {output items} {
    variable skipped
    set failed [failures $output]
    if {[llength $failed]} {return $failed}
    foreach {name passed - left -} [ended $output] {
        set wanted [concat {*}[lmap item [lsearch -all -inline -exact -index 1 $items $name] {lindex $item 2}]]
        if {[llength $wanted] ? $passed < [llength $wanted] : $left > [dict get $skipped $name]} {
            lappend failed "$name.test: fewer tests ran"
        }
    }
    return $failed
}

# Those of these items whose files the failed tests are of; all where that is not seen.
proc ::tactus::mutate::failedItems {failed items} {
    set some [lmap item $items {
        set name [lindex $item 1]
        if {![llength [lsearch -all -regexp $failed "^$name\\M(?:-|\\.test)"]]} continue
        set item
    }]
    expr {[llength $some] ? $some : $items}
}

# Do these pass without a change? Tests may need others of their file, which do not run with them.
proc ::tactus::mutate::isSound {items} {
    variable sound
    if {![info exists sound($items)]} {set sound($items) [expr {![llength [fails plain 0 $items]]}]}
    return $sound($items)
}

# The names of the tests that fail with a change: runs more and more of these until some do, once more too, and not
# without the change. The files of those that fail without it, or not again, are added to the list `doubtful`.
proc ::tactus::mutate::noticedBy {build number items doubtful} {
    variable batch
    upvar 1 $doubtful doubt
    set limit $batch
    while {[llength $items]} {
        set some {}
        while {[llength $items] && [cost $some] < $limit} {
            set items [lassign $items item]
            lappend some $item
        }
        # The first file that fails ends a run; where that means nothing, the others have still to run.
        while {[llength $some] && [llength [set failed [fails $build $number $some]]]} {
            set suspects [failedItems $failed $some]
            set again [fails $build $number $suspects]
            if {[llength $again] && [isSound $suspects]} {return $again}
            lappend doubt {*}[lmap item $suspects {lindex $item 1}]
            set some [lmap item $some {if {$item in $suspects} continue; set item}]
        }
        set limit [expr {2 * $limit}]
    }
}

# The names of the tests that fail under the sanitizers, of the first ones of these.
proc ::tactus::mutate::noticedSanitized {number items} {
    variable directory
    variable options
    set some {}
    while {[llength $items] && [cost $some] < [dict get $options -sanitized]} {
        set items [lassign $items item]
        lappend some $item
    }
    if {![llength $some] || [dict get $options -sanitized] == 0} return
    set tests [concat {*}[lmap item $some {lindex $item 2}]]
    set make [list make -s -C [file join $directory plain] sanitize SANITIZE_DIR=[file join $directory sanitized] \
        TESTS=[lsort -unique [lmap item $some {lindex $item 1}]] "TESTFLAGS=-match \"$tests\""]
    if {![catch {exec env GCOV_PREFIX=$number {*}$make 2>@1} output]} return
    if {![catch {exec env GCOV_PREFIX=0 {*}$make 2>@1}]} {failures $output}
}

# ---- one change ------------------------------------------------------------------------------------------------------

# The first of these items, as many as so many seconds take.
proc ::tactus::mutate::within {items seconds} {
    set some {}
    foreach item $items {
        if {[cost [list {*}$some $item]] > $seconds} break
        lappend some $item
    }
    return $some
}

# Runs the tests that see the change; returns noticed, survived or unseen, and the tests that noticed it, or what has
# not run.
proc ::tactus::mutate::attempt {number file build} {
    variable seen
    variable options
    set reached [reachedBy $number $file]
    if {![dict size $reached]} {return unseen}
    set all [order $file $reached]
    set items [within $all [dict get $options -seconds]]
    set doubtful [lmap name [dict keys $reached] {if {![dict exists $reached $name -]} continue; set name}]
    set noticed [noticedBy $build $number $items doubtful]
    if {[llength $noticed]} {return [list noticed $noticed]}
    set doubtful [wholes [lsort -unique $doubtful]]
    set others [lmap item [wholes [dict keys $reached]] {if {$item in $doubtful} continue; set item}]
    set files [within [concat $doubtful $others] [dict get $options -whole]]
    set noticed [noticedBy $build $number $files ignored]
    if {[llength $noticed]} {return [list noticed [linsert $noticed 0 "in whole files:"]]}
    if {$build eq "plain"} {set noticed [noticedSanitized $number $items]}
    if {[llength $noticed]} {return [list noticed [linsert $noticed 0 "under the sanitizers:"]]}
    list survived [format "%d of %d groups of tests and %d of %d files have run" [llength $items] [llength $all] \
        [llength $files] [dict size $reached]]
}

# The tests that see a place: test file -> test -> milliseconds; of a place without a switch those that see any of its
# file.
proc ::tactus::mutate::reachedBy {number file} {
    variable seen
    variable sites
    variable unswitched
    if {$number ni $unswitched} {return [expr {[dict exists $seen $number] ? [dict get $seen $number] : {}}]}
    set result {}
    set other 0
    foreach site $sites {
        if {![dict exists $seen [incr other]] || [lindex $site 0] ne $file} continue
        dict for {name tests} [dict get $seen $other] {
            dict for {test milliseconds} $tests {dict set result $name $test $milliseconds}
        }
    }
    return $result
}

# Tries a change in a build of its own, which is made at first. Each part of a run has one.
proc ::tactus::mutate::attemptAlone {number site} {
    variable directory
    variable options
    lassign $site file place operator
    set alone alone[lindex [split [dict get $options -part] /] 0]
    set source [file join $directory $alone source]
    set build [file join $alone plain]
    if {![file exists $source]} {
        file mkdir [file join $directory $build]
        file copy [file join $directory source] $source
        configure $source $build
    }
    set path [file join $source $file]
    set code [contents $path]
    put $path [changed [contents [file join $directory original $file]] $place $operator]
    try {
        exec make -s -j2 -C [file join $directory $build] all recordTests >/dev/null 2>@1
        attempt $number $file $build
    } finally {
        put $path $code
    }
}

proc ::tactus::mutate::say {text} {
    puts $text
    flush stdout
}

# Takes the build that is in the directory, if it has the places that are asked for, or makes it.
proc ::tactus::mutate::begin {} {
    variable directory
    variable options
    variable sites
    variable commands
    variable unswitched
    set prepared [file join $directory prepared]
    set wanted [dict filter $options key -seed -files]
    if {![file exists $prepared] || [lindex [contents $prepared] 0] ne $wanted
        || [lindex [contents $prepared] 1] < [dict get $options -count]} {
        prepare
        put $prepared [list $wanted [dict get $options -count] $sites $commands $unswitched]
    } else {
        say "taking the build of $directory as it is; remove it to build anew"
        lassign [contents $prepared] - - sites commands unswitched
    }
    take [contents [file join $directory watched]] [file join $directory seen]
}

# Tries a place, unless its change cannot matter, and says how it went; returns the outcome.
proc ::tactus::mutate::judge {number site harmless} {
    variable changes
    variable unswitched
    lassign $site file place operator line key
    set what "$number $file:$line $operator to [dict get $changes $operator]"
    if {[dict exists $harmless $key]} {
        say "$what: cannot matter:[dict get $harmless $key]"
        return harmless
    }
    set begin [clock seconds]
    set tests {}
    set alone [expr {$number in $unswitched}]
    if {!$alone} {lassign [attempt $number $file plain] outcome tests}
    if {$alone || $outcome in {survived unseen}} {
        set same [isSameCode $file $place $operator]
        if {$same} {
            set outcome [expr {$same < 0 ? {uncompiled} : {same}}]
        } elseif {$alone} {
            lassign [attemptAlone $number $site] outcome tests
        }
    }
    set code [join [lrange [split $key { }] 2 end]]
    say "$what: $outcome ([expr {[clock seconds] - $begin}] s) [join [lrange $tests 0 3]]\n    $code"
    return $outcome
}

# The numbers of the places to try.
proc ::tactus::mutate::chosen {} {
    variable options
    variable sites
    set numbers [dict get $options -numbers]
    if {![llength $numbers]} {
        for {set i [dict get $options -first]} {$i <= [dict get $options -count]} {incr i} {lappend numbers $i}
    }
    lassign [split [dict get $options -part] /] part parts
    lmap number $numbers {
        if {$number > [llength $sites] || $number % $parts != $part % $parts} continue
        set number
    }
}

proc ::tactus::mutate::main {arguments} {
    variable directory
    variable options
    variable sites
    set directory [file normalize [lindex $arguments 0]]
    set options [dict merge $options [lrange $arguments 1 end]]
    begin
    set harmless [harmless]
    set counts {noticed 0 survived 0 unseen 0 harmless 0 same 0 uncompiled 0}
    foreach number [chosen] {dict incr counts [judge $number [lindex $sites $number-1] $harmless]}
    dict with counts {
        say "$noticed noticed, $survived survived, $unseen unseen, $harmless cannot matter, $same make no other code,\
            $uncompiled not compiled"
        incr survived $unseen
        exit [expr {20 * $survived > $noticed + $survived}]
    }
}

if {[info exists ::argv0] && [file tail $::argv0] eq "mutate.tcl"} {::tactus::mutate::main $::argv}
