/*
 * constraint.c -- variables, and the constraints that compare what happened since they were started.
 */
#include "base/port.h"

#include "judge/constraint.h"
#include "judge/kinds.h"
#include "judge/limit.h"
#include "trace/times.h"

#include <string.h>

/* ---- values ------------------------------------------------------------------------------------------------------ */

static int64_t power(int digits) {
    int64_t result = 1;
    while (digits-- > 0 && result <= INT64_MAX / 10) result *= 10;
    return result;
}

static bool inUnits(__int128 ticks, int digits, tacFraction *value) {
    if (digits <= 18) return tacFractionMake(ticks, power(digits), value);
    return tacFractionMake(ticks, (__int128) power(18) * power(digits - 18), value);
}

static const tacGauge *gaugeOf(const tacAsking *asking, uint32_t memory) {
    tacPlace place = asking->places[memory];
    return &asking->gauges[asking->blocks->begin[place.block] + place.at];
}

static inline __int128 grownOne(const tacAsking *asking, uint32_t memory) {
    return tacGaugeAt(gaugeOf(asking, memory), asking->now) - asking->memories[memory];
}

static TAC_NOINLINE __int128 grownMore(const tacAsking *asking, uint32_t memory) {
    __int128 sum = 0;
    for (; memory != TAC_NONE; memory = asking->places[memory].also) sum += grownOne(asking, memory);
    return sum;
}

/* What a total has grown by since a variable was started. */
static inline __int128 grown(const tacAsking *asking, uint32_t memory) {
    return TAC_LIKELY(asking->places[memory].also == TAC_NONE) ? grownOne(asking, memory) : grownMore(asking, memory);
}

/* Has it grown? Most totals of unknown time have never grown at all. */
static inline bool hasGrown(const tacAsking *asking, uint32_t memory) {
    const tacGauge *gauge = gaugeOf(asking, memory);
    bool alone = asking->places[memory].also == TAC_NONE;
    if (TAC_LIKELY(alone && !gauge->slope && gauge->base == asking->memories[memory])) return false;
    return grownMore(asking, memory) != 0;
}

/* Ticks since the variable's start in which a state is unknown, so that there may be more. */
static int64_t unknownOf(const tacAsking *asking, const tacNode *node) {
    if (node->doubt == TAC_NONE || !asking->variables[node->slot].started) return 0;
    __int128 ticks = grown(asking, node->doubt);
    return ticks > TAC_MORE ? TAC_MORE : (int64_t) ticks;
}

__int128 tacAmount(const tacAsking *asking, const tacNode *node) {
    if (node->kind == TAC_NODE_PAST) return (__int128) asking->now - asking->entered;
    return node->memory == TAC_NONE ? (__int128) asking->now - asking->variables[node->slot].time
                                    : grown(asking, node->memory);
}

__int128 tacMemoryAmount(const tacAsking *asking, uint32_t memory) {
    return tacGaugeAt(gaugeOf(asking, memory), asking->now);
}

int64_t tacMemorySlope(const tacAsking *asking, uint32_t memory) {
    int64_t slope = 0;
    for (; memory != TAC_NONE; memory = asking->places[memory].also) {
        const tacGauge *gauge = gaugeOf(asking, memory);
        if (asking->now < gauge->until) slope += gauge->slope;
    }
    return slope;
}

int64_t tacAmountSlope(const tacAsking *asking, const tacNode *node) {
    return node->kind == TAC_NODE_PAST || node->memory == TAC_NONE ? 1 : tacMemorySlope(asking, node->memory);
}

bool tacMayBeMore(const tacAsking *asking, const tacNode *node) {
    return node->doubt != TAC_NONE && asking->variables[node->slot].started
        && (grown(asking, node->doubt) > 0 || tacMemorySlope(asking, node->doubt) > 0);
}

/* The task that a function is about. */
static uint32_t taskOf(const tacAsking *asking, const tacNode *node) {
    const tacQuantity *quantity = &asking->asks->memories.at[node->memory].quantity;
    return quantity->block == TAC_BLOCK_TASK && quantity->object != TAC_NONE ? quantity->object : asking->task;
}

/* Has the trace no jobs of the task that a function is about, so that nothing is known of it? */
static bool lacksJobs(const tacAsking *asking, const tacNode *node) {
    if (!tacSinces[node->since].ofJobs) return false;
    uint32_t task = taskOf(asking, node);
    return asking->model->tasks[task].nJobs == 0 && !tacGaugesTaskHasJobs(asking->all, task);
}

/* Does the trace record the kinds of events that a function asks for? */
static bool isRecorded(const tacAsking *asking, const tacNode *node) {
    if (node->kind == TAC_NODE_SINCE && tacSinces[node->since].argument < TAC_ARGUMENT_EVENT) return true;
    const tacQuantity *quantity = &asking->asks->memories.at[node->memory].quantity;
    return tacGaugesUnrecorded(asking->all, asking->asks, quantity) == TAC_NONE;
}

static tacNoValue sinceValue(void *data, const tacNode *node, tacFraction *value) {
    const tacAsking *asking = data;
    if (!asking->variables[node->slot].started) return TAC_NOT_STARTED;
    if (lacksJobs(asking, node)) return TAC_NO_JOBS;
    if (!isRecorded(asking, node)) return TAC_NOT_RECORDED;
    int64_t unknown = asking->most ? unknownOf(asking, node) : 0;
    __int128 all = tacAmount(asking, node);
    if (!tacSinces[node->since].time)
        return tacFractionMake(all + (unknown > 0), unknown == 0, value) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
    return inUnits(all + unknown, asking->digits, value) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
}

/* Does it look back to before the recording, or to more than what is kept? */
static tacNoValue farBack(const tacAsking *asking, const tacNode *node) {
    __int128 reach = (__int128) asking->now - asking->model->begin;
    if (node->past != TAC_PAST_COUNT && node->past != TAC_PAST_ONCE) return TAC_HAS_VALUE;
    if (node->number.over > reach * node->number.under) return TAC_NOT_BACK;
    if (node->past == TAC_PAST_ONCE) return TAC_HAS_VALUE;
    int64_t from = asking->now - (int64_t) (node->number.over / node->number.under);
    for (uint32_t at = node->memory; at != TAC_NONE; at = asking->places[at].also)
        if (tacGaugeForgot(asking->all, gaugeOf(asking, at), from)) return TAC_TOO_MANY;
    return TAC_HAS_VALUE;
}

/* Number of the events from a time on, or whether there is one. */
static uint64_t lookBack(const tacAsking *asking, const tacNode *node, int64_t from) {
    uint64_t n = 0;
    for (uint32_t at = node->memory; at != TAC_NONE; at = asking->places[at].also) {
        const tacGauge *gauge = gaugeOf(asking, at);
        if (node->past == TAC_PAST_COUNT) n += tacGaugeTimes(asking->all, gauge, from);
        else n |= gauge->slope && gauge->base >= from;
    }
    return n;
}

/* The last event, or those after it. */
static tacNoValue lastValue(const tacAsking *asking, const tacNode *node, tacFraction *value) {
    __int128 last = 0;
    bool seen = false;
    for (uint32_t at = node->memory; at != TAC_NONE; at = asking->places[at].also) {
        const tacGauge *gauge = gaugeOf(asking, at);
        if (gauge->slope && (!seen || gauge->base > last)) {
            last = gauge->base;
            seen = true;
        }
        if (node->past == TAC_PAST_SINCE) break; /* of each owner it is whole */
    }
    if (!seen) return TAC_NO_EVENT;
    if (node->past == TAC_PAST_SINCE) *value = (tacFraction){last, 1};
    return node->past == TAC_PAST_SINCE || inUnits(asking->now - last, asking->digits, value) ? TAC_HAS_VALUE
                                                                                              : TAC_TOO_LARGE;
}

static tacNoValue pastValue(void *data, const tacNode *node, tacFraction *value) {
    const tacAsking *asking = data;
    if (node->past == TAC_PAST_STAY)
        return inUnits(tacAmount(asking, node), asking->digits, value) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
    if (node->past == TAC_PAST_JOBS) {
        *value = (tacFraction){tacMemorySlope(asking, node->memory), 1};
        return TAC_HAS_VALUE;
    }
    if (!isRecorded(asking, node)) return TAC_NOT_RECORDED;
    if (node->past == TAC_PAST_LAST || node->past == TAC_PAST_SINCE) return lastValue(asking, node, value);
    uint64_t n = lookBack(asking, node, asking->now - (int64_t) (node->number.over / node->number.under));
    bool more = asking->most && farBack(asking, node) != TAC_HAS_VALUE;
    if (node->past == TAC_PAST_ONCE) *value = (tacFraction){n || more, 1};
    else *value = (tacFraction){more ? 1 : (__int128) n, !more};
    return TAC_HAS_VALUE;
}

static tacNoValue nowValue(void *data, tacFraction *value) {
    const tacAsking *asking = data;
    return inUnits(asking->now, asking->digits, value) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
}

static tacNoValue variableValue(void *data, uint32_t slot, tacFraction *value) {
    const tacVariable *v = &((const tacAsking *) data)->variables[slot];
    if (!v->set) return TAC_NOT_SET;
    *value = v->value;
    return TAC_HAS_VALUE;
}

static bool fieldValue(void *data, const char *name, tacFraction *value) {
    const tacOccurrence *event = ((const tacAsking *) data)->event;
    tacWord word = {name, strlen(name)};
    tacField field;
    tacFieldNumber number;
    if (!event || !tacFieldFind(event, &word, &field)) return false;
    if (field.isNumber) number = field.number;
    else if (!tacFieldNumberRead(&field.text, &number)) return false;
    return inUnits(number.mantissa, number.digits, value);
}

static tacEvaluation evaluation(tacAsking *asking) {
    return (tacEvaluation){.data = asking,
        .now = nowValue,
        .since = sinceValue,
        .past = pastValue,
        .variable = variableValue,
        .field = fieldValue};
}

typedef struct Doubt {  /* what of an expression may be more than was seen */
    uint32_t functions; /* timers, counters and variables with an unknown part */
    bool hopeless;      /* one of them is a variable, or is divided by: a value in between may be anything */
    int64_t first;      /* ticks: the unknown part of the first of them; */
    tacNoValue why;     /* or another reason for which there may be more (TAC_HAS_VALUE: this one) */
} Doubt;

/* Why there may have been more past events than were seen. */
static tacNoValue pastDoubt(const tacAsking *asking, const tacNode *node) {
    tacNoValue why = farBack(asking, node);
    if (why == TAC_HAS_VALUE || node->past != TAC_PAST_ONCE) return why;
    int64_t from = asking->now - (int64_t) (node->number.over / node->number.under);
    return lookBack(asking, node, from) ? TAC_HAS_VALUE : why;
}

static void doubtOf(const tacAsking *asking, const tacExpression *expression, Doubt *doubt) {
    bool stack[TAC_MOST_NODES]; /* of operands: is there an unknown part? */
    size_t n = 0;
    for (size_t i = 0; i < expression->nodes.count; i++) {
        const tacNode *node = &expression->nodes.at[i];
        bool variable = node->kind == TAC_NODE_VARIABLE;
        int64_t unknown = 0;
        tacNoValue why = TAC_HAS_VALUE;
        if (node->kind == TAC_NODE_SINCE) unknown = unknownOf(asking, node);
        else if (node->kind == TAC_NODE_PAST) unknown = (why = pastDoubt(asking, node)) != TAC_HAS_VALUE;
        else if (variable) {
            unknown = asking->variables[node->slot].unknown;
            why = asking->variables[node->slot].why;
        }
        if (node->kind < TAC_NODE_ADD) stack[n++] = unknown != 0;
        else if (node->kind != TAC_NODE_NEGATE) {
            n--;
            doubt->hopeless |= node->kind == TAC_NODE_DIVIDE && stack[n];
            stack[n - 1] |= stack[n];
        }
        if (!unknown) continue;
        if (doubt->functions++ == 0) {
            doubt->first = unknown;
            doubt->why = why;
        }
        doubt->hopeless |= variable;
    }
}

static tacNoValue valueOf(const tacExpression *expression, bool share, tacEvaluation *from, tacFraction *value) {
    tacNoValue why = tacExpressionValue(expression, from, value);
    const tacAsking *asking = from->data;
    tacFraction elapsed;
    if (why != TAC_HAS_VALUE || !share) return why;
    if (!inUnits(
            asking->now - (__int128) asking->variables[expression->nodes.at[0].slot].time, asking->digits, &elapsed))
        return TAC_TOO_LARGE;
    if (elapsed.over == 0) return TAC_BY_ZERO;
    __int128 over, under;
    if (__builtin_mul_overflow(value->over, elapsed.under, &over)
        || __builtin_mul_overflow(value->under, elapsed.over, &under))
        return TAC_TOO_LARGE;
    return tacFractionMake(over, under, value) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
}

/* Compares both sides. */
static tacNoValue compare(const tacRelationTest *test, tacEvaluation *from, tacSides *sides) {
    bool left = tacComparesShares(&test->left, &test->right), right = tacComparesShares(&test->right, &test->left);
    sides->share = left || right;
    tacNoValue why = valueOf(&test->left, left, from, &sides->left);
    if (why == TAC_HAS_VALUE) why = valueOf(&test->right, right, from, &sides->right);
    if (why == TAC_HAS_VALUE && !tacFractionCompare(&sides->left, &sides->right, &sides->order)) why = TAC_TOO_LARGE;
    return why;
}

/* Is the verdict the same where the only function that may be more than was seen is as much as it can be? For == and !=
 * the sides must differ then, too, and come no nearer to one another. */
static bool isSettled(const tacRelationTest *test, tacEvaluation *from, const tacSides *seen) {
    tacAsking *asking = from->data;
    tacSides most;
    tacFraction now, then;
    int nearer;
    asking->most = true;
    tacNoValue why = compare(test, from, &most);
    asking->most = false;
    if (why != TAC_HAS_VALUE) return false;
    if (test->op != TAC_EQUAL && test->op != TAC_UNEQUAL)
        return tacComparisonHolds(test->op, seen->order) == tacComparisonHolds(test->op, most.order);
    if (seen->order == 0 || most.order != seen->order) return false;
    return tacFractionSubtract(&seen->left, &seen->right, &now) && tacFractionSubtract(&most.left, &most.right, &then)
        && tacFractionCompare(&now, &then, &nearer) && nearer * seen->order <= 0;
}

/* Finds the left side where the only function that may be more than was seen is as much as it can be. */
static void findMost(const tacRelationTest *test, tacEvaluation *from, tacOutcome *outcome) {
    tacAsking *asking = from->data;
    tacSides most;
    asking->most = true;
    outcome->ranges = compare(test, from, &most) == TAC_HAS_VALUE;
    asking->most = false;
    outcome->most = most.left;
}

/* Is what a plain test compares known for certain? */
static bool isCertain(const tacRelationTest *test, const tacAsking *asking, const tacNode *node) {
    const tacVariable *v = &asking->variables[node->slot];
    return v->started && !unknownOf(asking, node) && !lacksJobs(asking, node) && isRecorded(asking, node)
        && (!test->share || asking->now > v->time);
}

/* Finds the left side of a limit that is to be found. False: it is not known for certain, or it takes more to tell. */
static bool findDirect(const tacRelationTest *test, const tacAsking *asking, tacSides *sides) {
    const tacNode *node = &test->left.nodes.at[0];
    if (!isCertain(test, asking, node)) return false;
    __int128 under = test->share ? (__int128) (asking->now - asking->variables[node->slot].time) : test->limit.under;
    sides->share = test->share;
    return tacFractionMake(tacAmount(asking, node), under, &sides->left);
}

/* The same for limits with a fraction, and those beyond 64 bits. */
static TAC_NOINLINE bool holdsLarge(const tacRelationTest *test, __int128 left, int64_t elapsed) {
    __int128 right = test->limit.over;
    if (__builtin_mul_overflow(left, test->limit.under, &left)
        || (test->share && __builtin_mul_overflow(right, (__int128) elapsed, &right)))
        return false;
    return tacComparisonHolds(test->op, left < right ? -1 : left > right);
}

bool tacConstraintHolds(const tacRelationTest *test, const tacAsking *asking) {
    if (!test->plain) return false;
    const tacVariable *v = &asking->variables[test->slot];
    int64_t elapsed = asking->now - v->time;
    if (!v->started || (test->share && elapsed <= 0)) return false;
    if (test->doubt != TAC_NONE && hasGrown(asking, test->doubt)) return false;
    if (test->ofJobs && lacksJobs(asking, &test->left.nodes.at[0])) return false;
    if (test->ofEvents && !isRecorded(asking, &test->left.nodes.at[0])) return false;
    __int128 left = test->memory == TAC_NONE ? elapsed : grown(asking, test->memory);
    if (!test->whole) return holdsLarge(test, left, elapsed);
    __int128 right = (__int128) (int64_t) test->limit.over * (test->share ? elapsed : 1);
    return tacComparisonHolds(test->op, left < right ? -1 : left > right);
}

tacOutcome tacConstraintJudge(const tacRelationTest *test, tacAsking *asking) {
    tacEvaluation evaluated = evaluation(asking), *from = &evaluated;
    tacOutcome outcome = {.verdict = TAC_VERDICT_UNCERTAIN};
    Doubt doubt = {0};
    if (test->direct ? findDirect(test, asking, &outcome.sides) : tacConstraintHolds(test, asking)) {
        outcome.verdict = TAC_VERDICT_VALID;
        return outcome;
    }
    outcome.why = compare(test, from, &outcome.sides);
    outcome.missing = from->missing;
    if (outcome.why != TAC_HAS_VALUE) return outcome;
    doubtOf(asking, &test->left, &doubt);
    doubtOf(asking, &test->right, &doubt);
    outcome.unknown = doubt.first;
    outcome.why = doubt.why;
    if (test->sought) {
        if (!doubt.functions) outcome.verdict = TAC_VERDICT_VALID;
        else if (doubt.functions == 1 && !doubt.hopeless) findMost(test, from, &outcome);
        return outcome;
    }
    if (doubt.functions && (doubt.functions > 1 || doubt.hopeless || !isSettled(test, from, &outcome.sides)))
        return outcome;
    outcome.verdict = tacComparisonHolds(test->op, outcome.sides.order) ? TAC_VERDICT_VALID : TAC_VERDICT_INVALID;
    return outcome;
}

tacNoValue tacConstraintSides(const tacRelationTest *test, tacAsking *asking, tacSides *sides) {
    tacEvaluation from = evaluation(asking);
    return compare(test, &from, sides);
}

void tacVariableStart(const tacAsking *asking, uint32_t slot) {
    tacVariable *v = &asking->variables[slot];
    v->started = true;
    v->time = asking->now;
    if (slot >= asking->asks->first.count) return;
    for (uint32_t at = asking->asks->first.at[slot]; at != TAC_NONE; at = asking->places[at].next)
        asking->memories[at] = tacGaugeAt(gaugeOf(asking, at), asking->now);
}

void tacVariableLet(tacAsking *asking, uint32_t slot, const tacExpression *expression) {
    tacEvaluation from = evaluation(asking);
    tacVariable *v = &asking->variables[slot];
    Doubt doubt = {0};
    doubtOf(asking, expression, &doubt);
    v->set = tacExpressionValue(expression, &from, &v->value) == TAC_HAS_VALUE;
    v->unknown = doubt.first;
    v->why = doubt.why;
}

/* ---- sentences --------------------------------------------------------------------------------------------------- */

static void sayValue(const tacOutcome *outcome, const tacAsking *asking, bool isTime, tacText *text) {
    const tacStore *store = asking->model->store;
    tacFractionSay(&outcome->sides.left, outcome->sides.share, asking->digits, isTime ? store : NULL, text);
}

static void sayNoJobs(const tacOutcome *outcome, const tacAsking *asking, tacText *text) {
    const char *id = tacObjectId(asking->model->store, TAC_TASK, taskOf(asking, outcome->missing));
    tacTextAddString(text, "the trace has no jobs of ");
    tacAddId(text, id, strlen(id));
}

static void sayNoEvent(const tacOutcome *outcome, const tacAsking *asking, tacText *text) {
    const tacAsks *asks = asking->asks;
    const tacQuantity *quantity = &asks->memories.at[outcome->missing->memory].quantity;
    if (outcome->why == TAC_NO_EVENT) {
        uint32_t event = outcome->missing->past == TAC_PAST_SINCE ? quantity->than : quantity->what;
        tacTextPrintf(text, "no %s before", asks->events.at[event]->text);
        return;
    }
    tacTextAddString(text, "the trace records no ");
    uint32_t what = tacGaugesUnrecorded(asking->all, asks, quantity);
    if (tacSinces[quantity->since].argument == TAC_ARGUMENT_INTERRUPT) tacTextAddString(text, "interrupts");
    else tacKindSay(&asks->events.at[what]->trigger, text);
}

static void sayReason(const tacOutcome *outcome, const tacAsking *asking, const tacInternTable *names, tacText *text) {
    bool named = outcome->why == TAC_NOT_STARTED || outcome->why == TAC_NOT_SET;
    const char *variable = named ? tacInternName(names, outcome->missing->slot, NULL) : "";
    switch (outcome->why) {
    case TAC_NOT_STARTED: tacTextPrintf(text, "%s was not started", variable); return;
    case TAC_NOT_SET: tacTextPrintf(text, "%s was not set", variable); return;
    case TAC_NO_FIELD: tacTextPrintf(text, "the event has no number %s", outcome->missing->name); return;
    case TAC_BY_ZERO: tacTextAddString(text, "division by 0"); return;
    case TAC_TOO_LARGE: tacTextAddString(text, "its numbers are too large"); return;
    case TAC_NO_JOBS: sayNoJobs(outcome, asking, text); return;
    case TAC_NOT_RECORDED:
    case TAC_NO_EVENT: sayNoEvent(outcome, asking, text); return;
    case TAC_NOT_BACK: tacTextAddString(text, "the recording does not reach back so far"); return;
    case TAC_TOO_MANY: tacTextPrintf(text, "it looks back at more than %d events", TAC_MOST_TIMES); return;
    default:
        tacTextAddString(text, "so much of it is unknown: ");
        tacTimeSay(asking->model->store, outcome->unknown, text);
    }
}

void tacOutcomeSay(const tacOutcome *outcome, const tacAsking *asking, const tacRelationTest *test,
    const tacInternTable *names, tacText *text) {
    bool isTime = tacExpressionIsTime(&test->left);
    if (outcome->verdict == TAC_VERDICT_INVALID) {
        tacTextAddString(text, outcome->beyond ? "was more than " : "was ");
        sayValue(outcome, asking, isTime, text);
        return;
    }
    tacTextAddString(text, "is not known (");
    sayReason(outcome, asking, names, text);
    tacTextAdd(text, ")", 1);
}
