/*
 * sqlFunction.c -- aggregates that SQLite does not have: percentile(x, p) and median(x), by nearest rank, as all
 * percentiles of Tactus (analysis/stats.h): the p-th of n values in ascending order is the one at place ceil(n * p /
 * 100), so it is always a value that occurred. Empty values are left out.
 *
 * The values are in SQLite's memory, which is counted (sqlAnswer.c).
 */
#include "base/port.h"

#include "sql/sqlPart.h"

#include <math.h>
#include <stdlib.h>

typedef struct Values {
    double *all;
    size_t count, capacity;
    double percent;
    bool given, integers; /* percent is; all are, so the answer is */
    bool failed;
} Values;

static int ascending(const void *left, const void *right) {
    double a = *(const double *) left, b = *(const double *) right;
    return (a > b) - (a < b);
}

static bool keep(Values *values, double value) {
    if (values->count == values->capacity) {
        size_t capacity = values->capacity ? 2 * values->capacity : 16;
        double *all = sqlite3_realloc64(values->all, capacity * sizeof *all);
        if (!all) return false;
        values->all = all;
        values->capacity = capacity;
    }
    values->all[values->count++] = value;
    return true;
}

static void step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    Values *values = sqlite3_aggregate_context(context, sizeof *values);
    if (!values) return sqlite3_result_error_nomem(context);
    double percent = argc > 1 ? sqlite3_value_double(argv[1]) : 50;
    if (!values->given) values->percent = percent, values->integers = values->given = true;
    if (values->failed) return;
    if (!(percent >= 0 && percent <= 100) || percent != values->percent) {
        values->failed = true;
        return sqlite3_result_error(context, "percentile(x, p): p is one number from 0 to 100", -1);
    }
    int type = sqlite3_value_numeric_type(argv[0]);
    if (type == SQLITE_NULL) return;
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
        values->failed = true;
        return sqlite3_result_error(context, "percentile and median are of numbers", -1);
    }
    if (type == SQLITE_FLOAT) values->integers = false;
    if (!keep(values, sqlite3_value_double(argv[0]))) {
        values->failed = true;
        sqlite3_result_error_nomem(context);
    }
}

static void finish(sqlite3_context *context) {
    Values *values = sqlite3_aggregate_context(context, 0);
    if (!values) return;
    size_t n = values->count;
    if (n && !values->failed) {
        qsort(values->all, n, sizeof *values->all, ascending);
        double place = ceil((double) n * values->percent / 100);
        double value = values->all[place < 1 ? 0 : (size_t) place - 1];
        if (values->integers) sqlite3_result_int64(context, (sqlite3_int64) value);
        else sqlite3_result_double(context, value);
    }
    sqlite3_free(values->all);
}

int tacSqlAddFunctions(sqlite3 *database) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int result = sqlite3_create_function(database, "percentile", 2, flags, NULL, NULL, step, finish);
    return result == SQLITE_OK ? sqlite3_create_function(database, "median", 1, flags, NULL, NULL, step, finish)
                               : result;
}
