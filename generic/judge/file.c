/*
 * file.c -- files of expectations: statements, in which a model is the list of its commands.
 *
 *      model NAME {                    model NAME
 *          on a {jobStarted} b {           on a {jobStarted} b
 *              start v             ->          start v
 *          }                               end
 *      }                               end
 *
 * An automaton or a rule of the kernel (dot.h, ltl.h) is a file of its own, and becomes a model.
 */
#include "base/port.h"

#include "judge/automaton.h"
#include "judge/chain.h"
#include "judge/dot.h"
#include "judge/file.h"
#include "judge/ltl.h"
#include "judge/scxml.h"

#include <stdio.h>
#include <string.h>

enum { /* of the commands of a file, loops included */
    MOST = 100000,
    MOST_BYTES = 64 << 20
};

static const char *const commandNames[] = {"expect", "stream", "model", "state", "shared", "during", "on", "start",
    "let", "require", "unexpected", "chain", "step", "link", "synchronize", NULL};

typedef struct Own { /* a statement of the model that is read, kept until its end */
    tacWord *words;
    char *bytes;
    int count;
    uint32_t line;
} Own;

typedef struct Reading {
    tacStatementTaker *take;
    void *data;
    const tacFileSettings *set;
    uint64_t count; /* expectations and models */
    uint64_t commands, bytes;
    tacError unfinished; /* what is wrong with a model whose body ended with an error, which goes first */
    int depth;           /* 1: in a model, 2: in the actions of a transition */
    TAC_ARRAY(Own) model;
} Reading;

static bool isOn(const tacWord *words) { return tacWordIs(&words[0], "on"); }

/* The last word of a model is its body; that of a transition, if it has actions. */
static bool hasBody(const tacWord *words, int count) {
    if (tacWordIs(&words[0], "model") || tacWordIs(&words[0], "chain")) return count > 2;
    return isOn(words) && (count == 5 || count == 7);
}

/* ---- the model that is read -------------------------------------------------------------------------------------- */

static void forget(Reading *r) {
    for (size_t i = 0; i < r->model.count; i++) {
        tacFree(r->model.at[i].words);
        tacFree(r->model.at[i].bytes);
    }
    r->model.count = 0;
}

static tacStatus keep(Reading *r, const tacWord *words, int count, uint32_t line, tacError *err) {
    size_t all = 1;
    for (int i = 0; i < count; i++) all += words[i].length;
    Own own = {tacAllocZero((size_t) count, sizeof(tacWord)), tacAlloc(all), count, line};
    if (!own.words || !own.bytes || !tacArrayPush(&r->model, own)) {
        tacFree(own.words);
        tacFree(own.bytes);
        return tacFailMemory(err);
    }
    char *at = own.bytes;
    for (int i = 0; i < count; i++) {
        memcpy(at, words[i].at, words[i].length);
        own.words[i] = (tacWord){at, words[i].length};
        at += words[i].length;
    }
    return TAC_OK;
}

/* Is the model that was read well written? */
static tacStatus check(const Reading *r, tacError *err) {
    tacAutomaton automaton = {0};
    tacChain chain = {0};
    tacError problem = {0};
    size_t n = r->model.count, used, fault = 0;
    tacStatement *statements = tacAllocZero(n, sizeof *statements);
    char(*places)[24] = tacAllocZero(n, sizeof *places);
    tacStatus status = statements && places ? TAC_OK : tacFailMemory(err);
    for (size_t i = 0; i < n && status == TAC_OK; i++) {
        const Own *own = &r->model.at[i];
        snprintf(places[i], sizeof places[i], "line %u", (unsigned) own->line);
        statements[i] = (tacStatement){own->words, own->count, places[i]};
    }
    if (status == TAC_OK) {
        bool isChain = tacChainBegins(&statements[0]);
        status = isChain ? tacChainRead(NULL, statements, n, &chain, &fault, &problem)
                         : tacAutomatonRead(NULL, statements, n, &automaton, &used, &fault, &problem);
        if (status != TAC_OK) tacFail(err, problem.code, "%s: %s", places[fault], problem.message);
        tacAutomatonFree(&automaton);
        tacChainFree(&chain);
    }
    tacFree(statements);
    tacFree(places);
    return status;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* A command of a model. */
static tacStatus add(Reading *r, const tacWord *words, int count, uint32_t line, tacError *err) {
    if (keep(r, words, count, line, err) != TAC_OK) return TAC_ERROR;
    return r->take(r->data, words, count, line, err);
}

/* Ends a body; failed: by an error. */
static tacStatus addEnd(Reading *r, bool failed, uint32_t line, tacError *err) {
    static const tacWord end = {"end", 3};
    if (add(r, &end, 1, line, err) != TAC_OK) return TAC_ERROR;
    if (--r->depth) return TAC_OK;
    tacStatus status = check(r, failed ? &r->unfinished : err);
    if (failed && strcmp(r->unfinished.code, "MEMORY") != 0) status = TAC_OK;
    else if (failed) status = tacFailMemory(err);
    forget(r);
    r->count++;
    return status;
}

/* What is being read: "model" or "chain". */
static const char *around(const Reading *r) {
    return r->model.count && tacWordIs(&r->model.at[0].words[0], "chain") ? "chain" : "model";
}

/* A statement without a body. */
static tacStatus addSingle(Reading *r, const tacWord *words, int count, uint32_t line, tacError *err) {
    bool expect = tacWordIs(&words[0], "expect"), together = tacWordIs(&words[0], "synchronize");
    tacChain chain = {0};
    size_t fault;
    if (r->depth) return tacFail(err, "USAGE", "%.*s within a %s", TAC_SHOWN(&words[0]), around(r));
    tacStatus status = together ? tacChainRead(NULL, &(tacStatement){words, count, ""}, 1, &chain, &fault, err)
                                : tacStatementCheck(words + expect, count - expect, err);
    tacChainFree(&chain);
    if (status != TAC_OK) return TAC_ERROR;
    r->count++;
    return r->take(r->data, words + expect, count - expect, line, err);
}

/* Is it a command that may stand here, and has it the body that it needs? */
static tacStatus checkPlace(const Reading *r, const tacWord *words, bool body, tacError *err) {
    bool model = tacWordIs(&words[0], "model"), chain = tacWordIs(&words[0], "chain");
    bool ofChain = tacWordIs(&words[0], "step") || tacWordIs(&words[0], "link");
    bool ofBoth = tacWordIs(&words[0], "require"), inChain = strcmp(around(r), "chain") == 0;
    if ((model || chain) && r->depth)
        return tacFail(err, "USAGE", "a %.*s within a %s", TAC_SHOWN(&words[0]), around(r));
    if (!model && !chain && !r->depth)
        return tacFail(err, "USAGE", "\"%.*s\" outside of a %s", TAC_SHOWN(&words[0]), ofChain ? "chain" : "model");
    if (r->depth && !ofBoth && inChain != ofChain)
        return tacFail(err, "USAGE", "\"%.*s\" within a %s", TAC_SHOWN(&words[0]), around(r));
    if (chain && !body) return tacFail(err, "USAGE", "wrong number of words: should be \"chain name body\"");
    if (model && !body)
        return tacFail(err, "USAGE",
            "wrong number of words: should be \"model name ?-each kind? ?-key field? ?-of pattern? ?option ...? "
            "body\"");
    return TAC_OK;
}

/* Counts a command; code: of the error where there are too many. */
static tacStatus countCommand(Reading *r, const tacWord *words, int count, const char *code, tacError *err) {
    if (++r->commands > MOST) return tacFail(err, code, "there are more than %d commands", MOST);
    for (int i = 0; i < count; i++) r->bytes += words[i].length;
    if (r->bytes <= MOST_BYTES) return TAC_OK;
    return tacFail(err, code, "the commands have more than %d MB", MOST_BYTES >> 20);
}

static tacStatus onCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Reading *r = data;
    bool body = hasBody(words, count), opens = tacWordIs(&words[0], "model") || tacWordIs(&words[0], "chain");
    if (countCommand(r, words, count, "LIMIT EXPECTATIONS", err) != TAC_OK) return TAC_ERROR;
    if (tacWordIs(&words[0], TAC_BODY_END)) return r->depth ? addEnd(r, count > 1, line, err) : TAC_OK;
    if (tacWordIs(&words[0], "expect") || tacWordIs(&words[0], "stream") || tacWordIs(&words[0], "synchronize"))
        return addSingle(r, words, count, line, err);
    if (checkPlace(r, words, body, err) != TAC_OK || add(r, words, count - body, line, err) != TAC_OK) return TAC_ERROR;
    r->depth += opens || isOn(words);
    return isOn(words) && !body ? addEnd(r, false, line, err) : TAC_OK;
}

/* ---- automata of the kernel -------------------------------------------------------------------------------------- */

static tacStatus onFlat(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Reading *r = data;
    if (countCommand(r, words, count, "EXPECT LIMIT", err) != TAC_OK) return TAC_ERROR;
    if (tacWordIs(&words[0], "end")) return addEnd(r, false, line, err);
    r->depth += tacWordIs(&words[0], "model") || isOn(words);
    return add(r, words, count, line, err);
}

/* The name of an automaton: that of its file, without folder and ending. */
static tacWord nameOf(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path, *dot = strchr(name, '.');
    return (tacWord){name, dot && dot > name ? (size_t) (dot - name) : strlen(name)};
}

static tacStatus readDot(Reading *r, const char *text, size_t length, const tacWord *name, tacError *err) {
    tacDot dot = {0};
    tacStatus status = tacDotParse(text, length, &dot, err);
    if (status == TAC_OK) status = tacDotStatements(&dot, name, r->set, onFlat, r, err);
    tacDotFree(&dot);
    return status;
}

static tacStatus readLtl(Reading *r, const char *text, size_t length, const tacWord *name, tacError *err) {
    tacLtl ltl = {.rule = TAC_NONE};
    tacStatus status = tacLtlParse(text, length, &ltl, err);
    if (status == TAC_OK) status = tacLtlStatements(&ltl, name, r->set, onFlat, r, err);
    tacLtlFree(&ltl);
    return status;
}

static tacStatus readScxml(Reading *r, const char *text, size_t length, const tacWord *name, tacError *err) {
    return tacScxmlStatements(text, length, name, onFlat, r, err);
}

typedef struct Form {                            /* of files that are no scripts */
    bool (*is)(const char *text, size_t length); /* by its first text */
    tacStatus (*read)(Reading *r, const char *text, size_t length, const tacWord *name, tacError *err);
} Form;

static const Form forms[] = {{tacIsDot, readDot}, {tacIsLtl, readLtl}, {tacIsScxml, readScxml}};

/* Reads an open source to its end, in a form. */
static tacStatus readForm(Reading *r, const char *path, tacSource *source, const Form *form, tacError *err) {
    tacError problem = {0};
    unsigned line;
    tacWord name = nameOf(path);
    size_t most = TAC_DOT_BYTES;
    while (!source->ended && (size_t) (source->end - source->at) <= most)
        if (tacSourceNext(source, NULL, NULL, err) != TAC_OK) return TAC_ERROR;
    size_t length = (size_t) (source->end - source->at);
    if (length > most) return tacFail(err, "EXPECT LIMIT", "%s: an automaton has at most a megabyte", path);
    if (form->read(r, source->at, length, &name, &problem) == TAC_OK) return TAC_OK;
    if (strcmp(problem.code, "MEMORY") == 0) return tacFailMemory(err);
    const char *text = tacErrorText(&problem, &line);
    return tacFail(err, problem.code, "%s:%u: %s", path, line ? line : 1, text);
}

/* Whatever is wrong with a file is told when it is read as a script, but for want of memory. */
static tacStatus tellMemory(const tacError *problem, tacError *err) {
    return strcmp(problem->code, "MEMORY") == 0 ? tacFailMemory(err) : TAC_OK;
}

/* Reads the file if it has such a form; *is: it has one. Only a file on a disk can be looked at twice. */
static tacStatus tryForms(Reading *r, const char *path, bool *is, tacError *err) {
    tacSource source;
    tacError problem = {0};
    *is = false;
    if (!tacFileMarkOf(path).known) return TAC_OK;
    if (tacSourceOpen(&source, path, &problem) != TAC_OK) return tellMemory(&problem, err);
    while (!source.ended && source.end - source.at < 4096)
        if (tacSourceNext(&source, NULL, NULL, &problem) != TAC_OK) break;
    tacStatus status = tellMemory(&problem, err);
    for (size_t i = 0; i < sizeof forms / sizeof *forms && status == TAC_OK && !*is; i++) {
        *is = forms[i].is(source.at, (size_t) (source.end - source.at));
        if (*is) status = readForm(r, path, &source, &forms[i], err);
    }
    tacSourceClose(&source);
    return status;
}

const tacWord *tacFileSetting(const tacFileSettings *settings, const char *name, size_t length) {
    const tacWord *found = NULL;
    for (int i = 0; settings && i + 1 < settings->count; i += 2) {
        const tacWord *word = &settings->words[i];
        if (word->length == length && memcmp(word->at, name, length) == 0) found = word + 1;
    }
    return found;
}

tacStatus tacStatementsRead(const char *path, const tacFileSettings *set, const tacReadOptions *limits,
    tacStatementTaker *take, void *data, tacError *err) {
    Reading reading = {.take = take, .data = data, .set = set};
    tacReadOptions options = limits ? *limits : (tacReadOptions){0};
    tacCommandFile file = {.noun = "file of expectations",
        .code = "EXPECT",
        .commandNames = commandNames,
        .command = onCommand,
        .hasBody = hasBody,
        .data = &reading};
    bool formed;
    if (set) {
        options.variables = set->words;
        options.nVariables = set->count;
    }
    tacStatus status = tryForms(&reading, path, &formed, err);
    if (status == TAC_OK && !formed) status = tacCommandFileRead(&file, path, NULL, 0, &options, err);
    forget(&reading);
    tacArrayFree(&reading.model);
    if (status != TAC_OK) return TAC_ERROR;
    if (reading.unfinished.code[0]) { /* the file has caught the error */
        unsigned line;
        const char *text = tacErrorText(&reading.unfinished, &line);
        char code[64];
        snprintf(code, sizeof code, "EXPECT %.50s", reading.unfinished.code);
        return tacFail(err, code, "%s:%u: %s", path, line, text);
    }
    return reading.count ? TAC_OK : tacFail(err, "EXPECT EMPTY", "%s: there is no expectation in it", path);
}
