/*
 * testTrace.c -- base/ and trace/ seen from Tcl: numbers, names, the vocabulary, and a store fed word by word.
 *
 * A store is fed from a list of commands, each a list of words: no reader stands between the test and trace/apply.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/number.h"
#include "trace/apply.h"
#include "trace/dump.h"
#include "trace/freeze.h"
#include "trace/quote.h"

#include <string.h>

static int fail(Tcl_Interp *interp, const tacError *err) {
    Tcl_SetObjResult(interp, Tcl_NewStringObj(err->message[0] ? err->message : "failed", -1));
    Tcl_SetErrorCode(interp, "TACTUS", err->code, (char *) NULL);
    return TCL_ERROR;
}

/* testDecimal text ?digits? -> {mantissa digits rounded written}; with digits: the ticks of that scale instead */
static int decimalCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Tcl_Size length;
    tacDecimal number;
    char buffer[TAC_DECIMAL_SIZE];
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "text"), TCL_ERROR;
    const char *text = Tcl_GetStringFromObj(objv[1], &length);
    if (tacDecimalParse(text, (size_t) length, &number) != TAC_OK) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj("error", -1));
        return TCL_OK;
    }
    tacDecimalFormat(number.mantissa, number.digits, buffer);
    Tcl_Obj *values[] = {Tcl_NewWideIntObj(number.mantissa), Tcl_NewIntObj(number.digits),
        Tcl_NewBooleanObj(number.rounded), Tcl_NewStringObj(buffer, -1)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(4, values));
    return TCL_OK;
}

/* testDecimalShift value by -> {result rounded} or overflow */
static int shiftCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Tcl_WideInt value;
    int by;
    int64_t result;
    bool rounded = false;
    if (objc != 3) return Tcl_WrongNumArgs(interp, 1, objv, "value by"), TCL_ERROR;
    if (Tcl_GetWideIntFromObj(interp, objv[1], &value) != TCL_OK || Tcl_GetIntFromObj(interp, objv[2], &by) != TCL_OK)
        return TCL_ERROR;
    if (!tacDecimalShift(value, by, &result, &rounded)) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj("overflow", -1));
        return TCL_OK;
    }
    Tcl_Obj *values[] = {Tcl_NewWideIntObj(result), Tcl_NewBooleanObj(rounded)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, values));
    return TCL_OK;
}

/* testNumber short|fixed|exact|length number sign decimals -> its text; decimals: of fixed; of length the exponent */
static int numberCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const forms[] = {"short", "fixed", "exact", "length", NULL};
    (void) data;
    int form, sign, decimals;
    double number;
    char text[TAC_DECIMAL_SIZE];
    if (objc != 5) return Tcl_WrongNumArgs(interp, 1, objv, "form number sign decimals"), TCL_ERROR;
    if (Tcl_GetIndexFromObjStruct(interp, objv[1], forms, sizeof *forms, "form", 0, &form) != TCL_OK
        || Tcl_GetDoubleFromObj(interp, objv[2], &number) != TCL_OK
        || Tcl_GetBooleanFromObj(interp, objv[3], &sign) != TCL_OK
        || Tcl_GetIntFromObj(interp, objv[4], &decimals) != TCL_OK)
        return TCL_ERROR;
    size_t length = form == 0 ? tacNumberShort(number, sign, text)
        : form == 1           ? tacNumberFixed(number, decimals, sign, text)
        : form == 2           ? tacNumberExact(number, text)
                              : tacNumberLength(number, decimals, text);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(text, (Tcl_Size) length));
    return text[length] == '\0' ? TCL_OK : TCL_ERROR;
}

/* A report of progress that says stop. */
static bool stopAtOnce(void *data, const tacProgress *progress) {
    (void) data, (void) progress;
    return false;
}

/* Index of the first name that is not found in the table, or read back as another; n: none. */
static Tcl_Size firstLost(const tacInternTable *table, Tcl_Obj *const names[], Tcl_Size n) {
    for (Tcl_Size i = 0; i < n; i++) {
        Tcl_Size length;
        size_t kept = 0;
        const char *name = Tcl_GetStringFromObj(names[i], &length);
        uint32_t id = tacInternFind(table, name, (size_t) length);
        const char *read = id == TAC_NONE ? NULL : tacInternName(table, id, &kept);
        if (!read || kept != (size_t) length || memcmp(read, name, kept) != 0 || read[kept] != '\0') return i;
    }
    return n;
}

/* testIntern names ?reported? -> their ids; reported: a variable, whether growing reported progress. Every name is
 * looked up again and read back, and must be the same: in the table, in the lean one with an index, and in that after
 * one more name. */
static int internCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Tcl_Size n, lost;
    Tcl_Obj **names, *ids = Tcl_NewListObj(0, NULL);
    tacProgress progress = {.report = stopAtOnce};
    tacInternTable table = {.progress = &progress};
    static const char more[] = "a name that no test has";
    if (objc < 2 || objc > 3) return Tcl_WrongNumArgs(interp, 1, objv, "names ?reported?"), TCL_ERROR;
    if (Tcl_ListObjGetElements(interp, objv[1], &n, &names) != TCL_OK) return TCL_ERROR;
    for (Tcl_Size i = 0; i < n; i++) {
        Tcl_Size length;
        const char *name = Tcl_GetStringFromObj(names[i], &length);
        Tcl_ListObjAppendElement(NULL, ids, Tcl_NewWideIntObj(tacIntern(&table, name, (size_t) length)));
    }
    if (objc == 3) Tcl_ObjSetVar2(interp, objv[2], NULL, Tcl_NewBooleanObj(progress.stopped), 0);
    lost = firstLost(&table, names, n);
    tacInternTrim(&table, true);
    bool right = tacInternIndex(&table) && tacInternFind(&table, more, sizeof more - 1) == TAC_NONE;
    if (lost == n) lost = firstLost(&table, names, n);
    uint32_t id = tacInternNew(&table, more, sizeof more - 1);
    right = right && id != TAC_NONE && tacInternFind(&table, more, sizeof more - 1) == id;
    right = right && tacInternIndex(&table) && tacInternFind(&table, more, sizeof more - 1) == id;
    if (lost == n) lost = firstLost(&table, names, n);
    tacInternFree(&table);
    if (lost == n && right) return Tcl_SetObjResult(interp, ids), TCL_OK;
    Tcl_DecrRefCount(ids);
    Tcl_SetObjResult(interp,
        lost < n ? Tcl_ObjPrintf("name %d is lost", (int) lost) : Tcl_NewStringObj("one more is not found", -1));
    return TCL_ERROR;
}

/* testEvent name ?buffer? -> the name in the table, or "" */
static int eventCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Tcl_Size length;
    if (objc != 2 && objc != 3) return Tcl_WrongNumArgs(interp, 1, objv, "name ?buffer?"), TCL_ERROR;
    const char *name = Tcl_GetStringFromObj(objv[1], &length);
    int event = tacEventFind(name, (size_t) length, objc == 3);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(event < 0 ? "" : tacEvents[event].name, -1));
    return TCL_OK;
}

/* testEvents -> all names of the table, those of buffers as {buffer name} */
static int eventsCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 1) return Tcl_WrongNumArgs(interp, 1, objv, NULL), TCL_ERROR;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (int i = 0; i < TAC_EVENTS; i++)
        Tcl_ListObjAppendElement(NULL, list,
            Tcl_ObjPrintf("%s%s", tacEventIs((tacEvent) i, TAC_TRAIT_BUFFER) ? "buffer " : "", tacEvents[i].name));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* testEventRows -> the rows of trace/events.def: {code name replay room mark} each */
static int eventRowsCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const rows[][5] = {
#define EVENT(code, name, arguments, options, traits, replay, room, mark, help) {#code, name, #replay, #room, #mark},
#include "trace/events.def"
    };
    (void) data;
    if (objc != 1) return Tcl_WrongNumArgs(interp, 1, objv, NULL), TCL_ERROR;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (int i = 0; i < TAC_EVENTS; i++) {
        Tcl_Obj *row = Tcl_NewListObj(0, NULL);
        for (int k = 0; k < 5; k++) Tcl_ListObjAppendElement(NULL, row, Tcl_NewStringObj(rows[i][k], -1));
        Tcl_ListObjAppendElement(NULL, list, row);
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* testUsage event|definition name -> its usage */
static int usageCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "name"), TCL_ERROR;
    const char *name = Tcl_GetString(objv[1]);
    tacText usage = {0};
    int event = tacEventFind(name, strlen(name), false);
    if (event >= 0) tacEventUsage((tacEvent) event, &usage);
    for (int kind = 0; kind < TAC_KINDS; kind++)
        if (strcmp(tacDefinitions[kind].name, name) == 0) tacDefinitionUsage((tacKind) kind, &usage);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(usage.at ? usage.at : "", -1));
    tacTextFree(&usage);
    return TCL_OK;
}

/* testQuote word -> the word as the canonical trace writes it */
static int quoteCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Tcl_Size length;
    tacText out = {0};
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "word"), TCL_ERROR;
    const char *word = Tcl_GetStringFromObj(objv[1], &length);
    tacQuoteWord(&out, word, (size_t) length);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(out.at ? out.at : "", (Tcl_Size) out.length));
    tacTextFree(&out);
    return TCL_OK;
}

/* ---- a store fed by lists ---- */

enum { MAX_WORDS = 64 };

static int applyOne(Tcl_Interp *interp, const tacSink *sink, Tcl_Obj *command, uint32_t line) {
    Tcl_Size n;
    Tcl_Obj **objects;
    tacWord words[MAX_WORDS];
    tacError err = {0};
    if (Tcl_ListObjGetElements(interp, command, &n, &objects) != TCL_OK) return TCL_ERROR;
    if (n == 0 || n > MAX_WORDS) return TCL_OK;
    for (Tcl_Size i = 0; i < n; i++) {
        Tcl_Size length;
        words[i].at = Tcl_GetStringFromObj(objects[i], &length);
        words[i].length = (size_t) length;
    }
    bool known = sink->isCommand(sink->data, words[0].at, words[0].length);
    tacStatus status = known ? sink->command(sink->data, words, (int) n, line, &err)
                             : sink->query(sink->data, words, (int) n, line, NULL, &err);
    if (status != TAC_OK) sink->report(sink->data, TAC_SEVERITY_ERROR, line, err.code, err.message);
    return TCL_OK;
}

static bool addText(void *data, const char *bytes, size_t n) {
    Tcl_AppendToObj(data, bytes, (Tcl_Size) n);
    return true;
}

static Tcl_Obj *remarkList(const tacDiag *diag) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < diag->remarks.count; i++) {
        tacText text = {0};
        tacDiagFormat(diag, &diag->remarks.at[i], "t", &text);
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj(text.at ? text.at : "", -1));
        tacTextFree(&text);
    }
    return list;
}

static Tcl_Obj *pairList(const tacStore *store, const tacClocks *clocks) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < clocks->pairs.count; i++) {
        const tacClockPair *p = &clocks->pairs.at[i];
        Tcl_Obj *row[] = {Tcl_NewStringObj(tacObjectId(store, TAC_PROCESSOR, p->a), -1),
            Tcl_NewStringObj(tacObjectId(store, TAC_PROCESSOR, p->b), -1), Tcl_NewWideIntObj(p->sentByA + p->sentByB),
            Tcl_NewWideIntObj(p->lost), Tcl_NewBooleanObj(p->fitted), Tcl_NewDoubleObj(p->offset),
            Tcl_NewDoubleObj(p->drift), Tcl_NewDoubleObj(p->rms), Tcl_NewDoubleObj(p->largest)};
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewListObj(9, row));
    }
    return list;
}

/* What each processor's own clock reads when the reference clock reads 1000 ticks. */
static Tcl_Obj *localList(const tacClocks *clocks) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t p = 0; p < clocks->clocks.count; p++)
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj(tacClockLocal(clocks, (uint32_t) p, 1000)));
    return list;
}

/* testStore commands ?-reference id? ?-strict 1? ?-bytelimit n? -> dict: dump, remarks, pairs, violations, clusters,
 * digits, local */
static int storeCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    Tcl_Size n;
    Tcl_Obj **commands;
    const char *reference = NULL;
    int byteLimit = 0;
    tacStore store;
    tacDiag diag = {0};
    tacApply apply;
    tacSink sink;
    tacClocks clocks = {0};
    tacError err = {0};
    if (objc < 2) return Tcl_WrongNumArgs(interp, 1, objv, "commands ?option value?"), TCL_ERROR;
    if (Tcl_ListObjGetElements(interp, objv[1], &n, &commands) != TCL_OK) return TCL_ERROR;
    for (int i = 2; i + 1 < objc; i += 2) {
        if (strcmp(Tcl_GetString(objv[i]), "-reference") == 0) reference = Tcl_GetString(objv[i + 1]);
        if (strcmp(Tcl_GetString(objv[i]), "-strict") == 0) diag.strict = true;
        if (strcmp(Tcl_GetString(objv[i]), "-bytelimit") == 0
            && Tcl_GetIntFromObj(interp, objv[i + 1], &byteLimit) != TCL_OK)
            return TCL_ERROR;
    }
    tacStoreInit(&store);
    store.byteLimit = (uint64_t) byteLimit;
    tacApplyInit(&apply, &store, &diag);
    tacApplySink(&apply, NULL, &sink);
    int status = TCL_OK;
    for (Tcl_Size i = 0; i < n && status == TCL_OK; i++)
        status = applyOne(interp, &sink, commands[i], (uint32_t) i + 1);
    if (status == TCL_OK && tacStoreFreeze(&store, &diag, reference, &clocks, &err) != TAC_OK)
        status = fail(interp, &err);
    if (status == TCL_OK) {
        Tcl_Obj *text = Tcl_NewObj(), *result = Tcl_NewDictObj();
        Tcl_IncrRefCount(text);
        tacDump(&store, TAC_UNKNOWN, TAC_UNKNOWN, addText, text, &err);
        tacDiagSort(&diag);
        Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("dump", -1), text);
        Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("remarks", -1), remarkList(&diag));
        Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("pairs", -1), pairList(&store, &clocks));
        Tcl_DictObjPut(
            NULL, result, Tcl_NewStringObj("violations", -1), Tcl_NewWideIntObj((Tcl_WideInt) clocks.violations.count));
        Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("clusters", -1), Tcl_NewWideIntObj(clocks.nClusters));
        Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("digits", -1), Tcl_NewIntObj(store.digits));
        Tcl_DictObjPut(NULL, result, Tcl_NewStringObj("local", -1), localList(&clocks));
        Tcl_DecrRefCount(text);
        Tcl_SetObjResult(interp, result);
    }
    tacClocksFree(&clocks);
    tacDiagFree(&diag);
    tacApplyFree(&apply);
    tacStoreFree(&store);
    return status;
}

int TacTestTrace_Init(Tcl_Interp *interp);

int TacTestTrace_Init(Tcl_Interp *interp) {
    static const struct {
        const char *name;
        Tcl_ObjCmdProc *proc;
    } commands[] = {{"testDecimal", decimalCmd}, {"testDecimalShift", shiftCmd}, {"testNumber", numberCmd},
        {"testIntern", internCmd}, {"testEvent", eventCmd}, {"testEvents", eventsCmd}, {"testEventRows", eventRowsCmd},
        {"testUsage", usageCmd}, {"testQuote", quoteCmd}, {"testStore", storeCmd}};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        Tcl_CreateObjCommand(interp, commands[i].name, commands[i].proc, NULL, NULL);
    return TCL_OK;
}
