/*
 * streamTerms.c -- reads the terms of a stream.
 */
#include "base/port.h"

#include "judge/stream.h"

#include <stdlib.h>
#include <string.h>

static const struct Option {
    const char *name;
    tacStreamTerm needs; /* the option that must be there as well; itself: none */
} options[TAC_STREAM_TERMS] = {
    [TAC_STREAM_PERIOD] = {"-period", TAC_STREAM_PERIOD},
    [TAC_STREAM_JITTER] = {"-jitter", TAC_STREAM_PERIOD},
    [TAC_STREAM_ORIGIN] = {"-origin", TAC_STREAM_PERIOD},
    [TAC_STREAM_LATE] = {"-late", TAC_STREAM_ORIGIN},
    [TAC_STREAM_EARLY] = {"-early", TAC_STREAM_ORIGIN},
    [TAC_STREAM_DISTANCE] = {"-distance", TAC_STREAM_DISTANCE},
    [TAC_STREAM_GAP] = {"-gap", TAC_STREAM_GAP},
    [TAC_STREAM_BURST] = {"-burst", TAC_STREAM_WITHIN},
    [TAC_STREAM_WITHIN] = {"-within", TAC_STREAM_BURST},
    [TAC_STREAM_PATTERN] = {"-pattern", TAC_STREAM_PERIOD},
    [TAC_STREAM_DISTANCES] = {"-distances", TAC_STREAM_DISTANCES},
    [TAC_STREAM_GAPS] = {"-gaps", TAC_STREAM_GAPS},
};

/* Reads the value of an option; digits: of the trace's ticks. */
static tacStatus readValue(tacStreamTerms *terms, tacStreamTerm term, int digits, tacError *err) {
    const tacWord *word = &terms->words[term];
    tacFine *value = &terms->values[term];
    bool exact, isCount = term == TAC_STREAM_BURST;
    if (!tacFineParse(word->at, word->length, isCount ? -TAC_FINE_DIGITS : digits, value, &exact))
        return tacFail(
            err, "USAGE", "bad %s \"%.*s\" of %s", isCount ? "number" : "time", TAC_SHOWN(word), options[term].name);
    if (isCount && (!exact || *value < 1))
        return tacFail(
            err, "USAGE", "%s must be a whole number above 0, not \"%.*s\"", options[term].name, TAC_SHOWN(word));
    bool above = term == TAC_STREAM_PERIOD || term == TAC_STREAM_WITHIN;
    if (term != TAC_STREAM_ORIGIN && (*value < 0 || (above && !*value && exact)))
        return tacFail(err, "USAGE", "%s must be %s, not \"%.*s\"", options[term].name,
            above ? "above 0" : "0 or above", TAC_SHOWN(word));
    if ((term == TAC_STREAM_DISTANCE || term == TAC_STREAM_WITHIN) && !exact) ++*value;
    return TAC_OK;
}

/* Reads a list of times. */
static tacStatus readTimes(tacStreamTerms *terms, tacStreamTerm term, int digits, tacError *err) {
    tacStreamTimes *times = &terms->lists[term - TAC_STREAM_PATTERN];
    const tacWord *text = &terms->words[term];
    tacError problem = {0};
    if (tacListSplit(&times->list, text->at, text->length, &problem) != TAC_OK)
        return strcmp(problem.code, "MEMORY") == 0 ? tacFailMemory(err)
                                                   : tacFail(err, "USAGE", "bad list \"%.*s\" of %s: %s",
                                                       TAC_SHOWN(text), options[term].name, problem.message);
    size_t n = times->list.words.count;
    if (!n || n > TAC_MOST_STREAM_TIMES)
        return tacFail(err, "USAGE", "%s needs 1 to %d times", options[term].name, TAC_MOST_STREAM_TIMES);
    for (size_t i = 0; i < n; i++) {
        const tacWord *word = &times->list.words.at[i];
        tacFine value;
        bool exact;
        if (!tacFineParse(word->at, word->length, digits, &value, &exact) || value < 0)
            return tacFail(err, "USAGE", "bad time \"%.*s\" of %s", TAC_SHOWN(word), options[term].name);
        if (term == TAC_STREAM_PATTERN && i && value < times->values.at[i - 1])
            return tacFail(err, "USAGE", "the times of -pattern must ascend: \"%.*s\"", TAC_SHOWN(word));
        if (!tacArrayPush(&times->values, value + (term == TAC_STREAM_DISTANCES && !exact))) return tacFailMemory(err);
    }
    return TAC_OK;
}

/* Can multiples of this period or origin be reckoned with exactly, in a trace with so many digits? */
static tacStatus checkDigits(const tacWord *word, tacStreamTerm term, int digits, tacError *err) {
    const tacFine longest = (tacFine) TAC_TIME_LIMIT * TAC_FINE_TICK;
    tacFine value;
    bool exact = true;
    if (word->length) tacFineParse(word->at, word->length, digits, &value, &exact);
    else value = 0;
    if (value > longest || value < -longest)
        return tacFail(
            err, "DIGITS", "the %s %.*s is beyond all times of the trace", options[term].name + 1, TAC_SHOWN(word));
    if (exact) return TAC_OK;
    return tacFail(err, "DIGITS", "the %s %.*s has more than %d decimals, those of a millionth of the trace's tick",
        options[term].name + 1, TAC_SHOWN(word), digits + TAC_FINE_DIGITS);
}

static tacStatus checkAllDigits(const tacStreamTerms *terms, int digits, tacError *err) {
    const tacList *pattern = &tacStreamTimesOf(terms, TAC_STREAM_PATTERN)->list;
    for (size_t i = 0; i < pattern->words.count; i++)
        if (checkDigits(&pattern->words.at[i], TAC_STREAM_PATTERN, digits, err) != TAC_OK) return TAC_ERROR;
    if (checkDigits(&terms->words[TAC_STREAM_PERIOD], TAC_STREAM_PERIOD, digits, err) != TAC_OK) return TAC_ERROR;
    return checkDigits(&terms->words[TAC_STREAM_ORIGIN], TAC_STREAM_ORIGIN, digits, err);
}

/* Do the options that were given fit together? */
static tacStatus checkOptions(const tacStreamTerms *terms, tacError *err) {
    const tacStreamTimes *pattern = tacStreamTimesOf(terms, TAC_STREAM_PATTERN);
    size_t n = pattern->values.count;
    bool any = false;
    for (int i = 0; i < TAC_STREAM_TERMS; i++) {
        if (!terms->words[i].length) continue;
        any = true;
        if (!terms->words[options[i].needs].length)
            return tacFail(err, "USAGE", "%s needs %s", options[i].name, options[options[i].needs].name);
    }
    if (!any) return tacFail(err, "USAGE", "a stream needs an option");
    if (terms->words[TAC_STREAM_ORIGIN].length && terms->words[TAC_STREAM_JITTER].length)
        return tacFail(err, "USAGE", "-jitter has no place beside -origin, which has -late and -early");
    if (n && pattern->values.at[n - 1] > terms->values[TAC_STREAM_PERIOD])
        return tacFail(err, "USAGE", "the times of -pattern must be within the period: \"%.*s\"",
            TAC_SHOWN(&pattern->list.words.at[n - 1]));
    return TAC_OK;
}

tacStatus tacStreamRead(const tacModel *model, const tacWord *words, int count, tacStreamTerms *terms, tacError *err) {
    int digits = model ? model->store->digits : 0;
    *terms = (tacStreamTerms){0};
    for (int i = 0; i < count; i += 2) {
        int term = 0;
        while (term < TAC_STREAM_TERMS && !tacWordIs(&words[i], options[term].name)) term++;
        if (term == TAC_STREAM_TERMS) return tacFail(err, "USAGE", "unknown option \"%.*s\"", TAC_SHOWN(&words[i]));
        if (i + 1 == count) return tacFail(err, "USAGE", "%s has no value", options[term].name);
        if (terms->words[term].length) return tacFail(err, "USAGE", "%s is there twice", options[term].name);
        terms->words[term] = words[i + 1];
        tacStatus status = term >= TAC_STREAM_PATTERN ? readTimes(terms, (tacStreamTerm) term, digits, err)
                                                      : readValue(terms, (tacStreamTerm) term, digits, err);
        if (status != TAC_OK) return TAC_ERROR;
    }
    if (checkOptions(terms, err) != TAC_OK) return TAC_ERROR;
    return model ? checkAllDigits(terms, digits, err) : TAC_OK;
}

void tacStreamTermsFree(tacStreamTerms *terms) {
    for (size_t i = 0; i < sizeof terms->lists / sizeof *terms->lists; i++) {
        tacListFree(&terms->lists[i].list);
        tacArrayFree(&terms->lists[i].values);
    }
}

static int byBegin(const void *left, const void *right) {
    const tacStretch *a = left, *b = right;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* The processor of what the events of a pattern are about; TAC_NO_PROCESSOR: it has none. *task: whose they are, or
 * TAC_NONE. */
static uint16_t processorOf(const tacModel *model, const tacEventPattern *pattern, uint32_t *task) {
    const tacStore *store = model->store;
    const tacEventSpec *spec = &tacEvents[pattern->event];
    uint32_t subject = (uint32_t) pattern->subject.value;
    int64_t processor;
    *task = TAC_NONE;
    if (pattern->subject.kind == TAC_MATCH_TASK) *task = subject;
    if (pattern->subject.kind == TAC_MATCH_VALUE && spec->nArguments) {
        switch (spec->arguments[0]) {
        case TAC_TYPE_PROCESSOR: return (uint16_t) subject;
        case TAC_TYPE_SERVER: return store->objects[TAC_SERVER].at[subject].processor;
        case TAC_TYPE_TASK: *task = subject; break;
        case TAC_TYPE_JOB:
            *task = store->jobTask.at[subject];
            if (tacObjectOption(store, TAC_JOB, subject, TAC_OPT_PROCESSOR, &processor)) return (uint16_t) processor;
            break;
        default: break;
        }
    }
    return *task == TAC_NONE ? TAC_NO_PROCESSOR : store->objects[TAC_TASK].at[*task].processor;
}

bool tacEventHasProcessor(const tacModel *model, const tacEventPattern *pattern) {
    uint32_t task;
    return processorOf(model, pattern, &task) != TAC_NO_PROCESSOR;
}

/* Finds the processors on which the events may be, by index. NULL: no memory. */
static bool *findProcessors(const tacModel *model, const tacEventPattern *pattern) {
    uint32_t task = TAC_NONE, n = model->nProcessors;
    uint16_t processor = pattern ? processorOf(model, pattern, &task) : TAC_NO_PROCESSOR;
    bool *may = tacAllocZero((size_t) n + 1, sizeof *may), any = processor == TAC_NO_PROCESSOR;
    for (uint32_t i = 0; may && i < n; i++) may[i] = any || i == processor;
    for (size_t i = 0; may && !any && task != TAC_NONE && i < model->tasks[task].slices.count; i++) {
        uint16_t ran = model->tasks[task].slices.at[i].processor;
        if (ran < n) may[ran] = true;
    }
    return may;
}

bool tacUnknownsFind(const tacModel *model, const tacEventPattern *pattern, tacUnknowns *unknowns) {
    size_t kept = 0;
    bool *may = findProcessors(model, pattern);
    if (!may) return false;
    for (uint32_t p = 0; p < model->nProcessors; p++) {
        const tacProcessorModel *processor = &model->processors[p];
        if (!may[p]) continue;
        if (!tacArrayReserve(unknowns, processor->unknown.count)) {
            tacFree(may);
            return false;
        }
        for (size_t i = 0; i < processor->unknown.count; i++)
            unknowns->at[unknowns->count++] = processor->unknown.at[i];
    }
    tacFree(may);
    if (unknowns->count) qsort(unknowns->at, unknowns->count, sizeof *unknowns->at, byBegin);
    for (size_t i = 0; i < unknowns->count; i++) {
        tacStretch *last = kept ? &unknowns->at[kept - 1] : NULL, next = unknowns->at[i];
        if (!last || next.begin > last->end) unknowns->at[kept++] = next;
        else if (next.end > last->end) last->end = next.end;
    }
    unknowns->count = kept;
    return true;
}
