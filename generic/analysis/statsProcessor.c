/*
 * statsProcessor.c -- the table of processors: busy, idle and unknown time, that of interrupts, context switches,
 * migrations.
 *
 * Runs of a processor overlap: an interrupt runs on top of the job that it interrupts, a softirq may be interrupted in
 * its turn, and faulty traces have two jobs at once. So each time is that of a union of runs:
 *
 *      busy     all runs
 *      isr      runs of tasks of kind isr
 *      softirq  those of kind softirq, without an isr on top
 *      unknown  stretches in which it is unknown what runs, without the runs that were seen
 *      idle     the rest of the window
 *
 * isr and softirq are parts of busy, and busy + idle + unknown is the window. Runs and unknown stretches come in order
 * of begin, so that a union is the sum of what each of them adds to those before it.
 */
#include "base/port.h"

#include "analysis/statsPart.h"

typedef struct ProcessorRow {
    tacStatsObject object;
    int64_t busy, idle;
    double utilization;
    int64_t switches, migrations;
    int64_t isr, softirq, unknown;
} ProcessorRow;

static const tacColumn processorColumns[] = {
    {"processor", TAC_COLUMN_TEXT, "id of the processor", offsetof(ProcessorRow, object.id)},
    {"name", TAC_COLUMN_TEXT, "its name", offsetof(ProcessorRow, object.name)},
    {"busy", TAC_COLUMN_TIME, "time in the window with a job running; interrupts and softirqs are such",
        offsetof(ProcessorRow, busy)},
    {"idle", TAC_COLUMN_TIME, "the rest of the window: neither busy nor unknown", offsetof(ProcessorRow, idle)},
    {"utilization", TAC_COLUMN_NUMBER, "busy / length of the window; unknown time may add to it",
        offsetof(ProcessorRow, utilization)},
    {"switches", TAC_COLUMN_COUNT,
        "context switches: a job begins to run here that is not the one that ran before, interrupts aside",
        offsetof(ProcessorRow, switches)},
    {"migrations", TAC_COLUMN_COUNT, "jobs that came here from another processor", offsetof(ProcessorRow, migrations)},
    {"isr", TAC_COLUMN_TIME, "time handling interrupts, nested ones once (part of busy)", offsetof(ProcessorRow, isr)},
    {"softirq", TAC_COLUMN_TIME, "time handling softirqs, without that of interrupts on top of them (part of busy)",
        offsetof(ProcessorRow, softirq)},
    {"unknown", TAC_COLUMN_TIME, "time in an unknown state: neither busy nor idle", offsetof(ProcessorRow, unknown)},
};
enum { PROCESSOR_COLUMNS = sizeof processorColumns / sizeof *processorColumns };

typedef struct Union { /* of stretches that come in order of begin */
    int64_t end;
    int64_t ticks; /* within the window */
} Union;

static inline void unite(Union *all, const tacStatsWindow *window, int64_t begin, int64_t end) {
    all->ticks = tacAddTicks(all->ticks, tacStatsWindowCut(window, begin > all->end ? begin : all->end, end));
    if (end > all->end) all->end = end;
}

typedef struct Times {  /* unions, beside that of all runs */
    Union handled, isr; /* interrupts of both kinds; isr only */
    Union covered;      /* unknown stretches and all runs, if there are unknown ones */
    size_t nUnknown;    /* unknown stretches in it so far */
} Times;

static const Union nothing = {INT64_MIN, 0};

/* Adds the unknown stretches that begin up to a time. */
static void uniteUnknown(Times *times, const tacStatsWindow *window, const tacProcessorModel *p, int64_t until) {
    for (; times->nUnknown < p->unknown.count && p->unknown.at[times->nUnknown].begin <= until; times->nUnknown++)
        unite(&times->covered, window, p->unknown.at[times->nUnknown].begin, p->unknown.at[times->nUnknown].end);
}

/* Adds up the times and switches of the processor's runs. False: stop. */
static bool addRuns(const tacModel *model, const tacStatsWindow *window, uint32_t processor, ProcessorRow *row) {
    const tacProcessorModel *p = &model->processors[processor];
    const tacObject *tasks = model->store->objects[TAC_TASK].at;
    Union busy = nothing;
    Times times = {nothing, nothing, nothing, 0};
    uint32_t before = TAC_NONE;
    const bool interrupted = p->interrupted, partly = p->unknown.count > 0; /* rare: asked once, before the loop */
    for (size_t i = 0; i < p->runs.count; i++) {
        const tacSlice *slice = tacRunSlice(model, p->runs.at[i]);
        if (slice->begin > window->to) break;
        if (!tacStatsAt(window, i)) return false;
        unite(&busy, window, slice->begin, slice->end);
        if (partly) {
            uniteUnknown(&times, window, p, slice->begin);
            unite(&times.covered, window, slice->begin, slice->end);
        }
        if (interrupted && tacIsInterrupt(model, p->runs.at[i].task)) {
            unite(&times.handled, window, slice->begin, slice->end);
            if (!tasks[p->runs.at[i].task].softirq) unite(&times.isr, window, slice->begin, slice->end);
            continue;
        }
        row->switches += slice->job != before && tacStatsWindowHas(window, slice->begin);
        before = slice->job;
    }
    uniteUnknown(&times, window, p, INT64_MAX);
    row->busy = busy.ticks;
    row->isr = times.isr.ticks;
    row->softirq = times.handled.ticks - times.isr.ticks;
    row->unknown = partly ? times.covered.ticks - busy.ticks : 0;
    return true;
}

static bool measureProcessor(const tacModel *model, const tacStatsWindow *window, uint32_t processor, void *data) {
    ProcessorRow *row = data;
    const tacProcessorModel *p = &model->processors[processor];
    if (!addRuns(model, window, processor, row)) return false;
    row->idle = tacElapsed(window->from, window->to) - row->busy - row->unknown;
    row->utilization = tacStatsWindowShare(window, row->busy);
    for (size_t i = 0; i < p->migrations.count; i++) {
        if (!tacStatsAt(window, i)) return false;
        row->migrations += tacStatsWindowHas(window, tacRowTime(model->store, p->migrations.at[i]));
    }
    return true;
}

const tacStatsPart tacProcessorStats = {
    processorColumns, PROCESSOR_COLUMNS, TAC_PROCESSOR, sizeof(ProcessorRow), NULL, measureProcessor, NULL};
