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
    }
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

/* Making the table sorts the findings, which is no change of the trace. */
static tacStatus makeFindings(
    const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) {
    (void) from, (void) to, (void) progress;
    return tacFindingTable((tacFindings *) &trace->findings, trace->store.digits, table, err);
}

const tacRelationKind tacRelationKinds[] = {
    {"events", "all events", true, makeEvents},
    {"jobs", "all jobs, measured", true, makeJobs},
    {"tasks", "figures of tasks", true, makeTasks},
    {"servers", "figures of servers", true, makeServers},
    {"mutexes", "figures of mutexes", true, makeMutexes},
    {"processors", "figures of processors", true, makeProcessors},
    {"buffers", "figures of buffers", true, makeBuffers},
    {"pairs", "pairs of processors that synchronized their clocks", false, makePairs},
    {"messages", "synchronization messages that were received before they were sent", false, makeMessages},
    {"diagnostics", "what is wrong with the trace", false, makeDiagnostics},
    {"findings", "what the checks have found", false, makeFindings},
    {NULL, NULL, false, NULL},
};
