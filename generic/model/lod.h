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

typedef struct tacBin {       /* summary of one bin [a, b) (one pixel, a tenth of a point ...) of a row */
    int64_t time[TAC_STATES]; /* ticks spent in each state (of all its jobs together) */
    uint32_t count;           /* slices that begin in [a, b), or begin before a and end after it */
    uint32_t begun;           /* those that begin in it */
    uint32_t first;           /* index of the first of them (slice or run), TAC_NONE when there is none */
} tacBin;

typedef struct tacMarkBin { /* marks (arrows, messages ...) within one bin */
    uint32_t count, first;  /* how many, and the first one's index in the list of rows; TAC_NONE when there is none */
} tacMarkBin;

typedef struct tacLod tacLod;

/* Sets model->lod; TAC_ERROR: memory, or cancelled by store->progress. */
tacStatus tacLodBuild(tacModel *model, tacError *err);
void tacLodFree(tacLod *lod);
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
/*
 * The same bins, estimated: if the block of 16 slices that a border is in is shorter than half a bin, the sums are
 * taken to grow evenly within the block; if a quarter of the block is, within that. Slices that reach over such a
 * border are not counted again. Quick, since no slice is touched.
 */
void tacLodTaskAbout(const tacModel *model, uint32_t task, int64_t from, int64_t to, uint32_t n, tacBin *bins);
void tacLodProcessorAbout(
    const tacModel *model, uint32_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins);
/* Number of slices of a task (runs of a processor) that touch [from, to): to decide whether bins are needed at all. */
uint32_t tacLodTaskCount(const tacModel *model, uint32_t task, int64_t from, int64_t to);
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
