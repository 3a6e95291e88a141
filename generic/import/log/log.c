/*
 * log.c -- recognizes a log, finds its mapping and its columns, and hands its rows on.
 */
#include "base/port.h"

#include "import/kernel/kernel.h"
#include "import/lines.h"
#include "import/log/log.h"
#include "import/log/logGuess.h"
#include "import/log/logLines.h"
#include "import/log/logRow.h"

#include <string.h>

/* ---- recognition ------------------------------------------------------------------------------------------------- */

/* Does some line begin with a command of the trace language? */
static bool isScript(const char *text, size_t length) {
    static const char *const commands[] = {"plot ", "new", "set ", "bufferplot ", "proc ", "[", "Plot ", "foreach "};
    for (const char *at = text, *end = text + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        size_t n = (size_t) ((newline ? newline : end) - at);
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            if (n > strlen(commands[i]) && strncmp(at, commands[i], strlen(commands[i])) == 0) return true;
        at += n + 1;
    }
    return false;
}

/* Columns that are parted by blanks are not recognized: every text has some. */
bool tacLogRecognize(const char *text, size_t length) {
    tacLogSure sure;
    tacError err = {{0}, {0}};
    if (!length || isScript(text, length)) return false;
    return tacLogGuessText(text, length, false, "", NULL, &sure, &err) == TAC_OK && sure == TAC_LOG_SURE;
}

/* ---- the mapping ------------------------------------------------------------------------------------------------- */

enum { GUESSED_BY = 1 << 16 }; /* bytes of a log that a guess looks at, at least */

/* A format that was given by its name has not been looked at yet, so nothing may have come. */
tacStatus tacLogGuess(tacImport *import, tacText *mapping, tacError *err) {
    tacSource *source = import->source;
    tacSink sink = tacImportSink(import);
    tacLogSure sure;
    while (!source->ended && source->end - source->at < GUESSED_BY)
        if (tacSourceNext(source, sink.progress, sink.data, err) != TAC_OK) return TAC_ERROR;
    return tacLogGuessText(
        source->at, (size_t) (source->end - source->at), true, import->name ? import->name : "", mapping, &sure, err);
}

static tacStatus checkMap(const tacLogMap *map, tacError *err) {
    bool stretches = map->columns[TAC_LOG_END] || map->columns[TAC_LOG_DURATION];
    if (!map->columns[TAC_LOG_TIME])
        return tacFail(err, "MAP COLUMN", "the mapping does not say which column is the time: column time NAME");
    if (!map->columns[TAC_LOG_TASK] && !map->columns[TAC_LOG_TEXT])
        return tacFail(err, "MAP COLUMN", "the mapping does not say which column is the task: column task NAME");
    if (!map->columns[TAC_LOG_EVENT] && !stretches)
        return tacFail(err, "MAP COLUMN",
            "the mapping says neither which column is the event (column event NAME) nor where stretches end "
            "(column end NAME, column duration NAME)");
    return TAC_OK;
}

static tacStatus failGuess(tacError *err) {
    return tacFail(err, "FORMAT LOG",
        "it is not clear what the columns of this log are: write a mapping (tactus map prints a beginning, "
        "tactus_log(5)) and give it with --map");
}

static bool isGiven(const tacKernelOptions *options) {
    return options->mapText || (options->map && strcmp(options->map, "auto") != 0);
}

static tacStatus readGiven(
    const tacKernelOptions *options, const tacReadOptions *limits, tacLogMap *map, tacError *err) {
    if (!options->mapText) return tacLogMapRead(map, options->map, NULL, 0, limits, err);
    return tacLogMapRead(
        map, options->mapName ? options->mapName : "mapping", options->mapText, strlen(options->mapText), limits, err);
}

bool tacLogIsMapped(const tacKernelOptions *options, const tacReadOptions *limits) {
    tacLogMap map = {.header = -1};
    tacError err = {{0}, {0}};
    if (!isGiven(options)) return false;
    bool is = readGiven(options, limits, &map, &err) != TAC_OK;
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) is |= map.columns[i] != NULL;
    tacLogMapFree(&map);
    tacErrorClear(&err);
    return is;
}

/* Reads the mapping that was given, or guesses one, which is told. */
static tacStatus findMap(tacImport *import, tacLogMap *map, tacError *err) {
    const tacKernelOptions *options = import->options;
    if (isGiven(options)) return readGiven(options, import->limits, map, err);
    tacText text = {0};
    tacError why = {{0}, {0}};
    tacStatus status = tacLogGuess(import, &text, err);
    *map = (tacLogMap){.header = -1};
    if (status == TAC_OK)
        status = tacLogMapRead(map, "mapping", text.at ? text.at : "", text.length, import->limits, err);
    if (status == TAC_OK && checkMap(map, &why) != TAC_OK) status = failGuess(err);
    if (status == TAC_OK && import->diag)
        tacDiagAdd(import->diag, TAC_SEVERITY_NOTE, 0, "LOG",
            "no mapping was given: what the columns and words mean is guessed (tactus map shows how)");
    tacTextFree(&text);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct Reading {
    const tacLogMap *map;
    tacLogLines lines;
    tacLogRows *rows;
    tacStore *store;
    tacDiag *diag;
    uint32_t number[TAC_LOG_COLUMNS]; /* of each column, from 0; TAC_NONE: there is none */
    uint32_t most;                    /* the largest of them */
    bool found;                       /* columns were looked for */
    size_t names;                     /* JSON: names that were known then */
    uint64_t rowCount;
} Reading;

/* Finds the columns by their names (NULL: there are none). */
static tacStatus findColumns(Reading *r, const tacFields *names, tacError *err) {
    r->most = 0;
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) {
        r->number[i] = r->map->columns[i] ? tacLogColumnNumber(&r->lines, r->map->columns[i], names) : TAC_NONE;
        if (r->map->columns[i] && r->number[i] == TAC_NONE && r->lines.separator != TAC_LOG_JSON)
            return tacFail(err, "MAP COLUMN", "the log has no column \"%.60s\", which the mapping calls the %s",
                r->map->columns[i], tacLogColumnNames[i]);
        if (r->number[i] != TAC_NONE && r->number[i] > r->most) r->most = r->number[i];
    }
    r->found = true;
    return TAC_OK;
}

/* Tells that the last row, which has no newline, may be cut: it has too few fields, or the last one that is used is its
 * end and is no word that means something: a number may have lost digits, and a name letters. */
static void remarkHalf(const Reading *r, const tacLogRow *row, uint32_t line) {
    const tacWord *word = &row->field[TAC_LOG_EVENT];
    size_t count = r->lines.fields.all.count;
    bool isWord = r->number[TAC_LOG_EVENT] == r->most && word->length;
    if (count <= r->most) tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, line, TAC_READ_CUT, "the file ends within a line");
    else if (count == r->most + 1 && !(isWord && tacLogMeaning(r->map, word->at, word->length)))
        tacDiagAdd(r->diag, TAC_SEVERITY_NOTE, line, TAC_READ_CUT, "the last line has no newline and may be cut");
}

static tacStatus takeRow(Reading *r, const tacLine *line, tacError *err) {
    tacLogRow row = {.line = line->number};
    const tacFields *fields = &r->lines.fields;
    bool json = r->lines.separator == TAC_LOG_JSON;
    if (!r->found && findColumns(r, NULL, err) != TAC_OK) return TAC_ERROR;
    if (json && tacInternCount(&fields->names) != r->names) {
        r->names = tacInternCount(&fields->names);
        if (findColumns(r, NULL, err) != TAC_OK) return TAC_ERROR;
    }
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) row.field[i] = tacField(fields, r->number[i]);
    if (line->half && !json) remarkHalf(r, &row, line->number);
    if (++r->rowCount % TAC_READER_LINES == 0
        && tacStoreReader(r->store, tacLogRowsBytes(r->rows, true), line->number, err) != TAC_OK)
        return TAC_ERROR;
    return tacLogRowsAdd(r->rows, &row, err);
}

static tacStatus takeLine(void *data, const tacLine *line, tacError *err) {
    Reading *r = data;
    tacError why = {{0}, {0}};
    tacLogPart part;
    if (tacLogLinesTake(&r->lines, line->at, line->length, &part, &why) != TAC_OK) {
        if (strcmp(why.code, "MEMORY") == 0) return tacFailMemory(err);
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, line->number, line->half ? TAC_READ_CUT : why.code, "%s", why.message);
        return TAC_OK;
    }
    if (part == TAC_LOG_PASSED) return TAC_OK;
    return part == TAC_LOG_NAMES ? findColumns(r, &r->lines.fields, err) : takeRow(r, line, err);
}

static tacStatus readRows(tacImport *import, const tacLogMap *map, const tacSink *commands, tacError *err) {
    tacSink sink = tacImportSink(import);
    Reading r = {.map = map, .lines = tacLogLinesNew(map), .store = import->store, .diag = import->diag};
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) r.number[i] = TAC_NONE;
    r.rows = tacLogRowsNew(map, commands, import->diag);
    tacStatus status = r.rows ? tacLinesRead(import->source, &sink, takeLine, &r, err) : tacFailMemory(err);
    tacError late = {{0}, {0}};
    if (r.rows) import->store->readerBytes = tacLogRowsBytes(r.rows, false);
    if (r.rows && tacLogRowsEnd(r.rows, &late) != TAC_OK && status == TAC_OK)
        status = tacFail(err, late.code, "%s", late.message);
    if (status == TAC_OK && !r.rowCount)
        tacDiagAdd(import->diag, TAC_SEVERITY_WARNING, 0, "EMPTY", "nothing was recorded: the log has no rows");
    tacLogRowsFree(r.rows);
    tacLogLinesFree(&r.lines);
    return status;
}

tacStatus tacLogRead(tacImport *import, tacError *err) {
    static const char *const units[] = {"s", "ms", "us", "ns", NULL};
    tacLogMap map;
    tacApply apply;
    tacSink commands;
    tacStatus status = findMap(import, &map, err);
    if (status == TAC_OK) status = checkMap(&map, err);
    for (int i = 0; status == TAC_OK && units[i]; i++)
        if (strcmp(units[i], map.unit) == 0) import->unit = units[i];
    tacApplyInit(&apply, import->store, import->diag);
    if (status == TAC_OK)
        status = tacApplySink(&apply, NULL, &commands) ? readRows(import, &map, &commands, err) : tacFailMemory(err);
    tacApplyFree(&apply);
    tacLogMapFree(&map);
    return status;
}
