/*
 * layoutLegend.c -- the legend: the things that occur in the figure and no others, wrapped to a width.
 *
 *      collect    items: states and arrows; servers; marks; and, under headings of their own, so last, tasks where
 *                 rows are processors, and mutexes
 *      set        line by line, each line centred; or, at the right, one below the other, down to the lower end of the
 *                 figure, and the rest in lines below it; long texts in a few lines
 *
 * An item is a swatch and its text. Tables list the items that there can be, with their names in --legend-items.
 */
#include "base/port.h"

#include "view/layout.h"
#include "view/palette.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TASKS_MOST = 64 }; /* most colours of tasks, and most mutexes, that are shown */

typedef struct LegendItem LegendItem;
typedef void SwatchDrawer(tacDrawing *d, const LegendItem *item, float x, float y);

struct LegendItem {
    SwatchDrawer *swatch; /* NULL: a heading, or text only */
    uint32_t index; /* of task or mutex; tacMarkKind, tacJobState; of an arrow, tacSeen; of ticks and colours, these */
    tacRef ref;
    bool glued;     /* a heading: stays on a line with the item after it */
    tacLines label; /* cut to the width */
    float width;    /* of swatch and text, points */
};

typedef struct Legend {
    tacDrawing *d;
    TAC_ARRAY(LegendItem) items;
    float most;    /* greatest width of an item, points */
    bool together; /* items of a heading stay on one line where they fit into it */
} Legend;

static float swatchWidth(const tacDrawing *d) { return (float) d->style.legendItemWidth * d->style.unit * 1.6f; }
static float swatchHeight(const tacDrawing *d) { return (float) d->style.legendItemHeight * d->style.unit * 0.55f; }
static float textGap(const tacDrawing *d) { return 0.35f * d->style.smallSize; }
static float linePitch(const tacDrawing *d) {
    return fmaxf((float) d->style.legendItemHeight * d->style.unit, 1.35f * d->style.smallSize) * 0.95f;
}
static float textPitch(const tacDrawing *d) { return 1.15f * d->style.smallSize; } /* of the lines of one item */

/* ---- swatches ---------------------------------------------------------------------------------------------------- */

static tacItem *addBox(tacDrawing *d, float x, float y, float height, uint32_t fill, tacPattern pattern, uint32_t ink) {
    float half = swatchHeight(d) / 2;
    tacItem *item = tacAddRect(d, TAC_LAYER_BARS, x, y + half - 2 * half * height, x + swatchWidth(d), y + half, fill,
        (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    if (item) {
        item->pattern = (uint8_t) pattern;
        item->ink = pattern ? ink : TAC_NO_COLOR;
        item->outline = d->style.ink;
        item->width = d->style.line;
    }
    return item;
}

/* Different colours of what runs: at most so many of them. */
typedef struct Colors {
    uint32_t at[TAC_LEGEND_COLORS];
    int n, most;
} Colors;

static void addColor(Colors *colors, uint32_t color) {
    int i = 0;
    while (i < colors->n && colors->at[i] != color) i++;
    if (i == colors->n && i < colors->most) colors->at[colors->n++] = color;
}

/* Lists colours of groups, processors and tasks, where these have colours of their own. */
static void listColors(tacDrawing *d, Colors *colors) {
    bool byProcessor = d->style.colorBy == TAC_COLOR_PROCESSOR && d->rows->mode != TAC_PROCESSORS_NONE;
    for (int i = 0; i < d->nGroupColors; i++) addColor(colors, d->groupColors[i]);
    for (size_t i = 0; i < d->rows->rows.count && colors->n < colors->most && byProcessor; i++) {
        const tacFigureRow *row = &d->rows->rows.at[i];
        bool runs = row->kind == TAC_FIGURE_ROW_TASK && d->tasksSeen[row->owner];
        if (!row->away && (runs || row->kind == TAC_FIGURE_ROW_PROCESSOR))
            addColor(colors, tacRowColor(d, row, row->owner));
    }
    for (uint32_t task = 0; task < d->rows->nTasks && colors->n < colors->most && !byProcessor; task++) {
        if (!d->tasksSeen[task] || d->store->objects[TAC_TASK].at[task].isr) continue;
        addColor(colors, tacTaskColor(d, task));
    }
}

/* One of them, for signs of what bars may have besides. */
static uint32_t activeColor(tacDrawing *d) {
    Colors colors = {.most = 1};
    listColors(d, &colors);
    return colors.n ? colors.at[0] : d->style.active;
}

enum { SWATCH_COLORS = 5 }; /* that are seen apart in one sign */

/* Writes what colours of running jobs have in common, with their number where the sign cannot show all of them. */
static void callActive(tacDrawing *d, const char *label, char *out, size_t size) {
    Colors colors = {.most = TAC_LEGEND_COLORS};
    listColors(d, &colors);
    if (colors.n == colors.most) snprintf(out, size, "%s (many colours)", label);
    else if (colors.n > SWATCH_COLORS) snprintf(out, size, "%s (%d colours)", label, colors.n);
    else snprintf(out, size, "%s", label);
}

/* Draws them side by side. */
static void drawActive(tacDrawing *d, const LegendItem *item, float x, float y) {
    Colors colors = {.most = SWATCH_COLORS};
    listColors(d, &colors);
    int n = colors.n;
    (void) item;
    float part = swatchWidth(d) / (float) (n ? n : 1), half = swatchHeight(d) / 2;
    for (int i = 0; i < n; i++) {
        tacAddRect(d, TAC_LAYER_BARS, x + part * (float) i, y - half, x + part * (float) (i + 1), y + half,
            colors.at[i], (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    }
    addBox(d, x, y, 1, n ? TAC_NO_COLOR : d->style.active, TAC_PATTERN_NONE, 0);
}

/* Draws colours from the left to the right: those of priorities, from the highest to the lowest. */
static void drawRamp(tacDrawing *d, const LegendItem *item, float x, float y) {
    float part = swatchWidth(d) / SWATCH_COLORS, half = swatchHeight(d) / 2;
    (void) item;
    for (int i = 0; i < SWATCH_COLORS; i++) {
        uint32_t fill = tacRampColor(d, (uint32_t) (i * TAC_PALETTE_RANKS / (SWATCH_COLORS - 1)));
        tacAddRect(d, TAC_LAYER_BARS, x + part * (float) i, y - half, x + part * (float) (i + 1), y + half, fill,
            (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    }
    addBox(d, x, y, 1, TAC_NO_COLOR, TAC_PATTERN_NONE, 0);
}

/* Draws the colour that the item has for its index. */
static void drawColor(tacDrawing *d, const LegendItem *item, float x, float y) {
    addBox(d, x, y, 1, item->index, TAC_PATTERN_NONE, 0);
}

static void drawIsr(tacDrawing *d, const LegendItem *item, float x, float y) {
    uint32_t color = d->style.isr;
    (void) item;
    for (uint32_t task = d->rows->nTasks; task-- > 0 && d->style.colorBy != TAC_COLOR_CONVENTION;)
        if (d->tasksSeen[task] && d->store->objects[TAC_TASK].at[task].isr) color = tacTaskColor(d, task);
    addBox(d, x, y, 1, color, TAC_PATTERN_NONE, 0);
}

/* Gives the right half of a box the colour of bands. */
static void addBandHalf(tacDrawing *d, float x, float y, float height, uint32_t band) {
    tacItem *half = addBox(d, x, y, height, band, TAC_PATTERN_NONE, 0);
    if (half) {
        half->x0 += swatchWidth(d) / 2;
        half->outline = TAC_NO_COLOR;
    }
    addBox(d, x, y, height, TAC_NO_COLOR, TAC_PATTERN_NONE, 0);
}

/* Draws a state as bars have it, but a low one a little higher, to be seen; its right half, or where no bar has the
 * state all of it, as density bands have it, if any does. What pages before had counts, too: so signs of one state have
 * something in common on all pages. */
static void drawState(tacDrawing *d, const LegendItem *item, float x, float y) {
    static const uint32_t seen[TAC_STATES] = {[TAC_STATE_PREEMPTED] = TAC_SEEN_PREEMPTED,
        [TAC_STATE_BLOCKED] = TAC_SEEN_BLOCKED,
        [TAC_STATE_BETWEEN] = TAC_SEEN_BETWEEN,
        [TAC_STATE_UNKNOWN] = TAC_SEEN_UNKNOWN};
    tacStateLook look = tacLookOfState(d, (tacJobState) item->index);
    uint32_t band = tacBandColor(d, (tacJobState) item->index);
    float high = look.height < 1 ? 0.45f : 1;
    bool inBands = (d->seenInBands | d->beforeInBands) & seen[item->index],
         inBars = (d->seenInBars | d->beforeInBars) & seen[item->index];
    if (inBands && !inBars) {
        addBox(d, x, y, 1, band, TAC_PATTERN_NONE, 0);
        return;
    }
    addBox(d, x, y, high, look.fill, look.pattern, look.ink);
    if (!inBands || (band == look.fill && !look.pattern)) return;
    addBandHalf(d, x, y, high, band);
}

static void drawArrow(tacDrawing *d, const LegendItem *item, float x, float y) {
    bool up = (item->index == TAC_SEEN_DEADLINE) != d->rtsched;
    const tacArrowLook *look = tacArrowLookOf(d, item->index);
    float middle = x + swatchWidth(d) / 2, half = fmaxf(swatchHeight(d) / 2, 4);
    tacItem *arrow = tacAddLine(d, TAC_LAYER_ARROWS, middle, up ? y + half : y - half, middle, up ? y - half : y + half,
        d->style.line, look->ink, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    if (!arrow) return;
    arrow->heads = TAC_HEADS_LAST;
    arrow->dash = (uint8_t) look->dash;
}

/* Draws a strip of arrows in two strengths. */
static void drawStrip(tacDrawing *d, const LegendItem *item, float x, float y) {
    float half = swatchWidth(d) / 2, thick = 1 / 3.0f;
    (void) item;
    for (int i = 0; i < 2; i++)
        tacAddRect(d, TAC_LAYER_ARROWS, x + half * (float) i, y - thick, x + half * (float) (i + 1), y + thick,
            tacStripColor(d, i ? 1 : 0.5), (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

/* Draws a migration: from panel to panel it is fainter, since it crosses rows of other tasks. */
static void drawMigration(tacDrawing *d, const LegendItem *item, float x, float y) {
    uint32_t ink = d->rows->mode == TAC_PROCESSORS_COLLAPSED ? d->style.ink : d->style.faint;
    (void) item;
    tacItem *arrow = tacAddLine(
        d, TAC_LAYER_ARROWS, x, y, x + swatchWidth(d), y, d->style.line, ink, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    if (arrow) {
        arrow->heads = TAC_HEADS_LAST;
        arrow->dash = TAC_DASH_DASHED;
    }
}

static void drawSwitch(tacDrawing *d, const LegendItem *item, float x, float y) {
    float half = fmaxf(swatchHeight(d) / 2, 4), middle = x + swatchWidth(d) / 2;
    (void) item;
    tacItem *line = tacAddLine(d, TAC_LAYER_ARROWS, middle, y - half, middle, y + half, d->style.line, d->style.ink,
        (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    if (line) line->dash = TAC_DASH_DOTTED;
}

static void drawSync(tacDrawing *d, const LegendItem *item, float x, float y) {
    float half = fmaxf(swatchHeight(d) / 2, 4), room = swatchWidth(d);
    (void) item;
    tacItem *arrow = tacAddLine(d, TAC_LAYER_ARROWS, x + room / 4, y - half, x + 3 * room / 4, y + half, d->style.line,
        tacStyleInk(&d->style, d->style.marks[TAC_MARK_SYNC].color), (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    if (arrow) arrow->heads = TAC_HEADS_LAST;
}

static void drawCompletion(tacDrawing *d, const LegendItem *item, float x, float y) {
    (void) item;
    tacAddCompletion(d, x + swatchWidth(d) / 2, y, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

static void drawBudget(tacDrawing *d, const LegendItem *item, float x, float y) {
    (void) item;
    tacAddLine(d, TAC_LAYER_LINES, x, y, x + swatchWidth(d), y, d->style.thick, d->style.ink,
        (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

static void drawEnvelope(tacDrawing *d, const LegendItem *item, float x, float y) {
    (void) item;
    tacItem *box = addBox(d, x, y, 1, tacBudgetFill(d), TAC_PATTERN_NONE, 0);
    if (box) box->outline = d->style.faint;
}

static void drawMet(tacDrawing *d, const LegendItem *item, float x, float y) {
    uint32_t color = tacOutcomeColor(d, (tacJobOutcome) item->index), ink = 0;
    uint32_t band = tacShareTone(d, &(tacShares){.of = TAC_SHARE_OUTCOME, .n = TAC_OUTCOMES_SUMMED}, color);
    tacPattern pattern = tacRunPattern(d, TAC_NONE, color, &ink);
    addBox(d, x, y, 1, color, pattern, ink);
    if (d->seenInBands & tacSeenOutcome((tacJobOutcome) item->index)) addBandHalf(d, x, y, 1, band);
}

static void drawRest(tacDrawing *d, const LegendItem *item, float x, float y) {
    (void) item;
    addBox(d, x, y, 1, tacRestColor(d), TAC_PATTERN_NONE, 0);
}

static void drawLate(tacDrawing *d, const LegendItem *item, float x, float y) {
    float half = swatchHeight(d) / 2;
    if (d->style.colorBy == TAC_COLOR_OUTCOME) {
        drawMet(d, item, x, y);
        return;
    }
    addBox(d, x, y, 1, activeColor(d), TAC_PATTERN_NONE, 0);
    tacAddRect(d, TAC_LAYER_BARS, x + swatchWidth(d) / 2, y + half / 3, x + swatchWidth(d), y + half, d->style.late,
        (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

/* The pattern of a task's bars, which has the task's colour as its ink where it is the task's own; in bands none. */
static tacPattern patternOf(const tacDrawing *d, uint32_t task, uint32_t fill, uint32_t *ink) {
    tacPattern pattern = tacPatternWord(tacOwnPattern(d, task), TAC_PATTERN_NONE);
    if (pattern) *ink = fill;
    else pattern = tacRunPattern(d, task, fill, ink);
    return d->tasksSeen[task] & TAC_IN_BARS ? pattern : TAC_PATTERN_NONE;
}

static void drawTask(tacDrawing *d, const LegendItem *item, float x, float y) {
    uint32_t ink = 0, fill = tacTaskColor(d, item->index);
    tacPattern pattern = patternOf(d, item->index, fill, &ink);
    if (tacPatternWord(tacOwnPattern(d, item->index), TAC_PATTERN_NONE))
        fill = pattern ? d->style.paper : tacColorMix(d->style.paper, fill, 0.5); /* as its bars, or bands, are */
    addBox(d, x, y, 1, fill, pattern, ink);
}

/* Objects that look alike, which share an item. */
typedef struct Alike {
    uint32_t first, second, last, n;
    bool apart; /* there are others between the first and the last */
} Alike;

/* How holding a mutex looks, and the mutexes that look so. */
typedef struct MutexLook {
    uint32_t color;
    tacPattern pattern;
    Alike mutexes;
} MutexLook;

static MutexLook lookOfMutex(const tacDrawing *d, uint32_t mutex) {
    const char *color = tacObjectText(d->store, TAC_MUTEX, mutex, TAC_OPT_COLOR),
               *pattern = tacObjectText(d->store, TAC_MUTEX, mutex, TAC_OPT_PATTERN);
    return (MutexLook){tacStyleParse(&d->style, color, d->style.critical, 0, NULL),
        tacPatternWord(pattern, d->style.criticalPattern), {mutex, mutex, mutex, 1, false}};
}

static void drawMutex(tacDrawing *d, const LegendItem *item, float x, float y) {
    MutexLook look = lookOfMutex(d, item->index);
    addBox(d, x, y, 1, d->style.dark ? d->style.active : d->style.paper, look.pattern, look.color);
}

/* Draws the first mutex that is held, over a colour of what runs. */
static void drawCritical(tacDrawing *d, const LegendItem *item, float x, float y) {
    uint32_t fill = activeColor(d), mutex = 0;
    (void) item;
    while (mutex < tacStoreObjects(d->store, TAC_MUTEX) && !d->mutexesSeen[mutex]) mutex++;
    MutexLook look = lookOfMutex(d, mutex);
    uint32_t ground = tacHoldGround(d, fill, look.color);
    addBox(d, x, y, 1, ground == TAC_NO_COLOR ? fill : ground, look.pattern, look.color);
}

/* Adds a mark as the strip below the axis has it; NULL: no memory. */
static tacItem *addMark(tacDrawing *d, uint8_t shape, uint32_t fill, float x, float y) {
    tacItem *mark = tacDisplayAdd(d->display, TAC_ITEM_SHAPE, TAC_LAYER_ARROWS);
    if (!mark) return NULL;
    mark->shape = shape;
    mark->fill = fill;
    mark->ink = d->style.ink;
    mark->width = d->style.thin;
    mark->x0 = x + swatchWidth(d) / 2, mark->y0 = y, mark->x1 = 0.55f * d->style.fontSize;
    mark->refKind = TAC_REF_LEGEND;
    return mark;
}

static void drawMark(tacDrawing *d, const LegendItem *item, float x, float y) {
    const tacMarkStyle *look = &d->style.marks[item->index];
    addMark(d, (uint8_t) look->shape, tacStyleInk(&d->style, look->color), x, y);
}

static void drawMessage(tacDrawing *d, const LegendItem *item, float x, float y) {
    const tacMessageLook *look = &d->messages[item->index];
    tacItem *mark = addMark(d, look->shape, look->fill, x, y);
    if (!mark || look->shape != TAC_SHAPE_LETTER) return;
    mark->text = look->letter;
    mark->ink = look->fill;
}

/* Draws ticks of marks that are too many to stand side by side. */
static void drawTicks(tacDrawing *d, const LegendItem *item, float x, float y) {
    float half = 0.275f * d->style.fontSize, middle = x + swatchWidth(d) / 2;
    for (int i = -2; i <= 2; i += 2)
        tacAddLine(d, TAC_LAYER_ARROWS, middle + (float) i, y - half, middle + (float) i, y + half, 1 / 3.0f,
            item->index, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

/* ---- what there can be ------------------------------------------------------------------------------------------- */

static const struct StateEntry {
    const char *names, *label;
    uint32_t seen;
    SwatchDrawer *swatch;
    uint32_t index; /* for drawState and drawArrow */
} states[] = {
    {"active", "active", TAC_SEEN_ACTIVE, drawActive, 0},
    {"late missed", "late", TAC_SEEN_LATE, drawLate, TAC_OUTCOME_LATE},
    {"active met", "on time", TAC_SEEN_MET, drawMet, TAC_OUTCOME_MET},
    {"active free", "without deadline", TAC_SEEN_FREE, drawMet, TAC_OUTCOME_FREE},
    {"isr interrupt", "interrupt", TAC_SEEN_ISR, drawIsr, 0},
    {"mutex holding holding_mutex criticalSection", "holding mutex", TAC_SEEN_CRITICAL, drawCritical, 0},
    {"preempted", "preempted", TAC_SEEN_PREEMPTED, drawState, TAC_STATE_PREEMPTED},
    {"blocked", "blocked", TAC_SEEN_BLOCKED, drawState, TAC_STATE_BLOCKED},
    {"between betweenJobs", "between jobs", TAC_SEEN_BETWEEN, drawState, TAC_STATE_BETWEEN},
    {"unknown", "unknown", TAC_SEEN_UNKNOWN, drawState, TAC_STATE_UNKNOWN},
    {"arrival arrived release", "arrival", TAC_SEEN_ARRIVAL, drawArrow, TAC_SEEN_ARRIVAL},
    {"ignored", "ignored arrival", TAC_SEEN_IGNORED, drawArrow, TAC_SEEN_IGNORED},
    {"deadline", "deadline", TAC_SEEN_DEADLINE, drawArrow, TAC_SEEN_DEADLINE},
    {"arrows strip", "many arrows", TAC_SEEN_STRIP, drawStrip, 0},
    {"completion", "completion", TAC_SEEN_COMPLETION, drawCompletion, 0},
    {"migration", "migration", TAC_SEEN_MIGRATION, drawMigration, 0},
    {"messages synchronization", "message to a processor", TAC_SEEN_SYNC, drawSync, 0},
    {"preemption takeover", "another job takes over", TAC_SEEN_SWITCH, drawSwitch, 0},
};

static const struct MarkEntry {
    tacMarkKind kind;
    const char *names, *label;
} marks[] = {
    {TAC_MARK_RELEASED, "semaphores", "semaphore released"},
    {TAC_MARK_ACQUIRED, "semaphores", "semaphore acquired"},
    {TAC_MARK_SUSPENDED, "semaphores", "semaphore suspended"},
    {TAC_MARK_REPLENISHED, "servers", "server replenished"},
    {TAC_MARK_DEPLETED, "servers", "server depleted"},
    {TAC_MARK_SERVER_RESUMED, "servers", "server resumed"},
    {TAC_MARK_SERVER_PREEMPTED, "servers", "server preempted"},
    {TAC_MARK_PERIOD, "messages", "period"},
    {TAC_MARK_DEADLINE, "messages", "deadline event"},
    {TAC_MARK_DELAY, "messages", "delay"},
    {TAC_MARK_SYNC, "messages synchronization", "synchronization message"},
};

/* Is one of the blank-separated names in the figure's selection, or is there no selection? */
static bool isWanted(const tacFigure *figure, const char *names) {
    for (int i = 0; figure->legendItems && figure->legendItems[i]; i++) {
        size_t n = strlen(figure->legendItems[i]);
        for (const char *at = names; n && (at = strstr(at, figure->legendItems[i])); at += n)
            if ((at == names || at[-1] == ' ') && (at[n] == 0 || at[n] == ' ')) return true;
    }
    return !figure->legendItems;
}

/* Is this a name of some item, of a table above or of those that stand in none? */
static bool isKnown(const char *name) {
    static const char *const groups[] = {"servers", "tasks", "mutexes"};
    const char *const one[] = {name, NULL};
    const tacFigure only = {.legendItems = one};
    bool known = false;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) known = known || isWanted(&only, states[i].names);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) known = known || isWanted(&only, marks[i].names);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) known = known || isWanted(&only, groups[i]);
    return known;
}

void tacLegendRemarks(const tacDrawing *d) {
    const char *const *item = d->figure->legendItems;
    if (!d->diag || !item || d->figure->legend == TAC_LEGEND_NONE) return;
    for (; *item; item++) {
        if (isKnown(*item)) continue;
        tacDiagAdd(d->diag, TAC_SEVERITY_WARNING, 0, "FIGURE", "the legend has no item \"%.60s\"", *item);
    }
}

static void addItem(Legend *l, SwatchDrawer *swatch, uint32_t index, const char *label, tacRef ref) {
    tacDrawing *d = l->d;
    LegendItem item = {.swatch = swatch, .index = index, .ref = ref};
    float before = swatch ? swatchWidth(d) + textGap(d) : 0;
    tacFillLines(d, label, l->most - before, TAC_LINES_MOST, d->style.smallSize, &item.label);
    item.width = before + item.label.width;
    if (!tacArrayPush(&l->items, item)) d->display->failed = true;
}

#define SEVERAL " (or several)" /* of a sign that may stand for more than one thing */

static void addHeading(Legend *l, const char *text) {
    addItem(l, NULL, 0, text, tacNoRef);
    if (l->items.count) l->items.at[l->items.count - 1].glued = true;
}

/* Says how many more there are than the legend shows. */
static void addMore(Legend *l, uint32_t n, const char *of) {
    char text[60];
    snprintf(text, sizeof text, "and %u more%s", (unsigned) n, of);
    if (n) addItem(l, NULL, 0, text, tacNoRef);
}

/* Counts an object with those that look alike; before: the one that occurs before it. */
static void addAlike(Alike *alike, uint32_t object, uint32_t before) {
    alike->second = alike->n == 1 ? object : alike->second;
    alike->apart |= alike->last != before;
    alike->last = object;
    alike->n++;
}

enum {
    CALLED_SIZE = 160,
    LABEL_SIZE = 3 * CALLED_SIZE + 40,
    LIST_MOST = 40 /* bytes of a list of names */
};

/* Writes the names of objects that look alike: "first ... last (n)" only where these are all from the one to the other;
 * a list of long names would make the legend higher than the plot. */
static void callAlike(
    const Alike *alike, const char *first, const char *second, const char *last, char out[LABEL_SIZE]) {
    unsigned n = alike->n;
    if (n == 1) snprintf(out, LABEL_SIZE, "%s", first);
    else if (n == 2) snprintf(out, LABEL_SIZE, "%s, %s", first, last);
    else if (!alike->apart) snprintf(out, LABEL_SIZE, "%s \xE2\x80\xA6 %s (%u)", first, last, n);
    else if (n == 3) snprintf(out, LABEL_SIZE, "%s, %s, %s", first, second, last);
    else snprintf(out, LABEL_SIZE, "%s, %s and %u more", first, second, n - 2);
    if (n > 2 && alike->apart && strlen(out) > LIST_MOST) snprintf(out, LABEL_SIZE, "%s and %u more", first, n - 1);
}

/* Adds an item for each look of mutexes. */
static void addMutexes(Legend *l) {
    const tacStore *store = l->d->store;
    MutexLook looks[TASKS_MOST];
    uint32_t n = 0, more = 0, before = TAC_NONE;
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_MUTEX) && isWanted(l->d->figure, "mutexes"); i++) {
        if (!l->d->mutexesSeen[i]) continue;
        MutexLook look = lookOfMutex(l->d, i);
        uint32_t k = 0;
        while (k < n && (looks[k].color != look.color || looks[k].pattern != look.pattern)) k++;
        if (k < n) addAlike(&looks[k].mutexes, i, before);
        else if (n < TASKS_MOST) looks[n++] = look;
        else more++;
        before = i;
    }
    if (n) addHeading(l, "Mutexes:");
    for (uint32_t k = 0; k < n; k++) {
        const Alike *of = &looks[k].mutexes;
        char label[LABEL_SIZE], names[3][CALLED_SIZE];
        const uint32_t which[] = {of->first, of->second, of->last};
        for (int i = 0; i < 3; i++)
            snprintf(names[i], CALLED_SIZE, "%.*s", CALLED_SIZE - 1, tacObjectName(store, TAC_MUTEX, which[i]));
        callAlike(of, names[0], names[1], names[2], label);
        addItem(l, drawMutex, of->first, label, (tacRef){TAC_REF_LEGEND, of->first, 0, 0});
    }
    addMore(l, more, "");
}

/* Tasks of one colour and pattern. */
typedef struct ColorGroup {
    uint32_t color;
    tacPattern pattern;
    Alike tasks;
    bool namesakes; /* all have one name */
} ColorGroup;

/* Are two tasks called the same? */
static bool isNamesake(const tacDrawing *d, uint32_t one, uint32_t other) {
    return strcmp(tacObjectName(d->store, TAC_TASK, one), tacObjectName(d->store, TAC_TASK, other)) == 0;
}

/* Groups the tasks that occur by colour; returns the number of groups. *more counts tasks whose colours have no place.
 */
static uint32_t groupTasks(tacDrawing *d, ColorGroup *groups, uint32_t *more) {
    uint32_t n = 0, before = TAC_NONE;
    for (uint32_t task = 0; task < d->rows->nTasks; task++) {
        if (!d->tasksSeen[task]) continue;
        uint32_t color = tacTaskColor(d, task), ink = 0, g = 0;
        tacPattern pattern = patternOf(d, task, color, &ink);
        while (g < n && (groups[g].color != color || groups[g].pattern != pattern)) g++;
        if (g < n) {
            addAlike(&groups[g].tasks, task, before);
            groups[g].namesakes &= isNamesake(d, groups[g].tasks.first, task);
        } else if (n < TASKS_MOST) {
            groups[n++] = (ColorGroup){color, pattern, {task, task, task, 1, false}, true};
        } else {
            (*more)++;
        }
        before = task;
    }
    return n;
}

/* Writes what a task is called: its name, with a thread's number, or the processor, where another one is called the
 * same. */
static void callTask(const tacDrawing *d, uint32_t task, char *out) {
    const char *name = tacObjectName(d->store, TAC_TASK, task), *id = tacObjectId(d->store, TAC_TASK, task);
    uint32_t other = 0, sole = d->rows->soleProcessor ? d->rows->soleProcessor[task] : TAC_NO_PROCESSOR;
    while (other < d->rows->nTasks && (other == task || !d->tasksSeen[other] || !isNamesake(d, task, other))) other++;
    bool numbered = *id >= '0' && *id <= '9';
    if (other == d->rows->nTasks || strcmp(name, id) == 0) snprintf(out, CALLED_SIZE, "%.100s", name);
    else if (!numbered && sole < d->model->nProcessors)
        snprintf(out, CALLED_SIZE, "%.100s (%.50s)", name, tacProcessorName(d->model, sole));
    else snprintf(out, CALLED_SIZE, "%.100s %.50s", name, id);
}

/* Does a task of another colour have the name that all of a group have? */
static bool isShared(tacDrawing *d, const ColorGroup *group) {
    for (uint32_t task = 0; task < d->rows->nTasks; task++) {
        uint32_t ink = 0, color = tacTaskColor(d, task);
        if (!d->tasksSeen[task] || !isNamesake(d, group->tasks.first, task)) continue;
        if (color != group->color || patternOf(d, task, color, &ink) != group->pattern) return true;
    }
    return false;
}

static void addGroup(Legend *l, const ColorGroup *group) {
    const Alike *of = &group->tasks;
    char label[LABEL_SIZE], first[CALLED_SIZE], second[CALLED_SIZE], last[CALLED_SIZE];
    callTask(l->d, of->first, first);
    callTask(l->d, of->second, second);
    callTask(l->d, of->last, last);
    callAlike(of, first, second, last, label);
    if (of->n > 1 && group->namesakes && !isShared(l->d, group))
        snprintf(label, sizeof label, "%.200s", tacObjectName(l->d->store, TAC_TASK, of->first));
    addItem(l, drawTask, of->first, label, (tacRef){TAC_REF_TASK, of->first, 0, 0});
}

static void addTasks(Legend *l) {
    ColorGroup groups[TASKS_MOST];
    uint32_t more = 0, n = isWanted(l->d->figure, "tasks") ? groupTasks(l->d, groups, &more) : 0;
    if (n) addHeading(l, "Tasks:");
    for (uint32_t g = 0; g < n; g++) addGroup(l, &groups[g]);
    addMore(l, more, "");
    if (l->d->seen & TAC_SEEN_REST && isWanted(l->d->figure, "tasks"))
        addItem(l, drawRest, 0, "other tasks", (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

/* The words with which all messages of one look end, if they have letters and are not long. */
static const char *commonEnd(const tacMessageLook *look) {
    const char *end = look->first + strlen(look->first), *word = end - (look->cut ? look->tail : 0);
    while (*word && *word != ' ') word++;
    for (const char *c = word; *c && strlen(word) < 60; c++)
        if (isalpha((unsigned char) *c) || (unsigned char) *c >= 0x80) return word;
    return "";
}

/* Writes what messages of one look say: their text, or what their texts begin and end with alike. */
static void callMessages(const tacMessageLook *look, char *out, size_t size) {
    int n = (int) strlen(look->label);
    while (look->cut && n > 0 && isdigit((unsigned char) look->label[n - 1])) n--; /* no part of a number */
    while (n > 0 && look->label[n - 1] == ' ') n--;
    bool tells = n > 2 || (n && !look->cut); /* does so little say something? */
    const char *end = commonEnd(look), *gap = *end && look->label[n] == ' ' ? " " : "";
    if (tells) snprintf(out, size, "%.*s%s%s%s", n, look->label, gap, look->cut ? TAC_ELLIPSIS : "", end);
    else snprintf(out, size, "message");
}

/* Ticks of one colour, which share an item. */
typedef struct TickGroup {
    uint32_t ink;
    char label[120];
} TickGroup;

static void addTick(TickGroup *groups, int *n, uint32_t ink, const char *label) {
    int i = 0;
    while (i < *n && groups[i].ink != ink) i++;
    size_t used = i < *n ? strlen(groups[i].label) : 0;
    if (i == *n) groups[(*n)++].ink = ink;
    if (used + strlen(label) + 3 > sizeof groups->label) return;
    snprintf(groups[i].label + used, sizeof groups->label - used, "%s%s", used ? ", " : "", label);
}

/* Adds an item for each look of marks. */
static void addMarks(Legend *l) {
    const tacDrawing *d = l->d;
    TickGroup ticks[TAC_MARK_KINDS + TAC_MESSAGE_LOOKS];
    size_t before = l->items.count;
    int n = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (!d->marksSeen[marks[i].kind] || !isWanted(d->figure, marks[i].names)) continue;
        if (d->markTicks) addTick(ticks, &n, tacTickInk(d, d->style.marks[marks[i].kind].color), marks[i].label);
        else addItem(l, drawMark, marks[i].kind, marks[i].label, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    }
    for (int i = 0; i < d->messageLooks && i < TAC_MESSAGE_LOOKS && isWanted(d->figure, "messages"); i++) {
        char label[sizeof d->messages[i].label + sizeof TAC_ELLIPSIS + 64];
        callMessages(&d->messages[i], label, sizeof label);
        if (d->markTicks) addTick(ticks, &n, d->messages[i].fill, label);
        else addItem(l, drawMessage, (uint32_t) i, label, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    }
    for (int i = 0; i < n; i++) {
        char label[sizeof ticks->label + 16];
        snprintf(label, sizeof label, "%s%s", ticks[i].label, d->ticksSeveral ? SEVERAL : "");
        addItem(l, drawTicks, ticks[i].ink, label, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    }
    if (d->messageLooks > TAC_MESSAGE_LOOKS && isWanted(d->figure, "messages"))
        addItem(l, NULL, 0, "and other messages", tacNoRef);
    if (d->marksLeftOut && l->items.count > before) addItem(l, NULL, 0, "some marks left out", tacNoRef);
}

/* Adds the items of budget curves and of the bands that dense ones become, if there are any; called budgets if some job
 * consumes them. */
static void addServers(Legend *l) {
    const tacFigureRows *rows = l->d->rows;
    bool some = false, budget = false;
    for (size_t i = 0; i < rows->rows.count && isWanted(l->d->figure, "servers") && !budget; i++) {
        const tacFigureRow *row = &rows->rows.at[i];
        if (row->kind != TAC_FIGURE_ROW_SERVER || row->away) continue;
        some = true;
        budget = tacServerConsumes(l->d, row->owner);
    }
    const char *name = budget ? "server budget" : "value";
    char range[60];
    snprintf(range, sizeof range, "%s, least to largest", name);
    bool bands = l->d->seen & TAC_SEEN_ENVELOPE, curves = l->d->seen & TAC_SEEN_CURVE || !bands;
    if (some && curves) addItem(l, drawBudget, 0, name, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    if (some && bands) addItem(l, drawEnvelope, 0, range, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

enum { PRIORITIES_MOST = 6 }; /* that have items of their own */

/* The task with the least priority above `than` of those that occur; TAC_NONE: there is none. */
static uint32_t nextPriority(const tacDrawing *d, int64_t than) {
    const tacObject *objects = d->store->objects[TAC_TASK].at;
    uint32_t next = TAC_NONE;
    for (uint32_t task = 0; task < d->rows->nTasks; task++) {
        if (!d->tasksSeen[task] || objects[task].isr || objects[task].priority <= than) continue;
        if (next == TAC_NONE || objects[task].priority < objects[next].priority) next = task;
    }
    return next;
}

/* Adds an item for the ramp of all priorities that tasks have, but for those of interrupts, which are made up. */
static void addRamp(Legend *l) {
    const tacObject *objects = l->d->store->objects[TAC_TASK].at;
    int32_t least = INT32_MAX, largest = INT32_MIN;
    char label[80];
    for (uint32_t task = 0; task < l->d->rows->nTasks; task++) {
        if (objects[task].isr) continue;
        if (objects[task].priority < least) least = objects[task].priority;
        if (objects[task].priority > largest) largest = objects[task].priority;
    }
    snprintf(label, sizeof label, "priority %d \xE2\x80\xA6 %d", (int) least, (int) largest);
    addItem(l, drawRamp, 0, label, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

/* Adds items for the priorities of tasks that occur, or if these are many, one for all; for a single one none. */
static void addPriorities(Legend *l) {
    uint32_t tasks[PRIORITIES_MOST], n = 0, task;
    const tacObject *objects = l->d->store->objects[TAC_TASK].at;
    for (; (task = nextPriority(l->d, n ? objects[tasks[n - 1]].priority : INT64_MIN)) != TAC_NONE; tasks[n++] = task) {
        if (n < PRIORITIES_MOST) continue;
        addRamp(l);
        return;
    }
    for (uint32_t i = 0; i < n && n > 1; i++) {
        char label[40];
        snprintf(label, sizeof label, "priority %d", (int) objects[tasks[i]].priority);
        addItem(l, drawColor, tacTaskColor(l->d, tasks[i]), label, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    }
}

/* Adds items for the processors on which something runs in the figure's range. */
static void addProcessors(Legend *l) {
    tacDrawing *d = l->d;
    uint32_t n = 0, more = 0;
    for (uint32_t p = 0; p < d->model->nProcessors; p++) {
        if (!tacLodProcessorCount(d->model, p, d->scale.from, d->scale.to)) continue;
        const char *name = tacProcessorName(d->model, p);
        if (n == TASKS_MOST) more++;
        else n++, addItem(l, drawColor, tacProcessorColor(d, p), name, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
    }
    addMore(l, more, more == 1 ? " processor" : " processors");
}

/* Does a row stand for a folded group, whose colours are of its own? */
static bool hasGroups(const tacDrawing *d) {
    const tacFigureRows *rows = d->rows;
    size_t i = 0;
    while (i < rows->rows.count && !rows->rows.at[i].members) i++;
    return i < rows->rows.count;
}

/* Adds what the colours of running jobs say where neither the rows nor other items do. False: it is only that they run.
 */
static bool addColors(Legend *l) {
    const tacDrawing *d = l->d;
    bool processors = d->style.colorBy == TAC_COLOR_PROCESSOR && d->rows->mode == TAC_PROCESSORS_NONE;
    if (hasGroups(d) || (d->style.colorBy != TAC_COLOR_PRIORITY && !processors)) return false;
    size_t before = l->items.count;
    (processors ? addProcessors : addPriorities)(l);
    return l->items.count > before;
}

/* Do colours tell the tasks in a processor's row apart? */
static bool tellsTasks(const tacDrawing *d) {
    bool told = d->style.colorBy == TAC_COLOR_CONVENTION || d->style.colorBy == TAC_COLOR_TASK
        || d->style.colorBy == TAC_COLOR_PRIORITY;
    return told && d->rows->mode == TAC_PROCESSORS_COLLAPSED;
}

/* Adds the item of a state or an arrow. A sign that may stand for several things, or is left out somewhere, says so. */
static void addState(Legend *l, const struct StateEntry *state) {
    static const char *const remarks[] = {
        "", SEVERAL, " (left out where dense)", " (or several, left out where dense)"};
    char label[120];
    int several = (l->d->several & state->seen) != 0, leftOut = (l->d->leftOut & state->seen) != 0;
    if (state->seen == TAC_SEEN_ACTIVE) callActive(l->d, state->label, label, sizeof label);
    else snprintf(label, sizeof label, "%s%s", state->label, remarks[several + 2 * leftOut]);
    addItem(l, state->swatch, state->index, label, (tacRef){TAC_REF_LEGEND, 0, 0, 0});
}

/* Collects the items of all that occurs in the figure. */
static void collect(Legend *l) {
    tacDrawing *d = l->d;
    bool byOutcome = d->style.colorBy == TAC_COLOR_OUTCOME;
    bool byTask = tellsTasks(d); /* then tasks have their own items */
    bool byProcessor = d->style.colorBy == TAC_COLOR_PROCESSOR && d->seen & TAC_SEEN_ACTIVE; /* as other tasks have */
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        bool isr = states[i].seen == TAC_SEEN_ISR, runs = states[i].seen == TAC_SEEN_ACTIVE || isr;
        if (!(d->seen & states[i].seen) || !isWanted(d->figure, states[i].names) || (runs && (byTask || byOutcome))
            || (isr && byProcessor))
            continue;
        if (states[i].seen != TAC_SEEN_ACTIVE || !addColors(l)) addState(l, &states[i]);
    }
    addServers(l);
    addMarks(l);
    if (byTask) addTasks(l);
    addMutexes(l);
}

/* ---- setting ----------------------------------------------------------------------------------------------------- */

/* Points between an item and the next one on its line. */
static float gapAfter(const tacDrawing *d, const LegendItem *item) {
    return item->swatch ? 1.1f * d->style.smallSize : 2 * textGap(d);
}

/* Draws an item; returns where the next one on its line begins. */
static float drawItem(tacDrawing *d, const LegendItem *item, float x, float y) {
    float text = x;
    if (item->swatch) {
        item->swatch(d, item, x, y);
        text += swatchWidth(d) + textGap(d);
    }
    for (int i = 0; i < item->label.n; i++) {
        tacAddText(d, item->label.text[i], text, y + textPitch(d) * (float) i, TAC_ANCHOR_LEFT, d->style.smallSize,
            d->style.ink, item->ref);
    }
    return x + item->width + gapAfter(d, item);
}

/* Width of a heading and all of its items. */
static float groupWidth(const Legend *l, size_t at) {
    float x = 0, used = 0;
    for (size_t i = at; i < l->items.count && (i == at || !l->items.at[i].glued); i++) {
        used = x + l->items.at[i].width;
        x = used + gapAfter(l->d, &l->items.at[i]);
    }
    return used;
}

/* End of the line of items that begins at `at`: as many as fit into the width, but at least one. *used: their width. */
static size_t lineEnd(const Legend *l, size_t at, float width, float *used) {
    size_t end = at;
    float x = 0;
    *used = 0;
    while (end < l->items.count) {
        const LegendItem *item = &l->items.at[end];
        bool glued = item->glued && end + 1 < l->items.count;
        float need = item->width + (glued ? gapAfter(l->d, item) + l->items.at[end + 1].width : 0);
        if (end > at && x + need > width) break;
        if (end > at && glued && l->together && x + (need = groupWidth(l, end)) > width && need <= width) break;
        *used = x + item->width;
        x = *used + gapAfter(l->d, item);
        end++;
    }
    return end;
}

/* The number of lines of this width. */
static size_t countLines(const Legend *l, float width) {
    size_t lines = 0;
    float used;
    for (size_t at = 0; at < l->items.count; at = lineEnd(l, at, width, &used)) lines++;
    return lines;
}

/* Width of the widest heading with its items that fits into a line. */
static float groupMost(const Legend *l, float whole) {
    float most = 0, width;
    for (size_t i = 0; i < l->items.count; i++)
        if (l->items.at[i].glued && (width = groupWidth(l, i)) <= whole) most = fmaxf(most, width);
    return most;
}

/* The least width, but for a few points, with which there are no more lines than with the whole: none is left with a
 * single item then. */
static float balancedWidth(Legend *l, float whole) {
    size_t lines = countLines(l, whole);
    l->together = true; /* unless that needs more lines */
    l->together = countLines(l, whole) <= lines;
    float least = l->together ? groupMost(l, whole) : 0;
    if (lines > 1 && countLines(l, least) <= lines) return least;
    while (lines > 1 && whole - least > 4) {
        float middle = (least + whole) / 2;
        if (countLines(l, middle) > lines) least = middle;
        else whole = middle;
    }
    return whole;
}

/* Draws items [at, end) on a line; returns its height. */
static float drawLine(const Legend *l, size_t at, size_t end, float x, float y) {
    float pitch = linePitch(l->d);
    int lines = 1;
    for (; at < end; at++) {
        x = drawItem(l->d, &l->items.at[at], x, y + pitch / 2);
        if (l->items.at[at].label.n > lines) lines = l->items.at[at].label.n;
    }
    return pitch + textPitch(l->d) * (float) (lines - 1);
}

/* Draws the items in centred lines; returns their height. */
static float drawLines(Legend *l, float x0, float x1, float y) {
    float top = y, used, width = balancedWidth(l, x1 - x0);
    for (size_t at = 0, end; at < l->items.count; at = end) {
        end = lineEnd(l, at, width, &used);
        y += drawLine(l, at, end, x0 + (x1 - x0 - used) / 2, y);
    }
    return y - top;
}

/* Draws the first n items one below the other; returns their height. */
static float drawColumn(const Legend *l, size_t n, float x, float y) {
    float top = y;
    for (size_t at = 0; at < n; at++) y += drawLine(l, at, at + 1, x, y);
    return y - top;
}

static Legend legendOf(tacDrawing *d, float width) {
    Legend l = {.d = d, .most = width + 0.5f}; /* half a point for rounding */
    collect(&l);
    return l;
}

float tacDrawLegend(tacDrawing *d, float x0, float x1, float y) {
    Legend l = legendOf(d, x1 - x0);
    float height = d->figure->legend == TAC_LEGEND_BOTTOM ? drawLines(&l, x0, x1, y)
                                                          : drawColumn(&l, l.items.count, x0, y);
    tacArrayFree(&l.items);
    return height;
}

/* Height of an item on a line of its own. */
static float itemHeight(const Legend *l, size_t at) {
    return linePitch(l->d) + textPitch(l->d) * (float) (l->items.at[at].label.n - 1);
}

/* The number of items that a column of this height has: all, or those before a heading whose own do not fit. */
static size_t columnEnd(const Legend *l, float room) {
    float height = 0;
    size_t end = 0, heading = 0;
    for (; end < l->items.count && (height += itemHeight(l, end)) <= room; end++)
        if (l->items.at[end].glued) heading = end;
    return end < l->items.count && heading ? heading : end;
}

/* Legend of the items from `from` on, in lines of this width. */
static Legend restOf(tacDrawing *d, size_t from, float width) {
    Legend l = legendOf(d, width);
    from = from < l.items.count ? from : l.items.count; /* without memory there are fewer items */
    l.items.count -= from;
    if (from && l.items.count) memmove(l.items.at, l.items.at + from, l.items.count * sizeof *l.items.at);
    return l;
}

float tacDrawLegendRight(tacDrawing *d, float width, float bottom) {
    float air = 0.5f * d->style.fontSize, whole = d->width - 2 * tacEdge, all = d->top + tacEdge;
    Legend right = legendOf(d, width);
    for (size_t i = 0; i < right.items.count; i++) all += itemHeight(&right, i);
    size_t end = all > bottom ? columnEnd(&right, bottom - d->top) : right.items.count;
    Legend below = restOf(d, end, whole);
    float lines = (float) countLines(&below, whole) * linePitch(d);
    if (all <= bottom + air + lines + tacEdge) { /* it would be no lower in two parts */
        end = right.items.count;
        below.items.count = 0;
    }
    drawColumn(&right, end, d->width - tacEdge - width, d->top);
    if (below.items.count) bottom += air + drawLines(&below, tacEdge, d->width - tacEdge, bottom + air) + tacEdge;
    else bottom = fmaxf(all, bottom);
    tacArrayFree(&right.items);
    tacArrayFree(&below.items);
    return bottom;
}

float tacLegendWidth(tacDrawing *d) {
    float least = swatchWidth(d) + textGap(d) + 11 * d->style.smallSize; /* some twenty letters */
    float share = d->figure->legend == TAC_LEGEND_ALONE ? 0.42f : 0.27f, width = 0;
    Legend l = {.d = d, .most = fminf(fmaxf(share * d->width, least), 0.42f * d->width)};
    collect(&l);
    for (size_t i = 0; i < l.items.count; i++) width = fmaxf(width, l.items.at[i].width);
    tacArrayFree(&l.items);
    return width;
}
