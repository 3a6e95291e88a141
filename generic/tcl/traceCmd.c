/*
 * traceCmd.c -- the trace command: a table of subcommands over one opened trace.
 *
 * A trace lives as long as its command, and as long as one of its subcommands is running: writing to a channel may run
 * scripts, and these may close the trace, rename its command or delete the interpreter. So every call preserves the
 * record, and deleting the command only asks for its end (Tcl_EventuallyFree).
 */
#include <tcl.h>
#include "base/port.h"

#include <stdio.h>
#include <string.h>

#include "model/stats.h"
#include "model/syncTable.h"
#include "tcl/dispatch.h"
#include "tcl/figureCmd.h"
#include "tcl/moment.h"
#include "tcl/remarks.h"
#include "tcl/tableValue.h"
#include "tcl/traceCmd.h"
#include "tcl/traceInfo.h"
#include "trace/dump.h"

typedef struct TraceCommand {
    tacTrace *trace;
    Tcl_Command token;
    char *name;                 /* of the trace in diagnostics */
} TraceCommand;

/* ---- options that several subcommands share --------------------------------------------------------------------- */

typedef struct Options {
    tacTimeValue from, to;
    const char *task, *event;
    int64_t limit;              /* -1: none */
    int format, of;
    Tcl_Obj *channel;
} Options;

#define AT(member) offsetof(Options, member)
#define FROM {"-from", TAC_VALUE_TIME, AT(from), NULL, NULL, NULL, "begin of the window, in time units"}
#define TO {"-to", TAC_VALUE_TIME, AT(to), NULL, NULL, NULL, "end of the window, itself included"}
#define FORMAT {"-format", TAC_VALUE_WORD, AT(format), tacResultFormats, NULL, "list", "form of the result"}
#define CHANNEL {"-channel", TAC_VALUE_OBJECT, AT(channel), NULL, "channel", NULL, "where it is written instead of being the result"}
#define END {NULL, 0, 0, NULL, NULL, NULL, NULL}

static const tacOptionRow statsRows[] = {FROM, TO, FORMAT, CHANNEL, END};
static const tacOptionRow jobsRows[] = {FROM, TO, {"-task", TAC_VALUE_TEXT, AT(task), NULL, "pattern", NULL, "jobs of tasks whose id matches"}, END};
static const tacOptionRow eventsRows[] = {
    FROM, TO, {"-task", TAC_VALUE_TEXT, AT(task), NULL, "pattern", NULL, "events of tasks whose id matches, and of their jobs"},
    {"-event", TAC_VALUE_TEXT, AT(event), NULL, "pattern", NULL, "events whose name matches"},
    {"-limit", TAC_VALUE_COUNT, AT(limit), NULL, "n", NULL, "at most so many"}, END
};
static const tacOptionRow dumpRows[] = {FROM, TO, CHANNEL, END};
static const tacOptionRow syncRows[] = {{"-of", TAC_VALUE_WORD, AT(of), tacSyncNames, NULL, "pairs", "which table, with -format"}, FORMAT, CHANNEL, END};
#undef AT

typedef struct Window { int64_t from, to; } Window;

static int parse(Tcl_Interp *interp, const tacTrace *trace, const tacOptionRow *rows, int objc, Tcl_Obj *const objv[], Options *options, Window *window) {
    *options = (Options) {.limit = -1};
    if (tacOptionsParse(interp, rows, objc, objv, options) != TCL_OK) return TCL_ERROR;
    return tacWindowTicks(interp, &options->from, &options->to, trace->store.digits, &window->from, &window->to);
}

static int listOrMemory(Tcl_Interp *interp, Tcl_Obj *list) {
    if (!list) return tacTclFail(interp, "MEMORY", "not enough memory");
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* ---- subcommands ------------------------------------------------------------------------------------------------ */

static int closeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    (void) objc, (void) objv;
    Tcl_DeleteCommandFromToken(interp, command->token);
    return TCL_OK;
}

static int diagnosticsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, tacRemarkList(&command->trace->diag));
    return TCL_OK;
}

static int dumpSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    Options options;
    Window window;
    tacOutput output;
    tacError err = {{0}, {0}};
    if (parse(interp, command->trace, dumpRows, objc - 2, objv + 2, &options, &window) != TCL_OK
	|| tacOutputBegin(&output, interp, options.channel) != TCL_OK) return TCL_ERROR;
    tacStatus status = tacDump(&command->trace->store, window.from, window.to, tacOutputWrite, &output, &err);
    return tacOutputEnd(&output, status, &err);
}

/* Which events are wanted. */
typedef struct EventFilter {
    const tacModel *model;
    const tacStore *store;
    uint32_t first;             /* row of the store that is row 0 of the table */
    const char *task, *event;   /* patterns, or NULL */
} EventFilter;

static bool wantedEvent(void *data, uint64_t index) {
    const EventFilter *filter = data;
    uint32_t row = filter->first + (uint32_t) index;
    if (filter->event) {
	const char *name = tacEvents[tacRowEvent(filter->store, row)].name;
	if (!Tcl_StringMatch(*name ? name : tacString(filter->store, tacRowSubject(filter->store, row)), filter->event)) return false;
    }
    if (!filter->task) return true;
    uint32_t task = tacRowTask(filter->model, row);
    return task != TAC_NONE && Tcl_StringMatch(tacObjectId(filter->store, TAC_TASK, task), filter->task);
}

static int eventsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    const tacStore *store = &command->trace->store;
    Options options;
    Window window;
    tacTable table;
    tacError err = {{0}, {0}};
    if (parse(interp, command->trace, eventsRows, objc - 2, objv + 2, &options, &window) != TCL_OK) return TCL_ERROR;
    uint32_t first = window.from == TAC_UNKNOWN ? 0 : tacStoreFind(store, window.from);
    uint32_t end = window.to == TAC_UNKNOWN || window.to == INT64_MAX ? tacStoreCount(store) : tacStoreFind(store, window.to + 1);
    if (tacEventTable(&command->trace->model, first, end > first ? end - first : 0, &table, &err) != TAC_OK) return tacErrorToTcl(interp, &err);
    EventFilter filter = {&command->trace->model, store, first, options.task, options.event};
    int result = listOrMemory(interp, tacTableList(&table, wantedEvent, &filter, options.limit));
    tacTableFree(&table);
    return result;
}

static int exportSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    return tacFigureExport(interp, command->trace, objv[2], objc - 3, objv + 3);
}

static int infoSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, tacTraceInfo(command->trace, command->name));
    return TCL_OK;
}

/* Jobs of one task: the table's rows are filtered by the text of their task column. */
typedef struct JobFilter {
    const tacTable *table;
    const char *task;
} JobFilter;

static bool wantedJob(void *data, uint64_t row) {
    const JobFilter *filter = data;
    enum { TASK_COLUMN = 1 };
    tacCell cell = {0};
    if (!filter->task) return true;
    filter->table->cell(filter->table, row, TASK_COLUMN, &cell);
    return cell.known && Tcl_StringMatch(cell.text, filter->task);
}

static int jobsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    Options options;
    Window window;
    tacTable table;
    tacError err = {{0}, {0}};
    if (parse(interp, command->trace, jobsRows, objc - 2, objv + 2, &options, &window) != TCL_OK) return TCL_ERROR;
    if (tacStats(&command->trace->model, TAC_STATS_JOBS, window.from, window.to, &table, &err) != TAC_OK) return tacErrorToTcl(interp, &err);
    JobFilter filter = {&table, options.task};
    int result = listOrMemory(interp, tacTableList(&table, wantedJob, &filter, -1));
    tacTableFree(&table);
    return result;
}

static int stateSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    int64_t time;
    if (tacTimeFromObj(interp, objv[2], command->trace->store.digits, &time) != TCL_OK) return TCL_ERROR;
    return tacMoment(interp, &command->trace->model, time, objc - 3, objv + 3);
}

static int statsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    Options options;
    Window window;
    tacTable table;
    tacError err = {{0}, {0}};
    int of;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], tacStatsNames, sizeof *tacStatsNames, "table", 0, &of) != TCL_OK
	|| parse(interp, command->trace, statsRows, objc - 3, objv + 3, &options, &window) != TCL_OK) return TCL_ERROR;
    if (tacStats(&command->trace->model, (tacStatsOf) of, window.from, window.to, &table, &err) != TAC_OK) return tacErrorToTcl(interp, &err);
    return tacTableResult(interp, &table, (tacResultFormat) options.format, options.channel);
}

static int syncSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    TraceCommand *command = data;
    const tacTrace *trace = command->trace;
    Options options;
    Window window;
    tacTable table;
    tacError err = {{0}, {0}};
    if (parse(interp, trace, syncRows, objc - 2, objv + 2, &options, &window) != TCL_OK) return TCL_ERROR;
    if (options.format == TAC_RESULT_LIST && !options.channel) return listOrMemory(interp, tacSyncInfo(trace));
    if (tacSyncTable(&trace->store, &trace->clocks, (tacSyncOf) options.of, &table, &err) != TAC_OK) return tacErrorToTcl(interp, &err);
    return tacTableResult(interp, &table, (tacResultFormat) options.format, options.channel);
}

static const tacSubcommand subcommands[] = {
    {"close", closeSub, 0, 0, NULL},
    {"diagnostics", diagnosticsSub, 0, 0, NULL},
    {"dump", dumpSub, 0, -1, NULL},
    {"events", eventsSub, 0, -1, NULL},
    {"export", exportSub, 1, -1, "file ?-option value ...?"},
    {"info", infoSub, 0, 0, NULL},
    {"jobs", jobsSub, 0, -1, NULL},
    {"state", stateSub, 1, -1, "time ?kind ?id ...??"},
    {"stats", statsSub, 1, -1, "table ?-option value ...?"},
    {"sync", syncSub, 0, -1, NULL},
    {NULL, NULL, 0, 0, NULL}
};

/* ---- the command ------------------------------------------------------------------------------------------------ */

static void freeCommand(char *block) {
    TraceCommand *command = (TraceCommand *) (void *) block;
    tacTraceClose(command->trace);
    tacFree(command->name);
    tacFree(command);
}

static void onDelete(ClientData data) {
    Tcl_EventuallyFree(data, freeCommand);
}

static int run(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_Preserve(data);
    int result = tacDispatch(data, interp, objc, objv, subcommands);
    Tcl_Release(data);
    return result;
}

/* The first free of ::tactus::trace1, trace2 ...; numbers are not used again within an interpreter. */
static void newName(Tcl_Interp *interp, char name[40]) {
    static const char *const key = "tactus.traces";
    uintptr_t number = (uintptr_t) Tcl_GetAssocData(interp, key, NULL);
    Tcl_CmdInfo info;
    do snprintf(name, 40, "::tactus::trace%lu", (unsigned long) ++number); while (Tcl_GetCommandInfo(interp, name, &info));
    Tcl_SetAssocData(interp, key, NULL, (ClientData) number);
}

int tacTraceCommand(Tcl_Interp *interp, tacTrace *trace, const char *name) {
    char commandName[40];
    TraceCommand *command = tacAllocZero(1, sizeof *command);
    if (command) command->name = tacCopyText(name, strlen(name));
    if (!command || !command->name) {
	tacFree(command);
	tacTraceClose(trace);
	return tacTclFail(interp, "MEMORY", "not enough memory");
    }
    command->trace = trace;
    newName(interp, commandName);
    command->token = Tcl_CreateObjCommand(interp, commandName, run, command, onDelete);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(commandName, -1));
    return TCL_OK;
}
