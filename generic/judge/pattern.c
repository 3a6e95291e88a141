/*
 * pattern.c -- events of expectations: reading them, and telling whether a row is one.
 */
#include "base/port.h"

#include "judge/pattern.h"
#include "judge/who.h"
#include "model/ask.h"

bool tacFindObject(const tacModel *model, const tacWord *word, tacFindingName *object) {
    static const tacKind kinds[] = {TAC_JOB, TAC_TASK, TAC_SERVER, TAC_MUTEX, TAC_BUFFER};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (int i = 0; word->length && i < 2 * KINDS; i++) {
        tacKind kind = kinds[i % KINDS];
        uint32_t index = (i < KINDS ? tacAskFind : tacAskFindNamed)(model, kind, word->at, word->length);
        if (index == TAC_NONE) continue;
        *object = (tacFindingName){kind, tacObjectId(model->store, kind, index)};
        return true;
    }
    return false;
}

/* Meaning of a word that names one or several tasks, in a column of tasks or of jobs. */
static tacStatus matchTasks(const tacModel *model, bool ofJobs, const tacWord *word, tacMatch *match, tacError *err) {
    tacWho who;
    tacError problem = {0};
    uint32_t nTasks = tacStoreObjects(model->store, TAC_TASK);
    tacStatus status = tacWhoFindTasks(model, word, &who, &problem);
    if (status == TAC_OK && who.tasks.count == 1) {
        *match = (tacMatch){ofJobs ? TAC_MATCH_TASK : TAC_MATCH_VALUE, who.index, NULL};
    } else if (status == TAC_OK) {
        *match = (tacMatch){TAC_MATCH_TASKS, ofJobs, tacAllocZero(nTasks, sizeof *match->tasks)};
        for (size_t i = 0; match->tasks && i < who.tasks.count; i++) match->tasks[who.tasks.at[i]] = true;
        if (!match->tasks) status = tacFailMemory(err);
    } else if (strcmp(problem.code, "MEMORY") != 0) {
        *match = (tacMatch){TAC_MATCH_NEVER, 0, NULL};
        status = TAC_OK;
    } else tacFailMemory(err);
    tacWhoFree(&who);
    return status;
}

/* Meaning of a word in a column of this type. */
static tacMatch matchOf(const tacModel *model, tacType type, const tacWord *word) {
    const tacStore *store = model->store;
    uint32_t index = TAC_NONE;
    tacDecimal number;
    int64_t value;
    bool rounded = false;
    if ((int) type < TAC_KINDS) {
        index = tacAskFindNamed(model, (tacKind) type, word->at, word->length);
    } else if (type == TAC_TYPE_TIME || type == TAC_TYPE_INTEGER) {
        int digits = type == TAC_TYPE_TIME ? store->digits : 0;
        if (tacDecimalParse(word->at, word->length, &number) != TAC_OK || number.rounded
            || !tacDecimalShift(number.mantissa, digits - number.digits, &value, &rounded) || rounded)
            return (tacMatch){TAC_MATCH_NEVER, 0, NULL};
        return (tacMatch){type == TAC_TYPE_TIME ? TAC_MATCH_TICKS : TAC_MATCH_VALUE, value, NULL};
    } else index = tacInternFind(&store->strings, word->at, word->length);
    return index == TAC_NONE ? (tacMatch){TAC_MATCH_NEVER, 0, NULL} : (tacMatch){TAC_MATCH_VALUE, index, NULL};
}

/* Gives a meaning to a word; that of a job may be a task, which stands for its jobs. */
static tacStatus find(
    const tacModel *model, tacType type, bool mayBeTask, const tacWord *word, tacMatch *match, tacError *err) {
    if (type == TAC_TYPE_TASK) return matchTasks(model, false, word, match, err);
    *match = matchOf(model, type, word);
    return mayBeTask && match->kind == TAC_MATCH_NEVER ? matchTasks(model, true, word, match, err) : TAC_OK;
}

tacStatus tacEventPatternSplit(const tacWord *text, tacEventPattern *pattern, tacError *err) {
    tacError problem = {0};
    *pattern = (tacEventPattern){.text = *text};
    if (tacListSplit(&pattern->words, text->at, text->length, &problem) == TAC_OK) return TAC_OK;
    return strcmp(problem.code, "MEMORY") == 0
        ? tacFailMemory(err)
        : tacFail(err, "USAGE", "bad event \"%.*s\": %s", TAC_SHOWN(text), problem.message);
}

tacStatus tacEventPatternRead(const tacModel *model, const tacWord *text, tacEventPattern *pattern, tacError *err) {
    return tacEventPatternSplit(text, pattern, err) == TAC_OK ? tacEventPatternFind(model, pattern, err) : TAC_ERROR;
}

tacStatus tacEventPatternFind(const tacModel *model, tacEventPattern *pattern, tacError *err) {
    const tacWord *text = &pattern->text;
    const tacWord *words = pattern->words.words.at;
    size_t n = pattern->words.words.count;
    if (!n) return tacFail(err, "USAGE", "bad event \"%.*s\"", TAC_SHOWN(text));
    int event = tacEventFind(words[0].at, words[0].length, false);
    if (event < 0) event = tacEventFind(words[0].at, words[0].length, true);
    if (event < 0) {
        const char *similar = tacEventSimilar(words[0].at, words[0].length, false);
        return tacFail(err, "USAGE", "unknown event \"%.*s\"%s%s%s", TAC_SHOWN(&words[0]),
            similar ? " (did you mean \"" : "", similar ? similar : "", similar ? "\"?)" : "");
    }
    pattern->event = (tacEvent) event;
    bool named = tacEventIs(pattern->event, TAC_TRAIT_NAMED), target = tacEventHasTarget(pattern->event);
    const tacEventSpec *spec = &tacEvents[event];
    size_t most = named ? 1 : target ? 3 : spec->nArguments < 2 ? (size_t) spec->nArguments + 1 : 3;
    if (n > most)
        return tacFail(
            err, "USAGE", "event \"%.*s\" has too many words: %s takes %zu", TAC_SHOWN(text), spec->name, most - 1);
    if (!model) return TAC_OK;
    tacStatus status = TAC_OK;
    if (named) status = find(model, TAC_TYPE_STRING, false, &words[0], &pattern->subject, err);
    if (n > 1)
        status = find(model, spec->arguments[0], spec->arguments[0] == TAC_TYPE_JOB, &words[1], &pattern->subject, err);
    if (n > 2 && status == TAC_OK)
        status = find(model, target ? TAC_TYPE_JOB : spec->arguments[1], false, &words[2], &pattern->object, err);
    return status;
}

void tacEventPatternFree(tacEventPattern *pattern) {
    tacListFree(&pattern->words);
    tacFree(pattern->subject.tasks);
    tacFree(pattern->object.tasks);
}

/* Is the task in the column, or that of its job, one of several? `value` says which of the two. */
static bool isOneOf(const tacMatch *match, const tacModel *model, uint32_t row, uint32_t value) {
    uint32_t task = match->value ? tacRowTask(model, row) : value;
    return task < tacStoreObjects(model->store, TAC_TASK) && match->tasks[task];
}

static bool fits(const tacMatch *match, const tacModel *model, uint32_t row, uint32_t value) {
    switch (match->kind) {
    case TAC_MATCH_ANY: return true;
    case TAC_MATCH_VALUE: return value == (uint32_t) match->value;
    case TAC_MATCH_TASK: return tacRowTask(model, row) == (uint32_t) match->value;
    case TAC_MATCH_TASKS: return isOneOf(match, model, row, value);
    case TAC_MATCH_TICKS: return value != TAC_NONE && tacRowNumber(model->store, row) == match->value;
    default: return false;
    }
}

bool tacEventPatternFits(const tacEventPattern *pattern, const tacModel *model, uint32_t row) {
    const tacStore *store = model->store;
    return fits(&pattern->subject, model, row, tacRowSubject(store, row))
        && fits(&pattern->object, model, row, tacRowObject(store, row));
}
