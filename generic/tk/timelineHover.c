/*
 * timelineHover.c -- `hover`: what is at the pointer, as `identify` tells it, lit together with what it belongs to.
 *
 *      a bar                        the bars that its arrows lead to and come from
 *      an arrow or mark of a job    the bars of the job, and of the one that gets the processor
 *      a mark of a task             the bar of the task at that time
 *      a message of processors      what ran on either when it was sent and received
 *      a mutex that is held         the bars of the job that holds it
 *
 * Only items of the frame are looked at, so the time that it takes depends on the pixels, not on the trace.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "model/neighbour.h"
#include "tcl/dictValue.h"
#include "tk/timelineState.h"

enum { MOST_LIT = 64 };
static const uint32_t hoverEffort = 1 << 14; /* of a folded group: a millisecond, about */

typedef struct Wanted { /* the things that are lit as other ends */
    tacHighlight at[4];
    int count;
} Wanted;

static void wantSlice(Wanted *wanted, uint32_t task, uint32_t slice) {
    wanted->at[wanted->count++] = (tacHighlight){TAC_HIGHLIGHT_SLICE, task, slice};
}

static void wantJob(Wanted *wanted, uint32_t job) {
    if (job != TAC_NONE) wanted->at[wanted->count++] = (tacHighlight){TAC_HIGHLIGHT_JOB, 0, job};
}

static void wantArrows(const tacModel *model, Wanted *wanted, uint32_t task, uint32_t slice) {
    tacArrowTo to;
    if (tacArrowForward(model, task, slice, &to)) wantSlice(wanted, to.task, to.slice);
    if (tacArrowBack(model, task, slice, &to)) wantSlice(wanted, to.task, to.slice);
}

/* Wants what a processor ran at a time. */
static void wantRunning(const tacModel *model, Wanted *wanted, uint32_t processor, int64_t time) {
    uint32_t job, slice, task;
    if (processor >= model->nProcessors || !tacQueryRunning(model, (uint16_t) processor, time, &job, 1)) return;
    task = model->jobs.at[job].task;
    slice = tacQuerySlice(model, task, 0, time);
    if (slice < model->tasks[task].slices.count && model->tasks[task].slices.at[slice].begin <= time)
        wantSlice(wanted, task, slice);
}

/* Wants what ran at both ends of a message between processors, as far as they are known. */
static void wantSync(const tacTimeline *t, Wanted *wanted, uint32_t row) {
    const tacStore *store = &t->trace->store;
    uint32_t other = tacSyncOtherEnd(&t->trace->clocks, row);
    bool isSent = tacRowEvent(store, row) == TAC_EV_SYNC_SENT;
    uint32_t sent = isSent ? row : other, received = isSent ? other : row;
    if (sent != TAC_NONE) wantRunning(&t->trace->model, wanted, tacRowSubject(store, row), tacRowTime(store, sent));
    if (received != TAC_NONE)
        wantRunning(&t->trace->model, wanted, tacRowObject(store, row), tacRowTime(store, received));
}

/* Wants what an event is about: its job, or what its task did then, and the job that it names by -target. */
static void wantEvent(const tacModel *model, Wanted *wanted, uint32_t row) {
    const tacStore *store = model->store;
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    int64_t time = tacRowTime(store, row);
    uint32_t task = tacRowTask(model, row);
    if (spec->nArguments > 0 && spec->arguments[0] == TAC_TYPE_JOB) {
        wantJob(wanted, tacQueryJob(model, tacRowSubject(store, row), time));
        if (tacEventHasTarget(tacRowEvent(store, row)) && tacRowObject(store, row) != TAC_NONE)
            wantJob(wanted, tacQueryJob(model, tacRowObject(store, row), time));
    } else if (task != TAC_NONE) {
        uint32_t slice = tacQuerySlice(model, task, 0, time);
        if (slice < model->tasks[task].slices.count && model->tasks[task].slices.at[slice].begin <= time)
            wantSlice(wanted, task, slice);
    }
}

/* The things at the other ends of an item. */
static Wanted othersOf(const tacTimeline *t, const tacItem *item) {
    const tacModel *model = &t->trace->model;
    Wanted wanted = {.count = 0};
    if (item->refKind == TAC_REF_SLICE) wantArrows(model, &wanted, item->owner, item->index);
    if (item->refKind == TAC_REF_RUN) {
        const tacRun *run = &model->processors[item->owner].runs.at[item->index];
        wantArrows(model, &wanted, run->task, run->slice);
    }
    if (item->refKind == TAC_REF_HOLD) wantJob(&wanted, model->tasks[item->owner].holds.at[item->index].job);
    if (item->refKind == TAC_REF_EVENT) {
        tacEvent event = tacRowEvent(model->store, item->index);
        if (event == TAC_EV_SYNC_SENT || event == TAC_EV_SYNC_RECEIVED) wantSync(t, &wanted, item->index);
        else wantEvent(model, &wanted, item->index);
    }
    return wanted;
}

/* Adds the area of an item; MOST_LIT are enough to be seen, and without memory one is missing. */
static void addLit(tacTimeline *t, const tacItem *item, tacBox within, bool other) {
    bool isLine = item->kind == TAC_ITEM_LINE; /* a lighter area around it would hide what it crosses */
    tacLit lit = {tacItemFrame(t, item, within), other, !other && !isLine};
    tacArea area = lit.area;
    if (!tacAreaEmpty(area) && t->lit.count < MOST_LIT) tacArrayPush(&t->lit, lit);
}

static bool isSame(const tacItem *a, const tacItem *b) {
    return a->refKind == b->refKind && a->owner == b->owner && a->index == b->index;
}

/* Is it a thing that can be framed: no text, and no curve, nor the ground? */
static bool canBeLit(const tacItem *item) {
    return item->kind != TAC_ITEM_TEXT && item->kind != TAC_ITEM_PATH
        && (item->refKind == TAC_REF_SLICE || item->refKind == TAC_REF_RUN || item->refKind == TAC_REF_HOLD
            || item->refKind == TAC_REF_EVENT);
}

/* Finds the items that show the thing at the pointer, and those at its other ends. */
static void light(tacTimeline *t, const tacItem *found) {
    Wanted wanted = othersOf(t, found);
    for (int part = 0; part < TAC_PARTS; part++) {
        const tacDisplay *display = &t->frame.parts[part];
        for (size_t i = 0; i < display->items.count; i++) {
            const tacItem *item = &display->items.at[i];
            if (!canBeLit(item)) continue;
            bool same = isSame(item, found), other = false;
            for (int k = 0; k < wanted.count && !same && !other; k++) other = tacHighlightMeans(t, &wanted.at[k], item);
            if (same || other) addLit(t, item, t->frame.boxes[part], other);
        }
    }
}

/* Touches all areas that are lit. */
static void touchLit(tacTimeline *t) {
    for (size_t i = 0; t->drawn && i < t->lit.count; i++) tacTimelineTouch(t, t->lit.at[i].area);
}

/* Puts the box around what is lit at the pointer, if anything is. */
static void putBox(const tacTimeline *t, Tcl_Obj *dict) {
    tacArea box = {0, 0, 0, 0};
    for (size_t i = 0; i < t->lit.count; i++) {
        if (t->lit.at[i].other) continue;
        box = tacAreaEmpty(box) ? t->lit.at[i].area : tacAreaAround(box, t->lit.at[i].area);
    }
    if (tacAreaEmpty(box)) return;
    Tcl_Obj *numbers[] = {
        Tcl_NewIntObj(box.x), Tcl_NewIntObj(box.y), Tcl_NewIntObj(box.width), Tcl_NewIntObj(box.height)};
    tacPut(dict, "box", Tcl_NewListObj(4, numbers));
}

int tacHoverSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    tacItem item;
    int x, y;
    if (objc == 2) {
        touchLit(t);
        t->lit.count = 0;
        return TCL_OK;
    }
    if (objc != 4) {
        Tcl_WrongNumArgs(interp, 2, objv, "?x y?");
        return TCL_ERROR;
    }
    if (Tk_GetPixelsFromObj(interp, t->widget.window, objv[2], &x) != TCL_OK
        || Tk_GetPixelsFromObj(interp, t->widget.window, objv[3], &y) != TCL_OK)
        return TCL_ERROR;
    Tcl_Obj *dict = tacIdentify(t, x, y, hoverEffort, &item); /* lays out, which puts out what was lit */
    touchLit(t);
    t->lit.count = 0;
    if (item.refKind != TAC_REF_NONE) light(t, &item);
    touchLit(t);
    putBox(t, dict);
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}
