/*
 * paint.h -- a display list onto a cairo surface: a page of a vector format, an image, a window's picture.
 */
#ifndef TAC_VIEW_PAINT_H
#define TAC_VIEW_PAINT_H

#include "view/display.h"
#include "view/text.h"

#include <cairo.h>

typedef struct tacPaintOptions {
    tacShaper *shaper; /* of the display's font, kept where painting is done often; NULL: one is made for this time */
    double pixels;     /* pixels a point, of an image: lines and edges lie on whole pixels; 0: a vector format */
    tacBox clip;       /* points: items that are wholly outside may be left out; empty: all are wanted */
    bool screen; /* a window's picture: what it has most of may be painted more quickly and less finely (paintScreen.h)
                  */
    bool textOutlines; /* text as areas: exact places of letters where the surface rounds them to pixels */
} tacPaintOptions;

/*
 * Paints over what is there. The unit of cairo's user space must be a point; for an image the origin must be on a
 * pixel's corner. options may be NULL. The error is no memory, no font, or cairo's first one.
 */
tacStatus tacPaint(const tacDisplay *display, cairo_t *cr, const tacPaintOptions *options, tacError *err);

/* What is drawn next is of this colour, 0xRRGGBB. */
void tacPaintColor(cairo_t *cr, uint32_t color);

#endif
