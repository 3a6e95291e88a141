/*
 * sqlAnswer.c -- runs a statement, and keeps its rows as a table of their own.
 *
 * SQLite's cells have types, its columns have none. So cells are kept as they come, 16 bytes each, and at the end a
 * column gets the type that holds all of them. A column that is one of a table, and there a time, becomes one again.
 */
#include "base/port.h"

#include "base/print.h"
#include "sql/sqlPart.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef enum CellType { EMPTY, INTEGER, REAL, TEXT } CellType;

typedef struct Cell {
    union {
        int64_t integer; /* TEXT: offset in `text` */
        double real;
    } is;
    uint32_t length; /* TEXT */
    uint32_t type;
} Cell;

typedef struct Answer {
    int nColumns;
    tacColumn *columns;
    char **names;               /* owned */
    uint32_t *seen;             /* by column: types that occur, bit by bit */
    TAC_ARRAY(Cell) cells;      /* row by row */
    TAC_ARRAY(char) text;       /* of all cells, each with its NUL */
    char number[TAC_CELL_SIZE]; /* of the last cell that is a number among texts */
} Answer;

static void freeAnswer(void *data) {
    Answer *answer = data;
    if (!answer) return;
    for (int i = 0; answer->names && i < answer->nColumns; i++) tacFree(answer->names[i]);
    tacFree(answer->names);
    tacFree(answer->columns);
    tacFree(answer->seen);
    tacArrayFree(&answer->cells);
    tacArrayFree(&answer->text);
    tacFree(answer);
}

static Answer *newAnswer(sqlite3_stmt *statement) {
    int n = sqlite3_column_count(statement);
    Answer *answer = tacAllocZero(1, sizeof *answer);
    if (!answer) return NULL;
    answer->nColumns = n;
    answer->columns = tacAllocZero((size_t) n + 1, sizeof *answer->columns);
    answer->names = tacAllocZero((size_t) n + 1, sizeof *answer->names);
    answer->seen = tacAllocZero((size_t) n + 1, sizeof *answer->seen);
    bool fine = answer->columns && answer->names && answer->seen;
    for (int i = 0; fine && i < n; i++) {
        const char *name = sqlite3_column_name(statement, i);
        answer->names[i] = name ? tacCopyText(name, strlen(name)) : NULL;
        answer->columns[i] = (tacColumn){.name = answer->names[i], .help = ""};
        fine = answer->names[i] != NULL;
    }
    if (fine) return answer;
    freeAnswer(answer);
    return NULL;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static bool keepCell(Answer *answer, sqlite3_stmt *statement, int column) {
    Cell cell = {{0}, 0, EMPTY};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: break;
    case SQLITE_INTEGER:
        cell.type = INTEGER;
        cell.is.integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        cell.type = REAL;
        cell.is.real = sqlite3_column_double(statement, column);
        break;
    default: {
        const void *text = sqlite3_column_blob(statement, column);
        size_t n = (size_t) sqlite3_column_bytes(statement, column);
        cell = (Cell){{(int64_t) answer->text.count}, (uint32_t) n, TEXT};
        if (!tacArrayReserve(&answer->text, n + 1)) return false;
        if (n) memcpy(answer->text.at + answer->text.count, text, n);
        answer->text.count += n;
        answer->text.at[answer->text.count++] = 0;
    }
    }
    answer->seen[column] |= 1u << cell.type;
    return tacArrayPush(&answer->cells, cell);
}

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static bool has(const Answer *answer, int column, CellType type) { return (answer->seen[column] >> type & 1) != 0; }

/* Are all values of a column of times ticks that a number in time units tells exactly? */
static bool areTicks(const Answer *answer, int column, int digits) {
    double scale = pow(10, digits);
    for (size_t i = (size_t) column; i < answer->cells.count; i += (size_t) answer->nColumns) {
        const Cell *cell = &answer->cells.at[i];
        if (cell->type == REAL && !(fabs(cell->is.real * scale) < 0x1p53)) return false;
        if (cell->type == INTEGER && cell->is.integer != 0) return false;
    }
    return true;
}

/* Makes ticks of the numbers of a column. */
static void makeTicks(Answer *answer, int column, int digits) {
    double scale = pow(10, digits);
    for (size_t i = (size_t) column; i < answer->cells.count; i += (size_t) answer->nColumns) {
        Cell *cell = &answer->cells.at[i];
        if (cell->type == REAL) cell->is.integer = llround(cell->is.real * scale);
    }
}

static void chooseTypes(const tacSql *sql, Answer *answer, tacTable *table) {
    bool alike = tacSqlScale(sql, &table->digits, &table->timeUnit);
    for (int i = 0; i < answer->nColumns; i++) {
        const char *declared = sqlite3_column_decltype(sql->statement, i);
        tacColumn *column = &answer->columns[i];
        column->type = has(answer, i, TEXT) ? TAC_COLUMN_TEXT
            : has(answer, i, REAL)          ? TAC_COLUMN_NUMBER
                                            : TAC_COLUMN_COUNT;
        if (!alike || !declared || strcmp(declared, "TIME") != 0 || has(answer, i, TEXT)
            || !areTicks(answer, i, table->digits))
            continue;
        column->type = TAC_COLUMN_TIME;
        makeTicks(answer, i, table->digits);
    }
}

static void answerCell(const tacTable *table, uint64_t row, int column, tacCell *to) {
    Answer *answer = table->data;
    const Cell *cell = &answer->cells.at[row * (uint64_t) answer->nColumns + (uint64_t) column];
    if (cell->type == EMPTY) return;
    to->known = true;
    switch (table->columns[column].type) {
    case TAC_COLUMN_TIME:
    case TAC_COLUMN_COUNT: to->ticks = cell->is.integer; return;
    case TAC_COLUMN_NUMBER: tacCellNumber(to, cell->type == REAL ? cell->is.real : (double) cell->is.integer); return;
    default: break;
    }
    to->text = answer->number;
    if (cell->type == TEXT) {
        to->text = answer->text.at + cell->is.integer;
        to->length = cell->length;
    } else if (cell->type == INTEGER) {
        to->length = (size_t) tacDecimalFormat(cell->is.integer, 0, answer->number);
    } else {
        to->length = (size_t) tacPrint(answer->number, sizeof answer->number, "%.15g", cell->is.real);
    }
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static int64_t nowNanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

typedef struct Running {
    tacSql *sql;
    tacProgress *outer; /* or NULL */
    uint64_t rows;
    const tacSqlLimits *limits;
} Running;

/* Asked now and then: has it taken too long, does the caller want it to stop? */
static bool goOn(void *data, const tacProgress *progress) {
    Running *running = data;
    (void) progress;
    if (running->sql->due && nowNanoseconds() > running->sql->due) return running->sql->late = true, false;
    return !running->outer || tacProgressStep(running->outer, running->rows);
}

static int isOver(void *data) {
    Running *running = data;
    return !tacProgressStep(running->sql->progress, 0);
}

static tacStatus failLong(const Running *running, tacError *err) {
    return tacFail(err, "LIMIT MEMORY",
        "the answer takes more than %.0f MB after %llu rows: ask for less (WHERE, LIMIT), or allow more",
        (double) running->limits->bytes / (1 << 20), (unsigned long long) running->rows);
}

static tacStatus fail(const Running *running, int result, tacError *err) {
    tacSql *sql = running->sql;
    const tacSqlLimits *limits = running->limits;
    if (sql->late)
        return tacFail(err, "LIMIT TIME",
            "the statement was stopped after %.3g s, its limit: ask for less (WHERE, LIMIT), or allow more",
            limits->seconds);
    if (result == SQLITE_NOMEM && limits->bytes && errno != ENOMEM)
        return tacFail(err, "LIMIT MEMORY",
            "the statement sorts or compares more than %.0f MB: ask for less (WHERE, LIMIT), or allow more",
            (double) limits->bytes / (1 << 20));
    if (tacProgressStopped(sql->progress)) return tacFailStopped(err, sql->progress);
    if (result == SQLITE_NOMEM) return tacFailMemory(err);
    if (*sql->err.message) return tacFail(err, sql->err.code, "%s", sql->err.message);
    return tacFail(err, "SQL RUN", "%s", sqlite3_errmsg(sql->database));
}

/* Runs it to its end. A cell may take 256 MB and a row has many: the answer is looked at cell by cell, and the memory
 * of SQLite by itself, which fails like one that has no more; errno tells both apart. */
static tacStatus collect(Running *running, Answer *answer, tacError *err) {
    sqlite3_stmt *statement = running->sql->statement;
    uint64_t most = running->limits->bytes ? running->limits->bytes : UINT64_MAX;
    int result;
    errno = 0;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        running->rows++;
        for (int i = 0; i < answer->nColumns; i++) {
            if (!keepCell(answer, statement, i)) return tacFailMemory(err);
            if (answer->cells.count * sizeof(Cell) + answer->text.count > most) return failLong(running, err);
        }
    }
    return result == SQLITE_DONE ? TAC_OK : fail(running, result, err);
}

static tacStatus collectWithin(Running *running, Answer *answer, tacError *err) {
    sqlite3_int64 bytes = (sqlite3_int64) (running->limits->bytes < INT64_MAX / 2 ? running->limits->bytes : 0);
    if (!bytes) return collect(running, answer, err);
    sqlite3_int64 soft = sqlite3_soft_heap_limit64(-1);
    sqlite3_int64 hard = sqlite3_hard_heap_limit64(sqlite3_memory_used() + bytes);
    tacStatus status = collect(running, answer, err);
    sqlite3_hard_heap_limit64(hard);
    sqlite3_soft_heap_limit64(soft);
    return status;
}

tacStatus tacSqlRun(tacSql *sql, const tacSqlLimits *limits, tacProgress *progress, tacTable *table, tacError *err) {
    enum { STEPS = 4096 };
    Running running = {sql, progress, 0, limits};
    tacProgress inner = {.report = goOn, .data = &running};
    Answer *answer = newAnswer(sql->statement);
    *table = (tacTable){.nRows = 0};
    if (!answer) return tacFailMemory(err);
    tacErrorClear(&sql->err);
    tacProgressDelay(&inner);
    sql->progress = &inner;
    sql->late = false;
    sql->due = limits->seconds > 0 ? nowNanoseconds() + (int64_t) (1e9 * fmin(limits->seconds, 1e9)) : 0;
    sqlite3_progress_handler(sql->database, STEPS, isOver, &running);
    tacStatus status = collectWithin(&running, answer, err);
    sqlite3_progress_handler(sql->database, 0, NULL, NULL);
    sqlite3_reset(sql->statement);
    sql->progress = NULL;
    if (status != TAC_OK) return freeAnswer(answer), TAC_ERROR;
    *table = (tacTable){.title = "answer",
        .columns = answer->columns,
        .nColumns = answer->nColumns,
        .nRows = running.rows,
        .cell = answerCell,
        .data = answer,
        .release = freeAnswer};
    chooseTypes(sql, answer, table);
    return TAC_OK;
}
