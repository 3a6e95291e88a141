/*
 * tableValue.c -- tables as Tcl values (lists of dicts) and, by their writers, to channels or into texts.
 *
 * Nothing is formatted in Tcl: a million rows go to a channel in blocks. Writing to a channel may run scripts (a
 * channel can be made of Tcl code), so callers keep the objects alive that the table refers to.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/tableValue.h"

#include <limits.h>

int tacCsvSafeCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int safe;
    (void) data;
    if (objc > 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "?boolean?");
        return TCL_ERROR;
    }
    if (objc == 2 && Tcl_GetBooleanFromObj(interp, objv[1], &safe) != TCL_OK) return TCL_ERROR;
    if (objc == 2) tacTableCsvSafe(safe);
    Tcl_SetObjResult(interp, Tcl_NewBooleanObj(tacTableIsCsvSafe()));
    return TCL_OK;
}

int tacCsvCellCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "text");
        return TCL_ERROR;
    }
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(objv[1], &length);
    bool runs = tacTableIsCsvSafe() && tacTableRuns(text, (size_t) length);
    Tcl_SetObjResult(interp, runs ? Tcl_ObjPrintf("'%s", text) : objv[1]);
    return TCL_OK;
}

const char *const tacResultFormats[] = {"list", "table", "csv", "json", NULL};

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* The text of a cell; {}: its value is not known. */
static Tcl_Obj *textOf(const tacTable *table, int column, const tacCell *cell) {
    char buffer[TAC_CELL_SIZE];
    size_t length;
    if (!cell->known) return Tcl_NewObj();
    const char *text = tacCellText(table, column, cell, buffer, &length);
    return Tcl_NewStringObj(text, (Tcl_Size) (length < INT_MAX ? length : INT_MAX));
}

Tcl_Obj *tacTableText(const tacTable *table, uint64_t row, int column) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    return textOf(table, column, &cell);
}

/* A cell as a Tcl value: counts and numbers as such, others as texts. */
static Tcl_Obj *cellValue(const tacTable *table, uint64_t row, int column) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    if (cell.known && table->columns[column].type == TAC_COLUMN_COUNT) return Tcl_NewWideIntObj(cell.ticks);
    if (cell.known && table->columns[column].type == TAC_COLUMN_NUMBER) return Tcl_NewDoubleObj(cell.number);
    return textOf(table, column, &cell);
}

/* The names of the columns, keys of dicts, with a reference. */
static Tcl_Obj *columnNames(const tacTable *table) {
    Tcl_Obj *names = tacKept(Tcl_NewListObj(0, NULL));
    for (int column = 0; column < table->nColumns; column++)
        tacAppend(names, Tcl_NewStringObj(table->columns[column].name, -1));
    return names;
}

/* A row as a dict. */
static Tcl_Obj *rowDict(const tacTable *table, uint64_t row, Tcl_Obj *names) {
    Tcl_Obj *dict = Tcl_NewDictObj(), **name;
    Tcl_Size nNames;
    Tcl_ListObjGetElements(NULL, names, &nNames, &name);
    for (int column = 0; column < table->nColumns; column++)
        Tcl_DictObjPut(NULL, dict, name[column], cellValue(table, row, column));
    return dict;
}

/* The list, unless there was no memory for a cell. */
static Tcl_Obj *wholeList(const tacTable *table, Tcl_Obj *list) {
    if (!tacTableFailed(table)) return list;
    Tcl_DecrRefCount(list);
    return NULL;
}

Tcl_Obj *tacTableList(const tacTable *table, bool (*wanted)(void *data, uint64_t row), void *data, int64_t limit) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL), *names = columnNames(table);
    for (uint64_t row = 0; row < table->nRows && limit != 0; row++) {
        if (wanted && !wanted(data, row)) continue;
        tacAppend(list, rowDict(table, row, names));
        if (limit > 0) limit--;
    }
    Tcl_DecrRefCount(names);
    return wholeList(table, list);
}

Tcl_Obj *tacTableDicts(const tacTable *table, uint64_t (*at)(const void *data, uint64_t place), const void *data,
    uint64_t first, uint64_t end) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL), *names = columnNames(table);
    for (uint64_t place = first; place < end; place++) tacAppend(list, rowDict(table, at(data, place), names));
    Tcl_DecrRefCount(names);
    return wholeList(table, list);
}

/* ---- output ----------------------------------------------------------------------------------------------------- */

int tacOutputBegin(tacOutput *output, Tcl_Interp *interp, Tcl_Obj *channel) {
    int mode = TCL_WRITABLE;
    *output = (tacOutput){.interp = interp};
    if (!channel) return TCL_OK;
    output->name = Tcl_GetString(channel);
    output->channel = Tcl_GetChannel(interp, output->name, &mode);
    if (!output->channel) return TCL_ERROR;
    if (!(mode & TCL_WRITABLE))
        return tacTclFail(interp, "USAGE CHANNEL", "channel \"%s\" wasn't opened for writing", Tcl_GetString(channel));
    Tcl_RegisterChannel(NULL, output->channel); /* kept, whatever happens to its name meanwhile */
    return TCL_OK;
}

bool tacOutputWrite(void *data, const char *bytes, size_t n) {
    tacOutput *output = data;
    if (!output->channel) {
        tacTextAdd(&output->text, bytes, n);
        return !output->text.failed;
    }
    if (Tcl_Write(output->channel, bytes, (Tcl_Size) n) >= 0) return true;
    output->posixError = Tcl_GetErrno();
    return false;
}

int tacOutputEnd(tacOutput *output, tacStatus status, const tacError *err) {
    int result = TCL_OK;
    if (output->posixError) {
        Tcl_SetErrno(output->posixError);
        const char *reason = Tcl_PosixError(output->interp);
        Tcl_SetObjResult(output->interp, Tcl_ObjPrintf("error writing \"%s\": %s", output->name, reason));
        result = TCL_ERROR;
    } else if (output->text.failed) result = tacTclMemory(output->interp);
    else if (status != TAC_OK) result = tacErrorToTcl(output->interp, err);
    else if (!output->channel)
        Tcl_SetObjResult(
            output->interp, Tcl_NewStringObj(output->text.at ? output->text.at : "", (Tcl_Size) output->text.length));
    tacTextFree(&output->text);
    if (output->channel) Tcl_UnregisterChannel(NULL, output->channel);
    return result;
}

int tacTableResult(Tcl_Interp *interp, tacTable *table, tacResultFormat format, Tcl_Obj *channel) {
    tacOutput output;
    tacError err = {{0}, {0}};
    int result = TCL_OK;
    if (format == TAC_RESULT_LIST && channel) {
        result = tacTclFail(interp, "USAGE FORMAT", "-channel needs -format table, csv or json");
    } else if (format == TAC_RESULT_LIST) {
        Tcl_Obj *list = tacTableList(table, NULL, NULL, -1);
        if (list) Tcl_SetObjResult(interp, list);
        else result = tacTclMemory(interp);
    } else {
        result = tacOutputBegin(&output, interp, channel);
        if (result == TCL_OK) {
            tacTableFormat written = (tacTableFormat) (format - TAC_RESULT_TABLE);
            Tcl_ResetResult(interp);
            result = tacOutputEnd(&output, tacTableWrite(table, written, tacOutputWrite, &output, &err), &err);
        }
    }
    tacTableFree(table);
    return result;
}
