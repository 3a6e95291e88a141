# hostileAnswers.tcl -- everything that a trace is asked, but for what is about objects of a hostile line, to be
# compared with what it says without that line.

tactus::need plugin/plugin plugin/check

namespace eval ::hostileLine {
    variable named zz   ;# a regular expression that fits names of the line's own objects, and nothing else

    # Lists and dicts without what is about the line's own objects.
    proc others {list} {
        variable named
        lmap row $list {
            if {[regexp $named $row]} continue
            set row
        }
    }
    proc unnumbered {list args} {
        lmap row $list {dict remove $row index number line row order {*}$args}
    }

    # A time of a job; {}: none is known.
    proc whenOf {job} {
        expr {[dict get $job release] ne {} ? [dict get $job release] : [dict get $job completion]}
    }

    # What the trace says of its good part, from..to: a list of name and answer. Closes the trace.
    proc answers {trace from to} {
        set range [list -from $from -to $to]
        set said {}
        try {
            lappend said dump [others [split [$trace dump {*}$range] \n]]
            foreach table {jobs tasks processors servers mutexes buffers} {
                lappend said stats-$table [unnumbered [others [$trace stats $table {*}$range]]]
            }
            lappend said jobs [unnumbered [others [$trace stats jobs]]]
            foreach rule {affinity budget deadline execution mutex priority sanity unknown} {
                lappend said audit-$rule [unnumbered [others [dict get [$trace audit $rule] facts]]]
            }
            foreach job [others [$trace stats jobs]] {
                set id [dict get $job job]
                if {[whenOf $job] eq {}} continue
                lappend said why-$id [$trace why $id -at [whenOf $job] -as job -format sentence]
            }
            tactus::check::run $trace -with all
            lappend said findings [unnumbered [lmap found [others [$trace finding list]] {
                if {[dict get $found check] eq "trace"} continue
                set found
            }]]
            lappend said sync [lmap pair [others [dict get [$trace sync] pairs]] {
                dict remove $pair messages from_a from_b lost
            }]
            lappend said density [$trace density 20 {*}$range]
            foreach processor [others [$trace stats processors {*}$range]] {
                set id [dict get $processor processor]
                lappend said utilization-$id \
                    [lmap share [$trace utilization $id 16 {*}$range] {format %.9f $share}]
            }
            set relation [$trace relation jobs {*}$range]
            lappend said statistics [$relation statistics response] histogram \
                [$relation histogram response [list 0 $to 8]]
            $relation close
            foreach {what statement} {
                events {SELECT event, count(*), sum(time) FROM events WHERE time BETWEEN %f AND %t GROUP BY event}
                jobs {SELECT task, count(*), avg(response), sum(response), max(response) FROM jobs WHERE release BETWEEN %f AND %t GROUP BY task}
                slices {SELECT job, state, count(*), sum(length) FROM slices WHERE begin >= %f AND end <= %t GROUP BY job, state}
            } {
                lappend said sql-$what [others [$trace sql [string map [list %f $from %t $to] $statement]]]
            }
            # Not -color-by priority: its colours are ranks, and one more priority is one more rank.
            foreach {what options} {
                svg {} outcome {-color-by outcome -processors expanded} group {-group-by processor}
            } {
                set file [file join [tempDir] figure.svg]
                if {[catch {$trace export $file {*}$range {*}$options} message]} {
                    lappend said export-$what $message
                } else {lappend said export-$what [readFile $file]}
            }
            # The whole with the wild time: it looks otherwise, but nothing fails.
            lappend said whole [lmap command [list {export figure.svg} {export figure.svg -processors expanded} \
                {export figure.svg -color-by processor -group-by processor} {density 1000} {stats processors} \
                {stats tasks} {utilization default 100}] {
                catch {$trace {*}[string map [list figure.svg $file] $command]}
            }]
        } finally {$trace close}
        return $said
    }

    # Names of the answers that differ.
    proc differences {expected got} {
        set wrong {}
        foreach {name answer} $got {
            if {![dict exists $expected $name] || [dict get $expected $name] ne $answer} {lappend wrong $name}
        }
        if {[dict size $expected] != [llength $got] / 2} {lappend wrong count}
        return $wrong
    }
}
