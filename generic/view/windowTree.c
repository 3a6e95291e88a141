/*
 * windowTree.c -- groups that rows are in by themselves, rows that are left out, and orders by what rows do.
 *
 *      a row that is in no group of the user -> its kind, process or server -> a group of that name; in a panel it lies
 *      within the group of the processor -> rows of each group are gathered (invariant 2 of windowRows.c)
 *
 * Groups stay in the list when their rows are gone, so that one that comes back is folded as it was. What the kernel
 * does for itself stands at the end of its panel, folded at first.
 */
#include "base/port.h"

#include "base/digits.h"
#include "base/search.h"
#include "model/lod.h"
#include "trace/kernelThread.h"
#include "trace/quote.h"
#include "view/windowPart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tacRowOrderWords[] = {"load", "lateness", "priority", "least", "name", "definition", NULL};

enum {
    REAL_TIME = 100,      /* priorities of threads below it are real-time ones */
    SAMPLES = 64,         /* slices of a task by which its server is found, at most */
    PAIRS_MOST = 1 << 20, /* tasks by servers, above which none is looked for */
    CROWD = 8,            /* threads with one name that are folded at first */
    ROWS_MANY = 40        /* with more rows, fewer threads are folded, too */
};

/* ---- what the trace says ----------------------------------------------------------------------------------------- */

/* The group of a row: its key, what is shown, and how it stands at first. label NULL: the row is in none. */
typedef struct Choice {
    const char *key, *label;
    bool thread;   /* it is of a recording's thread */
    bool noise;    /* of the kernel: at the end, folded at first */
    bool aloneToo; /* even if only one row is in it */
} Choice;

typedef struct Member {     /* what the rows of a group are */
    uint32_t rows, threads; /* threads: without real-time priority */
    bool noise, alone;
} Member;

typedef struct Process { /* of a recording of a kernel */
    uint32_t threads;    /* number of its tasks */
    char key[32];        /* of its group: not the name of any thread */
    char label[96];      /* name of its first thread, and its number */
} Process;

typedef struct Tree {
    tacWindow *window;
    const tacModel *model;
    tacGroupBy by;             /* never AUTO */
    bool mapped;               /* some threads are known as periodic tasks */
    uint32_t *serverOf;        /* by task, or NULL: its server, or TAC_NONE */
    uint32_t *groupOf;         /* by id in tacWindow.keys: index of the group by itself; TAC_NONE: there is none yet */
    size_t keys;               /* room in it */
    TAC_ARRAY(Member) members; /* by index of group */
    uint32_t *processOf; /* by task, or NULL: its process, index into processes, where several threads are of it */
    TAC_ARRAY(Process) processes;
    tacInternTable processIds; /* id: index into processes */
    int8_t *told;              /* by task, or NULL: tacKernelThreadTold */
    uint8_t *kernelNames;      /* by string id of a name: 0 not known, 1 of a program, 2 of a thread of the kernel */
    tacText text;
    Choice last; /* of the row before, whose group in `lastParent` is `lastGroup` */
    uint32_t lastParent, lastGroup;
} Tree;

/* Is a task a thread of a recording of a kernel, numbered and named? */
static bool isThread(const tacStore *store, uint32_t task) {
    const char *id = tacObjectId(store, TAC_TASK, task);
    return tacIsNumbered(id) && strcmp(id, tacObjectName(store, TAC_TASK, task)) != 0;
}

/* Is a task a thread of the kernel? */
static bool isOfKernel(const Tree *tree, uint32_t task) {
    const tacStore *store = tree->model->store;
    int told = tree->told ? tree->told[task] : tacKernelThreadTold(store, task);
    if (told) return told > 0;
    uint32_t name = store->objects[TAC_TASK].at[task].name;
    if (name >= tacInternCount(&store->strings)) return tacKernelThreadName(tacObjectName(store, TAC_TASK, task));
    uint8_t *known = &tree->kernelNames[name];
    if (!*known) *known = tacKernelThreadName(tacObjectName(store, TAC_TASK, task)) ? 2 : 1;
    return *known == 2;
}

static bool isTimed(const tacStore *store, uint32_t task) {
    const tacObject *object = &store->objects[TAC_TASK].at[task];
    return object->C != TAC_UNKNOWN || object->D != TAC_UNKNOWN || object->T != TAC_UNKNOWN;
}

/* Does a server consume budget at a time? */
static bool consumes(const tacModel *model, uint32_t server, int64_t time) {
    const tacServerModel *s = &model->servers[server];
    size_t after = tacPast(size_t, 0, s->points.count, i, s->points.at[i].time <= time);
    return after > 0 && s->points.at[after - 1].consumers > 0;
}

/* Does a task run only while a server consumes? Some of its slices are looked at. */
static bool runsIn(const tacModel *model, uint32_t task, uint32_t server) {
    const tacTaskModel *t = &model->tasks[task];
    uint16_t processor = model->store->objects[TAC_SERVER].at[server].processor;
    size_t step = t->slices.count / SAMPLES + 1;
    uint32_t seen = 0, within = 0;
    for (size_t i = 0; i < t->slices.count; i += step) {
        const tacSlice *slice = &t->slices.at[i];
        if (slice->state != TAC_STATE_RUNNING || slice->begin == slice->end) continue;
        bool elsewhere = processor != TAC_NO_PROCESSOR && slice->processor != processor;
        seen++;
        within += !elsewhere && consumes(model, server, slice->begin + (slice->end - slice->begin) / 2);
    }
    return seen && within >= seen - seen / 50;
}

/* Names a process by its first thread, or else by that of them which is met first. */
static void nameProcess(const tacStore *store, Process *process, uint32_t task, const char *number) {
    bool first = strcmp(tacObjectId(store, TAC_TASK, task), number) == 0;
    if (!process->threads || first)
        snprintf(process->label, sizeof process->label, "%.60s %.30s", tacObjectName(store, TAC_TASK, task), number);
    if (!process->threads) snprintf(process->key, sizeof process->key, "process %.20s", number);
}

/* What the option -process of a task says, or NULL; *at: as in a list of options that is read once, task by task. */
static const char *processText(const tacStore *store, uint32_t task, size_t *at) {
    const tacOptionArray *options = &store->objectOptions[TAC_TASK];
    const char *text = NULL;
    for (; *at < options->count && options->at[*at].owner <= task; ++*at)
        if (options->at[*at].owner == task && options->at[*at].option == TAC_OPT_PROCESS)
            text = tacString(store, (uint32_t) options->at[*at].value);
    return text;
}

/* Finds the processes of threads, of which those with one thread do not count. False: no memory. */
static bool findProcesses(Tree *tree) {
    const tacStore *store = tree->model->store;
    uint32_t tasks = tacStoreObjects(store, TAC_TASK);
    const char *last = NULL; /* number of the thread before, often of the same process */
    uint32_t id = TAC_NONE;
    size_t at = 0;
    bool ok = true;
    tree->told = tacAllocZero(tasks + (size_t) 1, 1);
    if (!tree->told) return false;
    for (uint32_t task = 0; ok && task < tasks; task++) {
        const char *number = processText(store, task, &at);
        tree->told[task] = (int8_t) tacKernelThreadBy(store, task, number);
        if (!number || tree->told[task] > 0) continue;
        if (!tree->processOf) {
            tree->processOf = tacAlloc(((size_t) tasks + 1) * sizeof *tree->processOf);
            if (!tree->processOf) return false;
            memset(tree->processOf, 0xFF, ((size_t) tasks + 1) * sizeof *tree->processOf); /* TAC_NONE */
        }
        if (number != last) id = tacIntern(&tree->processIds, last = number, strlen(number));
        ok = id != TAC_NONE && (id < tree->processes.count || tacArrayPush(&tree->processes, (Process){.threads = 0}));
        if (!ok) break;
        nameProcess(store, &tree->processes.at[id], task, number);
        tree->processes.at[id].threads++;
        tree->processOf[task] = id;
    }
    for (uint32_t task = 0; tree->processOf && task < tasks; task++)
        if (tree->processOf[task] != TAC_NONE && tree->processes.at[tree->processOf[task]].threads < 2)
            tree->processOf[task] = TAC_NONE;
    return ok;
}

/* Ticks in which a server consumes. */
static double consumption(const tacModel *model, uint32_t server) {
    const tacServerModel *s = &model->servers[server];
    double sum = 0;
    for (size_t i = 0; i + 1 < s->points.count; i++)
        if (s->points.at[i].consumers) sum += tacTicksBetween(s->points.at[i].time, s->points.at[i + 1].time);
    return sum;
}

/* Finds the server of each task: of several, the one that consumes least. False: no memory. */
static bool findServers(Tree *tree) {
    const tacModel *model = tree->model;
    uint32_t tasks = tacStoreObjects(model->store, TAC_TASK), servers = tacStoreObjects(model->store, TAC_SERVER);
    if (!servers || (uint64_t) tasks * servers > PAIRS_MOST) return true;
    double *used = tacAlloc(servers * sizeof *used);
    tree->serverOf = tacAlloc(((size_t) tasks + 1) * sizeof *tree->serverOf);
    for (uint32_t s = 0; used && s < servers; s++) used[s] = consumption(model, s);
    for (uint32_t task = 0; used && tree->serverOf && task < tasks; task++) {
        uint32_t found = TAC_NONE;
        for (uint32_t s = 0; s < servers; s++)
            if (used[s] > 0 && (found == TAC_NONE || used[s] < used[found]) && runsIn(model, task, s)) found = s;
        tree->serverOf[task] = found;
    }
    tacFree(used);
    return used && tree->serverOf;
}

/* The way of grouping, with AUTO resolved. */
static tacGroupBy resolve(const Tree *tree) {
    const tacStore *store = tree->model->store;
    if (tree->window->groupBy != TAC_GROUP_AUTO) return tree->window->groupBy;
    if (tree->window->trace->kernel) return TAC_GROUP_PROCESS;
    return tacStoreObjects(store, TAC_SERVER) ? TAC_GROUP_SERVER : TAC_GROUP_NONE;
}

static Choice serverChoice(const Tree *tree, uint32_t server) {
    if (server == TAC_NONE) return (Choice){0};
    return (Choice){tacObjectId(tree->model->store, TAC_SERVER, server),
        tacObjectName(tree->model->store, TAC_SERVER, server), false, false, false};
}

static Choice taskChoice(const Tree *tree, const tacFigureRow *row) {
    const tacStore *store = tree->model->store;
    uint32_t task = row->owner;
    const tacObject *object = &store->objects[TAC_TASK].at[task];
    const char *name = tacObjectName(store, TAC_TASK, task);
    bool thread = row->numbered && strcmp(tacObjectId(store, TAC_TASK, task), name) != 0;
    if (tree->by == TAC_GROUP_SERVER) return serverChoice(tree, tree->serverOf ? tree->serverOf[task] : TAC_NONE);
    if (tree->by == TAC_GROUP_PROCESSOR) return (Choice){0};
    if (object->isr) return (Choice){"Interrupts", "Interrupts", thread, true, true};
    if (thread && isOfKernel(tree, task)) return (Choice){"Kernel threads", "Kernel threads", true, true, true};
    if (thread && tree->mapped && !isTimed(store, task) && object->priority >= REAL_TIME)
        return (Choice){"Other threads", "Other threads", true, true, true};
    if (tree->by == TAC_GROUP_KIND) {
        const char *kind = thread ? "Threads" : "Tasks";
        return (Choice){kind, kind, thread, false, true};
    }
    if (!thread || isTimed(store, task)) return (Choice){0};
    uint32_t process = tree->processOf ? tree->processOf[task] : TAC_NONE;
    if (process == TAC_NONE) return (Choice){name, name, true, false, false};
    return (Choice){tree->processes.at[process].key, tree->processes.at[process].label, true, false, false};
}

static const Choice servers = {"Servers", "Servers", false, false, true};

/* The group of a row within that of its processor. */
static Choice choiceOf(const Tree *tree, const tacFigureRow *row) {
    if (row->kind == TAC_FIGURE_ROW_TASK) return taskChoice(tree, row);
    if (row->kind == TAC_FIGURE_ROW_SERVER && tree->by == TAC_GROUP_SERVER) return serverChoice(tree, row->owner);
    if (row->kind == TAC_FIGURE_ROW_SERVER && tree->by == TAC_GROUP_KIND) return servers;
    return (Choice){0};
}

/* The processor of a server: its own, or that where all tasks in it ran first. */
static uint32_t homeOf(const Tree *tree, uint32_t server) {
    const tacModel *model = tree->model;
    uint32_t home = model->store->objects[TAC_SERVER].at[server].processor;
    if (home < model->nProcessors || !tree->serverOf) return home;
    for (uint32_t task = 0; task < tacStoreObjects(model->store, TAC_TASK); task++) {
        if (tree->serverOf[task] != server || !model->tasks[task].slices.count) continue;
        uint32_t first = model->tasks[task].slices.at[0].processor;
        if (home != TAC_NO_PROCESSOR && home != first) return TAC_NO_PROCESSOR;
        home = first;
    }
    return home;
}

/* The processor by which a row is grouped, or TAC_NO_PROCESSOR: that of its panel, or the only one where it ran. */
static uint32_t processorOf(const Tree *tree, const tacFigureRow *row) {
    const tacModel *model = tree->model;
    if (row->kind == TAC_FIGURE_ROW_TASK && row->processor != TAC_NO_PROCESSOR) return row->processor;
    bool panels = tree->window->rows.mode == TAC_PROCESSORS_EXPANDED;
    if (row->kind == TAC_FIGURE_ROW_SERVER && (panels || tree->by == TAC_GROUP_PROCESSOR))
        return homeOf(tree, row->owner);
    if (row->kind != TAC_FIGURE_ROW_TASK || tree->by != TAC_GROUP_PROCESSOR) return TAC_NO_PROCESSOR;
    const tacTaskModel *task = &model->tasks[row->owner];
    if (!task->slices.count) /* where its first job waits */
        return task->nJobs ? model->jobs.at[task->firstJob].processor
                           : model->store->objects[TAC_TASK].at[row->owner].processor;
    uint16_t first = task->slices.at[0].processor; /* parts are there for tasks that were on several processors */
    int64_t begin = task->slices.at[0].begin, end = task->slices.at[0].end;
    return tacLodPartCount(model, row->owner, first, begin, end) ? TAC_NO_PROCESSOR : first;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* Makes room in groupOf for all keys. False: no memory. */
static bool reserveKeys(Tree *tree) {
    size_t keys = tacInternCount(&tree->window->keys);
    if (keys <= tree->keys) return true;
    uint32_t *more = tacRealloc(tree->groupOf, 2 * keys * sizeof *more);
    if (!more) return false;
    memset(more + tree->keys, 0xFF, (2 * keys - tree->keys) * sizeof *more); /* TAC_NONE */
    tree->groupOf = more;
    tree->keys = 2 * keys;
    return true;
}

/* Notes the groups by themselves that were there before. False: no memory. */
static bool noteGroups(Tree *tree) {
    if (!reserveKeys(tree)) return false;
    for (uint32_t i = 0; i < tree->window->groups.count; i++) {
        const tacWindowGroup *group = &tree->window->groups.at[i];
        if (group->byItself) tree->groupOf[group->name] = i;
    }
    return true;
}

/* The group of a key, made if it is new. TAC_NONE: no memory. */
static uint32_t groupFor(Tree *tree, const char *key, size_t length, const char *label, uint32_t parent) {
    tacWindow *window = tree->window;
    uint32_t id = tacIntern(&window->keys, key, length), name = tacIntern(&window->keys, label, strlen(label));
    if (id == TAC_NONE || name == TAC_NONE || !reserveKeys(tree)) return TAC_NONE;
    if (tree->groupOf[id] == TAC_NONE) {
        if (!tacArrayPush(&window->groups, (tacWindowGroup){.name = id, .byItself = true})) return TAC_NONE;
        tree->groupOf[id] = (uint32_t) window->groups.count - 1;
    }
    tacWindowGroup *group = &window->groups.at[tree->groupOf[id]];
    group->label = name;
    group->parent = parent;
    return tree->groupOf[id];
}

/* Counts a row for its group. False: no memory. */
static bool countRow(Tree *tree, const tacWindowRow *row, Choice choice) {
    const tacFigureRow *shown = &tree->window->rows.rows.at[row->row];
    const tacStore *store = tree->model->store;
    while (tree->members.count <= row->group)
        if (!tacArrayPush(&tree->members, (Member){0})) return false;
    Member *m = &tree->members.at[row->group];
    m->rows++;
    m->noise |= choice.noise;
    m->alone |= choice.aloneToo || tree->window->groups.at[row->group].isProcessor;
    m->threads += choice.thread && store->objects[TAC_TASK].at[shown->owner].priority >= REAL_TIME;
    return true;
}

/* Makes room for groups without rows. False: no memory. */
static bool countMembers(Tree *tree) {
    while (tree->members.count < tree->window->groups.count)
        if (!tacArrayPush(&tree->members, (Member){0})) return false;
    return true;
}

/* Is it the row of a task that ran? */
static bool hasRun(const Tree *tree, const tacFigureRow *row) {
    return row->kind == TAC_FIGURE_ROW_TASK && tree->model->tasks[row->owner].slices.count;
}

/* Puts a row into its groups. False: no memory. */
static bool groupRow(Tree *tree, tacWindowRow *row) {
    const tacFigureRow *shown = &tree->window->rows.rows.at[row->row];
    uint32_t processor = processorOf(tree, shown), parent = TAC_NONE;
    Choice choice = choiceOf(tree, shown);
    if (tree->by == TAC_GROUP_PROCESSOR && processor >= tree->model->nProcessors && hasRun(tree, shown))
        choice = (Choice){"Several processors", "Several processors", false, false, true};
    bool panels = tree->by == TAC_GROUP_PROCESSOR || tree->window->rows.mode == TAC_PROCESSORS_EXPANDED;
    if (shown->kind == TAC_FIGURE_ROW_SERVER && panels && processor >= tree->model->nProcessors) choice = servers;
    tree->text.length = 0;
    if (processor < tree->model->nProcessors) {
        const char *id = tacProcessorId(tree->model, processor);
        parent = groupFor(tree, id, strlen(id), tacProcessorName(tree->model, processor), TAC_NONE);
        if (parent == TAC_NONE) return false;
        tree->window->groups.at[parent].isProcessor = true;
        tacTextAddString(&tree->text, id);
        tacTextAddString(&tree->text, " / ");
        row->group = parent;
    }
    if (!choice.label) return row->group == TAC_NONE || countRow(tree, row, choice);
    if (choice.key == tree->last.key && choice.label == tree->last.label && parent == tree->lastParent) {
        row->group = tree->lastGroup; /* names need not be looked for again */
        return countRow(tree, row, choice);
    }
    tacTextAddString(&tree->text, choice.key);
    if (tree->text.failed) return false;
    row->group = groupFor(tree, tree->text.at, tree->text.length, choice.label, parent);
    tree->last = choice, tree->lastParent = parent, tree->lastGroup = row->group;
    return row->group != TAC_NONE && countRow(tree, row, choice);
}

uint32_t tacWindowOwnGroup(const tacWindow *window, const tacWindowRow *row) {
    return row->group == TAC_NONE || window->groups.at[row->group].byItself ? TAC_NONE : row->group;
}

/* Takes rows out of groups in which they are alone (of a server and one task, where nobody asked for servers), and
 * decides which groups are folded at first. */
static void settleGroups(const Tree *tree) {
    tacWindow *window = tree->window;
    const Member *members = tree->members.at;
    uint32_t least = tree->by == TAC_GROUP_SERVER && window->groupBy == TAC_GROUP_AUTO ? 3 : 2;
    uint32_t crowdLeast = window->order.count > ROWS_MANY ? 2 : CROWD;
    for (size_t i = 0; i < window->order.count; i++) {
        uint32_t *group = &window->order.at[i].group;
        if (*group != TAC_NONE && window->groups.at[*group].byItself && members[*group].rows < least
            && !members[*group].alone)
            *group = window->groups.at[*group].parent;
    }
    for (size_t i = 0; i < window->groups.count; i++) {
        tacWindowGroup *group = &window->groups.at[i];
        if (!group->byItself) continue;
        group->atEnd = members[i].noise;
        bool crowd = tree->by == TAC_GROUP_PROCESS && members[i].threads >= crowdLeast
            && members[i].threads == members[i].rows && !group->isProcessor;
        if (!group->chosen) group->folded = members[i].noise || crowd;
    }
}

/* ---- gathering --------------------------------------------------------------------------------------------------- */

typedef struct Place { /* of a row: places of the first rows of its outer group, of its group, and its own */
    uint64_t outer, inner, own;
} Place;

static int comparePlaces(const void *left, const void *right) {
    const Place *a = left, *b = right;
    if (a->outer != b->outer) return a->outer < b->outer ? -1 : 1;
    if (a->inner != b->inner) return a->inner < b->inner ? -1 : 1;
    return a->own < b->own ? -1 : a->own > b->own;
}

/* The place of a group among others: that of its first row; behind all others if it is at the end. */
static uint64_t rankOf(const tacWindow *window, uint32_t group) {
    return window->groups.at[group].first + (window->groups.at[group].atEnd ? (uint64_t) 1 << 32 : 0);
}

static Place placeOf(const tacWindow *window, size_t i) {
    const tacWindowRow *row = &window->order.at[i];
    const tacFigureRow *shown = &window->rows.rows.at[row->row];
    uint32_t group = row->group, parent = group == TAC_NONE ? TAC_NONE : window->groups.at[group].parent;
    Place place = {i, i, i};
    if (group == TAC_NONE) return place;
    if (parent == TAC_NONE) place.outer = rankOf(window, group);
    else place.outer = rankOf(window, parent), place.inner = rankOf(window, group);
    /* The server stands above its tasks. */
    if (shown->kind == TAC_FIGURE_ROW_SERVER && window->groups.at[group].byItself
        && !window->groups.at[group].isProcessor)
        place.own = 0;
    else place.own++;
    if (parent == TAC_NONE) place.inner = window->groups.at[group].isProcessor ? i : 0;
    return place;
}

/* Notes which places the rows of each group have. */
static void findSpans(tacWindow *window) {
    for (size_t i = 0; i < window->groups.count; i++) window->groups.at[i].first = window->groups.at[i].end = TAC_NONE;
    for (uint32_t i = 0; i < window->order.count; i++) {
        for (uint32_t g = window->order.at[i].group; g != TAC_NONE; g = window->groups.at[g].parent) {
            tacWindowGroup *group = &window->groups.at[g];
            if (group->first == TAC_NONE) group->first = i;
            group->end = i + 1;
        }
    }
}

/* Puts the rows into the order of their places. False: no memory. */
static bool sortByPlaces(tacWindow *window) {
    size_t n = window->order.count;
    tacDigits d;
    Place *places = tacAlloc(n * sizeof *places);
    if (!places || !tacDigitsInit(&d, n)) {
        tacFree(places);
        return false;
    }
    for (size_t i = 0; i < n; i++) places[i] = placeOf(window, i), d.keys[i] = places[i].own;
    tacDigitsSort(&d);
    for (size_t i = 0; i < n; i++) d.keys[i] = places[i].inner;
    tacDigitsSort(&d);
    for (size_t i = 0; i < n; i++) d.keys[i] = places[i].outer;
    tacDigitsSort(&d);
    tacFree(places);
    tacDigitsApply(&d, window->order.at, sizeof *window->order.at);
    tacDigitsFree(&d);
    return true;
}

bool tacWindowGather(tacWindow *window) {
    size_t n = window->order.count;
    window->cache->members.count = 0;
    if (window->cache->d.tiles) tacTilesClear(window->cache->d.tiles); /* bands of groups have other members */
    if (!window->groups.count) return true;
    bool sorted = true;
    Place before;
    findSpans(window);
    for (size_t i = 0; i < n && sorted; i++) {
        Place place = placeOf(window, i);
        sorted = i == 0 || comparePlaces(&before, &place) < 0;
        before = place;
    }
    if (sorted) return true;
    if (!sortByPlaces(window)) return false;
    findSpans(window);
    return true;
}

bool tacWindowMembers(tacWindow *window, double until, bool *done) {
    enum { STEP = 1024 }; /* rows between two looks at the clock */
    tacWindowCache *cache = window->cache;
    size_t n = window->groups.count ? window->order.count : 0;
    *done = true;
    if (!cache->members.count && !tacArrayReserve(&cache->members, n)) return false;
    while (cache->members.count < n && *done) {
        const tacWindowRow *row = &window->order.at[cache->members.count];
        cache->members.at[cache->members.count] = tacMemberOf(cache->d.model, &window->rows, row->row);
        *done = ++cache->members.count % STEP != 0 || tacLayoutClock() < until;
    }
    if (cache->members.count == n) *done = true;
    return true;
}

/* Finds what the groups of a trace depend on. False: no memory. */
static bool learn(Tree *tree) {
    const tacStore *store = tree->model->store;
    tree->by = resolve(tree);
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK) && !tree->mapped; i++)
        tree->mapped = isTimed(store, i) && isThread(store, i);
    tree->kernelNames = tacAllocZero(tacInternCount(&store->strings) + 1, 1);
    if (!tree->kernelNames || !noteGroups(tree)) return false;
    if (tree->by == TAC_GROUP_PROCESS && !findProcesses(tree)) return false;
    return tree->by != TAC_GROUP_SERVER || findServers(tree);
}

bool tacWindowTree(tacWindow *window) {
    Tree tree = {.window = window};
    bool ok = true;
    if (!window->cache || !window->order.count || !window->cache->d.model) return true;
    tree.model = window->cache->d.model;
    for (size_t i = 0; i < window->order.count; i++) {
        tacWindowRow *row = &window->order.at[i];
        row->group = tacWindowOwnGroup(window, row);
    }
    bool grouped = window->groupBy != TAC_GROUP_NONE && window->rows.mode != TAC_PROCESSORS_COLLAPSED;
    ok = !grouped || learn(&tree);
    if (ok && grouped && tree.by != TAC_GROUP_NONE) {
        for (size_t i = 0; ok && i < window->order.count; i++)
            if (window->order.at[i].group == TAC_NONE) ok = groupRow(&tree, &window->order.at[i]);
        ok = ok && countMembers(&tree);
        if (ok) settleGroups(&tree);
    }
    tacTextFree(&tree.text);
    tacFree(tree.serverOf);
    tacFree(tree.groupOf);
    tacFree(tree.processOf);
    tacArrayFree(&tree.processes);
    tacInternFree(&tree.processIds);
    tacFree(tree.kernelNames);
    tacFree(tree.told);
    tacArrayFree(&tree.members);
    return ok;
}

bool tacWindowRegroup(tacWindow *window) {
    bool done;
    if (!window->cache) return true;
    return tacWindowTree(window) && tacWindowGather(window) && tacWindowMembers(window, INFINITY, &done);
}

/* ---- rows that are left out -------------------------------------------------------------------------------------- */

void tacWindowLeaveOut(tacWindow *window, bool wanted, int64_t from, int64_t to) {
    tacWindowCache *cache = window->cache;
    if (!cache) return;
    cache->leaving = (tacRowPass){true, from, to, 0};
    cache->leavesOut = wanted;
}

static void leaveOutRow(tacWindow *window, const tacRowPass *pass, tacWindowRow *row) {
    const tacFigureRow *shown = &window->rows.rows.at[row->row];
    bool empty = window->cache->leavesOut && !tacFigureRowWithin(&window->trace->model, shown, pass->from, pass->to);
    window->cache->leftOther |= row->empty != empty;
    row->empty = empty;
}

/* ---- the band of a group ----------------------------------------------------------------------------------------- */

/* Adds how long late jobs of a row run to a column, where that has been summed up. */
static void addLate(const tacModel *model, const tacFigureRow *row, int64_t from, int64_t to, tacGroupColumn *sum) {
    bool processor = row->kind == TAC_FIGURE_ROW_PROCESSOR, ready = false;
    uint32_t task = processor ? TAC_NONE : row->owner;
    uint16_t on = (uint16_t) (processor ? row->owner : row->partial ? row->processor : TAC_NO_PROCESSOR);
    tacBin bin;
    if (sum->late == TAC_UNKNOWN) return;
    if (!tacLodSumOutcomes(model, task, on, 0, &ready) || !ready) sum->late = TAC_UNKNOWN;
    else if (tacLodOutcome(model, task, on, TAC_OUTCOME_LATE, from, to, 1, &bin))
        sum->late += bin.time[TAC_STATE_RUNNING];
}

/* Adds what a row has in [from, to) to a column. */
static void addToColumn(const tacModel *model, const tacFigureRow *row, int64_t from, int64_t to, tacGroupColumn *sum) {
    tacBandColumn *column = &sum->column, one;
    bool processor = row->kind == TAC_FIGURE_ROW_PROCESSOR;
    if (processor) tacLodProcessorColumn(model, row->owner, from, to, &one);
    else tacLodTaskColumn(model, row->owner, row->partial ? row->processor : TAC_NO_PROCESSOR, from, to, &one);
    for (int state = 0; state < TAC_STATES; state++) column->time[state] += one.time[state];
    column->slices += one.slices;
    addLate(model, row, from, to, sum);
    if (processor) return;
    column->released += one.released, column->jobs += one.jobs, column->missed += one.missed;
    if (one.response != TAC_UNKNOWN && (column->response == TAC_UNKNOWN || one.response > column->response))
        column->response = one.response;
    if (one.time[TAC_STATE_RUNNING] > sum->most) {
        sum->most = one.time[TAC_STATE_RUNNING];
        sum->busiest = row->owner;
    }
}

bool tacWindowGroupColumn(
    const tacWindow *window, uint32_t group, int64_t from, int64_t to, uint32_t effort, tacGroupColumn *sum) {
    const tacModel *model = &window->trace->model;
    const tacWindowGroup *g = &window->groups.at[group];
    uint32_t spent = 0;
    if (!sum->next)
        *sum = (tacGroupColumn){{.first = TAC_NONE, .response = TAC_UNKNOWN}, .busiest = TAC_NONE,
            .outcomes = sum->outcomes, .late = sum->outcomes ? 0 : TAC_UNKNOWN, .next = g->first};
    for (; sum->next < g->end && spent < effort; sum->next++) {
        const tacFigureRow *row = &window->rows.rows.at[window->order.at[sum->next].row];
        bool within = row->kind != TAC_FIGURE_ROW_SERVER && tacFigureRowWithin(model, row, from, to);
        spent += within ? TAC_COLUMN_EFFORT : 1;
        if (within) addToColumn(model, row, from, to, sum);
    }
    return sum->next >= g->end;
}

/* ---- order by what rows do --------------------------------------------------------------------------------------- */

/* What a row is sorted by, the most important first: outer and inner group, then two numbers, or by its name. */
typedef struct tacSorted {
    uint64_t outer, inner;
    double first, next; /* the least comes first */
} tacSorted;

/* Ticks that run in a row within a range. */
static double loadOf(const tacModel *model, const tacFigureRow *row, int64_t from, int64_t to) {
    tacBin bin = {.first = TAC_NONE};
    tacFigureRowBins(model, row, from, to, 1, &bin);
    return (double) bin.time[TAC_STATE_RUNNING];
}

/* Sets the numbers by which a row is sorted. */
static void setNumbers(
    const tacModel *model, const tacFigureRow *row, tacRowOrder sort, int64_t from, int64_t to, tacSorted *sorted) {
    static const tacKind kinds[] = {TAC_TASK, TAC_PROCESSOR, TAC_SERVER};
    tacKind kind = kinds[row->kind];
    const tacObject *object = row->owner < tacStoreObjects(model->store, kind)
        ? &model->store->objects[kind].at[row->owner]
        : NULL;
    tacBandColumn column = {.response = TAC_UNKNOWN};
    switch (sort) {
    case TAC_ORDER_LOAD: sorted->first = -loadOf(model, row, from, to); break;
    case TAC_ORDER_LATENESS:
        if (kind != TAC_TASK) break;
        tacLodTaskColumn(model, row->owner, row->partial ? row->processor : TAC_NO_PROCESSOR, from, to, &column);
        sorted->first = -(double) column.missed;
        if (column.response == TAC_UNKNOWN) break;
        sorted->next = object->D != TAC_UNKNOWN && object->D > 0 ? -(double) column.response / (double) object->D : 0;
        break;
    case TAC_ORDER_PRIORITY: sorted->first = object ? object->priority : 0; break;
    case TAC_ORDER_LEAST: sorted->first = object ? -(double) object->priority : 0; break;
    case TAC_ORDER_NAME: break;
    default: sorted->first = object && object->line ? object->order : UINT16_MAX + (double) row->owner;
    }
}

/* The place of the first row in the panel of a row, which stays among those of its panel; 0: there are no panels. */
static uint64_t panelOf(const tacWindow *window, uint32_t place, const tacSorted *before) {
    const tacFigureRow *rows = window->rows.rows.at;
    uint32_t processor = rows[window->order.at[place].row].processor, first = 0;
    if (window->rows.mode != TAC_PROCESSORS_EXPANDED || window->groups.count) return 0;
    if (before && rows[window->order.at[place - 1].row].processor == processor) return before->outer;
    while (first < place && rows[window->order.at[first].row].processor != processor) first++;
    return first;
}

/* Finds what the row at a place is sorted by. */
static void setSorted(const tacWindow *window, const tacRowPass *pass, uint32_t place, tacSorted *sorted) {
    const tacWindowRow *row = &window->order.at[place];
    uint32_t group = row->group, parent = group == TAC_NONE ? TAC_NONE : window->groups.at[group].parent;
    tacSorted *s = &sorted[place];
    *s = (tacSorted){.outer = panelOf(window, place, place ? s - 1 : NULL)};
    if (group != TAC_NONE) s->outer = rankOf(window, parent == TAC_NONE ? group : parent) + 1;
    if (parent != TAC_NONE) s->inner = rankOf(window, group) + 1;
    setNumbers(&window->trace->model, &window->rows.rows.at[row->row], window->cache->sortBy, pass->from, pass->to, s);
}

/* Sorts the places of rows by their names. False: no memory. */
static bool sortByName(const tacWindow *window, tacDigits *d) {
    const char **names = tacAlloc(d->n * sizeof *names);
    if (!names) return false;
    for (size_t i = 0; i < d->n; i++)
        names[i] = tacFigureRowName(&window->trace->model, &window->rows.rows.at[window->order.at[i].row]);
    tacDigitsSortNames(d, names);
    tacFree(names);
    return true;
}

/* Sorts the places of rows, by what is least important first. False: no memory. */
static bool sortPlaces(const tacWindow *window, const tacSorted *sorted, tacDigits *d) {
    if (window->cache->sortBy == TAC_ORDER_NAME && !sortByName(window, d)) return false;
    for (size_t i = 0; i < d->n; i++) d->keys[i] = tacDigitsNumber(sorted[i].next);
    tacDigitsSort(d);
    for (size_t i = 0; i < d->n; i++) d->keys[i] = tacDigitsNumber(sorted[i].first);
    tacDigitsSort(d);
    for (size_t i = 0; i < d->n; i++) d->keys[i] = sorted[i].inner;
    tacDigitsSort(d);
    for (size_t i = 0; i < d->n; i++) d->keys[i] = sorted[i].outer;
    tacDigitsSort(d);
    return true;
}

/* Sorts the rows by what was found of them. False: no memory. */
static bool sortRows(tacWindow *window) {
    tacDigits d;
    if (!tacDigitsInit(&d, window->order.count)) return false;
    bool ok = sortPlaces(window, window->cache->sorted, &d);
    if (ok) {
        tacDigitsApply(&d, window->order.at, sizeof *window->order.at);
        window->cache->moved = true;
        window->cache->left = TAC_LEFT_GATHER; /* the rows of each group are the same as before */
    }
    tacDigitsFree(&d);
    return ok;
}

static void forgetSorted(tacWindowCache *cache) {
    tacFree(cache->sorted);
    cache->sorted = NULL;
    cache->sorting.next = 0;
}

void tacWindowSort(tacWindow *window, tacRowOrder sort, int64_t from, int64_t to) {
    if (!window->trace) return;
    forgetSorted(window->cache);
    window->cache->sorting = (tacRowPass){true, from, to, 0};
    window->cache->sortBy = sort;
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

void tacWindowPassAgain(tacWindowCache *cache) {
    forgetSorted(cache);
    cache->leaving.next = 0;
}

/* Looks at rows until a time. False: not at all of them yet. */
static bool lookAtRows(tacWindow *window, tacRowPass *pass, bool sorts, double until) {
    enum { STEP = 64 }; /* rows between two looks at the clock; for lateness the jobs of a row are looked at, too */
    const tacModel *model = &window->trace->model;
    bool jobs = sorts && window->cache->sortBy == TAC_ORDER_LATENESS;
    uint32_t n = (uint32_t) window->order.count;
    while (pass->next < n) {
        for (uint32_t looked = 0; looked < STEP && pass->next < n; looked++, pass->next++) {
            const tacFigureRow *row = &window->rows.rows.at[window->order.at[pass->next].row];
            if (sorts) setSorted(window, pass, pass->next, window->cache->sorted);
            else leaveOutRow(window, pass, &window->order.at[pass->next]);
            if (jobs && row->kind == TAC_FIGURE_ROW_TASK) looked += model->tasks[row->owner].nJobs / STEP;
        }
        if (pass->next < n && tacLayoutClock() >= until) return false;
    }
    return true;
}

/* Makes the next step of sorting the rows. False: no memory. */
static bool goOnSorting(tacWindow *window, double until) {
    tacWindowCache *cache = window->cache;
    tacRowPass *pass = &cache->sorting;
    if (!cache->sorted) cache->sorted = tacAlloc((window->order.count + 1) * sizeof *cache->sorted);
    if (cache->sorted && pass->next < window->order.count) {
        lookAtRows(window, pass, true, until);
        return true;
    }
    bool sorted = cache->sorted && sortRows(window);
    forgetSorted(cache);
    pass->begun = false;
    return sorted;
}

bool tacWindowPass(tacWindow *window, double until) {
    tacWindowCache *cache = window->cache;
    if (cache->sorting.begun) return goOnSorting(window, until);
    if (cache->leaving.begun) cache->leaving.begun = !lookAtRows(window, &cache->leaving, false, until);
    return true;
}
