/*
 * diag.h -- the diagnostics of a trace: errors, warnings and notes with file and line, equal ones counted together.
 *
 * Two remarks are equal when severity, kind and text are. At most TAC_DIAG_TEXTS different texts are kept per kind
 * and severity; later ones are counted under "... and more of this kind". Kinds can be made up by a script, so there
 * are at most TAC_DIAG_MOST remarks in all, and one more for each severity that counts the others. The totals always
 * count everything.
 */
#ifndef TAC_TRACE_DIAG_H
#define TAC_TRACE_DIAG_H

#include "base/error.h"
#include "base/intern.h"

enum { TAC_DIAG_TEXTS = 50, TAC_DIAG_MOST = 10000 };

typedef struct tacRemark {
    tacSeverity severity;
    uint32_t line;  /* of the first one; 0: the file as a whole */
    uint32_t kind;  /* id in tacDiag.texts */
    uint32_t text;  /* id in tacDiag.texts */
    uint64_t count; /* of equal remarks */
} tacRemark;

typedef struct tacDiag {
    tacInternTable texts, keys;
    TAC_ARRAY(tacRemark) remarks; /* in order of first appearance until tacDiagSort */
    TAC_ARRAY(uint32_t) perKind;  /* texts kept, by severity and kind: index 3 * kind + severity */
    uint64_t totals[3];           /* by severity, repeats included */
    bool strict;                  /* warnings count as errors from the start */
    bool failed;                  /* no memory for a remark at some point */
    bool sorted;                  /* remarks are in another order than their keys */
} tacDiag;

/* Adds a remark, or counts it with an equal one; line 0: the file as a whole. */
void tacDiagAdd(tacDiag *diag, tacSeverity severity, uint32_t line, const char *kind, const char *format, ...)
    TAC_PRINTF(5, 6);
/* Adds equal remarks, so many times; the text has less than 512 bytes. */
void tacDiagRepeat(
    tacDiag *diag, tacSeverity severity, uint32_t line, uint64_t count, const char *kind, const char *text);
/* Is there a remark of this severity whose first place is this line? */
bool tacDiagFaulty(const tacDiag *diag, uint32_t line, tacSeverity severity);
void tacDiagSort(tacDiag *diag); /* by line, then severity (errors first) */
void tacDiagFree(tacDiag *diag);
static inline uint64_t tacDiagErrors(const tacDiag *d) { return d->totals[TAC_SEVERITY_ERROR]; }
extern const char *const tacSeverityNames[];       /* by tacSeverity: "note", "warning", "error", NULL */
const char *tacSeverityName(tacSeverity severity); /* "note", "warning", "error" */
/* for tests: "FILE:LINE: warning: text (12 times)" without newline. */
void tacDiagFormat(const tacDiag *diag, const tacRemark *remark, const char *file, tacText *out);

#endif
