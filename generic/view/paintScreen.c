/*
 * paintScreen.c -- rectangles, hatches, strokes, arrow heads, marks and bands into 32-bit pixels.
 *
 *      tacRasterInit   finds whether the pixels of cairo's surface can be written, and in which rectangle
 *      rectangles      edges to whole pixels -> fill; hatches by a table of covers
 *      lines           dotted upright ones are collected and drawn together, row by row of dots
 *      heads, marks    sprites and stamps that are made once for each look
 *      tacRasterDone   cairo may paint again
 */
#include "base/port.h"

#include "view/paintScreen.h"

#include <math.h>
#include <string.h>

/* ---- pixels ----------------------------------------------------------------------------------------------------- */

static bool isWhole(double v) { return fabs(v - round(v)) < 1e-6; }

/* Sets the clip in pixels; false: it is not one rectangle. */
static bool getClip(tacRaster *r, cairo_t *cr) {
    cairo_rectangle_list_t *list = cairo_copy_clip_rectangle_list(cr);
    bool one = list->status == CAIRO_STATUS_SUCCESS && list->num_rectangles == 1;
    if (one) {
        const cairo_rectangle_t *clip = list->rectangles;
        double x0 = clip->x * r->scale + r->dx, y0 = clip->y * r->scale + r->dy;
        r->x0 = (int) round(x0), r->y0 = (int) round(y0);
        r->x1 = (int) round(x0 + clip->width * r->scale), r->y1 = (int) round(y0 + clip->height * r->scale);
    }
    cairo_rectangle_list_destroy(list);
    return one;
}

void tacRasterInit(tacRaster *r, cairo_t *cr, double pixels, tacLooks *looks) {
    cairo_surface_t *surface = cairo_get_group_target(cr);
    cairo_matrix_t m;
    memset(r, 0, sizeof *r);
    cairo_get_matrix(cr, &m);
    bool plain = m.xx == m.yy && fabs(m.xx - pixels) < 1e-9 && m.xy == 0 && m.yx == 0 && isWhole(m.x0) && isWhole(m.y0);
    if (!plain || cairo_surface_get_type(surface) != CAIRO_SURFACE_TYPE_IMAGE
        || cairo_status(cr) != CAIRO_STATUS_SUCCESS)
        return;
    cairo_format_t format = cairo_image_surface_get_format(surface);
    double offsetX, offsetY;
    cairo_surface_get_device_offset(surface, &offsetX, &offsetY);
    if ((format != CAIRO_FORMAT_RGB24 && format != CAIRO_FORMAT_ARGB32) || offsetX != 0 || offsetY != 0) return;
    r->scale = pixels, r->dx = round(m.x0), r->dy = round(m.y0);
    if (!getClip(r, cr)) return;
    int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
    r->x0 = r->x0 > 0 ? r->x0 : 0, r->y0 = r->y0 > 0 ? r->y0 : 0;
    r->x1 = r->x1 < width ? r->x1 : width, r->y1 = r->y1 < height ? r->y1 : height;
    cairo_surface_flush(surface);
    r->pixels = (uint32_t *) (void *) cairo_image_surface_get_data(surface);
    r->stride = cairo_image_surface_get_stride(surface) / 4;
    r->surface = r->pixels ? surface : NULL;
    r->looks = looks;
    if (looks->scale != pixels) memset(looks, 0, sizeof *looks);
    looks->scale = pixels;
}

static int clampTo(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

/* The pixel edge nearest to a place, within a million pixels; NaN becomes the least. */
static int edgeOf(double v) { return v > -1e6 ? v < 1e6 ? (int) (v + 1000000.5) - 1000000 : 1000000 : -1000000; }
static int edgeX(const tacRaster *r, double x) { return edgeOf(x * r->scale + r->dx); }
static int edgeY(const tacRaster *r, double y) { return edgeOf(y * r->scale + r->dy); }

typedef int32_t Four __attribute__((vector_size(16)));

static void fill(tacRaster *r, int x0, int y0, int x1, int y1, uint32_t rgb) {
    uint32_t pixel = rgb | 0xFF000000u;
    uint64_t two = (uint64_t) pixel << 32 | pixel;
    x0 = clampTo(x0, r->x0, r->x1), x1 = clampTo(x1, r->x0, r->x1);
    y0 = clampTo(y0, r->y0, r->y1), y1 = clampTo(y1, r->y0, r->y1);
    int n = x1 - x0;
    uint32_t *at = r->pixels + (ptrdiff_t) y0 * r->stride + x0;
    if (n == 1) {
        for (int y = y0; y < y1; y++, at += r->stride) *at = pixel;
    } else if (n > 1 && n <= 4) { /* most bars of a crowded frame: two pairs, which overlap */
        for (int y = y0; y < y1; y++, at += r->stride) {
            memcpy(at, &two, sizeof two);
            memcpy(at + n - 2, &two, sizeof two);
        }
    } else if (n > 4 && n <= 8) {
        const Four four = {(int) pixel, (int) pixel, (int) pixel, (int) pixel};
        for (int y = y0; y < y1; y++, at += r->stride) {
            memcpy(at, &four, sizeof four);
            memcpy(at + n - 4, &four, sizeof four);
        }
    } else {
        for (int y = y0; y < y1; y++, at += r->stride)
            for (int x = 0; x < n; x++) at[x] = pixel;
    }
}

enum { PART = 256 }; /* parts of a pixel: how much of it a colour takes */

/* Mixes a colour into a pixel, two channels by one multiplication. */
static inline void mix(uint32_t *at, uint32_t rgb, uint32_t share) {
    uint32_t rest = PART - share, old = *at;
    uint32_t redBlue = ((rgb & 0xFF00FF) * share + (old & 0xFF00FF) * rest) >> 8 & 0xFF00FF;
    uint32_t green = ((rgb & 0x00FF00) * share + (old & 0x00FF00) * rest) >> 8 & 0x00FF00;
    *at = 0xFF000000u | redBlue | green;
}

/* The same for a share in 255. */
static inline void blend(uint32_t *at, uint32_t rgb, uint32_t cover) { mix(at, rgb, cover + (cover >> 7)); }

typedef uint16_t Eight __attribute__((vector_size(16))); /* channels of four pixels, every other one */

static Eight eightOf(uint32_t channels) {
    return (Eight) (Four){(int) channels, (int) channels, (int) channels, (int) channels};
}

/* Four pixels into which a colour is mixed: its red and blue, its green (and alpha), its share for each channel. */
static inline Eight mixed(Eight old, Eight redBlue, Eight green, Eight share) {
    const Eight low = eightOf(0xFF00FF), rest = eightOf(PART | PART << 16) - share;
    return (((old & low) * rest + redBlue * share) >> 8) | (((old >> 8) * rest + green * share) & ~low);
}

static int strokePixels(const tacRaster *r, float width) {
    double pixels = width * r->scale + 0.5;
    return pixels < 2 ? 1 : pixels < 1e6 ? (int) pixels : 1000000;
}

/* The first pixel of a stroke around a place; the middle pixel of an odd number has the place in it. */
static int strokeFrom(double place, int width) { return edgeOf(width % 2 ? place - 0.5 : place) - width / 2; }

/* ---- rectangles ------------------------------------------------------------------------------------------------- */

typedef struct Area {
    int x0, y0, x1, y1;
} Area;

static Area areaOf(const tacRaster *r, const tacItem *rect) {
    tacBox box = tacRectBox(rect);
    Area a = {edgeX(r, box.x0), edgeY(r, box.y0), edgeX(r, box.x1), edgeY(r, box.y1)};
    a.x1 = a.x1 > a.x0 ? a.x1 : a.x0 + 1;
    a.y1 = a.y1 > a.y0 ? a.y1 : a.y0 + 1;
    return a;
}

void tacRasterFill(tacRaster *r, const tacItem *rect) {
    Area a = areaOf(r, rect);
    fill(r, a.x0, a.y0, a.x1, a.y1, rect->fill);
}

/* Strokes a rectangle as cairo would: half of the stroke lies outside of the edge. */
void tacRasterOutline(tacRaster *r, const tacItem *rect) {
    int width = strokePixels(r, rect->width);
    tacBox box = tacRectBox(rect);
    int x0 = strokeFrom(box.x0 * r->scale + r->dx, width), x1 = strokeFrom(box.x1 * r->scale + r->dx, width);
    int y0 = strokeFrom(box.y0 * r->scale + r->dy, width), y1 = strokeFrom(box.y1 * r->scale + r->dy, width);
    fill(r, x0, y0, x1 + width, y0 + width, rect->outline);
    fill(r, x0, y1, x1 + width, y1 + width, rect->outline);
    if (width == 1 && x0 >= r->x0 && x1 < r->x1) { /* nearly all */
        int end = y1 < r->y1 ? y1 : r->y1;
        for (int y = y0 + 1 > r->y0 ? y0 + 1 : r->y0; y < end; y++) {
            uint32_t *at = r->pixels + (ptrdiff_t) y * r->stride;
            at[x0] = at[x1] = rect->outline | 0xFF000000u;
        }
        return;
    }
    fill(r, x0, y0 + width, x0 + width, y1, rect->outline);
    fill(r, x1, y0 + width, x1 + width, y1, rect->outline);
}

/* ---- hatches ---------------------------------------------------------------------------------------------------- */

/* The covers of a pattern of lines. */
static const tacHatchLines *linesOf(tacRaster *r, tacPattern pattern) {
    const tacHatchForm *form = tacHatchFormOf(pattern);
    tacHatchLines *l = &r->looks->lines[pattern];
    if (l->known) return l;
    double period = form->step * r->scale, slant = form->a && form->b ? sqrt(0.5) : 1, width = form->width * r->scale;
    for (int i = 0; i < TAC_HATCH_PHASES; i++) {
        double place = (i + 0.5) / TAC_HATCH_PHASES, distance = fmin(place, 1 - place) * period * slant;
        double cover = fmin(fmax(width / 2 + 0.5 - distance, 0), fmin(width, 1));
        l->cover[i] = (uint8_t) lround(255 * cover);
    }
    l->perPixel = TAC_HATCH_PHASES / period;
    l->known = true;
    return l;
}

static void hatchLines(tacRaster *r, tacPattern pattern, Area a, uint32_t ink) {
    const tacHatchForm *form = tacHatchFormOf(pattern);
    const tacHatchLines *l = linesOf(r, pattern);
    for (int y = a.y0; y < a.y1; y++) {
        uint32_t *at = r->pixels + (ptrdiff_t) y * r->stride;
        double first = (form->a * (a.x0 + 0.5 - r->dx) + form->b * (y + 0.5 - r->dy)) * l->perPixel;
        uint32_t place = (uint32_t) (int64_t) floor(first * 65536),
                 step = (uint32_t) lround(form->a * l->perPixel * 65536);
        for (int x = a.x0; x < a.x1; x++, place += step) {
            uint32_t cover = l->cover[place >> 16 & (TAC_HATCH_PHASES - 1)];
            if (cover) blend(&at[x], ink, cover);
        }
    }
}

/* Size of a dot in whole pixels, so that all rows of dots are equally high. */
static double dotSize(const tacRaster *r, const tacHatchForm *form) { return fmax(1, round(form->step * r->scale)); }

static void hatchDots(tacRaster *r, tacPattern pattern, Area a, uint32_t ink) {
    const tacHatchForm *form = tacHatchFormOf(pattern);
    double dot = dotSize(r, form);
    for (int y = a.y0; y < a.y1; y++) {
        int64_t row = (int64_t) floor((y + 0.5 - r->dy) / dot);
        if (row % form->every) continue;
        int64_t shift = (row / form->every) & 1 ? form->period / 2 : 0;
        uint32_t *at = r->pixels + (ptrdiff_t) y * r->stride;
        for (int x = a.x0; x < a.x1; x++) {
            int64_t column = (int64_t) floor((x + 0.5 - r->dx) / dot) + shift;
            if (((column % form->period) + form->period) % form->period < form->on) at[x] = ink | 0xFF000000u;
        }
    }
}

/* Darkens an area that lines or dots could miss as much as the hatch does on the whole. */
static void hatchNarrow(tacRaster *r, tacPattern pattern, Area a, uint32_t ink) {
    const tacHatchForm *form = tacHatchFormOf(pattern);
    double share = form->period ? (double) form->on / form->period / form->every : form->width / form->step;
    uint32_t cover = (uint32_t) lround(255 * fmin(1.5 * share, 1));
    for (int y = a.y0; y < a.y1; y++)
        for (int x = a.x0; x < a.x1; x++) blend(r->pixels + (ptrdiff_t) y * r->stride + x, ink, cover);
}

void tacRasterHatch(tacRaster *r, const tacItem *rect) {
    const tacHatchForm *form = tacHatchFormOf((tacPattern) rect->pattern);
    Area a = areaOf(r, rect);
    double step = form->step * r->scale, dot = dotSize(r, form);
    int width = a.x1 - a.x0, height = a.y1 - a.y0;
    bool narrow = form->period
        ? width < form->period * dot || height < 2 * form->every * dot
        : width + height < 1.5 * step || (!form->b && width < step) || (!form->a && height < step);
    a.x0 = clampTo(a.x0, r->x0, r->x1), a.x1 = clampTo(a.x1, r->x0, r->x1);
    a.y0 = clampTo(a.y0, r->y0, r->y1), a.y1 = clampTo(a.y1, r->y0, r->y1);
    (narrow ? hatchNarrow : form->period ? hatchDots : hatchLines)(r, (tacPattern) rect->pattern, a, rect->ink);
}

/* ---- arrow heads ------------------------------------------------------------------------------------------------ */

/* Is the place in the arrow head, by the even-odd rule? */
static bool inHead(const tacPoint *p, double x, double y) {
    bool inside = false;
    for (int i = 0, k = 3; i < 4; k = i++)
        if ((p[i].y > y) != (p[k].y > y) && x < (p[k].x - p[i].x) * (y - p[i].y) / (p[k].y - p[i].y) + p[i].x)
            inside = !inside;
    return inside;
}

/* Fills a sprite: counts for each pixel how many of four by four places in it are in the head. */
static void makeSprite(tacSprite *sprite, const tacPoint head[4]) {
    enum { PARTS = 4 };
    sprite->y0 = TAC_SPRITE;
    sprite->y1 = 0;
    for (uint8_t y = 0; y < TAC_SPRITE; y++) {
        sprite->x0[y] = TAC_SPRITE;
        sprite->x1[y] = 0;
        for (uint8_t x = 0; x < TAC_SPRITE; x++) {
            int n = 0;
            for (int i = 0; i < PARTS * PARTS; i++)
                n += inHead(head, x + (i % PARTS + 0.5) / PARTS, y + ((double) (i / PARTS) + 0.5) / PARTS);
            sprite->share[y][x] = (uint32_t) (n * PART / (PARTS * PARTS)) * 0x10001;
            if (!n) continue;
            if (x < sprite->x0[y]) sprite->x0[y] = x;
            if (y < sprite->y0) sprite->y0 = y;
            sprite->x1[y] = (uint8_t) (x + 1);
            sprite->y1 = (uint8_t) (y + 1);
        }
    }
}

/* A length in pixels without what rounding has left in it: a head looks the same wherever it is met first. */
static float inParts(float pixels) { return roundf(64 * pixels) / 64; }

/* The sprite of a head, made if it is new. The tip lies at its middle, the axis where that of the line is. */
static tacSprite *spriteOf(tacRaster *r, const tacArrow *arrow, int which, int dx, int dy, float center) {
    const tacPoint *head = arrow->heads[which];
    tacLooks *looks = r->looks;
    float length = inParts(fabsf(dx ? (head[1].x + head[3].x) / 2 - head[0].x : (head[1].y + head[3].y) / 2 - head[0].y)
        * (float) r->scale);
    for (int i = 0; i < TAC_SPRITES; i++) {
        tacSprite *sprite = &looks->sprites[i];
        if (sprite->dx == dx && sprite->dy == dy && sprite->length == length && sprite->center == center) return sprite;
    }
    tacSprite *sprite = &looks->sprites[looks->nextSprite++ % TAC_SPRITES];
    float middle = TAC_SPRITE / 2, acrossX = dy ? center : 0, acrossY = dx ? center : 0;
    tacPoint points[4];
    for (int i = 0; i < 4; i++) {
        points[i].x = middle + acrossX + inParts((head[i].x - head[0].x) * (float) r->scale);
        points[i].y = middle + acrossY + inParts((head[i].y - head[0].y) * (float) r->scale);
    }
    sprite->dx = (int8_t) dx, sprite->dy = (int8_t) dy;
    sprite->length = length, sprite->center = center;
    makeSprite(sprite, points);
    return sprite;
}

/* Draws a sprite that lies wholly where may be painted, four pixels at a time. */
static void drawWhole(tacRaster *r, const tacSprite *sprite, int left, int top, uint32_t ink) {
    const Eight redBlue = eightOf(ink & 0xFF00FF), green = eightOf(0xFF0000 | (ink >> 8 & 0xFF));
    uint32_t *at = r->pixels + (ptrdiff_t) (top + sprite->y0) * r->stride + left;
    for (int y = sprite->y0; y < sprite->y1; y++, at += r->stride) {
        for (int x = sprite->x0[y]; x < sprite->x1[y]; x += 4) {
            Eight old, share;
            memcpy(&old, at + x, sizeof old);
            memcpy(&share, &sprite->share[y][x], sizeof share);
            old = mixed(old, redBlue, green, share);
            memcpy(at + x, &old, sizeof old);
        }
    }
}

static void drawSprite(tacRaster *r, const tacSprite *sprite, int tipX, int tipY, uint32_t ink) {
    int left = tipX - TAC_SPRITE / 2, top = tipY - TAC_SPRITE / 2;
    if (left >= r->x0 && left + TAC_SPRITE + 4 <= r->x1 && top + sprite->y0 >= r->y0 && top + sprite->y1 <= r->y1) {
        drawWhole(r, sprite, left, top, ink);
        return;
    }
    int y0 = clampTo(top + sprite->y0, r->y0, r->y1), y1 = clampTo(top + sprite->y1, r->y0, r->y1);
    for (int y = y0; y < y1; y++) {
        const uint32_t *shares = sprite->share[y - top];
        int x0 = clampTo(left + sprite->x0[y - top], r->x0, r->x1), x1 = left + sprite->x1[y - top];
        uint32_t *at = r->pixels + (ptrdiff_t) y * r->stride;
        for (int x = x0; x < x1 && x < r->x1; x++) mix(&at[x], ink, shares[x - left] & 0xFFFF);
    }
}

/* ---- marks ------------------------------------------------------------------------------------------------------ */

tacStamp *tacRasterStampOf(tacRaster *r, const tacItem *mark, bool *fresh) {
    *fresh = false;
    if (!(mark->x1 > 0) || (mark->x1 + 2 * tacStrokeWidth(mark->width)) * r->scale > TAC_SPRITE - 2) return NULL;
    for (int i = 0; i < TAC_STAMPS; i++) {
        const tacItem *look = &r->looks->stamps[i].look;
        if (look->shape == mark->shape && look->x1 == mark->x1 && look->width == mark->width && look->fill == mark->fill
            && look->ink == mark->ink && look->outline == mark->outline)
            return &r->looks->stamps[i];
    }
    tacStamp *stamp = &r->looks->stamps[r->looks->nextStamp++ % TAC_STAMPS];
    memset(stamp->pixels, 0, sizeof stamp->pixels);
    stamp->look = *mark;
    *fresh = true;
    return stamp;
}

/* Puts a stamp's pixel over one of the picture; its colours have been multiplied with its alpha. */
static inline void stampPixel(uint32_t *at, uint32_t pixel) {
    uint32_t alpha = pixel >> 24, rest = 256 - (alpha + (alpha >> 7)), old = *at;
    uint32_t redBlue = (old & 0xFF00FF) * rest >> 8 & 0xFF00FF, green = (old & 0x00FF00) * rest >> 8 & 0x00FF00;
    *at = 0xFF000000u | ((pixel & 0xFFFFFF) + redBlue + green);
}

void tacRasterStamp(tacRaster *r, const tacStamp *stamp, const tacItem *mark) {
    int left = strokeFrom(mark->x0 * r->scale + r->dx, 1) - TAC_STAMP_MIDDLE,
        top = strokeFrom(mark->y0 * r->scale + r->dy, 1) - TAC_STAMP_MIDDLE;
    int x0 = clampTo(left, r->x0, r->x1), x1 = clampTo(left + TAC_SPRITE, r->x0, r->x1);
    int y0 = clampTo(top, r->y0, r->y1), y1 = clampTo(top + TAC_SPRITE, r->y0, r->y1);
    for (int y = y0; y < y1; y++) {
        uint32_t *at = r->pixels + (ptrdiff_t) y * r->stride;
        for (int x = x0; x < x1; x++) {
            uint32_t pixel = stamp->pixels[y - top][x - left];
            if (pixel) stampPixel(&at[x], pixel);
        }
    }
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* Fills a stroke from one end to the other along y (upright) or x; across it, `width` pixels from `across` on. */
static void stretch(tacRaster *r, bool upright, int from, int to, int across, int width, uint32_t ink) {
    if (upright) fill(r, across, from, across + width, to, ink);
    else fill(r, from, across, to, across + width, ink);
}

/*
 * Draws the dotted upright lines that wait. There may be hundreds over the whole height, so they are drawn together,
 * row by row. The dots of all lie on the same rows of the page.
 */
static void drawDots(tacRaster *r) {
    int top = r->y1, bottom = r->y0;
    for (int i = 0; i < r->nDots; i++) {
        top = r->dots[i].from < top ? r->dots[i].from : top;
        bottom = r->dots[i].to > bottom ? r->dots[i].to : bottom;
    }
    for (double row = floor(top / r->dotPeriod) * r->dotPeriod; row < bottom; row += r->dotPeriod) {
        int y = (int) lround(row);
        uint32_t *at = r->pixels + (ptrdiff_t) y * r->stride;
        for (int i = 0; i < r->nDots; i++)
            if (y >= r->dots[i].from && y < r->dots[i].to) at[r->dots[i].x] = r->dotInk;
    }
    r->nDots = 0;
}

/* Adds a dotted upright line to those that wait, which are drawn first if they look different. */
static void addDots(tacRaster *r, double from, double to, double period, int x, uint32_t ink) {
    if (r->nDots == TAC_DOTTED || (r->nDots && (r->dotInk != (ink | 0xFF000000u) || r->dotPeriod != period)))
        drawDots(r);
    if (x < r->x0 || x >= r->x1) return;
    r->dotInk = ink | 0xFF000000u;
    r->dotPeriod = period;
    r->dots[r->nDots++] = (tacDottedLine){x, clampTo(edgeOf(from), r->y0, r->y1), clampTo(edgeOf(to), r->y0, r->y1)};
}

static void dashed(
    tacRaster *r, bool upright, double from, double to, int across, int width, tacDashes dashes, uint32_t ink) {
    double on = dashes.on * r->scale, period = on + dashes.off * r->scale, low = upright ? r->y0 : r->x0,
           high = upright ? r->y1 : r->x1;
    if (from < low) from += floor((low - from) / period) * period;
    to = to < high ? to : high;
    if (upright && width == 1 && on < 1.5 && period >= 1) {
        addDots(r, from, to, period, across, ink);
        return;
    }
    for (double at = from; at < to; at += period) {
        int begin = (int) lround(at), end = (int) lround(fmin(at + on, to));
        stretch(r, upright, begin, end > begin ? end : begin + 1, across, width, ink);
    }
}

static void drawHeads(tacRaster *r, const tacArrow *arrow, bool upright, int across, int width, uint32_t ink) {
    for (int i = 0; i < arrow->nHeads; i++) {
        const tacPoint *head = arrow->heads[i];
        float along = upright ? head[0].y - head[2].y : head[0].x - head[2].x;
        int sign = along < 0 ? -1 : 1, whole = across + width / 2;
        const tacSprite *sprite = spriteOf(r, arrow, i, upright ? 0 : sign, upright ? sign : 0, width % 2 ? 0.5f : 0);
        drawSprite(r, sprite, upright ? whole : edgeX(r, head[0].x), upright ? edgeY(r, head[0].y) : whole, ink);
    }
}

bool tacRasterLine(tacRaster *r, const tacItem *item) {
    bool upright = item->x0 == item->x1;
    tacArrow arrow;
    if (!upright && item->y0 != item->y1) return false;
    if (r->nDots && (item->dash != TAC_DASH_DOTTED || !upright)) drawDots(r);
    tacArrowOf(item, &arrow);
    if (arrow.nHeads && (2.5f + 4 * tacStrokeWidth(item->width)) * r->scale > TAC_SPRITE / 2 - 1) return false;
    uint32_t ink = item->ink == TAC_NO_COLOR ? 0 : item->ink;
    int width = strokePixels(r, item->width),
        across = strokeFrom(upright ? item->x0 * r->scale + r->dx : item->y0 * r->scale + r->dy, width);
    double a = upright ? arrow.from.y * r->scale + r->dy : arrow.from.x * r->scale + r->dx;
    double b = upright ? arrow.to.y * r->scale + r->dy : arrow.to.x * r->scale + r->dx;
    tacDashes dashes = tacDashesOf((tacDash) item->dash, item->width);
    if (dashes.on > 0) dashed(r, upright, fmin(a, b), fmax(a, b), across, width, dashes, ink);
    else stretch(r, upright, edgeOf(fmin(a, b)), edgeOf(fmax(a, b)), across, width, ink);
    drawHeads(r, &arrow, upright, across, width, ink);
    return true;
}

/* ---- bands ------------------------------------------------------------------------------------------------------ */

static bool isBand(const tacItem *path, const tacPoint *points) {
    if (path->fill == TAC_NO_COLOR || path->count < 4 || path->count % 2) return false;
    for (uint32_t i = 0; i < path->count / 2; i++)
        if (!(points[i].x == points[path->count - 1 - i].x) || (i && !(points[i].x >= points[i - 1].x))) return false;
    return true;
}

/* Edges of a band in a column of pixels: upper, lower. */
typedef struct Edges {
    int at[2];
} Edges;

enum { COLUMNS = 512 }; /* of a band, painted together */

/* The upper and lower edge at a place between points i and i + 1. */
static Edges edgesAt(const tacRaster *r, const tacPoint *points, uint32_t n, uint32_t i, double x) {
    Edges edges;
    for (int lower = 0; lower < 2; lower++) {
        tacPoint a = points[lower ? n - 1 - i : i], b = points[lower ? n - 2 - i : i + 1];
        double share = b.x > a.x ? (x - a.x) / (b.x - a.x) : 0;
        edges.at[lower] = edgeY(r, a.y + (share > 0 ? share < 1 ? share : 1 : 0) * (b.y - a.y));
    }
    return edges;
}

/* Fills n columns from x on: what they have in common row by row, the rest column by column. */
static void fillColumns(tacRaster *r, int x, const Edges *edges, int n, uint32_t rgb) {
    int top = INT32_MIN, bottom = INT32_MAX;
    for (int i = 0; i < n; i++) {
        top = edges[i].at[0] > top ? edges[i].at[0] : top;
        bottom = edges[i].at[1] < bottom ? edges[i].at[1] : bottom;
    }
    bottom = bottom > top ? bottom : top;
    fill(r, x, top, x + n, bottom, rgb);
    for (int i = 0; i < n; i++) {
        int upper = edges[i].at[0], lower = edges[i].at[1];
        if (upper < top) fill(r, x + i, upper, x + i + 1, top < lower ? top : lower, rgb);
        if (lower > bottom) fill(r, x + i, bottom, x + i + 1, lower, rgb);
    }
}

/* Draws the edges of n columns from x on: for each the pixels that join it to the column before. */
static void drawEdges(tacRaster *r, int x, const Edges *edges, int n, Edges before, uint32_t ink) {
    for (int i = 0; i < n; before = edges[i++]) {
        for (int lower = 0; lower < 2; lower++) {
            int here = edges[i].at[lower], there = before.at[lower];
            fill(r, x + i, here < there ? here : there, x + i + 1, (here > there ? here : there) + 1, ink);
        }
    }
}

bool tacRasterBand(tacRaster *r, const tacItem *path, const tacPoint *points) {
    if (!isBand(path, points)) return false;
    Edges edges[COLUMNS], before = {{0, 0}};
    uint32_t half = path->count / 2, i = 0;
    int first = clampTo(edgeX(r, points[0].x), r->x0, r->x1), end = clampTo(edgeX(r, points[half - 1].x), r->x0, r->x1);
    end = end > first ? end : first + 1;
    for (int x = first, n = 0; x < end; x += n) {
        for (n = 0; n < COLUMNS && x + n < end; n++) {
            double place = (x + n + 0.5 - r->dx) / r->scale;
            while (i + 2 < half && points[i + 1].x < place) i++;
            edges[n] = edgesAt(r, points, path->count, i, place);
        }
        fillColumns(r, x, edges, n, path->fill);
        if (path->ink != TAC_NO_COLOR) drawEdges(r, x, edges, n, x > first ? before : edges[0], path->ink);
        before = edges[n - 1];
    }
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

enum {
    STEPS = 2048, /* columns painted together */
    NARROW = 8    /* fewer are painted one by one */
};

/*
 * Paints the pixels of one row that lie below the columns' upper edges (tops, in parts of a pixel from the picture's
 * upper edge): all of them, or their share.
 */
static void paintRow(uint32_t *at, const int32_t *tops, int n, int32_t bottom, uint32_t rgb) {
    const Eight redBlue = eightOf(rgb & 0xFF00FF), green = eightOf(0xFF0000 | (rgb >> 8 & 0xFF));
    for (int i = 0; i < n; i += 4) {
        size_t bytes = n - i < 4 ? (size_t) (n - i) * sizeof *at : sizeof(Four);
        Four cover, pixels = {0};
        memcpy(&cover, tops + i, sizeof cover);
        cover = (Four){bottom, bottom, bottom, bottom} - cover;
        cover &= cover > 0;
        cover = (cover & (cover < PART)) | ((cover >= PART) & (Four){PART, PART, PART, PART});
        if (bytes == sizeof pixels) memcpy(&pixels, at + i, sizeof pixels);
        else memcpy(&pixels, at + i, bytes);
        pixels = (Four) mixed((Eight) pixels, redBlue, green, (Eight) (cover | cover << 16));
        if (bytes == sizeof pixels) memcpy(at + i, &pixels, sizeof pixels);
        else memcpy(at + i, &pixels, bytes);
    }
}

/* Paints a column: its upper pixel by its share, the others whole. */
static inline void paintColumn(tacRaster *r, int x, int32_t top, int bottom, uint32_t rgb) {
    int y = (int) ((uint32_t) top / PART);
    if (y >= bottom) return;
    uint32_t *at = r->pixels + (ptrdiff_t) y * r->stride + x;
    mix(at, rgb, PART - (uint32_t) top % PART);
    while (++y < bottom) *(at += r->stride) = 0xFF000000u | rgb;
}

/* The pixel edge nearest to a place, within what may be painted; of a gap the first one. */
static inline int columnOf(const tacRaster *r, float x) {
    double edge = x * r->scale + r->dx + 0.5;
    return edge > r->x0 ? edge < r->x1 ? (int) edge : r->x1 : r->x0;
}

/* A height in parts of a pixel, within what may be painted. */
static inline int32_t heightOf(const tacRaster *r, float y) {
    double top = y * r->scale + r->dy;
    return (int32_t) ((top > r->y0 ? top < r->y1 ? top : r->y1 : r->y0) * PART);
}

/* Paints columns from x on. */
static void paintSteps(tacRaster *r, int x, const int32_t *tops, int n, int bottom, uint32_t rgb) {
    int32_t highest = INT32_MAX, lowest = INT32_MIN;
    if (n < NARROW) {
        for (int i = 0; i < n; i++) paintColumn(r, x + i, tops[i], bottom, rgb);
        return;
    }
    for (int i = 0; i < n; i++) {
        highest = tops[i] < highest ? tops[i] : highest;
        lowest = tops[i] > lowest ? tops[i] : lowest;
    }
    int first = clampTo(highest / PART, r->y0, r->y1), even = clampTo((lowest + PART - 1) / PART, first, bottom);
    for (int y = first; y < even; y++)
        paintRow(r->pixels + (ptrdiff_t) y * r->stride + x, tops, n, (y + 1) * PART, rgb);
    fill(r, x, even, x + n, bottom, rgb);
}

void tacRasterSteps(tacRaster *r, const tacItem *path, const tacPoint *points) {
    int32_t tops[STEPS + 4];
    int bottom = clampTo(edgeY(r, path->y1), r->y0, r->y1), begin = 0, n = 0, next;
    int x = path->count ? columnOf(r, points[0].x) : 0;
    for (uint32_t i = 0; i + 1 < path->count; i++, x = next) { /* from each point to the next, unless one is a gap */
        next = columnOf(r, points[i + 1].x);
        if (next <= x || isnan(points[i].x)) continue;
        int32_t top = heightOf(r, points[i].y);
        while (x < next) {
            if (x != begin + n || n == STEPS) {
                paintSteps(r, begin, tops, n, bottom, path->fill);
                begin = x, n = 0;
            }
            int end = next - x < STEPS - n ? next : x + STEPS - n;
            while (x < end) tops[n++] = top, x++;
        }
    }
    paintSteps(r, begin, tops, n, bottom, path->fill);
}

void tacRasterDone(tacRaster *r) {
    if (r->nDots) drawDots(r);
    cairo_surface_mark_dirty(r->surface);
}
