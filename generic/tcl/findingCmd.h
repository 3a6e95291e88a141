/*
 * findingCmd.h -- $trace finding ... and $trace audit ...: what checks report, and the facts they judge.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_FINDING_CMD_H
#define TAC_TCL_FINDING_CMD_H

#include "tcl/dispatch.h"

/* add DICT | clear ?CHECK? | count ?CHECK? | list ?CHECK?; data: tacTraceCall */
tacSubcommandProc tacFindingSub;
extern const tacSubcommand tacFindingSubcommands[];
/* RULE ?-limit n? ?-progress prefix?: a dict of applicable, more and facts, a list of dicts; data: tacTraceCall */
tacSubcommandProc tacAuditSub;

#endif
