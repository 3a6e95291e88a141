/*
 * expectation.c -- reads the words of expectations: a row of `forms` a kind, and a function that reads what follows its
 * first word.
 */
#include "base/port.h"

#include "judge/expectation.h"
#include "model/ask.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const tacJobMeasureNames[] = {"response", "execution", "net_execution", "preempted", "blocked", "lateness",
    "release", "start", "completion", "deadline", "preemptions", "migrations", NULL};

const char *const tacStatisticNames[] = {
    "all", "min", "mean", "max", "p50", "p90", "p95", "p99", "p999", "average", NULL};

/* ---- words ------------------------------------------------------------------------------------------------------- */

typedef struct Words { /* those that are still to be read */
    const tacModel *model;
    const tacWord *at;
    int count;
} Words;

static tacStatus failCount(tacError *err) { return tacFail(err, "USAGE", "wrong number of words"); }

static tacStatus next(Words *words, tacWord *word, tacError *err) {
    if (!words->count) return failCount(err);
    *word = *words->at++;
    words->count--;
    return TAC_OK;
}

static tacStatus nextIs(Words *words, const char *expected, tacError *err) {
    tacWord word = {"", 0};
    if (next(words, &word, err) != TAC_OK) return TAC_ERROR;
    if (tacWordIs(&word, expected)) return TAC_OK;
    return tacFail(err, "USAGE", "\"%.*s\" where \"%s\" is expected", TAC_SHOWN(&word), expected);
}

/* Index of the word in a list of names. */
static tacStatus nextOf(
    Words *words, const char *const *names, const char *what, tacWord *word, int *index, tacError *err) {
    if (next(words, word, err) != TAC_OK) return TAC_ERROR;
    for (*index = 0; names[*index]; ++*index)
        if (tacWordIs(word, names[*index])) return TAC_OK;
    return tacFail(err, "USAGE", "bad %s \"%.*s\"", what, TAC_SHOWN(word));
}

/* A number: a time in ticks of the trace, or a count (digits 0). */
static tacStatus nextLimit(Words *words, bool isTime, tacWord *word, tacLimit *limit, tacError *err) {
    int digits = isTime && words->model ? words->model->store->digits : 0;
    if (next(words, word, err) != TAC_OK) return TAC_ERROR;
    if (tacLimitParse(word->at, word->length, digits, limit)) return TAC_OK;
    return tacFail(err, "USAGE", "bad %s \"%.*s\"", isTime ? "time" : "number", TAC_SHOWN(word));
}

static tacStatus nextWho(Words *words, tacWho *who, tacError *err) {
    if (next(words, &who->id, err) != TAC_OK) return TAC_ERROR;
    return words->model ? tacWhoFind(words->model, &who->id, who, err) : TAC_OK;
}

static tacStatus nextOperator(Words *words, tacExpectation *e, tacError *err) {
    int op;
    if (nextOf(words, tacComparisonWords, "comparison", &e->operatorWord, &op, err) != TAC_OK) return TAC_ERROR;
    e->op = (tacComparison) op;
    return TAC_OK;
}

static tacStatus nextPattern(Words *words, tacExpectation *e, tacError *err) {
    tacWord word = {"", 0};
    if (next(words, &word, err) != TAC_OK) return TAC_ERROR;
    if (!tacArrayPush(&e->patterns, (tacEventPattern){0})) return tacFailMemory(err);
    return tacEventPatternRead(words->model, &word, &e->patterns.at[e->patterns.count - 1], err);
}

static tacStatus nextCondition(Words *words, tacCondition *condition, tacError *err) {
    tacWord word = {"", 0};
    return next(words, &word, err) == TAC_OK ? tacConditionRead(words->model, &word, condition, err) : TAC_ERROR;
}

/* "at TIME" or "from TIME to TIME". */
static tacStatus nextWindow(Words *words, tacExpectation *e, tacError *err) {
    if (words->count == 2) {
        if (nextIs(words, "at", err) != TAC_OK) return TAC_ERROR;
        if (nextLimit(words, true, &e->fromWord, &e->from, err) != TAC_OK) return TAC_ERROR;
        e->toWord = e->fromWord;
        e->to = e->from;
        return TAC_OK;
    }
    if (words->count != 4) return failCount(err);
    return nextIs(words, "from", err) == TAC_OK && nextLimit(words, true, &e->fromWord, &e->from, err) == TAC_OK
            && nextIs(words, "to", err) == TAC_OK && nextLimit(words, true, &e->toWord, &e->to, err) == TAC_OK
        ? TAC_OK
        : TAC_ERROR;
}

/* ---- the kinds --------------------------------------------------------------------------------------------------- */

static tacStatus readMeasure(Words *words, tacExpectation *e, tacError *err) {
    int statistic = TAC_OF_EACH;
    tacWord word = {"", 0};
    if (nextWho(words, &e->who, err) != TAC_OK) return TAC_ERROR;
    if (words->count == 3 && nextOf(words, tacStatisticNames, "statistic", &word, &statistic, err) != TAC_OK)
        return TAC_ERROR;
    e->statistic = statistic == TAC_OF_AVERAGE ? TAC_OF_MEAN : (tacStatistic) statistic;
    if (words->count != 2) return failCount(err);
    if (nextOperator(words, e, err) != TAC_OK) return TAC_ERROR;
    if (tacWordIs(words->at, "?")) {
        e->sought = true;
        if (e->op == TAC_UNEQUAL) return tacFail(err, "USAGE", "no limit can be found for !=");
        if (e->statistic != TAC_OF_EACH)
            return tacFail(err, "USAGE", "a limit can be found for each job, not for a statistic of them");
        return next(words, &e->value, err);
    }
    return nextLimit(words, e->measure < TAC_MEASURE_PREEMPTIONS, &e->value, &e->limit, err);
}

static tacStatus readEvent(Words *words, tacExpectation *e, tacError *err) {
    return nextPattern(words, e, err) == TAC_OK ? nextWindow(words, e, err) : TAC_ERROR;
}

static tacStatus readOrder(Words *words, tacExpectation *e, tacError *err) {
    if (words->count < 2) return failCount(err);
    while (words->count)
        if (nextPattern(words, e, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

static tacStatus readCount(Words *words, tacExpectation *e, tacError *err) {
    if (nextPattern(words, e, err) != TAC_OK || nextOperator(words, e, err) != TAC_OK) return TAC_ERROR;
    if (nextLimit(words, false, &e->value, &e->limit, err) != TAC_OK) return TAC_ERROR;
    if (e->limit.part || e->limit.rest) return tacFail(err, "USAGE", "bad number \"%.*s\"", TAC_SHOWN(&e->value));
    return words->count ? nextWindow(words, e, err) : TAC_OK;
}

static tacStatus readState(Words *words, tacExpectation *e, tacError *err) {
    static const char *const states[] = {
        "none", "waiting", "running", "preempted", "ready", "blocked", "completed", "between", "unknown", NULL};
    int state;
    if (nextWho(words, &e->who, err) != TAC_OK || nextOf(words, states, "state", &e->state, &state, err) != TAC_OK)
        return TAC_ERROR;
    return nextIs(words, "at", err) == TAC_OK ? nextLimit(words, true, &e->fromWord, &e->from, err) : TAC_ERROR;
}

static tacStatus readBudget(Words *words, tacExpectation *e, tacError *err) {
    if (next(words, &e->who.id, err) != TAC_OK) return TAC_ERROR;
    e->server = words->model ? tacAskFindNamed(words->model, TAC_SERVER, e->who.id.at, e->who.id.length) : TAC_NONE;
    if (words->model && e->server == TAC_NONE)
        return tacFail(err, "LOOKUP OBJECT", "no server \"%.*s\" in the trace", TAC_SHOWN(&e->who.id));
    if (nextOperator(words, e, err) != TAC_OK || nextLimit(words, true, &e->value, &e->limit, err) != TAC_OK)
        return TAC_ERROR;
    return nextIs(words, "at", err) == TAC_OK ? nextLimit(words, true, &e->fromWord, &e->from, err) : TAC_ERROR;
}

static tacStatus readNever(Words *words, tacExpectation *e, tacError *err) {
    if (nextCondition(words, &e->condition, err) != TAC_OK) return TAC_ERROR;
    if (!words->count) return TAC_OK;
    return nextIs(words, "while", err) == TAC_OK ? nextCondition(words, &e->during, err) : TAC_ERROR;
}

static tacStatus readBetween(Words *words, tacExpectation *e, tacError *err) {
    if (words->count != 3) return failCount(err);
    return nextLimit(words, true, &e->fromWord, &e->from, err) == TAC_OK
            && nextLimit(words, true, &e->toWord, &e->to, err) == TAC_OK
        ? nextCondition(words, &e->condition, err)
        : TAC_ERROR;
}

static tacStatus readStream(Words *words, tacExpectation *e, tacError *err) {
    if (nextPattern(words, e, err) != TAC_OK) return TAC_ERROR;
    int count = words->count;
    words->count = 0;
    return tacStreamRead(words->model, words->at, count, &e->terms, err);
}

static const struct Form {
    const char *name;
    tacExpectationKind kind;
    tacStatus (*read)(Words *words, tacExpectation *expectation, tacError *err);
    const char *usage; /* after the name */
} forms[] = {
    {"event", TAC_EXPECT_EVENT, readEvent, "{event id ...} at time | from time to time"},
    {"order", TAC_EXPECT_ORDER, readOrder, "{event id ...} {event id ...} ?...?"},
    {"count", TAC_EXPECT_COUNT, readCount, "{event id ...} op number ?from time to time?"},
    {"state", TAC_EXPECT_STATE, readState, "job|task state at time"},
    {"budget", TAC_EXPECT_BUDGET, readBudget, "server op value at time"},
    {"never", TAC_EXPECT_NEVER, readNever, "condition ?while condition?"},
    {"always", TAC_EXPECT_NEVER, readNever, "condition ?while condition?"},
    {"between", TAC_EXPECT_BETWEEN, readBetween, "time time condition"},
    {"stream", TAC_EXPECT_STREAM, readStream,
        "{event id ...} ?-period t? ?-jitter j? ?-origin t? ?-late l? ?-early e? ?-distance min? ?-gap max?"
        " ?-burst n -within w? ?-pattern {t ...}? ?-distances {min ...}? ?-gaps {max ...}?"},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* The row of all measures, which have their names in tacJobMeasureNames. */
static const struct Form measureForm = {
    NULL, TAC_EXPECT_MEASURE, readMeasure, "job|task ?min|mean|max|p50|p90|p95|p99|p999? op value"};

static const struct Form *findForm(const tacWord *word, tacJobMeasure *measure) {
    for (int i = 0; i < FORMS; i++)
        if (tacWordIs(word, forms[i].name)) return &forms[i];
    for (int i = 0; i < TAC_MEASURES; i++) {
        *measure = (tacJobMeasure) i;
        if (tacWordIs(word, tacJobMeasureNames[i])) return &measureForm;
    }
    return NULL;
}

static tacStatus failForm(const tacWord *word, tacError *err) {
    tacText all = {0};
    for (int i = 0; i < FORMS; i++) tacTextPrintf(&all, "%s, ", forms[i].name);
    for (int i = 0; i < TAC_MEASURES; i++)
        tacTextPrintf(&all, "%s%s", tacJobMeasureNames[i], i + 1 < TAC_MEASURES ? ", " : "");
    tacFail(err, "USAGE", "bad expectation \"%.*s\": must be %s", TAC_SHOWN(word), all.at ? all.at : "");
    tacTextFree(&all);
    return TAC_ERROR;
}

tacStatus tacExpectationRead(const tacModel *model, tacExpectation *e, tacError *err) {
    const tacStatement *statement = e->statement;
    tacWord first = statement->count ? statement->words[0] : (tacWord){"", 0};
    tacError problem = {0};
    *e = (tacExpectation){.statement = statement};
    const struct Form *form = findForm(&first, &e->measure);
    if (!form) return failForm(&first, err);
    e->kind = form->kind;
    e->always = tacWordIs(&first, "always");
    Words words = {model, statement->words + 1, statement->count - 1};
    tacStatus status = form->read(&words, e, &problem);
    if (status == TAC_OK && words.count) status = failCount(&problem);
    if (status == TAC_OK) return TAC_OK;
    if (strcmp(problem.code, "USAGE") != 0) return tacFail(err, problem.code, "%s", problem.message);
    return tacFail(err, "USAGE", "%s: should be \"expect %.*s %s\"", problem.message, TAC_SHOWN(&first), form->usage);
}

void tacExpectationFree(tacExpectation *e) {
    for (size_t i = 0; i < e->patterns.count; i++) tacEventPatternFree(&e->patterns.at[i]);
    tacArrayFree(&e->patterns);
    tacConditionFree(&e->condition);
    tacConditionFree(&e->during);
    tacStreamTermsFree(&e->terms);
    tacWhoFree(&e->who);
}

tacStatus tacStatementCheck(const tacWord *words, int count, tacError *err) {
    tacStatement statement = {words, count, ""};
    tacExpectation e = {.statement = &statement};
    tacStatus status = tacExpectationRead(NULL, &e, err);
    tacExpectationFree(&e);
    return status;
}
