/*
 * goCmd.c -- next, previous and arrow lead from one event to another; density, utilization, localtime and residuals
 * give the numbers for strips and plots.
 */
#include <tcl.h>

#include "base/port.h"

#include "model/ask.h"
#include "model/lod.h"
#include "model/neighbour.h"
#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/timeValue.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"

#include <string.h>

enum { MOST_BINS = 1 << 20 };

/* ---- next and previous ------------------------------------------------------------------------------------------ */

typedef struct Options {
    const char *task, *server, *processor;
    int64_t job;
} Options;

static const tacOptionRow goRows[] = {
    {"-job", TAC_VALUE_COUNT, offsetof(Options, job), NULL, "index", NULL, "events of a job"},
    {"-processor", TAC_VALUE_TEXT, offsetof(Options, processor), NULL, "id", NULL,
        "where jobs begin or end to run on a processor"},
    {"-server", TAC_VALUE_TEXT, offsetof(Options, server), NULL, "id", NULL, "events of a server"},
    {"-task", TAC_VALUE_TEXT, offsetof(Options, task), NULL, "id", NULL, "events of a task and its jobs"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

typedef uint32_t Step(const tacModel *model, uint32_t index, int64_t t);

static uint32_t anyNext(const tacModel *model, uint32_t index, int64_t t) {
    uint32_t row = tacRowAfter(model->store, t);
    (void) index;
    return row < tacStoreCount(model->store) ? row : TAC_NONE;
}

static uint32_t anyPrevious(const tacModel *model, uint32_t index, int64_t t) {
    uint32_t row = tacStoreFind(model->store, t);
    (void) index;
    return row ? row - 1 : TAC_NONE;
}

/* The steps forward and back among the events of a thing that an option names; the first row is for no option. */
static Step *const steps[][2] = {
    {anyNext, anyPrevious},
    {tacQueryNext, tacQueryPrevious},
    {tacServerNext, tacServerPrevious},
    {tacProcessorNext, tacProcessorPrevious},
    {tacJobNext, tacJobPrevious},
};

/* The row of `steps` that the options mean, and the index of the object that they name. */
static int choose(Tcl_Interp *interp, const tacModel *model, const Options *options, int *which, uint32_t *index) {
    int n = (options->task != NULL) + (options->server != NULL) + (options->processor != NULL) + (options->job >= 0);
    *which = 0;
    *index = 0;
    if (n > 1) return tacTclFail(interp, "USAGE OPTIONS", "-job, -processor, -server and -task exclude one another");
    if (options->task) return *which = 1, tacNeedObject(interp, model, TAC_TASK, options->task, index);
    if (options->server) return *which = 2, tacNeedObject(interp, model, TAC_SERVER, options->server, index);
    if (options->processor) return *which = 3, tacNeedObject(interp, model, TAC_PROCESSOR, options->processor, index);
    if (options->job < 0) return TCL_OK;
    if ((uint64_t) options->job >= model->jobs.count)
        return tacTclFail(interp, "LOOKUP INDEX", "there is no job %lld", (long long) options->job);
    *which = 4;
    *index = (uint32_t) options->job;
    return TCL_OK;
}

/* Runs `next` (direction 0) or `previous` (1). */
static int go(const tacTraceCall *call, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int direction) {
    const tacModel *model = &call->trace->model;
    Options options = {.job = -1};
    int64_t time;
    int which;
    uint32_t index;
    if (tacTimeFromObj(interp, objv[2], model->store->digits, &time) != TCL_OK
        || tacOptionsParse(interp, goRows, objc - 3, objv + 3, &options) != TCL_OK
        || choose(interp, model, &options, &which, &index) != TCL_OK)
        return TCL_ERROR;
    uint32_t row = steps[which][direction](model, index, time);
    if (row == TAC_NONE || row >= tacStoreCount(model->store)) return TCL_OK;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutTime(dict, "time", model, tacRowTime(model->store, row));
    tacPutIndex(dict, "event", row);
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

int tacNextSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return go(data, interp, objc, objv, 0);
}

int tacPreviousSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return go(data, interp, objc, objv, 1);
}

/* ---- arrows ----------------------------------------------------------------------------------------------------- */

int tacArrowSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const directions[] = {"forward", "back", NULL};
    const tacModel *model = &((const tacTraceCall *) data)->trace->model;
    uint32_t task;
    uint32_t slice;
    int back;
    tacArrowTo to;
    (void) objc;
    if (tacNeedObject(interp, model, TAC_TASK, Tcl_GetString(objv[2]), &task) != TCL_OK
        || Tcl_GetIndexFromObjStruct(interp, objv[4], directions, sizeof *directions, "direction", 0, &back) != TCL_OK
        || tacNeedIndex(interp, "slice", objv[3], model->tasks[task].slices.count, &slice) != TCL_OK)
        return TCL_ERROR;
    if (!(back ? tacArrowBack : tacArrowForward)(model, task, slice, &to)) return TCL_OK;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutTime(dict, "time", model, to.time);
    tacPutText(dict, "task", tacObjectId(model->store, TAC_TASK, to.task));
    tacPutIndex(dict, "slice", to.slice);
    tacPutIndex(dict, "job", model->tasks[to.task].slices.at[to.slice].job);
    tacPutText(dict, "kind", tacArrowNames[to.kind]);
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

/* ---- strips and plots ------------------------------------------------------------------------------------------- */

enum { OF_NOTES, OF_WARNINGS, OF_ERRORS, OF_MISSES, OF_EVENTS }; /* the first ones as tacSeverity */
static const char *const ofWords[] = {"notes", "warnings", "errors", "misses", "events", NULL};

typedef struct BinOptions {
    tacWindowValue window;
    int of;
} BinOptions;

static const tacOptionRow binRows[] = {TAC_WINDOW_ROWS(BinOptions, window), {NULL, 0, 0, NULL, NULL, NULL, NULL}};
static const tacOptionRow densityRows[] = {
    {"-of", TAC_VALUE_WORD, offsetof(BinOptions, of), ofWords, NULL, "events",
        "what is counted: events, deadlines that were missed, or findings of a severity"},
    TAC_WINDOW_ROWS(BinOptions, window),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* Reads the number of bins, and the options after it: a window, whose missing ends are the first and the last mark. */
static int readBins(Tcl_Interp *interp, const tacModel *model, const tacOptionRow *rows, int objc,
    Tcl_Obj *const objv[], BinOptions *options, tacEventWindow *window, uint32_t *count) {
    Tcl_WideInt n;
    *options = (BinOptions){.of = OF_EVENTS};
    if (Tcl_GetWideIntFromObj(interp, objv[0], &n) != TCL_OK
        || tacOptionsParse(interp, rows, objc - 1, objv + 1, options) != TCL_OK
        || tacWindowTicks(interp, &options->window, model->store->digits, window) != TCL_OK)
        return TCL_ERROR;
    if (n < 1 || n > MOST_BINS)
        return tacTclFail(interp, "USAGE VALUE", "bad number of bins: must be from 1 to %d", MOST_BINS);
    if (window->from == TAC_UNKNOWN) window->from = model->firstMark;
    if (window->to == TAC_UNKNOWN) window->to = model->lastMark > window->from ? model->lastMark : window->from;
    if (window->from > window->to) return tacTclFail(interp, "USAGE WINDOW", "the window ends before it begins");
    *count = (uint32_t) n;
    return TCL_OK;
}

/* A border of n bins of [from, to]: bin i begins `ticks` and a share of a tick after `from`. With borders rounded to
 * ticks the answer would depend on the decimals of the trace, and so on a single time with many. */
typedef struct BinBorder {
    uint64_t ticks;
    double share; /* 0 .. below 1 */
} BinBorder;

static BinBorder binBorder(const tacEventWindow *window, uint32_t n, uint32_t i) {
    unsigned __int128 whole = (unsigned __int128) ((uint64_t) window->to - (uint64_t) window->from) * i;
    return (BinBorder){(uint64_t) (whole / n), (double) (uint64_t) (whole % n) / n};
}

typedef struct Bins { /* counts of what happens in n bins of a window; the last bin has its end */
    tacEventWindow window;
    uint32_t n, *counts;
} Bins;

/* Counts one thing at a time, if that is in a bin. */
static void countOne(const Bins *bins, int64_t time) {
    const tacEventWindow *window = &bins->window;
    uint64_t width = (uint64_t) window->to - (uint64_t) window->from;
    if (time < window->from || time > window->to) return;
    if (time == window->to) bins->counts[bins->n - 1]++;
    else bins->counts[(unsigned __int128) ((uint64_t) time - (uint64_t) window->from) * bins->n / width]++;
}

/* Counts events one by one where they are fewer than bins, else by the first one of each bin. */
static void countEvents(const Bins *bins, const tacModel *model) {
    const tacEventWindow *window = &bins->window;
    uint32_t before = tacStoreFind(model->store, window->from), end = tacRowAfter(model->store, window->to);
    if (end - before < bins->n) {
        for (; before < end; before++) countOne(bins, tacRowTime(model->store, before));
        return;
    }
    for (uint32_t i = 1; i <= bins->n; i++) {
        BinBorder border = binBorder(window, bins->n, i);
        int64_t first = (int64_t) ((uint64_t) window->from + border.ticks) + (border.share > 0);
        uint32_t until = i < bins->n ? tacStoreFind(model->store, first) : end;
        bins->counts[i - 1] = until - before;
        before = until;
    }
}

static void countMisses(const Bins *bins, const tacModel *model) {
    for (uint32_t task = 0; task < tacStoreObjects(model->store, TAC_TASK); task++) {
        uint32_t count;
        const uint32_t *missed = tacLodMissed(model, task, &count);
        for (uint32_t i = 0; i < count; i++) countOne(bins, model->jobs.at[missed[i]].deadline);
    }
}

static void countFindings(const Bins *bins, const tacFindings *findings, tacSeverity severity) {
    for (size_t i = 0; i < findings->all.count; i++)
        if (findings->all.at[i].severity == severity) countOne(bins, findings->all.at[i].begin);
    for (size_t i = 0; i < findings->unlisted.count; i++)
        if (findings->unlisted.at[i].severity == severity) countOne(bins, findings->unlisted.at[i].begin);
}

int tacDensitySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((const tacTraceCall *) data)->trace;
    BinOptions options;
    tacEventWindow window;
    uint32_t n;
    if (readBins(interp, &trace->model, densityRows, objc - 2, objv + 2, &options, &window, &n) != TCL_OK)
        return TCL_ERROR;
    Bins bins = {window, n, tacAllocZero(n, sizeof *bins.counts)};
    if (!bins.counts) return tacTclMemory(interp);
    if (options.of == OF_EVENTS) countEvents(&bins, &trace->model);
    else if (options.of == OF_MISSES) countMisses(&bins, &trace->model);
    else countFindings(&bins, &trace->findings, (tacSeverity) options.of);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL), *none = tacKept(Tcl_NewWideIntObj(0));
    for (uint32_t i = 0; i < n; i++) tacAppend(list, bins.counts[i] ? Tcl_NewWideIntObj(bins.counts[i]) : none);
    Tcl_DecrRefCount(none);
    tacFree(bins.counts);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* Where a border is, in ticks after the begin of the window. */
static double borderAt(const tacEventWindow *window, uint32_t n, uint32_t i) {
    BinBorder border = binBorder(window, n, i);
    return (double) border.ticks + border.share;
}

/*
 * Adds to each of n bins of the window the time in it that a processor was busy: that of a union of runs, which overlap
 * where interrupts run on top of jobs. Runs come in order of begin.
 */
static void addUnion(
    const tacModel *model, const tacProcessorModel *p, const tacEventWindow *window, uint32_t n, double *busy) {
    uint32_t bin = 0;
    int64_t end = window->from;
    double border = borderAt(window, n, 1);
    for (size_t i = 0; i < p->runs.count; i++) {
        const tacSlice *slice = tacRunSlice(model, p->runs.at[i]);
        int64_t begin = slice->begin > end ? slice->begin : end;
        if (begin >= window->to) break;
        if (slice->end <= begin) continue;
        end = slice->end;
        int64_t last = end < window->to ? end : window->to;
        double x = (double) ((uint64_t) begin - (uint64_t) window->from),
               until = (double) ((uint64_t) last - (uint64_t) window->from);
        while (x < until) {
            while (border <= x && bin + 1 < n) border = borderAt(window, n, ++bin + 1);
            double next = until < border || bin + 1 == n ? until : border;
            busy[bin] += next - x;
            x = next;
        }
    }
}

/* Sets the time in each of n bins that a processor was busy. False: no memory. */
static bool fillBusy(
    const tacModel *model, uint32_t processor, const tacEventWindow *window, uint32_t n, double *busy) {
    enum { WIDE = 20 }; /* bins of 2^WIDE ticks may have borders of whole ticks */
    const tacProcessorModel *p = &model->processors[processor];
    memset(busy, 0, n * sizeof *busy);
    if (p->overlap > 1 || p->interrupted || ((uint64_t) window->to - (uint64_t) window->from) >> WIDE < n) {
        addUnion(model, p, window, n, busy);
        return true;
    }
    tacBin *bins = tacAlloc(n * sizeof *bins);
    if (!bins) return false;
    tacLodProcessor(model, processor, window->from, window->to, n, bins);
    for (uint32_t i = 0; i < n; i++)
        busy[i] = (double) (bins[i].time[TAC_STATE_RUNNING] + bins[i].time[TAC_STATE_BETWEEN]);
    tacFree(bins);
    return true;
}

int tacUtilizationSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacModel *model = &((const tacTraceCall *) data)->trace->model;
    BinOptions options;
    tacEventWindow window;
    uint32_t processor, n;
    if (tacNeedObject(interp, model, TAC_PROCESSOR, Tcl_GetString(objv[2]), &processor) != TCL_OK
        || readBins(interp, model, binRows, objc - 3, objv + 3, &options, &window, &n) != TCL_OK)
        return TCL_ERROR;
    double *busy = tacAlloc(n * sizeof *busy), length = borderAt(&window, n, n) / n;
    if (!busy || !fillBusy(model, processor, &window, n, busy)) {
        tacFree(busy);
        return tacTclMemory(interp);
    }
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < n; i++) tacAppend(list, Tcl_NewDoubleObj(length > 0 ? busy[i] / length : 0));
    tacFree(busy);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

int tacLocalTimeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((const tacTraceCall *) data)->trace;
    uint32_t processor;
    int64_t time;
    (void) objc;
    if (tacNeedObject(interp, &trace->model, TAC_PROCESSOR, Tcl_GetString(objv[2]), &processor) != TCL_OK
        || tacTimeFromObj(interp, objv[3], trace->store.digits, &time) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, tacTimeValueObj(tacClockLocal(&trace->clocks, processor, time), trace->store.digits));
    return TCL_OK;
}

typedef struct ResidualOptions {
    int64_t limit;
} ResidualOptions;

static const tacOptionRow residualRows[] = {
    {"-limit", TAC_VALUE_COUNT, offsetof(ResidualOptions, limit), NULL, "n", "2000", "at most so many, evenly chosen"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

int tacResidualsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((const tacTraceCall *) data)->trace;
    ResidualOptions options = {2000};
    uint32_t pair;
    tacResidual *residuals;
    size_t count;
    tacError err = {{0}, {0}};
    if (tacOptionsParse(interp, residualRows, objc - 3, objv + 3, &options) != TCL_OK
        || tacNeedIndex(interp, "pair", objv[2], trace->clocks.pairs.count, &pair) != TCL_OK)
        return TCL_ERROR;
    if (tacClocksResiduals(&trace->store, &trace->clocks, pair, (size_t) options.limit, &residuals, &count, &err)
        != TAC_OK)
        return tacErrorToTcl(interp, &err);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    double unit = tacDecimalDouble(1, trace->store.digits);
    for (size_t i = 0; i < count; i++) {
        Tcl_Obj *words[3] = {tacTimeValueObj(residuals[i].time, trace->store.digits),
            Tcl_NewDoubleObj(residuals[i].residual * unit),
            Tcl_NewStringObj(residuals[i].fromA ? "from_a" : "from_b", -1)};
        tacAppend(list, Tcl_NewListObj(3, words));
    }
    tacFree(residuals);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}
