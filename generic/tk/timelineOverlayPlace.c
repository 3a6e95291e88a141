/*
 * timelineOverlayPlace.c -- the places of the things that lie over the picture: areas of the window, in whole pixels.
 *
 * Drawing, dirty areas and identify all ask here, so that the same area is drawn, drawn again and hit. It needs a laid
 * out frame. The items that highlights mean are looked for once a layout (tacOverlayPlace), since the picture is put
 * together many times from one layout.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/search.h"
#include "tk/timelineState.h"
#include "view/maths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FLAG_LEVELS = 4 }; /* lines of flags one below the other; more flags at one place overlap */

static const float flagSize = 0.85f; /* of the font size */
static const float flagMost = 110;   /* points: a longer label is cut */
static const float findingReach = 4; /* points that a finding's mark reaches to either side, and half of its height */
static const float frameReach = 2;   /* points that a highlight's frame stands out */
static const float leastFramed = 4;  /* points: a smaller thing is framed as if it had this size */

/* ---- boxes and areas -------------------------------------------------------------------------------------------- */

/* Box of the plot and the axis, in points of the frame. */
static tacBox plotBox(const tacTimeline *t) {
    const tacFrame *frame = &t->frame;
    return (tacBox){frame->left, frame->boxes[TAC_PART_PINNED].y0, frame->right, frame->boxes[TAC_PART_AXIS].y1};
}

tacArea tacTimelineArea(const tacTimeline *t, tacBox box) {
    double scaling = t->scaling, inset = tacTimelineInset(t), most = 1 << 28;
    double x0 = fmax(floor(box.x0 * scaling), -most), y0 = fmax(floor(box.y0 * scaling), -most);
    double x1 = fmin(ceil(box.x1 * scaling), most), y1 = fmin(ceil(box.y1 * scaling), most);
    if (!(x1 > x0 && y1 > y0)) return (tacArea){0, 0, 0, 0};
    return (tacArea){(int) (x0 + inset), (int) (y0 + inset), (int) (x1 - x0), (int) (y1 - y0)};
}

float tacTimelinePoints(const tacTimeline *t, double pixels) {
    return (float) ((pixels - tacTimelineInset(t)) / t->scaling);
}

static int lineWidth(const tacTimeline *t) {
    int width = (int) lround(0.75 * t->scaling);
    return width > 1 ? width : 1;
}

/* ---- lines at a time, and the selection ------------------------------------------------------------------------- */

tacArea tacLineArea(const tacTimeline *t, int64_t time) {
    if (time < t->from || time > t->to) return (tacArea){0, 0, 0, 0};
    tacArea plot = tacTimelineArea(t, plotBox(t));
    return (tacArea){(int) floor(tacTimelineXOf(t, time)), plot.y, lineWidth(t), plot.height};
}

tacArea tacSelectionArea(const tacTimeline *t, int64_t from, int64_t to) {
    if (to < t->from || from > t->to) return (tacArea){0, 0, 0, 0};
    tacArea plot = tacTimelineArea(t, plotBox(t));
    int x0 = (int) floor(tacTimelineXOf(t, from > t->from ? from : t->from)),
        x1 = (int) floor(tacTimelineXOf(t, to < t->to ? to : t->to));
    return (tacArea){x0, plot.y, x1 - x0 + lineWidth(t), plot.height};
}

/* ---- flags of markers ------------------------------------------------------------------------------------------- */

static float textWidth(const tacTimeline *t, const char *text, size_t length, float size) {
    return t->measure.width(t->measure.data, text, length, size, false, NULL, NULL);
}

/* Sets the text of a flag: all of it, or the longest beginning that fits with an ellipsis. */
static void cutText(const tacTimeline *t, const char *text, float size, tacFlag *flag) {
    size_t whole = strlen(text), most = sizeof flag->text - sizeof TAC_ELLIPSIS;
    flag->cut = whole > most || textWidth(t, text, whole, size) > flagMost;
    if (!flag->cut) {
        memcpy(flag->text, text, whole + 1);
        return;
    }
    if (tacMathsIn(text, whole)) {
        tacText cut = {0};
        tacFittingMaths(&t->measure, text, flagMost, 0, sizeof flag->text - 1, size, false, &cut);
        snprintf(flag->text, sizeof flag->text, "%s", cut.failed || !cut.at ? TAC_ELLIPSIS : cut.at);
        tacTextFree(&cut);
        return;
    }
    size_t fits = tacFittingLength(&t->measure, text, whole < most ? whole : most, flagMost - size, size, false);
    memcpy(flag->text, text, fits);
    memcpy(flag->text + fits, TAC_ELLIPSIS, sizeof TAC_ELLIPSIS);
}

static int flagHeight(const tacTimeline *t) { return (int) ceil(1.5 * flagSize * t->options.fontSize * t->scaling); }

/* The flag of a marker, in the first line. */
static tacFlag flagOf(const tacTimeline *t, const tacMarker *marker) {
    tacFlag flag = {.marker = marker};
    float size = flagSize * (float) t->options.fontSize;
    tacArea plot = tacTimelineArea(t, plotBox(t)), line = tacLineArea(t, marker->time);
    cutText(t, marker->label && *marker->label ? marker->label : marker->name, size, &flag);
    int width = (int) ceil((textWidth(t, flag.text, strlen(flag.text), size) + 0.7f * size) * t->scaling);
    flag.area = (tacArea){line.x, plot.y, width, flagHeight(t)};
    if (flag.area.x + width > plot.x + plot.width) flag.area.x = line.x + line.width - width;
    return flag;
}

/* Moves a flag to the first line where it hides none of those before it. */
static void findRoom(tacFlag *flag, const tacFlags *before) {
    int top = flag->area.y;
    for (int level = 0; level < FLAG_LEVELS; level++) {
        size_t i = 0;
        flag->area.y = top + level * flag->area.height;
        while (i < before->count && tacAreaEmpty(tacAreaCommon(flag->area, before->at[i].area))) i++;
        if (i == before->count) return;
    }
    flag->area.y = top;
}

bool tacOverlayFlags(const tacTimeline *t, tacFlags *flags) {
    for (size_t i = 0; i < t->markers.count; i++) {
        if (tacAreaEmpty(tacLineArea(t, t->markers.at[i].time))) continue;
        tacFlag flag = flagOf(t, &t->markers.at[i]);
        findRoom(&flag, flags);
        if (!tacArrayPush(flags, flag)) return false;
    }
    return true;
}

tacArea tacFlagsArea(const tacTimeline *t) {
    tacArea plot = tacTimelineArea(t, plotBox(t));
    if (!t->markers.count) return (tacArea){0, 0, 0, 0};
    int beside = (int) ceil(flagMost * t->scaling);
    return (tacArea){plot.x - beside, plot.y, plot.width + 2 * beside, (FLAG_LEVELS + 1) * flagHeight(t)};
}

/* ---- the length between A and B ---------------------------------------------------------------------------------- */

/* Writes a length of time with its unit, as exactly as it is. */
static void writeLength(const tacTimeline *t, int64_t length, char text[TAC_DECIMAL_SIZE]) {
    const char *unit = t->trace->store.unit;
    int exponent;
    if (unit && tacTimeUnit(unit, strlen(unit), &exponent)) tacLengthText(length, t->digits, exponent, 0, text);
    else tacDecimalFormat(length, t->digits, text);
}

/* Moves the length below the first line, where no flag hides its text. */
static void avoidFlags(const tacTimeline *t, const tacFlags *flags, tacDimension *d) {
    for (int level = 0; level < 2 * (FLAG_LEVELS - 1); level++) {
        size_t i = 0;
        while (i < flags->count && tacAreaEmpty(tacAreaCommon(d->label, flags->at[i].area))) i++;
        if (i == flags->count) return;
        d->y += 0.5 * flagHeight(t);
        d->label.y = (int) floor(d->y - 0.5 * flagHeight(t));
    }
}

bool tacOverlayDimension(const tacTimeline *t, const tacFlags *flags, tacDimension *d) {
    const tacMarker *a = tacMarkerOf(t, "A"), *b = tacMarkerOf(t, "B");
    int64_t length, first, last;
    if (!a || !b || a->time == b->time) return false;
    first = a->time < b->time ? a->time : b->time, last = a->time < b->time ? b->time : a->time;
    if (last < t->from || first > t->to || __builtin_sub_overflow(last, first, &length)) return false;
    tacArea plot = tacTimelineArea(t, plotBox(t));
    d->hasFirst = first >= t->from, d->hasLast = last <= t->to;
    d->x0 = d->hasFirst ? floor(tacTimelineXOf(t, first)) + lineWidth(t) : plot.x;
    d->x1 = d->hasLast ? floor(tacTimelineXOf(t, last)) : plot.x + plot.width;
    d->y = plot.y + 1.9 * flagHeight(t);
    d->size = flagSize * (float) t->options.fontSize;
    writeLength(t, length, d->text);
    double width = textWidth(t, d->text, strlen(d->text), d->size) * t->scaling, pad = 0.4 * d->size * t->scaling,
           head = 5 * t->scaling;
    d->within = d->x1 - d->x0 >= width + 2 * (pad + head);
    double left = d->within ? (d->x0 + d->x1 - width) / 2 : d->x1 + head + pad;
    if (!d->within && left + width + pad > plot.x + plot.width) left = d->x0 - head - pad - width;
    d->label = (tacArea){
        (int) floor(left - pad), (int) floor(d->y - 0.5 * flagHeight(t)), (int) ceil(width + 2 * pad), flagHeight(t)};
    d->textX = left;
    avoidFlags(t, flags, d);
    return d->label.x >= plot.x;
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

tacArea tacFindingsArea(const tacTimeline *t) {
    bool some = t->findings.listed.count;
    for (int i = 0; i < TAC_FINDING_SEVERITIES; i++) some |= t->findings.unlisted[i].count > 0;
    if (!some || !(t->layers & TAC_SHOW_FINDINGS)) return (tacArea){0, 0, 0, 0};
    return tacTimelineArea(t,
        (tacBox){t->frame.left - findingReach, t->axis - 2 * findingReach, t->frame.right + findingReach, t->axis + 1});
}

/* Takes a finding in place of the best one so far, when it is nearer, or more severe; *best: how far that is, pixels.
 */
static void weigh(const tacTimeline *t, int x, const tacFindingMark *mark, tacFindingMark *found, double *best) {
    bool first = found->begin == TAC_UNKNOWN;
    if (mark->begin < t->from || mark->begin > t->to) return;
    double away = fabs(tacTimelineXOf(t, mark->begin) - x);
    if (away > findingReach * t->scaling || (!first && mark->severity < found->severity)) return;
    if (!first && mark->severity == found->severity && away >= *best) return;
    *found = *mark;
    *best = away;
}

/* Weighs the finding of a severity that is only counted and nearest to x. */
static void weighUnlisted(const tacTimeline *t, int x, tacSeverity severity, tacFindingMark *found, double *best) {
    const tacUnlisted *all = t->findings.unlisted[severity].at;
    size_t n = t->findings.unlisted[severity].count;
    int64_t time = tacTimelineTimeAt(t, x);
    size_t after = tacPast(size_t, 0, n, i, all[i].begin < time);
    for (size_t i = after ? after - 1 : 0; i < n && i <= after; i++) {
        tacFindingMark mark = {all[i].begin, TAC_UNKNOWN, severity, TAC_NONE, all[i].check};
        weigh(t, x, &mark, found, best);
    }
}

/* The finding under the pointer: the most severe, and of those the nearest. */
bool tacOverlayFindingAt(const tacTimeline *t, int x, int y, tacFindingMark *found) {
    tacArea strip = tacFindingsArea(t);
    double reach = 1.5 * findingReach * t->scaling, best = 0;
    *found = (tacFindingMark){.begin = TAC_UNKNOWN};
    if (y < strip.y || y >= strip.y + strip.height) return false;
    const tacFindingMark *all = t->findings.listed.at;
    int64_t begin = tacTimelineTimeAt(t, x - reach), end = tacTimelineTimeAt(t, x + reach);
    size_t n = t->findings.listed.count, first = tacPast(size_t, 0, n, i, all[i].begin < begin);
    for (size_t i = first; i < n && all[i].begin <= end; i++) weigh(t, x, &all[i], found, &best);
    for (int severity = 0; severity < TAC_FINDING_SEVERITIES; severity++)
        weighUnlisted(t, x, (tacSeverity) severity, found, &best);
    return found->begin != TAC_UNKNOWN;
}

/* ---- highlights ------------------------------------------------------------------------------------------------- */

bool tacHighlightMeans(const tacTimeline *t, const tacHighlight *highlight, const tacItem *item) {
    const tacModel *model = &t->trace->model;
    uint32_t task = item->owner, slice = item->index;
    if (item->kind == TAC_ITEM_TEXT || item->kind == TAC_ITEM_PATH) return false;
    if (item->refKind == TAC_REF_EVENT)
        return highlight->kind == TAC_HIGHLIGHT_EVENT && item->index == highlight->index;
    if (item->refKind == TAC_REF_RUN) {
        const tacRun *run = &model->processors[item->owner].runs.at[item->index];
        task = run->task, slice = run->slice;
    } else if (item->refKind != TAC_REF_SLICE) return false;
    if (highlight->kind == TAC_HIGHLIGHT_SLICE) return task == highlight->owner && slice == highlight->index;
    return highlight->kind == TAC_HIGHLIGHT_JOB && model->tasks[task].slices.at[slice].job == highlight->index;
}

/* Box of an item, in points of the frame. */
static tacBox itemBox(const tacItem *item) {
    tacBox box = {
        fminf(item->x0, item->x1), fminf(item->y0, item->y1), fmaxf(item->x0, item->x1), fmaxf(item->y0, item->y1)};
    if (item->kind == TAC_ITEM_SHAPE) {
        float radius = item->x1 / 2;
        box = (tacBox){item->x0 - radius, item->y0 - radius, item->x0 + radius, item->y0 + radius};
    }
    return box;
}

/* The area of a frame around the box, large enough to be seen, within the visible part `within`. */
static tacArea frameArea(const tacTimeline *t, tacBox box, tacBox within) {
    float wide = fmaxf(0, leastFramed - (box.x1 - box.x0)) / 2 + frameReach,
          high = fmaxf(0, leastFramed - (box.y1 - box.y0)) / 2 + frameReach;
    tacBox around = {box.x0 - wide, box.y0 - high, box.x1 + wide, box.y1 + high};
    return tacTimelineArea(t, tacBoxCommon(around, within));
}

tacArea tacItemFrame(const tacTimeline *t, const tacItem *item, tacBox within) {
    return frameArea(t, itemBox(item), within);
}

static void addFrame(tacTimeline *t, tacBox box, tacBox within) {
    tacArea area = frameArea(t, box, within);
    if (!tacAreaEmpty(area)) tacArrayPush(&t->framed, area); /* without memory one frame is missing */
}

/* Frames the items that a highlight means. Returns their number. */
static size_t frameItems(tacTimeline *t, const tacHighlight *highlight) {
    size_t before = t->framed.count;
    for (int part = 0; part < TAC_PARTS; part++) {
        const tacDisplay *display = &t->frame.parts[part];
        for (size_t i = 0; i < display->items.count; i++)
            if (tacHighlightMeans(t, highlight, &display->items.at[i]))
                addFrame(t, itemBox(&display->items.at[i]), t->frame.boxes[part]);
    }
    return t->framed.count - before;
}

static void frameRow(tacTimeline *t, const tacHighlight *highlight) {
    size_t length;
    const char *key = tacInternName(&t->names, highlight->index, &length);
    tacWindowRow *row = tacWindowRowOf(&t->rows, key, length);
    tacBox box;
    if (row && tacFrameSeenBox(&t->rows, &t->frame, row, &box))
        addFrame(t, box, t->frame.boxes[row->pinned ? TAC_PART_PINNED : TAC_PART_ROWS]);
}

/* Frames a stretch of time in the rows of a task. */
static void frameTimes(tacTimeline *t, uint32_t task, int64_t begin, int64_t end) {
    tacBox box;
    for (size_t i = 0; i < t->rows.order.count; i++) {
        const tacWindowRow *row = &t->rows.order.at[i];
        const tacFigureRow *drawn = &t->rows.rows.rows.at[row->row];
        if (drawn->kind != TAC_FIGURE_ROW_TASK || drawn->owner != task || end < t->from || begin > t->to
            || !tacFrameSeenBox(&t->rows, &t->frame, row, &box))
            continue;
        box.x0 = (float) tacScaleX(&t->frame.scale, begin);
        box.x1 = (float) tacScaleX(&t->frame.scale, end);
        addFrame(t, box, t->frame.boxes[row->pinned ? TAC_PART_PINNED : TAC_PART_ROWS]);
    }
}

/* Frames the stretch of time of a thing that is too narrow for an item of its own, and is merged with others. */
static void frameMerged(tacTimeline *t, const tacHighlight *highlight) {
    const tacModel *model = &t->trace->model;
    if (highlight->kind == TAC_HIGHLIGHT_SLICE) {
        const tacSlice *slice = &model->tasks[highlight->owner].slices.at[highlight->index];
        frameTimes(t, highlight->owner, slice->begin, slice->end);
    } else if (highlight->kind == TAC_HIGHLIGHT_JOB) {
        const tacJob *job = &model->jobs.at[highlight->index];
        frameTimes(
            t, job->task, tacJobBegin(model, job), job->completion == TAC_UNKNOWN ? model->end : job->completion);
    } else {
        int64_t time = tacRowTime(model->store, highlight->index);
        uint32_t task = tacRowTask(model, highlight->index);
        if (task != TAC_NONE) frameTimes(t, task, time, time);
    }
}

/* Finds the axis' line, which is the longest level one, and the lower end of its numbers, where the strip of messages
 * may begin. */
static void findAxis(tacTimeline *t) {
    const tacDisplay *display = &t->frame.parts[TAC_PART_AXIS];
    float longest = 0;
    t->axis = t->axisBottom = t->frame.boxes[TAC_PART_AXIS].y0;
    for (size_t i = 0; i < display->items.count; i++) {
        const tacItem *item = &display->items.at[i];
        if (item->refKind != TAC_REF_AXIS) continue;
        if (item->kind == TAC_ITEM_LINE && item->y0 == item->y1 && item->x1 - item->x0 > longest)
            longest = item->x1 - item->x0, t->axis = item->y0;
        t->axisBottom = fmaxf(t->axisBottom,
            item->kind == TAC_ITEM_TEXT ? item->y0 + (item->middle ? 0.6f : 0.3f) * item->width : item->y0);
    }
}

void tacOverlayPlace(tacTimeline *t) {
    t->framed.count = t->lit.count = 0;
    findAxis(t);
    for (size_t i = 0; i < t->highlights.count; i++) {
        const tacHighlight *highlight = &t->highlights.at[i];
        if (highlight->kind == TAC_HIGHLIGHT_ROW) frameRow(t, highlight);
        else if (!frameItems(t, highlight)) frameMerged(t, highlight);
    }
}

/* ---- all areas -------------------------------------------------------------------------------------------------- */

bool tacOverlayAreas(const tacTimeline *t, tacAreas *areas) {
    bool fine = tacArrayPush(areas, tacFlagsArea(t)) && tacArrayPush(areas, tacFindingsArea(t));
    if (t->cursorShown) fine = fine && tacArrayPush(areas, tacLineArea(t, t->cursor));
    if (t->selected) fine = fine && tacArrayPush(areas, tacSelectionArea(t, t->selectionFrom, t->selectionTo));
    for (size_t i = 0; i < t->markers.count; i++)
        fine = fine && tacArrayPush(areas, tacLineArea(t, t->markers.at[i].time));
    for (size_t i = 0; i < t->strips.count; i++) fine = fine && tacArrayPush(areas, tacStripArea(t, &t->strips.at[i]));
    for (size_t i = 0; i < t->framed.count; i++) fine = fine && tacArrayPush(areas, t->framed.at[i]);
    for (size_t i = 0; i < t->lit.count; i++) fine = fine && tacArrayPush(areas, t->lit.at[i].area);
    return fine;
}
