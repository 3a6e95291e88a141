/*
 * timelineRows.c -- the rows of a timeline and how the user arranged them (view/window.h), as subcommands and as one
 * plain Tcl value.
 *
 * An arrangement is a dict: order, a list of all keys; and where there are such, hidden and pinned, lists of keys;
 * heights, a dict of key and factor; groups, a dict of name and dict with rows (keys) and folded. It can be set before
 * there is a trace, and keeps what it says of rows that are not there.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tk/timelineState.h"

#include <math.h>
#include <string.h>

static const double leastFactor = 0.2, mostFactor = 20; /* of a row's height */

/* ---- rows ------------------------------------------------------------------------------------------------------- */

void tacTimelineFilter(tacTimeline *t) {
    if (t->trace && t->stale < TAC_STALE_ROWS) tacWindowFilter(&t->rows, t->options.filter);
}

static Tcl_Obj *keyText(const tacTimeline *t, uint32_t key) {
    size_t length;
    const char *text = tacInternName(&t->rows.keys, key, &length);
    return Tcl_NewStringObj(text, (Tcl_Size) length);
}

Tcl_Obj *tacTimelineRowKey(const tacTimeline *t, const tacWindowRow *row) { return keyText(t, row->key); }

tacWindowRow *tacTimelineRow(tacTimeline *t, Tcl_Obj *key) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(key, &length);
    tacWindowRow *row = tacWindowRowOf(&t->rows, text, (size_t) length);
    if (!row) tacTclFail(t->widget.interp, "WIDGET ROW", "there is no row \"%.150s\"", text);
    return row;
}

/* Rows were arranged anew: they are placed, and the news told. */
static int arranged(tacTimeline *t) {
    tacTimelineStale(t, TAC_STALE_PLACES);
    tacTimelineNews(t, TAC_NEWS_ROWS | TAC_NEWS_YSCROLL);
    return TCL_OK;
}

static Tcl_Obj *describeRow(const tacTimeline *t, const tacWindowRow *row) {
    const tacModel *model = &t->trace->model;
    const tacFigureRow *drawn = &t->rows.rows.rows.at[row->row];
    const tacWindowGroup *group = row->group == TAC_NONE ? NULL : &t->rows.groups.at[row->group];
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "key", tacTimelineRowKey(t, row));
    tacPut(dict, "kind", Tcl_NewStringObj(tacFigureRowKinds[drawn->kind], -1));
    tacPut(dict, "id", Tcl_NewStringObj(tacFigureRowId(model, drawn), -1));
    tacPut(dict, "name", Tcl_NewStringObj(tacFigureRowName(model, drawn), -1));
    bool panel = drawn->kind == TAC_FIGURE_ROW_TASK && drawn->processor != TAC_NO_PROCESSOR;
    tacPut(dict, "processor", Tcl_NewStringObj(panel ? tacProcessorId(model, drawn->processor) : "", -1));
    tacPut(dict, "group", group ? keyText(t, group->name) : Tcl_NewObj());
    tacPut(dict, "hidden", Tcl_NewBooleanObj(row->hidden));
    tacPut(dict, "pinned", Tcl_NewBooleanObj(row->pinned));
    tacPut(dict, "filtered", Tcl_NewBooleanObj(row->filtered));
    tacPut(dict, "folded", Tcl_NewBooleanObj(group && group->folded));
    tacPut(dict, "height", Tcl_NewDoubleObj(row->factor));
    tacPut(dict, "top", Tcl_NewIntObj((int) lround(row->top * t->scaling)));
    tacPut(dict, "bottom", Tcl_NewIntObj((int) lround(row->bottom * t->scaling)));
    return dict;
}

int tacRowsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) objc, (void) objv;
    if (!t->trace) return TCL_OK;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < t->rows.order.count; i++)
        Tcl_ListObjAppendElement(NULL, list, describeRow(t, &t->rows.order.at[i]));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* ---- hiding, pinning, heights ----------------------------------------------------------------------------------- */

/* Sets a flag, which lies at this offset in a tacWindowRow, of rows; if a key is unknown, of none. */
static int setFlag(tacTimeline *t, int objc, Tcl_Obj *const objv[], size_t flag, bool value) {
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    for (int i = 3; i < objc; i++)
        if (!tacTimelineRow(t, objv[i])) return TCL_ERROR;
    for (int i = 3; i < objc; i++) *(bool *) ((char *) tacTimelineRow(t, objv[i]) + flag) = value;
    return arranged(t);
}

static int rowHide(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return setFlag(data, objc, objv, offsetof(tacWindowRow, hidden), true);
}

static int rowShow(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return setFlag(data, objc, objv, offsetof(tacWindowRow, hidden), false);
}

static int rowPin(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return setFlag(data, objc, objv, offsetof(tacWindowRow, pinned), true);
}

static int rowUnpin(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return setFlag(data, objc, objv, offsetof(tacWindowRow, pinned), false);
}

static int getFactor(Tcl_Interp *interp, Tcl_Obj *word, double *factor) {
    if (Tcl_GetDoubleFromObj(interp, word, factor) != TCL_OK) return TCL_ERROR;
    if (!(*factor > 0 && isfinite(*factor)))
        return tacTclFail(
            interp, "WIDGET HEIGHT", "bad height \"%.50s\": must be a factor above 0", Tcl_GetString(word));
    *factor = *factor < leastFactor ? leastFactor : *factor > mostFactor ? mostFactor : *factor;
    return TCL_OK;
}

static int rowHeight(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    double factor;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    tacWindowRow *row = tacTimelineRow(t, objv[3]);
    if (!row || (objc == 5 && getFactor(interp, objv[4], &factor) != TCL_OK)) return TCL_ERROR;
    if (objc == 4) {
        Tcl_SetObjResult(interp, Tcl_NewDoubleObj(row->factor));
        return TCL_OK;
    }
    row->factor = (float) factor;
    return arranged(t);
}

/* Scales the heights of all rows, also of those that are not seen now. */
static int rowScale(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    double factor;
    (void) objc;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK || getFactor(interp, objv[3], &factor) != TCL_OK)
        return TCL_ERROR;
    for (size_t i = 0; i < t->rows.order.count; i++) {
        tacWindowRow *row = &t->rows.order.at[i];
        row->factor = (float) fmax(leastFactor, fmin(mostFactor, row->factor * factor));
    }
    return arranged(t);
}

/* ---- order and groups ------------------------------------------------------------------------------------------- */

static uint32_t placeOf(const tacTimeline *t, const tacWindowRow *row) { return (uint32_t) (row - t->rows.order.at); }

static int rowMove(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) interp, (void) objc;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    bool end = strcmp(Tcl_GetString(objv[4]), "end") == 0;
    const tacWindowRow *row = tacTimelineRow(t, objv[3]), *before = end || !row ? NULL : tacTimelineRow(t, objv[4]);
    if (!row || (!end && !before)) return TCL_ERROR;
    if (!tacWindowMove(&t->rows, placeOf(t, row), end ? (uint32_t) t->rows.order.count : placeOf(t, before)))
        return tacTimelineMemory(t);
    return arranged(t);
}

/* The places of rows, for the caller to free; NULL with the error in the interpreter. */
static uint32_t *placesOf(tacTimeline *t, Tcl_Size count, Tcl_Obj *const keys[]) {
    uint32_t *places = tacAllocZero((size_t) count + 1, sizeof *places);
    if (!places) tacTimelineMemory(t);
    for (Tcl_Size i = 0; places && i < count; i++) {
        const tacWindowRow *row = tacTimelineRow(t, keys[i]);
        if (row) places[i] = placeOf(t, row);
        else tacFree(places), places = NULL;
    }
    return places;
}

static int rowGroup(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    Tcl_Size count, length;
    Tcl_Obj **keys;
    (void) objc;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK
        || Tcl_ListObjGetElements(interp, objv[4], &count, &keys) != TCL_OK)
        return TCL_ERROR;
    const char *name = Tcl_GetStringFromObj(objv[3], &length);
    if (!length) return tacTclFail(interp, "WIDGET GROUP", "a group needs a name");
    uint32_t *places = placesOf(t, count, keys);
    if (!places) return TCL_ERROR;
    bool made = tacWindowMakeGroup(&t->rows, name, (size_t) length, places, (size_t) count);
    tacFree(places);
    if (made) return arranged(t);
    return count ? tacTimelineMemory(t) : tacTclFail(interp, "WIDGET GROUP", "there is no group \"%.100s\"", name);
}

static int rowFold(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    Tcl_Size length;
    int folded;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    const char *name = Tcl_GetStringFromObj(objv[3], &length);
    uint32_t index = tacWindowGroupOf(&t->rows, name, (size_t) length);
    if (index == TAC_NONE) return tacTclFail(interp, "WIDGET GROUP", "there is no group \"%.100s\"", name);
    tacWindowGroup *group = &t->rows.groups.at[index];
    folded = !group->folded;
    if (objc == 5 && Tcl_GetBooleanFromObj(interp, objv[4], &folded) != TCL_OK) return TCL_ERROR;
    group->folded = folded != 0;
    return arranged(t);
}

static int rowReset(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) interp, (void) objc, (void) objv;
    tacWindowReset(&t->rows);
    return arranged(t);
}

/* ---- the arrangement as a value --------------------------------------------------------------------------------- */

/* What an arrangement says of a row, which is present or kept. */
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
    Tcl_Obj *group = NULL, *rows = NULL, *word = Tcl_NewStringObj("rows", -1);
    Tcl_IncrRefCount(word);
    Tcl_DictObjGet(NULL, groups, name, &group);
    group = group ? Tcl_DuplicateObj(group) : Tcl_NewDictObj();
    Tcl_DictObjGet(NULL, group, word, &rows);
    rows = rows ? Tcl_DuplicateObj(rows) : Tcl_NewListObj(0, NULL);
    Tcl_ListObjAppendElement(NULL, rows, key);
    Tcl_DictObjPut(NULL, group, word, rows);
    tacPut(group, "folded", Tcl_NewBooleanObj(folded));
    Tcl_DictObjPut(NULL, groups, name, group);
    Tcl_DecrRefCount(word);
}

static void addArranged(const tacTimeline *t, const Arranged *row, Value *value) {
    Tcl_Obj *key = keyText(t, row->key);
    Tcl_ListObjAppendElement(NULL, value->order, key);
    if (row->hidden) Tcl_ListObjAppendElement(NULL, value->hidden, key);
    if (row->pinned) Tcl_ListObjAppendElement(NULL, value->pinned, key);
    if (row->factor != 1) Tcl_DictObjPut(NULL, value->heights, key, Tcl_ObjPrintf("%.6g", row->factor));
    if (row->group == TAC_NONE) return;
    size_t length;
    const char *name = tacInternName(&t->rows.keys, row->group, &length);
    uint32_t group = tacWindowGroupOf(&t->rows, name, length);
    addMember(value->groups, keyText(t, row->group), key, group != TAC_NONE && t->rows.groups.at[group].folded);
}

static void putUnlessEmpty(Tcl_Obj *dict, const char *key, Tcl_Obj *value) {
    if (*Tcl_GetString(value)) tacPut(dict, key, value);
    else Tcl_DecrRefCount(value);
}

static Tcl_Obj *arrangement(const tacTimeline *t) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    if (!tacWindowArranged(&t->rows)) return dict;
    Value value = {
        Tcl_NewListObj(0, NULL), Tcl_NewListObj(0, NULL), Tcl_NewListObj(0, NULL), Tcl_NewDictObj(), Tcl_NewDictObj()};
    for (size_t i = 0; i < t->rows.order.count; i++) {
        const tacWindowRow *row = &t->rows.order.at[i];
        uint32_t group = row->group == TAC_NONE ? TAC_NONE : t->rows.groups.at[row->group].name;
        addArranged(t, &(Arranged){row->key, group, row->hidden, row->pinned, row->factor}, &value);
    }
    for (size_t i = 0; i < t->rows.kept.count; i++) {
        const tacKeptRow *row = &t->rows.kept.at[i];
        addArranged(t, &(Arranged){row->key, row->group, row->hidden, row->pinned, row->factor}, &value);
    }
    tacPut(dict, "order", value.order);
    putUnlessEmpty(dict, "hidden", value.hidden);
    putUnlessEmpty(dict, "pinned", value.pinned);
    putUnlessEmpty(dict, "heights", value.heights);
    putUnlessEmpty(dict, "groups", value.groups);
    return dict;
}

/* ---- an arrangement that is set --------------------------------------------------------------------------------- */

/* What a value says of a key. All of the value is read and checked before anything is changed. */
enum { NO_FLAG = 0 }; /* offset of no flag: the key lies there */

typedef struct Said {
    Tcl_Obj *key, *group; /* group NULL: none */
    bool hidden, pinned;
    double factor;
} Said;

typedef struct Plan {
    tacTimeline *t;
    Tcl_HashTable places; /* key text -> place in rows, plus one */
    TAC_ARRAY(Said) rows;
    TAC_ARRAY(Tcl_Obj *) folded; /* names of groups */
} Plan;

/* What is said of a key, made when it is met; NULL: no memory. */
static Said *saidOf(Plan *plan, Tcl_Obj *key) {
    int isNew;
    Tcl_HashEntry *entry = Tcl_CreateHashEntry(&plan->places, Tcl_GetString(key), &isNew);
    if (isNew) {
        if (!tacArrayPush(&plan->rows, (Said){.key = key, .factor = 1})) {
            Tcl_DeleteHashEntry(entry);
            tacTimelineMemory(plan->t);
            return NULL;
        }
        Tcl_IncrRefCount(key);
        Tcl_SetHashValue(entry, (void *) (uintptr_t) plan->rows.count);
    }
    return &plan->rows.at[(uintptr_t) Tcl_GetHashValue(entry) - 1];
}

/* A list of keys, of which each gets the flag at this offset in Said, if any. */
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

static int sayHeight(Plan *plan, Tcl_Obj *key, Tcl_Obj *value) {
    double factor;
    if (getFactor(plan->t->widget.interp, value, &factor) != TCL_OK) return TCL_ERROR;
    Said *said = saidOf(plan, key);
    if (!said) return TCL_ERROR;
    said->factor = factor;
    return TCL_OK;
}

static Tcl_Obj *fieldOf(Tcl_Obj *dict, const char *name) {
    Tcl_Obj *word = Tcl_NewStringObj(name, -1), *value = NULL;
    Tcl_IncrRefCount(word);
    if (Tcl_DictObjGet(NULL, dict, word, &value) != TCL_OK) value = NULL;
    Tcl_DecrRefCount(word);
    return value;
}

static int sayGroup(Plan *plan, Tcl_Obj *name, Tcl_Obj *group) {
    Tcl_Interp *interp = plan->t->widget.interp;
    Tcl_Size size, count = 0;
    Tcl_Obj **keys = NULL;
    int fold = 0;
    if (Tcl_DictObjSize(interp, group, &size) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *rows = fieldOf(group, "rows"), *folded = fieldOf(group, "folded");
    if ((rows && Tcl_ListObjGetElements(interp, rows, &count, &keys) != TCL_OK)
        || (folded && Tcl_GetBooleanFromObj(interp, folded, &fold) != TCL_OK))
        return TCL_ERROR;
    for (Tcl_Size i = 0; i < count; i++) {
        Said *said = saidOf(plan, keys[i]);
        if (!said) return TCL_ERROR;
        Tcl_IncrRefCount(name);
        if (said->group) Tcl_DecrRefCount(said->group); /* of two groups that name a row the later one has it */
        said->group = name;
    }
    if (!fold) return TCL_OK;
    if (!tacArrayPush(&plan->folded, name)) return tacTimelineMemory(plan->t);
    Tcl_IncrRefCount(name);
    return TCL_OK;
}

/* The parts of an arrangement: lists of keys, with the flag that they give a row, or dicts. */
static const struct Part {
    const char *name;
    size_t flag;
    int (*say)(Plan *plan, Tcl_Obj *key, Tcl_Obj *value); /* a pair of a dict; NULL: it is a list */
} parts[] = {
    /* order first: it says where each row is */
    {"order", NO_FLAG, NULL},
    {"groups", NO_FLAG, sayGroup},
    {"heights", NO_FLAG, sayHeight},
    {"hidden", offsetof(Said, hidden), NULL},
    {"pinned", offsetof(Said, pinned), NULL},
    {NULL, NO_FLAG, NULL},
};

/* Is the key of an arrangement a part that there is? */
static int checkPart(Plan *plan, Tcl_Obj *key, Tcl_Obj *value) {
    int index;
    (void) value;
    return Tcl_GetIndexFromObjStruct(
        plan->t->widget.interp, key, parts, sizeof *parts, "part of an arrangement", TCL_EXACT, &index);
}

/* Reads and checks all that an arrangement says. */
static int readPlan(Plan *plan, Tcl_Obj *dict) {
    if (eachPair(plan, dict, checkPart) != TCL_OK) return TCL_ERROR;
    for (const struct Part *part = parts; part->name; part++) {
        Tcl_Obj *value = fieldOf(dict, part->name);
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
    for (size_t i = 0; i < plan->folded.count; i++) {
        Tcl_Size length;
        const char *name = Tcl_GetStringFromObj(plan->folded.at[i], &length);
        uint32_t group = tacWindowGroupOf(window, name, (size_t) length);
        if (group != TAC_NONE) window->groups.at[group].folded = true;
    }
    return fine;
}

static void freePlan(Plan *plan) {
    for (size_t i = 0; i < plan->rows.count; i++) {
        Tcl_DecrRefCount(plan->rows.at[i].key);
        if (plan->rows.at[i].group) Tcl_DecrRefCount(plan->rows.at[i].group);
    }
    for (size_t i = 0; i < plan->folded.count; i++) Tcl_DecrRefCount(plan->folded.at[i]);
    Tcl_DeleteHashTable(&plan->places);
    tacArrayFree(&plan->rows);
    tacArrayFree(&plan->folded);
}

static int rowArrangement(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    if (t->trace && tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    if (objc == 3) {
        Tcl_SetObjResult(interp, arrangement(t));
        return TCL_OK;
    }
    Plan plan = {.t = t};
    Tcl_InitHashTable(&plan.places, TCL_STRING_KEYS);
    int status = readPlan(&plan, objv[3]);
    if (status == TCL_OK && !carryOut(&plan)) status = tacTimelineMemory(t);
    freePlan(&plan);
    return status == TCL_OK ? arranged(t) : TCL_ERROR;
}

/* ---- one row and those beside it -------------------------------------------------------------------------------- */

static int rowInfo(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) objc;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    const tacWindowRow *row = tacTimelineRow(t, objv[3]);
    if (!row) return TCL_ERROR;
    Tcl_SetObjResult(interp, describeRow(t, row));
    return TCL_OK;
}

/* The row `steps` further down or up; from an empty key on it is the first one, or the last. */
static int rowBeside(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int steps;
    (void) objc;
    if (Tcl_GetIntFromObj(interp, objv[4], &steps) != TCL_OK || tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK)
        return TCL_ERROR;
    const tacWindowRow *row = *Tcl_GetString(objv[3]) ? tacTimelineRow(t, objv[3]) : NULL;
    if (!row && *Tcl_GetString(objv[3])) return TCL_ERROR;
    int64_t count = (int64_t) t->rows.order.count, way = steps < 0 ? -1 : 1,
            i = row ? placeOf(t, row)
        : way > 0   ? -1
                    : count;
    for (int64_t left = steps < 0 ? -(int64_t) steps : steps; left > 0;) {
        i += way;
        if (i < 0 || i >= count) return TCL_OK;
        const tacWindowRow *other = &t->rows.order.at[i];
        left -= !other->hidden && !other->filtered && other->bottom > other->top; /* it can be seen by scrolling */
    }
    if (i >= 0 && i < count) Tcl_SetObjResult(interp, tacTimelineRowKey(t, &t->rows.order.at[i]));
    return TCL_OK;
}

const tacSubcommand tacRowSubcommands[] = {
    {"arrangement", rowArrangement, 0, 1, "?dict?", "order, groups, heights, hidden and pinned rows; sets them"},
    {"beside", rowBeside, 2, 2, "key steps", "the row that is so many visible rows further down"},
    {"fold", rowFold, 1, 2, "name ?boolean?", "folds a group, or unfolds it"},
    {"group", rowGroup, 2, 2, "name keys", "puts rows into a group"},
    {"height", rowHeight, 1, 2, "key ?factor?", "height of a row as a factor; sets it"},
    {"hide", rowHide, 0, -1, "?key ...?", "hides rows"},
    {"info", rowInfo, 1, 1, "key", "facts about a row"},
    {"move", rowMove, 2, 2, "key before", "moves a row before another"},
    {"pin", rowPin, 0, -1, "?key ...?", "keeps rows at the top"},
    {"reset", rowReset, 0, 0, NULL, "the arrangement that the trace has by itself"},
    {"scale", rowScale, 1, 1, "factor", "heights of all rows"},
    {"show", rowShow, 0, -1, "?key ...?", "shows hidden rows"},
    {"unpin", rowUnpin, 0, -1, "?key ...?", "no longer keeps rows at the top"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacRowSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatchAt(data, interp, 2, "subcommand", objc, objv, tacRowSubcommands);
}
