/*
 * taskRules.c -- completes the definitions of tasks.
 */
#include "base/port.h"

#include "import/kernel/kernel.h"
#include "import/kernel/mapFile.h"
#include "import/taskRules.h"
#include "trace/scheduling.h"
#include "trace/times.h"

#include <string.h>

typedef struct Rules {
    tacStore *store;
    tacDiag *diag;
    const tacKernelMap *map;
    const char *unit; /* of the trace's times; NULL: not known */
    bool noUnit;      /* a time could not be used for that */
    tacError *err;
} Rules;

static bool add(Rules *r, uint32_t task, tacOption option, int64_t value) {
    return tacArrayPush(&r->store->objectOptions[TAC_TASK], (tacOptionValue){task, option, value})
        || (tacFailMemory(r->err), false);
}

static bool addText(Rules *r, uint32_t task, tacOption option, const char *text) {
    uint32_t id = text ? tacStoreString(r->store, text, strlen(text)) : 0;
    if (id == TAC_NONE) return tacFailMemory(r->err), false;
    return !text || add(r, task, option, id);
}

/* Gives a task a time of the mapping, ns, or plain billionths of the trace's unit. */
static bool addTime(Rules *r, uint32_t task, tacOption option, int64_t ns, bool plain) {
    char buffer[TAC_DECIMAL_SIZE];
    int exponent = 0;
    int64_t ticks;
    if (ns == TAC_UNKNOWN) return true;
    if (!plain && (!r->unit || !tacTimeUnit(r->unit, strlen(r->unit), &exponent))) return r->noUnit = true;
    size_t length = tacDecimalFormat(ns, 9 + exponent, buffer);
    if (tacTimeRead(r->store, buffer, length, &ticks, r->err) != TAC_OK) return false;
    tacObject *object = &r->store->objects[TAC_TASK].at[task];
    *(option == TAC_OPT_T ? &object->T : option == TAC_OPT_D ? &object->D : &object->C) = ticks;
    return add(r, task, option, ticks);
}

static const tacKernelRule *ruleOf(const Rules *r, uint32_t task, tacKernelText *name) {
    size_t length;
    const char *id = tacInternName(&r->store->ids[TAC_TASK], task, &length);
    const char *shown = tacObjectText(r->store, TAC_TASK, task, TAC_OPT_NAME);
    *name = shown ? (tacKernelText){shown, strlen(shown)} : (tacKernelText){id, length};
    const tacKernelRule *rule = tacKernelMapThread(r->map, -1, *name);
    return rule || !shown ? rule : tacKernelMapThread(r->map, -1, (tacKernelText){id, length});
}

static bool complete(Rules *r, uint32_t task) {
    tacKernelText name;
    const tacKernelRule *rule = ruleOf(r, task, &name);
    const char *group = tacKernelMapGroup(r->map, rule, name);
    if (!addText(r, task, TAC_OPT_GROUP, group)) return false;
    if (!rule) return true;
    if (rule->priority != TAC_KERNEL_NO_PRIORITY) {
        r->store->objects[TAC_TASK].at[task].priority = rule->priority;
        if (!add(r, task, TAC_OPT_PRIORITY, rule->priority)) return false;
    }
    r->store->ruled |= rule->D != TAC_UNKNOWN;
    return addText(r, task, TAC_OPT_NAME, rule->name) && addText(r, task, TAC_OPT_CPUS, rule->cpus)
        && addTime(r, task, TAC_OPT_T, rule->T, rule->plainT) && addTime(r, task, TAC_OPT_D, rule->D, rule->plainD)
        && addTime(r, task, TAC_OPT_C, rule->C, rule->plainC) && (!rule->hidden || add(r, task, TAC_OPT_HIDDEN, 1))
        && (!rule->scheduler || tacStoreSetScheduler(r->store, TAC_TASK, task, rule->scheduler)
            || (tacFailMemory(r->err), false));
}

/* Names and ids of all tasks, NULL-terminated, for the remark on a rule that nothing fits; NULL: no memory. */
static const char **namesOf(const tacStore *store) {
    uint32_t n = tacStoreObjects(store, TAC_TASK), count = 0;
    const char **names = tacAllocZero(2 * (size_t) n + 1, sizeof *names);
    for (uint32_t i = 0; names && i < n; i++) {
        const char *name = tacObjectText(store, TAC_TASK, i, TAC_OPT_NAME);
        if (name) names[count++] = name;
        names[count++] = tacObjectId(store, TAC_TASK, i);
    }
    return names;
}

static tacStatus applyMap(tacImport *import, const tacKernelMap *map, tacError *err) {
    Rules r = {import->store, import->diag, map, import->unit, false, err};
    bool fine = true;
    for (uint32_t i = 0; fine && i < tacStoreObjects(r.store, TAC_TASK); i++)
        if (r.store->objects[TAC_TASK].at[i].line) fine = complete(&r, i);
    if (!fine) return TAC_ERROR;
    if (r.noUnit)
        tacDiagAdd(r.diag, TAC_SEVERITY_WARNING, 0, "MAP",
            "periods, deadlines and budgets of the mapping are not used: the trace does not say what a time of 1 "
            "means; without a unit (-period 10) they are in its own");
    const char **names = namesOf(r.store);
    if (!names) return tacFailMemory(err);
    tacKernelMapTaskRemarks(map, "no task fits", names, r.diag);
    tacFree(names);
    return TAC_OK;
}

tacStatus tacTaskRulesApply(tacImport *import, const void *records, tacError *err) {
    const tacFormat *format = tacFormats;
    while (format->options != tacKernelRows) format++;
    const tacKernelOptions *options = records
        ? (const tacKernelOptions *) (const void *) ((const char *) records + tacFormatRecord(format))
        : NULL;
    tacKernelMap *map;
    if (!options || import->kernel || (!options->mapText && !options->map)) return TAC_OK;
    if (!options->mapText && strcmp(options->map, "auto") == 0) return TAC_OK;
    tacStatus status = tacMapTasksRead(options->mapText ? "mapping" : options->map, options->mapText, !import->unit,
        import->limits, import->diag, &map, err);
    if (status != TAC_OK) return TAC_ERROR;
    status = applyMap(import, map, err);
    tacKernelMapFree(map);
    return status;
}
