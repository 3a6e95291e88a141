/*
 * layoutShares.c -- what the time that runs in a density band is told apart by, so that its columns have the colours
 * that bars have.
 *
 *      row                         colours by                  parts of what runs
 *      of a processor              outcome                     late, without a deadline; the rest is on time
 *                                  anything else               its eight longest tasks, in a file those of the figure;
 *                                                              the rest is other tasks
 *      of a task, or a group       outcome                     as above
 *                                  processor, on several       its eight longest ones; the rest is other processors
 *                                  anything else               none: all has one colour
 *
 * How long a task runs on each of its processors is in the model; how long late jobs run is summed up when the first
 * band asks (tacLodSumOutcomes), in steps, some in each frame: until then the band is drawn without.
 */
#include "base/port.h"

#include "view/layout.h"

#include <math.h>
#include <string.h>

static bool isProcessor(const tacFigureRow *row) { return row->kind == TAC_FIGURE_ROW_PROCESSOR; }
static bool isGroup(const tacFigureRow *row) { return row->kind == TAC_FIGURE_ROW_GROUP; }

/* The processors of a row that is on several; of a group all there are, if that is not too many to be told apart. */
static tacShares byProcessor(const tacDrawing *d, const tacFigureRow *row) {
    tacShares shares = {.of = TAC_SHARE_NONE};
    uint16_t processors[TAC_LOD_TASKS];
    uint32_t n = d->model->nProcessors;
    if (isGroup(row) && n > TAC_LOD_TASKS) return shares;
    if (!isGroup(row)) n = row->partial ? 0 : tacLodProcessors(d->model, row->owner, processors, TAC_LOD_TASKS);
    shares.n = n < TAC_LOD_TASKS ? n : TAC_LOD_TASKS;
    if (n) shares.of = TAC_SHARE_PROCESSOR;
    for (uint32_t k = 0; k < shares.n; k++) shares.values[k] = isGroup(row) ? k : processors[k];
    return shares;
}

tacShares tacSharesOf(const tacDrawing *d, const tacFigureRow *row) {
    if (row->kind == TAC_FIGURE_ROW_SERVER) return (tacShares){.of = TAC_SHARE_NONE};
    if (d->style.colorBy == TAC_COLOR_OUTCOME)
        return (tacShares){TAC_SHARE_OUTCOME, false, TAC_OUTCOMES_SUMMED, {TAC_OUTCOME_LATE, TAC_OUTCOME_FREE}};
    if (isProcessor(row)) {
        tacShares shares = {.of = TAC_SHARE_TASK};
        const uint32_t *tasks = tacLodTasks(d->model, row->owner, &shares.n);
        memcpy(shares.values, tasks, shares.n * sizeof *tasks);
        return shares;
    }
    return d->style.colorBy == TAC_COLOR_PROCESSOR ? byProcessor(d, row) : (tacShares){.of = TAC_SHARE_NONE};
}

void tacShareInsert(tacShares *shares, const double *times, uint32_t task) {
    uint32_t at = shares->n;
    while (at > 0 && times[shares->values[at - 1]] < times[task]) at--;
    if (at == TAC_LOD_TASKS) return;
    shares->n += shares->n < TAC_LOD_TASKS;
    memmove(shares->values + at + 1, shares->values + at, (shares->n - 1 - at) * sizeof *shares->values);
    shares->values[at] = task;
}

/* Sums up what a task runs on a processor. */
static void sumTask(
    const tacDrawing *d, uint32_t task, uint16_t processor, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    if (tacLodProcessors(d->model, task, NULL, 0)) tacLodPart(d->model, task, processor, from, to, n, bins);
    else tacLodTask(d->model, task, from, to, n, bins);
}

tacShares tacSharesWithin(tacDrawing *d, const tacFigureRow *row) {
    tacShares shares = tacSharesOf(d, row);
    bool all = d->scale.from <= d->model->begin && d->scale.to >= d->model->end;
    if (shares.of != TAC_SHARE_TASK || shares.n < TAC_LOD_TASKS || all) return shares;
    double *times = tacAllocZero(d->rows->nTasks + (size_t) 1, sizeof *times);
    if (!times) {
        d->display->failed = true;
        return shares;
    }
    shares.n = 0;
    shares.chosen = true;
    for (uint32_t task = 0; task < d->rows->nTasks; task++) {
        tacBin bin;
        if (tacNotInRow(d, row, task)) continue;
        sumTask(d, task, (uint16_t) row->owner, d->scale.from, d->scale.to, 1, &bin);
        times[task] = (double) bin.time[TAC_STATE_RUNNING];
        if (times[task] > 0) tacShareInsert(&shares, times, task);
    }
    tacFree(times);
    return shares;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* The place of a row in the sums of outcomes. */
static void findSums(const tacFigureRow *row, uint32_t *task, uint16_t *processor) {
    *task = isProcessor(row) ? TAC_NONE : row->owner;
    *processor = isProcessor(row) ? (uint16_t) row->owner : row->partial ? row->processor : TAC_NO_PROCESSOR;
}

/* Sums up the outcomes of a row, as far as there is time. */
static bool sumOutcomes(tacDrawing *d, const tacFigureRow *row) {
    enum { STEP = 1024 }; /* slices: takes about as long as a tile */
    uint32_t task;
    uint16_t processor;
    bool ready = row->kind == TAC_FIGURE_ROW_SERVER;
    findSums(row, &task, &processor);
    while (!ready) {
        if (!tacLodSumOutcomes(d->model, task, processor, STEP, &ready)) {
            d->display->failed = true;
            return false;
        }
        if (!ready && tacLayoutLate(d)) return false;
    }
    return true;
}

bool tacSharesReady(tacDrawing *d, const tacFigureRow *row, const tacShares *shares) {
    if (shares->of != TAC_SHARE_OUTCOME) return true;
    if (!isGroup(row)) return sumOutcomes(d, row);
    for (uint32_t k = 0; k < d->nMembers; k++)
        if (!sumOutcomes(d, &d->rows->rows.at[d->members[k].row])) return false;
    return true;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Is a row on this processor and no other? */
static bool isOnly(const tacDrawing *d, const tacFigureRow *row, uint32_t processor) {
    if (isProcessor(row)) return row->owner == processor;
    if (row->partial) return row->processor == processor;
    const tacTaskModel *task = &d->model->tasks[row->owner];
    return !tacLodProcessors(d->model, row->owner, NULL, 0) && task->slices.count
        && task->slices.at[0].processor == processor;
}

/* Sets one part of bins that are filled for a row. */
static void setPart(const tacDrawing *d, const tacFigureRow *row, const tacShares *shares, uint32_t part, int64_t from,
    int64_t to, uint32_t n, tacBin *bins) {
    tacBin some[TAC_TILE_BINS], *of = NULL;
    uint32_t task, value = shares->values[part];
    uint16_t processor;
    findSums(row, &task, &processor);
    if (shares->of == TAC_SHARE_TASK) {
        sumTask(d, value, processor, from, to, n, some);
        of = some;
    } else if (shares->of == TAC_SHARE_OUTCOME) {
        if (tacLodOutcome(d->model, task, processor, (tacJobOutcome) value, from, to, n, some)) of = some;
    } else if (isOnly(d, row, value)) of = bins;
    else if (task != TAC_NONE && processor == TAC_NO_PROCESSOR) {
        tacLodPart(d->model, task, (uint16_t) value, from, to, n, some);
        of = some;
    }
    for (uint32_t i = 0; i < n; i++) bins[i].parts[part] = of ? of[i].time[TAC_STATE_RUNNING] : 0;
}

void tacShareBins(const tacDrawing *d, const tacFigureRow *row, const tacShares *shares, int64_t from, int64_t to,
    uint32_t n, tacBin *bins) {
    if (shares->of == TAC_SHARE_NONE || (shares->of == TAC_SHARE_TASK && !shares->chosen)
        || row->kind == TAC_FIGURE_ROW_SERVER)
        return;
    for (uint32_t part = 0; part < shares->n; part++) setPart(d, row, shares, part, from, to, n, bins);
}

int tacSharePart(const tacDrawing *d, const tacShares *shares, const tacSlice *slice, uint32_t task) {
    uint32_t value = shares->of == TAC_SHARE_TASK ? task
        : shares->of == TAC_SHARE_PROCESSOR       ? slice->processor
        : shares->of == TAC_SHARE_OUTCOME         ? (uint32_t) tacOutcomeOf(&d->model->jobs.at[slice->job])
                                                  : TAC_NONE;
    for (uint32_t k = 0; k < shares->n; k++)
        if (shares->values[k] == value) return (int) k;
    return TAC_BAND_REST;
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

static uint32_t neutral(const tacDrawing *d) { return tacColorMix(d->style.paper, d->style.ink, 0.45); }

/* In gray it is between two levels of tasks. */
uint32_t tacRestColor(const tacDrawing *d) {
    return d->style.grayscale ? tacColorMix(d->style.paper, d->style.ink, 0.3) : neutral(d);
}

/* The colour of what runs in a group: that of its tasks where they have the same, else a neutral one; also instead of a
 * light one on paper, where a column of a third of a point would hardly be seen. */
static uint32_t groupColor(tacDrawing *d) {
    uint32_t color = TAC_NO_COLOR;
    for (uint32_t k = 0; k < d->nMembers; k++) {
        const tacFigureRow *row = &d->rows->rows.at[d->members[k].row];
        if (row->kind != TAC_FIGURE_ROW_TASK) continue;
        uint32_t own = tacRowColor(d, row, row->owner);
        if (color != TAC_NO_COLOR && own != color) return neutral(d);
        color = own;
    }
    bool light = color != TAC_NO_COLOR && !d->tiles
        && fabs(tacColorLightness(color) - tacColorLightness(d->style.paper)) < 0.3;
    return color == TAC_NO_COLOR || light ? neutral(d) : color;
}

/* The colour of a task that runs, mixed as its pattern would be. */
static uint32_t taskColor(tacDrawing *d, const tacFigureRow *row, uint32_t task) {
    const char *pattern = tacOwnPattern(d, task);
    uint32_t color = tacRowColor(d, row, task);
    return tacPatternWord(pattern, TAC_PATTERN_NONE) ? tacColorMix(d->style.paper, color, 0.5) : color;
}

static void noteOutcome(tacDrawing *d, tacJobOutcome outcome) {
    d->seen |= tacSeenOutcome(outcome);
    d->seenInBands |= tacSeenOutcome(outcome);
}

/* The colour of what runs besides the parts. */
static uint32_t restColor(tacDrawing *d, const tacFigureRow *row, const tacShares *shares) {
    switch (shares->of) {
    case TAC_SHARE_OUTCOME: noteOutcome(d, TAC_OUTCOME_MET); return tacOutcomeColor(d, TAC_OUTCOME_MET);
    case TAC_SHARE_TASK:
        if (d->style.colorBy == TAC_COLOR_PROCESSOR) return tacProcessorColor(d, row->owner);
        if (d->style.colorBy == TAC_COLOR_STATE) return d->style.active;
        d->seen |= TAC_SEEN_REST;
        return tacRestColor(d);
    case TAC_SHARE_PROCESSOR: return neutral(d);
    default: return isGroup(row) ? groupColor(d) : isProcessor(row) ? neutral(d) : taskColor(d, row, row->owner);
    }
}

/* The colour of a part, as bars have it. */
static uint32_t partColor(tacDrawing *d, const tacFigureRow *row, const tacShares *shares, int part) {
    if (part >= (int) shares->n) return restColor(d, row, shares);
    uint32_t value = shares->values[part];
    if (shares->of == TAC_SHARE_OUTCOME) noteOutcome(d, (tacJobOutcome) value);
    if (shares->of == TAC_SHARE_OUTCOME) return tacOutcomeColor(d, (tacJobOutcome) value);
    return shares->of == TAC_SHARE_PROCESSOR ? tacProcessorColor(d, value) : taskColor(d, row, value);
}

/* Is a colour a gray, or nearly? */
static bool isNeutral(uint32_t color) {
    const int most = 24; /* difference of its channels */
    int red = color >> 16 & 0xFF, green = color >> 8 & 0xFF, blue = color & 0xFF;
    int high = red > green ? red : green, low = red < green ? red : green;
    return (high > blue ? high : blue) - (low < blue ? low : blue) <= most;
}

/* The level of gray in bands, which have no stripes, that the colour of an outcome has: all are in even steps darker
 * than those of states, but that of what is late, which is all ink. */
static uint32_t outcomeTone(const tacDrawing *d, uint32_t color) {
    double ink = color == tacOutcomeColor(d, TAC_OUTCOME_LATE) ? 1
        : color == tacOutcomeColor(d, TAC_OUTCOME_FREE)        ? 0.52
                                                               : 0.66;
    return tacColorMix(d->style.paper, d->style.ink, ink);
}

uint32_t tacShareTone(const tacDrawing *d, const tacShares *shares, uint32_t color) {
    const double apart = 1.6; /* contrast: a bar has an outline, which a band has not */
    if (d->style.grayscale && shares->of == TAC_SHARE_OUTCOME) return outcomeTone(d, color);
    bool gray = d->style.grayscale && shares->of != TAC_SHARE_TASK;
    if (gray && shares->n)
        color = tacColorMix(color, d->style.ink, 0.5); /* several levels, all apart from those of states */
    color = tacColorSeen(color, d->style.paper, d->style.ink, gray ? 4.5 : apart);
    if (d->style.grayscale || !isNeutral(color)) return color;
    return tacColorSeen(color, tacBandColor(d, TAC_STATE_PREEMPTED), d->style.ink, apart); /* it is a gray, too */
}

uint32_t tacShareColor(tacDrawing *d, const tacFigureRow *row, const tacShares *shares, int part) {
    return tacShareTone(d, shares, partColor(d, row, shares, part));
}
