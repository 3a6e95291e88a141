/*
 * sqlPart.h -- shared by the files sql*.c: traces and their tables, as the module of virtual tables finds them.
 */
#ifndef TAC_SQL_SQL_PART_H
#define TAC_SQL_SQL_PART_H

#include "relation/textIndex.h"
#include "sql/sql.h"

#include <sqlite3.h>

typedef struct tacSqlTrace {
    const tacTrace *trace;
    char *name; /* owned */
} tacSqlTrace;

struct tacSql {
    sqlite3 *database;
    TAC_ARRAY(tacSqlTrace) traces;
    sqlite3_stmt *statement; /* NULL: none */
    char *text;              /* of the statement, for messages */
    uint64_t reads;          /* kinds that it reads, bit by bit */
    bool closed;             /* there are modules: no more traces, and statements may only read */
    bool declares;           /* a table is being declared */
    bool writes;             /* the statement that is checked does not only read */
    tacProgress *progress;   /* of what runs */
    int64_t due;             /* nanoseconds of the clock: it runs no longer; 0: as long as it likes */
    bool late;               /* it was stopped for that */
    tacError err;            /* of a table that could not be made */
};

/* Declares a table for each kind. TAC_ERROR: MEMORY. */
tacStatus tacSqlDeclare(tacSql *sql, tacError *err);
/* Adds percentile(x, p) and median(x). */
int tacSqlAddFunctions(sqlite3 *database);
/* The scale and the unit of all times, if they are those of all traces; else false. */
bool tacSqlScale(const tacSql *sql, int *digits, const char **unit);

#endif
