/*
 * timelineRows.c -- the rows of a timeline as subcommands: facts about them; hiding, pinning, heights; order and
 * groups.
 *
 * view/window.h keeps what a user changes; timelineArrangement.c reads and writes it as one value.
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
    if (t->trace && t->stale < TAC_STALE_ORDER) tacWindowFilter(&t->rows, t->options.filter);
}

Tcl_Obj *tacTimelineKeyObj(const tacTimeline *t, uint32_t key) {
    size_t length;
    const char *text = tacInternName(&t->rows.keys, key, &length);
    return Tcl_NewStringObj(text, (Tcl_Size) length);
}

Tcl_Obj *tacTimelineRowKey(tacTimeline *t, const tacWindowRow *row) {
    uint32_t key = tacWindowKey(&t->rows, row);
    return key == TAC_NONE ? Tcl_NewObj() : tacTimelineKeyObj(t, key);
}

tacWindowRow *tacTimelineRow(tacTimeline *t, Tcl_Obj *key) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(key, &length);
    tacWindowRow *row = tacWindowRowOf(&t->rows, text, (size_t) length);
    if (!row) tacTclFail(t->widget.interp, "WIDGET ROW", "there is no row \"%.150s\"", text);
    return row;
}

int tacTimelineArranged(tacTimeline *t) {
    tacTimelineStale(t, TAC_STALE_PLACES);
    tacTimelineNews(t, TAC_NEWS_ROWS | TAC_NEWS_YSCROLL);
    return TCL_OK;
}

/* The facts about a row as a dict. */
static Tcl_Obj *describeRow(tacTimeline *t, const tacWindowRow *row) {
    const tacModel *model = &t->trace->model;
    const tacFigureRow *drawn = &t->rows.rows.rows.at[row->row];
    const tacWindowGroup *group = row->group == TAC_NONE ? NULL : &t->rows.groups.at[row->group],
                         *parent = group && group->parent != TAC_NONE ? &t->rows.groups.at[group->parent] : NULL;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "key", tacTimelineRowKey(t, row));
    tacPutText(dict, "kind", tacFigureRowKinds[drawn->kind]);
    tacPutText(dict, "id", tacFigureRowId(model, drawn));
    tacPutText(dict, "name", tacFigureRowName(model, drawn));
    bool panel = drawn->processor != TAC_NO_PROCESSOR;
    tacPutText(dict, "processor", panel ? tacProcessorId(model, drawn->processor) : "");
    tacPut(dict, "group", group ? tacTimelineKeyObj(t, group->name) : Tcl_NewObj());
    if (group && group->byItself) tacPutFlag(dict, "by_itself", true);
    if (parent) tacPut(dict, "parent", tacTimelineKeyObj(t, parent->name));
    tacPutFlag(dict, "hidden", row->hidden);
    tacPutFlag(dict, "pinned", row->pinned);
    tacPutFlag(dict, "filtered", row->filtered);
    if (row->empty) tacPutFlag(dict, "empty", true);
    tacPutFlag(dict, "folded", (group && group->folded) || (parent && parent->folded));
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
    for (size_t i = 0; i < t->rows.order.count; i++) tacAppend(list, describeRow(t, &t->rows.order.at[i]));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* Runs `keys ?KIND ID?`: of all rows in their order, or of those of one object. */
static int rowKeys(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    if (objc == 4) {
        Tcl_WrongNumArgs(interp, 3, objv, "?kind id?");
        return TCL_ERROR;
    }
    if (!t->trace) return TCL_OK;
    if (tacTimelineNeed(t, tacTimelineArrange) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < t->rows.order.count; i++) {
        const tacFigureRow *row = &t->rows.rows.rows.at[t->rows.order.at[i].row];
        if (objc == 3
            || (strcmp(tacFigureRowKinds[row->kind], Tcl_GetString(objv[3])) == 0
                && strcmp(tacFigureRowId(&t->trace->model, row), Tcl_GetString(objv[4])) == 0))
            tacAppend(list, tacTimelineRowKey(t, &t->rows.order.at[i]));
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* ---- hiding, pinning, heights ----------------------------------------------------------------------------------- */

/* Sets the flag at this offset in tacWindowRow for the rows of all keys; if a key is unknown, for none. */
static int setFlag(tacTimeline *t, int objc, Tcl_Obj *const objv[], size_t flag, bool value) {
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    for (int i = 3; i < objc; i++)
        if (!tacTimelineRow(t, objv[i])) return TCL_ERROR;
    for (int i = 3; i < objc; i++) *(bool *) ((char *) tacTimelineRow(t, objv[i]) + flag) = value;
    return tacTimelineArranged(t);
}

static int rowHide(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return setFlag(data, objc, objv, offsetof(tacWindowRow, hidden), true);
}

static int rowShow(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return setFlag(data, objc, objv, offsetof(tacWindowRow, hidden), false);
}

/* Runs `only ?KEY ...?`: hides all rows but these; without any, none. */
static int rowOnly(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) interp;
    if (tacTimelineNeed(t, tacTimelineArrange) != TCL_OK) return TCL_ERROR;
    for (int i = 3; i < objc; i++)
        if (!tacTimelineRow(t, objv[i])) return TCL_ERROR;
    for (size_t i = 0; i < t->rows.order.count; i++) t->rows.order.at[i].hidden = objc > 3;
    for (int i = 3; i < objc; i++) tacTimelineRow(t, objv[i])->hidden = false;
    return tacTimelineArranged(t);
}

static int rowPin(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return setFlag(data, objc, objv, offsetof(tacWindowRow, pinned), true);
}

static int rowUnpin(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp;
    return setFlag(data, objc, objv, offsetof(tacWindowRow, pinned), false);
}

int tacTimelineFactor(Tcl_Interp *interp, Tcl_Obj *word, double *factor) {
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
    if (!row || (objc == 5 && tacTimelineFactor(interp, objv[4], &factor) != TCL_OK)) return TCL_ERROR;
    if (objc == 4) {
        Tcl_SetObjResult(interp, Tcl_NewDoubleObj(row->factor));
        return TCL_OK;
    }
    row->factor = (float) factor;
    return tacTimelineArranged(t);
}

/* Scales the heights of all rows, hidden ones, too. */
static int rowScale(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    double factor;
    (void) objc;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK || tacTimelineFactor(interp, objv[3], &factor) != TCL_OK)
        return TCL_ERROR;
    for (size_t i = 0; i < t->rows.order.count; i++) {
        tacWindowRow *row = &t->rows.order.at[i];
        row->factor = (float) fmax(leastFactor, fmin(mostFactor, row->factor * factor));
    }
    return tacTimelineArranged(t);
}

/* ---- order and groups ------------------------------------------------------------------------------------------- */

/* Place of a row in the order. */
static uint32_t placeOf(const tacTimeline *t, const tacWindowRow *row) { return (uint32_t) (row - t->rows.order.at); }

static int rowMove(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) interp, (void) objc;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    bool end = strcmp(Tcl_GetString(objv[4]), "end") == 0;
    const tacWindowRow *row = tacTimelineRow(t, objv[3]), *before = end || !row ? NULL : tacTimelineRow(t, objv[4]);
    if (!row || (!end && !before)) return TCL_ERROR;
    if (!tacWindowMove(&t->rows, placeOf(t, row), end ? (uint32_t) t->rows.order.count : placeOf(t, before)))
        return tacTclMemory(t->widget.interp);
    return tacTimelineArranged(t);
}

/* Places of the rows of these keys, for the caller to free; NULL: the error is in the interpreter. */
static uint32_t *placesOf(tacTimeline *t, Tcl_Size count, Tcl_Obj *const keys[]) {
    uint32_t *places = tacAllocZero((size_t) count + 1, sizeof *places);
    if (!places) tacTclMemory(t->widget.interp);
    for (Tcl_Size i = 0; places && i < count; i++) {
        const tacWindowRow *row = tacTimelineRow(t, keys[i]);
        if (row) places[i] = placeOf(t, row);
        else tacFree(places), places = NULL;
    }
    return places;
}

/* The keys of the rows that the user has put into a group of this name. */
static Tcl_Obj *groupedKeys(tacTimeline *t, const char *name, size_t length) {
    Tcl_Obj *keys = Tcl_NewListObj(0, NULL);
    uint32_t group = tacWindowGroupOf(&t->rows, name, length);
    if (group == TAC_NONE || t->rows.groups.at[group].byItself) return keys;
    for (size_t i = 0; i < t->rows.order.count; i++)
        if (t->rows.order.at[i].group == group) tacAppend(keys, tacTimelineRowKey(t, &t->rows.order.at[i]));
    return keys;
}

/* Runs `group NAME ?KEYS?`. */
static int rowGroup(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    Tcl_Size count = 0, length;
    Tcl_Obj **keys = NULL;
    if (tacTimelineNeed(t, tacTimelineArrange) != TCL_OK
        || (objc > 4 && Tcl_ListObjGetElements(interp, objv[4], &count, &keys) != TCL_OK))
        return TCL_ERROR;
    const char *name = Tcl_GetStringFromObj(objv[3], &length);
    if (objc == 4) {
        Tcl_SetObjResult(interp, groupedKeys(t, name, (size_t) length));
        return TCL_OK;
    }
    if (!length) return tacTclFail(interp, "WIDGET GROUP", "a group needs a name");
    uint32_t *places = placesOf(t, count, keys);
    if (!places) return TCL_ERROR;
    bool made = tacWindowMakeGroup(&t->rows, name, (size_t) length, places, (size_t) count);
    tacFree(places);
    if (made) return tacTimelineArranged(t);
    return count ? tacTclMemory(t->widget.interp)
                 : tacTclFail(interp, "WIDGET GROUP", "there is no group \"%.100s\"", name);
}

static int rowFold(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    Tcl_Size length;
    int folded;
    if (tacTimelineNeed(t, tacTimelineArrange) != TCL_OK) return TCL_ERROR;
    const char *name = Tcl_GetStringFromObj(objv[3], &length);
    uint32_t index = tacWindowGroupOf(&t->rows, name, (size_t) length);
    if (index == TAC_NONE) return tacTclFail(interp, "WIDGET GROUP", "there is no group \"%.100s\"", name);
    folded = !t->rows.groups.at[index].folded;
    if (objc == 5 && Tcl_GetBooleanFromObj(interp, objv[4], &folded) != TCL_OK) return TCL_ERROR;
    if (!tacWindowFold(&t->rows, name, (size_t) length, folded != 0)) return tacTclMemory(interp);
    return tacTimelineArranged(t);
}

/* Appends what is to be said about a group. */
static void describeGroup(const tacTimeline *t, const tacWindowGroup *group, Tcl_Obj *list) {
    const tacWindowGroup *parent = group->parent == TAC_NONE ? NULL : &t->rows.groups.at[group->parent];
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "name", tacTimelineKeyObj(t, group->name));
    tacPut(dict, "text", tacTimelineKeyObj(t, group->label));
    tacPut(dict, "parent", parent ? tacTimelineKeyObj(t, parent->name) : Tcl_NewObj());
    tacPutFlag(dict, "by_itself", group->byItself);
    tacPutFlag(dict, "folded", group->folded);
    tacPut(dict, "rows", Tcl_NewWideIntObj(group->end - group->first));
    tacPut(dict, "top", Tcl_NewIntObj((int) lround(group->top * t->scaling)));
    tacPut(dict, "bottom", Tcl_NewIntObj((int) lround(group->bottom * t->scaling)));
    tacAppend(list, dict);
}

/* Tells the groups that have rows, from top to bottom. */
static int rowGroups(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) objc, (void) objv;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < t->rows.order.count; i++) {
        uint32_t index = t->rows.order.at[i].group;
        const tacWindowGroup *group = index == TAC_NONE ? NULL : &t->rows.groups.at[index],
                             *parent = group && group->parent != TAC_NONE ? &t->rows.groups.at[group->parent] : NULL;
        if (parent && parent->first == i) describeGroup(t, parent, list);
        if (group && group->first == i) describeGroup(t, group, list);
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int rowCounts(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) objc, (void) objv;
    if (tacTimelineNeed(t, tacTimelinePlaces) != TCL_OK) return TCL_ERROR;
    tacWindowCounts counts = tacWindowCount(&t->rows);
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "rows", Tcl_NewWideIntObj(counts.rows));
    tacPut(dict, "shown", Tcl_NewWideIntObj(counts.shown));
    tacPut(dict, "hidden", Tcl_NewWideIntObj(counts.hidden));
    tacPut(dict, "filtered", Tcl_NewWideIntObj(counts.filtered));
    tacPut(dict, "empty", Tcl_NewWideIntObj(counts.empty));
    tacPut(dict, "folded", Tcl_NewWideIntObj(counts.folded));
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

/* Runs `sort ORDER ?FROM TO?`: by what rows do in that range, or in what is in view. */
static int rowSort(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int sort;
    if (objc == 5) return tacTclFail(interp, "WIDGET RANGE", "a range has two times");
    if (Tcl_GetIndexFromObjStruct(
            interp, objv[3], tacRowOrderWords, sizeof *tacRowOrderWords, "order of rows", 0, &sort)
            != TCL_OK
        || tacTimelineNeed(t, tacTimelineArrange) != TCL_OK)
        return TCL_ERROR;
    int64_t from = t->from, to = t->to;
    if (objc == 6 && (tacTimelineTime(t, objv[4], &from) != TCL_OK || tacTimelineTime(t, objv[5], &to) != TCL_OK))
        return TCL_ERROR;
    if (from >= to) return tacTclFail(interp, "WIDGET RANGE", "the end of the range must be after its begin");
    tacWindowSort(&t->rows, (tacRowOrder) sort, from, to);
    tacTimelineStale(t, TAC_STALE_PASSES);
    return tacTimelineArranged(t);
}

/* Runs `settle`: with -hide-empty, rows that have nothing in what is now in view are left out. Were some others, or is
 * that not known yet of very many? */
static int rowSettle(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    bool done, changed;
    (void) objc, (void) objv;
    if (tacTimelineNeed(t, tacTimelineArrange) != TCL_OK) return TCL_ERROR;
    tacWindowLeaveOut(&t->rows, t->options.hideEmpty, t->from, t->to);
    if (tacWindowGoOn(&t->rows, tacPassBudget, &done, &changed, NULL) != TAC_OK) return tacTclMemory(interp);
    if (done && changed) tacTimelineArranged(t);
    if (!done) tacTimelineStale(t, TAC_STALE_PASSES);
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(!done || changed));
    return TCL_OK;
}

static int rowPending(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(tacTimelinePending(data)));
    return TCL_OK;
}

static int rowReset(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) interp, (void) objc, (void) objv;
    tacWindowReset(&t->rows);
    return tacTimelineArranged(t);
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

/* Runs `beside KEY STEPS`: the row so many visible rows further down or up. An empty key stands before the first row,
 * or behind the last one. */
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
    {"arrangement", tacArrangementSub, 0, 1, "?dict?", "order, groups, heights, hidden and pinned rows; sets them"},
    {"beside", rowBeside, 2, 2, "key steps", "the row that is so many visible rows further down"},
    {"counts", rowCounts, 0, 0, NULL, "how many rows there are, and why others are not shown"},
    {"fold", rowFold, 1, 2, "name ?boolean?", "folds a group, or unfolds it"},
    {"group", rowGroup, 1, 2, "name ?keys?", "the rows that were put into a group; puts rows into it"},
    {"groups", rowGroups, 0, 0, NULL, "the groups of rows"},
    {"height", rowHeight, 1, 2, "key ?factor?", "height of a row as a factor; sets it"},
    {"hide", rowHide, 0, -1, "?key ...?", "hides rows"},
    {"info", rowInfo, 1, 1, "key", "facts about a row"},
    {"keys", rowKeys, 0, 2, "?kind id?", "the keys of all rows, or of those of one object, in their order"},
    {"move", rowMove, 2, 2, "key before", "moves a row before another"},
    {"only", rowOnly, 0, -1, "?key ...?", "hides all other rows; without keys shows all"},
    {"pending", rowPending, 0, 0, NULL, "whether very many rows are still being listed and arranged"},
    {"pin", rowPin, 0, -1, "?key ...?", "keeps rows at the top"},
    {"reset", rowReset, 0, 0, NULL, "the arrangement that the trace has by itself"},
    {"scale", rowScale, 1, 1, "factor", "heights of all rows"},
    {"settle", rowSettle, 0, 0, NULL, "leaves out rows with nothing in view"},
    {"show", rowShow, 0, -1, "?key ...?", "shows hidden rows"},
    {"sort", rowSort, 1, 3, "order ?from to?", "puts rows into an order by what they do"},
    {"unpin", rowUnpin, 0, -1, "?key ...?", "no longer keeps rows at the top"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacRowSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatchAt(data, interp, 2, "subcommand", objc, objv, tacRowSubcommands);
}
