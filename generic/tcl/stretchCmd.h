/*
 * stretchCmd.h -- $trace stretches STATE ID ?MUTEX?: when something was so, as a list of {begin end}.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_STRETCH_CMD_H
#define TAC_TCL_STRETCH_CMD_H

#include "tcl/dispatch.h"

/*
 * waiting, running, preempted, blocked, between: of a job id (all its jobs), or else of a task; waiting is from the
 * release to the start. holds: the same, of a mutex. consuming, depleted: of a server. By begin, they may overlap;
 * those that have no length are among them. TACTUS LOOKUP OBJECT: there is no such thing. data: tacTraceCall
 */
tacSubcommandProc tacStretchesSub;

#endif
