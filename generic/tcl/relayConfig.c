/*
 * relayConfig.c -- turns the commands of a configuration into options of storages, addresses and folders.
 *
 *      folder NAME ?-option value ...?
 *
 * Each command is a row with its handler and its options; each option a row with its name, the place of its value, and
 * the reader of the value.
 */
#include "base/port.h"

#include "base/decimal.h"
#include "base/similar.h"
#include "read/commandFile.h"
#include "tcl/relayConfig.h"

#include <stdio.h>
#include <string.h>

enum {
    RECEIVED = 64,
    STORED = 64,
    FOLDERS = 256,
    FILES_LEAST = 2,
    FILES_MOST = 1000,
    FILES_USUAL = 8,
    DUMPS_USUAL = 10,
    TEXT_ROOM = 4096
};
static const uint64_t SIZE_LEAST = 64 << 10, SIZE_MOST = (uint64_t) 1 << 50, SIZE_USUAL = 4 << 20,
                      ALWAYS = (uint64_t) 1 << 62;

/* ---- values ------------------------------------------------------------------------------------------------------ */

typedef struct Values { /* of the options of all commands */
    tacStorageOptions store;
    tacReceiveOptions receive;
    char connect[TAC_STORAGE_ADDRESS], listen[TAC_STORAGE_ADDRESS];
    uint64_t period, gather; /* 0: not given */
    uint64_t size;
    bool ignoresOld, removes, trusts;
    char events[TEXT_ROOM]; /* of the kernel */
    bool hasStrategy, hasOccasions, hasBefore, hasFiles;
} Values;

static tacStatus copyText(const tacWord *word, char *value, size_t room, tacError *err) {
    if (!word->length) return tacFail(err, "VALUE EMPTY", "it is empty");
    if (memchr(word->at, 0, word->length)) return tacFail(err, "VALUE", "it has a byte 0");
    if (word->length >= room)
        return tacFail(err, "VALUE LONG", "\"%.*s...\" has more than %u bytes", TAC_SHOWN(word), (unsigned) (room - 1));
    memcpy(value, word->at, word->length);
    value[word->length] = 0;
    return TAC_OK;
}

static tacStatus readPath(const tacWord *word, void *value, tacError *err) {
    return copyText(word, value, PATH_MAX, err);
}

static tacStatus readAddress(const tacWord *word, void *value, tacError *err) {
    return copyText(word, value, TAC_STORAGE_ADDRESS, err);
}

static tacStatus readName(const tacWord *word, void *value, tacError *err) {
    return copyText(word, value, TACREC_STREAM_TEXT, err);
}

static tacStatus readText(const tacWord *word, void *value, tacError *err) {
    return copyText(word, value, TEXT_ROOM, err);
}

static tacStatus readInteger(const tacWord *word, int64_t low, int64_t high, uint32_t *value, tacError *err) {
    tacDecimal number;
    if (tacDecimalParse(word->at, word->length, &number) != TAC_OK || number.digits > 0 || number.mantissa < low
        || number.mantissa > high)
        return tacFail(err, "VALUE INTEGER", "\"%.*s\" is no integer from %lld to %lld", TAC_SHOWN(word),
            (long long) low, (long long) high);
    *value = (uint32_t) number.mantissa;
    return TAC_OK;
}

static tacStatus readPriority(const tacWord *word, void *value, tacError *err) {
    return readInteger(word, 0, 1000000, value, err);
}

static tacStatus readDumps(const tacWord *word, void *value, tacError *err) {
    return readInteger(word, 1, 99999, value, err);
}

static tacStatus readFiles(const tacWord *word, void *value, tacError *err) {
    Values *values = value;
    values->hasFiles = true;
    return readInteger(word, FILES_LEAST, FILES_MOST, &values->store.files, err);
}

/* Reads "64k", "16M", "2G", or bytes. */
static tacStatus readSize(const tacWord *word, void *value, tacError *err) {
    static const char units[] = "kMG";
    const char *unit = word->length ? strchr(units, word->at[word->length - 1]) : NULL;
    if (unit && !*unit) unit = NULL;
    int shift = unit ? 10 * (int) (unit - units + 1) : 0;
    tacDecimal number;
    if (tacDecimalParse(word->at, word->length - (unit != NULL), &number) != TAC_OK || number.digits > 0
        || number.mantissa <= 0 || number.mantissa > (int64_t) SIZE_MOST >> shift)
        return tacFail(err, "VALUE SIZE", "\"%.*s\" is no size: expected bytes, which k, M or G may follow, as in 16M",
            TAC_SHOWN(word));
    *(uint64_t *) value = (uint64_t) number.mantissa << shift;
    return TAC_OK;
}

static tacStatus readTime(const tacWord *word, void *value, tacError *err) {
    size_t n = word->length;
    tacDecimal number;
    bool rounded = false;
    int64_t ns = 0;
    int exponent;
    while (n > 0 && strchr("0123456789. ", word->at[n - 1]) == NULL) n--;
    tacWord unit = {word->at + n, word->length - n};
    while (n > 0 && word->at[n - 1] == ' ') n--;
    if (tacDecimalParse(word->at, n, &number) != TAC_OK || number.rounded || number.mantissa < 0
        || !tacTimeUnit(unit.at, unit.length, &exponent)
        || !tacDecimalShift(number.mantissa, 9 + exponent - number.digits, &ns, &rounded) || rounded || !tacIsTime(ns))
        return tacFail(err, "VALUE TIME", "\"%.*s\" is no time: expected a number with its unit, such as 10ms or 5s",
            TAC_SHOWN(word));
    *(uint64_t *) value = (uint64_t) ns;
    return TAC_OK;
}

static tacStatus readPositive(const tacWord *word, void *value, tacError *err) {
    if (readTime(word, value, err) != TAC_OK) return TAC_ERROR;
    return *(uint64_t *) value ? TAC_OK : tacFail(err, "VALUE TIME", "it must be above 0");
}

static tacStatus readBefore(const tacWord *word, void *value, tacError *err) {
    ((Values *) value)->hasBefore = true;
    return readTime(word, &((Values *) value)->store.before, err);
}

static tacStatus readFlag(const tacWord *word, void *value, tacError *err) {
    bool yes = tacWordIs(word, "yes");
    if (!yes && !tacWordIs(word, "no"))
        return tacFail(err, "VALUE FLAG", "\"%.*s\": must be yes or no", TAC_SHOWN(word));
    *(bool *) value = yes;
    return TAC_OK;
}

static tacStatus readOld(const tacWord *word, void *value, tacError *err) {
    if (readFlag(word, value, err) != TAC_OK) return TAC_ERROR;
    *(bool *) value = !*(bool *) value;
    return TAC_OK;
}

static tacStatus readAllocation(const tacWord *word, void *value, tacError *err) {
    bool isStatic = tacWordIs(word, "static");
    if (!isStatic && !tacWordIs(word, "dynamic"))
        return tacFail(err, "VALUE WORD", "\"%.*s\": must be static or dynamic", TAC_SHOWN(word));
    *(bool *) value = isStatic;
    return TAC_OK;
}

/* Fails for a word that is none of those, with the one that is meant. */
static tacStatus failWord(const tacWord *word, const char *const *words, tacError *err) {
    const char *similar = tacSimilarOf(word->at, word->length, words);
    tacText all = {0};
    for (int i = 0; words[i]; i++) tacTextPrintf(&all, "%s%s", i ? ", " : "", words[i]);
    tacFail(err, "VALUE WORD", "\"%.*s\": %s %s%s", TAC_SHOWN(word), similar ? "did you mean" : "must be one of",
        similar ? similar : all.at, similar ? "?" : "");
    tacTextFree(&all);
    return TAC_ERROR;
}

static tacStatus readStrategy(const tacWord *word, void *value, tacError *err) {
    Values *values = value;
    int i = 0;
    while (tacStrategyNames[i] && !tacWordIs(word, tacStrategyNames[i])) i++;
    if (!tacStrategyNames[i]) return failWord(word, tacStrategyNames, err);
    values->store.strategy = (tacStrategy) i;
    values->hasStrategy = true;
    return TAC_OK;
}

/* Reads occasions of dumps, with blanks between them. */
static tacStatus readOccasions(const tacWord *word, void *value, tacError *err) {
    static const char *const names[] = {"signal", "crash", "end", "finding", NULL};
    Values *values = value;
    const char *at = word->at, *end = word->at + word->length;
    values->hasOccasions = true;
    while (at < end) {
        while (at < end && *at == ' ') at++;
        tacWord name = {at, 0};
        while (at < end && *at != ' ') at++, name.length++;
        int i = 0;
        while (names[i] && !tacWordIs(&name, names[i])) i++;
        if (name.length && !names[i]) return failWord(&name, names, err);
        if (name.length) values->store.occasions |= 1u << i;
    }
    return TAC_OK;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

#define AT(member) offsetof(Values, member)
#define STORED_ROWS                                                                                             \
    {"-size", AT(size), readSize}, {"-strategy", 0, readStrategy},                                              \
        {"-allocation", AT(store.reserved), readAllocation}, {"-priority", AT(store.priority), readPriority}, { \
        "-copy", AT(store.copy), readFlag                                                                       \
    }
static const tacCommandOption collectOptions[] = {
    {"-period", AT(period), readPositive},
    {"-gather", AT(gather), readPositive},
    {"-old", AT(ignoresOld), readOld},
    {"-remove", AT(removes), readFlag},
    {"-trusted", AT(trusts), readFlag},
    {NULL, 0, NULL},
};
static const tacCommandOption receiveOptions[] = {
    {"-connect", AT(connect), readAddress},
    {"-listen", AT(listen), readAddress},
    {"-key", AT(receive.key), readPath},
    {NULL, 0, NULL},
};
static const tacCommandOption kernelOptions[] = {{"-events", AT(events), readText}, {NULL, 0, NULL}};
static const tacCommandOption memoryOptions[] = {
    STORED_ROWS,
    {"-dump", AT(store.dump), readPath},
    {"-on", 0, readOccasions},
    {"-sensor", AT(store.sensor), readName},
    {"-before", 0, readBefore},
    {"-after", AT(store.after), readTime},
    {"-dumps", AT(store.dumps), readDumps},
    {"-into", AT(store.to), readName},
    {"-group", AT(store.group), readName},
    {NULL, 0, NULL},
};
static const tacCommandOption fileOptions[] = {
    STORED_ROWS,
    {"-path", AT(store.path), readPath},
    {"-group", AT(store.group), readName},
    {NULL, 0, NULL},
};
static const tacCommandOption folderOptions[] = {
    STORED_ROWS,
    {"-path", AT(store.path), readPath},
    {"-files", 0, readFiles},
    {"-group", AT(store.group), readName},
    {NULL, 0, NULL},
};
static const tacCommandOption tcpOptions[] = {
    {"-size", AT(size), readSize},
    {"-allocation", AT(store.reserved), readAllocation},
    {"-priority", AT(store.priority), readPriority},
    {"-copy", AT(store.copy), readFlag},
    {"-connect", AT(connect), readAddress},
    {"-listen", AT(listen), readAddress},
    {"-key", AT(store.key), readPath},
    {NULL, 0, NULL},
};
static const tacCommandOption udpOptions[] = {
    {"-size", AT(size), readSize},
    {"-allocation", AT(store.reserved), readAllocation},
    {"-priority", AT(store.priority), readPriority},
    {"-copy", AT(store.copy), readFlag},
    {"-connect", AT(connect), readAddress},
    {NULL, 0, NULL},
};

/* ---- what is collected and received ------------------------------------------------------------------------------ */

static tacStatus addFolder(
    tacRelayConfig *config, const tacWord *word, const Values *values, uint32_t line, tacError *err) {
    if (config->folders.count >= FOLDERS) return tacFail(err, "LIMIT", "more than %d folders", FOLDERS);
    tacRelayFolder folder = {.line = line};
    if (word) {
        if (memchr(word->at, 0, word->length) || !word->length || word->length >= PATH_MAX)
            return tacFail(err, "VALUE LONG", "collect: \"%.*s\" is no path", TAC_SHOWN(word));
        if (!(folder.path = tacCopyText(word->at, word->length))) return tacFailMemory(err);
    }
    if (!tacArrayPush(&config->folders, folder)) {
        tacFree(folder.path);
        return tacFailMemory(err);
    }
    if (values->period) config->collect.period = values->period;
    if (values->gather) config->collect.gather = values->gather;
    config->collect.flags |= (values->ignoresOld ? TACREC_COLLECT_NEW : 0u)
        | (values->removes ? TACREC_COLLECT_REMOVE : 0u) | (values->trusts ? TACREC_COLLECT_TRUSTED : 0u);
    return TAC_OK;
}

static tacStatus addKernel(tacRelayConfig *config, const Values *values, uint32_t line, tacError *err) {
    if (config->kernelLine)
        return tacFail(err, "USAGE", "kernel: is collected already, by line %u", (unsigned) config->kernelLine);
    if (values->events[0] && !(config->events = tacCopyText(values->events, strlen(values->events))))
        return tacFailMemory(err);
    config->kernelLine = line;
    return TAC_OK;
}

/* Of -connect and -listen exactly one. */
static tacStatus takeAddress(const char *command, const Values *values, bool *connects, char *address, tacError *err) {
    *connects = values->connect[0] != 0;
    if (!*connects == !values->listen[0])
        return tacFail(err, "USAGE", "%s: needs -connect ADDRESS or -listen ADDRESS: one of them", command);
    memcpy(address, *connects ? values->connect : values->listen, TAC_STORAGE_ADDRESS);
    return TAC_OK;
}

static tacStatus addReceived(
    tacRelayConfig *config, const tacWord *word, Values *values, uint32_t line, tacError *err) {
    tacReceiveOptions *options = &values->receive;
    options->datagrams = tacWordIs(word, "udp");
    if (!options->datagrams && !tacWordIs(word, "tcp"))
        return tacFail(err, "VALUE WORD", "receive: \"%.*s\": must be tcp or udp", TAC_SHOWN(word));
    if (takeAddress("receive", values, &options->connects, options->address, err) != TAC_OK) return TAC_ERROR;
    if (options->datagrams && (options->connects || options->key[0]))
        return tacFail(err, "USAGE", "receive udp: has -listen alone; UDP is plain");
    if (config->received.count >= RECEIVED) return tacFail(err, "LIMIT", "more than %d addresses", RECEIVED);
    tacRelayReceived *received = tacAllocZero(1, sizeof *received);
    if (!received || !tacArrayPush(&config->received, received)) {
        tacFree(received);
        return tacFailMemory(err);
    }
    received->line = line;
    received->options = *options;
    return TAC_OK;
}

/* ---- storages ---------------------------------------------------------------------------------------------------- */

static tacStatus checkName(const tacRelayConfig *config, const char *command, const char *name, tacError *err) {
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    if (name[strspn(name, good)] || name[0] == '.' || name[0] == '-')
        return tacFail(err, "VALUE NAME",
            "%s: \"%s\" is no name: it may have letters, digits, _, . and -, and begins with none of the last two",
            command, name);
    for (size_t i = 0; i < config->stored.count; i++)
        if (!strcmp(config->stored.at[i]->options.name, name))
            return tacFail(err, "VALUE NAME", "%s: there is a storage \"%s\" already, of line %u", command, name,
                (unsigned) config->stored.at[i]->line);
    return TAC_OK;
}

static tacStatus checkStrategy(const char *command, tacStorageKind kind, tacStrategy strategy, tacError *err) {
    tacText all = {0};
    if (tacStorageHas(kind, strategy)) return TAC_OK;
    for (int i = 0; i < TAC_STRATEGIES; i++)
        if (tacStorageHas(kind, (tacStrategy) i))
            tacTextPrintf(&all, "%s%s", all.length ? ", " : "", tacStrategyNames[i]);
    tacFail(err, "VALUE STRATEGY", "%s: has no strategy %s; it has %s", command, tacStrategyNames[strategy],
        all.at ? all.at : "");
    tacTextFree(&all);
    return TAC_ERROR;
}

static tacStatus checkSize(const char *command, Values *values, tacError *err) {
    tacStorageOptions *store = &values->store;
    bool isDisk = store->kind <= TAC_STORAGE_FOLDER;
    uint64_t parts = store->strategy == TAC_STRATEGY_MULTIPLEFLIP ? store->files
        : store->strategy == TAC_STRATEGY_SINGLEFLIP              ? 2
                                                                  : 1;
    uint64_t least = parts * SIZE_LEAST;
    if (isDisk && !values->size) return tacFail(err, "USAGE", "%s: needs its -size", command);
    store->size = values->size ? values->size : SIZE_USUAL;
    if (store->size >= least) return TAC_OK;
    return tacFail(err, "VALUE SIZE", "%s -size: is too small: at least %lluk%s", command,
        (unsigned long long) (least >> 10), parts > 1 ? ", 64k for each file" : "");
}

static tacStatus checkMemory(const Values *values, tacError *err) {
    const tacStorageOptions *store = &values->store;
    bool uses = values->hasOccasions || store->sensor[0] || values->hasBefore || store->after;
    if (!store->dump[0] && (uses || store->group[0]))
        return tacFail(
            err, "USAGE", "memory: -on, -sensor, -before, -after and -group are of a dump: give its file, -dump");
    if (values->hasOccasions && !store->occasions && !store->sensor[0])
        return tacFail(err, "VALUE EMPTY", "memory: -on names no occasion: signal, crash, finding or end");
    if (!store->dump[0] && !store->to[0])
        return tacFail(err, "USAGE",
            "memory: what is in it goes nowhere: give -dump FILE, which it is written to, or -into STORAGE");
    return TAC_OK;
}

static tacStatus addStored(tacRelayConfig *config, const tacWord *word, Values *values, uint32_t line, tacError *err) {
    tacStorageOptions *store = &values->store;
    const char *command = tacStorageKindNames[store->kind];
    bool isNetwork = store->kind >= TAC_STORAGE_TCP, connects = false;
    if (readName(word, store->name, err) != TAC_OK || checkName(config, command, store->name, err) != TAC_OK
        || checkStrategy(command, store->kind, store->strategy, err) != TAC_OK
        || checkSize(command, values, err) != TAC_OK)
        return TAC_ERROR;
    if (values->hasFiles && store->strategy != TAC_STRATEGY_MULTIPLEFLIP)
        return tacFail(err, "USAGE", "%s: -files is of -strategy multipleflip alone", command);
    if (store->kind == TAC_STORAGE_MEMORY && checkMemory(values, err) != TAC_OK) return TAC_ERROR;
    if ((store->kind == TAC_STORAGE_FILE || store->kind == TAC_STORAGE_FOLDER) && !store->path[0])
        return tacFail(err, "USAGE", "%s: needs its -path", command);
    if (isNetwork && takeAddress(command, values, &connects, store->address, err) != TAC_OK) return TAC_ERROR;
    store->listen = isNetwork && !connects;
    if (!values->hasOccasions && !store->sensor[0]) store->occasions = TAC_DUMP_SIGNAL | TAC_DUMP_CRASH;
    if (!values->hasBefore) store->before = ALWAYS;
    if (config->stored.count >= STORED) return tacFail(err, "LIMIT", "more than %d storages", STORED);
    tacRelayStored *stored = tacAllocZero(1, sizeof *stored);
    if (!stored || !tacArrayPush(&config->stored, stored)) {
        tacFree(stored);
        return tacFailMemory(err);
    }
    stored->line = line;
    stored->options = *store;
    return TAC_OK;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"collect", "receive", "kernel", "memory", "file", "folder", "tcp", "udp", NULL};
static const tacCommandOption *const optionsOf[] = {
    collectOptions, receiveOptions, kernelOptions, memoryOptions, fileOptions, folderOptions, tcpOptions, udpOptions};
enum { COLLECT, RECEIVE, KERNEL, MEMORY, FOLDER = 5 };

static tacStatus takeCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacRelayConfig *config = data;
    int k = 0;
    while (names[k] && !tacWordIs(&words[0], names[k])) k++;
    bool hasOperand = count > 1 && !(words[1].length && words[1].at[0] == '-');
    if (k == KERNEL && hasOperand) return tacFail(err, "USAGE", "expected kernel ?-events PATTERNS?");
    if (k != COLLECT && k != KERNEL && !hasOperand)
        return tacFail(err, "USAGE", "expected %s %s ?-option value ...?", names[k], k == RECEIVE ? "tcp|udp" : "NAME");
    Values *values = tacAllocZero(1, sizeof *values);
    if (!values) return tacFailMemory(err);
    values->store.kind = k >= MEMORY ? (tacStorageKind) (k - MEMORY) : TAC_STORAGE_MEMORY;
    values->store.strategy = k == MEMORY ? TAC_STRATEGY_WRAPPING
        : k == FOLDER                    ? TAC_STRATEGY_MULTIPLEFLIP
                                         : TAC_STRATEGY_STOP;
    values->store.files = FILES_USUAL;
    values->store.dumps = DUMPS_USUAL;
    const tacWord *operand = hasOperand ? &words[1] : NULL;
    tacStatus status = tacCommandOptions(
        names[k], optionsOf[k], words + 1 + hasOperand, count - 1 - hasOperand, values, err);
    if (status == TAC_OK)
        status = k == COLLECT ? addFolder(config, operand, values, line, err)
            : k == RECEIVE    ? addReceived(config, operand, values, line, err)
            : k == KERNEL     ? addKernel(config, values, line, err)
                              : addStored(config, operand, values, line, err);
    tacFree(values);
    return status;
}

/* What each -into names must be another storage that is no memory. */
static tacStatus checkTargets(const tacRelayConfig *config, const char *path, tacError *err) {
    for (size_t i = 0; i < config->stored.count; i++) {
        const tacRelayStored *stored = config->stored.at[i];
        bool fits = !stored->options.to[0];
        for (size_t k = 0; k < config->stored.count && !fits; k++)
            fits = !strcmp(config->stored.at[k]->options.name, stored->options.to)
                && config->stored.at[k]->options.kind != TAC_STORAGE_MEMORY;
        if (!fits)
            return tacFail(err, "RELAY VALUE STORAGE",
                "%s:%u: memory -into: there is no storage \"%s\" that is no memory", path, (unsigned) stored->line,
                stored->options.to);
    }
    if (!config->stored.count)
        return tacFail(err, "RELAY USAGE", "%s: there is no storage: add a file, folder, memory, tcp or udp", path);
    return TAC_OK;
}

tacStatus tacRelayConfigRead(tacRelayConfig *config, const char *path, double seconds, tacError *err) {
    const tacCommandFile file = {
        .noun = "configuration", .code = "RELAY", .commandNames = names, .command = takeCommand, .data = config};
    const tacReadOptions limits = {.timeLimit = seconds > 0 ? seconds : -1};
    if (tacCommandFileRead(&file, path, NULL, 0, &limits, err) != TAC_OK) return TAC_ERROR;
    return checkTargets(config, path, err);
}

void tacRelayConfigFree(tacRelayConfig *config) {
    tacFree(config->events);
    for (size_t i = 0; i < config->folders.count; i++) tacFree(config->folders.at[i].path);
    for (size_t i = 0; i < config->received.count; i++) tacFree(config->received.at[i]);
    for (size_t i = 0; i < config->stored.count; i++) tacFree(config->stored.at[i]);
    tacArrayFree(&config->folders);
    tacArrayFree(&config->received);
    tacArrayFree(&config->stored);
}
