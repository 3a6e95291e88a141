/*
 * sqlTable.c -- the tables of traces as virtual tables of SQLite.
 *
 *      Table: one of a kind, over all traces      Opened: its table of one trace, made when it is first looked at
 *      Cursor: traces -> stretches of a table in order of time (relation/table.h) -> rows
 *
 * best() tells SQLite which conditions make a scan shorter, and how much; they come back as letters, one for each value
 * that filter() gets:
 *
 *      T         the trace is this one             N n m   the number is, is at least, is at most
 *      E L U     the time along which rows are     e l u   the same in ticks
 *                in order is, is at least, is      R       the end is at least
 *                at most                           X       the text of a column (its number, in
 *                                                         two hexadecimal digits) is
 *
 * SQLite looks at each row once more, so a range may be too wide: bounds of times are rounded outwards.
 */
#include "base/port.h"

#include "base/search.h"
#include "sql/sqlPart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Opened { /* a table of one trace */
    tacTable table;
    tacTextIndex *indices; /* by column; those without `starts` are not made. NULL: none is */
    bool made;
} Opened;

typedef struct Table {
    sqlite3_vtab base;
    tacSql *sql;
    const tacSqlKind *kind;
    const tacColumn *columns;
    int nColumns;
    int *times;     /* columns of times, whose ticks are hidden columns */
    Opened *opened; /* by trace */
    double rows;    /* of all traces, about */
} Table;

/* Columns as SQLite numbers them. */
enum { TRACE, FIRST };
static int numberColumn(const Table *table) { return FIRST + table->nColumns; }

typedef struct Wanted { /* conditions, as filter() gets them */
    const char *trace, *text;
    int traceBytes, textBytes, textColumn;
    int64_t numberFrom, numberTo;
    double timeFrom, timeTo, endFrom; /* in time units */
    int64_t ticksFrom, ticksTo;
} Wanted;

typedef struct Cursor {
    sqlite3_vtab_cursor base;
    Table *of;
    char *words; /* the texts of `wanted`, owned */
    Wanted wanted;
    uint32_t trace;              /* the one that is looked at; all are done: their number */
    const tacTable *table;       /* its table; of delays: `own` */
    tacTable own;                /* parts of one job */
    uint64_t stretch, stretches; /* the next one, and how many there are; of delays: jobs */
    uint64_t row, end;           /* of the stretch */
    const uint32_t *list;        /* rows of a text; NULL: all between `row` and `end` */
    uint64_t at, count;          /* in the list */
    uint64_t first, last;        /* rows by their number: from first, before last */
    int64_t from, to, reach;     /* times, in ticks of this trace */
    double scale;                /* 10^digits */
} Cursor;

/* ---- tables of a trace ------------------------------------------------------------------------------------------ */

static int failed(Table *table) {
    sqlite3_free(table->base.zErrMsg);
    table->base.zErrMsg = sqlite3_mprintf("%s", table->sql->err.message);
    return SQLITE_ERROR;
}

/* The table of a trace; NULL: the error is the connection's. */
static const tacTable *openTable(Table *table, uint32_t trace) {
    Opened *opened = &table->opened[trace];
    if (opened->made) return &opened->table;
    if (table->kind->relation->make(table->sql->traces.at[trace].trace, TAC_UNKNOWN, TAC_UNKNOWN, table->sql->progress,
            &opened->table, &table->sql->err)
        != TAC_OK)
        return NULL;
    opened->made = true;
    return &opened->table;
}

/* Index of a column's texts. */
static const tacTextIndex *openIndex(Table *table, uint32_t trace, int column) {
    Opened *opened = &table->opened[trace];
    if (!opened->indices) opened->indices = tacAllocZero((size_t) table->nColumns, sizeof *opened->indices);
    tacTextIndex *index = opened->indices ? &opened->indices[column] : NULL;
    if (!index) return tacFailMemory(&table->sql->err), NULL;
    if (index->starts
        || tacTextIndexMake(index, &opened->table, column, table->sql->progress, &table->sql->err) == TAC_OK)
        return index;
    return NULL;
}

static void closeTable(Opened *opened, int nColumns) {
    for (int i = 0; opened->indices && i < nColumns; i++) tacTextIndexFree(&opened->indices[i]);
    tacFree(opened->indices);
    if (opened->made) tacTableFree(&opened->table);
}

/* ---- declaring --------------------------------------------------------------------------------------------------- */

static const tacRelationKind messages;

/* How many rows the table of a trace has, about: for SQLite's choice of a plan. */
static double countRows(const tacSqlKind *kind, const tacTrace *trace) {
    const tacModel *model = &trace->model;
    double slices = 0;
    if (!kind->relation) return 4.0 * (double) model->jobs.count;
    if (strcmp(kind->name, "events") == 0) return tacStoreCount(&trace->store);
    if (strcmp(kind->name, "jobs") == 0) return (double) model->jobs.count;
    if (strcmp(kind->name, "marks") == 0 || kind->relation == &messages) return (double) model->messages.count;
    if (strcmp(kind->name, "slices") != 0 && strcmp(kind->name, "holds") != 0) return 20;
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_TASK); i++)
        slices += (double) (*kind->name == 's' ? model->tasks[i].slices.count : model->tasks[i].holds.count);
    return slices;
}

/* The statement that describes the table. */
static char *declaration(const Table *table) {
    static const char *const types[] = {"TEXT", "TIME", "INTEGER", "REAL"};
    sqlite3_str *out = sqlite3_str_new(table->sql->database);
    sqlite3_str_appendf(out, "CREATE TABLE t(trace TEXT%s", table->sql->traces.count == 1 ? " HIDDEN" : "");
    for (int i = 0; i < table->nColumns; i++)
        sqlite3_str_appendf(out, ", \"%w\" %s", table->columns[i].name, types[table->columns[i].type]);
    sqlite3_str_appendf(out, ", number INTEGER HIDDEN");
    for (int i = 0; i < table->nColumns; i++)
        if (table->columns[i].type == TAC_COLUMN_TIME)
            sqlite3_str_appendf(out, ", \"%w_ticks\" INTEGER HIDDEN", table->columns[i].name);
    sqlite3_str_appendf(out, ")");
    return sqlite3_str_finish(out);
}

static int disconnect(sqlite3_vtab *base) {
    Table *table = (Table *) base;
    for (size_t i = 0; table->opened && i < table->sql->traces.count; i++)
        closeTable(&table->opened[i], table->nColumns);
    tacFree(table->opened);
    tacFree(table->times);
    sqlite3_free(table);
    return SQLITE_OK;
}

static int connect(
    sqlite3 *database, void *data, int argc, const char *const *argv, sqlite3_vtab **made, char **message) {
    tacSql *sql = data;
    int nKinds, n = 0;
    const tacSqlKind *kind = tacSqlKinds(&nKinds);
    (void) argc, (void) message;
    while (nKinds-- > 1 && strcmp(kind->name, argv[2]) != 0) kind++;
    Table *table = sqlite3_malloc(sizeof *table);
    if (!table) return SQLITE_NOMEM;
    *table = (Table){.sql = sql, .kind = kind};
    table->columns = kind->columns(&table->nColumns);
    table->opened = tacAllocZero(sql->traces.count, sizeof *table->opened);
    table->times = tacAllocZero((size_t) table->nColumns, sizeof *table->times);
    char *text = table->opened && table->times ? declaration(table) : NULL;
    sql->declares = true;
    int result = text ? sqlite3_declare_vtab(database, text) : SQLITE_NOMEM;
    sql->declares = false;
    sqlite3_free(text);
    if (result != SQLITE_OK) return disconnect(&table->base), result;
    for (int i = 0; i < table->nColumns; i++)
        if (table->columns[i].type == TAC_COLUMN_TIME) table->times[n++] = i;
    for (size_t i = 0; i < sql->traces.count; i++) table->rows += countRows(kind, sql->traces.at[i].trace);
    *made = &table->base;
    return SQLITE_OK;
}

/* ---- choosing a plan --------------------------------------------------------------------------------------------- */

/* The order of a kind's rows. Tables of all traces have the same; NULL: they have none, or there is no trace. */
static const tacTableOrder *orderOf(Table *table) {
    if (!table->kind->relation || !table->sql->traces.count || table->rows <= 20) return NULL;
    const tacTable *first = openTable(table, 0);
    return first ? first->order : NULL;
}

/* The letter of a condition that makes a scan shorter, and by how much; 0: it does not. */
static char letterOf(Table *table, const tacTableOrder *order, int column, int operator, double * share) {
    bool equal = operator== SQLITE_INDEX_CONSTRAINT_EQ;
    bool least = operator== SQLITE_INDEX_CONSTRAINT_GE || operator== SQLITE_INDEX_CONSTRAINT_GT;
    bool most = operator== SQLITE_INDEX_CONSTRAINT_LE || operator== SQLITE_INDEX_CONSTRAINT_LT;
    int hidden = column - numberColumn(table) - 1;
    *share = equal ? 0 : 0.25;
    if (!equal && !least && !most) return 0;
    if (column == TRACE) return *share = 1.0 / (double) table->sql->traces.count, equal ? 'T' : 0;
    if (!table->kind->relation) { /* delays: by the job */
        bool isJob = column >= FIRST && column < numberColumn(table)
            && strcmp(table->columns[column - FIRST].name, "job_number") == 0;
        return !isJob ? 0 : equal ? 'N' : least ? 'n' : 'm';
    }
    if (column == numberColumn(table)) return equal ? 'N' : least ? 'n' : 'm';
    if (order && (hidden < 0 ? column - FIRST : table->times[hidden]) == order->column)
        return hidden < 0 ? (equal ? 'E' : least ? 'L' : 'U') : equal ? 'e' : least ? 'l' : 'u';
    if (order && hidden < 0 && column - FIRST == order->endColumn && least) return 'R';
    if (equal && hidden < 0 && table->columns[column - FIRST].type == TAC_COLUMN_TEXT) return *share = 0.05, 'X';
    return 0;
}

/* Are rows in the order that is wanted? */
static bool inOrder(const Table *table, const tacTableOrder *order, const sqlite3_index_info *info) {
    if (info->nOrderBy != 1 || info->aOrderBy[0].desc || table->sql->traces.count > 1 || !table->kind->relation)
        return false;
    int column = info->aOrderBy[0].iColumn;
    if (column == numberColumn(table)) return !table->opened[0].made || !table->opened[0].table.rowOfId;
    return order && order->full && !order->stretches && column - FIRST == order->column;
}

static int best(sqlite3_vtab *base, sqlite3_index_info *info) {
    Table *table = (Table *) base;
    const tacTableOrder *order = orderOf(table);
    char letters[3 * 16 + 1];
    int n = 0, used = 0;
    double rows = table->rows;
    bool byText = false;
    for (int i = 0; i < info->nConstraint && used + 3 < (int) sizeof letters; i++) {
        const struct sqlite3_index_constraint *is = &info->aConstraint[i];
        double share;
        char letter = is->usable ? letterOf(table, order, is->iColumn, is->op, &share) : 0;
        if (!letter || (letter == 'X' && byText)) continue;
        if ((letter == 'X' || letter == 'T') && strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0) continue;
        byText = byText || letter == 'X';
        info->aConstraintUsage[i].argvIndex = ++n;
        letters[used++] = letter;
        if (letter == 'X') used += sprintf(letters + used, "%02x", (unsigned) (is->iColumn - FIRST) & 0xff);
        rows *= share;
    }
    letters[used] = 0;
    info->idxStr = sqlite3_mprintf("%s", letters);
    if (!info->idxStr) return SQLITE_NOMEM;
    info->needToFreeIdxStr = 1;
    info->orderByConsumed = inOrder(table, order, info);
    info->estimatedRows = (sqlite3_int64) rows + 1;
    info->estimatedCost = (rows + 1) * (table->kind->relation ? 1 : 1000);
    return SQLITE_OK;
}

/* ---- walking ----------------------------------------------------------------------------------------------------- */

static int openCursor(sqlite3_vtab *base, sqlite3_vtab_cursor **made) {
    Cursor *cursor = sqlite3_malloc(sizeof *cursor);
    if (!cursor) return SQLITE_NOMEM;
    *cursor = (Cursor){.of = (Table *) base};
    *made = &cursor->base;
    return SQLITE_OK;
}

static void leaveJob(Cursor *cursor) { tacTableFree(&cursor->own); }

static int closeCursor(sqlite3_vtab_cursor *base) {
    Cursor *cursor = (Cursor *) base;
    leaveJob(cursor);
    sqlite3_free(cursor->words);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

/* Ticks of a time, which are at most (up: at least) as many as it has. */
static int64_t ticksOf(double time, double scale, bool up) {
    double ticks = time * scale;
    double slack = fabs(ticks) * 1e-15 + 1;
    ticks = up ? ceil(ticks + slack) : floor(ticks - slack);
    return ticks >= 9.2e18 ? INT64_MAX : ticks <= -9.2e18 ? INT64_MIN + 1 : (int64_t) ticks;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Finds the rows of the numbers that are wanted. */
static void findNumbers(Cursor *cursor, const tacTable *table) {
    const Wanted *wanted = &cursor->wanted;
    cursor->first = 0;
    cursor->last = table->nRows;
    if (table->rowOfId) return;
    uint64_t from = wanted->numberFrom < 0 ? 0 : (uint64_t) wanted->numberFrom;
    uint64_t to = wanted->numberTo < 0  ? 0
        : wanted->numberTo == INT64_MAX ? UINT64_MAX
                                        : (uint64_t) wanted->numberTo + 1;
    if (!table->id) {
        cursor->first = from < table->nRows ? from : table->nRows;
        cursor->last = to < table->nRows ? to : table->nRows;
        return;
    }
    if (from) cursor->first = tacPast(uint64_t, 0, table->nRows, row, table->id(table, row) < from);
    if (to != UINT64_MAX) cursor->last = tacPast(uint64_t, 0, table->nRows, row, table->id(table, row) < to);
}

/* Begins with the tables of a trace. */
static int enterTrace(Cursor *cursor) {
    Table *of = cursor->of;
    const tacSqlTrace *trace = &of->sql->traces.at[cursor->trace];
    const Wanted *wanted = &cursor->wanted;
    cursor->scale = pow(10, trace->trace->store.digits);
    cursor->list = NULL;
    cursor->stretch = cursor->stretches = 0;
    if (wanted->trace
        && (strlen(trace->name) != (size_t) wanted->traceBytes
            || memcmp(trace->name, wanted->trace, (size_t) wanted->traceBytes) != 0))
        return SQLITE_OK;
    cursor->from = larger(wanted->ticksFrom, ticksOf(wanted->timeFrom, cursor->scale, false));
    cursor->to = smaller(wanted->ticksTo, ticksOf(wanted->timeTo, cursor->scale, true));
    cursor->reach = ticksOf(wanted->endFrom, cursor->scale, false);
    if (!of->kind->relation) { /* the jobs whose delays are wanted */
        int64_t jobs = (int64_t) trace->trace->model.jobs.count;
        cursor->stretch = (uint64_t) smaller(larger(wanted->numberFrom, 0), jobs);
        cursor->stretches = wanted->numberTo < 0 ? 0 : (uint64_t) smaller(wanted->numberTo, jobs - 1) + 1;
        if (!jobs) cursor->stretches = 0;
        return SQLITE_OK;
    }
    cursor->table = openTable(of, cursor->trace);
    if (!cursor->table) return failed(of);
    findNumbers(cursor, cursor->table);
    cursor->stretches = cursor->table->order && cursor->table->order->stretches
        ? cursor->table->order->stretches(cursor->table)
        : 1;
    if (!wanted->text) return SQLITE_OK;
    const tacTextIndex *index = openIndex(of, cursor->trace, wanted->textColumn);
    if (!index) return failed(of);
    uint32_t count;
    cursor->list = tacTextIndexRows(index, wanted->text, (size_t) wanted->textBytes, &count);
    cursor->at = tacPast(uint64_t, 0, count, i, cursor->list[i] < cursor->first);
    cursor->count = tacPast(uint64_t, cursor->at, count, i, cursor->list[i] < cursor->last);
    cursor->stretches = cursor->list && cursor->at < cursor->count;
    return SQLITE_OK;
}

/* The rows of the next stretch that are wanted; of delays: the parts of the next job. */
static int enterStretch(Cursor *cursor) {
    const tacTable *table = cursor->table;
    uint64_t stretch = cursor->stretch++;
    Table *of = cursor->of;
    if (cursor->list) return cursor->row = cursor->list[cursor->at], SQLITE_OK;
    if (!of->kind->relation) {
        leaveJob(cursor);
        cursor->row = cursor->end = 0;
        if (tacDelayTable(&of->sql->traces.at[cursor->trace].trace->model, (uint32_t) stretch, of->sql->progress,
                &cursor->own, &of->sql->err)
            != TAC_OK)
            return failed(of);
        cursor->table = &cursor->own;
        cursor->end = cursor->own.nRows;
        return SQLITE_OK;
    }
    const tacTableOrder *order = table->order;
    cursor->row = order && order->stretches ? order->begin(table, stretch) : 0;
    cursor->end = order && order->stretches ? order->begin(table, stretch + 1) : table->nRows;
    if (cursor->row < cursor->first) cursor->row = cursor->first;
    if (cursor->end > cursor->last) cursor->end = cursor->last;
    if (!order || cursor->row >= cursor->end) return SQLITE_OK;
    if (cursor->from != INT64_MIN + 1)
        cursor->row = tacPast(uint64_t, cursor->row, cursor->end, i, order->time(table, i) < cursor->from);
    if (cursor->to != INT64_MAX)
        cursor->end = tacPast(uint64_t, cursor->row, cursor->end, i, order->time(table, i) <= cursor->to);
    if (order->reach && cursor->reach != INT64_MIN + 1) {
        uint64_t row = order->reach(table, stretch, cursor->reach);
        if (cursor->row < row) cursor->row = row;
    }
    return SQLITE_OK;
}

/* Goes to the next stretch, or trace, that has a row. */
static int advance(Cursor *cursor) {
    for (;;) {
        while (cursor->stretch < cursor->stretches) {
            int result = enterStretch(cursor);
            if (result != SQLITE_OK) return result;
            if (cursor->list || cursor->row < cursor->end) return SQLITE_OK;
        }
        if (++cursor->trace >= cursor->of->sql->traces.count) return SQLITE_OK;
        int result = enterTrace(cursor);
        if (result != SQLITE_OK) return result;
    }
}

static int next(sqlite3_vtab_cursor *base) {
    Cursor *cursor = (Cursor *) base;
    if (!cursor->list) return TAC_LIKELY(++cursor->row < cursor->end) ? SQLITE_OK : advance(cursor);
    if (++cursor->at < cursor->count) return cursor->row = cursor->list[cursor->at], SQLITE_OK;
    return advance(cursor);
}

static int isAtEnd(sqlite3_vtab_cursor *base) {
    const Cursor *cursor = (const Cursor *) base;
    return cursor->trace >= cursor->of->sql->traces.count;
}

/* ---- beginning --------------------------------------------------------------------------------------------------- */

/* A number of a condition as a bound. Others than numbers say nothing here, and SQLite looks at them. */
static bool isNumber(sqlite3_value *value) {
    int type = sqlite3_value_numeric_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* The largest (up: least) integer that is at most (at least) the value. */
static int64_t whole(sqlite3_value *value, bool up) {
    if (sqlite3_value_numeric_type(value) == SQLITE_INTEGER) return sqlite3_value_int64(value);
    return ticksOf(sqlite3_value_double(value), 1, up);
}

static void limit(Wanted *wanted, char letter, sqlite3_value *value) {
    if (!isNumber(value)) return;
    double number = sqlite3_value_double(value);
    switch (letter) {
    case 'N': wanted->numberFrom = wanted->numberTo = whole(value, false); break;
    case 'n': wanted->numberFrom = larger(wanted->numberFrom, whole(value, false)); break;
    case 'm': wanted->numberTo = smaller(wanted->numberTo, whole(value, true)); break;
    case 'e': wanted->ticksFrom = wanted->ticksTo = whole(value, false); break;
    case 'l': wanted->ticksFrom = larger(wanted->ticksFrom, whole(value, false)); break;
    case 'u': wanted->ticksTo = smaller(wanted->ticksTo, whole(value, true)); break;
    case 'R': wanted->endFrom = fmax(wanted->endFrom, number); break;
    case 'E': wanted->timeFrom = wanted->timeTo = number; break;
    case 'L': wanted->timeFrom = fmax(wanted->timeFrom, number); break;
    default: wanted->timeTo = fmin(wanted->timeTo, number); break;
    }
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *letters, int argc, sqlite3_value **argv) {
    Cursor *cursor = (Cursor *) base;
    Wanted *wanted = &cursor->wanted;
    (void) number;
    *wanted = (Wanted){.numberTo = INT64_MAX,
        .timeFrom = -INFINITY,
        .timeTo = INFINITY,
        .endFrom = -INFINITY,
        .ticksFrom = INT64_MIN + 1,
        .ticksTo = INT64_MAX};
    size_t bytes = 2;
    for (int i = 0; i < argc; i++) bytes += (size_t) sqlite3_value_bytes(argv[i]) + 1;
    sqlite3_free(cursor->words);
    cursor->words = sqlite3_malloc64(bytes);
    if (!cursor->words) return SQLITE_NOMEM;
    char *word = cursor->words;
    bool none = false;
    for (int i = 0; i < argc; i++, letters++) {
        char letter = *letters;
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL) none = true; /* no comparison with NULL is true */
        if (letter != 'T' && letter != 'X') {
            limit(wanted, letter, argv[i]);
            continue;
        }
        int n = sqlite3_value_bytes(argv[i]);
        if (letter == 'X') {
            wanted->textColumn = (int) strtol((char[]){letters[1], letters[2], 0}, NULL, 16);
            letters += 2;
        }
        if (n) memcpy(word, sqlite3_value_text(argv[i]), (size_t) n);
        *(letter == 'T' ? &wanted->trace : &wanted->text) = word;
        *(letter == 'T' ? &wanted->traceBytes : &wanted->textBytes) = n;
        word += n;
        *word++ = 0;
    }
    cursor->trace = none ? (uint32_t) cursor->of->sql->traces.count : 0;
    cursor->stretch = cursor->stretches = 0;
    if (isAtEnd(base)) return SQLITE_OK;
    int result = enterTrace(cursor);
    return result == SQLITE_OK ? advance(cursor) : result;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static int giveCell(Cursor *cursor, sqlite3_context *context, int column, bool asTicks) {
    const tacTable *table = cursor->table;
    tacCell cell = {0};
    uint64_t group;
    table->cell(table, cursor->row, column, &cell);
    if (TAC_UNLIKELY(tacTableFailed(table))) return SQLITE_NOMEM;
    if (!cell.known) return SQLITE_OK;
    switch (table->columns[column].type) {
    case TAC_COLUMN_TEXT:
        sqlite3_result_text(context, cell.text, (int) cell.length,
            table->group && table->group(table, cursor->row, column, &group) ? SQLITE_STATIC : SQLITE_TRANSIENT);
        break;
    case TAC_COLUMN_TIME:
        if (asTicks) sqlite3_result_int64(context, cell.ticks);
        else sqlite3_result_double(context, (double) cell.ticks / cursor->scale);
        break;
    case TAC_COLUMN_COUNT: sqlite3_result_int64(context, cell.ticks); break;
    case TAC_COLUMN_NUMBER: sqlite3_result_double(context, cell.number); break;
    }
    return SQLITE_OK;
}

static int giveColumn(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    Cursor *cursor = (Cursor *) base;
    const Table *of = cursor->of;
    int hidden = column - numberColumn(of);
    const tacTableOrder *order = cursor->table->order;
    if (order && order->full && column - FIRST == order->column) /* the column that is asked for most, without a cell */
        return sqlite3_result_double(context, (double) order->time(cursor->table, cursor->row) / cursor->scale),
               SQLITE_OK;
    if (TAC_LIKELY(column >= FIRST && hidden < 0)) return giveCell(cursor, context, column - FIRST, false);
    if (column == TRACE) sqlite3_result_text(context, of->sql->traces.at[cursor->trace].name, -1, SQLITE_STATIC);
    else if (hidden > 0) return giveCell(cursor, context, of->times[hidden - 1], true);
    else
        sqlite3_result_int64(
            context, (sqlite3_int64) (cursor->table->id ? cursor->table->id(cursor->table, cursor->row) : cursor->row));
    return SQLITE_OK;
}

/* A number that only this row has; of delays it takes jobs to have less than 2^16 parts. */
static int giveRow(sqlite3_vtab_cursor *base, sqlite3_int64 *row) {
    const Cursor *cursor = (const Cursor *) base;
    uint64_t within = cursor->of->kind->relation ? cursor->row : (cursor->stretch << 16) + cursor->row;
    *row = (sqlite3_int64) (((uint64_t) cursor->trace << 48) + within);
    return SQLITE_OK;
}

/* ---- the kinds --------------------------------------------------------------------------------------------------- */

enum { MOST = 32 };

static tacStatus makeMessages(
    const tacTrace *trace, int64_t from, int64_t to, tacProgress *progress, tacTable *table, tacError *err) {
    (void) from, (void) to, (void) progress;
    return tacMessageTable(&trace->model, table, err);
}

/* The relation "messages" has the messages that contradict the clocks; in SQL that name is the reader's guess for the
 * texts in a trace, and has them. */
static const tacRelationKind messages = {"messages",
    "texts that a trace or its programs wrote, also such as are not drawn", false, tacMessageColumns, makeMessages};

static const char *nameOf(const tacRelationKind *relation) {
    return strcmp(relation->name, "messages") == 0 ? "violations" : relation->name;
}

const tacSqlKind *tacSqlKinds(int *count) {
    static tacSqlKind kinds[MOST];
    static int n;
    if (!n) {
        int i = 0;
        for (const tacRelationKind *relation = tacRelationKinds; relation->name && i < MOST - 2; relation++) {
            kinds[i++] = (tacSqlKind){nameOf(relation), relation->help, relation->columns, relation};
            if (strcmp(relation->name, "marks") != 0) continue;
            kinds[i++] = (tacSqlKind){messages.name, messages.help, messages.columns, &messages};
        }
        kinds[i++] = (tacSqlKind){
            "delays", "parts of the response time of each job, as `why` tells them", tacDelayColumns, NULL};
        n = i;
    }
    *count = n;
    return kinds;
}

tacStatus tacSqlDeclare(tacSql *sql, tacError *err) {
    static const sqlite3_module module = {.iVersion = 1,
        .xConnect = connect,
        .xCreate = NULL,
        .xBestIndex = best,
        .xDisconnect = disconnect,
        .xOpen = openCursor,
        .xClose = closeCursor,
        .xFilter = filter,
        .xNext = next,
        .xEof = isAtEnd,
        .xColumn = giveColumn,
        .xRowid = giveRow};
    int n;
    const tacSqlKind *kinds = tacSqlKinds(&n);
    for (int i = 0; i < n; i++)
        if (sqlite3_create_module(sql->database, kinds[i].name, &module, sql) != SQLITE_OK) return tacFailMemory(err);
    return TAC_OK;
}
