/*
 * constraint.c -- running totals, variables, and the constraints that compare them.
 */
#include "base/port.h"

#include "judge/constraint.h"
#include "judge/limit.h"

#include <string.h>

enum { /* indices of counters */
    COUNT_PREEMPTIONS,
    COUNT_MIGRATIONS = TAC_SINCE_MIGRATIONS - TAC_SINCE_PREEMPTIONS,
    COUNT_STARTS = TAC_SINCE_STARTS - TAC_SINCE_PREEMPTIONS,
    COUNT_RELEASES = TAC_SINCE_RELEASES - TAC_SINCE_PREEMPTIONS,
    COUNT_COMPLETIONS = TAC_SINCE_COMPLETIONS - TAC_SINCE_PREEMPTIONS
};

/* ---- totals ------------------------------------------------------------------------------------------------------ */

static __int128 totalAt(const tacTotals *totals, int state, int64_t now) {
    return totals->total[state] + (__int128) totals->now[state] * (now - totals->since[state]);
}

void tacTotalsCount(tacTotals *totals, const tacStateChange *change, int64_t now) {
    int from = change->from, to = change->to;
    totals->total[from] = totalAt(totals, from, now);
    totals->since[from] = now;
    totals->total[to] = totalAt(totals, to, now);
    totals->since[to] = now;
    if (totals->now[from]) totals->now[from]--; /* NONE has none at first */
    totals->now[to]++;
    uint32_t *counters = totals->counters;
    counters[COUNT_PREEMPTIONS] += from == TAC_STATE_RUNNING && to == TAC_STATE_PREEMPTED;
    counters[COUNT_MIGRATIONS] += change->migrated;
    counters[COUNT_STARTS] += from == TAC_STATE_WAITING && to == TAC_STATE_RUNNING;
    counters[COUNT_RELEASES] += from == TAC_STATE_NONE && to == TAC_STATE_WAITING;
    counters[COUNT_COMPLETIONS] += to == TAC_STATE_COMPLETED && from != TAC_STATE_BETWEEN;
}

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

static __int128 ticksSince(const tacTotals *totals, const tacVariable *v, int state, int64_t now) {
    return totalAt(totals, state, now) - v->total[state];
}

/* Ticks that a timer of a variable counts. */
static __int128 timer(const tacAsking *asking, tacSince since, const tacVariable *v) {
    static const int states[] = {[TAC_SINCE_RUNNING] = TAC_STATE_RUNNING,
        [TAC_SINCE_WAITING] = TAC_STATE_WAITING,
        [TAC_SINCE_PREEMPTED] = TAC_STATE_PREEMPTED,
        [TAC_SINCE_BLOCKED] = TAC_STATE_BLOCKED,
        [TAC_SINCE_BETWEEN] = TAC_STATE_BETWEEN,
        [TAC_SINCE_UNKNOWN] = TAC_STATE_UNKNOWN};
    const tacTotals *totals = asking->totals;
    if (since == TAC_SINCE_ELAPSED) return asking->now - v->time;
    if (since == TAC_SINCE_READY)
        return ticksSince(totals, v, TAC_STATE_WAITING, asking->now)
            + ticksSince(totals, v, TAC_STATE_PREEMPTED, asking->now);
    return ticksSince(totals, v, states[since], asking->now);
}

static bool isExact(tacSince since) { return since == TAC_SINCE_ELAPSED || since == TAC_SINCE_UNKNOWN; }

/* Ticks since the variable's start in which the state of the instance's task or job is unknown. */
static int64_t unknownSince(const tacAsking *asking, uint32_t slot) {
    const tacVariable *v = &asking->variables[slot];
    __int128 ticks = asking->totals && v->started ? timer(asking, TAC_SINCE_UNKNOWN, v) : 0;
    return ticks > TAC_MORE ? TAC_MORE : (int64_t) ticks;
}

static tacNoValue sinceValue(void *data, tacSince since, uint32_t slot, tacFraction *value) {
    const tacAsking *asking = data;
    const tacVariable *v = &asking->variables[slot];
    if (!v->started) return TAC_NOT_STARTED;
    int64_t unknown = asking->most && !isExact(since) ? unknownSince(asking, slot) : 0;
    if (since >= TAC_SINCE_PREEMPTIONS) {
        uint32_t now = asking->totals->counters[since - TAC_SINCE_PREEMPTIONS];
        return tacFractionMake(now - v->counters[since - TAC_SINCE_PREEMPTIONS] + (unknown > 0), unknown == 0, value)
            ? TAC_HAS_VALUE
            : TAC_TOO_LARGE;
    }
    return inUnits(timer(asking, since, v) + unknown, asking->digits, value) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
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

static tacEvaluation evaluation(tacAsking *asking) {
    return (tacEvaluation){.data = asking, .now = nowValue, .since = sinceValue, .variable = variableValue};
}

typedef struct Doubt {  /* what of an expression may be more than was seen */
    uint32_t functions; /* timers, counters and variables with an unknown part */
    bool hopeless;      /* one of them is a variable, or is divided by: a value in between may be anything */
    int64_t first;      /* ticks: the unknown part of the first of them */
} Doubt;

static void doubtOf(const tacAsking *asking, const tacExpression *expression, Doubt *doubt) {
    bool stack[TAC_MOST_NODES]; /* of operands: is there an unknown part? */
    size_t n = 0;
    for (size_t i = 0; i < expression->nodes.count; i++) {
        const tacNode *node = &expression->nodes.at[i];
        bool variable = node->kind == TAC_NODE_VARIABLE;
        int64_t unknown = 0;
        if (variable) unknown = asking->variables[node->slot].unknown;
        else if (node->kind == TAC_NODE_SINCE && !isExact(node->since)) unknown = unknownSince(asking, node->slot);
        if (node->kind <= TAC_NODE_SINCE) stack[n++] = unknown != 0;
        else if (node->kind != TAC_NODE_NEGATE) {
            n--;
            doubt->hopeless |= node->kind == TAC_NODE_DIVIDE && stack[n];
            stack[n - 1] |= stack[n];
        }
        if (!unknown) continue;
        if (doubt->functions++ == 0) doubt->first = unknown;
        doubt->hopeless |= variable;
    }
}

static tacNoValue valueOf(const tacExpression *expression, bool share, tacEvaluation *from, tacFraction *value) {
    tacNoValue why = tacExpressionValue(expression, from, value);
    tacFraction elapsed;
    if (why != TAC_HAS_VALUE || !share) return why;
    why = from->since(from->data, TAC_SINCE_ELAPSED, expression->nodes.at[0].slot, &elapsed);
    if (why != TAC_HAS_VALUE) return why;
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

/* Does a plain test hold for certain? False: it does not, or it takes more to tell. */
static bool holdsPlainly(const tacRelationTest *test, const tacAsking *asking) {
    const tacNode *node = &test->left.nodes.at[0];
    const tacVariable *v = &asking->variables[node->slot];
    __int128 left, right = test->limit.over, value;
    if (!v->started || (!isExact(node->since) && unknownSince(asking, node->slot))) return false;
    if (node->since < TAC_SINCE_PREEMPTIONS) value = timer(asking, node->since, v);
    else
        value = asking->totals->counters[node->since - TAC_SINCE_PREEMPTIONS]
            - v->counters[node->since - TAC_SINCE_PREEMPTIONS];
    if (test->share && asking->now == v->time) return false;
    if (__builtin_mul_overflow(value, test->limit.under, &left)) return false;
    if (test->share && __builtin_mul_overflow(right, (__int128) (asking->now - v->time), &right)) return false;
    return tacComparisonHolds(test->op, left < right ? -1 : left > right);
}

tacOutcome tacConstraintJudge(const tacRelationTest *test, tacAsking *asking) {
    tacEvaluation evaluated = evaluation(asking), *from = &evaluated;
    tacOutcome outcome = {.verdict = TAC_VERDICT_UNCERTAIN};
    Doubt doubt = {0};
    if (test->plain && holdsPlainly(test, asking)) {
        outcome.verdict = TAC_VERDICT_VALID;
        return outcome;
    }
    outcome.why = compare(test, from, &outcome.sides);
    outcome.missing = from->missing;
    if (outcome.why != TAC_HAS_VALUE) return outcome;
    doubtOf(asking, &test->left, &doubt);
    doubtOf(asking, &test->right, &doubt);
    outcome.unknown = doubt.first;
    if (test->sought) {
        if (!doubt.functions) outcome.verdict = TAC_VERDICT_VALID;
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
    if (!asking->totals) return;
    for (int state = 0; state < TAC_STATES; state++) v->total[state] = totalAt(asking->totals, state, asking->now);
    memcpy(v->counters, asking->totals->counters, sizeof v->counters);
}

void tacVariableLet(tacAsking *asking, uint32_t slot, const tacExpression *expression) {
    tacEvaluation from = evaluation(asking);
    tacVariable *v = &asking->variables[slot];
    Doubt doubt = {0};
    doubtOf(asking, expression, &doubt);
    v->set = tacExpressionValue(expression, &from, &v->value) == TAC_HAS_VALUE;
    v->unknown = doubt.first;
}

/* ---- sentences --------------------------------------------------------------------------------------------------- */

static void sayValue(const tacOutcome *outcome, int digits, tacText *text) {
    tacFraction value = outcome->sides.left;
    if (outcome->sides.share && __builtin_mul_overflow(value.over, (__int128) 100, &value.over)) value.under = 0;
    tacFractionText(&value, digits + 3, text);
    if (outcome->sides.share) tacTextAdd(text, "%", 1);
}

static void sayReason(const tacOutcome *outcome, const tacInternTable *names, int digits, tacText *text) {
    bool named = outcome->why == TAC_NOT_STARTED || outcome->why == TAC_NOT_SET;
    const char *variable = named ? tacInternName(names, outcome->missing, NULL) : "";
    char ticks[TAC_DECIMAL_SIZE];
    switch (outcome->why) {
    case TAC_NOT_STARTED: tacTextPrintf(text, "%s was not started", variable); return;
    case TAC_NOT_SET: tacTextPrintf(text, "%s was not set", variable); return;
    case TAC_BY_ZERO: tacTextAddString(text, "division by 0"); return;
    case TAC_TOO_LARGE: tacTextAddString(text, "its numbers are too large"); return;
    default:
        tacDecimalFormat(outcome->unknown, digits, ticks);
        tacTextPrintf(text, "so much of it is unknown: %s", ticks);
    }
}

void tacOutcomeSay(const tacOutcome *outcome, const tacInternTable *names, int digits, tacText *text) {
    if (outcome->verdict == TAC_VERDICT_INVALID) {
        tacTextAddString(text, "was ");
        sayValue(outcome, digits, text);
        return;
    }
    tacTextAddString(text, "is not known (");
    sayReason(outcome, names, digits, text);
    tacTextAdd(text, ")", 1);
}
