/*
 * who.c -- finds the jobs and tasks that a word names.
 */
#include "base/port.h"

#include "base/glob.h"
#include "base/names.h"
#include "judge/who.h"
#include "model/ask.h"
#include "trace/called.h"

#include <string.h>

static tacStatus failWho(const tacWord *word, const char *what, tacError *err) {
    return tacFail(err, "LOOKUP OBJECT", "no %s \"%.*s\" in the trace", what, TAC_SHOWN(word));
}

static bool isDefined(const tacStore *store, uint32_t task) { return store->objects[TAC_TASK].at[task].line != 0; }

/* Adds the tasks of this name. */
static bool addNamed(const tacStore *store, const tacWord *name, tacWho *who) {
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK); i++)
        if (isDefined(store, i) && tacWordIs(name, tacObjectName(store, TAC_TASK, i)) && !tacArrayPush(&who->tasks, i))
            return false;
    return true;
}

/* Marks the tasks whose id or name fits a pattern; their number. Those without jobs count only where none has any, and
 * hidden ones fit a pattern for all only where no others are there. */
static uint32_t markFitting(const tacModel *model, const char *pattern, bool *marks) {
    const tacStore *store = model->store;
    uint32_t n = 0;
    bool all = tacGlobAll(pattern);
    for (int pass = 0; pass < 4 && n == 0; pass++) /* bit 0: those without jobs, too; bit 1: hidden ones, too */
        for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK); i++) {
            const char *id = tacObjectId(store, TAC_TASK, i), *name = tacObjectName(store, TAC_TASK, i);
            if (!isDefined(store, i) || (!(pass & 1) && model->tasks[i].nJobs == 0)) continue;
            if (all && !(pass & 2) && tacTaskHidden(store, i)) continue;
            if (!tacGlob(pattern, id, strlen(id)) && !tacGlob(pattern, name, strlen(name))) continue;
            marks[i] = true;
            n++;
        }
    return n;
}

/* Adds the tasks that a list of patterns names (base/names.h). Each pattern has to fit some task. */
static tacStatus addListed(const tacModel *model, const tacWord *word, tacWho *who, tacError *err) {
    uint32_t nTasks = tacStoreObjects(model->store, TAC_TASK);
    bool *marks = tacAllocZero(nTasks + 1, sizeof *marks);
    char *text = tacCopyText(word->at, word->length), *copy = tacCopyText(word->at, word->length);
    ptrdiff_t count = text ? tacNames(text, NULL, NULL) : 0;
    const char **patterns = tacAllocZero((size_t) (count < 0 ? 0 : count) + 1, sizeof *patterns);
    tacStatus status = marks && text && copy && patterns ? TAC_OK : tacFailMemory(err);
    if (status == TAC_OK && tacNames(text, patterns, copy) < 0) status = failWho(word, "job or task", err);
    for (const char *const *pattern = patterns; status == TAC_OK && *pattern; pattern++) {
        tacWord part = {*pattern, strlen(*pattern)};
        if (!markFitting(model, *pattern, marks)) status = failWho(&part, "job or task", err);
    }
    for (uint32_t i = 0; status == TAC_OK && i < nTasks; i++)
        if (marks[i] && !tacArrayPush(&who->tasks, i)) status = tacFailMemory(err);
    tacFree(marks);
    tacFree(text);
    tacFree(copy);
    tacFree(patterns);
    return status;
}

tacStatus tacWhoFindTasks(const tacModel *model, const tacWord *word, tacWho *who, tacError *err) {
    *who = (tacWho){.id = *word, .kind = TAC_TASK, .index = tacAskFind(model, TAC_TASK, word->at, word->length)};
    bool done = who->index == TAC_NONE ? addNamed(model->store, word, who) : tacArrayPush(&who->tasks, who->index);
    uint32_t called = who->tasks.count ? TAC_NONE : tacCalledFind(model->store, TAC_TASK, word->at, word->length);
    if (called != TAC_NONE) done = tacArrayPush(&who->tasks, called);
    if (!done) return tacFailMemory(err);
    if (!who->tasks.count && addListed(model, word, who, err) != TAC_OK) return TAC_ERROR;
    if (!who->tasks.count) return failWho(word, "job or task", err);
    who->index = who->tasks.at[0];
    return TAC_OK;
}

tacStatus tacWhoFind(const tacModel *model, const tacWord *word, tacWho *who, tacError *err) {
    *who = (tacWho){.id = *word, .kind = TAC_JOB, .index = tacAskFind(model, TAC_JOB, word->at, word->length)};
    if (who->index == TAC_NONE && tacAskFindNamed(model, TAC_TASK, word->at, word->length) == TAC_NONE)
        who->index = tacCalledFind(model->store, TAC_JOB, word->at, word->length);
    return who->index != TAC_NONE ? TAC_OK : tacWhoFindTasks(model, word, who, err);
}

void tacWhoFree(tacWho *who) { tacArrayFree(&who->tasks); }
