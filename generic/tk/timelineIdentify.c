/*
 * timelineIdentify.c -- places and things: `identify` from a place to a thing, `bbox` from a thing to its place.
 *
 *      identify    region, time, row -> flag of a marker, finding, the item of the frame, or line of a marker
 *
 * An item has a reference to the thing that it shows (view/display.h), and a table has a describer for each kind of
 * reference, which fills a dict.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "model/lod.h"
#include "model/query.h"
#include "tcl/dictValue.h"
#include "tk/timelineState.h"
#include "view/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float slack = 2.5f; /* points beside lines, marks and narrow bars that still count */

enum { EDGE = 3 }; /* pixels from a row's lower edge that still count */

/* ---- dicts ------------------------------------------------------------------------------------------------------ */

static void putNumber(Tcl_Obj *dict, const char *key, uint32_t number) { tacPut(dict, key, Tcl_NewWideIntObj(number)); }

static void putTimes(const tacTimeline *t, Tcl_Obj *dict, int64_t begin, int64_t end) {
    tacPut(dict, "begin", tacTimelineTimeObj(t, begin));
    tacPut(dict, "end", tacTimelineTimeObj(t, end));
}

static void putId(const tacTimeline *t, Tcl_Obj *dict, tacKind kind, uint32_t index) {
    if (index != TAC_NONE) tacPutText(dict, tacKindNames[kind], tacObjectId(&t->trace->store, kind, index));
}

static void putJob(const tacTimeline *t, Tcl_Obj *dict, uint32_t job) {
    const tacModel *model = &t->trace->model;
    putNumber(dict, "job", job);
    tacPutText(dict, "id", tacObjectId(model->store, TAC_JOB, model->jobs.at[job].id));
}

/* ---- describers of references ----------------------------------------------------------------------------------- */

static void describeSlice(const tacTimeline *t, uint32_t task, uint32_t index, Tcl_Obj *dict) {
    const tacSlice *slice = &t->trace->model.tasks[task].slices.at[index];
    putId(t, dict, TAC_TASK, task);
    putJob(t, dict, slice->job);
    tacPutText(dict, "state", tacStateNames[slice->state]);
    putTimes(t, dict, slice->begin, slice->end);
    if (slice->processor != TAC_NO_PROCESSOR)
        tacPutText(dict, "processor", tacProcessorId(&t->trace->model, slice->processor));
}

static void sliceItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    describeSlice(t, item->owner, item->index, dict);
    putNumber(dict, "index", item->index);
}

static void runItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    const tacRun *run = &t->trace->model.processors[item->owner].runs.at[item->index];
    describeSlice(t, run->task, run->slice, dict);
    putNumber(dict, "slice", run->slice);
    putNumber(dict, "index", item->index);
}

static void holdItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    const tacHold *hold = &t->trace->model.tasks[item->owner].holds.at[item->index];
    putId(t, dict, TAC_TASK, item->owner);
    putJob(t, dict, hold->job);
    putId(t, dict, TAC_MUTEX, hold->mutex);
    putTimes(t, dict, hold->begin, hold->end);
    putNumber(dict, "index", item->index);
}

const char *tacTimelineEventName(const tacStore *store, uint32_t row) {
    const char *name = tacEvents[tacRowEvent(store, row)].name;
    return *name ? name : tacString(store, tacRowSubject(store, row));
}

static void eventItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    const tacStore *store = &t->trace->store;
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, item->index)];
    int64_t time = tacRowTime(store, item->index);
    putNumber(dict, "event", item->index);
    tacPutText(dict, "name", tacTimelineEventName(store, item->index));
    putTimes(t, dict, time, time);
    putId(t, dict, TAC_TASK, tacRowTask(&t->trace->model, item->index));
    if (spec->nArguments > 0 && spec->arguments[0] == TAC_TYPE_JOB) {
        uint32_t job = tacQueryJob(&t->trace->model, tacRowSubject(store, item->index), time);
        if (job != TAC_NONE) putJob(t, dict, job);
    }
    const char *text = tacRowText(store, item->index, TAC_OPT_MESSAGE); /* or the string that is its subject */
    if (!text && spec->nArguments > 0 && spec->arguments[0] == TAC_TYPE_STRING
        && tacRowSubject(store, item->index) != TAC_NONE)
        text = tacString(store, tacRowSubject(store, item->index));
    if (text) tacPutText(dict, "text", text);
}

/* Describes a task, a server or a buffer. */
static void objectItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    tacKind kind = item->refKind == TAC_REF_TASK ? TAC_TASK : item->refKind == TAC_REF_SERVER ? TAC_SERVER : TAC_BUFFER;
    putId(t, dict, kind, item->owner);
    tacPutText(dict, "id", tacObjectId(&t->trace->store, kind, item->owner));
    tacPutText(dict, "text", tacObjectName(&t->trace->store, kind, item->owner));
}

static void processorItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    tacPutText(dict, "processor", tacProcessorId(&t->trace->model, item->owner));
    tacPutText(dict, "id", tacProcessorId(&t->trace->model, item->owner));
    tacPutText(dict, "text", tacProcessorName(&t->trace->model, item->owner));
}

/* Describes a mark for many things: how many, and the name of the event that the first one is. */
static void mergedItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    putNumber(dict, "count", item->count);
    if (item->index >= tacStoreCount(&t->trace->store)) return;
    tacPutText(dict, "name", tacTimelineEventName(&t->trace->store, item->index));
}

static void holdsItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    (void) t;
    putNumber(dict, "count", item->count);
    tacPutText(dict, "name", "hold");
}

static void missesItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    (void) t;
    putNumber(dict, "count", item->count);
    tacPutText(dict, "name", "miss");
}

/* The columns that are looked at for slices: half a column further in turns to the right and to the left. */
static const int besides[] = {0, 1, -1, 2, -2, 3, -3, 4, -4};
enum { BESIDES = sizeof besides / sizeof *besides };

/* The range of a column beside a time. */
static void columnBeside(const tacTimeline *t, int64_t time, size_t i, int64_t *from, int64_t *to) {
    double ticks = TAC_COLUMN_PIXELS / 2.0 / t->scaling / t->frame.scale.perTick;
    tacBandColumnAt(&t->frame.scale, 1 / t->scaling, time + (int64_t) (besides[i] * ticks), from, to);
}

/* Finds the column of a group's band at a time, or beside it. False: there is more to sum up. */
static bool findGroupColumn(
    tacTimeline *t, int64_t time, uint32_t effort, tacItem *item, int64_t *from, int64_t *to, tacBandColumn *column) {
    tacBandLook *look = &t->look;
    if (!look->begun || look->group != item->owner || look->time != time)
        *look = (tacBandLook){
            .begun = true, .group = item->owner, .time = time, .sum.outcomes = t->options.colorBy == TAC_COLOR_OUTCOME};
    for (;; look->beside++, look->sum.next = 0) {
        columnBeside(t, time, look->beside, from, to);
        if (!tacWindowGroupColumn(&t->rows, item->owner, *from, *to, effort, &look->sum)) return false;
        if (look->sum.column.slices || look->beside + 1 == BESIDES) break;
    }
    *column = look->sum.column;
    item->count = look->sum.busiest;
    return true;
}

/* Finds the column of a band at a time, or beside it. If it has a single slice, the item becomes that. */
static void findColumn(
    const tacTimeline *t, int64_t time, tacItem *item, int64_t *from, int64_t *to, tacBandColumn *column) {
    bool processor = item->index == TAC_BAND_PROCESSOR;
    for (size_t i = 0; i < BESIDES; i++) {
        columnBeside(t, time, i, from, to);
        if (processor) tacLodProcessorColumn(&t->trace->model, item->owner, *from, *to, column);
        else tacLodTaskColumn(&t->trace->model, item->owner, (uint16_t) item->index, *from, *to, column);
        if (column->slices) break;
    }
    if (column->slices != 1) return;
    item->refKind = processor ? TAC_REF_RUN : TAC_REF_SLICE;
    item->index = column->first;
}

/* Puts the group whose band it is, and the task that runs longest in the column. */
static void putGroup(const tacTimeline *t, uint32_t index, uint32_t busiest, Tcl_Obj *dict) {
    const tacWindowGroup *group = &t->rows.groups.at[index];
    tacPut(dict, "group", tacTimelineKeyObj(t, group->name));
    tacPut(dict, "text", tacTimelineKeyObj(t, group->label));
    putNumber(dict, "rows", group->end - group->first);
    if (busiest != TAC_NONE) tacPutText(dict, "busiest", tacObjectId(&t->trace->store, TAC_TASK, busiest));
}

/* Puts how long late jobs ran in a column, where colours tell that, and as soon as they do. */
static void putLate(const tacTimeline *t, const tacItem *item, int64_t from, int64_t to, Tcl_Obj *dict) {
    bool processor = item->index == TAC_BAND_PROCESSOR, ready;
    uint32_t task = processor ? TAC_NONE : item->owner;
    uint16_t on = (uint16_t) (processor ? item->owner : item->index);
    tacBin bin;
    if (item->index == TAC_BAND_GROUP) {
        if (t->look.sum.late != TAC_UNKNOWN) tacPut(dict, "late", tacTimelineTimeObj(t, t->look.sum.late));
        return;
    }
    if (t->options.colorBy != TAC_COLOR_OUTCOME || !tacLodSumOutcomes(&t->trace->model, task, on, 0, &ready) || !ready
        || !tacLodOutcome(&t->trace->model, task, on, TAC_OUTCOME_LATE, from, to, 1, &bin))
        return;
    tacPut(dict, "late", tacTimelineTimeObj(t, bin.time[TAC_STATE_RUNNING]));
}

/* Describes the column of a band. */
static void bandItem(
    const tacTimeline *t, const tacItem *item, int64_t from, int64_t to, const tacBandColumn *column, Tcl_Obj *dict) {
    const tacModel *model = &t->trace->model;
    bool processor = item->index == TAC_BAND_PROCESSOR, group = item->index == TAC_BAND_GROUP;
    if (group) putGroup(t, item->owner, item->count, dict);
    else if (processor) tacPutText(dict, "processor", tacProcessorId(model, item->owner));
    else putId(t, dict, TAC_TASK, item->owner);
    if (item->index < TAC_NO_PROCESSOR) tacPutText(dict, "processor", tacProcessorId(model, item->index));
    putTimes(t, dict, from, to);
    putNumber(dict, "slices", column->slices);
    for (int state = 0; state < TAC_STATES; state++)
        if (column->time[state]) tacPut(dict, tacStateNames[state], tacTimelineTimeObj(t, column->time[state]));
    putLate(t, item, from, to, dict);
    if (processor) return;
    if (group && !column->released && !column->jobs) return;
    putNumber(dict, "count", column->jobs);
    putNumber(dict, "released", column->released);
    putNumber(dict, "missed", column->missed);
    if (column->response != TAC_UNKNOWN) tacPut(dict, "response", tacTimelineTimeObj(t, column->response));
}

static void groupItem(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict) {
    const tacWindowGroup *group = &t->rows.groups.at[item->owner];
    const char *name = tacInternName(&t->rows.keys, group->name, NULL);
    tacPutText(dict, "id", name);
    tacPut(dict, "text", tacTimelineKeyObj(t, group->label));
    tacPutText(dict, "processor", group->isProcessor ? name : "");
    tacPutFlag(dict, "folded", group->folded);
    tacPutFlag(dict, "by_itself", group->byItself);
    putNumber(dict, "rows", group->end - group->first);
}

/* Kinds and describers by tacRefKind. Windows have no items that scripts draw. */
static const struct {
    const char *kind;
    void (*describe)(const tacTimeline *t, const tacItem *item, Tcl_Obj *dict); /* may be NULL */
} references[TAC_REF_DRAWN + 1] = {
    [TAC_REF_NONE] = {"none", NULL},
    [TAC_REF_SLICE] = {"slice", sliceItem},
    [TAC_REF_RUN] = {"run", runItem},
    [TAC_REF_HOLD] = {"hold", holdItem},
    [TAC_REF_EVENT] = {"event", eventItem},
    [TAC_REF_TASK] = {"task", objectItem},
    [TAC_REF_PROCESSOR] = {"processor", processorItem},
    [TAC_REF_SERVER] = {"server", objectItem},
    [TAC_REF_BUFFER] = {"buffer", objectItem},
    [TAC_REF_AXIS] = {"axis", NULL},
    [TAC_REF_LEGEND] = {"none", NULL},
    [TAC_REF_MERGED] = {"merged", mergedItem},
    [TAC_REF_HOLDS] = {"merged", holdsItem},
    [TAC_REF_MISSES] = {"merged", missesItem},
    [TAC_REF_GROUP] = {"group", groupItem},
    [TAC_REF_BAND] = {"band", NULL}, /* bandItem, which needs a time */
    [TAC_REF_DRAWN] = {"none", NULL},
};

/* ---- regions and rows ------------------------------------------------------------------------------------------- */

/* The region of the window at a point of the frame. */
static const char *regionAt(const tacTimeline *t, float x, float y) {
    const tacFrame *frame = &t->frame;
    if (x < 0 || y < 0 || y >= frame->boxes[TAC_PART_AXIS].y1 || x >= frame->boxes[TAC_PART_AXIS].x1) return "none";
    if (y >= frame->boxes[TAC_PART_AXIS].y0) return y <= t->axisBottom ? "axis" : "marks";
    return x < frame->left ? "label" : x <= frame->right ? "plot" : "none";
}

/* The row whose lower edge is at y, or a few pixels beside it; NULL: none. */
static const tacWindowRow *edgeAt(const tacTimeline *t, int y) {
    for (int above = -EDGE; above <= EDGE; above += EDGE) {
        const tacWindowRow *row = tacFrameRow(&t->rows, &t->frame, tacTimelinePoints(t, y + above));
        tacBox box;
        if (row && tacFrameRowBox(&t->rows, &t->frame, row, &box)
            && fabs(box.y1 * t->scaling + tacTimelineInset(t) - y) <= EDGE)
            return row;
    }
    return NULL;
}

/* ---- identify --------------------------------------------------------------------------------------------------- */

static void putMarker(const tacMarker *marker, Tcl_Obj *dict) {
    tacPutText(dict, "kind", "marker");
    tacPutText(dict, "id", marker->name);
    tacPutText(dict, "text", marker->label && *marker->label ? marker->label : marker->name);
}

/* Puts the marker whose flag is at a pixel; false: there is none. */
static bool putFlag(const tacTimeline *t, int x, int y, Tcl_Obj *dict) {
    tacFlags flags = {0};
    bool found = false;
    tacOverlayFlags(t, &flags);
    for (size_t i = flags.count; i-- > 0 && !found;) {
        const tacFlag *flag = &flags.at[i];
        found = !tacAreaEmpty(tacAreaCommon(flag->area, (tacArea){x, y, 1, 1}));
        if (!found) continue;
        putMarker(flag->marker, dict);
        if (flag->cut) putNumber(dict, "cut", 1);
    }
    tacArrayFree(&flags);
    return found;
}

/* Puts the marker whose line is nearest to a pixel of the plot, if one is near. */
static void putLine(const tacTimeline *t, int x, int y, Tcl_Obj *dict) {
    const tacMarker *near = NULL;
    int most = (int) ceil(slack * t->scaling);
    for (size_t i = 0; i < t->markers.count; i++) {
        tacArea line = tacLineArea(t, t->markers.at[i].time);
        int away = abs(line.x + line.width / 2 - x);
        if (tacAreaEmpty(line) || y < line.y || y >= line.y + line.height || away > most) continue;
        near = &t->markers.at[i];
        most = away;
    }
    if (!near) return;
    putMarker(near, dict);
    putNumber(dict, "line", 1);
}

/* Puts the finding at a pixel; false: there is none. */
static bool putFinding(const tacTimeline *t, int x, int y, Tcl_Obj *dict) {
    tacFindingMark mark;
    if (!tacOverlayFindingAt(t, x, y, &mark)) return false;
    const tacInternTable *names = &t->trace->findings.names;
    tacPutText(dict, "kind", "finding");
    if (mark.index != TAC_NONE) putNumber(dict, "index", mark.index);
    else tacPutText(dict, "severity", tacFindingSeverities[mark.severity]);
    if (mark.index == TAC_NONE && mark.check < tacInternCount(names)) /* they may have been cleared meanwhile */
        tacPutText(dict, "check", tacInternName(names, mark.check, NULL));
    putTimes(t, dict, mark.begin, mark.end == TAC_UNKNOWN ? mark.begin : mark.end);
    return true;
}

/* Puts the stretch of a strip at a pixel; false: there is none. */
static bool putStrip(const tacTimeline *t, int x, int y, Tcl_Obj *dict) {
    const tacStripRow *strip;
    const tacStripPiece *piece = tacStripAt(t, x, y, &strip);
    if (!piece) return false;
    tacPutText(dict, "kind", "strip");
    tacPutText(dict, "row", strip->key);
    tacPutText(dict, "text", tacStripLabel(t, piece));
    putTimes(t, dict, piece->begin, piece->end);
    return true;
}

/* Puts `cut` when the text of a thing ends with an ellipsis, in one line of a label at least. */
static void putCut(const tacTimeline *t, const tacItem *thing, float y, Tcl_Obj *dict) {
    for (int part = 0; part < TAC_PARTS; part++) {
        const tacDisplay *display = &t->frame.parts[part];
        if (y < t->frame.boxes[part].y0 || y >= t->frame.boxes[part].y1) continue;
        for (size_t i = display->items.count; i-- > 0 && display->items.at[i].layer == TAC_LAYER_TEXT;) {
            const tacItem *item = &display->items.at[i];
            bool isText = item->kind == TAC_ITEM_TEXT && item->refKind == thing->refKind && item->owner == thing->owner
                && item->index == thing->index;
            if (!isText || !strstr(tacInternName(&display->texts, item->text, NULL), "\xE2\x80\xA6")) continue;
            putNumber(dict, "cut", 1);
            return;
        }
    }
}

/* Makes the item the slice of a task at a time, where the bars of its row have room and none was found: bars of some
 * states are low, or not drawn. */
static void findSlice(const tacTimeline *t, float x, float y, int64_t time, tacItem *item) {
    const tacModel *model = &t->trace->model;
    const tacWindowRow *row = tacFrameRow(&t->rows, &t->frame, y);
    const tacFigureRow *drawn = row ? &t->rows.rows.rows.at[row->row] : NULL;
    if (!drawn || drawn->kind != TAC_FIGURE_ROW_TASK || drawn->lanes > 1 || y < drawn->bar || y > drawn->bottom
        || x < t->frame.left || x > t->frame.right)
        return;
    uint32_t i = tacQuerySlice(model, drawn->owner, 0, time);
    if (i >= model->tasks[drawn->owner].slices.count) return;
    const tacSlice *slice = &model->tasks[drawn->owner].slices.at[i];
    if (slice->begin > time || (drawn->partial && slice->processor != drawn->processor)) return;
    *item = (tacItem){.refKind = TAC_REF_SLICE, .owner = drawn->owner, .index = i};
}

/* Puts the item at a point of the frame, or the row whose label is beside it. Returns the item. */
static tacItem putItem(tacTimeline *t, float x, float y, int64_t time, bool label, uint32_t effort, Tcl_Obj *dict) {
    tacItem item = {.refKind = TAC_REF_NONE};
    const tacItem *found = tacFrameItem(&t->frame, x, y, slack);
    const tacWindowRow *row = !found && label ? tacFrameRow(&t->rows, &t->frame, y) : NULL;
    if (found) item = *found;
    if (row) {
        item.refKind = (uint8_t) tacFigureRowRefs[t->rows.rows.rows.at[row->row].kind];
        item.owner = t->rows.rows.rows.at[row->row].owner;
    }
    if (!found && !label) findSlice(t, x, y, time, &item);
    tacBandColumn column;
    int64_t from, to;
    bool group = item.refKind == TAC_REF_BAND && item.index == TAC_BAND_GROUP,
         complete = !group || findGroupColumn(t, time, effort, &item, &from, &to, &column);
    if (item.refKind == TAC_REF_BAND && !group) findColumn(t, time, &item, &from, &to, &column);
    tacPutText(dict, "kind", references[item.refKind].kind);
    if (!complete) {
        putGroup(t, item.owner, TAC_NONE, dict);
        putTimes(t, dict, from, to);
        tacPutFlag(dict, "unfinished", true);
    } else if (item.refKind == TAC_REF_BAND) bandItem(t, &item, from, to, &column, dict);
    if (references[item.refKind].describe) {
        references[item.refKind].describe(t, &item, dict);
        putCut(t, &item, y, dict);
    }
    return item;
}

Tcl_Obj *tacIdentify(tacTimeline *t, int x, int y, uint32_t effort, tacItem *item) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    item->refKind = TAC_REF_NONE;
    if (!t->trace || !tacTimelineLayout(t)) {
        tacPutText(dict, "region", "none");
        tacPutText(dict, "time", "");
        tacPutText(dict, "row", "");
        tacPutText(dict, "kind", "none");
        return dict;
    }
    float px = tacTimelinePoints(t, x + 0.5), py = tacTimelinePoints(t, y + 0.5);
    const char *region = regionAt(t, px, py);
    tacPutText(dict, "region", region);
    tacPut(dict, "time", tacTimelineTimeObj(t, tacTimelineTimeAt(t, x)));
    bool label = *region == 'l';
    const tacWindowRow *edge = label ? edgeAt(t, y) : NULL, *row = edge ? edge : tacFrameRow(&t->rows, &t->frame, py);
    tacPut(dict, "row", row ? tacTimelineRowKey(t, row) : Tcl_NewObj());
    if (edge) putNumber(dict, "edge", 1);
    if (!putFlag(t, x, y, dict) && !putFinding(t, x, y, dict) && !putStrip(t, x, y, dict)) {
        *item = putItem(t, px, py, tacTimelineTimeAt(t, x), label, effort, dict);
        if (item->refKind == TAC_REF_NONE && *region == 'p') putLine(t, x, y, dict);
    }
    return dict;
}

int tacIdentifySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    tacItem item;
    int x, y;
    (void) objc;
    if (Tk_GetPixelsFromObj(interp, t->widget.window, objv[2], &x) != TCL_OK
        || Tk_GetPixelsFromObj(interp, t->widget.window, objv[3], &y) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, tacIdentify(t, x, y, UINT32_MAX, &item));
    return TCL_OK;
}

/* ---- bbox ------------------------------------------------------------------------------------------------------- */

/* Makes an area the result; an empty one leaves it empty. */
static int areaResult(tacTimeline *t, tacArea area) {
    if (tacAreaEmpty(area)) return TCL_OK;
    Tcl_Obj *numbers[] = {
        Tcl_NewIntObj(area.x), Tcl_NewIntObj(area.y), Tcl_NewIntObj(area.width), Tcl_NewIntObj(area.height)};
    Tcl_SetObjResult(t->widget.interp, Tcl_NewListObj(4, numbers));
    return TCL_OK;
}

/* Gives the box of a job: its time, in the row that shows it. */
static int jobBox(tacTimeline *t, Tcl_Obj *word) {
    const tacModel *model = &t->trace->model;
    Tcl_WideInt index;
    tacBox box;
    if (Tcl_GetWideIntFromObj(t->widget.interp, word, &index) != TCL_OK) return TCL_ERROR;
    if (index < 0 || (uint64_t) index >= model->jobs.count)
        return tacTclFail(t->widget.interp, "WIDGET JOB", "there is no job %s", Tcl_GetString(word));
    const tacJob *job = &model->jobs.at[index];
    const tacFigureRow *found = tacFigureRowsFind(&t->rows.rows, job->task, job->processor);
    const tacWindowRow *row = NULL;
    for (size_t i = 0; i < t->rows.order.count && found && !row; i++)
        if (&t->rows.rows.rows.at[t->rows.order.at[i].row] == found) row = &t->rows.order.at[i];
    if (!row || !tacFrameRowBox(&t->rows, &t->frame, row, &box)) return TCL_OK;
    int64_t begin = tacJobBegin(model, job), end = job->completion == TAC_UNKNOWN ? model->end : job->completion;
    box.x0 = (float) ((tacTimelineXOf(t, begin) - tacTimelineInset(t)) / t->scaling);
    box.x1 = (float) ((tacTimelineXOf(t, end > begin ? end : begin) - tacTimelineInset(t)) / t->scaling)
        + (float) (1 / t->scaling);
    return areaResult(t, tacTimelineArea(t, box));
}

int tacBboxSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const things[] = {"job", "row", "time", NULL};
    enum { JOB, ROW, TIME };
    tacTimeline *t = data;
    const tacWindowRow *row;
    tacBox box;
    int64_t time;
    int thing;
    (void) objc;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], things, sizeof *things, "thing", 0, &thing) != TCL_OK
        || tacTimelineNeed(t, tacTimelineLayout) != TCL_OK)
        return TCL_ERROR;
    switch (thing) {
    case JOB: return jobBox(t, objv[3]);
    case ROW:
        row = tacTimelineRow(t, objv[3]);
        if (!row) return TCL_ERROR;
        return tacFrameRowBox(&t->rows, &t->frame, row, &box) ? areaResult(t, tacTimelineArea(t, box)) : TCL_OK;
    default: return tacTimelineTime(t, objv[3], &time) == TCL_OK ? areaResult(t, tacLineArea(t, time)) : TCL_ERROR;
    }
}
