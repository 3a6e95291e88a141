/*
 * times.c -- the scale of a trace: growing it, counting the times that it holds, refusing others (the rule is in
 * times.h).
 *
 * Invariants until tacTimesFinish:
 *   1. Every time in the store is a time (tacIsTime) of store->digits, TAC_UNKNOWN, or a stand-in: TAC_TIME_LIMIT plus
 *      the index of its number in store->misfits. Numbers stay there, also when their stand-ins have become times.
 *   2. store->largest is the largest |ticks| of the times, so a scale with more digits that holds it holds all of them.
 */
#include "base/port.h"

#include "trace/column.h"
#include "trace/times.h"

#include <string.h>

enum {
    SCALES = TAC_MAX_DIGITS + 1, /* 0 .. TAC_MAX_DIGITS decimals */
    SHOWN = 60,                  /* bytes of a number in a message */
    FEW = 10,                    /* events and definitions that may be refused in any trace, */
    FEW_OF = 100                 /* or one of so many */
};

static inline bool isMisfit(int64_t ticks) { return ticks >= TAC_TIME_LIMIT; }
static inline int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }

/* The number behind ticks of the store, as it was written: mantissa * 10^-digits. */
static tacMisfit numberAt(const tacStore *store, int64_t ticks, int digits) {
    if (isMisfit(ticks)) return store->misfits.at[ticks - TAC_TIME_LIMIT];
    return (tacMisfit){ticks, digits, TAC_NONE};
}

/* Sets a number apart, with a stand-in in *ticks. False: no memory. */
static bool putMisfit(tacStore *store, tacMisfit number, int64_t *ticks) {
    *ticks = TAC_TIME_LIMIT + (int64_t) store->misfits.count;
    return tacArrayPush(&store->misfits, number);
}

/* ---- changing the scale ---- */

/* Brings the ticks at a place of the store from one scale to another. rounding: digits may get lost. False: no memory.
 */
static bool restate(tacStore *store, int64_t *place, int from, int to, bool rounding) {
    if (*place == TAC_UNKNOWN) return true;
    tacMisfit number = numberAt(store, *place, from);
    int64_t ticks;
    bool rounded = number.text != TAC_NONE;
    if (tacDecimalShift(number.mantissa, to - number.digits, &ticks, &rounded) && tacIsTime(ticks)
        && (!rounded || rounding)) {
        if (magnitude(ticks) > store->largest) store->largest = magnitude(ticks);
        return *place = ticks, true;
    }
    return isMisfit(*place) || putMisfit(store, number, place);
}

/* The same for the times among options. */
static bool restateOptions(tacStore *store, tacOptionArray *options, int from, int to, bool rounding) {
    for (size_t i = 0; i < options->count; i++)
        if (tacOptions[options->at[i].option].type == TAC_TYPE_TIME
            && !restate(store, &options->at[i].value, from, to, rounding))
            return false;
    return true;
}

/* Brings the whole store to another scale. False: no memory. */
static bool restateAll(tacStore *store, int to, bool rounding) {
    int from = store->digits;
    bool done = true;
    store->largest = 0;
    for (size_t i = 0; done && i < store->time.count; i++)
        done = restate(store, &store->time.at[i], from, to, rounding);
    for (size_t i = 0; done && i < store->numbers.count; i++)
        done = restate(store, &store->numbers.at[i], from, to, rounding);
    done = done && restateOptions(store, &store->options, from, to, rounding);
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        done = done && restateOptions(store, &store->objectOptions[kind], from, to, rounding);
        for (size_t i = 0; done && i < store->objects[kind].count; i++) {
            tacObject *o = &store->objects[kind].at[i];
            done = restate(store, &o->budget, from, to, rounding) && restate(store, &o->C, from, to, rounding)
                && restate(store, &o->D, from, to, rounding) && restate(store, &o->T, from, to, rounding)
                && (kind != TAC_SERVER || restate(store, &o->capacity, from, to, rounding));
        }
    }
    store->digits = to;
    return done;
}

/* ---- reading ---- */

/* Grows the scale to the digits of a number, if it then holds the number and all stored ones. False: it does not, or no
 * memory. */
static bool growFor(tacStore *store, const tacDecimal *number) {
    int64_t largest;
    bool rounded = false;
    return tacIsTime(number->mantissa)
        && tacDecimalShift(store->largest, number->digits - store->digits, &largest, &rounded) && tacIsTime(largest)
        && restateAll(store, number->digits, false);
}

tacStatus tacTimeRead(tacStore *store, const char *text, size_t length, int64_t *ticks, tacError *err) {
    tacDecimal number;
    bool rounded = false, known = tacDecimalParse(text, length, &number) == TAC_OK;
    if (TAC_LIKELY(known && !number.rounded && (number.digits <= store->digits || growFor(store, &number))
            && tacDecimalShift(number.mantissa, store->digits - number.digits, ticks, &rounded) && tacIsTime(*ticks))) {
        if (magnitude(*ticks) > store->largest) store->largest = magnitude(*ticks);
        return TAC_OK;
    }
    int shown = (int) tacWholeLength(text, length, SHOWN);
    if (!known && !number.beyond)
        return tacFail(
            err, "VALUE TIME", "\"%.*s\" is not a time: expected a decimal number such as 12 or 0.5", shown, text);
    if (!known || (number.digits == 0 && !tacIsTime(number.mantissa)))
        return tacFail(err, "TIME RANGE", "\"%.*s\" is too large for a time: 64 bits hold times below %lld", shown,
            text, (long long) TAC_TIME_LIMIT);
    tacMisfit misfit = {number.mantissa, number.digits, TAC_NONE};
    if (number.rounded && (misfit.text = tacStoreString(store, text, length)) == TAC_NONE) return tacFailMemory(err);
    return putMisfit(store, misfit, ticks) ? TAC_OK : tacFailMemory(err);
}

bool tacTimeCarry(tacStore *store, int64_t *ticks, int digits) {
    return restate(store, ticks, digits, store->digits, false);
}

void tacTimeText(const tacStore *store, int64_t ticks, tacText *out) {
    tacMisfit number = numberAt(store, ticks, store->digits);
    char buffer[TAC_DECIMAL_SIZE];
    if (number.text != TAC_NONE) tacTextAddString(out, tacString(store, number.text));
    else tacTextAdd(out, buffer, tacDecimalFormat(number.mantissa, number.digits, buffer));
}

/* Adds a number of the trace's unit, if that is one of time; else returns false. */
static bool saidWithUnit(const tacStore *store, int64_t mantissa, int digits, tacText *out) {
    char text[TAC_DECIMAL_SIZE];
    int exponent;
    if (!store->unit || !tacTimeUnit(store->unit, strlen(store->unit), &exponent)) return false;
    tacTextAdd(out, text, tacLengthText(mantissa, digits, exponent, 0, text));
    return true;
}

void tacTimeSay(const tacStore *store, int64_t ticks, tacText *out) {
    char text[TAC_DECIMAL_SIZE];
    if (!saidWithUnit(store, ticks, store->digits, out))
        tacTextAdd(out, text, tacDecimalFormat(ticks, store->digits, text));
}

void tacTimeSayDecimal(const tacStore *store, const char *text, size_t length, tacText *out) {
    tacDecimal value;
    bool exact = tacDecimalParse(text, length, &value) == TAC_OK && !value.rounded;
    if (!exact || !saidWithUnit(store, value.mantissa, value.digits, out)) tacTextAdd(out, text, length);
}

static bool isDecimal(const char *text, size_t length) {
    tacDecimal value;
    return tacDecimalParse(text, length, &value) == TAC_OK && !value.rounded;
}

void tacMomentSayDecimal(const char *text, size_t length, tacText *out) {
    static const char begin = TAC_MOMENT_BEGIN, end = TAC_MOMENT_END;
    bool marked = isDecimal(text, length);
    if (marked) tacTextAdd(out, &begin, 1);
    tacTextAdd(out, text, length);
    if (marked) tacTextAdd(out, &end, 1);
}

void tacMomentSay(const tacStore *store, int64_t ticks, tacText *out) {
    char text[TAC_DECIMAL_SIZE];
    tacMomentSayDecimal(text, tacDecimalFormat(ticks, store->digits, text), out);
}

const char *tacMomentFind(const char *sentence, size_t *length) {
    for (const char *at = sentence; (at = strchr(at, TAC_MOMENT_BEGIN)); at++) {
        const char *end = strchr(at, TAC_MOMENT_END);
        if (!end) break;
        *length = (size_t) (end - at) + 1;
        if (isDecimal(at + 1, *length - 2)) return at;
    }
    return NULL;
}

bool tacMomentsSay(const tacStore *store, const char *sentence, tacText *out) {
    const char *at, *rest = sentence;
    for (size_t length; (at = tacMomentFind(rest, &length)); rest = at + length) {
        tacTextAdd(out, rest, (size_t) (at - rest));
        tacTimeSayDecimal(store, at + 1, length - 2, out);
    }
    tacTextAddString(out, rest);
    return rest > sentence;
}

/* ---- counting what each scale holds ---- */

/* The scales that hold a number: first .. last decimals, none when last < first. A rounded number fits fewer than
 * `first`, too. */
typedef struct Scales {
    int first, last;
} Scales;

/* Narrows `scales` to those that also hold the ticks at this place. */
static void narrow(const tacStore *store, int64_t place, Scales *scales) {
    if (place == TAC_UNKNOWN) return;
    tacMisfit number = numberAt(store, place, store->digits);
    int64_t ticks = number.mantissa;
    int first = number.digits, last;
    if (ticks == 0) first = 0, last = TAC_MAX_DIGITS;
    else {
        for (; first > 0 && ticks % 10 == 0; first--) ticks /= 10;
        for (last = first - 1; last < TAC_MAX_DIGITS && tacIsTime(ticks); last++)
            if (__builtin_mul_overflow(ticks, (int64_t) 10, &ticks)) ticks = INT64_MAX;
    }
    if (number.text != TAC_NONE) first = SCALES; /* it was written with more decimals than any scale has */
    if (first > scales->first) scales->first = first;
    if (last < scales->last) scales->last = last;
}

/* Numbers of events and definitions that each scale holds. */
typedef struct Census {
    uint64_t all;           /* events, and definitions with times */
    uint64_t held[SCALES];  /* by digits: held ones; while counting: difference to one digit fewer */
    uint64_t large[SCALES]; /* by digits: those too large to be held; while counting: difference to one digit fewer */
    bool begins[SCALES];    /* by digits: something is held that fewer digits do not hold */
    int finest;             /* most decimals of any time, at most TAC_MAX_DIGITS */
} Census;

/* Counts an event or definition that these scales hold. */
static void count(Census *census, Scales scales) {
    census->all++;
    int first = scales.first < SCALES ? scales.first : TAC_MAX_DIGITS;
    if (first > census->finest) census->finest = first;
    if (scales.last < TAC_MAX_DIGITS) census->large[scales.last + 1]++;
    if (scales.last < scales.first) return;
    census->begins[scales.first] = true;
    census->held[scales.first]++;
    if (scales.last < TAC_MAX_DIGITS) census->held[scales.last + 1]--;
}

/* True when the second argument of the row is a time, which stands among the numbers. */
static bool hasNumber(const tacStore *store, uint32_t row) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    return spec->nArguments > 1 && spec->arguments[1] == TAC_TYPE_TIME && tacRowObject(store, row) != TAC_NONE;
}

/* Finds the scales that hold all times of the definition whose options begin at i; *next: index of the next
 * definition's options. Options are refused one by one, so one that no scale holds does not count, and of those that
 * exclude one another only the finest does. False: the definition has no times. */
static bool scalesOfDefinition(
    const tacStore *store, const tacOptionArray *options, size_t i, size_t *next, Scales *all) {
    Scales finest = {-1, -1};
    uint32_t owner = options->at[i].owner;
    *all = (Scales){0, TAC_MAX_DIGITS};
    for (; i < options->count && options->at[i].owner == owner; i++) {
        Scales one = {0, TAC_MAX_DIGITS};
        if (tacOptions[options->at[i].option].type != TAC_TYPE_TIME) continue;
        narrow(store, options->at[i].value, &one);
        if (one.last < one.first) continue;
        if (one.first > finest.first) finest = one;
        if (one.first > all->first) all->first = one.first;
        if (one.last < all->last) all->last = one.last;
    }
    *next = i;
    if (all->last < all->first) *all = finest;
    return finest.first >= 0;
}

/* Counts all events and definitions with times. */
static Census takeCensus(const tacStore *store) {
    Census census = {0};
    for (uint32_t row = 0; row < tacStoreCount(store) && tacProgressAt(store->progress, row); row++) {
        Scales scales = {0, TAC_MAX_DIGITS};
        narrow(store, store->time.at[row], &scales);
        if (hasNumber(store, row)) narrow(store, tacRowNumber(store, row), &scales);
        count(&census, scales);
    }
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        Scales scales;
        for (size_t i = 0, n = store->objectOptions[kind].count; i < n;)
            if (scalesOfDefinition(store, &store->objectOptions[kind], i, &i, &scales)) count(&census, scales);
    }
    for (int digits = 1; digits < SCALES; digits++) {
        census.held[digits] += census.held[digits - 1];
        census.large[digits] += census.large[digits - 1];
    }
    return census;
}

/* Digits of the scale by rule 1, and up to wantedDigits when these hold as much. */
static int bestDigits(const tacStore *store, const Census *census) {
    int best = 0;
    for (int digits = 1; digits < SCALES; digits++)
        if (census->begins[digits] && census->held[digits] >= census->held[best]) best = digits;
    while (best < store->wantedDigits && census->held[best + 1] == census->held[best]) best++;
    return best;
}

tacStatus tacTimesSettleSome(tacStore *store, uint32_t line, tacError *err) {
    Census census = takeCensus(store);
    if (tacProgressStopped(store->progress)) return tacFailStopped(err, store->progress);
    if (!restateAll(store, bestDigits(store, &census), false)) return tacFailMemory(err);
    store->misfitsMost = 2 * store->misfits.count + TAC_MISFITS;
    return tacStoreCheck(store, line, err);
}

/* ---- refusing, at the end ---- */

/* Reports a time that is refused. option: its name; NULL: a time of an event. */
static void sayRefused(const tacStore *store, tacDiag *diag, uint32_t line, const char *option, int64_t place) {
    Scales scales = {0, TAC_MAX_DIGITS};
    tacText number = {0};
    char limit[TAC_DECIMAL_SIZE];
    const char *before = option ? "option " : "", *after = option ? "; the option is ignored" : "";
    tacTimeText(store, place, &number);
    const char *text = number.at ? number.at : "";
    int shown = (int) tacWholeLength(text, strlen(text), SHOWN);
    narrow(store, place, &scales);
    tacDecimalFormat(TAC_TIME_LIMIT, store->digits, limit);
    if (scales.last < store->digits)
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, line, "TIME RANGE",
            "%s%s%s\"%.*s\" is too large beside the other times: with their %d decimals 64 bits hold times below %s%s",
            before, option ? option : "", option ? ": " : "", shown, text, store->digits, limit, after);
    else
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, line, "TIME RANGE",
            "%s%s%s\"%.*s\" has more decimals than 64 bits hold beside the other times, which have room for %d%s",
            before, option ? option : "", option ? ": " : "", shown, text, store->digits, after);
    tacTextFree(&number);
}

/* Field of an object for the value of an option; NULL: it has none. */
static int64_t *fieldOf(tacObject *object, tacOption option) {
    switch (option) {
    case TAC_OPT_C: return &object->C;
    case TAC_OPT_D: return &object->D;
    case TAC_OPT_T: return &object->T;
    case TAC_OPT_BUDGET: return &object->budget;
    case TAC_OPT_SERVER_CAPACITY: return &object->capacity;
    default: return NULL;
    }
}

/* Removes refused options from the definitions of a kind, as if they had not been given. */
static void refuseOptions(tacStore *store, tacDiag *diag, int kind) {
    tacOptionArray *options = &store->objectOptions[kind];
    size_t kept = 0;
    for (size_t i = 0; i < options->count; i++) {
        tacOptionValue given = options->at[i];
        const tacOptionSpec *spec = &tacOptions[given.option];
        int64_t *field = spec->type == TAC_TYPE_TIME
            ? fieldOf(&store->objects[kind].at[given.owner], (tacOption) given.option)
            : NULL;
        bool refused = field && isMisfit(given.value);
        if (refused) sayRefused(store, diag, store->objects[kind].at[given.owner].line, spec->name, given.value);
        else options->at[kept++] = given;
        if (refused && isMisfit(*field)) *field = given.option == TAC_OPT_BUDGET ? 0 : TAC_UNKNOWN;
        else if (field && !refused) *field = given.value;
    }
    options->count = kept;
}

/* Data of keepsRow. */
typedef struct Refusal {
    tacStore *store;
    tacDiag *diag;
    uint8_t *marked; /* by job index: 1 where an arrival was refused */
} Refusal;

/* False for a row with a time that does not fit, with an error. */
static bool keepsRow(void *data, uint32_t row) {
    Refusal *refusal = data;
    const tacStore *store = refusal->store;
    int64_t time = store->time.at[row], number = hasNumber(store, row) ? tacRowNumber(store, row) : 0;
    if (!isMisfit(time) && !isMisfit(number)) return true;
    sayRefused(store, refusal->diag, tacRowLine(store, row), NULL, isMisfit(time) ? time : number);
    if (tacRowEvent(store, row) == TAC_EV_JOB_ARRIVED) refusal->marked[tacRowSubject(store, row)] = 1;
    return false;
}

/* Drops the rows with times that do not fit. */
static tacStatus refuseRows(tacStore *store, tacDiag *diag, tacError *err) {
    uint32_t before = tacStoreCount(store);
    uint8_t *marked = tacAllocZero(store->jobTask.count + 1, 1);
    Refusal refusal = {store, diag, marked};
    tacStatus status = marked ? tacColumnsKeep(store, keepsRow, &refusal, err) : tacFailMemory(err);
    if (status != TAC_OK || tacStoreCount(store) == before) return tacFree(marked), status;
    /* A refused arrival gives its job no task: a job without newJob gets that of its first other arrival. */
    for (size_t i = 0; i < store->jobDefinitions.count; i++) marked[store->jobDefinitions.at[i].job] = 0;
    for (size_t job = 0; job < store->jobTask.count; job++)
        if (marked[job]) store->jobTask.at[job] = TAC_NONE;
    for (uint32_t row = 0; row < tacStoreCount(store) && tacProgressAt(store->progress, row); row++) {
        uint32_t job = tacRowSubject(store, row);
        if (tacRowEvent(store, row) == TAC_EV_JOB_ARRIVED && marked[job] && store->jobTask.at[job] == TAC_NONE)
            store->jobTask.at[job] = tacRowObject(store, row);
    }
    tacFree(marked);
    return TAC_OK;
}

tacStatus tacTimesFinish(tacStore *store, tacDiag *diag, tacError *err) {
    if (store->misfits.count == 0) return TAC_OK;
    Census census = takeCensus(store);
    if (tacProgressStopped(store->progress)) return tacFailStopped(err, store->progress);
    int digits = bestDigits(store, &census), best = digits;
    uint64_t few = census.all / FEW_OF > FEW ? census.all / FEW_OF : FEW, refused = census.all - census.held[best];
    bool rounding = refused > few;
    if (rounding) { /* rule 3: most digits with which no more than a few are too large */
        for (digits = census.finest; digits > 0 && census.large[digits] > few;) digits--;
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, 0, "TIME RANGE",
            "the times of this trace need more than 64 bits: %llu of %llu events and definitions do not fit with %d"
            " decimals, which most have room for; times are rounded to %d decimals: write them with fewer, or from a"
            " later origin",
            (unsigned long long) refused, (unsigned long long) census.all, best, digits);
    }
    if (!restateAll(store, digits, rounding)) return tacFailMemory(err);
    for (int kind = 0; kind < TAC_KINDS; kind++) refuseOptions(store, diag, kind);
    tacStatus status = refuseRows(store, diag, err);
    tacArrayFree(&store->misfits);
    return status;
}
