/*
 * windowFind.c -- the item or row at a place of a frame, and the place of a row.
 *
 * Items are tried from the last one drawn to the first, so that the topmost is found. An area is found where the place
 * is in it, a line or mark also `slack` points beside it. Decoration is never found.
 */
#include "base/port.h"

#include "base/search.h"
#include "view/windowPart.h"

#include <math.h>

static bool onText(const tacFrame *frame, const tacDisplay *display, const tacItem *item, float x, float y) {
    size_t length;
    const char *text = tacInternName(&display->texts, item->text, &length);
    float half = 0.6f * item->width, middle = item->middle ? item->y0 : item->y0 - 0.35f * item->width;
    if (y < middle - half || y > middle + half) return false;
    float width = frame->measure.width(frame->measure.data, text, length, item->width, item->bold, NULL, NULL);
    float left = item->x0
        - (item->anchor == TAC_ANCHOR_LEFT          ? 0
                : item->anchor == TAC_ANCHOR_CENTER ? width / 2
                                                    : width);
    return x >= left && x <= left + width;
}

/* Is the place inside an area, by the even-odd rule, or near a curve? */
static bool onPath(const tacDisplay *display, const tacItem *item, float x, float y, float slack) {
    const tacPoint *points = display->points.at + item->first;
    bool inside = false;
    for (uint32_t i = 0; i < item->count; i++) {
        tacPoint a = points[i], b = points[i ? i - 1 : item->count - 1];
        if (isnan(a.x) || isnan(b.x)) continue;
        if (item->fill == TAC_NO_COLOR) {
            if (i && fabsf(a.x - x) < slack + fabsf(a.x - b.x)
                && tacLineDistance(x, y, a.x, a.y, b.x, b.y) <= slack + item->width / 2)
                return true;
        } else if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) {
            inside = !inside;
        }
    }
    return inside;
}

static bool isAt(const tacFrame *frame, const tacDisplay *display, const tacItem *item, float x, float y, float slack) {
    tacBox box;
    switch (item->kind) {
    case TAC_ITEM_RECT:
        box = tacRectBox(item);
        slack = item->x1 - item->x0 < slack ? slack / 2 : 0; /* for narrow rectangles only */
        return x >= box.x0 - slack && x <= box.x1 + slack && y >= box.y0 - slack && y <= box.y1 + slack;
    case TAC_ITEM_LINE: return tacLineDistance(x, y, item->x0, item->y0, item->x1, item->y1) <= slack + item->width / 2;
    case TAC_ITEM_SHAPE: return hypotf(x - item->x0, y - item->y0) <= item->x1 / 2 + slack;
    case TAC_ITEM_TEXT: return onText(frame, display, item, x, y);
    case TAC_ITEM_PATH: return onPath(display, item, x, y, slack);
    default: return false;
    }
}

/* The part at a place, or -1. */
static int partAt(const tacFrame *frame, float x, float y) {
    for (int part = 0; part < TAC_PARTS; part++) {
        const tacBox *box = &frame->boxes[part];
        if (x >= box->x0 && x < box->x1 && y >= box->y0 && y < box->y1) return part;
    }
    return -1;
}

const tacItem *tacFrameItem(const tacFrame *frame, float x, float y, float slack) {
    int part = partAt(frame, x, y);
    if (part < 0) return NULL;
    const tacDisplay *display = &frame->parts[part];
    for (size_t i = display->items.count; i-- > 0;) {
        const tacItem *item = &display->items.at[i];
        if (item->refKind != TAC_REF_NONE && isAt(frame, display, item, x, y, slack)) return item;
    }
    return NULL;
}

tacWindowRow *tacFrameRow(const tacWindow *window, const tacFrame *frame, float y) {
    int part = window->cache ? partAt(frame, frame->boxes[TAC_PART_ROWS].x0, y) : -1;
    if (part < 0 || part == TAC_PART_AXIS) return NULL;
    const tacPlacedList *shown = &window->cache->shown[part];
    float at = y - frame->boxes[part].y0 + (part == TAC_PART_ROWS ? frame->scroll : 0);
    size_t low = tacPast(size_t, 0, shown->count, i, shown->at[i].bottom <= at);
    if (low == shown->count || at < shown->at[low].top) return NULL;
    return &window->order.at[window->cache->placeOf.at[shown->at[low].row]];
}

bool tacFrameRowBox(const tacWindow *window, const tacFrame *frame, const tacWindowRow *row, tacBox *box) {
    (void) window;
    if (row->bottom <= row->top) return false;
    const tacBox *part = &frame->boxes[row->pinned ? TAC_PART_PINNED : TAC_PART_ROWS];
    float origin = part->y0 - (row->pinned ? 0 : frame->scroll);
    *box = (tacBox){part->x0, origin + row->top, part->x1, origin + row->bottom};
    return true;
}
