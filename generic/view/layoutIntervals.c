/*
 * layoutIntervals.c -- dividers over all rows, each with its label centred between it and the next.
 *
 * The labels have a strip of their own above the axis. A label that is wider than its interval begins with it, and
 * reaches into neighbours that have none; one that still does not fit is cut with an ellipsis, or left out when not
 * even two characters fit. No label crosses a divider.
 */
#include "base/port.h"

#include "view/layout.h"

#include <math.h>

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

/* Is there an arrow in a row within a few points of a divider? */
static bool hasArrowNear(const tacDrawing *d, const tacFigureRow *row, float x) {
    const float near = 2.5f;
    if (row->kind != TAC_FIGURE_ROW_TASK || row->away) return false;
    const uint32_t *arrows = d->model->tasks[row->owner].arrows.at;
    size_t n = d->model->tasks[row->owner].arrows.count;
    size_t i = tacListFind(d->store, arrows, n, tacScaleTime(&d->scale, x - near));
    while (i < n && tacX(d, tacRowTime(d->store, arrows[i])) < x - near) i++; /* those of the same tick */
    return i < n && tacX(d, tacRowTime(d->store, arrows[i])) <= x + near;
}

/* Draws a divider in pieces that leave out arrows beside it: what points where would else be a riddle. */
static void drawDivider(tacDrawing *d, float x, float bottom, uint32_t row, uint32_t count) {
    float top = d->top;
    tacRef ref = {count > 1 ? TAC_REF_MERGED : TAC_REF_EVENT, 0, row, count};
    for (size_t i = 0; i <= d->rows->rows.count; i++) {
        const tacFigureRow *other = i < d->rows->rows.count ? &d->rows->rows.at[i] : NULL;
        if (other && (d->tiles || !hasArrowNear(d, other, x)))
            continue; /* tiles: of a window, whose parts have their own y */
        float end = other ? fminf(other->top, bottom) : bottom;
        if (end > top + 1) {
            tacItem *item = tacAddLine(d, TAC_LAYER_LINES, x, top, x, end, d->style.line, inkOf(d, row), ref);
            if (item) item->dash = (uint8_t) d->style.intervalDash;
        }
        if (other) top = d->rtsched ? other->bottom : other->bar;
    }
}

/* Draws the dividers of places [at, end) of the list, down to d->rowsBottom. */
static void drawDividers(tacDrawing *d, const Labels *strip, size_t at, size_t end) {
    const uint32_t *list = d->model->intervals.at;
    while (at < end) {
        size_t next = tacListGroup(d, list, end, at, mergeDistance);
        uint32_t row = list[at], count = (uint32_t) (next - at);
        at = next;
        if (tacRowTime(d->store, row) < d->scale.from) continue;
        float x = tacX(d, tacRowTime(d->store, row)), bottom = d->rowsBottom;
        for (int i = 0; i < strip->count; i++)
            if (x > strip->at[i].left - labelMargin && x < strip->at[i].right + labelMargin) bottom = d->y;
        drawDivider(d, x, bottom, row, count);
    }
}

void tacDrawDividers(tacDrawing *d, float bottom) {
    size_t end = tacListFindAfter(d->store, d->model->intervals.at, d->model->intervals.count, d->scale.to);
    const Labels none = {.count = 0};
    d->rowsBottom = bottom;
    drawDividers(d, &none, firstInterval(d), end);
}

void tacDrawIntervals(tacDrawing *d) {
    const uint32_t *list = d->model->intervals.at;
    size_t at = firstInterval(d), end = tacListFindAfter(d->store, list, d->model->intervals.count, d->scale.to);
    Labels strip;
    collect(d, at, end, &strip);
    place(d, &strip);
    float height = strip.count ? fmaxf((float) d->style.intervalHeight * d->style.unit, d->style.smallSize * 1.35f) : 0;
    d->rowsBottom = d->y + height;
    drawDividers(d, &strip, at, end);
    for (int i = 0; i < strip.count; i++) {
        const Label *l = &strip.at[i];
        const tacItem *item = tacAddFitting(d, messageOf(d, l->row), (l->left + l->right) / 2, d->y + height / 2,
            l->right - l->left + 0.1f, TAC_ANCHOR_CENTER, d->style.smallSize, inkOf(d, l->row),
            (tacRef){TAC_REF_EVENT, 0, l->row, 0});
        d->labelsLeftOut += !item;
    }
    d->y = d->rowsBottom;
}
