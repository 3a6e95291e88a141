/*
 * store.h -- the events of one trace, as columns, and the objects they speak of.
 *
 * Life of a store: (1) appended to by the sink (trace/apply.h) in file order; (2) frozen once (tacStoreFreeze in
 * trace/freeze.h): ids resolved, rows with unknown ids dropped, clocks mapped, rows sorted by time, equal times kept in
 * file order; (3) read.
 *
 * Invariants of a frozen store:
 *   1. times ascend with the row; equal times stand in file order.
 *   2. every object index in a row is that of a defined object; every job in a row has a task (jobTask), and one that
 * no row names may have none.
 *   3. all times are ticks of 10^-digits on the reference clock, below TAC_TIME_LIMIT.
 *
 * Columns are reached only by the inline functions below, so that they may come from elsewhere one day. Two do: the
 * times of a frozen store are packed into 32 bits and a base for each block of rows, where no block spans more; and a
 * column of processors that no row names is not kept.
 */
#ifndef TAC_TRACE_STORE_H
#define TAC_TRACE_STORE_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/progress.h"
#include "trace/vocab.h"

#define TAC_NO_PROCESSOR UINT16_MAX

/* A value of an option: of an event (owner: row) or of a definition (owner: object index). What it means is in
 * tacOptions[option].type. */
typedef struct tacOptionValue {
    uint32_t owner;
    uint32_t option; /* tacOption */
    int64_t value;
} tacOptionValue;

/* A named object of any kind but job. */
typedef struct tacObject {
    uint32_t line;      /* of its definition; 0: only mentioned (after freeze: not defined, used by no row) */
    uint32_t name;      /* display name: string id, never TAC_NONE after freeze */
    int32_t priority;   /* tasks, servers; 0 */
    uint16_t processor; /* tasks, servers, mutexes: processor index or TAC_NO_PROCESSOR */
    uint32_t order;     /* of definition among all definitions: 0, 1, ... */
    int64_t capacity;   /* server: ticks, TAC_UNKNOWN before freeze when not given; buffer: elements */
    int64_t budget;     /* server: initial budget in ticks */
    int64_t C, D, T;    /* task: ticks; TAC_UNKNOWN when not given */
    bool isr, softirq;  /* task -kind isr or softirq (both are isr); softirq */
} tacObject;

typedef TAC_ARRAY(tacOptionValue) tacOptionArray;

/* That a job was defined by newJob: few are, so this is not a column of all jobs. */
typedef struct tacJobDefinition {
    uint32_t job, line;
} tacJobDefinition;

/* A number as it was written, mantissa * 10^-digits, which found no room among the times so far (trace/times.h). */
typedef struct tacMisfit {
    int64_t mantissa;
    int digits;
    uint32_t text; /* string id of its word, where mantissa and digits do not say all of it; else TAC_NONE */
} tacMisfit;

/* Bytes that are needed for what is made of a store, while it is made: upper bounds, so that a trace within its memory
 * is shown within it, too. */
typedef struct tacStoreWeights {
    const uint16_t *rows;    /* by tacEvent */
    const uint16_t *objects; /* by tacKind */
} tacStoreWeights;

typedef struct tacStore {
    /* events: one row each */
    TAC_ARRAY(int64_t) time; /* ticks, while rows are appended; then mostly packed: */
    uint32_t *delta; /* ticks since the begin of the row's block of TAC_PACK rows; NULL: not packed, see `time` */
    int64_t *base;   /* by block: ticks of its first row */
    TAC_ARRAY(uint8_t) event; /* tacEvent; bit 7: has options */
    TAC_ARRAY(uint16_t)
    processor;                   /* as written by -processor, or where a sync event happened; else TAC_NO_PROCESSOR.
                                  * Frozen: no array (at is NULL) when no row names one */
    TAC_ARRAY(uint32_t) subject; /* first argument: object index or string id, by its type in tacEvents */
    TAC_ARRAY(uint32_t)
    object; /* second argument: object index, string id, (int32_t) INTEGER, or index into numbers for TIME;
             * of jobPreempted, jobBlocked and jobCompleted: the -target job. TAC_NONE: not given */
    TAC_ARRAY(uint32_t) line;   /* in the file */
    TAC_ARRAY(int64_t) numbers; /* ticks: TIME arguments after the first (budgets, end times) */
    tacOptionArray options;     /* of events, sorted by owner after freeze */

    /* objects */
    tacInternTable ids[TAC_KINDS];           /* object index = intern id */
    TAC_ARRAY(tacObject) objects[TAC_KINDS]; /* by index; none for TAC_JOB */
    tacOptionArray objectOptions[TAC_KINDS]; /* all options of definitions as written; sorted by owner after freeze */
    TAC_ARRAY(uint32_t) jobTask;             /* by job index: task index, or TAC_NONE before freeze */
    TAC_ARRAY(tacJobDefinition) jobDefinitions; /* of newJob, in order of the file */
    tacInternTable strings;                     /* messages, colours, names ... */

    /* times */
    int digits;       /* decimals of a tick */
    int wantedDigits; /* so many at least where that costs nothing; set together with `digits` at the start */
    int64_t largest;  /* |ticks| of the largest time met */
    TAC_ARRAY(tacMisfit) misfits; /* while it is written: numbers that have stand-ins; see trace/times.h */
    size_t misfitsMost;           /* when there are more, the scale is looked at again */
    uint32_t nDefinitions;        /* for tacObject.order */

    /* settings that the trace overrides (plot.timeUnit 4 ...) and ids to hide: pairs name, value; both string ids */
    TAC_ARRAY(uint32_t) settings;
    TAC_ARRAY(uint32_t) ignored; /* string ids of `ignore string` */

    uint64_t eventLimit;            /* 0: none (up to 2^32 - 2) */
    uint64_t byteLimit;             /* of all columns and names, and what is made of them; 0: none */
    const tacStoreWeights *weights; /* of what is made of them; NULL: nothing is */
    uint64_t rowBytes;              /* by these weights, of the first `weighed` rows */
    uint32_t weighed;
    uint64_t besides;      /* bytes that whoever writes the store has besides, as far as they grow with it */
    uint64_t fresh;        /* bytes of names and definitions since the limit was looked at, at least */
    bool frozen, sorted;   /* sorted: appended in time order so far */
    tacProgress *progress; /* told while the store and its model are made; NULL: nobody */
} tacStore;

_Static_assert(TAC_EVENTS <= 0x7f, "an event has 7 bits");
enum {
    TAC_HAS_OPTIONS = 0x80,
    TAC_PACK = 256,
    TAC_MISFITS = 1024 /* numbers apart, at least, before the scale is looked at again */
};

void tacStoreInit(tacStore *store);
void tacStoreFree(tacStore *store);
uint64_t tacStoreBytes(const tacStore *store); /* memory held */
uint64_t tacStoreNeed(tacStore *store);        /* ... and what `weights` and `besides` say */

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

/* Asks for the memory of a row's event and time ahead of their use: of rows far from one another, each is waited for
 * otherwise. */
static inline void tacRowPrefetch(const tacStore *s, uint32_t row) {
    TAC_PREFETCH(&s->event.at[row]);
    if (TAC_LIKELY(s->delta != NULL)) TAC_PREFETCH(&s->delta[row]);
    else TAC_PREFETCH(&s->time.at[row]);
}

/* The second argument of a row as ticks (for events whose second argument is a TIME). */
static inline int64_t tacRowNumber(const tacStore *s, uint32_t row) { return s->numbers.at[s->object.at[row]]; }

/* The value of an option of a row (or of a definition), the last one if it was given twice; false when it was not
 * given. */
bool tacRowOption(const tacStore *store, uint32_t row, tacOption option, int64_t *value);
bool tacObjectOption(const tacStore *store, tacKind kind, uint32_t index, tacOption option, int64_t *value);
/* The same for options that are strings, as text; NULL when not given. */
const char *tacRowText(const tacStore *store, uint32_t row, tacOption option);
const char *tacObjectText(const tacStore *store, tacKind kind, uint32_t index, tacOption option);

/* The value that the trace gives to a setting, the last one; NULL: it gives none. */
const char *tacStoreSetting(const tacStore *store, const char *name);

/* Place in store->options of the first option of a row, or of the rows after it (frozen store). */
size_t tacRowFirstOption(const tacStore *store, uint32_t row);

/* First row at or after `time` (frozen store); tacStoreCount when none. */
uint32_t tacStoreFind(const tacStore *store, int64_t time);
/* The same where it is known to be at or after row `low`, and probably about `step` behind it. */
uint32_t tacStoreFindFrom(const tacStore *store, int64_t time, uint32_t low, uint32_t step);

static inline uint32_t tacStoreObjects(const tacStore *s, tacKind kind) {
    return (uint32_t) tacInternCount(&s->ids[kind]);
}
static inline const char *tacObjectId(const tacStore *s, tacKind kind, uint32_t index) {
    return tacInternName(&s->ids[kind], index, NULL);
}
static inline const char *tacString(const tacStore *s, uint32_t id) { return tacInternName(&s->strings, id, NULL); }
const char *tacObjectName(const tacStore *store, tacKind kind, uint32_t index); /* display name; jobs: the -name of
                                                                                   newJob or the id */

/* Writing (by trace/apply.c and later formats): a new row without options; TAC_NONE: no memory or limit, err says
 * which. */
uint32_t tacStoreAppend(tacStore *store, int64_t ticks, tacEvent event, uint32_t subject, uint32_t object,
    uint16_t processor, uint32_t line, tacError *err);
/* Is there memory for more? For those who write anything but rows: asked now and then, when tacStoreCharge says so. */
tacStatus tacStoreCheck(tacStore *store, uint32_t line, tacError *err);
/* So many bytes were added to names, definitions or what else grows with a trace. true: time for tacStoreCheck. */
static inline bool tacStoreCharge(tacStore *store, size_t bytes) {
    enum { OFTEN = 1 << 18 };
    return TAC_UNLIKELY((store->fresh += bytes) > OFTEN);
}
bool tacStoreAddOption(tacStore *store, uint32_t row, tacOption option, int64_t value);
/* Id of a text; TAC_NONE: no memory. */
uint32_t tacStoreString(tacStore *store, const char *text, size_t length);
/* Index of an object, mentioned for the first time or known; TAC_NONE: no memory. */
uint32_t tacStoreObject(tacStore *store, tacKind kind, const char *id, size_t length);
/* A job whose id no other one has, as the caller knows: costs no look-up. */
uint32_t tacStoreNewJob(tacStore *store, const char *id, size_t length);

#endif
