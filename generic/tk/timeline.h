/*
 * timeline.h -- the widget tactus::timeline: a trace's schedule, at any zoom. Files that include this include <tcl.h>
 * first.
 */
#ifndef TAC_TK_TIMELINE_H
#define TAC_TK_TIMELINE_H

/* tactus::timeline pathName ?-option value ...? */
Tcl_ObjCmdProc tacTimelineCmd;

#endif
