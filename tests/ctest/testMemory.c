/*
 * testMemory.c -- operations with the Nth allocation failing (base/mem.h): `testMemory OPERATION TEXT N ?script?`; the
 * operation "file" opens the file that the text names.
 *
 * The result is {outcome calls}: outcome is "same" (as without failures), "remark" (a usable trace whose diagnostics
 * have an error more), the error's code, or what is wrong; calls counts the allocations asked for, so that the test
 * knows when N is beyond the last one. All allocations from the Nth on fail; with -N only that one. With `script` true
 * the trace goes through the sandbox, in this process. Leaks are not looked for here, but by the sanitizers and
 * valgrind when they run the tests.
 *
 * `testMemoryScript PREPARE SCRIPT N` does the same with Tcl scripts, in an interpreter of their own that has the
 * commands of the package; the Nth allocation of SCRIPT fails. The result is {status result errorCode calls}.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/phase.h"
#include "analysis/stats.h"
#include "base/mem.h"
#include "model/query.h"
#include "open/open.h"
#include "relation/aggregate.h"
#include "tcl/commands.h"
#include "tcl/dispatch.h"
#include "tcl/drawing.h"
#include "tcl/object.h"
#include "trace/dump.h"
#include "view/sheet.h"

#include <stdio.h>
#include <string.h>

/* A sum over times, events and objects of all rows. */
static uint64_t sumRows(const tacStore *store) {
    uint64_t sum = 0;
    for (uint32_t row = 0; row < tacStoreCount(store); row++) {
        sum = 31 * sum + (uint64_t) tacRowTime(store, row);
        sum = 31 * sum + (uint64_t) tacRowEvent(store, row);
        sum = 31 * sum + tacRowSubject(store, row);
        sum = 31 * sum + tacRowObject(store, row);
    }
    return sum;
}

/* What of a trace must not differ silently. */
static void sign(const tacTrace *trace, char *text, size_t size) {
    const tacModel *model = &trace->model;
    size_t slices = 0, holds = 0, points = 0, marks = 0;
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_TASK); i++) {
        slices += model->tasks[i].slices.count;
        holds += model->tasks[i].holds.count;
        marks += model->tasks[i].arrows.count + model->tasks[i].notes.count;
    }
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_SERVER); i++) points += model->servers[i].points.count;
    snprintf(text, size,
        "%u rows, sum %llx, %zu jobs %zu slices %zu holds %zu points %zu marks %zu messages %zu remarks %d digits",
        tacStoreCount(&trace->store), (unsigned long long) sumRows(&trace->store), model->jobs.count, slices, holds,
        points, marks, model->messages.count, trace->diag.remarks.count, trace->store.digits);
}

typedef struct Outcome {
    char text[256];
    uint64_t errors;
    tacError err;
} Outcome;

static tacTrace *openText(const char *text, size_t length, bool script, tacError *err) {
    tacOpenOptions options = {.read = {.scriptOnly = script, .inProcess = true}};
    return tacTraceOpenText("text", text, length, &options, err);
}

static void describe(tacTrace *trace, Outcome *result) {
    if (!trace) return;
    sign(trace, result->text, sizeof result->text);
    result->errors = tacDiagErrors(&trace->diag);
    while (tacTraceCloseSome(trace, 2)) {}
    tacTraceClose(trace);
}

static void runOpen(const char *text, size_t length, bool script, Outcome *result) {
    describe(openText(text, length, script, &result->err), result);
}

static void runFile(const char *text, size_t length, bool script, Outcome *result) {
    (void) length, (void) script;
    describe(tacTraceOpen(text, NULL, &result->err), result);
}

static bool discard(void *data, const char *bytes, size_t n) {
    (void) data, (void) bytes, (void) n;
    return true;
}

/* Every query and table that needs memory; the failures begin after the opening. */
static tacStatus queryAll(const tacTrace *trace, tacError *err) {
    const tacModel *model = &trace->model;
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_BUFFER); i++) {
        uint32_t *data, count;
        int64_t capacity;
        if (tacQueryBuffer(model, i, model->end, &data, &count, &capacity, err) != TAC_OK) return TAC_ERROR;
        tacFree(data);
    }
    for (int of = 0; of < TAC_STATS_KINDS; of++) {
        tacTable table;
        if (tacStats(model, (tacStatsOf) of, TAC_UNKNOWN, TAC_UNKNOWN, NULL, &table, err) != TAC_OK) return TAC_ERROR;
        tacTableFree(&table);
    }
    return tacDump(&trace->store, TAC_UNKNOWN, TAC_UNKNOWN, discard, NULL, err);
}

/* The phases of all jobs, drawn and cut: what failed is known at the end. */
static tacStatus drawPhases(const tacModel *model, tacSheet *sheet, tacError *err) {
    tacLook look = tacLookDefault();
    tacPoint corners[5] = {{-5, -5}, {50, 5}, {200, 30}, {20, 200}, {-50, 20}};
    sheet->clip = (tacBox){0, 0, 100, 100};
    sheet->clipped = true;
    look.fill = 0;
    for (uint32_t job = 0; job < model->jobs.count; job++) {
        tacJobPhaseList phases = {.cut = false};
        tacJobPhases(model, job, 100, &phases);
        look.tag = tacSheetTag(sheet, tacObjectId(model->store, TAC_JOB, model->jobs.at[job].id), 3);
        for (size_t i = 0; i < phases.list.count; i++)
            tacSheetRect(sheet, &look, (double) i, job, (double) i + 0.5, job + 0.5);
        if (phases.failed) sheet->display.failed = true;
        tacJobPhasesFree(&phases);
    }
    tacSheetPath(sheet, &look, corners, 5, true);
    tacSheetPath(sheet, &look, corners, 5, false);
    tacSheetText(sheet, &look, 5, 5, "a text that is cut", 18, 40, &tacMeasureFixed);
    tacSheetFind(sheet, 5, 5, 1, &tacMeasureFixed);
    return sheet->display.failed ? tacFailMemory(err) : TAC_OK;
}

/* Bins, grid and sample of the jobs' responses. */
static tacStatus countAll(const tacRelation *relation, tacError *err) {
    enum { RELEASE = 3, RESPONSE = 6 };
    tacBins bins = {0, 100, 10, false};
    tacHistogram histogram = {.total = 0};
    tacGrid grid = {.total = 0};
    tacSample sample = {.count = 0};
    bool done = tacRelationHistogram(relation, RESPONSE, &bins, &histogram, NULL, err) == TAC_OK
        && tacRelationGrid(relation, RELEASE, &bins, RESPONSE, &bins, &grid, NULL, err) == TAC_OK
        && tacRelationSample(relation, RESPONSE, 7, &sample, NULL, err) == TAC_OK;
    tacHistogramFree(&histogram);
    tacGridFree(&grid);
    tacSampleFree(&sample);
    return done ? TAC_OK : TAC_ERROR;
}

static tacStatus viewAll(const tacTrace *trace, tacError *err) {
    tacSheet sheet;
    tacTable table;
    tacRelation relation;
    tacSheetInit(&sheet);
    sheet.display.fontSize = 8;
    tacStatus status = drawPhases(&trace->model, &sheet, err);
    tacSheetFree(&sheet);
    if (status != TAC_OK
        || tacStats(&trace->model, TAC_STATS_JOBS, TAC_UNKNOWN, TAC_UNKNOWN, NULL, &table, err) != TAC_OK)
        return TAC_ERROR;
    tacRelationInit(&relation, &table);
    status = countAll(&relation, err);
    tacRelationFree(&relation);
    return status;
}

static int64_t failFrom; /* of runAsk: set by the command */

/* The nth allocation fails, and all later ones; -n: only that one. */
static void fail(int64_t n) { n < 0 ? tacMemFailOnce((uint64_t) -n) : tacMemFailAt((uint64_t) n); }

static void runAsk(
    const char *text, size_t length, bool script, Outcome *result, tacStatus (*ask)(const tacTrace *, tacError *)) {
    tacTrace *trace = openText(text, length, script, &result->err);
    if (!trace) return;
    fail(failFrom);
    if (ask(trace, &result->err) == TAC_OK) strcpy(result->text, "answered");
    tacTraceClose(trace);
}

static void runQuery(const char *text, size_t length, bool script, Outcome *result) {
    runAsk(text, length, script, result, queryAll);
}

static void runView(const char *text, size_t length, bool script, Outcome *result) {
    runAsk(text, length, script, result, viewAll);
}

static const char *judge(const Outcome *expected, const Outcome *got) {
    if (!got->text[0]) return got->err.code[0] ? got->err.code : "no error said";
    if (strcmp(expected->text, got->text) == 0) return "same";
    return got->errors > expected->errors ? "remark" : got->text;
}

static int memoryCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const names[] = {"open", "file", "query", "view", NULL};
    static void (*const runs[])(const char *, size_t, bool, Outcome *) = {runOpen, runFile, runQuery, runView};
    int which, length, script = 0;
    Tcl_WideInt n;
    Outcome expected = {0}, got = {0};
    (void) data;
    if (objc < 4 || objc > 5) return Tcl_WrongNumArgs(interp, 1, objv, "operation text n ?script?"), TCL_ERROR;
    if (Tcl_GetIndexFromObj(interp, objv[1], names, "operation", 0, &which) != TCL_OK
        || Tcl_GetWideIntFromObj(interp, objv[3], &n) != TCL_OK
        || (objc == 5 && Tcl_GetBooleanFromObj(interp, objv[4], &script) != TCL_OK))
        return TCL_ERROR;
    const char *text = Tcl_GetStringFromObj(objv[2], &length);
    void (*run)(const char *, size_t, bool, Outcome *) = runs[which];
    failFrom = 0;
    run(text, (size_t) length, script, &expected);
    failFrom = n;
    fail(which < 2 ? n : 0);
    run(text, (size_t) length, script, &got);
    uint64_t calls = tacMemCalls();
    tacMemFailAt(0);
    Tcl_SetObjResult(interp, Tcl_ObjPrintf("{%s} %d", judge(&expected, &got), (int) calls));
    return TCL_OK;
}

/* ---- scripts ---- */

static Tcl_Interp *newInterpreter(void) {
    Tcl_Interp *interp = Tcl_CreateInterp();
    Tcl_CreateNamespace(interp, "::tactus", NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::describe", tacDescribeCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::drawing", tacDrawingCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::expectation", tacExpectationCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::guessMap", tacGuessMapCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::object", tacObjectCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::open", tacOpenCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::openText", tacOpenTextCmd, NULL, NULL);
    return interp;
}

static Tcl_Obj *errorCodeOf(Tcl_Interp *interp, int status) {
    Tcl_Obj *code = status == TCL_OK ? NULL : Tcl_GetVar2Ex(interp, "errorCode", NULL, TCL_GLOBAL_ONLY);
    return code ? code : Tcl_NewObj();
}

static int scriptCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt n;
    (void) data;
    if (objc != 4) return Tcl_WrongNumArgs(interp, 1, objv, "prepare script n"), TCL_ERROR;
    if (Tcl_GetWideIntFromObj(interp, objv[3], &n) != TCL_OK) return TCL_ERROR;
    Tcl_Interp *own = newInterpreter();
    if (Tcl_EvalEx(own, Tcl_GetString(objv[1]), -1, TCL_EVAL_GLOBAL) != TCL_OK) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj(Tcl_GetStringResult(own), -1));
        Tcl_DeleteInterp(own);
        return TCL_ERROR;
    }
    fail(n);
    int status = Tcl_EvalEx(own, Tcl_GetString(objv[2]), -1, TCL_EVAL_GLOBAL);
    uint64_t calls = tacMemCalls();
    tacMemFailAt(0);
    Tcl_Obj *words[] = {Tcl_NewIntObj(status), Tcl_NewStringObj(Tcl_GetStringResult(own), -1), errorCodeOf(own, status),
        Tcl_NewWideIntObj((Tcl_WideInt) calls)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(4, words));
    Tcl_DeleteInterp(own);
    return TCL_OK;
}

/* ---- blocks ---- */

enum { BLOCKS = 24, SPREAD = 50000, LARGEST = 5 * TAC_LARGE_BLOCK };

typedef struct Block {
    unsigned char *at;
    size_t bytes;
    unsigned char seed;
} Block;

static unsigned char markOf(const Block *block, size_t i) { return (unsigned char) (block->seed + i / SPREAD); }

/* Marks bytes [from, block->bytes) here and there. */
static void mark(Block *block, size_t from) {
    for (size_t i = (from + SPREAD - 1) / SPREAD * SPREAD; i < block->bytes; i += SPREAD)
        block->at[i] = markOf(block, i);
}

/* Are the marks of the first `bytes` there? */
static bool isMarked(const Block *block, size_t bytes) {
    for (size_t i = 0; i < bytes; i += SPREAD)
        if (block->at[i] != markOf(block, i)) return false;
    return true;
}

static uint32_t nextRandom(uint32_t *seed) { return *seed = *seed * 1664525 + 1013904223, *seed >> 8; }

/* What is wrong with a block after it got a size, at first as zeros; NULL: nothing. */
static const char *resizeBlock(Block *block, size_t bytes, bool zero) {
    size_t kept = bytes < block->bytes ? bytes : block->bytes;
    unsigned char *at = zero ? tacAllocZero(1, bytes) : tacRealloc(block->at, bytes);
    if (!at) return "no memory";
    for (size_t i = 0; zero && i < bytes; i += SPREAD)
        if (at[i]) return "not zero";
    if (zero) tacFree(block->at);
    block->at = at;
    block->bytes = bytes;
    if (!zero && !isMarked(block, kept)) return "marks are lost";
    mark(block, zero ? 0 : kept);
    return NULL;
}

/* testMemoryBlocks SEED STEPS: lets the heap lie in large pages, and gives blocks sizes at random, of which many are
 * large. Returns what is wrong, and how many blocks were mapped by themselves. */
static int blocksCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int start, steps, nMapped = 0;
    Block blocks[BLOCKS] = {{NULL, 0, 0}};
    const char *wrong = NULL;
    (void) data;
    if (objc != 3) return Tcl_WrongNumArgs(interp, 1, objv, "seed steps"), TCL_ERROR;
    if (Tcl_GetIntFromObj(interp, objv[1], &start) != TCL_OK || Tcl_GetIntFromObj(interp, objv[2], &steps) != TCL_OK)
        return TCL_ERROR;
    uint32_t seed = (uint32_t) start;
    tacMemLargeHeap();
    for (int i = 0; i < BLOCKS; i++) blocks[i].seed = (unsigned char) (10 * i);
    for (int step = 0; step < steps && !wrong; step++) {
        Block *block = &blocks[nextRandom(&seed) % BLOCKS];
        size_t most = nextRandom(&seed) % 3 ? LARGEST : 3 * SPREAD, bytes = nextRandom(&seed) % most + 1;
        if (!isMarked(block, block->bytes)) wrong = "marks of another block";
        else wrong = resizeBlock(block, bytes, nextRandom(&seed) % 4 == 0);
        nMapped += tacMemIsMapped(block->at);
    }
    for (int i = 0; i < BLOCKS; i++) tacFree(blocks[i].at);
    Tcl_SetObjResult(interp, Tcl_ObjPrintf("{%s} %d", wrong ? wrong : "", nMapped));
    return TCL_OK;
}

/* testMemoryMany N: so many large blocks at once, all of them and then every second one as large again. Returns how
 * many of them were mapped by themselves, and how many are when all are free. */
static int manyCommand(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int n, before = 0, after = 0;
    (void) data;
    if (objc != 2) return Tcl_WrongNumArgs(interp, 1, objv, "n"), TCL_ERROR;
    if (Tcl_GetIntFromObj(interp, objv[1], &n) != TCL_OK) return TCL_ERROR;
    void **blocks = tacAllocZero((size_t) n, sizeof *blocks);
    tacMemLargeHeap();
    for (int i = 0; i < n; i++) blocks[i] = tacAlloc(TAC_LARGE_BLOCK);
    for (int i = 0; i < n; i += 2) {
        void *grown = tacRealloc(blocks[i], 2 * TAC_LARGE_BLOCK);
        if (grown) blocks[i] = grown;
    }
    for (int i = 0; i < n; i++) before += tacMemIsMapped(blocks[i]);
    for (int i = 0; i < n; i++) tacFree(blocks[i]);
    for (int i = 0; i < n; i++) after += tacMemIsMapped(blocks[i]);
    tacFree(blocks);
    Tcl_SetObjResult(interp, Tcl_ObjPrintf("%d %d", before, after));
    return TCL_OK;
}

TAC_EXPORT int TacTestMemory_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testMemory", memoryCommand, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testMemoryScript", scriptCommand, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testMemoryBlocks", blocksCommand, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testMemoryMany", manyCommand, NULL, NULL);
    return TCL_OK;
}
