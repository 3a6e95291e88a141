/*
 * ending.h -- ends of the program that come from outside while its window is there: signals, and a lost display.
 *
 * Files that include this include <tk.h> first. The watching is the platform's (unix/screenEnding.c).
 */
#ifndef TAC_TK_ENDING_H
#define TAC_TK_ENDING_H

#include "base/port.h"

/*
 * Called when the program is to end. how: "TERM", "HUP" or "INT", a signal that asks the program to end, told from the
 * event loop; a second one of its kind ends the program at once. Or "DISPLAY": the connection to the X server is lost,
 * nothing may be drawn or asked of it any more, and the program ends when this returns.
 */
typedef void tacEnding(const char *how);

/* Watches for such ends from now on. Signals that are ignored (nohup) stay so. */
void tacEndingWatch(tacEnding *ended);

/* tactus::atEnd PREFIX: the prefix is called with `how`. */
Tcl_ObjCmdProc tacAtEndCmd;

#endif
