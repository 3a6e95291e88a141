/*
 * ask.c -- the methods of objects: a row each, with the kinds that know it and how it is answered.
 *
 * An answer is text as Tcl has it: times and budgets as exact decimals, several ids as a list, nothing known as "".
 */
#include "base/port.h"

#include "model/ask.h"
#include "model/query.h"
#include "trace/quote.h"

#include <string.h>

/* The order of kinds in which an id without a kind is looked for. */
static const tacKind order[TAC_KINDS] = {
    TAC_JOB, TAC_TASK, TAC_SERVER, TAC_MUTEX, TAC_SEMAPHORE, TAC_BUFFER, TAC_PROCESSOR};

/* ---- text ---- */

static void addTicks(tacText *out, const tacModel *model, int64_t ticks) {
    char buffer[TAC_DECIMAL_SIZE];
    if (tacIsKnown(ticks)) tacTextAdd(out, buffer, tacDecimalFormat(ticks, model->store->digits, buffer));
}

static void addElement(tacText *out, const char *text) {
    if (out->length) tacTextAdd(out, " ", 1);
    tacQuoteWord(out, text, strlen(text));
}

static const char *jobId(const tacModel *model, uint32_t job) {
    return tacObjectId(model->store, TAC_JOB, model->jobs.at[job].id);
}

/* ---- jobs and tasks ---- */

/* The job that an id stands for at the moment; NULL: none yet. */
static const tacJob *jobAt(const tacAskAt *at, uint32_t id) {
    uint32_t job = at->replay ? tacNowJob(at->replay, id) : tacQueryJob(at->model, id, at->time);
    return job == TAC_NONE ? NULL : &at->model->jobs.at[job];
}

static tacJobState jobState(const tacAskAt *at, uint32_t id, uint16_t *processor) {
    *processor = TAC_NO_PROCESSOR;
    if (at->replay) return tacNowJobState(at->replay, id, processor);
    uint32_t job = tacQueryJob(at->model, id, at->time);
    return job == TAC_NONE ? TAC_STATE_NONE : tacQueryJobState(at->model, job, at->time, processor);
}

/* The job of a task that goes on, a running one before others (tacQueryTaskJob); TAC_NONE. */
static uint32_t taskJob(const tacAskAt *at, uint32_t task) {
    return at->replay ? tacNowTaskJob(at->replay, task) : tacQueryTaskJob(at->model, task, at->time);
}

static void answerState(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint16_t processor;
    uint32_t job = kind == TAC_TASK ? taskJob(at, index) : TAC_NONE, id = index;
    if (kind == TAC_TASK && job != TAC_NONE) id = at->model->jobs.at[job].id;
    tacJobState state = kind == TAC_TASK && job == TAC_NONE ? TAC_STATE_NONE : jobState(at, id, &processor);
    tacTextAddString(out, tacStateNames[state]);
}

static void answerTask(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const tacJob *job = jobAt(at, index);
    uint32_t task = job ? job->task : at->model->store->jobTask.at[index];
    (void) kind;
    tacTextAddString(out, tacObjectId(at->model->store, TAC_TASK, task));
}

static void answerTaskJob(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint32_t job = taskJob(at, index);
    (void) kind;
    if (job != TAC_NONE) tacTextAddString(out, jobId(at->model, job));
}

/* The time, unless it is after the moment: then it is not known yet. */
static int64_t happened(const tacAskAt *at, int64_t time) {
    return !at->replay && time > at->time ? TAC_UNKNOWN : time;
}

static void answerRelease(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const tacJob *job = jobAt(at, index);
    (void) kind;
    if (job) addTicks(out, at->model, job->release);
}

static void answerStart(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const tacJob *job = jobAt(at, index);
    (void) kind;
    if (job) addTicks(out, at->model, happened(at, job->start));
}

static void answerCompletion(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const tacJob *job = jobAt(at, index);
    (void) kind;
    if (job) addTicks(out, at->model, happened(at, job->completion));
}

static void answerResponse(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const tacJob *job = jobAt(at, index);
    (void) kind;
    if (job && job->release != TAC_UNKNOWN && happened(at, job->completion) != TAC_UNKNOWN)
        addTicks(out, at->model, tacElapsed(job->release, job->completion));
}

static void answerDeadline(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const tacJob *job = jobAt(at, index);
    (void) kind;
    if (job) addTicks(out, at->model, job->deadline);
}

static void answerNumber(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const char *dot = strrchr(tacObjectId(at->model->store, TAC_JOB, index), '.');
    (void) kind;
    if (dot) tacTextAddString(out, dot + 1);
}

/* Is a job of this id among the holders of the mutex? */
static bool holds(const tacAskAt *at, uint32_t mutex, uint32_t id) {
    enum { FEW = 16 };
    uint32_t jobs[FEW];
    uint32_t count = at->replay ? tacNowHolders(at->replay, mutex, jobs, FEW)
                                : tacQueryHolders(at->model, mutex, at->time, jobs, FEW);
    for (uint32_t i = 0; i < count && i < FEW; i++)
        if (at->model->jobs.at[jobs[i]].id == id) return true;
    return false;
}

static void answerMutexes(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    (void) kind;
    for (uint32_t mutex = 0; mutex < tacStoreObjects(at->model->store, TAC_MUTEX); mutex++)
        if (holds(at, mutex, index)) addElement(out, tacObjectId(at->model->store, TAC_MUTEX, mutex));
}

/* ---- names and places ---- */

/* The name of a job that has none of its own: that of its task and its number. */
static void addJobName(const tacAskAt *at, uint32_t index, tacText *out) {
    const tacStore *store = at->model->store;
    const char *id = tacObjectId(store, TAC_JOB, index), *dot = strrchr(id, '.');
    const tacJob *job = jobAt(at, index);
    const char *own = tacObjectText(store, TAC_JOB, index, TAC_OPT_NAME);
    if (job && tacRowEvent(store, job->row) == TAC_EV_JOB_ARRIVED) {
        const char *arrival = tacRowText(store, job->row, TAC_OPT_NAME);
        if (arrival) own = arrival;
    }
    uint32_t task = job ? job->task : store->jobTask.at[index];
    if (own || task == TAC_NONE) tacTextAddString(out, own ? own : id);
    else {
        tacTextAddString(out, tacObjectName(store, TAC_TASK, task));
        if (dot) tacTextPrintf(out, " %s", dot + 1);
    }
}

static void answerName(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    if (kind == TAC_JOB) addJobName(at, index, out);
    else if (kind == TAC_PROCESSOR) tacTextAddString(out, tacProcessorName(at->model, index));
    else tacTextAddString(out, tacObjectName(at->model->store, kind, index));
}

static void answerId(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    tacTextAddString(
        out, kind == TAC_PROCESSOR ? tacProcessorId(at->model, index) : tacObjectId(at->model->store, kind, index));
}

static void answerKind(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    (void) at, (void) index;
    tacTextAddString(out, tacKindNames[kind]);
}

/* Jobs: where they run or ran last; others: where they were defined to be. */
static void answerProcessor(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint16_t processor;
    if (kind == TAC_JOB) jobState(at, index, &processor);
    else processor = at->model->store->objects[kind].at[index].processor;
    if (processor != TAC_NO_PROCESSOR) tacTextAddString(out, tacProcessorId(at->model, processor));
}

static void answerPriority(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const tacStore *store = at->model->store;
    const tacJob *job = kind == TAC_JOB ? jobAt(at, index) : NULL;
    uint32_t task = kind != TAC_JOB ? index : job ? job->task : store->jobTask.at[index];
    tacTextPrintf(out, "%d", store->objects[kind == TAC_JOB ? TAC_TASK : kind].at[task].priority);
}

static void answerC(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    addTicks(out, at->model, at->model->store->objects[kind].at[index].C);
}

static void answerD(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    addTicks(out, at->model, at->model->store->objects[kind].at[index].D);
}

static void answerT(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    addTicks(out, at->model, at->model->store->objects[kind].at[index].T);
}

static void answerLine(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    const tacStore *store = at->model->store;
    uint32_t line = 0;
    if (kind == TAC_JOB) {
        const tacJob *job = jobAt(at, index);
        if (job) line = tacRowLine(store, job->row);
    } else if (index < tacStoreObjects(store, kind)) line = store->objects[kind].at[index].line;
    tacTextPrintf(out, "%u", line);
}

/* ---- servers, mutexes, semaphores, buffers, processors ---- */

static int64_t budgetAt(const tacAskAt *at, uint32_t server, uint32_t *consumers) {
    return at->replay ? tacNowBudget(at->replay, server, consumers)
                      : tacQueryBudget(at->model, server, at->time, consumers);
}

static void answerBudget(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    (void) kind;
    addTicks(out, at->model, budgetAt(at, index, NULL));
}

static void answerConsumers(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint32_t consumers;
    (void) kind;
    budgetAt(at, index, &consumers);
    tacTextPrintf(out, "%u", consumers);
}

static void answerServerState(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint32_t consumers;
    (void) kind;
    int64_t budget = budgetAt(at, index, &consumers);
    tacTextAddString(out, budget <= 0 ? "depleted" : consumers ? "running" : "preempted");
}

/* Jobs that hold a mutex or run on a processor. */
static uint32_t jobsOf(const tacAskAt *at, tacKind kind, uint32_t index, uint32_t *jobs, uint32_t max) {
    if (kind == TAC_MUTEX)
        return at->replay ? tacNowHolders(at->replay, index, jobs, max)
                          : tacQueryHolders(at->model, index, at->time, jobs, max);
    return at->replay ? tacNowRunning(at->replay, index, jobs, max)
                      : tacQueryRunning(at->model, index, at->time, jobs, max);
}

static void answerJobs(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    enum { FEW = 16 };
    uint32_t few[FEW], *jobs = few, count = jobsOf(at, kind, index, few, FEW);
    if (count > FEW) {
        jobs = tacAlloc(count * sizeof *jobs);
        if (!jobs) {
            out->failed = true;
            return;
        }
        jobsOf(at, kind, index, jobs, count);
    }
    for (uint32_t i = 0; i < count; i++) addElement(out, jobId(at->model, jobs[i]));
    if (jobs != few) tacFree(jobs);
}

static void answerFirstJob(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint32_t job;
    if (jobsOf(at, kind, index, &job, 1)) tacTextAddString(out, jobId(at->model, job));
}

static void answerCount(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    (void) kind;
    int64_t count = at->replay ? tacNowSemaphore(at->replay, index) : tacQuerySemaphore(at->model, index, at->time);
    tacTextPrintf(out, "%lld", (long long) count);
}

/* The elements of a buffer, string ids; the caller frees *owned. */
static const uint32_t *contentsAt(
    const tacAskAt *at, uint32_t buffer, uint32_t *count, int64_t *capacity, uint32_t **owned, bool *failed) {
    *owned = NULL;
    if (at->replay) return tacNowBuffer(at->replay, buffer, count, capacity);
    if (tacQueryBuffer(at->model, buffer, at->time, owned, count, capacity, NULL) != TAC_OK) *failed = true, *count = 0;
    return *owned;
}

static void answerContents(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint32_t count, *owned;
    int64_t capacity;
    const uint32_t *data = contentsAt(at, index, &count, &capacity, &owned, &out->failed);
    (void) kind;
    for (uint32_t i = 0; i < count; i++) addElement(out, tacString(at->model->store, data[i]));
    tacFree(owned);
}

static void answerLength(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint32_t count, *owned;
    int64_t capacity;
    (void) kind;
    contentsAt(at, index, &count, &capacity, &owned, &out->failed);
    tacTextPrintf(out, "%u", count);
    tacFree(owned);
}

static void answerHead(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint32_t count, *owned;
    int64_t capacity;
    const uint32_t *data = contentsAt(at, index, &count, &capacity, &owned, &out->failed);
    (void) kind;
    if (count) tacTextAddString(out, tacString(at->model->store, data[0]));
    tacFree(owned);
}

static void answerCapacity(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out) {
    uint32_t count, *owned;
    int64_t capacity;
    if (kind == TAC_SERVER) {
        addTicks(out, at->model, at->model->store->objects[TAC_SERVER].at[index].capacity);
        return;
    }
    contentsAt(at, index, &count, &capacity, &owned, &out->failed);
    tacTextPrintf(out, "%lld", (long long) capacity);
    tacFree(owned);
}

/* ---- the table ---- */

#define K(kind) (1u << TAC_##kind)
#define ALL ((1u << TAC_KINDS) - 1)

static const tacAskMethod methods[] = {
    {"id", ALL, answerId, "its id", TAC_ANSWER_TEXT, 0},
    {"kind", ALL, answerKind, "what it is: job, task, server, mutex, semaphore, buffer or processor", TAC_ANSWER_TEXT,
        0},
    {"line", ALL, answerLine, "line of the trace where it was defined or released; 0: none", TAC_ANSWER_TEXT, 0},
    {"name", ALL, answerName, "the name that is shown", TAC_ANSWER_TEXT, 0},
    {"state", K(JOB) | K(TASK), answerState,
        "none, waiting, running, preempted, blocked, completed or between; of a task: that of its job", TAC_ANSWER_TEXT,
        0},
    {"state", K(SERVER), answerServerState, "depleted (no budget), running (something consumes it) or preempted",
        TAC_ANSWER_TEXT, 0},
    {"processor", K(JOB), answerProcessor, "where it runs or ran last", TAC_ANSWER_ID, TAC_PROCESSOR},
    {"processor", K(TASK) | K(SERVER) | K(MUTEX), answerProcessor, "where it was defined to be", TAC_ANSWER_ID,
        TAC_PROCESSOR},
    {"priority", K(JOB) | K(TASK) | K(SERVER), answerPriority, "its priority; of a job: its task's", TAC_ANSWER_TEXT,
        0},
    {"task", K(JOB), answerTask, "its task", TAC_ANSWER_ID, TAC_TASK},
    {"number", K(JOB), answerNumber, "what its id has after the last dot", TAC_ANSWER_TEXT, 0},
    {"release", K(JOB), answerRelease, "when it arrived", TAC_ANSWER_TEXT, 0},
    {"start", K(JOB), answerStart, "when it ran first", TAC_ANSWER_TEXT, 0},
    {"completion", K(JOB), answerCompletion, "when it completed", TAC_ANSWER_TEXT, 0},
    {"response", K(JOB), answerResponse, "completion - release", TAC_ANSWER_TEXT, 0},
    {"deadline", K(JOB), answerDeadline, "its absolute deadline", TAC_ANSWER_TEXT, 0},
    {"mutexes", K(JOB), answerMutexes, "the mutexes that it holds", TAC_ANSWER_IDS, TAC_MUTEX},
    {"job", K(TASK), answerTaskJob, "its job that runs, or else is preempted, blocked or waiting", TAC_ANSWER_ID,
        TAC_JOB},
    {"C", K(TASK), answerC, "its execution budget", TAC_ANSWER_TEXT, 0},
    {"D", K(TASK), answerD, "its relative deadline", TAC_ANSWER_TEXT, 0},
    {"T", K(TASK), answerT, "its period", TAC_ANSWER_TEXT, 0},
    {"budget", K(SERVER), answerBudget, "what is left of its budget; below 0: so much was consumed beyond it",
        TAC_ANSWER_TEXT, 0},
    {"capacity", K(SERVER), answerCapacity, "its largest budget", TAC_ANSWER_TEXT, 0},
    {"consumers", K(SERVER), answerConsumers, "how many tasks consume its budget", TAC_ANSWER_TEXT, 0},
    {"holder", K(MUTEX), answerFirstJob, "the job that holds it", TAC_ANSWER_ID, TAC_JOB},
    {"holders", K(MUTEX), answerJobs, "all jobs that hold it, the first one first", TAC_ANSWER_IDS, TAC_JOB},
    {"count", K(SEMAPHORE), answerCount, "its count", TAC_ANSWER_TEXT, 0},
    {"contents", K(BUFFER), answerContents, "its elements, the head first", TAC_ANSWER_TEXT, 0},
    {"capacity", K(BUFFER), answerCapacity, "how many elements it holds", TAC_ANSWER_TEXT, 0},
    {"count", K(BUFFER), answerLength, "how many elements it has", TAC_ANSWER_TEXT, 0},
    {"head", K(BUFFER), answerHead, "the element that is read next", TAC_ANSWER_TEXT, 0},
    {"job", K(PROCESSOR), answerFirstJob, "the job that runs there", TAC_ANSWER_ID, TAC_JOB},
    {"running", K(PROCESSOR), answerJobs, "all jobs that run there", TAC_ANSWER_IDS, TAC_JOB},
    {NULL, 0, NULL, NULL, TAC_ANSWER_TEXT, 0},
};

/* ---- asking ---- */

const tacAskMethod *tacAskMethodOf(tacKind kind, const char *name) {
    for (const tacAskMethod *method = methods; method->name; method++)
        if ((method->kinds & 1u << kind) && strcmp(method->name, name) == 0) return method;
    return NULL;
}

bool tacAskKnows(tacKind kind, const char *method) { return *method == '-' || tacAskMethodOf(kind, method); }

uint32_t tacAskFind(const tacModel *model, tacKind kind, const char *id, size_t length) {
    const tacStore *store = model->store;
    uint32_t index = tacInternFind(&store->ids[kind], id, length);
    if (index != TAC_NONE) {
        bool defined = kind == TAC_JOB ? store->jobTask.at[index] != TAC_NONE
                                       : store->objects[kind].at[index].line != 0;
        return defined ? index : TAC_NONE;
    }
    if (kind != TAC_PROCESSOR) return TAC_NONE;
    for (index = tacStoreObjects(store, kind); index < model->nProcessors; index++)
        if (strlen(tacProcessorId(model, index)) == length && memcmp(id, tacProcessorId(model, index), length) == 0)
            return index;
    return TAC_NONE;
}

static int shown(size_t length) { return length < 100 ? (int) length : 100; }

bool tacAskWhich(const tacModel *model, const char *id, size_t length, const char *method, tacKind *kind,
    uint32_t *index, tacError *err) {
    int known = -1;
    for (int i = 0; i < TAC_KINDS; i++) {
        uint32_t found = tacAskFind(model, order[i], id, length);
        if (found == TAC_NONE) continue;
        if (tacAskKnows(order[i], method)) return *kind = order[i], *index = found, true;
        if (known < 0) known = (int) order[i];
    }
    if (known < 0)
        tacFail(err, "LOOKUP OBJECT", "\"%.*s\" is neither a command nor an object of the trace", shown(length), id);
    else
        tacFail(err, "LOOKUP METHOD", "%s \"%.*s\" has no method \"%.60s\"", tacKindNames[known], shown(length), id,
            method);
    return false;
}

/* The value of an option of the object's definition; the last one if it is given twice. */
static tacStatus askOption(
    const tacAskAt *at, tacKind kind, uint32_t index, const char *name, tacText *out, tacError *err) {
    const tacStore *store = at->model->store;
    int64_t value;
    int option = tacOptionFind(name, strlen(name), tacDefinitions[kind].options);
    if (option < 0) return tacFail(err, "LOOKUP METHOD", "a %s has no option %.60s", tacKindNames[kind], name);
    if (index >= tacStoreObjects(store, kind) || !tacObjectOption(store, kind, index, (tacOption) option, &value))
        return TAC_OK;
    tacType type = tacOptions[option].type;
    if ((int) type < TAC_KINDS) tacTextAddString(out, tacObjectId(store, (tacKind) type, (uint32_t) value));
    else if (type == TAC_TYPE_TIME) addTicks(out, at->model, value);
    else if (type == TAC_TYPE_INTEGER || type == TAC_TYPE_FLAG) tacTextPrintf(out, "%lld", (long long) value);
    else tacTextAddString(out, tacString(store, (uint32_t) value));
    return TAC_OK;
}

static tacStatus failMethod(tacKind kind, const char *method, tacError *err) {
    tacText known = {0};
    for (const tacAskMethod *row = methods; row->name; row++)
        if (row->kinds & 1u << kind) tacTextPrintf(&known, "%s%s", known.length ? ", " : "", row->name);
    tacFail(err, "LOOKUP METHOD", "a %s has no method \"%.60s\": it knows %s, and the options of its definition",
        tacKindNames[kind], method, known.at && !known.failed ? known.at : "others");
    tacTextFree(&known);
    return TAC_ERROR;
}

tacStatus tacAsk(const tacAskAt *at, tacKind kind, uint32_t index, const char *name, tacText *out, tacError *err) {
    tacStatus status = TAC_OK;
    if (*name == '-') status = askOption(at, kind, index, name, out, err);
    else {
        const tacAskMethod *method = tacAskMethodOf(kind, name);
        if (!method) return failMethod(kind, name, err);
        method->answer(at, kind, index, out);
    }
    return status == TAC_OK && out->failed ? tacFailMemory(err) : status;
}
