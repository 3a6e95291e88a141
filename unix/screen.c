/*
 * screen.c -- puts pixels into a window of the X server: XPutImage, straight into the window.
 *
 * The usual visual has pixels of 32 bits with 8 bits a colour, as cairo's: then a picture is sent as it is, or not sent
 * at all when it is large and in a canvas that the server reads by itself (screenShared.h). On other visuals each pixel
 * is converted: by the masks of a true colour visual, else to a colour that Tk finds for it.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/late.h"
#include "base/mem.h"
#include "screenShared.h"
#include "tk/screen.h"

enum {
    COLORS = 1 << 12,   /* of visuals without masks: four bits for each of red, green and blue */
    SENT_MOST = 1 << 16 /* bytes; so few are sent even from shared memory, without waiting until they have been read */
};

/* Memory for a picture. It grows by much, so that a window that is being resized does not need more at each step. */
typedef struct Canvas {
    tacShared shared;   /* bytes 0: not shared */
    unsigned char *own; /* when it is not shared */
    size_t bytes;       /* of either; 0: none */
    bool reading;       /* the server was asked to read it, and may not have done so yet */
} Canvas;

struct tacScreen {
    Tk_Window window;
    Display *display;
    GC gc;
    bool direct;  /* the visual's pixels are cairo's */
    bool sharing; /* the server can read memory of this process, or this has not been tried yet */
    Canvas canvases[TAC_CANVASES];
    XColor **colors; /* by four bits of red, green, blue; NULL elements: not asked for yet. NULL: not needed */
};

static bool hasMasks(const Visual *visual) { return visual->red_mask && visual->green_mask && visual->blue_mask; }

/* ---- visuals that are not cairo's ------------------------------------------------------------------------------- */

/* The upper bits of an eight-bit share, at the mask's place. */
static unsigned long maskShare(unsigned long share, unsigned long mask) {
    int shift = __builtin_ctzl(mask), bits = __builtin_popcountl(mask);
    unsigned long scaled = bits >= 8 ? share << (bits - 8) : share >> (8 - bits);
    return scaled << shift & mask;
}

/* The pixel of the colour that Tk finds for it. */
static unsigned long foundPixel(tacScreen *screen, uint32_t rgb) {
    unsigned red = rgb >> 20 & 0xF, green = rgb >> 12 & 0xF, blue = rgb >> 4 & 0xF;
    XColor **color = &screen->colors[red << 8 | green << 4 | blue];
    if (!*color) {
        XColor wanted = {.red = (unsigned short) (red * 0x1111),
            .green = (unsigned short) (green * 0x1111),
            .blue = (unsigned short) (blue * 0x1111)};
        *color = Tk_GetColorByValue(screen->window, &wanted);
    }
    return *color ? (*color)->pixel : 0;
}

/* The pixel of a colour on a visual that is not cairo's. */
static unsigned long pixelOf(tacScreen *screen, const Visual *visual, uint32_t rgb) {
    if (!hasMasks(visual)) return foundPixel(screen, rgb);
    return maskShare(rgb >> 16 & 0xFF, visual->red_mask) | maskShare(rgb >> 8 & 0xFF, visual->green_mask)
        | maskShare(rgb & 0xFF, visual->blue_mask);
}

/* Writes the pixels of an area into an image of the visual. */
static void convert(tacScreen *screen, const tacPixels *pixels, tacArea area, XImage *image) {
    Visual *visual = Tk_Visual(screen->window);
    for (int y = 0; y < area.height; y++) {
        const uint32_t *row = (const uint32_t *) (const void *) (pixels->at
                                  + (size_t) (area.y + y) * (size_t) pixels->stride)
            + area.x;
        uint32_t last = ~row[0];
        unsigned long pixel = 0;
        for (int x = 0; x < area.width; x++) {
            if (row[x] != last) pixel = pixelOf(screen, visual, last = row[x]);
            XPutPixel(image, x, y, pixel);
        }
    }
}

/* ---- a screen and its picture ------------------------------------------------------------------------------------ */

const tacScreenCalls *tacScreenX;

TAC_OPTIONAL extern const tacScreenCalls tacScreenTable;

tacStatus tacScreenNeed(tacError *err) {
    char why[TAC_LATE_TEXT];
    if (!tacScreenX)
        tacScreenX = &tacScreenTable ? &tacScreenTable : tacLate("libtactusdraw.so", "tacScreenTable", why);
    return tacScreenX ? TAC_OK : tacFail(err, "LIBRARY", "%s", why);
}

tacScreen *tacScreenNew(Tk_Window window) {
    tacScreen *screen = tacAllocZero(1, sizeof *screen);
    if (!screen) return NULL;
    XGCValues values = {.graphics_exposures = False};
    const Visual *visual = Tk_Visual(window);
    screen->window = window;
    screen->display = Tk_Display(window);
    screen->gc = XCreateGC(screen->display, Tk_WindowId(window), GCGraphicsExposures, &values); /* its clip changes */
    screen->direct = Tk_Depth(window) >= 24 && visual->red_mask == 0xFF0000 && visual->green_mask == 0xFF00
        && visual->blue_mask == 0xFF;
    screen->sharing = screen->direct;
    return screen;
}

static void dropCanvas(tacScreen *screen, Canvas *canvas) {
    tacSharedFree(&canvas->shared, screen->display);
    tacFree(canvas->own);
    *canvas = (Canvas){.bytes = 0};
}

void tacScreenFree(tacScreen *screen) {
    if (!screen) return;
    for (int kind = 0; kind < TAC_CANVASES; kind++) dropCanvas(screen, &screen->canvases[kind]);
    XFreeGC(screen->display, screen->gc);
    for (int i = 0; screen->colors && i < COLORS; i++)
        if (screen->colors[i]) Tk_FreeColor(screen->colors[i]);
    tacFree(screen->colors);
    tacFree(screen);
}

/* ---- canvases --------------------------------------------------------------------------------------------------- */

bool tacScreenCanvas(tacScreen *screen, tacCanvas kind, int width, int height, tacPixels *pixels) {
    Canvas *canvas = &screen->canvases[kind];
    size_t bytes = 4 * (size_t) width * (size_t) height;
    if (bytes > canvas->bytes) {
        size_t most = bytes + bytes / 4;
        dropCanvas(screen, canvas);
        screen->sharing = screen->sharing && tacSharedNew(&canvas->shared, screen->window, screen->gc, most);
        if (!screen->sharing) canvas->own = tacAlloc(most);
        if (!screen->sharing && !canvas->own) return false;
        canvas->bytes = most;
    }
    if (canvas->reading) {
        tacScreenSync(screen);
        for (int other = 0; other < TAC_CANVASES; other++) screen->canvases[other].reading = false;
    }
    unsigned char *at = canvas->own ? canvas->own : (unsigned char *) canvas->shared.segment.shmaddr;
    *pixels = (tacPixels){at, width, height, 4 * width};
    return true;
}

/* The canvas that holds the pixels and is shared with the server; NULL: none. */
static Canvas *sharedOf(tacScreen *screen, const tacPixels *pixels) {
    for (int kind = 0; kind < TAC_CANVASES; kind++) {
        Canvas *canvas = &screen->canvases[kind];
        if (canvas->shared.bytes && pixels->at == (unsigned char *) canvas->shared.segment.shmaddr) return canvas;
    }
    return NULL;
}

/* ---- putting ---------------------------------------------------------------------------------------- */

/* Puts an area of pixels, each converted. */
static void putConverted(tacScreen *screen, const tacPixels *pixels, tacArea area, int x, int y) {
    if (!hasMasks(Tk_Visual(screen->window)) && !screen->colors) {
        screen->colors = tacAllocZero(COLORS, sizeof *screen->colors);
        if (!screen->colors) return;
    }
    XImage *image = XCreateImage(screen->display, Tk_Visual(screen->window), (unsigned) Tk_Depth(screen->window),
        ZPixmap, 0, NULL, (unsigned) area.width, (unsigned) area.height, 32, 0);
    if (!image) return;
    image->data = tacAllocZero((size_t) area.height, (size_t) image->bytes_per_line);
    if (image->data) {
        convert(screen, pixels, area, image);
        XPutImage(screen->display, Tk_WindowId(screen->window), screen->gc, image, 0, 0, x, y, (unsigned) area.width,
            (unsigned) area.height);
    }
    tacFree(image->data);
    image->data = NULL;
    XDestroyImage(image);
}

/* Puts an area of pixels as they are. */
static void putDirect(tacScreen *screen, const tacPixels *pixels, tacArea area, int x, int y) {
    static const union {
        uint16_t word;
        unsigned char first;
    } order = {1};
    XImage image = {.width = pixels->width,
        .height = pixels->height,
        .format = ZPixmap,
        .data = (char *) pixels->at,
        .byte_order = order.first ? LSBFirst : MSBFirst,
        .bitmap_unit = 32,
        .bitmap_bit_order = order.first ? LSBFirst : MSBFirst,
        .bitmap_pad = 32,
        .depth = Tk_Depth(screen->window),
        .bytes_per_line = pixels->stride,
        .bits_per_pixel = 32,
        .red_mask = 0xFF0000,
        .green_mask = 0xFF00,
        .blue_mask = 0xFF};
    if (!XInitImage(&image)) return;
    Canvas *shared = (size_t) area.width * (size_t) area.height * 4 > SENT_MOST ? sharedOf(screen, pixels) : NULL;
    if (shared) {
        image.obdata = (char *) &shared->shared.segment;
        shared->reading = XShmPutImage(screen->display, Tk_WindowId(screen->window), screen->gc, &image, area.x, area.y,
            x, y, (unsigned) area.width, (unsigned) area.height, False);
        XFlush(screen->display); /* the server copies it while this process goes on */
    } else
        XPutImage(screen->display, Tk_WindowId(screen->window), screen->gc, &image, area.x, area.y, x, y,
            (unsigned) area.width, (unsigned) area.height);
}

void tacScreenPut(tacScreen *screen, const tacPixels *pixels, tacArea area, int x, int y) {
    /* The part of the area that is in the source, and in the window when it is put at x, y. */
    tacArea fits = tacAreaCommon(area, (tacArea){0, 0, pixels->width, pixels->height});
    fits = tacAreaCommon(fits, (tacArea){area.x - x, area.y - y, Tk_Width(screen->window), Tk_Height(screen->window)});
    if (tacAreaEmpty(fits)) return;
    (screen->direct ? putDirect : putConverted)(screen, pixels, fits, x + fits.x - area.x, y + fits.y - area.y);
}

/* Adds the part of an area that lies in the window to a region. */
static void addArea(const tacScreen *screen, Region region, tacArea area) {
    area = tacAreaCommon(area, (tacArea){0, 0, Tk_Width(screen->window), Tk_Height(screen->window)});
    if (tacAreaEmpty(area)) return;
    XRectangle rectangle = {(short) area.x, (short) area.y, (unsigned short) area.width, (unsigned short) area.height};
    XUnionRectWithRegion(&rectangle, region, region);
}

void tacScreenSpare(tacScreen *screen, const tacArea *areas, size_t n) {
    XSetClipMask(screen->display, screen->gc, None);
    if (n == 0) return;
    Region spared = XCreateRegion(), rest = XCreateRegion();
    if (spared && rest) {
        for (size_t i = 0; i < n; i++) addArea(screen, spared, areas[i]);
        addArea(screen, rest, (tacArea){0, 0, INT16_MAX, INT16_MAX});
        XSubtractRegion(rest, spared, rest);
        XSetRegion(screen->display, screen->gc, rest);
    }
    if (spared) XDestroyRegion(spared);
    if (rest) XDestroyRegion(rest);
}

void tacScreenHighlight(tacScreen *screen, XColor *color, int width) {
    Drawable window = Tk_WindowId(screen->window);
    if (width > 0) Tk_DrawFocusHighlight(screen->window, Tk_GCForColor(color, window), width, window);
}

void tacScreenSync(tacScreen *screen) { XSync(screen->display, False); }

double tacScreenScaling(Tk_Window window) {
    double millimetres = WidthMMOfScreen(Tk_Screen(window)), pixels = WidthOfScreen(Tk_Screen(window));
    double scaling = millimetres > 0 ? pixels / millimetres * 25.4 / 72 : 1;
    return scaling > 0.1 ? scaling < 40 ? scaling : 40 : 0.1;
}
