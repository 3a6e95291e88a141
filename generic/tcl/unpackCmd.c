/*
 * unpackCmd.c -- tactus::unpacked: the bytes of a file, unpacked, as a channel: the library's one way to look into a
 * packed file.
 *
 *      file -> source (read/source.h), in a worker process where it is packed -> channel
 */
#include <tcl.h>

#include "base/port.h"

#include "read/source.h"
#include "tcl/commands.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/text.h"

#include <errno.h>
#include <string.h>

typedef struct Reading {
    tacSource source;
    Tcl_Channel channel;
    uint64_t most; /* bytes that a packed file may hold; 0: any */
} Reading;

static const tacOptionRow rows[] = {
    {"-memorylimit", TAC_VALUE_BYTES, 0, NULL, "bytes", NULL,
        "bytes that a packed file may hold; 0: any; default: half of the memory that is free"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* Fails, with a message for whoever reads the channel. */
static int failRead(Reading *r, const tacError *err, int *error) {
    Tcl_Obj *message = Tcl_NewStringObj(err->message, -1);
    Tcl_SetChannelError(r->channel, Tcl_NewListObj(1, &message));
    *error = EIO;
    return -1;
}

/* Damage is told when all before it has been read. */
static int input(ClientData data, char *bytes, int size, int *error) {
    Reading *r = data;
    tacSource *source = &r->source;
    tacError err = {"", ""};
    while (source->at == source->end && !source->ended)
        if (tacSourceMore(source, &err) != TAC_OK) return failRead(r, &err, error);
    size_t n = (size_t) (source->end - source->at);
    if (n == 0 && source->damage.code[0]) return failRead(r, &source->damage, error);
    if (r->most && source->apart && source->delivered > r->most) {
        tacFail(&err, "LIMIT MEMORY",
            "it holds more than %llu bytes when it is unpacked; raise -memorylimit, or unpack it yourself",
            (unsigned long long) r->most);
        return failRead(r, &err, error);
    }
    if (n > (size_t) size) n = (size_t) size;
    memcpy(bytes, source->at, n);
    source->at += n;
    return (int) n;
}

static int closeChannel(ClientData data, Tcl_Interp *interp, int flags) {
    Reading *r = data;
    (void) interp;
    if (flags) return EINVAL;
    tacSourceClose(&r->source);
    tacFree(r);
    return 0;
}

static void watch(ClientData data, int mask) { (void) data, (void) mask; }

static int noHandle(ClientData data, int direction, ClientData *handle) {
    (void) data, (void) direction, (void) handle;
    return TCL_ERROR;
}

static const Tcl_ChannelType channelType = {.typeName = "tactusUnpacked",
    .version = TCL_CHANNEL_VERSION_5,
    .closeProc = TCL_CLOSE2PROC,
    .close2Proc = closeChannel,
    .inputProc = input,
    .watchProc = watch,
    .getHandleProc = noHandle};

/* The bytes are wanted as they are: those of a stranger's source are. */
static Reading *openReading(const char *path, tacError *err) {
    Reading *r = tacAllocZero(1, sizeof *r);
    if (!r) return tacFailMemory(err), NULL;
    if (tacSourceOpen(&r->source, path, err) != TAC_OK) return tacFree(r), NULL;
    tacSourceSettle(&r->source);
    r->source.strange = true;
    return r;
}

int tacUnpackedCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    char name[40];
    Tcl_DString native;
    tacError err = {0};
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "path ?-memorylimit bytes?");
        return TCL_ERROR;
    }
    int64_t most = (int64_t) (tacFreeMemory() / 2);
    if (tacOptionsParse(interp, rows, objc - 2, objv + 2, &most) != TCL_OK) return TCL_ERROR;
    const char *path = tacPathFromObj(interp, objv[1], &native);
    if (!path) return TCL_ERROR;
    Reading *r = openReading(path, &err);
    Tcl_DStringFree(&native);
    if (!r) return tacErrorToTcl(interp, &err);
    r->most = (uint64_t) most;
    tacNewCommandName(interp, "tactusUnpacked", name); /* a number that no other channel of this kind has */
    r->channel = Tcl_CreateChannel(&channelType, name, r, TCL_READABLE);
    Tcl_RegisterChannel(interp, r->channel);
    Tcl_SetChannelOption(NULL, r->channel, "-translation", "binary");
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
    return TCL_OK;
}
