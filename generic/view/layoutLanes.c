/*
 * layoutLanes.c -- lanes: jobs of one row that overlap are shown one above the other.
 *
 * A job takes the lowest lane that is free when its first slice begins and keeps it until its last slice ends; a run in
 * a processor's row takes a lane for itself. Work between jobs has no lane: it is the task's own and fills the bar
 * behind the jobs. Lanes are found once for the whole recording, so that a job does not jump when a window moves over
 * it.
 */
#include "base/port.h"

#include "view/layoutRows.h"

typedef struct LaneEnds {
    int64_t end[TAC_LANES_MAX]; /* time at which the lane is free again */
    int n;                      /* lanes in use so far */
} LaneEnds;

/* Takes the lowest lane that is free at `begin`, until `end`; the last one when all are taken. */
static uint8_t takeLane(LaneEnds *lanes, int64_t begin, int64_t end) {
    int lane = 0;
    while (lane < lanes->n && lanes->end[lane] > begin) lane++;
    if (lane == TAC_LANES_MAX) lane--;
    if (lane == lanes->n) lanes->n++;
    lanes->end[lane] = end;
    return (uint8_t) lane;
}

static const uint8_t noLane = UINT8_MAX; /* of a job whose lane is not known yet */

/* Finds the lanes of a task's jobs and returns how many there are; ends: scratch by job. */
static int laneTask(const tacTaskModel *task, uint8_t *laneOfJob, int64_t *ends) {
    LaneEnds lanes = {.n = 0};
    for (size_t i = 0; i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->state == TAC_STATE_BETWEEN) continue;
        if (laneOfJob[slice->job] != noLane || slice->end > ends[slice->job]) ends[slice->job] = slice->end;
        laneOfJob[slice->job] = noLane;
    }
    for (size_t i = 0; i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->state != TAC_STATE_BETWEEN && laneOfJob[slice->job] == noLane)
            laneOfJob[slice->job] = takeLane(&lanes, slice->begin, ends[slice->job]);
    }
    return lanes.n ? lanes.n : 1;
}

/* Finds the lanes of all tasks whose jobs overlap. False: no memory. */
static bool laneTasks(tacFigureRows *rows, const tacModel *model) {
    int64_t *ends = NULL;
    for (uint32_t task = 0; task < rows->nTasks; task++) {
        if (rows->rowOfTask[task] == TAC_NONE || model->tasks[task].overlap < 2) continue;
        if (!ends) {
            ends = tacAllocZero(model->jobs.count, sizeof *ends);
            rows->laneOfJob = tacAllocZero(model->jobs.count, 1);
        }
        if (!ends || !rows->laneOfJob) {
            tacFree(ends);
            return false;
        }
        int lanes = laneTask(&model->tasks[task], rows->laneOfJob, ends);
        for (uint32_t r = rows->rowOfTask[task]; r != TAC_NONE; r = rows->rows.at[r].next)
            rows->rows.at[r].lanes = (uint8_t) lanes;
    }
    tacFree(ends);
    return true;
}

/* Finds the lanes of all processors whose runs overlap. False: no memory. */
static bool laneProcessors(tacFigureRows *rows, const tacModel *model) {
    rows->laneOfRun = tacAllocZero(model->nProcessors ? model->nProcessors : 1, sizeof *rows->laneOfRun);
    for (size_t r = 0; rows->laneOfRun && r < rows->rows.count; r++) {
        tacFigureRow *row = &rows->rows.at[r];
        if (row->kind != TAC_FIGURE_ROW_PROCESSOR) continue;
        const tacProcessorModel *processor = &model->processors[row->owner];
        if (processor->overlap < 2) continue;
        uint8_t *laneOfRun = rows->laneOfRun[row->owner] = tacAllocZero(processor->runs.count, 1);
        if (!laneOfRun) return false;
        LaneEnds lanes = {.n = 0};
        for (size_t i = 0; i < processor->runs.count; i++) {
            const tacRun *run = &processor->runs.at[i];
            const tacSlice *slice = &model->tasks[run->task].slices.at[run->slice];
            laneOfRun[i] = takeLane(&lanes, slice->begin, slice->end);
        }
        row->lanes = (uint8_t) lanes.n; /* at least 1: it has runs */
    }
    return rows->laneOfRun != NULL;
}

bool tacFigureRowsLanes(tacFigureRows *rows, const tacModel *model) {
    return laneTasks(rows, model) && (rows->mode != TAC_PROCESSORS_COLLAPSED || laneProcessors(rows, model));
}
