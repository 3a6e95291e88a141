/*
 * syncTable.c -- the clocks' report as tables.
 *
 * Offsets and residuals are in time units; drift is in parts per million by which b's clock is faster than a's.
 */
#include "base/port.h"

#include "analysis/tables.h"

#include <math.h>

const char *const tacSyncNames[TAC_SYNC_KINDS + 1] = {"pairs", "messages", NULL};

typedef struct PairRow {
    const char *a, *b;
    int64_t messages, sentByA, sentByB, lost;
    double offset, middle, drift, rms, largest;
} PairRow;

static const tacColumn pairColumns[] = {
    {"a", TAC_COLUMN_TEXT, "a processor", offsetof(PairRow, a)},
    {"b", TAC_COLUMN_TEXT, "the other", offsetof(PairRow, b)},
    {"messages", TAC_COLUMN_COUNT, "messages that were sent and received, both ways", offsetof(PairRow, messages)},
    {"from_a", TAC_COLUMN_COUNT, "those sent by a", offsetof(PairRow, sentByA)},
    {"from_b", TAC_COLUMN_COUNT, "those sent by b", offsetof(PairRow, sentByB)},
    {"lost", TAC_COLUMN_COUNT, "messages sent and never received, or received and never sent", offsetof(PairRow, lost)},
    {"offset", TAC_COLUMN_NUMBER,
        "what b's clock shows when a's shows 0, in time units; empty when the pair cannot be fitted",
        offsetof(PairRow, offset)},
    {"middle_offset", TAC_COLUMN_NUMBER,
        "by how much b's clock is ahead of a's in the middle of the exchange, in time units",
        offsetof(PairRow, middle)},
    {"drift_ppm", TAC_COLUMN_NUMBER, "by how much b's clock is faster than a's, in parts per million",
        offsetof(PairRow, drift)},
    {"residual_rms", TAC_COLUMN_NUMBER, "root of the mean squared residual, in time units of b",
        offsetof(PairRow, rms)},
    {"residual_max", TAC_COLUMN_NUMBER, "largest residual", offsetof(PairRow, largest)},
};

typedef struct MessageRow {
    const char *source, *target, *id;
    int64_t sent, received, early, sentLine, receivedLine;
} MessageRow;

static const tacColumn messageColumns[] = {
    {"source", TAC_COLUMN_TEXT, "processor that sent it", offsetof(MessageRow, source)},
    {"target", TAC_COLUMN_TEXT, "processor that received it", offsetof(MessageRow, target)},
    {"id", TAC_COLUMN_TEXT, "id of the message", offsetof(MessageRow, id)},
    {"sent", TAC_COLUMN_TIME, "when, on the reference clock", offsetof(MessageRow, sent)},
    {"received", TAC_COLUMN_TIME, "when, on the reference clock: before it was sent", offsetof(MessageRow, received)},
    {"early", TAC_COLUMN_TIME, "by how much too early", offsetof(MessageRow, early)},
    {"sent_line", TAC_COLUMN_COUNT, "line of the trace", offsetof(MessageRow, sentLine)},
    {"received_line", TAC_COLUMN_COUNT, "line of the trace", offsetof(MessageRow, receivedLine)},
};

enum {
    PAIR_COLUMNS = sizeof pairColumns / sizeof *pairColumns,
    MESSAGE_COLUMNS = sizeof messageColumns / sizeof *messageColumns
};

const tacColumn *tacSyncColumns(tacSyncOf of, int *nColumns) {
    *nColumns = of == TAC_SYNC_PAIRS ? PAIR_COLUMNS : MESSAGE_COLUMNS;
    return of == TAC_SYNC_PAIRS ? pairColumns : messageColumns;
}

static void fillPair(const tacStore *store, const tacClockPair *pair, PairRow *row) {
    double unit = tacDecimalDouble(1, store->digits);
    *row = (PairRow){.a = tacObjectId(store, TAC_PROCESSOR, pair->a),
        .b = tacObjectId(store, TAC_PROCESSOR, pair->b),
        .messages = (int64_t) pair->sentByA + pair->sentByB,
        .sentByA = pair->sentByA,
        .sentByB = pair->sentByB,
        .lost = pair->lost,
        .offset = NAN,
        .middle = NAN,
        .drift = NAN,
        .rms = NAN,
        .largest = NAN};
    if (!pair->fitted) return;
    row->offset = pair->offset * unit;
    row->middle = (pair->originB - pair->originA) * unit;
    row->drift = (pair->drift - 1) * 1e6;
    row->rms = pair->rms * unit;
    row->largest = pair->largest * unit;
}

static void fillMessage(const tacStore *store, const tacViolation *violation, MessageRow *row) {
    uint32_t sent = violation->sentRow;
    int64_t id;
    *row = (MessageRow){.source = tacObjectId(store, TAC_PROCESSOR, tacRowSubject(store, sent)),
        .target = tacObjectId(store, TAC_PROCESSOR, tacRowObject(store, sent)),
        .id = tacRowOption(store, sent, TAC_OPT_ARGUMENT3, &id) ? tacString(store, (uint32_t) id) : NULL,
        .sent = violation->sent,
        .received = violation->received,
        .early = violation->sent - violation->received,
        .sentLine = tacRowLine(store, sent),
        .receivedLine = tacRowLine(store, violation->receivedRow)};
}

tacStatus tacSyncTable(const tacStore *store, const tacClocks *clocks, tacSyncOf of, tacTable *table, tacError *err) {
    bool pairs = of == TAC_SYNC_PAIRS;
    int nColumns;
    const tacColumn *columns = tacSyncColumns(of, &nColumns);
    if (tacTableRecords(table, tacSyncNames[of], columns, nColumns, pairs ? sizeof(PairRow) : sizeof(MessageRow),
            pairs ? clocks->pairs.count : clocks->violations.count, store->digits, err)
        != TAC_OK)
        return TAC_ERROR;
    for (uint64_t i = 0; i < table->nRows; i++) {
        if (pairs) fillPair(store, &clocks->pairs.at[i], tacTableRecord(table, i));
        else fillMessage(store, &clocks->violations.at[i], tacTableRecord(table, i));
    }
    return TAC_OK;
}
