/*
 * layoutMisses.c -- missed deadlines: the part of a job's bars after its deadline has a strip in the colour of what is
 * late, and a mark stands at the deadline.
 *
 * This is for rows whose slices are drawn one by one; those that are drawn from sums have marks (layoutBars.c).
 */
#include "base/port.h"

#include "model/lod.h"
#include "model/query.h"
#include "view/layout.h"

#include <math.h>

static const float stripShare = 0.3f; /* of the bar's height */

static void drawStrip(tacDrawing *d, const tacSlice *slice, int64_t from, float top, float bottom, tacRef ref) {
    float x0 = tacX(d, from), x1 = tacX(d, slice->end), height = fmaxf(stripShare * (bottom - top), 1);
    bool red = d->style.colorBy == TAC_COLOR_OUTCOME && slice->state == TAC_STATE_RUNNING; /* the whole bar */
    if (!tacVisible(d, from, slice->end) || red) return;
    tacItem *item = tacAddRect(
        d, TAC_LAYER_PATTERNS, x0, bottom - height, fmaxf(x1, x0 + d->style.line), bottom, d->style.late, ref);
    if (item && x1 - x0 > 3 * d->style.line) {
        item->outline = d->style.ink;
        item->width = d->style.line;
    }
}

static void drawDeadline(tacDrawing *d, int64_t deadline, float top, float bottom, tacRef ref) {
    float x = tacX(d, deadline), over = 0.15f * (bottom - top);
    if (!tacVisible(d, deadline, deadline)) return;
    tacAddLine(d, TAC_LAYER_LINES, x, top - over, x, bottom + over, d->style.thick,
        d->style.colorBy == TAC_COLOR_OUTCOME ? d->style.ink : d->style.late, ref);
}

/* Draws what of a slice comes after its job's deadline. The mark belongs to the slice that is under way at the
 * deadline, else to the first one after it. */
static void drawSlice(tacDrawing *d, const tacFigureRow *row, uint8_t lane, uint32_t task, uint32_t index, tacRef ref) {
    const tacSlice *slice = &d->model->tasks[task].slices.at[index];
    const tacJob *job = &d->model->jobs.at[slice->job];
    float top, bottom;
    if (!(job->flags & TAC_JOB_MISSED) || slice->end <= job->deadline || tacJobHidden(d, job->id)
        || slice->state == TAC_STATE_BETWEEN)
        return;
    tacLaneEdges(row, lane, &top, &bottom);
    bool waited = job->start == TAC_UNKNOWN || job->start >= job->deadline;
    bool first = slice->begin <= job->deadline || (waited && index == job->firstSlice);
    if (first && slice->begin > job->deadline && row->kind == TAC_FIGURE_ROW_TASK)
        tacAddLine(d, TAC_LAYER_BACK, fmaxf(tacX(d, job->deadline), (float) d->scale.x0), bottom, tacX(d, slice->begin),
            bottom, d->style.thick, d->style.late, ref);
    drawStrip(d, slice, slice->begin > job->deadline ? slice->begin : job->deadline, top, bottom, ref);
    if (first) drawDeadline(d, job->deadline, top, bottom, ref);
    d->seen |= TAC_SEEN_LATE;
}

static void drawTask(tacDrawing *d, const tacFigureRow *row) {
    const tacTaskModel *task = &d->model->tasks[row->owner];
    uint32_t misses;
    tacLodMissed(d->model, row->owner, &misses);
    for (uint32_t i = misses ? tacQueryFirstSlice(d->model, row->owner, d->scale.from) : TAC_NONE;
         i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->begin > d->scale.to) return;
        if (row->partial && slice->processor != row->processor) continue;
        uint8_t lane = d->rows->laneOfJob && row->lanes > 1 ? d->rows->laneOfJob[slice->job] : 0;
        drawSlice(d, row, lane, row->owner, i, (tacRef){TAC_REF_SLICE, row->owner, i, 0});
    }
}

static void drawProcessor(tacDrawing *d, const tacFigureRow *row) {
    const tacProcessorModel *processor = &d->model->processors[row->owner];
    const uint8_t *lanes = d->rows->laneOfRun ? d->rows->laneOfRun[row->owner] : NULL;
    for (uint32_t i = tacQueryFirstRun(d->model, row->owner, d->scale.from); i < processor->runs.count; i++) {
        const tacRun *run = &processor->runs.at[i];
        if (d->model->tasks[run->task].slices.at[run->slice].begin > d->scale.to) return;
        if (!d->tasksHidden || !d->tasksHidden[run->task])
            drawSlice(d, row, lanes ? lanes[i] : 0, run->task, run->slice, (tacRef){TAC_REF_RUN, row->owner, i, 0});
    }
}

void tacDrawMisses(tacDrawing *d, const tacFigureRow *row) {
    (row->kind == TAC_FIGURE_ROW_PROCESSOR ? drawProcessor : drawTask)(d, row);
}
