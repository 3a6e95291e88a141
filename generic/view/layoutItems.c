/*
 * layoutItems.c -- helpers of all parts of layout: adding items to the display, measuring and cutting text, lists of
 * events in steps of points, the tiles of a view, places of times, and hidden jobs.
 */
#include "base/port.h"

#include "base/search.h"
#include "view/layout.h"
#include "view/maths.h"
#include "view/utf8.h"

#include <math.h>
#include <string.h>
#include <time.h>

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

enum { CUT_MOST = 500 }; /* bytes that are kept of a text, at most */

/* Cuts a text with mathematics. False: fewer than two characters are left. */
static bool cutMaths(
    const tacDrawing *d, const char *text, float width, float share, float size, bool bold, char *out, size_t outSize) {
    tacText cut = {0};
    size_t left = tacFittingMaths(d->measure, text, width, share, outSize - 1, size, bold, &cut);
    bool fits = !cut.failed && cut.at && cut.length < outSize;
    memcpy(out, fits ? cut.at : TAC_ELLIPSIS, fits ? cut.length + 1 : sizeof TAC_ELLIPSIS);
    tacTextFree(&cut);
    return fits && left >= 2;
}

bool tacCutText(const tacDrawing *d, const char *text, float width, float size, bool bold, char *out, size_t outSize) {
    size_t length = strlen(text), room = outSize - sizeof TAC_ELLIPSIS;
    room = room < CUT_MOST ? room : CUT_MOST;
    if (length <= room && d->measure->width(d->measure->data, text, length, size, bold, NULL, NULL) <= width) {
        memcpy(out, text, length + 1);
        return true;
    }
    if (tacMathsIn(text, length)) return cutMaths(d, text, width, 0, size, bold, out, outSize);
    float dots = tacTextWidth(d, TAC_ELLIPSIS, size, bold);
    size_t fits = tacFittingLength(d->measure, text, length < room ? length : room, width - dots, size, bold);
    while (fits > 0 && text[fits - 1] == ' ') fits--;
    memcpy(out, text, fits);
    memcpy(out + fits, TAC_ELLIPSIS, sizeof TAC_ELLIPSIS);
    return fits >= 2;
}

/* Begin of the longest end of the text that is no wider than `width`, of at most so many bytes, in whole characters and
 * not with a blank. */
static size_t fittingTail(const tacDrawing *d, const char *text, size_t length, size_t most, float width, float size) {
    size_t tail = length;
    for (size_t at = length; at > 0 && length - at < most;) {
        at--;
        if (tacUtf8Continues(text[at])) continue;
        if (tacTextWidth(d, text + at, size, false) > width) break;
        tail = text[at] == ' ' ? tail : at;
    }
    return tail;
}

/* Does what tacCutText does, but with the ellipsis before the text's end if there is room, since names that begin alike
 * differ at the end. */
static bool cutMiddle(const tacDrawing *d, const char *text, float width, float size, char *out, size_t outSize) {
    char head[CUT_MOST + 1];
    size_t length = strlen(text);
    if (length > CUT_MOST || width < 6 * size || tacTextWidth(d, text, size, false) <= width)
        return tacCutText(d, text, width, size, false, out, outSize);
    if (tacMathsIn(text, length)) return cutMaths(d, text, width, 0.4f, size, false, out, outSize);
    size_t tail = fittingTail(d, text, length, outSize / 2, 0.4f * width, size), rest = length - tail + 1;
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
    if (!tacCutText(d, text, width, size, false, cut, sizeof cut)) return NULL;
    return tacAddText(d, cut, x, y, anchor, size, ink, ref);
}

/* ---- lines of text ----------------------------------------------------------------------------------------------- */

/* Is the character before i, a point, say, within a number? */
static bool isWithinNumber(const char *name, size_t i) {
    return name[i - 1] != ' ' && name[i - 2] >= '0' && name[i - 2] <= '9' && name[i] >= '0' && name[i] <= '9';
}

/* Length of the longest beginning of the name that is no wider than `width` and ends behind a blank or a joining
 * character; 0: none. */
static size_t lineLength(const tacDrawing *d, const char *name, float width, float size) {
    size_t best = 0, length = strlen(name);
    bool maths = tacMathsIn(name, length);
    for (size_t i = 1; i < length && i < 250; i++) {
        size_t shown = name[i - 1] == ' ' ? i - 1 : i;
        bool joint = i > 1 && strchr(" _-/:.", name[i - 1]) && !isWithinNumber(name, i)
            && !(maths && !tacMathsCutAt(name, length, i));
        if (joint && d->measure->width(d->measure->data, name, shown, size, false, NULL, NULL) <= width) best = i;
    }
    return best;
}

/* The name's width; for a name of thousands of characters, that of its beginning if that is beyond `width` already. */
static float widthUpTo(const tacDrawing *d, const char *name, float width, float size) {
    enum { START = 500 };
    size_t length = strnlen(name, START + 1), start = START;
    while (length > START && tacUtf8Continues(name[start])) start--;
    float begin = length > START ? d->measure->width(d->measure->data, name, start, size, false, NULL, NULL) : 0;
    return begin > width ? begin : tacTextWidth(d, name, size, false);
}

bool tacFillLines(const tacDrawing *d, const char *name, float width, int most, float size, tacLines *lines) {
    lines->width = 0;
    for (lines->n = 0; *name;) {
        float whole = widthUpTo(d, name, width, size);
        size_t kept = whole > width && lines->n + 1 < most ? lineLength(d, name, width, size) : 0;
        char *line = lines->text[lines->n++], part[256];
        if (kept == 0) {
            cutMiddle(d, name, width, size, line, sizeof lines->text[0]);
            lines->width = fmaxf(lines->width, fminf(whole, width));
            return whole <= width;
        }
        memcpy(part, name, kept);
        part[kept - (name[kept - 1] == ' ')] = 0;
        tacCutText(d, part, width, size, false, line, sizeof lines->text[0]);
        lines->width = fmaxf(lines->width, tacTextWidth(d, line, size, false));
        name += kept;
    }
    return true;
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

size_t tacListFind(const tacStore *store, const uint32_t *rows, size_t n, int64_t time) {
    return tacPast(size_t, 0, n, i, tacRowTime(store, rows[i]) < time);
}

size_t tacListFindAfter(const tacStore *store, const uint32_t *rows, size_t n, int64_t time) {
    return tacPast(size_t, 0, n, i, tacRowTime(store, rows[i]) <= time);
}

size_t tacListGroup(const tacDrawing *d, const uint32_t *rows, size_t n, size_t at, double distance) {
    double x = tacScaleX(&d->scale, tacRowTime(d->store, rows[at]));
    return tacPastNear(size_t, at + 1, n, i, tacScaleX(&d->scale, tacRowTime(d->store, rows[i])) - x < distance);
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

double tacLayoutClock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

/* The first tile is filled in any case, so that the next frames come to an end, and some hundred if it takes half a
 * millisecond longer at most: small traces are drawn at once. */
bool tacLayoutLate(tacDrawing *d) {
    enum { FAVOURED = 100 };
    const double longer = 0.5;
    if (!(d->until > 0)) return false;
    uint32_t before = d->filled++;
    if (before == 0 || tacLayoutClock() < d->until + (before < FAVOURED ? longer : 0)) return false;
    d->unfinished = true;
    return true;
}

void *tacTiledNext(tacDrawing *d, tacTiled *view, int64_t *at, size_t size, int *from, int *to, bool *fresh) {
    view->key.index = *at >> TAC_TILE_SHIFT;
    *from = (int) (*at & (TAC_TILE_BINS - 1));
    *to = view->end - *at < TAC_TILE_BINS - *from ? *from + (int) (view->end - *at) : TAC_TILE_BINS;
    *at += *to - *from;
    *fresh = false;
    tacTilesPrefetch(d->tiles, &view->key);
    void *bins = tacTilesFind(d->tiles, &view->key);
    if (bins || tacLayoutLate(d)) return bins;
    *fresh = true;
    if (!size) return NULL;
    bins = tacTilesAdd(d->tiles, &view->key, size);
    d->display->failed |= !bins;
    return bins;
}

/* ---- times and tasks --------------------------------------------------------------------------------------------- */

float tacX(const tacDrawing *d, int64_t time) { return (float) tacScaleX(&d->scale, time); }

/* Distances in pixels from which on lines are seen apart, and at which they are gone; in files a pixel is 1/3 point. */
static const double apart = 12, gone = 4;

static double pixelOf(const tacDrawing *d) { return d->tiles ? d->detail : 1 / 3.0; }

double tacFade(const tacDrawing *d, double distance) {
    return fmin(fmax((distance / pixelOf(d) - gone) / (apart - gone), 0), 1);
}

double tacCrowdDistance(const tacDrawing *d, const tacCrowdPlace *places, size_t n, size_t i) {
    double reach = apart * pixelOf(d), count = places[i].count;
    for (size_t k = i; k-- > 0 && places[i].x - places[k].x <= reach;) count += places[k].count;
    for (size_t k = i + 1; k < n && places[k].x - places[i].x <= reach; k++) count += places[k].count;
    return 2 * reach / fmax(count, 2);
}

/* A stretch that only touches the range is outside, unless it has no length. */
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
