/*
 * axis.c -- one axis of time for all clocks of a recording: CLOCK_MONOTONIC of the first machine, which is that of the
 * first kernel, or of the first source where no kernel was recorded.
 *
 * Sources of one machine that count by the processor's counter have one counter, so the pairs of all of them are one
 * line of points: between two points the line is straight, which is exact in whole nanoseconds (rounded down) and never
 * goes back. Beyond the ends it goes on with the mean speed of all. Machines are placed by the time of day, as far as
 * it is known; messages for synchronization, which the trace may have, correct that later (trace/clock.h).
 *
 * A wild pair (a broken or hostile program wrote it) does not fit the others: their speed is the median of all speeds
 * to the next two, from which the kernel's corrections differ by less than a thousandth. Where a pair does not fit
 * those before, but two of those that follow fit it, one of the clocks stood still in between: the machine slept.
 */
#include "base/port.h"

#include "base/sort.h"
#include "import/record/state.h"

#include <stdio.h>
#include <string.h>

enum {
    SLACK = 100000,           /* ns by which a pair may be wrong: looking at both clocks takes some time */
    CORRECTION = 1000,        /* one part of so many, by which speeds may differ */
    LEAST_INTERVAL = 1000000, /* ns between two pairs that tell a speed */
    NEAR = 16                 /* pairs, this one included, that are looked at for two that fit it */
};

/* ---- machines ---------------------------------------------------------------------------------------------------- */

/* Names the machine, and tells it from others of its name: its other starts. False: no memory. */
static bool nameMachine(tacRecord *r, tacRecordMachine *machine) {
    char number[16];
    size_t length = strlen(machine->name);
    if (r->lastMachine < r->machines.count) r->lastMachine = (uint32_t) r->machines.count;
    for (;;) {
        size_t names = tacInternCount(&r->machineNames), whole = strlen(machine->name);
        uint32_t id = whole ? tacIntern(&r->machineNames, machine->name, whole) : names + 1;
        if (id == names || id == TAC_NONE) return id != TAC_NONE;
        size_t n = (size_t) snprintf(number, sizeof number, length ? ".%u" : "machine%u", ++r->lastMachine);
        length = tacWholeLength(machine->name, length, sizeof machine->name - 1 - n);
        memcpy(machine->name + length, number, n + 1);
    }
}

/* Finds the machine of the source, between two starts of it. Where these are not known, machines of one name are one.
 * False: no memory, or the limit. */
static bool findMachine(tacRecord *r, tacRecordSource *source) {
    static const uint8_t none[16];
    const tacrec_source *said = &source->said;
    char key[sizeof said->boot + sizeof said->machine] = "";
    memcpy(key, said->boot, sizeof said->boot);
    if (memcmp(said->boot, none, sizeof none) == 0) memcpy(key + sizeof none, said->machine, sizeof said->machine);
    source->machine = tacIntern(&r->machineKeys, key, sizeof key);
    if (source->machine != r->machines.count) return source->machine != TAC_NONE;
    tacRecordMachine machine = {.realtime = said->realtime, .monotonic = said->monotonic, .processor = TAC_NONE};
    memcpy(machine.boot, said->boot, sizeof machine.boot);
    memcpy(machine.name, said->machine, sizeof machine.name);
    return nameMachine(r, &machine) && tacRecordPush(r, &r->machines, machine);
}

/* Places the machine beside the first one by the time of day of both. */
static void placeMachine(tacRecord *r, uint32_t i) {
    const tacRecordMachine *first = &r->machines.at[0];
    tacRecordMachine *machine = &r->machines.at[i];
    bool known = first->realtime && machine->realtime;
    __int128 began = (__int128) first->realtime - first->monotonic;
    __int128 shift = (__int128) machine->realtime - machine->monotonic - began;
    if (i == 0) return;
    known = known && shift > -TAC_TIME_LIMIT && shift < TAC_TIME_LIMIT;
    if (known) machine->shift = (int64_t) shift;
    if (known)
        tacDiagAdd(r->diag, TAC_SEVERITY_NOTE, 0, "CLOCK",
            "%s: its times are placed by the time of day, which differs between machines", machine->name);
    else
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "CLOCK",
            "%s: it is not known how its times lie beside those of the first machine", machine->name);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static int byCounter(const void *left, const void *right, const void *data) {
    const tacrec_pair *a = left, *b = right;
    (void) data;
    if (a->counter != b->counter) return a->counter < b->counter ? -1 : 1;
    return a->nanoseconds < b->nanoseconds ? -1 : a->nanoseconds > b->nanoseconds;
}

static int byValue(const void *left, const void *right, const void *data) {
    double a = *(const double *) left, b = *(const double *) right;
    (void) data;
    return a < b ? -1 : a > b;
}

/* Nanoseconds a count from one pair to the next; 0: that is none. */
static double speedOf(const tacrec_pair *a, const tacrec_pair *b) {
    if (b->counter <= a->counter || b->nanoseconds <= a->nanoseconds) return 0;
    return (double) (b->nanoseconds - a->nanoseconds) / (double) (b->counter - a->counter);
}

/* The median speed from each pair to the next two that are far enough behind it, or to any. With two, a wild one in
 * four does no harm. 0: none is known. False: no memory. */
static bool medianSpeed(const tacRecordPairs *pairs, tacProgress *progress, double *speed) {
    double *speeds = tacAllocZero(2 * pairs->count + 1, sizeof *speeds);
    size_t n = 0;
    if (!speeds) return false;
    for (uint64_t least = LEAST_INTERVAL; n == 0; least = 0) {
        for (size_t i = 1; i < pairs->count; i++)
            for (size_t step = 1; step <= 2 && step <= i; step++) {
                const tacrec_pair *a = &pairs->at[i - step], *b = &pairs->at[i];
                double value = speedOf(a, b);
                if (value > 0 && b->nanoseconds - a->nanoseconds >= least) speeds[n++] = value;
            }
        if (least == 0) break;
    }
    bool done = tacSort(speeds, n, sizeof *speeds, byValue, NULL, progress);
    *speed = n ? speeds[n / 2] : 0;
    tacFree(speeds);
    return done;
}

/* Does the clock get from one pair to the other at about this speed? */
static bool fits(const tacrec_pair *a, const tacrec_pair *b, double speed) {
    if (speedOf(a, b) == 0) return false;
    double expected = speed * (double) (b->counter - a->counter), is = (double) (b->nanoseconds - a->nanoseconds);
    double most = SLACK + expected / CORRECTION;
    return is - expected <= most && expected - is <= most;
}

/* Do two of the next pairs fit this one, or the only other one? */
static bool beginsStretch(const tacRecordPairs *pairs, size_t i, double speed) {
    size_t end = pairs->count - i > NEAR ? i + NEAR : pairs->count, found = 0;
    for (size_t k = i + 1; k < end && found < 2; k++) found += fits(&pairs->at[i], &pairs->at[k], speed);
    return found == 2 || (found == 1 && pairs->count == 2);
}

/* Leaves the pairs that fit, in order. */
static bool tame(tacRecordMachine *machine, tacProgress *progress) {
    tacRecordPairs *pairs = &machine->pairs;
    double speed = 0;
    size_t kept = 0;
    if (!tacSort(pairs->at, pairs->count, sizeof *pairs->at, byCounter, NULL, progress)) return false;
    for (size_t i = 0; i < pairs->count; i++) /* descriptions repeat them */
        if (kept == 0 || byCounter(&pairs->at[kept - 1], &pairs->at[i], NULL) != 0) pairs->at[kept++] = pairs->at[i];
    pairs->count = kept;
    if (kept < 2) return true;
    if (!medianSpeed(pairs, progress, &speed)) return false;
    kept = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const tacrec_pair *last = kept ? &pairs->at[kept - 1] : NULL;
        bool fine = last && fits(last, &pairs->at[i], speed);
        bool begins = !fine && (!last || speedOf(last, &pairs->at[i]) > 0) && beginsStretch(pairs, i, speed);
        if (fine || begins) pairs->at[kept++] = pairs->at[i];
    }
    machine->wild += pairs->count - kept;
    pairs->count = kept;
    return true;
}

/* Gives the pairs of all sources to the machines whose counters they are of. */
static bool sharePairs(tacRecord *r) {
    for (size_t i = 0; i < r->pairs.count; i++) {
        const tacRecordPair *pair = &r->pairs.at[i];
        const tacRecordSource *source = &r->sources.at[pair->source];
        if (!source->described || source->said.clock != TACREC_CLOCK_TSC) continue;
        tacRecordMachine *machine = &r->machines.at[source->machine];
        if (pair->pair.nanoseconds >= (uint64_t) TAC_TIME_LIMIT) machine->wild++;
        else if (!tacArrayPush(&machine->pairs, pair->pair)) return false;
    }
    for (size_t i = 0; i < r->machines.count; i++)
        r->machinePairs += r->machines.at[i].pairs.capacity * sizeof(tacrec_pair);
    tacArrayFree(&r->pairs);
    return true;
}

static void remarkPairs(tacRecord *r, const tacRecordMachine *machine) {
    if (machine->wild)
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "CLOCK", "%llu %s left out: %s not fit the others",
            (unsigned long long) machine->wild, machine->wild == 1 ? "pair of clocks is" : "pairs of clocks are",
            machine->wild == 1 ? "it does" : "they do");
}

/* Says that the counter's speed is not known, if some source counts by it. */
static void remarkSpeed(tacRecord *r) {
    for (size_t i = 0; i < r->sources.count; i++) {
        const tacRecordSource *source = &r->sources.at[i];
        if (!source->described || source->said.clock != TACREC_CLOCK_TSC) continue;
        if (r->machines.at[source->machine].pairs.count >= 2) continue;
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, 0, "CLOCK",
            "%s (pid %u): its times are counts of the processor, and nothing says how long one takes; they are shown "
            "as nanoseconds",
            source->said.name, source->said.pid);
    }
}

/* Finds the machine of the first kernel that was recorded, which so is the first one. False: no memory. */
static bool findReference(tacRecord *r) {
    for (size_t i = 0; i < r->sources.count; i++) {
        tacRecordSource *source = &r->sources.at[i];
        if (source->described && source->said.kind == TACREC_SOURCE_KERNEL) return findMachine(r, source);
    }
    return true;
}

bool tacRecordAxis(tacRecord *r) {
    if (!findReference(r)) return false;
    for (size_t i = 0; i < r->sources.count; i++)
        if (r->sources.at[i].described && !findMachine(r, &r->sources.at[i])) return false;
    if (!sharePairs(r)) return false;
    for (uint32_t i = 0; i < r->machines.count; i++) {
        if (!tame(&r->machines.at[i], r->import->progress)) return false;
        placeMachine(r, i);
        remarkPairs(r, &r->machines.at[i]);
    }
    remarkSpeed(r);
    return true;
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

/* Index of the last pair at or before the counter, or of the first one if there is none. */
static size_t pairBefore(const tacRecordPairs *pairs, uint64_t counter) {
    size_t low = 0, high = pairs->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pairs->at[middle].counter <= counter) low = middle;
        else high = middle;
    }
    return low;
}

/* Nanoseconds of a count, which may lie before the first pair or behind the last. */
static __int128 nanosecondsOf(const tacRecordPairs *pairs, uint64_t counter) {
    const tacrec_pair *first = &pairs->at[0], *last = &pairs->at[pairs->count - 1], *a = first, *b = last;
    if (counter >= first->counter && counter < last->counter) {
        a = &pairs->at[pairBefore(pairs, counter)];
        b = a + 1;
    }
    const tacrec_pair *from = counter < first->counter ? first : counter >= last->counter ? last : a;
    uint64_t length = b->counter - a->counter, elapsed = b->nanoseconds - a->nanoseconds, product;
    if (counter >= from->counter && !__builtin_mul_overflow(counter - from->counter, elapsed, &product))
        return (__int128) from->nanoseconds + product / length;
    if (counter >= from->counter)
        return (__int128) from->nanoseconds + (unsigned __int128) (counter - from->counter) * elapsed / length;
    unsigned __int128 back = (unsigned __int128) (from->counter - counter) * elapsed;
    return (__int128) from->nanoseconds - (__int128) ((back + length - 1) / length);
}

/* Moves nanoseconds of the source's machine to those of the first. */
static bool place(const tacRecord *r, const tacRecordSource *source, __int128 nanoseconds, int64_t *ticks) {
    nanoseconds += r->machines.at[source->machine].shift;
    if (nanoseconds <= -TAC_TIME_LIMIT || nanoseconds >= TAC_TIME_LIMIT) return false;
    *ticks = (int64_t) nanoseconds;
    return true;
}

bool tacRecordTime(const tacRecord *r, const tacRecordSource *source, uint64_t time, int64_t *ticks) {
    const tacRecordPairs *pairs = &r->machines.at[source->machine].pairs;
    bool counted = source->said.clock == TACREC_CLOCK_TSC && pairs->count >= 2;
    return place(r, source, counted ? nanosecondsOf(pairs, time) : (__int128) time, ticks);
}

bool tacRecordNanoseconds(const tacRecord *r, const tacRecordSource *source, uint64_t nanoseconds, int64_t *ticks) {
    return place(r, source, nanoseconds, ticks);
}
