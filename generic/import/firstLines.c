/*
 * firstLines.c -- takes the first lines of a file, here or in a worker process, which sends them as one command.
 */
#include "base/port.h"

#include "import/firstLines.h"
#include "read/clean.h"
#include "trace/transfer.h"

#include <string.h>

enum { BYTES = 1 << 18, LINES = 2000 };

/* The length of the first lines; *whole: there are no more, and the last one has its newline or the file's end. */
static size_t lengthOf(const tacSource *source, size_t length, bool *whole) {
    const char *at = source->at, *end = source->at + length;
    *whole = source->ended && end == source->end;
    for (int i = 0; i < LINES; i++) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        if (!newline) { /* a half line belongs to them where it is the file's last, or the only one */
            if (*whole || i == 0) at = end;
            break;
        }
        at = newline + 1;
    }
    *whole = *whole && at == end;
    return (size_t) (at - source->at);
}

static tacStatus takeLines(tacSource *source, tacFirstLines *lines, tacError *err) {
    while (!source->ended && source->end - source->at < BYTES)
        if (tacSourceNext(source, NULL, NULL, err) != TAC_OK) return TAC_ERROR;
    size_t all = (size_t) (source->end - source->at);
    tacTextAdd(&lines->text, source->at, lengthOf(source, all < BYTES ? all : BYTES, &lines->whole));
    if (source->damage.code[0]) tacTextAddString(&lines->damage, source->damage.message);
    return lines->text.failed || lines->damage.failed ? tacFailMemory(err) : TAC_OK;
}

/* ---- in a worker process ----------------------------------------------------------------------------------------- */

tacStatus tacFirstLinesBody(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    static tacSource source;
    static tacFirstLines lines;
    tacWorkerSource(&source, call);
    if (takeLines(&source, &lines, err) != TAC_OK) return TAC_ERROR;
    tacWord words[] = {{lines.whole ? "whole" : "part", lines.whole ? 5 : 4}, {lines.text.at, lines.text.length},
        {lines.damage.at, lines.damage.length}};
    return sink->command(sink->data, words, 3, 0, err);
}

/* Takes what the worker sends, once. The command's error would go to the sink's report, which is not there. */
static tacStatus takeWords(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    tacFirstLines *lines = data;
    (void) line;
    bool sound = count == 3 && lines->text.length == 0 && words[1].length <= BYTES
        && tacIsCleanText(words[1].at, words[1].length) && tacIsCleanName(words[2].at, words[2].length);
    if (!sound) return tacFail(err, "LIMIT DAMAGED", "the process that reads the file sent something meaningless");
    lines->whole = tacWordIs(&words[0], "whole");
    tacTextAdd(&lines->text, words[1].at, words[1].length);
    tacTextAdd(&lines->damage, words[2].at, words[2].length);
    return lines->text.failed || lines->damage.failed ? tacFailMemory(err) : TAC_OK;
}

static tacStatus askWorker(tacSource *source, tacFirstLines *lines, tacError *err) {
    tacSink sink = {.data = lines, .command = takeWords};
    tacWorkerJob job = {.body = "first lines", .text = source};
    source->strange = true;
    return tacWorkerRun(&job, NULL, &sink, err);
}

/* ---- the beginning of a file ------------------------------------------------------------------------------------- */

tacStatus tacFirstLinesTake(const char *path, bool confined, tacFirstLines *lines, tacError *err) {
    tacSource source;
    if (tacSourceOpen(&source, path, err) != TAC_OK) return TAC_ERROR;
    tacSourceSettle(&source);
    tacStatus status = confined && tacWorkerAvailable() ? askWorker(&source, lines, err)
                                                        : takeLines(&source, lines, err);
    tacSourceClose(&source);
    return status;
}

void tacFirstLinesFree(tacFirstLines *lines) {
    tacTextFree(&lines->text);
    tacTextFree(&lines->damage);
}
