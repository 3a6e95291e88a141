/*
 * layoutMarks.c -- the strip of message marks under the axis.
 *
 * Marks that would touch are stacked, each on the first line that is free; a mark for which no line is free is counted
 * by the last mark of the last line. Where all lines would be full, in a window where there is no room for all side by
 * side, each pixel with some has a tick that counts them, with a part in the colour of each look. Messages, semaphores'
 * events, profile and relteq events are always marks, servers' events on request.
 */
#include "base/port.h"

#include "base/search.h"
#include "view/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MARK_LINES = 8,    /* of the strip */
    MARKS_LOOKED = 32, /* marks looked at in one merged place */
    COLORS_KEPT = 16
};

typedef struct MarkLine { /* one line of the strip */
    float right;          /* end of its last mark, points */
    uint32_t item;        /* index of its last mark in the display's items */
} MarkLine;

typedef struct KeptColor { /* what a text says, which has one address however often it occurs */
    const char *text;      /* or NULL */
    uint32_t color;
} KeptColor;

typedef struct MarkStrip {
    MarkLine lines[MARK_LINES];
    int most;          /* lines there may be */
    int used;          /* lines with marks */
    float size, pitch; /* of a mark; from line to line: points */
    float y;           /* middle of the first line */
    KeptColor colors[COLORS_KEPT];
} MarkStrip;

/* A list of rows whose marks are wanted. */
typedef struct MarkList {
    const uint32_t *rows;
    size_t n;
} MarkList;
enum { MARK_LISTS = 3 };

static const uint8_t markKinds[TAC_EVENTS] = {
#define EVENT(code, name, arguments, options, traits, replay, room, mark, ...) [TAC_EV_##code] = TAC_MARK_##mark,
#include "trace/events.def"
};

static tacMarkKind kindOf(const tacDrawing *d, uint32_t row) {
    tacMarkKind kind = markKinds[tacRowEvent(d->store, row)];
    if (kind != TAC_MARK_BY_NAME) return kind < TAC_MARK_KINDS ? kind : TAC_MARK_MESSAGE;
    const char *name = tacString(d->store, tacRowSubject(d->store, row)); /* of a relteq event */
    if (strcmp(name, "period") == 0) return TAC_MARK_PERIOD;
    if (strcmp(name, "deadline") == 0) return TAC_MARK_DEADLINE;
    return strcmp(name, "delay") == 0 ? TAC_MARK_DELAY : TAC_MARK_MESSAGE;
}

/* Adds marks for which there is no room to the count of the last mark of the last line. */
static void countOn(tacDrawing *d, MarkStrip *strip, uint32_t count) {
    uint32_t index = strip->lines[strip->most - 1].item;
    if (index < d->display->items.count) {
        tacItem *item = &d->display->items.at[index];
        item->count = (item->refKind == TAC_REF_MERGED ? item->count : 1) + count;
        item->refKind = TAC_REF_MERGED;
    }
    d->marksLeftOut = true;
}

/* Cuts the tail of a look to what a further text ends with alike, behind the n bytes with which both begin. */
static void cutTail(tacMessageLook *look, const char *text, size_t n) {
    size_t length = strlen(text), first = strlen(look->first), same = 0;
    size_t most = length < first ? length - n : first - n;
    if (most > look->tail) most = look->tail;
    while (same < most && text[length - same - 1] == look->first[first - same - 1]) same++;
    look->tail = same;
}

/* Cuts the label of a look to what a further text begins with alike. */
static void cutLabel(tacMessageLook *look, const char *text) {
    size_t n = 0;
    while (look->label[n] && look->label[n] == text[n]) n++;
    if (!look->label[n] && !text[n]) return;
    while (n > 0 && (look->label[n] & 0xC0) == 0x80) n--; /* whole characters; those of the text are as long */
    look->label[n] = '\0';
    look->cut = true;
    cutTail(look, text, n);
}

/* Notes how a message looks, for the legend; letter: its text in the display. */
static void noteMessage(tacDrawing *d, uint8_t shape, uint32_t fill, uint32_t letter, uint32_t row) {
    const char *text = tacString(d->store, tacRowSubject(d->store, row));
    for (int i = 0; i < d->messageLooks && i < TAC_MESSAGE_LOOKS; i++) {
        tacMessageLook *look = &d->messages[i];
        if (look->shape != shape || look->fill != fill || look->letter != letter) continue;
        cutLabel(look, text);
        return;
    }
    if (d->messageLooks >= TAC_MESSAGE_LOOKS) {
        d->messageLooks = TAC_MESSAGE_LOOKS + 1;
        return;
    }
    tacMessageLook *look = &d->messages[d->messageLooks++];
    *look = (tacMessageLook){.shape = shape, .fill = fill, .letter = letter, .first = text, .tail = strlen(text)};
    snprintf(look->label, sizeof look->label, "%s", text);
    cutLabel(look, text);
}

/* The colour that a message's options ask for. One that cannot be read is told for each message. */
static uint32_t colorOf(tacDrawing *d, MarkStrip *strip, uint32_t row, uint32_t plain) {
    const char *text = tacRowText(d->store, row, TAC_OPT_COLOR);
    KeptColor *kept = &strip->colors[(uintptr_t) text / 8 % COLORS_KEPT];
    if (!text || kept->text == text) return text ? kept->color : plain;
    uint32_t color = tacStyleParse(&d->style, text, TAC_NO_COLOR, tacRowLine(d->store, row), d->diag);
    if (color == TAC_NO_COLOR) return plain;
    *kept = (KeptColor){text, color};
    return color;
}

static void drawMark(tacDrawing *d, MarkStrip *strip, uint32_t row) {
    tacMarkKind kind = kindOf(d, row);
    tacMarkStyle look = d->style.marks[kind];
    bool options = tacRowHasOptions(d->store, row) && tacRowEvent(d->store, row) == TAC_EV_MESSAGE;
    const char *shape = options ? tacRowText(d->store, row, TAC_OPT_SHAPE) : NULL;
    float x = tacX(d, tacRowTime(d->store, row)), left = x - strip->size / 2;
    int line = 0;
    while (line < strip->most && strip->lines[line].right > left) line++;
    if (line == strip->most) {
        countOn(d, strip, 1);
        return;
    }
    tacItem *item = tacDisplayAdd(d->display, TAC_ITEM_SHAPE, TAC_LAYER_ARROWS);
    if (!item) return;
    strip->lines[line] = (MarkLine){left + strip->size * 1.12f, (uint32_t) d->display->items.count - 1};
    strip->used = strip->used > line ? strip->used : line + 1;
    d->marksSeen[kind] = true;
    item->x0 = x, item->y0 = strip->y + (float) line * strip->pitch, item->x1 = strip->size;
    item->shape = (uint8_t) tacShapeWord(shape, look.shape);
    item->fill = tacStyleInk(&d->style, options ? colorOf(d, strip, row, look.color) : look.color);
    item->ink = d->style.ink;
    item->width = d->style.thin;
    item->refKind = TAC_REF_EVENT;
    item->index = row;
    if (item->shape == TAC_SHAPE_LETTER) {
        uint32_t id = tacDisplayText(d->display, shape, strlen(shape));
        item->text = id == TAC_NONE ? 0 : id;
        item->ink = item->fill;
    }
    if (kind == TAC_MARK_MESSAGE && d->figure->legend != TAC_LEGEND_NONE)
        noteMessage(d, item->shape, item->fill, item->text, row);
}

/* ---- ticks ------------------------------------------------------------------------------------------------------- */

/* Points that a tick is wide. */
static double tickWidth(const tacDrawing *d) { return d->tiles ? d->detail : 1 / 3.0; }

uint32_t tacTickInk(const tacDrawing *d, uint32_t color) {
    return d->style.grayscale ? d->style.ink : tacStyleInk(&d->style, color);
}

/* Marks of one look in a tick. */
typedef struct TickPart {
    uint32_t rank, ink;  /* they stand from top to bottom in the order of these */
    uint32_t row, count; /* the first one, and how many */
} TickPart;

enum { TICK_PARTS = 4, TICK_LOOKS = 16 }; /* parts of a tick; marks looked at in one */

/* The marks of one pixel's width. */
typedef struct Tick {
    float x; /* of the first */
    int n;
    TickPart parts[TICK_PARTS];
} Tick;

/* The place of a kind of mark in a tick: what may have gone wrong stands on top, plain messages lowest. */
static uint32_t rankOf(const tacDrawing *d, tacMarkKind kind) {
    static const uint8_t grave[] = {TAC_MARK_DEADLINE, TAC_MARK_DEPLETED, TAC_MARK_SUSPENDED};
    uint32_t rank = 0;
    while (rank < sizeof grave && grave[rank] != kind) rank++;
    if (d->style.grayscale) return 0; /* all looks are one */
    if (kind == TAC_MARK_MESSAGE) return TAC_MARK_KINDS + sizeof grave;
    return rank < sizeof grave ? rank : rank + (uint32_t) kind;
}

/* Adds marks to the part of their look; where there are too many looks, the last ones share a part. */
static void addPart(Tick *tick, const TickPart *part) {
    int at = 0;
    while (at < tick->n
        && (tick->parts[at].rank < part->rank
            || (tick->parts[at].rank == part->rank && tick->parts[at].ink < part->ink)))
        at++;
    bool same = at < tick->n && tick->parts[at].rank == part->rank && tick->parts[at].ink == part->ink;
    if (same || at == TICK_PARTS) {
        tick->parts[same ? at : at - 1].count += part->count;
        return;
    }
    if (tick->n == TICK_PARTS) tick->parts[--tick->n - 1].count += tick->parts[TICK_PARTS - 1].count;
    memmove(tick->parts + at + 1, tick->parts + at, (size_t) (tick->n++ - at) * sizeof *tick->parts);
    tick->parts[at] = *part;
}

/* Adds marks of one pixel's width to its tick. Of many some are looked at, spread over them, each for its share. */
static void fillTick(tacDrawing *d, MarkStrip *strip, Tick *tick, const uint32_t *list, size_t n) {
    size_t looks = n < TICK_LOOKS ? n : TICK_LOOKS;
    if (!tick->n) tick->x = tacX(d, tacRowTime(d->store, list[0]));
    for (size_t i = 0; i < looks; i++) {
        size_t first = n * i / looks, next = n * (i + 1) / looks;
        uint32_t row = list[first];
        tacMarkKind kind = kindOf(d, row);
        bool options = tacRowHasOptions(d->store, row) && tacRowEvent(d->store, row) == TAC_EV_MESSAGE;
        uint32_t color = d->style.marks[kind].color,
                 ink = tacTickInk(d, options ? colorOf(d, strip, row, color) : color);
        addPart(tick, &(TickPart){rankOf(d, kind), ink, row, (uint32_t) (next - first)});
        d->marksSeen[kind] = true;
        if (kind == TAC_MARK_MESSAGE && d->figure->legend != TAC_LEGEND_NONE) noteMessage(d, 0, ink, 0, row);
    }
}

static void drawTick(tacDrawing *d, const MarkStrip *strip, const Tick *tick) {
    float top = strip->y - strip->size / 2;
    for (int i = 0; i < tick->n; i++) {
        const TickPart *part = &tick->parts[i];
        tacRef ref = {part->count > 1 ? TAC_REF_MERGED : TAC_REF_EVENT, 0, part->row, part->count};
        d->ticksSeveral |= part->count > 1;
        tacAddLine(d, TAC_LAYER_ARROWS, tick->x, top + strip->size * (float) i / (float) tick->n, tick->x,
            top + strip->size * (float) (i + 1) / (float) tick->n, (float) tickWidth(d), part->ink, ref);
    }
}

/* Draws the marks of all lists as ticks, one for each pixel with some, in parts that tell looks apart. */
static void drawTicks(tacDrawing *d, MarkStrip *strip, const MarkList *lists) {
    double width = tickWidth(d);
    size_t columns = (size_t) ceil((d->scale.x1 - d->scale.x0) / width) + 1;
    Tick *ticks = tacAllocZero(columns, sizeof *ticks);
    if (!ticks) d->display->failed = true;
    for (int k = 0; k < MARK_LISTS && ticks; k++) {
        const uint32_t *list = lists[k].rows;
        size_t n = lists[k].n, at = tacListFind(d->store, list, n, d->scale.from),
               end = tacListFindAfter(d->store, list, n, d->scale.to);
        for (size_t next; at < end; at = next) {
            size_t column = (size_t) fmax((tacX(d, tacRowTime(d->store, list[at])) - d->scale.x0) / width, 0);
            double right = d->scale.x0 + width * (double) (column + 1);
            next = tacPastNear(size_t, at + 1, end, i, tacX(d, tacRowTime(d->store, list[i])) < right);
            for (size_t i = next; i < end && i - next < TICK_LOOKS; i++) tacRowPrefetch(d->store, list[i]);
            fillTick(d, strip, &ticks[column < columns ? column : columns - 1], list + at, next - at);
        }
    }
    for (size_t i = 0; i < columns && ticks; i++) {
        drawTick(d, strip, &ticks[i]);
        if (ticks[i].n) strip->used = 1;
    }
    tacFree(ticks);
}

/* ---- the strip --------------------------------------------------------------------------------------------------- */

/* Draws the marks of a list. Where there are more at one place than there are lines, only some are looked at, and all
 * are counted. */
static void drawList(tacDrawing *d, MarkStrip *strip, const uint32_t *list, size_t n) {
    size_t at = tacListFind(d->store, list, n, d->scale.from), end = tacListFindAfter(d->store, list, n, d->scale.to);
    while (at < end) {
        size_t next = tacListGroup(d, list, end, at, strip->size);
        size_t most = d->tiles ? (size_t) strip->most + 1 : MARKS_LOOKED, looked = next - at > most ? at + most : next;
        for (size_t i = at; i < looked; i++) {
            uint32_t job = tacRowSubject(d->store, list[i]);
            tacMarkKind kind = kindOf(d, list[i]);
            if (!(kind >= TAC_MARK_RELEASED && kind <= TAC_MARK_SUSPENDED && tacJobHidden(d, job)))
                drawMark(d, strip, list[i]);
        }
        if (next > looked) countOn(d, strip, (uint32_t) (next - looked));
        at = next;
    }
}

/* Number of marks of a list in the range. */
static size_t countMarks(const tacDrawing *d, const uint32_t *list, size_t n) {
    return tacListFindAfter(d->store, list, n, d->scale.to) - tacListFind(d->store, list, n, d->scale.from);
}

/* Notes the semaphores of the first thousands of marks, for the legend. */
static void noteSemaphores(tacDrawing *d) {
    const uint32_t *list = d->model->messages.at;
    size_t at = tacListFind(d->store, list, d->model->messages.count, d->scale.from),
           end = tacListFindAfter(d->store, list, d->model->messages.count, d->scale.to);
    for (size_t looked = 0; at < end && looked < 10000; at++, looked++) {
        if (tacEvents[tacRowEvent(d->store, list[at])].arguments[1] == TAC_TYPE_SEMAPHORE)
            d->semaphoresSeen[tacRowObject(d->store, list[at])] = 1;
    }
}

static void drawLists(tacDrawing *d, const MarkList *lists) {
    MarkStrip strip = {.used = 0, .most = MARK_LINES, .size = 0.55f * d->style.fontSize};
    size_t n = 0;
    for (int i = 0; i < MARK_LISTS; i++) n += countMarks(d, lists[i].rows, lists[i].n);
    double each = (double) n * strip.size / (d->scale.x1 - d->scale.x0); /* marks for each place of a line */
    d->markTicks = each > (d->tiles ? 0.75 : MARK_LINES / 2);
    for (int i = 0; i < MARK_LINES; i++) strip.lines[i] = (MarkLine){-1e6f, TAC_NONE};
    strip.pitch = strip.size + (float) d->style.markDistance * d->style.unit * 0.5f;
    strip.y = d->y + 0.2f * d->style.fontSize + strip.size / 2;
    if (d->markTicks) drawTicks(d, &strip, lists);
    for (int i = 0; i < MARK_LISTS && !d->markTicks; i++) drawList(d, &strip, lists[i].rows, lists[i].n);
    if (strip.used) d->y = strip.y + (float) (strip.used - 1) * strip.pitch + strip.size / 2 + 0.2f * d->style.fontSize;
}

void tacDrawMarks(tacDrawing *d) {
    const tacModel *model = d->model;
    MarkList lists[MARK_LISTS] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    uint32_t *own = NULL;
    if (tacShows(d, TAC_SHOW_MESSAGES)) {
        lists[0] = (MarkList){model->messages.at, model->messages.count};
        if (d->figure->markServers || d->style.serverMessages > 0)
            lists[1] = (MarkList){model->serverMarks.at, model->serverMarks.count};
        if (d->figure->legend != TAC_LEGEND_NONE) noteSemaphores(d);
    }
    if (tacShows(d, TAC_SHOW_SYNCS)) lists[2].n = tacSyncMarks(d, &lists[2].rows, &own);
    drawLists(d, lists);
    tacFree(own);
}
