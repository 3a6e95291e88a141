/*
 * layoutSyncs.c -- synchronization messages: arrows from the rows of the processor that sent one to those of the
 * processor that received it.
 *
 * What has no arrow is a mark under the axis (layoutMarks.c), which becomes a tick that counts where marks are dense:
 * messages that were lost, those of processors that have no row in the picture, and all where arrows would make a
 * fence.
 */
#include "base/port.h"

#include "base/search.h"
#include "view/layout.h"

static const double arrowsPerPoint = 0.125; /* with more messages, none is an arrow */
enum { MESSAGES_BEFORE = 100 };             /* messages sent before the range that are looked at */

/* The rows of a processor, from bar to baseline. */
typedef struct Panel {
    bool shown; /* it has some */
    float top, bottom;
} Panel;

/* Finds the messages [*first, *end) that may reach into the range. False: there are none, or no arrows of them. */
static bool findArrows(const tacDrawing *d, size_t *first, size_t *end) {
    const uint32_t *rows = d->clocks->rows.at;
    size_t n = d->clocks->rows.count;
    if (!n || (d->rows->mode != TAC_PROCESSORS_EXPANDED && d->rows->mode != TAC_PROCESSORS_COLLAPSED)) return false;
    *first = tacListFind(d->store, rows, n, d->scale.from);
    *end = tacListFindAfter(d->store, rows, n, d->scale.to);
    if ((double) (*end - *first) > arrowsPerPoint * (d->scale.x1 - d->scale.x0)) return false;
    *first -= *first < MESSAGES_BEFORE ? *first : MESSAGES_BEFORE;
    return *end > *first;
}

/* Lists the panels by processor; the caller frees them (tacFree). NULL: no memory. */
static Panel *listPanels(const tacDrawing *d) {
    Panel *panels = tacAllocZero(d->rows->nProcessors + 1, sizeof *panels);
    for (size_t i = 0; panels && i < d->rows->rows.count; i++) {
        const tacFigureRow *row = &d->rows->rows.at[i];
        bool isProcessor = row->kind == TAC_FIGURE_ROW_PROCESSOR;
        uint32_t processor = isProcessor ? row->owner : row->processor;
        if (row->away || processor >= d->rows->nProcessors || (!isProcessor && row->kind != TAC_FIGURE_ROW_TASK))
            continue;
        Panel *panel = &panels[processor];
        panel->top = panel->shown && panel->top < row->bar ? panel->top : row->bar;
        panel->bottom = panel->shown && panel->bottom > row->bottom ? panel->bottom : row->bottom;
        panel->shown = true;
    }
    return panels;
}

/* Has message i an arrow, from one panel to another? */
static bool hasArrow(const tacDrawing *d, const Panel *panels, size_t i) {
    uint32_t row = d->clocks->rows.at[i], source = tacRowSubject(d->store, row), target = tacRowObject(d->store, row);
    return d->clocks->ends.at[i] != TAC_NONE && source < d->rows->nProcessors && target < d->rows->nProcessors
        && panels[source].shown && panels[target].shown;
}

static void drawSync(tacDrawing *d, const Panel *panels, size_t i, double strength) {
    uint32_t sent = d->clocks->rows.at[i], received = d->clocks->ends.at[i];
    const Panel *from = &panels[tacRowSubject(d->store, sent)], *to = &panels[tacRowObject(d->store, sent)];
    bool down = to->top > from->top;
    float y0 = down ? from->bottom : from->top, y1 = down ? to->top : to->bottom;
    if (strength < 0.05 || (down ? y1 : y0) <= d->clipTop || (down ? y0 : y1) >= d->clipBottom) return;
    tacItem *item = tacAddLine(d, TAC_LAYER_LINES, tacX(d, tacRowTime(d->store, sent)), y0,
        tacX(d, tacRowTime(d->store, received)), y1, d->style.line,
        tacColorMix(d->style.paper, tacStyleInk(&d->style, d->style.marks[TAC_MARK_SYNC].color), strength),
        (tacRef){TAC_REF_EVENT, 0, sent, 0});
    if (item) item->heads = TAC_HEADS_LAST;
    d->seen |= TAC_SEEN_SYNC;
}

void tacDrawSyncs(tacDrawing *d) {
    size_t first, end;
    if (!findArrows(d, &first, &end)) return;
    Panel *panels = listPanels(d);
    tacCrowdPlace *places = tacAllocZero(end - first, sizeof *places);
    if (!panels || !places) d->display->failed = true;
    for (size_t i = first; i < end && !d->display->failed; i++)
        places[i - first] = (tacCrowdPlace){tacX(d, tacRowTime(d->store, d->clocks->rows.at[i])), 1};
    for (size_t i = first; i < end && !d->display->failed; i++) {
        uint32_t received = d->clocks->ends.at[i];
        if (!hasArrow(d, panels, i)
            || !tacVisible(d, tacRowTime(d->store, d->clocks->rows.at[i]), tacRowTime(d->store, received)))
            continue;
        drawSync(d, panels, i, d->tiles ? tacFade(d, tacCrowdDistance(d, places, end - first, i - first)) : 1);
    }
    tacFree(places);
    tacFree(panels);
}

size_t tacSyncMarks(tacDrawing *d, const uint32_t **rows, uint32_t **own) {
    size_t first, end, n = 0;
    *rows = d->clocks->rows.at;
    *own = NULL;
    if (!findArrows(d, &first, &end)) return d->clocks->rows.count;
    Panel *panels = listPanels(d);
    *rows = *own = panels ? tacAlloc((end - first) * sizeof **own) : NULL;
    if (!*own) d->display->failed = true;
    for (size_t i = first; i < end && *own; i++)
        if (!hasArrow(d, panels, i)) (*own)[n++] = d->clocks->rows.at[i];
    tacFree(panels);
    return n;
}
