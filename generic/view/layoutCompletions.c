/*
 * layoutCompletions.c -- rtsched convention: a small circle on the baseline where a job completes.
 *
 * (In the grasp convention the end of the bar shows it.) Completions that lie closer together than half a mark is wide
 * share one mark, which counts them; marks that touch are left out where many do.
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

/* A mark that stands for one completion or several. */
typedef struct Mark {
    float x;
    tacRef ref;
} Mark;
typedef TAC_ARRAY(Mark) Marks;

/* Adds a completion, or counts it with the mark before it when that is too close. */
static void addOrCount(tacDrawing *d, Marks *marks, float x, tacRef ref) {
    Mark *before = marks->count ? &marks->at[marks->count - 1] : NULL;
    if (before && x - before->x < sizeOf(d) / 2) {
        before->ref.count = (before->ref.kind == TAC_REF_MERGED ? before->ref.count : 1) + 1;
        before->ref.kind = TAC_REF_MERGED;
    } else if (!tacArrayPush(marks, ((Mark){x, ref}))) d->display->failed = true;
}

/* Draws the marks but for chains of them, which would hide the baseline and tell nothing apart. */
static void drawMarks(tacDrawing *d, const Marks *marks, float y) {
    enum { CHAIN = 6 }; /* marks that touch */
    for (size_t i = 0, end; i < marks->count; i = end) {
        for (end = i + 1; end < marks->count && marks->at[end].x - marks->at[end - 1].x < sizeOf(d);) end++;
        if (end - i >= CHAIN) {
            d->leftOut |= TAC_SEEN_COMPLETION;
            continue;
        }
        d->seen |= TAC_SEEN_COMPLETION;
        for (size_t k = i; k < end; k++) {
            tacAddCompletion(d, marks->at[k].x, y, marks->at[k].ref);
            d->several |= marks->at[k].ref.kind == TAC_REF_MERGED ? TAC_SEEN_COMPLETION : 0;
        }
    }
}

/* A completion is a slice that ends when its job completes. A row that is drawn from sums has no marks. */
void tacDrawCompletions(tacDrawing *d, const tacFigureRow *row) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    Marks marks = {0};
    if (tacLodTaskCount(d->model, row->owner, d->scale.from, d->scale.to)
        > (d->tiles ? 0.25 : 3) * (d->scale.x1 - d->scale.x0)) {
        d->leftOut |= TAC_SEEN_COMPLETION;
        return;
    }
    for (uint32_t i = tacQueryFirstSlice(d->model, row->owner, d->scale.from); i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        const tacJob *job = &d->model->jobs.at[slice->job];
        if (slice->begin > d->scale.to) break;
        bool here = !row->partial || slice->processor == row->processor;
        if (here && slice->end == job->completion && tacVisible(d, slice->end, slice->end) && !tacJobHidden(d, job->id))
            addOrCount(d, &marks, tacX(d, slice->end), (tacRef){TAC_REF_SLICE, row->owner, i, 0});
    }
    drawMarks(d, &marks, row->bottom);
    tacArrayFree(&marks);
}
