/*
 * relation.c -- relations as Tcl commands: a table of a trace, filtered and sorted in place, its rows handed out in
 * pieces.
 *
 *   $trace relation kind -> Relation: a user of the trace, the kind and window, conditions and order as they were
 * written
 *                           +-> tacRelation (relation/relation.h), made when first asked, and anew after the trace
 * changed
 *
 * Filtering, sorting, finding and measuring may call a -progress script, which may do anything. So, while one of them
 * works (`working`), the table and its trace are held; others that would change the relation are refused (RELATION
 * BUSY); asking for rows goes on with what was there. A trace that is read again makes the relation stale: at the next
 * question that is not in the middle of such work, or by `refresh`, it is made anew over the new trace, with the same
 * filter and order.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/tables.h"
#include "tcl/dictValue.h"
#include "tcl/progressScript.h"
#include "tcl/relation.h"
#include "tcl/relationCondition.h"
#include "tcl/relationValue.h"
#include "tcl/tableValue.h"
#include "tcl/traceRecord.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Relation {
    Tcl_Interp *interp;
    Tcl_Command token;
    tacTraceUser *user; /* NULL: the trace has gone */
    tacTraceBody *held; /* what `relation` is over */
    const tacRelationKind *kind;
    tacTimeValue from, to;
    tacRelation relation;
    bool made, stale, working;
    Tcl_Obj *conditions, *any; /* the filter; NULL: none */
    Tcl_Obj *column;           /* sorted by; NULL: not */
    bool decreasing;
} Relation;

/* ---- making it and letting go of it ----------------------------------------------------------------------------- */

static void unmake(Relation *r) {
    tacRelationFree(&r->relation);
    tacTraceBodyFree(r->held);
    r->held = NULL;
    r->made = r->stale = false;
}

static void onTraceChanged(void *data, const tacTrace *trace) {
    Relation *r = data;
    if (!trace) {
        tacTraceRelease(r->user);
        r->user = NULL;
    }
    if (r->working) r->stale = true;
    else unmake(r);
}

/* ---- work that takes long --------------------------------------------------------------------------------------- */

typedef struct Work {
    Relation *r;
    tacProgressScript script;
    tacError err;
} Work;

static int begin(Work *work, Relation *r, Tcl_Interp *interp, Tcl_Obj *prefix, const char *phase) {
    if (r->working) return tacTclFail(interp, "RELATION BUSY", "the relation is being worked on already");
    *work = (Work){.r = r};
    tacProgressScriptInit(&work->script, interp, prefix, phase, r->relation.table.nRows);
    r->working = true;
    Tcl_Preserve(interp);
    return TCL_OK;
}

static int end(Work *work, tacStatus status) {
    Relation *r = work->r;
    Tcl_Interp *interp = work->script.interp;
    r->working = false;
    if (r->stale) unmake(r);
    int result = tacProgressScriptEnd(&work->script, status, &work->err);
    if (result == TCL_OK && Tcl_InterpDeleted(interp)) result = TCL_ERROR;
    if (result == TCL_OK && !r->user)
        result = tacTclFail(interp, "TRACE CLOSED", "the trace of this relation was closed");
    Tcl_Release(interp);
    return result;
}

/* TCL_OK with `made` false: the trace was read again meanwhile. */
static int make(Relation *r, Tcl_Interp *interp, Tcl_Obj *prefix) {
    tacTraceBody *body = r->user->body;
    tacTable table;
    int64_t from, to;
    Work work;
    if (tacWindowTicks(interp, &r->from, &r->to, body->trace->store.digits, &from, &to) != TCL_OK
        || begin(&work, r, interp, prefix, "measuring") != TCL_OK)
        return TCL_ERROR;
    body->references++;
    r->held = body;
    tacStatus status = r->kind->make(body->trace, from, to, &work.script.progress, &table, &work.err);
    if (status == TAC_OK) tacRelationInit(&r->relation, &table), r->made = true;
    else r->stale = true; /* there is nothing: end lets go of the trace */
    return end(&work, status);
}

static int applyFilter(Relation *r, Tcl_Interp *interp, Tcl_Obj *conditions, Tcl_Obj *any, Tcl_Obj *prefix) {
    tacConditionList list;
    Work work;
    int result = tacConditionsParse(interp, &r->relation.table, conditions, any, &list);
    if (result == TCL_OK) result = begin(&work, r, interp, prefix, "filtering");
    if (result == TCL_OK)
        result = end(
            &work, tacRelationFilter(&r->relation, list.conditions, list.count, &work.script.progress, &work.err));
    tacConditionsFree(&list);
    return result;
}

static int applySort(Relation *r, Tcl_Interp *interp, Tcl_Obj *name, bool decreasing, Tcl_Obj *prefix) {
    Work work;
    int column = -1;
    if (name && tacColumnFromObj(interp, &r->relation.table, name, &column) != TCL_OK) return TCL_ERROR;
    if (begin(&work, r, interp, prefix, "sorting") != TCL_OK) return TCL_ERROR;
    return end(&work, tacRelationSort(&r->relation, column, decreasing, &work.script.progress, &work.err));
}

/* The relation as it is to be: made, filtered, sorted. */
static int refresh(Relation *r, Tcl_Interp *interp, Tcl_Obj *prefix) {
    if (!r->user) return tacTclFail(interp, "TRACE CLOSED", "the trace of this relation was closed");
    if (r->made && (!r->stale || r->working)) return TCL_OK;
    if (r->working) return tacTclFail(interp, "RELATION BUSY", "the relation is being worked on already");
    if (r->made) unmake(r);
    int result = make(r, interp, prefix);
    if (result == TCL_OK && r->made && (r->conditions || r->any))
        result = applyFilter(r, interp, r->conditions, r->any, prefix);
    if (result == TCL_OK && r->column && r->made) result = applySort(r, interp, r->column, r->decreasing, prefix);
    if (result != TCL_OK && r->made && !r->working) unmake(r); /* half of it is none: the next question tries again */
    return result == TCL_OK && !r->made ? refresh(r, interp, prefix) : result;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static int needPlace(Relation *r, Tcl_Interp *interp, Tcl_Obj *word, uint64_t *place) {
    Tcl_WideInt wide;
    if (Tcl_GetWideIntFromObj(interp, word, &wide) != TCL_OK) return TCL_ERROR;
    if (wide < 0 || (uint64_t) wide >= r->relation.count)
        return tacTclFail(interp, "LOOKUP PLACE", "there is no place %s", Tcl_GetString(word));
    *place = (uint64_t) wide;
    return TCL_OK;
}

static void setPlace(Tcl_Interp *interp, uint64_t place) {
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(place == UINT64_MAX ? -1 : (Tcl_WideInt) place));
}

static Tcl_Obj *rowValue(const tacTable *table, uint64_t row) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (int column = 0; column < table->nColumns; column++)
        Tcl_ListObjAppendElement(NULL, list, tacTableText(table, row, column));
    return list;
}

/* ---- subcommands ------------------------------------------------------------------------------------------------ */

static const char *const typeNames[] = {[TAC_COLUMN_TEXT] = "text",
    [TAC_COLUMN_TIME] = "time",
    [TAC_COLUMN_COUNT] = "count",
    [TAC_COLUMN_NUMBER] = "number"};

static int columnsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Relation *r = data;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    (void) objc, (void) objv;
    for (int i = 0; i < r->relation.table.nColumns; i++) {
        const tacColumn *column = &r->relation.table.columns[i];
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPut(dict, "name", Tcl_NewStringObj(column->name, -1));
        tacPut(dict, "type", Tcl_NewStringObj(typeNames[column->type], -1));
        tacPut(dict, "help", Tcl_NewStringObj(column->help, -1));
        Tcl_ListObjAppendElement(NULL, list, dict);
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int countSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Relation *r = data;
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) r->relation.count));
    return TCL_OK;
}

static int totalSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Relation *r = data;
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) r->relation.table.nRows));
    return TCL_OK;
}

/* Places that are not there are left out: a view may ask for more than there is. */
static int rowsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Relation *r = data;
    Tcl_WideInt first, count;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    (void) objc;
    if (Tcl_GetWideIntFromObj(interp, objv[2], &first) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, objv[3], &count) != TCL_OK) {
        Tcl_DecrRefCount(list);
        return TCL_ERROR;
    }
    uint64_t place = first < 0 ? 0 : (uint64_t) first;
    for (; count > 0 && place < r->relation.count; count--, place++)
        Tcl_ListObjAppendElement(NULL, list, rowValue(&r->relation.table, tacRelationRow(&r->relation, place)));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int idSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    uint64_t place = 0;
    (void) objc;
    if (needPlace(r, interp, objv[2], &place) != TCL_OK) return TCL_ERROR;
    setPlace(interp, tacRelationId(&r->relation, place));
    return TCL_OK;
}

static int placeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Relation *r = data;
    Tcl_WideInt id;
    (void) objc;
    if (Tcl_GetWideIntFromObj(interp, objv[2], &id) != TCL_OK) return TCL_ERROR;
    setPlace(interp, id < 0 ? UINT64_MAX : tacRelationPlace(&r->relation, (uint64_t) id));
    return TCL_OK;
}

/* As rows, but only the numbers of the things. */
static int idsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Relation *r = data;
    Tcl_WideInt first, count;
    (void) objc;
    if (Tcl_GetWideIntFromObj(interp, objv[2], &first) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, objv[3], &count) != TCL_OK)
        return TCL_ERROR;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    uint64_t place = first < 0 ? 0 : (uint64_t) first;
    for (; count > 0 && place < r->relation.count; count--, place++)
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj((Tcl_WideInt) tacRelationId(&r->relation, place)));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* A number below 0 is no thing's. */
static int idsFromObj(Tcl_Interp *interp, Tcl_Obj *const words[], Tcl_Size n, uint64_t *ids) {
    for (Tcl_Size i = 0; i < n; i++) {
        Tcl_WideInt id;
        if (Tcl_GetWideIntFromObj(interp, words[i], &id) != TCL_OK) return TCL_ERROR;
        ids[i] = id < 0 ? UINT64_MAX : (uint64_t) id;
    }
    return TCL_OK;
}

static int placesSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Relation *r = data;
    Tcl_Obj **words;
    Tcl_Size n;
    tacError err = {{0}, {0}};
    uint64_t found = 0;
    (void) objc;
    if (Tcl_ListObjGetElements(interp, objv[2], &n, &words) != TCL_OK) return TCL_ERROR;
    uint64_t *room = tacAllocZero((size_t) n + 1, 2 * sizeof *room), *places = room ? room + n : NULL;
    int result = !room ? tacTclFail(interp, "MEMORY", "not enough memory") : idsFromObj(interp, words, n, room);
    if (result == TCL_OK && tacRelationPlaces(&r->relation, room, (uint64_t) n, places, &found, &err) != TAC_OK)
        result = tacErrorToTcl(interp, &err);
    if (result == TCL_OK) {
        Tcl_Obj *list = Tcl_NewListObj(0, NULL);
        for (uint64_t i = 0; i < found; i++)
            Tcl_ListObjAppendElement(NULL, list, Tcl_NewWideIntObj((Tcl_WideInt) places[i]));
        Tcl_SetObjResult(interp, list);
    }
    tacFree(room);
    return result;
}

typedef struct Options {
    Tcl_Obj *any, *progress, *from;
    bool decreasing, backwards;
} Options;

#define ANY                                                                   \
    {                                                                         \
        "-any", TAC_VALUE_OBJECT, offsetof(Options, any), NULL, "text", NULL, \
            "rows in which some cell contains the text"                       \
    }
#define PROGRESS                                                                                \
    {                                                                                           \
        "-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,       \
            "called now and then with a dict of how far the work is; an error or break cancels" \
    }
#define LAST \
    { NULL, 0, 0, NULL, NULL, NULL, NULL }
static const tacOptionRow filterRows[] = {ANY, PROGRESS, LAST};
static const tacOptionRow progressRows[] = {PROGRESS, LAST};
static const tacOptionRow sortRows[] = {
    {"-decreasing", TAC_VALUE_FLAG, offsetof(Options, decreasing), NULL, NULL, "no", "the largest first"}, PROGRESS,
    LAST};
static const tacOptionRow findRows[] = {ANY,
    {"-backwards", TAC_VALUE_FLAG, offsetof(Options, backwards), NULL, NULL, "no", "towards the first place"},
    {"-from", TAC_VALUE_OBJECT, offsetof(Options, from), NULL, "place", "0", "where to begin, itself included"},
    PROGRESS, LAST};

/* Does the option have its value in the next word? Flags may go without. */
static bool takesNext(const char *option, Tcl_Obj *next) {
    int ignored;
    return next && (option[1] != 'b' || Tcl_GetBooleanFromObj(NULL, next, &ignored) == TCL_OK);
}

/* Conditions, which may be left out, stand before the options or behind them. */
static int parseWords(Tcl_Interp *interp, const tacOptionRow *rows, int objc, Tcl_Obj *const objv[],
    Tcl_Obj **conditions, Options *options) {
    enum { MOST = 16 };
    Tcl_Obj *words[MOST];
    int n = 0;
    *options = (Options){.any = NULL};
    *conditions = NULL;
    if (objc > MOST) return tacTclFail(interp, "USAGE WORDS", "too many words");
    for (int i = 0; i < objc; i++) {
        const char *text = Tcl_GetString(objv[i]);
        if (text[0] != '-') {
            if (*conditions)
                return tacTclFail(interp, "USAGE WORDS", "conditions stand in one list: \"%.100s\" is too much", text);
            *conditions = objv[i];
            continue;
        }
        words[n++] = objv[i];
        if (takesNext(text, i + 1 < objc ? objv[i + 1] : NULL)) words[n++] = objv[++i];
    }
    return tacOptionsParse(interp, rows, n, words, options);
}

static void keep(Tcl_Obj **where, Tcl_Obj *value) {
    if (value) Tcl_IncrRefCount(value);
    if (*where) Tcl_DecrRefCount(*where);
    *where = value;
}

static bool isEmpty(Tcl_Obj *value) { return !value || *Tcl_GetString(value) == '\0'; }

static int filterSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    Options options;
    Tcl_Obj *conditions;
    if (parseWords(interp, filterRows, objc - 2, objv + 2, &conditions, &options) != TCL_OK
        || applyFilter(r, interp, conditions, options.any, options.progress) != TCL_OK)
        return TCL_ERROR;
    keep(&r->conditions, isEmpty(conditions) ? NULL : conditions);
    keep(&r->any, isEmpty(options.any) ? NULL : options.any);
    return refresh(r, interp, options.progress) == TCL_OK ? countSub(r, interp, objc, objv) : TCL_ERROR;
}

static int sortSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    Options options = {.any = NULL};
    Tcl_Obj *column = isEmpty(objv[2]) ? NULL : objv[2];
    if (tacOptionsParse(interp, sortRows, objc - 3, objv + 3, &options) != TCL_OK
        || applySort(r, interp, column, options.decreasing, options.progress) != TCL_OK)
        return TCL_ERROR;
    keep(&r->column, column);
    r->decreasing = options.decreasing;
    return refresh(r, interp, options.progress);
}

/* Anew also when the trace is the same: findings come and go. */
static int refreshSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    Options options = {.any = NULL};
    if (tacOptionsParse(interp, progressRows, objc - 2, objv + 2, &options) != TCL_OK) return TCL_ERROR;
    if (r->working) return tacTclFail(interp, "RELATION BUSY", "the relation is being worked on already");
    unmake(r);
    return refresh(r, interp, options.progress);
}

static int findIn(Relation *r, Tcl_Interp *interp, const tacConditionList *list, const Options *options) {
    Work work;
    uint64_t place = UINT64_MAX;
    Tcl_WideInt from = 0;
    if (options->from && Tcl_GetWideIntFromObj(interp, options->from, &from) != TCL_OK) return TCL_ERROR;
    if (from < 0 && options->backwards) return setPlace(interp, UINT64_MAX), TCL_OK;
    if (begin(&work, r, interp, options->progress, "searching") != TCL_OK) return TCL_ERROR;
    tacStatus status = tacRelationFind(&r->relation, from < 0 ? 0 : (uint64_t) from, options->backwards,
        list->conditions, list->count, &place, &work.script.progress, &work.err);
    if (end(&work, status) != TCL_OK) return TCL_ERROR;
    setPlace(interp, place);
    return TCL_OK;
}

static int findSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    Options options;
    Tcl_Obj *conditions;
    tacConditionList list;
    if (parseWords(interp, findRows, objc - 2, objv + 2, &conditions, &options) != TCL_OK) return TCL_ERROR;
    int result = tacConditionsParse(interp, &r->relation.table, conditions, options.any, &list);
    if (result == TCL_OK) result = findIn(r, interp, &list, &options);
    tacConditionsFree(&list);
    return result;
}

/* ---- figures ---------------------------------------------------------------------------------------------------- */

static Tcl_Obj *numberValue(long double number) {
    char text[40];
    int length = snprintf(text, sizeof text, "%.15Lg", number == 0 ? 0 : number);
    return Tcl_NewStringObj(text, length);
}

/* Exact where it is a time or count of this world. */
static Tcl_Obj *sumValue(__int128 sum, int digits) {
    char text[TAC_DECIMAL_SIZE];
    if (sum <= INT64_MIN || sum > INT64_MAX) return numberValue((long double) sum / powl(10, digits));
    size_t length = tacDecimalFormat((int64_t) sum, digits, text);
    return Tcl_NewStringObj(text, (Tcl_Size) length);
}

static Tcl_Obj *figuresDict(const tacTable *table, int column, const tacRelationFigures *figures) {
    char buffer[TAC_CELL_SIZE];
    size_t length;
    Tcl_Obj *dict = Tcl_NewDictObj();
    bool isNumber = table->columns[column].type == TAC_COLUMN_NUMBER;
    int digits = table->columns[column].type == TAC_COLUMN_TIME ? table->digits : 0;
    tacPut(dict, "count", Tcl_NewWideIntObj((Tcl_WideInt) figures->count));
    for (int i = 0; i < TAC_RELATION_RANKS; i++) {
        const char *text = figures->count ? tacCellText(table, column, &figures->ranks[i], buffer, &length) : "";
        tacPut(dict, tacRelationRanks[i], Tcl_NewStringObj(text, figures->count ? (Tcl_Size) length : 0));
    }
    long double sum = isNumber ? figures->total : (long double) figures->sum / powl(10, digits);
    tacPut(dict, "average", figures->count ? numberValue(sum / figures->count) : Tcl_NewObj());
    tacPut(dict, "sum", !figures->count ? Tcl_NewObj() : isNumber ? numberValue(sum) : sumValue(figures->sum, digits));
    return dict;
}

/* Ends work whose result is a value (which it takes); it was made before `end`, which may let go of the table. */
static int endWith(Work *work, Tcl_Interp *interp, tacStatus status, Tcl_Obj *value) {
    Tcl_IncrRefCount(value);
    int result = end(work, status);
    if (result == TCL_OK) Tcl_SetObjResult(interp, value);
    Tcl_DecrRefCount(value);
    return result;
}

static int statisticsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    Options options = {.any = NULL};
    tacRelationFigures figures;
    Work work;
    int column;
    if (tacColumnFromObj(interp, &r->relation.table, objv[2], &column) != TCL_OK
        || tacOptionsParse(interp, progressRows, objc - 3, objv + 3, &options) != TCL_OK)
        return TCL_ERROR;
    if (r->relation.table.columns[column].type == TAC_COLUMN_TEXT)
        return tacTclFail(interp, "USAGE COLUMN", "column \"%.60s\" has texts, of which there are no figures",
            Tcl_GetString(objv[2]));
    if (begin(&work, r, interp, options.progress, "measuring") != TCL_OK) return TCL_ERROR;
    tacStatus status = tacRelationMeasure(&r->relation, column, &figures, &work.script.progress, &work.err);
    return endWith(&work, interp, status, figuresDict(&r->relation.table, column, &figures));
}

/* ---- bins ------------------------------------------------------------------------------------------------------- */

/* The column with bins that a pair of words means: `response {0 20 10}`. */
static int needBins(Relation *r, Tcl_Interp *interp, Tcl_Obj *const words[2], int *column, tacBins *bins) {
    if (tacColumnFromObj(interp, &r->relation.table, words[0], column) != TCL_OK) return TCL_ERROR;
    return tacBinsFromObj(interp, &r->relation.table, *column, words[1], bins);
}

static int histogramSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    Options options = {.any = NULL};
    tacHistogram histogram;
    tacBins bins;
    Work work;
    int column;
    if (needBins(r, interp, objv + 2, &column, &bins) != TCL_OK
        || tacOptionsParse(interp, progressRows, objc - 4, objv + 4, &options) != TCL_OK
        || begin(&work, r, interp, options.progress, "measuring") != TCL_OK)
        return TCL_ERROR;
    tacStatus status = tacRelationHistogram(&r->relation, column, &bins, &histogram, &work.script.progress, &work.err);
    Tcl_Obj *dict = status == TAC_OK ? tacHistogramValue(&histogram, bins.n) : Tcl_NewObj();
    if (status == TAC_OK) tacHistogramFree(&histogram);
    return endWith(&work, interp, status, dict);
}

static int gridSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    Options options = {.any = NULL};
    tacGrid grid;
    tacBins x, y;
    Work work;
    int xColumn, yColumn;
    if (needBins(r, interp, objv + 2, &xColumn, &x) != TCL_OK || needBins(r, interp, objv + 4, &yColumn, &y) != TCL_OK
        || tacOptionsParse(interp, progressRows, objc - 6, objv + 6, &options) != TCL_OK)
        return TCL_ERROR;
    if ((int64_t) x.n * y.n > TAC_MOST_CELLS)
        return tacTclFail(interp, "USAGE BINS", "a grid has at most %d cells", TAC_MOST_CELLS);
    if (begin(&work, r, interp, options.progress, "measuring") != TCL_OK) return TCL_ERROR;
    tacStatus status = tacRelationGrid(&r->relation, xColumn, &x, yColumn, &y, &grid, &work.script.progress, &work.err);
    Tcl_Obj *dict = status == TAC_OK ? tacGridValue(&grid, x.n, y.n) : Tcl_NewObj();
    if (status == TAC_OK) tacGridFree(&grid);
    return endWith(&work, interp, status, dict);
}

static int sampleSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Relation *r = data;
    Options options = {.any = NULL};
    tacSample sample;
    Tcl_WideInt n;
    Work work;
    int column;
    if (tacColumnFromObj(interp, &r->relation.table, objv[2], &column) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, objv[3], &n) != TCL_OK
        || tacOptionsParse(interp, progressRows, objc - 4, objv + 4, &options) != TCL_OK)
        return TCL_ERROR;
    if (r->relation.table.columns[column].type == TAC_COLUMN_TEXT)
        return tacTclFail(
            interp, "USAGE COLUMN", "column \"%.60s\" has texts, of which there is no sample", Tcl_GetString(objv[2]));
    if (n < 1) return tacTclFail(interp, "USAGE VALUE", "a sample has at least 1 value");
    if (begin(&work, r, interp, options.progress, "measuring") != TCL_OK) return TCL_ERROR;
    tacStatus status = tacRelationSample(&r->relation, column, (uint64_t) n, &sample, &work.script.progress, &work.err);
    Tcl_Obj *dict = status == TAC_OK ? tacSampleValue(&r->relation.table, column, &sample) : Tcl_NewObj();
    if (status == TAC_OK) tacSampleFree(&sample);
    return endWith(&work, interp, status, dict);
}

static int closeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Relation *r = data;
    (void) objc, (void) objv;
    Tcl_DeleteCommandFromToken(interp, r->token);
    return TCL_OK;
}

const tacSubcommand tacRelationSubcommands[] = {
    {"close", closeSub, 0, 0, NULL, "frees the relation and deletes the command"},
    {"columns", columnsSub, 0, 0, NULL, "name, type and help of each column"},
    {"count", countSub, 0, 0, NULL, "rows that pass the filter"},
    {"filter", filterSub, 0, -1, "?conditions? ?-option value ...?", "shows only rows that meet all conditions"},
    {"find", findSub, 0, -1, "?conditions? ?-option value ...?", "place of the first row that meets all conditions"},
    {"grid", gridSub, 4, -1, "xcolumn xbins ycolumn ybins ?-progress prefix?", "counts rows by bins of two columns"},
    {"histogram", histogramSub, 2, -1, "column bins ?-progress prefix?", "counts rows by bins of a column"},
    {"id", idSub, 1, 1, "place", "number of the thing at a place"},
    {"ids", idsSub, 2, 2, "first count", "numbers of the things at places in a row"},
    {"place", placeSub, 1, 1, "id", "place of the thing with a number"},
    {"places", placesSub, 1, 1, "ids", "places of things with these numbers"},
    {"refresh", refreshSub, 0, -1, "?-progress prefix?", "makes it anew, with the same filter and order"},
    {"rows", rowsSub, 2, 2, "first count", "cells of the rows at places in a row"},
    {"sample", sampleSub, 2, -1, "column count ?-progress prefix?", "values of a column at equal distances of rank"},
    {"sort", sortSub, 1, -1, "column ?-option value ...?", "puts rows in the order of a column"},
    {"statistics", statisticsSub, 1, -1, "column ?-progress prefix?",
        "least, greatest, average, ranks and sum of a column"},
    {"total", totalSub, 0, 0, NULL, "rows without the filter"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

/* ---- the command ------------------------------------------------------------------------------------------------ */

static void freeRelation(char *block) {
    Relation *r = (Relation *) (void *) block;
    unmake(r);
    tacTraceRelease(r->user);
    keep(&r->conditions, NULL);
    keep(&r->any, NULL);
    keep(&r->column, NULL);
    tacFree(r);
}

static void onDelete(ClientData data) { Tcl_EventuallyFree(data, freeRelation); }

/* Who only closes needs no relation that is up to date; nor its trace. */
static bool isClose(int objc, Tcl_Obj *const objv[]) {
    return objc == 2 && strcmp(Tcl_GetString(objv[1]), "close") == 0;
}

static bool isRefresh(int objc, Tcl_Obj *const objv[]) {
    return objc >= 2 && strcmp(Tcl_GetString(objv[1]), "refresh") == 0;
}

static int run(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_Preserve(data);
    int result = isClose(objc, objv) || isRefresh(objc, objv) ? TCL_OK : refresh(data, interp, NULL);
    if (result == TCL_OK) result = tacDispatch(data, interp, objc, objv, tacRelationSubcommands);
    Tcl_Release(data);
    return result;
}

typedef struct Window {
    tacTimeValue from, to;
    Tcl_Obj *progress;
} Window;

const tacOptionRow tacRelationRows[] = {
    {"-from", TAC_VALUE_TIME, offsetof(Window, from), NULL, NULL, NULL, "begin of the window, in time units"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Window, progress), NULL, "prefix", NULL,
        "called now and then with a dict of how far the work is; an error or break cancels"},
    {"-to", TAC_VALUE_TIME, offsetof(Window, to), NULL, NULL, NULL, "end of the window, itself included"}, LAST};

int tacRelationSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    Window window = {.progress = NULL};
    int kind;
    char name[40];
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], tacRelationKinds, sizeof *tacRelationKinds, "relation", 0, &kind)
            != TCL_OK
        || tacOptionsParse(interp, tacRelationRows, objc - 3, objv + 3, &window) != TCL_OK)
        return TCL_ERROR;
    if ((window.from.given || window.to.given) && !tacRelationKinds[kind].windowed)
        return tacTclFail(interp, "USAGE WINDOW", "the relation \"%s\" has no window", tacRelationKinds[kind].name);
    Relation *r = tacAllocZero(1, sizeof *r);
    if (r)
        *r = (Relation){.interp = interp,
            .kind = &tacRelationKinds[kind],
            .from = window.from,
            .to = window.to,
            .relation = {.column = -1}};
    if (r) r->user = tacTraceUseRecord(call->record, onTraceChanged, r);
    int result = r && r->user ? make(r, interp, window.progress) : tacTclFail(interp, "MEMORY", "not enough memory");
    if (result != TCL_OK) {
        if (r) freeRelation((char *) r);
        return TCL_ERROR;
    }
    tacNewCommandName(interp, "::tactus::relation", name);
    r->token = Tcl_CreateObjCommand(interp, name, run, r, onDelete);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
    return TCL_OK;
}
