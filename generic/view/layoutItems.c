/*
 * layoutItems.c -- what every part of layout needs: adding items to the display, measuring and cutting text, lists of
 * events in steps of points, the tiles of a view, places of times, what is hidden, and colours of tasks.
 */
#include "base/port.h"

#include "base/search.h"
#include "view/layout.h"

#include <math.h>
#include <string.h>

/* ---- text -------------------------------------------------------------------------------------------------------- */

float tacTextWidth(const tacDrawing *d, const char *text, float size, bool bold) {
    return d->measure->width(d->measure->data, text, strlen(text), size, bold, NULL, NULL);
}

static void setRef(tacItem *item, tacRef ref) {
    item->refKind = (uint8_t) ref.kind;
    item->owner = ref.owner;
    item->index = ref.index;
    item->count = ref.count;
}

tacItem *tacAddText(
    tacDrawing *d, const char *text, float x, float y, tacAnchor anchor, float size, uint32_t ink, tacRef ref) {
    uint32_t id = tacDisplayText(d->display, text, strlen(text));
    tacItem *item = id == TAC_NONE ? NULL : tacDisplayAdd(d->display, TAC_ITEM_TEXT, TAC_LAYER_TEXT);
    if (!item) return NULL;
    setRef(item, ref);
    item->text = id;
    item->x0 = x, item->y0 = y;
    item->anchor = (uint8_t) anchor;
    item->middle = 1;
    item->width = size;
    item->ink = ink;
    return item;
}

enum { CUT_MOST = 500 }; /* bytes of a text that is cut */

/* Length of the longest start of the text, in whole characters and at most `most` bytes, that is no wider than width.
 */
static size_t fittingLength(const tacDrawing *d, const char *text, size_t most, float width, float size, bool bold) {
    uint16_t starts[CUT_MOST + 1]; /* of characters */
    size_t low = 0, high = 0;      /* starts[low] bytes fit */
    for (size_t i = 0; i <= most; i++)
        if (((unsigned char) text[i] & 0xC0) != 0x80) starts[high++] = (uint16_t) i;
    high--;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (d->measure->width(d->measure->data, text, starts[middle], size, bold, NULL, NULL) <= width) low = middle;
        else high = middle - 1;
    }
    return starts[low];
}

bool tacCutText(const tacDrawing *d, const char *text, float width, float size, bool bold, char *out, size_t outSize) {
    static const char ellipsis[] = "\xE2\x80\xA6";
    size_t length = strlen(text), room = outSize - sizeof ellipsis;
    room = room < CUT_MOST ? room : CUT_MOST;
    if (length <= room && d->measure->width(d->measure->data, text, length, size, bold, NULL, NULL) <= width) {
        memcpy(out, text, length + 1);
        return true;
    }
    float dots = tacTextWidth(d, ellipsis, size, bold);
    size_t fits = fittingLength(d, text, length < room ? length : room, width - dots, size, bold);
    while (fits > 0 && text[fits - 1] == ' ') fits--;
    memcpy(out, text, fits);
    memcpy(out + fits, ellipsis, sizeof ellipsis);
    return fits >= 2;
}

/* Where the longest end of the text begins that is no wider than `width`, in whole characters and not with a blank. */
static size_t fittingTail(const tacDrawing *d, const char *text, size_t length, float width, float size) {
    size_t tail = length;
    for (size_t at = length; at-- > 0;) {
        if (((unsigned char) text[at] & 0xC0) == 0x80) continue;
        if (tacTextWidth(d, text + at, size, false) > width) break;
        tail = text[at] == ' ' ? tail : at;
    }
    return tail;
}

bool tacCutMiddle(const tacDrawing *d, const char *text, float width, float size, char *out, size_t outSize) {
    char head[CUT_MOST + 1];
    size_t length = strlen(text);
    if (length > CUT_MOST || width < 6 * size || tacTextWidth(d, text, size, false) <= width)
        return tacCutText(d, text, width, size, false, out, outSize);
    size_t tail = fittingTail(d, text, length, 0.4f * width, size), rest = length - tail + 1;
    if (rest >= outSize / 2) return tacCutText(d, text, width, size, false, out, outSize);
    memcpy(head, text, tail);
    head[tail] = 0;
    bool fits = tacCutText(
        d, head, width - tacTextWidth(d, text + tail, size, false), size, false, out, outSize - rest);
    memcpy(out + strlen(out), text + tail, rest);
    return fits;
}

tacItem *tacAddFitting(tacDrawing *d, const char *text, float x, float y, float width, tacAnchor anchor, float size,
    uint32_t ink, tacRef ref) {
    char cut[512];
    return tacCutText(d, text, width, size, false, cut, sizeof cut) ? tacAddText(d, cut, x, y, anchor, size, ink, ref)
                                                                    : NULL;
}

/* ---- lines and areas --------------------------------------------------------------------------------------------- */

static tacItem *addBox(
    tacDrawing *d, tacItemKind kind, tacLayer layer, float x0, float y0, float x1, float y1, tacRef ref) {
    tacItem *item = tacDisplayAdd(d->display, kind, layer);
    if (item) {
        setRef(item, ref);
        item->x0 = x0, item->y0 = y0, item->x1 = x1, item->y1 = y1;
    }
    return item;
}

tacItem *tacAddLine(
    tacDrawing *d, tacLayer layer, float x0, float y0, float x1, float y1, float width, uint32_t ink, tacRef ref) {
    tacItem *item = addBox(d, TAC_ITEM_LINE, layer, x0, y0, x1, y1, ref);
    if (item) {
        item->width = width;
        item->ink = ink;
    }
    return item;
}

tacItem *tacAddRect(tacDrawing *d, tacLayer layer, float x0, float y0, float x1, float y1, uint32_t fill, tacRef ref) {
    tacItem *item = addBox(d, TAC_ITEM_RECT, layer, x0, y0, x1, y1, ref);
    if (item) item->fill = fill;
    return item;
}

/* ---- lists of rows ----------------------------------------------------------------------------------------------- */

/* First place in [low, n) whose time is at or after `time`; with `after`, after it. */
static size_t findFrom(const tacStore *store, const uint32_t *rows, size_t low, size_t n, int64_t time, bool after) {
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        int64_t at = tacRowTime(store, rows[middle]);
        if (at < time || (after && at == time)) low = middle + 1;
        else n = middle;
    }
    return low;
}

size_t tacListFind(const tacStore *store, const uint32_t *rows, size_t n, int64_t time) {
    return findFrom(store, rows, 0, n, time, false);
}

size_t tacListFindAfter(const tacStore *store, const uint32_t *rows, size_t n, int64_t time) {
    return findFrom(store, rows, 0, n, time, true);
}

/* Searches in growing steps, since groups are short compared with the list. */
size_t tacListGroup(const tacDrawing *d, const uint32_t *rows, size_t n, size_t at, double distance) {
    double x = tacScaleX(&d->scale, tacRowTime(d->store, rows[at]));
    size_t step = 1, low = at + 1;
    while (at + step < n && tacScaleX(&d->scale, tacRowTime(d->store, rows[at + step])) - x < distance) {
        low = at + step + 1;
        step *= 2;
    }
    size_t high = at + step < n ? at + step : n;
    return tacPast(size_t, low, high, i, tacScaleX(&d->scale, tacRowTime(d->store, rows[i])) - x < distance);
}

/* ---- a view in tiles --------------------------------------------------------------------------------------------- */

tacTiled tacTiledOf(const tacDrawing *d, double width, tacTileKey key) {
    tacTiled view = {.key = key};
    view.key.level = tacTileLevel(width / d->scale.perTick);
    view.first = tacTileBin(d->scale.from, view.key.level);
    view.end = tacTileBin(d->scale.to - 1, view.key.level) + 1;
    view.width = ldexp(d->scale.perTick, view.key.level);
    view.x = d->scale.x0 + tacTicksBetween(d->scale.from, tacTileTime(view.first, view.key.level)) * d->scale.perTick;
    return view;
}

void *tacTiledNext(tacDrawing *d, tacTiled *view, int64_t *at, size_t size, int *from, int *to, bool *fresh) {
    view->key.index = *at >> TAC_TILE_SHIFT;
    *from = (int) (*at & (TAC_TILE_BINS - 1));
    *to = view->end - *at < TAC_TILE_BINS - *from ? *from + (int) (view->end - *at) : TAC_TILE_BINS;
    *at += *to - *from;
    void *bins = tacTilesGet(d->tiles, &view->key, size, fresh);
    d->display->failed |= !bins;
    return bins;
}

/* ---- times and tasks --------------------------------------------------------------------------------------------- */

float tacX(const tacDrawing *d, int64_t time) { return (float) tacScaleX(&d->scale, time); }

/* What only ends where the range begins, or begins where it ends, is outside, unless it has no length. */
bool tacVisible(const tacDrawing *d, int64_t begin, int64_t end) {
    if (begin == end) return begin >= d->scale.from && begin <= d->scale.to;
    return end > d->scale.from && begin < d->scale.to;
}

bool tacNotInRow(const tacDrawing *d, const tacFigureRow *row, uint32_t task) {
    uint16_t sole = d->rows->soleProcessor ? d->rows->soleProcessor[task] : TAC_NO_PROCESSOR;
    return (d->tasksHidden && d->tasksHidden[task]) || (sole != TAC_NO_PROCESSOR && sole != row->owner);
}

bool tacJobHidden(const tacDrawing *d, uint32_t jobId) {
    return d->jobIgnored && (d->jobIgnored[jobId / 32] >> jobId % 32 & 1);
}

bool tacJobIndexHidden(const tacDrawing *d, uint32_t job) {
    return d->jobIgnored && tacJobHidden(d, d->model->jobs.at[job].id);
}

/* The colour of a task that has none of its own; where rows are processors, tasks must still be told apart. */
static uint32_t defaultColor(const tacDrawing *d, uint32_t task) {
    const tacObject *object = &d->store->objects[TAC_TASK].at[task];
    if (object->isr && !(d->style.grayscale && d->rows->mode == TAC_PROCESSORS_COLLAPSED)) return d->style.isr;
    return d->rows->mode == TAC_PROCESSORS_COLLAPSED ? tacStylePalette(&d->style, task) : d->style.active;
}

uint32_t tacTaskColor(tacDrawing *d, uint32_t task) {
    if (d->taskColors[task] == TAC_NO_COLOR) {
        bool byLevel = d->style.grayscale && d->rows->mode == TAC_PROCESSORS_COLLAPSED; /* their own colours may be
                                                                                           equally light */
        const char *text = byLevel ? NULL : tacObjectText(d->store, TAC_TASK, task, TAC_OPT_COLOR);
        d->taskColors[task] = tacStyleParse(
            &d->style, text, defaultColor(d, task), d->store->objects[TAC_TASK].at[task].line, d->diag);
    }
    return d->taskColors[task];
}
