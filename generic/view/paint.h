/*
 * paint.h -- a display list onto a cairo surface: a page of a vector format, an image, a window's picture.
 */
#ifndef TAC_VIEW_PAINT_H
#define TAC_VIEW_PAINT_H

#include "view/display.h"
#include "view/drawCalls.h"
#include "view/text.h"

typedef struct tacPaintOptions {
    tacShaper *shaper; /* of the display's font, kept by those who paint often; NULL: one is made and freed */
    double pixels;     /* pixels a point, of an image: lines and edges lie on whole pixels; 0: a vector format */
    tacBox clip;       /* points: items that are wholly outside may be left out; empty: all are wanted */
    bool screen;       /* a window's picture: frequent forms may be painted quickly and less finely (paintScreen.h) */
    struct tacLooks *looks; /* for that, kept by those who paint often; NULL: made anew */
    bool textOutlines;      /* text as areas: exact places of letters where the surface rounds them to pixels */
} tacPaintOptions;

/*
 * Paints a display over what the surface shows. The unit of cairo's user space must be a point; for an image the origin
 * must be on a pixel's corner. options may be NULL. The error is no memory, no font, or cairo's first one.
 */
tacStatus tacPaint(const tacDisplay *display, cairo_t *cr, const tacPaintOptions *options, tacError *err);

/* Sets the colour of what is drawn next, 0xRRGGBB. */
void tacPaintColor(cairo_t *cr, uint32_t color);

#endif
