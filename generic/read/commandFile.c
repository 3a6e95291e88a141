/*
 * commandFile.c -- the sink of a file of commands, and its errors with their places.
 */
#include "base/port.h"

#include "base/similar.h"
#include "read/commandFile.h"

#include <stdio.h>
#include <string.h>

typedef struct Reading {
    const tacCommandFile *file;
    const char *name;
    tacError first; /* the first error, with its place; code empty: none */
    unsigned errors;
    uint32_t line; /* of the command that came last */
} Reading;

static bool isCommand(void *data, const char *name, size_t length) {
    const Reading *reading = data;
    tacWord word = {name, length};
    for (const char *const *known = reading->file->commandNames; *known; known++)
        if (tacWordIs(&word, *known)) return true;
    return false;
}

static tacStatus onCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Reading *reading = data;
    bool ends = reading->file->hasBody && tacWordIs(&words[0], TAC_BODY_END);
    if (!ends && !isCommand(reading, words[0].at, words[0].length))
        return tacFail(err, "UNKNOWN COMMAND", "\"%.*s\" is no command of %s %s", TAC_SHOWN(words),
            strchr("aeiou", reading->file->noun[0]) ? "an" : "a", reading->file->noun);
    reading->line = line;
    return reading->file->command(reading->file->data, words, count, line, err);
}

static tacStatus onQuery(void *data, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err) {
    (void) count, (void) line, (void) result;
    return tacFail(err, "LOOKUP OBJECT", "there is no object \"%.*s\" in a %s", TAC_SHOWN(words),
        ((const Reading *) data)->file->noun);
}

/* Adds a sentence of the readers, which speak of a trace, as one about this kind of file. */
static void addSentence(const Reading *reading, const char *text, tacText *out) {
    static const char *const subjects[] = {"the trace ", "a trace "};
    static const char binary[] = "the file begins with binary data; it is not a ";
    const char *noun = reading->file->noun;
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(subjects[i]);
        if (strncmp(text, subjects[i], length) != 0) continue;
        tacTextPrintf(out, "%s %s %s", i ? "a" : "the", noun, text + length);
        return;
    }
    if (strncmp(text, binary, sizeof binary - 1) == 0) tacTextPrintf(out, "%s%s", binary, noun);
    else tacTextAddString(out, text);
}

/* The line is that of the command, unless the sink named another one. */
static void onReport(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    unsigned named;
    int prefix = 0;
    if (sscanf(text, "line %u: %n", &named, &prefix) == 1 && prefix > 0) line = named;
    else prefix = 0;
    text += prefix;
    Reading *reading = data;
    tacText message = {0};
    char code[64];
    tacTextPrintf(&message, "%s:%u: ", reading->name, (unsigned) line);
    addSentence(reading, text, &message);
    const char *said = message.at ? message.at : text;
    if (severity != TAC_SEVERITY_ERROR) {
        if (reading->file->note) reading->file->note(reading->file->data, severity, said);
    } else if (reading->errors++ == 0) {
        snprintf(code, sizeof code, "%.12s %.50s", reading->file->code, kind);
        tacFail(&reading->first, code, "%s", said);
    }
    tacTextFree(&message);
}

/* Fails with the error that ended the reading; "line N: " in its message becomes a place. */
static tacStatus failEnd(const Reading *reading, const tacError *problem, tacError *err) {
    unsigned line;
    const char *text = tacErrorText(problem, &line);
    char code[64];
    if (strncmp(problem->code, "LIMIT", 5) != 0) return tacFail(err, problem->code, "%s", problem->message);
    snprintf(code, sizeof code, "%.12s %.50s", reading->file->code, problem->code);
    return tacFail(err, code, "%s:%u: %s", reading->name, line ? line : (unsigned) reading->line, text);
}

tacStatus tacCommandFileRead(const tacCommandFile *file, const char *name, const char *text, size_t length,
    const tacReadOptions *limits, tacError *err) {
    Reading reading = {.file = file, .name = name};
    tacSink sink = {.data = &reading,
        .command = onCommand,
        .isCommand = isCommand,
        .query = onQuery,
        .report = onReport,
        .commandNames = file->commandNames,
        .hasBody = file->hasBody};
    tacReadOptions own = {.scriptOnly = file->hasBody != NULL}; /* formats, growing files and handlers are a trace's */
    tacError problem = {0};
    if (limits) {
        own.timeLimit = limits->timeLimit;
        own.commandLimit = limits->commandLimit;
        own.memoryLimit = limits->memoryLimit;
        own.inProcess = limits->inProcess;
        own.variables = limits->variables;
        own.nVariables = limits->nVariables;
    }
    if (!text && tacFileCheckPlain(name, file->noun, TAC_PLAIN_MOST, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = text ? tacReadText(text, length, &own, &sink, &problem)
                            : tacReadFile(name, &own, &sink, &problem);
    const tacError *first = &reading.first; /* goes before a limit, which came later */
    bool mistake = reading.errors > 0 && (status == TAC_OK || strncmp(problem.code, "LIMIT", 5) == 0);
    if (!mistake) return status == TAC_OK ? TAC_OK : failEnd(&reading, &problem, err);
    if (reading.errors == 1) return tacFail(err, first->code, "%s", first->message);
    return tacFail(err, first->code, "%s (and %u more error%s)", first->message, reading.errors - 1,
        reading.errors == 2 ? "" : "s");
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* An option that is not there: the one that was perhaps meant, else all. */
static tacStatus failOption(const char *command, const tacCommandOption *rows, const tacWord *word, tacError *err) {
    const char *similar = NULL;
    tacText all = {0};
    for (const tacCommandOption *row = rows; row->name; row++) {
        if (!similar && tacSimilar(word->at, word->length, row->name)) similar = row->name;
        tacTextPrintf(&all, "%s%s", row == rows ? "" : ", ", row->name);
    }
    if (similar) tacFail(err, "OPTION", "%s has no option %.*s; did you mean %s?", command, TAC_SHOWN(word), similar);
    else tacFail(err, "OPTION", "%s has no option %.*s; it has %s", command, TAC_SHOWN(word), all.at ? all.at : "none");
    tacTextFree(&all);
    return TAC_ERROR;
}

tacStatus tacCommandOptions(
    const char *command, const tacCommandOption *rows, const tacWord *words, int count, void *values, tacError *err) {
    for (int i = 0; i < count; i += 2) {
        tacError problem = {0};
        if (words[i].length < 2 || words[i].at[0] != '-')
            return tacFail(
                err, "USAGE", "%s: extra word \"%.*s\"; expected -option value", command, TAC_SHOWN(&words[i]));
        const tacCommandOption *row = rows;
        while (row->name && !tacWordIs(&words[i], row->name)) row++;
        if (!row->name) return failOption(command, rows, &words[i], err);
        if (i + 1 == count) return tacFail(err, "USAGE", "%s: no value after %s", command, row->name);
        if (row->read(&words[i + 1], (char *) values + row->offset, &problem) == TAC_OK) continue;
        if (strcmp(problem.code, "MEMORY") == 0) return tacFailMemory(err);
        return tacFail(err, problem.code, "%s %s: %s", command, row->name, problem.message);
    }
    return TAC_OK;
}
