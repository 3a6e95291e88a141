/*
 * testWindow.c -- windows without a display, for tests.
 *
 *   testWindow TRACE ?-option value ...?   opens the text TRACE, lists and places its rows, returns a command:
 *      rows                      a list of {key group flags top bottom}; flags of h(idden) p(inned) f(iltered)
 *      hide|pin KEY BOOL         factor KEY NUMBER          move KEY KEY|end
 *      group NAME KEYS           fold NAME BOOL             groups     a list of {name folded top bottom}
 *      filter PATTERN            reset                      keep {{KEY FLAGS FACTOR ?GROUP?} ...}       kept     keys
 *      list ?TRACE?              lists anew, after the trace was replaced
 *      draw FROM TO WIDTH HEIGHT ?SCROLL?                   ticks, points: {scroll left right {pinned rows axis boxes}}
 *      sort ORDER FROM TO, leave FROM TO    passes over all rows in steps as short as can be: how many steps it took
 *      unfinished                did the budget of the last drawing not suffice?
 *      part pinned|rows|axis     the dump of what was drawn
 *      item X Y ?SLACK?          its line of the dump       rowat Y    box KEY
 *      close
 *   testWindowMemory TRACE ?-option value ...?   makes the 1st, 2nd ... allocation fail until all succeeds; how many
 *                                                there were
 *
 * Options: -convention -processors -quick -fontsize -detail -order -misses -color-by -group-by -budget. Texts are of
 * fixed width.
 */
#include <tcl.h>

#include "base/port.h"

#include "open/open.h"
#include "view/window.h"

#include <stdlib.h>
#include <string.h>

typedef struct TestedWindow {
    tacTrace *trace;
    tacWindow window;
    tacFrame frame;
    tacFigure figure;
    char order[32];
} TestedWindow;

static int fail(Tcl_Interp *interp, const tacError *err) {
    Tcl_SetObjResult(interp, Tcl_NewStringObj(err->message, -1));
    Tcl_SetErrorCode(interp, "TACTUS", err->code, (char *) NULL);
    return TCL_ERROR;
}

static int setOption(Tcl_Interp *interp, TestedWindow *w, Tcl_Obj *name, Tcl_Obj *value) {
    static const char *const options[] = {"-convention", "-processors", "-quick", "-fontsize", "-detail", "-order",
        "-misses", "-color-by", "-group-by", "-budget", NULL};
    static const char *const conventions[] = {"grasp", "rtsched", NULL},
                             *const modes[] = {"auto", "expanded", "collapsed", "none", NULL};
    int which, index = 0, code = TCL_OK;
    if (Tcl_GetIndexFromObj(interp, name, options, "option", TCL_EXACT, &which) != TCL_OK) return TCL_ERROR;
    switch (which) {
    case 0:
        code = Tcl_GetIndexFromObj(interp, value, conventions, "value", 0, &index),
        w->figure.convention = (tacConvention) index;
        break;
    case 1:
        code = Tcl_GetIndexFromObj(interp, value, modes, "value", 0, &index),
        w->figure.processors = (tacProcessorsMode) index;
        break;
    case 2: code = Tcl_GetBooleanFromObj(interp, value, &index), w->figure.quick = index; break;
    case 3: return Tcl_GetDoubleFromObj(interp, value, &w->figure.fontSize);
    case 4: return Tcl_GetDoubleFromObj(interp, value, &w->figure.detail);
    case 5: strncpy(w->order, Tcl_GetString(value), sizeof w->order - 1), w->figure.order = w->order; break;
    case 6:
        code = Tcl_GetBooleanFromObj(interp, value, &index);
        w->figure.layers |= index ? TAC_SHOW_MISSES : 0;
        break;
    case 7:
        code = Tcl_GetIndexFromObj(interp, value, tacColorByWords, "value", 0, &index);
        w->figure.colorBy = (tacColorBy) index;
        break;
    case 8:
        code = Tcl_GetIndexFromObj(interp, value, tacGroupByWords, "value", 0, &index);
        w->window.groupBy = (tacGroupBy) index;
        break;
    case 9: return Tcl_GetDoubleFromObj(interp, value, &w->figure.budget);
    }
    return code;
}

static int setOptions(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    tacFigureDefaults(&w->figure);
    w->figure.fontSize = 14;
    for (int i = 0; i + 1 < objc; i += 2)
        if (setOption(interp, w, objv[i], objv[i + 1]) != TCL_OK) return TCL_ERROR;
    return TCL_OK;
}

static int place(Tcl_Interp *interp, TestedWindow *w) {
    tacError err = {0};
    return tacWindowPlace(&w->window, &w->figure, &tacMeasureFixed, &err) == TAC_OK ? TCL_OK : fail(interp, &err);
}

static Tcl_Obj *keyObj(const TestedWindow *w, uint32_t key) {
    return key == TAC_NONE ? Tcl_NewObj() : Tcl_NewStringObj(tacInternName(&w->window.keys, key, NULL), -1);
}

static void add(Tcl_Obj *list, Tcl_Obj *element) { Tcl_ListObjAppendElement(NULL, list, element); }
static void addNumber(Tcl_Obj *list, double number) { add(list, Tcl_ObjPrintf("%.6g", number)); }

static tacWindowRow *rowOf(Tcl_Interp *interp, const TestedWindow *w, Tcl_Obj *key) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(key, &length);
    tacWindowRow *row = tacWindowRowOf(&w->window, text, (size_t) length);
    if (!row) Tcl_SetObjResult(interp, Tcl_ObjPrintf("no row \"%s\"", text));
    return row;
}

/* ---- subcommands: objv without the command's name and the subcommand ---- */

typedef int WindowCommand(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]);

static int rowsCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_Obj *list = Tcl_NewObj();
    (void) objc, (void) objv;
    for (size_t i = 0; i < w->window.order.count; i++) {
        const tacWindowRow *row = &w->window.order.at[i];
        Tcl_Obj *element = Tcl_NewObj();
        add(element, keyObj(w, tacWindowKey(&w->window, row)));
        add(element, keyObj(w, row->group == TAC_NONE ? TAC_NONE : w->window.groups.at[row->group].name));
        add(element, Tcl_ObjPrintf("%s%s%s", row->hidden ? "h" : "", row->pinned ? "p" : "", row->filtered ? "f" : ""));
        addNumber(element, row->top), addNumber(element, row->bottom);
        add(list, element);
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int groupsCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_Obj *list = Tcl_NewObj();
    (void) objc, (void) objv;
    for (size_t i = 0; i < w->window.groups.count; i++) {
        const tacWindowGroup *group = &w->window.groups.at[i];
        Tcl_Obj *element = Tcl_NewObj();
        add(element, keyObj(w, group->name));
        addNumber(element, group->folded), addNumber(element, group->top), addNumber(element, group->bottom);
        add(list, element);
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int setFlag(Tcl_Interp *interp, TestedWindow *w, Tcl_Obj *const objv[], bool pin) {
    tacWindowRow *row = rowOf(interp, w, objv[0]);
    int flag;
    if (!row || Tcl_GetBooleanFromObj(interp, objv[1], &flag) != TCL_OK) return TCL_ERROR;
    *(pin ? &row->pinned : &row->hidden) = flag;
    return place(interp, w);
}

static int hideCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    return setFlag(interp, w, objv, false);
}

static int pinCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    return setFlag(interp, w, objv, true);
}

static int factorCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    tacWindowRow *row = rowOf(interp, w, objv[0]);
    double factor;
    (void) objc;
    if (!row || Tcl_GetDoubleFromObj(interp, objv[1], &factor) != TCL_OK) return TCL_ERROR;
    row->factor = (float) factor;
    return place(interp, w);
}

static int moveCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    bool end = strcmp(Tcl_GetString(objv[1]), "end") == 0;
    tacWindowRow *row = rowOf(interp, w, objv[0]),
                 *before = end ? w->window.order.at + w->window.order.count : rowOf(interp, w, objv[1]);
    (void) objc;
    if (!row || !before) return TCL_ERROR;
    tacWindowMove(&w->window, (uint32_t) (row - w->window.order.at), (uint32_t) (before - w->window.order.at));
    return place(interp, w);
}

static int groupCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_Obj **keys;
    Tcl_Size n, length;
    uint32_t places[64];
    const char *name = Tcl_GetStringFromObj(objv[0], &length);
    (void) objc;
    if (Tcl_ListObjGetElements(interp, objv[1], &n, &keys) != TCL_OK || n > 64) return TCL_ERROR;
    for (Tcl_Size i = 0; i < n; i++) {
        tacWindowRow *row = rowOf(interp, w, keys[i]);
        if (!row) return TCL_ERROR;
        places[i] = (uint32_t) (row - w->window.order.at);
    }
    bool done = tacWindowMakeGroup(&w->window, name, (size_t) length, places, (size_t) n);
    if (place(interp, w) != TCL_OK) return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewIntObj(done));
    return TCL_OK;
}

static int foldCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_Size length;
    const char *name = Tcl_GetStringFromObj(objv[0], &length);
    uint32_t group = tacWindowGroupOf(&w->window, name, (size_t) length);
    int flag;
    (void) objc;
    if (group == TAC_NONE || Tcl_GetBooleanFromObj(interp, objv[1], &flag) != TCL_OK) return TCL_ERROR;
    w->window.groups.at[group].folded = flag;
    return place(interp, w);
}

static int filterCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    (void) objc;
    tacWindowFilter(&w->window, Tcl_GetString(objv[0]));
    return place(interp, w);
}

static int resetCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    (void) objc, (void) objv;
    tacWindowReset(&w->window);
    return place(interp, w);
}

/* Reads a row of an arrangement: KEY FLAGS FACTOR ?GROUP?. */
static int keptRow(Tcl_Interp *interp, TestedWindow *w, Tcl_Obj *list, tacKeptRow *row) {
    Tcl_Size n, length;
    Tcl_Obj **words;
    double factor;
    if (Tcl_ListObjGetElements(interp, list, &n, &words) != TCL_OK || n < 3
        || Tcl_GetDoubleFromObj(interp, words[2], &factor) != TCL_OK)
        return TCL_ERROR;
    const char *key = Tcl_GetStringFromObj(words[0], &length), *flags = Tcl_GetString(words[1]);
    *row = (tacKeptRow){tacIntern(&w->window.keys, key, (size_t) length), TAC_NONE, strchr(flags, 'h') != NULL,
        strchr(flags, 'p') != NULL, (float) factor};
    if (n == 3) return TCL_OK;
    const char *group = Tcl_GetStringFromObj(words[3], &length);
    row->group = tacIntern(&w->window.keys, group, (size_t) length);
    return TCL_OK;
}

/* Lists the rows, in the shortest steps. False: an error. */
static bool list(TestedWindow *w, tacError *err) {
    bool done = false;
    if (tacWindowList(&w->window, w->trace, &w->figure, err) != TAC_OK) return false;
    while (!done)
        if (tacWindowListOn(&w->window, 0, &done, err) != TAC_OK) return false;
    return true;
}

/* Arranges the rows, in the shortest steps. False: an error. */
static bool arrange(TestedWindow *w, tacError *err) {
    tacWindowArrange(&w->window);
    for (bool done = false, changed; !done;)
        if (tacWindowGoOn(&w->window, 0, &done, &changed, err) != TAC_OK) return false;
    return true;
}

static bool keep(TestedWindow *w, const tacKeptRow *rows, size_t n, bool ordered) {
    tacKeptRow *copy = tacAlloc(n * sizeof *copy + 1);
    if (copy && n) memcpy(copy, rows, n * sizeof *copy);
    return copy && tacWindowKeep(&w->window, copy, n, ordered);
}

static int keepCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_Size n;
    Tcl_Obj **lists;
    tacKeptRow rows[64];
    tacError err;
    (void) objc;
    if (Tcl_ListObjGetElements(interp, objv[0], &n, &lists) != TCL_OK || n > 64) return TCL_ERROR;
    for (Tcl_Size i = 0; i < n; i++)
        if (keptRow(interp, w, lists[i], &rows[i]) != TCL_OK) return TCL_ERROR;
    if (!keep(w, rows, (size_t) n, true)) return TCL_ERROR;
    return arrange(w, &err) ? place(interp, w) : fail(interp, &err);
}

/* Number of keys that were made. */
static int keysCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewIntObj((int) tacInternCount(&w->window.keys)));
    return TCL_OK;
}

static int keptCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_Obj *list = Tcl_NewObj();
    (void) objc, (void) objv;
    for (size_t i = 0; i < w->window.kept.count; i++) add(list, keyObj(w, w->window.kept.at[i].key));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int listCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    tacError err = {0};
    tacTrace *old = w->trace;
    Tcl_Size length;
    const char *text = objc ? Tcl_GetStringFromObj(objv[0], &length) : NULL;
    if (text && !(w->trace = tacTraceOpenText("trace", text, (size_t) length, NULL, &err))) {
        w->trace = old;
        return fail(interp, &err);
    }
    bool listed = list(w, &err) && arrange(w, &err);
    if (w->trace != old) tacTraceClose(old);
    return listed ? place(interp, w) : fail(interp, &err);
}

/* Goes on with the passes that were begun, in the shortest steps, and places the rows. */
static int pass(Tcl_Interp *interp, TestedWindow *w) {
    tacError err = {0};
    int steps = 0;
    for (bool done = false, changed; !done; steps++)
        if (tacWindowGoOn(&w->window, 0, &done, &changed, &err) != TAC_OK) return fail(interp, &err);
    Tcl_SetObjResult(interp, Tcl_NewIntObj(steps));
    return place(interp, w);
}

static int sortCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt from, to;
    int order;
    (void) objc;
    if (Tcl_GetIndexFromObj(interp, objv[0], tacRowOrderWords, "order", 0, &order) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, objv[1], &from) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, objv[2], &to) != TCL_OK)
        return TCL_ERROR;
    tacWindowSort(&w->window, (tacRowOrder) order, from, to);
    return pass(interp, w);
}

static int leaveCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt from, to;
    (void) objc;
    if (Tcl_GetWideIntFromObj(interp, objv[0], &from) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, objv[1], &to) != TCL_OK)
        return TCL_ERROR;
    tacWindowLeaveOut(&w->window, true, from, to);
    return pass(interp, w);
}

static int unfinishedCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(w->frame.unfinished));
    return TCL_OK;
}

static int drawCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt from, to;
    double scroll = 0;
    tacError err = {0};
    if (Tcl_GetWideIntFromObj(interp, objv[0], &from) != TCL_OK || Tcl_GetWideIntFromObj(interp, objv[1], &to) != TCL_OK
        || Tcl_GetDoubleFromObj(interp, objv[2], &w->figure.width) != TCL_OK
        || Tcl_GetDoubleFromObj(interp, objv[3], &w->figure.height) != TCL_OK
        || (objc > 4 && Tcl_GetDoubleFromObj(interp, objv[4], &scroll) != TCL_OK))
        return TCL_ERROR;
    w->figure.from = from, w->figure.to = to;
    if (tacWindowDraw(&w->window, &w->figure, &tacMeasureFixed, (float) scroll, &w->frame, &err) != TAC_OK)
        return fail(interp, &err);
    Tcl_Obj *list = Tcl_NewObj(), *boxes = Tcl_NewObj();
    addNumber(list, w->frame.scroll), addNumber(list, w->frame.left), addNumber(list, w->frame.right);
    for (int part = 0; part < TAC_PARTS; part++)
        addNumber(boxes, w->frame.boxes[part].y0), addNumber(boxes, w->frame.boxes[part].y1);
    add(list, boxes);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static void setDump(Tcl_Interp *interp, const tacDisplay *display) {
    tacText out = {0};
    tacDisplayDump(display, &out);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(out.at ? out.at : "", -1));
    tacTextFree(&out);
}

static int partCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    static const char *const parts[] = {"pinned", "rows", "axis", NULL};
    int part;
    (void) objc;
    if (Tcl_GetIndexFromObj(interp, objv[0], parts, "part", 0, &part) != TCL_OK) return TCL_ERROR;
    setDump(interp, &w->frame.parts[part]);
    return TCL_OK;
}

static int itemCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    double x, y, slack = 0;
    if (Tcl_GetDoubleFromObj(interp, objv[0], &x) != TCL_OK || Tcl_GetDoubleFromObj(interp, objv[1], &y) != TCL_OK
        || (objc > 2 && Tcl_GetDoubleFromObj(interp, objv[2], &slack) != TCL_OK))
        return TCL_ERROR;
    const tacItem *item = tacFrameItem(&w->frame, (float) x, (float) y, (float) slack);
    for (int part = 0; item && part < TAC_PARTS; part++) {
        tacDisplay one = w->frame.parts[part];
        if (item < one.items.at || item >= one.items.at + one.items.count) continue;
        one.items.at = (tacItem *) item, one.items.count = 1;
        setDump(interp, &one);
    }
    return TCL_OK;
}

static int rowAtCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    double y;
    (void) objc;
    if (Tcl_GetDoubleFromObj(interp, objv[0], &y) != TCL_OK) return TCL_ERROR;
    const tacWindowRow *row = tacFrameRow(&w->window, &w->frame, (float) y);
    Tcl_SetObjResult(interp, keyObj(w, row ? tacWindowKey(&w->window, row) : TAC_NONE));
    return TCL_OK;
}

static int boxCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    const tacWindowRow *row = rowOf(interp, w, objv[0]);
    tacBox box;
    (void) objc;
    if (!row) return TCL_ERROR;
    if (!tacFrameRowBox(&w->window, &w->frame, row, &box)) return TCL_OK;
    Tcl_Obj *list = Tcl_NewObj();
    addNumber(list, box.x0), addNumber(list, box.y0), addNumber(list, box.x1), addNumber(list, box.y1);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int closeCmd(Tcl_Interp *interp, TestedWindow *w, int objc, Tcl_Obj *const objv[]) {
    (void) w, (void) objc;
    return Tcl_DeleteCommand(interp, Tcl_GetString(objv[-2])) == 0 ? TCL_OK : TCL_ERROR;
}

static const struct WindowSubcommand {
    const char *name;
    int least, most;
    WindowCommand *run;
} subcommands[] = {
    {"rows", 0, 0, rowsCmd},
    {"groups", 0, 0, groupsCmd},
    {"hide", 2, 2, hideCmd},
    {"pin", 2, 2, pinCmd},
    {"factor", 2, 2, factorCmd},
    {"move", 2, 2, moveCmd},
    {"group", 2, 2, groupCmd},
    {"fold", 2, 2, foldCmd},
    {"filter", 1, 1, filterCmd},
    {"reset", 0, 0, resetCmd},
    {"keep", 1, 1, keepCmd},
    {"kept", 0, 0, keptCmd},
    {"keys", 0, 0, keysCmd},
    {"list", 0, 1, listCmd},
    {"sort", 3, 3, sortCmd},
    {"leave", 2, 2, leaveCmd},
    {"draw", 4, 5, drawCmd},
    {"unfinished", 0, 0, unfinishedCmd},
    {"part", 1, 1, partCmd},
    {"item", 2, 3, itemCmd},
    {"rowat", 1, 1, rowAtCmd},
    {"box", 1, 1, boxCmd},
    {"close", 0, 0, closeCmd},
    {NULL, 0, 0, NULL},
};

static int windowCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int which;
    if (objc < 2) return Tcl_WrongNumArgs(interp, 1, objv, "subcommand ?arg ...?"), TCL_ERROR;
    if (Tcl_GetIndexFromObjStruct(interp, objv[1], subcommands, sizeof *subcommands, "subcommand", TCL_EXACT, &which)
        != TCL_OK)
        return TCL_ERROR;
    if (objc - 2 < subcommands[which].least || objc - 2 > subcommands[which].most)
        return Tcl_WrongNumArgs(interp, 2, objv, "..."), TCL_ERROR;
    return subcommands[which].run(interp, data, objc - 2, objv + 2);
}

/* ---- opening ---- */

static void freeWindow(void *data) {
    TestedWindow *w = data;
    tacFrameFree(&w->frame);
    tacWindowFree(&w->window);
    tacTraceClose(w->trace);
    free(w);
}

static TestedWindow *openWindow(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacError err = {0};
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(objv[1], &length);
    TestedWindow *w = calloc(1, sizeof *w);
    tacFrameInit(&w->frame);
    if (setOptions(interp, w, objc - 2, objv + 2) != TCL_OK) return freeWindow(w), NULL;
    w->trace = tacTraceOpenText("trace", text, (size_t) length, NULL, &err);
    if (!w->trace) return fail(interp, &err), freeWindow(w), NULL;
    return w;
}

static int openCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static int count;
    (void) data;
    if (objc < 2 || objc % 2) return Tcl_WrongNumArgs(interp, 1, objv, "trace ?-option value ...?"), TCL_ERROR;
    TestedWindow *w = openWindow(interp, objc, objv);
    if (!w) return TCL_ERROR;
    if (listCmd(interp, w, 0, NULL) != TCL_OK) return freeWindow(w), TCL_ERROR;
    Tcl_Obj *name = Tcl_ObjPrintf("testWindow%d", ++count);
    Tcl_CreateObjCommand(interp, Tcl_GetString(name), windowCmd, w, freeWindow);
    Tcl_SetObjResult(interp, name);
    return TCL_OK;
}

/* All that a window does, once; false: some memory was missing. */
static bool useWindow(TestedWindow *w, int64_t from, int64_t to, tacError *err) {
    uint32_t places[] = {0, 1};
    size_t n = 0;
    tacKeptRow none = {.factor = 1};
    if (!list(w, err) || !arrange(w, err) || tacWindowPlace(&w->window, &w->figure, &tacMeasureFixed, err) != TAC_OK)
        return false;
    w->figure.from = from, w->figure.to = to, w->figure.width = 500, w->figure.height = 300;
    if (tacWindowDraw(&w->window, &w->figure, &tacMeasureFixed, 0, &w->frame, err) != TAC_OK) return false;
    n = w->window.order.count < 2 ? w->window.order.count : 2;
    none.key = tacIntern(&w->window.keys, "task none", 9), none.group = tacIntern(&w->window.keys, "other", 5);
    if (none.key == TAC_NONE || none.group == TAC_NONE || !keep(w, &none, 1, false) || !arrange(w, err)
        || (n && !tacWindowMakeGroup(&w->window, "g", 1, places, n)))
        return tacFailMemory(err), false;
    if (!list(w, err) || !arrange(w, err)) return false;
    tacWindowSort(&w->window, TAC_ORDER_NAME, from, to);
    for (bool done = false, changed; !done;)
        if (tacWindowGoOn(&w->window, 0, &done, &changed, err) != TAC_OK) return false;
    if (n) w->window.order.at[0].pinned = true;
    tacWindowFilter(&w->window, "t");
    if (tacWindowPlace(&w->window, &w->figure, &tacMeasureFixed, err) != TAC_OK) return false;
    return tacWindowDraw(&w->window, &w->figure, &tacMeasureFixed, 10, &w->frame, err) == TAC_OK;
}

static int memoryCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int n = 0;
    (void) data;
    if (objc < 2 || objc % 2) return Tcl_WrongNumArgs(interp, 1, objv, "trace ?-option value ...?"), TCL_ERROR;
    TestedWindow *w = openWindow(interp, objc, objv);
    if (!w) return TCL_ERROR;
    for (bool done = false; !done && n < 100000;) {
        tacError err = {0};
        tacMemFailAt((uint64_t) ++n);
        done = useWindow(w, w->trace->model.begin, w->trace->model.end, &err);
        tacMemFailAt(0);
        if (!done && strcmp(err.code, "MEMORY") != 0) return freeWindow(w), fail(interp, &err);
        tacFrameFree(&w->frame);
        tacFrameInit(&w->frame);
        tacWindowFree(&w->window);
    }
    freeWindow(w);
    Tcl_SetObjResult(interp, Tcl_NewIntObj(n));
    return TCL_OK;
}

TAC_EXPORT int TacTestWindow_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testWindow", openCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testWindowMemory", memoryCmd, NULL, NULL);
    return TCL_OK;
}
