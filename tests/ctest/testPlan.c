/*
 * testPlan.c -- guaranteed processing for plan.test: the functions that no script reaches, and a simulation of streams
 * and monitors that knows nothing of the formulas.
 *
 *      testPlan written {T D early late} length, testPlan earliest {T D early late} element
 *      testPlan burst {T D early late} times: successive distances that are D, at most, and 1
 *      testPlan stream {T D early late} n seed: times of a random stream's first elements; seed 0: the worst one, whose
 *          element 0 is as late as possible and all others as early as possible
 *      testPlan window times length: the most elements in [t, t + length)
 *      testPlan run times {T_M d} R phase seed: {latency backlog} of a monitor that is released at phase + k T_M.
 *          Its jobs begin and end at random within their deadlines; seed 0: they begin at once and end at the deadline
 */
#include <tcl.h>

#include "base/port.h"

#include "base/mem.h"
#include "record/plan.h"

typedef TAC_ARRAY(int64_t) Numbers;

/* A random number of 0 .. most (xorshift). */
static int64_t randomTo(uint64_t *seed, int64_t most) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (int64_t) (*seed % ((uint64_t) most + 1));
}

/* One of the ends or something between: all three are likely. */
static int64_t randomBetween(uint64_t *seed, int64_t least, int64_t most) {
    switch (randomTo(seed, 3)) {
    case 0: return least;
    case 1: return most;
    default: return least + randomTo(seed, most - least);
    }
}

static int numbersOf(Tcl_Interp *interp, Tcl_Obj *list, Numbers *numbers) {
    Tcl_Size count;
    Tcl_Obj **words;
    if (Tcl_ListObjGetElements(interp, list, &count, &words) != TCL_OK) return TCL_ERROR;
    for (Tcl_Size i = 0; i < count; i++) {
        Tcl_WideInt number;
        if (Tcl_GetWideIntFromObj(interp, words[i], &number) != TCL_OK) return TCL_ERROR;
        int64_t value = number;
        if (!tacArrayPush(numbers, value)) return TCL_ERROR;
    }
    return TCL_OK;
}

static tacPlanStream streamOf(const Numbers *n) { return (tacPlanStream){n->at[0], n->at[1], n->at[2], n->at[3]}; }

/* ---- streams ---------------------------------------------------------------------------------------------------- */

/* Element i is in [iT - early, iT + late], and D behind the one before it at least. */
static Tcl_Obj *makeStream(const tacPlanStream *s, int64_t count, uint64_t seed) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    int64_t before = INT64_MIN / 2;
    for (int64_t i = 0; i < count; i++) {
        int64_t least = i * s->period - s->early, most = i * s->period + s->late;
        if (before + s->distance > least) least = before + s->distance;
        before = seed ? randomBetween(&seed, least, most) : i ? least : most;
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj(before));
    }
    return list;
}

static int64_t longestBurst(const Numbers *times, int64_t distance) {
    int64_t longest = 0, now = 0;
    for (size_t i = 0; i < times->count; i++) {
        now = i && times->at[i] - times->at[i - 1] == distance ? now + 1 : 1;
        if (now > longest) longest = now;
    }
    return longest;
}

static int64_t fullestWindow(const Numbers *times, int64_t length) {
    size_t most = 0;
    for (size_t first = 0, end = 0; first < times->count; first++) {
        while (end < times->count && times->at[end] < times->at[first] + length) end++;
        if (end > first && end - first > most) most = end - first;
    }
    return (int64_t) most;
}

/* ---- the monitor ------------------------------------------------------------------------------------------------ */

/*
 * Job by job. What is written at the moment at which a job begins is not seen by it; what is written at the moment at
 * which it ends finds its elements gone. Jobs do not overlap in what they take, also where the deadline is behind the
 * next release: the elements are taken at the begin, and leave the buffer at the end.
 */
static void runMonitor(
    const Numbers *times, const int64_t *monitor, int64_t elements, int64_t phase, uint64_t seed, int64_t result[2]) {
    int64_t period = monitor[0], deadline = monitor[1], latency = 0, backlog = 0, endBefore = INT64_MIN;
    size_t taken = 0, seen = 0, there = 0; /* processed; written before a begin; before an end */
    for (int64_t release = phase; taken < times->count; release += period) {
        int64_t begin = seed ? randomBetween(&seed, release, release + deadline) : release;
        int64_t end = seed ? randomBetween(&seed, begin, release + deadline) : release + deadline;
        if (end < endBefore) end = endBefore; /* in order of time */
        endBefore = end;
        while (seen < times->count && times->at[seen] < begin) seen++;
        while (there < times->count && times->at[there] < end) there++;
        if ((int64_t) (there - taken) > backlog) backlog = (int64_t) (there - taken);
        size_t most = taken + (size_t) elements < seen ? taken + (size_t) elements : seen;
        for (; taken < most; taken++)
            if (end - times->at[taken] > latency) latency = end - times->at[taken];
    }
    result[0] = latency;
    result[1] = backlog;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static int run(Tcl_Interp *interp, Tcl_Obj *const objv[], const Numbers *first) {
    Numbers monitor = {0};
    Tcl_WideInt elements, phase, seed;
    int result = TCL_ERROR;
    if (numbersOf(interp, objv[3], &monitor) == TCL_OK && Tcl_GetWideIntFromObj(interp, objv[4], &elements) == TCL_OK
        && Tcl_GetWideIntFromObj(interp, objv[5], &phase) == TCL_OK
        && Tcl_GetWideIntFromObj(interp, objv[6], &seed) == TCL_OK) {
        int64_t found[2];
        runMonitor(first, monitor.at, elements, phase, (uint64_t) seed, found);
        Tcl_Obj *list = Tcl_NewListObj(0, NULL);
        for (int i = 0; i < 2; i++) Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj(found[i]));
        Tcl_SetObjResult(interp, list);
        result = TCL_OK;
    }
    tacArrayFree(&monitor);
    return result;
}

static int makes(Tcl_Interp *interp, int kind, Tcl_Obj *const objv[], const Numbers *first) {
    Tcl_WideInt number, seed = 0;
    tacPlanStream stream = {1, 0, 0, 0};
    int64_t value = 0;
    Numbers times = {0};
    int result = TCL_OK;
    if (kind != 4) stream = streamOf(first);
    if (kind == 2) {
        result = numbersOf(interp, objv[3], &times);
        value = longestBurst(&times, stream.distance);
        tacArrayFree(&times);
    } else if (Tcl_GetWideIntFromObj(interp, objv[3], &number) != TCL_OK) return TCL_ERROR;
    else if (kind == 3) {
        if (Tcl_GetWideIntFromObj(interp, objv[4], &seed) != TCL_OK) return TCL_ERROR;
        Tcl_SetObjResult(interp, makeStream(&stream, number, (uint64_t) seed));
        return TCL_OK;
    } else if (kind == 4) value = fullestWindow(first, number);
    else {
        tacPlanStatus status = kind ? tacPlanEarliest(&stream, number, &value)
                                    : tacPlanWritten(&stream, number, &value);
        if (status != TAC_PLAN_DONE) value = -status;
    }
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(value));
    return result;
}

static int testPlanCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const kinds[] = {"written", "earliest", "burst", "stream", "window", "run", NULL};
    static const int words[] = {4, 4, 4, 5, 4, 7};
    int kind;
    Numbers first = {0};
    (void) data;
    if (objc < 3 || Tcl_GetIndexFromObj(interp, objv[1], kinds, "kind", TCL_EXACT, &kind) != TCL_OK) return TCL_ERROR;
    if (objc != words[kind]) {
        Tcl_WrongNumArgs(interp, 2, objv, "...");
        return TCL_ERROR;
    }
    int result = numbersOf(interp, objv[2], &first);
    if (result == TCL_OK) result = kind == 5 ? run(interp, objv, &first) : makes(interp, kind, objv, &first);
    tacArrayFree(&first);
    return result;
}

int TacTestPlan_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testPlan", testPlanCmd, NULL, NULL);
    return TCL_OK;
}
