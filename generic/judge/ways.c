/*
 * ways.c -- transitions by the object, task or text that they wait for.
 */
#include "base/port.h"

#include "judge/ways.h"

enum { BY_SUBJECT, BY_TASK, BYS };
enum { FEW = 3 }; /* so many are as fast one after the other */

struct tacWaySlot {
    uint64_t key;
    uint32_t way; /* the first; TAC_NONE: a free slot */
};

static uint64_t keyOf(uint32_t place, int by, uint32_t value) {
    return ((uint64_t) place * BYS + (uint64_t) by) << 32 | value;
}

static tacWaySlot *slotOf(const tacWayIndex *index, uint64_t key) {
    uint64_t mixed = (key ^ key >> 29) * 0x9E3779B97F4A7C15ull;
    size_t at = (size_t) (mixed >> 20), mask = index->nSlots - 1;
    while (index->slots[at & mask].way != TAC_NONE && index->slots[at & mask].key != key) at++;
    return &index->slots[at & mask];
}

/* Does the transition wait for a single value? */
static bool hasKey(const tacAutomaton *a, uint32_t way, const tacStore *store, int *by, uint32_t *value) {
    return tacTriggerValue(&a->transitions.at[a->ways.at[way].transition].trigger, store, by, value);
}

static size_t keysOf(const tacAutomaton *a, uint32_t place, const tacStore *store) {
    size_t n = 0;
    int by;
    uint32_t value;
    for (uint32_t way = a->cells[place]; way != TAC_NONE; way = a->ways.at[way].next)
        n += hasKey(a, way, store, &by, &value);
    return n;
}

/* Adds a copy of a way in front of a list. */
static bool prepend(tacAutomaton *a, uint32_t way, uint32_t *list) {
    if (!tacArrayPush(&a->ways, (tacWay){a->ways.at[way].transition, *list})) return false;
    *list = (uint32_t) a->ways.count - 1;
    return true;
}

/* Parts the ways of a place into those of a value and the rest. */
static bool part(tacAutomaton *a, uint32_t place, const tacStore *store) {
    TAC_ARRAY(uint32_t) all = {0};
    bool fine = true;
    for (uint32_t way = a->cells[place]; way != TAC_NONE && fine; way = a->ways.at[way].next)
        fine = tacArrayPush(&all, way);
    a->index.rest[place] = TAC_NONE;
    for (size_t i = all.count; i-- > 0 && fine;) { /* so that lists are in the order of the file */
        int by;
        uint32_t value;
        if (!hasKey(a, all.at[i], store, &by, &value)) {
            fine = prepend(a, all.at[i], &a->index.rest[place]);
            continue;
        }
        tacWaySlot *slot = slotOf(&a->index, keyOf(place, by, value));
        slot->key = keyOf(place, by, value);
        fine = prepend(a, all.at[i], &slot->way);
    }
    tacArrayFree(&all);
    return fine;
}

bool tacWayIndexMake(tacAutomaton *a, const tacModel *model) {
    size_t places = (tacInternCount(&a->states) + 1) * TAC_CELLS, keys = 0;
    TAC_ARRAY(uint32_t) many = {0};
    bool fine = true;
    for (uint32_t place = 0; place < places && fine; place++) {
        size_t n = keysOf(a, place, model->store);
        if (n <= FEW) continue;
        keys += n;
        fine = tacArrayPush(&many, place);
    }
    if (many.count && fine) {
        tacWayIndex *index = &a->index;
        for (index->nSlots = 16; index->nSlots < 2 * keys; index->nSlots *= 2)
            ;
        index->rest = tacAlloc(places * sizeof *index->rest);
        index->slots = tacAlloc(index->nSlots * sizeof *index->slots);
        fine = index->rest && index->slots;
        for (size_t i = 0; i < places && fine; i++) index->rest[i] = a->cells[i];
        for (size_t i = 0; i < index->nSlots && fine; i++) index->slots[i].way = TAC_NONE;
    }
    for (size_t i = 0; i < many.count && fine; i++) fine = part(a, many.at[i], model->store);
    tacArrayFree(&many);
    return fine;
}

void tacWayIndexFree(tacWayIndex *index) {
    tacFree(index->rest);
    tacFree(index->slots);
}

tacWayWalk tacWaysIndexed(const tacAutomaton *a, uint32_t place, const tacOccurrence *o) {
    tacWayWalk walk = {a, {a->index.rest[place], TAC_NONE, TAC_NONE}};
    if (o->change || walk.lists[0] == a->cells[place]) return walk; /* it is not parted */
    const tacStore *store = o->model->store;
    walk.lists[1] = slotOf(&a->index, keyOf(place, BY_SUBJECT, tacRowSubject(store, o->row)))->way;
    uint32_t task = tacRowTask(o->model, o->row);
    if (task != TAC_NONE) walk.lists[2] = slotOf(&a->index, keyOf(place, BY_TASK, task))->way;
    return walk;
}

const tacTransition *tacWaysMerge(tacWayWalk *walk) {
    const tacAutomaton *a = walk->automaton;
    uint32_t *first = NULL;
    for (int i = 0; i < TAC_WAY_LISTS; i++) {
        uint32_t *list = &walk->lists[i];
        if (*list == TAC_NONE) continue;
        if (!first || a->ways.at[*list].transition < a->ways.at[*first].transition) first = list;
    }
    if (!first) return NULL;
    uint32_t way = *first;
    *first = a->ways.at[way].next;
    return &a->transitions.at[a->ways.at[way].transition];
}
