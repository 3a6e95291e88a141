/*
 * whyServer.c -- the server on whose budget the jobs of a task run: one that consumes whenever the task runs, in
 * SERVED_SLICES of its slices around a job. No event names it.
 *
 *      servers -> stretches in which they consume, all of them by begin -> those at the first run of the task -> the
 *      first server that consumes in all of its runs
 *
 * The stretches are a balanced tree: the middle one of a range of the array is the root of that range, and has the
 * latest end in it. So those at an instant cost a few steps each, however many there are of others.
 */
#include "base/port.h"

#include "analysis/why.h"
#include "base/search.h"
#include "base/sort.h"

enum {
    SERVED_SLICES = 1024,
    FEW = 64 /* servers that are asked one by one, which costs less than a tree of all stretches */
};

size_t tacWhyPoint(const tacServerModel *server, int64_t t) {
    return tacPast(size_t, 1, server->points.count, i, server->points.at[i].time <= t) - 1;
}

/* Does the server consume all through [from, to)? */
static bool consumes(const tacServerModel *server, int64_t from, int64_t to) {
    for (size_t i = tacWhyPoint(server, from); i < server->points.count && server->points.at[i].time < to; i++) {
        bool counts = i + 1 == server->points.count || server->points.at[i + 1].time > from;
        if (counts && server->points.at[i].consumers == 0) return false;
    }
    return true;
}

/* The first slice from `i` on, and before `end`, in which the task runs for longer than an instant; `end`: none. */
static size_t nextRun(const tacTaskModel *task, size_t i, size_t end) {
    while (i < end
        && (task->slices.at[i].state != TAC_STATE_RUNNING || task->slices.at[i].end <= task->slices.at[i].begin))
        i++;
    return i;
}

/* Does the server consume in all of these runs of the task? */
static bool serves(const tacModel *model, uint32_t server, const tacTaskModel *task, size_t first, size_t end) {
    uint16_t home = model->store->objects[TAC_SERVER].at[server].processor;
    for (size_t i = nextRun(task, first, end); i < end; i = nextRun(task, i + 1, end)) {
        const tacSlice *slice = &task->slices.at[i];
        if ((home != TAC_NO_PROCESSOR && home != slice->processor)
            || !consumes(&model->servers[server], slice->begin, slice->end))
            return false;
    }
    return true;
}

/* ---- the tree --------------------------------------------------------------------------------------------------- */

static int byBegin(const void *left, const void *right, const void *data) {
    const tacWhyStretch *a = left, *b = right;
    (void) data;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Lists the stretches in which a server consumes, those that touch as one. The first point of a budget holds for all
 * that is before it, the last one for all behind. False: no memory. */
static bool addServer(tacWhyShared *servers, const tacServerModel *server, uint32_t index) {
    bool goesOn = false;
    for (size_t i = 0; i < server->points.count; i++) {
        const tacBudgetPoint *point = &server->points.at[i];
        bool last = i + 1 == server->points.count, consumed = goesOn;
        if (!last && point[1].time <= point->time) continue;
        goesOn = point->consumers > 0;
        if (!goesOn) continue;
        int64_t end = last ? INT64_MAX : point[1].time;
        if (consumed) servers->all.at[servers->all.count - 1].end = end;
        else if (!tacArrayPush(&servers->all, ((tacWhyStretch){i ? point->time : INT64_MIN, end, 0, index})))
            return false;
    }
    return true;
}

/* Finds the latest end of each range of the tree. */
static int64_t measure(tacWhyStretch *all, size_t first, size_t end) {
    if (first == end) return INT64_MIN;
    size_t middle = first + (end - first) / 2;
    int64_t left = measure(all, first, middle), right = measure(all, middle + 1, end), latest = all[middle].end;
    if (latest < left) latest = left;
    if (latest < right) latest = right;
    return all[middle].latest = latest;
}

static bool make(tacWhyShared *servers, const tacModel *model, tacProgress *progress) {
    uint32_t n = tacStoreObjects(model->store, TAC_SERVER);
    servers->all.count = 0; /* of one that was stopped */
    for (uint32_t i = 0; i < n; i++)
        if (!addServer(servers, &model->servers[i], i) || !tacProgressAt(progress, i)) return false;
    if (!tacSort(servers->all.at, servers->all.count, sizeof *servers->all.at, byBegin, NULL, progress)) return false;
    measure(servers->all.at, 0, servers->all.count);
    return servers->made = true;
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

typedef struct Search {
    const tacModel *model;
    const tacTaskModel *task;
    size_t first, end; /* slices of the task */
    int64_t at;        /* begin of its first run in these */
    uint32_t found;    /* the first server that serves it, so far; TAC_NONE */
} Search;

/* Looks at the servers of a range of the tree that consume at the instant. */
static void look(Search *s, const tacWhyStretch *all, size_t first, size_t end) {
    size_t middle = first + (end - first) / 2;
    if (first == end || all[middle].latest <= s->at) return;
    look(s, all, first, middle);
    if (all[middle].begin > s->at) return;
    if (all[middle].end > s->at && all[middle].server < s->found
        && serves(s->model, all[middle].server, s->task, s->first, s->end))
        s->found = all[middle].server;
    look(s, all, middle + 1, end);
}

bool tacWhyServer(tacWhyShared *servers, const tacModel *model, uint32_t task, size_t around, uint32_t *server,
    tacProgress *progress) {
    Search s = {.model = model, .task = &model->tasks[task], .found = TAC_NONE};
    size_t n = s.task->slices.count;
    s.first = around > SERVED_SLICES / 2 ? around - SERVED_SLICES / 2 : 0;
    s.end = n - s.first > SERVED_SLICES ? s.first + SERVED_SLICES : n;
    size_t run = nextRun(s.task, s.first, s.end);
    *server = TAC_NONE;
    if (run == s.end) return true;
    uint32_t nServers = tacStoreObjects(model->store, TAC_SERVER);
    for (uint32_t i = 0; nServers <= FEW && i < nServers; i++)
        if (model->servers[i].points.count && serves(model, i, s.task, s.first, s.end)) return *server = i, true;
    if (nServers <= FEW) return true;
    if (!servers->made && !make(servers, model, progress)) return false;
    s.at = s.task->slices.at[run].begin;
    look(&s, servers->all.at, 0, servers->all.count);
    *server = s.found;
    return true;
}

void tacWhySharedFree(tacWhyShared *servers) {
    tacArrayFree(&servers->all);
    servers->made = false;
}
