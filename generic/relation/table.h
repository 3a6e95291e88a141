/*
 * table.h -- tables with named, typed columns, and their writers (aligned text, CSV, JSON). Every list that is shown or
 * written is one: jobs, tasks, events, findings ...
 *
 * A table has no cells of its own: a function makes a cell when it is written or looked at, so that a million jobs cost
 * nothing but their model. Writers go through the rows once (the aligned one twice) and write blocks of a few
 * kilobytes.
 */
#ifndef TAC_RELATION_TABLE_H
#define TAC_RELATION_TABLE_H

#include "base/decimal.h"
#include "base/mem.h"

typedef enum tacColumnType { TAC_COLUMN_TEXT, TAC_COLUMN_TIME, TAC_COLUMN_COUNT, TAC_COLUMN_NUMBER } tacColumnType;
extern const char *const tacColumnTypeNames[]; /* "text" "time" "count" "number", NULL */

typedef struct tacColumn {
    const char *name;   /* as in the header of CSV */
    tacColumnType type; /* TIME: ticks; COUNT: int64; NUMBER: double */
    const char *help;   /* for the manual: a clause without period */
    size_t offset;      /* in a table of records: of the value in the record; else 0 */
} tacColumn;

typedef struct tacCell { /* one value; `known` false: empty */
    bool known;
    int64_t ticks;    /* TIME, COUNT */
    double number;    /* NUMBER */
    const char *text; /* TEXT; valid until the next cell is asked for */
    size_t length;
} tacCell;

/* More about a column, for filters; NULL: unknown. */
typedef struct tacColumnTrait {
    const char *unit;         /* of a count or number: "s" "ms" "us" "ns" "%" ..., or tacUnitOfTimes */
    const char *const *words; /* of a text: the values it can have, from the least to the greatest; NULL-terminated */
} tacColumnTrait;
extern const char tacUnitOfTimes[]; /* the unit that the table's times have */

/*
 * Rows in order of time: stretches of rows, along each of which the times of a column ascend, so that those of a window
 * are found by halving. A table of events is one stretch; one of the slices of all tasks has a stretch for each task.
 */
struct tacTable;
typedef struct tacTableOrder {
    int column;                                                        /* of the times */
    int endColumn;                                                     /* of when a row ends; -1: there is none */
    bool full;                                                         /* no cell of the column is empty */
    uint64_t (*stretches)(const struct tacTable *table);               /* NULL: one, of all rows */
    uint64_t (*begin)(const struct tacTable *table, uint64_t stretch); /* row where it begins; of the last + 1: nRows */
    /* Ticks of a row in the column; where that is empty, ticks that are not before those of the row before. */
    int64_t (*time)(const struct tacTable *table, uint64_t row);
    /* First row of a stretch that ends at or after `from`; NULL: there is no endColumn. */
    uint64_t (*reach)(const struct tacTable *table, uint64_t stretch, int64_t from);
} tacTableOrder;

/* Other columns of the same rows, made of texts, for people. */
typedef struct tacTableReadable {
    const tacColumn *columns;
    int nColumns;
    uint64_t right; /* bits of the columns that stand to the right, as numbers do */
    void (*cell)(const struct tacTable *table, uint64_t row, int column, tacCell *cell);
} tacTableReadable;

typedef struct tacTable {
    const char *title;
    const tacColumn *columns;
    int nColumns;
    uint64_t nRows;
    int digits;           /* of its times */
    const char *timeUnit; /* "s" "ms" "us" "ns"; NULL: not known */
    /* Traits of a column; NULL: no column has any. */
    tacColumnTrait (*trait)(const struct tacTable *table, int column);
    /* Fills the cell of a row and column; *cell is all zero before, thus empty. */
    void (*cell)(const struct tacTable *table, uint64_t row, int column, tacCell *cell);
    void *data;                  /* of `cell`; owned by the table */
    void (*release)(void *data); /* frees data; may be NULL */
    const bool *failed;          /* set when `cell` had no memory for a value; NULL: it needs none */
    /*
     * Number of a cell's text: cells of a column with the same number have the same text (not the reverse), so that a
     * pass over millions of rows looks at each text once; such a text stays in its place as long as the table exists.
     * false: this cell has no number. NULL: no cell has one.
     */
    bool (*group)(const struct tacTable *table, uint64_t row, int column, uint64_t *number);
    /* Number of the thing that a row is about (row of the store, index of the job ...), ascending with the row unless
     * there is rowOfId; NULL: the row itself. */
    uint64_t (*id)(const struct tacTable *table, uint64_t row);
    /* Row of a thing by its number; UINT64_MAX: there is none. NULL: numbers ascend. */
    uint64_t (*rowOfId)(const struct tacTable *table, uint64_t id);
    const tacTableOrder *order;       /* NULL: rows are in no order of time */
    const tacTableReadable *readable; /* NULL: people read the table's own columns */
    uint64_t right;                   /* bits of columns of texts that stand to the right */
    bool exact;                       /* numbers are written as Tcl does, with all of their digits */
    bool wide;                        /* lines of text are as long as they have to be */
    bool headless;                    /* CSV has no line of names */
} tacTable;

/* True when a cell had no memory for its value. */
static inline bool tacTableFailed(const tacTable *table) { return table->failed && *table->failed; }

/* Unit of a column that is no text, NULL: unknown; words of a text column, NULL: any text. */
const char *tacColumnUnit(const tacTable *table, int column);
const char *const *tacColumnWords(const tacTable *table, int column);

typedef enum tacTableFormat {
    TAC_TABLE_TEXT,
    TAC_TABLE_CSV,
    TAC_TABLE_JSON,
    TAC_TABLE_OBJECTS,
    TAC_TABLE_ROWS,
    TAC_TABLE_LINES,
    TAC_TABLE_FORMATS
} tacTableFormat;
extern const char *const tacTableFormatNames[TAC_TABLE_FORMATS + 1]; /* for tests: "table", "csv", "json", "objects",
                                                                        "rows", "lines", NULL */

/*
 * Makes CSV safe for spreadsheets, or ends that: a cell that one would run (it begins with = + - @, a tab or an end of
 * line, and is no number) gets an apostrophe before it, which spreadsheets take for "this is text". For all tables of
 * the process, since it is the user who knows what reads the output.
 */
void tacTableCsvSafe(bool safe);
bool tacTableIsCsvSafe(void);
/* Tells whether a spreadsheet would run a cell. */
bool tacTableRuns(const char *text, size_t length);

typedef bool (*tacWrite)(void *data, const char *bytes, size_t n); /* false: stop */

/*
 * Writes a table. CSV: RFC 4180 quoting, header line, LF. JSON: an array of objects, times as decimals exact as written
 * (JSON numbers), unknown as null, bytes that are not UTF-8 as U+FFFD. Objects: those of JSON, with ", " between them,
 * to be put into an array; a block ends with a whole character. Rows: the same, each in a line. Text: aligned columns,
 * numbers by their decimal point, hidden characters escaped since it goes to terminals; columns beyond TAC_TABLE_WIDTH
 * go on in a band below that begins with the first column again. Lines: the texts of the first column that are
 * not empty, a line each, escaped as well.
 *
 * TAC_ERROR: code MEMORY, or WRITE STOPPED when `write` said stop.
 */
enum { TAC_TABLE_WIDTH = 160 }; /* characters */
tacStatus tacTableWrite(const tacTable *table, tacTableFormat format, tacWrite write, void *data, tacError *err);
void tacTableFree(tacTable *table);

/*
 * Makes a table of records: an array of equal structs, zeroed at first, that the table owns. A column's value is, by
 * type, an int64_t (TIME, TAC_UNKNOWN: empty; COUNT), a double (NUMBER, not finite: empty) or a const char * (TEXT,
 * NULL: empty) at the column's offset.
 */
tacStatus tacTableRecords(tacTable *table, const char *title, const tacColumn *columns, int nColumns, size_t recordSize,
    uint64_t nRows, int digits, tacError *err);
void *tacTableRecord(const tacTable *table, uint64_t row);
/* Fills the cell of a column from a record. */
void tacTableRecordCell(const tacColumn *column, const void *record, tacCell *cell);

/* Text of a cell that is not empty, exact and without quotes: in buffer, or the cell's own text. */
enum { TAC_CELL_SIZE = TAC_DECIMAL_SIZE };
const char *tacCellText(
    const tacTable *table, int column, const tacCell *cell, char buffer[TAC_CELL_SIZE], size_t *length);

/* Functions that fill a cell. */
static inline void tacCellTime(tacCell *cell, int64_t ticks) {
    cell->known = tacIsKnown(ticks);
    cell->ticks = ticks;
}
static inline void tacCellCount(tacCell *cell, int64_t count) {
    cell->known = true;
    cell->ticks = count;
}
void tacCellNumber(tacCell *cell, double number);    /* unknown when not finite */
void tacCellString(tacCell *cell, const char *text); /* unknown when NULL */

#endif
