# commands.tcl -- runs the program's commands over a file, as fuzzCommands and fuzz.test do. Which of them it is follows
# from the bytes, so that an input in the corpus always meets the same one; a test names it instead. A command may
# refuse what it is given, by an error of Tactus or of the system, but no other one.

namespace eval ::fuzz {
    variable here [file dirname [file normalize [info script]]]
    variable demos [file join [file dirname [file dirname $here]] demos]
    variable limits {--inprocess --timelimit 0.05 --commandlimit 2000 --eventlimit 2000 --memorylimit 268435456}
    # In words, @ is the file and OUT/ the folder that is written to; the limits of reading follow the name.
    variable commands {
        {info --format json @}
        {stats --format json @}
        {stats --of tasks --group-by priority --columns count,max(response_max),mean(misses) @ @}
        {stats --where {response > 1 || task ~ *a*} --sort -response --top 3 --csv-safe --format csv @}
        {sync --format json @}
        {dump @}
        {convert @ OUT/converted.tactus}
        {convert --threads *[1a]* @ OUT/part.tactus}
        {cut --rows *[1a]* --from 1 --to 5 @ OUT/cut.tactus}
        {map --guess @}
        {why --worst * @}
        {why --worst * --format json @}
        {learn --stream jobArrived --stream message @}
        {learn --task * @}
        {learn --expect LIMITS @}
        {instances --expect EXPECT @}
        {check --with all @}
        {check --with all --format json @}
        {check --with all --format junit --where {severity == error} @}
        {check --with all --group-by check,verdict --columns count --format table @}
        {check --expect EXPECT @}
        {sql {select * from findings} --expect EXPECT @}
        {sql {select task, count(*), max(response) from jobs group by task order by 3 desc} @ @}
        {sql {select * from events limit 5} @}
        {compare BASE @}
        {compare --all --format json @ BASE}
        {compare --figure min,max --fail-on {p99(response) > +5%} --format junit @ @}
        {baseline -o OUT/baseline @}
        {export --processors collapsed --legend bottom --buffers @ OUT/figure.eps}
        {export --preset ieee-column --pages --mark-servers --breaks @ OUT/figure.pdf}
        {export --convention rtsched --deadlines all --bar-text duration --order priority @ OUT/figure.tex}
        {export --color-by outcome --group-by kind --axis-scale 2.5 --grayscale @ OUT/figure.svg}
        {export --processors expanded --legend right --dark --layers findings,misses,arrows @ OUT/figure.ppm}
        {export --view histogram @ OUT/figure.svg}
        {export --view cdf --tail --log @ OUT/figure.svg}
        {export --view overtime --line --statistic execution @ OUT/figure.svg}
        {export --view stacked --group outcome --base completion @ OUT/figure.svg}
        {--postscript OUT/figure.ps --legend bottom --checkBudget warning --checkMutex warning @}
    }
    # In the fuzzer nothing but the core is there.
    if {![info exists ::tactus::library]} {
        set ::tactus::library [file join [file dirname $demos] library]
        set ::tactus::binary {}
        rename ::load {}
        proc ::load args {}
        source -encoding utf-8 [file join $::tactus::library tactus.tcl]
    }
    ::tactus::need cli/cli
}

# What is said on stderr is of no interest.
proc ::tactus::cli::say {args} {}

rename ::tactus::cli::failed ::tactus::cli::failedAsUsual
proc ::tactus::cli::failed {message options} {
    lassign [dict get $options -errorcode] kind detail what
    if {$kind ni {TACTUS POSIX} && "$detail $what" ne "LOOKUP INDEX"} {
        error "an error of the program itself: [dict get $options -errorinfo]"
    }
    failedAsUsual $message $options
}

# Runs a command over the file at `path`; its exit status.
proc ::fuzz::command {words path folder} {
    variable limits
    variable demos
    variable here
    set at [expr {[string match -* [lindex $words 0]] ? 0 : 1}]
    set words [lmap word [linsert $words $at {*}[expr {$at ? $limits : {}}]] {
        if {$word eq "@"} {
            set path
        } else {
            string map [list OUT/ $folder/ EXPECT [file join $here commands.expect] \
                LIMITS [file join $here expectSeeds limits] BASE \
                [file join $demos mutexes.tactus]] $word
        }
    }]
    set ::tactus::cli::hasErrors 0
    set ::tactus::cli::status {}
    try {
        set status [::tactus::cli::main $words]
        if {[lindex $words 0] eq "convert" && $status < 2 && "--threads" ni $words} {
            compareDumps {*}[lrange $words end-1 end]
        }
        return $status
    } finally {
        # The program ends now.
        foreach trace [info commands ::tactus::trace*] {catch {$trace close}}
    }
}

# What was converted says the same as its original.
proc ::fuzz::compareDumps {original converted} {
    variable limits
    set dumps [lmap path [list $original $converted] {
        [tactus::open $path {*}[string map {-- -} $limits]] dump
    }]
    if {[lindex $dumps 0] ne [lindex $dumps 1]} {error "converted, the trace is another one"}
}

proc ::fuzz::open {path folder} {
    variable commands
    set channel [::open $path rb]
    set bytes [read $channel]
    close $channel
    command [lindex $commands [expr {[zlib crc32 $bytes] % [llength $commands]}]] $path $folder
}

# The program's output goes nowhere: what is opened next is the standard output.
proc ::fuzz::silence {} {
    close stdout
    ::open /dev/null w
}
