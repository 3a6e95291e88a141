/*
 * relation.c -- relations as Tcl commands: a table, filtered and sorted in place, its rows handed out in pieces.
 *
 *   $trace relation kind           -> Relation: a user of the trace, the kind and window, filter and order as they were
 *                                     written
 *   tactus::relation columns rows  -> Relation: a table of its own
 *                                       +-> tacRelation (relation/relation.h); of a trace: made when first asked, and
 *                                           anew after the trace changed
 *
 * Filtering, sorting, finding and measuring may call a -progress script, which may do anything. So, while one of them
 * works (`working`), the table and its trace are held; others that would change the relation are refused (RELATION
 * BUSY); rows are given as they were before. A trace that is read again makes the relation stale: at the next question
 * that is not in the middle of such work, or by `refresh`, it is made anew over the new trace, with the same filter and
 * order.
 *
 * The measures (statistics, histogram, grid, sample) are in relationFigures.c, writing is in relationWrite.c, copies
 * and groups are in relationMake.c.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/tables.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/relationList.h"
#include "tcl/relationPart.h"
#include "tcl/tableValue.h"
#include "tcl/tasksValue.h"
#include "tcl/traceSubcommands.h"

#include <string.h>

/* ---- making it and letting go of it ----------------------------------------------------------------------------- */

static void unmake(tacRelationCmd *r) {
    tacRelationFree(&r->relation);
    tacTraceBodyFree(r->held);
    r->held = NULL;
    r->made = r->stale = false;
}

static void onTraceChanged(void *data, const tacTrace *trace) {
    tacRelationCmd *r = data;
    if (!trace) {
        tacTraceRelease(r->user);
        r->user = NULL;
    }
    if (r->working) r->stale = true;
    else unmake(r);
}

/* ---- work that takes long --------------------------------------------------------------------------------------- */

int tacWorkBegin(tacWork *work, tacRelationCmd *r, Tcl_Interp *interp, Tcl_Obj *prefix, const char *phase) {
    if (r->working) return tacTclFail(interp, "RELATION BUSY", "the relation is being worked on already");
    *work = (tacWork){.r = r};
    tacProgressScriptInit(&work->script, interp, prefix, phase, r->relation.table.nRows);
    r->working = true;
    Tcl_Preserve(interp);
    return TCL_OK;
}

int tacWorkEnd(tacWork *work, tacStatus status) {
    tacRelationCmd *r = work->r;
    Tcl_Interp *interp = work->script.interp;
    r->working = false;
    if (r->stale) unmake(r);
    int result = tacProgressScriptEnd(&work->script, status, &work->err);
    if (result == TCL_OK && Tcl_InterpDeleted(interp)) result = TCL_ERROR;
    if (result == TCL_OK && !r->user && !r->own)
        result = tacTclFail(interp, "TRACE CLOSED", "the trace of this relation was closed");
    Tcl_Release(interp);
    return result;
}

/* Makes the relation over the trace's present body. TCL_OK with `made` false: the trace was read again meanwhile. */
static int make(tacRelationCmd *r, Tcl_Interp *interp, Tcl_Obj *prefix) {
    tacTraceBody *body = r->user->body;
    tacTable table;
    tacEventWindow window;
    tacWork work;
    if (tacWindowTicks(interp, &r->window, body->trace->store.digits, &window) != TCL_OK
        || tacWorkBegin(&work, r, interp, prefix, "measuring") != TCL_OK)
        return TCL_ERROR;
    body->references++;
    r->held = body;
    tacStatus status = r->kind->make(body->trace, window.from, window.to, &work.script.progress, &table, &work.err);
    table.timeUnit = body->trace->store.unit;
    if (status == TAC_OK) tacRelationInit(&r->relation, &table), r->made = true;
    else r->stale = true; /* so that tacWorkEnd lets go of the trace */
    return tacWorkEnd(&work, status);
}

/* Adds the tasks of -tasks to the filter of a table, unless they are all. *bits are the caller's to free when it is
 * done. */
static int addTasks(tacRelationCmd *r, Tcl_Interp *interp, const tacTable *table, tacFilter *filter, uint64_t **bits) {
    const tacModel *model = &r->held->trace->model;
    uint32_t n = tacStoreObjects(model->store, TAC_TASK), defined = 0;
    int column = 0;
    tacTaskChoice choice;
    tacError err = {{0}, {0}};
    if (tacTasksFromObj(interp, model, r->tasks, &choice) != TCL_OK) return TCL_ERROR;
    for (uint32_t i = 0; i < n; i++) defined += model->store->objects[TAC_TASK].at[i].line != 0;
    bool all = choice.count == defined;
    *bits = tacAllocZero(n / 64 + 1, sizeof **bits);
    for (uint32_t i = 0; *bits && i < choice.count; i++)
        (*bits)[choice.tasks[i] / 64] |= (uint64_t) 1 << choice.tasks[i] % 64;
    tacTaskChoiceFree(&choice);
    if (!*bits) return tacTclMemory(interp);
    while (strcmp(table->columns[column].name, "task") != 0) column++;
    return all || tacFilterAmong(filter, column, *bits, &err) == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}

static int applyFilter(tacRelationCmd *r, Tcl_Interp *interp, const tacWanted *wanted, Tcl_Obj *prefix) {
    tacWork work;
    uint64_t *bits = NULL;
    tacTable more = {.nRows = 0}; /* the rows with the column more */
    if (wanted->before && tacChosenFromObj(interp, &r->relation.table, NULL, wanted->before, &more) != TCL_OK)
        return TCL_ERROR;
    const tacTable *table = wanted->before ? &more : &r->relation.table;
    tacFilter *filter = tacFilterFromWords(interp, table, wanted);
    int result = filter ? TCL_OK : TCL_ERROR;
    if (result == TCL_OK && r->tasks) result = addTasks(r, interp, table, filter, &bits);
    if (result == TCL_OK) result = tacWorkBegin(&work, r, interp, prefix, "filtering");
    if (result == TCL_OK)
        result = tacWorkEnd(&work, tacRelationFilter(&r->relation, filter, &work.script.progress, &work.err));
    tacFilterFree(filter);
    tacTableFree(&more);
    tacFree(bits);
    return result;
}

/* Number of the column of exactly this name; -1: there is none. */
static int columnNamed(const tacTable *table, const char *name) {
    int column = table->nColumns - 1;
    while (column >= 0 && strcmp(table->columns[column].name, name) != 0) column--;
    return column;
}

/* Reads what is sorted by: a column, or a list of columns, of which those behind a minus decrease. *n: their number. */
static int keysFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *names, bool decreasing,
    tacSortKey keys[TAC_SORT_KEYS], int *n) {
    Tcl_Size count;
    Tcl_Obj **words;
    keys[0] = (tacSortKey){columnNamed(table, Tcl_GetString(names)), decreasing};
    *n = 1;
    if (keys[0].column >= 0) return TCL_OK;
    if (Tcl_ListObjGetElements(interp, names, &count, &words) != TCL_OK) return TCL_ERROR;
    if (count > TAC_SORT_KEYS)
        return tacTclFail(interp, "USAGE VALUE", "rows can be sorted by %d columns at most", TAC_SORT_KEYS);
    *n = (int) count;
    for (int i = 0; i < *n; i++) {
        const char *word = Tcl_GetString(words[i]);
        Tcl_Obj *name = tacKept(Tcl_NewStringObj(word + (*word == '-'), -1));
        keys[i].decreasing = (*word == '-') != decreasing;
        int result = tacColumnFromObj(interp, table, name, &keys[i].column);
        Tcl_DecrRefCount(name);
        if (result != TCL_OK) return TCL_ERROR;
    }
    return TCL_OK;
}

static int applySort(tacRelationCmd *r, Tcl_Interp *interp, Tcl_Obj *names, bool decreasing, Tcl_Obj *prefix) {
    tacWork work;
    tacSortKey keys[TAC_SORT_KEYS];
    int n = 0;
    if (names && keysFromObj(interp, &r->relation.table, names, decreasing, keys, &n) != TCL_OK) return TCL_ERROR;
    if (tacWorkBegin(&work, r, interp, prefix, "sorting") != TCL_OK) return TCL_ERROR;
    return tacWorkEnd(&work, tacRelationSort(&r->relation, keys, n, &work.script.progress, &work.err));
}

/* Brings the relation up to date: made, filtered, sorted. */
static int refresh(tacRelationCmd *r, Tcl_Interp *interp, Tcl_Obj *prefix) {
    if (r->own) return TCL_OK;
    if (!r->user) return tacTclFail(interp, "TRACE CLOSED", "the trace of this relation was closed");
    if (r->made && (!r->stale || r->working)) return TCL_OK;
    if (r->working) return tacTclFail(interp, "RELATION BUSY", "the relation is being worked on already");
    if (r->made) unmake(r);
    int result = make(r, interp, prefix);
    if (result == TCL_OK && r->made && (r->tasks || !tacWantsAll(&r->wanted)))
        result = applyFilter(r, interp, &r->wanted, prefix);
    if (result == TCL_OK && r->columns && r->made) result = applySort(r, interp, r->columns, r->decreasing, prefix);
    if (result != TCL_OK && r->made && !r->working) unmake(r); /* not half of it: the next question tries again */
    return result == TCL_OK && !r->made ? refresh(r, interp, prefix) : result;
}

/* ---- subcommands ------------------------------------------------------------------------------------------------ */

/* Makes a place the result, or -1 for none (UINT64_MAX). */
static void setPlace(Tcl_Interp *interp, uint64_t place) {
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(place == UINT64_MAX ? -1 : (Tcl_WideInt) place));
}

static int columnsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    (void) objc, (void) objv;
    for (int i = 0; i < r->relation.table.nColumns; i++) {
        const tacColumn *column = &r->relation.table.columns[i];
        const char *const *words = tacColumnWords(&r->relation.table, i);
        Tcl_Obj *dict = Tcl_NewDictObj(), *wordList = Tcl_NewListObj(0, NULL);
        for (; words && *words; words++) tacAppend(wordList, Tcl_NewStringObj(*words, -1));
        tacPutText(dict, "name", column->name);
        tacPutText(dict, "type", tacColumnTypeNames[column->type]);
        tacPutText(dict, "unit", tacColumnUnit(&r->relation.table, i));
        tacPut(dict, "words", wordList);
        tacPutText(dict, "help", column->help);
        tacAppend(list, dict);
    }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int countShown(const tacRelationCmd *r, Tcl_Interp *interp) {
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) r->relation.count));
    return TCL_OK;
}

static int totalSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) r->relation.table.nRows));
    return TCL_OK;
}

/* Reads {first count}: the first place, and the end behind the last one. Places that do not exist are left out, since a
 * view may ask for more than there is. */
static int placesFromObj(
    Tcl_Interp *interp, const tacRelationCmd *r, Tcl_Obj *const words[2], uint64_t *first, uint64_t *end) {
    Tcl_WideInt from, count;
    if (Tcl_GetWideIntFromObj(interp, words[0], &from) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, words[1], &count) != TCL_OK)
        return TCL_ERROR;
    *first = from < 0 ? 0 : (uint64_t) from < r->relation.count ? (uint64_t) from : r->relation.count;
    uint64_t left = r->relation.count - *first;
    *end = *first + (count < 0 ? 0 : (uint64_t) count < left ? (uint64_t) count : left);
    return TCL_OK;
}

static int rowsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    const tacTable *table = &r->relation.table;
    uint64_t place, end;
    (void) objc;
    if (placesFromObj(interp, r, objv + 2, &place, &end) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *rows = Tcl_NewListObj(0, NULL);
    for (; place < end; place++) {
        Tcl_Obj *cells = Tcl_NewListObj(0, NULL);
        for (int column = 0; column < table->nColumns; column++)
            tacAppend(cells, tacTableText(table, tacRelationRow(&r->relation, place), column));
        tacAppend(rows, cells);
    }
    Tcl_SetObjResult(interp, rows);
    return tacTableFailed(table) ? tacTclMemory(interp) : TCL_OK;
}

static uint64_t rowAt(const void *relation, uint64_t place) { return tacRelationRow(relation, place); }

static int dictsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    uint64_t first, end;
    (void) objc;
    if (placesFromObj(interp, r, objv + 2, &first, &end) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *dicts = tacTableDicts(&r->relation.table, rowAt, &r->relation, first, end);
    if (!dicts) return tacTclMemory(interp);
    Tcl_SetObjResult(interp, dicts);
    return TCL_OK;
}

static int idsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    uint64_t place, end;
    (void) objc;
    if (placesFromObj(interp, r, objv + 2, &place, &end) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (; place < end; place++) tacAppend(list, Tcl_NewWideIntObj((Tcl_WideInt) tacRelationId(&r->relation, place)));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int idSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    Tcl_WideInt place;
    (void) objc;
    if (Tcl_GetWideIntFromObj(interp, objv[2], &place) != TCL_OK) return TCL_ERROR;
    if (place < 0 || (uint64_t) place >= r->relation.count)
        return tacTclFail(interp, "LOOKUP PLACE", "there is no place %s", Tcl_GetString(objv[2]));
    setPlace(interp, tacRelationId(&r->relation, (uint64_t) place));
    return TCL_OK;
}

static int placeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    Tcl_WideInt id;
    (void) objc;
    if (Tcl_GetWideIntFromObj(interp, objv[2], &id) != TCL_OK) return TCL_ERROR;
    setPlace(interp, id < 0 ? UINT64_MAX : tacRelationPlace(&r->relation, (uint64_t) id));
    return TCL_OK;
}

static int placesSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    Tcl_Obj **words;
    Tcl_Size n;
    tacError err = {{0}, {0}};
    uint64_t found = 0;
    (void) objc;
    if (Tcl_ListObjGetElements(interp, objv[2], &n, &words) != TCL_OK) return TCL_ERROR;
    uint64_t *room = tacAllocZero((size_t) n + 1, 2 * sizeof *room), *places = room ? room + n : NULL;
    int result = room ? TCL_OK : tacTclMemory(interp);
    for (Tcl_Size i = 0; result == TCL_OK && i < n; i++) {
        Tcl_WideInt id = 0;
        result = Tcl_GetWideIntFromObj(interp, words[i], &id);
        room[i] = id < 0 ? UINT64_MAX : (uint64_t) id; /* no thing has a number below 0 */
    }
    if (result == TCL_OK && tacRelationPlaces(&r->relation, room, (uint64_t) n, places, &found, &err) != TAC_OK)
        result = tacErrorToTcl(interp, &err);
    if (result == TCL_OK) {
        Tcl_Obj *list = Tcl_NewListObj(0, NULL);
        for (uint64_t i = 0; i < found; i++) tacAppend(list, Tcl_NewWideIntObj((Tcl_WideInt) places[i]));
        Tcl_SetObjResult(interp, list);
    }
    tacFree(room);
    return result;
}

typedef struct Options {
    tacWanted wanted; /* the conditions are no option */
    Tcl_Obj *progress, *from;
    bool decreasing, backwards;
} Options;

#define ANY                                                                          \
    {                                                                                \
        "-any", TAC_VALUE_OBJECT, offsetof(Options, wanted.any), NULL, "text", NULL, \
            "rows in which some cell contains the text"                              \
    }
#define LAST \
    { NULL, 0, 0, NULL, NULL, NULL, NULL }
static const tacOptionRow filterRows[] = {ANY,
    {"-before", TAC_VALUE_OBJECT, offsetof(Options, wanted.before), NULL, "list", NULL,
        "name and text of a column more, which has this text in each row, for conditions"},
    TAC_PROGRESS_ROW(Options, progress), TAC_WHERE_ROW(Options, wanted.where), LAST};
static const tacOptionRow countRows[] = {
    ANY, TAC_PROGRESS_ROW(Options, progress), TAC_WHERE_ROW(Options, wanted.where), LAST};
static const tacOptionRow progressRows[] = {TAC_PROGRESS_ROW(Options, progress), LAST};
static const tacOptionRow sortRows[] = {
    {"-decreasing", TAC_VALUE_FLAG, offsetof(Options, decreasing), NULL, NULL, "no", "the largest first"},
    TAC_PROGRESS_ROW(Options, progress), LAST};
static const tacOptionRow findRows[] = {ANY,
    {"-backwards", TAC_VALUE_FLAG, offsetof(Options, backwards), NULL, NULL, "no", "towards the first place"},
    {"-from", TAC_VALUE_OBJECT, offsetof(Options, from), NULL, "place", "0", "where to begin, itself included"},
    TAC_PROGRESS_ROW(Options, progress), TAC_WHERE_ROW(Options, wanted.where), LAST};

int tacProgressOption(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], Tcl_Obj **prefix) {
    Options options = {.progress = NULL};
    int result = tacOptionsParse(interp, progressRows, objc, objv, &options);
    *prefix = options.progress;
    return result;
}

/* Parses conditions and options; the conditions, which may be left out, stand before the options or behind them. */
static int parseWords(Tcl_Interp *interp, const tacOptionRow *rows, int objc, Tcl_Obj *const objv[], Options *options) {
    enum { MOST = 16 };
    Tcl_Obj *words[MOST];
    Tcl_Obj *conditions = NULL;
    int n = 0;
    *options = (Options){.progress = NULL};
    if (objc > MOST) return tacTclFail(interp, "USAGE WORDS", "too many words");
    for (int i = 0; i < objc; i++) {
        const char *text = Tcl_GetString(objv[i]);
        if (text[0] != '-') {
            if (conditions)
                return tacTclFail(interp, "USAGE WORDS", "conditions stand in one list: \"%.100s\" is too much", text);
            conditions = objv[i];
            continue;
        }
        int ignored;
        Tcl_Obj *next = i + 1 < objc ? objv[i + 1] : NULL;
        bool isFlag = text[1] == 'b' && text[2] != 'e'; /* -backwards may go without a value */
        words[n++] = objv[i];
        if (next && (!isFlag || Tcl_GetBooleanFromObj(NULL, next, &ignored) == TCL_OK)) words[n++] = objv[++i];
    }
    int result = tacOptionsParse(interp, rows, n, words, options);
    options->wanted.conditions = conditions;
    return result;
}

static bool isEmpty(Tcl_Obj *value) { return !value || *Tcl_GetString(value) == '\0'; }

/* Keeps the words of the filter, to filter again by them. */
static void keepWanted(tacRelationCmd *r, const tacWanted *wanted) {
    tacReplace(&r->wanted.conditions, isEmpty(wanted->conditions) ? NULL : wanted->conditions);
    tacReplace(&r->wanted.any, isEmpty(wanted->any) ? NULL : wanted->any);
    tacReplace(&r->wanted.where, isEmpty(wanted->where) ? NULL : wanted->where);
    tacReplace(&r->wanted.before, wanted->before);
}

static int filterSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Options options;
    if (parseWords(interp, filterRows, objc - 2, objv + 2, &options) != TCL_OK
        || applyFilter(r, interp, &options.wanted, options.progress) != TCL_OK)
        return TCL_ERROR;
    keepWanted(r, &options.wanted);
    return refresh(r, interp, options.progress) == TCL_OK ? countShown(r, interp) : TCL_ERROR;
}

static int sortSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Options options = {.progress = NULL};
    Tcl_Obj *columns = isEmpty(objv[2]) ? NULL : objv[2];
    if (tacOptionsParse(interp, sortRows, objc - 3, objv + 3, &options) != TCL_OK
        || applySort(r, interp, columns, options.decreasing, options.progress) != TCL_OK)
        return TCL_ERROR;
    tacReplace(&r->columns, columns);
    r->decreasing = options.decreasing;
    return refresh(r, interp, options.progress);
}

/* Makes the relation anew, also when the trace is the same: findings come and go. */
static int refreshSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Options options = {.progress = NULL};
    if (tacOptionsParse(interp, progressRows, objc - 2, objv + 2, &options) != TCL_OK) return TCL_ERROR;
    if (r->working) return tacTclFail(interp, "RELATION BUSY", "the relation is being worked on already");
    if (!r->own) unmake(r);
    return refresh(r, interp, options.progress);
}

static int findSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Options options;
    tacWork work;
    uint64_t place = UINT64_MAX;
    Tcl_WideInt from = 0;
    if (parseWords(interp, findRows, objc - 2, objv + 2, &options) != TCL_OK) return TCL_ERROR;
    tacFilter *filter = tacFilterFromWords(interp, &r->relation.table, &options.wanted);
    int result = filter ? TCL_OK : TCL_ERROR;
    if (result == TCL_OK && options.from) result = Tcl_GetWideIntFromObj(interp, options.from, &from);
    if (result == TCL_OK && (from >= 0 || !options.backwards)) { /* else there is nothing before the first place */
        result = tacWorkBegin(&work, r, interp, options.progress, "searching");
        if (result == TCL_OK)
            result = tacWorkEnd(&work,
                tacRelationFind(&r->relation, from < 0 ? 0 : (uint64_t) from, options.backwards, filter, &place,
                    &work.script.progress, &work.err));
    }
    if (result == TCL_OK) setPlace(interp, place);
    tacFilterFree(filter);
    return result;
}

/* Counts the rows shown, or those of them that fit a filter. */
static int countSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Options options;
    tacWork work;
    uint64_t count = 0;
    if (parseWords(interp, countRows, objc - 2, objv + 2, &options) != TCL_OK) return TCL_ERROR;
    if (tacWantsAll(&options.wanted)) return countShown(r, interp);
    tacFilter *filter = tacFilterFromWords(interp, &r->relation.table, &options.wanted);
    int result = filter ? tacWorkBegin(&work, r, interp, options.progress, "counting") : TCL_ERROR;
    if (result == TCL_OK)
        result = tacWorkEnd(&work, tacRelationCount(&r->relation, filter, &count, &work.script.progress, &work.err));
    if (result == TCL_OK) Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) count));
    tacFilterFree(filter);
    return result;
}

static int closeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacRelationCmd *r = data;
    (void) objc, (void) objv;
    Tcl_DeleteCommandFromToken(interp, r->token);
    return TCL_OK;
}

const tacSubcommand tacRelationSubcommands[] = {
    {"close", closeSub, 0, 0, NULL, "frees the relation and deletes the command"},
    {"columns", columnsSub, 0, 0, NULL, "name, type and help of each column"},
    {"copy", tacRelationCopySub, 0, -1, "?-option value ...?", "rows shown as a relation that needs no trace"},
    {"count", countSub, 0, -1, "?conditions? ?-option value ...?", "rows that pass the filter, or another one on top"},
    {"dicts", dictsSub, 2, 2, "first count", "rows at places in a row as dicts by column, numbers not rounded"},
    {"filter", filterSub, 0, -1, "?conditions? ?-option value ...?", "shows only rows that meet all conditions"},
    {"find", findSub, 0, -1, "?conditions? ?-option value ...?", "place of the first row that meets all conditions"},
    {"first", tacRelationFirstSub, 1, -1, "n ?columns? ?-progress prefix?",
        "shows only the first n rows, or n of each group of rows that are equal in columns"},
    {"grid", tacRelationGridSub, 4, -1, "xcolumn xbins ycolumn ybins ?-progress prefix?",
        "counts rows by bins of two columns"},
    {"group", tacRelationGroupSub, 2, -1, "columns figures ?-progress prefix?",
        "a relation of the groups of rows that are equal in columns"},
    {"histogram", tacRelationHistogramSub, 2, -1, "column bins ?-progress prefix?", "counts rows by bins of a column"},
    {"id", idSub, 1, 1, "place", "number of the thing at a place"},
    {"ids", idsSub, 2, 2, "first count", "numbers of the things at places in a row"},
    {"place", placeSub, 1, 1, "id", "place of the thing with a number"},
    {"places", placesSub, 1, 1, "ids", "places of things with these numbers"},
    {"refresh", refreshSub, 0, -1, "?-progress prefix?", "makes it anew, with the same filter and order"},
    {"rows", rowsSub, 2, 2, "first count", "cells of the rows at places in a row"},
    {"sample", tacRelationSampleSub, 2, -1, "column count ?-progress prefix?",
        "values of a column at equal distances of rank"},
    {"sort", sortSub, 1, -1, "columns ?-option value ...?", "puts rows in the order of columns"},
    {"statistics", tacRelationStatisticsSub, 1, -1, "column ?-progress prefix?",
        "least, greatest, average, ranks and sum of a column"},
    {"total", totalSub, 0, 0, NULL, "rows without the filter"},
    {"write", tacRelationWriteSub, 0, -1, "?-option value ...?", "rows as text, to a channel or as the result"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

/* ---- the command ------------------------------------------------------------------------------------------------ */

static void freeRelation(char *block) {
    tacRelationCmd *r = (tacRelationCmd *) (void *) block;
    unmake(r);
    tacTraceRelease(r->user);
    keepWanted(r, &(tacWanted){0});
    tacReplace(&r->columns, NULL);
    tacReplace(&r->tasks, NULL);
    tacFree(r);
}

static void onDelete(ClientData data) { Tcl_EventuallyFree(data, freeRelation); }

/* Runs a subcommand. The relation is brought up to date before, but for `close`, which also works when the trace has
 * gone, and `refresh`. */
static int run(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const char *word = objc > 1 ? Tcl_GetString(objv[1]) : "";
    bool asItIs = strcmp(word, "refresh") == 0 || (objc == 2 && strcmp(word, "close") == 0);
    Tcl_Preserve(data);
    int result = asItIs ? TCL_OK : refresh(data, interp, NULL);
    if (result == TCL_OK) result = tacDispatch(data, interp, objc, objv, tacRelationSubcommands);
    Tcl_Release(data);
    return result;
}

tacRelationCmd *tacRelationOfCommand(Tcl_Interp *interp, const char *name) {
    Tcl_CmdInfo info;
    return Tcl_GetCommandInfo(interp, name, &info) && info.objProc == run ? info.objClientData : NULL;
}

/* Makes the command of the relation. */
static void publish(tacRelationCmd *r, Tcl_Interp *interp) {
    char name[40];
    tacNewCommandName(interp, "::tactus::relation", name);
    r->token = Tcl_CreateObjCommand(interp, name, run, r, onDelete);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
}

/* ---- of a trace ------------------------------------------------------------------------------------------------- */

typedef struct Making {
    tacWindowValue window;
    Tcl_Obj *progress, *tasks;
    tacWanted wanted;
} Making;

static const tacOptionRow makingRows[] = {TAC_WINDOW_ROWS(Making, window), TAC_PROGRESS_ROW(Making, progress),
    {"-tasks", TAC_VALUE_OBJECT, offsetof(Making, tasks), NULL, "list", NULL,
        "of jobs: only those of the tasks that these ids, names and patterns mean"},
    TAC_WHERE_ROW(Making, wanted.where), LAST};

int tacRelationSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceCall *call = data;
    Making making = {.progress = NULL};
    int kind;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], tacRelationKinds, sizeof *tacRelationKinds, "relation", 0, &kind)
            != TCL_OK
        || tacOptionsParse(interp, makingRows, objc - 3, objv + 3, &making) != TCL_OK)
        return TCL_ERROR;
    if ((making.window.from.given || making.window.to.given) && !tacRelationKinds[kind].windowed)
        return tacTclFail(interp, "USAGE WINDOW", "the relation \"%s\" has no window", tacRelationKinds[kind].name);
    if (making.tasks && strcmp(tacRelationKinds[kind].name, "jobs") != 0)
        return tacTclFail(interp, "USAGE TASKS", "-tasks chooses jobs, not %s", tacRelationKinds[kind].name);
    tacRelationCmd *r = tacAllocZero(1, sizeof *r);
    if (r) {
        *r = (tacRelationCmd){.interp = interp, .kind = &tacRelationKinds[kind], .window = making.window};
        keepWanted(r, &making.wanted);
        tacReplace(&r->tasks, making.tasks);
        r->user = tacTraceUseRecord(call->record, onTraceChanged, r);
    }
    int result = r && r->user ? refresh(r, interp, making.progress) : tacTclMemory(interp);
    if (result == TCL_OK) return publish(r, interp), TCL_OK;
    if (r) freeRelation((char *) r);
    return TCL_ERROR;
}

/* ---- of a table of its own ------------------------------------------------------------------------------------- */

int tacOwnRelation(Tcl_Interp *interp, tacTable *table, const tacWanted *wanted) {
    tacRelationCmd *r = tacAllocZero(1, sizeof *r);
    if (!r) return tacTableFree(table), tacTclMemory(interp);
    *r = (tacRelationCmd){.interp = interp, .own = true, .made = true};
    tacRelationInit(&r->relation, table);
    keepWanted(r, wanted);
    if (tacWantsAll(&r->wanted) || applyFilter(r, interp, &r->wanted, NULL) == TCL_OK)
        return publish(r, interp), TCL_OK;
    freeRelation((char *) r);
    return TCL_ERROR;
}

/* ---- of values from Tcl ----------------------------------------------------------------------------------------- */

typedef struct ListMaking {
    Tcl_Obj *ids;
    const char *unit;
    tacWanted wanted;
} ListMaking;

static const tacOptionRow listRows[] = {{"-ids", TAC_VALUE_OBJECT, offsetof(ListMaking, ids), NULL, "list", NULL,
                                            "numbers of what the rows are about, all different; default: the rows "
                                            "are numbered from 0"},
    {"-unit", TAC_VALUE_TEXT, offsetof(ListMaking, unit), NULL, "name", NULL, "unit of the times: s, ms, us or ns"},
    TAC_WHERE_ROW(ListMaking, wanted.where), LAST};

int tacListRelationCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    ListMaking making = {.ids = NULL};
    tacTable table;
    (void) data;
    if (objc < 3) {
        Tcl_WrongNumArgs(interp, 1, objv, "columns rows ?-option value ...?");
        return TCL_ERROR;
    }
    if (tacOptionsParse(interp, listRows, objc - 3, objv + 3, &making) != TCL_OK
        || tacListTable(interp, objv[1], objv[2], making.ids, making.unit, &table) != TCL_OK)
        return TCL_ERROR;
    return tacOwnRelation(interp, &table, &making.wanted);
}
