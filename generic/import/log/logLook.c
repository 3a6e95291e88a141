/*
 * logLook.c -- takes the lines of a text apart as the reader of logs does, and counts the words of its events.
 */
#include "base/port.h"

#include "import/lines.h"
#include "import/log/logLines.h"
#include "import/log/logMap.h"
#include "import/logLook.h"
#include "read/clean.h"

#include <stdio.h>
#include <string.h>

typedef struct Look {
    const tacSink *sink;
    const tacLogMap *map;
    tacLogLines lines;
    uint32_t number[TAC_LOG_COLUMNS]; /* of each column of the mapping, from 0; TAC_NONE */
    bool found;                       /* they were looked for */
    bool named;                       /* there was a line of names */
    tacInternTable words;             /* of the column of events */
    TAC_ARRAY(uint64_t) counts;       /* by word */
} Look;

static void findColumns(Look *l, const tacFields *names) {
    for (int i = 0; i < TAC_LOG_COLUMNS; i++)
        l->number[i] = l->map->columns[i] ? tacLogColumnNumber(&l->lines, l->map->columns[i], names) : TAC_NONE;
    l->found = true;
}

/* Counts a word of the column of events. False: no memory. */
static bool countWord(Look *l) {
    if (!l->found || l->lines.separator == TAC_LOG_JSON) findColumns(l, NULL);
    if (l->number[TAC_LOG_EVENT] == TAC_NONE) return true;
    tacWord word = tacField(&l->lines.fields, l->number[TAC_LOG_EVENT]);
    uint32_t id = tacInternFind(&l->words, word.at, word.length);
    if (id == TAC_NONE) {
        if (tacInternCount(&l->words) >= TAC_LOG_LOOK_WORDS) return true;
        id = tacIntern(&l->words, word.at, word.length);
        if (id == TAC_NONE || !tacArrayPush(&l->counts, 0)) return false;
    }
    return l->counts.at[id]++, true;
}

/* Words of a command, of which the first says what it is. */
typedef TAC_ARRAY(tacWord) Words;

static bool add(Words *words, const char *text) { return tacArrayPush(words, ((tacWord){text, strlen(text)})); }

static bool addNumber(Words *words, char buffer[24], uint64_t number) {
    snprintf(buffer, 24, "%llu", (unsigned long long) number);
    return add(words, buffer);
}

/* Gives the words to the sink. `complete`: there was memory for all of them. */
static tacStatus give(const Look *l, Words *words, uint32_t line, bool complete, tacError *err) {
    tacStatus status = complete ? l->sink->command(l->sink->data, words->at, (int) words->count, line, err)
                                : tacFailMemory(err);
    tacArrayFree(words);
    return status;
}

static tacStatus giveTexts(const Look *l, const char *kind, const char *name, const char *value, tacError *err) {
    Words words = {0};
    bool complete = add(&words, kind) && add(&words, name) && add(&words, value);
    return give(l, &words, 0, complete, err);
}

static tacStatus giveLine(
    const Look *l, uint32_t number, const char *part, const char *why, tacWord text, tacError *err) {
    const tacFields *fields = &l->lines.fields;
    size_t count = why[0] || strcmp(part, "passed") == 0 ? 0 : fields->all.count;
    Words words = {0};
    bool complete = add(&words, part) && add(&words, why) && tacArrayPush(&words, count ? (tacWord){"", 0} : text);
    for (size_t i = 0; i < count && complete; i++)
        complete = tacArrayPush(&words, fields->all.at[i].at ? fields->all.at[i] : ((tacWord){"", 0}));
    return give(l, &words, number, complete, err);
}

static tacStatus lookAtLine(Look *l, uint32_t number, const char *at, size_t length, tacError *err) {
    static const char *const parts[] = {
        [TAC_LOG_PASSED] = "passed", [TAC_LOG_NAMES] = "names", [TAC_LOG_VALUES] = "row"};
    tacError why = {{0}, {0}};
    tacLogPart part;
    tacWord text = {at, length};
    if (tacLogLinesTake(&l->lines, at, length < TAC_LINE_LONGEST ? length : TAC_LINE_LONGEST, &part, &why) != TAC_OK) {
        if (strcmp(why.code, "MEMORY") == 0) return tacFailMemory(err);
        return giveLine(l, number, "wrong", why.message, text, err);
    }
    if (part == TAC_LOG_NAMES) l->named = true, findColumns(l, &l->lines.fields);
    if (part == TAC_LOG_VALUES && !countWord(l)) return tacFailMemory(err);
    return giveLine(l, number, parts[part], "", text, err);
}

static tacStatus lookAtLines(Look *l, const char *text, size_t length, tacError *err) {
    uint32_t number = 0;
    for (const char *at = text, *end = text + length; at < end && number < UINT32_MAX;) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        if (!newline) newline = end;
        if (lookAtLine(l, ++number, at, (size_t) (newline - at), err) != TAC_OK) return TAC_ERROR;
        at = newline + 1;
    }
    return TAC_OK;
}

static const char *separatorName(char separator) {
    switch (separator) {
    case ',': return "comma";
    case ';': return "semicolon";
    case '\t': return "tab";
    case '|': return "bar";
    case TAC_LOG_BLANKS: return "blanks";
    case TAC_LOG_JSON: return "json";
    case ':': return ":";
    default: return "auto";
    }
}

static tacStatus giveSettings(const Look *l, tacError *err) {
    char skip[16];
    snprintf(skip, sizeof skip, "%u", (unsigned) l->map->skip);
    const char *const settings[] = {"separator", separatorName(l->lines.separator), "header", l->named ? "yes" : "no",
        "skip", skip, "jobs", l->map->byOrder || !l->map->columns[TAC_LOG_JOB] ? "order" : "number", "unit",
        l->map->unit, "relative", l->map->relative ? "yes" : "no"};
    tacStatus status = TAC_OK;
    for (size_t i = 0; status == TAC_OK && i < sizeof settings / sizeof *settings; i += 2)
        status = giveTexts(l, "setting", settings[i], settings[i + 1], err);
    return status;
}

static tacStatus giveNames(const Look *l, tacError *err) {
    tacStatus status = TAC_OK;
    bool json = l->lines.separator == TAC_LOG_JSON;
    for (uint32_t i = 0; status == TAC_OK && json && i < tacInternCount(&l->lines.fields.names); i++) {
        Words words = {0};
        tacWord name;
        name.at = tacInternName(&l->lines.fields.names, i, &name.length);
        status = give(l, &words, 0, add(&words, "name") && tacArrayPush(&words, name), err);
    }
    return status;
}

static tacStatus giveColumns(const Look *l, tacError *err) {
    tacStatus status = TAC_OK;
    for (int i = 0; status == TAC_OK && i < TAC_LOG_COLUMNS; i++) {
        char buffer[24];
        Words words = {0};
        if (!l->map->columns[i]) continue;
        bool complete = add(&words, "column") && add(&words, tacLogColumnNames[i]) && add(&words, l->map->columns[i])
            && (l->number[i] == TAC_NONE ? add(&words, "") : addNumber(&words, buffer, l->number[i]));
        status = give(l, &words, 0, complete, err);
    }
    return status;
}

static tacStatus giveWords(const Look *l, tacError *err) {
    tacStatus status = TAC_OK;
    for (uint32_t i = 0; status == TAC_OK && i < tacInternCount(&l->words); i++) {
        char buffer[24];
        Words words = {0};
        tacWord word;
        word.at = tacInternName(&l->words, i, &word.length);
        uint32_t means = tacLogMeaning(l->map, word.at, word.length);
        bool complete = add(&words, "word") && tacArrayPush(&words, word) && addNumber(&words, buffer, l->counts.at[i]);
        for (int k = 0; k < TAC_LOG_EVENTS && complete; k++)
            complete = !(means >> k & 1) || add(&words, tacLogEventNames[k]);
        status = give(l, &words, 0, complete, err);
    }
    return status;
}

static tacStatus lookHere(const tacLogLook *at, const tacSink *sink, tacError *err) {
    /* The mapping is read again at each change: code in it that does not end must not keep anyone waiting for long. */
    const tacReadOptions limits = {.timeLimit = 1};
    tacLogMap map;
    tacStatus status = tacLogMapRead(&map, "mapping", at->mapping.at, at->mapping.length, &limits, err);
    Look look = {.sink = sink, .map = &map, .lines = tacLogLinesNew(&map)};
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) look.number[i] = TAC_NONE;
    if (status == TAC_OK) status = lookAtLines(&look, at->text.at, at->text.length, err);
    if (status == TAC_OK && look.lines.separator == TAC_LOG_JSON) findColumns(&look, NULL);
    if (status == TAC_OK) status = giveNames(&look, err);
    if (status == TAC_OK) status = giveSettings(&look, err);
    if (status == TAC_OK) status = giveColumns(&look, err);
    if (status == TAC_OK) status = giveWords(&look, err);
    tacLogLinesFree(&look.lines);
    tacInternFree(&look.words);
    tacArrayFree(&look.counts);
    tacLogMapFree(&map);
    return status;
}

/* ---- in a worker process ----------------------------------------------------------------------------------------- */

tacStatus tacLogLookBody(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    const tacLogLook look = {.text = call->words[0], .mapping = call->words[1]};
    return lookHere(&look, sink, err);
}

/* Passes a command on if it is one of a look. */
static tacStatus passSound(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    static const struct {
        const char *kind;
        int least;
    } kinds[] = {
        {"passed", 3}, {"names", 3}, {"row", 3}, {"wrong", 3}, {"name", 2}, {"setting", 3}, {"column", 4}, {"word", 3}};
    const tacSink *sink = data;
    bool sound = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        sound |= count >= kinds[i].least && tacWordIs(&words[0], kinds[i].kind);
    for (int i = 1; i < count && sound; i++) sound = tacIsCleanText(words[i].at, words[i].length);
    if (!sound) return tacFail(err, "LIMIT DAMAGED", "the process that looks at the log sent something meaningless");
    return sink->command(sink->data, words, count, line, err);
}

tacStatus tacLogLookAt(const tacLogLook *look, const tacSink *sink, tacError *err) {
    if (!look->confined || !tacWorkerAvailable()) return lookHere(look, sink, err);
    const tacReadOptions limits = {.timeLimit = 1};
    const tacWord words[] = {look->text, look->mapping};
    tacSink check = {.data = (void *) (uintptr_t) sink, .command = passSound};
    tacWorkerJob job = {.body = "log table", .words = words, .count = 2};
    return tacWorkerRun(&job, &limits, &check, err);
}
