/*
 * exportCairo.c -- PDF, PostScript, EPS and PNG: a cairo surface whose bytes pass through a filter on their way out;
 * and PPM, the bare pixels, for programs that show them directly.
 *
 *      begin -> surface of the format -> paintPages -> cairo's bytes -> filter (psBytes, pngBytes) -> writer
 *
 * The filters make the same bytes of the same input, and exact sizes: cairo writes the time of day into PostScript and
 * takes the box around the ink for the figure's, and its PNG does not say how many pixels an inch has. (A PDF needs no
 * filter: its date can be set to an empty one.)
 */
#include "base/port.h"

#include "view/drawCalls.h"
#include "view/export.h"
#include "view/paint.h"
#include "view/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { MOST_PIXELS = 32767, PNG_RESOLUTION = 144 };

/* The way of a surface's bytes into the file. */
typedef struct Stream {
    tacWriter writer;
    const tacDisplay *display;
    double resolution; /* PNG: dpi */
    bool body;         /* PS: the lines to be changed have passed */
    size_t seen;       /* PNG: bytes so far */
    size_t held;       /* PS: bytes in line */
    char line[512];    /* PS: the beginning of a line that is not complete yet */
} Stream;

static cairo_status_t plainBytes(void *data, const unsigned char *bytes, unsigned n) {
    Stream *s = data;
    tacWriterBytes(&s->writer, bytes, n);
    return s->writer.status == TAC_OK ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* ---- PostScript ------------------------------------------------------------------------------------------------- */

static void putBoundingBox(Stream *s, const char *name) {
    unsigned width = (unsigned) ceilf(s->display->width), height = (unsigned) ceilf(s->display->height);
    tacWriterPut(&s->writer, "%%%%%s: 0 0 %u %u\n", name, width, height);
}

static bool begins(const char *line, const char *comment) { return strncmp(line, comment, strlen(comment)) == 0; }

/* Passes on a line of the head, with the figure's own box; the date is left out. */
static void putHeadLine(Stream *s, const char *line, size_t length) {
    if (begins(line, "%%CreationDate:")) return;
    if (begins(line, "%%PageBoundingBox:")) putBoundingBox(s, "PageBoundingBox");
    else if (begins(line, "%%BoundingBox:")) {
        double width = s->display->width, height = s->display->height;
        putBoundingBox(s, "BoundingBox");
        tacWriterPut(&s->writer, "%%%%HiResBoundingBox: 0 0 %n %n\n", width, height);
    } else tacWriterBytes(&s->writer, line, length);
    s->body = begins(line, "%%EndPageSetup");
}

/* Takes the head line by line, a long line in pieces of which only the first could match; the body as it comes. */
static cairo_status_t psBytes(void *data, const unsigned char *bytes, unsigned n) {
    Stream *s = data;
    while (n && !s->body) {
        char c = (char) *bytes++;
        n--;
        s->line[s->held++] = c;
        if (c != '\n' && s->held < sizeof s->line - 1) continue;
        s->line[s->held] = '\0';
        putHeadLine(s, s->line, s->held);
        s->held = 0;
    }
    return plainBytes(data, bytes, n);
}

/* ---- PNG -------------------------------------------------------------------------------------------------------- */

/* Writes a pHYs chunk: pixels a metre, both ways (PNG specification, 11.3.5.3). */
static void putResolution(Stream *s) {
    unsigned perMetre = (unsigned) lround(s->resolution / 0.0254);
    unsigned char chunk[21] = {0, 0, 0, 9, 'p', 'H', 'Y', 's', 0, 0, 0, 0, 0, 0, 0, 0, 1};
    for (int i = 0; i < 4; i++) chunk[8 + i] = chunk[12 + i] = (unsigned char) (perMetre >> (24 - 8 * i));
    uint32_t sum = (uint32_t) crc32(0, chunk + 4, 13);
    for (int i = 0; i < 4; i++) chunk[17 + i] = (unsigned char) (sum >> (24 - 8 * i));
    tacWriterBytes(&s->writer, chunk, sizeof chunk);
}

/* Passes on a PNG, with the resolution behind the signature and IHDR. */
static cairo_status_t pngBytes(void *data, const unsigned char *bytes, unsigned n) {
    enum { HEAD = 8 + 25 };
    Stream *s = data;
    if (s->seen < HEAD) {
        unsigned head = n < HEAD - s->seen ? n : (unsigned) (HEAD - s->seen);
        plainBytes(data, bytes, head);
        s->seen += head;
        bytes += head;
        n -= head;
        if (s->seen == HEAD) putResolution(s);
    }
    return plainBytes(data, bytes, n);
}

/* ---- painting and ending ---------------------------------------------------------------------------------------- */

static tacStatus surfaceError(cairo_status_t status, tacError *err) {
    if (status == CAIRO_STATUS_NO_MEMORY) return tacFailMemory(err);
    return tacFail(err, "EXPORT CAIRO", "the figure cannot be written: %s", cairo_status_to_string(status));
}

/* Paints the pages and frees the surface. A failure of the writer counts before one of cairo. */
static tacStatus paintPages(
    Stream *s, cairo_surface_t *surface, void (*size)(cairo_surface_t *, double, double), tacError *err) {
    tacStatus status = TAC_OK;
    for (const tacDisplay *page = s->display; page && status == TAC_OK; page = page->next) {
        size(surface, page->width, page->height);
        cairo_t *cr = cairo_create(surface);
        status = tacPaint(page, cr, NULL, err);
        cairo_show_page(cr);
        cairo_destroy(cr);
    }
    cairo_surface_finish(surface);
    cairo_status_t ended = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    tacStatus written = tacWriterEnd(&s->writer);
    if (status == TAC_OK && written == TAC_OK && ended != CAIRO_STATUS_SUCCESS) return surfaceError(ended, err);
    return status == TAC_OK ? written : status;
}

/* Begins a stream; fails if the figure has no size that can be written. */
static tacStatus begin(Stream *s, const tacDisplay *display, tacOut *out, void *data, tacError *err) {
    double width = display->width, height = display->height;
    *s = (Stream){.display = display};
    tacWriterInit(&s->writer, out, data);
    if (width > 0 && height > 0 && width <= 1e5 && height <= 1e5) return tacDrawNeed(err);
    return tacFail(err, "EXPORT SIZE", "a figure of %g by %g points cannot be written; give another width or height",
        width, height);
}

/* ---- vector formats --------------------------------------------------------------------------------------------- */

tacStatus tacExportPdf(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err) {
    (void) resolution;
    Stream s;
    if (begin(&s, display, out, data, err) != TAC_OK) return TAC_ERROR;
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(plainBytes, &s, display->width, display->height);
    cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4); /* no pdfTeX warns of it */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Tactus");
    return paintPages(&s, surface, cairo_pdf_surface_set_size, err);
}

static tacStatus writePs(const tacDisplay *display, bool eps, tacOut *out, void *data, tacError *err) {
    Stream s;
    if (begin(&s, display, out, data, err) != TAC_OK) return TAC_ERROR;
    cairo_surface_t *surface = cairo_ps_surface_create_for_stream(psBytes, &s, display->width, display->height);
    cairo_ps_surface_restrict_to_level(surface, CAIRO_PS_LEVEL_3);
    cairo_ps_surface_set_eps(surface, eps);
    return paintPages(&s, surface, cairo_ps_surface_set_size, err);
}

tacStatus tacExportPs(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err) {
    (void) resolution;
    return writePs(display, false, out, data, err);
}

tacStatus tacExportEps(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err) {
    (void) resolution;
    return writePs(display, true, out, data, err);
}

/* ---- pixels ----------------------------------------------------------------------------------------------------- */

/* The colour below all: that of the figure's paper, which may end within the last pixels. */
static uint32_t paperOf(const tacDisplay *display) {
    const tacItem *first = display->items.at;
    bool covers = display->items.count && first->kind == TAC_ITEM_RECT && first->x0 <= 0 && first->y0 <= 0
        && first->x1 >= display->width && first->y1 >= display->height;
    return covers && first->fill != TAC_NO_COLOR ? first->fill : 0xFFFFFF;
}

/* Paints the figure into an image; its resolution goes into `s`. NULL: see err. */
static cairo_surface_t *paintPicture(Stream *s, double resolution, tacError *err) {
    s->resolution = resolution > 0 ? resolution : PNG_RESOLUTION;
    double pixels = s->resolution / 72, width = s->display->width * pixels, height = s->display->height * pixels;
    if (width > MOST_PIXELS || height > MOST_PIXELS) {
        tacFail(err, "EXPORT SIZE",
            "at %g dpi the picture has %.0f by %.0f pixels, more than %d; use a lower"
            " resolution or a vector format",
            s->resolution, width, height, MOST_PIXELS);
        return NULL;
    }
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int) ceil(width - 0.01), (int) ceil(height - 0.01));
    cairo_t *cr = cairo_create(surface);
    uint32_t paper = paperOf(s->display);
    cairo_set_source_rgb(
        cr, (double) (paper >> 16 & 255) / 255, (double) (paper >> 8 & 255) / 255, (double) (paper & 255) / 255);
    cairo_paint(cr);
    cairo_scale(cr, pixels, pixels);
    tacPaintOptions options = {.pixels = pixels, .textOutlines = true};
    tacStatus status = tacPaint(s->display, cr, &options, err);
    cairo_destroy(cr);
    if (status == TAC_OK) return surface;
    cairo_surface_destroy(surface);
    return NULL;
}

tacStatus tacExportPng(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err) {
    Stream s;
    if (begin(&s, display, out, data, err) != TAC_OK) return TAC_ERROR;
    cairo_surface_t *surface = paintPicture(&s, resolution, err);
    if (!surface) return TAC_ERROR;
    cairo_status_t ended = cairo_surface_write_to_png_stream(surface, pngBytes, &s);
    cairo_surface_destroy(surface);
    tacStatus written = tacWriterEnd(&s.writer);
    if (written == TAC_OK && ended != CAIRO_STATUS_SUCCESS) return surfaceError(ended, err);
    return written;
}

/* Writes a row of pixels, three bytes each; cairo keeps a pixel as 32 bits in the order of the machine. */
static void putPixels(Stream *s, const uint32_t *row, int width) {
    unsigned char bytes[3 * 512];
    size_t n = 0;
    for (int x = 0; x < width; x++) {
        for (int shift = 16; shift >= 0; shift -= 8) bytes[n++] = (unsigned char) (row[x] >> shift);
        if (n < sizeof bytes && x + 1 < width) continue;
        tacWriterBytes(&s->writer, bytes, n);
        n = 0;
    }
}

tacStatus tacExportPpm(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err) {
    Stream s;
    if (begin(&s, display, out, data, err) != TAC_OK) return TAC_ERROR;
    cairo_surface_t *surface = paintPicture(&s, resolution, err);
    if (!surface) return TAC_ERROR;
    cairo_surface_flush(surface);
    const unsigned char *pixels = cairo_image_surface_get_data(surface);
    int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
    tacStatus status = pixels ? TAC_OK : surfaceError(cairo_surface_status(surface), err);
    if (pixels) tacWriterPut(&s.writer, "P6\n%u %u\n255\n", (unsigned) width, (unsigned) height);
    for (int y = 0; pixels && y < height; y++)
        putPixels(&s, (const uint32_t *) (pixels + (ptrdiff_t) y * cairo_image_surface_get_stride(surface)), width);
    cairo_surface_destroy(surface);
    return status == TAC_OK ? tacWriterEnd(&s.writer) : status;
}
