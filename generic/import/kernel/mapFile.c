/*
 * mapFile.c -- the sink that turns the commands of a mapping file into rules.
 *
 *      task PATTERN ?-option value ...?
 *
 * Each command is a row of `commands`, with a handler and a table of options; each option is a row with its name, the
 * place of its value, and the reader of the value.
 */
#include "base/port.h"

#include "base/similar.h"
#include "import/kernel/mapFile.h"
#include "read/commandFile.h"
#include "read/literal.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 1024 }; /* bytes of a name or pattern */

typedef struct Reading {
    tacKernelMap *map;
    tacDiag *diag;
    bool defined; /* for tasks of a trace that defines them, not for threads: priorities are any integers */
    bool plain;   /* times of tasks may be without a unit */
} Reading;

/* ---- values ------------------------------------------------------------------------------------------------------ */

typedef struct Priority {
    int32_t value;
    bool any; /* not only the kernel's */
} Priority;

typedef struct TaskTime {
    int64_t ns; /* TAC_UNKNOWN: not given */
    bool plain; /* it has no unit: billionths of the trace's own */
    bool mayBePlain;
} TaskTime;

/* Values of the options of all commands. Texts are allocated, and freed after the command. */
typedef struct Values {
    int32_t pid;
    Priority priority;
    char *name, *group, *cpus, *acquire, *release, *key, *pattern[4], *begin, *end;
    TaskTime period, deadline, budget;
    int64_t capacity, futex;
    tacBoundary boundary;
    tacScheduler scheduler;
} Values;

static const Values none = {.pid = -1,
    .priority = {TAC_KERNEL_NO_PRIORITY, false},
    .period = {TAC_UNKNOWN, false, false},
    .deadline = {TAC_UNKNOWN, false, false},
    .budget = {TAC_UNKNOWN, false, false},
    .capacity = TAC_UNKNOWN};

static tacStatus readText(const tacWord *word, void *value, tacError *err) {
    char *copy;
    if (!word->length) return tacFail(err, "VALUE EMPTY", "it is empty");
    if (word->length > LONGEST)
        return tacFail(err, "VALUE LONG", "\"%.*s...\" has more than %d bytes", TAC_SHOWN(word), LONGEST);
    if (!(copy = tacCopyText(word->at, word->length))) return tacFailMemory(err);
    tacFree(*(char **) value);
    *(char **) value = copy;
    return TAC_OK;
}

static tacStatus readInteger(const tacWord *word, int64_t low, int64_t high, int32_t *value, tacError *err) {
    tacDecimal number;
    if (tacDecimalParse(word->at, word->length, &number) != TAC_OK || number.digits > 0 || number.mantissa < low
        || number.mantissa > high)
        return tacFail(err, "VALUE INTEGER", "\"%.*s\" is no integer from %lld to %lld", TAC_SHOWN(word),
            (long long) low, (long long) high);
    *value = (int32_t) number.mantissa;
    return TAC_OK;
}

static tacStatus readPid(const tacWord *word, void *value, tacError *err) {
    return readInteger(word, 1, INT32_MAX, value, err);
}

static tacStatus readPriority(const tacWord *word, void *value, tacError *err) {
    Priority *priority = value;
    return readInteger(word, priority->any ? -INT32_MAX : -1, priority->any ? INT32_MAX : 139, &priority->value, err);
}

static tacStatus readScheduler(const tacWord *word, void *value, tacError *err) {
    for (int i = TAC_SCHEDULER_NONE + 1; i < TAC_SCHEDULERS; i++) {
        if (!tacWordIs(word, tacSchedulerWord((tacScheduler) i))) continue;
        return *(tacScheduler *) value = (tacScheduler) i, TAC_OK;
    }
    return tacFail(
        err, "VALUE SCHEDULER", "unknown scheduler \"%.*s\"; expected fp, fifo, rr, edf or fair", TAC_SHOWN(word));
}

/* Reads "10ms" or "0.25 s", in ns; it must be positive and a whole number of ns. */
static bool timeOf(const tacWord *word, int64_t *ns) {
    size_t n = word->length;
    tacDecimal number;
    bool rounded = false;
    while (n > 0 && strchr("0123456789. ", word->at[n - 1]) == NULL) n--;
    tacWord unit = {word->at + n, word->length - n};
    while (n > 0 && word->at[n - 1] == ' ') n--;
    if (tacDecimalParse(word->at, n, &number) != TAC_OK || number.rounded || number.mantissa <= 0) return false;
    int exponent;
    return tacTimeUnit(unit.at, unit.length, &exponent)
        && tacDecimalShift(number.mantissa, 9 + exponent - number.digits, ns, &rounded) && !rounded && tacIsTime(*ns);
}

static tacStatus readTime(const tacWord *word, void *value, tacError *err) {
    if (timeOf(word, value)) return TAC_OK;
    return tacFail(err, "VALUE TIME",
        "\"%.*s\" is no time: expected a positive number with its unit, such as 10ms, 250us, 0.5s or 800ns",
        TAC_SHOWN(word));
}

/* Reads "10" or "0.25", in billionths. */
static bool plainOf(const tacWord *word, int64_t *billionths) {
    tacDecimal number;
    bool rounded = false;
    return tacDecimalParse(word->at, word->length, &number) == TAC_OK && !number.rounded && number.mantissa > 0
        && tacDecimalShift(number.mantissa, 9 - number.digits, billionths, &rounded) && !rounded
        && tacIsTime(*billionths);
}

static tacStatus readTaskTime(const tacWord *word, void *value, tacError *err) {
    TaskTime *time = value;
    time->plain = time->mayBePlain && plainOf(word, &time->ns);
    return time->plain ? TAC_OK : readTime(word, &time->ns, err);
}

static tacStatus readAddress(const tacWord *word, void *value, tacError *err) {
    unsigned long long address = 0;
    int used = 0;
    char text[24] = {0};
    if (word->length < sizeof text) memcpy(text, word->at, word->length);
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (text[0] < '0' || text[0] > '9' || sscanf(text, hex ? "%llx%n" : "%llu%n", &address, &used) != 1
        || (size_t) used != word->length || !address)
        return tacFail(
            err, "VALUE ADDRESS", "\"%.*s\" is no address: expected a number such as 0x7f53de6fba4c", TAC_SHOWN(word));
    *(int64_t *) value = (int64_t) address;
    return TAC_OK;
}

/* ---- job boundaries ---- */

typedef struct BoundarySpec {
    const char *name;
    tacBoundary boundary;
    size_t patterns;
    const char *usage;
} BoundarySpec;
static const BoundarySpec boundaries[] = {
    {"auto", TAC_BOUNDARY_AUTO, 0, "auto"},
    {"wakeup", TAC_BOUNDARY_WAKEUP, 0, "wakeup"},
    {"mark", TAC_BOUNDARY_MARK, 2, "mark BEGIN END"},
    {"syscall", TAC_BOUNDARY_SYSCALL, 1, "syscall NAME"},
    {"event", TAC_BOUNDARY_EVENT, 2, "event BEGIN END"},
    {"program", TAC_BOUNDARY_PROGRAM, 0, "program"},
};
static const char *const boundaryNames[] = {"auto", "wakeup", "mark", "syscall", "event", "program", NULL};

/* Reads a word of a list. As in Tcl's lists, brackets and dollars have no meaning; backslashes have. */
static tacStatus readListWord(const tacRawWord *raw, char **value, tacError *err) {
    char text[LONGEST];
    size_t n = 0;
    const char *end = raw->at + raw->length;
    if (raw->length > LONGEST - 4 || raw->kind == TAC_WORD_BRACED || !(raw->needs & TAC_NEEDS_ESCAPES))
        return readText(&(tacWord){raw->at, raw->length}, value, err);
    for (const char *p = raw->at; p < end;) {
        size_t written = 1;
        if (*p != '\\') text[n] = *p++;
        else p += tacEscape(p, end, text + n, &written);
        n += written;
    }
    return readText(&(tacWord){text, n}, value, err);
}

/* Takes the words of a boundary: its kind, and its patterns. */
static tacStatus takeBoundary(const tacSplit *split, Values *values, tacError *err) {
    tacWord kind = {split->words.at[0].at, split->words.at[0].length};
    size_t i = 0;
    while (boundaryNames[i] && !tacWordIs(&kind, boundaryNames[i])) i++;
    if (!boundaryNames[i]) {
        const char *similar = tacSimilarOf(kind.at, kind.length, boundaryNames);
        return tacFail(err, "VALUE JOB", "unknown boundary \"%.*s\"; %s%s%s", TAC_SHOWN(&kind),
            similar ? "did you mean \"" : "expected auto, wakeup, mark, syscall, event or program",
            similar ? similar : "", similar ? "\"?" : "");
    }
    if (split->words.count != boundaries[i].patterns + 1)
        return tacFail(err, "VALUE JOB", "expected {%s}", boundaries[i].usage);
    values->boundary = boundaries[i].boundary;
    char **into[2] = {&values->begin, &values->end};
    for (size_t k = 0; k < 2; k++) {
        tacFree(*into[k]);
        *into[k] = NULL;
        if (k < boundaries[i].patterns && readListWord(&split->words.at[k + 1], into[k], err) != TAC_OK)
            return TAC_ERROR;
    }
    return TAC_OK;
}

/* Reads a boundary; value: the Values themselves. */
static tacStatus readBoundary(const tacWord *word, void *value, tacError *err) {
    tacSplit split = {0};
    const char *end = word->at + word->length;
    tacSplitStatus status = tacSplitCommand(&split, word->at, end, true);
    tacStatus result = status == TAC_SPLIT_MEMORY ? tacFailMemory(err)
        : status != TAC_SPLIT_DONE ? tacFail(err, "VALUE JOB", "%s", split.problem ? split.problem : "it is no list")
        : split.words.count == 0 || split.next < end ? tacFail(err, "VALUE JOB",
              "expected {auto}, {wakeup}, {mark BEGIN END}, {syscall NAME}, {event BEGIN END} or {program}")
                                                     : takeBoundary(&split, value, err);
    tacSplitFree(&split);
    return result;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static const tacCommandOption taskOptions[] = {
    {"-pid", offsetof(Values, pid), readPid},
    {"-name", offsetof(Values, name), readText},
    {"-period", offsetof(Values, period), readTaskTime},
    {"-deadline", offsetof(Values, deadline), readTaskTime},
    {"-budget", offsetof(Values, budget), readTaskTime},
    {"-priority", offsetof(Values, priority), readPriority},
    {"-group", offsetof(Values, group), readText},
    {"-scheduler", offsetof(Values, scheduler), readScheduler},
    {"-cpus", offsetof(Values, cpus), readText},
    {"-job", 0, readBoundary},
    {NULL, 0, NULL},
};
static const tacCommandOption ignoreOptions[] = {{"-pid", offsetof(Values, pid), readPid}, {NULL, 0, NULL}};
static const tacCommandOption noOptions[] = {{NULL, 0, NULL}};
static const tacCommandOption mutexOptions[] = {
    {"-name", offsetof(Values, name), readText},
    {"-futex", offsetof(Values, futex), readAddress},
    {"-acquire", offsetof(Values, acquire), readText},
    {"-release", offsetof(Values, release), readText},
    {NULL, 0, NULL},
};
static const tacCommandOption serverOptions[] = {
    {"-name", offsetof(Values, name), readText},
    {"-capacity", offsetof(Values, capacity), readTime},
    {"-key", offsetof(Values, key), readText},
    {"-replenished", offsetof(Values, pattern[0]), readText},
    {"-resumed", offsetof(Values, pattern[1]), readText},
    {"-preempted", offsetof(Values, pattern[2]), readText},
    {"-depleted", offsetof(Values, pattern[3]), readText},
    {NULL, 0, NULL},
};

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* Words of a command before its options: patterns, an id. */
typedef struct Names {
    char **at;
    int count;
} Names;

typedef struct CommandRow {
    const char *name, *usage;
    int least, most; /* words before the options */
    const tacCommandOption *options;
    /* NULL: it is about logs (import/log/logMap.h) */
    tacStatus (*run)(tacKernelMap *map, const Names *names, const Values *values, uint32_t line, tacError *err);
} CommandRow;

static tacStatus runTask(tacKernelMap *map, const Names *names, const Values *v, uint32_t line, tacError *err) {
    tacKernelRule rule = {.name = v->name,
        .group = v->group,
        .T = v->period.ns,
        .D = v->deadline.ns,
        .C = v->budget.ns,
        .plainT = v->period.plain,
        .plainD = v->deadline.plain,
        .plainC = v->budget.plain,
        .priority = v->priority.value,
        .scheduler = v->scheduler,
        .cpus = v->cpus,
        .boundary = v->boundary,
        .begin = v->begin,
        .end = v->end};
    return tacKernelMapAddThread(map, names->at[0], v->pid, &rule, line, err);
}

static tacStatus runIgnore(tacKernelMap *map, const Names *names, const Values *v, uint32_t line, tacError *err) {
    tacKernelRule rule = {
        .T = TAC_UNKNOWN, .D = TAC_UNKNOWN, .C = TAC_UNKNOWN, .priority = TAC_KERNEL_NO_PRIORITY, .hidden = true};
    for (int i = 0; i < names->count; i++)
        if (tacKernelMapAddThread(map, names->at[i], v->pid, &rule, line, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

static tacStatus runGroup(tacKernelMap *map, const Names *names, const Values *v, uint32_t line, tacError *err) {
    (void) v;
    for (int i = 1; i < names->count; i++)
        if (tacKernelMapAddGroup(map, names->at[0], names->at[i], line, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

static tacStatus runMutex(tacKernelMap *map, const Names *names, const Values *v, uint32_t line, tacError *err) {
    if (!v->futex && !(v->acquire && v->release))
        return tacFail(err, "USAGE", "mutex %.60s needs -futex, or -acquire and -release", names->at[0]);
    tacKernelMutexRule rule = {v->futex, v->acquire, v->release};
    return tacKernelMapAddMutex(map, names->at[0], v->name, &rule, line, err);
}

static tacStatus runServer(tacKernelMap *map, const Names *names, const Values *v, uint32_t line, tacError *err) {
    if (!v->pattern[0])
        return tacFail(
            err, "USAGE", "server %.60s needs -replenished, the pattern of what gives it its budget", names->at[0]);
    tacKernelServerRule rule = {{v->pattern[0], v->pattern[1], v->pattern[2], v->pattern[3]}, v->key, v->capacity};
    return tacKernelMapAddServer(map, names->at[0], v->name, &rule, line, err);
}

static tacStatus runBlocked(tacKernelMap *map, const Names *names, const Values *v, uint32_t line, tacError *err) {
    (void) v, (void) line;
    for (int i = TAC_BLOCKED_AUTO; tacKernelBlockedWords[i]; i++) {
        if (strcmp(tacKernelBlockedWords[i], names->at[0]) != 0) continue;
        return tacKernelMapSetBlocked(map, (tacKernelBlocked) i), TAC_OK;
    }
    return tacFail(err, "VALUE BLOCKED", "blocked: unknown rule \"%.60s\"; expected auto or priority", names->at[0]);
}

static const CommandRow commands[] = {
    {"task", "task PATTERN ?-option value ...?", 1, 1, taskOptions, runTask},
    {"ignore", "ignore PATTERN ?PATTERN ...? ?-pid N?", 1, TAC_MAP_RULES, ignoreOptions, runIgnore},
    {"group", "group NAME PATTERN ?PATTERN ...?", 2, TAC_MAP_RULES, noOptions, runGroup},
    {"mutex", "mutex ID ?-option value ...?", 1, 1, mutexOptions, runMutex},
    {"server", "server ID ?-option value ...?", 1, 1, serverOptions, runServer},
    {"blocked", "blocked auto|priority", 1, 1, noOptions, runBlocked},
    {"log", NULL, 0, 0, NULL, NULL},
    {"column", NULL, 0, 0, NULL, NULL},
    {"event", NULL, 0, 0, NULL, NULL},
    {NULL, NULL, 0, 0, NULL, NULL},
};
static const char *const commandNames[] = {
    "task", "ignore", "group", "mutex", "server", "blocked", "log", "column", "event", NULL};

/* Reads the names and options of a command, and runs it. */
static tacStatus runCommand(tacKernelMap *map, const CommandRow *row, const tacWord *words, int count, Names *names,
    Values *values, uint32_t line, tacError *err) {
    for (int i = 0; i < names->count; i++) {
        tacError problem = {0};
        if (readText(&words[i + 1], &names->at[i], &problem) != TAC_OK)
            return tacFail(err, problem.code, "%s: word %d: %s", row->name, i + 1, problem.message);
    }
    if (tacCommandOptions(row->name, row->options, words + 1 + names->count, count - 1 - names->count, values, err)
        != TAC_OK)
        return TAC_ERROR;
    return row->run(map, names, values, line, err);
}

static tacStatus onCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Reading *reading = data;
    const CommandRow *row = commands;
    while (!tacWordIs(&words[0], row->name)) row++; /* it is one of commandNames */
    if (!row->run) return TAC_OK;
    Values values = none;
    values.period.mayBePlain = values.deadline.mayBePlain = values.budget.mayBePlain = reading->plain;
    values.priority.any = reading->defined;
    Names names = {NULL, 0};
    /* a name may begin with a dash only where an option cannot stand */
    for (int n = 1; n < count && n <= row->most; n++, names.count++)
        if (n > row->least && words[n].length >= 2 && words[n].at[0] == '-') break;
    if (names.count < row->least)
        return tacFail(err, "USAGE", "%s: words are missing; usage: %s", row->name, row->usage);
    if (!(names.at = tacAllocZero((size_t) names.count, sizeof *names.at))) return tacFailMemory(err);
    tacStatus status = runCommand(reading->map, row, words, count, &names, &values, line, err);
    for (int i = 0; i < names.count; i++) tacFree(names.at[i]);
    tacFree(names.at);
    char *texts[] = {values.name, values.group, values.cpus, values.acquire, values.release, values.key, values.begin,
        values.end, values.pattern[0], values.pattern[1], values.pattern[2], values.pattern[3]};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) tacFree(texts[i]);
    return status;
}

static void onNote(void *data, tacSeverity severity, const char *text) {
    Reading *reading = data;
    if (reading->diag) tacDiagAdd(reading->diag, severity, 0, "MAP", "%s", text);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Reads a mapping from a text; text NULL: from the file of this name. */
static tacStatus readMap(Reading *reading, const char *name, const char *text, size_t length,
    const tacReadOptions *options, tacKernelMap **map, tacError *err) {
    tacCommandFile file = {"mapping", "MAP", commandNames, onCommand, onNote, NULL, reading};
    if (!(reading->map = *map = tacKernelMapNew(name))) return tacFailMemory(err);
    if (tacCommandFileRead(&file, name, text, length, options, err) == TAC_OK) return TAC_OK;
    tacKernelMapFree(*map);
    *map = NULL;
    return TAC_ERROR;
}

tacStatus tacMapFileRead(
    const char *path, const tacReadOptions *options, tacDiag *diag, tacKernelMap **map, tacError *err) {
    Reading reading = {.diag = diag};
    return readMap(&reading, path, NULL, 0, options, map, err);
}

tacStatus tacMapTextRead(const char *name, const char *text, size_t length, const tacReadOptions *options,
    tacDiag *diag, tacKernelMap **map, tacError *err) {
    Reading reading = {.diag = diag};
    return readMap(&reading, name, text ? text : "", text ? length : 0, options, map, err);
}

tacStatus tacMapTasksRead(const char *name, const char *text, bool plain, const tacReadOptions *options, tacDiag *diag,
    tacKernelMap **map, tacError *err) {
    Reading reading = {.diag = diag, .defined = true, .plain = plain};
    return readMap(&reading, name, text, text ? strlen(text) : 0, options, map, err);
}
