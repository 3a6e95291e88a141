/*
 * layoutSwitches.c -- switches between rows: dotted lines from a job that stops with -target to its target, and among
 * rows of processors dashed arrows from the old to the new processor of a job that migrates.
 *
 *      few events    drawEach      a line for each
 *      many          drawMerged    a faint line for each four points of a panel, which counts
 *      quick         drawTiles     the same for each bin of a tile, by the pairs of tasks in some events
 *
 * Lines lie behind the bars, so that they can cross the rows between their two. They are the paler the denser they are,
 * and gone where they would be a fence.
 */
#include "base/port.h"

#include "base/mem.h"
#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <string.h>

static const float mergeDistance = 4;                        /* points */
static const double eventsPerPoint = 4, quickPerPoint = 0.5; /* with more, lines are merged */

/* Lines at one place that wait to be drawn. */
typedef struct PendingLine {
    float x, top, bottom;
    uint32_t row, count; /* first event; how many lines */
} PendingLine;

/* Is some of a line between two heights visible? */
static bool isSeen(const tacDrawing *d, float top, float bottom) { return bottom > d->clipTop && top < d->clipBottom; }

/* Draws lines that wait, the paler the nearer others are. */
static void flushLine(tacDrawing *d, PendingLine *pending, double strength) {
    bool inSight = pending->count && isSeen(d, pending->top, pending->bottom);
    if (inSight && strength < 0.05) d->leftOut |= TAC_SEEN_SWITCH;
    if (inSight && strength >= 0.05) {
        tacRef ref = {pending->count > 1 ? TAC_REF_MERGED : TAC_REF_EVENT, 0, pending->row, pending->count};
        uint32_t ink = pending->count > 1 ? d->style.faint : d->style.ink;
        if (strength < 1) ink = tacColorMix(d->style.paper, ink, strength);
        tacItem *item = tacAddLine(
            d, TAC_LAYER_BACK, pending->x, pending->top, pending->x, pending->bottom, d->style.line, ink, ref);
        if (item) item->dash = TAC_DASH_DOTTED;
        d->seen |= TAC_SEEN_SWITCH;
        d->several |= pending->count > 1 ? TAC_SEEN_SWITCH : 0;
    }
    pending->count = 0;
}

/* The processor on which the job stopped at that time; if it did not run then, the one it was on. */
static uint16_t stoppedOn(const tacDrawing *d, uint32_t jobId, int64_t time) {
    uint32_t job = tacQueryJob(d->model, jobId, time);
    uint16_t processor = TAC_NO_PROCESSOR;
    if (job == TAC_NONE) return processor;
    const tacTaskModel *task = &d->model->tasks[d->model->jobs.at[job].task];
    uint32_t i = tacQueryFirstSlice(d->model, d->model->jobs.at[job].task, time > INT64_MIN + 1 ? time - 1 : time);
    for (; i < task->slices.count && task->slices.at[i].begin <= time; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (slice->end == time && (slice->state == TAC_STATE_RUNNING || slice->state == TAC_STATE_BETWEEN)
            && d->model->jobs.at[slice->job].id == jobId)
            return slice->processor;
    }
    tacQueryJobState(d->model, job, time, &processor);
    return processor;
}

/*
 * Finds the rows of a switch: if `exact`, on the processor where one job stops and the target runs then; else on the
 * first one where the job that stops ever ran. False: it is not between two different rows.
 */
static bool rowsOf(
    const tacDrawing *d, uint32_t event, bool exact, const tacFigureRow **upper, const tacFigureRow **lower) {
    uint32_t from = tacRowSubject(d->store, event), to = tacRowObject(d->store, event);
    if (to == TAC_NONE || to >= d->store->jobTask.count || from == to || tacJobHidden(d, from) || tacJobHidden(d, to))
        return false;
    uint16_t processor = TAC_NO_PROCESSOR;
    if (d->rows->mode == TAC_PROCESSORS_EXPANDED && exact) {
        uint32_t job = tacQueryJob(d->model, to, tacRowTime(d->store, event));
        if (job != TAC_NONE) tacQueryJobState(d->model, job, tacRowTime(d->store, event), &processor);
        if (stoppedOn(d, from, tacRowTime(d->store, event)) != processor) return false;
    }
    const tacFigureRow *a = tacFigureRowsFind(d->rows, d->store->jobTask.at[from], processor);
    const tacFigureRow *b = tacFigureRowsFind(
        d->rows, d->store->jobTask.at[to], a && !exact ? a->processor : processor);
    if (!a || !b || a == b || a->processor != b->processor) return false;
    *upper = a->bar < b->bar ? a : b;
    *lower = a->bar < b->bar ? b : a;
    return true;
}

/* Adds a line between two rows to those that wait. */
static void addLine(
    const tacDrawing *d, uint32_t event, const tacFigureRow *upper, const tacFigureRow *lower, PendingLine *pending) {
    float x = tacX(d, tacRowTime(d->store, event)), top = upper->bottom,
          bottom = d->rtsched ? lower->bottom : lower->bar;
    pending->row = pending->count ? pending->row : event;
    pending->x = pending->count ? pending->x : x;
    pending->top = pending->count && pending->top < top ? pending->top : top;
    pending->bottom = pending->count && pending->bottom > bottom ? pending->bottom : bottom;
    pending->count++;
}

/* Adds the line of an event to those that wait. */
static void addSwitch(const tacDrawing *d, uint32_t event, bool exact, PendingLine *pending) {
    const tacFigureRow *upper, *lower;
    if (rowsOf(d, event, exact, &upper, &lower)) addLine(d, event, upper, lower, pending);
}

/* Draws each line for itself, equal ones at one instant only once. In a window they fade where they are dense. */
static void drawEach(tacDrawing *d, uint32_t first, uint32_t end) {
    TAC_ARRAY(PendingLine) lines = {0};
    TAC_ARRAY(tacCrowdPlace) places = {0};
    for (uint32_t i = first; i < end; i++) {
        PendingLine line = {.count = 0}, last = lines.count ? lines.at[lines.count - 1] : line;
        if (!tacEventHasTarget(tacRowEvent(d->store, i))) continue;
        addSwitch(d, i, true, &line);
        if (!line.count || (last.count && line.x == last.x && line.top == last.top && line.bottom == last.bottom))
            continue;
        tacCrowdPlace place = {line.x, 1};
        if (!tacArrayPush(&lines, line) || !tacArrayPush(&places, place)) d->display->failed = true;
    }
    for (size_t i = 0; i < lines.count && !d->display->failed; i++)
        flushLine(d, &lines.at[i], d->tiles ? tacFade(d, tacCrowdDistance(d, places.at, places.count, i)) : 1);
    tacArrayFree(&lines);
    tacArrayFree(&places);
}

/* Adds the lines of events [first, end) to those that wait, one for each panel; of very many, of the first ones. */
static void addMerged(tacDrawing *d, uint32_t first, uint32_t end, PendingLine *panels) {
    enum { LOOKS = 256 }; /* more lines of one place are gone, in any panel */
    for (uint32_t i = first, looked = 0; i < end && looked < LOOKS; i++) {
        const tacFigureRow *upper, *lower;
        if (!tacEventHasTarget(tacRowEvent(d->store, i)) || tacRowObject(d->store, i) == TAC_NONE) continue;
        looked++;
        if (!rowsOf(d, i, true, &upper, &lower)) continue;
        uint32_t panel = upper->processor < d->model->nProcessors ? upper->processor : d->model->nProcessors;
        addLine(d, i, upper, lower, &panels[panel]);
    }
}

/* Draws the lines of each four points of a panel's width as one. */
static void drawMerged(tacDrawing *d, uint32_t first, uint32_t end) {
    PendingLine *panels = tacAllocZero(d->model->nProcessors + (size_t) 1, sizeof *panels);
    if (!panels) d->display->failed = true;
    for (double x = d->scale.x0; panels && x < d->scale.x1 && first < end; x += mergeDistance) {
        uint32_t next = x + mergeDistance >= d->scale.x1
            ? end
            : tacStoreFind(d->store, tacScaleTime(&d->scale, x + mergeDistance));
        addMerged(d, first, next, panels);
        for (uint32_t k = 0; k <= d->model->nProcessors; k++)
            flushLine(d, &panels[k], tacFade(d, mergeDistance / fmax(panels[k].count, 1)));
        first = next > first ? next : first;
    }
    tacFree(panels);
}

/* ---- in tiles, of a quick figure --------------------------------------------------------------------------------- */

enum {
    QUICK_LOOKS = 64, /* events looked at in a bin, spread over it */
    CROWD = 2048,     /* with so many events in it, fewer are looked at */
    FEW_LOOKS = 16,
    PAIRS = 12 /* different switches of them that are kept */
};

typedef struct SwitchBin {
    uint32_t rows[PAIRS];   /* an event for each pair of tasks */
    uint32_t counts[PAIRS]; /* estimated number of events of each pair */
    uint32_t n;
} SwitchBin;

/* Counts an event with its pair of tasks, or with the last pair when there is no place for another one. */
static void addPair(const tacDrawing *d, SwitchBin *bin, uint32_t event, uint32_t count) {
    if (!tacEventHasTarget(tacRowEvent(d->store, event))) return;
    const uint32_t *task = d->store->jobTask.at;
    uint32_t at = 0, to = tacRowObject(d->store, event), from = tacRowSubject(d->store, event);
    if (to == TAC_NONE || to >= d->store->jobTask.count || tacJobHidden(d, from) || tacJobHidden(d, to)) return;
    while (at < bin->n
        && (task[tacRowSubject(d->store, bin->rows[at])] != task[from]
            || task[tacRowObject(d->store, bin->rows[at])] != task[to]))
        at++;
    if (at == PAIRS) {
        at--;
    } else if (at == bin->n) {
        bin->rows[bin->n++] = event;
        bin->counts[at] = 0;
    }
    bin->counts[at] += count;
}

/* The events of a bin that are looked at: of many some, spread over all. */
typedef struct Looks {
    uint32_t at, n; /* the first event; how many are looked at */
    uint64_t step;  /* from each to the next, times 2^32, rounded up: the last step ends behind the last event */
} Looks;

/* Of a crowd a few looks are enough: one line among them stands for so many that none is drawn. */
static Looks looksAt(uint32_t at, uint32_t events) {
    uint32_t most = events < CROWD ? QUICK_LOOKS : FEW_LOOKS;
    Looks looks = {.at = at, .n = events < most ? events : most};
    if (looks.n) looks.step = (((uint64_t) events << 32) + looks.n - 1) / looks.n;
    return looks;
}

static inline uint32_t lookAt(const Looks *looks, uint32_t k) { return looks->at + (uint32_t) (looks->step * k >> 32); }

static void askForEvents(const tacDrawing *d, const Looks *looks) {
    for (uint32_t k = 0; k < looks->n; k++) TAC_PREFETCH(&d->store->event.at[lookAt(looks, k)]);
}

static void askForJobs(const tacDrawing *d, const Looks *looks) {
    for (uint32_t k = 0; k < looks->n; k++) {
        uint32_t event = lookAt(looks, k);
        if (!tacEventHasTarget(tacRowEvent(d->store, event))) continue;
        TAC_PREFETCH(&d->store->object.at[event]);
        TAC_PREFETCH(&d->store->subject.at[event]);
    }
}

static void fillBin(const tacDrawing *d, const Looks *looks, SwitchBin *bin) {
    bin->n = 0;
    for (uint32_t k = 0; k < looks->n; k++) {
        uint32_t event = lookAt(looks, k);
        addPair(d, bin, event, lookAt(looks, k + 1) - event);
    }
}

/*
 * What is looked at lies far apart, in memory that nothing may have touched for long: all of it is asked for before the
 * first of it is needed, so that one waits once and not thousands of times.
 */
static void fillTile(const tacDrawing *d, const tacTileKey *key, SwitchBin *bins) {
    int64_t first = key->index * TAC_TILE_BINS;
    uint32_t at = tacStoreFind(d->store, tacTileTime(first, key->level)), before = 0;
    Looks looks[TAC_TILE_BINS];
    for (int i = 0; i < TAC_TILE_BINS; i++) {
        uint32_t next = tacStoreFindFrom(d->store, tacTileTime(first + i + 1, key->level), at, before);
        before = next - at;
        looks[i] = looksAt(at, before);
        askForEvents(d, &looks[i]);
        at = next;
    }
    for (int i = 0; i < TAC_TILE_BINS; i++) askForJobs(d, &looks[i]);
    for (int i = 0; i < TAC_TILE_BINS; i++) fillBin(d, &looks[i], &bins[i]);
}

/* Number of lines of a bin, about. */
static uint32_t linesOf(const SwitchBin *bin) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bin->n; i++) count += bin->counts[i];
    return count;
}

static void drawBin(tacDrawing *d, const SwitchBin *bin, double strength) {
    PendingLine pending = {.count = 0};
    for (uint32_t i = 0; i < bin->n; i++) {
        uint32_t before = pending.count;
        addSwitch(d, bin->rows[i], false, &pending);
        pending.count += pending.count > before ? bin->counts[i] - 1 : 0;
    }
    if (pending.count && tacRowTime(d->store, pending.row) >= d->scale.from
        && tacRowTime(d->store, pending.row) <= d->scale.to)
        flushLine(d, &pending, strength);
}

static void drawTiles(tacDrawing *d) {
    tacTiled view = tacTiledOf(d, 2 * mergeDistance, (tacTileKey){.kind = TAC_TILE_SWITCHES});
    const SwitchBin *bin = NULL; /* the one before; it is drawn when the one behind it is known */
    uint32_t before = 0, count = 0;
    view.x -= view.width;
    view.first--, view.end++;
    for (int64_t at = view.first; at < view.end;) {
        int from, to;
        bool fresh;
        SwitchBin *bins = tacTiledNext(d, &view, &at, sizeof *bins, &from, &to, &fresh);
        if (bins && fresh) fillTile(d, &view.key, bins);
        for (int k = from; bins && k < to; k++) {
            uint32_t after = linesOf(&bins[k]);
            double strength = tacFade(d, 3 * view.width / fmax((double) before + count + after, 1));
            if (bin && count && strength >= 0.05) drawBin(d, bin, strength);
            bin = &bins[k];
            before = count, count = after;
        }
    }
}

/* ---- migrations -------------------------------------------------------------------------------------------------- */

/* The row of the processor that a job migrates from, by its last slice on another processor. NULL: none. */
static const tacFigureRow *originOf(const tacDrawing *d, const tacFigureRow *row, uint32_t event) {
    uint32_t job = tacQueryJob(d->model, tacRowSubject(d->store, event), tacRowTime(d->store, event));
    uint16_t processor = TAC_NO_PROCESSOR;
    if (job == TAC_NONE) return NULL;
    uint32_t task = d->model->jobs.at[job].task, i = tacQueryFirstSlice(d->model, task, tacRowTime(d->store, event));
    const tacTaskModel *model = &d->model->tasks[task];
    while (i < model->slices.count && model->slices.at[i].begin <= tacRowTime(d->store, event)) i++;
    for (int looked = 0; i-- > 0 && looked < 1000; looked++) {
        const tacSlice *slice = &model->slices.at[i];
        if (slice->job == job && slice->processor != row->owner && slice->begin <= tacRowTime(d->store, event)) {
            processor = slice->processor;
            break;
        }
    }
    uint32_t origin = processor < d->model->nProcessors ? d->rows->rowOfProcessor[processor] : TAC_NONE;
    return origin == TAC_NONE || d->rows->rows.at[origin].away ? NULL : &d->rows->rows.at[origin];
}

static void drawMigration(tacDrawing *d, const tacFigureRow *row, uint32_t event, uint32_t count, double strength) {
    const tacFigureRow *origin = originOf(d, row, event);
    if (!origin || origin == row) return;
    bool down = origin->bar < row->bar;
    float x = tacX(d, tacRowTime(d->store, event)), from = down ? origin->bottom : origin->bar,
          to = down ? row->bar : row->bottom;
    if (!isSeen(d, down ? from : to, down ? to : from)) return;
    tacRef ref = {count > 1 ? TAC_REF_MERGED : TAC_REF_EVENT, row->owner, event, count};
    uint32_t ink = strength < 1 ? tacColorMix(d->style.paper, d->style.ink, strength) : d->style.ink;
    tacItem *item = tacAddLine(d, TAC_LAYER_LINES, x, from, x, to, d->style.line, ink, ref);
    d->seen |= TAC_SEEN_MIGRATION;
    d->several |= count > 1 ? TAC_SEEN_MIGRATION : 0;
    if (item) {
        item->dash = TAC_DASH_DASHED;
        item->heads = TAC_HEADS_LAST;
    }
}

static void drawMigrations(tacDrawing *d, const tacFigureRow *row) {
    const uint32_t *list = d->model->processors[row->owner].migrations.at;
    size_t n = d->model->processors[row->owner].migrations.count;
    size_t at = tacListFind(d->store, list, n, d->scale.from), end = tacListFindAfter(d->store, list, n, d->scale.to);
    float right = -INFINITY; /* of the arrow before */
    for (size_t next; at < end; at = next) {
        next = tacListGroup(d, list, end, at, mergeDistance);
        float x = tacX(d, tacRowTime(d->store, list[at])),
              beyond = next < end ? tacX(d, tacRowTime(d->store, list[next])) : INFINITY;
        double strength = next - at == 1 ? 1 : tacFade(d, mergeDistance / (double) (next - at));
        /* In a file an arrow that stands apart from others is seen, however many it stands for. */
        if (!d->tiles)
            strength = fmax(strength, fmin((fmin(x - right, beyond - x) - mergeDistance) / mergeDistance, 1));
        if (strength >= 0.05) drawMigration(d, row, list[at], (uint32_t) (next - at), strength);
        else d->leftOut |= TAC_SEEN_MIGRATION;
        right = x;
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void tacDrawSwitches(tacDrawing *d) {
    if (d->rows->mode == TAC_PROCESSORS_COLLAPSED) {
        for (size_t i = 0; i < d->rows->rows.count; i++)
            if (d->rows->rows.at[i].kind == TAC_FIGURE_ROW_PROCESSOR && !d->rows->rows.at[i].away)
                drawMigrations(d, &d->rows->rows.at[i]);
        return;
    }
    uint32_t first = tacStoreFind(d->store, d->scale.from),
             end = d->scale.to == INT64_MAX ? tacStoreCount(d->store) : tacStoreFind(d->store, d->scale.to + 1);
    bool quick = d->tiles && d->scale.nSegments == 1;
    if (quick && end - first > quickPerPoint * (d->scale.x1 - d->scale.x0)) drawTiles(d);
    else if (end - first > eventsPerPoint * (d->scale.x1 - d->scale.x0)) drawMerged(d, first, end);
    else drawEach(d, first, end);
}
