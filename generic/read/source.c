/*
 * source.c -- fills the window: a block is read (or unpacked) right behind what is left of the last one, and rewritten
 * only when it is not clean.
 */
#include "base/port.h"

#include "base/mem.h"
#include "read/source.h"
#include "read/worker.h"

#include <string.h>

enum {
    BLOCK = 256 << 10, /* bytes of text at a time: fits the second-level cache with what the reader needs beside */
    PACKED_BLOCK = 64 << 10,
    KEPT = 1 << 20, /* bytes of a file that may be binary, at most */
    WAIT = 20       /* milliseconds between two calls of `told` while nothing comes */
};

/* ---- bytes ---- */

static tacStatus readFile(void *data, void *buffer, size_t size, size_t *got, tacError *err) {
    return tacFileRead(data, buffer, size, got, err);
}

static tacStatus readMemory(void *data, void *buffer, size_t size, size_t *got, tacError *err) {
    (void) err;
    tacSource *source = data;
    *got = size < source->memory.left ? size : source->memory.left;
    if (*got) memcpy(buffer, source->memory.at, *got);
    source->memory.at += *got;
    source->memory.left -= *got;
    return TAC_OK;
}

/* Reads bytes as they come, packed or not, and counts them; *got 0: the end. */
static tacStatus readBytes(tacSource *source, void *buffer, size_t size, size_t *got, tacError *err) {
    *got = 0;
    if (source->readEnded) return TAC_OK;
    if (source->read(source->readData, buffer, size, got, err) != TAC_OK) return TAC_ERROR;
    source->bytesRead += *got;
    source->readEnded = *got == 0;
    return TAC_OK;
}

/* ---- unpacking ---- */

/* Unpacks until `out` is full or the text ends; reads packed bytes as they are needed. */
static tacStatus unpack(tacSource *source, char *out, size_t size, size_t *got, tacError *err) {
    tacDecoding *step = &source->packed;
    step->out = (unsigned char *) out;
    step->nOut = size;
    while (step->nOut == size && !step->ended) {
        if (step->nIn == 0) {
            step->in = source->packedBytes;
            if (readBytes(source, source->packedBytes, PACKED_BLOCK, &step->nIn, err) != TAC_OK) return TAC_ERROR;
            step->inEnded = source->readEnded;
        }
        tacError damage = {0};
        if (tacDecoderStep(source->decoder, step, &damage) == TAC_OK) continue;
        source->cut = strcmp(damage.code, "DAMAGE END") == 0;
        if (!source->cut && strcmp(damage.code, "DAMAGE") != 0) return tacFail(err, damage.code, "%s", damage.message);
        source->damage = damage;
        if (source->cut) strcpy(source->damage.code, "DAMAGE");
        step->ended = true;
    }
    *got = size - step->nOut;
    return TAC_OK;
}

/* ---- unpacking apart --------------------------------------------------------------------------------------------- */

/* "unpack": unpacks the file, of which the first bytes are the argument, and sends its bytes. */
tacStatus tacUnpackBody(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    static tacSource source;
    static char block[BLOCK];
    source = (tacSource){.read = readFile, .readData = call->file, .bytesRead = call->words[0].length};
    source.packedBytes = tacAlloc(PACKED_BLOCK);
    if (!source.packedBytes) return tacFailMemory(err);
    memcpy(source.packedBytes, call->words[0].at, call->words[0].length);
    source.packed = (tacDecoding){.in = source.packedBytes, .nIn = call->words[0].length};
    if (tacDecoderOpen(source.packedBytes, source.packed.nIn, &source.decoder, err) != TAC_OK) return TAC_ERROR;
    for (size_t got = 1; got > 0;) {
        if (unpack(&source, block, BLOCK, &got, err) != TAC_OK) return TAC_ERROR;
        tacWord word = {block, got};
        if (got && sink->command(sink->data, &word, 1, 0, err) != TAC_OK) return TAC_ERROR;
        sink->progress(sink->data, source.bytesRead, call->file->size);
    }
    if (!source.damage.code[0]) return TAC_OK;
    return tacFail(err, source.cut ? "DAMAGE END" : "DAMAGE", "%s", source.damage.message);
}

/* tacReadBytes: text of the parent's source, whose damage becomes that of this one. */
static tacStatus nextText(void *data, void *buffer, size_t size, size_t *got, tacError *err) {
    tacSource *source = data;
    (void) err;
    tacWorkerText(buffer, size, got, &source->damage, &source->cut);
    return TAC_OK;
}

void tacWorkerSource(tacSource *source, const tacWorkerCall *call) {
    *source = (tacSource){
        .at = "", .end = "", .file = {.handle = -1}, .begun = true, .growing = call->options->growing};
    source->read = call->file ? readFile : nextText;
    source->readData = call->file ? (void *) &source->file : source;
    if (call->file) source->file = *call->file;
    source->total = source->file.size;
    source->settled = !call->file;
}

/* Puts packed bytes in memory into a file, behind their first ones, so that a worker can have them. */
static tacStatus putApart(tacSource *source, tacError *err) {
    if (tacFileTemporary(&source->file, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacFileWrite(&source->file, source->memory.at, source->memory.left, err);
    source->file.size = source->total;
    return status == TAC_OK ? tacFileSeek(&source->file, 0, err) : TAC_ERROR;
}

/* Lets a worker unpack the source from now on, where there are such processes. */
static tacStatus unpackApart(tacSource *source, tacError *err) {
    bool inMemory = source->read == readMemory;
    if (!source->decoder || (source->read != readFile && !inMemory) || !tacWorkerAvailable()) return TAC_OK;
    if (inMemory && putApart(source, err) != TAC_OK) return TAC_ERROR;
    tacWord head = {(const char *) source->packedBytes, source->packed.nIn};
    tacWorkerJob job = {.body = "unpack", .words = &head, .count = 1, .file = &source->file};
    tacDecoderFree(source->decoder);
    source->decoder = NULL;
    source->packed.nIn = 0;
    return tacWorkerOpen(&job, &source->apart, err);
}

/* Turns the end of the worker into damage, where that is what it means. */
static tacStatus endApart(tacSource *source, const tacError *why, tacError *err) {
    static const struct {
        const char *code, *text;
    } ends[] = {{"LIMIT CRASH", "unpacking it crashed"}, {"LIMIT DEPTH", "unpacking it crashed"},
        {"LIMIT FORBIDDEN", "unpacking it tried what it may not do"}, {"LIMIT STUCK", "unpacking it did not go on"},
        {"LIMIT KILLED", "the process that unpacks it was killed"}, {"LIMIT TIME", "unpacking it took too long"}};
    source->cut = strcmp(why->code, "DAMAGE END") == 0;
    if (strncmp(why->code, "DAMAGE", 6) == 0) return tacFail(&source->damage, "DAMAGE", "%s", why->message), TAC_OK;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(why->code, ends[i].code) == 0)
            return tacFail(&source->damage, "DAMAGE", "the packed data are damaged: %s", ends[i].text), TAC_OK;
    return tacFail(err, why->code, "%s", why->message);
}

/* Delivers what the worker has unpacked. */
static tacStatus readApart(tacSource *source, char *out, size_t size, size_t *got, tacError *err) {
    tacError why = {{0}, {0}};
    tacStatus status = tacWorkerNext(source->apart, out, size, got, &why);
    source->bytesRead = tacWorkerBytes(source->apart);
    source->readEnded = status == TAC_OK ? *got == 0 : strcmp(why.code, "DAMAGE END") == 0;
    return status == TAC_OK ? TAC_OK : endApart(source, &why, err);
}

/* ---- blocks ---- */

/* Reads the first bytes, which say whether the source is packed; nextBlock or the decoder delivers them first. */
static tacStatus readHead(tacSource *source, tacError *err) {
    source->packedBytes = tacAlloc(PACKED_BLOCK);
    if (!source->packedBytes) return tacFailMemory(err);
    size_t n = 0;
    for (size_t got = 1; n < TAC_MAGIC_SIZE && got > 0; n += got)
        if (readBytes(source, source->packedBytes + n, TAC_MAGIC_SIZE - n, &got, err) != TAC_OK) return TAC_ERROR;
    source->begun = true;
    source->packed = (tacDecoding){.in = source->packedBytes, .nIn = n};
    if (tacDecoderOpen(source->packedBytes, n, &source->decoder, err) != TAC_OK) return TAC_ERROR;
    return unpackApart(source, err);
}

/* Delivers a block of raw text; *got 0: the end. The block has room for the first bytes at least. */
static tacStatus nextBlock(tacSource *source, char *out, size_t size, size_t *got, tacError *err) {
    if (!source->begun && readHead(source, err) != TAC_OK) return TAC_ERROR;
    if (source->apart) return readApart(source, out, size, got, err);
    if (source->decoder) return unpack(source, out, size, got, err);
    if (source->packed.nIn == 0) return readBytes(source, out, size, got, err);
    *got = source->packed.nIn; /* the first bytes, from readHead */
    memcpy(out, source->packed.in, *got);
    source->packed.nIn = 0;
    return TAC_OK;
}

/* ---- the window ---- */

/* Moves the rest of the window to the front of the buffer and provides `room` bytes behind it. */
static bool makeRoom(tacSource *source, size_t room) {
    size_t left = (size_t) (source->end - source->at);
    if (source->capacity - left < room) {
        size_t capacity = left + room + left / 2;
        char *buffer = tacAlloc(capacity);
        if (!buffer) return false;
        if (left) memcpy(buffer, source->at, left);
        tacFree(source->buffer);
        source->buffer = buffer;
        source->capacity = capacity;
    } else if (left && source->at != source->buffer) {
        memmove(source->buffer, source->at, left);
    }
    source->at = source->buffer;
    source->end = source->buffer + left;
    return true;
}

/* Rewrites the block of `got` bytes that stands behind the window, and adds it. */
static tacStatus addUnclean(tacSource *source, size_t got, tacError *err) {
    if (!source->raw) source->raw = tacAlloc(BLOCK);
    if (!source->raw) return tacFailMemory(err);
    memcpy(source->raw, source->end, got);
    if (!makeRoom(source, TAC_CLEAN_GROWTH * (got + TAC_CLEAN_HELD))) return tacFailMemory(err);
    char *out = source->buffer + (source->end - source->at);
    source->end += tacClean(&source->cleaner, source->raw, got, got == 0, out);
    return TAC_OK;
}

void tacSourceSettle(tacSource *source) {
    source->settled = true;
    tacTextFree(&source->kept);
}

tacStatus tacSourceMore(tacSource *source, tacError *err) {
    const size_t before = (size_t) (source->end - source->at);
    while (!source->ended && (size_t) (source->end - source->at) == before) {
        if (!makeRoom(source, BLOCK)) return tacFailMemory(err);
        size_t got = 0;
        char *block = source->buffer + before;
        if (nextBlock(source, block, BLOCK, &got, err) != TAC_OK) return TAC_ERROR;
        source->ended = got == 0;
        if (!source->settled) {
            tacTextAdd(&source->kept, block, got);
            if (source->kept.failed) return tacFailMemory(err);
            if (source->kept.length > KEPT) tacSourceSettle(source);
        }
        if (got > 0 && (source->strange || tacIsClean(&source->cleaner, block, got))) {
            tacCleanPassed(&source->cleaner);
            source->end += got;
        } else if (addUnclean(source, got, err) != TAC_OK) {
            return TAC_ERROR;
        }
    }
    source->delivered += (uint64_t) (source->end - source->at) - before;
    return TAC_OK;
}

tacStatus tacSourceNext(tacSource *source, tacSourceTold *told, void *data, tacError *err) {
    tacError problem = {{0}, {0}};
    bool wanted = true, isFile = source->read == readFile || source->apart;
    while (told && wanted && isFile && !source->readEnded
        && !(source->apart ? tacWorkerReady(source->apart, WAIT) : tacFileWait(&source->file, WAIT)))
        wanted = told(data, source->bytesRead, source->total);
    if (wanted && tacSourceMore(source, &problem) != TAC_OK) {
        if (strncmp(problem.code, "FILE", 4) != 0 || source->delivered == 0)
            return tacFail(err, problem.code, "%s", problem.message);
        source->damage = problem;
        source->ended = true;
    }
    if (wanted && (!told || told(data, source->bytesRead, source->total))) return TAC_OK;
    return tacFail(err, "CANCELLED", "opening was cancelled");
}

/* ---- the file itself ---- */

/* Writes the kept bytes, and all that still come, to the file. */
static tacStatus copyAll(tacSource *source, tacFile *file, tacError *err) {
    if (tacFileWrite(file, source->kept.at, source->kept.length, err) != TAC_OK) return TAC_ERROR;
    tacTextFree(&source->kept);
    if (!source->raw) source->raw = tacAlloc(BLOCK);
    if (!source->raw) return tacFailMemory(err);
    for (size_t got = 1; got > 0 && !source->ended; source->ended = got == 0) {
        if (nextBlock(source, source->raw, BLOCK, &got, err) != TAC_OK) return TAC_ERROR;
        if (tacFileWrite(file, source->raw, got, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

tacStatus tacSourceFile(tacSource *source, tacFile *file, tacError *err) {
    if (source->file.regular && source->file.handle >= 0 && !source->decoder && !source->apart)
        return tacFileCopy(&source->file, file, err);
    if (source->settled) return tacFail(err, "FILE READ", "the file's first bytes are gone");
    if (tacFileTemporary(file, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = copyAll(source, file, err);
    if (status != TAC_OK) tacFileClose(file);
    return status;
}

tacFile *tacSourceHandOver(tacSource *source) {
    tacFile *file = &source->file;
    if (source->read != readFile || !file->regular || source->decoder || source->apart) return NULL;
    if (tacFileSeek(file, 0, NULL) != TAC_OK) return NULL;
    source->at = source->end;
    source->ended = true;
    source->delivered = file->size;
    return file;
}

/* ---- opening and closing ---- */

/* Reads the first bytes, once the fields say where bytes come from, unless that may wait; closes the source on an
 * error. */
static tacStatus begin(tacSource *source, tacError *err) {
    source->at = source->end = "";
    if ((source->read == readFile && !source->file.regular) || readHead(source, err) == TAC_OK) return TAC_OK;
    tacSourceClose(source);
    return TAC_ERROR;
}

tacStatus tacSourceOpen(tacSource *source, const char *path, tacError *err) {
    *source = (tacSource){.read = readFile};
    if (tacFileOpen(path, &source->file, err) != TAC_OK) return TAC_ERROR;
    source->readData = &source->file;
    source->total = source->file.size;
    return begin(source, err);
}

tacStatus tacSourceText(tacSource *source, const char *text, size_t length, tacError *err) {
    *source = (tacSource){.read = readMemory, .readData = source, .file = {.handle = -1}, .total = length};
    source->memory.at = text;
    source->memory.left = length;
    return begin(source, err);
}

tacStatus tacSourceFrom(tacSource *source, tacReadBytes *read, void *data, tacError *err) {
    *source = (tacSource){.read = read, .readData = data, .file = {.handle = -1}};
    return begin(source, err);
}

void tacSourceClose(tacSource *source) {
    if (source->file.handle >= 0) tacFileClose(&source->file);
    tacWorkerClose(source->apart);
    tacDecoderFree(source->decoder);
    tacFree(source->packedBytes);
    tacFree(source->buffer);
    tacFree(source->raw);
    tacTextFree(&source->kept);
    *source = (tacSource){.file = {.handle = -1}};
}
