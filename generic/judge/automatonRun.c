/*
 * automatonRun.c -- automata follow a replay: the transitions that their instances take.
 *
 *   row --> its event, then the changes of states that it made --> instances whose it is --> transition --> actions
 *
 * What they count since a variable was started: quantity.c. Constraints that compare it: constraint.c.
 */
#include "base/port.h"

#include "base/sort.h"
#include "judge/automatonRun.h"
#include "judge/ways.h"

#include <math.h>

/* ---- constraints ------------------------------------------------------------------------------------------------- */

/* Copies what the instances of a model share to the one in a place, or back. */
static void copyShared(const tacAutomatonRun *run, uint32_t place, bool back) {
    const tacAutomaton *a = run->automaton;
    __int128 *memories = run->memories + place * run->nMemories;
    for (size_t i = 0; i < a->shared.count; i++) {
        uint32_t slot = a->shared.at[i].slot;
        tacVariable *own = tacAutomatonVariables(run, place) + slot, *all = &run->shared[slot];
        *(back ? all : own) = *(back ? own : all);
        if (slot >= a->asks.first.count) continue;
        for (uint32_t at = a->asks.first.at[slot]; at != TAC_NONE; at = a->asks.memories.at[at].next)
            *(back ? &run->sharedMemories[at] : &memories[at]) = *(back ? &memories[at] : &run->sharedMemories[at]);
    }
}

static TAC_INLINE tacAsking *askingOf(
    const tacAutomata *all, tacAutomatonRun *run, uint32_t place, const tacOccurrence *o) {
    const tacAutomatonInstance *instance = run->instances.at[place];
    tacAsking *asking = &run->asking;
    if (TAC_UNLIKELY(run->shares)) copyShared(run, place, false);
    asking->variables = tacAutomatonVariables(run, place);
    asking->memories = run->memories + place * run->nMemories;
    asking->gauges = tacGaugesAll(all->gauges);
    asking->blocks = &instance->blocks;
    asking->model = o->model;
    asking->task = instance->task;
    asking->event = o;
    asking->now = o->now;
    return asking;
}

tacAsking *tacAutomatonAsking(const tacAutomata *all, tacAutomatonRun *run, uint32_t place, const tacOccurrence *o) {
    return askingOf(all, run, place, o);
}

/* Writes down how a constraint was judged. */
static void writeResult(const tacAutomata *all, const tacAutomatonRun *run, uint32_t place, const tacAction *action,
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

/* Was it told of the instance already that the recording as a whole does not tell what the constraint asks? *failed: no
 * memory. */
static bool wasTold(
    tacAutomatonRun *run, uint32_t place, uint32_t constraint, const tacOutcome *outcome, bool *failed) {
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

static tacStatus require(const tacAutomata *all, tacAutomatonRun *run, uint32_t place, const tacAction *action,
    const tacOccurrence *o, tacAsking *asking, tacError *err) {
    tacOutcome outcome = tacConstraintJudge(&action->test, asking);
    if (TAC_UNLIKELY(all->written)) writeResult(all, run, place, action, outcome.verdict, asking);
    if (action->test.sought && tacAutomatonSample(run, run->instances.at[place], action, o, &outcome, err) != TAC_OK)
        return TAC_ERROR;
    if (outcome.verdict == TAC_VERDICT_VALID) return TAC_OK;
    bool failed;
    if (wasTold(run, place, action->constraint, &outcome, &failed)) return failed ? tacFailMemory(err) : TAC_OK;
    tacAutomatonInstance *instance = run->instances.at[place];
    tacText text = {0};
    if (all->kept >= TAC_MOST_NOTES)
        return tacAutomatonNote(run, instance, outcome.verdict, o, all->model->store, action->statement, &text, err);
    tacAutomatonSayHead(all, run, instance, &text);
    tacTextPrintf(&text, "%s ", action->test.left.text);
    tacOutcomeSay(&outcome, asking, &action->test, &run->automaton->variables, &text);
    tacTextPrintf(&text, ", required %s %s", tacComparisonWords[action->test.op], action->test.right.text);
    return tacAutomatonNote(run, instance, outcome.verdict, o, all->model->store, action->statement, &text, err);
}

/* ---- transitions ------------------------------------------------------------------------------------------------- */

static bool fits(const tacAutomatonRun *run, const tacAutomatonInstance *instance, const tacTrigger *trigger,
    const tacOccurrence *o) {
    return tacTriggerFits(trigger, o, &(tacOwner){run->automaton->each, instance->object, instance->job});
}

/* Tells that an event is not expected in the state of an instance. */
static tacStatus tellUnexpected(const tacAutomata *all, tacAutomatonRun *run, tacAutomatonInstance *instance,
    const tacTrigger *trigger, const tacOccurrence *o, const tacStatement *statement, tacError *err) {
    tacText text = {0};
    tacAutomatonSayHead(all, run, instance, &text);
    tacTextPrintf(&text, "{%.*s} in state %s, where it is not expected", (int) trigger->pattern.text.length,
        trigger->pattern.text.at, tacInternName(&run->automaton->states, instance->state, NULL));
    return tacAutomatonNote(run, instance, TAC_VERDICT_INVALID, o, all->model->store, statement, &text, err);
}

/* Does what an action says, other than requiring what holds. */
static tacStatus act(const tacAutomata *all, tacAutomatonRun *run, uint32_t place, const tacTransition *transition,
    const tacAction *action, const tacOccurrence *o, tacAsking *asking, tacError *err) {
    switch (action->kind) {
    case TAC_ACTION_START: return tacVariableStart(asking, action->slot), TAC_OK;
    case TAC_ACTION_LET: return tacVariableLet(asking, action->slot, &action->expression), TAC_OK;
    case TAC_ACTION_REQUIRE: return require(all, run, place, action, o, asking, err);
    default: return tellUnexpected(all, run, run->instances.at[place], &transition->trigger, o, action->statement, err);
    }
}

/* Follows a transition that was taken, where somebody wants to know. */
static tacStatus followTaken(const tacAutomata *all, tacAutomatonRun *run, uint32_t place,
    const tacTransition *transition, const tacOccurrence *o, tacError *err) {
    if (run->stays && tacStaysEnter(run->stays, place, transition->to, o, err) != TAC_OK) return TAC_ERROR;
    if (all->written)
        tacInstanceTakes(all->written, (size_t) (run - all->runs), place,
            (uint32_t) (transition - run->automaton->transitions.at), o->now);
    return TAC_OK;
}

static TAC_INLINE tacStatus take(const tacAutomata *all, tacAutomatonRun *run, uint32_t place,
    const tacTransition *transition, const tacOccurrence *o, tacAsking *asking, tacError *err) {
    for (size_t i = 0; i < transition->actions.count; i++) {
        const tacAction *action = &transition->actions.at[i];
        bool holds = action->kind == TAC_ACTION_REQUIRE && !all->written && tacConstraintHolds(&action->test, asking);
        if (!holds && act(all, run, place, transition, action, o, asking, err) != TAC_OK) return TAC_ERROR;
    }
    if (TAC_UNLIKELY(run->shares) && transition->actions.count) copyShared(run, place, true);
    run->instances.at[place]->state = transition->to;
    if (TAC_LIKELY(!run->stays && !all->written)) return TAC_OK;
    return followTaken(all, run, place, transition, o, err);
}

tacStatus tacAutomatonTake(const tacAutomata *all, tacAutomatonRun *run, uint32_t place,
    const tacTransition *transition, const tacOccurrence *o, tacAsking *asking, tacError *err) {
    return take(all, run, place, transition, o, asking, err);
}

tacStatus tacAutomatonRefuse(const tacAutomata *all, tacAutomatonRun *run, tacAutomatonInstance *instance,
    const tacOccurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    tacWayWalk walk = tacWaysOf(a, (uint32_t) tacInternCount(&a->states), o);
    for (const tacTransition *transition; (transition = tacWaysNext(&walk)) != NULL;) {
        const tacTrigger *trigger = &transition->trigger;
        if (fits(run, instance, trigger, o)) return tellUnexpected(all, run, instance, trigger, o, a->statement, err);
    }
    return TAC_OK;
}

const tacTransition *tacAutomatonChoose(
    const tacAutomatonRun *run, const tacAutomatonInstance *instance, const tacOccurrence *o, tacAsking *asking) {
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

/* The transition that an event of this cell takes, if it is the instance's own; NULL: that depends on more. */
static const tacTransition *sureWay(const tacAutomaton *a, uint32_t state, uint32_t cell) {
    uint32_t way = a->cells[state * TAC_CELLS + cell];
    const tacTransition *first = way == TAC_NONE ? NULL : &a->transitions.at[a->ways.at[way].transition];
    return first && first->sure ? first : NULL;
}

/* Offers what happens to an instance, which takes the first transition that fits. */
static TAC_INLINE tacStatus offerHere(
    const tacAutomata *all, tacAutomatonRun *run, uint32_t place, bool own, const tacOccurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    tacAutomatonInstance *instance = run->instances.at[place];
    if (!instance->alive || (!tacAutomatonHasWay(a, instance->state, o->cell) && !a->strict)) return TAC_OK;
    const tacTransition *transition = own ? sureWay(a, instance->state, o->cell) : NULL;
    if (transition && !transition->actions.count) return take(all, run, place, transition, o, NULL, err);
    tacAsking *asking = askingOf(all, run, place, o);
    if (!transition) transition = tacAutomatonChoose(run, instance, o, asking);
    if (transition) return take(all, run, place, transition, o, asking, err);
    return a->strict ? tacAutomatonRefuse(all, run, instance, o, err) : TAC_OK;
}

static TAC_NOINLINE tacStatus offer(
    const tacAutomata *all, tacAutomatonRun *run, uint32_t place, bool own, const tacOccurrence *o, tacError *err) {
    return offerHere(all, run, place, own, o, err);
}

/* Offers what happens to all instances, or to those of the jobs of a task. */
static tacStatus offerAll(
    const tacAutomata *all, tacAutomatonRun *run, uint32_t task, const tacOccurrence *o, tacError *err) {
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

tacStatus tacAutomatonFinish(const tacAutomata *all, tacAutomatonRun *run, uint32_t place, const tacOccurrence *o,
    const char *what, tacError *err) {
    const tacAutomaton *a = run->automaton;
    tacAutomatonInstance *instance = run->instances.at[place];
    tacStatus status = TAC_OK;
    instance->alive = false;
    if (TAC_UNLIKELY(run->stays != NULL) && tacStaysEnd(run->stays, place, o, err) != TAC_OK) return TAC_ERROR;
    if (a->anyFinal && !a->final.at[instance->state] && instance->verdict != TAC_VERDICT_INVALID) {
        tacText text = {0};
        tacAutomatonSayHead(all, run, instance, &text);
        tacTextPrintf(&text, "%s ends in state %s", what, tacInternName(&a->states, instance->state, NULL));
        /* Every recording ends somewhere: jobs under way are not judged then. An answer that was expected (-key,
         * -overlap), or something of the recording as a whole, did not come. */
        bool cut = o->row == TAC_NONE && a->each == TAC_EACH_JOB && !tacBeginsLater(a);
        tacVerdict verdict = cut ? TAC_VERDICT_VALID : TAC_VERDICT_UNCERTAIN;
        status = tacAutomatonNote(run, instance, verdict, o, all->model->store, a->statement, &text, err);
    }
    if (TAC_UNLIKELY(all->written))
        tacInstanceEnds(all->written, (size_t) (run - all->runs), place, (tacVerdict) instance->verdict, o->now);
    return status;
}

/* Offers what happens to the instances whose it is. */
static tacStatus happen(const tacAutomata *all, tacAutomatonRun *run, const tacOccurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    uint32_t place = TAC_NONE;
    if (!a->touched[o->cell]) return TAC_OK;
    if (a->key.length) return tacAutomatonOfferKey(all, run, o, err);
    bool nobodys = a->each == TAC_EACH_PROCESSOR ? o->processor == TAC_NO_PROCESSOR : o->task == TAC_NONE;
    bool everybodys = a->touched[o->cell] != 1 || nobodys || a->each == TAC_EACH_TRACE;
    if (everybodys)
        return a->overlap ? tacAutomatonOfferGroups(all, run, o, err) : offerAll(all, run, TAC_NONE, o, err);
    if (a->each == TAC_EACH_JOB && o->job == TAC_NONE) return offerAll(all, run, o->task, o, err);
    if (a->each == TAC_EACH_JOB) place = tacAutomatonOfJob(run, o->model, o->job);
    else place = a->each == TAC_EACH_TASK ? o->task : o->processor;
    if (a->overlap)
        return place < run->groups.all.count ? tacAutomatonOfferGroup(all, run, place, NULL, o, err) : TAC_OK;
    return place < run->instances.count ? offer(all, run, place, true, o, err) : TAC_OK;
}

/* ---- the replay -------------------------------------------------------------------------------------------------- */

/* Gives a job a slot; TAC_NONE: no memory. */
static uint32_t newSlot(tacLivingJobs *living, const tacModel *model, uint32_t job) {
    uint32_t slot, *byId = &living->byId[model->jobs.at[job].id];
    if (living->free.count) slot = living->free.at[--living->free.count];
    else {
        slot = (uint32_t) living->slots.count;
        if (!tacArrayReserve(&living->slots, 1)) return TAC_NONE;
        living->slots.count++;
    }
    living->slots.at[slot] = (struct tacLivingJob){job, *byId};
    return *byId = slot;
}

static bool freeSlot(tacLivingJobs *living, const tacModel *model, uint32_t slot) {
    uint32_t *link = &living->byId[model->jobs.at[living->slots.at[slot].job].id];
    while (*link != slot) link = &living->slots.at[*link].older;
    *link = living->slots.at[slot].older;
    return tacArrayPush(&living->free, slot);
}

/* Begins the instance of the job in a slot in the kth run, if it follows the job's task. */
static bool beginJob(tacAutomata *all, uint32_t k, const tacModel *model, uint32_t slot, int64_t now) {
    uint32_t index = all->living.slots.at[slot].job;
    const tacJob *job = &model->jobs.at[index];
    tacAutomatonRun *run = &all->runs[k];
    if (run->automaton->each != TAC_EACH_JOB || !tacAutomatonWants(run, model->store, job->task)) return true;
    uint32_t place = tacAutomatonBegin(run, job->id, index, all->gauges, model);
    while (place != TAC_NONE && run->ofSlot.count <= slot)
        if (!tacArrayPush(&run->ofSlot, TAC_NONE)) place = TAC_NONE;
    if (place == TAC_NONE) return false;
    run->ofSlot.at[slot] = place;
    if (run->stays && !tacStaysBegin(run->stays, place, run->automaton->initial, now, NULL)) return false;
    if (TAC_UNLIKELY(all->written)) tacInstanceBegins(all->written, k, place, job->id, NULL, now);
    return true;
}

/* Instances of jobs that begin with this row, in their order. */
static bool beginJobs(tacAutomata *all, const tacModel *model, const tacStateChange *changes, uint32_t n, int64_t now) {
    for (uint32_t i = 0; i < n; i++) {
        if (changes[i].from != TAC_STATE_NONE) continue;
        tacAutomatonList few = tacAutomataOfTask(all, model->jobs.at[changes[i].job].task);
        uint32_t slot = newSlot(&all->living, model, changes[i].job);
        if (slot == TAC_NONE) return false;
        for (size_t k = 0; k < all->jobRuns.count; k++)
            if (!beginJob(all, all->jobRuns.at[k], model, slot, now)) return false;
        for (size_t k = 0; k < few.count; k++)
            if (!beginJob(all, few.at[k], model, slot, now)) return false;
    }
    return true;
}

/* Ends the instance of the job in a slot in a run, if it has one. */
static tacStatus endJob(
    const tacAutomata *all, tacAutomatonRun *run, const tacOccurrence *o, uint32_t slot, tacError *err) {
    uint32_t place = slot < run->ofSlot.count ? run->ofSlot.at[slot] : TAC_NONE;
    if (place == TAC_NONE) return TAC_OK;
    run->ofSlot.at[slot] = TAC_NONE;
    tacGroupTake(&run->groups, place);
    if (tacAutomatonFinish(all, run, place, o, "the job", err) != TAC_OK) return TAC_ERROR;
    return tacArrayPush(&run->free, place) ? TAC_OK : tacFailMemory(err);
}

/* Ends the instances of jobs that were completed or abandoned by the changes. */
static tacStatus endJobs(
    tacAutomata *all, const tacOccurrence *o, const tacStateChange *changes, uint32_t n, tacError *err) {
    for (uint32_t i = 0; i < n; i++) {
        if (changes[i].to != TAC_STATE_COMPLETED && changes[i].to != TAC_STATE_NONE) continue;
        tacAutomatonList few = tacAutomataOfTask(all, o->model->jobs.at[changes[i].job].task);
        uint32_t slot = tacLivingJobSlot(&all->living, o->model, changes[i].job);
        if (slot == TAC_NONE) continue;
        for (size_t k = 0; k < all->jobRuns.count; k++)
            if (endJob(all, &all->runs[all->jobRuns.at[k]], o, slot, err) != TAC_OK) return TAC_ERROR;
        for (size_t k = 0; k < few.count; k++)
            if (endJob(all, &all->runs[few.at[k]], o, slot, err) != TAC_OK) return TAC_ERROR;
        if (!freeSlot(&all->living, o->model, slot)) return tacFailMemory(err);
    }
    return TAC_OK;
}

/* Offers what happens to those of the runs that have a transition of its cell. */
static tacStatus happenTo(
    const tacAutomata *all, const uint32_t *runs, size_t n, const tacOccurrence *o, tacError *err) {
    for (size_t i = 0; i < n; i++) {
        tacAutomatonRun *run = &all->runs[runs[i]];
        bool own = run->ofTasks && run->automaton->touched[o->cell] == 1 && o->task < run->instances.count;
        if ((own ? offerHere(all, run, o->task, true, o, err) : happen(all, run, o, err)) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* Offers it to all runs that it concerns. */
static tacStatus happenAll(const tacAutomata *all, const tacOccurrence *o, tacError *err) {
    if (!all->listens[o->cell]) return TAC_OK;
    if (TAC_UNLIKELY(all->counts) && !tacGaugesHappen(all->gauges, o)) return tacFailMemory(err);
    if (happenTo(all, all->touching[o->cell].at, all->touching[o->cell].count, o, err) != TAC_OK) return TAC_ERROR;
    if (TAC_LIKELY(!all->ofTask)) return TAC_OK;
    tacAutomatonList few = o->task == TAC_NONE ? all->few : tacAutomataOfTask(all, o->task);
    return happenTo(all, few.at, few.count, o, err);
}

/* Offers what a change of a state is: leaving the one, then entering the other. */
static tacStatus change(const tacAutomata *all, const tacOccurrence *row, const tacStateChange *change, tacError *err) {
    uint32_t leaves = TAC_CELL_LEAVES + change->from, enters = TAC_CELL_ENTERS + change->to;
    if (change->from == change->to || !(all->listens[leaves] || all->listens[enters])) return TAC_OK;
    tacOccurrence o = tacOccurrenceOfChange(row, change, false);
    if (happenAll(all, &o, err) != TAC_OK) return TAC_ERROR;
    o.cell = enters;
    if (TAC_UNLIKELY(all->agenda.all.count > 0) && tacStaysEnterAll(all, &o, err) != TAC_OK) return TAC_ERROR;
    return happenAll(all, &o, err);
}

/* Offers the returns up to now. */
static tacStatus returnCalls(tacAutomata *all, const tacModel *model, int64_t now, tacError *err) {
    while (tacReturnsUntil(&all->returns, now)) {
        tacReturn next = tacReturnsNext(&all->returns);
        tacOccurrence o = tacOccurrenceOfReturn(model, next.row, next.time);
        if (tacAgendaLook(&all->agenda, &o, err) != TAC_OK || happenAll(all, &o, err) != TAC_OK
            || tacAgendaLook(&all->agenda, &o, err) != TAC_OK)
            return TAC_ERROR;
    }
    return TAC_OK;
}

/* Does any model or gauge depend on a row of this cell, or on one of its changes? */
static bool isListened(const tacAutomata *all, uint32_t cell, const tacStateChange *changes, uint32_t n) {
    bool listened = all->listens[cell] || (all->followsJobs && n);
    for (uint32_t i = 0; i < n; i++)
        listened |= all->listens[TAC_CELL_LEAVES + changes[i].from] || all->listens[TAC_CELL_ENTERS + changes[i].to];
    return listened;
}

/* Offers a row on which something depends, and its changes; and looks at the states that instances stay in. */
static tacStatus rowHappens(
    tacAutomata *all, const tacOccurrence *o, const tacStateChange *changes, uint32_t n, bool staying, tacError *err) {
    if (all->followsJobs && !beginJobs(all, o->model, changes, n, o->now)) return tacFailMemory(err);
    tacStatus status = happenAll(all, o, err);
    for (uint32_t i = 0; i < n && status == TAC_OK; i++) status = change(all, o, &changes[i], err);
    if (staying && status == TAC_OK)
        status = tacStaysTouchAll(all, o->model, changes, n) ? tacAgendaLook(&all->agenda, o, err) : tacFailMemory(err);
    return all->followsJobs && status == TAC_OK ? endJobs(all, o, changes, n, err) : status;
}

/* Notes a system call that begins with a row, and offers those that have returned before it. */
static tacStatus followCalls(tacAutomata *all, const tacModel *model, uint32_t row, int64_t now, tacError *err) {
    bool call = tacRowCell(model->store, row, true) == TAC_CELL_CALL;
    if (tacReturnsUntil(&all->returns, now) && returnCalls(all, model, now, err) != TAC_OK) return TAC_ERROR;
    if (!call || !tacRowReturns(model->store, row)) return TAC_OK;
    return tacReturnsAdd(&all->returns, model->store, row) ? TAC_OK : tacFailMemory(err);
}

/* Follows a row where models need more than their transitions: returns of calls, states they stay in, jobs. */
static TAC_NOINLINE tacStatus followRow(
    tacAutomata *all, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    bool returns = all->listens[TAC_CELL_RETURN], staying = all->agenda.all.count > 0;
    uint32_t n, cell = tacRowCell(model->store, row, all->listens[TAC_CELL_CALL] || returns);
    const tacStateChange *changes = tacNowChanges(replay, &n);
    if (returns && followCalls(all, model, row, tacNow(replay), err) != TAC_OK) return TAC_ERROR;
    if (staying) {
        tacOccurrence before = {.model = model, .row = row, .now = tacNow(replay)};
        if (tacAgendaLook(&all->agenda, &before, err) != TAC_OK) return TAC_ERROR;
    }
    if (!n && !all->listens[cell]) return TAC_OK;
    if (!tacGaugesRow(all->gauges, model, replay, row, changes, n)) return tacFailMemory(err);
    tacStatus status = TAC_OK;
    if (staying || isListened(all, cell, changes, n)) {
        tacOccurrence o = tacOccurrenceOfRow(model, replay, row, cell);
        status = rowHappens(all, &o, changes, n, staying, err);
    }
    if (!n || !all->ofJobs) return status;
    return tacGaugesForget(all->gauges, model, changes, n) ? status : tacFailMemory(err);
}

/* Offers a row, and its changes, to models whose instances are tasks. */
static TAC_NOINLINE tacStatus lightHappens(
    const tacAutomata *all, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    uint32_t n, cell = tacRowCell(model->store, row, false);
    const tacStateChange *changes = tacNowChanges(replay, &n);
    tacOccurrence o = tacOccurrenceOfRow(model, replay, row, cell);
    if (all->listens[cell] && happenAll(all, &o, err) != TAC_OK) return TAC_ERROR;
    for (uint32_t i = 0; i < n; i++)
        if (change(all, &o, &changes[i], err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

tacStatus tacAutomataRow(
    tacAutomata *all, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    if (TAC_UNLIKELY(!all->light)) return followRow(all, model, replay, row, err);
    uint32_t n;
    const tacStateChange *changes = tacNowChanges(replay, &n);
    unsigned concern = all->listens[tacRowCell(model->store, row, false)] ? TAC_CONCERN_HEARD : 0;
    for (uint32_t i = 0; i < n; i++) concern |= all->concerns[changes[i].from * TAC_STATES + changes[i].to];
    if (concern & TAC_CONCERN_COUNTED) tacGaugesChange(all->gauges, model, changes, n, tacNow(replay));
    return concern & TAC_CONCERN_HEARD ? lightHappens(all, model, replay, row, err) : TAC_OK;
}

static int compareBegins(const void *left, const void *right, const void *data) {
    const tacAutomatonRun *run = data;
    uint32_t a = (*(const tacAutomatonInstance *const *) left)->place,
             b = (*(const tacAutomatonInstance *const *) right)->place;
    return tacGroupIsOlder(&run->groups, a, b) ? -1 : tacGroupIsOlder(&run->groups, b, a);
}

/* The recording has ended: ends the instances of a model, those that began one after the other in this order. */
static tacStatus endRun(const tacAutomata *all, tacAutomatonRun *run, const tacOccurrence *o, tacError *err) {
    TAC_ARRAY(tacAutomatonInstance *) living = {0};
    bool fine = true;
    tacStatus status = TAC_OK;
    for (uint32_t place = 0; place < run->instances.count && fine; place++)
        if (run->instances.at[place]->alive) fine = tacArrayPush(&living, run->instances.at[place]);
    if (fine && tacBeginsLater(run->automaton))
        fine = tacSort(living.at, living.count, sizeof *living.at, compareBegins, run, NULL);
    if (!fine) status = tacFailMemory(err);
    for (size_t i = 0; i < living.count && status == TAC_OK; i++)
        status = tacAutomatonFinish(all, run, living.at[i]->place, o, "the recording", err);
    tacArrayFree(&living);
    return status;
}

tacStatus tacAutomataEnd(tacAutomata *all, tacError *err) {
    tacOccurrence o = {.model = all->model, .row = TAC_NONE, .now = all->model->end};
    if (returnCalls(all, all->model, all->model->end, err) != TAC_OK) return TAC_ERROR;
    uint32_t rows = tacStoreCount(all->model->store);
    if (rows && tacRowTime(all->model->store, rows - 1) < o.now && tacAgendaLook(&all->agenda, &o, err) != TAC_OK)
        return TAC_ERROR;
    for (size_t k = 0; k < all->n; k++)
        if (endRun(all, &all->runs[k], &o, err) != TAC_OK || tacAutomatonTellFar(all, &all->runs[k], err) != TAC_OK)
            return TAC_ERROR;
    return TAC_OK;
}

const tacSought *tacAutomataSought(const tacAutomata *all, size_t k) { return all->runs[k].samples; }

const tacVerdictNote *tacAutomataNotes(const tacAutomata *all, size_t k, size_t *n) {
    *n = all->runs[k].notes.count;
    return all->runs[k].notes.at;
}

const uint64_t *tacAutomataOnlyCounted(const tacAutomata *all, size_t k) { return all->runs[k].onlyCounted; }
