/*
 * tasksCmd.c -- $trace tasks: the tasks that a list of words means, as views of jobs and `relation jobs -tasks` take
 * them.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/tasksValue.h"
#include "tcl/traceSubcommands.h"

#include <string.h>

/* Reports that a word fits no task, with the tasks that there are. */
static int failMissing(Tcl_Interp *interp, const tacModel *model, const char *missing) {
    static const char *const all[] = {"?*", NULL} /* the hidden ones, too */;
    enum { TOLD = 12 }; /* tasks */
    tacTaskChoice choice;
    tacText told = {0};
    if (!tacChooseTasks(model, all, &choice)) return tacTclMemory(interp);
    for (uint32_t i = 0; i < choice.count && i < TOLD; i++)
        tacTextPrintf(&told, "%s%s", i ? ", " : "", tacObjectId(model->store, TAC_TASK, choice.tasks[i]));
    bool more = choice.count > TOLD, none = !choice.count;
    tacTaskChoiceFree(&choice);
    int result = none ? tacTclFail(interp, "LOOKUP TASK", "the trace has no tasks")
                      : tacTclFail(interp, "LOOKUP TASK", "no task \"%.100s\": the trace has %.300s%s", missing,
                          told.at ? told.at : "", more ? " ..." : "");
    tacTextFree(&told);
    Tcl_SetErrorCode(interp, "TACTUS", "LOOKUP", "TASK", missing, (char *) NULL);
    return result;
}

/* The words of a list, which ends with NULL, to be freed; they live as long as it does. NULL: the result is an error.
 */
static const char **wordsFromObj(Tcl_Interp *interp, Tcl_Obj *list) {
    Tcl_Size count;
    Tcl_Obj **word;
    if (Tcl_ListObjGetElements(interp, list, &count, &word) != TCL_OK) return NULL;
    const char **words = tacAllocZero((size_t) count + 1, sizeof *words);
    if (!words) tacTclMemory(interp);
    for (Tcl_Size i = 0; words && i < count; i++) words[i] = Tcl_GetString(word[i]);
    return words;
}

int tacTasksFromObj(Tcl_Interp *interp, const tacModel *model, Tcl_Obj *list, tacTaskChoice *choice) {
    const char **words = wordsFromObj(interp, list);
    if (!words) return TCL_ERROR;
    int result = TCL_OK;
    if (!tacChooseTasks(model, words, choice)) result = tacTclMemory(interp);
    else if (choice->missing || !choice->count) {
        result = failMissing(interp, model, choice->missing ? choice->missing : "");
        tacTaskChoiceFree(choice);
    }
    tacFree(words);
    return result;
}

/* The result becomes the words of a list that fit no task. */
static int giveMissing(Tcl_Interp *interp, const tacModel *model, Tcl_Obj *list) {
    const char **words = wordsFromObj(interp, list);
    if (!words) return TCL_ERROR;
    size_t count;
    bool done = tacTaskWordsMissing(model, words, words, &count);
    Tcl_Obj *missing = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < count; i++) tacAppend(missing, Tcl_NewStringObj(words[i], -1));
    tacFree(words);
    Tcl_SetObjResult(interp, missing);
    return done ? TCL_OK : tacTclMemory(interp);
}

typedef struct Options {
    int64_t most;
    bool missing;
} Options;

static const tacOptionRow rows[] = {
    {"-missing", TAC_VALUE_FLAG, offsetof(Options, missing), NULL, NULL, NULL, "the words that fit no task instead"},
    {"-most", TAC_VALUE_COUNT, offsetof(Options, most), NULL, "n", NULL, "tasks that are told at most; default: all"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

int tacTasksSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacModel *model = &((tacTraceCall *) data)->trace->model;
    Options options = {.most = INT32_MAX};
    tacTaskChoice choice;
    if (tacOptionsParse(interp, rows, objc - 3, objv + 3, &options) != TCL_OK) return TCL_ERROR;
    if (options.missing) return giveMissing(interp, model, objv[2]);
    if (tacTasksFromObj(interp, model, objv[2], &choice) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *dict = Tcl_NewDictObj(), *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < choice.count && i < options.most; i++) {
        uint32_t task = choice.tasks[i];
        Tcl_Obj *facts = Tcl_NewListObj(0, NULL);
        tacAppend(facts, Tcl_NewStringObj(tacObjectId(model->store, TAC_TASK, task), -1));
        tacAppend(facts, Tcl_NewStringObj(tacObjectName(model->store, TAC_TASK, task), -1));
        tacAppend(facts, Tcl_NewWideIntObj(model->tasks[task].nJobs));
        tacAppend(list, facts);
    }
    tacPutCount(dict, "count", choice.count);
    tacPut(dict, "tasks", list);
    tacTaskChoiceFree(&choice);
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}
