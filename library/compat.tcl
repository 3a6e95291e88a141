# compat.tcl -- the published player's command line, as its users' scripts and makefiles call it:
#
#	tactus --postscript FILE --legend bottom --legend_items LIST --settings FILE --ignore LIST --format NAME \
#	    --plugins LIST --exit 1 TRACE
#
# It draws the figure that `tactus export` draws. What this version does not have is said and left out.

namespace eval ::tactus::cli::compat {}

# The published options: name, type, argument, words, help.
proc ::tactus::cli::compat::rows {} {
    set rows {}
    foreach {name type argument words help} {
	-postscript file FILE {} "the PostScript file to write"
	-legend word WHERE {none right bottom} "where the legend stands (default none)"
	-legend_items list LIST {} "which items it has"
	-settings file FILE {} "settings, one name and value a line"
	-ignore list LIST {} "strings: what has one of them in its id is hidden"
	-format text NAME {} "format of the trace"
	-plugins list LIST {} "plugins to load"
	-exit flag 0|1 {} "1: ends after writing"
	-checkBudget word WHAT {no warning exit} "the budget plugin's check"
	-checkMutex word WHAT {no warning exit} "the mutex plugin's check"
    } {
	lappend rows [::tactus::cli::row $name [expr {$type eq "flag" ? "text" : $type}] $argument {} $help $words]
    }
    list {*}$rows {*}[lmap row [::tactus::cli::openRows] {
	if {[dict get $row name] eq "-ignore"} continue
	set row
    }]
}

proc ::tactus::cli::compat::warn {text} {
    ::tactus::cli::say "tactus: warning: $text"
}

# What the published player had and this version has not.
proc ::tactus::cli::compat::warnMissing {options} {
    if {[::tactus::cli::option $options -plugins {}] ne {}} {warn "plugins are not loaded in this version"}
    foreach name {-checkBudget -checkMutex} {
	if {[::tactus::cli::option $options $name no] ne "no"} {warn "-$name: the checks are not there yet in this version"}
    }
    set format [::tactus::cli::option $options -format {}]
    if {$format ni {{} grasp tactus}} {warn "unknown format \"$format\": read in the trace language"}
}

# The published option -> the figure's.
proc ::tactus::cli::compat::figure {options file} {
    set figure [list -legend [::tactus::cli::option $options -legend none]]
    if {[dict exists $options -legend_items]} {lappend figure -legend-items [dict get $options -legend_items]}
    if {[dict exists $options -settings]} {
	lappend figure -settings [::tactus::cli::readSettings [dict get $options -settings]]
    }
    lappend figure -format [expr {[string tolower [file extension $file]] in {.eps .epsi .epsf} ? "eps" : "ps"}]
}

proc ::tactus::cli::compat::run {words} {
    set first [lindex $words 0]
    lassign [::tactus::cli::parse {} [rows] $words] options operands
    if {[llength $operands] != 1} {
	if {![string match -* $first]} {
	    ::tactus::cli::usageError {} "unknown subcommand \"$first\": must be [join [dict keys [::tactus::cli::commands]] {, }]"
	}
	::tactus::cli::usageError {} "exactly one trace is needed"
    }
    set trace [lindex $operands 0]
    if {![dict exists $options -postscript]} {noWindow $trace}
    warnMissing $options
    set file [dict get $options -postscript]
    ::tactus::cli::draw $trace $file [figure $options $file] $options
}

proc ::tactus::cli::compat::noWindow {trace} {
    if {$trace ne "-" && ![file exists $trace]} {
	::tactus::cli::usageError {} "\"$trace\" is neither a subcommand nor a file"
    }
    set name [expr {$trace eq "-" ? "trace" : [file rootname [file tail $trace]]}]
    return -code error -errorcode {TACTUS USAGE} "the window is not there yet in this version; for a figure of the trace:\n\
	\ttactus export [list $trace] [list $name.pdf]"
}
