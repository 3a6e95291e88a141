/*
 * resolve.c -- resolving ids after reading: jobs X.Y find task X, rows with unknown ids are dropped with an error, ids
 * that contain an `ignore` string are hidden. When all ids are known, which is nearly always so, no row is looked at.
 */
#include "base/port.h"

#include "trace/column.h"
#include "trace/freeze.h"
#include "trace/scheduling.h"

#include <string.h>

/* State of an object that makes rows with it drop. */
typedef enum Trouble { FINE, UNKNOWN, HIDDEN } Trouble;

/* An `ignore` string, prepared for a search (Knuth, Morris, Pratt) that takes linear time for any string. */
typedef struct Pattern {
    const char *text;
    size_t length;  /* bytes, at least 1 */
    uint32_t *back; /* by byte: length of the longest proper prefix of the text that ends with it */
} Pattern;

/* The defined ids of a kind in lower case, made when the first unknown id is reported. */
typedef struct Folded {
    tacInternTable ids;
    TAC_ARRAY(uint32_t) objects; /* by id in ids: index of the first such object */
    bool made;
} Folded;

enum {
    DOTS_TRIED = 32,    /* dots of a job's id, from its end */
    IDS_FOLDED = 100000 /* ids of each kind, in order of first use */
};

typedef struct Resolve {
    tacStore *store;
    tacDiag *diag;
    uint8_t *trouble[TAC_KINDS]; /* by object index: Trouble; NULL: all fine */
    TAC_ARRAY(Pattern) ignored;
    Folded folded[TAC_KINDS];
    tacText letters; /* room for one id in lower case */
} Resolve;

/* The task of a job by its id: X for X.Y, if X is defined, else TAC_NONE. The last dot is tried first, so that
 * job0.0.1 belongs to job0.0 rather than to job0. */
static uint32_t taskOfId(const tacStore *store, uint32_t job) {
    int tried = 0;
    size_t length;
    const char *id = tacInternName(&store->ids[TAC_JOB], job, &length);
    for (size_t n = length; n-- > 1 && tried < DOTS_TRIED;) {
        if (id[n] != '.') continue;
        uint32_t task = tacInternFind(&store->ids[TAC_TASK], id, n);
        if (task != TAC_NONE && store->objects[TAC_TASK].at[task].line) return task;
        tried++;
    }
    return TAC_NONE;
}

/* True for an object that is defined; for a job: that is of a defined task. */
static bool isDefined(const tacStore *store, tacKind kind, uint32_t index) {
    if (kind != TAC_JOB) return store->objects[kind].at[index].line != 0;
    uint32_t task = store->jobTask.at[index];
    return task != TAC_NONE && store->objects[TAC_TASK].at[task].line != 0;
}

/* ---- ignored ids ---- */

/* Prepares an `ignore` string. False: no memory. */
static bool addPattern(Resolve *r, uint32_t string) {
    Pattern p = {0};
    p.text = tacInternName(&r->store->strings, string, &p.length);
    p.back = tacAllocZero(p.length, sizeof *p.back);
    if (!p.back) return false;
    for (size_t i = 1, matched = 0; i < p.length; i++) {
        while (matched && p.text[matched] != p.text[i]) matched = p.back[matched - 1];
        matched += p.text[matched] == p.text[i];
        p.back[i] = (uint32_t) matched;
    }
    if (tacArrayPush(&r->ignored, p)) return true;
    tacFree(p.back);
    return false;
}

/* True when the text contains the pattern. */
static bool contains(const char *text, size_t length, const Pattern *p) {
    for (size_t i = 0, matched = 0; i < length; i++) {
        while (matched && p->text[matched] != text[i]) matched = p->back[matched - 1];
        matched += p->text[matched] == text[i];
        if (matched == p->length) return true;
    }
    return false;
}

/* Trouble of an object; a job is hidden together with its task. */
static Trouble troubleOf(const Resolve *r, tacKind kind, uint32_t index) {
    const tacStore *store = r->store;
    if (!isDefined(store, kind, index)) return UNKNOWN;
    if (r->ignored.count == 0) return FINE;
    if (kind == TAC_JOB && r->trouble[TAC_TASK] && r->trouble[TAC_TASK][store->jobTask.at[index]] == HIDDEN)
        return HIDDEN;
    size_t length;
    const char *id = tacInternName(&store->ids[kind], index, &length);
    for (size_t i = 0; i < r->ignored.count; i++)
        if (contains(id, length, &r->ignored.at[i])) return HIDDEN;
    return FINE;
}

/* Finds the trouble of all objects of a kind. */
static tacStatus markKind(Resolve *r, tacKind kind, tacError *err) {
    uint32_t n = kind == TAC_JOB ? (uint32_t) r->store->jobTask.count : (uint32_t) r->store->objects[kind].count;
    for (uint32_t i = 0; i < n; i++) {
        if (!tacProgressAt(r->store->progress, i)) return tacFailStopped(err, r->store->progress);
        Trouble trouble = troubleOf(r, kind, i);
        if (trouble == FINE) continue;
        if (!r->trouble[kind] && !(r->trouble[kind] = tacAllocZero(n, 1))) return tacFailMemory(err);
        r->trouble[kind][i] = (uint8_t) trouble;
    }
    return TAC_OK;
}

/* True for a job whose newJob or first arrival names a task that is not defined. */
static bool hasLostTask(const tacStore *store, uint32_t job) {
    return store->jobTask.at[job] != TAC_NONE && store->objects[TAC_TASK].at[store->jobTask.at[job]].line == 0;
}

/* Finds the tasks of jobs: by its id for a job without one, by other arrivals or the id for one with a lost task, since
 * one wrong arrival must not cost the whole job. */
static void findTasksOfJobs(tacStore *store) {
    uint32_t nJobs = (uint32_t) store->jobTask.count, first = 0;
    for (uint32_t job = 0; job < nJobs && tacProgressAt(store->progress, job); job++)
        if (store->jobTask.at[job] == TAC_NONE) store->jobTask.at[job] = taskOfId(store, job);
    while (first < nJobs && !hasLostTask(store, first)) first++;
    for (uint32_t row = 0; first < nJobs && row < tacStoreCount(store) && tacProgressAt(store->progress, row); row++) {
        if (tacRowEvent(store, row) != TAC_EV_JOB_ARRIVED || !hasLostTask(store, tacRowSubject(store, row))) continue;
        uint32_t task = tacRowObject(store, row);
        if (store->objects[TAC_TASK].at[task].line) store->jobTask.at[tacRowSubject(store, row)] = task;
    }
    for (uint32_t job = first; job < nJobs && tacProgressAt(store->progress, job); job++) {
        if (!hasLostTask(store, job)) continue;
        uint32_t task = taskOfId(store, job);
        if (task != TAC_NONE) store->jobTask.at[job] = task;
    }
}

/* ---- unknown ids ---- */

/* Puts an id in lower case into r->letters; false: no memory. */
static bool foldLetters(Resolve *r, tacKind kind, uint32_t index) {
    size_t length;
    const char *id = tacInternName(&r->store->ids[kind], index, &length);
    r->letters.length = 0;
    tacTextAdd(&r->letters, id, length);
    for (size_t i = 0; i < r->letters.length; i++)
        if (r->letters.at[i] >= 'A' && r->letters.at[i] <= 'Z') r->letters.at[i] += 'a' - 'A';
    return !r->letters.failed;
}

/* Lists the defined ids in lower case. Without memory some are missing and not proposed. */
static void foldIds(Resolve *r, tacKind kind) {
    Folded *folded = &r->folded[kind];
    uint32_t n = tacStoreObjects(r->store, kind);
    for (uint32_t i = 0; i < n && i < IDS_FOLDED; i++) {
        if (!isDefined(r->store, kind, i)) continue;
        if (!tacArrayReserve(&folded->objects, 1) || !foldLetters(r, kind, i)) break;
        uint32_t id = tacIntern(&folded->ids, r->letters.at, r->letters.length);
        if (id == TAC_NONE) break;
        if (id == folded->objects.count) folded->objects.at[folded->objects.count++] = i;
    }
    folded->made = true;
}

/* Id of a defined object that differs only in the case of letters; NULL: there is none. */
static const char *similarId(Resolve *r, tacKind kind, uint32_t index) {
    Folded *folded = &r->folded[kind];
    if (!folded->made) foldIds(r, kind);
    if (!foldLetters(r, kind, index)) return NULL;
    uint32_t id = tacInternFind(&folded->ids, r->letters.at, r->letters.length);
    return id == TAC_NONE ? NULL : tacObjectId(r->store, kind, folded->objects.at[id]);
}

/* Reports that an object is unknown, and which one may have been meant. */
static void sayUnknown(Resolve *r, tacKind kind, uint32_t index, uint32_t line) {
    const char *id = tacObjectId(r->store, kind, index), *similar = similarId(r, kind, index);
    uint32_t task = kind == TAC_JOB ? r->store->jobTask.at[index] : TAC_NONE;
    if (similar)
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, line, "UNKNOWN", "unknown %s \"%.80s\"; did you mean \"%.80s\"?",
            tacKindNames[kind], id, similar);
    else if (task != TAC_NONE && (similar = similarId(r, TAC_TASK, task)))
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, line, "UNKNOWN",
            "job \"%.80s\" is of unknown task \"%.80s\"; did you mean \"%.80s\"?", id,
            tacObjectId(r->store, TAC_TASK, task), similar);
    else if (task != TAC_NONE)
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, line, "UNKNOWN",
            "job \"%.80s\" is of task \"%.80s\", which is not defined (newTask)", id,
            tacObjectId(r->store, TAC_TASK, task));
    else
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, line, "UNKNOWN", "unknown %s \"%.80s\": it is defined nowhere (%s)",
            tacKindNames[kind], id,
            kind == TAC_JOB ? "newJob, jobArrived, or a task's id with a dot and a number" : tacDefinitions[kind].name);
}

/* ---- rows ---- */

/* Trouble of an object that a row or definition names; an unknown one is reported. */
static Trouble checkReference(Resolve *r, tacKind kind, uint32_t index, uint32_t line) {
    if (!r->trouble[kind]) return FINE;
    Trouble trouble = (Trouble) r->trouble[kind][index];
    if (trouble == UNKNOWN) sayUnknown(r, kind, index, line);
    return trouble;
}

/* True for a message that stays: its task is not hidden. A wrong task is taken out of it. */
static bool keepsMessage(Resolve *r, uint32_t row, uint32_t line) {
    tacStore *store = r->store;
    uint32_t task = tacMessageTask(store, row);
    Trouble trouble = task == TAC_NONE ? FINE : checkReference(r, TAC_TASK, task, line);
    if (trouble == UNKNOWN)
        store->object.at[row] = tacMessageSaid(TAC_NONE, tacMessageFrom(store, row), tacMessageDrawn(store, row));
    return trouble != HIDDEN;
}

/* True for a row that stays; unknown objects in it are reported. */
static bool keepsRow(void *data, uint32_t row) {
    Resolve *r = data;
    tacStore *store = r->store;
    tacEvent event = tacRowEvent(store, row);
    const tacEventSpec *spec = &tacEvents[event];
    uint32_t line = tacRowLine(store, row);
    if (spec->nArguments > 0 && spec->arguments[0] < (tacType) TAC_KINDS
        && checkReference(r, (tacKind) spec->arguments[0], tacRowSubject(store, row), line) != FINE)
        return false;
    if (spec->nArguments > 1 && spec->arguments[1] < (tacType) TAC_KINDS
        && checkReference(r, (tacKind) spec->arguments[1], tacRowObject(store, row), line) != FINE)
        return false;
    if (event == TAC_EV_MESSAGE && !keepsMessage(r, row, line)) return false;
    /* A wrong target or processor is taken out of the event, which stays. */
    if (tacEventHasTarget(event) && tacRowObject(store, row) != TAC_NONE
        && checkReference(r, TAC_JOB, tacRowObject(store, row), line) != FINE)
        store->object.at[row] = TAC_NONE;
    if (tacRowProcessor(store, row) != TAC_NO_PROCESSOR
        && checkReference(r, TAC_PROCESSOR, tacRowProcessor(store, row), line) != FINE)
        store->processor.at[row] = TAC_NO_PROCESSOR;
    return true;
}

/* ---- definitions ---- */

/* Reports unknown objects in definitions. */
static void checkDefinitions(Resolve *r) {
    static const tacKind kinds[] = {TAC_TASK, TAC_SERVER, TAC_MUTEX};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < r->store->objects[kinds[k]].count; i++) {
            tacObject *object = &r->store->objects[kinds[k]].at[i];
            if (object->processor != TAC_NO_PROCESSOR
                && checkReference(r, TAC_PROCESSOR, object->processor, object->line) != FINE)
                object->processor = TAC_NO_PROCESSOR;
        }
    for (size_t i = 0; i < r->store->jobDefinitions.count; i++) {
        tacJobDefinition definition = r->store->jobDefinitions.at[i];
        int64_t processor;
        if (checkReference(r, TAC_JOB, definition.job, definition.line) == FINE
            && tacObjectOption(r->store, TAC_JOB, definition.job, TAC_OPT_PROCESSOR, &processor))
            checkReference(r, TAC_PROCESSOR, (uint32_t) processor, definition.line);
    }
}

/* Warns of words of -cpus that fit no processor. Tasks mostly share few lists, which are read once where they follow
 * one another. */
static tacStatus checkCpus(Resolve *r, tacError *err) {
    const tacStore *store = r->store;
    const tacOptionArray *options = &store->objectOptions[TAC_TASK];
    tacCpuReader reader = {0};
    int64_t before = -1;
    bool fine = true;
    for (size_t i = 0; fine && i < options->count; i++) {
        tacOptionValue option = options->at[i];
        if (option.option != TAC_OPT_CPUS || option.value == before) continue;
        fine = (reader.store || tacCpuReaderInit(&reader, store)) && tacProgressAt(store->progress, i);
        const char *unknown = fine ? tacCpusRead(&reader, tacString(store, (uint32_t) option.value)) : NULL;
        before = option.value;
        if (unknown)
            tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, store->objects[TAC_TASK].at[option.owner].line, "OPTION",
                "option -cpus: no processor is \"%.*s\"; the word is ignored", (int) strcspn(unknown, ", \t\n"),
                unknown);
    }
    tacCpuReaderFree(&reader);
    return fine ? TAC_OK : tacFailStopped(err, store->progress);
}

/* Sets the default capacity of a server, one time unit. */
static void setCapacity(const tacStore *store, tacDiag *diag, tacObject *server) {
    bool rounded = false;
    if (tacDecimalShift(1, store->digits, &server->capacity, &rounded) && tacIsTime(server->capacity)) return;
    server->capacity = TAC_TIME_LIMIT - 1;
    if (server->line)
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, server->line, "TIME RANGE",
            "the default capacity, 1, is too large beside times of %d decimals; give the server a -capacity",
            store->digits);
}

/* Gives objects the names that their options say, the last one of each: importers add options without the objects. */
static void takeNames(tacStore *store, tacKind kind) {
    const tacOptionArray *options = &store->objectOptions[kind];
    for (size_t i = 0; i < options->count; i++)
        if (options->at[i].option == TAC_OPT_NAME && options->at[i].owner < store->objects[kind].count)
            store->objects[kind].at[options->at[i].owner].name = (uint32_t) options->at[i].value;
}

/* Sets defaults: the id as the name of an object without one, the capacity of a server. */
static tacStatus completeDefinitions(tacStore *store, tacDiag *diag, tacError *err) {
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        tacOptionsSort(&store->objectOptions[kind], store->progress);
        takeNames(store, (tacKind) kind);
        for (uint32_t i = 0; i < store->objects[kind].count; i++) {
            tacObject *object = &store->objects[kind].at[i];
            size_t length;
            const char *id = tacInternName(&store->ids[kind], i, &length);
            if (object->name == TAC_NONE && (object->name = tacIntern(&store->strings, id, length)) == TAC_NONE)
                return tacFailMemory(err);
            if (kind == TAC_SERVER && object->capacity == TAC_UNKNOWN) setCapacity(store, diag, object);
        }
    }
    return TAC_OK;
}

/* Makes hidden objects, and jobs of no task, as if they were only mentioned: they have no row and are in no table. */
static void forgetHidden(Resolve *r) {
    for (int kind = 0; kind < TAC_KINDS; kind++)
        for (size_t i = 0; r->trouble[kind] && i < r->store->objects[kind].count; i++)
            if (r->trouble[kind][i] == HIDDEN) r->store->objects[kind].at[i].line = 0;
    if (!r->trouble[TAC_JOB]) return;
    size_t kept = 0;
    for (size_t i = 0; i < r->store->jobDefinitions.count; i++) {
        tacJobDefinition definition = r->store->jobDefinitions.at[i];
        if (r->trouble[TAC_JOB][definition.job] == FINE) r->store->jobDefinitions.at[kept++] = definition;
    }
    r->store->jobDefinitions.count = kept;
}

/* Takes all steps. */
static tacStatus resolveAll(Resolve *r, tacError *err) {
    static const tacKind order[] = {TAC_PROCESSOR, TAC_TASK, TAC_JOB, TAC_SERVER, TAC_MUTEX, TAC_SEMAPHORE, TAC_BUFFER};
    bool trouble = false;
    findTasksOfJobs(r->store);
    if (tacProgressStopped(r->store->progress)) return tacFailStopped(err, r->store->progress);
    if (completeDefinitions(r->store, r->diag, err) != TAC_OK || checkCpus(r, err) != TAC_OK) return TAC_ERROR;
    for (size_t i = 0; i < r->store->ignored.count; i++)
        if (!addPattern(r, r->store->ignored.at[i])) return tacFailMemory(err);
    for (int i = 0; i < TAC_KINDS; i++) {
        if (markKind(r, order[i], err) != TAC_OK) return TAC_ERROR;
        trouble |= r->trouble[order[i]] != NULL;
    }
    if (!trouble) return TAC_OK;
    checkDefinitions(r);
    tacStatus status = tacColumnsKeep(r->store, keepsRow, r, err);
    forgetHidden(r);
    return status;
}

tacStatus tacResolve(tacStore *store, tacDiag *diag, tacError *err) {
    Resolve r = {.store = store, .diag = diag};
    tacStatus status = resolveAll(&r, err);
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        tacFree(r.trouble[kind]);
        tacInternFree(&r.folded[kind].ids);
        tacArrayFree(&r.folded[kind].objects);
    }
    for (size_t i = 0; i < r.ignored.count; i++) tacFree(r.ignored.at[i].back);
    tacArrayFree(&r.ignored);
    tacTextFree(&r.letters);
    return status;
}
