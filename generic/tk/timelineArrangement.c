/*
 * timelineArrangement.c -- the user's arrangement of the rows of a timeline, as one plain Tcl value.
 *
 * An arrangement is a dict of what there is of: order, a list of all keys; hidden and pinned, lists of keys;
 * heights, a dict of key and factor; groups, a dict of name and dict with rows (keys) and folded; folds, a dict
 * of name and boolean, of groups by themselves that the user folded or unfolded. It can be set before
 * there is a trace, and its entries for rows that the trace does not have are kept. Rows are arranged at idle time
 * (timelineFrame.c).
 *
 *      get    rows of the trace, and kept ones -> lists and groups -> a dict
 *      set    a dict -> a plan, checked as a whole -> kept rows of the window
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/number.h"
#include "tcl/dictValue.h"
#include "tk/timelineState.h"
#include "trace/quote.h"

#include <string.h>

/* ---- the arrangement as a value --------------------------------------------------------------------------------- */

/* Of very many rows lists are made as texts, which takes much less time than an object for each key. */

typedef struct Group { /* one of the user */
    uint32_t name;     /* id in the window's keys */
    bool folded;
    tacText rows; /* list of keys */
} Group;

typedef struct Value {
    const tacTimeline *t;
    tacText order, hidden, pinned, heights; /* lists of keys; of keys and factors */
    TAC_ARRAY(Group) groups;
    tacText key; /* of a row */
    bool failed; /* no memory */
} Value;

/* The group of this name, made if it is new; NULL: no memory. */
static Group *groupOf(Value *value, uint32_t name) {
    for (size_t i = value->groups.count; i-- > 0;) /* often the last one */
        if (value->groups.at[i].name == name) return &value->groups.at[i];
    size_t length;
    const char *text = tacInternName(&value->t->rows.keys, name, &length);
    uint32_t group = tacWindowGroupOf(&value->t->rows, text, length);
    bool folded = group != TAC_NONE && value->t->rows.groups.at[group].folded;
    if (!tacArrayPush(&value->groups, (Group){.name = name, .folded = folded})) return NULL;
    return &value->groups.at[value->groups.count - 1];
}

/* Adds a row, which is present or kept. */
static void addRow(Value *value, const char *key, const tacKeptRow *row) {
    if (tacWindowMoved(&value->t->rows)) tacQuoteElement(&value->order, key);
    if (row->hidden) tacQuoteElement(&value->hidden, key);
    if (row->pinned) tacQuoteElement(&value->pinned, key);
    if (row->factor != 1) {
        char text[TAC_DECIMAL_SIZE];
        tacNumberShort(row->factor, false, text);
        tacQuoteElement(&value->heights, key);
        tacQuoteElement(&value->heights, text);
    }
    Group *group = row->group == TAC_NONE ? NULL : groupOf(value, row->group);
    if (group) tacQuoteElement(&group->rows, key);
    value->failed |= row->group != TAC_NONE && !group;
}

/* Adds the rows of the trace that are not as it has them by itself: all, where the order is the user's. */
static void addRows(tacTimeline *t, Value *value) {
    bool moved = tacWindowMoved(&t->rows);
    for (size_t i = 0; i < t->rows.order.count && !value->failed; i++) {
        const tacWindowRow *row = &t->rows.order.at[i];
        uint32_t own = tacWindowOwnGroup(&t->rows, row);
        if (!moved && !row->hidden && !row->pinned && row->factor == 1 && own == TAC_NONE) continue;
        uint32_t name = own == TAC_NONE ? TAC_NONE : t->rows.groups.at[own].name;
        tacWindowKeyText(&t->rows, row, &value->key);
        value->failed |= value->key.failed;
        if (!value->failed)
            addRow(value, value->key.at, &(tacKeptRow){row->key, name, row->hidden, row->pinned, row->factor});
    }
    for (size_t i = 0; i < t->rows.kept.count; i++)
        addRow(value, tacInternName(&t->rows.keys, t->rows.kept.at[i].key, NULL), &t->rows.kept.at[i]);
}

static void putList(Tcl_Obj *dict, const char *key, Value *value, const tacText *list) {
    value->failed |= list->failed;
    if (list->length) tacPut(dict, key, Tcl_NewStringObj(list->at, (Tcl_Size) list->length));
}

static void putGroups(Tcl_Obj *dict, Value *value) {
    Tcl_Obj *groups = Tcl_NewDictObj();
    for (size_t i = 0; i < value->groups.count; i++) {
        Tcl_Obj *group = Tcl_NewDictObj();
        putList(group, "rows", value, &value->groups.at[i].rows);
        tacPutFlag(group, "folded", value->groups.at[i].folded);
        Tcl_DictObjPut(NULL, groups, tacTimelineKeyObj(value->t, value->groups.at[i].name), group);
    }
    if (value->groups.count) tacPut(dict, "groups", groups);
    else Tcl_DecrRefCount(groups);
}

/* Puts the groups by themselves that the user folded or unfolded. */
static void putFolds(const tacTimeline *t, Tcl_Obj *dict) {
    Tcl_Obj *folds = Tcl_NewDictObj();
    Tcl_Size count = 0;
    for (size_t i = 0; i < t->rows.groups.count; i++) {
        const tacWindowGroup *group = &t->rows.groups.at[i];
        if (!group->byItself || !group->chosen) continue;
        Tcl_DictObjPut(NULL, folds, tacTimelineKeyObj(t, group->name), Tcl_NewBooleanObj(group->folded));
        count++;
    }
    if (count) tacPut(dict, "folds", folds);
    else Tcl_DecrRefCount(folds);
}

static void freeValue(Value *value) {
    for (size_t i = 0; i < value->groups.count; i++) tacTextFree(&value->groups.at[i].rows);
    tacArrayFree(&value->groups);
    tacTextFree(&value->key);
    tacTextFree(&value->order);
    tacTextFree(&value->hidden);
    tacTextFree(&value->pinned);
    tacTextFree(&value->heights);
}

/* Leaves the arrangement in the interpreter. */
static int tell(tacTimeline *t) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    Value value = {.t = t};
    addRows(t, &value);
    putList(dict, "order", &value, &value.order);
    putList(dict, "hidden", &value, &value.hidden);
    putList(dict, "pinned", &value, &value.pinned);
    putList(dict, "heights", &value, &value.heights);
    putGroups(dict, &value);
    putFolds(t, dict);
    freeValue(&value);
    if (!value.failed) {
        Tcl_SetObjResult(t->widget.interp, dict);
        return TCL_OK;
    }
    Tcl_DecrRefCount(dict);
    return tacTclMemory(t->widget.interp);
}

/* ---- an arrangement that is set --------------------------------------------------------------------------------- */

enum { NO_FLAG = 0 }; /* an offset in tacKeptRow that is that of no flag: the key lies there */

typedef struct Fold { /* a group that is folded, or not */
    Tcl_Obj *name;
    bool folded;
} Fold;

typedef struct Plan { /* all that a value says; it is read and checked before anything is changed */
    tacTimeline *t;
    TAC_ARRAY(uint32_t) places; /* by id of a key in the window's: its place in rows, plus one; 0: none */
    TAC_ARRAY(tacKeptRow) rows;
    TAC_ARRAY(Fold) folds; /* of groups */
} Plan;

/* The entry of a key in the plan, made when the key is met first; NULL: no memory, and the error is set. */
static tacKeptRow *rowOf(Plan *plan, const char *key, size_t length) {
    uint32_t id = tacIntern(&plan->t->rows.keys, key, length);
    bool ok = id != TAC_NONE;
    while (ok && plan->places.count <= id) ok = tacArrayPush(&plan->places, 0);
    if (ok && !plan->places.at[id]) {
        ok = tacArrayPush(&plan->rows, (tacKeptRow){.key = id, .group = TAC_NONE, .factor = 1});
        plan->places.at[id] = (uint32_t) plan->rows.count;
    }
    if (ok) return &plan->rows.at[plan->places.at[id] - 1];
    tacTclMemory(plan->t->widget.interp);
    return NULL;
}

/* Takes a list of keys, which get the flag at this offset in tacKeptRow, if any, and the group, if any. The list is not
 * made one of objects: there may be very many. */
static int sayList(Plan *plan, Tcl_Obj *list, size_t flag, uint32_t group) {
    int count;
    const char **keys;
    if (Tcl_SplitList(plan->t->widget.interp, Tcl_GetString(list), &count, &keys) != TCL_OK) return TCL_ERROR;
    tacKeptRow *row = NULL;
    bool room = plan->rows.count || tacArrayReserve(&plan->rows, (size_t) count);
    for (int i = 0; i < count && room; i++) {
        row = rowOf(plan, keys[i], strlen(keys[i]));
        if (!row) break;
        if (flag != NO_FLAG) *(bool *) ((char *) row + flag) = true;
        if (group != TAC_NONE) row->group = group; /* a row of two groups belongs to the later one */
    }
    Tcl_Free((char *) keys);
    if (!room) return tacTclMemory(plan->t->widget.interp);
    return row || !count ? TCL_OK : TCL_ERROR;
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
    Tcl_Size length;
    if (tacTimelineFactor(plan->t->widget.interp, value, &factor) != TCL_OK) return TCL_ERROR;
    const char *text = Tcl_GetStringFromObj(key, &length);
    tacKeptRow *row = rowOf(plan, text, (size_t) length);
    if (!row) return TCL_ERROR;
    row->factor = (float) factor;
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
    Tcl_Size size, length;
    int fold = 0;
    if (Tcl_DictObjSize(interp, group, &size) != TCL_OK) return TCL_ERROR;
    const char *text = Tcl_GetStringFromObj(name, &length);
    Tcl_Obj *rows = tacDictValue(group, "rows"), *folded = tacDictValue(group, "folded");
    uint32_t id = tacIntern(&plan->t->rows.keys, text, (size_t) length);
    if (id == TAC_NONE) return tacTclMemory(interp);
    if ((rows && sayList(plan, rows, NO_FLAG, id) != TCL_OK)
        || (folded && Tcl_GetBooleanFromObj(interp, folded, &fold) != TCL_OK))
        return TCL_ERROR;
    return fold ? sayFolded(plan, name, true) : TCL_OK;
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
    {"hidden", offsetof(tacKeptRow, hidden), NULL},
    {"pinned", offsetof(tacKeptRow, pinned), NULL},
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
    size_t keys = tacInternCount(&plan->t->rows.keys);
    if (!tacArrayReserve(&plan->places, keys)) return tacTclMemory(plan->t->widget.interp);
    if (keys) memset(plan->places.at, 0, keys * sizeof *plan->places.at);
    plan->places.count = keys;
    if (eachPair(plan, dict, checkPart) != TCL_OK) return TCL_ERROR;
    for (const struct Part *part = parts; part->name; part++) {
        Tcl_Obj *value = tacDictValue(dict, part->name);
        if (!value) continue;
        if ((part->say ? eachPair(plan, value, part->say) : sayList(plan, value, part->flag, TAC_NONE)) != TCL_OK)
            return TCL_ERROR;
    }
    return TCL_OK;
}

/* Has the rows arranged as the plan says, whose rows it takes. False: no memory. */
static bool carryOut(Plan *plan, bool ordered) {
    tacWindow *window = &plan->t->rows;
    bool fine = tacWindowKeep(window, plan->rows.at, plan->rows.count, ordered);
    memset(&plan->rows, 0, sizeof plan->rows);
    for (size_t i = 0; i < plan->folds.count && fine; i++) {
        Tcl_Size length;
        const char *name = Tcl_GetStringFromObj(plan->folds.at[i].name, &length);
        fine = tacWindowFold(window, name, (size_t) length, plan->folds.at[i].folded);
    }
    return fine;
}

static void freePlan(Plan *plan) {
    for (size_t i = 0; i < plan->folds.count; i++) Tcl_DecrRefCount(plan->folds.at[i].name);
    tacArrayFree(&plan->places);
    tacArrayFree(&plan->rows);
    tacArrayFree(&plan->folds);
}

int tacArrangementSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    if (objc == 3) {
        if (t->trace && tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
        return tell(t);
    }
    Plan plan = {.t = t};
    int status = readPlan(&plan, objv[3]);
    if (status == TCL_OK && !carryOut(&plan, tacDictValue(objv[3], "order") != NULL)) status = tacTclMemory(interp);
    freePlan(&plan);
    if (status != TCL_OK) return TCL_ERROR;
    tacTimelineStale(t, TAC_STALE_ORDER);
    return tacTimelineArranged(t);
}
