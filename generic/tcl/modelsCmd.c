/*
 * modelsCmd.c -- what models of expected behaviour did in a trace, as Tcl commands.
 *
 *      $trace models STATEMENTS ...            states, transitions, how often each was taken and how it was judged
 *      $trace strips STATEMENTS INDICES ...    the states of single instances, over time
 */
#include <tcl.h>

#include "base/port.h"

#include "base/sort.h"
#include "judge/modelTable.h"
#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/relationPart.h"
#include "tcl/statementList.h"
#include "tcl/text.h"
#include "tcl/timeValue.h"
#include "tcl/traceSubcommands.h"

#include <string.h>

/* ---- models ------------------------------------------------------------------------------------------------------ */

static const char *const eachWords[] = {
    [TAC_EACH_TRACE] = "trace", [TAC_EACH_PROCESSOR] = "processor", [TAC_EACH_TASK] = "task", [TAC_EACH_JOB] = "job"};

static Tcl_Obj *wordObj(const tacWord *word) { return tacTextToObj(word->at, word->length); }

static void putVerdicts(Tcl_Obj *dict, const uint64_t counts[TAC_VERDICTS]) {
    for (int i = 0; i < TAC_VERDICTS; i++) tacPutCount(dict, tacVerdictNames[i], counts[i]);
}

static Tcl_Obj *testObj(const tacRelationTest *test) {
    return Tcl_ObjPrintf("%s %s %s", test->left.text, tacComparisonWords[test->op], test->right.text);
}

/* What must hold in a state: text, place, and in how many stays it was violated or not known. */
static Tcl_Obj *invariantsObj(const tacAutomaton *a, uint32_t state, const tacModelTally *tally) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < a->invariants.count; i++) {
        const tacInvariant *invariant = &a->invariants.at[i];
        if (invariant->state != state) continue;
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPut(dict, "text",
            invariant->never ? Tcl_ObjPrintf("never %s", tacStateNames[invariant->jobState])
                             : testObj(&invariant->test));
        tacPutText(dict, "place", invariant->statement->place);
        tacPutCount(dict, "uncertain", tally->stays[i][TAC_VERDICT_UNCERTAIN]);
        tacPutCount(dict, "invalid", tally->stays[i][TAC_VERDICT_INVALID]);
        tacAppend(list, dict);
    }
    return list;
}

static Tcl_Obj *statesObj(const tacAutomaton *a, const tacModelTally *tally) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < tacInternCount(&a->states); i++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        size_t length;
        const char *name = tacInternName(&a->states, i, &length);
        tacPut(dict, "name", tacTextToObj(name, length));
        tacPutFlag(dict, "initial", i == a->initial);
        tacPutFlag(dict, "final", a->final.at[i]);
        tacPut(dict, "constraints", invariantsObj(a, i, tally));
        tacAppend(list, dict);
    }
    return list;
}

/* The constraints of a transition: text, place, the number of its column in the table of instances, and how often they
 * had each verdict. */
static Tcl_Obj *constraintsObj(const tacTransition *transition, const tacModelTally *tally) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < transition->actions.count; i++) {
        const tacAction *action = &transition->actions.at[i];
        if (action->kind != TAC_ACTION_REQUIRE) continue;
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPut(dict, "text", testObj(&action->test));
        tacPutText(dict, "place", action->statement->place);
        tacPutCount(dict, "number", (uint64_t) action->constraint + 1);
        putVerdicts(dict, tally->judged[action->constraint]);
        tacAppend(list, dict);
    }
    return list;
}

static Tcl_Obj *nameObj(const tacInternTable *names, uint32_t id) {
    size_t length;
    const char *name = tacInternName(names, id, &length);
    return tacTextToObj(name, length);
}

/* Does the event of a transition violate the model? */
static bool isUnexpected(const tacTransition *transition) {
    bool unexpected = false;
    for (size_t i = 0; i < transition->actions.count; i++)
        unexpected |= transition->actions.at[i].kind == TAC_ACTION_UNEXPECTED;
    return unexpected;
}

static Tcl_Obj *transitionsObj(const tacAutomaton *a, const tacModelTally *tally) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < a->transitions.count; i++) {
        const tacTransition *transition = &a->transitions.at[i];
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPut(dict, "from", nameObj(&a->states, transition->from));
        tacPut(dict, "to", nameObj(&a->states, transition->to));
        tacPut(dict, "event", wordObj(&transition->trigger.pattern.text));
        tacPut(dict, "guard", transition->guarded ? testObj(&transition->guard) : Tcl_NewObj());
        tacPutText(dict, "place", transition->statement->place);
        tacPutFlag(dict, "unexpected", isUnexpected(transition));
        tacPutCount(dict, "taken", tally->edges[i].taken);
        tacPutCount(dict, "instances", tally->edges[i].instances);
        tacPut(dict, "constraints", constraintsObj(transition, tally));
        tacAppend(list, dict);
    }
    return list;
}

static Tcl_Obj *modelObj(const tacModelSeen *seen, const tacStatement *all) {
    static const uint64_t none[TAC_VERDICTS];
    const tacAutomaton *a = seen->automaton;
    Tcl_Obj *dict = Tcl_NewDictObj(), *instances = Tcl_NewDictObj(), *statements = Tcl_NewListObj(0, NULL);
    tacPut(dict, "name", wordObj(&seen->statement->words[1]));
    tacPutText(dict, "place", seen->statement->place);
    tacPutText(dict, "missing", a ? NULL : seen->missing);
    tacPut(dict, "unjudged", a ? wordObj(&a->unjudged) : Tcl_NewObj());
    tacPutText(dict, "each", a ? eachWords[a->each] : NULL);
    tacPut(dict, "key", a ? wordObj(&a->key) : Tcl_NewObj());
    tacPutFlag(dict, "strict", a && a->strict);
    tacPut(dict, "states", a ? statesObj(a, seen->tally) : Tcl_NewListObj(0, NULL));
    tacPut(dict, "transitions", a ? transitionsObj(a, seen->tally) : Tcl_NewListObj(0, NULL));
    putVerdicts(instances, a ? seen->tally->verdicts : none);
    tacPut(dict, "instances", instances);
    tacPutCount(dict, "first", seen->first);
    tacAppend(statements, Tcl_NewWideIntObj(seen->statement - all));
    tacAppend(statements, Tcl_NewWideIntObj((Tcl_WideInt) seen->count));
    tacPut(dict, "statements", statements);
    return dict;
}

typedef struct ModelsOptions {
    bool instances;
    Tcl_Obj *progress;
} ModelsOptions;

static const tacOptionRow modelsRows[] = {
    {"-instances", TAC_VALUE_FLAG, offsetof(ModelsOptions, instances), NULL, NULL, "no",
        "also makes a relation of their instances"},
    TAC_PROGRESS_ROW(ModelsOptions, progress),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

typedef struct Taken {
    const tacModel *model;
    const tacStatement *statements;
    Tcl_Obj *list;
} Taken;

static tacStatus takeModels(
    void *data, const tacModelSeen *models, size_t n, const tacStrip *strips, size_t nStrips, tacError *err) {
    const Taken *taken = data;
    (void) strips, (void) nStrips, (void) err;
    for (size_t i = 0; i < n; i++) tacAppend(taken->list, modelObj(&models[i], taken->statements));
    return TAC_OK;
}

/* Follows the models, with progress. */
static int followModels(Tcl_Interp *interp, const tacTrace *trace, Tcl_Obj *list, Tcl_Obj *prefix,
    const tacStripWish *wish, tacModelsTaker *take, Taken *taken, tacTable *instances) {
    tacStatementList statements;
    tacProgressScript script;
    tacError err = {{0}, {0}};
    int code = tacStatementListRead(interp, list, &statements);
    if (code == TCL_OK) {
        taken->model = &trace->model;
        taken->statements = statements.all;
        tacProgressScriptInit(&script, interp, prefix, "judging", tacStoreCount(&trace->store));
        Tcl_Preserve(interp);
        tacStatus status = tacJudgeModels(&trace->model, statements.all, (size_t) statements.count, &script.progress,
            wish, take, taken, instances, &err);
        code = tacProgressScriptEnd(&script, status, &err);
        if (status == TAC_OK && code != TCL_OK && instances) tacTableFree(instances);
        Tcl_Release(interp);
    }
    tacStatementListFree(&statements);
    return code;
}

int tacModelsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTrace *trace = ((tacTraceCall *) data)->trace;
    ModelsOptions options = {0};
    tacTable table;
    if (tacOptionsParse(interp, modelsRows, objc - 3, objv + 3, &options) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *models = tacKept(Tcl_NewListObj(0, NULL)), *result = tacKept(Tcl_NewDictObj());
    Taken taken = {.list = models};
    tacWanted all = {0};
    int code = followModels(
        interp, trace, objv[2], options.progress, NULL, takeModels, &taken, options.instances ? &table : NULL);
    if (code == TCL_OK && options.instances) code = tacOwnRelation(interp, &table, &all);
    if (code == TCL_OK) {
        tacPut(result, "models", models);
        if (options.instances) tacPut(result, "instances", Tcl_GetObjResult(interp));
        Tcl_SetObjResult(interp, result);
    }
    Tcl_DecrRefCount(models);
    Tcl_DecrRefCount(result);
    return code;
}

/* ---- strips ------------------------------------------------------------------------------------------------------ */

typedef struct StripOptions {
    tacWindowValue window;
    int64_t most;
    Tcl_Obj *progress;
} StripOptions;

static const tacOptionRow stripRows[] = {
    TAC_WINDOW_ROWS(StripOptions, window),
    {"-most", TAC_VALUE_COUNT, offsetof(StripOptions, most), NULL, "n", "1000",
        "at most so many stretches of an instance: where there are more, short ones are joined"},
    TAC_PROGRESS_ROW(StripOptions, progress),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

static Tcl_Obj *stripObj(const tacModel *model, const tacStrip *strip, const tacAutomaton *a) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *stretches = Tcl_NewListObj(0, NULL);
    int digits = model->store->digits;
    for (size_t i = 0; i < strip->stretches.count; i++) {
        const tacStateStretch *stretch = &strip->stretches.at[i];
        tacAppend(stretches, stretch->state == TAC_NONE ? Tcl_NewObj() : nameObj(&a->states, stretch->state));
        tacAppend(stretches, tacTimeValueObj(stretch->begin, digits));
        tacAppend(stretches, tacTimeValueObj(stretch->end, digits));
    }
    tacPutCount(dict, "index", strip->index);
    tacPut(dict, "model", wordObj(&a->name));
    if (strip->key) tacPut(dict, "key", tacTextToObj(strip->key, strlen(strip->key)));
    else tacPutText(dict, "key", a->each == TAC_EACH_TRACE ? NULL : tacEachId(model, a->each, strip->object));
    tacPutTime(dict, "begin", model, strip->begin);
    tacPutTime(dict, "end", model, strip->end);
    tacPutText(dict, "verdict", tacVerdictNames[strip->verdict]);
    tacPutTime(dict, "grain", model, strip->grain);
    tacPut(dict, "stretches", stretches);
    return dict;
}

static tacStatus takeStrips(
    void *data, const tacModelSeen *models, size_t n, const tacStrip *strips, size_t nStrips, tacError *err) {
    const Taken *taken = data;
    (void) err;
    for (size_t i = 0; i < nStrips; i++) {
        size_t k = 0, left = strips[i].automaton;
        if (left == SIZE_MAX) continue;
        while (k < n && (!models[k].automaton || left-- > 0)) k++;
        tacAppend(taken->list, stripObj(taken->model, &strips[i], models[k].automaton));
    }
    return TAC_OK;
}

static int compareIndices(const void *left, const void *right, const void *data) {
    uint64_t a = *(const uint64_t *) left, b = *(const uint64_t *) right;
    (void) data;
    return a < b ? -1 : a > b;
}

/* Reads numbers of rows in ascending order, each once; free them in any case. */
static int indicesFromObj(Tcl_Interp *interp, Tcl_Obj *list, uint64_t **indices, size_t *n) {
    Tcl_Size count;
    Tcl_Obj **words;
    *n = 0;
    *indices = NULL;
    if (Tcl_ListObjGetElements(interp, list, &count, &words) != TCL_OK) return TCL_ERROR;
    *indices = tacAlloc(((size_t) count + 1) * sizeof **indices);
    if (!*indices) return tacTclMemory(interp);
    for (Tcl_Size i = 0; i < count; i++) {
        Tcl_WideInt wide;
        if (Tcl_GetWideIntFromObj(interp, words[i], &wide) != TCL_OK) return TCL_ERROR;
        if (wide < 0) return tacTclFail(interp, "USAGE", "an index of an instance must not be negative");
        (*indices)[i] = (uint64_t) wide;
    }
    if (!tacSort(*indices, (size_t) count, sizeof **indices, compareIndices, NULL, NULL)) return tacTclMemory(interp);
    for (Tcl_Size i = 0; i < count; i++)
        if (!*n || (*indices)[*n - 1] != (*indices)[i]) (*indices)[(*n)++] = (*indices)[i];
    return TCL_OK;
}

int tacStripsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    enum { MOST = 1000000 };
    const tacTrace *trace = ((tacTraceCall *) data)->trace;
    StripOptions options = {.most = 1000};
    tacEventWindow window;
    uint64_t *indices = NULL;
    size_t n;
    if (tacOptionsParse(interp, stripRows, objc - 4, objv + 4, &options) != TCL_OK
        || tacWindowTicks(interp, &options.window, trace->model.store->digits, &window) != TCL_OK)
        return TCL_ERROR;
    if (options.most < 2 || options.most > MOST)
        return tacTclFail(interp, "USAGE VALUE", "-most must be from 2 to %d", (int) MOST);
    Taken taken = {.list = tacKept(Tcl_NewListObj(0, NULL))};
    int code = indicesFromObj(interp, objv[3], &indices, &n);
    tacStripWish wish = {indices, n, window.from, window.to, (size_t) options.most};
    if (code == TCL_OK) code = followModels(interp, trace, objv[2], options.progress, &wish, takeStrips, &taken, NULL);
    if (code == TCL_OK) Tcl_SetObjResult(interp, taken.list);
    Tcl_DecrRefCount(taken.list);
    tacFree(indices);
    return code;
}
