/*
 * testLayout.c -- the content of figures, for tests.
 *
 *   testLayout TRACE ?-option value ...?   opens the text TRACE, lays it out with texts of fixed width, returns the
 *                                          dump, of -pages those of all
 *                                              (options: those of tacFigure, times in time units)
 *   testLayoutFile FILE ?...?              the same for a file
 *   testColor TEXT                         #RRGGBB, or "" when it is no colour
 *   testTicks FROM TO DIGITS SCALE LEAST   base, middle, minor and all labels of an axis
 *   testScale FROM TO X0 X1 GAPS TIMES     places of times; GAPS: list of begins and ends
 *   testStyle SETTINGS                     what settings give: a dict of some fields, and the remarks
 *   testLayoutMemory TRACE ?...?           makes the 1st, 2nd ... allocation fail until it succeeds; how many there
 *                                          were
 *   testLayoutCost FILE ?...?              items, points, bytes of texts, seconds of CPU time
 */
#include <tcl.h>

#include "base/port.h"

#include "open/open.h"
#include "view/color.h"
#include "view/figure.h"
#include "view/scale.h"
#include "view/style.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORDS_MOST = 64 };

/* The figure of options, with the lists it points to. */
typedef struct Request {
    tacFigure figure;
    const char *rows[WORDS_MOST], *items[WORDS_MOST], *settings[WORDS_MOST], *fold[WORDS_MOST];
    const char *from, *to, *buffersAt;
} Request;

static int fail(Tcl_Interp *interp, const tacError *err) {
    Tcl_SetObjResult(interp, Tcl_NewStringObj(err->message, -1));
    Tcl_SetErrorCode(interp, "TACTUS", err->code, (char *) NULL);
    return TCL_ERROR;
}

static int getWords(Tcl_Interp *interp, Tcl_Obj *list, const char **words) {
    Tcl_Obj **elements;
    Tcl_Size n;
    if (Tcl_ListObjGetElements(interp, list, &n, &elements) != TCL_OK) return TCL_ERROR;
    for (Tcl_Size i = 0; i < n && i < WORDS_MOST - 1; i++) words[i] = Tcl_GetString(elements[i]), words[i + 1] = NULL;
    return TCL_OK;
}

static int getEnum(Tcl_Interp *interp, Tcl_Obj *word, const char *const *words, int *value) {
    return Tcl_GetIndexFromObj(interp, word, words, "value", TCL_EXACT, value);
}

static const char *const options[] = {"-from", "-to", "-width", "-height", "-fontsize", "-convention", "-processors",
    "-legend", "-items", "-rows", "-order", "-grayscale", "-unit", "-scale", "-breaks", "-dark", "-markservers",
    "-buffers", "-buffersat", "-settings", "-preset", "-quick", "-deadlines", "-emptyrows", "-color-by", "-layers",
    "-bar-text", "-group-by", "-fold", "-pages", NULL};
enum Option {
    FROM,
    TO,
    WIDTH,
    HEIGHT,
    FONTSIZE,
    CONVENTION,
    PROCESSORS,
    LEGEND,
    ITEMS,
    ROWS,
    ORDER,
    GRAYSCALE,
    UNIT,
    SCALE,
    BREAKS,
    DARK,
    MARKSERVERS,
    BUFFERS,
    BUFFERSAT,
    SETTINGS,
    PRESET,
    QUICK,
    DEADLINES,
    EMPTYROWS,
    COLOR_BY,
    LAYERS,
    BAR_TEXT,
    GROUP_BY,
    FOLD,
    PAGES
};

static int setBool(Tcl_Interp *interp, Tcl_Obj *value, bool *field) {
    int given;
    if (Tcl_GetBooleanFromObj(interp, value, &given) != TCL_OK) return TCL_ERROR;
    *field = given;
    return TCL_OK;
}

static int setLayers(Tcl_Interp *interp, Tcl_Obj *list, unsigned *layers) {
    const char *names[WORDS_MOST] = {NULL};
    *layers = 0;
    if (getWords(interp, list, names) != TCL_OK) return TCL_ERROR;
    for (int i = 0; names[i]; i++) *layers |= tacLayerBits(names[i]);
    return TCL_OK;
}

static int setOption(Tcl_Interp *interp, Request *r, enum Option option, Tcl_Obj *value) {
    static const char *const conventions[] = {"grasp", "rtsched", NULL},
                             *const modes[] = {"auto", "expanded", "collapsed", "none", NULL};
    static const char *const legends[] = {"none", "bottom", "right", NULL},
                             *const deadlines[] = {"auto", "explicit", "all", NULL};
    tacFigure *f = &r->figure;
    int index = 0, code = TCL_OK;
    switch (option) {
    case FROM: r->from = Tcl_GetString(value); break;
    case TO: r->to = Tcl_GetString(value); break;
    case BUFFERSAT: r->buffersAt = Tcl_GetString(value); break;
    case WIDTH: return Tcl_GetDoubleFromObj(interp, value, &f->width);
    case HEIGHT: return Tcl_GetDoubleFromObj(interp, value, &f->height);
    case FONTSIZE: return Tcl_GetDoubleFromObj(interp, value, &f->fontSize);
    case SCALE: return Tcl_GetDoubleFromObj(interp, value, &f->axisScale);
    case CONVENTION: code = getEnum(interp, value, conventions, &index), f->convention = (tacConvention) index; break;
    case PROCESSORS: code = getEnum(interp, value, modes, &index), f->processors = (tacProcessorsMode) index; break;
    case LEGEND: code = getEnum(interp, value, legends, &index), f->legend = (tacLegendMode) index; break;
    case DEADLINES: code = getEnum(interp, value, deadlines, &index), f->deadlines = (tacDeadlines) index; break;
    case COLOR_BY: code = getEnum(interp, value, tacColorByWords, &index), f->colorBy = (tacColorBy) index; break;
    case BAR_TEXT: code = getEnum(interp, value, tacBarTextWords, &index), f->barText = (tacBarText) index; break;
    case GROUP_BY: code = getEnum(interp, value, tacGroupByWords, &index), f->groupBy = (tacGroupBy) index; break;
    case FOLD: f->fold = r->fold; return getWords(interp, value, r->fold);
    case LAYERS: return setLayers(interp, value, &f->layers);
    case ITEMS: f->legendItems = r->items; return getWords(interp, value, r->items);
    case ROWS: f->rows = r->rows; return getWords(interp, value, r->rows);
    case SETTINGS: f->settings = r->settings; return getWords(interp, value, r->settings);
    case ORDER: f->order = Tcl_GetString(value); break;
    case UNIT: f->axisUnit = Tcl_GetString(value); break;
    case GRAYSCALE: return setBool(interp, value, &f->grayscale);
    case BREAKS: return setBool(interp, value, &f->breaks);
    case DARK: return setBool(interp, value, &f->dark);
    case MARKSERVERS: return setBool(interp, value, &f->markServers);
    case BUFFERS: return setBool(interp, value, &f->showBuffers);
    case EMPTYROWS: return setBool(interp, value, &f->emptyRows);
    case QUICK: return setBool(interp, value, &f->quick);
    case PAGES: return setBool(interp, value, &f->pages);
    case PRESET: return tacFigurePreset(f, Tcl_GetString(value)) ? TCL_OK : TCL_ERROR;
    }
    return code;
}

static int setOptions(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], Request *r) {
    memset(r, 0, sizeof *r);
    tacFigureDefaults(&r->figure);
    for (int i = 0; i + 1 < objc; i += 2) {
        int option;
        if (Tcl_GetIndexFromObj(interp, objv[i], options, "option", TCL_EXACT, &option) != TCL_OK
            || setOption(interp, r, (enum Option) option, objv[i + 1]) != TCL_OK)
            return TCL_ERROR;
    }
    return TCL_OK;
}

/* Time units to ticks of the trace. */
static void setTime(const char *text, const tacTrace *trace, int64_t *ticks) {
    tacDecimal number;
    bool rounded = false;
    if (text && tacDecimalParse(text, strlen(text), &number) == TAC_OK)
        tacDecimalShift(number.mantissa, trace->store.digits - number.digits, ticks, &rounded);
}

static tacPages *pagesOf(const tacTrace *trace, Request *r, tacError *err) {
    setTime(r->from, trace, &r->figure.from);
    setTime(r->to, trace, &r->figure.to);
    setTime(r->buffersAt, trace, &r->figure.buffersAt);
    tacPages *pages = NULL;
    if (tacPagesNew(trace, &r->figure, &tacMeasureFixed, &pages, err) == TAC_OK) return pages;
    tacPagesFree(pages);
    return NULL;
}

static tacStatus layOut(const tacTrace *trace, Request *r, tacDisplay *display, tacDiag *diag, tacError *err) {
    bool more;
    tacPages *pages = pagesOf(trace, r, err);
    if (!pages) return TAC_ERROR;
    tacStatus status = tacPagesNext(pages, display, &more, diag, err);
    tacPagesFree(pages);
    return status;
}

/* Appends the dumps of all pages. */
static tacStatus dumpPages(const tacTrace *trace, Request *r, tacDiag *diag, tacText *out, tacError *err) {
    tacPages *pages = pagesOf(trace, r, err);
    tacStatus status = pages ? TAC_OK : TAC_ERROR;
    for (bool more = true; status == TAC_OK && more;) {
        tacDisplay display;
        tacDisplayInit(&display);
        status = tacPagesNext(pages, &display, &more, diag, err);
        if (status == TAC_OK) tacDisplayDump(&display, out);
        tacDisplayFree(&display);
    }
    tacPagesFree(pages);
    return status;
}

static void addRemarks(const tacDiag *diag, tacText *out) {
    for (size_t i = 0; i < diag->remarks.count; i++) {
        tacTextAddString(out, "remark ");
        tacDiagFormat(diag, &diag->remarks.at[i], "trace", out);
        tacTextAddString(out, "\n");
    }
}

static tacTrace *openTrace(Tcl_Interp *interp, bool file, Tcl_Obj *word) {
    tacError err = {0};
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    tacTrace *trace = file ? tacTraceOpen(text, NULL, &err)
                           : tacTraceOpenText("trace", text, (size_t) length, NULL, &err);
    if (!trace) fail(interp, &err);
    return trace;
}

static int layoutCmd(ClientData file, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Request r;
    tacError err = {0};
    tacDiag diag = {0};
    tacText out = {0};
    if (objc < 2 || objc % 2) return Tcl_WrongNumArgs(interp, 1, objv, "trace ?-option value ...?"), TCL_ERROR;
    if (setOptions(interp, objc - 2, objv + 2, &r) != TCL_OK) return TCL_ERROR;
    tacTrace *trace = openTrace(interp, file != NULL, objv[1]);
    if (!trace) return TCL_ERROR;
    tacStatus status = dumpPages(trace, &r, &diag, &out, &err);
    if (status == TAC_OK) {
        addRemarks(&diag, &out);
        Tcl_SetObjResult(interp, Tcl_NewStringObj(out.at ? out.at : "", (int) out.length));
    }
    tacTextFree(&out);
    tacDiagFree(&diag);
    tacTraceClose(trace);
    return status == TAC_OK ? TCL_OK : fail(interp, &err);
}

/* Lays out while the nth allocation fails, and all later ones unless `alone`. *goesOn: there are as many. False: what
 * failed was not told, as err says. */
static bool layOutWithout(tacTrace *trace, Request *r, int n, bool alone, bool *goesOn, tacError *err) {
    tacDisplay display;
    *err = (tacError){0};
    tacDisplayInit(&display);
    (alone ? tacMemFailOnce : tacMemFailAt)((uint64_t) n);
    tacStatus status = layOut(trace, r, &display, NULL, err);
    *goesOn = tacMemCalls() >= (uint64_t) n;
    tacMemFailAt(0);
    tacDisplayFree(&display);
    if (*goesOn && status == TAC_OK) tacFail(err, "TEST LOST", "allocation %d failed, and nobody told", n);
    return *goesOn ? strcmp(err->code, "MEMORY") == 0 : status == TAC_OK;
}

static int memoryCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Request r;
    (void) data;
    if (objc < 2 || setOptions(interp, objc - 2, objv + 2, &r) != TCL_OK) return TCL_ERROR;
    tacTrace *trace = openTrace(interp, false, objv[1]);
    if (!trace) return TCL_ERROR;
    int n = 0;
    bool goesOn = true, fine = true;
    tacError err = {0};
    while (goesOn && fine && n++ < 100000)
        fine = layOutWithout(trace, &r, n, false, &goesOn, &err) && layOutWithout(trace, &r, n, true, &goesOn, &err);
    tacTraceClose(trace);
    Tcl_SetObjResult(interp, Tcl_NewIntObj(n));
    return fine ? TCL_OK : fail(interp, &err);
}

static int costCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Request r;
    tacError err = {0};
    tacDisplay display;
    (void) data;
    if (objc < 2 || setOptions(interp, objc - 2, objv + 2, &r) != TCL_OK) return TCL_ERROR;
    tacTrace *trace = openTrace(interp, true, objv[1]);
    if (!trace) return TCL_ERROR;
    tacDisplayInit(&display);
    clock_t begin = clock();
    tacStatus status = layOut(trace, &r, &display, NULL, &err);
    double seconds = (double) (clock() - begin) / CLOCKS_PER_SEC;
    Tcl_SetObjResult(interp,
        Tcl_ObjPrintf("items %d points %d texts %d seconds %.4f", (int) display.items.count, (int) display.points.count,
            (int) tacInternCount(&display.texts), seconds));
    tacDisplayFree(&display);
    tacTraceClose(trace);
    return status == TAC_OK ? TCL_OK : fail(interp, &err);
}

/* ---- colours, ticks, scale ------------------------------------------------------------------------------------------
 */

static int colorCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    uint32_t rgb;
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "text"), TCL_ERROR;
    if (tacColorParse(Tcl_GetString(objv[1]), &rgb)) Tcl_SetObjResult(interp, Tcl_ObjPrintf("#%06X", (unsigned) rgb));
    return TCL_OK;
}

static int ticksCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt from, to;
    int digits;
    double scale, least;
    (void) data;
    if (objc != 6) return Tcl_WrongNumArgs(interp, 1, objv, "from to digits scale least"), TCL_ERROR;
    if (Tcl_GetWideIntFromObj(interp, objv[1], &from) != TCL_OK || Tcl_GetWideIntFromObj(interp, objv[2], &to) != TCL_OK
        || Tcl_GetIntFromObj(interp, objv[3], &digits) != TCL_OK
        || Tcl_GetDoubleFromObj(interp, objv[4], &scale) != TCL_OK
        || Tcl_GetDoubleFromObj(interp, objv[5], &least) != TCL_OK)
        return TCL_ERROR;
    tacTicks ticks;
    tacTicksInit(&ticks, from, to, digits, scale, least);
    tacTicksSplit(&ticks, least / 10);
    char label[TAC_LABEL_SIZE];
    tacAxisFormat(ticks.base, digits, scale, label);
    Tcl_Obj *list = Tcl_NewObj();
    Tcl_ListObjAppendElement(interp, list, Tcl_NewStringObj(label, -1));
    Tcl_ListObjAppendElement(interp, list, Tcl_NewIntObj(ticks.middle));
    Tcl_ListObjAppendElement(interp, list, Tcl_NewIntObj(ticks.minor));
    for (double j = ticks.first; j <= ticks.last && j < ticks.first + 100; j++) {
        tacTicksLabel(&ticks, (int64_t) j, label);
        Tcl_ListObjAppendElement(interp, list, Tcl_NewStringObj(label, -1));
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int getTimes(Tcl_Interp *interp, Tcl_Obj *list, int64_t *times, int most, int *n) {
    Tcl_Obj **elements;
    Tcl_Size count;
    if (Tcl_ListObjGetElements(interp, list, &count, &elements) != TCL_OK) return TCL_ERROR;
    for (*n = 0; *n < count && *n < most; ++*n) {
        Tcl_WideInt time;
        if (Tcl_GetWideIntFromObj(interp, elements[*n], &time) != TCL_OK) return TCL_ERROR;
        times[*n] = time;
    }
    return TCL_OK;
}

static int scaleCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int64_t window[2], gapTimes[40], times[WORDS_MOST];
    tacGap gaps[20];
    double x0, x1;
    int n, nGaps, nTimes;
    (void) data;
    if (objc != 6) return Tcl_WrongNumArgs(interp, 1, objv, "{from to} x0 x1 gaps times"), TCL_ERROR;
    if (getTimes(interp, objv[1], window, 2, &n) != TCL_OK || Tcl_GetDoubleFromObj(interp, objv[2], &x0) != TCL_OK
        || Tcl_GetDoubleFromObj(interp, objv[3], &x1) != TCL_OK
        || getTimes(interp, objv[4], gapTimes, 40, &nGaps) != TCL_OK
        || getTimes(interp, objv[5], times, WORDS_MOST, &nTimes) != TCL_OK)
        return TCL_ERROR;
    for (int i = 0; i < nGaps / 2; i++) gaps[i] = (tacGap){gapTimes[2 * i], gapTimes[2 * i + 1]};
    tacScale scale;
    tacScaleInit(&scale, window[0], window[1], x0, x1, gaps, nGaps / 2, 7);
    Tcl_Obj *list = Tcl_NewObj();
    for (int i = 0; i < nTimes; i++) {
        double x = tacScaleX(&scale, times[i]);
        Tcl_ListObjAppendElement(interp, list, Tcl_ObjPrintf("%.6g", x));
        Tcl_ListObjAppendElement(interp, list, Tcl_NewWideIntObj(tacScaleTime(&scale, x)));
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int styleCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Request r;
    tacStore store;
    tacStyle style;
    tacDiag diag = {0};
    tacText out = {0};
    (void) data;
    if (setOptions(interp, objc - 1, objv + 1, &r) != TCL_OK) return TCL_ERROR;
    tacStoreInit(&store);
    tacStyleInit(&style, &store, &r.figure, &diag);
    tacTextPrintf(&out,
        "bar %g arrow %g unit %g font %g active #%06X preempted #%06X between #%06X pattern %d dash %d replenished "
        "#%06X %d ink #%06X\n",
        style.barHeight, style.arrowHeight, (double) style.unit, (double) style.fontSize, (unsigned) style.active,
        (unsigned) style.preempted, (unsigned) style.between, (int) style.criticalPattern, (int) style.intervalDash,
        (unsigned) style.marks[TAC_MARK_REPLENISHED].color, (int) style.marks[TAC_MARK_REPLENISHED].shape,
        (unsigned) style.ink);
    addRemarks(&diag, &out);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(out.at ? out.at : "", -1));
    tacTextFree(&out);
    tacDiagFree(&diag);
    tacStoreFree(&store);
    return TCL_OK;
}

int TacTestLayout_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testLayout", layoutCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testLayoutFile", layoutCmd, (ClientData) interp, NULL);
    Tcl_CreateObjCommand(interp, "testLayoutMemory", memoryCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testLayoutCost", costCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testColor", colorCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testTicks", ticksCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testScale", scaleCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testStyle", styleCmd, NULL, NULL);
    return TCL_OK;
}
