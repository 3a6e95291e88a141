/*
 * groups.h -- the living instances of a model in groups: of the same task or processor, or with the same value of a
 * field (-key). Within a group they are listed by state, the oldest first.
 *
 * What happens is the same to all instances of a group that are in one state, unless a guard tells them apart. So only
 * the oldest of each state is asked, however many wait there.
 *
 * A value without a living instance is forgotten sooner or later, and only states with an instance have a list, so the
 * memory is that of the instances that live at once, however many values and states there are.
 */
#ifndef TAC_JUDGE_GROUPS_H
#define TAC_JUDGE_GROUPS_H

#include "base/intern.h"
#include "read/sink.h"

typedef struct tacGroupList { /* instances of a group that are in the same state */
    uint32_t state;
    uint32_t first, last; /* places */
    uint32_t next;        /* list of the same group, or TAC_NONE; a free one: the next free one */
} tacGroupList;

typedef struct tacGroupLink { /* of a place */
    uint64_t number;          /* of all that were put in */
    uint32_t group;           /* TAC_NONE: it is in none */
    uint32_t list;
    uint32_t before, after; /* places, or TAC_NONE */
} tacGroupLink;

typedef struct tacGroups {   /* all zero: no groups */
    tacInternTable keys;     /* values, by group; those of objects have none */
    TAC_ARRAY(uint32_t) all; /* by group: its first list, or TAC_NONE */
    TAC_ARRAY(tacGroupList) lists;
    uint32_t nFree, freeList;      /* lists; the first, if there is one */
    TAC_ARRAY(tacGroupLink) links; /* by place */
    uint64_t begun;                /* instances that were put in */
    size_t living;                 /* that are in */
} tacGroups;

/* Makes groups of n objects. False: no memory. */
bool tacGroupsMake(tacGroups *groups, size_t n);
void tacGroupsFree(tacGroups *groups);

/* The group of a value; TAC_NONE: none of its instances lives. */
uint32_t tacGroupFind(const tacGroups *groups, const tacWord *key);
/* The same, made if there is none. Numbers of groups may change. TAC_NONE: no memory. */
uint32_t tacGroupOf(tacGroups *groups, const tacWord *key);
/* The value of a group. */
tacWord tacGroupKey(const tacGroups *groups, uint32_t group);

/* Puts an instance in, as the youngest. False: no memory. */
bool tacGroupPut(tacGroups *groups, uint32_t group, uint32_t state, uint32_t place);
/* Its state has changed. False: no memory. */
bool tacGroupMove(tacGroups *groups, uint32_t place, uint32_t state);
void tacGroupTake(tacGroups *groups, uint32_t place);

/* The oldest instance of a group; TAC_NONE: it has none. */
uint32_t tacGroupOldest(const tacGroups *groups, uint32_t group);
static inline bool tacGroupIsOlder(const tacGroups *groups, uint32_t place, uint32_t than) {
    return groups->links.at[place].number < groups->links.at[than].number;
}
/* The next instance in the same state. */
static inline uint32_t tacGroupNext(const tacGroups *groups, uint32_t place) { return groups->links.at[place].after; }
/* The group of a place; TAC_NONE: it is in none. */
static inline uint32_t tacGroupAt(const tacGroups *groups, uint32_t place) {
    return place < groups->links.count ? groups->links.at[place].group : TAC_NONE;
}

#endif
