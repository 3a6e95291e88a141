# messageCounter.tcl -- counts messages: by a script to which the words are appended (here into a comment), and by a
# procedure with a word of its own before them.

set messageTotal 0
array set messageCount {}

addEventHandler message {incr messageTotal ;#}
addEventHandler message "messageNote first"

proc messageNote {which time text args} {
    global messageCount
    set word [lindex [split $text] 0]
    if {![info exists messageCount($word)]} {set messageCount($word) 0}
    incr messageCount($word)
}

addHandler TraceFinished {
    puts "messages: $messageTotal"
    foreach word [lsort [array names messageCount]] {puts "$word: $messageCount($word)"}
}
