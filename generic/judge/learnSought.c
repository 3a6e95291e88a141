/*
 * learnSought.c -- values of a constraint, and which of them are far from the others.
 */
#include "base/port.h"

#include "base/print.h"
#include "base/sort.h"
#include "judge/learn.h"
#include "judge/limit.h"
#include "trace/times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double farScore = 3.5;
static const double ofMedian = 0.6745; /* median absolute deviation of the normal distribution with deviation 1 */
static const double ofMean = 1.253314; /* its deviation by its mean absolute deviation: sqrt(pi / 2) */

typedef struct Spread {
    double median;
    double scale;          /* difference from the median that is a score of 1; 0: all values are the same */
    double low, high;      /* what is beyond these is far */
    uint64_t below, above; /* values that are; of more than are kept: about */
} Spread;

typedef TAC_ARRAY(tacSoughtValue) Values;

/* ---- adding ------------------------------------------------------------------------------------------------------ */

/* xorshift64 (Marsaglia, 2003): the same numbers in each run. */
static uint64_t roll(uint64_t *state) {
    uint64_t x = *state ? *state : 0x9e3779b97f4a7c15;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *state = x;
}

/* Keeps the number, or of very many each with the same chance (algorithm R: Vitter, 1985). */
static bool keepNumber(tacSought *sample, double number) {
    if (sample->numbers.count < sample->mostNumbers) return tacArrayPush(&sample->numbers, number);
    uint64_t place = roll(&sample->random) % (sample->count + 1);
    if (place < sample->mostNumbers) sample->numbers.at[place] = number;
    return true;
}

static void swap(tacSoughtValue *a, tacSoughtValue *b) {
    tacSoughtValue other = *a;
    *a = *b;
    *b = other;
}

/* Is a less extreme than b? side 1: of the largest, -1: of the least. */
static bool isLess(const tacSoughtValue *a, const tacSoughtValue *b, int side) {
    return side > 0 ? a->number < b->number : a->number > b->number;
}

static void siftUp(tacSoughtValue *heap, size_t i, int side) {
    for (; i && isLess(&heap[i], &heap[(i - 1) / 2], side); i = (i - 1) / 2) swap(&heap[i], &heap[(i - 1) / 2]);
}

static void siftDown(tacSoughtValue *heap, size_t n, int side) {
    for (size_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && isLess(&heap[child + 1], &heap[child], side)) child++;
        if (!isLess(&heap[child], &heap[i], side)) return;
        swap(&heap[child], &heap[i]);
    }
}

/* Keeps a value where it is one of the most extreme ones. */
static bool keepExtreme(tacSought *sample, const tacSoughtValue *value, int side) {
    tacSoughtValues *heap = &sample->extremes[side > 0];
    if (heap->count < sample->mostExtremes) {
        if (!tacArrayPush(heap, *value)) return false;
        siftUp(heap->at, heap->count - 1, side);
    } else if (isLess(&heap->at[0], value, side)) {
        heap->at[0] = *value;
        siftDown(heap->at, heap->count, side);
    }
    return true;
}

void tacSoughtBegin(tacSought *sought, size_t n, size_t all) {
    enum { FEW = 100, FEW_EXTREMES = 10 };
    size_t most = TAC_SOUGHT_ALL / (all ? all : 1), extremes = most / 16;
    for (size_t i = 0; i < n; i++) {
        sought[i].mostNumbers = most > TAC_SOUGHT_MOST ? TAC_SOUGHT_MOST : most < FEW ? FEW : most;
        sought[i].mostExtremes = extremes > TAC_SOUGHT_EXTREMES ? TAC_SOUGHT_EXTREMES
            : extremes < FEW_EXTREMES                           ? FEW_EXTREMES
                                                                : extremes;
    }
}

static double rounded(const tacFraction *value) {
    const __int128 most = (__int128) 1 << 53;
    if (value->over <= most && value->over >= -most && value->under <= most)
        return (double) (int64_t) value->over / (double) (int64_t) value->under;
    return (double) ((long double) value->over / (long double) value->under);
}

/* The sign of a - b. */
static int orderOf(const tacFraction *a, const tacFraction *b) {
    int order;
    if (a->under == b->under) return a->over < b->over ? -1 : a->over > b->over;
    if (tacFractionCompare(a, b, &order)) return order;
    return rounded(a) < rounded(b) ? -1 : rounded(a) > rounded(b); /* of more digits than 128 bits hold */
}

/* Notes the exact extremes. */
static void noteExtremes(tacSought *sample, const tacFraction *value) {
    bool whole = value->under == 1 || ((sample->whole || !sample->count) && value->over % value->under == 0);
    if (!sample->count) sample->least = sample->largest = *value;
    sample->whole = (!sample->count || sample->whole) && whole;
    if (orderOf(value, &sample->least) < 0) sample->least = *value;
    if (orderOf(value, &sample->largest) > 0) sample->largest = *value;
}

bool tacSoughtAdd(tacSought *sample, tacComparison op, tacSoughtValue *value) {
    value->number = rounded(&value->value);
    value->order = sample->count;
    noteExtremes(sample, &value->value);
    if (!keepNumber(sample, value->number)) return false;
    sample->count++;
    bool below = op != TAC_BELOW && op != TAC_AT_MOST, above = op != TAC_ABOVE && op != TAC_AT_LEAST;
    return (!below || keepExtreme(sample, value, -1)) && (!above || keepExtreme(sample, value, 1));
}

static void raiseFloor(tacSought *sample, const tacFraction *value) {
    if (!value->under || (sample->hasFloor && orderOf(value, &sample->floor) <= 0)) return;
    sample->hasFloor = true;
    sample->floor = *value;
}

static void lowerCeiling(tacSought *sample, const tacFraction *value) {
    if (!value->under || (sample->hasCeiling && orderOf(value, &sample->ceiling) >= 0)) return;
    sample->hasCeiling = true;
    sample->ceiling = *value;
}

void tacSoughtDoubt(tacSought *sample, tacComparison op, const tacFraction *seen, const tacFraction *most) {
    int order = 0;
    bool falls = tacFractionCompare(most, seen, &order) && order < 0, upper = tacIsUpperBound(op);
    sample->unknown++;
    if (op == TAC_EQUAL) { /* the other end may be the value */
        if (falls) lowerCeiling(sample, seen);
        else raiseFloor(sample, seen);
    } else if (upper) raiseFloor(sample, falls ? most : seen);
    else lowerCeiling(sample, falls ? seen : most);
}

void tacSoughtFree(tacSought *sample) {
    tacArrayFree(&sample->numbers);
    for (int side = 0; side < 2; side++) tacArrayFree(&sample->extremes[side]);
}

/* ---- what is far ------------------------------------------------------------------------------------------------- */

/* Moves the numbers so that the kth is the one that would be there if they were sorted, none before it is larger, and
 * none behind it is less (quickselect: Hoare, 1961, with pivots at random). */
static double select(double *at, size_t n, size_t k, uint64_t *random) {
    size_t low = 0, high = n;
    while (high - low > 1) {
        double pivot = at[low + roll(random) % (high - low)];
        size_t less = low, i = low, more = high;
        while (i < more) {
            double value = at[i];
            if (value < pivot) {
                at[i++] = at[less];
                at[less++] = value;
            } else if (value > pivot) {
                at[i] = at[--more];
                at[more] = value;
            } else i++;
        }
        if (k < less) high = less;
        else if (k >= more) low = more;
        else break;
    }
    return at[k];
}

static double medianOf(double *at, size_t n, uint64_t *random) {
    double high = select(at, n, n / 2, random), low = high;
    if (n % 2) return high;
    low = at[0];
    for (size_t i = 1; i < n / 2; i++)
        if (at[i] > low) low = at[i];
    return (low + high) / 2;
}

/* The scale of the scores; *failed: no memory. */
static double scaleOf(tacSought *sample, double median, bool *failed) {
    size_t n = sample->numbers.count;
    double sum = 0, *deviations = tacAlloc(n * sizeof *deviations);
    *failed = !deviations;
    if (!deviations) return 0;
    for (size_t i = 0; i < n; i++) sum += deviations[i] = fabs(sample->numbers.at[i] - median);
    double deviation = medianOf(deviations, n, &sample->random);
    tacFree(deviations);
    return deviation > 0 ? deviation / ofMedian : ofMean * sum / (double) n;
}

/* False: there are too few values. *failed: no memory. */
static bool spreadOf(tacSought *sample, tacComparison op, Spread *spread, bool *failed) {
    const double *at = sample->numbers.at;
    size_t n = sample->numbers.count, below = 0, above = 0;
    *failed = false;
    if (n < TAC_SOUGHT_FEWEST) return false;
    double median = medianOf(sample->numbers.at, n, &sample->random), scale = scaleOf(sample, median, failed);
    bool up = op != TAC_ABOVE && op != TAC_AT_LEAST, down = op != TAC_BELOW && op != TAC_AT_MOST;
    *spread = (Spread){.median = median,
        .scale = scale,
        .low = down ? median - farScore * scale : -INFINITY,
        .high = up ? median + farScore * scale : INFINITY};
    for (size_t i = n; i-- > 0;) {
        below += at[i] < spread->low;
        above += at[i] > spread->high;
    }
    double share = (double) sample->count / (double) n;
    spread->below = (uint64_t) ((double) below * share);
    spread->above = (uint64_t) ((double) above * share);
    return !*failed;
}

static int compareOrder(const void *left, const void *right, const void *data) {
    uint64_t a = ((const tacSoughtValue *) left)->order, b = ((const tacSoughtValue *) right)->order;
    (void) data;
    return a < b ? -1 : a > b;
}

/* The kept values that are far, in the order in which they came. False: no memory. */
static bool findFar(const tacSought *sample, const Spread *spread, Values *far) {
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sample->extremes[side].count; i++) {
            const tacSoughtValue *value = &sample->extremes[side].at[i];
            bool isFar = side ? value->number > spread->high : value->number < spread->low;
            if (isFar && !tacArrayPush(far, *value)) return false;
        }
    return tacSort(far->at, far->count, sizeof *far->at, compareOrder, NULL, NULL);
}

/* ---- sentences --------------------------------------------------------------------------------------------------- */

/* Adds a rounded number with at most so many decimals. */
static void sayNumber(double number, const tacSoughtSaid *said, tacText *text) {
    char out[400];
    if (said->share) number *= 100;
    tacPrint(out, sizeof out, "%.*f", said->share ? 3 : said->digits + 3, number);
    size_t length = strlen(out);
    while (out[length - 1] == '0') length--;
    length -= out[length - 1] == '.';
    bool zero = length == 2 && memcmp(out, "-0", 2) == 0;
    if (said->store && !said->share) tacTimeSayDecimal(said->store, out + zero, length - zero, text);
    else tacTextAdd(text, out + zero, length - zero);
    if (said->share) tacTextAdd(text, "%", 1);
}

/* Adds the value itself, rounded down to so many decimals. */
static void sayValue(const tacFraction *value, const tacSoughtSaid *said, tacText *text) {
    tacFractionSay(value, said->share, said->digits, said->store, text);
}

static void sayFar(const tacSought *sample, const Spread *spread, const tacSoughtValue *value,
    const tacSoughtSaid *said, tacText *text) {
    double distance = fabs(value->number - spread->median);
    tacTextPrintf(text, "%s was ", said->left);
    sayValue(&value->value, said, text);
    tacTextAddString(text, ", ");
    sayNumber(distance, said, text);
    tacTextPrintf(text, " %s than the median of %llu values, score %.1f (%.1f is far), required %s %s",
        value->number > spread->median ? "more" : "less", (unsigned long long) sample->count, distance / spread->scale,
        farScore, tacComparisonWords[said->op], said->right);
}

/* spread NULL: the values are too few. */
static void sayAll(const tacSought *sample, const Spread *spread, const tacSoughtSaid *said, tacText *text) {
    tacTextPrintf(text, "%s %s %s ", said->left, tacComparisonWords[said->op], said->right);
    if (!spread) {
        tacTextPrintf(text, "says nothing: it has %llu value%s, and needs %d", (unsigned long long) sample->count,
            sample->count == 1 ? "" : "s", TAC_SOUGHT_FEWEST);
        return;
    }
    tacTextAddString(text, "stands for ");
    if (isfinite(spread->low)) sayNumber(spread->low, said, text);
    bool both = isfinite(spread->low) && isfinite(spread->high) && spread->low < spread->high;
    if (both) tacTextAddString(text, " to ");
    if (both || !isfinite(spread->low)) sayNumber(spread->high, said, text);
    tacTextAddString(text, ": the median is ");
    sayNumber(spread->median, said, text);
    tacTextPrintf(text, ", of %llu values", (unsigned long long) sample->count);
}

static tacStatus hand(tacText *text, const tacSoughtValue *value, tacSoughtTaker *take, void *data, tacError *err) {
    tacStatus status = text->failed ? tacFailMemory(err) : take(data, value, text->at, err);
    text->length = 0;
    return status;
}

tacStatus tacSoughtTell(
    tacSought *sought, const tacSoughtSaid *said, tacSoughtTaker *take, void *data, uint64_t *more, tacError *err) {
    Spread spread = {0};
    Values far = {0};
    tacText text = {0};
    bool failed, enough = spreadOf(sought, said->op, &spread, &failed);
    tacStatus status = failed || (enough && !findFar(sought, &spread, &far)) ? tacFailMemory(err) : TAC_OK;
    for (size_t i = 0; i < far.count && status == TAC_OK; i++) {
        sayFar(sought, &spread, &far.at[i], said, &text);
        status = hand(&text, &far.at[i], take, data, err);
    }
    sought->far = spread.below + spread.above;
    sought->low = enough ? spread.low : -INFINITY;
    sought->high = enough ? spread.high : INFINITY;
    *more = sought->far > far.count ? sought->far - far.count : 0;
    if (status == TAC_OK) {
        sayAll(sought, enough ? &spread : NULL, said, &text);
        status = hand(&text, NULL, take, data, err);
    }
    tacTextFree(&text);
    tacArrayFree(&far);
    return status;
}
