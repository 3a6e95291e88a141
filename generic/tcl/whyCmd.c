/*
 * whyCmd.c -- finds the job that is meant, takes it apart (analysis/why.h), and makes a dict or a sentence of it.
 *
 * A word means the job with this id; of several, the one that took longest, or with -at the one that has the id at that
 * time. Else it means a task, by its id, or by a name that no other task has: its worst job, or with -at its job at
 * that time. -as says which of these is meant; "index" is the row of $trace jobs.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/why.h"
#include "base/similar.h"
#include "model/ask.h"
#include "model/query.h"
#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/progressScript.h"
#include "tcl/tableValue.h"
#include "tcl/timeValue.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"
#include "trace/called.h"

#include <string.h>

enum { AS_AUTO, AS_JOB, AS_TASK, AS_INDEX };
enum { FORMAT_DICT, FORMAT_JSON, FORMAT_SENTENCE };
static const char *const asWords[] = {"auto", "job", "task", "index", NULL};
static const char *const formats[] = {"dict", "json", "sentence", NULL};

typedef struct Options {
    Tcl_Obj *at, *with, *each; /* NULL: not given */
    int as, format;
    bool alone;
    Tcl_Obj *progress; /* NULL: not given */
    int64_t limit;     /* parts; 0: none */
} Options;

static const tacOptionRow whyRows[] = {
    {"-at", TAC_VALUE_OBJECT, offsetof(Options, at), NULL, "time", NULL,
        "of several jobs, the one of this time, in time units; default: the one that took longest"},
    {"-as", TAC_VALUE_WORD, offsetof(Options, as), asWords, NULL, "auto",
        "what the id is of: a job, else a task; index: the row of a job in jobs"},
    {"-alone", TAC_VALUE_FLAG, offsetof(Options, alone), NULL, NULL, "no",
        "without the median and the best job, which are looked for among all of the task"},
    {"-each", TAC_VALUE_OBJECT, offsetof(Options, each), NULL, "prefix", NULL,
        "command prefix that is called with the result, whose parts are left out, and each part in turn"},
    {"-format", TAC_VALUE_WORD, offsetof(Options, format), formats, NULL, "dict",
        "form of the result; json: a dict, whose parts are a text, objects of JSON with commas between them, which "
        "-each "
        "gets in pieces"},
    {"-limit", TAC_VALUE_COUNT, offsetof(Options, limit), NULL, "n", "0",
        "at most so many parts, of those that are told first; 0: all"},
    {"-progress", TAC_VALUE_OBJECT, offsetof(Options, progress), NULL, "prefix", NULL,
        "command prefix that is called now and then while it takes long, with a dict of which only the phase, "
        "explaining, tells something; break or an error cancels"},
    {"-with", TAC_VALUE_OBJECT, offsetof(Options, with), NULL, "index", NULL,
        "compares with this row of jobs only, which takes the place of the median job"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* ---- finding the job -------------------------------------------------------------------------------------------- */

/* True when the trace has a task for this job id, or a definition of this task. */
static bool isThere(const tacModel *model, tacKind kind, uint32_t i) {
    return kind == TAC_JOB ? model->store->jobTask.at[i] != TAC_NONE : model->store->objects[TAC_TASK].at[i].line != 0;
}

/* Compares an id with the word that was asked for, and keeps the first similar id. True: it differs in case only, so no
 * other can be better. */
static bool isBest(const char *word, size_t length, const char *id, const char **similar) {
    unsigned long characters = (unsigned long) Tcl_NumUtfChars(word, (Tcl_Size) length);
    bool alike = tacSimilar(word, length, id),
         best = alike && strlen(id) == length && Tcl_UtfNcasecmp(word, id, characters) == 0;
    if (alike && (!*similar || best)) *similar = id;
    return best;
}

/* The id of a job, or the id or name of a task, that is most similar to the word, or NULL. */
static const char *similarId(const tacModel *model, const char *word, size_t length, int as) {
    const tacStore *store = model->store;
    const char *similar = NULL;
    for (uint32_t i = 0; as != AS_TASK && i < tacStoreObjects(store, TAC_JOB); i++)
        if (isThere(model, TAC_JOB, i) && isBest(word, length, tacObjectId(store, TAC_JOB, i), &similar))
            return similar;
    for (uint32_t i = 0; as != AS_JOB && i < tacStoreObjects(store, TAC_TASK); i++) {
        if (!isThere(model, TAC_TASK, i)) continue;
        if (isBest(word, length, tacObjectId(store, TAC_TASK, i), &similar)
            || isBest(word, length, tacObjectName(store, TAC_TASK, i), &similar))
            return similar;
    }
    return similar;
}

/* Fails with the most similar id as a suggestion. */
static int failUnknown(Tcl_Interp *interp, const tacModel *model, Tcl_Obj *word, int as) {
    Tcl_Size length;
    const char *id = Tcl_GetStringFromObj(word, &length), *similar = similarId(model, id, (size_t) length, as);
    const char *what = as == AS_JOB ? "job" : as == AS_TASK ? "task" : "job or task";
    if (similar)
        return tacTclFail(
            interp, "LOOKUP OBJECT", "there is no %s \"%.100s\"; did you mean \"%.100s\"?", what, id, similar);
    return tacTclFail(interp, "LOOKUP OBJECT", "there is no %s \"%.100s\"", what, id);
}

/* A task by its id, else by a name that only one task with jobs has. TAC_NONE: the error is in the interpreter. */
static uint32_t findTask(Tcl_Interp *interp, const tacModel *model, Tcl_Obj *word, int as) {
    Tcl_Size length;
    const char *id = Tcl_GetStringFromObj(word, &length);
    uint32_t found = tacAskFind(model, TAC_TASK, id, (size_t) length);
    if (found != TAC_NONE) return found;
    for (uint32_t i = 0; i < tacStoreObjects(model->store, TAC_TASK); i++) {
        if (model->tasks[i].nJobs == 0 || strcmp(tacObjectName(model->store, TAC_TASK, i), id) != 0) continue;
        if (found != TAC_NONE) {
            tacTclFail(interp, "LOOKUP AMBIGUOUS",
                "several tasks are called \"%.100s\", such as %.80s and %.80s: say which by its id", id,
                tacObjectId(model->store, TAC_TASK, found), tacObjectId(model->store, TAC_TASK, i));
            return TAC_NONE;
        }
        found = i;
    }
    if (found == TAC_NONE) failUnknown(interp, model, word, as);
    return found;
}

/* Finds the job that is meant. */
static int findJob(Tcl_Interp *interp, const tacModel *model, Tcl_Obj *word, const Options *options, uint32_t *job) {
    Tcl_Size length;
    int64_t at = 0;
    const char *id = Tcl_GetStringFromObj(word, &length);
    if (options->at && tacTimeFromObj(interp, options->at, model->store->digits, &at) != TCL_OK) return TCL_ERROR;
    if (options->as == AS_INDEX) return tacNeedIndex(interp, "job", word, model->jobs.count, job);
    uint32_t index = options->as == AS_TASK ? TAC_NONE : tacAskFind(model, TAC_JOB, id, (size_t) length);
    if (index == TAC_NONE && options->as != AS_TASK) index = tacCalledFind(model->store, TAC_JOB, id, (size_t) length);
    if (index != TAC_NONE) {
        *job = options->at ? tacQueryJob(model, index, at) : tacWhyWorstOfId(model, index);
        if (*job != TAC_NONE) return TCL_OK;
        if (options->at) return tacTclFail(interp, "LOOKUP TIME", "there is no job \"%.100s\" yet at that time", id);
    }
    if (index != TAC_NONE) return tacTclFail(interp, "LOOKUP OBJECT", "nothing happens to job \"%.100s\"", id);
    if (options->as == AS_JOB) return failUnknown(interp, model, word, options->as);
    uint32_t task = findTask(interp, model, word, options->as);
    if (task == TAC_NONE) return TCL_ERROR;
    *job = options->at ? tacQueryTaskJob(model, task, at) : tacWhyWorst(model, task);
    if (*job != TAC_NONE) return TCL_OK;
    return tacTclFail(interp, "LOOKUP OBJECT", "task \"%.100s\" has no job%s", id, options->at ? " at that time" : "");
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

typedef struct Values {
    const tacModel *model;
    const tacWhy *why;
    tacTable parts; /* that are shown */
    bool json;      /* they are a text */
    Tcl_Obj *each;  /* prefix to call with the parts instead of listing them; NULL: none */
    bool failed;    /* no memory */
} Values;

static void putObject(Tcl_Obj *dict, const Values *v, const char *key, tacKind kind, uint32_t index) {
    if (index == TAC_NONE) return tacPutText(dict, key, NULL);
    tacPutText(
        dict, key, kind == TAC_PROCESSOR ? tacProcessorId(v->model, index) : tacObjectId(v->model->store, kind, index));
}

static Tcl_Obj *textValue(Values *v, tacText *text) {
    Tcl_Obj *value = Tcl_NewStringObj(text->at ? text->at : "", (Tcl_Size) text->length);
    v->failed |= text->failed;
    tacTextFree(text);
    return value;
}

/* What people call a job. */
static void putCalled(Tcl_Obj *dict, Values *v, const char *key, uint32_t job) {
    tacText text = {0};
    if (job != TAC_NONE) tacCalled(v->model->store, TAC_JOB, v->model->jobs.at[job].id, &text);
    tacPut(dict, key, textValue(v, &text));
}

static Tcl_Obj *sentence(Values *v) {
    tacText text = {0};
    tacWhySentence(v->model, v->why, &text);
    return textValue(v, &text);
}

/* The median or the best job as a dict; empty: there is none. */
static Tcl_Obj *otherDict(Values *v, uint32_t job, int64_t response) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    if (job == TAC_NONE) return dict;
    putObject(dict, v, "job", TAC_JOB, v->model->jobs.at[job].id);
    putCalled(dict, v, "job_name", job);
    tacPutIndex(dict, "index", job);
    tacPutTime(dict, "release", v->model, v->model->jobs.at[job].release);
    tacPutTime(dict, "response", v->model, response);
    return dict;
}

/* Digits after the point that a time needs. */
static int decimalsOf(int64_t ticks, int digits) {
    for (; digits > 0 && ticks % 10 == 0; digits--) ticks /= 10;
    return digits;
}

/* Sums of the parts of the top level that are not shown, and the most decimals of all that are not. */
static Tcl_Obj *restDict(const Values *v) {
    int64_t rest[3] = {0, 0, 0};
    int decimals = 0;
    for (size_t i = v->parts.nRows; i < v->why->order.count; i++) {
        uint32_t part = v->why->order.at[i];
        int64_t times[] = {tacWhyCellAt(v->why, part)->ticks, tacWhyOther(v->why, part, false).ticks,
            tacWhyOther(v->why, part, true).ticks};
        for (int k = 0; k < 3; k++) {
            int own = times[k] == TAC_MORE ? 0 : decimalsOf(times[k], v->model->store->digits);
            if (own > decimals) decimals = own;
            if (tacWhyParent(v->why, part) == TAC_NONE) rest[k] = tacAddTicks(rest[k], times[k]);
        }
    }
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutTime(dict, "time", v->model, rest[0]);
    tacPutTime(dict, "median_time", v->model, rest[1]);
    tacPutTime(dict, "best_time", v->model, rest[2]);
    tacPutCount(dict, "decimals", (uint64_t) decimals);
    return dict;
}

static bool addText(void *text, const char *bytes, size_t n) {
    tacTextAdd(text, bytes, n);
    return !((tacText *) text)->failed;
}

/* The parts as a list or a text. */
static Tcl_Obj *partsValue(Values *v) {
    tacText text = {0};
    tacError err;
    if (!v->json) {
        Tcl_Obj *list = tacTableList(&v->parts, NULL, NULL, -1);
        v->failed |= !list;
        return list ? list : Tcl_NewObj();
    }
    v->failed |= tacTableWrite(&v->parts, TAC_TABLE_OBJECTS, addText, &text, &err) != TAC_OK;
    return textValue(v, &text);
}

static Tcl_Obj *whyDict(Values *v) {
    static const tacJobState states[] = {
        TAC_STATE_WAITING, TAC_STATE_RUNNING, TAC_STATE_PREEMPTED, TAC_STATE_BLOCKED, TAC_STATE_UNKNOWN};
    const tacModel *model = v->model;
    const tacWhy *why = v->why;
    const tacJob *job = &model->jobs.at[why->job];
    Tcl_Obj *dict = Tcl_NewDictObj(), *times = Tcl_NewDictObj();
    uint32_t nJobs = 0;
    int64_t late;
    tacIdJobs(model, job->id, &nJobs);
    if (job->deadline == TAC_UNKNOWN || __builtin_sub_overflow(why->end, job->deadline, &late)) late = TAC_UNKNOWN;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        tacPutTime(times, tacStateNames[states[i]], model, why->states[states[i]]);
    putObject(dict, v, "job", TAC_JOB, job->id);
    putCalled(dict, v, "job_name", why->job);
    tacPutIndex(dict, "index", why->job);
    tacPutCount(dict, "jobs_of_id", nJobs);
    putObject(dict, v, "task", TAC_TASK, job->task);
    tacPutText(dict, "task_name", tacObjectName(model->store, TAC_TASK, job->task));
    tacPutTime(dict, "begin", model, why->begin);
    tacPutTime(dict, "end", model, why->end);
    tacPutCount(dict, "begin_line", tacWhyLine(model, why->begin, why->job, TAC_NONE));
    tacPutCount(dict, "end_line", tacWhyLine(model, why->end, why->job, TAC_NONE));
    tacPutTime(dict, "response", model, why->response);
    tacPutFlag(dict, "released", job->release != TAC_UNKNOWN);
    tacPutText(dict, "ended", tacWhyEnds[why->ended]);
    tacPutTime(dict, "deadline", model, job->deadline);
    tacPutTime(dict, "late", model, late);
    tacPutFlag(dict, "missed", (job->flags & TAC_JOB_MISSED) != 0);
    tacPut(dict, "states", times);
    tacPut(dict, "parts", v->each ? Tcl_NewObj() : partsValue(v));
    tacPutCount(dict, "more", why->order.count - v->parts.nRows);
    if (v->parts.nRows < why->order.count) tacPut(dict, "rest", restDict(v));
    tacPutCount(dict, "compared", why->compared);
    tacPut(dict, "median", otherDict(v, why->median, why->medianResponse));
    tacPut(dict, "best", otherDict(v, why->best, why->bestResponse));
    tacPut(dict, "sentence", sentence(v));
    return dict;
}

typedef struct Telling {
    Tcl_Interp *interp;
    Tcl_Obj *prefix; /* with the dict */
    int code;
} Telling;

/* Calls the prefix with a part, or a piece of the text of the parts. False: it wants no more. */
static bool tell(Telling *t, Tcl_Obj *part) {
    t->code = tacTclCall(t->interp, t->prefix, part);
    if (t->code == TCL_CONTINUE) t->code = TCL_OK;
    return t->code == TCL_OK;
}

static bool tellText(void *telling, const char *bytes, size_t n) {
    return tell(telling, Tcl_NewStringObj(bytes, (Tcl_Size) n));
}

static uint64_t sameRow(const void *data, uint64_t place) { return (void) data, place; }

static void tellRows(Telling *t, Values *v) {
    for (uint64_t row = 0, more = true; more && row < v->parts.nRows; row++) {
        Tcl_Obj *part = NULL, *list = tacTableDicts(&v->parts, sameRow, NULL, row, row + 1);
        if (!list) v->failed = true;
        else Tcl_ListObjIndex(NULL, tacKept(list), 0, &part);
        more = part && tell(t, part);
        if (list) Tcl_DecrRefCount(list);
    }
}

/* Calls the prefix with the dict and each part; break ends it. */
static int tellParts(Tcl_Interp *interp, Values *v, Tcl_Obj *dict) {
    Telling telling = {interp, tacKept(Tcl_DuplicateObj(v->each)), TCL_OK};
    tacError err;
    telling.code = Tcl_ListObjAppendElement(interp, telling.prefix, dict);
    if (telling.code == TCL_OK && !v->json) tellRows(&telling, v);
    else if (telling.code == TCL_OK && tacTableWrite(&v->parts, TAC_TABLE_OBJECTS, tellText, &telling, &err) != TAC_OK)
        v->failed |= telling.code == TCL_OK;
    Tcl_DecrRefCount(telling.prefix);
    if (telling.code == TCL_ERROR) Tcl_AddErrorInfo(interp, "\n    (\"-each\" command)");
    return telling.code == TCL_BREAK ? TCL_OK : telling.code;
}

/* Leaves the answer in the interpreter. */
static int setAnswer(Tcl_Interp *interp, Values *v, int format) {
    Tcl_Obj *answer = tacKept(format == FORMAT_SENTENCE ? sentence(v) : whyDict(v));
    int code = v->each && format != FORMAT_SENTENCE ? tellParts(interp, v, answer) : TCL_OK;
    if (code == TCL_OK) Tcl_SetObjResult(interp, answer);
    Tcl_DecrRefCount(answer);
    return v->failed ? tacTclMemory(interp) : code;
}

/* ---- the subcommand --------------------------------------------------------------------------------------------- */

int tacWhySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTraceBody *body = ((tacTraceCall *) data)->body;
    const tacModel *model = &body->trace->model;
    Options options = {.as = AS_AUTO};
    uint32_t job = TAC_NONE, other = TAC_NONE;
    tacWhy why;
    tacWhyShared own = {.made = false}, *shared = body->whyRuns ? &own : &body->why; /* progress may ask why, too */
    bool nested = body->whyRuns;
    tacError err = {{0}, {0}};
    if (tacOptionsParse(interp, whyRows, objc - 3, objv + 3, &options) != TCL_OK
        || findJob(interp, model, objv[2], &options, &job) != TCL_OK
        || (options.with && tacNeedIndex(interp, "job", options.with, model->jobs.count, &other) != TCL_OK))
        return TCL_ERROR;
    if (other == job) return tacTclFail(interp, "USAGE", "a job cannot be compared with itself");
    tacProgressScript script;
    tacProgressScriptInit(&script, interp, options.progress, "explaining", 0);
    Tcl_Preserve(interp);
    body->whyRuns = true;
    tacStatus status = tacWhyJob(model, job, shared, &why, &script.progress, &err);
    if (status == TAC_OK)
        status = other != TAC_NONE ? tacWhyCompareWith(model, shared, &why, other, &script.progress, &err)
            : options.alone        ? tacWhyOrder(&why, &err)
                                   : tacWhyCompare(model, shared, &why, &script.progress, &err);
    body->whyRuns = nested;
    tacWhySharedFree(&own);
    Values values = {.model = model, .why = &why, .json = options.format == FORMAT_JSON, .each = options.each};
    if (status == TAC_OK)
        status = tacWhyTable(&why, options.limit ? (uint64_t) options.limit : UINT64_MAX, &values.parts, &err);
    int code = tacProgressScriptEnd(&script, status, &err);
    if (code == TCL_OK) code = setAnswer(interp, &values, options.format);
    Tcl_Release(interp);
    tacTableFree(&values.parts);
    tacWhyFree(&why);
    return code;
}
