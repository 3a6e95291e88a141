# list/relation.tcl -- a relation over a Tcl list of rows, with the manners of a trace's own (`$trace relation`), for
# what is short and lives in Tcl: marks and notes, violations, statistics that were asked for as values.
#
#       listRelation COLUMNS ROWS ?IDS? -> a command
#
# COLUMNS: dicts of name, type, help; ROWS: lists of values; IDS: what `id` gives for a row (default: its place).

proc ::tactus::player::panels::listRelation {columns rows {ids {}}} {
    ::tactus::player::ListRelation new $columns $rows $ids
}

oo::class create ::tactus::player::ListRelation {
    variable Columns Rows Ids Shown Column Down

    constructor {columns rows ids} {
        set Columns $columns
        set Rows $rows
        set Ids $ids
        lassign {{} 0} Column Down
        set Shown [my All]
    }

    method All {} {
        set places {}
        for {set place 0} {$place < [llength $Rows]} {incr place} {lappend places $place}
        return $places
    }

    method Index {name} {
        set index 0
        foreach column $Columns {
            if {[dict get $column name] eq $name} {return $index}
            incr index
        }
        return -code error -errorcode [list TACTUS LOOKUP COLUMN $name] "no column \"$name\""
    }

    method columns {} {return $Columns}
    method count {} {llength $Shown}
    method total {} {llength $Rows}
    method close {} {my destroy}
    method rows {first count} {lmap place [lrange $Shown $first [expr {$first + $count - 1}]] {lindex $Rows $place}}

    method id {place} {
        set place [lindex $Shown $place]
        if {$Ids eq {}} {return $place}
        lindex $Ids $place
    }

    method place {id} {
        if {$Ids ne {}} {set id [lsearch -exact $Ids $id]}
        lsearch -exact $Shown $id
    }

    # sort COLUMN ?-decreasing? ?-progress PREFIX?
    method sort {column args} {
        set Column $column
        set Down [expr {"-decreasing" in $args}]
        my Order
    }

    method Order {} {
        set Shown [lsort -integer $Shown]
        if {$Column eq {}} return
        set index [my Index $Column]
        set order [list ::tactus::player::panels::compareValues [dict get [lindex $Columns $index] type]]
        set pairs [lmap place $Shown {list [lindex $Rows $place $index] $place}]
        set pairs [lsort -index 0 -command $order $pairs]
        # What is unknown stays last either way; equal ones stay as they were.
        if {$Down} {set pairs [lsort -index 0 -command [list ::tactus::player::panels::descending $order] $pairs]}
        set Shown [lmap pair $pairs {lindex $pair 1}]
    }

    # filter CONDITIONS ?-any TEXT? ?-progress PREFIX?; filter -any TEXT
    method filter {args} {
        set conditions {}
        if {[llength $args] % 2} {set args [lassign $args conditions]}
        set text [::tactus::player::text::valueOf $args -any]
        set tests [lmap condition $conditions {
            lassign $condition name operator value
            set index [my Index $name]
            list $index [dict get [lindex $Columns $index] type] $operator $value
        }]
        set Shown [lmap place [my All] {
            if {![my Passes [lindex $Rows $place] $tests $text]} continue
            set place
        }]
        my Order
    }

    method Passes {row tests text} {
        foreach test $tests {
            lassign $test index type operator value
            if {![::tactus::player::panels::holds $type [lindex $row $index] $operator $value]} {return 0}
        }
        if {$text eq {}} {return 1}
        set text [string tolower $text]
        foreach value $row {
            if {[string first $text [string tolower $value]] >= 0} {return 1}
        }
        return 0
    }
}

# As lsort wants it; unknown values come last.
proc ::tactus::player::panels::compareValues {type a b} {
    if {$a eq {} || $b eq {}} {return [expr {($a eq {}) - ($b eq {})}]}
    switch $type {
        text {string compare -nocase $a $b}
        number {expr {$a < $b ? -1 : $a > $b}}
        default {::tactus::times::compare $a $b}
    }
}

proc ::tactus::player::panels::descending {order a b} {
    if {$a eq {} || $b eq {}} {return [expr {($a eq {}) - ($b eq {})}]}
    expr {-[{*}$order $a $b]}
}

proc ::tactus::player::panels::holds {type value operator wanted} {
    if {$operator eq "match"} {return [string match -nocase $wanted $value]}
    if {$value eq {} || $wanted eq {}} {
        return [expr {$operator eq "=" ? $value eq $wanted : $operator eq "!=" ? $value ne $wanted : 0}]
    }
    set order [expr {$type eq "text" ? [string compare $value $wanted] : [compareValues $type $value $wanted]}]
    switch -- $operator {
        = {expr {$order == 0}}
        != {expr {$order != 0}}
        < {expr {$order < 0}}
        <= {expr {$order <= 0}}
        > {expr {$order > 0}}
        >= {expr {$order >= 0}}
    }
}
