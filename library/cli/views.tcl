# cli/views.tcl -- figures of plugins' views: `export --view NAME`, and `tactus views`, which lists them.
#
# The options of `export` are then those of the view, so the view must be known before the words are parsed; plugins are
# loaded for that.

namespace eval ::tactus::cli {}

# The name given by --view, perhaps abbreviated, among the words, or {}. As with any option the last one counts.
proc ::tactus::cli::namedView {words} {
    set view {}
    for {set i 0} {$i < [llength $words]} {incr i} {
        set word [lindex $words $i]
        if {$word eq "--"} break
        if {![regexp {^--?v(?:i(?:ew?)?)?(=(.*))?$} $word -> given value]} continue
        set view [if {$given eq {}} {lindex $words [incr i]} else {set value}]
    }
    return $view
}

# Remembers the view that --view names; an unknown name is wrong usage.
proc ::tactus::cli::chooseView {words} {
    variable view [namedView $words]
    if {$view eq {}} return
    try {
        ::tactus::plugin::figureRows $view
    } trap {TACTUS LOOKUP VIEW} message {
        usageError export $message
    }
}

proc ::tactus::cli::drawView {file output figure options} {
    variable view
    set trace [openTrace $file $options]
    try {
        sayOutlier $file $trace $figure "; --from FROM --to TO shows them alone"
        ::tactus::plugin::figure $trace $view $output {*}$figure
    } finally {
        $trace close
    }
}

proc ::tactus::cli::runViews {operands options} {
    if {[llength $operands]} {usageError views "no operands are needed"}
    foreach view [::tactus::plugin::figureViews] {
        puts "[dict get $view name]: [dict get $view help]"
        puts "[optionHelp [dict get $view options]]\n"
    }
    puts "tactus export TRACE FILE --view NAME draws one; besides its own there are the options"
    puts [join [lmap option $::tactus::plugin::core::common {string cat - $option}] {, }]
}
