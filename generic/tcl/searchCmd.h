/*
 * searchCmd.h -- $trace search: things of all kinds by a part of their id, name or text. Files that include this
 * include <tcl.h> first.
 */
#ifndef TAC_TCL_SEARCH_CMD_H
#define TAC_TCL_SEARCH_CMD_H

#include "tcl/dispatch.h"
#include "tcl/optionTable.h"

extern const tacOptionRow tacSearchRows[];
tacSubcommandProc tacSearchSub;

#endif
