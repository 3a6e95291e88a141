# list/data.tcl -- class ListData: the relation behind a list, sorted and filtered as asked, and the work that takes.
#
# Uses no widget. It calls the methods workStarts, workProgresses, workEnds and arranged of the list.
#
#   take RELATION                      another relation, or {}; closed with the object, or when another one is taken
#   replace RELATION                   another one of the same columns, which is sorted and filtered as this one
#   relation, columns, count, total    the relation, its columns; rows that pass the filter, and all
#   names, index NAME, column NAME     columns by their names
#   recount                            asks the relation how many rows there are
#   fetch FIRST COUNT                  reads the rows of a page; page, pageFirst: that page; sample: rows from all over
#   row PLACE, value PLACE NAME        of the page, or read from the relation
#   bisect NAME VALUE AFTER            place of a value in a list that is sorted by this column
#   sort NAME DECREASING, filter TEXT  work; sorting: {NAME DECREASING}; isArranged: is either in effect?
#   run WORDS DONE, cancel, busy, answer    work on the relation that may take long
#
# Sorting and filtering of large relations report progress, in which events are handled. Work that is asked for
# meanwhile cancels the work that goes on and is done next (the last that was asked for). Work that fails or is
# cancelled leaves the relation as it was.
#
# Invariants: 1. Page holds the rows from PageFirst on as the relation gave them last. 2. While Busy the relation is
# only read (it is then as it was before the work), never changed.

oo::class create ::tactus::player::ListData {
    variable List Relation Columns ByName Count Total Page PageFirst SortColumn Decreasing Where \
        Busy Pending Cancelled Started Answer

    constructor {list} {
        set List $list
        lassign {{} {} {} 0 0 {} 0} Relation Columns ByName Count Total Page PageFirst
        lassign {{} 0 {} 0 {} 0 0 {}} SortColumn Decreasing Where Busy Pending Cancelled Started Answer
    }

    destructor {
        if {$Relation ne {}} {catch {$Relation close}}
    }

    # ---- the relation ------------------------------------------------------------------------------------------------

    method take {relation} {
        set old $Relation
        set Relation $relation
        if {$old ne {} && $old ne $Relation} {catch {$old close}}
        set Columns [expr {$Relation eq {} ? {} : [$Relation columns]}]
        set ByName {}
        set index 0
        foreach column $Columns {
            dict set ByName [dict get $column name] [list $index $column]
            incr index
        }
        lassign {{} 0} Page PageFirst
        lassign {{} 0 {}} SortColumn Decreasing Where
    }

    method replace {relation} {
        catch {$Relation close}
        set Relation $relation
        set Page {}
        if {$Where ne {}} {$Relation filter -where $Where}
        if {$SortColumn ne {}} {$Relation sort $SortColumn {*}[expr {$Decreasing ? "-decreasing" : {}}]}
    }

    method relation {} {return $Relation}
    method columns {} {return $Columns}
    method count {} {return $Count}
    method total {} {return $Total}

    method names {} {dict keys $ByName}
    method column {name} {lindex [dict get $ByName $name] 1}

    # Index of a column in a row.
    method index {name} {
        if {![dict exists $ByName $name]} {
            return -code error -errorcode [list TACTUS LOOKUP COLUMN $name] \
                "no column \"$name\": there are [join [dict keys $ByName] {, }]"
        }
        lindex [dict get $ByName $name] 0
    }

    method recount {} {
        set Count [expr {$Relation eq {} ? 0 : [$Relation count]}]
        set Total [expr {$Relation eq {} ? 0 : [$Relation total]}]
    }

    # ---- rows --------------------------------------------------------------------------------------------------------

    # Reads a page. A relation that cannot be read while it is at work keeps the page that was there.
    method fetch {first count} {
        if {$Relation eq {}} return
        if {[catch {$Relation rows $first $count} page options]} {
            if {$Busy} return
            return -options $options $page
        }
        set PageFirst $first
        set Page $page
    }

    method page {} {return $Page}
    method pageFirst {} {return $PageFirst}

    # The page and rows from all over the relation.
    method sample {} {
        set rows $Page
        foreach place [list [expr {$Count / 3}] [expr {$Count * 2 / 3}] [expr {max(0, $Count - 10)}]] {
            lappend rows {*}[$Relation rows $place [expr {min(10, $Count - $place)}]]
        }
        return $rows
    }

    method row {place} {
        if {$place < 0 || $place >= $Count} {return {}}
        if {$place >= $PageFirst && $place < $PageFirst + [llength $Page]} {
            return [lindex $Page [expr {$place - $PageFirst}]]
        }
        if {$Busy} {return {}}
        lindex [$Relation rows $place 1] 0
    }

    method value {place name} {
        lindex [my row $place] [my index $name]
    }

    # The first place whose value is not before the value given (after 1: is behind it), in log n steps.
    method bisect {name value after} {
        set index [my index $name]
        lassign [list 0 $Count] low high
        while {$low < $high} {
            set middle [expr {($low + $high) / 2}]
            set found [lindex [$Relation rows $middle 1] 0 $index]
            if {$found ne {} && [::tactus::times::compare $found $value] < $after} {
                set low [expr {$middle + 1}]
            } else {
                set high $middle
            }
        }
        return $low
    }

    # ---- order and filter --------------------------------------------------------------------------------------------

    method sorting {} {list $SortColumn $Decreasing}

    method isArranged {} {
        expr {$Where ne {} || $SortColumn ne {}}
    }

    # Sorts by a column; {}: as the relation is by itself.
    method sort {name decreasing} {
        if {$name ne {}} {my index $name}
        if {$Relation eq {}} return
        set decreasing [expr {$decreasing && $name ne {}}]
        my run [list sort $name {*}[expr {$decreasing ? "-decreasing" : {}}]] \
            [namespace code [list my sorted $name $decreasing]]
    }

    method sorted {name decreasing} {
        lassign [list $name $decreasing] SortColumn Decreasing
        $List arranged <<ListSorted>>
    }

    method filter {where} {
        if {$Relation eq {} || $where eq $Where} return
        my run [list filter -where $where] [namespace code [list my filtered $where]]
    }

    method filtered {where} {
        set Where $where
        $List arranged <<ListFiltered>>
    }

    # ---- work that may take long -------------------------------------------------------------------------------------

    method busy {} {return $Busy}

    # Result of the work that was done last.
    method answer {} {return $Answer}

    # Runs a command of the relation; then calls `done`, unless it was cancelled or failed.
    method run {words done} {
        if {$Busy} {
            set Pending [list $words $done]
            set Cancelled 1
            return
        }
        set me [self]
        lassign [list 1 0 [clock milliseconds]] Busy Cancelled Started
        $List workStarts
        set message {}
        try {
            set answer [$Relation {*}$words -progress [namespace code {my progress}]]
            set code ok
        } trap {TACTUS CANCELLED} {} {
            set code cancelled
        } on error message {
            set code failed
        }
        if {![info object isa object $me]} return
        if {$code eq "ok"} {set Answer $answer}
        set Busy 0
        $List workEnds $code $message $done
        if {![info object isa object $me] || $Pending eq {}} return
        set next $Pending
        set Pending {}
        after idle [namespace code [list my run {*}$next]]
    }

    # The core calls this at least every 50 ms, with a dict of done and total (or these two).
    method progress {args} {
        set me [self]
        lassign $args done total
        if {[llength $args] == 1} {lassign [list [dict get $done done] [dict get $done total]] done total}
        if {[clock milliseconds] - $Started > 100} {$List workProgresses $done $total}
        update
        if {![info object isa object $me] || $Cancelled} {return -code break}
    }

    # Ends the work that goes on.
    method cancel {} {
        set Pending {}
        set Cancelled 1
    }
}
