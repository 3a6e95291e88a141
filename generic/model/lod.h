/*
 * lod.h -- summaries per row, so that drawing costs pixels and not events.
 *
 * For the slices of each task and the runs of each processor, sums of the time in each state are kept up to every 16th
 * one. The time in a state before x is such a sum, plus at most 15 slices, minus the time after x of the slices that
 * reach over x (model/span.h finds those); the time within a bin is the difference at its borders. A row of n bins
 * costs O(n * log) whatever the number of slices.
 */
#ifndef TAC_MODEL_LOD_H
#define TAC_MODEL_LOD_H

#include "model/model.h"

enum { TAC_LOD_TASKS = 8 }; /* tasks of a processor that are told apart: those that run longest there */

/* What became of a job's deadline. The time that jobs of the first outcomes run can be summed up; the rest is MET. */
typedef enum tacJobOutcome {
    TAC_OUTCOME_LATE,
    TAC_OUTCOME_FREE, /* it has none */
    TAC_OUTCOMES_SUMMED,
    TAC_OUTCOME_MET = TAC_OUTCOMES_SUMMED
} tacJobOutcome;

static inline tacJobOutcome tacOutcomeOf(const tacJob *job) {
    if (job->flags & TAC_JOB_MISSED) return TAC_OUTCOME_LATE;
    return job->deadline == TAC_UNKNOWN ? TAC_OUTCOME_FREE : TAC_OUTCOME_MET;
}

typedef struct tacBin {           /* summary of one bin [a, b) (one pixel, a tenth of a point ...) of a row */
    int64_t time[TAC_STATES];     /* ticks spent in each state (of all its jobs together) */
    int64_t parts[TAC_LOD_TASKS]; /* of a processor: ticks that each of tacLodTasks runs; they are in `time`, too */
    uint32_t count;               /* slices that begin in [a, b), or begin before a and end after it */
    uint32_t begun;               /* those that begin in it */
    uint32_t first;               /* index of the first of them (slice or run), TAC_NONE when there is none */
} tacBin;

/* What is to be said about a stretch [from, to) of a row of a task (or processor), exactly: a column of a band. */
typedef struct tacBandColumn {
    int64_t time[TAC_STATES]; /* ticks in each state, of all jobs together; WAITING is not counted */
    uint32_t slices;          /* that touch it, of any state (of a processor: runs) */
    uint32_t first;           /* the first of them, TAC_NONE: there is none */
    uint32_t released;        /* of a task: jobs released in it (without release: first used) */
    uint32_t jobs;            /* of a task: those, and jobs under way or waiting at its begin */
    uint32_t missed;          /* of a task: released jobs that missed their deadlines */
    int64_t response;         /* of a task: the longest of released jobs that completed; TAC_UNKNOWN: none did */
} tacBandColumn;

typedef struct tacMarkBin { /* marks (arrows, messages ...) within one bin */
    uint32_t count, first;  /* how many, and the first one's index in the list of rows; TAC_NONE when there is none */
} tacMarkBin;

typedef struct tacLod tacLod;

/* Sets model->lod; TAC_ERROR: memory, or cancelled by store->progress. */
tacStatus tacLodBuild(tacModel *model, tacError *err);
void tacLodFree(tacLod *lod);
void tacLodFreeTask(tacLod *lod, uint32_t task); /* what there is of a task; the rest can only be freed */
uint64_t tacLodBytes(const tacLod *lod);

typedef struct tacArrowBin {     /* arrows of a task within one bin */
    uint32_t first, end;         /* places in tacTaskModel.arrows */
    uint32_t deadlines, special; /* how many of them are plain deadlines; have options or were ignored: the others are
                                    plain arrivals */
    uint32_t firstDeadline, firstArrival, firstSpecial; /* places of the first of each, TAC_NONE: there is none */
} tacArrowBin;

/* Border i of n bins of [from, to]: from + i * (to - from) / n, rounded down. */
int64_t tacLodBorder(int64_t from, int64_t to, uint32_t n, uint32_t i);
/* Bins [border i, border i + 1) of a task's slices, or of a processor's runs; bins is the caller's, n of them. */
void tacLodTask(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacBin *bins);
void tacLodProcessor(const tacModel *model, uint32_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins);
/* The same for the slices of a task on one of the several processors that it was on. */
void tacLodPart(
    const tacModel *model, uint32_t task, uint16_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins);
/* The tasks of a processor that tacBin.tasks tells apart, *count of them, the one that runs longest first. */
const uint32_t *tacLodTasks(const tacModel *model, uint32_t processor, uint32_t *count);
/* The processors that a task is on, if there are several, the one where it runs longest first: at most `most` of them.
 * Returns how many there are; 0: one or none. */
uint32_t tacLodProcessors(const tacModel *model, uint32_t task, uint16_t *processors, uint32_t most);
/*
 * Sums up how long jobs of each outcome run in a row: of a task on one of its processors, of a task (TAC_NO_PROCESSOR)
 * or of a processor (task TAC_NONE). At most that many slices are looked at; *ready: it is complete. Costs memory for
 * rows that were asked for only: half a byte a slice and outcome that there is. False: no memory.
 */
bool tacLodSumOutcomes(const tacModel *model, uint32_t task, uint16_t processor, uint32_t most, bool *ready);
/* Fills bins with the time that jobs of an outcome run, as tacBin.time[TAC_STATE_RUNNING]. Needs the complete sums.
 * False: none ever does; the bins are left as they are. */
bool tacLodOutcome(const tacModel *model, uint32_t task, uint16_t processor, tacJobOutcome outcome, int64_t from,
    int64_t to, uint32_t n, tacBin *bins);
/* Fills a column of a task, of its slices on one processor (TAC_NO_PROCESSOR: all), or of a processor. Costs what the
 * jobs released in it cost. */
void tacLodTaskColumn(
    const tacModel *model, uint32_t task, uint16_t processor, int64_t from, int64_t to, tacBandColumn *column);
void tacLodProcessorColumn(const tacModel *model, uint32_t processor, int64_t from, int64_t to, tacBandColumn *column);
/* The jobs of a task that missed their deadlines, *count of them, in order of deadline. */
const uint32_t *tacLodMissed(const tacModel *model, uint32_t task, uint32_t *count);
/* Number of slices of a task (runs of a processor) that touch [from, to): to decide whether bins are needed at all. */
uint32_t tacLodTaskCount(const tacModel *model, uint32_t task, int64_t from, int64_t to);
uint32_t tacLodPartCount(const tacModel *model, uint32_t task, uint16_t processor, int64_t from, int64_t to);
uint32_t tacLodProcessorCount(const tacModel *model, uint32_t processor, int64_t from, int64_t to);
/*
 * Least and largest budget of a server within [from, to]. The points [first, end) of its curve are those that matter:
 * first is the last one not after `from` (or the first of all), the others lie between from and to. end > first.
 */
void tacLodBudgets(const tacModel *model, uint32_t server, uint32_t first, uint32_t end, int64_t from, int64_t to,
    double *least, double *largest);
/* The budget that a point of a curve leaves at a later time (or at an earlier one, had it held then). */
double tacLodBudgetAt(const tacBudgetPoint *point, int64_t time);
/*
 * Bins of a task's arrows. Where a bin has hundreds of them, its borders are exact to a few arrows; each arrow is in
 * one bin in any case.
 */
void tacLodArrows(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacArrowBin *bins);
/* The same bins for a list of rows in order of time (tacTaskModel.arrows, tacModel.messages ...). */
void tacLodMarks(const tacModel *model, const uint32_t *rows, uint32_t count, int64_t from, int64_t to, uint32_t n,
    tacMarkBin *bins);

#endif
