/*
 * timeline.h -- the widget tactus::timeline: a trace's schedule, at any zoom. Files that include this include <tcl.h>
 * first.
 */
#ifndef TAC_TK_TIMELINE_H
#define TAC_TK_TIMELINE_H

#include "tcl/dispatch.h"

/* tactus::timeline pathName ?-option value ...? */
Tcl_ObjCmdProc tacTimelineCmd;

/* Subcommands of the widget, and of those that have some themselves. */
extern const tacSubcommand tacTimelineSubcommands[], tacMarkerSubcommands[], tacRowSubcommands[],
    tacSelectionSubcommands[];

#endif
