/*
 * logLook.c -- takes the lines of a text apart as the reader of logs does, and counts the words of its events.
 */
#include "base/port.h"

#include "import/lines.h"
#include "import/log/logLines.h"
#include "import/log/logMap.h"
#include "import/logLook.h"

#include <stdio.h>
#include <string.h>

typedef struct Look {
    const tacLogLooker *looker;
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

static tacStatus lookAtLine(Look *l, uint32_t number, const char *at, size_t length, tacError *err) {
    static const char *const parts[] = {
        [TAC_LOG_PASSED] = "passed", [TAC_LOG_NAMES] = "names", [TAC_LOG_VALUES] = "row"};
    tacError why = {{0}, {0}};
    tacLogPart part;
    tacLogLookLine line = {.number = number, .text = {at, length}};
    if (tacLogLinesTake(&l->lines, at, length < TAC_LINE_LONGEST ? length : TAC_LINE_LONGEST, &part, &why) != TAC_OK) {
        if (strcmp(why.code, "MEMORY") == 0) return tacFailMemory(err);
        line.part = "wrong";
        line.why = why.message;
    } else {
        line.part = parts[part];
        line.fields = l->lines.fields.all.at;
        line.count = part == TAC_LOG_PASSED ? 0 : l->lines.fields.all.count;
        if (part == TAC_LOG_NAMES) l->named = true, findColumns(l, &l->lines.fields);
        if (part == TAC_LOG_VALUES && !countWord(l)) return tacFailMemory(err);
    }
    l->looker->line(l->looker->data, &line);
    return TAC_OK;
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

static void tellSettings(const Look *l) {
    const tacLogLooker *looker = l->looker;
    char skip[16];
    snprintf(skip, sizeof skip, "%u", (unsigned) l->map->skip);
    looker->setting(looker->data, "separator", separatorName(l->lines.separator));
    looker->setting(looker->data, "header", l->named ? "yes" : "no");
    looker->setting(looker->data, "skip", skip);
    looker->setting(looker->data, "jobs", l->map->byOrder || !l->map->columns[TAC_LOG_JOB] ? "order" : "number");
    looker->setting(looker->data, "unit", l->map->unit);
    looker->setting(looker->data, "relative", l->map->relative ? "yes" : "no");
}

static void tellWords(const Look *l) {
    for (uint32_t i = 0; i < tacInternCount(&l->words); i++) {
        const char *meanings[TAC_LOG_EVENTS + 1];
        int n = 0;
        tacWord word;
        word.at = tacInternName(&l->words, i, &word.length);
        uint32_t means = tacLogMeaning(l->map, word.at, word.length);
        for (int k = 0; k < TAC_LOG_EVENTS; k++)
            if (means >> k & 1) meanings[n++] = tacLogEventNames[k];
        meanings[n] = NULL;
        l->looker->word(l->looker->data, &word, l->counts.at[i], meanings);
    }
}

static void tell(Look *l) {
    const tacLogLooker *looker = l->looker;
    bool json = l->lines.separator == TAC_LOG_JSON;
    for (uint32_t i = 0; json && i < tacInternCount(&l->lines.fields.names); i++) {
        tacWord name;
        name.at = tacInternName(&l->lines.fields.names, i, &name.length);
        looker->name(looker->data, &name);
    }
    tellSettings(l);
    for (int i = 0; i < TAC_LOG_COLUMNS; i++)
        if (l->map->columns[i]) looker->column(looker->data, tacLogColumnNames[i], l->map->columns[i], l->number[i]);
    tellWords(l);
}

tacStatus tacLogLook(const char *text, size_t length, const char *mapping, size_t mappingLength,
    const tacLogLooker *looker, tacError *err) {
    /* The mapping is read again at each change: code in it that does not end must not keep anyone waiting for long. */
    const tacReadOptions limits = {.timeLimit = 1};
    tacLogMap map;
    tacStatus status = tacLogMapRead(&map, "mapping", mapping, mappingLength, &limits, err);
    Look look = {.looker = looker, .map = &map, .lines = tacLogLinesNew(&map)};
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) look.number[i] = TAC_NONE;
    if (status == TAC_OK) status = lookAtLines(&look, text, length, err);
    if (status == TAC_OK && look.lines.separator == TAC_LOG_JSON) findColumns(&look, NULL);
    if (status == TAC_OK) tell(&look);
    tacLogLinesFree(&look.lines);
    tacInternFree(&look.words);
    tacArrayFree(&look.counts);
    tacLogMapFree(&map);
    return status;
}
