/*
 * openCmd.h -- tactus::open and tactus::openText: from a file or a text to a trace command.
 */
#ifndef TAC_TCL_OPEN_CMD_H
#define TAC_TCL_OPEN_CMD_H

#include "tcl/dispatch.h"
#include "tcl/optionTable.h"

/* The options: those of every format, then each format's own (import/formats.c). */
const tacOptionRow *tacOpenRows(void);

/* tactus::open file ?-option value ...?, tactus::openText text ?-option value ...?; the result is the trace command. */
Tcl_ObjCmdProc tacOpenCmd, tacOpenTextCmd, tacOpenRefusedCmd;

/* $trace reload ?-always? ?-progress prefix?: 1 when it was read again. $trace changed: none, grown, replaced or gone.
 */
extern const tacOptionRow tacReloadRows[];
tacSubcommandProc tacReloadSub, tacChangedSub;

#endif
