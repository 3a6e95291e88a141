/*
 * synchronize.c -- events that come together: groups, each of which begins with its first event.
 *
 * A group is complete when each of its events has come, at most so long after the first one. It fails when that time is
 * over, or, unless events may come several times, when one comes anew. With a field there is a group for each value.
 */
#include "base/port.h"

#include "judge/chainRun.h"

static bool isOver(const tacChainRun *run, const tacPart *group) {
    return tacLimitCompare(run->now - group->read, &run->chain->within) > 0;
}

/* Did a stretch that is not recorded overlap the time in which the group had to be complete? The latest one that is
 * over; or one that is under way. */
static bool wasUnknown(const tacChainRun *run, const tacPart *group) {
    const tacUnknownTime *missing = run->missing;
    return missing->until > group->read && tacLimitCompare(missing->begin - group->read, &run->chain->within) < 0;
}

static bool isUnknown(const tacChainRun *run, const tacPart *group) {
    const tacUnknownTime *missing = run->missing;
    bool open = missing->open && missing->since < run->now && group->read < run->now
        && tacLimitCompare(missing->since - group->read, &run->chain->within) < 0;
    return group->unknown || open || wasUnknown(run, group);
}

/* Could an event of the group lie before the recording? */
static bool isCut(const tacChainRun *run, const tacPart *group) {
    return tacLimitCompare(group->read - run->model->begin, &run->chain->within) < 0;
}

static void sayEvents(const tacChainRun *run, uint32_t events, tacText *text) {
    const tacChain *chain = run->chain;
    bool first = true;
    for (uint32_t i = 0; i < chain->steps.count; i++) {
        if (!(events >> i & 1)) continue;
        tacTextPrintf(text, "%s%.*s", first ? "" : ", ", TAC_SHOWN(&chain->steps.at[i].name));
        first = false;
    }
}

static uint32_t allEvents(const tacChainRun *run) { return (uint32_t) (((uint64_t) 1 << run->chain->steps.count) - 1); }

/* Tells that a group is not complete. again: the event that came twice, or TAC_NONE. */
static void tell(tacChainRun *run, const tacPart *group, uint32_t again) {
    const tacChain *chain = run->chain;
    bool unknown = isUnknown(run, group);
    tacText text = {0};
    tacChainNote note = {.verdict = unknown ? TAC_VERDICT_UNCERTAIN : TAC_VERDICT_INVALID,
        .time = group->read,
        .line = tacRowLine(run->model->store, group->row),
        .jobs = {TAC_NONE, TAC_NONE},
        .statement = chain->statement};
    if (isCut(run, group)) return;
    run->judged[0] = true;
    tacTextPrintf(&text, "synchronize %.*s", TAC_SHOWN(&chain->name));
    if (chain->field.length) {
        tacTextPrintf(&text, ", %.*s ", TAC_SHOWN(&chain->field));
        tacAddId(&text, group->key.at, group->key.length);
    }
    tacTextAddString(&text, ": ");
    sayEvents(run, group->members, &text);
    tacTextAddString(&text, " came from ");
    tacChainSayTime(run, group->read, &text);
    tacTextAddString(&text, " on without ");
    sayEvents(run, allEvents(run) & ~group->members, &text);
    if (again != TAC_NONE) {
        tacTextPrintf(&text, " before %.*s came anew at ", TAC_SHOWN(&chain->steps.at[again].name));
        tacChainSayTime(run, run->now, &text);
    }
    if (unknown) tacTextAddString(&text, ", not all of which is known");
    tacTextPrintf(&text, ", required within %s", chain->withinText);
    tacChainNoteAdd(run, note, &text);
}

/* Lets go of groups that are over, the oldest ones first. */
static void endGroups(tacChainRun *run) {
    for (; run->firstGroup < run->groups.count; run->firstGroup++) {
        uint32_t index = run->groups.at[run->firstGroup];
        const tacPart *group = &run->parts.at[index];
        bool lives = tacPartOfKey(run, 0, &group->key, false) == index;
        if (lives && !isOver(run, group)) break;
        if (lives) {
            if (!group->completed) tell(run, group, TAC_NONE);
            tacPartRelease(run, tacPartOfKey(run, 0, &group->key, true));
        }
        tacPartRelease(run, index);
    }
    if (run->firstGroup < 64 || run->firstGroup < run->groups.count / 2) return;
    run->groups.count -= run->firstGroup;
    for (size_t i = 0; i < run->groups.count; i++) run->groups.at[i] = run->groups.at[run->firstGroup + i];
    run->firstGroup = 0;
}

static void beginGroup(tacChainRun *run, uint32_t event, const tacWord *key, char **written) {
    uint32_t group = tacPartBegin(run, 0, TAC_NONE);
    if (group == TAC_NONE) return;
    tacPart *p = &run->parts.at[group];
    p->members = (uint32_t) 1 << event;
    p->key = *key;
    if (*written == key->at) {
        p->written = *written;
        *written = NULL;
    }
    if (tacArrayPush(&run->groups, group)) tacPartPut(run, tacPartHold(run, group));
    else {
        run->failed = true;
        tacPartRelease(run, group);
    }
}

void tacTogetherMeets(tacChainRun *run, uint32_t event, const tacWord *key, char **written) {
    uint32_t bit = (uint32_t) 1 << event;
    endGroups(run);
    uint32_t index = tacPartOfKey(run, 0, key, false);
    tacPart *group = index == TAC_NONE ? NULL : &run->parts.at[index];
    if (group && (group->members & bit)) {
        if (run->chain->several) return;
        tell(run, group, event);
        tacPartRelease(run, tacPartOfKey(run, 0, key, true));
        group = NULL;
    }
    if (!group) {
        beginGroup(run, event, key, written);
        return;
    }
    group->members |= bit;
    if (group->members != allEvents(run)) return;
    group->completed = run->judged[0] = true;
    if (!run->chain->several) tacPartRelease(run, tacPartOfKey(run, 0, key, true));
}

void tacTogetherUnknown(tacChainRun *run) {
    endGroups(run);
    for (size_t i = run->firstGroup; i < run->groups.count; i++) {
        tacPart *group = &run->parts.at[run->groups.at[i]];
        group->unknown |= wasUnknown(run, group);
    }
}

void tacTogetherEnd(tacChainRun *run) {
    endGroups(run);
    if (run->judged[0] && !run->stopped) return;
    tacText text = {0};
    tacTextPrintf(&text, "synchronize %.*s: %s, required within %s", TAC_SHOWN(&run->chain->name),
        run->stopped ? "more groups are under way at once than can be followed" : "none of its groups is complete",
        run->chain->withinText);
    tacChainNoteAdd(run,
        (tacChainNote){.verdict = TAC_VERDICT_UNCERTAIN,
            .time = run->now,
            .jobs = {TAC_NONE, TAC_NONE},
            .statement = run->chain->statement},
        &text);
}
