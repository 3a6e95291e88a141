/*
 * screen.h -- pixels to a Tk window: the few functions that a platform has to have (unix/screen.c).
 *
 * A screen puts areas of pictures into a window. There is no copy of the window on the side of the window system, so
 * what was covered is put again when it is exposed. A pixel that lies in what is put is changed once, from its last
 * colour to its next one: things that lie over a picture are drawn over it in memory, and their areas are spared when
 * the rest is put. All lengths are pixels; areas may reach beyond the window. Files that include this include <tk.h>
 * first.
 */
#ifndef TAC_TK_SCREEN_H
#define TAC_TK_SCREEN_H

#include "base/error.h"

typedef struct tacScreen tacScreen;

typedef struct tacArea {
    int x, y, width, height;
} tacArea; /* empty when width or height is not above 0 */

/* A picture in memory, as cairo has it: a pixel is 0x..RRGGBB in a uint32_t of this machine. */
typedef struct tacPixels {
    unsigned char *at;
    int width, height; /* pixels */
    int stride;        /* bytes from a row to the next */
} tacPixels;

/* Loads the libraries of the window system, once, before anything else here is called. TAC_ERROR: LIBRARY. */
tacStatus tacScreenNeed(tacError *err);

/* Makes the screen of a window that exists (Tk_MakeWindowExist). NULL: no memory. */
tacScreen *tacScreenNew(Tk_Window window);
void tacScreenFree(tacScreen *screen); /* NULL is fine */

/*
 * Gives the memory of a canvas of this size, ready to be drawn into. A canvas is a picture in memory; a screen has one
 * of each kind. Where possible, the window system reads it by itself, so putting from it is quick; then this waits
 * until all that was put has been read. The content is kept as long as the size is. It is freed with the screen. False:
 * no memory, and no canvas of this kind any more.
 */
typedef enum tacCanvas { TAC_CANVAS_FRAME, TAC_CANVAS_OVERLAID, TAC_CANVASES } tacCanvas;
bool tacScreenCanvas(tacScreen *screen, tacCanvas kind, int width, int height, tacPixels *pixels);
/* Puts the area of `pixels`, a canvas or any other, at x y of the window. */
void tacScreenPut(tacScreen *screen, const tacPixels *pixels, tacArea area, int x, int y);
/* Draws the focus highlight of Tk's widgets, in a colour. */
void tacScreenHighlight(tacScreen *screen, XColor *color, int width);
/* Lets pictures that are put from now on leave these areas of the window as they are; n is 0: none. */
void tacScreenSpare(tacScreen *screen, const tacArea *areas, size_t n);
/* Waits until the window system has done all of it: for measurements. */
void tacScreenSync(tacScreen *screen);

/* Pixels a point, as `tk scaling` says. */
double tacScreenScaling(Tk_Window window);

static inline bool tacAreaEmpty(tacArea a) { return a.width <= 0 || a.height <= 0; }

/* A place within the numbers of an int: scripts may say any. */
static inline int tacWithinInt(int64_t n) { return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : (int) n; }
static inline int tacAreaEnd(int at, int size) { return tacWithinInt((int64_t) at + size); }
static inline int tacAreaLength(int from, int to) { return tacWithinInt((int64_t) to - from); }

static inline tacArea tacAreaCommon(tacArea a, tacArea b) {
    int x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int aRight = tacAreaEnd(a.x, a.width), bRight = tacAreaEnd(b.x, b.width), x1 = aRight < bRight ? aRight : bRight;
    int aBottom = tacAreaEnd(a.y, a.height), bBottom = tacAreaEnd(b.y, b.height),
        y1 = aBottom < bBottom ? aBottom : bBottom;
    return (tacArea){x0, y0, tacAreaLength(x0, x1), tacAreaLength(y0, y1)};
}

/* The smallest area around both; an empty one does not count. */
static inline tacArea tacAreaAround(tacArea a, tacArea b) {
    if (tacAreaEmpty(a)) return b;
    if (tacAreaEmpty(b)) return a;
    int x0 = a.x < b.x ? a.x : b.x, y0 = a.y < b.y ? a.y : b.y;
    int x1 = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    int y1 = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (tacArea){x0, y0, x1 - x0, y1 - y0};
}

#endif
