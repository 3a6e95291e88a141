/*
 * invariant.c -- follows the stays of instances in states, and judges what must hold in them.
 *
 * The instances that are due at some moment are a heap, in which each has its place (Stay.heapAt).
 */
#include "base/port.h"

#include "judge/invariant.h"
#include "judge/limit.h"
#include "trace/times.h"

#include <string.h>

typedef struct Stay { /* of an instance, by its place */
    bool lives, touched;
    uint32_t state;
    int64_t entered; /* time */
    int64_t looked;  /* time of the last look */
    int64_t due;     /* of the next one without a change; INT64_MAX: none */
    uint32_t heapAt; /* place in the heap, or TAC_NONE */
    uint32_t openAt; /* place in the list of those that are looked at always, or TAC_NONE */
} Stay;

typedef struct Watch { /* of an invariant in a stay */
    bool told;         /* that it is violated */
    __int128 unknown;  /* what nobody knew of the instance's jobs before the stay: ticks */
    char *doubt;       /* the first reason for which it was not known: a sentence, or NULL */
    bool seen;         /* of a limit that is to be found: there was a value; */
    tacSoughtValue worst;
} Watch;

enum { ON_TRANSITIONS = 1, ON_JOBS = 2, NEVERS = 4 }; /* changes of variables, of jobs; states that jobs are not in */

struct tacStays {
    const tacInvariant *invariants;
    size_t n;
    const tacInternTable *states, *variables;
    tacStaysHost host;
    uint8_t *depends; /* by state, on what its invariants depend; 0: it has none */
    TAC_ARRAY(Stay) stays;
    TAC_ARRAY(Watch) watches;    /* n of each place */
    TAC_ARRAY(uint32_t) touched; /* places */
    TAC_ARRAY(uint32_t) open;    /* places that are looked at always */
    TAC_ARRAY(uint32_t) heap;    /* places, by due */
    tacAgenda *agenda;
    bool waits; /* it is in its list */
};

/* Has the stays looked at with the next row. */
static bool await(tacStays *s) {
    if (s->waits) return true;
    s->waits = true;
    return tacArrayPush(&s->agenda->waiting, s);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Is it a time that grows as long as something is the case? */
static bool isTimer(const tacExpression *expression) {
    const tacNode *node = expression->nodes.at;
    if (expression->nodes.count != 1) return false;
    return node->kind == TAC_NODE_PAST ? node->past == TAC_PAST_STAY
                                       : node->kind == TAC_NODE_SINCE && tacSinces[node->since].time;
}

static bool isNumber(const tacExpression *expression) {
    return expression->nodes.count == 1 && expression->nodes.at[0].kind == TAC_NODE_NUMBER
        && !expression->nodes.at[0].percent;
}

/* Does the value of an operand change only by changes of the instance's jobs, or by time where it is a timer? */
static bool isCalm(const tacNode *node, const tacAsks *asks, bool whole) {
    if (node->kind == TAC_NODE_PAST) return node->past == TAC_PAST_STAY;
    if (node->kind != TAC_NODE_SINCE) return false;
    if (node->memory == TAC_NONE) return true;
    return whole && node->since <= TAC_SINCE_SWITCHES && tacQuantityIsOwn(&asks->memories.at[node->memory].quantity);
}

void tacInvariantPrepare(tacInvariant *invariant, const tacAsks *asks, bool whole, int digits) {
    tacRelationTest *test = &invariant->test;
    if (invariant->never) return;
    tacRelationTestPrepare(test, digits);
    if (test->sought) return;
    bool below = test->op == TAC_BELOW || test->op == TAC_AT_MOST;
    bool above = test->op == TAC_ABOVE || test->op == TAC_AT_LEAST;
    const tacExpression *timer = below ? &test->left : &test->right, *limit = below ? &test->right : &test->left;
    if ((below || above) && isTimer(timer) && isNumber(limit)) {
        invariant->timed = true;
        invariant->timer = timer->nodes.at;
        invariant->atMost = test->op == TAC_AT_MOST || test->op == TAC_AT_LEAST;
        invariant->limit = limit->nodes.at[0].number;
        for (int i = 0; i < digits && invariant->timed; i++)
            invariant->timed = !__builtin_mul_overflow(invariant->limit.over, (__int128) 10, &invariant->limit.over);
        if (invariant->timed && isCalm(invariant->timer, asks, whole)) invariant->look = TAC_LOOK_WHEN_DUE;
    }
    const tacNode *left = test->left.nodes.at;
    bool counts = test->left.nodes.count == 1 && left->kind == TAC_NODE_SINCE && !tacSinces[left->since].time;
    if (counts && isNumber(&test->right) && isCalm(left, asks, whole)) invariant->look = TAC_LOOK_AT_CHANGES;
}

/* ---- the heap ---------------------------------------------------------------------------------------------------- */

static void put(tacStays *s, size_t at, uint32_t place) {
    s->heap.at[at] = place;
    s->stays.at[place].heapAt = (uint32_t) at;
}

/* Moves an entry to where it belongs. */
static void sift(tacStays *s, size_t at) {
    uint32_t place = s->heap.at[at];
    int64_t due = s->stays.at[place].due;
    size_t n = s->heap.count;
    for (; at > 0 && due < s->stays.at[s->heap.at[(at - 1) / 2]].due; at = (at - 1) / 2)
        put(s, at, s->heap.at[(at - 1) / 2]);
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && s->stays.at[s->heap.at[child + 1]].due < s->stays.at[s->heap.at[child]].due) child++;
        if (due <= s->stays.at[s->heap.at[child]].due) break;
        put(s, at, s->heap.at[child]);
    }
    put(s, at, place);
}

static void takeOut(tacStays *s, uint32_t place) {
    size_t at = s->stays.at[place].heapAt;
    if (at == TAC_NONE) return;
    uint32_t last = s->heap.at[--s->heap.count];
    s->stays.at[place].heapAt = TAC_NONE;
    if (last == place) return;
    put(s, at, last);
    sift(s, at);
}

/* Notes when an instance is to be looked at next; open: always. */
static bool schedule(tacStays *s, uint32_t place, int64_t due, bool open) {
    Stay *stay = &s->stays.at[place];
    if (open && stay->openAt == TAC_NONE) {
        stay->openAt = (uint32_t) s->open.count;
        if (!tacArrayPush(&s->open, place) || !await(s)) return false;
    } else if (!open && stay->openAt != TAC_NONE) {
        uint32_t last = s->open.at[--s->open.count];
        s->open.at[stay->openAt] = last;
        s->stays.at[last].openAt = stay->openAt;
        stay->openAt = TAC_NONE;
    }
    if (stay->due == due && (stay->heapAt != TAC_NONE || due == INT64_MAX)) return true;
    stay->due = due;
    if (due < s->agenda->due) s->agenda->due = due;
    if (due == INT64_MAX) return takeOut(s, place), true;
    if (stay->heapAt == TAC_NONE) {
        stay->heapAt = (uint32_t) s->heap.count;
        if (!tacArrayPush(&s->heap, place)) return false;
    }
    sift(s, stay->heapAt);
    return true;
}

/* ---- sentences --------------------------------------------------------------------------------------------------- */

static Watch *watchOf(tacStays *s, uint32_t place, size_t i) { return &s->watches.at[place * s->n + i]; }

static void say(const tacStays *s, const tacInvariant *invariant, const tacOutcome *outcome, const tacAsking *asking,
    tacText *text) {
    tacTextPrintf(
        text, "in state %s, %s ", tacInternName(s->states, invariant->state, NULL), invariant->test.left.text);
    tacOutcomeSay(outcome, asking, &invariant->test, s->variables, text);
    tacTextPrintf(text, ", required %s %s", tacComparisonWords[invariant->test.op], invariant->test.right.text);
}

/* Keeps the first reason for which an invariant is not known. */
static bool keepDoubt(const tacStays *s, const tacInvariant *invariant, const tacOutcome *outcome,
    const tacAsking *asking, Watch *watch) {
    tacText text = {0};
    if (watch->doubt) return true;
    say(s, invariant, outcome, asking, &text);
    if (text.failed) tacTextFree(&text);
    watch->doubt = text.at;
    return watch->doubt != NULL;
}

/* Keeps the value of a limit that is to be found, if it is the worst in this stay. Where it is not known, what breaks a
 * limit for certain is the end of its range that is nearer to it. */
static void keepWorst(const tacInvariant *invariant, const tacOutcome *outcome, const tacOccurrence *o, Watch *watch) {
    tacFraction value = outcome->sides.left;
    bool upper = tacIsUpperBound(invariant->test.op);
    int order = 0;
    if (outcome->verdict == TAC_VERDICT_UNCERTAIN) {
        if (!outcome->ranges || !tacFractionCompare(&outcome->most, &value, &order)) return;
        if (upper ? order < 0 : order > 0) value = outcome->most;
    }
    if (!value.under || (watch->seen && !tacFractionCompare(&value, &watch->worst.value, &order))) return;
    if (watch->seen && (upper ? order <= 0 : order >= 0)) return;
    watch->seen = true;
    watch->worst = (tacSoughtValue){.value = value, .time = o->now, .row = o->row};
}

static void forgetDoubts(tacStays *s, uint32_t place) {
    for (size_t i = 0; i < s->n; i++) {
        tacFree(watchOf(s, place, i)->doubt);
        *watchOf(s, place, i) = (Watch){.told = false};
    }
}

/* Hands over the worst values of the state that is left, for limits that are to be found. */
static bool handSought(tacStays *s, uint32_t place) {
    for (size_t i = 0; i < s->n; i++) {
        Watch *watch = watchOf(s, place, i);
        bool here = s->invariants[i].state == s->stays.at[place].state && s->invariants[i].test.sought;
        if (here && (watch->seen || watch->doubt)
            && !s->host.seek(s->host.data, place, i, watch->seen ? &watch->worst : NULL, !watch->doubt))
            return false;
    }
    return true;
}

/* Says for how long it was unknown whether jobs were in a state in which they must not be, if it was. */
static void sayUnknown(
    const tacStays *s, const tacInvariant *invariant, const Watch *watch, const tacAsking *asking, tacText *text) {
    __int128 ticks = tacMemoryAmount(asking, invariant->doubt) - watch->unknown;
    if (ticks <= 0 || invariant->jobState == TAC_STATE_UNKNOWN) return;
    tacTextPrintf(text,
        "in state %s, %s is not known (so much of it is unknown: ", tacInternName(s->states, invariant->state, NULL),
        tacStateNames[invariant->jobState]);
    tacTimeSay(asking->model->store, ticks > TAC_MORE ? TAC_MORE : (int64_t) ticks, text);
    tacTextAdd(text, ")", 1);
}

/* Notes what is unknown of the instance's jobs at the begin of a stay. */
static void noteUnknown(tacStays *s, uint32_t place, uint32_t state, const tacOccurrence *o) {
    if (!(s->depends[state] & NEVERS)) return;
    tacAsking asking = s->host.asking(s->host.data, place, o);
    for (size_t i = 0; i < s->n; i++)
        if (s->invariants[i].never) watchOf(s, place, i)->unknown = tacMemoryAmount(&asking, s->invariants[i].doubt);
}

/* Tells what was not known in the state that is left. */
static tacStatus tellDoubts(tacStays *s, uint32_t place, const tacOccurrence *o, tacError *err) {
    uint8_t depends = s->depends[s->stays.at[place].state];
    tacAsking asking;
    if (depends & NEVERS) asking = s->host.asking(s->host.data, place, o);
    for (size_t i = 0; i < s->n && depends; i++) {
        Watch *watch = watchOf(s, place, i);
        tacText text = {0};
        if (watch->told || s->invariants[i].state != s->stays.at[place].state) continue;
        if (s->invariants[i].never) sayUnknown(s, &s->invariants[i], watch, &asking, &text);
        else if (watch->doubt) tacTextAddString(&text, watch->doubt);
        if (!text.at && !text.failed) continue;
        if (s->host.tell(s->host.data, place, TAC_VERDICT_UNCERTAIN, o, s->invariants[i].statement, &text, err)
            != TAC_OK)
            return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

/* The first tick, not before `low`, at which a time reaches its limit; it has by now. */
static int64_t reachedAt(const tacInvariant *invariant, const tacAsking *asking, int64_t low) {
    tacAsking then = *asking;
    int64_t high = asking->now;
    while (low < high) {
        then.now = low + (high - low) / 2;
        __int128 scaled;
        if (__builtin_mul_overflow(tacAmount(&then, invariant->timer), invariant->limit.under, &scaled)
            || scaled >= invariant->limit.over)
            high = then.now;
        else low = then.now + 1;
    }
    return high;
}

static tacStatus violate(tacStays *s, uint32_t place, const tacInvariant *invariant, tacOutcome *outcome,
    tacAsking *asking, const tacOccurrence *o, tacError *err) {
    tacOccurrence then = *o;
    tacText text = {0};
    if (invariant->timed) then.now = reachedAt(invariant, asking, s->stays.at[place].looked);
    if (then.now != asking->now) {
        asking->now = then.now;
        tacConstraintSides(&invariant->test, asking, &outcome->sides);
        asking->now = o->now;
    }
    outcome->beyond = invariant->timed && invariant->test.op == TAC_AT_MOST && outcome->sides.order == 0;
    watchOf(s, place, (size_t) (invariant - s->invariants))->told = true;
    say(s, invariant, outcome, asking, &text);
    return s->host.tell(s->host.data, place, TAC_VERDICT_INVALID, &then, invariant->statement, &text, err);
}

/* The tick at which a time that is within its limit will be beyond it, if nothing changes; INT64_MAX: never. */
static int64_t dueAt(const tacInvariant *invariant, const tacAsking *asking) {
    __int128 scaled, slope = tacAmountSlope(asking, invariant->timer), left, ticks;
    if (slope == 0) return INT64_MAX;
    if (__builtin_mul_overflow(tacAmount(asking, invariant->timer), invariant->limit.under, &scaled)
        || __builtin_sub_overflow(invariant->limit.over, scaled, &left)
        || __builtin_mul_overflow(slope, invariant->limit.under, &slope))
        return asking->now;
    ticks = invariant->atMost ? left / slope + 1 : (left + slope - 1) / slope;
    return ticks > (__int128) INT64_MAX - 1 - asking->now ? INT64_MAX : asking->now + (int64_t) ticks;
}

/* Is its verdict not the same until something changes, or it is due? */
static bool isOpen(const tacInvariant *invariant, const tacOutcome *outcome, const tacAsking *asking) {
    if (invariant->look == TAC_LOOK_ALWAYS) return true;
    if (outcome->verdict == TAC_VERDICT_UNCERTAIN)
        return outcome->why != TAC_NOT_STARTED && outcome->why != TAC_NOT_SET && outcome->why != TAC_NO_JOBS;
    const tacNode *node = invariant->timed ? invariant->timer : &invariant->test.left.nodes.at[0];
    return node->kind == TAC_NODE_SINCE && tacMayBeMore(asking, node);
}

/* Is a time that is known for certain within its limit, which most of them are? */
static bool isWithin(const tacInvariant *invariant, const tacAsking *asking) {
    const tacNode *timer = invariant->timer;
    __int128 scaled;
    if (!invariant->timed || invariant->look != TAC_LOOK_WHEN_DUE) return false;
    if (timer->kind == TAC_NODE_SINCE && (!asking->variables[timer->slot].started || timer->memory != TAC_NONE))
        return tacConstraintHolds(&invariant->test, asking);
    if (__builtin_mul_overflow(tacAmount(asking, timer), invariant->limit.under, &scaled)) return false;
    return invariant->atMost ? scaled <= invariant->limit.over : scaled < invariant->limit.over;
}

/* Judges the invariants of the state in which an instance is. */
static tacStatus look(tacStays *s, uint32_t place, const tacOccurrence *o, tacError *err) {
    Stay *stay = &s->stays.at[place];
    tacAsking asking = s->host.asking(s->host.data, place, o);
    int64_t due = INT64_MAX;
    bool open = false;
    asking.event = NULL;
    asking.entered = stay->entered;
    for (size_t i = 0; i < s->n; i++) {
        const tacInvariant *invariant = &s->invariants[i];
        if (invariant->never || invariant->state != stay->state || watchOf(s, place, i)->told) continue;
        bool within = isWithin(invariant, &asking)
            || (invariant->look == TAC_LOOK_AT_CHANGES && tacConstraintHolds(&invariant->test, &asking));
        tacOutcome outcome = {.verdict = TAC_VERDICT_VALID};
        if (!within) outcome = tacConstraintJudge(&invariant->test, &asking);
        if (outcome.verdict == TAC_VERDICT_INVALID) {
            if (violate(s, place, invariant, &outcome, &asking, o, err) != TAC_OK) return TAC_ERROR;
            continue;
        }
        if (outcome.verdict == TAC_VERDICT_UNCERTAIN
            && !keepDoubt(s, invariant, &outcome, &asking, watchOf(s, place, i)))
            return tacFailMemory(err);
        if (invariant->test.sought) keepWorst(invariant, &outcome, o, watchOf(s, place, i));
        open |= isOpen(invariant, &outcome, &asking);
        if (invariant->look != TAC_LOOK_WHEN_DUE || outcome.verdict != TAC_VERDICT_VALID) continue;
        int64_t next = dueAt(invariant, &asking);
        if (next < due) due = next;
    }
    stay->looked = o->now;
    return schedule(s, place, due, open) ? TAC_OK : tacFailMemory(err);
}

/* Jobs of the instance are in a state in which they must not be. */
static tacStatus forbid(tacStays *s, uint32_t place, size_t i, const tacOccurrence *o, tacError *err) {
    const tacInvariant *invariant = &s->invariants[i];
    tacText text = {0};
    if (watchOf(s, place, i)->told) return TAC_OK;
    watchOf(s, place, i)->told = true;
    tacTextPrintf(
        &text, "%s in state %s", tacStateNames[invariant->jobState], tacInternName(s->states, invariant->state, NULL));
    return s->host.tell(s->host.data, place, TAC_VERDICT_INVALID, o, invariant->statement, &text, err);
}

/* ---- stays ------------------------------------------------------------------------------------------------------- */

/* Notes on what the invariants of each state depend. */
static bool findDepends(tacStays *s) {
    s->depends = tacAllocZero(tacInternCount(s->states) + 1, sizeof *s->depends);
    for (size_t i = 0; s->depends && i < s->n; i++) {
        const tacInvariant *invariant = &s->invariants[i];
        bool ownTime = invariant->look == TAC_LOOK_WHEN_DUE && invariant->timer->memory == TAC_NONE;
        s->depends[invariant->state] |= invariant->never ? NEVERS : ON_TRANSITIONS;
        if (!invariant->never && !ownTime) s->depends[invariant->state] |= ON_JOBS;
    }
    return s->depends != NULL;
}

tacStays *tacStaysNew(const tacInvariant *invariants, size_t n, const tacInternTable *states,
    const tacInternTable *variables, tacStaysHost host, tacAgenda *agenda) {
    tacStays *s = tacAllocZero(1, sizeof *s);
    if (!s) return NULL;
    s->agenda = agenda;
    s->invariants = invariants;
    s->n = n;
    s->states = states;
    s->variables = variables;
    s->host = host;
    if (findDepends(s) && tacArrayPush(&agenda->all, s)) return s;
    tacStaysFree(s);
    return NULL;
}

void tacStaysFree(tacStays *s) {
    if (!s) return;
    for (size_t i = 0; i < s->watches.count; i++) tacFree(s->watches.at[i].doubt);
    tacFree(s->depends);
    tacArrayFree(&s->stays);
    tacArrayFree(&s->watches);
    tacArrayFree(&s->touched);
    tacArrayFree(&s->open);
    tacArrayFree(&s->heap);
    tacFree(s);
}

bool tacStaysBegin(tacStays *s, uint32_t place, uint32_t state, int64_t now, const tacOccurrence *o) {
    while (s->stays.count <= place) {
        for (size_t i = 0; i < s->n; i++)
            if (!tacArrayPush(&s->watches, (Watch){.told = false})) return false;
        if (!tacArrayPush(&s->stays, (Stay){.heapAt = TAC_NONE, .openAt = TAC_NONE})) return false;
    }
    Stay *stay = &s->stays.at[place];
    stay->lives = true;
    stay->state = state;
    stay->entered = stay->looked = now;
    stay->due = INT64_MAX;
    if (o) noteUnknown(s, place, state, o);
    return tacStaysTouch(s, place, false);
}

tacStatus tacStaysEnter(tacStays *s, uint32_t place, uint32_t state, const tacOccurrence *o, tacError *err) {
    Stay *stay = &s->stays.at[place];
    if (stay->state == state) return tacStaysTouch(s, place, false) ? TAC_OK : tacFailMemory(err);
    if (!handSought(s, place)) return tacFailMemory(err);
    if (tellDoubts(s, place, o, err) != TAC_OK) return TAC_ERROR;
    if (s->depends[stay->state]) forgetDoubts(s, place);
    noteUnknown(s, place, state, o);
    stay->state = state;
    stay->entered = stay->looked = o->now;
    if (!(s->depends[state] & ON_TRANSITIONS)) {
        if (!schedule(s, place, INT64_MAX, false)) return tacFailMemory(err);
    } else if (look(s, place, o, err) != TAC_OK) return TAC_ERROR;
    if (!(s->depends[state] & NEVERS)) return TAC_OK;
    tacAsking asking = s->host.asking(s->host.data, place, o);
    for (size_t i = 0; i < s->n; i++)
        if (s->invariants[i].never && s->invariants[i].state == state
            && tacMemorySlope(&asking, s->invariants[i].memory) > 0 && forbid(s, place, i, o, err) != TAC_OK)
            return TAC_ERROR;
    return TAC_OK;
}

tacStatus tacStaysEnd(tacStays *s, uint32_t place, const tacOccurrence *o, tacError *err) {
    if (place >= s->stays.count || !s->stays.at[place].lives) return TAC_OK;
    tacStatus status = handSought(s, place) ? tellDoubts(s, place, o, err) : tacFailMemory(err);
    forgetDoubts(s, place);
    s->stays.at[place].lives = false;
    return schedule(s, place, INT64_MAX, false) ? status : tacFailMemory(err);
}

bool tacStaysTouch(tacStays *s, uint32_t place, bool jobs) {
    const Stay *stay = place < s->stays.count ? &s->stays.at[place] : NULL;
    if (!stay || !stay->lives || stay->touched) return true;
    if (!(s->depends[stay->state] & (jobs ? ON_JOBS : ON_TRANSITIONS))) return true;
    s->stays.at[place].touched = true;
    return tacArrayPush(&s->touched, place) && await(s);
}

static tacStatus lookAll(tacStays *s, const tacOccurrence *o, tacError *err) {
    for (size_t i = 0; i < s->touched.count; i++) {
        Stay *stay = &s->stays.at[s->touched.at[i]];
        stay->touched = false;
        stay->looked = o->now; /* nothing was due until this change */
        if (stay->lives && stay->openAt == TAC_NONE && look(s, s->touched.at[i], o, err) != TAC_OK) return TAC_ERROR;
    }
    s->touched.count = 0;
    for (size_t i = s->open.count; i-- > 0;)
        if (i < s->open.count && look(s, s->open.at[i], o, err) != TAC_OK) return TAC_ERROR;
    while (s->heap.count && s->stays.at[s->heap.at[0]].due <= o->now) {
        uint32_t place = s->heap.at[0];
        if (look(s, place, o, err) != TAC_OK) return TAC_ERROR;
        if (s->heap.count && s->heap.at[0] == place && s->stays.at[place].due <= o->now) break;
    }
    return TAC_OK;
}

tacStatus tacAgendaLook(tacAgenda *agenda, const tacOccurrence *o, tacError *err) {
    if (TAC_LIKELY(!agenda->waiting.count && agenda->due > o->now)) return TAC_OK;
    bool due = agenda->due <= o->now;
    size_t kept = 0;
    for (size_t i = 0; !due && i < agenda->waiting.count; i++)
        if (lookAll(agenda->waiting.at[i], o, err) != TAC_OK) return TAC_ERROR;
    if (due) agenda->due = INT64_MAX;
    for (size_t i = 0; due && i < agenda->all.count; i++) {
        tacStays *s = agenda->all.at[i];
        if (lookAll(s, o, err) != TAC_OK) return TAC_ERROR;
        if (s->heap.count && s->stays.at[s->heap.at[0]].due < agenda->due) agenda->due = s->stays.at[s->heap.at[0]].due;
    }
    for (size_t i = 0; i < agenda->waiting.count; i++) {
        tacStays *s = agenda->waiting.at[i];
        s->waits = s->touched.count || s->open.count;
        if (s->waits) agenda->waiting.at[kept++] = s;
    }
    agenda->waiting.count = kept;
    return TAC_OK;
}

tacStatus tacStaysJob(tacStays *s, uint32_t place, tacJobState state, const tacOccurrence *o, tacError *err) {
    if (place >= s->stays.count || !s->stays.at[place].lives) return TAC_OK;
    for (size_t i = 0; i < s->n; i++)
        if (s->invariants[i].never && s->invariants[i].state == s->stays.at[place].state
            && s->invariants[i].jobState == state && forbid(s, place, i, o, err) != TAC_OK)
            return TAC_ERROR;
    return TAC_OK;
}
