/*
 * timelineArrangement.c -- the user's arrangement of the rows of a timeline, as one plain Tcl value.
 *
 * An arrangement is a dict: order, a list of all keys; and where there are such, hidden and pinned, lists of keys;
 * heights, a dict of key and factor; groups, a dict of name and dict with rows (keys) and folded; folds, a dict
 * of name and boolean, of groups by themselves that the user folded or unfolded. It can be set before
 * there is a trace, and its entries for rows that the trace does not have are kept.
 *
 *      get    rows of the trace, and kept ones -> five values -> a dict
 *      set    a dict -> a plan, checked as a whole -> the window's rows
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/number.h"
#include "tcl/dictValue.h"
#include "tk/timelineState.h"

#include <string.h>

/* ---- the arrangement as a value --------------------------------------------------------------------------------- */

/* The arrangement of one row, which is present or kept. */
typedef struct Arranged {
    uint32_t key, group; /* ids in the window's keys; group TAC_NONE: in none */
    bool hidden, pinned;
    double factor;
} Arranged;

typedef struct Value {
    Tcl_Obj *order, *hidden, *pinned, *heights, *groups;
} Value;

/* Adds a key to a group of an arrangement. */
static void addMember(Tcl_Obj *groups, Tcl_Obj *name, Tcl_Obj *key, bool folded) {
    Tcl_Obj *group = NULL;
    Tcl_DictObjGet(NULL, groups, name, &group);
    group = group ? Tcl_DuplicateObj(group) : Tcl_NewDictObj();
    Tcl_Obj *rows = tacDictValue(group, "rows");
    rows = rows ? Tcl_DuplicateObj(rows) : Tcl_NewListObj(0, NULL);
    tacAppend(rows, key);
    tacPut(group, "rows", rows);
    tacPutFlag(group, "folded", folded);
    Tcl_DictObjPut(NULL, groups, name, group);
}

/* Adds a row to the five values. */
static void addArranged(const tacTimeline *t, const Arranged *row, Value *value) {
    Tcl_Obj *key = tacTimelineKeyObj(t, row->key);
    tacAppend(value->order, key);
    if (row->hidden) tacAppend(value->hidden, key);
    if (row->pinned) tacAppend(value->pinned, key);
    if (row->factor != 1) {
        char text[TAC_DECIMAL_SIZE];
        Tcl_DictObjPut(
            NULL, value->heights, key, Tcl_NewStringObj(text, (int) tacNumberShort(row->factor, false, text)));
    }
    if (row->group == TAC_NONE) return;
    size_t length;
    const char *name = tacInternName(&t->rows.keys, row->group, &length);
    uint32_t group = tacWindowGroupOf(&t->rows, name, length);
    addMember(
        value->groups, tacTimelineKeyObj(t, row->group), key, group != TAC_NONE && t->rows.groups.at[group].folded);
}

/* Puts a value, or frees it when it is empty. */
static void putUnlessEmpty(Tcl_Obj *dict, const char *key, Tcl_Obj *value) {
    if (*Tcl_GetString(value)) tacPut(dict, key, value);
    else Tcl_DecrRefCount(value);
}

static Tcl_Obj *arrangement(tacTimeline *t) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    if (!tacWindowArranged(&t->rows)) return dict;
    Value value = {
        Tcl_NewListObj(0, NULL), Tcl_NewListObj(0, NULL), Tcl_NewListObj(0, NULL), Tcl_NewDictObj(), Tcl_NewDictObj()};
    for (size_t i = 0; i < t->rows.order.count; i++) {
        const tacWindowRow *row = &t->rows.order.at[i];
        bool own = row->group != TAC_NONE && !t->rows.groups.at[row->group].byItself;
        uint32_t group = own ? t->rows.groups.at[row->group].name : TAC_NONE;
        uint32_t key = tacWindowKey(&t->rows, row);
        if (key != TAC_NONE) addArranged(t, &(Arranged){key, group, row->hidden, row->pinned, row->factor}, &value);
    }
    for (size_t i = 0; i < t->rows.kept.count; i++) {
        const tacKeptRow *row = &t->rows.kept.at[i];
        addArranged(t, &(Arranged){row->key, row->group, row->hidden, row->pinned, row->factor}, &value);
    }
    Tcl_Obj *folds = Tcl_NewDictObj();
    for (size_t i = 0; i < t->rows.groups.count; i++) {
        const tacWindowGroup *group = &t->rows.groups.at[i];
        if (group->byItself && group->chosen)
            Tcl_DictObjPut(NULL, folds, tacTimelineKeyObj(t, group->name), Tcl_NewBooleanObj(group->folded));
    }
    tacPut(dict, "order", value.order);
    putUnlessEmpty(dict, "hidden", value.hidden);
    putUnlessEmpty(dict, "pinned", value.pinned);
    putUnlessEmpty(dict, "heights", value.heights);
    putUnlessEmpty(dict, "groups", value.groups);
    putUnlessEmpty(dict, "folds", folds);
    return dict;
}

/* ---- an arrangement that is set --------------------------------------------------------------------------------- */

enum { NO_FLAG = 0 }; /* an offset in Said that is that of no flag: the key lies there */

typedef struct Said {     /* the arrangement of one key, as the value says it */
    Tcl_Obj *key, *group; /* group NULL: none */
    bool hidden, pinned;
    double factor;
} Said;

typedef struct Fold { /* a group that is folded, or not */
    Tcl_Obj *name;
    bool folded;
} Fold;

typedef struct Plan { /* all that a value says; it is read and checked before anything is changed */
    tacTimeline *t;
    Tcl_HashTable places; /* key text -> place in rows, plus one */
    TAC_ARRAY(Said) rows;
    TAC_ARRAY(Fold) folds; /* of groups */
} Plan;

/* The entry of a key in the plan, made when the key is met first; NULL: no memory. */
static Said *saidOf(Plan *plan, Tcl_Obj *key) {
    int isNew;
    Tcl_HashEntry *entry = Tcl_CreateHashEntry(&plan->places, Tcl_GetString(key), &isNew);
    if (isNew) {
        if (!tacArrayPush(&plan->rows, (Said){.key = key, .factor = 1})) {
            Tcl_DeleteHashEntry(entry);
            tacTclMemory(plan->t->widget.interp);
            return NULL;
        }
        Tcl_IncrRefCount(key);
        Tcl_SetHashValue(entry, (void *) (uintptr_t) plan->rows.count);
    }
    return &plan->rows.at[(uintptr_t) Tcl_GetHashValue(entry) - 1];
}

/* Takes a list of keys, which get the flag at this offset in Said, if any. */
static int sayList(Plan *plan, Tcl_Obj *list, size_t flag) {
    Tcl_Size count;
    Tcl_Obj **keys;
    if (Tcl_ListObjGetElements(plan->t->widget.interp, list, &count, &keys) != TCL_OK) return TCL_ERROR;
    for (Tcl_Size i = 0; i < count; i++) {
        Said *said = saidOf(plan, keys[i]);
        if (!said) return TCL_ERROR;
        if (flag != NO_FLAG) *(bool *) ((char *) said + flag) = true;
    }
    return TCL_OK;
}

/* Calls for each pair of a dict until one fails. */
static int eachPair(Plan *plan, Tcl_Obj *dict, int (*call)(Plan *plan, Tcl_Obj *key, Tcl_Obj *value)) {
    Tcl_DictSearch search;
    Tcl_Obj *key, *value;
    int done, status = TCL_OK;
    if (Tcl_DictObjFirst(plan->t->widget.interp, dict, &search, &key, &value, &done) != TCL_OK) return TCL_ERROR;
    for (; !done && status == TCL_OK; Tcl_DictObjNext(&search, &key, &value, &done)) status = call(plan, key, value);
    Tcl_DictObjDone(&search);
    return status;
}

/* Takes a pair of `heights`. */
static int sayHeight(Plan *plan, Tcl_Obj *key, Tcl_Obj *value) {
    double factor;
    if (tacTimelineFactor(plan->t->widget.interp, value, &factor) != TCL_OK) return TCL_ERROR;
    Said *said = saidOf(plan, key);
    if (!said) return TCL_ERROR;
    said->factor = factor;
    return TCL_OK;
}

static int sayFolded(Plan *plan, Tcl_Obj *name, bool folded) {
    if (!tacArrayPush(&plan->folds, ((Fold){name, folded}))) return tacTclMemory(plan->t->widget.interp);
    Tcl_IncrRefCount(name);
    return TCL_OK;
}

/* Takes a pair of `groups`. */
static int sayGroup(Plan *plan, Tcl_Obj *name, Tcl_Obj *group) {
    Tcl_Interp *interp = plan->t->widget.interp;
    Tcl_Size size, count = 0;
    Tcl_Obj **keys = NULL;
    int fold = 0;
    if (Tcl_DictObjSize(interp, group, &size) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *rows = tacDictValue(group, "rows"), *folded = tacDictValue(group, "folded");
    if ((rows && Tcl_ListObjGetElements(interp, rows, &count, &keys) != TCL_OK)
        || (folded && Tcl_GetBooleanFromObj(interp, folded, &fold) != TCL_OK))
        return TCL_ERROR;
    for (Tcl_Size i = 0; i < count; i++) {
        Said *said = saidOf(plan, keys[i]);
        if (!said) return TCL_ERROR;
        Tcl_IncrRefCount(name);
        if (said->group) Tcl_DecrRefCount(said->group); /* a row of two groups belongs to the later one */
        said->group = name;
    }
    if (!fold) return TCL_OK;
    return sayFolded(plan, name, true);
}

/* Takes a pair of `folds`. */
static int sayFold(Plan *plan, Tcl_Obj *name, Tcl_Obj *folded) {
    int fold;
    if (Tcl_GetBooleanFromObj(plan->t->widget.interp, folded, &fold) != TCL_OK) return TCL_ERROR;
    return sayFolded(plan, name, fold != 0);
}

/* The parts of an arrangement: lists of keys, which give rows a flag, or dicts. The order comes first: it places rows.
 */
static const struct Part {
    const char *name;
    size_t flag;
    int (*say)(Plan *plan, Tcl_Obj *key, Tcl_Obj *value); /* a pair of a dict; NULL: it is a list */
} parts[] = {
    {"order", NO_FLAG, NULL},
    {"groups", NO_FLAG, sayGroup},
    {"heights", NO_FLAG, sayHeight},
    {"folds", NO_FLAG, sayFold},
    {"hidden", offsetof(Said, hidden), NULL},
    {"pinned", offsetof(Said, pinned), NULL},
    {NULL, NO_FLAG, NULL},
};

/* Checks that a key of an arrangement is one of the parts. */
static int checkPart(Plan *plan, Tcl_Obj *key, Tcl_Obj *value) {
    int index;
    (void) value;
    return Tcl_GetIndexFromObjStruct(
        plan->t->widget.interp, key, parts, sizeof *parts, "part of an arrangement", TCL_EXACT, &index);
}

/* Reads and checks an arrangement. */
static int readPlan(Plan *plan, Tcl_Obj *dict) {
    if (eachPair(plan, dict, checkPart) != TCL_OK) return TCL_ERROR;
    for (const struct Part *part = parts; part->name; part++) {
        Tcl_Obj *value = tacDictValue(dict, part->name);
        if (!value) continue;
        if ((part->say ? eachPair(plan, value, part->say) : sayList(plan, value, part->flag)) != TCL_OK)
            return TCL_ERROR;
    }
    return TCL_OK;
}

/* Arranges the rows as the plan says. False: no memory. */
static bool carryOut(const Plan *plan) {
    tacWindow *window = &plan->t->rows;
    bool fine = true;
    tacWindowReset(window);
    for (size_t i = 0; i < plan->rows.count && fine; i++) {
        const Said *said = &plan->rows.at[i];
        Tcl_Size length, groupLength = 0;
        const char *key = Tcl_GetStringFromObj(said->key, &length),
                   *group = said->group ? Tcl_GetStringFromObj(said->group, &groupLength) : NULL;
        fine = tacWindowKeep(window, key, (size_t) length, said->hidden, said->pinned, (float) said->factor, group,
            (size_t) groupLength);
    }
    if (window->trace) fine = fine && tacWindowRestore(window);
    for (size_t i = 0; i < plan->folds.count && fine; i++) {
        Tcl_Size length;
        const char *name = Tcl_GetStringFromObj(plan->folds.at[i].name, &length);
        fine = tacWindowFold(window, name, (size_t) length, plan->folds.at[i].folded);
    }
    return fine;
}

static void freePlan(Plan *plan) {
    for (size_t i = 0; i < plan->rows.count; i++) {
        Tcl_DecrRefCount(plan->rows.at[i].key);
        if (plan->rows.at[i].group) Tcl_DecrRefCount(plan->rows.at[i].group);
    }
    for (size_t i = 0; i < plan->folds.count; i++) Tcl_DecrRefCount(plan->folds.at[i].name);
    Tcl_DeleteHashTable(&plan->places);
    tacArrayFree(&plan->rows);
    tacArrayFree(&plan->folds);
}

int tacArrangementSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    if (t->trace && tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    if (objc == 3) {
        Tcl_SetObjResult(interp, arrangement(t));
        return TCL_OK;
    }
    Plan plan = {.t = t};
    Tcl_InitHashTable(&plan.places, TCL_STRING_KEYS);
    int status = readPlan(&plan, objv[3]);
    if (status == TCL_OK && !carryOut(&plan)) status = tacTclMemory(t->widget.interp);
    freePlan(&plan);
    return status == TCL_OK ? tacTimelineArranged(t) : TCL_ERROR;
}
