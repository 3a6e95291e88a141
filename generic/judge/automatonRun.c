/*
 * automatonRun.c -- automata follow a replay: instances, their variables, and what they require.
 *
 *   row --> its event, then the changes of states that it made --> instances whose it is --> transition --> actions
 *
 * Time in states and counts are running totals of each task (and of each job that an instance is about), so a variable
 * that is started copies them, and what happened since is a difference.
 */
#include "base/port.h"

#include "base/glob.h"
#include "judge/instances.h"
#include "judge/limit.h"
#include "model/query.h"

#include <math.h>
#include <string.h>

enum { /* indices of counters */
    COUNT_PREEMPTIONS,
    COUNT_MIGRATIONS = TAC_SINCE_MIGRATIONS - TAC_SINCE_PREEMPTIONS,
    COUNT_STARTS = TAC_SINCE_STARTS - TAC_SINCE_PREEMPTIONS,
    COUNT_RELEASES = TAC_SINCE_RELEASES - TAC_SINCE_PREEMPTIONS,
    COUNT_COMPLETIONS = TAC_SINCE_COMPLETIONS - TAC_SINCE_PREEMPTIONS,
    COUNTERS = TAC_SINCES - TAC_SINCE_PREEMPTIONS
};

typedef struct Totals {
    __int128 total[TAC_STATES]; /* ticks that jobs spent in each state, up to `since` of it */
    int64_t since[TAC_STATES];
    uint32_t now[TAC_STATES]; /* jobs that are in it */
    uint32_t counters[COUNTERS];
} Totals;

typedef struct Variable {
    bool started, set;
    int64_t unknown; /* set from something of which so many ticks are unknown */
    int64_t time;    /* of its start, and the totals then: */
    __int128 total[TAC_STATES];
    uint32_t counters[COUNTERS];
    tacFraction value;
} Variable;

typedef struct Instance {
    uint32_t object; /* index of the processor or task; of a job: its id */
    uint32_t job;    /* index of tacModel.jobs, or TAC_NONE */
    uint32_t older; /* of a job: the instance of an earlier job of the same id, which ends with this row; or TAC_NONE */
    uint32_t state;
    bool alive;
    uint8_t verdict;
    Totals *totals; /* of its task, or its own; NULL: it has none */
    Totals own;
} Instance;

typedef struct Run {
    const tacAutomaton *automaton;
    TAC_ARRAY(Instance *) instances; /* of tasks and processors by index, NULL: not wanted; of jobs in any order */
    Variable *variables;             /* of instance i from i * nVariables on */
    size_t nVariables, room;         /* of variables: instances */
    uint32_t *byId;                  /* of jobs: the newest instance of an id, or TAC_NONE */
    TAC_ARRAY(uint32_t) free;        /* places of instances that have ended */
    TAC_ARRAY(tacVerdictNote) notes;
    uint64_t *kept;                     /* notes of all runs together */
    uint64_t onlyCounted[TAC_VERDICTS]; /* findings beyond TAC_MOST_NOTES */
} Run;

struct tacAutomata {
    const tacModel *model; /* of the trace; ids and definitions are its */
    Run *runs;
    size_t n;
    uint64_t kept;                           /* notes of all runs */
    tacInstances *written;                   /* where instances are written down, or NULL */
    Totals *tasks;                           /* by task */
    TAC_ARRAY(uint32_t) jobRuns;             /* those that have an instance a job */
    TAC_ARRAY(uint32_t) touching[TAC_CELLS]; /* by cell: those that have a transition of it */
};

/* An event of a row, or a change of a job's state. */
typedef struct Occurrence {
    const tacModel *model;        /* of the replay */
    const tacStateChange *change; /* NULL: the row itself */
    uint32_t row, job, task;      /* TAC_NONE: it has none */
    uint16_t processor;           /* TAC_NO_PROCESSOR: the same */
    uint32_t cell;
    int64_t now;
} Occurrence;

/* ---- totals ------------------------------------------------------------------------------------------------------ */

static __int128 totalAt(const Totals *totals, int state, int64_t now) {
    return totals->total[state] + (__int128) totals->now[state] * (now - totals->since[state]);
}

static void count(Totals *totals, const tacStateChange *change, int64_t now) {
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

/* ---- instances --------------------------------------------------------------------------------------------------- */

static Variable *variablesOf(const Run *run, uint32_t place) { return run->variables + place * run->nVariables; }

/* A free place for an instance, with its variables empty. TAC_NONE: no memory. */
static uint32_t newPlace(Run *run) {
    uint32_t place;
    if (run->free.count) place = run->free.at[--run->free.count];
    else {
        place = (uint32_t) run->instances.count;
        Instance *instance = tacAllocZero(1, sizeof *instance);
        if (!instance || !tacArrayReserve(&run->instances, 1)) return tacFree(instance), TAC_NONE;
        run->instances.at[run->instances.count++] = instance;
        if (run->instances.count > run->room) {
            size_t room = run->room ? run->room * 2 : 16;
            Variable *larger = tacRealloc(run->variables, (room * run->nVariables + 1) * sizeof *larger);
            if (!larger) return TAC_NONE;
            run->variables = larger;
            run->room = room;
        }
    }
    memset(run->variables + place * run->nVariables, 0, run->nVariables * sizeof *run->variables);
    return place;
}

/* Begins an instance in the initial state. */
static bool begin(Run *run, uint32_t object, uint32_t job, Totals *totals) {
    uint32_t place = newPlace(run);
    if (place == TAC_NONE) return false;
    Instance *instance = run->instances.at[place];
    *instance = (Instance){
        .object = object, .job = job, .older = TAC_NONE, .state = run->automaton->initial, .alive = true};
    instance->totals = totals;
    if (job == TAC_NONE) return true;
    instance->totals = &instance->own;
    instance->older = run->byId[object];
    run->byId[object] = place;
    return true;
}

static bool isWanted(const Run *run, const char *id) {
    return !run->automaton->of || tacGlob(run->automaton->of, id, strlen(id));
}

/* Place of the instance of a job; TAC_NONE: there is none, or it has ended. */
static uint32_t placeOfJob(const Run *run, const tacModel *model, uint32_t job) {
    if (job == TAC_NONE) return TAC_NONE;
    uint32_t place = run->byId[model->jobs.at[job].id];
    while (place != TAC_NONE && run->instances.at[place]->job != job) place = run->instances.at[place]->older;
    return place;
}

static bool beginAll(Run *run, const tacModel *model, Totals *tasks) {
    const tacStore *store = model->store;
    switch (run->automaton->each) {
    case TAC_EACH_TRACE: return begin(run, TAC_NONE, TAC_NONE, NULL);
    case TAC_EACH_PROCESSOR:
        for (uint32_t i = 0; i < model->nProcessors; i++) {
            if (!begin(run, i, TAC_NONE, NULL)) return false;
            run->instances.at[i]->alive = isWanted(run, tacProcessorId(model, i));
        }
        return true;
    case TAC_EACH_TASK:
        for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK); i++) {
            if (!begin(run, i, TAC_NONE, &tasks[i])) return false;
            run->instances.at[i]->alive = store->objects[TAC_TASK].at[i].line
                && isWanted(run, tacObjectId(store, TAC_TASK, i));
        }
        return true;
    default:
        run->byId = tacAlloc(((size_t) tacStoreObjects(store, TAC_JOB) + 1) * sizeof *run->byId);
        if (!run->byId) return false;
        for (uint32_t i = 0; i < tacStoreObjects(store, TAC_JOB); i++) run->byId[i] = TAC_NONE;
        return true;
    }
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

static void sayHead(const tacAutomata *all, const Run *run, const Instance *instance, tacText *text) {
    const tacAutomaton *a = run->automaton;
    tacTextPrintf(text, "model %.*s", TAC_SHOWN(&a->name));
    if (a->each != TAC_EACH_TRACE) {
        const char *id = tacEachId(all->model, a->each, instance->object);
        tacTextPrintf(text, ", %s ", tacKindNames[tacEachKind(a->each)]);
        tacAddId(text, id, strlen(id));
    }
    tacTextAddString(text, ": ");
}

/* Keeps a judgement, or only counts it where there are too many; takes the text over. */
static tacStatus note(Run *run, Instance *instance, tacVerdict verdict, const Occurrence *o, const tacStore *store,
    const tacStatement *statement, tacText *text, tacError *err) {
    if (instance->verdict < verdict) instance->verdict = (uint8_t) verdict;
    if (*run->kept >= TAC_MOST_NOTES) {
        run->onlyCounted[verdict]++;
        tacTextFree(text);
        return TAC_OK;
    }
    tacVerdictNote note = {
        verdict, o->now, o->row == TAC_NONE ? 0 : tacRowLine(store, o->row), instance->object, statement, text->at};
    ++*run->kept;
    if (!text->failed && tacArrayPush(&run->notes, note)) return TAC_OK;
    tacTextFree(text);
    return tacFailMemory(err);
}

/* ---- what is required -------------------------------------------------------------------------------------------- */

typedef struct Asking { /* data of an evaluation */
    const Instance *instance;
    Variable *variables;
    int64_t now;
    bool most; /* what may have been more in unknown time is as much as it can be */
    int digits;
} Asking;

static int64_t power(int digits) {
    int64_t result = 1;
    while (digits-- > 0 && result <= INT64_MAX / 10) result *= 10;
    return result;
}

static bool inUnits(__int128 ticks, int digits, tacFraction *value) {
    if (digits <= 18) return tacFractionMake(ticks, power(digits), value);
    return tacFractionMake(ticks, (__int128) power(18) * power(digits - 18), value);
}

static __int128 ticksSince(const Totals *totals, const Variable *v, int state, int64_t now) {
    return totalAt(totals, state, now) - v->total[state];
}

/* Ticks that a timer of a variable counts. */
static __int128 timer(const Asking *asking, tacSince since, const Variable *v) {
    static const int states[] = {[TAC_SINCE_RUNNING] = TAC_STATE_RUNNING,
        [TAC_SINCE_WAITING] = TAC_STATE_WAITING,
        [TAC_SINCE_PREEMPTED] = TAC_STATE_PREEMPTED,
        [TAC_SINCE_BLOCKED] = TAC_STATE_BLOCKED,
        [TAC_SINCE_BETWEEN] = TAC_STATE_BETWEEN,
        [TAC_SINCE_UNKNOWN] = TAC_STATE_UNKNOWN};
    const Totals *totals = asking->instance->totals;
    if (since == TAC_SINCE_ELAPSED) return asking->now - v->time;
    if (since == TAC_SINCE_READY)
        return ticksSince(totals, v, TAC_STATE_WAITING, asking->now)
            + ticksSince(totals, v, TAC_STATE_PREEMPTED, asking->now);
    return ticksSince(totals, v, states[since], asking->now);
}

static bool isExact(tacSince since) { return since == TAC_SINCE_ELAPSED || since == TAC_SINCE_UNKNOWN; }

/* Ticks since the variable's start in which the state of the instance's task or job is unknown. */
static int64_t unknownSince(const Asking *asking, uint32_t slot) {
    const Variable *v = &asking->variables[slot];
    __int128 ticks = asking->instance->totals && v->started ? timer(asking, TAC_SINCE_UNKNOWN, v) : 0;
    return ticks > TAC_MORE ? TAC_MORE : (int64_t) ticks;
}

static tacNoValue sinceValue(void *data, tacSince since, uint32_t slot, tacFraction *value) {
    const Asking *asking = data;
    const Variable *v = &asking->variables[slot];
    if (!v->started) return TAC_NOT_STARTED;
    int64_t unknown = asking->most && !isExact(since) ? unknownSince(asking, slot) : 0;
    if (since >= TAC_SINCE_PREEMPTIONS) {
        uint32_t now = asking->instance->totals->counters[since - TAC_SINCE_PREEMPTIONS];
        return tacFractionMake(now - v->counters[since - TAC_SINCE_PREEMPTIONS] + (unknown > 0), unknown == 0, value)
            ? TAC_HAS_VALUE
            : TAC_TOO_LARGE;
    }
    return inUnits(timer(asking, since, v) + unknown, asking->digits, value) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
}

static tacNoValue nowValue(void *data, tacFraction *value) {
    const Asking *asking = data;
    return inUnits(asking->now, asking->digits, value) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
}

static tacNoValue variableValue(void *data, uint32_t slot, tacFraction *value) {
    const Variable *v = &((const Asking *) data)->variables[slot];
    if (!v->set) return TAC_NOT_SET;
    *value = v->value;
    return TAC_HAS_VALUE;
}

typedef struct Doubt {  /* what of an expression may be more than was seen */
    uint32_t functions; /* timers, counters and variables with an unknown part */
    bool hopeless;      /* one of them is a variable, or is divided by: a value in between may be anything */
    int64_t first;      /* ticks: the unknown part of the first of them */
} Doubt;

static void doubtOf(const Asking *asking, const tacExpression *expression, Doubt *doubt) {
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

typedef struct Sides { /* of a comparison */
    tacFraction left, right;
    int order;  /* -1, 0, 1 */
    bool share; /* shares of time are compared */
} Sides;

typedef struct Outcome {
    tacVerdict verdict;
    tacNoValue why;   /* UNCERTAIN: there is no value; TAC_HAS_VALUE: too much is unknown: */
    uint32_t missing; /* the variable */
    int64_t unknown;
    Sides sides;
} Outcome;

/* Compares both sides. */
static tacNoValue compare(const tacRelationTest *test, tacEvaluation *from, Sides *sides) {
    bool left = tacComparesShares(&test->left, &test->right), right = tacComparesShares(&test->right, &test->left);
    sides->share = left || right;
    tacNoValue why = valueOf(&test->left, left, from, &sides->left);
    if (why == TAC_HAS_VALUE) why = valueOf(&test->right, right, from, &sides->right);
    if (why == TAC_HAS_VALUE && !tacFractionCompare(&sides->left, &sides->right, &sides->order)) why = TAC_TOO_LARGE;
    return why;
}

/* Is the verdict the same where the only function that may be more than was seen is as much as it can be? For == and !=
 * the sides must differ then, too, and come no nearer to one another. */
static bool isSettled(const tacRelationTest *test, tacEvaluation *from, const Sides *seen) {
    Asking *asking = from->data;
    Sides most;
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
static bool holdsPlainly(const tacRelationTest *test, const Asking *asking) {
    const tacNode *node = &test->left.nodes.at[0];
    const Variable *v = &asking->variables[node->slot];
    __int128 left, right = test->limit.over, value;
    if (!v->started || (!isExact(node->since) && unknownSince(asking, node->slot))) return false;
    if (node->since < TAC_SINCE_PREEMPTIONS) value = timer(asking, node->since, v);
    else
        value = asking->instance->totals->counters[node->since - TAC_SINCE_PREEMPTIONS]
            - v->counters[node->since - TAC_SINCE_PREEMPTIONS];
    if (test->share && asking->now == v->time) return false;
    if (__builtin_mul_overflow(value, test->limit.under, &left)) return false;
    if (test->share && __builtin_mul_overflow(right, (__int128) (asking->now - v->time), &right)) return false;
    return tacComparisonHolds(test->op, left < right ? -1 : left > right);
}

static Outcome judge(const tacRelationTest *test, tacEvaluation *from) {
    Outcome outcome = {.verdict = TAC_VERDICT_UNCERTAIN};
    Doubt doubt = {0};
    if (test->plain && holdsPlainly(test, from->data)) {
        outcome.verdict = TAC_VERDICT_VALID;
        return outcome;
    }
    outcome.why = compare(test, from, &outcome.sides);
    outcome.missing = from->missing;
    if (outcome.why != TAC_HAS_VALUE) return outcome;
    doubtOf(from->data, &test->left, &doubt);
    doubtOf(from->data, &test->right, &doubt);
    outcome.unknown = doubt.first;
    if (doubt.functions && (doubt.functions > 1 || doubt.hopeless || !isSettled(test, from, &outcome.sides)))
        return outcome;
    outcome.verdict = tacComparisonHolds(test->op, outcome.sides.order) ? TAC_VERDICT_VALID : TAC_VERDICT_INVALID;
    return outcome;
}

static void sayValue(const Outcome *outcome, int digits, tacText *text) {
    tacFraction value = outcome->sides.left;
    if (outcome->sides.share && __builtin_mul_overflow(value.over, (__int128) 100, &value.over)) value.under = 0;
    tacFractionText(&value, digits + 3, text);
    if (outcome->sides.share) tacTextAdd(text, "%", 1);
}

static void sayReason(const Run *run, const Outcome *outcome, int digits, tacText *text) {
    bool names = outcome->why == TAC_NOT_STARTED || outcome->why == TAC_NOT_SET;
    const char *variable = names ? tacInternName(&run->automaton->variables, outcome->missing, NULL) : "";
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

/* Writes down how a constraint was judged. */
static void writeResult(const tacAutomata *all, const Run *run, uint32_t place, const tacAction *action,
    tacVerdict verdict, tacEvaluation *from) {
    Sides sides;
    double value = NAN;
    if (verdict != TAC_VERDICT_UNCERTAIN && compare(&action->test, from, &sides) == TAC_HAS_VALUE && sides.left.under)
        value = (double) ((long double) sides.left.over * (sides.share ? 100 : 1) / (long double) sides.left.under);
    tacInstanceJudges(all->written, (size_t) (run - all->runs), place, action->constraint, verdict, value);
}

static tacStatus require(const tacAutomata *all, Run *run, uint32_t place, const tacAction *action, const Occurrence *o,
    tacEvaluation *from, tacError *err) {
    Outcome outcome = judge(&action->test, from);
    if (TAC_UNLIKELY(all->written)) writeResult(all, run, place, action, outcome.verdict, from);
    if (outcome.verdict == TAC_VERDICT_VALID) return TAC_OK;
    Instance *instance = run->instances.at[place];
    int digits = all->model->store->digits;
    tacText text = {0};
    if (all->kept >= TAC_MOST_NOTES)
        return note(run, instance, outcome.verdict, o, all->model->store, action->statement, &text, err);
    sayHead(all, run, instance, &text);
    tacTextPrintf(&text, "%s ", action->test.left.text);
    if (outcome.verdict == TAC_VERDICT_INVALID) {
        tacTextAddString(&text, "was ");
        sayValue(&outcome, digits, &text);
    } else {
        tacTextAddString(&text, "is not known (");
        sayReason(run, &outcome, digits, &text);
        tacTextAdd(&text, ")", 1);
    }
    tacTextPrintf(&text, ", required %s %s", tacComparisonWords[action->test.op], action->test.right.text);
    return note(run, instance, outcome.verdict, o, all->model->store, action->statement, &text, err);
}

/* ---- transitions ------------------------------------------------------------------------------------------------- */

/* Is what happens of the instance itself, or of nobody in particular? */
static bool isOwn(const Run *run, const Instance *instance, const Occurrence *o) {
    switch (run->automaton->each) {
    case TAC_EACH_TASK: return o->task == TAC_NONE || o->task == instance->object;
    case TAC_EACH_JOB: return o->task == TAC_NONE || o->job == instance->job;
    case TAC_EACH_PROCESSOR: return o->processor == TAC_NO_PROCESSOR || o->processor == instance->object;
    default: return true;
    }
}

static bool fits(const Run *run, const Instance *instance, const tacTrigger *trigger, const Occurrence *o) {
    if (trigger->own && !isOwn(run, instance, o)) return false;
    if (!o->change) return tacEventPatternFits(&trigger->pattern, o->model, o->row);
    if (trigger->own) return true;
    const tacJob *job = &o->model->jobs.at[o->change->job];
    return (trigger->who.kind == TAC_JOB ? job->id : job->task) == trigger->who.index;
}

static void start(const Instance *instance, Variable *v, int64_t now) {
    v->started = true;
    v->time = now;
    if (!instance->totals) return;
    for (int state = 0; state < TAC_STATES; state++) v->total[state] = totalAt(instance->totals, state, now);
    memcpy(v->counters, instance->totals->counters, sizeof v->counters);
}

static void let(const tacAction *action, tacEvaluation *from) {
    Asking *asking = from->data;
    Variable *v = &asking->variables[action->slot];
    Doubt doubt = {0};
    doubtOf(asking, &action->expression, &doubt);
    v->set = tacExpressionValue(&action->expression, from, &v->value) == TAC_HAS_VALUE;
    v->unknown = doubt.first;
}

static tacStatus take(const tacAutomata *all, Run *run, Instance *instance, uint32_t place,
    const tacTransition *transition, const Occurrence *o, tacEvaluation *from, tacError *err) {
    Variable *variables = variablesOf(run, place);
    for (size_t i = 0; i < transition->actions.count; i++) {
        const tacAction *action = &transition->actions.at[i];
        if (action->kind == TAC_ACTION_START) start(instance, &variables[action->slot], o->now);
        else if (action->kind == TAC_ACTION_LET) let(action, from);
        else if (require(all, run, place, action, o, from, err) != TAC_OK) return TAC_ERROR;
    }
    instance->state = transition->to;
    if (TAC_UNLIKELY(all->written)) tacInstanceEnters(all->written, (size_t) (run - all->runs), place, transition->to);
    return TAC_OK;
}

/* An event of the model that its state does not expect. */
static tacStatus refuse(const tacAutomata *all, Run *run, Instance *instance, const Occurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    for (size_t i = 0; i < a->transitions.count; i++) {
        const tacTrigger *trigger = &a->transitions.at[i].trigger;
        if (tacTriggerCell(trigger) != o->cell || !fits(run, instance, trigger, o)) continue;
        tacText text = {0};
        sayHead(all, run, instance, &text);
        tacTextPrintf(&text, "{%.*s} in state %s, where it is not expected", (int) trigger->text.length,
            trigger->text.at, tacInternName(&a->states, instance->state, NULL));
        return note(run, instance, TAC_VERDICT_INVALID, o, all->model->store, a->statement, &text, err);
    }
    return TAC_OK;
}

/* Offers what happens to an instance, which takes the first transition that fits. */
static tacStatus offer(const tacAutomata *all, Run *run, uint32_t place, const Occurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    Instance *instance = run->instances.at[place];
    if (!instance->alive) return TAC_OK;
    uint32_t at = a->cells[instance->state * TAC_CELLS + o->cell];
    if (at == TAC_NONE && !a->strict) return TAC_OK;
    Asking asking = {instance, variablesOf(run, place), o->now, 0, all->model->store->digits};
    tacEvaluation from = {.data = &asking, .now = nowValue, .since = sinceValue, .variable = variableValue};
    for (; at != TAC_NONE; at = a->transitions.at[at].next) {
        const tacTransition *transition = &a->transitions.at[at];
        if (!fits(run, instance, &transition->trigger, o)) continue;
        if (transition->guarded && judge(&transition->guard, &from).verdict != TAC_VERDICT_VALID) continue;
        return take(all, run, instance, place, transition, o, &from, err);
    }
    return a->strict ? refuse(all, run, instance, o, err) : TAC_OK;
}

/* Offers what happens to the instances whose it is. */
static tacStatus happen(const tacAutomata *all, Run *run, const Occurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    uint32_t place = TAC_NONE;
    if (!a->touched[o->cell]) return TAC_OK;
    bool nobodys = a->each == TAC_EACH_PROCESSOR ? o->processor == TAC_NO_PROCESSOR : o->task == TAC_NONE;
    if (a->touched[o->cell] == 1 && !nobodys && a->each != TAC_EACH_TRACE) {
        if (a->each == TAC_EACH_JOB) place = placeOfJob(run, o->model, o->job);
        else place = a->each == TAC_EACH_TASK ? o->task : o->processor;
        return place < run->instances.count ? offer(all, run, place, o, err) : TAC_OK;
    }
    for (place = 0; place < run->instances.count; place++)
        if (offer(all, run, place, o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* ---- the replay -------------------------------------------------------------------------------------------------- */

/* The processor on which a job runs, or ran last. */
static uint16_t ranOn(const tacModel *model, uint32_t index, int64_t now) {
    const tacJob *job = &model->jobs.at[index];
    bool ran = job->state == TAC_STATE_BETWEEN || tacQueryHasRun(model, index, now);
    return ran ? job->processor : TAC_NO_PROCESSOR;
}

static Occurrence occurrenceOf(const tacModel *model, const struct tacReplay *replay, uint32_t row) {
    const tacStore *store = model->store;
    tacEvent event = tacRowEvent(store, row);
    Occurrence o = {
        .model = model, .row = row, .job = TAC_NONE, .task = TAC_NONE, .cell = event, .now = tacNow(replay)};
    uint32_t subject = tacRowSubject(store, row);
    o.processor = tacRowProcessor(store, row);
    switch (tacEvents[event].arguments[0]) {
    case TAC_TYPE_JOB:
        if (tacEvents[event].nArguments < 1) break;
        o.job = tacNowJob(replay, subject);
        o.task = o.job == TAC_NONE ? store->jobTask.at[subject] : model->jobs.at[o.job].task;
        if (o.processor == TAC_NO_PROCESSOR && o.job != TAC_NONE) o.processor = ranOn(model, o.job, o.now);
        break;
    case TAC_TYPE_TASK:
        if (tacEvents[event].nArguments > 0) o.task = subject;
        break;
    case TAC_TYPE_PROCESSOR:
        if (tacEvents[event].nArguments > 0 && o.processor == TAC_NO_PROCESSOR) o.processor = (uint16_t) subject;
        break;
    default: break;
    }
    return o;
}

/* Instances of jobs that begin with this row, in their order. */
static bool beginJobs(tacAutomata *all, const tacModel *model, const tacStateChange *changes, uint32_t n, int64_t now) {
    for (uint32_t i = 0; i < n; i++) {
        if (changes[i].from != TAC_STATE_NONE) continue;
        const tacJob *job = &model->jobs.at[changes[i].job];
        for (size_t k = 0; k < all->jobRuns.count; k++) {
            Run *run = &all->runs[all->jobRuns.at[k]];
            if (!isWanted(run, tacObjectId(model->store, TAC_TASK, job->task))) continue;
            if (!begin(run, job->id, changes[i].job, NULL)) return false;
            if (TAC_UNLIKELY(all->written))
                tacInstanceBegins(all->written, all->jobRuns.at[k], run->byId[job->id], job->id, now);
        }
    }
    return true;
}

/* Ends an instance that is over; what says so comes from where it is. */
static tacStatus endInstance(
    const tacAutomata *all, Run *run, uint32_t place, const Occurrence *o, const char *what, tacError *err) {
    const tacAutomaton *a = run->automaton;
    Instance *instance = run->instances.at[place];
    tacStatus status = TAC_OK;
    instance->alive = false;
    if (a->anyFinal && !a->final.at[instance->state] && instance->verdict != TAC_VERDICT_INVALID) {
        tacText text = {0};
        sayHead(all, run, instance, &text);
        tacTextPrintf(&text, "%s ends in state %s", what, tacInternName(&a->states, instance->state, NULL));
        status = note(run, instance, TAC_VERDICT_UNCERTAIN, o, all->model->store, a->statement, &text, err);
    }
    if (TAC_UNLIKELY(all->written))
        tacInstanceEnds(all->written, (size_t) (run - all->runs), place, (tacVerdict) instance->verdict, o->now);
    return status;
}

/* Ends the instances of jobs that were completed or abandoned by the changes. */
static tacStatus endJobs(
    const tacAutomata *all, Run *run, const Occurrence *o, const tacStateChange *changes, uint32_t n, tacError *err) {
    for (uint32_t i = 0; i < n; i++) {
        if (changes[i].to != TAC_STATE_COMPLETED && changes[i].to != TAC_STATE_NONE) continue;
        uint32_t place = placeOfJob(run, o->model, changes[i].job);
        if (place == TAC_NONE) continue;
        Instance *instance = run->instances.at[place];
        uint32_t *link = &run->byId[instance->object];
        while (*link != place) link = &run->instances.at[*link]->older;
        *link = instance->older;
        if (endInstance(all, run, place, o, "the job", err) != TAC_OK) return TAC_ERROR;
        if (!tacArrayPush(&run->free, place)) return tacFailMemory(err);
    }
    return TAC_OK;
}

/* Offers what happens to the runs that have a transition of its cell. */
static tacStatus happenAll(const tacAutomata *all, const Occurrence *o, tacError *err) {
    for (size_t i = 0; i < all->touching[o->cell].count; i++)
        if (happen(all, &all->runs[all->touching[o->cell].at[i]], o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* Offers what a change of a state is: leaving the one, then entering the other. */
static tacStatus change(const tacAutomata *all, const Occurrence *row, const tacStateChange *change, tacError *err) {
    Occurrence o = *row;
    if (change->from == change->to) return TAC_OK;
    o.change = change;
    o.job = change->job;
    o.task = row->model->jobs.at[change->job].task;
    if (change->job != row->job) o.processor = ranOn(row->model, change->job, row->now);
    o.cell = TAC_EVENTS + TAC_STATES + change->from;
    if (happenAll(all, &o, err) != TAC_OK) return TAC_ERROR;
    o.cell = (uint32_t) TAC_EVENTS + change->to;
    return happenAll(all, &o, err);
}

static void countAll(const tacAutomata *all, const tacModel *model, const tacStateChange *change, int64_t now) {
    count(&all->tasks[model->jobs.at[change->job].task], change, now);
    for (size_t k = 0; k < all->jobRuns.count; k++) {
        const Run *run = &all->runs[all->jobRuns.at[k]];
        uint32_t place = placeOfJob(run, model, change->job);
        if (place != TAC_NONE) count(&run->instances.at[place]->own, change, now);
    }
}

static tacStatus onRow(void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    tacAutomata *all = data;
    uint32_t n;
    const tacStateChange *changes = tacNowChanges(replay, &n);
    if (!n && !all->touching[tacRowEvent(model->store, row)].count) return TAC_OK;
    Occurrence o = occurrenceOf(model, replay, row);
    if (all->jobRuns.count && !beginJobs(all, model, changes, n, o.now)) return tacFailMemory(err);
    for (uint32_t i = 0; i < n; i++) countAll(all, model, &changes[i], o.now);
    tacStatus status = happenAll(all, &o, err);
    for (uint32_t i = 0; i < n && status == TAC_OK; i++) status = change(all, &o, &changes[i], err);
    for (size_t k = 0; k < all->jobRuns.count && n && status == TAC_OK; k++)
        status = endJobs(all, &all->runs[all->jobRuns.at[k]], &o, changes, n, err);
    return status;
}

/* Notes in which events and changes the kth run has an interest. */
static bool touch(tacAutomata *all, uint32_t k) {
    const tacAutomaton *a = all->runs[k].automaton;
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++)
        if (a->touched[cell] && !tacArrayPush(&all->touching[cell], k)) return false;
    return a->each != TAC_EACH_JOB || tacArrayPush(&all->jobRuns, k);
}

/* Writes down the instances that begin with the recording. */
static void writeFirst(const tacAutomata *all, size_t k) {
    const Run *run = &all->runs[k];
    for (uint32_t place = 0; place < run->instances.count; place++)
        if (run->instances.at[place]->alive)
            tacInstanceBegins(all->written, k, place, run->instances.at[place]->object, all->model->begin);
}

tacAutomata *tacAutomataStart(const tacAutomaton *automata, size_t n, const tacModel *model, tacInstances *written) {
    tacAutomata *all = tacAllocZero(1, sizeof *all);
    uint32_t nTasks = tacStoreObjects(model->store, TAC_TASK);
    if (!all) return NULL;
    all->model = model;
    all->written = written;
    all->runs = tacAllocZero(n + 1, sizeof *all->runs);
    all->tasks = tacAllocZero((size_t) nTasks + 1, sizeof *all->tasks);
    bool fine = all->runs && all->tasks;
    for (uint32_t i = 0; fine && i < nTasks; i++)
        for (int state = 0; state < TAC_STATES; state++) all->tasks[i].since[state] = model->begin;
    for (all->n = 0; fine && all->n < n; all->n++) {
        Run *run = &all->runs[all->n];
        run->automaton = &automata[all->n];
        run->kept = &all->kept;
        run->nVariables = tacInternCount(&automata[all->n].variables);
        fine = touch(all, (uint32_t) all->n) && beginAll(run, model, all->tasks);
        if (fine && written) writeFirst(all, all->n);
    }
    if (fine) return all;
    tacAutomataFree(all);
    return NULL;
}

tacConsumer tacAutomataConsumer(tacAutomata *all) { return (tacConsumer){all, onRow}; }

tacStatus tacAutomataEnd(tacAutomata *all, tacError *err) {
    Occurrence o = {.model = all->model, .row = TAC_NONE, .now = all->model->end};
    for (size_t k = 0; k < all->n; k++) {
        Run *run = &all->runs[k];
        for (uint32_t place = 0; place < run->instances.count; place++)
            if (run->instances.at[place]->alive && endInstance(all, run, place, &o, "the recording", err) != TAC_OK)
                return TAC_ERROR;
    }
    return TAC_OK;
}

const tacVerdictNote *tacAutomataNotes(const tacAutomata *all, size_t k, size_t *n) {
    *n = all->runs[k].notes.count;
    return all->runs[k].notes.at;
}

const uint64_t *tacAutomataOnlyCounted(const tacAutomata *all, size_t k) { return all->runs[k].onlyCounted; }

void tacAutomataFree(tacAutomata *all) {
    if (!all) return;
    for (size_t k = 0; all->runs && k < all->n; k++) {
        Run *run = &all->runs[k];
        for (size_t i = 0; i < run->instances.count; i++) tacFree(run->instances.at[i]);
        for (size_t i = 0; i < run->notes.count; i++) tacFree(run->notes.at[i].sentence);
        tacArrayFree(&run->instances);
        tacArrayFree(&run->free);
        tacArrayFree(&run->notes);
        tacFree(run->variables);
        tacFree(run->byId);
    }
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++) tacArrayFree(&all->touching[cell]);
    tacArrayFree(&all->jobRuns);
    tacFree(all->runs);
    tacFree(all->tasks);
    tacFree(all);
}
