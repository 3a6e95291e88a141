/*
 * automatonGroup.c -- instances that begin with a transition: those of a value of a field (-key), and several of an
 * object at once (-overlap).
 */
#include "base/port.h"

#include "judge/automatonRun.h"
#include "judge/ways.h"

/* Says, once, that no more instances begin. */
static tacStatus refuseMore(const tacAutomata *all, tacAutomatonRun *run, const tacOccurrence *o, tacError *err) {
    tacAutomatonInstance none = {.object = TAC_NONE};
    tacText text = {0};
    if (run->full) return TAC_OK;
    run->full = true;
    tacTextPrintf(&text,
        "model %.*s: more than %d instances live at once; as long as there are so many, no others begin",
        TAC_SHOWN(&run->automaton->name), TAC_MOST_LIVING);
    return tacAutomatonNote(
        run, &none, TAC_VERDICT_UNCERTAIN, o, all->model->store, run->automaton->statement, &text, err);
}

/* Takes a transition; a final state ends the instance. */
static tacStatus takeGrouped(const tacAutomata *all, tacAutomatonRun *run, uint32_t place,
    const tacTransition *transition, const tacOccurrence *o, tacError *err) {
    tacAsking *asking = tacAutomatonAsking(all, run, place, o);
    if (tacAutomatonTake(all, run, place, transition, o, asking, err) != TAC_OK) return TAC_ERROR;
    if (!run->automaton->final.at[transition->to])
        return tacGroupMove(&run->groups, place, transition->to) ? TAC_OK : tacFailMemory(err);
    if (tacAutomatonFinish(all, run, place, o, "the instance", err) != TAC_OK) return TAC_ERROR;
    tacGroupTake(&run->groups, place);
    return tacArrayPush(&run->free, place) ? TAC_OK : tacFailMemory(err);
}

/* Begins an instance in the place that waits for it, if that takes a transition. */
static tacStatus beginOne(const tacAutomata *all, tacAutomatonRun *run, uint32_t object, const tacWord *key,
    const tacOccurrence *o, bool *begun, tacError *err) {
    const tacAutomaton *a = run->automaton;
    uint32_t place = run->candidate, group = object;
    tacAutomatonInstance *instance = run->instances.at[place];
    *instance = (tacAutomatonInstance){.object = a->each == TAC_EACH_TRACE ? TAC_NONE : object,
        .job = TAC_NONE,
        .task = a->each == TAC_EACH_TASK ? object : TAC_NONE,
        .state = a->initial,
        .grouped = true,
        .place = place};
    instance->blocks = tacGaugesBlocks(all->gauges, &(tacOwner){a->each, object, TAC_NONE}, o->model);
    if (key && !tacGaugesKey(all->gauges, &a->key, key, &instance->blocks)) return tacFailMemory(err);
    tacAsking *asking = tacAutomatonAsking(all, run, place, o);
    const tacTransition *transition = tacAutomatonChoose(run, instance, o, asking);
    *begun = transition != NULL;
    if (!transition) return TAC_OK;
    if (run->groups.living >= TAC_MOST_LIVING) return refuseMore(all, run, o, err);
    if (key) group = tacGroupOf(&run->groups, key);
    if (group == TAC_NONE || !tacGroupPut(&run->groups, group, a->initial, place)) return tacFailMemory(err);
    instance->alive = true;
    if (run->stays && !tacStaysBegin(run->stays, place, a->initial, o->now, o)) return tacFailMemory(err);
    if (TAC_UNLIKELY(all->written))
        tacInstanceBegins(all->written, (size_t) (run - all->runs), place, instance->object, key, o->now);
    if (takeGrouped(all, run, place, transition, o, err) != TAC_OK) return TAC_ERROR;
    run->candidate = tacAutomatonPlace(run);
    if (run->candidate == TAC_NONE) return tacFailMemory(err);
    run->instances.at[run->candidate]->alive = false;
    return TAC_OK;
}

/* Does a guard stand at some transition out of a state? */
static bool isGuarded(const tacAutomaton *a, uint32_t state, uint32_t cell) {
    uint32_t at = a->cells[state * TAC_CELLS + cell];
    while (at != TAC_NONE && !a->transitions.at[a->ways.at[at].transition].guarded) at = a->ways.at[at].next;
    return at != TAC_NONE;
}

/* The oldest instance of a group that takes a transition; TAC_NONE: none. */
static uint32_t chooseOldest(const tacAutomata *all, tacAutomatonRun *run, uint32_t group, const tacOccurrence *o,
    const tacTransition **transition) {
    const tacAutomaton *a = run->automaton;
    const tacGroups *groups = &run->groups;
    uint32_t oldest = TAC_NONE;
    for (uint32_t list = groups->all.at[group]; list != TAC_NONE; list = groups->lists.at[list].next) {
        uint32_t state = groups->lists.at[list].state, place = groups->lists.at[list].first;
        if (!tacAutomatonHasWay(a, state, o->cell)) continue;
        for (; place != TAC_NONE; place = tacGroupNext(groups, place)) {
            if (oldest != TAC_NONE && tacGroupIsOlder(groups, oldest, place)) break;
            tacAsking *asking = tacAutomatonAsking(all, run, place, o);
            const tacTransition *chosen = tacAutomatonChoose(run, run->instances.at[place], o, asking);
            if (chosen) {
                *transition = chosen;
                oldest = place;
            }
            if (chosen || !isGuarded(a, state, o->cell)) break;
        }
    }
    return oldest;
}

tacStatus tacAutomatonOfferGroup(const tacAutomata *all, tacAutomatonRun *run, uint32_t object, const tacWord *key,
    const tacOccurrence *o, tacError *err) {
    const tacAutomaton *a = run->automaton;
    const tacTransition *transition;
    if (run->wanted && !run->wanted[object]) return TAC_OK;
    uint32_t group = key ? tacGroupFind(&run->groups, key) : object;
    bool lives = group != TAC_NONE && run->groups.all.at[group] != TAC_NONE;
    uint32_t place = lives ? chooseOldest(all, run, group, o, &transition) : TAC_NONE;
    if (place != TAC_NONE) return takeGrouped(all, run, place, transition, o, err);
    bool begun = false;
    if ((!lives || a->overlap) && tacAutomatonHasWay(a, a->initial, o->cell)
        && beginOne(all, run, object, key, o, &begun, err) != TAC_OK)
        return TAC_ERROR;
    if (!a->strict || begun || !lives) return TAC_OK;
    return tacAutomatonRefuse(all, run, run->instances.at[tacGroupOldest(&run->groups, group)], o, err);
}

tacStatus tacAutomatonOfferKey(const tacAutomata *all, tacAutomatonRun *run, const tacOccurrence *o, tacError *err) {
    tacField field;
    return tacFieldFind(o, &run->automaton->key, &field) ? tacAutomatonOfferGroup(all, run, 0, &field.text, o, err)
                                                         : TAC_OK;
}

tacStatus tacAutomatonOfferGroups(const tacAutomata *all, tacAutomatonRun *run, const tacOccurrence *o, tacError *err) {
    for (uint32_t object = 0; object < run->groups.all.count; object++)
        if (tacAutomatonOfferGroup(all, run, object, NULL, o, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}
