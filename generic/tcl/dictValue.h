/*
 * dictValue.h -- facts of a model as entries of Tcl dicts and lists, and the values in a dict. Files that include this
 * include <tcl.h> first.
 */
#ifndef TAC_TCL_DICT_VALUE_H
#define TAC_TCL_DICT_VALUE_H

#include "model/model.h"

/* Sets a key of a dict; appends to a list. */
static inline void tacPut(Tcl_Obj *dict, const char *key, Tcl_Obj *value) {
    Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), value);
}
static inline void tacAppend(Tcl_Obj *list, Tcl_Obj *value) { Tcl_ListObjAppendElement(NULL, list, value); }
static inline void tacPutText(Tcl_Obj *dict, const char *key, const char *text) { /* NULL: {} */
    tacPut(dict, key, Tcl_NewStringObj(text ? text : "", -1));
}
static inline void tacPutFlag(Tcl_Obj *dict, const char *key, bool flag) { tacPut(dict, key, Tcl_NewBooleanObj(flag)); }
static inline void tacPutCount(Tcl_Obj *dict, const char *key, uint64_t count) {
    tacPut(dict, key, Tcl_NewWideIntObj((Tcl_WideInt) count));
}
/* An index (a job, a row of the store ...); TAC_NONE: {}. */
static inline void tacPutIndex(Tcl_Obj *dict, const char *key, uint32_t index) {
    tacPut(dict, key, index == TAC_NONE ? Tcl_NewObj() : Tcl_NewWideIntObj(index));
}
/* A time as an exact decimal; {} when it is unknown or does not fit 64 bits. */
static inline Tcl_Obj *tacTimeValueObj(int64_t ticks, int digits) {
    char text[TAC_DECIMAL_SIZE];
    size_t length = tacIsKnown(ticks) ? tacDecimalFormat(ticks, digits, text) : 0;
    return Tcl_NewStringObj(text, (Tcl_Size) length);
}
static inline void tacPutTime(Tcl_Obj *dict, const char *key, const tacModel *model, int64_t ticks) {
    tacPut(dict, key, tacTimeValueObj(ticks, model->store->digits));
}

/* The value of a key, which stays the dict's; NULL: there is none, or this is no dict. */
static inline Tcl_Obj *tacDictValue(Tcl_Obj *dict, const char *key) {
    Tcl_Obj *name = Tcl_NewStringObj(key, -1), *value = NULL;
    Tcl_IncrRefCount(name);
    if (Tcl_DictObjGet(NULL, dict, name, &value) != TCL_OK) value = NULL;
    Tcl_DecrRefCount(name);
    return value;
}

/* The object, with one more reference. */
static inline Tcl_Obj *tacKept(Tcl_Obj *object) {
    Tcl_IncrRefCount(object);
    return object;
}
/* Puts a value, or NULL, into a place that holds a reference. */
static inline void tacReplace(Tcl_Obj **place, Tcl_Obj *value) {
    Tcl_Obj *before = *place;
    if (value) Tcl_IncrRefCount(value);
    *place = value;
    if (before) Tcl_DecrRefCount(before);
}

#endif
