/*
 * timelineOverlay.c -- the things that lie over the picture, set by scripts: the time cursor, the selection, markers,
 * highlights and findings.
 *
 * Setting one of them touches the area that it had and the area that it has now (timelineOverlayPlace.c); nothing is
 * laid out or painted for it. All of them belong to the trace and go with it; cursor, selection and markers stay when
 * the trace is read again.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tk/timelineState.h"
#include "view/color.h"

#include <stdlib.h>
#include <string.h>

/* Touches the line at a time. As long as nothing is laid out, all is drawn later anyway; so below. */
static void touchLine(tacTimeline *t, int64_t time) {
    if (t->drawn) tacTimelineTouch(t, tacLineArea(t, time));
}

/* ---- cursor ----------------------------------------------------------------------------------------------------- */

static void setCursor(tacTimeline *t, bool shown, int64_t time) {
    if (shown == t->cursorShown && (!shown || time == t->cursor)) return;
    if (t->cursorShown) touchLine(t, t->cursor);
    if (shown) touchLine(t, time);
    t->cursorShown = shown;
    t->cursor = time;
    tacTimelineNews(t, TAC_NEWS_TIME);
}

int tacCursorSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int64_t time = 0;
    if (objc == 2) {
        if (t->cursorShown) Tcl_SetObjResult(interp, tacTimelineTimeObj(t, t->cursor));
        return TCL_OK;
    }
    bool shown = *Tcl_GetString(objv[2]) != '\0';
    if (shown && tacTimelineTime(t, objv[2], &time) != TCL_OK) return TCL_ERROR;
    setCursor(t, shown, time);
    return TCL_OK;
}

/* ---- selection -------------------------------------------------------------------------------------------------- */

/* Touches a stretch of the selection, whose ends may be in either order. */
static void touchSelection(tacTimeline *t, int64_t from, int64_t to) {
    if (t->drawn) tacTimelineTouch(t, tacSelectionArea(t, from < to ? from : to, from < to ? to : from));
}

/* Selects a stretch, or nothing. While it is dragged, only the stretch that an edge passed over is drawn again. */
static void setSelection(tacTimeline *t, bool selected, int64_t from, int64_t to) {
    if (selected == t->selected && (!selected || (from == t->selectionFrom && to == t->selectionTo))) return;
    if (selected && t->selected) {
        touchSelection(t, from, t->selectionFrom);
        touchSelection(t, to, t->selectionTo);
    } else if (selected) touchSelection(t, from, to);
    else touchSelection(t, t->selectionFrom, t->selectionTo);
    t->selected = selected;
    t->selectionFrom = from;
    t->selectionTo = to;
    tacTimelineNews(t, TAC_NEWS_SELECTION);
}

static int selectionClear(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp, (void) objc, (void) objv;
    setSelection(data, false, 0, 0);
    return TCL_OK;
}

static int selectionGet(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTimeline *t = data;
    (void) objc, (void) objv;
    if (t->selected) Tcl_SetObjResult(interp, tacTimelineRangeObj(t, t->selectionFrom, t->selectionTo));
    return TCL_OK;
}

static int selectionSet(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int64_t a, b;
    (void) interp, (void) objc;
    if (tacTimelineTime(t, objv[3], &a) != TCL_OK || tacTimelineTime(t, objv[4], &b) != TCL_OK) return TCL_ERROR;
    setSelection(t, true, a < b ? a : b, a < b ? b : a);
    return TCL_OK;
}

const tacSubcommand tacSelectionSubcommands[] = {
    {"clear", selectionClear, 0, 0, NULL, "nothing is selected"},
    {"get", selectionGet, 0, 0, NULL, "begin and end of the selected stretch"},
    {"set", selectionSet, 2, 2, "from to", "selects a stretch"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacSelectionSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatchAt(data, interp, 2, "subcommand", objc, objv, tacSelectionSubcommands);
}

/* ---- markers ---------------------------------------------------------------------------------------------------- */

const tacMarker *tacMarkerOf(const tacTimeline *t, const char *name) {
    for (size_t i = 0; i < t->markers.count; i++)
        if (strcmp(t->markers.at[i].name, name) == 0) return &t->markers.at[i];
    return NULL;
}

static tacMarker *findMarker(tacTimeline *t, const char *name) { return (tacMarker *) tacMarkerOf(t, name); }

/* Touches a marker's line, and all flags, since they make room for each other. */
static void touchMarker(tacTimeline *t, int64_t time) {
    touchLine(t, time);
    if (t->drawn) tacTimelineTouch(t, tacFlagsArea(t));
}

static void freeMarker(tacMarker *marker) {
    tacFree(marker->name);
    tacFree(marker->label);
}

typedef struct MarkerOptions {
    const char *label, *color;
} MarkerOptions;

static const tacOptionRow markerRows[] = {
    {"-color", TAC_VALUE_TEXT, offsetof(MarkerOptions, color), NULL, "colour", NULL,
        "of the marker; default: by its name"},
    {"-label", TAC_VALUE_TEXT, offsetof(MarkerOptions, label), NULL, "text", NULL, "of its flag; default: its name"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* Changes a marker: its time, and of the rest what options give. False: no memory. */
static bool changeMarker(tacMarker *marker, int64_t time, const MarkerOptions *options, uint32_t color) {
    if (options->label) {
        char *label = tacCopyText(options->label, strlen(options->label));
        if (!label) return false;
        tacFree(marker->label);
        marker->label = label;
    }
    if (options->color) marker->color = color;
    marker->time = time;
    return true;
}

/* Makes a marker, or changes the one of this name. False: no memory. */
static bool setMarker(tacTimeline *t, const char *name, int64_t time, const MarkerOptions *options, uint32_t color) {
    tacMarker *marker = findMarker(t, name), fresh = {.color = TAC_NO_COLOR};
    if (marker) {
        touchMarker(t, marker->time);
        return changeMarker(marker, time, options, color);
    }
    fresh.name = tacCopyText(name, strlen(name));
    if (fresh.name && changeMarker(&fresh, time, options, color) && tacArrayPush(&t->markers, fresh)) return true;
    freeMarker(&fresh);
    return false;
}

static int markerSet(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int64_t time;
    MarkerOptions options = {0};
    uint32_t color = TAC_NO_COLOR;
    if (tacTimelineTime(t, objv[4], &time) != TCL_OK
        || tacOptionsParse(interp, markerRows, objc - 5, objv + 5, &options) != TCL_OK)
        return TCL_ERROR;
    if (options.color && *options.color && !tacColorParse(options.color, &color))
        return tacTclFail(interp, "WIDGET COLOR", "bad colour \"%.60s\"", options.color);
    if (!setMarker(t, Tcl_GetString(objv[3]), time, &options, color)) return tacTclMemory(t->widget.interp);
    touchMarker(t, time);
    return TCL_OK;
}

static int markerDelete(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) interp;
    for (int i = 3; i < objc; i++) {
        tacMarker *marker = findMarker(t, Tcl_GetString(objv[i]));
        if (!marker) continue;
        touchMarker(t, marker->time);
        freeMarker(marker);
        t->markers.count--;
        memmove(marker, marker + 1, (size_t) (t->markers.at + t->markers.count - marker) * sizeof *marker);
    }
    return TCL_OK;
}

static int markerGet(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) objc;
    const tacMarker *marker = findMarker(t, Tcl_GetString(objv[3]));
    if (marker) Tcl_SetObjResult(interp, tacTimelineTimeObj(t, marker->time));
    return TCL_OK;
}

static int markerNames(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTimeline *t = data;
    (void) objc, (void) objv;
    Tcl_Obj *names = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < t->markers.count; i++) tacAppend(names, Tcl_NewStringObj(t->markers.at[i].name, -1));
    Tcl_SetObjResult(interp, names);
    return TCL_OK;
}

const tacSubcommand tacMarkerSubcommands[] = {
    {"delete", markerDelete, 0, -1, "?name ...?", "deletes markers"},
    {"get", markerGet, 1, 1, "name", "time of a marker"},
    {"names", markerNames, 0, 0, NULL, "names of all markers"},
    {"set", markerSet, 2, 6, "name time ?-label text? ?-color color?", "makes or moves a marker"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacMarkerSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatchAt(data, interp, 2, "subcommand", objc, objv, tacMarkerSubcommands);
}

/* ---- highlights ------------------------------------------------------------------------------------------------- */

/* Index of a thing, called `what` in the message, by its number below `count`. */
static int getIndex(tacTimeline *t, Tcl_Obj *word, size_t count, const char *what, uint32_t *index) {
    Tcl_WideInt wide;
    if (Tcl_GetWideIntFromObj(t->widget.interp, word, &wide) != TCL_OK) return TCL_ERROR;
    if (wide < 0 || (uint64_t) wide >= count)
        return tacTclFail(t->widget.interp, "WIDGET HIGHLIGHT", "there is no %s %s", what, Tcl_GetString(word));
    *index = (uint32_t) wide;
    return TCL_OK;
}

static const struct HighlightForm {
    const char *name;
    tacHighlightKind kind;
    Tcl_Size words;
} highlightForms[] = {
    {"event", TAC_HIGHLIGHT_EVENT, 2},
    {"job", TAC_HIGHLIGHT_JOB, 2},
    {"row", TAC_HIGHLIGHT_ROW, 2},
    {"slice", TAC_HIGHLIGHT_SLICE, 3},
    {NULL, 0, 0},
};

/* Reads the thing that a highlight of a known kind means: event ROW, job INDEX, row KEY or slice TASK INDEX. */
static int readHighlight(tacTimeline *t, Tcl_Obj *const words[], tacHighlight *highlight) {
    const tacTrace *trace = t->trace;
    Tcl_Size length;
    const char *name = Tcl_GetStringFromObj(words[1], &length);
    switch (highlight->kind) {
    case TAC_HIGHLIGHT_EVENT: return getIndex(t, words[1], tacStoreCount(&trace->store), "event", &highlight->index);
    case TAC_HIGHLIGHT_JOB: return getIndex(t, words[1], trace->model.jobs.count, "job", &highlight->index);
    case TAC_HIGHLIGHT_ROW:
        highlight->index = tacIntern(&t->names, name, (size_t) length);
        return highlight->index == TAC_NONE ? tacTclMemory(t->widget.interp) : TCL_OK;
    case TAC_HIGHLIGHT_SLICE: break;
    }
    highlight->owner = tacInternFind(&trace->store.ids[TAC_TASK], name, (size_t) length);
    if (highlight->owner == TAC_NONE)
        return tacTclFail(t->widget.interp, "WIDGET HIGHLIGHT", "there is no task \"%.100s\"", name);
    return getIndex(t, words[2], trace->model.tasks[highlight->owner].slices.count, "slice", &highlight->index);
}

static int addHighlight(tacTimeline *t, Tcl_Obj *item) {
    Tcl_Size count;
    Tcl_Obj **words;
    int index;
    if (Tcl_ListObjGetElements(t->widget.interp, item, &count, &words) != TCL_OK) return TCL_ERROR;
    if (!count)
        return tacTclFail(t->widget.interp, "WIDGET HIGHLIGHT",
            "a highlight is empty: must be event row, job index, row key or slice task index");
    if (Tcl_GetIndexFromObjStruct(
            t->widget.interp, words[0], highlightForms, sizeof *highlightForms, "highlight", TCL_EXACT, &index)
        != TCL_OK)
        return TCL_ERROR;
    tacHighlight highlight = {.kind = highlightForms[index].kind};
    if (count != highlightForms[index].words)
        return tacTclFail(t->widget.interp, "WIDGET HIGHLIGHT", "bad highlight \"%.100s\"", Tcl_GetString(item));
    if (readHighlight(t, words, &highlight) != TCL_OK) return TCL_ERROR;
    return tacArrayPush(&t->highlights, highlight) ? TCL_OK : tacTclMemory(t->widget.interp);
}

static void dropHighlights(tacTimeline *t) {
    t->highlights.count = 0;
    tacInternFree(&t->names);
    tacReplace(&t->highlightList, NULL);
}

/* Touches the frames of all highlights. */
static void touchFramed(tacTimeline *t) {
    for (size_t i = 0; t->drawn && i < t->framed.count; i++) tacTimelineTouch(t, t->framed.at[i]);
}

int tacHighlightSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    Tcl_Size count;
    Tcl_Obj **items;
    if (objc == 2) {
        if (t->highlightList) Tcl_SetObjResult(interp, t->highlightList);
        return TCL_OK;
    }
    if (Tcl_ListObjGetElements(interp, objv[2], &count, &items) != TCL_OK) return TCL_ERROR;
    if (count && tacTimelineNeedTrace(t) != TCL_OK) return TCL_ERROR;
    touchFramed(t);
    dropHighlights(t);
    int status = TCL_OK;
    for (Tcl_Size i = 0; i < count && status == TCL_OK; i++) status = addHighlight(t, items[i]);
    if (status == TCL_OK) tacReplace(&t->highlightList, objv[2]);
    else dropHighlights(t); /* half of them would mislead */
    if (t->drawn && t->stale < TAC_STALE_LAYOUT) tacOverlayPlace(t);
    touchFramed(t);
    return status;
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

const char *const tacFindingSeverities[TAC_FINDING_SEVERITIES + 1] = {"note", "warning", "error", NULL};

/* Reads a time in ticks of so many digits; an empty word is TAC_UNKNOWN. False: it is no time. */
static bool findingTime(Tcl_Obj *word, int digits, int64_t *time) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    *time = TAC_UNKNOWN;
    if (!length) return true;
    tacDecimal decimal;
    bool rounded = false;
    return tacDecimalParse(text, (size_t) length, &decimal) == TAC_OK
        && tacDecimalShift(decimal.mantissa, digits - decimal.digits, time, &rounded);
}

/* Reads a finding; its begin is TAC_UNKNOWN when it is about the trace as a whole. False: it is no finding. */
static bool parseFinding(Tcl_Obj *item, int digits, tacFindingMark *mark) {
    Tcl_Size size;
    int severity = TAC_SEVERITY_WARNING;
    if (Tcl_DictObjSize(NULL, item, &size) != TCL_OK) return false;
    Tcl_Obj *time = tacDictValue(item, "time"), *end = tacDictValue(item, "end"),
            *word = tacDictValue(item, "severity");
    if (word && *Tcl_GetString(word)
        && Tcl_GetIndexFromObj(NULL, word, tacFindingSeverities, "severity", TCL_EXACT, &severity) != TCL_OK)
        return false;
    mark->severity = (tacSeverity) severity;
    mark->end = TAC_UNKNOWN;
    return time && findingTime(time, digits, &mark->begin) && (!end || findingTime(end, digits, &mark->end));
}

static int compareFindings(const void *left, const void *right) {
    const tacFindingMark *a = left, *b = right;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static int compareUnlisted(const void *left, const void *right) {
    const tacUnlisted *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Takes the findings with a time that the checks of a trace only counted. False: no memory. */
static bool takeUnlisted(const tacTrace *trace, tacFindingMarks *marks) {
    for (size_t i = 0; i < trace->findings.unlisted.count; i++) {
        const tacUnlisted *one = &trace->findings.unlisted.at[i];
        if (one->begin != TAC_UNKNOWN && !tacArrayPush(&marks->unlisted[one->severity], *one)) return false;
    }
    for (int severity = 0; severity < TAC_FINDING_SEVERITIES; severity++)
        if (marks->unlisted[severity].count)
            qsort(marks->unlisted[severity].at, marks->unlisted[severity].count, sizeof(tacUnlisted), compareUnlisted);
    return true;
}

void tacFindingMarksFree(tacFindingMarks *marks) {
    tacArrayFree(&marks->listed);
    for (int severity = 0; severity < TAC_FINDING_SEVERITIES; severity++) tacArrayFree(&marks->unlisted[severity]);
}

int tacFindingsParse(tacTimeline *t, Tcl_Obj *list, const tacTrace *trace, tacFindingMarks *marks) {
    Tcl_Size count = 0;
    Tcl_Obj **items = NULL;
    *marks = (tacFindingMarks){0};
    if (list && Tcl_ListObjGetElements(t->widget.interp, list, &count, &items) != TCL_OK) return TCL_ERROR;
    if (!tacArrayReserve(&marks->listed, count) || (count && trace && !takeUnlisted(trace, marks))) {
        tacFindingMarksFree(marks);
        return tacTclMemory(t->widget.interp);
    }
    for (Tcl_Size i = 0; i < count; i++) {
        tacFindingMark mark = {.index = (uint32_t) i};
        if (!parseFinding(items[i], trace ? trace->store.digits : 0, &mark)) {
            tacFindingMarksFree(marks);
            return tacTclFail(t->widget.interp, "WIDGET FINDINGS",
                "bad finding \"%.150s\": must be a dict with time, and maybe end and severity (error, warning, note)",
                Tcl_GetString(items[i]));
        }
        if (mark.begin != TAC_UNKNOWN) marks->listed.at[marks->listed.count++] = mark;
    }
    if (marks->listed.count) qsort(marks->listed.at, marks->listed.count, sizeof *marks->listed.at, compareFindings);
    return TCL_OK;
}

/* ---- with the trace --------------------------------------------------------------------------------------------- */

/* Drops markers, highlights and findings. */
static void forget(tacTimeline *t) {
    dropHighlights(t);
    for (size_t i = 0; i < t->markers.count; i++) freeMarker(&t->markers.at[i]);
    t->markers.count = 0;
    t->framed.count = t->lit.count = 0;
    tacFindingMarksFree(&t->findings);
    tacStripsForget(t);
}

void tacOverlayForget(tacTimeline *t) {
    setSelection(t, false, 0, 0);
    setCursor(t, false, 0);
    forget(t);
}

/* Keeps cursor, selection and markers, but drops times that do not fit with the new digits. */
void tacOverlayShift(tacTimeline *t, int shift) {
    bool rounded = false;
    dropHighlights(t);
    t->framed.count = t->lit.count = 0;
    if (!shift) return;
    tacStripsShift(t, shift);
    t->cursorShown = t->cursorShown && tacDecimalShift(t->cursor, shift, &t->cursor, &rounded);
    t->selected = t->selected && tacDecimalShift(t->selectionFrom, shift, &t->selectionFrom, &rounded)
        && tacDecimalShift(t->selectionTo, shift, &t->selectionTo, &rounded);
    for (size_t i = 0; i < t->markers.count; i++)
        tacDecimalShift(t->markers.at[i].time, shift, &t->markers.at[i].time, &rounded);
}

void tacOverlayFree(tacTimeline *t) {
    forget(t);
    tacArrayFree(&t->markers);
    tacArrayFree(&t->highlights);
    tacArrayFree(&t->framed);
    tacArrayFree(&t->lit);
}
