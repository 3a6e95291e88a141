/*
 * testTable.c -- tables from a script, for table.test.
 *
 *      testTable write format digits columns rows ?-fail n? ?-stop n?
 *          columns: list of {name type}; rows: lists of cells, {} is unknown. TIME and COUNT cells are int64, NUMBER
 *          doubles. -fail: the nth allocation fails; -stop: the output refuses after n blocks. Result: what was
 *          written.
 *      testTable memory script
 *          runs a script with the nth allocation failing for n = 1, 2, ... until it succeeds; every failure must be
 *          {TACTUS MEMORY}. Result: how many failed
 *      testOpenText text ?-option value ...?
 *          tactus::openText of this library, whose allocations `memory` reaches
 *      testRelation columns rows ?-option value ...?
 *          its tactus::relation
 */
#include <tcl.h>

#include "base/port.h"

#include "relation/table.h"
#include "tcl/commands.h"
#include "tcl/dispatch.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 16 };

typedef struct Rows {
    Tcl_Interp *interp;
    Tcl_Obj *rows;
} Rows;

static void scriptCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    Rows *rows = table->data;
    Tcl_Obj *list, *value;
    Tcl_WideInt wide = 0;
    double number = 0;
    Tcl_ListObjIndex(NULL, rows->rows, (Tcl_Size) row, &list);
    if (Tcl_ListObjIndex(NULL, list, column, &value) != TCL_OK || !value || !*Tcl_GetString(value)) return;
    switch (table->columns[column].type) {
    case TAC_COLUMN_TEXT: {
        Tcl_Size length;
        cell->text = (const char *) Tcl_GetByteArrayFromObj(value, &length);
        cell->length = (size_t) length;
        cell->known = true;
        break;
    }
    case TAC_COLUMN_NUMBER:
        Tcl_GetDoubleFromObj(NULL, value, &number);
        tacCellNumber(cell, number);
        break;
    default:
        Tcl_GetWideIntFromObj(NULL, value, &wide);
        cell->ticks = wide;
        cell->known = true;
    }
}

typedef struct Out {
    Tcl_Obj *bytes;
    int blocks; /* still taken; -1: all */
} Out;

static bool take(void *data, const char *bytes, size_t n) {
    Out *out = data;
    if (out->blocks == 0) return false;
    if (out->blocks > 0) out->blocks--;
    Tcl_Size length;
    Tcl_GetByteArrayFromObj(out->bytes, &length);
    unsigned char *at = Tcl_SetByteArrayLength(out->bytes, length + (Tcl_Size) n);
    memcpy(at + length, bytes, n);
    return true;
}

static int getColumns(Tcl_Interp *interp, Tcl_Obj *list, tacColumn *columns, int *nColumns) {
    static const char *const types[] = {"text", "time", "count", "number", NULL};
    Tcl_Obj **specs, **words;
    Tcl_Size n, nWords;
    int type;
    if (Tcl_ListObjGetElements(interp, list, &n, &specs) != TCL_OK || n > MOST_COLUMNS) return TCL_ERROR;
    for (Tcl_Size i = 0; i < n; i++) {
        if (Tcl_ListObjGetElements(interp, specs[i], &nWords, &words) != TCL_OK || nWords != 2) return TCL_ERROR;
        if (Tcl_GetIndexFromObjStruct(interp, words[1], types, sizeof *types, "type", TCL_EXACT, &type) != TCL_OK)
            return TCL_ERROR;
        columns[i] = (tacColumn){.name = Tcl_GetString(words[0]), .type = (tacColumnType) type};
    }
    *nColumns = (int) n;
    return TCL_OK;
}

static int writeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacColumn columns[MOST_COLUMNS];
    Rows rows = {interp, objv[5]};
    tacTable table = {.columns = columns, .cell = scriptCell, .data = &rows};
    tacError err = {{0}, {0}};
    int format, fail = 0;
    Tcl_Size nRows;
    Out out = {NULL, -1};
    (void) data;
    if (Tcl_GetIndexFromObjStruct(
            interp, objv[2], tacTableFormatNames, sizeof *tacTableFormatNames, "format", TCL_EXACT, &format)
            != TCL_OK
        || Tcl_GetIntFromObj(interp, objv[3], &table.digits) != TCL_OK
        || getColumns(interp, objv[4], columns, &table.nColumns) != TCL_OK
        || Tcl_ListObjLength(interp, objv[5], &nRows) != TCL_OK)
        return TCL_ERROR;
    for (int i = 6; i + 1 < objc; i += 2) {
        int *value = strcmp(Tcl_GetString(objv[i]), "-fail") == 0 ? &fail : &out.blocks;
        if (Tcl_GetIntFromObj(interp, objv[i + 1], value) != TCL_OK) return TCL_ERROR;
    }
    table.nRows = (uint64_t) nRows;
    out.bytes = Tcl_NewByteArrayObj(NULL, 0);
    if (fail) tacMemFailAt((uint64_t) fail);
    tacStatus status = tacTableWrite(&table, (tacTableFormat) format, take, &out, &err);
    tacMemFailAt(0);
    if (status == TAC_OK) Tcl_SetObjResult(interp, out.bytes);
    else Tcl_DecrRefCount(out.bytes);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}

/* Is the interpreter's error the one of missing memory? */
static bool isMemoryError(Tcl_Interp *interp) {
    const char *code = Tcl_GetVar(interp, "errorCode", TCL_GLOBAL_ONLY);
    return code && strcmp(code, "TACTUS MEMORY") == 0;
}

static int memorySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data, (void) objc;
    for (int n = 1; n < 100000; n++) {
        tacMemFailAt((uint64_t) n);
        int code = Tcl_EvalObjEx(interp, objv[2], TCL_EVAL_GLOBAL);
        tacMemFailAt(0);
        if (code == TCL_OK) {
            Tcl_SetObjResult(interp, Tcl_NewIntObj(n - 1));
            return TCL_OK;
        }
        if (!isMemoryError(interp)) return code;
    }
    return tacTclFail(interp, "TEST", "never succeeded");
}

static const tacSubcommand subcommands[] = {
    {"memory", memorySub, 1, 1, "script",
        "evaluates it, the Nth allocation failing, for N = 1, 2 ... until it succeeds"},
    {"write", writeSub, 4, 8, "format digits columns rows ?-fail n? ?-stop n?", "writes a table of numbers"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

static int testTable(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatch(data, interp, objc, objv, subcommands);
}

int TacTestTable_Init(Tcl_Interp *interp);
int TacTestTable_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testTable", testTable, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testOpenText", tacOpenTextCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testRelation", tacListRelationCmd, NULL, NULL);
    return TCL_OK;
}
