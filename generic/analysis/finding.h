/*
 * finding.h -- findings of checks about a trace, be the checks written in Tcl or in C: the check, its verdict,
 * severity, time, objects, line of the file, and a sentence.
 *
 * A trace has one array of them (tacTrace.findings), to which checks add while the trace is looked at; nothing else of
 * an opened trace changes. They are in order of time; findings of one time in the order in which they were added.
 *
 * A table of findings (tacFindingTable) shows the array as it is: a row that was removed after the table was made has
 * empty cells. The table has to be made anew when findings change.
 */
#ifndef TAC_ANALYSIS_FINDING_H
#define TAC_ANALYSIS_FINDING_H

#include "base/intern.h"
#include "relation/table.h"
#include "trace/vocab.h"

/* INVALID: the trace proves a violation. UNCERTAIN: information is missing. VALID: worth saying, nothing is wrong. */
typedef enum tacVerdict { TAC_VERDICT_VALID, TAC_VERDICT_UNCERTAIN, TAC_VERDICT_INVALID, TAC_VERDICTS } tacVerdict;
extern const char *const tacVerdictNames[TAC_VERDICTS + 1]; /* "valid" ..., NULL */

typedef struct tacFindingObject {
    tacKind kind;
    uint32_t id; /* in tacFindings.names */
} tacFindingObject;

typedef struct tacFinding {
    int64_t begin, end;             /* ticks; begin TAC_UNKNOWN: the trace as a whole; end TAC_UNKNOWN: an instant */
    uint32_t check;                 /* in tacFindings.names */
    uint32_t line;                  /* 0: none */
    uint32_t firstObject, nObjects; /* in tacFindings.objects */
    char *sentence;                 /* owned */
    char *marked; /* the sentence with marks around its points in time (tacMomentSay), owned; NULL: it has none */
    tacVerdict verdict;
    tacSeverity severity;
} tacFinding;

typedef struct tacUnlisted { /* a finding that is only counted: its check has enough of them in the list */
    int64_t begin;           /* as of a finding */
    uint32_t check;
    tacSeverity severity;
} tacUnlisted;

typedef struct tacFindings {
    TAC_ARRAY(tacFinding) all;           /* by begin, unknown ones first, once sorted */
    TAC_ARRAY(tacUnlisted) unlisted;     /* in no order */
    TAC_ARRAY(tacFindingObject) objects; /* those of findings that were cleared stay until all are */
    tacInternTable names;                /* checks and ids of objects */
    bool unsorted;                       /* one was added before the last */
} tacFindings;

typedef struct tacFindingName {
    tacKind kind;
    const char *id;
} tacFindingName;
struct tacTrace;

/* Adds a copy of the finding, whose sentence may have points in time that are marked (tacMomentSay). TAC_ERROR: MEMORY,
 * and nothing is added. */
tacStatus tacFindingAdd(struct tacTrace *trace, const tacFinding *finding, const char *check,
    const tacFindingName *objects, uint32_t nObjects, tacError *err);
/* Counts a finding of a check that is not to be listed: its check and severity, and when it begins. Of more than a
 * million the first ones are kept. TAC_ERROR: MEMORY. */
tacStatus tacFindingCount(tacFindings *findings, const char *check, tacSeverity severity, int64_t begin, tacError *err);
/* Removes the findings of a check, also those that are not listed; NULL: all. */
void tacFindingClear(tacFindings *findings, const char *check);
/* Puts the findings in order of time; false: no memory, and they stay as they are. */
bool tacFindingSort(tacFindings *findings);
void tacFindingsFree(tacFindings *findings);
/* The sentence of a finding with its points in time marked, of the first that has this sentence; NULL: none has, or it
 * has no points in time. */
const char *tacFindingMarked(const tacFindings *findings, const char *sentence);

/* The thing that a finding of the trace is about, by its name: its task, or that of its job; else its first object; ""
 * for one about the trace as a whole. */
const char *tacFindingSubject(const struct tacTrace *trace, const tacFinding *finding);

/* Makes a table with the columns time, end, severity, verdict, check, subject, objects, line, sentence, in order of
 * time. TAC_ERROR: MEMORY. */
tacStatus tacFindingTable(const struct tacTrace *trace, tacTable *table, tacError *err);
const tacColumn *tacFindingColumns(int *nColumns);

typedef struct tacFindingGroup { /* findings of one check, verdict and severity about one thing */
    uint32_t first;              /* index of the first of them */
    uint32_t count;
} tacFindingGroup;

typedef TAC_ARRAY(tacFindingGroup) tacFindingGroups;

/* Groups the findings of a trace, which are sorted then: the gravest verdicts first, of these the gravest severities,
 * of these the earliest. The caller frees the array. TAC_ERROR: MEMORY. */
tacStatus tacFindingsGroup(const struct tacTrace *trace, tacFindingGroups *groups, tacError *err);

#endif
