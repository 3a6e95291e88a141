/*
 * trigger.c -- what transitions wait for: reading it, and telling whether something that happens is it.
 */
#include "base/port.h"

#include "judge/trigger.h"
#include "model/ask.h"
#include "model/query.h"

#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Reads {enters STATE ?WHO?} or {leaves STATE ?WHO?}. */
static tacStatus readChange(const tacModel *model, const tacList *words, tacTrigger *trigger, tacError *err) {
    size_t n = words->words.count;
    int state = 0;
    if (n < 2 || n > 3)
        return tacFail(err, "USAGE", "bad event \"%.*s\": should be {enters state ?job|task?} or {leaves ...}",
            TAC_SHOWN(&trigger->text));
    while (state < TAC_STATES && !tacWordIs(&words->words.at[1], tacStateNames[state])) state++;
    if (state == TAC_STATES)
        return tacFail(err, "USAGE", "bad state \"%.*s\" in event \"%.*s\"", TAC_SHOWN(&words->words.at[1]),
            TAC_SHOWN(&trigger->text));
    trigger->state = (tacJobState) state;
    trigger->own = n == 2;
    if (n == 2 || !model) return TAC_OK;
    const tacWord *id = &words->words.at[2];
    trigger->who = (tacWho){.kind = TAC_JOB, .index = tacAskFind(model, TAC_JOB, id->at, id->length)};
    if (trigger->who.index == TAC_NONE)
        trigger->who = (tacWho){.kind = TAC_TASK, .index = tacAskFind(model, TAC_TASK, id->at, id->length)};
    return TAC_OK;
}

tacStatus tacTriggerRead(const tacModel *model, const tacWord *text, tacTrigger *trigger, tacError *err) {
    tacList words = {0};
    tacError problem = {0};
    *trigger = (tacTrigger){.text = *text};
    tacStatus status = tacListSplit(&words, text->at, text->length, &problem);
    bool enters = status == TAC_OK && words.words.count && tacWordIs(&words.words.at[0], "enters");
    if (enters || (status == TAC_OK && words.words.count && tacWordIs(&words.words.at[0], "leaves"))) {
        trigger->kind = enters ? TAC_TRIGGER_ENTERS : TAC_TRIGGER_LEAVES;
        status = readChange(model, &words, trigger, err);
    } else if (strcmp(problem.code, "MEMORY") == 0) {
        status = tacFailMemory(err);
    } else {
        status = tacEventPatternRead(model, text, &trigger->pattern, err);
        trigger->own = words.words.count == 1;
    }
    tacListFree(&words);
    return status;
}

void tacTriggerFree(tacTrigger *trigger) { tacEventPatternFree(&trigger->pattern); }

int tacTriggerCells(const tacTrigger *trigger, uint32_t cells[TAC_TRIGGER_CELLS]) {
    uint32_t state = (uint32_t) trigger->state;
    switch (trigger->kind) {
    case TAC_TRIGGER_ENTERS: cells[0] = TAC_CELL_ENTERS + state; return 1;
    case TAC_TRIGGER_LEAVES: cells[0] = TAC_CELL_LEAVES + state; return 1;
    default: cells[0] = (uint32_t) trigger->pattern.event; return 1;
    }
}

/* ---- what happens ------------------------------------------------------------------------------------------------ */

/* The processor on which a job runs, or ran last. */
static uint16_t ranOn(const tacModel *model, uint32_t index, int64_t now) {
    const tacJob *job = &model->jobs.at[index];
    bool ran = job->state == TAC_STATE_BETWEEN || tacQueryHasRun(model, index, now);
    return ran ? job->processor : TAC_NO_PROCESSOR;
}

tacOccurrence tacOccurrenceOfRow(const tacModel *model, const struct tacReplay *replay, uint32_t row) {
    const tacStore *store = model->store;
    tacEvent event = tacRowEvent(store, row);
    tacOccurrence o = {
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

tacOccurrence tacOccurrenceOfChange(const tacOccurrence *row, const tacStateChange *change, bool enters) {
    tacOccurrence o = *row;
    o.change = change;
    o.job = change->job;
    o.task = row->model->jobs.at[change->job].task;
    if (change->job != row->job) o.processor = ranOn(row->model, change->job, row->now);
    o.cell = enters ? (uint32_t) TAC_CELL_ENTERS + change->to : (uint32_t) TAC_CELL_LEAVES + change->from;
    return o;
}

/* ---- fitting ----------------------------------------------------------------------------------------------------- */

/* Is what happens of the instance itself, or of nobody in particular? */
static bool isOwn(const tacOccurrence *o, const tacOwner *owner) {
    switch (owner->each) {
    case TAC_EACH_TASK: return o->task == TAC_NONE || o->task == owner->object;
    case TAC_EACH_JOB: return o->task == TAC_NONE || o->job == owner->job;
    case TAC_EACH_PROCESSOR: return o->processor == TAC_NO_PROCESSOR || o->processor == owner->object;
    default: return true;
    }
}

bool tacTriggerFits(const tacTrigger *trigger, const tacOccurrence *o, const tacOwner *owner) {
    if (trigger->own && !isOwn(o, owner)) return false;
    if (!o->change) return tacEventPatternFits(&trigger->pattern, o->model, o->row);
    if (trigger->own) return true;
    const tacJob *job = &o->model->jobs.at[o->change->job];
    return (trigger->who.kind == TAC_JOB ? job->id : job->task) == trigger->who.index;
}
