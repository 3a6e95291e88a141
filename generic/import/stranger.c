/*
 * stranger.c -- both sides of a reading in a worker process.
 *
 * The arguments of a reading are a Wish, the recording's name, the format's, weights of rows and of objects (tacStore),
 * the mapping's name and text, and patterns of events.
 */
#include "base/port.h"

#include "import/kernel/kernel.h"
#include "import/language.h"
#include "import/stranger.h"
#include "read/clean.h"
#include "trace/transfer.h"

#include <string.h>

enum { NAME, FORMAT, ROWS, OBJECTS, MAP, TEXT, KEEP, WISHES = KEEP + 1 }; /* words, behind the Wish */

/* What is asked of a reading; numbers of the store, and of tacKernelOptions. */
typedef struct Wish {
    uint64_t eventLimit, byteLimit;
    int32_t digits, wantedDigits, blocked;
    uint8_t guess, strict, autoMap, hasText, allThreads;
} Wish;

/* What a reading tells of the recording. */
typedef struct Facts {
    uint8_t kernel, programs;
} Facts;

/* A remark without its texts. */
typedef struct Remark {
    uint64_t count;
    uint32_t line, severity;
} Remark;

static const tacFormat *formatOf(const tacWord *name) {
    const tacFormat *format = tacFormats;
    while (format->name && !tacWordIs(name, format->name)) format++;
    return format->name ? format : NULL;
}

/* ---- in the worker ----------------------------------------------------------------------------------------------- */

tacStatus tacRecognizeBody(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    const tacWord *raw = &call->words[0];
    tacCleaner cleaner = {.begun = false};
    char *text = tacAlloc(TAC_CLEAN_GROWTH * (raw->length + TAC_CLEAN_HELD));
    if (!text) return tacFailMemory(err);
    size_t length = tacClean(&cleaner, raw->at, raw->length, false, text);
    const tacFormat *format = tacImportRecognize(raw->at, raw->length, text, length);
    const char *name = format ? format->name : tacLanguageLikely(text, length) ? "likely" : "";
    return sink->command(sink->data, &(tacWord){name, strlen(name)}, 1, 0, err);
}

static bool tell(void *data, const tacProgress *progress) {
    const tacSink *sink = data;
    return !sink->progress || sink->progress(sink->data, progress->done, progress->total);
}

static tacStatus sendRemarks(const tacDiag *diag, const tacSink *sink, tacError *err) {
    tacStatus status = TAC_OK;
    for (size_t i = 0; status == TAC_OK && i < diag->remarks.count; i++) {
        const tacRemark *r = &diag->remarks.at[i];
        Remark remark = {r->count, r->line, r->severity};
        tacWord words[] = {{"remark", 6}, {(const char *) &remark, sizeof remark}, {NULL, 0}, {NULL, 0}};
        words[2].at = tacInternName(&diag->texts, r->kind, &words[2].length);
        words[3].at = tacInternName(&diag->texts, r->text, &words[3].length);
        status = sink->command(sink->data, words, 4, 0, err);
    }
    return diag->failed ? tacFailMemory(err) : status;
}

/* Sends what was read, also where a limit ended the reading. */
static tacStatus sendAll(const tacImport *import, const tacSink *sink, tacError *err) {
    Facts facts = {import->kernel, import->programs};
    tacWord words[] = {{"facts", 5}, {(const char *) &facts, sizeof facts}};
    import->store->unit = import->unit;
    if (sendRemarks(import->diag, sink, err) != TAC_OK) return TAC_ERROR;
    if (sink->command(sink->data, words, 2, 0, err) != TAC_OK) return TAC_ERROR;
    return tacStoreSend(import->store, sink, err);
}

static tacStatus readRecording(tacImport *import, const tacFormat *format, const tacSink *sink, tacError *err) {
    tacError late = {"", ""};
    tacStatus status = format->read(import, err);
    if (status != TAC_OK && strncmp(err->code, "LIMIT", 5) != 0) return TAC_ERROR;
    return sendAll(import, sink, &late) == TAC_OK ? status : tacFail(err, late.code, "%s", late.message);
}

static tacStatus guessMapping(tacImport *import, const tacFormat *format, const tacSink *sink, tacError *err) {
    tacText mapping = {0};
    if (!format->guess) return TAC_OK;
    if (format->guess(import, &mapping, err) != TAC_OK) return TAC_ERROR;
    if (mapping.failed) return tacFailMemory(err);
    tacWord words[] = {{"mapping", 7}, {mapping.at ? mapping.at : "", mapping.length}};
    return sink->command(sink->data, words, 2, 0, err);
}

/* Makes the format's options; texts stay as long as the process. */
static bool readOptions(const tacWorkerCall *call, const Wish *wish, tacKernelOptions *options) {
    const tacWord *words = call->words + 1;
    int count = call->count - 1 - KEEP;
    char **keep = tacAllocZero((size_t) count + 1, sizeof *keep);
    bool done = keep != NULL;
    for (int i = 0; done && i < count; i++) done = (keep[i] = tacCopyText(words[KEEP + i].at, words[KEEP + i].length));
    *options = (tacKernelOptions){.blocked = wish->blocked,
        .allThreads = wish->allThreads,
        .keep = count > 0 ? (const char *const *) keep : NULL,
        .map = wish->autoMap ? "auto" : NULL,
        .mapText = wish->hasText ? tacCopyText(words[TEXT].at, words[TEXT].length) : NULL,
        .mapName = wish->hasText ? tacCopyText(words[MAP].at, words[MAP].length) : NULL};
    return done && (!wish->hasText || (options->mapText && options->mapName));
}

/* What it makes stays until the process ends, and the store until it is sent. */
tacStatus tacRecordingBody(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    static tacSource source;
    static uint16_t rows[TAC_EVENTS], objects[TAC_KINDS];
    static const tacStoreWeights weights = {rows, objects};
    const tacWord *words = call->words + 1;
    const tacFormat *format = formatOf(&words[FORMAT]);
    tacStore *store = (tacStore *) (void *) tacWorkerSaid(); /* where the program sees its number of rows */
    tacKernelOptions options;
    Wish wish;
    memcpy(&wish, call->words[0].at, sizeof wish);
    tacDiag diag = {.strict = wish.strict};
    tacProgress progress = {.report = tell, .data = (void *) (uintptr_t) sink};
    tacImport import = {.source = &source,
        .store = wish.guess ? NULL : store,
        .diag = wish.guess ? NULL : &diag,
        .progress = &progress,
        .options = &options,
        .limits = call->options,
        .name = tacCopyText(words[NAME].at, words[NAME].length)};
    _Static_assert(sizeof *store < TAC_WORKER_SAID, "the store has room there");
    if (!import.name || !format || !readOptions(call, &wish, &options)) return tacFailMemory(err);
    tacWorkerSource(&source, call);
    if (!format->binary) tacSourceSettle(&source);
    if (wish.guess) return guessMapping(&import, format, sink, err);
    tacStoreInit(store);
    store->digits = wish.digits;
    store->wantedDigits = wish.wantedDigits;
    store->eventLimit = wish.eventLimit;
    store->byteLimit = wish.byteLimit;
    store->progress = &progress;
    memcpy(rows, words[ROWS].at, words[ROWS].length);
    memcpy(objects, words[OBJECTS].at, words[OBJECTS].length);
    if (words[ROWS].length) store->weights = &weights;
    return readRecording(&import, format, sink, err);
}

/* ---- in the program: what comes ---------------------------------------------------------------------------------- */

typedef struct Reading {
    const tacImport *import;
    tacText *mapping; /* gets the one that was guessed */
    const tacFormat *format;
    bool likely;
    Facts facts;
    bool begun;       /* a part of the store has come */
    tacError stopped; /* the error that ended the taking; code empty: none */
} Reading;

static tacStatus takeRemark(Reading *r, const tacWord *words, int count, tacError *err) {
    Remark remark;
    tacText kind = {0}, text = {0};
    if (count != 4 || words[1].length != sizeof remark || !r->import->diag) return tacTransferDamaged(err);
    memcpy(&remark, words[1].at, sizeof remark);
    if (remark.severity > TAC_SEVERITY_ERROR || !tacIsCleanName(words[2].at, words[2].length)
        || !tacIsCleanName(words[3].at, words[3].length))
        return tacTransferDamaged(err);
    tacTextAdd(&kind, words[2].at, words[2].length);
    tacTextAdd(&text, words[3].at, words[3].length);
    bool failed = kind.failed || text.failed;
    if (!failed)
        tacDiagRepeat(r->import->diag, (tacSeverity) remark.severity, remark.line, remark.count, kind.at ? kind.at : "",
            text.at ? text.at : "");
    tacTextFree(&kind);
    tacTextFree(&text);
    return failed ? tacFailMemory(err) : TAC_OK;
}

static tacStatus takeFacts(Reading *r, const tacWord *words, int count, tacError *err) {
    if (count != 2 || words[1].length != sizeof r->facts) return tacTransferDamaged(err);
    memcpy(&r->facts, words[1].at, sizeof r->facts);
    return TAC_OK;
}

static tacStatus takeMapping(Reading *r, const tacWord *words, int count, tacError *err) {
    if (count != 2 || !r->mapping || !tacIsCleanName(words[1].at, words[1].length)) return tacTransferDamaged(err);
    tacTextAdd(r->mapping, words[1].at, words[1].length);
    return r->mapping->failed ? tacFailMemory(err) : TAC_OK;
}

static tacStatus takeWords(Reading *r, const tacWord *words, int count, tacError *err) {
    if (tacWordIs(&words[0], "remark")) return takeRemark(r, words, count, err);
    if (tacWordIs(&words[0], "facts")) return takeFacts(r, words, count, err);
    if (tacWordIs(&words[0], "mapping")) return takeMapping(r, words, count, err);
    if (!r->import->store || r->mapping) return tacTransferDamaged(err);
    r->begun = true;
    return tacStoreTake(r->import->store, words, count, err);
}

/* The error is kept in r->stopped, since only errors that begin with LIMIT end a worker. */
static tacStatus takeCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Reading *r = data;
    (void) line;
    return takeWords(r, words, count, &r->stopped) == TAC_OK ? TAC_OK : tacFail(err, "LIMIT", "stopped");
}

static tacStatus takeFormat(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Reading *r = data;
    (void) count, (void) line, (void) err;
    r->format = formatOf(&words[0]);
    r->likely = tacWordIs(&words[0], "likely");
    return TAC_OK;
}

static bool onProgress(void *data, uint64_t bytesRead, uint64_t total) {
    tacProgress *progress = ((const Reading *) data)->import->progress;
    if (progress && total) progress->total = total;
    return tacProgressStep(progress, bytesRead);
}

/* ---- in the program: asking -------------------------------------------------------------------------------------- */

const char *tacStrangerEnd(const tacError *err) {
    static const struct {
        const char *code, *clause;
    } ends[] = {{"LIMIT CRASH", "crashed"}, {"LIMIT DEPTH", "crashed, its stack exhausted"},
        {"LIMIT TIME", "did not end in time"}, {"LIMIT MEMORY", "needed more memory than a file of this size can"},
        {"LIMIT STUCK", "did not answer any more"}, {"LIMIT FORBIDDEN", "tried what it may not do"},
        {"LIMIT KILLED", "was killed; perhaps the machine is out of memory"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(err->code, ends[i].code) == 0) return ends[i].clause;
    return NULL;
}

tacStatus tacStrangerRecognize(
    const tacImport *import, const char *text, size_t length, const tacFormat **format, bool *likely, tacError *err) {
    Reading r = {.import = import};
    tacSink sink = {.data = &r, .command = takeFormat, .progress = onProgress};
    tacWorkerJob job = {.body = "recognize", .words = &(tacWord){text, length}, .count = 1};
    if (tacWorkerRun(&job, NULL, &sink, err) != TAC_OK) return TAC_ERROR;
    *format = r.format;
    *likely = r.likely;
    return TAC_OK;
}

/* The arguments of a reading. */
typedef struct Asking {
    Wish wish;
    TAC_ARRAY(tacWord) words;
    tacText mapping;
} Asking;

static tacWord wordOf(const char *text) { return (tacWord){text ? text : "", text ? strlen(text) : 0}; }

/* The options of formats that have those of kernel traces; zero for others. */
static tacKernelOptions optionsOf(const tacImport *import, const tacFormat *format) {
    bool given = format->options == tacKernelRows && import->options;
    return given ? *(const tacKernelOptions *) import->options : (tacKernelOptions){.map = NULL};
}

/* Finds the text of the mapping, since the worker can open no file. */
static tacStatus findMapping(Asking *a, tacKernelOptions *options, tacError *err) {
    if (options->mapText || !options->map) return TAC_OK;
    a->wish.autoMap = strcmp(options->map, "auto") == 0;
    if (a->wish.autoMap) return TAC_OK;
    options->mapName = options->map;
    if (tacFileContents(options->map, "mapping", TAC_PLAIN_MOST, &a->mapping, err) != TAC_OK) return TAC_ERROR;
    options->mapText = a->mapping.at ? a->mapping.at : "";
    return TAC_OK;
}

static tacStatus makeArguments(
    Asking *a, const tacImport *import, const tacFormat *format, tacKernelOptions *options, tacError *err) {
    const tacStoreWeights *weights = import->store ? import->store->weights : NULL;
    if (findMapping(a, options, err) != TAC_OK) return TAC_ERROR;
    a->wish.hasText = options->mapText != NULL;
    a->wish.allThreads = options->allThreads;
    a->wish.blocked = options->blocked;
    tacWord fixed[] = {{(const char *) &a->wish, sizeof a->wish}, wordOf(import->name), wordOf(format->name),
        {weights ? (const char *) weights->rows : "", weights ? TAC_EVENTS * sizeof(uint16_t) : 0},
        {weights ? (const char *) weights->objects : "", weights ? TAC_KINDS * sizeof(uint16_t) : 0},
        wordOf(options->mapName ? options->mapName : "mapping"), wordOf(options->mapText)};
    _Static_assert(sizeof fixed / sizeof *fixed == WISHES, "all but the patterns");
    bool done = true;
    for (int i = 0; done && i < WISHES; i++) done = tacArrayPush(&a->words, fixed[i]);
    for (const char *const *keep = options->keep; done && keep && *keep; keep++)
        done = tacArrayPush(&a->words, wordOf(*keep));
    return done ? TAC_OK : tacFailMemory(err);
}

/* Lets a worker do what is asked, over the source, or the whole file of it; *rows: those that it had in the end. */
static tacStatus run(
    Reading *r, const Asking *a, const tacFormat *format, tacSource *source, uint64_t *rows, tacError *why) {
    tacSink sink = {.data = r, .command = takeCommand, .progress = onProgress};
    union {
        tacStore store;
        char bytes[TAC_WORKER_SAID];
    } left;
    tacFile own = {.handle = -1}, *file = format->binary ? &own : tacSourceHandOver(source);
    tacReadOptions limits = r->import->limits ? *r->import->limits : (tacReadOptions){.timeLimit = 0};
    uint64_t most = a->wish.byteLimit;
    limits = (tacReadOptions){.timeLimit = limits.timeLimit,
        .commandLimit = limits.commandLimit,
        .growing = source->growing,
        .memoryLimit = most && most < INT64_MAX / 4 ? 2 * (int64_t) most + (64 << 20) : -1};
    tacWorkerJob job = {.body = "recording",
        .words = a->words.at,
        .count = (int) a->words.count,
        .text = file ? NULL : source,
        .file = file,
        .copies = 1,
        .said = left.bytes};
    memset(&left, 0, sizeof left);
    if (format->binary && tacSourceFile(source, &own, why) != TAC_OK) return TAC_ERROR;
    if (format->binary && tacFileSeek(&own, 0, why) != TAC_OK) return tacFileClose(&own), TAC_ERROR;
    if (!format->binary) tacSourceSettle(source);
    tacStatus status = tacWorkerRun(&job, &limits, &sink, why);
    tacFileClose(&own);
    *rows = left.store.line.count;
    return status;
}

/* ---- in the program: a reading ----------------------------------------------------------------------------------- */

/* The first reading came to an early end: reads the rows again that it had. */
static tacStatus readAgain(
    Reading *r, Asking *a, const tacFormat *format, uint64_t rows, const char *clause, tacError *err) {
    tacSource again;
    tacError why = {"", ""};
    a->wish.eventLimit = rows;
    if (rows > 0 && rows < TAC_NONE && r->import->again(r->import, &again, &why) == TAC_OK) {
        again.strange = true;
        run(r, a, format, &again, &rows, &why);
        tacSourceClose(&again);
    }
    return tacFail(err, "LIMIT CRASH", "the process that reads the recording %s", clause);
}

/* Reads, with the mapping that is known now. */
static tacStatus readAsked(tacImport *import, const tacFormat *format, tacKernelOptions *options, tacError *err) {
    tacStore *store = import->store;
    Reading r = {.import = import};
    Asking a = {.wish = {.digits = store->digits,
                    .wantedDigits = store->wantedDigits,
                    .eventLimit = store->eventLimit,
                    .byteLimit = store->byteLimit,
                    .strict = import->diag->strict}};
    uint64_t rows = 0;
    tacError why = {"", ""};
    tacStatus status = makeArguments(&a, import, format, options, err);
    if (status == TAC_OK && (status = run(&r, &a, format, import->source, &rows, &why)) != TAC_OK) {
        const char *clause = r.begun || r.stopped.code[0] ? NULL : tacStrangerEnd(&why);
        status = clause ? readAgain(&r, &a, format, rows, clause, err) : tacFail(err, why.code, "%s", why.message);
    }
    tacArrayFree(&a.words);
    tacTextFree(&a.mapping);
    tacErrorClear(&why);
    bool sound = r.stopped.code[0] == '\0' && (!r.begun || tacStoreTaken(store, &r.stopped) == TAC_OK);
    if (!sound) return tacErrorClear(err), tacFail(err, r.stopped.code, "%s", r.stopped.message);
    import->kernel = r.facts.kernel != 0;
    import->programs = r.facts.programs != 0;
    import->unit = store->unit;
    return status;
}

/* A mapping of a text is guessed by a reading of its own. */
static tacStatus guessFirst(tacImport *import, const tacFormat *format, tacText *mapping, tacError *err) {
    tacSource first;
    tacImport silent = *import;
    const char *slash = strrchr(import->name, '/');
    silent.diag = NULL;
    silent.name = slash ? slash + 1 : import->name;
    silent.source = &first;
    if (import->again(import, &first, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacProgressPhase(import->progress, TAC_PHASE_GUESSING, first.total)
        ? tacStrangerGuess(&silent, format, mapping, err)
        : tacFailStopped(err, import->progress);
    tacSourceClose(&first);
    if (status == TAC_OK && !tacProgressPhase(import->progress, TAC_PHASE_READING, import->source->total))
        status = tacFailStopped(err, import->progress);
    return status;
}

tacStatus tacStrangerRead(tacImport *import, const tacFormat *format, tacError *err) {
    tacKernelOptions options = optionsOf(import, format);
    tacText mapping = {0};
    bool guess = format->read == tacKernelImportText && options.map && !options.mapText
        && strcmp(options.map, "auto") == 0;
    tacStatus status = guess ? guessFirst(import, format, &mapping, err) : TAC_OK;
    if (guess) options.mapText = mapping.at ? mapping.at : "";
    if (status == TAC_OK) status = readAsked(import, format, &options, err);
    tacTextFree(&mapping);
    return status;
}

tacStatus tacStrangerGuess(tacImport *import, const tacFormat *format, tacText *mapping, tacError *err) {
    Reading r = {.import = import, .mapping = mapping};
    Asking a = {.wish = {.guess = true}};
    tacKernelOptions options = {.map = NULL};
    uint64_t rows;
    tacError why = {"", ""};
    tacStatus status = makeArguments(&a, import, format, &options, err);
    if (status == TAC_OK && run(&r, &a, format, import->source, &rows, &why) != TAC_OK) {
        const tacError *cause = r.stopped.code[0] ? &r.stopped : &why;
        status = tacFail(err, cause->code, "%s", cause->message);
    }
    tacArrayFree(&a.words);
    return status;
}
