/*
 * auditPlace.c -- where tasks can run: from what definitions say, else from where they ran.
 *
 * Tasks that ran on several processors, and are not stated to be bound, join these to a cluster (union-find). Then each
 * task gets its set. Equal sets are one, by their bytes in a table of names.
 */
#include "base/port.h"

#include "analysis/auditPlace.h"
#include "trace/scheduling.h"

#include <string.h>

enum { MOST_SETS = 64, SEVERAL = TAC_NO_PROCESSOR - 1, UNMADE = TAC_NONE - 1 };

typedef struct Statement { /* a -cpus or a -cluster */
    uint32_t set;          /* its set, TAC_NONE: it names no processor; not yet known: UNMADE */
    uint32_t first;        /* of a cluster: its first processor, TAC_NONE */
} Statement;

typedef struct Finder {
    tacPlaces *places;
    const tacTrace *trace;
    bool recorded; /* tacSchedulingRecorded */
    tacProgress *progress;
    tacCpuReader reader;
    tacInternTable names;            /* of statements: texts of -cpus, names of clusters, each behind a letter */
    TAC_ARRAY(Statement) statements; /* by name */
    uint32_t *next;                  /* by processor: the next one of its -cluster; TAC_NONE */
    uint16_t *seen;                  /* by task: processor where it ran; SEVERAL; TAC_NO_PROCESSOR: it did not */
    uint16_t *first;                 /* by task: processor where it ran first */
    uint32_t *clusterSets;           /* by processor that stands for a cluster: the set of it; TAC_NONE: not made */
    uint8_t *degrees;                /* by processor: sets of several processors that it is in */
    uint64_t *bits;                  /* by processor: it is in the set that is being made */
    uint32_t nWords;                 /* of bits */
} Finder;

uint32_t tacPlaceSize(const tacPlaces *places, uint32_t set) {
    size_t length;
    tacInternName(&places->sets, set, &length);
    return (uint32_t) (length / sizeof(uint16_t));
}

uint32_t tacPlaceProcessor(const tacPlaces *places, uint32_t set, uint32_t i) {
    uint16_t processor; /* names are not aligned */
    memcpy(&processor, tacInternName(&places->sets, set, NULL) + i * sizeof processor, sizeof processor);
    return processor;
}

/* ---- sets ---------------------------------------------------------------------------------------------------------
 */

static void setBit(Finder *f, uint32_t processor) { f->bits[processor >> 6] |= (uint64_t) 1 << (processor & 63); }

/* The set with these processors; TAC_NONE: no memory. */
static uint32_t intern(Finder *f, const uint16_t *processors, size_t count) {
    return tacIntern(&f->places->sets, (const char *) processors, count * sizeof *processors);
}

/* Lists the processors of the bits. False: no memory. */
static bool listBits(const Finder *f, uint16_t **list, size_t *count) {
    size_t n = 0;
    for (uint32_t i = 0; i < f->nWords; i++) n += (size_t) __builtin_popcountll(f->bits[i]);
    *list = tacAlloc((n + 1) * sizeof **list);
    *count = n;
    n = 0;
    for (uint32_t i = 0; *list && i < f->nWords; i++)
        for (uint64_t word = f->bits[i]; word; word &= word - 1)
            (*list)[n++] = (uint16_t) (64 * i + (uint32_t) __builtin_ctzll(word));
    return *list != NULL;
}

/* Makes the set of the bits, and clears them. *set TAC_NONE: it is empty. If a processor is in too many sets, it is
 * that of the first processor. False: no memory. */
static bool makeSet(Finder *f, uint32_t *set) {
    uint16_t *list;
    size_t count, before = tacInternCount(&f->places->sets);
    *set = TAC_NONE;
    if (!listBits(f, &list, &count)) return false;
    memset(f->bits, 0, f->nWords * sizeof *f->bits);
    bool full = false;
    for (size_t i = 0; count > 1 && i < count; i++) full |= f->degrees[list[i]] == MOST_SETS;
    if (full && tacInternFind(&f->places->sets, (const char *) list, count * sizeof *list) == TAC_NONE) count = 1;
    if (count) *set = intern(f, list, count);
    if (count > 1 && tacInternCount(&f->places->sets) > before)
        for (size_t i = 0; i < count; i++) f->degrees[list[i]]++;
    tacFree(list);
    return count == 0 || *set != TAC_NONE;
}

/* ---- what was seen ------------------------------------------------------------------------------------------------
 */

/* Processor that stands for the cluster. */
static uint32_t clusterOf(tacPlaces *places, uint32_t processor) {
    while (places->clusters[processor] != processor)
        processor = places->clusters[processor] = places->clusters[places->clusters[processor]];
    return processor;
}

static void joinClusters(tacPlaces *places, uint32_t a, uint32_t b) {
    a = clusterOf(places, a);
    b = clusterOf(places, b);
    places->clusters[a < b ? b : a] = a < b ? a : b;
}

/* Finds where a task ran. */
static void see(Finder *f, uint32_t task) {
    const tacTaskModel *model = &f->trace->model.tasks[task];
    f->seen[task] = f->first[task] = TAC_NO_PROCESSOR;
    for (size_t i = 0; i < model->slices.count && f->seen[task] != SEVERAL; i++) {
        const tacSlice *slice = &model->slices.at[i];
        if (slice->state != TAC_STATE_RUNNING || slice->processor >= f->places->nProcessors) continue;
        if (f->seen[task] == TAC_NO_PROCESSOR) f->seen[task] = f->first[task] = slice->processor;
        else if (f->seen[task] != slice->processor) f->seen[task] = SEVERAL;
        if (f->places->nProcessors == 1) break;
    }
}

/* Joins the processors where a task ran that ran on several. */
static void joinSeen(Finder *f, uint32_t task) {
    const tacTaskModel *model = &f->trace->model.tasks[task];
    for (size_t i = 0; i < model->slices.count; i++) {
        const tacSlice *slice = &model->slices.at[i];
        if (slice->state == TAC_STATE_RUNNING && slice->processor < f->places->nProcessors)
            joinClusters(f->places, f->first[task], slice->processor);
    }
}

/* ---- what is stated -----------------------------------------------------------------------------------------------
 */

/* The statement with a letter ("p": -cpus, "c": -cluster) and a text, made anew if need be. NULL: no memory. */
static Statement *statementOf(Finder *f, char letter, const char *text) {
    tacText name = {0};
    tacTextPrintf(&name, "%c%s", letter, text);
    uint32_t at = name.failed ? TAC_NONE : tacIntern(&f->names, name.at, name.length);
    tacTextFree(&name);
    if (at == TAC_NONE || (at == f->statements.count && !tacArrayPush(&f->statements, (Statement){UNMADE, TAC_NONE})))
        return NULL;
    return &f->statements.at[at];
}

/* Lists the processors of each -cluster. False: no memory. */
static bool findClusters(Finder *f) {
    const tacStore *store = &f->trace->store;
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_PROCESSOR); i++) {
        const char *text = tacObjectText(store, TAC_PROCESSOR, i, TAC_OPT_CLUSTER);
        if (!text) continue;
        Statement *statement = statementOf(f, 'c', text);
        if (!statement) return false;
        f->next[i] = statement->first;
        statement->first = i;
    }
    return true;
}

/* The set of a statement, TAC_NONE: it names no processor. False: no memory. */
static bool stated(Finder *f, char letter, const char *text, uint32_t *set) {
    Statement *statement = statementOf(f, letter, text);
    if (!statement) return false;
    if (statement->set == UNMADE) {
        if (letter == 'p') tacCpusRead(&f->reader, text);
        for (uint32_t i = 0; letter == 'p' && i < f->reader.nProcessors; i++)
            if (tacCpusHave(&f->reader, i)) setBit(f, i);
        for (uint32_t i = statement->first; i != TAC_NONE; i = f->next[i]) setBit(f, i);
        if (!makeSet(f, &statement->set)) return false;
    }
    *set = statement->set;
    return true;
}

/* Is it stated where the task can run? *set: where. False: no memory. */
static bool findStated(Finder *f, uint32_t task, uint32_t *set) {
    const tacStore *store = &f->trace->store;
    const char *cpus = tacObjectText(store, TAC_TASK, task, TAC_OPT_CPUS), *cluster = NULL;
    uint16_t home = store->objects[TAC_TASK].at[task].processor, one;
    *set = TAC_NONE;
    if (cpus && !stated(f, 'p', cpus, set)) return false;
    if (*set != TAC_NONE) return true;
    if (home != TAC_NO_PROCESSOR && (f->seen[task] == home || f->seen[task] == TAC_NO_PROCESSOR))
        return one = home, (*set = intern(f, &one, 1)) != TAC_NONE;
    if (f->first[task] < tacStoreObjects(store, TAC_PROCESSOR))
        cluster = tacObjectText(store, TAC_PROCESSOR, f->first[task], TAC_OPT_CLUSTER);
    return !cluster || stated(f, 'c', cluster, set);
}

/* ---- the set of each task -----------------------------------------------------------------------------------------
 */

/* The set of all processors of a cluster. False: no memory. */
static bool clusterSet(Finder *f, uint32_t processor, uint32_t *set) {
    uint32_t cluster = clusterOf(f->places, processor);
    if (f->clusterSets[cluster] == TAC_NONE) {
        for (uint32_t i = cluster; i < f->places->nProcessors; i++)
            if (clusterOf(f->places, i) == cluster) setBit(f, i);
        if (!makeSet(f, &f->clusterSets[cluster])) return false;
    }
    *set = f->clusterSets[cluster];
    return true;
}

/* Finds the set of a task for which nothing is stated. False: no memory. */
static bool findSeen(Finder *f, uint32_t task, uint32_t *set) {
    uint16_t one = f->places->nProcessors == 1 ? 0 : f->seen[task];
    *set = TAC_NONE;
    if (one == TAC_NO_PROCESSOR) return true;
    if (one != SEVERAL) return (*set = intern(f, &one, 1)) != TAC_NONE;
    if (!f->recorded) return clusterSet(f, f->first[task], set);
    f->places->floats[task] = true;
    return (*set = intern(f, &f->first[task], 1)) != TAC_NONE;
}

/* Makes a set of each processor. False: no memory. */
static bool makeSingles(Finder *f) {
    tacPlaces *places = f->places;
    places->ofProcessor = tacAlloc(((size_t) places->nProcessors + 1) * sizeof *places->ofProcessor);
    for (uint32_t i = 0; places->ofProcessor && i < places->nProcessors; i++) {
        uint16_t one = (uint16_t) i;
        if ((places->ofProcessor[i] = intern(f, &one, 1)) == TAC_NONE) return false;
    }
    return places->ofProcessor != NULL;
}

/* Joins the processors of each set. */
static void joinSets(tacPlaces *places) {
    for (uint32_t set = 0; set < tacPlaceSets(places); set++)
        for (uint32_t i = 1, n = tacPlaceSize(places, set); i < n; i++)
            joinClusters(places, tacPlaceProcessor(places, set, 0), tacPlaceProcessor(places, set, i));
    for (uint32_t i = 0; i < places->nProcessors; i++) places->clusters[i] = clusterOf(places, i);
}

static bool findAll(Finder *f, const bool *wanted) {
    tacPlaces *places = f->places;
    uint32_t nTasks = tacStoreObjects(&f->trace->store, TAC_TASK);
    for (uint32_t i = 0; i < nTasks; i++) {
        places->ofTask[i] = TAC_NONE;
        if (!wanted[i]) continue;
        if (!tacProgressAt(f->progress, i)) return false;
        see(f, i);
        if (!findStated(f, i, &places->ofTask[i])) return false;
        if (places->ofTask[i] == TAC_NONE && f->seen[i] == SEVERAL && !f->recorded) joinSeen(f, i);
    }
    bool floats = false;
    for (uint32_t i = 0; i < nTasks; i++) {
        if (wanted[i] && places->ofTask[i] == TAC_NONE && !findSeen(f, i, &places->ofTask[i])) return false;
        floats |= places->floats && places->floats[i];
    }
    if (floats && !makeSingles(f)) return false;
    joinSets(places);
    return true;
}

static bool allocate(Finder *f) {
    tacPlaces *places = f->places;
    uint32_t nTasks = tacStoreObjects(&f->trace->store, TAC_TASK), n = places->nProcessors;
    f->nWords = n / 64 + 1;
    f->seen = tacAlloc((nTasks + 1) * sizeof *f->seen);
    f->first = tacAlloc((nTasks + 1) * sizeof *f->first);
    f->next = tacAlloc((n + 1) * sizeof *f->next);
    f->clusterSets = tacAlloc((n + 1) * sizeof *f->clusterSets);
    f->degrees = tacAllocZero(n + 1, sizeof *f->degrees);
    f->bits = tacAllocZero(f->nWords, sizeof *f->bits);
    places->ofTask = tacAlloc((nTasks + 1) * sizeof *places->ofTask);
    if (f->recorded) places->floats = tacAllocZero((size_t) nTasks + 1, sizeof *places->floats);
    places->clusters = tacAlloc((n + 1) * sizeof *places->clusters);
    if (!f->seen || !f->first || !f->next || !f->clusterSets || !f->degrees || !f->bits || !places->ofTask
        || !places->clusters || (f->recorded && !places->floats))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        places->clusters[i] = i;
        f->clusterSets[i] = TAC_NONE;
    }
    return tacCpuReaderInit(&f->reader, &f->trace->store) && findClusters(f);
}

bool tacPlacesFind(tacPlaces *places, const tacTrace *trace, const bool *wanted, tacProgress *progress) {
    *places = (tacPlaces){.nProcessors = trace->model.nProcessors};
    bool recorded = tacSchedulingRecorded(&trace->store);
    Finder f = {.places = places, .trace = trace, .recorded = recorded, .progress = progress};
    bool fine = allocate(&f) && findAll(&f, wanted);
    tacCpuReaderFree(&f.reader);
    tacInternFree(&f.names);
    tacArrayFree(&f.statements);
    tacFree(f.next);
    tacFree(f.seen);
    tacFree(f.first);
    tacFree(f.clusterSets);
    tacFree(f.degrees);
    tacFree(f.bits);
    return fine;
}

void tacPlacesFree(tacPlaces *places) {
    tacFree(places->ofTask);
    tacFree(places->floats);
    tacFree(places->ofProcessor);
    tacInternFree(&places->sets);
    tacFree(places->clusters);
}
