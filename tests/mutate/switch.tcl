# switch.tcl -- finds the operators of C code that can be changed, and makes of a file one in which each of these is
# changed while the program runs, by its number (switch.h). So all changes take one build.
#
# What stands for an operator also sees whether the change would make a difference there: `a < b` and `a <= b` are the
# same until both are equal. A test in which no difference is seen cannot notice the change, and need not run.

namespace eval ::tactus::mutate {
    variable changes {
        < <=  <= <  > >=  >= >  == !=  != ==  && ||  || &&  + -  - +  += -=  -= +=  true false  false true
    }
    # How strongly operators of two operands bind; what is not here ends an operand.
    variable binds {
        * 10 / 10 % 10 + 9 - 9 << 8 >> 8 < 7 <= 7 > 7 >= 7 == 6 != 6 & 5 ^ 4 | 3 && 2 || 1
    }
    variable literal {"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'}
    variable header [file join [file dirname [file normalize [info script]]] switch.h]
    variable comment {/\*(?:[^*]|\*+[^*/])*\*+/|//[^\n]*}
}

# ---- places ----------------------------------------------------------------------------------------------------------

# The code with what matches a pattern as characters of this kind; newlines stay, and so do all places. Of what matches
# `keep` nothing changes.
proc ::tactus::mutate::masked {code pattern character {keep {$^}}} {
    foreach range [lreverse [regexp -all -inline -indices $pattern $code]] {
        lassign $range first last
        set text [string range $code $first $last]
        if {![regexp ^(?:$keep)$ $text]} {
            set code [string replace $code $first $last [regsub -all {[^\n]} $text $character]]
        }
    }
    return $code
}

# The code with comments, literals and directives as blanks.
proc ::tactus::mutate::bare {code} {
    variable literal
    variable comment
    masked [masked $code $comment|$literal { }] {(?w)^[ \t]*#(?:\\\n|[^\n])*} { }
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

# ---- operands --------------------------------------------------------------------------------------------------------

# The tokens of code: a list of first, last, text. Comments and directives are none, literals are like names.
proc ::tactus::mutate::tokens {code} {
    variable literal
    variable comment
    set code [masked $code $comment|$literal { } $literal]
    set code [masked [masked $code $literal _] {(?w)^[ \t]*#(?:\\\n|[^\n])*} { }]
    set signs {<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||[^\s\w]}
    set pattern [string cat {\.?\d(?:[eEpP][-+]|[\w.])*|[A-Za-z_]\w*|} $signs]
    lmap range [regexp -all -inline -indices $pattern $code] {
        lassign $range first last
        list $first $last [string range $code $first $last]
    }
}

# For each bracket of these tokens the index of its other one.
proc ::tactus::mutate::brackets {tokens} {
    set open {}
    set result {}
    set i -1
    foreach token $tokens {
        incr i
        switch -- [lindex $token 2] {
            ( - \[ - \{ {lappend open $i}
            ) - \] - \} {
                if {![llength $open]} continue
                dict set result $i [lindex $open end]
                dict set result [lindex $open end] $i
                set open [lrange $open 0 end-1]
            }
        }
    }
    return $result
}

# How strongly a token binds what is on both sides of it: 0 for what ends an operand, {} for what is part of one. Signs,
# pointers and addresses have no blank behind them.
proc ::tactus::mutate::binding {tokens i} {
    variable binds
    lassign [lindex $tokens $i] first last text
    if {$text in {; , ? : = return case else do goto ...} || [regexp {^(?:<<|>>|[-+*/%&|^])=$} $text]} {return 0}
    if {![dict exists $binds $text]} return
    if {[lindex $tokens $i-1 1] + 1 == $first || $last + 1 == [lindex $tokens $i+1 0]} return
    dict get $binds $text
}

# The index of the first token of the operand before operator i.
proc ::tactus::mutate::operandBefore {tokens brackets i strength} {
    set begin $i
    for {set k [expr {$i - 1}]} {$k >= 0} {incr k -1} {
        set text [lindex $tokens $k 2]
        if {$text in {( [ \{}} break
        if {$text in {) ] \}}} {
            if {![dict exists $brackets $k]} break
            set k [dict get $brackets $k]
            set before [lindex $tokens $k-1 2]
            if {$text eq ")" && $before in {if while for switch}} break
            if {$text eq "\}" && $before ne ")"} break
        } else {
            set bound [binding $tokens $k]
            if {$bound ne {} && $bound < $strength} break
        }
        set begin $k
    }
    return $begin
}

# The index of the last token of the operand behind operator i.
proc ::tactus::mutate::operandBehind {tokens brackets i strength} {
    set end $i
    set choices 0
    for {set k [expr {$i + 1}]} {$k < [llength $tokens]} {incr k} {
        set text [lindex $tokens $k 2]
        if {$text in {) ] \}}} break
        if {$text in {( [ \{}} {
            if {![dict exists $brackets $k] || $text eq "\{" && [lindex $tokens $k-1 2] ne ")"} break
            set k [dict get $brackets $k]
        } elseif {!$strength && ($text eq "?" || $text eq ":" && $choices)} {
            incr choices [expr {$text eq "?" ? 1 : -1}]
        } else {
            set bound [binding $tokens $k]
            if {$bound ne {} && ($bound <= $strength && ($strength || $bound eq 0 && $text in {; , :}))} break
        }
        set end $k
    }
    return $end
}

# The places of an operator's operands: first and last character of the one before, and of the one behind. They are
# those that it has after the change, too: of `a && b && c` there may become `a || (b && c)`, of `a || b || c` also
# `a || (b && c)`.
proc ::tactus::mutate::operands {tokens brackets place} {
    variable binds
    variable changes
    set i [lsearch -exact -integer -index 0 -sorted $tokens $place]
    set operator [lindex $tokens $i 2]
    set before 11
    set behind 0
    if {[dict exists $binds $operator]} {
        set both [list [dict get $binds $operator] [dict get $binds [dict get $changes $operator]]]
        set before [tcl::mathfunc::max {*}$both]
        set behind [tcl::mathfunc::min {*}$both]
    }
    set begin [operandBefore $tokens $brackets $i $before]
    set end [operandBehind $tokens $brackets $i $behind]
    if {$begin == $i || $end == $i} {error "no operands"}
    list [lindex $tokens $begin 0] [lindex $tokens $i-1 1] [lindex $tokens $i+1 0] [lindex $tokens $end 1]
}

# First and last character of the whole chain of `&&` and `||` that has one of them here.
proc ::tactus::mutate::chain {tokens brackets place} {
    set i [lsearch -exact -integer -index 0 -sorted $tokens $place]
    set begin [operandBefore $tokens $brackets $i 1]
    list [lindex $tokens $begin 0] [lindex $tokens [operandBehind $tokens $brackets $i 0.5] 1]
}

# ---- switches --------------------------------------------------------------------------------------------------------

# What stands for an operation with this number, in one line. Its right operand is pure when evaluating it changes
# nothing: whether that happens makes no difference then.
proc ::tactus::mutate::switchOf {number operator left right pure} {
    variable changes
    set other [dict get $changes $operator]
    set is "TAC_MUTATE_IS($number)"
    set see "TAC_MUTATE_SEE($number)"
    set l "tacMutateLeft$number"
    set r "tacMutateRight$number"
    set keep {{name text} {string cat "__typeof__(1 ? ($text) : ($text)) $name = ($text);"}}
    switch -- $operator {
        true - false {string cat "($see, $is ? $other : $operator)"}
        == - != {string cat "($see, $is ? ($left) $other ($right) : ($left) $operator ($right))"}
        < - <= - > - >= - + - - {
            set differ [expr {$operator in {+ -} ? "$r != 0" : "$l == $r"}]
            string cat "({ [apply $keep $l $left] [apply $keep $r $right] if ($differ) $see; " \
                "$is ? $l $other $r : $l $operator $r; })"
        }
        += - -= {
            string cat "({ [apply $keep $r $right] if ($r != 0) $see; " \
                "$is ? (($left) $other $r) : (($left) $operator $r); })"
        }
        && {
            # A call that is not made any more is a difference, too.
            string cat "({ int $l = !!($left); [expr {$pure ? "if (!$l) " : {}}]$see; " \
                "$is ? $l || ($right) : $l && (($right) || ($see, 0)); })"
        }
        || {
            string cat "({ int $l = !!($left); [expr {$pure ? "if ($l) " : {}}]$see; " \
                "$is ? $l && ($right) : $l || (($right) && ($see, 1)); })"
        }
    }
}

# What stands for a place of which another one's operands are not apart: the text as it is changed, or with the switches
# of the others.
proc ::tactus::mutate::choiceOf {number changed others} {
    string cat "(TAC_MUTATE_SEE($number), TAC_MUTATE_IS($number) ? ($changed) : ($others))"
}

# The code between two places, with switches for those of these sites that lie there: a list of number, operator, its
# place, and four places of its operands, or two between which it is changed as it is.
proc ::tactus::mutate::rendered {code first last sites} {
    set result {}
    foreach site [lsort -integer -index 3 [lsort -integer -decreasing -index end $sites]] {
        lassign $site number operator place begin
        set end [lindex $site end]
        if {$begin < $first || $end > $last} continue
        append result [string range $code $first $begin-1]
        set sites [lsearch -all -inline -not -exact $sites $site]
        set text [string range $code $begin $end]
        if {[llength $site] == 5} {
            set text [choiceOf $number [changed $text [expr {$place - $begin}] $operator] \
                [rendered $code $begin $end $sites]]
        } else {
            lassign [lrange $site 4 5] leftEnd rightBegin
            set pure [expr {![regexp {\w\(|\+\+|--|[^=!<>]=[^=]} [string range $code $rightBegin $end]]}]
            set text [switchOf $number $operator [rendered $code $begin $leftEnd $sites] \
                [rendered $code $rightBegin $end $sites] $pure]
        }
        append result [string map {\n { }} $text] [string repeat \n [regexp -all \n [string range $code $begin $end]]]
        set first [expr {$end + 1}]
    }
    append result [string range $code $first $last]
}

# The sites of a file's places (number, place, operator), as `rendered` takes them.
proc ::tactus::mutate::sitesOf {code places} {
    set tokens [tokens $code]
    set brackets [brackets $tokens]
    set chains {}
    set result {}
    foreach entry $places {
        lassign $entry number place operator
        if {$operator in {&& ||}} {
            set chain [chain $tokens $brackets $place]
            if {$chain in $chains} {
                set result [linsert $result 0 [list $number $operator $place {*}$chain]]
                continue
            }
            lappend chains $chain
        }
        set end [expr {$place + [string length $operator] - 1}]
        lappend result [list $number $operator $place {*}[expr {[string is alpha $operator]
            ? [list $place $place $place $end] : [operands $tokens $brackets $place]}]]
    }
    return $result
}

# The code of a file with switches for these places: a list of number, place, operator.
proc ::tactus::mutate::switched {code places} {
    variable header
    variable literal
    variable comment
    if {![llength $places]} {return $code}
    set sites [sitesOf $code $places]
    set code [masked $code $comment|$literal { } $literal]
    string cat "#include \"$header\"\n#line 1\n" [rendered $code 0 [expr {[string length $code] - 1}] $sites]
}
