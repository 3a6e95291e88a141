/*
 * timelineExport.c -- the picture of a timeline as a file: what it shows, in any format of figures.
 *
 *      frame -> sheet (view/windowSheet.c), strips and markers over it -> tcl/drawing.h writes the file
 *
 * The cursor, the selection, highlights and findings belong to the hand and stay out.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tcl/drawing.h"
#include "tk/timelineState.h"
#include "view/color.h"

#include <math.h>
#include <string.h>

static tacLook fillLook(uint32_t color) {
    tacLook look = tacLookDefault();
    look.fill = color;
    look.layer = TAC_LAYER_ARROWS;
    return look;
}

static double pointsOf(const tacTimeline *t, double pixels) { return (pixels - tacTimelineInset(t)) / t->scaling; }

/* Adds a text that is light on dark colours and dark on light ones. */
static void addText(tacSheet *sheet, uint32_t on, double x, double middle, double size, const char *text) {
    tacLook look = tacLookDefault();
    look.ink = tacColorLightness(on) > 0.6 ? 0x000000 : 0xFFFFFF;
    look.size = (float) size;
    look.middle = true;
    tacSheetText(sheet, &look, x, middle, text, strlen(text), 0, NULL);
}

static void addStrips(const tacTimeline *t, tacSheet *sheet) {
    double size = tacStripLabelSize(t);
    for (size_t i = 0; i < t->strips.count; i++) {
        const tacStripRow *strip = &t->strips.at[i];
        tacBox box;
        if (!tacStripBox(t, strip, &box)) continue;
        for (size_t k = 0; k < strip->pieces.count; k++) {
            const tacStripPiece *piece = &strip->pieces.at[k];
            if (piece->end < t->from || piece->begin > t->to) continue;
            double x0 = fmax(pointsOf(t, tacTimelineXOf(t, piece->begin)), box.x0),
                   x1 = fmin(pointsOf(t, tacTimelineXOf(t, piece->end)), box.x1);
            const char *label = tacStripLabel(t, piece);
            uint32_t color = tacTimelineColor(t, piece->color);
            tacLook look = fillLook(color);
            tacSheetRect(sheet, &look, x0, box.y0, x1, box.y1);
            float width = t->measure.width(t->measure.data, label, strlen(label), (float) size, false, NULL, NULL);
            if (*label && width <= x1 - x0 - 0.6 * size)
                addText(sheet, color, x0 + 0.3 * size, (box.y0 + box.y1) / 2, size, label);
        }
    }
}

static tacBox boxOf(const tacTimeline *t, tacArea area) {
    return (tacBox){(float) pointsOf(t, area.x), (float) pointsOf(t, area.y), (float) pointsOf(t, area.x + area.width),
        (float) pointsOf(t, area.y + area.height)};
}

/* Adds an arrow head at x, which points to the left (-1) or the right (1). */
static void addHead(tacSheet *sheet, const tacLook *look, double x, double y, int way) {
    float back = (float) (x - way * 5);
    tacPoint corners[] = {{(float) x, (float) y}, {back, (float) (y - 2.2)}, {back, (float) (y + 2.2)}};
    tacSheetPath(sheet, look, corners, 3, true);
}

/* Adds the length between the markers A and B. */
static void addDimension(const tacTimeline *t, tacSheet *sheet, const tacFlags *flags) {
    tacDimension d;
    if (!tacOverlayDimension(t, flags, &d)) return;
    double width = 0.75, y = pointsOf(t, floor(d.y)) + width / 2, x0 = pointsOf(t, d.x0), x1 = pointsOf(t, d.x1);
    tacBox label = boxOf(t, d.label);
    tacLook paper = fillLook(t->frame.paper), ink = fillLook(t->frame.ink), text = tacLookDefault();
    tacSheetRect(sheet, &paper, x0, y - 1.5 * width, x1, y + 1.5 * width);
    tacSheetRect(sheet, &paper, label.x0, label.y0, label.x1, label.y1);
    tacSheetRect(sheet, &ink, x0, y - width / 2, d.within ? label.x0 : x1, y + width / 2);
    if (d.within) tacSheetRect(sheet, &ink, label.x1, y - width / 2, x1, y + width / 2);
    if (d.hasFirst && x1 - x0 > 12) addHead(sheet, &ink, x0, y, -1);
    if (d.hasLast && x1 - x0 > 12) addHead(sheet, &ink, x1, y, 1);
    text.ink = t->frame.ink;
    text.size = d.size;
    text.middle = true;
    tacSheetText(sheet, &text, pointsOf(t, d.textX), y, d.text, strlen(d.text), 0, NULL);
}

/* Adds the markers, and over their lines the flags and the length between two of them. */
static void addMarkers(const tacTimeline *t, tacSheet *sheet) {
    tacFlags flags = {0};
    for (size_t i = 0; i < t->markers.count; i++) {
        tacArea area = tacLineArea(t, t->markers.at[i].time);
        tacBox box = boxOf(t, area);
        tacLook look = fillLook(tacOverlayColor(t, &t->markers.at[i]));
        if (!tacAreaEmpty(area)) tacSheetRect(sheet, &look, box.x0, box.y0, box.x1, box.y1);
    }
    if (!tacOverlayFlags(t, &flags)) sheet->display.failed = true;
    addDimension(t, sheet, &flags);
    for (size_t i = 0; i < flags.count; i++) {
        tacBox box = boxOf(t, flags.at[i].area);
        uint32_t color = tacOverlayColor(t, flags.at[i].marker);
        tacLook look = fillLook(color);
        double size = 0.85 * t->options.fontSize;
        tacSheetRect(sheet, &look, box.x0, box.y0, box.x1, box.y1);
        addText(sheet, color, box.x0 + 0.35 * size, (box.y0 + box.y1) / 2, size, flags.at[i].text);
    }
    tacArrayFree(&flags);
}

int tacTimelineExportSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacTimeline *t = data;
    tacSheet sheet;
    if (tacTimelineNeed(t, tacTimelineLayout) != TCL_OK) return TCL_ERROR;
    tacSheetInit(&sheet);
    if (tacFrameSheet(&t->frame, &sheet)) {
        addStrips(t, &sheet);
        addMarkers(t, &sheet);
    }
    int result = sheet.display.failed ? tacTclMemory(interp)
                                      : tacSheetExport(interp, &sheet, t->frame.paper, objv[2], objc - 3, objv + 3);
    tacSheetFree(&sheet);
    return result;
}
