/*
 * hookRegistry.c -- the handlers of an interpreter: tactus::hook adds, lists, switches and removes them.
 *
 * The registry and the passes that may call a handler hold references on it (hook.c, H1). A handler that is removed is
 * off from then on, and freed with the last reference.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/hookRegistry.h"
#include "tcl/text.h"

#include <string.h>

/* ---- handlers and their references ------------------------------------------------------------------------------- */

void tacHandlerRelease(tacHandler *handler) {
    if (--handler->references > 0) return;
    Tcl_DecrRefCount(handler->name);
    Tcl_DecrRefCount(handler->plugin);
    Tcl_DecrRefCount(handler->group);
    Tcl_DecrRefCount(handler->prefix);
    if (handler->safeFor) Tcl_DecrRefCount(handler->safeFor);
    tacFree(handler);
}

static void freeHooks(ClientData data, Tcl_Interp *interp) {
    tacHooks *hooks = data;
    (void) interp;
    for (size_t i = 0; i < hooks->handlers.count; i++) {
        hooks->handlers.at[i]->on = false;
        tacHandlerRelease(hooks->handlers.at[i]);
    }
    tacArrayFree(&hooks->handlers);
    tacFree(hooks);
}

tacHooks *tacHooksOf(Tcl_Interp *interp) {
    static const char *const key = "tactus.hooks";
    tacHooks *hooks = Tcl_GetAssocData(interp, key, NULL);
    if (hooks) return hooks;
    hooks = tacAllocZero(1, sizeof *hooks);
    if (hooks) Tcl_SetAssocData(interp, key, freeHooks, hooks);
    return hooks;
}

/* The kind of event that a handler's name means. */
static int eventCode(Tcl_Obj *name) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(name, &length);
    if (strcmp(text, "*") == 0) return TAC_ALL_EVENTS;
    int event = tacEventFind(text, (size_t) length, false);
    if (event < 0) event = tacEventFind(text, (size_t) length, true);
    return event < 0 ? TAC_EV_CUSTOM : event;
}

/* ---- tactus::hook ------------------------------------------------------------------------------------------------ */

/* Runs `add GROUP PLUGIN EVENT PREFIX ?NAMESPACE?` (tacHandler.safeFor); the result is the handler's number. */
static int addSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacHooks *hooks = data;
    Tcl_Size length;
    if (Tcl_ListObjLength(interp, objv[5], &length) != TCL_OK) return TCL_ERROR;
    if (length == 0) return tacTclFail(interp, "PLUGIN HANDLER", "the handler is empty: it must be a command prefix");
    tacHandler *handler = tacAllocZero(1, sizeof *handler);
    if (!handler || !tacArrayReserve(&hooks->handlers, 1)) {
        tacFree(handler);
        return tacTclMemory(interp);
    }
    *handler = (tacHandler){1, true, NULL, ++hooks->last, eventCode(objv[4]), tacKept(objv[4]), tacKept(objv[3]),
        tacKept(objv[2]), NULL, NULL};
    handler->prefix = tacKept(Tcl_DuplicateObj(objv[5]));
    if (objc > 6) handler->safeFor = tacKept(objv[6]);
    hooks->handlers.at[hooks->handlers.count++] = handler;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(handler->number));
    return TCL_OK;
}

/* Removes the handler with a number (0: none has it), and those of a plugin (NULL: none). */
static void removeHandlers(tacHooks *hooks, int number, Tcl_Obj *plugin) {
    size_t stays = 0;
    for (size_t i = 0; i < hooks->handlers.count; i++) {
        tacHandler *handler = hooks->handlers.at[i];
        if (handler->number != number && !(plugin && tacSameText(handler->plugin, plugin))) {
            hooks->handlers.at[stays++] = handler;
            continue;
        }
        handler->on = false;
        tacHandlerRelease(handler);
    }
    hooks->handlers.count = stays;
}

static int removeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int number;
    (void) interp;
    for (int i = 2; i < objc; i++)
        if (Tcl_GetIntFromObj(NULL, objv[i], &number) == TCL_OK) removeHandlers(data, number, NULL);
    return TCL_OK;
}

static int forgetSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) interp, (void) objc;
    removeHandlers(data, 0, objv[2]);
    return TCL_OK;
}

/* Runs `switch PLUGIN yes|no`: the handlers stay registered. */
static int switchSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacHooks *hooks = data;
    int on;
    (void) objc;
    if (Tcl_GetBooleanFromObj(interp, objv[3], &on) != TCL_OK) return TCL_ERROR;
    for (size_t i = 0; i < hooks->handlers.count; i++)
        if (tacSameText(hooks->handlers.at[i]->plugin, objv[2])) hooks->handlers.at[i]->on = on != 0;
    return TCL_OK;
}

/* Runs `list`: number, group, plugin, event, prefix, and whether it is on, of each handler. */
static int listSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacHooks *hooks = data;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    (void) objc, (void) objv;
    for (size_t i = 0; i < hooks->handlers.count; i++) {
        const tacHandler *h = hooks->handlers.at[i];
        Tcl_Obj *row[6] = {
            Tcl_NewWideIntObj(h->number), h->group, h->plugin, h->name, h->prefix, Tcl_NewBooleanObj(h->on)};
        tacAppend(list, Tcl_NewListObj(6, row));
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

const tacSubcommand tacHookSubcommands[] = {
    {"add", addSub, 4, 5, "group plugin event prefix ?namespace?", "registers a handler; its number"},
    {"forget", forgetSub, 1, 1, "plugin", "removes the handlers of a plugin"},
    {"list", listSub, 0, 0, NULL, "number, group, plugin, event, prefix and whether it is on, of each handler"},
    {"remove", removeSub, 0, -1, "?number ...?", "removes handlers by their numbers"},
    {"switch", switchSub, 2, 2, "plugin on", "turns the handlers of a plugin on or off"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacHookCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    tacHooks *hooks = tacHooksOf(interp);
    if (!hooks) return tacTclMemory(interp);
    return tacDispatch(hooks, interp, objc, objv, tacHookSubcommands);
}

/* ---- for passes -------------------------------------------------------------------------------------------------- */

static bool isAmong(Tcl_Obj *list, Tcl_Obj *text) {
    Tcl_Size count;
    Tcl_Obj **elements;
    if (Tcl_ListObjGetElements(NULL, list, &count, &elements) != TCL_OK) return false;
    for (Tcl_Size i = 0; i < count; i++)
        if (tacSameText(elements[i], text)) return true;
    return false;
}

bool tacHookCollect(const tacHooks *hooks, Tcl_Obj *groups, Tcl_Obj *plugins, tacHandlerList *wanted) {
    for (size_t i = 0; i < hooks->handlers.count; i++) {
        tacHandler *handler = hooks->handlers.at[i];
        bool inGroup = groups ? isAmong(groups, handler->group) : *Tcl_GetString(handler->group) == '\0';
        if (!handler->on || !inGroup || (plugins && !isAmong(plugins, handler->plugin))) continue;
        if (!tacArrayPush(wanted, handler)) return false;
        handler->references++;
    }
    return true;
}
