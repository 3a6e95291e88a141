/*
 * tables.c -- the tables of a trace by name. A new table is one row here.
 */
#include "base/port.h"

#include "analysis/stats.h"
#include "analysis/tables.h"

static tacStatus makeEvents(
    const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) {
    const tacStore *store = &trace->store;
    (void) progress;
    uint32_t first = from == TAC_UNKNOWN ? 0 : tacStoreFind(store, from);
    uint32_t end = to == TAC_UNKNOWN || to == INT64_MAX ? tacStoreCount(store) : tacStoreFind(store, to + 1);
    if (from != TAC_UNKNOWN && to != TAC_UNKNOWN && from > to)
        return tacFail(err, "USAGE WINDOW", "the window ends before it begins");
    return tacEventTable(&trace->model, first, end > first ? end - first : 0, table, err);
}

#define STATS(function, of)                                                                                       \
    static tacStatus function(                                                                                    \
        const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) { \
        return tacStats(&trace->model, of, from, to, progress, table, err);                                       \
    }                                                                                                             \
    static const tacColumn *function##Columns(int *nColumns) { return tacStatsColumns(of, nColumns); }
STATS(makeJobs, TAC_STATS_JOBS)
STATS(makeTasks, TAC_STATS_TASKS)
STATS(makeServers, TAC_STATS_SERVERS)
STATS(makeMutexes, TAC_STATS_MUTEXES)
STATS(makeProcessors, TAC_STATS_PROCESSORS)
STATS(makeBuffers, TAC_STATS_BUFFERS)
#undef STATS

static tacStatus makePairs(
    const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) {
    (void) from, (void) to, (void) progress;
    return tacSyncTable(&trace->store, &trace->clocks, TAC_SYNC_PAIRS, table, err);
}

static const tacColumn *pairColumns(int *nColumns) { return tacSyncColumns(TAC_SYNC_PAIRS, nColumns); }
static const tacColumn *messageColumns(int *nColumns) { return tacSyncColumns(TAC_SYNC_MESSAGES, nColumns); }

static tacStatus makeMessages(
    const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) {
    (void) from, (void) to, (void) progress;
    return tacSyncTable(&trace->store, &trace->clocks, TAC_SYNC_MESSAGES, table, err);
}

static tacStatus makeDiagnostics(
    const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) {
    (void) from, (void) to, (void) progress;
    return tacDiagTable(&trace->diag, table, err);
}

/* A table that has no window. */
#define OF_MODEL(function, table)                                                                                \
    static tacStatus function(                                                                                   \
        const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *made, tacError *err) { \
        (void) from, (void) to, (void) progress;                                                                 \
        return table(&trace->model, made, err);                                                                  \
    }
OF_MODEL(makeSlices, tacSliceTable)
OF_MODEL(makeHolds, tacHoldTable)
OF_MODEL(makeMarks, tacMarkTable)
#undef OF_MODEL

/* Making the table sorts the findings, which is no change of the trace. */
static tacStatus makeFindings(
    const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) {
    (void) from, (void) to, (void) progress;
    return tacFindingTable(trace, table, err);
}

const tacRelationKind tacRelationKinds[] = {
    {"events", "all events", true, tacEventColumns, makeEvents},
    {"jobs", "all jobs, measured", true, makeJobsColumns, makeJobs},
    {"tasks", "figures of tasks", true, makeTasksColumns, makeTasks},
    {"servers", "figures of servers", true, makeServersColumns, makeServers},
    {"mutexes", "figures of mutexes", true, makeMutexesColumns, makeMutexes},
    {"processors", "figures of processors", true, makeProcessorsColumns, makeProcessors},
    {"buffers", "figures of buffers", true, makeBuffersColumns, makeBuffers},
    {"slices", "stretches of time in which a job runs, is preempted or blocked", false, tacSliceColumns, makeSlices},
    {"holds", "stretches of time in which a job holds a mutex", false, tacHoldColumns, makeHolds},
    {"marks", "messages, events of semaphores and others that are marks under the axis", false, tacMarkColumns,
        makeMarks},
    {"pairs", "pairs of processors that synchronized their clocks", false, pairColumns, makePairs},
    {"messages", "synchronization messages that were received before they were sent", false, messageColumns,
        makeMessages},
    {"diagnostics", "what is wrong with the trace", false, tacDiagColumns, makeDiagnostics},
    {"findings", "what the checks have found", false, tacFindingColumns, makeFindings},
    {NULL, NULL, false, NULL, NULL},
};
