/*
 * goCmd.h -- subcommands of traces for who walks through them: next, previous, arrow; and for strips and plots:
 * density, localtime, residuals. Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_GO_CMD_H
#define TAC_TCL_GO_CMD_H

#include "tcl/dispatch.h"
#include "tcl/optionTable.h"

extern const tacOptionRow tacGoRows[]; /* of next and previous */
tacSubcommandProc tacNextSub, tacPreviousSub, tacArrowSub, tacDensitySub, tacLocalTimeSub, tacResidualsSub;

#endif
