# coverage.tcl -- prints how much of each C file the last run reached: tclsh coverage.tcl GCOV SOURCE-TREE, in the
# build.

lassign $argv gcov top
set rows {}
foreach data [lsort [glob -nocomplain obj/*/*.gcda obj/*/*/*.gcda]] {
    if {[string match obj/ctest/* $data]} continue
    if {[catch {exec $gcov --no-output $data 2>/dev/null} report]} continue
    # gcov says File 'path' and then Lines executed:81.25% of 32, for the file and the headers it has code of.
    foreach {-> file percent lines} [regexp -all -inline {File '([^']+)'\nLines executed:([\d.]+)% of (\d+)} $report] {
        if {![regexp {(generic|unix)/.*\.[ch]$} $file file]} continue
        set key $file
        if {![dict exists $rows $key] || [lindex [dict get $rows $key] 0] < $percent} {
            dict set rows $key [list $percent $lines]
        }
    }
}
set reached 0.0
set total 0
puts [format "%-36s %8s %8s" file lines reached]
foreach file [lsort [dict keys $rows]] {
    lassign [dict get $rows $file] percent lines
    puts [format "%-36s %8d %7.1f%%" $file $lines $percent]
    set reached [expr {$reached + $percent * $lines / 100}]
    incr total $lines
}
if {$total} {puts [format "%-36s %8d %7.1f%%" all $total [expr {100 * $reached / $total}]]}
