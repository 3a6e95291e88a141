/*
 * compareCmd.c -- tactus::compare bases others ?-option value ...?, tactus::baseline traces ?-option value ...?
 *
 *      words -> sources: traces, held, and texts of baselines -> profiles -> a table of figures or causes, or a text
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/baseline.h"
#include "analysis/compare.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/relationPart.h"
#include "tcl/tableValue.h"
#include "tcl/traceRecord.h"

#include <string.h>

enum { FIGURES, CAUSES };
static const char *const tables[] = {"figures", "causes", NULL};
enum { RELATION = TAC_RESULT_JSON + 1 };
static const char *const causesOf[] = {"all", "different", "told", NULL}; /* tacCausesOf */
static const char *const resultFormats[] = {"list", "table", "csv", "json", "relation", NULL};

typedef struct Options {
    Tcl_Obj *channel, *progress, *where;
    const char *const *tasks, *const *measures;
    double confidence;
    int64_t jobs;
    int of, only, format;
} Options;

#define TASK_ROW                                                                    \
    {                                                                               \
        "-task", TAC_VALUE_NAMES, offsetof(Options, tasks), NULL, "patterns", NULL, \
            "only tasks whose id or name matches a pattern"                         \
    }
#define JOBS_ROW                                                                                \
    {                                                                                           \
        "-jobs", TAC_VALUE_COUNT, offsetof(Options, jobs), NULL, "n", "200",                    \
            "jobs of each task and trace, evenly chosen, whose delays are taken apart; 0: none" \
    }
#define WHERE_ROW                                                                       \
    {                                                                                   \
        "-where", TAC_VALUE_OBJECT, offsetof(Options, where), NULL, "expression", NULL, \
            "only jobs that fit an expression of the filter language"                   \
    }
#define END_ROW \
    { NULL, 0, 0, NULL, NULL, NULL, NULL }

const tacOptionRow tacCompareRows[] = {TAC_CHANNEL_ROW(Options, channel),
    {"-confidence", TAC_VALUE_NUMBER, offsetof(Options, confidence), NULL, "percent", "99",
        "of intervals and tests, and of verdicts over all tasks; at least 50 and below 100"},
    {"-format", TAC_VALUE_WORD, offsetof(Options, format), resultFormats, NULL, "list",
        "form of the result; relation: a new relation, which holds the traces as they are"},
    JOBS_ROW,
    {"-measure", TAC_VALUE_NAMES, offsetof(Options, measures), NULL, "names", NULL,
        "response, execution, latency, jitter, blocked, interarrival, wakeup, net_execution, preempted, lateness, "
        "misses; default: all"},
    {"-of", TAC_VALUE_WORD, offsetof(Options, of), tables, NULL, "figures",
        "the table: figures of the measures, or causes of the difference of the mean response time"},
    {"-only", TAC_VALUE_WORD, offsetof(Options, only), causesOf, NULL, "all",
        "causes of all tasks, or of those whose mean response time differs; told: if a figure of it, or too few jobs, "
        "gave rise to asking"},
    TAC_PROGRESS_ROW(Options, progress), TASK_ROW, WHERE_ROW, END_ROW};
const tacOptionRow tacBaselineRows[] = {JOBS_ROW, TAC_PROGRESS_ROW(Options, progress), TASK_ROW, WHERE_ROW, END_ROW};

/* ---- sources ---------------------------------------------------------------------------------------------------- */

typedef struct Side {
    Tcl_Size count;
    Tcl_Obj **words;       /* referenced by the caller's */
    tacTraceBody **bodies; /* by word; NULL: the text of a baseline */
    tacProfile profile;
} Side;

typedef struct Sides {
    Side base, other;
} Sides;

static void ignoreChange(void *data, const tacTrace *trace) { (void) data, (void) trace; }

static bool isBaseline(Tcl_Obj *word) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    return tacBaselineIs(text, (size_t) length);
}

/* Holds the traces of a side as they are now, whatever scripts do meanwhile. */
static int hold(Tcl_Interp *interp, Tcl_Obj *list, Side *side) {
    if (Tcl_ListObjGetElements(interp, list, &side->count, &side->words) != TCL_OK) return TCL_ERROR;
    if (!side->count) return tacTclFail(interp, "USAGE TRACES", "a trace is needed");
    side->bodies = tacAllocZero((size_t) side->count, sizeof *side->bodies);
    if (!side->bodies) return tacTclMemory(interp);
    for (Tcl_Size i = 0; i < side->count; i++) {
        tacTraceUser *user;
        if (isBaseline(side->words[i])) continue;
        if (!tacTraceUse(interp, side->words[i], ignoreChange, NULL, &user)) return TCL_ERROR;
        side->bodies[i] = user->body;
        user->body->references++;
        tacTraceRelease(user);
    }
    return TCL_OK;
}

static void letGo(Side *side) {
    tacProfileFree(&side->profile);
    for (Tcl_Size i = 0; side->bodies && i < side->count; i++) tacTraceBodyFree(side->bodies[i]);
    tacFree(side->bodies);
}

static tacStatus addBaseline(tacProfile *profile, Tcl_Obj *word, const tacProfileWanted *wanted, tacError *err) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    tacBaseline baseline;
    if (tacBaselineRead(text, (size_t) length, &baseline, err) != TAC_OK) return tacBaselineFree(&baseline), TAC_ERROR;
    return tacProfileAddBaseline(profile, &baseline, wanted, err);
}

static tacStatus addSources(Side *side, const Options *options, tacProgress *progress, tacError *err) {
    tacProfileWanted wanted = {options->tasks, options->where ? Tcl_GetString(options->where) : NULL};
    if (wanted.where && !wanted.where[strspn(wanted.where, " \t\r\n")]) wanted.where = NULL;
    for (Tcl_Size i = 0; i < side->count; i++) {
        tacStatus status = side->bodies[i]
            ? tacProfileAddTrace(&side->profile, &side->bodies[i]->trace->model, &wanted, progress, err)
            : addBaseline(&side->profile, side->words[i], &wanted, err);
        if (status != TAC_OK) return status;
    }
    return TAC_OK;
}

/* ---- tactus::compare -------------------------------------------------------------------------------------------- */

/* Chooses the measures that are named. */
static int chooseMeasures(Tcl_Interp *interp, const Options *options, tacCompareOptions *compare) {
    const char *names[TAC_TASK_MEASURES + 2] = {NULL};
    memcpy(names, tacTaskMeasureNames, TAC_TASK_MEASURES * sizeof *names);
    names[TAC_TASK_MEASURES] = "misses";
    for (int i = 0; i < TAC_TASK_MEASURES; i++) compare->measures[i] = !options->measures;
    compare->misses = !options->measures;
    for (const char *const *name = options->measures; name && *name; name++) {
        int index = 0;
        while (names[index] && strcmp(names[index], *name)) index++;
        if (!names[index])
            return tacTclFail(interp, "USAGE MEASURE",
                "there is no measure \"%.60s\": must be response, execution, latency, jitter, blocked, interarrival, "
                "wakeup, net_execution, preempted, lateness or misses",
                *name);
        if (index == TAC_TASK_MEASURES) compare->misses = true;
        else compare->measures[index] = true;
    }
    if (options->confidence >= 50 && options->confidence < 100) {
        compare->alpha = (100 - options->confidence) / 100;
        return TCL_OK;
    }
    return tacTclFail(interp, "USAGE CONFIDENCE", "the confidence must be at least 50 and below 100 (percent)");
}

/* Makes the table that is wanted, which refers to the sides. */
static tacStatus makeTable(Sides *sides, const Options *options, const tacCompareOptions *compare, tacTable *table,
    tacProgress *progress, tacError *err) {
    tacProfile *base = &sides->base.profile, *other = &sides->other.profile;
    if (addSources(&sides->base, options, progress, err) != TAC_OK
        || addSources(&sides->other, options, progress, err) != TAC_OK)
        return TAC_ERROR;
    return options->of == FIGURES ? tacCompareTable(base, other, compare, table, progress, err)
                                  : tacCompareCauses(base, other, (tacCausesOf) options->only, compare->alpha,
                                      (uint64_t) options->jobs, table, progress, err);
}

static void freeSides(void *data) {
    Sides *sides = data;
    letGo(&sides->base);
    letGo(&sides->other);
    tacFree(sides);
}

/* Compares the sides; *sides is NULL afterwards when they belong to the result. */
static int compareSides(Tcl_Interp *interp, Sides **sides, const Options *options) {
    tacCompareOptions compare;
    tacError err = {{0}, {0}};
    tacTable table = {.nRows = 0};
    tacProgressScript script;
    if (chooseMeasures(interp, options, &compare) != TCL_OK) return TCL_ERROR;
    Tcl_Preserve(interp);
    tacProgressScriptInit(&script, interp, options->progress, "comparing", 0);
    tacStatus status = makeTable(*sides, options, &compare, &table, &script.progress, &err);
    int result = tacProgressScriptEnd(&script, status, &err);
    Tcl_Release(interp);
    if (result != TCL_OK) return tacTableFree(&table), TCL_ERROR;
    if (options->format == RELATION) {
        tacCompareOwn(&table, freeSides, *sides);
        *sides = NULL;
        return tacOwnRelation(interp, &table, &(tacWanted){0});
    }
    return tacTableResult(interp, &table, (tacResultFormat) options->format, options->channel);
}

int tacCompareCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Options options = {.confidence = 99, .jobs = 200};
    (void) data;
    if (objc < 3) {
        Tcl_WrongNumArgs(interp, 1, objv, "bases others ?-option value ...?");
        return TCL_ERROR;
    }
    Sides *sides = tacAllocZero(1, sizeof *sides);
    if (!sides) return tacTclMemory(interp);
    int result = tacOptionsParse(interp, tacCompareRows, objc - 3, objv + 3, &options);
    if (result == TCL_OK && options.format == RELATION && options.channel)
        result = tacTclFail(interp, "USAGE FORMAT", "-channel needs -format table, csv or json");
    if (result == TCL_OK) result = hold(interp, objv[1], &sides->base);
    if (result == TCL_OK) result = hold(interp, objv[2], &sides->other);
    if (result == TCL_OK) result = compareSides(interp, &sides, &options);
    if (sides) freeSides(sides);
    tacOptionsFree(tacCompareRows, &options);
    return result;
}

Tcl_Obj *tacDescribeCompare(void) {
    int n;
    Tcl_Obj *dict = Tcl_NewDictObj();
    const tacColumn *columns = tacCompareColumns(&n);
    tacPut(dict, tables[FIGURES], tacColumnList(columns, n));
    columns = tacCauseColumns(&n);
    tacPut(dict, tables[CAUSES], tacColumnList(columns, n));
    return dict;
}

/* ---- tactus::baseline ------------------------------------------------------------------------------------------- */

static int makeBaseline(Tcl_Interp *interp, Side *side, const Options *options) {
    tacText text = {.at = NULL};
    tacError err = {{0}, {0}};
    tacProgressScript script;
    Tcl_Preserve(interp);
    tacProgressScriptInit(&script, interp, options->progress, "measuring", 0);
    tacStatus status = addSources(side, options, &script.progress, &err);
    if (status == TAC_OK)
        status = tacBaselineWrite(&side->profile, (uint64_t) options->jobs, &text, &script.progress, &err);
    int result = tacProgressScriptEnd(&script, status, &err);
    Tcl_Release(interp);
    if (result == TCL_OK) Tcl_SetObjResult(interp, Tcl_NewStringObj(text.at, (Tcl_Size) text.length));
    tacTextFree(&text);
    return result;
}

int tacBaselineCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Side side = {.count = 0};
    Options options = {.jobs = 200};
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "traces ?-option value ...?");
        return TCL_ERROR;
    }
    int result = tacOptionsParse(interp, tacBaselineRows, objc - 2, objv + 2, &options);
    if (result == TCL_OK) result = hold(interp, objv[1], &side);
    if (result == TCL_OK) result = makeBaseline(interp, &side, &options);
    letGo(&side);
    tacOptionsFree(tacBaselineRows, &options);
    return result;
}
