/*
 * layoutGroups.c -- rows of a figure as the tree that a window shows.
 *
 *      listed rows -> their groups and order (view/windowTree.c) -> headings between them, and of each folded group one
 *      row, with those of its members behind it, which are not drawn (`away`)
 */
#include "base/port.h"

#include "view/windowPart.h"

#include <stdio.h>
#include <string.h>

/* Is a group one row? One of servers alone is not: a band has no budgets. */
static bool isFolded(const tacWindow *window, const tacWindowGroup *group, const tacFigure *figure) {
    const char *const *pattern = figure->fold;
    const char *name = tacInternName(&window->keys, group->label, NULL);
    uint32_t place = group->first;
    if (place == TAC_NONE) return false;
    while (place < group->end && window->rows.rows.at[window->order.at[place].row].kind == TAC_FIGURE_ROW_SERVER)
        place++;
    if (place == group->end) return false;
    if (!pattern) return group->folded;
    while (*pattern && !tacWildcardMatch(*pattern, name, false)) pattern++;
    return *pattern != NULL;
}

/* The rows of a figure while they are grouped. */
typedef struct Grouping {
    tacFigureRows *to;
    tacWindow window; /* it has the listed rows */
    const tacFigure *figure;
    size_t most, shown; /* greatest number of rows that are seen, and how many there are */
} Grouping;

/* Adds the row of a group, folded or a heading. False: no memory. */
static bool addGroup(Grouping *g, const tacWindowGroup *group) {
    size_t length;
    const char *name = tacInternName(&g->window.keys, group->label, &length);
    tacFigureRow row = {.kind = TAC_FIGURE_ROW_GROUP, .processor = TAC_NO_PROCESSOR, .lanes = 1, .next = TAC_NONE};
    row.owner = tacIntern(&g->to->groups, name, length);
    row.depth = group->parent != TAC_NONE;
    row.members = group->folded ? group->end - group->first : 0;
    g->shown += row.members > 0;
    return row.owner != TAC_NONE && tacArrayPush(&g->to->rows, row);
}

/* Adds the row at a place, behind the groups that begin there. False: no memory. */
static bool addPlace(Grouping *g, uint32_t place) {
    const tacWindowRow *placed = &g->window.order.at[place];
    tacFigureRow row = g->window.rows.rows.at[placed->row];
    uint32_t inner = placed->group, chain[] = {inner == TAC_NONE ? TAC_NONE : g->window.groups.at[inner].parent, inner};
    for (int i = 0; i < 2; i++) {
        const tacWindowGroup *group = chain[i] == TAC_NONE ? NULL : &g->window.groups.at[chain[i]];
        if (!group || row.away) continue;
        if (group->first == place && !addGroup(g, group)) return false;
        row.away = group->folded;
        row.depth++;
    }
    if (!row.away && g->shown++ >= g->most) {
        g->to->leftOut++;
        return true;
    }
    return tacArrayPush(&g->to->rows, row);
}

bool tacFigureRowsGroup(tacFigureRows *rows, const tacTrace *trace, const tacFigure *figure, size_t most) {
    Grouping g = {.to = rows, .figure = figure, .most = most};
    g.window = (tacWindow){.trace = trace, .groupBy = figure->groupBy, .rows = *rows};
    bool ok = tacWindowReady(&g.window);
    if (ok) {
        g.window.cache->d.model = &trace->model;
        ok = tacWindowArrangeAll(&g.window);
    }
    memset(&rows->rows, 0, sizeof rows->rows);
    for (size_t i = 0; ok && i < g.window.groups.count; i++)
        g.window.groups.at[i].folded = isFolded(&g.window, &g.window.groups.at[i], figure);
    for (uint32_t i = 0; ok && i < g.window.order.count; i++) ok = addPlace(&g, i);
    rows->grouped = g.window.groups.count > 0;
    tacArrayFree(&g.window.rows.rows);
    memset(&g.window.rows, 0, sizeof g.window.rows); /* all else is of `rows` */
    tacWindowFree(&g.window);
    return ok;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

const char *tacGroupName(const tacDrawing *d, const tacFigureRow *row, char *buffer, size_t size) {
    const char *name = tacInternName(&d->rows->groups, row->owner, NULL);
    if (!row->members) return name;
    snprintf(buffer, size, "%.100s (%u)", name, (unsigned) row->members);
    return buffer;
}

/* Draws the band of a folded group. */
static void drawBand(tacDrawing *d, const tacFigureRow *row) {
    uint32_t first = (uint32_t) (row - d->rows->rows.at) + 1;
    tacMember *members = tacAlloc(row->members * sizeof *members);
    if (!members) d->display->failed = true;
    for (uint32_t i = 0; members && i < row->members; i++) members[i] = tacMemberOf(d->model, d->rows, first + i);
    d->members = members;
    d->nMembers = members ? row->members : 0;
    tacBandDrawGroup(d, row);
    d->members = NULL;
    d->nMembers = 0;
    tacFree(members);
}

void tacDrawGroupRule(tacDrawing *d, const tacFigureRow *row) {
    if (row->top <= d->top) return;
    float y = row->top - 0.5f * (float) d->style.taskMargin * d->style.unit * d->stretch;
    if (tacFigureRowIsHeading(row)) y += 0.22f * d->labelSize; /* in the middle between the row above and the name */
    float x = tacEdge + (float) row->depth * d->labelSize;
    tacAddLine(d, TAC_LAYER_BACK, x, y, d->right, y, d->style.thin, d->style.grid, tacNoRef);
}

void tacDrawGroupPaper(tacDrawing *d, const char *name, bool bold, float x, float y, tacRef ref) {
    float half = 0.6f * d->labelSize, right = x + tacTextWidth(d, name, d->labelSize, bold) + 1;
    if (right > d->left) tacAddRect(d, TAC_LAYER_LINES, d->left - 0.5f, y - half, right, y + half, d->style.paper, ref);
}

/* Draws the name of an open group over the rows in it, and a line between it and rows of other groups. */
static void drawHeading(tacDrawing *d, const tacFigureRow *row) {
    float x = tacEdge + (float) row->depth * d->labelSize, y = row->bottom - 0.6f * d->labelSize;
    char buffer[128], cut[512];
    const char *name = tacGroupName(d, row, buffer, sizeof buffer);
    tacCutText(d, name, d->right - x, d->labelSize, true, cut, sizeof cut);
    tacRef ref = {TAC_REF_GROUP, row->owner, 0, 0};
    tacDrawGroupPaper(d, cut, row->depth == 0, x, y, ref);
    tacItem *item = tacAddText(d, cut, x, y, TAC_ANCHOR_LEFT, d->labelSize, d->style.ink, ref);
    if (item) item->bold = row->depth == 0;
    bool first = row > d->rows->rows.at && tacFigureRowIsHeading(row - 1); /* of the group around it */
    if (!first) tacDrawGroupRule(d, row);
}

void tacDrawGroup(tacDrawing *d, const tacFigureRow *row) {
    if (row->members) drawBand(d, row);
    else drawHeading(d, row);
}
