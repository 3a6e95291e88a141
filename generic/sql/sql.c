/*
 * sql.c -- a connection that has nothing but the tables of traces, and statements that only read.
 */
#include "base/port.h"

#include "base/similar.h"
#include "sql/sqlPart.h"

#include <stdio.h>
#include <string.h>

/* ---- what statements may do -------------------------------------------------------------------------------------- */

/* Asked while a statement is compiled. Notes the tables that it reads. */
static int authorize(
    void *data, int action, const char *first, const char *second, const char *database, const char *trigger) {
    tacSql *sql = data;
    int n;
    (void) database, (void) trigger;
    if (!sql->closed || sql->declares) return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return second && strcmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_READ:
        for (const tacSqlKind *kinds = tacSqlKinds(&n), *kind = kinds; first && kind < kinds + n; kind++)
            if (strcmp(kind->name, first) == 0) sql->reads |= (uint64_t) 1 << (kind - kinds);
        return SQLITE_OK;
    default: sql->writes = true; return SQLITE_DENY;
    }
}

/* Bounds of what a statement can be and make. What it sorts or keeps apart stays in memory, where it is counted: else
 * SQLite writes it into a temporary file without an end. */
static void setLimits(sqlite3 *database) {
    static const int limits[][2] = {{SQLITE_LIMIT_LENGTH, 1 << 28}, {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
        {SQLITE_LIMIT_EXPR_DEPTH, 500}, {SQLITE_LIMIT_ATTACHED, 0}, {SQLITE_LIMIT_TRIGGER_DEPTH, 0},
        {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) sqlite3_limit(database, limits[i][0], limits[i][1]);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
}

/* ---- the connection ---------------------------------------------------------------------------------------------- */

tacSql *tacSqlNew(tacError *err) {
    tacSql *sql = tacAllocZero(1, sizeof *sql);
    if (sql
        && sqlite3_open_v2(":memory:", &sql->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL) == SQLITE_OK
        && sqlite3_exec(sql->database, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL) == SQLITE_OK
        && sqlite3_set_authorizer(sql->database, authorize, sql) == SQLITE_OK
        && tacSqlAddFunctions(sql->database) == SQLITE_OK) {
        setLimits(sql->database);
        return sql;
    }
    tacSqlFree(sql);
    tacFailMemory(err);
    return NULL;
}

static void forget(tacSql *sql) {
    sqlite3_finalize(sql->statement);
    tacFree(sql->text);
    sql->statement = NULL;
    sql->text = NULL;
    sql->reads = 0;
    sql->writes = false;
    tacErrorClear(&sql->err);
}

void tacSqlFree(tacSql *sql) {
    if (!sql) return;
    forget(sql);
    sqlite3_close(sql->database);
    for (size_t i = 0; i < sql->traces.count; i++) tacFree(sql->traces.at[i].name);
    tacArrayFree(&sql->traces);
    tacFree(sql);
}

tacStatus tacSqlAdd(tacSql *sql, const tacTrace *trace, const char *name, tacError *err) {
    char *copy = tacCopyText(name, strlen(name));
    if (copy && tacArrayPush(&sql->traces, (tacSqlTrace){trace, copy})) return TAC_OK;
    tacFree(copy);
    return tacFailMemory(err);
}

bool tacSqlScale(const tacSql *sql, int *digits, const char **unit) {
    if (!sql->traces.count) return false;
    const tacStore *first = &sql->traces.at[0].trace->store;
    *digits = first->digits;
    *unit = first->unit;
    for (size_t i = 1; i < sql->traces.count; i++) {
        const tacStore *store = &sql->traces.at[i].trace->store;
        if (store->digits > *digits) *digits = store->digits;
        if (!first->unit != !store->unit || (store->unit && strcmp(store->unit, first->unit) != 0)) return false;
    }
    return true;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

/* A table, or a column of one, whose name is like the word; NULL: none. */
static const char *similarName(const char *word, bool isTable) {
    int n, nColumns;
    const tacSqlKind *kinds = tacSqlKinds(&n);
    const char *dot = strrchr(word, '.');
    if (dot) word = dot + 1;
    for (int i = 0; i < n; i++) {
        if (isTable && tacSimilar(word, strlen(word), kinds[i].name)) return kinds[i].name;
        const tacColumn *columns = kinds[i].columns(&nColumns);
        for (int k = 0; !isTable && k < nColumns; k++)
            if (tacSimilar(word, strlen(word), columns[k].name)) return columns[k].name;
    }
    return NULL;
}

/* Fails with what is wrong with the statement, where, and what was meant perhaps. */
static tacStatus failSyntax(tacSql *sql, tacError *err) {
    enum { SHOWN = 40 };
    const char *message = sqlite3_errmsg(sql->database), *word = strstr(message, "no such ");
    int at = sqlite3_error_offset(sql->database);
    char hint[160] = "";
    if (word) word = strstr(word, ": ");
    const char *similar = word ? similarName(word + 2, strstr(message, "no such table") != NULL) : NULL;
    if (similar) snprintf(hint, sizeof hint, " (did you mean \"%s\"?)", similar);
    else if (word) snprintf(hint, sizeof hint, " (tactus sql --tables lists tables and columns)");
    else if (at >= 0 && (size_t) at < strlen(sql->text)) {
        snprintf(hint, sizeof hint, ", at \"%.*s", SHOWN, sql->text + at);
        tacWholeCharacters(hint);
        strcat(hint, "\"");
    }
    return tacFail(err, "SQL SYNTAX", "%s%s", message, hint);
}

/* Is there nothing but blanks and comments? */
static bool isBlank(tacSql *sql, const char *text) {
    sqlite3_stmt *more = NULL;
    bool blank = sqlite3_prepare_v2(sql->database, text, -1, &more, NULL) == SQLITE_OK && !more;
    sqlite3_finalize(more);
    return blank;
}

tacStatus tacSqlPrepare(tacSql *sql, const char *text, tacError *err) {
    const char *rest = NULL;
    forget(sql);
    if (!sql->closed && tacSqlDeclare(sql, err) != TAC_OK) return TAC_ERROR;
    sql->closed = true;
    sql->text = tacCopyText(text, strlen(text));
    if (!sql->text) return tacFailMemory(err);
    int result = sqlite3_prepare_v2(sql->database, sql->text, -1, &sql->statement, &rest);
    if (result == SQLITE_NOMEM) return tacFailMemory(err);
    if (*sql->err.message) return tacFail(err, sql->err.code, "%s", sql->err.message);
    bool modifies = result != SQLITE_OK && strstr(sqlite3_errmsg(sql->database), "may not be modified");
    if (sql->writes || modifies || (sql->statement && !sqlite3_column_count(sql->statement)))
        return tacFail(err, "SQL WRITE", "only statements that read are allowed: SELECT, WITH, VALUES and EXPLAIN");
    if (result != SQLITE_OK) return failSyntax(sql, err);
    if (!sql->statement) return tacFail(err, "SQL SYNTAX", "there is no statement");
    if (!isBlank(sql, rest)) return tacFail(err, "SQL SYNTAX", "one statement at a time: something follows the first");
    return TAC_OK;
}

bool tacSqlReads(const tacSql *sql, const char *table) {
    int n;
    const tacSqlKind *kinds = tacSqlKinds(&n);
    for (int i = 0; i < n; i++)
        if (strcmp(kinds[i].name, table) == 0) return (sql->reads >> i & 1) != 0;
    return false;
}
