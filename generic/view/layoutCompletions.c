/*
 * layoutCompletions.c -- rtsched convention: a small circle on the baseline where a job completes.
 *
 * (In the grasp convention the end of the bar shows it.) Completions that lie closer together than a mark is wide share
 * one mark, which counts them.
 */
#include "base/port.h"

#include "model/lod.h"
#include "model/query.h"
#include "view/layout.h"

/* Diameter of a mark in points. */
static float sizeOf(const tacDrawing *d) { return 0.3f * d->style.fontSize; }

void tacAddCompletion(tacDrawing *d, float x, float y, tacRef ref) {
    tacItem *item = tacDisplayAdd(d->display, TAC_ITEM_SHAPE, TAC_LAYER_LINES);
    if (item) {
        item->shape = TAC_SHAPE_DISK;
        item->x0 = x, item->y0 = y, item->x1 = sizeOf(d);
        item->fill = d->style.paper;
        item->ink = item->outline = d->style.ink;
        item->width = d->style.line;
        item->refKind = (uint8_t) ref.kind;
        item->owner = ref.owner, item->index = ref.index, item->count = ref.count;
    }
}

/* Adds the mark of a completion, or counts it with the mark before it when that is too close. */
static void addOrCount(tacDrawing *d, float x, float y, tacRef ref, uint32_t *mark) {
    tacItem *before = *mark < d->display->items.count ? &d->display->items.at[*mark] : NULL;
    d->seen |= TAC_SEEN_COMPLETION;
    if (before && x - before->x0 < sizeOf(d) / 2) {
        before->count = (before->refKind == TAC_REF_MERGED ? before->count : 1) + 1;
        before->refKind = TAC_REF_MERGED;
        return;
    }
    *mark = (uint32_t) d->display->items.count;
    tacAddCompletion(d, x, y, ref);
}

/* A completion is a slice that ends when its job completes. A row that is drawn from sums has no marks. */
void tacDrawCompletions(tacDrawing *d, const tacFigureRow *row) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    uint32_t mark = TAC_NONE;
    if (tacLodTaskCount(d->model, row->owner, d->scale.from, d->scale.to)
        > (d->tiles ? 0.25 : 3) * (d->scale.x1 - d->scale.x0))
        return;
    for (uint32_t i = tacQueryFirstSlice(d->model, row->owner, d->scale.from); i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        const tacJob *job = &d->model->jobs.at[slice->job];
        if (slice->begin > d->scale.to) break;
        bool here = !row->partial || slice->processor == row->processor;
        if (here && slice->end == job->completion && tacVisible(d, slice->end, slice->end) && !tacJobHidden(d, job->id))
            addOrCount(d, tacX(d, slice->end), row->bottom, (tacRef){TAC_REF_SLICE, row->owner, i, 0}, &mark);
    }
}
