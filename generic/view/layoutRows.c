/*
 * layoutRows.c -- choosing, ordering and placing the rows of a figure.
 *
 *      tacFigureRowsGoOn    candidates that have something and match the patterns (tasks, or processors when collapsed;
 *                           then servers) -> their order -> a row for each; in panels, one for each processor where
 *                           the task has something, and servers below the tasks of their processor, those of none
 *                           under a heading of their own -> lanes of those whose jobs overlap (layoutLanes.c) ->
 *                           namesakes
 *      tacFigureRowsPlace   heights and places of the listed rows
 */
#include "base/port.h"

#include "base/digits.h"
#include "base/intern.h"
#include "base/patterns.h"
#include "model/lod.h"
#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what rows show ---------------------------------------------------------------------------------------------- */

const char *const tacFigureRowKinds[] = {
    [TAC_FIGURE_ROW_TASK] = "task", [TAC_FIGURE_ROW_PROCESSOR] = "processor", [TAC_FIGURE_ROW_SERVER] = "server"};

const tacRefKind tacFigureRowRefs[] = {[TAC_FIGURE_ROW_TASK] = TAC_REF_TASK,
    [TAC_FIGURE_ROW_PROCESSOR] = TAC_REF_PROCESSOR,
    [TAC_FIGURE_ROW_SERVER] = TAC_REF_SERVER,
    [TAC_FIGURE_ROW_GROUP] = TAC_REF_GROUP};

const char *tacFigureRowId(const tacModel *model, const tacFigureRow *row) {
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR) return tacProcessorId(model, row->owner);
    return tacObjectId(model->store, row->kind == TAC_FIGURE_ROW_SERVER ? TAC_SERVER : TAC_TASK, row->owner);
}

const char *tacFigureRowName(const tacModel *model, const tacFigureRow *row) {
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR) return tacProcessorName(model, row->owner);
    return tacObjectName(model->store, row->kind == TAC_FIGURE_ROW_SERVER ? TAC_SERVER : TAC_TASK, row->owner);
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

typedef struct Candidate { /* small, since there may be 10^5, all in fresh memory */
    union {
        const char *name; /* first part of the order, if byName */
        int64_t key;      /* else */
    };
    int64_t next; /* the other parts, before the index */
    uint32_t tie;
    uint32_t index;       /* of the object */
    uint32_t group;       /* of a task: string id, or TAC_NONE */
    bool noted, numbered; /* as in tacFigureRow */
    uint8_t nameLength;
    bool byName; /* as all of a list */
} Candidate;

typedef TAC_ARRAY(Candidate) Candidates;

typedef struct tacFigureListing { /* one that is not complete */
    tacFigureRows *rows;
    const tacModel *model;
    tacFigure figure;
    tacPatterns patterns;     /* figure.rows */
    Candidates list, servers; /* tasks or processors; servers */
    size_t step;              /* index into listingSteps */
    double until;             /* time (tacLayoutClock) at which a step is to stop */
    uint32_t next;            /* where the step goes on: an object, a processor */
    size_t option;            /* of `next`, in the list of options of all objects */
    size_t many;              /* candidates at which those that cannot be among the rows are dropped */
    bool drops;               /* some were */
    Candidate last;           /* the last that was not */
    int round;                /* of addPanels */
    uint8_t *here;            /* by task: did it run on the processor? */
    uint8_t *ran;             /* by task: how it ran */
    tacLaneWork lanes;
} Listing;

/* Is the time of a step over? */
static bool isLate(const Listing *c) { return tacLayoutClock() >= c->until; }

bool tacIgnored(const tacStore *store, const char *id) {
    for (size_t i = 0; i < store->ignored.count; i++) {
        const char *part = tacString(store, store->ignored.at[i]);
        if (*part && strstr(id, part)) return true;
    }
    return false;
}

bool tacWildcardMatch(const char *pattern, const char *text, bool fold) {
    const char *star = NULL, *retry = NULL; /* the pattern behind the last star, and the text that is tried there */
    while (*text) {
        bool letter = (*pattern >= 'a' && *pattern <= 'z') || (*pattern >= 'A' && *pattern <= 'Z');
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text || (fold && letter && (*pattern ^ *text) == ' ')) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else return false;
    }
    while (*pattern == '*') pattern++;
    return *pattern == 0;
}

/* Time of a task's first slice or arrow. */
static int64_t firstEvent(const tacModel *model, uint32_t task) {
    const tacTaskModel *t = &model->tasks[task];
    int64_t first = INT64_MAX;
    if (t->slices.count) first = t->slices.at[0].begin;
    if (t->arrows.count && tacRowTime(model->store, t->arrows.at[0]) < first)
        first = tacRowTime(model->store, t->arrows.at[0]);
    return first;
}

/* The options of a task or server that decide about its row. */
typedef struct RowOptions {
    bool hidden, placed, grouped;
    int64_t row, group; /* -row if placed, -group if grouped */
} RowOptions;

/* Reads the options of an object; *at: index of the first option of it or of those behind it, which goes on to the
 * next one's. */
static RowOptions readOptions(const tacOptionArray *options, uint32_t index, size_t *at) {
    RowOptions read = {.hidden = false};
    for (; *at < options->count && options->at[*at].owner <= index; ++*at) {
        const tacOptionValue *option = &options->at[*at];
        if (option->owner < index) continue;
        if (option->option == TAC_OPT_HIDDEN) read.hidden = true;
        else if (option->option == TAC_OPT_ROW) read.placed = true, read.row = option->value;
        else if (option->option == TAC_OPT_GROUP) read.grouped = true, read.group = option->value;
    }
    return read;
}

/* Fills in the order of a task, server or processor; `pattern` is the place of the pattern that it matches. */
static void setOrder(
    const Listing *c, Candidate *entry, tacKind kind, const RowOptions *options, const char *name, uint32_t pattern) {
    const char *order = c->figure.order;
    const tacObject *object = entry->index < tacStoreObjects(c->model->store, kind)
        ? &c->model->store->objects[kind].at[entry->index]
        : NULL;
    int64_t priority = object && kind != TAC_PROCESSOR ? object->priority : 0;
    if (kind == TAC_TASK && options->placed) priority = options->row;
    entry->tie = object && object->line ? object->order : UINT16_MAX + entry->index;
    entry->key = entry->next = 0;
    if (!order && c->figure.rows) {
        entry->key = pattern;
        entry->next = priority;
    } else if (!order || strcmp(order, "priority") == 0) {
        entry->key = priority;
    } else if (strcmp(order, "name") == 0) {
        entry->name = name;
        entry->byName = true;
    } else if (strcmp(order, "first") == 0 && kind == TAC_TASK) {
        entry->key = firstEvent(c->model, entry->index);
    }
}

/* Has the model something to show of a task, processor or server? */
static bool hasSomething(const tacModel *model, tacKind kind, uint32_t index) {
    if (kind == TAC_PROCESSOR) return model->processors[index].runs.count > 0;
    if (kind == TAC_SERVER) return model->servers[index].points.count > 1;
    const tacTaskModel *task = &model->tasks[index];
    return task->slices.count || task->arrows.count || task->notes.count;
}

/* Does a slice have a part in [from, to]? One that only touches an end has none, unless it is an instant itself. */
static bool isWithin(const tacSlice *slice, int64_t from, int64_t to) {
    return slice->end == slice->begin ? slice->begin >= from && slice->begin <= to
                                      : slice->end > from && slice->begin < to;
}

static bool runsWithin(const tacModel *model, uint32_t processor, int64_t from, int64_t to) {
    const tacProcessorModel *p = &model->processors[processor];
    for (uint32_t i = tacQueryRun(model, processor, 0, from); i < p->runs.count;
         i = tacQueryRun(model, processor, i + 1, from)) {
        const tacSlice *slice = tacRunSlice(model, p->runs.at[i]);
        if (slice->begin > to) return false;
        if (isWithin(slice, from, to)) return true;
    }
    return false;
}

static bool slicesWithin(const tacModel *model, uint32_t task, int64_t from, int64_t to) {
    const tacTaskModel *t = &model->tasks[task];
    for (uint32_t i = tacQuerySlice(model, task, 0, from); i < t->slices.count;
         i = tacQuerySlice(model, task, i + 1, from)) {
        const tacSlice *slice = &t->slices.at[i];
        if (slice->begin > to) return false;
        if (isWithin(slice, from, to)) return true;
    }
    return false;
}

static bool rowsWithin(const tacStore *store, const uint32_t *rows, size_t n, int64_t from, int64_t to) {
    return tacListFind(store, rows, n, from) < tacListFindAfter(store, rows, n, to);
}

/* Does the budget of a server change in [from, to]? */
static bool budgetChanges(const tacModel *model, uint32_t server, int64_t from, int64_t to) {
    const tacServerModel *s = &model->servers[server];
    uint32_t first = 0, end = (uint32_t) s->points.count; /* the last point not after `from`, and those in the range */
    for (uint32_t high = end; first + 1 < high;) {
        uint32_t middle = first + (high - first) / 2;
        if (s->points.at[middle].time <= from) first = middle;
        else high = middle;
    }
    while (end > first + 1 && s->points.at[end - 1].time > to) end--;
    double least, largest;
    tacLodBudgets(model, server, first, end, from, to, &least, &largest);
    return least < largest;
}

/* The range in which rows must have something; false: any. */
static bool rangeOf(const tacFigure *figure, int64_t *from, int64_t *to) {
    *from = figure->from == TAC_UNKNOWN ? INT64_MIN : figure->from;
    *to = figure->to == TAC_UNKNOWN ? INT64_MAX : figure->to;
    return !figure->emptyRows && (figure->from != TAC_UNKNOWN || figure->to != TAC_UNKNOWN);
}

/* Has it something to show in the figure's range of time? */
static bool hasSomethingWithin(const tacModel *model, tacKind kind, uint32_t index, const tacFigure *figure) {
    int64_t from, to;
    if (!rangeOf(figure, &from, &to)) return true;
    if (kind == TAC_PROCESSOR) return runsWithin(model, index, from, to);
    if (kind == TAC_SERVER) return budgetChanges(model, index, from, to);
    const tacTaskModel *task = &model->tasks[index];
    return rowsWithin(model->store, task->arrows.at, task->arrows.count, from, to)
        || rowsWithin(model->store, task->notes.at, task->notes.count, from, to)
        || slicesWithin(model, index, from, to);
}

bool tacFigureRowWithin(const tacModel *model, const tacFigureRow *row, int64_t from, int64_t to) {
    static const tacKind kinds[] = {TAC_TASK, TAC_PROCESSOR, TAC_SERVER};
    tacFigure range = {.from = from, .to = to};
    if (row->partial && !tacLodPartCount(model, row->owner, row->processor, from, to)) return false;
    return hasSomethingWithin(model, kinds[row->kind], row->owner, &range);
}

bool tacIsNumbered(const char *id) {
    size_t digits = strspn(id, "0123456789");
    return digits > 0 && (id[digits] == 0 || id[digits] == '/');
}

static bool wildcardFits(const char *pattern, const char *text) { return tacWildcardMatch(pattern, text, false); }

static int compareCandidates(const void *left, const void *right);
static void sortAll(Candidates *list);

/*
 * Tasks that cannot be among the rows: in their order, those behind the greatest number of rows, unless they are in a
 * group, which its first one moves up. With a row for each task, such are dropped by and by.
 */

/* The number of candidates at which some are dropped again: some times as many as are kept, which are sorted each time,
 * but not so many that sorting them takes long. */
static size_t manyAfter(const Listing *c, size_t kept) {
    enum { TIMES = 8, MORE_MOST = 50000 };
    return kept + (TIMES * c->rows->most < MORE_MOST ? TIMES * c->rows->most : MORE_MOST);
}

static void dropBeyond(Listing *c, Candidates *list) {
    size_t kept = 0, most = c->rows->most;
    sortAll(list);
    c->last = list->at[most - 1];
    c->drops = true;
    for (size_t i = 0; i < list->count; i++)
        if (i < most || list->at[i].group != TAC_NONE) list->at[kept++] = list->at[i];
    c->rows->leftOut += (uint32_t) (list->count - kept);
    list->count = kept;
    c->many = manyAfter(c, kept);
}

/* Is it behind as many as there can be rows? */
static bool isBeyond(const Listing *c, const Candidate *entry) {
    return c->drops && entry->group == TAC_NONE && compareCandidates(entry, &c->last) > 0;
}

/*
 * Adds an object if it has something and matches a pattern. Tasks that the trace hides are only shown where patterns
 * ask for them; one for all, *, does not. Objects come in their order. False: no memory.
 */
static bool addCandidate(Listing *c, tacKind kind, uint32_t index, Candidates *list) {
    const tacModel *model = c->model;
    const tacStore *store = model->store;
    const tacPatterns *patterns = c->figure.rows ? &c->patterns : NULL;
    RowOptions options = readOptions(&store->objectOptions[kind], index, &c->option);
    if (!hasSomething(model, kind, index)) return true;
    bool processor = kind == TAC_PROCESSOR, hidden = kind == TAC_TASK && options.hidden;
    const char *id = processor ? tacProcessorId(model, index) : tacObjectId(store, kind, index),
               *name = processor ? tacProcessorName(model, index) : tacObjectName(store, kind, index);
    if (tacIgnored(store, id)) return true;
    uint32_t pattern = patterns ? tacPatternsFirst(patterns, id, name, hidden) : 0;
    if (patterns ? pattern == TAC_NONE : hidden) return true;
    bool named = patterns && (tacPatternsSpell(patterns, id) || tacPatternsSpell(patterns, name));
    if (!c->figure.emptyRows && !named && !hasSomethingWithin(model, kind, index, &c->figure)) {
        c->rows->empty++;
        return true;
    }
    Candidate entry = {.index = index, .group = TAC_NONE};
    entry.noted = kind == TAC_TASK && model->tasks[index].notes.count > 0;
    entry.numbered = kind == TAC_TASK && tacIsNumbered(id);
    size_t length = strlen(name);
    entry.nameLength = (uint8_t) (length < UINT8_MAX ? length : UINT8_MAX);
    if (kind == TAC_TASK && !patterns && options.grouped) entry.group = (uint32_t) options.group;
    setOrder(c, &entry, kind, &options, name, pattern);
    if (kind == TAC_TASK && isBeyond(c, &entry)) {
        c->rows->leftOut++;
        return true;
    }
    return tacArrayPush(list, entry);
}

/* Adds the objects of a kind until the time is over. False: no memory. */
static bool addCandidates(Listing *c, tacKind kind, Candidates *list, bool *done) {
    const tacModel *model = c->model;
    uint32_t n = kind == TAC_PROCESSOR ? model->nProcessors : tacStoreObjects(model->store, kind);
    enum {
        AHEAD = 16, /* tasks asked for before they are needed: their fields lie far apart */
        STEP = 256  /* objects between two looks at the clock */
    };
    bool plain = kind == TAC_TASK && c->rows->mode == TAC_PROCESSORS_NONE; /* a row for each */
    if (!c->next && !tacArrayReserve(list, n < TAC_LISTED_MAX ? n : TAC_LISTED_MAX)) return false;
    while (c->next < n) {
        if (kind == TAC_TASK && c->next + AHEAD < n) {
            TAC_PREFETCH(&model->tasks[c->next + AHEAD].slices.count);
            TAC_PREFETCH(&model->tasks[c->next + AHEAD].notes.count);
        }
        if (!addCandidate(c, kind, c->next++, list)) return false;
        if (plain && list->count >= c->many) dropBeyond(c, list);
        if (c->next % STEP == 0 && isLate(c)) break;
    }
    *done = c->next == n;
    return true;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static int compareCandidates(const void *left, const void *right) {
    const Candidate *a = left, *b = right;
    int byName = a->byName ? strcmp(a->name, b->name) : 0;
    if (byName) return byName;
    if (!a->byName && a->key != b->key) return a->key < b->key ? -1 : 1;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    if (a->tie != b->tie) return a->tie < b->tie ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int compareGroups(const void *left, const void *right) {
    const Candidate *a = left, *b = right;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return a->next < b->next ? -1 : a->next > b->next;
}

static bool isSorted(const Candidates *list) {
    for (size_t i = 1; i < list->count; i++)
        if (compareCandidates(&list->at[i - 1], &list->at[i]) > 0) return false;
    return true;
}

/* Parts of the order that are numbers. */
static int64_t tieOf(const Candidate *entry) { return entry->tie; }
static int64_t nextOf(const Candidate *entry) { return entry->next; }
static int64_t keyOf(const Candidate *entry) { return entry->key; }

/* Sorts the places of candidates by one of their numbers. */
static void sortBy(tacDigits *d, const Candidates *list, int64_t (*number)(const Candidate *entry)) {
    for (size_t i = 0; i < d->n; i++) d->keys[i] = tacDigitsInteger(number(&list->at[i]));
    tacDigitsSort(d);
}

/* Sorts many candidates, which come in the order of their index. False: no memory. */
static bool sortMany(Candidates *list) {
    tacDigits d;
    bool byName = list->at[0].byName;
    const char **names = byName ? tacAlloc(list->count * sizeof *names) : NULL;
    bool ok = (names || !byName) && tacDigitsInit(&d, list->count);
    if (ok) {
        sortBy(&d, list, tieOf);
        sortBy(&d, list, nextOf);
        if (!byName) sortBy(&d, list, keyOf);
        for (size_t i = 0; names && i < list->count; i++) names[i] = list->at[i].name;
        if (names) tacDigitsSortNames(&d, names);
        tacDigitsApply(&d, list->at, sizeof *list->at);
        tacDigitsFree(&d);
    }
    tacFree(names);
    return ok;
}

/* Sorts the list by compareCandidates. */
static void sortAll(Candidates *list) {
    enum { MANY = 1000 };
    if (isSorted(list) || (list->count >= MANY && sortMany(list))) return;
    qsort(list->at, list->count, sizeof *list->at, compareCandidates);
}

/* Sorts the list, and then moves the members of each group up to its first one. */
static void sortCandidates(Candidates *list) {
    bool grouped = false;
    for (size_t i = 0; i < list->count; i++) grouped |= list->at[i].group != TAC_NONE;
    sortAll(list);
    if (!grouped) return;
    for (size_t i = 0; i < list->count; i++) {
        list->at[i].byName = false;
        list->at[i].key = list->at[i].next = (int64_t) i;
    }
    qsort(list->at, list->count, sizeof *list->at, compareGroups);
    for (size_t i = 1; i < list->count; i++)
        if (list->at[i].group != TAC_NONE && list->at[i].group == list->at[i - 1].group)
            list->at[i].key = list->at[i - 1].key;
    qsort(list->at, list->count, sizeof *list->at, compareCandidates);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static bool addRow(tacFigureRows *rows, tacFigureRow row) {
    if (rows->rows.count == rows->most) {
        rows->leftOut++;
        return true;
    }
    uint32_t index = (uint32_t) rows->rows.count;
    row.lanes = 1;
    row.next = TAC_NONE;
    if (row.kind == TAC_FIGURE_ROW_TASK) {
        uint32_t *link = &rows->rowOfTask[row.owner];
        while (*link != TAC_NONE) link = &rows->rows.at[*link].next;
        *link = index;
    }
    return tacArrayPush(&rows->rows, row);
}

static tacFigureRow rowOf(const Candidate *entry, tacFigureRowKind kind, uint16_t processor) {
    return (tacFigureRow){.kind = (uint8_t) kind,
        .noted = entry->noted,
        .numbered = entry->numbered,
        .nameLength = entry->nameLength,
        .processor = processor,
        .owner = entry->index};
}

/* Adds a row for each of a list until the time is over. False: no memory. */
static bool addPlain(Listing *c, const Candidates *list, tacFigureRowKind kind, bool *done) {
    enum { STEP = 256 }; /* rows between two looks at the clock */
    size_t room = c->rows->most - c->rows->rows.count;
    if (!c->next && !tacArrayReserve(&c->rows->rows, list->count < room ? list->count : room)) return false;
    while (c->next < list->count) {
        if (!addRow(c->rows, rowOf(&list->at[c->next++], kind, TAC_NO_PROCESSOR))) return false;
        if (c->next % STEP == 0 && isLate(c)) break;
    }
    *done = c->next == list->count;
    return true;
}

/* Adds the rows of servers that belong to a processor, or to none (TAC_NO_PROCESSOR); *heading: the next row of the
 * panel has its name above, and whether one behind these does. False: no memory. */
static bool addServers(const Listing *c, const Candidates *servers, uint32_t processor, bool *heading) {
    for (size_t i = 0; i < servers->count; i++) {
        uint32_t home = c->model->store->objects[TAC_SERVER].at[servers->at[i].index].processor;
        if ((home < c->model->nProcessors ? home : TAC_NO_PROCESSOR) != processor) continue;
        tacFigureRow row = rowOf(&servers->at[i], TAC_FIGURE_ROW_SERVER, (uint16_t) processor);
        row.heading = *heading;
        if (!addRow(c->rows, row)) return false;
        *heading = false;
    }
    return true;
}

/* The processor of a task that never runs: its -processor, else the first there is. */
static uint32_t homeOf(const tacModel *model, uint32_t task) {
    uint16_t processor = model->store->objects[TAC_TASK].at[task].processor;
    return processor < model->nProcessors ? processor : 0;
}

/* A task ran; on several processors; has something in the figure's range where it ran; has its only row already. */
enum { RAN = 1, SEVERAL = 2, WITHIN = 4, PLACED = 8 };

/* Notes which tasks ran on a processor. */
static void noteRuns(const tacModel *model, uint32_t processor, uint32_t nTasks, uint8_t *here) {
    memset(here, 0, nTasks);
    for (size_t i = 0; i < model->processors[processor].runs.count; i++)
        here[model->processors[processor].runs.at[i].task] = RAN;
}

/* Has a task that ran on a processor something there in the figure's range? Not what ends where it begins, nor a wait
 * of no time there. */
static bool isThere(const Listing *c, uint32_t task, uint32_t processor, uint8_t ran) {
    const tacModel *model = c->model;
    const tacTaskModel *t = &model->tasks[task];
    int64_t from, to;
    if (!rangeOf(&c->figure, &from, &to) || !(ran & SEVERAL)) return true;
    if (from < to && tacLodPartCount(model, task, (uint16_t) processor, from + 1, to) > 0) return true;
    for (uint32_t i = tacQuerySlice(model, task, 0, from); i < t->slices.count && t->slices.at[i].begin <= from;
         i = tacQuerySlice(model, task, i + 1, from)) {
        const tacSlice *slice = &t->slices.at[i];
        bool counts = slice->end > from || slice->state == TAC_STATE_RUNNING;
        if (counts && slice->processor == processor && isWithin(slice, from, to)) return true;
    }
    return false;
}

/* Is this the only row of a task that has nothing but arrows in the range, if anything: where the first arrow belongs,
 * else where it ran first? */
static bool isOnlyRow(const Listing *c, uint32_t task, uint32_t processor, bool here, uint8_t *ran) {
    const tacTaskModel *t = &c->model->tasks[task];
    int64_t from, to;
    if (*ran & PLACED) return false;
    rangeOf(&c->figure, &from, &to);
    size_t at = tacListFind(c->model->store, t->arrows.at, t->arrows.count, from);
    bool arrow = at < t->arrows.count && tacRowTime(c->model->store, t->arrows.at[at]) <= to;
    uint32_t home = arrow ? tacArrowProcessor(c->model, task, t->arrows.at[at]) : TAC_NO_PROCESSOR;
    if (home < c->model->nProcessors ? home != processor : !here) return false;
    *ran |= PLACED;
    return true;
}

/* Finds in which way tasks ran, from those of a processor; round 0. */
static void noteWays(Listing *c) {
    for (uint32_t task = 0; task < c->rows->nTasks; task++)
        if (c->here[task]) c->ran[task] |= c->ran[task] ? SEVERAL : RAN;
}

/* Finds which of them have something in the figure's range; round 1. */
static void noteWithin(Listing *c, uint32_t processor) {
    for (size_t i = 0; i < c->list.count; i++) {
        uint32_t task = c->list.at[i].index;
        if (c->here[task] && isThere(c, task, processor, c->ran[task])) c->ran[task] |= WITHIN;
    }
}

/* Adds the rows of a processor's panel; round 2. False: no memory. */
static bool addPanel(Listing *c, uint32_t processor) {
    bool heading = true;
    for (size_t i = 0; i < c->list.count; i++) {
        uint32_t task = c->list.at[i].index;
        uint8_t *ran = &c->ran[task];
        bool wanted = homeOf(c->model, task) == processor;
        if (*ran & WITHIN) wanted = c->here[task] && isThere(c, task, processor, *ran);
        else if (*ran) wanted = isOnlyRow(c, task, processor, c->here[task], ran);
        if (!wanted) continue;
        tacFigureRow row = rowOf(&c->list.at[i], TAC_FIGURE_ROW_TASK, (uint16_t) processor);
        row.heading = heading;
        if (!addRow(c->rows, row)) return false;
        heading = false;
    }
    return addServers(c, &c->servers, processor, &heading);
}

/* Adds the servers of no processor, and marks the rows of tasks that have several. False: no memory. */
static bool endPanels(Listing *c) {
    tacFigureRows *rows = c->rows;
    bool heading = rows->rows.count > 0;
    if (!addServers(c, &c->servers, TAC_NO_PROCESSOR, &heading)) return false;
    for (size_t i = 0; i < rows->rows.count; i++) {
        tacFigureRow *row = &rows->rows.at[i];
        if (row->kind == TAC_FIGURE_ROW_TASK) row->partial = row->next != TAC_NONE || rows->rowOfTask[row->owner] != i;
    }
    return true;
}

/*
 * Adds the rows of panels: one on each processor where a task ran, if it has something there in the figure's range. A
 * task that never ran (it has no slices, or was preempted before it began) has its row at home. The servers of a
 * processor stand below its tasks, where their budgets are read; those of no processor below all panels.
 */
static bool addPanels(Listing *c, bool *done) {
    uint32_t n = c->rows->nTasks;
    if (!c->here) {
        c->here = tacAllocZero(2 * (size_t) n + 1, 1);
        if (!c->here) return false;
        c->ran = c->here + n;
    }
    for (; c->round < 3; c->round++, c->next = 0) {
        while (c->next < c->model->nProcessors) {
            uint32_t processor = c->next++;
            noteRuns(c->model, processor, n, c->here);
            if (c->round == 0) noteWays(c);
            else if (c->round == 1) noteWithin(c, processor);
            else if (!addPanel(c, processor)) return false;
            *done = !isLate(c);
            if (!*done) return true;
        }
    }
    return true;
}

/* The figure's mode, with AUTO resolved. */
static tacProcessorsMode chooseMode(const Listing *c) {
    if (c->figure.processors != TAC_PROCESSORS_AUTO) return c->figure.processors;
    const char *tasks = tacStyleSetting("plot.tasks", c->model->store, &c->figure);
    if (tasks && strcmp(tasks, "collapsed") == 0) return TAC_PROCESSORS_COLLAPSED;
    uint32_t busy = 0;
    for (uint32_t i = 0; i < c->model->nProcessors; i++) busy += c->model->processors[i].runs.count > 0;
    return busy > 1 ? TAC_PROCESSORS_EXPANDED : TAC_PROCESSORS_NONE;
}

/* ---- collapsed rows ---------------------------------------------------------------------------------------------- */

/* Notes the row of each processor. */
static void placeProcessors(tacFigureRows *rows) {
    memset(rows->rowOfProcessor, 0xFF, ((size_t) rows->nProcessors + 1) * sizeof *rows->rowOfProcessor); /* TAC_NONE */
    for (size_t i = 0; i < rows->rows.count; i++)
        if (rows->rows.at[i].kind == TAC_FIGURE_ROW_PROCESSOR)
            rows->rowOfProcessor[rows->rows.at[i].owner] = (uint32_t) i;
}

/* Finds the row of each processor, and for each task the only processor where it has something. False: no memory. */
static bool findProcessors(tacFigureRows *rows, const tacModel *model) {
    enum { UNSEEN = TAC_NO_PROCESSOR - 1 };
    size_t n = model->nProcessors;
    uint16_t *sole = rows->soleProcessor = tacAlloc(((size_t) rows->nTasks + 1) * sizeof *sole);
    rows->rowOfProcessor = tacAlloc((n + 1) * sizeof *rows->rowOfProcessor);
    if (!sole || !rows->rowOfProcessor) return false;
    placeProcessors(rows);
    for (uint32_t task = 0; task < rows->nTasks; task++) sole[task] = UNSEEN;
    for (uint32_t p = 0; p < n; p++) {
        for (size_t i = 0; i < model->processors[p].runs.count; i++) {
            uint32_t task = model->processors[p].runs.at[i].task;
            sole[task] = (uint16_t) (sole[task] == UNSEEN || sole[task] == p ? p : TAC_NO_PROCESSOR);
        }
    }
    for (uint32_t task = 0; task < rows->nTasks; task++)
        if (sole[task] == UNSEEN) sole[task] = (uint16_t) homeOf(model, task);
    return true;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* String id of a task's name; TAC_NONE: no other task can have it. */
static uint32_t nameOf(const tacStore *store, uint32_t task) {
    if (store->frozen && task < store->objects[TAC_TASK].count) return store->objects[TAC_TASK].at[task].name;
    const char *name = tacObjectName(store, TAC_TASK, task);
    return tacInternFind(&store->strings, name, strlen(name));
}

/* Marks the rows of threads that share their name, as shells do, so that labels show their numbers too. */
static bool findNamesakes(tacFigureRows *rows, const tacStore *store) {
    size_t names = tacInternCount(&store->strings);
    bool any = false;
    for (size_t i = 0; i < rows->rows.count && !any; i++) any = rows->rows.at[i].numbered;
    if (!any) return true;
    uint32_t *first = tacAlloc((names + 1) * sizeof *first); /* by name: the first row of a task that has it */
    if (!first) return false;
    memset(first, 0xFF, (names + 1) * sizeof *first); /* TAC_NONE */
    for (uint32_t i = 0; i < rows->rows.count; i++) {
        tacFigureRow *row = &rows->rows.at[i];
        uint32_t name = row->numbered ? nameOf(store, row->owner) : TAC_NONE;
        if (name >= names) continue;
        if (first[name] == TAC_NONE) first[name] = i;
        if (rows->rows.at[first[name]].owner != row->owner) rows->rows.at[first[name]].namesake = row->namesake = true;
    }
    for (uint32_t i = 0; i < rows->rows.count; i++) { /* other rows of the same tasks */
        tacFigureRow *row = &rows->rows.at[i];
        if (row->kind == TAC_FIGURE_ROW_TASK && rows->rowOfTask[row->owner] != TAC_NONE)
            row->namesake |= rows->rows.at[rows->rowOfTask[row->owner]].namesake;
    }
    tacFree(first);
    return true;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static bool isCollapsed(const Listing *c) { return c->rows->mode == TAC_PROCESSORS_COLLAPSED; }

static bool findCandidates(Listing *c, bool *done) {
    return addCandidates(c, isCollapsed(c) ? TAC_PROCESSOR : TAC_TASK, &c->list, done);
}

static bool findServers(Listing *c, bool *done) { return addCandidates(c, TAC_SERVER, &c->servers, done); }

static bool putInOrder(Listing *c, bool *done) {
    (void) done;
    sortCandidates(&c->list);
    sortCandidates(&c->servers);
    return true;
}

static bool addRows(Listing *c, bool *done) {
    if (c->rows->mode == TAC_PROCESSORS_EXPANDED) return addPanels(c, done);
    return addPlain(c, &c->list, isCollapsed(c) ? TAC_FIGURE_ROW_PROCESSOR : TAC_FIGURE_ROW_TASK, done);
}

static bool addServerRows(Listing *c, bool *done) {
    if (c->rows->mode == TAC_PROCESSORS_EXPANDED) return endPanels(c);
    return addPlain(c, &c->servers, TAC_FIGURE_ROW_SERVER, done);
}

static bool findLanes(Listing *c, bool *done) {
    return tacFigureRowsLanes(c->rows, c->model, &c->lanes, c->until, done);
}

static bool findNames(Listing *c, bool *done) {
    (void) done;
    return findNamesakes(c->rows, c->model->store) && tacFigureRowsPrefixes(c->rows, c->model)
        && (!isCollapsed(c) || findProcessors(c->rows, c->model));
}

/* Each does its work until the time is over; done is true before. False: no memory. */
static bool (*const listingSteps[])(Listing *c, bool *done) = {
    findCandidates, findServers, putInOrder, addRows, addServerRows, findLanes, findNames};

static void endListing(tacFigureRows *rows) {
    Listing *c = rows->listing;
    rows->listing = NULL;
    if (!c) return;
    tacPatternsFree(&c->patterns);
    tacArrayFree(&c->list);
    tacArrayFree(&c->servers);
    tacLaneWorkFree(&c->lanes);
    tacFree(c->here);
    tacFree(c);
}

tacStatus tacFigureRowsBegin(
    tacFigureRows *rows, const tacModel *model, const tacFigure *figure, size_t most, tacError *err) {
    memset(rows, 0, sizeof *rows);
    const char *const *order = tacOrderWords + 1;
    while (figure->order && *order && strcmp(figure->order, *order) != 0) order++;
    if (!*order)
        return tacFail(
            err, "FIGURE OPTION", "bad order \"%.60s\": must be priority, definition, name or first", figure->order);
    uint32_t nTasks = tacStoreObjects(model->store, TAC_TASK);
    Listing *c = rows->listing = tacAllocZero(1, sizeof *c);
    rows->rowOfTask = tacAlloc(((size_t) nTasks + 1) * sizeof *rows->rowOfTask);
    if (!c || !rows->rowOfTask || !tacPatternsInit(&c->patterns, figure->rows, "*?", wildcardFits)) {
        tacFigureRowsFree(rows);
        return tacFailMemory(err);
    }
    memset(rows->rowOfTask, 0xFF, ((size_t) nTasks + 1) * sizeof *rows->rowOfTask); /* TAC_NONE */
    c->rows = rows, c->model = model, c->figure = *figure;
    rows->mode = chooseMode(c);
    rows->most = most;
    c->many = manyAfter(c, most);
    rows->nTasks = nTasks;
    rows->nProcessors = model->nProcessors;
    return TAC_OK;
}

tacStatus tacFigureRowsGoOn(tacFigureRows *rows, double until, bool *done, tacError *err) {
    enum { STEPS = sizeof listingSteps / sizeof *listingSteps };
    Listing *c = rows->listing;
    *done = !c;
    if (*done) return TAC_OK;
    c->until = until;
    do {
        bool complete = true;
        if (!listingSteps[c->step](c, &complete)) {
            tacFigureRowsFree(rows);
            return tacFailMemory(err);
        }
        if (complete) c->step++, c->next = 0, c->option = 0;
    } while (c->step < STEPS && !isLate(c));
    *done = c->step == STEPS;
    if (!*done) return TAC_OK;
    const char *const *patterns = c->figure.rows;
    endListing(rows);
    if (!patterns || !patterns[0] || rows->rows.count) return TAC_OK;
    tacFigureRowsFree(rows);
    return tacFail(err, "FIGURE ROWS", "no task, server or processor with events matches \"%.60s\"", patterns[0]);
}

tacStatus tacFigureRowsList(
    tacFigureRows *rows, const tacModel *model, const tacFigure *figure, size_t most, tacError *err) {
    bool done;
    if (tacFigureRowsBegin(rows, model, figure, most, err) != TAC_OK) return TAC_ERROR;
    return tacFigureRowsGoOn(rows, INFINITY, &done, err);
}

bool tacFigureRowInPart(const tacFigureRows *rows, const tacFigureRow *row) {
    if (rows->mode != TAC_PROCESSORS_EXPANDED || row->kind == TAC_FIGURE_ROW_GROUP) return false;
    const tacFigureRow *first = rows->all ? rows->all : rows->rows.at; /* panels come first */
    return row->processor != TAC_NO_PROCESSOR || first->processor != TAC_NO_PROCESSOR;
}

/* Links the rows of each task, and notes those of processors and which are the first of a panel. */
static void linkRows(tacFigureRows *rows) {
    tacFigureRow *at = rows->rows.at;
    memset(rows->rowOfTask, 0xFF, ((size_t) rows->nTasks + 1) * sizeof *rows->rowOfTask); /* TAC_NONE */
    for (uint32_t i = (uint32_t) rows->rows.count; i-- > 0;) {
        at[i].heading = !rows->grouped && tacFigureRowInPart(rows, &at[i])
            && (!i || at[i - 1].processor != at[i].processor);
        if (at[i].kind != TAC_FIGURE_ROW_TASK) continue;
        at[i].next = rows->rowOfTask[at[i].owner];
        rows->rowOfTask[at[i].owner] = i;
    }
    if (rows->rowOfProcessor) placeProcessors(rows);
}

bool tacFigureRowsWhole(tacFigureRows *rows, tacFigureRow *all) {
    size_t size = ((size_t) rows->nTasks + 1) * sizeof *rows->allOfTask;
    rows->allOfTask = tacAlloc(size);
    if (!rows->allOfTask) return false;
    linkRows(rows);
    memcpy(rows->allOfTask, rows->rowOfTask, size);
    if (rows->rows.count) memcpy(all, rows->rows.at, rows->rows.count * sizeof *all);
    rows->all = all;
    rows->nAll = rows->rows.count;
    return true;
}

size_t tacFigureRowsPart(tacFigureRows *rows, const tacFigureRow *list, size_t first, size_t end) {
    size_t headings = first < end ? list[first].depth : 0;
    uint8_t depth = (uint8_t) headings;
    for (size_t i = first; depth > 0 && i-- > 0;) /* the nearest heading of each group around */
        if (tacFigureRowIsHeading(&list[i]) && list[i].depth < depth) rows->rows.at[--depth] = list[i];
    rows->rows.count = headings + end - first;
    if (end > first) memcpy(rows->rows.at + headings, list + first, (end - first) * sizeof *list);
    linkRows(rows);
    return headings;
}

void tacFigureRowsFree(tacFigureRows *rows) {
    endListing(rows);
    for (uint32_t i = 0; rows->laneOfRun && i < rows->nProcessors; i++) tacFree(rows->laneOfRun[i]);
    tacFree(rows->laneOfRun);
    tacFree(rows->rowOfProcessor);
    tacFree(rows->soleProcessor);
    tacFree(rows->laneOfJob);
    tacFree(rows->rowOfTask);
    tacFree(rows->allOfTask);
    tacInternFree(&rows->groups);
    tacArrayFree(&rows->rows);
    memset(rows, 0, sizeof *rows);
}

/* The row for a processor among those of a task, the first of which is at place i; else its first one. */
static const tacFigureRow *findIn(const tacFigureRow *at, uint32_t i, uint16_t processor) {
    const tacFigureRow *first = NULL;
    for (; i != TAC_NONE; i = at[i].next) {
        const tacFigureRow *row = &at[i];
        if (row->processor == TAC_NO_PROCESSOR || row->processor == processor) return row->away ? NULL : row;
        first = first || row->away ? first : row;
    }
    return first;
}

tacFigureRow *tacFigureRowsFind(const tacFigureRows *rows, uint32_t task, uint16_t processor) {
    if (task >= rows->nTasks) return NULL;
    const tacFigureRow *whole = rows->all ? findIn(rows->all, rows->allOfTask[task], processor) : NULL;
    if (rows->all && !whole) return NULL;
    const tacFigureRow *row = findIn(rows->rows.at, rows->rowOfTask[task], whole ? whole->processor : processor);
    if (row && whole && row->processor != whole->processor) return NULL; /* it is on another page */
    return row ? &rows->rows.at[row - rows->rows.at] : NULL;
}

bool tacFigureRowIsFirst(const tacFigureRows *rows, const tacFigureRow *row) {
    const tacFigureRow *first = rows->all ? &rows->all[rows->allOfTask[row->owner]]
                                          : &rows->rows.at[rows->rowOfTask[row->owner]];
    return first->processor == row->processor;
}

/* ---- placing ----------------------------------------------------------------------------------------------------- */

float tacFigureRowBelow(const tacFigureRow *row, const tacStyle *style, float stretch, float y) {
    bool server = row->kind == TAC_FIGURE_ROW_SERVER;
    float margin = (float) (server && !row->heading ? style->serverMargin : style->taskMargin)
        * (style->unit * stretch);
    if (server) margin = fmaxf(margin, 1.1f * style->smallSize); /* for the numbers at the ends of its panel */
    y += margin;
    return row->heading ? y + margin : y;
}

void tacFigureRowPlace(tacFigureRow *row, const tacStyle *style, const tacFigure *figure, float top, float stretch,
    float noteHeight, float labelSize) {
    float unit = style->unit * stretch, arrow = (float) style->arrowHeight * unit,
          bar = (float) style->barHeight * unit;
    bool server = row->kind == TAC_FIGURE_ROW_SERVER;
    if (figure->convention == TAC_CONVENTION_RTSCHED)
        arrow *= 0.7f; /* arrows begin at the baseline and need less room above the bar */
    row->top = top;
    if (row->kind == TAC_FIGURE_ROW_GROUP) {
        row->bar = row->members ? top + arrow / 3 : top + 1.4f * labelSize;
        row->bottom = row->members ? row->bar + bar : row->bar;
        return;
    }
    row->bar = top + (server ? 0 : arrow + (float) row->noteLanes * noteHeight);
    if (row->heading && server)
        row->bar = top + 1.4f * labelSize + 0.5f * style->smallSize; /* above the axis' number */
    else if (row->heading)
        row->bar = fmaxf(row->bar, top + 2 * labelSize - bar / 2); /* the panel's name above the row's own */
    float lanes = fminf(fmaxf(0.5f * (float) row->lanes, 1), 3);   /* bars' heights that all lanes share */
    row->bottom = row->bar + (server ? (float) style->serverHeight * unit : bar * lanes);
}

void tacFigureRowsPlace(tacFigureRows *rows, const tacStyle *style, const tacFigure *figure, float top, float stretch,
    float noteHeight, float labelSize) {
    rows->bottom = top;
    for (size_t i = 0; i < rows->rows.count; i++) {
        tacFigureRow *row = &rows->rows.at[i];
        if (row->away) { /* behind the row of its group */
            row->top = row->bar = row->bottom = rows->bottom;
            continue;
        }
        float y = i ? tacFigureRowBelow(row, style, stretch, rows->bottom) : rows->bottom;
        if (i == 0 && row->kind == TAC_FIGURE_ROW_SERVER) y += 0.5f * style->smallSize; /* of the number at its edge */
        tacFigureRowPlace(row, style, figure, y, stretch, noteHeight, labelSize);
        rows->bottom = row->bottom;
    }
}
