/*
 * testMonitor.c -- a program with sensors, for tests/monitor.test:
 *
 *      sensorOpen folder program       makes a directory with the sensors speed, start, stop; its path
 *      sensorWrite sensor ?value ...?  writes an element: speed value wheel name balance, start or stop number
 *      sensorClose                     ends the program, as far as monitors see it
 */
#include <tcl.h>

#include "base/port.h"

#include "record/tactusrec.h"

#include <stddef.h>
#include <string.h>

typedef struct Speed {
    double value;
    uint64_t wheel;
    char name[8];
    int16_t balance;
} Speed;

static tacrec_directory directory;
static tacrec_sensor sensors[3];
static bool isOpen;

static int openCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const tacrec_field speed[] = {{"value", TACREC_REAL, offsetof(Speed, value), 8},
        {"wheel", TACREC_UNSIGNED, offsetof(Speed, wheel), 8}, {"name", TACREC_TEXT, offsetof(Speed, name), 8},
        {"balance", TACREC_SIGNED, offsetof(Speed, balance), 2}};
    static const tacrec_field number[] = {{"number", TACREC_UNSIGNED, 0, 4}};
    static const tacrec_layout layouts[] = {{.name = "speed",
                                                .kind = TACREC_SIMPLE,
                                                .size = sizeof(Speed),
                                                .capacity = 100,
                                                .fields = speed,
                                                .fieldCount = 4},
        {.name = "start", .kind = TACREC_SIMPLE, .size = 4, .capacity = 100, .fields = number, .fieldCount = 1},
        {.name = "stop", .kind = TACREC_SIMPLE, .size = 4, .capacity = 100, .fields = number, .fieldCount = 1}};
    (void) data;
    if (objc != 3 || isOpen || tacrec_open(&directory, Tcl_GetString(objv[1]), Tcl_GetString(objv[2]), 1 << 20, 0)) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj("sensorOpen: no directory", -1));
        return TCL_ERROR;
    }
    isOpen = true;
    for (int i = 0; i < 3; i++) tacrec_add(&directory, &sensors[i], &layouts[i]);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(directory.path, -1));
    return TCL_OK;
}

static int writeSpeed(Tcl_Interp *interp, Tcl_Obj *const words[]) {
    Speed *place = tacrec_write(&sensors[0]);
    Tcl_WideInt wheel;
    int balance;
    memset(place, 0, sizeof *place);
    if (Tcl_GetDoubleFromObj(interp, words[0], &place->value) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, words[1], &wheel) != TCL_OK
        || Tcl_GetIntFromObj(interp, words[3], &balance) != TCL_OK)
        return TCL_ERROR;
    const char *name = Tcl_GetString(words[2]);
    place->wheel = (uint64_t) wheel;
    place->balance = (int16_t) balance;
    memcpy(place->name, name, strnlen(name, sizeof place->name));
    tacrec_commit(&sensors[0], place);
    return TCL_OK;
}

static int writeCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const names[] = {"speed", "start", "stop", NULL};
    int which, number = 0;
    (void) data;
    if (!isOpen || objc < 2 || Tcl_GetIndexFromObj(interp, objv[1], names, "sensor", 0, &which) != TCL_OK)
        return TCL_ERROR;
    if (which == 0) return objc == 6 ? writeSpeed(interp, objv + 2) : TCL_ERROR;
    if (objc > 2 && Tcl_GetIntFromObj(interp, objv[2], &number) != TCL_OK) return TCL_ERROR;
    uint32_t *place = tacrec_write(&sensors[which]);
    *place = (uint32_t) number;
    tacrec_commit(&sensors[which], place);
    return TCL_OK;
}

static int closeCmd(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data, (void) interp, (void) objc, (void) objv;
    if (isOpen) tacrec_close(&directory, false);
    isOpen = false;
    return TCL_OK;
}

int TacTestMonitor_Init(Tcl_Interp *interp);
int TacTestMonitor_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "sensorOpen", openCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "sensorWrite", writeCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "sensorClose", closeCmd, NULL, NULL);
    return TCL_OK;
}
