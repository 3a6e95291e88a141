/*
 * timelineView.c -- the visible part of the trace: the range of time, and the scrolling of rows.
 *
 * All changes of the range end in tacTimelineRange, which keeps it within the bounds, at least a few ticks wide, and
 * sets the news. Times are whole ticks; only distances from a time of the range go through doubles, so times of any
 * size keep all their digits.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tcl/timeValue.h"
#include "tk/timelineState.h"

#include <math.h>
#include <string.h>

enum { LEAST_TICKS = 4 }; /* of a range */

static const double marginShare = 0.05; /* of the span, by which the range may go beyond it at either end */
static const double unitShare = 0.1;    /* of the range, by which `xview scroll 1 units` moves */
static const double pageShare = 0.9;    /* of the range, or of the height of the rows, for `scroll 1 pages` */
static const double seeMargin = 0.05;   /* of the range, on both sides of a stretch that `see` shows */
static const double unitRows = 2.5;     /* font sizes, by which `yview scroll 1 units` moves */

/* ---- ticks ------------------------------------------------------------------------------------------------------ */

/* time + ticks, cut where times end. */
static int64_t plusHalf(int64_t time, double ticks) {
    const int64_t most = TAC_TIME_LIMIT - 1;
    int64_t sum;
    if (!(fabs(ticks) < 9.2e18) || __builtin_add_overflow(time, (int64_t) ticks, &sum)) return ticks > 0 ? most : -most;
    return sum > most ? most : sum < -most ? -most : sum;
}

/* time + ticks, rounded, and cut where times end. In two steps, as the distance of two times can need 64 bits. */
static int64_t plus(int64_t time, double ticks) {
    double whole = rint(ticks), half = trunc(whole / 2);
    return plusHalf(plusHalf(time, half), whole - half);
}

static uint64_t distance(int64_t from, int64_t to) { return (uint64_t) to - (uint64_t) from; }

static int64_t after(int64_t from, uint64_t ticks) { return (int64_t) ((uint64_t) from + ticks); }

/* ---- bounds and range ------------------------------------------------------------------------------------------- */

/* Ticks of one time unit. */
static double oneUnit(int digits) { return pow(10, digits); }

int tacTimelineReach(const tacTimeline *t, Tcl_Interp *interp, int64_t reach[2]) {
    int64_t none[2], *ticks = reach ? reach : none;
    Tcl_Size count;
    Tcl_Obj **words;
    ticks[0] = ticks[1] = TAC_UNKNOWN;
    if (Tcl_ListObjGetElements(interp, t->options.reach, &count, &words) != TCL_OK) return TCL_ERROR;
    if (count == 0) return TCL_OK;
    if (count != 2) return tacTclFail(interp, "WIDGET REACH", "bad reach: must be a list of two times, or {}");
    for (int i = 0; i < 2; i++)
        if (tacTimeFromObj(interp, words[i], t->digits, &ticks[i]) != TCL_OK) return TCL_ERROR;
    return TCL_OK;
}

int tacTimelineOrigin(const tacTimeline *t, Tcl_Interp *interp, int64_t *origin) {
    int64_t none, *ticks = origin ? origin : &none;
    *ticks = 0;
    if (!*Tcl_GetString(t->options.origin)) return TCL_OK;
    return tacTimeFromObj(interp, t->options.origin, t->digits, ticks);
}

int64_t tacTimelineAxisOrigin(const tacTimeline *t) {
    int64_t origin;
    Tcl_InterpState state = Tcl_SaveInterpState(t->widget.interp, TCL_OK);
    bool known = tacTimelineOrigin(t, t->widget.interp, &origin) == TCL_OK;
    Tcl_RestoreInterpState(t->widget.interp, state);
    return known ? origin : 0;
}

/* Sets the bounds to what -reach says, and the trace within; times that this trace cannot tell are left out. Its own
 * margins do not count then, so that several timelines end at the same times. */
static void reachFurther(tacTimeline *t) {
    int64_t reach[2];
    Tcl_InterpState state = Tcl_SaveInterpState(t->widget.interp, TCL_OK);
    bool given = tacTimelineReach(t, t->widget.interp, reach) == TCL_OK && tacIsKnown(reach[0]);
    Tcl_RestoreInterpState(t->widget.interp, state);
    if (!given) return;
    t->low = reach[0] < t->first ? reach[0] : t->first;
    t->high = reach[1] > t->last ? reach[1] : t->last;
}

void tacTimelineBounds(tacTimeline *t) {
    t->first = t->last = t->low = t->high = 0;
    if (!t->trace) return;
    const tacModel *model = &t->trace->model;
    t->first = model->firstMark < model->begin ? model->firstMark : model->begin;
    t->last = model->lastMark > model->end ? model->lastMark : model->end;
    double length = tacTicksBetween(t->first, t->last);
    double margin = fmax(marginShare * (length > 0 ? length : 10 * oneUnit(t->digits)), LEAST_TICKS);
    t->low = plus(t->first, -margin);
    t->high = plus(t->last, margin);
    reachFurther(t);
}

void tacTimelineRange(tacTimeline *t, int64_t from, int64_t to) {
    uint64_t most = distance(t->low, t->high), width = to > from ? distance(from, to) : 0;
    if (width < LEAST_TICKS) {
        from = plus(from, -0.5 * (LEAST_TICKS - (double) width));
        width = LEAST_TICKS;
    }
    if (width > most) width = most;
    if (from < t->low) from = t->low;
    if (distance(from, t->high) < width || from > t->high) from = after(t->high, -width);
    to = after(from, width);
    if (from == t->from && to == t->to) return;
    t->from = from;
    t->to = to;
    tacTimelineStale(t, TAC_STALE_LAYOUT);
    tacTimelineNews(t, TAC_NEWS_ZOOMED | TAC_NEWS_XSCROLL);
}

/* Shows all of the trace; begins at 0 when that is near enough, as figures do. */
void tacTimelineRestart(tacTimeline *t) {
    t->from = t->to = 0;
    if (!t->trace) return;
    int64_t begin = t->first > 0 && (double) t->first <= 0.35 * (double) t->last ? 0 : t->first;
    if (begin < t->low) t->low = begin;
    tacTimelineRange(t, begin, t->last > begin ? t->last : plus(begin, oneUnit(t->digits)));
}

/* ---- time and place --------------------------------------------------------------------------------------------- */

/* The scale of the time axis. */
static tacScale scaleOf(const tacTimeline *t) {
    tacScale scale;
    tacScaleInit(&scale, t->from, t->to, t->frame.left, t->frame.right, NULL, 0, 0);
    return scale;
}

/* The tick next to the middle of the pixel. */
int64_t tacTimelineTimeAt(const tacTimeline *t, double x) {
    tacScale scale = scaleOf(t);
    double points = (x + 0.5 - tacTimelineInset(t)) / t->scaling;
    int64_t time = plus(t->from, (points - scale.x0) / scale.perTick);
    return time < t->low ? t->low : time > t->high ? t->high : time;
}

double tacTimelineXOf(const tacTimeline *t, int64_t time) {
    tacScale scale = scaleOf(t);
    return tacTimelineInset(t) + (scale.x0 + tacTicksBetween(t->from, time) * scale.perTick) * t->scaling;
}

/* ---- scrolling -------------------------------------------------------------------------------------------------- */

void tacTimelineXFractions(const tacTimeline *t, double fractions[2]) {
    double whole = tacTicksBetween(t->low, t->high);
    fractions[0] = whole > 0 ? tacTicksBetween(t->low, t->from) / whole : 0;
    fractions[1] = whole > 0 ? tacTicksBetween(t->low, t->to) / whole : 1;
}

/* Height of all rows, in pixels. */
static double rowsHeight(const tacTimeline *t) { return t->drawn ? t->rows.contentHeight * t->scaling : 0; }

/* Height of the part of the window that shows rows, in pixels. */
static double rowsSeen(const tacTimeline *t) {
    const tacBox *box = &t->frame.boxes[TAC_PART_ROWS];
    return t->drawn ? fmax(0, (box->y1 - box->y0) * t->scaling) : 0;
}

void tacTimelineYFractions(const tacTimeline *t, double fractions[2]) {
    double whole = rowsHeight(t);
    fractions[0] = whole > 0 ? fmin(t->scroll / whole, 1) : 0;
    fractions[1] = whole > 0 ? fmin((t->scroll + rowsSeen(t)) / whole, 1) : 1;
}

/* Scrolls the rows, as far as there are some. */
static void scrollTo(tacTimeline *t, int scroll) {
    double beyond = round(rowsHeight(t) - rowsSeen(t)); /* as the layout rounds what there is */
    int most = beyond > 0 ? beyond < INT32_MAX ? (int) beyond : INT32_MAX : 0;
    scroll = scroll < 0 ? 0 : scroll > most ? most : scroll;
    if (scroll == t->scroll) return;
    t->scroll = scroll;
    tacTimelineStale(t, TAC_STALE_LAYOUT);
    tacTimelineNews(t, TAC_NEWS_YSCROLL | TAC_NEWS_ZOOMED);
}

/* Moves the range, as far as the bounds allow; its width stays. */
static void shift(tacTimeline *t, double ticks) {
    int64_t from = plus(t->from, ticks);
    if (from < t->low) from = t->low;
    uint64_t width = distance(t->from, t->to);
    if (from > t->high || distance(from, t->high) < width) from = after(t->high, -width);
    tacTimelineRange(t, from, after(from, width));
}

int tacXviewSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    double fraction, width = tacTicksBetween(t->from, t->to), fractions[2];
    int count;
    if (objc == 2) {
        tacTimelineXFractions(t, fractions);
        return tacPairResult(interp, fractions[0], fractions[1]);
    }
    switch (Tk_GetScrollInfoObj(interp, objc, objv, &fraction, &count)) {
    case TK_SCROLL_MOVETO:
        fraction = fraction * tacTicksBetween(t->low, t->high) - tacTicksBetween(t->low, t->from);
        break;
    case TK_SCROLL_PAGES: fraction = count * pageShare * width; break;
    case TK_SCROLL_UNITS: fraction = count * unitShare * width; break;
    default: return TCL_ERROR;
    }
    if (t->trace && isfinite(fraction)) shift(t, fraction);
    return TCL_OK;
}

int tacYviewSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    double fraction, fractions[2], pixels;
    int count;
    tacTimelineLayout(t);
    if (objc == 2) {
        tacTimelineYFractions(t, fractions);
        return tacPairResult(interp, fractions[0], fractions[1]);
    }
    switch (Tk_GetScrollInfoObj(interp, objc, objv, &fraction, &count)) {
    case TK_SCROLL_MOVETO: pixels = fraction * rowsHeight(t); break;
    case TK_SCROLL_PAGES: pixels = t->scroll + count * pageShare * rowsSeen(t); break;
    case TK_SCROLL_UNITS: pixels = t->scroll + count * unitRows * t->options.fontSize * t->scaling; break;
    default: return TCL_ERROR;
    }
    if (t->drawn && isfinite(pixels)) scrollTo(t, (int) fmax(-1, fmin(rint(pixels), INT32_MAX / 2)));
    return TCL_OK;
}

/* ---- subcommands of the range ----------------------------------------------------------------------------------- */

/* Makes a range of time the result. */
static int rangeResult(tacTimeline *t, int64_t from, int64_t to) {
    Tcl_SetObjResult(t->widget.interp, tacTimelineRangeObj(t, from, to));
    return TCL_OK;
}

int tacSpanSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    (void) interp, (void) objc, (void) objv;
    return t->trace ? rangeResult(t, t->first, t->last) : TCL_OK;
}

/* Moves the range to an end of the trace. */
static int viewEnd(tacTimeline *t, Tcl_Obj *word) {
    static const char *const ends[] = {"begin", "end", NULL};
    int end;
    if (Tcl_GetIndexFromObj(t->widget.interp, word, ends, "end", 0, &end) != TCL_OK
        || tacTimelineNeedTrace(t) != TCL_OK)
        return TCL_ERROR;
    uint64_t width = distance(t->from, t->to);
    int64_t from = end ? after(t->last, -width) : t->first;
    if (end && distance(t->low, t->last) < width) from = t->low;
    tacTimelineRange(t, from, after(from, width));
    return TCL_OK;
}

int tacViewSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int64_t from, to;
    if (objc == 2) return t->trace ? rangeResult(t, t->from, t->to) : TCL_OK;
    if (objc == 3) return viewEnd(t, objv[2]);
    if (tacTimelineTime(t, objv[2], &from) != TCL_OK || tacTimelineTime(t, objv[3], &to) != TCL_OK) return TCL_ERROR;
    if (from > to) return tacTclFail(interp, "WIDGET RANGE", "the range's end must be after its begin");
    tacTimelineRange(t, from, to);
    return TCL_OK;
}

/* Reads a finite number, called `what` in the message. */
static int getNumber(Tcl_Interp *interp, Tcl_Obj *word, const char *what, double *number) {
    if (Tcl_GetDoubleFromObj(interp, word, number) != TCL_OK) return TCL_ERROR;
    return isfinite(*number)
        ? TCL_OK
        : tacTclFail(interp, "USAGE VALUE", "bad %s \"%.50s\": must be finite", what, Tcl_GetString(word));
}

int tacZoomSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int64_t about = plus(t->from, tacTicksBetween(t->from, t->to) / 2);
    double factor;
    if (tacTimelineNeedTrace(t) != TCL_OK || getNumber(interp, objv[2], "factor", &factor) != TCL_OK
        || (objc == 4 && tacTimelineTime(t, objv[3], &about) != TCL_OK))
        return TCL_ERROR;
    if (!(factor > 0))
        return tacTclFail(interp, "USAGE VALUE", "bad factor \"%.50s\": must be above 0", Tcl_GetString(objv[2]));
    tacTimelineRange(
        t, plus(about, -tacTicksBetween(t->from, about) / factor), plus(about, tacTicksBetween(about, t->to) / factor));
    return TCL_OK;
}

int tacPanSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    double share;
    (void) objc;
    if (tacTimelineNeedTrace(t) != TCL_OK || getNumber(interp, objv[2], "fraction", &share) != TCL_OK) return TCL_ERROR;
    shift(t, share * tacTicksBetween(t->from, t->to));
    return TCL_OK;
}

/* Scrolls a row into sight. */
static int seeRow(tacTimeline *t, Tcl_Obj *key) {
    tacBox box;
    if (tacTimelineNeed(t, tacTimelineLayout) != TCL_OK) return TCL_ERROR;
    tacWindowRow *row = tacTimelineRow(t, key);
    if (!row) return TCL_ERROR;
    if (row->pinned || !tacFrameSeenBox(&t->rows, &t->frame, row, &box)) return TCL_OK;
    double above = (t->frame.boxes[TAC_PART_ROWS].y0 - box.y0) * t->scaling,
           below = (box.y1 - t->frame.boxes[TAC_PART_ROWS].y1) * t->scaling;
    if (above > 0) scrollTo(t, t->scroll - (int) ceil(above));
    else if (below > 0) scrollTo(t, t->scroll + (int) ceil(fmin(below, below - above)));
    return TCL_OK;
}

int tacSeeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int64_t begin, end;
    if (objc == 4 && strcmp(Tcl_GetString(objv[2]), "-row") == 0) return seeRow(t, objv[3]);
    if (tacTimelineTime(t, objv[2], &begin) != TCL_OK || tacTimelineTime(t, objv[objc - 1], &end) != TCL_OK)
        return TCL_ERROR;
    if (end < begin) return tacTclFail(interp, "WIDGET RANGE", "the range's end must be after its begin");
    if (begin >= t->from && end <= t->to) return TCL_OK;
    /* The zoom stays, unless the stretch is wider. */
    double width = tacTicksBetween(t->from, t->to), length = tacTicksBetween(begin, end);
    double wanted = fmax(width, length / (1 - 2 * seeMargin)), before = (wanted - length) / 2;
    if (wanted > width) tacTimelineRange(t, plus(begin, -before), plus(end, before));
    else shift(t, tacTicksBetween(t->from, begin) - before);
    return TCL_OK;
}

int tacTimeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int x;
    (void) objc;
    if (Tk_GetPixelsFromObj(interp, t->widget.window, objv[2], &x) != TCL_OK
        || tacTimelineNeed(t, tacTimelineColumns) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, tacTimelineTimeObj(t, tacTimelineTimeAt(t, x)));
    return TCL_OK;
}

int tacXSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int64_t time;
    (void) objc;
    if (tacTimelineTime(t, objv[2], &time) != TCL_OK || tacTimelineNeed(t, tacTimelineColumns) != TCL_OK)
        return TCL_ERROR;
    double x = floor(tacTimelineXOf(t, time));
    Tcl_SetObjResult(interp, Tcl_NewIntObj((int) fmax(-1e9, fmin(x, 1e9))));
    return TCL_OK;
}
