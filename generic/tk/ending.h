/*
 * ending.h -- what ends the program from outside while its window is there: signals, and a display that goes away.
 *
 * Files that include this include <tk.h> first. The watching is the platform's (unix/screenEnding.c).
 */
#ifndef TAC_TK_ENDING_H
#define TAC_TK_ENDING_H

#include "base/port.h"

/*
 * how: "TERM", "HUP" or "INT", a signal that asks the program to end, told from the event loop; a second one of its
 * kind ends the program at once. Or "DISPLAY": the connection to the X server is lost, nothing may be drawn or asked of
 * it any more, and the program ends when this returns.
 */
typedef void tacEnding(const char *how);

/* From now on tells of it. Signals that are ignored (nohup) stay so. */
void tacEndingWatch(tacEnding *ended);

/* tactus::atEnd PREFIX: the prefix is called with how. */
Tcl_ObjCmdProc tacAtEndCmd;

#endif
