/*
 * clock.h -- mapping the clocks of all processors onto one, by synchronization messages.
 *
 * For a pair of processors with exchanged messages the line that maps one clock to the other is fitted by least
 * squares over (sender's time, receiver's time) points (Maillet & Tron 1995); pairs form clusters; in a cluster every
 * clock is mapped to one reference through the path of pairs with the smallest residual.
 */
#ifndef TAC_TRACE_CLOCK_H
#define TAC_TRACE_CLOCK_H

#include "trace/diag.h"
#include "trace/store.h"

/* A pair of processors that exchanged messages: time on b = offset + drift * time on a; a is defined before b. */
typedef struct tacClockPair {
    uint32_t a, b;             /* processors */
    uint32_t sentByA, sentByB; /* matched messages each way */
    uint32_t lost;             /* sent and never received, or received and never sent */
    uint32_t leftOut;          /* matched, but too far from the line of the others to be fitted */
    bool fitted;               /* messages both ways, two in all, and a definite line */
    int64_t originA, originB; /* near the centre of the points, ticks: b - originB is shift + drift * (a - originA) plus
                                 a residual */
    double shift;             /* ticks, below 1 */
    double offset;            /* ticks: time on b when a shows 0 */
    double drift;             /* b's ticks per tick of a */
    double rms, largest;      /* residuals, ticks of b */
} tacClockPair;

/* A processor's clock: reference time = reference origin + shift + rate * (local - origin); integer origins keep
 * nanosecond epochs exact. */
typedef struct tacClock {
    uint32_t cluster;                /* 0, 1, ...; processors without messages have a cluster of their own */
    uint32_t via;                    /* next processor on the path to the reference, itself for a reference */
    int64_t origin, referenceOrigin; /* ticks */
    double shift, rate;              /* ticks; ticks of the reference per tick of this clock */
    bool mapped;                     /* times of this processor were changed */
} tacClock;

typedef struct tacViolation {      /* a message that was received before it was sent, after mapping */
    uint32_t sentRow, receivedRow; /* rows of the frozen store */
    int64_t sent, received;        /* ticks on the reference clock; sent > received */
} tacViolation;

typedef struct tacClocks {
    TAC_ARRAY(tacClockPair) pairs;
    TAC_ARRAY(tacClock) clocks; /* by processor */
    TAC_ARRAY(tacViolation) violations;
    TAC_ARRAY(uint32_t)
    rows;                     /* of messages between two processors: where each was sent, or, if that is not known,
                                 received; ascending */
    TAC_ARRAY(uint32_t) ends; /* of the same messages: the row where it was received; TAC_NONE: one end is not known */
    uint32_t nClusters, reference; /* reference: index of the chosen processor; TAC_NONE: no processors */
    uint64_t messages, lost;       /* matched; lost */
} tacClocks;

void tacClocksFree(tacClocks *clocks);

/*
 * Solves the clocks of an appended, not yet frozen store and maps its times; reference: processor id or NULL (the first
 * of each cluster). Called by tacStoreFreeze between resolving and sorting.
 */
tacStatus tacClocksSolve(tacStore *store, tacDiag *diag, const char *reference, tacClocks *clocks, tacError *err);
/* Lists the messages of a sorted store, and those that are violated. */
tacStatus tacClocksCheck(const tacStore *store, tacDiag *diag, tacClocks *clocks, tacError *err);
/* The row where a synchronization message, which another row sends or receives, is received or sent; TAC_NONE: none, or
 * the row is another event. Goes over all messages. */
uint32_t tacSyncOtherEnd(const tacClocks *clocks, uint32_t row);
/* The distance of a message from the fitted line of its pair. */
typedef struct tacResidual {
    int64_t time;    /* of receiving it, on the reference clock, ticks */
    double residual; /* ticks by which b's clock is beyond the line; positive for messages from a, by their
                        delay */
    bool fromA;
} tacResidual;
/* Lists the residuals of the matched messages of a fitted pair in order of time; when there are more than `limit`,
 * evenly chosen ones. The caller frees the list (tacFree). */
tacStatus tacClocksResiduals(const tacStore *store, const tacClocks *clocks, uint32_t pair, size_t limit,
    tacResidual **list, size_t *count, tacError *err);
/* Time on a processor's own clock at a time of the reference clock, in ticks; TAC_UNKNOWN: 64 bits do not hold it. */
int64_t tacClockLocal(const tacClocks *clocks, uint32_t processor, int64_t reference);

#endif
