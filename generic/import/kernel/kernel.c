/*
 * kernel.c -- recordings of the Linux kernel as formats: records are delivered by text.c or dat.c, and taken by tasks.c
 * or guess.c.
 *
 * A mapping is read before the recording. A wrong mapping fails the reading: rows and numbers would be wrong, and
 * nothing in them would show it.
 */
#include "base/port.h"

#include "import/kernel/guess.h"
#include "import/kernel/kernel.h"
#include "import/kernel/mapFile.h"
#include "import/kernel/tasks.h"

#include <string.h>

static const char *const guessed[] = {"auto", NULL};

const tacOptionRow tacKernelRows[] = {
    {"-allthreads", TAC_VALUE_FLAG, offsetof(tacKernelOptions, allThreads), NULL, NULL, "no",
        "of programs recorded together with the kernel, without a mapping: threads of other programs have rows, too "
        "(tactus_kernel(5))"},
    {"-keep", TAC_VALUE_NAMES, offsetof(tacKernelOptions, keep), NULL, "patterns", NULL,
        "of a kernel trace: events with these names, which have no meaning of their own, are kept as messages; others "
        "too, if they are named in full (tactus_kernel(5))"},
    {"-map", TAC_VALUE_FILE, offsetof(tacKernelOptions, map), guessed, "file", NULL,
        "mapping that says what the threads of a kernel trace are, and the columns of a log (tactus_map(5), "
        "tactus_log(5)); its rules for tasks hold for every format; auto: guessed"},
    {"-maptext", TAC_VALUE_UTF8, offsetof(tacKernelOptions, mapText), NULL, "text", NULL, "the text of such a mapping"},
    {"-blocked", TAC_VALUE_WORD, offsetof(tacKernelOptions, blocked), tacKernelBlockedWords, "rule", "mapping",
        "of a kernel trace: how a blocked thread is told from one that waits for its next job; mapping: as the mapping "
        "says, or auto (tactus_kernel(5))"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

const char *tacKernelUnused(const void *data) {
    const tacKernelOptions *options = data;
    if (options->allThreads) return "this is no kernel trace: --allthreads has no effect";
    return options->blocked ? "this is no kernel trace: --blocked has no effect" : NULL;
}

/* ---- sources of records ------------------------------------------------------------------------------------------ */

static tacStatus deliverText(
    void *source, const tacSink *sink, tacKernelTake *take, tacKernelWants *wants, void *data, tacError *err) {
    (void) wants;
    return tacKernelReadText(source, sink, take, data, err);
}

static tacStatus deliverDat(
    void *source, const tacSink *sink, tacKernelTake *take, tacKernelWants *wants, void *data, tacError *err) {
    return tacKernelReadDat(source, sink, take, wants, data, err);
}

/* ---- the guess --------------------------------------------------------------------------------------------------- */

tacStatus tacKernelGuessFrom(
    tacImport *import, tacKernelDeliver *deliver, void *data, tacText *mapping, tacError *err) {
    tacKernelGuess *guess = tacKernelGuessNew();
    tacSink sink = tacImportSink(import);
    if (!guess) return tacFailMemory(err);
    tacStatus status = deliver(data, &sink, tacKernelGuessAdd, NULL, guess, err);
    if (status == TAC_OK) status = tacKernelGuessWrite(guess, import->name, mapping, err);
    tacKernelGuessFree(guess);
    return status;
}

tacStatus tacKernelGuessText(tacImport *import, tacText *mapping, tacError *err) {
    return tacKernelGuessFrom(import, deliverText, import->source, mapping, err);
}

tacStatus tacKernelGuessDat(tacImport *import, tacText *mapping, tacError *err) {
    return tacKernelGuessFrom(import, deliverDat, import->source, mapping, err);
}

/* Has the records delivered a first time to guess a mapping; a source is opened once more for that. Remarks come with
 * the second time. */
static tacStatus guessMap(tacImport *import, tacKernelDeliver *deliver, void *data, tacText *mapping, tacError *err) {
    tacSource first;
    tacImport silent = *import;
    bool isSource = data == import->source;
    const char *slash = strrchr(import->name, '/');
    silent.diag = NULL;
    silent.name = slash ? slash + 1 : import->name;
    if (isSource && import->again(import, &first, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacProgressPhase(
                           import->progress, TAC_PHASE_GUESSING, (isSource ? &first : import->source)->total)
        ? tacKernelGuessFrom(&silent, deliver, isSource ? &first : data, mapping, err)
        : tacFailStopped(err, import->progress);
    if (isSource) tacSourceClose(&first);
    if (status == TAC_OK && !tacProgressPhase(import->progress, TAC_PHASE_READING, import->source->total))
        status = tacFailStopped(err, import->progress);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Reads or guesses the mapping; *map NULL: none is wanted. */
static tacStatus readMap(tacImport *import, tacKernelDeliver *deliver, void *data, tacKernelMap **map, tacError *err) {
    const tacKernelOptions *options = import->options;
    *map = NULL;
    if (options->mapText)
        return tacMapTextRead(options->mapName ? options->mapName : "mapping", options->mapText,
            strlen(options->mapText), import->limits, import->diag, map, err);
    if (!options->map) return TAC_OK;
    if (strcmp(options->map, "auto") != 0) return tacMapFileRead(options->map, import->limits, import->diag, map, err);
    tacText text = {0};
    tacStatus status = guessMap(import, deliver, data, &text, err);
    if (status == TAC_OK)
        status = tacMapTextRead("mapping", text.at, text.length, import->limits, import->diag, map, err);
    tacTextFree(&text);
    return status;
}

/* Reads the recording into the store. Records that came before a limit stay there. */
tacStatus tacKernelImportFrom(tacImport *import, tacKernelDeliver *deliver, void *data, tacError *err) {
    const tacKernelOptions *options = import->options;
    tacKernelMap *map;
    import->unit = "s";
    import->kernel = true;
    if (readMap(import, deliver, data, &map, err) != TAC_OK) return TAC_ERROR;
    tacKernelTarget target = {
        import->store, import->diag, options->keep, map, (tacKernelBlocked) options->blocked, options->allThreads};
    tacSink sink = tacImportSink(import);
    tacError late = {{0}, {0}};
    tacKernelTasks *tasks = tacKernelTasksNew(&target);
    tacStatus status = tasks ? deliver(data, &sink, tacKernelTasksAdd, tacKernelTasksWants, tasks, err)
                             : tacFailMemory(err);
    if (tasks && tacKernelTasksFinish(tasks, &late) != TAC_OK && status == TAC_OK)
        status = tacFail(err, late.code, "%s", late.message);
    tacKernelTasksFree(tasks);
    tacKernelMapFree(map);
    return status;
}

tacStatus tacKernelImportText(tacImport *import, tacError *err) {
    return tacKernelImportFrom(import, deliverText, import->source, err);
}

tacStatus tacKernelImportDat(tacImport *import, tacError *err) {
    return tacKernelImportFrom(import, deliverDat, import->source, err);
}
