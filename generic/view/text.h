/*
 * text.h -- text by Pango: measured for layout, shown by the painter. One cache of shaped lines serves both.
 *
 * Mathematics in a text (view/maths.h) is shaped in pieces, each with a place and a size of its own. Font hinting and
 * pixel rounding are off, so that widths are the same at every resolution and in every format. Pango and fontconfig
 * start when the first text is needed.
 */
#ifndef TAC_VIEW_TEXT_H
#define TAC_VIEW_TEXT_H

#include "view/drawCalls.h"
#include "view/geometry.h"

typedef struct tacShaper tacShaper;

/* Makes a shaper for one or more font families, separated by commas, or NULL; the default and then any sans serif
 * follow them. */
tacShaper *tacShaperNew(const char *family, tacError *err);
void tacShaperFree(tacShaper *shaper);

/* Shows a line in cairo's user space, whose unit must be a point. `outlines`: as filled areas instead of glyphs. */
void tacShaperShow(
    tacShaper *shaper, cairo_t *cr, const char *text, size_t length, const tacTextPlace *place, bool outlines);

/*
 * One of the pieces that a line with mathematics (view/maths.h) is shown by, in points: `x` from the line's begin,
 * `rise` of its baseline above the line's.
 */
typedef struct tacTextPiece {
    struct _PangoLayout *layout;
    const char *text; /* NUL-terminated UTF-8 */
    float x, rise, width, size;
    uint8_t style; /* TAC_MATHS_ITALIC ... */
} tacTextPiece;

/* The pieces of a line, which are there until the shaper is used again; 0: the line is plain text, or no memory. */
size_t tacShaperPieces(
    tacShaper *shaper, const char *text, size_t length, float size, bool bold, const tacTextPiece **pieces);

/* Has a text been shown as "?", for lack of memory to clean its bytes? */
bool tacShaperFailed(const tacShaper *shaper);

#endif
