# opened.tcl -- measures an opened trace from inside: tclsh opened.tcl PKGINDEX-DIR TRACE PDF
#
# Prints a dict: rss (bytes of private memory that opening added, so no file pages and no Tcl); peak (bytes, the most
# the process ever had at once, file pages included); pdfSeconds (CPU time for the whole-trace figure); pdfSize (bytes).

lassign $argv dir trace pdf
source [file join $dir pkgIndex.tcl]
package require tactus

proc status {field} {
    set channel [open /proc/self/status]
    regexp "$field:\\s+(\\d+) kB" [read $channel] -> kilobytes
    close $channel
    expr {1024 * $kilobytes}
}

# User and system time of this process so far; the kernel counts in ticks of 10 ms.
proc cpu {} {
    set channel [open /proc/self/stat]
    set fields [lrange [lindex [split [read $channel] )] end] 11 12]
    close $channel
    expr {([lindex $fields 0] + [lindex $fields 1]) / 100.0}
}

set before [status RssAnon]
set t [tactus::open $trace]
set rss [expr {[status RssAnon] - $before}]
set peak [status VmHWM]
set from [cpu]
$t export $pdf
set pdfSeconds [expr {[cpu] - $from}]
puts [dict create rss $rss peak $peak pdfSeconds $pdfSeconds pdfSize [file size $pdf]]
