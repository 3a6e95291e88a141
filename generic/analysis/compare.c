/*
 * compare.c -- the table of a comparison: a row for each task, measure and figure, made when it is asked for.
 *
 *      pair of tasks, measure -> samples of both sides -> Block: figures, their intervals, the rank test -> verdicts
 *      verdicts of one figure, or rank test, over all tasks -> those that chance alone may have made taken back
 *
 * A trace may have a task for every few events, and thirty rows for each. So there is a byte for each row, its
 * verdicts; the block of a row is measured again. That of many values that differ is kept, since these take longer to
 * measure than to keep.
 */
#include "base/port.h"

#include "analysis/comparePart.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES = 6, MISSES = TAC_TASK_MEASURES, MANY = 32 /* values of a block that is kept, if they differ */ };
static const char *const figureNames[FIGURES + 2] = {"min", "p50", "p95", "p99", "p999", "max", "count", "share"};
enum { COUNT = FIGURES, SHARE }; /* figures of misses */
static const unsigned thousandths[FIGURES] = {0, 500, 950, 990, 999, 1000};

typedef enum Verdict { MISSING, FRESH, FEW, SAME, NOISE, LOWER, HIGHER, NONE } Verdict;
static const char *const verdictWords[] = {"missing", "new", "few", "same", "noise", "lower", "higher", NULL};

enum {
    C_TASK,
    C_MEASURE,
    C_FIGURE,
    C_BASE,
    C_OTHER,
    C_DIFFERENCE,
    C_CHANGE,
    C_LOW,
    C_HIGH,
    C_VERDICT,
    C_BASE_N,
    C_OTHER_N,
    C_SHIFT,
    C_P,
    C_DELTA,
    C_BASE_TASK,
    C_OTHER_TASK,
    COLUMNS
};
static const tacColumn columns[COLUMNS] = {
    [C_TASK] = {"task", TAC_COLUMN_TEXT, "name of the task, or its id where it was found by that", 0},
    [C_MEASURE] = {"measure", TAC_COLUMN_TEXT, "what is measured of its jobs; empty: the task has no partner", 0},
    [C_FIGURE] = {"figure", TAC_COLUMN_TEXT, "min, p50, p95, p99, p999, max; of misses count, and share in percent", 0},
    [C_BASE] = {"base", TAC_COLUMN_NUMBER, "the figure in BASE", 0},
    [C_OTHER] = {"other", TAC_COLUMN_NUMBER, "the figure in OTHER", 0},
    [C_DIFFERENCE] = {"difference", TAC_COLUMN_NUMBER, "other - base", 0},
    [C_CHANGE] = {"change", TAC_COLUMN_NUMBER, "the difference in percent of base; empty where that is 0", 0},
    [C_LOW] = {"low", TAC_COLUMN_NUMBER, "lower bound of the difference, with the confidence asked for", 0},
    [C_HIGH] = {"high", TAC_COLUMN_NUMBER, "upper bound of the difference", 0},
    [C_VERDICT] = {"verdict", TAC_COLUMN_TEXT,
        "higher, lower, noise, same; few: there are too few values to tell; missing, new: the task is in BASE, in "
        "OTHER "
        "only",
        0},
    [C_BASE_N] = {"base_n", TAC_COLUMN_COUNT, "values in BASE", 0},
    [C_OTHER_N] = {"other_n", TAC_COLUMN_COUNT, "values in OTHER", 0},
    [C_SHIFT] = {"shift", TAC_COLUMN_TEXT, "what the rank test says of the measure: higher, lower, noise, few", 0},
    [C_P] = {"p", TAC_COLUMN_NUMBER, "its probability that chance alone makes such a difference, of this task alone",
        0},
    [C_DELTA] = {"delta", TAC_COLUMN_NUMBER,
        "Cliff's delta: share of pairs of values in which OTHER is greater - in which it is less", 0},
    [C_BASE_TASK] = {"base_task", TAC_COLUMN_TEXT, "id of the task in BASE", 0},
    [C_OTHER_TASK] = {"other_task", TAC_COLUMN_TEXT, "id of the task in OTHER", 0},
};

const tacColumn *tacCompareColumns(int *nColumns) {
    *nColumns = COLUMNS;
    return columns;
}

/* Figures are in the unit of the times (those of misses are not, but there is no filter that has to know), changes in
 * percent, verdicts from the least to the greatest. */
static tacColumnTrait traitOf(const tacTable *table, int column) {
    tacColumnTrait trait = {NULL, NULL};
    (void) table;
    switch (column) {
    case C_CHANGE: trait.unit = "%"; break;
    case C_BASE:
    case C_OTHER:
    case C_DIFFERENCE:
    case C_LOW:
    case C_HIGH: trait.unit = tacUnitOfTimes; break;
    case C_VERDICT:
    case C_SHIFT: trait.words = verdictWords; break;
    default: break;
    }
    return trait;
}

/* ---- a block ---------------------------------------------------------------------------------------------------- */

typedef struct Figure {
    double base, other, difference, low, high; /* ticks; counts; of misses' share fractions */
} Figure;

typedef struct Block {       /* what is measured of a pair */
    Figure figures[FIGURES]; /* of misses: count and share */
    double p, delta;         /* of the rank test; NAN */
    int64_t baseN, otherN;
} Block;

typedef struct Judgement { /* of a figure, or a rank test */
    Verdict verdict;
    bool together; /* it is one of many: of the same figure, or test, of other tasks */
    double chance; /* the least alpha for which the sides differ; above that of the options where they do not */
    double least;  /* the least alpha for which as many values can differ */
    bool isRough;  /* chance is, of a rank test */
} Judgement;

typedef struct Judged { /* a verdict that is one of many */
    double chance, least;
    uint32_t row;
    bool isRough; /* chance is */
} Judged;
typedef TAC_ARRAY(Judged) Family;
enum { FIGURE_FAMILIES = TAC_TASK_MEASURES * FIGURES, SHARES = FIGURE_FAMILIES, RANKS, FAMILIES = RANKS + MISSES };

typedef struct KeptBlock { /* of many values */
    uint64_t key;          /* keyOf */
    Block block;
} KeptBlock;

/* A measure of a pair as a number, ascending with their rows. */
static uint64_t keyOf(size_t pair, int measure) { return (uint64_t) pair << 4 | (unsigned) measure; }

typedef struct Comparison {
    tacTaskPairs pairs;
    tacCompareOptions options;
    tacProgress *progress; /* while it is made */
    tacError *err;
    uint32_t *first;             /* by pair: its first row */
    uint16_t *measures;          /* by pair: a bit for each measure that a side has, and for MISSES */
    TAC_ARRAY(uint8_t) verdicts; /* by row: that of the figure, and 16 times that of the rank test */
    TAC_ARRAY(KeptBlock) kept;   /* by key */
    Family *families;            /* FAMILIES, while it is made */
    /* for measuring */
    const tacValues *base, *other;       /* samples of the pair that is measured */
    tacValues many[2];                   /* of one measure, */
    tacValues few[2][TAC_TASK_MEASURES]; /* ... or of all, where these are few */
    tacTaskPair fewOf;                   /* the pair of `few` */
    tacBounds bounds;
    tacRankSums sums;
    uint64_t leastBase, leastOther; /* sizes of samples, of `least` */
    double least[FIGURES];
    double unit; /* ticks of a time unit */
    /* the row that was asked for last: its pair, measure and figure (placeOf) */
    uint64_t row; /* UINT64_MAX: there is none */
    size_t pair;
    int measure, figure;
    uint64_t key; /* of `found`; UINT64_MAX: there is none */
    Block *found; /* `block`, or one that is kept */
    Block block;
    bool failed;      /* no memory for a block */
    uint64_t readRow; /* of `read`, with its pair and measure; UINT64_MAX, SIZE_MAX: there is none */
    size_t readPair;
    int readMeasure;
    tacCompareRow read;
} Comparison;

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
    tacBounds *bounds;
} Sides;

static tacInterval estimate(const Sides *sides, bool other, double alpha) {
    const tacProfileCounts *counts = sides->counts[other];
    return counts ? tacShare(counts->misses, counts->deadlines, alpha, sides->bounds)
                  : tacQuantile(other ? sides->other : sides->base, sides->thousandths, alpha, sides->bounds);
}

static Verdict verdictAt(const Sides *sides, double alpha) {
    return verdictOf(tacIntervalDifference(estimate(sides, false, alpha), estimate(sides, true, alpha)));
}

/* The least alpha for which the estimates differ, of which this is the verdict, by halving; `least` where they do for
 * that. */
static double chanceOf(const Sides *sides, Verdict verdict, double least) {
    enum { STEPS = 16 };
    double differsNot = least, differs = sides->alpha;
    if (verdict != HIGHER && verdict != LOWER) return 1;
    if (verdictAt(sides, least) == verdict) return least;
    for (int i = 0; i < STEPS; i++) {
        double middle = sqrt(differsNot * differs);
        *(verdictAt(sides, middle) == verdict ? &differs : &differsNot) = middle;
    }
    return differs;
}

/* The least alpha for which quantiles can differ: above the lower one, and below the upper one, there must be a bound;
 * for which the extremes can: all values of one side are beyond those of the other. */
static double leastOf(Comparison *c, int figure, uint64_t base, uint64_t other) {
    if (c->leastBase == base && c->leastOther == other) return c->least[figure];
    c->leastBase = base;
    c->leastOther = other;
    for (int i = 1; i < FIGURES - 1; i++) {
        double p = thousandths[i] / 1000.0, a = (double) base, b = (double) other;
        c->least[i] = 2 * fmin(fmax(pow(1 - p, b), pow(p, a)), fmax(pow(1 - p, a), pow(p, b)));
    }
    return c->least[figure];
}

/* What is said of the extremes: how many values of one side are beyond all of the other. */
static Judgement judgeBeyond(const tacValues *base, const tacValues *other, bool most, double alpha) {
    int64_t a = tacValuesAt(base, most ? base->n : 1), b = tacValuesAt(other, most ? other->n : 1);
    bool isOther = most == (b > a); /* the values beyond are those of OTHER */
    const tacValues *far = isOther ? other : base, *near = isOther ? base : other;
    Judgement judgement = {SAME, true, 1, 2 * tacBeyond(far->n, far->n, near->n), false};
    if (a == b) return judgement;
    uint64_t beyond = most ? tacValuesAbove(far, isOther ? a : b) : tacValuesBelow(far, isOther ? a : b);
    judgement.chance = 2 * tacBeyond(beyond, far->n, near->n);
    judgement.verdict = judgement.chance <= alpha ? (b > a ? HIGHER : LOWER) : judgement.least > alpha ? FEW : NOISE;
    return judgement;
}

/* The least or the greatest value, which has no interval. */
static tacInterval extremeOf(const tacValues *values, bool most) {
    return (tacInterval){values->n ? (double) tacValuesAt(values, most ? values->n : 1) : NAN, NAN, NAN};
}

static Figure figureOf(tacInterval base, tacInterval other, tacInterval difference) {
    return (Figure){base.at, other.at, difference.at, difference.low, difference.high};
}

/* Measures a figure of the samples, and judges it unless `judgement` is NULL. */
static void measureFigure(Comparison *c, int index, Figure *figure, Judgement *judgement) {
    const tacValues *base = c->base, *other = c->other;
    double alpha = c->options.alpha;
    bool most = index == FIGURES - 1, extreme = index == 0 || most;
    Sides sides = {
        .base = base, .other = other, .thousandths = thousandths[index], .alpha = alpha, .bounds = &c->bounds};
    tacInterval a = extreme ? extremeOf(base, most) : estimate(&sides, false, alpha),
                b = extreme ? extremeOf(other, most) : estimate(&sides, true, alpha),
                difference = tacIntervalDifference(a, b);
    *figure = figureOf(a, b, difference);
    if (!judgement) return;
    if (!base->n || !other->n) *judgement = (Judgement){FEW, false, 1, 1, false};
    else if (extreme) *judgement = judgeBeyond(base, other, most, alpha);
    else {
        Verdict verdict = verdictOf(difference);
        double chance = chanceOf(&sides, verdict, alpha / (double) c->pairs.partners);
        *judgement = (Judgement){verdict, true, chance, leastOf(c, index, base->n, other->n), false};
    }
}

/* The same of one value on each side, of which any quantile is that value, and all that can be told is that they are
 * alike: a bound would have to be known above one and below the other. */
static void measureSingle(Comparison *c, int index, Figure *figure, Judgement *judgement) {
    int64_t from = c->base->runs.at[0].value, to = c->other->runs.at[0].value;
    double a = (double) from, b = (double) to;
    bool extreme = index == 0 || index == FIGURES - 1, same = extreme ? from == to : a == b;
    *figure = (Figure){a, b, b - a, NAN, NAN};
    if (judgement) *judgement = (Judgement){same ? SAME : FEW, true, 1, extreme ? 1 : leastOf(c, index, 1, 1), false};
}

static Judgement judgeRanks(const tacRankTest *test, double alpha) {
    Verdict verdict = isnan(test->p) || test->least > alpha       ? FEW
        : (test->p > alpha && !test->isRough) || test->delta == 0 ? NOISE
        : test->delta > 0                                         ? HIGHER
                                                                  : LOWER;
    return (Judgement){verdict, !isnan(test->p), test->p, test->least, test->isRough};
}

/* Makes the samples of a pair: of one measure, or, where jobs are few, of all of them. */
static tacStatus samplePair(Comparison *c, tacTaskPair pair, tacTaskMeasure measure, tacError *err) {
    const tacTaskPairs *pairs = &c->pairs;
    bool isKnown = c->fewOf.base == pair.base && c->fewOf.other == pair.other,
         few = isKnown || (tacProfileHasFew(pairs->base, pair.base) && tacProfileHasFew(pairs->other, pair.other));
    c->base = few ? &c->few[0][measure] : &c->many[0];
    c->other = few ? &c->few[1][measure] : &c->many[1];
    if (isKnown) return TAC_OK;
    if (!few) {
        tacStatus status = tacProfileSample(
            pairs->base, pair.base, measure, &pairs->scale, &c->many[0], c->progress, err);
        return status != TAC_OK
            ? status
            : tacProfileSample(pairs->other, pair.other, measure, &pairs->scale, &c->many[1], c->progress, err);
    }
    c->fewOf = (tacTaskPair){TAC_NONE, TAC_NONE};
    if (tacProfileSamples(pairs->base, pair.base, c->options.measures, &pairs->scale, c->few[0], err) != TAC_OK
        || tacProfileSamples(pairs->other, pair.other, c->options.measures, &pairs->scale, c->few[1], err) != TAC_OK)
        return TAC_ERROR;
    c->fewOf = pair;
    return TAC_OK;
}

/* Measures a pair, and judges it unless `judgements` is NULL; the last one is that of the rank test. Neither side has
 * the measure: both numbers are 0. */
static tacStatus measurePair(
    Comparison *c, tacTaskPair pair, int measure, Block *block, Judgement *judgements, tacError *err) {
    tacRankTest test;
    if (samplePair(c, pair, (tacTaskMeasure) measure, err) != TAC_OK) return TAC_ERROR;
    block->baseN = (int64_t) c->base->n;
    block->otherN = (int64_t) c->other->n;
    if (!c->base->n && !c->other->n) return TAC_OK;
    if (!tacRankTestOf(c->base, c->other, false, &c->sums, &test)) return tacFailMemory(err);
    block->p = test.p;
    block->delta = test.delta;
    bool single = c->base->n == 1 && c->other->n == 1;
    for (int i = 0; i < FIGURES; i++)
        (single ? measureSingle : measureFigure)(c, i, &block->figures[i], judgements ? &judgements[i] : NULL);
    if (judgements) judgements[FIGURES] = judgeRanks(&test, c->options.alpha);
    return TAC_OK;
}

/* Measures the missed deadlines of a pair, and judges them unless `judgements` is NULL: their number, and their share.
 */
static void measureMisses(Comparison *c, tacTaskPair pair, Block *block, Judgement *judgements) {
    tacProfileCounts base = tacProfileCount(c->pairs.base, pair.base),
                     other = tacProfileCount(c->pairs.other, pair.other);
    double alpha = c->options.alpha;
    tacInterval from = {(double) base.misses, NAN, NAN}, to = {(double) other.misses, NAN, NAN},
                count = {to.at - from.at, NAN, NAN};
    Sides sides = {.counts = {&base, &other}, .alpha = alpha, .bounds = &c->bounds};
    *block = (Block){.p = NAN, .delta = NAN, .baseN = (int64_t) base.deadlines, .otherN = (int64_t) other.deadlines};
    if (!base.deadlines && !other.deadlines) return;
    block->figures[0] = figureOf(from, to, count);
    from = estimate(&sides, false, alpha);
    to = estimate(&sides, true, alpha);
    tacInterval share = tacIntervalDifference(from, to);
    block->figures[1] = figureOf(from, to, share);
    if (!judgements) return;
    judgements[0] = (Judgement){.verdict = !base.deadlines || !other.deadlines ? FEW
            : count.at == 0                                                    ? SAME
            : count.at > 0                                                     ? HIGHER
                                                                               : LOWER};
    Verdict verdict = verdictOf(share);
    judgements[1] = (Judgement){verdict, true, chanceOf(&sides, verdict, alpha / (double) c->pairs.partners), 0, false};
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Adds a row with its verdicts. */
static bool addRow(Comparison *c, Verdict verdict, Verdict shift) {
    return c->verdicts.count < UINT32_MAX - 1 && tacArrayPush(&c->verdicts, (uint8_t) (verdict | shift << 4));
}

/* Notes a judgement that is one of many, of the row that comes next. Too few values are not tested, nor counted. */
static bool note(Comparison *c, const Judgement *judgement, int family) {
    if (!judgement->together || judgement->verdict == FEW || judgement->least > c->options.alpha) return true;
    Judged judged = {judgement->chance, judgement->least, (uint32_t) c->verdicts.count, judgement->isRough};
    return tacArrayPush(&c->families[family], judged);
}

static bool isAsked(const Comparison *c, int measure) {
    bool net = measure == TAC_TASK_MEASURE_NET_EXECUTION;
    return c->options.measures[measure] && (!net || c->pairs.base->stolen || c->pairs.other->stolen);
}

/* Are all values of both sides the same? Then they are measured again in no time. */
static bool isOneValue(const Block *block) {
    const Figure *least = &block->figures[0], *most = &block->figures[FIGURES - 1];
    return least->base == most->base && least->other == most->other && least->base == least->other;
}

/* Adds the rows of a pair of two tasks. */
static tacStatus addPair(Comparison *c, uint32_t index) {
    tacTaskPair pair = c->pairs.all.at[index];
    Judgement judgements[FIGURES + 1];
    Block block;
    bool fine = true;
    for (int measure = 0; fine && measure < TAC_TASK_MEASURES; measure++) {
        if (!isAsked(c, measure)) continue;
        if (measurePair(c, pair, measure, &block, judgements, c->err) != TAC_OK) return TAC_ERROR;
        if (!block.baseN && !block.otherN) continue;
        c->measures[index] |= (uint16_t) (1 << measure);
        Verdict shift = judgements[FIGURES].verdict;
        fine = note(c, &judgements[FIGURES], RANKS + measure);
        for (int i = 0; fine && i < FIGURES; i++)
            fine = note(c, &judgements[i], measure * FIGURES + i) && addRow(c, judgements[i].verdict, shift);
        if (fine && block.baseN + block.otherN >= MANY && !isOneValue(&block))
            fine = tacArrayPush(&c->kept, ((KeptBlock){keyOf(index, measure), block}));
    }
    if (fine && c->options.misses) {
        measureMisses(c, pair, &block, judgements);
        if (block.baseN || block.otherN) {
            c->measures[index] |= 1 << MISSES;
            fine = addRow(c, judgements[0].verdict, NONE) && note(c, &judgements[1], SHARES)
                && addRow(c, judgements[1].verdict, NONE);
        }
    }
    return fine ? TAC_OK : tacFailMemory(c->err);
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

/* Place of a row: its measure, MISSES, or -1 where the task has no partner; and its figure. */
static int placeOf(const Comparison *c, size_t pair, uint64_t row, int *figure) {
    unsigned offset = (unsigned) (row - c->first[pair]), measures = c->measures[pair];
    if (!measures) return *figure = -1;
    int measure = 0;
    for (;; offset -= FIGURES, measure++) {
        while (!(measures >> measure & 1)) measure++;
        if (measure == MISSES || offset < FIGURES) break;
    }
    *figure = (int) offset + (measure == MISSES ? COUNT : 0);
    return measure;
}

/* Goes to a row: finds its pair, measure and figure. */
static void goTo(Comparison *c, uint64_t row) {
    if (c->row == row) return;
    bool isNext = row == c->row + 1 && c->measure >= 0 && c->measure != MISSES && c->figure < FIGURES - 1;
    c->row = row;
    if (isNext) {
        c->figure++;
        return;
    }
    c->pair = tacPairAt(c->first, c->pairs.all.count, c->pair, row);
    c->measure = placeOf(c, c->pair, row, &c->figure);
}

/* The block of a key that is kept; NULL: none is. */
static Block *keptBlock(const Comparison *c, uint64_t key) {
    size_t place = tacPast(size_t, 0, c->kept.count, i, c->kept.at[i].key < key);
    return place < c->kept.count && c->kept.at[place].key == key ? &c->kept.at[place].block : NULL;
}

/* What was measured for the row that `goTo` went to; NULL: no memory. */
static Block *blockOf(Comparison *c) {
    uint64_t key = keyOf(c->pair, c->measure);
    tacTaskPair pair = c->pairs.all.at[c->pair];
    tacError err = {{0}, {0}};
    if (c->key == key) return c->found;
    c->key = key;
    c->found = keptBlock(c, key);
    if (c->found) return c->found;
    c->found = &c->block;
    if (c->measure == MISSES) measureMisses(c, pair, c->found, NULL);
    else if (measurePair(c, pair, c->measure, c->found, NULL, &err) != TAC_OK) {
        c->failed = true;
        c->key = UINT64_MAX;
        return NULL;
    }
    return c->found;
}

/* ---- many tasks ------------------------------------------------------------------------------------------------- */

static int byChance(const void *left, const void *right) {
    const Judged *a = left, *b = right;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

/* Takes back the verdict of a row, or of the rank test, which is that of all rows of a measure. */
static void takeBack(Comparison *c, uint32_t row, bool rank, Verdict verdict) {
    uint8_t *verdicts = &c->verdicts.at[row];
    if (!rank && (*verdicts & 15) != SAME) *verdicts = (uint8_t) ((*verdicts & ~15) | verdict);
    for (int i = 0; rank && i < FIGURES; i++) verdicts[i] = (uint8_t) ((verdicts[i] & 15) | verdict << 4);
}

/* Makes a rough chance exact, and the p of its block, which is kept: a rough one is of many values that differ. */
static tacStatus sharpen(Comparison *c, Judged *judged) {
    tacRankTest test;
    if (!judged->isRough) return TAC_OK;
    goTo(c, judged->row);
    if (samplePair(c, c->pairs.all.at[c->pair], (tacTaskMeasure) c->measure, c->err) != TAC_OK) return TAC_ERROR;
    if (!tacRankTestOf(c->base, c->other, true, &c->sums, &test)) return tacFailMemory(c->err);
    judged->chance = keptBlock(c, keyOf(c->pair, c->measure))->p = test.p;
    judged->isRough = false;
    return TAC_OK;
}

/*
 * Counts the verdicts of a family that are told: ascending by chance, until one is not told among so many (Holm, Scand.
 * J. Statist. 6, 1979, 65-70). With that, any of them is told by chance alone with a probability of at most alpha,
 * however they depend on one another. They are sorted by chance, but those at the end are still rough: the
 * approximation is above the exact one where that is small, by less than its root (tests/compare.test).
 */
static tacStatus countTold(Comparison *c, Family *family, size_t *told) {
    Judged *judged = family->at;
    double alpha = c->options.alpha;
    size_t count = family->count, exact = 0, before;
    *told = 0;
    do {
        while (*told < exact && judged[*told].chance <= alpha / (double) (count - *told)) ++*told;
        double most = sqrt(alpha / (double) (count - *told));
        for (before = exact; exact < count && judged[exact].chance <= most; exact++)
            if (sharpen(c, &judged[exact]) != TAC_OK) return TAC_ERROR;
        if (exact > before) qsort(judged + *told, exact - *told, sizeof *judged, byChance);
    } while (exact > before);
    return TAC_OK;
}

/* Takes back what is told of a family's rows by chance alone. */
static tacStatus judgeFamily(Comparison *c, Family *family, bool ranks) {
    size_t told, count = family->count;
    if (count) qsort(family->at, count, sizeof *family->at, byChance);
    if (countTold(c, family, &told) != TAC_OK) return TAC_ERROR;
    for (size_t i = told; i < count; i++) {
        const Judged *judged = &family->at[i];
        takeBack(c, judged->row, ranks, judged->least > c->options.alpha / (double) (count - told) ? FEW : NOISE);
    }
    return TAC_OK;
}

/* Judges the figures, and the rank tests, of all tasks together. */
static tacStatus judgeTogether(Comparison *c) {
    for (int i = 0; i < FAMILIES; i++) {
        if (judgeFamily(c, &c->families[i], i >= RANKS) != TAC_OK) return TAC_ERROR;
        tacArrayFree(&c->families[i]);
    }
    return TAC_OK;
}

/* ---- cells ---------------------------------------------------------------------------------------------------------
 */

/* Number of jobs of a task that has no partner; of the other side 0. */
static int64_t jobsOf(const tacProfile *profile, uint32_t task) {
    return task == TAC_NONE ? 0 : (int64_t) tacProfileCount(profile, task).jobs;
}

/* A number of the row that `goTo` went to that was measured; NAN: it has none. */
static double measured(const Comparison *c, const Block *block, int column) {
    const Figure *f = &block->figures[c->measure == MISSES ? c->figure - COUNT : c->figure];
    double unit = c->measure != MISSES ? c->unit : c->figure == COUNT ? 1 : 0.01;
    switch (column) {
    case C_BASE: return f->base / unit;
    case C_OTHER: return f->other / unit;
    case C_DIFFERENCE: return f->difference / unit;
    case C_LOW: return f->low / unit;
    case C_HIGH: return f->high / unit;
    case C_CHANGE: return f->base == 0 ? NAN : f->difference / fabs(f->base) * 100;
    case C_P: return block->p;
    default: return block->delta;
    }
}

static void putTask(const tacProfile *profile, uint32_t task, tacCell *cell) {
    tacCellString(cell, task == TAC_NONE ? NULL : tacProfileId(profile, task));
}

static const char *measureName(int measure) { return measure == MISSES ? "misses" : tacTaskMeasureNames[measure]; }

static void rowCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    Comparison *c = table->data;
    goTo(c, row);
    int measure = c->measure;
    tacTaskPair pair = c->pairs.all.at[c->pair];
    switch (column) {
    case C_TASK: tacCellString(cell, tacPairTask(&c->pairs, c->pair)); return;
    case C_BASE_TASK: putTask(c->pairs.base, pair.base, cell); return;
    case C_OTHER_TASK: putTask(c->pairs.other, pair.other, cell); return;
    case C_VERDICT: tacCellString(cell, verdictWords[c->verdicts.at[row] & 15]); return;
    case C_SHIFT: tacCellString(cell, verdictWords[c->verdicts.at[row] >> 4]); return;
    default: break;
    }
    if (measure < 0) {
        if (column == C_BASE_N) tacCellCount(cell, jobsOf(c->pairs.base, pair.base));
        if (column == C_OTHER_N) tacCellCount(cell, jobsOf(c->pairs.other, pair.other));
        return;
    }
    if (column == C_MEASURE) tacCellString(cell, measureName(measure));
    else if (column == C_FIGURE) tacCellString(cell, figureNames[c->figure]);
    else {
        const Block *block = blockOf(c);
        if (!block) return;
        if (column == C_BASE_N) tacCellCount(cell, block->baseN);
        else if (column == C_OTHER_N) tacCellCount(cell, block->otherN);
        else tacCellNumber(cell, measured(c, block, column));
    }
}

/* Numbers of texts: of words, and of pairs. */
static bool groupOf(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    Comparison *c = table->data;
    switch (column) {
    case C_VERDICT: *number = c->verdicts.at[row] & 15; return true;
    case C_SHIFT: *number = c->verdicts.at[row] >> 4; return *number != NONE;
    case C_MEASURE:
    case C_FIGURE:
        goTo(c, row);
        *number = (uint64_t) (column == C_MEASURE ? c->measure : c->figure);
        return c->measure >= 0;
    default: return false;
    }
}

tacCompareRow *tacCompareRowAt(const tacTable *table, uint64_t row) {
    Comparison *c = table->data;
    tacCompareRow *read = &c->read;
    if (c->readRow == row) return read;
    c->readRow = row;
    goTo(c, row);
    if (c->readPair != c->pair) read->task = tacPairTask(&c->pairs, c->pair);
    if (c->readPair != c->pair || c->readMeasure != c->measure)
        for (int i = 0; i < TAC_COMPARE_SHARED; i++) read->shared[i].length = 0;
    c->readPair = c->pair;
    c->readMeasure = c->measure;
    read->measure = c->measure < 0 ? NULL : measureName(c->measure);
    read->figure = c->measure < 0 ? NULL : figureNames[c->figure];
    read->verdict = verdictWords[c->verdicts.at[row] & 15];
    read->shift = verdictWords[c->verdicts.at[row] >> 4];
    read->isShare = c->measure == MISSES && c->figure == SHARE;
    read->isCount = c->measure == MISSES && c->figure == COUNT;
    const Block *block = c->measure < 0 ? NULL : blockOf(c);
    for (int i = 0; i < TAC_COMPARE_NUMBERS; i++) {
        static const int from[] = {C_BASE, C_OTHER, C_DIFFERENCE, C_CHANGE, C_LOW, C_HIGH, C_P, C_DELTA};
        read->numbers[i] = block ? measured(c, block, from[i]) : NAN;
    }
    read->baseN = block ? block->baseN : jobsOf(c->pairs.base, c->pairs.all.at[c->pair].base);
    read->otherN = block ? block->otherN : jobsOf(c->pairs.other, c->pairs.all.at[c->pair].other);
    return read;
}

static void freeComparison(void *data) {
    Comparison *c = data;
    for (int i = 0; c->families && i < FAMILIES; i++) tacArrayFree(&c->families[i]);
    tacFree(c->families);
    tacFree(c->first);
    tacFree(c->measures);
    tacArrayFree(&c->verdicts);
    tacArrayFree(&c->kept);
    for (int side = 0; side < 2; side++) {
        tacValuesFree(&c->many[side]);
        for (int i = 0; i < TAC_TASK_MEASURES; i++) tacValuesFree(&c->few[side][i]);
    }
    tacRankSumsFree(&c->sums);
    tacPairsFree(&c->pairs);
    tacFree(c);
}

static size_t rowsAtMost(const Comparison *c) {
    size_t ofPair = 2; /* those of misses, or the one of a task without a partner */
    for (int measure = 0; measure < TAC_TASK_MEASURES; measure++) ofPair += isAsked(c, measure) ? FIGURES : 0;
    size_t n = c->pairs.all.count * ofPair + 1;
    return n < UINT32_MAX ? n : UINT32_MAX;
}

/* Makes the rows of all pairs. */
static tacStatus addPairs(Comparison *c) {
    size_t n = c->pairs.all.count;
    c->first = tacAlloc((n + 1) * sizeof *c->first);
    c->measures = tacAllocZero(n + 1, sizeof *c->measures);
    c->families = tacAllocZero(FAMILIES, sizeof *c->families);
    if (!c->first || !c->measures || !c->families) return tacFailMemory(c->err);
    /* room for all at once, which costs nothing until it is used, so that no copy does */
    if (!tacArrayReserve(&c->verdicts, rowsAtMost(c))) return tacFailMemory(c->err);
    for (uint32_t i = 0; i < n; i++) {
        tacTaskPair pair = c->pairs.all.at[i];
        c->first[i] = (uint32_t) c->verdicts.count;
        if (tacPairIsWhole(pair)) {
            if (addPair(c, i) != TAC_OK) return TAC_ERROR;
        } else if (!addRow(c, pair.other == TAC_NONE ? MISSING : FRESH, NONE)) return tacFailMemory(c->err);
        if (!tacProgressAt(c->progress, i)) return tacFailStopped(c->err, c->progress);
    }
    c->first[n] = (uint32_t) c->verdicts.count;
    tacArrayTrim(&c->verdicts);
    tacArrayTrim(&c->kept);
    if (judgeTogether(c) != TAC_OK) return TAC_ERROR;
    tacFree(c->families);
    c->families = NULL;
    return TAC_OK;
}

/* Makes the rows of pairs, which it takes over. *c is to be freed in any case. */
static tacStatus compare(
    tacTaskPairs *pairs, const tacCompareOptions *options, Comparison **made, tacProgress *progress, tacError *err) {
    Comparison *c = *made = tacAllocZero(1, sizeof *c);
    if (!c) return tacFailMemory(err);
    *c = (Comparison){.pairs = *pairs,
        .options = *options,
        .progress = progress,
        .err = err,
        .fewOf = {TAC_NONE, TAC_NONE},
        .row = UINT64_MAX,
        .measure = -1,
        .key = UINT64_MAX,
        .readRow = UINT64_MAX,
        .readPair = SIZE_MAX};
    *pairs = (tacTaskPairs){.release = NULL};
    c->unit = pow(10, c->pairs.scale.digits);
    tacStatus status = addPairs(c);
    c->progress = NULL;
    c->err = NULL;
    return status;
}

tacStatus tacCompareTable(tacProfile *base, tacProfile *other, const tacCompareOptions *options, tacTable *table,
    tacProgress *progress, tacError *err) {
    tacTaskPairs pairs;
    Comparison *c = NULL;
    tacStatus status = tacPairTasks(&pairs, base, other, err);
    if (status == TAC_OK) status = compare(&pairs, options, &c, progress, err);
    tacPairsFree(&pairs);
    if (status != TAC_OK) {
        if (c) freeComparison(c);
        return TAC_ERROR;
    }
    *table = (tacTable){.title = "compare",
        .columns = columns,
        .nColumns = COLUMNS,
        .nRows = c->verdicts.count,
        .digits = c->pairs.scale.digits,
        .timeUnit = tacScaleUnit(&c->pairs.scale),
        .trait = traitOf,
        .cell = rowCell,
        .data = c,
        .release = freeComparison,
        .failed = &c->failed,
        .group = groupOf,
        .readable = &tacCompareReadable};
    return TAC_OK;
}

tacStatus tacCompareTold(tacTaskPairs *pairs, double alpha, uint64_t *told, tacProgress *progress, tacError *err) {
    tacCompareOptions options = {.alpha = alpha};
    Comparison *c = NULL;
    options.measures[TAC_TASK_MEASURE_RESPONSE] = true;
    tacStatus status = compare(pairs, &options, &c, progress, err);
    for (size_t i = 0; status == TAC_OK && i < c->pairs.all.count; i++)
        for (uint32_t row = c->first[i]; row < c->first[i + 1]; row++) {
            Verdict verdict = c->verdicts.at[row] & 15, shift = c->verdicts.at[row] >> 4;
            if (verdict == HIGHER || verdict == LOWER || shift == FEW) told[i / 64] |= UINT64_C(1) << i % 64;
        }
    if (!c) return status;
    *pairs = c->pairs;
    c->pairs = (tacTaskPairs){.release = NULL};
    freeComparison(c);
    return status;
}

void tacCompareOwn(tacTable *table, void (*release)(void *data), void *data) {
    tacTaskPairs *pairs = table->data; /* the first member of what the tables have as their data */
    pairs->release = release;
    pairs->data = data;
}
