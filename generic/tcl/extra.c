/*
 * extra.c -- a plugin's command in a trace: its words become a Tcl call, the result commands of the vocabulary.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/extra.h"

#include <string.h>

/* ---- calling ----------------------------------------------------------------------------------------------------- */

static Tcl_Obj *wordValue(const tacWord *word) { return Tcl_NewStringObj(word->at, (Tcl_Size) word->length); }

/* Delivers one command of the result, a list of words. */
static tacStatus deliverOne(Tcl_Obj *command, uint32_t line, tacDeliver *deliver, void *to, tacError *err) {
    Tcl_Size count;
    Tcl_Obj **elements;
    if (Tcl_ListObjGetElements(NULL, command, &count, &elements) != TCL_OK)
        return tacFail(err, "PLUGIN COMMAND", "a plugin's command gave \"%.100s\", which is no list of words",
            Tcl_GetString(command));
    tacWord *words = tacAllocZero((size_t) count + 1, sizeof *words);
    if (!words) return tacFailMemory(err);
    for (Tcl_Size i = 0; i < count; i++) {
        Tcl_Size length;
        words[i].at = Tcl_GetStringFromObj(elements[i], &length);
        words[i].length = (size_t) length;
    }
    tacStatus status = deliver(to, words, (int) count, line, err);
    tacFree(words);
    return status;
}

/* Delivers the commands of the result. */
static tacStatus deliverAll(Tcl_Obj *commands, uint32_t line, tacDeliver *deliver, void *to, tacError *err) {
    Tcl_Size count;
    Tcl_Obj **elements;
    if (Tcl_ListObjGetElements(NULL, commands, &count, &elements) != TCL_OK)
        return tacFail(err, "PLUGIN COMMAND", "a plugin's command gave \"%.100s\", which is no list of commands",
            Tcl_GetString(commands));
    tacStatus status = TAC_OK;
    for (Tcl_Size i = 0; i < count && status == TAC_OK; i++) status = deliverOne(elements[i], line, deliver, to, err);
    return status;
}

/* Calls the command, and delivers its result. */
static tacStatus run(
    void *data, const tacWord *words, int count, uint32_t line, tacDeliver *deliver, void *to, tacError *err) {
    const tacExtraScript *extra = data;
    Tcl_Obj *name = tacKept(wordValue(&words[0])), *prefix = NULL;
    Tcl_DictObjGet(NULL, extra->prefixes, name, &prefix);
    Tcl_DecrRefCount(name);
    if (!prefix) return TAC_OK; /* no plugin has this command any more */
    Tcl_Obj *call = tacKept(Tcl_DuplicateObj(prefix));
    for (int i = 1; i < count; i++) tacAppend(call, wordValue(&words[i]));
    int code = Tcl_EvalObjEx(extra->interp, call, TCL_EVAL_GLOBAL | TCL_EVAL_DIRECT);
    Tcl_DecrRefCount(call);
    if (Tcl_InterpDeleted(extra->interp)) return tacFail(err, "CANCELLED", "the interpreter was deleted");
    Tcl_Obj *result = tacKept(Tcl_GetObjResult(extra->interp));
    tacStatus status = code == TCL_OK ? deliverAll(result, line, deliver, to, err)
                                      : tacFail(err, "PLUGIN COMMAND", "%s", Tcl_GetString(result));
    Tcl_DecrRefCount(result);
    Tcl_ResetResult(extra->interp);
    return status;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* Fills in the names. Each prefix must be a list of words, and no name may be one of the vocabulary's. */
static int collectNames(tacExtraScript *extra) {
    Tcl_DictSearch search;
    Tcl_Obj *key, *prefix;
    Tcl_Size words;
    int done, n = 0, code = Tcl_DictObjFirst(extra->interp, extra->prefixes, &search, &key, &prefix, &done);
    if (code != TCL_OK) return TCL_ERROR;
    for (; !done && code == TCL_OK; Tcl_DictObjNext(&search, &key, &prefix, &done)) {
        const char *name = extra->names[n++] = Tcl_GetString(key);
        code = Tcl_ListObjLength(extra->interp, prefix, &words);
        if (code == TCL_OK && words == 0)
            code = tacTclFail(extra->interp, "PLUGIN COMMAND", "the command \"%.100s\" has no prefix", name);
        for (const char *const *known = tacCommandNames; *known && code == TCL_OK; known++)
            if (strcmp(*known, name) == 0)
                code = tacTclFail(
                    extra->interp, "PLUGIN COMMAND", "\"%.100s\" is a command of the trace language already", name);
    }
    Tcl_DictObjDone(&search);
    return code;
}

int tacExtraScriptInit(tacExtraScript *extra, Tcl_Interp *interp, Tcl_Obj *prefixes) {
    Tcl_Size size = 0;
    *extra = (tacExtraScript){.interp = interp};
    if (!prefixes) return TCL_OK;
    if (Tcl_DictObjSize(interp, prefixes, &size) != TCL_OK) return TCL_ERROR;
    if (size == 0) return TCL_OK;
    extra->names = tacAllocZero((size_t) size + 1, sizeof *extra->names);
    if (!extra->names) return tacTclMemory(interp);
    extra->prefixes = prefixes;
    Tcl_IncrRefCount(prefixes);
    extra->commands = (tacExtraCommands){extra->names, run, extra};
    return collectNames(extra);
}

const tacExtraCommands *tacExtraScriptCommands(const tacExtraScript *extra) {
    return extra->names ? &extra->commands : NULL;
}

void tacExtraScriptFree(tacExtraScript *extra) {
    if (extra->prefixes) Tcl_DecrRefCount(extra->prefixes);
    tacFree(extra->names);
}
