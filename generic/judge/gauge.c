/*
 * gauge.c -- keeps running totals while a trace is replayed.
 *
 * A change of a job's state goes from one state to another. For each such pair the columns that it changes are listed
 * once, in advance. So a change costs what models ask for of it. Totals of other things follow the events by which they
 * change; events of which nobody asks anything are passed over.
 */
#include "base/port.h"

#include "judge/gauge.h"

#include <string.h>

typedef struct Column {
    tacSince since;
    uint32_t what; /* as in tacQuantity */
} Column;

typedef struct Effect { /* of a change of a state, on a column */
    uint32_t column;
    int8_t slope;  /* what its slope grows by */
    int8_t count;  /* what it grows by at once */
    bool migrated; /* only if the job has migrated */
} Effect;

typedef struct Effects {
    TAC_ARRAY(Effect) list;
    size_t begin[TAC_STATES * TAC_STATES + 1]; /* by from * TAC_STATES + to */
} Effects;

typedef struct Slot { /* the block of a job */
    uint32_t job;     /* index of tacModel.jobs */
    uint32_t older;   /* the slot of an earlier job of the same id, which ends with this row; or TAC_NONE */
} Slot;

struct tacGauges {
    const tacModel *model; /* of which objects and times are known */
    TAC_ARRAY(Column) columns[TAC_BLOCKS];
    tacInternTable columnKeys[TAC_BLOCKS]; /* the columns, as bytes */
    Effects effects[TAC_BLOCKS];
    tacGauge *gauges;         /* the blocks of each kind in their order; those of jobs grow */
    uint32_t *levels;         /* of the same, where some are asked for: how much there is of it at once */
    size_t nGauges, room;     /* gauges */
    size_t begin[TAC_BLOCKS]; /* of the first block of a kind */
    TAC_ARRAY(Slot) slots;
    TAC_ARRAY(uint32_t) free; /* slots */
    uint32_t *byId;           /* the slot of the newest job of an id, or TAC_NONE; NULL: none are asked for */
    uint16_t *runsOn;         /* by job id: the processor on which it runs; NULL: nobody asks for processors */
    bool asks[TAC_SINCES];
    bool follows[TAC_EVENTS];
    bool *haveJobs; /* by task; NULL: not known yet */
};

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

tacGauges *tacGaugesNew(const tacModel *model) {
    tacGauges *g = tacAllocZero(1, sizeof *g);
    if (g) g->model = model;
    return g;
}

static uint32_t columnOf(const tacGauges *g, const tacQuantity *quantity) {
    Column column = {quantity->since, quantity->what};
    return tacInternFind(&g->columnKeys[quantity->block], (const char *) &column, sizeof column);
}

bool tacGaugesAsk(tacGauges *g, const tacAsks *asks) {
    for (size_t i = 0; i < asks->memories.count; i++) {
        const tacQuantity *quantity = &asks->memories.at[i].quantity;
        Column column = {quantity->since, quantity->what};
        uint32_t n = (uint32_t) g->columns[quantity->block].count;
        uint32_t at = tacIntern(&g->columnKeys[quantity->block], (const char *) &column, sizeof column);
        if (at == TAC_NONE || (at == n && !tacArrayPush(&g->columns[quantity->block], column))) return false;
        g->asks[column.since] = true;
    }
    return true;
}

/* ---- changes of states ------------------------------------------------------------------------------------------- */

/* Is the time in a state counted by a timer? */
static bool isTimed(tacSince since, int state) {
    switch (since) {
    case TAC_SINCE_RUNNING: return state == TAC_STATE_RUNNING;
    case TAC_SINCE_READY: return state == TAC_STATE_WAITING || state == TAC_STATE_PREEMPTED;
    case TAC_SINCE_WAITING: return state == TAC_STATE_WAITING;
    case TAC_SINCE_PREEMPTED: return state == TAC_STATE_PREEMPTED;
    case TAC_SINCE_BLOCKED: return state == TAC_STATE_BLOCKED;
    case TAC_SINCE_BETWEEN: return state == TAC_STATE_BETWEEN;
    case TAC_SINCE_UNKNOWN: return state == TAC_STATE_UNKNOWN;
    default: return false;
    }
}

/* Is the change counted? */
static bool isCounted(tacSince since, int from, int to) {
    switch (since) {
    case TAC_SINCE_PREEMPTIONS: return from == TAC_STATE_RUNNING && to == TAC_STATE_PREEMPTED;
    case TAC_SINCE_MIGRATIONS: return tacStateRuns(to);
    case TAC_SINCE_STARTS: return from == TAC_STATE_WAITING && to == TAC_STATE_RUNNING;
    case TAC_SINCE_RELEASES: return from == TAC_STATE_NONE && to == TAC_STATE_WAITING;
    case TAC_SINCE_COMPLETIONS: return to == TAC_STATE_COMPLETED && from != TAC_STATE_BETWEEN;
    case TAC_SINCE_SWITCHES: return from == TAC_STATE_RUNNING && to != TAC_STATE_RUNNING;
    default: return false;
    }
}

/* Lists the effects of all changes on the blocks of a kind. */
static bool listEffects(tacGauges *g, tacBlockKind kind) {
    Effects *effects = &g->effects[kind];
    for (int i = 0; i < TAC_STATES * TAC_STATES; i++) {
        int from = i / TAC_STATES, to = i % TAC_STATES;
        for (uint32_t column = 0; column < g->columns[kind].count; column++) {
            tacSince since = g->columns[kind].at[column].since;
            if (since > TAC_SINCE_SWITCHES) continue;
            Effect effect = {.column = column,
                .slope = (int8_t) (isTimed(since, to) - isTimed(since, from)),
                .count = isCounted(since, from, to),
                .migrated = since == TAC_SINCE_MIGRATIONS};
            if ((effect.slope || effect.count) && !tacArrayPush(&effects->list, effect)) return false;
        }
        effects->begin[i + 1] = effects->list.count;
    }
    return true;
}

static void affect(tacGauges *g, tacBlockKind kind, size_t block, const tacStateChange *change, int64_t now) {
    const Effects *effects = &g->effects[kind];
    const size_t *begin = &effects->begin[change->from * TAC_STATES + change->to];
    for (size_t i = begin[0]; i < begin[1]; i++) {
        const Effect *effect = &effects->list.at[i];
        tacGauge *gauge = &g->gauges[block + effect->column];
        if (effect->migrated && !change->migrated) continue;
        gauge->base += effect->count - (__int128) effect->slope * now;
        gauge->slope += effect->slope;
    }
}

/* ---- gauges ------------------------------------------------------------------------------------------------------ */

/* Makes room for so many gauges more, which are 0. */
static bool addGauges(tacGauges *g, size_t n) {
    if (g->nGauges + n > g->room) {
        size_t room = g->nGauges + n > g->room * 2 ? g->nGauges + n : g->room * 2;
        tacGauge *larger = room > UINT32_MAX ? NULL : tacRealloc(g->gauges, room * sizeof *larger);
        if (!larger) return false;
        g->gauges = larger;
        uint32_t *levels = g->asks[TAC_SINCE_HOLDING] ? tacRealloc(g->levels, room * sizeof *levels) : NULL;
        if (g->asks[TAC_SINCE_HOLDING] && !levels) return false;
        g->levels = levels;
        g->room = room;
    }
    memset(g->gauges + g->nGauges, 0, n * sizeof *g->gauges);
    if (g->levels) memset(g->levels + g->nGauges, 0, n * sizeof *g->levels);
    g->nGauges += n;
    return true;
}

/* Makes the blocks of a kind that has so many objects. */
static tacStatus makeBlocks(tacGauges *g, tacBlockKind kind, size_t objects, tacError *err) {
    size_t columns = g->columns[kind].count;
    g->begin[kind] = g->nGauges;
    if (columns * objects + g->nGauges > TAC_MOST_GAUGES)
        return tacFail(err, "LIMIT MODELS", "the models ask for too much: %zu times and counts of each of %zu objects",
            columns, objects);
    return listEffects(g, kind) && addGauges(g, columns * objects) ? TAC_OK : tacFailMemory(err);
}

tacStatus tacGaugesMake(tacGauges *g, tacError *err) {
    const tacStore *store = g->model->store;
    size_t ids = tacStoreObjects(store, TAC_JOB), processors = (size_t) tacStoreObjects(store, TAC_PROCESSOR) + 1;
    if (makeBlocks(g, TAC_BLOCK_ALL, 1, err) != TAC_OK
        || makeBlocks(g, TAC_BLOCK_TASK, tacStoreObjects(store, TAC_TASK), err) != TAC_OK
        || makeBlocks(g, TAC_BLOCK_PROCESSOR, processors, err) != TAC_OK
        || makeBlocks(g, TAC_BLOCK_JOB, 0, err) != TAC_OK)
        return TAC_ERROR;
    g->follows[TAC_EV_JOB_ACQUIRED_MUTEX] = g->follows[TAC_EV_JOB_RELEASED_MUTEX] = g->asks[TAC_SINCE_HOLDING];
    g->follows[TAC_EV_SERVER_RESUMED] = g->follows[TAC_EV_SERVER_PREEMPTED] = g->asks[TAC_SINCE_CONSUMING];
    g->follows[TAC_EV_PROCESSOR_UNKNOWN] = g->follows[TAC_EV_PROCESSOR_IDLE] = g->columns[TAC_BLOCK_PROCESSOR].count;
    if (g->columns[TAC_BLOCK_JOB].count) {
        if (!(g->byId = tacAlloc((ids + 1) * sizeof *g->byId))) return tacFailMemory(err);
        for (size_t i = 0; i < ids; i++) g->byId[i] = TAC_NONE;
    }
    if (!g->columns[TAC_BLOCK_PROCESSOR].count) return TAC_OK;
    if (!(g->runsOn = tacAlloc((ids + 1) * sizeof *g->runsOn))) return tacFailMemory(err);
    for (size_t i = 0; i < ids; i++) g->runsOn[i] = TAC_NO_PROCESSOR;
    for (size_t i = g->begin[TAC_BLOCK_PROCESSOR]; i < g->begin[TAC_BLOCK_JOB]; i++) {
        size_t column = (i - g->begin[TAC_BLOCK_PROCESSOR]) % g->columns[TAC_BLOCK_PROCESSOR].count;
        if (g->columns[TAC_BLOCK_PROCESSOR].at[column].since == TAC_SINCE_IDLE) g->gauges[i].slope = 1;
    }
    return TAC_OK;
}

void tacGaugesFree(tacGauges *g) {
    if (!g) return;
    for (tacBlockKind kind = 0; kind < TAC_BLOCKS; kind++) {
        tacArrayFree(&g->columns[kind]);
        tacArrayFree(&g->effects[kind].list);
        tacInternFree(&g->columnKeys[kind]);
    }
    tacArrayFree(&g->slots);
    tacArrayFree(&g->free);
    tacFree(g->byId);
    tacFree(g->runsOn);
    tacFree(g->haveJobs);
    tacFree(g->levels);
    tacFree(g->gauges);
    tacFree(g);
}

static size_t blockAt(const tacGauges *g, tacBlockKind kind, uint32_t object) {
    return g->begin[kind] + object * g->columns[kind].count;
}

/* The slot of a job, or TAC_NONE. */
static uint32_t slotOf(const tacGauges *g, const tacModel *model, uint32_t job) {
    uint32_t slot = g->byId ? g->byId[model->jobs.at[job].id] : TAC_NONE;
    while (slot != TAC_NONE && g->slots.at[slot].job != job) slot = g->slots.at[slot].older;
    return slot;
}

void tacGaugesPlaces(const tacGauges *g, const tacAsks *asks, tacPlace *places) {
    for (size_t i = 0; i < asks->memories.count; i++) {
        const tacQuantity *quantity = &asks->memories.at[i].quantity;
        uint32_t column = columnOf(g, quantity);
        places[i] = (tacPlace){quantity->block, column};
        if (quantity->object != TAC_NONE)
            places[i] = (tacPlace){TAC_BLOCK_ALL, (uint32_t) blockAt(g, quantity->block, quantity->object) + column};
    }
}

tacBlocksOf tacGaugesBlocks(const tacGauges *g, const tacOwner *owner, const tacModel *model) {
    tacBlocksOf blocks = {{0}};
    if (owner->each == TAC_EACH_PROCESSOR)
        blocks.begin[TAC_BLOCK_PROCESSOR] = (uint32_t) blockAt(g, TAC_BLOCK_PROCESSOR, owner->object);
    if (owner->each == TAC_EACH_TASK)
        blocks.begin[TAC_BLOCK_TASK] = (uint32_t) blockAt(g, TAC_BLOCK_TASK, owner->object);
    if (owner->each != TAC_EACH_JOB) return blocks;
    uint32_t slot = slotOf(g, model, owner->job);
    blocks.begin[TAC_BLOCK_TASK] = (uint32_t) blockAt(g, TAC_BLOCK_TASK, model->jobs.at[owner->job].task);
    if (slot != TAC_NONE) blocks.begin[TAC_BLOCK_JOB] = (uint32_t) blockAt(g, TAC_BLOCK_JOB, slot);
    return blocks;
}

void tacGaugesListen(const tacGauges *g, bool listens[TAC_CELLS]) {
    for (tacEvent event = 0; event < TAC_EVENTS; event++) listens[event] |= g->follows[event];
}

const tacGauge *tacGaugesAll(const tacGauges *g) { return g->gauges; }

/* Notes the tasks of which rows begin jobs. */
static void findJobs(tacGauges *g) {
    const tacStore *store = g->model->store;
    for (uint32_t row = 0; row < tacStoreCount(store); row++) {
        tacEvent event = tacRowEvent(store, row);
        if (tacEvents[event].nArguments < 1 || tacEvents[event].arguments[0] != TAC_TYPE_JOB
            || tacEventIs(event, TAC_TRAIT_ANNOUNCES) || event == TAC_EV_JOB_ACQUIRED_SEMAPHORE
            || event == TAC_EV_JOB_SUSPENDED_ON_SEMAPHORE || event == TAC_EV_JOB_RELEASED_SEMAPHORE)
            continue;
        bool arrives = event == TAC_EV_JOB_ARRIVED;
        g->haveJobs[arrives ? tacRowObject(store, row) : store->jobTask.at[tacRowSubject(store, row)]] = true;
    }
}

bool tacGaugesTaskHasJobs(tacGauges *g, uint32_t task) {
    if (!g->haveJobs) {
        g->haveJobs = tacAllocZero((size_t) tacStoreObjects(g->model->store, TAC_TASK) + 1, sizeof *g->haveJobs);
        if (!g->haveJobs) return true;
        findJobs(g);
    }
    return g->haveJobs[task];
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

/* Begins the block of a job. */
static bool beginJob(tacGauges *g, const tacModel *model, uint32_t job) {
    uint32_t slot = (uint32_t) g->slots.count, *byId = &g->byId[model->jobs.at[job].id];
    size_t columns = g->columns[TAC_BLOCK_JOB].count;
    if (g->free.count) {
        slot = g->free.at[--g->free.count];
        memset(&g->gauges[blockAt(g, TAC_BLOCK_JOB, slot)], 0, columns * sizeof *g->gauges);
        if (g->levels) memset(&g->levels[blockAt(g, TAC_BLOCK_JOB, slot)], 0, columns * sizeof *g->levels);
    } else if (!tacArrayPush(&g->slots, (Slot){0}) || !addGauges(g, columns)) return false;
    g->slots.at[slot] = (Slot){job, *byId};
    *byId = slot;
    return true;
}

static bool countChange(tacGauges *g, const tacModel *model, const tacStateChange *change, int64_t now) {
    if (g->columns[TAC_BLOCK_TASK].count)
        affect(g, TAC_BLOCK_TASK, blockAt(g, TAC_BLOCK_TASK, model->jobs.at[change->job].task), change, now);
    if (!g->byId) return true;
    if (change->from == TAC_STATE_NONE && !beginJob(g, model, change->job)) return false;
    uint32_t slot = slotOf(g, model, change->job);
    if (slot != TAC_NONE) affect(g, TAC_BLOCK_JOB, blockAt(g, TAC_BLOCK_JOB, slot), change, now);
    return true;
}

bool tacGaugesForget(tacGauges *g, const tacModel *model, const tacStateChange *changes, uint32_t n) {
    for (uint32_t i = 0; g->byId && i < n; i++) {
        if (changes[i].to != TAC_STATE_COMPLETED && changes[i].to != TAC_STATE_NONE) continue;
        uint32_t slot = slotOf(g, model, changes[i].job);
        if (slot == TAC_NONE) continue;
        uint32_t *link = &g->byId[model->jobs.at[changes[i].job].id];
        while (*link != slot) link = &g->slots.at[*link].older;
        *link = g->slots.at[slot].older;
        g->slots.at[slot].job = TAC_NONE;
        if (!tacArrayPush(&g->free, slot)) return false;
    }
    return true;
}

/* ---- holds, budgets, processors ---------------------------------------------------------------------------------- */

static void setSlope(tacGauge *gauge, int64_t slope, int64_t now) {
    gauge->base -= (__int128) (slope - gauge->slope) * now;
    gauge->slope = slope;
}

/* One more or one less of what is timed while there is any. */
static void changeLevel(tacGauges *g, size_t at, int delta, int64_t now) {
    g->levels[at] += (uint32_t) delta;
    setSlope(&g->gauges[at], g->levels[at] > 0, now);
}

/* Counts that a job acquires or releases a mutex, in the blocks of a kind. */
static void holdIn(tacGauges *g, tacBlockKind kind, size_t block, uint32_t mutex, int delta, int64_t now) {
    const uint32_t whats[] = {TAC_NONE, mutex};
    for (int i = 0; i < 2; i++) {
        uint32_t column = columnOf(g, &(tacQuantity){TAC_SINCE_HOLDING, kind, TAC_NONE, whats[i]});
        if (column != TAC_NONE) changeLevel(g, block + column, delta, now);
    }
}

static void hold(tacGauges *g, const tacModel *model, uint32_t job, uint32_t mutex, int delta, int64_t now) {
    if (job == TAC_NONE) return;
    uint32_t slot = slotOf(g, model, job);
    holdIn(g, TAC_BLOCK_TASK, blockAt(g, TAC_BLOCK_TASK, model->jobs.at[job].task), mutex, delta, now);
    if (slot != TAC_NONE) holdIn(g, TAC_BLOCK_JOB, blockAt(g, TAC_BLOCK_JOB, slot), mutex, delta, now);
}

static void consume(tacGauges *g, const struct tacReplay *replay, uint32_t server) {
    uint32_t consumers, column = columnOf(g, &(tacQuantity){TAC_SINCE_CONSUMING, TAC_BLOCK_ALL, 0, server});
    if (column == TAC_NONE) return;
    tacNowBudget(replay, server, &consumers);
    setSlope(&g->gauges[column], consumers, tacNow(replay));
}

/* Times what is the case on a processor from now on. */
static void timeProcessor(tacGauges *g, const struct tacReplay *replay, uint16_t processor) {
    if (processor == TAC_NO_PROCESSOR) return;
    bool busy = tacNowRunning(replay, processor, NULL, 0) > 0;
    bool lost = !busy && tacNowProcessorUnknown(replay, processor);
    size_t block = blockAt(g, TAC_BLOCK_PROCESSOR, processor);
    for (uint32_t column = 0; column < g->columns[TAC_BLOCK_PROCESSOR].count; column++) {
        tacSince since = g->columns[TAC_BLOCK_PROCESSOR].at[column].since;
        bool timed = since == TAC_SINCE_BUSY ? busy : since == TAC_SINCE_LOST ? lost : !busy && !lost;
        setSlope(&g->gauges[block + column], timed, tacNow(replay));
    }
}

/* Times the processors that a change of a job's state is about. */
static void timeProcessors(
    tacGauges *g, const tacModel *model, const struct tacReplay *replay, const tacStateChange *change) {
    const tacJob *job = &model->jobs.at[change->job];
    uint16_t *runsOn = &g->runsOn[job->id];
    if (tacStateRuns(change->from)) {
        timeProcessor(g, replay, *runsOn);
        *runsOn = TAC_NO_PROCESSOR;
    }
    if (!tacStateRuns(change->to)) return;
    *runsOn = job->processor;
    timeProcessor(g, replay, *runsOn);
}

bool tacGaugesRow(tacGauges *g, const tacModel *model, const struct tacReplay *replay, uint32_t row) {
    uint32_t n, ended, begun;
    const tacStateChange *changes = tacNowChanges(replay, &n);
    int64_t now = tacNow(replay);
    for (uint32_t i = 0; i < n; i++) {
        if (!countChange(g, model, &changes[i], now)) return false;
        if (g->runsOn) timeProcessors(g, model, replay, &changes[i]);
    }
    tacEvent event = tacRowEvent(model->store, row);
    if (!g->follows[event]) return true;
    switch (event) {
    case TAC_EV_JOB_ACQUIRED_MUTEX:
    case TAC_EV_JOB_RELEASED_MUTEX:
        tacNowHoldChange(replay, &ended, &begun);
        hold(g, model, ended, tacRowObject(model->store, row), -1, now);
        hold(g, model, begun, tacRowObject(model->store, row), 1, now);
        break;
    case TAC_EV_SERVER_RESUMED:
    case TAC_EV_SERVER_PREEMPTED: consume(g, replay, tacRowSubject(model->store, row)); break;
    default: timeProcessor(g, replay, (uint16_t) tacRowSubject(model->store, row));
    }
    return true;
}
