/*
 * findingCmd.c -- findings of a trace as Tcl values: they are dicts, in and out.
 *
 *      check verdict severity time end objects line sentence        objects: a list of {kind id}
 *
 * time {}: the trace as a whole; end {}: an instant; line 0: none. Keys that are left out of a dict that is added have
 * these defaults: severity by the verdict (invalid: error, uncertain: warning, valid: note), the others empty. The key
 * listed of a dict that is added says whether the finding is listed (default: 1), or only counted (`density`).
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/audit.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/relationPart.h"
#include "tcl/tableValue.h"
#include "tcl/timeValue.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"
#include "trace/times.h"

#include <limits.h>
#include <string.h>

/* ---- reading a dict --------------------------------------------------------------------------------------------- */

/* The text of a key of the dict; "": there is none. */
static const char *textOf(Tcl_Obj *dict, const char *key) {
    Tcl_Obj *value = tacDictValue(dict, key);
    return value ? Tcl_GetString(value) : "";
}

/* Index of a word of the dict in a list of words; an empty word leaves *index as it is. */
static int wordOf(Tcl_Interp *interp, Tcl_Obj *dict, const char *key, const char *const *words, int *index) {
    Tcl_Obj *value = tacDictValue(dict, key);
    if (!value || !*Tcl_GetString(value)) return TCL_OK;
    return Tcl_GetIndexFromObjStruct(interp, value, words, sizeof *words, key, TCL_EXACT, index);
}

/* A time of the dict; empty: TAC_UNKNOWN. */
static int timeOf(Tcl_Interp *interp, Tcl_Obj *dict, const char *key, int digits, int64_t *ticks) {
    Tcl_Obj *value = tacDictValue(dict, key);
    *ticks = TAC_UNKNOWN;
    return value && *Tcl_GetString(value) ? tacTimeFromObj(interp, value, digits, ticks) : TCL_OK;
}

typedef TAC_ARRAY(tacFindingName) Names;

/* Reads a list of {kind id}, whose texts the names refer to; NULL: an empty one. */
static int objectsOf(Tcl_Interp *interp, Tcl_Obj *objects, Names *names) {
    Tcl_Obj **pairs, **words;
    Tcl_Size n, nWords;
    int kind;
    if (!objects) return TCL_OK;
    if (Tcl_ListObjGetElements(interp, objects, &n, &pairs) != TCL_OK) return TCL_ERROR;
    for (Tcl_Size i = 0; i < n; i++) {
        if (Tcl_ListObjGetElements(interp, pairs[i], &nWords, &words) != TCL_OK) return TCL_ERROR;
        if (nWords != 2)
            return tacTclFail(interp, "FINDING OBJECT", "bad object \"%.100s\" of a finding: must be a kind and an id",
                Tcl_GetString(pairs[i]));
        if (Tcl_GetIndexFromObjStruct(interp, words[0], tacKindNames, sizeof *tacKindNames, "kind", TCL_EXACT, &kind)
            != TCL_OK)
            return TCL_ERROR;
        if (!tacArrayPush(names, (tacFindingName){(tacKind) kind, Tcl_GetString(words[1])}))
            return tacTclMemory(interp);
    }
    return TCL_OK;
}

/* ---- the subcommands -------------------------------------------------------------------------------------------- */

static const char *const severityNames[] = {"note", "warning", "error", NULL}; /* by tacSeverity */

/* Reads a finding, but for its check and its objects; the sentence stays the dict's. */
static int readFinding(Tcl_Interp *interp, Tcl_Obj *dict, int digits, tacFinding *finding) {
    int verdict = TAC_VERDICT_INVALID, severity = -1;
    Tcl_WideInt line = 0;
    Tcl_Size size;
    *finding = (tacFinding){.begin = TAC_UNKNOWN, .sentence = (char *) textOf(dict, "sentence")};
    if (Tcl_DictObjSize(interp, dict, &size) != TCL_OK
        || wordOf(interp, dict, "verdict", tacVerdictNames, &verdict) != TCL_OK
        || wordOf(interp, dict, "severity", severityNames, &severity) != TCL_OK
        || timeOf(interp, dict, "time", digits, &finding->begin) != TCL_OK
        || timeOf(interp, dict, "end", digits, &finding->end) != TCL_OK
        || (*textOf(dict, "line") && Tcl_GetWideIntFromObj(interp, tacDictValue(dict, "line"), &line) != TCL_OK))
        return TCL_ERROR;
    finding->line = line > 0 && line < UINT32_MAX ? (uint32_t) line : 0;
    finding->verdict = (tacVerdict) verdict;
    finding->severity = severity < 0 ? (tacSeverity) verdict : (tacSeverity) severity; /* both ascend alike */
    return TCL_OK;
}
_Static_assert((int) TAC_VERDICT_VALID == TAC_SEVERITY_NOTE && (int) TAC_VERDICT_UNCERTAIN == TAC_SEVERITY_WARNING
        && (int) TAC_VERDICT_INVALID == TAC_SEVERITY_ERROR,
    "severities by verdict");

static int addSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTrace *trace = ((tacTraceCall *) data)->trace;
    tacFinding finding;
    tacError err = {{0}, {0}};
    Names names = {0};
    int listed = 1;
    (void) objc;
    if (readFinding(interp, objv[3], trace->store.digits, &finding) != TCL_OK
        || (*textOf(objv[3], "listed")
            && Tcl_GetBooleanFromObj(interp, tacDictValue(objv[3], "listed"), &listed) != TCL_OK))
        return TCL_ERROR;
    int code = objectsOf(interp, tacDictValue(objv[3], "objects"), &names);
    const char *check = textOf(objv[3], "check");
    tacStatus status = code != TCL_OK ? TAC_OK
        : listed                      ? tacFindingAdd(trace, &finding, check, names.at, (uint32_t) names.count, &err)
                                      : tacFindingCount(&trace->findings, check, finding.severity, finding.begin, &err);
    if (status != TAC_OK) code = tacErrorToTcl(interp, &err);
    tacArrayFree(&names);
    return code;
}

static int clearSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTrace *trace = ((tacTraceCall *) data)->trace;
    (void) interp;
    tacFindingClear(&trace->findings, objc > 3 ? Tcl_GetString(objv[3]) : NULL);
    return TCL_OK;
}

/* True when the finding is of the check that the command names, or the command names none. */
static bool isOf(const tacFindings *findings, const tacFinding *finding, int objc, Tcl_Obj *const objv[]) {
    return objc <= 3 || strcmp(tacInternName(&findings->names, finding->check, NULL), Tcl_GetString(objv[3])) == 0;
}

static int countSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacFindings *findings = &((tacTraceCall *) data)->trace->findings;
    Tcl_WideInt n = 0;
    for (size_t i = 0; i < findings->all.count; i++) n += isOf(findings, &findings->all.at[i], objc, objv);
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(n));
    return TCL_OK;
}

static Tcl_Obj *findingDict(const tacFindings *findings, const tacFinding *finding, int digits) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *objects = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < finding->nObjects; i++) {
        const tacFindingObject *object = &findings->objects.at[finding->firstObject + i];
        Tcl_Obj *pair[2] = {Tcl_NewStringObj(tacKindNames[object->kind], -1),
            Tcl_NewStringObj(tacInternName(&findings->names, object->id, NULL), -1)};
        tacAppend(objects, Tcl_NewListObj(2, pair));
    }
    tacPutText(dict, "check", tacInternName(&findings->names, finding->check, NULL));
    tacPutText(dict, "verdict", tacVerdictNames[finding->verdict]);
    tacPutText(dict, "severity", severityNames[finding->severity]);
    tacPut(dict, "time", tacTimeValueObj(finding->begin, digits));
    tacPut(dict, "end", tacTimeValueObj(finding->end, digits));
    tacPut(dict, "objects", objects);
    tacPutCount(dict, "line", finding->line);
    tacPutText(dict, "sentence", finding->sentence);
    return dict;
}

static int listSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTrace *trace = ((tacTraceCall *) data)->trace;
    tacFindings *findings = &trace->findings;
    if (!tacFindingSort(findings)) return tacTclMemory(interp);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < findings->all.count; i++)
        if (isOf(findings, &findings->all.at[i], objc, objv))
            tacAppend(list, findingDict(findings, &findings->all.at[i], trace->store.digits));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* A group as a dict: its first finding, with subject, index and count. */
static Tcl_Obj *groupDict(const tacTrace *trace, const tacFindingGroup *group) {
    const tacFinding *first = &trace->findings.all.at[group->first];
    Tcl_Obj *dict = findingDict(&trace->findings, first, trace->store.digits);
    tacPutText(dict, "subject", tacFindingSubject(trace, first));
    tacPutCount(dict, "index", group->first);
    tacPutCount(dict, "count", group->count);
    return dict;
}

static int groupsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((tacTraceCall *) data)->trace;
    tacFindingGroups groups = {0};
    tacError err = {{0}, {0}};
    (void) objc, (void) objv;
    int code = tacFindingsGroup(trace, &groups, &err) == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; code == TCL_OK && i < groups.count; i++) tacAppend(list, groupDict(trace, &groups.at[i]));
    if (code == TCL_OK) Tcl_SetObjResult(interp, list);
    else Tcl_DecrRefCount(tacKept(list));
    tacArrayFree(&groups);
    return code;
}

/* A sentence of a finding in parts: words, a point in time, words, a point in time, ... words. */
static int partsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((tacTraceCall *) data)->trace;
    const char *given = Tcl_GetString(objv[3]), *marked = tacFindingMarked(&trace->findings, given),
               *rest = marked ? marked : given, *at;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    (void) objc;
    for (size_t length; marked && (at = tacMomentFind(rest, &length)); rest = at + length) {
        tacAppend(list, Tcl_NewStringObj(rest, (Tcl_Size) (at - rest)));
        tacAppend(list, Tcl_NewStringObj(at + 1, (Tcl_Size) length - 2));
    }
    tacAppend(list, Tcl_NewStringObj(rest, -1));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

const tacSubcommand tacFindingSubcommands[] = {
    {"add", addSub, 1, 1, "dict", "adds a finding"},
    {"clear", clearSub, 0, 1, "?check?", "removes the findings of a check, or all"},
    {"count", countSub, 0, 1, "?check?", "how many findings a check has, or all have"},
    {"groups", groupsSub, 0, 0, "",
        "findings of one check, verdict and severity about one thing, together: the first of them, with subject, index "
        "and count; the gravest first"},
    {"list", listSub, 0, 1, "?check?", "the findings of a check, or all, in order of time"},
    {"parts", partsSub, 1, 1, "sentence",
        "a sentence of a finding in parts: words, a point in time that stands in it, words ..., so that times can be "
        "counted from elsewhere"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

int tacFindingSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatchAt(data, interp, 2, "subcommand", objc, objv, tacFindingSubcommands);
}

/* ---- audit ------------------------------------------------------------------------------------------------------ */

static const char *const urgentNames[] = {"low", "high", NULL};
static const char *const schedulerNames[] = {"fp", "fifo", "rr", "edf", "fair", NULL};

static const char *const formatNames[] = {"list", "relation", NULL};

typedef struct Options {
    int64_t limit, most;
    int urgent, scheduler, format; /* format: index of formatNames */
    bool nonpreemptive, thresholds;
    tacTimeValue tolerance, latency;
    Tcl_Obj *progress;
} Options;

static const tacOptionRow auditRows[] = {
    {"-format", TAC_VALUE_WORD, offsetof(Options, format), formatNames, NULL, "list",
        "the facts as a list of dicts, or as a relation, whose rows are made as they are asked for"},
    {"-limit", TAC_VALUE_COUNT, offsetof(Options, limit), NULL, "n", "10000", "at most so many facts"},
    {"-urgent", TAC_VALUE_WORD, offsetof(Options, urgent), urgentNames, NULL, "low",
        "which values of -priority are the more urgent ones"},
    {"-scheduler", TAC_VALUE_WORD, offsetof(Options, scheduler), schedulerNames, NULL, "fp",
        "rule priority: the policy where the trace states none"},
    {"-nonpreemptive", TAC_VALUE_FLAG, offsetof(Options, nonpreemptive), NULL, "boolean", "0",
        "rule priority: where the trace states no policy, a job that has started is not preempted"},
    {"-thresholds", TAC_VALUE_FLAG, offsetof(Options, thresholds), NULL, "boolean", "0",
        "rule priority: where the trace states no policy, tasks have thresholds that explain their preemptions"},
    {"-most", TAC_VALUE_COUNT, offsetof(Options, most), NULL, "n", NULL,
        "rule priority: it is enough to know where there are more than n inversions in each cluster"},
    {"-tolerance", TAC_VALUE_TIME, offsetof(Options, tolerance), NULL, NULL, "0",
        "rule priority: inversions up to this length are left out"},
    {"-latency", TAC_VALUE_TIME, offsetof(Options, latency), NULL, NULL, "0",
        "rule priority: time that a switch may take in the recording of a running system"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,
        "command prefix that is called now and then with a dict of how far it is; break or an error cancels"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* A relation of facts, which holds the trace that they are about. */
typedef struct Kept {
    tacTable table; /* of the facts */
    tacFacts facts;
    tacTraceBody *body;
} Kept;

static void keptCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const Kept *kept = table->data;
    kept->table.cell(&kept->table, row, column, cell);
}

static void freeKept(void *data) {
    Kept *kept = data;
    tacTableFree(&kept->table);
    tacFactsFree(&kept->facts);
    tacTraceBodyFree(kept->body);
    tacFree(kept);
}

/* The facts as the name of a relation that takes them over; NULL: an error in the interpreter. */
static Tcl_Obj *factRelation(Tcl_Interp *interp, const tacTraceCall *call, tacFacts *facts) {
    Kept *kept = tacAllocZero(1, sizeof *kept);
    tacError err = {{0}, {0}};
    if (!kept) return tacTclMemory(interp), NULL;
    kept->facts = *facts;
    memset(&facts->facts, 0, sizeof facts->facts);
    kept->body = call->body;
    call->body->references++;
    if (tacFactTable(call->trace, &kept->facts, &kept->table, &err) != TAC_OK) {
        freeKept(kept);
        return tacErrorToTcl(interp, &err), NULL;
    }
    tacTable table = kept->table;
    table.data = kept;
    table.cell = keptCell;
    table.release = freeKept;
    table.timeUnit = call->trace->store.unit;
    return tacOwnRelation(interp, &table, &(tacWanted){0}) == TCL_OK ? Tcl_GetObjResult(interp) : NULL;
}

/* The facts as a list of dicts; NULL: an error in the interpreter. */
static Tcl_Obj *factList(Tcl_Interp *interp, const tacTraceCall *call, const tacFacts *facts) {
    tacTable table;
    tacError err = {{0}, {0}};
    if (tacFactTable(call->trace, facts, &table, &err) != TAC_OK) return tacErrorToTcl(interp, &err), NULL;
    Tcl_Obj *list = tacTableList(&table, NULL, NULL, -1);
    tacTableFree(&table);
    if (!list) tacTclMemory(interp);
    return list;
}

int tacAuditSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    Options options = {.limit = 10000, .most = INT64_MAX};
    tacError err = {{0}, {0}};
    int rule;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], tacAuditRules, sizeof *tacAuditRules, "rule", 0, &rule) != TCL_OK
        || tacOptionsParse(interp, auditRows, objc - 3, objv + 3, &options) != TCL_OK)
        return TCL_ERROR;
    tacFacts facts = {.limit = (uint64_t) options.limit,
        .highFirst = options.urgent,
        .nonpreemptive = options.nonpreemptive,
        .thresholds = options.thresholds,
        .most = options.most,
        .scheduler = (tacScheduler) (options.scheduler + 1)};
    if (tacTimeTicks(interp, &options.tolerance, call->trace->store.digits, &facts.tolerance) != TCL_OK
        || tacTimeTicks(interp, &options.latency, call->trace->store.digits, &facts.latency) != TCL_OK)
        return TCL_ERROR;
    if (facts.tolerance == TAC_UNKNOWN) facts.tolerance = 0;
    if (facts.latency == TAC_UNKNOWN) facts.latency = 0;
    tacProgressScript script;
    tacProgressScriptInit(&script, interp, options.progress, "auditing", 0);
    facts.progress = &script.progress;
    Tcl_Preserve(interp);
    int code = tacProgressScriptEnd(&script, tacAudit(call->trace, &tacAuditRules[rule], &facts, &err), &err);
    if (code == TCL_OK && Tcl_InterpDeleted(interp)) code = TCL_ERROR;
    if (code == TCL_OK) {
        Tcl_Obj *list = options.format ? factRelation(interp, call, &facts) : factList(interp, call, &facts);
        if (list) {
            Tcl_Obj *dict = Tcl_NewDictObj();
            tacPutFlag(dict, "applicable", facts.applicable);
            tacPutCount(dict, "more", facts.more);
            tacPut(dict, "facts", list);
            Tcl_SetObjResult(interp, dict);
        } else code = TCL_ERROR;
    }
    Tcl_Release(interp);
    tacFactsFree(&facts);
    return code;
}
