/*
 * figureApart.c -- $trace exporting: does the same as $trace export in a process apart (base/apart.h), so that a window
 * is not kept waiting by a figure of millions of events.
 *
 * The result is a channel. When it can be read, there is one list in UTF-8: the status (0 or 1), the result of export,
 * and the errorCode; then the end. Closing the channel before that gives the figure up. The trace may be read
 * anew or closed meanwhile: the figure shows it as it was when the work began.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/apart.h"
#include "base/mem.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/figureCmd.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"

typedef struct Job {
    Tcl_Interp *interp;
    tacTraceCall *call;
    int objc;
    Tcl_Obj *const *objv; /* file ?-option value ...? */
} Job;

/* Makes the figure, in the process apart, whose interpreter is a copy and runs nothing else. */
static const char *work(void *data, size_t *length) {
    Job *job = data;
    int status = tacFigureExport(job->interp, job->call->trace, job->objv[0], job->objc - 1, job->objv + 1);
    Tcl_Obj *result = tacKept(Tcl_GetObjResult(job->interp)),
            *code = status != TCL_OK ? tacDictValue(Tcl_GetReturnOptions(job->interp, status), "-errorcode") : NULL;
    Tcl_Obj *words[] = {Tcl_NewIntObj(status), result, code ? code : Tcl_NewObj()};
    Tcl_Size size;
    const char *text = Tcl_GetStringFromObj(Tcl_NewListObj(3, words), &size);
    *length = (size_t) size;
    return text;
}

static void channelClosed(ClientData data) {
    tacApart *apart = data;
    tacApartEnd(apart);
    tacFree(apart);
}

int tacExportingSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Job job = {interp, data, objc - 2, objv + 2};
    tacError err = {{0}, {0}};
    if (Tcl_IsSafe(interp)) return tacTclFail(interp, "SAFE", "a safe interpreter cannot write files");
    tacApart *apart = tacAlloc(sizeof *apart);
    if (!apart) return tacTclMemory(interp);
    if (tacApartStart(apart, work, &job, &err) != TAC_OK) {
        tacFree(apart);
        return tacErrorToTcl(interp, &err);
    }
    Tcl_Channel channel = Tcl_MakeFileChannel((ClientData) (intptr_t) apart->fd, TCL_READABLE);
    Tcl_RegisterChannel(interp, channel);
    Tcl_SetChannelOption(NULL, channel, "-encoding", "utf-8");
    Tcl_CreateCloseHandler(channel, channelClosed, apart);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(Tcl_GetChannelName(channel), -1));
    return TCL_OK;
}
