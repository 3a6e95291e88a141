# player/commandTable.tcl -- the window's own rows of the table of actions (player/actions.tcl), and of gestures.
#
# The order of the rows is that of the menus and of the sheet of keys. Panels, export, console and plugins add theirs.
# The commands are in player/commands.tcl, opening.tcl, mapping.tcl, navigate.tcl and rows.tcl.

::tactus::need player/actions player/commands

# The rows: name, menu path, keys, label, command, help, and a dict of options as in `action`. The command {timeline
# NAME} is an action of the timeline itself, with the keys, label and help that it has there (*).
proc ::tactus::player::commands::rows {} {
    return {
        open            File {<Control-Key-o>} "Open\u2026" {commands::openDialog}
            {open a trace in a tab} {order 10}
        importLog       File {} "Import Log\u2026" {mapping::importLog}
            {a log in rows and columns: say what its columns and words mean (tactus_log(5))} {order 10}
        newWindow       File {<Control-Key-n>} "New Window" {commands::newWindow}
            {another window} {order 11}
        clearRecent     {File Recent} {} "Forget Recent Files" {commands::clearRecent}
            {forget the files opened last} {order 12}
        reload          File {<Key-F5>} Reload {opening::reload}
            {read the file anew, keep the view} {needs trace separator 1 order 60}
        mapNone         {File Mapping} {} "None: Each Thread a Task" {mapping::choose none}
            {of a kernel trace: which threads are tasks}
            {needs trace order 62 enabled mapping::isKernel checked {mapping::is none}}
        mapGuess        {File Mapping} {} "Guess It" {mapping::choose auto}
            {tasks, periods and mutexes as they seem to be}
            {needs trace order 62 enabled mapping::isKernel checked {mapping::is auto}}
        mapFile         {File Mapping} {} "From a File\u2026" {mapping::fromFile}
            {tactus_map(5)} {needs trace order 62 enabled mapping::isKernel checked {mapping::is file}}
        mapLog          {File Mapping} {} "Of a Log\u2026" {mapping::importThis}
            {what the columns and words of this log mean, tried and edited}
            {needs trace order 62 enabled mapping::isLog}
        mapSave         {File Mapping} {} "Save a Guess to Edit\u2026" {mapping::saveGuess}
            {a mapping file to begin with} {needs trace order 62 enabled mapping::isKernel separator 1}
        openModels      File {} "Open Models\u2026" {commands::models openDialog}
            {states and constraints that the trace is judged by (tactus_model(n))} {needs trace order 63}
        follow          File {} "Follow the File" {commands::toggleFollow}
            {read on when the file grows} {needs trace order 61 checked commands::isFollowed}
        livePause       File {<Key-l> <Key-Pause>} "Pause" {live::toggle}
            {of programs that are watched: stop the picture, or go on} {needs trace order 61 enabled live::is
                checked live::isPaused}
        liveKeep        File {<Control-Key-s>} "Keep the Recording\u2026" {live::keepDialog}
            {what programs that are watched wrote last, as a file} {needs trace order 61 enabled live::is}
        closeTab        File {<Control-Key-w>} Close {commands::closeTab}
            {close this trace} {separator 1 order 900}
        quit            File {<Control-Key-q>} Quit {commands::quit}
            {close all windows} {order 900}

        copyTime        Edit {<Control-Key-c>} "Copy Time or Selection" {commands::copyTime}
            {the cursor's time, or begin and end of the selection} {needs trace}
        selectAll       Edit {<Control-Key-a>} "Select Everything" {commands::selectAll}
            {select the whole recording} {needs trace}
        selectSeen      Edit {} "Select What is Seen" {commands::selectSeen}
            {select the range in view} {needs trace}
        selectNone      Edit {} "Clear Selection" {commands::selectNone}
            {select nothing} {needs trace}
        preferences     Edit {<Control-Key-comma>} "Preferences\u2026" {commands::preferences}
            {theme, wheel, sessions} {separator 1}
        escape          {} {<Key-Escape>} "End What Goes On" {navigate::escape}
            {ends a drag, cancels an opening, closes the search, unselects} {}

        zoomIn          View * * {timeline zoomIn}
            * {needs trace}
        zoomOut         View * * {timeline zoomOut}
            * {needs trace}
        panLeft         View * * {timeline panLeft}
            * {needs trace}
        panRight        View * * {timeline panRight}
            * {needs trace}
        pageLeft        View * * {timeline pageLeft}
            * {needs trace}
        pageRight       View * * {timeline pageRight}
            * {needs trace}
        goBegin         View * * {timeline goBegin}
            * {needs trace}
        goEnd           View * * {timeline goEnd}
            * {needs trace}
        fit             View * * {timeline fit}
            * {needs trace}
        everything      View * * {timeline everything}
            * {needs trace}
        procAuto        {View Processors} {} "As the Trace Needs" {commands::setTimeline -processors auto}
            {how processors are shown} {needs trace checked {commands::hasTimeline -processors auto}}
        procExpanded    {View Processors} {} "A Panel Each" {commands::setTimeline -processors expanded}
            {tasks by processor} {needs trace checked {commands::hasTimeline -processors expanded}}
        procCollapsed   {View Processors} {} "A Row Each" {commands::setTimeline -processors collapsed}
            {all tasks of a processor in one row} {needs trace checked {commands::hasTimeline -processors collapsed}}
        procNone        {View Processors} {} "Not at All" {commands::setTimeline -processors none}
            {one row a task} {needs trace checked {commands::hasTimeline -processors none}}
        groupAuto       {View {Group Rows}} {} "As the Trace Needs" {commands::setTimeline -group-by auto}
            {threads of a kernel trace by name and kind, tasks by their servers}
            {needs trace checked {commands::hasTimeline -group-by auto}}
        groupProcessor  {View {Group Rows}} {} "By Processor" {commands::setTimeline -group-by processor}
            {a group for each processor, which can be folded}
            {needs trace checked {commands::hasTimeline -group-by processor}}
        groupServer     {View {Group Rows}} {} "By Server" {commands::setTimeline -group-by server}
            {servers with the tasks that they serve} {needs trace checked {commands::hasTimeline -group-by server}}
        groupProcess    {View {Group Rows}} {} "By Process" {commands::setTimeline -group-by process}
            {threads with the same name; those of the kernel; interrupts}
            {needs trace checked {commands::hasTimeline -group-by process}}
        groupKind       {View {Group Rows}} {} "By Kind" {commands::setTimeline -group-by kind}
            {tasks, servers, threads, kernel threads, interrupts}
            {needs trace checked {commands::hasTimeline -group-by kind}}
        groupNone       {View {Group Rows}} {} "Not at All" {commands::setTimeline -group-by none}
            {only groups of your own} {needs trace checked {commands::hasTimeline -group-by none}}
        orderPriority   {View Order} {} "By Priority" {commands::setTimeline -order priority}
            {order of tasks} {needs trace checked {commands::hasTimeline -order priority}}
        orderDefinition {View Order} {} "As Defined" {commands::setTimeline -order definition}
            {order of tasks} {needs trace checked {commands::hasTimeline -order definition}}
        orderName       {View Order} {} "By Name" {commands::setTimeline -order name}
            {order of tasks} {needs trace checked {commands::hasTimeline -order name}}
        orderFirst      {View Order} {} "By First Event" {commands::setTimeline -order first}
            {order of tasks} {needs trace checked {commands::hasTimeline -order first}}
        grasp           {View Convention} {} "Grasp" {commands::setTimeline -convention grasp}
            {arrows down at arrival, white while preempted}
            {needs trace checked {commands::hasTimeline -convention grasp}}
        rtsched         {View Convention} {} "Scheduling Papers" {commands::setTimeline -convention rtsched}
            {arrows up at release, gaps while preempted}
            {needs trace checked {commands::hasTimeline -convention rtsched}}
        deadlinesAuto   {View Deadlines} {} "By the Convention" {commands::setTimeline -deadlines auto}
            {which deadlines are drawn} {needs trace checked {commands::hasTimeline -deadlines auto}}
        deadlinesExplicit {View Deadlines} {} "Those in the Trace" {commands::setTimeline -deadlines explicit}
            {which deadlines are drawn} {needs trace checked {commands::hasTimeline -deadlines explicit}}
        deadlinesAll    {View Deadlines} {} "All That are Known" {commands::setTimeline -deadlines all}
            {which deadlines are drawn} {needs trace checked {commands::hasTimeline -deadlines all}}
        colorConvention {View Colours} {} "As the Trace Says" {commands::setTimeline -color-by convention}
            {one colour for all tasks that have none of their own}
            {needs trace checked {commands::hasTimeline -color-by convention}}
        colorTask       {View Colours} {} "By Task" {commands::setTimeline -color-by task}
            {each task in a colour of its own, the same in all traces}
            {needs trace checked {commands::hasTimeline -color-by task}}
        colorState      {View Colours} {} "By State" {commands::setTimeline -color-by state}
            {running, ready and blocked in different colours}
            {needs trace checked {commands::hasTimeline -color-by state}}
        colorProcessor  {View Colours} {} "By Processor" {commands::setTimeline -color-by processor}
            {where it ran} {needs trace checked {commands::hasTimeline -color-by processor}}
        colorPriority   {View Colours} {} "By Priority" {commands::setTimeline -color-by priority}
            {from dark for the highest to light} {needs trace checked {commands::hasTimeline -color-by priority}}
        colorOutcome    {View Colours} {} "By Outcome" {commands::setTimeline -color-by outcome}
            {jobs that missed their deadline stand out} {needs trace checked {commands::hasTimeline -color-by outcome}}
        layerArrows     {View Layers} {} "Releases" {commands::toggleLayer arrows}
            {layer: arrows of arrivals} {needs trace checked {commands::hasLayer arrows}}
        layerDeadlines  {View Layers} {} "Deadlines" {commands::toggleLayer deadlines}
            {layer: arrows of deadlines} {needs trace checked {commands::hasLayer deadlines}}
        layerMisses     {View Layers} {} "Missed Deadlines" {commands::toggleLayer misses}
            {layer: what of a job comes after its deadline} {needs trace checked {commands::hasLayer misses}}
        layerPreemptions {View Layers} {} "Preemption Lines" {commands::toggleLayer preemptions}
            {layer: dotted, from the job that stops to the next one}
            {needs trace checked {commands::hasLayer preemptions}}
        layerMutexes    {View Layers} {} "Mutexes" {commands::toggleLayer mutexes}
            {layer: patterns of critical sections} {needs trace checked {commands::hasLayer mutexes}}
        layerAnnotations {View Layers} {} "Annotations" {commands::toggleLayer annotations}
            {layer: texts and stretches from the trace or its marks}
            {needs trace checked {commands::hasLayer annotations}}
        layerCalls      {View Layers} {} "System Calls" {commands::toggleLayer calls}
            {layer: their names} {needs trace checked {commands::hasLayer calls}}
        layerMessages   {View Layers} {} "Messages" {commands::toggleLayer messages}
            {layer: the strip of marks under the axis} {needs trace checked {commands::hasLayer messages}}
        layerMigrations {View Layers} {} "Migrations" {commands::toggleLayer migrations}
            {layer: arrows from processor to processor} {needs trace checked {commands::hasLayer migrations}}
        layerFindings   {View Layers} {} "Findings" {commands::toggleLayer findings}
            {layer: flags at the axis} {needs trace checked {commands::hasLayer findings}}
        layersAll       {View Layers} {} "Show All" {commands::showLayers}
            {all layers} {needs trace separator 1}
        barTextNone     {View {Texts in Bars}} {} "Nothing" {commands::setTimeline -bar-text none}
            {bars without texts} {needs trace checked {commands::hasTimeline -bar-text none}}
        barTextJob      {View {Texts in Bars}} {} "Ids of Jobs" {commands::setTimeline -bar-text job}
            {inside of bars, where they fit} {needs trace checked {commands::hasTimeline -bar-text job}}
        barTextDuration {View {Texts in Bars}} {} "Durations" {commands::setTimeline -bar-text duration}
            {how long each bar is, where that fits} {needs trace checked {commands::hasTimeline -bar-text duration}}
        timesAbsolute   {View Times} {} "As in the Trace" {units::choose absolute}
            {where times count from} {needs trace checked {units::is absolute}}
        timesStart      {View Times} {} "Since the Start" {units::choose start}
            {where times count from} {needs trace checked {units::is start}}
        timesA          {View Times} {} "From Marker A" {units::choose A}
            {where times count from} {needs trace checked {units::is A}}
        timesB          {View Times} {} "From Marker B" {units::choose B}
            {where times count from} {needs trace checked {units::is B}}
        grayscale       View {} Grayscale {commands::toggleTimeline -grayscale}
            {shades of gray in place of colours} {needs trace checked {commands::isTimeline -grayscale} separator 1}
        fitRows         View {} "Rows Use the Height" {commands::toggleTimeline -fit-rows}
            {rows grow where there is room} {needs trace checked {commands::isTimeline -fit-rows}}
        printColors     View {} "Print Colours" {commands::togglePrint}
            {gray on white, also in the dark theme} {needs trace checked {commands::hasTimeline -theme print}}
        panels          View {<Control-Key-j>} "Bottom Panels" {commands::toggleSide bottom}
            {panels under the timeline} {checked {commands::isSide bottom} separator 1}
        details         View {<Control-Key-d>} "Details Pane" {commands::toggleSide right}
            {panels right of the timeline} {checked {commands::isSide right}}
        dark            View {} "Dark Theme" {commands::toggleDark}
            {dark or light colours} {checked commands::isDark separator 1}
        toolbar         View {} "Toolbar" {commands::toggleToolbar}
            {buttons under the menu} {checked commands::hasToolbar}
        fullscreen      View {<Key-F11>} "Full Screen" {commands::fullscreen}
            {the window fills the screen} {checked commands::isFullscreen}

        search          Go {<Key-slash> <Control-Key-f>} "Search\u2026" {commands::search}
            {tasks, jobs, messages ...; Enter and Shift+Enter go through the hits} {needs trace}
        nextHit         Go {<Key-F3>} "Next Hit" {commands::hit 1}
            {of the search} {needs trace}
        previousHit     Go {<Shift-Key-F3>} "Previous Hit" {commands::hit -1}
            {of the search} {needs trace}
        goTo            Go {<Control-Key-g>} "Go to Time\u2026" {commands::goTo}
            {a time, +5 or -5 from here, A, B, or a name} {needs trace}
        nextEvent       Go {<Key-period>} "Next Event" {navigate::event next}
            {of the row} {needs trace separator 1}
        previousEvent   Go {<Key-comma>} "Previous Event" {navigate::event previous}
            {of the row} {needs trace}
        arrowForward    Go {<Key-bracketright>} "Follow Arrow" {navigate::arrow forward}
            {from the bar shown to where it leads} {needs trace}
        arrowBack       Go {<Key-bracketleft>} "Follow Arrow Back" {navigate::arrow back}
            {from the bar shown to where it comes from} {needs trace}
        nextFinding     Go {<Key-n>} "Next Finding" {navigate::finding 1}
            {of the checks} {needs trace separator 1}
        previousFinding Go {<Key-p>} "Previous Finding" {navigate::finding -1}
            {of the checks} {needs trace}
        nextMark        Go {<Key-greater>} "Next Mark" {navigate::nextMark 1}
            {or marker} {needs trace}
        previousMark    Go {<Key-less>} "Previous Mark" {navigate::nextMark -1}
            {or marker} {needs trace}
        undo            Go {<Key-u> <Alt-Key-Left>} Back {navigate::back}
            {undoes a zoom or a jump} {needs trace separator 1}
        redo            Go {<Key-U> <Alt-Key-Right>} Forward {navigate::forth}
            {does it again} {needs trace}
        nextTab         Go {<Control-Key-Tab> <Control-Key-Next>} "Next Tab" {commands::tab 1}
            {the next trace} {separator 1}
        previousTab     Go {<Control-Key-Prior>} "Previous Tab" {commands::tab -1}
            {the previous trace} {}

        previousRow     Rows {<Key-Up>} "Choose Row Above" {rows::step -1}
            {the row that keys work on} {needs trace}
        nextRow         Rows {<Key-Down>} "Choose Row Below" {rows::step 1}
            {the row that keys work on} {needs trace}
        rowsUp          Rows * * {timeline rowsUp}
            * {needs trace}
        rowsDown        Rows * * {timeline rowsDown}
            * {needs trace}
        hideRow         Rows {<Key-h>} "Hide Row" {rows::hide}
            {the row chosen, or under the pointer} {needs trace separator 1}
        showRows        Rows {<Key-H>} "Show All Rows" {rows::showAll}
            {hidden and filtered ones too} {needs trace}
        pinRow          Rows {<Control-Key-t>} "Pin or Unpin Row" {rows::pin}
            {a pinned row stays at the top} {needs trace}
        rowUp           Rows {<Control-Key-Up>} "Move Row Up" {rows::move -1}
            {the row chosen, or under the pointer} {needs trace}
        rowDown         Rows {<Control-Key-Down>} "Move Row Down" {rows::move 1}
            {the row chosen, or under the pointer} {needs trace}
        rowHigher       Rows {<Control-Key-plus> <Control-Key-equal>} "Higher Row" {rows::heightBy 1.25}
            {the row chosen} {needs trace}
        rowLower        Rows {<Control-Key-minus>} "Lower Row" {rows::heightBy 0.8}
            {the row chosen} {needs trace}
        rowsHigher      Rows {<Alt-Key-plus> <Alt-Key-equal>} "All Rows Higher" {rows::heightAllBy 1.25}
            {as in a window with room for it} {needs trace}
        rowsLower       Rows {<Alt-Key-minus>} "All Rows Lower" {rows::heightAllBy 0.8}
            {to see more of them} {needs trace}
        foldGroup       Rows {<Key-z>} "Fold or Unfold Group" {rows::fold}
            {of the row chosen} {needs trace}
        foldAll         Rows {<Key-Z>} "Fold or Unfold All Groups" {rows::foldAll}
            {each becomes one row: a density band of all its members} {needs trace}
        sortLoad        {Rows Sort} {} "By Load in View" {rows::sort load}
            {what runs longest in view comes first, within each group} {needs trace}
        sortLateness    {Rows Sort} {} "By Lateness in View" {rows::sort lateness}
            {most missed deadlines first, then the longest responses against their deadlines} {needs trace}
        sortPriority    {Rows Sort} {} "By Priority" {rows::sort priority}
            {the highest first} {needs trace}
        sortLeast       {Rows Sort} {} "By Priority, Lowest First" {rows::sort least}
            {the highest last} {needs trace}
        sortName        {Rows Sort} {} "By Name" {rows::sort name}
            {within each group} {needs trace}
        sortDefinition  {Rows Sort} {} "As Defined" {rows::sort definition}
            {in the order of the trace's definitions} {needs trace}
        hideEmpty       Rows {} "Hide Rows with Nothing in View" {rows::toggleEmpty}
            {follows when the view comes to rest} {needs trace checked {commands::isTimeline -hide-empty}}
        filterRows      Rows {<Control-Key-l>} "Filter Rows\u2026" {rows::filter}
            {by name} {needs trace separator 1}
        resetRows       Rows {} "All Rows as in the Trace" {rows::reset}
            {order, heights, groups} {needs trace}

        mark            Marks {<Key-m>} Mark {navigate::mark}
            {the cursor's time, for this session; again: unmark} {needs trace}
        markForGood     Marks {<Key-M>} "Mark for Good" {navigate::markForGood}
            {a note beside the trace} {needs trace}
        unmark          Marks {} "Remove Temporary Marks" {navigate::unmark}
            {those of this session} {needs trace}
        markerA         Marks {<Key-A>} "Set Marker A" {navigate::setMarker A}
            {at the cursor; again: away} {needs trace separator 1}
        markerB         Marks {<Key-B>} "Set Marker B" {navigate::setMarker B}
            {at the cursor; again: away} {needs trace}
        selectMarkers   Marks {} "Select from A to B" {navigate::selectMarkers}
            {between the markers} {needs trace}
        clearMarkers    Marks {} "Remove A and B" {navigate::clearMarkers}
            {both markers} {needs trace}

        runChecks       Tools {<Control-Key-r>} "Run Checks" {commands::runChecks}
            {budget, mutex, deadline ...: the findings panel, N and P} {needs trace order 50}
        judgeModels     Tools {<Shift-Key-F5>} "Judge Models Anew" {commands::models judge}
            {reads the file of models again, and judges the trace by it} {needs trace order 51}
        compareWith     Tools {<Control-Key-k>} "Compare With\u2026" {commands::compareWith}
            {a second trace below, on the same axis of time, and what differs} {needs trace order 52
                enabled commands::canCompare separator 1}
        alignBegin      {Tools "Align Traces"} {} "At Their Beginnings" {commands::align begin}
            {the first events stand one above the other} {needs trace order 53 enabled commands::isComparing}
        alignZero       {Tools "Align Traces"} {} "Times as They Are" {commands::align zero}
            {nothing is added to the times of the second trace} {needs trace order 53 enabled commands::isComparing}
        alignTimes      {Tools "Align Traces"} {} "At Two Times\u2026" {commands::align times}
            {one of each trace} {needs trace order 53 enabled commands::isComparing}
        alignMark       {Tools "Align Traces"} {} "At a Mark or Event\u2026" {commands::align mark}
            {the first one with a text, in each trace} {needs trace order 53 enabled commands::isComparing}
        alignMarkerA    {Tools "Align Traces"} {} "At the Markers A" {commands::align markerA}
            {Shift+A sets that of the timeline under the pointer} {needs trace order 53 enabled commands::isComparing}
        alignMarkerB    {Tools "Align Traces"} {} "At the Markers B" {commands::align markerB}
            {Shift+B sets that of the timeline under the pointer} {needs trace order 53 enabled commands::isComparing}
        alignJobs       {Tools "Align Traces"} {} "At the Releases of Two Jobs" {commands::align jobs}
            {the job chosen above, and the one clicked below or that with its number} {needs trace order 53
                enabled commands::isComparing}
        alignAxis       {Tools "Align Traces"} {} "Axis Below Tells Times Above" {commands::alignAxis}
            {else it tells the second trace's own times} {needs trace order 53 enabled commands::isComparing
                checked commands::isAxisAbove separator 1}
        compareReload   Tools {} "Reload the Second Trace" {commands::compareReload}
            {read it anew} {needs trace order 54 enabled commands::isComparing}
        compareEnd      Tools {} "End Comparing" {commands::compareEnd}
            {close the second trace} {needs trace order 55 enabled commands::isComparing}
        palette         Tools {<Control-Key-P>} "Commands\u2026" {commands::palette}
            {all of these by name} {separator 1}
        keys            Help {<Key-question> <Key-F1>} "Keys and Mouse" {commands::keySheet}
            {this sheet} {}
        manual          Help {<Shift-Key-F1>} "Manual" {commands::manual}
            {the manual pages: window, commands, formats, checks, plugins} {}
        about           Help {} "About Tactus" {commands::about}
            {version and parts} {separator 1}
    }
}

# The rows, with the keys, labels and help of the timeline filled in.
proc ::tactus::player::commands::table {} {
    set table {}
    foreach {name menu keys label command help more} [rows] {
        if {[lindex $command 0] eq "timeline"} {
            foreach column {keys label help} {set $column [::tactus::timeline::action $name $column]}
            set command [list commands::byTimeline $name]
        }
        lappend table $name $menu $keys $label $command $help $more
    }
    return $table
}

# The gestures of the mouse, those of the timeline and more of the window: name, sequences, label, command, help.
proc ::tactus::player::commands::gestures {} {
    set table {}
    foreach {name command more} {
        select navigate::left {; on labels: move or resize rows, fold groups}
        zoomItem navigate::double {; on labels: fold the group}
        grab {navigate::byTimeline grab} {}
        zoomRange {navigate::byTimeline zoomRange} {}
        wheelRows {navigate::wheel rows} {; preference wheelZooms: zoom instead}
        wheelZoom {navigate::wheel zoom} {}
        wheelPan {navigate::wheel pan} {}
    } {
        foreach column {keys label help} {set $column [::tactus::timeline::action $name $column]}
        lappend table $name $keys $label $command $help$more
    }
    return $table
}

proc ::tactus::player::commands::byTimeline {name view} {
    ::tactus::timeline::do $name [$view timeline]
}

proc ::tactus::player::commands::register {} {
    foreach {name menu keys label command help more} [table] {
        set options [dict map {key value} $more {expr {$key in {checked enabled} ? [full $value] : $value}}]
        ::tactus::player::action $name -menu $menu -keys $keys -label [subst -nocommands -novariables $label] \
            -command [full $command] -help $help {*}[dashed $options]
    }
    foreach {name keys label command help} [gestures] {
        ::tactus::player::gesture $name -keys $keys -label $label -command [full $command] -help $help -needs trace
    }
}

proc ::tactus::player::commands::full {prefix} {
    lreplace $prefix 0 0 ::tactus::player::[lindex $prefix 0]
}

proc ::tactus::player::commands::dashed {dict} {
    set words {}
    dict for {name value} $dict {lappend words -$name $value}
    return $words
}

::tactus::player::commands::register
