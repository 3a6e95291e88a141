/*
 * ask.c -- the methods of objects: a row each, with the kinds that know it and how it is answered.
 *
 * An answer is text as Tcl has it: times and budgets as exact decimals, several ids as a list, nothing known as "".
 */
#include "base/port.h"

#include "model/ask.h"
#include "model/buffer.h"
#include "model/query.h"
#include "trace/called.h"
#include "trace/named.h"
#include "trace/quote.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Order of kinds in which an id without a kind is looked for. */
static const tacKind order[TAC_KINDS] = {
    TAC_JOB, TAC_TASK, TAC_SERVER, TAC_MUTEX, TAC_SEMAPHORE, TAC_BUFFER, TAC_PROCESSOR};

/* A question to an object: the row of the method, and where the answer is added. */
typedef struct tacAskQuestion {
    const tacAskMethod *method;
    const tacAskAt *at;
    tacKind kind;
    uint32_t index;
    tacText *out;
} Question;

/* ---- text ---- */

static void addTicks(tacText *out, const tacModel *model, int64_t ticks) {
    char buffer[TAC_DECIMAL_SIZE];
    if (tacIsKnown(ticks)) tacTextAdd(out, buffer, tacDecimalFormat(ticks, model->store->digits, buffer));
}

static const char *jobId(const tacModel *model, uint32_t job) {
    return tacObjectId(model->store, TAC_JOB, model->jobs.at[job].id);
}

/* ---- jobs and tasks ---- */

/* The job that an id stands for at the moment; NULL: none yet. */
static const tacJob *jobAt(const tacAskAt *at, uint32_t id) {
    uint32_t job = at->replay ? tacNowJob(at->replay, id) : tacQueryJob(at->model, id, at->time);
    if (job == TAC_NONE) return NULL;
    return at->replay ? tacNowRecord(at->replay, job) : &at->model->jobs.at[job];
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

/* Jobs that hold a mutex: stores up to max, and returns how many there are. */
static uint32_t holdersOf(const tacAskAt *at, uint32_t mutex, uint32_t *jobs, uint32_t max) {
    return at->replay ? tacNowHolders(at->replay, mutex, jobs, max)
                      : tacQueryHolders(at->model, mutex, at->time, jobs, max);
}

static void answerState(const Question *q) {
    uint16_t processor;
    uint32_t id = q->index;
    if (q->kind == TAC_TASK) {
        uint32_t job = taskJob(q->at, q->index);
        id = job != TAC_NONE ? q->at->model->jobs.at[job].id : TAC_NONE;
    }
    tacTextAddString(q->out, tacStateNames[id == TAC_NONE ? TAC_STATE_NONE : jobState(q->at, id, &processor)]);
}

static void answerTask(const Question *q) {
    const tacStore *store = q->at->model->store;
    const tacJob *job = jobAt(q->at, q->index);
    tacTextAddString(q->out, tacObjectId(store, TAC_TASK, job ? job->task : store->jobTask.at[q->index]));
}

static void answerTaskJob(const Question *q) {
    uint32_t job = taskJob(q->at, q->index);
    if (job != TAC_NONE) tacTextAddString(q->out, jobId(q->at->model, job));
}

/* Answers with a time of a job, unless it is after the moment: then it is not known yet. */
static void answerJobTime(const Question *q) {
    const tacJob *job = jobAt(q->at, q->index);
    if (!job) return;
    int64_t time = *(const int64_t *) ((const char *) job + q->method->field);
    if (q->at->replay || time <= q->at->time) addTicks(q->out, q->at->model, time);
}

static void answerResponse(const Question *q) {
    const tacJob *job = jobAt(q->at, q->index);
    if (!job || job->release == TAC_UNKNOWN || job->completion == TAC_UNKNOWN) return;
    if (q->at->replay || job->completion <= q->at->time)
        addTicks(q->out, q->at->model, tacElapsed(job->release, job->completion));
}

/* A deadline is known before it comes. */
static void answerDeadline(const Question *q) {
    const tacJob *job = jobAt(q->at, q->index);
    if (job) addTicks(q->out, q->at->model, job->deadline);
}

static void answerNumber(const Question *q) {
    const char *dot = strrchr(tacObjectId(q->at->model->store, TAC_JOB, q->index), '.');
    if (dot) tacTextAddString(q->out, dot + 1);
}

static int ascending(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *) left, b = *(const uint32_t *) right;
    return (a > b) - (a < b);
}

/* Answers with the mutexes that a job holds now, in the order of their definitions. */
static void answerHeldNow(const Question *q) {
    enum { FEW = 16 };
    uint32_t few[FEW], *mutexes = few, n = tacNowHeld(q->at->replay, q->index, few, FEW);
    if (n > FEW) {
        mutexes = tacAlloc(n * sizeof *mutexes);
        if (!mutexes) {
            q->out->failed = true;
            return;
        }
        tacNowHeld(q->at->replay, q->index, mutexes, n);
    }
    qsort(mutexes, n, sizeof *mutexes, ascending);
    for (uint32_t i = 0; i < n; i++) tacQuoteElement(q->out, tacObjectId(q->at->model->store, TAC_MUTEX, mutexes[i]));
    if (mutexes != few) tacFree(mutexes);
}

static void answerMutexes(const Question *q) {
    enum { FEW = 16 }; /* holders of one mutex that are looked at */
    const tacModel *model = q->at->model;
    if (q->at->replay) return answerHeldNow(q);
    for (uint32_t mutex = 0; mutex < tacStoreObjects(model->store, TAC_MUTEX); mutex++) {
        uint32_t jobs[FEW], n = holdersOf(q->at, mutex, jobs, FEW), i = 0;
        if (n > FEW) n = FEW;
        while (i < n && model->jobs.at[jobs[i]].id != q->index) i++;
        if (i < n) tacQuoteElement(q->out, tacObjectId(model->store, TAC_MUTEX, mutex));
    }
}

/* ---- names and places ---- */

/* Answers with the name that is shown. A job without a name has that of its task, and the number of its id. */
static void answerName(const Question *q) {
    const tacStore *store = q->at->model->store;
    if (q->kind == TAC_PROCESSOR) tacTextAddString(q->out, tacProcessorName(q->at->model, q->index));
    else if (q->kind != TAC_JOB) tacTextAddString(q->out, tacObjectName(store, q->kind, q->index));
    if (q->kind != TAC_JOB) return;
    const char *id = tacObjectId(store, TAC_JOB, q->index), *dot = strrchr(id, '.');
    const char *name = tacObjectText(store, TAC_JOB, q->index, TAC_OPT_NAME), *arrived = NULL;
    const tacJob *job = jobAt(q->at, q->index);
    if (job && tacRowEvent(store, job->row) == TAC_EV_JOB_ARRIVED) arrived = tacRowText(store, job->row, TAC_OPT_NAME);
    if (arrived) name = arrived;
    uint32_t task = job ? job->task : store->jobTask.at[q->index];
    if (name || task == TAC_NONE) tacTextAddString(q->out, name ? name : id);
    else {
        tacTextAddString(q->out, tacObjectName(store, TAC_TASK, task));
        if (dot) tacTextPrintf(q->out, " %s", dot + 1);
    }
}

static void answerId(const Question *q) {
    const tacModel *model = q->at->model;
    tacTextAddString(q->out,
        q->kind == TAC_PROCESSOR ? tacProcessorId(model, q->index) : tacObjectId(model->store, q->kind, q->index));
}

static void answerKind(const Question *q) { tacTextAddString(q->out, tacKindNames[q->kind]); }

/* Answers with the processor where a job runs or ran last; of others: where they were defined to be. */
static void answerProcessor(const Question *q) {
    uint16_t processor;
    if (q->kind == TAC_JOB) jobState(q->at, q->index, &processor);
    else processor = q->at->model->store->objects[q->kind].at[q->index].processor;
    if (processor != TAC_NO_PROCESSOR) tacTextAddString(q->out, tacProcessorId(q->at->model, processor));
}

/* Answers with the priority of an object; of a job: its task's. */
static void answerPriority(const Question *q) {
    const tacStore *store = q->at->model->store;
    tacKind kind = q->kind == TAC_JOB ? TAC_TASK : q->kind;
    uint32_t index = q->index;
    if (q->kind == TAC_JOB) {
        const tacJob *job = jobAt(q->at, index);
        index = job ? job->task : store->jobTask.at[index];
    }
    tacTextPrintf(q->out, "%d", store->objects[kind].at[index].priority);
}

/* Answers with a time of the definition. */
static void answerDefined(const Question *q) {
    const tacObject *object = &q->at->model->store->objects[q->kind].at[q->index];
    addTicks(q->out, q->at->model, *(const int64_t *) ((const char *) object + q->method->field));
}

static void answerLine(const Question *q) {
    const tacStore *store = q->at->model->store;
    uint32_t line = 0;
    if (q->kind == TAC_JOB) {
        const tacJob *job = jobAt(q->at, q->index);
        if (job) line = tacRowLine(store, job->row);
    } else if (q->index < tacStoreObjects(store, q->kind)) line = store->objects[q->kind].at[q->index].line;
    tacTextPrintf(q->out, "%u", line);
}

/* ---- servers, mutexes, semaphores, buffers, processors ---- */

/* Answers about a server or a buffer, by tacAskMethod.field. */
enum { BUDGET, CONSUMERS, SERVER_STATE };
enum { CONTENTS, LENGTH, HEAD, CAPACITY };

static void answerServer(const Question *q) {
    const tacAskAt *at = q->at;
    uint32_t consumers;
    int64_t budget = at->replay ? tacNowBudget(at->replay, q->index, &consumers)
                                : tacQueryBudget(at->model, q->index, at->time, &consumers);
    switch (q->method->field) {
    case BUDGET: addTicks(q->out, at->model, budget); break;
    case CONSUMERS: tacTextPrintf(q->out, "%u", consumers); break;
    default: tacTextAddString(q->out, budget <= 0 ? "depleted" : consumers ? "running" : "preempted"); break;
    }
}

/* Jobs that hold a mutex or run on a processor: stores up to max, and returns how many there are. */
static uint32_t jobsOf(const Question *q, uint32_t *jobs, uint32_t max) {
    const tacAskAt *at = q->at;
    if (q->kind == TAC_MUTEX) return holdersOf(at, q->index, jobs, max);
    return at->replay ? tacNowRunning(at->replay, q->index, jobs, max)
                      : tacQueryRunning(at->model, q->index, at->time, jobs, max);
}

static void answerJobs(const Question *q) {
    enum { FEW = 16 };
    uint32_t few[FEW], *jobs = few, count = jobsOf(q, few, FEW);
    if (count > FEW) {
        jobs = tacAlloc(count * sizeof *jobs);
        if (!jobs) {
            q->out->failed = true;
            return;
        }
        jobsOf(q, jobs, count);
    }
    for (uint32_t i = 0; i < count; i++) tacQuoteElement(q->out, jobId(q->at->model, jobs[i]));
    if (jobs != few) tacFree(jobs);
}

static void answerFirstJob(const Question *q) {
    uint32_t job;
    if (jobsOf(q, &job, 1)) tacTextAddString(q->out, jobId(q->at->model, job));
}

static void answerCount(const Question *q) {
    const tacAskAt *at = q->at;
    int64_t count = at->replay ? tacNowSemaphore(at->replay, q->index)
                               : tacQuerySemaphore(at->model, q->index, at->time);
    tacTextPrintf(q->out, "%lld", (long long) count);
}

static void answerBuffer(const Question *q) {
    const tacAskAt *at = q->at;
    const tacStore *store = at->model->store;
    const tacBufferContents *now = at->replay ? tacNowBuffer(at->replay, q->index) : NULL;
    uint32_t count = now ? (uint32_t) now->count : 0, *data = NULL;
    int64_t capacity = now ? now->capacity : 0;
    if (!now) tacQueryBuffer(at->model, q->index, at->time, &data, &count, &capacity, NULL);
    else if (q->method->field == CONTENTS && (data = tacAlloc(count * sizeof *data))) tacBufferCopy(now, data);
    else if (q->method->field == HEAD && (data = tacAlloc(sizeof *data)) && count) *data = tacBufferAt(now, 0);
    if (!data && (!now || q->method->field == CONTENTS || q->method->field == HEAD)) q->out->failed = true, count = 0;
    switch (q->method->field) {
    case CONTENTS:
        for (uint32_t i = 0; i < count; i++) tacQuoteElement(q->out, tacString(store, data[i]));
        break;
    case LENGTH: tacTextPrintf(q->out, "%u", count); break;
    case HEAD:
        if (count) tacTextAddString(q->out, tacString(store, data[0]));
        break;
    default: tacTextPrintf(q->out, "%lld", (long long) capacity); break;
    }
    tacFree(data);
}

/* ---- the table ---- */

#define K(kind) (1u << TAC_##kind)
#define ALL ((1u << TAC_KINDS) - 1)

static const tacAskMethod methods[] = {
    {"id", ALL, answerId, "its id", TAC_ANSWER_TEXT, 0, 0},
    {"kind", ALL, answerKind, "what it is: job, task, server, mutex, semaphore, buffer or processor", TAC_ANSWER_TEXT,
        0, 0},
    {"line", ALL, answerLine, "line of the trace where it was defined or released; 0: none", TAC_ANSWER_TEXT, 0, 0},
    {"name", ALL, answerName, "the name that is shown", TAC_ANSWER_TEXT, 0, 0},
    {"state", K(JOB) | K(TASK), answerState,
        "none, waiting, running, preempted, blocked, completed or between; of a task: that of its job", TAC_ANSWER_TEXT,
        0, 0},
    {"state", K(SERVER), answerServer, "depleted (no budget), running (something consumes it) or preempted",
        TAC_ANSWER_TEXT, 0, SERVER_STATE},
    {"processor", K(JOB), answerProcessor, "where it runs or ran last", TAC_ANSWER_ID, TAC_PROCESSOR, 0},
    {"processor", K(TASK) | K(SERVER) | K(MUTEX), answerProcessor, "where it was defined to be", TAC_ANSWER_ID,
        TAC_PROCESSOR, 0},
    {"priority", K(JOB) | K(TASK) | K(SERVER), answerPriority, "its priority; of a job: its task's", TAC_ANSWER_TEXT, 0,
        0},
    {"task", K(JOB), answerTask, "its task", TAC_ANSWER_ID, TAC_TASK, 0},
    {"number", K(JOB), answerNumber, "what its id has after the last dot", TAC_ANSWER_TEXT, 0, 0},
    {"release", K(JOB), answerJobTime, "when it arrived", TAC_ANSWER_TEXT, 0, offsetof(tacJob, release)},
    {"start", K(JOB), answerJobTime, "when it ran first", TAC_ANSWER_TEXT, 0, offsetof(tacJob, start)},
    {"completion", K(JOB), answerJobTime, "when it completed", TAC_ANSWER_TEXT, 0, offsetof(tacJob, completion)},
    {"response", K(JOB), answerResponse, "completion - release", TAC_ANSWER_TEXT, 0, 0},
    {"deadline", K(JOB), answerDeadline, "its absolute deadline", TAC_ANSWER_TEXT, 0, 0},
    {"mutexes", K(JOB), answerMutexes, "the mutexes that it holds", TAC_ANSWER_IDS, TAC_MUTEX, 0},
    {"job", K(TASK), answerTaskJob, "its job that runs, or else is preempted, blocked or waiting", TAC_ANSWER_ID,
        TAC_JOB, 0},
    {"C", K(TASK), answerDefined, "its execution budget", TAC_ANSWER_TEXT, 0, offsetof(tacObject, C)},
    {"D", K(TASK), answerDefined, "its relative deadline", TAC_ANSWER_TEXT, 0, offsetof(tacObject, D)},
    {"T", K(TASK), answerDefined, "its period", TAC_ANSWER_TEXT, 0, offsetof(tacObject, T)},
    {"budget", K(SERVER), answerServer, "what is left of its budget; below 0: so much was consumed beyond it",
        TAC_ANSWER_TEXT, 0, BUDGET},
    {"capacity", K(SERVER), answerDefined, "its largest budget", TAC_ANSWER_TEXT, 0, offsetof(tacObject, capacity)},
    {"consumers", K(SERVER), answerServer, "how many tasks consume its budget", TAC_ANSWER_TEXT, 0, CONSUMERS},
    {"holder", K(MUTEX), answerFirstJob, "the job that holds it", TAC_ANSWER_ID, TAC_JOB, 0},
    {"holders", K(MUTEX), answerJobs, "all jobs that hold it, the first one first", TAC_ANSWER_IDS, TAC_JOB, 0},
    {"count", K(SEMAPHORE), answerCount, "its count", TAC_ANSWER_TEXT, 0, 0},
    {"contents", K(BUFFER), answerBuffer, "its elements, the head first", TAC_ANSWER_TEXT, 0, CONTENTS},
    {"capacity", K(BUFFER), answerBuffer, "how many elements it holds", TAC_ANSWER_TEXT, 0, CAPACITY},
    {"count", K(BUFFER), answerBuffer, "how many elements it has", TAC_ANSWER_TEXT, 0, LENGTH},
    {"head", K(BUFFER), answerBuffer, "the element that is read next", TAC_ANSWER_TEXT, 0, HEAD},
    {"job", K(PROCESSOR), answerFirstJob, "the job that runs there", TAC_ANSWER_ID, TAC_JOB, 0},
    {"running", K(PROCESSOR), answerJobs, "all jobs that run there", TAC_ANSWER_IDS, TAC_JOB, 0},
    {NULL, 0, NULL, NULL, TAC_ANSWER_TEXT, 0, 0},
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

uint32_t tacAskFindNamed(const tacModel *model, tacKind kind, const char *text, size_t length) {
    const tacStore *store = model->store;
    uint32_t found = tacAskFind(model, kind, text, length);
    if (found == TAC_NONE) found = tacCalledFind(store, kind, text, length);
    if (found != TAC_NONE || kind == TAC_JOB) return found;
    uint32_t n;
    const uint32_t *named = tacNamedFind(store, kind, TAC_BY_NAME, text, length, true, &n);
    for (uint32_t i = 0; i < n; i++)
        if (store->objects[kind].at[named[i]].line) return named[i];
    return TAC_NONE;
}

/* Length of an id as far as a message shows it. */
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
        method->answer(&(Question){method, at, kind, index, out});
    }
    return status == TAC_OK && out->failed ? tacFailMemory(err) : status;
}
