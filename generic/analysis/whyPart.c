/*
 * whyPart.c -- the parts of a job's response time, kept small: finding them by what they are, and taking them out.
 *
 *      identity (kind, parent, task ...) -> hash table -> cell, and what does not fit it in `more` -> tacWhyPart
 *
 * Invariants:
 *   1. A cell without `more` is a single stretch without a break, or one that this job has not (at TAC_UNKNOWN).
 *   2. The job of a single stretch that a run explains is the job of that run, and there is none behind other
 * stretches.
 */
#include "base/port.h"

#include "analysis/why.h"

/* Does the slice behind a stretch belong to the job that explains it? */
static bool isRun(tacWhyKind kind) {
    return kind == TAC_WHY_PREEMPTED || kind == TAC_WHY_WAITING || kind == TAC_WHY_INTERRUPT || kind == TAC_WHY_SOFTIRQ;
}

static uint32_t kindOf(const tacWhyPart *part) {
    return part->kind == TAC_WHY_BLOCKED && part->mutex == TAC_NONE ? (uint32_t) TAC_WHY_NOTED : part->kind;
}

/* The object that a cell names. */
static uint32_t objectOf(const tacWhyPart *part) {
    if (part->mutex != TAC_NONE) return part->mutex;
    if (part->task != TAC_NONE) return part->task;
    if (part->server != TAC_NONE) return part->server;
    return part->processor != TAC_NONE ? part->processor : part->note;
}

/* The holder's task, which only `more` has room for. */
static uint32_t holderOf(const tacWhyPart *part) { return part->mutex != TAC_NONE ? part->task : TAC_NONE; }

static void setObject(tacWhyPart *part, uint32_t object) {
    switch (part->kind) {
    case TAC_WHY_BLOCKED: part->mutex = object; break;
    case TAC_WHY_DEPLETED: part->server = object; break;
    case TAC_WHY_MIGRATION:
    case TAC_WHY_IDLE:
    case TAC_WHY_UNKNOWN: part->processor = object; break;
    default: part->task = object; break;
    }
}

tacWhyPart tacWhyPartAt(const tacWhy *why, uint32_t index) {
    const tacWhyCell *cell = tacWhyCellAt(why, index);
    tacWhyPart part = {.kind = cell->kind,
        .parent = tacWhyParent(why, index),
        .task = TAC_NONE,
        .mutex = TAC_NONE,
        .server = TAC_NONE,
        .processor = TAC_NONE,
        .note = TAC_NONE,
        .source = cell->source,
        .at = cell->at,
        .longest = cell->at == TAC_UNKNOWN ? TAC_UNKNOWN : cell->ticks,
        .own = {cell->ticks, cell->at != TAC_UNKNOWN},
        .job = TAC_NONE};
    if (cell->kind == TAC_WHY_NOTED) {
        part.kind = TAC_WHY_BLOCKED;
        part.note = cell->object;
    } else {
        setObject(&part, cell->object);
    }
    if (cell->more) {
        const tacWhyMore *more = &why->more.at[cell->source];
        part.longest = more->longest;
        part.own.times = more->times;
        part.source = more->source;
        part.job = more->job;
        if (more->task != TAC_NONE) part.task = more->task;
    } else if (part.own.times && isRun(part.kind)) {
        part.job = why->model->tasks[part.task].slices.at[part.source].job;
    }
    return part;
}

/* Is what this job has of a part all in its cell (invariants 1 and 2)? */
static bool fitsCell(const tacWhyPart *part) {
    if (holderOf(part) != TAC_NONE) return false;
    if (part->at == TAC_UNKNOWN) return part->own.times == 0;
    return part->own.times == 1 && part->longest == part->own.ticks && (part->job == TAC_NONE || isRun(part->kind));
}

bool tacWhySet(tacWhy *why, uint32_t index, const tacWhyPart *part) {
    tacWhyCell *cell = tacWhyCellAt(why, index);
    cell->at = part->at;
    cell->ticks = part->own.ticks;
    if (!cell->more && fitsCell(part)) return cell->source = part->source, true;
    tacWhyMore more = {part->longest, part->own.times, part->source, part->job, holderOf(part)};
    if (cell->more) return why->more.at[cell->source] = more, true;
    if (!tacArrayPush(&why->more, more)) return false;
    cell->source = (uint32_t) why->more.count - 1;
    cell->more = true;
    return true;
}

uint32_t tacWhyDepth(const tacWhy *why, uint32_t part) {
    uint32_t depth = 0;
    while ((part = tacWhyParent(why, part)) != TAC_NONE) depth++;
    return depth;
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static uint32_t hashOf(const tacWhy *why, uint32_t kind, uint32_t parent, uint32_t object, uint32_t holder) {
    uint32_t key[] = {parent, object, holder}, hash = why->seed ^ kind;
    for (size_t i = 0; i < sizeof key / sizeof *key; i++) hash = (hash ^ key[i]) * 0x9e3779b1u, hash ^= hash >> 15;
    return hash;
}

/* The holder's task of a part that there is. */
static uint32_t holderAt(const tacWhy *why, uint32_t part) {
    const tacWhyCell *cell = tacWhyCellAt(why, part);
    return cell->kind == TAC_WHY_BLOCKED && cell->more ? why->more.at[cell->source].task : TAC_NONE;
}

/* The place in the index of the part with this identity, or where it would be. */
static uint32_t *placeOf(const tacWhy *why, uint32_t kind, uint32_t parent, uint32_t object, uint32_t holder) {
    uint32_t at = hashOf(why, kind, parent, object, holder) & (why->nIndex - 1);
    for (; why->index[at]; at = (at + 1) & (why->nIndex - 1)) {
        const tacWhyCell *cell = tacWhyCellAt(why, why->index[at] - 1);
        if (cell->kind == kind && cell->parent == parent && cell->object == object
            && holderAt(why, why->index[at] - 1) == holder)
            break;
    }
    return &why->index[at];
}

/* Makes room in the index for one more part. False: no memory. */
static bool growIndex(tacWhy *why) {
    uint32_t n = why->nParts, size = 16;
    if (n < why->nIndex / 4 * 3) return true;
    while (n >= size / 4 * 3) size *= 2;
    tacWhyForget(why);
    why->index = tacAllocZero(size, sizeof *why->index);
    if (!why->index) return false;
    why->nIndex = size;
    why->seed = (uint32_t) ((uintptr_t) why->index >> 4) * 0x85ebca6bu;
    for (uint32_t i = 0; i < n; i++) {
        const tacWhyCell *cell = tacWhyCellAt(why, i);
        *placeOf(why, cell->kind, cell->parent, cell->object, holderAt(why, i)) = i + 1;
    }
    return true;
}

void tacWhyForget(tacWhy *why) {
    tacFree(why->index);
    why->index = NULL;
    why->nIndex = 0;
}

/* Makes room for one more part: in blocks, of which the first one is short until more than a few parts are there, as
 * most jobs have. False: no memory. */
static bool growBlocks(tacWhy *why) {
    enum { FEW = 16 };
    uint32_t n = why->nParts, size = n ? TAC_WHY_BLOCK : FEW;
    if (n != FEW && n != why->blocks.count * TAC_WHY_BLOCK) return true;
    tacWhyCell *block = tacRealloc(n == FEW ? why->blocks.at[0] : NULL, size * sizeof *block);
    if (!block) return false;
    if (n == FEW) return why->blocks.at[0] = block, true;
    if (!tacArrayPush(&why->blocks, block)) return tacFree(block), false;
    return true;
}

/* Appends a cell. False: no memory. */
static bool push(tacWhy *why, const tacWhyCell *cell) {
    if (why->nParts == TAC_WHY_PARTS || !growBlocks(why)) return false;
    *tacWhyCellAt(why, why->nParts++) = *cell;
    return true;
}

uint32_t tacWhyFind(tacWhy *why, const tacWhyPart *part) {
    uint32_t kind = kindOf(part), parent = part->parent == TAC_NONE ? TAC_WHY_PARTS : part->parent;
    if (!growIndex(why)) return TAC_NONE;
    uint32_t *place = placeOf(why, kind, parent, objectOf(part), holderOf(part));
    if (*place) return *place - 1;
    tacWhyCell cell = {
        .at = TAC_UNKNOWN, .object = objectOf(part), .kind = kind & 15, .parent = parent & TAC_WHY_PARTS};
    if (!push(why, &cell)) return TAC_NONE;
    *place = why->nParts;
    if (holderOf(part) == TAC_NONE) return *place - 1;
    tacWhyPart fresh = tacWhyPartAt(why, *place - 1);
    fresh.task = part->task;
    return tacWhySet(why, *place - 1, &fresh) ? *place - 1 : TAC_NONE;
}

void tacWhyFree(tacWhy *why) {
    for (size_t i = 0; i < why->blocks.count; i++) tacFree(why->blocks.at[i]);
    tacArrayFree(&why->blocks);
    tacArrayFree(&why->more);
    tacArrayFree(&why->order);
    for (int i = 0; i < 2; i++) tacArrayFree(&why->shares[i]);
    tacWhyForget(why);
}
