/*
 * judgeCmd.c -- what is expected of a trace, as Tcl commands.
 *
 *      tactus::expectation read FILE ?SETTINGS? ...  the statements of a file: a list of {line words}
 *      tactus::expectation check WORDS         an error says what is wrong with the words of a statement
 *      tactus::expectation events STATEMENTS   names of the kernel events that a list of {place words} speaks of
 *      tactus::expectation learn EVENT TRACE ...   the tightest terms of a stream of an event
 *      $trace judge CHECK STATEMENTS ...       judges a list of {place words}
 *      $trace instances STATEMENTS ...         the instances of the models among them
 */
#include <tcl.h>

#include "base/port.h"

#include "judge/file.h"
#include "judge/kinds.h"
#include "judge/stream.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/expected.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/relationPart.h"
#include "tcl/statementList.h"
#include "tcl/tableValue.h"
#include "tcl/text.h"
#include "tcl/traceSubcommands.h"

#include <string.h>

/* ---- statements -------------------------------------------------------------------------------------------------- */

static tacStatus addStatement(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL), *pair[2] = {Tcl_NewWideIntObj(line), list};
    (void) err;
    for (int i = 0; i < count; i++) tacAppend(list, tacTextToObj(words[i].at, words[i].length));
    tacAppend(data, Tcl_NewListObj(2, pair));
    return TAC_OK;
}

typedef struct Limits {
    double time;
    int64_t commands, memory;
} Limits; /* of script code in a file; negative: not given, 0: none */

static const tacOptionRow limitRows[] = {
    {"-timelimit", TAC_VALUE_NUMBER, offsetof(Limits, time), NULL, "seconds", "60",
        "time that script code in the file may take; 0: no limit"},
    {"-commandlimit", TAC_VALUE_COUNT, offsetof(Limits, commands), NULL, "n", "1000000000",
        "Tcl commands that it may run; 0: no limit"},
    {"-memorylimit", TAC_VALUE_BYTES, offsetof(Limits, memory), NULL, "bytes", NULL,
        "memory that it may need; 0: no limit; default: half of what is free, and 1G at most"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* A limit as the core has it: 0 is the default, -1 none. */
static double limit(double given) { return given < 0 ? 0 : given == 0 ? -1 : given; }

static int readSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_DString bytes;
    tacError err = {{0}, {0}};
    tacListWords words = {0};
    Limits limits = {-1, -1, -1};
    (void) data;
    if (Tcl_IsSafe(interp)) return tacTclFail(interp, "SAFE", "a safe interpreter cannot open files");
    if (objc > 4 && tacOptionsParse(interp, limitRows, objc - 4, objv + 4, &limits) != TCL_OK) return TCL_ERROR;
    if (objc > 3 && tacListWordsRead(interp, objv[3], &words) != TCL_OK) return TCL_ERROR;
    const char *path = tacPathFromObj(interp, objv[2], &bytes);
    if (!path) {
        tacListWordsFree(&words);
        return TCL_ERROR;
    }
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    tacFileSettings set = {words.words, (int) words.count};
    tacReadOptions options = {.timeLimit = limit(limits.time),
        .commandLimit = (int64_t) limit((double) limits.commands),
        .memoryLimit = (int64_t) limit((double) limits.memory)};
    tacStatus status = tacStatementsRead(path, &set, &options, addStatement, list, &err);
    Tcl_DStringFree(&bytes);
    tacListWordsFree(&words);
    if (status == TAC_OK) Tcl_SetObjResult(interp, list);
    else Tcl_DecrRefCount(list);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}

static int checkSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacListWords words;
    tacError err = {{0}, {0}};
    (void) data, (void) objc;
    if (tacListWordsRead(interp, objv[2], &words) != TCL_OK) return TCL_ERROR;
    tacStatus status = tacStatementCheck(words.words, (int) words.count, &err);
    tacListWordsFree(&words);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}

static int eventsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacStatementList statements;
    tacInternTable names = {0};
    bool fine = true;
    (void) data, (void) objc;
    int code = tacStatementListRead(interp, objv[2], &statements);
    for (Tcl_Size i = 0; code == TCL_OK && i < statements.count; i++)
        for (int k = 0; k < statements.all[i].count; k++) {
            size_t at = 0;
            tacWord name;
            while (fine && tacKindNamed(&statements.all[i].words[k], &at, &name))
                fine = tacIntern(&names, name.at, name.length) != TAC_NONE;
        }
    tacStatementListFree(&statements);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < tacInternCount(&names); i++) {
        size_t length;
        const char *name = tacInternName(&names, i, &length);
        tacAppend(list, tacTextToObj(name, length));
    }
    tacInternFree(&names);
    if (code == TCL_OK && fine) Tcl_SetObjResult(interp, list);
    else Tcl_DecrRefCount(list);
    return fine ? code : tacTclMemory(interp);
}

static Tcl_Obj *fineObj(tacFine fine, int digits) {
    char text[TAC_FINE_SIZE];
    size_t length = tacFineFormat(fine, digits, text);
    return Tcl_NewStringObj(text, (Tcl_Size) length);
}

/* Dict of the parameters that were learned; those that are not known are empty. */
static Tcl_Obj *learnedObj(const tacStreamLearned *learned) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    bool hasPeriod = learned->period > 0;
    int digits = learned->digits;
    tacPut(dict, "distance", tacTimeValueObj(learned->distances ? learned->distance : TAC_UNKNOWN, digits));
    tacPut(dict, "gap", tacTimeValueObj(learned->events ? learned->gap : TAC_UNKNOWN, digits));
    tacPut(dict, "period", hasPeriod ? fineObj(learned->period, digits) : Tcl_NewObj());
    tacPut(dict, "jitter", hasPeriod ? fineObj(learned->jitter, digits) : Tcl_NewObj());
    tacPutCount(dict, "events", learned->events);
    tacPutCount(dict, "without", learned->without);
    tacPutCount(dict, "distances", learned->distances);
    tacPutCount(dict, "ends", learned->ends);
    tacPutCount(dict, "unknown", learned->unknown);
    tacPutCount(dict, "series", learned->series);
    tacPutCount(dict, "periodic", learned->periodic);
    return dict;
}

static int learnSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacStreamLearned learned;
    tacError err = {{0}, {0}};
    Tcl_DString event;
    size_t n = (size_t) objc - 3;
    (void) data;
    const tacModel **models = tacAllocZero(n, sizeof *models);
    if (!models) return tacTclMemory(interp);
    for (size_t i = 0; i < n; i++) {
        const tacTrace *trace = tacTraceFromName(interp, objv[3 + i]);
        if (!trace) {
            tacFree(models);
            return TCL_ERROR;
        }
        models[i] = &trace->model;
    }
    tacTextFromObj(objv[2], &event);
    tacWord word = {Tcl_DStringValue(&event), (size_t) Tcl_DStringLength(&event)};
    tacStatus status = tacStreamLearn(models, n, &word, &learned, &err);
    Tcl_DStringFree(&event);
    tacFree(models);
    if (status != TAC_OK) return tacErrorToTcl(interp, &err);
    Tcl_SetObjResult(interp, learnedObj(&learned));
    return TCL_OK;
}

const tacSubcommand tacExpectationSubcommands[] = {
    {"check", checkSub, 1, 1, "words", "an error says what is wrong with the words of an expectation"},
    {"events", eventsSub, 1, 1, "statements",
        "names of the events {event NAME} of models, among {place words}: what -keep of a recording needs"},
    {"learn", learnSub, 2, -1, "event trace ?trace ...?", "the tightest terms of a stream of an event, as a dict"},
    {"read", readSub, 1, -1, "file ?settings? ?-option value ...?",
        "the expectations of a file: a list of {line words}; settings: {name value ...} that the file finds; options: "
        "-timelimit, -commandlimit, -memorylimit, as of tactus::open"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacExpectationCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatch(data, interp, objc, objv, tacExpectationSubcommands);
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

typedef struct Options {
    int64_t limit;
    Tcl_Obj *progress;
} Options;

static const tacOptionRow judgeRows[] = {
    {"-limit", TAC_VALUE_COUNT, offsetof(Options, limit), NULL, "n", "1000", "at most so many findings are added"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,
        "command prefix that is called now and then with a dict of how far it is; break or an error cancels"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

typedef struct Taking {
    tacTrace *trace;
    const char *check;
    int64_t left; /* findings that may still be added */
    uint64_t counts[TAC_VERDICTS];
} Taking;

static tacStatus takeJudgement(void *data, const tacJudgement *found, tacError *err) {
    Taking *taking = data;
    taking->counts[found->verdict] += found->times ? found->times : 1;
    tacSeverity severity = found->missing ? TAC_SEVERITY_ERROR : (tacSeverity) found->verdict;
    if (found->times) return TAC_OK;
    if (taking->left-- <= 0)
        return tacFindingCount(&taking->trace->findings, taking->check, severity, found->begin, err);
    tacFinding finding = {.begin = found->begin,
        .end = found->end,
        .line = found->line,
        .sentence = (char *) (uintptr_t) found->sentence,
        .verdict = found->verdict,
        .severity = severity};
    return tacFindingAdd(taking->trace, &finding, taking->check, found->objects, found->nObjects, err);
}

static int tell(Tcl_Interp *interp, Taking *taking, tacJudge *judge, Tcl_Obj *prefix) {
    tacError err = {{0}, {0}};
    tacProgressScript script;
    tacProgressScriptInit(&script, interp, prefix, "judging", tacStoreCount(&taking->trace->store));
    Tcl_Preserve(interp);
    tacStatus status = tacJudgeTell(judge, &taking->trace->model, &script.progress, takeJudgement, taking, &err);
    int code = tacProgressScriptEnd(&script, status, &err);
    if (code == TCL_OK) {
        Tcl_Obj *counts = Tcl_NewDictObj();
        for (int i = 0; i < TAC_VERDICTS; i++) tacPutCount(counts, tacVerdictNames[i], taking->counts[i]);
        Tcl_SetObjResult(interp, counts);
    }
    Tcl_Release(interp);
    return code;
}

int tacJudgeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    Options options = {.limit = 1000};
    tacStatementList statements;
    if (tacOptionsParse(interp, judgeRows, objc - 4, objv + 4, &options) != TCL_OK) return TCL_ERROR;
    Taking taking = {call->trace, Tcl_GetString(objv[2]), options.limit, {0}};
    tacJudge *followed = tacExpectedFind(call->body->expected, objv[3]);
    if (followed) return tell(interp, &taking, followed, options.progress);
    int code = tacStatementListRead(interp, objv[3], &statements);
    tacJudge *judge = code == TCL_OK ? tacJudgeNew(statements.all, (size_t) statements.count) : NULL;
    if (code == TCL_OK) code = judge ? tell(interp, &taking, judge, options.progress) : tacTclMemory(interp);
    tacJudgeFree(judge);
    tacStatementListFree(&statements);
    return code;
}

/* ---- instances --------------------------------------------------------------------------------------------------- */

/* Forms of the result: those of all tables, and a relation. */
static const char *const instanceFormats[] = {"list", "table", "csv", "json", "relation", NULL};
enum { RELATION = TAC_RESULT_JSON + 1 };
static const char *const verdictWords[] = {"valid", "uncertain", "invalid", "any", NULL};

typedef struct InstanceOptions {
    const char *const *models;
    int verdict, format;
    Tcl_Obj *channel;
    tacWanted wanted;
} InstanceOptions;

static const tacOptionRow instanceRows[] = {
    TAC_CHANNEL_ROW(InstanceOptions, channel),
    {"-format", TAC_VALUE_WORD, offsetof(InstanceOptions, format), instanceFormats, NULL, "list", "form of the result"},
    {"-model", TAC_VALUE_NAMES, offsetof(InstanceOptions, models), NULL, "names", NULL,
        "only models with these names, or that fit these patterns"},
    {"-verdict", TAC_VALUE_WORD, offsetof(InstanceOptions, verdict), verdictWords, NULL, "any",
        "only instances with that verdict"},
    TAC_WHERE_ROW(InstanceOptions, wanted.where),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

int tacInstancesSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((tacTraceCall *) data)->trace;
    InstanceOptions options = {.verdict = TAC_VERDICTS};
    tacStatementList statements = {0};
    tacTable table;
    tacError err = {{0}, {0}};
    int code = tacOptionsParse(interp, instanceRows, objc - 3, objv + 3, &options);
    if (code == TCL_OK && options.format == RELATION && options.channel)
        code = tacTclFail(interp, "USAGE FORMAT", "-channel needs -format table, csv or json");
    if (code == TCL_OK) code = tacStatementListRead(interp, objv[2], &statements);
    if (code == TCL_OK
        && tacJudgeInstances(&trace->model, statements.all, (size_t) statements.count, options.models,
               (tacVerdict) options.verdict, &table, &err)
            != TAC_OK)
        code = tacErrorToTcl(interp, &err);
    tacStatementListFree(&statements);
    tacOptionsFree(instanceRows, &options);
    if (code != TCL_OK) return code;
    if (options.format == RELATION) return tacOwnRelation(interp, &table, &options.wanted);
    return tacWhereResult(interp, &table, &options.wanted, (tacResultFormat) options.format, options.channel);
}
