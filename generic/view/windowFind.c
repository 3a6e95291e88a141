/*
 * windowFind.c -- the item or row at a place of a frame, and the place of a row.
 *
 * Everything within `slack` points of the place is a candidate. What is thin (lines, marks, narrow bars, texts) goes
 * before an area that the place is in, and that before an area beside it; lines of rows and axis are last. Among equals
 * the nearest is found, of several at one distance the topmost. Decoration is never found.
 */
#include "base/port.h"

#include "base/search.h"
#include "view/windowPart.h"

#include <math.h>

static const float far = 1e6f; /* points: not at all */

/* Distance of a place from a box, points; 0 within it. */
static float boxDistance(const tacBox *box, float x, float y) {
    float wide = fmaxf(fmaxf(box->x0 - x, x - box->x1), 0), high = fmaxf(fmaxf(box->y0 - y, y - box->y1), 0);
    return hypotf(wide, high);
}

static float textDistance(const tacFrame *frame, const tacDisplay *display, const tacItem *item, float x, float y) {
    size_t length;
    const char *text = tacInternName(&display->texts, item->text, &length);
    float half = 0.6f * item->width, middle = item->middle ? item->y0 : item->y0 - 0.35f * item->width;
    if (y < middle - half || y > middle + half) return far;
    float width = frame->measure.width(frame->measure.data, text, length, item->width, item->bold, NULL, NULL);
    float left = item->x0
        - (item->anchor == TAC_ANCHOR_LEFT          ? 0
                : item->anchor == TAC_ANCHOR_CENTER ? width / 2
                                                    : width);
    return x >= left && x <= left + width ? 0 : far;
}

/* Distance from a curve within `reach`, or 0 inside an area, by the even-odd rule. */
static float pathDistance(const tacDisplay *display, const tacItem *item, float x, float y, float reach) {
    const tacPoint *points = display->points.at + item->first;
    bool inside = false;
    float nearest = far;
    for (uint32_t i = 0; i < item->count; i++) {
        tacPoint a = points[i], b = points[i ? i - 1 : item->count - 1];
        if (isnan(a.x) || isnan(b.x)) continue;
        if (item->fill == TAC_NO_COLOR) {
            if (i && fabsf(a.x - x) < reach + fabsf(a.x - b.x))
                nearest = fminf(nearest, tacLineDistance(x, y, a.x, a.y, b.x, b.y) - item->width / 2);
        } else if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) {
            inside = !inside;
        }
    }
    return inside ? 0 : fmaxf(nearest, 0);
}

/* Distance to the left or right from the nearest column of a band, at any height of the band. */
static float bandDistance(const tacDisplay *display, const tacItem *item, float x, float y, float reach) {
    const tacPoint *points = display->points.at + item->first;
    float nearest = far;
    if (x < item->x0 - reach || x > item->x1 + reach || y < item->y0 || y > item->y1) return far;
    for (uint32_t i = 1; i < item->count; i++)
        if (points[i].x > points[i - 1].x)
            nearest = fminf(nearest, fmaxf(fmaxf(points[i - 1].x - x, x - points[i].x), 0));
    return nearest;
}

static float distanceOf(
    const tacFrame *frame, const tacDisplay *display, const tacItem *item, float x, float y, float reach) {
    tacBox box;
    switch (item->kind) {
    case TAC_ITEM_RECT: box = tacRectBox(item); return boxDistance(&box, x, y);
    case TAC_ITEM_LINE:
        return fmaxf(0, tacLineDistance(x, y, item->x0, item->y0, item->x1, item->y1) - item->width / 2);
    case TAC_ITEM_SHAPE: return fmaxf(0, hypotf(x - item->x0, y - item->y0) - item->x1 / 2);
    case TAC_ITEM_TEXT: return textDistance(frame, display, item, x, y);
    case TAC_ITEM_PATH:
        if (item->band) return bandDistance(display, item, x, y, reach);
        return pathDistance(display, item, x, y, reach);
    default: return far;
    }
}

typedef enum Rank { THIN, INSIDE, BESIDE, GROUND } Rank; /* of what is near a place: the first wins */

/* Lines of the axis and of the rows themselves are the ground on which all else stands. A thing is thin if it would be
 * hard to hit without a tolerance; a mark for many things says less than one of them. */
static Rank rankOf(const tacItem *item, float distance, float slack) {
    bool isThing = item->refKind != TAC_REF_AXIS && item->refKind != TAC_REF_TASK && item->refKind != TAC_REF_PROCESSOR
        && item->refKind != TAC_REF_SERVER && item->refKind != TAC_REF_BUFFER;
    if (item->kind == TAC_ITEM_TEXT) return THIN;
    if (!isThing) return GROUND;
    bool isThin = item->kind == TAC_ITEM_RECT ? item->x1 - item->x0 < 2 * slack
                                              : item->kind != TAC_ITEM_PATH || item->fill == TAC_NO_COLOR;
    return isThin && !tacRefIsMerged(item->refKind) ? THIN : distance > 0 ? BESIDE : INSIDE;
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
    const tacItem *found = NULL;
    float nearest = far;
    Rank best = GROUND;
    for (size_t i = display->items.count; i-- > 0;) {
        const tacItem *item = &display->items.at[i];
        if (item->refKind == TAC_REF_NONE) continue;
        float distance = distanceOf(frame, display, item, x, y, slack);
        if (distance > slack) continue;
        Rank rank = rankOf(item, distance, slack);
        if (found && (rank > best || (rank == best && distance >= nearest))) continue;
        found = item, nearest = distance, best = rank;
    }
    return found;
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

bool tacFrameSeenBox(const tacWindow *window, const tacFrame *frame, const tacWindowRow *row, tacBox *box) {
    if (tacFrameRowBox(window, frame, row, box)) return true;
    const tacBox *part = &frame->boxes[TAC_PART_ROWS];
    float origin = part->y0 - frame->scroll;
    for (uint32_t i = row->hidden || row->filtered ? TAC_NONE : row->group; i != TAC_NONE;
         i = window->groups.at[i].parent) {
        const tacWindowGroup *group = &window->groups.at[i];
        if (!group->folded || group->bottom <= group->top) continue;
        *box = (tacBox){part->x0, origin + group->bar, part->x1, origin + group->bottom};
        return true;
    }
    return false;
}
