/*
 * stretchCmd.c -- $trace stretches STATE ID ?MUTEX?: the stretches of time in which a job, task or server was in a
 * state, as a list of {begin end}, by begin.
 *
 * waiting, running, preempted, blocked, between, unknown: of a job id (all its jobs), or else of a task; waiting is
 * from the release to the start. holds: the same, for the mutex that is held. consuming, depleted: of a server.
 * Stretches may overlap; those without length are among them.
 */
#include <tcl.h>

#include "base/port.h"

#include "model/ask.h"
#include "tcl/dictValue.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"

#include <string.h>

typedef struct Stretches {
    const tacModel *model;
    Tcl_Obj *list;
    int state;      /* tacJobState, or one of those below */
    uint32_t mutex; /* of HOLDS */
} Stretches;

enum { HOLDS = TAC_STATES, CONSUMING, DEPLETED };

static const struct Word {
    const char *name;
    int state;
} words[] = {
    {"waiting", TAC_STATE_WAITING},
    {"running", TAC_STATE_RUNNING},
    {"preempted", TAC_STATE_PREEMPTED},
    {"blocked", TAC_STATE_BLOCKED},
    {"between", TAC_STATE_BETWEEN},
    {"unknown", TAC_STATE_UNKNOWN},
    {"holds", HOLDS},
    {"consuming", CONSUMING},
    {"depleted", DEPLETED},
    {NULL, 0},
};

static void add(Stretches *s, int64_t begin, int64_t end) {
    int digits = s->model->store->digits;
    Tcl_Obj *pair[2] = {tacTimeValueObj(begin, digits), tacTimeValueObj(end, digits)};
    tacAppend(s->list, Tcl_NewListObj(2, pair));
}

/* ---- jobs and tasks --------------------------------------------------------------------------------------------- */

/* Adds the stretches of a task: of its jobs that have this id (TAC_NONE: of all). */
static void addTask(Stretches *s, uint32_t index, uint32_t id) {
    const tacTaskModel *task = &s->model->tasks[index];
    const tacJob *jobs = s->model->jobs.at;
    for (uint32_t job = task->firstJob; s->state == TAC_STATE_WAITING && job != TAC_NONE; job = jobs[job].next) {
        if ((id != TAC_NONE && jobs[job].id != id) || jobs[job].release == TAC_UNKNOWN) continue;
        int64_t end = tacJobWaitEnd(s->model, &jobs[job]);
        add(s, jobs[job].release, end < s->model->end ? end : s->model->end);
    }
    for (size_t i = 0; s->state == HOLDS && i < task->holds.count; i++) {
        const tacHold *hold = &task->holds.at[i];
        if (hold->mutex == s->mutex && (id == TAC_NONE || jobs[hold->job].id == id)) add(s, hold->begin, hold->end);
    }
    for (size_t i = 0; s->state < TAC_STATES && i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->state == s->state && (id == TAC_NONE || jobs[slice->job].id == id)) add(s, slice->begin, slice->end);
    }
}

/* Adds the stretches of a job id, in all tasks that have used it, nearly always one. */
static void addJob(Stretches *s, uint32_t id) {
    uint32_t n, task = TAC_NONE;
    const uint32_t *jobs = tacIdJobs(s->model, id, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (s->model->jobs.at[jobs[i]].task == task) continue;
        task = s->model->jobs.at[jobs[i]].task;
        addTask(s, task, id);
    }
}

/* ---- servers ---------------------------------------------------------------------------------------------------- */

static void addServer(Stretches *s, uint32_t index) {
    const tacServerModel *server = &s->model->servers[index];
    for (size_t i = 0; i < server->points.count; i++) {
        const tacBudgetPoint *point = &server->points.at[i];
        int64_t end = i + 1 < server->points.count ? server->points.at[i + 1].time : s->model->end, empty = point->time;
        if (s->state == CONSUMING && point->consumers > 0) add(s, point->time, end);
        if (s->state != DEPLETED || (point->remainder > 0 && point->consumers == 0)) continue;
        if (point->remainder > 0 && __builtin_add_overflow(point->time, point->remainder / point->consumers, &empty))
            continue;
        if (empty <= end) add(s, empty, end);
    }
}

/* ---- the subcommand --------------------------------------------------------------------------------------------- */

static uint32_t find(const tacModel *model, tacKind kind, Tcl_Obj *id) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(id, &length);
    return tacAskFind(model, kind, text, (size_t) length);
}

int tacStretchesSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int word;
    Stretches s = {.model = &((tacTraceCall *) data)->trace->model};
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], words, sizeof *words, "state", 0, &word) != TCL_OK) return TCL_ERROR;
    s.state = words[word].state;
    if ((s.state == HOLDS) != (objc == 5)) {
        Tcl_WrongNumArgs(interp, 3, objv, s.state == HOLDS ? "id mutex" : "id");
        return TCL_ERROR;
    }
    if (objc == 5) s.mutex = find(s.model, TAC_MUTEX, objv[4]);
    if (s.mutex == TAC_NONE)
        return tacTclFail(interp, "LOOKUP OBJECT", "no mutex \"%.200s\" in the trace", Tcl_GetString(objv[4]));
    bool server = s.state == CONSUMING || s.state == DEPLETED;
    uint32_t job = server ? TAC_NONE : find(s.model, TAC_JOB, objv[3]),
             index = job != TAC_NONE ? job : find(s.model, server ? TAC_SERVER : TAC_TASK, objv[3]);
    if (index == TAC_NONE)
        return tacTclFail(interp, "LOOKUP OBJECT", "no %s \"%.200s\" in the trace", server ? "server" : "job or task",
            Tcl_GetString(objv[3]));
    s.list = Tcl_NewListObj(0, NULL);
    if (server) addServer(&s, index);
    else if (job != TAC_NONE) addJob(&s, job);
    else addTask(&s, index, TAC_NONE);
    Tcl_SetObjResult(interp, s.list);
    return TCL_OK;
}
