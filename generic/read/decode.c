/*
 * decode.c -- the three packings as rows of a table: how a stream begins, and the library's calls.
 *
 * A run of one row decodes one stream. tacDecoderStep() starts the next stream where one ends, drops padding, and stops
 * what expands beyond reason: a trace is never 1000 times smaller than its text, a bomb is.
 */
#include "base/port.h"

#include "base/mem.h"
#include "read/decode.h"

#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum {
    BOMB_RATIO = 1000,    /* bytes out for a byte in ... */
    XZ_MEMORY = 256 << 20 /* bytes of a dictionary; xz -9 needs 65 MB */
};
static const uint64_t BOMB_BYTES = UINT64_C(1) << 30; /* ... once so much came out */

typedef enum RunState { RUN_ON, RUN_STREAM_END, RUN_DAMAGED, RUN_NO_MEMORY, RUN_TOO_LARGE } RunState;

/* A packing: the first bytes of a stream, and the calls of its library. */
typedef struct Packing {
    const char *name;
    unsigned char magic[TAC_MAGIC_SIZE];
    size_t magicLength;
    bool (*open)(tacDecoder *decoder); /* begins a stream; false: no memory */
    RunState (*run)(tacDecoder *decoder, tacDecoding *step);
    void (*close)(tacDecoder *decoder); /* ends a stream, complete or not */
} Packing;

struct tacDecoder {
    const Packing *packing;
    bool inStream;      /* a stream is open */
    uint64_t nIn, nOut; /* bytes so far, of all streams */
    union {
        z_stream gzip;
        lzma_stream xz;
        ZSTD_DStream *zstd;
    } state;
};

/* ---- gzip ---- */

static voidpf gzipAlloc(voidpf data, uInt count, uInt size) {
    (void) data;
    return tacAllocZero(count, size);
}

static void gzipFree(voidpf data, voidpf block) {
    (void) data;
    tacFree(block);
}

static bool gzipOpen(tacDecoder *decoder) {
    decoder->state.gzip = (z_stream){.zalloc = gzipAlloc, .zfree = gzipFree};
    return inflateInit2(&decoder->state.gzip, MAX_WBITS + 16) == Z_OK;
}

static RunState gzipRun(tacDecoder *decoder, tacDecoding *step) {
    z_stream *z = &decoder->state.gzip;
    z->next_in = (Bytef *) step->in;
    z->avail_in = (uInt) step->nIn;
    z->next_out = step->out;
    z->avail_out = (uInt) step->nOut;
    int result = inflate(z, Z_NO_FLUSH);
    step->in = z->next_in;
    step->nIn = z->avail_in;
    step->out = z->next_out;
    step->nOut = z->avail_out;
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR: return RUN_ON;
    case Z_STREAM_END: return RUN_STREAM_END;
    case Z_MEM_ERROR: return RUN_NO_MEMORY;
    default: return RUN_DAMAGED;
    }
}

static void gzipClose(tacDecoder *decoder) { inflateEnd(&decoder->state.gzip); }

/* ---- xz ---- */

static void *xzAlloc(void *data, size_t count, size_t size) {
    (void) data;
    return size && count > SIZE_MAX / size ? NULL : tacAlloc(count * size);
}

static void xzFree(void *data, void *block) {
    (void) data;
    tacFree(block);
}

static const lzma_allocator xzAllocator = {xzAlloc, xzFree, NULL};

static bool xzOpen(tacDecoder *decoder) {
    decoder->state.xz = (lzma_stream) LZMA_STREAM_INIT;
    decoder->state.xz.allocator = &xzAllocator;
    return lzma_stream_decoder(&decoder->state.xz, XZ_MEMORY, 0) == LZMA_OK;
}

static RunState xzRun(tacDecoder *decoder, tacDecoding *step) {
    lzma_stream *xz = &decoder->state.xz;
    xz->next_in = step->in;
    xz->avail_in = step->nIn;
    xz->next_out = step->out;
    xz->avail_out = step->nOut;
    lzma_ret result = lzma_code(xz, LZMA_RUN);
    step->in = xz->next_in;
    step->nIn = xz->avail_in;
    step->out = xz->next_out;
    step->nOut = xz->avail_out;
    switch (result) {
    case LZMA_OK:
    case LZMA_BUF_ERROR: return RUN_ON;
    case LZMA_STREAM_END: return RUN_STREAM_END;
    case LZMA_MEM_ERROR: return RUN_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR: return RUN_TOO_LARGE;
    default: return RUN_DAMAGED;
    }
}

static void xzClose(tacDecoder *decoder) { lzma_end(&decoder->state.xz); }

/* ---- zstd (its allocator can only be replaced through an unstable interface) ---- */

static bool zstdOpen(tacDecoder *decoder) {
    decoder->state.zstd = ZSTD_createDStream();
    return decoder->state.zstd != NULL;
}

static RunState zstdRun(tacDecoder *decoder, tacDecoding *step) {
    ZSTD_inBuffer in = {step->in, step->nIn, 0};
    ZSTD_outBuffer out = {step->out, step->nOut, 0};
    size_t result = ZSTD_decompressStream(decoder->state.zstd, &out, &in);
    step->in += in.pos;
    step->nIn -= in.pos;
    step->out += out.pos;
    step->nOut -= out.pos;
    if (!ZSTD_isError(result)) return result == 0 ? RUN_STREAM_END : RUN_ON;
    const char *name = ZSTD_getErrorName(result);
    return strstr(name, "memory") ? (strstr(name, "too much") ? RUN_TOO_LARGE : RUN_NO_MEMORY) : RUN_DAMAGED;
}

static void zstdClose(tacDecoder *decoder) { ZSTD_freeDStream(decoder->state.zstd); }

/* ---- all packings ---- */

static const Packing packings[] = {
    {"gzip", {0x1F, 0x8B, 0x08}, 3, gzipOpen, gzipRun, gzipClose},
    {"xz", {0xFD, '7', 'z', 'X', 'Z', 0x00}, 6, xzOpen, xzRun, xzClose},
    {"zstd", {0x28, 0xB5, 0x2F, 0xFD}, 4, zstdOpen, zstdRun, zstdClose},
};

tacStatus tacDecoderOpen(const unsigned char *head, size_t length, tacDecoder **decoder, tacError *err) {
    *decoder = NULL;
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++) {
        const Packing *p = &packings[i];
        if (length < p->magicLength || memcmp(head, p->magic, p->magicLength) != 0) continue;
        *decoder = tacAllocZero(1, sizeof **decoder);
        if (!*decoder) return tacFailMemory(err);
        (*decoder)->packing = p;
        return TAC_OK;
    }
    return TAC_OK;
}

static void closeStream(tacDecoder *decoder) {
    if (decoder->inStream) decoder->packing->close(decoder);
    decoder->inStream = false;
}

void tacDecoderFree(tacDecoder *decoder) {
    if (!decoder) return;
    closeStream(decoder);
    tacFree(decoder);
}

/* Fails because of damaged data. */
static tacStatus damaged(const tacDecoder *decoder, const char *code, const char *how, tacError *err) {
    return tacFail(err, code, "the %s data %s, %llu bytes of text after their beginning", decoder->packing->name, how,
        (unsigned long long) decoder->nOut);
}

/* Runs the library once within an open stream. */
static tacStatus runStream(tacDecoder *decoder, tacDecoding *step, tacError *err) {
    size_t nIn = step->nIn, nOut = step->nOut;
    RunState state = decoder->packing->run(decoder, step);
    decoder->nIn += nIn - step->nIn;
    decoder->nOut += nOut - step->nOut;
    switch (state) {
    case RUN_ON: break;
    case RUN_STREAM_END: closeStream(decoder); return TAC_OK;
    case RUN_DAMAGED: return damaged(decoder, "DAMAGE", "are damaged", err);
    case RUN_NO_MEMORY: return tacFailMemory(err);
    case RUN_TOO_LARGE:
        return tacFail(err, "LIMIT MEMORY",
            "the %s data need too much memory to unpack: pack them with a smaller window", decoder->packing->name);
    }
    if (decoder->nOut > BOMB_BYTES && decoder->nOut / BOMB_RATIO > decoder->nIn)
        return tacFail(err, "LIMIT EXPANSION", "the %s data grow more than %d-fold when unpacked; unpack them first",
            decoder->packing->name, BOMB_RATIO);
    /* With all input there and room left, a run that moved nothing waits for bytes that will not come. */
    if (step->inEnded && nIn == step->nIn && nOut == step->nOut && nOut > 0)
        return damaged(decoder, "DAMAGE END", "end too early", err);
    return TAC_OK;
}

/* Drops the padding between two streams and begins the next stream; anything else there is damage. */
static tacStatus nextStream(tacDecoder *decoder, tacDecoding *step, tacError *err) {
    while (decoder->nIn > 0 && step->nIn > 0 && *step->in == 0) step->in++, step->nIn--, decoder->nIn++;
    if (step->nIn == 0) {
        step->ended = step->inEnded;
        return TAC_OK;
    }
    const Packing *p = decoder->packing;
    if (*step->in != p->magic[0]) return damaged(decoder, "DAMAGE", "are followed by something else", err);
    if (!p->open(decoder)) return tacFailMemory(err);
    decoder->inStream = true;
    return TAC_OK;
}

tacStatus tacDecoderStep(tacDecoder *decoder, tacDecoding *step, tacError *err) {
    step->ended = false;
    while (!step->ended && step->nOut > 0) {
        if (!decoder->inStream) {
            if (nextStream(decoder, step, err) != TAC_OK) return TAC_ERROR;
            if (!decoder->inStream) return TAC_OK;
        } else if (step->nIn == 0 && !step->inEnded) {
            return TAC_OK;
        }
        if (runStream(decoder, step, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}
