/*
 * occurrence.h -- something that happens in a trace, as models see it: an event, a change of a job's state, the return
 * of a system call; and its fields.
 *
 * What happens is sorted into cells: kinds of events, states that are entered, states that are left. Those that wait
 * for something do so by cell, and what is in a cell that nobody waits for costs nothing.
 */
#ifndef TAC_JUDGE_OCCURRENCE_H
#define TAC_JUDGE_OCCURRENCE_H

#include "model/replay.h"
#include "read/sink.h"

/* Cells: first the events of rows, each its own. */
enum {
    TAC_CELL_EVENT = TAC_EVENTS, /* another event of the recording, kept as a message */
    TAC_CELL_CALL,               /* a message or an annotation: a system call is entered */
    TAC_CELL_RETURN,             /* it returns */
    TAC_CELL_ENTERS,             /* and the state */
    TAC_CELL_LEAVES = TAC_CELL_ENTERS + TAC_STATES,
    TAC_CELLS = TAC_CELL_LEAVES + TAC_STATES
};

typedef struct tacOccurrence {
    const tacModel *model; /* of the replay */
    const struct tacReplay *replay;
    const tacStateChange *change; /* NULL: the row itself */
    uint32_t row, job, task;      /* TAC_NONE: it has none. RETURN: row of the call */
    uint16_t processor;           /* TAC_NO_PROCESSOR: the same */
    uint32_t cell;
    int64_t now;
} tacOccurrence;

/* The cell of a row; calls: annotations of system calls are told from others, which takes a look at their options. */
static inline uint32_t tacRowCell(const tacStore *store, uint32_t row, bool calls) {
    tacEvent event = tacRowEvent(store, row);
    if (event == TAC_EV_MESSAGE) {
        tacFrom from = tacMessageFrom(store, row);
        return from == TAC_FROM_EVENT ? (uint32_t) TAC_CELL_EVENT
            : from == TAC_FROM_CALL   ? (uint32_t) TAC_CELL_CALL
                                      : (uint32_t) event;
    }
    if (event != TAC_EV_TASK_ANNOTATION || !calls) return event;
    return tacRowFrom(store, row) == TAC_FROM_CALL ? (uint32_t) TAC_CELL_CALL : (uint32_t) event;
}
tacOccurrence tacOccurrenceOfRow(const tacModel *model, const struct tacReplay *replay, uint32_t row, uint32_t cell);
/* The part of a change by this row by which the job leaves its old state, or enters the new one. */
tacOccurrence tacOccurrenceOfChange(const tacOccurrence *row, const tacStateChange *change, bool enters);
/* The return of the call that a row annotates. */
tacOccurrence tacOccurrenceOfReturn(const tacModel *model, uint32_t row, int64_t now);

/* The text of a message, or of an annotation. */
tacWord tacRowWord(const tacStore *store, uint32_t row);
/* The name of the event that was kept as this message. */
tacWord tacKeptName(const tacStore *store, uint32_t row);

/* ---- fields ---- */

typedef struct tacFieldNumber { /* mantissa * 10^-digits */
    __int128 mantissa;
    int digits;
} tacFieldNumber;

/* Reads [-]digits[.digits] or [-]0xdigits, at most 18 digits, which must be the whole text. */
bool tacFieldNumberRead(const tacWord *text, tacFieldNumber *number);
/* -1, 0, 1. */
int tacFieldNumberCompare(const tacFieldNumber *left, const tacFieldNumber *right);

typedef struct tacField {
    bool isNumber;
    tacFieldNumber number;
    tacWord text;                   /* in the store, or: */
    char written[TAC_DECIMAL_SIZE]; /* a number as a decimal */
} tacField;

/*
 * Finds a field. Of a message: among the words of its text, name=value, name:value or name: value. Else, of an event:
 * an argument by its name in the vocabulary; and of all: the ids of job, task and processor, as far as it has them.
 */
bool tacFieldFind(const tacOccurrence *occurrence, const tacWord *name, tacField *field);

#endif
