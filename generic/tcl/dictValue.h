/*
 * dictValue.h -- facts of a model as entries of Tcl dicts and lists. Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_DICT_VALUE_H
#define TAC_TCL_DICT_VALUE_H

#include "model/model.h"

static inline void tacPut(Tcl_Obj *dict, const char *key, Tcl_Obj *value) {
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), value);
}
static inline void tacAppend(Tcl_Obj *list, Tcl_Obj *value) { Tcl_ListObjAppendElement(NULL, list, value); }
static inline void tacPutText(Tcl_Obj *dict, const char *key, const char *text) { /* NULL: {} */
    tacPut(dict, key, Tcl_NewStringObj(text ? text : "", -1));
}
static inline void tacPutCount(Tcl_Obj *dict, const char *key, uint64_t count) {
    tacPut(dict, key, Tcl_NewWideIntObj((Tcl_WideInt) count));
}
/* An index (a job, a row of the store ...); TAC_NONE: {}. */
static inline void tacPutIndex(Tcl_Obj *dict, const char *key, uint32_t index) {
    tacPut(dict, key, index == TAC_NONE ? Tcl_NewObj() : Tcl_NewWideIntObj(index));
}
/* An exact decimal; unknown, and more than 64 bits hold: {}. */
static inline Tcl_Obj *tacTimeValueObj(int64_t ticks, int digits) {
    char text[TAC_DECIMAL_SIZE];
    size_t length = tacIsKnown(ticks) ? tacDecimalFormat(ticks, digits, text) : 0;
    return Tcl_NewStringObj(text, (Tcl_Size) length);
}
static inline void tacPutTime(Tcl_Obj *dict, const char *key, const tacModel *model, int64_t ticks) {
    tacPut(dict, key, tacTimeValueObj(ticks, model->store->digits));
}

#endif
