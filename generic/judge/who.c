/*
 * who.c -- finds the jobs and tasks that a word names.
 */
#include "base/port.h"

#include "base/glob.h"
#include "base/names.h"
#include "judge/who.h"
#include "model/ask.h"
#include "trace/called.h"
#include "trace/named.h"

#include <stdlib.h>
#include <string.h>

static tacStatus failWho(const tacWord *word, const char *what, tacError *err) {
    return tacFail(err, "LOOKUP OBJECT", "no %s \"%.*s\" in the trace", what, TAC_SHOWN(word));
}

static bool isDefined(const tacStore *store, uint32_t task) { return store->objects[TAC_TASK].at[task].line != 0; }

/* Adds the tasks of this name. */
static bool addNamed(const tacStore *store, const tacWord *name, tacWho *who) {
    uint32_t n;
    const uint32_t *tasks = tacNamedFind(store, TAC_TASK, TAC_BY_NAME, name->at, name->length, true, &n);
    for (uint32_t i = 0; i < n; i++)
        if (isDefined(store, tasks[i]) && !tacArrayPush(&who->tasks, tasks[i])) return false;
    return tasks != NULL;
}

/* Adds the tasks whose id or name fits a pattern; *any: there is one. Those without jobs count only where none has any,
 * and hidden ones fit a pattern for all only where no others are there. False: no memory. */
static bool addFitting(const tacModel *model, const char *pattern, tacWho *who, bool *any) {
    const tacStore *store = model->store;
    bool all = tacGlobAll(pattern);
    size_t plain = strcspn(pattern, "*?[\\"), before = who->tasks.count;
    for (int pass = 0; pass < 8 && who->tasks.count == before; pass += 2) /* bit 1: without jobs; bit 2: hidden */
        for (int by = TAC_BY_ID; by <= TAC_BY_NAME; by++) {
            uint32_t n;
            const uint32_t *tasks = tacNamedFind(store, TAC_TASK, by, pattern, plain, !pattern[plain], &n);
            if (!tasks) return false;
            for (uint32_t i = 0; i < n; i++) {
                uint32_t task = tasks[i];
                const char *text = by == TAC_BY_ID ? tacObjectId(store, TAC_TASK, task)
                                                   : tacObjectName(store, TAC_TASK, task);
                if (!isDefined(store, task) || (!(pass & 2) && model->tasks[task].nJobs == 0)) continue;
                if (all && !(pass & 4) && tacTaskHidden(store, task)) continue;
                if (tacGlob(pattern, text, strlen(text)) && !tacArrayPush(&who->tasks, task)) return false;
            }
        }
    *any = who->tasks.count > before;
    return true;
}

static int compareTasks(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *) left, b = *(const uint32_t *) right;
    return (a > b) - (a < b);
}

/* Puts the tasks into the order of the trace, each once. */
static void sortTasks(tacWho *who) {
    size_t n = 0;
    if (who->tasks.count) qsort(who->tasks.at, who->tasks.count, sizeof *who->tasks.at, compareTasks);
    for (size_t i = 0; i < who->tasks.count; i++)
        if (n == 0 || who->tasks.at[n - 1] != who->tasks.at[i]) who->tasks.at[n++] = who->tasks.at[i];
    who->tasks.count = n;
}

/* Adds the tasks that a list of patterns names (base/names.h). Each pattern has to fit some task. */
static tacStatus addListed(const tacModel *model, const tacWord *word, tacWho *who, tacError *err) {
    char *text = tacCopyText(word->at, word->length), *copy = tacCopyText(word->at, word->length);
    ptrdiff_t count = text ? tacNames(text, NULL, NULL) : 0;
    const char **patterns = tacAllocZero((size_t) (count < 0 ? 0 : count) + 1, sizeof *patterns);
    tacStatus status = text && copy && patterns ? TAC_OK : tacFailMemory(err);
    if (status == TAC_OK && tacNames(text, patterns, copy) < 0) status = failWho(word, "job or task", err);
    for (const char *const *pattern = patterns; status == TAC_OK && *pattern; pattern++) {
        tacWord part = {*pattern, strlen(*pattern)};
        bool any;
        if (!addFitting(model, *pattern, who, &any)) status = tacFailMemory(err);
        else if (!any) status = failWho(&part, "job or task", err);
    }
    sortTasks(who);
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
