/*
 * chainRead.c -- reads the statements of a chain, and `synchronize`.
 */
#include "base/port.h"

#include "base/glob.h"
#include "judge/chain.h"
#include "judge/expression.h"
#include "model/ask.h"

#include <string.h>

const char *const tacChainMeasureNames[TAC_CHAIN_MEASURES + 1] = {
    "reaction", "reducedReaction", "age", "reducedAge", "latency", "separation", "order", "lossless", NULL};

typedef struct Reading {
    const tacModel *model;
    const tacStatement *at; /* the statement that is read */
    tacChain *chain;
    tacError *err;
    /* of `link`, which holds for all steps without a -by of their own: */
    const tacStatement *link;
    tacChainStep links;
} Reading;

static bool isWord(const tacWord *word, const char *text) { return tacWordIs(word, text); }
static bool isStatement(const tacStatement *statement, const char *text) {
    return statement->count && tacWordIs(&statement->words[0], text);
}

static tacStatus failCount(const Reading *r, const char *usage) {
    return tacFail(r->err, "USAGE", "wrong number of words: should be \"%s\"", usage);
}

bool tacChainBegins(const tacStatement *statement) {
    return isStatement(statement, "chain") || isStatement(statement, "synchronize");
}

size_t tacChainLength(const tacStatement *statements, size_t n) {
    size_t i = 0;
    if (!isStatement(&statements[0], "chain")) return 1;
    while (i < n && !isStatement(&statements[i], "end")) i++;
    return i < n ? i + 1 : n;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* A fraction of time units as a limit in ticks. False: it has no bound. */
static bool limitOf(const tacFraction *value, int digits, tacLimit *limit) {
    __int128 over = value->over, largest = INT64_MAX;
    bool more = false;
    if (!value->under) return false;
    for (int i = 0; i < digits && !more; i++) more = __builtin_mul_overflow(over, (__int128) 10, &over);
    __int128 ticks = more ? (value->over < 0 ? -largest : largest) : over / value->under;
    bool rest = !more && over % value->under != 0;
    if (rest && over < 0) ticks--;
    *limit = (tacLimit){(int64_t) (ticks < -largest ? -largest : ticks > largest ? largest : ticks), 0, rest};
    return true;
}

static tacNoValue noNow(void *data, tacFraction *value) {
    (void) data, (void) value;
    return TAC_NOT_SET;
}

/* Reads a time that is written as an expression of numbers; *kept: a copy of its text. */
static tacStatus readTime(const Reading *r, const char *text, size_t length, tacLimit *limit, char **kept) {
    tacInternTable variables = {0};
    tacExpressionReader how = {
        .unit = r->model ? r->model->store->unit : NULL, .anyUnit = r->model == NULL, .variables = &variables};
    tacExpression expression = {.text = NULL};
    tacEvaluation none = {.now = noNow};
    tacFraction value = {0, 1};
    tacStatus status = tacExpressionRead(&how, text, length, &expression, r->err);
    for (size_t i = 0; status == TAC_OK && i < expression.nodes.count; i++) {
        const tacNode *node = &expression.nodes.at[i];
        bool number = node->kind == TAC_NODE_NUMBER && !node->percent;
        if (!number && (node->kind < TAC_NODE_ADD || node->kind > TAC_NODE_NEGATE))
            status = tacFail(r->err, "USAGE", "bad time \"%.60s\": it must be made of numbers", expression.text);
    }
    if (status == TAC_OK
        && (tacExpressionValue(&expression, &none, &value) != TAC_HAS_VALUE
            || !limitOf(&value, r->model ? r->model->store->digits : 0, limit)))
        status = tacFail(r->err, "USAGE", "bad time \"%.60s\": it has no value", expression.text);
    if (status == TAC_OK) {
        tacFree(*kept);
        *kept = expression.text;
        expression.text = NULL;
    }
    tacExpressionFree(&expression);
    tacInternFree(&variables);
    return status;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Finds the tasks whose id or name fits the pattern. */
static tacStatus findTasks(const Reading *r, const tacWord *pattern, tacChainStep *step) {
    const tacStore *store = r->model->store;
    uint32_t n = tacStoreObjects(store, TAC_TASK), found = 0;
    char *glob = tacCopyText(pattern->at, pattern->length);
    step->tasks = tacAllocZero((size_t) n + 1, sizeof *step->tasks);
    for (uint32_t i = 0; glob && step->tasks && i < n; i++) {
        const char *id = tacObjectId(store, TAC_TASK, i), *name = tacObjectName(store, TAC_TASK, i);
        if (!store->objects[TAC_TASK].at[i].line) continue;
        step->tasks[i] = tacGlob(glob, id, strlen(id)) || tacGlob(glob, name, strlen(name));
        found += step->tasks[i];
    }
    bool fine = glob && step->tasks;
    tacFree(glob);
    if (!fine) return tacFailMemory(r->err);
    return found ? TAC_OK : tacFail(r->err, "LOOKUP OBJECT", "no task \"%.*s\" in the trace", TAC_SHOWN(pattern));
}

/* Reads what a step is: {job TASK}, or an event. */
static tacStatus readWhat(const Reading *r, const tacWord *word, tacChainStep *step) {
    tacList words = {0};
    tacError problem = {0};
    tacStatus status = TAC_OK;
    bool list = tacListSplit(&words, word->at, word->length, &problem) == TAC_OK && words.words.count;
    step->isJob = list && isWord(&words.words.at[0], "job");
    if (strcmp(problem.code, "MEMORY") == 0) status = tacFailMemory(r->err);
    else if (!step->isJob) status = tacTriggerRead(r->model, word, &step->trigger, r->err);
    else if (words.words.count != 2)
        status = tacFail(r->err, "USAGE", "bad step \"%.*s\": should be {job task}", TAC_SHOWN(word));
    else if (r->model) status = findTasks(r, &words.words.at[1], step);
    tacListFree(&words);
    return status;
}

/* Reads `order`, {field NAME ?NAME?} or {element BUFFER}. The words of a list have to stay: so it is not split. */
static tacStatus readLink(const Reading *r, const tacWord *words, int count, tacChainStep *step) {
    step->linked = true;
    if (count == 1 && isWord(&words[0], "order")) {
        step->link = TAC_LINK_ORDER;
    } else if ((count == 2 || count == 3) && isWord(&words[0], "field")) {
        step->link = TAC_LINK_FIELD;
        step->mine = words[1];
        step->their = words[count - 1];
    } else if (count == 2 && isWord(&words[0], "element")) {
        step->link = TAC_LINK_ELEMENT;
        step->bufferId = words[1];
    } else {
        return tacFail(r->err, "USAGE", "a link must be \"order\", \"field name ?name?\" or \"element buffer\"");
    }
    return TAC_OK;
}

/* The words of a list that has no braces or backslashes, as those of a link: at most three, which stay where they are.
 */
static int plainWords(const tacWord *list, tacWord words[4]) {
    int n = 0;
    const char *at = list->at, *end = at + list->length;
    while (n < 4) {
        while (at < end && strchr(" \t\n", *at)) at++;
        if (at == end) break;
        words[n].at = at;
        while (at < end && !strchr(" \t\n", *at)) at++;
        words[n].length = (size_t) (at - words[n].at);
        n++;
    }
    return n;
}

static tacStatus readStep(Reading *r) {
    tacChain *chain = r->chain;
    const tacWord *words = r->at->words;
    tacWord link[4];
    if (r->at->count < 3) return failCount(r, "step name {job task}|event ?-let? ?-by link?");
    for (size_t i = 0; i < chain->steps.count; i++)
        if (chain->steps.at[i].name.length == words[1].length
            && memcmp(chain->steps.at[i].name.at, words[1].at, words[1].length) == 0)
            return tacFail(r->err, "USAGE", "step \"%.*s\" is there twice", TAC_SHOWN(&words[1]));
    if (chain->steps.count >= TAC_MOST_STEPS)
        return tacFail(r->err, "USAGE", "a chain has at most %d steps", TAC_MOST_STEPS);
    if (!tacArrayPush(&chain->steps, (tacChainStep){.name = words[1], .statement = r->at}))
        return tacFailMemory(r->err);
    tacChainStep *step = &chain->steps.at[chain->steps.count - 1];
    if (readWhat(r, &words[2], step) != TAC_OK) return TAC_ERROR;
    for (int i = 3; i < r->at->count; i++) {
        if (isWord(&words[i], "-let") && step->isJob) {
            step->let = true;
        } else if (isWord(&words[i], "-let")) {
            return tacFail(r->err, "USAGE", "-let is for steps that are jobs: {job task}");
        } else if (isWord(&words[i], "-by") && i + 1 < r->at->count) {
            i++;
            if (readLink(r, link, plainWords(&words[i], link), step) != TAC_OK) return TAC_ERROR;
        } else {
            return tacFail(
                r->err, "USAGE", "step has no option \"%.*s\" (must be -let or -by link)", TAC_SHOWN(&words[i]));
        }
    }
    return TAC_OK;
}

/* ---- what is required -------------------------------------------------------------------------------------------- */

/* Reads the words before the comparison: a measure, and the step of a separation. */
static tacStatus readMeasure(const Reading *r, const char *text, size_t length, tacChainRequire *require) {
    tacWord all = {text, length}, words[4];
    int n = plainWords(&all, words), i = 0;
    while (n && tacChainMeasureNames[i] && !isWord(&words[0], tacChainMeasureNames[i])) i++;
    if (!n || !tacChainMeasureNames[i])
        return tacFail(r->err, "USAGE",
            "bad requirement \"%.*s\" (must be reaction, reducedReaction, age, reducedAge, latency, separation, order "
            "or "
            "lossless)",
            TAC_SHOWN(&all));
    require->measure = (tacChainMeasure) i;
    require->step = TAC_NONE;
    if (n == 1) return TAC_OK;
    if (n > 2 || require->measure != TAC_CHAIN_SEPARATION)
        return tacFail(r->err, "USAGE", "\"%.*s\" where a comparison is expected", TAC_SHOWN(&words[1]));
    for (uint32_t k = 0; k < r->chain->steps.count; k++)
        if (r->chain->steps.at[k].name.length == words[1].length
            && memcmp(r->chain->steps.at[k].name.at, words[1].at, words[1].length) == 0)
            require->step = k;
    if (require->step != TAC_NONE) return TAC_OK;
    return tacFail(r->err, "USAGE", "the chain has no step \"%.*s\"", TAC_SHOWN(&words[1]));
}

/* Length of the text up to a comparison; *op and *right: which one, and what follows it. */
static size_t splitComparison(const tacText *text, tacComparison *op, const char **right) {
    size_t left = strcspn(text->at, "<>=!");
    *right = NULL;
    for (int i = 0; tacComparisonWords[i]; i++) {
        size_t length = strlen(tacComparisonWords[i]);
        if (strncmp(text->at + left, tacComparisonWords[i], length) != 0) continue;
        if (*right && length == 1) continue; /* <= goes before < */
        *op = (tacComparison) i;
        *right = text->at + left + length;
    }
    return left;
}

/* Is the text nothing but "?"? */
static bool isSought(const char *text) {
    while (*text == ' ') text++;
    if (*text != '?') return false;
    for (text++; *text == ' ';) text++;
    return !*text;
}

static tacStatus readRequireText(const Reading *r, const tacText *text, tacChainRequire *require) {
    static const char usage[] = "require measure op time, require order or require lossless";
    const char *right;
    size_t left = splitComparison(text, &require->op, &right), words = left;
    while (words && text->at[words - 1] == ' ') words--;
    if (readMeasure(r, text->at, words, require) != TAC_OK) return TAC_ERROR;
    bool timed = require->measure < TAC_CHAIN_ORDER;
    if (timed != (right != NULL) || (!timed && text->at[left])) return failCount(r, usage);
    if (timed && isSought(right)) {
        require->sought = true;
        require->text = tacCopyText("?", 1);
        if (require->op == TAC_UNEQUAL) return tacFail(r->err, "USAGE", "no limit can be found for !=");
        return require->text ? TAC_OK : tacFailMemory(r->err);
    }
    return timed ? readTime(r, right, strlen(right), &require->limit, &require->text) : TAC_OK;
}

static tacStatus readRequire(const Reading *r) {
    tacText text = {0};
    tacChain *chain = r->chain;
    if (r->at->count < 2) return failCount(r, "require measure op time");
    if (!tacArrayPush(&chain->requires, (tacChainRequire){.statement = r->at})) return tacFailMemory(r->err);
    for (int i = 1; i < r->at->count; i++) {
        if (i > 1) tacTextAdd(&text, " ", 1);
        tacTextAdd(&text, r->at->words[i].at, r->at->words[i].length);
    }
    tacTextAdd(&text, "", 0);
    tacStatus status = text.failed || !text.at
        ? tacFailMemory(r->err)
        : readRequireText(r, &text, &chain->requires.at[chain->requires.count - 1]);
    tacTextFree(&text);
    return status;
}

/* ---- the chain --------------------------------------------------------------------------------------------------- */

/* What a link needs of the steps at its ends. */
static tacStatus checkLink(Reading *r, tacChainStep *step, const tacChainStep *before) {
    if (!step->linked && r->link) {
        step->link = r->links.link;
        step->mine = r->links.mine;
        step->their = r->links.their;
        step->bufferId = r->links.bufferId;
    }
    if (step->link == TAC_LINK_FIELD && (step->isJob || before->isJob))
        return tacFail(r->err, "USAGE", "step \"%.*s\": a job has no fields; link it by order or element",
            TAC_SHOWN(step->isJob ? &step->name : &before->name));
    if (step->link != TAC_LINK_ELEMENT || !r->model) return TAC_OK;
    step->buffer = tacAskFind(r->model, TAC_BUFFER, step->bufferId.at, step->bufferId.length);
    if (step->buffer != TAC_NONE) return TAC_OK;
    return tacFail(r->err, "LOOKUP OBJECT", "no buffer \"%.*s\" in the trace", TAC_SHOWN(&step->bufferId));
}

static tacStatus checkChain(Reading *r) {
    tacChain *chain = r->chain;
    for (size_t i = 0; i < chain->steps.count; i++) {
        r->at = chain->steps.at[i].statement;
        if (i && checkLink(r, &chain->steps.at[i], &chain->steps.at[i - 1]) != TAC_OK) return TAC_ERROR;
        if (!i && chain->steps.at[i].linked)
            return tacFail(r->err, "USAGE", "the first step is linked to nothing: no -by");
    }
    for (size_t i = 0; i < chain->requires.count; i++) {
        tacChainRequire *require = &chain->requires.at[i];
        r->at = require->statement;
        if (require->step == TAC_NONE) require->step = (uint32_t) chain->steps.count - 1;
        if (require->measure >= TAC_CHAIN_ORDER && chain->steps.count < 2)
            return tacFail(r->err, "USAGE", "%s needs two steps", tacChainMeasureNames[require->measure]);
    }
    return TAC_OK;
}

static tacStatus readBody(Reading *r, size_t n) {
    const tacStatement *first = r->at;
    for (size_t i = 1; i < n; i++) {
        tacStatus status = TAC_OK;
        r->at = &first[i];
        if (isStatement(r->at, "end")) break;
        if (isStatement(r->at, "step")) status = readStep(r);
        else if (isStatement(r->at, "require")) status = readRequire(r);
        else if (isStatement(r->at, "link")) {
            if (r->link) return tacFail(r->err, "USAGE", "a second link: %.100s has one", r->link->place);
            r->link = r->at;
            status = readLink(r, r->at->words + 1, r->at->count - 1, &r->links);
        } else
            return tacFail(r->err, "USAGE", "\"%.*s\" within a chain (must be step, link or require)",
                TAC_SHOWN(&r->at->words[0]));
        if (status != TAC_OK) return TAC_ERROR;
    }
    if (!isStatement(r->at, "end")) return tacFail(r->err, "USAGE", "the chain is not complete");
    r->at = first;
    if (!r->chain->steps.count) return tacFail(r->err, "USAGE", "the chain has no step");
    if (!r->chain->requires.count) return tacFail(r->err, "USAGE", "the chain has no require");
    return checkChain(r);
}

/* ---- synchronize ------------------------------------------------------------------------------------------------- */

static tacStatus readEvents(const Reading *r, const tacWord *word) {
    tacChain *chain = r->chain;
    tacError problem = {0};
    if (tacListSplit(&chain->events, word->at, word->length, &problem) != TAC_OK)
        return strcmp(problem.code, "MEMORY") == 0
            ? tacFailMemory(r->err)
            : tacFail(r->err, "USAGE", "bad list of events: %s", problem.message);
    size_t n = chain->events.words.count;
    if (n < 2 || n > TAC_MOST_STEPS)
        return tacFail(r->err, "USAGE", "synchronize needs 2 to %d events", TAC_MOST_STEPS);
    for (size_t i = 0; i < n; i++) {
        const tacWord *event = &chain->events.words.at[i];
        if (!tacArrayPush(&chain->steps, (tacChainStep){.name = *event, .statement = r->at}))
            return tacFailMemory(r->err);
        if (tacTriggerRead(r->model, event, &chain->steps.at[i].trigger, r->err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

static tacStatus readSynchronize(const Reading *r) {
    static const char usage[] = "synchronize name -within time ?-by field? ?-several? {event event ...}";
    tacChain *chain = r->chain;
    const tacWord *words = r->at->words;
    if (r->at->count < 5) return failCount(r, usage);
    chain->together = true;
    for (int i = 2; i < r->at->count - 1; i++) {
        bool within = isWord(&words[i], "-within"), by = isWord(&words[i], "-by");
        if (isWord(&words[i], "-several")) chain->several = true;
        else if (!within && !by)
            return tacFail(r->err, "USAGE", "synchronize has no option \"%.*s\" (must be -within, -by or -several)",
                TAC_SHOWN(&words[i]));
        else if (++i >= r->at->count - 1) return failCount(r, usage);
        else if (by) chain->field = words[i];
        else if (readTime(r, words[i].at, words[i].length, &chain->within, &chain->withinText) != TAC_OK)
            return TAC_ERROR;
    }
    if (!chain->withinText) return failCount(r, usage);
    if (chain->within.ticks < 0) return tacFail(r->err, "USAGE", "-within must not be below 0");
    return readEvents(r, &words[r->at->count - 1]);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

tacStatus tacChainRead(
    const tacModel *model, const tacStatement *statements, size_t n, tacChain *chain, size_t *fault, tacError *err) {
    Reading r = {.model = model, .at = statements, .chain = chain, .err = err};
    tacStatus status;
    *chain = (tacChain){.statement = statements};
    *fault = 0;
    if (isStatement(statements, "synchronize")) {
        if (statements->count > 1) chain->name = statements->words[1];
        return readSynchronize(&r);
    }
    if (statements->count != 2) return failCount(&r, "chain name body");
    chain->name = statements->words[1];
    status = readBody(&r, n);
    *fault = (size_t) (r.at - statements);
    return status;
}

void tacChainFree(tacChain *chain) {
    for (size_t i = 0; i < chain->steps.count; i++) {
        tacFree(chain->steps.at[i].tasks);
        tacTriggerFree(&chain->steps.at[i].trigger);
    }
    for (size_t i = 0; i < chain->requires.count; i++) tacFree(chain->requires.at[i].text);
    tacArrayFree(&chain->steps);
    tacArrayFree(&chain->requires);
    tacListFree(&chain->events);
    tacFree(chain->withinText);
}
