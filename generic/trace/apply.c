/*
 * apply.c -- from commands to rows: plot and bufferplot events, definitions in both forms, settings, object calls.
 *
 * Ids may be used before they are defined, so nothing is resolved here; trace/freeze.c does that when all is read.
 */
#include "base/port.h"

#include "trace/apply.h"
#include "trace/quote.h"
#include "trace/times.h"

#include <string.h>

/*
 * A time that was read and is not stored yet. A later number of the same command may bring more digits and change the
 * scale of the store (times.c restates what it holds); so ticks remember the scale they were read in, and are settled
 * before they are stored.
 */
typedef struct Moment {
    int64_t ticks;
    int digits;
} Moment;

/* Values of the options of one command. */
typedef struct Values {
    tacOptionValue at[TAC_OPTIONS]; /* in the order of the command; owner is not set */
    int digits[TAC_OPTIONS];        /* by place in `at`, for times: digits of the store when the value was read */
    int count;
    uint16_t processor; /* of -processor, or TAC_NO_PROCESSOR */
    uint32_t target;    /* job of -target, or TAC_NONE */
    uint32_t said;      /* of a message: its column `object` (tacMessageSaid), or TAC_NONE */
} Values;

/* ---- values ---- */

/* Reads a time. Most times are plain integers that cannot overflow, in a trace without decimals. */
static tacStatus readTime(tacStore *store, const tacWord *word, int64_t *ticks, tacError *err) {
    if (word->length <= 17 && store->digits == 0) {
        const char *p = word->at, *end = p + word->length;
        int64_t value = 0;
        while (p < end && *p >= '0' && *p <= '9') value = 10 * value + (*p++ - '0');
        if (p == end && word->length > 0) {
            if (value > store->largest) store->largest = value;
            return *ticks = value, TAC_OK;
        }
    }
    return tacTimeRead(store, word->at, word->length, ticks, err);
}

/* Brings ticks that were read at `digits` to the present scale of the store. False: no memory. */
static inline bool settle(tacStore *store, int64_t *ticks, int digits) {
    return TAC_LIKELY(digits == store->digits) || tacTimeCarry(store, ticks, digits);
}

/* The same for all times among the values. False: no memory. */
static bool settleValues(tacStore *store, Values *values) {
    for (int i = 0; i < values->count; i++)
        if (tacOptions[values->at[i].option].type == TAC_TYPE_TIME
            && !settle(store, &values->at[i].value, values->digits[i]))
            return false;
    return true;
}

/* Reads a time with its scale. */
static tacStatus readMoment(tacStore *store, const tacWord *word, Moment *moment, tacError *err) {
    tacStatus status = readTime(store, word, &moment->ticks, err);
    moment->digits = store->digits;
    return status;
}

/* Reads a text: its string id. */
static tacStatus readString(tacStore *store, const tacWord *word, int64_t *value, tacError *err) {
    uint32_t id = tacStoreString(store, word->at, word->length);
    *value = id;
    return id == TAC_NONE ? tacFailMemory(err) : TAC_OK;
}

/* Reads an id: the index of the object, which is mentioned if it is new. */
static tacStatus readObject(tacStore *store, tacKind kind, const tacWord *word, int64_t *value, tacError *err) {
    uint32_t index = tacStoreObject(store, kind, word->at, word->length);
    *value = index;
    if (TAC_UNLIKELY(index == TAC_NONE)) return tacFailMemory(err);
    if (TAC_UNLIKELY(kind == TAC_PROCESSOR && index >= TAC_NO_PROCESSOR))
        return tacFail(err, "LIMIT PROCESSORS", "more than %d processors", TAC_NO_PROCESSOR);
    return TAC_OK;
}

static bool isOneOf(const tacWord *word, const char *const *words) {
    for (; word->length && *words; words++)
        if (**words == *word->at && tacWordIs(word, *words)) return true;
    return false;
}

/* Reads a word by its type. */
static tacStatus readValue(tacStore *store, tacType type, const tacWord *word, int64_t *value, tacError *err) {
    if (type < (tacType) TAC_KINDS) return readObject(store, (tacKind) type, word, value, err);
    if (type == TAC_TYPE_TIME) return readTime(store, word, value, err);
    if (type != TAC_TYPE_INTEGER) return readString(store, word, value, err);
    tacDecimal number;
    if (tacDecimalParse(word->at, word->length, &number) != TAC_OK || number.digits > 0 || number.mantissa > INT32_MAX
        || number.mantissa < -INT32_MAX)
        return tacFail(err, "VALUE INTEGER", "\"%.*s\" is not an integer of 32 bits", TAC_SHOWN(word));
    return *value = number.mantissa, TAC_OK;
}

/* Reads all words from here on as one list: its string id. */
static tacStatus readRest(tacStore *store, const tacWord *words, int count, int64_t *value, tacError *err) {
    tacText list = {0};
    for (int i = 0; i < count; i++) {
        if (i) tacTextAdd(&list, " ", 1);
        tacQuoteWord(&list, words[i].at, words[i].length);
    }
    tacWord whole = {list.at ? list.at : "", list.length};
    tacStatus status = list.failed ? tacFailMemory(err) : readString(store, &whole, value, err);
    tacTextFree(&list);
    return status;
}

/* ---- options ---- */

/* True when the word is a value that the option takes; else the option is ignored, with a warning. A shape may also be
 * a single character. */
static bool isAllowed(tacApply *apply, tacOption option, const tacWord *word, uint32_t line) {
    const char *const *words = tacTypeWords(tacOptions[option].type);
    if (!words || isOneOf(word, words)) return true;
    if (option == TAC_OPT_SHAPE && word->length > 0 && word->length <= 4
        && (word->length == 1 || ((unsigned char) word->at[0]) >= 0xC0))
        return true;
    tacText allowed = {0};
    for (; *words; words++) tacTextPrintf(&allowed, "%s%s", allowed.length ? ", " : "", *words);
    tacDiagAdd(apply->diag, TAC_SEVERITY_WARNING, line, "OPTION",
        "option %s: \"%.*s\" is none of %s; the option is ignored", tacOptions[option].name, TAC_SHOWN(word),
        allowed.at ? allowed.at : "its values");
    tacTextFree(&allowed);
    return false;
}

/* Notes an option of a message that is kept in its column `object`: -task, -from, -shape. */
static tacStatus noteSaid(tacOption option, const tacWord *word, int64_t value, Values *values, tacError *err) {
    uint32_t task = values->said & TAC_MESSAGE_TASK, from = 3 - (values->said >> TAC_MESSAGE_FROM & 3);
    bool drawn = (values->said >> TAC_MESSAGE_DRAWN & 1) != 0;
    if (option == TAC_OPT_SHAPE) drawn = !tacWordIs(word, "none");
    else if (option == TAC_OPT_TASK) task = (uint32_t) value;
    else
        for (from = TAC_FROM_MARK; !tacWordIs(word, tacTypeWords(TAC_TYPE_FROM)[from - 1]);) from++;
    if (option == TAC_OPT_TASK && value >= TAC_MESSAGE_TASK)
        return tacFail(err, "LIMIT TASKS", "-task is possible for the first %d tasks", TAC_MESSAGE_TASK);
    values->said = tacMessageSaid(task, (tacFrom) from, drawn);
    return TAC_OK;
}

/* Reads the value of one option into `values`. A time that is too large costs only the option, not the command. */
static tacStatus readOption(
    tacApply *apply, tacOption option, const tacWord *word, uint32_t line, Values *values, tacError *err) {
    int64_t value;
    if (!isAllowed(apply, option, word, line)) return TAC_OK;
    tacError failure = {0};
    if (readValue(apply->store, tacOptions[option].type, word, &value, &failure) != TAC_OK) {
        if (strcmp(failure.code, "TIME RANGE") != 0) return tacFail(err, failure.code, "%s", failure.message);
        tacDiagAdd(apply->diag, TAC_SEVERITY_ERROR, line, failure.code, "option %s: %s; the option is ignored",
            tacOptions[option].name, failure.message);
        return TAC_OK;
    }
    if (option == TAC_OPT_TASK || option == TAC_OPT_FROM || option == TAC_OPT_SHAPE) {
        if (noteSaid(option, word, value, values, err) != TAC_OK) return TAC_ERROR;
        if (option != TAC_OPT_SHAPE || tacWordIs(word, "none")) return TAC_OK;
    }
    if (option == TAC_OPT_PROCESSOR) values->processor = (uint16_t) value;
    if (option == TAC_OPT_TARGET) values->target = (uint32_t) value;
    else {
        if (values->count == TAC_OPTIONS) return tacFail(err, "USAGE OPTION", "more than %d options", TAC_OPTIONS);
        values->digits[values->count] = apply->store->digits;
        values->at[values->count++] = (tacOptionValue){0, option, value};
    }
    return TAC_OK;
}

/* Reads -option value pairs up to the end or a word that begins a comment. what: the command or event, for messages. */
static tacStatus readOptions(tacApply *apply, const tacWord *words, int count, uint64_t among, const char *what,
    uint32_t line, Values *values, tacError *err) {
    for (int i = 0; i < count; i++) {
        const tacWord *word = &words[i];
        if (word->length && word->at[0] == '#') return TAC_OK;
        if (word->length < 2 || word->at[0] != '-')
            return tacFail(
                err, "USAGE WORDS", "%s: extra word \"%.*s\"; expected -option value", what, TAC_SHOWN(word));
        int option = tacOptionFind(word->at, word->length, among);
        if (option >= 0 && tacOptions[option].type == TAC_TYPE_FLAG) {
            /* A flag has no value, but some programs write "-force 1". */
            if (i + 1 < count && (tacWordIs(&words[i + 1], "1") || tacWordIs(&words[i + 1], "0"))) i++;
            if (values->count < TAC_OPTIONS) values->at[values->count++] = (tacOptionValue){0, (uint32_t) option, 1};
            continue;
        }
        if (i + 1 == count) return tacFail(err, "USAGE OPTION", "%s: no value after %.*s", what, TAC_SHOWN(word));
        i++;
        if (option < 0) {
            const char *similar = tacOptionSimilar(word->at, word->length, among);
            tacDiagAdd(apply->diag, TAC_SEVERITY_WARNING, line, "OPTION", "%s has no option %.*s; it is ignored%s%s%s",
                what, TAC_SHOWN(word), similar ? "; did you mean " : "", similar ? similar : "", similar ? "?" : "");
        } else if (readOption(apply, (tacOption) option, &words[i], line, values, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- events ---- */

/*
 * Reads the positional words as values of the columns, 32 bits each; a time among them goes to the store's numbers.
 * *used: how many words were read.
 */
static tacStatus readArguments(
    tacStore *store, tacEvent event, const tacWord *words, int count, uint32_t value[3], int *used, tacError *err) {
    const tacEventSpec *spec = &tacEvents[event];
    if (TAC_UNLIKELY(count < spec->nRequired)) {
        tacText usage = {0};
        tacEventUsage(event, &usage);
        tacFail(err, "USAGE WORDS", "%s: words are missing; usage: %s", spec->name, usage.at ? usage.at : "");
        tacTextFree(&usage);
        return TAC_ERROR;
    }
    int i = 0;
    for (; i < spec->nArguments && i < count; i++) {
        tacType type = spec->arguments[i];
        int64_t wide;
        if (type == TAC_TYPE_REST) {
            if (readRest(store, words + i, count - i, &wide, err) != TAC_OK) return TAC_ERROR;
            value[i] = (uint32_t) wide;
            i = count;
            break;
        }
        if (readValue(store, type, &words[i], &wide, err) != TAC_OK) return TAC_ERROR;
        value[i] = (uint32_t) (type == TAC_TYPE_TIME ? (int64_t) store->numbers.count : wide);
        if (type == TAC_TYPE_TIME && !tacArrayPush(&store->numbers, wide)) return tacFailMemory(err);
    }
    *used = i;
    return TAC_OK;
}

/* Notes the task of a job that arrives, unless it is known. */
static inline void noteTask(tacStore *store, tacEvent event, uint32_t job, uint32_t task) {
    if (event == TAC_EV_JOB_ARRIVED && store->jobTask.at[job] == TAC_NONE) store->jobTask.at[job] = task;
}

/* Appends an event with options, or with a third argument, which is stored as one. words: those behind the arguments,
 * whose values are in `value`. */
static tacStatus applyWithOptions(tacApply *apply, Moment time, tacEvent event, uint32_t value[3], const tacWord *words,
    int count, uint32_t line, tacError *err) {
    tacStore *store = apply->store;
    const tacEventSpec *spec = &tacEvents[event];
    Values values;
    values.count = 0;
    values.processor = TAC_NO_PROCESSOR;
    values.target = values.said = TAC_NONE;
    if (readOptions(apply, words, count, spec->options, spec->name, line, &values, err) != TAC_OK) return TAC_ERROR;
    if (values.target != TAC_NONE) value[1] = values.target;
    if (values.said != TAC_NONE) value[1] = values.said;
    if (spec->nArguments == 3) {
        bool number = spec->arguments[2] == TAC_TYPE_INTEGER;
        values.at[values.count++] = (tacOptionValue){
            0, TAC_OPT_ARGUMENT3, number ? (int64_t) (int32_t) value[2] : (int64_t) value[2]};
    }
    noteTask(store, event, value[0], value[1]);
    if (!settleValues(store, &values) || !settle(store, &time.ticks, time.digits)) return tacFailMemory(err);
    /* The processor of a synchronization event is no option but one of its arguments: source or target. */
    uint16_t place = values.processor;
    if (TAC_UNLIKELY(tacEventIs(event, TAC_TRAIT_SYNC))) place = (uint16_t) value[event == TAC_EV_SYNC_RECEIVED];
    uint32_t row = tacStoreAppend(store, time.ticks, event, value[0], value[1], place, line, err);
    if (row == TAC_NONE) return TAC_ERROR;
    for (int i = 0; i < values.count; i++)
        if (values.at[i].option != TAC_OPT_PROCESSOR /* it has a column of its own */
            && !tacStoreAddOption(store, row, (tacOption) values.at[i].option, values.at[i].value))
            return tacFailMemory(err);
    return TAC_OK;
}

/* Applies an event. words: those after its name. */
static tacStatus applyEvent(
    tacApply *apply, Moment time, tacEvent event, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacStore *store = apply->store;
    uint32_t value[3] = {TAC_NONE, TAC_NONE, TAC_NONE};
    int used = 0;
    if (readArguments(store, event, words, count, value, &used, err) != TAC_OK) return TAC_ERROR;
    if (TAC_UNLIKELY(used < count || tacEvents[event].nArguments == 3))
        return applyWithOptions(apply, time, event, value, words + used, count - used, line, err);
    noteTask(store, event, value[0], value[1]);
    if (!settle(store, &time.ticks, time.digits)) return tacFailMemory(err);
    uint32_t row = tacStoreAppend(store, time.ticks, event, value[0], value[1], TAC_NO_PROCESSOR, line, err);
    return row == TAC_NONE ? TAC_ERROR : TAC_OK;
}

/* Applies an event whose name is data: analysis..., or one of a plugin. words: from its name on. */
static tacStatus applyNamed(
    tacApply *apply, int64_t time, tacEvent event, const tacWord *words, int count, uint32_t line, tacError *err) {
    int64_t name, rest = TAC_NONE;
    if (readString(apply->store, &words[0], &name, err) != TAC_OK) return TAC_ERROR;
    if (count > 1 && readRest(apply->store, words + 1, count - 1, &rest, err) != TAC_OK) return TAC_ERROR;
    uint32_t row = tacStoreAppend(
        apply->store, time, event, (uint32_t) name, (uint32_t) rest, TAC_NO_PROCESSOR, line, err);
    return row == TAC_NONE ? TAC_ERROR : TAC_OK;
}

/* Applies plot time event ..., or bufferplot. An unknown event is left out, with a warning. */
static tacStatus applyPlot(
    tacApply *apply, const tacWord *words, int count, bool buffer, uint32_t line, tacError *err) {
    if (TAC_UNLIKELY(count < 3))
        return tacFail(err, "USAGE WORDS", "%s: words are missing; usage: %s time event ?arg ...? ?-option value ...?",
            buffer ? "bufferplot" : "plot", buffer ? "bufferplot" : "plot");
    Moment time;
    const tacWord *name = &words[2];
    int event = tacEventFind(name->at, name->length, buffer);
    if (TAC_UNLIKELY(event < 0)) {
        if (buffer || tacInternFind(&apply->customEvents, name->at, name->length) == TAC_NONE) {
            const char *similar = tacEventSimilar(name->at, name->length, buffer);
            tacDiagAdd(apply->diag, TAC_SEVERITY_WARNING, line, "EVENT",
                "unknown %sevent \"%.*s\"; such events are left out%s%s%s", buffer ? "buffer " : "", TAC_SHOWN(name),
                similar ? "; did you mean \"" : "", similar ? similar : "", similar ? "\"?" : "");
            return TAC_OK;
        }
        event = TAC_EV_CUSTOM;
    }
    if (readMoment(apply->store, &words[1], &time, err) != TAC_OK) return TAC_ERROR;
    apply->lastTime = time.ticks;
    apply->lastDigits = time.digits;
    if (TAC_UNLIKELY(tacEventIs((tacEvent) event, TAC_TRAIT_NAMED)))
        return applyNamed(apply, time.ticks, (tacEvent) event, words + 2, count - 2, line, err);
    return applyEvent(apply, time, (tacEvent) event, words + 3, count - 3, line, err);
}

/* Applies profile ticks name ...: the old spelling of `plot ticks profile name ...` */
static tacStatus applyProfile(tacApply *apply, const tacWord *words, int count, uint32_t line, tacError *err) {
    Moment time;
    if (count < 3)
        return tacFail(err, "USAGE WORDS", "profile: words are missing; usage: profile ticks name ?word ...?");
    if (readMoment(apply->store, &words[1], &time, err) != TAC_OK) return TAC_ERROR;
    return applyEvent(apply, time, TAC_EV_PROFILE, words + 2, count - 2, line, err);
}

/* ---- definitions ---- */

/* Sets the fields of an object from the options of its definition. */
static void setObject(const tacStore *store, tacObject *object, const Values *values) {
    for (int i = 0; i < values->count; i++) {
        int64_t value = values->at[i].value;
        switch (values->at[i].option) {
        case TAC_OPT_NAME: object->name = (uint32_t) value; break;
        case TAC_OPT_PRIORITY: object->priority = (int32_t) value; break;
        case TAC_OPT_CAPACITY:
        case TAC_OPT_SERVER_CAPACITY: object->capacity = value; break;
        case TAC_OPT_BUDGET: object->budget = value; break;
        case TAC_OPT_C: object->C = value; break;
        case TAC_OPT_D: object->D = value; break;
        case TAC_OPT_T: object->T = value; break;
        case TAC_OPT_TASK_KIND: {
            const char *kind = tacString(store, (uint32_t) value);
            object->softirq = strcmp(kind, "softirq") == 0;
            object->isr = object->softirq || strcmp(kind, "isr") == 0;
            object->several = strcmp(kind, "several") == 0;
            break;
        }
        default: break;
        }
    }
    object->processor = values->processor;
}

/* Adds the options of a definition to the store. */
static tacStatus addDefinitionOptions(
    tacStore *store, tacKind kind, uint32_t index, const Values *values, tacError *err) {
    for (int i = 0; i < values->count; i++) {
        tacOptionValue value = values->at[i];
        value.owner = index;
        if (!tacArrayPush(&store->objectOptions[kind], value)) return tacFailMemory(err);
    }
    return TAC_OK;
}

/* Refuses a second definition of an object. */
static tacStatus failTwice(tacKind kind, const tacWord *id, uint32_t first, tacError *err) {
    return tacFail(err, "DEFINITION TWICE", "%s \"%.*s\" is defined twice: already in line %u, which stays",
        tacKindNames[kind], TAC_SHOWN(id), first);
}

/* Line of the newJob of a job; 0: there is none. */
static uint32_t definedAt(const tacApply *apply, uint32_t job) {
    uint32_t at = job < apply->definitions.count ? apply->definitions.at[job].place : 0;
    return at ? apply->store->jobDefinitions.at[at - 1].line : 0;
}

/* Defines a job. words: those after its id. */
static tacStatus defineJob(
    tacApply *apply, const tacWord *id, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacStore *store = apply->store;
    int64_t job, task;
    Values values = {.count = 0, .processor = TAC_NO_PROCESSOR, .target = TAC_NONE, .said = TAC_NONE};
    if (count < 1)
        return tacFail(err, "USAGE WORDS", "newJob: the task is missing; usage: newJob id task ?-option value ...?");
    if (readObject(store, TAC_JOB, id, &job, err) != TAC_OK
        || readObject(store, TAC_TASK, &words[0], &task, err) != TAC_OK)
        return TAC_ERROR;
    uint32_t first = definedAt(apply, (uint32_t) job);
    if (first) return failTwice(TAC_JOB, id, first, err);
    if (readOptions(apply, words + 1, count - 1, tacDefinitions[TAC_JOB].options, "newJob", line, &values, err)
        != TAC_OK)
        return TAC_ERROR;
    if (!settleValues(store, &values)) return tacFailMemory(err);
    while (apply->definitions.count <= (size_t) job)
        if (!tacArrayPush(&apply->definitions, (tacApplyJob){0, 0})) return tacFailMemory(err);
    if (!tacArrayPush(&store->jobDefinitions, (tacJobDefinition){(uint32_t) job, line ? line : 1}))
        return tacFailMemory(err);
    apply->definitions.at[job] = (tacApplyJob){
        (uint32_t) store->jobDefinitions.count, store->objectOptions[TAC_JOB].count};
    store->jobTask.at[job] = (uint32_t) task;
    return addDefinitionOptions(store, TAC_JOB, (uint32_t) job, &values, err);
}

/* Defines an object of any kind. words: those after its id. */
static tacStatus define(
    tacApply *apply, tacKind kind, const tacWord *id, const tacWord *words, int count, uint32_t line, tacError *err) {
    if (kind == TAC_JOB) return defineJob(apply, id, words, count, line, err);
    tacStore *store = apply->store;
    int64_t index;
    Values values = {.count = 0, .processor = TAC_NO_PROCESSOR, .target = TAC_NONE, .said = TAC_NONE};
    if (readObject(store, kind, id, &index, err) != TAC_OK) return TAC_ERROR;
    if (store->objects[kind].at[index].line) return failTwice(kind, id, store->objects[kind].at[index].line, err);
    if (readOptions(apply, words, count, tacDefinitions[kind].options, tacDefinitions[kind].name, line, &values, err)
        != TAC_OK)
        return TAC_ERROR;
    if (!settleValues(store, &values)) return tacFailMemory(err);
    tacObject *object = &store->objects[kind].at[index];
    setObject(store, object, &values);
    object->line = line ? line : 1;
    object->order = store->nDefinitions++;
    return addDefinitionOptions(store, kind, (uint32_t) index, &values, err);
}

/* ---- other commands ---- */

/* Applies a setting: its name and one value. */
static tacStatus applySetting(tacApply *apply, const tacWord *words, int count, tacError *err) {
    int64_t name, value;
    if (count != 2) return tacFail(err, "USAGE WORDS", "%.*s: a setting takes one value", TAC_SHOWN(&words[0]));
    if (readString(apply->store, &words[0], &name, err) != TAC_OK
        || readString(apply->store, &words[1], &value, err) != TAC_OK)
        return TAC_ERROR;
    return tacArrayReserve(&apply->store->settings, 2) && tacArrayPush(&apply->store->settings, (uint32_t) name)
            && tacArrayPush(&apply->store->settings, (uint32_t) value)
        ? TAC_OK
        : tacFailMemory(err);
}

enum { MOST_IGNORED = 256 }; /* strings to ignore, since every id is searched for each of them */

/* Applies ignore string: objects whose id contains the string are hidden. */
static tacStatus applyIgnore(tacApply *apply, const tacWord *words, int count, tacError *err) {
    int64_t text;
    if (count != 2 || words[1].length == 0)
        return tacFail(err, "USAGE WORDS", "ignore: usage: ignore string (ids that contain it are hidden)");
    if (readString(apply->store, &words[1], &text, err) != TAC_OK) return TAC_ERROR;
    for (size_t i = 0; i < apply->store->ignored.count; i++)
        if (apply->store->ignored.at[i] == (uint32_t) text) return TAC_OK;
    if (apply->store->ignored.count == MOST_IGNORED)
        return tacFail(err, "VALUE IGNORE", "more than %d different strings to ignore", MOST_IGNORED);
    return tacArrayPush(&apply->store->ignored, (uint32_t) text) ? TAC_OK : tacFailMemory(err);
}

/* Notes in which line of the file that the trace was made of the next commands stand. */
static tacStatus applySourceLine(tacApply *apply, const tacWord *words, int count, tacError *err) {
    tacDecimal number;
    int64_t line;
    bool rounded = false;
    if (count != 2) return tacFail(err, "USAGE WORDS", "sourceLine: usage: sourceLine number");
    if (tacDecimalParse(words[1].at, words[1].length, &number) != TAC_OK || number.rounded
        || !tacDecimalShift(number.mantissa, -number.digits, &line, &rounded) || rounded || line < 0
        || line > UINT32_MAX)
        return tacFail(err, "VALUE LINE", "bad line \"%.*s\": must be a whole number, 0 to %u", TAC_SHOWN(&words[1]),
            (unsigned) UINT32_MAX);
    apply->sourceLine = (uint32_t) line;
    apply->store->sourceLines = true;
    return TAC_OK;
}

bool tacApplyDefineEvent(tacApply *apply, const char *name, size_t length) {
    if (tacEventFind(name, length, false) >= 0 || tacEventFind(name, length, true) >= 0) return true;
    return tacIntern(&apply->customEvents, name, length) != TAC_NONE;
}

/* Notes that a handler in the trace wants an event (read/sandboxHandle.c), which makes the event a known one. */
static tacStatus applyPlugin(tacApply *apply, const tacWord *words, int count, uint32_t line, tacError *err) {
    if (count != 2) {
        tacDiagAdd(
            apply->diag, TAC_SEVERITY_WARNING, line, "PLUGIN", "\"%.*s\" has no effect here", TAC_SHOWN(&words[0]));
        return TAC_OK;
    }
    bool player = words[1].length > 0 && words[1].at[0] == '<';
    if (!player && !tacApplyDefineEvent(apply, words[1].at, words[1].length)) return tacFailMemory(err);
    return tacIntern(&apply->handled, words[1].at, words[1].length) != TAC_NONE ? TAC_OK : tacFailMemory(err);
}

/* True when the word is a command that a plugin has given to traces. */
static bool isExtra(const tacApply *apply, const tacWord *name) {
    return apply->extra && isOneOf(name, apply->extra->names);
}

/* Applies a definition (newTask ...) or, if it is none, a setting. */
static tacStatus applyDefinition(tacApply *apply, const tacWord *words, int count, uint32_t line, tacError *err) {
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        if (!tacWordIs(&words[0], tacDefinitions[kind].name)) continue;
        if (count >= 2) return define(apply, (tacKind) kind, &words[1], words + 2, count - 2, line, err);
        return tacFail(err, "USAGE WORDS", "%s: the id is missing; usage: %s id ?-option value ...?",
            tacDefinitions[kind].name, tacDefinitions[kind].name);
    }
    return applySetting(apply, words, count, err);
}

/* Charges the memory that a command other than an event takes: names in several tables, a definition. */
static tacStatus chargeWords(tacApply *apply, const tacWord *words, int count, uint32_t line, tacError *err) {
    enum { DEFINITION = 256 }; /* bytes */
    size_t bytes = DEFINITION;
    for (int i = 0; i < count; i++) bytes += words[i].length;
    if (!tacStoreCharge(apply->store, bytes)) return TAC_OK;
    apply->store->besides = tacInternBytes(&apply->customEvents) + tacInternBytes(&apply->handled)
        + 2 * tacInternBytes(&apply->madeIds) + apply->madeKinds.capacity
        + apply->definitions.capacity * sizeof *apply->definitions.at;
    return tacStoreCheck(apply->store, line, err);
}

static tacDeliver applyPlain;

/* Applies a command of the vocabulary or of a plugin. */
static tacStatus applyCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacApply *apply = data;
    if (TAC_UNLIKELY(apply->sourceLine != 0)) line = apply->sourceLine;
    if (TAC_UNLIKELY(tacTimesSettle(apply->store, line, err) != TAC_OK)) return TAC_ERROR;
    if (TAC_LIKELY(words[0].length == 4 && memcmp(words[0].at, "plot", 4) == 0))
        return applyPlot(apply, words, count, false, line, err);
    if (tacWordIs(&words[0], "bufferplot")) return applyPlot(apply, words, count, true, line, err);
    if (tacWordIs(&words[0], "Plot")) return applyPlot(apply, words, count, false, line, err);
    if (chargeWords(apply, words, count, line, err) != TAC_OK) return TAC_ERROR;
    if (tacWordIs(&words[0], "ignore")) return applyIgnore(apply, words, count, err);
    if (tacWordIs(&words[0], "sourceLine")) return applySourceLine(apply, words, count, err);
    if (tacWordIs(&words[0], "profile")) return applyProfile(apply, words, count, line, err);
    if (isOneOf(&words[0], tacPluginCommands)) return applyPlugin(apply, words, count, line, err);
    if (isExtra(apply, &words[0]))
        return apply->extra->run(apply->extra->data, words, count, line, applyPlain, apply, err);
    return applyDefinition(apply, words, count, line, err);
}

/* Applies a command that a plugin's command gave in its place: only the vocabulary is allowed. */
static tacStatus applyPlain(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    if (count > 0 && isOneOf(&words[0], tacCommandNames) && !isOneOf(&words[0], tacPluginCommands))
        return applyCommand(data, words, count, line, err);
    return count == 0
        ? TAC_OK
        : tacFail(err, "UNKNOWN COMMAND", "unknown command \"%.*s\" given by a plugin", TAC_SHOWN(&words[0]));
}

/* True for a command of the vocabulary or of a plugin; those that register handlers belong to the sandbox. */
static bool isCommand(void *data, const char *name, size_t length) {
    if (length == 4 && memcmp(name, "plot", 4) == 0) return true;
    tacWord word = {name, length};
    return isOneOf(&word, tacCommandNames) ? !isOneOf(&word, tacPluginCommands) : isExtra(data, &word);
}

/* ---- objects as commands ---- */

/* Kind of the object that an id used as a command means: the kind that the script made of it last by `[Task id]`, else
 * the first kind that defines it; -1: none. */
static int kindOf(const tacApply *apply, const tacWord *id) {
    static const tacKind order[] = {TAC_TASK, TAC_JOB, TAC_SERVER, TAC_MUTEX, TAC_SEMAPHORE, TAC_BUFFER, TAC_PROCESSOR};
    uint32_t made = tacInternFind(&apply->madeIds, id->at, id->length);
    if (made != TAC_NONE && made < apply->madeKinds.count) return apply->madeKinds.at[made];
    for (int i = 0; i < TAC_KINDS; i++) {
        uint32_t index = tacInternFind(&apply->store->ids[order[i]], id->at, id->length);
        if (index == TAC_NONE) continue;
        if (order[i] == TAC_JOB ? apply->store->jobTask.at[index] != TAC_NONE
                                : apply->store->objects[order[i]].at[index].line != 0)
            return order[i];
    }
    return -1;
}

static tacStatus failNoObject(const tacWord *word, tacError *err) {
    return tacFail(err, "LOOKUP OBJECT", "\"%.*s\" is neither a command nor a defined object", TAC_SHOWN(word));
}

/* Applies [Task id]: notes that the id is to be a task, and answers the id. */
static tacStatus makeObject(tacApply *apply, tacKind kind, const tacWord *id, tacText *result, tacError *err) {
    uint32_t made = tacIntern(&apply->madeIds, id->at, id->length);
    if (made == TAC_NONE) return tacFailMemory(err);
    while (apply->madeKinds.count <= made)
        if (!tacArrayPush(&apply->madeKinds, (uint8_t) kind)) return tacFailMemory(err);
    apply->madeKinds.at[made] = (uint8_t) kind;
    if (result) tacTextAdd(result, id->at, id->length);
    return TAC_OK;
}

/* Applies the old plot of buffers: BufferPlot new | BufferPlot set activePlot ?name?. */
static tacStatus bufferPlot(const tacWord *words, int count, tacText *result, tacError *err) {
    bool makes = count == 2 && tacWordIs(&words[1], "new");
    bool sets = count >= 3 && count <= 4 && tacWordIs(&words[1], "set") && tacWordIs(&words[2], "activePlot");
    if (!makes && !sets)
        return tacFail(err, "USAGE WORDS", "BufferPlot: expected \"BufferPlot new\" or \"BufferPlot set activePlot\"");
    if (result) tacTextAddString(result, "activeBufferPlot");
    return TAC_OK;
}

/* Applies a method of the old plot of buffers, which happens at the time of the last event. */
static tacStatus bufferPlotMethod(tacApply *apply, const tacWord *words, int count, uint32_t line, tacError *err) {
    Moment time = {apply->lastTime, apply->lastDigits};
    if (count == 3 && tacWordIs(&words[1], "structure"))
        return applyEvent(apply, time, TAC_EV_BUFFER_STRUCTURE, words + 2, 1, line, err);
    if (count == 2 && tacWordIs(&words[1], "reset"))
        return applyEvent(apply, time, TAC_EV_BUFFER_RESET, words + 2, 0, line, err);
    return tacFail(err, "USAGE WORDS", "buffer plot: expected structure {task buffer task ...} or reset");
}

static tacStatus failMethod(const tacWord *id, const tacWord *method, tacError *err) {
    return tacFail(err, "LOOKUP METHOD",
        "object \"%.*s\" has no method \"%.*s\" while the trace is read; it knows id, name, task, processor,"
        " priority, capacity and budget",
        TAC_SHOWN(id), TAC_SHOWN(method));
}

/* Answers a script's question about a job, by what is known of it so far. */
static tacStatus askJob(
    const tacApply *apply, const tacWord *id, uint32_t job, const tacWord *method, tacText *result, tacError *err) {
    const tacStore *store = apply->store;
    uint32_t task = store->jobTask.at[job];
    if (tacWordIs(method, "task")) {
        if (task != TAC_NONE) tacTextAddString(result, tacObjectId(store, TAC_TASK, task));
        return TAC_OK;
    }
    if (!tacWordIs(method, "name")) return failMethod(id, method, err);
    const char *jobId = tacObjectId(store, TAC_JOB, job), *dot = strrchr(jobId, '.'), *name = NULL;
    /* The -name of its newJob, the last one if it was given twice. */
    const tacOptionArray *options = &store->objectOptions[TAC_JOB];
    size_t i = definedAt(apply, job) ? apply->definitions.at[job].options : options->count;
    for (; i < options->count && options->at[i].owner == job; i++)
        if (options->at[i].option == TAC_OPT_NAME) name = tacString(store, (uint32_t) options->at[i].value);
    if (name || task == TAC_NONE) return tacTextAddString(result, name ? name : jobId), TAC_OK;
    /* The default name: the task's name, and the job's number. */
    uint32_t taskName = store->objects[TAC_TASK].at[task].name;
    tacTextAddString(result, taskName == TAC_NONE ? tacObjectId(store, TAC_TASK, task) : tacString(store, taskName));
    if (dot) tacTextPrintf(result, " %s", dot + 1);
    return TAC_OK;
}

/* The same about any other object. */
static tacStatus askObject(const tacStore *store, tacKind kind, const tacWord *id, const tacObject *object,
    const tacWord *method, tacText *result, tacError *err) {
    if (tacWordIs(method, "name")) {
        if (object->name == TAC_NONE) tacTextAdd(result, id->at, id->length);
        else tacTextAddString(result, tacString(store, object->name));
    } else if (tacWordIs(method, "priority")) tacTextPrintf(result, "%d", object->priority);
    else if (tacWordIs(method, "processor")) {
        if (object->processor != TAC_NO_PROCESSOR)
            tacTextAddString(result, tacObjectId(store, TAC_PROCESSOR, object->processor));
    } else if (tacWordIs(method, "capacity")) {
        if (kind == TAC_SERVER && object->capacity != TAC_UNKNOWN) tacTimeText(store, object->capacity, result);
        else tacTextPrintf(result, "%lld", kind == TAC_SERVER ? 1LL : (long long) object->capacity);
    } else if (tacWordIs(method, "budget")) tacTimeText(store, object->budget, result);
    else return failMethod(id, method, err);
    return TAC_OK;
}

/* Calls an object: [task1 name], or task1 initWith -priority 5. */
static tacStatus callObject(
    tacApply *apply, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err) {
    int kind = kindOf(apply, &words[0]);
    if (kind < 0) return failNoObject(&words[0], err);
    if (count == 1)
        return tacFail(
            err, "USAGE WORDS", "%s \"%.*s\": the method is missing", tacKindNames[kind], TAC_SHOWN(&words[0]));
    if (tacWordIs(&words[1], "initWith") || tacWordIs(&words[1], "initWithTask"))
        return define(apply, (tacKind) kind, &words[0], words + 2, count - 2, line, err);
    if (count > 2)
        return tacFail(err, "USAGE WORDS", "%s \"%.*s\" %.*s: takes no words", tacKindNames[kind], TAC_SHOWN(&words[0]),
            TAC_SHOWN(&words[1]));
    uint32_t index = tacInternFind(&apply->store->ids[kind], words[0].at, words[0].length);
    if (index == TAC_NONE) return failNoObject(&words[0], err);
    if (tacWordIs(&words[1], "id")) return tacTextAdd(result, words[0].at, words[0].length), TAC_OK;
    if (kind == TAC_JOB) return askJob(apply, &words[0], index, &words[1], result, err);
    const tacObject *object = &apply->store->objects[kind].at[index];
    return askObject(apply->store, (tacKind) kind, &words[0], object, &words[1], result, err);
}

/* Evaluates a command that is none of the vocabulary: an object made or called. */
static tacStatus query(void *data, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err) {
    tacApply *apply = data;
    if (apply->sourceLine) line = apply->sourceLine;
    if (chargeWords(apply, words, count, line, err) != TAC_OK) return TAC_ERROR;
    tacText unused = {0};
    int kind = TAC_KINDS - 1; /* made by a word of the old form, "Task" ...; -1: by none */
    while (kind >= 0 && !tacWordIs(&words[0], tacDefinitions[kind].oldName)) kind--;
    bool plot = tacWordIs(&words[0], "BufferPlot"), active = tacWordIs(&words[0], "activeBufferPlot");
    if (!result && count == 1)
        return kind >= 0 || plot || active || kindOf(apply, &words[0]) >= 0 ? TAC_OK : failNoObject(&words[0], err);
    tacStatus status;
    if (kind >= 0 && count == 2) status = makeObject(apply, (tacKind) kind, &words[1], result, err);
    else if (plot) status = bufferPlot(words, count, result, err);
    else if (active) status = bufferPlotMethod(apply, words, count, line, err);
    else status = callObject(apply, words, count, line, result ? result : &unused, err);
    bool failed = unused.failed || (result && result->failed);
    tacTextFree(&unused);
    return status == TAC_OK && failed ? tacFailMemory(err) : status;
}

/* ---- the rest of the sink ---- */

/* A last line without a newline is whole where nothing was wrong in it: many editors leave the newline out. Where
 * something is an error there, that says enough. */
static void report(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    tacApply *apply = data;
    if (apply->sourceLine && line) line = apply->sourceLine;
    bool cut = strcmp(kind, TAC_READ_CUT) == 0;
    if (cut && tacDiagFaulty(apply->diag, line, TAC_SEVERITY_ERROR)) return;
    if (cut && !tacDiagFaulty(apply->diag, line, TAC_SEVERITY_WARNING)) return;
    tacDiagAdd(apply->diag, cut ? TAC_SEVERITY_ERROR : severity, line, kind, "%s", text);
}

static bool onProgress(void *data, uint64_t bytesRead, uint64_t total) {
    const tacApply *apply = data;
    tacProgress *progress = apply->store->progress;
    if (progress && total) progress->total = total;
    return tacProgressStep(progress, bytesRead);
}

static uint64_t need(void *data) {
    tacApply *apply = data;
    return tacStoreNeed(apply->store);
}

void tacApplyInit(tacApply *apply, tacStore *store, tacDiag *diag) {
    *apply = (tacApply){.store = store, .diag = diag};
}

void tacApplyFree(tacApply *apply) {
    tacInternFree(&apply->customEvents);
    tacInternFree(&apply->handled);
    tacArrayFree(&apply->names);
    tacInternFree(&apply->madeIds);
    tacArrayFree(&apply->madeKinds);
    tacArrayFree(&apply->definitions);
}

/* Lists the names of all commands in one array. False: no memory. */
static bool joinNames(tacApply *apply) {
    for (const char *const *name = tacCommandNames; *name; name++)
        if (!tacArrayPush(&apply->names, *name)) return false;
    for (const char *const *name = apply->extra->names; *name; name++)
        if (!tacArrayPush(&apply->names, *name)) return false;
    return tacArrayPush(&apply->names, NULL);
}

/* True when the last rows are about jobs in random order, of very many: looks at some of the rows now and then. */
static bool scattered(void *data) {
    enum { MANY = 1 << 17, AGAIN = 4096, LAST = 64, FAR = 4096 }; /* rows; jobs between those of neighbours */
    tacApply *apply = data;
    uint32_t n = tacStoreCount(apply->store), far = 0;
    if (n < MANY || n - apply->looked < AGAIN) return apply->scattered;
    uint32_t before = TAC_NONE;
    for (uint32_t row = n - LAST; row < n; row++) {
        uint32_t job = tacRowSubject(apply->store, row);
        if (tacEvents[tacRowEvent(apply->store, row)].arguments[0] != TAC_TYPE_JOB) continue;
        far += before != TAC_NONE && (job > before ? job - before : before - job) > FAR;
        before = job;
    }
    apply->looked = n;
    return apply->scattered = far > LAST / 4;
}

/* Asks for the place of the job that a command names. */
static void prepare(void *data, const tacWord *words, int count) {
    const tacApply *apply = data;
    if (count < 4 || words[2].length < 3 || memcmp(words[2].at, "job", 3) != 0) return;
    tacInternPrepare(&apply->store->ids[TAC_JOB], words[3].at, words[3].length);
}

bool tacApplySink(tacApply *apply, const tacExtraCommands *extra, tacSink *sink) {
    apply->extra = extra;
    if (extra && !joinNames(apply)) return false;
    *sink = (tacSink){.data = apply,
        .command = applyCommand,
        .isCommand = isCommand,
        .query = query,
        .report = report,
        .progress = onProgress,
        .scattered = scattered,
        .prepare = prepare,
        .commandNames = extra ? apply->names.at : tacCommandNames,
        .need = need};
    return true;
}
