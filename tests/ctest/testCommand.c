/*
 * testCommand.c -- the trace command of this library's own copy of the core, whose allocations can be made to fail.
 *
 *   testCommandOpen file ?-option value ...?, testCommandText text ?-option value ...? as tactus::open and openText
 *   testCommandCompare, testCommandBaseline as tactus::compare and tactus::baseline
 *   testCommandFail n  the nth allocation from now on and all later ones fail; 0: none
 *   testCommandHurry n  each look at the clock finds it n milliseconds later than the time that has passed; 0: not.
 *                      With TAC_PROGRESS_INTERVAL or more, each step of long work reports, however fast the machine.
 *
 * The package's own library does not know of failures that are asked for here.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/mem.h"
#include "tcl/commands.h"

#include <time.h>

/* Nanoseconds by which the clock is ahead, and by which each look puts it forward. */
static int64_t ahead, hurry;

/* The clock of this library: its objects are linked with this one, not with that of libc. */
__attribute__((visibility("hidden"))) int timespec_get(struct timespec *now, int base) {
    if (base != TIME_UTC || clock_gettime(CLOCK_REALTIME, now) != 0) return 0;
    ahead += hurry;
    int64_t nanoseconds = now->tv_nsec + ahead;
    now->tv_sec += nanoseconds / 1000000000;
    now->tv_nsec = nanoseconds % 1000000000;
    return base;
}

static int hurryCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int milliseconds;
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "n"), TCL_ERROR;
    if (Tcl_GetIntFromObj(interp, objv[1], &milliseconds) != TCL_OK) return TCL_ERROR;
    hurry = milliseconds * INT64_C(1000000);
    return TCL_OK;
}

static int failCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt n;
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "n"), TCL_ERROR;
    if (Tcl_GetWideIntFromObj(interp, objv[1], &n) != TCL_OK) return TCL_ERROR;
    tacMemFailAt((uint64_t) n);
    return TCL_OK;
}

TAC_EXPORT int TacTestCommand_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testCommandOpen", tacOpenCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testCommandText", tacOpenTextCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testCommandCompare", tacCompareCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testCommandBaseline", tacBaselineCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testCommandFail", failCommand, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testCommandHurry", hurryCommand, NULL, NULL);
    return TCL_OK;
}
