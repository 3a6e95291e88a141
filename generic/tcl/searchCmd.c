/*
 * searchCmd.c -- goes through the things of each wanted kind until there are enough hits.
 *
 * Upper and lower case are alike, and so is mathematics as it was written and as it is shown. A pattern with * or ? is
 * a glob pattern of the whole text, any other one a part of the text. An id of jobs is tested once, however many jobs
 * have it.
 */
#include <tcl.h>

#include "base/port.h"

#include "model/neighbour.h"
#include "tcl/dictValue.h"
#include "tcl/optionTable.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"
#include "view/maths.h"

#include <string.h>

typedef struct Options {
    int64_t limit;
    const char *const *kinds; /* NULL: all */
} Options;

static const tacOptionRow optionRows[] = {
    {"-kinds", TAC_VALUE_NAMES, offsetof(Options, kinds), NULL, "list", NULL,
        "of task, job, server, mutex, processor, buffer, message; default: all"},
    {"-limit", TAC_VALUE_COUNT, offsetof(Options, limit), NULL, "n", "100", "at most so many of each kind"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

typedef struct Search {
    const tacModel *model;
    const char *pattern;
    bool plain;   /* pattern is no glob and ASCII: searched by bytes, which is faster */
    int64_t left; /* hits of this kind that are still wanted */
    Tcl_Obj *hits;
    bool failed; /* no memory */
} Search;

static inline unsigned char lower(char c) { return (unsigned char) (c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c); }

/* True when the plain pattern, which is in lower case, occurs in the text. */
static bool contains(const char *text, const char *pattern) {
    for (; *text; text++) {
        if (lower(*text) != (unsigned char) *pattern) continue;
        size_t i = 1;
        while (pattern[i] && lower(text[i]) == (unsigned char) pattern[i]) i++;
        if (!pattern[i]) return true;
    }
    return false;
}

static bool fitsAs(const Search *search, const char *text) {
    return search->plain ? contains(text, search->pattern)
                         : Tcl_StringCaseMatch(text, search->pattern, TCL_MATCH_NOCASE);
}

/* Does a text fit, as it was written or as it is shown? */
static bool fits(const Search *search, const char *text) {
    bool found = fitsAs(search, text);
    for (int spelled = 0; spelled < 2 && !found; spelled++) {
        tacText shown = {0};
        found = tacMathsPlain(text, strlen(text), spelled, &shown) && fitsAs(search, shown.at);
        tacTextFree(&shown);
    }
    return found;
}

/* Adds a hit as a dict, to which the caller may add more. */
static Tcl_Obj *addHit(Search *search, const char *kind, const char *id, const char *text, int64_t time) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutText(dict, "kind", kind);
    tacPutText(dict, "id", id);
    tacPutText(dict, "text", text);
    tacPutTime(dict, "time", search->model, time);
    tacAppend(search->hits, dict);
    search->left--;
    return dict;
}

/* ---- objects ---------------------------------------------------------------------------------------------------- */

/* Time of the first event or state of an object, or TAC_UNKNOWN. */
static int64_t firstTime(const tacModel *model, tacKind kind, uint32_t i) {
    const tacStore *store = model->store;
    switch (kind) {
    case TAC_TASK: {
        uint32_t row = tacQueryNext(model, i, model->firstMark - (model->firstMark > INT64_MIN + 1));
        return row == TAC_NONE ? TAC_UNKNOWN : tacRowTime(store, row);
    }
    case TAC_SERVER: return model->servers[i].points.count ? model->servers[i].points.at[0].time : TAC_UNKNOWN;
    case TAC_MUTEX:
        return model->mutexes[i].events.count ? tacRowTime(store, model->mutexes[i].events.at[0]) : TAC_UNKNOWN;
    case TAC_BUFFER:
        return model->buffers[i].rows.count ? tacRowTime(store, model->buffers[i].rows.at[0]) : TAC_UNKNOWN;
    default: break;
    }
    if (i >= model->nProcessors || !model->processors[i].runs.count) return TAC_UNKNOWN;
    tacRun run = model->processors[i].runs.at[0];
    return model->tasks[run.task].slices.at[run.slice].begin;
}

static void searchObjects(Search *search, tacKind kind) {
    const tacStore *store = search->model->store;
    for (uint32_t i = 0; i < tacStoreObjects(store, kind) && search->left > 0; i++) {
        if (store->objects[kind].at[i].line == 0) continue;
        const char *id = tacObjectId(store, kind, i), *name = tacObjectName(store, kind, i);
        if (fits(search, id) || fits(search, name))
            addHit(search, tacKindNames[kind], id, name, firstTime(search->model, kind, i));
    }
}

/* ---- jobs ------------------------------------------------------------------------------------------------------- */

/* Searches the jobs, which are in order of time. The answer for each id is kept: 0 not tested, 1 no, 2 yes. */
static void searchJobs(Search *search) {
    const tacModel *model = search->model;
    const tacStore *store = model->store;
    uint8_t *answers = tacAllocZero((size_t) tacStoreObjects(store, TAC_JOB) + 1, 1);
    if (!answers) {
        search->failed = true;
        return;
    }
    for (size_t i = 0; i < model->jobs.count && search->left > 0; i++) {
        const tacJob *job = &model->jobs.at[i];
        const char *id = tacObjectId(store, TAC_JOB, job->id);
        if (!answers[job->id]) answers[job->id] = fits(search, id) ? 2 : 1;
        if (answers[job->id] == 1) continue;
        Tcl_Obj *hit = addHit(search, "job", id, tacObjectName(store, TAC_JOB, job->id), tacJobBegin(model, job));
        tacPutIndex(hit, "index", (uint32_t) i);
        tacPutText(hit, "task", tacObjectId(store, TAC_TASK, job->task));
    }
    tacFree(answers);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

/* Searches the texts of events: messages, annotations, and all others that show a text. */
static void searchRows(Search *search, const uint32_t *rows, size_t count) {
    const tacStore *store = search->model->store;
    for (size_t i = 0; i < count && search->left > 0; i++) {
        const tacEventSpec *spec = &tacEvents[tacRowEvent(store, rows[i])];
        uint32_t subject = tacRowSubject(store, rows[i]);
        const char *text = NULL;
        if (spec->nArguments > 0 && spec->arguments[0] == TAC_TYPE_STRING && subject != TAC_NONE)
            text = tacString(store, subject);
        else if (tacRowHasOptions(store, rows[i])) text = tacRowText(store, rows[i], TAC_OPT_MESSAGE);
        if (!text || !fits(search, text)) continue;
        tacPutIndex(addHit(search, "message", "", text, tacRowTime(store, rows[i])), "row", rows[i]);
    }
}

/* Searches messages and annotations that are not drawn, which are in no list of the model. */
static void searchHidden(Search *search) {
    const tacStore *store = search->model->store;
    for (uint32_t row = 0; row < tacStoreCount(store) && search->left > 0; row++)
        if (!tacRowDrawn(store, row)) searchRows(search, &row, 1);
}

static void searchMessages(Search *search) {
    const tacModel *model = search->model;
    searchRows(search, model->messages.at, model->messages.count);
    for (uint32_t task = 0; task < tacStoreObjects(model->store, TAC_TASK); task++)
        searchRows(search, model->tasks[task].notes.at, model->tasks[task].notes.count);
    searchHidden(search);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

enum { MESSAGES = -1 }; /* besides kinds of objects */

static const struct SearchKind {
    const char *name;
    int kind; /* tacKind, or MESSAGES */
} kinds[] = {
    {"task", TAC_TASK},
    {"job", TAC_JOB},
    {"server", TAC_SERVER},
    {"mutex", TAC_MUTEX},
    {"processor", TAC_PROCESSOR},
    {"buffer", TAC_BUFFER},
    {"message", MESSAGES},
    {NULL, 0},
};

enum { KINDS = sizeof kinds / sizeof *kinds - 1 };

/* Reads -kinds. */
static int wantedKinds(Tcl_Interp *interp, const char *const *names, bool wanted[KINDS]) {
    for (int i = 0; i < KINDS; i++) wanted[i] = !names;
    for (; names && *names; names++) {
        int i = 0;
        while (i < KINDS && strcmp(kinds[i].name, *names) != 0) i++;
        if (i == KINDS)
            return tacTclFail(interp, "USAGE VALUE",
                "there is no kind \"%.60s\": must be task, job, server, mutex, processor, buffer or message", *names);
        wanted[i] = true;
    }
    return TCL_OK;
}

/* Makes the pattern for contains() or Tcl_StringCaseMatch, whose bytes are in `text`. */
static void preparePattern(Search *search, const char *pattern, Tcl_DString *text) {
    bool glob = strpbrk(pattern, "*?") != NULL, ascii = true;
    Tcl_DStringInit(text);
    for (const char *p = pattern; *p; p++) ascii &= (unsigned char) *p < 0x80;
    search->plain = !glob && ascii;
    if (!glob && !ascii) Tcl_DStringAppend(text, "*", 1);
    for (const char *p = pattern; *p; p++) {
        char c = search->plain ? (char) lower(*p) : *p;
        if (!search->plain && strchr(glob ? "[]\\" : "*?[]\\", c)) Tcl_DStringAppend(text, "\\", 1);
        Tcl_DStringAppend(text, &c, 1);
    }
    if (!glob && !ascii) Tcl_DStringAppend(text, "*", 1);
    search->pattern = Tcl_DStringValue(text);
}

int tacSearchSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    Options options = {.limit = 100};
    Search search = {.model = &call->trace->model};
    Tcl_DString text;
    bool wanted[KINDS];
    int result = tacOptionsParse(interp, optionRows, objc - 3, objv + 3, &options);
    if (result == TCL_OK) result = wantedKinds(interp, options.kinds, wanted);
    tacOptionsFree(optionRows, &options);
    if (result != TCL_OK) return TCL_ERROR;
    preparePattern(&search, Tcl_GetString(objv[2]), &text);
    search.hits = Tcl_NewListObj(0, NULL);
    Tcl_IncrRefCount(search.hits);
    for (int i = 0; i < KINDS && *search.pattern; i++) {
        search.left = options.limit;
        if (!wanted[i]) continue;
        if (kinds[i].kind == TAC_JOB) searchJobs(&search);
        else if (kinds[i].kind == MESSAGES) searchMessages(&search);
        else searchObjects(&search, (tacKind) kinds[i].kind);
    }
    if (search.failed) result = tacTclMemory(interp);
    else Tcl_SetObjResult(interp, search.hits);
    Tcl_DecrRefCount(search.hits);
    Tcl_DStringFree(&text);
    return result;
}
