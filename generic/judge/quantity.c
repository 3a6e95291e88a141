/*
 * quantity.c -- running totals of tasks and jobs.
 *
 * A change of a job's state goes from one state to another. For each such pair the columns that it changes are listed
 * once, in advance. So a change costs what models ask for of it.
 */
#include "base/port.h"

#include "judge/quantity.h"

#include <string.h>

const tacSinceSpec tacSinces[TAC_SINCES] = {
    [TAC_SINCE_ELAPSED] = {"elapsed", true, true},
    [TAC_SINCE_RUNNING] = {"running", true, false},
    [TAC_SINCE_READY] = {"ready", true, false},
    [TAC_SINCE_WAITING] = {"waiting", true, false},
    [TAC_SINCE_PREEMPTED] = {"preempted", true, false},
    [TAC_SINCE_BLOCKED] = {"blocked", true, false},
    [TAC_SINCE_BETWEEN] = {"between", true, false},
    [TAC_SINCE_UNKNOWN] = {"unknown", true, true},
    [TAC_SINCE_PREEMPTIONS] = {"preemptions", false, false},
    [TAC_SINCE_MIGRATIONS] = {"migrations", false, false},
    [TAC_SINCE_STARTS] = {"starts", false, false},
    [TAC_SINCE_RELEASES] = {"releases", false, false},
    [TAC_SINCE_COMPLETIONS] = {"completions", false, false},
};

typedef struct Column {
    tacSince since;
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

struct tacQuantities {
    const tacStore *store;
    TAC_ARRAY(Column) columns[TAC_BLOCKS];
    Effects effects[TAC_BLOCKS];
    tacGauge *gauges;         /* blocks of tasks, then of jobs */
    size_t nGauges, room;     /* gauges */
    size_t begin[TAC_BLOCKS]; /* of the first block of a kind */
    TAC_ARRAY(Slot) slots;
    TAC_ARRAY(uint32_t) free; /* slots */
    uint32_t *byId;           /* the slot of the newest job of an id, or TAC_NONE; NULL: none are asked for */
};

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

tacStatus tacAsksAdd(tacAsks *asks, uint32_t variable, const tacQuantity *quantity, uint32_t *memory, tacError *err) {
    while (asks->first.count <= variable)
        if (!tacArrayPush(&asks->first, TAC_NONE)) return tacFailMemory(err);
    for (uint32_t at = asks->first.at[variable]; at != TAC_NONE; at = asks->memories.at[at].next) {
        const tacQuantity *other = &asks->memories.at[at].quantity;
        if (other->since != quantity->since || other->block != quantity->block) continue;
        *memory = at;
        return TAC_OK;
    }
    if (asks->memories.count >= TAC_MOST_MEMORIES)
        return tacFail(err, "USAGE", "the model asks for more than %d times and counts", TAC_MOST_MEMORIES);
    tacMemory new = {.variable = variable, .quantity = *quantity, .next = asks->first.at[variable]};
    *memory = asks->first.at[variable] = (uint32_t) asks->memories.count;
    return tacArrayPush(&asks->memories, new) ? TAC_OK : tacFailMemory(err);
}

void tacAsksFree(tacAsks *asks) {
    tacArrayFree(&asks->memories);
    tacArrayFree(&asks->first);
}

tacQuantities *tacQuantitiesNew(const tacStore *store) {
    tacQuantities *q = tacAllocZero(1, sizeof *q);
    if (q) q->store = store;
    return q;
}

/* The column of a quantity, or how many columns there are. */
static uint32_t columnOf(const tacQuantities *q, const tacQuantity *quantity) {
    uint32_t column = 0;
    while (
        column < q->columns[quantity->block].count && q->columns[quantity->block].at[column].since != quantity->since)
        column++;
    return column;
}

bool tacQuantitiesAsk(tacQuantities *q, const tacAsks *asks) {
    for (size_t i = 0; i < asks->memories.count; i++) {
        const tacQuantity *quantity = &asks->memories.at[i].quantity;
        if (columnOf(q, quantity) == q->columns[quantity->block].count
            && !tacArrayPush(&q->columns[quantity->block], (Column){quantity->since}))
            return false;
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
    default: return false;
    }
}

/* Lists the effects of all changes on the blocks of a kind. */
static bool listEffects(tacQuantities *q, tacBlockKind kind) {
    Effects *effects = &q->effects[kind];
    for (int i = 0; i < TAC_STATES * TAC_STATES; i++) {
        int from = i / TAC_STATES, to = i % TAC_STATES;
        for (uint32_t column = 0; column < q->columns[kind].count; column++) {
            tacSince since = q->columns[kind].at[column].since;
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

static void affect(tacQuantities *q, tacBlockKind kind, size_t block, const tacStateChange *change, int64_t now) {
    const Effects *effects = &q->effects[kind];
    const size_t *begin = &effects->begin[change->from * TAC_STATES + change->to];
    for (size_t i = begin[0]; i < begin[1]; i++) {
        const Effect *effect = &effects->list.at[i];
        tacGauge *gauge = &q->gauges[block + effect->column];
        if (effect->migrated && !change->migrated) continue;
        gauge->base += effect->count - (__int128) effect->slope * now;
        gauge->slope += effect->slope;
    }
}

/* ---- gauges ------------------------------------------------------------------------------------------------------ */

/* Makes room for so many gauges more, which are 0. */
static bool addGauges(tacQuantities *q, size_t n) {
    if (q->nGauges + n > q->room) {
        size_t room = q->nGauges + n > q->room * 2 ? q->nGauges + n : q->room * 2;
        tacGauge *larger = room > UINT32_MAX ? NULL : tacRealloc(q->gauges, room * sizeof *larger);
        if (!larger) return false;
        q->gauges = larger;
        q->room = room;
    }
    memset(q->gauges + q->nGauges, 0, n * sizeof *q->gauges);
    q->nGauges += n;
    return true;
}

bool tacQuantitiesMake(tacQuantities *q) {
    uint32_t nJobs = tacStoreObjects(q->store, TAC_JOB);
    for (tacBlockKind kind = 0; kind < TAC_BLOCKS; kind++)
        if (!listEffects(q, kind)) return false;
    if (!addGauges(q, tacStoreObjects(q->store, TAC_TASK) * q->columns[TAC_BLOCK_TASK].count)) return false;
    q->begin[TAC_BLOCK_JOB] = q->nGauges;
    if (!q->columns[TAC_BLOCK_JOB].count) return true;
    if (!(q->byId = tacAlloc(((size_t) nJobs + 1) * sizeof *q->byId))) return false;
    for (uint32_t i = 0; i < nJobs; i++) q->byId[i] = TAC_NONE;
    return true;
}

void tacQuantitiesFree(tacQuantities *q) {
    if (!q) return;
    for (tacBlockKind kind = 0; kind < TAC_BLOCKS; kind++) {
        tacArrayFree(&q->columns[kind]);
        tacArrayFree(&q->effects[kind].list);
    }
    tacArrayFree(&q->slots);
    tacArrayFree(&q->free);
    tacFree(q->byId);
    tacFree(q->gauges);
    tacFree(q);
}

static size_t blockAt(const tacQuantities *q, tacBlockKind kind, uint32_t object) {
    return q->begin[kind] + object * q->columns[kind].count;
}

/* The slot of a job, or TAC_NONE. */
static uint32_t slotOf(const tacQuantities *q, const tacModel *model, uint32_t job) {
    uint32_t slot = q->byId ? q->byId[model->jobs.at[job].id] : TAC_NONE;
    while (slot != TAC_NONE && q->slots.at[slot].job != job) slot = q->slots.at[slot].older;
    return slot;
}

void tacQuantitiesPlaces(const tacQuantities *q, const tacAsks *asks, tacPlace *places) {
    for (size_t i = 0; i < asks->memories.count; i++)
        places[i] = (tacPlace){columnOf(q, &asks->memories.at[i].quantity), true};
}

uint32_t tacQuantitiesBlock(const tacQuantities *q, const tacOwner *owner, const tacModel *model) {
    if (owner->each == TAC_EACH_TASK) return (uint32_t) blockAt(q, TAC_BLOCK_TASK, owner->object);
    uint32_t slot = owner->each == TAC_EACH_JOB ? slotOf(q, model, owner->job) : TAC_NONE;
    return slot == TAC_NONE ? 0 : (uint32_t) blockAt(q, TAC_BLOCK_JOB, slot);
}

const tacGauge *tacQuantitiesGauges(const tacQuantities *q) { return q->gauges; }

/* ---- the replay -------------------------------------------------------------------------------------------------- */

/* Begins the block of a job. */
static bool beginJob(tacQuantities *q, const tacModel *model, uint32_t job) {
    uint32_t slot = (uint32_t) q->slots.count, *byId = &q->byId[model->jobs.at[job].id];
    size_t columns = q->columns[TAC_BLOCK_JOB].count;
    if (q->free.count) {
        slot = q->free.at[--q->free.count];
        memset(&q->gauges[blockAt(q, TAC_BLOCK_JOB, slot)], 0, columns * sizeof *q->gauges);
    } else if (!tacArrayPush(&q->slots, (Slot){0}) || !addGauges(q, columns)) return false;
    q->slots.at[slot] = (Slot){job, *byId};
    *byId = slot;
    return true;
}

bool tacQuantitiesCount(
    tacQuantities *q, const tacModel *model, const tacStateChange *changes, uint32_t n, int64_t now) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t task = model->jobs.at[changes[i].job].task;
        if (q->columns[TAC_BLOCK_TASK].count)
            affect(q, TAC_BLOCK_TASK, blockAt(q, TAC_BLOCK_TASK, task), &changes[i], now);
        if (!q->byId) continue;
        if (changes[i].from == TAC_STATE_NONE && !beginJob(q, model, changes[i].job)) return false;
        uint32_t slot = slotOf(q, model, changes[i].job);
        if (slot != TAC_NONE) affect(q, TAC_BLOCK_JOB, blockAt(q, TAC_BLOCK_JOB, slot), &changes[i], now);
    }
    return true;
}

bool tacQuantitiesForget(tacQuantities *q, const tacModel *model, const tacStateChange *changes, uint32_t n) {
    for (uint32_t i = 0; q->byId && i < n; i++) {
        if (changes[i].to != TAC_STATE_COMPLETED && changes[i].to != TAC_STATE_NONE) continue;
        uint32_t slot = slotOf(q, model, changes[i].job);
        if (slot == TAC_NONE) continue;
        uint32_t *link = &q->byId[model->jobs.at[changes[i].job].id];
        while (*link != slot) link = &q->slots.at[*link].older;
        *link = q->slots.at[slot].older;
        q->slots.at[slot].job = TAC_NONE;
        if (!tacArrayPush(&q->free, slot)) return false;
    }
    return true;
}
