/*
 * windowSheet.c -- a display as a sheet, for a file; and a frame of a window, its parts cut to their boxes.
 */
#include "base/port.h"

#include "view/sheet.h"
#include "view/window.h"

#include <math.h>
#include <string.h>

static tacLook lookOf(const tacItem *item) {
    bool text = item->kind == TAC_ITEM_TEXT, area = item->kind == TAC_ITEM_PATH && item->fill != TAC_NO_COLOR;
    return (tacLook){.fill = item->fill,
        .ink = item->ink,
        .outline = area ? item->ink : item->outline,
        .pattern = (tacPattern) item->pattern,
        .dash = (tacDash) item->dash,
        .heads = (tacHeads) item->heads,
        .shape = (tacShape) item->shape,
        .anchor = (tacAnchor) item->anchor,
        .layer = item->layer,
        .width = item->width,
        .size = text ? item->width : item->x1,
        .bold = item->bold,
        .middle = item->middle,
        .upright = item->upright,
        .tag = TAC_NONE};
}

/* Adds a path, an area in its pieces. */
static void addPath(tacSheet *sheet, const tacLook *look, const tacPoint *points, size_t n) {
    bool area = look->fill != TAC_NO_COLOR;
    for (size_t first = 0, end; area && first < n; first = end + 1) {
        for (end = first; end < n && !isnan(points[end].x); end++) continue;
        if (end > first) tacSheetPath(sheet, look, points + first, end - first, true);
    }
    if (!area) tacSheetPath(sheet, look, points, n, false);
}

static void addItem(tacSheet *sheet, const tacDisplay *part, const tacItem *item) {
    tacLook look = lookOf(item);
    size_t length = 0;
    const char *text = "";
    bool lettered = item->kind == TAC_ITEM_TEXT || (item->kind == TAC_ITEM_SHAPE && item->shape == TAC_SHAPE_LETTER);
    if (lettered && item->text < tacInternCount(&part->texts)) text = tacInternName(&part->texts, item->text, &length);
    switch (item->kind) {
    case TAC_ITEM_RECT: tacSheetRect(sheet, &look, item->x0, item->y0, item->x1, item->y1); break;
    case TAC_ITEM_LINE: tacSheetLine(sheet, &look, item->x0, item->y0, item->x1, item->y1); break;
    case TAC_ITEM_PATH: addPath(sheet, &look, part->points.at + item->first, item->count); break;
    case TAC_ITEM_TEXT: tacSheetText(sheet, &look, item->x0, item->y0, text, length, 0, NULL); break;
    default: tacSheetMark(sheet, &look, item->x0, item->y0, text);
    }
}

void tacDisplaySheet(tacSheet *sheet, const tacDisplay *display) {
    for (size_t i = 0; i < display->items.count; i++) addItem(sheet, display, &display->items.at[i]);
}

bool tacFrameSheet(const tacFrame *frame, tacSheet *sheet) {
    const tacDisplay *any = &frame->parts[TAC_PART_AXIS];
    sheet->display.width = any->width;
    sheet->display.height = any->height;
    sheet->display.fontSize = any->fontSize;
    sheet->display.font = any->font ? tacCopyText(any->font, strlen(any->font)) : NULL;
    if (any->font && !sheet->display.font) sheet->display.failed = true;
    for (int i = 0; i < TAC_PARTS; i++) {
        const tacDisplay *part = &frame->parts[i];
        if (frame->boxes[i].y1 <= frame->boxes[i].y0) continue;
        sheet->clip = frame->boxes[i];
        sheet->clipped = true;
        tacDisplaySheet(sheet, part);
    }
    sheet->clipped = false;
    return !sheet->display.failed;
}
