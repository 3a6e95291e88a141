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

tacStatus tacStaysLookAll(const tacAutomata *all, const tacOccurrence *o, tacError *err) {
    for (size_t i = 0; i < all->staying.count; i++)
        if (tacStaysLook(all->runs[all->staying.at[i]].stays, o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* The place of the only instance that a job is of, in a model of tasks or jobs; TAC_NONE: it has none or several. */
static uint32_t placeOfOwner(const tacAutomatonRun *run, const tacModel *model, uint32_t job) {
    if (tacBeginsLater(run->automaton)) return TAC_NONE;
    if (run->automaton->each == TAC_EACH_TASK) return model->jobs.at[job].task;
    return run->automaton->each == TAC_EACH_JOB ? tacAutomatonOfJob(run, model, job) : TAC_NONE;
}

bool tacStaysTouchAll(const tacAutomata *all, const tacModel *model, const tacStateChange *changes, uint32_t n) {
    for (size_t i = 0; i < all->staying.count; i++) {
        tacAutomatonRun *run = &all->runs[all->staying.at[i]];
        for (uint32_t k = 0; k < n; k++) {
            uint32_t place = placeOfOwner(run, model, changes[k].job);
            if (place != TAC_NONE && !tacStaysTouch(run->stays, place, true)) return false;
        }
    }
    return true;
}

tacStatus tacStaysEnterAll(const tacAutomata *all, const tacOccurrence *o, tacError *err) {
    for (size_t i = 0; i < all->staying.count; i++) {
        tacAutomatonRun *run = &all->runs[all->staying.at[i]];
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
