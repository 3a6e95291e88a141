/*
 * trigger.c -- what transitions wait for: reading it, and telling whether something that happens is it.
 */
#include "base/port.h"

#include "base/glob.h"
#include "judge/trigger.h"
#include "model/ask.h"

#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Reads {enters STATE ?WHO?} or {leaves STATE ?WHO?}. */
static tacStatus readChange(const tacModel *model, tacTrigger *trigger, tacError *err) {
    const tacWord *words = trigger->pattern.words.words.at, *text = &trigger->pattern.text;
    size_t n = trigger->pattern.words.words.count;
    int state = 0;
    if (n < 2 || n > 3)
        return tacFail(
            err, "USAGE", "bad event \"%.*s\": should be {enters state ?job|task?} or {leaves ...}", TAC_SHOWN(text));
    while (state < TAC_STATES && !tacWordIs(&words[1], tacStateNames[state])) state++;
    if (state == TAC_STATES)
        return tacFail(err, "USAGE", "bad state \"%.*s\" in event \"%.*s\"", TAC_SHOWN(&words[1]), TAC_SHOWN(text));
    trigger->state = (tacJobState) state;
    trigger->named = n > 2;
    if (n == 2 || !model) return TAC_OK;
    const tacWord *id = &words[2];
    trigger->who = (tacWho){.kind = TAC_JOB, .index = tacAskFind(model, TAC_JOB, id->at, id->length)};
    if (trigger->who.index == TAC_NONE)
        trigger->who = (tacWho){.kind = TAC_TASK, .index = tacAskFindNamed(model, TAC_TASK, id->at, id->length)};
    if (trigger->who.index == TAC_NONE)
        trigger->who = (tacWho){.kind = TAC_JOB, .index = tacAskFindNamed(model, TAC_JOB, id->at, id->length)};
    return TAC_OK;
}

/* Reads FIELD==VALUE. */
static tacStatus readTest(const tacTrigger *trigger, const tacWord *word, tacFieldTest *test, tacError *err) {
    const char *sign = word->at, *end = word->at + word->length;
    while (sign < end && !strchr("=!<>", *sign)) sign++;
    const char *value = tacComparisonAt(sign, end, &test->op);
    test->name = (tacWord){word->at, (size_t) (sign - word->at)};
    if (!value || !test->name.length)
        return tacFail(err, "USAGE",
            "bad comparison \"%.*s\" in event \"%.*s\": should be FIELD==VALUE, or with"
            " != < <= > >=",
            TAC_SHOWN(word), TAC_SHOWN(&trigger->pattern.text));
    tacWord text = {value, (size_t) (end - value)};
    if (test->op == TAC_EQUAL || test->op == TAC_UNEQUAL)
        return (test->glob = tacCopyText(text.at, text.length)) ? TAC_OK : tacFailMemory(err);
    if (tacFieldNumberRead(&text, &test->number)) return TAC_OK;
    return tacFail(
        err, "USAGE", "bad number \"%.*s\" in event \"%.*s\"", TAC_SHOWN(&text), TAC_SHOWN(&trigger->pattern.text));
}

/* Reads {mark GLOB ?TEST ...?}, {event NAME ?TEST ...?}, {syscall GLOB} or {sysreturn GLOB}. */
static tacStatus readSaid(tacTrigger *trigger, tacError *err) {
    const tacWord *words = trigger->pattern.words.words.at;
    size_t n = trigger->pattern.words.words.count;
    bool tests = trigger->kind == TAC_TRIGGER_MARK || trigger->kind == TAC_TRIGGER_EVENT;
    if (n < 2 || (n > 2 && !tests))
        return tacFail(err, "USAGE", "bad event \"%.*s\": should be {%.*s %s%s ?-of pattern?}",
            TAC_SHOWN(&trigger->pattern.text), TAC_SHOWN(&words[0]),
            trigger->kind == TAC_TRIGGER_EVENT ? "name" : "pattern", tests ? " ?field==value ...?" : "");
    if (!(trigger->glob = tacCopyText(words[1].at, words[1].length))) return tacFailMemory(err);
    for (size_t i = 2; i < n; i++)
        if (!tacArrayPush(&trigger->tests, (tacFieldTest){.glob = NULL})) return tacFailMemory(err);
        else if (readTest(trigger, &words[i], &trigger->tests.at[i - 2], err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* Takes -of PATTERN from the end of the words. */
static tacStatus readOf(tacTrigger *trigger, tacError *err) {
    tacList *words = &trigger->pattern.words;
    size_t n = words->words.count;
    if (n > 1 && tacWordIs(&words->words.at[n - 1], "-of"))
        return tacFail(err, "USAGE", "no pattern after -of in event \"%.*s\"", TAC_SHOWN(&trigger->pattern.text));
    if (n < 3 || !tacWordIs(&words->words.at[n - 2], "-of")) return TAC_OK;
    words->words.count -= 2;
    trigger->of = tacCopyText(words->words.at[n - 1].at, words->words.at[n - 1].length);
    return trigger->of ? TAC_OK : tacFailMemory(err);
}

tacStatus tacTriggerRead(const tacModel *model, const tacWord *text, tacTrigger *trigger, tacError *err) {
    static const struct {
        const char *word;
        tacTriggerKind kind;
    } kinds[] = {{"enters", TAC_TRIGGER_ENTERS}, {"leaves", TAC_TRIGGER_LEAVES}, {"mark", TAC_TRIGGER_MARK},
        {"event", TAC_TRIGGER_EVENT}, {"syscall", TAC_TRIGGER_SYSCALL}, {"sysreturn", TAC_TRIGGER_SYSRETURN}};
    *trigger = (tacTrigger){.kind = TAC_TRIGGER_ROW};
    if (tacEventPatternSplit(text, &trigger->pattern, err) != TAC_OK || readOf(trigger, err) != TAC_OK)
        return TAC_ERROR;
    const tacList *words = &trigger->pattern.words;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (words->words.count && tacWordIs(&words->words.at[0], kinds[i].word)) trigger->kind = kinds[i].kind;
    trigger->own = !trigger->of;
    if (trigger->kind >= TAC_TRIGGER_MARK) return readSaid(trigger, err);
    trigger->own &= words->words.count == (trigger->kind == TAC_TRIGGER_ROW ? 1 : 2);
    if (trigger->kind != TAC_TRIGGER_ROW) return readChange(model, trigger, err);
    return tacEventPatternFind(model, &trigger->pattern, err);
}

void tacTriggerFree(tacTrigger *trigger) {
    for (size_t i = 0; i < trigger->tests.count; i++) tacFree(trigger->tests.at[i].glob);
    tacArrayFree(&trigger->tests);
    tacFree(trigger->glob);
    tacFree(trigger->of);
    tacEventPatternFree(&trigger->pattern);
}

int tacTriggerCells(const tacTrigger *trigger, uint32_t cells[TAC_TRIGGER_CELLS]) {
    tacEvent event = trigger->pattern.event;
    int n = 0;
    switch (trigger->kind) {
    case TAC_TRIGGER_ENTERS: cells[n++] = (uint32_t) TAC_CELL_ENTERS + trigger->state; break;
    case TAC_TRIGGER_LEAVES: cells[n++] = (uint32_t) TAC_CELL_LEAVES + trigger->state; break;
    case TAC_TRIGGER_MARK: cells[n++] = TAC_EV_MESSAGE; break;
    case TAC_TRIGGER_EVENT: cells[n++] = TAC_CELL_EVENT; break;
    case TAC_TRIGGER_SYSCALL: cells[n++] = TAC_CELL_CALL; break;
    case TAC_TRIGGER_SYSRETURN: cells[n++] = TAC_CELL_RETURN; break;
    default:
        cells[n++] = event;
        if (event == TAC_EV_MESSAGE) cells[n++] = TAC_CELL_EVENT;
        if (event == TAC_EV_MESSAGE || event == TAC_EV_TASK_ANNOTATION) cells[n++] = TAC_CELL_CALL;
    }
    return n;
}

bool tacTriggerValue(const tacTrigger *trigger, const tacStore *store, int *by, uint32_t *value) {
    const tacMatch *subject = &trigger->pattern.subject;
    *by = 0;
    *value = TAC_NONE;
    if (trigger->kind == TAC_TRIGGER_MARK) {
        if (strpbrk(trigger->glob, "*?[\\")) return false;
        *value = tacInternFind(&store->strings, trigger->glob, strlen(trigger->glob));
        return true;
    }
    if (trigger->kind != TAC_TRIGGER_ROW || subject->kind == TAC_MATCH_ANY || subject->kind == TAC_MATCH_TICKS
        || subject->kind == TAC_MATCH_TASKS)
        return false;
    *by = subject->kind == TAC_MATCH_TASK;
    if (subject->kind != TAC_MATCH_NEVER) *value = (uint32_t) subject->value;
    return true;
}

/* ---- fitting ----------------------------------------------------------------------------------------------------- */

/* Is what happens of the instance itself, or of nobody in particular? task: what a task does is its jobs' own. */
static bool isOwn(const tacOccurrence *o, const tacOwner *owner, bool task) {
    switch (owner->each) {
    case TAC_EACH_TASK: return o->task == TAC_NONE || o->task == owner->object;
    case TAC_EACH_JOB:
        if (task && o->task != TAC_NONE) return o->task == o->model->jobs.at[owner->job].task;
        return o->task == TAC_NONE || o->job == owner->job;
    case TAC_EACH_PROCESSOR: return o->processor == TAC_NO_PROCESSOR || o->processor == owner->object;
    default: return true;
    }
}

/* Does the id or the name of the task fit? */
static bool isOf(const char *glob, const tacStore *store, uint32_t task) {
    if (strcmp(glob, "*") == 0) return true;
    if (task == TAC_NONE) return false;
    const char *id = tacObjectId(store, TAC_TASK, task), *name = tacObjectName(store, TAC_TASK, task);
    return tacGlob(glob, id, strlen(id)) || tacGlob(glob, name, strlen(name));
}

static bool fieldFits(const tacFieldTest *test, const tacOccurrence *o) {
    tacField field;
    tacFieldNumber number;
    if (!tacFieldFind(o, &test->name, &field)) return false;
    if (test->glob) return tacGlob(test->glob, field.text.at, field.text.length) == (test->op == TAC_EQUAL);
    if (field.isNumber) number = field.number;
    else if (!tacFieldNumberRead(&field.text, &number)) return false;
    return tacComparisonHolds(test->op, tacFieldNumberCompare(&number, &test->number));
}

/* Do the text and the fields fit? */
static bool saidFits(const tacTrigger *trigger, const tacOccurrence *o) {
    tacWord text = trigger->kind == TAC_TRIGGER_EVENT ? tacKeptName(o->model->store, o->row)
                                                      : tacRowWord(o->model->store, o->row);
    if (!tacGlob(trigger->glob, text.at, text.length)) return false;
    for (size_t i = 0; i < trigger->tests.count; i++)
        if (!fieldFits(&trigger->tests.at[i], o)) return false;
    return true;
}

bool tacTriggerIsPlain(const tacTrigger *trigger) {
    tacEvent event = trigger->pattern.event;
    if (!trigger->own || trigger->of || trigger->tests.count || trigger->kind > TAC_TRIGGER_LEAVES) return false;
    if (trigger->kind != TAC_TRIGGER_ROW) return !trigger->named;
    return event != TAC_EV_MESSAGE && event != TAC_EV_TASK_ANNOTATION && !tacEventIs(event, TAC_TRAIT_NAMED)
        && trigger->pattern.words.words.count == 1;
}

bool tacTriggerFits(const tacTrigger *trigger, const tacOccurrence *o, const tacOwner *owner) {
    const tacStore *store = o->model->store;
    bool row = trigger->kind == TAC_TRIGGER_ROW;
    if (row && tacRowEvent(store, o->row) != trigger->pattern.event) return false;
    if (trigger->own && !isOwn(o, owner, !o->change && (!row || trigger->pattern.event == TAC_EV_MESSAGE)))
        return false;
    if (trigger->of && !isOf(trigger->of, store, o->task)) return false;
    if (row) return tacEventPatternFits(&trigger->pattern, o->model, o->row);
    if (!o->change) return saidFits(trigger, o);
    if (!trigger->named) return true;
    const tacJob *job = &o->model->jobs.at[o->change->job];
    return (trigger->who.kind == TAC_JOB ? job->id : job->task) == trigger->who.index;
}

uint32_t tacTriggerTask(const tacTrigger *trigger) {
    const tacMatch *subject = &trigger->pattern.subject;
    if (trigger->named) return trigger->who.kind == TAC_TASK ? trigger->who.index : TAC_NONE;
    if (trigger->kind != TAC_TRIGGER_ROW) return TAC_NONE;
    bool task = tacEvents[trigger->pattern.event].arguments[0] == TAC_TYPE_TASK && subject->kind == TAC_MATCH_VALUE;
    return task || subject->kind == TAC_MATCH_TASK ? (uint32_t) subject->value : TAC_NONE;
}
