/*
 * gauge.c -- keeps running totals while a trace is replayed.
 *
 * A change of a job's state goes from one state to another. For each such pair the columns that it changes are listed
 * once, in advance. So a change costs what models ask for of it. Totals of other things follow the events by which they
 * change; events of which nobody asks anything are passed over.
 */
#include "base/port.h"

#include "judge/gaugeState.h"

#include <string.h>

enum { MOST_IN_ALL = 1 << 25 }; /* gauges: a gigabyte */

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

tacGauges *tacGaugesNew(const tacModel *model, tacKinds *kinds) {
    tacGauges *g = tacAllocZero(1, sizeof *g);
    if (g) g->model = model;
    if (g) g->kinds = kinds;
    return g;
}

/* The column of a quantity, which is added if there is none. False: no memory. */
static bool columnOf(tacGauges *g, const tacAsks *asks, const tacQuantity *quantity, uint32_t *column) {
    tacGaugeColumn key = {quantity->since, quantity->what};
    uint32_t n = (uint32_t) g->columns[quantity->block].count;
    if (tacIsOfEvents(quantity->since) && !tacGaugesAskEvent(g, asks, quantity, &key.what)) return false;
    bool interrupts = quantity->since == TAC_SINCE_INTERRUPTS || quantity->since == TAC_SINCE_INTERRUPTED;
    if (interrupts && !tacGaugesAskInterrupts(g, asks->interrupts.at[quantity->what], &key.what)) return false;
    *column = tacIntern(&g->columnKeys[quantity->block], (const char *) &key, sizeof key);
    return *column != TAC_NONE && (*column < n || tacArrayPush(&g->columns[quantity->block], key));
}

bool tacGaugesAsk(tacGauges *g, const tacAsks *asks) {
    uint32_t column;
    for (size_t i = 0; i < asks->memories.count; i++) {
        if (!columnOf(g, asks, &asks->memories.at[i].quantity, &column)) return false;
        g->asks[asks->memories.at[i].quantity.since] = true;
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
    case TAC_SINCE_ACTIVE:
        return state == TAC_STATE_WAITING || state == TAC_STATE_RUNNING || state == TAC_STATE_PREEMPTED
            || state == TAC_STATE_BLOCKED || state == TAC_STATE_UNKNOWN;
    case TAC_SINCE_OVER: return state == TAC_STATE_COMPLETED;
    case TAC_SINCE_GONE: return state == TAC_STATE_NONE;
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
    tacGaugeEffects *effects = &g->effects[kind];
    for (int i = 0; i < TAC_STATES * TAC_STATES; i++) {
        int from = i / TAC_STATES, to = i % TAC_STATES;
        for (uint32_t column = 0; column < g->columns[kind].count; column++) {
            tacSince since = g->columns[kind].at[column].since;
            tacGaugeEffect effect = {.column = column,
                .slope = (int8_t) (isTimed(since, to) - (isTimed(since, from) && from != TAC_STATE_NONE)),
                .count = isCounted(since, from, to),
                .migrated = since == TAC_SINCE_MIGRATIONS};
            if ((effect.slope || effect.count) && !tacArrayPush(&effects->list, effect)) return false;
        }
        effects->begin[i + 1] = effects->list.count;
    }
    return true;
}

static void affect(tacGauges *g, tacBlockKind kind, size_t block, const tacStateChange *change, int64_t now) {
    const tacGaugeEffects *effects = &g->effects[kind];
    const size_t *begin = &effects->begin[change->from * TAC_STATES + change->to];
    for (size_t i = begin[0]; i < begin[1]; i++) {
        const tacGaugeEffect *effect = &effects->list.at[i];
        tacGauge *gauge = &g->gauges[block + effect->column];
        if (effect->migrated && !change->migrated) continue;
        gauge->base += effect->count - (int64_t) effect->slope * now; /* -1 to 1 times a time */
        gauge->slope += effect->slope;
    }
}

/* ---- gauges ------------------------------------------------------------------------------------------------------ */

bool tacGaugesAdd(tacGauges *g, size_t n) {
    bool leveled = g->asks[TAC_SINCE_HOLDING] || g->asks[TAC_SINCE_INTERRUPTED];
    if (g->nGauges + n > g->room) {
        size_t room = g->nGauges + n > g->room * 2 ? g->nGauges + n : g->room * 2;
        tacGauge *larger = room > MOST_IN_ALL ? NULL : tacRealloc(g->gauges, room * sizeof *larger);
        if (!larger) return false;
        g->gauges = larger;
        uint32_t *levels = leveled ? tacRealloc(g->levels, room * sizeof *levels) : NULL;
        if (leveled && !levels) return false;
        g->levels = levels;
        g->room = room;
    }
    for (size_t i = 0; i < n; i++) g->gauges[g->nGauges + i] = (tacGauge){0, 0, INT64_MAX};
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
    return listEffects(g, kind) && tacGaugesAdd(g, columns * objects) ? TAC_OK : tacFailMemory(err);
}

tacStatus tacGaugesMake(tacGauges *g, tacError *err) {
    const tacStore *store = g->model->store;
    size_t ids = tacStoreObjects(store, TAC_JOB), processors = (size_t) tacStoreObjects(store, TAC_PROCESSOR) + 1;
    if (makeBlocks(g, TAC_BLOCK_ALL, 1, err) != TAC_OK
        || makeBlocks(g, TAC_BLOCK_TASK, tacStoreObjects(store, TAC_TASK), err) != TAC_OK
        || makeBlocks(g, TAC_BLOCK_PROCESSOR, processors, err) != TAC_OK
        || makeBlocks(g, TAC_BLOCK_JOB, 0, err) != TAC_OK || makeBlocks(g, TAC_BLOCK_KEY, 0, err) != TAC_OK)
        return TAC_ERROR;
    if (!tacGaugesPrepareEvents(g) || !tacGaugesPrepareInterrupts(g)) return tacFailMemory(err);
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
    tacArrayFree(&g->keyBegins);
    tacInternFree(&g->keys);
    tacArrayFree(&g->free);
    tacGaugesFreePast(g);
    tacGaugesFreeInterrupts(g);
    tacFree(g->byId);
    tacFree(g->runsOn);
    tacFree(g->haveJobs);
    tacFree(g->levels);
    tacFree(g->gauges);
    tacFree(g);
}

uint32_t tacGaugeSlotOf(const tacGauges *g, const tacModel *model, uint32_t job) {
    uint32_t slot = g->byId ? g->byId[model->jobs.at[job].id] : TAC_NONE;
    while (slot != TAC_NONE && g->slots.at[slot].job != job) slot = g->slots.at[slot].older;
    return slot;
}

bool tacGaugesPlaces(tacGauges *g, const tacAsks *asks, tacPlace *places) {
    for (size_t i = 0; i < asks->memories.count; i++) {
        const tacMemory *memory = &asks->memories.at[i];
        const tacQuantity *quantity = &memory->quantity;
        uint32_t column;
        if (!columnOf(g, asks, quantity, &column)) return false;
        places[i] = (tacPlace){quantity->block, column, memory->also, memory->next};
        if (quantity->object == TAC_NONE) continue;
        places[i].block = TAC_BLOCK_ALL;
        places[i].at += (uint32_t) tacGaugeBlock(g, quantity->block, quantity->object);
    }
    return true;
}

tacBlocksOf tacGaugesBlocks(const tacGauges *g, const tacOwner *owner, const tacModel *model) {
    tacBlocksOf blocks = {{0}};
    if (owner->each == TAC_EACH_PROCESSOR)
        blocks.begin[TAC_BLOCK_PROCESSOR] = (uint32_t) tacGaugeBlock(g, TAC_BLOCK_PROCESSOR, owner->object);
    if (owner->each == TAC_EACH_TASK)
        blocks.begin[TAC_BLOCK_TASK] = (uint32_t) tacGaugeBlock(g, TAC_BLOCK_TASK, owner->object);
    if (owner->each != TAC_EACH_JOB) return blocks;
    uint32_t slot = tacGaugeSlotOf(g, model, owner->job);
    blocks.begin[TAC_BLOCK_TASK] = (uint32_t) tacGaugeBlock(g, TAC_BLOCK_TASK, model->jobs.at[owner->job].task);
    if (slot != TAC_NONE) blocks.begin[TAC_BLOCK_JOB] = (uint32_t) tacGaugeBlock(g, TAC_BLOCK_JOB, slot);
    return blocks;
}

bool tacGaugesListen(const tacGauges *g, bool listens[TAC_CELLS]) {
    bool counts = false;
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++) {
        bool counted = g->counting[cell].count > 0 || g->pairing[cell].count > 0;
        counts |= counted;
        listens[cell] |= counted;
    }
    listens[TAC_EV_JOB_ACQUIRED_MUTEX] |= g->asks[TAC_SINCE_HOLDING];
    listens[TAC_EV_JOB_RELEASED_MUTEX] |= g->asks[TAC_SINCE_HOLDING];
    listens[TAC_EV_SERVER_RESUMED] |= g->asks[TAC_SINCE_CONSUMING];
    listens[TAC_EV_SERVER_PREEMPTED] |= g->asks[TAC_SINCE_CONSUMING];
    listens[TAC_EV_PROCESSOR_UNKNOWN] |= g->runsOn != NULL;
    listens[TAC_EV_PROCESSOR_IDLE] |= g->runsOn != NULL;
    return counts;
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
        tacGauge *gauges = &g->gauges[tacGaugeBlock(g, TAC_BLOCK_JOB, slot)];
        for (size_t i = 0; i < columns; i++) gauges[i] = (tacGauge){0, 0, INT64_MAX};
        if (g->levels) memset(&g->levels[tacGaugeBlock(g, TAC_BLOCK_JOB, slot)], 0, columns * sizeof *g->levels);
    } else if (!tacArrayPush(&g->slots, (tacGaugeSlot){.begin = g->nGauges}) || !tacGaugesAdd(g, columns)) return false;
    g->slots.at[slot].job = job;
    g->slots.at[slot].older = *byId;
    *byId = slot;
    if (g->asks[TAC_SINCE_AFTER]) tacGaugesInherit(g, model->jobs.at[job].task, tacGaugeBlock(g, TAC_BLOCK_JOB, slot));
    return true;
}

/* Counts a change in the totals of tasks, which most models ask for. */
static inline void countOfTask(tacGauges *g, const tacModel *model, const tacStateChange *change, int64_t now) {
    if (g->columns[TAC_BLOCK_TASK].count)
        affect(g, TAC_BLOCK_TASK, tacGaugeBlock(g, TAC_BLOCK_TASK, model->jobs.at[change->job].task), change, now);
}

/* Counts it in all others. */
static TAC_NOINLINE bool countElsewhere(
    tacGauges *g, const tacModel *model, const struct tacReplay *replay, const tacStateChange *change, int64_t now) {
    if (g->effects[TAC_BLOCK_ALL].list.count) affect(g, TAC_BLOCK_ALL, 0, change, now);
    if (g->byId && change->from == TAC_STATE_NONE && !beginJob(g, model, change->job)) return false;
    uint32_t slot = g->byId ? tacGaugeSlotOf(g, model, change->job) : TAC_NONE;
    if (slot != TAC_NONE) affect(g, TAC_BLOCK_JOB, tacGaugeBlock(g, TAC_BLOCK_JOB, slot), change, now);
    if (g->runsOn) tacGaugesMove(g, replay, change);
    return !g->working || tacGaugesInterrupt(g, model, replay, change, now);
}

bool tacGaugesOfJobs(const tacGauges *g) { return g->byId != NULL; }

bool tacGaugesForget(tacGauges *g, const tacModel *model, const tacStateChange *changes, uint32_t n) {
    for (uint32_t i = 0; g->byId && i < n; i++) {
        if (changes[i].to != TAC_STATE_COMPLETED && changes[i].to != TAC_STATE_NONE) continue;
        uint32_t slot = tacGaugeSlotOf(g, model, changes[i].job);
        if (slot == TAC_NONE) continue;
        uint32_t *link = &g->byId[model->jobs.at[changes[i].job].id];
        while (*link != slot) link = &g->slots.at[*link].older;
        *link = g->slots.at[slot].older;
        g->slots.at[slot].job = TAC_NONE;
        if (g->asks[TAC_SINCE_TIMES] && !tacGaugesFreeTimes(g, tacGaugeBlock(g, TAC_BLOCK_JOB, slot))) return false;
        if (!tacArrayPush(&g->free, slot)) return false;
    }
    return true;
}

/* ---- the replay -------------------------------------------------------------------------------------------------- */

bool tacGaugesOfTasks(const tacGauges *g) {
    return !g->effects[TAC_BLOCK_ALL].list.count && !g->byId && !g->runsOn && !g->working && !g->asks[TAC_SINCE_HOLDING]
        && !g->asks[TAC_SINCE_CONSUMING];
}

void tacGaugesChange(tacGauges *g, const tacModel *model, const tacStateChange *changes, uint32_t n, int64_t now) {
    for (uint32_t i = 0; i < n; i++) countOfTask(g, model, &changes[i], now);
}

bool tacGaugesCount(const tacGauges *g, unsigned from, unsigned to) {
    const size_t *begin = &g->effects[TAC_BLOCK_TASK].begin[from * TAC_STATES + to];
    return g->columns[TAC_BLOCK_TASK].count && begin[0] < begin[1];
}

bool tacGaugesRow(tacGauges *g, const tacModel *model, const struct tacReplay *replay, uint32_t row,
    const tacStateChange *changes, uint32_t n) {
    int64_t now = tacNow(replay);
    tacGaugesChange(g, model, changes, n, now);
    if (tacGaugesOfTasks(g)) return true;
    for (uint32_t i = 0; i < n; i++)
        if (!countElsewhere(g, model, replay, &changes[i], now)) return false;
    tacGaugesFollow(g, model, replay, row);
    return true;
}
