/*
 * timelineSnap.c -- `snap`: the edge or event of a row that is nearest to a place, to which a selection or marker
 * sticks.
 *
 * Each kind of row has a sorted list of times, in which the nearest one is found by halving: a task's events (the edges
 * of its bars are events), a processor's runs, the points of a server's budget, the messages under the axis; where
 * there is no row, all events. The answer is exact, however far the view is zoomed out.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/search.h"
#include "model/query.h"
#include "tk/timelineState.h"

#include <math.h>

typedef struct Nearest {
    const tacTimeline *t;
    int64_t time; /* at the place */
    bool found;
    int64_t best;     /* nearest so far */
    const char *kind; /* of the nearest */
} Nearest;

/* Takes a time if it is nearer than the best so far. */
static void offer(Nearest *n, int64_t time, const char *kind) {
    if (n->found && fabs(tacTicksBetween(n->time, time)) >= fabs(tacTicksBetween(n->time, n->best))) return;
    n->found = true;
    n->best = time;
    n->kind = kind;
}

/* Offers an event; TAC_NONE: none. */
static void offerRow(Nearest *n, uint32_t row) {
    const tacStore *store = &n->t->trace->store;
    if (row < tacStoreCount(store)) offer(n, tacRowTime(store, row), tacTimelineEventName(store, row));
}

/* Offers the last event at or before the time, and the first one at or after it. */
static void offerTask(Nearest *n, const tacFigureRow *row) {
    const tacModel *model = &n->t->trace->model;
    offerRow(n, tacQueryPrevious(model, row->owner, n->time < INT64_MAX ? n->time + 1 : n->time));
    offerRow(n, tacQueryNext(model, row->owner, n->time));
}

/* Offers the edges of runs. They are sorted by begin, so of those that begin before the time only the last few are
 * looked at, one of which may end next to it. */
static void offerProcessor(Nearest *n, const tacFigureRow *row) {
    enum { LOOK_BACK = 16 };
    const tacProcessorModel *processor = &n->t->trace->model.processors[row->owner];
    const tacTaskModel *tasks = n->t->trace->model.tasks;
    const tacRun *runs = processor->runs.at;
    size_t low = tacPast(
        size_t, 0, processor->runs.count, i, tasks[runs[i].task].slices.at[runs[i].slice].begin <= n->time);
    for (size_t i = low > LOOK_BACK ? low - LOOK_BACK : 0; i < processor->runs.count && i <= low; i++) {
        const tacSlice *slice = &tasks[runs[i].task].slices.at[runs[i].slice];
        offer(n, slice->begin, "begin");
        offer(n, slice->end, "end");
    }
}

/* Offers the points of the budget on both sides of the time. */
static void offerServer(Nearest *n, const tacFigureRow *row) {
    const tacServerModel *server = &n->t->trace->model.servers[row->owner];
    size_t low = tacPast(size_t, 0, server->points.count, i, server->points.at[i].time <= n->time);
    if (low > 0) offer(n, server->points.at[low - 1].time, "budget");
    if (low < server->points.count) offer(n, server->points.at[low].time, "budget");
}

static void (*const offers[])(Nearest *n, const tacFigureRow *row) = {[TAC_FIGURE_ROW_TASK] = offerTask,
    [TAC_FIGURE_ROW_PROCESSOR] = offerProcessor,
    [TAC_FIGURE_ROW_SERVER] = offerServer};

/* Offers the times of the row at y that are next to the time. */
static void search(Nearest *n, float y) {
    const tacTimeline *t = n->t;
    const tacModel *model = &t->trace->model;
    const tacStore *store = model->store;
    const tacWindowRow *row = tacFrameRow(&t->rows, &t->frame, y);
    if (row) offers[t->rows.rows.rows.at[row->row].kind](n, &t->rows.rows.rows.at[row->row]);
    else if (y >= t->frame.boxes[TAC_PART_AXIS].y0 && model->messages.count) {
        const uint32_t *messages = model->messages.at;
        size_t low = tacPast(size_t, 0, model->messages.count, i, tacRowTime(store, messages[i]) <= n->time);
        if (low > 0) offerRow(n, messages[low - 1]);
        if (low < model->messages.count) offerRow(n, messages[low]);
    } else {
        uint32_t next = tacStoreFind(store, n->time);
        offerRow(n, next);
        if (next > 0) offerRow(n, next - 1);
    }
}

int tacSnapSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    int x, y;
    (void) objc;
    if (Tk_GetPixelsFromObj(interp, t->widget.window, objv[2], &x) != TCL_OK
        || Tk_GetPixelsFromObj(interp, t->widget.window, objv[3], &y) != TCL_OK
        || tacTimelineNeed(t, tacTimelineLayout) != TCL_OK)
        return TCL_ERROR;
    Nearest n = {.t = t, .time = tacTimelineTimeAt(t, x)};
    search(&n, tacTimelinePoints(t, y + 0.5));
    bool near = n.found && fabs(tacTimelineXOf(t, n.best) - (x + 0.5)) <= t->options.snap + 0.5;
    Tcl_Obj *pair[] = {tacTimelineTimeObj(t, near ? n.best : n.time), Tcl_NewStringObj(near ? n.kind : "", -1)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, pair));
    return TCL_OK;
}
