/*
 * judgeStates.c -- states and budgets at a time, and conditions over stretches of time.
 */
#include "base/port.h"

#include "judge/expectation.h"
#include "model/query.h"
#include "trace/times.h"

#include <string.h>

static tacJudgement invalidAt(int64_t begin, int64_t end, tacKind kind, const char *id) {
    return (tacJudgement){TAC_VERDICT_INVALID, begin, end, 0, {{kind, id}}, id ? 1 : 0, NULL, false, 0};
}

/* ---- at a time --------------------------------------------------------------------------------------------------- */

/* States change at ticks, and hold until the next change: so the state at a limit is that at its whole ticks. */
static tacStatus judgeStateOf(tacJudging *judging, const tacExpectation *e, const tacWho *who) {
    const tacModel *model = judging->model;
    int64_t t = e->from.ticks;
    uint32_t job = who->kind == TAC_JOB ? tacQueryJob(model, who->index, t) : tacQueryTaskJob(model, who->index, t);
    const char *state = tacStateNames[job == TAC_NONE ? TAC_STATE_NONE : tacQueryJobState(model, job, t, NULL)];
    bool ready = tacWordIs(&e->state, "ready");
    if (tacWordIs(&e->state, state)) return TAC_OK;
    if (ready && (strcmp(state, "waiting") == 0 || strcmp(state, "preempted") == 0)) return TAC_OK;
    tacSayWho(judging, who);
    tacSay(judging, " was %s at ", state);
    tacSayWord(judging, &e->fromWord);
    tacSay(judging, ", expected ");
    tacSayWord(judging, &e->state);
    return tacJudgingTell(
        judging, e->statement, invalidAt(t, TAC_UNKNOWN, who->kind, tacObjectId(model->store, who->kind, who->index)));
}

tacStatus tacJudgeState(tacJudging *judging, const tacExpectation *e) {
    tacStatus status = TAC_OK;
    if (e->who.kind == TAC_JOB) return judgeStateOf(judging, e, &e->who);
    for (size_t i = 0; status == TAC_OK && i < e->who.tasks.count; i++) {
        tacWho one = tacWhoOne(&e->who, i);
        status = judgeStateOf(judging, e, &one);
    }
    return status;
}

/* Between two ticks the budget falls by a part of a tick for each consumer, so it is compared in such parts. */
tacStatus tacJudgeBudget(tacJudging *judging, const tacExpectation *e) {
    const tacModel *model = judging->model;
    uint32_t consumers;
    int64_t budget = tacQueryBudget(model, e->server, e->from.ticks, &consumers);
    __int128 got = (__int128) budget * (__int128) TAC_LIMIT_PARTS - (__int128) consumers * (__int128) e->from.part;
    __int128 limit = (__int128) e->limit.ticks * (__int128) TAC_LIMIT_PARTS + (__int128) e->limit.part;
    int order = got != limit ? got < limit ? -1 : 1 : e->limit.rest ? -1 : 0;
    if (tacComparisonHolds(e->op, order)) return TAC_OK;
    tacSay(judging, "the budget of server ");
    tacSayId(judging, e->who.id.at, e->who.id.length);
    tacSay(judging, " was ");
    tacSayTime(judging, budget);
    tacSay(judging, " at ");
    tacSayMoment(judging, e->from.ticks);
    tacSay(judging, ", expected %.*s ", TAC_SHOWN(&e->operatorWord));
    tacSayDecimal(judging, e->value.at, e->value.length);
    return tacJudgingTell(judging, e->statement,
        invalidAt(e->from.ticks, TAC_UNKNOWN, TAC_SERVER, tacObjectId(model->store, TAC_SERVER, e->server)));
}

/* ---- over stretches ---------------------------------------------------------------------------------------------- */

/* The object that the condition begins with, if it is about one. */
static tacJudgement aboutCondition(const tacModel *model, const tacCondition *condition, tacList *words) {
    tacJudgement found = {.verdict = TAC_VERDICT_INVALID};
    if (tacListSplit(words, condition->text.at, condition->text.length, NULL) != TAC_OK || words->words.count < 2)
        return found; /* which happens without memory only: then the finding names no object */
    found.nObjects = tacFindObject(model, &words->words.at[1], &found.objects[0]);
    return found;
}

/* Tells each stretch between two times in which the condition is true, in one piece each; `said` comes before its
 * times. */
static tacStatus tellStretches(tacJudging *judging, tacExpectation *e, int64_t from, int64_t to, const char *said) {
    const tacModel *model = judging->model;
    tacCondition *condition = &e->condition;
    tacList words = {0};
    tacJudgement found = aboutCondition(model, condition, &words);
    tacStatus status = TAC_OK;
    int64_t begin = TAC_UNKNOWN, until;
    uint64_t steps = 0;
    tacConditionStart(model, condition);
    for (int64_t t = from; status == TAC_OK && t <= to; t = until) {
        bool so = t < to && tacConditionAt(model, condition, t, to, &until);
        if (t == to) until = to + 1;
        if (so && begin == TAC_UNKNOWN) begin = t;
        if (!tacProgressAt(judging->progress, steps++)) status = tacFailStopped(judging->err, judging->progress);
        if (so || begin == TAC_UNKNOWN || status != TAC_OK) continue;
        found.begin = begin;
        found.end = t;
        found.line = 0;
        tacTextAddString(&judging->sentence, said);
        tacSay(judging, " from ");
        tacSayMoment(judging, begin);
        tacSay(judging, " to ");
        tacSayMoment(judging, t);
        status = tacJudgingTell(judging, e->statement, found);
        begin = TAC_UNKNOWN;
    }
    tacListFree(&words);
    return status;
}

tacStatus tacJudgeNever(tacJudging *judging, tacExpectation *e) {
    const tacModel *model = judging->model;
    tacText said = {0};
    tacTextPrintf(&said, "expected %s {%.*s}", e->always ? "always" : "never", (int) e->condition.text.length,
        e->condition.text.at);
    if (e->during.text.length) tacTextPrintf(&said, " while {%.*s}", (int) e->during.text.length, e->during.text.at);
    tacTextAddString(&said, e->always ? ", but it was not so" : ", but it was so");
    tacStatus status = said.failed ? tacFailMemory(judging->err) : TAC_OK;
    if (status == TAC_OK) status = tacConditionJoin(&e->condition, &e->during, e->always, judging->err);
    if (status == TAC_OK) status = tellStretches(judging, e, model->begin, model->end, said.at);
    tacTextFree(&said);
    return status;
}

/* Part of the window that lies outside of the recording, where nothing is known. */
static tacStatus tellOutside(tacJudging *judging, const tacExpectation *e, tacText *expected) {
    const tacModel *model = judging->model;
    tacList words = {0};
    if (tacLimitCompare(model->begin, &e->from) <= 0 && tacLimitCompare(model->end, &e->to) >= 0) return TAC_OK;
    tacJudgement found = aboutCondition(model, &e->condition, &words);
    found.verdict = TAC_VERDICT_UNCERTAIN;
    found.begin = e->from.ticks;
    found.end = tacLimitCeiling(&e->to);
    tacTextAdd(&judging->sentence, expected->at, expected->length);
    tacSay(judging, ", but the recording is from ");
    tacSayMoment(judging, model->begin);
    tacSay(judging, " to ");
    tacSayMoment(judging, model->end);
    tacStatus status = tacJudgingTell(judging, e->statement, found);
    tacListFree(&words);
    return status;
}

tacStatus tacJudgeBetween(tacJudging *judging, tacExpectation *e) {
    const tacModel *model = judging->model;
    int64_t from = e->from.ticks, to = tacLimitCeiling(&e->to);
    tacText said = {0};
    tacTextPrintf(&said, "expected {%.*s} from ", (int) e->condition.text.length, e->condition.text.at);
    tacMomentSayDecimal(e->fromWord.at, e->fromWord.length, &said);
    tacTextAddString(&said, " to ");
    tacMomentSayDecimal(e->toWord.at, e->toWord.length, &said);
    tacStatus status = said.failed ? tacFailMemory(judging->err) : tellOutside(judging, e, &said);
    tacTextAddString(&said, ", but it was not so");
    if (status == TAC_OK && said.failed) status = tacFailMemory(judging->err);
    if (status == TAC_OK) status = tacConditionJoin(&e->condition, NULL, true, judging->err);
    if (from < model->begin) from = model->begin;
    if (to > model->end) to = model->end;
    if (status == TAC_OK && from < to) status = tellStretches(judging, e, from, to, said.at);
    tacTextFree(&said);
    return status;
}
