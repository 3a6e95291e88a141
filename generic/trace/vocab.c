/*
 * vocab.c -- the rows of the vocabulary: all commands, events, options and settings of a trace.
 */
#include "base/port.h"

#include "base/similar.h"
#include "trace/vocab.h"

#include <string.h>

#define B(option) TAC_OPTION_BIT(TAC_OPT_##option)

const char *const tacKindNames[TAC_KINDS] = {"processor", "task", "job", "server", "mutex", "semaphore", "buffer"};

const tacOptionSpec tacOptions[TAC_OPTIONS] = {
    [TAC_OPT_NAME] = {"-name", TAC_TYPE_STRING,
        "the name that is shown (default: the id; of a job: its task's name and a number); it may have mathematics, as "
        "in x_1 (tactus(1), Mathematics in names)"},
    [TAC_OPT_PRIORITY] = {"-priority", TAC_TYPE_INTEGER,
        "of tasks, the lower value is the more urgent one; it stands in a higher row, unless -row says otherwise; ties "
        "keep the order of definition (default 0)"},
    [TAC_OPT_PROCESSOR] = {"-processor", TAC_TYPE_PROCESSOR, "the processor it belongs to, or where the event happens"},
    [TAC_OPT_COLOR] = {"-color", TAC_TYPE_COLOR, "its colour: a name as in Tk, #rgb or #rrggbb"},
    [TAC_OPT_PATTERN] = {"-pattern", TAC_TYPE_PATTERN, "its pattern"},
    [TAC_OPT_TASK_KIND] = {"-kind", TAC_TYPE_TASK_KIND,
        "its kind: a task, an interrupt service routine or the deferred work of one, which have another default "
        "colour, or several tasks that are not told apart (default task)"},
    [TAC_OPT_ARRIVAL_COLOR] = {"-arrivalColor", TAC_TYPE_COLOR, "the colour of its release arrows"},
    [TAC_OPT_ARRIVAL_STEM] = {"-arrivalStem", TAC_TYPE_STEM, "the stem of its release arrows"},
    [TAC_OPT_DEADLINE_COLOR] = {"-deadlineColor", TAC_TYPE_COLOR, "the colour of its deadline arrows"},
    [TAC_OPT_DEADLINE_STEM] = {"-deadlineStem", TAC_TYPE_STEM, "the stem of its deadline arrows"},
    [TAC_OPT_C] = {"-C", TAC_TYPE_TIME,
        "its worst-case execution time, or execution budget, in time units: the check execution compares the net "
        "execution of jobs with it"},
    [TAC_OPT_D] = {"-D", TAC_TYPE_TIME, "its deadline relative to the release, in time units"},
    [TAC_OPT_T] = {"-T", TAC_TYPE_TIME, "its period, in time units"},
    [TAC_OPT_BEHAVIOR] = {"-behavior", TAC_TYPE_STRING, "kept and not interpreted"},
    [TAC_OPT_CAPACITY] = {"-capacity", TAC_TYPE_INTEGER, "how many elements it holds (default 1)"},
    [TAC_OPT_SERVER_CAPACITY] = {"-capacity", TAC_TYPE_TIME, "its largest budget, in time units (default 1)"},
    [TAC_OPT_BUDGET] = {"-budget", TAC_TYPE_TIME,
        "its budget at the beginning of the recording, in time units (default 0)"},
    [TAC_OPT_SEQ_NUMBER] = {"-seqNumber", TAC_TYPE_INTEGER, "its place in the buffer view"},
    [TAC_OPT_ARROW_COLOR] = {"-arrowColor", TAC_TYPE_COLOR, "the colour of this arrow"},
    [TAC_OPT_ARROW_STEM] = {"-arrowStem", TAC_TYPE_STEM, "the stem of this arrow"},
    [TAC_OPT_ARRIVAL_KIND] = {"-kind", TAC_TYPE_ARRIVAL, "the length of this arrow (default long)"},
    [TAC_OPT_FORCE] = {"-force", TAC_TYPE_FLAG,
        "of jobResumed: work between jobs is meant, without a warning; elsewhere accepted, no effect"},
    [TAC_OPT_TARGET] = {"-target", TAC_TYPE_JOB, "the job that takes over: joined by a vertical line"},
    [TAC_OPT_MESSAGE] = {"-message", TAC_TYPE_STRING, "the text that is shown; it may have mathematics, as a name"},
    [TAC_OPT_STEM] = {"-stem", TAC_TYPE_STEM, "the stem of the arrow"},
    [TAC_OPT_ARROW] = {"-arrow", TAC_TYPE_ARROW, "at which end the arrow has heads (default: no arrow)"},
    [TAC_OPT_STATE] = {"-state", TAC_TYPE_INTEGER, "the count of the semaphore after the event"},
    [TAC_OPT_SHAPE] = {"-shape", TAC_TYPE_SHAPE, "the shape of the mark (or one letter); none: it is not drawn"},
    [TAC_OPT_TASK] = {"-task", TAC_TYPE_TASK, "the task that wrote it"},
    [TAC_OPT_FROM] = {"-from", TAC_TYPE_FROM,
        "what recorded it: a mark that a program wrote; another event of the recording, as NAME: FIELDS; a system call "
        "that did not return"},
    [TAC_OPT_STRETCH_FROM] = {"-from", TAC_TYPE_STRETCH_FROM,
        "what recorded it: two marks of a program; a system call from entry to return; one from its entry to the end "
        "of "
        "the recording or of its thread"},
    [TAC_OPT_STRETCH_HIDDEN] = {"-hidden", TAC_TYPE_FLAG, "it is not drawn"},
    [TAC_OPT_GROUP] = {"-group", TAC_TYPE_STRING,
        "the group that it belongs to: tasks of a group stand together, in the place of the first of them"},
    [TAC_OPT_HIDDEN] = {"-hidden", TAC_TYPE_FLAG,
        "it has no row, unless a figure is told to show it by -rows; it counts like any other"},
    [TAC_OPT_SCHEDULER] = {"-scheduler", TAC_TYPE_SCHEDULER,
        "how it is scheduled: by fixed priorities (fp; fifo and rr: as fp, and in order of time or round robin at the "
        "same priority), by the earliest deadline (edf), or fairly, with no order (fair). Of a processor: all tasks "
        "that say nothing else. Tasks with edf are more urgent than others, those with fair less"},
    [TAC_OPT_CLUSTER] = {"-cluster", TAC_TYPE_STRING,
        "the cluster that it belongs to: the tasks of a cluster may run on each of its processors"},
    [TAC_OPT_NONPREEMPTIVE] = {"-nonpreemptive", TAC_TYPE_FLAG,
        "a job that has started is not preempted. Of a processor: those of all its tasks"},
    [TAC_OPT_THRESHOLD] = {"-threshold", TAC_TYPE_INTEGER,
        "its preemption threshold: a job that has started is preempted only by tasks whose -priority is more urgent "
        "than this"},
    [TAC_OPT_CPUS] = {"-cpus", TAC_TYPE_STRING,
        "its affinity, the processors on which it may run: ids, or numbers and ranges of those at their ends, as "
        "0-2,5"},
    [TAC_OPT_ROW] = {"-row", TAC_TYPE_INTEGER, "its place among the rows, where that is not its -priority"},
    [TAC_OPT_PROCESS] = {"-process", TAC_TYPE_STRING,
        "the process of which it is a thread: a number, which is the id of the task that is its first thread, or any "
        "other text; kernel: it is a thread of the kernel itself"},
    [TAC_OPT_ARGUMENT3] = {"", TAC_TYPE_STRING, "the third argument"},
};

const tacDefinitionSpec tacDefinitions[TAC_KINDS] = {
    [TAC_PROCESSOR] = {"newProcessor", "Processor", TAC_PROCESSOR,
        B(NAME) | B(SCHEDULER) | B(CLUSTER) | B(NONPREEMPTIVE),
        "a processor (core); with none defined there is a default one"},
    [TAC_TASK] = {"newTask", "Task", TAC_TASK,
        B(NAME) | B(PRIORITY) | B(PROCESSOR) | B(COLOR) | B(PATTERN) | B(TASK_KIND) | B(ARRIVAL_COLOR) | B(ARRIVAL_STEM)
            | B(DEADLINE_COLOR) | B(DEADLINE_STEM) | B(C) | B(D) | B(T) | B(BEHAVIOR) | B(GROUP) | B(HIDDEN)
            | B(SCHEDULER) | B(NONPREEMPTIVE) | B(THRESHOLD) | B(CPUS) | B(ROW) | B(PROCESS),
        "a task: one row of the figure"},
    [TAC_JOB] = {"newJob", "Job", TAC_JOB, B(NAME) | B(PROCESSOR) | B(COLOR), "a job of a task, not yet released"},
    [TAC_SERVER] = {"newServer", "Server", TAC_SERVER,
        B(NAME) | B(SERVER_CAPACITY) | B(BUDGET) | B(PRIORITY) | B(PROCESSOR) | B(COLOR),
        "a server with a budget that its consumers use up"},
    [TAC_MUTEX] = {"newMutex", "Mutex", TAC_MUTEX, B(NAME) | B(COLOR) | B(PATTERN) | B(PROCESSOR),
        "a mutex: shown by colour and pattern in the bar of its holder"},
    [TAC_SEMAPHORE] = {"newSemaphore", "Semaphore", TAC_SEMAPHORE, B(NAME), "a counting semaphore"},
    [TAC_BUFFER] = {"newBuffer", "Buffer", TAC_BUFFER, B(NAME) | B(CAPACITY) | B(SEQ_NUMBER), "a buffer between tasks"},
};

/* Arguments of events: their types, their names, how many are required, how many there may be. */
#define ONE(type, name) {TAC_TYPE_##type}, {name}, 1, 1
#define TWO(type, name, type2, name2) {TAC_TYPE_##type, TAC_TYPE_##type2}, {name, name2}, 2, 2
#define NO_ARGUMENTS {0}, {0}, 0, 0
#define JOB ONE(JOB, "job")
#define TASK ONE(TASK, "task")
#define SERVER ONE(SERVER, "server")
#define PROCESSOR ONE(PROCESSOR, "processor")
#define BUFFER ONE(BUFFER, "buffer")
#define STRING(name) ONE(STRING, name)
#define JOB_TASK TWO(JOB, "job", TASK, "task")
#define JOB_MUTEX TWO(JOB, "job", MUTEX, "mutex")
#define JOB_SEMAPHORE TWO(JOB, "job", SEMAPHORE, "semaphore")
#define TASK_TIME(name) TWO(TASK, "task", TIME, name)
#define SERVER_TIME(name) TWO(SERVER, "server", TIME, name)
#define BUFFER_STRING(name) TWO(BUFFER, "buffer", STRING, name)
#define BUFFER_INTEGER(name) TWO(BUFFER, "buffer", INTEGER, name)
#define BUFFER_STRING_INTEGER(name, name2) \
    {TAC_TYPE_BUFFER, TAC_TYPE_STRING, TAC_TYPE_INTEGER}, {"buffer", name, name2}, 3, 3
#define SYNC {TAC_TYPE_PROCESSOR, TAC_TYPE_PROCESSOR, TAC_TYPE_STRING}, {"source", "target", "id"}, 3, 3
#define WORDS {TAC_TYPE_REST}, {"word"}, 0, 1
#define FREE {TAC_TYPE_STRING, TAC_TYPE_REST}, {"name", "word"}, 1, 2

/* Options of events that are drawn as an arrow. */
#define ARROW_LOOK (B(MESSAGE) | B(COLOR) | B(STEM) | B(PROCESSOR) | B(ARROW_COLOR) | B(ARROW_STEM))

#define T(trait) TAC_TRAIT_##trait

const tacEventSpec tacEvents[TAC_EVENTS] = {
#define EVENT(code, name, arguments, options, traits, replay, room, mark, help) \
    [TAC_EV_##code] = {name, sizeof name - 1, arguments, options, traits, help},
#include "trace/events.def"
};

#define DEFAULT_COMMANDS "newProcessor", "newTask", "newJob", "newServer", "newMutex", "newSemaphore", "newBuffer"
#define SETTINGS(X)                                                                                                 \
    X("plot.timeUnit", "4", "width of a time unit, in points")                                                      \
    X("plot.timePrecision", "3", "decimals of the times shown")                                                     \
    X("plot.tasks", "expanded", "expanded or collapsed processors")                                                 \
    X("plot.task.barHeight", "20", "height of a bar")                                                               \
    X("plot.task.arrowHeight", "20", "height of release and deadline arrows")                                       \
    X("plot.task.margin", "10", "distance between rows")                                                            \
    X("plot.timeline.offsetY", "20", "room above the time axis")                                                    \
    X("plot.timeline.barHeight", "4", "length of the shortest tick")                                                \
    X("plot.timeline.labelDistance", "40", "least distance between labels of the axis")                             \
    X("plot.timeline.markDistance", "3",                                                                            \
        "distance between lines of message marks, which have several where marks would overlap")                    \
    X("plot.timeline.headWidth", "12", "length of the arrow head of the axis")                                      \
    X("plot.server.capacityHeight", "80", "height of a server's panel")                                             \
    X("plot.server.capacityUnit", "8", "height of a unit of budget")                                                \
    X("plot.server.margin", "25", "room between server panels")                                                     \
    X("plot.server.showMessages", "0", "1: server events as message marks")                                         \
    X("plot.interval.height", "20", "height of the labels of intervals")                                            \
    X("plot.interval.dash", "1 4", "dash of the dividers of intervals")                                             \
    X("plot.legend.itemHeight", "20", "height of an item of the legend")                                            \
    X("plot.legend.itemWidth", "10", "width of an item of the legend")                                              \
    X("font.family", "", "family of all text")                                                                      \
    X("font.size", "", "size of all text")                                                                          \
    X("color.task.active", "#CCCCCC", "a running job")                                                              \
    X("color.task.preempted", "#FFFFFF", "a preempted job")                                                         \
    X("color.task.blocked", "#FFFFFF", "a blocked job")                                                             \
    X("color.task.criticalSection", "#333333", "a running job that holds a mutex without a colour")                 \
    X("color.task.betweenJobs", "blue", "work of a task between its jobs")                                          \
    X("color.task.unknown", "#FFFFFF", "a job in an unknown state")                                                 \
    X("color.isr.active", "orange", "a running interrupt service routine")                                          \
    X("pattern.task.criticalSection", "lines_up", "a mutex without a pattern")                                      \
    X("color.message", "black", "a message mark")                                                                   \
    X("shape.message", "disk", "a message mark")                                                                    \
    X("color.server.replenished", "green3", "mark of a server event")                                               \
    X("shape.server.replenished", "triangleUp", "mark of a server event")                                           \
    X("color.server.depleted", "orange", "mark of a server event")                                                  \
    X("shape.server.depleted", "triangleDown", "mark of a server event")                                            \
    X("color.server.resumed", "green3", "mark of a server event")                                                   \
    X("shape.server.resumed", "square", "mark of a server event")                                                   \
    X("color.server.preempted", "orange", "mark of a server event")                                                 \
    X("shape.server.preempted", "square", "mark of a server event")                                                 \
    X("color.semaphore.released", "green", "mark of a semaphore event")                                             \
    X("color.semaphore.acquired", "orange", "mark of a semaphore event")                                            \
    X("color.semaphore.suspended", "red", "mark of a semaphore event")                                              \
    X("priority.fair", "",                                                                                          \
        "tasks of this -priority and greater ones share their processors fairly: none is more urgent than another") \
    X("scheduler.recorded", "0",                                                                                    \
        "1: a running system was recorded; switching takes time, and tasks may be bound to processors for a while") \
    X("clocks.mapped", "0", "1: all times are on one clock already (written by dump)")

#define NAME(name, value, help) name,
#define ROW(name, value, help) {name, value, help},
#define PLUGIN_COMMANDS "addEventHandler", "addHandler", "addCommandArg", "addTraceFormat", "addPreprocessor", "_exit"
const char *const tacPluginCommands[] = {PLUGIN_COMMANDS, NULL};
const char *const tacCommandNames[] = {DEFAULT_COMMANDS, "plot", "Plot", "bufferplot", "ignore", "profile",
    "sourceLine", PLUGIN_COMMANDS, SETTINGS(NAME) NULL};
const tacSettingSpec tacSettings[] = {SETTINGS(ROW){NULL, NULL, NULL}};

static const char *const patterns[] = {
    "gray12", "gray25", "gray50", "gray75", "lines_up", "lines_down", "lines_vertical", "lines_horizontal", NULL};
static const char *const stems[] = {"solid", "dashed", "dotted", NULL};
static const char *const arrows[] = {"none", "first", "last", "both", NULL};
static const char *const arrivals[] = {"short", "long", "low", NULL};
static const char *const shapes[] = {
    "disk", "circle", "square", "diamond", "cross", "plus", "triangleUp", "triangleDown", "none", NULL};
static const char *const froms[] = {"mark", "event", "call", NULL};
static const char *const stretchFroms[] = {"mark", "call", "entry", NULL};
static const char *const schedulers[] = {"fp", "fifo", "rr", "edf", "fair", NULL};
static const char *const taskKinds[] = {"task", "isr", "softirq", "several", NULL};

const char *const *tacTypeWords(tacType type) {
    switch (type) {
    case TAC_TYPE_PATTERN: return patterns;
    case TAC_TYPE_STEM: return stems;
    case TAC_TYPE_ARROW: return arrows;
    case TAC_TYPE_ARRIVAL: return arrivals;
    case TAC_TYPE_SHAPE: return shapes;
    case TAC_TYPE_FROM: return froms;
    case TAC_TYPE_STRETCH_FROM: return stretchFroms;
    case TAC_TYPE_SCHEDULER: return schedulers;
    case TAC_TYPE_TASK_KIND: return taskKinds;
    default: return NULL;
    }
}

/* ---- finding events ---- */

/* A name or synonym of an event. */
typedef struct EventName {
    const char *name;
    uint8_t length, event;
    bool buffer; /* of bufferplot; set in the slots only */
} EventName;
static const EventName eventNames[] = {
#define EVENT(code, name, ...) {name, sizeof name - 1, TAC_EV_##code, false},
#define SYNONYM(code, name) {name, sizeof name - 1, TAC_EV_##code, false},
#include "trace/events.def"
};

enum { NAMES = sizeof eventNames / sizeof *eventNames, SLOT_BITS = 8, FACTORS = 1 << 14 };
_Static_assert(NAMES <= 64, "a perfect hash is found quickly where a quarter of the slots is taken: take more slots");

/*
 * A perfect hash of the names: of the length and four characters, multiplied by a factor with which no two names get
 * the same slot. The factor is searched when the first name is looked up; some dozens of trials find it.
 */
static uint32_t nameFactor;                 /* 0: not yet searched */
static EventName nameSlots[1 << SLOT_BITS]; /* length 0: empty */

/* Slot of a name of at least 3 bytes. */
static inline EventName *slotOf(const char *name, size_t length, uint32_t factor) {
    const unsigned char *c = (const unsigned char *) name;
    uint32_t key = c[0] | (uint32_t) c[length - 3] << 8 | (uint32_t) c[length / 2] << 16
        | (uint32_t) c[length / 3] << 24;
    return &nameSlots[((key ^ (uint32_t) length) * factor) >> (32 - SLOT_BITS)];
}

/* Puts all names into slots, except those that are data; false: two have the same slot. */
static bool fillSlots(uint32_t factor) {
    memset(nameSlots, 0, sizeof nameSlots);
    for (int i = 0; i < NAMES; i++) {
        const EventName *entry = &eventNames[i];
        if (tacEventIs(entry->event, TAC_TRAIT_NAMED)) continue;
        EventName *slot = slotOf(entry->name, entry->length, factor);
        if (slot->length) return false;
        *slot = *entry;
        slot->buffer = tacEventIs(entry->event, TAC_TRAIT_BUFFER);
    }
    return true;
}

/* Searches the factor. If there were none, two names would agree in all that slotOf reads, and tests/vocab.test would
 * fail for one of them. */
static void findFactor(void) {
    uint32_t factor = UINT32_C(0x9E3779B1); /* 2^32 divided by the golden ratio: odd multiples of it scatter well */
    for (int i = 0; i < FACTORS && !fillSlots(factor); i++) factor += 2 * UINT32_C(0x9E3779B1);
    nameFactor = factor;
}

int tacEventFind(const char *name, size_t length, bool buffer) {
    if (length < 3) return -1;
    if (TAC_UNLIKELY(!nameFactor)) findFactor();
    const EventName *slot = slotOf(name, length, nameFactor);
    if (slot->length == length && memcmp(slot->name, name, length) == 0)
        return slot->buffer == buffer ? slot->event : -1;
    const tacEventSpec *analysis = &tacEvents[TAC_EV_ANALYSIS]; /* many names begin with its name */
    bool begins = !buffer && length > analysis->nameLength && memcmp(name, analysis->name, analysis->nameLength) == 0;
    return begins ? TAC_EV_ANALYSIS : -1;
}

int tacOptionFind(const char *name, size_t length, uint64_t among) {
    for (int option = 0; among; option++, among >>= 1) {
        const char *known = tacOptions[option].name;
        if ((among & 1) && strncmp(known, name, length) == 0 && known[length] == '\0') return option;
    }
    return -1;
}

const char *tacEventSimilar(const char *name, size_t length, bool buffer) {
    for (int event = 0; event < TAC_EVENTS; event++) {
        const tacEventSpec *spec = &tacEvents[event];
        if (spec->traits & TAC_TRAIT_NAMED || ((spec->traits & TAC_TRAIT_BUFFER) != 0) != buffer) continue;
        if (tacSimilar(name, length, spec->name)) return spec->name;
    }
    return NULL;
}

const char *tacOptionSimilar(const char *name, size_t length, uint64_t among) {
    for (int option = 0; among; option++, among >>= 1)
        if ((among & 1) && tacSimilar(name, length, tacOptions[option].name)) return tacOptions[option].name;
    return NULL;
}

/* Adds the usage of an option: " ?-color color?" or " ?-kind task|isr?". */
static void optionUsage(tacOption option, tacText *out) {
    const tacOptionSpec *spec = &tacOptions[option];
    const char *const *words = tacTypeWords(spec->type);
    tacTextPrintf(out, " ?%s", spec->name);
    if (words) {
        tacTextPrintf(out, " %s", words[0]);
        while (*++words) tacTextPrintf(out, "|%s", *words);
    } else if (spec->type < (tacType) TAC_KINDS) tacTextPrintf(out, " %s", tacKindNames[spec->type]);
    else if (spec->type != TAC_TYPE_FLAG) tacTextPrintf(out, " %s", spec->name + 1);
    tacTextAddString(out, "?");
}

static void optionsUsage(uint64_t options, tacText *out) {
    for (int option = 0; options; option++, options >>= 1)
        if (options & 1) optionUsage((tacOption) option, out);
}

void tacEventUsage(tacEvent event, tacText *out) {
    const tacEventSpec *spec = &tacEvents[event];
    tacTextPrintf(out, "%s time %s", tacEventIs(event, TAC_TRAIT_BUFFER) ? "bufferplot" : "plot", spec->name);
    for (int i = 0; i < spec->nArguments; i++) {
        const char *name = spec->argumentNames[i];
        if (i < spec->nRequired) tacTextPrintf(out, " %s", name);
        else if (spec->arguments[i] == TAC_TYPE_REST) tacTextPrintf(out, " ?%s ...?", name);
        else tacTextPrintf(out, " ?%s?", name);
    }
    optionsUsage(spec->options, out);
}

void tacDefinitionUsage(tacKind kind, tacText *out) {
    tacTextPrintf(out, "%s id%s", tacDefinitions[kind].name, kind == TAC_JOB ? " task" : "");
    optionsUsage(tacDefinitions[kind].options, out);
}
