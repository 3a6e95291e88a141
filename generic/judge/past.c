/*
 * past.c -- counts events, and remembers when they happened, as far back as some model looks.
 *
 * What happens is somebody's own or everybody's, and each is counted apart: what an instance sees is the sum. Only of
 * "how many A since the last B" each owner has a count of its own, since a B of everybody begins all of them anew.
 */
#include "base/port.h"

#include "judge/gaugeState.h"

#include <string.h>

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static bool addCounter(tacGauges *g, const tacAskedEvent *event, tacEach each, const tacWord *key, uint32_t *index) {
    tacText text = {0};
    tacTextPrintf(&text, "%d %zu ", each, key->length);
    tacTextAdd(&text, key->at, key->length);
    tacTextAddString(&text, event->text);
    *index = text.failed ? TAC_NONE : tacIntern(&g->counterKeys, text.at, text.length);
    tacTextFree(&text);
    if (*index == TAC_NONE) return false;
    if (*index == g->counters.count
        && !tacArrayPush(
            &g->counters, ((tacCounter){.trigger = &event->trigger, .each = each, .key = *key, .window = -1})))
        return false;
    tacCounter *counter = &g->counters.at[*index];
    if (event->window > counter->window) counter->window = event->window;
    return true;
}

static bool addPair(tacGauges *g, const tacAskedEvent *counted, const tacAskedEvent *last, tacEach each,
    const tacWord *key, uint32_t *index) {
    tacText text = {0};
    tacTextPrintf(&text, "%d %zu %zu ", each, key->length, strlen(counted->text));
    tacTextAdd(&text, key->at, key->length);
    tacTextAddString(&text, counted->text);
    tacTextAddString(&text, last->text);
    *index = text.failed ? TAC_NONE : tacIntern(&g->pairKeys, text.at, text.length);
    tacTextFree(&text);
    if (*index == TAC_NONE) return false;
    return *index < g->pairs.count
        || tacArrayPush(
            &g->pairs, ((tacPair){.counted = &counted->trigger, .last = &last->trigger, .each = each, .key = *key}));
}

bool tacGaugesAskEvent(tacGauges *g, const tacAsks *asks, const tacQuantity *quantity, uint32_t *what) {
    const tacAskedEvent *event = asks->events.at[quantity->what];
    tacWord key = quantity->whose == (tacEach) TAC_EACH_KEY ? asks->key : (tacWord){"", 0};
    if (quantity->since == TAC_SINCE_AFTER)
        return addPair(g, event, asks->events.at[quantity->than], quantity->whose, &key, what);
    return addCounter(g, event, quantity->whose, &key, what);
}

bool tacGaugesPrepareEvents(tacGauges *g) {
    static const tacSince kept[] = {[TAC_COUNTER_COUNT] = TAC_SINCE_COUNT,
        [TAC_COUNTER_LAST] = TAC_SINCE_LAST,
        [TAC_COUNTER_TIMES] = TAC_SINCE_TIMES,
        [TAC_COUNTER_WITHIN] = TAC_SINCE_INSYSCALL};
    uint32_t cells[TAC_TRIGGER_CELLS];
    for (uint32_t i = 0; i < g->counters.count; i++) {
        tacCounter *counter = &g->counters.at[i];
        for (tacBlockKind kind = 0; kind < TAC_BLOCKS; kind++)
            for (int k = 0; k < TAC_COUNTERS; k++) counter->columns[kind][k] = tacGaugeColumnOf(g, kind, kept[k], i);
        for (int k = tacTriggerCells(counter->trigger, cells); k-- > 0;)
            if (!tacArrayPush(&g->counting[cells[k]], i)) return false;
    }
    for (uint32_t i = 0; i < g->pairs.count; i++) {
        tacPair *pair = &g->pairs.at[i];
        const tacTrigger *triggers[] = {pair->counted, pair->last};
        for (tacBlockKind kind = 0; kind < TAC_BLOCKS; kind++)
            pair->columns[kind] = tacGaugeColumnOf(g, kind, TAC_SINCE_AFTER, i);
        for (int t = 0; t < 2; t++)
            for (int k = tacTriggerCells(triggers[t], cells); k-- > 0;) {
                size_t n = g->pairing[cells[k]].count;
                if (n && g->pairing[cells[k]].at[n - 1] == i) continue;
                if (!tacArrayPush(&g->pairing[cells[k]], i)) return false;
            }
    }
    return true;
}

uint32_t tacGaugesUnrecorded(tacGauges *g, const tacAsks *asks, const tacQuantity *quantity) {
    if (quantity->since == TAC_SINCE_INTERRUPTS || quantity->since == TAC_SINCE_INTERRUPTED)
        return tacKindsInterrupts(g->kinds) ? TAC_NONE : quantity->what;
    const uint32_t events[] = {quantity->what, quantity->since == TAC_SINCE_AFTER ? quantity->than : TAC_NONE};
    for (int i = 0; i < 2 && events[i] != TAC_NONE; i++) {
        tacAskedEvent *event = asks->events.at[events[i]];
        bool has = true;
        if (!event->recorded && tacKindsHas(g->kinds, &event->trigger, &has)) event->recorded = has ? 2 : 1;
        if (event->recorded == 1) return events[i];
    }
    return TAC_NONE;
}

void tacGaugesFreePast(tacGauges *g) {
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++) {
        tacArrayFree(&g->counting[cell]);
        tacArrayFree(&g->pairing[cell]);
    }
    for (size_t i = 0; i < g->times.count; i++) tacFree(g->times.at[i].at);
    tacArrayFree(&g->times);
    tacArrayFree(&g->freeTimes);
    tacArrayFree(&g->counters);
    tacArrayFree(&g->pairs);
    tacInternFree(&g->counterKeys);
    tacInternFree(&g->pairKeys);
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

static int64_t timeAt(const tacTimes *times, size_t k) { return times->at[(times->first + k) & (times->room - 1)]; }

static void dropFirst(tacGauges *g, tacTimes *times) {
    times->first = (times->first + 1) & (times->room - 1);
    times->count--;
    g->nTimes--;
}

/* Doubles the room of a ring. */
static bool growTimes(tacTimes *times) {
    size_t room = times->room ? times->room * 2 : 4;
    int64_t *at = tacAlloc(room * sizeof *at);
    if (!at) return false;
    for (size_t k = 0; k < times->count; k++) at[k] = timeAt(times, k);
    tacFree(times->at);
    times->at = at;
    times->first = 0;
    times->room = room;
    return true;
}

/* The ring of a gauge, which is made if there is none. NULL: no memory. */
static tacTimes *timesOf(tacGauges *g, tacGauge *gauge) {
    if (!gauge->slope) {
        uint32_t index = (uint32_t) g->times.count;
        if (g->freeTimes.count) index = g->freeTimes.at[--g->freeTimes.count];
        else if (!tacArrayPush(&g->times, ((tacTimes){.dropped = TAC_UNKNOWN}))) return NULL;
        gauge->slope = (int64_t) index + 1;
    }
    return &g->times.at[gauge->slope - 1];
}

/* Keeps a time, and forgets those that are too old. */
static bool keepTime(tacGauges *g, tacGauge *gauge, int64_t window, int64_t now) {
    tacTimes *times = timesOf(g, gauge);
    if (!times) return false;
    while (times->count && tacElapsed(timeAt(times, 0), now) > window) dropFirst(g, times);
    if (g->nTimes >= TAC_MOST_TIMES) {
        times->dropped = times->count ? timeAt(times, 0) : now;
        if (!times->count) return true;
        dropFirst(g, times);
    }
    if (times->count == times->room && !growTimes(times)) return false;
    times->at[(times->first + times->count++) & (times->room - 1)] = now;
    g->nTimes++;
    return true;
}

bool tacGaugesFreeTimes(tacGauges *g, size_t block) {
    for (size_t i = 0; i < g->counters.count; i++) {
        uint32_t column = g->counters.at[i].columns[TAC_BLOCK_JOB][TAC_COUNTER_TIMES];
        tacGauge *gauge = column == TAC_NONE ? NULL : &g->gauges[block + column];
        if (!gauge || !gauge->slope) continue;
        tacTimes *times = &g->times.at[gauge->slope - 1];
        g->nTimes -= times->count;
        tacFree(times->at);
        *times = (tacTimes){.dropped = TAC_UNKNOWN};
        if (!tacArrayPush(&g->freeTimes, (uint32_t) (gauge->slope - 1))) return false;
        gauge->slope = 0;
    }
    return true;
}

uint64_t tacGaugeTimes(const tacGauges *g, const tacGauge *gauge, int64_t from) {
    const tacTimes *times = gauge->slope ? &g->times.at[gauge->slope - 1] : NULL;
    size_t low = 0, high = times ? times->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (timeAt(times, middle) < from) low = middle + 1;
        else high = middle;
    }
    return times ? times->count - low : 0;
}

bool tacGaugeForgot(const tacGauges *g, const tacGauge *gauge, int64_t from) {
    const tacTimes *times = gauge->slope ? &g->times.at[gauge->slope - 1] : NULL;
    return times && times->dropped != TAC_UNKNOWN && times->dropped >= from;
}

/* ---- what happens ------------------------------------------------------------------------------------------------ */

/* Whose something is. */
typedef struct Part {
    tacBlockKind kind;
    uint32_t object; /* of that kind; of jobs: the slot */
} Part;

/* Copies to the block of a new value what happened to all of them before. */
static void inheritKey(tacGauges *g, size_t block) {
    for (size_t i = 0; i < g->pairs.count; i++) {
        const uint32_t *columns = g->pairs.at[i].columns;
        if (columns[TAC_BLOCK_KEY] != TAC_NONE)
            g->gauges[block + columns[TAC_BLOCK_KEY]] = g->gauges[columns[TAC_BLOCK_ALL]];
    }
}

/* The block of the value of a field, which is made if there is none; TAC_NONE: no memory. */
static uint32_t keyOf(tacGauges *g, const tacWord *field, const tacWord *value) {
    tacText text = {0};
    tacTextPrintf(&text, "%zu ", field->length);
    tacTextAdd(&text, field->at, field->length);
    tacTextAdd(&text, value->at, value->length);
    uint32_t index = text.failed ? TAC_NONE : tacIntern(&g->keys, text.at, text.length);
    tacTextFree(&text);
    bool new = index == g->keyBegins.count,
         fine = index < g->keyBegins.count
        || (index != TAC_NONE && tacArrayPush(&g->keyBegins, g->nGauges)
            && tacGaugesAdd(g, g->columns[TAC_BLOCK_KEY].count));
    g->failed |= !fine;
    if (fine && new) inheritKey(g, g->keyBegins.at[index]);
    return fine ? index : TAC_NONE;
}

bool tacGaugesKey(tacGauges *g, const tacWord *field, const tacWord *value, tacBlocksOf *blocks) {
    if (!g->columns[TAC_BLOCK_KEY].count) return true;
    uint32_t index = keyOf(g, field, value);
    if (index != TAC_NONE) blocks->begin[TAC_BLOCK_KEY] = (uint32_t) g->keyBegins.at[index];
    return index != TAC_NONE;
}

/* Of the owners of a kind: whose is it? False: nobody's who lives. */
static bool partOf(
    tacGauges *g, const tacTrigger *trigger, tacEach each, const tacWord *key, const tacOccurrence *o, Part *part) {
    bool ofTask = !o->change && (trigger->kind != TAC_TRIGGER_ROW || trigger->pattern.event == TAC_EV_MESSAGE);
    tacField field;
    *part = (Part){TAC_BLOCK_ALL, 0};
    if (!trigger->own || each == TAC_EACH_TRACE) return true;
    if (each == (tacEach) TAC_EACH_KEY) {
        if (!tacFieldFind(o, key, &field)) return false;
        *part = (Part){TAC_BLOCK_KEY, keyOf(g, key, &field.text)};
        return part->object != TAC_NONE;
    }
    if (each == TAC_EACH_PROCESSOR) {
        if (o->processor != TAC_NO_PROCESSOR) *part = (Part){TAC_BLOCK_PROCESSOR, o->processor};
        return true;
    }
    if (o->task == TAC_NONE) return true;
    *part = (Part){TAC_BLOCK_TASK, o->task};
    if (each == TAC_EACH_TASK || ofTask) return true;
    *part = (Part){TAC_BLOCK_JOB, o->job == TAC_NONE ? TAC_NONE : tacGaugeSlotOf(g, o->model, o->job)};
    return part->object != TAC_NONE;
}

static bool fits(const tacTrigger *trigger, const tacOccurrence *o) {
    return tacTriggerFits(trigger, o, &(tacOwner){.each = TAC_EACH_TRACE});
}

/*
 * Times that a call is under way until its return. Calls overlap only if one is made within another. A message is one
 * whose return is missing, as that of rt_sigreturn always is: how long it took is not known, and its thread went on.
 */
static void within(tacGauge *gauge, const tacOccurrence *o) {
    const tacStore *store = o->model->store;
    if (tacRowEvent(store, o->row) != TAC_EV_TASK_ANNOTATION) return;
    int64_t end = tacRowNumber(store, o->row);
    if (end <= o->now) return;
    gauge->base = tacGaugeAt(gauge, o->now) - o->now;
    if (gauge->slope && gauge->until > end) end = gauge->until;
    gauge->slope = 1;
    gauge->until = end;
}

static bool count(tacGauges *g, const tacCounter *counter, const tacOccurrence *o) {
    Part part;
    if (!fits(counter->trigger, o) || !partOf(g, counter->trigger, counter->each, &counter->key, o, &part)) return true;
    const uint32_t *columns = counter->columns[part.kind];
    tacGauge *block = &g->gauges[tacGaugeBlock(g, part.kind, part.object)];
    if (columns[TAC_COUNTER_COUNT] != TAC_NONE) block[columns[TAC_COUNTER_COUNT]].base++;
    if (columns[TAC_COUNTER_LAST] != TAC_NONE) block[columns[TAC_COUNTER_LAST]] = (tacGauge){o->now, 1, INT64_MAX};
    if (columns[TAC_COUNTER_WITHIN] != TAC_NONE) within(&block[columns[TAC_COUNTER_WITHIN]], o);
    return columns[TAC_COUNTER_TIMES] == TAC_NONE
        || keepTime(g, &block[columns[TAC_COUNTER_TIMES]], counter->window, o->now);
}

/* ---- how many since ---------------------------------------------------------------------------------------------- */

/* Begins a count anew, or counts one more. */
static void step(tacGauge *gauge, bool last) {
    if (last) *gauge = (tacGauge){0, 1, INT64_MAX};
    else gauge->base++;
}

/* In the blocks of all jobs that are not over, of a task or TAC_NONE. */
static void stepJobs(tacGauges *g, const tacPair *pair, const tacModel *model, uint32_t task, bool last) {
    for (uint32_t slot = 0; slot < g->slots.count; slot++) {
        uint32_t job = g->slots.at[slot].job;
        if (job == TAC_NONE || (task != TAC_NONE && model->jobs.at[job].task != task)) continue;
        step(&g->gauges[tacGaugeBlock(g, TAC_BLOCK_JOB, slot) + pair->columns[TAC_BLOCK_JOB]], last);
    }
}

/* In the blocks of all tasks or processors. */
static void stepAll(tacGauges *g, const tacPair *pair, tacBlockKind kind, bool last) {
    size_t columns = g->columns[kind].count, end = g->begin[kind + 1];
    for (size_t block = g->begin[kind]; block < end; block += columns)
        step(&g->gauges[block + pair->columns[kind]], last);
}

/* In the blocks of all values, and in what a new one begins with. */
static void stepKeys(tacGauges *g, const tacPair *pair, bool last) {
    step(&g->gauges[pair->columns[TAC_BLOCK_ALL]], last);
    for (size_t i = 0; i < g->keyBegins.count; i++)
        step(&g->gauges[g->keyBegins.at[i] + pair->columns[TAC_BLOCK_KEY]], last);
}

/* Only one of a pair's two triggers may have the occurrence's cell. */
static bool fitsCell(const tacTrigger *trigger, const tacOccurrence *o) {
    uint32_t cells[TAC_TRIGGER_CELLS];
    int n = tacTriggerCells(trigger, cells);
    for (int i = 0; i < n; i++)
        if (cells[i] == o->cell) return fits(trigger, o);
    return false;
}

/* What one of the two triggers means to those whose it is. */
static void stepOne(tacGauges *g, const tacPair *pair, const tacOccurrence *o, bool last) {
    const tacTrigger *trigger = last ? pair->last : pair->counted;
    Part part;
    if (!fitsCell(trigger, o) || !partOf(g, trigger, pair->each, &pair->key, o, &part)) return;
    bool ofJobs = pair->each == TAC_EACH_JOB, all = part.kind == TAC_BLOCK_ALL && pair->each != TAC_EACH_TRACE;
    if (all && pair->each == (tacEach) TAC_EACH_KEY) stepKeys(g, pair, last);
    else if (all) stepAll(g, pair, pair->each == TAC_EACH_PROCESSOR ? TAC_BLOCK_PROCESSOR : TAC_BLOCK_TASK, last);
    else step(&g->gauges[tacGaugeBlock(g, part.kind, part.object) + pair->columns[part.kind]], last);
    if (ofJobs && part.kind != TAC_BLOCK_JOB) stepJobs(g, pair, o->model, all ? TAC_NONE : part.object, last);
}

/* Some may count what begins the count anew for others. */
static void stepPair(tacGauges *g, const tacPair *pair, const tacOccurrence *o) {
    stepOne(g, pair, o, false);
    stepOne(g, pair, o, true);
}

void tacGaugesInherit(tacGauges *g, uint32_t task, size_t block) {
    size_t from = tacGaugeBlock(g, TAC_BLOCK_TASK, task);
    for (size_t i = 0; i < g->pairs.count; i++) {
        const uint32_t *columns = g->pairs.at[i].columns;
        if (columns[TAC_BLOCK_JOB] != TAC_NONE)
            g->gauges[block + columns[TAC_BLOCK_JOB]] = g->gauges[from + columns[TAC_BLOCK_TASK]];
    }
}

bool tacGaugesHappen(tacGauges *g, const tacOccurrence *o) {
    for (size_t i = 0; i < g->counting[o->cell].count; i++)
        if (!count(g, &g->counters.at[g->counting[o->cell].at[i]], o)) return false;
    for (size_t i = 0; i < g->pairing[o->cell].count; i++) stepPair(g, &g->pairs.at[g->pairing[o->cell].at[i]], o);
    return !g->failed;
}
