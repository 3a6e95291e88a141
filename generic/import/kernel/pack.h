/*
 * pack.h -- records of kernel traces as bytes, for the way from one process to another (dat.c).
 *
 * A piece of bytes is a sequence of items: a name, which has the next number, or a record, which mentions names by
 * number; a record's text follows it. Names are sent once, since a thread's name comes with nearly every event of it.
 *
 *   P1  An item is a multiple of 4 bytes and lies in one piece as a whole.
 *   P2  The receiver trusts nothing: anything that does not fit ends the reading as damaged; texts become clean UTF-8.
 */
#ifndef TAC_IMPORT_KERNEL_PACK_H
#define TAC_IMPORT_KERNEL_PACK_H

#include "base/intern.h"
#include "import/kernel/record.h"

/* ---- packing ---- */

/* Takes a piece of bytes that is full. */
typedef tacStatus tacKernelSend(void *data, const char *bytes, size_t length, uint32_t line, tacError *err);

typedef struct tacKernelPacker tacKernelPacker;

tacKernelPacker *tacKernelPackerNew(tacKernelSend *send, void *data); /* NULL: no memory */
void tacKernelPackerFree(tacKernelPacker *packer);
/* Is it an event of the kernel, with numbers within their ranges? The receiver refuses others, and all that follows. */
bool tacKernelSound(const tacKernelRecord *record);
/* Packs a sound record; a tacKernelTake. record->name must stay where it is as long as the packer lives. Texts longer
 * than 64 KB are cut. */
tacStatus tacKernelPack(void *packer, const tacKernelRecord *record, uint32_t line, tacError *err);
/* Sends the piece at hand, unless it is empty. */
tacStatus tacKernelPackerFlush(tacKernelPacker *packer, tacError *err);

/* ---- unpacking ---- */

typedef TAC_ARRAY(char) tacKernelRoom;

typedef struct tacKernelUnpacker {
    TAC_ARRAY(char) names;      /* one after the other, clean */
    TAC_ARRAY(size_t) ends;     /* where name i ends in names */
    tacKernelRoom clean, words; /* a text and words that had to be cleaned */
    uint32_t line;              /* of the last record */
    uint64_t records;           /* so far */
} tacKernelUnpacker;            /* zeroed at first */

/* Hands all records of a piece to take. Errors: FORMAT DAMAGED (it is no such piece), MEMORY, those of take. */
tacStatus tacKernelUnpack(
    tacKernelUnpacker *unpacker, const char *bytes, size_t length, tacKernelTake *take, void *data, tacError *err);
void tacKernelUnpackerFree(tacKernelUnpacker *unpacker);

#endif
