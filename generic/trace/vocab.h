/*
 * vocab.h -- the vocabulary of the trace language as one table.
 *
 * Every command, event and option is a row: its name, the types of its arguments, which options it takes, and a
 * sentence for the manual. The rows of events stand in trace/events.def. The literal reader, the Tcl commands of the
 * sandbox, usage errors, dump and the manual page (tactus_trace.5) are all made from these rows; no other code contains
 * the spelling of an event.
 */
#ifndef TAC_TRACE_VOCAB_H
#define TAC_TRACE_VOCAB_H

#include "base/error.h"
#include "base/mem.h"

/* Kinds of named objects; each has its own space of ids. */
typedef enum tacKind {
    TAC_PROCESSOR,
    TAC_TASK,
    TAC_JOB,
    TAC_SERVER,
    TAC_MUTEX,
    TAC_SEMAPHORE,
    TAC_BUFFER,
    TAC_KINDS
} tacKind;

/* Events, each a row of trace/events.def: TAC_EV_JOB_ARRIVED ... */
typedef enum tacEvent {
#define EVENT(code, ...) TAC_EV_##code,
#include "trace/events.def"
    TAC_EVENTS
} tacEvent;

/* Types of event arguments and option values. The first TAC_KINDS values are those of tacKind: a reference to an
 * object. */
typedef enum tacType {
    TAC_TYPE_PROCESSOR,
    TAC_TYPE_TASK,
    TAC_TYPE_JOB,
    TAC_TYPE_SERVER,
    TAC_TYPE_MUTEX,
    TAC_TYPE_SEMAPHORE,
    TAC_TYPE_BUFFER,
    TAC_TYPE_STRING,  /* value: id in tacStore.strings */
    TAC_TYPE_TIME,    /* value: ticks (also budgets and capacities, which fall at one per time unit) */
    TAC_TYPE_INTEGER, /* value: int64 */
    TAC_TYPE_COLOR,   /* value: string id; any text is stored, drawing falls back with a warning */
    TAC_TYPE_PATTERN,
    TAC_TYPE_STEM,
    TAC_TYPE_ARROW,
    TAC_TYPE_ARRIVAL,
    TAC_TYPE_SHAPE,
    TAC_TYPE_FROM,
    TAC_TYPE_STRETCH_FROM,
    TAC_TYPE_SCHEDULER,
    TAC_TYPE_TASK_KIND, /* string id of one of a set of words */
    TAC_TYPE_FLAG,      /* no value word: the option is there (value 1) */
    TAC_TYPE_REST       /* all remaining words as one list: string id */
} tacType;

typedef enum tacOption {
    TAC_OPT_NAME,
    TAC_OPT_PRIORITY,
    TAC_OPT_PROCESSOR,
    TAC_OPT_COLOR,
    TAC_OPT_PATTERN,
    TAC_OPT_TASK_KIND,
    TAC_OPT_ARRIVAL_COLOR,
    TAC_OPT_ARRIVAL_STEM,
    TAC_OPT_DEADLINE_COLOR,
    TAC_OPT_DEADLINE_STEM,
    TAC_OPT_C,
    TAC_OPT_D,
    TAC_OPT_T,
    TAC_OPT_BEHAVIOR,
    TAC_OPT_CAPACITY,
    TAC_OPT_SERVER_CAPACITY,
    TAC_OPT_BUDGET,
    TAC_OPT_SEQ_NUMBER,
    TAC_OPT_ARROW_COLOR,
    TAC_OPT_ARROW_STEM,
    TAC_OPT_ARRIVAL_KIND,
    TAC_OPT_FORCE,
    TAC_OPT_TARGET,
    TAC_OPT_MESSAGE,
    TAC_OPT_STEM,
    TAC_OPT_ARROW,
    TAC_OPT_STATE,
    TAC_OPT_SHAPE,
    TAC_OPT_TASK,
    TAC_OPT_FROM,
    TAC_OPT_STRETCH_FROM,
    TAC_OPT_STRETCH_HIDDEN,
    TAC_OPT_GROUP,
    TAC_OPT_HIDDEN,
    TAC_OPT_SCHEDULER,
    TAC_OPT_CLUSTER,
    TAC_OPT_NONPREEMPTIVE,
    TAC_OPT_THRESHOLD,
    TAC_OPT_CPUS,
    TAC_OPT_ROW,
    TAC_OPT_PROCESS,
    TAC_OPT_ARGUMENT3, /* no option of the language: the third argument of the few events that have one */
    TAC_OPTIONS
} tacOption;

/* What recorded a message or an annotation (-from): the words of TAC_TYPE_FROM in their order, behind nothing. */
typedef enum tacFrom {
    TAC_FROM_NOTHING, /* it is an event of the trace itself */
    TAC_FROM_MARK,    /* a mark that a program wrote */
    TAC_FROM_EVENT,   /* another event of the recording: the text is "NAME: FIELDS" */
    TAC_FROM_CALL     /* a system call: the text is its name */
} tacFrom;

#define TAC_OPTION_BIT(option) ((uint64_t) 1 << (option))

/* Properties of an event. */
typedef enum tacTrait {
    TAC_TRAIT_BUFFER = 1,    /* spelled `bufferplot time name ...`, not `plot` */
    TAC_TRAIT_NAMED = 2,     /* its name is the first argument of the row */
    TAC_TRAIT_ANNOUNCES = 4, /* does not mean that the system ran at its time: the recording may begin later or end
                              * earlier */
    TAC_TRAIT_SYNC = 8,      /* happens on the processor that an argument names */
    TAC_TRAIT_RUNS = 16,     /* the job executes from here on */
    TAC_TRAIT_ENDS = 32,     /* the job is over */
    TAC_TRAIT_DEADLINE = 64  /* its arrow is of a deadline, not of a release */
} tacTrait;

typedef struct tacOptionSpec {
    const char *name; /* with its dash */
    tacType type;
    const char *help; /* for the manual: a clause without period */
} tacOptionSpec;

typedef struct tacEventSpec {
    const char *name;
    size_t nameLength;
    tacType arguments[3];
    const char *argumentNames[3]; /* for usage: "job", "task" ... */
    int nRequired, nArguments;    /* 0 .. 3 */
    uint64_t options;             /* set of TAC_OPTION_BIT */
    unsigned traits;              /* set of tacTrait */
    const char *help;
} tacEventSpec;

typedef struct tacDefinitionSpec {
    const char *name;    /* "newTask" */
    const char *oldName; /* "Task" of `[Task id] initWith` */
    tacKind kind;
    uint64_t options;
    const char *help;
} tacDefinitionSpec;

extern const tacOptionSpec tacOptions[TAC_OPTIONS];
extern const tacEventSpec tacEvents[TAC_EVENTS];
extern const tacDefinitionSpec tacDefinitions[TAC_KINDS]; /* by kind */
extern const char *const tacKindNames[TAC_KINDS];         /* "processor", "task" ... */
extern const char *const tacCommandNames[]; /* all commands, NULL-terminated: newTask ... plot Plot bufferplot ignore
                                               profile ... */

/* A setting that a trace or a settings file may override (plot.timeUnit ...): name, default, clause for the manual. */
typedef struct tacSettingSpec {
    const char *name, *value, *help;
} tacSettingSpec;
extern const tacSettingSpec tacSettings[]; /* ends with a NULL name */

/* Commands by which code in a trace registers itself (read/sandboxHandle.c), NULL-terminated. */
extern const char *const tacPluginCommands[];

static inline bool tacEventIs(tacEvent event, tacTrait trait) { return (tacEvents[event].traits & trait) != 0; }
/* True when the second argument of its rows is the -target. */
static inline bool tacEventHasTarget(tacEvent event) {
    return (tacEvents[event].options & TAC_OPTION_BIT(TAC_OPT_TARGET)) != 0;
}

/* The tacEvent of a name or synonym; -1: none. buffer: among the events of bufferplot, else among those of plot. */
int tacEventFind(const char *name, size_t length, bool buffer);
/* The tacOption of "-name" among the bits of `among`; -1: none. The name must be whole. */
int tacOptionFind(const char *name, size_t length, uint64_t among);
/* The name that was perhaps meant by one that is not found; NULL: none is similar. */
const char *tacEventSimilar(const char *name, size_t length, bool buffer);
const char *tacOptionSimilar(const char *name, size_t length, uint64_t among);
/* Words that an option of this type takes (NULL-terminated); NULL: any. */
const char *const *tacTypeWords(tacType type);
/* Adds the usage of an event or definition: "plot time jobArrived job task ?-processor id? ..." */
void tacEventUsage(tacEvent event, tacText *out);
void tacDefinitionUsage(tacKind kind, tacText *out);

#endif
