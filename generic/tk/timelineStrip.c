/*
 * timelineStrip.c -- strips: coloured stretches of time under a row, set by scripts.
 *
 *      pathName strip set KEY {begin end color label ...}      what a model's instance, a test, a phase of work was at
 *
 * A strip may have any number of stretches: what is drawn, or hit, is found by binary search, and of those that are
 * narrower than a pixel only one a pixel is drawn. Strips belong to the trace and go with it; they stay when it is read
 * again.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tk/timelineState.h"
#include "view/color.h"

#include <math.h>
#include <string.h>

static const float stripHeight = 0.85f; /* of the font size */
static const float labelSize = 0.68f;   /* the same */
static const float stripGap = 1;        /* points below the row */

/* ---- places ------------------------------------------------------------------------------------------------------ */

bool tacStripBox(const tacTimeline *t, const tacStripRow *strip, tacBox *box) {
    const tacFrame *frame = &t->frame;
    tacWindowRow *row = tacWindowRowOf(&t->rows, strip->key, strlen(strip->key));
    if (!row || !tacFrameRowBox(&t->rows, frame, row, box)) return false;
    float top = box->y1 + stripGap;
    tacBox place = {frame->left, top, frame->right, top + stripHeight * (float) t->options.fontSize};
    *box = tacBoxCommon(place, frame->boxes[row->pinned ? TAC_PART_PINNED : TAC_PART_ROWS]);
    return box->x1 > box->x0 && box->y1 > box->y0;
}

/* Index of the first stretch that ends after a time. */
static size_t firstAfter(const tacStripRow *strip, int64_t time) {
    size_t low = 0, high = strip->pieces.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strip->pieces.at[middle].end <= time) low = middle + 1;
        else high = middle;
    }
    return low;
}

tacArea tacStripArea(const tacTimeline *t, const tacStripRow *strip) {
    tacBox box;
    return tacStripBox(t, strip, &box) ? tacTimelineArea(t, box) : (tacArea){0, 0, 0, 0};
}

const tacStripPiece *tacStripAt(const tacTimeline *t, int x, int y, const tacStripRow **found) {
    for (size_t i = 0; i < t->strips.count; i++) {
        const tacStripRow *strip = &t->strips.at[i];
        if (tacAreaEmpty(tacAreaCommon(tacStripArea(t, strip), (tacArea){x, y, 1, 1}))) continue;
        int64_t time = tacTimelineTimeAt(t, x);
        size_t at = firstAfter(strip, time);
        if (at >= strip->pieces.count || strip->pieces.at[at].begin > time) continue;
        *found = strip;
        return &strip->pieces.at[at];
    }
    return NULL;
}

float tacStripLabelSize(const tacTimeline *t) { return labelSize * (float) t->options.fontSize; }

const char *tacStripLabel(const tacTimeline *t, const tacStripPiece *piece) {
    return piece->label == TAC_NONE ? "" : tacInternName(&t->stripLabels, piece->label, NULL);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void setColor(cairo_t *cr, uint32_t color) {
    cairo_set_source_rgb(cr, (color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0, (color & 0xFF) / 255.0);
}

/* Writes the label of a stretch, where it fits. */
static void drawLabel(const tacTimeline *t, cairo_t *cr, const tacStripPiece *piece, tacArea area) {
    float size = tacStripLabelSize(t);
    const char *text = tacStripLabel(t, piece);
    size_t length = strlen(text);
    double room = area.width / t->scaling - 0.6 * size;
    if (!length || room < size || area.height < size * t->scaling) return;
    if (t->measure.width(t->measure.data, text, length, size, false, NULL, NULL) > room) return;
    tacTextPlace place = {.x = 0.3f * size,
        .baseline = (float) (area.height / t->scaling / 2) + 0.36f * size,
        .size = size,
        .anchor = TAC_ANCHOR_LEFT};
    cairo_save(cr);
    cairo_translate(cr, area.x, area.y);
    cairo_scale(cr, t->scaling, t->scaling);
    setColor(cr, tacColorLightness(piece->color) > 0.6 ? 0x000000 : 0xFFFFFF);
    tacShaperShow(t->shaper, cr, text, length, &place, false);
    cairo_restore(cr);
}

/* Draws the stretches of a strip from the left to the right edge of `within`, at least a pixel of each that is drawn.
 */
static void drawStrip(const tacTimeline *t, cairo_t *cr, const tacStripRow *strip, tacArea band, tacArea within) {
    int right = within.x + within.width, from = within.x > band.x ? within.x : band.x;
    size_t i = firstAfter(strip, tacTimelineTimeAt(t, from - 1));
    while (i < strip->pieces.count) {
        const tacStripPiece *piece = &strip->pieces.at[i];
        double x0 = fmax(floor(tacTimelineXOf(t, piece->begin)), band.x),
               x1 = fmin(floor(tacTimelineXOf(t, piece->end)), band.x + band.width);
        if (x0 >= right || x0 >= band.x + band.width) return;
        tacArea area = {(int) x0, band.y, (int) fmax(1, x1 - x0), band.height};
        setColor(cr, tacTimelineColor(t, piece->color));
        cairo_rectangle(cr, area.x, area.y, area.width, area.height);
        cairo_fill(cr);
        drawLabel(t, cr, piece, area);
        size_t next = x1 > x0 ? i + 1 : firstAfter(strip, tacTimelineTimeAt(t, (int) x0 + 1));
        i = next > i ? next : i + 1;
    }
}

void tacStripsDraw(const tacTimeline *t, cairo_t *cr, tacArea within) {
    for (size_t i = 0; i < t->strips.count; i++) {
        tacArea band = tacStripArea(t, &t->strips.at[i]), part = tacAreaCommon(band, within);
        if (tacAreaEmpty(part)) continue;
        cairo_save(cr);
        cairo_rectangle(cr, band.x, band.y, band.width, band.height);
        cairo_clip(cr);
        drawStrip(t, cr, &t->strips.at[i], band, part);
        cairo_restore(cr);
    }
}

/* ---- setting ----------------------------------------------------------------------------------------------------- */

static tacStripRow *findStrip(tacTimeline *t, const char *key) {
    for (size_t i = 0; i < t->strips.count; i++)
        if (strcmp(t->strips.at[i].key, key) == 0) return &t->strips.at[i];
    return NULL;
}

static void freeStrip(tacStripRow *strip) {
    tacFree(strip->key);
    tacArrayFree(&strip->pieces);
    tacReplace(&strip->list, NULL);
}

static void touch(tacTimeline *t, const tacStripRow *strip) {
    if (t->drawn) tacTimelineTouch(t, tacStripArea(t, strip));
}

/* Reads a stretch from four words, which must not begin before `from`. */
static int readPiece(tacTimeline *t, Tcl_Obj *const words[], int64_t from, tacStripPiece *piece) {
    Tcl_Size length;
    const char *label = Tcl_GetStringFromObj(words[3], &length);
    if (tacTimelineTime(t, words[0], &piece->begin) != TCL_OK || tacTimelineTime(t, words[1], &piece->end) != TCL_OK)
        return TCL_ERROR;
    if (!tacColorParse(Tcl_GetString(words[2]), &piece->color))
        return tacTclFail(t->widget.interp, "WIDGET COLOR", "bad colour \"%.60s\"", Tcl_GetString(words[2]));
    if (piece->begin < from || piece->end < piece->begin)
        return tacTclFail(t->widget.interp, "WIDGET STRIP",
            "bad stretch from %.50s to %.50s: stretches must be in the order of time and must not overlap",
            Tcl_GetString(words[0]), Tcl_GetString(words[1]));
    piece->label = length ? tacIntern(&t->stripLabels, label, (size_t) length) : TAC_NONE;
    return length && piece->label == TAC_NONE ? tacTclMemory(t->widget.interp) : TCL_OK;
}

static int readPieces(tacTimeline *t, Tcl_Obj *list, tacStripRow *strip) {
    Tcl_Size count;
    Tcl_Obj **words;
    int64_t from = INT64_MIN;
    if (Tcl_ListObjGetElements(t->widget.interp, list, &count, &words) != TCL_OK) return TCL_ERROR;
    if (count % 4)
        return tacTclFail(t->widget.interp, "WIDGET STRIP", "a strip must be a list of begin, end, colour, label ...");
    for (Tcl_Size i = 0; i < count; i += 4) {
        tacStripPiece piece;
        if (readPiece(t, words + i, from, &piece) != TCL_OK) return TCL_ERROR;
        if (!tacArrayPush(&strip->pieces, piece)) return tacTclMemory(t->widget.interp);
        from = piece.end;
    }
    return TCL_OK;
}

static int stripSet(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    Tcl_Size length;
    const char *key = Tcl_GetStringFromObj(objv[3], &length);
    tacStripRow fresh = {0}, *old = findStrip(t, key);
    (void) objc;
    if (tacTimelineNeedTrace(t) != TCL_OK) return TCL_ERROR;
    int code = readPieces(t, objv[4], &fresh);
    fresh.key = code == TCL_OK ? tacCopyText(key, (size_t) length) : NULL;
    if (code == TCL_OK && !(fresh.key && tacArrayReserve(&t->strips, 1))) code = tacTclMemory(interp);
    if (code != TCL_OK) {
        freeStrip(&fresh);
        return code;
    }
    tacReplace(&fresh.list, objv[4]);
    old = findStrip(t, key);
    if (old) freeStrip(old);
    else old = &t->strips.at[t->strips.count++];
    *old = fresh;
    touch(t, old);
    return TCL_OK;
}

static int stripDelete(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) interp;
    for (int i = 3; i < objc; i++) {
        tacStripRow *strip = findStrip(t, Tcl_GetString(objv[i]));
        if (!strip) continue;
        touch(t, strip);
        freeStrip(strip);
        t->strips.count--;
        memmove(strip, strip + 1, (size_t) (t->strips.at + t->strips.count - strip) * sizeof *strip);
    }
    if (!t->strips.count) tacInternFree(&t->stripLabels);
    return TCL_OK;
}

static int stripGet(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacStripRow *strip = findStrip(data, Tcl_GetString(objv[3]));
    (void) objc;
    if (strip) Tcl_SetObjResult(interp, strip->list);
    return TCL_OK;
}

static int stripNames(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTimeline *t = data;
    (void) objc, (void) objv;
    Tcl_Obj *names = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < t->strips.count; i++) tacAppend(names, Tcl_NewStringObj(t->strips.at[i].key, -1));
    Tcl_SetObjResult(interp, names);
    return TCL_OK;
}

const tacSubcommand tacStripSubcommands[] = {
    {"delete", stripDelete, 0, -1, "?key ...?", "deletes the strips of rows"},
    {"get", stripGet, 1, 1, "key", "the strip of a row, as it was set"},
    {"names", stripNames, 0, 0, NULL, "keys of all rows that have a strip"},
    {"set", stripSet, 2, 2, "key stretches", "makes or changes the strip of a row"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacStripSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatchAt(data, interp, 2, "subcommand", objc, objv, tacStripSubcommands);
}

/* ---- with the trace ---------------------------------------------------------------------------------------------- */

void tacStripsForget(tacTimeline *t) {
    for (size_t i = 0; i < t->strips.count; i++) freeStrip(&t->strips.at[i]);
    tacArrayFree(&t->strips);
    tacInternFree(&t->stripLabels);
}

void tacStripsShift(tacTimeline *t, int shift) {
    bool rounded = false;
    for (size_t i = 0; i < t->strips.count; i++)
        for (size_t k = 0; k < t->strips.at[i].pieces.count; k++) {
            tacStripPiece *piece = &t->strips.at[i].pieces.at[k];
            if (tacDecimalShift(piece->begin, shift, &piece->begin, &rounded)
                && tacDecimalShift(piece->end, shift, &piece->end, &rounded))
                continue;
            tacStripsForget(t);
            return;
        }
}
