/*
 * quantity.c -- the functions of variables, and what a model asks for.
 */
#include "base/port.h"

#include "judge/quantity.h"
#include "model/ask.h"

#include <string.h>

const tacSinceSpec tacSinces[TAC_SINCES] = {
    [TAC_SINCE_ELAPSED] = {"elapsed", true, true, false, TAC_ARGUMENT_NONE},
    [TAC_SINCE_RUNNING] = {"running", true, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_READY] = {"ready", true, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_WAITING] = {"waiting", true, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_PREEMPTED] = {"preempted", true, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_BLOCKED] = {"blocked", true, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_BETWEEN] = {"between", true, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_UNKNOWN] = {"unknown", true, true, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_PREEMPTIONS] = {"preemptions", false, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_MIGRATIONS] = {"migrations", false, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_STARTS] = {"starts", false, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_RELEASES] = {"releases", false, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_COMPLETIONS] = {"completions", false, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_SWITCHES] = {"switches", false, false, true, TAC_ARGUMENT_TASK},
    [TAC_SINCE_HOLDING] = {"holding", true, false, true, TAC_ARGUMENT_MUTEX},
    [TAC_SINCE_CONSUMING] = {"consuming", true, true, false, TAC_ARGUMENT_SERVER},
    [TAC_SINCE_BUSY] = {"busy", true, false, false, TAC_ARGUMENT_PROCESSOR},
    [TAC_SINCE_IDLE] = {"idle", true, false, false, TAC_ARGUMENT_PROCESSOR},
    [TAC_SINCE_LOST] = {"", true, true, false, TAC_ARGUMENT_NONE},
};

tacSince tacSinceFind(const char *name, size_t length) {
    for (tacSince since = 0; length && since < TAC_SINCES; since++)
        if (strlen(tacSinces[since].name) == length && memcmp(tacSinces[since].name, name, length) == 0) return since;
    return TAC_SINCES;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The task of this id, else of this name; TAC_NONE: there is none. */
static uint32_t findTask(const tacModel *model, const tacWord *word) {
    uint32_t found = tacAskFind(model, TAC_TASK, word->at, word->length);
    for (uint32_t i = 0; found == TAC_NONE && i < tacStoreObjects(model->store, TAC_TASK); i++)
        if (model->store->objects[TAC_TASK].at[i].line && tacWordIs(word, tacObjectName(model->store, TAC_TASK, i)))
            found = i;
    return found;
}

/* Finds the object that the second argument names. */
static tacStatus findWhat(
    const tacModel *model, tacArgument argument, const tacWord *word, uint32_t *index, tacError *err) {
    static const tacKind kinds[] = {[TAC_ARGUMENT_TASK] = TAC_TASK,
        [TAC_ARGUMENT_PROCESSOR] = TAC_PROCESSOR,
        [TAC_ARGUMENT_MUTEX] = TAC_MUTEX,
        [TAC_ARGUMENT_SERVER] = TAC_SERVER};
    tacKind kind = kinds[argument];
    if (!model) return TAC_OK;
    *index = kind == TAC_TASK ? findTask(model, word) : tacAskFind(model, kind, word->at, word->length);
    if (*index != TAC_NONE) return TAC_OK;
    return tacFail(err, "LOOKUP OBJECT", "there is no %s \"%.*s\" in the trace", tacKindNames[kind], TAC_SHOWN(word));
}

tacStatus tacQuantityRead(const tacModel *model, tacEach each, tacSince since, const tacWord *word,
    tacQuantity *quantity, tacQuantity *doubt, tacError *err) {
    const tacSinceSpec *spec = &tacSinces[since];
    bool ofTask = each == TAC_EACH_TASK || each == TAC_EACH_JOB;
    uint32_t index = TAC_NONE;
    if (word && spec->argument == TAC_ARGUMENT_NONE)
        return tacFail(err, "USAGE", "%s(variable) has one argument", spec->name);
    if (word && findWhat(model, spec->argument, word, &index, err) != TAC_OK) return TAC_ERROR;
    *quantity = (tacQuantity){since, each == TAC_EACH_JOB ? TAC_BLOCK_JOB : TAC_BLOCK_TASK, TAC_NONE, TAC_NONE};
    switch (spec->argument) {
    case TAC_ARGUMENT_SERVER:
        if (!word) return tacFail(err, "USAGE", "%s(variable, server) has two arguments", spec->name);
        *quantity = (tacQuantity){since, TAC_BLOCK_ALL, 0, index};
        break;
    case TAC_ARGUMENT_PROCESSOR:
        if (!word && each != TAC_EACH_PROCESSOR)
            return tacFail(
                err, "USAGE", "%s(variable, processor): without a processor it needs -each processor", spec->name);
        *quantity = (tacQuantity){since, TAC_BLOCK_PROCESSOR, index, TAC_NONE};
        break;
    case TAC_ARGUMENT_TASK:
        if (!word && !ofTask)
            return tacFail(err, "USAGE",
                "%s(...) is about a task or a job: the model needs -each task or -each job, or %s(variable, task)",
                spec->name, spec->name);
        if (word) *quantity = (tacQuantity){since, TAC_BLOCK_TASK, index, TAC_NONE};
        break;
    default:
        if (!ofTask)
            return tacFail(
                err, "USAGE", "%s(...) is about a task or a job: the model needs -each task or -each job", spec->name);
        quantity->what = index;
    }
    *doubt = (tacQuantity){quantity->block == TAC_BLOCK_PROCESSOR ? TAC_SINCE_LOST : TAC_SINCE_UNKNOWN,
        spec->exact ? TAC_BLOCKS : quantity->block, quantity->object, TAC_NONE};
    return TAC_OK;
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static bool isSame(const tacQuantity *a, const tacQuantity *b) {
    return a->since == b->since && a->block == b->block && a->object == b->object && a->what == b->what;
}

tacStatus tacAsksAdd(tacAsks *asks, uint32_t variable, const tacQuantity *quantity, uint32_t *memory, tacError *err) {
    while (asks->first.count <= variable)
        if (!tacArrayPush(&asks->first, TAC_NONE)) return tacFailMemory(err);
    uint32_t *first = &asks->first.at[variable];
    for (*memory = *first; *memory != TAC_NONE; *memory = asks->memories.at[*memory].next)
        if (isSame(&asks->memories.at[*memory].quantity, quantity)) return TAC_OK;
    if (asks->memories.count >= TAC_MOST_MEMORIES)
        return tacFail(err, "USAGE", "the model asks for more than %d times and counts", TAC_MOST_MEMORIES);
    tacMemory new = {.variable = variable, .quantity = *quantity, .next = *first};
    *memory = *first = (uint32_t) asks->memories.count;
    return tacArrayPush(&asks->memories, new) ? TAC_OK : tacFailMemory(err);
}

void tacAsksFree(tacAsks *asks) {
    tacArrayFree(&asks->memories);
    tacArrayFree(&asks->first);
}
