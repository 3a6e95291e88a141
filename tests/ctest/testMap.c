/*
 * testMap.c -- mapping files to rules, and what they say of threads and records.
 *
 *   testglob pattern text           does it fit?
 *
 *   testmap ?-inprocess? ?-brief? ?-file? map lines
 *      {answers remarks}: map is the text of a mapping (-file: its path), lines those of a kernel trace. Of each line
 *      {thread RULE group G mutex {ID acquires} server {ID event budget} begins B ends E}, for the thread in its
 *      header, with only what is said; remarks: those of reading the mapping and of its rules that nothing fitted.
 *      The mapping may run for 2 s, -brief: 0.2 s.
 *
 *   testmap -named map lines      {mutexes servers}, each {id name capacity}
 *   testmap -failat n map {}      reads the mapping in this process with the n-th allocation failing: {"" or errorCode,
 *                                 allocations asked for}
 *
 *   testguess lines               the text of the mapping that is guessed from lines of a kernel trace
 *   testguess -failat n lines     the same with the n-th allocation failing: {"" or errorCode, allocations asked for}
 */
#include <tcl.h>

#include "base/port.h"

#include "base/glob.h"
#include "import/kernel/guess.h"
#include "import/kernel/mapFile.h"
#include "import/kernel/record.h"
#include "open/open.h"

#include <string.h>

static int testGlob(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int length;
    (void) data;
    if (objc != 3 && objc != 4) return Tcl_WrongNumArgs(interp, 1, objv, "pattern text ?-nocase?"), TCL_ERROR;
    const char *text = Tcl_GetStringFromObj(objv[2], &length);
    bool (*glob)(const char *pattern, const char *text, size_t length) = objc == 4 ? tacGlobCaseless : tacGlob;
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(glob(Tcl_GetString(objv[1]), text, (size_t) length)));
    return TCL_OK;
}

static void put(Tcl_Obj *dict, const char *key, Tcl_Obj *value) {
    Tcl_ListObjAppendElement(NULL, dict, Tcl_NewStringObj(key, -1));
    Tcl_ListObjAppendElement(NULL, dict, value);
}

static void putText(Tcl_Obj *dict, const char *key, const char *text) {
    if (text) put(dict, key, Tcl_NewStringObj(text, -1));
}

static void putTime(Tcl_Obj *dict, const char *key, int64_t ns) {
    if (ns != TAC_UNKNOWN) put(dict, key, Tcl_NewWideIntObj(ns));
}

static Tcl_Obj *ruleOf(const tacKernelRule *rule) {
    static const char *const boundaries[] = {"auto", "wakeup", "mark", "syscall", "event"};
    Tcl_Obj *dict = Tcl_NewListObj(0, NULL);
    putText(dict, "name", rule->name);
    putText(dict, "group", rule->group);
    putTime(dict, "T", rule->T);
    putTime(dict, "D", rule->D);
    putTime(dict, "C", rule->C);
    if (rule->priority != TAC_KERNEL_NO_PRIORITY) put(dict, "priority", Tcl_NewIntObj(rule->priority));
    if (rule->hidden) put(dict, "hidden", Tcl_NewIntObj(1));
    if (rule->boundary != TAC_BOUNDARY_AUTO) put(dict, "job", Tcl_NewStringObj(boundaries[rule->boundary], -1));
    putText(dict, "begin", rule->begin);
    putText(dict, "end", rule->end);
    return dict;
}

static void putPair(Tcl_Obj *dict, const char *key, const char *id, Tcl_Obj *second, Tcl_Obj *third) {
    Tcl_Obj *words[3] = {Tcl_NewStringObj(id, -1), second, third};
    put(dict, key, Tcl_NewListObj(third ? 3 : 2, words));
}

static Tcl_Obj *answerOf(const tacKernelMap *map, const tacKernelRecord *r) {
    Tcl_Obj *dict = Tcl_NewListObj(0, NULL);
    bool acquires = false;
    tacEvent event = 0;
    int64_t budget = TAC_UNKNOWN;
    const tacKernelRule *rule = tacKernelMapThread(map, r->current.pid, r->current.name);
    if (rule) put(dict, "thread", ruleOf(rule));
    putText(dict, "group", tacKernelMapGroup(map, rule, r->current.name));
    const char *mutex = tacKernelMapFutex(map, r, &acquires);
    if (!mutex) mutex = tacKernelMapMutex(map, r, &acquires);
    const char *server = tacKernelMapServer(map, r, &event, &budget);
    if (mutex) putPair(dict, "mutex", mutex, Tcl_NewIntObj(acquires), NULL);
    if (server)
        putPair(dict, "server", server, Tcl_NewStringObj(tacEvents[event].name, -1),
            budget == TAC_UNKNOWN ? NULL : Tcl_NewWideIntObj(budget));
    if (rule && tacKernelRuleBegins(rule, r)) put(dict, "begins", Tcl_NewIntObj(1));
    if (rule && tacKernelRuleEnds(rule, r)) put(dict, "ends", Tcl_NewIntObj(1));
    return dict;
}

static Tcl_Obj *answers(const tacKernelMap *map, const char *text) {
    tacKernelLines lines = {0};
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    while (*text) {
        tacKernelRecord record;
        size_t length = strcspn(text, "\n");
        if (tacKernelParse(&lines, text, length, &record) == TAC_LINE_EVENT)
            Tcl_ListObjAppendElement(NULL, list, answerOf(map, &record));
        text += length + (text[length] == '\n');
    }
    return list;
}

static Tcl_Obj *remarks(tacDiag *diag) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < diag->remarks.count; i++) {
        Tcl_Obj *words[2] = {Tcl_NewStringObj(tacSeverityName(diag->remarks.at[i].severity), -1),
            Tcl_NewStringObj(tacInternName(&diag->texts, diag->remarks.at[i].text, NULL), -1)};
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewListObj(2, words));
    }
    return list;
}

static Tcl_Obj *named(const tacKernelMap *map, bool (*at)(const tacKernelMap *map, size_t i, tacKernelNamed *one)) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    tacKernelNamed one;
    for (size_t i = 0; at(map, i, &one); i++) {
        Tcl_Obj *words[3] = {Tcl_NewStringObj(one.id, -1), Tcl_NewStringObj(one.name ? one.name : "", -1),
            one.capacity == TAC_UNKNOWN ? Tcl_NewObj() : Tcl_NewWideIntObj(one.capacity)};
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewListObj(3, words));
    }
    return list;
}

static int fail(Tcl_Interp *interp, const tacError *err) {
    Tcl_Obj *code = Tcl_NewStringObj("TACTUS ", -1);
    Tcl_AppendToObj(code, err->code, -1);
    Tcl_SetObjErrorCode(interp, code);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(err->message, -1));
    return TCL_ERROR;
}

static int failAt(Tcl_Interp *interp, Tcl_Obj *number, Tcl_Obj *text) {
    int n, length;
    tacReadOptions options = {.inProcess = true};
    tacKernelMap *map;
    tacError err = {{0}, {0}};
    if (Tcl_GetIntFromObj(interp, number, &n) != TCL_OK) return TCL_ERROR;
    const char *at = Tcl_GetStringFromObj(text, &length);
    tacMemFailAt((uint64_t) n);
    tacStatus status = tacMapTextRead("m.map", at, (size_t) length, &options, NULL, &map, &err);
    uint64_t calls = tacMemCalls();
    tacMemFailAt(0);
    if (status == TAC_OK) tacKernelMapFree(map);
    Tcl_Obj *words[2] = {Tcl_NewStringObj(err.code, -1), Tcl_NewWideIntObj((Tcl_WideInt) calls)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, words));
    return TCL_OK;
}

static int testMap(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const names[] = {"producer", "consumer", NULL};
    bool file = false, onlyNamed = false;
    tacReadOptions options = {.timeLimit = 2};
    int i = 1, length;
    (void) data;
    for (; i + 2 < objc; i++) {
        const char *option = Tcl_GetString(objv[i]);
        if (strcmp(option, "-file") == 0) file = true;
        else if (strcmp(option, "-named") == 0) onlyNamed = true;
        else if (strcmp(option, "-inprocess") == 0) options.inProcess = true;
        else if (strcmp(option, "-brief") == 0) options.timeLimit = 0.2;
    }
    if (objc < 3)
        return Tcl_WrongNumArgs(interp, 1, objv, "?-inprocess? ?-brief? ?-file? ?-named? map lines"), TCL_ERROR;
    if (objc == 5 && strcmp(Tcl_GetString(objv[1]), "-failat") == 0) return failAt(interp, objv[2], objv[3]);
    tacDiag diag = {0};
    tacKernelMap *map;
    tacError err = {{0}, {0}};
    const char *text = Tcl_GetStringFromObj(objv[i], &length);
    tacStatus status = file ? tacMapFileRead(text, &options, &diag, &map, &err)
                            : tacMapTextRead("m.map", text, (size_t) length, &options, &diag, &map, &err);
    if (status == TAC_OK) {
        Tcl_Obj *words[2];
        words[0] = onlyNamed ? named(map, tacKernelMapMutexAt) : answers(map, Tcl_GetString(objv[i + 1]));
        if (!onlyNamed) tacKernelMapRemarks(map, names, &diag);
        words[1] = onlyNamed ? named(map, tacKernelMapServerAt) : remarks(&diag);
        Tcl_SetObjResult(interp, Tcl_NewListObj(2, words));
        tacKernelMapFree(map);
    } else fail(interp, &err);
    tacDiagFree(&diag);
    return status == TAC_OK ? TCL_OK : TCL_ERROR;
}

static int guessFailAt(Tcl_Interp *interp, Tcl_Obj *number, Tcl_Obj *lines) {
    int n, length;
    tacText text = {0};
    tacError err = {{0}, {0}};
    if (Tcl_GetIntFromObj(interp, number, &n) != TCL_OK) return TCL_ERROR;
    const char *at = Tcl_GetStringFromObj(lines, &length);
    tacMemFailAt((uint64_t) n);
    tacMappingGuess(&(tacGlance){.text = at, .length = (size_t) length, .name = "a trace"}, &text, &err);
    uint64_t calls = tacMemCalls();
    tacMemFailAt(0);
    tacTextFree(&text);
    Tcl_Obj *words[2] = {Tcl_NewStringObj(err.code, -1), Tcl_NewWideIntObj((Tcl_WideInt) calls)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, words));
    return TCL_OK;
}

static int testGuess(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacError err = {{0}, {0}};
    tacText text = {0};
    tacKernelLines lines = {0};
    tacKernelRecord record;
    (void) data;
    if (objc == 4) return guessFailAt(interp, objv[2], objv[3]);
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "?-failat n? lines"), TCL_ERROR;
    tacKernelGuess *guess = tacKernelGuessNew();
    tacStatus status = TAC_OK;
    for (const char *at = Tcl_GetString(objv[1]); *at && status == TAC_OK;) {
        size_t length = strcspn(at, "\n");
        if (tacKernelParse(&lines, at, length, &record) == TAC_LINE_EVENT)
            status = tacKernelGuessAdd(guess, &record, 1, &err);
        at += length + (at[length] == '\n');
    }
    if (status == TAC_OK) status = tacKernelGuessWrite(guess, "a trace", &text, &err);
    tacKernelGuessFree(guess);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(text.at ? text.at : "", -1));
    tacTextFree(&text);
    return status == TAC_OK ? TCL_OK : fail(interp, &err);
}

int TacTestMap_Init(Tcl_Interp *interp) {
    return Tcl_CreateObjCommand(interp, "testglob", testGlob, NULL, NULL)
            && Tcl_CreateObjCommand(interp, "testguess", testGuess, NULL, NULL)
            && Tcl_CreateObjCommand(interp, "testmap", testMap, NULL, NULL)
        ? TCL_OK
        : TCL_ERROR;
}
