/*
 * buffer.h -- the contents of a buffer: a queue of elements (string ids) with a head, kept up event by event.
 *
 * The replay keeps the contents of each buffer and writes them down now and then as a checkpoint (tacBufferHistory), so
 * that contents at any time are found quickly. A checkpoint of n elements comes at least n events after the one before,
 * so that checkpoints cost at most one word an event. A query takes the last checkpoint and applies the events after
 * it.
 */
#ifndef TAC_MODEL_BUFFER_H
#define TAC_MODEL_BUFFER_H

#include "model/model.h"

typedef struct tacBufferPart { /* a stretch of the contents, 1 to TAC_BUFFER_PART elements */
    TAC_ARRAY(uint32_t) data;  /* string ids; those before `head` are gone */
    size_t head;
} tacBufferPart;

typedef struct tacBufferContents {
    TAC_ARRAY(tacBufferPart) parts; /* one after the other; an insertion moves the elements of one part */
    size_t count;                   /* elements of all parts */
    int64_t capacity;               /* elements that the buffer is said to hold; more are kept all the same */
    uint32_t sinceCheckpoint;       /* events */
    bool listed;                    /* in the replay's list of buffers that a reset has to empty */
} tacBufferContents;

/* More elements than a buffer ever has; the most elements of a part. */
enum { TAC_BUFFER_MOST = 1 << 17, TAC_BUFFER_PART = 1 << 10 };

/* Outcome of an event. */
typedef enum tacBufferOutcome {
    TAC_BUFFER_FINE,
    TAC_BUFFER_UNDERFLOW,  /* pop of nothing */
    TAC_BUFFER_NO_ELEMENT, /* drop or insert at an index that the contents do not have: nothing dropped, inserted at the
                              nearest end */
    TAC_BUFFER_FULL,       /* TAC_BUFFER_MOST elements are there: nothing added */
    TAC_BUFFER_NO_MEMORY
} tacBufferOutcome;

static inline size_t tacBufferCount(const tacBufferContents *contents) { return contents->count; }
/* The element at a place (from the head), which must be there. */
uint32_t tacBufferAt(const tacBufferContents *contents, size_t place);
/* Copies all elements, tacBufferCount of them. */
void tacBufferCopy(const tacBufferContents *contents, uint32_t *to);
void tacBufferFree(tacBufferContents *contents);

/* Applies an event of the store to the contents. */
tacBufferOutcome tacBufferApply(tacBufferContents *contents, const tacStore *store, uint32_t row);
/* The same for contents in which another number than its string stands for an element that is added. */
tacBufferOutcome tacBufferApplyAs(tacBufferContents *contents, const tacStore *store, uint32_t row, uint32_t element);

/* Contents as they were after some events of the buffer. */
typedef struct tacBufferCheckpoint {
    uint32_t events; /* how many of tacBufferModel.rows had happened */
    uint32_t count;  /* elements */
    size_t first;    /* in tacBufferHistory.data */
    int64_t capacity;
} tacBufferCheckpoint;

typedef struct tacBufferHistory {
    TAC_ARRAY(tacBufferCheckpoint) checkpoints; /* by events */
    TAC_ARRAY(uint32_t) data;
} tacBufferHistory;

/* Contents after the first `events` events of the buffer; tacBufferFree whatever comes. false: no memory. */
bool tacBufferRecall(const tacModel *model, uint32_t buffer, uint32_t events, tacBufferContents *contents);

/*
 * Row of the event that brought the element at this place (from the head) after the first `events` events; TAC_NONE
 * when there is no such element, or no memory. Costs as much as was written down while the element was there.
 */
uint32_t tacBufferOrigin(const tacModel *model, uint32_t buffer, uint32_t events, uint32_t place);

void tacBufferHistoryFree(tacBufferHistory *history);
uint64_t tacBufferHistoryBytes(const tacBufferHistory *history);

#endif
