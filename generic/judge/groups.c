/*
 * groups.c -- lists of instances by object or value.
 */
#include "base/port.h"

#include "judge/groups.h"

bool tacGroupsMake(tacGroups *groups, size_t n) {
    if (!tacArrayReserve(&groups->all, n)) return false;
    for (size_t i = 0; i < n; i++) groups->all.at[groups->all.count++] = TAC_NONE;
    return true;
}

void tacGroupsFree(tacGroups *groups) {
    tacInternFree(&groups->keys);
    tacArrayFree(&groups->all);
    tacArrayFree(&groups->lists);
    tacArrayFree(&groups->links);
}

uint32_t tacGroupFind(const tacGroups *groups, const tacWord *key) {
    uint32_t group = tacInternFind(&groups->keys, key->at, key->length);
    return group == TAC_NONE || groups->all.at[group] == TAC_NONE ? TAC_NONE : group;
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
        if (groups->all.at[i] != TAC_NONE) fine = move(groups, i, &kept);
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
        for (uint32_t list = groups->all.at[i]; list != TAC_NONE; list = groups->lists.at[list].next)
            for (uint32_t place = groups->lists.at[list].first; place != TAC_NONE; place = tacGroupNext(groups, place))
                groups->links.at[place].group = i;
    return true;
}

uint32_t tacGroupOf(tacGroups *groups, const tacWord *key) {
    enum { SPARE = 1024 };
    if (groups->all.count > SPARE + 2 * groups->living && !forget(groups)) return TAC_NONE;
    uint32_t group = tacIntern(&groups->keys, key->at, key->length);
    if (group == groups->all.count && !tacArrayPush(&groups->all, (uint32_t) TAC_NONE)) return TAC_NONE;
    return group;
}

tacWord tacGroupKey(const tacGroups *groups, uint32_t group) {
    tacWord key = {"", 0};
    if (group < tacInternCount(&groups->keys)) key.at = tacInternName(&groups->keys, group, &key.length);
    return key;
}

/* The list of a state, made if there is none. TAC_NONE: no memory. */
static uint32_t listOf(tacGroups *groups, uint32_t group, uint32_t state) {
    uint32_t list = groups->all.at[group];
    while (list != TAC_NONE && groups->lists.at[list].state != state) list = groups->lists.at[list].next;
    if (list != TAC_NONE) return list;
    if (!groups->nFree) {
        list = (uint32_t) groups->lists.count;
        if (!tacArrayPush(&groups->lists, (tacGroupList){.state = 0})) return TAC_NONE;
    } else {
        list = groups->freeList;
        groups->freeList = groups->lists.at[list].next;
        groups->nFree--;
    }
    groups->lists.at[list] = (tacGroupList){state, TAC_NONE, TAC_NONE, groups->all.at[group]};
    groups->all.at[group] = list;
    return list;
}

/* Puts a place into a list, behind those that are older. */
static void enlist(tacGroups *groups, uint32_t list, uint32_t place) {
    tacGroupList *into = &groups->lists.at[list];
    tacGroupLink *links = groups->links.at, *link = &links[place];
    uint32_t before = into->last;
    while (before != TAC_NONE && tacGroupIsOlder(groups, place, before)) before = links[before].before;
    link->list = list;
    link->before = before;
    link->after = before == TAC_NONE ? into->first : links[before].after;
    *(before == TAC_NONE ? &into->first : &links[before].after) = place;
    *(link->after == TAC_NONE ? &into->last : &links[link->after].before) = place;
}

/* Takes a place out of its list, which goes when it is empty. */
static void delist(tacGroups *groups, uint32_t place) {
    tacGroupLink *links = groups->links.at, *link = &links[place];
    tacGroupList *from = &groups->lists.at[link->list];
    *(link->before == TAC_NONE ? &from->first : &links[link->before].after) = link->after;
    *(link->after == TAC_NONE ? &from->last : &links[link->after].before) = link->before;
    if (from->first != TAC_NONE) return;
    uint32_t *to = &groups->all.at[link->group];
    while (*to != link->list) to = &groups->lists.at[*to].next;
    *to = from->next;
    from->next = groups->freeList;
    groups->freeList = link->list;
    groups->nFree++;
}

bool tacGroupPut(tacGroups *groups, uint32_t group, uint32_t state, uint32_t place) {
    while (groups->links.count <= place)
        if (!tacArrayPush(&groups->links, (tacGroupLink){.group = TAC_NONE})) return false;
    uint32_t list = listOf(groups, group, state);
    if (list == TAC_NONE) return false;
    groups->links.at[place] = (tacGroupLink){.number = groups->begun++, .group = group};
    enlist(groups, list, place);
    groups->living++;
    return true;
}

bool tacGroupMove(tacGroups *groups, uint32_t place, uint32_t state) {
    const tacGroupLink *link = &groups->links.at[place];
    if (groups->lists.at[link->list].state == state) return true;
    uint32_t list = listOf(groups, link->group, state);
    if (list == TAC_NONE) return false;
    delist(groups, place);
    enlist(groups, list, place);
    return true;
}

void tacGroupTake(tacGroups *groups, uint32_t place) {
    delist(groups, place);
    groups->links.at[place].group = TAC_NONE;
    groups->living--;
}

uint32_t tacGroupOldest(const tacGroups *groups, uint32_t group) {
    uint32_t oldest = TAC_NONE;
    for (uint32_t list = groups->all.at[group]; list != TAC_NONE; list = groups->lists.at[list].next) {
        uint32_t first = groups->lists.at[list].first;
        if (oldest == TAC_NONE || tacGroupIsOlder(groups, first, oldest)) oldest = first;
    }
    return oldest;
}
