/*
 * relationFilter.c -- makes a filter of a relation from the words of a command.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dispatch.h"
#include "tcl/relationFilter.h"

#include <string.h>

int tacColumnFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *name, int *column) {
    const char **names = tacAlloc(((size_t) table->nColumns + 1) * sizeof *names);
    if (!names) return tacTclMemory(interp);
    for (int i = 0; i < table->nColumns; i++) names[i] = table->columns[i].name;
    names[table->nColumns] = NULL;
    /* A copy of the word, since Tcl would remember in it the names, which live no longer than this call. */
    Tcl_Obj *word = Tcl_NewStringObj(Tcl_GetString(name), -1);
    Tcl_IncrRefCount(word);
    int result = Tcl_GetIndexFromObjStruct(interp, word, names, sizeof *names, "column", 0, column);
    Tcl_DecrRefCount(word);
    tacFree(names);
    return result;
}

static const char *const operators[] = {[TAC_EQUAL] = "=",
    [TAC_UNEQUAL] = "!=",
    [TAC_BELOW] = "<",
    [TAC_AT_MOST] = "<=",
    [TAC_ABOVE] = ">",
    [TAC_AT_LEAST] = ">=",
    [TAC_MATCH] = "match",
    NULL};

/* Adds a condition to the filter: {column operator value} or {where expression}. */
static int addCondition(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *words, tacFilter *filter, tacError *err) {
    Tcl_Size count;
    Tcl_Obj **word;
    int column, comparison;
    if (Tcl_ListObjGetElements(interp, words, &count, &word) != TCL_OK) return TCL_ERROR;
    if (count == 2 && strcmp(Tcl_GetString(word[0]), "where") == 0)
        return tacFilterExpression(filter, Tcl_GetString(word[1]), err) == TAC_OK ? TCL_OK : tacErrorToTcl(interp, err);
    if (count != 3)
        return tacTclFail(interp, "USAGE CONDITION", "bad condition \"%.100s\": must be column, operator, value",
            Tcl_GetString(words));
    if (tacColumnFromObj(interp, table, word[0], &column) != TCL_OK
        || Tcl_GetIndexFromObjStruct(interp, word[1], operators, sizeof *operators, "operator", TCL_EXACT, &comparison)
            != TCL_OK)
        return TCL_ERROR;
    if (tacFilterCondition(filter, column, (tacComparison) comparison, Tcl_GetString(word[2]), err) == TAC_OK)
        return TCL_OK;
    return tacErrorToTcl(interp, err);
}

tacFilter *tacFilterFromWords(Tcl_Interp *interp, const tacTable *table, const tacWanted *wanted) {
    Tcl_Size count = 0;
    Tcl_Obj **word = NULL;
    tacError err = {{0}, {0}};
    tacFilter *filter = tacFilterNew(table);
    if (!filter) return tacTclMemory(interp), NULL;
    int result = wanted->conditions ? Tcl_ListObjGetElements(interp, wanted->conditions, &count, &word) : TCL_OK;
    for (Tcl_Size i = 0; i < count && result == TCL_OK; i++)
        result = addCondition(interp, table, word[i], filter, &err);
    tacStatus status = TAC_OK;
    if (result == TCL_OK && wanted->any && *Tcl_GetString(wanted->any))
        status = tacFilterText(filter, Tcl_GetString(wanted->any), &err);
    if (result == TCL_OK && status == TAC_OK && wanted->where)
        status = tacFilterExpression(filter, Tcl_GetString(wanted->where), &err);
    if (status != TAC_OK) result = tacErrorToTcl(interp, &err);
    if (result == TCL_OK) return filter;
    tacFilterFree(filter);
    return NULL;
}

int tacWhereResult(
    Tcl_Interp *interp, tacTable *table, const tacWanted *wanted, tacResultFormat format, Tcl_Obj *channel) {
    tacError err = {{0}, {0}};
    tacRelation relation;
    tacTable shown;
    if (tacWantsAll(wanted)) return tacTableResult(interp, table, format, channel);
    tacRelationInit(&relation, table);
    tacFilter *filter = tacFilterFromWords(interp, &relation.table, wanted);
    int result = filter ? TCL_OK : TCL_ERROR;
    if (filter && tacRelationFilter(&relation, filter, NULL, &err) != TAC_OK) result = tacErrorToTcl(interp, &err);
    tacFilterFree(filter);
    tacRelationTable(&relation, &shown);
    if (result == TCL_OK) result = tacTableResult(interp, &shown, format, channel);
    tacRelationFree(&relation);
    return result;
}
