/*
 * traceRecord.h -- the record behind a trace command, its trace, and its users.
 *
 * A *record* belongs to the command: it has the command's name, and the *body* of the present trace. Bodies are
 * counted: a subcommand that runs holds the one it began with (a script that it calls may close or reload the trace
 * meanwhile), and so does every user (the widget, a relation) until it is told of another one.
 *
 *   command --> record --> body --> tacTrace
 *                 |          ^
 *                 +-> user --+        the record's users, told of change and end
 *
 * Invariants:
 *   1. record->body is never NULL; it is replaced by tacTraceReplace alone.
 *   2. a user's body is the record's, but for the moment in which users are told, and after the command has gone.
 *   3. everything here belongs to the thread of one interpreter.
 *
 * Subcommands (a row in traceCmd.c, the function in any file of tcl/) get a tacTraceCall as their data.
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_TRACE_RECORD_H
#define TAC_TCL_TRACE_RECORD_H

#include "analysis/why.h"
#include "open/open.h"
#include "tcl/expected.h"
#include "tcl/traceCmd.h"

typedef struct tacTraceBody {
    tacTrace *trace;
    tacExpected *expected; /* what was judged while the trace was opened, or NULL */
    tacWhyShared why;      /* by the calls of $trace why, one at a time */
    bool whyRuns;
    unsigned references;
} tacTraceBody;

struct tacTraceUser {
    struct tacTraceRecord *record; /* NULL: its command has gone */
    tacTraceBody *body;
    tacTraceChanged *changed;
    void *data;                /* of `changed` */
    unsigned told;             /* the record's `news` when it was told last */
    struct tacTraceUser *next; /* of the same record */
};

typedef struct tacTraceRecord {
    Tcl_Interp *interp;
    Tcl_Command token; /* NULL: the command has gone */
    tacTraceBody *body;
    tacTraceUser *users;
    char *name;          /* of the trace in diagnostics */
    Tcl_Obj *path;       /* of its file, normalized; NULL: it is not from a file and cannot be read again */
    Tcl_Obj *options;    /* list of the words it was opened with; NULL as path */
    bool loading;        /* $trace reload is under way */
    unsigned news;       /* counts replacements */
    unsigned references; /* the command, and calls under way */
} tacTraceRecord;

typedef struct tacTraceCall { /* a subcommand that runs */
    tacTraceRecord *record;
    tacTraceBody *body; /* held for the call; after scripts the record may have another one */
    tacTrace *trace;    /* of the body */
    tacMemBound outer;  /* of whoever calls; the call has its own */
} tacTraceCall;

/* Holds a record and the trace that it has now, until tacTraceLetGo. */
tacTraceCall tacTraceHold(tacTraceRecord *record);
void tacTraceLetGo(tacTraceCall *call);

/* Puts another body behind the command, which takes it, and tells the users. */
void tacTraceReplace(tacTraceRecord *record, tacTraceBody *body);

/* A user of the trace of a subcommand that runs; NULL: no memory. */
tacTraceUser *tacTraceUseRecord(tacTraceRecord *record, tacTraceChanged *changed, void *data);

/* A body that owns both, with one reference; NULL: no memory, and both are gone. */
tacTraceBody *tacTraceBodyNew(tacTrace *trace, tacExpected *expected);
void tacTraceBodyFree(tacTraceBody *body); /* gives a reference back; NULL is fine */
/* From now on traces with very many tasks are freed in steps by the event loop. */
void tacTraceBodiesInSteps(void);
/* Makes a command for the trace of the body, which it takes; the result is the command's name. name: of the trace in
 * diagnostics. NULL: an error. */
tacTraceRecord *tacTraceCommand(Tcl_Interp *interp, tacTraceBody *body, const char *name);
/* Keeps the path of the file (NULL: unknown) and the options, to read it again. */
void tacTraceRecordFrom(tacTraceRecord *record, Tcl_Obj *path, int objc, Tcl_Obj *const objv[]);
/* TCL_ERROR (TRACE BUSY) while handlers run over the trace: then it can neither be closed nor read again. */
int tacTraceRefuseBusy(Tcl_Interp *interp, const tacTraceCall *call);

/* The record of a new command, with one reference; NULL: no memory. For traceCmd.c, as the next one. */
tacTraceRecord *tacTraceRecordNew(Tcl_Interp *interp, tacTraceBody *body, const char *name);
void tacTraceRecordEnd(tacTraceRecord *record); /* the command has gone: tells the users, gives its reference back */

#endif
