/*
 * automatonStay.c -- joins automata with the invariants of their states (invariant.c).
 */
#include "base/port.h"

#include "judge/automatonRun.h"

static tacAsking stayAsking(void *data, uint32_t place, const tacOccurrence *o) {
    tacAutomatonRun *run = data;
    return *tacAutomatonAsking(run->all, run, place, o);
}

static bool staySeek(void *data, uint32_t place, size_t invariant, tacSoughtValue *value, bool known) {
    tacAutomatonRun *run = data;
    tacSought *into = &run->samples[run->automaton->nConstraints + invariant];
    tacComparison op = run->automaton->invariants.at[invariant].test.op;
    if (!value) into->unknown++;
    else if (!known) tacSoughtDoubt(into, op, &value->value, &value->value);
    else {
        value->object = run->instances.at[place]->object;
        return tacAutomatonNoteKey(run, run->instances.at[place], value) && tacSoughtAdd(into, op, value);
    }
    return true;
}

static tacStatus stayTell(void *data, uint32_t place, tacVerdict verdict, const tacOccurrence *o,
    const tacStatement *statement, tacText *sentence, tacError *err) {
    tacAutomatonRun *run = data;
    tacText text = {0};
    tacAutomatonSayHead(run->all, run, run->instances.at[place], &text);
    tacTextAdd(&text, sentence->at ? sentence->at : "", sentence->length);
    text.failed |= sentence->failed;
    tacTextFree(sentence);
    if (TAC_UNLIKELY(run->all->written))
        tacInstanceStays(run->all->written, (size_t) (run - run->all->runs), statement, verdict);
    return tacAutomatonNote(run, run->instances.at[place], verdict, o, run->all->model->store, statement, &text, err);
}

bool tacStaysStart(tacAutomata *all, uint32_t k) {
    tacAutomatonRun *run = &all->runs[k];
    const tacAutomaton *a = run->automaton;
    if (!a->invariants.count) return true;
    run->stays = tacStaysNew(a->invariants.at, a->invariants.count, &a->states, &a->variables,
        (tacStaysHost){run, stayAsking, stayTell, staySeek}, &all->agenda);
    for (uint32_t place = 0; run->stays && place < run->instances.count; place++)
        if (run->instances.at[place]->alive && !tacStaysBegin(run->stays, place, a->initial, all->model->begin, NULL))
            return false;
    for (size_t i = 0; i < a->invariants.count; i++)
        if (a->invariants.at[i].never) all->listens[TAC_CELL_ENTERS + a->invariants.at[i].jobState] = true;
    all->listens[TAC_CELL_CALL] = all->listens[TAC_CELL_RETURN] = true; /* they are judged at returns as well */
    return run->stays && (run->few || tacArrayPush(&all->staying, k));
}

/* The place of the only instance that a job is of, in a model of tasks or jobs; TAC_NONE: it has none or several. */
static uint32_t placeOfOwner(const tacAutomatonRun *run, const tacModel *model, uint32_t job) {
    if (tacBeginsLater(run->automaton)) return TAC_NONE;
    if (run->automaton->each == TAC_EACH_TASK) return model->jobs.at[job].task;
    return run->automaton->each == TAC_EACH_JOB ? tacAutomatonOfJob(run, model, job) : TAC_NONE;
}

bool tacStaysTouchAll(const tacAutomata *all, const tacModel *model, const tacStateChange *changes, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        tacAutomatonList few = tacAutomataOfTask(all, model->jobs.at[changes[i].job].task);
        for (size_t k = 0; k < all->staying.count + few.count; k++) {
            bool general = k < all->staying.count;
            tacAutomatonRun *run = &all->runs[general ? all->staying.at[k] : few.at[k - all->staying.count]];
            uint32_t place = run->stays ? placeOfOwner(run, model, changes[i].job) : TAC_NONE;
            if (place != TAC_NONE && !tacStaysTouch(run->stays, place, true)) return false;
        }
    }
    return true;
}

/* A job enters a state in which those of some instances of a run must not be. */
static tacStatus enterStays(tacAutomatonRun *run, const tacOccurrence *o, tacError *err) {
    bool ofTasks = run->automaton->each == TAC_EACH_TASK;
    uint32_t owner = placeOfOwner(run, o->model, o->change->job);
    bool one = owner != TAC_NONE || run->automaton->each == TAC_EACH_JOB;
    for (uint32_t k = one ? owner : 0; k < run->instances.count; k = one ? TAC_NONE : k + 1) {
        if (ofTasks && run->instances.at[k]->object != o->task) continue;
        if (tacStaysJob(run->stays, k, (tacJobState) o->change->to, o, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

tacStatus tacStaysEnterAll(const tacAutomata *all, const tacOccurrence *o, tacError *err) {
    tacAutomatonList few = tacAutomataOfTask(all, o->task);
    for (size_t i = 0; i < all->staying.count; i++)
        if (enterStays(&all->runs[all->staying.at[i]], o, err) != TAC_OK) return TAC_ERROR;
    for (size_t i = 0; i < few.count; i++)
        if (all->runs[few.at[i]].stays && enterStays(&all->runs[few.at[i]], o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}
