/*
 * timeline.c -- the widget tactus::timeline.
 */
#include <tcl.h>
#include <tk.h>
#include "base/port.h"

#include "tcl/dispatch.h"
#include "tk/timeline.h"

int tacTimelineCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data, (void) objc, (void) objv;
    return tacTclFail(interp, "WIDGET", "not there yet");
}
