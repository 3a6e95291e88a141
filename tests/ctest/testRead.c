/*
 * testRead.c -- the reader of scripts with a sink that only writes down what it gets, and its parts one by one.
 *
 *   testread ?-file path? ?-chunk n? ?-script 1? ?-worker 1? ?-cancel n? ?-fail n? ?-quiet 1? text
 *
 * reads a text (its UTF-8; a byte array as it is) and returns a dict:
 *   commands   {line {words}} ... in order, those for the sink's query as {line ? {words}} (with -quiet their number)
 *   reports    {line kind text} ...
 *   status     OK, or code and message of what ended the reading
 *   progress   how often progress was shown
 * -file: from the file instead of the text. -chunk n: as a source that delivers n bytes at a time. -script: everything
 * through the sandbox. -worker: with a worker process. -cancel n: progress says stop the nth time. -fail n: the nth
 * allocation fails.
 *
 * The vocabulary: newTask newJob newBuffer plot Plot bufferplot. A plot whose second word is `bad` fails (TEST BAD),
 * one with `limit` fails with LIMIT TEST. Objects: every task of a newTask answers `name` with its id in angle
 * brackets; [Task id] answers the id.
 *
 *   testsplit text            {status problem {word kind needs} ...} of the first command, where word is as it stands
 * there testparse text            the same by Tcl_ParseCommand: {status {word kind} ...} testsource ?-chunk n? ?-file
 * path? bytes    {text damage bytesRead total}: what a source makes of bytes testclean n bytes         the bytes,
 * cleaned in blocks of n
 */
#include <tcl.h>

#include "base/port.h"

#include "read/literal.h"
#include "read/reader.h"

#include <string.h>

/* ---- the sink ---- */

typedef struct Record {
    Tcl_Obj *commands, *reports;
    Tcl_WideInt nCommands;
    Tcl_HashTable tasks;
    int nProgress, cancelAt;
    bool quiet;
} Record;

static Tcl_Obj *wordList(const tacWord *words, int count) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (int i = 0; i < count; i++) {
        Tcl_DString text;
        Tcl_ExternalToUtfDString(Tcl_GetEncoding(NULL, "utf-8"), words[i].at, (int) words[i].length, &text);
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj(Tcl_DStringValue(&text), Tcl_DStringLength(&text)));
        Tcl_DStringFree(&text);
    }
    return list;
}

static void note(Record *r, const tacWord *words, int count, uint32_t line, bool asked) {
    r->nCommands++;
    if (r->quiet) return;
    Tcl_Obj *entry = Tcl_NewListObj(0, NULL);
    Tcl_ListObjAppendElement(NULL, entry, Tcl_NewWideIntObj(line));
    if (asked) Tcl_ListObjAppendElement(NULL, entry, Tcl_NewStringObj("?", 1));
    Tcl_ListObjAppendElement(NULL, entry, wordList(words, count));
    Tcl_ListObjAppendElement(NULL, r->commands, entry);
}

static bool wordIs(const tacWord *word, const char *text) {
    return word->length == strlen(text) && memcmp(word->at, text, word->length) == 0;
}

static void addTask(Record *r, const tacWord *id) {
    Tcl_DString name;
    int isNew;
    Tcl_DStringInit(&name);
    Tcl_DStringAppend(&name, id->at, (int) id->length);
    Tcl_CreateHashEntry(&r->tasks, Tcl_DStringValue(&name), &isNew);
    Tcl_DStringFree(&name);
}

static bool isTask(Record *r, const tacWord *id) {
    Tcl_DString name;
    Tcl_DStringInit(&name);
    Tcl_DStringAppend(&name, id->at, (int) id->length);
    bool known = Tcl_FindHashEntry(&r->tasks, Tcl_DStringValue(&name)) != NULL;
    Tcl_DStringFree(&name);
    return known;
}

static tacStatus command(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Record *r = data;
    if (wordIs(&words[0], "plot") && count > 1 && wordIs(&words[1], "bad")) return tacFail(err, "TEST BAD", "bad plot");
    if (wordIs(&words[0], "plot") && count > 1 && wordIs(&words[1], "limit"))
        return tacFail(err, "LIMIT TEST", "limit of plots");
    if (wordIs(&words[0], "newTask") && count > 1) addTask(r, &words[1]);
    note(r, words, count, line, false);
    return TAC_OK;
}

static const char *const names[] = {"newTask", "newJob", "newBuffer", "plot", "Plot", "bufferplot", NULL};

static bool isCommand(void *data, const char *name, size_t length) {
    (void) data;
    tacWord word = {name, length};
    for (int i = 0; names[i]; i++)
        if (wordIs(&word, names[i])) return true;
    return false;
}

static tacStatus query(void *data, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err) {
    Record *r = data;
    bool class = wordIs(&words[0], "Task");
    if (!class && !isTask(r, &words[0])) return tacFail(err, "LOOKUP OBJECT", "no object");
    if (!result && count == 1) return TAC_OK;
    note(r, words, count, line, true);
    if (class && count == 2) {
        addTask(r, &words[1]);
        if (result) tacTextAdd(result, words[1].at, words[1].length);
        return TAC_OK;
    }
    if (count > 1 && wordIs(&words[1], "initWith")) return TAC_OK;
    if (count != 2 || !wordIs(&words[1], "name")) return tacFail(err, "LOOKUP METHOD", "no such method");
    if (result) tacTextPrintf(result, "<%.*s>", (int) words[0].length, words[0].at);
    return TAC_OK;
}

static void report(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    Record *r = data;
    (void) severity;
    if (r->quiet) {
        Tcl_ListObjAppendElement(NULL, r->reports, Tcl_NewStringObj(kind, -1));
        return;
    }
    Tcl_Obj *values[] = {Tcl_NewWideIntObj(line), Tcl_NewStringObj(kind, -1), Tcl_NewStringObj(text, -1)};
    Tcl_ListObjAppendElement(NULL, r->reports, Tcl_NewListObj(3, values));
}

static bool progress(void *data, uint64_t bytesRead, uint64_t total) {
    Record *r = data;
    (void) bytesRead, (void) total;
    return ++r->nProgress != r->cancelAt;
}

/* ---- sources that deliver bit by bit ---- */

typedef struct Dripping {
    const unsigned char *at;
    size_t left, chunk;
} Dripping;

static tacStatus drip(void *data, void *buffer, size_t size, size_t *got, tacError *err) {
    Dripping *d = data;
    (void) err;
    *got = d->left < d->chunk ? d->left : d->chunk;
    if (*got > size) *got = size;
    if (*got) memcpy(buffer, d->at, *got);
    d->at += *got;
    d->left -= *got;
    return TAC_OK;
}

/* The bytes of a value: of a byte array itself, else of its text in UTF-8. To be freed. */
static void valueBytes(Tcl_Obj *value, Tcl_DString *bytes) {
    Tcl_Size length;
    const char *text;
    if (value->typePtr && strcmp(value->typePtr->name, "bytearray") == 0) {
        text = (const char *) Tcl_GetByteArrayFromObj(value, &length);
        Tcl_DStringInit(bytes);
        Tcl_DStringAppend(bytes, text, length);
    } else {
        text = Tcl_GetStringFromObj(value, &length);
        Tcl_UtfToExternalDString(Tcl_GetEncoding(NULL, "utf-8"), text, length, bytes);
    }
}

/* ---- testread ---- */

typedef struct Settings {
    const char *file;
    int chunk, script, worker, cancel, fail, quiet;
} Settings;

static int parseSettings(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], Settings *s) {
    static const char *const options[] = {"-file", "-chunk", "-script", "-worker", "-cancel", "-fail", "-quiet", NULL};
    int *const fields[] = {NULL, &s->chunk, &s->script, &s->worker, &s->cancel, &s->fail, &s->quiet};
    if (objc % 2) return Tcl_WrongNumArgs(interp, 1, objv, "?-option value ...? text"), TCL_ERROR;
    for (int i = 1; i + 1 < objc; i += 2) {
        int option;
        if (Tcl_GetIndexFromObj(interp, objv[i], options, "option", 0, &option) != TCL_OK) return TCL_ERROR;
        if (!fields[option]) s->file = Tcl_GetString(objv[i + 1]);
        else if (Tcl_GetIntFromObj(interp, objv[i + 1], fields[option]) != TCL_OK) return TCL_ERROR;
    }
    return TCL_OK;
}

static tacStatus readWith(const Settings *s, Record *r, const Tcl_DString *bytes, tacError *err) {
    tacSink sink = {.data = r,
        .command = command,
        .isCommand = isCommand,
        .query = query,
        .report = report,
        .progress = progress,
        .commandNames = names};
    tacReadOptions options = {.timeLimit = 10, .scriptOnly = s->script, .inProcess = !s->worker};
    Dripping d = {
        (const unsigned char *) Tcl_DStringValue(bytes), (size_t) Tcl_DStringLength(bytes), (size_t) s->chunk};
    if (s->file) return tacReadFile(s->file, &options, &sink, err);
    if (s->chunk) return tacReadFrom(drip, &d, &options, &sink, err);
    return tacReadText((const char *) d.at, d.left, &options, &sink, err);
}

static int readCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Settings s = {0};
    if (parseSettings(interp, objc, objv, &s) != TCL_OK) return TCL_ERROR;
    Record r = {.commands = Tcl_NewListObj(0, NULL),
        .reports = Tcl_NewListObj(0, NULL),
        .cancelAt = s.cancel,
        .quiet = s.quiet};
    Tcl_InitHashTable(&r.tasks, TCL_STRING_KEYS);
    Tcl_DString bytes;
    valueBytes(objv[objc - 1], &bytes);
    tacError err = {0};
    if (s.fail) tacMemFailAt((uint64_t) s.fail);
    tacStatus status = readWith(&s, &r, &bytes, &err);
    if (s.fail) tacMemFailAt(0);
    Tcl_DStringFree(&bytes);
    Tcl_DeleteHashTable(&r.tasks);
    Tcl_Obj *result = Tcl_NewDictObj();
    Tcl_DictObjPut(
        NULL, result, Tcl_NewStringObj("commands", -1), s.quiet ? Tcl_NewWideIntObj(r.nCommands) : r.commands);
    if (s.quiet) Tcl_DecrRefCount(r.commands);
    Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("reports", -1), r.reports);
    Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("status", -1),
        status == TAC_OK ? Tcl_NewStringObj("OK", -1) : Tcl_ObjPrintf("%s: %s", err.code, err.message));
    Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("progress", -1), Tcl_NewIntObj(r.nProgress));
    Tcl_SetObjResult(interp, result);
    return TCL_OK;
}

/* ---- testsplit, testparse ---- */

static const char *const kindNames[] = {"bare", "quoted", "braced"};

static Tcl_Obj *splitWord(const tacRawWord *raw) {
    static const char *const needs[] = {"escapes", "brackets", "variables", "expansion"};
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (int bit = 0; bit < 4; bit++)
        if (raw->needs & (1 << bit)) Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj(needs[bit], -1));
    Tcl_Obj *values[] = {
        Tcl_NewStringObj(raw->at, (int) raw->length), Tcl_NewStringObj(kindNames[raw->kind], -1), list};
    return Tcl_NewListObj(3, values);
}

static int splitCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const statuses[] = {"done", "open", "broken", "memory"};
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "text"), TCL_ERROR;
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(objv[1], &length);
    tacSplit split = {0};
    const char *end = text + length;
    tacSplitStatus status = tacSplitCommand(&split, text, end, true);
    while (status == TAC_SPLIT_DONE && split.words.count == 0 && split.next < end && split.next[-1] == '\n') /* after a
                                                                                                                comment
                                                                                                              */
        status = tacSplitCommand(&split, split.next, end, true);
    Tcl_Obj *result = Tcl_NewListObj(0, NULL);
    Tcl_ListObjAppendElement(NULL, result, Tcl_NewStringObj(statuses[status], -1));
    Tcl_ListObjAppendElement(NULL, result, Tcl_NewStringObj(split.problem ? split.problem : "", -1));
    for (size_t i = 0; status == TAC_SPLIT_DONE && i < split.words.count; i++)
        Tcl_ListObjAppendElement(NULL, result, splitWord(&split.words.at[i]));
    if (status == TAC_SPLIT_DONE) Tcl_ListObjAppendElement(NULL, result, Tcl_NewIntObj((int) (split.next - text)));
    tacSplitFree(&split);
    Tcl_SetObjResult(interp, result);
    return TCL_OK;
}

/* Does the word hold what must be substituted, and what? The same bits as tacRawWord.needs. */
static uint8_t parsedNeeds(const Tcl_Token *word) {
    uint8_t needs = word->type == TCL_TOKEN_EXPAND_WORD ? TAC_NEEDS_EXPANSION : 0;
    for (int i = 1; i <= word->numComponents; i++) {
        if (word[i].type == TCL_TOKEN_BS) needs |= TAC_NEEDS_ESCAPES;
        if (word[i].type == TCL_TOKEN_COMMAND) needs |= TAC_NEEDS_BRACKETS;
        if (word[i].type == TCL_TOKEN_VARIABLE) needs |= TAC_NEEDS_VARIABLES;
    }
    return needs;
}

static Tcl_Obj *parsedWord(const Tcl_Token *word) {
    tacRawWord raw = {.needs = parsedNeeds(word)};
    int skip = word->type == TCL_TOKEN_EXPAND_WORD ? 3 : 0;
    raw.at = word->start + skip;
    raw.length = (size_t) (word->size - skip);
    raw.kind = raw.length && *raw.at == '"' ? TAC_WORD_QUOTED
        : raw.length && *raw.at == '{'      ? TAC_WORD_BRACED
                                            : TAC_WORD_BARE;
    if (raw.kind != TAC_WORD_BARE) raw.at++, raw.length -= 2;
    return splitWord(&raw);
}

static int parseCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "text"), TCL_ERROR;
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(objv[1], &length);
    Tcl_Parse parse;
    if (Tcl_ParseCommand(interp, text, length, 0, &parse) != TCL_OK) {
        Tcl_Obj *values[] = {Tcl_NewStringObj(parse.incomplete ? "open" : "broken", -1), Tcl_GetObjResult(interp)};
        Tcl_SetObjResult(interp, Tcl_NewListObj(2, values));
        return TCL_OK;
    }
    Tcl_Obj *result = Tcl_NewListObj(0, NULL);
    Tcl_ListObjAppendElement(NULL, result, Tcl_NewStringObj("done", -1));
    Tcl_ListObjAppendElement(NULL, result, Tcl_NewStringObj("", 0));
    const Tcl_Token *word = parse.tokenPtr;
    for (int i = 0; i < parse.numWords; i++, word += 1 + word->numComponents)
        Tcl_ListObjAppendElement(NULL, result, parsedWord(word));
    Tcl_ListObjAppendElement(NULL, result, Tcl_NewIntObj((int) (parse.commandStart + parse.commandSize - text)));
    Tcl_FreeParse(&parse);
    Tcl_SetObjResult(interp, result);
    return TCL_OK;
}

/* ---- testsource, testclean ---- */

static int sourceCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Settings s = {0};
    if (parseSettings(interp, objc, objv, &s) != TCL_OK) return TCL_ERROR;
    Tcl_DString bytes;
    valueBytes(objv[objc - 1], &bytes);
    Dripping d = {
        (const unsigned char *) Tcl_DStringValue(&bytes), (size_t) Tcl_DStringLength(&bytes), (size_t) s.chunk};
    tacSource source;
    tacError err = {0};
    tacStatus status = s.file ? tacSourceOpen(&source, s.file, &err)
        : s.chunk             ? tacSourceFrom(&source, drip, &d, &err)
                              : tacSourceText(&source, (const char *) d.at, d.left, &err);
    Tcl_DString text; /* grows by more than a byte at a time, as a byte array of Tcl does not */
    Tcl_DStringInit(&text);
    while (status == TAC_OK && !source.ended) {
        status = tacSourceMore(&source, &err);
        Tcl_DStringAppend(&text, source.at, (Tcl_Size) (source.end - source.at));
        source.at = source.end;
    }
    Tcl_Obj *all = Tcl_NewByteArrayObj((const unsigned char *) Tcl_DStringValue(&text), Tcl_DStringLength(&text));
    Tcl_Obj *values[] = {all, Tcl_NewStringObj(status == TAC_OK ? source.damage.code : err.code, -1),
        Tcl_NewStringObj(status == TAC_OK ? source.damage.message : err.message, -1),
        Tcl_NewWideIntObj((Tcl_WideInt) source.bytesRead), Tcl_NewWideIntObj((Tcl_WideInt) source.total)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(5, values));
    tacSourceClose(&source);
    Tcl_DStringFree(&text);
    Tcl_DStringFree(&bytes);
    return TCL_OK;
}

static int cleanCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    int block;
    Tcl_Size length;
    if (objc != 3) return Tcl_WrongNumArgs(interp, 1, objv, "n bytes"), TCL_ERROR;
    if (Tcl_GetIntFromObj(interp, objv[1], &block) != TCL_OK) return TCL_ERROR;
    const char *bytes = (const char *) Tcl_GetByteArrayFromObj(objv[2], &length);
    char *out = Tcl_Alloc((unsigned) (TAC_CLEAN_GROWTH * (length + 2 * TAC_CLEAN_HELD)));
    size_t n = 0;
    tacCleaner cleaner = {0};
    for (Tcl_Size at = 0; at <= length; at += block) {
        Tcl_Size size = length - at < block ? length - at : block;
        if (size > 0 && tacIsClean(&cleaner, bytes + at, (size_t) size)) {
            tacCleanPassed(&cleaner);
            memcpy(out + n, bytes + at, (size_t) size);
            n += (size_t) size;
        } else {
            n += tacClean(&cleaner, bytes + at, (size_t) size, size == 0, out + n);
        }
    }
    n += tacClean(&cleaner, bytes, 0, true, out + n);
    Tcl_SetObjResult(interp, Tcl_NewByteArrayObj((unsigned char *) out, (int) n));
    Tcl_Free(out);
    return TCL_OK;
}

int TacTestRead_Init(Tcl_Interp *interp) {
    static const struct {
        const char *name;
        Tcl_ObjCmdProc *proc;
    } commands[] = {{"testread", readCmd}, {"testsplit", splitCmd}, {"testparse", parseCmd}, {"testsource", sourceCmd},
        {"testclean", cleanCmd}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        Tcl_CreateObjCommand(interp, commands[i].name, commands[i].proc, NULL, NULL);
    return TCL_OK;
}
