/*
 * traceSubcommands.h -- the subcommands of the trace command that have files of their own. Their data is a
 * tacTraceCall.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_TRACE_SUBCOMMANDS_H
#define TAC_TCL_TRACE_SUBCOMMANDS_H

#include "tcl/dispatch.h"
#include "tcl/traceRecord.h"

/* Index of an object by its id, and of a thing, called `what` in the message, by its number below `count`. TCL_ERROR:
 * {TACTUS LOOKUP OBJECT}, {TACTUS LOOKUP INDEX}. */
int tacNeedObject(Tcl_Interp *interp, const tacModel *model, tacKind kind, const char *id, uint32_t *index);
int tacNeedIndex(Tcl_Interp *interp, const char *what, Tcl_Obj *word, uint64_t count, uint32_t *index);

/* figureCmd.c, figureApart.c: axis, export, exporting */
tacSubcommandProc tacAxisSub, tacLegendSub, tacExportSub, tacExportingSub;
/* findingCmd.c: finding add|clear|count|list, audit */
tacSubcommandProc tacFindingSub, tacAuditSub;
/* goCmd.c: next, previous, arrow, density, localtime, residuals */
tacSubcommandProc tacNextSub, tacPreviousSub, tacArrowSub, tacDensitySub, tacUtilizationSub, tacLocalTimeSub,
    tacResidualsSub;
/* hook.c: replay */
tacSubcommandProc tacReplaySub;
/* judgeCmd.c: judge, instances */
tacSubcommandProc tacJudgeSub, tacInstancesSub;
/* limitsCmd.c: limits, marks */
tacSubcommandProc tacLimitsSub, tacMarksSub;
/* look.c: look */
tacSubcommandProc tacLookSub;
/* modelsCmd.c: models, strips */
tacSubcommandProc tacModelsSub, tacStripsSub;
/* moment.c: state */
tacSubcommandProc tacStateSub;
/* openCmd.c: reload, changed */
tacSubcommandProc tacReloadSub, tacChangedSub;
/* phaseCmd.c: phases, style */
tacSubcommandProc tacPhasesSub, tacStyleSub;
/* sqlCmd.c: sql */
tacSubcommandProc tacSqlSub;
/* relation.c: relation */
tacSubcommandProc tacRelationSub;
/* searchCmd.c: search */
tacSubcommandProc tacSearchSub;
/* stretchCmd.c: stretches */
tacSubcommandProc tacStretchesSub;
/* tasksCmd.c: tasks */
tacSubcommandProc tacTasksSub;
/* traceInfo.c: info, sync */
tacSubcommandProc tacInfoSub, tacCalledSub, tacSyncSub;
/* whyCmd.c: why */
tacSubcommandProc tacWhySub;

#endif
