/*
 * recent.h -- the packets of a stream that came last, in memory, so that what happened a moment ago can be opened while
 * the stream goes on.
 *
 *      packets -> a ring of bytes, the oldest go --> tacRecentWrite: a recording, as a file
 *          +----> catalogue.h: what describes -------^
 *
 * Invariants:
 *   1. No more bytes of packets are held than were asked for, and none that came longer ago than was asked for.
 *   2. Whatever is written begins with what is known of all sources, so it can be read by itself.
 *   3. A source is forgotten when nothing of it is held any more.
 *
 * All functions may be called by any thread.
 */
#ifndef TAC_RECORD_RECENT_H
#define TAC_RECORD_RECENT_H

#include "record/stream.h"

typedef struct tacRecent tacRecent;

/* Holds at most so many bytes of packets, and packets for at most so many nanoseconds. NULL: no memory. */
tacRecent *tacRecentNew(uint64_t bytes, uint64_t nanoseconds);
void tacRecentFree(tacRecent *recent); /* NULL is fine */

/* Takes a packet (a tacrec_take; data: a tacRecent). False: it is larger than the ring, or there is no memory. */
bool tacRecentTake(void *recent, const tacrec_packet *head, const uint8_t *bytes);

typedef struct tacRecentCount {
    uint64_t now;                      /* nanoseconds of CLOCK_MONOTONIC */
    uint64_t packets, bytes, elements; /* that are held; `bytes` without what describes */
    uint64_t nanoseconds;              /* since the oldest of them came */
    uint64_t taken;                    /* elements so far */
    uint64_t silence;                  /* nanoseconds since elements came; UINT64_MAX: never */
} tacRecentCount;
void tacRecentCounts(tacRecent *recent, tacRecentCount *count);

/*
 * Writes to a descriptor what came within the last `nanoseconds`, with what describes it; UINT64_MAX: all that is held.
 * 0, or as errno has it. Packets that come meanwhile wait.
 */
int tacRecentWrite(tacRecent *recent, uint64_t nanoseconds, int descriptor);

#endif
