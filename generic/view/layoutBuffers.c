/*
 * layoutBuffers.c -- the contents of buffers at one time: a box of cells for each, filled from the head, between the
 * names of its writer and its reader.
 *
 * The chain of buffers and tasks is the trace's own (`bufferplot structure`); without one every buffer stands alone.
 * The head, which is read next, is at the right, towards the reader. A chain that is too wide goes on in the next line,
 * which begins with the task that the line above ends with, so that each buffer stands between its tasks.
 */
#include "base/port.h"

#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELLS_MOST = 24 }; /* cells of a box; a fuller buffer says in its name how many elements it has */

typedef struct BufferBox {
    uint32_t buffer;
    uint32_t *data; /* head first; string ids */
    uint32_t count, cells;
    int64_t capacity;
    float cell; /* width of a cell, points */
    char name[160];
} BufferBox;

typedef struct Chain {
    tacDrawing *d;
    int64_t time;
    float x, y;    /* left end of the next part, middle of the line's boxes */
    bool joined;   /* an arrow leads to the next part from the one before it */
    uint32_t task; /* the part before it, or TAC_NONE when that is no task */
} Chain;

static float cellHeight(const tacDrawing *d) { return 1.7f * d->style.fontSize; }
static float arrowRoom(const tacDrawing *d) { return 2.2f * d->style.fontSize; }

/* The name of a task as it is shown; returns its width. */
static float cutName(const tacDrawing *d, uint32_t task, char *cut, size_t size) {
    tacCutText(d, tacObjectName(d->store, TAC_TASK, task), 0.4f * d->bodyRight, d->style.fontSize, false, cut, size);
    return tacTextWidth(d, cut, d->style.fontSize, false);
}

/* Writes the name of a task. */
static void putName(Chain *c, uint32_t task) {
    char cut[256];
    float width = cutName(c->d, task, cut, sizeof cut);
    tacAddText(c->d, cut, c->x, c->y, TAC_ANCHOR_LEFT, c->d->style.fontSize, c->d->style.ink,
        (tacRef){TAC_REF_TASK, task, 0, 0});
    c->x += width;
}

/* Moves on to the place of a part: behind an arrow, or on a new line where it and what must stand beside it do not fit,
 * of these widths. */
static void makeRoom(Chain *c, float width, float beside) {
    tacDrawing *d = c->d;
    float arrow = c->joined ? arrowRoom(d) : 0;
    if (c->x > 2 && c->x + arrow + width + beside > d->bodyRight) {
        c->x = 2;
        c->y += cellHeight(d) + 2 * d->style.fontSize;
        if (c->joined && c->task != TAC_NONE) putName(c, c->task);
    }
    if (arrow > 0) {
        float gap = 0.3f * d->style.fontSize;
        tacItem *item = tacAddLine(
            d, TAC_LAYER_LINES, c->x + gap, c->y, c->x + arrow - gap, c->y, d->style.line, d->style.ink, tacNoRef);
        if (item) item->heads = TAC_HEADS_LAST;
    }
    c->x += arrow;
}

static void drawTaskName(Chain *c, uint32_t task) {
    char cut[256];
    makeRoom(c, cutName(c->d, task, cut, sizeof cut), 0);
    putName(c, task);
    c->joined = true;
    c->task = task;
}

/* Finds the contents of a buffer, its name and the width of its cells. False: no memory. */
static bool readBox(Chain *c, uint32_t buffer, BufferBox *box) {
    const tacDrawing *d = c->d;
    memset(box, 0, sizeof *box);
    box->buffer = buffer;
    if (tacQueryBuffer(d->model, buffer, c->time, &box->data, &box->count, &box->capacity, NULL) != TAC_OK)
        return false;
    int64_t cells = box->capacity > (int64_t) box->count ? box->capacity : (int64_t) box->count;
    box->cells = (uint32_t) (cells < 1 ? 1 : cells > CELLS_MOST ? CELLS_MOST : cells);
    const char *name = tacObjectName(d->store, TAC_BUFFER, buffer);
    if (cells > CELLS_MOST) {
        snprintf(
            box->name, sizeof box->name, "%.100s (%u of %lld)", name, (unsigned) box->count, (long long) box->capacity);
    } else {
        snprintf(box->name, sizeof box->name, "%.140s", name);
    }
    box->cell = 1.6f * d->style.fontSize;
    for (uint32_t i = 0; i < box->count && i < box->cells; i++) {
        float width = tacTextWidth(d, tacString(d->store, box->data[i]), d->style.smallSize, false)
            + 0.5f * d->style.fontSize;
        box->cell = fmaxf(box->cell, fminf(width, 5 * d->style.fontSize));
    }
    box->cell = fminf(box->cell, 0.9f * d->bodyRight / (float) box->cells);
    return true;
}

static void drawCells(Chain *c, const BufferBox *box, float x) {
    tacDrawing *d = c->d;
    float half = cellHeight(d) / 2;
    for (uint32_t i = 0; i < box->cells; i++) {
        float left = x + box->cell * (float) (box->cells - 1 - i);
        bool full = i < box->count;
        tacRef ref = {TAC_REF_BUFFER, box->buffer, i, 0};
        tacItem *item = tacAddRect(d, TAC_LAYER_BARS, left, c->y - half, left + box->cell, c->y + half,
            full ? d->style.active : d->style.paper, ref);
        if (item) {
            item->outline = tacStyleOutline(&d->style, item->fill);
            item->width = d->style.line;
        }
        if (full) {
            tacAddFitting(d, tacString(d->store, box->data[i]), left + box->cell / 2, c->y, box->cell - 2,
                TAC_ANCHOR_CENTER, d->style.smallSize, tacInkOn(d->style.active), ref);
        }
    }
}

/* Draws a buffer; reader: the task behind it, or TAC_NONE. */
static void drawBuffer(Chain *c, uint32_t buffer, uint32_t reader) {
    tacDrawing *d = c->d;
    BufferBox box;
    if (!readBox(c, buffer, &box)) {
        d->display->failed = true;
        return;
    }
    float cells = box.cell * (float) box.cells,
          name = fminf(tacTextWidth(d, box.name, d->style.smallSize, false), 0.5f * d->bodyRight),
          width = fmaxf(cells, name);
    char cut[256];
    makeRoom(c, width, reader == TAC_NONE ? 0 : arrowRoom(d) + cutName(d, reader, cut, sizeof cut));
    drawCells(c, &box, c->x + (width - cells) / 2);
    tacAddFitting(d, box.name, c->x + width / 2, c->y - cellHeight(d) / 2 - 0.7f * d->style.smallSize, width + 0.5f,
        TAC_ANCHOR_CENTER, d->style.smallSize, d->style.ink, (tacRef){TAC_REF_BUFFER, buffer, 0, 0});
    c->x += width;
    c->joined = true;
    c->task = TAC_NONE;
    tacFree(box.data);
}

/* ---- the chain --------------------------------------------------------------------------------------------------- */

/* Takes the next word of a Tcl list of simple words from *at; false: there is none. */
static bool nextWord(const char **at, const char **word, size_t *length) {
    *at += strspn(*at, " \t\n\r");
    if (**at == 0) return false;
    if (**at == '{') {
        *word = ++*at;
        *length = strcspn(*at, "}");
        *at += *length + ((*at)[*length] == '}');
        return true;
    }
    *word = *at;
    *length = strcspn(*at, " \t\n\r");
    *at += *length;
    return true;
}

/* Index of the defined object of a kind that a word names; TAC_NONE: there is none. */
static uint32_t objectOf(const tacStore *store, tacKind kind, const char *word, size_t length) {
    uint32_t id = tacInternFind(&store->ids[kind], word, length);
    return id != TAC_NONE && id < store->objects[kind].count ? id : TAC_NONE;
}

/* Draws the buffers and tasks of a chain in its order. */
static void drawStructure(Chain *c, const char *words) {
    const tacStore *store = c->d->store;
    const char *word, *after;
    size_t length, afterLength;
    while (nextWord(&words, &word, &length)) {
        uint32_t buffer = objectOf(store, TAC_BUFFER, word, length), task = objectOf(store, TAC_TASK, word, length);
        const char *rest = words;
        uint32_t reader = nextWord(&rest, &after, &afterLength) ? objectOf(store, TAC_TASK, after, afterLength)
                                                                : TAC_NONE;
        if (buffer != TAC_NONE) drawBuffer(c, buffer, reader);
        else if (task != TAC_NONE) drawTaskName(c, task);
    }
}

void tacDrawBuffers(tacDrawing *d) {
    const tacFigure *figure = d->figure;
    const tacStore *store = d->store;
    if (!tacStoreObjects(store, TAC_BUFFER) || (!figure->showBuffers && figure->buffersAt == TAC_UNKNOWN)) return;
    Chain c = {
        .d = d, .time = figure->buffersAt != TAC_UNKNOWN ? figure->buffersAt : d->scale.to, .x = 2, .task = TAC_NONE};
    char time[TAC_LABEL_SIZE], caption[3 * TAC_LABEL_SIZE];
    tacAxisFormat(tacSinceOrigin(d, c.time), store->digits, figure->axisScale > 0 ? figure->axisScale : 1, time);
    snprintf(caption, sizeof caption, "Buffers at %s%s%.60s:", time, figure->axisUnit ? " " : "",
        figure->axisUnit ? figure->axisUnit : "");
    d->y += 0.8f * d->style.fontSize;
    tacAddText(
        d, caption, 2, d->y + 0.5f * d->style.smallSize, TAC_ANCHOR_LEFT, d->style.smallSize, d->style.ink, tacNoRef);
    c.y = d->y + 1.3f * d->style.smallSize + d->style.fontSize + cellHeight(d) / 2;
    uint32_t row = c.time == INT64_MAX ? tacStoreCount(store) : tacStoreFind(store, c.time + 1);
    while (row > 0 && tacRowEvent(store, row - 1) != TAC_EV_BUFFER_STRUCTURE) row--;
    if (row > 0) drawStructure(&c, tacString(store, tacRowSubject(store, row - 1))); /* the last one by that time */
    for (uint32_t i = 0; row == 0 && i < tacStoreObjects(store, TAC_BUFFER); i++) {
        if (tacIgnored(store, tacObjectId(store, TAC_BUFFER, i))) continue;
        drawBuffer(&c, i, TAC_NONE);
        c.joined = false;
        c.x += arrowRoom(d);
    }
    d->y = c.y + cellHeight(d) / 2 + 0.3f * d->style.fontSize;
}
