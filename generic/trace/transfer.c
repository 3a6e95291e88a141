/*
 * transfer.c -- both sides of a transfer, and the check of what has come.
 *
 * A command is a Head, then a part of an array, or names of a table, or the facts that are no arrays.
 */
#include "base/port.h"

#include "read/clean.h"
#include "trace/transfer.h"

#include <string.h>

enum {
    PIECE = 1 << 20, /* bytes of an array in a command, at most */
    NAMES = 1 << 10, /* names in a command, at most, */
    NAMED = 1 << 17, /* and their bytes, unless it is one name */
    TABLES = TAC_KINDS + 1
};

typedef enum Kind { ARRAY, TABLE, FACTS } Kind;

typedef struct Head {
    uint32_t kind, number; /* of the array or table */
} Head;

/* What a store has besides arrays and names. */
typedef struct Facts {
    int32_t digits;
    uint32_t nDefinitions;
    uint8_t sourceLines, ruled, unit; /* unit: index into units */
} Facts;

static const char *const units[] = {NULL, "s", "ms", "us", "ns"};
enum { UNITS = sizeof units / sizeof *units };

/* An array of a store. */
typedef struct Array {
    void **at;
    size_t *count, *capacity; /* in elements */
    size_t size;              /* bytes of an element */
} Array;

enum { ARRAYS = 13 + 2 * TAC_KINDS };

#define LIST(array) \
    (Array) { (void **) &(array).at, &(array).count, &(array).capacity, sizeof *(array).at }

static Array arrayOf(tacStore *s, uint32_t number) {
    switch (number) {
    case 0: return LIST(s->time);
    case 1: return LIST(s->event);
    case 2: return LIST(s->processor);
    case 3: return LIST(s->subject);
    case 4: return LIST(s->object);
    case 5: return LIST(s->line);
    case 6: return LIST(s->numbers);
    case 7: return LIST(s->options);
    case 8: return LIST(s->jobTask);
    case 9: return LIST(s->jobDefinitions);
    case 10: return LIST(s->misfits);
    case 11: return LIST(s->settings);
    case 12: return LIST(s->ignored);
    default:
        number -= 13;
        return number < TAC_KINDS ? LIST(s->objects[number]) : LIST(s->objectOptions[number - TAC_KINDS]);
    }
}

static tacInternTable *tableOf(tacStore *s, uint32_t number) {
    return number < TAC_KINDS ? &s->ids[number] : &s->strings;
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static tacStatus send(const tacSink *sink, tacWord *words, int count, Kind kind, uint32_t number, tacError *err) {
    Head head = {kind, number};
    words[0] = (tacWord){(const char *) &head, sizeof head};
    return sink->command(sink->data, words, count, 0, err);
}

static tacStatus sendArray(tacStore *store, uint32_t number, const tacSink *sink, tacError *err) {
    Array a = arrayOf(store, number);
    const size_t most = PIECE / a.size;
    tacStatus status = TAC_OK;
    for (size_t i = 0, n; status == TAC_OK && i < *a.count; i += n) {
        n = *a.count - i < most ? *a.count - i : most;
        tacWord words[] = {{NULL, 0}, {(const char *) *a.at + i * a.size, n * a.size}};
        status = send(sink, words, 2, ARRAY, number, err);
    }
    tacFree(*a.at);
    *a.at = NULL;
    *a.count = *a.capacity = 0;
    return status;
}

static tacStatus sendTable(tacStore *store, uint32_t number, const tacSink *sink, tacError *err) {
    tacInternTable *table = tableOf(store, number);
    uint32_t total = (uint32_t) tacInternCount(table);
    tacWord words[NAMES + 1];
    tacStatus status = TAC_OK;
    for (uint32_t i = 0; status == TAC_OK && i < total;) {
        int n = 0;
        for (size_t bytes = 0; i < total && n < NAMES && bytes < NAMED; i++, bytes += words[n].length) {
            n++;
            words[n].at = tacInternName(table, i, &words[n].length);
        }
        status = send(sink, words, n + 1, TABLE, number, err);
    }
    tacInternFree(table);
    return status;
}

static tacStatus sendFacts(const tacStore *store, const tacSink *sink, tacError *err) {
    Facts facts = {.digits = store->digits,
        .nDefinitions = store->nDefinitions,
        .sourceLines = store->sourceLines,
        .ruled = store->ruled};
    for (uint8_t i = 1; i < UNITS; i++)
        if (store->unit && strcmp(store->unit, units[i]) == 0) facts.unit = i;
    tacWord words[] = {{NULL, 0}, {(const char *) &facts, sizeof facts}};
    return send(sink, words, 2, FACTS, 0, err);
}

tacStatus tacStoreSend(tacStore *store, const tacSink *sink, tacError *err) {
    tacStatus status = sendFacts(store, sink, err);
    for (uint32_t i = 0; status == TAC_OK && i < TABLES; i++) status = sendTable(store, i, sink, err);
    for (uint32_t i = 0; status == TAC_OK && i < ARRAYS; i++) status = sendArray(store, i, sink, err);
    return status;
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

tacStatus tacTransferDamaged(tacError *err) {
    return tacFail(err, "FORMAT DAMAGED", "the process that reads the recording sent something meaningless");
}

static tacStatus takeArray(tacStore *store, uint32_t number, const tacWord *bytes, tacError *err) {
    if (number >= ARRAYS) return tacTransferDamaged(err);
    Array a = arrayOf(store, number);
    size_t n = bytes->length / a.size;
    if (bytes->length % a.size || n > TAC_NONE - 1 - *a.count) return tacTransferDamaged(err);
    if (*a.capacity - *a.count < n && !tacArrayGrow(a.at, a.capacity, *a.count, n, a.size)) return tacFailMemory(err);
    if (n) memcpy((char *) *a.at + *a.count * a.size, bytes->at, bytes->length);
    *a.count += n;
    return tacStoreCharge(store, bytes->length) ? tacStoreCheck(store, 0, err) : TAC_OK;
}

static tacStatus takeNames(tacStore *store, uint32_t number, const tacWord *names, int count, tacError *err) {
    if (number >= TABLES) return tacTransferDamaged(err);
    tacInternTable *table = tableOf(store, number);
    for (int i = 0; i < count; i++) {
        uint32_t known = (uint32_t) tacInternCount(table);
        if (!tacIsCleanName(names[i].at, names[i].length)) return tacTransferDamaged(err);
        uint32_t id = number == TAC_JOB ? tacInternNew(table, names[i].at, names[i].length)
                                        : tacIntern(table, names[i].at, names[i].length);
        if (id != known) return id == TAC_NONE ? tacFailMemory(err) : tacTransferDamaged(err);
        if (tacStoreCharge(store, names[i].length + sizeof(uint32_t)) && tacStoreCheck(store, 0, err) != TAC_OK)
            return TAC_ERROR;
    }
    return TAC_OK;
}

static tacStatus takeFacts(tacStore *store, const tacWord *word, tacError *err) {
    Facts facts;
    if (word->length != sizeof facts) return tacTransferDamaged(err);
    memcpy(&facts, word->at, sizeof facts);
    if (facts.digits < 0 || facts.digits > TAC_MAX_DIGITS || facts.unit >= UNITS) return tacTransferDamaged(err);
    store->digits = facts.digits;
    store->nDefinitions = facts.nDefinitions;
    store->sourceLines = facts.sourceLines != 0;
    store->ruled = facts.ruled != 0;
    store->unit = units[facts.unit];
    return TAC_OK;
}

tacStatus tacStoreTake(tacStore *store, const tacWord *words, int count, tacError *err) {
    Head head;
    if (count < 2 || words[0].length != sizeof head) return tacTransferDamaged(err);
    memcpy(&head, words[0].at, sizeof head);
    if (head.kind == TABLE) return takeNames(store, head.number, words + 1, count - 1, err);
    if (count != 2 || head.kind > FACTS) return tacTransferDamaged(err);
    return head.kind == ARRAY ? takeArray(store, head.number, &words[1], err) : takeFacts(store, &words[1], err);
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

static bool isObject(const tacStore *s, tacKind kind, int64_t index) {
    return index >= 0 && index < (int64_t) tacStoreObjects(s, kind);
}

static bool isString(const tacStore *s, int64_t id) { return id >= 0 && id < (int64_t) tacInternCount(&s->strings); }

/* A time, or the stand-in of a misfit; the largest one is noted. */
static bool isTime(tacStore *s, int64_t ticks) {
    if (ticks >= TAC_TIME_LIMIT) return (uint64_t) (ticks - TAC_TIME_LIMIT) < s->misfits.count;
    if (!tacIsTime(ticks)) return false;
    int64_t size = ticks < 0 ? -ticks : ticks;
    if (size > s->largest) s->largest = size;
    return true;
}

/* A word that the type has; the shape of a mark may be a single character. */
static bool isWord(const tacStore *s, tacType type, int64_t id) {
    const char *const *words = tacTypeWords(type);
    if (!isString(s, id)) return false;
    if (!words) return true;
    size_t length;
    const char *text = tacInternName(&s->strings, (uint32_t) id, &length);
    for (; *words; words++)
        if (strcmp(*words, text) == 0) return true;
    return type == TAC_TYPE_SHAPE && length > 0
        && tacCharacterLength((const unsigned char *) text, (const unsigned char *) text + length) == (int) length;
}

static bool isValue(tacStore *s, tacType type, int64_t value) {
    if (type < (tacType) TAC_KINDS) return isObject(s, (tacKind) type, value);
    if (type == TAC_TYPE_TIME) return isTime(s, value);
    if (type == TAC_TYPE_INTEGER) return value >= INT32_MIN && value <= INT32_MAX;
    return type == TAC_TYPE_FLAG ? value == 1 : isWord(s, type, value);
}

/* An argument of a row, in the column of its place. */
static bool isArgument(const tacStore *s, const tacEventSpec *spec, int place, uint32_t value) {
    tacType type = spec->arguments[place];
    if (value == TAC_NONE && place >= spec->nRequired) return true;
    if (type < (tacType) TAC_KINDS) return isObject(s, (tacKind) type, value);
    if (type == TAC_TYPE_TIME) return value < s->numbers.count;
    return type == TAC_TYPE_INTEGER || isString(s, value);
}

/* The second column of an event that has fewer arguments: its target, what a message says, or nothing. */
static bool isBesides(tacStore *s, uint32_t row, tacEvent event) {
    uint32_t *value = &s->object.at[row], task;
    if (*value == TAC_NONE) return true;
    if (tacEventHasTarget(event)) return isObject(s, TAC_JOB, *value);
    if (event != TAC_EV_MESSAGE) return *value = TAC_NONE, true;
    return (task = tacMessageTask(s, row)) == TAC_NONE || isObject(s, TAC_TASK, task);
}

static bool isRow(tacStore *s, uint32_t row) {
    tacEvent event = tacRowEvent(s, row);
    if (event >= TAC_EVENTS) return false;
    const tacEventSpec *spec = &tacEvents[event];
    uint16_t processor = s->processor.at[row];
    if (spec->nArguments == 0) s->subject.at[row] = TAC_NONE;
    return isTime(s, s->time.at[row]) && (processor == TAC_NO_PROCESSOR || isObject(s, TAC_PROCESSOR, processor))
        && (spec->nArguments == 0 || isArgument(s, spec, 0, s->subject.at[row]))
        && (spec->nArguments > 1 ? isArgument(s, spec, 1, s->object.at[row]) : isBesides(s, row, event));
}

/* An option of a row. */
static bool isRowOption(tacStore *s, const tacOptionValue *option) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(s, option->owner)];
    if (option->option >= TAC_OPTIONS) return false;
    if (option->option == TAC_OPT_ARGUMENT3)
        return spec->nArguments == 3 && isValue(s, spec->arguments[2], option->value);
    s->hasHidden |= option->option == TAC_OPT_STRETCH_HIDDEN;
    return (spec->options & TAC_OPTION_BIT(option->option))
        && isValue(s, tacOptions[option->option].type, option->value);
}

/* Rows, and their options. Does each event with a third argument have it? */
static bool areRows(tacStore *s) {
    size_t n = s->line.count, thirds = 0, kept = 0;
    int64_t last = -1; /* owner of the third argument before: they ascend, so that equal numbers are enough */
    if (s->time.count != n || s->event.count != n || s->processor.count != n || s->subject.count != n
        || s->object.count != n)
        return false;
    for (size_t i = 0; i < s->numbers.count; i++)
        if (!isTime(s, s->numbers.at[i])) return false;
    for (uint32_t row = 0; row < n; row++) {
        if (!isRow(s, row)) return false;
        thirds += tacEvents[tacRowEvent(s, row)].nArguments == 3;
    }
    for (size_t i = 0; i < s->options.count; i++) {
        const tacOptionValue *option = &s->options.at[i];
        if (option->owner >= n) return false;
        if (!tacRowHasOptions(s, option->owner)) continue; /* of an event that became another one: nobody reads it */
        if (!isRowOption(s, option)) return false;
        s->options.at[kept++] = *option;
        if (option->option != TAC_OPT_ARGUMENT3) continue;
        if (last >= (int64_t) option->owner) return false;
        last = option->owner;
        thirds--;
    }
    s->options.count = kept;
    return thirds == 0;
}

static bool isTimeOrUnknown(tacStore *s, int64_t ticks) { return ticks == TAC_UNKNOWN || isTime(s, ticks); }

/* Bytes of a flag that came from elsewhere. */
#define IS_FLAG(object, flag) (((const uint8_t *) (object))[offsetof(tacObject, flag)] <= 1)

static bool isDefinition(tacStore *s, tacKind kind, const tacObject *o) {
    return IS_FLAG(o, isr) && IS_FLAG(o, softirq) && IS_FLAG(o, several)
        && (o->name == TAC_NONE || isString(s, o->name))
        && (o->processor == TAC_NO_PROCESSOR || isObject(s, TAC_PROCESSOR, o->processor))
        && (kind == TAC_SERVER ? isTimeOrUnknown(s, o->capacity) : o->capacity >= INT32_MIN && o->capacity <= INT32_MAX)
        && isTime(s, o->budget) && isTimeOrUnknown(s, o->C) && isTimeOrUnknown(s, o->D) && isTimeOrUnknown(s, o->T);
}

/* Objects of a kind, and their options. */
static bool areObjects(tacStore *s, tacKind kind) {
    uint32_t n = tacStoreObjects(s, kind);
    if ((kind == TAC_JOB ? s->jobTask.count : s->objects[kind].count) != n) return false;
    if (kind == TAC_PROCESSOR && n > TAC_NO_PROCESSOR) return false;
    for (size_t i = 0; i < s->objects[kind].count; i++)
        if (!isDefinition(s, kind, &s->objects[kind].at[i])) return false;
    for (size_t i = 0; i < s->objectOptions[kind].count; i++) {
        const tacOptionValue *option = &s->objectOptions[kind].at[i];
        if (option->owner >= n || option->option >= TAC_OPT_ARGUMENT3
            || !(tacDefinitions[kind].options & TAC_OPTION_BIT(option->option))
            || !isValue(s, tacOptions[option->option].type, option->value))
            return false;
    }
    return true;
}

/* What is neither rows nor definitions. */
static bool areOthers(const tacStore *s) {
    for (size_t i = 0; i < s->jobTask.count; i++)
        if (s->jobTask.at[i] != TAC_NONE && !isObject(s, TAC_TASK, s->jobTask.at[i])) return false;
    for (size_t i = 0; i < s->jobDefinitions.count; i++)
        if (!isObject(s, TAC_JOB, s->jobDefinitions.at[i].job)) return false;
    for (size_t i = 0; i < s->misfits.count; i++) {
        const tacMisfit *misfit = &s->misfits.at[i];
        if (misfit->mantissa == INT64_MIN || misfit->digits < 0 || misfit->digits > TAC_MAX_DIGITS
            || (misfit->text != TAC_NONE && !isString(s, misfit->text)))
            return false;
    }
    for (size_t i = 0; i < s->settings.count; i++)
        if (!isString(s, s->settings.at[i])) return false;
    for (size_t i = 0; i < s->ignored.count; i++)
        if (!isString(s, s->ignored.at[i]) || !*tacString(s, s->ignored.at[i])) return false;
    return s->settings.count % 2 == 0;
}

tacStatus tacStoreTaken(tacStore *store, tacError *err) {
    store->largest = 0;
    if (!areOthers(store)) return tacTransferDamaged(err);
    for (int kind = 0; kind < TAC_KINDS; kind++)
        if (!areObjects(store, (tacKind) kind)) return tacTransferDamaged(err);
    return areRows(store) ? tacStoreCheck(store, 0, err) : tacTransferDamaged(err);
}
