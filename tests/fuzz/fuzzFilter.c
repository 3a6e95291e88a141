/*
 * fuzzFilter.c -- libFuzzer's target over the filter language: any bytes as an expression over a small table of every
 * type of column, whose rows are then all tested. A mistake must be told within the text.
 *
 *      make fuzz FUZZ=fuzzFilter FUZZ_SECONDS=600
 */
#include "base/port.h"

#include "relation/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Row {
    const char *task, *severity;
    int64_t response, count;
    double share;
} Row;

static const tacColumn columns[] = {
    {"task", TAC_COLUMN_TEXT, "", offsetof(Row, task)},
    {"severity", TAC_COLUMN_TEXT, "", offsetof(Row, severity)},
    {"response", TAC_COLUMN_TIME, "", offsetof(Row, response)},
    {"response_p95", TAC_COLUMN_COUNT, "", offsetof(Row, count)},
    {"share", TAC_COLUMN_NUMBER, "", offsetof(Row, share)},
};

static const Row rows[] = {{"control", "note", 105, 3, 0.5}, {"control10", "error", INT64_MAX, INT64_MIN + 1, -1e300},
    {NULL, NULL, TAC_UNKNOWN, 0, NAN}, {"", "\xc3\x84\xe2\x82\xac\xff", -1, INT64_MAX, 0}};

static tacColumnTrait traitOf(const tacTable *table, int column) {
    static const char *const severities[] = {"note", "warning", "error", NULL};
    (void) table;
    return (tacColumnTrait){column == 3 ? "us" : NULL, column == 1 ? severities : NULL};
}

/* The expression is followed over the rows; what it says of them must be the same twice. */
static void test(const tacFilter *filter) {
    tacFilterRun *run = tacFilterBegin(filter);
    if (!run) abort();
    for (uint64_t row = 0; row < sizeof rows / sizeof *rows; row++)
        if (tacFilterFits(run, row) != tacFilterFits(run, row)) abort();
    tacFilterEnd(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tacTable table;
    tacError err = {{0}, {0}};
    unsigned long character = 0;
    char *text = tacCopyText((const char *) data, size);
    if (!text
        || tacTableRecords(&table, "rows", columns, sizeof columns / sizeof *columns, sizeof *rows,
               sizeof rows / sizeof *rows, 1, &err)
            != TAC_OK)
        abort();
    memcpy(tacTableRecord(&table, 0), rows, sizeof rows);
    table.timeUnit = "ms";
    table.trait = traitOf;
    tacFilter *filter = tacFilterNew(&table);
    if (!filter) abort();
    if (tacFilterExpression(filter, text, &err) == TAC_OK) test(filter);
    else if (sscanf(err.code, "USAGE FILTER %lu", &character) != 1 || character < 1 || character > strlen(text) + 1)
        abort();
    tacFilterFree(filter);
    tacTableFree(&table);
    tacFree(text);
    return 0;
}
