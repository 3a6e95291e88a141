/*
 * sqlCmd.c -- tactus::sql traces statement ?-option value ...?, $trace sql statement ?-option value ...?
 *
 *      traces -> held -> statement checked -> findings made if it reads them -> run -> a list, a text or a relation
 */
#include <tcl.h>

#include "base/port.h"

#include "sql/sql.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/relationPart.h"
#include "tcl/tableValue.h"
#include "tcl/traceSubcommands.h"

enum { RELATION = TAC_RESULT_JSON + 1 };
static const char *const formats[] = {"list", "table", "csv", "json", "relation", NULL};

typedef struct Options {
    Tcl_Obj *channel, *findings, *names, *progress;
    int format;
    int64_t bytes;
    double seconds;
} Options;

const tacOptionRow tacSqlRows[] = {
    TAC_CHANNEL_ROW(Options, channel),
    {"-findings", TAC_VALUE_OBJECT, offsetof(Options, findings), NULL, "prefix", NULL,
        "called with each trace if the statement reads the table of findings, to run checks; default: those that are "
        "there"},
    {"-format", TAC_VALUE_WORD, offsetof(Options, format), formats, NULL, "list", "form of the answer"},
    {"-memory", TAC_VALUE_BYTES, offsetof(Options, bytes), NULL, NULL, "1G",
        "memory that the answer may take, and what is sorted or compared for it; 0: all"},
    {"-names", TAC_VALUE_OBJECT, offsetof(Options, names), NULL, "list", NULL,
        "names of the traces, for the column trace; default: those of their commands"},
    TAC_PROGRESS_ROW(Options, progress),
    {"-timelimit", TAC_VALUE_NUMBER, offsetof(Options, seconds), NULL, "seconds", "60",
        "time that the statement may run; 0: any"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

typedef struct Asked { /* traces that are asked about, held */
    Tcl_Size count;
    Tcl_Obj **commands; /* referenced by the caller's words */
    tacTraceBody **bodies;
} Asked;

static void letGo(Asked *asked) {
    for (Tcl_Size i = 0; asked->bodies && i < asked->count; i++) tacTraceBodyFree(asked->bodies[i]);
    tacFree(asked->bodies);
}

static void ignoreChange(void *data, const tacTrace *trace) { (void) data, (void) trace; }

/* Holds the traces as they are now, whatever scripts do meanwhile. */
static int hold(Tcl_Interp *interp, Asked *asked) {
    asked->bodies = tacAllocZero((size_t) asked->count + 1, sizeof *asked->bodies);
    if (!asked->bodies) return tacTclMemory(interp);
    for (Tcl_Size i = 0; i < asked->count; i++) {
        tacTraceUser *user;
        if (!tacTraceUse(interp, asked->commands[i], ignoreChange, NULL, &user)) return TCL_ERROR;
        asked->bodies[i] = user->body;
        user->body->references++;
        tacTraceRelease(user);
    }
    return TCL_OK;
}

static int addTraces(Tcl_Interp *interp, tacSql *sql, const Asked *asked, Tcl_Obj *nameList) {
    Tcl_Obj **names = asked->commands;
    Tcl_Size n = asked->count;
    tacError err = {{0}, {0}};
    if (nameList && Tcl_ListObjGetElements(interp, nameList, &n, &names) != TCL_OK) return TCL_ERROR;
    if (n != asked->count)
        return tacTclFail(interp, "USAGE NAMES", "-names has %d names for %d traces", (int) n, (int) asked->count);
    for (Tcl_Size i = 0; i < n; i++)
        if (tacSqlAdd(sql, asked->bodies[i]->trace, Tcl_GetString(names[i]), &err) != TAC_OK)
            return tacErrorToTcl(interp, &err);
    return TCL_OK;
}

static int runStatement(
    Tcl_Interp *interp, tacSql *sql, const Asked *asked, const char *text, const Options *options, tacTable *answer) {
    tacError err = {{0}, {0}};
    tacSqlLimits limits = {(uint64_t) options->bytes, options->seconds};
    tacProgressScript script;
    if (addTraces(interp, sql, asked, options->names) != TCL_OK) return TCL_ERROR;
    if (tacSqlPrepare(sql, text, &err) != TAC_OK) return tacErrorToTcl(interp, &err);
    if (options->findings && tacSqlReads(sql, "findings"))
        for (Tcl_Size i = 0; i < asked->count; i++)
            if (tacTclCall(interp, options->findings, asked->commands[i]) != TCL_OK) return TCL_ERROR;
    Tcl_Preserve(interp);
    tacProgressScriptInit(&script, interp, options->progress, "asking", 0);
    tacStatus status = tacSqlRun(sql, &limits, &script.progress, answer, &err);
    int result = tacProgressScriptEnd(&script, status, &err);
    if (result != TCL_OK && status == TAC_OK) tacTableFree(answer);
    Tcl_Release(interp);
    return result;
}

static int ask(Tcl_Interp *interp, const Asked *asked, Tcl_Obj *statement, int objc, Tcl_Obj *const objv[]) {
    Options options = {.bytes = 1 << 30, .seconds = 60};
    tacError err = {{0}, {0}};
    tacTable answer;
    if (tacOptionsParse(interp, tacSqlRows, objc, objv, &options) != TCL_OK) return TCL_ERROR;
    if (options.format == RELATION && options.channel)
        return tacTclFail(interp, "USAGE FORMAT", "-channel needs -format table, csv or json");
    tacSql *sql = tacSqlNew(&err);
    if (!sql) return tacErrorToTcl(interp, &err);
    int result = runStatement(interp, sql, asked, Tcl_GetString(statement), &options, &answer);
    tacSqlFree(sql);
    if (result != TCL_OK) return TCL_ERROR;
    if (options.format == RELATION) return tacOwnRelation(interp, &answer, &(tacWanted){0});
    return tacTableResult(interp, &answer, (tacResultFormat) options.format, options.channel);
}

int tacSqlCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Asked asked = {0, NULL, NULL};
    (void) data;
    if (objc < 3) {
        Tcl_WrongNumArgs(interp, 1, objv, "traces statement ?-option value ...?");
        return TCL_ERROR;
    }
    if (Tcl_ListObjGetElements(interp, objv[1], &asked.count, &asked.commands) != TCL_OK) return TCL_ERROR;
    if (!asked.count) return tacTclFail(interp, "USAGE TRACES", "a trace is needed");
    int result = hold(interp, &asked);
    if (result == TCL_OK) result = ask(interp, &asked, objv[2], objc - 3, objv + 3);
    letGo(&asked);
    return result;
}

int tacSqlSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    Tcl_Obj *command = objv[0];
    Asked asked = {1, &command, &call->body};
    return ask(interp, &asked, objv[2], objc - 3, objv + 3);
}

/* The tables of SQL: a list of dicts name, help, columns. */
Tcl_Obj *tacDescribeSql(void) {
    int n, nColumns;
    const tacSqlKind *kinds = tacSqlKinds(&n);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (int i = 0; i < n; i++) {
        const tacColumn *columns = kinds[i].columns(&nColumns);
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "name", kinds[i].name);
        tacPutText(dict, "help", kinds[i].help);
        tacPut(dict, "columns", tacColumnList(columns, nColumns));
        tacAppend(list, dict);
    }
    return list;
}
