/*
 * whyCmd.h -- $trace why id ?-at time? ?-as auto|job|task|index? ?-alone boolean? ?-format dict|sentence? ?-limit n?
 *      ?-progress prefix?: analysis/why.h as Tcl values.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_WHY_CMD_H
#define TAC_TCL_WHY_CMD_H

#include "tcl/dispatch.h"
#include "tcl/optionTable.h"

tacSubcommandProc tacWhySub;
extern const tacOptionRow tacWhyRows[];

#endif
