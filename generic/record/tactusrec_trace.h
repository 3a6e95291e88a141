/*
 * tactusrec_trace.h -- ready-made sensors for the vocabulary of tactus_trace(5): tasks, jobs, mutexes, servers,
 * buffers, processors, marks. A program, or the port of an operating system, that calls them yields a trace without a
 * mapping.
 *
 *      tacrec_traceOpen(&directory, NULL);                         once
 *      uint32_t control = tacrec_newTask("control", NULL);         a name, kept for good
 *      tacrec_thisTask(control);                                   in its thread
 *
 *      tacrec_job job = tacrec_jobOf(control, ++n);                each time
 *      tacrec_jobArrived(job);
 *      tacrec_jobStarted(job);
 *      tacrec_jobCompleted(job);
 *
 * Three sensors have it all: tactus.objects (names and parameters; lasting), tactus.events (small elements, a ring for
 * each thread), tactus.texts. tactusrec_trace(3) describes functions and elements.
 */
#ifndef TACTUSREC_TRACE_H
#define TACTUSREC_TRACE_H

#include "tactusrec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does every thread find its own rings by itself? Else (-ffreestanding) there is one context, or TACREC_HERE. */
#ifndef TACREC_HOSTED
#define TACREC_HOSTED __STDC_HOSTED__
#endif

enum {
    TACREC_TRACE_BYTES = 64 << 20, /* a good size of a directory; memory is taken by the threads that write */
    TACREC_OBJECT_NAME = 64,       /* bytes of a name, with the 0 at its end */
    TACREC_TEXT_MOST = 120,        /* bytes of a text, likewise */
    TACREC_TOLD = 8,               /* tasks that are said to be of a thread, at most */
    TACREC_ANYWHERE = 0xffff       /* instead of the number of a processor: not known */
};

/* ---- elements ---------------------------------------------------------------------------------------------------- */

typedef enum tacrec_objectKind {
    TACREC_TASK = 1,
    TACREC_SERVER,
    TACREC_MUTEX,
    TACREC_SEMAPHORE,
    TACREC_BUFFER,
    TACREC_MARK_NAME,     /* of a mark, a stretch or a counter */
    TACREC_PROCESSOR,     /* the name of `processor` */
    TACREC_THREAD_OF_TASK /* `thread` runs the task `of` from now on */
} tacrec_objectKind;

typedef enum tacrec_objectFlags {
    TACREC_ISR = 1,     /* task: an interrupt service routine */
    TACREC_SOFTIRQ = 2, /* task: the deferred work of one */
    TACREC_HIDDEN = 4,  /* task: it has no row */
    TACREC_BOUND = 8    /* `processor` counts: it belongs there */
} tacrec_objectFlags;

/* An element of tactus.objects. Times are in nanoseconds, 0: not said. */
typedef struct tacrec_object {
    uint32_t id; /* from 1 */
    uint32_t kind;
    uint32_t of, thread; /* THREAD_OF_TASK */
    int32_t priority;    /* of tasks and servers: a lower value stands in a higher row; buffer: its place among them */
    uint16_t processor, flags;
    uint64_t period, deadline; /* task: T, D */
    uint64_t budget;           /* task: C; server: at the beginning */
    uint64_t capacity;         /* server: in nanoseconds; buffer: in elements */
    char name[TACREC_OBJECT_NAME];
    char group[32];
    char color[24];
} tacrec_object;

/*
 * Kinds of events, as elements have them: numbers that stay as they are. Behind each, what else is said. A job is its
 * task, in the upper 32 bits, and its number. Times are in nanoseconds of the clock that the hook is
 * (CLOCK_MONOTONIC); 0 stands for the time of the element.
 */
typedef enum tacrec_code {
    TACREC_JOB_ARRIVED = 1,         /* subject: job; value: time */
    TACREC_JOB_STARTED,             /* subject: job */
    TACREC_JOB_RESUMED,             /* subject: job */
    TACREC_JOB_PREEMPTED,           /* subject: job; value: the job that takes over, or 0 */
    TACREC_JOB_BLOCKED,             /* likewise */
    TACREC_JOB_COMPLETED,           /* likewise */
    TACREC_JOB_READY,               /* subject: job */
    TACREC_JOB_UNKNOWN,             /* subject: job */
    TACREC_JOB_ABANDONED,           /* subject: job */
    TACREC_JOB_DEADLINE,            /* subject: job; value: time */
    TACREC_TASK_ARRIVED,            /* object: task; value: time */
    TACREC_TASK_IGNORED,            /* object: task; value: time of an arrival without effect */
    TACREC_TASK_DEADLINE,           /* object: task; value: time */
    TACREC_JOB_ACQUIRED_MUTEX,      /* subject: job; object: mutex */
    TACREC_JOB_RELEASED_MUTEX,      /* likewise */
    TACREC_JOB_ACQUIRED_SEMAPHORE,  /* subject: job; object: semaphore; value: its count after it, or less than 0 */
    TACREC_JOB_SUSPENDED_SEMAPHORE, /* likewise */
    TACREC_JOB_RELEASED_SEMAPHORE,  /* likewise */
    TACREC_SERVER_REPLENISHED,      /* object: server; value: budget in nanoseconds */
    TACREC_SERVER_RESUMED,          /* object: server */
    TACREC_SERVER_PREEMPTED,        /* object: server */
    TACREC_SERVER_DEPLETED,         /* object: server */
    TACREC_PROCESSOR_UNKNOWN,       /* object: number of the processor */
    TACREC_PROCESSOR_IDLE,          /* likewise */
    TACREC_MARK,                    /* object: name; subject: task, in the upper 32 bits */
    TACREC_BEGIN,                   /* likewise */
    TACREC_END,                     /* likewise */
    TACREC_COUNT,                   /* likewise; value */
    TACREC_SYNC_SENT,               /* object: number of the sending processor; value: of the other one; subject: id */
    TACREC_SYNC_RECEIVED,           /* likewise */
    TACREC_BUFFER_PUSH,             /* object: buffer; subject: data, a signed number */
    TACREC_BUFFER_POP,              /* object: buffer */
    TACREC_BUFFER_INSERT,           /* object: buffer; subject: data; value: index */
    TACREC_BUFFER_DROP,             /* object: buffer; value: index */
    TACREC_BUFFER_RESIZE,           /* object: buffer; value: elements */
    TACREC_BUFFER_RESET,            /* of all buffers */
    TACREC_MESSAGE,                 /* a text */
    TACREC_INTERVAL,                /* a text: of what begins here */
    TACREC_TASK_ANNOTATION,         /* object: name, or 0; subject: task, in the upper 32 bits, and arrow; value: end */
    TACREC_PROFILE,                 /* object: name; subject: cycles; value: instructions */
    TACREC_BUFFER_STRUCTURE,        /* a text: numbers of a task, a buffer, a task ... */
    TACREC_RELTEQ                   /* a text: name and words of an event of the Relteq extension */
} tacrec_code;

/* Heads of an annotation's arrow. */
typedef enum tacrec_arrow { TACREC_NO_ARROW, TACREC_ARROW_FIRST, TACREC_ARROW_LAST, TACREC_ARROW_BOTH } tacrec_arrow;

/* An element of tactus.events. */
typedef struct tacrec_event {
    uint16_t code;
    uint16_t processor; /* on which it was written */
    uint32_t object;
    uint64_t subject;
    int64_t value;
} tacrec_event;

/* An element of tactus.texts. */
typedef struct tacrec_text {
    uint16_t code, processor;
    uint32_t task; /* of whoever wrote it; 0: of none */
    char text[TACREC_TEXT_MOST];
} tacrec_text;

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Room of the three sensors; 0: a share of the directory. */
typedef struct tacrec_traceLayout {
    uint32_t objects; /* names in all */
    uint32_t threads; /* at a time; bare: 0, one ring for all, which hooks keep apart */
    uint32_t events;  /* of each thread's ring */
    uint32_t texts;   /* likewise */
} tacrec_traceLayout;

/*
 * Adds the sensors to the directory, before anything else here is called: what is named before has no name. False:
 * there is no room, or there is a trace already; all else may be called as if there were one. layout NULL: all 0.
 */
bool tacrec_traceOpen(tacrec_directory *directory, const tacrec_traceLayout *layout);
/* Ends the trace before its directory is closed. No other thread writes events then. */
void tacrec_traceClose(void);

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* What may be said of an object besides its name; zeros: not said. As in tacrec_object; texts are copied. */
typedef struct tacrec_said {
    int32_t priority;
    uint16_t processor, flags;
    uint64_t period, deadline, budget, capacity;
    const char *group, *color;
} tacrec_said;

/*
 * Names an object (as many bytes as TACREC_OBJECT_NAME holds) for good, and returns its number. 0, which may be used
 * likewise: there is no room, or no trace; it is seen without a name. said may be NULL.
 */
uint32_t tacrec_newObject(tacrec_objectKind kind, const char *name, const tacrec_said *said);

static inline uint32_t tacrec_newTask(const char *name, const tacrec_said *said) {
    return tacrec_newObject(TACREC_TASK, name, said);
}
static inline uint32_t tacrec_newServer(const char *name, const tacrec_said *said) {
    return tacrec_newObject(TACREC_SERVER, name, said);
}
static inline uint32_t tacrec_newMutex(const char *name, const tacrec_said *said) {
    return tacrec_newObject(TACREC_MUTEX, name, said);
}
static inline uint32_t tacrec_newSemaphore(const char *name, const tacrec_said *said) {
    return tacrec_newObject(TACREC_SEMAPHORE, name, said);
}
static inline uint32_t tacrec_newBuffer(const char *name, const tacrec_said *said) {
    return tacrec_newObject(TACREC_BUFFER, name, said);
}
/* The name of a mark, of a stretch from tacrec_begin to tacrec_end, or of a counter. */
static inline uint32_t tacrec_newMark(const char *name) { return tacrec_newObject(TACREC_MARK_NAME, name, NULL); }
/* Processors have numbers, from 0. This gives one a name. */
void tacrec_nameProcessor(uint16_t processor, const char *name);
/* The calling thread runs this task from now on: marks are the task's, as what the kernel says of the thread is. That
 * takes the room of a name, once for each of the thread's first TACREC_TOLD tasks. */
void tacrec_thisTask(uint32_t task);

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* What a thread writes by; on a bare machine, all do by one. */
typedef struct tacrec_context {
    tacrec_sensor events, texts;
    const uint32_t *processor;             /* number of the processor, now; numbers that do not fit: TACREC_ANYWHERE */
    uint32_t thread;                       /* number of the thread; 0: not known */
    uint32_t task;                         /* that runs; 0: none */
    uint32_t toldCount, told[TACREC_TOLD]; /* tasks of which was said that this thread runs them */
} tacrec_context;

#if TACREC_HOSTED
extern __thread tacrec_context *tacrec_here __attribute__((tls_model("initial-exec")));
/* Gives the calling thread its rings, which its first event does otherwise. Calls the system. */
tacrec_context *tacrec_thread(void);
#ifndef TACREC_HERE
#define TACREC_HERE (tacrec_here ? tacrec_here : tacrec_thread())
#endif
#else
extern tacrec_context tacrec_only;
#ifndef TACREC_HERE
#define TACREC_HERE (&tacrec_only)
#endif
#endif

/*
 * Gives a context rings, under a number that is not 0: for machines on which threads or processors do not find their
 * context by themselves, which then define TACREC_HERE. *processor is read at each event; NULL: not known. False: no
 * ring is free; the context may be written all the same.
 */
bool tacrec_contextBegin(tacrec_context *context, uint32_t thread, const uint32_t *processor);
void tacrec_contextEnd(tacrec_context *context);

/* Writes an event by a context. */
static inline void tacrec_putBy(
    tacrec_context *here, tacrec_code code, uint32_t object, uint64_t subject, int64_t value) {
    tacrec_event *event = (tacrec_event *) tacrec_write(&here->events);
    event->code = (uint16_t) code;
    event->processor = (uint16_t) __atomic_load_n(here->processor, __ATOMIC_RELAXED);
    event->object = object;
    event->subject = subject;
    event->value = value;
    tacrec_commit(&here->events, event);
}
/* Writes an event; what its numbers mean stands beside its code. */
static inline void tacrec_put(tacrec_code code, uint32_t object, uint64_t subject, int64_t value) {
    tacrec_putBy(TACREC_HERE, code, object, subject, value);
}
/* The same of the task that runs. */
static inline void tacrec_putOfTask(tacrec_code code, uint32_t name, int64_t value) {
    tacrec_context *here = TACREC_HERE;
    tacrec_putBy(here, code, name, (uint64_t) here->task << 32, value);
}

/* A job: of this task, with this number, which no other of its jobs has. */
typedef uint64_t tacrec_job;
static inline tacrec_job tacrec_jobOf(uint32_t task, uint32_t number) { return (uint64_t) task << 32 | number; }

static inline void tacrec_jobArrived(tacrec_job job) { tacrec_put(TACREC_JOB_ARRIVED, 0, job, 0); }
/* Released earlier, or later: at a time in nanoseconds, as a timer was set to it. */
static inline void tacrec_jobArrivedAt(tacrec_job job, uint64_t time) {
    tacrec_put(TACREC_JOB_ARRIVED, 0, job, (int64_t) time);
}
static inline void tacrec_jobStarted(tacrec_job job) { tacrec_put(TACREC_JOB_STARTED, 0, job, 0); }
static inline void tacrec_jobResumed(tacrec_job job) { tacrec_put(TACREC_JOB_RESUMED, 0, job, 0); }
/* target: the job that takes over, or 0. */
static inline void tacrec_jobPreempted(tacrec_job job, tacrec_job target) {
    tacrec_put(TACREC_JOB_PREEMPTED, 0, job, (int64_t) target);
}
static inline void tacrec_jobBlocked(tacrec_job job, tacrec_job target) {
    tacrec_put(TACREC_JOB_BLOCKED, 0, job, (int64_t) target);
}
static inline void tacrec_jobCompleted(tacrec_job job) { tacrec_put(TACREC_JOB_COMPLETED, 0, job, 0); }
static inline void tacrec_jobReady(tacrec_job job) { tacrec_put(TACREC_JOB_READY, 0, job, 0); }
static inline void tacrec_jobUnknown(tacrec_job job) { tacrec_put(TACREC_JOB_UNKNOWN, 0, job, 0); }
static inline void tacrec_jobAbandoned(tacrec_job job) { tacrec_put(TACREC_JOB_ABANDONED, 0, job, 0); }
/* It is due at this time, in nanoseconds. */
static inline void tacrec_jobDeadline(tacrec_job job, uint64_t time) {
    tacrec_put(TACREC_JOB_DEADLINE, 0, job, (int64_t) time);
}

static inline void tacrec_taskArrived(uint32_t task) { tacrec_put(TACREC_TASK_ARRIVED, task, 0, 0); }
static inline void tacrec_taskArrivedAndIgnored(uint32_t task) { tacrec_put(TACREC_TASK_IGNORED, task, 0, 0); }
static inline void tacrec_taskDeadline(uint32_t task, uint64_t time) {
    tacrec_put(TACREC_TASK_DEADLINE, task, 0, (int64_t) time);
}

static inline void tacrec_jobAcquiredMutex(tacrec_job job, uint32_t mutex) {
    tacrec_put(TACREC_JOB_ACQUIRED_MUTEX, mutex, job, 0);
}
static inline void tacrec_jobReleasedMutex(tacrec_job job, uint32_t mutex) {
    tacrec_put(TACREC_JOB_RELEASED_MUTEX, mutex, job, 0);
}
/* count: of the semaphore, after it; -1: not known. */
static inline void tacrec_jobAcquiredSemaphore(tacrec_job job, uint32_t semaphore, int32_t count) {
    tacrec_put(TACREC_JOB_ACQUIRED_SEMAPHORE, semaphore, job, count);
}
static inline void tacrec_jobSuspendedOnSemaphore(tacrec_job job, uint32_t semaphore, int32_t count) {
    tacrec_put(TACREC_JOB_SUSPENDED_SEMAPHORE, semaphore, job, count);
}
static inline void tacrec_jobReleasedSemaphore(tacrec_job job, uint32_t semaphore, int32_t count) {
    tacrec_put(TACREC_JOB_RELEASED_SEMAPHORE, semaphore, job, count);
}

/* budget: in nanoseconds. */
static inline void tacrec_serverReplenished(uint32_t server, uint64_t budget) {
    tacrec_put(TACREC_SERVER_REPLENISHED, server, 0, (int64_t) budget);
}
static inline void tacrec_serverResumed(uint32_t server) { tacrec_put(TACREC_SERVER_RESUMED, server, 0, 0); }
static inline void tacrec_serverPreempted(uint32_t server) { tacrec_put(TACREC_SERVER_PREEMPTED, server, 0, 0); }
static inline void tacrec_serverDepleted(uint32_t server) { tacrec_put(TACREC_SERVER_DEPLETED, server, 0, 0); }

static inline void tacrec_processorUnknown(uint16_t processor) {
    tacrec_put(TACREC_PROCESSOR_UNKNOWN, processor, 0, 0);
}
static inline void tacrec_processorIdle(uint16_t processor) { tacrec_put(TACREC_PROCESSOR_IDLE, processor, 0, 0); }

/* A mark, by its name; of the task that runs. */
static inline void tacrec_mark(uint32_t name) { tacrec_putOfTask(TACREC_MARK, name, 0); }
/* A stretch of the task begins, and ends: they nest. */
static inline void tacrec_begin(uint32_t name) { tacrec_putOfTask(TACREC_BEGIN, name, 0); }
static inline void tacrec_end(uint32_t name) { tacrec_putOfTask(TACREC_END, name, 0); }
/* The value of a counter, from now on. */
static inline void tacrec_count(uint32_t name, int64_t value) { tacrec_putOfTask(TACREC_COUNT, name, value); }

/* A text (of tacrec_newMark, or 0) above the task, from now to a time in nanoseconds, and an arrow between both. */
static inline void tacrec_taskAnnotation(uint32_t task, uint64_t end, uint32_t text, tacrec_arrow arrow) {
    tacrec_put(TACREC_TASK_ANNOTATION, text, (uint64_t) task << 32 | (uint64_t) arrow, (int64_t) end);
}
/* What something of this name took. */
static inline void tacrec_profile(uint32_t name, uint64_t cycles, uint64_t instructions) {
    tacrec_put(TACREC_PROFILE, name, cycles, (int64_t) instructions);
}

/* A message between clocks of two processors: each side writes one, with the same id. */
static inline void tacrec_syncSent(uint16_t source, uint16_t target, uint32_t id) {
    tacrec_put(TACREC_SYNC_SENT, source, id, target);
}
static inline void tacrec_syncReceived(uint16_t source, uint16_t target, uint32_t id) {
    tacrec_put(TACREC_SYNC_RECEIVED, source, id, target);
}

static inline void tacrec_bufferPush(uint32_t buffer, int64_t data) {
    tacrec_put(TACREC_BUFFER_PUSH, buffer, (uint64_t) data, 0);
}
static inline void tacrec_bufferPop(uint32_t buffer) { tacrec_put(TACREC_BUFFER_POP, buffer, 0, 0); }
/* index: 0 is the head. */
static inline void tacrec_bufferInsert(uint32_t buffer, int64_t data, uint32_t index) {
    tacrec_put(TACREC_BUFFER_INSERT, buffer, (uint64_t) data, index);
}
static inline void tacrec_bufferDrop(uint32_t buffer, uint32_t index) {
    tacrec_put(TACREC_BUFFER_DROP, buffer, 0, index);
}
static inline void tacrec_bufferResize(uint32_t buffer, uint32_t elements) {
    tacrec_put(TACREC_BUFFER_RESIZE, buffer, 0, elements);
}
static inline void tacrec_bufferReset(void) { tacrec_put(TACREC_BUFFER_RESET, 0, 0, 0); }

/* The chain of tasks and buffers that is drawn: a task, a buffer, a task ... False: it is not said, since its numbers
 * have too many digits; some twenty always fit. */
bool tacrec_bufferStructure(const uint32_t *chain, uint32_t count);

/* A text of the task that runs; cut at a whole character after TACREC_TEXT_MOST - 1 bytes. */
void tacrec_message(const char *text);
/* The same, of what begins here, on all rows. */
void tacrec_interval(const char *text);
/* Name and words of an event of the Relteq extension. */
void tacrec_relteqEvent(const char *words);

#ifdef __cplusplus
}
#endif

#endif
