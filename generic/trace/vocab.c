/*
 * vocab.c -- the rows of the vocabulary: what a trace can say.
 */
#include "base/port.h"

#include "base/similar.h"
#include "trace/vocab.h"

#include <string.h>

#define B(option) TAC_OPTION_BIT(TAC_OPT_##option)

const char *const tacKindNames[TAC_KINDS] = {"processor", "task", "job", "server", "mutex", "semaphore", "buffer"};

const tacOptionSpec tacOptions[TAC_OPTIONS] = {
    [TAC_OPT_NAME] = {"-name", TAC_TYPE_STRING,
        "the name that is shown (default: the id; of a job: its task's name and a number)"},
    [TAC_OPT_PRIORITY] = {"-priority", TAC_TYPE_INTEGER,
        "a lower value stands in a higher row; ties keep the order of definition (default 0)"},
    [TAC_OPT_PROCESSOR] = {"-processor", TAC_TYPE_PROCESSOR, "the processor it belongs to, or where the event happens"},
    [TAC_OPT_COLOR] = {"-color", TAC_TYPE_COLOR, "its colour: a name as in Tk, #rgb or #rrggbb"},
    [TAC_OPT_PATTERN] = {"-pattern", TAC_TYPE_PATTERN, "its pattern"},
    [TAC_OPT_TASK_KIND] = {"-kind", TAC_TYPE_TASK_KIND,
        "what it is: a task, an interrupt service routine or the deferred work of one; these have another default "
        "colour (default task)"},
    [TAC_OPT_ARRIVAL_COLOR] = {"-arrivalColor", TAC_TYPE_COLOR, "the colour of its release arrows"},
    [TAC_OPT_ARRIVAL_STEM] = {"-arrivalStem", TAC_TYPE_STEM, "the stem of its release arrows"},
    [TAC_OPT_DEADLINE_COLOR] = {"-deadlineColor", TAC_TYPE_COLOR, "the colour of its deadline arrows"},
    [TAC_OPT_DEADLINE_STEM] = {"-deadlineStem", TAC_TYPE_STEM, "the stem of its deadline arrows"},
    [TAC_OPT_C] = {"-C", TAC_TYPE_TIME, "its execution budget, in time units"},
    [TAC_OPT_D] = {"-D", TAC_TYPE_TIME, "its deadline relative to the release, in time units"},
    [TAC_OPT_T] = {"-T", TAC_TYPE_TIME, "its period, in time units"},
    [TAC_OPT_BEHAVIOR] = {"-behavior", TAC_TYPE_STRING, "kept and not interpreted"},
    [TAC_OPT_CAPACITY] = {"-capacity", TAC_TYPE_INTEGER, "how many elements it holds (default 1)"},
    [TAC_OPT_SERVER_CAPACITY] = {"-capacity", TAC_TYPE_TIME, "its largest budget, in time units (default 1)"},
    [TAC_OPT_BUDGET] = {"-budget", TAC_TYPE_TIME,
        "its budget at the begin of the recording, in time units (default 0)"},
    [TAC_OPT_SEQ_NUMBER] = {"-seqNumber", TAC_TYPE_INTEGER, "its place in the buffer view"},
    [TAC_OPT_ARROW_COLOR] = {"-arrowColor", TAC_TYPE_COLOR, "the colour of this arrow"},
    [TAC_OPT_ARROW_STEM] = {"-arrowStem", TAC_TYPE_STEM, "the stem of this arrow"},
    [TAC_OPT_ARRIVAL_KIND] = {"-kind", TAC_TYPE_ARRIVAL, "the length of this arrow (default long)"},
    [TAC_OPT_FORCE] = {"-force", TAC_TYPE_FLAG,
        "of jobResumed: work between jobs is meant, without a warning; elsewhere accepted, no effect"},
    [TAC_OPT_TARGET] = {"-target", TAC_TYPE_JOB, "the job that takes over: joined by a vertical line"},
    [TAC_OPT_MESSAGE] = {"-message", TAC_TYPE_STRING, "the text that is shown"},
    [TAC_OPT_STEM] = {"-stem", TAC_TYPE_STEM, "the stem of the arrow"},
    [TAC_OPT_ARROW] = {"-arrow", TAC_TYPE_ARROW, "at which end the arrow has heads (default: no arrow)"},
    [TAC_OPT_STATE] = {"-state", TAC_TYPE_INTEGER, "the count of the semaphore after the event"},
    [TAC_OPT_SHAPE] = {"-shape", TAC_TYPE_SHAPE, "the shape of the mark (or one letter)"},
    [TAC_OPT_GROUP] = {"-group", TAC_TYPE_STRING,
        "the group it is of: tasks of a group stand together, where the first of them stands"},
    [TAC_OPT_HIDDEN] = {"-hidden", TAC_TYPE_FLAG,
        "it has no row, unless a figure is told to show it by -rows; it counts like any other"},
    [TAC_OPT_ARGUMENT3] = {"", TAC_TYPE_STRING, "the third argument"},
};

const tacDefinitionSpec tacDefinitions[TAC_KINDS] = {
    [TAC_PROCESSOR] = {"newProcessor", "Processor", TAC_PROCESSOR, B(NAME),
        "a processor (core); with none defined there is a default one"},
    [TAC_TASK] = {"newTask", "Task", TAC_TASK,
        B(NAME) | B(PRIORITY) | B(PROCESSOR) | B(COLOR) | B(PATTERN) | B(TASK_KIND) | B(ARRIVAL_COLOR) | B(ARRIVAL_STEM)
            | B(DEADLINE_COLOR) | B(DEADLINE_STEM) | B(C) | B(D) | B(T) | B(BEHAVIOR) | B(GROUP) | B(HIDDEN),
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

#define J TAC_TYPE_JOB
#define K TAC_TYPE_TASK
#define S TAC_TYPE_SERVER
#define STR TAC_TYPE_STRING
#define JOB {J}, {"job"}, 1, 1
#define TASK {K}, {"task"}, 1, 1
#define SERVER {S}, {"server"}, 1, 1
#define PROCESSOR {TAC_TYPE_PROCESSOR}, {"processor"}, 1, 1
#define JOB_SEMAPHORE {J, TAC_TYPE_SEMAPHORE}, {"job", "semaphore"}, 2, 2
#define SYNC {TAC_TYPE_PROCESSOR, TAC_TYPE_PROCESSOR, STR}, {"source", "target", "id"}, 3, 3
#define FREE {STR, TAC_TYPE_REST}, {"name", "word"}, 1, 2
#define BUF TAC_TYPE_BUFFER

#define N(name) name, sizeof name - 1

const tacEventSpec tacEvents[TAC_EVENTS] = {
    [TAC_EV_JOB_ARRIVED] = {N("jobArrived"), {J, K}, {"job", "task"}, 2, 2,
        B(PROCESSOR) | B(NAME) | B(COLOR) | B(ARROW_COLOR) | B(ARROW_STEM) | B(ARRIVAL_KIND), false,
        "releases a new job of the task"},
    [TAC_EV_JOB_STARTED] = {N("jobStarted"), JOB, B(PROCESSOR), false, "the job starts executing for the first time"},
    [TAC_EV_JOB_RESUMED] = {N("jobResumed"), JOB, B(PROCESSOR) | B(FORCE), false,
        "the job starts executing; on another processor it migrates there"},
    [TAC_EV_JOB_PREEMPTED] = {N("jobPreempted"), JOB, B(TARGET) | B(PROCESSOR), false,
        "the job stops executing and stays ready; -processor: where it will go on"},
    [TAC_EV_JOB_BLOCKED] = {N("jobBlocked"), JOB, B(TARGET) | B(PROCESSOR) | B(MESSAGE), false,
        "the job stops executing and waits for a resource; -message: how that is known"},
    [TAC_EV_JOB_COMPLETED] = {N("jobCompleted"), JOB, B(TARGET) | B(PROCESSOR) | B(FORCE), false, "the job is done"},
    [TAC_EV_JOB_READY] = {N("jobReady"), JOB, B(PROCESSOR), false,
        "the job stands in the queue of those that are ready: its wake-up is done; if it was blocked, it no longer is"},
    [TAC_EV_JOB_UNKNOWN] = {N("jobUnknown"), JOB, B(PROCESSOR), false,
        "what the job does from here on is not known, until its next event"},
    [TAC_EV_JOB_ABANDONED] = {N("jobAbandoned"), JOB, B(PROCESSOR), false,
        "the job is over, and when it was completed is not known"},
    [TAC_EV_TASK_ARRIVED] = {N("taskArrived"), TASK,
        B(MESSAGE) | B(COLOR) | B(STEM) | B(ARRIVAL_KIND) | B(PROCESSOR) | B(ARROW_COLOR) | B(ARROW_STEM), false,
        "a release arrow without a new job"},
    [TAC_EV_TASK_ARRIVED_AND_IGNORED] = {N("taskArrivedAndIgnored"), TASK,
        B(MESSAGE) | B(COLOR) | B(STEM) | B(ARRIVAL_KIND) | B(PROCESSOR) | B(ARROW_COLOR) | B(ARROW_STEM), false,
        "a grey release arrow: the arrival had no effect"},
    [TAC_EV_TASK_DEADLINE] = {N("taskDeadline"), TASK,
        B(MESSAGE) | B(ARROW_COLOR) | B(ARROW_STEM) | B(COLOR) | B(STEM) | B(PROCESSOR), false,
        "a deadline arrow of the task"},
    [TAC_EV_JOB_DEADLINE] = {N("jobDeadline"), JOB,
        B(MESSAGE) | B(ARROW_COLOR) | B(ARROW_STEM) | B(COLOR) | B(STEM) | B(PROCESSOR), false,
        "the absolute deadline of the job"},
    [TAC_EV_TASK_ANNOTATION] = {N("taskAnnotation"), {K, TAC_TYPE_TIME}, {"task", "endTime"}, 2, 2,
        B(MESSAGE) | B(ARROW) | B(COLOR) | B(STEM), false,
        "a text and/or an arrow above the task, from the time of the event to endTime"},
    [TAC_EV_JOB_ACQUIRED_MUTEX] = {N("jobAcquiredMutex"), {J, TAC_TYPE_MUTEX}, {"job", "mutex"}, 2, 2, B(PROCESSOR),
        false, "the job holds the mutex; its bar takes the mutex's colour and pattern; nests"},
    [TAC_EV_JOB_RELEASED_MUTEX] = {N("jobReleasedMutex"), {J, TAC_TYPE_MUTEX}, {"job", "mutex"}, 2, 2, B(PROCESSOR),
        false, "the job gives the mutex back"},
    [TAC_EV_JOB_ACQUIRED_SEMAPHORE] = {N("jobAcquiredSemaphore"), JOB_SEMAPHORE, B(STATE), false,
        "the count goes down by one"},
    [TAC_EV_JOB_SUSPENDED_ON_SEMAPHORE] = {N("jobSuspendedOnSemaphore"), JOB_SEMAPHORE, B(STATE), false,
        "the job waits for the semaphore"},
    [TAC_EV_JOB_RELEASED_SEMAPHORE] = {N("jobReleasedSemaphore"), JOB_SEMAPHORE, B(STATE), false,
        "the count goes up by one"},
    [TAC_EV_SERVER_REPLENISHED] = {N("serverReplenished"), {S, TAC_TYPE_TIME}, {"server", "budget"}, 2, 2, B(PROCESSOR),
        false, "the budget becomes this, in time units"},
    [TAC_EV_SERVER_RESUMED] = {N("serverResumed"), SERVER, B(PROCESSOR), false,
        "one more task consumes: the budget falls at the number of consumers"},
    [TAC_EV_SERVER_PREEMPTED] = {N("serverPreempted"), SERVER, B(PROCESSOR), false, "one task fewer consumes"},
    [TAC_EV_SERVER_DEPLETED] = {N("serverDepleted"), SERVER, B(PROCESSOR), false,
        "the budget becomes 0; by itself this does not stop the consumption"},
    [TAC_EV_PROCESSOR_UNKNOWN] = {N("processorUnknown"), PROCESSOR, 0, false,
        "what runs on the processor from here on is not known, until a job runs there or it is idle"},
    [TAC_EV_PROCESSOR_IDLE] = {N("processorIdle"), PROCESSOR, 0, false,
        "nothing runs on the processor: ends what is not known of it"},
    [TAC_EV_MESSAGE] = {N("message"), {STR}, {"text"}, 1, 1, B(COLOR) | B(SHAPE) | B(PROCESSOR), false,
        "a mark under the time line with a text"},
    [TAC_EV_INTERVAL] = {N("interval"), {0}, {0}, 0, 0, B(MESSAGE) | B(COLOR), false,
        "a vertical divider over all rows; its message stands up to the next one"},
    [TAC_EV_SYNC_SENT] = {N("syncSent"), SYNC, 0, false,
        "a synchronization message leaves the source, at this time of the source's clock"},
    [TAC_EV_SYNC_RECEIVED] = {N("syncReceived"), SYNC, 0, false,
        "a synchronization message reaches the target, at this time of the target's clock"},
    [TAC_EV_PROFILE] = {N("profile"), FREE, 0, false, "a profile (name, cycles, instructions): a message mark"},
    [TAC_EV_RELTEQ] = {N("relteqEvent"), FREE, 0, false, "an event of the Relteq extension: a message mark"},
    [TAC_EV_ANALYSIS] = {N("analysis"), FREE, 0, false,
        "analysisLatencyStart and all other names that begin with analysis: accepted, not shown"},
    [TAC_EV_NOP] = {N("nop"), {TAC_TYPE_REST}, {"word"}, 0, 1, 0, false, "does nothing"},
    [TAC_EV_CUSTOM] = {N(""), FREE, 0, false, "an event that a plugin defines"},
    [TAC_EV_BUFFER_PUSH] = {N("push"), {BUF, STR}, {"buffer", "data"}, 2, 2, 0, true,
        "appends an element (also: write)"},
    [TAC_EV_BUFFER_POP] = {N("pop"), {BUF}, {"buffer"}, 1, 1, 0, true, "takes the element at the head (also: read)"},
    [TAC_EV_BUFFER_INSERT] = {N("insert"), {BUF, STR, TAC_TYPE_INTEGER}, {"buffer", "data", "index"}, 3, 3, 0, true,
        "inserts an element before index, 0 is the head"},
    [TAC_EV_BUFFER_DROP] = {N("drop"), {BUF, TAC_TYPE_INTEGER}, {"buffer", "index"}, 2, 2, 0, true,
        "removes the element at index"},
    [TAC_EV_BUFFER_RESIZE] = {N("resize"), {BUF, TAC_TYPE_INTEGER}, {"buffer", "n"}, 2, 2, 0, true,
        "changes the capacity"},
    [TAC_EV_BUFFER_STRUCTURE] = {N("structure"), {STR}, {"{task buffer task ...}"}, 1, 1, 0, true,
        "the chain of tasks and buffers that the buffer view draws"},
    [TAC_EV_BUFFER_RESET] = {N("reset"), {0}, {0}, 0, 0, 0, true, "empties all buffers"},
};

#define DEFAULT_COMMANDS "newProcessor", "newTask", "newJob", "newServer", "newMutex", "newSemaphore", "newBuffer"
#define SETTINGS(X)                                                                                                 \
    X("plot.timeUnit", "4", "points of width a time unit")                                                          \
    X("plot.timePrecision", "3", "decimals of times that are shown")                                                \
    X("plot.tasks", "expanded", "expanded or collapsed processors")                                                 \
    X("plot.task.barHeight", "20", "height of a bar")                                                               \
    X("plot.task.arrowHeight", "20", "height of release and deadline arrows")                                       \
    X("plot.task.margin", "10", "room between rows")                                                                \
    X("plot.timeline.offsetY", "20", "room above the time axis")                                                    \
    X("plot.timeline.barHeight", "4", "length of the shortest tick")                                                \
    X("plot.timeline.labelDistance", "40", "least distance of labels of the axis")                                  \
    X("plot.timeline.markDistance", "3", "distance of message marks that coincide")                                 \
    X("plot.timeline.headWidth", "12", "length of the axis' arrow head")                                            \
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
    X("color.task.unknown", "#FFFFFF", "a job of which is not known what it does")                                  \
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
    X("clocks.mapped", "0", "1: all times are on one clock already; what dump writes")

#define NAME(name, value, help) name,
#define ROW(name, value, help) {name, value, help},
#define PLUGIN_COMMANDS "addEventHandler", "addHandler", "addCommandArg", "addTraceFormat", "addPreprocessor", "_exit"
const char *const tacPluginCommands[] = {PLUGIN_COMMANDS, NULL};
const char *const tacCommandNames[] = {
    DEFAULT_COMMANDS, "plot", "Plot", "bufferplot", "ignore", "profile", PLUGIN_COMMANDS, SETTINGS(NAME) NULL};
const tacSettingSpec tacSettings[] = {SETTINGS(ROW){NULL, NULL, NULL}};

static const char *const patterns[] = {
    "gray12", "gray25", "gray50", "gray75", "lines_up", "lines_down", "lines_vertical", "lines_horizontal", NULL};
static const char *const stems[] = {"solid", "dashed", "dotted", NULL};
static const char *const arrows[] = {"none", "first", "last", "both", NULL};
static const char *const arrivals[] = {"short", "long", "low", NULL};
static const char *const shapes[] = {
    "disk", "circle", "square", "diamond", "cross", "plus", "triangleUp", "triangleDown", NULL};
static const char *const taskKinds[] = {"task", "isr", "softirq", NULL};

const char *const *tacTypeWords(tacType type) {
    switch (type) {
    case TAC_TYPE_PATTERN: return patterns;
    case TAC_TYPE_STEM: return stems;
    case TAC_TYPE_ARROW: return arrows;
    case TAC_TYPE_ARRIVAL: return arrivals;
    case TAC_TYPE_SHAPE: return shapes;
    case TAC_TYPE_TASK_KIND: return taskKinds;
    default: return NULL;
    }
}

/*
 * Event names by a perfect hash over the length and four characters; the slots hold code + 1. A test looks every name
 * up, so a new event that collides is noticed and the factors are searched anew.
 */
static const unsigned char eventSlots[64] = {
    [0] = TAC_EV_TASK_DEADLINE + 1,
    [1] = TAC_EV_INTERVAL + 1,
    [4] = TAC_EV_JOB_STARTED + 1,
    [7] = TAC_EV_PROFILE + 1,
    [8] = TAC_EV_JOB_ACQUIRED_MUTEX + 1,
    [10] = TAC_EV_JOB_ABANDONED + 1,
    [12] = TAC_EV_SERVER_RESUMED + 1,
    [13] = TAC_EV_SYNC_RECEIVED + 1,
    [20] = TAC_EV_PROCESSOR_UNKNOWN + 1,
    [21] = TAC_EV_PROCESSOR_IDLE + 1,
    [24] = TAC_EV_SERVER_REPLENISHED + 1,
    [26] = TAC_EV_JOB_ACQUIRED_SEMAPHORE + 1,
    [28] = TAC_EV_JOB_COMPLETED + 1,
    [29] = TAC_EV_SERVER_DEPLETED + 1,
    [30] = TAC_EV_JOB_UNKNOWN + 1,
    [31] = TAC_EV_TASK_ARRIVED_AND_IGNORED + 1,
    [34] = TAC_EV_SERVER_PREEMPTED + 1,
    [37] = TAC_EV_RELTEQ + 1,
    [38] = TAC_EV_JOB_READY + 1,
    [40] = TAC_EV_TASK_ANNOTATION + 1,
    [44] = TAC_EV_JOB_RESUMED + 1,
    [45] = TAC_EV_TASK_ARRIVED + 1,
    [46] = TAC_EV_JOB_ARRIVED + 1,
    [48] = TAC_EV_JOB_RELEASED_MUTEX + 1,
    [49] = TAC_EV_NOP + 1,
    [53] = TAC_EV_JOB_DEADLINE + 1,
    [54] = TAC_EV_MESSAGE + 1,
    [56] = TAC_EV_JOB_BLOCKED + 1,
    [58] = TAC_EV_JOB_RELEASED_SEMAPHORE + 1,
    [59] = TAC_EV_SYNC_SENT + 1,
    [60] = TAC_EV_JOB_PREEMPTED + 1,
    [61] = TAC_EV_JOB_SUSPENDED_ON_SEMAPHORE + 1,
};

static inline bool sameName(const char *spec, const char *name, size_t length) {
    return strncmp(spec, name, length) == 0 && spec[length] == '\0';
}

static int plotEventFind(const char *name, size_t length) {
    if (length < 3) return -1;
    const unsigned char *c = (const unsigned char *) name;
    size_t slot = (length + c[0] + 6u * c[length - 3] + 2u * c[length / 2] + 18u * c[length / 3]) & 63;
    int event = eventSlots[slot] - 1;
    if (event >= 0 && tacEvents[event].nameLength == length && memcmp(tacEvents[event].name, name, length) == 0)
        return event;
    return length > 8 && memcmp(name, "analysis", 8) == 0 ? TAC_EV_ANALYSIS : -1;
}

int tacEventFind(const char *name, size_t length, bool buffer) {
    if (!buffer) return plotEventFind(name, length);
    if (sameName("write", name, length)) return TAC_EV_BUFFER_PUSH;
    if (sameName("read", name, length)) return TAC_EV_BUFFER_POP;
    for (int event = TAC_EV_BUFFER_PUSH; event <= TAC_EV_BUFFER_RESET; event++)
        if (sameName(tacEvents[event].name, name, length)) return event;
    return -1;
}

int tacOptionFind(const char *name, size_t length, uint64_t among) {
    for (int option = 0; among; option++, among >>= 1)
        if ((among & 1) && sameName(tacOptions[option].name, name, length)) return option;
    return -1;
}

const char *tacEventSimilar(const char *name, size_t length, bool buffer) {
    for (int event = 0; event < TAC_EVENTS; event++)
        if (*tacEvents[event].name && tacEvents[event].buffer == buffer
            && tacSimilar(name, length, tacEvents[event].name))
            return tacEvents[event].name;
    return NULL;
}

const char *tacOptionSimilar(const char *name, size_t length, uint64_t among) {
    for (int option = 0; among; option++, among >>= 1)
        if ((among & 1) && tacSimilar(name, length, tacOptions[option].name)) return tacOptions[option].name;
    return NULL;
}

/* " ?-color color?" or " ?-kind task|isr?" */
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
    tacTextPrintf(out, "%s time %s", spec->buffer ? "bufferplot" : "plot", spec->name);
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
