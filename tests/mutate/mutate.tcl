# mutate.tcl -- changes one operator of the C code at a time, and sees whether a test notices.
#
#   tclsh mutate.tcl DIRECTORY ?-seed N? ?-count N? ?-first N? ?-files PATTERN? ?-all 1? ?-sanitized SECONDS?
#
# A change that no test notices (a survivor) is code that no test holds to its purpose: it asks for a test, or can be
# taken away, or cannot matter. Those of the last kind stand in harmless.txt, each with its reason.
#
# The work is done in DIRECTORY, on a copy of the tree: builds with and without counters of gcov, and for each test file
# its counters. So only tests that reach the changed line run (with -all 1 the whole quick suite, these first), those
# first that the file's name speaks of, then those that run much of the file for their time. What passes is tried under
# the sanitizers, which see a place beside an array, with so many seconds of tests (0: not); a survivor has passed that,
# too.

namespace eval ::tactus::mutate {
    variable top [file dirname [file dirname [file dirname [file normalize [info script]]]]]
    variable directory {}
    variable excuses [file join [file dirname [file normalize [info script]]] harmless.txt]
    variable options {-seed 1 -count 25 -first 1 -files * -all 0 -sanitized 8}
    variable changes {
        < <=  <= <  > >=  >= >  == !=  != ==  && ||  || &&  + -  - +  += -=  -= +=  true false  false true
    }
    # Folders of code that runs in programs of its own or in processes that are killed, which keep no counters, and the
    # tests that run these.
    variable uncounted {
        generic/record/* {record* relay* monitor live* capture cliMonitor}
        generic/import/kernel/tracecmd.c {kernelDat kernelMap hostile fuzz}
        generic/import/kernel/dat.c {kernelDat kernelMap hostile fuzz}
        generic/import/kernel/pack.c {kernelDat kernelMap hostile fuzz}
        unix/* {worker walls untrusted hostile sandbox* save kill fault reload}
    }
    variable seconds {}         ;# name of a test file -> seconds that it takes without a change, and with counters
    variable skipped {}         ;# name of a test file -> tests that it skips then
    variable counted            ;# source file -> its functions and the tests that run them, once asked for
    variable batch 4            ;# seconds of tests that the first run of them takes; each later one twice as many
}

# ---- what can be changed ---------------------------------------------------------------------------------------------

# The code with comments, literals and directives as blanks, so that places stay the same.
proc ::tactus::mutate::bare {code} {
    set hidden {/\*(?:[^*]|\*+[^*/])*\*+/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'}
    foreach pattern [list $hidden {(?w)^[ \t]*#(?:\\\n|[^\n])*}] {
        foreach range [lreverse [regexp -all -inline -indices $pattern $code]] {
            lassign $range first last
            set text [regsub -all {[^\n]} [string range $code $first $last] { }]
            set code [string replace $code $first $last $text]
        }
    }
    return $code
}

# The operators of a C file that can be changed: a list of place, operator, number of the line.
proc ::tactus::mutate::sites {code} {
    variable changes
    set token {<<=|>>=|->|\+\+|--|[-+*/%&|^]=|<<|>>|<=|>=|==|!=|&&|\|\||[-+<>]|\mtrue\M|\mfalse\M}
    set bare [bare $code]
    set result {}
    set line 1
    set counted 0
    foreach range [regexp -all -inline -indices $token $bare] {
        lassign $range first last
        set operator [string range $bare $first $last]
        # Signs and the brackets of casts have no blanks on both sides.
        if {![dict exists $changes $operator]} continue
        if {![string is alpha $operator] && [string range $bare $first-1 $last+1] ne " $operator "} continue
        incr line [regexp -all \n [string range $bare $counted $first-1]]
        set counted $first
        lappend result [list $first $operator $line]
    }
    return $result
}

# The code with the operator at this place changed.
proc ::tactus::mutate::changed {code place operator} {
    variable changes
    string replace $code $place [expr {$place + [string length $operator] - 1}] [dict get $changes $operator]
}

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

# All places of the tree: a list of file, place, operator, number of the line, key.
proc ::tactus::mutate::places {} {
    variable directory
    variable options
    set source [file join $directory source]
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

# ---- builds and tests ------------------------------------------------------------------------------------------------

# Copies the tree, builds it twice and runs all tests of both: how long each takes, and the lines that it reaches.
proc ::tactus::mutate::prepare {} {
    variable top
    variable directory
    set source [file join $directory source]
    file delete -force $source {*}[lmap name {plain coverage map} {file join $directory $name}]
    file mkdir $source
    foreach name {
        .clang-format CONTRIBUTING.md LICENSE Makefile.in README.md SECURITY.md bootstrap build-aux configure
        configure.ac demos doc generic library plugins tests unix
    } {file copy [file join $top $name] $source}
    foreach {build option targets} {plain {} {all recordTests} coverage --enable-coverage all} {
        file mkdir [file join $directory $build]
        say "building ($build)"
        cd [file join $directory $build]
        exec [file join $source configure] --quiet {*}$option >/dev/null 2>@ stderr
        exec make -s -j2 {*}$targets >/dev/null 2>@ stderr
    }
    # The programs that tests of the recorder start have no counters: C++ among them does not link with them.
    file copy [file join $directory plain record] [file join $directory coverage record]
    set wrapper [file join $directory wrapper]
    # What a test starts, under the same wrapper, counts for the test.
    put $wrapper [join [list #!/bin/sh ": \${GCOV_PREFIX:='$directory/map'/\$(basename \"\$2\" .test)}" \
        "export GCOV_PREFIX" "exec \"\$@\""] \n]
    file attributes $wrapper -permissions 0755
    say "running the tests for the lines that they reach, and their times"
    # A file that is killed keeps no counters, and what only it reaches would survive.
    take [tests coverage {} [list TACTUS_WRAPPER=$wrapper TACTUS_TEST_SECONDS=1200]]
    variable seconds
    variable skipped
    if {![dict size $seconds]} {error "no test file passes"}
    put [file join $directory seconds] [list $seconds $skipped]
}

# Takes the times from what the runner said of the tests with counters. Those that fail, which may be for want of time,
# run once more without.
proc ::tactus::mutate::take {counted} {
    variable seconds {}
    variable skipped {}
    set failed {}
    foreach {name bad left s} [ended $counted] {
        if {$bad} {
            lappend failed $name
        } else {
            dict set seconds $name $s
            dict set skipped $name $left
        }
    }
    if {![llength $failed]} return
    foreach {name bad left s} [ended [tests plain $failed]] {
        if {$bad} {
            say "$name fails without a change: it is left out"
        } else {
            say "$name fails with counters only"
            dict set seconds $name $s
            dict set skipped $name $left
        }
    }
}

# What the runner says of each file at its end: its name, how many tests failed, how many it skipped, its seconds.
proc ::tactus::mutate::ended {output} {
    set line {^(\S+)\.test +\d+ passed, (\d+) failed, (\d+) skipped \(([\d.]+) s\)$}
    set result {}
    foreach {- name failed left s} [regexp -all -inline -line $line $output] {lappend result $name $failed $left $s}
    return $result
}

# Runs these test files, all without any; returns what they say.
proc ::tactus::mutate::tests {build names {environment {}}} {
    variable directory
    # A changed condition may ask for memory, or go round, without end.
    set command [list [info nameofexecutable] [file join $directory source tests all.tcl] {*}$names]
    set environment [list TACTUS_QUICK=1 TACTUS_TEST_SECONDS=120 {*}$environment \
        TACTUS_BUILD=[file join $directory $build]]
    catch {exec sh -c {ulimit -v 8000000; exec env "$@"} sh {*}$environment {*}$command </dev/null 2>@1} output
    return $output
}

# The functions of a source file, by what gcov-dump says of the compiler's notes: number -> first and last line.
proc ::tactus::mutate::functions {dump file} {
    set result {}
    set pattern {FUNCTION ident=(\d+), .* (\S+):(\d+):\d+-(\d+):\d+$}
    foreach {- number source first last} [regexp -all -inline -line $pattern $dump] {
        if {[string match */$file $source]} {dict set result $number [list $first $last]}
    }
    return $result
}

# The functions that have run, by what gcov-dump says of counters: name of a test file -> numbers.
proc ::tactus::mutate::run {dump} {
    set result {}
    foreach line [split $dump \n] {
        if {[regexp {/map/([^/]+)/.*: *[[:xdigit:]]+: *\d+:FUNCTION ident=(\d+)} $line -> test number]} continue
        if {[regexp {/map/.*: +\d+:(?: \d+)* 0*[1-9]} $line]} {dict set result $test $number {}}
    }
    dict map {test numbers} $result {dict keys $numbers}
}

# The test files that reach a line of a source file, by the functions that they run -> how many of the file's they run.
# The counters of one line more would take a call of gcov for each test file, longer than most tests. A line that is in
# no function, in a table, is where any of the file is.
proc ::tactus::mutate::reached {file line} {
    variable directory
    variable counted
    if {![info exists counted($file)]} {
        set counted($file) {{} {}}
        set built [file join $directory coverage]
        set stem [file rootname [file tail $file]]
        foreach notes [glob -nocomplain -directory $built obj/*/$stem.gcno obj/*/*/$stem.gcno] {
            set functions [functions [dumped $notes] $file]
            if {![dict size $functions]} continue
            set counts [glob -nocomplain -directory $directory map/*[file rootname $notes].gcda]
            set run [expr {[llength $counts] ? [run [dumped -l {*}$counts]] : {}}]
            set counted($file) [list $functions $run]
        }
    }
    lassign $counted($file) functions run
    set here [dict keys [dict filter $functions script {- range} {
        expr {[lindex $range 0] <= $line && $line <= [lindex $range 1]}
    }]]
    dict filter [dict map {test numbers} $run {
        expr {![llength $here] || [lsearch -exact $numbers [lindex $here 0]] >= 0 ? [llength $numbers] : 0}
    }] script {test n} {expr {$n > 0}}
}

# What gcov-dump says; it fails where a process was killed before it had written all, and tells what there is.
proc ::tactus::mutate::dumped {args} {
    catch {exec gcov-dump {*}$args 2>/dev/null} text
    return $text
}

# Does a test run the code of this file where nothing counts?
proc ::tactus::mutate::isUncounted {test file} {
    variable uncounted
    foreach {folder tests} $uncounted {
        if {![string match $folder $file]} continue
        foreach pattern $tests {if {[string match $pattern $test]} {return 1}}
    }
    return 0
}

# The test files in the order in which they are likely to notice a change of this line.
proc ::tactus::mutate::order {file line} {
    variable seconds
    variable options
    set ranked {}
    set reached [reached $file $line]
    dict for {test s} $seconds {
        set run [expr {[dict exists $reached $test] ? [dict get $reached $test] : 0}]
        set rank [expr {$run ? 1 : [isUncounted $test $file] ? 2 : 3}]
        if {$rank == 3 && ![dict get $options -all]} continue
        if {$rank == 1 && [isSpokenOf $test $file]} {set rank 0}
        lappend ranked [list $rank [expr {($s + 1) / ($run + 1)}] $test]
    }
    lmap entry [lsort -integer -index 0 [lsort -real -index 1 $ranked]] {lindex $entry 2}
}

# Does the name of a source file begin like that of a test file, or the other way round, with a word at least?
proc ::tactus::mutate::isSpokenOf {test file} {
    set stem [string tolower [file rootname [file tail $file]]]
    set test [string tolower $test]
    set few [expr {min([string length $stem], [string length $test])}]
    expr {$few >= 4 && [string equal -length $few $stem $test] || $stem eq $test}
}

# The names of the tests that fail: runs more and more test files until one does.
proc ::tactus::mutate::noticedBy {names} {
    variable seconds
    variable batch
    set limit $batch
    while {[llength $names]} {
        set some {}
        for {set sum 0.0} {[llength $names] && $sum < $limit} {set sum [expr {$sum + [dict get $seconds $name]}]} {
            set names [lassign $names name]
            lappend some $name
        }
        # The first file that fails ends a run; where it does not fail again, the others have still to run.
        while {[llength $some] && [llength [set failed [differences [tests plain $some [patience $some]]]]]} {
            set files [testFiles $failed $some]
            set failed [again $failed $files]
            if {[llength $failed]} {return $failed}
            set some [lmap name $some {if {$name in $files} continue; set name}]
        }
        set limit [expr {2 * $limit}]
    }
}

# How long these test files may take: a change that makes a test wait for ever, or go round, need not be waited for.
proc ::tactus::mutate::patience {names} {
    variable seconds
    set longest [lindex [lsort -real [lmap name $names {dict get $seconds $name}]] end]
    list TACTUS_TEST_STOP=1 TACTUS_TEST_SECONDS=[expr {30 + round(4 * $longest)}]
}

# The names of the tests that fail again: what fails on a busy machine once, and not again, has noticed nothing. The
# tests that have failed run alone, or their files where a test needs those before it, or no test failed.
proc ::tactus::mutate::again {failed files} {
    if {![llength [lsearch -all -regexp $failed {[.]test$|\s}]]} {
        set some [failures [tests plain [concat $files [list -match $failed]] [patience $files]]]
        if {[llength $some]} {return $some}
    }
    differences [tests plain $files [patience $files]]
}

# The names of the tests that a run says have failed.
proc ::tactus::mutate::failures {output} {
    set failed [lmap {- name} [regexp -all -inline -line {^==== (\S+).* FAILED$} $output] {string trimright $name :}]
    if {[llength $failed]} {return [lsort -unique $failed]}
    # The last word may come from the shell, of the exit status.
    if {![regexp -line { 0 failed, \d+ skipped$} $output]} {return [list "the runner: $output"]}
}

# The same, or the files that skip more tests than without a change: it made them see no ground for these.
proc ::tactus::mutate::differences {output} {
    variable skipped
    set failed [failures $output]
    if {[llength $failed]} {return $failed}
    foreach {- name left} [regexp -all -inline -line {^(\S+)\.test .* (\d+) skipped \(} $output] {
        if {[dict exists $skipped $name] && $left > [dict get $skipped $name]} {lappend failed $name.test}
    }
    return $failed
}

# Those of these test files that the failed tests are of; all where that is not seen.
proc ::tactus::mutate::testFiles {failed names} {
    set some [lmap name $names {
        if {![llength [lsearch -all -glob $failed $name.test]] && ![llength [lsearch -all -glob $failed $name-*]]} continue
        set name
    }]
    expr {[llength $some] ? $some : $names}
}

# The names of the tests that fail under the sanitizers, of the first ones of these.
proc ::tactus::mutate::noticedSanitized {names} {
    variable directory
    variable seconds
    variable options
    set limit [dict get $options -sanitized]
    set some {}
    for {set sum 0.0} {[llength $names] && $sum < $limit} {set sum [expr {$sum + [dict get $seconds $name]}]} {
        set names [lassign $names name]
        lappend some $name
    }
    if {![llength $some]} return
    set make [list make -s -C [file join $directory plain] sanitize SANITIZE_DIR=[file join $directory sanitized] \
        TESTS=$some]
    if {![catch {exec {*}$make 2>@1} output]} return
    failures $output
}

# ---- one change ------------------------------------------------------------------------------------------------------

# Makes a change and runs the tests; returns noticed, survived or uncompiled, and the tests that noticed it.
proc ::tactus::mutate::attempt {file place operator line} {
    variable directory
    set path [file join $directory source $file]
    set code [contents $path]
    put $path [changed $code $place $operator]
    try {
        if {[catch {exec make -s -C [file join $directory plain] -j2 all recordTests 2>@1}]} {return uncompiled}
        set tests [order $file $line]
        set noticed [noticedBy $tests]
        if {![llength $noticed]} {
            set noticed [noticedSanitized $tests]
            if {[llength $noticed]} {set noticed [linsert $noticed 0 "under the sanitizers:"]}
        }
        return [list [expr {[llength $noticed] ? {noticed} : {survived}}] $noticed]
    } finally {
        put $path $code
    }
}

proc ::tactus::mutate::say {text} {
    puts $text
    flush stdout
}

# Takes the builds that are in the directory, or makes them.
proc ::tactus::mutate::begin {} {
    variable directory
    variable seconds
    variable skipped
    if {![file exists [file join $directory seconds]]} {
        prepare
    } else {
        say "taking the builds of $directory as they are; remove it to build anew"
        lassign [contents [file join $directory seconds]] seconds skipped
    }
}

# Tries a place, unless its change cannot matter, and says how it went; returns the outcome.
proc ::tactus::mutate::judge {number site harmless} {
    variable changes
    lassign $site file place operator line key
    set what "$number $file:$line $operator to [dict get $changes $operator]"
    if {[dict exists $harmless $key]} {
        say "$what: cannot matter:[dict get $harmless $key]"
        return harmless
    }
    set begin [clock seconds]
    lassign [attempt $file $place $operator $line] outcome tests
    set code [join [lrange [split $key { }] 2 end]]
    say "$what: $outcome ([expr {[clock seconds] - $begin}] s) [join [lrange $tests 0 3]]\n    $code"
    return $outcome
}

proc ::tactus::mutate::main {arguments} {
    variable directory
    variable options
    set directory [file normalize [lindex $arguments 0]]
    set options [dict merge $options [lrange $arguments 1 end]]
    begin
    set harmless [harmless]
    set counts {noticed 0 survived 0 harmless 0 uncompiled 0}
    set number 0
    foreach site [shuffled [places] [dict get $options -seed]] {
        if {[incr number] < [dict get $options -first]} continue
        dict incr counts [judge $number $site $harmless]
        if {[dict get $counts noticed] + [dict get $counts survived] >= [dict get $options -count]} break
    }
    dict with counts {
        say "$noticed noticed, $survived survived, $harmless cannot matter, $uncompiled not compiled"
        exit [expr {20 * $survived > $noticed + $survived}]
    }
}

if {[info exists ::argv0] && [file tail $::argv0] eq "mutate.tcl"} {::tactus::mutate::main $::argv}
