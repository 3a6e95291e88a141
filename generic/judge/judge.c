/*
 * judge.c -- judges the statements of a check, and makes the sentences of what is not as expected.
 */
#include "base/port.h"

#include "judge/expectation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- sentences --------------------------------------------------------------------------------------------------- */

void tacSay(tacJudging *judging, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tacTextAddString(&judging->sentence, text);
}

void tacSayTime(tacJudging *judging, int64_t ticks) {
    char text[TAC_DECIMAL_SIZE];
    size_t length = tacDecimalFormat(ticks, judging->model->store->digits, text);
    tacTextAdd(&judging->sentence, text, length);
}

void tacSayWord(tacJudging *judging, const tacWord *word) { tacTextAdd(&judging->sentence, word->at, word->length); }

void tacSayId(tacJudging *judging, const char *id, size_t length) {
    enum { LONGEST = 60, KEPT = 57 };
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:#/+-";
    tacText *out = &judging->sentence;
    bool isLong = length > LONGEST, quoted = isLong || strspn(id, plain) < length || !length;
    if (quoted) tacTextAdd(out, "\"", 1);
    tacTextAdd(out, id, isLong ? tacWholeLength(id, length, KEPT) : length);
    if (isLong) tacTextAddString(out, "...");
    if (quoted) tacTextAdd(out, "\"", 1);
}

tacStatus tacJudgingTell(tacJudging *judging, const tacExpectation *e, tacJudgement judgement) {
    const tacStore *store = judging->model->store;
    tacText *sentence = &judging->sentence;
    if (!judgement.line && judgement.begin != TAC_UNKNOWN) {
        uint32_t row = tacStoreFind(store, judgement.begin);
        if (row < tacStoreCount(store) && tacRowTime(store, row) == judgement.begin)
            judgement.line = tacRowLine(store, row);
    }
    tacTextPrintf(sentence, " (%s)", e->statement->place);
    if (sentence->failed) return tacFailMemory(judging->err);
    judgement.sentence = sentence->at;
    tacStatus status = judging->take(judging->data, &judgement, judging->err);
    sentence->length = 0;
    return status;
}

/* The words of the statement, shortened, for what cannot be judged. */
static void sayStatement(tacJudging *judging, const tacStatement *statement) {
    enum { LONGEST = 200, KEPT = 197 };
    tacText text = {0};
    for (int i = 0; i < statement->count; i++) {
        const tacWord *word = &statement->words[i];
        bool list = word->length == 0 || memchr(word->at, ' ', word->length);
        tacTextPrintf(
            &text, "%s%s%.*s%s", i ? " " : "", list ? "{" : "", (int) word->length, word->at, list ? "}" : "");
    }
    size_t shown = text.length > LONGEST ? tacWholeLength(text.at, text.length, KEPT) : text.length;
    tacTextAdd(&judging->sentence, text.at ? text.at : "", shown);
    if (shown < text.length) tacTextAddString(&judging->sentence, "...");
    judging->sentence.failed |= text.failed;
    tacTextFree(&text);
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

static tacStatus judge(tacJudging *judging, tacExpectation *e, const tacWatch *watch) {
    switch (e->kind) {
    case TAC_EXPECT_MEASURE: return tacJudgeMeasure(judging, e);
    case TAC_EXPECT_STATE: return tacJudgeState(judging, e);
    case TAC_EXPECT_BUDGET: return tacJudgeBudget(judging, e);
    case TAC_EXPECT_NEVER: return tacJudgeNever(judging, e);
    case TAC_EXPECT_BETWEEN: return tacJudgeBetween(judging, e);
    default: return tacWatchTell(watch, judging, e);
    }
}

tacStatus tacJudge(const tacModel *model, const tacStatement *statements, size_t n, tacProgress *progress,
    tacJudgementTaker *take, void *data, tacError *err) {
    tacJudging judging = {.model = model, .progress = progress, .take = take, .data = data, .err = err};
    tacExpectation *all = tacAllocZero(n + 1, sizeof *all);
    tacError *missing = tacAllocZero(n + 1, sizeof *missing); /* why the trace cannot be asked */
    tacWatch *watch = NULL;
    tacStatus status = all && missing ? TAC_OK : tacFailMemory(err);
    for (size_t i = 0; i < n && status == TAC_OK; i++) {
        all[i].statement = &statements[i];
        if (tacExpectationRead(model, &all[i], &missing[i]) == TAC_OK) continue;
        if (strncmp(missing[i].code, "LOOKUP", 6) != 0 && strcmp(missing[i].code, "DIGITS") != 0)
            status = tacFail(err, missing[i].code, "%s", missing[i].message);
    }
    if (status == TAC_OK) status = tacWatchRows(&judging, all, n, &watch);
    for (size_t i = 0; i < n && status == TAC_OK; i++) {
        if (!missing[i].code[0]) {
            status = judge(&judging, &all[i], watch);
            continue;
        }
        tacTextAddString(&judging.sentence, "expected ");
        sayStatement(&judging, &statements[i]);
        bool lookup = strcmp(missing[i].code, "DIGITS") != 0;
        tacSay(&judging, lookup ? ", but there is %.200s" : ", but %.200s", missing[i].message);
        status = tacJudgingTell(&judging, &all[i],
            (tacJudgement){.verdict = TAC_VERDICT_UNCERTAIN, .begin = TAC_UNKNOWN, .end = TAC_UNKNOWN});
    }
    for (size_t i = 0; all && i < n; i++) tacExpectationFree(&all[i]);
    tacFree(all);
    tacFree(missing);
    tacWatchFree(watch);
    tacTextFree(&judging.sentence);
    return status;
}
