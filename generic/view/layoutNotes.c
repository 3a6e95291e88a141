/*
 * layoutNotes.c -- annotations: a text over a stretch of a task's row, with or without an arrow from end to end.
 *
 * Notes stand beside the release arrows, if none of those is in the way; else on lines of their own above them. An
 * arrow leaves a gap for its text, and preemption lines pass behind the text; where the stretch is too short for a gap,
 * the text follows at its right. A double arrow too short for its heads becomes two that point at it from outside. Each
 * note takes the first line that is free, in order of time, both when rows are planned and when they are drawn. Rows of
 * a window keep their height while it is panned and have room for few lines: texts that do not fit there are left out,
 * and told where the pointer rests on their arrows.
 * Of more notes than can be read a strip tells how many there are.
 */
#include "base/port.h"

#include "base/search.h"
#include "view/layout.h"

#include <math.h>
#include <string.h>

enum {
    NOTE_LINES = 6,    /* lines above the arrows */
    NOTES_MOST = 400,  /* with more in the range, notes are merged */
    NOTES_BEFORE = 100 /* notes before the range that are looked at */
};
static const float textGap = 2, headRoom = 6; /* points: beside the text; for an arrow head and a bit of stem */
static const float shortest = 7;              /* points: of a double arrow with its heads inside */
static const float arrowRoom = 2.75f;         /* points: between a text and the stem of a release arrow beside it */

typedef struct Note {
    uint32_t row;
    float x0, x1;       /* the stretch */
    float text0, text1; /* of the text; equal: none */
    float left, right;  /* of all it covers */
    float outside;      /* length of its two arrows beside a stretch that is too short for heads, or 0 */
    const char *message;
    tacHeads heads;
    bool arrow, hasText; /* of an arrow's text there is none where no line is free for it */
    int line;            /* 0: beside the release arrows; 1 ...: above them */
} Note;

/* The lines of a row's notes. */
typedef struct NoteLines {
    float right[NOTE_LINES + 1]; /* right end of the last note on a line, points */
    const char *call;            /* name of the system call that was shown last */
} NoteLines;

/* Places a text of this width beside the arrow of a note that is too short for a gap: at its right, or at its left, if
 * it fits only there. Where it fits in neither, it is cut in the widest place: beside the arrow, or in its gap. */
static void placeBeside(const tacDrawing *d, Note *n, float width) {
    float gap = n->outside + textGap, inset = headRoom + textGap;
    float right = d->bodyRight - tacEdge - (n->x1 + gap), left = n->x0 - gap - d->left;
    float middle = n->x1 - n->x0 - 2 * inset;
    bool atRight = n->x1 + gap + width <= d->right;
    if (!atRight && width >= left) atRight = width <= right || right >= fmaxf(left, middle);
    if (atRight) n->text0 = n->x1 + gap, n->text1 = n->text0 + fminf(width, right);
    else if (width < left || left >= middle) n->text1 = n->x0 - gap, n->text0 = n->text1 - fminf(width, left);
    else n->text0 = n->x0 + inset, n->text1 = n->x1 - inset;
}

/* Places the text of a note: in the middle of its stretch, or beside it where an arrow is too short for a gap. */
static void placeText(const tacDrawing *d, Note *n) {
    float right = d->bodyRight - tacEdge,
          width = fminf(tacTextWidth(d, n->message, d->style.smallSize, false), right - d->left);
    if (n->arrow && n->x1 - n->x0 < width + 2 * textGap + 2 * headRoom) {
        placeBeside(d, n, width);
    } else {
        n->text0 = fmaxf(d->left, fminf((n->x0 + n->x1 - width) / 2, right - width));
        n->text1 = n->text0 + width;
    }
}

/* Is the name of a system call shown? Only within the stretch of the call, and of equal ones in a row once. */
static bool showsCall(const tacDrawing *d, const Note *n, NoteLines *lines) {
    bool fits = n->hasText && fminf(n->x1, d->right) - fmaxf(n->x0, d->left) >= n->text1 - n->text0 + 2 * textGap;
    if (!fits || (lines->call && strcmp(lines->call, n->message) == 0)) return false;
    lines->call = n->message;
    return true;
}

/* Says what a note covers without its text. */
static void coverArrow(Note *n) {
    n->left = n->arrow ? n->x0 - n->outside : n->x1;
    n->right = n->arrow ? n->x1 + n->outside : n->x0;
}

/* Finds the first line that is free for a note. False: none of `most` above the arrows is, and the last one is taken.
 */
static bool findLine(const tacDrawing *d, const tacFigureRow *row, int most, const NoteLines *lines, Note *n) {
    /* An arrow may end at a release arrow, a text may not touch one. */
    float slack = n->arrow && n->left == n->x0 ? 0.5f : -arrowRoom;
    float slackRight = n->arrow && n->right == n->x1 ? 0.5f : -arrowRoom;
    bool low = d->style.arrowHeight * d->style.unit * d->stretch * (d->rtsched ? 0.7 : 1)
        < (n->hasText ? 0.9 : 0.4) * d->style.smallSize;
    n->line = low || tacArrowsBetween(d, row->owner, n->left + slack, n->right - slackRight) ? 1 : 0;
    while (n->line < most && lines->right[n->line] > n->left) n->line++;
    bool free = n->line <= most && lines->right[n->line] <= n->left;
    n->line = n->line < most ? n->line : most;
    return free;
}

/* Measures the note of an event and finds its line, of `most` above the arrows. False: it is not shown, since it is
 * outside the range, or a text for which there is no room. */
static bool placeNote(
    const tacDrawing *d, const tacFigureRow *row, uint32_t event, int most, NoteLines *lines, Note *n) {
    int64_t begin = tacRowTime(d->store, event), end = tacRowNumber(d->store, event);
    const char *arrow = tacRowHasOptions(d->store, event) ? tacRowText(d->store, event, TAC_OPT_ARROW) : NULL;
    bool call = tacRowFrom(d->store, event) == TAC_FROM_CALL;
    if (!tacShows(d, call ? TAC_SHOW_CALLS : TAC_SHOW_ANNOTATIONS)) return false;
    if (!tacVisible(d, begin < end ? begin : end, begin < end ? end : begin)) return false;
    memset(n, 0, sizeof *n);
    n->row = event;
    n->message = tacRowHasOptions(d->store, event) ? tacRowText(d->store, event, TAC_OPT_MESSAGE) : NULL;
    n->hasText = n->message && *n->message;
    n->arrow = arrow != NULL;
    n->heads = tacHeadsWord(arrow, TAC_HEADS_NONE);
    n->x0 = tacX(d, begin < end ? begin : end), n->x1 = tacX(d, begin < end ? end : begin);
    if (n->arrow && n->heads == TAC_HEADS_BOTH && n->x1 - n->x0 < shortest) n->outside = headRoom;
    coverArrow(n);
    if (n->hasText) {
        placeText(d, n);
        n->left = n->arrow ? fminf(n->left, n->text0) : n->text0;
        n->right = n->arrow ? fmaxf(n->right, n->text1) : n->text1;
    }
    if (call && !showsCall(d, n, lines)) return false;
    bool free = findLine(d, row, most, lines, n);
    if (!free && !n->arrow) return false; /* one cannot read a text that lies over another one or the row above */
    if (!free && n->hasText) {
        n->hasText = false;
        coverArrow(n);
        findLine(d, row, most, lines, n);
    }
    lines->right[n->line] = fmaxf(lines->right[n->line], n->right + textGap);
    return true;
}

/* Finds places [*at, *end) of the notes that may reach into the range. False: the row has no notes; those of a task
 * stand in its first row. */
static bool findNotes(const tacDrawing *d, const tacFigureRow *row, size_t *at, size_t *end) {
    if (!tacShows(d, TAC_SHOW_ANNOTATIONS | TAC_SHOW_CALLS)) return false;
    if (row->kind != TAC_FIGURE_ROW_TASK || row->away || !tacFigureRowIsFirst(d->rows, row)) return false;
    const tacTaskModel *task = &d->model->tasks[row->owner];
    *at = tacListFind(d->store, task->notes.at, task->notes.count, d->scale.from);
    *at -= *at < NOTES_BEFORE ? *at : NOTES_BEFORE; /* earlier ones may reach into the window */
    *end = tacListFindAfter(d->store, task->notes.at, task->notes.count, d->scale.to);
    return task->notes.count > 0;
}

int tacPlanNotes(const tacDrawing *d, const tacFigureRow *row) {
    size_t at, end;
    int most = 0;
    NoteLines lines = {.call = NULL};
    if (!findNotes(d, row, &at, &end)) return 0;
    for (size_t i = at; i < end && end - at <= NOTES_MOST; i++) {
        Note n;
        if (placeNote(d, row, d->model->tasks[row->owner].notes.at[i], NOTE_LINES, &lines, &n) && n.line > most)
            most = n.line;
    }
    return most;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void addStem(
    tacDrawing *d, const Note *n, float x0, float x1, float y, tacHeads heads, tacDash dash, uint32_t ink) {
    tacItem *item = tacAddLine(
        d, TAC_LAYER_ARROWS, x0, y, x1, y, d->style.line, ink, (tacRef){TAC_REF_EVENT, 0, n->row, 0});
    if (item) {
        item->dash = (uint8_t) dash;
        item->heads = (uint8_t) heads;
    }
}

static void drawArrow(tacDrawing *d, const Note *n, float y, uint32_t ink) {
    const char *word = tacRowText(d->store, n->row, TAC_OPT_STEM);
    tacDash dash = tacDashWord(word, TAC_DASH_SOLID);
    bool backward = tacRowNumber(d->store, n->row) < tacRowTime(d->store, n->row);
    tacHeads heads = backward && (n->heads == TAC_HEADS_FIRST || n->heads == TAC_HEADS_LAST) ? TAC_HEADS_BOTH - n->heads
                                                                                             : n->heads;
    if (n->outside > 0) {
        addStem(d, n, fmaxf(n->x0 - n->outside, tacEdge), n->x0, y, TAC_HEADS_LAST, dash, ink);
        addStem(d, n, n->x1, fminf(n->x1 + n->outside, d->bodyRight), y, TAC_HEADS_FIRST, dash, ink);
    } else if (n->hasText && n->text0 > n->x0 && n->text1 < n->x1) {
        addStem(d, n, n->x0, n->text0 - textGap, y, heads & TAC_HEADS_FIRST, dash, ink);
        addStem(d, n, n->text1 + textGap, n->x1, y, heads & TAC_HEADS_LAST, dash, ink);
    } else {
        addStem(d, n, n->x0, n->x1, y, heads, dash, ink);
    }
}

static void drawNote(tacDrawing *d, const tacFigureRow *row, const Note *n, float noteHeight) {
    float arrows = row->bar - row->top - (float) row->noteLanes * noteHeight;
    float y = n->line == 0 ? row->bar - arrows / 2 : row->bar - arrows - ((float) n->line - 0.5f) * noteHeight;
    if (d->rtsched && n->line == 0) y -= 0.12f * d->style.fontSize; /* letters that hang keep clear of the bars */
    const char *color = tacRowHasOptions(d->store, n->row) ? tacRowText(d->store, n->row, TAC_OPT_COLOR) : NULL;
    uint32_t plain = tacRowFrom(d->store, n->row) == TAC_FROM_CALL ? d->style.faint : d->style.ink;
    uint32_t ink = tacStyleInk(
        &d->style, tacStyleParse(&d->style, color, plain, tacRowLine(d->store, n->row), d->diag));
    if (n->arrow) drawArrow(d, n, y, ink);
    if (n->hasText) {
        float half = 0.55f * d->style.smallSize; /* of the paper behind the text, over preemption lines and grid */
        tacAddRect(d, TAC_LAYER_BACK, n->text0 - 1, y - half, n->text1 + 1, y + half, d->style.paper, tacNoRef);
        tacAddFitting(d, n->message, n->text0, y, n->text1 - n->text0 + 0.1f, TAC_ANCHOR_LEFT, d->style.smallSize, ink,
            (tacRef){TAC_REF_EVENT, row->owner, n->row, 0});
    }
}

/* ---- too many to read -------------------------------------------------------------------------------------------- */

/* A strip that counts notes: the darker, the more. Notes that stand alone are ticks. */
typedef struct NoteStrip {
    tacDrawing *d;
    const tacFigureRow *row;
    uint8_t bins; /* log2 of the ticks of a bin; bins are counted from time 0, so they stay when the view moves */
    float y, pixel;
    float x0, x1; /* the piece under way */
    int level;    /* its strength; 0: none */
    tacRef ref;
} NoteStrip;

enum { STRIP_LEVELS = 8, STRIP_PIXELS = 4, APART = 3 }; /* pixels of a bin; bins from one tick to the next note */

static void flushStrip(NoteStrip *s) {
    const tacStyle *style = &s->d->style;
    uint32_t fill = tacColorMix(style->paper, style->ink, 0.1 + 0.4 * s->level / STRIP_LEVELS);
    if (s->level) tacAddRect(s->d, TAC_LAYER_ARROWS, s->x0, s->y - s->pixel, s->x1, s->y + s->pixel, fill, s->ref);
    s->level = 0;
}

/* Adds the notes of a bin, the first of them at this row of the store. */
static void addBin(NoteStrip *s, int64_t bin, uint32_t first, size_t count, bool alone) {
    tacDrawing *d = s->d;
    tacRef ref = {count > 1 ? TAC_REF_MERGED : TAC_REF_EVENT, s->row->owner, first, (uint32_t) count};
    float x0 = tacX(d, tacTileTime(bin, s->bins)), x1 = tacX(d, tacTileTime(bin + 1, s->bins)), high = 2 * s->pixel;
    double each = (double) count * s->pixel / fmax(x1 - x0, s->pixel);
    int level = 1 + (int) lround((STRIP_LEVELS - 1) * (1 - exp(-each / 1.5)));
    bool joined = !alone && level == s->level;
    if (joined) {
        s->x1 = x1;
        s->ref.kind = TAC_REF_MERGED;
        s->ref.count += (uint32_t) count;
        return;
    }
    flushStrip(s);
    float x = tacX(d, tacRowTime(d->store, first));
    if (alone && tacRowTime(d->store, first) >= d->scale.from)
        tacAddLine(d, TAC_LAYER_ARROWS, x, s->y - high, x, s->y + high, d->style.line, d->style.ink, ref);
    if (alone) return;
    s->level = level;
    s->x0 = x0, s->x1 = x1;
    s->ref = ref;
}

/* Is a note of a kind that is shown among the first of these? */
static bool showsSome(const tacDrawing *d, const uint32_t *notes, size_t n) {
    enum { LOOKED = 8 };
    for (size_t i = 0; i < n && i < LOOKED; i++)
        if (tacShows(d, tacRowFrom(d->store, notes[i]) == TAC_FROM_CALL ? TAC_SHOW_CALLS : TAC_SHOW_ANNOTATIONS))
            return true;
    return false;
}

/* Draws notes that are too many to read above the release arrows. */
static void drawMerged(tacDrawing *d, const tacFigureRow *row, float noteHeight) {
    const uint32_t *list = d->model->tasks[row->owner].notes.at;
    size_t n = d->model->tasks[row->owner].notes.count;
    NoteStrip s = {.d = d, .row = row, .pixel = d->tiles ? (float) d->detail : 1 / 3.0f};
    float lines = (float) row->noteLanes * noteHeight;
    s.y = row->top + fmaxf(lines - noteHeight / 2, 2 * s.pixel);
    s.bins = tacTileLevel(STRIP_PIXELS * s.pixel / d->scale.perTick);
    int64_t bin, before = INT64_MIN, last = tacTileBin(d->scale.to, s.bins);
    size_t at = tacListFind(d->store, list, n, tacTileTime(tacTileBin(d->scale.from, s.bins), s.bins));
    if (at) before = tacTileBin(tacRowTime(d->store, list[at - 1]), s.bins);
    for (; at < n && (bin = tacTileBin(tacRowTime(d->store, list[at]), s.bins)) <= last; before = bin) {
        int64_t end = tacTileTime(bin + 1, s.bins);
        size_t next = tacPastNear(size_t, at + 1, n, i, tacRowTime(d->store, list[i]) < end);
        bool near = (before != INT64_MIN && bin - before < APART)
            || (next < n && tacTileBin(tacRowTime(d->store, list[next]), s.bins) - bin < APART);
        if (before == INT64_MIN || bin - before > 1) flushStrip(&s);
        if (showsSome(d, list + at, next - at)) addBin(&s, bin, list[at], next - at, !near);
        at = next;
    }
    flushStrip(&s);
}

void tacDrawNotes(tacDrawing *d, const tacFigureRow *row, float noteHeight) {
    size_t at, end;
    NoteLines lines = {.call = NULL};
    if (!findNotes(d, row, &at, &end)) return;
    if (end - at > NOTES_MOST) {
        drawMerged(d, row, noteHeight);
        return;
    }
    for (size_t i = at; i < end; i++) {
        Note n;
        if (placeNote(d, row, d->model->tasks[row->owner].notes.at[i], row->noteLanes, &lines, &n))
            drawNote(d, row, &n, noteHeight);
    }
}
