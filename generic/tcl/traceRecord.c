/*
 * traceRecord.c -- records of trace commands: their references, their users, and the telling of changes.
 *
 * Users may do anything when they are told: release themselves or others, make new users, close the trace, read it
 * again. So after each call the telling begins again with the first user.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/traceRecord.h"

#include <string.h>

/* ---- closing in steps ------------------------------------------------------------------------------------------- */

/* Where there are windows, the memory of many tasks is freed in steps, between which they handle events; and what is
 * free then goes back to the system, if only after a while: mostly another trace is opened at once. */
static bool inSteps;

/* Of each thread; in Tcl's memory for threads, since that of libraries is small (base/mem.c). */
typedef struct Closing {
    tacTrace *trace; /* NULL: none */
    Tcl_TimerToken nextStep, givesBack;
} Closing;

static Closing *closingHere(void) {
    static Tcl_ThreadDataKey key;
    return Tcl_GetThreadData(&key, (int) sizeof(Closing));
}

void tacTraceBodiesInSteps(void) { inSteps = true; }

static void giveBack(ClientData data) {
    (void) data;
    closingHere()->givesBack = NULL;
    tacMemGiveBack();
}

/* To be called when the last block of a trace is free: what is given back before that is not all. */
static void giveBackLater(void) {
    enum { WHILE = 2500 }; /* milliseconds */
    Closing *closing = closingHere();
    if (!inSteps) return;
    Tcl_DeleteTimerHandler(closing->givesBack);
    closing->givesBack = Tcl_CreateTimerHandler(WHILE, giveBack, NULL);
}

static void closeSome(ClientData data) {
    enum { STEP = 256, BUDGET = 6000 }; /* tasks between two looks at the clock; microseconds */
    int64_t until = tacMicroseconds() + BUDGET;
    Closing *closing = closingHere();
    bool more = true;
    if (data) { /* the rest, which is few blocks, but large ones */
        tacTraceClose(closing->trace);
        closing->trace = NULL;
        giveBackLater();
        return;
    }
    while (more && tacMicroseconds() < until) more = tacTraceCloseSome(closing->trace, STEP);
    closing->nextStep = Tcl_CreateTimerHandler(1, closeSome, more ? NULL : closing);
}

/* Closes a trace that nobody uses any more. Another one that is being closed is closed before. */
static void closeTrace(tacTrace *trace) {
    enum { MANY = 20000 }; /* tasks */
    Closing *closing = closingHere();
    if (!inSteps || tacStoreObjects(&trace->store, TAC_TASK) < MANY) {
        tacTraceClose(trace);
        giveBackLater();
        return;
    }
    if (closing->trace) {
        Tcl_DeleteTimerHandler(closing->nextStep);
        tacTraceClose(closing->trace);
    }
    closing->trace = trace;
    closing->nextStep = Tcl_CreateTimerHandler(1, closeSome, NULL);
}

/* ---- bodies ----------------------------------------------------------------------------------------------------- */

tacTraceBody *tacTraceBodyNew(tacTrace *trace, tacExpected *expected) {
    tacTraceBody *body = tacAllocZero(1, sizeof *body);
    if (!body) {
        tacTraceClose(trace);
        tacExpectedFree(expected);
        return NULL;
    }
    *body = (tacTraceBody){.trace = trace, .expected = expected, .references = 1};
    return body;
}

void tacTraceBodyFree(tacTraceBody *body) {
    if (!body || --body->references) return;
    closeTrace(body->trace);
    tacExpectedFree(body->expected);
    tacWhySharedFree(&body->why);
    tacFree(body);
}

/* ---- users ------------------------------------------------------------------------------------------------------ */

tacTraceUser *tacTraceUseRecord(tacTraceRecord *record, tacTraceChanged *changed, void *data) {
    tacTraceUser *user = tacAllocZero(1, sizeof *user);
    if (!user) return NULL;
    record->body->references++;
    *user = (tacTraceUser){.record = record,
        .body = record->body,
        .changed = changed,
        .data = data,
        .told = record->news,
        .next = record->users};
    record->users = user;
    return user;
}

const tacTrace *tacTraceOf(const tacTraceUser *user) { return user->record ? user->body->trace : NULL; }

void tacTraceRelease(tacTraceUser *user) {
    if (!user) return;
    if (user->record) {
        tacTraceUser **link = &user->record->users;
        while (*link != user) link = &(*link)->next;
        *link = user->next;
    }
    tacTraceBodyFree(user->body);
    tacFree(user);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* Gives a reference to a record back; the last one frees it. */
static void freeRecord(tacTraceRecord *record) {
    if (--record->references) return;
    tacTraceBodyFree(record->body);
    if (record->path) Tcl_DecrRefCount(record->path);
    if (record->options) Tcl_DecrRefCount(record->options);
    tacFree(record->name);
    tacFree(record);
}

void tacTraceReplace(tacTraceRecord *record, tacTraceBody *body) {
    tacTraceBodyFree(record->body);
    record->body = body;
    record->news++;
    record->references++;
    for (tacTraceUser *user = record->users; user;) {
        if (user->told == record->news) {
            user = user->next;
            continue;
        }
        tacTraceBody *before = user->body;
        user->told = record->news;
        user->body = record->body;
        user->body->references++;
        user->changed(user->data, user->body->trace);
        tacTraceBodyFree(before);
        user = record->users;
    }
    freeRecord(record);
}

tacTraceRecord *tacTraceRecordNew(Tcl_Interp *interp, tacTraceBody *body, const char *name) {
    tacTraceRecord *record = tacAllocZero(1, sizeof *record);
    if (record)
        *record = (tacTraceRecord){
            .interp = interp, .body = body, .references = 1, .name = tacCopyText(name, strlen(name))};
    if (record && record->name) return record;
    tacTraceBodyFree(body);
    tacFree(record);
    return NULL;
}

void tacTraceRecordFrom(tacTraceRecord *record, Tcl_Obj *path, int objc, Tcl_Obj *const objv[]) {
    if (!path) return;
    record->path = tacKept(Tcl_DuplicateObj(path)); /* a value of its own keeps its native form */
    record->options = tacKept(Tcl_NewListObj(objc, objv));
}

tacTraceCall tacTraceHold(tacTraceRecord *record) {
    record->references++;
    record->body->references++;
    tacTrace *trace = record->body->trace;
    return (tacTraceCall){record, record->body, trace, tacMemBoundBegin(tacStoreRoom(&trace->store, false))};
}

void tacTraceLetGo(tacTraceCall *call) {
    tacMemBoundEnd(call->outer);
    tacTraceBodyFree(call->body);
    freeRecord(call->record);
}

void tacTraceRecordEnd(tacTraceRecord *record) {
    record->token = NULL;
    for (tacTraceUser *user; (user = record->users);) {
        record->users = user->next;
        user->record = NULL;
        user->changed(user->data, NULL);
    }
    freeRecord(record);
}
