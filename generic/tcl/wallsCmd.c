/*
 * wallsCmd.c -- tactus::walls: whether the walls around the evaluation of scripts stand (read/walls.h).
 *
 * It starts a worker that does nothing and tells how it was confined.
 */
#include <tcl.h>

#include "base/port.h"

#include "read/worker.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"

#include <string.h>

static const char *const states[TAC_WALL_STATES] = {"not tried", "in force", "not supported", "left out", "failed"};

/* The walls, by tacWall. */
static const struct {
    const char *name, *text;
} walls[TAC_WALLS] = {
    {"descriptors", "all open files but its own are closed"},
    {"capabilities", "no privileges of root"},
    {"dumpable", "other processes cannot look into it"},
    {"privileges", "no program would give it more privileges"},
    {"landlock", "no file can be named (Landlock)"},
    {"limits", "memory, processor time, files and processes are limited"},
    {"calls", "system calls that are not on a list end it (seccomp)"},
};

static const struct {
    unsigned bit;
    const char *name, *text;
} namespaces[] = {
    {TAC_WALL_USERS, "users", "users of its own (namespace)"},
    {TAC_WALL_PROCESSES, "processes", "no process but its own can be seen (namespace)"},
    {TAC_WALL_IPC, "ipc", "no shared memory or queues of others (namespace)"},
    {TAC_WALL_NETWORK, "network", "no network (namespace)"},
};

static void addRow(Tcl_Obj *list, const char *name, const char *state, const char *text) {
    Tcl_Obj *row = Tcl_NewDictObj();
    tacPutText(row, "wall", name);
    tacPutText(row, "state", state);
    tacPutText(row, "text", text);
    Tcl_ListObjAppendElement(NULL, list, row);
}

/* Adds a row for each wall; why one failed goes before its text. */
static void addWalls(Tcl_Obj *list, const tacWallStates *all, const tacError *err) {
    bool watched = all->state[TAC_WALL_CALLS] == TAC_WALL_LEFT_OUT;
    for (int i = 0; i < TAC_WALLS; i++) {
        int state = all->state[i] < TAC_WALL_STATES ? all->state[i] : TAC_WALL_FAILED;
        addRow(list, walls[i].name, states[state], state == TAC_WALL_FAILED ? err->message : walls[i].text);
    }
    for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++)
        addRow(list, namespaces[i].name,
            states[all->namespaces & namespaces[i].bit ? TAC_WALL_STANDS
                    : watched                          ? TAC_WALL_LEFT_OUT
                                                       : TAC_WALL_UNSUPPORTED],
            namespaces[i].text);
}

static bool hasFailed(const tacWallStates *all) { return memchr(all->state, TAC_WALL_FAILED, TAC_WALLS) != NULL; }

int tacWallsCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const none[] = {NULL};
    tacWallStates all = {{0}, {0}, 0};
    tacSink sink = {.commandNames = none};
    tacWorkerJob job = {.body = "check", .walls = &all};
    tacError err = {"", ""};
    (void) data;
    if (objc != 1) {
        Tcl_WrongNumArgs(interp, 1, objv, NULL);
        return TCL_ERROR;
    }
    tacStatus status = tacWorkerAvailable() ? tacWorkerRun(&job, NULL, &sink, &err)
                                            : tacFail(&err, "LIMIT PROCESS", "this platform has no such processes");
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    bool started = status == TAC_OK || hasFailed(&all);
    addRow(list, "process", states[started ? TAC_WALL_STANDS : TAC_WALL_FAILED],
        started ? "scripts have a process of their own, started anew" : err.message);
    addWalls(list, &all, &err);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}
