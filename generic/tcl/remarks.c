/*
 * remarks.c -- diagnostics as Tcl values.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/remarks.h"

static Tcl_Obj *remarkDict(const tacDiag *diag, const tacRemark *remark) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    Tcl_DictObjPut(
        NULL, dict, Tcl_NewStringObj("severity", -1), Tcl_NewStringObj(tacSeverityName(remark->severity), -1));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("line", -1), Tcl_NewWideIntObj(remark->line));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("kind", -1),
        Tcl_NewStringObj(tacInternName(&diag->texts, remark->kind, NULL), -1));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("text", -1),
        Tcl_NewStringObj(tacInternName(&diag->texts, remark->text, NULL), -1));
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj("count", -1), Tcl_NewWideIntObj((Tcl_WideInt) remark->count));
    return dict;
}

Tcl_Obj *tacRemarkList(const tacDiag *diag) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < diag->remarks.count; i++)
        Tcl_ListObjAppendElement(NULL, list, remarkDict(diag, &diag->remarks.at[i]));
    return list;
}
