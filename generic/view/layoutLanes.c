/*
 * layoutLanes.c -- lanes: jobs of one row that overlap are shown one above the other.
 *
 * A job takes the lowest lane that is free when its first slice begins and keeps it until its last slice ends; a run in
 * a processor's row takes a lane for itself. Work between jobs has no lane: it is the task's own and fills the bar
 * behind the jobs. Lanes are found once for the whole recording, so that a job does not jump when a window moves over
 * it.
 */
#include "base/port.h"

#include "view/layout.h"

/* Goes on to the next slice or run. False: it is time to stop before it. */
static bool goOn(tacLaneWork *work, double until) {
    enum { STEP = 4096 }; /* slices between two looks at the clock; a power of two */
    return (++work->next & (STEP - 1)) != 0 || tacLayoutClock() < until;
}

/* Takes the lowest lane that is free at `begin`, until `end`; the last one when all are taken. */
static uint8_t takeLane(tacLaneWork *work, int64_t begin, int64_t end) {
    int lane = 0;
    while (lane < work->n && work->free[lane] > begin) lane++;
    if (lane == TAC_LANES_MAX) lane--;
    if (lane == work->n) work->n++;
    work->free[lane] = end;
    return (uint8_t) lane;
}

static const uint8_t noLane = UINT8_MAX; /* of a job whose lane is not known yet */

/* Notes when a job of a slice ends. */
static void noteEnd(const tacSlice *slice, uint8_t *laneOfJob, int64_t *ends) {
    if (laneOfJob[slice->job] != noLane || slice->end > ends[slice->job]) ends[slice->job] = slice->end;
    laneOfJob[slice->job] = noLane;
}

/* Finds the lanes of a task's jobs, until a time. False: not of all of them yet. */
static bool laneTask(const tacTaskModel *task, uint8_t *laneOfJob, tacLaneWork *work, double until) {
    for (;; work->taking = true, work->next = 0) {
        while (work->next < task->slices.count) {
            const tacSlice *slice = &task->slices.at[work->next];
            bool ofJob = slice->state != TAC_STATE_BETWEEN;
            if (ofJob && !work->taking) noteEnd(slice, laneOfJob, work->ends);
            else if (ofJob && laneOfJob[slice->job] == noLane)
                laneOfJob[slice->job] = takeLane(work, slice->begin, work->ends[slice->job]);
            if (!goOn(work, until)) return false;
        }
        if (work->taking) return true;
    }
}

/* Goes on to the next task or row. */
static void nextOwner(tacLaneWork *work) {
    work->owner++;
    work->taking = false;
    work->next = 0;
    work->n = 0;
}

/* Finds the lanes of all tasks whose jobs overlap. False: no memory. */
static bool laneTasks(tacFigureRows *rows, const tacModel *model, tacLaneWork *work, double until, bool *done) {
    for (; work->owner < rows->nTasks; nextOwner(work)) {
        const tacTaskModel *task = &model->tasks[work->owner];
        uint32_t first = rows->rowOfTask[work->owner];
        if (first == TAC_NONE || task->overlap < 2) continue;
        if (!work->ends) {
            work->ends = tacAllocZero(model->jobs.count, sizeof *work->ends);
            rows->laneOfJob = tacAllocZero(model->jobs.count, 1);
        }
        if (!work->ends || !rows->laneOfJob) return false;
        *done = laneTask(task, rows->laneOfJob, work, until);
        if (!*done) return true;
        for (uint32_t r = first; r != TAC_NONE; r = rows->rows.at[r].next)
            rows->rows.at[r].lanes = (uint8_t) (work->n ? work->n : 1);
    }
    return true;
}

/* Finds the lanes of a processor's runs, until a time. False: not of all of them yet. */
static bool laneRuns(
    const tacModel *model, const tacProcessorModel *processor, uint8_t *lanes, tacLaneWork *work, double until) {
    while (work->next < processor->runs.count) {
        const tacRun *run = &processor->runs.at[work->next];
        const tacSlice *slice = &model->tasks[run->task].slices.at[run->slice];
        lanes[work->next] = takeLane(work, slice->begin, slice->end);
        if (!goOn(work, until)) return false;
    }
    return true;
}

/* Finds the lanes of all processors whose runs overlap. False: no memory. */
static bool laneProcessors(tacFigureRows *rows, const tacModel *model, tacLaneWork *work, double until, bool *done) {
    if (!rows->laneOfRun)
        rows->laneOfRun = tacAllocZero(model->nProcessors ? model->nProcessors : 1, sizeof *rows->laneOfRun);
    if (!rows->laneOfRun) return false;
    for (; work->owner - rows->nTasks < rows->rows.count; nextOwner(work)) { /* the tasks are done */
        tacFigureRow *row = &rows->rows.at[work->owner - rows->nTasks];
        if (row->kind != TAC_FIGURE_ROW_PROCESSOR) continue;
        const tacProcessorModel *processor = &model->processors[row->owner];
        uint8_t **lanes = &rows->laneOfRun[row->owner];
        if (processor->overlap < 2) continue;
        if (!*lanes) *lanes = tacAllocZero(processor->runs.count, 1);
        if (!*lanes) return false;
        *done = laneRuns(model, processor, *lanes, work, until);
        if (!*done) return true;
        row->lanes = (uint8_t) work->n; /* at least 1: it has runs */
    }
    return true;
}

void tacLaneWorkFree(tacLaneWork *work) {
    tacFree(work->ends);
    work->ends = NULL;
}

bool tacFigureRowsLanes(tacFigureRows *rows, const tacModel *model, tacLaneWork *work, double until, bool *done) {
    *done = true;
    if (!laneTasks(rows, model, work, until, done)) return false;
    return !*done || rows->mode != TAC_PROCESSORS_COLLAPSED || laneProcessors(rows, model, work, until, done);
}
