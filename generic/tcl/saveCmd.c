/*
 * saveCmd.c -- the one way to write a file (base/save.h) as a Tcl command for the library: a script writes to a
 * channel.
 *
 * The channel takes UTF-8 with plain newlines, whatever the locale. One that the script leaves open is closed.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/save.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"

#include <errno.h>
#include <string.h>

typedef struct Writing {
    tacSave save;
    int error; /* errno of the first write that failed; 0: none has */
} Writing;

/* ---- the channel ---- */

static int output(ClientData data, const char *bytes, int n, int *error) {
    Writing *writing = data;
    errno = 0;
    if (fwrite(bytes, 1, (size_t) n, writing->save.file) == (size_t) n) return n;
    if (!writing->error) writing->error = errno ? errno : EIO;
    *error = writing->error;
    return -1;
}

/* Closes the channel; tacSaveCmd ends the file. Closing one direction (flags) is an error. */
static int closeChannel(ClientData data, Tcl_Interp *interp, int flags) {
    (void) data, (void) interp;
    return flags ? EINVAL : 0;
}

static void watch(ClientData data, int mask) { (void) data, (void) mask; }

static int noHandle(ClientData data, int direction, ClientData *handle) {
    (void) data, (void) direction, (void) handle;
    return TCL_ERROR;
}

static const Tcl_ChannelType channelType = {.typeName = "tactusSave",
    .version = TCL_CHANNEL_VERSION_5,
    .closeProc = TCL_CLOSE2PROC,
    .close2Proc = closeChannel,
    .outputProc = output,
    .watchProc = watch,
    .getHandleProc = noHandle};

/* ---- the command ---- */

/* Runs the script with the name of a channel in the variable, and closes the channel, if the script has not. Returns
 * the script's code. */
static int writeWith(Tcl_Interp *interp, Writing *writing, Tcl_Obj *variable, Tcl_Obj *script) {
    char channelName[40];
    tacNewCommandName(interp, "tactusSave", channelName); /* a number that no other channel of this kind has */
    Tcl_Obj *name = tacKept(Tcl_NewStringObj(channelName, -1));
    Tcl_Channel channel = Tcl_CreateChannel(&channelType, Tcl_GetString(name), writing, TCL_WRITABLE);
    Tcl_RegisterChannel(interp, channel);
    Tcl_SetChannelOption(NULL, channel, "-encoding", "utf-8");
    Tcl_SetChannelOption(NULL, channel, "-translation", "lf");
    Tcl_SetChannelBufferSize(channel, 1 << 16); /* of what is longer each part is a call of the system */
    int code = TCL_ERROR;
    if (Tcl_ObjSetVar2(interp, variable, NULL, name, TCL_LEAVE_ERR_MSG)) code = Tcl_EvalObjEx(interp, script, 0);
    Tcl_InterpState state = Tcl_SaveInterpState(interp, code);
    channel = Tcl_GetChannel(interp, Tcl_GetString(name), NULL);
    if (channel) Tcl_UnregisterChannel(interp, channel);
    Tcl_DecrRefCount(name);
    return Tcl_RestoreInterpState(interp, state);
}

int tacSaveCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const options[] = {"-private", NULL};
    int index;
    Tcl_DString native;
    Writing writing = {.error = 0};
    tacError err = {0};
    (void) data;
    if (objc != 4 && objc != 5) {
        Tcl_WrongNumArgs(interp, 1, objv, "path ?-private? variable script");
        return TCL_ERROR;
    }
    if (objc == 5 && Tcl_GetIndexFromObj(interp, objv[2], options, "option", TCL_EXACT, &index) != TCL_OK)
        return TCL_ERROR;
    const char *path = Tcl_UtfToExternalDString(NULL, Tcl_GetString(objv[1]), -1, &native);
    int code = TCL_ERROR;
    tacStatus status = tacSaveBegin(&writing.save, path, objc == 5 ? TAC_SAVE_PRIVATE : TAC_SAVE_AS_USUAL, &err);
    if (status == TAC_OK) {
        code = writeWith(interp, &writing, objv[objc - 2], objv[objc - 1]);
        if (writing.error)
            code = tacTclFail(interp, "FILE WRITE", "cannot write \"%s\": %s", path, strerror(writing.error));
        status = tacSaveEnd(&writing.save, code == TCL_OK, path, &err);
        if (code != TCL_OK) status = TAC_OK; /* the error is in the interpreter already */
    }
    if (status != TAC_OK) code = tacErrorToTcl(interp, &err);
    Tcl_DStringFree(&native);
    return code;
}
