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
    [TAC_SINCE_COUNT] = {"count", false, false, false, TAC_ARGUMENT_EVENT},
    [TAC_SINCE_SYSCALLS] = {"syscalls", false, false, false, TAC_ARGUMENT_CALL},
    [TAC_SINCE_INSYSCALL] = {"insyscall", true, false, false, TAC_ARGUMENT_CALL},
    [TAC_SINCE_INTERRUPTS] = {"interrupts", false, false, true, TAC_ARGUMENT_INTERRUPT},
    [TAC_SINCE_INTERRUPTED] = {"interrupted", true, false, true, TAC_ARGUMENT_INTERRUPT},
    [TAC_SINCE_LOST] = {"", true, true, false, TAC_ARGUMENT_NONE},
    [TAC_SINCE_OVER] = {"", true, true, false, TAC_ARGUMENT_NONE},
    [TAC_SINCE_GONE] = {"", true, true, false, TAC_ARGUMENT_NONE},
    [TAC_SINCE_ACTIVE] = {"", true, true, false, TAC_ARGUMENT_NONE},
    [TAC_SINCE_LAST] = {"", true, true, false, TAC_ARGUMENT_NONE},
    [TAC_SINCE_TIMES] = {"", false, true, false, TAC_ARGUMENT_NONE},
    [TAC_SINCE_AFTER] = {"", false, true, false, TAC_ARGUMENT_NONE},
};

tacSince tacSinceFind(const char *name, size_t length) {
    for (tacSince since = 0; length && since < TAC_SINCES; since++)
        if (strlen(tacSinces[since].name) == length && memcmp(tacSinces[since].name, name, length) == 0) return since;
    return TAC_SINCES;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static tacStatus failOwn(const tacSinceSpec *spec, tacError *err) {
    return tacFail(
        err, "USAGE", "%s(...) is about a task or a job: the model needs -each task or -each job", spec->name);
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
    *index = tacAskFindNamed(model, kind, word->at, word->length);
    if (*index != TAC_NONE) return TAC_OK;
    return tacFail(err, "LOOKUP OBJECT", "there is no %s \"%.*s\" in the trace", tacKindNames[kind], TAC_SHOWN(word));
}

/* The quantity of a function of time or of an object; word: its second argument, or NULL. *doubt: the unknown time by
 * which there may be more of it; block TAC_BLOCKS: it is exact. */
static tacStatus read(const tacAsks *asks, tacSince since, const tacWord *word, tacQuantity *quantity,
    tacQuantity *doubt, tacError *err) {
    const tacSinceSpec *spec = &tacSinces[since];
    bool ofTask = asks->each == TAC_EACH_TASK || asks->each == TAC_EACH_JOB;
    tacBlockKind own = asks->each == TAC_EACH_JOB ? TAC_BLOCK_JOB : TAC_BLOCK_TASK;
    uint32_t index = TAC_NONE;
    if (word && spec->argument == TAC_ARGUMENT_NONE)
        return tacFail(err, "USAGE", "%s(variable) has one argument", spec->name);
    if (word && findWhat(asks->model, spec->argument, word, &index, err) != TAC_OK) return TAC_ERROR;
    *quantity = (tacQuantity){.since = since, .block = own, .object = TAC_NONE, .what = TAC_NONE};
    switch (spec->argument) {
    case TAC_ARGUMENT_SERVER:
        if (!word) return tacFail(err, "USAGE", "%s(variable, server) has two arguments", spec->name);
        *quantity = (tacQuantity){.since = since, .block = TAC_BLOCK_ALL, .what = index};
        break;
    case TAC_ARGUMENT_PROCESSOR:
        if (!word && asks->each != TAC_EACH_PROCESSOR)
            return tacFail(
                err, "USAGE", "%s(variable, processor): without a processor it needs -each processor", spec->name);
        quantity->block = TAC_BLOCK_PROCESSOR;
        quantity->object = index;
        break;
    case TAC_ARGUMENT_TASK:
        if (!word && !ofTask)
            return tacFail(err, "USAGE",
                "%s(...) is about a task or a job: the model needs -each task or -each job, or %s(variable, task)",
                spec->name, spec->name);
        if (word) quantity->block = TAC_BLOCK_TASK;
        quantity->object = index;
        break;
    default:
        if (!ofTask) return failOwn(spec, err);
        quantity->what = index;
    }
    *doubt = *quantity;
    doubt->since = quantity->block == TAC_BLOCK_PROCESSOR ? TAC_SINCE_LOST : TAC_SINCE_UNKNOWN;
    doubt->what = TAC_NONE;
    if (spec->exact) doubt->block = TAC_BLOCKS;
    return TAC_OK;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static tacStatus addEvent(tacAsks *asks, const char *text, size_t length, uint32_t *index, tacError *err) {
    for (*index = 0; *index < asks->events.count; ++*index) {
        const char *other = asks->events.at[*index]->text;
        if (strlen(other) == length && memcmp(other, text, length) == 0) return TAC_OK;
    }
    if (asks->events.count >= TAC_MOST_ASKED_EVENTS)
        return tacFail(err, "USAGE", "the model asks for more than %d kinds of events", TAC_MOST_ASKED_EVENTS);
    tacAskedEvent *event = tacAllocZero(1, sizeof *event);
    if (!event || !tacArrayPush(&asks->events, event)) return tacFree(event), tacFailMemory(err);
    event->window = -1;
    if (!(event->text = tacCopyText(text, length))) return tacFailMemory(err);
    return tacTriggerRead(asks->model, &(tacWord){event->text, length}, &event->trigger, err);
}

/* Of whom an event is counted. */
static tacEach whoseOf(const tacAsks *asks, uint32_t event) {
    if (!asks->events.at[event]->trigger.own) return TAC_EACH_TRACE;
    return asks->key.length ? (tacEach) TAC_EACH_KEY : asks->each;
}

static tacStatus addMemory(
    tacAsks *asks, uint32_t variable, const tacQuantity *quantity, uint32_t *memory, tacError *err);

/* Adds the parts of an amount of events: the instance's own, those of a job's task, and everybody's. */
static tacStatus addParts(tacAsks *asks, uint32_t variable, tacQuantity quantity, uint32_t *memory, tacError *err) {
    static const tacBlockKind blocks[] = {[TAC_EACH_TRACE] = TAC_BLOCK_ALL,
        [TAC_EACH_PROCESSOR] = TAC_BLOCK_PROCESSOR,
        [TAC_EACH_TASK] = TAC_BLOCK_TASK,
        [TAC_EACH_JOB] = TAC_BLOCK_JOB};
    bool keyed = quantity.whose == (tacEach) TAC_EACH_KEY;
    uint32_t part;
    quantity.block = TAC_BLOCK_ALL;
    quantity.object = 0;
    if (addMemory(asks, variable, &quantity, &part, err) != TAC_OK) return TAC_ERROR;
    *memory = part;
    quantity.block = TAC_BLOCK_KEY;
    quantity.object = TAC_NONE;
    if (keyed) return addMemory(asks, variable, &quantity, memory, err);
    for (int k = quantity.whose == TAC_EACH_JOB ? 0 : 1; k < 2 && quantity.whose != TAC_EACH_TRACE; k++) {
        quantity.block = k ? blocks[quantity.whose] : TAC_BLOCK_TASK;
        quantity.object = TAC_NONE;
        if (addMemory(asks, variable, &quantity, &part, err) != TAC_OK) return TAC_ERROR;
        asks->memories.at[part].also = *memory;
        *memory = part;
    }
    return TAC_OK;
}

/* Notes a count of events since a variable was started. */
static tacStatus askCount(
    tacAsks *asks, tacSince since, uint32_t variable, const tacWord *word, uint32_t *memory, tacError *err) {
    tacQuantity quantity = {.since = since};
    if (!word) return tacFail(err, "USAGE", "%s(variable, {event}) has two arguments", tacSinces[since].name);
    if (addEvent(asks, word->at, word->length, &quantity.what, err) != TAC_OK) return TAC_ERROR;
    quantity.whose = whoseOf(asks, quantity.what);
    return addParts(asks, variable, quantity, memory, err);
}

/* Notes how many system calls the instance's task enters, or how long it is in them. */
static tacStatus askCalls(
    tacAsks *asks, tacSince since, uint32_t variable, const tacWord *word, uint32_t *memory, tacError *err) {
    tacQuantity quantity = {.since = since == TAC_SINCE_SYSCALLS ? TAC_SINCE_COUNT : since,
        .block = TAC_BLOCK_TASK,
        .object = TAC_NONE,
        .whose = TAC_EACH_TASK};
    tacText text = {0};
    if (asks->each != TAC_EACH_TASK && asks->each != TAC_EACH_JOB) return failOwn(&tacSinces[since], err);
    tacTextAddString(&text, "syscall {");
    if (word) tacTextAdd(&text, word->at, word->length);
    else tacTextAddString(&text, "*");
    tacTextAddString(&text, "}");
    tacStatus status = text.failed ? tacFailMemory(err) : addEvent(asks, text.at, text.length, &quantity.what, err);
    tacTextFree(&text);
    return status == TAC_OK ? addMemory(asks, variable, &quantity, memory, err) : TAC_ERROR;
}

/* Notes interrupts of the instance's task or job. */
static tacStatus askInterrupts(
    tacAsks *asks, tacSince since, uint32_t variable, const tacWord *word, uint32_t *memory, tacError *err) {
    tacWord glob = word ? *word : (tacWord){"*", 1};
    uint32_t index = 0;
    if (asks->each != TAC_EACH_TASK && asks->each != TAC_EACH_JOB) return failOwn(&tacSinces[since], err);
    while (index < asks->interrupts.count && !tacWordIs(&glob, asks->interrupts.at[index])) index++;
    if (index == asks->interrupts.count) {
        char *text = tacCopyText(glob.at, glob.length);
        if (!text || !tacArrayPush(&asks->interrupts, text)) return tacFree(text), tacFailMemory(err);
    }
    tacQuantity quantity = {.since = since,
        .block = asks->each == TAC_EACH_JOB ? TAC_BLOCK_JOB : TAC_BLOCK_TASK,
        .object = TAC_NONE,
        .what = index};
    return addMemory(asks, variable, &quantity, memory, err);
}

tacStatus tacAsksPast(tacAsks *asks, tacSince since, const tacWord *event, const tacWord *than, int64_t window,
    uint32_t *memory, tacError *err) {
    tacQuantity quantity = {.since = since, .than = TAC_NONE};
    if (addEvent(asks, event->at, event->length, &quantity.what, err) != TAC_OK) return TAC_ERROR;
    quantity.whose = whoseOf(asks, quantity.what);
    tacAskedEvent *asked = asks->events.at[quantity.what];
    if (since == TAC_SINCE_TIMES && window > asked->window) asked->window = window;
    if (!than) return addParts(asks, TAC_NONE, quantity, memory, err);
    if (addEvent(asks, than->at, than->length, &quantity.than, err) != TAC_OK) return TAC_ERROR;
    if (quantity.whose == TAC_EACH_TRACE) quantity.whose = whoseOf(asks, quantity.than);
    return addParts(asks, TAC_NONE, quantity, memory, err);
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static bool isSame(const tacQuantity *a, const tacQuantity *b) {
    return a->since == b->since && a->block == b->block && a->object == b->object && a->what == b->what
        && a->than == b->than && a->whose == b->whose;
}

/* The memory of a quantity by a variable, which is added if there is none. */
static tacStatus addMemory(
    tacAsks *asks, uint32_t variable, const tacQuantity *quantity, uint32_t *memory, tacError *err) {
    while (variable != TAC_NONE && asks->first.count <= variable)
        if (!tacArrayPush(&asks->first, TAC_NONE)) return tacFailMemory(err);
    uint32_t *first = variable == TAC_NONE ? &asks->past : &asks->first.at[variable];
    for (*memory = *first; *memory != TAC_NONE; *memory = asks->memories.at[*memory].next)
        if (isSame(&asks->memories.at[*memory].quantity, quantity)) return TAC_OK;
    if (asks->memories.count >= TAC_MOST_MEMORIES)
        return tacFail(err, "USAGE", "the model asks for more than %d times and counts", TAC_MOST_MEMORIES);
    tacMemory new = {.variable = variable, .quantity = *quantity, .next = *first, .also = TAC_NONE};
    *memory = *first = (uint32_t) asks->memories.count;
    return tacArrayPush(&asks->memories, new) ? TAC_OK : tacFailMemory(err);
}

tacStatus tacAsksFunction(tacAsks *asks, tacSince since, uint32_t variable, const tacWord *word, uint32_t *memory,
    uint32_t *doubt, tacError *err) {
    tacArgument argument = tacSinces[since].argument;
    bool ofTask = asks->each == TAC_EACH_TASK || asks->each == TAC_EACH_JOB;
    tacBlockKind own = asks->each == TAC_EACH_JOB ? TAC_BLOCK_JOB : TAC_BLOCK_TASK;
    tacQuantity quantity, unknown = {TAC_SINCE_UNKNOWN, ofTask ? own : TAC_BLOCKS, TAC_NONE, .what = TAC_NONE};
    tacStatus status;
    *memory = *doubt = TAC_NONE;
    if (argument == TAC_ARGUMENT_EVENT) status = askCount(asks, since, variable, word, memory, err);
    else if (argument == TAC_ARGUMENT_CALL) status = askCalls(asks, since, variable, word, memory, err);
    else if (argument == TAC_ARGUMENT_INTERRUPT) status = askInterrupts(asks, since, variable, word, memory, err);
    else {
        status = read(asks, since, word, &quantity, &unknown, err);
        if (status == TAC_OK) status = addMemory(asks, variable, &quantity, memory, err);
    }
    if (status != TAC_OK || unknown.block == TAC_BLOCKS) return status;
    return addMemory(asks, variable, &unknown, doubt, err);
}

tacStatus tacAsksState(tacAsks *asks, tacJobState state, uint32_t *memory, tacError *err) {
    static const tacSince sinces[TAC_STATES] = {[TAC_STATE_NONE] = TAC_SINCE_GONE,
        [TAC_STATE_WAITING] = TAC_SINCE_WAITING,
        [TAC_STATE_RUNNING] = TAC_SINCE_RUNNING,
        [TAC_STATE_PREEMPTED] = TAC_SINCE_PREEMPTED,
        [TAC_STATE_BLOCKED] = TAC_SINCE_BLOCKED,
        [TAC_STATE_COMPLETED] = TAC_SINCE_OVER,
        [TAC_STATE_BETWEEN] = TAC_SINCE_BETWEEN,
        [TAC_STATE_UNKNOWN] = TAC_SINCE_UNKNOWN};
    return tacAsksJobs(asks, sinces[state], memory, err);
}

tacStatus tacAsksJobs(tacAsks *asks, tacSince since, uint32_t *memory, tacError *err) {
    tacQuantity quantity = {.since = since, .block = TAC_BLOCK_ALL, .what = TAC_NONE};
    if (asks->each == TAC_EACH_TASK || asks->each == TAC_EACH_JOB) {
        quantity.block = asks->each == TAC_EACH_TASK ? TAC_BLOCK_TASK : TAC_BLOCK_JOB;
        quantity.object = TAC_NONE;
    }
    return addMemory(asks, TAC_NONE, &quantity, memory, err);
}

void tacAsksFree(tacAsks *asks) {
    for (size_t i = 0; i < asks->events.count; i++) {
        tacTriggerFree(&asks->events.at[i]->trigger);
        tacFree(asks->events.at[i]->text);
        tacFree(asks->events.at[i]);
    }
    for (size_t i = 0; i < asks->interrupts.count; i++) tacFree(asks->interrupts.at[i]);
    tacArrayFree(&asks->events);
    tacArrayFree(&asks->interrupts);
    tacArrayFree(&asks->memories);
    tacArrayFree(&asks->first);
}
