/*
 * logMap.c -- the commands log, column and event of a mapping.
 */
#include "base/port.h"

#include "base/decimal.h"
#include "base/glob.h"
#include "base/similar.h"
#include "import/log/fields.h"
#include "import/log/logMap.h"
#include "read/commandFile.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 256, MOST_WORDS = 1024 };

const char *const tacLogColumnNames[] = {"time", "end", "duration", "processor", "task", "job", "event", "object",
    "text", "release", "deadline", "priority", "period", NULL};
const char *const tacLogEventNames[] = {"release", "start", "preempted", "blocked", "ready", "completed", "idle",
    "interrupt", "return", "acquired", "released", "deadline", "mark", "ignore", NULL};

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Index of a word in a list. */
static tacStatus readName(const char *what, const tacWord *word, const char *const *names, int *index, tacError *err) {
    char all[300] = "";
    for (int i = 0; names[i]; i++) {
        size_t n = strlen(all);
        if (tacWordIs(word, names[i])) return *index = i, TAC_OK;
        snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : "", names[i]);
    }
    const char *similar = tacSimilarOf(word->at, word->length, names);
    if (similar)
        return tacFail(err, "VALUE WORD", "unknown %s \"%.*s\"; did you mean \"%s\"?", what, TAC_SHOWN(word), similar);
    return tacFail(err, "VALUE WORD", "unknown %s \"%.*s\"; expected %s", what, TAC_SHOWN(word), all);
}

static tacStatus copyWord(const tacWord *word, char **copy, tacError *err) {
    if (word->length > LONGEST)
        return tacFail(err, "VALUE LONG", "\"%.*s...\" has more than %d bytes", TAC_SHOWN(word), LONGEST);
    char *made = tacCopyText(word->at, word->length);
    if (!made) return tacFailMemory(err);
    tacFree(*copy);
    *copy = made;
    return TAC_OK;
}

static tacStatus readSeparator(const tacWord *word, void *value, tacError *err) {
    static const char *const names[] = {"auto", "comma", "semicolon", "tab", "bar", "blanks", "json", NULL};
    static const char separators[] = {0, ',', ';', '\t', '|', TAC_LOG_BLANKS, TAC_LOG_JSON};
    int index;
    if (word->length == 1 && strchr(",;\t|:", *word->at)) return *(char *) value = *word->at, TAC_OK;
    if (readName("separator", word, names, &index, err) != TAC_OK) return TAC_ERROR;
    *(char *) value = separators[index];
    return TAC_OK;
}

static tacStatus readHeader(const tacWord *word, void *value, tacError *err) {
    static const char *const names[] = {"no", "yes", "auto", NULL};
    int index;
    if (readName("-header", word, names, &index, err) != TAC_OK) return TAC_ERROR;
    *(int *) value = index == 2 ? -1 : index;
    return TAC_OK;
}

static tacStatus readFlag(const tacWord *word, void *value, tacError *err) {
    static const char *const names[] = {"no", "yes", NULL};
    int index;
    if (readName("value", word, names, &index, err) != TAC_OK) return TAC_ERROR;
    *(bool *) value = index == 1;
    return TAC_OK;
}

static tacStatus readJobs(const tacWord *word, void *value, tacError *err) {
    static const char *const names[] = {"number", "order", NULL};
    int index;
    if (readName("-jobs", word, names, &index, err) != TAC_OK) return TAC_ERROR;
    *(bool *) value = index == 1;
    return TAC_OK;
}

static tacStatus readSkip(const tacWord *word, void *value, tacError *err) {
    tacDecimal number;
    if (tacDecimalParse(word->at, word->length, &number) != TAC_OK || number.digits || number.mantissa < 0
        || number.mantissa > 1000000)
        return tacFail(err, "VALUE INTEGER", "\"%.*s\" is no number of lines, 0 to 1000000", TAC_SHOWN(word));
    *(uint32_t *) value = (uint32_t) number.mantissa;
    return TAC_OK;
}

static tacStatus readComment(const tacWord *word, void *value, tacError *err) {
    if (word->length > 1) return tacFail(err, "VALUE COMMENT", "-comment is one character, or empty");
    *(char *) value = word->length ? *word->at : 0;
    return TAC_OK;
}

static tacStatus readUnit(const tacWord *word, void *value, tacError *err) {
    static const char *const names[] = {"s", "ms", "us", "ns", NULL};
    int index;
    if (readName("unit", word, names, &index, err) != TAC_OK) return TAC_ERROR;
    strcpy(value, names[index]);
    return TAC_OK;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static tacStatus onLog(tacLogMap *map, const tacWord *words, int count, tacError *err) {
    static const tacCommandOption options[] = {
        {"-separator", offsetof(tacLogMap, separator), readSeparator},
        {"-header", offsetof(tacLogMap, header), readHeader},
        {"-skip", offsetof(tacLogMap, skip), readSkip},
        {"-comment", offsetof(tacLogMap, comment), readComment},
        {"-jobs", offsetof(tacLogMap, byOrder), readJobs},
        {NULL, 0, NULL},
    };
    return tacCommandOptions("log", options, words + 1, count - 1, map, err);
}

static tacStatus onColumn(tacLogMap *map, const tacWord *words, int count, tacError *err) {
    static const tacCommandOption options[] = {
        {"-unit", offsetof(tacLogMap, unit), readUnit},
        {"-relative", offsetof(tacLogMap, relative), readFlag},
        {NULL, 0, NULL},
    };
    int column;
    if (count < 3) return tacFail(err, "USAGE", "words are missing; usage: column MEANING COLUMN ?-unit U?");
    if (!words[2].length) return tacFail(err, "VALUE EMPTY", "the column's name is empty");
    if (readName("column", &words[1], tacLogColumnNames, &column, err) != TAC_OK
        || copyWord(&words[2], &map->columns[column], err) != TAC_OK)
        return TAC_ERROR;
    return tacCommandOptions("column", options, words + 3, count - 3, map, err);
}

static tacStatus onEvent(tacLogMap *map, const tacWord *words, int count, tacError *err) {
    int event;
    if (count < 3) return tacFail(err, "USAGE", "words are missing; usage: event MEANING PATTERN ?PATTERN ...?");
    if (readName("meaning", &words[1], tacLogEventNames, &event, err) != TAC_OK) return TAC_ERROR;
    uint32_t means = (uint32_t) 1 << event;
    map->means |= means;
    for (int i = 2; i < count; i++) {
        size_t k = 0;
        while (k < map->words.count && !tacWordIs(&words[i], map->words.at[k].pattern)) k++;
        if (k < map->words.count) { /* a word may mean both release and start */
            map->words.at[k].means |= means;
            continue;
        }
        tacLogWord word = {NULL, means};
        if (map->words.count >= MOST_WORDS) return tacFail(err, "LIMIT", "more than %d words of events", MOST_WORDS);
        if (copyWord(&words[i], &word.pattern, err) != TAC_OK) return TAC_ERROR;
        if (!tacArrayPush(&map->words, word)) return tacFree(word.pattern), tacFailMemory(err);
    }
    return TAC_OK;
}

static tacStatus onCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacLogMap *map = data;
    (void) line;
    if (tacWordIs(&words[0], "log")) return onLog(map, words, count, err);
    if (tacWordIs(&words[0], "column")) return onColumn(map, words, count, err);
    if (tacWordIs(&words[0], "event")) return onEvent(map, words, count, err);
    return TAC_OK;
}

tacStatus tacLogMapRead(
    tacLogMap *map, const char *name, const char *text, size_t length, const tacReadOptions *limits, tacError *err) {
    static const char *const names[] = {
        "log", "column", "event", "task", "ignore", "group", "mutex", "server", "blocked", NULL};
    tacCommandFile file = {"mapping", "MAP", names, onCommand, NULL, NULL, map};
    *map = (tacLogMap){.header = -1, .comment = '#'};
    return tacCommandFileRead(&file, name, text, length, limits, err);
}

void tacLogMapFree(tacLogMap *map) {
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) tacFree(map->columns[i]);
    for (size_t i = 0; i < map->words.count; i++) tacFree(map->words.at[i].pattern);
    tacArrayFree(&map->words);
}

uint32_t tacLogMeaning(const tacLogMap *map, const char *word, size_t length) {
    for (size_t i = 0; i < map->words.count; i++) {
        const char *pattern = map->words.at[i].pattern;
        if (length ? tacGlobCaseless(pattern, word, length) : !*pattern) return map->words.at[i].means;
    }
    return 0;
}
