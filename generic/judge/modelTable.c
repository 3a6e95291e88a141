/*
 * modelTable.c -- counts what the automata of a trace do, and keeps where single instances are.
 */
#include "base/port.h"

#include "judge/modelTable.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 64 }; /* of a word */

typedef struct Table { /* of an automaton */
    const tacAutomaton *automaton;
    tacModelTally tally;
    TAC_ARRAY(uint32_t) places; /* the strip of the instance that is there; TAC_NONE: none was asked for */
    TAC_ARRAY(uint64_t) took;   /* bits of transitions, `words` for each place: did the instance take it? */
    size_t words;
    uint64_t first; /* row of its first instance */
} Table;

struct tacModelTables {
    Table *tables;
    size_t n;
    tacStripWish wish;
    tacStrip *strips; /* by number in the wish */
    bool failed;      /* there was no memory */
};

static bool tableBegin(Table *table, const tacAutomaton *automaton) {
    table->automaton = automaton;
    table->words = (automaton->transitions.count + BITS - 1) / BITS;
    table->tally.edges = tacAllocZero(automaton->transitions.count + 1, sizeof *table->tally.edges);
    table->tally.judged = tacAllocZero((size_t) automaton->nConstraints + 1, sizeof *table->tally.judged);
    table->tally.stays = tacAllocZero(automaton->invariants.count + 1, sizeof *table->tally.stays);
    return table->tally.edges && table->tally.judged && table->tally.stays;
}

tacModelTables *tacModelTablesNew(const tacAutomaton *automata, size_t n) {
    tacModelTables *all = tacAllocZero(1, sizeof *all);
    bool fine = all && (all->tables = tacAllocZero(n + 1, sizeof *all->tables)) != NULL;
    for (size_t k = 0; fine && k < n; k++) fine = tableBegin(&all->tables[all->n++], &automata[k]);
    if (fine) return all;
    tacModelTablesFree(all);
    return NULL;
}

void tacModelTablesFree(tacModelTables *all) {
    if (!all) return;
    for (size_t k = 0; k < all->n; k++) {
        Table *table = &all->tables[k];
        tacFree(table->tally.edges);
        tacFree(table->tally.judged);
        tacFree(table->tally.stays);
        tacArrayFree(&table->places);
        tacArrayFree(&table->took);
    }
    for (size_t i = 0; all->strips && i < all->wish.n; i++) {
        tacArrayFree(&all->strips[i].stretches);
        tacFree(all->strips[i].key);
    }
    tacFree(all->strips);
    tacFree(all->tables);
    tacFree(all);
}

bool tacModelTablesWish(tacModelTables *all, const tacStripWish *wish, const uint64_t *firsts) {
    all->strips = tacAllocZero(wish->n + 1, sizeof *all->strips);
    if (!all->strips) return false;
    all->wish = *wish;
    for (size_t i = 0; i < wish->n; i++) all->strips[i].index = wish->indices[i], all->strips[i].automaton = SIZE_MAX;
    for (size_t k = 0; k < all->n; k++) all->tables[k].first = firsts[k];
    return true;
}

/* ---- stretches --------------------------------------------------------------------------------------------------- */

/* Adds a stretch; what is shorter than the grain is joined with its neighbours. */
static bool add(tacStrip *strip, int64_t begin, int64_t end, uint32_t state) {
    tacStateStretch *last = strip->stretches.count ? &strip->stretches.at[strip->stretches.count - 1] : NULL;
    if (strip->grain && tacElapsed(begin, end) < strip->grain) state = TAC_NONE;
    if (last && last->state == state && last->end == begin) return last->end = end, true;
    return tacArrayPush(&strip->stretches, (tacStateStretch){begin, end, state});
}

/* Joins what is shorter than a larger grain, until at most so many stretches are left. */
static void coarsen(tacStrip *strip, size_t most) {
    while (strip->stretches.count > most && strip->grain < INT64_MAX / 2) {
        size_t count = strip->stretches.count;
        strip->grain = strip->grain ? strip->grain * 2 : 1;
        strip->stretches.count = 0;
        for (size_t i = 0; i < count; i++) { /* there is room, and each goes to its own place or one before it */
            tacStateStretch stretch = strip->stretches.at[i];
            add(strip, stretch.begin, stretch.end, stretch.state);
        }
    }
}

/* Ends the state in which the instance is. Nothing is kept of one that took no time, unless it is the only one. */
static void endState(tacModelTables *all, tacStrip *strip, int64_t time) {
    const tacStripWish *wish = &all->wish;
    bool outside = (wish->from != TAC_UNKNOWN && time < wish->from)
        || (wish->to != TAC_UNKNOWN && strip->since > wish->to);
    if (!outside && time > strip->since && !add(strip, strip->since, time, strip->state)) all->failed = true;
    strip->since = time;
    if (strip->stretches.count >= 2 * wish->most) coarsen(strip, wish->most);
}

/* Number of the strip of an instance; TAC_NONE: it is not wanted. */
static uint32_t wanted(const tacModelTables *all, uint64_t index) {
    size_t low = 0, high = all->wish.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->wish.indices[middle] < index) low = middle + 1;
        else high = middle;
    }
    return low < all->wish.n && all->wish.indices[low] == index ? (uint32_t) low : TAC_NONE;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Makes room for a place. */
static bool reach(Table *table, uint32_t place) {
    while (table->places.count <= place) {
        if (!tacArrayPush(&table->places, TAC_NONE)) return false;
        for (size_t i = 0; i < table->words; i++)
            if (!tacArrayPush(&table->took, 0)) return false;
    }
    return true;
}

void tacModelBegins(tacModelTables *all, size_t k, uint32_t place, uint32_t object, const tacWord *key, int64_t time) {
    Table *table = &all->tables[k];
    if (all->failed || !reach(table, place)) {
        all->failed = true;
        return;
    }
    uint32_t *number = &table->places.at[place];
    if (table->words) memset(table->took.at + place * table->words, 0, table->words * sizeof *table->took.at);
    *number = wanted(all, table->first + table->tally.instances);
    table->tally.instances++;
    if (*number == TAC_NONE) return;
    tacStrip *strip = &all->strips[*number];
    strip->automaton = k;
    strip->object = object;
    strip->begin = strip->end = strip->since = time;
    strip->state = table->automaton->initial;
    strip->key = key ? tacCopyText(key->at, key->length) : NULL;
    all->failed |= key && !strip->key;
}

void tacModelTakes(tacModelTables *all, size_t k, uint32_t place, uint32_t transition, int64_t time) {
    if (all->failed) return;
    Table *table = &all->tables[k];
    tacEdgeTally *edge = &table->tally.edges[transition];
    uint64_t *took = &table->took.at[place * table->words + transition / BITS], bit = (uint64_t) 1 << transition % BITS;
    uint32_t to = table->automaton->transitions.at[transition].to, strip = table->places.at[place];
    edge->taken++;
    edge->instances += !(*took & bit);
    *took |= bit;
    if (strip == TAC_NONE || all->strips[strip].state == to) return;
    endState(all, &all->strips[strip], time);
    all->strips[strip].state = to;
}

void tacModelJudges(tacModelTables *all, size_t k, uint32_t constraint, tacVerdict verdict) {
    all->tables[k].tally.judged[constraint][verdict]++;
}

void tacModelStays(tacModelTables *all, size_t k, const tacStatement *invariant, tacVerdict verdict) {
    Table *table = &all->tables[k];
    for (size_t i = 0; i < table->automaton->invariants.count; i++)
        if (table->automaton->invariants.at[i].statement == invariant) table->tally.stays[i][verdict]++;
}

void tacModelEnds(tacModelTables *all, size_t k, uint32_t place, tacVerdict verdict, int64_t time) {
    if (all->failed) return;
    Table *table = &all->tables[k];
    uint32_t number = table->places.at[place];
    table->tally.verdicts[verdict]++;
    if (number == TAC_NONE) return;
    tacStrip *strip = &all->strips[number];
    endState(all, strip, time);
    coarsen(strip, all->wish.most);
    strip->end = time;
    strip->verdict = verdict;
    table->places.at[place] = TAC_NONE;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

const tacModelTally *tacModelTallyOf(const tacModelTables *all, size_t k) {
    return all->failed ? NULL : &all->tables[k].tally;
}

const tacStrip *tacModelStrips(const tacModelTables *all, size_t *count) {
    *count = all->failed ? 0 : all->wish.n;
    return all->failed ? NULL : all->strips;
}
