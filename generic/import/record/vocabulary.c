/*
 * vocabulary.c -- the meaning of ready-made sensors (record/tactusrec_trace.h): rows as the trace language has them.
 *
 *      tactus.objects   objects of the store, with their options
 *      tactus.events    jobs, mutexes, servers ...; marks as messages, stretches as annotations, as in a kernel trace
 *      tactus.texts     messages, intervals
 *
 * An object of a program is known by its number; the store has its name as id. Where elements of a ring are lost, jobs
 * that lived by its word are in an unknown state from there on; when another job of their task runs, they are over.
 */
#include "base/port.h"

#include "base/print.h"
#include "import/record/state.h"
#include "record/vocabularyFields.h"
#include "trace/quote.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARK_NAMES = TAC_KINDS, /* kinds of numbers besides tacKind: of names of marks, whose index is a string */
    THREADS,                /* of threads that have a task */
    PROCESSORS = 64,        /* of the cache, a power of two */
    MOST_OPEN = 64,         /* stretches of a task that are open at once */
    TEXT = 2 * TACREC_TEXT_MOST
};

typedef struct Task {
    bool known, mapped;      /* the kernel's part has the task, and its jobs; as a mapping says */
    uint32_t number, job;    /* the job that was looked up last: its number, index; TAC_NONE: none */
    uint32_t live;           /* the job that lives, as far as is known; TAC_NONE: none */
    uint32_t lost;           /* the one of which nobody knows whether it lives; TAC_NONE: none */
    uint32_t sensor;         /* that wrote of `live`: index into sensors */
    uint32_t previous, next; /* tasks of this sensor that have a live job; TAC_NONE: none */
    uint32_t marks;          /* the innermost open stretch: index into marks; TAC_NONE: none */
} Task;

typedef struct Mark { /* a stretch that is open */
    uint32_t name;    /* string */
    uint32_t row;     /* of its annotation, just behind that of its message */
    uint32_t next;    /* around it */
} Mark;

typedef struct Processor {
    uint32_t machine, number;
    uint16_t index;
    bool used;
} Processor;

typedef struct tacRecordVocabulary {
    tacInternTable keys;         /* source, kind, number of what a program has named */
    TAC_ARRAY(uint32_t) objects; /* by id in keys: index in the store */
    TAC_ARRAY(Task) tasks;       /* by index in the store */
    TAC_ARRAY(Mark) marks;
    uint32_t freeMark;                /* first unused one, linked by next; TAC_NONE */
    Processor processors[PROCESSORS]; /* by number: what was looked up last */
    uint64_t unknown;                 /* elements of kinds that are not known */
} tacRecordVocabulary;

/* The state, made at its first use; NULL: no memory. */
static tacRecordVocabulary *stateOf(tacRecord *r) {
    if (!r->vocabulary && (r->vocabulary = tacAllocZero(1, sizeof *r->vocabulary))) r->vocabulary->freeMark = TAC_NONE;
    if (!r->vocabulary) tacFailMemory(r->err);
    return r->vocabulary;
}

void tacRecordVocabularyFree(tacRecord *r) {
    tacRecordVocabulary *v = r->vocabulary;
    if (!v) return;
    tacInternFree(&v->keys);
    tacArrayFree(&v->objects);
    tacArrayFree(&v->tasks);
    tacArrayFree(&v->marks);
    tacFree(v);
    r->vocabulary = NULL;
}

uint64_t tacRecordVocabularyBytes(const tacRecord *r) {
    const tacRecordVocabulary *v = r->vocabulary;
    return v ? tacInternBytes(&v->keys) + v->objects.capacity * sizeof *v->objects.at
            + v->tasks.capacity * sizeof *v->tasks.at + v->marks.capacity * sizeof *v->marks.at
             : 0;
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

/* A place for what the program of a source knows by this number; *fresh: it is new. NULL: no memory. */
static uint32_t *placeOf(tacRecord *r, const tacRecordSource *source, uint32_t kind, uint32_t number, bool *fresh) {
    tacRecordVocabulary *v = stateOf(r);
    const uint32_t key[3] = {(uint32_t) (source - r->sources.at), kind, number};
    if (!v) return NULL;
    uint32_t id = tacIntern(&v->keys, (const char *) key, sizeof key);
    *fresh = id == v->objects.count;
    if (id == TAC_NONE || (*fresh && !tacArrayPush(&v->objects, TAC_NONE))) return tacFailMemory(r->err), NULL;
    return &v->objects.at[id];
}

/* Writes the name, or what stands for it where there is none. */
static void nameOf(const char *name, uint32_t number, char text[TACREC_OBJECT_NAME]) {
    memset(text, 0, TACREC_OBJECT_NAME);
    if (name) memcpy(text, name, strnlen(name, TACREC_OBJECT_NAME - 1));
    tacRecordClean(text, TACREC_OBJECT_NAME);
    if (!text[0] && number) snprintf(text, TACREC_OBJECT_NAME, "unnamed %u", number);
    else if (!text[0]) snprintf(text, TACREC_OBJECT_NAME, "unnamed");
}

/* Makes an object: its id is its name, or, where that is taken, the name behind the program's, and with more of what
 * tells it from others. TAC_NONE: no memory. */
static uint32_t makeObject(
    tacRecord *r, const tacRecordSource *source, tacKind kind, uint32_t number, const char *name) {
    char id[3 * TACREC_STREAM_TEXT];
    const char *program = source->said.name;
    unsigned pid = source->said.pid, sourceNumber = (unsigned) (source - r->sources.at);
    for (unsigned i = 0;; i++) {
        if (i == 0) snprintf(id, sizeof id, "%s", name);
        else if (i == 1) snprintf(id, sizeof id, "%s:%s", program, name);
        else if (i == 2) snprintf(id, sizeof id, "%s:%u:%s", program, pid, name);
        else if (i == 3) snprintf(id, sizeof id, "%s:%u:%s:%u", program, pid, name, number);
        else snprintf(id, sizeof id, "%s:%u:%s:%u.%u", program, pid, name, number, sourceNumber + i - 4);
        if (tacInternFind(&r->store->ids[kind], id, strlen(id)) == TAC_NONE) break;
    }
    uint32_t index = tacStoreObject(r->store, kind, id, strlen(id));
    if (index == TAC_NONE) return tacFailMemory(r->err), TAC_NONE;
    tacRecordDefine(r, kind, index);
    bool due = tacStoreCharge(r->store, sizeof(tacObject) + 2 * strlen(id));
    return due && tacStoreCheck(r->store, r->line, r->err) != TAC_OK ? TAC_NONE : index;
}

/* What is known of a task of the store; NULL: no memory. */
static Task *taskAt(tacRecord *r, uint32_t index) {
    static const Task none = {false, false, 0, TAC_NONE, TAC_NONE, TAC_NONE, 0, TAC_NONE, TAC_NONE, TAC_NONE};
    tacRecordVocabulary *v = r->vocabulary;
    while (v->tasks.count <= index)
        if (!tacArrayPush(&v->tasks, none)) return tacFailMemory(r->err), NULL;
    return &v->tasks.at[index];
}

/* Notes that the kernel's part has this task and its jobs. One that a mapping hides stays hidden. */
static bool shareTask(tacRecord *r, uint32_t index, bool mapped) {
    Task *task = taskAt(r, index);
    tacOptionValue hidden = {index, TAC_OPT_HIDDEN, 1};
    if (!task) return false;
    task->known = true;
    task->mapped = mapped;
    if (r->store->objects[TAC_TASK].at[index].line) return true;
    tacRecordDefine(r, TAC_TASK, index);
    return tacArrayPush(&r->store->objectOptions[TAC_TASK], hidden) || (tacFailMemory(r->err), false);
}

uint32_t tacRecordObject(tacRecord *r, const tacRecordSource *source, tacKind kind, uint32_t number, const char *name) {
    char text[TACREC_OBJECT_NAME];
    bool fresh;
    uint32_t *place = placeOf(r, source, (uint32_t) kind, number, &fresh);
    if (!place || !fresh) return place ? *place : TAC_NONE;
    bool mapped;
    if (kind == TAC_TASK && tacRecordKernelTask(r, source, number, place, &mapped))
        return shareTask(r, *place, mapped) ? *place : TAC_NONE;
    nameOf(name, number, text);
    return *place = makeObject(r, source, kind, number, text);
}

/* The string of a mark's name; TAC_NONE: no memory. */
static uint32_t markOf(tacRecord *r, const tacRecordSource *source, uint32_t number, const char *name) {
    char text[TACREC_OBJECT_NAME];
    bool fresh;
    uint32_t *place = placeOf(r, source, MARK_NAMES, number, &fresh);
    if (!place || !fresh) return place ? *place : TAC_NONE;
    nameOf(name, number, text);
    *place = tacStoreString(r->store, text, strlen(text));
    if (*place == TAC_NONE) tacFailMemory(r->err);
    return *place;
}

/* Index of a processor by its number; false: no memory. Numbers that are not known are TAC_NO_PROCESSOR. */
static bool processorOf(tacRecord *r, const tacRecordSource *source, uint32_t number, uint16_t *index) {
    Processor *p = &r->vocabulary->processors[number % PROCESSORS];
    *index = TAC_NO_PROCESSOR;
    if (number >= TACREC_ANYWHERE) return true;
    if (!p->used || p->number != number || p->machine != source->machine) {
        *p = (Processor){.machine = source->machine, .number = number};
        p->used = tacRecordProcessor(r, source, (int32_t) number, &p->index);
        if (!p->used) return false;
    }
    return *index = p->index, true;
}

/* ---- what is said of objects ------------------------------------------------------------------------------------- */

/* The object whose options are said. */
typedef struct Said {
    tacRecord *r;
    const tacRecordElement *e;
    tacKind kind;
    uint32_t index;
} Said;

static bool give(const Said *said, tacOption option, int64_t value) {
    tacOptionValue of = {said->index, option, value};
    if (tacArrayPush(&said->r->store->objectOptions[said->kind], of)) return true;
    return tacFailMemory(said->r->err), false;
}

/* Gives a text of `room` bytes, unless it is empty. */
static bool giveText(const Said *said, tacOption option, size_t offset, size_t room) {
    char text[TACREC_OBJECT_NAME];
    memcpy(text, said->e->data + offset, room);
    tacRecordClean(text, room);
    if (!text[0]) return true;
    uint32_t string = tacStoreString(said->r->store, text, strlen(text));
    return string == TAC_NONE ? (tacFailMemory(said->r->err), false) : give(said, option, string);
}

/* Gives nanoseconds, unless they are 0, or more than a time can be. */
static bool giveTime(const Said *said, tacOption option, uint64_t value, int64_t *field) {
    if (value >= (uint64_t) TAC_TIME_LIMIT) return said->e->sensor->beyond++, true;
    if (value == 0) return true;
    *field = (int64_t) value;
    return give(said, option, *field);
}

/* Gives priority and processor. */
static bool givePlace(const Said *said, bool prior) {
    const tacRecordElement *e = said->e;
    tacRecord *r = said->r;
    int32_t priority = (int32_t) TAC_RECORD_FIELD(e, tacrec_object, priority);
    uint16_t processor;
    if (prior && priority) {
        r->store->objects[said->kind].at[said->index].priority = priority;
        if (!give(said, TAC_OPT_PRIORITY, priority)) return false;
    }
    if (!(TAC_RECORD_FIELD(e, tacrec_object, flags) & TACREC_BOUND)) return true;
    if (!processorOf(
            r, tacRecordSourceOf(r, e->sensor), (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, processor), &processor))
        return false;
    if (processor == TAC_NO_PROCESSOR) return true;
    r->store->objects[said->kind].at[said->index].processor = processor;
    return give(said, TAC_OPT_PROCESSOR, processor);
}

static bool giveColor(const Said *said) {
    return giveText(said, TAC_OPT_COLOR, offsetof(tacrec_object, color), sizeof(((tacrec_object *) 0)->color));
}

/* Gives the kind of an interrupt's task. */
static bool giveKind(const Said *said, tacObject *task, unsigned flags) {
    if (!(flags & (TACREC_ISR | TACREC_SOFTIRQ))) return true;
    task->isr = true;
    task->softirq = (flags & TACREC_SOFTIRQ) != 0;
    const char *word = task->softirq ? "softirq" : "isr";
    uint32_t string = tacStoreString(said->r->store, word, strlen(word));
    return string == TAC_NONE ? (tacFailMemory(said->r->err), false) : give(said, TAC_OPT_TASK_KIND, string);
}

static bool sayTask(const Said *said) {
    const tacRecordElement *e = said->e;
    tacObject *task = &said->r->store->objects[TAC_TASK].at[said->index];
    unsigned flags = (unsigned) TAC_RECORD_FIELD(e, tacrec_object, flags);
    const Task *known = taskAt(said->r, said->index);
    if (!known || known->mapped) return known != NULL;
    return givePlace(said, !known->known) && giveColor(said) && giveKind(said, task, flags)
        && giveTime(said, TAC_OPT_C, TAC_RECORD_FIELD(e, tacrec_object, budget), &task->C)
        && giveTime(said, TAC_OPT_D, TAC_RECORD_FIELD(e, tacrec_object, deadline), &task->D)
        && giveTime(said, TAC_OPT_T, TAC_RECORD_FIELD(e, tacrec_object, period), &task->T)
        && giveText(said, TAC_OPT_GROUP, offsetof(tacrec_object, group), sizeof(((tacrec_object *) 0)->group))
        && (!(flags & TACREC_HIDDEN) || give(said, TAC_OPT_HIDDEN, 1));
}

static bool sayServer(const Said *said) {
    const tacRecordElement *e = said->e;
    tacObject *server = &said->r->store->objects[TAC_SERVER].at[said->index];
    return givePlace(said, true) && giveColor(said)
        && giveTime(said, TAC_OPT_SERVER_CAPACITY, TAC_RECORD_FIELD(e, tacrec_object, capacity), &server->capacity)
        && giveTime(said, TAC_OPT_BUDGET, TAC_RECORD_FIELD(e, tacrec_object, budget), &server->budget);
}

static bool sayMutex(const Said *said) { return givePlace(said, false) && giveColor(said); }

static bool saySemaphore(const Said *said) {
    (void) said;
    return true;
}

static bool sayBuffer(const Said *said) {
    const tacRecordElement *e = said->e;
    uint64_t capacity = TAC_RECORD_FIELD(e, tacrec_object, capacity);
    int32_t place = (int32_t) TAC_RECORD_FIELD(e, tacrec_object, priority);
    if (capacity > 0 && capacity <= INT32_MAX) {
        said->r->store->objects[TAC_BUFFER].at[said->index].capacity = (int64_t) capacity;
        if (!give(said, TAC_OPT_CAPACITY, (int64_t) capacity)) return false;
    }
    return !place || give(said, TAC_OPT_SEQ_NUMBER, place);
}

static const struct {
    tacKind kind;
    bool (*say)(const Said *said);
} objectKinds[] = {
    [TACREC_TASK] = {TAC_TASK, sayTask},
    [TACREC_SERVER] = {TAC_SERVER, sayServer},
    [TACREC_MUTEX] = {TAC_MUTEX, sayMutex},
    [TACREC_SEMAPHORE] = {TAC_SEMAPHORE, saySemaphore},
    [TACREC_BUFFER] = {TAC_BUFFER, sayBuffer},
};

/* Names a processor. */
static bool sayProcessor(tacRecord *r, const tacRecordElement *e, const char *name) {
    uint32_t number = (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, processor);
    uint16_t processor;
    if (!processorOf(r, tacRecordSourceOf(r, e->sensor), number, &processor)) return false;
    if (processor == TAC_NO_PROCESSOR || !name[0]) return true;
    Said said = {r, e, TAC_PROCESSOR, processor};
    uint32_t string = tacStoreString(r->store, name, strlen(name));
    if (string == TAC_NONE) return tacFailMemory(r->err), false;
    r->store->objects[TAC_PROCESSOR].at[processor].name = string;
    return give(&said, TAC_OPT_NAME, string);
}

/* Notes that a thread runs a task: the first one that it says is what else is said of the thread. */
static bool sayThread(tacRecord *r, const tacRecordElement *e) {
    const tacRecordSource *source = tacRecordSourceOf(r, e->sensor);
    uint32_t thread = (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, thread);
    bool fresh;
    uint32_t *place = placeOf(r, source, THREADS, thread, &fresh);
    if (!place || !fresh) return place != NULL;
    uint32_t task = tacRecordObject(r, source, TAC_TASK, (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, of), NULL);
    return task != TAC_NONE && tacRecordSetTask(r, source, thread, task);
}

static bool takeObject(tacRecord *r, const tacRecordElement *e) {
    const tacRecordSource *source = tacRecordSourceOf(r, e->sensor);
    uint32_t kind = (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, kind),
             number = (uint32_t) TAC_RECORD_FIELD(e, tacrec_object, id);
    char name[TACREC_OBJECT_NAME];
    memcpy(name, e->data + offsetof(tacrec_object, name), sizeof name);
    tacRecordClean(name, sizeof name);
    if (kind == TACREC_MARK_NAME) return markOf(r, source, number, name) != TAC_NONE;
    if (kind == TACREC_PROCESSOR) return sayProcessor(r, e, name);
    if (kind == TACREC_THREAD_OF_TASK) return sayThread(r, e);
    if (kind >= sizeof objectKinds / sizeof *objectKinds || !objectKinds[kind].say) {
        r->vocabulary->unknown++;
        return true;
    }
    Said said = {r, e, objectKinds[kind].kind, 0};
    said.index = tacRecordObject(r, source, said.kind, number, name);
    return said.index != TAC_NONE && objectKinds[kind].say(&said);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

typedef struct Event { /* an element of tactus.events */
    const tacRecordElement *e;
    tacRecordSource *source;
    uint32_t code, processor, object;
    uint64_t subject;
    int64_t value;
} Event;

/* The task of this number; TAC_NONE: no memory. */
static uint32_t taskOf(tacRecord *r, const Event *event, uint32_t number) {
    return tacRecordObject(r, event->source, TAC_TASK, number, NULL);
}

/* Index of a job by its task and number; TAC_NONE: no memory. */
static uint32_t jobOf(tacRecord *r, const Event *event, uint64_t job) {
    uint32_t index = taskOf(r, event, (uint32_t) (job >> 32)), number = (uint32_t) job;
    Task *task = index == TAC_NONE ? NULL : taskAt(r, index);
    if (!task) return TAC_NONE;
    if (TAC_LIKELY(task->job != TAC_NONE && task->number == number)) return task->job;
    char id[4 * TACREC_STREAM_TEXT];
    int length = snprintf(id, sizeof id, "%s.%u", tacObjectId(r->store, TAC_TASK, index), number);
    uint32_t found = tacStoreObject(r->store, TAC_JOB, id, (size_t) length);
    if (found == TAC_NONE) return tacFailMemory(r->err), TAC_NONE;
    r->store->jobTask.at[found] = index;
    task->number = number;
    return task->job = found;
}

/* The time that the event says, or its own; false: that is none. */
static bool timeOf(tacRecord *r, const Event *event, int64_t *time) {
    *time = event->e->time;
    if (event->value == 0 || tacRecordNanoseconds(r, event->source, (uint64_t) event->value, time)) return true;
    return event->e->sensor->beyond++, false;
}

/* Takes the task's live job out of the list of its sensor. */
static void forget(tacRecord *r, Task *task) {
    tacRecordVocabulary *v = r->vocabulary;
    if (task->live == TAC_NONE) return;
    uint32_t *before = task->previous == TAC_NONE ? &r->sensors.at[task->sensor].own[1] : NULL;
    if (before) *before = task->next == TAC_NONE ? 0 : task->next + 1;
    else v->tasks.at[task->previous].next = task->next;
    if (task->next != TAC_NONE) v->tasks.at[task->next].previous = task->previous;
    task->live = task->previous = task->next = TAC_NONE;
}

/* Notes that a job of the task lives, as this sensor says. */
static void follow(tacRecord *r, const Event *event, uint32_t index, uint32_t job) {
    tacRecordVocabulary *v = r->vocabulary;
    Task *task = &v->tasks.at[index];
    uint32_t sensor = (uint32_t) (event->e->sensor - r->sensors.at), *first = &event->e->sensor->own[1];
    if (TAC_LIKELY(task->live == job && task->sensor == sensor)) return;
    forget(r, task);
    task->live = job;
    task->sensor = sensor;
    task->next = *first - 1; /* none is 0 there, TAC_NONE here */
    if (task->next != TAC_NONE) v->tasks.at[task->next].previous = index;
    *first = index + 1;
}

/* Adds a row of a job, on whose life it has no effect. */
static bool addJobRow(
    tacRecord *r, const Event *event, tacEvent kind, int64_t time, uint32_t job, uint32_t object, bool runs) {
    uint16_t processor = TAC_NO_PROCESSOR;
    if (runs && !processorOf(r, event->source, event->processor, &processor)) return false;
    return tacRecordRow(r, time, kind, job, object, processor);
}

/* Adds a row of the event's job. `runs`: it is on the processor from here on. */
static bool jobRow(tacRecord *r, const Event *event, tacEvent kind, int64_t time, uint32_t object) {
    uint32_t job = jobOf(r, event, event->subject);
    if (job == TAC_NONE) return false;
    uint32_t index = r->store->jobTask.at[job];
    Task *task = &r->vocabulary->tasks.at[index];
    if (task->known) return kind != TAC_EV_JOB_DEADLINE || addJobRow(r, event, kind, time, job, object, false);
    r->import->programs = true;
    bool runs = tacEventIs(kind, TAC_TRAIT_RUNS), ends = tacEventIs(kind, TAC_TRAIT_ENDS);
    if (TAC_UNLIKELY(task->lost != TAC_NONE) && (task->lost == job || runs)) {
        if (task->lost != job
            && !addJobRow(r, event, TAC_EV_JOB_ABANDONED, event->e->time, task->lost, TAC_NONE, false))
            return false;
        task->lost = TAC_NONE;
    }
    if (ends && task->live == job) forget(r, task);
    else if (!ends && (kind != TAC_EV_JOB_ARRIVED || task->live == TAC_NONE)) follow(r, event, index, job);
    return addJobRow(r, event, kind, time, job, object, runs);
}

static bool jobArrives(tacRecord *r, const Event *event, tacEvent kind) {
    int64_t time;
    uint32_t task = taskOf(r, event, (uint32_t) (event->subject >> 32));
    return task != TAC_NONE && (!timeOf(r, event, &time) || jobRow(r, event, kind, time, task));
}

static bool jobIsDue(tacRecord *r, const Event *event, tacEvent kind) {
    int64_t time;
    return !timeOf(r, event, &time) || jobRow(r, event, kind, time, TAC_NONE);
}

static bool jobChanges(tacRecord *r, const Event *event, tacEvent kind) {
    return jobRow(r, event, kind, event->e->time, TAC_NONE);
}

/* Adds the row of a job that stops, perhaps in favour of another one. */
static bool jobStops(tacRecord *r, const Event *event, tacEvent kind) {
    uint32_t target = event->value ? jobOf(r, event, (uint64_t) event->value) : TAC_NONE;
    if (event->value && target == TAC_NONE) return false;
    return jobRow(r, event, kind, event->e->time, target);
}

static bool jobUsesMutex(tacRecord *r, const Event *event, tacEvent kind) {
    uint32_t mutex = tacRecordObject(r, event->source, TAC_MUTEX, event->object, NULL);
    return mutex != TAC_NONE && jobRow(r, event, kind, event->e->time, mutex);
}

static bool jobUsesSemaphore(tacRecord *r, const Event *event, tacEvent kind) {
    uint32_t semaphore = tacRecordObject(r, event->source, TAC_SEMAPHORE, event->object, NULL);
    uint32_t rows = tacStoreCount(r->store);
    if (semaphore == TAC_NONE || !jobRow(r, event, kind, event->e->time, semaphore)) return false;
    if (event->value < 0 || event->value > INT32_MAX || tacStoreCount(r->store) == rows) return true;
    return tacRecordOption(r, TAC_OPT_STATE, event->value);
}

static bool taskArrow(tacRecord *r, const Event *event, tacEvent kind) {
    int64_t time;
    uint32_t task = taskOf(r, event, event->object);
    return task != TAC_NONE
        && (!timeOf(r, event, &time) || tacRecordRow(r, time, kind, task, TAC_NONE, TAC_NO_PROCESSOR));
}

static bool serverChanges(tacRecord *r, const Event *event, tacEvent kind) {
    uint32_t server = tacRecordObject(r, event->source, TAC_SERVER, event->object, NULL), number = TAC_NONE;
    if (server == TAC_NONE) return false;
    if (kind == TAC_EV_SERVER_REPLENISHED) {
        if (event->value <= -TAC_TIME_LIMIT || event->value >= TAC_TIME_LIMIT) return event->e->sensor->beyond++, true;
        number = (uint32_t) r->store->numbers.count;
        if (!tacArrayPush(&r->store->numbers, event->value)) return tacFailMemory(r->err), false;
    }
    return tacRecordRow(r, event->e->time, kind, server, number, TAC_NO_PROCESSOR);
}

static bool processorChanges(tacRecord *r, const Event *event, tacEvent kind) {
    uint16_t processor;
    if (!processorOf(r, event->source, event->object, &processor)) return false;
    if (processor == TAC_NO_PROCESSOR) return true;
    return tacRecordRow(r, event->e->time, kind, processor, TAC_NONE, TAC_NO_PROCESSOR);
}

/* The string of a number; TAC_NONE: no memory. */
static uint32_t numberString(tacRecord *r, int64_t value) {
    char text[24];
    int length = snprintf(text, sizeof text, "%lld", (long long) value);
    uint32_t string = tacStoreString(r->store, text, (size_t) length);
    if (string == TAC_NONE) tacFailMemory(r->err);
    return string;
}

static bool clocksMeet(tacRecord *r, const Event *event, tacEvent kind) {
    uint16_t from, to;
    uint32_t id = numberString(r, (int64_t) event->subject);
    if (id == TAC_NONE || !processorOf(r, event->source, event->object, &from)) return false;
    if (event->value < 0 || event->value >= TACREC_ANYWHERE || from == TAC_NO_PROCESSOR)
        return event->e->sensor->beyond++, true;
    if (!processorOf(r, event->source, (uint32_t) event->value, &to)) return false;
    return tacRecordRow(r, event->e->time, kind, from, to, kind == TAC_EV_SYNC_SENT ? from : to)
        && tacRecordOption(r, TAC_OPT_ARGUMENT3, id);
}

static bool bufferChanges(tacRecord *r, const Event *event, tacEvent kind) {
    uint32_t object = TAC_NONE, buffer = TAC_NONE;
    bool data = kind == TAC_EV_BUFFER_PUSH || kind == TAC_EV_BUFFER_INSERT;
    bool number = kind == TAC_EV_BUFFER_DROP || kind == TAC_EV_BUFFER_RESIZE || kind == TAC_EV_BUFFER_INSERT;
    if (number && (event->value < 0 || event->value > INT32_MAX)) return event->e->sensor->beyond++, true;
    if (data && (object = numberString(r, (int64_t) event->subject)) == TAC_NONE) return false;
    else if (!data && number) object = (uint32_t) event->value;
    if (kind != TAC_EV_BUFFER_RESET
        && (buffer = tacRecordObject(r, event->source, TAC_BUFFER, event->object, NULL)) == TAC_NONE)
        return false;
    return tacRecordRow(r, event->e->time, kind, buffer, object, TAC_NO_PROCESSOR)
        && (kind != TAC_EV_BUFFER_INSERT || tacRecordOption(r, TAC_OPT_ARGUMENT3, event->value));
}

/* Adds what something of a name took: "NAME CYCLES INSTRUCTIONS". */
static bool addProfile(tacRecord *r, const Event *event, tacEvent kind) {
    char text[48];
    uint32_t name = markOf(r, event->source, event->object, NULL);
    int length = snprintf(
        text, sizeof text, "%llu %llu", (unsigned long long) event->subject, (unsigned long long) event->value);
    uint32_t words = tacStoreString(r->store, text, (size_t) length);
    if (name == TAC_NONE || words == TAC_NONE) return tacFailMemory(r->err), false;
    return tacRecordRow(r, event->e->time, kind, name, words, TAC_NO_PROCESSOR);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* The task of a mark: that of this number, else the thread's; TAC_NONE is neither. False: no memory. */
static bool writerOf(
    tacRecord *r, const tacRecordSource *source, const tacRecordElement *e, uint32_t number, uint32_t *task) {
    *task = TAC_NONE;
    if (number) *task = tacRecordObject(r, source, TAC_TASK, number, NULL);
    else if (e->thread) *task = tacRecordTask(r, source, e->thread);
    else return true;
    return *task != TAC_NONE;
}

static bool addMessage(tacRecord *r, const Event *event, uint32_t task, bool drawn, const char *format, ...)
    TAC_PRINTF(5, 6);

/* Adds the message of a mark. */
static bool addMessage(tacRecord *r, const Event *event, uint32_t task, bool drawn, const char *format, ...) {
    char text[TEXT];
    uint16_t processor;
    va_list arguments;
    va_start(arguments, format);
    tacPrintList(text, sizeof text, format, arguments);
    va_end(arguments);
    uint32_t string = tacStoreString(r->store, text, strlen(text));
    if (string == TAC_NONE) return tacFailMemory(r->err), false;
    return processorOf(r, event->source, event->processor, &processor)
        && tacRecordRow(
            r, event->e->time, TAC_EV_MESSAGE, string, tacMessageSaid(task, TAC_FROM_MARK, drawn), processor);
}

static void draw(tacStore *store, uint32_t row) {
    store->object.at[row] = tacMessageSaid(tacMessageTask(store, row), tacMessageFrom(store, row), true);
}

/* Takes an open stretch out of its task's list. */
static Mark takeOut(tacRecordVocabulary *v, uint32_t *link) {
    uint32_t place = *link;
    Mark mark = v->marks.at[place];
    *link = mark.next;
    v->marks.at[place].next = v->freeMark;
    v->freeMark = place;
    return mark;
}

/* Takes out a stretch whose end is missing: its message is drawn in its place. */
static void dismiss(tacRecord *r, uint32_t *link) {
    tacStore *store = r->store;
    uint32_t row = takeOut(r->vocabulary, link).row;
    store->event.at[row] = TAC_EV_NOP;
    store->subject.at[row] = store->object.at[row] = TAC_NONE;
    draw(store, row - 1);
}

/* Puts an open stretch before those of the task. Where too many are open, the end of the outermost is missing. */
static bool openStretch(tacRecord *r, uint32_t task, uint32_t name, uint32_t row) {
    tacRecordVocabulary *v = r->vocabulary;
    uint32_t place = v->freeMark, within = 0;
    if (place == TAC_NONE) {
        place = (uint32_t) v->marks.count;
        if (!tacArrayPush(&v->marks, (Mark){0})) return tacFailMemory(r->err), false;
    } else {
        v->freeMark = v->marks.at[place].next;
    }
    uint32_t *link = &v->tasks.at[task].marks;
    v->marks.at[place] = (Mark){name, row, *link};
    *link = place;
    for (; v->marks.at[*link].next != TAC_NONE; link = &v->marks.at[*link].next) within++;
    if (within >= MOST_OPEN) dismiss(r, link);
    return true;
}

static bool addMark(tacRecord *r, const Event *event, tacEvent kind) {
    uint32_t name = markOf(r, event->source, event->object, NULL), task;
    (void) kind;
    if (name == TAC_NONE || !writerOf(r, event->source, event->e, (uint32_t) (event->subject >> 32), &task))
        return false;
    if (event->code == TACREC_MARK) return addMessage(r, event, task, true, "%s", tacString(r->store, name));
    return addMessage(r, event, task, true, "%s=%lld", tacString(r->store, name), (long long) event->value);
}

/* Begins a stretch: its message, which is not drawn, and an annotation that its end completes. */
static bool beginStretch(tacRecord *r, const Event *event, tacEvent kind) {
    tacStore *store = r->store;
    uint32_t name = markOf(r, event->source, event->object, NULL), task;
    (void) kind;
    if (name == TAC_NONE || !writerOf(r, event->source, event->e, (uint32_t) (event->subject >> 32), &task))
        return false;
    if (!addMessage(r, event, task, task == TAC_NONE, "%s:begin", tacString(store, name))) return false;
    if (task == TAC_NONE) return true;
    uint32_t number = (uint32_t) store->numbers.count, from = tacStoreString(store, "mark", 4);
    if (!taskAt(r, task) || from == TAC_NONE || !tacArrayPush(&store->numbers, event->e->time))
        return tacFailMemory(r->err), false;
    uint32_t row = tacStoreCount(store);
    return tacRecordRow(r, event->e->time, TAC_EV_TASK_ANNOTATION, task, number, TAC_NO_PROCESSOR)
        && tacRecordOption(r, TAC_OPT_MESSAGE, name) && tacRecordOption(r, TAC_OPT_STRETCH_FROM, from)
        && openStretch(r, task, name, row);
}

/* Adds an annotation whose end is known: with a text if it has one, and an arrow. */
static bool annotate(tacRecord *r, const Event *event, tacEvent kind) {
    static const char *const arrows[] = {NULL, "first", "last", "both"};
    tacStore *store = r->store;
    uint32_t task = taskOf(r, event, (uint32_t) (event->subject >> 32)), arrow = (uint32_t) event->subject;
    uint32_t number = (uint32_t) store->numbers.count, text = TAC_NONE;
    int64_t end;
    if (task == TAC_NONE) return false;
    if (!timeOf(r, event, &end)) return true;
    if (event->object && (text = markOf(r, event->source, event->object, NULL)) == TAC_NONE) return false;
    if (!tacArrayPush(&store->numbers, end)) return tacFailMemory(r->err), false;
    if (!tacRecordRow(r, event->e->time, kind, task, number, TAC_NO_PROCESSOR)) return false;
    if (text != TAC_NONE && !tacRecordOption(r, TAC_OPT_MESSAGE, text)) return false;
    if (arrow < TACREC_ARROW_FIRST || arrow > TACREC_ARROW_BOTH) return true;
    return tacRecordOption(r, TAC_OPT_ARROW, tacStoreString(store, arrows[arrow], strlen(arrows[arrow])));
}

/* Ends the innermost stretch of this name; if there is none, its message is drawn. */
static bool endStretch(tacRecord *r, const Event *event, tacEvent kind) {
    tacRecordVocabulary *v = r->vocabulary;
    uint32_t name = markOf(r, event->source, event->object, NULL), task;
    (void) kind;
    if (name == TAC_NONE || !writerOf(r, event->source, event->e, (uint32_t) (event->subject >> 32), &task))
        return false;
    uint32_t none = TAC_NONE, *link = &none;
    if (task != TAC_NONE) {
        Task *of = taskAt(r, task);
        if (!of) return false;
        link = &of->marks;
    }
    while (*link != TAC_NONE && v->marks.at[*link].name != name) link = &v->marks.at[*link].next;
    bool found = *link != TAC_NONE;
    if (found) r->store->numbers.at[r->store->object.at[takeOut(v, link).row]] = event->e->time;
    return addMessage(r, event, task, !found, "%s:end", tacString(r->store, name));
}

/* ---- codes ------------------------------------------------------------------------------------------------------- */

static const struct {
    bool (*take)(tacRecord *r, const Event *event, tacEvent kind);
    tacEvent kind;
} codes[] = {
    [TACREC_JOB_ARRIVED] = {jobArrives, TAC_EV_JOB_ARRIVED},
    [TACREC_JOB_STARTED] = {jobChanges, TAC_EV_JOB_STARTED},
    [TACREC_JOB_RESUMED] = {jobChanges, TAC_EV_JOB_RESUMED},
    [TACREC_JOB_PREEMPTED] = {jobStops, TAC_EV_JOB_PREEMPTED},
    [TACREC_JOB_BLOCKED] = {jobStops, TAC_EV_JOB_BLOCKED},
    [TACREC_JOB_COMPLETED] = {jobStops, TAC_EV_JOB_COMPLETED},
    [TACREC_JOB_READY] = {jobChanges, TAC_EV_JOB_READY},
    [TACREC_JOB_UNKNOWN] = {jobChanges, TAC_EV_JOB_UNKNOWN},
    [TACREC_JOB_ABANDONED] = {jobChanges, TAC_EV_JOB_ABANDONED},
    [TACREC_JOB_DEADLINE] = {jobIsDue, TAC_EV_JOB_DEADLINE},
    [TACREC_TASK_ARRIVED] = {taskArrow, TAC_EV_TASK_ARRIVED},
    [TACREC_TASK_IGNORED] = {taskArrow, TAC_EV_TASK_ARRIVED_AND_IGNORED},
    [TACREC_TASK_DEADLINE] = {taskArrow, TAC_EV_TASK_DEADLINE},
    [TACREC_JOB_ACQUIRED_MUTEX] = {jobUsesMutex, TAC_EV_JOB_ACQUIRED_MUTEX},
    [TACREC_JOB_RELEASED_MUTEX] = {jobUsesMutex, TAC_EV_JOB_RELEASED_MUTEX},
    [TACREC_JOB_ACQUIRED_SEMAPHORE] = {jobUsesSemaphore, TAC_EV_JOB_ACQUIRED_SEMAPHORE},
    [TACREC_JOB_SUSPENDED_SEMAPHORE] = {jobUsesSemaphore, TAC_EV_JOB_SUSPENDED_ON_SEMAPHORE},
    [TACREC_JOB_RELEASED_SEMAPHORE] = {jobUsesSemaphore, TAC_EV_JOB_RELEASED_SEMAPHORE},
    [TACREC_SERVER_REPLENISHED] = {serverChanges, TAC_EV_SERVER_REPLENISHED},
    [TACREC_SERVER_RESUMED] = {serverChanges, TAC_EV_SERVER_RESUMED},
    [TACREC_SERVER_PREEMPTED] = {serverChanges, TAC_EV_SERVER_PREEMPTED},
    [TACREC_SERVER_DEPLETED] = {serverChanges, TAC_EV_SERVER_DEPLETED},
    [TACREC_PROCESSOR_UNKNOWN] = {processorChanges, TAC_EV_PROCESSOR_UNKNOWN},
    [TACREC_PROCESSOR_IDLE] = {processorChanges, TAC_EV_PROCESSOR_IDLE},
    [TACREC_MARK] = {addMark, TAC_EV_MESSAGE},
    [TACREC_BEGIN] = {beginStretch, TAC_EV_TASK_ANNOTATION},
    [TACREC_END] = {endStretch, TAC_EV_TASK_ANNOTATION},
    [TACREC_COUNT] = {addMark, TAC_EV_MESSAGE},
    [TACREC_SYNC_SENT] = {clocksMeet, TAC_EV_SYNC_SENT},
    [TACREC_SYNC_RECEIVED] = {clocksMeet, TAC_EV_SYNC_RECEIVED},
    [TACREC_BUFFER_PUSH] = {bufferChanges, TAC_EV_BUFFER_PUSH},
    [TACREC_BUFFER_POP] = {bufferChanges, TAC_EV_BUFFER_POP},
    [TACREC_BUFFER_INSERT] = {bufferChanges, TAC_EV_BUFFER_INSERT},
    [TACREC_BUFFER_DROP] = {bufferChanges, TAC_EV_BUFFER_DROP},
    [TACREC_BUFFER_RESIZE] = {bufferChanges, TAC_EV_BUFFER_RESIZE},
    [TACREC_BUFFER_RESET] = {bufferChanges, TAC_EV_BUFFER_RESET},
    [TACREC_TASK_ANNOTATION] = {annotate, TAC_EV_TASK_ANNOTATION},
    [TACREC_PROFILE] = {addProfile, TAC_EV_PROFILE},
};

static bool takeEvent(tacRecord *r, const tacRecordElement *e) {
    Event event = {e, tacRecordSourceOf(r, e->sensor), (uint32_t) TAC_RECORD_FIELD(e, tacrec_event, code),
        (uint32_t) TAC_RECORD_FIELD(e, tacrec_event, processor), (uint32_t) TAC_RECORD_FIELD(e, tacrec_event, object),
        TAC_RECORD_FIELD(e, tacrec_event, subject), (int64_t) TAC_RECORD_FIELD(e, tacrec_event, value)};
    if (TAC_LIKELY(event.code < sizeof codes / sizeof *codes && codes[event.code].take))
        return codes[event.code].take(r, &event, codes[event.code].kind);
    return r->vocabulary->unknown++, true;
}

/* Adds the chain of tasks and buffers whose numbers, in turn, are in the text. */
static bool addStructure(tacRecord *r, const Event *event, const char *text) {
    tacText ids = {0};
    bool done = true;
    uint32_t words = TAC_NONE;
    for (int i = 0; *text && done; i++) {
        char *end;
        unsigned long long number = strtoull(text, &end, 10);
        if (end == text || number > UINT32_MAX || (*end && *end != ' ')) break;
        tacKind kind = i % 2 ? TAC_BUFFER : TAC_TASK;
        uint32_t index = tacRecordObject(r, event->source, kind, (uint32_t) number, NULL);
        done = index != TAC_NONE;
        if (done) tacQuoteElement(&ids, tacObjectId(r->store, kind, index));
        text = *end ? end + 1 : end;
    }
    bool isChain = done && !*text;
    if (isChain && !ids.failed) words = tacStoreString(r->store, ids.at ? ids.at : "", ids.length);
    tacTextFree(&ids);
    if (!isChain) return r->vocabulary->unknown += done, done;
    if (words == TAC_NONE) return tacFailMemory(r->err), false;
    return tacRecordRow(r, event->e->time, TAC_EV_BUFFER_STRUCTURE, words, TAC_NONE, TAC_NO_PROCESSOR);
}

/* Adds an event of the Relteq extension: its name, and the other words. */
static bool addRelteq(tacRecord *r, const Event *event, const char *text) {
    size_t length = strcspn(text, " ");
    char word[TACREC_TEXT_MOST];
    uint32_t name = tacStoreString(r->store, text, length), words = TAC_NONE;
    tacText list = {0};
    for (text += length; *(text += strspn(text, " ")); text += length) {
        length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int) length, text);
        tacQuoteElement(&list, word);
    }
    if (list.length && !list.failed) words = tacStoreString(r->store, list.at, list.length);
    bool done = name != TAC_NONE && !list.failed && (!list.length || words != TAC_NONE);
    tacTextFree(&list);
    if (!done) return tacFailMemory(r->err), false;
    return tacRecordRow(r, event->e->time, TAC_EV_RELTEQ, name, words, TAC_NO_PROCESSOR);
}

static bool takeText(tacRecord *r, const tacRecordElement *e) {
    Event event = {.e = e,
        .source = tacRecordSourceOf(r, e->sensor),
        .code = (uint32_t) TAC_RECORD_FIELD(e, tacrec_text, code),
        .processor = (uint32_t) TAC_RECORD_FIELD(e, tacrec_text, processor)};
    char text[TACREC_TEXT_MOST];
    uint32_t task;
    memcpy(text, e->data + offsetof(tacrec_text, text), sizeof text);
    tacRecordClean(text, sizeof text);
    if (event.code == TACREC_MESSAGE)
        return writerOf(r, event.source, e, (uint32_t) TAC_RECORD_FIELD(e, tacrec_text, task), &task)
            && addMessage(r, &event, task, true, "%s", text);
    if (event.code == TACREC_BUFFER_STRUCTURE) return addStructure(r, &event, text);
    if (event.code == TACREC_RELTEQ) return addRelteq(r, &event, text);
    if (event.code != TACREC_INTERVAL) return r->vocabulary->unknown++, true;
    uint32_t string = tacStoreString(r->store, text, strlen(text));
    return tacRecordRow(r, e->time, TAC_EV_INTERVAL, TAC_NONE, TAC_NONE, TAC_NO_PROCESSOR)
        && tacRecordOption(r, TAC_OPT_MESSAGE, (int64_t) string);
}

/* ---- the meaning ------------------------------------------------------------------------------------------------- */

static bool (*const takers[TACREC_TRACE_SENSORS])(tacRecord *r, const tacRecordElement *element) = {
    [TACREC_TRACE_OBJECTS] = takeObject, [TACREC_TRACE_EVENTS] = takeEvent, [TACREC_TRACE_TEXTS] = takeText};

static bool hasField(const tacRecordSensor *sensor, const tacrec_field *wanted) {
    int field = tacRecordField(sensor, wanted->name);
    if (field < 0) return false;
    const tacrec_fieldEntry *is = &sensor->said.fields[field];
    return is->type == (uint32_t) wanted->type && is->offset == wanted->offset && is->size == wanted->size;
}

/*
 * The ready-made sensor that it is; TACREC_TRACE_SENSORS: another one, also if a field is not there, or elsewhere.
 */
static uint32_t indexOf(const tacRecordSensor *sensor) {
    uint32_t i = 0;
    while (i < TACREC_TRACE_SENSORS && strcmp(tacrec_traceSensors[i].name, sensor->said.name) != 0) i++;
    const tacrec_layout *known = i < TACREC_TRACE_SENSORS ? &tacrec_traceSensors[i] : NULL;
    bool fits = known && sensor->said.size >= known->size;
    for (uint32_t k = 0; fits && k < known->fieldCount; k++) fits = hasField(sensor, &known->fields[k]);
    return fits ? i : TACREC_TRACE_SENSORS;
}

bool tacRecordVocabularyIs(const tacRecordSensor *sensor, const char *name) {
    return strcmp(sensor->said.name, name) == 0 && indexOf(sensor) < TACREC_TRACE_SENSORS;
}

/* Finds out which sensor it is: own[0]. One that is not known has no meaning: its elements are kept. */
bool tacRecordVocabularySensor(tacRecord *r, tacRecordSensor *sensor) {
    if (!stateOf(r)) return false;
    sensor->own[0] = indexOf(sensor);
    if (sensor->own[0] == TACREC_TRACE_SENSORS) sensor->meaning = NULL;
    return true;
}

bool tacRecordVocabularyElement(tacRecord *r, const tacRecordElement *element) {
    return takers[element->sensor->own[0]](r, element);
}

/* Puts the jobs that live by the word of the sensor (own[1]: the first one's task, from 1) into an unknown state. */
bool tacRecordVocabularyLost(tacRecord *r, const tacRecordLoss *loss) {
    while (loss->since != TAC_UNKNOWN && loss->sensor->own[1]) {
        Task *task = &r->vocabulary->tasks.at[loss->sensor->own[1] - 1];
        if (!tacRecordRow(r, loss->since, TAC_EV_JOB_UNKNOWN, task->live, TAC_NONE, TAC_NO_PROCESSOR)) return false;
        task->lost = task->live;
        forget(r, task);
    }
    return tacRecordKeepLoss(r, loss);
}

bool tacRecordVocabularyFinish(tacRecord *r) {
    tacRecordVocabulary *v = r->vocabulary;
    if (!v) return true;
    for (size_t i = 0; i < v->tasks.count; i++)
        while (v->tasks.at[i].marks != TAC_NONE) dismiss(r, &v->tasks.at[i].marks);
    if (v->unknown)
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "VOCABULARY",
            "%llu elements are left out: this version does not know what they mean", (unsigned long long) v->unknown);
    return true;
}
