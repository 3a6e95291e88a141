/*
 * display.c -- the display list: collecting items, putting them into layer order, and writing them as text.
 *
 * Layout adds items in any order. An addition that finds no memory sets `failed`, and layout goes on all the same, so
 * that drawing code needs no test after every item. The dump is the form in which tests keep figures: numbers with at
 * most two decimals, only the fields that matter to an item's kind.
 */
#include "base/port.h"

#include "base/print.h"
#include "view/display.h"
#include "view/maths.h"
#include "view/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tacLayerNames[TAC_LAYERS] = {"back", "bars", "patterns", "lines", "arrows", "text"};

static const char *const kindNames[] = {"rect", "line", "path", "text", "shape"};
static const char *const patternNames[] = {"none", "gray12", "gray25", "gray50", "gray75", "lines_up", "lines_down",
    "lines_vertical", "lines_horizontal", "stripes_up", "stripes_down", "stripes_vertical", "stripes_horizontal",
    "spots"};
static const char *const dashNames[] = {"solid", "dashed", "dotted"};
static const char *const headNames[] = {"none", "first", "last", "both"};
static const char *const shapeNames[] = {
    "disk", "circle", "square", "diamond", "cross", "plus", "triangleUp", "triangleDown", "letter"};
static const char *const anchorNames[] = {"left", "center", "right"};
static const char *const refNames[] = {"none", "slice", "run", "hold", "event", "task", "processor", "server", "buffer",
    "axis", "legend", "merged", "merged", "merged", "group", "band", "drawn"};

/* ---- collecting -------------------------------------------------------------------------------------------------- */

void tacDisplayInit(tacDisplay *display) { memset(display, 0, sizeof *display); }

void tacDisplayFree(tacDisplay *display) {
    tacArrayFree(&display->items);
    tacArrayFree(&display->points);
    tacInternFree(&display->texts);
    tacFree((void *) display->font);
    memset(display, 0, sizeof *display);
}

tacItem *tacDisplayAdd(tacDisplay *display, tacItemKind kind, tacLayer layer) {
    tacItem item = {.kind = (uint8_t) kind,
        .layer = (uint8_t) layer,
        .fill = TAC_NO_COLOR,
        .ink = TAC_NO_COLOR,
        .outline = TAC_NO_COLOR};
    if (!tacArrayPush(&display->items, item)) {
        display->failed = true;
        return NULL;
    }
    return &display->items.at[display->items.count - 1];
}

uint32_t tacDisplayText(tacDisplay *display, const char *text, size_t length) {
    uint32_t id = tacIntern(&display->texts, text, length);
    if (id == TAC_NONE) display->failed = true;
    return id;
}

/* Sorts by counting, which is stable and takes one pass. */
void tacDisplayFinish(tacDisplay *display) {
    size_t n = display->items.count, next[TAC_LAYERS + 1] = {0};
    if (n == 0) return;
    tacItem *sorted = tacAlloc(n * sizeof *sorted);
    if (!sorted) {
        display->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) next[display->items.at[i].layer + 1]++;
    for (int layer = 0; layer < TAC_LAYERS; layer++) next[layer + 1] += next[layer];
    for (size_t i = 0; i < n; i++) sorted[next[display->items.at[i].layer]++] = display->items.at[i];
    tacFree(display->items.at);
    display->items.at = sorted;
    display->items.capacity = n;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void addNumber(tacText *out, double value) {
    char text[64];
    int n = tacPrint(text, sizeof text, " %.2f", value);
    while (n > 0 && text[n - 1] == '0') n--;
    if (text[n - 1] == '.') n--;
    if (n == 3 && text[1] == '-' && text[2] == '0') n = 2, text[1] = '0';
    tacTextAdd(out, text, (size_t) n);
}

static void addColor(tacText *out, const char *name, uint32_t color) {
    if (color != TAC_NO_COLOR) tacTextPrintf(out, " %s #%06X", name, (unsigned) color);
}

static void addWord(tacText *out, const char *name, const char *word) { tacTextPrintf(out, " %s %s", name, word); }

static void addString(tacText *out, const tacDisplay *display, uint32_t id) {
    const char *text = id < tacInternCount(&display->texts) ? tacInternName(&display->texts, id, NULL) : "";
    tacTextAddString(out, " \"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') tacTextAdd(out, "\\", 1);
        tacTextAdd(out, *text == '\n' ? " " : text, 1);
    }
    tacTextAddString(out, "\"");
}

static void addCorners(tacText *out, const tacItem *item) {
    addNumber(out, item->x0);
    addNumber(out, item->y0);
    addNumber(out, item->x1);
    addNumber(out, item->y1);
}

static void addStroke(tacText *out, const tacItem *item) {
    addColor(out, "ink", item->ink);
    tacTextAddString(out, " width");
    addNumber(out, item->width);
    if (item->dash) addWord(out, "dash", dashNames[item->dash]);
    if (item->heads) addWord(out, "heads", headNames[item->heads]);
}

static void dumpRect(tacText *out, const tacDisplay *display, const tacItem *item) {
    (void) display;
    addCorners(out, item);
    addColor(out, "fill", item->fill);
    if (item->pattern) {
        addWord(out, "pattern", patternNames[item->pattern]);
        addColor(out, "ink", item->ink);
    }
    if (item->outline != TAC_NO_COLOR) {
        addColor(out, "outline", item->outline);
        tacTextAddString(out, " width");
        addNumber(out, item->width);
    }
}

static void dumpLine(tacText *out, const tacDisplay *display, const tacItem *item) {
    (void) display;
    addCorners(out, item);
    addStroke(out, item);
}

static void dumpPath(tacText *out, const tacDisplay *display, const tacItem *item) {
    for (uint32_t i = 0; i < item->count; i++) {
        tacPoint point = display->points.at[item->first + i];
        if (isnan(point.x)) {
            tacTextAddString(out, " |");
        } else {
            addNumber(out, point.x);
            addNumber(out, point.y);
        }
    }
    addColor(out, "fill", item->fill);
    if (item->ink != TAC_NO_COLOR) addStroke(out, item);
}

static void dumpText(tacText *out, const tacDisplay *display, const tacItem *item) {
    addString(out, display, item->text);
    addNumber(out, item->x0);
    addNumber(out, item->y0);
    tacTextPrintf(out, " %s%s%s%s size", anchorNames[item->anchor], item->middle ? " middle" : "",
        item->bold ? " bold" : "", item->upright ? " upright" : "");
    addNumber(out, item->width);
    addColor(out, "ink", item->ink);
}

static void dumpShape(tacText *out, const tacDisplay *display, const tacItem *item) {
    addWord(out, shapeNames[item->shape], "at");
    addNumber(out, item->x0);
    addNumber(out, item->y0);
    tacTextAddString(out, " size");
    addNumber(out, item->x1);
    if (item->shape == TAC_SHAPE_LETTER) addString(out, display, item->text);
    addColor(out, "fill", item->fill);
    addColor(out, "ink", item->ink);
    addColor(out, "outline", item->outline);
}

static void (*const dumpers[])(tacText *, const tacDisplay *, const tacItem *) = {
    dumpRect, dumpLine, dumpPath, dumpText, dumpShape};

void tacDisplayDump(const tacDisplay *display, tacText *out) {
    tacTextAddString(out, "figure");
    addNumber(out, display->width);
    addNumber(out, display->height);
    tacTextPrintf(out, " font \"%s\" size", display->font ? display->font : "");
    addNumber(out, display->fontSize);
    tacTextAddString(out, "\n");
    for (size_t i = 0; i < display->items.count; i++) {
        const tacItem *item = &display->items.at[i];
        tacTextPrintf(out, "%s %s", kindNames[item->kind], tacLayerNames[item->layer]);
        dumpers[item->kind](out, display, item);
        if (item->refKind != TAC_REF_NONE)
            tacTextPrintf(out, " %s %u %u", refNames[item->refKind], (unsigned) item->owner, (unsigned) item->index);
        if (tacRefIsMerged(item->refKind)) tacTextPrintf(out, " of %u", (unsigned) item->count);
        tacTextAddString(out, "\n");
    }
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

/* Is the text, without the characters from `head` up to `tail`, no wider and no longer than this? */
static bool fitsShortened(const tacMeasure *measure, const char *text, size_t head, size_t tail, float width,
    size_t most, float size, bool bold, tacText *out) {
    out->length = 0;
    tacMathsShorten(text, strlen(text), head, tail, out);
    return !out->failed && out->length <= most
        && measure->width(measure->data, out->at, out->length, size, bold, NULL, NULL) <= width;
}

size_t tacFittingMaths(const tacMeasure *measure, const char *text, float width, float share, size_t most, float size,
    bool bold, tacText *out) {
    size_t n = tacMathsShorten(text, strlen(text), SIZE_MAX, SIZE_MAX, NULL), tail = 0;
    for (size_t high = share > 0 && n ? n - 1 : 0; tail < high;) {
        size_t middle = high - (high - tail) / 2;
        if (fitsShortened(measure, text, 0, n - middle, share * width, most, size, bold, out)) tail = middle;
        else high = middle - 1;
    }
    size_t low = 0;
    for (size_t high = n - tail ? n - tail - 1 : 0; low < high;) {
        size_t middle = high - (high - low) / 2;
        if (fitsShortened(measure, text, middle, n - tail, width, most, size, bold, out)) low = middle;
        else high = middle - 1;
    }
    fitsShortened(measure, text, low, n - tail, width, most, size, bold, out);
    return low + tail;
}

size_t tacFittingLength(const tacMeasure *measure, const char *text, size_t most, float width, float size, bool bold) {
    size_t low = 0, high = most; /* begin of a character each; `low` bytes fit */
    while (high > 0 && tacUtf8Continues(text[high])) high--;
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        while (middle < high && tacUtf8Continues(text[middle])) middle++;
        if (measure->width(measure->data, text, middle, size, bold, NULL, NULL) <= width) {
            low = middle;
        } else {
            high = middle - 1;
            while (high > low && tacUtf8Continues(text[high])) high--;
        }
    }
    return low;
}

static float fixedWidth(
    void *data, const char *text, size_t length, float size, bool bold, float *ascent, float *descent) {
    (void) data;
    size_t characters = 0;
    for (size_t i = 0; i < length; i++) characters += !tacUtf8Continues(text[i]);
    if (ascent) *ascent = 0.8f * size;
    if (descent) *descent = 0.2f * size;
    return (float) characters * size * (bold ? 0.65f : 0.6f);
}

const tacMeasure tacMeasureFixed = {NULL, fixedWidth};
