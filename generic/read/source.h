/*
 * source.h -- the text of a trace as a window that moves on: bytes -> (unpacking) -> cleaning -> [at, end).
 *
 * The reader takes text from `at` and moves it; tacSourceMore() lets more text appear behind what is left. Only what is
 * not taken yet is kept, so memory stays small however long the text is. Bytes may come from a file, standard input,
 * a text in memory, or any function that delivers them as time goes by: bytes are handed on as they come, without
 * waiting for a full block.
 *
 * Invariants:
 *   1. [at, end) is clean text (clean.h), unless it is of a stranger, and stays where it is until the next
 *      tacSourceMore().
 *   2. ended is set only by tacSourceMore(), and nothing comes after `end` then.
 *   3. Damaged packed data are not an error: what was unpacked is delivered, then `damage` and `ended` are set.
 *
 * What is packed is unpacked by a worker process, since the libraries for that are large and read bytes of strangers;
 * only what a function delivers is unpacked here.
 *
 * A recording may be no text at all: its first bytes are kept as they were until its format is recognized
 * (tacSourceSettle), so that a reader of a binary format can have the whole file.
 */
#ifndef TAC_READ_SOURCE_H
#define TAC_READ_SOURCE_H

#include "base/mem.h"
#include "read/clean.h"
#include "read/decode.h"
#include "read/file.h"

/* Waits until there are bytes and delivers up to `size` of them; *got 0: the end. */
typedef tacStatus tacReadBytes(void *data, void *buffer, size_t size, size_t *got, tacError *err);

typedef struct tacSource {
    const char *at, *end; /* the window: text that is not taken yet */
    bool ended;           /* nothing comes after `end` */
    bool growing;         /* the file is still being written: an incomplete command at its end is not there yet; set by
                             the caller */
    bool strange;         /* of a stranger: the window has bytes as they are, which a worker process reads; set by the
                             caller before the first tacSourceMore */
    uint64_t bytesRead;   /* so far, packed */
    uint64_t total;       /* bytes of the file, packed; 0: unknown */
    uint64_t delivered;   /* bytes of text that appeared in the window so far */
    tacError damage;      /* code empty: none */
    bool cut;             /* the damage: packed data end too early */
    /* private */
    tacReadBytes *read;
    void *readData;
    tacFile file; /* when opened by tacSourceOpen */
    struct {
        const char *at;
        size_t left;
    } memory;                      /* when opened by tacSourceText */
    tacDecoder *decoder;           /* NULL: not packed, or unpacked apart */
    struct tacWorkerStream *apart; /* a worker process that unpacks a file (read/worker.h); NULL: none */
    tacDecoding packed;            /* the rest of packedBytes */
    unsigned char *packedBytes;    /* a block of packed bytes, or the first bytes of a file */
    bool readEnded;                /* `read` said so */
    bool begun;                    /* the first bytes were read, which say whether it is packed */
    tacCleaner cleaner;
    char *buffer;    /* holds the window, and room behind it */
    size_t capacity; /* of buffer */
    char *raw;       /* a block before it is cleaned; NULL as long as all blocks were clean */
    tacText kept;    /* all bytes so far, unpacked and not cleaned, until the source is settled */
    bool settled;    /* nothing is kept: the source is text, or its first bytes have grown too many */
} tacSource;

/*
 * Open a source: a file, a text in memory, or what a function delivers. All three first recognize the packing. On error
 * the source is closed already. An open source must not be moved in memory.
 */
/* "-": standard input. Of a pipe or a device nothing is read yet: that may wait. */
tacStatus tacSourceOpen(tacSource *source, const char *path, tacError *err);
/* The text must outlive the source. */
tacStatus tacSourceText(tacSource *source, const char *text, size_t length, tacError *err);
tacStatus tacSourceFrom(tacSource *source, tacReadBytes *read, void *data, tacError *err);

/* Lets more text appear (at least a byte, or ended). `at` may move. Error: "FILE READ", "LIMIT ...", MEMORY. */
tacStatus tacSourceMore(tacSource *source, tacError *err); /* for tests */

/* A function that is told how much has come and answers whether to go on; false: stop. */
typedef bool tacSourceTold(void *data, uint64_t bytesRead, uint64_t total);
/*
 * Does the same as tacSourceMore, for readers: calls `told` (may be NULL) every 20 ms while nothing comes, and once
 * afterwards. A file that cannot be read any further counts as damaged, unless nothing came at all. Errors: those of
 * tacSourceMore; CANCELLED.
 */
tacStatus tacSourceNext(tacSource *source, tacSourceTold *told, void *data, tacError *err);

/* Settles that the source is text: its first bytes need not be kept any longer. */
void tacSourceSettle(tacSource *source);
/*
 * Gives the whole file, unpacked, from its beginning: the very file where the source is one (at any position), else a
 * temporary file without a name. Works only while the source is not settled and has delivered less than a megabyte;
 * afterwards it delivers nothing more. Close *file by tacFileClose. Errors: "FILE ...", MEMORY.
 */
tacStatus tacSourceFile(tacSource *source, tacFile *file, tacError *err);

/*
 * Gives the file for a worker process, which reads it from its beginning; the source delivers nothing more, and keeps
 * the file open. NULL: it is none whose bytes are the text, and delivers them.
 */
tacFile *tacSourceHandOver(tacSource *source);

/* Number of bytes of text before `at`. */
static inline uint64_t tacSourcePosition(const tacSource *source) {
    return source->delivered - (uint64_t) (source->end - source->at);
}

void tacSourceClose(tacSource *source);

#endif
