/*
 * layoutArrows.c -- arrows of releases and deadlines.
 *
 *      few     gatherTask, gatherImplied -> in order of time -> drawGroups
 *      many    groups by looking at some of them; in a quick figure kept in tiles (drawTiles)
 *
 * Arrows at (nearly) the same place form a group and stand side by side: first the deadlines, which belong to what came
 * before, then the releases. A group that has more arrows than can be told apart shows one for each look, with the
 * number it stands for. Implied deadlines follow from a job's release and its task's -D, without an event of their own;
 * they are arrows like the others in figures that ask for them.
 *
 * grasp: releases point down and deadlines up, above the bar. rtsched: releases point up from the baseline and
 * deadlines down to it, in front of the bars and equally long.
 */
#include "base/port.h"

#include "model/lod.h"
#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP_SLOTS = 5,   /* arrows side by side */
    GROUP_LOOKS = 8,   /* arrows looked at in a merged place */
    ARROW_ITEMS = 6000 /* of a figure, about */
};
static const float slotPitch = 2.6f;    /* points between arrows side by side: heads do not touch */
static const double samePlace = 0.3;    /* points: arrows that are nearer stand side by side */
static const double headDistance = 3.6; /* points between groups of arrows: their heads have room */

/* One arrow to draw; equal ones of a crowded group are counted together. */
typedef struct ArrowSlot {
    bool deadline, ignored;
    uint8_t kind; /* ArrivalKind */
    tacDash dash;
    uint32_t ink, row, count;
    uint32_t task; /* TAC_NONE: several tasks' */
} ArrowSlot;

enum ArrivalKind { KIND_LONG, KIND_SHORT, KIND_LOW };

/* Options that decide an arrow's look: of the event, then of its task. */
static const struct ArrowOptions {
    tacOption color, otherColor, stem, otherStem, taskColor, taskStem;
} optionSets[] = {
    {TAC_OPT_ARROW_COLOR, TAC_OPT_COLOR, TAC_OPT_ARROW_STEM, TAC_OPT_STEM, TAC_OPT_ARRIVAL_COLOR, TAC_OPT_ARRIVAL_STEM},
    {TAC_OPT_ARROW_COLOR, TAC_OPT_COLOR, TAC_OPT_ARROW_STEM, TAC_OPT_STEM, TAC_OPT_DEADLINE_COLOR,
        TAC_OPT_DEADLINE_STEM},
    /* jobArrived: -color is the job's */
    {TAC_OPT_ARROW_COLOR, TAC_OPT_ARROW_COLOR, TAC_OPT_ARROW_STEM, TAC_OPT_ARROW_STEM, TAC_OPT_ARRIVAL_COLOR,
        TAC_OPT_ARRIVAL_STEM},
};

/* The text of an event's option, or else of the other option; NULL: it has neither. */
static const char *eventText(const tacDrawing *d, uint32_t row, tacOption option, tacOption other) {
    const char *text = tacRowHasOptions(d->store, row) ? tacRowText(d->store, row, option) : NULL;
    return text || !tacRowHasOptions(d->store, row) ? text : tacRowText(d->store, row, other);
}

/* An arrow of the figure, or several at one place. */
typedef struct ArrowEntry {
    int64_t time;
    uint32_t row, task; /* its event (of an implied deadline: the job's arrival); its task */
    uint32_t count;     /* arrows it stands for */
    bool implied;       /* a deadline that follows from -D */
} ArrowEntry;
typedef TAC_ARRAY(ArrowEntry) ArrowEntries;

/* Finds the look of an arrow: as the event has it, else its task, else black, or gray for ignored arrivals. */
static void lookAt(tacDrawing *d, const ArrowEntry *entry, ArrowSlot *slot) {
    uint32_t row = entry->row, task = entry->task, line = tacRowLine(d->store, row);
    tacEvent event = entry->implied ? TAC_EV_JOB_DEADLINE : tacRowEvent(d->store, row);
    bool deadline = tacEventIs(event, TAC_TRAIT_DEADLINE);
    const struct ArrowOptions *options = &optionSets[event == TAC_EV_JOB_ARRIVED ? 2 : deadline];
    const char *color = entry->implied ? NULL : eventText(d, row, options->color, options->otherColor);
    const char *stem = entry->implied ? NULL : eventText(d, row, options->stem, options->otherStem);
    const char *kind = entry->implied ? NULL : eventText(d, row, TAC_OPT_ARRIVAL_KIND, TAC_OPT_ARRIVAL_KIND);
    slot->deadline = deadline;
    slot->ignored = event == TAC_EV_TASK_ARRIVED_AND_IGNORED;
    slot->kind = KIND_LONG;
    if (kind && strcmp(kind, "short") == 0) slot->kind = KIND_SHORT;
    if (kind && strcmp(kind, "low") == 0) slot->kind = KIND_LOW;
    slot->row = row;
    slot->count = entry->count;
    slot->task = task;
    if (!color && !slot->ignored) {
        color = tacObjectText(d->store, TAC_TASK, task, options->taskColor);
        line = d->store->objects[TAC_TASK].at[task].line;
    }
    slot->ink = tacStyleInk(
        &d->style, tacStyleParse(&d->style, color, slot->ignored ? d->style.ignored : d->style.ink, line, d->diag));
    if (!stem) stem = tacObjectText(d->store, TAC_TASK, task, options->taskStem);
    slot->dash = tacDashWord(stem, TAC_DASH_SOLID);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

float tacOwnerHalf(const tacDrawing *d, bool hatched) { return (hatched ? 0.3f : 0.16f) * d->style.fontSize; }

/* Adds a square in the colour of the task at the tail of an arrow: in a row of several tasks it says whose it is. */
static void addOwner(tacDrawing *d, const tacFigureRow *row, const ArrowSlot *slot, float x, float tail, bool up) {
    if (row->kind != TAC_FIGURE_ROW_PROCESSOR || d->tiles || slot->task == TAC_NONE) return;
    uint32_t fill = tacTaskColor(d, slot->task), ink = 0;
    tacPattern pattern = tacRunPattern(d, slot->task, fill, &ink);
    float half = tacOwnerHalf(d, pattern), middle = up ? tail - half : tail + half;
    tacItem *square = tacAddRect(d, TAC_LAYER_ARROWS, x - half, middle - half, x + half, middle + half, fill,
        (tacRef){TAC_REF_TASK, slot->task, 0, 0});
    if (!square) return;
    square->pattern = (uint8_t) pattern;
    square->ink = pattern ? ink : TAC_NO_COLOR;
    square->outline = d->style.ink;
    square->width = d->style.thin;
}

tacArrowLook *tacArrowLookOf(tacDrawing *d, uint32_t seen) {
    return seen == TAC_SEEN_DEADLINE ? &d->deadline : seen == TAC_SEEN_IGNORED ? &d->ignored : &d->arrival;
}

/* Notes an arrow for the legend. */
static void noteArrow(tacDrawing *d, const ArrowSlot *slot) {
    uint32_t seen = slot->deadline ? TAC_SEEN_DEADLINE : slot->ignored ? TAC_SEEN_IGNORED : TAC_SEEN_ARRIVAL;
    tacArrowLook *look = tacArrowLookOf(d, seen);
    if (!(d->seen & seen)) *look = (tacArrowLook){slot->ink, slot->dash};
    if (look->ink != slot->ink) look->ink = slot->ignored ? d->style.ignored : d->style.ink;
    if (look->dash != slot->dash) look->dash = TAC_DASH_SOLID;
    d->seen |= seen;
    d->several |= slot->count > 1 ? seen : 0;
}

static void addArrow(tacDrawing *d, const tacFigureRow *row, const ArrowSlot *slot, float x, double strength) {
    float arrow = (float) d->style.arrowHeight * d->style.unit * d->stretch, bar = row->bottom - row->bar;
    float base = d->rtsched ? row->bottom : row->bar, length = d->rtsched ? bar + 0.7f * arrow : arrow;
    if (slot->kind != KIND_LONG) length *= 0.6f;
    if (slot->kind == KIND_LOW && !d->rtsched) base = row->bar + 0.5f * bar;
    bool up = slot->deadline != d->rtsched;
    float tail = up ? base : base - length, tip = up ? base - length : base;
    noteArrow(d, slot);
    tacRef ref = {slot->count > 1 ? TAC_REF_MERGED : TAC_REF_EVENT, row->owner, slot->row, slot->count};
    uint32_t ink = strength < 1 ? tacColorMix(d->style.paper, slot->ink, strength) : slot->ink;
    tacItem *item = tacAddLine(d, TAC_LAYER_ARROWS, x, tail, x, tip, d->style.line, ink, ref);
    if (item) {
        item->dash = (uint8_t) slot->dash;
        item->heads = TAC_HEADS_LAST;
    }
    if (strength >= 1) addOwner(d, row, slot, x, tail, up);
}

/*
 * Adds an arrow to n slots, deadlines first; returns how many there are then. With `merge` it is counted with one of
 * the same look if there is one; when all slots are taken it is counted with the first.
 */
static int addSlot(const tacDrawing *d, ArrowSlot *slots, int n, const ArrowSlot *slot, bool merge) {
    if (!tacShows(d, slot->deadline ? TAC_SHOW_DEADLINES : TAC_SHOW_ARROWS)) return n;
    for (int i = 0; merge && i < n; i++) {
        const ArrowSlot *other = &slots[i];
        if (other->deadline == slot->deadline && other->ignored == slot->ignored && other->kind == slot->kind
            && other->dash == slot->dash && other->ink == slot->ink) {
            slots[i].count += slot->count;
            if (other->task != slot->task) slots[i].task = TAC_NONE;
            return n;
        }
    }
    if (n == GROUP_SLOTS) {
        slots[0].count += slot->count;
        if (slots[0].task != slot->task) slots[0].task = TAC_NONE;
        return n;
    }
    int at = n;
    while (at > 0 && slot->deadline && !slots[at - 1].deadline) {
        slots[at] = slots[at - 1];
        at--;
    }
    slots[at] = *slot;
    return n + 1;
}

/* Do all arrows of the task stand in this row? (Rows of processors where the task has nothing are not asked for: see
 * tacNotInRow.) */
static bool allBelong(const tacDrawing *d, const tacFigureRow *row, uint32_t task) {
    return d->rows->mode == TAC_PROCESSORS_NONE || (row->kind == TAC_FIGURE_ROW_TASK && !row->partial)
        || (d->rows->soleProcessor && d->rows->soleProcessor[task] != TAC_NO_PROCESSOR);
}

uint16_t tacArrowProcessor(const tacModel *model, uint32_t task, uint32_t event) {
    const tacStore *store = model->store;
    uint16_t processor = tacRowProcessor(store, event);
    tacEvent kind = tacRowEvent(store, event);
    if (processor == TAC_NO_PROCESSOR && (kind == TAC_EV_JOB_ARRIVED || kind == TAC_EV_JOB_DEADLINE)) {
        uint32_t job = tacQueryJob(model, tacRowSubject(store, event), tacRowTime(store, event));
        uint32_t slice = job == TAC_NONE ? TAC_NONE : model->jobs.at[job].firstSlice;
        if (slice != TAC_NONE) processor = model->tasks[task].slices.at[slice].processor;
    }
    return processor == TAC_NO_PROCESSOR ? store->objects[TAC_TASK].at[task].processor : processor;
}

/* Does an arrow belong to this row? In a panel those of its processor do, in a processor's row those of jobs there. */
static bool belongsHere(const tacDrawing *d, const tacFigureRow *row, uint32_t task, uint32_t event) {
    if (allBelong(d, row, task)) return true;
    uint32_t here = row->kind == TAC_FIGURE_ROW_TASK ? row->processor : row->owner;
    uint16_t processor = tacArrowProcessor(d->model, task, event);
    if (row->kind == TAC_FIGURE_ROW_TASK) return tacFigureRowsFind(d->rows, task, processor) == row;
    return processor == here || (processor >= d->model->nProcessors && here == 0);
}

/* Is this the arrival of a job that has a deadline only by the task's -D? */
static bool impliesDeadline(const tacDrawing *d, uint32_t task, uint32_t event) {
    if (tacRowEvent(d->store, event) != TAC_EV_JOB_ARRIVED) return false;
    uint32_t job = tacQueryJob(d->model, tacRowSubject(d->store, event), tacRowTime(d->store, event));
    const tacJob *record = job == TAC_NONE ? NULL : &d->model->jobs.at[job];
    if (!record || (record->flags & TAC_JOB_EXPLICIT_DEADLINE) || record->deadline == TAC_UNKNOWN) return false;
    const uint32_t *list = d->model->tasks[task].arrows.at;
    size_t n = d->model->tasks[task].arrows.count, i = tacListFind(d->store, list, n, record->deadline);
    for (; i < n && tacRowTime(d->store, list[i]) == record->deadline; i++)
        if (tacEventIs(tacRowEvent(d->store, list[i]), TAC_TRAIT_DEADLINE)) return false;
    return true;
}

/* Is the arrow of a task's event, or the deadline that the event implies, shown in this row? */
static bool isShown(const tacDrawing *d, const tacFigureRow *row, uint32_t task, uint32_t event, bool implied) {
    tacEvent kind = tacRowEvent(d->store, event);
    bool ofJob = kind == TAC_EV_JOB_ARRIVED || kind == TAC_EV_JOB_DEADLINE;
    if (ofJob && tacJobHidden(d, tacRowSubject(d->store, event))) return false;
    return belongsHere(d, row, task, event) && (!implied || impliesDeadline(d, task, event));
}

/* ---- tasks that have arrows in a range --------------------------------------------------------------------------- */

/* The times of a task's first and last arrow, and their number; without any the first is after the last. Of 10^5 tasks
 * in one row most have nothing in a tile, and to look for that in their lists would take longer than a frame. */
typedef struct tacArrowSpan {
    int64_t first, last;
    size_t count;
} tacArrowSpan;

/* Makes the spans of all tasks if there are none yet. Without memory all lists are looked at. */
static void needSpans(tacDrawing *d) {
    uint32_t n = d->rows->nTasks;
    if (d->arrowSpans || !(d->arrowSpans = tacAlloc(n * sizeof *d->arrowSpans + 1))) return;
    for (uint32_t task = 0; task < n; task++) {
        const uint32_t *list = d->model->tasks[task].arrows.at;
        size_t count = d->model->tasks[task].arrows.count;
        d->arrowSpans[task] = (tacArrowSpan){INT64_MAX, INT64_MIN, 0};
        if (count)
            d->arrowSpans[task] = (tacArrowSpan){
                tacRowTime(d->store, list[0]), tacRowTime(d->store, list[count - 1]), count};
    }
}

/* Does the figure show implied deadlines of this task? */
static bool wantsImplied(const tacDrawing *d, uint32_t task) {
    bool wanted = d->figure->deadlines == TAC_DEADLINES_ALL
        || (d->figure->deadlines == TAC_DEADLINES_AUTO && (d->rtsched || d->store->ruled));
    return wanted && d->store->objects[TAC_TASK].at[task].D != TAC_UNKNOWN;
}

/* A time less another one, cut to 64 bits. */
static int64_t earlier(int64_t time, int64_t by) {
    int64_t result;
    return __builtin_sub_overflow(time, by, &result) ? by > 0 ? INT64_MIN : INT64_MAX : result;
}

/* Has the task no arrow, or implied deadline, in [from, to] of a row? */
static bool nothingIn(const tacDrawing *d, const tacFigureRow *row, uint32_t task, int64_t from, int64_t to) {
    if (row->kind != TAC_FIGURE_ROW_PROCESSOR) return false;
    if (tacNotInRow(d, row, task)) return true;
    if (!d->arrowSpans) return false;
    const tacArrowSpan *span = &d->arrowSpans[task];
    if (span->first <= to && span->last >= from) return false;
    if (span->first > span->last || !wantsImplied(d, task)) return true;
    int64_t relative = d->store->objects[TAC_TASK].at[task].D;
    return span->first > earlier(to, relative) || span->last < earlier(from, relative);
}

/* ---- gathering --------------------------------------------------------------------------------------------------- */

/*
 * Adds the arrows [at, end) of a task, or the deadlines that they imply. Of a merged group only the first few are
 * added, the last of which stands for all others.
 */
static void gatherGroup(tacDrawing *d, const tacFigureRow *row, uint32_t task, size_t at, size_t end, bool merged,
    bool implied, ArrowEntries *entries) {
    const uint32_t *list = d->model->tasks[task].arrows.at;
    int64_t relative = implied ? d->store->objects[TAC_TASK].at[task].D : 0;
    size_t looked = !merged || end - at < GROUP_LOOKS ? end : at + GROUP_LOOKS, before = entries->count;
    for (size_t i = at; i < looked; i++) {
        ArrowEntry entry = {tacRowTime(d->store, list[i]) + relative, list[i], task, 1, implied};
        if (isShown(d, row, task, list[i], implied) && !tacArrayPush(entries, entry)) {
            d->display->failed = true;
            return;
        }
    }
    if (entries->count > before) entries->at[entries->count - 1].count += (uint32_t) (end - looked);
}

/*
 * Least distance in points of arrows that are drawn each at its own place, of n in the row. Where they are dense, their
 * heads must not touch, and the row must keep to its share of the figure's items.
 */
static double groupDistance(const tacDrawing *d, size_t n) {
    double width = d->scale.x1 - d->scale.x0, share = fmax(40, ARROW_ITEMS / (double) d->shareRows);
    bool many = (double) n > share || (double) n > (d->tiles ? width / 2 : 4 * width);
    return many ? fmax(headDistance, width / share) : samePlace;
}

/* Adds the arrows of a task's events in the window; *total counts them. */
static void gatherTask(tacDrawing *d, const tacFigureRow *row, uint32_t task, ArrowEntries *entries, size_t *total) {
    const uint32_t *list = d->model->tasks[task].arrows.at;
    size_t n = d->model->tasks[task].arrows.count;
    size_t at = tacListFind(d->store, list, n, d->scale.from), end = tacListFindAfter(d->store, list, n, d->scale.to);
    double distance = groupDistance(d, end - at);
    *total += end - at;
    while (at < end) {
        size_t next = tacListGroup(d, list, end, at, distance);
        gatherGroup(d, row, task, at, next, distance > 1 || next - at > 1000, false, entries);
        at = next;
    }
}

/* Adds the implied deadlines in the window: those of the arrivals in the window moved back by -D. */
static void gatherImplied(tacDrawing *d, const tacFigureRow *row, uint32_t task, ArrowEntries *entries, size_t *total) {
    const uint32_t *list = d->model->tasks[task].arrows.at;
    size_t n = d->model->tasks[task].arrows.count;
    int64_t relative = d->store->objects[TAC_TASK].at[task].D, from, to;
    if (!wantsImplied(d, task) || __builtin_sub_overflow(d->scale.from, relative, &from)
        || __builtin_sub_overflow(d->scale.to, relative, &to))
        return;
    size_t at = tacListFind(d->store, list, n, from), end = tacListFindAfter(d->store, list, n, to);
    double distance = groupDistance(d, end - at);
    *total += end - at;
    while (at < end) {
        double x = tacScaleX(&d->scale, tacRowTime(d->store, list[at]) + relative);
        size_t next = distance > 1 && x + distance < d->scale.x1
            ? tacListFind(d->store, list, end, tacScaleTime(&d->scale, x + distance) - relative)
            : at;
        next = next > at ? next : at + 1;
        gatherGroup(d, row, task, at, next, distance > 1, true, entries);
        at = next;
    }
}

static int compareEntries(const void *left, const void *right) {
    const ArrowEntry *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* Draws arrows side by side about x, unless they are too pale. */
static void drawSlots(tacDrawing *d, const tacFigureRow *row, const ArrowSlot *slots, int n, float x, double strength) {
    for (int i = 0; i < n && strength >= 0.05; i++)
        addArrow(d, row, &slots[i], x + ((float) i - (float) (n - 1) / 2) * slotPitch, strength);
}

/* A strip over a bar, of pieces that stand for arrows which are too dense to be drawn: the darker, the more. */
typedef struct ArrowStrip {
    tacDrawing *d;
    const tacFigureRow *row;
    int level; /* of the piece under way; 0: none */
    float x0, x1;
    tacRef ref;
    double lastEach, lastStrength; /* that were asked for last: arrows a pixel */
    int lastLevel;                 /* and the level that they gave */
} ArrowStrip;

enum { STRIP_LEVELS = 8 };

uint32_t tacStripColor(const tacDrawing *d, double share) {
    const double least = 0.42; /* in print: a thin line in it has a contrast of 3 */
    return tacColorMix(d->style.paper, d->style.ink, d->tiles ? 0.3 * share : least + 0.2 * share);
}

static void flushStrip(ArrowStrip *s) {
    tacDrawing *d = s->d;
    float pixel = d->tiles ? (float) d->detail : 1 / 3.0f, bottom = s->row->bar - pixel;
    uint32_t fill = tacStripColor(d, (double) s->level / STRIP_LEVELS);
    if (s->level) {
        tacAddRect(d, TAC_LAYER_ARROWS, s->x0, bottom - 2 * pixel, s->x1, bottom, fill, s->ref);
        d->seen |= TAC_SEEN_STRIP;
    }
    s->level = 0;
}

/* Adds what is missing of `count` arrows that are drawn with this strength between two places. */
static void addStrip(ArrowStrip *s, float x0, float x1, const ArrowSlot *first, double count, double strength) {
    double pixel = s->d->tiles ? s->d->detail : 1 / 3.0, each = count * pixel / fmax(x1 - x0, pixel);
    if (each != s->lastEach || strength != s->lastStrength) {
        s->lastLevel = (int) lround(STRIP_LEVELS * (1 - strength) * (0.2 + 0.8 * (1 - exp(-each / 1.5))));
        s->lastEach = each, s->lastStrength = strength;
    }
    int level = count > 0 ? s->lastLevel : 0;
    if (level == s->level && x0 <= s->x1 + pixel) {
        s->x1 = x1;
        s->ref.count += (uint32_t) count;
        return;
    }
    flushStrip(s);
    s->level = level;
    s->x0 = x0, s->x1 = x1;
    s->ref = (tacRef){TAC_REF_MERGED, s->row->owner, first->row, (uint32_t) count};
}

static uint32_t countSlots(const ArrowSlot *slots, int n) {
    uint32_t count = 0;
    for (int i = 0; i < n; i++) count += slots[i].count;
    return count;
}

/* The strength of a group of arrows of a window by those around it. */
static double strengthAt(const tacDrawing *d, const ArrowEntries *entries, size_t at) {
    double reach = 12 * d->detail, count = 0, last = INFINITY;
    float x = tacX(d, entries->at[at].time);
    size_t i = at;
    while (i > 0 && x - tacX(d, entries->at[i - 1].time) <= reach) i--;
    for (; i < entries->count && tacX(d, entries->at[i].time) - x <= reach; i++) {
        bool apart = fabs(tacX(d, entries->at[i].time) - last) >= samePlace;
        count += apart ? entries->at[i].count : entries->at[i].count - 1;
        if (apart) last = tacX(d, entries->at[i].time);
    }
    return tacFade(d, 2 * reach / fmax(count, 2));
}

/* Arrows of a figure none of which is far from the next one. */
typedef struct ArrowRun {
    size_t end;      /* the entry after the last */
    double distance; /* points: nearer ones are a group */
    bool strip;      /* they would be a fence, so that only a strip stands for them */
} ArrowRun;

/*
 * The run of arrows of a file that begins at an entry. Its arrows stand for themselves where their heads have room,
 * side by side at one place, else for all within a head's width; on paper none are pale, as in a window.
 */
static ArrowRun runFrom(const tacDrawing *d, const ArrowEntries *entries, size_t at, double distance) {
    const double heads = 3;  /* points: of a head */
    const double over = 9.5; /* that a run may be wider than its places */
    const double fence = 2;  /* between arrows of a fence */
    const double around = 8; /* that a run has around it */
    double far = fmax(2 * slotPitch, 1.5 * distance), count = 0, places = 0, first = tacX(d, entries->at[at].time),
           last = first, place = -INFINITY; /* place: the first arrow of those at one place */
    ArrowRun run = {.end = at};
    for (; run.end < entries->count; run.end++) {
        const ArrowEntry *entry = &entries->at[run.end];
        double x = tacX(d, entry->time);
        if (run.end > at && x - last > far) break;
        count += entry->count;
        places += entry->count - (x - place < samePlace);
        place = x - place < samePlace ? place : x;
        last = x;
    }
    bool crowded = distance > 1 || (count - 1) * heads > last - first + over;
    run.distance = crowded ? fmax(distance, headDistance) : samePlace;
    run.strip = crowded && last - first > 1.5 * around && (last - first + around) / places < fence;
    return run;
}

/* Draws the group of arrows that begins at an entry; returns where the next one begins. */
static size_t drawGroup(tacDrawing *d, const tacFigureRow *row, const ArrowEntries *entries, size_t at,
    const ArrowRun *run, ArrowStrip *strip) {
    float x = tacX(d, entries->at[at].time);
    size_t next = at + 1;
    while (next < run->end && tacX(d, entries->at[next].time) - x < run->distance) next++;
    ArrowSlot slots[GROUP_SLOTS], slot;
    bool merge = run->distance > 1 || next - at > GROUP_SLOTS - 1;
    int n = 0;
    for (size_t i = at; i < next; i++) {
        lookAt(d, &entries->at[i], &slot);
        n = addSlot(d, slots, n, &slot, merge);
    }
    double strength = run->strip ? 0 : d->tiles ? strengthAt(d, entries, at) : 1;
    float end = next < entries->count ? tacX(d, entries->at[next].time) : x;
    drawSlots(d, row, slots, n, x, strength);
    if (strength < 1)
        addStrip(strip, x, fminf(fmaxf(end, x + 1), x + (float) fmax(run->distance, 4)), slots, countSlots(slots, n),
            strength);
    return next;
}

static void drawGroups(tacDrawing *d, const tacFigureRow *row, const ArrowEntries *entries, size_t total) {
    double distance = groupDistance(d, total);
    ArrowStrip strip = {.d = d, .row = row};
    for (size_t at = 0; at < entries->count;) {
        ArrowRun run = d->tiles ? (ArrowRun){entries->count, distance, false} : runFrom(d, entries, at, distance);
        while (at < run.end) at = drawGroup(d, row, entries, at, &run, &strip);
    }
    flushStrip(&strip);
}

/* ---- groups in tiles, of a quick figure -------------------------------------------------------------------------- */

enum { QUICK_LOOKS = 4 }; /* arrows of a task looked at in one bin: each stands for its share of them */

typedef struct ArrowBin { /* the arrows of a bin, one for each look */
    int64_t time;         /* of the first */
    int n;
    ArrowSlot slots[GROUP_SLOTS];
} ArrowBin;

/* Looks of a task's arrows without options of their own: by tacEvent, made when met. */
typedef struct PlainLooks {
    bool known[TAC_EVENTS];
    ArrowSlot slots[TAC_EVENTS];
} PlainLooks;

/* Adds an arrow, or the several that an entry stands for, to its bin. */
static void addLook(tacDrawing *d, const ArrowEntry *entry, PlainLooks *plain, ArrowBin *bin) {
    tacEvent event = entry->implied ? TAC_EV_JOB_DEADLINE : tacRowEvent(d->store, entry->row);
    ArrowSlot slot;
    if (tacRowHasOptions(d->store, entry->row) && !entry->implied) {
        lookAt(d, entry, &slot);
    } else {
        if (!plain->known[event]) {
            lookAt(d, entry, &plain->slots[event]);
            plain->known[event] = true;
        }
        slot = plain->slots[event];
        slot.row = entry->row;
        slot.count = entry->count;
    }
    bin->time = bin->n == 0 || entry->time < bin->time ? entry->time : bin->time;
    bin->n = addSlot(d, bin->slots, bin->n, &slot, true);
}

/* Fills a bin from the arrows [at, end) of a task by looking at some of them. */
static void lookAtSome(tacDrawing *d, const tacFigureRow *row, uint32_t task, size_t at, size_t end, bool implied,
    PlainLooks *plain, ArrowBin *bin) {
    const uint32_t *list = d->model->tasks[task].arrows.at;
    size_t n = end - at, looks = n < QUICK_LOOKS ? n : QUICK_LOOKS;
    int64_t relative = implied ? d->store->objects[TAC_TASK].at[task].D : 0;
    for (size_t i = 0; i < looks; i++) {
        size_t first = at + n * i / looks, next = at + n * (i + 1) / looks;
        ArrowEntry entry = {
            tacRowTime(d->store, list[first]) + relative, list[first], task, (uint32_t) (next - first), implied};
        if (isShown(d, row, task, list[first], implied)) addLook(d, &entry, plain, bin);
    }
}

/* Adds arrows of one look, the first at this place of the task's list. */
static void addPlain(tacDrawing *d, uint32_t task, uint32_t place, uint32_t count, PlainLooks *plain, ArrowBin *bin) {
    if (count) {
        uint32_t row = d->model->tasks[task].arrows.at[place];
        ArrowEntry entry = {tacRowTime(d->store, row), row, task, count, false};
        addLook(d, &entry, plain, bin);
    }
}

/* Prefetches all arrows that fillCounted draws for bins, since they lie far from one another in memory. */
static void prefetchFirst(const tacDrawing *d, uint32_t task, const tacArrowBin counts[TAC_TILE_BINS]) {
    const uint32_t *list = d->model->tasks[task].arrows.at;
    for (int i = 0; i < TAC_TILE_BINS; i++)
        if (counts[i].end > counts[i].first)
            TAC_PREFETCH(&list[counts[i].first]); /* the first of each look mostly lies near it */
    for (int i = 0; i < TAC_TILE_BINS; i++) {
        const uint32_t firsts[] = {counts[i].firstArrival, counts[i].firstDeadline, counts[i].firstSpecial};
        for (int k = 0; k < 3; k++)
            if (firsts[k] != TAC_NONE) tacRowPrefetch(d->store, list[firsts[k]]);
    }
}

/* Fills bins from the counts of the model; of arrows with options a few are looked at. */
static void fillCounted(tacDrawing *d, const tacTileKey *key, uint32_t task, PlainLooks *plain, ArrowBin *bins) {
    tacArrowBin counts[TAC_TILE_BINS];
    int64_t first = key->index * TAC_TILE_BINS;
    const uint32_t *list = d->model->tasks[task].arrows.at;
    tacLodArrows(d->model, task, tacTileTime(first, key->level), tacTileTime(first + TAC_TILE_BINS, key->level),
        TAC_TILE_BINS, counts);
    prefetchFirst(d, task, counts);
    for (int i = 0; i < TAC_TILE_BINS; i++) {
        const tacArrowBin *of = &counts[i];
        uint32_t looked = 0;
        addPlain(d, task, of->firstArrival, of->end - of->first - of->deadlines - of->special, plain, &bins[i]);
        addPlain(d, task, of->firstDeadline, of->deadlines, plain, &bins[i]);
        for (uint32_t k = of->special ? of->firstSpecial : of->end; k < of->end && looked < QUICK_LOOKS; k++) {
            bool special = tacRowHasOptions(d->store, list[k])
                || tacRowEvent(d->store, list[k]) == TAC_EV_TASK_ARRIVED_AND_IGNORED;
            ArrowEntry entry = {tacRowTime(d->store, list[k]), list[k], task, 1, false};
            looked += special;
            entry.count = looked == QUICK_LOOKS ? of->special - looked + 1 : 1;
            if (special) addLook(d, &entry, plain, &bins[i]);
        }
    }
}

/* Fills bins by looking at some arrows of each. */
static void fillLooked(tacDrawing *d, const tacFigureRow *row, const tacTileKey *key, uint32_t task, bool implied,
    PlainLooks *plain, ArrowBin *bins) {
    const tacTaskModel *of = &d->model->tasks[task];
    int64_t relative = implied ? d->store->objects[TAC_TASK].at[task].D : 0, first = key->index * TAC_TILE_BINS;
    int64_t from = earlier(tacTileTime(first, key->level), relative),
            to = earlier(tacTileTime(first + TAC_TILE_BINS, key->level), relative);
    tacMarkBin marks[TAC_TILE_BINS];
    tacLodMarks(d->model, of->arrows.at, (uint32_t) of->arrows.count, from, to, TAC_TILE_BINS, marks);
    for (int i = 0; i < TAC_TILE_BINS; i++) {
        if (marks[i].count) {
            lookAtSome(
                d, row, task, marks[i].first, (size_t) marks[i].first + marks[i].count, implied, plain, &bins[i]);
        }
    }
}

/* A tile of arrows, which may be filled by the first tasks only of a processor, since there was no time for more. */
typedef struct ArrowTile {
    uint32_t next; /* task */
    ArrowBin bins[TAC_TILE_BINS];
} ArrowTile;

/* Fills a tile from the task on that is its next one, as far as there is time. */
static void fillTile(tacDrawing *d, const tacFigureRow *row, const tacTileKey *key, ArrowTile *tile) {
    enum {
        STEP = 8192, /* tasks looked at between two looks at the clock */
        FILLED = 256 /* a task that is filled in counts as many */
    };
    uint32_t end = row->kind == TAC_FIGURE_ROW_TASK ? row->owner + 1 : d->rows->nTasks, looked = 0;
    int64_t first = key->index * TAC_TILE_BINS, from = tacTileTime(first, key->level),
            to = tacTileTime(first + TAC_TILE_BINS, key->level);
    ArrowBin *bins = tile->bins;
    for (; tile->next < end; tile->next++) {
        uint32_t task = tile->next;
        bool nothing = nothingIn(d, row, task, from, to);
        looked += nothing ? 1 : FILLED;
        if (looked > STEP) {
            if (tacLayoutLate(d)) return;
            looked = 0;
        }
        if (nothing) continue;
        PlainLooks plain;
        memset(plain.known, 0, sizeof plain.known);
        if (!d->jobIgnored && allBelong(d, row, task)) fillCounted(d, key, task, &plain, bins);
        else fillLooked(d, row, key, task, false, &plain, bins);
        if (wantsImplied(d, task)) fillLooked(d, row, key, task, true, &plain, bins);
    }
}

/* A tile of a task's arrows, which is filled at once: most of its bins have one look or none. */
typedef struct PackedTile {
    struct PackedBin {
        int64_t time;   /* as in ArrowBin */
        uint32_t count; /* arrows */
        uint16_t first; /* of its slots */
        uint16_t n;
    } bins[TAC_TILE_BINS];
    ArrowSlot slots[];
} PackedTile;

/* Fills and adds a tile. NULL: no memory. */
static const PackedTile *packTile(tacDrawing *d, const tacFigureRow *row, const tacTileKey *key) {
    ArrowTile whole; /* of which few slots are used */
    uint16_t slots = 0;
    whole.next = row->owner;
    for (int i = 0; i < TAC_TILE_BINS; i++) whole.bins[i].n = 0, whole.bins[i].time = 0;
    fillTile(d, row, key, &whole);
    for (int i = 0; i < TAC_TILE_BINS; i++) slots = (uint16_t) (slots + whole.bins[i].n);
    PackedTile *tile = tacTilesAdd(d->tiles, key, tacTileSize(sizeof *tile + slots * sizeof *tile->slots));
    d->display->failed |= !tile;
    slots = 0;
    for (int i = 0; tile && i < TAC_TILE_BINS; i++) {
        const ArrowBin *bin = &whole.bins[i];
        tile->bins[i] = (struct PackedBin){bin->time, countSlots(bin->slots, bin->n), slots, (uint16_t) bin->n};
        memcpy(tile->slots + slots, bin->slots, (size_t) bin->n * sizeof *bin->slots);
        slots = (uint16_t) (slots + bin->n);
    }
    return tile;
}

/* A bin of a tile, of whatever kind that is. */
typedef struct SeenBin {
    int64_t time;
    const ArrowSlot *slots;
    uint32_t count;
    int n;
} SeenBin;

/* Finds the bins of the tile at *at, which moves behind it, from its first one in sight on; returns how many these are.
 */
static int seeTask(tacDrawing *d, const tacFigureRow *row, tacTiled *view, int64_t *at, SeenBin *seen) {
    int from, to;
    bool fresh;
    const PackedTile *tile = tacTiledNext(d, view, at, 0, &from, &to, &fresh);
    if (fresh) tile = packTile(d, row, &view->key);
    for (int i = from; i < to; i++, seen++) {
        const struct PackedBin *bin = tile ? &tile->bins[i] : NULL;
        *seen = bin ? (SeenBin){bin->time, tile->slots + bin->first, bin->count, bin->n} : (SeenBin){.n = 0};
    }
    return to - from;
}

/* The same in the row of a processor, whose tile may have arrows of the first tasks only. */
static int seeProcessor(tacDrawing *d, const tacFigureRow *row, tacTiled *view, int64_t *at, SeenBin *seen) {
    int from, to;
    bool fresh;
    ArrowTile *tile = tacTiledNext(d, view, at, tacTileSize(sizeof *tile), &from, &to, &fresh);
    if (tile && fresh) {
        tile->next = 0;
        for (int k = 0; k < TAC_TILE_BINS; k++) tile->bins[k].n = 0;
    }
    if (tile) fillTile(d, row, &view->key, tile);
    for (int i = from; i < to; i++, seen++) {
        const ArrowBin *bin = tile ? &tile->bins[i] : NULL;
        *seen = bin ? (SeenBin){bin->time, bin->slots, countSlots(bin->slots, bin->n), bin->n} : (SeenBin){.n = 0};
    }
    return to - from;
}

static void drawTiles(tacDrawing *d, const tacFigureRow *row, double distance) {
    tacTileKey key = {.owner = row->owner, .processor = row->partial ? row->processor : TAC_NO_PROCESSOR};
    key.kind = row->kind == TAC_FIGURE_ROW_PROCESSOR ? TAC_TILE_PROCESSOR_ARROWS : TAC_TILE_ARROWS;
    tacTiled view = tacTiledOf(d, distance, key);
    ArrowStrip strip = {.d = d, .row = row};
    int64_t beside = 1 + (int64_t) (12 * d->detail / view.width), first = view.first, end = view.end;
    size_t n = 0;
    view.x -= (double) beside * view.width; /* bins beside the view decide on strengths, too */
    view.first -= beside, view.end += beside;
    SeenBin *seen = tacAlloc((size_t) (view.end - view.first) * sizeof *seen);
    if (!seen) {
        d->display->failed = true;
        view.end = view.first, end = first;
    }
    for (int64_t at = view.first; at < view.end;)
        n += (size_t) (row->kind == TAC_FIGURE_ROW_TASK ? seeTask : seeProcessor)(d, row, &view, &at, seen + n);
    for (int64_t at = first; at < end; at++) {
        size_t i = (size_t) (at - view.first);
        const SeenBin *bin = &seen[i];
        uint32_t count = 0;
        if (!bin->count) continue;
        for (size_t k = i - (size_t) beside; k <= i + (size_t) beside; k++) count += seen[k].count;
        double strength = tacFade(d, (double) (2 * beside + 1) * view.width / (count > 2 ? count : 2));
        float x0 = (float) tacTiledX(&d->scale, &view, at, 0), x1 = (float) tacTiledX(&d->scale, &view, at, 1);
        if (strength > 0 && bin->time >= d->scale.from && bin->time <= d->scale.to)
            drawSlots(d, row, bin->slots, bin->n, tacX(d, bin->time), strength);
        if (strength < 1) addStrip(&strip, x0, x1, bin->slots, bin->count, strength);
    }
    flushStrip(&strip);
    tacFree(seen);
}

/* Number of a task's arrows in [from, to]. */
static size_t countIn(const tacDrawing *d, uint32_t task, int64_t from, int64_t to) {
    const tacArrowSpan *span = d->arrowSpans ? &d->arrowSpans[task] : NULL;
    if (span && span->first >= from && span->last <= to) return span->count;
    const tacTaskModel *of = &d->model->tasks[task];
    return tacListFindAfter(d->store, of->arrows.at, of->arrows.count, to)
        - tacListFind(d->store, of->arrows.at, of->arrows.count, from);
}

/* Number of the row's arrows in sight. */
static size_t countArrows(const tacDrawing *d, const tacFigureRow *row) {
    uint32_t first = row->kind == TAC_FIGURE_ROW_TASK ? row->owner : 0,
             end = row->kind == TAC_FIGURE_ROW_TASK ? row->owner + 1 : d->rows->nTasks;
    size_t total = 0;
    for (uint32_t task = first; task < end; task++) {
        if (nothingIn(d, row, task, d->scale.from, d->scale.to)) continue;
        size_t n = countIn(d, task, d->scale.from, d->scale.to);
        total += wantsImplied(d, task) ? 2 * n : n;
    }
    return total;
}

/* ---- the row ----------------------------------------------------------------------------------------------------- */

/* Answers tacArrowsBetween for the arrows of a task, or for the deadlines that they imply. */
static bool someBetween(const tacDrawing *d, uint32_t task, float left, float right, bool implied) {
    const uint32_t *list = d->model->tasks[task].arrows.at;
    size_t n = d->model->tasks[task].arrows.count;
    int64_t relative = implied ? d->store->objects[TAC_TASK].at[task].D : 0;
    size_t at = tacListFind(d->store, list, n, earlier(tacScaleTime(&d->scale, left - 4), relative));
    for (int looked = 0; at < n && looked < 1000; at++, looked++) {
        float x = tacX(d, earlier(tacRowTime(d->store, list[at]), -relative));
        if (x >= right) return false;
        if (x > left && (!implied || impliesDeadline(d, task, list[at]))) return true;
    }
    return false;
}

bool tacArrowsBetween(const tacDrawing *d, uint32_t task, float left, float right) {
    return someBetween(d, task, left, right, false)
        || (wantsImplied(d, task) && someBetween(d, task, left, right, true));
}

/* Draws the arrows of a task's row, or those of all tasks that belong to a processor's row. */
void tacDrawArrows(tacDrawing *d, const tacFigureRow *row) {
    ArrowEntries entries = {0};
    if (row->kind == TAC_FIGURE_ROW_PROCESSOR) needSpans(d);
    size_t total = d->tiles && d->scale.nSegments == 1 ? countArrows(d, row) : 0;
    if (total && groupDistance(d, total) > 1) {
        drawTiles(d, row, groupDistance(d, total));
        return;
    }
    total = 0;
    uint32_t first = row->kind == TAC_FIGURE_ROW_TASK ? row->owner : 0,
             end = row->kind == TAC_FIGURE_ROW_TASK ? row->owner + 1 : d->rows->nTasks;
    for (uint32_t task = first; task < end; task++) {
        if (nothingIn(d, row, task, d->scale.from, d->scale.to)) continue;
        gatherTask(d, row, task, &entries, &total);
        gatherImplied(d, row, task, &entries, &total);
    }
    if (entries.count) qsort(entries.at, entries.count, sizeof *entries.at, compareEntries);
    drawGroups(d, row, &entries, total);
    tacArrayFree(&entries);
}
