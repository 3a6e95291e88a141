/*
 * layoutLabels.c -- names of rows at the left, right-aligned; names of processors above their panels; baselines.
 *
 * A long name breaks into lines; a line that is still too wide for the column loses its middle. In the rtsched
 * convention a task named by a number ("Task 1", "t2") is shown as papers write it: the Greek letter with an index.
 * Threads of the same name have their numbers behind it.
 */
#include "base/port.h"

#include "view/layout.h"
#include "view/maths.h"
#include "view/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The digits in the name of a numbered task ("Task 1", "task_01", "t1", "tau1"); NULL: the name is of another form. */
static const char *taskNumber(const char *name) {
    static const char *const words[] = {"task", "tau", "t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncasecmp(name, words[i], n) != 0) continue;
        const char *digits = name + n + (name[n] == ' ' || name[n] == '_');
        size_t length = strspn(digits, "0123456789");
        if (length > 0 && length <= 6 && digits[length] == 0) return digits;
    }
    return NULL;
}

/* Writes the Greek tau and the digits as UTF-8 subscripts. */
static void greekName(const char *digits, char *out) {
    memcpy(out, "\xCF\x84", 2);
    out += 2;
    for (; *digits; digits++) {
        memcpy(out, "\xE2\x82", 2);
        out[2] = (char) (0x80 + (*digits - '0'));
        out += 3;
    }
    *out = 0;
}

enum { NAME_SIZE = 128 }; /* bytes of a name that is made here */

/* The name that the label shows; a name that is made here stands in `buffer`. */
static const char *nameOf(const tacDrawing *d, const tacFigureRow *row, char buffer[NAME_SIZE]) {
    if (row->kind == TAC_FIGURE_ROW_GROUP) return tacGroupName(d, row, buffer, NAME_SIZE);
    const char *name = tacFigureRowName(d->model, row);
    if (row->kind != TAC_FIGURE_ROW_TASK) return name;
    const char *digits = d->rtsched ? taskNumber(name) : NULL;
    if (row->namesake && strlen(name) + strlen(tacObjectId(d->store, TAC_TASK, row->owner)) + 2 <= NAME_SIZE) {
        snprintf(buffer, NAME_SIZE, "%s %s", name, tacObjectId(d->store, TAC_TASK, row->owner));
        return buffer;
    }
    if (!digits) return name;
    greekName(digits, buffer);
    return buffer;
}

static tacRef refOf(const tacFigureRow *row) { return (tacRef){tacFigureRowRefs[row->kind], row->owner, 0, 0}; }

/* Greatest width of a row's name, points; a server's name leaves room for the numbers of its axis. */
static float nameMost(const tacDrawing *d, const tacFigureRow *row) {
    float most = d->labelMost - (row->kind == TAC_FIGURE_ROW_SERVER ? tacServerAxisWidth(d, row) : 0);
    return fmaxf(fminf(d->labelWidth, most), 1);
}

static const float oneLine = 0.75f; /* of the column: what is longer gets two lines */

/* Splits a name for the column, into as few lines as possible, and those as short as possible. False: it does not fit
 * as a whole. */
static bool splitLines(const tacDrawing *d, const char *name, float widest, int most, tacLines *lines) {
    if (tacFillLines(d, name, oneLine * widest, 1, d->labelSize, lines)) return true;
    for (int n = 2; n <= most; n++) {
        for (float share = 0.4f; share <= 1; share += 0.1f)
            if (tacFillLines(d, name, share * widest, n, d->labelSize, lines)) return true;
    }
    return tacFillLines(d, name, widest, most, d->labelSize, lines);
}

enum { REST_SIZE = 256 }; /* bytes of a name whose begin is left out */

/* Writes a name without its first n bytes. */
static void leaveOut(const char *name, size_t n, char rest[REST_SIZE + sizeof TAC_ELLIPSIS]) {
    memcpy(rest, TAC_ELLIPSIS, sizeof TAC_ELLIPSIS - 1);
    memcpy(rest + sizeof TAC_ELLIPSIS - 1, name + n, strlen(name + n) + 1);
}

/* Bytes to leave out of a name: its prefix, without the words of it for which the lines have room. */
static size_t prefixOf(const tacDrawing *d, const char *name, size_t prefix, float widest, int most) {
    enum { WORDS_MOST = 8 };
    char rest[REST_SIZE + sizeof TAC_ELLIPSIS];
    tacLines lines;
    for (int i = 0; i < WORDS_MOST; i++) {
        size_t less = tacPrefixJoint(name, prefix - 1);
        if (!less || strlen(name + less) >= REST_SIZE) break;
        leaveOut(name, less, rest);
        if (!splitLines(d, rest, widest, most, &lines)) break;
        prefix = less;
    }
    return prefix;
}

/* Splits and cuts the name for the column. Of a name that is too long that part is left out first which another row has
 * at its begin, too. */
static void setLines(const tacDrawing *d, const tacFigureRow *row, const char *name, tacLines *lines) {
    float height = (float) (d->style.barHeight + d->style.arrowHeight) * d->style.unit * d->stretch;
    float widest = nameMost(d, row);
    int most = row->kind == TAC_FIGURE_ROW_SERVER ? TAC_LINES_MOST : height > 2.2f * d->style.fontSize ? 2 : 1;
    char rest[REST_SIZE + sizeof TAC_ELLIPSIS];
    size_t length = strlen(name);
    if (splitLines(d, name, widest, most, lines) || row->prefix >= length || length - row->prefix >= REST_SIZE
        || !row->prefix || tacMathsIn(name, length))
        return;
    leaveOut(name, prefixOf(d, name, row->prefix, widest, most), rest);
    splitLines(d, rest, widest, most, lines);
}

bool tacLabelShort(const tacDrawing *d, const tacFigureRow *row) {
    char buffer[NAME_SIZE];
    const char *name = nameOf(d, row, buffer);
    return strnlen(name, 251) <= 250 && tacTextWidth(d, name, d->labelSize, false) <= 0.75f * nameMost(d, row);
}

/* What stands above the first row of a panel, and of servers that belong to none. */
static const char *headingName(const tacDrawing *d, const tacFigureRow *row) {
    return row->processor == TAC_NO_PROCESSOR ? "Servers" : tacProcessorName(d->model, row->processor);
}

float tacLabelWidth(const tacDrawing *d, const tacFigureRow *row) {
    char buffer[NAME_SIZE];
    tacLines lines;
    setLines(d, row, nameOf(d, row, buffer), &lines);
    float width = fminf(lines.width, d->labelWidth);
    if (row->kind == TAC_FIGURE_ROW_SERVER) width += tacServerAxisWidth(d, row);
    if (!row->heading) return width;
    return fmaxf(width, fminf(tacTextWidth(d, headingName(d, row), d->labelSize, true), d->labelWidth));
}

/* The middle of a panel's name: with air above, as the first one has no row there. */
static float headingMiddle(const tacDrawing *d, const tacFigureRow *row) {
    return row->top + 0.25f * d->labelSize + d->ascent / 2;
}

/* Draws the name of a panel beside the arrows of its first row, above the row's own name. */
static void drawHeading(tacDrawing *d, const tacFigureRow *row) {
    char cut[512];
    float y = headingMiddle(d, row);
    if (row->top > d->top) {
        float rule = row->top - (float) d->style.taskMargin * d->style.unit * d->stretch;
        tacAddLine(d, TAC_LAYER_BACK, tacEdge, rule, d->right, rule, d->style.thin, d->style.grid, tacNoRef);
    }
    tacCutText(d, headingName(d, row), d->labelWidth, d->labelSize, true, cut, sizeof cut);
    tacRef ref = row->processor == TAC_NO_PROCESSOR ? tacNoRef : (tacRef){TAC_REF_PROCESSOR, row->processor, 0, 0};
    tacItem *item = tacAddText(d, cut, d->labelRight, y, TAC_ANCHOR_RIGHT, d->labelSize, d->style.ink, ref);
    if (item) item->bold = 1;
}

void tacDrawLabel(tacDrawing *d, const tacFigureRow *row) {
    char buffer[NAME_SIZE];
    float x = row->kind == TAC_FIGURE_ROW_SERVER ? d->labelRight - tacServerAxisWidth(d, row) : d->labelRight;
    float pitch = 1.15f * d->labelSize;
    tacLines lines;
    setLines(d, row, nameOf(d, row, buffer), &lines);
    float y = (row->bar + row->bottom) / 2 - pitch * (float) (lines.n - 1) / 2;
    float lowest = row->bottom + 0.4f * (float) d->style.taskMargin * d->style.unit * d->stretch; /* above a rule */
    if (row->heading && lines.n > 1) y = fmaxf(y, headingMiddle(d, row) + pitch); /* below the panel's name */
    if (row->depth && lines.n > 1) y = fminf(y, lowest - 0.5f * d->labelSize - pitch * (float) (lines.n - 1));
    for (int i = 0; i < lines.n; i++) {
        tacAddText(
            d, lines.text[i], x, y + pitch * (float) i, TAC_ANCHOR_RIGHT, d->labelSize, d->style.ink, refOf(row));
    }
    if (row->heading) drawHeading(d, row);
    if (d->rtsched && row->kind != TAC_FIGURE_ROW_SERVER) {
        tacAddLine(
            d, TAC_LAYER_BACK, d->left, row->bottom, d->right, row->bottom, d->style.thin, d->style.ink, refOf(row));
    }
}

void tacDrawLabels(tacDrawing *d) {
    uint8_t before = 0; /* depth of the row above */
    for (size_t i = 0; i < d->rows->rows.count; i++) {
        const tacFigureRow *row = &d->rows->rows.at[i];
        if (row->away) continue;
        if (!tacFigureRowIsHeading(row)) {
            tacDrawLabel(d, row);
            if (row->depth < before) tacDrawGroupRule(d, row);
        }
        before = row->depth;
    }
}
