/*
 * traceCmd.c -- the trace command: a table of subcommands of an opened trace.
 *
 * Writing to a channel may run scripts, and these may close the trace, read it again, rename its command or delete the
 * interpreter: every call holds the trace it began with (traceRecord.h).
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/stats.h"
#include "model/ask.h"
#include "tcl/commands.h"
#include "tcl/dispatch.h"
#include "tcl/hook.h"
#include "tcl/look.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/relationFilter.h"
#include "tcl/remarks.h"
#include "tcl/tableValue.h"
#include "tcl/timeValue.h"
#include "tcl/traceCmd.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"
#include "trace/dump.h"

#include <stdio.h>
#include <string.h>

/* ---- options that several subcommands share --------------------------------------------------------------------- */

typedef struct Options {
    tacWindowValue window;
    const char *event;
    int64_t limit; /* -1: none */
    int format;
    Tcl_Obj *channel, *progress, *where;
    const char *const *tasks, *const *rows; /* patterns */
    bool whole;
} Options;

#define AT(member) offsetof(Options, member)
#define WINDOW TAC_WINDOW_ROWS(Options, window)
#define CHANNEL TAC_CHANNEL_ROW(Options, channel)
#define WHERE TAC_WHERE_ROW(Options, where)
#define END \
    { NULL, 0, 0, NULL, NULL, NULL, NULL }

static const tacOptionRow statsRows[] = {
    WINDOW, TAC_FORMAT_ROW(Options, format), CHANNEL, TAC_PROGRESS_ROW(Options, progress), WHERE, END};
static const tacOptionRow jobsRows[] = {WINDOW,
    {"-task", TAC_VALUE_NAMES, AT(tasks), NULL, "patterns", NULL, "jobs of tasks whose id or name matches one"}, WHERE,
    END};
static const tacOptionRow eventsRows[] = {WINDOW,
    {"-task", TAC_VALUE_NAMES, AT(tasks), NULL, "patterns", NULL,
        "events of tasks whose id or name matches one, and of their jobs"},
    {"-event", TAC_VALUE_TEXT, AT(event), NULL, "pattern", NULL, "events whose name matches"},
    {"-limit", TAC_VALUE_COUNT, AT(limit), NULL, "n", NULL, "at most so many"}, WHERE, END};
static const tacOptionRow dumpRows[] = {WINDOW, CHANNEL,
    {"-rows", TAC_VALUE_NAMES, AT(rows), NULL, "patterns", NULL,
        "only tasks, servers and buffers whose id or name matches one, and tasks that ran on a processor, or used a "
        "mutex or semaphore, that does"},
    {"-tasks", TAC_VALUE_NAMES, AT(tasks), NULL, "patterns", NULL,
        "only tasks whose id or name matches one, with their jobs"},
    {"-whole", TAC_VALUE_FLAG, AT(whole), NULL, NULL, "no",
        "jobs that have a part in the window are written whole, from their release on"},
    END};
#undef AT

/* Parses options, and makes the window of them. */
static int parse(Tcl_Interp *interp, const tacTrace *trace, const tacOptionRow *rows, int objc, Tcl_Obj *const objv[],
    Options *options, tacEventWindow *window) {
    *options = (Options){.limit = -1};
    if (tacOptionsParse(interp, rows, objc, objv, options) != TCL_OK) return TCL_ERROR;
    return tacWindowTicks(interp, &options->window, trace->store.digits, window);
}

/* ---- objects and numbers ---------------------------------------------------------------------------------------- */

int tacNeedObject(Tcl_Interp *interp, const tacModel *model, tacKind kind, const char *id, uint32_t *index) {
    *index = tacAskFind(model, kind, id, strlen(id));
    if (*index != TAC_NONE) return TCL_OK;
    return tacTclFail(interp, "LOOKUP OBJECT", "there is no %s \"%.100s\"", tacKindNames[kind], id);
}

int tacNeedIndex(Tcl_Interp *interp, const char *what, Tcl_Obj *word, uint64_t count, uint32_t *index) {
    Tcl_WideInt wide;
    if (Tcl_GetWideIntFromObj(interp, word, &wide) != TCL_OK) return TCL_ERROR;
    *index = (uint32_t) wide;
    if (wide >= 0 && (uint64_t) wide < count) return TCL_OK;
    return tacTclFail(interp, "LOOKUP INDEX", "there is no %s %s", what, Tcl_GetString(word));
}

/* ---- subcommands ------------------------------------------------------------------------------------------------ */

int tacTraceRefuseBusy(Tcl_Interp *interp, const tacTraceCall *call) {
    if (!tacHookBusy(interp, call->trace)) return TCL_OK;
    return tacTclFail(
        interp, "TRACE BUSY", "the trace is being replayed: a handler can neither close it nor read it again");
}

static int closeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    (void) objc, (void) objv;
    if (tacTraceRefuseBusy(interp, call) != TCL_OK) return TCL_ERROR;
    Tcl_DeleteCommandFromToken(interp, call->record->token);
    return TCL_OK;
}

static int diagnosticsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, tacRemarkList(&call->trace->diag));
    return TCL_OK;
}

static int dumpSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    const tacStore *store = &call->trace->store;
    Options options;
    tacEventWindow window;
    tacOutput output;
    tacError err = {{0}, {0}};
    int result = parse(interp, call->trace, dumpRows, objc - 2, objv + 2, &options, &window);
    if (result == TCL_OK) result = tacOutputBegin(&output, interp, options.channel);
    if (result == TCL_OK) {
        tacSelection part = {
            .from = window.from, .to = window.to, .tasks = options.tasks, .rows = options.rows, .whole = options.whole};
        tacStatus status = tacSelectionBegin(&part, store) ? TAC_OK : tacFailMemory(&err);
        if (status == TAC_OK && part.rows && !part.nChosen)
            status = tacFail(
                &err, "LOOKUP ROW", "nothing in the trace matches \"%.100s\"", *part.rows ? *part.rows : "");
        if (status == TAC_OK && part.tasks && !part.nChosen)
            status = tacFail(
                &err, "LOOKUP TASK", "no task of the trace matches \"%.100s\"", *part.tasks ? *part.tasks : "");
        if (status == TAC_OK) status = tacDumpPart(store, &part, tacOutputWrite, &output, &err);
        tacSelectionFree(&part);
        result = tacOutputEnd(&output, status, &err);
    }
    tacOptionsFree(dumpRows, &options);
    return result;
}

/* The rows of a table of events or jobs that are wanted. */
typedef struct RowFilter {
    const tacModel *model;
    const tacTable *table;
    uint32_t first;         /* row of the store that is row 0 of a table of events */
    const Options *options; /* patterns of -task and -event, or NULL */
    tacFilterRun *where;    /* NULL: all rows */
} RowFilter;

/* Makes the rows that are wanted and fit -where the result, as a list of dicts. Frees the table. */
static int listRows(
    Tcl_Interp *interp, const tacTrace *trace, tacTable *table, RowFilter *rows, bool (*wanted)(void *, uint64_t)) {
    const Options *options = rows->options;
    tacFilter *filter = NULL;
    int result = TCL_OK;
    table->timeUnit = trace->store.unit;
    if (options->where) {
        filter = tacFilterFromWords(interp, table, &(tacWanted){.where = options->where});
        rows->where = filter ? tacFilterBegin(filter) : NULL;
        if (!rows->where) result = filter ? tacTclMemory(interp) : TCL_ERROR;
    }
    if (result == TCL_OK) {
        Tcl_Obj *list = tacTableList(table, wanted, rows, options->limit);
        if (list) Tcl_SetObjResult(interp, list);
        else result = tacTclMemory(interp);
    }
    tacFilterEnd(rows->where);
    tacFilterFree(filter);
    tacTableFree(table);
    return result;
}

/* Does the id or name of a task fit one of the patterns? */
static bool isWanted(const RowFilter *rows, uint32_t task) {
    const tacStore *store = rows->model->store;
    if (task == TAC_NONE) return false;
    const char *id = tacObjectId(store, TAC_TASK, task), *name = tacObjectName(store, TAC_TASK, task);
    for (const char *const *pattern = rows->options->tasks; *pattern; pattern++)
        if (Tcl_StringMatch(id, *pattern) || Tcl_StringMatch(name, *pattern)) return true;
    return false;
}

static bool wantedEvent(void *data, uint64_t index) {
    const RowFilter *rows = data;
    const tacStore *store = rows->model->store;
    const char *event = rows->options->event;
    uint32_t row = rows->first + (uint32_t) index;
    if (event) {
        const char *name = tacEvents[tacRowEvent(store, row)].name;
        if (!Tcl_StringMatch(*name ? name : tacString(store, tacRowSubject(store, row)), event)) return false;
    }
    if (rows->where && !tacFilterFits(rows->where, index)) return false;
    return !rows->options->tasks || isWanted(rows, tacRowTask(rows->model, row));
}

static int eventsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    const tacStore *store = &call->trace->store;
    Options options;
    tacEventWindow window;
    tacTable table;
    tacError err = {{0}, {0}};
    int result = parse(interp, call->trace, eventsRows, objc - 2, objv + 2, &options, &window);
    if (result != TCL_OK) return tacOptionsFree(eventsRows, &options), result;
    uint32_t first = window.from == TAC_UNKNOWN ? 0 : tacStoreFind(store, window.from);
    uint32_t end = window.to == TAC_UNKNOWN ? tacStoreCount(store) : tacRowAfter(store, window.to);
    if (tacEventTable(&call->trace->model, first, end > first ? end - first : 0, &table, &err) != TAC_OK) {
        tacOptionsFree(eventsRows, &options);
        return tacErrorToTcl(interp, &err);
    }
    RowFilter rows = {&call->trace->model, &table, first, &options, NULL};
    result = listRows(interp, call->trace, &table, &rows, wantedEvent);
    tacOptionsFree(eventsRows, &options);
    return result;
}

static int fileSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    (void) objc, (void) objv;
    if (call->record->path) Tcl_SetObjResult(interp, call->record->path);
    return TCL_OK;
}

static bool wantedJob(void *data, uint64_t row) {
    const RowFilter *rows = data;
    if (rows->where && !tacFilterFits(rows->where, row)) return false;
    return !rows->options->tasks || isWanted(rows, rows->model->jobs.at[rows->table->id(rows->table, row)].task);
}

static int jobsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    Options options;
    tacEventWindow window;
    tacTable table;
    tacError err = {{0}, {0}};
    int result = parse(interp, call->trace, jobsRows, objc - 2, objv + 2, &options, &window);
    if (result == TCL_OK
        && tacStats(&call->trace->model, TAC_STATS_JOBS, window.from, window.to, NULL, &table, &err) != TAC_OK)
        result = tacErrorToTcl(interp, &err);
    RowFilter rows = {&call->trace->model, &table, 0, &options, NULL};
    if (result == TCL_OK) result = listRows(interp, call->trace, &table, &rows, wantedJob);
    tacOptionsFree(jobsRows, &options);
    return result;
}

/* Makes a table of statistics. The progress script may do anything; the call holds the trace. */
static int measure(Tcl_Interp *interp, const tacTrace *trace, tacStatsOf of, const tacEventWindow *window,
    Tcl_Obj *prefix, tacTable *table) {
    tacProgressScript script;
    tacError err = {{0}, {0}};
    tacProgressScriptInit(&script, interp, prefix, "measuring", 0);
    Tcl_Preserve(interp);
    tacStatus status = tacStats(&trace->model, of, window->from, window->to, &script.progress, table, &err);
    int result = tacProgressScriptEnd(&script, status, &err);
    if (result == TCL_OK && Tcl_InterpDeleted(interp)) result = TCL_ERROR;
    if (result != TCL_OK && status == TAC_OK) tacTableFree(table);
    Tcl_Release(interp);
    return result;
}

static int statsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    Options options;
    tacEventWindow window;
    tacTable table;
    int of;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], tacStatsNames, sizeof *tacStatsNames, "table", 0, &of) != TCL_OK
        || parse(interp, call->trace, statsRows, objc - 3, objv + 3, &options, &window) != TCL_OK)
        return TCL_ERROR;
    if (measure(interp, call->trace, (tacStatsOf) of, &window, options.progress, &table) != TCL_OK) return TCL_ERROR;
    table.timeUnit = call->trace->store.unit;
    return tacWhereResult(
        interp, &table, &(tacWanted){.where = options.where}, (tacResultFormat) options.format, options.channel);
}

const tacSubcommand tacTraceSubcommands[] = {
    {"arrow", tacArrowSub, 3, 3, "task slice forward|back",
        "where the processor or the job goes from a slice, or where it came from"},
    {"audit", tacAuditSub, 1, -1, "rule ?-option value ...?", "the facts that a rule of the checks finds"},
    {"axis", tacAxisSub, 2, 2, "unit scale", "unit and factor of the labels of a time axis"},
    {"called", tacCalledSub, 1, 1, "id", "what people call a job or thread of this id: control.17 for 21277.17"},
    {"changed", tacChangedSub, 0, 0, NULL, "what has become of the file: none, grown, replaced or gone"},
    {"close", closeSub, 0, 0, NULL, "frees the trace and deletes the command"},
    {"density", tacDensitySub, 1, -1, "bins ?-from time? ?-to time? ?-of word?",
        "events in each of equal parts of the window, or missed deadlines, or findings of a severity"},
    {"diagnostics", diagnosticsSub, 0, 0, NULL, "what is wrong with the trace"},
    {"dump", dumpSub, 0, -1, NULL, "the trace in the trace language, one flat command a line"},
    {"events", eventsSub, 0, -1, NULL, "the events of the window"},
    {"export", tacExportSub, 1, -1, "file ?-option value ...?", "draws the trace into a file"},
    {"exporting", tacExportingSub, 1, -1, "file ?-option value ...?",
        "the same in a process of its own; the result is a channel"},
    {"file", fileSub, 0, 0, NULL, "full path of the file it was opened from"},
    {"finding", tacFindingSub, 1, -1, "add|clear|count|groups|list ?arg?",
        "findings of checks: adds, removes, counts and lists them"},
    {"info", tacInfoSub, 0, 0, NULL, "what the trace contains"},
    {"instances", tacInstancesSub, 1, -1, "statements ?-option value ...?",
        "the instances of models, and how they were judged"},
    {"jobs", jobsSub, 0, -1, NULL, "the jobs released in the window"},
    {"judge", tacJudgeSub, 2, -1, "check statements ?-option value ...?", "judges what is expected of the trace"},
    {"legend", tacLegendSub, 1, -1, "drawing ?-option value ...?",
        "draws the legend of what a figure with the options of export would show, an item a line"},
    {"limits", tacLimitsSub, 1, -1, "statements ?-option value ...?",
        "the values of constraints of models whose limit is to be found"},
    {"localtime", tacLocalTimeSub, 2, 2, "processor time",
        "what a processor's own clock shows at a time of the reference clock"},
    {"look", tacLookSub, 1, -1, "kind arg ?arg?", "all facts about one thing"},
    {"marks", tacMarksSub, 1, 1, "pattern", "the marks of the tasks that fit a pattern, by what they have in common"},
    {"models", tacModelsSub, 1, -1, "statements ?-option value ...?",
        "models of expected behaviour: their states and transitions, and what was counted of them"},
    {"next", tacNextSub, 1, -1, "time ?-option value ...?", "the first event after a time"},
    {"phases", tacPhasesSub, 1, -1, "jobs ?-option value ...?", "what jobs went through, relative to a time of each"},
    {"previous", tacPreviousSub, 1, -1, "time ?-option value ...?", "the last event before a time"},
    {"relation", tacRelationSub, 1, -1, "kind ?-option value ...?", "makes a command for one of the trace's tables"},
    {"reload", tacReloadSub, 0, -1, NULL, "reads the file again"},
    {"replay", tacReplaySub, 0, -1, NULL, "calls the event handlers of plugins for all events"},
    {"residuals", tacResidualsSub, 1, -1, "pair ?-limit n?",
        "distances of synchronization messages from the fitted line"},
    {"search", tacSearchSub, 1, -1, "pattern ?-option value ...?", "things whose id, name or text fits a pattern"},
    {"sql", tacSqlSub, 1, -1, "statement ?-option value ...?",
        "the answer to a statement in SQL over the tables of the trace"},
    {"state", tacStateSub, 1, -1, "time ?kind ?id ...??", "the state of everything at a time"},
    {"stats", statsSub, 1, -1, "table ?-option value ...?",
        "measures: a table of jobs, tasks, servers, mutexes, processors or buffers"},
    {"stretches", tacStretchesSub, 2, 3, "state id ?mutex?", "when a job, task or server was in a state"},
    {"strips", tacStripsSub, 2, -1, "statements indices ?-option value ...?",
        "the states of single instances of models, over time"},
    {"style", tacStyleSub, 0, -1, "?-option value ...?", "the colours of figures of this trace"},
    {"sync", tacSyncSub, 0, -1, NULL, "how the clocks were brought together"},
    {"tasks", tacTasksSub, 1, -1, "list ?-most n?", "the tasks that ids, names and patterns mean"},
    {"utilization", tacUtilizationSub, 2, -1, "processor bins ?-from time? ?-to time?",
        "the share of each of equal parts of the window in which the processor was busy"},
    {"why", tacWhySub, 1, -1, "id ?-option value ...?", "takes the response time of a job apart"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

/* ---- the command ------------------------------------------------------------------------------------------------ */

static void onDelete(ClientData data) { tacTraceRecordEnd(data); }

static int run(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall call = tacTraceHold(data);
    int result = tacDispatch(&call, interp, objc, objv, tacTraceSubcommands);
    tacTraceLetGo(&call);
    return result;
}

tacTraceRecord *tacTraceCommand(Tcl_Interp *interp, tacTraceBody *body, const char *name) {
    char commandName[40];
    tacTraceRecord *record = tacTraceRecordNew(interp, body, name);
    if (!record) {
        tacTclMemory(interp);
        return NULL;
    }
    tacNewCommandName(interp, "::tactus::trace", commandName);
    record->token = Tcl_CreateObjCommand(interp, commandName, run, record, onDelete);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(commandName, -1));
    return record;
}

/* ---- by its name ------------------------------------------------------------------------------------------------ */

static tacTraceRecord *recordFromName(Tcl_Interp *interp, Tcl_Obj *name) {
    Tcl_CmdInfo info;
    Tcl_Command token = Tcl_GetCommandFromObj(interp, name);
    if (token && Tcl_GetCommandInfoFromToken(token, &info) && info.objProc == run) return info.objClientData;
    tacTclFail(interp, "TRACE NAME", "\"%.100s\" is no trace", Tcl_GetString(name));
    return NULL;
}

const tacTrace *tacTraceFromName(Tcl_Interp *interp, Tcl_Obj *name) {
    const tacTraceRecord *record = recordFromName(interp, name);
    return record ? record->body->trace : NULL;
}

const tacTrace *tacTraceUse(
    Tcl_Interp *interp, Tcl_Obj *name, tacTraceChanged *changed, void *data, tacTraceUser **user) {
    tacTraceRecord *record = recordFromName(interp, name);
    *user = record ? tacTraceUseRecord(record, changed, data) : NULL;
    if (*user) return tacTraceOf(*user);
    if (record) tacTclMemory(interp);
    return NULL;
}
