/*
 * automatonStart.c -- begins the runs of automata with their instances, and frees them.
 */
#include "base/port.h"

#include "base/glob.h"
#include "judge/automatonRun.h"

#include <string.h>

uint32_t tacAutomatonPlace(tacAutomatonRun *run) {
    uint32_t place;
    if (run->free.count) place = run->free.at[--run->free.count];
    else {
        place = (uint32_t) run->instances.count;
        tacAutomatonInstance *instance = tacAllocZero(1, sizeof *instance);
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

uint32_t tacAutomatonBegin(
    tacAutomatonRun *run, uint32_t object, uint32_t job, const tacGauges *gauges, const tacModel *model) {
    uint32_t place = tacAutomatonPlace(run);
    if (place == TAC_NONE) return TAC_NONE;
    tacAutomatonInstance *instance = run->instances.at[place];
    *instance = (tacAutomatonInstance){.object = object,
        .job = job,
        .task = job != TAC_NONE ? model->jobs.at[job].task
            : run->ofTasks      ? object
                                : TAC_NONE,
        .state = run->automaton->initial,
        .alive = true,
        .place = place};
    instance->blocks = tacGaugesBlocks(gauges, &(tacOwner){run->automaton->each, object, job}, model);
    bool grouped = job == TAC_NONE || tacGroupPut(&run->groups, model->jobs.at[job].task, 0, place);
    return grouped ? place : TAC_NONE;
}

/* Is an object of this id and name to be followed? */
static bool isWanted(const tacAutomatonRun *run, const char *id, const char *name) {
    const char *of = run->automaton->of;
    return !of || tacGlob(of, id, strlen(id)) || tacGlob(of, name, strlen(name));
}

bool tacAutomatonWants(const tacAutomatonRun *run, const tacStore *store, uint32_t task) {
    const tacAutomaton *a = run->automaton;
    if (!a->of && store->objects[TAC_TASK].at[task].several) return false;
    int64_t priority = store->objects[TAC_TASK].at[task].priority;
    int order = priority < a->priority ? -1 : priority > a->priority;
    if (a->byPriority && !tacComparisonHolds(a->priorityOp, order)) return false;
    return isWanted(run, tacObjectId(store, TAC_TASK, task), tacObjectName(store, TAC_TASK, task));
}

/* Is the object of this index to be followed? */
static bool isObjectWanted(const tacAutomatonRun *run, const tacModel *model, uint32_t object) {
    const tacStore *store = model->store;
    if (run->automaton->each == TAC_EACH_PROCESSOR)
        return isWanted(run, tacProcessorId(model, object), tacProcessorName(model, object));
    return store->objects[TAC_TASK].at[object].line && tacAutomatonWants(run, store, object);
}

/* Prepares for instances that begin with a transition. */
static bool beginGroups(tacAutomatonRun *run, const tacModel *model) {
    tacEach each = run->automaton->each;
    size_t n = each == TAC_EACH_PROCESSOR ? model->nProcessors
        : each == TAC_EACH_TASK           ? tacStoreObjects(model->store, TAC_TASK)
                                          : 1;
    run->candidate = tacAutomatonPlace(run);
    if (run->candidate == TAC_NONE) return false;
    run->instances.at[run->candidate]->alive = false;
    if (run->automaton->key.length) return true;
    if (each != TAC_EACH_TRACE && !(run->wanted = tacAllocZero(n + 1, sizeof *run->wanted))) return false;
    for (uint32_t i = 0; run->wanted && i < n; i++) run->wanted[i] = isObjectWanted(run, model, i);
    return tacGroupsMake(&run->groups, n);
}

static bool beginAll(tacAutomatonRun *run, const tacModel *model, const tacGauges *gauges) {
    const tacStore *store = model->store;
    if (tacBeginsLater(run->automaton)) return beginGroups(run, model);
    switch (run->automaton->each) {
    case TAC_EACH_TRACE: return tacAutomatonBegin(run, TAC_NONE, TAC_NONE, gauges, model) != TAC_NONE;
    case TAC_EACH_PROCESSOR:
        for (uint32_t i = 0; i < model->nProcessors; i++) {
            if (tacAutomatonBegin(run, i, TAC_NONE, gauges, model) == TAC_NONE) return false;
            run->instances.at[i]->alive = isObjectWanted(run, model, i);
        }
        return true;
    case TAC_EACH_TASK:
        for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK); i++) {
            if (tacAutomatonBegin(run, i, TAC_NONE, gauges, model) == TAC_NONE) return false;
            run->instances.at[i]->alive = isObjectWanted(run, model, i);
        }
        return true;
    default: return tacGroupsMake(&run->groups, tacStoreObjects(store, TAC_TASK));
    }
}

/* Marks the tasks that can concern a run, by its instances and by the events that it waits for. False: all can. */
static bool findTasks(const tacAutomatonRun *run, const tacModel *model, bool *concerned) {
    const tacAutomaton *a = run->automaton;
    uint32_t n = tacStoreObjects(model->store, TAC_TASK);
    bool ofTasks = a->each == TAC_EACH_TASK || a->each == TAC_EACH_JOB;
    if (a->key.length || (ofTasks && !a->of)) return false;
    for (size_t i = 0; i < a->transitions.count; i++) {
        const tacTrigger *trigger = &a->transitions.at[i].trigger;
        uint32_t task = trigger->own ? TAC_NONE : tacTriggerTask(trigger);
        if (trigger->own ? !ofTasks : task >= n) return false;
        if (task < n) concerned[task] = true;
    }
    for (uint32_t task = 0; ofTasks && task < n; task++) concerned[task] |= isObjectWanted(run, model, task);
    return true;
}

/* Makes the kth run be found by the tasks that concern it, if these are few. *few: it is. False: no memory. */
static bool touchFew(tacAutomata *all, uint32_t k, const tacModel *model, bool *few) {
    bool *concerned = tacAllocZero((size_t) all->nTasks + 1, sizeof *concerned), fine = concerned != NULL;
    uint32_t n = 0;
    *few = fine && findTasks(&all->runs[k], model, concerned);
    for (uint32_t task = 0; *few && task < all->nTasks; task++) n += concerned[task];
    *few = *few && n <= all->nTasks / 2;
    if (*few && !all->ofTask)
        fine = (all->ofTask = tacAllocZero((size_t) all->nTasks + 1, sizeof *all->ofTask)) != NULL;
    for (uint32_t task = 0; *few && fine && task < all->nTasks; task++)
        if (concerned[task]) fine = tacArrayPush(&all->ofTask[task], k);
    tacFree(concerned);
    return fine && (!*few || tacArrayPush(&all->few, k));
}

/* Prepares for the slots of living jobs. */
static bool beginLiving(tacAutomata *all, const tacModel *model) {
    uint32_t n = tacStoreObjects(model->store, TAC_JOB);
    if (all->followsJobs) return true;
    all->followsJobs = true;
    all->living.byId = tacAlloc(((size_t) n + 1) * sizeof *all->living.byId);
    for (uint32_t i = 0; all->living.byId && i < n; i++) all->living.byId[i] = TAC_NONE;
    return all->living.byId != NULL;
}

/* Notes in which events and changes the kth run has an interest. */
static bool touch(tacAutomata *all, uint32_t k, const tacModel *model) {
    tacAutomatonRun *run = &all->runs[k];
    const tacAutomaton *a = run->automaton;
    if (!touchFew(all, k, model, &run->few)) return false;
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++) {
        if (!a->touched[cell]) continue;
        all->listens[cell] = true;
        if (!run->few && !tacArrayPush(&all->touching[cell], k)) return false;
    }
    if (a->each != TAC_EACH_JOB) return true;
    return beginLiving(all, model) && (run->few || tacArrayPush(&all->jobRuns, k));
}

/* Notes what changes are to models, and whether rows need no more than that. */
static void concern(tacAutomata *all) {
    all->light = tacGaugesOfTasks(all->gauges) && !all->ofJobs && !all->followsJobs && !all->agenda.all.count
        && !all->listens[TAC_CELL_CALL] && !all->listens[TAC_CELL_RETURN];
    for (unsigned from = 0; from < TAC_STATES; from++)
        for (unsigned to = 0; to < TAC_STATES; to++) {
            bool heard = all->listens[TAC_CELL_LEAVES + from] || all->listens[TAC_CELL_ENTERS + to];
            bool counted = tacGaugesCount(all->gauges, from, to);
            all->concerns[from * TAC_STATES + to] = (uint8_t) ((heard ? TAC_CONCERN_HEARD : 0)
                | (counted ? TAC_CONCERN_COUNTED : 0));
        }
}

/* Writes down the instances that begin with the recording. */
static void writeFirst(const tacAutomata *all, size_t k) {
    const tacAutomatonRun *run = &all->runs[k];
    for (uint32_t place = 0; place < run->instances.count; place++)
        if (run->instances.at[place]->alive)
            tacInstanceBegins(all->written, k, place, run->instances.at[place]->object, NULL, all->model->begin);
}

/* Tells that something is not known of the whole model. */
static tacStatus noteWhole(const tacAutomata *all, tacAutomatonRun *run, tacText *text, tacError *err) {
    tacAutomatonInstance none = {.object = TAC_NONE};
    return tacAutomatonNote(run, &none, TAC_VERDICT_UNCERTAIN, &(tacOccurrence){.row = TAC_NONE, .now = TAC_UNKNOWN},
        all->model->store, run->automaton->statement, text, err);
}

/* Tells that no object fits -of, so that nothing is judged. */
static tacStatus noteNobody(const tacAutomata *all, tacAutomatonRun *run, tacError *err) {
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
static tacStatus noteUnrecorded(tacAutomata *all, tacAutomatonRun *run, tacError *err) {
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
static bool beginShared(const tacAutomata *all, tacAutomatonRun *run) {
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
    all->agenda.due = INT64_MAX;
    all->nTasks = tacStoreObjects(model->store, TAC_TASK);
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
    if (fine) all->counts = tacGaugesListen(all->gauges, all->listens);
    if (fine) all->ofJobs = tacGaugesOfJobs(all->gauges);
    for (size_t i = 0; i < n; i++) nSought += automata[i].seeks;
    for (all->n = 0; fine && all->n < n; all->n++) {
        tacAutomatonRun *run = &all->runs[all->n];
        run->automaton = &automata[all->n];
        run->all = all;
        run->ofTasks = run->automaton->each == TAC_EACH_TASK && !tacBeginsLater(run->automaton);
        run->shares = run->automaton->shared.count > 0;
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
            && touch(all, (uint32_t) all->n, model) && beginAll(run, model, all->gauges);
        if (automata[all->n].seeks) {
            size_t nSamples = automata[all->n].nConstraints + automata[all->n].invariants.count;
            run->samples = tacAllocZero(nSamples, sizeof *run->samples);
            if (run->samples) tacSoughtBegin(run->samples, nSamples, nSought);
            fine = fine && run->samples;
        }
        fine = fine && noteNobody(all, run, err) == TAC_OK && noteUnrecorded(all, run, err) == TAC_OK;
        fine = fine && tacStaysStart(all, (uint32_t) all->n);
        if (fine && written) writeFirst(all, all->n);
    }
    if (fine) return concern(all), all;
    tacAutomataFree(all);
    tacFailMemory(err);
    return NULL;
}

void tacAutomataFree(tacAutomata *all) {
    if (!all) return;
    for (size_t k = 0; all->runs && k < all->n; k++) {
        tacAutomatonRun *run = &all->runs[k];
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
        tacArrayFree(&run->ofSlot);
        tacFree(run->wanted);
        tacFree(run->shared);
        tacFree(run->sharedMemories);
        tacInternFree(&run->soughtKeys);
        tacGroupsFree(&run->groups);
    }
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++) tacArrayFree(&all->touching[cell]);
    tacArrayFree(&all->jobRuns);
    for (uint32_t task = 0; all->ofTask && task < all->nTasks; task++) tacArrayFree(&all->ofTask[task]);
    tacFree(all->ofTask);
    tacArrayFree(&all->few);
    tacArrayFree(&all->staying);
    tacArrayFree(&all->agenda.all);
    tacArrayFree(&all->agenda.waiting);
    tacFree(all->living.byId);
    tacArrayFree(&all->living.slots);
    tacArrayFree(&all->living.free);
    tacArrayFree(&all->returns);
    tacKindsFree(&all->kinds);
    tacFree(all->runs);
    tacGaugesFree(all->gauges);
    tacFree(all);
}
