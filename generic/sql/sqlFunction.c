/*
 * sqlFunction.c -- aggregates that SQLite does not have: percentile(x, p), median(x), and p50(x) to p999(x) as tables
 * and expectations have them, by nearest rank, as all percentiles of Tactus (analysis/stats.h): the p-th of n values in
 * ascending order is the one at place ceil(n * p / 100), so it is always a value that occurred. Empty values are left
 * out.
 *
 * The values are in SQLite's memory, which is counted (sqlAnswer.c). As long as all are integers they are kept as such,
 * to the last digit; with the first that is none all become keys: integers in the order of the doubles that they stand
 * for. The one at a place is looked for without sorting, which no limit of time could end.
 *
 * And the words for avg(x) that tables and expectations have: mean(x), average(x).
 */
#include "base/port.h"

#include "sql/sqlPart.h"

#include <math.h>
#include <string.h>

typedef struct Values {
    int64_t *all; /* integers, or keys of doubles */
    size_t count, capacity;
    double percent;
    bool given, reals; /* percent is; all are keys */
    bool failed;
} Values;

static int64_t keyOf(double real) {
    int64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static double realOf(int64_t key) {
    int64_t bits = key < 0 ? key ^ INT64_MAX : key;
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static bool keep(Values *values, sqlite3_value *value, int type) {
    if (values->count == values->capacity) {
        size_t capacity = values->capacity ? 2 * values->capacity : 16;
        int64_t *all = sqlite3_realloc64(values->all, capacity * sizeof *all);
        if (!all) return false;
        values->all = all;
        values->capacity = capacity;
    }
    if (type == SQLITE_FLOAT && !values->reals) {
        for (size_t i = 0; i < values->count; i++) values->all[i] = keyOf((double) values->all[i]);
        values->reals = true;
    }
    values->all[values->count++] = values->reals ? keyOf(sqlite3_value_double(value))
                                                 : (int64_t) sqlite3_value_int64(value);
    return true;
}

static void step(sqlite3_context *context, int argc, sqlite3_value **argv) {
    Values *values = sqlite3_aggregate_context(context, sizeof *values);
    if (!values) return sqlite3_result_error_nomem(context);
    double percent = argc > 1 ? sqlite3_value_double(argv[1]) : *(const double *) sqlite3_user_data(context);
    if (!values->given) values->percent = percent, values->given = true;
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
    if (!keep(values, argv[0], type)) {
        values->failed = true;
        sqlite3_result_error_nomem(context);
    }
}

/* The value at a place, counted from 0, in ascending order. Pivots are taken at random, so that no order of the values
 * makes it slow. */
static int64_t placed(int64_t *all, int64_t count, int64_t place) {
    int64_t low = 0, high = count - 1;
    uint64_t state = 88172645463325252u;
    while (low < high) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        int64_t pivot = all[low + (int64_t) (state % (uint64_t) (high - low + 1))], i = low, j = high;
        while (i <= j) {
            while (all[i] < pivot) i++;
            while (all[j] > pivot) j--;
            if (i > j) break;
            int64_t other = all[i];
            all[i++] = all[j];
            all[j--] = other;
        }
        if (place <= j) high = j;
        else if (place >= i) low = i;
        else break;
    }
    return all[place];
}

static void finish(sqlite3_context *context) {
    Values *values = sqlite3_aggregate_context(context, 0);
    if (!values) return;
    if (values->count && !values->failed) {
        double place = ceil((double) values->count * values->percent / 100);
        int64_t value = placed(values->all, (int64_t) values->count, place < 1 ? 0 : (int64_t) place - 1);
        if (values->reals) sqlite3_result_double(context, realOf(value));
        else sqlite3_result_int64(context, value);
    }
    sqlite3_free(values->all);
}

/* Lies in memory of SQLite, which is aligned for 8 bytes alone: so it is copied out and back. */
typedef struct Mean {
    __int128 sum; /* of the integers */
    long double reals;
    int64_t count;
} Mean;

static void addToMean(sqlite3_context *context, int argc, sqlite3_value **argv) {
    Mean mean;
    void *kept = sqlite3_aggregate_context(context, sizeof mean);
    int type = sqlite3_value_numeric_type(argv[0]);
    (void) argc;
    if (!kept) return sqlite3_result_error_nomem(context);
    if (type == SQLITE_NULL) return;
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return sqlite3_result_error(context, "mean and average are of numbers", -1);
    memcpy(&mean, kept, sizeof mean);
    if (type == SQLITE_INTEGER) mean.sum += sqlite3_value_int64(argv[0]);
    else mean.reals += sqlite3_value_double(argv[0]);
    mean.count++;
    memcpy(kept, &mean, sizeof mean);
}

static void finishMean(sqlite3_context *context) {
    Mean mean = {.count = 0};
    const void *kept = sqlite3_aggregate_context(context, 0);
    if (kept) memcpy(&mean, kept, sizeof mean);
    if (mean.count) sqlite3_result_double(context, (double) (((long double) mean.sum + mean.reals) / mean.count));
}

static int addAggregate(sqlite3 *database, const char *name, int nArguments, const double *percent,
    void (*add)(sqlite3_context *, int, sqlite3_value **), void (*end)(sqlite3_context *)) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    return sqlite3_create_function(database, name, nArguments, flags, (void *) (uintptr_t) percent, NULL, add, end);
}

int tacSqlAddFunctions(sqlite3 *database) {
    static const struct {
        const char *name;
        double percent;
    } ranks[] = {{"median", 50}, {"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}, {"p999", 99.9}};
    int result = addAggregate(database, "percentile", 2, NULL, step, finish);
    for (size_t i = 0; result == SQLITE_OK && i < sizeof ranks / sizeof *ranks; i++)
        result = addAggregate(database, ranks[i].name, 1, &ranks[i].percent, step, finish);
    if (result == SQLITE_OK) result = addAggregate(database, "mean", 1, NULL, addToMean, finishMean);
    if (result == SQLITE_OK) result = addAggregate(database, "average", 1, NULL, addToMean, finishMean);
    return result;
}
