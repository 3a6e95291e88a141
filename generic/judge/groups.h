/*
 * groups.h -- the living instances of a model in groups: of the same task or processor, or with the same value of a
 * field (-key). Those of a group are in the order in which they began.
 *
 * A value without a living instance is forgotten sooner or later, so the memory is that of the instances that live at
 * once, however many values there are.
 */
#ifndef TAC_JUDGE_GROUPS_H
#define TAC_JUDGE_GROUPS_H

#include "base/intern.h"
#include "read/sink.h"

typedef struct tacGroup { /* places of its first and last instance, or TAC_NONE */
    uint32_t first, last;
} tacGroup;

typedef struct tacGroupLink { /* of a place */
    uint32_t group;           /* TAC_NONE: it is in none */
    uint32_t before, after;   /* places, or TAC_NONE */
} tacGroupLink;

typedef struct tacGroups { /* all zero: no groups */
    tacInternTable keys;   /* values, by group; those of objects have none */
    TAC_ARRAY(tacGroup) all;
    TAC_ARRAY(tacGroupLink) links; /* by place */
    size_t living;                 /* instances */
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

/* Puts an instance at the end of a group. False: no memory. */
bool tacGroupPut(tacGroups *groups, uint32_t group, uint32_t place);
void tacGroupTake(tacGroups *groups, uint32_t place);
static inline uint32_t tacGroupFirst(const tacGroups *groups, uint32_t group) { return groups->all.at[group].first; }
static inline uint32_t tacGroupNext(const tacGroups *groups, uint32_t place) { return groups->links.at[place].after; }
/* The group of a place; TAC_NONE: it is in none. */
static inline uint32_t tacGroupAt(const tacGroups *groups, uint32_t place) {
    return place < groups->links.count ? groups->links.at[place].group : TAC_NONE;
}

#endif
