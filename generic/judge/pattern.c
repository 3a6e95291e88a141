/*
 * pattern.c -- events of expectations: reading them, and telling whether a row is one.
 */
#include "base/port.h"

#include "judge/pattern.h"
#include "model/ask.h"

bool tacFindKind(const tacModel *model, const tacWord *id, tacKind *kind) {
    static const tacKind kinds[] = {TAC_JOB, TAC_TASK, TAC_SERVER, TAC_MUTEX, TAC_BUFFER};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        *kind = kinds[i];
        if (id->length && tacAskFind(model, *kind, id->at, id->length) != TAC_NONE) return true;
    }
    return false;
}

/* Meaning of a word in a column of this type. */
static tacMatch matchOf(const tacModel *model, tacType type, bool mayBeTask, const tacWord *word) {
    const tacStore *store = model->store;
    uint32_t index = TAC_NONE;
    tacDecimal number;
    int64_t value;
    bool rounded = false;
    if ((int) type < TAC_KINDS) {
        index = tacAskFind(model, (tacKind) type, word->at, word->length);
        if (index == TAC_NONE && mayBeTask) {
            index = tacAskFind(model, TAC_TASK, word->at, word->length);
            if (index != TAC_NONE) return (tacMatch){TAC_MATCH_TASK, index};
        }
    } else if (type == TAC_TYPE_TIME || type == TAC_TYPE_INTEGER) {
        int digits = type == TAC_TYPE_TIME ? store->digits : 0;
        if (tacDecimalParse(word->at, word->length, &number) != TAC_OK || number.rounded
            || !tacDecimalShift(number.mantissa, digits - number.digits, &value, &rounded) || rounded)
            return (tacMatch){TAC_MATCH_NEVER, 0};
        return (tacMatch){type == TAC_TYPE_TIME ? TAC_MATCH_TICKS : TAC_MATCH_VALUE, value};
    } else index = tacInternFind(&store->strings, word->at, word->length);
    return index == TAC_NONE ? (tacMatch){TAC_MATCH_NEVER, 0} : (tacMatch){TAC_MATCH_VALUE, index};
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
    if (named) pattern->subject = matchOf(model, TAC_TYPE_STRING, false, &words[0]);
    if (n > 1) pattern->subject = matchOf(model, spec->arguments[0], spec->arguments[0] == TAC_TYPE_JOB, &words[1]);
    if (n > 2) pattern->object = matchOf(model, target ? TAC_TYPE_JOB : spec->arguments[1], false, &words[2]);
    return TAC_OK;
}

void tacEventPatternFree(tacEventPattern *pattern) { tacListFree(&pattern->words); }

static bool fits(const tacMatch *match, const tacModel *model, uint32_t row, uint32_t value) {
    switch (match->kind) {
    case TAC_MATCH_ANY: return true;
    case TAC_MATCH_VALUE: return value == (uint32_t) match->value;
    case TAC_MATCH_TASK: return tacRowTask(model, row) == (uint32_t) match->value;
    case TAC_MATCH_TICKS: return value != TAC_NONE && tacRowNumber(model->store, row) == match->value;
    default: return false;
    }
}

bool tacEventPatternFits(const tacEventPattern *pattern, const tacModel *model, uint32_t row) {
    const tacStore *store = model->store;
    return fits(&pattern->subject, model, row, tacRowSubject(store, row))
        && fits(&pattern->object, model, row, tacRowObject(store, row));
}
