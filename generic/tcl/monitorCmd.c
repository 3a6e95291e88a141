/*
 * monitorCmd.c -- tactus::monitor: watches sensors of running programs from the event loop.
 *
 *      tactus::monitor PATHS ?-option value ...?  -> a command with subcommands
 *      timer, each period: step -> evaluator -> handlers
 *
 * With -copy a thread of its own, a reserved server where the system grants it, copies elements in real time, and the
 * step takes what it has copied (record/copy.c). Then the thread alone looks at the sensors.
 */
#include <tcl.h>

#include "base/port.h"

#include "record/vocabularyFields.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/monitor.h"
#include "tcl/nanoseconds.h"
#include "tcl/optionTable.h"
#include "tcl/text.h"

#include <errno.h>
#include <string.h>

enum {
    DRAINED = 1 << 24,    /* elements, at most: writers go on meanwhile */
    MARKS = 1000,         /* that are kept */
    MARKS_BYTES = 1 << 19 /* of their directory */
};

typedef struct tacMonitorCopier {
    tacrec_evaluator *evaluator; /* the thread's */
    tacrec_copy *copy;
    Tcl_ThreadId thread;
    tacrec_service service; /* the thread's until it has ended */
    uint32_t stop, ready;   /* what both look at; `ready`: it knows what was granted */
    tacrec_reserved reserved;
    int problem;
} tacMonitorCopier;

typedef struct tacMonitorMarks {
    tacrec_directory directory;
    tacrec_sensor sensor;
} tacMonitorMarks;

typedef struct Options {
    const char *period, *wait, *budget, *deadline;
    const char *kernel;           /* events; NULL: no kernel */
    int64_t most, copy, priority; /* copy -1: no copying */
    bool trusted;
} Options;

#define TEXT(member) TAC_VALUE_TEXT, offsetof(Options, member), NULL
#define COUNT(member) TAC_VALUE_COUNT, offsetof(Options, member), NULL
const tacOptionRow tacMonitorRows[] = {
    {"-period", TEXT(period), "time", "10ms", "between two steps, in each of which elements are handed out"},
    {"-wait", TEXT(wait), "time", "10ms",
        "an element is handed out after so much time at the latest, though a sensor may still bring older ones"},
    {"-most", COUNT(most), NULL, "10000",
        "elements of a step; what is left comes as soon as other events were handled"},
    {"-kernel", TEXT(kernel), "events", NULL,
        "watches the kernel, too: the usual events, and others that fit patterns, without those with a - before them"},
    {"-trusted", TAC_VALUE_FLAG, offsetof(Options, trusted), NULL, NULL, "no",
        "read directories of other users, too, who could end this process by cutting a file"},
    {"-copy", TAC_VALUE_BYTES, offsetof(Options, copy), NULL, "bytes", NULL,
        "a thread copies elements into so many bytes in real time, so that handlers may take their time"},
    {"-budget", TEXT(budget), "time", NULL,
        "the copying thread runs for so long in each period, as a reserved server: SCHED_DEADLINE, else SCHED_FIFO"},
    {"-deadline", TEXT(deadline), "time", NULL, "of the budget within the period; default: the period"},
    {"-priority", COUNT(priority), NULL, "10", "where the server has SCHED_FIFO"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void onTimer(ClientData data);

static void arm(tacMonitor *m, int milliseconds) {
    Tcl_DeleteTimerHandler(m->timer);
    m->timer = Tcl_CreateTimerHandler(milliseconds, onTimer, m);
}

static void freeMonitor(char *memory) {
    tacMonitor *m = (tacMonitor *) memory;
    tacMonitorCopier *copier = m->copier;
    tacrec_evaluatorFree(m->evaluator); /* which removes, and so frees, all evaluations */
    if (copier) {
        tacrec_evaluatorFree(copier->evaluator);
        tacrec_copyFree(copier->copy);
        tacFree(copier);
    }
    if (m->marks) tacrec_close(&m->marks->directory, false);
    tacFree(m->marks);
    if (m->folder) Tcl_DecrRefCount(m->folder);
    tacFree(m);
}

/*
 * Hands out up to `most` elements that there are now, or will be due `ahead` nanoseconds later; how many. The time is
 * taken before sensors are looked for: what those that come have written is later, and not late. A handler may end the
 * monitor.
 */
static uint64_t step(tacMonitor *m, uint64_t ahead, uint64_t most) {
    uint64_t given, now = tacrec_evaluatorNow();
    tacrec_evaluatorLook(m->evaluator);
    Tcl_Preserve(m);
    Tcl_Preserve(m->interp);
    m->busy = true;
    if (m->copier) given = tacrec_copyStep(m->copier->copy, m->evaluator, most);
    else given = tacrec_evaluatorStep(m->evaluator, now + ahead, most);
    m->busy = false;
    Tcl_Release(m->interp);
    Tcl_Release(m);
    return given;
}

static void onTimer(ClientData data) {
    tacMonitor *m = data;
    uint64_t most = (uint64_t) m->most;
    m->timer = NULL;
    Tcl_Preserve(m);
    /* Within a step, a handler has let the event loop run. */
    bool more = !m->busy && step(m, 0, most) == most;
    if (!m->closed) arm(m, more ? 0 : (int) (m->period / 1000000 > 0 ? m->period / 1000000 : 1));
    Tcl_Release(m);
}

static int stepCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacMonitor *m = data;
    (void) objc, (void) objv;
    if (m->busy) return tacTclFail(interp, "MONITOR BUSY", "elements are being handed out already");
    uint64_t given = step(m, 0, (uint64_t) m->most);
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) given));
    return TCL_OK;
}

static int drainCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacMonitor *m = data;
    (void) objc, (void) objv;
    if (m->busy) return tacTclFail(interp, "MONITOR BUSY", "elements are being handed out already");
    uint64_t given = step(m, m->wait, DRAINED);
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) given));
    return TCL_OK;
}

/* ---- copying ----------------------------------------------------------------------------------------------------- */

static Tcl_ThreadCreateType copyThread(ClientData data) {
    tacMonitorCopier *copier = data;
    copier->reserved = tacrec_reserve(&copier->service);
    copier->problem = copier->service.problem;
    __atomic_store_n(&copier->ready, 1u, __ATOMIC_RELEASE);
    tacrec_evaluatorServe(copier->evaluator, &copier->service, &copier->stop);
    Tcl_ExitThread(0);
    TCL_THREAD_CREATE_RETURN;
}

static int startCopying(Tcl_Interp *interp, tacMonitor *m) {
    tacMonitorCopier *copier = m->copier;
    if (Tcl_CreateThread(&copier->thread, copyThread, copier, TCL_THREAD_STACK_DEFAULT, TCL_THREAD_JOINABLE) == TCL_OK)
        return TCL_OK;
    copier->thread = NULL;
    return tacTclFail(interp, "MONITOR THREAD", "no thread can be made that copies elements");
}

static void stopCopying(tacMonitorCopier *copier) {
    int result;
    if (!copier || !copier->thread) return;
    __atomic_store_n(&copier->stop, 1u, __ATOMIC_RELEASE);
    Tcl_JoinThread(copier->thread, &result);
    copier->thread = NULL;
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

static int watch(Tcl_Interp *interp, tacMonitor *m, tacrec_evaluator *evaluator, Tcl_Obj *word, bool trusted) {
    Tcl_DString path;
    const char *native = tacPathFromObj(interp, word, &path);
    if (!native) return TCL_ERROR;
    int problem = tacrec_evaluatorWatch(evaluator, native, trusted ? TACREC_TRUSTED : 0);
    Tcl_DStringFree(&path);
    if (problem) {
        Tcl_SetErrno(problem);
        return tacTclFail(interp, "FILE WATCH", "cannot watch \"%s\": %s", Tcl_GetString(word),
            problem == EINVAL      ? "it is no directory of sensors"
                : problem == EPERM ? "it belongs to another user, who could cut it while it is read (-trusted)"
                                   : Tcl_ErrnoMsg(problem));
    }
    if (!m->folder) m->folder = tacKept(Tcl_DuplicateObj(word));
    return TCL_OK;
}

static int watchCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacMonitor *m = data;
    bool trusted = objc == 4;
    if (m->copier)
        return tacTclFail(interp, "MONITOR COPY", "a monitor that copies is told all folders when it is made");
    if (trusted && strcmp(Tcl_GetString(objv[3]), "-trusted") != 0) {
        Tcl_WrongNumArgs(interp, 2, objv, "path ?-trusted?");
        return TCL_ERROR;
    }
    return watch(interp, m, m->evaluator, objv[2], trusted);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

static int openMarks(Tcl_Interp *interp, tacMonitor *m) {
    tacrec_layout layout = tacrec_traceSensors[TACREC_TRACE_TEXTS];
    Tcl_DString path;
    int problem;
    layout.kind = TACREC_SIMPLE;
    layout.capacity = MARKS;
    m->marks = tacAllocZero(1, sizeof *m->marks);
    if (!m->marks) return tacTclMemory(interp);
    const char *native = m->folder ? tacPathFromObj(interp, m->folder, &path) : NULL;
    problem = native ? tacrec_open(&m->marks->directory, native, "monitor", MARKS_BYTES, 0) : ENOTDIR;
    if (problem == ENOTDIR) problem = tacrec_openDefault(&m->marks->directory, "monitor", MARKS_BYTES);
    if (native) Tcl_DStringFree(&path);
    if (!problem && tacrec_add(&m->marks->directory, &m->marks->sensor, &layout)) return TCL_OK;
    tacFree(m->marks);
    m->marks = NULL;
    return tacTclFail(interp, "FILE MARK", "no marks can be written: %s", Tcl_ErrnoMsg(problem ? problem : ENOSPC));
}

static int markCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacMonitor *m = data;
    Tcl_DString text;
    (void) objc;
    if (!m->marks && openMarks(interp, m) != TCL_OK) return TCL_ERROR;
    tacTextFromObj(objv[2], &text);
    tacrec_text *place = tacrec_write(&m->marks->sensor);
    memset(place, 0, sizeof *place);
    place->code = TACREC_MESSAGE;
    place->processor = TACREC_ANYWHERE;
    memcpy(place->text, Tcl_DStringValue(&text), strnlen(Tcl_DStringValue(&text), sizeof place->text));
    tacrec_commit(&m->marks->sensor, place);
    Tcl_DStringFree(&text);
    return TCL_OK;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

static Tcl_Obj *textObj(const char *text) { return tacTextToObj(text, strlen(text)); }

static int elementCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacMonitor *m = data;
    const tacrec_seen *element = m->element;
    Tcl_Obj *dict = Tcl_NewDictObj();
    (void) objc, (void) objv;
    if (element) {
        tacPutCount(dict, "time", element->read->time);
        tacPut(dict, "sensor", textObj(element->entry->name));
        tacPut(dict, "program", textObj(element->program));
        tacPutCount(dict, "pid", element->pid);
        tacPutCount(dict, "thread", element->read->thread);
        tacPutCount(dict, "number", element->read->number);
        tacPutCount(dict, "missed", element->read->missed);
        tacPutFlag(dict, "late", element->late);
    }
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

static int sensorsCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacMonitor *m = data;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    tacrec_inputSaid said;
    (void) objc, (void) objv;
    for (uint32_t k = 0; tacrec_evaluatorSaid(m->evaluator, k, &said); k++) {
        Tcl_Obj *dict = Tcl_NewDictObj(), *fields = Tcl_NewListObj(0, NULL);
        tacPut(dict, "sensor", textObj(said.entry->name));
        tacPut(dict, "program", textObj(said.program));
        tacPutCount(dict, "pid", said.pid);
        for (uint32_t i = 0; i < said.entry->fieldCount && i < TACREC_FIELDS; i++)
            tacAppend(fields, textObj(said.entry->fields[i].name));
        tacPut(dict, "fields", fields);
        tacPutCount(dict, "elements", said.elements);
        tacPutCount(dict, "missed", said.missed);
        tacPutCount(dict, "late", said.late);
        tacAppend(list, dict);
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int countCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const reserved[] = {"best effort", "fifo", "deadline"};
    const tacMonitor *m = data;
    tacrec_evaluated done = tacrec_evaluatorCount(m->evaluator);
    Tcl_Obj *dict = Tcl_NewDictObj();
    (void) objc, (void) objv;
    tacPutCount(dict, "elements", done.elements);
    tacPutCount(dict, "late", done.late);
    tacPutCount(dict, "missed", done.missed);
    tacPutCount(dict, "wild", done.wild);
    tacPutCount(dict, "sensors", done.inputs);
    tacPutCount(dict, "refused", done.refused);
    if (m->copier) {
        bool ready = __atomic_load_n(&m->copier->ready, __ATOMIC_ACQUIRE);
        tacPutCount(dict, "dropped", tacrec_copyDropped(m->copier->copy));
        tacPutText(dict, "reserved", ready ? reserved[m->copier->reserved] : "");
        tacPutText(dict, "problem", ready && m->copier->problem ? Tcl_ErrnoMsg(m->copier->problem) : "");
    }
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int closeCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacMonitor *m = data;
    (void) objc, (void) objv;
    Tcl_DeleteCommandFromToken(interp, m->token);
    return TCL_OK;
}

const tacSubcommand tacMonitorSubcommands[] = {
    {"close", closeCmd, 0, 0, NULL, "ends the monitor"},
    {"count", countCmd, 0, 0, NULL, "a dict of how many elements were handed out, and how many were not"},
    {"drain", drainCmd, 0, 0, NULL, "hands out all elements that there are, without waiting for older ones"},
    {"element", elementCmd, 0, 0, NULL, "a dict about the element that is handled; {} when none is"},
    {"histogram", tacMonitorHistogram, 1, -1, "sensors ?-option value ...?", "counts values, distances or spans"},
    {"machine", tacMonitorMachine, 1, -1, "transitions ?-option value ...?", "a state machine that elements drive"},
    {"mark", markCmd, 1, 1, "text", "writes a message into recordings of the first folder that is watched"},
    {"on", tacMonitorOn, 2, -1, "sensors prefix ?-option value ...?",
        "calls the prefix for each element with its time, its sensor, and -field value for each field"},
    {"rate", tacMonitorRate, 1, -1, "sensors ?-option value ...?", "counts elements in a window of time"},
    {"remove", tacMonitorRemove, 1, 1, "id", "ends what was made of elements"},
    {"result", tacMonitorResult, 1, 1, "id", "a dict of what was found"},
    {"sensors", sensorsCmd, 0, 0, NULL, "a list of dicts about the sensors that there are"},
    {"step", stepCmd, 0, 0, NULL, "hands out the elements that are due, as the timer does"},
    {"watch", watchCmd, 1, 2, "path ?-trusted?", "watches another directory or folder"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

static int monitorCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int result;
    Tcl_Preserve(data);
    result = tacDispatch(data, interp, objc, objv, tacMonitorSubcommands);
    Tcl_Release(data);
    return result;
}

/* The command goes. What is being handed out ends before the memory is freed. */
static void onDelete(ClientData data) {
    tacMonitor *m = data;
    m->closed = true;
    Tcl_DeleteTimerHandler(m->timer);
    stopCopying(m->copier);
    Tcl_EventuallyFree(m, freeMonitor);
}

/* Times of the options. */
static int readTimes(Tcl_Interp *interp, const Options *options, tacMonitor *m, tacrec_service *service) {
    int64_t wait = 10000000, budget = 0, deadline = 0;
    m->period = 10000000;
    if (tacNanosecondsOf(interp, "-period", options->period, &m->period) != TCL_OK
        || tacNanosecondsOf(interp, "-wait", options->wait, &wait) != TCL_OK
        || tacNanosecondsOf(interp, "-budget", options->budget, &budget) != TCL_OK
        || tacNanosecondsOf(interp, "-deadline", options->deadline, &deadline) != TCL_OK)
        return TCL_ERROR;
    if (m->period < 10000 || m->period > 3600ll * 1000000000)
        return tacTclFail(interp, "USAGE VALUE", "-period must be 10us to 3600s");
    if (options->budget && options->copy < 0)
        return tacTclFail(interp, "USAGE MISSING", "-budget is for the thread that -copy makes");
    if (options->most < 1) return tacTclFail(interp, "USAGE VALUE", "-most must be above 0");
    m->most = options->most;
    m->wait = (uint64_t) wait;
    *service = (tacrec_service){.period = (uint64_t) m->period,
        .deadline = (uint64_t) deadline,
        .budget = (uint64_t) budget,
        .look = (uint64_t) m->period,
        .priority = options->priority > 99 ? 99 : (int) options->priority};
    return TCL_OK;
}

/* Makes the evaluators. False: no memory. */
static bool begin(tacMonitor *m, const Options *options, const tacrec_service *service) {
    m->evaluator = tacrec_evaluatorNew(m->wait);
    if (options->copy < 0) return m->evaluator != NULL;
    m->copier = tacAllocZero(1, sizeof *m->copier);
    if (!m->copier) return false;
    m->copier->service = *service;
    m->copier->evaluator = tacrec_evaluatorNew(m->wait);
    m->copier->copy = tacrec_copyNew((uint64_t) options->copy);
    return m->evaluator && m->copier->evaluator && m->copier->copy
        && tacrec_evaluatorAdd(m->copier->evaluator, tacrec_copyEvaluation(m->copier->copy));
}

static int start(Tcl_Interp *interp, tacMonitor *m, Tcl_Obj *paths, const Options *options) {
    tacrec_service service;
    tacError err = {{0}, {0}};
    Tcl_Size count;
    Tcl_Obj **words;
    if (Tcl_ListObjGetElements(interp, paths, &count, &words) != TCL_OK) return TCL_ERROR;
    if (readTimes(interp, options, m, &service) != TCL_OK) return TCL_ERROR;
    if (!begin(m, options, &service)) return tacTclMemory(interp);
    tacrec_evaluator *evaluator = m->copier ? m->copier->evaluator : m->evaluator;
    for (Tcl_Size i = 0; i < count; i++)
        if (watch(interp, m, evaluator, words[i], options->trusted) != TCL_OK) return TCL_ERROR;
    if (options->kernel && tacMonitorKernel(evaluator, options->kernel, &err) != TAC_OK)
        return tacErrorToTcl(interp, &err);
    return m->copier ? startCopying(interp, m) : TCL_OK;
}

int tacMonitorCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Options options = {.most = 10000, .copy = -1};
    char name[40];
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "paths ?-option value ...?");
        return TCL_ERROR;
    }
    tacMonitor *m = tacAllocZero(1, sizeof *m);
    if (!m) return tacTclMemory(interp);
    m->interp = interp;
    int result = tacOptionsParse(interp, tacMonitorRows, objc - 2, objv + 2, &options);
    if (result == TCL_OK) result = start(interp, m, objv[1], &options);
    tacOptionsFree(tacMonitorRows, &options);
    if (result != TCL_OK) {
        freeMonitor((char *) m);
        return result;
    }
    tacNewCommandName(interp, "::tactus::monitor", name);
    m->token = Tcl_CreateObjCommand(interp, name, monitorCmd, m, onDelete);
    arm(m, 0);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
    return TCL_OK;
}
