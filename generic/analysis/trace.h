/*
 * trace.h -- an opened trace as a whole: events, clocks, diagnostics, the model made of them, and the findings of
 * checks. open/open.h makes one.
 */
#ifndef TAC_ANALYSIS_TRACE_H
#define TAC_ANALYSIS_TRACE_H

#include "analysis/finding.h"
#include "import/import.h"
#include "model/model.h"
#include "trace/clock.h"

typedef struct tacTrace {
    char *file;       /* as given; "-" for standard input */
    tacFileMark mark; /* of the file just before it was read; not known of a text */
    tacStore store;
    tacDiag diag;
    tacClocks clocks;
    tacModel model;
    tacFindings findings; /* of checks that ran over it since it was opened */
    bool kernel;          /* it has threads of a Linux kernel, for which a mapping has a meaning */
    bool programs;        /* jobs are as programs tell, which do not know when the system took their processor */
} tacTrace;

#endif
