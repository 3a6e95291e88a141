/*
 * select.c -- the rows of a part of a trace (dump.h). One pass over the rows finds the jobs that have an event within
 * the stretch; then each row is judged by itself.
 */
#include "base/port.h"

#include "base/glob.h"
#include "base/patterns.h"
#include "trace/dump.h"

/* Finds the objects of a kind that patterns name. False: no memory. */
static bool selectNamed(tacSelection *s, const tacStore *store, tacKind kind, const char *const *list) {
    tacPatterns patterns;
    bool done = tacPatternsInit(&patterns, list, "*?[\\", tacGlobFits);
    for (uint32_t i = 0; done && i < tacStoreObjects(store, kind); i++) {
        const char *id = tacObjectId(store, kind, i), *name = tacObjectName(store, kind, i);
        bool hidden = kind == TAC_TASK && tacTaskHidden(store, i);
        if (s->chosen[kind][i] || tacPatternsFirst(&patterns, id, name, hidden) == TAC_NONE) continue;
        s->chosen[kind][i] = true;
        s->nChosen++;
    }
    tacPatternsFree(&patterns);
    return done;
}

/* Finds the objects that the patterns name. False: no memory. */
static bool selectObjects(tacSelection *s, const tacStore *store, tacKind kind) {
    s->chosen[kind] = tacAllocZero((size_t) tacStoreObjects(store, kind) + 1, sizeof *s->chosen[kind]);
    return s->chosen[kind] && selectNamed(s, store, kind, s->rows)
        && (kind != TAC_TASK || selectNamed(s, store, kind, s->tasks));
}

static bool isChosenObject(const tacSelection *s, tacKind kind, uint32_t object) {
    return !s->chosen[kind] || s->chosen[kind][object];
}

/* Adds the tasks that ran on a chosen processor, or used a chosen mutex or semaphore. */
static void selectUsers(tacSelection *s, const tacStore *store) {
    for (uint32_t row = 0; row < tacStoreCount(store); row++) {
        tacEvent event = tacRowEvent(store, row);
        const tacType *arguments = tacEvents[event].arguments;
        if (arguments[0] != TAC_TYPE_JOB) continue;
        uint16_t processor = tacRowProcessor(store, row);
        bool uses = tacEventIs(event, TAC_TRAIT_RUNS) && processor != TAC_NO_PROCESSOR
            && isChosenObject(s, TAC_PROCESSOR, processor);
        if (arguments[1] == TAC_TYPE_MUTEX) uses = isChosenObject(s, TAC_MUTEX, tacRowObject(store, row));
        if (arguments[1] == TAC_TYPE_SEMAPHORE) uses = isChosenObject(s, TAC_SEMAPHORE, tacRowObject(store, row));
        if (uses) s->chosen[TAC_TASK][store->jobTask.at[tacRowSubject(store, row)]] = true;
    }
}

/* Finds what the patterns name. False: no memory. */
static bool selectChosen(tacSelection *s, const tacStore *store) {
    static const tacKind kinds[] = {TAC_PROCESSOR, TAC_SERVER, TAC_MUTEX, TAC_SEMAPHORE, TAC_BUFFER};
    if ((s->tasks || s->rows) && !selectObjects(s, store, TAC_TASK)) return false;
    if (!s->rows) return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!selectObjects(s, store, kinds[i])) return false;
    selectUsers(s, store);
    return true;
}

/* True for an event of a job. */
static bool isJobRow(const tacStore *store, uint32_t row) {
    return tacEvents[tacRowEvent(store, row)].arguments[0] == TAC_TYPE_JOB;
}

/* What is counted along the rows before the stretch. */
typedef struct Before {
    uint64_t *holds;     /* by job: sum of codes of the mutexes that it holds, 0: none */
    bool *ended;         /* by job */
    uint32_t *consumers; /* by server */
    uint64_t *elements;  /* by buffer */
} Before;

/* A job goes on into the stretch unless it has ended, and even then while it holds a mutex. */
static void lookAtJob(tacSelection *s, const tacStore *store, Before *before, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    uint32_t job = tacRowSubject(store, row);
    /* a code of each mutex, so that giving back another one than is held is no zero */
    uint64_t code = (tacRowObject(store, row) + 1) * UINT64_C(0x9E3779B97F4A7C15);
    if (event == TAC_EV_JOB_ACQUIRED_MUTEX) before->holds[job] += code;
    else if (event == TAC_EV_JOB_RELEASED_MUTEX && before->holds[job]) before->holds[job] -= code;
    else before->ended[job] = tacEventIs(event, TAC_TRAIT_ENDS);
    s->job[job] = !before->ended[job] || before->holds[job];
}

/* The budget is known from where it was set while nobody consumed. */
static void lookAtServer(tacSelection *s, const tacStore *store, Before *before, uint32_t row) {
    uint32_t server = tacRowSubject(store, row), *consumers = &before->consumers[server];
    tacEvent event = tacRowEvent(store, row);
    bool set = event == TAC_EV_SERVER_REPLENISHED || event == TAC_EV_SERVER_DEPLETED;
    if (event == TAC_EV_SERVER_RESUMED) ++*consumers;
    if (event == TAC_EV_SERVER_PREEMPTED) *consumers -= *consumers > 0;
    if (s->carried[TAC_SERVER][server] == TAC_NONE || (set && !*consumers)) s->carried[TAC_SERVER][server] = row;
}

/* The contents are known from where a buffer was empty; elements that are not there are not taken. */
static void lookAtBuffer(tacSelection *s, const tacStore *store, Before *before, uint32_t row) {
    uint32_t buffer = tacRowSubject(store, row);
    tacEvent event = tacRowEvent(store, row);
    if (event == TAC_EV_BUFFER_RESET) {
        for (uint32_t i = 0; i < tacStoreObjects(store, TAC_BUFFER); i++) before->elements[i] = 0;
        for (uint32_t i = 0; i < tacStoreObjects(store, TAC_BUFFER); i++) s->carried[TAC_BUFFER][i] = TAC_NONE;
        return;
    }
    if (event == TAC_EV_BUFFER_RESIZE) s->resized[buffer] = row;
    uint64_t *elements = &before->elements[buffer];
    bool adds = event == TAC_EV_BUFFER_PUSH || event == TAC_EV_BUFFER_INSERT;
    if (adds && !(*elements)++) s->carried[TAC_BUFFER][buffer] = row;
    bool takes = event == TAC_EV_BUFFER_POP || (event == TAC_EV_BUFFER_DROP && tacRowObject(store, row) < *elements);
    if (takes && *elements && !--*elements) s->carried[TAC_BUFFER][buffer] = TAC_NONE;
}

/* Notes the effect of a row before the stretch on it. */
static void lookBefore(tacSelection *s, const tacStore *store, Before *before, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    uint16_t processor = tacRowProcessor(store, row);
    if (isJobRow(store, row)) lookAtJob(s, store, before, row);
    else if (tacEvents[event].arguments[0] == TAC_TYPE_SERVER) lookAtServer(s, store, before, row);
    else if (tacEventIs(event, TAC_TRAIT_BUFFER) && event != TAC_EV_BUFFER_STRUCTURE)
        lookAtBuffer(s, store, before, row);
    else if (event == TAC_EV_INTERVAL) s->interval = row;
    if (event == TAC_EV_PROCESSOR_UNKNOWN) s->unknown[tacRowSubject(store, row)] = row;
    else if (event == TAC_EV_PROCESSOR_IDLE) s->unknown[tacRowSubject(store, row)] = TAC_NONE;
    else if (tacEventIs(event, TAC_TRAIT_RUNS) && processor != TAC_NO_PROCESSOR) s->unknown[processor] = TAC_NONE;
}

/* An array with TAC_NONE for each of n; NULL: no memory. */
static uint32_t *nones(uint32_t n) {
    uint32_t *array = tacAlloc(((size_t) n + 1) * sizeof *array);
    for (uint32_t i = 0; array && i < n; i++) array[i] = TAC_NONE;
    return array;
}

/* Goes along the rows before the stretch. False: no memory. */
static bool lookAtAll(tacSelection *s, const tacStore *store) {
    size_t nJobs = store->jobTask.count;
    Before before = {.holds = tacAllocZero(nJobs + 1, sizeof *before.holds),
        .ended = tacAllocZero(nJobs + 1, sizeof *before.ended),
        .consumers = tacAllocZero((size_t) tacStoreObjects(store, TAC_SERVER) + 1, sizeof *before.consumers),
        .elements = tacAllocZero((size_t) tacStoreObjects(store, TAC_BUFFER) + 1, sizeof *before.elements)};
    bool fine = before.holds && before.ended && before.consumers && before.elements;
    for (uint32_t row = 0; fine && row < s->begin; row++) lookBefore(s, store, &before, row);
    tacFree(before.holds);
    tacFree(before.ended);
    tacFree(before.consumers);
    tacFree(before.elements);
    return fine;
}

/* Finds the jobs of the stretch, and what of the time before it matters. Of the whole trace all are wanted, also those
 * that have no event. False: no memory. */
static bool selectJobs(tacSelection *s, const tacStore *store) {
    if (!s->whole || (s->from == TAC_UNKNOWN && s->to == TAC_UNKNOWN)) return true;
    s->job = tacAllocZero(store->jobTask.count + 1, sizeof *s->job);
    s->unknown = nones(tacStoreObjects(store, TAC_PROCESSOR));
    s->carried[TAC_SERVER] = nones(tacStoreObjects(store, TAC_SERVER));
    s->carried[TAC_BUFFER] = nones(tacStoreObjects(store, TAC_BUFFER));
    s->resized = nones(tacStoreObjects(store, TAC_BUFFER));
    if (!s->job || !s->unknown || !s->carried[TAC_SERVER] || !s->carried[TAC_BUFFER] || !s->resized) return false;
    if (s->from != TAC_UNKNOWN) s->begin = tacStoreFind(store, s->from);
    if (s->begin && !lookAtAll(s, store)) return false;
    for (uint32_t row = s->begin;
         row < tacStoreCount(store) && (s->to == TAC_UNKNOWN || tacRowTime(store, row) <= s->to); row++)
        if (isJobRow(store, row)) s->job[tacRowSubject(store, row)] = true;
    return true;
}

bool tacSelectionBegin(tacSelection *s, const tacStore *store) {
    *s = (tacSelection){.from = s->from, .to = s->to, .tasks = s->tasks, .rows = s->rows, .whole = s->whole};
    s->interval = TAC_NONE;
    return selectChosen(s, store) && selectJobs(s, store);
}

void tacSelectionFree(tacSelection *s) {
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        tacFree(s->chosen[kind]);
        tacFree(s->carried[kind]);
    }
    tacFree(s->job);
    tacFree(s->unknown);
    tacFree(s->resized);
}

/* ---- asking ---- */

static bool isTaskChosen(const tacSelection *s, uint32_t task) {
    return task == TAC_NONE || isChosenObject(s, TAC_TASK, task);
}

bool tacSelectedObject(const tacSelection *s, tacKind kind, uint32_t object) {
    bool always = kind == TAC_PROCESSOR || kind == TAC_MUTEX || kind == TAC_SEMAPHORE; /* jobs may name them */
    return always || isChosenObject(s, kind, object);
}

bool tacSelectedJob(const tacSelection *s, const tacStore *store, uint32_t job) {
    return isTaskChosen(s, store->jobTask.at[job]) && (!s->job || s->job[job]);
}

static bool isWithin(const tacSelection *s, int64_t time) {
    return (s->from == TAC_UNKNOWN || time >= s->from) && (s->to == TAC_UNKNOWN || time <= s->to);
}

/* Does a row before the stretch matter in it? */
static bool isCarried(const tacSelection *s, const tacStore *store, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    uint32_t subject = tacRowSubject(store, row);
    if (!s->whole || row >= s->begin) return false;
    switch (event) {
    case TAC_EV_PROCESSOR_UNKNOWN: return s->unknown[subject] == row;
    case TAC_EV_INTERVAL: return s->interval == row;
    case TAC_EV_TASK_ANNOTATION: return tacRowNumber(store, row) >= s->from;
    case TAC_EV_BUFFER_STRUCTURE: return true;
    case TAC_EV_BUFFER_RESET: return false;
    default: break;
    }
    if (tacEventIs(event, TAC_TRAIT_BUFFER))
        return row >= s->carried[TAC_BUFFER][subject] || s->resized[subject] == row;
    return tacEvents[event].arguments[0] == TAC_TYPE_SERVER && row >= s->carried[TAC_SERVER][subject];
}

bool tacSelectedRow(const tacSelection *s, const tacStore *store, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    uint32_t subject = tacRowSubject(store, row);
    int64_t time = tacRowTime(store, row);
    if (isJobRow(store, row)) return tacSelectedJob(s, store, subject) && (s->job || isWithin(s, time));
    tacType type = tacEvents[event].arguments[0];
    if (type < (tacType) TAC_KINDS && !tacSelectedObject(s, (tacKind) type, subject)) return false;
    if (event == TAC_EV_MESSAGE && !isTaskChosen(s, tacMessageTask(store, row))) return false;
    if (s->whole && tacEventIs(event, TAC_TRAIT_SYNC)) return true; /* else clocks would fall apart */
    return isWithin(s, time) || isCarried(s, store, row);
}
