/*
 * remarks.c -- diagnostics as Tcl values.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/remarks.h"

Tcl_Obj *tacRemarkList(const tacDiag *diag) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < diag->remarks.count; i++) {
        const tacRemark *remark = &diag->remarks.at[i];
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "severity", tacSeverityName(remark->severity));
        tacPutCount(dict, "line", remark->line);
        tacPutText(dict, "kind", tacInternName(&diag->texts, remark->kind, NULL));
        tacPutText(dict, "text", tacInternName(&diag->texts, remark->text, NULL));
        tacPutCount(dict, "count", remark->count);
        tacAppend(list, dict);
    }
    return list;
}
