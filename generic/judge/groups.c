/*
 * groups.c -- lists of instances by object or value.
 */
#include "base/port.h"

#include "judge/groups.h"

static const tacGroup empty = {TAC_NONE, TAC_NONE};

bool tacGroupsMake(tacGroups *groups, size_t n) {
    if (!tacArrayReserve(&groups->all, n)) return false;
    for (size_t i = 0; i < n; i++) groups->all.at[groups->all.count++] = empty;
    return true;
}

void tacGroupsFree(tacGroups *groups) {
    tacInternFree(&groups->keys);
    tacArrayFree(&groups->all);
    tacArrayFree(&groups->links);
}

uint32_t tacGroupFind(const tacGroups *groups, const tacWord *key) {
    uint32_t group = tacInternFind(&groups->keys, key->at, key->length);
    return group == TAC_NONE || groups->all.at[group].first == TAC_NONE ? TAC_NONE : group;
}

/* Moves a group to another table of values. */
static bool move(const tacGroups *from, uint32_t old, tacGroups *to) {
    tacWord key = tacGroupKey(from, old);
    uint32_t group = tacIntern(&to->keys, key.at, key.length);
    return group != TAC_NONE && tacArrayPush(&to->all, from->all.at[old]);
}

/* Forgets the values that have no living instance. */
static bool forget(tacGroups *groups) {
    tacGroups kept = {.living = 0};
    bool fine = true;
    for (uint32_t i = 0; i < groups->all.count && fine; i++)
        if (groups->all.at[i].first != TAC_NONE) fine = move(groups, i, &kept);
    if (!fine) {
        tacGroupsFree(&kept);
        return false;
    }
    tacInternFree(&groups->keys);
    tacArrayFree(&groups->all);
    groups->keys = kept.keys;
    groups->all.at = kept.all.at;
    groups->all.count = kept.all.count;
    groups->all.capacity = kept.all.capacity;
    for (uint32_t i = 0; i < groups->all.count; i++)
        for (uint32_t place = groups->all.at[i].first; place != TAC_NONE; place = groups->links.at[place].after)
            groups->links.at[place].group = i;
    return true;
}

uint32_t tacGroupOf(tacGroups *groups, const tacWord *key) {
    enum { SPARE = 1024 };
    if (groups->all.count > SPARE + 2 * groups->living && !forget(groups)) return TAC_NONE;
    uint32_t group = tacIntern(&groups->keys, key->at, key->length);
    if (group == groups->all.count && !tacArrayPush(&groups->all, empty)) return TAC_NONE;
    return group;
}

tacWord tacGroupKey(const tacGroups *groups, uint32_t group) {
    tacWord key = {"", 0};
    if (group < tacInternCount(&groups->keys)) key.at = tacInternName(&groups->keys, group, &key.length);
    return key;
}

bool tacGroupPut(tacGroups *groups, uint32_t group, uint32_t place) {
    while (groups->links.count <= place)
        if (!tacArrayPush(&groups->links, (tacGroupLink){TAC_NONE, TAC_NONE, TAC_NONE})) return false;
    tacGroup *list = &groups->all.at[group];
    groups->links.at[place] = (tacGroupLink){group, list->last, TAC_NONE};
    if (list->last == TAC_NONE) list->first = place;
    else groups->links.at[list->last].after = place;
    list->last = place;
    groups->living++;
    return true;
}

void tacGroupTake(tacGroups *groups, uint32_t place) {
    tacGroupLink *link = &groups->links.at[place];
    tacGroup *list = &groups->all.at[link->group];
    if (link->before == TAC_NONE) list->first = link->after;
    else groups->links.at[link->before].after = link->after;
    if (link->after == TAC_NONE) list->last = link->before;
    else groups->links.at[link->after].before = link->before;
    link->group = TAC_NONE;
    groups->living--;
}
