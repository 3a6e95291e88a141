/*
 * judgeEvents.c -- expectations about events: one walk over the rows for all of them.
 *
 *   patterns --by event and subject--> places --a row fits--> how often, the last one, the nearest one, the next in
 *                                                             order; a stream judges it at once (judgeStream.c)
 *
 * A row looks for the patterns that name its subject, its job's task, or no subject. So a row costs the patterns that
 * fit it, however many others there are.
 */
#include "base/port.h"

#include "judge/expectation.h"

#include <string.h>

typedef struct Place { /* a pattern that is looked for */
    const tacEventPattern *pattern;
    struct State *state;
    uint32_t index; /* among the patterns of its expectation */
    uint32_t after; /* the next place of the same key, or TAC_NONE */
    uint32_t last;  /* row of the last event that fits, or TAC_NONE */
} Place;

typedef struct State { /* of an expectation */
    const tacExpectation *expectation;
    uint32_t firstPlace;
    uint32_t reached; /* ORDER: patterns that were found */
    uint32_t row;     /* ORDER: of the last one; EVENT: the nearest one outside of the window; COUNT: the last in it;
                       * TAC_NONE */
    uint64_t count;   /* events in the window */
    tacStream *stream;
} State;

enum { BY_EVENT, BY_SUBJECT, BY_TASK };

typedef struct Slot {
    uint64_t key;
    uint32_t place; /* the first; TAC_NONE: a free slot */
} Slot;

struct tacWatch {
    const tacExpectation *expectations;
    uint32_t *states; /* by expectation: index of its state, or TAC_NONE */
    TAC_ARRAY(State) all;
    TAC_ARRAY(Place) places;
    tacUnknowns unknowns; /* where streams cannot be judged */
    Slot *slots;          /* nSlots, a power of two; at most half of them used */
    size_t nSlots;
    uint8_t kinds[TAC_EVENTS]; /* bits 1 << BY_: how events of this kind are looked for */
};

/* ---- the index --------------------------------------------------------------------------------------------------- */

static uint64_t keyOf(tacEvent event, int by, uint32_t index) {
    return ((uint64_t) event << 34) | ((uint64_t) by << 32) | index;
}

static Slot *slotOf(const tacWatch *watch, uint64_t key) {
    size_t at = (size_t) ((key * 0x9E3779B97F4A7C15ull) >> 20);
    while (
        watch->slots[at & (watch->nSlots - 1)].place != TAC_NONE && watch->slots[at & (watch->nSlots - 1)].key != key)
        at++;
    return &watch->slots[at & (watch->nSlots - 1)];
}

static bool makeIndex(tacWatch *watch) {
    for (watch->nSlots = 16; watch->nSlots < 2 * watch->places.count; watch->nSlots *= 2)
        ;
    if (!(watch->slots = tacAlloc(watch->nSlots * sizeof *watch->slots))) return false;
    for (size_t i = 0; i < watch->nSlots; i++) watch->slots[i].place = TAC_NONE;
    for (size_t i = watch->places.count; i-- > 0;) { /* so that the places of a key are in order */
        Place *place = &watch->places.at[i];
        const tacMatch *subject = &place->pattern->subject;
        if (subject->kind == TAC_MATCH_NEVER) continue;
        int by = subject->kind == TAC_MATCH_VALUE ? BY_SUBJECT : subject->kind == TAC_MATCH_TASK ? BY_TASK : BY_EVENT;
        uint64_t key = keyOf(place->pattern->event, by, by == BY_EVENT ? 0 : (uint32_t) subject->value);
        Slot *slot = slotOf(watch, key);
        place->after = slot->place;
        *slot = (Slot){key, (uint32_t) i};
        watch->kinds[place->pattern->event] |= (uint8_t) (1 << by);
    }
    return true;
}

static bool isWatched(const tacExpectation *e) {
    return e->patterns.count
        && (e->kind == TAC_EXPECT_EVENT || e->kind == TAC_EXPECT_ORDER || e->kind == TAC_EXPECT_COUNT
            || e->kind == TAC_EXPECT_STREAM);
}

static bool addPlaces(tacWatch *watch, const tacModel *model, size_t n) {
    if (!(watch->states = tacAlloc((n + 1) * sizeof *watch->states)) || !tacArrayReserve(&watch->all, n)) return false;
    for (size_t i = 0; i < n; i++) {
        const tacExpectation *e = &watch->expectations[i];
        watch->states[i] = isWatched(e) ? (uint32_t) watch->all.count : TAC_NONE;
        if (!isWatched(e)) continue;
        State *state = &watch->all.at[watch->all.count++];
        *state = (State){.expectation = e, .firstPlace = (uint32_t) watch->places.count, .row = TAC_NONE};
        if (e->kind == TAC_EXPECT_STREAM && !(state->stream = tacStreamNew(model, e, &watch->unknowns))) return false;
        for (uint32_t k = 0; k < e->patterns.count; k++)
            if (!tacArrayPush(&watch->places,
                    (Place){.pattern = &e->patterns.at[k], .state = state, .index = k, .last = TAC_NONE}))
                return false;
    }
    return true;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static uint64_t distance(const tacModel *model, uint32_t row, int64_t t) {
    int64_t at = tacRowTime(model->store, row);
    return at > t ? (uint64_t) at - (uint64_t) t : (uint64_t) t - (uint64_t) at;
}

/* A row fits the pattern of a place. */
static void meet(const tacModel *model, Place *place, uint32_t row) {
    State *state = place->state;
    const tacExpectation *e = state->expectation;
    int64_t t = tacRowTime(model->store, row);
    place->last = row;
    if (state->stream) {
        tacStreamMeet(state->stream, row);
        return;
    }
    if (e->kind == TAC_EXPECT_ORDER) {
        if (place->index != state->reached || state->row == row) return;
        state->reached++;
        state->row = row;
        return;
    }
    bool inside = !e->fromWord.length || (tacLimitCompare(t, &e->from) >= 0 && tacLimitCompare(t, &e->to) <= 0);
    state->count += inside;
    if (e->kind == TAC_EXPECT_COUNT) {
        if (inside) state->row = row;
    } else if (state->row == TAC_NONE
        || distance(model, row, e->from.ticks) < distance(model, state->row, e->from.ticks))
        state->row = row;
}

static void meetAll(const tacWatch *watch, const tacModel *model, uint64_t key, uint32_t row) {
    for (uint32_t at = slotOf(watch, key)->place; at != TAC_NONE; at = watch->places.at[at].after)
        if (tacEventPatternFits(watch->places.at[at].pattern, model, row)) meet(model, &watch->places.at[at], row);
}

static void meetRow(const tacWatch *watch, const tacModel *model, uint32_t row, tacEvent event) {
    unsigned kinds = watch->kinds[event];
    if (kinds & 1 << BY_SUBJECT) meetAll(watch, model, keyOf(event, BY_SUBJECT, tacRowSubject(model->store, row)), row);
    if (kinds & 1 << BY_TASK) {
        uint32_t task = tacRowTask(model, row);
        if (task != TAC_NONE) meetAll(watch, model, keyOf(event, BY_TASK, task), row);
    }
    if (kinds & 1 << BY_EVENT) meetAll(watch, model, keyOf(event, BY_EVENT, 0), row);
}

tacStatus tacWatchRows(tacJudging *judging, const tacExpectation *expectations, size_t n, tacWatch **out) {
    const tacStore *store = judging->model->store;
    tacWatch *watch = *out = tacAllocZero(1, sizeof *watch);
    if (!watch) return tacFailMemory(judging->err);
    watch->expectations = expectations;
    if (!tacUnknownsFind(judging->model, NULL, &watch->unknowns) || !addPlaces(watch, judging->model, n)
        || !makeIndex(watch))
        return tacFailMemory(judging->err);
    uint32_t rows = watch->places.count ? tacStoreCount(store) : 0;
    for (uint32_t row = 0; row < rows; row++) {
        tacEvent event = tacRowEvent(store, row);
        if (watch->kinds[event]) meetRow(watch, judging->model, row, event);
        if (!tacProgressAt(judging->progress, row)) return tacFailStopped(judging->err, judging->progress);
    }
    for (size_t i = 0; i < watch->all.count; i++)
        if (watch->all.at[i].stream && tacStreamEnd(watch->all.at[i].stream, judging->err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

void tacWatchFree(tacWatch *watch) {
    if (!watch) return;
    for (size_t i = 0; i < watch->all.count; i++) tacStreamFree(watch->all.at[i].stream);
    tacArrayFree(&watch->unknowns);
    tacFree(watch->states);
    tacArrayFree(&watch->all);
    tacArrayFree(&watch->places);
    tacFree(watch->slots);
    tacFree(watch);
}

/* ---- what was found ---------------------------------------------------------------------------------------------- */

tacJudgement tacJudgementAt(const tacModel *model, const tacEventPattern *pattern, uint32_t row) {
    const tacStore *store = model->store;
    tacJudgement found = {.verdict = TAC_VERDICT_INVALID, .begin = TAC_UNKNOWN, .end = TAC_UNKNOWN};
    if (row != TAC_NONE) {
        found.begin = tacRowTime(store, row);
        found.line = tacRowLine(store, row);
    }
    found.nObjects = pattern->words.words.count > 1
        && tacFindObject(model, &pattern->words.words.at[1], &found.objects[0]);
    return found;
}

void tacSayPattern(tacJudging *judging, const tacEventPattern *pattern) {
    tacSay(judging, "{");
    tacSayWord(judging, &pattern->text);
    tacSay(judging, "}");
}

static void sayWindow(tacJudging *judging, const tacExpectation *e) {
    const tacWord *from = &e->fromWord, *to = &e->toWord;
    bool instant = from->length == to->length && memcmp(from->at, to->at, to->length) == 0;
    tacSay(judging, instant ? " at " : " from ");
    tacSayMomentDecimal(judging, from->at, from->length);
    if (instant) return;
    tacSay(judging, " to ");
    tacSayMomentDecimal(judging, to->at, to->length);
}

static tacStatus tellEvent(tacJudging *judging, const State *state) {
    const tacExpectation *e = state->expectation;
    if (state->count) return TAC_OK;
    tacSay(judging, "expected ");
    tacSayPattern(judging, &e->patterns.at[0]);
    sayWindow(judging, e);
    if (state->row == TAC_NONE) tacSay(judging, ", but it never happened");
    else {
        tacSay(judging, ", but it happened at ");
        tacSayMoment(judging, tacRowTime(judging->model->store, state->row));
    }
    return tacJudgingTell(judging, e->statement, tacJudgementAt(judging->model, &e->patterns.at[0], state->row));
}

static tacStatus tellCount(tacJudging *judging, const State *state) {
    const tacExpectation *e = state->expectation;
    if (tacLimitHolds((int64_t) state->count, e->op, &e->limit)) return TAC_OK;
    tacSayPattern(judging, &e->patterns.at[0]);
    tacSay(judging, " happened %llu time%s", (unsigned long long) state->count, state->count == 1 ? "" : "s");
    if (e->fromWord.length) sayWindow(judging, e);
    tacSay(judging, ", expected %.*s ", TAC_SHOWN(&e->operatorWord));
    tacSayWord(judging, &e->value);
    return tacJudgingTell(judging, e->statement, tacJudgementAt(judging->model, &e->patterns.at[0], state->row));
}

static tacStatus tellOrder(const tacWatch *watch, tacJudging *judging, const State *state) {
    const tacExpectation *e = state->expectation;
    const tacStore *store = judging->model->store;
    if (state->reached == e->patterns.count) return TAC_OK;
    const tacEventPattern *pattern = &e->patterns.at[state->reached];
    uint32_t last = watch->places.at[state->firstPlace + state->reached].last;
    tacSay(judging, "expected ");
    tacSayPattern(judging, pattern);
    if (state->reached) {
        tacSay(judging, " after ");
        tacSayPattern(judging, pattern - 1);
        if (last != TAC_NONE) {
            tacSay(judging, " at ");
            tacSayMoment(judging, tacRowTime(store, state->row));
        }
    }
    if (last == TAC_NONE) tacSay(judging, ", but it never happened");
    else {
        tacSay(judging, ", but it happened at ");
        tacSayMoment(judging, tacRowTime(store, last));
        tacSay(judging, " last");
    }
    return tacJudgingTell(judging, e->statement, tacJudgementAt(judging->model, pattern, last));
}

tacStatus tacWatchTell(const tacWatch *watch, tacJudging *judging, const tacExpectation *e) {
    const State *state = &watch->all.at[watch->states[e - watch->expectations]];
    switch (e->kind) {
    case TAC_EXPECT_EVENT: return tellEvent(judging, state);
    case TAC_EXPECT_COUNT: return tellCount(judging, state);
    case TAC_EXPECT_STREAM: return tacStreamTell(state->stream, judging, e);
    default: return tellOrder(watch, judging, state);
    }
}
