/*
 * layoutColor.c -- the colours of bars: of a task's running time, and of one slice of it.
 *
 * What a colour says is the figure's `colorBy`. Processors and outcomes differ from slice to slice; where slices are
 * too narrow to be seen apart, layoutShares.c tells how long each colour is there.
 */
#include "base/port.h"

#include "model/lod.h"
#include "view/layout.h"
#include "view/palette.h"

#include <string.h>

/* The places of all tasks in the palette, or on the ramp of priorities; found when first asked for. */
static const uint8_t *places(tacDrawing *d) {
    if (d->placesFor == d->style.colorBy) return d->taskPlaces;
    bool (*find)(const tacStore *, uint8_t *) = d->style.colorBy == TAC_COLOR_PRIORITY ? tacPaletteRanks
                                                                                       : tacPaletteNames;
    if (!find(d->store, d->taskPlaces)) d->display->failed = true;
    d->placesFor = d->style.colorBy;
    return d->taskPlaces;
}

/* A colour of the palette as this style draws it. */
static uint32_t paletteColor(const tacDrawing *d, uint32_t place) {
    return d->style.grayscale ? tacStylePalette(&d->style, place) : tacPaletteColor(place, d->style.dark);
}

/* Are tasks told apart by levels of grey and patterns? In rows of processors these replace the tasks' own colours,
 * which may be equally light, and their own patterns. */
static bool byLevel(const tacDrawing *d) {
    return d->style.grayscale && d->rows->mode == TAC_PROCESSORS_COLLAPSED
        && (d->style.colorBy == TAC_COLOR_CONVENTION || d->style.colorBy == TAC_COLOR_TASK);
}

/* Lists the patterns of tasks: all but those of mutexes, which lie over them, and of what is unknown of processors.
 * First are those that differ most; upright lines come late, since they look like ends of bars. */
static void findPatterns(tacDrawing *d) {
    static const tacPattern all[] = {TAC_PATTERN_NONE, TAC_PATTERN_GRAY25, TAC_PATTERN_LINES_HORIZONTAL,
        TAC_PATTERN_STRIPES_UP, TAC_PATTERN_SPOTS, TAC_PATTERN_STRIPES_DOWN, TAC_PATTERN_LINES_DOWN,
        TAC_PATTERN_STRIPES_HORIZONTAL, TAC_PATTERN_LINES_VERTICAL, TAC_PATTERN_STRIPES_VERTICAL, TAC_PATTERN_LINES_UP};
    uint32_t taken = 0;
    for (uint32_t mutex = 0; mutex < tacStoreObjects(d->store, TAC_MUTEX) && tacShows(d, TAC_SHOW_MUTEXES); mutex++)
        taken |= 1u << tacMutexPattern(d, mutex);
    for (uint32_t p = 0; p < d->model->nProcessors; p++)
        if (d->model->processors[p].unknown.count) taken |= 1u << TAC_PATTERN_GRAY25;
    d->nPatterns = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!i || !(taken >> all[i] & 1)) d->patterns[d->nPatterns++] = (uint8_t) all[i];
}

/* Does a task take a number: one that runs in the whole trace, so that all figures of it are alike, or only here? */
static bool isNumbered(const tacDrawing *d, uint32_t task, bool whole) {
    if (d->levelsSeen) return d->tasksSeen[task] & TAC_IN_BARS;
    return whole ? d->model->tasks[task].slices.count > 0
                 : tacLodTaskCount(d->model, task, d->scale.from, d->scale.to) > 0;
}

/* Numbers tasks from `first` on; returns the end of the numbers. */
static uint32_t numberTasks(tacDrawing *d, uint32_t looks, uint32_t first, bool whole) {
    for (uint32_t task = 0; task < d->rows->nTasks; task++) {
        bool numbered = isNumbered(d, task, whole);
        if (numbered || !d->levelsSeen) d->taskPlaces[task] = (uint8_t) (first % looks);
        first += numbered;
    }
    return first;
}

/* Gives tasks that are seen in bands only, where they have no pattern, the levels that bands have; notes those for
 * which there is none left. Returns the end of the levels that are taken. */
static uint32_t numberBands(tacDrawing *d) {
    enum { LEVELS_MOST = 8 };
    uint32_t levels[LEVELS_MOST], n = 0, count = 0;
    const tacShares bands = {.of = TAC_SHARE_TASK};
    for (uint32_t i = 0; i < tacStylePaletteSize(&d->style) && n < LEVELS_MOST; i++) {
        uint32_t color = tacStylePalette(&d->style, i);
        if (tacShareTone(d, &bands, color) == color) levels[n++] = i;
    }
    for (uint32_t task = 0; task < d->rows->nTasks && n; task++)
        if (d->tasksSeen[task] == TAC_IN_BANDS) d->taskPlaces[task] = (uint8_t) levels[count++ % n];
    d->tasksAlike = count > n ? count - n : 0;
    return count ? levels[(count < n ? count : n) - 1] + 1 : 0;
}

void tacFindLevels(tacDrawing *d) {
    d->tasksAlike = 0;
    d->hatched = false;
    if (!byLevel(d)) return;
    findPatterns(d);
    uint32_t looks = d->nPatterns * tacStylePaletteSize(&d->style), n;
    if (d->levelsSeen) {
        memset(d->taskColors, 0xFF, d->rows->nTasks * sizeof *d->taskColors); /* TAC_NO_COLOR */
        n = numberTasks(d, looks, numberBands(d), false);
    } else {
        n = numberTasks(d, looks, 0, true);
        if (n > looks && !d->tiles) n = numberTasks(d, looks, 0, false);
    }
    d->tasksAlike += n > looks ? n - looks : 0;
    d->hatched = n > tacStylePaletteSize(&d->style);
}

bool tacLevelsWanted(const tacDrawing *d) {
    bool wanted = d->tasksAlike > 0;
    for (uint32_t task = 0; task < d->rows->nTasks && !wanted; task++) wanted = d->tasksSeen[task] == TAC_IN_BANDS;
    return wanted && byLevel(d) && !d->levelsSeen && !d->figure->pages;
}

/* A task's color in the convention: tasks in rows of processors have different ones by default. */
static uint32_t byConvention(tacDrawing *d, uint32_t task) {
    const tacObject *object = &d->store->objects[TAC_TASK].at[task];
    uint32_t color = d->rows->mode == TAC_PROCESSORS_COLLAPSED ? tacStylePalette(&d->style, task) : d->style.active;
    if (object->isr) color = d->style.isr;
    return tacStyleParseBar(
        &d->style, tacObjectText(d->store, TAC_TASK, task, TAC_OPT_COLOR), color, object->line, d->diag);
}

static uint32_t byTask(tacDrawing *d, uint32_t task) {
    const tacObject *object = &d->store->objects[TAC_TASK].at[task];
    bool many = tacStoreObjects(d->store, TAC_TASK) > TAC_PALETTE_MANY; /* looking at all takes longer than a frame */
    uint8_t place = many ? tacPaletteName(d->store, task) : places(d)[task];
    uint32_t color = object->isr ? d->style.isr : place == TAC_PALETTE_QUIET ? d->style.quiet : paletteColor(d, place);
    return tacStyleParseBar(
        &d->style, tacObjectText(d->store, TAC_TASK, task, TAC_OPT_COLOR), color, object->line, d->diag);
}

/* Where a task ran first, or else may run. */
static uint16_t processorOf(const tacDrawing *d, uint32_t task) {
    const tacTaskModel *of = &d->model->tasks[task];
    for (size_t i = 0; i < of->slices.count && i < 8; i++)
        if (of->slices.at[i].processor != TAC_NO_PROCESSOR) return of->slices.at[i].processor;
    return d->store->objects[TAC_TASK].at[task].processor;
}

uint32_t tacProcessorColor(const tacDrawing *d, uint32_t processor) {
    return processor == TAC_NO_PROCESSOR ? d->style.quiet : paletteColor(d, processor);
}

uint32_t tacRampColor(const tacDrawing *d, uint32_t rank) {
    return tacStyleColor(&d->style, tacStyleSeen(&d->style, tacPaletteRamp(rank)));
}

uint32_t tacOutcomeColor(const tacDrawing *d, tacJobOutcome outcome) {
    const double gray = 0.55; /* share of ink: the darkest level on paper on which arrows of ink are seen */
    bool level = d->style.grayscale && !d->style.dark;
    if (outcome == TAC_OUTCOME_LATE) return level ? tacColorMix(d->style.paper, d->style.ink, gray) : d->style.late;
    return outcome == TAC_OUTCOME_FREE ? d->style.quiet : d->style.onTime;
}

uint32_t tacSeenOutcome(tacJobOutcome outcome) {
    return outcome == TAC_OUTCOME_LATE ? TAC_SEEN_LATE : outcome == TAC_OUTCOME_FREE ? TAC_SEEN_FREE : TAC_SEEN_MET;
}

static uint32_t findColor(tacDrawing *d, uint32_t task) {
    if (byLevel(d)) return tacStylePalette(&d->style, d->taskPlaces[task]);
    switch (d->style.colorBy) {
    case TAC_COLOR_TASK: return byTask(d, task);
    case TAC_COLOR_STATE: return d->store->objects[TAC_TASK].at[task].isr ? d->style.isr : d->style.active;
    case TAC_COLOR_PROCESSOR: return tacProcessorColor(d, processorOf(d, task));
    case TAC_COLOR_PRIORITY: return tacRampColor(d, places(d)[task]);
    case TAC_COLOR_OUTCOME:
        return d->store->objects[TAC_TASK].at[task].D == TAC_UNKNOWN ? d->style.quiet : d->style.onTime;
    default: return byConvention(d, task);
    }
}

uint32_t tacTaskColor(tacDrawing *d, uint32_t task) {
    if (d->taskColors[task] == TAC_NO_COLOR) d->taskColors[task] = findColor(d, task);
    return d->taskColors[task];
}

uint32_t tacRowColor(tacDrawing *d, const tacFigureRow *row, uint32_t task) {
    if (d->style.colorBy == TAC_COLOR_PROCESSOR && row->kind == TAC_FIGURE_ROW_PROCESSOR)
        return tacProcessorColor(d, (uint16_t) row->owner);
    bool panel = d->rows->mode == TAC_PROCESSORS_EXPANDED && row->processor != TAC_NO_PROCESSOR;
    if (d->style.colorBy == TAC_COLOR_PROCESSOR && (row->partial || panel)) return tacProcessorColor(d, row->processor);
    return tacTaskColor(d, task);
}

tacPattern tacRunPattern(const tacDrawing *d, uint32_t task, uint32_t fill, uint32_t *ink) {
    if (!d->style.grayscale) return TAC_PATTERN_NONE;
    bool late = d->style.colorBy == TAC_COLOR_OUTCOME && fill == tacOutcomeColor(d, TAC_OUTCOME_LATE);
    *ink = tacColorLightness(fill) > 0.5 ? 0x000000 : 0xFFFFFF;
    if (late) return TAC_PATTERN_STRIPES_UP;
    if (!byLevel(d)) return TAC_PATTERN_NONE;
    return (tacPattern) d->patterns[d->taskPlaces[task] / tacStylePaletteSize(&d->style)];
}

const char *tacOwnPattern(const tacDrawing *d, uint32_t task) {
    return byLevel(d) ? NULL : tacObjectText(d->store, TAC_TASK, task, TAC_OPT_PATTERN);
}

/* The colour of a job: that of its arrival, of its definition, or of its task. */
static uint32_t jobColor(tacDrawing *d, uint32_t task, uint32_t job) {
    uint32_t color = tacTaskColor(d, task);
    if (!d->jobColors) return color;
    uint32_t row = d->model->jobs.at[job].row, id = d->model->jobs.at[job].id;
    const char *text = NULL;
    if (row < tacStoreCount(d->store) && tacRowEvent(d->store, row) == TAC_EV_JOB_ARRIVED
        && tacRowHasOptions(d->store, row))
        text = tacRowText(d->store, row, TAC_OPT_COLOR);
    if (!text && d->store->objectOptions[TAC_JOB].count) text = tacObjectText(d->store, TAC_JOB, id, TAC_OPT_COLOR);
    return text ? tacStyleParseBar(&d->style, text, color, tacRowLine(d->store, row), d->diag) : color;
}

uint32_t tacSliceColor(tacDrawing *d, uint32_t task, const tacSlice *slice) {
    const tacJob *job = &d->model->jobs.at[slice->job]; /* looked at only where it matters: it lies far away */
    switch (d->style.colorBy) {
    case TAC_COLOR_CONVENTION:
    case TAC_COLOR_TASK: return jobColor(d, task, slice->job);
    case TAC_COLOR_PROCESSOR: return tacProcessorColor(d, slice->processor);
    case TAC_COLOR_OUTCOME:
        d->seen |= job->flags & TAC_JOB_MISSED ? TAC_SEEN_LATE : 0;
        if (slice->state == TAC_STATE_RUNNING) d->seen |= tacSeenOutcome(tacOutcomeOf(job));
        return tacOutcomeColor(d, tacOutcomeOf(job));
    default: return tacTaskColor(d, task);
    }
}
