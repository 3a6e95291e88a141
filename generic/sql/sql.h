/*
 * sql.h -- questions in SQL about one trace or many: the tables of the traces, without a copy, to SQLite.
 *
 *      tacSql *sql = tacSqlNew(&err);
 *      tacSqlAdd(sql, trace, "a.tactus", &err)           each trace, before the first statement
 *      tacSqlPrepare(sql, "SELECT ...", &err)            checked; nothing is read yet
 *      tacSqlRun(sql, &limits, progress, &table, &err)   the answer, a table of its own
 *
 * Each table has the rows of all traces, one after the other. The columns are those of its relation
 * (analysis/tables.h), and before them `trace`, the name that was given with tacSqlAdd, which is hidden (`*` leaves it
 * out) if there is one trace. Hidden behind them stand `number`, that of the thing that the row is about (the row of an
 * event, the index of a job ...), and for each time one with `_ticks` behind its name: the exact time in ticks. Times
 * are numbers in the time unit of their trace.
 *
 * Ranges of the times along which rows are in order, of number, and equality of texts are looked up and not searched.
 * Only reading statements are allowed, one at a time.
 */
#ifndef TAC_SQL_SQL_H
#define TAC_SQL_SQL_H

#include "analysis/tables.h"

typedef struct tacSql tacSql;

/* The tables that there are: of relations, and such as only SQL has. */
typedef struct tacSqlKind {
    const char *name;
    const char *help; /* a clause without period */
    const tacColumn *(*columns)(int *nColumns);
    const tacRelationKind *relation; /* NULL: the delays of jobs, which are made one job at a time */
} tacSqlKind;
/* All kinds, *count of them. */
const tacSqlKind *tacSqlKinds(int *count);

typedef struct tacSqlLimits {
    uint64_t bytes; /* of the answer, and of what is kept apart to make it; 0: none */
    double seconds; /* of running; 0: none */
} tacSqlLimits;

tacSql *tacSqlNew(tacError *err); /* NULL: MEMORY */
void tacSqlFree(tacSql *sql);     /* NULL is fine */
/* The trace must stay until tacSqlFree; the name is copied. TAC_ERROR: MEMORY. */
tacStatus tacSqlAdd(tacSql *sql, const tacTrace *trace, const char *name, tacError *err);
/* Takes a statement in the place of the one before. TAC_ERROR: MEMORY; SQL SYNTAX, with the place and what was meant
 * perhaps; SQL WRITE, it does not only read. */
tacStatus tacSqlPrepare(tacSql *sql, const char *text, tacError *err);
/* Does the statement read this table? */
bool tacSqlReads(const tacSql *sql, const char *table);
/*
 * Runs the statement. The answer's columns are texts, counts or numbers, as their cells are; times are times if all
 * traces count them alike. TAC_ERROR: MEMORY, CANCELLED; LIMIT TIME, LIMIT MEMORY; SQL RUN, as SQLite says.
 */
tacStatus tacSqlRun(tacSql *sql, const tacSqlLimits *limits, tacProgress *progress, tacTable *answer, tacError *err);

#endif
