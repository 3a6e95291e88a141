/*
 * scale.c -- piecewise linear time axis and 1-2-5 ticks.
 */
#include "base/port.h"

#include "base/print.h"
#include "view/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- segments ---------------------------------------------------------------------------------------------------- */

void tacScaleInit(
    tacScale *scale, int64_t from, int64_t to, double x0, double x1, const tacGap *gaps, int nGaps, double breakWidth) {
    double shown = tacTicksBetween(from, to);
    nGaps = nGaps < TAC_SCALE_SEGMENTS ? nGaps : TAC_SCALE_SEGMENTS - 1;
    for (int i = 0; i < nGaps; i++) shown -= tacTicksBetween(gaps[i].from, gaps[i].to);
    scale->from = from, scale->to = to;
    scale->x0 = x0, scale->x1 = x1;
    scale->nSegments = nGaps + 1;
    scale->perTick = (x1 - x0 - nGaps * breakWidth) / (shown > 0 ? shown : 1);
    double x = x0;
    for (int i = 0; i <= nGaps; i++) {
        tacSegment *segment = &scale->segments[i];
        segment->from = i ? gaps[i - 1].to : from;
        segment->to = i < nGaps ? gaps[i].from : to;
        segment->x0 = x;
        segment->x1 = i < nGaps ? x + tacTicksBetween(segment->from, segment->to) * scale->perTick : x1;
        x = segment->x1 + breakWidth;
    }
}

double tacScaleXAt(const tacScale *scale, double since) {
    if (scale->nSegments == 1) {
        double x = scale->x0 + since * scale->perTick;
        return x < scale->x0 ? scale->x0 : x <= scale->x1 ? x : scale->x1;
    }
    const tacSegment *segment = &scale->segments[scale->nSegments - 1];
    while (segment > scale->segments && tacTicksBetween(scale->from, segment->from) > since) segment--;
    double x = segment->x0 + (since - tacTicksBetween(scale->from, segment->from)) * scale->perTick;
    if (x < scale->x0) return scale->x0;
    if (x <= segment->x1) return x;
    const tacSegment *next = segment + 1;
    if (next == scale->segments + scale->nSegments) return scale->x1;
    double share = (since - tacTicksBetween(scale->from, segment->to)) / tacTicksBetween(segment->to, next->from);
    return segment->x1 + share * (next->x0 - segment->x1);
}

double tacScaleX(const tacScale *scale, int64_t time) {
    return time <= scale->from ? scale->x0
        : time >= scale->to    ? scale->x1
                               : tacScaleXAt(scale, tacTicksBetween(scale->from, time));
}

int64_t tacScaleTime(const tacScale *scale, double x) {
    if (!(x > scale->x0)) return scale->from;
    if (x >= scale->x1) return scale->to;
    int i = 0;
    while (i < scale->nSegments - 1 && x >= scale->segments[i].x1) i++;
    const tacSegment *segment = &scale->segments[i];
    if (x <= segment->x0) return segment->from;
    double ticks = floor((x - segment->x0) / scale->perTick), whole = tacTicksBetween(segment->from, segment->to);
    if (ticks >= whole) return segment->to;
    return ticks < 9e18 ? segment->from + (int64_t) ticks : (int64_t) ((double) segment->from + ticks);
}

/* ---- ticks ------------------------------------------------------------------------------------------------------- */

static const int powersOfTenExact = 22; /* 10^22 is the last power that a double holds exactly */

static double power10(int exponent) {
    return exponent >= -powersOfTenExact && exponent < 0 ? 1 / pow(10, -exponent) : pow(10, exponent);
}

/* Writes value * 10^exponent, exactly if there is room for all digits. */
static size_t formatPower(int64_t value, int exponent, char buffer[TAC_LABEL_SIZE]) {
    if (exponent <= 0 && exponent >= -TAC_MAX_DIGITS) {
        char text[TAC_DECIMAL_SIZE];
        size_t n = tacDecimalFormat(value, -exponent, text);
        memcpy(buffer, text, n + 1);
        return n;
    }
    int zeros = value && exponent > 0 && exponent < 24 ? exponent : 0;
    if (value && exponent != zeros)
        return (size_t) tacPrint(buffer, TAC_LABEL_SIZE, "%.15g", (double) value * power10(exponent));
    int n = snprintf(buffer, TAC_LABEL_SIZE, "%lld", (long long) value);
    memset(buffer + n, '0', (size_t) zeros);
    buffer[n + zeros] = 0;
    return (size_t) (n + zeros);
}

size_t tacAxisFormat(int64_t time, int digits, double axisScale, char buffer[TAC_LABEL_SIZE]) {
    int k = (int) lround(log10(axisScale));
    if (fabs(axisScale / power10(k) - 1) < 1e-12) return formatPower(time, k - digits, buffer); /* exact decimals */
    return (size_t) tacPrint(buffer, TAC_LABEL_SIZE, "%.12g", (double) time * power10(-digits) * axisScale);
}

/* Works out the step and the first and last tick. */
static void update(tacTicks *ticks, int64_t from, int64_t to) {
    ticks->step = ticks->mantissa * power10(ticks->exponent) * ticks->perUnit;
    ticks->first = floor(tacTicksBetween(ticks->base, from) / ticks->step);
    ticks->last = ceil(tacTicksBetween(ticks->base, to) / ticks->step);
}

/*
 * The base of the labels: 0, unless all labels would begin with the same long row of digits. Then it is `from`, rounded
 * down to a multiple of a power of ten above the window's length.
 */
static int64_t chooseBase(int64_t from, int64_t to, double step) {
    double largest = fmax(fabs((double) from), fabs((double) to)), span = tacTicksBetween(from, to);
    if (largest < 1e7 * step || largest < 20 * span || (from < 0) != (to < 0)) return 0;
    int64_t round = 1;
    while ((double) round < span && round <= INT64_MAX / 10) round *= 10;
    int64_t base;
    return __builtin_sub_overflow(from, (from % round + round) % round, &base) ? 0 : base;
}

void tacTicksInit(tacTicks *ticks, int64_t from, int64_t to, int digits, double axisScale, double least) {
    if (!(axisScale > 0)) axisScale = 1;
    ticks->perUnit = power10(digits) / axisScale;
    ticks->middle = ticks->minor = 1;
    ticks->shift = 0;
    double units = least / ticks->perUnit;
    ticks->mantissa = 1;
    ticks->exponent = units > 0 ? (int) floor(log10(units)) : 0;
    ticks->base = 0;
    ticks->step = power10(ticks->exponent) * ticks->perUnit;
    while (ticks->step < least * (1 - 1e-9)) tacTicksCoarser(ticks, from, to);
    ticks->base = chooseBase(from, to, ticks->step);
    update(ticks, from, to);
}

void tacTicksCoarser(tacTicks *ticks, int64_t from, int64_t to) {
    ticks->mantissa = ticks->mantissa == 1 ? 2 : ticks->mantissa == 2 ? 5 : 10;
    if (ticks->mantissa == 10) {
        ticks->mantissa = 1;
        ticks->exponent++;
    }
    update(ticks, from, to);
}

/* Tries the splits for the mantissa, finest first. Middle ticks stand at round values between the labels. */
void tacTicksSplit(tacTicks *ticks, double least) {
    static const struct {
        int middle, minor;
    } splits[3][3] = {{{2, 10}, {2, 2}, {1, 1}}, {{2, 10}, {2, 4}, {2, 2}}, {{5, 10}, {5, 5}, {1, 1}}};
    int kind = ticks->mantissa == 1 ? 0 : ticks->mantissa == 2 ? 1 : 2;
    ticks->middle = ticks->minor = 1;
    for (int i = 0; i < 3; i++) {
        if (ticks->step / splits[kind][i].minor >= least) {
            ticks->middle = splits[kind][i].middle;
            ticks->minor = splits[kind][i].minor;
            return;
        }
    }
}

/* Length of the longer one of two labels, near the begin and at the end of the window. */
static size_t labelLength(const tacTicks *ticks) {
    char text[TAC_LABEL_SIZE];
    size_t first = tacTicksLabel(ticks, (int64_t) ticks->first + 1, text),
           last = tacTicksLabel(ticks, (int64_t) ticks->last, text);
    return first > last ? first : last;
}

void tacTicksShift(tacTicks *ticks) {
    enum {
        LONG_LABEL = 6, /* characters of a label that is too long */
        WORTH = 3       /* characters that a shift must save where it only moves the point */
    };
    ticks->shift = 0;
    size_t length = labelLength(ticks);
    if (length <= LONG_LABEL || (ticks->exponent < 3 && ticks->exponent > -3)) return;
    ticks->shift = (ticks->exponent - (ticks->exponent < 0 ? 2 : 0)) / 3 * 3;
    if (ticks->exponent < 0 && labelLength(ticks) + WORTH > length) ticks->shift = 0;
}

/* Gives a decimal of n characters so many digits behind the point, and returns its length. */
static size_t padDecimals(size_t n, int decimals, char buffer[TAC_LABEL_SIZE]) {
    const char *point = strchr(buffer, '.');
    int has = point ? (int) strlen(point + 1) : 0;
    if (decimals <= has || n + 1 + (size_t) decimals >= TAC_LABEL_SIZE) return n;
    if (!point) buffer[n++] = '.';
    for (; has < decimals; has++) buffer[n++] = '0';
    buffer[n] = 0;
    return n;
}

size_t tacTicksLabel(const tacTicks *ticks, int64_t j, char buffer[TAC_LABEL_SIZE]) {
    int64_t value;
    if (__builtin_mul_overflow(j, (int64_t) ticks->mantissa, &value)) { /* ticks so far from the base are not drawn */
        buffer[0] = 0;
        return 0;
    }
    int exponent = ticks->exponent - ticks->shift;
    return padDecimals(formatPower(value, exponent, buffer), -exponent, buffer);
}
