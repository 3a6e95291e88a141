/*
 * automatonRead.c -- reads the statements of a model.
 */
#include "base/port.h"

#include "judge/ways.h"

#include <string.h>

typedef struct Reading {
    const tacModel *model;
    const tacStatement *at; /* the statement that is read */
    size_t left;            /* statements from there on */
    tacAutomaton *automaton;
    tacError *err;
    tacInternTable junctions; /* state, event and guard of each transition, by its index */
} Reading;

/* ---- words ------------------------------------------------------------------------------------------------------- */

static tacStatus failUsage(const Reading *r, const char *usage) {
    return tacFail(r->err, "USAGE", "wrong number of words: should be \"%s\"", usage);
}

static bool isWord(const tacWord *word, const char *text) { return tacWordIs(word, text); }

/* The words from one on, with blanks between them. */
static tacStatus joined(const Reading *r, int from, tacText *text) {
    for (int i = from; i < r->at->count; i++) {
        if (i > from) tacTextAdd(text, " ", 1);
        tacTextAdd(text, r->at->words[i].at, r->at->words[i].length);
    }
    return text->failed ? tacFailMemory(r->err) : TAC_OK;
}

static tacExpressionReader reader(const Reading *r) {
    tacAsks *asks = &r->automaton->asks;
    asks->model = r->model;
    asks->each = r->automaton->each;
    asks->key = r->automaton->key;
    return (tacExpressionReader){
        r->model ? r->model->store->unit : NULL, r->model == NULL, &r->automaton->variables, asks, false};
}

static tacStatus stateOf(const Reading *r, const tacWord *word, uint32_t *state) {
    *state = tacInternFind(&r->automaton->states, word->at, word->length);
    if (*state != TAC_NONE) return TAC_OK;
    return tacFail(r->err, "USAGE", "the model has no state \"%.*s\"", TAC_SHOWN(word));
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

static tacStatus readStart(const Reading *r, tacAction *action) {
    const tacWord *words = r->at->words;
    if (r->at->count != 2) return failUsage(r, "start variable");
    action->slot = tacIntern(&r->automaton->variables, words[1].at, words[1].length);
    return action->slot == TAC_NONE ? tacFailMemory(r->err) : TAC_OK;
}

static tacStatus readLet(const Reading *r, tacAction *action) {
    tacExpressionReader how = reader(r);
    tacText text = {0};
    if (r->at->count < 3) return failUsage(r, "let variable expression");
    action->slot = tacIntern(&r->automaton->variables, r->at->words[1].at, r->at->words[1].length);
    tacStatus status = action->slot == TAC_NONE ? tacFailMemory(r->err) : joined(r, 2, &text);
    if (status == TAC_OK) status = tacExpressionRead(&how, text.at, text.length, &action->expression, r->err);
    tacTextFree(&text);
    return status;
}

static tacStatus readRequire(const Reading *r, tacAction *action) {
    tacExpressionReader how = reader(r);
    tacText text = {0};
    if (r->at->count < 2) return failUsage(r, "require expression op expression");
    action->constraint = r->automaton->nConstraints++;
    tacStatus status = joined(r, 1, &text);
    if (status == TAC_OK) status = tacRelationTestRead(&how, text.at, text.length, &action->test, r->err);
    r->automaton->seeks += action->test.sought;
    tacTextFree(&text);
    return status;
}

static tacStatus readUnexpected(const Reading *r, tacAction *action) {
    (void) action;
    return r->at->count == 1 ? TAC_OK : failUsage(r, "unexpected");
}

static tacStatus readAction(const Reading *r, tacTransition *transition) {
    static const struct {
        const char *name;
        int kind;
        tacStatus (*read)(const Reading *r, tacAction *action);
    } actions[] = {{"start", TAC_ACTION_START, readStart}, {"let", TAC_ACTION_LET, readLet},
        {"require", TAC_ACTION_REQUIRE, readRequire}, {"unexpected", TAC_ACTION_UNEXPECTED, readUnexpected}};
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (!r->at->count || !isWord(&r->at->words[0], actions[i].name)) continue;
        if (!tacArrayPush(&transition->actions, (tacAction){.kind = actions[i].kind, .statement = r->at}))
            return tacFailMemory(r->err);
        return actions[i].read(r, &transition->actions.at[transition->actions.count - 1]);
    }
    return tacFail(r->err, "USAGE", "\"%.*s\" within a transition (must be start, let, require or unexpected)",
        TAC_SHOWN(&r->at->words[0]));
}

/* ---- states and transitions -------------------------------------------------------------------------------------- */

static tacStatus readState(Reading *r) {
    tacAutomaton *a = r->automaton;
    const tacWord *words = r->at->words;
    if (r->at->count < 2) return failUsage(r, "state name ?-initial? ?-final?");
    if (tacInternFind(&a->states, words[1].at, words[1].length) != TAC_NONE)
        return tacFail(r->err, "USAGE", "state \"%.*s\" is there twice", TAC_SHOWN(&words[1]));
    uint32_t state = tacIntern(&a->states, words[1].at, words[1].length);
    if (state == TAC_NONE || !tacArrayPush(&a->final, false)) return tacFailMemory(r->err);
    for (int i = 2; i < r->at->count; i++) {
        if (isWord(&words[i], "-initial")) {
            if (a->initial != TAC_NONE)
                return tacFail(r->err, "USAGE", "a second state is -initial: \"%.*s\"", TAC_SHOWN(&words[1]));
            a->initial = state;
        } else if (isWord(&words[i], "-final")) {
            a->final.at[state] = a->anyFinal = true;
        } else
            return tacFail(
                r->err, "USAGE", "state has no option \"%.*s\" (must be -initial or -final)", TAC_SHOWN(&words[i]));
    }
    return TAC_OK;
}

/* An event at most once at each junction, unless guards tell them apart. */
static tacStatus refuseTwice(Reading *r, const tacTransition *transition) {
    tacText key = {0};
    uint32_t index = (uint32_t) tacInternCount(&r->junctions);
    tacTextPrintf(
        &key, "%u %d %zu ", (unsigned) transition->from, transition->guarded, transition->trigger.pattern.text.length);
    tacTextAdd(&key, transition->trigger.pattern.text.at, transition->trigger.pattern.text.length);
    if (transition->guarded) tacTextAdd(&key, r->at->words[4].at, r->at->words[4].length);
    uint32_t first = key.failed ? TAC_NONE : tacIntern(&r->junctions, key.at, key.length);
    tacTextFree(&key);
    if (first == TAC_NONE) return tacFailMemory(r->err);
    if (first == index) return TAC_OK;
    return tacFail(r->err, "USAGE", "event \"%.*s\" leads out of this state already: %.100s",
        TAC_SHOWN(&transition->trigger.pattern.text), r->automaton->transitions.at[first].statement->place);
}

/* Reads `on STATE EVENT ?-if TEST? STATE`, and the actions that follow up to `end`. */
static tacStatus readOn(Reading *r) {
    static const char usage[] = "on state event ?-if {expression op expression}? state ?actions?";
    tacAutomaton *a = r->automaton;
    const tacWord *words = r->at->words;
    tacExpressionReader how = reader(r);
    if (r->at->count != 4 && r->at->count != 6) return failUsage(r, usage);
    if (!tacArrayPush(&a->transitions, (tacTransition){.statement = r->at})) return tacFailMemory(r->err);
    tacTransition *transition = &a->transitions.at[a->transitions.count - 1];
    transition->guarded = r->at->count == 6;
    if (transition->guarded && !isWord(&words[3], "-if")) return failUsage(r, usage);
    if (stateOf(r, &words[1], &transition->from) != TAC_OK
        || tacTriggerRead(r->model, &words[2], &transition->trigger, r->err) != TAC_OK)
        return TAC_ERROR;
    if (transition->guarded
        && tacRelationTestRead(&how, words[4].at, words[4].length, &transition->guard, r->err) != TAC_OK)
        return TAC_ERROR;
    if (transition->guard.sought) return tacFail(r->err, "USAGE", "a limit can be found for require, not for -if");
    if (stateOf(r, &words[r->at->count - 1], &transition->to) != TAC_OK || refuseTwice(r, transition) != TAC_OK)
        return TAC_ERROR;
    for (r->at++, r->left--; r->left && !isWord(&r->at->words[0], "end"); r->at++, r->left--)
        if (readAction(r, transition) != TAC_OK) return TAC_ERROR;
    return r->left ? TAC_OK : tacFail(r->err, "USAGE", "the model is not complete");
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

/* A trace without any such event does not record it. */
static tacStatus needEvent(const Reading *r, const tacWord *word) {
    int event = tacEventFind(word->at, word->length, false);
    if (event < 0) return tacFail(r->err, "USAGE", "unknown event \"%.*s\" after -needs", TAC_SHOWN(word));
    if (!r->model) return TAC_OK;
    const tacStore *store = r->model->store;
    for (uint32_t row = 0; row < tacStoreCount(store); row++)
        if (tacRowEvent(store, row) == (tacEvent) event) return TAC_OK;
    return tacFail(r->err, "LOOKUP EVENT", "the trace does not record %s", tacEvents[event].name);
}

/* Reads the value of -priority, such as "< 100". */
static tacStatus readPriority(const Reading *r, const tacWord *word) {
    tacAutomaton *a = r->automaton;
    const char *end = word->at + word->length, *at = word->at;
    while (at < end && *at == ' ') at++;
    const char *number = tacComparisonAt(at, end, &a->priorityOp);
    while (number && number < end && *number == ' ') number++;
    a->byPriority = true;
    tacDecimal decimal;
    if (number && tacDecimalParse(number, (size_t) (end - number), &decimal) == TAC_OK && decimal.digits == 0) {
        a->priority = decimal.mantissa;
        return TAC_OK;
    }
    return tacFail(r->err, "USAGE",
        "bad value \"%.*s\" of -priority: must be a comparison with a whole number, \"< 100\"", TAC_SHOWN(word));
}

static tacStatus readEach(const Reading *r, const tacWord *word) {
    static const struct {
        const char *word;
        tacEach each;
    } kinds[] = {{"trace", TAC_EACH_TRACE}, {"processor", TAC_EACH_PROCESSOR}, {"task", TAC_EACH_TASK},
        {"thread", TAC_EACH_TASK}, {"job", TAC_EACH_JOB}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!isWord(word, kinds[i].word)) continue;
        r->automaton->each = kinds[i].each;
        return TAC_OK;
    }
    return tacFail(r->err, "USAGE", "bad kind \"%.*s\" after -each: must be trace, processor, task, thread or job",
        TAC_SHOWN(word));
}

static tacStatus readOf(const Reading *r, const tacWord *word) {
    tacFree(r->automaton->of);
    r->automaton->of = tacCopyText(word->at, word->length);
    return r->automaton->of ? TAC_OK : tacFailMemory(r->err);
}

static tacStatus readKey(const Reading *r, const tacWord *word) {
    r->automaton->key = *word;
    return word->length ? TAC_OK : tacFail(r->err, "USAGE", "the field after -key has no name");
}

static tacStatus readUnjudged(const Reading *r, const tacWord *word) {
    r->automaton->unjudged = *word;
    return TAC_OK;
}

/* Reads `model NAME ?option ...?`. */
static tacStatus readHead(Reading *r) {
    static const struct {
        const char *name;
        tacStatus (*read)(const Reading *r, const tacWord *value);
    } options[] = {{"-each", readEach}, {"-key", readKey}, {"-of", readOf}, {"-priority", readPriority},
        {"-needs", needEvent}, {"-unjudged", readUnjudged}};
    enum { OPTIONS = sizeof options / sizeof *options };
    tacAutomaton *a = r->automaton;
    const tacWord *words = r->at->words;
    if (r->at->count < 2) return failUsage(r, "model name ?-each kind? ?-key field? ?-of pattern? ?option ...? body");
    a->name = words[1];
    for (int i = 2, k; i < r->at->count; i++) {
        const tacWord *option = &words[i];
        bool strict = isWord(option, "-strict"), overlap = isWord(option, "-overlap");
        a->strict |= strict;
        a->overlap |= overlap;
        if (strict || overlap) continue;
        for (k = 0; k < OPTIONS && !isWord(option, options[k].name); k++)
            ;
        if (k == OPTIONS)
            return tacFail(r->err, "USAGE",
                "model has no option \"%.*s\" (must be -each, -key, -of, -overlap, -priority, -strict, -needs or "
                "-unjudged)",
                TAC_SHOWN(option));
        if (++i == r->at->count) return tacFail(r->err, "USAGE", "no value after %.*s", TAC_SHOWN(option));
        if (options[k].read(r, &words[i]) != TAC_OK) return TAC_ERROR;
    }
    if (a->key.length && a->each != TAC_EACH_TRACE)
        return tacFail(r->err, "USAGE", "-key and -each: the instances have one or the other");
    if (a->overlap && a->each == TAC_EACH_JOB)
        return tacFail(r->err, "USAGE", "-overlap and -each job: each job has one instance");
    if (a->byPriority && a->each != TAC_EACH_TASK && a->each != TAC_EACH_JOB)
        return tacFail(r->err, "USAGE", "-priority needs -each task or -each job");
    if (a->of && a->each == TAC_EACH_TRACE) return tacFail(r->err, "USAGE", "-of without -each: a trace has no id");
    return TAC_OK;
}

/* ---- invariants -------------------------------------------------------------------------------------------------- */

static tacStatus jobStateOf(const Reading *r, const tacWord *word, tacJobState *found) {
    int state = 0;
    while (state < TAC_STATES && !isWord(word, tacStateNames[state])) state++;
    *found = (tacJobState) state;
    return state < TAC_STATES ? TAC_OK : tacFail(r->err, "USAGE", "bad state \"%.*s\" of jobs", TAC_SHOWN(word));
}

/* Reads `during STATE require EXPRESSION OP EXPRESSION` or `during STATE never JOBSTATE`. */
static tacStatus readDuring(const Reading *r) {
    static const char usage[] = "during state require expression op expression, or during state never jobstate";
    tacAutomaton *a = r->automaton;
    const tacWord *words = r->at->words;
    tacExpressionReader how = reader(r);
    if (r->at->count < 4) return failUsage(r, usage);
    if (!tacArrayPush(&a->invariants, (tacInvariant){.statement = r->at})) return tacFailMemory(r->err);
    tacInvariant *invariant = &a->invariants.at[a->invariants.count - 1];
    invariant->never = isWord(&words[2], "never");
    if (!invariant->never && !isWord(&words[2], "require")) return failUsage(r, usage);
    if (stateOf(r, &words[1], &invariant->state) != TAC_OK) return TAC_ERROR;
    if (invariant->never && r->at->count > 4) return failUsage(r, usage);
    if (invariant->never)
        return jobStateOf(r, &words[3], &invariant->jobState) == TAC_OK
                && tacAsksState(how.asks, invariant->jobState, &invariant->memory, r->err) == TAC_OK
            ? tacAsksState(how.asks, TAC_STATE_UNKNOWN, &invariant->doubt, r->err)
            : TAC_ERROR;
    tacText text = {0};
    how.staying = true;
    tacStatus status = joined(r, 3, &text);
    if (status == TAC_OK) status = tacRelationTestRead(&how, text.at, text.length, &invariant->test, r->err);
    tacTextFree(&text);
    a->seeks += invariant->test.sought;
    if (status == TAC_OK && invariant->test.sought && invariant->test.op == TAC_EQUAL)
        return tacFail(r->err, "USAGE", "no limit can be found for == in a state");
    return status;
}

/* ---- shared variables -------------------------------------------------------------------------------------------- */

/* Reads `shared NAME ?EXPRESSION?`. */
static tacStatus readShared(const Reading *r) {
    tacAutomaton *a = r->automaton;
    tacExpressionReader how = reader(r);
    if (r->at->count < 2) return failUsage(r, "shared variable ?expression?");
    const tacWord *name = &r->at->words[1];
    tacSharedVariable shared = {.valued = r->at->count > 2, .statement = r->at};
    shared.slot = tacIntern(&a->variables, name->at, name->length);
    for (size_t i = 0; i < a->shared.count; i++)
        if (a->shared.at[i].slot == shared.slot)
            return tacFail(r->err, "USAGE", "variable \"%.*s\" is shared twice", TAC_SHOWN(name));
    if (shared.slot == TAC_NONE || !tacArrayPush(&a->shared, shared)) return tacFailMemory(r->err);
    if (!shared.valued) return TAC_OK;
    tacText text = {0};
    tacStatus status = joined(r, 2, &text);
    tacExpression *expression = &a->shared.at[a->shared.count - 1].expression;
    if (status == TAC_OK) status = tacExpressionRead(&how, text.at, text.length, expression, r->err);
    tacTextFree(&text);
    return status;
}

/* What an instance's own task or job has used since another instance started a variable is not kept. */
static tacStatus checkShared(Reading *r) {
    const tacAutomaton *a = r->automaton;
    for (size_t i = 0; i < a->shared.count; i++) {
        uint32_t slot = a->shared.at[i].slot;
        uint32_t at = slot < a->asks.first.count ? a->asks.first.at[slot] : TAC_NONE;
        for (; at != TAC_NONE; at = a->asks.memories.at[at].next) {
            if (!tacQuantityIsOwn(&a->asks.memories.at[at].quantity)) continue;
            r->at = a->shared.at[i].statement;
            const char *name = tacInternName(&a->variables, slot, NULL);
            return tacFail(r->err, "USAGE",
                "what an instance has used is not kept since a shared variable was "
                "started: only elapsed(%s), and what names a task",
                name);
        }
    }
    return TAC_OK;
}

/* Prepares the tests for the ticks of the trace. */
static void prepare(const Reading *r) {
    int digits = r->model->store->digits;
    for (size_t i = 0; i < r->automaton->transitions.count; i++) {
        tacTransition *transition = &r->automaton->transitions.at[i];
        tacRelationTestPrepare(&transition->guard, digits);
        for (size_t k = 0; k < transition->actions.count; k++)
            tacRelationTestPrepare(&transition->actions.at[k].test, digits);
    }
    tacAutomaton *a = r->automaton;
    bool whole = !tacBeginsLater(a); /* what is an instance's own is of a task or job: others cannot ask for it */
    for (size_t i = 0; i < a->invariants.count; i++) {
        tacInvariantPrepare(&a->invariants.at[i], &a->asks, whole, digits);
        if (a->shared.count) a->invariants.at[i].look = TAC_LOOK_ALWAYS; /* others may change its variables */
    }
}

/* Adds a transition in front of the others of a state and cell. */
static bool addWay(tacAutomaton *a, uint32_t state, uint32_t cell, uint32_t transition) {
    uint32_t *first = &a->cells[state * TAC_CELLS + cell];
    if (!tacArrayPush(&a->ways, (tacWay){transition, *first})) return false;
    *first = (uint32_t) a->ways.count - 1;
    return true;
}

/* Adds the ith transition to the table; named: no earlier one has the same event. */
static bool addTransition(tacAutomaton *a, uint32_t i, bool named) {
    uint32_t cells[TAC_TRIGGER_CELLS], any = (uint32_t) tacInternCount(&a->states);
    tacTransition *transition = &a->transitions.at[i];
    transition->sure = !transition->guarded && tacTriggerIsPlain(&transition->trigger);
    for (int k = tacTriggerCells(&transition->trigger, cells); k-- > 0;) {
        if (!addWay(a, transition->from, cells[k], i) || (named && !addWay(a, any, cells[k], i))) return false;
        a->touched[cells[k]] |= transition->trigger.own ? 1 : 3;
    }
    return true;
}

/* Fills the table of transitions, from the last one on, so that those of a cell are in the order of the file. */
static tacStatus makeCells(const Reading *r) {
    tacAutomaton *a = r->automaton;
    size_t n = (tacInternCount(&a->states) + 1) * TAC_CELLS;
    tacInternTable events = {0};
    bool *named = tacAllocZero(a->transitions.count + 1, sizeof *named), fine = named;
    a->cells = tacAlloc(n * sizeof *a->cells);
    for (size_t i = 0; i < n && a->cells; i++) a->cells[i] = TAC_NONE;
    for (size_t i = 0; i < a->transitions.count && fine; i++) {
        const tacWord *text = &a->transitions.at[i].trigger.pattern.text;
        size_t known = tacInternCount(&events);
        fine = tacIntern(&events, text->at, text->length) != TAC_NONE;
        named[i] = tacInternCount(&events) > known;
    }
    for (size_t i = a->transitions.count; i-- > 0 && a->cells && fine;) fine = addTransition(a, (uint32_t) i, named[i]);
    tacInternFree(&events);
    tacFree(named);
    fine = fine && a->cells && (!r->model || tacWayIndexMake(a, r->model));
    return fine ? TAC_OK : tacFailMemory(r->err);
}

/* Reads the states first, since transitions may name one that stands behind them. */
static tacStatus readStates(Reading *r) {
    for (r->at++, r->left--; r->left; r->at++, r->left--) {
        bool on = r->at->count && isWord(&r->at->words[0], "on");
        if (r->at->count && isWord(&r->at->words[0], "end")) return TAC_OK;
        if (r->at->count && isWord(&r->at->words[0], "state") && readState(r) != TAC_OK) return TAC_ERROR;
        while (on && r->left && !isWord(&r->at->words[0], "end")) r->at++, r->left--;
        if (!r->left) break;
    }
    r->at--; /* the last one, for what is missing */
    return tacFail(r->err, "USAGE", "the model is not complete");
}

static tacStatus readTransitions(Reading *r) {
    for (r->at++, r->left--; r->left; r->at++, r->left--) {
        const tacWord *word = &r->at->words[0];
        if (!r->at->count || isWord(word, "state")) continue;
        if (isWord(word, "end")) return TAC_OK;
        if (isWord(word, "shared")) {
            if (readShared(r) != TAC_OK) return TAC_ERROR;
            continue;
        }
        if (isWord(word, "during")) {
            if (readDuring(r) != TAC_OK) return TAC_ERROR;
            continue;
        }
        if (!isWord(word, "on"))
            return tacFail(
                r->err, "USAGE", "\"%.*s\" within a model (must be state, shared, on or during)", TAC_SHOWN(word));
        if (readOn(r) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

tacStatus tacAutomatonRead(const tacModel *model, const tacStatement *statements, size_t n, tacAutomaton *automaton,
    size_t *used, size_t *fault, tacError *err) {
    *automaton = (tacAutomaton){.statement = statements, .initial = TAC_NONE, .asks = {.past = TAC_NONE}};
    Reading r = {model, statements, n, automaton, err, {0}};
    tacStatus status = readHead(&r);
    if (status == TAC_OK) status = readStates(&r);
    if (status == TAC_OK) {
        r.at = statements;
        r.left = n;
        status = readTransitions(&r);
    }
    tacInternFree(&r.junctions);
    if (status == TAC_OK && automaton->initial == TAC_NONE) {
        r.at = statements;
        status = tacFail(err, "USAGE", "model \"%.*s\" has no state that is -initial", TAC_SHOWN(&automaton->name));
    }
    *used = (size_t) (r.at - statements) + 1;
    if (status == TAC_OK && automaton->overlap && !automaton->anyFinal) {
        r.at = statements;
        status = tacFail(err, "USAGE", "-overlap without a state that is -final: no instance would end");
    }
    if (status == TAC_OK) status = checkShared(&r);
    if (status == TAC_OK && model) prepare(&r);
    *fault = (size_t) (r.at - statements);
    return status == TAC_OK ? makeCells(&r) : TAC_ERROR;
}

void tacAutomatonFree(tacAutomaton *a) {
    for (size_t i = 0; i < a->transitions.count; i++) {
        tacTransition *transition = &a->transitions.at[i];
        for (size_t k = 0; k < transition->actions.count; k++) {
            tacExpressionFree(&transition->actions.at[k].expression);
            tacRelationTestFree(&transition->actions.at[k].test);
        }
        tacArrayFree(&transition->actions);
        tacRelationTestFree(&transition->guard);
        tacTriggerFree(&transition->trigger);
    }
    for (size_t i = 0; i < a->shared.count; i++) tacExpressionFree(&a->shared.at[i].expression);
    tacArrayFree(&a->shared);
    for (size_t i = 0; i < a->invariants.count; i++) tacRelationTestFree(&a->invariants.at[i].test);
    tacArrayFree(&a->invariants);
    tacArrayFree(&a->transitions);
    tacArrayFree(&a->final);
    tacInternFree(&a->states);
    tacInternFree(&a->variables);
    tacAsksFree(&a->asks);
    tacArrayFree(&a->ways);
    tacWayIndexFree(&a->index);
    tacFree(a->cells);
    tacFree(a->of);
}
