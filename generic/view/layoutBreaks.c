/*
 * layoutBreaks.c -- idle gaps: finding those worth cutting out of the time axis, and the marks where they were cut.
 *
 * A gap is a stretch between two events in which no job runs and no budget is consumed. The longest are cut first, each
 * if it is longer than a tenth of the time that is left; a little of a gap stays on both sides, so that one sees that
 * nothing happens.
 */
#include "base/port.h"

#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 256 };            /* gaps looked at */
static const double leastShare = 0.1; /* of the time that is left */
static const double edgeShare = 0.02; /* of the time that is left: it stays on each side of a cut */

/* Does nothing run within the gap, apart from its ends? */
static bool isIdle(const tacModel *model, int64_t from, int64_t to) {
    for (uint32_t p = 0; p < model->nProcessors; p++) {
        uint32_t run = tacQueryFirstRun(model, p, from);
        for (; run < model->processors[p].runs.count; run++) {
            const tacRun *r = &model->processors[p].runs.at[run];
            const tacSlice *slice = &model->tasks[r->task].slices.at[r->slice];
            if (slice->begin >= to) break;
            if (slice->end > from && slice->end > slice->begin) return false;
        }
    }
    for (uint32_t s = 0; s < tacStoreObjects(model->store, TAC_SERVER); s++) {
        uint32_t consumers = 0;
        if (tacQueryBudget(model, s, from, &consumers) > 0 && consumers > 0) return false;
    }
    return true;
}

static int compareLength(const void *left, const void *right) {
    double a = tacTicksBetween(((const tacGap *) left)->from, ((const tacGap *) left)->to);
    double b = tacTicksBetween(((const tacGap *) right)->from, ((const tacGap *) right)->to);
    return a > b ? -1 : a < b;
}

static int compareBegin(const void *left, const void *right) {
    int64_t a = ((const tacGap *) left)->from, b = ((const tacGap *) right)->from;
    return a < b ? -1 : a > b;
}

/* Finds the stretches between neighbouring events, and to the window's end, that are longer than `least` ticks. */
static int longStretches(const tacDrawing *d, int64_t from, int64_t to, double least, tacGap *gaps) {
    const tacStore *store = d->store;
    int n = 0;
    int64_t last = from;
    for (uint32_t row = tacStoreFind(store, from); n < CANDIDATES; row++) {
        int64_t time = row < tacStoreCount(store) && tacRowTime(store, row) < to ? tacRowTime(store, row) : to;
        if (tacTicksBetween(last, time) > least) gaps[n++] = (tacGap){last, time};
        if (time == to) break;
        last = time;
    }
    return n;
}

int tacFindGaps(const tacDrawing *d, int64_t from, int64_t to, tacGap *gaps, int most) {
    tacGap found[CANDIDATES];
    double left = tacTicksBetween(from, to);
    int n = longStretches(d, from, to, left / CANDIDATES, found), cut = 0;
    qsort(found, (size_t) n, sizeof *found, compareLength);
    for (int i = 0; i < n && cut < most; i++) {
        double length = tacTicksBetween(found[i].from, found[i].to);
        if (length > leastShare * left && isIdle(d->model, found[i].from, found[i].to)) {
            gaps[cut++] = found[i];
            left -= length * (1 - 2 * edgeShare);
        }
    }
    for (int i = 0; i < cut; i++) {
        double length = tacTicksBetween(gaps[i].from, gaps[i].to);
        int64_t edge = (int64_t) fmax(1, fmin(edgeShare * left, length / 4));
        gaps[i].from += edge;
        gaps[i].to -= edge;
    }
    qsort(gaps, (size_t) cut, sizeof *gaps, compareBegin);
    return cut;
}

/* Draws two slanted strokes around a height. */
static void drawStrokes(tacDrawing *d, float x0, float x1, float y, float height) {
    float lean = height * 0.3f;
    tacAddLine(d, TAC_LAYER_LINES, x0 - lean, y + height / 2, x0 + lean, y - height / 2, d->style.line, d->style.ink,
        (tacRef){TAC_REF_AXIS, 0, 0, 0});
    tacAddLine(d, TAC_LAYER_LINES, x1 - lean, y + height / 2, x1 + lean, y - height / 2, d->style.line, d->style.ink,
        (tacRef){TAC_REF_AXIS, 0, 0, 0});
}

/*
 * Draws a stripe of paper over all rows, so that bars and curves visibly stop, and strokes on the axis (at d->y) and at
 * the middle of rows' bars.
 */
void tacDrawBreaks(tacDrawing *d) {
    for (int i = 0; i + 1 < d->scale.nSegments; i++) {
        float x0 = (float) d->scale.segments[i].x1, x1 = (float) d->scale.segments[i + 1].x0,
              size = 0.7f * d->style.fontSize;
        tacAddRect(
            d, TAC_LAYER_LINES, x0, d->top, x1, d->y + size / 2, d->style.paper, (tacRef){TAC_REF_AXIS, 0, 0, 0});
        for (size_t r = 0; r < d->rows->rows.count; r++) {
            const tacFigureRow *row = &d->rows->rows.at[r];
            if (row->away || tacFigureRowIsHeading(row)) continue;
            drawStrokes(d, x0, x1,
                d->rtsched || row->kind == TAC_FIGURE_ROW_SERVER ? row->bottom : (row->bar + row->bottom) / 2, size);
        }
        drawStrokes(d, x0, x1, d->y, size);
    }
}
