/*
 * decode.h -- unpacks gzip, xz and zstd streams, which it recognizes by their first bytes.
 *
 * Several packed streams one after the other are one text, as for gunzip and its like. Zero bytes at the end (tapes,
 * blocks) are padding.
 */
#ifndef TAC_READ_DECODE_H
#define TAC_READ_DECODE_H

#include "base/error.h"

enum { TAC_MAGIC_SIZE = 6 }; /* first bytes by which a packing is recognized */

typedef struct tacDecoder tacDecoder;

/* Bytes going in and coming out; a step moves the pointers and lowers the counts. */
typedef struct tacDecoding {
    const unsigned char *in;
    size_t nIn;
    unsigned char *out;
    size_t nOut;
    bool inEnded; /* nothing comes after in[nIn] */
    bool ended;   /* set by a step: all is decoded */
} tacDecoding;

/* Makes a decoder for a stream that begins with `head`; *decoder NULL: it is not packed. Error: MEMORY. */
tacStatus tacDecoderOpen(const unsigned char *head, size_t length, tacDecoder **decoder, tacError *err);
/*
 * Decodes until in is empty, out is full, or all has ended. Error: "DAMAGE", "DAMAGE END" where the data end too early
 * (what went to `out` is still good), "LIMIT ..." or "MEMORY".
 */
tacStatus tacDecoderStep(tacDecoder *decoder, tacDecoding *step, tacError *err);
void tacDecoderFree(tacDecoder *decoder);

#endif
