/*
 * judge.c -- judges the statements of a check, and makes the sentences of what is not as expected.
 */
#include "base/port.h"

#include "analysis/audit.h"
#include "base/names.h"
#include "base/print.h"
#include "judge/chain.h"
#include "judge/instances.h"
#include "judge/learn.h"
#include "trace/called.h"
#include "trace/times.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- sentences --------------------------------------------------------------------------------------------------- */

void tacSay(tacJudging *judging, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    tacPrintList(text, sizeof text, format, arguments);
    va_end(arguments);
    tacTextAddString(&judging->sentence, text);
}

void tacSayTime(tacJudging *judging, int64_t ticks) { tacTimeSay(judging->model->store, ticks, &judging->sentence); }

void tacSayDecimal(tacJudging *judging, const char *text, size_t length) {
    tacTimeSayDecimal(judging->model->store, text, length, &judging->sentence);
}

void tacSayMoment(tacJudging *judging, int64_t ticks) {
    tacMomentSay(judging->model->store, ticks, &judging->sentence);
}

void tacSayMomentDecimal(tacJudging *judging, const char *text, size_t length) {
    tacMomentSayDecimal(text, length, &judging->sentence);
}

void tacSayWord(tacJudging *judging, const tacWord *word) { tacTextAdd(&judging->sentence, word->at, word->length); }

void tacAddId(tacText *out, const char *id, size_t length) {
    enum { LONGEST = 60, KEPT = 57 };
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:#/+-";
    bool isLong = length > LONGEST, quoted = isLong || strspn(id, plain) < length || !length;
    if (quoted) tacTextAdd(out, "\"", 1);
    tacTextAdd(out, id, isLong ? tacWholeLength(id, length, KEPT) : length);
    if (isLong) tacTextAddString(out, "...");
    if (quoted) tacTextAdd(out, "\"", 1);
}

void tacAddCalled(tacText *out, const tacStore *store, tacKind kind, uint32_t index) {
    tacText text = {0};
    tacCalled(store, kind, index, &text);
    size_t length = text.length; /* of the name, without the number of its thread */
    while (length && text.at[text.length - 1] == ')' && text.at[length - 1] != '(') length--;
    length = length > 1 && length < text.length ? length - 2 : text.length;
    if (text.at) tacAddId(out, text.at, length);
    if (text.at) tacTextAddString(out, text.at + length);
    out->failed |= text.failed;
    tacTextFree(&text);
}

void tacSayId(tacJudging *judging, const char *id, size_t length) { tacAddId(&judging->sentence, id, length); }

void tacSayWho(tacJudging *judging, const tacWho *who) {
    const tacStore *store = judging->model->store;
    const char *id = tacObjectId(store, who->kind, who->index);
    tacSay(judging, "%s ", tacKindNames[who->kind]);
    tacSayId(judging, id, strlen(id));
    if (tacWordIs(&who->id, id)) return;
    const char *name = tacObjectName(store, who->kind, who->index);
    if (strcmp(name, id) == 0) return;
    tacSay(judging, " (");
    tacSayId(judging, name, strlen(name));
    tacSay(judging, ")");
}

tacStatus tacJudgingTell(tacJudging *judging, const tacStatement *statement, tacJudgement judgement) {
    const tacStore *store = judging->model->store;
    tacText *sentence = &judging->sentence;
    if (!judgement.line && judgement.begin != TAC_UNKNOWN) {
        const tacFindingName *object = judgement.nObjects ? &judgement.objects[0] : NULL;
        bool ofJob = object && object->kind == TAC_JOB;
        uint32_t id = ofJob ? tacInternFind(&store->ids[TAC_JOB], object->id, strlen(object->id)) : TAC_NONE;
        uint32_t row = tacAuditRowNear(store, id, judgement.begin);
        if (row != TAC_NONE) judgement.line = tacRowLine(store, row);
    }
    tacTextPrintf(sentence, " (%s)", statement->place);
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

static tacStatus judgeOne(tacJudging *judging, tacExpectation *e, const tacWatch *watch) {
    switch (e->kind) {
    case TAC_EXPECT_MEASURE: return tacJudgeMeasure(judging, e);
    case TAC_EXPECT_STATE: return tacJudgeState(judging, e);
    case TAC_EXPECT_BUDGET: return tacJudgeBudget(judging, e);
    case TAC_EXPECT_NEVER: return tacJudgeNever(judging, e);
    case TAC_EXPECT_BETWEEN: return tacJudgeBetween(judging, e);
    default: return tacWatchTell(watch, judging, e);
    }
}

struct tacJudge {
    const tacStatement *statements;
    size_t n;
    tacExpectation *expectations; /* by statement */
    tacError *missing;            /* by statement: why the trace cannot be asked */
    uint32_t *models;             /* by statement: the automaton that begins with it; SKIPPED: it belongs to one */
    TAC_ARRAY(tacAutomaton) automata;
    uint32_t *chainOf; /* by statement: the chain that begins with it, or TAC_NONE */
    TAC_ARRAY(tacChain) chains;
    tacChains *runningChains; /* NULL: there are none, or they have not begun */
    const char *const *names; /* NULL: all models are read; else those of these names */
    bool ended;               /* ... to the end */
    bool followed;            /* the models have followed the replay that made the trace's model */
    tacError failed;          /* why they could not */
    tacMemBound bound;        /* of memory, while they follow it */
    tacAutomata *running;     /* NULL: there are no models, or they have not begun */
};

enum { SKIPPED = TAC_NONE - 1 };

tacJudge *tacJudgeNew(const tacStatement *statements, size_t n) {
    tacJudge *judge = tacAllocZero(1, sizeof *judge);
    if (!judge) return NULL;
    *judge = (tacJudge){.statements = statements, .n = n};
    judge->expectations = tacAllocZero(n + 1, sizeof *judge->expectations);
    judge->missing = tacAllocZero(n + 1, sizeof *judge->missing);
    judge->models = tacAlloc((n + 1) * sizeof *judge->models);
    judge->chainOf = tacAlloc((n + 1) * sizeof *judge->chainOf);
    if (judge->expectations && judge->missing && judge->models && judge->chainOf) return judge;
    tacJudgeFree(judge);
    return NULL;
}

/* Forgets what the expectations became with a model; they can be read anew. */
static void forgetExpectations(tacJudge *judge) {
    for (size_t i = 0; judge->expectations && i < judge->n; i++) {
        tacExpectationFree(&judge->expectations[i]);
        judge->expectations[i] = (tacExpectation){.kind = TAC_EXPECT_MEASURE};
    }
}

/* Forgets the models and chains. */
static void forgetModels(tacJudge *judge) {
    tacAutomataFree(judge->running);
    judge->running = NULL;
    for (size_t i = 0; i < judge->automata.count; i++) tacAutomatonFree(&judge->automata.at[i]);
    tacArrayFree(&judge->automata);
    tacChainsFree(judge->runningChains);
    judge->runningChains = NULL;
    for (size_t i = 0; i < judge->chains.count; i++) tacChainFree(&judge->chains.at[i]);
    tacArrayFree(&judge->chains);
}

void tacJudgeFree(tacJudge *judge) {
    if (!judge) return;
    forgetExpectations(judge);
    forgetModels(judge);
    tacFree(judge->chainOf);
    tacFree(judge->expectations);
    tacFree(judge->missing);
    tacFree(judge->models);
    tacFree(judge);
}

/* Number of the statements of a model, with its `end`. */
static size_t modelLength(const tacStatement *statements, size_t n) {
    size_t i = 0;
    for (int depth = 0; i < n; i++) {
        const tacWord *word = statements[i].count ? &statements[i].words[0] : NULL;
        depth += word && (tacWordIs(word, "model") || tacWordIs(word, "on"));
        if (word && tacWordIs(word, "end") && --depth == 0) return i + 1;
    }
    return i;
}

/* Does a statement begin a model? */
static bool beginsModel(const tacStatement *statement) {
    return statement->count && tacWordIs(&statement->words[0], "model");
}

/* Reads a model; one that cannot be judged with this trace is left out, and `missing` says why. */
static tacStatus readModel(tacJudge *judge, const tacModel *model, size_t i, size_t length, tacError *err) {
    tacAutomaton automaton;
    size_t used, fault = 0;
    tacError problem = {0};
    const tacStatement *statement = &judge->statements[i];
    tacStatus status = tacAutomatonRead(model, statement, length, &automaton, &used, &fault, &problem);
    if (status == TAC_OK && tacArrayPush(&judge->automata, automaton)) {
        judge->models[i] = (uint32_t) judge->automata.count - 1;
        return TAC_OK;
    }
    tacAutomatonFree(&automaton);
    if (status == TAC_OK) return tacFailMemory(err);
    if (strncmp(problem.code, "LOOKUP", 6) != 0)
        return tacFail(err, problem.code, "%s: %s", statement[fault].place, problem.message);
    judge->missing[i] = problem;
    return TAC_OK;
}

/* Reads a chain in the same way. */
static tacStatus readChain(tacJudge *judge, const tacModel *model, size_t i, size_t length, tacError *err) {
    tacChain chain;
    size_t fault;
    tacError problem = {0};
    const tacStatement *statement = &judge->statements[i];
    tacStatus status = tacChainRead(model, statement, length, &chain, &fault, &problem);
    judge->models[i] = SKIPPED;
    if (status == TAC_OK && tacArrayPush(&judge->chains, chain)) {
        judge->chainOf[i] = (uint32_t) judge->chains.count - 1;
        return TAC_OK;
    }
    tacChainFree(&chain);
    if (status == TAC_OK) return tacFailMemory(err);
    if (strncmp(problem.code, "LOOKUP", 6) != 0)
        return tacFail(err, problem.code, "%s: %s", statement[fault].place, problem.message);
    judge->missing[i] = problem;
    return TAC_OK;
}

/* Number of the statements of what begins with a statement. */
static size_t lengthOf(const tacStatement *statement, size_t n) {
    if (tacChainBegins(statement)) return tacChainLength(statement, n);
    return beginsModel(statement) ? modelLength(statement, n) : 1;
}

/* Reads the models and chains, of whose trace the objects are known; its jobs need not be. */
static tacStatus readModels(tacJudge *judge, const tacModel *model, tacError *err) {
    for (size_t i = 0; i < judge->n; i++) judge->chainOf[i] = TAC_NONE;
    for (size_t i = 0, length; i < judge->n; i += length) {
        const tacStatement *statement = &judge->statements[i];
        bool isModel = beginsModel(statement);
        length = lengthOf(statement, judge->n - i);
        judge->models[i] = TAC_NONE;
        for (size_t k = 1; k < length; k++) judge->models[i + k] = SKIPPED;
        if (tacChainBegins(statement) && readChain(judge, model, i, length, err) != TAC_OK) return TAC_ERROR;
        if (isModel && statement->count > 1
            && !tacNamesFit(judge->names, statement->words[1].at, statement->words[1].length))
            judge->models[i] = SKIPPED;
        else if (isModel && readModel(judge, model, i, length, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

static tacStatus readExpectations(tacJudge *judge, const tacModel *model, tacError *err) {
    for (size_t i = 0; i < judge->n; i++) {
        judge->expectations[i].statement = &judge->statements[i];
        if (judge->models[i] != TAC_NONE || beginsModel(&judge->statements[i])) continue;
        tacError *missing = &judge->missing[i];
        *missing = (tacError){0};
        if (tacExpectationRead(model, &judge->expectations[i], missing) == TAC_OK) continue;
        if (strncmp(missing->code, "LOOKUP", 6) != 0 && strcmp(missing->code, "DIGITS") != 0)
            return tacFail(err, missing->code, "%s", missing->message);
    }
    return TAC_OK;
}

/* Reads the models and makes their first instances. */
static tacStatus beginModels(tacJudge *judge, const tacModel *model, tacError *err) {
    if (readModels(judge, model, err) != TAC_OK) return TAC_ERROR;
    if (judge->chains.count) {
        judge->runningChains = tacChainsStart(judge->chains.at, judge->chains.count, model);
        if (!judge->runningChains) return tacFailMemory(err);
    }
    if (!judge->automata.count) return TAC_OK;
    judge->running = tacAutomataStart(judge->automata.at, judge->automata.count, model, NULL, err);
    return judge->running ? TAC_OK : TAC_ERROR;
}

/* ---- while a trace is opened ------------------------------------------------------------------------------------- */

static tacStatus onRow(void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    tacJudge *judge = data;
    if (judge->runningChains && tacChainsRow(judge->runningChains, model, replay, row, err) != TAC_OK) return TAC_ERROR;
    return judge->running ? tacAutomataRow(judge->running, model, replay, row, err) : TAC_OK;
}

/* The same while a trace is opened. Where models need more memory than there is for them, that is told by those who ask
 * for their findings; the trace is opened. */
static tacStatus onOpeningRow(
    void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    tacJudge *judge = data;
    if (TAC_UNLIKELY(judge->failed.code[0] != '\0')) return TAC_OK;
    tacMemBound outer = tacMemBoundSwap(judge->bound);
    tacStatus status = onRow(judge, model, replay, row, err);
    judge->bound = tacMemBoundSwap(outer);
    if (TAC_LIKELY(status == TAC_OK) || !judge->bound.refused) return status;
    judge->failed = *err;
    tacErrorClear(err);
    return TAC_OK;
}

/* Must it be known from the begin on whether there is a processor "default"? While a trace is opened it has an instance
 * in any case, which is left out in the end; but it would have changed what the others share with it. */
static bool needsProcessors(const tacJudge *judge) {
    for (size_t i = 0; i < judge->automata.count; i++)
        if (judge->automata.at[i].each == TAC_EACH_PROCESSOR && judge->automata.at[i].shared.count) return true;
    return false;
}

/* tacConsumer.begin: what is wrong with a model is told by those who ask for its findings; the trace is opened. */
static tacStatus onBegin(tacConsumer *consumer, const tacModel *model, tacError *err) {
    tacJudge *judge = consumer->data;
    (void) err;
    tacMemBound outer = tacMemBoundBegin(tacStoreRoom(model->store, true));
    judge->followed = beginModels(judge, model, &judge->failed) == TAC_OK;
    judge->bound = tacMemBoundSwap(outer);
    if (judge->followed && needsProcessors(judge)) {
        forgetModels(judge);
        judge->followed = false; /* it is judged when the trace is open */
    }
    return TAC_OK;
}

bool tacJudgeFollows(const tacJudge *judge) {
    for (size_t i = 0; i < judge->n; i++)
        if (beginsModel(&judge->statements[i]) || tacChainBegins(&judge->statements[i])) return true;
    return false;
}

tacConsumer tacJudgeConsumer(tacJudge *judge) { return (tacConsumer){judge, onOpeningRow, onBegin, .quick = true}; }

/* ---- of a trace that is open ------------------------------------------------------------------------------------- */

/* Says how far the replay is. A row may be offered to many instances, so the clock is looked at often. */
static tacStatus onProgress(
    void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    (void) model, (void) replay;
    return row % 64 || tacProgressStep(data, row) ? TAC_OK : tacFailStopped(err, data);
}

/* Lets the models, which have begun, follow the rows once more. */
static tacStatus follow(tacJudge *judge, const tacModel *model, tacProgress *progress, tacError *err) {
    if (!judge->running && !judge->runningChains) return TAC_OK;
    tacConsumer consumers[] = {{.data = judge, .event = onRow}, {.data = progress, .event = onProgress}};
    return tacReplayFollow(model, consumers, progress ? 2 : 1, err);
}

/* The models' findings, from the replay that made the model or from another one. */
static tacStatus judgeModels(tacJudge *judge, const tacModel *model, tacProgress *progress, tacError *err) {
    if (judge->failed.code[0]) return tacFail(err, judge->failed.code, "%s", judge->failed.message);
    if (!judge->followed && (beginModels(judge, model, err) != TAC_OK || follow(judge, model, progress, err) != TAC_OK))
        return TAC_ERROR;
    judge->followed = true;
    if (judge->ended) return TAC_OK;
    judge->ended = true;
    if (judge->running && tacAutomataEnd(judge->running, err) != TAC_OK) return TAC_ERROR;
    return judge->runningChains ? tacChainsEnd(judge->runningChains, err) : TAC_OK;
}

static tacStatus tellAutomaton(
    tacJudging *judging, const tacAutomaton *automaton, const tacAutomata *automata, size_t k) {
    size_t count;
    const tacVerdictNote *notes = tacAutomataNotes(automata, k, &count);
    tacStatus status = TAC_OK;
    if (automaton->unjudged.length) {
        tacSay(judging, "model %.*s: ", TAC_SHOWN(&automaton->name));
        tacSayWord(judging, &automaton->unjudged);
        status = tacJudgingTell(judging, automaton->statement,
            (tacJudgement){.verdict = TAC_VERDICT_UNCERTAIN, .begin = TAC_UNKNOWN, .end = TAC_UNKNOWN});
    }
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        if (automaton->each == TAC_EACH_PROCESSOR && notes[i].object != TAC_NONE
            && notes[i].object >= judging->model->nProcessors)
            continue; /* "default", on which nothing ran: not known while the trace was opened */
        tacJudgement found = {
            .verdict = notes[i].verdict, .begin = notes[i].time, .end = TAC_UNKNOWN, .line = notes[i].line};
        if (notes[i].object != TAC_NONE) {
            found.nObjects = 1;
            found.objects[0] = (tacFindingName){
                tacEachKind(automaton->each), tacEachId(judging->model, automaton->each, notes[i].object)};
        }
        tacTextAddString(&judging->sentence, notes[i].sentence);
        status = tacJudgingTell(judging, notes[i].statement, found);
    }
    for (int verdict = 0; verdict < TAC_VERDICTS && status == TAC_OK; verdict++) {
        tacJudgement more = {.verdict = (tacVerdict) verdict, .times = tacAutomataOnlyCounted(automata, k)[verdict]};
        if (more.times) status = judging->take(judging->data, &more, judging->err);
    }
    return status;
}

static tacStatus tellChain(tacJudging *judging, const tacChains *chains, size_t k) {
    size_t count;
    const tacChainNote *notes = tacChainsNotes(chains, k, &count);
    tacStatus status = TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        tacJudgement found = {
            .verdict = notes[i].verdict, .begin = notes[i].time, .end = TAC_UNKNOWN, .line = notes[i].line};
        for (int j = 0; j < 2; j++)
            if (notes[i].jobs[j] != TAC_NONE)
                found.objects[found.nObjects++] = (tacFindingName){
                    TAC_JOB, tacObjectId(judging->model->store, TAC_JOB, notes[i].jobs[j])};
        tacTextAddString(&judging->sentence, notes[i].sentence);
        status = tacJudgingTell(judging, notes[i].statement, found);
    }
    for (int verdict = 0; verdict < TAC_VERDICTS && status == TAC_OK; verdict++) {
        tacJudgement more = {.verdict = (tacVerdict) verdict, .times = tacChainsOnlyCounted(chains, k)[verdict]};
        if (more.times) status = judging->take(judging->data, &more, judging->err);
    }
    return status;
}

static tacStatus tellMissing(tacJudging *judging, const tacStatement *statement, const tacError *missing) {
    if (beginsModel(statement) || tacChainBegins(statement)) {
        tacSay(judging, "%.*s %.*s: %.200s", TAC_SHOWN(&statement->words[0]), TAC_SHOWN(&statement->words[1]),
            missing->message);
    } else {
        tacTextAddString(&judging->sentence, "expected ");
        sayStatement(judging, statement);
        bool lookup = strcmp(missing->code, "DIGITS") != 0;
        tacSay(judging, lookup ? ", but there is %.200s" : ", but %.200s", missing->message);
    }
    bool lookup = strncmp(missing->code, "LOOKUP", 6) == 0;
    return tacJudgingTell(judging, statement,
        (tacJudgement){.verdict = TAC_VERDICT_UNCERTAIN, .begin = TAC_UNKNOWN, .end = TAC_UNKNOWN, .missing = lookup});
}

static tacStatus tellAll(tacJudging *judging, const tacJudge *judge, const tacWatch *watch) {
    tacStatus status = TAC_OK;
    for (size_t i = 0; i < judge->n && status == TAC_OK; i++) {
        uint32_t k = judge->models[i], chain = judge->chainOf[i];
        if (chain != TAC_NONE) status = tellChain(judging, judge->runningChains, chain);
        else if (tacChainBegins(&judge->statements[i]))
            status = tellMissing(judging, &judge->statements[i], &judge->missing[i]);
        if (k == SKIPPED) continue;
        if (k != TAC_NONE) status = tellAutomaton(judging, &judge->automata.at[k], judge->running, k);
        else if (judge->missing[i].code[0]) status = tellMissing(judging, &judge->statements[i], &judge->missing[i]);
        else status = judgeOne(judging, &judge->expectations[i], watch);
    }
    return status;
}

tacStatus tacJudgeTell(
    tacJudge *judge, const tacModel *model, tacProgress *progress, tacJudgementTaker *take, void *data, tacError *err) {
    tacJudging judging = {.model = model, .progress = progress, .take = take, .data = data, .err = err};
    tacWatch *watch = NULL;
    tacStatus status = judgeModels(judge, model, progress, err);
    if (status == TAC_OK) status = readExpectations(judge, model, err);
    if (status == TAC_OK) status = tacWatchRows(&judging, judge->expectations, judge->n, &watch);
    if (status == TAC_OK) status = tellAll(&judging, judge, watch);
    forgetExpectations(judge);
    tacWatchFree(watch);
    tacTextFree(&judging.sentence);
    return status;
}

/* ---- limits that are to be found --------------------------------------------------------------------------------- */

static tacStatus tellLimit(const tacJudge *judge, const tacRelationTest *test, const tacStatement *statement,
    const tacSought *sought, tacJudgeLimitTaker *take, void *data, tacError *err) {
    if (!test->sought) return TAC_OK;
    bool share = tacComparesShares(&test->left, &test->right), time = tacExpressionIsTime(&test->left);
    tacJudgeLimit limit = {.statement = (size_t) (statement - judge->statements),
        .left = test->left.text,
        .op = test->op,
        .kind = share ? TAC_LIMIT_SHARE
            : time    ? TAC_LIMIT_TIME
                      : TAC_LIMIT_NUMBER,
        .values = sought};
    return take(data, &limit, err);
}

static tacStatus tellLimits(const tacJudge *judge, const tacAutomaton *a, const tacSought *sought,
    tacJudgeLimitTaker *take, void *data, tacError *err) {
    tacStatus status = TAC_OK;
    for (size_t i = 0; i < a->transitions.count; i++) {
        const tacTransition *transition = &a->transitions.at[i];
        for (size_t k = 0; k < transition->actions.count && status == TAC_OK; k++) {
            const tacAction *action = &transition->actions.at[k];
            status = tellLimit(judge, &action->test, action->statement, &sought[action->constraint], take, data, err);
        }
    }
    for (size_t i = 0; i < a->invariants.count && status == TAC_OK; i++) {
        const tacInvariant *invariant = &a->invariants.at[i];
        status = tellLimit(
            judge, &invariant->test, invariant->statement, &sought[a->nConstraints + i], take, data, err);
    }
    return status;
}

static tacStatus tellChainLimits(const tacJudge *judge, const tacChain *chain, const tacSought *sought,
    tacJudgeLimitTaker *take, void *data, tacError *err) {
    for (size_t i = 0; i < chain->requires.count; i++) {
        const tacChainRequire *require = &chain->requires.at[i];
        tacJudgeLimit limit = {.statement = (size_t) (require->statement - judge->statements),
            .left = tacChainMeasureNames[require->measure],
            .op = require->op,
            .kind = TAC_LIMIT_TIME,
            .values = &sought[i]};
        if (require->sought && take(data, &limit, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

static tacStatus tellMeasureLimits(
    const tacJudge *judge, const tacModel *model, tacJudgeLimitTaker *take, void *data, tacError *err) {
    tacStatus status = TAC_OK;
    for (size_t i = 0; i < judge->n && status == TAC_OK; i++) {
        const tacExpectation *e = &judge->expectations[i];
        tacSought sought;
        if (!e->sought || judge->missing[i].code[0]) continue;
        tacJudgeLimit limit = {.statement = i,
            .left = tacJobMeasureNames[e->measure],
            .op = e->op,
            .kind = e->measure < TAC_MEASURE_PREEMPTIONS ? TAC_LIMIT_TIME : TAC_LIMIT_NUMBER,
            .values = &sought};
        status = tacMeasureSought(model, e, 1, &sought, err);
        if (status == TAC_OK) status = take(data, &limit, err);
        tacSoughtFree(&sought);
    }
    return status;
}

tacStatus tacJudgeLimits(tacJudge *judge, const tacModel *model, tacProgress *progress, tacJudgeLimitTaker *take,
    void *data, tacError *err) {
    tacStatus status = judgeModels(judge, model, progress, err);
    for (size_t k = 0; k < judge->automata.count && status == TAC_OK; k++) {
        const tacSought *sought = tacAutomataSought(judge->running, k);
        if (sought) status = tellLimits(judge, &judge->automata.at[k], sought, take, data, err);
    }
    for (size_t k = 0; k < judge->chains.count && status == TAC_OK; k++) {
        const tacSought *sought = tacChainsSought(judge->runningChains, k);
        if (sought) status = tellChainLimits(judge, &judge->chains.at[k], sought, take, data, err);
    }
    if (status == TAC_OK) status = readExpectations(judge, model, err);
    if (status == TAC_OK) status = tellMeasureLimits(judge, model, take, data, err);
    forgetExpectations(judge);
    return status;
}

/* ---- instances --------------------------------------------------------------------------------------------------- */

/* Writes down the models that the trace cannot be asked for; the number of all models. */
static size_t writeMissing(const tacJudge *judge, tacInstances *written) {
    size_t models = judge->automata.count;
    for (size_t i = 0; i < judge->n; i++) {
        if (!judge->missing[i].code[0] || !beginsModel(&judge->statements[i])) continue;
        tacInstancesMissing(written, &judge->statements[i]);
        models++;
    }
    return models;
}

/* Lets the models follow the rows, and writes their instances down. */
static tacStatus writeInstances(
    tacJudge *judge, const tacModel *model, tacInstances *written, tacProgress *progress, tacError *err) {
    if (!judge->automata.count) return TAC_OK;
    tacAutomataFree(judge->running);
    judge->running = tacAutomataStart(judge->automata.at, judge->automata.count, model, written, err);
    if (!judge->running) return TAC_ERROR;
    tacStatus status = follow(judge, model, progress, err);
    return status == TAC_OK ? tacAutomataEnd(judge->running, err) : status;
}

tacStatus tacJudgeInstances(const tacModel *model, const tacStatement *statements, size_t n, const char *const *names,
    tacVerdict verdict, tacTable *table, tacError *err) {
    tacJudge *judge = tacJudgeNew(statements, n);
    tacInstances *written = NULL;
    if (judge) judge->names = names;
    tacStatus status = judge ? readModels(judge, model, err) : tacFailMemory(err);
    if (status == TAC_OK) status = readExpectations(judge, model, err);
    if (status == TAC_OK) {
        written = tacInstancesNew(model, statements, judge->automata.at, judge->automata.count);
        if (!written) status = tacFailMemory(err);
        else if (writeMissing(judge, written)) status = writeInstances(judge, model, written, NULL, err);
        else if (names && *names) status = tacFail(err, "LOOKUP MODEL", "there is no model \"%.100s\"", *names);
        else status = tacFail(err, "LOOKUP MODEL", "there is no model among the expectations");
    }
    if (status == TAC_OK) status = tacInstancesTable(written, verdict, table, err);
    else tacInstancesFree(written);
    tacJudgeFree(judge);
    return status;
}

/* ---- what models do ---------------------------------------------------------------------------------------------- */

typedef struct Counting {
    tacJudge *judge;
    const tacModel *model;
    tacProgress *progress;
    tacModelTables *tables;
    tacInstances *written;
    TAC_ARRAY(tacModelSeen) models;
    uint64_t *firsts; /* by automaton: row of its first instance */
} Counting;

static void countingFree(Counting *c) {
    tacJudgeFree(c->judge);
    tacModelTablesFree(c->tables);
    tacInstancesFree(c->written);
    tacArrayFree(&c->models);
    tacFree(c->firsts);
}

/* Lets the models follow the rows once, and counts; wish: as of tacJudgeModels. */
static tacStatus countOnce(Counting *c, const tacStripWish *wish, bool rows, tacError *err) {
    const tacJudge *judge = c->judge;
    tacModelTablesFree(c->tables);
    tacInstancesFree(c->written);
    c->tables = tacModelTablesNew(judge->automata.at, judge->automata.count);
    c->written = tacInstancesNew(c->model, judge->statements, judge->automata.at, judge->automata.count);
    bool fine = c->tables && c->written && (!wish || tacModelTablesWish(c->tables, wish, c->firsts));
    if (!fine) return tacFailMemory(err);
    if (rows) writeMissing(judge, c->written);
    tacInstancesTally(c->written, c->tables, rows);
    tacStatus status = writeInstances(c->judge, c->model, c->written, c->progress, err);
    for (size_t k = 0; k < judge->automata.count; k++)
        if (status == TAC_OK && !tacModelTallyOf(c->tables, k)) status = tacFailMemory(err);
    return status;
}

/* Lists the models, with what was counted, and the rows of their first instances. */
static tacStatus listModels(Counting *c, tacError *err) {
    const tacJudge *judge = c->judge;
    uint64_t row = 0;
    c->models.count = 0;
    for (size_t i = 0; i < judge->n; i++) {
        uint32_t k = judge->models[i];
        tacModelSeen seen = {.statement = &judge->statements[i], .missing = judge->missing[i].message, .first = row};
        if (k == SKIPPED || !beginsModel(seen.statement)) continue;
        seen.count = modelLength(seen.statement, judge->n - i);
        if (k != TAC_NONE) {
            seen.automaton = &judge->automata.at[k];
            seen.tally = tacModelTallyOf(c->tables, k);
            c->firsts[k] = row;
        }
        row += seen.tally ? seen.tally->instances : 1;
        if (!tacArrayPush(&c->models, seen)) return tacFailMemory(err);
    }
    return TAC_OK;
}

/* Counts; where strips are wanted of the instances of several models, once more, since only then their rows are known.
 */
static tacStatus count(Counting *c, const tacStripWish *wish, bool rows, tacError *err) {
    size_t known = c->judge->automata.count;
    for (size_t i = 0; i < c->judge->n; i++) known += c->judge->missing[i].code[0] != 0;
    c->firsts = tacAllocZero(c->judge->automata.count + 1, sizeof *c->firsts);
    if (!c->firsts) return tacFailMemory(err);
    if (wish && known > 1 && (countOnce(c, NULL, false, err) != TAC_OK || listModels(c, err) != TAC_OK))
        return TAC_ERROR;
    return countOnce(c, wish, rows, err) == TAC_OK ? listModels(c, err) : TAC_ERROR;
}

tacStatus tacJudgeModels(const tacModel *model, const tacStatement *statements, size_t n, tacProgress *progress,
    const tacStripWish *wish, tacModelsTaker *take, void *data, tacTable *instances, tacError *err) {
    Counting c = {.judge = tacJudgeNew(statements, n), .model = model, .progress = progress};
    size_t nStrips = 0;
    tacStatus status = c.judge ? readModels(c.judge, model, err) : tacFailMemory(err);
    if (status == TAC_OK) status = count(&c, wish, instances != NULL, err);
    if (status == TAC_OK) {
        const tacStrip *strips = wish ? tacModelStrips(c.tables, &nStrips) : NULL;
        status = take(data, c.models.at, c.models.count, strips, nStrips, err);
    }
    if (status == TAC_OK && instances) {
        status = tacInstancesTable(c.written, TAC_VERDICTS, instances, err);
        c.written = NULL;
    }
    countingFree(&c);
    return status;
}
