/*
 * judge.c -- judges the statements of a check, and makes the sentences of what is not as expected.
 */
#include "base/port.h"

#include "judge/instances.h"

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

void tacAddId(tacText *out, const char *id, size_t length) {
    enum { LONGEST = 60, KEPT = 57 };
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:#/+-";
    bool isLong = length > LONGEST, quoted = isLong || strspn(id, plain) < length || !length;
    if (quoted) tacTextAdd(out, "\"", 1);
    tacTextAdd(out, id, isLong ? tacWholeLength(id, length, KEPT) : length);
    if (isLong) tacTextAddString(out, "...");
    if (quoted) tacTextAdd(out, "\"", 1);
}

void tacSayId(tacJudging *judging, const char *id, size_t length) { tacAddId(&judging->sentence, id, length); }

tacStatus tacJudgingTell(tacJudging *judging, const tacStatement *statement, tacJudgement judgement) {
    const tacStore *store = judging->model->store;
    tacText *sentence = &judging->sentence;
    if (!judgement.line && judgement.begin != TAC_UNKNOWN) {
        uint32_t row = tacStoreFind(store, judgement.begin);
        if (row < tacStoreCount(store) && tacRowTime(store, row) == judgement.begin)
            judgement.line = tacRowLine(store, row);
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

/* The statements of a check, read. */
typedef struct Reading {
    const tacStatement *statements;
    size_t n;
    tacExpectation *expectations; /* by statement */
    tacError *missing;            /* by statement: why the trace cannot be asked */
    uint32_t *models;             /* by statement: the automaton that begins with it; SKIPPED: it belongs to one */
    TAC_ARRAY(tacAutomaton) automata;
    const char *name; /* NULL: all models are read; else those of that name */
} Reading;

enum { SKIPPED = TAC_NONE - 1 };

static bool readingBegin(Reading *r, const tacStatement *statements, size_t n) {
    *r = (Reading){.statements = statements, .n = n};
    r->expectations = tacAllocZero(n + 1, sizeof *r->expectations);
    r->missing = tacAllocZero(n + 1, sizeof *r->missing);
    r->models = tacAlloc((n + 1) * sizeof *r->models);
    return r->expectations && r->missing && r->models;
}

static void readingFree(Reading *r) {
    for (size_t i = 0; r->expectations && i < r->n; i++) tacExpectationFree(&r->expectations[i]);
    for (size_t i = 0; i < r->automata.count; i++) tacAutomatonFree(&r->automata.at[i]);
    tacArrayFree(&r->automata);
    tacFree(r->expectations);
    tacFree(r->missing);
    tacFree(r->models);
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

/* Reads a model; one that cannot be judged with this trace is left out, and `missing` says why. */
static tacStatus readModel(tacJudging *judging, Reading *r, size_t i, size_t length) {
    tacAutomaton automaton;
    size_t used, fault = 0;
    tacError problem = {0};
    const tacStatement *statement = &r->statements[i];
    tacStatus status = tacAutomatonRead(judging->model, statement, length, &automaton, &used, &fault, &problem);
    if (status == TAC_OK && tacArrayPush(&r->automata, automaton)) {
        r->models[i] = (uint32_t) r->automata.count - 1;
        return TAC_OK;
    }
    tacAutomatonFree(&automaton);
    if (status == TAC_OK) return tacFailMemory(judging->err);
    if (strncmp(problem.code, "LOOKUP", 6) != 0)
        return tacFail(judging->err, problem.code, "%s: %s", statement[fault].place, problem.message);
    r->missing[i] = problem;
    return TAC_OK;
}

static tacStatus readAll(tacJudging *judging, Reading *r) {
    for (size_t i = 0, length; i < r->n; i += length) {
        const tacStatement *statement = &r->statements[i];
        bool model = statement->count && tacWordIs(&statement->words[0], "model");
        length = model ? modelLength(statement, r->n - i) : 1;
        r->models[i] = TAC_NONE;
        r->expectations[i].statement = statement;
        for (size_t k = 1; k < length; k++) r->models[i + k] = SKIPPED;
        if (model && r->name && statement->count > 1 && !tacWordIs(&statement->words[1], r->name)) {
            r->models[i] = SKIPPED;
            continue;
        }
        if (model && readModel(judging, r, i, length) != TAC_OK) return TAC_ERROR;
        if (model || tacExpectationRead(judging->model, &r->expectations[i], &r->missing[i]) == TAC_OK) continue;
        if (strncmp(r->missing[i].code, "LOOKUP", 6) != 0 && strcmp(r->missing[i].code, "DIGITS") != 0)
            return tacFail(judging->err, r->missing[i].code, "%s", r->missing[i].message);
    }
    return TAC_OK;
}

/* Says how far the replay is. A row may be offered to many instances, so the clock is looked at often. */
static tacStatus onProgress(
    void *data, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    (void) model, (void) replay;
    return row % 64 || tacProgressStep(data, row) ? TAC_OK : tacFailStopped(err, data);
}

/* Lets the automata follow the rows once more. */
static tacStatus follow(tacJudging *judging, const Reading *r, tacInstances *written, tacAutomata **automata) {
    const tacModel *model = judging->model;
    if (!r->automata.count) return TAC_OK;
    *automata = tacAutomataStart(r->automata.at, r->automata.count, model, written);
    if (!*automata) return tacFailMemory(judging->err);
    tacConsumer consumers[] = {tacAutomataConsumer(*automata), {judging->progress, onProgress}};
    tacStatus status = tacReplayFollow(model->store, consumers, judging->progress ? 2 : 1, judging->err);
    return status == TAC_OK ? tacAutomataEnd(*automata, judging->err) : status;
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

static tacStatus tellMissing(tacJudging *judging, const tacStatement *statement, const tacError *missing) {
    if (tacWordIs(&statement->words[0], "model")) {
        tacSay(judging, "model %.*s: %.200s", TAC_SHOWN(&statement->words[1]), missing->message);
    } else {
        tacTextAddString(&judging->sentence, "expected ");
        sayStatement(judging, statement);
        bool lookup = strcmp(missing->code, "DIGITS") != 0;
        tacSay(judging, lookup ? ", but there is %.200s" : ", but %.200s", missing->message);
    }
    return tacJudgingTell(
        judging, statement, (tacJudgement){.verdict = TAC_VERDICT_UNCERTAIN, .begin = TAC_UNKNOWN, .end = TAC_UNKNOWN});
}

static tacStatus tellAll(tacJudging *judging, const Reading *r, const tacWatch *watch, const tacAutomata *automata) {
    tacStatus status = TAC_OK;
    for (size_t i = 0; i < r->n && status == TAC_OK; i++) {
        if (r->models[i] == SKIPPED) continue;
        if (r->models[i] != TAC_NONE)
            status = tellAutomaton(judging, &r->automata.at[r->models[i]], automata, r->models[i]);
        else if (r->missing[i].code[0]) status = tellMissing(judging, &r->statements[i], &r->missing[i]);
        else status = judge(judging, &r->expectations[i], watch);
    }
    return status;
}

tacStatus tacJudge(const tacModel *model, const tacStatement *statements, size_t n, tacProgress *progress,
    tacJudgementTaker *take, void *data, tacError *err) {
    tacJudging judging = {.model = model, .progress = progress, .take = take, .data = data, .err = err};
    Reading r;
    tacWatch *watch = NULL;
    tacAutomata *automata = NULL;
    tacStatus status = readingBegin(&r, statements, n) ? readAll(&judging, &r) : tacFailMemory(err);
    if (status == TAC_OK) status = tacWatchRows(&judging, r.expectations, n, &watch);
    if (status == TAC_OK) status = follow(&judging, &r, NULL, &automata);
    if (status == TAC_OK) status = tellAll(&judging, &r, watch, automata);
    readingFree(&r);
    tacWatchFree(watch);
    tacAutomataFree(automata);
    tacTextFree(&judging.sentence);
    return status;
}

/* ---- instances --------------------------------------------------------------------------------------------------- */

/* Writes down the models that the trace cannot be asked for; the number of all models. */
static size_t writeMissing(const Reading *r, tacInstances *written) {
    size_t models = r->automata.count;
    for (size_t i = 0; i < r->n; i++) {
        const tacStatement *statement = &r->statements[i];
        if (!r->missing[i].code[0] || !tacWordIs(&statement->words[0], "model")) continue;
        tacInstancesMissing(written, statement);
        models++;
    }
    return models;
}

tacStatus tacJudgeInstances(const tacModel *model, const tacStatement *statements, size_t n, const char *name,
    tacVerdict verdict, tacTable *table, tacError *err) {
    tacJudging judging = {.model = model, .err = err};
    Reading r;
    tacAutomata *automata = NULL;
    tacInstances *written = NULL;
    bool begun = readingBegin(&r, statements, n);
    r.name = name;
    tacStatus status = begun ? readAll(&judging, &r) : tacFailMemory(err);
    if (status == TAC_OK) {
        written = tacInstancesNew(model, statements, r.automata.at, r.automata.count);
        if (!written) status = tacFailMemory(err);
        else if (writeMissing(&r, written)) status = follow(&judging, &r, written, &automata);
        else if (name) status = tacFail(err, "LOOKUP MODEL", "there is no model \"%.100s\"", name);
        else status = tacFail(err, "LOOKUP MODEL", "there is no model among the expectations");
    }
    if (status == TAC_OK) status = tacInstancesTable(written, verdict, table, err);
    else tacInstancesFree(written);
    tacAutomataFree(automata);
    readingFree(&r);
    return status;
}
