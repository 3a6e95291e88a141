/*
 * sheet.c -- makes things that scripts draw into items of a display list, cut to the clip.
 *
 * Lines are cut by Liang and Barsky's parameters (ACM Trans. Graph. 3, 1984), areas edge by edge of the clip by
 * Sutherland and Hodgman's walk (Comm. ACM 17, 1974). Coordinates are doubles until here and are kept within the
 * numbers of cairo, where those of a script would wrap around.
 */
#include "base/port.h"

#include "view/maths.h"
#include "view/sheet.h"

#include <math.h>
#include <string.h>

#define FAR_AWAY 1e5 /* points: the furthest place */

static const tacBox everything = {-1e5f, -1e5f, 1e5f, 1e5f};

/* ---- the sheet -------------------------------------------------------------------------------------------------- */

void tacSheetInit(tacSheet *sheet) {
    *sheet = (tacSheet){.x = {0, 1, 0, 1, false}, .y = {0, 1, 0, 1, false}};
    tacDisplayInit(&sheet->display);
}

void tacSheetClear(tacSheet *sheet) {
    sheet->display.items.count = sheet->display.points.count = 0;
    sheet->display.failed = sheet->clipped = sheet->finished = false;
    tacInternFree(&sheet->display.texts);
    tacInternFree(&sheet->tags);
}

void tacSheetFree(tacSheet *sheet) {
    tacDisplayFree(&sheet->display);
    tacInternFree(&sheet->tags);
    *sheet = (tacSheet){.clipped = false};
}

tacLook tacLookDefault(void) {
    return (tacLook){.fill = TAC_NO_COLOR,
        .ink = TAC_NO_COLOR,
        .outline = TAC_NO_COLOR,
        .layer = -1,
        .width = 0.5f,
        .tag = TAC_NONE};
}

uint32_t tacSheetTag(tacSheet *sheet, const char *tag, size_t length) {
    uint32_t id = tacIntern(&sheet->tags, tag, length);
    if (id == TAC_NONE) sheet->display.failed = true;
    return id;
}

const char *tacSheetTagName(const tacSheet *sheet, uint32_t tag) {
    return tag < tacInternCount(&sheet->tags) ? tacInternName(&sheet->tags, tag, NULL) : "";
}

const tacDisplay *tacSheetDisplay(tacSheet *sheet) {
    if (!sheet->finished) tacDisplayFinish(&sheet->display);
    sheet->finished = true;
    return &sheet->display;
}

/* ---- maps ------------------------------------------------------------------------------------------------------- */

/* A place within cairo's numbers; NaN is far away. */
static double within(double place) {
    return place < -FAR_AWAY ? -FAR_AWAY : place > FAR_AWAY ? FAR_AWAY : isnan(place) ? -FAR_AWAY : place;
}

double tacMapPlace(const tacMap *map, double value) {
    double share = map->log ? log(value / map->from) / log(map->to / map->from)
                            : (value - map->from) / (map->to - map->from);
    if (map->log && !(value > 0)) share = map->to > map->from ? -INFINITY : INFINITY;
    if (isinf(share)) return within((share > 0) == (map->end > map->at) ? INFINITY : -INFINITY);
    return within(map->at + share * (map->end - map->at));
}

double tacMapValue(const tacMap *map, double place) {
    double share = (place - map->at) / (map->end - map->at);
    return map->log ? map->from * pow(map->to / map->from, share) : map->from + share * (map->to - map->from);
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static tacItem *add(tacSheet *sheet, tacItemKind kind, const tacLook *look) {
    static const tacLayer layers[] = {[TAC_ITEM_RECT] = TAC_LAYER_BARS,
        [TAC_ITEM_LINE] = TAC_LAYER_LINES,
        [TAC_ITEM_PATH] = TAC_LAYER_LINES,
        [TAC_ITEM_TEXT] = TAC_LAYER_TEXT,
        [TAC_ITEM_SHAPE] = TAC_LAYER_ARROWS};
    tacItem *item = tacDisplayAdd(&sheet->display, kind, look->layer < 0 ? layers[kind] : (tacLayer) look->layer);
    sheet->finished = false;
    if (!item) return NULL;
    item->fill = look->fill;
    item->ink = look->ink;
    item->outline = look->outline;
    item->pattern = (uint8_t) look->pattern;
    item->dash = (uint8_t) look->dash;
    item->width = look->width;
    if (look->tag == TAC_NONE) return item;
    item->refKind = TAC_REF_DRAWN;
    item->index = look->tag;
    return item;
}

static tacBox clipOf(const tacSheet *sheet) { return sheet->clipped ? sheet->clip : everything; }

/* Is the place in the clip, or on its edge but for rounding? */
static bool isInside(tacBox clip, double x, double y) {
    double rounding = 0.001;
    return x >= clip.x0 - rounding && x <= clip.x1 + rounding && y >= clip.y0 - rounding && y <= clip.y1 + rounding;
}

static void setCorners(tacItem *item, double x0, double y0, double x1, double y1) {
    item->x0 = (float) x0, item->y0 = (float) y0, item->x1 = (float) x1, item->y1 = (float) y1;
}

/* ---- rectangles ------------------------------------------------------------------------------------------------- */

static void order(double *low, double *high) {
    if (*low <= *high) return;
    double swap = *low;
    *low = *high;
    *high = swap;
}

/* A rectangle without width is a hairline; one with a width that only touches the clip is left out. */
void tacSheetRect(tacSheet *sheet, const tacLook *look, double x0, double y0, double x1, double y1) {
    tacBox clip = clipOf(sheet);
    x0 = within(x0), y0 = within(y0), x1 = within(x1), y1 = within(y1);
    order(&x0, &x1);
    order(&y0, &y1);
    if (x1 < clip.x0 || x0 > clip.x1 || y1 < clip.y0 || y0 > clip.y1) return;
    if ((x1 > x0 && (x1 == clip.x0 || x0 == clip.x1)) || (y1 > y0 && (y1 == clip.y0 || y0 == clip.y1))) return;
    tacItem *item = add(sheet, TAC_ITEM_RECT, look);
    if (item) setCorners(item, fmax(x0, clip.x0), fmax(y0, clip.y0), fmin(x1, clip.x1), fmin(y1, clip.y1));
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

typedef struct Piece {
    double x0, y0, x1, y1;
} Piece;

/* Cuts a line by one edge. room: its distance from the edge at its begin; step: its way towards the edge. False:
 * nothing is left. */
static bool cutEdge(double step, double room, double *first, double *last) {
    if (step == 0) return room >= 0;
    double at = room / step;
    if (step < 0 && at > *first) *first = at;
    if (step > 0 && at < *last) *last = at;
    return *first <= *last;
}

static bool cutLine(tacBox clip, Piece *p) {
    double dx = p->x1 - p->x0, dy = p->y1 - p->y0, first = 0, last = 1;
    if (!cutEdge(-dx, p->x0 - clip.x0, &first, &last) || !cutEdge(dx, clip.x1 - p->x0, &first, &last)
        || !cutEdge(-dy, p->y0 - clip.y0, &first, &last) || !cutEdge(dy, clip.y1 - p->y0, &first, &last))
        return false;
    Piece cut = {p->x0 + first * dx, p->y0 + first * dy, p->x0 + last * dx, p->y0 + last * dy};
    if (last == 1) cut.x1 = p->x1, cut.y1 = p->y1;
    *p = cut;
    return true;
}

/* A line has an arrow head where the tip is in the clip. */
void tacSheetLine(tacSheet *sheet, const tacLook *look, double x0, double y0, double x1, double y1) {
    tacBox clip = clipOf(sheet);
    Piece piece = {within(x0), within(y0), within(x1), within(y1)}, whole = piece;
    if (!cutLine(clip, &piece)) return;
    tacItem *item = add(sheet, TAC_ITEM_LINE, look);
    if (!item) return;
    setCorners(item, piece.x0, piece.y0, piece.x1, piece.y1);
    item->heads = (uint8_t) look->heads;
    if (!isInside(clip, whole.x0, whole.y0)) item->heads &= (uint8_t) ~TAC_HEADS_FIRST;
    if (!isInside(clip, whole.x1, whole.y1)) item->heads &= (uint8_t) ~TAC_HEADS_LAST;
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

static void addPoint(tacSheet *sheet, double x, double y) {
    tacPoint point = {(float) x, (float) y};
    if (!tacArrayPush(&sheet->display.points, point)) sheet->display.failed = true;
}

static void addPath(tacSheet *sheet, const tacLook *look, size_t first) {
    size_t count = sheet->display.points.count - first;
    if (count < 2 || sheet->display.failed) {
        sheet->display.points.count = first;
        return;
    }
    tacItem *item = add(sheet, TAC_ITEM_PATH, look);
    if (!item) return;
    item->first = (uint32_t) first;
    item->count = (uint32_t) count;
}

/* Adds the pieces of a line that lie inside, with a gap wherever it is outside. */
static void addCurve(tacSheet *sheet, const tacLook *look, const tacPoint *points, size_t n) {
    size_t first = sheet->display.points.count;
    tacBox clip = clipOf(sheet);
    bool joined = false;
    for (size_t i = 0; i + 1 < n; i++) {
        Piece piece = {within(points[i].x), within(points[i].y), within(points[i + 1].x), within(points[i + 1].y)},
              whole = piece;
        bool gap = isnan(points[i].x) || isnan(points[i + 1].x) || !cutLine(clip, &piece);
        if (gap) {
            joined = false;
            continue;
        }
        if (!joined && sheet->display.points.count > first) addPoint(sheet, NAN, NAN);
        if (!joined) addPoint(sheet, piece.x0, piece.y0);
        addPoint(sheet, piece.x1, piece.y1);
        joined = piece.x1 == whole.x1 && piece.y1 == whole.y1;
    }
    addPath(sheet, look, first);
}

/* Distance of a point from an edge of the clip (left, right, top, bottom), positive inside. */
static double insideBy(tacBox clip, int edge, tacPoint p) {
    switch (edge) {
    case 0: return p.x - clip.x0;
    case 1: return clip.x1 - p.x;
    case 2: return p.y - clip.y0;
    default: return clip.y1 - p.y;
    }
}

typedef TAC_ARRAY(tacPoint) Corners;

/* Cuts an area by one edge. False: no memory. */
static bool cutArea(tacBox clip, int edge, const Corners *from, Corners *to) {
    to->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        tacPoint a = from->at[i], b = from->at[(i + 1) % from->count];
        double inA = insideBy(clip, edge, a), inB = insideBy(clip, edge, b);
        if (inA >= 0 && !tacArrayPush(to, a)) return false;
        if ((inA >= 0) == (inB >= 0)) continue;
        double share = inA / (inA - inB);
        tacPoint cut = {(float) (a.x + share * (b.x - a.x)), (float) (a.y + share * (b.y - a.y))};
        if (!tacArrayPush(to, cut)) return false;
    }
    return true;
}

static void addArea(tacSheet *sheet, const tacLook *look, const tacPoint *points, size_t n) {
    size_t first = sheet->display.points.count;
    Corners corners[2] = {{0}, {0}};
    bool done = tacArrayReserve(&corners[0], n);
    for (size_t i = 0; done && i < n; i++)
        corners[0].at[corners[0].count++] = (tacPoint){(float) within(points[i].x), (float) within(points[i].y)};
    for (int edge = 0; done && edge < 4; edge++)
        done = cutArea(clipOf(sheet), edge, &corners[edge % 2], &corners[(edge + 1) % 2]);
    for (size_t i = 0; done && i < corners[0].count; i++) addPoint(sheet, corners[0].at[i].x, corners[0].at[i].y);
    if (!done) sheet->display.failed = true;
    tacArrayFree(&corners[0]);
    tacArrayFree(&corners[1]);
    addPath(sheet, look, first);
}

/* A path is stroked with its ink, an area with its outline; only areas are filled. */
void tacSheetPath(tacSheet *sheet, const tacLook *look, const tacPoint *points, size_t n, bool closed) {
    tacLook own = *look;
    if (closed) own.ink = look->outline;
    else own.fill = TAC_NO_COLOR;
    own.outline = TAC_NO_COLOR;
    own.pattern = TAC_PATTERN_NONE;
    (closed ? addArea : addCurve)(sheet, &own, points, n);
}

/* ---- marks and texts -------------------------------------------------------------------------------------------- */

void tacSheetMark(tacSheet *sheet, const tacLook *look, double x, double y, const char *letter) {
    if (!isInside(clipOf(sheet), x, y)) return;
    tacItem *item = add(sheet, TAC_ITEM_SHAPE, look);
    if (!item) return;
    setCorners(item, x, y, look->size > 0 ? look->size : 4, 0);
    item->shape = (uint8_t) look->shape;
    if (look->shape == TAC_SHAPE_LETTER) item->text = tacDisplayText(&sheet->display, letter, strlen(letter));
}

static double widthOf(const tacMeasure *measure, const tacLook *look, const char *text, size_t length) {
    return measure->width(measure->data, text, length, look->size, look->bold, NULL, NULL);
}

/* Id of the longest beginning of a text that fits with an ellipsis behind it; TAC_NONE: no character does. */
static uint32_t cutText(
    tacSheet *sheet, const tacMeasure *measure, const tacLook *look, const char *text, size_t length, double most) {
    double room = most - widthOf(measure, look, TAC_ELLIPSIS, strlen(TAC_ELLIPSIS));
    bool maths = tacMathsIn(text, length);
    tacText cut = {0};
    size_t fits = maths ? tacFittingMaths(measure, text, (float) most, 0, SIZE_MAX, look->size, look->bold, &cut)
                        : tacFittingLength(measure, text, length, (float) room, look->size, look->bold);
    if (!maths) {
        tacTextAdd(&cut, text, fits);
        tacTextAddString(&cut, TAC_ELLIPSIS);
    }
    uint32_t id = cut.failed || !fits ? TAC_NONE : tacDisplayText(&sheet->display, cut.at, cut.length);
    if (cut.failed) sheet->display.failed = true;
    tacTextFree(&cut);
    return id;
}

void tacSheetText(tacSheet *sheet, const tacLook *look, double x, double y, const char *text, size_t length,
    double most, const tacMeasure *measure) {
    tacLook own = *look;
    if (!(own.size > 0)) own.size = sheet->display.fontSize;
    if (!length || !isInside(clipOf(sheet), x, y)) return;
    bool fits = !(most > 0) || widthOf(measure, &own, text, length) <= most;
    uint32_t id = fits ? tacDisplayText(&sheet->display, text, length)
                       : cutText(sheet, measure, &own, text, length, most);
    tacItem *item = id == TAC_NONE ? NULL : add(sheet, TAC_ITEM_TEXT, &own);
    if (!item) return;
    setCorners(item, x, y, 0, 0);
    item->text = id;
    item->width = own.size;
    item->anchor = (uint8_t) own.anchor;
    item->bold = own.bold;
    item->middle = own.middle;
    item->upright = own.upright;
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

/* Is the place on a stroke of the path, or in the area, by the even-odd rule? */
static bool onPath(const tacSheet *sheet, const tacItem *item, double x, double y, double slack) {
    const tacPoint *points = sheet->display.points.at + item->first;
    bool area = item->fill != TAC_NO_COLOR, inside = false;
    for (uint32_t i = 0; i < item->count; i++) {
        if (i + 1 == item->count && !area) break;
        tacPoint a = points[i], b = points[(i + 1) % item->count];
        if (isnan(a.x) || isnan(b.x)) continue;
        if (tacLineDistance(x, y, a.x, a.y, b.x, b.y) <= slack + item->width / 2) return true;
        if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    return area && inside;
}

static bool onText(const tacSheet *sheet, const tacItem *item, double x, double y, const tacMeasure *measure) {
    static const double shares[] = {[TAC_ANCHOR_LEFT] = 0, [TAC_ANCHOR_CENTER] = 0.5, [TAC_ANCHOR_RIGHT] = 1};
    size_t length;
    float ascent, descent;
    const char *text = tacInternName(&sheet->display.texts, item->text, &length);
    double width = measure->width(measure->data, text, length, item->width, item->bold, &ascent, &descent);
    tacTextPlace place = tacTextPlaceOf(item);
    double along = place.upright ? place.baseline - y : x - place.x,
           above = place.upright ? place.x - x : place.baseline - y;
    along += shares[item->anchor] * width;
    return along >= 0 && along <= width && above <= ascent && above >= -descent;
}

static bool isAt(
    const tacSheet *sheet, const tacItem *item, double x, double y, double slack, const tacMeasure *measure) {
    switch (item->kind) {
    case TAC_ITEM_RECT:
        return x >= item->x0 - slack && x <= item->x1 + slack && y >= item->y0 - slack && y <= item->y1 + slack;
    case TAC_ITEM_LINE: return tacLineDistance(x, y, item->x0, item->y0, item->x1, item->y1) <= slack + item->width / 2;
    case TAC_ITEM_SHAPE: return hypot(x - item->x0, y - item->y0) <= slack + item->x1 / 2;
    case TAC_ITEM_PATH: return onPath(sheet, item, x, y, slack);
    default: return onText(sheet, item, x, y, measure);
    }
}

const tacItem *tacSheetFind(tacSheet *sheet, double x, double y, double slack, const tacMeasure *measure) {
    const tacDisplay *display = tacSheetDisplay(sheet);
    for (size_t i = display->items.count; i-- > 0;) {
        const tacItem *item = &display->items.at[i];
        if (item->refKind == TAC_REF_DRAWN && isAt(sheet, item, x, y, slack, measure)) return item;
    }
    return NULL;
}
