/*
 * select.c -- the rows of a part of a trace (dump.h). One pass over the rows finds the jobs that have an event within
 * the stretch; then each row is judged by itself.
 */
#include "base/port.h"

#include "base/glob.h"
#include "trace/dump.h"

#include <string.h>

/* True when one of the patterns matches the text. */
static bool fits(const char *const *patterns, const char *text) {
    for (; *patterns; patterns++)
        if (tacGlob(*patterns, text, strlen(text))) return true;
    return false;
}

/* Finds the tasks that the patterns name. False: no memory. */
static bool selectTasks(tacSelection *s, const tacStore *store) {
    uint32_t n = tacStoreObjects(store, TAC_TASK);
    if (!s->tasks) return true;
    s->task = tacAllocZero((size_t) n + 1, sizeof *s->task);
    for (uint32_t i = 0; s->task && i < n; i++) {
        s->task[i] = fits(s->tasks, tacObjectId(store, TAC_TASK, i))
            || fits(s->tasks, tacObjectName(store, TAC_TASK, i));
        s->nTasks += s->task[i];
    }
    return s->task != NULL;
}

/* True for an event of a job. */
static bool isJobRow(const tacStore *store, uint32_t row) {
    return tacEvents[tacRowEvent(store, row)].arguments[0] == TAC_TYPE_JOB;
}

/* Notes the effect of a row before the stretch on it: a job goes on into it unless it has ended, and a processor may be
 * unknown there. */
static void lookBefore(tacSelection *s, const tacStore *store, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    uint16_t processor = tacRowProcessor(store, row);
    if (isJobRow(store, row)) s->job[tacRowSubject(store, row)] = !tacEventIs(event, TAC_TRAIT_ENDS);
    if (event == TAC_EV_PROCESSOR_UNKNOWN) s->unknown[tacRowSubject(store, row)] = row;
    else if (event == TAC_EV_PROCESSOR_IDLE) s->unknown[tacRowSubject(store, row)] = TAC_NONE;
    else if (tacEventIs(event, TAC_TRAIT_RUNS) && processor != TAC_NO_PROCESSOR) s->unknown[processor] = TAC_NONE;
}

/* Finds the jobs and the unknown processors of the stretch. False: no memory. */
static bool selectJobs(tacSelection *s, const tacStore *store) {
    uint32_t n = (uint32_t) store->jobTask.count, nProcessors = tacStoreObjects(store, TAC_PROCESSOR), row = 0;
    if (!s->whole) return true;
    s->job = tacAllocZero((size_t) n + 1, sizeof *s->job);
    s->unknown = tacAlloc(((size_t) nProcessors + 1) * sizeof *s->unknown);
    if (!s->job || !s->unknown) return false;
    for (uint32_t i = 0; i < nProcessors; i++) s->unknown[i] = TAC_NONE;
    for (; row < tacStoreCount(store) && s->from != TAC_UNKNOWN && tacRowTime(store, row) < s->from; row++)
        lookBefore(s, store, row);
    for (; row < tacStoreCount(store) && (s->to == TAC_UNKNOWN || tacRowTime(store, row) <= s->to); row++)
        if (isJobRow(store, row)) s->job[tacRowSubject(store, row)] = true;
    return true;
}

bool tacSelectionBegin(tacSelection *s, const tacStore *store) {
    s->task = s->job = NULL;
    s->nTasks = 0;
    s->unknown = NULL;
    return selectTasks(s, store) && selectJobs(s, store);
}

void tacSelectionFree(tacSelection *s) {
    tacFree(s->task);
    tacFree(s->job);
    tacFree(s->unknown);
}

/* ---- asking ---- */

bool tacSelectedTask(const tacSelection *s, uint32_t task) { return !s->task || task == TAC_NONE || s->task[task]; }

bool tacSelectedJob(const tacSelection *s, const tacStore *store, uint32_t job) {
    return tacSelectedTask(s, store->jobTask.at[job]) && (!s->job || s->job[job]);
}

static bool isWithin(const tacSelection *s, int64_t time) {
    return (s->from == TAC_UNKNOWN || time >= s->from) && (s->to == TAC_UNKNOWN || time <= s->to);
}

bool tacSelectedRow(const tacSelection *s, const tacStore *store, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    uint32_t subject = tacRowSubject(store, row);
    int64_t time = tacRowTime(store, row);
    if (isJobRow(store, row)) return tacSelectedJob(s, store, subject) && (s->job || isWithin(s, time));
    if (tacEvents[event].arguments[0] == TAC_TYPE_TASK && !tacSelectedTask(s, subject)) return false;
    if (event == TAC_EV_MESSAGE && !tacSelectedTask(s, tacMessageTask(store, row))) return false;
    if (event == TAC_EV_PROCESSOR_UNKNOWN && s->unknown && s->unknown[subject] == row) return true;
    return isWithin(s, time);
}
