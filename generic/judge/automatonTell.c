/*
 * automatonTell.c -- judgements of automata: their sentences, and values of limits that are to be found.
 */
#include "base/port.h"

#include "judge/automatonRun.h"

#include <string.h>

/* The value of the field that an instance was made for. */
static tacWord keyOf(const tacAutomatonRun *run, const tacAutomatonInstance *instance) {
    return tacGroupKey(&run->groups, tacGroupAt(&run->groups, instance->place));
}

static bool hasKey(const tacAutomatonRun *run, const tacAutomatonInstance *instance) {
    return run->automaton->key.length && instance->grouped;
}

/* object: of the instance; key: its value of the field, or NULL. */
static void sayHeadOf(
    const tacAutomata *all, const tacAutomatonRun *run, uint32_t object, const tacWord *key, tacText *text) {
    const tacAutomaton *a = run->automaton;
    tacTextPrintf(text, "model %.*s", TAC_SHOWN(&a->name));
    if (key) {
        tacTextPrintf(text, ", %.*s ", TAC_SHOWN(&a->key));
        tacAddId(text, key->at, key->length);
    } else if (a->each != TAC_EACH_TRACE) {
        const char *id = tacEachId(all->model, a->each, object);
        tacTextPrintf(text, ", %s ", tacKindNames[tacEachKind(a->each)]);
        if (a->each == TAC_EACH_PROCESSOR) tacAddId(text, id, strlen(id));
        else tacAddCalled(text, all->model->store, tacEachKind(a->each), object);
    }
    tacTextAddString(text, ": ");
}

void tacAutomatonSayHead(
    const tacAutomata *all, const tacAutomatonRun *run, const tacAutomatonInstance *instance, tacText *text) {
    tacWord key = {"", 0};
    bool has = hasKey(run, instance);
    if (has) key = keyOf(run, instance);
    sayHeadOf(all, run, instance->object, has ? &key : NULL, text);
}

tacStatus tacAutomatonNote(tacAutomatonRun *run, tacAutomatonInstance *instance, tacVerdict verdict,
    const tacOccurrence *o, const tacStore *store, const tacStatement *statement, tacText *text, tacError *err) {
    if (instance->verdict < verdict) instance->verdict = (uint8_t) verdict;
    if (*run->kept >= TAC_MOST_NOTES) {
        run->onlyCounted[verdict]++;
        tacTextFree(text);
        return TAC_OK;
    }
    tacVerdictNote note = {
        verdict, o->now, o->row == TAC_NONE ? 0 : tacRowLine(store, o->row), instance->object, statement, text->at};
    ++*run->kept;
    if (!text->failed && tacArrayPush(&run->notes, note)) return TAC_OK;
    tacTextFree(text);
    return tacFailMemory(err);
}

bool tacAutomatonNoteKey(tacAutomatonRun *run, const tacAutomatonInstance *instance, tacSoughtValue *value) {
    if (!hasKey(run, instance)) return true;
    tacWord key = keyOf(run, instance);
    value->object = tacIntern(&run->soughtKeys, key.at, key.length);
    return value->object != TAC_NONE;
}

tacStatus tacAutomatonSample(tacAutomatonRun *run, const tacAutomatonInstance *instance, const tacAction *action,
    const tacOccurrence *o, const tacOutcome *outcome, tacError *err) {
    tacSought *into = &run->samples[action->constraint];
    tacSoughtValue value = {.value = outcome->sides.left, .time = o->now, .row = o->row, .object = instance->object};
    if (!tacAutomatonNoteKey(run, instance, &value)) return tacFailMemory(err);
    if (outcome->ranges) tacSoughtDoubt(into, action->test.op, &value.value, &outcome->most);
    else if (outcome->verdict == TAC_VERDICT_UNCERTAIN) into->unknown++;
    else if (!tacSoughtAdd(into, action->test.op, &value)) return tacFailMemory(err);
    return TAC_OK;
}

typedef struct Telling { /* of the values of a constraint */
    const tacAutomata *all;
    tacAutomatonRun *run;
    const tacStatement *statement;
} Telling;

static tacStatus takeSought(void *data, const tacSoughtValue *value, const char *sentence, tacError *err) {
    const Telling *telling = data;
    tacAutomatonRun *run = telling->run;
    tacWord key = {"", 0};
    bool keyed = value && run->automaton->key.length;
    tacAutomatonInstance instance = {.object = value && !keyed ? value->object : TAC_NONE};
    tacOccurrence o = {.row = value ? value->row : TAC_NONE, .now = value ? value->time : TAC_UNKNOWN};
    tacText text = {0};
    if (keyed) key.at = tacInternName(&run->soughtKeys, value->object, &key.length);
    if (value) sayHeadOf(telling->all, run, instance.object, keyed ? &key : NULL, &text);
    else tacTextPrintf(&text, "model %.*s: ", TAC_SHOWN(&run->automaton->name));
    tacTextAddString(&text, sentence);
    return tacAutomatonNote(run, &instance, value ? TAC_VERDICT_UNCERTAIN : TAC_VERDICT_VALID, &o,
        telling->all->model->store, telling->statement, &text, err);
}

/* Tells which values of a constraint are far from the others, and how many there are. */
static tacStatus tellFar(const tacAutomata *all, tacAutomatonRun *run, const tacRelationTest *test, size_t sample,
    const tacStatement *statement, tacError *err) {
    tacSoughtSaid said = {test->left.text, test->right.text, test->op, tacComparesShares(&test->left, &test->right),
        all->model->store->digits, tacExpressionIsTime(&test->left) ? all->model->store : NULL};
    Telling telling = {all, run, statement};
    uint64_t more = 0;
    tacStatus status = tacSoughtTell(&run->samples[sample], &said, takeSought, &telling, &more, err);
    run->onlyCounted[TAC_VERDICT_UNCERTAIN] += more;
    const tacSought *sought = &run->samples[sample];
    double scale = said.share ? 100 : 1;
    if (all->written && sample < run->automaton->nConstraints)
        tacInstancesFar(
            all->written, (size_t) (run - all->runs), (uint32_t) sample, sought->low * scale, sought->high * scale);
    return status;
}

tacStatus tacAutomatonTellFar(const tacAutomata *all, tacAutomatonRun *run, tacError *err) {
    const tacAutomaton *a = run->automaton;
    if (!run->samples) return TAC_OK;
    for (size_t i = 0; i < a->transitions.count; i++) {
        const tacTransition *transition = &a->transitions.at[i];
        for (size_t k = 0; k < transition->actions.count; k++) {
            const tacAction *action = &transition->actions.at[k];
            if (action->test.sought
                && tellFar(all, run, &action->test, action->constraint, action->statement, err) != TAC_OK)
                return TAC_ERROR;
        }
    }
    for (size_t i = 0; i < a->invariants.count; i++) {
        const tacInvariant *invariant = &a->invariants.at[i];
        if (invariant->test.sought
            && tellFar(all, run, &invariant->test, a->nConstraints + i, invariant->statement, err) != TAC_OK)
            return TAC_ERROR;
    }
    return TAC_OK;
}
