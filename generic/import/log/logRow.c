/*
 * logRow.c -- what the rows of a log mean: which job is spoken of, and what it does.
 *
 * A job is known by its number, where the log has one, else by order: a release makes the next job of its task, and
 * what follows is about the job of the task that has begun and is not over, else about the one that was released first.
 * A job that begins without a release is one without a release time, unless its word means a release, too.
 *
 * A row with an end or a duration is a stretch in which a job runs. Stretches are collected and put in order at the
 * end: the last one of a job ends with its completion, all others with a preemption.
 */
#include "base/port.h"

#include "base/sort.h"
#include "import/log/logRow.h"
#include "import/log/logTime.h"

#include <stdio.h>
#include <string.h>

typedef enum State { UNSEEN, OPEN, RUNNING, HALTED, DONE } State; /* HALTED: preempted or blocked */

typedef struct Job {
    uint32_t task, before, after; /* among the open jobs of its task; TAC_NONE: none */
    uint32_t processor;           /* where it runs; TAC_NONE */
    State state;
    bool stated; /* its deadline was */
} Job;

typedef struct Task {
    uint32_t first, last; /* of its open jobs, in the order of their releases */
    uint32_t current;     /* the one that has begun; TAC_NONE */
    uint64_t count;       /* jobs so far */
    bool isr;
} Task;

typedef struct Unknown { /* a word without a meaning */
    uint64_t count;
    uint32_t line; /* of the first */
} Unknown;

typedef struct Stretch {
    int64_t begin, end;
    uint32_t job, processor, line;
} Stretch;

typedef struct Happening { /* begin or end of a stretch */
    int64_t time;
    uint32_t stretch;
    uint32_t order; /* at one time: 0 ends, 1 releases, 2 begins, 3 ends of stretches without length */
    bool last;      /* end: of the job's last stretch */
} Happening;

struct tacLogRows {
    const tacLogMap *map;
    const tacSink *sink;
    tacDiag *diag;
    tacError *err;
    const tacLogRow *row;
    tacWord time;
    char timeBuffer[TAC_DECIMAL_SIZE];
    tacInternTable taskNames, jobIds, processors, mutexes, words;
    TAC_ARRAY(Task) tasks;
    TAC_ARRAY(Job) jobs;
    TAC_ARRAY(uint32_t) running; /* by processor: job, TAC_NONE */
    TAC_ARRAY(uint32_t) means;   /* by word */
    TAC_ARRAY(Unknown) unknown;  /* by word */
    TAC_ARRAY(Stretch) stretches;
    tacText id;
    int64_t latest; /* ticks */
    uint64_t backwards;
    uint32_t backwardsLine;
};

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static tacWord wordOf(const char *text) { return (tacWord){text, strlen(text)}; }

/* Gives a command to the store. One that it does not take is a remark. */
static bool say(tacLogRows *l, const tacWord *words, int count) {
    tacError why = {{0}, {0}};
    if (l->sink->command(l->sink->data, words, count, l->row->line, &why) == TAC_OK) return true;
    if (strncmp(why.code, "LIMIT", 5) == 0 || strncmp(why.code, "MEMORY", 6) == 0)
        return tacFail(l->err, why.code, "%s", why.message), false;
    tacDiagAdd(l->diag, TAC_SEVERITY_ERROR, l->row->line, why.code, "%s", why.message);
    return true;
}

static tacWord nameOf(const tacInternTable *table, uint32_t id) {
    tacWord word;
    word.at = tacInternName(table, id, &word.length);
    return word;
}

/* Says what a job does at the row's time; processor TAC_NONE: nothing of it. */
static bool plot(tacLogRows *l, const char *event, uint32_t job, uint32_t processor) {
    tacWord words[6] = {wordOf("plot"), l->time, wordOf(event), nameOf(&l->jobIds, job), wordOf("-processor")};
    if (processor == TAC_NONE || !l->map->columns[TAC_LOG_PROCESSOR]) return say(l, words, 4);
    words[5] = nameOf(&l->processors, processor);
    return say(l, words, 6);
}

static void remark(tacLogRows *l, const char *text) {
    tacDiagAdd(l->diag, TAC_SEVERITY_WARNING, l->row->line, "LOG", "%s", text);
}

/* ---- tasks, processors, jobs ------------------------------------------------------------------------------------- */

/* Adds an option of a new task with the time in a column. One that is none costs only itself. */
static int addTime(tacLogRows *l, const char *option, tacLogColumn column, char buffer[TAC_DECIMAL_SIZE], tacWord *at) {
    const tacWord *field = &l->row->field[column];
    if (!field->length) return 0;
    at[0] = wordOf(option);
    if (tacLogTime(field, buffer, &at[1])) return 2;
    remark(l, column == TAC_LOG_PERIOD ? "the period is no time" : "the deadline is no time");
    return 0;
}

/* The same for the priority. */
static int addPriority(tacLogRows *l, tacWord *at) {
    tacDecimal number;
    const tacWord *field = &l->row->field[TAC_LOG_PRIORITY];
    if (!field->length) return 0;
    at[0] = wordOf("-priority");
    at[1] = *field;
    if (tacDecimalParse(field->at, field->length, &number) == TAC_OK && number.digits == 0
        && number.mantissa >= -INT32_MAX && number.mantissa <= INT32_MAX)
        return 2;
    remark(l, "the priority is no integer");
    return 0;
}

/* Index of the row's task, which is defined when it is new; TAC_NONE: the row has none, or *failed. */
static uint32_t taskOf(tacLogRows *l, bool isr, bool *failed) {
    char buffers[2][TAC_DECIMAL_SIZE];
    const tacWord *name = &l->row->field[TAC_LOG_TASK];
    if (!name->length) return TAC_NONE;
    uint32_t task = tacIntern(&l->taskNames, name->at, name->length);
    if (task == TAC_NONE) return tacFailMemory(l->err), *failed = true, TAC_NONE;
    if (task < l->tasks.count) return task;
    Task made = {TAC_NONE, TAC_NONE, TAC_NONE, 0, isr};
    tacWord words[10] = {wordOf("newTask"), *name};
    int n = 2;
    if (isr) words[n++] = wordOf("-kind"), words[n++] = wordOf("isr");
    n += addPriority(l, words + n);
    n += addTime(l, "-T", TAC_LOG_PERIOD, buffers[0], words + n);
    if (l->map->relative) n += addTime(l, "-D", TAC_LOG_DEADLINE, buffers[1], words + n);
    if (!tacArrayPush(&l->tasks, made)) return tacFailMemory(l->err), *failed = true, TAC_NONE;
    if (!say(l, words, n)) *failed = true;
    return *failed ? TAC_NONE : task;
}

/* Index of the row's processor, which is defined when it is new; a log without a column of processors has one, which
 * has no name. TAC_NONE: the row has none, or *failed. */
static uint32_t processorOf(tacLogRows *l, bool *failed) {
    const tacWord *name = &l->row->field[TAC_LOG_PROCESSOR];
    bool any = l->map->columns[TAC_LOG_PROCESSOR] != NULL;
    if (any && !name->length) return TAC_NONE;
    uint32_t processor = tacIntern(&l->processors, name->at, name->length);
    if (processor != TAC_NONE && processor < l->running.count) return processor;
    tacWord words[2] = {wordOf("newProcessor"), *name};
    if (processor == TAC_NONE || !tacArrayPush(&l->running, TAC_NONE))
        return tacFailMemory(l->err), *failed = true, TAC_NONE;
    if (any && !say(l, words, 2)) *failed = true;
    return *failed ? TAC_NONE : processor;
}

/* Puts a job behind the open ones of its task. */
static void enlist(tacLogRows *l, uint32_t job) {
    Job *j = &l->jobs.at[job];
    Task *task = &l->tasks.at[j->task];
    j->before = task->last;
    j->after = TAC_NONE;
    if (task->last != TAC_NONE) l->jobs.at[task->last].after = job;
    else task->first = job;
    task->last = job;
}

static void delist(tacLogRows *l, uint32_t job) {
    Job *j = &l->jobs.at[job];
    Task *task = &l->tasks.at[j->task];
    if (j->before != TAC_NONE) l->jobs.at[j->before].after = j->after;
    else task->first = j->after;
    if (j->after != TAC_NONE) l->jobs.at[j->after].before = j->before;
    else task->last = j->before;
    if (task->current == job) task->current = TAC_NONE;
    if (j->processor != TAC_NONE && l->running.at[j->processor] == job) l->running.at[j->processor] = TAC_NONE;
    j->processor = TAC_NONE;
}

/* Makes a job with the id in l->id, or begins it anew; TAC_NONE: no memory. */
static uint32_t openJob(tacLogRows *l, uint32_t task) {
    uint32_t job = l->id.failed ? TAC_NONE : tacIntern(&l->jobIds, l->id.at, l->id.length);
    Job none = {task, TAC_NONE, TAC_NONE, TAC_NONE, UNSEEN, false};
    if (job == TAC_NONE || (job == l->jobs.count && !tacArrayPush(&l->jobs, none)))
        return tacFailMemory(l->err), TAC_NONE;
    Job *j = &l->jobs.at[job];
    if (j->state != UNSEEN && j->state != DONE) delist(l, job);
    j->task = task;
    j->state = OPEN;
    j->stated = false;
    enlist(l, job);
    return job;
}

/* Puts the id of the row's job into l->id: TASK.NUMBER, or a number that begins with the task's name as it is. False:
 * the row has no number. */
static bool readId(tacLogRows *l, uint32_t task) {
    const tacWord *number = &l->row->field[TAC_LOG_JOB];
    tacWord name = nameOf(&l->taskNames, task);
    if (!number->length || l->map->byOrder) return false;
    l->id.length = 0;
    if (number->length <= name.length || memcmp(number->at, name.at, name.length) != 0) {
        tacTextAdd(&l->id, name.at, name.length);
        tacTextAdd(&l->id, ".", 1);
    }
    tacTextAdd(&l->id, number->at, number->length);
    return true;
}

static void nextId(tacLogRows *l, uint32_t task) {
    tacWord name = nameOf(&l->taskNames, task);
    l->id.length = 0;
    tacTextAdd(&l->id, name.at, name.length);
    tacTextPrintf(&l->id, ".%llu", (unsigned long long) ++l->tasks.at[task].count);
}

/* Says when the job is due, once, if the row says so. */
static bool sayDeadline(tacLogRows *l, uint32_t job) {
    char buffer[TAC_DECIMAL_SIZE];
    tacWord time;
    const tacWord *deadline = &l->row->field[TAC_LOG_DEADLINE];
    if (!deadline->length || l->map->relative || l->jobs.at[job].stated) return true;
    l->jobs.at[job].stated = true;
    if (!tacLogTime(deadline, buffer, &time)) return remark(l, "the deadline is no time"), true;
    tacWord words[4] = {wordOf("plot"), time, wordOf("jobDeadline"), nameOf(&l->jobIds, job)};
    return say(l, words, 4);
}

/* Says when a new job was released: by the row's own column, or at the row's time (`now`); or that it is not known. */
static bool sayRelease(tacLogRows *l, uint32_t job, bool now) {
    char buffer[TAC_DECIMAL_SIZE];
    const tacWord *release = &l->row->field[TAC_LOG_RELEASE];
    tacWord time = l->time, id = nameOf(&l->jobIds, job), task = nameOf(&l->taskNames, l->jobs.at[job].task);
    if (release->length && !tacLogTime(release, buffer, &time)) {
        remark(l, "the release is no time");
        time = l->time;
    }
    if (release->length || now) {
        tacWord words[5] = {wordOf("plot"), time, wordOf("jobArrived"), id, task};
        return say(l, words, 5) && sayDeadline(l, job);
    }
    tacWord words[3] = {wordOf("newJob"), id, task};
    return say(l, words, 3) && sayDeadline(l, job);
}

static bool isOver(const tacLogRows *l, uint32_t job) {
    return job == TAC_NONE || l->jobs.at[job].state == UNSEEN || l->jobs.at[job].state == DONE;
}

/* The job that a row is about, other than its release. make: one that begins without a release is made. TAC_NONE: there
 * is none, or *failed. */
static uint32_t jobOf(tacLogRows *l, uint32_t task, bool make, bool *failed) {
    uint32_t job;
    if (readId(l, task)) {
        job = l->id.failed ? TAC_NONE : tacInternFind(&l->jobIds, l->id.at, l->id.length);
        if (!isOver(l, job) || !make) return isOver(l, job) ? TAC_NONE : job;
    } else {
        const Task *t = &l->tasks.at[task];
        job = t->current != TAC_NONE ? t->current : t->first;
        if (job != TAC_NONE || !make) return job;
        nextId(l, task);
    }
    job = openJob(l, task);
    if (job == TAC_NONE || !sayRelease(l, job, false)) return *failed = true, TAC_NONE;
    return job;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static bool release(tacLogRows *l, uint32_t task) {
    if (!readId(l, task)) nextId(l, task);
    uint32_t job = openJob(l, task);
    return job != TAC_NONE && sayRelease(l, job, true);
}

/* Takes the job that runs on a processor off it. */
static bool displace(tacLogRows *l, uint32_t processor) {
    uint32_t other = processor == TAC_NONE ? TAC_NONE : l->running.at[processor];
    if (other == TAC_NONE) return true;
    l->running.at[processor] = TAC_NONE;
    l->jobs.at[other].state = HALTED;
    l->jobs.at[other].processor = TAC_NONE;
    return plot(l, "jobPreempted", other, processor);
}

static bool start(tacLogRows *l, uint32_t task, uint32_t processor) {
    bool failed = false;
    uint32_t job = jobOf(l, task, true, &failed);
    if (failed || job == TAC_NONE) return !failed;
    Job *j = &l->jobs.at[job];
    if (j->state == RUNNING && j->processor == processor) return true;
    if (!l->tasks.at[task].isr && processor != TAC_NONE && l->running.at[processor] != job && !displace(l, processor))
        return false;
    j = &l->jobs.at[job];
    if (j->processor != TAC_NONE && l->running.at[j->processor] == job) l->running.at[j->processor] = TAC_NONE;
    j->state = RUNNING;
    j->processor = processor;
    if (processor != TAC_NONE && !l->tasks.at[task].isr) l->running.at[processor] = job;
    l->tasks.at[task].current = job;
    return plot(l, "jobResumed", job, processor);
}

/* A job stops to run, or is over. */
static bool halt(tacLogRows *l, uint32_t task, const char *event, bool over) {
    bool failed = false;
    uint32_t job = jobOf(l, task, false, &failed);
    if (job == TAC_NONE) return remark(l, "no job of the task is under way that this could be about"), true;
    Job *j = &l->jobs.at[job];
    if (over) delist(l, job);
    else if (j->processor != TAC_NONE && l->running.at[j->processor] == job) l->running.at[j->processor] = TAC_NONE;
    j->processor = TAC_NONE;
    j->state = over ? DONE : HALTED;
    return plot(l, event, job, TAC_NONE);
}

static bool ready(tacLogRows *l, uint32_t task) {
    bool failed = false;
    uint32_t job = jobOf(l, task, false, &failed);
    return job == TAC_NONE || plot(l, "jobReady", job, TAC_NONE);
}

/* A mutex is acquired or given back by the task's job. */
static bool hold(tacLogRows *l, uint32_t task, const char *event) {
    bool failed = false;
    uint32_t job = jobOf(l, task, true, &failed);
    const tacWord *mutex = &l->row->field[TAC_LOG_OBJECT];
    if (failed || job == TAC_NONE) return !failed;
    if (!mutex->length) return remark(l, "the row names no mutex (column object)"), true;
    tacWord define[2] = {wordOf("newMutex"), *mutex};
    uint32_t known = (uint32_t) tacInternCount(&l->mutexes), id = tacIntern(&l->mutexes, mutex->at, mutex->length);
    if (id == TAC_NONE) return tacFailMemory(l->err), false;
    if (id == known && !say(l, define, 2)) return false;
    tacWord words[5] = {wordOf("plot"), l->time, wordOf(event), nameOf(&l->jobIds, job), *mutex};
    return say(l, words, 5);
}

static bool mark(tacLogRows *l, uint32_t task) {
    const tacWord *text = &l->row->field[l->row->field[TAC_LOG_TEXT].length ? TAC_LOG_TEXT : TAC_LOG_EVENT];
    tacWord words[6] = {wordOf("plot"), l->time, wordOf("message"), *text, wordOf("-task")};
    if (task == TAC_NONE) return say(l, words, 4);
    words[5] = nameOf(&l->taskNames, task);
    return say(l, words, 6);
}

static bool has(uint32_t means, tacLogEvent event) { return (means >> event & 1) != 0; }

/* Does what a word means for a task, the end of something before the begin of something else. */
static bool apply(tacLogRows *l, uint32_t means, uint32_t task, uint32_t processor) {
    bool released = has(means, TAC_LOG_RELEASED), starts = has(means, TAC_LOG_STARTED), failed = false;
    bool readies = has(means, TAC_LOG_READY);
    if (has(means, TAC_LOG_COMPLETED) || has(means, TAC_LOG_RETURN))
        if (!halt(l, task, "jobCompleted", true)) return false;
    if (has(means, TAC_LOG_PREEMPTED) && !halt(l, task, "jobPreempted", false)) return false;
    if (has(means, TAC_LOG_BLOCKED) && !halt(l, task, "jobBlocked", false)) return false;
    if (has(means, TAC_LOG_ACQUIRED) && !hold(l, task, "jobAcquiredMutex")) return false;
    if (has(means, TAC_LOG_GAVE_BACK) && !hold(l, task, "jobReleasedMutex")) return false;
    if (released && (starts || readies)) released = jobOf(l, task, false, &failed) == TAC_NONE; /* else it goes on */
    if ((released || has(means, TAC_LOG_INTERRUPT)) && !release(l, task)) return false;
    if (readies && !released && !ready(l, task)) return false;
    if ((starts || has(means, TAC_LOG_INTERRUPT)) && !start(l, task, processor)) return false;
    if (has(means, TAC_LOG_DUE)) {
        uint32_t job = jobOf(l, task, true, &failed);
        if (failed || (job != TAC_NONE && !plot(l, "jobDeadline", job, TAC_NONE))) return false;
    }
    return true;
}

/* Meaning of the row's word; a word is looked at once. */
static bool meaningOf(tacLogRows *l, uint32_t *means) {
    const tacWord *word = &l->row->field[TAC_LOG_EVENT];
    uint32_t id = tacIntern(&l->words, word->at, word->length);
    if (id == l->means.count
        && (!tacArrayPush(&l->means, tacLogMeaning(l->map, word->at, word->length))
            || !tacArrayPush(&l->unknown, (Unknown){0, l->row->line})))
        id = TAC_NONE;
    if (id == TAC_NONE) return tacFailMemory(l->err), false;
    *means = l->means.at[id];
    if (!*means) l->unknown.at[id].count++;
    return true;
}

/* Ticks of a time; false: it is none, or too far from 0. */
static bool ticksOf(const tacWord *word, int64_t *ticks) {
    char buffer[TAC_DECIMAL_SIZE];
    tacWord time;
    tacDecimal number;
    bool rounded = false;
    return tacLogTime(word, buffer, &time) && tacDecimalParse(time.at, time.length, &number) == TAC_OK
        && tacDecimalShift(number.mantissa, TAC_LOG_DIGITS - number.digits, ticks, &rounded) && tacIsTime(*ticks);
}

/* Counts rows whose time is before that of an earlier one. A release that says which job it is may come at any time. */
static void lookAtOrder(tacLogRows *l, uint32_t means) {
    int64_t ticks;
    bool named = l->row->field[TAC_LOG_JOB].length > 0 && !l->map->byOrder;
    if (l->row->field[TAC_LOG_END].length || l->row->field[TAC_LOG_DURATION].length || !ticksOf(&l->time, &ticks))
        return;
    if (ticks >= l->latest) l->latest = ticks;
    else if ((!named || means != (uint32_t) 1 << TAC_LOG_RELEASED) && !l->backwards++) l->backwardsLine = l->row->line;
}

static bool takeEvent(tacLogRows *l) {
    uint32_t means;
    bool failed = false;
    if (!meaningOf(l, &means)) return false;
    lookAtOrder(l, means);
    if (!means || has(means, TAC_LOG_IGNORED)) return true;
    uint32_t task = taskOf(l, has(means, TAC_LOG_INTERRUPT), &failed), processor = processorOf(l, &failed);
    if (failed) return false;
    if (has(means, TAC_LOG_IDLE) && !displace(l, processor)) return false;
    if (has(means, TAC_LOG_MARK) && !mark(l, task)) return false;
    uint32_t rest = means & ~((uint32_t) 1 << TAC_LOG_IDLE | (uint32_t) 1 << TAC_LOG_MARK);
    if (!rest) return true;
    if (task == TAC_NONE) return remark(l, "the row names no task"), true;
    return apply(l, rest, task, processor);
}

/* ---- stretches --------------------------------------------------------------------------------------------------- */

/* Takes a row that is a stretch. Its job is released where it is first met. */
static bool takeStretch(tacLogRows *l) {
    const tacWord *field = l->row->field;
    Stretch stretch = {.line = l->row->line};
    bool failed = false, byEnd = field[TAC_LOG_END].length > 0;
    uint32_t task = taskOf(l, false, &failed);
    stretch.processor = processorOf(l, &failed);
    if (failed) return false;
    if (task == TAC_NONE) return remark(l, "the row names no task"), true;
    if (!ticksOf(&l->time, &stretch.begin) || !ticksOf(&field[byEnd ? TAC_LOG_END : TAC_LOG_DURATION], &stretch.end)
        || (!byEnd && !tacIsTime(stretch.end += stretch.begin)) || stretch.end < stretch.begin) {
        tacDiagAdd(
            l->diag, TAC_SEVERITY_ERROR, l->row->line, "TIME", "the row ends before it begins, or not at a time");
        return true;
    }
    uint32_t known = (uint32_t) l->jobs.count;
    if (!readId(l, task)) nextId(l, task);
    uint32_t job = l->id.failed ? TAC_NONE : tacInternFind(&l->jobIds, l->id.at, l->id.length);
    if (job == TAC_NONE) job = openJob(l, task);
    if (job == TAC_NONE || (job == known && !sayRelease(l, job, false))) return false;
    stretch.job = job;
    return tacArrayPush(&l->stretches, stretch) || (tacFailMemory(l->err), false);
}

static int byTime(const void *left, const void *right, const void *data) {
    const Happening *a = left, *b = right;
    (void) data;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Index of each job's last stretch; NULL: no memory. */
static uint32_t *lastStretches(const tacLogRows *l) {
    uint32_t *last = tacAlloc((l->jobs.count + 1) * sizeof *last);
    for (size_t i = 0; last && i < l->jobs.count; i++) last[i] = TAC_NONE;
    for (size_t i = 0; last && i < l->stretches.count; i++) {
        const Stretch *s = &l->stretches.at[i];
        uint32_t *at = &last[s->job];
        if (*at == TAC_NONE || l->stretches.at[*at].end <= s->end) *at = (uint32_t) i;
    }
    return last;
}

/* Says what happens, in order of time. */
static bool sayStretches(tacLogRows *l, const Happening *all, size_t n) {
    char buffer[TAC_DECIMAL_SIZE];
    for (size_t i = 0; i < n; i++) {
        const Stretch *s = &l->stretches.at[all[i].stretch];
        tacLogRow row = {.line = s->line};
        bool begins = all[i].order == 2;
        l->row = &row;
        l->time = (tacWord){buffer, tacDecimalFormat(all[i].time, TAC_LOG_DIGITS, buffer)};
        if (!plot(l,
                begins            ? "jobResumed"
                    : all[i].last ? "jobCompleted"
                                  : "jobPreempted",
                s->job, begins ? s->processor : TAC_NONE))
            return false;
    }
    return true;
}

static bool endStretches(tacLogRows *l) {
    size_t n = l->stretches.count;
    uint32_t *last = lastStretches(l);
    Happening *all = tacAlloc((2 * n + 1) * sizeof *all);
    bool fine = last && all;
    for (size_t i = 0; fine && i < n; i++) {
        const Stretch *s = &l->stretches.at[i];
        bool isLast = last[s->job] == i;
        all[2 * i] = (Happening){s->begin, (uint32_t) i, 2, false};
        all[2 * i + 1] = (Happening){s->end, (uint32_t) i, s->end > s->begin ? 0 : 3, isLast};
    }
    fine = fine && tacSort(all, 2 * n, sizeof *all, byTime, NULL, NULL);
    if (!fine) tacFailMemory(l->err);
    fine = fine && sayStretches(l, all, 2 * n);
    tacFree(last);
    tacFree(all);
    return fine;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

tacLogRows *tacLogRowsNew(const tacLogMap *map, const tacSink *sink, tacDiag *diag) {
    tacLogRows *l = tacAllocZero(1, sizeof *l);
    if (l) *l = (tacLogRows){.map = map, .sink = sink, .diag = diag, .latest = INT64_MIN};
    return l;
}

uint64_t tacLogRowsBytes(const tacLogRows *l, bool later) {
    enum { ROWS = 3 * 128 }; /* of the store and the model, that a stretch becomes */
    return tacInternBytes(&l->taskNames) + tacInternBytes(&l->jobIds) + tacInternBytes(&l->processors)
        + tacInternBytes(&l->mutexes) + tacInternBytes(&l->words) + l->tasks.capacity * sizeof *l->tasks.at
        + l->jobs.capacity * sizeof *l->jobs.at + l->running.capacity * sizeof *l->running.at
        + l->means.capacity * sizeof *l->means.at + l->unknown.capacity * sizeof *l->unknown.at
        + l->stretches.capacity * sizeof *l->stretches.at
        + l->stretches.count * (2 * sizeof(Happening) + (later ? ROWS : 0));
}

tacStatus tacLogRowsAdd(tacLogRows *l, const tacLogRow *row, tacError *err) {
    const tacWord *time = &row->field[TAC_LOG_TIME];
    l->row = row;
    l->err = err;
    if (!tacLogTime(time, l->timeBuffer, &l->time)) {
        tacDiagAdd(l->diag, TAC_SEVERITY_ERROR, row->line, "TIME", "\"%.*s\" is no time", TAC_SHOWN(time));
        return TAC_OK;
    }
    bool stretch = row->field[TAC_LOG_END].length > 0 || row->field[TAC_LOG_DURATION].length > 0;
    if (stretch && row->field[TAC_LOG_EVENT].length) {
        uint32_t means;
        if (!meaningOf(l, &means)) return TAC_ERROR;
        stretch = has(means, TAC_LOG_STARTED);
    }
    bool fine = stretch ? takeStretch(l) : takeEvent(l);
    return fine ? TAC_OK : TAC_ERROR;
}

/* Tells of words that mean nothing, and of rows that are not in order. */
static void remarkRest(const tacLogRows *l) {
    for (size_t i = 0; i < l->unknown.count; i++) {
        if (!l->unknown.at[i].count) continue;
        tacWord word = nameOf(&l->words, (uint32_t) i);
        tacDiagAdd(l->diag, TAC_SEVERITY_WARNING, l->unknown.at[i].line, "LOG",
            "the event \"%.*s\" has no meaning: %llu row%s not used (event MEANING \"%.*s\" in a mapping gives it one)",
            TAC_SHOWN(&word), (unsigned long long) l->unknown.at[i].count,
            l->unknown.at[i].count == 1 ? " is" : "s are", TAC_SHOWN(&word));
    }
    if (l->backwards)
        tacDiagAdd(l->diag, TAC_SEVERITY_WARNING, l->backwardsLine, "LOG",
            "%llu row%s not in order of time: jobs that are told apart by their order may be wrong",
            (unsigned long long) l->backwards, l->backwards == 1 ? " is" : "s are");
}

tacStatus tacLogRowsEnd(tacLogRows *l, tacError *err) {
    l->err = err;
    if (!endStretches(l)) return TAC_ERROR;
    remarkRest(l);
    return TAC_OK;
}

void tacLogRowsFree(tacLogRows *l) {
    if (!l) return;
    tacInternFree(&l->taskNames);
    tacInternFree(&l->jobIds);
    tacInternFree(&l->processors);
    tacInternFree(&l->mutexes);
    tacInternFree(&l->words);
    tacArrayFree(&l->tasks);
    tacArrayFree(&l->jobs);
    tacArrayFree(&l->running);
    tacArrayFree(&l->means);
    tacArrayFree(&l->unknown);
    tacArrayFree(&l->stretches);
    tacTextFree(&l->id);
    tacFree(l);
}
