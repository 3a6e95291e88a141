/*
 * openCmd.h -- tactus::open and tactus::openText: from a file or a text to a trace command.
 */
#ifndef TAC_OPEN_CMD_H
#define TAC_OPEN_CMD_H

#include "tcl/optionTable.h"

extern const tacOptionRow tacOpenRows[];

/* tactus::open file ?-option value ...?, tactus::openText text ?-option value ...?; the result is the trace command. */
Tcl_ObjCmdProc tacOpenCmd, tacOpenTextCmd, tacOpenRefusedCmd;

#endif
