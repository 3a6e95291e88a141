/*
 * chosen.c -- columns of another table, by their numbers.
 */
#include "base/port.h"

#include "relation/chosen.h"

#include <string.h>

typedef struct Chosen {
    const tacTable *of;
    const char *text;   /* of column -1 */
    tacColumn *columns; /* in this block, behind the numbers */
    int numbers[];      /* by column: its number in `of`, or -1 */
} Chosen;

static void chosenCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const Chosen *c = table->data;
    int number = c->numbers[column];
    if (number < 0) tacCellString(cell, c->text);
    else c->of->cell(c->of, row, number, cell);
}

static bool chosenGroup(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    const Chosen *c = table->data;
    int of = c->numbers[column];
    if (of >= 0) return c->of->group && c->of->group(c->of, row, of, number);
    *number = 0;
    return true;
}

static tacColumnTrait chosenTrait(const tacTable *table, int column) {
    const Chosen *c = table->data;
    int number = c->numbers[column];
    return number >= 0 && c->of->trait ? c->of->trait(c->of, number) : (tacColumnTrait){NULL, NULL};
}

static void release(void *data) {
    tacFree(((Chosen *) data)->columns);
    tacFree(data);
}

tacStatus tacTableChoose(
    const tacTable *of, const int *columns, int n, const char *name, const char *text, tacTable *table, tacError *err) {
    Chosen *c = tacAllocZero(1, sizeof *c + (size_t) n * sizeof *c->numbers);
    if (!c) return tacFailMemory(err);
    *c = (Chosen){.of = of, .text = text, .columns = tacAllocZero((size_t) n + 1, sizeof *c->columns)};
    if (!c->columns) return tacFree(c), tacFailMemory(err);
    for (int i = 0; i < n; i++) {
        c->numbers[i] = columns[i];
        c->columns[i] = columns[i] < 0 ? (tacColumn){.name = name, .type = TAC_COLUMN_TEXT, .help = ""}
                                       : of->columns[columns[i]];
    }
    *table = (tacTable){.title = of->title,
        .columns = c->columns,
        .nColumns = n,
        .nRows = of->nRows,
        .digits = of->digits,
        .timeUnit = of->timeUnit,
        .trait = chosenTrait,
        .cell = chosenCell,
        .data = c,
        .release = release,
        .failed = of->failed,
        .group = chosenGroup,
        .exact = of->exact};
    return TAC_OK;
}
