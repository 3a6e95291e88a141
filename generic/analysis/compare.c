/*
 * compare.c -- makes the tables of a comparison.
 */
#include "base/port.h"

#include "analysis/compare.h"
#include "analysis/statsPart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES = 6 };
static const char *const figureNames[FIGURES] = {"min", "p50", "p95", "p99", "p999", "max"};
static const unsigned thousandths[FIGURES] = {0, 500, 950, 990, 999, 1000};

typedef enum Verdict { MISSING, FRESH, FEW, SAME, NOISE, LOWER, HIGHER } Verdict;
static const char *const verdictWords[] = {"missing", "new", "few", "same", "noise", "lower", "higher", NULL};

typedef struct Row {
    const char *task, *measure, *figure; /* measure and figure NULL: the task has no partner */
    const char *verdict, *shift;
    double base, other, difference, low, high; /* time units; of misses numbers, or percent */
    double change;                             /* percent of base */
    double p, delta;
    int64_t baseN, otherN;
    const char *baseTask, *otherTask; /* ids */
    /* no columns: */
    int family;    /* measure and figure: of all tasks, these are judged together; NO_FAMILY: it is no estimate */
    double chance; /* the least alpha for which the figures differ; above that of the options where they do not */
    double least;  /* the least alpha for which as many values can differ */
    double leastP; /* that of the rank test */
} Row;
enum { NO_FAMILY = -1 };

static const tacColumn columns[] = {
    {"task", TAC_COLUMN_TEXT, "name of the task, or its id where it was found by that", offsetof(Row, task)},
    {"measure", TAC_COLUMN_TEXT, "what is measured of its jobs; empty: the task has no partner",
        offsetof(Row, measure)},
    {"figure", TAC_COLUMN_TEXT, "min, p50, p95, p99, p999, max; of misses count, and share in percent",
        offsetof(Row, figure)},
    {"base", TAC_COLUMN_NUMBER, "the figure in BASE", offsetof(Row, base)},
    {"other", TAC_COLUMN_NUMBER, "the figure in OTHER", offsetof(Row, other)},
    {"difference", TAC_COLUMN_NUMBER, "other - base", offsetof(Row, difference)},
    {"change", TAC_COLUMN_NUMBER, "the difference in percent of base; empty where that is 0", offsetof(Row, change)},
    {"low", TAC_COLUMN_NUMBER, "lower bound of the difference, with the confidence asked for", offsetof(Row, low)},
    {"high", TAC_COLUMN_NUMBER, "upper bound of the difference", offsetof(Row, high)},
    {"verdict", TAC_COLUMN_TEXT,
        "higher, lower, noise, same; few: there are too few values to tell; missing, new: the task is in BASE, in "
        "OTHER "
        "only",
        offsetof(Row, verdict)},
    {"base_n", TAC_COLUMN_COUNT, "values in BASE", offsetof(Row, baseN)},
    {"other_n", TAC_COLUMN_COUNT, "values in OTHER", offsetof(Row, otherN)},
    {"shift", TAC_COLUMN_TEXT, "what the rank test says of the measure: higher, lower, noise, few",
        offsetof(Row, shift)},
    {"p", TAC_COLUMN_NUMBER, "its probability that chance alone makes such a difference, of this task alone",
        offsetof(Row, p)},
    {"delta", TAC_COLUMN_NUMBER,
        "Cliff's delta: share of pairs of values in which OTHER is greater - in which it is less",
        offsetof(Row, delta)},
    {"base_task", TAC_COLUMN_TEXT, "id of the task in BASE", offsetof(Row, baseTask)},
    {"other_task", TAC_COLUMN_TEXT, "id of the task in OTHER", offsetof(Row, otherTask)},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

const tacColumn *tacCompareColumns(int *nColumns) {
    *nColumns = COLUMNS;
    return columns;
}

/* Figures are in the unit of the times (those of misses are not, but there is no filter that has to know), changes in
 * percent, verdicts from the least to the greatest. */
static tacColumnTrait traitOf(const tacTable *table, int column) {
    tacColumnTrait trait = {NULL, NULL};
    size_t offset = table->columns[column].offset;
    if (offset == offsetof(Row, change)) trait.unit = "%";
    else if (offset >= offsetof(Row, base) && offset < offsetof(Row, change)) trait.unit = tacUnitOfTimes;
    else if (offset == offsetof(Row, verdict) || offset == offsetof(Row, shift)) trait.words = verdictWords;
    return trait;
}

/* ---- pairs of tasks --------------------------------------------------------------------------------------------- */

typedef struct Pair {
    uint32_t base, other; /* tasks of the profiles; TAC_NONE: there is none */
} Pair;

typedef TAC_ARRAY(Pair) Pairs;

/* Pairs tasks without a partner that have one id. */
static bool pairById(const tacProfile *base, const tacProfile *other, Pairs *pairs, bool *taken) {
    tacInternTable ids = {.slots = NULL};
    TAC_ARRAY(uint32_t) tasks = {0};
    bool fine = true;
    for (uint32_t i = 0; fine && i < other->tasks.count; i++) {
        if (taken[i]) continue;
        uint32_t id = tacIntern(&ids, other->tasks.at[i].id, strlen(other->tasks.at[i].id));
        fine = id != TAC_NONE && (id < tasks.count || tacArrayPush(&tasks, i));
    }
    for (size_t i = 0; fine && i < pairs->count; i++) {
        Pair *pair = &pairs->at[i];
        const char *id = base->tasks.at[pair->base].id;
        uint32_t found = pair->other == TAC_NONE ? tacInternFind(&ids, id, strlen(id)) : TAC_NONE;
        if (found == TAC_NONE || taken[tasks.at[found]]) continue;
        pair->other = tasks.at[found];
        taken[pair->other] = true;
    }
    tacInternFree(&ids);
    tacArrayFree(&tasks);
    return fine;
}

/* Pairs the tasks: by name, then by id; those of OTHER without a partner come last. */
static bool pairTasks(const tacProfile *base, const tacProfile *other, Pairs *pairs) {
    bool *taken = tacAllocZero(other->tasks.count + 1, sizeof *taken), fine = taken != NULL;
    for (uint32_t i = 0; fine && i < base->tasks.count; i++) {
        uint32_t found = tacProfileFind(other, &base->tasks.at[i]);
        fine = tacArrayPush(pairs, (Pair){i, found});
        if (found != TAC_NONE) taken[found] = true;
    }
    fine = fine && pairById(base, other, pairs, taken);
    for (uint32_t i = 0; fine && i < other->tasks.count; i++)
        if (!taken[i]) fine = tacArrayPush(pairs, (Pair){TAC_NONE, i});
    tacFree(taken);
    return fine;
}

typedef struct Work {
    const tacProfile *base, *other;
    const tacCompareOptions *options;
    size_t partners; /* pairs of tasks */
    tacTimeScale scale;
    tacProgress *progress;
    tacError *err;
    TAC_ARRAY(Row) rows;
} Work;

/* The row of a pair, without figures. */
static Row rowOf(const Work *w, const Pair *pair) {
    const tacProfileTask *base = pair->base == TAC_NONE ? NULL : &w->base->tasks.at[pair->base],
                         *other = pair->other == TAC_NONE ? NULL : &w->other->tasks.at[pair->other];
    const tacProfileTask *task = base ? base : other;
    bool byName = task->byName && (!base || !other || !strcmp(base->name, other->name));
    return (Row){.task = byName ? task->name : task->id,
        .base = NAN,
        .other = NAN,
        .difference = NAN,
        .low = NAN,
        .high = NAN,
        .change = NAN,
        .p = NAN,
        .delta = NAN,
        .family = NO_FAMILY,
        .baseN = base ? (int64_t) base->counts.jobs : 0,
        .otherN = other ? (int64_t) other->counts.jobs : 0,
        .verdict = verdictWords[!other ? MISSING : FRESH],
        .baseTask = base ? base->id : NULL,
        .otherTask = other ? other->id : NULL};
}

static bool push(Work *w, const Row *row) { return tacArrayPush(&w->rows, *row) || (tacFailMemory(w->err), false); }

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static Verdict verdictOf(tacInterval difference) {
    if (difference.at == 0) return SAME;
    if (difference.low > 0) return HIGHER;
    if (difference.high < 0) return LOWER;
    return isnan(difference.low) || isnan(difference.high) ? FEW : NOISE;
}

/* What two estimates are made of. */
typedef struct Sides {
    const tacValues *base, *other;
    unsigned thousandths;              /* the quantile */
    const tacProfileCounts *counts[2]; /* of BASE and OTHER: shares of misses are meant */
    double alpha;                      /* at which they are judged alone */
} Sides;

static tacInterval estimate(const Sides *sides, bool other, double alpha) {
    const tacProfileCounts *counts = sides->counts[other];
    return counts ? tacShare(counts->misses, counts->deadlines, alpha)
                  : tacQuantile(other ? sides->other : sides->base, sides->thousandths, alpha);
}

static Verdict verdictAt(const Sides *sides, double alpha) {
    return verdictOf(tacIntervalDifference(estimate(sides, false, alpha), estimate(sides, true, alpha)));
}

/* The least alpha for which the estimates differ, by halving; `least` where they do for that. */
static double chanceOf(const Sides *sides, double least) {
    enum { STEPS = 16 };
    double differsNot = least, differs = sides->alpha;
    Verdict verdict = verdictAt(sides, differs);
    if (verdict != HIGHER && verdict != LOWER) return 1;
    if (verdictAt(sides, least) == verdict) return least;
    for (int i = 0; i < STEPS; i++) {
        double middle = sqrt(differsNot * differs);
        *(verdictAt(sides, middle) == verdict ? &differs : &differsNot) = middle;
    }
    return differs;
}

/* The least alpha for which quantiles can differ: above the lower one, and below the upper one, there must be a bound.
 */
static double leastOf(const Sides *sides) {
    double p = sides->thousandths / 1000.0, a = (double) sides->base->n, b = (double) sides->other->n;
    return 2 * fmin(fmax(pow(1 - p, b), pow(p, a)), fmax(pow(1 - p, a), pow(p, b)));
}

/* What is said of the extremes: how many values of one side are beyond all of the other. */
static Verdict beyondVerdict(const tacValues *base, const tacValues *other, bool most, double alpha, Row *row) {
    int64_t a = tacValuesAt(base, most ? base->n : 1), b = tacValuesAt(other, most ? other->n : 1);
    bool isOther = most == (b > a); /* the values beyond are those of OTHER */
    const tacValues *far = isOther ? other : base, *near = isOther ? base : other;
    row->least = 2 * tacBeyond(far->n, far->n, near->n);
    if (a == b) return SAME;
    uint64_t beyond = most ? tacValuesAbove(far, isOther ? a : b) : tacValuesBelow(far, isOther ? a : b);
    row->chance = 2 * tacBeyond(beyond, far->n, near->n);
    if (row->chance <= alpha) return b > a ? HIGHER : LOWER;
    return row->least > alpha ? FEW : NOISE;
}

/* Fills a row with an estimate of each side and their difference, in `unit`s of what is shown. */
static void fill(Row *row, double base, double other, tacInterval difference, Verdict verdict, double unit) {
    row->base = base / unit;
    row->other = other / unit;
    row->difference = difference.at / unit;
    row->low = difference.low / unit;
    row->high = difference.high / unit;
    row->change = base == 0 ? NAN : difference.at / fabs(base) * 100;
    row->verdict = verdictWords[verdict];
}

/* The least or the greatest value, which has no interval. */
static tacInterval extremeOf(const tacValues *values, bool most) {
    return (tacInterval){values->n ? (double) tacValuesAt(values, most ? values->n : 1) : NAN, NAN, NAN};
}

static bool addFigure(Work *w, Row row, int figure, const tacValues *base, const tacValues *other) {
    double alpha = w->options->alpha;
    bool most = figure == FIGURES - 1, extreme = figure == 0 || most, both = base->n && other->n;
    Sides sides = {.base = base, .other = other, .thousandths = thousandths[figure], .alpha = alpha};
    tacInterval a = extreme ? extremeOf(base, most) : estimate(&sides, false, alpha),
                b = extreme ? extremeOf(other, most) : estimate(&sides, true, alpha),
                difference = tacIntervalDifference(a, b);
    Verdict verdict = FEW;
    row.figure = figureNames[figure];
    row.chance = 1;
    if (both) {
        row.family = row.family * FIGURES + figure;
        verdict = extreme ? beyondVerdict(base, other, most, alpha, &row) : verdictOf(difference);
        if (!extreme) row.least = leastOf(&sides);
        if (!extreme) row.chance = chanceOf(&sides, alpha / (double) w->partners);
    } else row.family = NO_FAMILY;
    fill(&row, a.at, b.at, difference, verdict, pow(10, w->scale.digits));
    return push(w, &row);
}

static Verdict shiftOf(const tacRankTest *test, double alpha) {
    if (isnan(test->p) || test->least > alpha) return FEW;
    return test->p > alpha ? NOISE : test->delta > 0 ? HIGHER : LOWER;
}

/* Adds the rows of a measure, if a side has it. */
static bool addMeasure(Work *w, const Pair *pair, tacTaskMeasure measure) {
    tacValues base = {.n = 0}, other = {.n = 0};
    tacRankTest test;
    Row row = rowOf(w, pair);
    bool fine = tacProfileSample(w->base, pair->base, measure, &w->scale, &base, w->progress, w->err) == TAC_OK
        && tacProfileSample(w->other, pair->other, measure, &w->scale, &other, w->progress, w->err) == TAC_OK;
    if (fine && (base.n || other.n)) {
        fine = tacRankTestOf(&base, &other, &test) || (tacFailMemory(w->err), false);
        row.measure = tacTaskMeasureNames[measure];
        row.family = (int) measure;
        row.baseN = (int64_t) base.n;
        row.otherN = (int64_t) other.n;
        row.p = test.p;
        row.delta = test.delta;
        row.leastP = test.least;
        row.shift = verdictWords[shiftOf(&test, w->options->alpha)];
        for (int figure = 0; fine && figure < FIGURES; figure++) fine = addFigure(w, row, figure, &base, &other);
    }
    tacValuesFree(&base);
    tacValuesFree(&other);
    return fine;
}

/* Adds the rows of missed deadlines, if a side has deadlines. */
static bool addMisses(Work *w, const Pair *pair) {
    const tacProfileCounts *base = &w->base->tasks.at[pair->base].counts,
                           *other = &w->other->tasks.at[pair->other].counts;
    double alpha = w->options->alpha;
    Row row = rowOf(w, pair);
    if (!base->deadlines && !other->deadlines) return true;
    row.measure = "misses";
    row.figure = "count";
    row.baseN = (int64_t) base->deadlines;
    row.otherN = (int64_t) other->deadlines;
    tacInterval count = {(double) other->misses - (double) base->misses, NAN, NAN};
    Verdict verdict = !base->deadlines || !other->deadlines ? FEW
        : count.at == 0                                     ? SAME
                                                            : (count.at > 0 ? HIGHER : LOWER);
    fill(&row, (double) base->misses, (double) other->misses, count, verdict, 1);
    if (!push(w, &row)) return false;
    Sides sides = {.counts = {base, other}, .alpha = alpha};
    tacInterval of[2] = {estimate(&sides, false, alpha), estimate(&sides, true, alpha)};
    tacInterval share = tacIntervalDifference(of[0], of[1]);
    row.figure = "share";
    row.family = TAC_TASK_MEASURES * FIGURES;
    row.chance = chanceOf(&sides, alpha / (double) w->partners);
    fill(&row, of[0].at, of[1].at, share, verdictOf(share), 0.01);
    return push(w, &row);
}

static bool addPair(Work *w, const Pair *pair) {
    if (pair->base == TAC_NONE || pair->other == TAC_NONE) {
        Row row = rowOf(w, pair);
        return push(w, &row);
    }
    for (int measure = 0; measure < TAC_TASK_MEASURES; measure++) {
        if (!w->options->measures[measure]) continue;
        if (measure == TAC_TASK_MEASURE_NET_EXECUTION && !w->base->stolen && !w->other->stolen) continue;
        if (!addMeasure(w, pair, (tacTaskMeasure) measure)) return false;
    }
    return !w->options->misses || addMisses(w, pair);
}

/* ---- many tasks ------------------------------------------------------------------------------------------------- */

/* A verdict that is one of many: of the same figure of other tasks. */
typedef struct Judged {
    int family;
    double chance, least;
    const char **verdict;
} Judged;

static int byChance(const void *left, const void *right) {
    const Judged *a = left, *b = right;
    if (a->family != b->family) return a->family < b->family ? -1 : 1;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

/*
 * Takes back what is told of a family's rows, ascending by chance, as soon as one is not told among so many (Holm,
 * Scand. J. Statist. 6, 1979, 65-70): with that, any of them is told by chance alone with a probability of at most
 * alpha, however they depend on one another.
 */
static void judgeFamily(const Judged *judged, size_t count, double alpha) {
    size_t told = 0;
    while (told < count && judged[told].chance <= alpha / (double) (count - told)) told++;
    for (size_t i = told; i < count; i++) {
        const char *word = *judged[i].verdict;
        if (word != verdictWords[SAME])
            *judged[i].verdict = verdictWords[judged[i].least > alpha / (double) (count - told) ? FEW : NOISE];
    }
}

/* Judges the figures, or the rank tests, of all tasks together. Those of too few values are not tested, nor counted. */
static bool judgeTogether(Work *w, bool ranks) {
    double alpha = w->options->alpha;
    size_t n = 0;
    Judged *all = tacAllocZero(w->rows.count + 1, sizeof *all);
    if (!all) return tacFailMemory(w->err), false;
    for (size_t i = 0; i < w->rows.count; i++) {
        Row *row = &w->rows.at[i];
        double least = ranks ? row->leastP : row->least;
        const char **verdict = ranks ? &row->shift : &row->verdict;
        if (row->family == NO_FAMILY || !*verdict || least > alpha || *verdict == verdictWords[FEW]) continue;
        all[n++] = (Judged){row->family, ranks ? row->p : row->chance, least, verdict};
    }
    qsort(all, n, sizeof *all, byChance);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && all[end].family == all[i].family;) end++;
        judgeFamily(all + i, end - i, alpha);
    }
    tacFree(all);
    return true;
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static tacStatus begin(
    const tacProfile *base, const tacProfile *other, tacTimeScale *scale, Pairs *pairs, tacError *err) {
    /* twice, since the unit of the first side with one counts for both */
    if (tacProfileScale(base, scale, err) != TAC_OK || tacProfileScale(other, scale, err) != TAC_OK
        || tacProfileScale(base, scale, err) != TAC_OK)
        return TAC_ERROR;
    return pairTasks(base, other, pairs) ? TAC_OK : tacFailMemory(err);
}

/* Makes a table of records that are in an array, which it takes over unless this fails. */
static tacStatus toTable(const char *title, const tacColumn *of, int nColumns, size_t size, void *records,
    uint64_t count, const tacTimeScale *scale, tacTable *table, tacError *err) {
    if (tacTableOfRecords(table, title, of, nColumns, size, records, count, scale->digits, err) != TAC_OK)
        return TAC_ERROR;
    table->timeUnit = tacScaleUnit(scale);
    return TAC_OK;
}

tacStatus tacCompareTable(const tacProfile *base, const tacProfile *other, const tacCompareOptions *options,
    tacTable *table, tacProgress *progress, tacError *err) {
    Work w = {.base = base, .other = other, .options = options, .progress = progress, .err = err};
    Pairs pairs = {0};
    tacStatus status = begin(base, other, &w.scale, &pairs, err);
    for (size_t i = 0; i < pairs.count; i++)
        w.partners += pairs.at[i].base != TAC_NONE && pairs.at[i].other != TAC_NONE;
    for (size_t i = 0; status == TAC_OK && i < pairs.count; i++)
        if (!addPair(&w, &pairs.at[i]) || (progress && !tacProgressStep(progress, i)))
            status = err->code[0] ? TAC_ERROR : tacFailStopped(err, progress);
    tacArrayFree(&pairs);
    if (status == TAC_OK && (!judgeTogether(&w, false) || !judgeTogether(&w, true))) status = TAC_ERROR;
    if (status == TAC_OK)
        status = toTable("compare", columns, COLUMNS, sizeof(Row), w.rows.at, w.rows.count, &w.scale, table, err);
    if (status == TAC_OK) table->trait = traitOf;
    else tacArrayFree(&w.rows);
    return status;
}

/* ---- causes ----------------------------------------------------------------------------------------------------- */

typedef struct Cause {
    const char *task;
    char *cause; /* owned by the table; NULL: the response time as a whole */
    double base, other, difference;
    int64_t baseN, otherN;
} Cause;

static const tacColumn causeColumns[] = {
    {"task", TAC_COLUMN_TEXT, "name of the task, or its id where it was found by that", offsetof(Cause, task)},
    {"cause", TAC_COLUMN_TEXT, "a part of the response time in words; empty: all of it", offsetof(Cause, cause)},
    {"base", TAC_COLUMN_NUMBER, "the part of the mean job of BASE", offsetof(Cause, base)},
    {"other", TAC_COLUMN_NUMBER, "the part of the mean job of OTHER", offsetof(Cause, other)},
    {"difference", TAC_COLUMN_NUMBER, "other - base", offsetof(Cause, difference)},
    {"base_n", TAC_COLUMN_COUNT, "completed jobs of BASE", offsetof(Cause, baseN)},
    {"other_n", TAC_COLUMN_COUNT, "completed jobs of OTHER", offsetof(Cause, otherN)},
};
enum { CAUSE_COLUMNS = sizeof causeColumns / sizeof *causeColumns };

const tacColumn *tacCauseColumns(int *nColumns) {
    *nColumns = CAUSE_COLUMNS;
    return causeColumns;
}

static tacColumnTrait causeTrait(const tacTable *table, int column) {
    size_t offset = table->columns[column].offset;
    bool isTime = offset >= offsetof(Cause, base) && offset <= offsetof(Cause, difference);
    return (tacColumnTrait){isTime ? tacUnitOfTimes : NULL, NULL};
}

typedef TAC_ARRAY(Cause) Causes;

static double meanOf(const tacCauses *causes, const char *word, size_t length) {
    uint32_t index = tacInternFind(&causes->words, word, length);
    return index == TAC_NONE ? 0 : causes->means.at[index];
}

/* The whole first, then the greatest differences; a tie in the order of the words. */
static int byDifference(const void *left, const void *right) {
    const Cause *a = left, *b = right;
    if (!a->cause || !b->cause) return (a->cause != NULL) - (b->cause != NULL);
    double x = fabs(a->difference), y = fabs(b->difference);
    return x != y ? (x < y) - (x > y) : strcmp(a->cause, b->cause);
}

/* Adds the causes of a task that either side has. */
static bool addCauses(Causes *rows, Cause row, const tacCauses *base, const tacCauses *other, double unit) {
    const tacCauses *sides[2] = {base, other};
    size_t first = rows->count;
    row.base = row.other = 0;
    if (!tacArrayPush(rows, row)) return false;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < sides[side]->means.count; i++) {
            size_t length;
            const char *word = tacInternName(&sides[side]->words, i, &length);
            if (side == 1 && tacInternFind(&base->words, word, length) != TAC_NONE) continue;
            row.base = meanOf(base, word, length) / unit;
            row.other = meanOf(other, word, length) / unit;
            row.difference = row.other - row.base;
            row.cause = tacCopyText(word, length);
            if (!row.cause || !tacArrayPush(rows, row)) return tacFree(row.cause), false;
            rows->at[first].base += row.base;
            rows->at[first].other += row.other;
        }
    rows->at[first].difference = rows->at[first].other - rows->at[first].base;
    qsort(rows->at + first, rows->count - first, sizeof row, byDifference);
    return true;
}

static tacStatus causesOf(const Work *w, const Pair *pair, uint64_t most, Causes *rows) {
    tacCauses base = {.jobs = 0}, other = {.jobs = 0};
    Row names = rowOf(w, pair);
    tacStatus status = tacProfileCauses(w->base, pair->base, most, &w->scale, &base, w->progress, w->err);
    if (status == TAC_OK)
        status = tacProfileCauses(w->other, pair->other, most, &w->scale, &other, w->progress, w->err);
    Cause row = {.task = names.task, .baseN = (int64_t) base.jobs, .otherN = (int64_t) other.jobs};
    if (status == TAC_OK && base.jobs > 0 && other.jobs > 0
        && !addCauses(rows, row, &base, &other, pow(10, w->scale.digits)))
        status = tacFailMemory(w->err);
    tacCausesFree(&base);
    tacCausesFree(&other);
    return status;
}

typedef struct Texts { /* what the table of causes owns besides its records */
    void *records;
    void (*release)(void *records);
    tacTable table; /* to find the records */
} Texts;

static void freeTexts(Cause *rows, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) tacFree(rows[i].cause);
}

static void causeCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const Texts *texts = table->data;
    texts->table.cell(&texts->table, row, column, cell);
}

static void releaseCauses(void *data) {
    Texts *texts = data;
    if (texts->table.nRows) freeTexts(tacTableRecord(&texts->table, 0), texts->table.nRows);
    tacTableFree(&texts->table);
    tacFree(texts);
}

/* Makes the table own the texts of its rows. */
static tacStatus ownTexts(tacTable *table, tacError *err) {
    Texts *texts = tacAllocZero(1, sizeof *texts);
    if (!texts) {
        if (table->nRows) freeTexts(tacTableRecord(table, 0), table->nRows);
        tacTableFree(table);
        return tacFailMemory(err);
    }
    texts->table = *table;
    table->data = texts;
    table->cell = causeCell;
    table->release = releaseCauses;
    table->trait = causeTrait;
    return TAC_OK;
}

tacStatus tacCompareCauses(const tacProfile *base, const tacProfile *other, uint64_t most, tacTable *table,
    tacProgress *progress, tacError *err) {
    Work w = {.base = base, .other = other, .progress = progress, .err = err};
    Pairs pairs = {0};
    Causes rows = {0};
    tacStatus status = begin(base, other, &w.scale, &pairs, err);
    for (size_t i = 0; status == TAC_OK && i < pairs.count; i++)
        if (pairs.at[i].base != TAC_NONE && pairs.at[i].other != TAC_NONE)
            status = causesOf(&w, &pairs.at[i], most, &rows);
    tacArrayFree(&pairs);
    if (status == TAC_OK)
        status = toTable(
            "causes", causeColumns, CAUSE_COLUMNS, sizeof(Cause), rows.at, rows.count, &w.scale, table, err);
    if (status == TAC_OK) return ownTexts(table, err);
    freeTexts(rows.at, rows.count);
    tacArrayFree(&rows);
    return TAC_ERROR;
}
