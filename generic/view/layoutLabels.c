/*
 * layoutLabels.c -- names of rows at the left, right-aligned; names of processors above their panels; baselines.
 *
 * A name that is too wide for the column ends in an ellipsis. In the rtsched convention a task named by a number ("Task
 * 1", "t2") is shown as papers write it: the Greek letter with an index.
 */
#include "base/port.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include "view/layout.h"

/* "Task 1", "task_01", "t1", "tau1" -> its number's digits; NULL: not of that form. */
static const char *taskNumber(const char *name)
{
    static const char *const words[] = { "task", "tau", "t" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
	size_t n = strlen(words[i]);
	if (strncasecmp(name, words[i], n) != 0) {
	    continue;
	}
	const char *digits = name + n + (name[n] == ' ' || name[n] == '_');
	size_t length = strspn(digits, "0123456789");
	if (length > 0 && length <= 6 && digits[length] == 0) {
	    return digits;
	}
    }
    return NULL;
}

/* The Greek tau and the digits as UTF-8 subscripts. */
static void greekName(const char *digits, char *out)
{
    memcpy(out, "\xCF\x84", 2);
    out += 2;
    for (; *digits; digits++) {
	memcpy(out, "\xE2\x82", 2);
	out[2] = (char) (0x80 + (*digits - '0'));
	out += 3;
    }
    *out = 0;
}

static const char *nameOf(const tacDrawing *d, const tacRow *row, char buffer[32])
{
    if (row->kind == TAC_ROW_PROCESSOR) {
	return tacProcessorName(d->model, row->owner);
    }
    if (row->kind == TAC_ROW_SERVER) {
	return tacObjectName(d->store, TAC_SERVER, row->owner);
    }
    const char *name = tacObjectName(d->store, TAC_TASK, row->owner), *digits = d->rtsched ? taskNumber(name) : NULL;
    if (!digits) {
	return name;
    }
    greekName(digits, buffer);
    return buffer;
}

static tacRef refOf(const tacRow *row)
{
    static const tacRefKind kinds[] = { [TAC_ROW_TASK] = TAC_REF_TASK, [TAC_ROW_PROCESSOR] = TAC_REF_PROCESSOR, [TAC_ROW_SERVER] = TAC_REF_SERVER };
    return (tacRef) { kinds[row->kind], row->owner, 0, 0 };
}

float tacLabelWidth(const tacDrawing *d, const tacRow *row)
{
    char buffer[32];
    float width = tacTextWidth(d, nameOf(d, row, buffer), d->style.fontSize, false);
    if (row->heading) {
	float heading = tacTextWidth(d, tacProcessorName(d->model, row->processor), d->style.fontSize, true);
	width = heading > width ? heading : width;
    }
    width = width < d->labelWidth ? width : d->labelWidth;
    return width + (row->kind == TAC_ROW_SERVER ? tacServerAxisWidth(d, row) : 0);
}

/* Names of panels stand beside the arrows of their first row, above its name. */
static void drawHeading(tacDrawing *d, const tacRow *row)
{
    char cut[512];
    float y = row->top + d->ascent / 2;
    if (row->top > d->top) {
	float rule = row->top - (float) d->style.taskMargin * d->style.unit * d->stretch;
	tacAddLine(d, TAC_LAYER_BACK, 0, rule, d->right, rule, d->style.thin, d->style.grid, tacNoRef);
    }
    tacCutText(d, tacProcessorName(d->model, row->processor), d->labelWidth, d->style.fontSize, true, cut, sizeof cut);
    tacItem *item = tacAddText(d, cut, d->labelRight, y, TAC_ANCHOR_RIGHT, d->style.fontSize, d->style.ink, (tacRef) { TAC_REF_PROCESSOR, row->processor, 0, 0 });
    if (item) {
	item->bold = 1;
    }
}

static void drawLabel(tacDrawing *d, const tacRow *row)
{
    char buffer[32];
    float x = row->kind == TAC_ROW_SERVER ? d->labelRight - tacServerAxisWidth(d, row) : d->labelRight;
    tacAddFitting(d, nameOf(d, row, buffer), x, (row->bar + row->bottom) / 2, d->labelWidth, TAC_ANCHOR_RIGHT, d->style.fontSize, d->style.ink, refOf(row));
}

void tacDrawLabels(tacDrawing *d)
{
    for (size_t i = 0; i < d->rows.rows.count; i++) {
	const tacRow *row = &d->rows.rows.at[i];
	drawLabel(d, row);
	if (row->heading) {
	    drawHeading(d, row);
	}
	if (d->rtsched && row->kind != TAC_ROW_SERVER) {
	    tacAddLine(d, TAC_LAYER_BACK, d->left, row->bottom, d->right, row->bottom, d->style.thin, d->style.ink, refOf(row));
	}
    }
}
