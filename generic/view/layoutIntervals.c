/*
 * layoutIntervals.c -- dividers over all rows, each with its label centred between it and the next.
 *
 * The labels have a strip of their own above the axis. A label that is wider than its interval begins with it, and
 * reaches into neighbours that have none; one that still does not fit is cut with an ellipsis, or left out when not
 * even two characters fit. No label crosses a divider. Dividers are the paler the denser they are, and gone where they
 * would be a fence; a tick in the strip of labels is left of each of these.
 */
#include "base/port.h"

#include "view/layout.h"

#include <math.h>
#include <stdlib.h>

static const double mergeDistance = 1.5; /* points: dividers closer than this become one */
static const float labelMargin = 1.5f;   /* points on each side of a label */

static const char *textOf(const tacDrawing *d, uint32_t row, tacOption option) {
    return tacRowHasOptions(d->store, row) ? tacRowText(d->store, row, option) : NULL;
}

static uint32_t inkOf(const tacDrawing *d, uint32_t row) {
    return tacStyleInk(&d->style,
        tacStyleParse(&d->style, textOf(d, row, TAC_OPT_COLOR), d->style.ink, tacRowLine(d->store, row), d->diag));
}

/*
 * A label and its place: centred in [x0, x1] if it fits there. Else it may reach into neighbours that have no label,
 * and the dividers that it would cross end above the strip of labels.
 */
typedef struct Label {
    uint32_t row;
    float x0, x1;      /* its interval */
    float left, right; /* of its text */
    float width;       /* of its text */
} Label;

enum { LABELS_MOST = 200 }; /* with more, none reaches out of its interval */

typedef struct Labels {
    Label at[LABELS_MOST];
    int count;
} Labels;

/* The label of an interval; NULL: it has none. */
static const char *messageOf(const tacDrawing *d, uint32_t row) {
    const char *text = textOf(d, row, TAC_OPT_MESSAGE);
    return text && *text ? text : NULL;
}

/* Place of the first interval to be drawn: the last one that begins before the range, since it reaches into it. */
static size_t firstInterval(const tacDrawing *d) {
    size_t at = tacListFind(d->store, d->model->intervals.at, d->model->intervals.count, d->scale.from);
    return at > 0 ? at - 1 : 0;
}

/* Collects the labels in the range, as many as are kept; they are not placed yet. */
static void collect(tacDrawing *d, size_t at, size_t end, Labels *strip) {
    const uint32_t *list = d->model->intervals.at;
    strip->count = 0;
    while (at < end) {
        size_t next = tacListGroup(d, list, end, at, mergeDistance);
        const char *text = messageOf(d, list[next - 1]);
        if (text && strip->count == LABELS_MOST) {
            d->labelsLeftOut++;
        } else if (text) {
            float x0 = tacX(d, tacRowTime(d->store, list[next - 1])),
                  x1 = next < d->model->intervals.count ? tacX(d, tacRowTime(d->store, list[next])) : d->right,
                  width = tacTextWidth(d, text, d->style.smallSize, false);
            strip->at[strip->count++] = (Label){list[next - 1], x0, x1, 0, 0, width};
        }
        at = next;
    }
}

/* Places all labels, each as near to the middle of its interval as can be. */
static void place(const tacDrawing *d, Labels *strip) {
    float taken = 0;
    for (int i = 0; i < strip->count; i++) {
        Label *l = &strip->at[i];
        float least = l->x0 + labelMargin, most = l->x1 - labelMargin;
        if (l->width > most - least && strip->count < LABELS_MOST) { /* it may reach into neighbours */
            least = i ? fmaxf(taken, strip->at[i - 1].x1) + 2 * labelMargin : labelMargin;
            most = i + 1 < strip->count ? strip->at[i + 1].x0 - labelMargin : d->bodyRight - labelMargin;
            least = fminf(least, l->x0 + labelMargin);
        }
        least = fmaxf(least, taken + 2 * labelMargin);
        float width = l->width < most - least ? l->width : most - least;
        l->left = (l->x0 + l->x1) / 2 - width / 2;
        if (l->left < l->x0 + labelMargin) l->left = l->x0 + labelMargin; /* so that its begin is not crossed */
        l->left = l->left < least ? least : l->left + width > most ? most - width : l->left;
        taken = l->right = l->left + width;
    }
}

/* What dividers leave out: arrows, and the paper behind names of groups and texts of annotations. Points. */
typedef struct Obstacle {
    float left, right, top, bottom;
} Obstacle;
typedef TAC_ARRAY(Obstacle) Obstacles; /* from top to bottom */

static int compareObstacles(const void *left, const void *right) {
    const Obstacle *a = left, *b = right;
    if (a->top != b->top) return a->top < b->top ? -1 : 1;
    return (a->left > b->left) - (a->left < b->left);
}

/* Is it an arrow of a release or deadline? In a window those that stand for many do not count, since they are pale. */
static bool isArrow(const tacDrawing *d, const tacItem *item) {
    bool upright = item->kind == TAC_ITEM_LINE && item->layer == TAC_LAYER_ARROWS && item->heads
        && item->x0 == item->x1;
    return upright && (item->refKind == TAC_REF_EVENT || (item->refKind == TAC_REF_MERGED && !d->tiles));
}

/* Is it paper behind a text: the name of a group, or an annotation, which is narrower than the figure's own paper? */
static bool isPaper(const tacDrawing *d, const tacItem *item) {
    if (item->kind != TAC_ITEM_RECT || item->layer > TAC_LAYER_LINES) return false;
    if (item->refKind == TAC_REF_GROUP) return item->layer == TAC_LAYER_LINES;
    return item->layer == TAC_LAYER_BACK && item->refKind == TAC_REF_NONE && item->fill == d->style.paper
        && item->x1 - item->x0 < d->width - 1;
}

/* Lists what is in the display, of whatever rows. */
static Obstacles obstaclesOf(tacDrawing *d) {
    const float near = 2.5f; /* points that a divider keeps from an arrow */
    Obstacles list = {0};
    for (size_t i = 0; i < d->display->items.count; i++) {
        const tacItem *item = &d->display->items.at[i];
        bool arrow = isArrow(d, item);
        if (!arrow && !isPaper(d, item)) continue;
        float beside = arrow ? near : 0, above = arrow ? 0 : 2; /* a divider does not begin again above it */
        Obstacle obstacle = {
            item->x0 - beside, item->x1 + beside, fminf(item->y0, item->y1) - above, fmaxf(item->y0, item->y1)};
        if (!tacArrayPush(&list, obstacle)) d->display->failed = true;
    }
    if (list.count) qsort(list.at, list.count, sizeof *list.at, compareObstacles);
    return list;
}

/* A divider, or several merged to one. */
typedef struct Divider {
    float x;
    uint32_t row, count; /* the first one, TAC_NONE if beside the view; how many */
    double strength;
} Divider;

static void addPiece(tacDrawing *d, const Divider *divider, float top, float bottom, double strength) {
    tacRef ref = {divider->count > 1 ? TAC_REF_MERGED : TAC_REF_EVENT, 0, divider->row, divider->count};
    uint32_t ink = inkOf(d, divider->row);
    if (strength < 1) ink = tacColorMix(d->style.paper, ink, strength);
    tacItem *item = tacAddLine(d, TAC_LAYER_LINES, divider->x, top, divider->x, bottom, d->style.line, ink, ref);
    if (item) item->dash = (uint8_t) d->style.intervalDash;
}

/* Draws a divider in pieces that leave out texts, and arrows beside it, since what points where would else be a riddle.
 */
static void drawDivider(tacDrawing *d, const Divider *divider, float bottom, const Obstacles *obstacles) {
    const float shortest = 3; /* points of a piece */
    float top = d->top;
    for (size_t i = 0; i <= obstacles->count; i++) {
        const Obstacle *at = i < obstacles->count ? &obstacles->at[i] : NULL;
        if (at && (divider->x < at->left || divider->x > at->right || at->bottom <= top)) continue;
        float end = at ? fminf(at->top, bottom) : bottom;
        if (end > top + shortest) addPiece(d, divider, top, end, divider->strength);
        if (at) top = at->bottom;
    }
}

/* A divider that is hardly seen is a tick in the strip of labels, if there is one, the stronger the more it counts. */
static void drawTick(tacDrawing *d, const Divider *divider, float bottom) {
    const float high = 2;
    if (bottom >= d->y + high) addPiece(d, divider, bottom - high, bottom, 1 - 0.7 * exp(-(double) divider->count / 4));
}

/* Dividers that wait to be drawn, with their places and those beside the view. */
typedef struct Dividers {
    TAC_ARRAY(Divider) all;
    TAC_ARRAY(tacCrowdPlace) places;
} Dividers;

static void addDivider(tacDrawing *d, Dividers *to, float x, uint32_t row, size_t count) {
    Divider divider = {x, row, (uint32_t) count, 1};
    tacCrowdPlace place = {x, (float) count};
    if (!tacArrayPush(&to->all, divider) || !tacArrayPush(&to->places, place)) d->display->failed = true;
}

/* Adds the dividers up to 16 pixels beside a window, by twos of pixels: so strengths stay when the view moves. */
static void addBeside(tacDrawing *d, Dividers *to, bool right) {
    enum { STEPS = 8 };
    double step = 2 * d->detail, ticks = step / d->scale.perTick;
    const uint32_t *list = d->model->intervals.at;
    size_t n = d->model->intervals.count;
    for (int k = right ? 0 : -STEPS; k < (right ? STEPS : 0) && d->tiles; k++) {
        double from = (double) (right ? d->scale.to : d->scale.from) + k * ticks, end = from + ticks;
        if (fabs(from) > 9e18 || fabs(end) > 9e18) continue;
        size_t first = tacListFindAfter(d->store, list, n, (int64_t) from),
               next = tacListFindAfter(d->store, list, n, (int64_t) end);
        if (next > first)
            addDivider(d, to, (float) ((right ? d->scale.x1 : d->scale.x0) + (k + 0.5) * step), TAC_NONE, next - first);
    }
}

/* Draws dividers with the strengths that their distances give them. In a figure where none are merged all are strong.
 */
static void drawFaded(tacDrawing *d, const Labels *strip, const Dividers *dividers, const Obstacles *obstacles) {
    size_t n = dividers->all.count;
    bool fade = d->tiles != NULL;
    for (size_t i = 0; i < n; i++) fade |= dividers->all.at[i].count > 1;
    for (size_t i = 0; i < n; i++) {
        Divider divider = dividers->all.at[i];
        float bottom = d->rowsBottom;
        if (divider.row == TAC_NONE) continue;
        if (fade) divider.strength = tacFade(d, tacCrowdDistance(d, dividers->places.at, n, i));
        for (int k = 0; k < strip->count; k++)
            if (divider.x > strip->at[k].left - labelMargin && divider.x < strip->at[k].right + labelMargin)
                bottom = d->y;
        if (divider.strength >= 0.05) drawDivider(d, &divider, bottom, obstacles);
        if (divider.strength < 0.5 && strip->count) drawTick(d, &divider, bottom);
    }
}

/* Draws the dividers in the range, down to d->rowsBottom, across the rows that are drawn. */
static void drawDividers(tacDrawing *d, const Labels *strip) {
    const uint32_t *list = d->model->intervals.at;
    size_t n = d->model->intervals.count, at = tacListFind(d->store, list, n, d->scale.from),
           end = tacListFindAfter(d->store, list, n, d->scale.to);
    Dividers dividers = {0};
    if (at < end) addBeside(d, &dividers, false);
    for (size_t next; at < end; at = next) {
        next = tacListGroup(d, list, end, at, mergeDistance);
        addDivider(d, &dividers, tacX(d, tacRowTime(d->store, list[at])), list[at], next - at);
    }
    addBeside(d, &dividers, true);
    Obstacles obstacles = dividers.all.count ? obstaclesOf(d) : (Obstacles){0};
    if (!d->display->failed) drawFaded(d, strip, &dividers, &obstacles);
    tacArrayFree(&obstacles);
    tacArrayFree(&dividers.all);
    tacArrayFree(&dividers.places);
}

void tacDrawDividers(tacDrawing *d, float bottom) {
    const Labels none = {.count = 0};
    d->rowsBottom = bottom;
    drawDividers(d, &none);
}

void tacDrawIntervals(tacDrawing *d) {
    const uint32_t *list = d->model->intervals.at;
    size_t at = firstInterval(d), end = tacListFindAfter(d->store, list, d->model->intervals.count, d->scale.to);
    Labels strip;
    collect(d, at, end, &strip);
    place(d, &strip);
    float height = strip.count ? fmaxf((float) d->style.intervalHeight * d->style.unit, d->style.smallSize * 1.35f) : 0;
    d->rowsBottom = d->y + height;
    drawDividers(d, &strip);
    for (int i = 0; i < strip.count; i++) {
        const Label *l = &strip.at[i];
        const tacItem *item = tacAddFitting(d, messageOf(d, l->row), (l->left + l->right) / 2, d->y + height / 2,
            l->right - l->left + 0.1f, TAC_ANCHOR_CENTER, d->style.smallSize, inkOf(d, l->row),
            (tacRef){TAC_REF_EVENT, 0, l->row, 0});
        d->labelsLeftOut += !item;
    }
    d->y = d->rowsBottom;
}
