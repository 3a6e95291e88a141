/*
 * planCmd.c -- tactus::plan: what a monitor has to process in each period so that all elements of its sensors are
 * processed in time (record/plan.h).
 *
 *      tactus::plan {{NAME ?-option value ...?} ...} -monitor T_M ?-deadline d? ?-budget t?
 *
 * Times are texts, a number and a unit (ns without one), and become exact nanoseconds. The result is a dict: monitor,
 * deadline, budget; elements, work, leastWork, mostWork: sums over the sensors; fits; sensors: a list of dicts with
 * name, problem ({}, latency or elements: what of the demand is impossible; the rest is the nearest plan then),
 * elements, least, most, latency, shortest, longest, burst, buffer, backlog, work.
 */
#include <tcl.h>

#include "base/port.h"

#include "record/plan.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/nanoseconds.h"
#include "tcl/optionTable.h"

/* ---- options ---------------------------------------------------------------------------------------------------- */

typedef struct SensorOptions { /* times as written; NULL: not given */
    const char *period, *distance, *early, *late, *latency, *cost;
    int64_t elements;
} SensorOptions;

#define SENSOR(member) TAC_VALUE_TEXT, offsetof(SensorOptions, member), NULL
const tacOptionRow tacPlanSensorRows[] = {
    {"-period", SENSOR(period), "T", NULL, "of the regular sequence of a sensor: its elements come T apart on average"},
    {"-distance", SENSOR(distance), "D", "0",
        "two successive elements of a sensor are at least so far apart; at most T"},
    {"-early", SENSOR(early), "time", "0", "elements come at most so much before their places in the sequence"},
    {"-late", SENSOR(late), "time", "0", "elements come at most so much behind their places in the sequence"},
    {"-latency", SENSOR(latency), "time", NULL,
        "at most this may pass from when an element is written until it is processed; instead of -elements"},
    {"-elements", TAC_VALUE_COUNT, offsetof(SensorOptions, elements), NULL, "R", NULL,
        "elements that are processed in each period of the monitor; default: as few as possible"},
    {"-cost", SENSOR(cost), "time", "0", "time that processing an element takes"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

typedef struct MonitorOptions {
    const char *monitor, *deadline, *budget;
} MonitorOptions;

#define MONITOR(member) TAC_VALUE_TEXT, offsetof(MonitorOptions, member), NULL
const tacOptionRow tacPlanMonitorRows[] = {
    {"-monitor", MONITOR(monitor), "time", NULL, "period of the monitor"},
    {"-deadline", MONITOR(deadline), "time", NULL,
        "from the begin of a period until its elements are processed; default: the period"},
    {"-budget", MONITOR(budget), "time", NULL,
        "time that the monitor has in each period; default: the deadline, or the period if that is shorter"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* ---- the monitor ------------------------------------------------------------------------------------------------- */

static int readMonitor(Tcl_Interp *interp, const MonitorOptions *options, tacPlanMonitor *monitor, int64_t *budget) {
    if (!options->monitor) return tacTclFail(interp, "USAGE MISSING", "the monitor's period is needed: -monitor");
    if (tacNanosecondsOf(interp, "-monitor", options->monitor, &monitor->period) != TCL_OK) return TCL_ERROR;
    if (monitor->period == 0) return tacTclFail(interp, "USAGE VALUE", "the monitor's period must be above 0");
    monitor->deadline = monitor->period;
    if (tacNanosecondsOf(interp, "-deadline", options->deadline, &monitor->deadline) != TCL_OK) return TCL_ERROR;
    int64_t most = monitor->deadline < monitor->period ? monitor->deadline : monitor->period;
    *budget = most;
    if (tacNanosecondsOf(interp, "-budget", options->budget, budget) != TCL_OK) return TCL_ERROR;
    if (*budget > most)
        return tacTclFail(interp, "USAGE VALUE",
            "the budget is longer than the monitor's %s: there is no such time in a period",
            most == monitor->period ? "period" : "deadline");
    return TCL_OK;
}

/* ---- a sensor --------------------------------------------------------------------------------------------------- */

typedef struct Sensor {
    tacPlanStream stream;
    int64_t elements, latency, cost; /* elements, latency -1: not asked for */
} Sensor;

static int readSensor(Tcl_Interp *interp, const SensorOptions *options, Sensor *sensor) {
    tacPlanStream *stream = &sensor->stream;
    if (!options->period) return tacTclFail(interp, "USAGE MISSING", "its period is needed: -period");
    if (tacNanosecondsOf(interp, "-period", options->period, &stream->period) != TCL_OK
        || tacNanosecondsOf(interp, "-distance", options->distance, &stream->distance) != TCL_OK
        || tacNanosecondsOf(interp, "-early", options->early, &stream->early) != TCL_OK
        || tacNanosecondsOf(interp, "-late", options->late, &stream->late) != TCL_OK
        || tacNanosecondsOf(interp, "-latency", options->latency, &sensor->latency) != TCL_OK
        || tacNanosecondsOf(interp, "-cost", options->cost, &sensor->cost) != TCL_OK)
        return TCL_ERROR;
    sensor->elements = options->elements;
    if (sensor->elements >= 0 && sensor->latency >= 0)
        return tacTclFail(
            interp, "USAGE VALUE", "-elements and -latency exclude each other: one follows from the other");
    return TCL_OK;
}

static int planSensor(
    Tcl_Interp *interp, const tacPlanMonitor *monitor, const Sensor *sensor, tacPlan *plan, tacPlanStatus *status) {
    *status = sensor->latency >= 0
        ? tacPlanByLatency(&sensor->stream, monitor, sensor->latency, plan)
        : tacPlanByElements(&sensor->stream, monitor, sensor->elements >= 0 ? sensor->elements : 1, plan);
    if (*status == TAC_PLAN_TOO_FEW && sensor->elements < 0) *status = TAC_PLAN_DONE;
    switch (*status) {
    case TAC_PLAN_NO_STREAM:
        return tacTclFail(interp, "USAGE VALUE",
            "its period must be above 0, and its distance at most the period, since elements that are further apart "
            "come less often");
    case TAC_PLAN_NO_MONITOR: return tacTclFail(interp, "USAGE VALUE", "the monitor's period must be above 0");
    case TAC_PLAN_TOO_LONG:
        return tacTclFail(interp, "RANGE", "a time of its own or of the monitor is longer than 36 years");
    default: return TCL_OK;
    }
}

static Tcl_Obj *sensorValue(Tcl_Obj *name, const tacPlan *plan, tacPlanStatus status, int64_t work) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "name", name);
    tacPutText(dict, "problem",
        status == TAC_PLAN_TOO_SHORT     ? "latency"
            : status == TAC_PLAN_TOO_FEW ? "elements"
                                         : "");
    const struct {
        const char *key;
        int64_t value;
    } values[] = {{"elements", plan->elements}, {"least", plan->least}, {"most", plan->most},
        {"latency", plan->latency}, {"shortest", plan->shortest}, {"longest", plan->longest}, {"buffer", plan->buffer},
        {"backlog", plan->backlog}, {"work", work}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        tacPut(dict, values[i].key, Tcl_NewWideIntObj(values[i].value));
    tacPut(dict, "burst", plan->burst ? Tcl_NewWideIntObj(plan->burst) : Tcl_NewObj());
    return dict;
}

/* Plans a sensor, adds it to the load and its dict to the list. */
static int addSensor(
    Tcl_Interp *interp, Tcl_Obj *words, const tacPlanMonitor *monitor, tacPlanLoad *load, Tcl_Obj *list) {
    Tcl_Size count;
    Tcl_Obj **word;
    if (Tcl_ListObjGetElements(interp, words, &count, &word) != TCL_OK) return TCL_ERROR;
    if (!count) return tacTclFail(interp, "USAGE VALUE", "a sensor is a list of its name and its options");
    SensorOptions options = {.elements = -1};
    Sensor sensor = {.latency = -1};
    tacPlan plan;
    tacPlanStatus status;
    int64_t before = load->work;
    int result = tacOptionsParse(interp, tacPlanSensorRows, (int) count - 1, word + 1, &options);
    if (result == TCL_OK) result = readSensor(interp, &options, &sensor);
    if (result == TCL_OK) result = planSensor(interp, monitor, &sensor, &plan, &status);
    if (result == TCL_OK && !tacPlanAdd(load, &plan, sensor.cost))
        result = tacTclFail(interp, "RANGE", "64 bits do not hold the time for all elements");
    if (result == TCL_OK) tacAppend(list, sensorValue(word[0], &plan, status, load->work - before));
    else
        Tcl_SetObjResult(
            interp, Tcl_ObjPrintf("sensor %s: %s", Tcl_GetString(word[0]), Tcl_GetString(Tcl_GetObjResult(interp))));
    tacOptionsFree(tacPlanSensorRows, &options);
    return result;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static Tcl_Obj *planValue(const tacPlanMonitor *monitor, int64_t budget, const tacPlanLoad *load, Tcl_Obj *sensors) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "monitor", Tcl_NewWideIntObj(monitor->period));
    tacPut(dict, "deadline", Tcl_NewWideIntObj(monitor->deadline));
    tacPut(dict, "budget", Tcl_NewWideIntObj(budget));
    tacPut(dict, "elements", Tcl_NewWideIntObj(load->elements));
    tacPut(dict, "work", Tcl_NewWideIntObj(load->work));
    tacPut(dict, "leastWork", Tcl_NewWideIntObj(load->leastWork));
    tacPut(dict, "mostWork", Tcl_NewWideIntObj(load->mostWork));
    tacPutFlag(dict, "fits", load->work <= budget);
    tacPut(dict, "sensors", sensors);
    return dict;
}

int tacPlanCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "sensors ?-option value ...?");
        return TCL_ERROR;
    }
    MonitorOptions options = {NULL, NULL, NULL};
    tacPlanMonitor monitor;
    tacPlanLoad load = {0, 0, 0, 0};
    int64_t budget;
    Tcl_Size count;
    Tcl_Obj **sensors;
    Tcl_Obj *list = tacKept(Tcl_NewListObj(0, NULL));
    int result = tacOptionsParse(interp, tacPlanMonitorRows, objc - 2, objv + 2, &options);
    if (result == TCL_OK) result = readMonitor(interp, &options, &monitor, &budget);
    if (result == TCL_OK) result = Tcl_ListObjGetElements(interp, objv[1], &count, &sensors);
    for (Tcl_Size i = 0; result == TCL_OK && i < count; i++)
        result = addSensor(interp, sensors[i], &monitor, &load, list);
    if (result == TCL_OK) Tcl_SetObjResult(interp, planValue(&monitor, budget, &load, list));
    Tcl_DecrRefCount(list);
    tacOptionsFree(tacPlanMonitorRows, &options);
    return result;
}
