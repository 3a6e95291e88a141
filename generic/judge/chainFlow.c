/*
 * chainFlow.c -- the way of data from step to step: causes, and forward chains.
 *
 * Invariants:
 *   1. The cause of a part does not change, and one that is `used` gets none any more. So `origin` and `first` of the
 *      parts behind it are held by the parts on the way to them.
 *   2. Parts of one key stand in their bucket in the order in which they wrote.
 */
#include "base/port.h"

#include "judge/chainRun.h"

#include <string.h>
#include <time.h>

/* ---- parts ------------------------------------------------------------------------------------------------------- */

uint32_t tacPartBegin(tacChainRun *run, uint32_t step, uint32_t job) {
    tacStepState *state = &run->steps[step];
    uint32_t part = run->freePart;
    if (run->inUse >= TAC_MOST_PARTS) return run->stopped = true, TAC_NONE;
    if (part != TAC_NONE) run->freePart = run->parts.at[part].next;
    else {
        part = (uint32_t) run->parts.count;
        if (!tacArrayPush(&run->parts, (tacPart){.refs = 0})) return run->failed = true, TAC_NONE;
    }
    run->inUse++;
    tacPart *p = &run->parts.at[part];
    *p = (tacPart){.refs = 1,
        .step = step,
        .job = job,
        .row = run->row,
        .read = run->now,
        .write = TAC_UNKNOWN,
        .before = TAC_UNKNOWN,
        .number = ++state->count,
        .cause = TAC_NONE,
        .origin = TAC_NONE,
        .deadline = TAC_UNKNOWN,
        .next = TAC_NONE,
        .older = TAC_NONE,
        .newer = TAC_NONE,
        .below = TAC_NONE,
        .above = TAC_NONE};
    for (int k = 0; k < TAC_FORWARDS; k++) p->carrier[k] = p->first[k] = TAC_NONE;
    if (step) return part;
    p->origin = part;
    p->before = state->lastRead;
    p->beforeNumber = state->lastNumber;
    if (p->before != TAC_UNKNOWN) p->first[TAC_FORWARD_FULL] = part;
    p->first[TAC_FORWARD_REDUCED] = part;
    state->lastRead = run->now;
    state->lastNumber = p->number;
    return part;
}

/* At most as deep as the chain has steps. */
void tacPartRelease(tacChainRun *run, uint32_t part) {
    if (part == TAC_NONE || --run->parts.at[part].refs) return;
    tacPart *p = &run->parts.at[part];
    uint32_t held[] = {p->cause, p->carrier[0], p->carrier[1]};
    tacFree(p->written);
    p->written = NULL;
    p->next = run->freePart;
    run->freePart = part;
    run->inUse--;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tacPartRelease(run, held[i]);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide) (a ^ 0x9E3779B97F4A7C15ULL) * (b | 1);
    return (uint64_t) product ^ (uint64_t) (product >> 64);
}

/* A seed that the author of a trace cannot know: else values could be made to share a bucket. */
static uint64_t newSeed(const void *block) {
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    return mix((uint64_t) (uintptr_t) block, (uint64_t) now.tv_nsec ^ (uint64_t) now.tv_sec << 32) | 1;
}

static size_t bucketOf(const tacPartTable *table, uint32_t step, uint32_t job, const tacWord *key) {
    uint64_t hash = mix(table->seed ^ step, (uint64_t) job << 1);
    for (size_t i = 0; job == TAC_NONE && i < key->length; i += 8) {
        uint64_t word = 0;
        memcpy(&word, key->at + i, key->length - i < 8 ? key->length - i : 8);
        hash = mix(hash ^ word, table->seed);
    }
    return (size_t) (mix(hash ^ key->length, table->seed) >> 20) & (table->nBuckets - 1);
}

static bool sameKey(const tacWord *a, const tacWord *b) {
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static void append(tacChainRun *run, uint32_t part) {
    tacPartTable *table = &run->table;
    tacPart *p = &run->parts.at[part];
    size_t bucket = bucketOf(table, p->step, p->job, &p->key);
    p->next = TAC_NONE;
    *(table->heads[bucket] == TAC_NONE ? &table->heads[bucket] : &run->parts.at[table->tails[bucket]].next) = part;
    table->tails[bucket] = part;
}

static bool grow(tacChainRun *run) {
    tacPartTable *table = &run->table, old = *table;
    size_t n = old.nBuckets ? old.nBuckets * 2 : 64;
    uint32_t *heads = tacAlloc(n * sizeof *heads), *tails = tacAlloc(n * sizeof *tails);
    if (!heads || !tails) {
        tacFree(heads);
        tacFree(tails);
        return false;
    }
    for (size_t i = 0; i < n; i++) heads[i] = TAC_NONE;
    *table = (tacPartTable){heads, tails, n, old.count, old.seed ? old.seed : newSeed(heads)};
    for (size_t i = 0; i < old.nBuckets; i++)
        for (uint32_t part = old.heads[i], next; part != TAC_NONE; part = next) {
            next = run->parts.at[part].next;
            append(run, part);
        }
    tacFree(old.heads);
    tacFree(old.tails);
    return true;
}

void tacPartPut(tacChainRun *run, uint32_t part) {
    if (run->table.count >= run->table.nBuckets && !grow(run)) {
        run->failed = true;
        tacPartRelease(run, part);
        return;
    }
    append(run, part);
    run->table.count++;
}

/* The oldest part of a job, or of a key where job is TAC_NONE; take: it leaves the table, to the caller. */
static uint32_t find(tacChainRun *run, uint32_t step, uint32_t job, const tacWord *key, bool take) {
    tacPartTable *table = &run->table;
    if (!table->nBuckets) return TAC_NONE;
    size_t bucket = bucketOf(table, step, job, key);
    uint32_t before = TAC_NONE, part = table->heads[bucket];
    for (; part != TAC_NONE; before = part, part = run->parts.at[part].next) {
        const tacPart *p = &run->parts.at[part];
        if (p->step == step && p->job == job && (job != TAC_NONE || sameKey(&p->key, key))) break;
    }
    if (part == TAC_NONE || !take) return part;
    uint32_t next = run->parts.at[part].next;
    *(before == TAC_NONE ? &table->heads[bucket] : &run->parts.at[before].next) = next;
    if (next == TAC_NONE) table->tails[bucket] = before;
    table->count--;
    return part;
}

static const tacWord noKey = {"", 0};

uint32_t tacPartOfKey(tacChainRun *run, uint32_t step, const tacWord *key, bool take) {
    return find(run, step, TAC_NONE, key, take);
}

uint32_t tacPartOfJob(const tacChainRun *run, uint32_t step, uint32_t job) {
    return find((tacChainRun *) (uintptr_t) run, step, job, &noKey, false);
}

void tacPartKeepJob(tacChainRun *run, uint32_t part) {
    tacPart *p = &run->parts.at[part];
    tacStepState *state = &run->steps[p->step];
    if (p->step == 0) {
        p->older = state->newest;
        if (p->older != TAC_NONE) run->parts.at[p->older].newer = part;
        state->newest = part;
    }
    tacPartPut(run, part);
}

void tacPartDropJob(tacChainRun *run, uint32_t part) {
    tacPart *p = &run->parts.at[part];
    tacStepState *state = &run->steps[p->step];
    find(run, p->step, p->job, &noKey, true);
    if (p->step) return;
    if (p->older != TAC_NONE) run->parts.at[p->older].newer = p->newer;
    *(p->newer == TAC_NONE ? &state->newest : &run->parts.at[p->newer].older) = p->older;
}

/* ---- from step to step ------------------------------------------------------------------------------------------- */

/* Number of the part of the first step from which a forward chain comes. */
static uint64_t firstNumber(const tacChainRun *run, uint32_t part, int k) {
    return run->parts.at[run->parts.at[part].first[k]].number;
}

/* Lets a forward chain wait for the next read behind a part, which is held by the caller and taken over. */
static void await(tacChainRun *run, uint32_t part, int k) {
    uint32_t *waiting = &run->steps[run->parts.at[part].step].waiting[k];
    uint32_t later = part;
    if (*waiting == TAC_NONE || firstNumber(run, part, k) < firstNumber(run, *waiting, k)) {
        later = *waiting;
        *waiting = part;
    }
    tacPartRelease(run, later);
}

/* Makes a part the cause of another one, which takes it over. */
static void cause(tacChainRun *run, uint32_t part, uint32_t by) {
    tacPart *p = &run->parts.at[part], *source = &run->parts.at[by];
    p->cause = by;
    p->origin = source->origin;
    source->used = true;
    tacStepState *state = &run->steps[source->step];
    if (state->taken < source->number) state->taken = source->number;
}

/* Hands the forward chain of one part to another one, which takes the part over. */
static void carry(tacChainRun *run, uint32_t part, uint32_t by, int k) {
    tacPart *p = &run->parts.at[part];
    p->carrier[k] = by;
    p->first[k] = run->parts.at[by].first[k];
    run->parts.at[by].handed[k] = true;
}

/* Tells that the cause of a part is not a new one, in the order of causes. */
static void checkOrder(tacChainRun *run, uint32_t part, uint32_t by, bool again) {
    uint32_t step = run->parts.at[part].step;
    uint64_t taken = run->steps[step - 1].taken, number = run->parts.at[by].number;
    if (number > taken || (number == taken && again)) return;
    const tacPart *p = &run->parts.at[by];
    tacChainTellLink(run, TAC_CHAIN_ORDER, step, part, p->write == TAC_UNKNOWN ? p->read : p->write,
        number == taken ? "has no new cause in step %.*s" : "comes behind the effect of a later %.*s");
}

static void readRegister(tacChainRun *run, uint32_t part) {
    tacStepState *before = &run->steps[run->parts.at[part].step - 1];
    if (before->latest != TAC_NONE) {
        checkOrder(run, part, before->latest, false);
        cause(run, part, tacPartHold(run, before->latest));
    }
    for (int k = 0; k < TAC_FORWARDS; k++) {
        if (before->waiting[k] == TAC_NONE) continue;
        carry(run, part, before->waiting[k], k);
        before->waiting[k] = TAC_NONE;
    }
}

static void readMessage(tacChainRun *run, uint32_t part, const tacWord *key) {
    uint32_t step = run->parts.at[part].step, by = tacPartOfKey(run, step - 1, key, true);
    const tacStepState *before = &run->steps[step - 1];
    if (by == TAC_NONE && before->taken)
        tacChainTellLink(run, TAC_CHAIN_ORDER, step, part,
            before->latest == TAC_NONE ? run->now : run->parts.at[before->latest].write, "has no cause in step %.*s");
    if (by == TAC_NONE) return;
    checkOrder(run, part, by, false);
    for (int k = 0; k < TAC_FORWARDS; k++)
        if (run->parts.at[by].first[k] != TAC_NONE) carry(run, part, tacPartHold(run, by), k);
    cause(run, part, by);
}

void tacPartReads(tacChainRun *run, uint32_t part, const tacWord *key) {
    uint32_t step = run->parts.at[part].step;
    if (!step) return;
    if (run->chain->steps.at[step].link == TAC_LINK_ORDER) readRegister(run, part);
    else if (run->chain->steps.at[step].link == TAC_LINK_FIELD) readMessage(run, part, key);
}

void tacPartPops(tacChainRun *run, uint32_t part, uint32_t by) {
    const tacPart *p = &run->parts.at[part];
    if (by == TAC_NONE) return;
    bool fixed = p->used || p->cause != TAC_NONE;
    for (int k = 0; k < TAC_FORWARDS && !fixed; k++) {
        const tacPart *source = &run->parts.at[by];
        if (source->first[k] != TAC_NONE && !source->handed[k]) carry(run, part, tacPartHold(run, by), k);
    }
    if (fixed) run->parts.at[by].used = true;
    else {
        checkOrder(run, part, by, true);
        cause(run, part, tacPartHold(run, by));
    }
}

/* ---- the ends of parts ------------------------------------------------------------------------------------------- */

/* Lets what a part has written go on to the next step. */
static void passOn(tacChainRun *run, uint32_t part) {
    tacPart *p = &run->parts.at[part];
    const tacStepState *state = &run->steps[p->step];
    tacChainLink link = run->chain->steps.at[p->step + 1].link;
    if (link == TAC_LINK_FIELD) tacPartPut(run, tacPartHold(run, part));
    if (link != TAC_LINK_ORDER) return;
    if (state->latest != TAC_NONE && !run->parts.at[state->latest].used)
        tacChainTellLink(run, TAC_CHAIN_LOSSLESS, p->step + 1, state->latest, run->parts.at[state->latest].write,
            "was overwritten before step %.*s read it");
    for (int k = 0; k < TAC_FORWARDS; k++) {
        if (p->first[k] == TAC_NONE || p->handed[k]) continue;
        p->handed[k] = true;
        await(run, tacPartHold(run, part), k);
    }
}

void tacPartWrites(tacChainRun *run, uint32_t part) {
    uint32_t step = run->parts.at[part].step;
    tacStepState *state = &run->steps[step];
    run->parts.at[part].write = run->now;
    tacChainTellWrite(run, part);
    if (step + 1 < run->chain->steps.count) passOn(run, part);
    tacPartRelease(run, state->latest);
    state->latest = tacPartHold(run, part);
}

void tacPartVanishes(tacChainRun *run, uint32_t part) {
    tacPart *p = &run->parts.at[part];
    tacStepState *state = &run->steps[p->step];
    p->gone = true;
    if (p->step == 0) {
        tacPart *newer = p->newer == TAC_NONE ? NULL : &run->parts.at[p->newer];
        if (newer && newer->beforeNumber == p->number) {
            newer->before = p->before;
            newer->beforeNumber = p->beforeNumber;
            if (p->before == TAC_UNKNOWN && !newer->handed[TAC_FORWARD_FULL]) newer->first[TAC_FORWARD_FULL] = TAC_NONE;
        }
        if (state->lastNumber != p->number) return;
        state->lastRead = p->before;
        state->lastNumber = p->beforeNumber;
        return;
    }
    if (run->chain->steps.at[p->step].link != TAC_LINK_ORDER) return;
    for (int k = 0; k < TAC_FORWARDS; k++) {
        if (p->carrier[k] == TAC_NONE || p->handed[k]) continue;
        await(run, p->carrier[k], k);
        p->carrier[k] = p->first[k] = TAC_NONE;
    }
}

void tacChainFlowFree(tacChainRun *run) {
    for (size_t i = 0; run->steps && i < run->chain->steps.count; i++) tacBufferFree(&run->steps[i].contents);
    for (size_t i = 0; i < run->parts.count; i++) tacFree(run->parts.at[i].written);
    tacArrayFree(&run->parts);
    tacArrayFree(&run->due);
    tacFree(run->table.heads);
    tacFree(run->table.tails);
    tacFree(run->steps);
}
