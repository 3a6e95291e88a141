/*
 * relayCmd.c -- tactus::relay: collects, receives and stores what sensors write, as a configuration says.
 *
 *      tactus::relay FILE ?-option value ...?
 *
 * It returns when SIGINT, SIGTERM or SIGHUP comes, or its time is over. The result, and what -look is called with, is a
 * dict: sources, sensors, elements, overwritten (of programs here); kernelLost, kernelUnknown (events that the kernel
 * lost, places where it does not know how many); received, damaged (packets and bytes of the network); lost (elements
 * that no storage took); storages: a list of dicts with name, kind, packets, bytes, elements, lost.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/recorder.h"
#include "tcl/relayConfig.h"
#include "tcl/text.h"

#include <string.h>

/* ---- options ----------------------------------------------------------------------------------------------------- */

typedef struct Options {
    double seconds, timeLimit;
    Tcl_Obj *said, *look;
    bool check;
} Options;

#define AT(member) offsetof(Options, member)
const tacOptionRow tacRelayRows[] = {
    {"-check", TAC_VALUE_FLAG, AT(check), NULL, NULL, "no", "reads the configuration, and does nothing else"},
    {"-for", TAC_VALUE_NUMBER, AT(seconds), NULL, "seconds", NULL, "ends after so long; default: by a signal alone"},
    {"-look", TAC_VALUE_OBJECT, AT(look), NULL, NULL, NULL, "is called each second with what there is so far"},
    {"-said", TAC_VALUE_OBJECT, AT(said), NULL, NULL, NULL, "is called with what is to be told: sentences"},
    {"-timelimit", TAC_VALUE_NUMBER, AT(timeLimit), NULL, "seconds", "10",
        "processor time that scripts in the configuration may take; 0: no limit"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};
#undef AT

/* ---- what is told ------------------------------------------------------------------------------------------------ */

typedef struct Running {
    Tcl_Interp *interp;
    const Options *options;
    tacRelay *relay;
    tacCaptureCounts kernel;
} Running;

static void call(Tcl_Interp *interp, Tcl_Obj *script, Tcl_Obj *word) {
    Tcl_IncrRefCount(word);
    if (tacTclCall(interp, script, word) != TCL_OK) Tcl_BackgroundException(interp, TCL_ERROR);
    Tcl_DecrRefCount(word);
}

static void say(void *data, const char *text) {
    const Running *running = data;
    if (running->options->said) call(running->interp, running->options->said, tacTextToObj(text, strlen(text)));
}

static Tcl_Obj *storagesValue(const tacRelay *relay) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    tacStorageCount count;
    const tacStorageOptions *options;
    for (uint32_t i = 0; (options = tacRelayStorage(relay, i, &count)) != NULL; i++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "name", options->name);
        tacPutText(dict, "kind", tacStorageKindNames[options->kind]);
        tacPutCount(dict, "packets", count.packets);
        tacPutCount(dict, "bytes", count.bytes);
        tacPutCount(dict, "elements", count.elements);
        tacPutCount(dict, "lost", count.lost);
        tacAppend(list, dict);
    }
    return list;
}

static Tcl_Obj *countsValue(const Running *running) {
    tacRelayCount count;
    tacCaptureCounts kernel = tacRecordKernelCounts(&running->kernel);
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacRelayCounts(running->relay, &count);
    tacPutCount(dict, "sources", count.collected.sources);
    tacPutCount(dict, "sensors", count.collected.sensors);
    tacPutCount(dict, "elements", count.collected.elements);
    tacPutCount(dict, "overwritten", count.collected.lost);
    tacPutCount(dict, "kernelLost", kernel.lost);
    tacPutCount(dict, "kernelUnknown", kernel.unknown);
    tacPutCount(dict, "received", count.received.packets);
    tacPutCount(dict, "damaged", count.received.damaged);
    tacPutCount(dict, "lost", count.lost);
    tacPut(dict, "storages", storagesValue(running->relay));
    return dict;
}

static void look(void *data) {
    const Running *running = data;
    call(running->interp, running->options->look, countsValue(running));
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int failAt(Tcl_Interp *interp, const char *path, uint32_t line, const char *why) {
    return tacTclFail(interp, "RELAY OPEN", "%s:%u: %s", path, (unsigned) line, why);
}

/* The kernel becomes a source of the collector, where the configuration says so. */
static int openKernel(Tcl_Interp *interp, Running *running, const tacRelayConfig *config, const char *path) {
    tacError err = {{0}, {0}};
    tacrec_collector *collector = tacRelayCollector(running->relay);
    if (!config->kernelLine || tacRecordKernel(collector, config->events, 0, &running->kernel, &err) == TAC_OK)
        return TCL_OK;
    return failAt(interp, path, config->kernelLine, err.message);
}

/* Opens storages first: what is collected and received has somewhere to go. */
static int open(Tcl_Interp *interp, Running *running, const tacRelayConfig *config, const char *path) {
    char why[TAC_STORAGE_TEXT], folder[PATH_MAX];
    tacRelay *relay = running->relay;
    for (size_t i = 0; i < config->stored.count; i++) {
        const tacRelayStored *stored = config->stored.at[i];
        if (!tacRelayStore(relay, &stored->options, why)) return failAt(interp, path, stored->line, why);
    }
    for (size_t i = 0; i < config->received.count; i++) {
        const tacRelayReceived *received = config->received.at[i];
        if (!tacRelayReceive(relay, &received->options, why)) return failAt(interp, path, received->line, why);
    }
    bool collects = config->folders.count > 0 || config->received.count == 0;
    static const tacRelayFolder usual = {0, NULL};
    for (size_t i = 0; collects && i < config->folders.count + (config->folders.count == 0); i++) {
        const tacRelayFolder *at = config->folders.count ? &config->folders.at[i] : &usual;
        int problem = at->path ? 0 : tacrec_defaultFolder(folder, sizeof folder);
        if (problem)
            return tacTclFail(
                interp, "RELAY OPEN", "%s: cannot use the folder of sensors: %s", path, Tcl_ErrnoMsg(problem));
        if (!tacRelayCollect(relay, at->path ? at->path : folder, why)) return failAt(interp, path, at->line, why);
    }
    return openKernel(interp, running, config, path);
}

static int run(Tcl_Interp *interp, const tacRelayConfig *config, const char *path, const Options *options) {
    Running running = {.interp = interp, .options = options};
    tacRelay *relay = running.relay = tacRelayNew(&config->collect, say, &running);
    if (!relay) return tacTclMemory(interp);
    int result = open(interp, &running, config, path);
    if (result == TCL_OK) {
        say(&running, "relaying; Ctrl+C ends it");
        tacRelayRun(relay, (uint64_t) (options->seconds * 1e9), options->look ? look : NULL, &running);
        tacRelayStop(relay);
    }
    Tcl_Obj *counts = tacKept(countsValue(&running));
    tacRelayFree(relay);
    if (result == TCL_OK) Tcl_SetObjResult(interp, counts);
    Tcl_DecrRefCount(counts);
    return result;
}

int tacRelayCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "file ?-option value ...?");
        return TCL_ERROR;
    }
    Options options = {.timeLimit = 10};
    tacRelayConfig config = {0};
    tacError err = {{0}, {0}};
    Tcl_DString native;
    const char *path = tacPathFromObj(interp, objv[1], &native);
    if (!path) return TCL_ERROR;
    int result = tacOptionsParse(interp, tacRelayRows, objc - 2, objv + 2, &options);
    if (result == TCL_OK && !(options.seconds >= 0 && options.seconds <= 1e9))
        result = tacTclFail(interp, "USAGE VALUE", "-for: must be a time from 0 to 1e9 seconds");
    if (result == TCL_OK && tacRelayConfigRead(&config, path, options.timeLimit, &err) != TAC_OK)
        result = tacErrorToTcl(interp, &err);
    if (result == TCL_OK && !options.check) result = run(interp, &config, path, &options);
    tacRelayConfigFree(&config);
    tacOptionsFree(tacRelayRows, &options);
    Tcl_DStringFree(&native);
    return result;
}
