/*
 * monitor.h -- tactus::monitor: what running programs write, handed to Tcl.
 *
 *      sensors -> tacrec_evaluator (record/tactusrec_evaluate.h) -> tacMonitored: a handler, or a ready-made evaluation
 *      whose alarms are calls -> Tcl
 *
 * monitorCmd.c has the command and the watching, monitorKernel.c the kernel, monitorReady.c what is made of elements.
 * Handlers are called while elements are handed out (`busy`): they may ask, add and remove evaluations, and close the
 * monitor, which then ends after the step. Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_MONITOR_H
#define TAC_TCL_MONITOR_H

#include "base/error.h"
#include "record/tactusrec_evaluate.h"
#include "tcl/dispatch.h"

typedef struct tacMonitor {
    Tcl_Interp *interp;
    Tcl_Command token;
    Tcl_TimerToken timer;
    tacrec_evaluator *evaluator;      /* its evaluations call Tcl */
    struct tacMonitored *evaluations; /* the newest first */
    const tacrec_seen *element;       /* that is handled; NULL: none */
    int64_t period, most;             /* nanoseconds between two steps; elements of a step */
    uint64_t wait, made;              /* nanoseconds; evaluations that were made so far */
    bool busy, closed;
    Tcl_Obj *folder;                 /* the first that is watched; NULL: none */
    struct tacMonitorCopier *copier; /* NULL: it reads the sensors itself */
    struct tacMonitorMarks *marks;   /* NULL: none were made */
} tacMonitor;

/* What is made of elements. */
typedef struct tacMonitored {
    tacMonitor *monitor;
    struct tacMonitored *next;
    uint64_t id;
    const struct tacMonitoredKind *kind;
    Tcl_Obj *call;                    /* prefix; NULL: none */
    Tcl_Obj *patterns, *program;      /* keep the texts of the evaluation; program NULL: any */
    Tcl_Obj *field, *states, *guards; /* of a histogram; of a machine, by state and by transition ({}: none) */
    tacrec_transition *transitions;   /* of a machine */
    bool off;                         /* it calls nothing any more */
    union {
        tacrec_evaluation evaluation; /* all begin with it */
        tacrec_histogram histogram;
        tacrec_meter meter;
        tacrec_machine machine;
    } of;
} tacMonitored;

/*
 * Adds inputs for what the kernel does, until the evaluator is freed: a sensor "kernel:EVENT" of the program "kernel"
 * for each kind of event. They are read in steps. events: as tacCaptureOptions has them; "": the usual ones. After an
 * error the evaluator may have some of the inputs.
 */
tacStatus tacMonitorKernel(tacrec_evaluator *evaluator, const char *events, tacError *err);

/* Subcommands: on, histogram, rate, machine, remove, result. */
tacSubcommandProc tacMonitorOn, tacMonitorHistogram, tacMonitorRate, tacMonitorMachine, tacMonitorRemove,
    tacMonitorResult;

#endif
