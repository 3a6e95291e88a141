/*
 * layoutMigrations.c -- migrations in the expanded view: dashed arrows from a task's row in the panel of the old
 * processor to its row in that of the new one. (Among rows of processors layoutSwitches.c draws them.)
 *
 * Where they would make a fence they are left out: the density of the bars shows the processors.
 */
#include "base/port.h"

#include "model/query.h"
#include "view/layout.h"

static const double migrationsPerPoint = 0.125; /* with more in a panel, none are drawn */

/* The processor on which a job was before it came to another one; TAC_NO_PROCESSOR: not known. */
static uint16_t processorBefore(const tacDrawing *d, uint32_t job, int64_t time, uint16_t here) {
    uint32_t task = d->model->jobs.at[job].task, i = tacQueryFirstSlice(d->model, task, time);
    const tacTaskModel *model = &d->model->tasks[task];
    while (i < model->slices.count && model->slices.at[i].begin <= time) i++;
    for (int looked = 0; i-- > 0 && looked < 1000; looked++) {
        const tacSlice *slice = &model->slices.at[i];
        if (slice->job == job && slice->processor != here && slice->begin <= time) return slice->processor;
    }
    return TAC_NO_PROCESSOR;
}

/* The row of a task in the panel of a processor; NULL: it has none there, or it is away. */
static const tacFigureRow *rowIn(const tacDrawing *d, uint32_t task, uint16_t processor) {
    const tacFigureRow *row = tacFigureRowsFind(d->rows, task, processor);
    return row && row->processor == processor ? row : NULL;
}

static void drawMigration(tacDrawing *d, uint16_t processor, uint32_t event) {
    int64_t time = tacRowTime(d->store, event);
    uint32_t job = tacQueryJob(d->model, tacRowSubject(d->store, event), time);
    if (job == TAC_NONE || tacJobIndexHidden(d, job)) return;
    uint32_t task = d->model->jobs.at[job].task;
    const tacFigureRow *to = rowIn(d, task, processor),
                       *from = to ? rowIn(d, task, processorBefore(d, job, time, processor)) : NULL;
    if (!from || from == to) return;
    bool down = to->bar > from->bar;
    float x = tacX(d, time), begin = down ? from->bottom : from->bar, end = down ? to->bar : to->bottom;
    if ((down ? end : begin) <= d->clipTop || (down ? begin : end) >= d->clipBottom) return;
    tacItem *item = tacAddLine(
        d, TAC_LAYER_LINES, x, begin, x, end, d->style.line, d->style.faint, (tacRef){TAC_REF_EVENT, task, event, 0});
    d->seen |= TAC_SEEN_MIGRATION;
    if (item) {
        item->dash = TAC_DASH_DASHED;
        item->heads = TAC_HEADS_LAST;
    }
}

void tacDrawPanelMigrations(tacDrawing *d) {
    for (uint32_t p = 0; p < d->model->nProcessors; p++) {
        const uint32_t *list = d->model->processors[p].migrations.at;
        size_t n = d->model->processors[p].migrations.count;
        size_t at = tacListFind(d->store, list, n, d->scale.from),
               end = tacListFindAfter(d->store, list, n, d->scale.to);
        if ((double) (end - at) > migrationsPerPoint * (d->scale.x1 - d->scale.x0)) {
            d->leftOut |= TAC_SEEN_MIGRATION;
            continue;
        }
        for (; at < end; at++) drawMigration(d, (uint16_t) p, list[at]);
    }
}
