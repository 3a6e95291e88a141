/*
 * store.h -- the events of a trace as columns, and the objects that they name.
 *
 * Life of a store: (1) the sink (trace/apply.h) appends to it in file order; (2) it is frozen once (tacStoreFreeze in
 * trace/freeze.h): ids are resolved, rows with unknown ids dropped, clocks mapped, rows sorted by time, equal times
 * kept in file order; (3) it is read.
 *
 * Invariants of a frozen store:
 *   1. times ascend with the row; equal times stand in file order.
 *   2. every object index in a row is that of a defined object; every job in a row has a task (jobTask). Jobs that no
 *      row names may have none.
 *   3. all times are ticks of 10^-digits on the reference clock, below TAC_TIME_LIMIT.
 *
 * Columns are read only by the inline functions below, since two of them have another form in a frozen store: times are
 * packed into 32 bits and a base for each block of rows, unless a block spans more; and there is no column of
 * processors when no row names one.
 */
#ifndef TAC_TRACE_STORE_H
#define TAC_TRACE_STORE_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/progress.h"
#include "trace/vocab.h"

#define TAC_NO_PROCESSOR UINT16_MAX

/* A value of an option: of an event (owner: row) or of a definition (owner: object index). Its type is
 * tacOptions[option].type. */
typedef struct tacOptionValue {
    uint32_t owner;
    uint32_t option; /* tacOption */
    int64_t value;
} tacOptionValue;

/* A named object of any kind but job. */
typedef struct tacObject {
    uint32_t line;      /* of its definition; 0: only mentioned (after freezing no row names it) */
    uint32_t name;      /* shown name: string id; TAC_NONE before freezing: none given */
    int32_t priority;   /* of tasks and servers; 0 for others */
    uint16_t processor; /* of tasks, servers, mutexes: processor index or TAC_NO_PROCESSOR */
    uint32_t order;     /* of its definition among all definitions: 0, 1, ... */
    int64_t capacity;   /* server: ticks, TAC_UNKNOWN before freeze when not given; buffer: elements */
    int64_t budget;     /* server: initial budget in ticks */
    int64_t C, D, T;    /* task: ticks; TAC_UNKNOWN when not given */
    bool isr, softirq;  /* task -kind isr or softirq (both are isr); softirq */
    bool several;       /* task -kind several */
} tacObject;

typedef TAC_ARRAY(tacOptionValue) tacOptionArray;

/* The newJob of a job; few jobs have one, so this is no column of all jobs. */
typedef struct tacJobDefinition {
    uint32_t job, line;
} tacJobDefinition;

/* A number as written, mantissa * 10^-digits, that the present scale of times does not hold (trace/times.h). */
typedef struct tacMisfit {
    int64_t mantissa;
    int digits;
    uint32_t text; /* string id of its word, if it has more digits than that; else TAC_NONE */
} tacMisfit;

/* Bytes that the model of a store needs while it is made: upper bounds, so that a trace that can be read within the
 * limit can also be shown within it. */
typedef struct tacStoreWeights {
    const uint16_t *rows;    /* by tacEvent */
    const uint16_t *objects; /* by tacKind */
} tacStoreWeights;

typedef struct tacStore {
    /* events: one row each */
    TAC_ARRAY(int64_t) time; /* ticks; empty when they are packed: */
    uint32_t *delta; /* ticks since the beginning of the row's block of TAC_PACK rows; NULL: not packed, see `time` */
    int64_t *base;   /* by block: ticks of its first row */
    TAC_ARRAY(uint8_t) event; /* tacEvent; bit 7: has options */
    TAC_ARRAY(uint16_t)
    processor;                   /* as written by -processor, or where a sync event happened; else TAC_NO_PROCESSOR.
                                  * Frozen: no array (`at` is NULL) when no row names one */
    TAC_ARRAY(uint32_t) subject; /* first argument: object index or string id, by its type in tacEvents */
    TAC_ARRAY(uint32_t)
    object; /* second argument: object index, string id, (int32_t) INTEGER, or index into numbers for TIME;
             * of jobPreempted, jobBlocked and jobCompleted: the -target job; of messages: see tacMessageSaid. TAC_NONE:
             * not given */
    TAC_ARRAY(uint32_t) line;   /* in the file */
    TAC_ARRAY(int64_t) numbers; /* ticks: TIME arguments after the first (budgets, end times) */
    tacOptionArray options;     /* of events, sorted by owner after freeze */

    /* objects */
    tacInternTable ids[TAC_KINDS];           /* object index = intern id */
    TAC_ARRAY(tacObject) objects[TAC_KINDS]; /* by index; none for TAC_JOB */
    tacOptionArray objectOptions[TAC_KINDS]; /* all options of definitions as written; sorted by owner after freeze */
    uint32_t *named[TAC_KINDS][2];           /* sorted by ids and names (trace/named.h); NULL: not asked for yet */
    TAC_ARRAY(uint32_t) jobTask;             /* by job index: task index, or TAC_NONE before freeze */
    TAC_ARRAY(tacJobDefinition) jobDefinitions; /* of newJob, in order of the file */
    tacInternTable strings;                     /* messages, colours, names ... */

    /* times */
    bool sourceLines; /* lines are those of the file that the trace was made of (command sourceLine) */
    bool ruled;       /* tasks have deadlines by a mapping, of which the recording has no events */
    const char *unit; /* that a time of 1 means, "s"; NULL: not known */
    int digits;       /* decimals of a tick */
    int wantedDigits; /* decimals at least, if that refuses no time; set together with `digits` at the start */
    int64_t largest;  /* largest |ticks| of all times so far */
    TAC_ARRAY(tacMisfit) misfits; /* until it is frozen: numbers that have stand-ins, see trace/times.h */
    size_t misfitsMost;           /* with more of them, the scale is chosen anew */
    uint32_t nDefinitions;        /* for tacObject.order */

    /* settings that the trace overrides (plot.timeUnit 4 ...) and ids to hide: pairs name, value; both string ids */
    TAC_ARRAY(uint32_t) settings;
    TAC_ARRAY(uint32_t) ignored; /* string ids of `ignore string` */

    uint64_t eventLimit;            /* 0: none (up to 2^32 - 2) */
    uint64_t byteLimit;             /* of all columns and names, and of their model; 0: none */
    const tacStoreWeights *weights; /* of the model; NULL: none is made */
    uint64_t rowBytes;              /* of the model for the first `weighed` rows */
    uint32_t weighed;
    uint64_t besides;      /* bytes of the writer of the store that grow with it */
    uint64_t readerBytes;  /* of the tables that the reader of a recording has for itself (tacStoreReader) */
    uint64_t fresh;        /* bytes of names and definitions since the last check of the limit, at least */
    bool frozen, sorted;   /* sorted: appended in time order so far */
    bool hasHidden;        /* some annotation is -hidden */
    tacProgress *progress; /* of making the store and its model, or NULL: see tacStoreProgress */
} tacStore;

_Static_assert(TAC_EVENTS <= 0x7f, "an event has 7 bits");
enum {
    TAC_HAS_OPTIONS = 0x80,
    TAC_PACK = 256,
    TAC_MISFITS = 1024 /* numbers set apart, at least, before the scale is chosen anew */
};

void tacStoreInit(tacStore *store);
void tacStoreFree(tacStore *store);
/* Sets the progress of making the store and its model, also of its tables of names; NULL: none. */
void tacStoreProgress(tacStore *store, tacProgress *progress);
uint64_t tacStoreBytes(const tacStore *store); /* memory held */
uint64_t tacStoreNeed(tacStore *store);        /* and what `weights` and `besides` add */
/* What the limit leaves for questions to a trace that is read: the rest, at least a quarter of it and 32 MB; 0: any.
 * With before: the model is still to be made, in the same time. */
uint64_t tacStoreRoom(const tacStore *store, bool before);

static inline uint32_t tacStoreCount(const tacStore *s) { return (uint32_t) s->line.count; }
static inline int64_t tacRowTime(const tacStore *s, uint32_t row) {
    return TAC_LIKELY(s->delta != NULL) ? s->base[row / TAC_PACK] + s->delta[row] : s->time.at[row];
}
static inline tacEvent tacRowEvent(const tacStore *s, uint32_t row) { return (tacEvent) (s->event.at[row] & 0x7f); }
static inline bool tacRowHasOptions(const tacStore *s, uint32_t row) {
    return (s->event.at[row] & TAC_HAS_OPTIONS) != 0;
}
static inline uint16_t tacRowProcessor(const tacStore *s, uint32_t row) {
    return s->processor.at ? s->processor.at[row] : TAC_NO_PROCESSOR;
}
static inline uint32_t tacRowSubject(const tacStore *s, uint32_t row) { return s->subject.at[row]; }
static inline uint32_t tacRowObject(const tacStore *s, uint32_t row) { return s->object.at[row]; }
static inline uint32_t tacRowLine(const tacStore *s, uint32_t row) { return s->line.at[row]; }

/* Prefetches a row's event and time, for a pass over rows that are far from one another. */
static inline void tacRowPrefetch(const tacStore *s, uint32_t row) {
    TAC_PREFETCH(&s->event.at[row]);
    if (TAC_LIKELY(s->delta != NULL)) TAC_PREFETCH(&s->delta[row]);
    else TAC_PREFETCH(&s->time.at[row]);
}

/* The second argument of a row as ticks (for events whose second argument is a TIME). */
static inline int64_t tacRowNumber(const tacStore *s, uint32_t row) { return s->numbers.at[s->object.at[row]]; }

/*
 * The options -task, -from and -shape none of a message are bits of its column `object`, since recordings of kernels
 * have very many messages with them: the task's index (all bits: none), 3 - tacFrom, and a bit that is 0 for a message
 * that is not drawn. So TAC_NONE says nothing.
 */
enum { TAC_MESSAGE_TASK = (1 << 28) - 1, TAC_MESSAGE_FROM = 28, TAC_MESSAGE_DRAWN = 30 };

/* The column of a message; task TAC_NONE: no one's, as are those that the bits do not hold. */
static inline uint32_t tacMessageSaid(uint32_t task, tacFrom from, bool drawn) {
    return (uint32_t) 1 << 31 | (uint32_t) drawn << TAC_MESSAGE_DRAWN | (uint32_t) (3 - from) << TAC_MESSAGE_FROM
        | (task < TAC_MESSAGE_TASK ? task : TAC_MESSAGE_TASK);
}
/* Of a row that is a message: the task that wrote it, or TAC_NONE; what recorded it; is it drawn? */
static inline uint32_t tacMessageTask(const tacStore *s, uint32_t row) {
    uint32_t task = s->object.at[row] & TAC_MESSAGE_TASK;
    return task == TAC_MESSAGE_TASK ? TAC_NONE : task;
}
static inline tacFrom tacMessageFrom(const tacStore *s, uint32_t row) {
    return (tacFrom) (~s->object.at[row] >> TAC_MESSAGE_FROM & 3);
}
static inline bool tacMessageDrawn(const tacStore *s, uint32_t row) {
    return (s->object.at[row] >> TAC_MESSAGE_DRAWN & 1) != 0;
}
/* What recorded a row of any event: -from. For annotations it is searched among the options. */
tacFrom tacRowFrom(const tacStore *store, uint32_t row);
/* Does the system call of an annotation return at its end? Else the recording or the thread ends there. */
bool tacRowReturns(const tacStore *store, uint32_t row);

/* The value of an option of a row (or of a definition), the last one if it was given twice; false: it was not given. */
bool tacRowOption(const tacStore *store, uint32_t row, tacOption option, int64_t *value);
bool tacObjectOption(const tacStore *store, tacKind kind, uint32_t index, tacOption option, int64_t *value);
/* The count of the semaphore of an event after it: that of -state, else one less or more. */
int64_t tacSemaphoreCount(const tacStore *store, uint32_t row, int64_t before);
/* Has a task -hidden? */
static inline bool tacTaskHidden(const tacStore *store, uint32_t task) {
    int64_t hidden;
    return tacObjectOption(store, TAC_TASK, task, TAC_OPT_HIDDEN, &hidden);
}
/* An option that is a string, as text; NULL: it was not given. */
const char *tacRowText(const tacStore *store, uint32_t row, tacOption option);
const char *tacObjectText(const tacStore *store, tacKind kind, uint32_t index, tacOption option);

/* Is a row drawn, if its event is drawn at all? Messages and annotations may be hidden. */
static inline bool tacRowDrawn(const tacStore *s, uint32_t row) {
    int64_t hidden;
    if (tacRowEvent(s, row) == TAC_EV_MESSAGE) return tacMessageDrawn(s, row);
    return TAC_LIKELY(!s->hasHidden) || !tacRowOption(s, row, TAC_OPT_STRETCH_HIDDEN, &hidden);
}

/* The value of a setting in the trace, the last one; NULL: the trace does not set it. */
const char *tacStoreSetting(const tacStore *store, const char *name);

/* Index in store->options of the first option of a row or of the rows after it (frozen store). */
size_t tacRowFirstOption(const tacStore *store, uint32_t row);

/* First row at or after `time` (frozen store); tacStoreCount: there is none. */
uint32_t tacStoreFind(const tacStore *store, int64_t time);
/* The same when that row is known to be at or after row `low`, and is probably about `step` behind it. */
uint32_t tacStoreFindFrom(const tacStore *store, int64_t time, uint32_t low, uint32_t step);

static inline uint32_t tacStoreObjects(const tacStore *s, tacKind kind) {
    return (uint32_t) tacInternCount(&s->ids[kind]);
}
static inline const char *tacObjectId(const tacStore *s, tacKind kind, uint32_t index) {
    return tacInternName(&s->ids[kind], index, NULL);
}
static inline const char *tacString(const tacStore *s, uint32_t id) { return tacInternName(&s->strings, id, NULL); }
/* The name of an object that is shown: its -name, else its id. */
const char *tacObjectName(const tacStore *store, tacKind kind, uint32_t index);

/* Appends a row without options; TAC_NONE: no memory or a limit, err says which. */
uint32_t tacStoreAppend(tacStore *store, int64_t ticks, tacEvent event, uint32_t subject, uint32_t object,
    uint16_t processor, uint32_t line, tacError *err);
/* Checks the limit of memory, for writers of anything but rows; called when tacStoreCharge says so. */
tacStatus tacStoreCheck(tacStore *store, uint32_t line, tacError *err);
/* Notes the bytes of a reader's own tables, and checks the limit of memory when they have grown; for each so many
 * lines.
 */
tacStatus tacStoreReader(tacStore *store, uint64_t bytes, uint32_t line, tacError *err);
enum { TAC_READER_LINES = 1 << 10 }; /* a power of two */
/* Counts bytes added to names, definitions and all that grows with a trace. true: tacStoreCheck is due. */
static inline bool tacStoreCharge(tacStore *store, size_t bytes) {
    enum { INTERVAL = 1 << 18 };
    return TAC_UNLIKELY((store->fresh += bytes) > INTERVAL);
}
/* Adds an option to a row. False: no memory. */
bool tacStoreAddOption(tacStore *store, uint32_t row, tacOption option, int64_t value);
/* Id of a text; TAC_NONE: no memory. */
uint32_t tacStoreString(tacStore *store, const char *text, size_t length);
/* Index of an object, mentioned for the first time or known; TAC_NONE: no memory. */
uint32_t tacStoreObject(tacStore *store, tacKind kind, const char *id, size_t length);
/* The same for a job whose id the caller knows to be new, without a look-up. */
uint32_t tacStoreNewJob(tacStore *store, const char *id, size_t length);

#endif
