/*
 * automatonRun.c -- automata follow a replay: instances, and the transitions that they take.
 *
 *   row --> its event, then the changes of states that it made --> instances whose it is --> transition --> actions
 *
 * What they count since a variable was started: quantity.c. Constraints that compare it: constraint.c.
 */
#include "base/port.h"

#include "base/glob.h"
#include "base/sort.h"
#include "judge/constraint.h"
#include "judge/groups.h"
#include "judge/instances.h"
#include "judge/kinds.h"
#include "judge/learn.h"
#include "judge/limit.h"
#include "judge/returns.h"
#include "judge/ways.h"

#include <math.h>
#include <string.h>

typedef struct Instance {
    uint32_t object; /* index of the processor or task; of a job: its id */
    uint32_t job;    /* index of tacModel.jobs, or TAC_NONE */
    uint32_t older; /* of a job: the instance of an earlier job of the same id, which ends with this row; or TAC_NONE */
    uint32_t state;
    bool alive;
    bool grouped; /* it began with a transition (-key, -overlap) */
    uint8_t verdict;
    tacBlocksOf blocks; /* of gauges */
    uint32_t place;
} Instance;

typedef struct Run {
    const tacAutomaton *automaton;
    TAC_ARRAY(Instance *) instances; /* of tasks and processors by index, NULL: not wanted; of jobs in any order */
    tacVariable *variables;          /* of instance i from i * nVariables on */
    __int128 *memories;              /* the same with nMemories; */
    tacPlace *places;                /* the gauge of each */
    tacAsking asking;                /* of the instance that is looked at */
    size_t nVariables, nMemories;
    size_t room;              /* of both: instances */
    TAC_ARRAY(bool) lacks;    /* by place * nConstraints + constraint: it was told that the trace does not tell */
    uint32_t *byId;           /* of jobs: the newest instance of an id, or TAC_NONE */
    TAC_ARRAY(uint32_t) free; /* places of instances that have ended */
    tacGroups groups;         /* instances of jobs by task; those with -overlap by object, with -key by value */
    uint32_t candidate;       /* place of the instance that begins next, with -key or -overlap */
    bool *wanted;             /* with -overlap: by object; NULL: all */
    bool full;                /* it was told that no more instances begin */
    tacVariable *shared;      /* by variable: of all instances; the others are not used */
    __int128 *sharedMemories; /* the same by memory */
    TAC_ARRAY(tacVerdictNote) notes;
    uint64_t *kept;                     /* notes of all runs together */
    uint64_t onlyCounted[TAC_VERDICTS]; /* findings beyond TAC_MOST_NOTES */
    tacStays *stays;                    /* in states with invariants; NULL: the model has none */
    struct tacAutomata *all;            /* for these */
    tacSought *samples; /* by constraint, then by invariant: of limits that are to be found; NULL: there are none */
    tacInternTable soughtKeys; /* with -key: the values of their instances */
} Run;

struct tacAutomata {
    const tacModel *model; /* of the trace; ids and definitions are its */
    Run *runs;
    size_t n;
    uint64_t kept;         /* notes of all runs */
    tacInstances *written; /* where instances are written down, or NULL */
    tacGauges *gauges;
    tacKinds kinds;                          /* that the trace records */
    TAC_ARRAY(uint32_t) jobRuns;             /* those that have an instance a job */
    TAC_ARRAY(uint32_t) touching[TAC_CELLS]; /* by cell: those that have a transition of it */
    bool listens[TAC_CELLS];                 /* by cell: does anything depend on it? */
    bool ofJobs;                             /* some gauges are those of jobs */
    tacReturns returns;                      /* kept where something listens to them */
    TAC_ARRAY(uint32_t) staying;             /* runs with invariants */
};

/* ---- instances --------------------------------------------------------------------------------------------------- */

static tacVariable *variablesOf(const Run *run, uint32_t place) { return run->variables + place * run->nVariables; }

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
            tacVariable *larger = tacRealloc(run->variables, (room * run->nVariables + 1) * sizeof *larger);
            if (!larger) return TAC_NONE;
            run->variables = larger;
            __int128 *memories = tacRealloc(run->memories, (room * run->nMemories + 1) * sizeof *memories);
            if (!memories) return TAC_NONE;
            run->memories = memories;
            run->room = room;
        }
    }
    memset(run->variables + place * run->nVariables, 0, run->nVariables * sizeof *run->variables);
    size_t n = run->automaton->nConstraints, first = place * n;
    if (run->lacks.count > first) memset(&run->lacks.at[first], 0, n * sizeof *run->lacks.at);
    return place;
}

/* Begins an instance in the initial state. */
static bool begin(Run *run, uint32_t object, uint32_t job, const tacGauges *gauges, const tacModel *model) {
    uint32_t place = newPlace(run);
    if (place == TAC_NONE) return false;
    Instance *instance = run->instances.at[place];
    *instance = (Instance){.object = object,
        .job = job,
        .older = TAC_NONE,
        .state = run->automaton->initial,
        .alive = true,
        .place = place};
    instance->blocks = tacGaugesBlocks(gauges, &(tacOwner){run->automaton->each, object, job}, model);
    if (job == TAC_NONE) return true;
    instance->older = run->byId[object];
    run->byId[object] = place;
    return tacGroupPut(&run->groups, model->jobs.at[job].task, 0, place);
}

/* Is an object of this id and name to be followed? */
static bool isWanted(const Run *run, const char *id, const char *name) {
    const char *of = run->automaton->of;
    return !of || tacGlob(of, id, strlen(id)) || tacGlob(of, name, strlen(name));
}

static bool isTaskWanted(const Run *run, const tacStore *store, uint32_t task) {
    const tacAutomaton *a = run->automaton;
    int64_t priority = store->objects[TAC_TASK].at[task].priority;
    int order = priority < a->priority ? -1 : priority > a->priority;
    if (a->byPriority && !tacComparisonHolds(a->priorityOp, order)) return false;
    return isWanted(run, tacObjectId(store, TAC_TASK, task), tacObjectName(store, TAC_TASK, task));
}

/* Place of the instance of a job; TAC_NONE: there is none, or it has ended. */
static uint32_t placeOfJob(const Run *run, const tacModel *model, uint32_t job) {
    if (job == TAC_NONE) return TAC_NONE;
    uint32_t place = run->byId[model->jobs.at[job].id];
    while (place != TAC_NONE && run->instances.at[place]->job != job) place = run->instances.at[place]->older;
    return place;
}

/* Is the object of this index to be followed? */
static bool isObjectWanted(const Run *run, const tacModel *model, uint32_t object) {
    const tacStore *store = model->store;
    if (run->automaton->each == TAC_EACH_PROCESSOR)
        return isWanted(run, tacProcessorId(model, object), tacProcessorName(model, object));
    return store->objects[TAC_TASK].at[object].line && isTaskWanted(run, store, object);
}

/* Prepares for instances that begin with a transition. */
static bool beginGroups(Run *run, const tacModel *model) {
    tacEach each = run->automaton->each;
    size_t n = each == TAC_EACH_PROCESSOR ? model->nProcessors
        : each == TAC_EACH_TASK           ? tacStoreObjects(model->store, TAC_TASK)
                                          : 1;
    run->candidate = newPlace(run);
    if (run->candidate == TAC_NONE) return false;
    run->instances.at[run->candidate]->alive = false;
    if (run->automaton->key.length) return true;
    if (each != TAC_EACH_TRACE && !(run->wanted = tacAllocZero(n + 1, sizeof *run->wanted))) return false;
    for (uint32_t i = 0; run->wanted && i < n; i++) run->wanted[i] = isObjectWanted(run, model, i);
    return tacGroupsMake(&run->groups, n);
}

static bool beginAll(Run *run, const tacModel *model, const tacGauges *gauges) {
    const tacStore *store = model->store;
    if (tacBeginsLater(run->automaton)) return beginGroups(run, model);
    switch (run->automaton->each) {
    case TAC_EACH_TRACE: return begin(run, TAC_NONE, TAC_NONE, gauges, model);
    case TAC_EACH_PROCESSOR:
        for (uint32_t i = 0; i < model->nProcessors; i++) {
            if (!begin(run, i, TAC_NONE, gauges, model)) return false;
            run->instances.at[i]->alive = isObjectWanted(run, model, i);
        }
        return true;
    case TAC_EACH_TASK:
        for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK); i++) {
            if (!begin(run, i, TAC_NONE, gauges, model)) return false;
            run->instances.at[i]->alive = isObjectWanted(run, model, i);
        }
        return true;
    default:
        run->byId = tacAlloc(((size_t) tacStoreObjects(store, TAC_JOB) + 1) * sizeof *run->byId);
        if (!run->byId) return false;
        for (uint32_t i = 0; i < tacStoreObjects(store, TAC_JOB); i++) run->byId[i] = TAC_NONE;
        return tacGroupsMake(&run->groups, tacStoreObjects(store, TAC_TASK));
    }
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

/* The value of the field that an instance was made for. */
static tacWord keyOf(const Run *run, const Instance *instance) {
    return tacGroupKey(&run->groups, tacGroupAt(&run->groups, instance->place));
}

static bool hasKey(const Run *run, const Instance *instance) { return run->automaton->key.length && instance->grouped; }

/* object: of the instance; key: its value of the field, or NULL. */
static void sayHeadOf(const tacAutomata *all, const Run *run, uint32_t object, const tacWord *key, tacText *text) {
    const tacAutomaton *a = run->automaton;
    tacTextPrintf(text, "model %.*s", TAC_SHOWN(&a->name));
    if (key) {
        tacTextPrintf(text, ", %.*s ", TAC_SHOWN(&a->key));
        tacAddId(text, key->at, key->length);
    } else if (a->each != TAC_EACH_TRACE) {
        const char *id = tacEachId(all->model, a->each, object);
        tacTextPrintf(text, ", %s ", tacKindNames[tacEachKind(a->each)]);
        tacAddId(text, id, strlen(id));
    }
    tacTextAddString(text, ": ");
}

static void sayHead(const tacAutomata *all, const Run *run, const Instance *instance, tacText *text) {
    tacWord key = {"", 0};
    bool has = hasKey(run, instance);
    if (has) key = keyOf(run, instance);
    sayHeadOf(all, run, instance->object, has ? &key : NULL, text);
}

/* Keeps a judgement, or only counts it where there are too many; takes the text over. */
static tacStatus note(Run *run, Instance *instance, tacVerdict verdict, const tacOccurrence *o, const tacStore *store,
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

/* ---- constraints ------------------------------------------------------------------------------------------------- */

/* Copies what the instances of a model share to the one in a place, or back. */
static void copyShared(const Run *run, uint32_t place, bool back) {
    const tacAutomaton *a = run->automaton;
    __int128 *memories = run->memories + place * run->nMemories;
    for (size_t i = 0; i < a->shared.count; i++) {
        uint32_t slot = a->shared.at[i].slot;
        tacVariable *own = variablesOf(run, place) + slot, *all = &run->shared[slot];
        *(back ? all : own) = *(back ? own : all);
        if (slot >= a->asks.first.count) continue;
        for (uint32_t at = a->asks.first.at[slot]; at != TAC_NONE; at = a->asks.memories.at[at].next)
            *(back ? &run->sharedMemories[at] : &memories[at]) = *(back ? &memories[at] : &run->sharedMemories[at]);
    }
}

/* A moment of the instance in a place. */
static tacAsking *askingOf(const tacAutomata *all, Run *run, uint32_t place, const tacOccurrence *o) {
    const Instance *instance = run->instances.at[place];
    tacAsking *asking = &run->asking;
    if (run->automaton->shared.count) copyShared(run, place, false);
    asking->variables = variablesOf(run, place);
    asking->memories = run->memories + place * run->nMemories;
    asking->gauges = tacGaugesAll(all->gauges);
    asking->blocks = &instance->blocks;
    asking->model = o->model;
    if (instance->job != TAC_NONE) asking->task = o->model->jobs.at[instance->job].task;
    else if (run->automaton->each == TAC_EACH_TASK) asking->task = instance->object;
    asking->event = o;
    asking->now = o->now;
    return asking;
}

/* Writes down how a constraint was judged. */
static void writeResult(const tacAutomata *all, const Run *run, uint32_t place, const tacAction *action,
    tacVerdict verdict, tacAsking *asking) {
    tacSides sides;
    double value = NAN;
    if (verdict != TAC_VERDICT_UNCERTAIN && tacConstraintSides(&action->test, asking, &sides) == TAC_HAS_VALUE
        && sides.left.under)
        value = (double) ((long double) sides.left.over * (sides.share ? 100 : 1) / (long double) sides.left.under);
    size_t k = (size_t) (run - all->runs);
    int side = tacIsUpperBound(action->test.op) ? 1 : -1;
    if (action->test.sought && verdict == TAC_VERDICT_VALID)
        tacInstanceSeeks(all->written, k, place, action->constraint, value, side);
    else tacInstanceJudges(all->written, k, place, action->constraint, verdict, value);
}

/* With -key, the value has its instance's key instead of an object. False: no memory. */
static bool noteKey(Run *run, const Instance *instance, tacSoughtValue *value) {
    if (!hasKey(run, instance)) return true;
    tacWord key = keyOf(run, instance);
    value->object = tacIntern(&run->soughtKeys, key.at, key.length);
    return value->object != TAC_NONE;
}

/* Notes a value of a constraint with a limit that is to be found. */
static tacStatus sample(Run *run, const Instance *instance, const tacAction *action, const tacOccurrence *o,
    const tacOutcome *outcome, tacError *err) {
    tacSought *into = &run->samples[action->constraint];
    tacSoughtValue value = {.value = outcome->sides.left, .time = o->now, .row = o->row, .object = instance->object};
    if (!noteKey(run, instance, &value)) return tacFailMemory(err);
    if (outcome->ranges) tacSoughtDoubt(into, action->test.op, &value.value, &outcome->most);
    else if (outcome->verdict == TAC_VERDICT_UNCERTAIN) into->unknown++;
    else if (!tacSoughtAdd(into, action->test.op, &value)) return tacFailMemory(err);
    return TAC_OK;
}

/* Was it told of the instance already that the recording as a whole does not tell what the constraint asks? *failed: no
 * memory. */
static bool wasTold(Run *run, uint32_t place, uint32_t constraint, const tacOutcome *outcome, bool *failed) {
    size_t n = run->automaton->nConstraints, at = place * n + constraint;
    bool lacks = outcome->verdict == TAC_VERDICT_UNCERTAIN
        && (outcome->why == TAC_NO_JOBS || outcome->why == TAC_NOT_RECORDED);
    *failed = false;
    if (!lacks) return false;
    while (run->lacks.count < (place + 1) * n && !*failed) *failed = !tacArrayPush(&run->lacks, false);
    if (*failed || run->lacks.at[at]) return true;
    run->lacks.at[at] = true;
    return false;
}

static tacStatus require(const tacAutomata *all, Run *run, uint32_t place, const tacAction *action,
    const tacOccurrence *o, tacAsking *asking, tacError *err) {
    if (!all->written && tacConstraintHolds(&action->test, asking)) return TAC_OK;
    tacOutcome outcome = tacConstraintJudge(&action->test, asking);
    if (TAC_UNLIKELY(all->written)) writeResult(all, run, place, action, outcome.verdict, asking);
    if (action->test.sought && sample(run, run->instances.at[place], action, o, &outcome, err) != TAC_OK)
        return TAC_ERROR;
    if (outcome.verdict == TAC_VERDICT_VALID) return TAC_OK;
    bool failed;
    if (wasTold(run, place, action->constraint, &outcome, &failed)) return failed ? tacFailMemory(err) : TAC_OK;
    Instance *instance = run->instances.at[place];
    tacText text = {0};
    if (all->kept >= TAC_MOST_NOTES)
        return note(run, instance, outcome.verdict, o, all->model->store, action->statement, &text, err);
    sayHead(all, run, instance, &text);
    tacTextPrintf(&text, "%s ", action->test.left.text);
    tacOutcomeSay(&outcome, asking, &run->automaton->variables, &text);
    tacTextPrintf(&text, ", required %s %s", tacComparisonWords[action->test.op], action->test.right.text);
    return note(run, instance, outcome.verdict, o, all->model->store, action->statement, &text, err);
}

typedef struct Telling { /* of the values of a constraint */
    const tacAutomata *all;
    Run *run;
    const tacStatement *statement;
} Telling;

static tacStatus takeSought(void *data, const tacSoughtValue *value, const char *sentence, tacError *err) {
    const Telling *telling = data;
    Run *run = telling->run;
    tacWord key = {"", 0};
    bool keyed = value && run->automaton->key.length;
    Instance instance = {.object = value && !keyed ? value->object : TAC_NONE};
    tacOccurrence o = {.row = value ? value->row : TAC_NONE, .now = value ? value->time : TAC_UNKNOWN};
    tacText text = {0};
    if (keyed) key.at = tacInternName(&run->soughtKeys, value->object, &key.length);
    if (value) sayHeadOf(telling->all, run, instance.object, keyed ? &key : NULL, &text);
    else tacTextPrintf(&text, "model %.*s: ", TAC_SHOWN(&run->automaton->name));
    tacTextAddString(&text, sentence);
    return note(run, &instance, value ? TAC_VERDICT_UNCERTAIN : TAC_VERDICT_VALID, &o, telling->all->model->store,
        telling->statement, &text, err);
}

/* Tells which values of a constraint are far from the others, and how many there are. */
static tacStatus tellFar(const tacAutomata *all, Run *run, const tacRelationTest *test, size_t sample,
    const tacStatement *statement, tacError *err) {
    tacSoughtSaid said = {test->left.text, test->right.text, test->op, tacComparesShares(&test->left, &test->right),
        all->model->store->digits};
    Telling telling = {all, run, statement};
    uint64_t more = 0;
    tacStatus status = tacSoughtTell(&run->samples[sample], &said, takeSought, &telling, &more, err);
    run->onlyCounted[TAC_VERDICT_UNCERTAIN] += more;
    const tacSought *sought = &run->samples[sample];
    double scale = said.share ? 100 : 1;
    if (all->written && sample < run->automaton->nConstraints)
        tacInstancesFar(
            all->written, (size_t) (run - all->runs), (uint32_t) sample, sought->low * scale, sought->high * scale);
    return status;
}

static tacStatus tellAllFar(const tacAutomata *all, Run *run, tacError *err) {
    const tacAutomaton *a = run->automaton;
    if (!run->samples) return TAC_OK;
    for (size_t i = 0; i < a->transitions.count; i++) {
        const tacTransition *transition = &a->transitions.at[i];
        for (size_t k = 0; k < transition->actions.count; k++) {
            const tacAction *action = &transition->actions.at[k];
            if (action->test.sought
                && tellFar(all, run, &action->test, action->constraint, action->statement, err) != TAC_OK)
                return TAC_ERROR;
        }
    }
    for (size_t i = 0; i < a->invariants.count; i++) {
        const tacInvariant *invariant = &a->invariants.at[i];
        if (invariant->test.sought
            && tellFar(all, run, &invariant->test, a->nConstraints + i, invariant->statement, err) != TAC_OK)
            return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- invariants -------------------------------------------------------------------------------------------------- */

static tacAsking stayAsking(void *data, uint32_t place, const tacOccurrence *o) {
    Run *run = data;
    return *askingOf(run->all, run, place, o);
}

static bool staySeek(void *data, uint32_t place, size_t invariant, tacSoughtValue *value, bool known) {
    Run *run = data;
    tacSought *into = &run->samples[run->automaton->nConstraints + invariant];
    tacComparison op = run->automaton->invariants.at[invariant].test.op;
    if (!value) into->unknown++;
    else if (!known) tacSoughtDoubt(into, op, &value->value, &value->value);
    else {
        value->object = run->instances.at[place]->object;
        return noteKey(run, run->instances.at[place], value) && tacSoughtAdd(into, op, value);
    }
    return true;
}

static tacStatus stayTell(void *data, uint32_t place, tacVerdict verdict, const tacOccurrence *o,
    const tacStatement *statement, tacText *sentence, tacError *err) {
    Run *run = data;
    tacText text = {0};
    sayHead(run->all, run, run->instances.at[place], &text);
    tacTextAdd(&text, sentence->at ? sentence->at : "", sentence->length);
    text.failed |= sentence->failed;
    tacTextFree(sentence);
    if (TAC_UNLIKELY(run->all->written))
        tacInstanceStays(run->all->written, (size_t) (run - run->all->runs), statement, verdict);
    return note(run, run->instances.at[place], verdict, o, run->all->model->store, statement, &text, err);
}

/* Prepares to follow the stays of the instances in states, of which some live already. */
static bool beginStays(tacAutomata *all, uint32_t k) {
    Run *run = &all->runs[k];
    const tacAutomaton *a = run->automaton;
    run->all = all;
    if (!a->invariants.count) return true;
    run->stays = tacStaysNew(a->invariants.at, a->invariants.count, &a->states, &a->variables,
        (tacStaysHost){run, stayAsking, stayTell, staySeek});
    for (uint32_t place = 0; run->stays && place < run->instances.count; place++)
        if (run->instances.at[place]->alive && !tacStaysBegin(run->stays, place, a->initial, all->model->begin, NULL))
            return false;
    for (size_t i = 0; i < a->invariants.count; i++)
        if (a->invariants.at[i].never) all->listens[TAC_CELL_ENTERS + a->invariants.at[i].jobState] = true;
    all->listens[TAC_CELL_CALL] = all->listens[TAC_CELL_RETURN] = true; /* they are judged at returns as well */
    return run->stays && tacArrayPush(&all->staying, k);
}

/* Judges the invariants that may have changed. */
static tacStatus lookAll(const tacAutomata *all, const tacOccurrence *o, tacError *err) {
    for (size_t i = 0; i < all->staying.count; i++)
        if (tacStaysLook(all->runs[all->staying.at[i]].stays, o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* The place of the only instance that a job is of, in a model of tasks or jobs; TAC_NONE: it has none or several. */
static uint32_t placeOfOwner(const Run *run, const tacModel *model, uint32_t job) {
    if (tacBeginsLater(run->automaton)) return TAC_NONE;
    if (run->automaton->each == TAC_EACH_TASK) return model->jobs.at[job].task;
    return run->automaton->each == TAC_EACH_JOB ? placeOfJob(run, model, job) : TAC_NONE;
}

/* Notes that the jobs of instances have changed. */
static bool touchStays(const tacAutomata *all, const tacModel *model, const tacStateChange *changes, uint32_t n) {
    for (size_t i = 0; i < all->staying.count; i++) {
        Run *run = &all->runs[all->staying.at[i]];
        for (uint32_t k = 0; k < n; k++) {
            uint32_t place = placeOfOwner(run, model, changes[k].job);
            if (place != TAC_NONE && !tacStaysTouch(run->stays, place, true)) return false;
        }
    }
    return true;
}

/* A job enters a state in which those of some instances must not be. */
static tacStatus enterStays(const tacAutomata *all, const tacOccurrence *o, tacError *err) {
    for (size_t i = 0; i < all->staying.count; i++) {
        Run *run = &all->runs[all->staying.at[i]];
        bool ofTasks = run->automaton->each == TAC_EACH_TASK;
        uint32_t owner = placeOfOwner(run, o->model, o->change->job);
        bool one = owner != TAC_NONE || run->automaton->each == TAC_EACH_JOB;
        for (uint32_t k = one ? owner : 0; k < run->instances.count; k = one ? TAC_NONE : k + 1) {
            if (ofTasks && run->instances.at[k]->object != o->task) continue;
            if (tacStaysJob(run->stays, k, (tacJobState) o->change->to, o, err) != TAC_OK) return TAC_ERROR;
        }
    }
    return TAC_OK;
}

/* ---- transitions ------------------------------------------------------------------------------------------------- */

static bool fits(const Run *run, const Instance *instance, const tacTrigger *trigger, const tacOccurrence *o) {
    return tacTriggerFits(trigger, o, &(tacOwner){run->automaton->each, instance->object, instance->job});
}

/* Tells that an event is not expected in the state of an instance. */
static tacStatus tellUnexpected(const tacAutomata *all, Run *run, Instance *instance, const tacTrigger *trigger,
    const tacOccurrence *o, const tacStatement *statement, tacError *err) {
    tacText text = {0};
    sayHead(all, run, instance, &text);
    tacTextPrintf(&text, "{%.*s} in state %s, where it is not expected", (int) trigger->pattern.text.length,
        trigger->pattern.text.at, tacInternName(&run->automaton->states, instance->state, NULL));
    return note(run, instance, TAC_VERDICT_INVALID, o, all->model->store, statement, &text, err);
}

static tacStatus take(const tacAutomata *all, Run *run, Instance *instance, uint32_t place,
    const tacTransition *transition, const tacOccurrence *o, tacAsking *asking, tacError *err) {
    for (size_t i = 0; i < transition->actions.count; i++) {
        const tacAction *action = &transition->actions.at[i];
        if (action->kind == TAC_ACTION_START) tacVariableStart(asking, action->slot);
        else if (action->kind == TAC_ACTION_LET) tacVariableLet(asking, action->slot, &action->expression);
        else {
            tacStatus status = action->kind == TAC_ACTION_REQUIRE
                ? require(all, run, place, action, o, asking, err)
                : tellUnexpected(all, run, instance, &transition->trigger, o, action->statement, err);
            if (status != TAC_OK) return TAC_ERROR;
        }
    }
    if (transition->actions.count && run->automaton->shared.count) copyShared(run, place, true);
    instance->state = transition->to;
    if (TAC_UNLIKELY(run->stays != NULL) && tacStaysEnter(run->stays, place, transition->to, o, err) != TAC_OK)
        return TAC_ERROR;
    if (TAC_UNLIKELY(all->written))
        tacInstanceTakes(all->written, (size_t) (run - all->runs), place,
            (uint32_t) (transition - run->automaton->transitions.at), o->now);
    return TAC_OK;
}

/* An event of the model that its state does not expect. */
static tacStatus refuse(const tacAutomata *all, Run *run, Instance *instance, const tacOccurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    tacWayWalk walk = tacWaysOf(a, (uint32_t) tacInternCount(&a->states), o);
    for (const tacTransition *transition; (transition = tacWaysNext(&walk)) != NULL;) {
        const tacTrigger *trigger = &transition->trigger;
        if (fits(run, instance, trigger, o)) return tellUnexpected(all, run, instance, trigger, o, a->statement, err);
    }
    return TAC_OK;
}

/* The first transition that an instance takes at what happens; NULL: none. */
static const tacTransition *choose(
    const Run *run, const Instance *instance, const tacOccurrence *o, tacAsking *asking) {
    const tacAutomaton *a = run->automaton;
    asking->event = o;
    tacWayWalk walk = tacWaysOf(a, instance->state, o);
    for (const tacTransition *transition; (transition = tacWaysNext(&walk)) != NULL;) {
        if (!fits(run, instance, &transition->trigger, o)) continue;
        if (transition->guarded && tacConstraintJudge(&transition->guard, asking).verdict != TAC_VERDICT_VALID)
            continue;
        return transition;
    }
    return NULL;
}

static bool hasWay(const tacAutomaton *a, uint32_t state, uint32_t cell) {
    return a->cells[state * TAC_CELLS + cell] != TAC_NONE;
}

/* The transition that an event of this cell takes, if it is the instance's own; NULL: that depends on more. */
static const tacTransition *sureWay(const tacAutomaton *a, uint32_t state, uint32_t cell) {
    uint32_t way = a->cells[state * TAC_CELLS + cell];
    const tacTransition *first = way == TAC_NONE ? NULL : &a->transitions.at[a->ways.at[way].transition];
    return first && first->sure ? first : NULL;
}

/* Offers what happens to an instance, which takes the first transition that fits. */
static tacStatus offer(
    const tacAutomata *all, Run *run, uint32_t place, bool own, const tacOccurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    Instance *instance = run->instances.at[place];
    if (!instance->alive || (!hasWay(a, instance->state, o->cell) && !a->strict)) return TAC_OK;
    const tacTransition *transition = own ? sureWay(a, instance->state, o->cell) : NULL;
    if (transition && !transition->actions.count) return take(all, run, instance, place, transition, o, NULL, err);
    tacAsking *asking = askingOf(all, run, place, o);
    if (!transition) transition = choose(run, instance, o, asking);
    if (transition) return take(all, run, instance, place, transition, o, asking, err);
    return a->strict ? refuse(all, run, instance, o, err) : TAC_OK;
}

/* Offers what happens to all instances, or to those of the jobs of a task. */
static tacStatus offerAll(const tacAutomata *all, Run *run, uint32_t task, const tacOccurrence *o, tacError *err) {
    if (task == TAC_NONE) {
        for (uint32_t place = 0; place < run->instances.count; place++)
            if (offer(all, run, place, false, o, err) != TAC_OK) return TAC_ERROR;
        return TAC_OK;
    }
    uint32_t place = tacGroupOldest(&run->groups, task);
    for (; place != TAC_NONE; place = tacGroupNext(&run->groups, place))
        if (offer(all, run, place, false, o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* Ends an instance that is over; what says so comes from where it is. */
static tacStatus endInstance(
    const tacAutomata *all, Run *run, uint32_t place, const tacOccurrence *o, const char *what, tacError *err) {
    const tacAutomaton *a = run->automaton;
    Instance *instance = run->instances.at[place];
    tacStatus status = TAC_OK;
    instance->alive = false;
    if (TAC_UNLIKELY(run->stays != NULL) && tacStaysEnd(run->stays, place, o, err) != TAC_OK) return TAC_ERROR;
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

/* ---- instances that begin with a transition ---------------------------------------------------------------------- */

/* Says, once, that no more instances begin. */
static tacStatus refuseMore(const tacAutomata *all, Run *run, const tacOccurrence *o, tacError *err) {
    Instance none = {.object = TAC_NONE};
    tacText text = {0};
    if (run->full) return TAC_OK;
    run->full = true;
    tacTextPrintf(&text,
        "model %.*s: more than %d instances live at once; as long as there are so many, no others begin",
        TAC_SHOWN(&run->automaton->name), TAC_MOST_LIVING);
    return note(run, &none, TAC_VERDICT_UNCERTAIN, o, all->model->store, run->automaton->statement, &text, err);
}

/* Takes a transition; a final state ends the instance. */
static tacStatus takeGrouped(const tacAutomata *all, Run *run, uint32_t place, const tacTransition *transition,
    const tacOccurrence *o, tacError *err) {
    Instance *instance = run->instances.at[place];
    tacAsking *asking = askingOf(all, run, place, o);
    if (take(all, run, instance, place, transition, o, asking, err) != TAC_OK) return TAC_ERROR;
    if (!run->automaton->final.at[transition->to])
        return tacGroupMove(&run->groups, place, transition->to) ? TAC_OK : tacFailMemory(err);
    if (endInstance(all, run, place, o, "the instance", err) != TAC_OK) return TAC_ERROR;
    tacGroupTake(&run->groups, place);
    return tacArrayPush(&run->free, place) ? TAC_OK : tacFailMemory(err);
}

/* Begins an instance in the place that waits for it, if that takes a transition. */
static tacStatus beginOne(const tacAutomata *all, Run *run, uint32_t object, const tacWord *key, const tacOccurrence *o,
    bool *begun, tacError *err) {
    const tacAutomaton *a = run->automaton;
    uint32_t place = run->candidate, group = object;
    Instance *instance = run->instances.at[place];
    *instance = (Instance){.object = a->each == TAC_EACH_TRACE ? TAC_NONE : object,
        .job = TAC_NONE,
        .older = TAC_NONE,
        .state = a->initial,
        .grouped = true,
        .place = place};
    instance->blocks = tacGaugesBlocks(all->gauges, &(tacOwner){a->each, object, TAC_NONE}, o->model);
    if (key && !tacGaugesKey(all->gauges, &a->key, key, &instance->blocks)) return tacFailMemory(err);
    tacAsking *asking = askingOf(all, run, place, o);
    const tacTransition *transition = choose(run, instance, o, asking);
    *begun = transition != NULL;
    if (!transition) return TAC_OK;
    if (run->groups.living >= TAC_MOST_LIVING) return refuseMore(all, run, o, err);
    if (key) group = tacGroupOf(&run->groups, key);
    if (group == TAC_NONE || !tacGroupPut(&run->groups, group, a->initial, place)) return tacFailMemory(err);
    instance->alive = true;
    if (run->stays && !tacStaysBegin(run->stays, place, a->initial, o->now, o)) return tacFailMemory(err);
    if (TAC_UNLIKELY(all->written))
        tacInstanceBegins(all->written, (size_t) (run - all->runs), place, instance->object, key, o->now);
    if (takeGrouped(all, run, place, transition, o, err) != TAC_OK) return TAC_ERROR;
    run->candidate = newPlace(run);
    if (run->candidate == TAC_NONE) return tacFailMemory(err);
    run->instances.at[run->candidate]->alive = false;
    return TAC_OK;
}

/* Does a guard stand at some transition out of a state? */
static bool isGuarded(const tacAutomaton *a, uint32_t state, uint32_t cell) {
    uint32_t at = a->cells[state * TAC_CELLS + cell];
    while (at != TAC_NONE && !a->transitions.at[a->ways.at[at].transition].guarded) at = a->ways.at[at].next;
    return at != TAC_NONE;
}

/* The oldest instance of a group that takes a transition; TAC_NONE: none. */
static uint32_t chooseOldest(
    const tacAutomata *all, Run *run, uint32_t group, const tacOccurrence *o, const tacTransition **transition) {
    const tacAutomaton *a = run->automaton;
    const tacGroups *groups = &run->groups;
    uint32_t oldest = TAC_NONE;
    for (uint32_t list = groups->all.at[group]; list != TAC_NONE; list = groups->lists.at[list].next) {
        uint32_t state = groups->lists.at[list].state, place = groups->lists.at[list].first;
        if (!hasWay(a, state, o->cell)) continue;
        for (; place != TAC_NONE; place = tacGroupNext(groups, place)) {
            if (oldest != TAC_NONE && tacGroupIsOlder(groups, oldest, place)) break;
            tacAsking *asking = askingOf(all, run, place, o);
            const tacTransition *chosen = choose(run, run->instances.at[place], o, asking);
            if (chosen) {
                *transition = chosen;
                oldest = place;
            }
            if (chosen || !isGuarded(a, state, o->cell)) break;
        }
    }
    return oldest;
}

/* Offers what happens to the instances of an object or a value, from the oldest on, then to one that may begin. The
 * first one that takes a transition takes it from the others. key NULL: of an object. */
static tacStatus offerGroup(
    const tacAutomata *all, Run *run, uint32_t object, const tacWord *key, const tacOccurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    const tacTransition *transition;
    if (run->wanted && !run->wanted[object]) return TAC_OK;
    uint32_t group = key ? tacGroupFind(&run->groups, key) : object;
    bool lives = group != TAC_NONE && run->groups.all.at[group] != TAC_NONE;
    uint32_t place = lives ? chooseOldest(all, run, group, o, &transition) : TAC_NONE;
    if (place != TAC_NONE) return takeGrouped(all, run, place, transition, o, err);
    bool begun = false;
    if ((!lives || a->overlap) && hasWay(a, a->initial, o->cell)
        && beginOne(all, run, object, key, o, &begun, err) != TAC_OK)
        return TAC_ERROR;
    if (!a->strict || begun || !lives) return TAC_OK;
    return refuse(all, run, run->instances.at[tacGroupOldest(&run->groups, group)], o, err);
}

/* Offers what happens to the instances of its value of the field, if it has one. */
static tacStatus offerKey(const tacAutomata *all, Run *run, const tacOccurrence *o, tacError *err) {
    tacField field;
    return tacFieldFind(o, &run->automaton->key, &field) ? offerGroup(all, run, 0, &field.text, o, err) : TAC_OK;
}

static tacStatus offerGroups(const tacAutomata *all, Run *run, const tacOccurrence *o, tacError *err) {
    for (uint32_t object = 0; object < run->groups.all.count; object++)
        if (offerGroup(all, run, object, NULL, o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* Offers what happens to the instances whose it is. */
static tacStatus happen(const tacAutomata *all, Run *run, const tacOccurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    uint32_t place = TAC_NONE;
    if (!a->touched[o->cell]) return TAC_OK;
    if (a->key.length) return offerKey(all, run, o, err);
    bool nobodys = a->each == TAC_EACH_PROCESSOR ? o->processor == TAC_NO_PROCESSOR : o->task == TAC_NONE;
    bool everybodys = a->touched[o->cell] != 1 || nobodys || a->each == TAC_EACH_TRACE;
    if (everybodys) return a->overlap ? offerGroups(all, run, o, err) : offerAll(all, run, TAC_NONE, o, err);
    if (a->each == TAC_EACH_JOB && o->job == TAC_NONE) return offerAll(all, run, o->task, o, err);
    if (a->each == TAC_EACH_JOB) place = placeOfJob(run, o->model, o->job);
    else place = a->each == TAC_EACH_TASK ? o->task : o->processor;
    if (a->overlap) return place < run->groups.all.count ? offerGroup(all, run, place, NULL, o, err) : TAC_OK;
    return place < run->instances.count ? offer(all, run, place, true, o, err) : TAC_OK;
}

/* ---- the replay -------------------------------------------------------------------------------------------------- */

/* Instances of jobs that begin with this row, in their order. */
static bool beginJobs(tacAutomata *all, const tacModel *model, const tacStateChange *changes, uint32_t n, int64_t now) {
    for (uint32_t i = 0; i < n; i++) {
        if (changes[i].from != TAC_STATE_NONE) continue;
        const tacJob *job = &model->jobs.at[changes[i].job];
        for (size_t k = 0; k < all->jobRuns.count; k++) {
            Run *run = &all->runs[all->jobRuns.at[k]];
            if (!isTaskWanted(run, model->store, job->task)) continue;
            if (!begin(run, job->id, changes[i].job, all->gauges, model)) return false;
            if (run->stays && !tacStaysBegin(run->stays, run->byId[job->id], run->automaton->initial, now, NULL))
                return false;
            if (TAC_UNLIKELY(all->written))
                tacInstanceBegins(all->written, all->jobRuns.at[k], run->byId[job->id], job->id, NULL, now);
        }
    }
    return true;
}

/* Ends the instances of jobs that were completed or abandoned by the changes. */
static tacStatus endJobs(const tacAutomata *all, Run *run, const tacOccurrence *o, const tacStateChange *changes,
    uint32_t n, tacError *err) {
    for (uint32_t i = 0; i < n; i++) {
        if (changes[i].to != TAC_STATE_COMPLETED && changes[i].to != TAC_STATE_NONE) continue;
        uint32_t place = placeOfJob(run, o->model, changes[i].job);
        if (place == TAC_NONE) continue;
        Instance *instance = run->instances.at[place];
        uint32_t *link = &run->byId[instance->object];
        while (*link != place) link = &run->instances.at[*link]->older;
        *link = instance->older;
        tacGroupTake(&run->groups, place);
        if (endInstance(all, run, place, o, "the job", err) != TAC_OK) return TAC_ERROR;
        if (!tacArrayPush(&run->free, place)) return tacFailMemory(err);
    }
    return TAC_OK;
}

/* Offers what happens to the runs that have a transition of its cell. */
static tacStatus happenAll(const tacAutomata *all, const tacOccurrence *o, tacError *err) {
    if (!all->listens[o->cell]) return TAC_OK;
    if (!tacGaugesHappen(all->gauges, o)) return tacFailMemory(err);
    for (size_t i = 0; i < all->touching[o->cell].count; i++)
        if (happen(all, &all->runs[all->touching[o->cell].at[i]], o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* Offers what a change of a state is: leaving the one, then entering the other. */
static tacStatus change(const tacAutomata *all, const tacOccurrence *row, const tacStateChange *change, tacError *err) {
    uint32_t leaves = TAC_CELL_LEAVES + change->from, enters = TAC_CELL_ENTERS + change->to;
    if (change->from == change->to || !(all->listens[leaves] || all->listens[enters])) return TAC_OK;
    tacOccurrence o = tacOccurrenceOfChange(row, change, false);
    if (happenAll(all, &o, err) != TAC_OK) return TAC_ERROR;
    o.cell = enters;
    if (TAC_UNLIKELY(all->staying.count > 0) && enterStays(all, &o, err) != TAC_OK) return TAC_ERROR;
    return happenAll(all, &o, err);
}

/* Offers the returns up to now. */
static tacStatus returnCalls(tacAutomata *all, const tacModel *model, int64_t now, tacError *err) {
    while (tacReturnsUntil(&all->returns, now)) {
        tacReturn next = tacReturnsNext(&all->returns);
        tacOccurrence o = tacOccurrenceOfReturn(model, next.row, next.time);
        if (lookAll(all, &o, err) != TAC_OK || happenAll(all, &o, err) != TAC_OK || lookAll(all, &o, err) != TAC_OK)
            return TAC_ERROR;
    }
    return TAC_OK;
}

/* Does any model or gauge depend on a row of this cell, or on one of its changes? */
static bool isListened(const tacAutomata *all, uint32_t cell, const tacStateChange *changes, uint32_t n) {
    bool listened = all->listens[cell] || (all->jobRuns.count && n);
    for (uint32_t i = 0; i < n; i++)
        listened |= all->listens[TAC_CELL_LEAVES + changes[i].from] || all->listens[TAC_CELL_ENTERS + changes[i].to];
    return listened;
}

/* Offers a row on which something depends, and its changes; and looks at the states that instances stay in. */
static tacStatus rowHappens(
    tacAutomata *all, const tacOccurrence *o, const tacStateChange *changes, uint32_t n, bool staying, tacError *err) {
    if (all->jobRuns.count && !beginJobs(all, o->model, changes, n, o->now)) return tacFailMemory(err);
    tacStatus status = happenAll(all, o, err);
    for (uint32_t i = 0; i < n && status == TAC_OK; i++) status = change(all, o, &changes[i], err);
    if (staying && status == TAC_OK)
        status = touchStays(all, o->model, changes, n) ? lookAll(all, o, err) : tacFailMemory(err);
    for (size_t k = 0; k < all->jobRuns.count && n && status == TAC_OK; k++)
        status = endJobs(all, &all->runs[all->jobRuns.at[k]], o, changes, n, err);
    return status;
}

/* Notes a system call that begins with a row, and offers those that have returned before it. */
static tacStatus followCalls(tacAutomata *all, const tacModel *model, uint32_t row, int64_t now, tacError *err) {
    bool call = tacRowCell(model->store, row, true) == TAC_CELL_CALL;
    if (tacReturnsUntil(&all->returns, now) && returnCalls(all, model, now, err) != TAC_OK) return TAC_ERROR;
    if (!call || !tacRowReturns(model->store, row)) return TAC_OK;
    return tacReturnsAdd(&all->returns, model->store, row) ? TAC_OK : tacFailMemory(err);
}

tacStatus tacAutomataRow(
    tacAutomata *all, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    bool returns = all->listens[TAC_CELL_RETURN], staying = all->staying.count > 0;
    uint32_t n, cell = tacRowCell(model->store, row, all->listens[TAC_CELL_CALL] || returns);
    const tacStateChange *changes = tacNowChanges(replay, &n);
    if (returns && followCalls(all, model, row, tacNow(replay), err) != TAC_OK) return TAC_ERROR;
    if (TAC_UNLIKELY(staying)) {
        tacOccurrence before = {.model = model, .row = row, .now = tacNow(replay)};
        if (lookAll(all, &before, err) != TAC_OK) return TAC_ERROR;
        staying = all->staying.count > 0;
    }
    if (!n && !all->listens[cell]) return TAC_OK;
    if (!tacGaugesRow(all->gauges, model, replay, row)) return tacFailMemory(err);
    tacStatus status = TAC_OK;
    if (staying || isListened(all, cell, changes, n)) {
        tacOccurrence o = tacOccurrenceOfRow(model, replay, row, cell);
        status = rowHappens(all, &o, changes, n, staying, err);
    }
    if (!n || !all->ofJobs) return status;
    return tacGaugesForget(all->gauges, model, changes, n) ? status : tacFailMemory(err);
}

/* Notes in which events and changes the kth run has an interest. */
static bool touch(tacAutomata *all, uint32_t k) {
    const tacAutomaton *a = all->runs[k].automaton;
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++) {
        if (!a->touched[cell]) continue;
        all->listens[cell] = true;
        if (!tacArrayPush(&all->touching[cell], k)) return false;
    }
    return a->each != TAC_EACH_JOB || tacArrayPush(&all->jobRuns, k);
}

/* Writes down the instances that begin with the recording. */
static void writeFirst(const tacAutomata *all, size_t k) {
    const Run *run = &all->runs[k];
    for (uint32_t place = 0; place < run->instances.count; place++)
        if (run->instances.at[place]->alive)
            tacInstanceBegins(all->written, k, place, run->instances.at[place]->object, NULL, all->model->begin);
}

/* Tells that something is not known of the whole model. */
static tacStatus noteWhole(const tacAutomata *all, Run *run, tacText *text, tacError *err) {
    Instance none = {.object = TAC_NONE};
    return note(run, &none, TAC_VERDICT_UNCERTAIN, &(tacOccurrence){.row = TAC_NONE, .now = TAC_UNKNOWN},
        all->model->store, run->automaton->statement, text, err);
}

/* Tells that no object fits -of, so that nothing is judged. */
static tacStatus noteNobody(const tacAutomata *all, Run *run, tacError *err) {
    const tacAutomaton *a = run->automaton;
    bool processor = a->each == TAC_EACH_PROCESSOR, some = !a->of;
    uint32_t n = processor ? all->model->nProcessors : tacStoreObjects(all->model->store, TAC_TASK);
    tacText text = {0};
    for (uint32_t i = 0; i < n && !some; i++) some = isObjectWanted(run, all->model, i);
    if (some) return TAC_OK;
    tacTextPrintf(&text, "model %.*s: no %s fits %.100s", TAC_SHOWN(&a->name), processor ? "processor" : "task", a->of);
    return noteWhole(all, run, &text, err);
}

/* Tells the first kind of things that the model waits for, and the trace does not record. */
static tacStatus noteUnrecorded(tacAutomata *all, Run *run, tacError *err) {
    const tacAutomaton *a = run->automaton;
    for (size_t i = 0; i < a->transitions.count; i++) {
        const tacTrigger *trigger = &a->transitions.at[i].trigger;
        bool has = true;
        if (trigger->kind >= TAC_TRIGGER_MARK && !tacKindsHas(&all->kinds, trigger, &has)) return tacFailMemory(err);
        if (has) continue;
        tacText text = {0};
        tacTextPrintf(&text, "model %.*s: the trace records no ", TAC_SHOWN(&a->name));
        tacKindSay(trigger, &text);
        return noteWhole(all, run, &text, err);
    }
    return TAC_OK;
}

/* Gives the shared variables their first values. */
static bool beginShared(const tacAutomata *all, Run *run) {
    const tacAutomaton *a = run->automaton;
    if (!a->shared.count) return true;
    run->shared = tacAllocZero(run->nVariables, sizeof *run->shared);
    run->sharedMemories = tacAllocZero(run->nMemories + 1, sizeof *run->sharedMemories);
    if (!run->shared || !run->sharedMemories) return false;
    tacAsking asking = {.variables = run->shared,
        .memories = run->sharedMemories,
        .asks = &a->asks,
        .places = run->places,
        .all = all->gauges,
        .gauges = tacGaugesAll(all->gauges),
        .now = all->model->begin,
        .digits = all->model->store->digits};
    for (size_t i = 0; i < a->shared.count; i++)
        if (a->shared.at[i].valued) tacVariableLet(&asking, a->shared.at[i].slot, &a->shared.at[i].expression);
    return true;
}

tacAutomata *tacAutomataStart(
    const tacAutomaton *automata, size_t n, const tacModel *model, tacInstances *written, tacError *err) {
    tacAutomata *all = tacAllocZero(1, sizeof *all);
    size_t nSought = 0;
    if (!all) return tacFailMemory(err), NULL;
    all->model = model;
    all->kinds.store = model->store;
    all->written = written;
    all->runs = tacAllocZero(n + 1, sizeof *all->runs);
    all->gauges = tacGaugesNew(model, &all->kinds);
    bool fine = all->runs && all->gauges;
    for (size_t i = 0; fine && i < n; i++) fine = tacGaugesAsk(all->gauges, &automata[i].asks);
    if (fine && tacGaugesMake(all->gauges, err) != TAC_OK) {
        tacAutomataFree(all);
        return NULL;
    }
    if (fine) tacGaugesListen(all->gauges, all->listens);
    if (fine) all->ofJobs = tacGaugesOfJobs(all->gauges);
    for (size_t i = 0; i < n; i++) nSought += automata[i].seeks;
    for (all->n = 0; fine && all->n < n; all->n++) {
        Run *run = &all->runs[all->n];
        run->automaton = &automata[all->n];
        run->kept = &all->kept;
        run->nVariables = tacInternCount(&automata[all->n].variables);
        run->nMemories = automata[all->n].asks.memories.count;
        run->places = tacAlloc((run->nMemories + 1) * sizeof *run->places);
        run->asking = (tacAsking){.asks = &automata[all->n].asks,
            .places = run->places,
            .all = all->gauges,
            .task = TAC_NONE,
            .digits = model->store->digits};
        fine = run->places && tacGaugesPlaces(all->gauges, &automata[all->n].asks, run->places) && beginShared(all, run)
            && touch(all, (uint32_t) all->n) && beginAll(run, model, all->gauges);
        if (automata[all->n].seeks) {
            size_t nSamples = automata[all->n].nConstraints + automata[all->n].invariants.count;
            run->samples = tacAllocZero(nSamples, sizeof *run->samples);
            if (run->samples) tacSoughtBegin(run->samples, nSamples, nSought);
            fine = fine && run->samples;
        }
        fine = fine && noteNobody(all, run, err) == TAC_OK && noteUnrecorded(all, run, err) == TAC_OK;
        fine = fine && beginStays(all, (uint32_t) all->n);
        if (fine && written) writeFirst(all, all->n);
    }
    if (fine) return all;
    tacAutomataFree(all);
    tacFailMemory(err);
    return NULL;
}

static int compareBegins(const void *left, const void *right, const void *data) {
    const Run *run = data;
    uint32_t a = (*(const Instance *const *) left)->place, b = (*(const Instance *const *) right)->place;
    return tacGroupIsOlder(&run->groups, a, b) ? -1 : tacGroupIsOlder(&run->groups, b, a);
}

/* The recording has ended: ends the instances of a model, those that began one after the other in this order. */
static tacStatus endRun(const tacAutomata *all, Run *run, const tacOccurrence *o, tacError *err) {
    TAC_ARRAY(Instance *) living = {0};
    bool fine = true;
    tacStatus status = TAC_OK;
    for (uint32_t place = 0; place < run->instances.count && fine; place++)
        if (run->instances.at[place]->alive) fine = tacArrayPush(&living, run->instances.at[place]);
    if (fine && tacBeginsLater(run->automaton))
        fine = tacSort(living.at, living.count, sizeof *living.at, compareBegins, run, NULL);
    if (!fine) status = tacFailMemory(err);
    for (size_t i = 0; i < living.count && status == TAC_OK; i++)
        status = endInstance(all, run, living.at[i]->place, o, "the recording", err);
    tacArrayFree(&living);
    return status;
}

tacStatus tacAutomataEnd(tacAutomata *all, tacError *err) {
    tacOccurrence o = {.model = all->model, .row = TAC_NONE, .now = all->model->end};
    if (returnCalls(all, all->model, all->model->end, err) != TAC_OK) return TAC_ERROR;
    uint32_t rows = tacStoreCount(all->model->store);
    if (rows && tacRowTime(all->model->store, rows - 1) < o.now && lookAll(all, &o, err) != TAC_OK) return TAC_ERROR;
    for (size_t k = 0; k < all->n; k++)
        if (endRun(all, &all->runs[k], &o, err) != TAC_OK || tellAllFar(all, &all->runs[k], err) != TAC_OK)
            return TAC_ERROR;
    return TAC_OK;
}

const tacSought *tacAutomataSought(const tacAutomata *all, size_t k) { return all->runs[k].samples; }

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
        size_t nSamples = run->samples ? run->automaton->nConstraints + run->automaton->invariants.count : 0;
        for (size_t i = 0; i < nSamples; i++) tacSoughtFree(&run->samples[i]);
        tacFree(run->samples);
        tacArrayFree(&run->lacks);
        tacStaysFree(run->stays);
        tacFree(run->variables);
        tacFree(run->memories);
        tacFree(run->places);
        tacFree(run->byId);
        tacFree(run->wanted);
        tacFree(run->shared);
        tacFree(run->sharedMemories);
        tacInternFree(&run->soughtKeys);
        tacGroupsFree(&run->groups);
    }
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++) tacArrayFree(&all->touching[cell]);
    tacArrayFree(&all->jobRuns);
    tacArrayFree(&all->staying);
    tacArrayFree(&all->returns);
    tacKindsFree(&all->kinds);
    tacFree(all->runs);
    tacGaugesFree(all->gauges);
    tacFree(all);
}
