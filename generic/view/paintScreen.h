/*
 * paintScreen.h -- painting the most frequent forms of a screen's frame straight into the pixels of an image.
 *
 * A timeline is mostly upright rectangles, hatches, upright and level strokes, arrow heads and bands, which cairo would
 * make into polygons first. Here they lie on whole pixels: edges as the painter rounds them anyway (view/paint.c), ends
 * of dashes and arrow heads to the nearest pixel. Hatches are made from a table of how much of a pixel a line covers,
 * marks are stamps that cairo has drawn once. Everything else (text, curves, slanted lines) is left to cairo, in the
 * same order.
 */
#ifndef TAC_VIEW_PAINT_SCREEN_H
#define TAC_VIEW_PAINT_SCREEN_H

#include "view/drawCalls.h"
#include "view/geometry.h"

enum { TAC_SPRITE = 24, TAC_SPRITES = 8, TAC_STAMPS = 16, TAC_DOTTED = 512 };

typedef struct tacDottedLine {
    int x, from, to;
} tacDottedLine; /* pixels */

typedef struct tacSprite {                      /* an arrow head: how much it covers of each pixel around its tip */
    int8_t dx, dy;                              /* direction of the arrow; both 0: none yet */
    float length, center;                       /* pixels: of the head; of its axis beyond the pixel's edge */
    uint32_t share[TAC_SPRITE][TAC_SPRITE + 4]; /* in 256, twice in each; the tip lies at the middle of the sprite;
                                               columns beyond it are not covered */
    uint8_t y0, y1;                             /* rows of the pixels that it covers at all */
    uint8_t x0[TAC_SPRITE], x1[TAC_SPRITE];     /* and those pixels' box in each row */
} tacSprite;

typedef struct tacStamp {                    /* a mark of one look */
    tacItem look;                            /* one of them; size 0: none yet */
    uint32_t pixels[TAC_SPRITE][TAC_SPRITE]; /* as cairo has them, with alpha; the mark's place is the middle of the
                                                pixel TAC_STAMP_MIDDLE */
} tacStamp;

enum { TAC_STAMP_MIDDLE = TAC_SPRITE / 2 };

enum { TAC_HATCH_PHASES = 64 }; /* steps into which the distance of two hatch lines is divided */

typedef struct tacHatchLines { /* how much a line covers of a pixel, by the place between two lines */
    bool known;
    uint8_t cover[TAC_HATCH_PHASES];
    double perPixel; /* places a pixel */
} tacHatchLines;

/* What has been made for forms of one scale: for one display, or kept for all that are painted. It begins zeroed. */
typedef struct tacLooks {
    double scale; /* pixels a point; 0: nothing was made */
    tacSprite sprites[TAC_SPRITES];
    tacStamp stamps[TAC_STAMPS];
    int nextSprite, nextStamp;         /* to be replaced when another one is needed */
    tacHatchLines lines[TAC_PATTERNS]; /* made when met */
} tacLooks;

typedef struct tacRaster {
    cairo_surface_t *surface; /* NULL: cairo paints everything */
    uint32_t *pixels;
    int stride;           /* pixels from row to row */
    int x0, y0, x1, y1;   /* box of the pixels that may be painted */
    double scale, dx, dy; /* from points to pixels; dx dy are whole */
    tacLooks *looks;
    tacDottedLine dots[TAC_DOTTED]; /* waiting to be drawn together */
    int nDots;
    uint32_t dotInk;
    double dotPeriod; /* pixels */
} tacRaster;

/* Prepares to paint into cairo's image, at so many pixels a point; surface stays NULL if cairo does not paint into an
 * image, or its clip is no rectangle. The looks are used as long as the raster is. */
void tacRasterInit(tacRaster *raster, cairo_t *cr, double pixels, tacLooks *looks);

/* Paint the fill, the hatch, the outline of a RECT. */
void tacRasterFill(tacRaster *raster, const tacItem *rect);
void tacRasterHatch(tacRaster *raster, const tacItem *rect);
void tacRasterOutline(tacRaster *raster, const tacItem *rect);
/* Paints a LINE with its heads; false: it is neither upright nor level, or its heads are too large. */
bool tacRasterLine(tacRaster *raster, const tacItem *line);
/* Paints a PATH that is a band: an upper edge from left to right and a lower one back over the same places; false: it
 * is none. */
bool tacRasterBand(tacRaster *raster, const tacItem *path, const tacPoint *points);
/* Paints a PATH whose `band` is set. Edges to the left and right lie on whole pixels, upper edges are soft. */
void tacRasterSteps(tacRaster *raster, const tacItem *path, const tacPoint *points);
/*
 * The stamp of a SHAPE that is no letter. *fresh: its pixels are all transparent and must be drawn first. NULL: the
 * mark is too large.
 */
tacStamp *tacRasterStampOf(tacRaster *raster, const tacItem *mark, bool *fresh);
void tacRasterStamp(tacRaster *raster, const tacStamp *stamp, const tacItem *mark);
void tacRasterDone(tacRaster *raster); /* to be called before cairo paints again, and between lines and rectangles */

#endif
