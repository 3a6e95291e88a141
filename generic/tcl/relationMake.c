/*
 * relationMake.c -- the subcommands of a relation that make another one, with a table of its own.
 *
 *   $relation copy   the rows shown, or some of their columns: what is left of them when the trace is closed; added to
 *                    those of other traces with -to
 *   $relation group  a row for each group of rows
 *   $relation first  the first rows of each group
 */
#include <tcl.h>

#include "base/port.h"

#include "relation/chosen.h"
#include "relation/group.h"
#include "relation/packed.h"
#include "tcl/relationPart.h"

#include <string.h>

/* ---- some columns ----------------------------------------------------------------------------------------------- */

/* Reads names of columns, of which one may be that of the column before the others (-1); NULL: no memory or a wrong
 * name. */
static int *columnsFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *names, Tcl_Obj *before, Tcl_Size *n) {
    Tcl_Obj **words;
    const char *lead = before ? Tcl_GetString(before) : NULL;
    if (Tcl_ListObjGetElements(interp, names, n, &words) != TCL_OK) return NULL;
    int *columns = tacAlloc(((size_t) *n + 1) * sizeof *columns);
    if (!columns) return tacTclMemory(interp), NULL;
    for (Tcl_Size i = 0; i < *n; i++) {
        columns[i] = -1;
        if (lead && strcmp(Tcl_GetString(words[i]), lead) == 0) continue;
        if (tacColumnFromObj(interp, table, words[i], &columns[i]) == TCL_OK) continue;
        tacFree(columns);
        return NULL;
    }
    return columns;
}

/* The same without names: the column before the others, if there is one, and all others. */
static int *allColumns(Tcl_Interp *interp, const tacTable *table, bool lead, Tcl_Size *n) {
    int *columns = tacAlloc(((size_t) table->nColumns + 1) * sizeof *columns);
    if (!columns) return tacTclMemory(interp), NULL;
    *n = table->nColumns + lead;
    for (int i = 0; i < *n; i++) columns[i] = i - lead;
    return columns;
}

int tacChosenFromObj(Tcl_Interp *interp, const tacTable *of, Tcl_Obj *names, Tcl_Obj *before, tacTable *table) {
    Tcl_Size n, nBefore;
    Tcl_Obj **lead = NULL;
    tacError err = {{0}, {0}};
    if (before && Tcl_ListObjGetElements(interp, before, &nBefore, &lead) != TCL_OK) return TCL_ERROR;
    if (before && nBefore != 2)
        return tacTclFail(interp, "USAGE VALUE", "-before needs a list of two: name and text of a column");
    int *columns = names ? columnsFromObj(interp, of, names, lead ? lead[0] : NULL, &n)
                         : allColumns(interp, of, lead != NULL, &n);
    if (!columns) return TCL_ERROR;
    tacStatus status = tacTableChoose(
        of, columns, (int) n, lead ? Tcl_GetString(lead[0]) : NULL, lead ? Tcl_GetString(lead[1]) : NULL, table, &err);
    tacFree(columns);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}

/* ---- copies ----------------------------------------------------------------------------------------------------- */

typedef struct Copying {
    Tcl_Obj *columns, *before, *to, *progress;
    int64_t most;
} Copying;

static const tacOptionRow copyRows[] = {{"-before", TAC_VALUE_OBJECT, offsetof(Copying, before), NULL, "list", NULL,
                                            "name and text of a column more, with this text in each row; it stands "
                                            "before the others, or where -columns "
                                            "names it"},
    {"-columns", TAC_VALUE_OBJECT, offsetof(Copying, columns), NULL, "names", NULL,
        "the columns of the copies, in this order; default: all"},
    {"-most", TAC_VALUE_COUNT, offsetof(Copying, most), NULL, "n", NULL, "the first n rows only"},
    TAC_PROGRESS_ROW(Copying, progress),
    {"-to", TAC_VALUE_OBJECT, offsetof(Copying, to), NULL, "relation", NULL,
        "copies that are there: these are added behind them, and all are shown, in this order"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL}};

/* Finds copies by the command's name, which must have such columns. */
static int copiesFromObj(Tcl_Interp *interp, Tcl_Obj *name, const tacTable *like, tacRelationCmd **copies) {
    tacRelationCmd *r = tacRelationOfCommand(interp, Tcl_GetString(name));
    if (!r || !r->own || !tacPackedOf(&r->relation.table))
        return tacTclFail(interp, "LOOKUP RELATION", "\"%.100s\" is no copy of a relation", Tcl_GetString(name));
    if (r->working) return tacTclFail(interp, "RELATION BUSY", "the relation is being worked on already");
    bool fits = r->relation.table.nColumns == like->nColumns;
    for (int i = 0; fits && i < like->nColumns; i++) {
        const tacColumn *column = &r->relation.table.columns[i];
        fits = column->type == like->columns[i].type && strcmp(column->name, like->columns[i].name) == 0;
    }
    if (!fits)
        return tacTclFail(interp, "USAGE COLUMN", "the copies in \"%.100s\" have other columns", Tcl_GetString(name));
    *copies = r;
    return TCL_OK;
}

/* Shows all rows of copies, in their order, after some were added. */
static void showCopies(tacRelationCmd *copies) {
    tacTable table;
    tacPackedTable(tacPackedOf(&copies->relation.table), &table);
    tacFree(copies->relation.places);
    tacRelationInit(&copies->relation, &table);
}

/* Adds rows of a table to copies, with -progress; what was added stays when it fails. */
static int addRows(tacRelationCmd *r, Tcl_Interp *interp, const Copying *copying, tacPacked *packed, tacTable *table) {
    tacWork work;
    if (tacWorkBegin(&work, r, interp, copying->progress, "copying") != TCL_OK) return TCL_ERROR;
    return tacWorkEnd(&work, tacPackedAdd(packed, table, (uint64_t) copying->most, &work.script.progress, &work.err));
}

static int copyToNew(tacRelationCmd *r, Tcl_Interp *interp, const Copying *copying, tacTable *chosen) {
    tacError err = {{0}, {0}};
    tacTable table;
    tacPacked *packed = tacPackedNew(chosen, &err);
    if (!packed) return tacErrorToTcl(interp, &err);
    if (addRows(r, interp, copying, packed, chosen) != TCL_OK) return tacPackedFree(packed), TCL_ERROR;
    tacPackedTable(packed, &table);
    return tacOwnRelation(interp, &table, &(tacWanted){0});
}

static int copyToOld(tacRelationCmd *r, Tcl_Interp *interp, const Copying *copying, tacTable *chosen) {
    tacRelationCmd *copies = NULL;
    if (copiesFromObj(interp, copying->to, chosen, &copies) != TCL_OK) return TCL_ERROR;
    if (copies == r) return tacTclFail(interp, "USAGE VALUE", "a relation cannot be added to itself");
    Tcl_Preserve(copies);
    copies->working = true;
    int result = addRows(r, interp, copying, tacPackedOf(&copies->relation.table), chosen);
    copies->working = false;
    showCopies(copies);
    Tcl_Release(copies);
    if (result == TCL_OK) Tcl_SetObjResult(interp, copying->to);
    return result;
}

int tacRelationCopySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Copying copying = {.most = INT64_MAX};
    tacTable shown, chosen;
    if (tacOptionsParse(interp, copyRows, objc - 2, objv + 2, &copying) != TCL_OK) return TCL_ERROR;
    tacRelationTable(&r->relation, &shown);
    if (tacChosenFromObj(interp, &shown, copying.columns, copying.before, &chosen) != TCL_OK) return TCL_ERROR;
    int result = (copying.to ? copyToOld : copyToNew)(r, interp, &copying, &chosen);
    tacTableFree(&chosen);
    return result;
}

/* ---- groups ----------------------------------------------------------------------------------------------------- */

/* Reads `count` or `p99(response)`. */
static int measureFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *word, tacGroupMeasure *measure) {
    const char *text = Tcl_GetString(word), *open = strchr(text, '(');
    size_t length = strlen(text);
    int figure;
    *measure = (tacGroupMeasure){.name = text, .figure = TAC_GROUP_ROWS, .column = -1};
    if (strcmp(text, "count") == 0) return TCL_OK;
    if (!open || text[length - 1] != ')')
        return tacTclFail(
            interp, "USAGE VALUE", "bad figure \"%.100s\": must be count, or one of a column, as p99(response)", text);
    Tcl_Obj *name = Tcl_NewStringObj(text, (Tcl_Size) (open - text));
    Tcl_Obj *column = Tcl_NewStringObj(open + 1, (Tcl_Size) (text + length - 1 - open - 1));
    Tcl_IncrRefCount(name);
    Tcl_IncrRefCount(column);
    int result = Tcl_GetIndexFromObjStruct(
        interp, name, tacGroupFigures + TAC_GROUP_COUNT, sizeof *tacGroupFigures, "figure", TCL_EXACT, &figure);
    if (result == TCL_OK)
        result = tacNumberColumnFromObj(interp, table, column, "of which there are no figures", &measure->column);
    measure->figure = result == TCL_OK ? (tacGroupFigure) (TAC_GROUP_COUNT + figure) : TAC_GROUP_ROWS;
    if (measure->figure == TAC_GROUP_AVERAGE) measure->figure = TAC_GROUP_MEAN;
    Tcl_DecrRefCount(name);
    Tcl_DecrRefCount(column);
    return result;
}

/* Reads the list of figures; NULL: no memory or a wrong one. */
static tacGroupMeasure *measuresFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *list, Tcl_Size *n) {
    Tcl_Obj **words;
    if (Tcl_ListObjGetElements(interp, list, n, &words) != TCL_OK) return NULL;
    tacGroupMeasure *measures = tacAlloc(((size_t) *n + 1) * sizeof *measures);
    if (!measures) return tacTclMemory(interp), NULL;
    for (Tcl_Size i = 0; i < *n; i++) {
        if (measureFromObj(interp, table, words[i], &measures[i]) == TCL_OK) continue;
        tacFree(measures);
        return NULL;
    }
    return measures;
}

/* Makes the table of groups. */
static int group(
    tacRelationCmd *r, Tcl_Interp *interp, Tcl_Obj *columns, Tcl_Obj *figures, Tcl_Obj *progress, tacTable *table) {
    Tcl_Size n = 0, nMeasures = 0;
    tacWork work;
    int *by = columnsFromObj(interp, &r->relation.table, columns, NULL, &n);
    tacGroupMeasure *measures = by ? measuresFromObj(interp, &r->relation.table, figures, &nMeasures) : NULL;
    int result = measures ? tacWorkBegin(&work, r, interp, progress, "grouping") : TCL_ERROR;
    if (result == TCL_OK) {
        tacStatus status = tacRelationGroup(
            &r->relation, by, (int) n, measures, (int) nMeasures, table, &work.script.progress, &work.err);
        result = tacWorkEnd(&work, status);
        if (result != TCL_OK && status == TAC_OK) tacTableFree(table);
    }
    tacFree(by);
    tacFree(measures);
    return result;
}

int tacRelationGroupSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_Obj *progress;
    tacTable table;
    if (tacProgressOption(interp, objc - 4, objv + 4, &progress) != TCL_OK) return TCL_ERROR;
    /* Copies, since both may be the same object, or stop being lists while a script reports. */
    Tcl_Obj *columns = Tcl_DuplicateObj(objv[2]), *figures = Tcl_DuplicateObj(objv[3]);
    Tcl_IncrRefCount(columns);
    Tcl_IncrRefCount(figures);
    int result = group(data, interp, columns, figures, progress, &table);
    Tcl_DecrRefCount(columns);
    Tcl_DecrRefCount(figures);
    return result == TCL_OK ? tacOwnRelation(interp, &table, &(tacWanted){0}) : TCL_ERROR;
}

/* ---- the first rows ---------------------------------------------------------------------------------------------- */

int tacRelationFirstSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Tcl_Obj *progress;
    Tcl_WideInt most;
    Tcl_Size n = 0;
    tacWork work;
    int named = objc > 3 && *Tcl_GetString(objv[3]) != '-';
    if (Tcl_GetWideIntFromObj(interp, objv[2], &most) != TCL_OK
        || tacProgressOption(interp, objc - 3 - named, objv + 3 + named, &progress) != TCL_OK)
        return TCL_ERROR;
    if (most < 0) return tacTclFail(interp, "USAGE VALUE", "bad number of rows %s", Tcl_GetString(objv[2]));
    int *by = named ? columnsFromObj(interp, &r->relation.table, objv[3], NULL, &n) : NULL;
    if (named && !by) return TCL_ERROR;
    int result = tacWorkBegin(&work, r, interp, progress, "grouping");
    if (result == TCL_OK) {
        tacStatus status = tacRelationFirst(
            &r->relation, by, (int) n, (uint64_t) most, &work.script.progress, &work.err);
        result = tacWorkEnd(&work, status);
    }
    tacFree(by);
    return result;
}
